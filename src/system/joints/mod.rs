//! Joints, each a short list of primitive constraints on two frames.
//!
//! The file of a kind in `model::joint_kinds` lists its primitives. A new primitive is one type in
//! `scalar` and one arm in [`Primitive`]'s methods.

mod coincident;
mod coordinate;
mod hinge;
mod index;
mod jets;
mod left_out;
mod misfit;
mod perpendicular;
mod rolling;
pub mod scalar;
mod sizes;

pub use coincident::Coincident;
pub use hinge::Hinge;
pub use index::Index;
pub use misfit::Misfit;
pub use perpendicular::Perpendicular;
pub use rolling::Rolling;

use super::assembly::{Assembly, Level, Row};
use super::motion::Motion;
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::machine::Machine;
use crate::elements::{Curve, Tangents};
use crate::linear::Assemble;
use crate::model::joint_kinds::{Axis, Constraint};
use crate::model::{Coordinate, Joint, JointKind, JointSpring};
use crate::spatial::{Mat3, Mat6, Pose, Vec3, Vec6, lower, upper};
use index::{Indices, consecutive};
use scalar::{Angle, Distance, Height, Scalar, Screw, wrap};
pub use scalar::{acceleration, rate};
use std::sync::Arc;

/// Most scalar constraints of one joint.
pub const MOST_ROWS: usize = 6;

/// A constraint between two frames, one on each body. Primitives of spherical joints and hinges
/// have the size of two vectors, and the others are boxed: large models read as many bytes of each
/// in every evaluation as the largest has.
#[derive(Debug, Clone)]
pub enum Primitive {
    /// Two points coincide (3 equations).
    Coincident(Coincident),
    /// Two axes are perpendicular (1 equation).
    Perpendicular(Perpendicular),
    /// A point lies in a plane, or at an imposed height over it (1 equation).
    Height(Box<Height>),
    /// Two points keep a distance (1 equation).
    Distance(Box<Distance>),
    /// An angle is imposed (1 equation).
    Angle(Box<Angle>),
    /// Displacement follows rotation (1 equation).
    Screw(Box<Screw>),
    /// A disc rolls on a plane (2 slips and a height).
    Rolling(Box<Rolling>),
}

const _: () = assert!(size_of::<Primitive>() == 7 * size_of::<f64>());

/// Three vectors like velocities of an end; None for an end at rest, which is not a body.
pub type Rates<'a> = Option<[&'a [f64; 6]; 3]>;

