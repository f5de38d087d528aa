//! Driven joints: imposed coordinates, motor loads, sub-steps, jumps, inconsistent initial
//! conditions, Cardan shafts, rollback. Prescribed bodies are in `prescribed`.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::{PI, TAU};

const GRAVITY: V3 = [0.4, -1.5, -9.0];
/// Eccentric; principal axes along those of the body.
const ROTOR: Solid = Solid { mass: 2.0, com: [0.2, -0.1, 0.15], inertia: [0.2, 0.25, 0.3] };
const X: V3 = [1.0, 0.0, 0.0];
const Z: V3 = [0.0, 0.0, 1.0];

/// A coordinate over time with rate and acceleration.
type Motion = fn(f64) -> [f64; 3];

/// 20 turns in 10 s.
fn steady(t: f64) -> [f64; 3] {
    [2.0 * TAU * t, 2.0 * TAU, 0.0]
}

/// 8 m in 10 s.
fn slow(t: f64) -> [f64; 3] {
    [0.8 * t, 0.8, 0.0]
}

fn sine(t: f64) -> [f64; 3] {
    let (a, w) = (2.5, 3.0);
    [a * (w * t).sin(), a * w * (w * t).cos(), -a * w * w * (w * t).sin()]
}

/// Speeds up, passes half turns, comes back: -0.5 t^3 + 2 t^2.
fn to_and_fro(t: f64) -> [f64; 3] {
    [(2.0 - 0.5 * t) * t * t, (4.0 - 1.5 * t) * t, 4.0 - 3.0 * t]
}

/// The rotor on a driven joint whose z axis is `axis`, at the origin; b relative to a is the rotor
/// relative to the ground when it is b, else the other way.
fn driven(kind: JointKind, axis: V3, motion: Motion, body_is_b: bool) -> (Simulation, Id) {
    let mut sim = system(GRAVITY);
    let [q, qd, qdd] = motion(0.0);
    assert_eq!(q, 0.0, "bodies are built at zero");
    let sign = if body_is_b { 1.0 } else { -1.0 };
    let velocity = if kind == JointKind::Revolute {
        join([0.0; 3], scale(sign * qd, axis))
    } else {
        join(scale(sign * qd, axis), [0.0; 3])
    };
    let body = ROTOR.add(&mut sim, &ORIGIN, &velocity);
    let (a, b) = if body_is_b { (GROUND, body) } else { (body, GROUND) };
    let joint = sim.build().add_joint_at(kind, a, b, &[0.0; 3], Some(&axis)).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
    (sim, joint)
}

/// Pose of the rotor, and the wrench on it about the origin, of guide and motor together.
fn expected(kind: JointKind, axis: V3, [q, qd, qdd]: [f64; 3], sign: f64) -> ([f64; 7], [f64; 6]) {
    let [q, qd, qdd] = [q, qd, qdd].map(|x| sign * x);
    if kind == JointKind::Prismatic {
        let force = scale(ROTOR.mass, sub(scale(qdd, axis), GRAVITY));
        let at = scale(q, axis);
        return (pose(at, UNROTATED), about_origin(add(at, ROTOR.com), join(force, [0.0; 3])));
    }
    let turned = quat_exp(scale(q, axis));
    let r = rotate(turned, ROTOR.com);
    // a = qdd n x r + n x (n x r) qd^2; M = J n qdd + n x J n qd^2
    let across = cross(axis, r);
    let a = add(scale(qdd, across), scale(qd * qd, cross(axis, across)));
    let j_axis = rotate(turned, mul3(&diag(ROTOR.inertia), unrotate(turned, axis)));
    let moment = add(scale(qdd, j_axis), scale(qd * qd, cross(axis, j_axis)));
    (pose([0.0; 3], turned), about_origin(r, join(scale(ROTOR.mass, sub(a, GRAVITY)), moment)))
}

