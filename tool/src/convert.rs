//! `pintle convert`: an input file of MoorDyn, or of a blade of BeamDyn or WindIO, becomes a model
//! file.

use crate::failure::{Failure, Outcome};
use crate::whole_file::{WholeFile, keep_apart};
use crate::{beamdyn, model, windio};
use pintle::Simulation;
use std::path::PathBuf;

/// Which files.
#[derive(clap::Args)]
pub struct Arguments {
    /// An input file of MoorDyn, version 1 or 2, the primary input file of BeamDyn, or a turbine of
    /// WindIO (.yaml)
    input: PathBuf,
    /// The model file to write
    model: PathBuf,
    /// The input file may name files by absolute paths and by paths with `..`
    #[arg(long)]
    trusted: bool,
    /// Elements of a blade
    #[arg(long, default_value_t = 10, value_name = "N")]
    elements: i32,
}

/// Errors: what the file says; the model cannot be written.
pub fn convert(arguments: &Arguments) -> Outcome {
    let Arguments { input, model: to, trusted, elements } = arguments;
    keep_apart(&[("the input file", input)], &[("the model file", Some(to))])?;
    let system = if windio::is_turbine(input) {
        windio::load(input, *elements)?
    } else if beamdyn::is_primary(input) {
        beamdyn::load(input, *elements, *trusted)?
    } else {
        Simulation::load_moordyn(input, *trusted).map_err(Failure::input)?
    };
    let text = system.description().model_text().map_err(Failure::input)?;
    WholeFile::write_all(to, text.as_bytes())?;
    model::tell_warnings(&system);
    Ok(())
}
