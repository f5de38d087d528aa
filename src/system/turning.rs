//! How rates of rotation follow from increments where two numbers do not say it.
//!
//! In the iteration of a step velocities change by gamma' times the increments and accelerations by beta' times them. A scheme
//! that carries the angular momentum has matrices there: `domega/dpsi = gamma' V`, `domegadot/dpsi = beta' A`; and it knows the
//! rate of the momentum, which the inertia forces are. V and A are formed where something depends on velocities or
//! accelerations: joints and springs do not.

use super::coefficients::Coefficients;
use crate::spatial::{Mat3, Mat6, Vec3, mul_skew, skew, times_tangent};

/// What one body has; letters as in docs/theory.md, inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Turning {
    /// Whether J is that of the body, so that the next two say what its inertia forces are.
    pub is_own: bool,
    /// pdot = J omegadot + omega x J omega.
    pub rate: Vec3,
    /// How it changes over the rotation vector psi of the increment.
    pub rate_by_psi: Mat3,
    /// J^-1.
    pub inverse: Mat3,
    /// dy/dpsi.
    pub by_psi: Mat3,
    /// c_theta, S, alpha_theta.
    pub carried: Mat3,
    /// See above.
    pub slope: Mat3,
    /// See above.
    pub free: Mat3,
    /// T^T of the increment.
    pub tangent: Mat3,
    /// h gamma, 1/gamma', 1/beta'.
    pub factors: [f64; 3],
}

impl Turning {
    /// The numbers gamma' and beta' alone.
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

/// Those of a body in the matrix of a step, which alone has all three factors: matrices of analyses and of accelerations are
/// over velocities and accelerations themselves. None: two numbers do.
#[inline(always)]
pub fn of<'a>(turnings: &'a [Turning], body: usize, c: &Coefficients) -> Option<&'a Turning> {
    if c.damping == 0.0 || c.stiffness == 0.0 {
        return None;
    }
    turnings.get(body)
}

/// A derivative by velocities or accelerations, over increments: its columns of rotations times V or A.
#[inline(always)]
pub fn over_increments(derivative: &Mat6, turning: Option<Mat3>) -> Mat6 {
    turning.map_or(*derivative, |turning| times_tangent(derivative, &turning))
}
