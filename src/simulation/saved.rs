//! What a snapshot holds.

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
}

/// What later numbers refer to of the start of a run: another run of the same model may start elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    /// About which linear analysis goes, and at whose time stable steps are estimated.
    pub(super) initial: Shared<State>,
    pub(super) initial_loads: Shared<Loads>,
    /// The force that Newton's iteration measures against.
    pub(super) force_scale: f64,
}
