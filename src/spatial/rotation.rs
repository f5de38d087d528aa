//! SO(3): exponential, logarithm and tangent operators.
//!
//! Sources: Geradin and Cardona, Flexible Multibody Dynamics (2001), ch. 4; Bruls, Cardona, Arnold
//! (2012), appendix.

use super::{Mat3, Quat, Vec3, skew, skew_skew};

/// Squared angle below which power series replace trigonometric functions (|psi| < 0.5 rad: nearly
/// every time step). With the terms kept below, the truncation error there is under 2e-16.
const SERIES: f64 = 0.25;

/// `sum_k (-x)^k / d_k`, by pairs of terms, to shorten the chain of dependent operations (Estrin
/// 1960).
#[inline(always)]
fn series(x: f64, d: [f64; 7]) -> f64 {
    let c = d.map(|d| 1.0 / d);
    let (square, first, second, third) = (x * x, c[0] - x * c[1], c[2] - x * c[3], c[4] - x * c[5]);
    first + square * (second + square * (third + square * c[6]))
}

/// Common terms of exponential and tangent operator of a rotation vector.
#[derive(Clone, Copy)]
pub struct HalfAngle {
    /// phi^2, phi = |psi|.
    square: f64,
    /// sin(phi/2)/phi.
    sinc: f64,
    /// cos(phi/2).
    cosine: f64,
    /// Whether these are power series.
    is_series: bool,
}

impl HalfAngle {
    /// Of a rotation vector.
    #[inline(always)]
    pub fn of(psi: &Vec3) -> HalfAngle {
        let square = psi.norm_squared();
        if square < SERIES {
            // The coefficients are constants, because successive divisions would dominate the cost.
            let x = 0.25 * square;
            let sinc = 0.5 * series(x, [1.0, 6.0, 120.0, 5040.0, 362880.0, 39916800.0, 6227020800.0]);
            let cosine = series(x, [1.0, 2.0, 24.0, 720.0, 40320.0, 3628800.0, 479001600.0]);
            return HalfAngle { square, sinc, cosine, is_series: true };
        }
        // If the square overflows, the norm may still be finite.
        let phi = if square.is_finite() { square.sqrt() } else { psi.amax() * (psi / psi.amax()).norm() };
        let (s, c) = (0.5 * phi).sin_cos();
        HalfAngle { square, sinc: s / phi, cosine: c, is_series: false }
    }

    /// `exp(~psi)` as a unit quaternion.
    #[inline(always)]
    pub fn exp(&self, psi: &Vec3) -> Quat {
        let HalfAngle { sinc, cosine, .. } = *self;
        Quat::new_unchecked(nalgebra::Quaternion::new(cosine, sinc * psi.x, sinc * psi.y, sinc * psi.z))
    }

    /// `T^T(psi)` with `delta theta = T^T delta psi` for increments from the left:
    /// `T^T = I + (1 - cos phi)/phi^2 ~psi + (1 - sin(phi)/phi)/phi^2 ~psi ~psi`, phi = |psi|.
    #[inline(always)]
    pub fn tangent(&self, psi: &Vec3) -> Mat3 {
        let HalfAngle { square, sinc, cosine, is_series } = *self;
        let c2 = match is_series {
            true => series(square, [6.0, 120.0, 5040.0, 362880.0, 39916800.0, 6227020800.0, 1307674368000.0]),
            false => (1.0 - 2.0 * sinc * cosine) / square,
        };
        // 1 - cos(phi) = 2 sin^2(phi/2): no cancellation at small angles.
        let c1 = 2.0 * sinc * sinc;
        Mat3::identity() + skew(psi) * c1 + skew_skew(psi, psi) * c2
    }
}

/// `exp(~psi)` as a unit quaternion, and `T^T(psi)`.
#[inline(always)]
pub fn exp_with_tangent(psi: &Vec3) -> (Quat, Mat3) {
    let half = HalfAngle::of(psi);
    (half.exp(psi), half.tangent(psi))
}

/// `exp(~psi)` as a unit quaternion.
#[inline]
pub fn exp(psi: &Vec3) -> Quat {
    HalfAngle::of(psi).exp(psi)
}

/// The rotation vector of a rotation, |phi| <= pi.
pub fn log(q: &Quat) -> Vec3 {
    let (w, v) = if q.w < 0.0 { (-q.w, -q.imag()) } else { (q.w, q.imag()) };
    let n = v.norm();
    if n == 0.0 { v * 2.0 } else { v * (2.0 * n.atan2(w) / n) }
}

