//! Joint angles over several turns, with large rotations per step: with a spring, on a moving
//! frame, with steps of changing length, through saved states; wheels in gear that turn further
//! than half a turn, or speed up to it; motions of a host whose rates do not fit its poses.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

const Z: V3 = [0.0, 0.0, 1.0];
const INERTIA: f64 = 0.3;

fn system() -> Simulation {
    let mut sim = Simulation::new();
    for tolerance in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(tolerance, 1e-12).unwrap();
    }
    sim
}

/// A wheel of inertia `j` about z that turns at `speed` in a frame (the ground or a body) at x; its
/// joint.
fn wheel(sim: &mut Simulation, on: Id, j: f64, x: f64, speed: f64) -> Id {
    let at = pose([x, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.6 * j, 0.6 * j, j, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], scale(speed, Z))).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, on, body, &[x, 0.0, 0.0], Some(&Z)).unwrap()
}

fn coordinate(sim: &Simulation, joint: Id) -> [f64; 3] {
    sim.outputs().joint_coordinate(joint).unwrap()
}

/// A free wheel turns by its speed times the time, here by 4 and by 9 rad in each step.
#[test]
fn a_free_wheel_counts_its_turns_in_every_scheme_that_can_turn_it() {
    // momentum-alpha refuses such steps, semi-implicit schemes diverge and report it, and explicit
    // ones add rates of quaternions, which is wrong for such large rotations.
    for name in ["generalized-alpha", "newmark", "hht"] {
        let mut sim = system();
        let joint = wheel(&mut sim, GROUND, INERTIA, 0.0, -20.0);
        sim.settings().set_scheme(name).unwrap();
        sim.initialize(0.0).unwrap();
        for h in [0.2, 0.2, 0.45, 0.2, 0.45, 0.45] {
            sim.step(h).unwrap();
            let (t, [q, qd, _]) = (sim.time().unwrap(), coordinate(&sim, joint));
            assert_close(name, &[q, qd], &[-20.0 * t, -20.0], 1e-9 * 20.0 * t);
        }
    }
}

/// J qdd = -k q: Newmark's increments, of which the trapezoidal rule's frequency is known,
/// `tan(Omega h/2) = omega h/2`.
#[test]
fn a_spring_is_wound_up_by_almost_a_turn_in_a_step() {
    // The steps turn the wheel by more than half a turn at first; so does the first half of a saved
    // and restored run.
    let (k, speed, h) = (0.1, 40.0, 0.15);
    let build = || {
        let mut sim = system();
        let joint = wheel(&mut sim, GROUND, INERTIA, 0.0, speed);
        sim.build().set_joint_spring(joint, k, 0.0, 0.0).unwrap();
        sim.settings().set_scheme("newmark").unwrap();
        sim.initialize(0.0).unwrap();
        (sim, joint)
    };
    let (mut sim, joint) = build();
    let omega = (k / INERTIA).sqrt();
    let frequency = 2.0 / h * (0.5 * omega * h).atan();
    let mut largest = 0.0f64;
    for step in 1..=40 {
        let before = coordinate(&sim, joint)[0];
        sim.step(h).unwrap();
        if step == 3 {
            let saved = sim.save().unwrap();
            sim = build().0;
            sim.restore(&saved).unwrap();
        }
        let q = coordinate(&sim, joint)[0];
        largest = largest.max((q - before).abs());
        let exact = speed / omega * (frequency * h * f64::from(step)).sin();
        assert_close("q", &[q], &[exact], 1e-9 * speed / omega);
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        let whole = 0.5 * INERTIA * speed * speed;
        assert_close("energy", &[kinetic + potential], &[whole], 1e-9 * whole);
    }
    assert!(largest > 1.9 * std::f64::consts::PI, "{largest}");
}

/// With the wheel as body a of its joint, the angle has the opposite sign.
#[test]
fn a_wheel_that_is_body_a_counts_backwards() {
    let mut sim = system();
    let inertia = [0.6 * INERTIA, 0.6 * INERTIA, INERTIA, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], scale(20.0, Z))).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, body, GROUND, &[0.0; 3], Some(&Z)).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..10 {
        sim.step(0.25).unwrap();
        let t = sim.time().unwrap();
        assert_close("q", &[coordinate(&sim, joint)[0]], &[-20.0 * t], 1e-9 * 20.0 * t);
    }
}

