//! How long a step of an explicit scheme may be: its stability region along the roots of a model.
//!
//! A mode with root s = w (-zeta + i sqrt(1 - zeta^2)) is stable with steps up to the h at which h
//! s leaves the region:
//! |R(h s)| = 1 for Runge-Kutta methods, a root of `rho(xi) - h s sigma(xi)` on the unit circle for multistep methods
//! (Hairer, Wanner, Solving Ordinary Differential Equations II, 1996, sect. IV.2, V.1).

use super::Scheme;
use super::explicit::adams_bashforth::weights;
use super::explicit::runge_kutta::Tableau;
use nalgebra::Complex;

/// Least damping ratio of roots for schemes without a stable step for undamped modes (euler, rk2,
/// heun, ab2, ab5): with the resulting step such a mode grows slowly.
pub const LEAST_DAMPING: f64 = 0.05;

/// A point on the imaginary axis inside the stability regions of all schemes that contain a part of
/// it (rk3, rk4, ab3, ab4).
const UNDAMPED: f64 = 0.3;

/// Resolution of the search along a root.
const STEP: f64 = 0.01;

/// A multiple of 1/|s| beyond the region of every explicit scheme in the left half plane: the
/// largest is that of rk4, which ends at 2.95.
const BEYOND: f64 = 4.0;

/// The longest step with which an explicit scheme is stable on a root; infinite for a root of zero
/// and for schemes that are not explicit. A root with positive real part counts as an undamped one
/// of its size, because any step that resolves it follows its growth.
pub fn longest_step(scheme: Scheme, root: Complex<f64>) -> f64 {
    let size = root.norm();
    if size == 0.0 || !scheme.is_explicit() {
        return f64::INFINITY;
    }
    // Roots that are not finite have no stable step.
    if !size.is_finite() {
        return 0.0;
    }
    let region = Region::of(scheme);
    let least = if region.contains(Complex::new(0.0, UNDAMPED)) { 0.0 } else { LEAST_DAMPING };
    let damping = (-root.re / size).clamp(least, 1.0);
    let direction = Complex::new(-damping, (1.0 - damping * damping).sqrt());
    let mut stable = STEP;
    while stable < BEYOND && region.contains(direction * (stable + STEP)) {
        stable += STEP;
    }
    let mut unstable = stable + STEP;
    for _ in 0..40 {
        let middle = 0.5 * (stable + unstable);
        *(if region.contains(direction * middle) { &mut stable } else { &mut unstable }) = middle;
    }
    stable / size
}

/// A stability region.
enum Region {
    /// Coefficients of R(z).
    OneStep(Vec<f64>),
    /// Weights of Adams-Bashforth.
    Multistep(Vec<f64>),
}

impl Region {
    fn of(scheme: Scheme) -> Region {
        match scheme {
            Scheme::RungeKutta(method) => Region::OneStep(Tableau::of(method).polynomial()),
            Scheme::AdamsBashforth(order) | Scheme::LocalAdamsBashforth(order) => {
                Region::Multistep(weights(order, 1.0)[..order].to_vec())
            }
            _ => Region::OneStep(vec![0.0]),
        }
    }

    fn contains(&self, z: Complex<f64>) -> bool {
        match self {
            Region::OneStep(p) => {
                let r = p.iter().rev().fold(Complex::new(0.0, 0.0), |sum, p| sum * z + p);
                // On the imaginary axis |R| of a short step is 1 up to rounding.
                r.norm() <= 1.0 + 4.0 * f64::EPSILON
            }
            Region::Multistep(b) => {
                // xi^k - xi^(k-1) - z sum_j b_j xi^(k-1-j), coefficients from the lowest power on
                let k = b.len();
                let mut polynomial: Vec<Complex<f64>> = b.iter().rev().map(|b| -z * *b).collect();
                polynomial[k - 1] -= 1.0;
                polynomial.push(Complex::new(1.0, 0.0));
                inside_unit_circle(polynomial)
            }
        }
    }
}

/// Whether all roots of a polynomial lie inside the unit circle (Schur-Cohn).
fn inside_unit_circle(mut a: Vec<Complex<f64>>) -> bool {
    while a.len() > 1 {
        let n = a.len() - 1;
        let (low, high) = (a[0], a[n]);
        if low.norm() >= high.norm() {
            return false;
        }
        a = (1..=n).map(|k| high.conj() * a[k] - low * a[n - k].conj()).collect();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Limits of w h at damping ratios, from the amplification polynomials by hand: rk4 on a
    /// damping ratio of 1 is the real root 2.7853 of its polynomial, ab2 there 1, euler there 2;
    /// euler at zeta is 2 zeta; ab3 there 6/11.
    #[test]
    fn limits_are_the_published_ones() {
        for (name, damping, limit) in [
            ("euler", 1.0, 2.0),
            ("euler", 0.5, 1.0),
            ("leuler", 0.25, 0.5),
            ("rk2", 1.0, 2.0),
            ("heun", 1.0, 2.0),
            ("rk3", 1.0, 2.512745),
            ("rk4", 1.0, 2.785294),
            ("ab2", 1.0, 1.0),
            ("ab3", 1.0, 6.0 / 11.0),
            ("ab4", 1.0, 0.3),
            ("ab5", 1.0, 90.0 / 551.0),
            ("rk3", 0.0, 1.7320508),
            ("rk4", 0.0, 2.8284271),
            ("ab3", 0.0, 12.0 / (5.0 * f64::sqrt(11.0))),
            ("ab4", 0.0, 0.4299871),
            // no limit of their own: that of a damping ratio of 0.05, for euler twice it
            ("euler", 0.0, 0.1),
            ("rk2", 0.01, longest_step(Scheme::from_name("rk2").unwrap(), Complex::new(-0.05, 0.9987492))),
        ] {
            let scheme = Scheme::from_name(name).unwrap();
            let root = Complex::new(-damping, f64::sqrt(1.0 - damping * damping)) * 3.0;
            let found = 3.0 * longest_step(scheme, root);
            assert!((found - limit).abs() < 2e-6 * limit, "{name} {damping}: {found} {limit}");
        }
    }
}
