//! Option "linear" = 1: newmark, hht and generalized-alpha on M, C, K frozen at the initial state,
//! against the same formulas on matrices written down here.

use crate::common::*;
use crate::problems::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

/// alpha_m, alpha_f, gamma, beta.
type Family = [f64; 4];

/// A scheme, its options, its parameters.
type Case = (&'static str, Vec<(&'static str, f64)>, Family);

fn families() -> Vec<Case> {
    let hht = |alpha: f64| [0.0, -alpha, 0.5 - alpha, 0.25 * (1.0 - alpha).powi(2)];
    let optimal = |rho: f64| {
        let [am, af, beta, gamma] = generalized_alpha(rho);
        [am, af, gamma, beta]
    };
    vec![
        ("newmark", vec![], [0.0, 0.0, 0.5, 0.25]),
        ("newmark", vec![("newmark_gamma", 0.6), ("newmark_beta", 0.3025)], [0.0, 0.0, 0.6, 0.3025]),
        ("hht", vec![("hht_alpha", -0.2)], hht(-0.2)),
        ("generalized-alpha", vec![("rho_inf", 0.7)], optimal(0.7)),
        ("generalized-alpha", vec![("rho_inf", 1.0)], optimal(1.0)),
    ]
}

/// A linear model M d'' + C d' + K d = F(t) from rest, by one of the family: d, v at 0, h, 2 h, ...
fn integrate(
    p: Family,
    m: &M6,
    c: &M6,
    k: &M6,
    load: impl Fn(f64) -> [f64; 6],
    h: f64,
    steps: usize,
) -> Vec<[[f64; 6]; 2]> {
    let [am, af, gamma, beta] = p;
    let combined = |x: f64, y: f64, z: f64| -> Vec<Vec<f64>> {
        (0..6).map(|i| (0..6).map(|j| x * m[i][j] + y * c[i][j] + z * k[i][j]).collect()).collect()
    };
    let six = |x: Vec<f64>| -> [f64; 6] { x.try_into().unwrap() };
    let balance = |t: f64, d: &[f64; 6], v: &[f64; 6]| -> [f64; 6] {
        let (kd, cv, f) = (mul6(k, d), mul6(c, v), load(t));
        std::array::from_fn(|i| f[i] - kd[i] - cv[i])
    };
    let (mut d, mut v) = ([0.0; 6], [0.0; 6]);
    let mut a = six(solve(combined(1.0, 0.0, 0.0), balance(0.0, &d, &v).to_vec()));
    let mut out = vec![[d, v]];
    for n in 0..steps {
        let t = n as f64 * h;
        let d0 = std::array::from_fn(|i| d[i] + h * v[i] + h * h * (0.5 - beta) * a[i]);
        let v0 = std::array::from_fn(|i| v[i] + h * (1.0 - gamma) * a[i]);
        // M ((1 - am) a+ + am a) = (1 - af) balance(d0 + h^2 beta a+, v0 + h gamma a+) + af
        // balance(d, v)
        let (now, then, ma) = (balance(t, &d, &v), balance(t + h, &d0, &v0), mul6(m, &a));
        let right = (0..6).map(|i| (1.0 - af) * then[i] + af * now[i] - am * ma[i]).collect();
        let matrix = combined(1.0 - am, (1.0 - af) * gamma * h, (1.0 - af) * beta * h * h);
        a = six(solve(matrix, right));
        d = std::array::from_fn(|i| d0[i] + h * h * beta * a[i]);
        v = std::array::from_fn(|i| v0[i] + h * gamma * a[i]);
        out.push([d, v]);
    }
    out
}

fn times(a: &M6, b: &M6) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &M6) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// blockdiag(R, R).
fn turned(q: Quat) -> M6 {
    let r = dcm(q);
    std::array::from_fn(|i| std::array::from_fn(|j| if i / 3 == j / 3 { r[i % 3][j % 3] } else { 0.0 }))
}

/// A bushing matrix given in frame axes at an arm r from the reference point, for small motions of
/// the body in inertial axes: the seat moves by u + theta x r.
fn carried(k: &M6, frame: Quat, r: V3) -> M6 {
    let (t, s) = (turned(frame), skew(r));
    let shift: M6 = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            if i == j {
                1.0
            } else if i < 3 && j >= 3 {
                -s[i][j - 3]
            } else {
                0.0
            }
        })
    });
    times(&transposed(&shift), &times(&times(&t, &times(k, &transposed(&t))), &shift))
}

const TURNED: Quat = [0.7, 0.3, -0.5, 0.4];
const SEAT: V3 = [0.2, 0.1, -0.3];

fn load(t: f64) -> [f64; 6] {
    let (s, c) = (4.0 * t).sin_cos();
    [20.0 * s, 12.0 * c, -15.0, 6.0 * c, -4.0 * s, 4.0]
}

