//! Nodes of elements: what the places of an element are fixed to in the description, which node that is once a system is
//! made, and how they move.

use crate::spatial::{Mat3, Quat, Vec3};

/// What one end of an element is fixed to.
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
    /// The body, None for what is none.
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

/// An end of an element: what it is fixed to, and where on it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Attachment {
    /// What carries it.
    pub to: End,
    /// Place on that, in its axes (ground: inertial).
    pub at: Vec3,
}

impl Attachment {
    /// At a place, in the axes of what will carry it.
    pub fn at(place: &[f64; 3]) -> Attachment {
        Attachment { to: End::Ground, at: (*place).into() }
    }
}

/// An end as a system knows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// The node that carries it.
    pub node: usize,
    /// Place on that, in its axes.
    pub at: Vec3,
}

/// How a place of an element moves at one time; all in inertial axes. A place on a node that does not turn has no arm, no
/// angular velocity, and inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// Position of the place.
    pub x: Vec3,
    /// Its velocity.
    pub v: Vec3,
    /// Its acceleration.
    pub a: Vec3,
    /// From the point of the node about which wrenches are taken to the place.
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
