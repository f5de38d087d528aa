//! Imposed motions that jump: motors that get a rate from rest, prescribed bodies that start or
//! stop suddenly.
//!
//! After the jump the imposed coordinate has its new rate, and free bodies have the velocities that
//! the impulse through their joints gives them: for a pendulum on a carrier that jumps by v, w = -m
//! L v/J_O, after which it obeys its equation in the angle, integrated here with Runge-Kutta 4.

use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

const G: f64 = 9.81;

/// A scheme and its option: rho_inf, or hht_alpha.
type Scheme = (&'static str, &'static str, f64);

const SCHEMES: [Scheme; 10] = [
    ("generalized-alpha", "rho_inf", 0.0),
    ("generalized-alpha", "rho_inf", 0.3),
    ("generalized-alpha", "rho_inf", 0.8),
    ("generalized-alpha", "rho_inf", 1.0),
    ("hht", "hht_alpha", -0.3),
    ("hht", "hht_alpha", 0.0),
    ("newmark", "newmark_gamma", 0.5),
    ("newmark", "newmark_gamma", 0.7),
    ("momentum-alpha", "rho_inf", 0.3),
    ("momentum-alpha", "rho_inf", 1.0),
];

fn system(scheme: Scheme) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme.0).unwrap();
    for (key, value) in [(scheme.1, scheme.2), ("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)] {
        sim.settings().set_option(key, value).unwrap();
    }
    if scheme.2 == 0.7 {
        sim.settings().set_option("newmark_beta", 0.36).unwrap();
    }
    sim
}

/// The run before the jump, and how the host announces it.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// Steps at rest before.
    rest: usize,
    /// True if the host calls `pintle_mark_discontinuity`.
    marked: bool,
    /// Internal steps per host step.
    parts: f64,
    linear: bool,
    /// Option `initial_acceleration`.
    given: bool,
}

const PLAIN: Manner = Manner { rest: 0, marked: false, parts: 1.0, linear: false, given: false };

fn manners() -> Vec<Manner> {
    let mut all = Vec::new();
    for rest in [0, 20] {
        for marked in [false, true] {
            all.push(Manner { rest, marked, ..PLAIN });
            all.push(Manner { rest, marked, parts: 3.0, ..PLAIN });
        }
    }
    all.push(Manner { given: true, ..PLAIN });
    all
}

fn options(sim: &mut Simulation, manner: Manner, h: f64) {
    sim.settings().set_option("max_time_step", h / manner.parts * (1.0 + 1e-9)).unwrap();
    sim.settings().set_option("linear", f64::from(u8::from(manner.linear))).unwrap();
    sim.settings().set_option("initial_acceleration", f64::from(u8::from(manner.given))).unwrap();
}

const UNIT: [f64; 6] = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];

/// A body on a driven joint with axis z at `place`, its centre of mass 0.3 m beside it; at rest,
/// then at `rate`, then at rest. The largest error of coordinate and rate, over the rate, from the
/// second step on.
fn driven(scheme: Scheme, kind: JointKind, place: V3, manner: Manner, rate: f64, h: f64) -> f64 {
    let mut sim = system(scheme);
    options(&mut sim, manner, h);
    let body = sim.build().add_rigid_body(1.0, &[0.3, 0.0, 0.0], &UNIT, &pose(place, UNROTATED)).unwrap();
    let joint = sim.build().add_joint_at(kind, GROUND, body, &place, Some(&[0.0, 0.0, 1.0])).unwrap();
    // Of CYLINDRICAL the slide is driven.
    let slides = kind == JointKind::Cylindrical;
    if slides {
        sim.build().set_joint_slide_driven(joint, true).unwrap();
    } else {
        sim.build().set_joint_driven(joint, true).unwrap();
    }
    let impose = |sim: &mut Simulation, q: f64, qd: f64| match slides {
        true => sim.inputs().set_joint_slide_motion(joint, q, qd, 0.0).unwrap(),
        false => sim.inputs().set_joint_motion(joint, q, qd, 0.0).unwrap(),
    };
    let read = |sim: &Simulation| match slides {
        true => sim.outputs().joint_slide(joint).unwrap(),
        false => sim.outputs().joint_coordinate(joint).unwrap(),
    };
    sim.initialize(0.0).unwrap();
    for _ in 0..manner.rest {
        sim.step(h).unwrap();
    }
    let mut worst = 0.0f64;
    let jump = |sim: &mut Simulation| {
        if manner.marked {
            sim.inputs().mark_discontinuity().unwrap();
        }
    };
    jump(&mut sim);
    for n in 1..=50 {
        let q = rate * h * f64::from(n);
        impose(&mut sim, q, rate);
        sim.step(h).unwrap();
        let [at, qd, _] = read(&sim);
        if n >= 2 {
            worst = worst.max((at - q).abs() / rate).max((qd - rate).abs() / rate);
        }
    }
    jump(&mut sim);
    for n in 1..=20 {
        let q = rate * h * 50.0;
        impose(&mut sim, q, 0.0);
        sim.step(h).unwrap();
        let [at, qd, _] = read(&sim);
        if n >= 2 {
            worst = worst.max((at - q).abs() / rate).max(qd.abs() / rate);
        }
    }
    worst
}

