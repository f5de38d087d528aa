//! Prescribed bodies: their motion, the reaction to it, pendulums and mechanisms that hang on them,
//! sub-steps, rollback.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Error, Frame, Id, JointKind, Simulation};
use std::f64::consts::{FRAC_PI_2, TAU};

const CARRIER: Solid = Solid { mass: 2.0, com: [0.2, -0.1, 0.15], inertia: [0.2, 0.25, 0.3] };
const G: f64 = 9.81;

/// Pose, velocity, acceleration.
type Given = ([f64; 7], [f64; 6], [f64; 6]);

fn give(sim: &mut Simulation, body: Id, (pose, velocity, acceleration): &Given) {
    sim.inputs().set_body_motion(body, pose, velocity, acceleration).unwrap();
}

/// Along a curve in space, turning about a fixed axis by angle(t) with rate and acceleration.
fn tumbling(t: f64, [angle, rate, second]: [f64; 3]) -> Given {
    let axis = [0.36, -0.48, 0.8];
    let (s, c) = (1.7 * t).sin_cos();
    let w = 1.7;
    let x = [0.5 * s, 0.3 * c, 0.1 * t * t];
    let v = [0.5 * w * c, -0.3 * w * s, 0.2 * t];
    let a = [-0.5 * w * w * s, -0.3 * w * w * c, 0.2];
    (pose(x, quat_exp(scale(angle, axis))), join(v, scale(rate, axis)), join(a, scale(second, axis)))
}

fn carrier(gravity: V3, start: &Given) -> (Simulation, Id) {
    let mut sim = system(gravity);
    let body = CARRIER.add(&mut sim, &ORIGIN, &[0.0; 6]); // its motion as given counts
    sim.build().set_body_prescribed(body, true).unwrap();
    give(&mut sim, body, start);
    (sim, body)
}

#[test]
fn motion_is_read_back_as_given_and_takes_what_newton_and_euler_say() {
    // three turns in a run; a quarter turn in ONE step; and steps that would change axis signs of a
    // quaternion
    let slow = |t: f64| [2.0 * TAU * t * t, 4.0 * TAU * t, 4.0 * TAU];
    let quarters = |t: f64| [FRAC_PI_2 * 10.0 * t, FRAC_PI_2 * 10.0, 0.0];
    let gravity = [0.4, -1.5, -9.0];
    for (h, steps, angle) in [(0.01, 120, slow as fn(f64) -> [f64; 3]), (0.1, 20, quarters)] {
        for max_step in [f64::INFINITY, h / 3.0] {
            let (mut sim, body) = carrier(gravity, &tumbling(0.0, angle(0.0)));
            sim.settings().set_option("max_time_step", max_step).unwrap();
            let load = [1.0, -2.0, 3.0, 0.4, 0.5, -0.6];
            sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
            sim.initialize(0.0).unwrap();
            for n in 0..=steps {
                let t = h * n as f64;
                let given = tumbling(t, angle(t));
                if n > 0 {
                    give(&mut sim, body, &given);
                    sim.step(h).unwrap();
                }
                let p = sim.outputs().body_pose(body).unwrap();
                assert_eq!(place(&p), place(&given.0), "position, bit by bit");
                // the quaternion is made one of length 1, and may come with the other sign
                assert!(quat_error(turn(&p), turn(&given.0)) < 1e-15);
                assert_eq!(sim.outputs().body_velocity(body, Frame::Inertial).unwrap(), given.1);
                assert_eq!(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap(), given.2);
                // the reaction, besides weight and load, about the reference point
                let takes = CARRIER.takes(&sim, body, gravity);
                let applied = about_origin(place(&p), sim.outputs().body_reaction(body, Frame::Inertial).unwrap());
                let load = about_origin(place(&p), load);
                let sum: Vec<f64> = (0..6).map(|i| applied[i] + load[i]).collect();
                // plain arithmetic: forces of up to 1e4 (omega 16 rad/s), eps 1e-16
                assert_close(&format!("step {n}"), &sum, &takes, 1e-10);
                let (f, m) = halves(sim.outputs().body_reaction(body, Frame::Inertial).unwrap());
                let in_body = join(unrotate(turn(&p), f), unrotate(turn(&p), m));
                assert_close("body axes", &sim.outputs().body_reaction(body, Frame::Body).unwrap(), &in_body, 1e-11);
            }
        }
    }
}