/// A platform that the host turns about z, with a wheel on it whose axle has no friction: the wheel
/// does not turn with the platform, or turns at its own speed. `factor`: the rate of the platform
/// that the host gives, over its true rate.
fn on_platform(scheme: &str, speed: f64, yaw: f64, factor: f64, options: &[(&str, f64)]) {
    let mut sim = system();
    let platform = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_body_prescribed(platform, true).unwrap();
    let joint = wheel(&mut sim, platform, INERTIA, 0.0, speed);
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let give = |sim: &mut Simulation, t: f64| {
        let at = pose([0.0; 3], quat_exp([0.0, 0.0, yaw * t]));
        sim.inputs().set_body_motion(platform, &at, &join([0.0; 3], scale(factor * yaw, Z)), &[0.0; 6]).unwrap();
    };
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    for step in 1..=20 {
        let t = 0.25 * f64::from(step);
        give(&mut sim, t);
        sim.step(0.25).unwrap();
        let claim = format!("{scheme}, yaw {yaw}, factor {factor}");
        // Explicit schemes turn the wheel with an error of their own; a lost turn would be 2 pi.
        assert_close(&claim, &[coordinate(&sim, joint)[0]], &[(speed - yaw) * t], 1e-6);
    }
}

/// The angle is relative to the platform, whose rotation follows from its poses, whatever rates the
/// host gives. (Schemes with Newton's iteration refuse rates that are off by more than a quarter of
/// a turn in a step.)
#[test]
fn turns_count_from_a_platform_that_the_host_moves() {
    for factor in [1.0, 0.0, 6.0] {
        on_platform("generalized-alpha", 0.0, 1.2, factor, &[]);
    }
    // Rates of fifteen radians in a step in which the platform turns by 0.25.
    for factor in [1.0, 0.0, 60.0] {
        on_platform("rk4", 0.0, 1.0, factor, &[]);
    }
    on_platform("generalized-alpha", 16.0, 1.2, 1.0, &[]);
    on_platform("newmark", -17.0, 8.0, 1.0, &[]);
}

/// Schemes with local time steps count turns at each of these, while the platform turns by up to 3
/// rad in a step of the host.
#[test]
fn turns_count_once_where_entities_have_their_own_steps() {
    for scheme in ["leuler", "lab2", "lab4"] {
        for yaw in [12.0, -12.0] {
            on_platform(scheme, 0.0, yaw, 1.0, &[("max_time_step", 0.01)]);
        }
    }
}

/// A rotor whose axis is turned by a nacelle, slowly: it spins on by its speed, as its inertia is
/// the same about all axes.
#[test]
fn turns_count_about_an_axis_that_moves() {
    let mut sim = system();
    let ball = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let nacelle = sim.build().add_rigid_body(1.0, &[0.0; 3], &ball, &ORIGIN).unwrap();
    sim.build().set_body_prescribed(nacelle, true).unwrap();
    let (spin, yaw, h) = (40.0, 0.3, 0.1);
    let rotor = sim.build().add_rigid_body(1.0, &[0.0; 3], &ball, &ORIGIN).unwrap();
    sim.build().set_body_velocity(rotor, &[0.0, 0.0, 0.0, spin, 0.0, yaw]).unwrap();
    let joint =
        sim.build().add_joint_at(JointKind::Revolute, nacelle, rotor, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
    let give = |sim: &mut Simulation, t: f64| {
        let at = pose([0.0; 3], quat_exp([0.0, 0.0, yaw * t]));
        sim.inputs().set_body_motion(nacelle, &at, &[0.0, 0.0, 0.0, 0.0, 0.0, yaw], &[0.0; 6]).unwrap();
    };
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    for step in 1..=100 {
        let t = h * f64::from(step);
        give(&mut sim, t);
        sim.step(h).unwrap();
        // Half a turn of error would be another count. The increments of a step are off by the turn
        // of the axis in it, 0.03, squared.
        assert_close("q", &[coordinate(&sim, joint)[0]], &[spin * t], 1e-3 * spin * t);
    }
}

/// Wheels in gear under a torque on the first: one inertia, constant acceleration.
fn geared(scheme: &str, ratio: f64, speed: f64, torque: f64) -> (Simulation, [Id; 2], f64) {
    let mut sim = system();
    let joints = [wheel(&mut sim, GROUND, 1.0, 0.0, speed), wheel(&mut sim, GROUND, 0.2, 3.0, ratio * speed)];
    sim.elements().add_gear(joints[0], joints[1], ratio).unwrap();
    sim.inputs().set_joint_load(joints[0], torque).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, joints, torque / (1.0 + 0.2 * ratio * ratio))
}

