//! A disc about the origin of b, normal to its z axis, rolls without slip on the xy plane of a.

use super::{Aligned, Constraint, Kind, Parameter};

/// ROLLING.
pub const KIND: Kind = Kind {
    name: "ROLLING",
    constraints: &[Constraint::Rolling],
    aligned: Aligned::Nothing,
    parameter: Some(Parameter::Radius),
    ..Kind::NONE
};
