//! Checkpoints: a serialized snapshot in a file.

use super::{Simulation, files};
use crate::error::{Error, Result};
use std::path::Path;

impl Simulation {
    /// Writes the state, and a pending trial, to a file, which is replaced as a whole or not at
    /// all. Phase READY, TRIAL.
    pub fn write_checkpoint(&self, path: &Path) -> Result<()> {
        files::replace(path, &self.save()?.to_bytes())
    }

    /// Reads such a file and restores its state. Phase READY, TRIAL, FAILED. Errors: `Io`,
    /// `Format`, `Fingerprint`.
    pub fn read_checkpoint(&mut self, path: &Path) -> Result<()> {
        self.readable()?;
        // The message names the file, because a host may read many.
        let of_file = |error| match error {
            Error::Format { detail, .. } => {
                Error::Format { argument: "path", detail: format!("\"{}\": {detail}", path.display()) }
            }
            Error::Fingerprint { given, own, .. } => {
                Error::Fingerprint { argument: "path", file: Some(path.to_owned()), given, own }
            }
            other => other,
        };
        let snapshot = self.deserialize(&files::read(path)?).map_err(of_file)?;
        self.restore(&snapshot)
    }
}
