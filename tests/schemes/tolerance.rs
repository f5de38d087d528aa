//! Steps by tolerance: errors follow the tolerance, numbers of steps follow the motion, wherever it
//! is and in whatever units.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, JointMachines, Simulation};
use std::sync::Arc;

const SCHEMES: [(&str, f64); 9] = [
    ("generalized-alpha", 2.0),
    ("momentum-alpha", 2.0),
    ("newmark", 2.0),
    ("hht", 2.0),
    ("euler", 1.0),
    ("heun", 2.0),
    ("rk2", 2.0),
    ("rk3", 3.0),
    ("rk4", 4.0),
];

fn statistic(sim: &Simulation, key: &str) -> f64 {
    sim.outputs().statistic(key).unwrap()
}

/// A mass on an orbit of semi-major axis 1 and eccentricity 0.9 about `centre`, from its farthest
/// point, with period 2 pi.
fn orbit(scheme: &str, centre: V3, options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let at = pose(add(centre, [1.9, 0.0, 0.0]), [1.0, 0.0, 0.0, 0.0]);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    // v^2 = 2/r - 1.
    let v = (2.0f64 / 1.9 - 1.0).sqrt();
    sim.build().set_body_velocity(body, &[0.0, v, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let pull = move |m: &pintle::BodyMotion, load: &mut pintle::BodyLoad| {
        let r = sub([m.pose[0], m.pose[1], m.pose[2]], centre);
        let force = scale(-1.0 / norm(r).powi(3), r);
        load.wrench[..3].copy_from_slice(&force);
        Ok(())
    };
    sim.inputs().set_load_callback(body, Some(Arc::new(pull))).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// Distance from the start after one turn in `host` steps, and the number of internal steps.
fn after_a_turn(mut sim: Simulation, centre: V3, host: usize) -> [f64; 2] {
    let start = add(centre, [1.9, 0.0, 0.0]);
    for _ in 0..host {
        sim.step(std::f64::consts::TAU / host as f64).unwrap();
    }
    let at = place(&sim.outputs().body_pose(0).unwrap());
    [distance(at, start), statistic(&sim, "substeps")]
}

/// Error per step of a step of length h is about C h^(p+1); at the tolerance, h =
/// (tol/C)^(1/(p+1)), and the sum over 1/h steps goes as tol^(p/(p+1)).
#[test]
fn errors_follow_the_tolerance() {
    for (scheme, order) in SCHEMES {
        // Where Newton's method ends must not hide the error of the step.
        let tolerances = if order == 1.0 { [1e-6, 1e-8] } else { [1e-7, 1e-9] };
        let [coarse, fine] = tolerances.map(|tolerance| {
            let tight = [("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)];
            let options = [("step_tolerance", tolerance), ("max_substeps", 1e6), tight[0], tight[1]];
            after_a_turn(orbit(scheme, [0.0; 3], &options), [0.0; 3], 1)
        });
        let (of_error, of_steps) = ((coarse[0] / fine[0]).log10() / 2.0, (fine[1] / coarse[1]).log10() / 2.0);
        let expected = [order / (order + 1.0), 1.0 / (order + 1.0)];
        // Signs of errors mix along the orbit, which makes the power uneven.
        assert!((of_error - expected[0]).abs() < 0.25, "{scheme}: error {coarse:?} {fine:?}, power {of_error}");
        assert!((of_steps - expected[1]).abs() < 0.05, "{scheme}: steps {coarse:?} {fine:?}, power {of_steps}");
    }
}

/// The speeds on this orbit are as 19 to 1, and the curvatures as 361 to 1.
#[test]
fn an_eccentric_orbit_takes_a_fifth_of_the_equal_steps_for_the_same_error() {
    let by_tolerance = after_a_turn(orbit("generalized-alpha", [0.0; 3], &[("step_tolerance", 1e-7)]), [0.0; 3], 1);
    let host = (5.0 * by_tolerance[1]) as usize;
    let equal = after_a_turn(orbit("generalized-alpha", [0.0; 3], &[]), [0.0; 3], host);
    assert!(by_tolerance[0] < equal[0], "by tolerance {by_tolerance:?}, {host} equal steps {equal:?}");
}

/// A double pendulum with arms of 1 and lengths in units of 1/`unit`, whose ground is at `origin`,
/// thrown.
fn double_pendulum(scheme: &str, unit: f64, origin: V3, tolerance: f64) -> (Simulation, [Id; 2]) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("step_tolerance", tolerance).unwrap();
    sim.settings().set_option("max_substeps", 1e5).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81 * unit]).unwrap();
    let mut joints = [0; 2];
    for (k, joint) in joints.iter_mut().enumerate() {
        let at = |x: f64| add(scale(unit, [x, 0.0, 0.0]), origin);
        let inertia = [0.01, 0.1, 0.1].map(|j| j * unit * unit);
        let body = sim
            .build()
            .add_rigid_body(1.0, &[0.0; 3], &join(inertia, [0.0; 3]), &pose(at(0.5 + k as f64), [1.0, 0.0, 0.0, 0.0]))
            .unwrap();
        let before = if k == 0 { GROUND } else { body - 1 };
        let axis = Some([0.0, 1.0, 0.0]);
        *joint = sim.build().add_joint_at(JointKind::Revolute, before, body, &at(k as f64), axis.as_ref()).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, joints)
}

fn angles(sim: &Simulation, joints: [Id; 2]) -> [f64; 2] {
    joints.map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[0])
}

#[test]
fn steps_are_the_same_elsewhere_and_in_other_units() {
    for (scheme, _) in SCHEMES.into_iter().filter(|(_, order)| *order > 1.0) {
        let run = |unit: f64, origin: V3| {
            let (mut sim, joints) = double_pendulum(scheme, unit, origin, 1e-6);
            (0..3).for_each(|_| sim.step(0.5).unwrap());
            (angles(&sim, joints), statistic(&sim, "substeps"))
        };
        let here = run(1.0, [0.0; 3]);
        // Positions are rounded by 1e-10 m at 1e6 m, which is 1e-4 of the tolerance, and changes
        // lengths of steps, and what they err by, by that part.
        let cases = [(1.0, [1e6, -2e6, 5e5], 1e-5), (1e3, [0.0; 3], 1e-6), (1e-3, [0.0; 3], 1e-6)];
        for (unit, origin, limit) in cases {
            let (there, steps) = run(unit, origin);
            for k in 0..2 {
                assert!((there[k] - here.0[k]).abs() < limit, "{scheme}, {unit}, {origin:?}: {there:?} for {here:?}");
            }
            assert!((steps - here.1).abs() <= 2.0, "{scheme}, {unit}, {origin:?}: {steps} for {} steps", here.1);
        }
    }
}

#[test]
fn the_length_of_the_hosts_steps_does_not_matter() {
    // The reference errs by 100^(2/3) = 20 times less than the runs do. It needs more steps than
    // are allowed by default.
    let run = |host: usize, tolerance: f64| {
        let (mut sim, joints) = double_pendulum("generalized-alpha", 1.0, [0.0; 3], tolerance);
        (0..host).for_each(|_| sim.step(1.5 / host as f64).unwrap());
        (angles(&sim, joints), statistic(&sim, "substeps"))
    };
    let reference = run(1, 1e-9).0;
    let error = |angles: [f64; 2]| (angles[0] - reference[0]).hypot(angles[1] - reference[1]);
    let (whole, steps) = run(1, 1e-7);
    for host in [7, 40] {
        let (cut, cut_steps) = run(host, 1e-7);
        assert!(error(cut) < 1.5 * error(whole), "{host}: error {} for {}", error(cut), error(whole));
        assert!(cut_steps < 1.5 * steps + host as f64, "{host} host steps: {cut_steps} internal ones for {steps}");
    }
}

#[test]
fn a_model_at_rest_takes_one_step_per_step_of_the_host() {
    let mut sim = Simulation::new();
    sim.settings().set_option("step_tolerance", 1e-8).unwrap();
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED)).unwrap();
    sim.initialize(0.0).unwrap();
    (0..10).for_each(|_| sim.step(1.0).unwrap());
    assert_eq!(statistic(&sim, "substeps"), 10.0);
}

