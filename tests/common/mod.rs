//! References for the physics tests: small algebra, Runge-Kutta 4, the Euler-Kirchhoff equations of
//! one body, order of convergence.
//!
//! Nothing here comes from the library: the equations are those of textbooks, written in body axes
//! and integrated explicitly, whereas the library integrates implicitly in the inertial frame.
#![allow(dead_code, unused_imports)] // every program takes what it needs

pub mod algebra;
pub mod code_blocks;
pub mod energy;
pub mod mechanisms;
pub mod models;
pub mod programs;
pub mod random;
pub use algebra::*;
pub use random::Random;

/// One step of the classical Runge-Kutta method, in place.
pub fn rk4_step(rate: &mut impl FnMut(f64, &[f64], &mut [f64]), t: f64, h: f64, y: &mut [f64]) {
    let n = y.len();
    let [mut k1, mut k2, mut k3, mut k4, mut z] = [(); 5].map(|()| vec![0.0; n]);
    let shifted = |z: &mut [f64], y: &[f64], c: f64, k: &[f64]| {
        for ((z, y), k) in z.iter_mut().zip(y).zip(k) {
            *z = y + c * k;
        }
    };
    rate(t, y, &mut k1);
    shifted(&mut z, y, 0.5 * h, &k1);
    rate(t + 0.5 * h, &z, &mut k2);
    shifted(&mut z, y, 0.5 * h, &k2);
    rate(t + 0.5 * h, &z, &mut k3);
    shifted(&mut z, y, h, &k3);
    rate(t + h, &z, &mut k4);
    for i in 0..n {
        y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
}

/// States at 0, interval, 2 interval, ..., each interval integrated with `substeps` Runge-Kutta
/// steps.
pub fn rk4_samples(
    mut rate: impl FnMut(f64, &[f64], &mut [f64]),
    y0: &[f64],
    interval: f64,
    intervals: usize,
    substeps: usize,
) -> Vec<Vec<f64>> {
    let h = interval / substeps as f64;
    let mut y = y0.to_vec();
    let mut samples = vec![y.clone()];
    for n in 0..intervals {
        for s in 0..substeps {
            rk4_step(&mut rate, (n * substeps + s) as f64 * h, h, &mut y);
        }
        samples.push(y.clone());
    }
    samples
}

/// State of one reference body: x(3), q(4), linear velocity of the reference point and angular
/// velocity in BODY axes (6).
pub const BODY: usize = 13;

/// Position of the reference point.
pub fn position(y: &[f64]) -> V3 {
    [y[0], y[1], y[2]]
}

/// Orientation, normalised.
pub fn orientation(y: &[f64]) -> Quat {
    unit([y[3], y[4], y[5], y[6]])
}

/// Linear velocity of the reference point in body axes.
pub fn linear(y: &[f64]) -> V3 {
    [y[7], y[8], y[9]]
}

/// Angular velocity in body axes.
pub fn angular(y: &[f64]) -> V3 {
    [y[10], y[11], y[12]]
}

/// State of a reference body from pintle's pose[7] and velocity[6] (inertial).
pub fn body_state(pose: &[f64; 7], velocity: &[f64; 6]) -> [f64; BODY] {
    let q = [pose[3], pose[4], pose[5], pose[6]];
    let v = unrotate(q, [velocity[0], velocity[1], velocity[2]]);
    let w = unrotate(q, [velocity[3], velocity[4], velocity[5]]);
    let mut y = [0.0; BODY];
    y[..7].copy_from_slice(pose);
    y[7..10].copy_from_slice(&v);
    y[10..].copy_from_slice(&w);
    y
}

/// 6x6 mass matrix about the reference point in body axes, [m I, m ~c^T; m ~c, J_c - m ~c ~c], row
/// lists.
pub fn mass_matrix(mass: f64, com: V3, inertia: M3) -> M6 {
    let mut m = [[0.0; 6]; 6];
    let s = skew(com);
    for i in 0..3 {
        m[i][i] = mass;
        for j in 0..3 {
            m[3 + i][j] = mass * s[i][j];
            m[j][3 + i] = mass * s[i][j];
            let square: f64 = (0..3).map(|k| s[i][k] * s[k][j]).sum();
            m[3 + i][3 + j] = inertia[i][j] - mass * square;
        }
    }
    m
}

/// Rate of one body under the Euler-Kirchhoff equations in body axes (Lamb 1932, art. 124): with
/// (p, l) = M V, p' + w x p = f and l' + w x l + v x p = t; `wrench` = (f, t) about the reference
/// point in body axes. M is the mass matrix about the reference point, plus any body-fixed added
/// mass.
pub fn kirchhoff_rate(mass: &M6, y: &[f64], wrench: [f64; 6], dy: &mut [f64]) {
    let (v, w) = (linear(y), angular(y));
    let momentum = mul6(mass, &[v[0], v[1], v[2], w[0], w[1], w[2]]);
    let (p, l) = halves(momentum);
    let (wp, wl, vp) = (cross(w, p), cross(w, l), cross(v, p));
    let right: Vec<f64> =
        (0..6).map(|i| if i < 3 { wrench[i] - wp[i] } else { wrench[i] - wl[i - 3] - vp[i - 3] }).collect();
    kinematics(y, dy);
    dy[7..13].copy_from_slice(&solve(mass.iter().map(|r| r.to_vec()).collect(), right));
}

/// x' = R v, q' = q (0, w) / 2.
pub fn kinematics(y: &[f64], dy: &mut [f64]) {
    let q = [y[3], y[4], y[5], y[6]];
    let w = angular(y);
    dy[..3].copy_from_slice(&rotate(unit(q), linear(y)));
    let dq = quat_mul(q, [0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]]);
    dy[3..7].copy_from_slice(&dq);
}

