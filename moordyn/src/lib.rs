//! MoorDyn's C functions on top of pintle: programs that link `libmoordyn` run on pintle unchanged
//! (docs/moordyn_abi.md).
//!
//! - `version2`, `parts`: the functions of MoorDyn 2, of the system and of its bodies, rods,
//!   points, lines; `version1`: those of MoorDyn 1, of one system per process, and older names;
//!   `boundary`, `arguments`: the host's memory, the panic barrier. All unsafe code is in these.
//! - [`mooring`]: input file, start, steps, states; [`nodes`], [`rods`]: quantities in MoorDyn's
//!   terms; [`angles`]: of bodies; [`water`]: its motion as the host gives it.
//! - [`input`]: what a file says to the program; [`log`]: the log; [`output`], [`vtk`]: files.
//!
//! `pintle::Simulation` integrates; there is no time integration here.

pub mod angles;
mod arguments;
mod boundary;
pub mod input;
pub mod log;
pub mod mooring;
pub mod nodes;
pub mod output;
pub mod parts;
pub mod rods;
pub mod state_file;
pub mod status;
pub mod version1;
pub mod version2;
pub mod vtk;
pub mod water;
