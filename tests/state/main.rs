//! The state of a run in every phase and place: inputs set while a trial is pending, restarts in other runs of a model, the
//! time label, long calls, files.

#[path = "../common/mod.rs"]
mod common;

mod clock;
mod files;
mod held_inputs;
mod long_calls;
mod model;
mod other_runs;
mod trial_inputs;
mod tried;
