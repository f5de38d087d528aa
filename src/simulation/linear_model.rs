//! Inputs and results of a linearisation. There is no computation here.

use crate::model::Id;

/// The loads that are inputs of a linearised system, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinearInputs<'a> {
    /// Bodies: wrenches in I about their reference points, 6 each.
    pub bodies: &'a [Id],
    /// Markers: wrenches in I about them, 6 each.
    pub markers: &'a [Id],
    /// Joints with a coordinate: generalized forces on it, one each.
    pub joints: &'a [Id],
    /// CYLINDRICAL joints: forces on their slides, one each.
    pub slides: &'a [Id],
}

/// A system linearised about the motion through a state: `xdot = A x + B u`, `y = C x + D u` for
/// deviations x, u, y.
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    /// Number of states: twice the mobility.
    pub states: usize,
    /// Index among the 6n displacements (u, theta in I of every body) of each coordinate.
    pub coordinates: Vec<usize>,
    /// N, 6n x states/2: displacements of all bodies for those of the coordinates.
    pub basis: Vec<f64>,
    /// A, states x states.
    pub a: Vec<f64>,
    /// B, states x inputs: wrenches in I about the points where they act.
    pub b: Vec<f64>,
    /// C, outputs x states: per marker displacement and rotation, velocity, acceleration (6 each,
    /// in I).
    pub c: Vec<f64>,
    /// D, outputs x inputs.
    pub d: Vec<f64>,
}