/// The same of both ends, vector by vector.
#[inline(always)]
pub fn or_rest([a, b]: [Rates<'_>; 2]) -> [[&[f64; 6]; 2]; 3] {
    const REST: &[f64; 6] = &[0.0; 6];
    let [a, b] = [a, b].map(|rates| rates.unwrap_or([REST; 3]));
    [[a[0], b[0]], [a[1], b[1]], [a[2], b[2]]]
}

/// Geometric stiffness `d(B^T lambda)/dtheta`: rotational blocks `[row body][column body]`.
pub type GeometricStiffness = [[Mat3; 2]; 2];

impl Primitive {
    /// Number of equations.
    pub fn rows(&self) -> usize {
        match self {
            Primitive::Coincident(_) | Primitive::Rolling(_) => 3,
            _ => 1,
        }
    }

    /// Value and derivatives of the primitives without a specialised method.
    fn scalar(&self, a: &Motion, b: &Motion) -> Option<Scalar> {
        match self {
            Primitive::Coincident(_) | Primitive::Perpendicular(_) | Primitive::Rolling(_) => None,
            Primitive::Height(p) => Some(p.evaluate(a, b)),
            Primitive::Distance(p) => Some(p.evaluate(a, b)),
            Primitive::Angle(p) => Some(p.evaluate(a, b)),
            Primitive::Screw(p) => Some(p.evaluate(a, b)),
        }
    }

    /// The value alone; 0 for primitives that are not a coordinate of a joint.
    fn value(&self, a: &Motion, b: &Motion) -> f64 {
        match self {
            Primitive::Angle(p) => p.value(a, b),
            _ => self.scalar(a, b).map_or(0.0, |scalar| scalar.value),
        }
    }

    /// Whether it depends on rotations only.
    #[inline(always)]
    fn turns_only(&self) -> bool {
        matches!(self, Primitive::Perpendicular(_) | Primitive::Angle(_))
    }

    /// Calls `each(k, Phi_k, B_k)` for every equation k.
    #[inline(always)]
    fn for_each_row(&self, a: &Motion, b: &Motion, mut each: impl FnMut(usize, f64, Row)) {
        match self {
            Primitive::Coincident(p) => p.for_each_row(a, b, each),
            Primitive::Perpendicular(p) => {
                let (phi, row) = p.row(a, b);
                each(0, phi, row);
            }
            Primitive::Rolling(p) => {
                p.evaluate(a, b).iter().enumerate().for_each(|(k, scalar)| each(k, scalar.value, scalar.row));
            }
            _ => {
                if let Some(scalar) = self.scalar(a, b) {
                    each(0, scalar.value, scalar.row);
                }
            }
        }
    }

    /// Adds `d(B^T lambda)/d(u, theta)`; axes have a method of their own
    /// (`perpendicular::add_stiffness`).
    #[inline(always)]
    fn add_stiffness<A: Assemble>(&self, assembly: &mut Assembly<A>, ends: [usize; 2], lambda: &[f64; 3]) {
        let motions = assembly.motions;
        let [a, b] = ends.map(|end| &motions[end]);
        let wanted = assembly.wants_tangents();
        match self {
            Primitive::Coincident(p) if wanted => {
                let k = p.stiffness(a, b, lambda);
                assembly.add_rotational_stiffness(ends[0], &k[0][0]);
                assembly.add_rotational_stiffness(ends[1], &k[1][1]);
            }
            Primitive::Coincident(_) => {}
            _ => {
                if let Some(scalar) = self.scalar(a, b) {
                    let stiffness = scalar.second.map(|row| row.map(|block| block * lambda[0]));
                    assembly.add_pair(ends, &Tangents { stiffness, damping: [[Mat6::zeros(); 2]; 2] }, false);
                }
            }
        }
    }

    /// Calls `each(k, B_k x)` for every equation k, with the products of vectors like velocities of
    /// both ends.
    #[inline(always)]
    fn for_each_product(&self, a: &Motion, b: &Motion, x: [[&[f64; 6]; 2]; 3], mut each: impl FnMut(usize, [f64; 3])) {
        match self {
            Primitive::Coincident(p) => {
                let rates = p.rates(a, b, x);
                (0..3).for_each(|k| each(k, rates.map(|rate| rate[k])));
            }
            Primitive::Perpendicular(p) => each(0, p.rates(a, b, x)),
            _ => self.for_each_row(a, b, |k, _, row| each(k, x.map(|[xa, xb]| row.times(xa, xb)))),
        }
    }

    /// gamma of `d^2 Phi/dt^2 = B vdot + gamma`.
    #[inline(always)]
    fn velocity_terms(&self, a: &Motion, b: &Motion) -> [f64; 3] {
        match self {
            Primitive::Coincident(p) => p.velocity_terms(a, b),
            Primitive::Perpendicular(p) => [p.velocity_term(a, b), 0.0, 0.0],
            Primitive::Rolling(p) => p.velocity_terms(a, b),
            _ => [self.scalar(a, b).map_or(0.0, |scalar| scalar.velocity_term(a, b)), 0.0, 0.0],
        }
    }

    /// Whether Phi is a length (else it is dimensionless).
    fn is_length(&self) -> bool {
        !self.turns_only()
    }
}

/// The frames of a joint, from which its primitives are made.
struct Frames<'a> {
    joint: &'a Joint,
    axes: [Mat3; 2],
}

impl Frames<'_> {
    fn of(joint: &Joint) -> Frames<'_> {
        Frames { joint, axes: [joint.frame_a.matrix(), joint.frame_b.matrix()] }
    }

    fn axis(&self, end: usize, axis: Axis) -> Vec3 {
        Vec3::from(self.axes[end].column(axis as usize))
    }

    fn height(&self, axis: Axis) -> Height {
        Height { axis: self.axis(0, axis), a: self.joint.frame_a.position, b: self.joint.frame_b.position }
    }

    fn angle(&self) -> Angle {
        let xy = |end: usize| [self.axis(end, Axis::X), self.axis(end, Axis::Y)];
        Angle { a: xy(0), b: xy(1) }
    }

    fn constraint(&self, constraint: Constraint) -> Primitive {
        let (a, b) = (self.joint.frame_a.position, self.joint.frame_b.position);
        match constraint {
            Constraint::Coincident => Primitive::Coincident(Coincident { a, b }),
            Constraint::Perpendicular(k, l) => {
                Primitive::Perpendicular(Perpendicular { a: self.axis(0, k), b: self.axis(1, l) })
            }
            Constraint::InPlane(axis) => Primitive::Height(Box::new(self.height(axis))),
            Constraint::Distance => Primitive::Distance(Box::new(Distance { a, b, length: self.joint.distance })),
            Constraint::Rolling => {
                let ([normal, axis], radius) = ([0, 1].map(|end| self.axis(end, Axis::Z)), self.joint.radius);
                Primitive::Rolling(Box::new(Rolling { a, normal, b, axis, radius }))
            }
            Constraint::Screw => {
                let (slide, angle, pitch) = (self.height(Axis::Z), self.angle(), self.joint.pitch);
                Primitive::Screw(Box::new(Screw { slide, angle, pitch }))
            }
        }
    }

    fn coordinate(&self, coordinate: Coordinate) -> Primitive {
        match coordinate {
            Coordinate::Angle => Primitive::Angle(Box::new(self.angle())),
            Coordinate::Displacement => Primitive::Height(Box::new(self.height(Axis::Z))),
        }
    }
}

