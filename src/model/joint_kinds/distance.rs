//! The origins keep their distance; all else is free.

use super::{Aligned, Constraint, Kind, Parameter};

/// DISTANCE.
pub const KIND: Kind = Kind {
    name: "DISTANCE",
    constraints: &[Constraint::Distance],
    aligned: Aligned::Nothing,
    parameter: Some(Parameter::Distance),
    ..Kind::NONE
};
