//! The elastic law of a beam element: a potential of the relative pose of its ends.
//!
//! With r the vector from end a to end b and phi the relative rotation vector, both in the axes of
//! end a, U^-1 the inverse tangent operator of phi, and L the chord of the reference shape:
//!
//! ```text
//! e = (U^-1 r - L e1, phi),   e* = e + (c2 e2^2 + c3 e3^2) e1,
//! V = 1/2 e* . F^-1 e*,   F = F0 + Z^T S2 Z - Z0^T S2 Z0 - Zk^T S1 - S1 Zk,
//! Zk = diag(~kappa, ~kappa),   kappa = phi/L,   Z0 = [0, 0; ~e1, 0],   Z = Z0 + Zk.
//! ```
//!
//! e is the logarithm on SE(3) of the relative pose (Sonneville, Cardona, Bruls 2014, Comput.
//! Methods Appl. Mech. Engrg. 268), F the flexibility of the bent element: force and moment between
//! its ends obey N' = -kappa x N, M' = -e1 x N - kappa x M. Moments of the sections' compliance
//! along the chord are F0, S1 and S2 (`sections`). c2 and c3 add the shortening of the chord by
//! lateral deflections.

use super::factors::Factors;
use crate::spatial::rotation::inverse_tangent;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, skew, skew_skew, upper};
use std::f64::consts::TAU;

type Mat63 = nalgebra::Matrix6x3<f64>;

/// Constants of the law.
#[derive(Debug, Clone)]
pub struct Law {
    /// L.
    pub length: f64,
    /// F0, S2, and S2 Z0 - S1.
    pub compliance: [Mat6; 3],
    /// c2, c3.
    pub shortening: [f64; 2],
}

/// zeta(2 n) - 1, n = 1 to 10.
const ZETA: [f64; 10] = [
    0.644_934_066_848_226_4,
    0.082_323_233_711_138_2,
    0.017_343_061_984_449_1,
    0.004_077_356_197_944_3,
    0.000_994_575_127_818_1,
    0.000_246_086_553_308,
    0.000_061_248_135_058_7,
    0.000_015_282_259_408_6,
    0.000_003_817_293_265,
    0.000_000_953_962_033_9,
];

/// k in U^-1 = I - ~phi/2 + k ~phi ~phi, with its first two derivatives by s = |phi|^2:
/// `k = sum_m 2/((2 pi m)^2 - s)`, the partial fractions of the cotangent. The first is kept as it
/// is, the others are a power series, of which ten terms have all digits to |phi| = 3.
pub fn factors(s: f64) -> [f64; 3] {
    let square = TAU * TAU;
    let pole = 1.0 / (square - s);
    let (mut k, mut slope, mut bend, mut power) = (0.0, 0.0, 0.0, 2.0 * square.powi(-10));
    for zeta in ZETA.iter().rev() {
        // Horner's scheme: all derivatives of the polynomial in one pass.
        bend = bend * s + 2.0 * slope;
        slope = slope * s + k;
        k = k * s + zeta * power;
        power *= square;
    }
    [k + 2.0 * pole, slope + 2.0 * pole * pole, bend + 4.0 * pole * pole * pole]
}

/// The derivative of U^-1 y by phi, with sign 1, and that of U^-T y, with sign -1.
pub fn tangent_change(phi: &Vec3, y: &Vec3, sign: f64, [k, k1, _]: [f64; 3]) -> Mat3 {
    let across = phi.cross(y);
    skew(y) * (0.5 * sign) - (skew(&across) + skew_skew(phi, y)) * k + phi.cross(&across) * (2.0 * k1) * phi.transpose()
}

/// The law at one deformation.
pub struct Deformed<'l> {
    law: &'l Law,
    r: Vec3,
    phi: Vec3,
    factors: [f64; 3],
    /// U^-1, and the derivative of U^-1 r by phi.
    pub inverse: Mat3,
    by_phi: Mat3,
    /// e; e*; F by its factors; y = F^-1 e*.
    e: Vec6,
    stretched: Vec6,
    flexibility: Factors,
    y: Vec6,
    /// S2 Z - S1, and u = (S2 Z - S1) y.
    carried: Mat6,
    u: Vec6,
    /// dV/de = (n, m).
    force: Vec6,
}

/// [~n; ~m] of y = (n, m).
fn stacked(y: &Vec6) -> Mat63 {
    let mut out = Mat63::zeros();
    out.fixed_view_mut::<3, 3>(0, 0).copy_from(&skew(&upper(y)));
    out.fixed_view_mut::<3, 3>(3, 0).copy_from(&skew(&lower(y)));
    out
}

/// M diag(~a, ~a).
fn times_skew(m: &Mat6, a: &Vec3) -> Mat6 {
    let columns = &m.data.0;
    let mut out = Mat6::zeros();
    for (j, column) in out.data.0.iter_mut().enumerate() {
        let (first, k) = (j - j % 3, j % 3);
        let [next, last] = [(k + 1) % 3, (k + 2) % 3];
        for (i, entry) in column.iter_mut().enumerate() {
            *entry = columns[first + next][i] * a[last] - columns[first + last][i] * a[next];
        }
    }
    out
}

