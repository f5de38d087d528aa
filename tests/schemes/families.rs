//! Relations within the Newmark family, and its undamped members on constraints.
//!
//! hht on a nonlinear pendulum against its formulas written for the angle; newmark on the heavy top
//! for ten seconds, and with other gamma and beta.

use crate::common::models::heavy_top::{self, START};
use crate::common::*;
use crate::models::*;
use crate::problems::*;
use pintle::{Frame, GROUND, JointKind, Simulation};

fn swing(scheme: &str, options: &[(&str, f64)], steps: usize, h: f64) -> Vec<[f64; 7]> {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let tight = [("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)];
    for (key, value) in tight.iter().chain(options) {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let (at, v) = swung([0.0; 3], [0.0, 0.0, -0.8], [0.0, 1.0, 0.0], 2.4, 1.1, [0.0; 3]);
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.3, 0.3, 0.3, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &v).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.initialize(0.0).unwrap();
    let mut out = Vec::new();
    for _ in 0..steps {
        sim.step(h).unwrap();
        out.push(sim.outputs().body_pose(body).unwrap());
    }
    out
}

#[test]
fn hht_with_alpha_zero_is_newmark_bit_by_bit() {
    // alpha_f = 0, gamma = 1/2, beta = 1/4 are the same numbers in the same formulas: no rounding
    // can differ
    assert_eq!(swing("hht", &[("hht_alpha", 0.0)], 300, 0.02), swing("newmark", &[], 300, 0.02));
    // and alpha matters
    assert_ne!(swing("hht", &[("hht_alpha", -0.1)], 30, 0.02), swing("newmark", &[], 30, 0.02));
}

#[test]
fn generalized_alpha_with_the_alphas_of_hht_is_hht_to_rounding() {
    // rho_inf = 1/2: alpha_m = 0, alpha_f = 1/3, gamma = 5/6, beta = 4/9, which is hht with alpha =
    // -1/3. To rounding: thirds round, and 1/2 + alpha_f is another expression than 1/2 - alpha.
    // Each step may then differ by some roundings of its increments (turns of 0.1 rad), and a swing
    // that is not chaotic carries them on for 300 steps: 300 * 300/2 of 1e-16 * 0.1 at the very
    // most, if every velocity error counted to the end.
    let a = swing("generalized-alpha", &[("rho_inf", 0.5)], 300, 0.02);
    let b = swing("hht", &[("hht_alpha", -1.0 / 3.0)], 300, 0.02);
    let off = a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("generalized-alpha at rho_inf 1/2 and hht at alpha -1/3: {off:.1e} apart");
    assert!(off < 4.5e4 * 0.1 * f64::EPSILON, "{off:e}");
    // other alphas, other motion
    let c = swing("hht", &[("hht_alpha", -0.1)], 300, 0.02);
    let apart = distance(place(&a[299]), place(&c[299]));
    assert!(apart > 1e-7, "{apart:e}");
}

#[test]
fn generalized_alpha_at_rho_one_is_not_newmark_but_has_its_spectrum() {
    // alpha_m = alpha_f = 1/2, gamma = 1/2, beta = 1/4: another method with the same oscillator
    // roots (trapezoidal rule)
    let (w, h) = (3.0, 0.11);
    let run = |scheme: &str, options: &[(&str, f64)]| {
        let mut sim = oscillator(Along::X, w, 0.0, [1.0, 0.2], scheme, options);
        (0..200).map(|_| sim.step(h).map(|()| motion(&sim, Along::X)[0]).unwrap()).collect::<Vec<_>>()
    };
    let a = run("newmark", &[]);
    let b = run("generalized-alpha", &[("rho_inf", 1.0)]);
    let cosine = (1.0 - (w * h).powi(2) / 4.0) / (1.0 + (w * h).powi(2) / 4.0);
    for y in [a, b] {
        for y in y.windows(3) {
            // Newton's tolerance of 1e-6 leaves its square on a linear model: rounding
            assert!((y[2] - 2.0 * cosine * y[1] + y[0]).abs() < 1e-13, "{y:?}");
        }
    }
}

/// HHT on I phi'' = -torque(phi, phi'), a carried as the books have it.
fn hht(alpha: f64, h: f64, steps: usize, start: [f64; 2], acceleration: impl Fn(f64, f64) -> f64) -> Vec<[f64; 2]> {
    let (gamma, beta) = (0.5 - alpha, (1.0 - alpha).powi(2) / 4.0);
    let ([mut x, mut v], mut out) = (start, vec![start]);
    let mut a = acceleration(x, v);
    for _ in 0..steps {
        let at = |next: f64| {
            (x + h * v + h * h * ((0.5 - beta) * a + beta * next), v + h * ((1.0 - gamma) * a + gamma * next))
        };
        // a+ = (1 + alpha) f(x+, v+) - alpha f(x, v), by Newton with a difference quotient
        let residual = |next: f64| {
            let (x1, v1) = at(next);
            next - (1.0 + alpha) * acceleration(x1, v1) + alpha * acceleration(x, v)
        };
        let mut next = a;
        for _ in 0..30 {
            let slope = (residual(next + 1e-4) - residual(next - 1e-4)) / 2e-4;
            next -= residual(next) / slope;
        }
        (x, v) = at(next);
        a = next;
        out.push([x, v]);
    }
    out
}

#[test]
fn hht_on_a_nonlinear_torsion_is_its_formula() {
    // One axis: the exponential of increments about it adds angles, so the library must follow the
    // scalar recursion. The torque comes from a callback without tangents: sin(phi) with a velocity
    // term.
    for alpha in [-0.05, -0.3] {
        let (inertia, h) = (2.0, 0.1);
        let torque = |x: f64, v: f64| -(9.0 * x.sin() + 0.3 * v * v.abs());
        let mut sim = Simulation::new();
        sim.settings().set_scheme("hht").unwrap();
        // The books start with a = y''.
        let options = [("initial_acceleration", 1.0), ("hht_alpha", alpha), ("max_iterations", 200.0)];
        for (key, value) in options.into_iter().chain([("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)]) {
            sim.settings().set_option(key, value).unwrap();
        }
        let at = pose([0.0; 3], quat_exp([0.0, 0.0, 1.9]));
        let body =
            sim.build().add_rigid_body(1.0, &[0.0; 3], &[inertia, inertia, inertia, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, -0.7]).unwrap();
        sim.build().set_body_acceleration(body, &[0.0, 0.0, 0.0, 0.0, 0.0, torque(1.9, -0.7) / inertia]).unwrap();
        let load = move |m: &pintle::BodyMotion, load: &mut pintle::BodyLoad| {
            load.wrench[5] = torque(2.0 * m.pose[6].atan2(m.pose[3]), m.velocity[5]);
            Ok(())
        };
        sim.inputs().set_load_callback(body, Some(std::sync::Arc::new(load))).unwrap();
        sim.initialize(0.0).unwrap();
        let exact = hht(alpha, h, 100, [1.9, -0.7], |x, v| torque(x, v) / inertia);
        for (n, exact) in exact.iter().enumerate().skip(1) {
            sim.step(h).unwrap();
            let [x, v, _] = motion(&sim, Along::Turn);
            // iterations end at 1e-13 relative per step; 100 steps of it and of rounding, times w h
            // for the velocity
            assert!((x - exact[0]).abs() < 1e-10 && (v - exact[1]).abs() < 1e-9, "step {n}: {x} {v}, {exact:?}");
        }
    }
}

/// A run of the heavy top by newmark: largest change of energy (relative), error of the reaction at
/// its worst over the first two seconds, largest reaction of all; or where it failed.
fn top(options: &[(&str, f64)], h: f64, end: f64) -> Result<[f64; 3], String> {
    let (mut sim, _, joint) = heavy_top::top();
    sim.settings().set_scheme("newmark").unwrap();
    let tight = [("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
    for (key, value) in tight.iter().chain(options) {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim.initialize(0.0).unwrap();
    let total = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
    let start = total(&sim);
    let mut worst = [0.0f64; 3];
    let (mut y, fine) = (START.to_vec(), (h / 2e-5).round() as usize);
    for n in 1..=(end / h).round() as usize {
        sim.step(h).map_err(|e| format!("failed at {:.4} s: {e}", n as f64 * h))?;
        worst[0] = worst[0].max((total(&sim) / start - 1.0).abs());
        let reaction = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0;
        if n as f64 * h <= 2.0 {
            for _ in 0..fine {
                rk4_step(&mut heavy_top::rate, 0.0, h / fine as f64, &mut y);
            }
            worst[1] = worst[1].max(distance(reaction, heavy_top::reaction(&y)));
        }
        worst[2] = worst[2].max(norm(reaction));
    }
    Ok(worst)
}

/// Generalized-alpha at rho_inf 1 does so too:
/// `heavy_top::undamped_top_runs_ten_seconds_with_bounded_energy_and_reaction`.
#[test]
fn undamped_newmark_runs_the_heavy_top_for_ten_seconds() {
    let [coarse, fine] = [1e-3, 5e-4].map(|h| top(&[], h, 10.0).unwrap());
    println!(
        "energy {:.1e} {:.1e}, reaction off by {:.3} N {:.3} N, largest {:.2} N {:.2} N",
        coarse[0], fine[0], coarse[1], fine[1], coarse[2], fine[2]
    );
    for run in [coarse, fine] {
        assert!(run[0] < 1e-5, "energy {:e}", run[0]);
        // the exact reaction has its largest value, 875.73 N, at each nutation
        assert!(run[2] < 875.8 + run[1], "largest reaction {}", run[2]);
    }
    // second order: 4, and (Omega h)^2 = 2 % more
    assert!((coarse[1] / fine[1] / 4.0 - 1.0).abs() < 0.1, "{} {}", coarse[1], fine[1]);
}

#[test]
fn newmark_with_other_parameters_on_the_heavy_top() {
    // gamma 0.6 damps at first order: energy, and with it the reaction, lose half as much at half
    // the step. gamma 1/2 with another beta is of second order. What multipliers do follows beta
    // r^2 + (1/2 + gamma - 2 beta) r + 1/2 - gamma + beta = 0.
    for (gamma, beta, ratio) in [(0.6, 0.3025, 2.0), (0.6, 0.35, 2.0), (0.6, 0.5, 2.0), (0.5, 0.3, 4.0)] {
        let [coarse, fine] =
            [1e-3, 5e-4].map(|h| top(&[("newmark_gamma", gamma), ("newmark_beta", beta)], h, 5.0).unwrap());
        println!("newmark gamma {gamma} beta {beta}: {coarse:?} {fine:?}");
        assert!((coarse[0] / fine[0] / ratio - 1.0).abs() < 0.1, "energy {coarse:?} {fine:?}");
        assert!((coarse[1] / fine[1] / ratio - 1.0).abs() < 0.1, "reaction {coarse:?} {fine:?}");
        assert!(coarse[2] < 875.8 + coarse[1], "{coarse:?}");
    }
    // beta 1/6 has a root of -2 - sqrt(3), beta 1/2 the roots +-i, which no filter of alternating
    // modes takes: left to run they fail at 0.02 s and 0.3 s. Refused where there are constraints,
    // at the first step.
    for beta in [1.0 / 6.0, 0.5] {
        let outcome = top(&[("newmark_beta", beta)], 1e-3, 5.0);
        assert!(outcome.as_ref().is_err_and(|e| e.contains("newmark_beta")), "{outcome:?}");
    }
}
