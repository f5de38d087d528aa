//! pintle as functional mock-up units: one library that serves any model as an FMU of FMI 2.0 or 3.0 for co-simulation, and
//! what packs it up (docs/fmu.md).
//!
//! - `fmi2`, `fmi3`: the functions of the standards; `boundary`, `arguments`: the importer's memory, its log, and the barrier that no panic
//!   crosses. All unsafe code stands in these and in `common`.
//! - [`instance`]: modes, steps; `variables`: what is read and set; `memory`: what calls may need; [`state`]: FMU states and their bytes; [`derivative`]: directional derivatives.
//! - [`model`]: the variables of a model under their value references; [`names`]: what they are called.
//! - [`description`]: modelDescription.xml and terminals; [`package`]: the archive.
//!
//! Nothing of the time integration lives here: that is `pintle::Simulation`.

mod arguments;
mod boundary;
mod common;
pub mod derivative;
pub mod description;
pub mod failure;
pub mod fmi2;
pub mod fmi3;
pub mod instance;
mod memory;
pub mod model;
pub mod names;
pub mod package;
pub mod state;
mod variables;
