//! From a description to a run: checks of the model as a whole, assembly, initial accelerations and multipliers.

use super::build::ends;
use super::{Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, JointKind, Loads};
use crate::scheme::{Memory, Point};
use crate::spatial::pose::check_finite;
use crate::spatial::{Vec6, lower};
use crate::system::{BodyState, Environment, Failure, State, System, initial_state};

/// Misfit of a joint that counts as assembled, relative to the model's length (angles: rad; rates: relative to the
/// fastest velocity). What is below it is projected away, so that the first step has no gap to close.
const ASSEMBLED: f64 = 1e-6;

/// Misfit at rounding level, which is left alone.
const EXACT: f64 = 1e-13;

impl Simulation {
    /// Checks the model and computes accelerations and multipliers at `t0`. BUILDING -> READY.
    ///
    /// Errors: `InconsistentState` names the joint that is not assembled, or whose velocities are not admissible (with
    /// option `assemble` = 1 positions and velocities are projected instead); `Singular` names a body without enough
    /// mass; `Callback`.
    pub fn initialize(&mut self, t0: f64) -> Result<()> {
        self.require_building()?;
        check_finite("t0", &[t0])?;
        let mut system = System::new(&self.model);
        if let Some(index) = self.model.joints.iter().position(|j| j.kind == JointKind::Screw && j.pitch == 0.0) {
            let detail = format!("{} needs one (pintle_set_joint_pitch)", self.describe_joint(index));
            return Err(Error::bad_value("pitch", detail));
        }
        let mut loads = self.inputs.loads.clone();
        let mut state = self.initial_state(&system, t0, &mut loads);
        let mut memory = Memory::new(&system, &state, &loads);
        self.make_admissible(&system, &mut state, &loads, &mut memory)?;
        system.follow_joints(&mut state, &loads);

        let coordinates = state.coordinates.clone();
        let environment = Environment {
            time: t0,
            loads: &loads,
            hydrodynamics: &self.inputs.hydrodynamics,
            callbacks: &self.callbacks,
            coordinates: &coordinates,
        };
        system
            .accelerations(&environment, &mut state.bodies, &mut state.lambda, &mut memory.workspace)
            .and_then(|()| system.reactions(&environment, &mut state, &mut memory.workspace))
            .map_err(|failure| self.explain(failure, &system, t0, 0.0))?;
        system.note_multipliers(&state.lambda);
        if self.inputs.settings.given_initial_accelerations() {
            let free = state.bodies.iter_mut().zip(&self.model.bodies).filter(|(_, body)| !body.prescribed);
            free.for_each(|(state, body)| state.vdot = body.acceleration);
        }

        let (initial, initial_loads) = (state.clone(), loads.clone());
        let point = Point::new(state);
        self.inputs.loads.copy_from(&loads);
        self.inputs.accepted_loads = loads.clone();
        self.run = Some(Box::new(Run {
            system,
            fingerprint: self.model.fingerprint(),
            accepted: point.clone(),
            trial: point.clone(),
            current: point.clone(),
            next: point,
            base_loads: loads.clone(),
            step_loads: [loads.clone(), loads],
            memory,
            initial,
            initial_loads,
            stable: None,
        }));
        self.phase = Phase::Ready;
        Ok(())
    }

    /// The state as described; in `loads` the motions that the host did not give: prescribed bodies as described,
    /// driven joints at rest where they are.
    fn initial_state(&self, system: &System, t0: f64, loads: &mut Loads) -> State {
        let mut bodies: Vec<BodyState> = self.model.bodies.iter().map(initial_state).collect();
        for ((state, body), imposed) in bodies.iter_mut().zip(&self.model.bodies).zip(&mut loads.motions) {
            if body.prescribed {
                let described = BodyState { vdot: body.acceleration, ..*state };
                *state = *imposed.get_or_insert(described);
            }
        }
        let (n, m) = (bodies.len(), self.model.joints.len());
        let mut state = State {
            time: t0,
            bodies,
            lambda: vec![0.0; system.multipliers()],
            coordinates: loads.joints.iter().map(|joint| joint.drive.map_or(0.0, |drive| drive[0])).collect(),
            drives: vec![[0.0; 3]; m],
            reactions: vec![Vec6::zeros(); n],
        };
        system.follow_joints(&mut state, loads);
        for ((load, joint), coordinate) in loads.joints.iter_mut().zip(&self.model.joints).zip(&state.coordinates) {
            if joint.driven {
                load.drive.get_or_insert([*coordinate, 0.0, 0.0]);
            }
        }
        system.follow_joints(&mut state, loads);
        state
    }

