//! Files that are read as a whole, and replaced as a whole or not at all.
//!
//! A writer fills a file of its own in the same folder, flushes it to the disk, and renames it. It
//! holds a lock on its file meanwhile, which ends with the process: a file that can be locked was
//! left by a killed writer, and the next writer removes it. So any number of threads and processes
//! may write to one path; the last rename wins.

use crate::error::{Error, Result};
use crate::model::fingerprint::{FNV_OFFSET, fnv1a};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Most symbolic links that are followed one after the other, as in Linux.
const MOST_LINKS: u32 = 40;

/// Number of attempts of a writer whose file is taken for one of a killed writer before it could
/// lock it.
const MOST_TRIES: u32 = 16;

fn refusal(path: &Path, what: &str, error: impl std::fmt::Display) -> Error {
    Error::Io { argument: "path", detail: format!("{what} \"{}\": {error}", path.display()) }
}

/// The bytes of a file. Errors: anything but a regular file (reading a FIFO would wait, a device
/// may never end).
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let refused = |error: io::Error| refusal(path, "cannot read", error);
    let found = fs::metadata(path).map_err(refused)?;
    if !found.is_dir() {
        check_kind(path, &found, "cannot read")?;
    }
    // For a directory the error of the system is clear.
    fs::read(path).map_err(refused)
}

/// Replaces a file, or creates it. Symbolic links are followed: their target is replaced.
/// Permissions are kept, and the owner if the process may set it. Errors: `BadValue` for a path
/// that names no file; the existing file is not a regular one, or the system refuses.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let target = follow(path)?;
    let Some(name) = target.file_name() else {
        return Err(Error::bad_value("path", format!("\"{}\" names no file", path.display())));
    };
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let present = match fs::symlink_metadata(&target) {
        Ok(present) => Some(present),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(refusal(path, "cannot replace", error)),
    };
    if let Some(present) = &present {
        check_kind(path, present, "cannot replace")?;
    }
    let prefix = prefix(name);
    remove_leftovers(folder, &prefix);
    for left in (0..MOST_TRIES).rev() {
        let (scratch, file) = create(folder, &prefix).map_err(|e| refusal(path, "cannot write", e))?;
        let written = fill(file, present.as_ref(), bytes).map_err(|e| refusal(path, "cannot write", e));
        // The lock ends with the open file, which lives until the rename.
        let outcome = written.and_then(|locked| {
            let renamed = fs::rename(&scratch, &target);
            drop(locked);
            match renamed {
                Ok(()) => Ok(true),
                Err(error) if error.kind() == io::ErrorKind::NotFound && left > 0 => Ok(false),
                Err(error) => Err(refusal(path, "cannot replace", error)),
            }
        });
        match outcome {
            Ok(true) => break,
            Ok(false) => {}
            Err(error) => {
                // A file that cannot be removed is left.
                let _ = fs::remove_file(&scratch);
                return Err(error);
            }
        }
    }
    // The rename is flushed with the directory; some file systems refuse this without losing data.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// The target of a path through symbolic links, which need not exist. Errors: links in a circle.
fn follow(path: &Path) -> Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            // Relative to the folder of the link, unless it is absolute.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            // Not a link, or there is no file.
            Err(_) => return Ok(target),
        }
    }
    Err(refusal(path, "cannot replace", "more than 40 symbolic links lead there"))
}

fn check_kind(path: &Path, found: &fs::Metadata, what: &str) -> Result<()> {
    if found.is_file() {
        return Ok(());
    }
    let kind = if found.is_dir() { "it is a directory" } else { "it is a device, a pipe or a socket" };
    Err(refusal(path, what, kind))
}

/// Start of the names of the files that replace `name`. Names of 255 bytes, the longest, are
/// replaced by a hash.
fn prefix(name: &OsStr) -> String {
    format!(".pintle-{:016x}-", fnv1a(name.as_encoded_bytes(), FNV_OFFSET))
}

const SUFFIX: &str = ".tmp";

/// Most names that are tried for a new file.
const MOST_NAMES: u32 = 10_000;

/// Creates a file that no other writer has: the name contains a number for the thread and the
/// process id; if a process on another machine has the same id, the next number is tried.
fn create(folder: &Path, prefix: &str) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    for _ in 0..MOST_NAMES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let scratch = folder.join(format!("{prefix}{}-{number}{SUFFIX}", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&scratch) {
            Ok(file) => return Ok((scratch, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Locks a file, copies permissions and owner of the existing one, and writes.
fn fill(mut file: File, present: Option<&fs::Metadata>, bytes: &[u8]) -> io::Result<File> {
    // On a file system without locks, the files of killed writers remain.
    let _ = file.lock();
    if let Some(present) = present {
        keep_owner(&file, present);
        // Some file systems have no permissions.
        let _ = file.set_permissions(present.permissions());
    }
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(file)
}

/// Only a privileged process may change the owner; for others it stays.
#[cfg(unix)]
fn keep_owner(file: &File, present: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let is_another = file.metadata().is_ok_and(|own| (own.uid(), own.gid()) != (present.uid(), present.gid()));
    if is_another {
        let _ = fchown(file, Some(present.uid()), Some(present.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

/// Removes the files of killed writers: those of this name that are not locked.
fn remove_leftovers(folder: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_one = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(SUFFIX));
        if is_one && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let unlocked = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if unlocked {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Whether a path is absolute or has a `..`. Symbolic links in the folder are followed: whoever put
/// them there is trusted.
pub fn leaves_folder(path: &Path) -> bool {
    path.components().any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}
