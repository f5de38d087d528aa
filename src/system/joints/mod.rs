//! Joints, each a short list of primitive constraints on two frames.
//!
//! A new joint is one line in [`primitives`]; a new primitive is one file beside the others and one arm in
//! [`Primitive`]'s methods.

mod coincident;
mod perpendicular;

pub use coincident::Coincident;
pub use perpendicular::Perpendicular;

use super::assembly::{Assembly, Level, Row};
use super::motion::Motion;
use crate::linear::Assemble;
use crate::model::{Joint, JointKind};
use crate::spatial::{Mat3, Pose, Vec3, Vec6, lower, rotation, upper};

/// Most scalar constraints of one joint.
pub const MOST_ROWS: usize = 6;

/// A constraint between two frames, one on each body.
#[derive(Debug, Clone)]
pub enum Primitive {
    /// Two points coincide (3 equations).
    Coincident(Coincident),
    /// Two axes are perpendicular (1 equation).
    Perpendicular(Perpendicular),
}

/// Geometric stiffness `d(B^T lambda)/dtheta`: rotational blocks `[row body][column body]`.
pub type GeometricStiffness = [[Mat3; 2]; 2];

impl Primitive {
    /// Number of equations.
    pub fn rows(&self) -> usize {
        match self {
            Primitive::Coincident(_) => 3,
            Primitive::Perpendicular(_) => 1,
        }
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
        }
    }

    /// `d(B^T lambda)/dtheta`.
    #[inline(always)]
    fn stiffness(&self, a: &Motion, b: &Motion, lambda: &[f64]) -> GeometricStiffness {
        match self {
            Primitive::Coincident(p) => p.stiffness(a, b, lambda),
            Primitive::Perpendicular(p) => p.stiffness(a, b, lambda[0]),
        }
    }

    /// gamma of `d^2 Phi/dt^2 = B vdot + gamma`.
    fn velocity_terms(&self, a: &Motion, b: &Motion) -> [f64; 3] {
        match self {
            Primitive::Coincident(p) => p.velocity_terms(a, b),
            Primitive::Perpendicular(p) => [p.velocity_term(a, b), 0.0, 0.0],
        }
    }

    /// Whether Phi is a length (else it is dimensionless).
    fn is_length(&self) -> bool {
        matches!(self, Primitive::Coincident(_))
    }
}

/// The primitives of a joint whose frames are `a` and `b`: free or driven axis is z.
fn primitives(kind: JointKind, a: &Pose, b: &Pose) -> Vec<Primitive> {
    let (ra, rb) = (a.matrix(), b.matrix());
    let point = Primitive::Coincident(Coincident { a: a.position, b: b.position });
    let perpendicular = |axis_a: usize, axis_b: usize| {
        Primitive::Perpendicular(Perpendicular { a: ra.column(axis_a).into(), b: rb.column(axis_b).into() })
    };
    const X: usize = 0;
    const Y: usize = 1;
    const Z: usize = 2;
    match kind {
        JointKind::Spherical => vec![point],
        JointKind::Revolute => vec![point, perpendicular(X, Z), perpendicular(Y, Z)],
        // At aligned frames the gradients are -y, x and -z: regular.
        JointKind::Fixed => vec![point, perpendicular(X, Z), perpendicular(Y, Z), perpendicular(Y, X)],
    }
}

/// A joint as the system evaluates it.
#[derive(Debug, Clone)]
pub struct JointElement {
    /// Both bodies; the ground is the index past the last body.
    pub ends: [usize; 2],
    kind: JointKind,
    frames: [Pose; 2],
    primitives: Vec<Primitive>,
    /// Index of each row among the independent constraints; None where the row is redundant.
    pub indices: [Option<usize>; MOST_ROWS],
}

/// How far a joint's frames are from where it wants them: length and angle.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// Distance of the origins.
    pub length: f64,
    /// Angle between the parts that must be aligned (rad), whatever the solution the constraints could also have.
    pub angle: f64,
}

impl JointElement {
    /// From the description; `ground` is the index that stands for the ground.
    pub fn new(joint: &Joint, ground: usize) -> JointElement {
        JointElement {
            ends: [joint.body_a.unwrap_or(ground), joint.body_b.unwrap_or(ground)],
            kind: joint.kind,
            frames: [joint.frame_a, joint.frame_b],
            primitives: primitives(joint.kind, &joint.frame_a, &joint.frame_b),
            indices: [None; MOST_ROWS],
        }
    }

    /// Number of scalar constraints, redundant ones included.
    pub fn rows(&self) -> usize {
        self.primitives.iter().map(Primitive::rows).sum()
    }

    /// Calls `each(k, Phi_k, B_k, is_length)` for every scalar constraint k, at the motions of both ends.
    pub fn for_each_row(&self, [a, b]: [&Motion; 2], mut each: impl FnMut(usize, f64, Row, bool)) {
        let mut first = 0;
        for primitive in &self.primitives {
            primitive.for_each_row(a, b, |k, phi, row| each(first + k, phi, row, primitive.is_length()));
            first += primitive.rows();
        }
    }

