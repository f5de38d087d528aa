//! A joint: kind, the two bodies, the joint frames on them, and what acts on its coordinate.

use crate::error::{Error, Result};
use crate::spatial::Pose;

/// What a joint leaves free, b relative to a.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Nothing.
    Fixed,
    /// All rotations; origins coincide.
    Spherical,
    /// Rotation about the common z axis.
    Revolute,
    /// Displacement along the common z axis.
    Prismatic,
    /// Rotation about and displacement along the common z axis.
    Cylindrical,
    /// Rotations about x of frame a and y of frame b, which stay perpendicular; origins coincide.
    Universal,
    /// Origin of b in the xy plane of a, z axes parallel.
    Planar,
    /// Cylindrical, with rotation and displacement tied by the pitch.
    Screw,
    /// Everything but the distance of the origins.
    Distance,
}

impl JointKind {
    /// Every kind, in the order of the C API's numbers.
    pub const ALL: [JointKind; 9] = [
        JointKind::Fixed,
        JointKind::Spherical,
        JointKind::Revolute,
        JointKind::Prismatic,
        JointKind::Cylindrical,
        JointKind::Universal,
        JointKind::Planar,
        JointKind::Screw,
        JointKind::Distance,
    ];

    /// From the C API's number. Errors: an unknown number.
    pub fn from_code(code: i32) -> Result<JointKind> {
        usize::try_from(code)
            .ok()
            .and_then(|code| JointKind::ALL.get(code).copied())
            .ok_or_else(|| Error::bad_value("kind", format!("{code} is not a joint kind")))
    }

    /// From its name in any case; the error lists the known ones.
    pub fn from_name(name: &str) -> Result<JointKind> {
        JointKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known = JointKind::ALL.map(|kind| kind.name().to_ascii_lowercase()).join(", ");
            Error::bad_value("kind", format!("\"{name}\" is unknown; known: {known}"))
        })
    }

    /// Name, for messages and, in small letters, for model files.
    pub fn name(self) -> &'static str {
        match self {
            JointKind::Fixed => "FIXED",
            JointKind::Spherical => "SPHERICAL",
            JointKind::Revolute => "REVOLUTE",
            JointKind::Prismatic => "PRISMATIC",
            JointKind::Cylindrical => "CYLINDRICAL",
            JointKind::Universal => "UNIVERSAL",
            JointKind::Planar => "PLANAR",
            JointKind::Screw => "SCREW",
            JointKind::Distance => "DISTANCE",
        }
    }

    /// Whether an axis belongs to its description.
    pub fn has_axis(self) -> bool {
        !matches!(self, JointKind::Fixed | JointKind::Spherical | JointKind::Distance)
    }

    /// What its coordinate is, if it has one.
    pub fn coordinate(self) -> Option<Coordinate> {
        match self {
            JointKind::Revolute | JointKind::Cylindrical | JointKind::Screw => Some(Coordinate::Angle),
            JointKind::Prismatic => Some(Coordinate::Displacement),
            _ => None,
        }
    }

    /// Whether its coordinate may be driven.
    pub fn can_be_driven(self) -> bool {
        matches!(self, JointKind::Revolute | JointKind::Prismatic | JointKind::Cylindrical)
    }

    /// Whether a displacement along z stands beside its coordinate, independent of it.
    pub fn has_free_slide(self) -> bool {
        self == JointKind::Cylindrical
    }

    /// Whether b may slide along z of a at all.
    pub fn has_slide(self) -> bool {
        matches!(self, JointKind::Prismatic | JointKind::Cylindrical | JointKind::Screw)
    }
}

/// The coordinate of a joint; zero where the joint frames agree, unless the joint has an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// Rotation of b about z of a (rad), counted over any number of turns.
    Angle,
    /// Displacement of the origin of b along z of a.
    Displacement,
}

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
    /// Initial distance of the origins, which DISTANCE keeps.
    pub distance: f64,
    /// Displacement per turn of SCREW; zero until it is set.
    pub pitch: f64,
    /// Whether the coordinate is imposed by the host.
    pub driven: bool,
    /// On the coordinate.
    pub spring: Option<JointSpring>,
    /// The coordinate where the joint frames agree.
    pub offset: f64,
    /// Whether the slide of CYLINDRICAL is imposed by the host.
    pub slide_driven: bool,
    /// On the slide of CYLINDRICAL.
    pub slide_spring: Option<JointSpring>,
}

impl Joint {
    /// A joint on whose coordinate nothing acts.
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
        }
    }
}
