//! What evaluations and steps work with, apart from the run: made by the first that needs it, and not copied with a run.

use super::Run;
use crate::model::Loads;
use crate::scheme::{Memory, Point, Scheme};
use crate::system::{System, Workspace};

/// Memory of steps. Nothing in it outlives a step but what follows from the model, the inputs and the state at `initialize`,
/// so that a run goes on bit by bit with a new one.
pub(super) struct Workplace {
    /// The state that sub-steps go through, and the one they go to. Points are exchanged, as pointers, never copied.
    pub current: Box<Point>,
    pub next: Box<Point>,
    /// Loads at the start of the host's step.
    pub base_loads: Loads,
    /// Loads at the start and end of an internal step.
    pub step_loads: [Loads; 2],
    pub memory: Memory,
    /// What the memory is prepared for: a step of this kind has been made.
    pub prepared: Option<(Scheme, bool)>,
}

impl Workplace {
    /// For the steps of a run that is at some point.
    fn new(system: &System, at: &Point, workspace: Workspace) -> Box<Workplace> {
        Box::new(Workplace {
            current: Box::new(at.clone()),
            next: Box::new(at.clone()),
            base_loads: Loads::clone(&at.loads),
            step_loads: [Loads::clone(&at.loads), Loads::clone(&at.loads)],
            memory: Memory::new(system, &at.state, &at.loads, workspace),
            prepared: None,
        })
    }
}

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
            let workspace = match std::mem::replace(self, Workroom::Empty) {
                Workroom::Evaluations(workspace) => *workspace,
                _ => Workspace::new(system),
            };
            *self = Workroom::Steps(Workplace::new(system, at, workspace));
        }
        match self {
            Workroom::Steps(workplace) => workplace,
            _ => unreachable!("made above"),
        }
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

    /// Says that the next step needs the room of a first one: another matrix than those of the last steps.
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

    /// Memory for an evaluation that is no step: a copy of what is there, whose matrix has been analysed.
    pub(super) fn workspace(&self) -> Workspace {
        match &self.workroom {
            Workroom::Empty => Workspace::new(&self.system),
            Workroom::Evaluations(workspace) => (**workspace).clone(),
            Workroom::Steps(workplace) => workplace.memory.workspace.clone(),
        }
    }
}

/// A copy shares with the run what steps do not change, and makes its own memory in its first step: it costs what saving the
/// state costs.
impl Clone for Run {
    fn clone(&self) -> Run {
        let Run { system, fingerprint, described_loads, accepted, trial, initial, initial_loads, .. } = self;
        Run {
            system: system.clone(),
            channels: self.channels.clone(),
            fingerprint: *fingerprint,
            described_loads: described_loads.clone(),
            accepted: accepted.clone(),
            trial: trial.clone(),
            initial: initial.clone(),
            initial_loads: initial_loads.clone(),
            workroom: Workroom::Empty,
            sharing: self.sharing.clone(),
            stable: self.stable.clone(),
            chosen: self.chosen.clone(),
        }
    }
}
