//! Drives of joints that come and go during a run.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

/// Name, order.
const SCHEMES: [(&str, i32); 7] =
    [("generalized-alpha", 2), ("momentum-alpha", 2), ("newmark", 2), ("hht", 2), ("heun", 2), ("rk4", 4), ("ab3", 3)];

const MASS: f64 = 2.0;
const STIFFNESS: f64 = 18.0;

/// Rate of the drive that pulls the oscillator.
const PULL: f64 = 0.7;

/// A mass on a slide along x with a spring on its coordinate, pulled by a drive.
fn pulled(scheme: &str, far: f64, is_driven: bool) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let along = quat_exp([0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let at = pose([far, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &at).unwrap();
    let (frame_a, frame_b) = (pose([far, 0.0, 0.0], along), pose([0.0; 3], along));
    let joint = sim.build().add_joint(JointKind::Prismatic, GROUND, body, &frame_a, &frame_b).unwrap();
    sim.build().set_joint_spring(joint, STIFFNESS, 0.0, 0.0).unwrap();
    sim.build().set_body_velocity(body, &[PULL, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    if is_driven {
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.inputs().set_joint_motion(joint, 0.0, PULL, 0.0).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, joint)
}

fn motion(sim: &Simulation, joint: Id) -> [f64; 2] {
    let [q, qdot, _] = sim.outputs().joint_coordinate(joint).unwrap();
    [q, qdot]
}

/// Place and rate of the free oscillator after a time.
fn exact([q, v]: [f64; 2], t: f64) -> [f64; 2] {
    let w = (STIFFNESS / MASS).sqrt();
    let (sin, cos) = (w * t).sin_cos();
    [q * cos + v / w * sin, v * cos - q * w * sin]
}

/// Steps of h, or of 4h/3 and 2h/3 in turn.
fn lengths(h: f64, is_even: bool) -> [f64; 2] {
    if is_even { [h; 2] } else { [4.0 * h / 3.0, 2.0 * h / 3.0] }
}

/// Errors after 1 s with the drive and 1 s without; then after 0.5 s with a drive again, which
/// brakes evenly from the place and rate that were reached, of its reaction.
fn errors(scheme: &str, far: f64, steps: usize, is_even: bool) -> [f64; 2] {
    let (mut sim, joint) = pulled(scheme, far, true);
    let h = 1.0 / steps as f64;
    let (lengths, mut t) = (lengths(h, is_even), 0.0);
    for n in 0..steps {
        t += lengths[n % 2];
        sim.inputs().set_joint_motion(joint, PULL * t, PULL, 0.0).unwrap();
        sim.step(lengths[n % 2]).unwrap();
    }
    let reached = motion(&sim, joint);
    sim.build().set_joint_driven(joint, false).unwrap();
    assert_eq!(motion(&sim, joint), reached, "{scheme}: place and rate stay");
    (0..steps).for_each(|n| sim.step(lengths[n % 2]).unwrap());
    let expected = exact([PULL, PULL], 1.0);
    let [q, v] = motion(&sim, joint);
    let free = (q - expected[0]).hypot((v - expected[1]) / 3.0);

    sim.build().set_joint_driven(joint, true).unwrap();
    assert_eq!(motion(&sim, joint), [q, v], "{scheme}: place and rate stay");
    let a = -v;
    let mut t = 0.0;
    for n in 0..steps / 2 {
        t += lengths[n % 2];
        sim.inputs().set_joint_motion(joint, q + v * t + 0.5 * a * t * t, v + a * t, a).unwrap();
        sim.step(lengths[n % 2]).unwrap();
    }
    let [q, _] = motion(&sim, joint);
    let force = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()[0];
    // The force of the spring is an applied one, not a part of the reaction.
    [free, (force - (MASS * a + STIFFNESS * q)).abs()]
}

#[test]
fn what_is_released_moves_freely_and_what_is_driven_again_is_held() {
    for (scheme, order) in SCHEMES {
        // Multistep schemes start anew where the step changes.
        for is_even in [true, false].into_iter().filter(|is_even| *is_even || scheme != "ab3") {
            let [[coarse, _], [fine, force]] = [100, 200].map(|steps| errors(scheme, 0.0, steps, is_even));
            let case = format!("{scheme} {is_even}: {coarse} {fine}, force {force}");
            // 3 rad/s at 10 ms, or 13 ms: (w h)^p w/12 over a second, with the next terms.
            assert!(coarse < 2.0 * (0.04f64).powi(order), "{case}");
            let found = (coarse / fine).log2();
            assert!((found - f64::from(order)).abs() < 0.4, "{case}: order {found}");
            // The motion of the drive is a parabola, on which schemes are exact but for what is
            // damped of the start: 25 N by 1e-6.
            assert!(force < 3e-5, "{case}");
        }
    }
    // Rounding of places at 1e6 m, 1e-10 m, is an error of the start.
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let [near, far] = [0.0, 1e6].map(|far| errors(scheme, far, 100, true)[0]);
        assert!((near - far).abs() < 1e-8, "{scheme}: {near} {far}");
    }
}

/// A joint that was described free is driven, and one that moves is stopped by its drive.
#[test]
fn a_drive_without_a_motion_stops_its_joint() {
    for (scheme, _) in SCHEMES {
        let (mut sim, joint) = pulled(scheme, 0.0, false);
        (0..20).for_each(|_| sim.step(0.01).unwrap());
        let [q, _] = motion(&sim, joint);
        sim.build().set_joint_driven(joint, true).unwrap();
        (0..20).for_each(|_| sim.step(0.01).unwrap());
        let [held, rate] = motion(&sim, joint);
        assert!((held - q).abs() < 1e-12 && rate.abs() < 1e-9, "{scheme}: {held} {rate} for {q}");
        // It begins to move from there, at rest.
        sim.build().set_joint_driven(joint, false).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let expected = exact([q, 0.0], 1.0);
        assert!((motion(&sim, joint)[0] - expected[0]).abs() < 3e-3 * q, "{scheme}");
    }
}

/// A crank that is driven by many turns, released, and driven again: turns are counted throughout.
#[test]
fn turns_are_counted_through_the_changes() {
    for (scheme, _) in SCHEMES {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        let rotor = sim
            .build()
            .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
            .unwrap();
        let z = [0.0, 0.0, 1.0];
        let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, rotor, &[0.0; 3], Some(&z)).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.build().set_body_velocity(rotor, &[0.0, 0.0, 0.0, 0.0, 0.0, 50.0]).unwrap();
        sim.inputs().set_joint_motion(joint, 0.0, 50.0, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        let mut t = 0.0;
        for part in 0..4 {
            sim.build().set_joint_driven(joint, part % 2 == 0).unwrap();
            for _ in 0..50 {
                t += 0.02;
                if part % 2 == 0 {
                    sim.inputs().set_joint_motion(joint, 50.0 * t, 50.0, 0.0).unwrap();
                }
                sim.step(0.02).unwrap();
            }
            // A body that turns evenly about a principal axis turns exactly.
            let [q, rate] = motion(&sim, joint);
            assert!((q - 50.0 * t).abs() < 1e-9 && (rate - 50.0).abs() < 1e-9, "{scheme} {part}: {q} {rate} at {t}");
        }
    }
}

/// A crank-rocker of four bodies in a plane with revolute joints, whose crank is driven: 3 of its
/// constraints follow from the others.
fn four_bar(scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[4.0, -9.0, 0.0]).unwrap();
    let places: [V3; 4] = [[0.0; 3], [0.0, 1.0, 0.0], [3.0, 2.5, 0.0], [3.0, 0.0, 0.0]];
    let mut last = GROUND;
    for n in 0..3 {
        let (a, b) = (places[n], places[n + 1]);
        let span = sub(b, a);
        let at = pose(scale(0.5, add(a, b)), quat_exp([0.0, 0.0, span[1].atan2(span[0])]));
        let (mass, across) = (norm(span), norm(span).powi(3) / 12.0);
        let inertia = [0.001 * mass, across, across, 0.0, 0.0, 0.0];
        let bar = sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &at).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, last, bar, &a, Some(&[0.0, 0.0, 1.0])).unwrap();
        last = bar;
    }
    sim.build().add_joint_at(JointKind::Revolute, GROUND, last, &places[3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(0, true).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, 0)
}

fn total(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

#[test]
fn loops_with_redundant_constraints_are_released_and_held() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let (mut sim, crank) = four_bar(scheme);
        let mobility = |sim: &Simulation| sim.outputs().statistic("mobility").unwrap();
        assert_eq!(mobility(&sim), 0.0);
        (0..5).for_each(|_| sim.step(0.01).unwrap());
        let start = total(&sim);
        sim.build().set_joint_driven(crank, false).unwrap();
        assert_eq!(mobility(&sim), 1.0);
        (0..100).for_each(|_| sim.step(0.005).unwrap());
        // Second order: some 10 rad/s at 5 ms, of some 30 J.
        assert!((total(&sim) - start).abs() < 0.02, "{scheme}: {start} {}", total(&sim));
        assert!(motion(&sim, crank)[1].abs() > 0.01, "{scheme}: it falls, {:?}", motion(&sim, crank));
        let [q, v] = motion(&sim, crank);
        sim.build().set_joint_driven(crank, true).unwrap();
        assert_eq!(mobility(&sim), 0.0);
        for n in 1..=20 {
            let t = 0.005 * f64::from(n);
            sim.inputs().set_joint_motion(crank, q + v * t, v, 0.0).unwrap();
            sim.step(0.005).unwrap();
        }
        let [reached, rate] = motion(&sim, crank);
        assert!((reached - q - 0.1 * v).abs() < 1e-10 && (rate - v).abs() < 1e-6, "{scheme}: {reached} {rate}");
        let (gap, rate) = sim.outputs().constraint_violation().unwrap();
        // Rates are violated by errors of second order, some 5 m/s by (w h)^2 of 5 rad/s at 5 ms.
        assert!(gap < 1e-10 && rate < 3e-3, "{scheme}: {gap} {rate}");
        let power = sim.outputs().joint_reaction(crank, Frame::Inertial).unwrap();
        assert!(power.iter().all(|x| x.is_finite()) && power[5].abs() > 1e-3, "{scheme}: {power:?}");
    }
}

