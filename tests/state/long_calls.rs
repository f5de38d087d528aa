//! Long calls end: option "max_substeps" bounds the internal steps of one host step, and the
//! progress callback stops calls, with nothing changed.

use crate::common::*;
use crate::model::{bits, described, give, schemes};
use pintle::{Error, GROUND, JointKind, Phase, Simulation};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

fn ready(scheme: &str) -> Simulation {
    let mut sim = described(scheme, 2.0);
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn a_step_of_too_many_internal_ones_is_refused_and_says_how_many() {
    assert_eq!(ready("rk4").given().option("max_substeps"), Ok(1e4));
    for scheme in schemes() {
        let mut sim = ready(&scheme);
        let before = bits(&sim);
        sim.settings().set_option("max_time_step", 1e-9).unwrap();
        let error = sim.step(1.0).unwrap_err();
        let Error::BadValue { argument: "dt", detail } = &error else { panic!("{scheme}: {error}") };
        for part in ["1 asks for 1000000000 internal steps", "\"max_time_step\"", "\"max_substeps\" = 10000"] {
            assert!(detail.contains(part), "{scheme}: {detail}");
        }
        assert_eq!((sim.phase(), bits(&sim)), (Phase::Ready, before), "{scheme}");

        sim.settings().set_option("max_time_step", 1e-3).unwrap();
        sim.settings().set_option("max_substeps", 5.0).unwrap();
        sim.step(5e-3).unwrap();
        assert!(sim.step(6e-3).is_err(), "{scheme}");
    }
    let mut sim = ready("rk4");
    for wrong in [0.0, -1.0, 1.5, 2e9, f64::INFINITY, f64::NAN] {
        assert!(sim.settings().set_option("max_substeps", wrong).is_err(), "{wrong}");
    }
}

#[test]
fn steps_that_explicit_schemes_choose_count_too() {
    // The stiffest mode: 500 N/m on 0.8 kg, stable with some 0.1 s: 2000 s are more than 1e4 of
    // half of it.
    for scheme in ["rk4", "ab3", "lab3", "leuler"] {
        let mut sim = ready(scheme);
        sim.settings().set_option("max_substeps", 50.0).unwrap();
        let limit = sim.given().option("cfl").unwrap() * sim.outputs().statistic("stable_step").unwrap();
        let error = sim.advance(60.0 * limit).unwrap_err();
        let Error::BadValue { argument: "dt", detail } = &error else { panic!("{scheme}: {error}") };
        assert!(detail.contains("max_substeps") && detail.contains(scheme), "{detail}");
        // Local steps round ticks up to a number with divisors only where it is allowed.
        sim.advance(49.5 * limit).unwrap();
        assert_eq!(sim.outputs().statistic("substeps").unwrap(), 50.0, "{scheme}");
    }
}

#[test]
fn halved_steps_count_too() {
    let mut sim = ready("generalized-alpha");
    // One iteration is never enough for the tolerance: every step is halved until nothing is left
    // to halve.
    let options = [("max_iterations", 1.0), ("abs_tolerance", 1e-15), ("rel_tolerance", 1e-15)];
    for (key, value) in options.into_iter().chain([("on_no_convergence", 2.0), ("max_substeps", 6.0)]) {
        sim.settings().set_option(key, value).unwrap();
    }
    assert!(matches!(sim.step(0.1), Err(Error::NoConvergence { .. })));
    // 5 more steps than the one planned came from halving, before one failed for good
    assert_eq!(sim.outputs().statistic("rejected_steps").unwrap(), 6.0);
}

/// Times and fractions passed to a progress callback.
type Told = Arc<Mutex<Vec<[f64; 2]>>>;

/// Stops calls at the n-th call of the progress callback.
fn stop_at(sim: &mut Simulation, n: usize) -> Told {
    let told = Told::default();
    let noted = Arc::clone(&told);
    sim.inputs().set_progress_callback(Some(Arc::new(move |time, fraction| {
        let mut told = noted.lock().unwrap();
        told.push([time, fraction]);
        i32::from(told.len() == n)
    })));
    told
}

#[test]
fn a_step_that_the_host_stops_changes_nothing() {
    for scheme in schemes() {
        let mut sim = ready(&scheme);
        sim.settings().set_option("max_time_step", 1e-3).unwrap();
        let mut twin = sim.clone();
        for _ in 0..3 {
            sim.step(1e-2).unwrap();
            twin.step(1e-2).unwrap();
        }
        let before = sim.save().unwrap();
        let told = stop_at(&mut sim, 3);
        let error = sim.step(0.5).unwrap_err();
        assert!(matches!(error, Error::Stopped { code: 1, .. }), "{scheme}: {error}");
        assert_eq!(sim.save().unwrap(), before, "{scheme}");
        for [time, fraction] in told.lock().unwrap().iter() {
            // of the step from 0.03 to 0.53
            assert!((0.03..=0.53).contains(time) && ((time - 0.03) / 0.5 - fraction).abs() < 1e-12, "{scheme}: {time}");
        }
        // A pending trial is kept, and so are inputs set since.
        give(&mut sim, 0.04);
        sim.inputs().set_progress_callback(None);
        sim.advance(1e-2).unwrap();
        give(&mut sim, 0.05);
        sim.inputs().mark_discontinuity().unwrap();
        let trial = sim.save().unwrap();
        stop_at(&mut sim, 1);
        assert!(matches!(sim.advance(0.5), Err(Error::Stopped { .. })), "{scheme}");
        assert_eq!((sim.phase(), sim.save().unwrap()), (Phase::Trial, trial), "{scheme}");
        sim.inputs().set_progress_callback(None);
        sim.accept().unwrap();
        sim.step(1e-2).unwrap();
        give(&mut twin, 0.04);
        twin.step(1e-2).unwrap();
        give(&mut twin, 0.05);
        twin.inputs().mark_discontinuity().unwrap();
        twin.step(1e-2).unwrap();
        assert_eq!(bits(&sim), bits(&twin), "{scheme}: nothing is left of the steps that were stopped");
    }
}

#[test]
fn the_host_is_asked_evenly_and_not_in_short_calls() {
    for scheme in schemes() {
        let mut sim = ready(&scheme);
        sim.settings().set_option("max_time_step", 1e-3).unwrap();
        let told = stop_at(&mut sim, usize::MAX);
        sim.step(1e-3).unwrap();
        let short = told.lock().unwrap().len();
        assert!(short <= 1, "{scheme}: asked {short} times in one internal step");
        told.lock().unwrap().clear();
        sim.step(0.4).unwrap();
        let told = told.lock().unwrap();
        let fractions: Vec<f64> = [0.0].into_iter().chain(told.iter().map(|[_, f]| *f)).chain([1.0]).collect();
        // 64 evaluations of one body are 16 of the four: at least every 16th internal step; local
        // steps count ticks.
        let most = if scheme.starts_with('l') { 65.0 } else { 17.0 };
        let gap = fractions.windows(2).map(|f| f[1] - f[0]).fold(0.0, f64::max);
        let back = fractions.windows(2).map(|f| f[1] - f[0]).fold(0.0, f64::min);
        assert!(gap <= most / 400.0 && back >= -1.0 / 400.0, "{scheme}: gaps up to {gap}, {back}");
        assert!(told.len() <= 400, "{scheme}: asked {} times", told.len());
    }
}

/// A chain of links that hangs skew, in phase BUILDING: large enough that every call on it is long.
fn chain() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND;
    for k in 0..70 {
        let body = sim
            .build()
            .add_rigid_body(
                1.0,
                &[0.0; 3],
                &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0],
                &pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED),
            )
            .unwrap();
        sim.build()
            .add_joint_at(JointKind::Revolute, last, body, &[k as f64, 0.0, 0.0], Some(&[0.0, 1.0, 0.0]))
            .unwrap();
        last = body;
    }
    sim
}