/// A joint in the assembled model. The fields that every evaluation reads fit into one cache line,
/// one joint after the other, for models of many thousand joints.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub struct JointElement {
    /// See [`JointElement::ends`].
    ends: [u32; 2],
    /// Those of the kind, then drives.
    primitives: Box<[Primitive]>,
    /// Index of each row among the independent constraints; None where the row is redundant.
    pub indices: Indices,
    kind: JointKind,
    /// Whether coordinate and slide are imposed: the last primitives, in this order.
    driven: [bool; 2],
    /// For coordinate and slide, if forces act on them, whether they depend on rotations only.
    moves: [Option<bool>; 2],
    /// Whether a spring acts on these.
    is_sprung: [bool; 2],
    rest: Box<Rest>,
}

const _: () = assert!(size_of::<JointElement>() == 64);

/// Fields that few evaluations read.
#[derive(Debug, Clone)]
struct Rest {
    frames: [Pose; 2],
    /// The coordinate, if the joint has one; a broken one keeps its springs and machines only.
    coordinate: Option<Primitive>,
    /// The coordinate at coincident joint frames.
    offset: f64,
    /// The displacement along z, if it is free.
    slide: Option<Primitive>,
    /// Of coordinate and slide.
    springs: [Option<JointSpring>; 2],
    /// Forces over coordinate and slide.
    tables: [Option<Arc<CoordinateSpring>>; 2],
    /// Forces over rates, of coordinate and slide.
    dampers: [Option<Arc<Curve>>; 2],
    /// Friction and stops of both, and where their own variables begin.
    machines: [Option<(Machine, usize)>; 2],
}

/// The constraints of a joint's kind, then those of its drives; none of a broken joint.
fn primitives(joint: &Joint) -> Box<[Primitive]> {
    let (frames, facts) = (Frames::of(joint), joint.kind.facts());
    let held = facts.constraints.iter().map(|constraint| frames.constraint(*constraint));
    let coordinate = joint.kind.coordinate().filter(|_| joint.driven);
    let slide = (joint.kind.has_slide() && joint.slide_driven).then_some(Coordinate::Displacement);
    let all = held.chain(coordinate.into_iter().chain(slide).map(|coordinate| frames.coordinate(coordinate)));
    all.filter(|_| !joint.is_broken).collect()
}

/// Imposed values of a joint's coordinate at one time: q, its rate and acceleration.
pub type Drive = [f64; 3];

/// Imposed values of its coordinate and of its slide.
pub type Drives = [Drive; 2];

impl JointElement {
    /// All joints of a model, from their descriptions; `ground` is the index of the ground.
    pub fn all(joints: &[Joint], ground: usize) -> Vec<JointElement> {
        // These are allocated first, so that they are contiguous in memory.
        let primitives: Vec<Box<[Primitive]>> = joints.iter().map(primitives).collect();
        let with_rest = |(joint, primitives)| JointElement::new(joint, primitives, ground);
        joints.iter().zip(primitives).map(with_rest).collect()
    }