/// Two wheels on a gear, both driven: the gear follows from the drives, until one is released.
#[test]
fn a_gear_between_two_drives_holds_after_one_is_released() {
    let mut sim = Simulation::new();
    let z = [0.0, 0.0, 1.0];
    for n in 0..2 {
        let at = [3.0 * f64::from(n), 0.0, 0.0];
        let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let wheel = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose(at, UNROTATED)).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, GROUND, wheel, &at, Some(&z)).unwrap();
        sim.build().set_joint_driven(n, true).unwrap();
    }
    let gear = sim.elements().add_gear(0, 1, -2.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    sim.build().set_joint_driven(0, false).unwrap();
    sim.build().set_joint_driven(1, false).unwrap();
    sim.inputs().set_joint_load(0, 5.0).unwrap();
    sim.inputs().mark_discontinuity().unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    // (J + 4 J) qdd = 5: 1 rad/s^2; the moment of the gear on wheel 1 is J (-2).
    let [a, b] = [0, 1].map(|joint| motion(&sim, joint));
    assert!((a[0] - 0.5).abs() < 1e-9 && (b[0] + 1.0).abs() < 1e-9 && (a[1] - 1.0).abs() < 1e-9, "{a:?} {b:?}");
    assert!((sim.outputs().gear_load(gear).unwrap() + 2.0).abs() < 1e-9);
}

