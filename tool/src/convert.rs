//! `pintle convert`: an input file of MoorDyn becomes a model file.

use crate::failure::{Failure, Outcome};
use crate::model;
use pintle::Simulation;
use std::path::PathBuf;

/// Which files.
#[derive(clap::Args)]
pub struct Arguments {
    /// An input file of MoorDyn, version 1 or 2
    moordyn: PathBuf,
    /// The model file to write
    model: PathBuf,
}

/// Errors: what the file says; the model cannot be written.
pub fn convert(arguments: &Arguments) -> Outcome {
    let system = Simulation::load_moordyn(&arguments.moordyn).map_err(Failure::input)?;
    let written = system.save_model(&arguments.model);
    written.map_err(|error| Failure::Output(error.to_string().trim_start_matches("path: ").to_owned()))?;
    model::tell_warnings(&system);
    Ok(())
}
