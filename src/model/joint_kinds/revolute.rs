//! Rotation about the common z axis.

use super::{Aligned, Axis, Constraint, Coordinate, Kind};

/// REVOLUTE.
pub const KIND: Kind = Kind {
    name: "REVOLUTE",
    constraints: &[
        Constraint::Coincident,
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
    ],
    aligned: Aligned::Z,
    has_axis: true,
    coordinate: Some(Coordinate::Angle),
    can_be_driven: true,
    ..Kind::NONE
};
