//! The description of a model before `initialize`, checked argument by argument.
//!
//! Pure data, and the text of model files (`file`). `system` makes elements of it; there is no
//! mechanics here.
//!
//! What may not live here: anything that changes while time runs, or that needs a matrix or a state
//! of the run.

pub mod beam;
mod body;
mod callback;
mod changes;
mod clutch;
pub(crate) mod file;
pub(crate) mod fingerprint;
mod fluid;
mod gear;
mod imposed;
mod joint;
pub mod joint_kinds;
mod line_failure;
mod load;
mod marker;
pub(crate) mod moordyn;
mod names;
mod output;
mod place;
mod point;
mod progress;
mod series;
mod settings;
mod shape;

pub use beam::Beam;
pub use body::Body;
pub use callback::{Callbacks, CoupledCallback, CoupledLoad, CoupledLoadFn, CoupledMotion};
pub use changes::{Changed, Changes};
pub use clutch::Clutch;
pub use fluid::{FluidCallback, FluidFailure, FluidFn, FluidMotion};
pub use gear::Gear;
pub use imposed::Leap;
pub use joint::{Joint, JointSpring, add_point, damper_curve};
pub use joint_kinds::{Coordinate, JointKind};
pub use line_failure::LineFailure;
pub use load::{BodyLoad, BodyLoadFn, BodyMotion, Drive, JointLoad, Loads};
pub use marker::Marker;
pub use names::Names;
pub use output::{Object, Output, Quantity};
pub use point::{Point, Support};
pub use progress::ProgressFn;
pub use series::{Interpolation, Series};
pub use settings::{Convergence, NoConvergencePolicy, OPTION_KEYS, Relaxation, Settings};
pub use shape::{SHAPE_KINDS, Shape, ShapeKind};

pub use crate::elements::line::{ENVIRONMENT_KEYS, Line, LineType, Syrope, Table, Viscoelastic, Water, WorkingCurve};
pub use crate::elements::waves::{Sea, Spectrum, Wave};
pub use crate::elements::{EntityKind, FrameMatrix, Hydrodynamics, LineLength, Load, PointLoad, SHORTEST};
pub use crate::spatial::Frame;

use crate::elements::{Attachment, Elements, MOST_NODES};
use crate::error::{Error, Result};
use crate::spatial::Vec3;

/// Identifies an entity of its kind: dense from 0 in order of creation.
pub type Id = i32;

/// The ground, in place of the id of a body.
pub const GROUND: Id = -1;

/// Names of the attachments of an element's nodes in model files and arguments.
const BODY_KEYS: [&str; MOST_NODES] = ["body_a", "body_b", "body_c", "body_d", "body_e", "body_f", "body_g", "body_h"];

/// Those of an element with so many nodes.
pub(crate) fn body_keys(nodes: usize) -> &'static [&'static str] {
    if nodes == 1 { &["body"] } else { &BODY_KEYS[..nodes] }
}

/// The complete description of a model.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// Gravitational acceleration, inertial axes.
    pub gravity: Vec3,
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Elements of the list: springs, bushings, cylinders, elements of beams.
    pub elements: Elements,
    /// Markers.
    pub markers: Vec<Marker>,
    /// Points.
    pub points: Vec<Point>,
    /// Gears.
    pub gears: Vec<Gear>,
    /// Clutches.
    pub clutches: Vec<Clutch>,
    /// Types of mooring lines.
    pub line_types: Vec<LineType>,
    /// Mooring lines.
    pub lines: Vec<Line>,
    /// Failures of their ends.
    pub line_failures: Vec<LineFailure>,
    /// Pairs of ends of lines that pass bending on to each other: line, and 0 for A, 1 for B.
    pub line_joints: Vec<[(usize, usize); 2]>,
    /// Number of coupled load callbacks, including removed ones; they are code and not part of a
    /// model.
    pub callbacks: usize,
    /// Beams; their elements are in the list.
    pub beams: Vec<Beam>,
    /// Names of all of these.
    pub names: Names,
    /// The body whose motion has channels under OpenFAST's names. They are outputs only: no part of
    /// the fingerprint.
    pub openfast_platform: Option<usize>,
    /// MoorDyn's channels, which are not part of the fingerprint either.
    pub outputs: Vec<Output>,
    /// How bodies look, which is no part of the fingerprint either.
    pub shapes: Vec<Shape>,
    /// Warnings of a reader of files, a sentence each.
    pub notes: Vec<String>,
    /// The origin of positions, in the host's coordinates: zero unless `Model::placed` has chosen
    /// another point.
    pub origin: Vec3,
}

