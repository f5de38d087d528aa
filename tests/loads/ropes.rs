//! Weights on ropes (springs that only pull, without damping) which fall slack and snap within a
//! step: accepted steps satisfy Newton's law at their end, with the tension at the final positions.

use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};

const G: f64 = 9.81;
const SCHEMES: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];

fn system(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim
}

/// Tension of a rope of 1 m between two places, and its direction from the first to the second.
fn pull(stiffness: f64, [from, to]: [V3; 2]) -> V3 {
    let length = distance(from, to);
    scaled((stiffness * (length - 1.0)).max(0.0) / length, sub(to, from))
}

fn scaled(by: f64, v: V3) -> V3 {
    v.map(|x| by * x)
}

/// Two weights, one below the other, let go beside the hook. Steps until the end, or until one is
/// refused (ropes without damping are stiff: w h is 30 to 500); the largest force out of balance,
/// over the forces that act.
fn weights(scheme: &str, h: f64, mass: f64, stiffness: f64, aside: [f64; 2]) -> (usize, f64) {
    let mut sim = system(scheme);
    let hook = sim.build().add_point(0.0, 0.0, &ORIGIN3).unwrap();
    sim.build().fix_point(hook).unwrap();
    let mut weights: Vec<Id> = Vec::new();
    for (k, x) in aside.into_iter().enumerate() {
        let weight = sim.build().add_point(mass, 0.0, &[x, 0.0, -1.0 - k as f64]).unwrap();
        let above = weights.last().copied().unwrap_or(hook);
        sim.elements().add_point_spring(above, weight, stiffness, 0.0, 1.0, true).unwrap();
        weights.push(weight);
    }
    sim.initialize(0.0).unwrap();
    let mut worst = 0.0f64;
    for n in 0..150 {
        if sim.step(h).is_err() {
            return (n, worst);
        }
        let places = [hook, weights[0], weights[1]].map(|point| sim.points().position(point).unwrap());
        let upper = pull(stiffness, [places[1], places[0]]);
        let lower = pull(stiffness, [places[2], places[1]]);
        let forces = [sub(upper, lower), lower];
        for (weight, force) in weights.iter().zip(forces) {
            let inertia = scaled(mass, sim.points().acceleration(*weight).unwrap());
            let left = sub(add(force, [0.0, 0.0, -mass * G]), inertia);
            worst = worst.max(norm(left) / (norm(upper) + norm(lower) + mass * G + norm(inertia)));
        }
    }
    (150, worst)
}

const ORIGIN3: V3 = [0.0; 3];

#[test]
fn steps_that_are_accepted_obey_newton_where_ropes_snap() {
    let mut steps = 0;
    for scheme in SCHEMES {
        for (h, mass, stiffness) in
            [(0.02, 0.24, 1.7e7), (0.0235, 0.067, 1.6e6), (0.03, 6.4, 6.1e7), (0.05, 1.0, 1e6), (0.005, 10.0, 1e8)]
        {
            for aside in [[0.3, -0.4], [-0.7, 0.1], [0.9, 0.8], [0.05, -0.02]] {
                let (taken, worst) = weights(scheme, h, mass, stiffness, aside);
                steps += taken;
                // A step may end with 1e-5 of what acts on each weight; tensions are read at places
                // with 16 digits.
                let rounding = stiffness * 16.0 * f64::EPSILON / (mass * G);
                let claim = format!("{scheme}, h {h}, {mass} kg, {stiffness:e} N/m, {aside:?}");
                assert!(worst < 2e-5 + rounding, "{claim}: {worst:e} of the forces after {taken} steps");
            }
        }
    }
    assert!(steps > 4000, "only {steps} steps were taken");
}

/// In equilibrium: a hull on stiff supports with slack ropes, and with one that is just taut,
/// without and with gravity.
#[test]
fn slack_and_just_taut_ropes_at_rest_disturb_nothing() {
    for scheme in SCHEMES {
        for gravity in [0.0, G] {
            for far in [0.0, 1e6] {
                let mut sim = system(scheme);
                sim.settings().set_gravity(&[0.0, 0.0, -gravity]).unwrap();
                let at = pose([far, 0.0, 0.0], UNROTATED);
                let hull = sim.build().add_rigid_body(1e3, &[0.0; 3], &[1e3, 1e3, 1e3, 0.0, 0.0, 0.0], &at).unwrap();
                let stiff = diagonal([1e9; 6]);
                sim.elements().add_bushing(GROUND, hull, &at, &ORIGIN, &stiff, &diagonal([1e5; 6])).unwrap();
                let [slack, taut] = [3.0, 2.0];
                for (rest, arm) in [(slack, 0.5), (taut, -0.5), (taut, 0.0)] {
                    let hook = [far + arm, 0.0, 2.0];
                    sim.elements().add_spring(GROUND, &hook, hull, &[arm, 0.0, 0.0], 1e8, 0.0, rest, true).unwrap();
                }
                let load = [0.0, 0.0, 1e3 * gravity, 0.0, 0.0, 0.0];
                sim.inputs().set_body_load(hull, Frame::Inertial, &load).unwrap();
                sim.initialize(0.0).unwrap();
                for n in 0..50 {
                    sim.step(0.02).unwrap_or_else(|e| panic!("{scheme}, g {gravity}, at {far}, step {n}: {e}"));
                }
                let moved = distance(place(&sim.outputs().body_pose(hull).unwrap()), [far, 0.0, 0.0]);
                assert!(moved <= 64.0 * f64::EPSILON * (far + 2.0), "{scheme}, g {gravity}, at {far}: moved {moved:e}");
            }
        }
    }
}
