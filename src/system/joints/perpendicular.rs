//! Two axes stay perpendicular: `Phi = u . w`, u fixed in body a, w in body b.

use super::GeometricStiffness;
use crate::spatial::{Vec3, join, skew_skew};
use crate::system::assembly::Row;
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

    /// `d(u x w) = ~w ~u dtheta_a - ~u ~w dtheta_b`.
    #[inline(always)]
    pub fn stiffness(&self, a: &Motion, b: &Motion, lambda: f64) -> GeometricStiffness {
        let (u, w) = (a.arm(&self.a), b.arm(&self.b));
        let (wu, uw) = (skew_skew(&w, &u) * lambda, skew_skew(&u, &w) * lambda);
        [[wu, -uw], [-wu, uw]]
    }

    /// `(omega_a - omega_b) . d(u x w)/dt`.
    pub fn velocity_term(&self, a: &Motion, b: &Motion) -> f64 {
        let (u, w) = (a.arm(&self.a), b.arm(&self.b));
        let rate = a.omega.cross(&u).cross(&w) + u.cross(&b.omega.cross(&w));
        (a.omega - b.omega).dot(&rate)
    }
}