#[test]
fn motor_told_a_rate_from_rest_turns_at_it_and_stops_where_told() {
    for scheme in SCHEMES {
        for manner in manners() {
            for kind in [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical] {
                for (rate, h) in [(3.0, 0.1), (20.0, 0.01), (0.1, 0.1), (1.0, 1.0), (10.0, 0.1)] {
                    let error = driven(scheme, kind, [0.0; 3], manner, rate, h);
                    // a uniform motion is exact: what Newton leaves, 1e-11 of angles up to 500 rad,
                    // over h
                    assert!(error < 1e-8, "{scheme:?} {kind:?} {manner:?} {rate} {h}: {error:e}");
                }
            }
        }
    }
}

const MASS: f64 = 2.0;
const LENGTH: f64 = 0.7;
const INERTIA: f64 = 0.1;
const J_O: f64 = INERTIA + MASS * LENGTH * LENGTH;

/// A pendulum about y hangs on a prescribed carrier; at rest, then the carrier has velocity `jump`
/// along x (and goes on at an acceleration), or `spins` about y with the hinge 0.4 m from its
/// reference point.
struct Hanging {
    sim: Simulation,
    carrier: Id,
    bob: Id,
}

fn hanging(scheme: Scheme, manner: Manner, h: f64, before: f64, at: V3) -> Hanging {
    let mut sim = system(scheme);
    options(&mut sim, manner, h);
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &UNIT, &pose(at, UNROTATED)).unwrap();
    sim.build().set_body_prescribed(carrier, true).unwrap();
    let j = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];
    let bob = sim.build().add_rigid_body(MASS, &[0.0; 3], &j, &pose(add(at, [0.0, 0.0, -LENGTH]), UNROTATED)).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, carrier, bob, &at, Some(&[0.0, 1.0, 0.0])).unwrap();
    let v = [before, 0.0, 0.0, 0.0, 0.0, 0.0];
    sim.build().set_body_velocity(carrier, &v).unwrap();
    sim.build().set_body_velocity(bob, &v).unwrap();
    sim.initialize(0.0).unwrap();
    Hanging { sim, carrier, bob }
}