#[test]
fn a_run_goes_on_bit_by_bit_from_a_restored_state_and_repeats_a_rejected_step() {
    for (scheme, _) in SCHEMES {
        let tolerance = if scheme == "euler" { 1e-5 } else { 1e-7 };
        let (mut sim, joints) = double_pendulum(scheme, 1.0, [0.0; 3], tolerance);
        (0..3).for_each(|_| sim.step(0.1).unwrap());
        let saved = sim.save().unwrap();
        let mut bytes = vec![0; saved.serialized_len()];
        saved.serialize_into(&mut bytes).unwrap();
        sim.advance(0.3).unwrap();
        sim.reject().unwrap();
        sim.step(0.1).unwrap();
        let (mut fresh, _) = double_pendulum(scheme, 1.0, [0.0; 3], tolerance);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        fresh.step(0.1).unwrap();
        assert_eq!(angles(&fresh, joints), angles(&sim, joints), "{scheme}");
        assert_eq!(statistic(&fresh, "suggested_step"), statistic(&sim, "suggested_step"), "{scheme}");
    }
}

/// A force of 10 N that begins at 0.5 s on a mass at rest in empty space: steps have grown to the
/// host's, and the parabola behind the jump is exact at any length.
#[test]
fn loads_that_jump_start_anew() {
    let mut sim = Simulation::new();
    sim.settings().set_option("step_tolerance", 1e-9).unwrap();
    sim.build().add_rigid_body(2.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED)).unwrap();
    sim.initialize(0.0).unwrap();
    (0..5).for_each(|_| sim.step(0.1).unwrap());
    sim.inputs().set_body_load(0, Frame::Inertial, &[10.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.inputs().mark_discontinuity().unwrap();
    (0..5).for_each(|_| sim.step(0.1).unwrap());
    let x = sim.outputs().body_pose(0).unwrap()[0];
    assert!((x - 0.5 * 5.0 * 0.25).abs() < 1e-12, "{x}");
}

/// A ball with restitution 0.8 on a slide: hits at closed times, between which it flies free.
#[test]
fn events_are_located_within_steps_by_tolerance() {
    let (g, e, tolerance) = (9.81f64, 0.8, 1e-8);
    let mut sim = Simulation::new();
    sim.settings().set_option("step_tolerance", tolerance).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -g]).unwrap();
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([0.0, 0.0, 1.0], UNROTATED))
        .unwrap();
    let joint =
        sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0, 0.0, 1.0], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_stop((joint, false), [-1.0, f64::INFINITY], 1, [1e6, 0.0, e]).unwrap();
    sim.initialize(0.0).unwrap();
    let mut hits = Vec::new();
    for _ in 0..2 {
        sim.step(1.0).unwrap();
        hits.extend(JointMachines::of(&sim).events().unwrap().iter().map(|event| event.time));
    }
    let first = (2.0 / g).sqrt();
    let second = first + 2.0 * e * g * first / g;
    for (hit, expected) in hits.iter().zip([first, second]) {
        assert!((hit - expected).abs() < 1e-10, "{hit} for {expected}");
    }
    assert!(hits.len() >= 2, "{hits:?}");
}

#[test]
fn what_cannot_be_had_is_refused_in_words() {
    let (mut sim, _) = double_pendulum("ab4", 1.0, [0.0; 3], 1e-6);
    match sim.step(0.1).unwrap_err() {
        Error::Unsupported { argument: "scheme", detail } => {
            assert!(detail.starts_with("ab4 has no estimate of errors"), "{detail}");
        }
        other => panic!("{other}"),
    }
    let (mut sim, joints) = double_pendulum("generalized-alpha", 1.0, [0.0; 3], 1e-12);
    sim.settings().set_option("max_substeps", 20.0).unwrap();
    let before = angles(&sim, joints);
    let text = sim.step(1.0).unwrap_err().to_string();
    assert!(text.contains("body 0") || text.contains("body 1"), "{text}");
    assert!(text.contains("option \"step_tolerance\"") && text.contains("\"max_substeps\" = 20 allows"), "{text}");
    assert_eq!(angles(&sim, joints), before, "the accepted state stands");
}
