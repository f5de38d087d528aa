//! A simulation: phases, accepted and trial state, inputs, stepping, snapshots, model files,
//! statistics.
//!
//! [`Simulation`] advances in time; its other methods are in views by concern (`views`), which
//! limits the number of methods per type. One file per concern: `build` (the model), `elements`,
//! `points`, `lines`, `beams`, `breaking`, `bushings`, `water`, `waves`, `introspection` (the model
//! read back), `gravity`, `initialize`, `inputs`, `given` (inputs read back), `stepping`,
//! `outputs`, `channels` (outputs by name), `named_inputs`, `series` (inputs over time),
//! `analysis`, `interface` (analyses with loads of the host), `state_names`, `stable_step`,
//! `snapshot`, `checkpoint`, `model_file`, `moordyn` (its input files), `statistics`, `memory`,
//! `workplace` (memory of steps), `shared` (data that clones share). All arguments are checked
//! here; a failed call leaves the simulation as it was.
//!
//! What may not live here: mathematics. Mechanics belongs to `system`, steps to `scheme`, matrices
//! to `analysis`; pointers, C types and statuses belong to `capi`.

mod analysis;
mod archive;
mod beam_loads;
mod beams;
mod breaking;
mod build;
mod bushings;
mod changes;
mod channels;
mod checkpoint;
mod clutches;
mod contacts;
mod elements;
#[cfg(test)]
mod elements_tests;
mod explain;
pub mod files;
mod gears;
mod given;
mod gravity;
mod initialize;
mod inputs;
mod interface;
mod introspection;
mod line_clamps;
mod line_failures;
mod line_outputs;
mod line_pressure;
mod line_steps;
mod linear_model;
mod lines;
mod machines;
mod memory;
mod model_file;
mod moordyn;
mod moordyn_loads;
mod moordyn_rods;
mod moordyn_water;
mod named_inputs;
mod outputs;
mod placing;
mod points;
mod saved;
mod series;
mod shapes;
mod shared;
mod snapshot;
mod stable_step;
mod state_names;
mod statistics;
mod stepping;
mod tendons;
mod views;
mod viscoelastic;
mod water;
mod waves;
mod workplace;

pub use crate::phase::Phase;
pub use crate::scheme::{NAMES as SCHEME_NAMES, suggested_time_step};
pub use analysis::{EQUILIBRIUM_SEARCH, Mode};
pub use beams::Beams;
pub use breaking::{break_joint, set_joint_strength};
pub use build::set_joint_radius;
pub use bushings::{set_bushing_preload, set_bushing_table};
pub use clutches::{ClutchOutput, Clutches, add_clutch, set_clutch_capacity, set_clutch_stop};
pub use contacts::{ContactInfo, ContactLaw, Contacts, set_contact_resistance};
pub use introspection::{BushingInfo, CylinderInfo, InitialMotion, JointInfo, SpringInfo, SpringOnJoint, joint_radius};
pub use linear_model::{LinearInputs, LinearModel};
pub use machines::{JointMachines, JointTable, MachineOutput, set_joint_friction_load, set_joint_table};
pub use memory::Work;
pub use model_file::read_model;
pub use moordyn::load_moordyn_for_hosts;
pub use named_inputs::{InputChoice, InputList};
pub use points::PointInfo;
pub use saved::Snapshot;
pub use series::follow_table;
pub use shapes::{add_shape, shape, shapes};
pub use statistics::STATISTIC_KEYS;
pub use stepping::advance_to;
pub use tendons::{Tendons, set_tendon_friction, set_tendon_sheave};
pub use views::{
    Analysis, Build, Description, Elements, Given, HostInputs, HostSettings, LineOutputs, Memory, OutputChannels,
    Outputs, PointOutputs,
};
pub use water::{Bed, BodiesInWater, CurrentGrids};
pub use waves::wave_pressure;

use crate::error::{Error, Result};
use crate::model::{Callbacks, Changes, Hydrodynamics, Loads, Model, Settings, Water};
use crate::scheme::{Marks, Point, Restart, Scheme};
use crate::system::{Progress, Sharing, State, System};
use shared::Shared;
use statistics::Statistics;
use workplace::Workroom;