/// Largest errors of the angular velocity and of the bob's place, from the second step after the
/// jump on, over 1 s.
fn hanging_error(
    scheme: Scheme,
    manner: Manner,
    h: f64,
    [before, after]: [f64; 2],
    acceleration: f64,
    tells: bool,
) -> f64 {
    let at = [1.0, -2.0, 0.5];
    let Hanging { mut sim, carrier, bob } = hanging(scheme, manner, h, before, at);
    let mut x = at[0];
    for _ in 0..manner.rest {
        x += before * h;
        sim.inputs()
            .set_body_motion(
                carrier,
                &pose([x, at[1], at[2]], UNROTATED),
                &[before, 0.0, 0.0, 0.0, 0.0, 0.0],
                &[0.0; 6],
            )
            .unwrap();
        sim.step(h).unwrap();
    }
    if manner.marked {
        sim.inputs().mark_discontinuity().unwrap();
    }
    // phi about y: the bob at (-L sin phi, -L cos phi)
    let mut y = vec![0.0, MASS * LENGTH * (after - before) / J_O];
    let mut rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = MASS * LENGTH * (acceleration * y[0].cos() - G * y[0].sin()) / J_O;
    };
    let mut worst = 0.0f64;
    for n in 1..=(1.0 / h).round() as usize {
        let t = h * n as f64;
        let at_end = [x + after * t + 0.5 * acceleration * t * t, at[1], at[2]];
        let a = if tells { acceleration } else { 0.0 };
        let v = [after + acceleration * t, 0.0, 0.0, 0.0, 0.0, 0.0];
        sim.inputs().set_body_motion(carrier, &pose(at_end, UNROTATED), &v, &[a, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.step(h).unwrap();
        (0..20).for_each(|k| rk4_step(&mut rate, k as f64, h / 20.0, &mut y));
        if n >= 2 {
            let w = sim.outputs().body_velocity(bob, Frame::Inertial).unwrap()[4];
            let p = place(&sim.outputs().body_pose(bob).unwrap());
            let expected = add(at_end, [-LENGTH * y[0].sin(), 0.0, -LENGTH * y[0].cos()]);
            worst = worst.max((w - y[1]).abs()).max(distance(p, expected));
        }
    }
    worst
}

#[test]
fn pendulum_on_a_carrier_that_jumps_gets_its_impulse() {
    // newmark with gamma above 1/2 is of first order by itself
    for scheme in SCHEMES.into_iter().filter(|scheme| scheme.2 != 0.7) {
        for manner in manners() {
            for speeds in [[0.0, 2.0], [2.0, 0.0], [1.0, -1.0]] {
                for (acceleration, tells) in [(0.0, true), (1.5, true), (1.5, false)] {
                    let errors = [0.02, 0.005].map(|h| hanging_error(scheme, manner, h, speeds, acceleration, tells));
                    let order = (errors[0] / errors[1]).log2() / 2.0;
                    let claim = format!("{scheme:?} {manner:?} {speeds:?} {acceleration} {tells}: {errors:?}");
                    // An acceleration that the host does not give is wrong by 1.5 m/s^2 at the ends
                    // of its steps, which is an error of first order in the velocity after the
                    // jump.
                    assert!(order > if tells { 1.8 } else { 0.8 }, "{claim}, order {order}");
                    // w = 4 rad/s: (w h)^2/12 of 3 rad/s and of the phase at rho_inf 1, ten times
                    // that at 0
                    assert!(errors[1] < 3e-3, "{claim}");
                }
            }
        }
    }
}

#[test]
fn pendulum_far_from_the_origin_gets_the_same_impulse() {
    for at in [[0.0; 3], [1e6, -1e6, 1e6]] {
        for marked in [false, true] {
            let Hanging { mut sim, carrier, bob } = hanging(SCHEMES[2], PLAIN, 0.01, 0.0, at);
            if marked {
                sim.inputs().mark_discontinuity().unwrap();
            }
            let x = add(at, [0.02, 0.0, 0.0]);
            sim.inputs()
                .set_body_motion(carrier, &pose(x, UNROTATED), &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6])
                .unwrap();
            sim.step(0.01).unwrap();
            let w = sim.outputs().body_velocity(bob, Frame::Inertial).unwrap()[4];
            // positions of 1e6 m are known to 1e-10 m, rates over a step to 1e-8 m/s, twice
            // differentiated to 1e-5
            let exact = MASS * LENGTH * 2.0 / J_O;
            assert!(
                (w - exact).abs() < 2e-2 * exact,
                "{at:?} {marked}: {w}, {exact} less what gravity takes in a step"
            );
        }
    }
}

#[test]
fn linear_analysis_follows_jumps_and_changing_steps() {
    for scheme in SCHEMES {
        for rest in [0, 20] {
            for marked in [false, true] {
                let manner = Manner { rest, marked, linear: true, ..PLAIN };
                let error = driven(scheme, JointKind::Prismatic, [0.0; 3], manner, 3.0, 0.1);
                assert!(error < 1e-8, "{scheme:?} {manner:?}: {error:e}");
            }
        }
    }
}

