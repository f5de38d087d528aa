//! What ends a command, and with which exit code.

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
    /// A file or an argument says what cannot be done.
    Input(String),
    /// An output cannot be written.
    Output(String),
    /// The reader of a pipe went away; nobody is left to be told.
    ClosedPipe,
    /// A signal came.
    Interrupted {
        /// Its number.
        signal: u8,
        /// What is there all the same.
        left: String,
    },
}

impl Failure {
    /// What a file says is refused.
    pub fn input(what: impl Display) -> Failure {
        Failure::Input(plain(&what.to_string()))
    }

    /// The library could not do it; a signal may be the reason.
    pub fn of_run(error: pintle::Error) -> Failure {
        match error {
            pintle::Error::Stopped { .. } => Failure::interrupted(),
            error => Failure::Run(plain(&error.to_string())),
        }
    }

    /// An output file.
    pub fn output(what: impl Display, error: &std::io::Error) -> Failure {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(format!("cannot write {what}: {error}")),
        }
    }

    /// By the signal that came.
    pub fn interrupted() -> Failure {
        Failure::Interrupted { signal: crate::interrupt::signal(), left: String::new() }
    }

    /// Says it on stderr.
    pub fn tell(&self) {
        match self {
            Failure::Run(text) | Failure::Input(text) | Failure::Output(text) => tell(&format!("pintle: {text}")),
            Failure::ClosedPipe => {}
            Failure::Interrupted { left, .. } => tell(&format!("pintle: interrupted{left}")),
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

/// Says a line on stderr. Nobody is left to be told where that fails.
pub fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Messages of the library name the argument of a C function first: of a file it is always the path.
fn plain(message: &str) -> String {
    message.strip_prefix("path: ").unwrap_or(message).to_owned()
}
