//! Failures of the mathematics as messages for the host.

use super::{Phase, Simulation};
use crate::error::Error;
use crate::model::EntityKind;
use crate::number::{Number, Rounded};
use crate::scheme::Scheme;
use crate::system::{Failure, Growing, System};

impl Simulation {
    /// A failure of the mathematics as a message for the host.
    pub(super) fn explain(&self, failure: Failure, system: &System, time: f64, step: f64) -> Error {
        let entity = |unknown: usize| {
            let (kind, index) = system.nodes().owner(unknown);
            let node = system.lines().of_unknown(unknown).map(|(_, node)| format!(" node {node}"));
            self.model.describe(kind, index) + &node.unwrap_or_default()
        };
        match failure {
            Failure::Singular { unknown } => {
                let place = unknown.map_or(String::new(), |unknown| format!(" for {}", entity(unknown)));
                // Accelerations were computed at the initial state: a later singularity is not due
                // to missing mass.
                let missing = || self.without_inertia(unknown.map(|unknown| system.nodes().owner(unknown)));
                let detail = match self.phase {
                    Phase::Building => missing().unwrap_or_else(|| {
                        format!("no pivot{place}: a body without mass, or constraints that depend on each other")
                    }),
                    _ => format!(
                        "no pivot{place}: constraints that depend on each other at this state, or motions, stiffnesses or \
                         dampings that outgrew the masses"
                    ),
                };
                Error::Singular { time, detail }
            }
            Failure::OutOfMemory { bytes } => Error::OutOfMemory { argument: "memory", bytes },
            Failure::NotFinite { unknown, iterations } => {
                let limits = system.lines().of_unknown(unknown).and_then(|(line, _)| self.line_limits(line));
                Error::Unstable { time, iterations, entity: entity(unknown) + &limits.unwrap_or_default() }
            }
            Failure::NoConvergence { iterations, error, unknown, energies } => {
                let energies = energies.map_or(String::new(), |[x, theta]| {
                    format!("; residual energies {} of translations, {} of rotations", Rounded(x), Rounded(theta))
                });
                Error::NoConvergence { time, step, iterations, error, entity: entity(unknown), energies }
            }
            Failure::StepError { size, unknown, length } => Error::TooFar {
                time,
                entity: entity(unknown),
                detail: match size > 1.0 {
                    true => format!(
                        "errs by {} times option \"step_tolerance\" in an internal step of {}, and shorter ones are more than \
                         option \"max_substeps\" = {} allows, or below the rounding of the step",
                        Rounded(size),
                        Number(length),
                        Number(self.inputs.settings.max_substeps())
                    ),
                    false => format!(
                        "needs internal steps of {} for option \"step_tolerance\", more than option \"max_substeps\" = {} allows",
                        Number(length),
                        Number(self.inputs.settings.max_substeps())
                    ),
                },
            },
            Failure::Diverged { growing, iterations, unknown } => {
                let detail = match growing {
                    Growing::Substeps => format!("the iteration of the step grew over {iterations} substeps"),
                    Growing::Projection => {
                        format!("constraints were not met at the end of the step in {iterations} iterations")
                    }
                };
                Error::Diverged { time, step, iterations, entity: entity(unknown), detail }
            }
            Failure::Torn(torn) => Error::Torn {
                time,
                step,
                joint: self.describe_joint(torn.joint),
                detail: format!("its origins are {} apart, its axes {} rad", Rounded(torn.length), Rounded(torn.angle)),
            },
            Failure::Overturns { joint, by: [lean, turn] } => Error::Torn {
                time,
                step,
                joint: self.describe_joint(joint),
                detail: format!(
                    "its disc is {} rad from lying flat, and turns by {} rad",
                    Rounded(lean),
                    Rounded(turn)
                ),
            },
            Failure::Jump { joint, turn } => Error::TooFar {
                time,
                entity: self.model.describe(EntityKind::Joint, joint),
                detail: format!(
                    "is driven by {} rad in one step, more than half a turn: cut the step (max_time_step)",
                    Number(turn)
                ),
            },
            Failure::Leap(leap) => Error::TooFar {
                time,
                entity: self.model.describe(leap.kind, leap.index),
                detail: format!(
                    "jumps: its imposed motion goes {}{} further in one step than its rates say",
                    Number(leap.by),
                    if leap.is_angle { " rad" } else { "" }
                ),
            },
            Failure::Short { line, length } => Error::TooFar {
                time,
                entity: match line.checked_sub(self.model.lines.len()) {
                    None => self.model.describe(EntityKind::Line, line),
                    Some(tendon) => self.model.describe(EntityKind::Tendon, tendon),
                },
                detail: format!(
                    "would be {} long during the step, by the lengths and rates at its ends: less than a hundredth of \
                     what it was described with; give it a rate that fits, or cut the step",
                    Number(length)
                ),
            },
            Failure::Kick { body, turn } => Error::TooFar {
                time,
                entity: self.model.describe(EntityKind::Body, body),
                detail: format!(
                    "would be turned by {} rad in one step by the jump of an imposed motion, more than a quarter turn: cut \
                     the step (max_time_step), or start the motion in phase BUILDING or with a ramp",
                    Number(turn)
                ),
            },
            Failure::HalfTurn { body, turn } => Error::TooFar {
                time,
                entity: self.model.describe(EntityKind::Body, body),
                detail: format!(
                    "turns by {} rad in one step, more than half a turn, which {}: cut the step (max_time_step)",
                    Number(turn),
                    match self.inputs.scheme {
                        Scheme::MomentumAlpha => "momentum-alpha cannot distinguish from the opposite rotation".into(),
                        scheme if scheme.is_newton() => {
                            "bushings and beams cannot distinguish from the opposite rotation".into()
                        }
                        scheme => format!("{scheme} follows only about a fixed axis"),
                    }
                ),
            },
            Failure::Contradiction { joint } => Error::RedundantConstraints {
                detail: format!(
                    "{} comes apart at time {}: one of its constraints followed from the others at the initial poses, \
                     where the loop was singular, and no longer does (start elsewhere); or imposed motions contradict",
                    self.describe_joint(joint),
                    Number(time)
                ),
            },
            Failure::Rolls { joint } => Error::Unsupported {
                argument: "sys",
                detail: format!(
                    "{} rolls: while its disc turns, positions have more freedoms than velocities, and there is no linear \
                     model",
                    self.describe_joint(joint)
                ),
            },
            Failure::GearContradiction { gear } => Error::RedundantConstraints {
                detail: format!(
                    "{} slips at time {}: it followed from the others at the initial poses, and no longer does; or imposed \
                     motions contradict",
                    self.describe_gear(gear),
                    Number(time)
                ),
            },
            Failure::LostTurns { joint, turn } => Error::TooFar {
                time,
                entity: self.model.describe(EntityKind::Joint, joint),
                detail: format!(
                    "would turn by {} rad in one step, more than half a turn, so that the turns of its gear could not be \
                     counted: cut the step (max_time_step)",
                    Number(turn)
                ),
            },
            Failure::Fluid { place, code } => {
                let entity = match place {
                    Some(place) => entity(system.layout().unknown(place)),
                    None => "the fluid callback".to_owned(),
                };
                let detail = if place.is_some() { "the fluid callback " } else { "it " };
                Error::Callback { entity, time, detail: format!("{detail}{}", what_failed(code)) }
            }
            Failure::Stopped { code } => Error::Stopped { time, code },
            Failure::Callback { body, code } => {
                Error::Callback { entity: self.model.describe(EntityKind::Body, body), time, detail: what_failed(code) }
            }
            Failure::CoupledCallback { callback, code } => {
                let set = self.callbacks.coupled.get(callback).map_or(&[][..], |callback| &callback.bodies[..]);
                let names: Vec<String> = set.iter().map(|body| self.model.describe(EntityKind::Body, *body)).collect();
                let callback = self.model.describe(EntityKind::Callback, callback);
                let entity = format!("{callback} ({})", names.join(", "));
                Error::Callback { entity, time, detail: what_failed(code) }
            }
        }
    }
}

/// A failure of a load callback as text.
fn what_failed(code: Option<i32>) -> String {
    code.map_or("gave numbers that are not finite".into(), |code| format!("returned {code}"))
}
