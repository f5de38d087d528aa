//! The origin of b stays on the z axis of a; all rotations are free.

use super::{Aligned, Axis, Constraint, Coordinate, Kind, Slide};

/// POINT_ON_LINE.
pub const KIND: Kind = Kind {
    name: "POINT_ON_LINE",
    constraints: &[Constraint::InPlane(Axis::X), Constraint::InPlane(Axis::Y)],
    aligned: Aligned::Nothing,
    has_axis: true,
    coordinate: Some(Coordinate::Displacement),
    can_be_driven: true,
    slide: Slide::Tied,
    ..Kind::NONE
};
