//! Outputs under names that a file gave them, beside the channels that every entity has.

/// What an output is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// A body.
    Body(usize),
    /// A point.
    Point(usize),
    /// A node of a line: the line, the node from 0 (end A) to N (end B).
    Node(usize, usize),
}

/// What it tells; of vectors a component, 0 to 2, in inertial axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// Position.
    Position(usize),
    /// Velocity.
    Velocity(usize),
    /// Acceleration.
    Acceleration(usize),
    /// Force of lines on a point, of an end of a line on its point.
    Force(usize),
    /// Size of that force; within a line the mean tension of both segments.
    Tension,
    /// Angle of a body about x, the new y, or the new z, in degrees.
    Angle(usize),
    /// Angular velocity of a body, in degrees per second.
    AngularVelocity(usize),
    /// Angular acceleration of a body, in degrees per second squared.
    AngularAcceleration(usize),
}

/// An output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// What it is of.
    pub object: Object,
    /// What it tells.
    pub quantity: Quantity,
}