    fn new(joint: &Joint, primitives: Box<[Primitive]>, ground: usize) -> JointElement {
        let (frames, holds) = (Frames::of(joint), !joint.is_broken);
        let coordinate = joint.kind.coordinate().filter(|_| holds).map(|coordinate| frames.coordinate(coordinate));
        let slide = (joint.kind.has_slide() && holds).then(|| frames.coordinate(Coordinate::Displacement));
        let springs = [joint.spring, joint.slide_spring];
        let dampers = joint.dampers.each_ref().map(|points| coordinate::damper_of(points));
        let tables = joint.spring_tables.each_ref().map(|points| coordinate::table_of(points));
        let machines = joint.machines.map(|machine| (!machine.is_none()).then_some((machine, 0)));
        // The slide of PRISMATIC and SCREW is not a coordinate of its own: no forces act on it.
        let free_slide = slide.as_ref().filter(|_| joint.kind.has_free_slide());
        JointElement {
            ends: [joint.body_a, joint.body_b].map(|body| body.unwrap_or(ground) as u32),
            indices: [None; MOST_ROWS],
            kind: joint.kind,
            driven: joint.drives().map(|is_driven| is_driven && holds),
            moves: [coordinate.as_ref(), free_slide].map(|primitive| primitive.map(Primitive::turns_only)),
            is_sprung: [0, 1]
                .map(|k| tables[k].is_some() || dampers[k].is_some() || springs[k].is_some() || machines[k].is_some()),
            primitives,
            rest: Box::new(Rest {
                frames: [joint.frame_a, joint.frame_b],
                coordinate,
                offset: joint.offset,
                slide,
                springs,
                tables,
                dampers,
                machines,
            }),
        }
    }

    /// Both bodies; the ground has the index after the last body.
    #[inline(always)]
    pub fn ends(&self) -> [usize; 2] {
        self.ends.map(|end| end as usize)
    }

    /// Which drive row k belongs to: of the coordinate (0), of the slide (1), or none.
    pub(in crate::system) fn drive_of(&self, k: usize) -> Option<usize> {
        if self.driven == [false; 2] {
            return None;
        }
        let [coordinate, slide] = self.driven.map(usize::from);
        match (k + 1 + slide).checked_sub(self.rows()) {
            Some(0) if coordinate == 1 => Some(0),
            Some(_) if slide == 1 && k + 1 == self.rows() => Some(1),
            _ => None,
        }
    }

    /// Phi of row k less its imposed value.
    fn misfit(&self, k: usize, phi: f64, drives: &Drives) -> f64 {
        match self.drive_of(k) {
            None => phi,
            Some(0) if self.has_angle() => wrap(phi + self.rest.offset - drives[0][0]),
            Some(0) => phi + self.rest.offset - drives[0][0],
            Some(_) => phi - drives[1][0],
        }
    }

    /// The imposed rate (order 1) or acceleration (order 2) of row k.
    fn imposed(&self, k: usize, drives: &Drives, order: usize) -> f64 {
        self.drive_of(k).map_or(0.0, |which| drives[which][order])
    }

    /// Number of scalar constraints, redundant ones included.
    pub fn rows(&self) -> usize {
        self.primitives.iter().map(Primitive::rows).sum()
    }

    /// Calls `each(k, Phi_k, B_k, is_length)` for every scalar constraint k, at the motions of both
    /// ends; a driven coordinate gives its value as Phi.
    pub fn for_each_row(&self, [a, b]: [&Motion; 2], mut each: impl FnMut(usize, f64, Row, bool)) {
        let mut first = 0;
        for primitive in self.primitives.iter() {
            primitive.for_each_row(a, b, |k, phi, row| each(first + k, phi, row, primitive.is_length()));
            first += primitive.rows();
        }
    }

    /// Calls `each(index, B_k, nu_k, gamma_k)` for every independent constraint:
    /// `dPhi/dt = B v + nu`, `d^2 Phi/dt^2 = B vdot + gamma`.
    #[inline(always)]
    pub fn for_each_rate(&self, [a, b]: [&Motion; 2], drives: &Drives, mut each: impl FnMut(usize, &Row, f64, f64)) {
        let mut first = 0;
        for primitive in self.primitives.iter() {
            let gamma = primitive.velocity_terms(a, b);
            primitive.for_each_row(a, b, |k, _, row| {
                if let Some(index) = self.indices[first + k] {
                    let imposed = |order| self.imposed(first + k, drives, order);
                    each(index.get(), &row, -imposed(1), gamma[k] - imposed(2));
                }
            });
            first += primitive.rows();
        }
    }

    /// Violation of `B v + nu = 0` by the first of three vectors like velocities of both ends, and
    /// of `B vdot + gamma = 0` by the other two: calls `each(k, left)` for all independent
    /// constraints, for several from k on in one call.
    #[inline(always)]
    pub fn violations(
        &self,
        [a, b]: [&Motion; 2],
        drives: &Drives,
        ends: [Rates; 2],
        each: &mut impl FnMut(usize, &[[f64; 3]]),
    ) {
        let (mut first, x) = (0, or_rest(ends));
        for primitive in self.primitives.iter() {
            let indices = &self.indices[first..first + primitive.rows()];
            match (primitive, consecutive(indices)) {
                // Coincident points have no imposed values.
                (Primitive::Coincident(p), Some(index)) => each(index, &p.violations([a, b], ends)),
                _ => {
                    let gamma = primitive.velocity_terms(a, b);
                    primitive.for_each_product(a, b, x, |k, [v, a, vdot]| {
                        if let Some(index) = indices[k] {
                            let imposed = |order| self.imposed(first + k, drives, order);
                            let (nu, gamma) = (-imposed(1), gamma[k] - imposed(2));
                            each(index.get(), &[[v + nu, a + gamma, vdot + gamma]]);
                        }
                    });
                }
            }
            first += primitive.rows();
        }
    }

