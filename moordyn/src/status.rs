//! Failures of a host's call: MoorDyn's error codes, and the message.

use pintle::Error;

/// MoorDyn's error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    /// Success.
    Success = 0,
    /// A file that cannot be read, or has no meaning.
    InvalidInputFile = -1,
    /// A file that cannot be written.
    InvalidOutputFile = -2,
    /// NaN or infinity in an argument, or a step whose solution was not found.
    NanError = -4,
    /// No memory; in version 1 also no system.
    MemError = -5,
    /// A bad handle, pointer, number, or order of calls.
    InvalidValue = -6,
    /// MoorDyn has it, pintle does not.
    NonImplemented = -7,
    /// All else.
    UnhandledError = -255,
}

/// A call that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The code for the host.
    pub status: Status,
    /// The message for the log.
    pub message: String,
}

/// Result of a call.
pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    /// A failure with a code.
    pub fn new(status: Status, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    /// A mistake of the host.
    pub fn value(message: impl Into<String>) -> Failure {
        Failure::new(Status::InvalidValue, message)
    }

    /// A function of MoorDyn that needs a feature which pintle lacks.
    pub fn missing(feature: &str) -> Failure {
        Failure::new(Status::NonImplemented, format!("not available: pintle has no {feature}"))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Format { .. } | Error::InFile { .. } | Error::Unsupported { .. } | Error::Io { .. } => {
                Status::InvalidInputFile
            }
            Error::NotFinite { .. }
            | Error::NoConvergence { .. }
            | Error::NoEquilibrium { .. }
            | Error::TooFar { .. }
            | Error::Singular { .. }
            | Error::RedundantConstraints { .. }
            | Error::InconsistentState { .. }
            | Error::Unstable { .. }
            | Error::Diverged { .. }
            | Error::Torn { .. }
            | Error::Overflow { .. } => Status::NanError,
            Error::OutOfMemory { .. } => Status::MemError,
            Error::Panic { .. } => Status::UnhandledError,
            _ => Status::InvalidValue,
        };
        Failure { status, message: error.to_string() }
    }
}