type Found = (Vec<[f64; 7]>, Vec<[f64; 6]>, [f64; 6], bool, [f64; 2]);

fn after(sim: &mut Simulation) -> Found {
    (0..30).for_each(|_| sim.step(0.005).unwrap());
    let (mut poses, mut rates) = (vec![[0.0; 7]; 3], vec![[0.0; 6]; 3]);
    sim.outputs().body_poses(&mut poses).unwrap();
    sim.outputs().body_velocities(&mut rates).unwrap();
    let reaction = sim.outputs().joint_reaction(1, Frame::Inertial).unwrap();
    (poses, rates, reaction, sim.description().joint_info(0).unwrap().driven, motion(sim, 0))
}

#[test]
fn drives_belong_to_the_state() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "ab3"] {
        let (mut sim, crank) = four_bar(scheme);
        (0..5).for_each(|_| sim.step(0.005).unwrap());
        let mut snapshot = sim.save().unwrap();
        let early = snapshot.clone();
        sim.build().set_joint_driven(crank, false).unwrap();
        sim.save_into(&mut snapshot).unwrap();
        let just_released = snapshot.clone();
        let mut clone = sim.clone();
        let expected = after(&mut sim);
        assert!(!expected.3);
        assert_eq!(after(&mut clone), expected, "{scheme}: a clone");
        let (mut fresh, _) = four_bar(scheme);
        fresh.restore(&fresh.deserialize(&just_released.to_bytes()).unwrap()).unwrap();
        assert_eq!(after(&mut fresh), expected, "{scheme}: from bytes in a fresh object");
        // A moving state, in a fresh object, and one with the drive in an object without.
        let moving = sim.save().unwrap().to_bytes();
        let later = after(&mut sim);
        let (mut fresh, _) = four_bar(scheme);
        fresh.restore(&fresh.deserialize(&moving).unwrap()).unwrap();
        assert_eq!(after(&mut fresh), later, "{scheme}: a moving state");
        fresh.restore(&fresh.deserialize(&early.to_bytes()).unwrap()).unwrap();
        let (mut held, _) = four_bar(scheme);
        held.restore(&early).unwrap();
        let back = after(&mut fresh);
        assert!(back.3);
        assert_eq!(after(&mut held), back, "{scheme}: an early state");
        // A trial that is rejected, and repeated.
        fresh.restore(&just_released).unwrap();
        fresh.advance(0.02).unwrap();
        fresh.reject().unwrap();
        assert_eq!(after(&mut fresh), expected, "{scheme}: after a rejected trial");
    }
}

