//! Model files: the description of phase BUILDING, as TOML. `load` calls the checked functions that
//! the host would call, `save` writes the stored description; the keys are those functions'
//! arguments. docs/hosts.md lists them.

mod beams;
mod elements;
mod inputs;
mod lines;
mod load;
mod save;
mod shapes;
mod text;
mod waves;

use super::views::Description;
use super::{Simulation, files};
use crate::error::Result;
use std::path::Path;

/// As [`Simulation::load_model`], from the text of a file, whose path is for messages only. Errors:
/// the same without `Io`.
pub fn read_model(path: &Path, text: &[u8]) -> Result<Simulation> {
    load::model(path, text)
}

impl Simulation {
    /// A new system in phase BUILDING from a model file. Errors: `Io`; `Format` if it is not a
    /// model file; `InFile` for values that a checked function refuses.
    pub fn load_model(path: &Path) -> Result<Simulation> {
        load::model(path, &files::read(path)?)
    }

    /// Writes the model to a file, which is replaced as a whole or not at all: the description,
    /// initial loads and motions as given before `initialize`, present options and coefficients of
    /// the fluid. Load callbacks are left out. Phase BUILDING, READY, TRIAL.
    pub fn save_model(&self, path: &Path) -> Result<()> {
        files::replace(path, self.description().model_text()?.as_bytes())
    }
}

impl Description<'_> {
    /// The text of the file that [`Simulation::save_model`] writes. Phase BUILDING, READY, TRIAL.
    pub fn model_text(self) -> Result<String> {
        self.0.require_sound()?;
        Ok(save::text(self.0))
    }
}
