//! Steps that are far too long for a motion return an error: no step returns status OK with an open
//! joint or one in its other assembly position. Fast motions that a step can resolve are accepted.

use crate::common::*;
use pintle::{Error, GROUND, Id, JointKind, Simulation};
use std::f64::consts::PI;

const X: V3 = [1.0, 0.0, 0.0];
const Z: V3 = [0.0, 0.0, 1.0];
const REST: [f64; 6] = [0.0; 6];

fn about_z(angle: f64) -> [f64; 7] {
    pose([0.0; 3], quat_exp(scale(angle, Z)))
}

fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

/// A step that must be refused as torn, and leaves the object as it was.
fn refused(sim: &mut Simulation, h: f64, case: &str) {
    let before = bits(sim);
    match sim.step(h) {
        Err(Error::Torn { joint, .. }) => assert!(joint.contains("joint"), "{case}: {joint}"),
        other => panic!("{case}: {other:?}"),
    }
    assert!(bits(sim) == before, "{case}: changed");
}

/// Cosine of the angle between the x axes of two bodies.
fn aligned(sim: &Simulation, a: Id, b: Id) -> f64 {
    let [u, v] = [a, b].map(|body| rotate(turn(&sim.outputs().body_pose(body).unwrap()), X));
    dot(u, v)
}

/// A step of seven radians of a double pendulum: Newton's iteration ends far from the solution,
/// where its increments are small.
#[test]
fn an_iteration_that_ended_far_away_is_no_solution() {
    for unit in [1.0, 1e3, 1e-3] {
        for place in [[0.0; 3], [1e6, -2e5, 3e5]] {
            let mut sim = Simulation::new();
            sim.settings().set_option("assemble", 1.0).unwrap();
            let mut add = |at: V3, com: V3, v: [f64; 6]| {
                let inertia = [0.1 * unit * unit, 0.1 * unit * unit, 0.1 * unit * unit, 0.0, 0.0, 0.0];
                let at = pose(scale(unit, add(at, place)), UNROTATED);
                let body = sim.build().add_rigid_body(1.0, &scale(unit, com), &inertia, &at).unwrap();
                let (linear, angular) = halves(v);
                sim.build().set_body_velocity(body, &join(scale(unit, linear), angular)).unwrap();
                body
            };
            let a = add([0.0; 3], [0.1, 1.45, -0.5], [-6.0, 0.6, -0.3, 4.5, 0.3, -4.5]);
            let b = add([0.5, 0.0, 0.0], [0.1, 1.45, -0.5], [-2.4, 0.0, -0.9, 3.3, 2.7, -1.2]);
            let at = |x: V3| scale(unit, crate::common::add(x, place));
            sim.build().add_joint_at(JointKind::Spherical, GROUND, a, &at([0.0; 3]), None).unwrap();
            sim.build().add_joint_at(JointKind::Fixed, a, b, &at([0.5, 0.0, 0.0]), None).unwrap();
            sim.initialize(0.0).unwrap();
            let case = format!("{unit} {place:?}");
            // The error depends on rounding: an open joint, no convergence, or a singular matrix.
            assert!(sim.step(1.95).is_err(), "{case}");
            // Shorter steps are accepted, and the joints hold.
            for _ in 0..100 {
                sim.step(0.0195).unwrap_or_else(|error| panic!("{case}: {error}"));
                let (open, _) = sim.outputs().constraint_violation().unwrap();
                assert!(open < 1e-6 * unit, "{case}: {open:e}");
            }
        }
    }
}

/// A body on a prescribed one that goes from rest to rest in a step: explicit schemes do not move
/// the body, and the projection onto the joint would end in the other position of its axes.
fn carried(scheme: &str, kind: JointKind, angle: f64) -> (Simulation, [Id; 2]) {
    let mut sim = Simulation::new();
    let [a, b] = [[0.01, 0.02, 0.03], [0.1; 3]]
        .map(|[x, y, z]| sim.build().add_rigid_body(1.0, &[0.0; 3], &[x, y, z, 0.0, 0.0, 0.0], &ORIGIN).unwrap());
    sim.build().set_body_prescribed(a, true).unwrap();
    let axis = (kind != JointKind::Fixed).then_some(&X);
    sim.build().add_joint_at(kind, a, b, &[0.0; 3], axis).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    sim.initialize(0.0).unwrap();
    sim.inputs().set_body_motion(a, &about_z(angle), &REST, &REST).unwrap();
    (sim, [a, b])
}

#[test]
fn joints_that_a_step_turns_over_are_told() {
    let cases = [
        ("ab5", JointKind::Fixed, 2.0),
        ("rk4", JointKind::Fixed, 1.1),
        ("euler", JointKind::Fixed, 1.2),
        ("wilson5", JointKind::Revolute, 1.2),
        ("lab4", JointKind::Revolute, 1.1),
    ];
    for (scheme, kind, angle) in cases {
        let case = format!("{scheme} {kind:?}");
        let (mut sim, _) = carried(scheme, kind, angle);
        refused(&mut sim, 1.0, &case);
        // A step of a tenth of the motion is accepted.
        let (mut sim, [a, b]) = carried(scheme, kind, 0.1 * angle);
        sim.step(1.0).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert!((aligned(&sim, a, b) - 1.0).abs() < 1e-9, "{case}");
    }
}