    /// Calls `each(index, B_k, gamma_k)` for every independent constraint: `d^2 Phi/dt^2 = B vdot + gamma`.
    #[inline(always)]
    pub fn for_each_acceleration(&self, [a, b]: [&Motion; 2], mut each: impl FnMut(usize, &Row, f64)) {
        let mut first = 0;
        for primitive in &self.primitives {
            let gamma = primitive.velocity_terms(a, b);
            primitive.for_each_row(a, b, |k, _, row| {
                if let Some(index) = self.indices[first + k] {
                    each(index, &row, gamma[k]);
                }
            });
            first += primitive.rows();
        }
    }

    /// Adds constraints, reactions and the geometric stiffness.
    #[inline(always)]
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>, lambda: &[f64]) {
        let motions = assembly.motions;
        let (a, b) = (&motions[self.ends[0]], &motions[self.ends[1]]);
        let mut first = 0;
        for primitive in &self.primitives {
            let indices = &self.indices[first..first + primitive.rows()];
            let gamma = match assembly.level {
                Level::Acceleration => primitive.velocity_terms(a, b),
                _ => [0.0; 3],
            };
            let level = assembly.level;
            primitive.for_each_row(a, b, |k, phi, row| {
                let residual = match level {
                    Level::Position => phi,
                    Level::Velocity => rate(&row, a, b),
                    Level::Acceleration => acceleration(&row, a, b) + gamma[k],
                };
                assembly.add_constraint(indices[k], self.ends, &row, residual, lambda);
            });
            let of_row = |k: usize| indices.get(k).copied().flatten().map_or(0.0, |index| lambda[index]);
            let k = primitive.stiffness(a, b, &[of_row(0), of_row(1), of_row(2)]);
            let [end_a, end_b] = self.ends;
            assembly.add_rotational_stiffness(end_a, &k[0][0]);
            assembly.add_rotational_stiffness(end_b, &k[1][1]);
            if let Primitive::Perpendicular(_) = primitive {
                assembly.add_rotational_coupling(end_a, end_b, &k[0][1]);
                assembly.add_rotational_coupling(end_b, end_a, &k[1][0]);
            }
            first += primitive.rows();
        }
    }

    /// The wrench of a on b at the origin of b's joint frame, inertial axes, for one multiplier per row.
    pub fn reaction(&self, ends: [&Motion; 2], multipliers: &[f64; MOST_ROWS]) -> Vec6 {
        let mut wrench = Vec6::zeros();
        self.for_each_row(ends, |k, _, row, _| wrench -= row.b * multipliers[k]);
        let arm = ends[1].arm(&self.frames[1].position);
        let force = upper(&wrench);
        crate::spatial::join(&force, &(lower(&wrench) - arm.cross(&force)))
    }

    /// Distance and misalignment of the joint frames.
    pub fn gap(&self, ends: [&Motion; 2]) -> Gap {
        let frame = |end: usize| Pose { position: ends[end].x, rotation: ends[end].q }.compose(&self.frames[end]);
        let (a, b) = (frame(0), frame(1));
        let z: Vec3 = a.matrix().column(2).into();
        let angle = match self.kind {
            JointKind::Spherical => 0.0,
            JointKind::Revolute => {
                let zb: Vec3 = b.matrix().column(2).into();
                z.cross(&zb).norm().atan2(z.dot(&zb))
            }
            JointKind::Fixed => rotation::log(&(a.rotation.inverse() * b.rotation)).norm(),
        };
        Gap { length: (b.position - a.position).norm(), angle }
    }

    /// Largest rates of the constraints: of lengths, and of angles.
    pub fn gap_rate(&self, ends: [&Motion; 2]) -> Gap {
        let mut gap = Gap { length: 0.0, angle: 0.0 };
        self.for_each_row(ends, |_, _, row, is_length| {
            let rate = rate(&row, ends[0], ends[1]).abs();
            let part = if is_length { &mut gap.length } else { &mut gap.angle };
            // `max` would hide NaN.
            if rate > *part || rate.is_nan() {
                *part = rate;
            }
        });
        gap
    }
}

/// `B v`.
#[inline(always)]
pub fn rate(row: &Row, a: &Motion, b: &Motion) -> f64 {
    upper(&row.a).dot(&a.v) + lower(&row.a).dot(&a.omega) + upper(&row.b).dot(&b.v) + lower(&row.b).dot(&b.omega)
}

/// `B vdot`.
fn acceleration(row: &Row, a: &Motion, b: &Motion) -> f64 {
    upper(&row.a).dot(&a.vdot)
        + lower(&row.a).dot(&a.omegadot)
        + upper(&row.b).dot(&b.vdot)
        + lower(&row.b).dot(&b.omegadot)
}
