//! Amplitude and frequency of every scheme on the undamped oscillator, against the published
//! expansions.
//!
//! With u = y - i y'/w, u' = i w u: a one-step method of first-order form multiplies u by R(i w h).
//! The Newmark family has a third root; its principal pair follows from four values of y after that
//! one has decayed.

use crate::amplification::weight;
use crate::common::frequency_error;
use crate::models::*;

const W: f64 = 2.0;

/// u after the first step from u = 1.
fn factor(scheme: &str, wh: f64) -> C {
    let tolerances = [("abs_tolerance", 0.0), ("rel_tolerance", 0.0)];
    let options = [("max_time_step", 1e3), ("on_no_convergence", 1.0), tolerances[0], tolerances[1]];
    let mut sim = oscillator(Along::X, W, 0.0, [1.0, 0.0], scheme, &options);
    sim.step(wh / W).unwrap();
    let [y, v, _] = motion(&sim, Along::X);
    C(y, -v / W)
}

#[test]
fn first_order_methods_have_the_published_amplitude_and_phase() {
    // 4 eps for the few operations of one step; the square root of a sum near one halves a relative
    // error
    for wh in [0.05f64, 0.3, 1.0, 1.6] {
        let z = wh * wh;
        for (scheme, square, tangent) in [
            ("euler", 1.0 + z, wh),
            ("heun", 1.0 + z * z / 4.0, wh / (1.0 - z / 2.0)),
            ("rk2", 1.0 + z * z / 4.0, wh / (1.0 - z / 2.0)),
            ("rk3", 1.0 - z * z / 12.0 + z * z * z / 36.0, (wh - wh * z / 6.0) / (1.0 - z / 2.0)),
            ("rk4", 1.0 - z.powi(3) / 72.0 + z.powi(4) / 576.0, (wh - wh * z / 6.0) / (1.0 - z / 2.0 + z * z / 24.0)),
            // one evaluation at y + h f, and at y + h/2 f
            ("beuler1", (1.0 - z).powi(2) + z, wh / (1.0 - z)),
            ("midpoint1", 1.0 + z * z / 4.0, wh / (1.0 - z / 2.0)),
        ] {
            let r = factor(scheme, wh);
            let size = square.sqrt();
            assert!((r.size() - size).abs() < 8.0 * f64::EPSILON * size, "{scheme} {wh}: |R| {} {size}", r.size());
            let phase = tangent.atan();
            let off = (r.angle() - phase + 0.5 * std::f64::consts::PI).rem_euclid(std::f64::consts::PI)
                - 0.5 * std::f64::consts::PI;
            assert!(off.abs() < 16.0 * f64::EPSILON, "{scheme} {wh}: phase {} {phase}", r.angle());
        }
    }
}

#[test]
fn many_substeps_solve_the_implicit_formula() {
    // R of the code leaves (R^2 + f^2 (k w h)^2)^(N/2) of the first error, f = 1 - R: N = 400, R =
    // 0.9 (1 - 1/N) = 0.898, f = 0.102, w h <= 1 gives 0.904^400 = 3e-18.
    for wh in [0.1, 0.5, 1.0] {
        let iwh = C(0.0, wh);
        let one = C(1.0, 0.0);
        for (scheme, exact) in [
            ("beuler400", one / (one - iwh)),
            ("midpoint400", (one + iwh.times(0.5)) / (one - iwh.times(0.5))),
            ("anderson40", one / (one - iwh)),
        ] {
            let off = (factor(scheme, wh) - exact).size();
            assert!(off < 16.0 * f64::EPSILON, "{scheme} {wh}: off by {off:e}");
        }
    }
    // average acceleration: the matrix of Newmark 1/2, 1/4, whose eigenvalues are those of
    // midpoint, but not the matrix: from y = 1, y' = 0 y+ = (1 - z/4)/(1 + z/4) and y'+ = -w (w
    // h)/(1 + z/4), z = (w h)^2, alike
    for wh in [0.1f64, 0.5, 1.0] {
        let z = wh * wh;
        let off = (factor("aca400", wh) - C((1.0 - z / 4.0) / (1.0 + z / 4.0), wh / (1.0 + z / 4.0))).size();
        // the real factors R - (1 - R) z/4 of the iteration, of an error of A below 2 w^2; it moves
        // y'/w by w h/2 of that
        let left: f64 = (0..399).map(|m| weight(true, [0.9, 0.15], m, 400)).map(|f| 1.0 - f - f * z / 4.0).product();
        let allowed = left.abs() * wh * z / 4.0 + 16.0 * f64::EPSILON;
        assert!(off < allowed, "aca400 {wh}: off by {off:e}, allowed {allowed:e}");
    }
}

