//! From a description to a run: checks of the model as a whole, assembly, initial accelerations and
//! multipliers.

use super::build::ends;
use super::channels::Channels;
use super::shared::Shared;
use super::views::Analysis;
use super::workplace::Workroom;
use super::{Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{Callbacks, EntityKind, Loads, Model, Support};
use crate::number::{Number, Rounded};
use crate::scheme::Point;
use crate::spatial::pose::check_finite;
use crate::spatial::{Pose, Vec3, Vec6, lower};
use crate::system::{BodyState, Environment, Failure, GearGap, State, System, Workspace, begin_means};

/// Violation up to which a joint counts as assembled, relative to the model's length (angles: rad;
/// rates: relative to the fastest velocity). Smaller violations are projected away, so that the
/// first step has no gap to close.
pub(super) const ASSEMBLED: f64 = 1e-6;

/// Violation at rounding level, which is not corrected.
const EXACT: f64 = 1e-13;

/// Where the model is at rest, velocities are compared with this part of the velocity that its
/// accelerations reach over its length: hosts compute zeros with rounding errors.
const ROUNDED_SPEED: f64 = 1e-6;

impl Simulation {
    /// Checks the model and computes accelerations and multipliers at `t0`. BUILDING -> READY.
    ///
    /// Errors: `InconsistentState` names the joint that is not assembled, or whose velocities are
    /// not admissible (with option `assemble` = 1 positions and velocities are projected instead);
    /// `RedundantConstraints` names a joint whose constraints contradict others; `Singular` names a
    /// body without enough mass; `Callback`.
    pub fn initialize(&mut self, t0: f64) -> Result<()> {
        self.require_building()?;
        check_finite("t0", &[t0])?;
        // What follows a series starts there; the host's description is unchanged.
        let described = (!self.series.is_empty()).then(|| self.inputs.clone());
        let outcome = self.follow_series("t0", t0).and_then(|()| self.begin(t0));
        match (described, &mut self.run) {
            (Some(described), Some(run)) => run.described_loads = Shared::new(described.loads),
            (Some(described), None) => self.inputs = described,
            (None, _) => {}
        }
        outcome
    }

    fn begin(&mut self, t0: f64) -> Result<()> {
        self.check_lines()?;
        self.check_machines()?;
        // The model with integrated points; the host's description is unchanged.
        let model = self.model.placed(self.inputs.settings.about_reference_points());
        let mut system = System::new(&model);
        self.check_friction_loads(&system)?;
        if let Some(index) = self.model.joints.iter().position(|j| j.kind.has_pitch() && j.pitch == 0.0) {
            let detail = format!("{} needs one (pintle_set_joint_pitch)", self.describe_joint(index));
            return Err(Error::bad_value("pitch", detail));
        }
        self.check_rolling()?;
        let mut loads = self.inputs.loads.clone();
        let mut state = initial_states(&model, &system, t0, &mut loads);
        let mut workspace = Workspace::new(&system);
        self.make_admissible(&system, &mut state, &loads, &mut workspace)?;
        system.coordinates().count_at_first(&mut state, &loads);
        if let Some(lost) = system.elements().lost_path_in(&state) {
            return Err(Error::bad_value("radius", self.describe_lost_path(lost)));
        }
        self.hang_lines(&system, &mut state, &loads)?;

        let environment = Environment {
            time: t0,
            loads: &loads,
            hydrodynamics: self.inputs.wet(),
            water: &self.inputs.water,
            callbacks: &self.callbacks,
            progress: &self.progress,
            form: None,
        };
        let begun = system.machines().begin(&environment, &mut state, &self.inputs.settings, &mut workspace);
        begun
            .and_then(|()| system.kinetics().accelerations(&environment, &mut state, &mut workspace))
            .and_then(|()| system.balance().reactions(&environment, &mut state, &mut workspace))
            .map_err(|failure| self.explain(failure, &system, t0, 0.0))?;
        self.statistics.events.unsettled += std::mem::take(&mut workspace.unsettled);
        self.require_finite(&system, &state)?;
        if let Some((joint, torn)) = system.joints().torn_by_accelerations(&state, ASSEMBLED) {
            return Err(self.torn(&system, joint, torn));
        }
        if let Some((gear, torn)) = system.gears().torn_by_accelerations(&state, ASSEMBLED) {
            let detail = format!("accelerations tear {}: by {}", self.describe_gear(gear), Rounded(torn));
            return Err(self.contradiction(&system, (EntityKind::Gear, gear), &detail));
        }
        system.adjust().note_multipliers(&state.lambda);
        if self.inputs.settings.given_initial_accelerations() {
            for (index, body) in model.bodies.iter().enumerate().filter(|(_, body)| !body.prescribed) {
                state.set_body(index, &BodyState { vdot: body.acceleration, ..state.body(index) });
            }
        }

        begin_means(&system, &mut state);
        let (initial, initial_loads) = (Shared::new(state.clone()), Shared::new(loads.clone()));
        let described_loads = Shared::new(std::mem::replace(&mut self.inputs.loads, loads.clone()));
        let accepted = Box::new(Point::new(state, loads, self.inputs.scheme.shape(&self.inputs.settings)));
        self.run = Some(Box::new(Run {
            sharing: system.joints().sharing(),
            system: Shared::new(system),
            channels: Channels::new(&self.model),
            fingerprint: self.with_series(model.fingerprint()),
            described: Default::default(),
            described_loads,
            trial: accepted.clone(),
            workroom: Workroom::Evaluations(Box::new(workspace)),
            accepted,
            initial,
            initial_loads,
            whole: None,
            stable: None,
            chosen: Default::default(),
        }));
        self.phase = Phase::Ready;
        Ok(())
    }

    /// Errors: a rolling disc without radius, or one that lies flat.
    fn check_rolling(&self) -> Result<()> {
        for (index, joint) in self.model.joints.iter().enumerate().filter(|(_, joint)| joint.kind.rolls()) {
            if joint.radius == 0.0 {
                let detail = format!("{} needs one (pintle_set_joint_radius)", self.describe_joint(index));
                return Err(Error::bad_value("radius", detail));
            }
            let axis = |body: Option<usize>, frame: &Pose| {
                let frame = body.map_or(*frame, |body| self.model.bodies[body].pose.compose(frame));
                frame.rotation * Vec3::z()
            };
            let [normal, axis] = [axis(joint.body_a, &joint.frame_a), axis(joint.body_b, &joint.frame_b)];
            if normal.cross(&axis).norm() <= ASSEMBLED {
                let detail = format!("the disc of {} lies flat: every point is its lowest", self.describe_joint(index));
                return Err(Error::InconsistentState { detail });
            }
        }
        Ok(())
    }

    /// Errors: a number of the state is not finite, so that it cannot become the accepted one.
    pub(super) fn require_finite(&self, system: &System, state: &State) -> Result<()> {
        match state.not_finite() {
            Some(unknown) => Err(self.explain(Failure::NotFinite { unknown, iterations: 0 }, system, state.time, 0.0)),
            None => Ok(()),
        }
    }

    /// Checks that joints are assembled and velocities admissible, or projects them.
    pub(super) fn make_admissible(
        &self,
        system: &System,
        state: &mut State,
        loads: &Loads,
        workspace: &mut Workspace,
    ) -> Result<()> {
        let length = system.scales().length;
        let assemble = self.inputs.settings.assemble();
        let environment = Environment {
            time: state.time,
            loads,
            hydrodynamics: self.inputs.wet(),
            water: &self.inputs.water,
            callbacks: Callbacks::nobody(),
            progress: &self.progress,
            form: None,
        };
        let time = state.time;
        let explain = |failure| self.explain(failure, system, time, 0.0);
        let misfit = |state: &State| self.first_misfit(system, state, ASSEMBLED * length, ASSEMBLED);

        if let (Some((_, misfit)), false) = (misfit(state), assemble) {
            let detail = format!("{misfit} (option \"assemble\" = 1 moves the bodies)");
            return Err(Error::InconsistentState { detail });
        }
        if self.first_misfit(system, state, EXACT * length, EXACT).is_some() {
            match system.kinetics().project_positions(&environment, true, state, workspace) {
                Ok(_) => {}
                Err(Failure::NoConvergence { .. }) => {
                    let misfit = misfit(state).map_or(String::new(), |(_, misfit)| format!(": {misfit}"));
                    let detail = format!("the joints cannot be assembled from these poses{misfit}");
                    return Err(Error::InconsistentState { detail });
                }
                Err(failure) => return Err(explain(failure)),
            }
            if let Some((entity, misfit)) = misfit(state) {
                return Err(self.contradiction(system, entity, &misfit));
            }
        }

        let slow = ROUNDED_SPEED * (length * system.loading().largest_acceleration(loads)).sqrt();
        let fastest = |state: &State| {
            state.motions().fold(slow, |v, b| v.max(b.v.fixed_rows::<3>(0).norm()).max(lower(&b.v).norm() * length))
        };
        let misfit =
            |state: &State, speed: f64| self.first_rate(system, state, ASSEMBLED * speed, ASSEMBLED * speed / length);
        let speed = fastest(state);
        if let (Some((_, misfit)), false) = (misfit(state, speed), assemble) {
            let detail = format!("{misfit} (option \"assemble\" = 1 projects them)");
            return Err(Error::InconsistentState { detail });
        }
        if self.first_rate(system, state, EXACT * speed, EXACT * speed / length).is_some() {
            system.kinetics().project_velocities(&environment, state, workspace).map_err(explain)?;
            // A drive may have set bodies in motion that are described at rest.
            if let Some((entity, misfit)) = misfit(state, speed.max(fastest(state))) {
                return Err(self.contradiction(system, entity, &misfit));
            }
        }
        Ok(())
    }

    /// The first joint or gear whose violation exceeds the limits, and a description of it.
    fn first_misfit(
        &self,
        system: &System,
        state: &State,
        length: f64,
        angle: f64,
    ) -> Option<((EntityKind, usize), String)> {
        let mut found = None;
        system.joints().for_each_gap(state, |joint, gap, turn, _, _| {
            if found.is_none() && !(gap <= length && turn <= angle) {
                let joint_in_words = self.describe_joint(joint);
                let misfit = format!(
                    "{joint_in_words} is not assembled: gap {}, misalignment {} rad",
                    Rounded(gap),
                    Rounded(turn)
                );
                found = Some(((EntityKind::Joint, joint), misfit));
            }
        });
        found.or_else(|| {
            let off = |gap: &GearGap| exceeds(gap.value, if gap.is_length { length } else { angle });
            let (gear, gap) = system.gears().gaps(state).enumerate().find(|(_, gap)| off(gap))?;
            let misfit = format!("{} is not assembled: off by {}", self.describe_gear(gear), Rounded(gap.value));
            Some(((EntityKind::Gear, gear), misfit))
        })
    }

    /// The first joint or gear whose rates exceed the limits, and a description of them.
    fn first_rate(
        &self,
        system: &System,
        state: &State,
        length: f64,
        angle: f64,
    ) -> Option<((EntityKind, usize), String)> {
        let mut found = None;
        system.joints().for_each_gap(state, |joint, _, _, gap, turn| {
            if found.is_none() && !(gap <= length && turn <= angle) {
                let joint_in_words = self.describe_joint(joint);
                let misfit = format!(
                    "initial velocities tear {joint_in_words}: gap opens at {}, axes turn apart at {} rad per time",
                    Rounded(gap),
                    Rounded(turn)
                );
                found = Some(((EntityKind::Joint, joint), misfit));
            }
        });
        found.or_else(|| {
            let off = |gap: &GearGap| exceeds(gap.rate, if gap.is_length { length } else { angle });
            let (gear, gap) = system.gears().gaps(state).enumerate().find(|(_, gap)| off(gap))?;
            let misfit = format!(
                "initial velocities tear {}: the second joint is off its rate by {}",
                self.describe_gear(gear),
                Rounded(gap.rate)
            );
            Some(((EntityKind::Gear, gear), misfit))
        })
    }

    /// The accelerations that satisfy all independent constraints violate a redundant one.
    pub(super) fn torn(&self, system: &System, joint: usize, by: f64) -> Error {
        let detail = format!("accelerations tear {}: by {}", self.describe_joint(joint), Rounded(by));
        self.contradiction(system, (EntityKind::Joint, joint), &detail)
    }

    /// Why a joint is violated although all independent constraints are satisfied: its redundant
    /// constraints contradict the others. Without redundant ones the state is another solution of
    /// the same equations.
    fn contradiction(&self, system: &System, (kind, index): (EntityKind, usize), misfit: &str) -> Error {
        let redundant = match kind {
            EntityKind::Gear if system.gears().is_redundant(index) => vec!["ratio"],
            EntityKind::Gear => Vec::new(),
            _ => system.joints().redundant(index).0,
        };
        if redundant.is_empty() {
            return Error::InconsistentState { detail: misfit.to_owned() };
        }
        let detail = format!(
            "{misfit} when all others are satisfied: these already fix its {}, and frames or imposed motions contradict",
            redundant.join(", ")
        );
        Error::RedundantConstraints { detail }
    }

    pub(super) fn describe_gear(&self, gear: usize) -> String {
        let (name, gear) = (self.model.describe(EntityKind::Gear, gear), &self.model.gears[gear]);
        if let Some(([a, b], ratio)) = gear.two() {
            return format!("{name} (joints {a} and {b}, ratio {})", Number(ratio));
        }
        let joints = gear.joints.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let coefficients = gear.coefficients.iter().map(|c| Number(*c).to_string()).collect::<Vec<_>>().join(", ");
        format!("{name} (joints {joints}, coefficients {coefficients})")
    }

    pub(super) fn describe_joint(&self, joint: usize) -> String {
        let (a, b) = ends(&self.model.joints[joint]);
        let kind = self.model.joints[joint].kind.name();
        format!("{} ({kind}, bodies {a} and {b})", self.model.describe(EntityKind::Joint, joint))
    }

    /// Names the body without inertia in a direction that its joints leave free, and the remedy:
    /// the body without a pivot, or the first without inertia, because the elimination may detect
    /// it later. None if all have mass and inertia.
    pub(super) fn without_inertia(&self, owner: Option<(EntityKind, usize)>) -> Option<String> {
        let (bodies, points) = (&self.model.bodies, &self.model.points);
        let is_light = |index: &usize| points[*index].is_free() && points[*index].mass == 0.0;
        let light = owner.and_then(|(kind, index)| (kind == EntityKind::Point).then_some(index)).filter(is_light);
        let lacks = |index: &usize| {
            let (body, added) = (&bodies[*index], self.inputs.hydrodynamics[*index].added_mass);
            let about_com = body.inertia.about_com();
            let points = about_com.symmetric_eigenvalues().min() <= 1e-12 * about_com.amax();
            !body.prescribed && added.is_none() && (body.inertia.mass == 0.0 || points)
        };
        let own = owner.and_then(|(kind, index)| (kind == EntityKind::Body).then_some(index)).filter(lacks);
        let body = own.or_else(|| (0..bodies.len()).find(lacks)).filter(|_| light.is_none());
        let Some(index) = body else {
            let index = light.or_else(|| (0..points.len()).find(is_light))?;
            let name = self.model.describe(EntityKind::Point, index);
            return Some(format!(
                "{name} has no mass, and nothing holds it: give it mass, fix it, attach it to a body, or impose its motion"
            ));
        };
        let name = self.model.describe(EntityKind::Body, index);
        Some(if bodies[index].inertia.mass == 0.0 {
            format!(
                "{name} has no mass, and nothing holds all of its motion: give it mass, impose its motion, or join it FIXED to \
                 a body with mass"
            )
        } else {
            format!(
                "{name} has no inertia about an axis about which its joints let it turn: give it inertia, or a joint that holds \
                 its rotation (FIXED, PRISMATIC)"
            )
        })
    }
}

impl Analysis<'_> {
    /// The joints that have redundant constraints, one per line, with the directions of these;
    /// empty if there are none. Which of the constraints of a loop count as redundant depends on
    /// the order: those of joints created later do. Phase READY, TRIAL, FAILED.
    pub fn redundant_constraints(self) -> Result<String> {
        let system = &self.0.readable()?.system;
        let line = |joint: usize| {
            let (redundant, rows) = system.joints().redundant(joint);
            let (count, verb) = (redundant.len(), if redundant.len() == 1 { "follows" } else { "follow" });
            (count > 0).then(|| {
                let (joint, names) = (self.0.describe_joint(joint), redundant.join(", "));
                format!("{joint}: {count} of its {rows} constraints {verb} from the others: {names}")
            })
        };
        let joints = (0..self.0.model.joints.len()).filter_map(line);
        let gears = (0..self.0.model.gears.len())
            .filter(|gear| system.gears().is_redundant(*gear))
            .map(|gear| format!("{}: it follows from the others", self.0.describe_gear(gear)));
        Ok(joints.chain(gears).collect::<Vec<_>>().join("\n"))
    }
}

