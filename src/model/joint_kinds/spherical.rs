//! All rotations are free; the origins coincide.

use super::{Aligned, Constraint, Kind};

/// SPHERICAL.
pub const KIND: Kind =
    Kind { name: "SPHERICAL", constraints: &[Constraint::Coincident], aligned: Aligned::Nothing, ..Kind::NONE };