/// All inputs and settings that may change after `initialize`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Inputs {
    /// Loads for the end of the coming step.
    loads: Loads,
    /// Coefficients of the fluid, one per body.
    hydrodynamics: Vec<Hydrodynamics>,
    /// Bodies from this index on have none: steps do not read these, to spare the caches.
    wet: usize,
    /// Water and seabed around lines and points.
    water: Water,
    /// Numbers of the model that have changed in the run.
    changes: Changes,
    /// Options.
    settings: Settings,
    /// Time scheme.
    scheme: Scheme,
    /// Whether each group of the series still follows them: until the host sets it.
    follows: Vec<bool>,
}

/// The part that exists from `initialize` on.
struct Run {
    system: Shared<System>,
    /// Table of the outputs by name.
    channels: channels::Channels,
    /// Fingerprint of the model.
    fingerprint: u64,
    /// As described: all numbers that have changed in this object.
    described: Changes,
    /// Loads and motions as described, for the initial time.
    described_loads: Shared<Loads>,
    accepted: Box<Point>,
    trial: Box<Point>,
    /// The state and the loads at `initialize`.
    initial: Shared<State>,
    initial_loads: Shared<Loads>,
    /// Memory of evaluations and steps.
    workroom: Workroom,
    /// Cached reactions of loops with redundant constraints.
    sharing: Sharing,
    /// What these are in the accepted state, where a joint broke in the pending trial.
    whole: Option<Box<breaking::Whole>>,
    /// Cached stable steps of an explicit scheme.
    stable: Option<stable_step::StableSteps>,
    /// The coordinates of the last names of states of `linearize`.
    chosen: state_names::Chosen,
}

/// A rigid multibody system and its run.
///
/// A method that fails leaves everything as it was. Units are any consistent set; arrays as in
/// `pintle.h`: `pose[7]` = position, quaternion w x y z; `velocity[6]`, `acceleration[6]`,
/// `wrench[6]` = linear, then angular; 6x6 matrices column-major.
pub struct Simulation {
    phase: Phase,
    model: Shared<Model>,
    /// Inputs over time.
    series: Shared<Vec<series::Followed>>,
    inputs: Inputs,
    callbacks: Callbacks,
    /// The host's progress callback.
    progress: Progress,
    statistics: Statistics,
    run: Option<Box<Run>>,
}

/// A clone, independent of the original. From `initialize` on both share constant data.
impl Clone for Simulation {
    fn clone(&self) -> Simulation {
        let Simulation { phase, model, series, inputs, callbacks, progress, statistics, run } = self;
        Simulation {
            phase: *phase,
            // In phase BUILDING every call changes it.
            model: if *phase == Phase::Building { Shared::new((**model).clone()) } else { model.clone() },
            series: series.clone(),
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
            series: Shared::new(Vec::new()),
            inputs: Inputs {
                loads: Loads::default(),
                hydrodynamics: Vec::new(),
                wet: 0,
                water: Water::default(),
                changes: Changes::default(),
                settings: Settings::default(),
                scheme: Scheme::default(),
                follows: Vec::new(),
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

    /// Called after a panic was caught: only the accepted state is valid.
    pub fn mark_failed(&mut self) {
        self.mend();
        self.phase = Phase::Failed;
    }

    fn require(&self, phases: &[Phase], detail: &'static str) -> Result<()> {
        if phases.contains(&self.phase) { Ok(()) } else { Err(Error::BadPhase { phase: self.phase, detail }) }
    }

    /// Errors in phase FAILED, where only the accepted state is valid.
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
        // Not `ok_or`, which would construct an error in every getter.
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

    /// Makes the step that starts at the present time start the scheme anew: at the accepted time,
    /// or, if a trial is pending, at its end if it is accepted, else at the accepted time.
    fn restart_scheme(&mut self, restart: Restart) {
        self.mark(Marks { restart, loads_jump: false });
    }

    /// Adds marks at the present time.
    fn mark(&mut self, marks: Marks) {
        let pending = self.phase == Phase::Trial;
        if let Some(run) = &mut self.run {
            let point = if pending { &mut run.trial } else { &mut run.accepted };
            point.marks = point.marks.and(marks);
        }
    }
}