#[test]
fn carrier_told_to_spin_from_rest_throws_its_pendulum() {
    // The carrier turns about y at w from rest; the hinge at (-0.4, 0, 0) from it gets the velocity
    // (0, 0, 0.4 w) x ..., along the pendulum, and the pendulum about the hinge keeps its angular
    // velocity, 0, but for gravity.
    for scheme in SCHEMES {
        for marked in [false, true] {
            let (w, h) = (5.0, 0.001);
            let mut sim = system(scheme);
            let carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &UNIT, &ORIGIN).unwrap();
            sim.build().set_body_prescribed(carrier, true).unwrap();
            let j = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];
            let bob = sim.build().add_rigid_body(MASS, &[0.0; 3], &j, &pose([LENGTH, 0.0, -0.4], UNROTATED)).unwrap();
            // the hinge below the carrier: it moves along -x, the pendulum stands along x from it
            sim.build()
                .add_joint_at(JointKind::Revolute, carrier, bob, &[0.0, 0.0, -0.4], Some(&[0.0, 1.0, 0.0]))
                .unwrap();
            let other =
                sim.build().add_rigid_body(MASS, &[0.0; 3], &j, &pose([0.0, 0.0, -0.4 - LENGTH], UNROTATED)).unwrap();
            sim.build()
                .add_joint_at(JointKind::Revolute, carrier, other, &[0.0, 0.0, -0.4], Some(&[0.0, 1.0, 0.0]))
                .unwrap();
            sim.initialize(0.0).unwrap();
            if marked {
                sim.inputs().mark_discontinuity().unwrap();
            }
            for n in 1..=3 {
                let q = quat_exp([0.0, w * h * f64::from(n), 0.0]);
                sim.inputs()
                    .set_body_motion(carrier, &pose([0.0; 3], q), &[0.0, 0.0, 0.0, 0.0, w, 0.0], &[0.0; 6])
                    .unwrap();
                sim.step(h).unwrap();
            }
            // the hinge goes at -0.4 w along x: along the first pendulum, which follows without
            // turning, and across the second, which turns about y by w = m L 0.4 w/J_O ... seen in
            // its sign: the bob stays behind, at larger x
            let spins = [bob, other].map(|body| sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[4]);
            let exact = [0.0, -MASS * LENGTH * 0.4 * w / J_O];
            // in three steps the hinge turns by 0.015 rad, with accelerations 0.4 w^2 = 10: 10 m
            // L/J_O 0.003 s = 0.04
            assert_close(&format!("{scheme:?} {marked}"), &spins, &exact, 0.06);
        }
    }
}

#[test]
fn jump_that_turns_a_body_too_far_is_a_failed_step_that_says_so() {
    for scheme in SCHEMES {
        let mut sim = system(scheme);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &UNIT, &ORIGIN).unwrap();
        let joint =
            sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.initialize(0.0).unwrap();
        sim.inputs().set_joint_motion(joint, 2.0, 20.0, 0.0).unwrap();
        match sim.step(0.1) {
            Err(error @ Error::TooFar { .. }) => assert!(error.to_string().contains("ramp"), "{error}"),
            other => panic!("{other:?}"),
        }
        assert_eq!(sim.time().unwrap(), 0.0);
        // with the step cut into shorter ones, it converges
        sim.settings().set_option("on_no_convergence", 2.0).unwrap();
        sim.step(0.1).unwrap();
        let [q, qd, _] = sim.outputs().joint_coordinate(joint).unwrap();
        assert_close("cut", &[q, qd], &[2.0, 20.0], 1e-7);
    }
}

#[test]
fn position_that_jumps_away_from_its_rates_is_a_failed_step_that_says_so() {
    let Hanging { mut sim, carrier, .. } = hanging(SCHEMES[2], PLAIN, 0.01, 1.0, [0.0; 3]);
    sim.inputs()
        .set_body_motion(carrier, &pose([5.0, 0.0, 0.0], UNROTATED), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6])
        .unwrap();
    match sim.step(0.01) {
        Err(error @ Error::TooFar { .. }) => assert!(error.to_string().contains("rates say"), "{error}"),
        other => panic!("{other:?}"),
    }
    sim.inputs()
        .set_body_motion(carrier, &pose([0.01, 0.0, 0.0], UNROTATED), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6])
        .unwrap();
    sim.step(0.01).unwrap();
}