    /// Checks that joints are assembled and velocities admissible, or brings them there.
    pub(super) fn make_admissible(
        &self,
        system: &System,
        state: &mut State,
        loads: &Loads,
        memory: &mut Memory,
    ) -> Result<()> {
        let length = system.scales().length;
        let assemble = self.inputs.settings.assemble();
        let coordinates = state.coordinates.clone();
        let environment = Environment {
            time: state.time,
            loads,
            hydrodynamics: &self.inputs.hydrodynamics,
            callbacks: &[],
            coordinates: &coordinates,
        };
        let time = state.time;
        let explain = |failure| self.explain(failure, system, time, 0.0);
        let contradiction = |state: &State| self.first_misfit(system, state, ASSEMBLED * length, ASSEMBLED);

        let misfit = self.first_misfit(system, state, ASSEMBLED * length, ASSEMBLED);
        if let (Some(detail), false) = (misfit, assemble) {
            return Err(Error::InconsistentState { detail });
        }
        if self.first_misfit(system, state, EXACT * length, EXACT).is_some() {
            match system.project_positions(&environment, &mut state.bodies, &mut memory.workspace) {
                Ok(_) => {}
                Err(Failure::NoConvergence { .. }) => {
                    let detail = contradiction(state)
                        .unwrap_or_else(|| "the joints cannot be assembled from these poses".into());
                    return Err(Error::InconsistentState { detail });
                }
                Err(failure) => return Err(explain(failure)),
            }
            if let Some(detail) = contradiction(state) {
                return Err(Error::InconsistentState { detail });
            }
        }

        let fastest = |bodies: &[BodyState]| {
            bodies.iter().fold(0.0f64, |v, b| v.max(b.v.fixed_rows::<3>(0).norm()).max(lower(&b.v).norm() * length))
        };
        let speed = fastest(&state.bodies);
        let misfit = self.first_rate(system, state, ASSEMBLED * speed, ASSEMBLED * speed / length);
        if let (Some(detail), false) = (misfit, assemble) {
            return Err(Error::InconsistentState { detail });
        }
        if self.first_rate(system, state, EXACT * speed, EXACT * speed / length).is_some() {
            system.project_velocities(&environment, &mut state.bodies, &mut memory.workspace).map_err(explain)?;
            let detail = self.first_rate(system, state, ASSEMBLED * speed, ASSEMBLED * speed / length);
            if let Some(detail) = detail {
                return Err(Error::InconsistentState { detail });
            }
        }
        Ok(())
    }

    /// The first joint whose gap exceeds the limits, in words.
    fn first_misfit(&self, system: &System, state: &State, length: f64, angle: f64) -> Option<String> {
        let mut found = None;
        system.for_each_gap(state, |joint, gap, turn, _, _| {
            if found.is_none() && !(gap <= length && turn <= angle) {
                found = Some(format!(
                    "{} is not assembled: gap {gap:.6e}, misalignment {turn:.6e} rad (option \"assemble\" = 1 moves the bodies)",
                    self.describe_joint(joint)
                ));
            }
        });
        found
    }

    /// The first joint whose rates exceed the limits, in words.
    fn first_rate(&self, system: &System, state: &State, length: f64, angle: f64) -> Option<String> {
        let mut found = None;
        system.for_each_gap(state, |joint, _, _, gap, turn| {
            if found.is_none() && !(gap <= length && turn <= angle) {
                found = Some(format!(
                    "initial velocities tear {}: gap opens at {gap:.6e}, axes turn apart at {turn:.6e} rad per time \
                     (option \"assemble\" = 1 projects them)",
                    self.describe_joint(joint)
                ));
            }
        });
        found
    }

    fn describe_joint(&self, joint: usize) -> String {
        let (a, b) = ends(&self.model.joints[joint]);
        let kind = self.model.joints[joint].kind.name();
        format!("{} ({kind}, bodies {a} and {b})", self.model.describe(EntityKind::Joint, joint))
    }

    /// A failure of the mathematics in words the host can act on.
    pub(super) fn explain(&self, failure: Failure, system: &System, time: f64, step: f64) -> Error {
        let entity = |unknown: usize| {
            let (kind, index) = system.owner(unknown);
            self.model.describe(kind, index)
        };
        match failure {
            Failure::Singular { unknown: Some(unknown) } => Error::Singular {
                time,
                detail: format!(
                    "no pivot for {}: a body without mass, or constraints that depend on each other",
                    entity(unknown)
                ),
            },
            Failure::Singular { unknown: None } => Error::Singular {
                time,
                detail: "no pivot: a body without mass, or constraints that depend on each other".into(),
            },
            Failure::NotFinite { unknown, iterations } => Error::Unstable { time, iterations, entity: entity(unknown) },
            Failure::NoConvergence { iterations, error, unknown, energies } => {
                let energies = energies.map_or(String::new(), |[x, theta]| {
                    format!("; residual energies {x:.3e} of translations, {theta:.3e} of rotations")
                });
                Error::NoConvergence { time, step, iterations, error, entity: entity(unknown), energies }
            }
            Failure::Diverged { iterations, unknown } => {
                Error::Diverged { time, step, iterations, entity: entity(unknown) }
            }
            Failure::Jump { joint, turn } => Error::TooFar {
                time,
                entity: self.model.describe(EntityKind::Joint, joint),
                detail: format!(
                    "is driven by {turn} rad in one step, more than half a turn: cut the step (max_time_step)"
                ),
            },
            Failure::Contradiction { joint } => Error::RedundantConstraints {
                detail: format!(
                    "{} comes apart at time {time}: one of its constraints followed from the others at the initial poses, \
                     where the loop was singular, and no longer does (start elsewhere); or imposed motions contradict",
                    self.describe_joint(joint)
                ),
            },
            Failure::Callback { body, code } => Error::Callback {
                entity: self.model.describe(EntityKind::Body, body),
                time,
                detail: match code {
                    Some(code) => format!("returned {code}"),
                    None => "gave numbers that are not finite".into(),
                },
            },
        }
    }
}