/// The platform at rest where its bushing is without force.
fn platform(k: &M6, c: &M6, frame: Quat) -> (Simulation, Id) {
    let q = unit(TURNED);
    let mut sim = Simulation::new();
    let x = [1.0, -2.0, 0.5];
    let body = sim.build().add_rigid_body(BODY_MASS, &BODY_COM, &six(&diag(BODY_INERTIA)), &pose(x, q)).unwrap();
    let (ground, seat) = (pose(add(x, rotate(q, SEAT)), frame), pose(SEAT, quat_mul(conjugate(q), frame)));
    sim.elements().add_bushing(GROUND, body, &ground, &seat, &columns(k), &columns(c)).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &load(0.0)).unwrap();
    (sim, body)
}

#[test]
fn platform_follows_the_linear_equations_however_far_it_moves() {
    let (k, c) = (full([60.0, 80.0, 100.0, 20.0, 25.0, 30.0], 5.0), full([1.5, 2.0, 1.0, 0.5, 0.4, 0.6], 0.2));
    let (q, frame) = (unit(TURNED), unit([0.2, 0.8, 0.3, -0.4]));
    let r = rotate(q, SEAT);
    let t = turned(q);
    let mass = times(&t, &times(&mass_matrix(BODY_MASS, BODY_COM, diag(BODY_INERTIA)), &transposed(&t)));
    let (stiffness, damping) = (carried(&k, frame, r), carried(&c, frame, r));
    let (h, steps) = (0.02, 300);
    let acceleration = solve(mass.iter().map(|row| row.to_vec()).collect(), load(0.0).to_vec()).try_into().unwrap();
    for (scheme, options, family) in families() {
        let exact = integrate(family, &mass, &damping, &stiffness, load, h, steps);
        let (mut sim, body) = platform(&k, &c, frame);
        sim.settings().set_scheme(scheme).unwrap();
        // The formulas start with a = vdot.
        for (key, value) in options.iter().chain(&[("linear", 1.0), ("initial_acceleration", 1.0)]) {
            sim.settings().set_option(key, *value).unwrap();
        }
        sim.build().set_body_acceleration(body, &acceleration).unwrap();
        sim.initialize(0.0).unwrap();
        let mut largest = 0.0f64;
        for (n, [d, v]) in exact.iter().enumerate().skip(1) {
            sim.inputs().set_body_load(body, Frame::Inertial, &load(n as f64 * h)).unwrap();
            sim.step(h).unwrap();
            let moved = sim.outputs().body_displacement(body).unwrap();
            let got = join(place(&moved), rotation_vector(turn(&moved)));
            // Rounding: 64 units per step, increments carry those of v and a by 1/(beta (w h)^2) =
            // 40 (w up to 15). The tangent of the library may come from formulas other than these:
            // rounding of both, no more.
            let bound = 64.0 * f64::EPSILON * n as f64 * 40.0;
            assert_close(&format!("{scheme} {options:?}, step {n}, d"), &got, d, bound);
            assert_close(
                &format!("{scheme}, step {n}, v"),
                &sim.outputs().body_velocity(body, Frame::Inertial).unwrap(),
                v,
                15.0 * bound,
            );
            largest = largest.max(norm(halves(*d).1));
        }
        // large: a rotation of 0.3 rad leaves the linear equations by 0.3^2/2 = 5 %
        assert!(largest > 0.3 && largest < 3.0, "{largest}");
        println!(
            "{scheme} {options:?}: rotations up to {largest:.2} rad, factorisations {}",
            sim.outputs().statistic("factorizations").unwrap()
        );
    }
}

const LENGTH: f64 = 0.8;
const J: f64 = 0.3;
const M: f64 = 2.0;
const G: f64 = 9.81;

/// A compound pendulum at rest at its lowest point.
fn pendulum(scheme: &str, options: &[(&str, f64)], speed: f64) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options.iter().chain(&[("linear", 1.0)]) {
        sim.settings().set_option(key, *value).unwrap();
    }
    let axis = [0.0, 1.0, 0.0];
    let (at, v) = swung([0.0; 3], [0.0, 0.0, -LENGTH], axis, 0.0, speed, [0.0; 3]);
    let body = sim.build().add_rigid_body(M, &[0.0; 3], &[J, J, J, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &v).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&axis)).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

