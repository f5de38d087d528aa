//! pintle as functional mock-up units: one library that serves any model as an FMU of FMI 2.0 or
//! 3.0 for co-simulation, and the packer (docs/fmu.md).
//!
//! - `fmi2`, `fmi3`: the functions of the standards; `boundary`, `arguments`: the importer's
//!   memory, its log, and the panic barrier. All unsafe code is in these and in `common`.
//! - [`instance`]: modes, steps; `variables`: reading and setting; `memory`: memory of calls;
//!   [`state`]: FMU states and their bytes; [`derivative`]: directional derivatives.
//! - [`model`]: the variables of a model with their value references; [`names`]: their names.
//! - [`description`]: modelDescription.xml and terminals; [`package`]: the archive.
//!
//! `pintle::Simulation` integrates; there is no time integration here.

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
pub mod parameters;
pub mod state;
mod variables;
