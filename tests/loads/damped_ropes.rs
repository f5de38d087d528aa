//! Damped tension-only springs: caught falls, at any step; never a push, nothing but dissipation by
//! the damper.

use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};

const MASS: f64 = 100.0;
const STIFFNESS: f64 = 1e6; // w = 100 rad/s
const DAMPING: f64 = 1e3; // 5 % of critical
const REST: f64 = 10.0;
const G: f64 = 9.81;

/// A weight that falls by `drop` before its rope from the origin tightens.
fn falling(scheme: &str, options: &[(&str, f64)], drop: f64) -> (Simulation, Id, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let at = pose([0.0, 0.0, drop - REST], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    let rope = sim.elements().add_spring(GROUND, &[0.0; 3], body, &[0.0; 3], STIFFNESS, DAMPING, REST, true).unwrap();
    (sim, body, rope)
}

/// Tension at elongation e and its rate: the damper carries no more than the spring, as
/// docs/theory.md says.
fn tension(e: f64, rate: f64) -> f64 {
    if e > 0.0 { STIFFNESS * e + (DAMPING * rate).clamp(-STIFFNESS * e, STIFFNESS * e) } else { 0.0 }
}

/// Elongation and its rate.
fn state(sim: &Simulation, body: Id) -> (f64, f64) {
    (-REST - sim.outputs().body_pose(body).unwrap()[2], -sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[2])
}

/// Kinetic and potential energy.
fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

#[test]
fn caught_weight_comes_to_rest_and_no_step_fails() {
    // Up to w h = sqrt(2): there the mass is at least as stiff in the iteration as the rope, m (1 -
    // alpha_m)/(beta h^2 (1 - alpha_f)) >= k for every rho_inf, and Newton's iteration cannot go to
    // and fro between slack and taut. At 3 ms and more numerical damping is part of the answer;
    // where it ends is not: m g/k.
    for drop in [0.01, 0.2, 1.0, 7.0] {
        for rho in [0.0, 0.5, 0.8, 1.0] {
            for (h, steps) in [(1e-3, 6000), (3e-3, 4000), (0.01, 3000), (0.014, 3000)] {
                let case = format!("drop {drop}, rho_inf {rho}, h {h}");
                let (mut sim, body, rope) = falling("generalized-alpha", &[("rho_inf", rho)], drop);
                sim.initialize(0.0).unwrap();
                let highest = MASS * G * (drop - REST);
                for n in 0..steps {
                    sim.step(h).unwrap_or_else(|error| panic!("{case}, step {n}: {error}"));
                    let (e, rate) = state(&sim, body);
                    let (_, found) = sim.outputs().spring_force(rope).unwrap();
                    // Rounding of the length, 2e-15, times the stiffness.
                    assert_close(&case, &[found], &[tension(e, rate)], 1e-7 + 1e-12 * found);
                    assert!(found >= 0.0 && (e > 0.0 || found == 0.0), "{case}: tension {found} at {e}");
                    // At 1 ms the scheme's own error in energy, some (w h)^2 of the strain energy,
                    // is below 1 %.
                    let gained = energy(&sim) - highest;
                    assert!(h > 1e-3 || gained < 0.01 * (MASS * G * (drop + 0.05)), "{case}: gained {gained} J");
                }
                // Falls of 7 m bounce for longer than these runs: they are about the steps.
                let (e, rate) = state(&sim, body);
                if drop < 0.1 && h >= 3e-3 {
                    let still = 1e-6;
                    assert_close(&case, &[e, rate / 100.0], &[MASS * G / STIFFNESS, 0.0], still);
                }
            }
        }
    }
}

#[test]
fn steps_longer_than_the_rope_resolves_are_carried_by_cutting() {
    // w h = 2. No force that damps, and vanishes where the rope is slack, is convex in (e, de/dt):
    // Newton's iteration may go to and fro between slack and taut. Where few iterations are allowed
    // it does not come to an end, and halved steps (on_no_convergence 2) go on.
    let (h, mut rejected) = (0.02, 0.0);
    for drop in [0.2, 1.0, 7.0] {
        for rho in [0.0, 0.5, 0.8, 1.0] {
            let case = format!("drop {drop}, rho_inf {rho}");
            let options = [("rho_inf", rho), ("on_no_convergence", 2.0), ("max_iterations", 4.0)];
            let (mut sim, body, rope) = falling("generalized-alpha", &options, drop);
            sim.initialize(0.0).unwrap();
            for n in 0..1000 {
                sim.step(h).unwrap_or_else(|error| panic!("{case}, step {n}: {error}"));
                let (e, rate) = state(&sim, body);
                let found = sim.outputs().spring_force(rope).unwrap().1;
                assert_close(&case, &[found], &[tension(e, rate)], 1e-7 + 1e-12 * found);
                assert!(-e <= drop, "{case}: thrown higher than it fell from, {e}");
            }
            rejected += sim.outputs().statistic("rejected_steps").unwrap();
        }
    }
    assert!(rejected > 0.0, "no case needed the halving: this test says nothing");
}

/// Elongation and rate at multiples of `interval`, by Runge-Kutta steps of 1 us: kinks of the force
/// cost (1 us)^2 there.
fn reference(drop: f64, interval: f64, intervals: usize) -> Vec<Vec<f64>> {
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = G - tension(y[0], y[1]) / MASS;
    };
    rk4_samples(rate, &[-drop, 0.0], interval, intervals, (interval / 1e-6).round() as usize)
}

