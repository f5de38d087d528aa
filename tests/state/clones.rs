//! Clones share constant data only: they cost as much as saving a state, run on different threads,
//! and do not affect each other.

use crate::common::models::structures::{NAMES, build};
use pintle::model::{FluidFn, FluidMotion};
use pintle::{CoupledLoad, CoupledMotion, EntityKind, Frame, GROUND, JointKind, Phase, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const DT: f64 = 2e-3;

/// All outputs and the saved state of a run, bit for bit.
fn bits(sim: &Simulation) -> Vec<u8> {
    let mut seen = sim.save().unwrap().to_bytes();
    for joint in 0..sim.description().count(EntityKind::Joint) {
        for x in sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap() {
            seen.extend(x.to_bits().to_le_bytes());
        }
    }
    seen
}

/// Steps under loads that are different from case to case.
fn run(sim: &mut Simulation, case: usize, steps: usize) {
    for n in 1..=steps {
        let push = (1.0 + case as f64) * (0.1 * n as f64).sin();
        sim.inputs().set_body_load(0, Frame::Inertial, &[0.0, 0.0, push, 0.0, 0.02 * push, 0.0]).unwrap();
        sim.step(DT).unwrap();
    }
}

fn ready(name: &str, scheme: &str) -> Simulation {
    let mut sim = build(name, 12, true);
    sim.settings().set_scheme(scheme).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(DT).unwrap();
    sim
}

#[test]
fn a_clone_takes_no_more_memory_than_saving_at_any_size() {
    for name in NAMES {
        for bodies in [12, 120, 900] {
            let mut sim = build(name, bodies, false);
            sim.initialize(0.0).unwrap();
            (0..2).for_each(|_| sim.step(1e-4).unwrap());
            let (saved, snapshot) = crate::heap::bytes(|| sim.save().unwrap());
            let (cloned, copy) = crate::heap::bytes(|| sim.clone());
            // Both copy two states with their histories, and the inputs; a clone has a list of
            // callbacks and the heads of lists beside these.
            let allowed = saved + saved / 4 + 4096;
            assert!(cloned <= allowed, "{name}, {bodies} bodies: clone {cloned} bytes, save {saved}");
            let traffic = [crate::heap::traffic(|| drop(sim.save())), crate::heap::traffic(|| drop(sim.clone()))];
            assert!(traffic[1] <= 2 * traffic[0], "{name}, {bodies} bodies: requests {traffic:?}");
            drop((snapshot, copy));
        }
    }
}

#[test]
fn cases_on_clones_are_bit_identical_for_any_number_of_threads() {
    const CASES: usize = 12;
    for (name, scheme) in [
        ("four-bars", "generalized-alpha"),
        ("closed chain", "generalized-alpha"),
        ("tree", "rk4"),
        ("chain", "lab3"),
        ("chain", "anderson6"),
    ] {
        let base = ready(name, scheme);
        let before = bits(&base);
        let alone: Vec<Vec<u8>> = (0..CASES)
            .map(|case| {
                let mut sim = ready(name, scheme);
                run(&mut sim, case, 20);
                bits(&sim)
            })
            .collect();
        for threads in [1, 2, 5] {
            let next = AtomicUsize::new(0);
            let found: Vec<(usize, Vec<u8>)> = std::thread::scope(|scope| {
                let workers: Vec<_> = (0..threads)
                    .map(|_| {
                        scope.spawn(|| {
                            let mut found = Vec::new();
                            loop {
                                let case = next.fetch_add(1, Ordering::Relaxed);
                                if case >= CASES {
                                    return found;
                                }
                                // Cloned from the same object while others step and read clones
                                // that share with it.
                                let mut sim = base.clone();
                                run(&mut sim, case, 20);
                                found.push((case, bits(&sim)));
                            }
                        })
                    })
                    .collect();
                workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
            });
            assert_eq!(found.len(), CASES);
            for (case, seen) in found {
                assert!(seen == alone[case], "{name}, {scheme}: case {case} on {threads} threads");
            }
        }
        assert!(bits(&base) == before, "{name}, {scheme}: the original stays");
    }
}

#[test]
fn a_clone_of_a_pending_trial_goes_on_bit_by_bit_when_the_original_is_gone() {
    for name in NAMES {
        let mut sim = ready(name, "generalized-alpha");
        sim.advance(DT).unwrap();
        let mut copy = sim.clone();
        assert_eq!(copy.phase(), Phase::Trial);
        let mut straight = ready(name, "generalized-alpha");
        straight.step(DT).unwrap();
        drop(sim);
        copy.accept().unwrap();
        run(&mut copy, 3, 10);
        run(&mut straight, 3, 10);
        assert!(bits(&copy) == bits(&straight), "{name}");
    }
}

#[test]
fn a_clone_of_a_model_that_is_described_is_another_model() {
    let mut sim = build("chain", 3, false);
    let mut copy = sim.clone();
    copy.build().set_name(EntityKind::Body, 0, "hull").unwrap();
    copy.build().add_marker(0, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    assert!(sim.description().find(EntityKind::Body, "hull").is_err());
    assert_eq!(sim.description().count(EntityKind::Marker) + 1, copy.description().count(EntityKind::Marker));
    sim.initialize(0.0).unwrap();
    copy.initialize(0.0).unwrap();
    assert!(copy.restore(&sim.save().unwrap()).is_err(), "another fingerprint");
}

#[test]
fn a_coupled_callback_of_a_clone_is_its_own() {
    let base = ready("chain", "generalized-alpha");
    let (mut coupled, mut plain) = (base.clone(), base.clone());
    let callback = |motion: &CoupledMotion, load: &mut CoupledLoad| {
        for i in 0..3 {
            let stretch = motion.velocities[1][i] - motion.velocities[0][i];
            (load.wrenches[0][i], load.wrenches[1][i]) = (5.0 * stretch, -5.0 * stretch);
        }
        Ok(())
    };
    coupled.inputs().set_coupled_load_callback(&[0, 11], Some(Arc::new(callback))).unwrap();
    assert_eq!([&base, &coupled, &plain].map(|sim| sim.description().count(EntityKind::Callback)), [0, 1, 0]);
    // A clone of a run whose matrix knows the coupling, with and without it.
    run(&mut coupled, 1, 5);
    let (mut again, mut without) = (coupled.clone(), coupled.clone());
    without.inputs().set_coupled_load_callback(&[0, 11], None).unwrap();
    run(&mut coupled, 1, 5);
    run(&mut again, 1, 5);
    run(&mut without, 1, 5);
    assert!(bits(&again) == bits(&coupled), "the coupling goes on");
    assert!(bits(&without) != bits(&coupled), "and can be taken off");
    run(&mut plain, 1, 10);
    let mut fresh = ready("chain", "generalized-alpha");
    run(&mut fresh, 1, 10);
    assert!(bits(&plain) == bits(&fresh), "the others have none");
}

/// A step that restarts the scheme evaluates velocities first, without callbacks: the matrix must
/// have the couplings nevertheless.
#[test]
fn a_clone_that_starts_anew_with_a_coupled_callback_has_the_bits_of_its_original() {
    for bodies in [5, 12, 13] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 1.0, -9.81]).unwrap();
        for k in 0..bodies {
            let x = f64::from(k);
            let com = [0.1 * (3.0 * x).sin(), 0.1 * (5.0 * x).cos(), 0.1 * (7.0 * x).sin()];
            let inertia = [0.3, 0.4, 0.5, 0.01, 0.0, 0.02];
            sim.build().add_rigid_body(2.0 + x.sin(), &com, &inertia, &[x, 0.1 * x, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
            let kind = [JointKind::Fixed, JointKind::Revolute, JointKind::Spherical][k as usize % 3];
            let axis = (kind == JointKind::Revolute).then_some(&[0.2, 1.0, 0.2]);
            sim.build().add_joint_at(kind, if k == 0 { GROUND } else { k - 1 }, k, &[x, 0.1, 0.2], axis).unwrap();
        }
        let callback = |motion: &CoupledMotion, load: &mut CoupledLoad| {
            load.wrenches[0][1] = -0.3 * motion.velocities[0][1];
            Ok(())
        };
        let last = bodies - 1;
        sim.inputs().set_coupled_load_callback(&[last, 0], Some(Arc::new(callback))).unwrap();
        sim.initialize(0.0).unwrap();
        (0..3).for_each(|_| sim.step(DT).unwrap());
        let mut added = [0.0; 36];
        (0..6).for_each(|k| added[7 * k] = 0.7);
        sim.settings().set_added_mass(last / 2, &added, Frame::Body).unwrap();
        let mut copy = sim.clone();
        for _ in 0..20 {
            sim.step(DT).unwrap();
            copy.step(DT).unwrap();
            assert!(bits(&copy) == bits(&sim), "{bodies} bodies");
        }
    }
}

/// A pendulum with an optional large initial force, which sets the force scale of the convergence
/// test.
fn pendulum(force: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let pose = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let bob = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, bob, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.inputs().set_body_load(bob, Frame::Inertial, &[force, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn a_state_of_another_start_restored_into_one_clone_leaves_the_others() {
    let (base, other) = (pendulum(0.0), pendulum(1e7));
    let (mut one, mut two) = (base.clone(), base.clone());
    let foreign = other.save().unwrap();
    one.restore(&foreign).unwrap();
    assert!(bits(&one) == bits(&other), "reference of the start included");
    run(&mut two, 0, 20);
    let mut fresh = pendulum(0.0);
    run(&mut fresh, 0, 20);
    assert!(bits(&two) == bits(&fresh), "the other clone keeps its own start");
    let mut driven = other.clone();
    run(&mut one, 0, 20);
    run(&mut driven, 0, 20);
    assert!(bits(&one) == bits(&driven));
}

#[test]
fn each_clone_asks_its_own_progress_callback() {
    let base = ready("chain", "generalized-alpha");
    let asked = Arc::new(AtomicBool::new(false));
    let (mut stopped, mut free) = (base.clone(), base.clone());
    let witness = asked.clone();
    stopped.inputs().set_progress_callback(Some(Arc::new(move |_, _| {
        witness.store(true, Ordering::Relaxed);
        7
    })));
    free.settings().set_option("max_time_step", DT / 50.0).unwrap();
    free.step(DT).unwrap();
    assert!(!asked.load(Ordering::Relaxed), "it belongs to the other");
    stopped.settings().set_option("max_time_step", DT / 50.0).unwrap();
    let error = stopped.step(DT).unwrap_err().to_string();
    assert!(asked.load(Ordering::Relaxed) && error.contains("stopped"), "{error}");
}

/// The matrices of option "linear" are those of the initial state: a clone computes them again,
/// with the water of that time, whatever the host has set since.
#[test]
fn clones_of_linear_analyses_freeze_the_water_of_the_initial_time() {
    let mut sim = Simulation::new();
    sim.settings().set_environment("water_density", 1025.0).unwrap();
    sim.settings().set_option("linear", 1.0).unwrap();
    let point = sim.build().add_point(50.0, 0.03, &[0.0, 0.0, -10.0]).unwrap();
    sim.build().set_point_drag(point, 0.8, 0.7).unwrap();
    let water: FluidFn = Arc::new(|t: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
        motion.velocities.iter_mut().for_each(|v| v[0] = 5.0 * (3.0 * t).cos());
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(water), false).unwrap();
    sim.initialize(0.0).unwrap();
    let mut copies = Vec::new();
    for n in 0..60 {
        if [0, 1, 10, 40].contains(&n) {
            copies.push(sim.clone());
        }
        for run in copies.iter_mut().chain([&mut sim]) {
            run.step(0.02).unwrap();
        }
    }
    let state = |run: &Simulation| [run.points().position(point).unwrap(), run.points().acceleration(point).unwrap()];
    assert!(copies.iter().all(|copy| state(copy) == state(&sim)));
}
