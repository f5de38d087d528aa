//! The phases of a simulation, for `simulation` and for errors.

/// The state of a simulation, which determines the calls that are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The model is being described.
    Building = 0,
    /// At an accepted state.
    Ready = 1,
    /// A trial is pending: accept it, reject it, or advance again.
    Trial = 2,
    /// A bug was caught: the only calls allowed are those that read the accepted state, restore
    /// one, or destroy the system.
    Failed = 3,
}

impl std::fmt::Display for Phase {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            Phase::Building => "BUILDING",
            Phase::Ready => "READY",
            Phase::Trial => "TRIAL",
            Phase::Failed => "FAILED",
        })
    }
}