/// The largest error of a pendulum on a carrier that oscillates for 2 s, its rates given or not.
fn swinging_error(scheme: Scheme, h: f64, rates: f64, seconds: f64, marked: bool) -> f64 {
    let Hanging { mut sim, carrier, bob } = hanging(scheme, PLAIN, h, 0.0, [0.0; 3]);
    let w = 2.0;
    let mut y = vec![0.0, 0.0];
    let mut rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = MASS * LENGTH * (0.3 * w * w * (w * t).cos() * y[0].cos() - G * y[0].sin()) / J_O;
    };
    let mut worst = 0.0f64;
    for n in 1..=(2.0 / h).round() as usize {
        let t = h * n as f64;
        let x = 0.3 * (1.0 - (w * t).cos());
        let v = [rates * 0.3 * w * (w * t).sin(), 0.0, 0.0, 0.0, 0.0, 0.0];
        let a = [seconds * 0.3 * w * w * (w * t).cos(), 0.0, 0.0, 0.0, 0.0, 0.0];
        if marked && n % 40 == 1 {
            sim.inputs().mark_discontinuity().unwrap();
        }
        sim.inputs().set_body_motion(carrier, &pose([x, 0.0, 0.0], UNROTATED), &v, &a).unwrap();
        sim.step(h).unwrap();
        (0..20).for_each(|k| rk4_step(&mut rate, t - h + h / 20.0 * k as f64, h / 20.0, &mut y));
        let p = place(&sim.outputs().body_pose(bob).unwrap());
        worst = worst.max(distance(p, [x - LENGTH * y[0].sin(), 0.0, -LENGTH * y[0].cos()]));
    }
    worst
}

#[test]
fn hosts_that_leave_rates_or_accelerations_at_zero_are_served() {
    for scheme in SCHEMES {
        for marked in [false, true] {
            let mut all = Vec::new();
            for (rates, seconds) in [(1.0, 1.0), (1.0, 0.0), (0.0, 0.0)] {
                let errors = [0.02, 0.01, 0.005].map(|h| swinging_error(scheme, h, rates, seconds, marked));
                // As accurate as with all rates given: the scheme needs positions only, and a
                // restart uses rates only if they fit the positions.
                all.push(errors);
            }
            for errors in &all[1..] {
                for (error, full) in errors.iter().zip(&all[0]) {
                    assert!(*error < 1.1 * full, "{scheme:?} {marked}: {all:?}");
                }
            }
        }
    }
}