/// A step that turns the slower wheel by more than half a turn, although its initial rate gives
/// less.
#[test]
fn a_wheel_that_speeds_up_past_half_a_turn_stays_in_gear() {
    for scheme in ["generalized-alpha", "newmark", "hht"] {
        for (ratio, speed, torque) in [(2.5, 31.0, 20.0), (1.3, 31.0, 20.0), (-1.7, 30.0, 90.0)] {
            let (mut sim, [a, b], qdd) = geared(scheme, ratio, speed, torque);
            let h = 0.1;
            sim.step(h).unwrap();
            let (turn, rate) = (speed * h + 0.5 * qdd * h * h, speed + qdd * h);
            assert!(turn > std::f64::consts::PI);
            let ([q_a, qd_a, _], [q_b, qd_b, _]) = (coordinate(&sim, a), coordinate(&sim, b));
            let claim = format!("{scheme}, ratio {ratio}");
            assert_close(&claim, &[q_a, q_b / ratio], &[turn; 2], 1e-8 * turn);
            assert_close(&claim, &[qd_a, qd_b / ratio], &[rate; 2], 1e-8 * rate);
        }
    }
}

/// Within one step of the host, the rotation is checked in each internal step, not in the first
/// alone.
#[test]
fn internal_steps_that_would_lose_turns_are_refused_one_by_one() {
    let (mut sim, [a, _], qdd) = geared("generalized-alpha", 2.5, 0.0, 120.0);
    sim.settings().set_option("max_time_step", 0.1).unwrap();
    let error = sim.step(2.0).unwrap_err().to_string();
    assert!(error.contains("would turn by") && error.contains("more than half a turn"), "{error}");
    assert_eq!((sim.time().unwrap(), coordinate(&sim, a)[0]), (0.0, 0.0));
    sim.settings().set_option("max_time_step", 0.01).unwrap();
    sim.step(2.0).unwrap();
    assert_close("turned", &[coordinate(&sim, a)[0]], &[2.0 * qdd], 1e-9 * 2.0 * qdd);
}

/// The faster of two wheels may turn by any angle in a step: its count, and the spring on it,
/// follow the slower one.
#[test]
fn the_faster_wheel_keeps_its_turns() {
    let (ratio, speed, k, h) = (7.0, 6.0, 0.01, 0.1);
    let mut sim = system();
    let [a, b] = [wheel(&mut sim, GROUND, 1.0, 0.0, speed), wheel(&mut sim, GROUND, 0.2, 3.0, ratio * speed)];
    sim.elements().add_gear(a, b, ratio).unwrap();
    sim.build().set_joint_spring(b, k, 0.0, 0.0).unwrap();
    sim.settings().set_scheme("newmark").unwrap();
    sim.initialize(0.0).unwrap();
    // One inertia on one spring, by the trapezoidal rule.
    let omega = (k * ratio * ratio / (1.0 + 0.2 * ratio * ratio)).sqrt();
    let frequency = 2.0 / h * (0.5 * omega * h).atan();
    for step in 1..=50 {
        sim.step(h).unwrap();
        let exact = speed / omega * (frequency * h * f64::from(step)).sin();
        let [q_a, q_b] = [a, b].map(|joint| coordinate(&sim, joint)[0]);
        assert_close("q_a, q_b", &[q_a, q_b / ratio], &[exact; 2], 1e-8 * speed / omega);
    }
    assert!(coordinate(&sim, b)[0].abs() > TAU);
}

