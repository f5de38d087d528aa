//! What evaluations and steps work with, apart from the run: made by the first that needs it, and
//! not copied with a run.

use super::Run;
use crate::scheme::{Point, Workplace};
use crate::system::{System, Workspace};

/// What there is of such memory.
pub(super) enum Workroom {
    /// A copy of a run begins with nothing.
    Empty,
    /// What initial accelerations were computed in.
    Evaluations(Box<Workspace>),
    /// All that steps need.
    Steps(Box<Workplace>),
}

impl Workroom {
    /// All that steps need, which the first one makes.
    pub fn for_steps(&mut self, system: &System, at: &Point) -> &mut Workplace {
        if !matches!(self, Workroom::Steps(_)) {
            self.make_for_steps(system, at);
        }
        match self {
            Workroom::Steps(workplace) => workplace,
            _ => unreachable!("made above"),
        }
    }

    #[cold]
    fn make_for_steps(&mut self, system: &System, at: &Point) {
        let workspace = match std::mem::replace(self, Workroom::Empty) {
            Workroom::Evaluations(workspace) => *workspace,
            _ => Workspace::new(system),
        };
        *self = Workroom::Steps(Workplace::new(system, at, workspace));
    }

    /// Memory of steps, if one was made.
    pub fn steps(&self) -> Option<&Workplace> {
        if let Workroom::Steps(workplace) = self { Some(workplace) } else { None }
    }

    /// The same to change.
    pub fn steps_mut(&mut self) -> Option<&mut Workplace> {
        if let Workroom::Steps(workplace) = self { Some(workplace) } else { None }
    }

    /// Memory of evaluations to change, if there is any.
    pub fn workspace_mut(&mut self) -> Option<&mut Workspace> {
        match self {
            Workroom::Empty => None,
            Workroom::Evaluations(workspace) => Some(workspace),
            Workroom::Steps(workplace) => Some(&mut workplace.memory.workspace),
        }
    }
}

impl Run {
    /// Forgets what was made for the steps to come from what acts on the model: it has changed.
    pub(super) fn forget_preparations(&mut self) {
        self.stable = None;
        if let Some(Workplace { memory, prepared, .. }) = self.workroom.steps_mut() {
            *prepared = None;
            memory.frozen = None;
        }
    }

    /// Says that the next step needs the room of a first one: another matrix than those of the last
    /// steps.
    pub(super) fn forget_room(&mut self) {
        if let Some(Workplace { prepared, .. }) = self.workroom.steps_mut() {
            *prepared = None;
        }
    }

    /// As [`Run::forget_preparations`], where entities are tied otherwise than before.
    pub(super) fn forget_entities(&mut self) {
        self.forget_preparations();
        if let Some(Workplace { memory, .. }) = self.workroom.steps_mut() {
            memory.entities = None;
        }
    }

    /// Memory for an evaluation that is no step: a copy of what is there, whose matrix has been
    /// analysed.
    pub(super) fn workspace(&self) -> Workspace {
        match &self.workroom {
            Workroom::Empty => Workspace::new(&self.system),
            Workroom::Evaluations(workspace) => (**workspace).clone(),
            Workroom::Steps(workplace) => workplace.memory.workspace.clone(),
        }
    }
}

/// A copy shares with the run what steps do not change, and makes its own memory in its first step:
/// it costs what saving the state costs.
impl Clone for Run {
    fn clone(&self) -> Run {
        let Run { system, fingerprint, described, described_loads, accepted, trial, .. } = self;
        Run {
            system: system.clone(),
            channels: self.channels.clone(),
            fingerprint: *fingerprint,
            described: described.clone(),
            described_loads: described_loads.clone(),
            accepted: accepted.clone(),
            trial: trial.clone(),
            initial: self.initial.clone(),
            initial_loads: self.initial_loads.clone(),
            workroom: Workroom::Empty,
            sharing: self.sharing.clone(),
            whole: self.whole.clone(),
            stable: self.stable.clone(),
            chosen: self.chosen.clone(),
        }
    }
}