#[test]
fn reactions_by_hand_of_a_lift_and_a_spinning_plate() {
    // a lift that starts with 2 m/s^2: m (g + 2); a plate spun at w about an axis off its principal
    // ones: omega x J omega
    let (mut sim, body) = carrier([0.0, 0.0, -10.0], &(ORIGIN, [0.0; 6], [0.0, 0.0, 2.0, 0.0, 0.0, 0.0]));
    sim.initialize(0.0).unwrap();
    // 2 kg * 12 at (0.2, -0.1, .): moment (-0.1 * 24, -0.2 * 24, 0)
    let lift = [0.0, 0.0, 24.0, -2.4, -4.8, 0.0];
    assert_close("lift", &sim.outputs().body_reaction(body, Frame::Inertial).unwrap(), &lift, 1e-12);

    let mut sim = system([0.0; 3]);
    let plate = Solid { mass: 1.0, com: [0.0; 3], inertia: [0.1, 0.2, 0.3] }.add(&mut sim, &ORIGIN, &[0.0; 6]);
    sim.build().set_body_prescribed(plate, true).unwrap();
    give(&mut sim, plate, &(ORIGIN, [0.0, 0.0, 0.0, 3.0, 4.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 5.0]));
    sim.initialize(0.0).unwrap();
    // (3, 4, 0) x (0.3, 0.8, 0) = (0, 0, 1.2), and J_z 5 = 1.5
    assert_close(
        "plate",
        &sim.outputs().body_reaction(plate, Frame::Inertial).unwrap(),
        &[0.0, 0.0, 0.0, 0.0, 0.0, 2.7],
        1e-12,
    );
}

#[test]
fn only_prescribed_bodies_take_motions_and_have_reactions() {
    let mut sim = system([0.0; 3]);
    let body = CARRIER.add(&mut sim, &ORIGIN, &[0.0; 6]);
    let bad = |r: pintle::Result<()>| matches!(r, Err(Error::BadValue { .. }));
    assert!(bad(sim.inputs().set_body_motion(body, &ORIGIN, &[0.0; 6], &[0.0; 6])));
    sim.initialize(0.0).unwrap();
    assert!(bad(sim.outputs().body_reaction(body, Frame::Inertial).map(|_| ())));
    assert!(matches!(sim.build().set_body_prescribed(body, true), Err(Error::BadPhase { .. })));
}

// ---- pendulums on prescribed bodies ----------------------------------------------------------------------------------------------

const BOB: f64 = 1.5; // mass
const LENGTH: f64 = 0.5; // pivot to its centre
const J_BOB: f64 = 0.02;

/// A prescribed pivot moved by `motion` (of its reference point, no turning) with a pendulum about
/// x, theta from straight down: com at pivot + L (0, sin, -cos). kind REVOLUTE or SPHERICAL; the
/// rod is the body.
fn hung(
    kind: JointKind,
    motion: &dyn Fn(f64) -> Given,
    [theta, rate]: [f64; 2],
    pivot_is_a: bool,
) -> (Simulation, [Id; 3]) {
    let mut sim = system([0.0, 0.0, -G]);
    let given = motion(0.0);
    let pivot = CARRIER.add(&mut sim, &ORIGIN, &[0.0; 6]);
    sim.build().set_body_prescribed(pivot, true).unwrap();
    give(&mut sim, pivot, &given);
    let (s, c) = theta.sin_cos();
    let r = [0.0, LENGTH * s, -LENGTH * c];
    let v = add(halves(given.1).0, cross([rate, 0.0, 0.0], r));
    let at = pose(add(place(&given.0), r), quat_exp([theta, 0.0, 0.0]));
    let rod = Solid { mass: BOB, com: [0.0; 3], inertia: [J_BOB, 0.015, 0.01] };
    let rod = rod.add(&mut sim, &at, &join(v, [rate, 0.0, 0.0]));
    let (on_pivot, on_rod) = (z_to([1.0, 0.0, 0.0]), z_to([1.0, 0.0, 0.0]));
    let (f_pivot, f_rod) = (pose([0.0; 3], on_pivot), pose([0.0, 0.0, LENGTH], on_rod));
    let joint = if pivot_is_a {
        sim.build().add_joint(kind, pivot, rod, &f_pivot, &f_rod)
    } else {
        sim.build().add_joint(kind, rod, pivot, &f_rod, &f_pivot)
    };
    let joint = joint.unwrap();
    sim.initialize(0.0).unwrap();
    (sim, [pivot, rod, joint])
}

