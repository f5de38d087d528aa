//! Every scheme under everything that a host does with the state: save, restore, bytes, checkpoint,
//! clone, trials, other steps, other schemes, sub-steps. Multistep histories and local steps are
//! part of the state: all of it bit by bit.

use crate::common::*;
use pintle::simulation::SCHEME_NAMES;
use pintle::{BodyLoad, BodyMotion, Error, Frame, GROUND, JointKind, Phase, Simulation};
use std::sync::Arc;

const DT: f64 = 4e-3;

/// Every name, with 4 substeps, and with one if that uses other code.
fn schemes() -> Vec<String> {
    let one = ["midpoint1", "wilson1", "beuler1"].map(str::to_owned);
    SCHEME_NAMES.iter().map(|name| name.replace('N', "4")).chain(one).collect()
}

/// Two jointed bodies (one driven), a free one on a bushing and a stiff light one beside it, a
/// prescribed one, drag, added mass, a callback, loads that vary: several entities with steps of
/// their own where a scheme has them.
fn model(scheme: &str, longest: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("max_time_step", longest).unwrap();
    sim.settings().set_option("input_order", 1.0).unwrap();
    let j = [0.4, 0.5, 0.6, 0.02, 0.01, -0.03];
    let omega = [0.5, 3.0, -0.4];
    let one = sim.build().add_rigid_body(2.0, &[0.0, 0.1, 0.0], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_velocity(one, &join(cross(omega, [1.0, 0.0, 0.0]), omega)).unwrap();
    let two =
        sim.build().add_rigid_body(1.5, &[0.0; 3], &j, &pose([2.0, 0.0, 0.0], unit([0.8, 0.1, 0.2, 0.3]))).unwrap();
    sim.build().set_body_velocity(two, &join(cross(omega, [2.0, 0.0, 0.0]), omega)).unwrap();
    let free = sim.build().add_rigid_body(0.8, &[0.0; 3], &j, &pose([0.0, 3.0, 0.0], UNROTATED)).unwrap();
    let small = [0.01, 0.01, 0.01, 0.0, 0.0, 0.0];
    let light = sim.build().add_rigid_body(0.05, &[0.0; 3], &small, &pose([1.0, 3.0, 0.0], UNROTATED)).unwrap();
    let moved = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([3.0, 3.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_prescribed(moved, true).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, GROUND, one, &[0.0; 3], None).unwrap();
    let hinge =
        sim.build().add_joint_at(JointKind::Revolute, one, two, &[1.5, 0.0, 0.0], Some(&[0.0, 0.6, 0.8])).unwrap();
    sim.build().set_joint_driven(hinge, true).unwrap();
    sim.elements().add_spring(two, &[0.1, 0.2, 0.0], free, &[0.0, 0.1, 0.1], 20.0, 0.3, 2.0, true).unwrap();
    sim.elements().add_spring(free, &[0.1, 0.0, 0.0], light, &[0.0, 0.01, 0.0], 500.0, 1.0, 0.9, false).unwrap();
    sim.elements().add_spring(light, &[0.0, 0.0, 0.01], moved, &[0.0; 3], 30.0, 0.1, 1.9, false).unwrap();
    let k = diagonal([30.0, 40.0, 50.0, 5.0, 6.0, 7.0]);
    sim.elements()
        .add_bushing(GROUND, free, &pose([0.0, 3.0, 0.0], UNROTATED), &ORIGIN, &k, &diagonal([0.5; 6]))
        .unwrap();
    sim.settings().set_quadratic_drag(two, &diagonal([0.2; 6]), Frame::Body).unwrap();
    sim.settings().set_added_mass(free, &diagonal([0.3, 0.5, 0.7, 0.1, 0.1, 0.1]), Frame::Body).unwrap();
    let pull = |motion: &BodyMotion, load: &mut BodyLoad| {
        assert_eq!(motion.body, 3, "a callback knows its body by the number in the model");
        load.wrench[0] = 0.1 * (3.0 * motion.time).sin() - 0.2 * motion.velocity[0];
        load.damping[0] = 0.2;
        Ok(())
    };
    sim.inputs().set_load_callback(light, Some(Arc::new(pull))).unwrap();
    sim.build().add_marker(one, &pose([0.2, 0.3, 0.0], UNROTATED)).unwrap();
    give(&mut sim, 0);
    sim.initialize(0.0).unwrap();
    sim
}

/// The inputs for the end of step n.
fn give(sim: &mut Simulation, n: usize) {
    let t = n as f64 * DT;
    sim.inputs().set_body_load(2, Frame::Inertial, &[(3.0 * t).sin(), 0.0, 2.0 * t.cos(), 0.1, 0.0, 0.2 * t]).unwrap();
    sim.inputs().set_marker_load(0, Frame::Body, &[0.0, 0.5 * (5.0 * t).cos(), 0.0, 0.0, 0.3, 0.0]).unwrap();
    let (s, c) = (2.0 * t).sin_cos();
    sim.inputs().set_joint_motion(1, 0.3 * (1.0 - c), 0.6 * s, 1.2 * c).unwrap();
    let at = pose([3.0 + 0.1 * (4.0 * t).sin(), 3.0, 0.0], UNROTATED);
    let (v, a) = (0.4 * (4.0 * t).cos(), -1.6 * (4.0 * t).sin());
    sim.inputs().set_body_motion(4, &at, &[v, 0.0, 0.0, 0.0, 0.0, 0.0], &[a, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
}

fn march(sim: &mut Simulation, steps: std::ops::Range<usize>) {
    for n in steps {
        give(sim, n + 1);
        sim.step(DT).unwrap();
    }
}

/// The state and all that a step reads, bit by bit.
fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

/// Every scheme, with sub-steps given and chosen.
fn for_each(mut claim: impl FnMut(&str, f64)) {
    for scheme in schemes() {
        for longest in [1.3e-3, f64::INFINITY] {
            claim(&scheme, longest);
        }
    }
}

#[test]
fn every_scheme_goes_on_bit_by_bit_from_a_restored_state() {
    for_each(|scheme, longest| {
        let mut sim = model(scheme, longest);
        march(&mut sim, 0..13);
        let (saved, bytes) = (sim.save().unwrap(), bits(&sim));
        march(&mut sim, 13..40);
        let end = bits(&sim);
        assert_ne!(end, bytes);
        sim.restore(&saved).unwrap();
        assert_eq!(bits(&sim), bytes, "{scheme} {longest}: all of it is back");
        march(&mut sim, 13..40);
        assert_eq!(bits(&sim), end, "{scheme} {longest}");
        // a newly built system, which has used another scheme meanwhile
        let mut other = model("ab3", longest);
        march(&mut other, 0..5);
        other.restore(&other.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(other.given().scheme(), scheme);
        march(&mut other, 13..40);
        assert_eq!(bits(&other), end, "{scheme} {longest}: through bytes");
    });
}

#[test]
fn every_scheme_goes_on_bit_by_bit_in_a_clone_and_from_a_checkpoint() {
    let path = std::env::temp_dir().join(format!("pintle_scheme_state_{}", std::process::id()));
    for_each(|scheme, longest| {
        let mut sim = model(scheme, longest);
        march(&mut sim, 0..9);
        sim.write_checkpoint(&path).unwrap();
        let mut twin = sim.clone();
        march(&mut sim, 9..30);
        let end = bits(&sim);
        march(&mut twin, 9..30);
        assert_eq!(bits(&twin), end, "{scheme} {longest}: clone");
        sim.read_checkpoint(&path).unwrap();
        march(&mut sim, 9..30);
        assert_eq!(bits(&sim), end, "{scheme} {longest}: checkpoint");
    });
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn linear_analysis_goes_on_bit_by_bit_too() {
    for scheme in ["newmark", "generalized-alpha"] {
        let ready = || {
            let mut sim = model(scheme, f64::INFINITY);
            sim.settings().set_option("linear", 1.0).unwrap();
            sim
        };
        let mut sim = ready();
        march(&mut sim, 0..13);
        let bytes = bits(&sim);
        let mut twin = sim.clone();
        march(&mut sim, 13..40);
        march(&mut twin, 13..40);
        assert_eq!(bits(&twin), bits(&sim), "{scheme}: clone");
        let mut other = ready();
        other.restore(&other.deserialize(&bytes).unwrap()).unwrap();
        march(&mut other, 13..40);
        assert_eq!(bits(&other), bits(&sim), "{scheme}: through bytes");
    }
}

#[test]
fn trials_that_are_thrown_away_leave_no_trace_in_any_scheme() {
    for_each(|scheme, longest| {
        let (mut straight, mut iterated) = (model(scheme, longest), model(scheme, longest));
        for n in 0..12 {
            give(&mut straight, n + 1);
            straight.step(DT).unwrap();
            iterated.inputs().set_body_load(2, Frame::Inertial, &[5.0, -3.0, 2.0, 0.1, 0.2, 0.3]).unwrap();
            iterated.advance(DT).unwrap();
            assert_eq!(iterated.phase(), Phase::Trial);
            if n % 2 == 0 {
                iterated.advance(0.7 * DT).unwrap();
                iterated.reject().unwrap();
            }
            give(&mut iterated, n + 1);
            iterated.advance(DT).unwrap();
            iterated.accept().unwrap();
            assert_eq!(bits(&iterated), bits(&straight), "{scheme} {longest} step {n}");
        }
    });
}

#[test]
fn schemes_and_steps_may_change_between_steps() {
    // After each change the history starts anew; the motion stays that of rk4 within what the worst
    // of them, first order with steps of 0.1 ms, loses over 60 ms: accelerations here are below 500
    // m/s^2, so h/2 |a| t = 1.5e-3.
    let mut reference = model("rk4", 1e-4);
    let mut sim = model("rk4", 1e-4);
    let schemes = schemes();
    for n in 0..15 {
        sim.settings().set_scheme(&schemes[(5 * n) % schemes.len()]).unwrap();
        for sim in [&mut reference, &mut sim] {
            give(sim, n + 1);
            sim.step(DT).unwrap();
        }
    }
    for body in 0..4 {
        let (a, b) = (sim.outputs().body_pose(body).unwrap(), reference.outputs().body_pose(body).unwrap());
        assert!(distance(place(&a), place(&b)) < 1.5e-3, "body {body}: {a:?} {b:?}");
    }
    // returning to the earlier scheme does not restore its history, but gives the same motion
    let mut uneven = model("ab4", 1e-4);
    for n in 0..15 {
        give(&mut uneven, n + 1);
        for part in [0.25, 0.5, 0.25] {
            uneven.step(part * DT).unwrap();
        }
    }
    for body in 0..4 {
        let (a, b) = (uneven.outputs().body_pose(body).unwrap(), reference.outputs().body_pose(body).unwrap());
        // inputs now end at a quarter of the step instead of its end: forces differ by what they
        // change in a step
        assert!(distance(place(&a), place(&b)) < 1.5e-3, "body {body}: {a:?} {b:?}");
    }
}

#[test]
fn equal_parts_make_up_every_host_step() {
    for (scheme, parts) in [("rk4", 4.0), ("ab2", 4.0), ("midpoint3", 4.0), ("newmark", 4.0), ("lab2", 4.0)] {
        let mut sim = model(scheme, 1.3e-3);
        march(&mut sim, 0..10);
        assert_eq!(
            sim.outputs().statistic("substeps").unwrap(),
            10.0 * parts,
            "{scheme}: 4 ms in steps of at most 1.3 ms"
        );
    }
    // chosen by the library: cfl times the stable step, and less than one part more than needed
    let mut sim = model("rk4", f64::INFINITY);
    march(&mut sim, 0..10);
    let stable = sim.outputs().statistic("stable_step").unwrap();
    let needed = DT / (0.5 * stable);
    assert_eq!(sim.outputs().statistic("substeps").unwrap(), 10.0 * needed.ceil(), "{stable}");
}

#[test]
fn a_step_that_blows_up_is_an_error_and_leaves_the_accepted_state() {
    // 1 kg on 1e8 N/m and steps of 0.1 s: w h = 1000
    for scheme in ["euler", "rk2", "rk4", "ab2", "ab5", "lab3", "leuler", "beuler4", "midpoint9", "aca6", "wilson5"] {
        let mut sim = Simulation::new();
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        sim.elements().add_spring(GROUND, &[2.0, 0.0, 0.0], body, &[0.0, 0.1, 0.0], 1e8, 0.0, 1.0, false).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", 0.1).unwrap();
        sim.initialize(0.0).unwrap();
        let failure = (0..10_000).find_map(|_| {
            let before = bits(&sim);
            let failure = sim.step(0.1).err();
            assert!(failure.is_none() || bits(&sim) == before, "{scheme}: a failed step changed the state");
            failure
        });
        assert!(
            matches!(failure, Some(Error::Unstable { .. } | Error::Diverged { .. })),
            "{scheme} never noticed: {failure:?}"
        );
    }
}

/// Four links of 1 m fall from level; steps of 2 s are far beyond what any scheme without a Newton
/// iteration can follow.
#[test]
fn a_step_that_cannot_be_brought_onto_constraints_names_them_and_no_substeps() {
    for scheme in ["euler", "rk4", "lab4"] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        for link in 0..4 {
            let at = [f64::from(link) + 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            let id = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
            let hinge = [f64::from(link), 0.0, 0.0];
            sim.build().add_joint_at(JointKind::Revolute, id - 1, id, &hinge, Some(&[0.0, 1.0, 0.0])).unwrap();
        }
        sim.initialize(0.0).unwrap();
        let error = (0..10).find_map(|_| sim.step(2.0).err()).expect("no step was refused");
        assert!(matches!(error, Error::Diverged { .. }), "{scheme}: {error:?}");
        let words = error.to_string();
        assert!(words.contains("constraints were not met") && words.contains("joint"), "{scheme}: {words}");
        assert!(!words.contains("substeps"), "{scheme}: {words}");
    }
}

#[test]
fn a_callback_that_changed_and_a_held_load_act_over_the_coming_step() {
    // 1 kg, from 0 to 3 N between two steps of 0.1 s: the next one adds 0.3 m/s, all of it from its
    // start on
    for scheme in ["euler", "leuler", "heun", "rk2", "rk3", "rk4", "beuler2", "midpoint3", "anderson2", "aca2"] {
        for by_callback in [true, false] {
            let mut sim = Simulation::new();
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
            let force = Arc::new(std::sync::atomic::AtomicU32::new(0));
            let seen = force.clone();
            if by_callback {
                let push = move |_: &BodyMotion, load: &mut BodyLoad| {
                    load.wrench[0] = f64::from(seen.load(std::sync::atomic::Ordering::Relaxed));
                    Ok(())
                };
                sim.inputs().set_load_callback(body, Some(Arc::new(push))).unwrap();
            }
            sim.inputs().set_body_load(body, Frame::Inertial, &[0.0; 6]).unwrap();
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            sim.step(0.1).unwrap();
            assert_eq!(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0], 0.0);
            match by_callback {
                true => force.store(3, std::sync::atomic::Ordering::Relaxed),
                false => sim.inputs().set_body_load(body, Frame::Inertial, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap(),
            }
            sim.step(0.1).unwrap();
            let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
            // a sum of up to four weighted threes
            assert!((v - 0.3).abs() < 8.0 * f64::EPSILON, "{scheme}, by callback {by_callback}: {v}");
        }
    }
}
