//! Inputs set while a trial is pending belong to the next step: a run whose inputs are set one call
//! early equals, bit for bit, one whose inputs are set in time, with every scheme.

use crate::common::*;
use crate::model::{DT, bits, described, give, schemes};
use pintle::{Frame, Phase, Simulation};

const STEPS: usize = 24;

/// True for steps at whose start a discontinuity is marked.
fn is_marked(n: usize) -> bool {
    n == 7 || n == 16
}

/// Sets the inputs for the end of step n - 1, the start of step n.
fn tell(sim: &mut Simulation, n: usize) {
    give(sim, n as f64 * DT);
    if (8..=16).contains(&n) {
        // The load jumps where the discontinuity is marked.
        sim.inputs().set_body_load(2, Frame::Inertial, &[8.0, -2.0, 0.0, 0.0, 0.3, 0.0]).unwrap();
    }
}

fn started(scheme: &str, options: &[(&str, f64)]) -> Simulation {
    let mut sim = described(scheme, 2.0);
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    sim
}

/// Bits after each step of the host that sets inputs in phase READY.
fn in_time(scheme: &str, options: &[(&str, f64)]) -> Vec<Vec<u64>> {
    let mut sim = started(scheme, options);
    let steps = (0..STEPS).map(|n| {
        if is_marked(n) {
            sim.inputs().mark_discontinuity().unwrap();
        }
        tell(&mut sim, n + 1);
        sim.step(DT).unwrap();
        bits(&sim)
    });
    steps.collect()
}

fn cases() -> impl Iterator<Item = (String, Vec<(&'static str, f64)>)> {
    let options = [vec![("input_order", 0.0)], vec![], vec![("max_time_step", 1.5e-3)]];
    schemes().into_iter().flat_map(move |scheme| options.clone().into_iter().map(move |o| (scheme.clone(), o)))
}

#[test]
fn inputs_and_marks_set_before_accept_are_those_of_the_next_step() {
    for (scheme, options) in cases() {
        let expected = in_time(&scheme, &options);
        let mut sim = started(&scheme, &options);
        tell(&mut sim, 1);
        for (n, expected) in expected.iter().enumerate() {
            sim.advance(DT).unwrap();
            assert_eq!(bits(&sim), *expected, "{scheme} {options:?}: trial {n}");
            tell(&mut sim, n + 2);
            if is_marked(n + 1) {
                sim.inputs().mark_discontinuity().unwrap();
            }
            assert_eq!(bits(&sim), *expected, "{scheme} {options:?}: inputs for the next step change no output");
            sim.accept().unwrap();
            assert_eq!(bits(&sim), *expected, "{scheme} {options:?}: step {n}");
        }
    }
}

#[test]
fn inputs_and_marks_set_before_a_repeated_advance_act_on_it() {
    for (scheme, options) in cases() {
        let expected = in_time(&scheme, &options);
        let mut sim = started(&scheme, &options);
        for (n, expected) in expected.iter().enumerate() {
            // A first guess of the host, without the mark, and of another length.
            give(&mut sim, (n as f64 + 0.5) * DT);
            sim.advance(0.5 * DT).unwrap();
            tell(&mut sim, n + 1);
            if is_marked(n) {
                sim.inputs().mark_discontinuity().unwrap();
            }
            if n % 3 == 0 {
                sim.reject().unwrap();
            }
            sim.advance(DT).unwrap();
            sim.accept().unwrap();
            assert_eq!(bits(&sim), *expected, "{scheme} {options:?}: step {n}");
        }
    }
}

#[test]
fn inputs_and_marks_of_a_pending_trial_are_in_states_and_clones() {
    for (scheme, options) in cases() {
        let expected = in_time(&scheme, &options);
        let mut sim = started(&scheme, &options);
        tell(&mut sim, 1);
        for (n, expected) in expected.iter().enumerate() {
            sim.advance(DT).unwrap();
            tell(&mut sim, n + 2);
            if is_marked(n + 1) {
                sim.inputs().mark_discontinuity().unwrap();
            }
            if n % 3 == 0 {
                sim = sim.clone();
            } else if n % 3 == 1 {
                let bytes = sim.save().unwrap().to_bytes();
                sim = started(&scheme, &options);
                let state = sim.deserialize(&bytes).unwrap();
                sim.restore(&state).unwrap();
                assert_eq!(sim.phase(), Phase::Trial);
            }
            sim.accept().unwrap();
            assert_eq!(bits(&sim), *expected, "{scheme} {options:?}: step {n}");
        }
    }
}

/// A force that grows linearly is what `input_order` 1 represents exactly: x = t^3/6 of a unit mass
/// from rest is in the range of every method of order 3 and more, and v = t^2/2, x' = v of every
/// second order one but for the position's t^3.
#[test]
fn a_ramp_told_while_trials_are_pending_is_integrated_exactly() {
    for scheme in ["rk3", "rk4", "ab3", "ab4", "lab4"] {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("input_order", 1.0).unwrap();
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let push = |sim: &mut Simulation, t: f64| {
            sim.inputs().set_body_load(body, Frame::Inertial, &[t, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        };
        push(&mut sim, 0.0);
        sim.initialize(0.0).unwrap();
        let (h, steps) = (0.1, 50);
        push(&mut sim, h);
        for n in 1..=steps {
            sim.advance(h).unwrap();
            push(&mut sim, (n + 1) as f64 * h);
            sim.accept().unwrap();
        }
        let t = f64::from(steps) * h;
        let (x, v) =
            (sim.outputs().body_pose(body).unwrap()[0], sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0]);
        // 50 sums of numbers up to 21, each right to half a unit of rounding.
        assert!((x - t * t * t / 6.0).abs() < 1e-12 && (v - 0.5 * t * t).abs() < 1e-12, "{scheme}: {x} {v}");
    }
}
