//! A clutch: friction between the coordinates of two joints, and stops, such as the play of gears.

use crate::elements::stop::Stop;

/// Friction on `q_b - ratio q_a`, q the coordinates or slides of two joints. Its capacities are
/// inputs.
#[derive(Debug, Clone, PartialEq)]
pub struct Clutch {
    /// Joint, and 1 if its slide is meant, else 0: of a and of b.
    pub coordinates: [(usize, usize); 2],
    /// The rate of b over that of a at which it does not slip.
    pub ratio: f64,
    /// Force that it holds over the one with which it slips, at least 1.
    pub static_ratio: f64,
    /// Displacement while it holds with the largest force; 0: a default.
    pub slip: f64,
    /// Stops of the difference.
    pub stop: Option<Stop>,
}
