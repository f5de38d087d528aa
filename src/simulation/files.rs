//! Files that are read as a whole, and replaced as a whole or not at all.

use crate::error::{Error, Result};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

fn io(path: &Path, what: &str, error: &std::io::Error) -> Error {
    Error::Io { argument: "path", detail: format!("{what} \"{}\": {error}", path.display()) }
}

/// The file that is written first, beside the one it replaces (a rename must stay on one file system).
fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    path.with_file_name(name)
}

/// The bytes of a file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| io(path, "cannot read", &e))
}

/// Writes to a temporary file, flushed to the disk, then renamed.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.file_name().is_none() {
        return Err(Error::bad_value("path", format!("\"{}\" names no file", path.display())));
    }
    let scratch = temporary(path);
    let written = File::create(&scratch).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let replaced = written
        .map_err(|e| io(&scratch, "cannot write", &e))
        .and_then(|()| fs::rename(&scratch, path).map_err(|e| io(path, "cannot replace", &e)));
    if replaced.is_err() {
        // Nothing more can be done about a file that cannot be removed.
        let _ = fs::remove_file(&scratch);
    } else if let Some(parent) = path.parent() {
        // The rename itself reaches the disk with the directory; some file systems refuse, and lose nothing.
        let folder = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    replaced
}
