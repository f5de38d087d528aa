//! Points: masses without rotation, places fixed in space or on a body, ends of springs and lines.

use crate::spatial::Vec3;

/// The support of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// None: it moves by the equations of motion.
    Free,
    /// It is fixed at its position.
    Fixed,
    /// The host imposes its motion.
    Prescribed,
    /// It is attached to a body.
    Attached(usize),
    /// It is at rest until ends of lines break off and remain tied to it; then it is free.
    Waiting,
}

/// A point as described.
#[derive(Debug, Clone)]
pub struct Point {
    /// Mass; zero if it is attached to a body.
    pub mass: f64,
    /// Volume, which causes buoyancy in water.
    pub volume: f64,
    /// Drag coefficient times area, in water.
    pub cda: f64,
    /// Added mass coefficient: added mass over displaced mass.
    pub ca: f64,
    /// Initial position in inertial axes; of a point attached to a body, its place in body axes.
    pub position: Vec3,
    /// Initial velocity, inertial axes.
    pub velocity: Vec3,
    /// Its support.
    pub support: Support,
}

impl Point {
    /// Whether it has no support.
    pub fn is_free(&self) -> bool {
        self.support == Support::Free
    }

    /// The body that it is attached to.
    pub fn body(&self) -> Option<usize> {
        match self.support {
            Support::Attached(body) => Some(body),
            _ => None,
        }
    }
}
