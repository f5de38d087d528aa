//! Derivatives of angular rates with respect to increments, for schemes where gamma' and beta' are
//! not sufficient.
//!
//! In the iteration of a step velocities change by gamma' times the increments and accelerations by
//! beta' times them. A scheme whose variable is the angular momentum has matrices instead:
//! `domega/dpsi = gamma' V`, `domegadot/dpsi = beta' A`; and it knows the rate of the momentum,
//! which is the inertia moment. V and A are computed only for terms that depend on velocities or
//! accelerations: joints and springs without dampers do not need them.

use super::coefficients::Coefficients;
use crate::spatial::{Mat3, Mat6, Vec3, mul_skew, skew, times_tangent};

/// The quantities of one body; letters as in docs/theory.md, inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    /// Whether J is the inertia of the body, so that the next two are its inertia moment and its
    /// derivative.
    pub is_own: bool,
    /// pdot = J omegadot + omega x J omega.
    pub rate: Vec3,
    /// Its derivative with respect to the rotation vector psi of the increment.
    pub rate_by_psi: Mat3,
    /// J^-1.
    pub inverse: Mat3,
    /// dy/dpsi.
    pub by_psi: Mat3,
    /// c_theta.
    pub carried: Mat3,
    /// S.
    pub slope: Mat3,
    /// alpha_theta.
    pub free: Mat3,
    /// T^T of the increment.
    pub tangent: Mat3,
    /// h gamma, 1/gamma', 1/beta'.
    pub factors: [f64; 3],
}

impl Turning {
    /// A body with the factors gamma' and beta' alone.
    pub const PLAIN: Turning = Turning {
        is_own: false,
        rate: Vec3::new(0.0, 0.0, 0.0),
        rate_by_psi: IDENTITY,
        inverse: IDENTITY,
        by_psi: IDENTITY,
        carried: ZERO,
        slope: ZERO,
        free: ZERO,
        tangent: ZERO,
        factors: [1.0; 3],
    };

    /// V.
    #[inline(always)]
    pub fn velocity(&self) -> Mat3 {
        let [step, per_velocity, _] = self.factors;
        (self.carried * self.tangent + self.by_psi * step) * per_velocity
    }

    /// A, of omegadot = J^-1 pdot + alpha.
    #[inline(always)]
    pub fn acceleration(&self) -> Mat3 {
        let [step, _, per_acceleration] = self.factors;
        let turned = mul_skew(&self.inverse, &self.rate) - skew(&(self.inverse * self.rate)) + self.free;
        (self.inverse * self.rate_by_psi + turned * self.tangent + self.slope * (self.by_psi * step)) * per_acceleration
    }
}

const ZERO: Mat3 = Mat3::from_array_storage(nalgebra::ArrayStorage([[0.0; 3]; 3]));
const IDENTITY: Mat3 =
    Mat3::from_array_storage(nalgebra::ArrayStorage([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]));

/// The quantities of a body in the matrix of a step, which alone has all three coefficients:
/// matrices of analyses and of accelerations are derivatives with respect to velocities and
/// accelerations themselves. None: gamma' and beta' suffice.
#[inline(always)]
pub fn of<'a>(turnings: &'a [Turning], body: usize, c: &Coefficients) -> Option<&'a Turning> {
    if c.damping == 0.0 || c.stiffness == 0.0 {
        return None;
    }
    turnings.get(body)
}

/// Converts a derivative with respect to velocities or accelerations into one with respect to
/// increments: its columns of rotations times V or A.
#[inline(always)]
pub fn over_increments(derivative: &Mat6, turning: Option<Mat3>) -> Mat6 {
    turning.map_or(*derivative, |turning| times_tangent(derivative, &turning))
}
