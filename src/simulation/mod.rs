//! A simulation: phases, accepted and trial state, inputs, stepping, snapshots, model files, statistics.
//!
//! One file per concern: `build` (the model), `initialize`, `inputs`, `stepping`, `outputs`, `analysis`, `state_names`,
//! `stable_step`, `snapshot`, `checkpoint`, `model_file`, `statistics`, `memory`. All arguments are checked here; a failed
//! call leaves the simulation as it was.

mod analysis;
mod archive;
mod build;
mod checkpoint;
mod files;
mod gears;
mod initialize;
mod inputs;
mod memory;
mod model_file;
mod outputs;
mod snapshot;
mod stable_step;
mod state_names;
mod statistics;
mod stepping;

pub use crate::scheme::NAMES as SCHEME_NAMES;
pub use analysis::{LinearModel, Mode};
pub use memory::Work;
pub use snapshot::Snapshot;
pub use statistics::STATISTIC_KEYS;

use crate::error::{Error, Result};
use crate::model::{Callbacks, Hydrodynamics, Loads, Model, ProgressFn, Settings};
use crate::scheme::{Marks, Memory, Point, Restart, Scheme};
use crate::system::{State, System};
use statistics::Statistics;

/// What a simulation is ready for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The model is being described.
    Building = 0,
    /// At an accepted state.
    Ready = 1,
    /// A trial is pending: accept it, reject it, or advance again.
    Trial = 2,
    /// A bug was caught: only reading the accepted state, restoring and destroying work.
    Failed = 3,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Phase::Building => "BUILDING",
            Phase::Ready => "READY",
            Phase::Trial => "TRIAL",
            Phase::Failed => "FAILED",
        })
    }
}

/// Everything that changes between calls once a model is initialized.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inputs {
    /// For the end of the coming step.
    loads: Loads,
    /// Coefficients of the fluid, one per body.
    hydrodynamics: Vec<Hydrodynamics>,
    /// Options.
    settings: Settings,
    /// Time scheme.
    scheme: Scheme,
}

/// The part that exists from `initialize` on.
#[derive(Clone)]
struct Run {
    system: System,
    /// Fingerprint of the model.
    fingerprint: u64,
    /// Loads and motions as described, for the initial time.
    described_loads: Loads,
    accepted: Point,
    trial: Point,
    /// The state that sub-steps go through, and the one they go to.
    current: Point,
    next: Point,
    /// Loads at the start of the host's step.
    base_loads: Loads,
    /// Loads at the start and end of an internal step.
    step_loads: [Loads; 2],
    memory: Memory,
    /// The state at `initialize`, and the loads then.
    initial: State,
    initial_loads: Loads,
    /// Stable steps, once an explicit scheme asked for them.
    stable: Option<stable_step::StableSteps>,
    /// What the memory of steps is prepared for: a step of this kind has been made.
    prepared: Option<(Scheme, bool)>,
    /// The coordinates that states of `linearize` were named by last.
    chosen: state_names::Chosen,
}

/// A rigid multibody system and its run.
///
/// Methods that end in a failure leave everything as it was. Units are any consistent set; arrays as in `pintle.h`:
/// `pose[7]` = position, quaternion w x y z; `velocity[6]`, `acceleration[6]`, `wrench[6]` = linear, then angular;
/// 6x6 matrices column-major.
#[derive(Clone)]
pub struct Simulation {
    phase: Phase,
    model: Model,
    inputs: Inputs,
    callbacks: Callbacks,
    /// Whom long calls ask whether to go on.
    progress: Option<ProgressFn>,
    statistics: Statistics,
    run: Option<Box<Run>>,
}

impl Default for Simulation {
    fn default() -> Simulation {
        Simulation::new()
    }
}

impl Simulation {
    /// An empty model in phase BUILDING.
    pub fn new() -> Simulation {
        Simulation {
            phase: Phase::Building,
            model: Model::default(),
            inputs: Inputs {
                loads: Loads::default(),
                hydrodynamics: Vec::new(),
                settings: Settings::default(),
                scheme: Scheme::default(),
            },
            callbacks: Callbacks::default(),
            progress: None,
            statistics: Statistics::default(),
            run: None,
        }
    }

    /// The present phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// After a panic was caught: nothing but the accepted state is trusted any more.
    pub fn mark_failed(&mut self) {
        self.phase = Phase::Failed;
    }

    fn require(&self, phases: &[Phase], detail: &'static str) -> Result<()> {
        if phases.contains(&self.phase) { Ok(()) } else { Err(Error::BadPhase { phase: self.phase, detail }) }
    }

    /// Errors in phase FAILED: what is not the accepted state is in doubt.
    pub fn require_sound(&self) -> Result<()> {
        let detail = "only the accepted state can be read: restore a saved state, or destroy the system";
        if self.phase == Phase::Failed { Err(Error::BadPhase { phase: self.phase, detail }) } else { Ok(()) }
    }

    fn require_building(&self) -> Result<()> {
        self.require(&[Phase::Building], "the model is described before pintle_initialize (phase BUILDING)")
    }

    fn require_between_steps(&self) -> Result<()> {
        self.require(
            &[Phase::Building, Phase::Ready],
            "settings and coefficients change between steps (phase BUILDING or READY)",
        )
    }

    /// The run, in a phase in which an accepted state can be read.
    fn readable(&self) -> Result<&Run> {
        self.run.as_deref().ok_or(Error::BadPhase {
            phase: self.phase,
            detail: "there is no state before pintle_initialize (phase READY, TRIAL or FAILED)",
        })
    }

    /// The state that outputs belong to: the trial if one is pending, else the accepted one.
    fn point(&self) -> Result<&Point> {
        let run = self.readable()?;
        Ok(if self.phase == Phase::Trial { &run.trial } else { &run.accepted })
    }

    /// The step that starts at the present time begins the scheme anew: at the accepted time, or while a trial is pending
    /// at its end, if it is accepted, and else at the accepted time too.
    fn restart_scheme(&mut self, restart: Restart) {
        self.mark(Marks { restart, loads_jump: false });
    }

    /// Adds to what was said of the present time.
    fn mark(&mut self, marks: Marks) {
        let pending = self.phase == Phase::Trial;
        if let Some(run) = &mut self.run {
            let point = if pending { &mut run.trial } else { &mut run.accepted };
            point.marks = point.marks.and(marks);
        }
    }
}
