//! The contents of a snapshot.

use super::Inputs;
use super::shared::Shared;
use crate::model::Loads;
use crate::scheme::Point;
use crate::system::State;

/// A saved state.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    pub(super) fingerprint: u64,
    pub(super) trial_pending: bool,
    pub(super) accepted: Point,
    pub(super) trial: Point,
    pub(super) inputs: Inputs,
    pub(super) reference: Reference,
    /// Joints that broke in the trial.
    pub(super) breaks: Vec<u64>,
}

impl Snapshot {
    /// Whether a joint broke in its trial.
    pub(super) fn parts(&self) -> bool {
        !self.breaks.is_empty()
    }
}

/// Data from the start of a run, on which later numbers depend: another run of the same model may
/// start elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    /// For option `linear`, and for the estimate of stable steps.
    pub(super) initial: Shared<State>,
    pub(super) initial_loads: Shared<Loads>,
    /// The force scale of Newton's iteration.
    pub(super) force_scale: f64,
}
