//! Checkpoints: a serialized snapshot in a file.

use super::{Simulation, files};
use crate::error::Result;
use std::path::Path;

impl Simulation {
    /// Writes the state, and a pending trial, to a file, which is replaced as a whole or not at all. Phase READY, TRIAL.
    pub fn write_checkpoint(&self, path: &Path) -> Result<()> {
        files::replace(path, &self.save()?.to_bytes())
    }

    /// Reads such a file and restores its state. Phase READY, TRIAL, FAILED. Errors: `Io`, `Format`, `Fingerprint`.
    pub fn read_checkpoint(&mut self, path: &Path) -> Result<()> {
        self.readable()?;
        let snapshot = self.deserialize_named("path", &files::read(path)?)?;
        self.restore(&snapshot)
    }
}
