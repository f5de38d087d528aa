//! Output files that are whole or not there: written beside their place under the name `.NAME.PID.part`, and renamed when they
//! are complete. What stood there before stays until then, and for good where writing fails.

use crate::failure::{Failure, Outcome};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written.
pub struct WholeFile {
    /// As the user called it.
    name: String,
    /// Where it is written, and where it goes; none for what is written in place: pipes, devices, the standard output.
    places: Option<(PathBuf, PathBuf)>,
    writer: Option<BufWriter<Box<dyn Write>>>,
}

impl WholeFile {
    /// Begins a file; `-` is the standard output. Errors: it cannot be made.
    pub fn create(path: &Path) -> Outcome<WholeFile> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            return Ok(WholeFile::in_place("the standard output".into(), Box::new(io::stdout())));
        }
        let refused = |error: io::Error| Failure::output(&name, &error);
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(refused(io::ErrorKind::IsADirectory.into())),
            Ok(found) if !found.is_file() => {
                let device = fs::OpenOptions::new().write(true).open(path).map_err(refused)?;
                return Ok(WholeFile::in_place(name, Box::new(device)));
            }
            _ => {}
        }
        // A link stays, and what it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let Some(file_name) = target.file_name() else { return Err(refused(io::ErrorKind::InvalidFilename.into())) };
        let part = target.with_file_name(format!(".{}.{}.part", file_name.to_string_lossy(), std::process::id()));
        let file = File::create(&part).map_err(refused)?;
        if let Ok(present) = fs::metadata(&target) {
            // Some file systems have no permissions.
            let _ = file.set_permissions(present.permissions());
        }
        Ok(WholeFile { name, places: Some((part, target)), writer: Some(BufWriter::new(Box::new(file))) })
    }

    fn in_place(name: String, writer: Box<dyn Write>) -> WholeFile {
        WholeFile { name, places: None, writer: Some(BufWriter::new(writer)) }
    }

    /// Writes a file in one go. Errors: it cannot be written.
    pub fn write_all(path: &Path, bytes: &[u8]) -> Outcome {
        let mut file = WholeFile::create(path)?;
        file.write(bytes)?;
        file.finish()
    }

    /// Adds bytes. Errors: they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Outcome {
        let Some(writer) = &mut self.writer else { return Ok(()) };
        writer.write_all(bytes).map_err(|error| Failure::output(&self.name, &error))
    }

    /// Puts it in its place. Errors: it cannot be written.
    pub fn finish(mut self) -> Outcome {
        let refused = |name: &str, error: io::Error| Failure::output(name, &error);
        if let Some(mut writer) = self.writer.take() {
            writer.flush().map_err(|error| refused(&self.name, error))?;
        }
        if let Some((part, target)) = &self.places {
            fs::rename(part, target).map_err(|error| refused(&self.name, error))?;
            self.places = None;
        }
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // What is left in the buffer of a file that goes is not written, nor is an error told again.
            let _ = writer.into_parts();
        }
        if let Some((part, _)) = &self.places {
            let _ = fs::remove_file(part);
        }
    }
}
