//! The log of a system: standard error, and a file if the input or the host asks for it.

use crate::status::{Failure, Outcome, Status};
use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Details.
pub const DEBUG: i32 = 0;
/// What a user may want to know.
pub const MESSAGE: i32 = 1;
/// What is accepted and has no effect, or another one than in MoorDyn.
pub const WARNING: i32 = 2;
/// Calls that failed.
pub const ERROR: i32 = 3;
/// Above all levels.
pub const SILENCE: i32 = 4096;

/// The log of a system.
pub struct Log {
    /// The lowest level that goes to standard error.
    pub console: i32,
    /// The lowest level that goes to the file.
    pub level: i32,
    file: Option<File>,
    /// Functions whose message is logged once.
    said: Vec<&'static str>,
    /// pintle's notes that have been logged.
    notes: Vec<String>,
}

/// Ends of pintle's notes on entries that this library, other than pintle alone, does use or names
/// in messages of its own.
const OWN_NOTES: [&str; 3] = [
    "this library writes no files",
    "this library writes no files: channels tell the same",
    "the host chooses scheme and step, which stiff lines do not bound with implicit schemes",
];

impl Log {
    /// A log without a file.
    pub fn new(console: i32) -> Log {
        Log { console, level: MESSAGE, file: None, said: Vec::new(), notes: Vec::new() }
    }

    /// Writes to a new file from now on. Errors: it cannot be created.
    pub fn open(&mut self, path: &Path) -> Outcome<()> {
        let refused = |error| {
            let message = format!("cannot create the log file \"{}\": {error}", path.display());
            Failure::new(Status::InvalidOutputFile, message)
        };
        self.file = Some(File::create(path).map_err(refused)?);
        Ok(())
    }

    /// Logs a message. A log that cannot be written fails no call.
    pub fn tell(&mut self, level: i32, message: &str) {
        let tag = match level {
            ..=DEBUG => "DBG ",
            MESSAGE => "",
            WARNING => "WRN ",
            _ => "ERR ",
        };
        if level >= self.console {
            let _ = writeln!(std::io::stderr(), "{tag}{message}");
        }
        if let Some(file) = self.file.as_mut().filter(|_| level >= self.level) {
            let _ = writeln!(file, "{tag}{message}");
        }
    }

    /// Logs pintle's notes, one per line, that have not been logged before.
    pub fn warn(&mut self, notes: &str) {
        for note in notes.lines().filter(|note| !OWN_NOTES.iter().any(|own| note.ends_with(own))) {
            if !self.notes.iter().any(|before| before == note) {
                self.notes.push(note.to_owned());
                self.tell(WARNING, note);
            }
        }
    }

    /// Logs the failure of a function, and what pintle lacks only once.
    pub fn failed(&mut self, function: &'static str, failure: &Failure) {
        if failure.status == Status::NonImplemented {
            if self.said.contains(&function) {
                return;
            }
            self.said.push(function);
        }
        self.tell(ERROR, &format!("{function}: {}", failure.message));
    }
}
