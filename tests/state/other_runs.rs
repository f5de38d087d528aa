//! A state restored into another run of the same model, with another start, continues bit for bit.

use crate::common::*;
use crate::model::{DT, bits, described, give, schemes};
use pintle::{Error, Frame, GROUND, JointKind, Simulation};

/// A run of the model with the given initial spin, loads and motions, and time.
fn run(scheme: &str, options: &[(&str, f64)], spin: f64, t0: f64) -> Simulation {
    let mut sim = described(scheme, spin);
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    give(&mut sim, t0);
    if t0 > 0.0 {
        // The drive begins elsewhere, and the bodies with it.
        sim.settings().set_option("assemble", 1.0).unwrap();
    }
    sim.initialize(t0).unwrap();
    sim
}

fn march(sim: &mut Simulation, steps: std::ops::Range<usize>) -> Vec<u64> {
    for n in steps {
        give(sim, (n + 1) as f64 * DT);
        // Tolerances are a part of the force scale: iterations end where that says.
        sim.step(DT).unwrap();
    }
    bits(sim)
}

/// Loose tolerances, so that the number of iterations depends on the scales of the convergence
/// test.
const LOOSE: [(&str, f64); 3] = [("abs_tolerance", 1e-4), ("rel_tolerance", 0.0), ("on_no_convergence", 1.0)];

#[test]
fn every_scheme_goes_on_bit_for_bit_in_a_run_that_began_elsewhere() {
    let linear = ["generalized-alpha", "momentum-alpha", "newmark", "hht"].map(|scheme| (scheme.to_owned(), true));
    for (scheme, is_linear) in schemes().into_iter().map(|scheme| (scheme, false)).chain(linear) {
        let options: Vec<_> =
            LOOSE.into_iter().chain(is_linear.then_some(("linear", 1.0))).chain([("max_time_step", 1.5e-3)]).collect();
        let mut sim = run(&scheme, &options, 40.0, 0.0);
        march(&mut sim, 0..10);
        let state = sim.save().unwrap();
        let bytes = state.to_bytes();
        let expected = march(&mut sim, 10..50);

        for steps in [0, 3] {
            let mut other = run(&scheme, &options, 0.5, 0.7);
            for _ in 0..steps {
                other.step(DT).unwrap();
            }
            other.restore(&state).unwrap();
            assert_eq!(
                march(&mut other, 10..50),
                expected,
                "{scheme}, linear {is_linear}: restored after {steps} steps"
            );
        }
        // Options are part of the state, except those fixed at initialize: linear analysis is about
        // the reference points.
        let own: &[_] = if is_linear { &[("linear", 1.0)] } else { &[] };
        let mut other = run(&scheme, own, 0.5, 0.7);
        let read = other.deserialize(&bytes).unwrap();
        other.restore(&read).unwrap();
        assert_eq!(other.save().unwrap().to_bytes(), bytes, "{scheme}: what was restored is what is saved");
        assert_eq!(march(&mut other, 10..50), expected, "{scheme}, linear {is_linear}: through bytes");
    }
}

/// Linear analysis is about the initial state: a run with another start is another problem.
#[test]
fn linear_analysis_goes_on_about_the_state_that_it_was_begun_at() {
    let run = |velocity: f64, load: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        sim.settings().set_option("linear", 1.0).unwrap();
        let j = [0.4, 0.5, 0.6, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &j, &pose([1.0, 0.0, -1.0], UNROTATED)).unwrap();
        let omega = [0.0, velocity, 0.0];
        sim.build().set_body_velocity(body, &join(cross(omega, [1.0, 0.0, -1.0]), omega)).unwrap();
        sim.inputs().set_body_load(body, Frame::Body, &[load, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let march = |sim: &mut Simulation| {
        (0..200).for_each(|_| sim.step(0.01).unwrap());
        sim.outputs().body_pose(0).unwrap()
    };
    let mut sim = run(0.3, 1.0);
    march(&mut sim);
    let state = sim.save().unwrap();
    let expected = march(&mut sim);
    let mut other = run(-2.0, 0.0);
    march(&mut other);
    other.restore(&state).unwrap();
    assert_eq!(march(&mut other), expected);
}

#[test]
fn states_of_an_older_format_are_refused_in_words() {
    let sim = run("rk4", &[], 1.0, 0.0);
    for format in [2, 12u32] {
        let mut bytes = sim.save().unwrap().to_bytes();
        bytes[8..12].copy_from_slice(&format.to_le_bytes());
        let error = sim.deserialize(&bytes).unwrap_err();
        assert!(matches!(error, Error::Format { .. }), "{error}");
        let (text, format) = (error.to_string(), format!("format {format}"));
        assert!(text.contains(&format) && text.contains("older version") && text.contains("reads 28"), "{text}");
    }
}
