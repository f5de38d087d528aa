//! Ends of elements: what they are fixed to in the description, and which node that is once a system is made.

use crate::spatial::{Quat, Vec3};

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

/// How an end moves at one time; all in inertial axes. An end on a node that does not turn has no arm, no angular
/// velocity, and inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Site {
    /// Position of the end.
    pub x: Vec3,
    /// Velocity of the end.
    pub v: Vec3,
    /// From the point of the node about which wrenches are taken to the end.
    pub arm: Vec3,
    /// Orientation of the node.
    pub q: Quat,
    /// Angular velocity of the node.
    pub omega: Vec3,
}
