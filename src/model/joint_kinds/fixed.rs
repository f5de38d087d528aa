//! Nothing is free. At aligned frames the gradients of the three rotations are -y, x and -z:
//! regular.

use super::{Aligned, Axis, Constraint, Kind};

/// FIXED.
pub const KIND: Kind = Kind {
    name: "FIXED",
    constraints: &[
        Constraint::Coincident,
        Constraint::Perpendicular(Axis::X, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::Z),
        Constraint::Perpendicular(Axis::Y, Axis::X),
    ],
    aligned: Aligned::Frames,
    ..Kind::NONE
};
