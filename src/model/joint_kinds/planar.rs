//! The origin of b stays in the xy plane of a, the z axes stay parallel.

use super::{Aligned, Axis, Constraint, Kind};

/// PLANAR.
pub const KIND: Kind = Kind {
    name: "PLANAR",
    constraints: &[
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
        Constraint::InPlane(Axis::Z),
    ],
    aligned: Aligned::Z,
    has_axis: true,
    ..Kind::NONE
};
