//! A simulation: phases, accepted and trial state, inputs, stepping, snapshots, model files, statistics.
//!
//! [`Simulation`] moves through time; what else it can do it does through views by concern (`views`), so that no type has more
//! methods than a reader can survey. One file per concern: `build` (the model), `elements`, `points`, `lines`, `water`, `introspection` (the model read back), `gravity`,
//! `initialize`, `inputs`, `given` (inputs read back), `stepping`, `outputs`, `channels` (outputs by name), `named_inputs`, `analysis`,
//! `interface` (loads that analyses know), `state_names`, `stable_step`, `snapshot`, `checkpoint`, `model_file`, `moordyn` (its input files), `statistics`,
//! `memory`, `workplace` (memory of steps), `shared` (what clones have in common). All arguments are checked here; a failed
//! call leaves the simulation as it was.
//!
//! What may not live here: mathematics. Mechanics belongs to `system`, steps to `scheme`, matrices to `analysis`; pointers, C
//! types and statuses belong to `capi`.

mod analysis;
mod archive;
mod build;
mod channels;
mod checkpoint;
mod elements;
#[cfg(test)]
mod elements_tests;
mod files;
mod gears;
mod given;
mod gravity;
mod initialize;
mod inputs;
mod interface;
mod introspection;
mod line_outputs;
mod line_steps;
mod linear_model;
mod lines;
mod memory;
mod model_file;
mod moordyn;
mod named_inputs;
mod outputs;
mod points;
mod saved;
mod shared;
mod snapshot;
mod stable_step;
mod state_names;
mod statistics;
mod stepping;
mod views;
mod water;
mod workplace;

pub use crate::phase::Phase;
pub use crate::scheme::{NAMES as SCHEME_NAMES, suggested_time_step};
pub use analysis::Mode;
pub use introspection::{BushingInfo, InitialMotion, JointInfo, SpringInfo, SpringOnJoint};
pub use linear_model::{LinearInputs, LinearModel};
pub use memory::Work;
pub use named_inputs::{InputChoice, InputList};
pub use points::PointInfo;
pub use saved::Snapshot;
pub use statistics::STATISTIC_KEYS;
pub use views::{
    Analysis, Build, Description, Elements, Given, HostInputs, HostSettings, LineOutputs, Memory, OutputChannels,
    Outputs, PointOutputs,
};

use crate::error::{Error, Result};
use crate::model::{Callbacks, Hydrodynamics, Loads, Model, Settings, Versioned, Water};
use crate::scheme::{Marks, Point, Restart, Scheme};
use crate::system::{Progress, Sharing, State, System};
use shared::Shared;
use statistics::Statistics;
use workplace::Workroom;

/// Everything that changes between calls once a model is initialized.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inputs {
    /// For the end of the coming step.
    loads: Versioned<Loads>,
    /// Coefficients of the fluid, one per body.
    hydrodynamics: Vec<Hydrodynamics>,
    /// How many of the first bodies may have any: steps do not look at those of the others, which would bring kilobytes of nothing
    /// through the caches.
    wet: usize,
    /// Water and seabed around lines and points.
    water: Water,
    /// Options.
    settings: Settings,
    /// Time scheme.
    scheme: Scheme,
}

/// The part that exists from `initialize` on.
struct Run {
    system: Shared<System>,
    /// Where the outputs by name stand.
    channels: channels::Channels,
    /// Fingerprint of the model.
    fingerprint: u64,
    /// Loads and motions as described, for the initial time.
    described_loads: Shared<Loads>,
    accepted: Box<Point>,
    trial: Box<Point>,
    /// The state at `initialize`, and the loads then.
    initial: Shared<State>,
    initial_loads: Shared<Loads>,
    /// Memory of evaluations and steps.
    workroom: Workroom,
    /// Reactions of loops with redundant constraints, once they were asked for.
    sharing: Sharing,
    /// Stable steps, once an explicit scheme asked for them.
    stable: Option<stable_step::StableSteps>,
    /// The coordinates that states of `linearize` were named by last.
    chosen: state_names::Chosen,
}

/// A rigid multibody system and its run.
///
/// Methods that end in a failure leave everything as it was. Units are any consistent set; arrays as in `pintle.h`:
/// `pose[7]` = position, quaternion w x y z; `velocity[6]`, `acceleration[6]`, `wrench[6]` = linear, then angular;
/// 6x6 matrices column-major.
pub struct Simulation {
    phase: Phase,
    model: Shared<Model>,
    inputs: Inputs,
    callbacks: Callbacks,
    /// Whom long calls ask whether to go on.
    progress: Progress,
    statistics: Statistics,
    run: Option<Box<Run>>,
}

/// A copy, independent of the original. From `initialize` on both share what does not change any more.
impl Clone for Simulation {
    fn clone(&self) -> Simulation {
        let Simulation { phase, model, inputs, callbacks, progress, statistics, run } = self;
        Simulation {
            phase: *phase,
            // While it is described it changes with every call.
            model: if *phase == Phase::Building { Shared::new((**model).clone()) } else { model.clone() },
            inputs: inputs.clone(),
            callbacks: callbacks.clone(),
            progress: progress.clone(),
            statistics: *statistics,
            run: run.clone(),
        }
    }
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
            model: Shared::new(Model::default()),
            inputs: Inputs {
                loads: Versioned::default(),
                hydrodynamics: Vec::new(),
                wet: 0,
                water: Water::default(),
                settings: Settings::default(),
                scheme: Scheme::default(),
            },
            callbacks: Callbacks::default(),
            progress: Progress::default(),
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
    fn require_sound(&self) -> Result<()> {
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
        // Not `ok_or`: that makes an error and throws it away in every getter.
        match self.run.as_deref() {
            Some(run) => Ok(run),
            None => Err(Error::BadPhase {
                phase: self.phase,
                detail: "there is no state before pintle_initialize (phase READY, TRIAL or FAILED)",
            }),
        }
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