/// diag(~a, ~a)^T M.
fn skew_times(a: &Vec3, m: &Mat6) -> Mat6 {
    let mut out = Mat6::zeros();
    for (to, from) in out.data.0.iter_mut().zip(&m.data.0) {
        for half in [0, 3] {
            let [x, y, z] = [from[half], from[half + 1], from[half + 2]];
            to[half] = a.z * y - a.y * z;
            to[half + 1] = a.x * z - a.z * x;
            to[half + 2] = a.y * x - a.x * y;
        }
    }
    out
}

impl Law {
    /// With these moments of the compliance, F0, S1, S2; and c2, c3.
    pub fn new(length: f64, [f0, s1, s2]: [Mat6; 3], shortening: [f64; 2]) -> Law {
        let mut straight = Mat6::zeros();
        add_block(&mut straight, 1, 0, &skew(&Vec3::x()));
        Law { length, compliance: [f0, s2, s2 * straight - s1], shortening }
    }

    /// F with its factors, and S2 Z - S1, at a curvature.
    #[inline(never)]
    fn bent(&self, kappa: &Vec3) -> Option<(Factors, Mat6)> {
        let [f0, s2, straight] = &self.compliance;
        let carried = straight + times_skew(s2, kappa);
        // Z^T S2 Z - Z0^T S2 Z0 - Zk^T S1 - S1 Zk is the symmetric part of Zk^T (S2 Z - S1 + S2
        // Z0 - S1).
        let change = skew_times(kappa, &(carried + straight));
        Some((Factors::of(&(f0 + (change + change.transpose()) * 0.5))?, carried))
    }

    /// V at a deformation d = (r, phi); None where the flexibility is not positive definite.
    pub fn potential(&self, d: &Vec6) -> Option<f64> {
        let (r, phi) = (upper(d), lower(d));
        let (_, stretched) = self.strains(&inverse_tangent(&phi), &r, &phi);
        let (flexibility, _) = self.bent(&(phi / self.length))?;
        Some(0.5 * stretched.dot(&flexibility.solve(&stretched)))
    }

    /// e and e*.
    fn strains(&self, inverse: &Mat3, r: &Vec3, phi: &Vec3) -> (Vec6, Vec6) {
        let e = join(&(inverse * r - Vec3::x() * self.length), phi);
        let [c2, c3] = self.shortening;
        let mut stretched = e;
        stretched[0] += c2 * e[1] * e[1] + c3 * e[2] * e[2];
        (e, stretched)
    }

    /// At a deformation d = (r, phi); None where the flexibility is not positive definite.
    #[inline(never)]
    pub fn at(&self, d: &Vec6) -> Option<Deformed<'_>> {
        let (r, phi) = (upper(d), lower(d));
        let factors = factors(phi.norm_squared());
        let inverse = inverse_tangent(&phi);
        let by_phi = tangent_change(&phi, &r, 1.0, factors);
        let (e, stretched) = self.strains(&inverse, &r, &phi);
        let [c2, c3] = self.shortening;
        let (flexibility, carried) = self.bent(&(phi / self.length))?;
        let y = flexibility.solve(&stretched);
        let u = carried * y;
        let mut force = y;
        force[1] += 2.0 * c2 * e[1] * y[0];
        force[2] += 2.0 * c3 * e[2] * y[0];
        let bent = (upper(&y).cross(&upper(&u)) + lower(&y).cross(&lower(&u))) / self.length;
        (0..3).for_each(|k| force[3 + k] -= bent[k]);
        Some(Deformed { law: self, r, phi, factors, inverse, by_phi, e, stretched, flexibility, y, carried, u, force })
    }
}