/// The rate of `T^T(psi)`, with `rate` that of psi.
pub fn tangent_rate(psi: &Vec3, rate: &Vec3) -> Mat3 {
    let a = psi.norm_squared();
    // c1 = (1 - cos phi)/phi^2, c2 = (phi - sin phi)/phi^3 as in T^T; d1, d2 their derivatives over
    // phi
    let [c1, c2, d1, d2] = if a < 1e-2 {
        [
            0.5 - a * (1.0 / 24.0 - a * (1.0 / 720.0 - a * (1.0 / 40320.0 - a / 3628800.0))),
            1.0 / 6.0 - a * (1.0 / 120.0 - a * (1.0 / 5040.0 - a * (1.0 / 362880.0 - a / 39916800.0))),
            -1.0 / 12.0 + a * (1.0 / 180.0 - a * (1.0 / 6720.0 - a / 453600.0)),
            -1.0 / 60.0 + a * (1.0 / 1260.0 - a * (1.0 / 60480.0 - a / 4989600.0)),
        ]
    } else {
        let phi = a.sqrt();
        let (s, c) = phi.sin_cos();
        let (c1, c2) = ((1.0 - c) / a, (phi - s) / (a * phi));
        [c1, c2, (s / phi - 2.0 * c1) / a, (c1 - 3.0 * c2) / a]
    };
    let along = psi.dot(rate);
    skew(psi) * (d1 * along)
        + skew(rate) * c1
        + skew_skew(psi, psi) * (d2 * along)
        + (skew_skew(rate, psi) + skew_skew(psi, rate)) * c2
}

/// `T^-T(phi)`, the inverse of the tangent operator: `delta phi = T^-T delta theta` for a left
/// variation of `exp(~phi)`. Regular for |phi| < 2 pi.
pub fn inverse_tangent(phi: &Vec3) -> Mat3 {
    Mat3::identity() - skew(phi) * 0.5 + skew_skew(phi, phi) * inverse_tangent_factor(phi.norm_squared())
}

/// The factor of `~phi ~phi` in the inverse tangent operator, `(1 - h cot h)/(4 h^2)`, h = phi/2, a
/// = phi^2.
fn inverse_tangent_factor(a: f64) -> f64 {
    inverse_tangent_factors(a)[0]
}

/// The same, and its derivative by a.
pub fn inverse_tangent_factors(a: f64) -> [f64; 2] {
    if a < 1e-2 {
        // 1/12 + phi^2/720 + phi^4/30240 + phi^6/1209600 + phi^8/47900160
        return [
            1.0 / 12.0 + a * (1.0 / 720.0 + a * (1.0 / 30240.0 + a * (1.0 / 1209600.0 + a / 47900160.0))),
            1.0 / 720.0 + a * (1.0 / 15120.0 + a * (1.0 / 403200.0 + a / 11975040.0)),
        ];
    }
    let h = 0.5 * a.sqrt();
    let (sine, cotangent) = (h.sin(), 1.0 / h.tan());
    let factor = (1.0 - h * cotangent) / a;
    [factor, ((h / (sine * sine) - cotangent) / (8.0 * h) - factor) / a]
}

/// Sine of the angle between rotation vector and angular velocity below which the axis of a turn is
/// fixed.
const FIXED_AXIS: f64 = 1e-9;

/// True if a turn `phi` goes on about its own axis with the angular velocity `omega`.
pub fn has_fixed_axis(phi: &Vec3, omega: &Vec3) -> bool {
    phi.cross(omega).norm_squared() <= FIXED_AXIS * FIXED_AXIS * (phi.norm_squared() * omega.norm_squared())
}

/// `T^-T(phi) omega`: the rate of a rotation vector whose rotation has the angular velocity `omega`
/// in inertial axes. A turn about a fixed axis has the rate omega also where |phi| >= 2 pi.
pub fn vector_rate(phi: &Vec3, omega: &Vec3) -> Vec3 {
    let (a, across) = (phi.norm_squared(), phi.cross(omega));
    if a > std::f64::consts::PI.powi(2) && has_fixed_axis(phi, omega) {
        return *omega;
    }
    omega - across * 0.5 + phi.cross(&across) * inverse_tangent_factor(a)
}

/// The rotation matrix of a unit quaternion.
#[inline(always)]
pub fn matrix(q: &Quat) -> Mat3 {
    let (w, x, y, z) = (q.w, q.i, q.j, q.k);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, xy, xz, yy, yz, zz) = (x * x2, x * y2, x * z2, y * y2, y * z2, z * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Mat3::new(1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx, 1.0 - (xx + yy))
}