#[test]
fn caught_fall_converges_to_runge_kutta() {
    // 0.3 m of fall (v = 2.4 m/s after 0.247 s), caught over 31 ms, thrown up again. The jerk jumps
    // by up to 2 k v/m at three places: where the rope tightens, where its damper leaves its limit,
    // where the rope slackens. A step across such a place is off by up to h^2 of it in velocity;
    // beside it the frequency error of half a period, (w h)^2/12 pi of v.
    let v = (2.0 * G * 0.3f64).sqrt();
    let limit = |h: f64| (3.0 * 2.0 * STIFFNESS * v / MASS * h * h + (100.0 * h).powi(2) / 12.0 * 3.2 * v) / 100.0;
    let exact = reference(0.3, 1e-3, 400);
    for (scheme, rho) in [
        ("generalized-alpha", 0.0),
        ("generalized-alpha", 0.8),
        ("generalized-alpha", 1.0),
        ("newmark", 0.8),
        ("rk4", 0.8),
    ] {
        let run = |h: f64| {
            let tight = [("rho_inf", rho), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
            let (mut sim, body, _) = falling(scheme, &tight, 0.3);
            sim.initialize(0.0).unwrap();
            let stride = (1e-3 / h).round() as usize;
            let mut worst = 0.0f64;
            for sample in &exact[1..] {
                (0..stride).for_each(|_| sim.step(h).unwrap());
                let (e, rate) = state(&sim, body);
                worst = worst.max((e - sample[0]).abs()).max((rate - sample[1]).abs() / 100.0);
            }
            worst
        };
        let steps = [5e-4, 1.25e-4, 3.125e-5];
        let errors = steps.map(run);
        println!("{scheme} {rho}: {errors:?}");
        for (h, error) in steps.into_iter().zip(errors) {
            assert!(error < limit(h), "{scheme} {rho}: {errors:?} against {}", limit(h));
        }
    }
}

#[test]
fn damper_of_a_rope_only_dissipates_and_starts_from_zero() {
    // The tension of ropes set up at given elongation and rate, without a step.
    let at = |e: f64, rate: f64| {
        let (mut sim, body, rope) = falling("generalized-alpha", &[], -e);
        sim.build().set_body_velocity(body, &[0.0, 0.0, -rate, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        sim.outputs().spring_force(rope).unwrap().1
    };
    for rate in [-30.0, -1.0, -1e-3, 0.0, 1e-3, 1.0, 30.0] {
        assert_eq!(at(-1e-3, rate), 0.0, "slack");
        for e in [1e-9, 1e-4, 1e-3, 0.02] {
            let found = at(e, rate);
            // rounding of the length, 2e-15 m
            let rounding = 4e-15 * STIFFNESS;
            let power = (found - STIFFNESS * e) * rate;
            assert!(found >= 0.0 && power >= -rounding * rate.abs(), "{found} at {e}, {rate}");
            assert!(found <= 2.0 * STIFFNESS * e + rounding, "{found} at {e}, {rate}: it vanishes with e");
            assert_close("law", &[found], &[tension(e, rate)], 2.0 * rounding + 1e-12 * found);
        }
    }
    // Taut enough, it is the damped spring.
    assert_close("linear", &[at(0.02, 1.0)], &[STIFFNESS * 0.02 + DAMPING], 1e-8);
}

#[test]
fn explicit_schemes_catch_too() {
    for scheme in ["rk4", "ab4", "heun"] {
        let (mut sim, body, _) = falling(scheme, &[], 0.2);
        sim.initialize(0.0).unwrap();
        let mut lowest = 0.0f64;
        for _ in 0..4000 {
            sim.step(5e-4).unwrap();
            lowest = lowest.max(state(&sim, body).0);
        }
        // Undamped: m v^2/2 = k e^2/2 about the static elongation, and half a cycle at 5 % takes 15
        // %.
        let undamped = (2.0 * G * 0.2f64).sqrt() / 100.0 + MASS * G / STIFFNESS;
        assert!(lowest < undamped && lowest > 0.8 * undamped, "{scheme}: {lowest}, undamped {undamped}");
    }
}