/// theta'' for the pivot's acceleration: (J + m L^2) theta'' = -m L ((g + z'') sin + y'' cos).
fn swing(theta: f64, acceleration: V3) -> f64 {
    let (s, c) = theta.sin_cos();
    -BOB * LENGTH * ((G + acceleration[2]) * s + acceleration[1] * c) / (J_BOB + BOB * LENGTH * LENGTH)
}

fn straight(t: f64, x: impl Fn(f64) -> [V3; 3]) -> Given {
    let [x, v, a] = x(t);
    (pose(x, UNROTATED), join(v, [0.0; 3]), join(a, [0.0; 3]))
}

/// Runs the pendulum at four step sizes against RK4: angle, joint reaction on the rod, reaction on
/// the pivot.
fn assert_swing(
    claim: &str,
    kind: JointKind,
    motion: &dyn Fn(f64) -> Given,
    start: [f64; 2],
    interval: f64,
    pivot_is_a: bool,
) {
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        dy.copy_from_slice(&[y[1], swing(y[0], halves(motion(t).2).0)]);
    };
    let exact = rk4_samples(rate, &start, interval, 800, 4);
    let mut tables = vec![Vec::new(); 3];
    for stride in [8, 4, 2, 1] {
        let h = interval * stride as f64;
        let (mut sim, [pivot, rod, joint]) = hung(kind, motion, start, pivot_is_a);
        let mut worst = [0.0f64; 3];
        for n in 1..=800 / stride {
            let (t, y) = (h * n as f64, &exact[n * stride]);
            let given = motion(t);
            give(&mut sim, pivot, &given);
            sim.step(h).unwrap();
            let p = sim.outputs().body_pose(rod).unwrap();
            let (s, c) = y[0].sin_cos();
            let r = [0.0, LENGTH * s, -LENGTH * c];
            worst[0] = worst[0].max(quat_error(turn(&p), quat_exp([y[0], 0.0, 0.0])));
            worst[0] = worst[0].max(distance(place(&p), add(place(&given.0), r)));
            // force on the rod: m (a + g), a = pivot's + theta'' x r - theta'^2 r; no moment at the
            // pin
            let a0 = halves(given.2).0;
            let a = sub(add(a0, cross([swing(y[0], a0), 0.0, 0.0], r)), scale(y[1] * y[1], r));
            let on_rod = scale(BOB, add(a, [0.0, 0.0, G]));
            let sign = if pivot_is_a { 1.0 } else { -1.0 };
            let (force, moment) = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
            worst[1] = worst[1].max(distance(scale(sign, force), on_rod)).max(norm(moment));
            // host: the carrier's own m (a - g) at its centre, and the opposite of the pin's force
            let own = scale(CARRIER.mass, add(a0, [0.0, 0.0, G]));
            let wrench = join(add(own, on_rod), cross(CARRIER.com, own));
            let got = sim.outputs().body_reaction(pivot, Frame::Inertial).unwrap();
            worst[2] = (0..6).map(|i| (got[i] - wrench[i]).abs()).fold(worst[2], f64::max);
        }
        for (table, error) in tables.iter_mut().zip(worst) {
            table.push((h, error));
        }
    }
    for (what, table) in ["motion", "pin's force", "host's wrench"].iter().zip(&tables) {
        assert_order(&format!("{claim}, {what}"), table, 2.0, 0.1);
    }
}

#[test]
fn pendulum_on_a_swaying_pivot_follows_runge_kutta() {
    let sway = |t: f64| {
        let (s, c) = (3.0 * t).sin_cos();
        straight(t, |_| [[0.0, 0.2 * s, 0.1 * c], [0.0, 0.6 * c, -0.3 * s], [0.0, -1.8 * s, -0.9 * c]])
    };
    for kind in [JointKind::Revolute, JointKind::Spherical] {
        for pivot_is_a in [true, false] {
            let claim = format!("{kind:?}, pivot is a: {pivot_is_a}");
            assert_swing(&claim, kind, &sway, [0.7, -0.5], 2.5e-3, pivot_is_a);
        }
    }
}

/// z = a cos(w t).
fn shaking(a: f64, w: f64) -> impl Fn(f64) -> Given {
    move |t| {
        let (s, c) = (w * t).sin_cos();
        straight(t, |_| [[0.0, 0.0, a * c], [0.0, 0.0, -a * w * s], [0.0, 0.0, -a * w * w * c]])
    }
}

