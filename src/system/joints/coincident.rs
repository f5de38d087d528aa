//! Coincident points: `Phi = (x_b + s_b) - (x_a + s_a)`, s = R p, inertial axes.

use super::{GeometricStiffness, Rates};
use crate::linear::Assemble;
use crate::spatial::{Mat3, Vec3, join, skew_skew};
use crate::system::assembly::{Assembly, Level, Row};
use crate::system::motion::Motion;

/// Points on both bodies, in body axes.
#[derive(Debug, Clone)]
pub struct Coincident {
    /// On body a.
    pub a: Vec3,
    /// On body b.
    pub b: Vec3,
}

impl Coincident {
    /// `B_a = (-I, ~s_a)`, `B_b = (I, -~s_b)`: row k is `(e_k, s_b x e_k)` for b.
    #[inline(always)]
    pub fn for_each_row(&self, a: &Motion, b: &Motion, mut each: impl FnMut(usize, f64, Row)) {
        let (sa, sb) = (a.arm(&self.a), b.arm(&self.b));
        let phi = (b.x + sb) - (a.x + sa);
        let (turns_a, turns_b) = (crosses(&-sa), crosses(&sb));
        for k in 0..3 {
            let mut e = Vec3::zeros();
            e[k] = 1.0;
            each(k, phi[k], Row { a: join(&-e, &turns_a[k]), b: join(&e, &turns_b[k]) });
        }
    }

    /// Adds all three equations, of indices from `index` on: residual, gradient, reactions and
    /// geometric stiffness.
    #[inline(always)]
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>, ends: [usize; 2], index: usize, lambda: &[f64]) {
        let motions = assembly.motions;
        let [a, b] = ends.map(|end| &motions[end]);
        let (sa, sb) = (a.arm(&self.a), b.arm(&self.b));
        let gap = gap(assembly.level, [a, b], [&sa, &sb]);
        let lambda = Vec3::new(lambda[index], lambda[index + 1], lambda[index + 2]);
        assembly.add_coincidence(index, ends, [&sa, &sb], &gap, &lambda);
        if assembly.wants_tangents() {
            assembly.add_rotational_stiffness(ends[0], &-skew_skew(&lambda, &sa));
            assembly.add_rotational_stiffness(ends[1], &skew_skew(&lambda, &sb));
        }
    }

    /// Phi, its rate, or its second derivative.
    #[inline(always)]
    pub fn equations(&self, level: Level, a: &Motion, b: &Motion) -> Vec3 {
        gap(level, [a, b], [&a.arm(&self.a), &b.arm(&self.b)])
    }

    /// `d(~s_b lambda)/dtheta_b = ~lambda ~s_b`, and the opposite on a.
    #[inline(always)]
    pub fn stiffness(&self, a: &Motion, b: &Motion, lambda: &[f64]) -> GeometricStiffness {
        let l = Vec3::new(lambda[0], lambda[1], lambda[2]);
        let z = Mat3::zeros();
        [[-skew_skew(&l, &a.arm(&self.a)), z], [z, skew_skew(&l, &b.arm(&self.b))]]
    }

    /// `B x` of three vectors like velocities of both ends.
    #[inline(always)]
    pub fn rates(&self, a: &Motion, b: &Motion, x: [[&[f64; 6]; 2]; 3]) -> [[f64; 3]; 3] {
        let arms = [&a.arm(&self.a), &b.arm(&self.b)];
        x.map(|x| rate(x, arms).into())
    }

    /// `omega x (omega x s)` of b less that of a.
    #[inline(always)]
    pub fn velocity_terms(&self, a: &Motion, b: &Motion) -> [f64; 3] {
        (centripetal(b, &b.arm(&self.b)) - centripetal(a, &a.arm(&self.a))).into()
    }

    /// Violations by three vectors like velocities of both ends: of `B v = 0` by the first, of
    /// `B vdot + gamma = 0` by the others; by rows.
    #[inline(always)]
    pub fn violations(&self, [a, b]: [&Motion; 2], ends: [Rates; 2]) -> [[f64; 3]; 3] {
        let (a, b) = (of_point(a, ends[0], &self.a), of_point(b, ends[1], &self.b));
        let [v, first, second, gamma] = [b[0] - a[0], b[1] - a[1], b[2] - a[2], b[3] - a[3]];
        let (first, second) = (first + gamma, second + gamma);
        [[v.x, first.x, second.x], [v.y, first.y, second.y], [v.z, first.z, second.z]]
    }
}

/// Three vectors like velocities at a point of a body, and its centripetal acceleration.
#[inline(always)]
fn of_point(motion: &Motion, rates: Rates, local: &Vec3) -> [Vec3; 4] {
    let Some([v, first, second]) = rates else { return [Vec3::zeros(); 4] };
    let s = motion.arm(local);
    [at(v, &s), at(first, &s), at(second, &s), centripetal(motion, &s)]
}

/// A vector like velocities at the point of an arm.
#[inline(always)]
fn at(x: &[f64; 6], s: &Vec3) -> Vec3 {
    Vec3::new(x[0], x[1], x[2]) + Vec3::new(x[3], x[4], x[5]).cross(s)
}

/// `B x` of a vector like velocities of both ends.
#[inline(always)]
fn rate([a, b]: [&[f64; 6]; 2], [sa, sb]: [&Vec3; 2]) -> Vec3 {
    at(b, sb) - at(a, sa)
}

/// `omega x (omega x s)`.
#[inline(always)]
fn centripetal(motion: &Motion, arm: &Vec3) -> Vec3 {
    motion.omega.cross(&motion.omega.cross(arm))
}

/// Phi, its rate, or its second derivative, with the arms s.
#[inline(always)]
fn gap(level: Level, [a, b]: [&Motion; 2], [sa, sb]: [&Vec3; 2]) -> Vec3 {
    match level {
        Level::Position => (b.x + sb) - (a.x + sa),
        Level::Velocity => b.velocity_at(sb) - a.velocity_at(sa),
        Level::Acceleration => b.acceleration_at(sb) - a.acceleration_at(sa),
    }
}

/// `s x e_k` of the three axes.
#[inline(always)]
fn crosses(s: &Vec3) -> [Vec3; 3] {
    [Vec3::new(0.0, s.z, -s.y), Vec3::new(-s.z, 0.0, s.x), Vec3::new(s.y, -s.x, 0.0)]
}