/// The slide of a cylindrical joint, and its angle, in turn.
#[test]
fn slides_are_released_too() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -10.0]).unwrap();
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
    let joint =
        sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.build().set_joint_slide_driven(joint, true).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    sim.build().set_joint_slide_driven(joint, false).unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    let [s, rate, _] = sim.outputs().joint_slide(joint).unwrap();
    // A parabola is exact with generalized-alpha.
    assert!((s + 5.0).abs() < 1e-9 && (rate + 10.0).abs() < 1e-9, "{s} {rate}");
    sim.build().set_joint_slide_driven(joint, true).unwrap();
    sim.build().set_joint_driven(joint, false).unwrap();
    sim.inputs().set_joint_load(joint, 3.0).unwrap();
    sim.inputs().mark_discontinuity().unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    let [held, rate, _] = sim.outputs().joint_slide(joint).unwrap();
    let [q, qdot] = motion(&sim, joint);
    assert!((held - s).abs() < 1e-9 && rate.abs() < 1e-9, "{held} {rate}");
    assert!((q - 1.5).abs() < 1e-9 && (qdot - 3.0).abs() < 1e-9, "{q} {qdot}");
    assert!((sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()[2] - 20.0).abs() < 1e-9);
}

#[test]
fn refused_drives_leave_everything_as_it_was() {
    let (mut sim, crank) = four_bar("generalized-alpha");
    (0..5).for_each(|_| sim.step(0.005).unwrap());
    let before = sim.save().unwrap();
    sim.advance(0.005).unwrap();
    assert!(matches!(sim.build().set_joint_driven(crank, false), Err(Error::BadPhase { .. })));
    sim.reject().unwrap();
    assert!(sim.build().set_joint_driven(7, false).unwrap_err().to_string().contains("joint"));
    let text = sim.build().set_joint_slide_driven(crank, true).unwrap_err().to_string();
    assert!(text.contains("joint 0 is REVOLUTE"), "{text}");
    let text = sim.inputs().set_joint_motion(1, 0.0, 0.0, 0.0).unwrap_err().to_string();
    assert!(text.contains("joint 1 is not driven"), "{text}");
    // What it is already changes nothing.
    sim.build().set_joint_driven(crank, true).unwrap();
    assert!(sim.save().unwrap() == before);
}