#[test]
fn driven_coordinates_are_exact_and_motors_deliver_by_newton_and_euler() {
    let general = rotate(quat_exp([0.3, 0.2, 0.0]), [0.36, -0.48, 0.8]);
    let motions: [(&str, Motion, f64); 3] =
        [("steady", steady, 10.0), ("sine", sine, 2.0), ("to and fro", to_and_fro, 5.0)];
    for kind in [JointKind::Revolute, JointKind::Prismatic] {
        for (name, motion, duration) in motions {
            let motion = if kind == JointKind::Prismatic && name == "steady" { slow } else { motion };
            for (axis, body_is_b) in [(Z, true), ([-1.0, 0.0, 0.0], false), (general, true), (general, false)] {
                let claim = format!("{kind:?}, {name}, axis {axis:?}, body is b: {body_is_b}");
                let sign = if body_is_b { 1.0 } else { -1.0 };
                let table = [0.02, 0.01, 5e-3, 2.5e-3].map(|h: f64| {
                    let (mut sim, joint) = driven(kind, axis, motion, body_is_b);
                    sim.initialize(0.0).unwrap();
                    let mut worst = [0.0f64; 2];
                    for n in 1..=(duration / h).round() as usize {
                        let [q, qd, qdd] = motion(h * n as f64);
                        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
                        sim.step(h).unwrap();
                        let got = sim.outputs().joint_coordinate(joint).unwrap();
                        // 125 rad with eps 1e-16: 3e-14
                        assert_close(&claim, &got[..1], &[q], 1e-12);
                        let (at, wrench) = expected(kind, axis, [q, qd, qdd], sign);
                        let p = sim.outputs().body_pose(0).unwrap();
                        assert!(distance(place(&p), place(&at)) + quat_error(turn(&p), turn(&at)) < 1e-11, "{claim}");
                        // of a on b at b's frame: on the rotor, or with the opposite sign at the
                        // ground's
                        let reaction = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
                        let at_b = if body_is_b { place(&p) } else { [0.0; 3] };
                        let own = about_origin(at_b, reaction.map(|x| sign * x));
                        worst[0] = worst[0].max((got[1] - qd).abs()).max((got[2] - qdd).abs());
                        worst[1] = (0..6).map(|i| (own[i] - wrench[i]).abs()).fold(worst[1], f64::max);
                    }
                    (h, worst)
                });
                let [rates, wrenches] = [0, 1].map(|k| table.map(|(h, worst)| (h, worst[k])));
                println!("{claim}: rates {rates:?}, wrenches {wrenches:?}");
                // A steady slide is met exactly up to rounding: eps 8 m/(beta h^2) times 2 kg and
                // the arm of 8 m is 1e-7 at the last step. Else second order. Where the rotor turns
                // at w its centre of mass goes round, with an acceleration off by 2 |kappa| (w h)^2
                // of w^2 0.25 m, and by less than (w h)^2/2 where the start swings in.
                let fastest = (0..=4000).map(|n| motion(duration / 4e3 * f64::from(n))[1].abs()).fold(0.0, f64::max);
                let round = if kind == JointKind::Revolute { 0.5 * (fastest * 2.5e-3).powi(2) } else { 0.0 };
                let limit = f64::max(0.02, round * ROTOR.mass * fastest * fastest * 0.25);
                for (what, table) in [("rates", rates), ("wrench", wrenches)] {
                    assert!(
                        table[3].1 < 1e-6 || orders(&table).iter().all(|o| *o > 1.9),
                        "{claim}, {what}: {table:?}, orders {:?}",
                        orders(&table)
                    );
                    assert!(table[3].1 < limit, "{claim}, {what}: {table:?}");
                }
            }
        }
    }
}

