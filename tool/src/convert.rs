//! `pintle convert`: an input file of MoorDyn becomes a model file.

use crate::failure::{Failure, Outcome};
use crate::model;
use crate::whole_file::{WholeFile, keep_apart};
use pintle::Simulation;
use std::path::PathBuf;

/// Which files.
#[derive(clap::Args)]
pub struct Arguments {
    /// An input file of MoorDyn, version 1 or 2
    moordyn: PathBuf,
    /// The model file to write
    model: PathBuf,
    /// The input file may name tables by absolute paths and by paths with `..`
    #[arg(long)]
    trusted: bool,
}

/// Errors: what the file says; the model cannot be written.
pub fn convert(arguments: &Arguments) -> Outcome {
    keep_apart(&[("the input file", &arguments.moordyn)], &[("the model file", Some(&arguments.model))])?;
    let system = Simulation::load_moordyn(&arguments.moordyn, arguments.trusted).map_err(Failure::input)?;
    let text = system.description().model_text().map_err(Failure::input)?;
    WholeFile::write_all(&arguments.model, text.as_bytes())?;
    model::tell_warnings(&system);
    Ok(())
}