    /// Adds constraints, reactions and the geometric stiffness.
    #[inline(always)]
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>, lambda: &[f64], drives: &Drives) {
        let mut first = 0;
        // Sum over all pairs of axes, whose blocks of the matrix are the same.
        let mut turning: Option<Mat3> = None;
        for primitive in self.primitives.iter() {
            let indices = &self.indices[first..first + primitive.rows()];
            match primitive {
                Primitive::Perpendicular(p) => {
                    let stiffness = self.assemble_perpendicular(assembly, p, first, lambda);
                    turning = Some(turning.map_or(stiffness, |sum| sum + stiffness));
                }
                Primitive::Rolling(p) => self.assemble_rolling(assembly, p, lambda),
                Primitive::Coincident(p) => match consecutive(indices) {
                    Some(index) => p.assemble(assembly, self.ends(), index, lambda),
                    None => self.assemble_rows(assembly, primitive, first, lambda, drives),
                },
                _ => self.assemble_rows(assembly, primitive, first, lambda, drives),
            }
            first += primitive.rows();
        }
        if let Some(stiffness) = turning {
            perpendicular::add_stiffness(assembly, self.ends(), &stiffness);
        }
    }

    /// Adds the constraint of a pair of axes, row `k` of the joint; returns its geometric
    /// stiffness, the block of a with respect to the rotation of a.
    #[inline(always)]
    fn assemble_perpendicular<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        axes: &Perpendicular,
        k: usize,
        lambda: &[f64],
    ) -> Mat3 {
        let (motions, level) = (assembly.motions, assembly.level);
        let [a, b] = self.ends().map(|end| &motions[end]);
        let Some(index) = self.indices[k].map(Index::get) else { return Mat3::zeros() };
        let (value, gradient) = axes.equation(level, a, b);
        assembly.add_turning_constraint(index, self.ends(), &gradient, value, lambda[index]);
        if assembly.wants_tangents() { axes.stiffness(a, b) * lambda[index] } else { Mat3::zeros() }
    }

    /// Adds the constraints of a primitive, the first of which is row `first` of the joint, one by
    /// one.
    #[inline(always)]
    fn assemble_rows<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        primitive: &Primitive,
        first: usize,
        lambda: &[f64],
        drives: &Drives,
    ) {
        let (motions, level) = (assembly.motions, assembly.level);
        let [a, b] = self.ends().map(|end| &motions[end]);
        let indices = &self.indices[first..first + primitive.rows()];
        let gamma = match level {
            Level::Acceleration => primitive.velocity_terms(a, b),
            _ => [0.0; 3],
        };
        primitive.for_each_row(a, b, |k, phi, row| {
            let residual = match level {
                Level::Position => self.misfit(first + k, phi, drives),
                Level::Velocity => rate(&row, a, b) - self.imposed(first + k, drives, 1),
                Level::Acceleration => acceleration(&row, a, b) + gamma[k] - self.imposed(first + k, drives, 2),
            };
            assembly.add_constraint(indices[k].map(Index::get), self.ends(), &row, residual, lambda);
        });
        let of_row = |k: usize| indices.get(k).copied().flatten().map_or(0.0, |index| lambda[index.get()]);
        primitive.add_stiffness(assembly, self.ends(), &[of_row(0), of_row(1), of_row(2)]);
    }

    /// The wrench of the other body on a (`end` 0) or on b (1) at the origin of its joint frame,
    /// inertial axes, for one multiplier per row.
    pub fn reaction(&self, ends: [&Motion; 2], end: usize, multipliers: &[f64; MOST_ROWS]) -> Vec6 {
        let mut wrench = Vec6::zeros();
        self.for_each_row(ends, |k, _, row, _| wrench -= [row.a, row.b][end] * multipliers[k]);
        let arm = ends[end].arm(&self.rest.frames[end].position);
        let force = upper(&wrench);
        crate::spatial::join(&force, &(lower(&wrench) - arm.cross(&force)))
    }
}