/// Far from the origin and about an inclined axis, the count is the same, and so is the reaction of
/// an unbalanced wheel.
#[test]
fn turns_count_alike_far_away_and_about_any_axis() {
    let run = |shift: V3, lean: V3| {
        let mut sim = system();
        let (at, axis) = (pose(shift, quat_exp(lean)), rotate(quat_exp(lean), Z));
        let inertia = [0.5, 0.5, INERTIA, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[1e-3, 0.0, 0.0], &inertia, &at).unwrap();
        sim.build().set_body_velocity(body, &join([0.0; 3], scale(50.0, axis))).unwrap();
        let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &shift, Some(&axis)).unwrap();
        sim.build().set_joint_spring(joint, 0.02, 1e-3, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        for h in [0.1, 0.2, 0.1, 0.05, 0.2] {
            sim.step(h).unwrap();
        }
        let [fx, fy, fz, ..] = sim.outputs().joint_reaction(joint, Frame::Body).unwrap();
        (coordinate(&sim, joint), [fx, fy, fz])
    };
    let (near, force) = run([0.0; 3], [0.0; 3]);
    assert!(near[0] > 4.0 * TAU, "{near:?}");
    for (shift, lean) in [([1e6, -1e6, 1e6], [0.0; 3]), ([1.0, 2.0, 3.0], [0.4, -1.1, 0.7])] {
        let (found, other) = run(shift, lean);
        assert_close("coordinate", &found, &near, 1e-8 * near[0]);
        assert!(norm(force) > 0.1);
        assert_close("force", &other, &force, 1e-6 * norm(force));
    }
}

/// With local time steps, the turns of each wheel would be counted separately.
#[test]
fn wheels_in_gear_stay_so_in_schemes_with_local_steps() {
    for scheme in ["leuler", "lab2", "lab3", "lab4", "lab5"] {
        for (ratio, longest) in [(2.0, f64::INFINITY), (2.0, 0.1), (-5.0, 0.1), (1.3, 0.05)] {
            let (mut sim, [a, b], _) = geared(scheme, ratio, 1.0, 0.0);
            sim.settings().set_option("max_time_step", longest).unwrap();
            for n in 0..8 {
                sim.step(1.0).unwrap_or_else(|error| panic!("{scheme} {ratio} {longest}, step {n}: {error}"));
                let [qa, qb] = [a, b].map(|joint| coordinate(&sim, joint)[0]);
                assert_close(
                    &format!("{scheme} {ratio} {longest}, step {n}"),
                    &[qb],
                    &[ratio * qa],
                    1e-9 * (1.0 + qb.abs()),
                );
            }
        }
    }
}

/// Driven further than half a turn in each step of the host, by internal steps.
#[test]
fn a_driven_wheel_takes_the_other_along_in_local_steps() {
    for scheme in ["leuler", "lab3", "ab3", "generalized-alpha"] {
        let mut sim = system();
        let joints = [wheel(&mut sim, GROUND, 1.0, 0.0, 4.0), wheel(&mut sim, GROUND, 0.2, 3.0, -4.0)];
        sim.elements().add_gear(joints[0], joints[1], -1.0).unwrap();
        sim.build().set_joint_driven(joints[0], true).unwrap();
        sim.inputs().set_joint_motion(joints[0], 0.0, 4.0, 0.0).unwrap();
        sim.build().set_joint_spring(joints[1], 1.0, 0.0, 0.0).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", 0.1).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 1..=10 {
            let q = 4.0 * f64::from(n);
            sim.inputs().set_joint_motion(joints[0], q, 4.0, 0.0).unwrap();
            sim.step(1.0).unwrap();
            let found = joints.map(|joint| coordinate(&sim, joint)[0]);
            assert_close(&format!("{scheme}, step {n}"), &found, &[q, -q], 1e-8 * q);
            // The elongation of the spring has all turns.
            let (_, potential) = sim.outputs().energy().unwrap();
            assert_close(scheme, &[potential], &[0.5 * q * q], 1e-7 * q * q);
        }
    }
}

/// Both wheels turn by half a turn, which cannot be distinguished from half a turn in the opposite
/// direction.
#[test]
fn a_wheel_driven_by_half_turns_takes_the_other_along() {
    for scheme in ["generalized-alpha", "newmark", "hht"] {
        for (ratio, sign) in [(1.3, 1.0), (1.3, -1.0), (0.7, 1.0), (-0.7, -1.0)] {
            let mut sim = system();
            let joints = [wheel(&mut sim, GROUND, 1.0, 0.0, 0.0), wheel(&mut sim, GROUND, 0.2, 3.0, 0.0)];
            sim.elements().add_gear(joints[0], joints[1], ratio).unwrap();
            sim.build().set_joint_driven(joints[0], true).unwrap();
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            for n in 1..=6 {
                let q = sign * f64::from(n) * 0.5 * TAU;
                sim.inputs().set_joint_motion(joints[0], q, 0.0, 0.0).unwrap();
                // From the second step on the rate at its start is that of half a turn, which gears
                // refuse.
                if let Err(error) = sim.step(1.0) {
                    assert!(n > 1 && error.to_string().contains("its gear"), "{scheme} {ratio}, step {n}: {error}");
                    break;
                }
                let found = joints.map(|joint| coordinate(&sim, joint)[0]);
                assert_close(&format!("{scheme} {ratio}, step {n}"), &found, &[q, ratio * q], 1e-8);
            }
        }
    }
}

