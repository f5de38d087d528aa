//! The model as the host described it, read back: names, mass properties, joints, force elements,
//! markers, coefficients of the fluid. All phases; nothing here depends on a run.
//!
//! Numbers are returned as they were given, bit for bit, with two exceptions: quaternions are
//! normalised, and the 6x6 mass matrix of a body is computed from its mass, centre of mass and
//! inertia.

use super::Simulation;
use super::views::{Description, Given};
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::{Attachment, Bushing, Cylinder, End, Spring};
use crate::error::{Error, Result};
use crate::model::{
    Body, EntityKind, Frame, FrameMatrix, GROUND, Hydrodynamics, Id, Joint, JointKind, JointSpring, Marker, Model,
};
use crate::spatial::{Mat6, Pose, Vec3};

/// The initial motion of a body, in inertial axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InitialMotion {
    /// Position of the reference point, then quaternion w x y z.
    pub pose: [f64; 7],
    /// Velocity of the reference point, then angular.
    pub velocity: [f64; 6],
    /// Acceleration of the reference point, then angular.
    pub acceleration: [f64; 6],
}

/// A joint, as described.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointInfo {
    /// Its kind.
    pub kind: JointKind,
    /// Ids of both bodies, one of them perhaps the ground.
    pub bodies: [Id; 2],
    /// Joint frames in the axes of each body (ground: inertial).
    pub frames: [[f64; 7]; 2],
    /// Whether its coordinate is imposed by the host.
    pub driven: bool,
}

/// A spring between two points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpringInfo {
    /// Ids of both bodies, one of them perhaps the ground.
    pub bodies: [Id; 2],
    /// Its ends in the axes of each body (ground: inertial).
    pub points: [[f64; 3]; 2],
    /// Force per length.
    pub stiffness: f64,
    /// Force per rate of length.
    pub damping: f64,
    /// Length without force.
    pub rest_length: f64,
    /// Whether it is tension-only.
    pub tension_only: bool,
}

/// A bushing between two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BushingInfo<'a> {
    /// Ids of both bodies, one of them perhaps the ground.
    pub bodies: [Id; 2],
    /// Its frames in the axes of each body (ground: inertial).
    pub frames: [[f64; 7]; 2],
    /// K, column-major.
    pub stiffness: [f64; 36],
    /// C, column-major.
    pub damping: [f64; 36],
    /// The present wrench of a on b without deflection.
    pub preload: [f64; 6],
    /// Deflections and forces of the tables on the components of its deflection, empty without one.
    pub tables: [[&'a [f64]; 2]; 6],
}

/// A cylinder in water.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CylinderInfo {
    /// Id of its body, or the ground.
    pub body: Id,
    /// Centres of its ends in the axes of the body (ground: inertial).
    pub ends: [[f64; 3]; 2],
    /// Its diameter.
    pub diameter: f64,
    /// Number of segments.
    pub segments: i32,
    /// Coefficients of drag and added mass across the axis, then along it at the ends.
    pub coefficients: [f64; 4],
}

/// Stiffness, damping and rest position of a spring on a coordinate; zero where there is none.
pub type SpringOnJoint = [f64; 3];

fn id(body: Option<usize>) -> Id {
    body.map_or(GROUND, |index| index as Id)
}

/// The body of an end, and the place on it; that of an attached point, or the described position of
/// another one.
fn place(model: &Model, end: &Attachment) -> (Option<usize>, Vec3) {
    match end.to {
        End::Point(point) => (model.points[point].body(), model.points[point].position),
        End::Ground | End::Body(_) => (end.to.body(), end.at),
    }
}

/// The numbers of a matrix, column-major.
pub(super) fn numbers(matrix: &Mat6) -> [f64; 36] {
    std::array::from_fn(|k| matrix[(k % 6, k / 6)])
}

fn on_joint(spring: &Option<JointSpring>) -> SpringOnJoint {
    spring.as_ref().map_or([0.0; 3], JointSpring::numbers)
}

impl Given<'_> {
    /// A cylinder as it was added. Errors: a bad id.
    pub fn cylinder_info(self, cylinder: Id) -> Result<CylinderInfo> {
        let model = &self.0.model;
        let Cylinder { node: [node], end_b, diameter, segments, coefficients, .. } =
            &model.elements.cylinders[model.index("cylinder", EntityKind::Cylinder, cylinder)?];
        let (body, ends) = (id(node.to.body()), [node.at.into(), (*end_b).into()]);
        Ok(CylinderInfo { body, ends, diameter: *diameter, segments: *segments, coefficients: *coefficients })
    }
}

