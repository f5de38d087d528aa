//! Lines whose segments fall slack and snap taut within steps: the outputs at the end of a step are
//! consistent with each other.

use crate::common::*;
use crate::models::*;
use crate::reference::Material;
use pintle::Simulation;
use std::f64::consts::FRAC_PI_2;

const N: usize = 6;
const LENGTH: f64 = 32.0;
const G: f64 = 9.81;

/// The largest force by which a node's `m a = m g + T+ t+ - T- t-` is off, as part of its weight,
/// inertia and tensions.
fn out_of_balance(sim: &Simulation, mass: f64) -> f64 {
    let (x, tensions, mut a) = (nodes(sim, 0, N), tensions(sim, 0, N), [[0.0; 3]; N + 1]);
    sim.lines().accelerations(0, &mut a).unwrap();
    let pull = |k: usize| {
        let chord = sub(x[k + 1], x[k]);
        scale(tensions[k] / norm(chord), chord)
    };
    let part = |k: usize| {
        let force = add(sub(pull(k), pull(k - 1)), [0.0, 0.0, -mass * G]);
        let size = mass * (G + norm(a[k])) + tensions[k].abs() + tensions[k - 1].abs();
        norm(sub(force, scale(mass, a[k]))) / size
    };
    (1..N).map(part).fold(0.0, f64::max)
}

#[test]
fn forces_and_accelerations_balance_in_steps_that_snap_segments() {
    for (ba, scheme) in [(1e4, "generalized-alpha"), (0.0, "generalized-alpha"), (1e4, "hht"), (1e4, "momentum-alpha")]
    {
        for shift in [0.0, 1e6] {
            let of = Material { d: 0.05, w: 20.0, ea: 1e8, ba, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
            sim.settings().set_scheme(scheme).unwrap();
            let low = fixed(&mut sim, [shift, 0.0, 0.0]);
            let high = moved(&mut sim, [shift + 20.0, 0.0, 20.0]);
            line(&mut sim, &of, [low, high], LENGTH, N);
            sim.initialize(0.0).unwrap();
            let (mut worst, mut slack, mut taut, mut iterations) = (0.0f64, 0, 0, 0.0);
            for n in 1..=400 {
                let t = 0.021 * n as f64;
                let (s, c) = (FRAC_PI_2 * t).sin_cos();
                let w = FRAC_PI_2;
                let at = [shift + 20.0, 0.0, 20.0 - 4.0 * (1.0 - c)];
                sim.inputs()
                    .set_point_motion(high, &at, &[0.0, 0.0, -4.0 * w * s], &[0.0, 0.0, -4.0 * w * w * c])
                    .unwrap();
                sim.step(0.021).unwrap();
                let tensions = tensions(&sim, 0, N);
                slack += usize::from(tensions.iter().any(|t| *t <= 0.0));
                taut += usize::from(tensions.iter().any(|t| *t > 5e3));
                worst = worst.max(out_of_balance(&sim, of.w * LENGTH / N as f64));
                iterations = sim.outputs().statistic("iterations").unwrap();
            }
            println!(
                "{scheme} BA {ba} at {shift}: off by {worst:.1e}; {slack} steps with slack, {taut} with taut segments, {iterations} iterations"
            );
            assert!(slack > 10 && taut > 20, "{slack} {taut}");
            // 1e-5 is what a step may end with. Far away positions are rounded to 1e-10 m: EA/l of
            // that is 2e-3 N of some 1000.
            assert!(worst < if shift == 0.0 { 1.01e-5 } else { 3e-5 }, "{scheme} BA {ba} at {shift}: {worst:e}");
        }
    }
}
