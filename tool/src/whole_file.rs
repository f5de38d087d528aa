//! Output files that are complete or do not exist. A file is written in the same folder, under a
//! name that no other process uses, and renamed when it is complete. An older file of that name
//! stays until then, and for good if writing fails. Pipes and devices are written in place.

use crate::failure::{Failure, Outcome};
use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is being written.
pub struct WholeFile {
    /// Its name in messages, as the user gave it.
    name: String,
    writer: Writer,
}

enum Writer {
    /// A pipe, a device, the standard output.
    InPlace(Box<dyn Write>),
    /// A new file, and its destination. It is removed if it is dropped before the rename.
    Beside(BufWriter<NamedTempFile>, PathBuf),
}

impl WholeFile {
    /// Begins a file; `-` is the standard output. Errors: it cannot be made.
    pub fn create(path: &Path) -> Outcome<WholeFile> {
        let name = path.display().to_string();
        if path == Path::new("-") {
            let writer = Writer::InPlace(Box::new(io::stdout()));
            return Ok(WholeFile { name: "the standard output".into(), writer });
        }
        match Writer::open(path) {
            Ok(writer) => Ok(WholeFile { name, writer }),
            Err(error) => Err(Failure::output(&name, &error)),
        }
    }

    /// Writes a file in one go. Errors: it cannot be written.
    pub fn write_all(path: &Path, bytes: &[u8]) -> Outcome {
        let mut file = WholeFile::create(path)?;
        file.write(bytes)?;
        file.finish()
    }

    /// Adds bytes. Errors: they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Outcome {
        let written = match &mut self.writer {
            Writer::InPlace(writer) => writer.write_all(bytes),
            Writer::Beside(writer, _) => writer.write_all(bytes),
        };
        written.map_err(|error| Failure::output(&self.name, &error))
    }

    /// Moves it to its destination. Errors: it cannot be written.
    pub fn finish(self) -> Outcome {
        let finished = match self.writer {
            Writer::InPlace(mut writer) => writer.flush(),
            Writer::Beside(writer, target) => writer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)
                .and_then(|file| file.persist(target).map(drop).map_err(|error| error.error)),
        };
        finished.map_err(|error| Failure::output(&self.name, &error))
    }
}

impl Writer {
    fn open(path: &Path) -> io::Result<Writer> {
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(found) if !found.is_file() => {
                return Ok(Writer::InPlace(Box::new(OpenOptions::new().write(true).open(path)?)));
            }
            _ => {}
        }
        // A link stays, and its target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if target.file_name().is_none() {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".pintle.").suffix(".part");
        // A new file has the permissions of the user's mask.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder)?;
        if let Ok(present) = fs::metadata(&target) {
            // Some file systems have no permissions.
            let _ = file.as_file().set_permissions(present.permissions());
        }
        Ok(Writer::Beside(BufWriter::new(file), target))
    }
}

/// The destination of a path; for a new file its folder and its name.
fn place(path: &Path) -> PathBuf {
    let beside = |path: &Path| {
        let folder =
            fs::canonicalize(path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new(".")));
        Some(folder.ok()?.join(path.file_name()?))
    };
    fs::canonicalize(path).ok().or_else(|| beside(path)).unwrap_or_else(|| path.to_owned())
}

/// Errors: an output, named by its argument, is also an input or another output.
pub fn keep_apart(inputs: &[(&str, &Path)], outputs: &[(&str, Option<&Path>)]) -> Outcome {
    let mut taken: Vec<(&str, PathBuf)> = inputs.iter().map(|(name, path)| (*name, place(path))).collect();
    let written = outputs.iter().filter_map(|(name, path)| Some((*name, (*path)?)));
    // Pipes and devices may be used twice.
    let is_device = |path: &Path| fs::metadata(path).is_ok_and(|found| !found.is_file());
    for (name, path) in written.filter(|(_, path)| *path != Path::new("-")) {
        let own = place(path);
        if let Some((other, _)) = taken.iter().find(|(_, other)| *other == own)
            && !is_device(path)
        {
            return Err(Failure::Input(format!("{name} {}: the same file as {other}", path.display())));
        }
        taken.push((name, own));
    }
    Ok(())
}

/// Writes a text on the standard output. Errors: it cannot be written.
pub fn print(text: &str) -> Outcome {
    WholeFile::write_all(Path::new("-"), text.as_bytes())
}