#[test]
fn every_long_call_can_be_stopped() {
    let mut sim = chain();
    stop_at(&mut sim, 1);
    assert!(matches!(sim.initialize(0.0), Err(Error::Stopped { .. })));
    assert_eq!(sim.phase(), Phase::Building);
    sim.inputs().set_progress_callback(None);
    sim.initialize(0.0).unwrap();
    let before = sim.save().unwrap();
    let (poses, velocities): (Vec<_>, Vec<_>) = (0..70)
        .map(|body| {
            (
                sim.outputs().body_pose(body).unwrap(),
                sim.outputs().body_velocity(body, pintle::Frame::Inertial).unwrap(),
            )
        })
        .unzip();
    type Call<'a> = &'a dyn Fn(&mut Simulation) -> pintle::Result<()>;
    let calls: [(&str, Call); 7] = [
        ("step", &|sim| sim.step(0.01)),
        ("equilibrium", &|sim| sim.solve_equilibrium(100, 1e-6).map(drop)),
        ("linearize", &|sim| sim.analysis().linearize(&[], &[], &[]).map(drop)),
        ("modes", &|sim| sim.analysis().modes().map(drop)),
        ("mass matrix", &|sim| sim.analysis().mass_matrix().map(drop)),
        ("accelerations", &|sim| sim.analysis().eval_accelerations(&poses, &velocities).map(drop)),
        ("coordinates", &|sim| sim.inputs().set_coordinates(&poses, &velocities)),
    ];
    for (name, call) in calls {
        stop_at(&mut sim, 1);
        let stopped = call(&mut sim);
        assert!(matches!(stopped, Err(Error::Stopped { .. })), "{name}: {stopped:?}");
        assert_eq!(sim.save().unwrap(), before, "{name}");
    }
    // in the middle of the search for an equilibrium
    stop_at(&mut sim, 20);
    assert!(matches!(sim.solve_equilibrium(100, 1e-6), Err(Error::Stopped { .. })));
    assert_eq!(sim.save().unwrap(), before);
}

#[test]
fn clones_ask_the_same_function_and_states_hold_none() {
    let mut sim = ready("rk4");
    sim.settings().set_option("max_time_step", 1e-3).unwrap();
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    sim.inputs().set_progress_callback(Some(Arc::new(move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        0
    })));
    let mut clone = sim.clone();
    clone.step(0.2).unwrap();
    assert!(asked.swap(0, Ordering::Relaxed) > 0);
    let mut plain = ready("rk4");
    plain.restore(&sim.save().unwrap()).unwrap();
    plain.step(0.2).unwrap();
    assert_eq!(asked.load(Ordering::Relaxed), 0);
}
