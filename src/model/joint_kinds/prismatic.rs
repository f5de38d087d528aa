//! Displacement along the common z axis.

use super::{Aligned, Axis, Constraint, Coordinate, Kind, Slide};

/// PRISMATIC.
pub const KIND: Kind = Kind {
    name: "PRISMATIC",
    constraints: &[
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::X),
        Constraint::InPlane(Axis::X),
        Constraint::InPlane(Axis::Y),
    ],
    aligned: Aligned::Frames,
    has_axis: true,
    coordinate: Some(Coordinate::Displacement),
    can_be_driven: true,
    slide: Slide::Tied,
    ..Kind::NONE
};
