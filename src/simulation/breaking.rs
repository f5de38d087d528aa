//! Joints that break: by the host between steps, or in a step where the reaction reaches the
//! strength.
//!
//! The constraints of the model are numbered anew without a broken joint, as with other drives. A
//! joint that breaks in a step is broken in the trial only: until that is accepted, the run keeps
//! the system of its accepted state, to which it returns if the trial is rejected.

use super::shared::Shared;
use super::workplace::Workroom;
use super::{Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{Changed, Changes, EntityKind, Id, Model};
use crate::number::Number;
use crate::scheme::{Point, Workplace};
use crate::system::{Sharing, State, System, Workspace};

/// What belongs to the accepted state where a joint broke in the pending trial.
#[derive(Clone)]
pub(super) struct Whole {
    system: Shared<System>,
    pub(super) initial: Shared<State>,
    sharing: Sharing,
    pub(super) broken: Changed<bool>,
}

impl Simulation {
    /// Errors: a joint is broken.
    pub(super) fn require_whole(&self, joint: usize) -> Result<()> {
        match self.model.joints[joint].is_broken {
            false => Ok(()),
            true => Err(Error::bad_value("joint", format!("joint {joint} is broken: it has no coordinate"))),
        }
    }

    /// Whether a joint broke in the pending trial.
    pub(super) fn parts(&self) -> bool {
        self.run.as_deref().is_some_and(|run| run.whole.is_some())
    }

    /// The joints that broke in the pending trial.
    pub(super) fn breaks(&self) -> Vec<u64> {
        let Some(whole) = self.run.as_deref().and_then(|run| run.whole.as_deref()) else { return Vec::new() };
        let now = self.inputs.changes.broken.iter().filter(|(_, is_broken)| *is_broken);
        now.filter(|change| !whole.broken.contains(change)).map(|(joint, _)| *joint).collect()
    }

    /// Breaks joints in the pending trial, whose lines are as in a state.
    pub(super) fn part(&mut self, joints: &[u64], at: &State) {
        let broken = self.inputs.changes.broken.clone();
        let joints = joints.iter().map(|joint| (*joint, true)).collect();
        self.inputs.changes.add(&Changes { broken: joints, ..Changes::default() });
        let Some(model) = self.change_model() else { return };
        if let Some(run) = &mut self.run {
            run.part(model, &self.inputs.changes, broken, at);
        }
    }

    /// Breaks a joint in a step, whose rest goes on from where it has come to.
    pub(super) fn part_in_step(&mut self, joint: usize) {
        let Some(run) = &mut self.run else { return };
        let Workroom::Steps(mut work) = std::mem::replace(&mut run.workroom, Workroom::Empty) else { return };
        let before = run.system.clone();
        self.part(&[joint as u64], &work.current.state);
        let Some(run) = &mut self.run else { return };
        let current = work.current.numbered([&before, &run.system]);
        let mut rest = Workplace::new(&run.system, &current, Workspace::new(&run.system));
        // A trial that this step replaces has what was said of its time, should the step fail.
        *run.trial = Point { marks: run.trial.marks, ..current };
        std::mem::swap(&mut rest.base_loads, &mut work.base_loads);
        std::mem::swap(&mut rest.events, &mut work.events);
        run.workroom = Workroom::Steps(rest);
    }

    /// Mends what broke in the pending trial, which is gone.
    pub(super) fn mend(&mut self) {
        let Some(run) = &mut self.run else { return };
        let Some(whole) = run.whole.take() else { return };
        let Whole { system, initial, sharing, broken } = *whole;
        (run.system, run.initial, run.sharing) = (system, initial, sharing);
        run.trial = run.accepted.clone();
        run.workroom = Workroom::Empty;
        run.chosen = Default::default();
        run.forget_entities();
        self.inputs.changes.broken = broken;
        for broken in [&run.described.broken, &self.inputs.changes.broken] {
            self.model.change(&Changes { broken: broken.clone(), ..Changes::default() });
        }
    }

    /// Errors: the model of the run has no accelerations at the accepted state.
    fn check_accelerations(&self) -> Result<()> {
        let run = self.readable()?;
        let (system, mut state) = (&run.system, run.accepted.state.clone());
        let environment = self.environment(state.time, &run.accepted.loads);
        let found = system.kinetics().accelerations(&environment, &mut state, &mut run.workspace());
        found.map_err(|failure| self.explain(failure, system, state.time, 0.0))
    }
}

impl Run {
    /// Gives the pending trial a system in which other joints are broken; `model` has its numbers
    /// as described, `broken` are the joints of the accepted state.
    fn part(&mut self, model: Model, changes: &Changes, broken: Changed<bool>, at: &State) {
        let mut system = self.numbered(model, changes);
        for changes in [&self.described, changes] {
            system.adjust().change(changes);
        }
        system.adjust().follow_lines(at);
        let initial = Shared::new(self.initial.numbered([&self.system, &system]));
        let sharing = std::mem::replace(&mut self.sharing, system.joints().sharing());
        let initial = std::mem::replace(&mut self.initial, initial);
        let system = std::mem::replace(&mut self.system, Shared::new(system));
        self.whole.get_or_insert_with(|| Box::new(Whole { system, initial, sharing, broken }));
        self.chosen = Default::default();
        self.stable = None;
    }
}

/// Sets the norms of force and moment at which a joint breaks; infinite: never. Phase BUILDING,
/// READY.
pub fn set_joint_strength(simulation: &mut Simulation, joint: Id, force: f64, moment: f64) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.model.index("joint", EntityKind::Joint, joint)?;
    for (argument, value) in [("force", force), ("moment", moment)] {
        if value.is_nan() {
            return Err(Error::NotFinite { argument, index: None, value });
        }
        if value < 0.0 {
            let detail = format!("{} is no strength of joint {index}: it is not negative", Number(value));
            return Err(Error::bad_value(argument, detail));
        }
    }
    simulation.change(&Changes { strengths: vec![(index as u64, [force, moment])], ..Changes::default() });
    Ok(())
}

/// Breaks a joint at the accepted time: the bodies go on with their velocities. Phase READY.
///
/// Errors: a joint that is broken; what it leaves without inertia.
pub fn break_joint(simulation: &mut Simulation, joint: Id) -> Result<()> {
    simulation.require(&[Phase::Ready], "joints break between steps of a run (phase READY)")?;
    let index = simulation.model.index("joint", EntityKind::Joint, joint)?;
    if simulation.model.joints[index].is_broken {
        return Err(Error::bad_value("joint", format!("joint {index} is broken already")));
    }
    let before = simulation.clone();
    simulation.change(&Changes { broken: vec![(index as u64, true)], ..Changes::default() });
    simulation.check_accelerations().inspect_err(|_| *simulation = before)
}