#[test]
fn pushed_pendulum_swings_at_one_frequency_whatever_its_amplitude() {
    // From rest a moment acts for 20 steps: then y(n+2) - 2 c y(n+1) + y(n) = 0 for the trapezoidal
    // rule, c = (1 - z)/(1 + z), z = (w h)^2/4, w^2 = m g l/(J + m l^2): of the linear equations,
    // also at 2 rad and beyond half a turn, which poses alone do not show.
    let h = 0.01;
    let w = (M * G * LENGTH / (J + M * LENGTH * LENGTH)).sqrt();
    let z = (w * h).powi(2) / 4.0;
    for push in [0.01, 1.0, 60.0, 250.0] {
        let (mut sim, body) = pendulum("newmark", &[], 0.0);
        let mut angles = Vec::new();
        for n in 0..400 {
            let moment = if n < 20 { push } else { 0.0 };
            sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, 0.0, 0.0, moment, 0.0]).unwrap();
            sim.step(h).unwrap();
            angles.push(sim.outputs().joint_coordinate(0).unwrap()[0]);
        }
        let largest = angles.iter().fold(0.0f64, |l, y| l.max(y.abs()));
        // the first pair of steps without the moment starts at index 21
        for (n, y) in angles[21..].windows(3).enumerate() {
            let off = y[2] - 2.0 * (1.0 - z) / (1.0 + z) * y[1] + y[0];
            // rounding of the second difference: a few units of the largest angle, and what 1/(beta
            // (w h)^2) = 3e3 carries
            assert!(off.abs() < 1e4 * f64::EPSILON * largest, "push {push}, step {n}: off by {off:e} of {largest}");
        }
        println!("push {push}: amplitude {largest:.3} rad");
        assert!(
            push < 60.0 || largest > if push == 60.0 { 1.2 } else { 1.5 * std::f64::consts::PI },
            "{push}: {largest}"
        );
    }
}

#[test]
fn pendulum_that_starts_with_a_velocity_has_the_stiffness_of_that_state() {
    // The frozen multipliers hold the weight and turn the centre, m (g + l w0^2): w^2 = m l (g + l
    // w0^2)/(J + m l^2)
    let h = 0.01;
    for speed in [1e-3, 0.5, 2.0] {
        let (mut sim, body) = pendulum("newmark", &[], speed);
        let mut angles = vec![0.0];
        for _ in 0..200 {
            sim.step(h).unwrap();
            angles.push(rotation_vector(turn(&sim.outputs().body_pose(body).unwrap()))[1]);
        }
        let n = (0..198).max_by(|a, b| angles[a + 1].abs().total_cmp(&angles[b + 1].abs())).unwrap();
        let cosine = (angles[n] + angles[n + 2]) / (2.0 * angles[n + 1]);
        let w = 2.0 * ((1.0 - cosine) / (1.0 + cosine)).sqrt() / h;
        let still = (M * G * LENGTH / (J + M * LENGTH * LENGTH)).sqrt();
        let frozen = (M * LENGTH * (G + LENGTH * speed * speed) / (J + M * LENGTH * LENGTH)).sqrt();
        println!("speed {speed}: w {w:.6}, sqrt(m g l/J) {still:.6}, with the centripetal force {frozen:.6}");
        assert!((w / frozen - 1.0).abs() < 1e-6, "speed {speed}: {w} {still} {frozen}");
    }
}

#[test]
fn the_matrix_is_factorised_once_per_length_of_step() {
    let counts = |sim: &Simulation| sim.outputs().statistic("factorizations").unwrap();
    for (scheme, options, _) in families() {
        let (mut sim, _) = pendulum(scheme, &options, 0.3);
        // The first step is another formula, with a matrix of its own.
        (0..2).for_each(|_| sim.step(0.01).unwrap());
        let first = counts(&sim);
        for _ in 0..50 {
            sim.step(0.01).unwrap();
            assert_eq!(sim.outputs().statistic("last_iterations").unwrap(), 1.0);
        }
        assert_eq!(counts(&sim), first, "{scheme}: no more");
        sim.step(0.02).unwrap();
        let changed = counts(&sim) - first;
        sim.step(0.02).unwrap();
        println!("{scheme}: {first} for the start and two steps, {changed} for another length");
        assert!((1.0..=2.0).contains(&changed) && counts(&sim) == first + changed, "{scheme}: {first} {changed}");
    }
}

#[test]
fn other_schemes_refuse_linear_analysis() {
    for scheme in ["rk4", "ab3", "lab3", "euler", "leuler", "beuler5", "midpoint5", "anderson5", "aca3", "wilson3"] {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        assert!(
            matches!(sim.settings().set_option("linear", 1.0), Err(Error::Unsupported { argument: "value", .. })),
            "{scheme}"
        );
        assert_eq!(sim.given().option("linear").unwrap(), 0.0);
        let mut sim = Simulation::new();
        sim.settings().set_option("linear", 1.0).unwrap();
        assert!(
            matches!(sim.settings().set_scheme(scheme), Err(Error::Unsupported { argument: "name", .. })),
            "{scheme}"
        );
        assert_eq!(sim.given().scheme(), "generalized-alpha");
    }
}
