//! Errors with messages for the host: every error names the argument or entity and the value.

use crate::number::{Number, Rounded};
use crate::phase::Phase;
use std::path::PathBuf;

/// Result of every fallible function of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// All errors of calls. The text starts with the argument or entity concerned; the C API puts the
/// function's name before it and maps each variant to one status (`capi::status`).
#[allow(missing_docs)] // the fields are what the messages say
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A required pointer is NULL.
    #[error("{argument} is NULL")]
    NullArgument { argument: &'static str },
    /// A pointer that is not a live pintle object.
    #[error("{argument} is not a live {expected}")]
    BadHandle { argument: &'static str, expected: &'static str },
    /// An id outside 0..count (or `GROUND` where a body is required).
    #[error("{argument} = {id} is not a {kind}: the model has {count}")]
    BadId { argument: &'static str, kind: &'static str, id: i32, count: usize },
    /// A length that does not match.
    #[error("{argument} = {given}, expected {expected}")]
    BadSize { argument: &'static str, given: i64, expected: String },
    /// A value outside its range; the detail names it and the allowed range.
    #[error("{argument}: {detail}")]
    BadValue { argument: &'static str, detail: String },
    /// NaN or infinity in an argument: a number, or an entry of an array.
    #[error("{argument}{} = {} is not finite", subscript(*index), Number(*value))]
    NotFinite { argument: &'static str, index: Option<usize>, value: f64 },
    /// The call is not allowed in the present phase.
    #[error("not allowed in phase {phase}: {}", remedy(.phase, .detail))]
    BadPhase { phase: Phase, detail: &'static str },
    /// The caller's buffer is shorter than the result.
    #[error("{argument} = {given} is too small: {needed} needed")]
    BufferTooSmall { argument: &'static str, given: i64, needed: i64 },
    /// Text that is not UTF-8.
    #[error("{argument} is not UTF-8 (first bad byte at {valid_up_to})")]
    BadUtf8 { argument: &'static str, valid_up_to: usize },
    /// Header and library have different versions.
    #[error("{argument} = {given}, this library has {own}")]
    AbiMismatch { argument: &'static str, given: i64, own: i64 },
    /// Bytes or a file that are not a state or a model of this library.
    #[error("{argument}: {detail}")]
    Format { argument: &'static str, detail: String },
    /// A state of another model.
    #[error(
        "{argument}: the state{} belongs to another model (fingerprint {given:016x}, this model {own:016x})",
        .file.as_ref().map_or(String::new(), |file| format!(" in \"{}\"", file.display()))
    )]
    Fingerprint { argument: &'static str, file: Option<PathBuf>, given: u64, own: u64 },
    /// Newton did not converge.
    #[error(
        "no convergence at time {} after {iterations} iterations (step {}, error {}); largest residual at {entity}{energies}",
        Number(*time), Number(*step), Rounded(*error)
    )]
    NoConvergence { time: f64, step: f64, iterations: u32, error: f64, entity: String, energies: String },
    /// No equilibrium was found.
    #[error(
        "no equilibrium at time {} found in {iterations} iterations: {entity} keeps moving, {} from its place by now; force out of balance {}{cause}",
        Number(*time), Rounded(*distance), Rounded(*force)
    )]
    NoEquilibrium { time: f64, iterations: u32, entity: String, force: f64, distance: f64, cause: String },
    /// An imposed motion that the scheme cannot follow in one step.
    #[error("{entity} at time {}: {detail}", Number(*time))]
    TooFar { time: f64, entity: String, detail: String },
    /// The iteration matrix, or the matrix of accelerations, has no inverse.
    #[error("singular matrix at time {}: {detail}", Number(*time))]
    Singular { time: f64, detail: String },
    /// Constraints that contradict each other.
    #[error("redundant constraints: {detail}")]
    RedundantConstraints { detail: String },
    /// Initial positions or velocities that violate a joint.
    #[error("inconsistent state: {detail}")]
    InconsistentState { detail: String },
    /// A load callback returned nonzero, or numbers that are not finite.
    #[error("load callback of {entity} at time {}: {detail}", Number(*time))]
    Callback { entity: String, time: f64, detail: String },
    /// A number is no longer finite.
    #[error("unstable at time {}, iteration {iterations}: {entity} is no longer finite", Number(*time))]
    Unstable { time: f64, iterations: u32, entity: String },
    /// A result that is too large for a double, although the state is finite.
    #[error("{output} is not finite: the numbers of the model, or of this state, are too large for it")]
    Overflow { output: &'static str },
    /// The iteration of a step diverged, or its result could not be projected onto the constraints.
    #[error("unstable at time {}: {detail}, most at {entity}; step {} is too long for the scheme", Number(*time), Number(*step))]
    Diverged { time: f64, step: f64, iterations: u32, entity: String, detail: String },
    /// A joint that a step has torn open, or turned over.
    #[error("unstable at time {}: {joint} does not hold: {detail}; step {} is too long for the scheme", Number(*time), Number(*step))]
    Torn { time: f64, step: f64, joint: String, detail: String },
    /// The host's progress callback ended the call.
    #[error("stopped at time {time}: the progress callback returned {code}")]
    Stopped { time: f64, code: i32 },
    /// A combination that has no meaning or is not supported.
    #[error("{argument}: {detail}")]
    Unsupported { argument: &'static str, detail: String },
    /// The operating system refused.
    #[error("{argument}: {detail}")]
    Io { argument: &'static str, detail: String },
    /// The error of a checked function about a value in a model file, and its location.
    #[error("path: {place}: {cause}")]
    InFile { place: String, cause: Box<Error> },
    /// No memory for the sizes in the caller's arguments.
    #[error("{argument}: out of memory for {bytes} bytes")]
    OutOfMemory { argument: &'static str, bytes: usize },
    /// A bug of this library, caught at the boundary.
    #[error("internal error (please report): {detail}")]
    Panic { detail: String },
}

/// `; did you mean "mass"?` for a word that one of the known ones resembles, else nothing.
pub fn did_you_mean(word: &str, known: &mut dyn Iterator<Item = &str>) -> String {
    // A third of the letters may differ. Long words are not compared: they are no slips of the
    // keyboard.
    let most = (word.len() / 3).max(1);
    let near = known.take_while(|_| word.len() < 64).map(|other| (strsim::osa_distance(word, other), other));
    match near.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance) {
        Some((_, other)) => format!("; did you mean \"{other}\"?"),
        None => String::new(),
    }
}

fn subscript(index: Option<usize>) -> String {
    index.map_or(String::new(), |index| format!("[{index}]"))
}

/// What to do about a call in a wrong phase: in BUILDING it came too early.
fn remedy<'a>(phase: &Phase, detail: &'a str) -> &'a str {
    if *phase == Phase::Building { "call pintle_initialize first" } else { detail }
}

impl Error {
    /// The argument at fault, if it is one of the caller's.
    pub(crate) fn argument(&self) -> Option<&'static str> {
        match self {
            Error::NullArgument { argument }
            | Error::BadId { argument, .. }
            | Error::BadSize { argument, .. }
            | Error::BadValue { argument, .. }
            | Error::NotFinite { argument, .. } => Some(argument),
            _ => None,
        }
    }

    /// [`Error::BadValue`] from anything printable.
    pub(crate) fn bad_value(argument: &'static str, detail: impl Into<String>) -> Error {
        Error::BadValue { argument, detail: detail.into() }
    }
}