/// The turns of a screw follow from its slide: poses given by the host, at the start or later,
/// determine the angle.
#[test]
fn screws_are_on_the_turns_of_their_slides() {
    let (pitch, stiffness, mass, inertia) = (0.3, 2.0, 1.0, 0.1);
    let screw = |turn: f64, on_frames: f64, shift: f64| {
        let mut sim = system();
        let at = move |turn: f64| pose([shift, 0.0, pitch * turn / TAU], quat_exp(scale(turn, Z)));
        let inertia = [inertia, inertia, inertia, 0.0, 0.0, 0.0];
        sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &at(turn)).unwrap();
        let frame = pose([shift, 0.0, 0.0], UNROTATED);
        let on_body =
            if on_frames == 0.0 { ORIGIN } else { pose([0.0, 0.0, -pitch * turn / TAU], quat_exp(scale(-turn, Z))) };
        let joint = sim.build().add_joint(JointKind::Screw, GROUND, 0, &frame, &on_body).unwrap();
        sim.build().set_joint_pitch(joint, pitch).unwrap();
        sim.build().set_joint_spring(joint, stiffness, 0.0, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, at)
    };
    for turn in [2.0, 3.3, 9.0, -3.2, -50.0, 400.0] {
        for (at_first, shift) in [(true, 0.0), (false, 0.0), (false, 1e6)] {
            let (mut sim, at) = screw(if at_first { turn } else { 0.0 }, 0.0, shift);
            if !at_first {
                sim.inputs().set_coordinates(&[at(turn)], &[[0.0; 6]]).unwrap();
            }
            let [q, _, qdd] = coordinate(&sim, 0);
            // The pose is rounded to 1e-16 of a turn's angle, far away to 1e-10 m: 5e-9 of a turn
            // of the screw.
            let tolerance = if shift == 0.0 { 1e-12 } else { 1e-7 } * turn.abs();
            assert_close("turns", &[q], &[turn], tolerance);
            let whole = inertia + mass * (pitch / TAU) * (pitch / TAU);
            assert_close("pulled back", &[qdd], &[-stiffness * turn / whole], 100.0 * tolerance);
            let (_, potential) = sim.outputs().energy().unwrap();
            assert_close("wound up", &[potential], &[0.5 * stiffness * turn * turn], 10.0 * tolerance * turn.abs());
        }
    }
}

/// Wheels in gear that are moved by set_coordinates stay on the turns of the gear: those of the
/// slower wheel nearest to its last angle.
#[test]
fn wheels_that_are_put_elsewhere_stay_in_gear() {
    // A train of three: the first wheel is slow in one, the last one in the other.
    for ratios in [[-2.5, 3.0], [0.4, -0.3], [2.0, 0.25]] {
        for turn in [1.0, 2.0, 3.0, -2.9] {
            let mut sim = system();
            let joints = [0.0, 2.0, 4.0].map(|x| wheel(&mut sim, GROUND, 0.1, x, 0.0));
            sim.elements().add_gear(joints[0], joints[1], ratios[0]).unwrap();
            sim.elements().add_gear(joints[1], joints[2], ratios[1]).unwrap();
            sim.build().set_joint_spring(joints[1], 2.0, 0.0, 0.0).unwrap();
            sim.initialize(0.0).unwrap();
            // The slowest wheel turns by `turn`.
            let relative = [1.0, ratios[0], ratios[0] * ratios[1]];
            let slowest = relative.iter().fold(f64::INFINITY, |least: f64, r| least.min(r.abs()));
            let q = relative.map(|r| r / slowest * turn);
            let poses = [0, 1, 2].map(|k| pose([2.0 * k as f64, 0.0, 0.0], quat_exp(scale(q[k], Z))));
            sim.inputs().set_coordinates(&poses, &[[0.0; 6]; 3]).unwrap();
            let found = joints.map(|joint| coordinate(&sim, joint));
            let claim = format!("ratios {ratios:?}, turn {turn}");
            assert_close(&claim, &found.map(|[q, ..]| q), &q, 1e-12 * 50.0);
            // J (1 + sum r^2) qdd = -k q r, by the coordinate of the first wheel.
            let inertia: f64 = relative.iter().map(|r| 0.1 * r * r).sum();
            let qdd = -2.0 * q[1] * relative[1] / inertia;
            assert_close(
                &claim,
                &found.map(|[.., qdd]| qdd),
                &relative.map(|r| r * qdd),
                1e-10 * (1.0 + qdd.abs()) * 10.0,
            );
            sim.step(1e-3).unwrap();
            assert_close(&claim, &joints.map(|joint| coordinate(&sim, joint)[0]), &q, 1e-3 * (1.0 + qdd.abs()));
        }
    }
}