impl Model {
    /// Springs on the coordinates and slides of joints, joint by joint.
    pub fn joint_springs(&self) -> impl Iterator<Item = &JointSpring> {
        self.joints.iter().flat_map(Joint::springs)
    }

    /// Sets stiffness, damping and rest of all these.
    pub fn set_joint_springs(&mut self, springs: &[[f64; 3]]) {
        let all = self.joints.iter_mut().flat_map(|joint| joint.spring.iter_mut().chain(&mut joint.slide_spring));
        all.zip(springs).for_each(|(own, numbers)| *own = JointSpring::from_numbers(*numbers));
    }

    /// How many entities of a kind there are.
    pub fn count(&self, kind: EntityKind) -> usize {
        match kind {
            EntityKind::Body => self.bodies.len(),
            EntityKind::Joint => self.joints.len(),
            EntityKind::Marker => self.markers.len(),
            EntityKind::Callback => self.callbacks,
            EntityKind::Point => self.points.len(),
            EntityKind::Gear => self.gears.len(),
            EntityKind::Clutch => self.clutches.len(),
            EntityKind::Line => self.lines.len(),
            EntityKind::LineType => self.line_types.len(),
            EntityKind::Beam => self.beams.len(),
            force_element => self.elements.count(force_element),
        }
    }

    /// The index of an entity. Errors: id outside 0..count.
    pub fn index(&self, argument: &'static str, kind: EntityKind, id: Id) -> Result<usize> {
        let count = self.count(kind);
        match usize::try_from(id) {
            Ok(index) if index < count => Ok(index),
            _ => Err(Error::BadId { argument, kind: kind.name(), id, count }),
        }
    }

    /// The index of a body, None for the ground. Errors: any other id outside 0..count.
    pub fn body_or_ground(&self, argument: &'static str, id: Id) -> Result<Option<usize>> {
        if id == GROUND { Ok(None) } else { self.index(argument, EntityKind::Body, id).map(Some) }
    }

    /// Both ends of an element. Errors: a bad id; both ends on the same body or on the ground.
    pub fn two_ends(&self, body_a: Id, body_b: Id) -> Result<(Option<usize>, Option<usize>)> {
        let a = self.body_or_ground("body_a", body_a)?;
        let b = self.body_or_ground("body_b", body_b)?;
        if a == b {
            return Err(Error::bad_value("body_b", format!("{body_b} is body_a too: an element needs two ends")));
        }
        Ok((a, b))
    }

    /// Fixes the nodes of an element to bodies, at their places in the axes of these. Errors: a bad
    /// id; all nodes on the same body or on the ground.
    pub(crate) fn attach(&self, nodes: &mut [Attachment], bodies: &[Id]) -> Result<()> {
        let keys = body_keys(nodes.len());
        for ((node, body), argument) in nodes.iter_mut().zip(bodies).zip(keys) {
            node.to = self.body_or_ground(argument, *body)?.into();
        }
        let last = nodes.len() - 1;
        if last > 0 && nodes.iter().all(|node| node.to == nodes[0].to) {
            let detail = format!("{} is body_a too: an element needs two ends", bodies[last]);
            return Err(Error::bad_value(keys[last], detail));
        }
        Ok(())
    }

    /// An entity in messages: `body 3`, or `body 3 "hull"` if it has a name.
    pub fn describe(&self, kind: EntityKind, index: usize) -> String {
        match self.names.of(kind, index) {
            Some(name) => format!("{} {index} \"{name}\"", kind.name()),
            None => format!("{} {index}", kind.name()),
        }
    }

    /// A hash that distinguishes models: equal for equal descriptions, in every process.
    pub fn fingerprint(&self) -> u64 {
        fingerprint::of(self)
    }
}
