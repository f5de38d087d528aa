//! Two axes stay perpendicular: `Phi = u . w`, u fixed in body a, w in body b.

use crate::linear::Assemble;
use crate::spatial::{Mat3, Vec3, join, skew_skew};
use crate::system::assembly::{Assembly, Level, Row};
use crate::system::motion::Motion;

/// Unit axes on both bodies, in body axes.
#[derive(Debug, Clone)]
pub struct Perpendicular {
    /// u, on body a.
    pub a: Vec3,
    /// w, on body b.
    pub b: Vec3,
}

impl Perpendicular {
    /// `B_a = (0, u x w)`, `B_b = -B_a`.
    #[inline(always)]
    pub fn row(&self, a: &Motion, b: &Motion) -> (f64, Row) {
        let (u, w) = (a.arm(&self.a), b.arm(&self.b));
        let c = join(&Vec3::zeros(), &u.cross(&w));
        (u.dot(&w), Row { a: c, b: -c })
    }

    /// Phi, its rate, or its second derivative, and the gradient `u x w` with respect to the
    /// rotation of a (that of b is the opposite).
    #[inline(always)]
    pub fn equation(&self, level: Level, a: &Motion, b: &Motion) -> (f64, Vec3) {
        let (u, w) = (a.arm(&self.a), b.arm(&self.b));
        let gradient = u.cross(&w);
        let value = match level {
            Level::Position => u.dot(&w),
            Level::Velocity => gradient.dot(&(a.omega - b.omega)),
            Level::Acceleration => gradient.dot(&(a.omegadot - b.omegadot)) + self.velocity_term(a, b),
        };
        (value, gradient)
    }

    /// w in axes of body a, or its rate or second derivative seen from a; `u . this` is
    /// [`Perpendicular::equation`]. With omega the angular velocity of a less that of b, they are
    /// `R_a^T` times w, `w x omega`, and
    /// `w x (alpha_a - alpha_b + omega_a x omega_b) + omega x (omega x w)`.
    #[inline(always)]
    pub fn seen_from_a(&self, level: Level, a: &Motion, b: &Motion) -> Vec3 {
        let (w, omega) = (b.arm(&self.b), a.omega - b.omega);
        let seen = match level {
            Level::Position => w,
            Level::Velocity => w.cross(&omega),
            Level::Acceleration => {
                let change = a.omegadot - b.omegadot + a.omega.cross(&b.omega);
                w.cross(&change) + omega.cross(&omega.cross(&w))
            }
        };
        a.r.tr_mul(&seen)
    }

    /// `~w ~u`, from `d(u x w) = ~w ~u dtheta_a - ~u ~w dtheta_b`.
    #[inline(always)]
    pub fn stiffness(&self, a: &Motion, b: &Motion) -> Mat3 {
        skew_skew(&b.arm(&self.b), &a.arm(&self.a))
    }

    /// `B x` of three vectors like velocities of both ends.
    #[inline(always)]
    pub fn rates(&self, a: &Motion, b: &Motion, x: [[&[f64; 6]; 2]; 3]) -> [f64; 3] {
        let gradient = a.arm(&self.a).cross(&b.arm(&self.b));
        x.map(|[xa, xb]| gradient.dot(&Vec3::new(xa[3] - xb[3], xa[4] - xb[4], xa[5] - xb[5])))
    }

    /// `(omega_a - omega_b) . d(u x w)/dt`.
    #[inline(always)]
    pub fn velocity_term(&self, a: &Motion, b: &Motion) -> f64 {
        let (u, w) = (a.arm(&self.a), b.arm(&self.b));
        let rate = a.omega.cross(&u).cross(&w) + u.cross(&b.omega.cross(&w));
        (a.omega - b.omega).dot(&rate)
    }
}

/// Adds the sum over all pairs of axes of a joint of `lambda ~w ~u`, the block of a with respect to
/// the rotation of a. The other blocks are its opposite, its transpose, and the opposite of that.
#[inline(always)]
pub fn add_stiffness<A: Assemble>(assembly: &mut Assembly<A>, [a, b]: [usize; 2], sum: &Mat3) {
    let transposed = sum.transpose();
    if assembly.wants_tangents() {
        assembly.add_rotational_stiffness(a, sum);
        assembly.add_rotational_stiffness(b, &transposed);
    }
    assembly.add_rotational_coupling(a, b, &-transposed);
    assembly.add_rotational_coupling(b, a, &-sum);
}
