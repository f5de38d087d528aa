//! Rotation about and displacement along the common z axis, independent of each other.

use super::{Aligned, Axis, Constraint, Coordinate, Kind, Slide};

/// CYLINDRICAL.
pub const KIND: Kind = Kind {
    name: "CYLINDRICAL",
    constraints: &[
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
        Constraint::InPlane(Axis::X),
        Constraint::InPlane(Axis::Y),
    ],
    aligned: Aligned::Z,
    has_axis: true,
    coordinate: Some(Coordinate::Angle),
    can_be_driven: true,
    slide: Slide::Free,
    ..Kind::NONE
};
