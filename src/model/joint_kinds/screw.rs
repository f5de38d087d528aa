//! Rotation about the common z axis, and a displacement along it that follows by the pitch.

use super::{Aligned, Axis, Constraint, Coordinate, Kind, Parameter, Slide};

/// SCREW.
pub const KIND: Kind = Kind {
    name: "SCREW",
    constraints: &[
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
        Constraint::InPlane(Axis::X),
        Constraint::InPlane(Axis::Y),
        Constraint::Screw,
    ],
    aligned: Aligned::Z,
    has_axis: true,
    coordinate: Some(Coordinate::Angle),
    slide: Slide::Tied,
    parameter: Some(Parameter::Pitch),
    ..Kind::NONE
};