impl Deformed<'_> {
    /// V.
    pub fn potential(&self) -> f64 {
        0.5 * self.stretched.dot(&self.y)
    }

    /// dV/dd.
    pub fn gradient(&self) -> Vec6 {
        let (n, m) = (upper(&self.force), lower(&self.force));
        join(&self.inverse.tr_mul(&n), &(m + self.by_phi.tr_mul(&n)))
    }

    /// d2V/dd2.
    #[inline(never)]
    pub fn hessian(&self) -> Mat6 {
        let Deformed { law: Law { length, compliance: [_, s2, _], shortening: [c2, c3], .. }, .. } = self;
        let Deformed { r, phi, factors: [k, k1, k2], e, y, carried, u, force, inverse, by_phi, .. } = self;
        // By e: J^T F^-1 J with J = dE*/de, and the change of F with phi.
        let stiffness = self.flexibility.inverse();
        let (j2, j3) = (2.0 * c2 * e[1], 2.0 * c3 * e[2]);
        let mut by_strain = stiffness;
        (0..6).for_each(|i| {
            by_strain[(i, 1)] += stiffness[(i, 0)] * j2;
            by_strain[(i, 2)] += stiffness[(i, 0)] * j3;
        });
        let moved = stacked(y);
        let a = stacked(u) - carried.tr_mul(&moved);
        let by_turn = stiffness * a / *length;
        let mut h = by_strain;
        let mut coupled = by_turn;
        (0..6).for_each(|i| {
            h[(1, i)] += by_strain[(0, i)] * j2;
            h[(2, i)] += by_strain[(0, i)] * j3;
        });
        (0..3).for_each(|i| {
            coupled[(1, i)] += by_turn[(0, i)] * j2;
            coupled[(2, i)] += by_turn[(0, i)] * j3;
        });
        h[(1, 1)] += 2.0 * c2 * y[0];
        h[(2, 2)] += 2.0 * c3 * y[0];
        let turned = (a.tr_mul(&by_turn) * *length - moved.tr_mul(&(s2 * moved))) / (length * length);
        for row in 0..6 {
            for column in 0..3 {
                h[(row, 3 + column)] -= coupled[(row, column)];
                h[(3 + column, row)] -= coupled[(row, column)];
            }
        }
        add_block(&mut h, 1, 1, &turned);
        // By d: e = (U^-1 r - L e1, phi), with the derivatives B = [U^-1, dU^-1 r/dphi; 0, I].
        let right = [0, 1].map(|i| {
            let first = block(&h, i, 0);
            [first * inverse, first * by_phi + block(&h, i, 1)]
        });
        let mut out = Mat6::zeros();
        for (j, (first, second)) in right[0].iter().zip(&right[1]).enumerate() {
            add_block(&mut out, 0, j, &inverse.tr_mul(first));
            add_block(&mut out, 1, j, &(by_phi.tr_mul(first) + second));
        }
        let n = upper(force);
        let mixed = tangent_change(phi, &n, -1.0, self.factors);
        add_block(&mut out, 0, 1, &mixed);
        add_block(&mut out, 1, 0, &mixed.transpose());
        // n . U^-1 r = n . r - n . (phi x r)/2 + k w.
        let (along_n, along_r, both) = (n.dot(phi), phi.dot(r), n.dot(r));
        let w = along_n * along_r - phi.norm_squared() * both;
        let slope = n * along_r + r * along_n - phi * (2.0 * both);
        let symmetric = (n * r.transpose() + r * n.transpose() - Mat3::identity() * (2.0 * both)) * *k
            + (phi * slope.transpose() + slope * phi.transpose()) * (2.0 * k1)
            + (Mat3::identity() * (2.0 * k1) + phi * phi.transpose() * (4.0 * k2)) * w;
        add_block(&mut out, 1, 1, &symmetric);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::noise::Noise;

    /// A law with all couplings, random but positive.
    fn law(noise: &mut Noise) -> Law {
        let [half, other, third] = [noise.mat6(), noise.mat6(), noise.mat6()];
        let f0 = half * half.transpose() + Mat6::identity() * 0.5;
        let s1 = (other + other.transpose()) * 0.02;
        Law::new(1.7, [f0, s1, third * third.transpose() * 0.02], [0.3, 0.2])
    }

    /// The closed form of k, by the cotangent.
    #[test]
    fn factors_are_those_of_the_inverse_tangent_operator() {
        for phi in [0.3, 1.0, 2.0, 2.9f64] {
            let s = phi * phi;
            let closed = |s: f64| (1.0 - 0.5 * s.sqrt() / (0.5 * s.sqrt()).tan()) / s;
            let [k, k1, k2] = factors(s);
            assert!((k - closed(s)).abs() < 1e-14, "{phi}");
            // Central differences: h^2/6 of third derivatives (at most 1e-2) + eps/h; second ones
            // lose eps/h^2.
            let h = 1e-4;
            let [plus, minus] = [factors(s + h), factors(s - h)];
            assert!(((plus[0] - minus[0]) / (2.0 * h) - k1).abs() < 1e-10, "{phi}");
            assert!(((plus[1] - minus[1]) / (2.0 * h) - k2).abs() < 1e-10, "{phi}");
        }
        assert!((factors(0.0)[0] - 1.0 / 12.0).abs() < 1e-16);
        assert!((factors(0.0)[1] - 1.0 / 720.0).abs() < 1e-17);
    }

    /// Gradient and Hessian against central differences, at relative rotations to 2 rad.
    #[test]
    fn derivatives_are_those_of_the_potential() {
        let mut noise = Noise(31);
        for size in [0.0, 0.1, 1.0, 2.0] {
            let law = law(&mut noise);
            let turn = noise.vec3().normalize() * size;
            let d = join(&(Vec3::x() * 1.6 + noise.vec3() * 0.3), &turn);
            let deformed = law.at(&d).unwrap();
            let (gradient, hessian) = (deformed.gradient(), deformed.hessian());
            let h = 1e-5;
            for column in 0..6 {
                let mut step = Vec6::zeros();
                step[column] = h;
                let [plus, minus] = [d + step, d - step].map(|d| law.at(&d).unwrap());
                let slope = (plus.potential() - minus.potential()) / (2.0 * h);
                let scale = 1.0 + hessian.amax();
                assert!((slope - gradient[column]).abs() < 1e-9 * scale, "{size} {column}");
                let difference = (plus.gradient() - minus.gradient()) / (2.0 * h);
                assert!((difference - hessian.column(column)).amax() < 1e-9 * scale, "{size} {column}");
            }
        }
    }
}