/// `R a = a + 2 (w q x a + q x (q x a))`, q the vector part. For a single vector this takes two
/// thirds of the operations of the matrix.
#[inline(always)]
pub fn rotate(q: &Quat, a: &Vec3) -> Vec3 {
    let (w, q, twice) = (q.w, Vec3::new(q.i, q.j, q.k), a + a);
    a + q.cross(&(q.cross(&twice) + twice * w))
}

/// `a b`, normalised: the norm of a product drifts by rounding only, which one Newton step of
/// 1/sqrt removes. The norm is computed from the factors, in parallel with the product; the
/// rounding of the product itself is corrected by the next one.
#[inline(always)]
pub fn compose(a: &Quat, b: &Quat) -> Quat {
    let (a, b) = (a.quaternion(), b.quaternion());
    let square = a.norm_squared() * b.norm_squared();
    Quat::new_unchecked((a * b) * (1.5 - 0.5 * square))
}

/// `2 axial(A) = (A32 - A23, A13 - A31, A21 - A12)`, halved.
pub fn axial(a: &Mat3) -> Vec3 {
    Vec3::new(a[(2, 1)] - a[(1, 2)], a[(0, 2)] - a[(2, 0)], a[(1, 0)] - a[(0, 1)]) * 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Angles on both sides of the series' limits, and large ones.
    fn samples() -> Vec<Vec3> {
        let axis = Vec3::new(0.36, -0.48, 0.8);
        [0.0, 1e-9, 1e-3, 0.0999, 0.1001, 0.4999, 0.5001, 1.0, 2.5, 3.1].iter().map(|a| axis * *a).collect()
    }

    #[test]
    fn exponential_equals_rodrigues_formula() {
        for psi in samples() {
            let phi = psi.norm();
            let reference = nalgebra::Rotation3::from_scaled_axis(psi).into_inner();
            assert!((matrix(&exp(&psi)) - reference).norm() < 4e-16 * (4.0 + phi), "{psi}");
        }
    }

    /// Products of many factors keep their norm: each corrects the rounding of the one before, of
    /// the square at most 16 units (four numbers, of four terms each) and 4 by the factor.
    #[test]
    fn products_stay_of_unit_length() {
        for psi in samples() {
            let (turn, mut q) = (exp(&psi), exp(&Vec3::new(0.3, -0.2, 0.1)));
            for _ in 0..10_000 {
                q = compose(&turn, &q);
                assert!((q.quaternion().norm_squared() - 1.0).abs() <= 10.0 * f64::EPSILON, "{psi}");
            }
        }
    }

    #[test]
    fn logarithm_inverts_the_exponential() {
        for psi in samples() {
            assert!((log(&exp(&psi)) - psi).norm() < 1e-15 * (1.0 + psi.norm()), "{psi}");
        }
    }

    #[test]
    fn tangent_is_the_derivative_of_the_exponential() {
        // central differences: error h^2/6 |third derivative| + eps/h, both about 1e-10 at h = 1e-5
        let h = 1e-5;
        for psi in samples() {
            let (q, tangent) = exp_with_tangent(&psi);
            let rt = matrix(&q).transpose();
            for j in 0..3 {
                let mut d = Vec3::zeros();
                d[j] = h;
                let difference = (matrix(&exp(&(psi + d))) - matrix(&exp(&(psi - d)))) / (2.0 * h);
                let theta = axial(&(difference * rt));
                assert!((theta - tangent.column(j)).norm() < 5e-10, "{psi} {j}");
            }
            assert!((inverse_tangent(&psi) * tangent - Mat3::identity()).norm() < 1e-13, "{psi}");
        }
    }

    #[test]
    fn tangent_rate_is_the_derivative_of_the_tangent() {
        // central differences: error h^2/6 + eps/h, about 2e-11 at h = 1e-5
        let (h, rate) = (1e-5, Vec3::new(0.7, -0.4, 1.1));
        for psi in samples() {
            let at = |s: f64| exp_with_tangent(&(psi + rate * s)).1;
            let difference = (at(h) - at(-h)) / (2.0 * h);
            assert!((tangent_rate(&psi, &rate) - difference).norm() < 2e-10, "{psi}");
        }
    }

    #[test]
    fn tangent_is_continuous_where_the_series_ends() {
        let axis = Vec3::new(0.6, 0.0, 0.8);
        let (below, above) = (axis * (0.5 - 1e-15), axis * (0.5 + 1e-15));
        assert!((exp_with_tangent(&below).1 - exp_with_tangent(&above).1).norm() < 1e-14);
    }
}
