//! A joint: kind, the two bodies, and the joint frames on them.

use crate::error::{Error, Result};
use crate::spatial::Pose;

/// What a joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// All rotations; origins coincide.
    Spherical,
    /// Rotation about the common z axis.
    Revolute,
}

impl JointKind {
    /// From the C API's number. Errors: a kind of the contract that this version has not got; an unknown number.
    pub fn from_code(code: i32) -> Result<JointKind> {
        const LATER: [&str; 6] = ["PRISMATIC", "CYLINDRICAL", "UNIVERSAL", "PLANAR", "SCREW", "DISTANCE"];
        match code {
            0 => Ok(JointKind::Fixed),
            1 => Ok(JointKind::Spherical),
            2 => Ok(JointKind::Revolute),
            3..=8 => Err(Error::Unsupported {
                argument: "kind",
                detail: format!("{code} ({}) is not part of this version", LATER[code as usize - 3]),
            }),
            _ => Err(Error::bad_value("kind", format!("{code} is not a joint kind"))),
        }
    }

    /// Name for messages.
    pub fn name(self) -> &'static str {
        match self {
            JointKind::Fixed => "FIXED",
            JointKind::Spherical => "SPHERICAL",
            JointKind::Revolute => "REVOLUTE",
        }
    }
}

/// A joint as described; None stands for the ground.
#[derive(Debug, Clone)]
pub struct Joint {
    /// What it leaves free.
    pub kind: JointKind,
    /// First body.
    pub body_a: Option<usize>,
    /// Second body.
    pub body_b: Option<usize>,
    /// Joint frame in the axes of the first body.
    pub frame_a: Pose,
    /// Joint frame in the axes of the second body.
    pub frame_b: Pose,
}