/// Radius of the disc of a ROLLING joint; 0 until it is set. Errors: a bad id; another kind.
pub fn joint_radius(simulation: &Simulation, joint: Id) -> Result<f64> {
    Ok(simulation.description().joint_that(joint, JointKind::rolls, "only ROLLING has a radius")?.radius)
}

impl<'a> Description<'a> {
    fn body(&self, body: Id) -> Result<(&Body, &Hydrodynamics)> {
        let Description(Simulation { model, inputs, .. }) = self;
        let index = model.index("body", EntityKind::Body, body)?;
        Ok((&model.bodies[index], &inputs.hydrodynamics[index]))
    }

    fn joint(&self, joint: Id) -> Result<&Joint> {
        let model = &self.0.model;
        Ok(&model.joints[model.index("joint", EntityKind::Joint, joint)?])
    }

    /// A joint of a kind that `fits`. Errors: another one, with `detail`.
    fn joint_that(&self, joint: Id, fits: impl FnOnce(JointKind) -> bool, detail: &str) -> Result<&Joint> {
        let found = self.joint(joint)?;
        if fits(found.kind) {
            return Ok(found);
        }
        Err(Error::bad_value("joint", format!("joint {joint} is {}: {detail}", found.kind.name())))
    }

    /// The name of an entity; one without is called by its kind and id: `body 3`. Errors: a bad id.
    pub fn name(self, kind: EntityKind, id: Id) -> Result<String> {
        let model = &self.0.model;
        let index = model.index("id", kind, id)?;
        Ok(model.names.of(kind, index).map_or_else(|| format!("{} {index}", kind.name()), str::to_owned))
    }

    /// Gravitational acceleration, inertial axes.
    pub fn gravity(self) -> [f64; 3] {
        self.0.model.gravity.into()
    }

    /// The 6x6 mass matrix of a body about its reference point, body axes, computed from mass,
    /// centre of mass and inertia: equal to the given one up to rounding. Errors: a bad id.
    pub fn body_mass(self, body: Id) -> Result<[f64; 36]> {
        Ok(numbers(&self.body(body)?.0.inertia.matrix()))
    }

    /// Pose, velocity and acceleration with which a body was described. Errors: a bad id.
    pub fn body_initial_motion(self, body: Id) -> Result<InitialMotion> {
        let Body { pose, velocity, acceleration, .. } = self.body(body)?.0;
        Ok(InitialMotion { pose: pose.to_array(), velocity: (*velocity).into(), acceleration: (*acceleration).into() })
    }

    /// Whether the motion of a body is imposed by the host. Errors: a bad id.
    pub fn body_prescribed(self, body: Id) -> Result<bool> {
        Ok(self.body(body)?.0.prescribed)
    }

    fn fluid(&self, body: Id, of: fn(&Hydrodynamics) -> &Option<FrameMatrix>) -> Result<([f64; 36], Frame)> {
        let (_, coefficients) = self.body(body)?;
        Ok(of(coefficients)
            .as_ref()
            .map_or(([0.0; 36], Frame::Inertial), |given| (numbers(&given.matrix), given.frame)))
    }

    /// Added mass of a body and the axes it is given in; zero unless set. Errors: a bad id.
    pub fn added_mass(self, body: Id) -> Result<([f64; 36], Frame)> {
        self.fluid(body, |h| &h.added_mass)
    }

    /// Linear damping of a body and the axes it is given in; zero unless set. Errors: a bad id.
    pub fn linear_damping(self, body: Id) -> Result<([f64; 36], Frame)> {
        self.fluid(body, |h| &h.linear_damping)
    }

    /// Quadratic drag of a body and the axes it is given in; zero unless set. Errors: a bad id.
    pub fn quadratic_drag(self, body: Id) -> Result<([f64; 36], Frame)> {
        self.fluid(body, |h| &h.quadratic_drag)
    }

    /// A joint as described. Errors: a bad id.
    pub fn joint_info(self, joint: Id) -> Result<JointInfo> {
        let Joint { kind, body_a, body_b, frame_a, frame_b, driven, .. } = self.joint(joint)?;
        let frames = [frame_a.to_array(), frame_b.to_array()];
        Ok(JointInfo { kind: *kind, bodies: [id(*body_a), id(*body_b)], frames, driven: *driven })
    }

