//! Rotations about x of frame a and y of frame b, which stay perpendicular; the origins coincide.

use super::{Aligned, Axis, Constraint, Kind};

/// UNIVERSAL.
pub const KIND: Kind = Kind {
    name: "UNIVERSAL",
    constraints: &[Constraint::Coincident, Constraint::Perpendicular(Axis::X, Axis::Y)],
    aligned: Aligned::Cross,
    has_axis: true,
    ..Kind::NONE
};