/// Size and angle per step of the principal roots: y(n+2) - 2 s cos(t) y(n+1) + s^2 y(n) = 0 at
/// three n.
fn principal(scheme: &str, options: &[(&str, f64)], wh: f64) -> (f64, f64) {
    let all = [&[("abs_tolerance", 0.0), ("rel_tolerance", 0.0)], options].concat();
    let mut sim = oscillator(Along::X, W, 0.0, [1.0, 0.0], scheme, &all);
    let mut y = Vec::new();
    for _ in 0..120 {
        sim.step(wh / W).unwrap();
        y.push(motion(&sim, Along::X)[0]);
    }
    let [a, b, c, d] = y[y.len() - 4..] else { unreachable!() };
    // c = t b - p a, d = t c - p b
    let det = b * b - a * c;
    let (trace, product) = ((b * c - a * d) / det, (c * c - b * d) / det);
    (product.sqrt(), (0.5 * trace / product.sqrt()).acos())
}

/// kappa of the frequency error w (1 + kappa (w h)^2) with any alphas: see `frequency_error`.
fn kappa(am: f64, af: f64, gamma: f64, beta: f64) -> f64 {
    let g = gamma - 0.5;
    0.5 * (1.0 / 12.0 + 0.5 * (am * (1.0 - am) - af * (1.0 - af) - 2.0 * beta - 0.5 + gamma + g * g))
}

#[test]
fn newmark_family_has_the_published_frequency_error() {
    // Next term (w h)^2 relative, with coefficients of order 1: 10 (w h)^2. Rounding: eps/(w h)^4 =
    // 1e-9 at 0.02.
    let wh = 0.02;
    let mut cases = vec![("newmark", vec![], -1.0 / 12.0)];
    for rho in [0.0, 0.5, 0.8, 1.0] {
        cases.push(("generalized-alpha", vec![("rho_inf", rho)], frequency_error(rho)));
    }
    for alpha in [-0.05, -0.3] {
        cases.push(("hht", vec![("hht_alpha", alpha)], kappa(0.0, -alpha, 0.5 - alpha, 0.25 * (1.0 - alpha).powi(2))));
    }
    for (scheme, options, kappa) in cases {
        let (_, angle) = principal(scheme, &options, wh);
        let found = (angle / wh - 1.0) / (wh * wh);
        assert!((found / kappa - 1.0).abs() < 10.0 * wh * wh, "{scheme} {options:?}: {found} instead of {kappa}");
    }
}

#[test]
fn newmark_with_gamma_above_a_half_damps_by_gamma_less_a_half() {
    // |xi|^2 = det = (1 + (1/2 + beta - gamma) z)/(1 + beta z), z = (w h)^2 (Hughes 1987, sect. 9.1): damping ratio
    // (gamma - 1/2) w h/2 to first order
    for (gamma, beta) in [(0.6, 0.3025), (0.75, 0.4)] {
        for wh in [0.02, 0.3, 1.5] {
            let (size, angle) = principal("newmark", &[("newmark_gamma", gamma), ("newmark_beta", beta)], wh);
            let z = wh * wh;
            let exact = ((1.0 + (0.5 + beta - gamma) * z) / (1.0 + beta * z)).sqrt();
            // the quotient of second differences loses eps/(w h)^2
            let lost = 32.0 * f64::EPSILON / z;
            assert!((size - exact).abs() < lost, "{gamma} {beta} {wh}: {size} {exact}");
            let ratio = -size.ln() / angle;
            assert!(wh > 0.1 || (ratio / ((gamma - 0.5) * wh / 2.0) - 1.0).abs() < wh, "damping ratio {ratio}");
        }
    }
}

#[test]
fn roots_at_infinite_frequency_have_the_size_rho_inf() {
    // Three roots at -rho: y(n+3) + 3 rho y(n+2) + 3 rho^2 y(n+1) + rho^3 y(n) = 0, up to 1/(beta
    // (1 - alpha_f) (w h)^2) of what stands in it, a few times (8) as there are several terms. The
    // first step is another formula.
    let wh = 1e4;
    for rho in [0.0, 0.5, 0.8, 1.0f64] {
        let options = [("rho_inf", rho), ("abs_tolerance", 0.0), ("rel_tolerance", 0.0)];
        let mut sim = oscillator(Along::X, W, 0.0, [1.0, 0.3], "generalized-alpha", &options);
        let mut y = vec![1.0];
        for _ in 0..9 {
            sim.step(wh / W).unwrap();
            y.push(motion(&sim, Along::X)[0]);
        }
        let largest = y.iter().fold(0.0f64, |l, y| l.max(y.abs()));
        for w in y[1..].windows(4) {
            let off = w[3] + 3.0 * rho * w[2] + 3.0 * rho * rho * w[1] + rho.powi(3) * w[0];
            let [_, af, beta, _] = crate::common::generalized_alpha(rho);
            let allowed = 8.0 * 8.0 / (beta * (1.0 - af) * wh * wh);
            assert!(off.abs() < allowed * largest, "rho {rho}: {off:e}, {y:?}");
        }
    }
}
