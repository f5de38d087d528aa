//! The time: far from zero it is the sum of the steps, without accumulated rounding.

use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Error, Simulation};
use std::sync::{Arc, Mutex};

const T0: f64 = 1e9;

/// Distance of neighbouring numbers at 1e9.
const UNIT: f64 = 1.1920928955078125e-7;

/// A free body, whose load callback records the largest distance of its times from multiples of
/// half a step.
fn body(scheme: &str, dt: f64, worst: &Arc<Mutex<f64>>) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let (noted, grid) = (Arc::clone(worst), 0.5 * dt);
    let note = move |motion: &BodyMotion, _: &mut BodyLoad| {
        let halves = ((motion.time - T0) / grid).round();
        let mut worst = noted.lock().unwrap();
        *worst = f64::max(*worst, (motion.time - (T0 + halves * grid)).abs());
        Ok(())
    };
    sim.inputs().set_load_callback(body, Some(Arc::new(note))).unwrap();
    sim.initialize(T0).unwrap();
    sim
}

#[test]
fn time_far_from_zero_is_the_sum_of_the_steps() {
    for (dt, scheme) in [(1e-3, "generalized-alpha"), (0.1, "generalized-alpha"), (1e-3, "euler"), (0.1, "lab2")] {
        let worst = Arc::default();
        let mut sim = body(scheme, dt, &worst);
        for n in 1..=100_000 {
            sim.step(dt).unwrap();
            if n == 50_000 {
                // The rounding error of the time is part of the state.
                let bytes = sim.save().unwrap().to_bytes();
                sim = body(scheme, dt, &worst);
                let state = sim.deserialize(&bytes).unwrap();
                sim.restore(&state).unwrap();
            }
        }
        let off = (sim.time().unwrap() - (T0 + 1e5 * dt)).abs();
        assert!(off <= UNIT, "{scheme} {dt}: {off} after 1e5 steps");
        let worst = *worst.lock().unwrap();
        assert!(worst <= UNIT, "{scheme} {dt}: load callbacks were told times {worst} off");
    }
}

#[test]
fn internal_steps_below_the_rounding_of_time_add_up() {
    // 1e-8 is a tenth of a unit of the label.
    for scheme in ["generalized-alpha", "rk4", "ab4"] {
        let mut sim = body(scheme, 1e-8, &Arc::default());
        sim.settings().set_option("max_time_step", 1e-8).unwrap();
        for _ in 0..200 {
            sim.step(1e-6).unwrap();
        }
        assert_eq!(sim.outputs().statistic("substeps").unwrap(), 20_000.0);
        let off = (sim.time().unwrap() - (T0 + 200.0 * 1e-6)).abs();
        assert!(off <= UNIT, "{scheme}: {off}");
    }
    let mut sim = body("rk4", 1.0, &Arc::default());
    let error = sim.step(1e-9).unwrap_err();
    assert!(
        matches!(&error, Error::BadValue { argument: "dt", detail } if detail.contains("does not move")),
        "{error}"
    );
}
