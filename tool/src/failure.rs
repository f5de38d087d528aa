//! Failures of commands, and their exit codes.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// The result of a command.
pub type Outcome<T = ()> = Result<T, Failure>;

/// Why a command ended early.
#[derive(Debug)]
pub enum Failure {
    /// The computation failed.
    Run(String),
    /// A file or an argument is wrong.
    Input(String),
    /// An output cannot be written.
    Output(String),
    /// The reader of a pipe has ended; no message is possible.
    ClosedPipe,
    /// A signal was received.
    Interrupted {
        /// Its number.
        signal: u8,
        /// The outputs that exist nevertheless.
        left: String,
    },
}

impl Failure {
    /// An error in an input file.
    pub fn input(what: impl Display) -> Failure {
        Failure::Input(plain(&what.to_string()))
    }

    /// An error of the library; a signal may be the reason.
    pub fn of_run(error: pintle::Error) -> Failure {
        match error {
            pintle::Error::Stopped { .. } => Failure::interrupted(),
            error => Failure::Run(plain(&error.to_string())),
        }
    }

    /// An error of an output file.
    pub fn output(what: impl Display, error: &std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(format!("cannot write {what}: {error}")),
        }
    }

    /// The failure after a signal.
    pub fn interrupted() -> Failure {
        Failure::Interrupted { signal: crate::interrupt::signal(), left: String::new() }
    }

    /// The message, empty where none is possible.
    pub fn message(&self) -> String {
        match self {
            Failure::Run(text) | Failure::Input(text) | Failure::Output(text) => text.clone(),
            Failure::ClosedPipe => String::new(),
            Failure::Interrupted { left, .. } => format!("interrupted{left}"),
        }
    }

    /// Prints the message on stderr.
    pub fn tell(&self) {
        if !matches!(self, Failure::ClosedPipe) {
            tell(&format!("pintle: {}", self.message()));
        }
    }

    /// The exit code, as `pintle --help` lists it.
    pub fn code(&self) -> ExitCode {
        match self {
            Failure::Run(_) => ExitCode::from(1),
            Failure::Input(_) => ExitCode::from(2),
            Failure::Output(_) | Failure::ClosedPipe => ExitCode::from(3),
            Failure::Interrupted { signal, .. } => ExitCode::from(128 + signal),
        }
    }
}

/// Prints a line on stderr. A failure of that is ignored.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Removes the argument's name from messages of the library, because for files it is always the
/// path.
fn plain(message: &str) -> String {
    message.strip_prefix("path: ").unwrap_or(message).to_owned()
}