/// The state as described. Writes to `loads` the internal motions of bodies, and defaults for those
/// that the host did not give: prescribed bodies as described, driven joints at rest.
fn initial_states(model: &Model, system: &System, t0: f64, loads: &mut Loads) -> State {
    let mut state = system.initial_state(model);
    state.time = t0;
    let bodies = model.bodies.iter().zip(&mut loads.motions).enumerate();
    for (index, (body, imposed)) in bodies.filter(|(_, (body, _))| body.prescribed) {
        let described = BodyState { vdot: body.acceleration, ..state.body(index) };
        let motion = imposed.map_or(described, |given| system.references().integrated_state(index, &given));
        state.set_body(index, &motion);
        *imposed = Some(motion);
    }
    for (index, (point, imposed)) in model.points.iter().zip(&mut loads.point_motions).enumerate() {
        let (node, fixed) =
            (state.layout.point(index), BodyState { v: Vec6::zeros(), ..state.body(state.layout.point(index)) });
        let motion = match point.support {
            Support::Free | Support::Attached(_) | Support::Waiting => continue,
            Support::Fixed => fixed,
            Support::Prescribed => imposed
                .map_or(state.body(node), |given| BodyState { x: given.x - system.references().origin(), ..given }),
        };
        state.set_body(node, &motion);
        *imposed = Some(motion);
    }
    let offsets = loads.joints.iter().zip(&model.joints);
    let offsets = offsets.map(|(load, joint)| load.drive.map_or(joint.offset, |drive| drive[0]));
    state.coordinates.iter_mut().zip(offsets).for_each(|(coordinate, offset)| *coordinate = offset);
    system.coordinates().follow(&mut state, loads);
    for ((load, joint), coordinate) in loads.joints.iter_mut().zip(&model.joints).zip(&state.coordinates) {
        if joint.driven {
            load.drive.get_or_insert([*coordinate, 0.0, 0.0]);
        }
    }
    for (k, load) in loads.slides.iter_mut().enumerate().filter(|(k, _)| model.joints[*k].slide_driven) {
        load.drive.get_or_insert([system.joints().slide(k, &state).map_or(0.0, |[s, ..]| s), 0.0, 0.0]);
    }
    system.coordinates().count_at_first(&mut state, loads);
    state
}

/// Whether a violation exceeds the limit, or is NaN.
fn exceeds(x: f64, limit: f64) -> bool {
    x.is_nan() || x.abs() > limit
}
