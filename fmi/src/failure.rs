//! Failures of an importer's call: FMI's status, and the message.

use pintle::Error;

/// The statuses that FMI 2.0 and 3.0 have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
#[repr(i32)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// Success, with a warning.
    Warning = 1,
    /// No success; the instance is unchanged, and a smaller step or other values may succeed.
    Discard = 2,
    /// No success: the call was wrong, or cannot succeed.
    Error = 3,
    /// A bug was caught; the instance can only be freed.
    Fatal = 4,
}

/// A call that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// The status for the importer.
    pub status: Status,
    /// The message for its log.
    pub message: String,
}

impl Failure {
    /// A mistake of the importer.
    pub fn error(message: impl Into<String>) -> Failure {
        Failure { status: Status::Error, message: message.into() }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = if is_numerics(&error) { Status::Discard } else { Status::Error };
        Failure { status, message: error.to_string() }
    }
}

/// Whether a smaller step, or other values, may help: statuses 300 to 399 of the C API, except
/// those of callbacks, which models from files do not have.
pub fn is_numerics(error: &Error) -> bool {
    matches!(
        error,
        Error::NoConvergence { .. }
            | Error::NoEquilibrium { .. }
            | Error::TooFar { .. }
            | Error::Singular { .. }
            | Error::RedundantConstraints { .. }
            | Error::InconsistentState { .. }
            | Error::Unstable { .. }
            | Error::Diverged { .. }
            | Error::Overflow { .. }
    )
}
