//! Points: masses without rotation, places fixed in space or on a body, ends of springs and lines.

use crate::spatial::Vec3;

/// What a point moves with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    /// The equations of motion.
    Free,
    /// Nothing: it stays where it is.
    Fixed,
    /// The host, which imposes its motion.
    Prescribed,
    /// A body.
    Attached(usize),
}

/// A point as described.
#[derive(Debug, Clone)]
pub struct Point {
    /// Mass; one that is attached to a body carries none.
    pub mass: f64,
    /// Volume: its buoyancy counts where there is a fluid.
    pub volume: f64,
    /// Drag coefficient times area, where there is water.
    pub cda: f64,
    /// Added mass coefficient: mass of water per that of the volume.
    pub ca: f64,
    /// Initial position in inertial axes; of a point attached to a body, its place in body axes.
    pub position: Vec3,
    /// Initial velocity, inertial axes.
    pub velocity: Vec3,
    /// What it moves with.
    pub support: Support,
}

impl Point {
    /// Whether it moves by the equations of motion.
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
