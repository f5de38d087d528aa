//! Gravity of a run. Before its first step hosts may know it late (from another file, from the
//! user), and the run must be the same as if gravity had been set in BUILDING; later it changes as
//! other numbers of the model do (`changes`).
//!
//! Positions and velocities do not depend on gravity, except for the shapes of lines. The rest of
//! the start is computed again as in `initialize`: accelerations, multipliers and reactions of the
//! accepted state and of the initial one, the force scale of tolerances, the fingerprint; and the
//! memory of steps is that of a new run.

use super::initialize::ASSEMBLED;
use super::shared::Shared;
use super::views::HostSettings;
use super::workplace::Workroom;
use super::{Phase, Run, Simulation};
use crate::error::Result;
use crate::model::{Changes, Loads, Model};
use crate::scheme::Point;
use crate::spatial::pose::check_finite;
use crate::spatial::{BodyState, Vec3};
use crate::system::{Environment, State, System, Workspace};

impl Simulation {
    /// Whether the accepted state is at the initial time, in READY.
    pub(super) fn has_first_step_ahead(&self) -> bool {
        let start = |state: &State| (state.time, state.time_rest);
        let is_at_start = |run: &Run| start(&run.accepted.state) == start(&run.initial);
        self.phase == Phase::Ready && self.run.as_deref().is_some_and(is_at_start)
    }

    /// Computes the start of the run again.
    pub(super) fn start_under(&mut self, gravity: &Vec3) -> Result<()> {
        let run = self.readable()?;
        let mut system = System::clone(&run.system);
        system.adjust().set_gravity(gravity);
        let mut model = Model { gravity: *gravity, ..Model::clone(&self.model) };
        // A state belongs to the model as described.
        model.set_joint_springs(run.initial.joint_springs());
        model.change(&Changes { gravity: None, ..run.described.clone() });
        // If all arms are zero, the model about both points is the same.
        let fingerprint = self.with_series(model.placed(!system.references().has_arms()).fingerprint());
        let initial = self.started(&system, &run.initial, &run.initial, &run.initial_loads)?;
        let stands_there = run.accepted.state == *run.initial && run.accepted.loads == *run.initial_loads;
        let accepted = match stands_there {
            true => initial.clone(),
            false => self.started(&system, &run.accepted.state, &run.initial, &run.accepted.loads)?,
        };
        system.adjust().note_multipliers(&initial.lambda);
        if let Some(run) = &mut self.run {
            let (marks, shape) = (run.accepted.marks, run.accepted.history.past.shape());
            *run.accepted = Point { marks, ..Point::new(accepted, run.accepted.loads.clone(), shape) };
            run.trial = run.accepted.clone();
            run.initial = Shared::new(initial);
            run.workroom = Workroom::Empty;
            run.system = Shared::new(system);
            run.fingerprint = fingerprint;
            run.stable = None;
            run.described.gravity = None;
        }
        self.inputs.changes.gravity = None;
        Ok(())
    }

    /// A state at the start with its accelerations, multipliers and reactions in `system`.
    fn started(&self, system: &System, from: &State, initial: &State, loads: &Loads) -> Result<State> {
        let mut state = from.clone();
        let as_described = [&from.q, &from.v] == [&initial.q, &initial.v];
        if as_described && system.lines().count() > 0 {
            // The shapes at rest have changed.
            self.hang_lines(system, &mut state, loads)?;
        }
        let environment = Environment {
            time: from.time,
            loads,
            hydrodynamics: self.inputs.wet(),
            water: &self.inputs.water,
            callbacks: &self.callbacks,
            progress: &self.progress,
            form: None,
        };
        let mut workspace = Workspace::new(system);
        system
            .kinetics()
            .accelerations(&environment, &mut state, &mut workspace)
            .and_then(|()| system.balance().reactions(&environment, &mut state, &mut workspace))
            .map_err(|failure| self.explain(failure, system, from.time, 0.0))?;
        self.require_finite(system, &state)?;
        if let Some((joint, torn)) = system.joints().torn_by_accelerations(&state, ASSEMBLED) {
            return Err(self.torn(system, joint, torn));
        }
        // The host's accelerations belong to the initial state, not to coordinates that were set
        // since.
        let as_given = self.inputs.settings.given_initial_accelerations() && as_described;
        for (index, described) in self.model.bodies.iter().enumerate() {
            if as_given && !described.prescribed {
                let (x, q) = (described.pose.position, described.pose.rotation);
                let given = BodyState { x, q, v: described.velocity, vdot: described.acceleration };
                let vdot = system.references().integrated_state(index, &given).vdot;
                state.set_body(index, &BodyState { vdot, ..state.body(index) });
            }
        }
        Ok(state)
    }
}

impl HostSettings<'_> {
    /// Sets the gravitational acceleration (default 0), inertial axes. Phase BUILDING, READY. In
    /// READY before the first step, where equilibrium, coordinates and inputs may have been set
    /// already, the start is computed again, and states that were saved before belong to another
    /// model; later it acts from the accepted time on.
    ///
    /// Errors in READY: before the first step as `initialize`; then nothing is changed.
    pub fn set_gravity(&mut self, gravity: &[f64; 3]) -> Result<()> {
        self.0.require_change()?;
        check_finite("gravity", gravity)?;
        let gravity = Vec3::from_column_slice(gravity);
        let mut water = self.0.inputs.water.clone();
        water.renew_waves(&gravity);
        if self.0.phase == Phase::Building {
            self.0.inputs.water = water;
        } else {
            water.check_waves(&gravity)?;
            if !self.0.has_first_step_ahead() {
                self.0.inputs.water = water;
                self.0.change(&Changes { gravity: Some(gravity), ..Changes::default() });
                return Ok(());
            }
            self.0.replace_water(water, |sim| sim.start_under(&gravity))?;
        }
        self.0.model.gravity = gravity;
        Ok(())
    }
}