    /// Whether the slide of a joint is imposed by the host; false for joints without a slide of
    /// their own. Errors: a bad id.
    pub fn joint_slide_driven(self, joint: Id) -> Result<bool> {
        Ok(self.joint(joint)?.slide_driven)
    }

    /// The spring on the coordinate of a joint. Errors: a bad id; a joint without coordinate.
    pub fn joint_spring(self, joint: Id) -> Result<SpringOnJoint> {
        let joint = self.joint_that(joint, |kind| kind.coordinate().is_some(), "it has no coordinate for a spring")?;
        Ok(on_joint(&joint.spring))
    }

    /// The spring on the slide of a CYLINDRICAL joint. Errors: a bad id; another kind.
    pub fn joint_slide_spring(self, joint: Id) -> Result<SpringOnJoint> {
        Ok(on_joint(&self.joint_that(joint, JointKind::has_free_slide, super::build::NO_FREE_SLIDE)?.slide_spring))
    }

    /// The coordinate of a joint at coincident joint frames. Errors: a bad id; a joint without
    /// coordinate.
    pub fn joint_offset(self, joint: Id) -> Result<f64> {
        let detail = "it has no coordinate for an offset";
        Ok(self.joint_that(joint, |kind| kind.coordinate().is_some(), detail)?.offset)
    }

    /// Displacement per turn of a SCREW joint; 0 until it is set. Errors: a bad id; another kind.
    pub fn joint_pitch(self, joint: Id) -> Result<f64> {
        Ok(self.joint_that(joint, |kind| kind == JointKind::Screw, "only SCREW has a pitch")?.pitch)
    }

    /// The distance that a DISTANCE joint keeps, 0 for other kinds. Errors: a bad id.
    pub fn joint_distance(self, joint: Id) -> Result<f64> {
        Ok(self.joint(joint)?.distance)
    }

    /// A spring as it was added. Errors: a bad id.
    pub fn spring_info(self, spring: Id) -> Result<SpringInfo> {
        let model = &self.0.model;
        let index = model.index("spring", EntityKind::Spring, spring)?;
        let Spring { ends, stiffness, damping, rest_length, tension_only, .. } = &model.elements.springs[index];
        let places = ends.each_ref().map(|end| place(model, end));
        let (bodies, points) = (places.map(|(body, _)| id(body)), places.map(|(_, at)| at.into()));
        let (stiffness, damping) = (*stiffness, *damping);
        let (rest_length, tension_only) = (*rest_length, *tension_only);
        Ok(SpringInfo { bodies, points, stiffness, damping, rest_length, tension_only })
    }

    /// The points at the ends of a spring, None for an end that is not a point. Errors: a bad id.
    pub fn spring_points(self, spring: Id) -> Result<[Option<Id>; 2]> {
        let model = &self.0.model;
        let index = model.index("spring", EntityKind::Spring, spring)?;
        Ok(model.elements.springs[index].ends.each_ref().map(|end| match end.to {
            End::Point(point) => Some(point as Id),
            End::Ground | End::Body(_) => None,
        }))
    }

    /// A bushing as it was added. Errors: a bad id.
    pub fn bushing_info(self, bushing: Id) -> Result<BushingInfo<'a>> {
        let model = &self.0.model;
        let Bushing { ends, axes, stiffness, damping, preload, tables } =
            &model.elements.bushings[model.index("bushing", EntityKind::Bushing, bushing)?];
        let places = ends.each_ref().map(|end| place(model, end));
        let frame = |k: usize| Pose { position: places[k].1, rotation: axes[k] }.to_array();
        Ok(BushingInfo {
            bodies: places.map(|(body, _)| id(body)),
            frames: [frame(0), frame(1)],
            stiffness: numbers(stiffness),
            damping: numbers(damping),
            preload: (*preload).into(),
            tables: tables.each_ref().map(|table| table.as_deref().map_or([&[][..], &[]], CoordinateSpring::points)),
        })
    }

    /// The body of a marker, and the pose of the marker in body axes. Errors: a bad id.
    pub fn marker_info(self, marker: Id) -> Result<(Id, [f64; 7])> {
        let model = &self.0.model;
        let Marker { body, frame } = &model.markers[model.index("marker", EntityKind::Marker, marker)?];
        Ok((*body as Id, frame.to_array()))
    }
}