#[test]
fn motor_between_free_bodies_turns_both() {
    // coaxial wheels J1, J2 at rest: w1 = -J2/(J1 + J2) q', torque J1 J2/(J1 + J2) q''
    let (j1, j2) = (0.4, 0.3);
    let table = [0.02, 0.01, 5e-3, 2.5e-3].map(|h: f64| {
        let mut sim = system([0.0; 3]);
        let start = sine(0.0)[1];
        let wheel = |j: f64| Solid { mass: 1.0, com: [0.0; 3], inertia: [0.3, 0.25, j] };
        let one = wheel(j1).add(&mut sim, &ORIGIN, &[0.0, 0.0, 0.0, 0.0, 0.0, -j2 / (j1 + j2) * start]);
        let two = wheel(j2).add(&mut sim, &ORIGIN, &[0.0, 0.0, 0.0, 0.0, 0.0, j1 / (j1 + j2) * start]);
        let joint = sim.build().add_joint_at(JointKind::Revolute, one, two, &[0.0; 3], Some(&Z)).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.inputs().set_joint_motion(joint, 0.0, start, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        let mut worst = 0.0f64;
        for n in 1..=(2.0 / h).round() as usize {
            let [q, qd, qdd] = sine(h * n as f64);
            sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
            sim.step(h).unwrap();
            let (p1, p2) = (sim.outputs().body_pose(one).unwrap(), sim.outputs().body_pose(two).unwrap());
            let both = [angle_about_z(turn(&p1)), angle_about_z(turn(&p2))];
            // both turn in proportion from the first step on: the action is equal and opposite in
            // every solve
            assert_close("angles", &both, &[-j2 / (j1 + j2) * q, j1 / (j1 + j2) * q], 1e-9);
            let torque = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            worst = worst.max((torque[5] - j1 * j2 / (j1 + j2) * qdd).abs());
        }
        (h, worst)
    });
    assert_order("torque between wheels", &table, 2.0, 0.1);
}

// ---- sub-steps -------------------------------------------------------------------------------------------------------------------

/// A pendulum (revolute, axis x) of the length 0.5 hung on a cart that a prismatic joint drives
/// along y.
fn cart(max_step: f64, motion: Motion) -> (Simulation, Id) {
    let mut sim = system([0.0, 0.0, -9.81]);
    sim.settings().set_option("max_time_step", max_step).unwrap();
    let [q, qd, qdd] = motion(0.0);
    let v = [0.0, qd, 0.0, 0.0, 0.0, 0.0];
    let cart =
        Solid { mass: 3.0, com: [0.0; 3], inertia: [0.1, 0.1, 0.1] }.add(&mut sim, &pose([0.0, q, 0.0], UNROTATED), &v);
    let bob = Solid { mass: 1.5, com: [0.0; 3], inertia: [0.05, 0.06, 0.04] };
    let hung = pose([0.0, q + 0.5 * 0.6f64.sin(), -0.5 * 0.6f64.cos()], quat_exp([0.6, 0.0, 0.0]));
    let bob = bob.add(&mut sim, &hung, &v);
    let joint = sim
        .build()
        .add_joint(
            JointKind::Prismatic,
            GROUND,
            cart,
            &pose([0.0; 3], z_to([0.0, 1.0, 0.0])),
            &pose([0.0; 3], z_to([0.0, 1.0, 0.0])),
        )
        .unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, cart, bob, &[0.0, q, 0.0], Some(&X)).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, joint)
}

#[test]
fn sub_steps_follow_the_imposed_motion_between_host_steps() {
    // theta from straight down about x: y of the bob = q + L sin theta; (J + m L^2) theta'' = -m L
    // (g sin + q'' cos)
    let (m, l, j, g) = (1.5, 0.5, 0.05, 9.81);
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        let second = -m * l * (g * y[0].sin() + sine(t)[2] * y[0].cos()) / (j + m * l * l);
        dy.copy_from_slice(&[y[1], second]);
    };
    let exact = rk4_samples(rate, &[0.6, 0.0], 0.08, 25, 64);
    // host steps of 0.08 throughout; the sub-steps alone are refined: second order down to the
    // interpolation's error, (w h)^6/(64 * 720) of 2.5 = 1e-8 for w h = 0.24
    let table = [0.02, 0.01, 5e-3, 2.5e-3].map(|inner: f64| {
        let (mut sim, joint) = cart(inner, sine);
        let mut worst = 0.0f64;
        for (n, y) in exact.iter().enumerate().skip(1) {
            let [q, qd, qdd] = sine(0.08 * n as f64);
            sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
            sim.step(0.08).unwrap();
            assert_close("coordinate", &sim.outputs().joint_coordinate(joint).unwrap()[..1], &[q], 1e-12);
            worst = worst.max(quat_error(turn(&sim.outputs().body_pose(1).unwrap()), quat_exp([y[0], 0.0, 0.0])));
        }
        (inner, worst)
    });
    assert_order("pendulum on a driven cart, sub-steps", &table, 2.0, 0.1);
}

