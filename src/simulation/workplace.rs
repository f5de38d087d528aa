//! What steps work with, apart from the run: made by the first step that needs it, and not copied with a run.

use super::Run;
use crate::model::Loads;
use crate::scheme::{Memory, Point, Scheme};
use crate::system::{System, Workspace};

/// Memory of steps. Nothing in it outlives a step but what follows from the model, the inputs and the state at `initialize`,
/// so that a run goes on bit by bit with a new one.
pub(super) struct Workplace {
    /// The state that sub-steps go through, and the one they go to.
    pub current: Point,
    pub next: Point,
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
    pub fn new(system: &System, at: &Point) -> Box<Workplace> {
        Workplace::with_memory(Memory::new(system, &at.state, &at.loads), at)
    }

    /// The same with memory that is there already.
    pub fn with_memory(memory: Memory, at: &Point) -> Box<Workplace> {
        Box::new(Workplace {
            current: at.clone(),
            next: at.clone(),
            base_loads: at.loads.clone(),
            step_loads: [at.loads.clone(), at.loads.clone()],
            memory,
            prepared: None,
        })
    }
}

impl Run {
    /// Memory for an evaluation that is no step: a copy of that of the steps, whose matrix has been analysed, where it is
    /// there.
    pub(super) fn workspace(&self) -> Workspace {
        match &self.workplace {
            Some(workplace) => workplace.memory.workspace.clone(),
            None => Workspace::new(&self.system),
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
            workplace: None,
            sharing: self.sharing.clone(),
            stable: self.stable.clone(),
            chosen: self.chosen.clone(),
        }
    }
}