/// Kinetic energy V^T M V / 2 of a reference state.
pub fn kinetic(mass: &M6, y: &[f64]) -> f64 {
    let (v, w) = (linear(y), angular(y));
    let velocity = [v[0], v[1], v[2], w[0], w[1], w[2]];
    let momentum = mul6(mass, &velocity);
    0.5 * (0..6).map(|i| momentum[i] * velocity[i]).sum::<f64>()
}

/// Linear momentum, and angular momentum about the origin, in the inertial frame.
pub fn momenta(mass: &M6, y: &[f64]) -> (V3, V3) {
    let (v, w) = (linear(y), angular(y));
    let (p, l) = halves(mul6(mass, &[v[0], v[1], v[2], w[0], w[1], w[2]]));
    let q = orientation(y);
    let p = rotate(q, p);
    (p, add(rotate(q, l), cross(position(y), p)))
}

/// Parameters of generalized-alpha for rho_inf (Chung, Hulbert 1993): alpha_m, alpha_f, beta,
/// gamma.
pub fn generalized_alpha(rho: f64) -> [f64; 4] {
    let alpha_m = (2.0 * rho - 1.0) / (rho + 1.0);
    let alpha_f = rho / (rho + 1.0);
    let gamma = 0.5 + alpha_f - alpha_m;
    [alpha_m, alpha_f, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma]
}

/// kappa of the frequency error of generalized-alpha on x'' = -w^2 x: w_numerical = w (1 + kappa (w
/// h)^2) + O(h^4).
///
/// From the two-step form rho(S) A(S) = -(w h)^2 sigma(S) F(S) with S = exp(i theta): rho = S - 2 +
/// 1/S, sigma = beta S + (1/2 + gamma - 2 beta) + (1/2 - gamma + beta)/S, A = (1 - alpha_m) S +
/// alpha_m, F = (1 - alpha_f) S + alpha_f; logarithms of both sides to theta^2. For rho_inf = 1 it
/// is the -1/12 of the trapezoidal rule.
pub fn frequency_error(rho: f64) -> f64 {
    let [am, af, beta, gamma] = generalized_alpha(rho);
    let g = gamma - 0.5;
    0.5 * (1.0 / 12.0 + 0.5 * (am * (1.0 - am) - af * (1.0 - af) - 2.0 * beta - 0.5 + gamma + g * g))
}

/// Observed orders between neighbouring (step, error) pairs.
pub fn orders(table: &[(f64, f64)]) -> Vec<f64> {
    table.windows(2).map(|p| (p[0].1 / p[1].1).ln() / (p[0].0 / p[1].0).ln()).collect()
}

/// Asserts that the error falls with `order` within `margin` between all neighbouring step sizes;
/// prints the table when not.
#[track_caller]
pub fn assert_order(claim: &str, table: &[(f64, f64)], order: f64, margin: f64) {
    let observed = orders(table);
    let shown = table.iter().map(|(h, e)| format!("{h:e}: {e:.4e}")).collect::<Vec<_>>().join(", ");
    println!("{claim}: {shown}; orders {observed:.3?}");
    assert!(table.len() >= 3, "an order needs at least three step sizes");
    for (k, o) in observed.iter().enumerate() {
        assert!(
            (o - order).abs() <= margin,
            "{claim}: order {o:.3} instead of {order} +- {margin} between steps {:e} and {:e}; {shown}",
            table[k].0,
            table[k + 1].0
        );
    }
}

/// Asserts |a - b| <= tolerance for every component.
#[track_caller]
pub fn assert_close(claim: &str, got: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(got.len(), expected.len());
    for (i, (g, e)) in got.iter().zip(expected).enumerate() {
        assert!(
            (g - e).abs() <= tolerance,
            "{claim}: component {i} is {g:e}, expected {e:e}, off by {:.3e} > {tolerance:.1e}; all: {got:?} against {expected:?}",
            (g - e).abs()
        );
    }
}