#[test]
fn kapitza_pendulum_follows_runge_kutta_upside_down() {
    // theta near pi: 0.6 s, 11 periods of the pivot, 40 to 320 steps in each
    assert_swing("Kapitza", JointKind::Revolute, &shaking(0.04, 117.0), [3.0, 0.0], 1.7e-4, true);
}

#[test]
fn shaken_pivot_holds_the_pendulum_upside_down_only_when_fast() {
    // stable where a^2 w^2 > 2 g l, l = (J + m L^2)/(m L) (Kapitza 1951); a/l = 0.07, so averaging
    // is good to a few percent
    let l = (J_BOB + BOB * LENGTH * LENGTH) / (BOB * LENGTH);
    let a = 0.04;
    let threshold = (2.0 * G * l).sqrt() / a;
    let pi = std::f64::consts::PI;
    for (factor, stable) in [(1.5, true), (1.15, true), (0.85, false), (0.5, false), (0.0, false)] {
        let w = factor * threshold;
        let motion = shaking(a, w);
        let (mut sim, [pivot, rod, _]) = hung(JointKind::Revolute, &motion, [pi - 0.05, 0.0], true);
        let h = TAU / threshold / 60.0;
        let mut farthest = 0.0f64;
        for n in 1..=(4.0 / h).round() as usize {
            give(&mut sim, pivot, &motion(h * n as f64));
            sim.step(h).unwrap();
            let q = turn(&sim.outputs().body_pose(rod).unwrap());
            farthest = farthest.max(angle_between(q, quat_exp([pi, 0.0, 0.0])));
        }
        println!("factor {factor}: {farthest} rad off upright");
        // slow swing of 0.05 rad and ripple of a/l of it; or it falls over within some
        // 1/(g/l)^(1/2) = 0.24 s
        assert_eq!(farthest < 0.15, stable, "factor {factor}: {farthest}");
        assert!(stable || farthest > 2.0, "factor {factor}: it falls, {farthest}");
    }
}