#[test]
fn halved_steps_cure_what_turned_over() {
    let (mut sim, [a, b]) = carried("rk4", JointKind::Fixed, 1.1);
    sim.settings().set_option("on_no_convergence", 2.0).unwrap();
    sim.step(1.0).unwrap();
    assert!((aligned(&sim, a, b) - 1.0).abs() < 1e-9);
    assert!(sim.outputs().statistic("rejected_steps").unwrap() > 0.0);
}

/// Two bodies hinged across their spin.
#[test]
fn free_bodies_that_spin_too_fast_for_a_scheme_do_not_turn_over() {
    for (scheme, rate) in [("ab4", 0.6), ("rk2", 1.0), ("rk4", 2.4)] {
        let mut sim = Simulation::new();
        let spin = [0.0, 0.0, 0.0, 0.1 * rate, 0.05 * rate, rate];
        let bodies = [([0.01, 0.02, 0.03], 0.1), ([0.03, 0.02, 0.01], 0.5)].map(|([x, y, z], arm)| {
            let body = sim.build().add_rigid_body(1.0, &[arm, 0.2, 0.1], &[x, y, z, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
            sim.build().set_body_velocity(body, &spin).unwrap();
            body
        });
        sim.build().add_joint_at(JointKind::Revolute, bodies[0], bodies[1], &[0.0; 3], Some(&X)).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 0..40 {
            let outcome = sim.step(1.0);
            assert!((aligned(&sim, bodies[0], bodies[1]) - 1.0).abs() < 1e-6, "{scheme}, step {n}: {outcome:?}");
            if outcome.is_err() {
                break;
            }
        }
    }
}

#[test]
fn imposed_motions_that_contradict_by_half_a_turn_are_told() {
    for scheme in ["generalized-alpha", "rk4", "euler"] {
        for between in [false, true] {
            for longest in [f64::INFINITY, 0.01] {
                for kind in [JointKind::Fixed, JointKind::Revolute] {
                    let case = format!("{scheme} {between} {longest} {kind:?}");
                    let mut sim = Simulation::new();
                    let mut add = || {
                        let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
                        sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &ORIGIN).unwrap()
                    };
                    let (a, b) = (add(), between.then(&mut add));
                    sim.build().set_body_prescribed(a, true).unwrap();
                    let axis = (kind != JointKind::Fixed).then_some(&X);
                    for ends in b.map_or(vec![[GROUND, a]], |b| vec![[GROUND, b], [b, a]]) {
                        sim.build().add_joint_at(kind, ends[0], ends[1], &[0.0; 3], axis).unwrap();
                    }
                    sim.settings().set_scheme(scheme).unwrap();
                    sim.settings().set_option("max_time_step", longest).unwrap();
                    sim.initialize(0.0).unwrap();
                    sim.inputs().set_body_motion(a, &about_z(PI), &REST, &REST).unwrap();
                    match sim.step(1.0) {
                        Err(Error::RedundantConstraints { .. } | Error::Torn { .. }) => (),
                        // With a free body between, two hinges may open before the library finds
                        // them inconsistent.
                        other => panic!("{case}: {other:?}"),
                    }
                }
            }
        }
    }
}

/// A pair of hinged bodies that flies a thousand of its lengths, and turns by a radian, in each
/// step.
#[test]
fn fast_motions_within_reach_go_on() {
    for (unit, place) in [(1.0, [0.0; 3]), (1e3, [0.0; 3]), (1e-3, [1e6, 0.0, 0.0])] {
        let mut sim = Simulation::new();
        let flight = join([2e3 * unit, -1e3 * unit, 0.0], Z);
        let bodies = [-0.5, 0.5].map(|x| {
            let inertia = [0.1, 0.1, 0.2, 0.0, 0.0, 0.0].map(|j| j * unit * unit);
            let at = pose(scale(unit, add([x, 0.0, 0.0], place)), UNROTATED);
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at).unwrap();
            let v = add(halves(flight).0, cross(Z, scale(unit, [x, 0.0, 0.0])));
            sim.build().set_body_velocity(body, &join(v, Z)).unwrap();
            body
        });
        let middle = scale(unit, place);
        sim.build().add_joint_at(JointKind::Revolute, bodies[0], bodies[1], &middle, Some(&X)).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 0..30 {
            sim.step(1.0).unwrap_or_else(|error| panic!("{unit} {place:?}, step {n}: {error}"));
            assert!((aligned(&sim, bodies[0], bodies[1]) - 1.0).abs() < 1e-6, "{unit} {place:?}, step {n}");
        }
    }
}
