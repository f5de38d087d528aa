//! The origin of b stays in the xy plane of a; all rotations are free.

use super::{Aligned, Axis, Constraint, Kind};

/// POINT_ON_PLANE.
pub const KIND: Kind = Kind {
    name: "POINT_ON_PLANE",
    constraints: &[Constraint::InPlane(Axis::Z)],
    aligned: Aligned::Nothing,
    has_axis: true,
    ..Kind::NONE
};
