//! Nodes of elements: their attachments in the description, their nodes in a system, and the
//! motions of their places.

use crate::spatial::{Mat3, Quat, Vec3};

/// The carrier of one end of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum End {
    /// The inertial frame.
    #[default]
    Ground,
    /// A body, by its index.
    Body(usize),
    /// A point, by its index.
    Point(usize),
}

impl End {
    /// The body, None for other carriers.
    pub fn body(self) -> Option<usize> {
        match self {
            End::Body(body) => Some(body),
            End::Ground | End::Point(_) => None,
        }
    }
}

impl From<Option<usize>> for End {
    /// From a body, None for the ground.
    fn from(body: Option<usize>) -> End {
        body.map_or(End::Ground, End::Body)
    }
}

/// An end of an element: its carrier, and the place on it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Attachment {
    /// The carrier.
    pub to: End,
    /// Place on the carrier, in its axes (ground: inertial).
    pub at: Vec3,
}

impl Attachment {
    /// At a place in the axes of a carrier that is set later.
    pub fn at(place: &[f64; 3]) -> Attachment {
        Attachment { to: End::Ground, at: (*place).into() }
    }
}

/// An end in a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// The node of the carrier.
    pub node: usize,
    /// Place on the carrier, in its axes.
    pub at: Vec3,
}

/// Motion of a place of an element at one time; all in inertial axes. A place on a node that does
/// not turn has no lever arm, no angular velocity, and inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// Position of the place.
    pub x: Vec3,
    /// Its velocity.
    pub v: Vec3,
    /// Its acceleration.
    pub a: Vec3,
    /// From the point of the node, about which wrenches are taken, to the place.
    pub arm: Vec3,
    /// Orientation of the node.
    pub q: Quat,
    /// The same as a matrix.
    pub r: Mat3,
    /// Angular velocity of the node.
    pub omega: Vec3,
    /// Its angular acceleration.
    pub omegadot: Vec3,
}
