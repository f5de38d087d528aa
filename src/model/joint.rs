//! A joint: kind, the two bodies, the joint frames on them, and springs on its coordinate and
//! slide.

use super::JointKind;
use crate::elements::Curve;
use crate::elements::machine::Machine;
use crate::error::Result;
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
    /// Rates and forces of dampers on the coordinate, and on the slide of CYLINDRICAL, in rising order
    /// and without the origin, which belongs to all; empty without a damper.
    pub dampers: [Vec<[f64; 2]>; 2],
    /// Friction and stops on the coordinate, and on the slide of CYLINDRICAL.
    pub machines: [Machine; 2],
}

impl JointSpring {
    /// Stiffness, damping and rest.
    pub fn numbers(&self) -> [f64; 3] {
        [self.stiffness, self.damping, self.rest]
    }

    /// From these.
    pub fn from_numbers([stiffness, damping, rest]: [f64; 3]) -> JointSpring {
        JointSpring { stiffness, damping, rest }
    }
}

impl Joint {
    /// Its springs, that on the coordinate before that on the slide.
    pub fn springs(&self) -> impl Iterator<Item = &JointSpring> {
        self.spring.iter().chain(&self.slide_spring)
    }

    /// Whether its coordinate, and its slide, are imposed by the host.
    pub fn drives(&self) -> [bool; 2] {
        [self.driven, self.slide_driven]
    }

    /// Whether springs or dampers act on its coordinate or slide.
    pub fn has_springs(&self) -> bool {
        self.springs().next().is_some() || self.dampers.iter().any(|points| !points.is_empty())
    }

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
            dampers: [Vec::new(), Vec::new()],
            machines: [Machine::default(); 2],
        }
    }
}

/// The force of a damper over the rate, against which it acts: through the origin and the points, and
/// where these are all on one side, through what mirrors them. Errors: as of a table.
pub fn damper_curve(points: &[[f64; 2]]) -> Result<Curve> {
    let is_one_sided = points.iter().all(|[rate, _]| *rate > 0.0) || points.iter().all(|[rate, _]| *rate < 0.0);
    let mirrored = points.iter().map(|[rate, force]| [-rate, -force]).filter(|_| is_one_sided);
    let mut all: Vec<[f64; 2]> = points.iter().copied().chain(mirrored).chain([[0.0; 2]]).collect();
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let column = |k: usize| all.iter().map(|point| point[k]).collect();
    Curve::through(column(0), column(1))
}
