//! How a call of the importer ends when it does not end well: FMI's status, and what to tell.

use pintle::Error;

/// The statuses that FMI 2.0 and 3.0 have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
#[repr(i32)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Done, and something should be known.
    Warning = 1,
    /// Not done; the instance is as it was, and a smaller step or other values may succeed.
    Discard = 2,
    /// Not done: the call was wrong, or cannot succeed.
    Error = 3,
    /// A bug was caught; the instance can only be freed.
    Fatal = 4,
}

/// A call that did not end well.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What the importer gets.
    pub status: Status,
    /// What its log gets.
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

/// Whether the numbers are to blame, so that a smaller step, or other values, may help: statuses 300 to 399 of the C API, but
/// for those of callbacks, which models from files do not have.
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