#[test]
fn wrenches_of_host_and_joint_balance_the_prescribed_body_at_every_step() {
    // both are of second order; their sum is that of one state, to rounding: a host that couples
    // two codes counts on it
    let sway = |t: f64| {
        let (s, c) = (3.0 * t).sin_cos();
        straight(t, |_| [[0.0, 0.2 * s, 0.1 * c], [0.0, 0.6 * c, -0.3 * s], [0.0, -1.8 * s, -0.9 * c]])
    };
    for pivot_is_a in [true, false] {
        let (mut sim, [pivot, _, joint]) = hung(JointKind::Revolute, &sway, [1.2, -0.5], pivot_is_a);
        for n in 0..=200 {
            if n > 0 {
                give(&mut sim, pivot, &sway(0.02 * n as f64));
                sim.step(0.02).unwrap();
            }
            let at = place(&sim.outputs().body_pose(pivot).unwrap());
            let host = about_origin(at, sim.outputs().body_reaction(pivot, Frame::Inertial).unwrap());
            let pin = about_origin(at, sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
            let sign = if pivot_is_a { -1.0 } else { 1.0 };
            let sum: Vec<f64> = (0..6).map(|i| host[i] + sign * pin[i]).collect();
            // forces of 50; where the pin is b of the rod, its origin is off by the gap, 1e-13
            assert_close(&format!("step {n}"), &sum, &CARRIER.takes(&sim, pivot, [0.0, 0.0, -G]), 1e-10);
        }
    }
}

// ---- crane ---------------------------------------------------------------------------------------------------------------------------

/// Trolley along y by 2 m in 1.5 s, then at rest: degree 7, so that the jerk has no jump either
/// (after one, multipliers are of first order for some steps).
fn trolley(t: f64) -> Given {
    let (d, duration) = (2.0, 1.5);
    let s = (t / duration).min(1.0);
    let x = d * s.powi(4) * (35.0 - 84.0 * s + 70.0 * s * s - 20.0 * s.powi(3));
    let v = d / duration * 140.0 * (s * (1.0 - s)).powi(3);
    let a = d / (duration * duration) * 420.0 * (s * (1.0 - s)).powi(2) * (1.0 - 2.0 * s);
    straight(t, |_| [[0.0, x, 0.0], [0.0, v, 0.0], [0.0, a, 0.0]])
}

#[test]
fn crane_load_on_a_rod_swings_as_its_equation_says() {
    assert_swing("crane, rod", JointKind::Spherical, &trolley, [0.0, 0.0], 2.5e-3, true);
}

#[test]
fn crane_load_on_a_distance_joint_swings_as_its_equation_says() {
    // L theta'' = -(g sin + y'' cos); the cable ends at the load's centre, which therefore does not
    // turn
    let l = 1.2;
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        dy.copy_from_slice(&[y[1], -(G * y[0].sin() + trolley(t).2[1] * y[0].cos()) / l]);
    };
    let exact = rk4_samples(rate, &[0.0, 0.0], 2.5e-3, 1000, 4);
    let largest = exact.iter().fold(0.0f64, |m, y| m.max(y[0].abs()));
    assert!(largest > 0.3, "it swings: {largest}");
    let table = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)].map(|(h, stride)| {
        let mut sim = system([0.0, 0.0, -G]);
        let cart = CARRIER.add(&mut sim, &ORIGIN, &[0.0; 6]);
        sim.build().set_body_prescribed(cart, true).unwrap();
        give(&mut sim, cart, &trolley(0.0));
        let load = Solid { mass: 5.0, com: [0.0; 3], inertia: [0.4, 0.5, 0.6] };
        let load = load.add(&mut sim, &pose([0.0, 0.0, -l], UNROTATED), &[0.0; 6]);
        let cable = sim.build().add_joint(JointKind::Distance, cart, load, &ORIGIN, &ORIGIN).unwrap();
        sim.initialize(0.0).unwrap();
        assert_close(
            "hanging",
            &sim.outputs().joint_reaction(cable, Frame::Inertial).unwrap()[..3],
            &[0.0, 0.0, 5.0 * G],
            1e-9,
        );
        let mut worst = 0.0f64;
        for n in 1..=1000 / stride {
            give(&mut sim, cart, &trolley(h * n as f64));
            sim.step(h).unwrap();
            let (s, c) = exact[n * stride][0].sin_cos();
            let x = trolley(h * n as f64).0[1];
            worst = worst.max(distance(place(&sim.outputs().body_pose(load).unwrap()), [0.0, x + l * s, -l * c]));
        }
        let q = turn(&sim.outputs().body_pose(load).unwrap());
        assert!(quat_error(q, UNROTATED) < 1e-12, "a cable at the centre does not turn the load");
        (h, worst)
    });
    assert_order("crane, cable", &table, 2.0, 0.1);
}

/// Poses determine rotations up to half a turn: beyond it, the rates determine the number of turns.
#[test]
fn a_turn_of_more_than_half_in_a_step_is_refused_where_the_rates_tell() {
    for scheme in ["generalized-alpha", "newmark", "rk4", "ab3", "lab3", "anderson5"] {
        for longest in [f64::INFINITY, 0.05] {
            for (rate, passes) in [(3.0, true), (-3.0, true), (3.3, false), (-3.3, false), (TAU, false)] {
                let case = format!("{scheme} {longest} {rate}");
                let mut sim = system([0.0; 3]);
                let body = CARRIER.add(&mut sim, &ORIGIN, &[0.0; 6]);
                sim.build().set_body_prescribed(body, true).unwrap();
                let axis = [0.36, -0.48, 0.8];
                let at = |t: f64| {
                    (pose([0.0; 3], quat_exp(scale(rate * t, axis))), join([0.0; 3], scale(rate, axis)), [0.0; 6])
                };
                give(&mut sim, body, &at(0.0));
                sim.settings().set_scheme(scheme).unwrap();
                sim.settings().set_option("max_time_step", longest).unwrap();
                sim.initialize(0.0).unwrap();
                for n in 1..=3 {
                    give(&mut sim, body, &at(f64::from(n)));
                    let before = sim.save().unwrap().to_bytes();
                    let outcome = sim.step(1.0);
                    assert_eq!(outcome.is_ok(), passes, "{case}, step {n}: {outcome:?}");
                    if passes {
                        let error =
                            quat_error(turn(&sim.outputs().body_pose(body).unwrap()), turn(&at(f64::from(n)).0));
                        assert!(error < 1e-12, "{case}, step {n}: {error:e}");
                    } else {
                        assert!(matches!(outcome, Err(Error::TooFar { .. })), "{case}: {outcome:?}");
                        assert!(sim.save().unwrap().to_bytes() == before, "{case}: changed");
                        break;
                    }
                }
            }
        }
    }
}