/// A screw in gear with a wheel, or a driven wheel, that starts with several turns: setting the
/// present poses does not change the coordinates.
#[test]
fn joints_in_gear_that_start_turns_out_stay_where_they_are() {
    for (ratio, turns) in [(0.4, 2.0), (-2.5, -3.0), (1.0, 1.0)] {
        for driven in [false, true] {
            if driven && ratio * turns % 1.0 != 0.0 {
                // Gears count from poses within half a turn: whole turns of a first drive are to be
                // whole turns of the other wheel.
                continue;
            }
            let mut sim = system();
            let pitch = 0.3;
            let turn = turns * TAU + 0.7;
            let (first, at) = if driven {
                let joint = wheel(&mut sim, GROUND, 0.1, 0.0, 0.0);
                sim.build().set_joint_driven(joint, true).unwrap();
                sim.inputs().set_joint_motion(joint, turns * TAU, 0.0, 0.0).unwrap();
                (joint, ORIGIN)
            } else {
                let at = pose([0.0, 0.0, pitch * turn / TAU], quat_exp(scale(turn, Z)));
                sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
                let joint = sim.build().add_joint(JointKind::Screw, GROUND, 0, &ORIGIN, &ORIGIN).unwrap();
                sim.build().set_joint_pitch(joint, pitch).unwrap();
                (joint, at)
            };
            let other = wheel(&mut sim, GROUND, 0.2, 3.0, 0.0);
            sim.elements().add_gear(first, other, ratio).unwrap();
            sim.build().set_joint_spring(other, 1.0, 0.0, 0.0).unwrap();
            sim.initialize(0.0).unwrap();
            let found = |sim: &Simulation| [first, other].map(|joint| coordinate(sim, joint)[0]);
            let before = found(&sim);
            let there = pose([3.0, 0.0, 0.0], UNROTATED);
            sim.inputs().set_coordinates(&[at, there], &[[0.0; 6]; 2]).unwrap();
            assert_close(&format!("ratio {ratio}, {turns} turns, driven {driven}"), &found(&sim), &before, 1e-12);
            sim.step(1e-3).unwrap();
            assert_close("after a step", &found(&sim), &before, 1e-2);
        }
    }
}

/// A nut on a screw with a spring on its angle, in gear with a light wheel: `J qdd = -k q` with all
/// turns that follow from the slide.
#[test]
fn a_screw_in_gear_has_the_turns_that_its_slide_says() {
    let (pitch, k, ratio, j) = (0.5, 1.0, 0.4, 0.1);
    for turns in [0.3, 0.7, 2.3, -5.6] {
        let mut sim = system();
        let turn = turns * TAU;
        let at = pose([0.0, 0.0, pitch * turns], quat_exp(scale(turn, Z)));
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
        let screw = sim.build().add_joint(JointKind::Screw, GROUND, 0, &ORIGIN, &ORIGIN).unwrap();
        sim.build().set_joint_pitch(screw, pitch).unwrap();
        sim.build().set_joint_spring(screw, k, 0.0, 0.0).unwrap();
        let other = wheel(&mut sim, GROUND, j, 3.0, 0.0);
        sim.elements().add_gear(screw, other, ratio).unwrap();
        sim.initialize(0.0).unwrap();
        let lead = pitch / TAU;
        let qdd = -k * turn / (0.1 + lead * lead + ratio * ratio * j);
        let found = coordinate(&sim, screw);
        assert_close(&format!("{turns} turns"), &[found[0], found[2]], &[turn, qdd], 1e-12 * (1.0 + qdd.abs()));
        assert_close("the wheel stands where it was added", &coordinate(&sim, other), &[0.0, 0.0, ratio * qdd], 1e-10);
        // q_b = ratio (q - q_0) while the spring winds back.
        for _ in 0..200 {
            sim.step(1e-3).unwrap();
            let [[q, ..], [b, ..]] = [screw, other].map(|joint| coordinate(&sim, joint));
            let slide = sim.outputs().joint_slide(screw).unwrap()[0];
            assert_close("slide and gear", &[slide / lead, b], &[q, ratio * (q - turn)], 1e-9);
        }
    }
}