#[test]
fn sub_steps_may_turn_more_than_half_a_turn_per_host_step() {
    // 3 turns in each host step of 1 s, in 10 parts of 0.3 turns
    let fast: Motion = |t| [3.0 * TAU * t, 3.0 * TAU, 0.0];
    let (mut sim, joint) = driven(JointKind::Revolute, Z, fast, true);
    sim.settings().set_option("max_time_step", 0.1).unwrap();
    sim.initialize(0.0).unwrap();
    for n in 1..=10 {
        let [q, qd, qdd] = fast(n as f64);
        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
        sim.step(1.0).unwrap();
        assert_close("turns", &sim.outputs().joint_coordinate(joint).unwrap()[..1], &[q], 1e-12);
    }
}

// ---- what cannot be followed --------------------------------------------------------------------------------------------------------

fn bits(sim: &Simulation) -> Vec<u64> {
    let mut all = vec![sim.time().unwrap()];
    for body in 0..sim.description().count(pintle::EntityKind::Body) {
        all.extend(sim.outputs().body_pose(body).unwrap());
        all.extend(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        all.extend(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
    }
    for joint in 0..sim.description().count(pintle::EntityKind::Joint) {
        all.extend(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
        all.extend(sim.outputs().joint_coordinate(joint).unwrap());
    }
    all.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn jump_beyond_half_a_turn_fails_and_leaves_the_accepted_state() {
    let (mut sim, joint) = driven(JointKind::Revolute, Z, sine, true);
    sim.initialize(0.0).unwrap();
    let give = |sim: &mut Simulation, n: usize| {
        let [q, qd, qdd] = sine(0.01 * n as f64);
        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
    };
    for n in 1..=50 {
        give(&mut sim, n);
        sim.step(0.01).unwrap();
    }
    let (before, q) = (bits(&sim), sim.outputs().joint_coordinate(joint).unwrap()[0]);
    for jump in [1.01 * PI, -1.01 * PI, 40.0 * TAU] {
        sim.inputs().set_joint_motion(joint, q + jump, 0.0, 0.0).unwrap();
        let failed = sim.step(0.01).unwrap_err();
        assert!(matches!(failed, Error::TooFar { .. }), "{failed}");
        assert!(failed.to_string().contains("joint 0"), "{failed}");
        assert_eq!(bits(&sim), before, "after a jump of {jump}");
    }
    // and the run continues as if there had been no error
    let (mut straight, _) = driven(JointKind::Revolute, Z, sine, true);
    straight.initialize(0.0).unwrap();
    for n in 1..=60 {
        give(&mut straight, n);
        straight.step(0.01).unwrap();
        if n > 50 {
            give(&mut sim, n);
            sim.step(0.01).unwrap();
        }
    }
    assert_eq!(bits(&sim), bits(&straight));
}

#[test]
fn initial_motion_that_contradicts_the_pose_is_refused_or_assembled() {
    for kind in [JointKind::Revolute, JointKind::Prismatic] {
        for (motion, rate_of_body) in [([0.5, 0.0, 0.0], 0.0), ([0.0, 0.7, 0.0], 0.0), ([0.0, 0.0, 0.0], 0.7)] {
            for assemble in [false, true] {
                let mut sim = system(GRAVITY);
                sim.settings().set_option("assemble", f64::from(u8::from(assemble))).unwrap();
                let along = if kind == JointKind::Revolute { 5 } else { 2 };
                let mut velocity = [0.0; 6];
                velocity[along] = rate_of_body;
                let body = ROTOR.add(&mut sim, &ORIGIN, &velocity);
                let joint = sim.build().add_joint(kind, GROUND, body, &ORIGIN, &ORIGIN).unwrap();
                sim.build().set_joint_driven(joint, true).unwrap();
                sim.inputs().set_joint_motion(joint, motion[0], motion[1], motion[2]).unwrap();
                let done = sim.initialize(0.0);
                if !assemble {
                    let error = done.unwrap_err();
                    assert!(matches!(error, Error::InconsistentState { .. }), "{kind:?} {motion:?}: {error}");
                    assert!(error.to_string().contains("joint 0"), "{error}");
                    continue;
                }
                done.unwrap();
                assert_close("assembled", &sim.outputs().joint_coordinate(joint).unwrap(), &motion, 1e-9);
                let p = sim.outputs().body_pose(body).unwrap();
                let own = if kind == JointKind::Revolute { angle_about_z(turn(&p)) } else { p[2] };
                assert_close("pose", &[own], &motion[..1], 1e-9);
                assert_close(
                    "rate",
                    &[sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[along]],
                    &motion[1..2],
                    1e-9,
                );
            }
        }
    }
}

#[test]
fn drive_without_a_motion_stays_and_whole_turns_are_kept() {
    // built at 0.3 without an imposed motion: it stays there
    let mut sim = system(GRAVITY);
    let body = ROTOR.add(&mut sim, &pose([0.0; 3], quat_exp([0.0, 0.0, 0.3])), &[0.0; 6]);
    let joint = sim.build().add_joint(JointKind::Revolute, GROUND, body, &ORIGIN, &ORIGIN).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    let mut wound = sim.clone();
    sim.initialize(0.0).unwrap();
    for _ in 0..20 {
        sim.step(0.01).unwrap();
        assert_close("held", &sim.outputs().joint_coordinate(joint).unwrap(), &[0.3, 0.0, 0.0], 1e-9);
    }
    // the same pose with a coordinate of two more turns: the coordinate counts from there
    wound.inputs().set_joint_motion(joint, 0.3 + 2.0 * TAU, 0.0, 0.0).unwrap();
    wound.initialize(0.0).unwrap();
    for n in 1..=20 {
        let t = 0.01 * n as f64;
        wound.inputs().set_joint_motion(joint, 0.3 + 2.0 * TAU + t * t, 2.0 * t, 2.0).unwrap();
        wound.step(0.01).unwrap();
        assert_close(
            "wound",
            &wound.outputs().joint_coordinate(joint).unwrap()[..1],
            &[0.3 + 2.0 * TAU + t * t],
            1e-12,
        );
    }
    assert!(matches!(wound.inputs().set_joint_motion(joint, f64::NAN, 0.0, 0.0), Err(Error::NotFinite { .. })));
}

// ---- Cardan shafts ---------------------------------------------------------------------------------------------------------------------

#[test]
fn universal_joint_turns_the_second_shaft_between_cos_and_one_over_cos() {
    // shaft 1 along z with x of the cross in the shafts' plane at phi = 0, shaft 2 along (sin b, 0,
    // cos b): tan psi = tan phi/cos b, psi' = phi' cos b/(1 - sin^2 b cos^2 phi). Two bearings and
    // the cross hold some motions twice.
    for beta in [0.3f64, 0.8, -0.6] {
        for shafts_swapped in [false, true] {
            let (cb, sb) = (beta.cos(), beta.sin());
            let motor = |t: f64| [1.5 * t * t, 3.0 * t, 3.0];
            let (j2, load) = (0.3, 2.0);
            let ratio = |phi: f64| cb / (1.0 - sb * sb * phi.cos().powi(2));
            let table = [0.01, 5e-3, 2.5e-3, 1.25e-3].map(|h: f64| {
                let mut sim = system([0.0; 3]);
                let tilt = quat_exp([0.0, beta, 0.0]);
                let shaft = Solid { mass: 1.0, com: [0.0; 3], inertia: [0.25, 0.25, j2] };
                let one = shaft.add(&mut sim, &pose([0.0, 0.0, -1.0], UNROTATED), &[0.0; 6]);
                let two = shaft.add(&mut sim, &pose(scale(1.0, rotate(tilt, Z)), tilt), &[0.0; 6]);
                let bearing =
                    sim.build().add_joint_at(JointKind::Revolute, GROUND, one, &[0.0, 0.0, -1.0], Some(&Z)).unwrap();
                let other = rotate(tilt, Z);
                sim.build().add_joint_at(JointKind::Revolute, GROUND, two, &other, Some(&other)).unwrap();
                let (on_one, on_two) = (pose([0.0, 0.0, 1.0], UNROTATED), pose([0.0, 0.0, -1.0], UNROTATED));
                if shafts_swapped {
                    // x of a on shaft 2 across y of b on shaft 1: along what was y and x (about z
                    // by a quarter turn)
                    let quarter = unit([1.0, 0.0, 0.0, 1.0]);
                    let (a, b) = (pose(place(&on_two), quarter), pose(place(&on_one), conjugate(quarter)));
                    sim.build().add_joint(JointKind::Universal, two, one, &a, &b).unwrap();
                } else {
                    sim.build().add_joint(JointKind::Universal, one, two, &on_one, &on_two).unwrap();
                }
                sim.build().set_joint_driven(bearing, true).unwrap();
                sim.inputs().set_joint_motion(bearing, 0.0, 0.0, 3.0).unwrap();
                sim.inputs().set_body_load(two, Frame::Body, &[0.0, 0.0, 0.0, 0.0, 0.0, -load]).unwrap();
                sim.initialize(0.0).unwrap();
                assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 3.0, "three translations twice");
                let (mut worst, mut seen) = ([0.0f64; 2], [f64::MAX, 0.0]);
                for n in 1..=(3.0 / h).round() as usize {
                    let [phi, w, second] = motor(h * n as f64);
                    sim.inputs().set_joint_motion(bearing, phi, w, second).unwrap();
                    sim.step(h).unwrap();
                    let psi = (phi.sin() / cb).atan2(phi.cos());
                    let p = sim.outputs().body_pose(two).unwrap();
                    // kinematics alone: exact to Newton's tolerance
                    let exact = quat_mul(tilt, quat_exp([0.0, 0.0, psi]));
                    assert!(quat_error(turn(&p), exact) < 1e-9, "beta {beta}, phi {phi}");
                    let speed = |body: Id, axis: V3| {
                        dot(halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()).1, axis)
                    };
                    let got = speed(two, other) / speed(one, Z);
                    worst[0] = worst[0].max((got - ratio(phi)).abs());
                    seen = [seen[0].min(got), seen[1].max(got)];
                    // motor: J1 phi'' + ratio (J2 psi'' + load), psi'' = ratio phi'' + ratio'
                    // phi'^2
                    let slope =
                        -cb * 2.0 * sb * sb * phi.cos() * phi.sin() / (1.0 - sb * sb * phi.cos().powi(2)).powi(2);
                    let psi_dd = ratio(phi) * second + slope * w * w;
                    let torque = j2 * second + ratio(phi) * (j2 * psi_dd + load);
                    let reaction = sim.outputs().joint_reaction(bearing, Frame::Inertial).unwrap()[5];
                    worst[1] = worst[1].max((reaction - torque).abs());
                }
                // two turns in steps of up to 0.09 rad sample both ends of the range
                assert!((seen[0] / cb - 1.0).abs() < 0.02 && (seen[1] * cb - 1.0).abs() < 0.02, "{seen:?}");
                (h, worst)
            });
            let claim = format!("Cardan, beta {beta}, swapped: {shafts_swapped}");
            assert_order(&format!("{claim}, speed ratio"), &table.map(|(h, worst)| (h, worst[0])), 2.0, 0.15);
            assert_order(&format!("{claim}, motor's torque"), &table.map(|(h, worst)| (h, worst[1])), 2.0, 0.15);
        }
    }
}

/// Both directions of rotation have the same pose: the drive determines the direction.
#[test]
fn drives_by_half_a_turn_count_on() {
    for scheme in ["generalized-alpha", "newmark", "momentum-alpha", "rk4", "ab3", "lab3"] {
        for sign in [1.0, -1.0] {
            let mut sim = Simulation::new();
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
            let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&Z)).unwrap();
            sim.build().set_joint_driven(joint, true).unwrap();
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            for n in 1..=6 {
                let q = sign * f64::from(n) * std::f64::consts::PI;
                sim.inputs().set_joint_motion(joint, q, 0.0, 0.0).unwrap();
                sim.step(1.0).unwrap_or_else(|error| panic!("{scheme}, step {n}: {error}"));
                let [found, ..] = sim.outputs().joint_coordinate(joint).unwrap();
                assert!((found - q).abs() < 1e-9, "{scheme}, step {n}: {found} in place of {q}");
            }
        }
    }
}

#[test]
fn drives_may_begin_whole_and_half_turns_away() {
    for turns in [0.5, -0.5, 1.5, -3.5, 1.0, -2.0] {
        let mut sim = Simulation::new();
        sim.settings().set_option("assemble", 1.0).unwrap();
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&Z)).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
        let q = turns * std::f64::consts::TAU;
        sim.inputs().set_joint_motion(joint, q, 0.0, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..3 {
            let [found, ..] = sim.outputs().joint_coordinate(joint).unwrap();
            assert!((found - q).abs() < 1e-9, "{turns} turns: {found} in place of {q}");
            sim.step(0.1).unwrap();
        }
    }
}