#[test]
fn slide_and_angle_of_one_joint_jump_together() {
    // With a load callback without matrices on the body, in sub-steps, and in trials that are
    // repeated after trials with other values.
    for scheme in SCHEMES {
        for manner in manners() {
            for repeated in [false, true] {
                for (rate, h) in [(3.0, 0.1), (20.0, 0.01), (10.0, 0.1)] {
                    let mut sim = system(scheme);
                    options(&mut sim, manner, h);
                    let at = pose([0.5, 0.0, 0.0], UNROTATED);
                    let body = sim.build().add_rigid_body(1.0, &[0.3, 0.2, 0.0], &UNIT, &at).unwrap();
                    let axis = [0.0, 0.0, 1.0];
                    let joint =
                        sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[0.0; 3], Some(&axis)).unwrap();
                    sim.build().set_joint_offset(joint, 1.0).unwrap();
                    sim.build().set_joint_driven(joint, true).unwrap();
                    sim.build().set_joint_slide_driven(joint, true).unwrap();
                    let load = |m: &BodyMotion, out: &mut BodyLoad| {
                        out.wrench = std::array::from_fn(|i| -2.0 * m.acceleration[i] - 0.3 * m.velocity[i]);
                        Ok(())
                    };
                    sim.inputs().set_load_callback(body, Some(Arc::new(load))).unwrap();
                    sim.initialize(0.0).unwrap();
                    for _ in 0..manner.rest {
                        sim.step(h).unwrap();
                    }
                    if manner.marked {
                        sim.inputs().mark_discontinuity().unwrap();
                    }
                    let tell = |sim: &mut Simulation, rates: [f64; 2], t: f64| {
                        sim.inputs().set_joint_motion(joint, 1.0 + rates[0] * t, rates[0], 0.0).unwrap();
                        sim.inputs().set_joint_slide_motion(joint, rates[1] * t, rates[1], 0.0).unwrap();
                    };
                    for n in 1..=20 {
                        let t = h * f64::from(n);
                        if repeated {
                            tell(&mut sim, [0.7 * rate, -0.1 * rate], t);
                            // Late ones leap further than a quarter turn, and fail.
                            let _ = sim.advance(h);
                        }
                        tell(&mut sim, [rate, 0.2 * rate], t);
                        sim.advance(h).unwrap();
                        sim.accept().unwrap();
                        let (angle, slide) =
                            (sim.outputs().joint_coordinate(joint).unwrap(), sim.outputs().joint_slide(joint).unwrap());
                        let found = [angle[0], angle[1], slide[0], slide[1]].map(|x| x / rate);
                        let told = [1.0 + rate * t, rate, 0.2 * rate * t, 0.2 * rate].map(|x| x / rate);
                        // A uniform motion is exact: what Newton leaves, 1e-11 of angles up to 20
                        // rad, over h.
                        if n >= 2 {
                            let case = format!("{scheme:?} {manner:?} repeated {repeated} {rate} {h} step {n}");
                            assert_close(&case, &found, &told, 1e-8);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn whether_an_angle_leaps_too_far_does_not_depend_on_the_unit_of_length() {
    // 1.4 rad further than its rates say is within a quarter turn, 1.7 rad is not.
    for unit in [1e-3, 1.0, 1e3] {
        for (leap, is_refused) in [(1.4, false), (1.7, true)] {
            let mut sim = system(SCHEMES[0]);
            let inertia = UNIT.map(|j| j * unit * unit);
            let body = sim.build().add_rigid_body(1.0, &[0.3 * unit, 0.0, 0.0], &inertia, &ORIGIN).unwrap();
            let joint =
                sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
            sim.build().set_joint_driven(joint, true).unwrap();
            sim.inputs().set_joint_motion(joint, 0.0, 1.0, 0.0).unwrap();
            sim.settings().set_option("assemble", 1.0).unwrap();
            sim.initialize(0.0).unwrap();
            sim.inputs().set_joint_motion(joint, 0.01 + leap, 1.0, 0.0).unwrap();
            match sim.step(0.01) {
                Err(error @ Error::TooFar { .. }) if is_refused => {
                    assert!(error.to_string().contains("1.7 rad"), "{error}");
                }
                Ok(()) if !is_refused => {}
                other => panic!("unit {unit}, leap {leap}: {other:?}"),
            }
        }
    }
}

#[test]
fn rounding_of_slow_motions_far_away_is_no_jump() {
    // The host rounds positions at 1e6 m to 1e-10 m, which is more than these motions go in their
    // first steps.
    for acceleration in [1e-9, 1e-8, 1e-7, 1e-6] {
        let runs = [0.0, 1e6].map(|far| {
            // A pendulum that swings on the carrier.
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
            let carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &UNIT, &pose([far, far, 0.0], UNROTATED)).unwrap();
            sim.build().set_body_prescribed(carrier, true).unwrap();
            let bob =
                sim.build().add_rigid_body(1.0, &[0.0; 3], &UNIT, &pose([far + 0.5, far, -0.5], UNROTATED)).unwrap();
            sim.build().add_joint_at(JointKind::Spherical, carrier, bob, &[far, far, 0.0], None).unwrap();
            sim.initialize(0.0).unwrap();
            for n in 1..=200 {
                let t = 0.01 * f64::from(n);
                let at = pose([far + 0.5 * acceleration * t * t, far, 0.0], UNROTATED);
                let rates = [acceleration * t, acceleration].map(|x| [x, 0.0, 0.0, 0.0, 0.0, 0.0]);
                sim.inputs().set_body_motion(carrier, &at, &rates[0], &rates[1]).unwrap();
                sim.step(0.01).unwrap();
            }
            halves(sim.outputs().body_velocity(bob, Frame::Inertial).unwrap()).0
        });
        // 1e-10 m over a step; starts anew on the way cost 2e-6 m/s at 1e-7 m/s^2.
        assert!(distance(runs[0], runs[1]) < 2e-8, "{acceleration}: {runs:?}");
    }
}