/// A wheel that was driven to an angle in steps, and one that starts there by its initial motion,
/// are in the same state.
#[test]
fn wheels_in_gear_have_the_turns_of_a_first_drive() {
    for (ratio, turns) in [(2.0, 3.0), (-0.5, 4.0), (0.4, 2.5), (-2.5, -3.2)] {
        let (k, q) = (1.0, turns * TAU);
        let mut sim = system();
        let first = wheel(&mut sim, GROUND, 0.1, 0.0, 0.0);
        // Its pose is the one that the drive imposes.
        let turned = pose([3.0, 0.0, 0.0], quat_exp(scale(0.0, Z)));
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &turned).unwrap();
        let other = sim.build().add_joint_at(JointKind::Revolute, GROUND, 1, &[3.0, 0.0, 0.0], Some(&Z)).unwrap();
        let gear = sim.elements().add_gear(first, other, ratio).unwrap();
        sim.build().set_joint_spring(other, k, 0.0, 0.0).unwrap();
        sim.build().set_joint_driven(first, true).unwrap();
        sim.inputs().set_joint_motion(first, q, 0.0, 0.0).unwrap();
        sim.settings().set_option("assemble", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        let loads = |sim: &Simulation| {
            let drive = sim.outputs().joint_reaction(first, Frame::Inertial).unwrap()[5];
            [coordinate(sim, first)[0], coordinate(sim, other)[0], sim.outputs().gear_load(gear).unwrap(), drive]
        };
        let expected = [q, ratio * q, k * ratio * q, k * ratio * ratio * q];
        let tolerance = 1e-10 * (1.0 + expected[3].abs());
        assert_close(&format!("ratio {ratio}, {turns} turns"), &loads(&sim), &expected, tolerance);
        // Also through a saved state, and a step later.
        let mut other = sim.clone();
        other.restore(&sim.save().unwrap()).unwrap();
        for sim in [&mut sim, &mut other] {
            sim.step(1e-3).unwrap();
            assert_close("after a step", &loads(sim), &expected, 1e-8 * (1.0 + expected[3].abs()));
        }
    }
}

/// A nut that is prescribed 2.3 turns away from where it was added leads the wheel to 0.92 turns,
/// not to 0.12.
#[test]
fn a_first_motion_of_a_nut_leads_the_wheel_in_gear() {
    let run = |wheel_turns: f64| {
        let mut sim = system();
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let screw = sim.build().add_joint(JointKind::Screw, GROUND, 0, &ORIGIN, &ORIGIN).unwrap();
        sim.build().set_joint_pitch(screw, 0.5).unwrap();
        let other = wheel(&mut sim, GROUND, 0.1, 2.0, 0.0);
        sim.elements().add_gear(screw, other, 0.4).unwrap();
        for (body, x, turns, z) in [(0, 0.0, 2.3, 1.15), (1, 2.0, wheel_turns, 0.0)] {
            sim.build().set_body_prescribed(body, true).unwrap();
            let at = pose([x, 0.0, z], quat_exp(scale(turns * TAU, Z)));
            sim.inputs().set_body_motion(body, &at, &[0.0; 6], &[0.0; 6]).unwrap();
        }
        sim.initialize(0.0).map(|()| [screw, other].map(|joint| coordinate(&sim, joint)[0]))
    };
    assert_close("turns", &run(0.92).unwrap(), &[2.3 * TAU, 0.92 * TAU], 1e-12);
    assert!(matches!(run(0.12), Err(pintle::error::Error::InconsistentState { .. })));
}
