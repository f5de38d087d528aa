//! How rates of rotation follow from increments where two numbers do not say it.
//!
//! In the iteration of a step velocities change by gamma' times the increments and accelerations by beta' times them. A scheme
//! that carries the angular momentum has matrices there: `domega/dpsi = gamma' V`, `domegadot/dpsi = beta' A`; and it knows the
//! rate of the momentum, which the inertia forces are.

use super::Coefficients;
use crate::spatial::{Mat3, Mat6, Vec3, times_tangent};

/// What one body has.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    /// V, over the rotation vector of the increment.
    pub velocity: Mat3,
    /// A, likewise.
    pub acceleration: Mat3,
    /// pdot; None: it follows from omega and omegadot.
    pub momentum: Option<MomentumRate>,
}

/// The rate of a body's angular momentum about the point that is integrated, inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct MomentumRate {
    /// pdot = J omegadot + omega x J omega.
    pub rate: Vec3,
    /// How it changes over the rotation vector of the increment.
    pub by_increment: Mat3,
}

impl Turning {
    /// The numbers gamma' and beta' alone.
    pub const PLAIN: Turning = Turning { velocity: IDENTITY, acceleration: IDENTITY, momentum: None };
}

const IDENTITY: Mat3 =
    Mat3::from_array_storage(nalgebra::ArrayStorage([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));

/// Those of a body in the matrix of a step, which alone has all three factors: matrices of analyses and of accelerations are
/// over velocities and accelerations themselves. None: two numbers do.
#[inline(always)]
pub fn of(turnings: &[Turning], body: usize, c: &Coefficients) -> Option<Turning> {
    if c.damping == 0.0 || c.stiffness == 0.0 {
        return None;
    }
    turnings.get(body).copied()
}

/// A derivative by velocities or accelerations, over increments: its columns of rotations times V or A.
#[inline(always)]
pub fn over_increments(derivative: &Mat6, turning: Option<Mat3>) -> Mat6 {
    turning.map_or(*derivative, |turning| times_tangent(derivative, &turning))
}
