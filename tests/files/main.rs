//! Model files and input files of MoorDyn.

#[path = "../common/mod.rs"]
mod common;

mod model_file;
mod moordyn;
