//! A joint: kind, the two bodies, the joint frames on them, and springs on its coordinate and
//! slide.

use super::JointKind;
use crate::elements::machine::Machine;
use crate::spatial::Pose;

/// A spring with damper on a joint's coordinate: generalized force `-k (q - rest) - c qdot`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSpring {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// q without force.
    pub rest: f64,
}

/// A joint as described; None is the ground.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Its kind.
    pub kind: JointKind,
    /// First body.
    pub body_a: Option<usize>,
    /// Second body.
    pub body_b: Option<usize>,
    /// Joint frame in the axes of the first body.
    pub frame_a: Pose,
    /// Joint frame in the axes of the second body.
    pub frame_b: Pose,
    /// Initial distance of the origins, which DISTANCE keeps.
    pub distance: f64,
    /// Displacement per turn of SCREW; zero until it is set.
    pub pitch: f64,
    /// Whether the coordinate is imposed by the host.
    pub driven: bool,
    /// On the coordinate.
    pub spring: Option<JointSpring>,
    /// The coordinate at coincident joint frames.
    pub offset: f64,
    /// Whether the slide of CYLINDRICAL is imposed by the host.
    pub slide_driven: bool,
    /// On the slide of CYLINDRICAL.
    pub slide_spring: Option<JointSpring>,
    /// Friction and stops on the coordinate, and on the slide of CYLINDRICAL.
    pub machines: [Machine; 2],
}

impl Joint {
    /// A joint without springs, drives and offset.
    pub fn new(kind: JointKind, body_a: Option<usize>, body_b: Option<usize>, frame_a: Pose, frame_b: Pose) -> Joint {
        Joint {
            kind,
            body_a,
            body_b,
            frame_a,
            frame_b,
            distance: 0.0,
            pitch: 0.0,
            driven: false,
            spring: None,
            offset: 0.0,
            slide_driven: false,
            slide_spring: None,
            machines: [Machine::default(); 2],
        }
    }
}
