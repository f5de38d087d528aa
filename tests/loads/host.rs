//! Loads of the host: follower loads, markers as rigid arms, load callbacks inside the iteration.

use crate::common::*;
use crate::fluid::{COM, INERTIA, MASS, TIGHT, VELOCITY, free_body, start};
use pintle::{BodyLoad, BodyMotion, Error, Frame, GROUND, Id, Phase, Simulation};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn body(options: &[(&str, f64)]) -> (Simulation, Id) {
    free_body(options, MASS, COM, INERTIA)
}

/// Order of convergence against Runge-Kutta under a wrench (about the reference point, body axes)
/// of time and state.
fn assert_follows(claim: &str, wrench: impl Fn(f64, &[f64]) -> [f64; 6], load: impl Fn(&mut Simulation, Id, f64)) {
    let mass = mass_matrix(MASS, COM, diag(INERTIA));
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, wrench(t, y), dy);
    let exact = rk4_samples(rate, &body_state(&start(), &VELOCITY), 2.5e-3, 800, 2);
    let table = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)].map(|(dt, stride)| {
        let (mut sim, id) = body(&TIGHT);
        load(&mut sim, id, 0.0);
        sim.initialize(0.0).unwrap();
        let mut worst = 0.0f64;
        for n in 1..=800 / stride {
            load(&mut sim, id, n as f64 * dt);
            sim.step(dt).unwrap();
            let y = &exact[n * stride];
            let p = sim.outputs().body_pose(id).unwrap();
            worst = worst.max(distance(place(&p), position(y))).max(quat_error(turn(&p), orientation(y)));
        }
        (dt, worst)
    });
    assert_order(claim, &table, 2.0, 0.1);
}

/// A thrust that changes with time, in whichever frame.
fn thrust(t: f64) -> [f64; 6] {
    [2.0 + t, -1.0, 0.5 * (3.0 * t).cos(), 0.3, -0.4 * t, 0.2]
}

#[test]
fn load_in_body_axes_follows_the_body() {
    assert_follows(
        "follower load",
        |t, _| thrust(t),
        |sim, id, t| {
            sim.inputs().set_body_load(id, Frame::Body, &thrust(t)).unwrap();
        },
    );
}

#[test]
fn load_in_the_inertial_frame_keeps_its_direction() {
    let wrench = |t: f64, y: &[f64]| {
        let (f, m) = halves(thrust(t));
        join(unrotate(orientation(y), f), unrotate(orientation(y), m))
    };
    assert_follows("dead load", wrench, |sim, id, t| {
        sim.inputs().set_body_load(id, Frame::Inertial, &thrust(t)).unwrap()
    });
}

// ---- markers -----------------------------------------------------------------------------------------------------------

const POINT: V3 = [0.4, -0.7, 0.2];

fn marker_turn() -> Quat {
    unit([0.5, 0.6, -0.2, 0.3])
}

#[test]
fn load_at_a_marker_acts_with_its_arm() {
    // force through the marker: f, m + p x f about the reference point; dead, in inertial axes
    let wrench = |t: f64, y: &[f64]| {
        let (f, m) = halves(thrust(t));
        let (f, m) = (unrotate(orientation(y), f), unrotate(orientation(y), m));
        join(f, add(m, cross(POINT, f)))
    };
    assert_follows("marker load, inertial", wrench, |sim, _, t| {
        if t == 0.0 {
            sim.build().add_marker(0, &pose(POINT, marker_turn())).unwrap();
        }
        sim.inputs().set_marker_load(0, Frame::Inertial, &thrust(t)).unwrap();
    });
    // and in body axes: those of the body, also where the marker's own are turned
    let wrench = |t: f64, _: &[f64]| {
        let (f, m) = halves(thrust(t));
        join(f, add(m, cross(POINT, f)))
    };
    assert_follows("marker load, body axes", wrench, |sim, _, t| {
        if t == 0.0 {
            sim.build().add_marker(0, &pose(POINT, marker_turn())).unwrap();
        }
        sim.inputs().set_marker_load(0, Frame::Body, &thrust(t)).unwrap();
    });
}

/// With `input_order` 1 loads go linearly from the last accepted ones, in whichever axes those were
/// given: a force that is 10 N and nothing in turn is 5 N in the mean, on a body that does not turn
/// by half of its components each way.
#[test]
fn loads_whose_axes_change_go_linearly_too() {
    for scheme in ["generalized-alpha", "newmark", "rk4", "midpoint20"] {
        for at_marker in [false, true] {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_option("input_order", 1.0).unwrap();
            let turned = pose([0.3, 0.2, 0.1], unit([0.7, 0.4, -0.3, 0.5]));
            let id = sim.build().add_rigid_body(2.0, &[0.0; 3], &six(&diag(INERTIA)), &turned).unwrap();
            let marker = sim.build().add_marker(id, &ORIGIN).unwrap();
            let along = rotate(orientation(&turned), [1.0, 0.0, 0.0]);
            let give = |sim: &mut Simulation, n: usize| {
                let force = if n.is_multiple_of(2) { 10.0 } else { 0.0 };
                // The same force of 10 N in the axes of the body, none in those of space; the other
                // way round every fourth time.
                let (frame, axis) = if n % 4 < 2 { (Frame::Body, [1.0, 0.0, 0.0]) } else { (Frame::Inertial, along) };
                let wrench = join(scale(force, axis), [0.0; 3]);
                match at_marker {
                    true => sim.inputs().set_marker_load(marker, frame, &wrench).unwrap(),
                    false => sim.inputs().set_body_load(id, frame, &wrench).unwrap(),
                }
            };
            give(&mut sim, 0);
            sim.initialize(0.0).unwrap();
            for n in 1..=40 {
                give(&mut sim, n);
                // Internal steps of a third see parts of the way.
                sim.settings().set_option("max_time_step", if n > 20 { 0.1 / 3.0 } else { 0.1 }).unwrap();
                sim.step(0.1).unwrap();
            }
            let velocity = sim.outputs().body_velocity(id, Frame::Inertial).unwrap();
            // 4 s under 5 N on 2 kg. Implicit schemes see the corners of the force: a step's part
            // of 10 N.
            let tolerance = if scheme == "rk4" { 1e-12 } else { 0.05 };
            assert_close(
                &format!("{scheme}, marker {at_marker}"),
                &velocity[..3],
                &scale(10.0, along),
                tolerance * 10.0,
            );
        }
    }
}

#[test]
fn loads_on_body_and_markers_add_up_and_clear() {
    let (mut sim, id) = body(&[]);
    let first = sim.build().add_marker(id, &pose(POINT, marker_turn())).unwrap();
    let second = sim.build().add_marker(id, &pose([0.0, 0.2, -0.3], UNROTATED)).unwrap();
    let q = turn(&start());
    let loads = [[1.0, 2.0, -0.5, 0.1, 0.2, 0.3], [0.3, -0.4, 0.9, -0.6, 0.5, 0.4], [-1.1, 0.7, 0.2, 0.0, 0.1, -0.2]];
    sim.inputs().set_body_load(id, Frame::Inertial, &[9.0; 6]).unwrap();
    sim.inputs().set_body_load(id, Frame::Inertial, &loads[0]).unwrap(); // replaces
    sim.inputs().set_marker_load(first, Frame::Inertial, &loads[1]).unwrap();
    sim.inputs().set_marker_load(second, Frame::Inertial, &loads[2]).unwrap();
    sim.initialize(0.0).unwrap();
    // M V' = wrench - gyroscopic terms, all in body axes about the reference point
    let mass = mass_matrix(MASS, COM, diag(INERTIA));
    let y = body_state(&start(), &VELOCITY);
    let expected = |wrench: [f64; 6]| {
        let (f, m) = halves(wrench);
        let mut dy = [0.0; BODY];
        kirchhoff_rate(&mass, &y, join(unrotate(q, f), unrotate(q, m)), &mut dy);
        join(rotate(q, add(linear(&dy), cross(angular(&y), linear(&y)))), rotate(q, angular(&dy)))
    };
    let mut sum = loads[0];
    for (load, arm) in [(loads[1], POINT), (loads[2], [0.0, 0.2, -0.3])] {
        let (f, m) = halves(load);
        for (s, x) in sum.iter_mut().zip(join(f, add(m, cross(rotate(q, arm), f)))) {
            *s += x;
        }
    }
    assert_close("sum", &sim.outputs().body_acceleration(id, Frame::Inertial).unwrap(), &expected(sum), 1e-11);

    let (mut cleared, id) = body(&[]);
    let marker = cleared.build().add_marker(id, &pose(POINT, UNROTATED)).unwrap();
    cleared.inputs().set_body_load(id, Frame::Body, &loads[0]).unwrap();
    cleared.inputs().set_marker_load(marker, Frame::Body, &loads[1]).unwrap();
    cleared.inputs().clear_loads().unwrap();
    cleared.initialize(0.0).unwrap();
    assert_close(
        "no loads",
        &cleared.outputs().body_acceleration(id, Frame::Inertial).unwrap(),
        &expected([0.0; 6]),
        1e-11,
    );
}

#[test]
fn marker_moves_as_the_end_of_a_rigid_arm() {
    let (mut sim, id) = body(&[]);
    let marker = sim.build().add_marker(id, &pose(POINT, marker_turn())).unwrap();
    let on_ground = sim.build().add_marker(id, &ORIGIN).unwrap();
    sim.inputs().set_body_load(id, Frame::Inertial, &thrust(0.0)).unwrap();
    sim.initialize(0.0).unwrap();
    for n in 0..=50 {
        let p = sim.outputs().body_pose(id).unwrap();
        let q = turn(&p);
        let (v, w) = halves(sim.outputs().body_velocity(id, Frame::Inertial).unwrap());
        let (a, alpha) = halves(sim.outputs().body_acceleration(id, Frame::Inertial).unwrap());
        let arm = rotate(q, POINT);
        let m = sim.outputs().marker_pose(marker).unwrap();
        // one rounding each: numbers of the size of 10
        assert_close("position", &place(&m), &add(place(&p), arm), 1e-14 * 10.0);
        assert!(quat_error(turn(&m), quat_mul(q, marker_turn())) < 1e-14, "orientation at {n}");
        let velocity = join(add(v, cross(w, arm)), w);
        assert_close("velocity", &sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap(), &velocity, 1e-13);
        let acceleration = join(add(add(a, cross(alpha, arm)), cross(w, cross(w, arm))), alpha);
        assert_close(
            "acceleration",
            &sim.outputs().marker_acceleration(marker, Frame::Inertial).unwrap(),
            &acceleration,
            1e-12,
        );
        // a marker that is the body's frame says what the body says, in both frames
        for frame in [Frame::Inertial, Frame::Body] {
            let (of_marker, of_body) = (
                sim.outputs().marker_velocity(on_ground, frame).unwrap(),
                sim.outputs().body_velocity(id, frame).unwrap(),
            );
            assert_close("velocity of the body's frame", &of_marker, &of_body, 1e-14 * 10.0);
            let of_marker = sim.outputs().marker_acceleration(on_ground, frame).unwrap();
            assert_close(
                "its acceleration",
                &of_marker,
                &sim.outputs().body_acceleration(id, frame).unwrap(),
                1e-13 * 10.0,
            );
        }
        let (mut poses, mut velocities, mut accelerations) = ([[0.0; 7]; 2], [[0.0; 6]; 2], [[0.0; 6]; 2]);
        sim.outputs().marker_poses(&mut poses).unwrap();
        sim.outputs().marker_velocities(&mut velocities).unwrap();
        sim.outputs().marker_accelerations(&mut accelerations).unwrap();
        assert_eq!(poses[0], m);
        assert_eq!(velocities[0], sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap());
        assert_eq!(accelerations[1], sim.outputs().marker_acceleration(on_ground, Frame::Inertial).unwrap());
        sim.step(0.02).unwrap();
    }
}

// ---- callbacks -----------------------------------------------------------------------------------------------------------

const ANCHOR: V3 = [1.5, 1.0, -0.8];
const STIFFNESS: f64 = 60.0;
const REST: f64 = 0.9;

/// Wrench of a spring from POINT on the body to ANCHOR, and -dw/d(displacement, rotation): with n
/// the unit line, r the arm and K = k (1 - L0/L)(1 - n n^T) + k n n^T, the blocks are K, -K ~r, ~r
/// K, -~r K ~r - ~F ~r.
fn spring_load(motion: &BodyMotion, load: &mut BodyLoad, with_stiffness: bool) {
    let arm = rotate(turn(&motion.pose), POINT);
    let line = sub(ANCHOR, add(place(&motion.pose), arm));
    let length = norm(line);
    let n = scale(1.0 / length, line);
    let force = scale(STIFFNESS * (length - REST), n);
    load.wrench = join(force, cross(arm, force));
    if with_stiffness {
        let across = STIFFNESS * (1.0 - REST / length);
        let k: M3 = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { across } else { 0.0 } + (STIFFNESS - across) * n[i] * n[j])
        });
        let (r, f) = (skew(arm), skew(force));
        let times = |a: &M3, b: &M3| -> M3 {
            std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|l| a[i][l] * b[l][j]).sum()))
        };
        let (kr, rk) = (times(&k, &r), times(&r, &k));
        let (rkr, fr) = (times(&rk, &r), times(&f, &r));
        let all: M6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i / 3, j / 3) {
                (0, 0) => k[i][j],
                (0, _) => -kr[i][j - 3],
                (_, 0) => rk[i - 3][j],
                _ => -rkr[i - 3][j - 3] - fr[i - 3][j - 3],
            })
        });
        load.stiffness = columns(&all);
    }
}

fn run_spring(kind: &str, dt: f64, steps: usize) -> (Vec<[f64; 7]>, f64) {
    let (mut sim, id) = body(&TIGHT);
    match kind {
        "built in" => _ = sim.elements().add_spring(id, &POINT, GROUND, &ANCHOR, STIFFNESS, 0.0, REST, false).unwrap(),
        _ => {
            let with_stiffness = kind == "with stiffness";
            let callback = move |motion: &BodyMotion, load: &mut BodyLoad| {
                assert!(
                    load.wrench == [0.0; 6] && load.stiffness == [0.0; 36] && load.damping == [0.0; 36],
                    "not zeroed"
                );
                spring_load(motion, load, with_stiffness);
                Ok(())
            };
            sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
        }
    }
    sim.initialize(0.0).unwrap();
    let poses = (0..steps)
        .map(|n| {
            sim.step(dt).unwrap_or_else(|e| panic!("{kind}, step {n}: {e}"));
            sim.outputs().body_pose(id).unwrap()
        })
        .collect();
    (poses, sim.outputs().statistic("iterations").unwrap())
}

#[test]
fn callback_spring_equals_the_built_in_spring_and_keeps_newton_quadratic() {
    for dt in [5e-3, 0.02] {
        let steps = 300;
        let (exact, iterations) = run_spring("built in", dt, steps);
        let (with, iterations_with) = run_spring("with stiffness", dt, steps);
        let (without, iterations_without) = run_spring("without stiffness", dt, steps);
        println!(
            "dt {dt}: iterations {iterations} built in, {iterations_with} with, {iterations_without} without stiffness"
        );
        // the same equations, solved to 1e-10 per step; errors of all steps on top of each other
        // over 6 s at 6 rad/s: 300 * 1e-10
        for n in 0..steps {
            assert_close("with stiffness", &with[n], &exact[n], 3e-8);
            assert_close("without stiffness", &without[n], &exact[n], 3e-8);
        }
        // the same tangent: the same number of iterations, but where a matrix is kept whose
        // callback has changed by less than a tenth of the inertia forces: that contracts by ten,
        // and takes one iteration more in a step at the threshold
        assert!((iterations_with - iterations).abs() <= 0.1 * iterations, "{iterations_with} against {iterations}");
        // quadratic from a predictor of error (w h)^2: at most four iterations for ten digits
        assert!(iterations_with <= 4.0 * steps as f64, "{iterations_with} iterations in {steps} steps");
        if dt > 0.01 {
            assert!(
                iterations_without > iterations_with,
                "the tangent pays: {iterations_without} against {iterations_with}"
            );
        }
    }
}

#[test]
fn callback_sees_the_end_of_the_step_and_its_body() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = seen.clone();
    let (mut sim, _) = body(&[]);
    let second = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([9.0, 0.0, 0.0], UNROTATED))
        .unwrap();
    let callback = move |motion: &BodyMotion, load: &mut BodyLoad| {
        log.lock().unwrap().push((motion.time, motion.body, motion.pose, motion.velocity));
        load.wrench = [0.0, 2.0 * motion.time, 0.0, 0.0, 0.0, 0.0];
        Ok(())
    };
    sim.inputs().set_load_callback(second, Some(Arc::new(callback))).unwrap();
    sim.initialize(3.0).unwrap();
    assert!(
        seen.lock().unwrap().iter().all(|(t, b, ..)| *t == 3.0 && *b == second),
        "at initialize: {:?}",
        seen.lock().unwrap()
    );
    assert!(!seen.lock().unwrap().is_empty(), "the initial acceleration needs the load");
    for n in 1..=100 {
        seen.lock().unwrap().clear();
        sim.step(0.01).unwrap();
        let calls = seen.lock().unwrap();
        assert!(!calls.is_empty());
        for (t, b, p, _) in calls.iter() {
            // The first step starts the scheme anew, with the accelerations under the loads that
            // are set by then.
            let at_start = n == 1 && *t == 3.0;
            let at_end = (t - (3.0 + 0.01 * n as f64)).abs() < 1e-12;
            assert!((at_start || at_end) && *b == second, "called at {t} for {b}");
            assert!((p[3..].iter().map(|c| c * c).sum::<f64>() - 1.0).abs() < 1e-14);
        }
        // the last evaluation is at the accepted motion, up to the last increment (tolerance 1e-6
        // relative)
        let (_, _, p, v) = calls.last().unwrap();
        assert_close("pose", p, &sim.outputs().body_pose(second).unwrap(), 1e-5);
        assert_close("velocity", v, &sim.outputs().body_velocity(second, Frame::Inertial).unwrap(), 1e-4);
    }
    // m v' = 2 t from rest at t = 3 to 4: v = 16 - 9; the trapezoidal-like rule is exact for a ramp
    // up to its start, (a h^2)
    let v = sim.outputs().body_velocity(second, Frame::Inertial).unwrap()[1];
    assert!((v - 7.0).abs() < 1e-3, "{v}");
}

/// Everything a host can read of one body.
fn readings(sim: &Simulation, id: Id) -> Vec<u64> {
    let mut all: Vec<f64> = sim.outputs().body_pose(id).unwrap().to_vec();
    all.extend(sim.outputs().body_velocity(id, Frame::Inertial).unwrap());
    all.extend(sim.outputs().body_acceleration(id, Frame::Inertial).unwrap());
    all.push(sim.time().unwrap());
    all.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn refused_callback_fails_the_step_and_changes_nothing() {
    let refuse = Arc::new(AtomicBool::new(false));
    let poison = Arc::new(AtomicBool::new(false));
    let calls = Arc::new(AtomicUsize::new(0));
    let build = |refuse: Arc<AtomicBool>, poison: Arc<AtomicBool>, calls: Arc<AtomicUsize>| {
        let (mut sim, id) = body(&[]);
        let callback = move |motion: &BodyMotion, load: &mut BodyLoad| {
            spring_load(motion, load, true);
            if poison.load(Ordering::Relaxed) {
                load.wrench[1] = f64::NAN;
            }
            // not at once: only in a later iteration
            let late = calls.fetch_add(1, Ordering::Relaxed) >= 1;
            if refuse.load(Ordering::Relaxed) && late { Err(42) } else { Ok(()) }
        };
        sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, id)
    };
    let (mut sim, id) = build(refuse.clone(), poison.clone(), calls.clone());
    let (mut undisturbed, twin) = build(Arc::default(), Arc::default(), Arc::default());
    for _ in 0..20 {
        sim.step(0.02).unwrap();
        undisturbed.step(0.02).unwrap();
    }
    let before = readings(&sim, id);
    refuse.store(true, Ordering::Relaxed);
    for advance_only in [true, false] {
        calls.store(0, Ordering::Relaxed);
        let result = if advance_only { sim.advance(0.02) } else { sim.step(0.02) };
        match result {
            Err(Error::Callback { detail, entity, .. }) => {
                assert!(detail.contains("42"), "the host's own code in the message: {detail}");
                assert!(!entity.is_empty());
            }
            other => panic!("expected a callback error, got {other:?}"),
        }
        assert_eq!(sim.phase(), Phase::Ready);
        assert_eq!(readings(&sim, id), before, "a refused step must change nothing");
    }
    refuse.store(false, Ordering::Relaxed);
    poison.store(true, Ordering::Relaxed);
    assert!(matches!(sim.step(0.02), Err(Error::Callback { .. })), "a load that is not finite");
    assert_eq!(readings(&sim, id), before);
    poison.store(false, Ordering::Relaxed);
    for _ in 0..20 {
        sim.step(0.02).unwrap();
        undisturbed.step(0.02).unwrap();
        assert_eq!(
            readings(&sim, id),
            readings(&undisturbed, twin),
            "the retry is bit-identical to an undisturbed run"
        );
    }
}

#[test]
fn removed_callback_no_longer_acts() {
    let (mut sim, id) = body(&[]);
    sim.inputs()
        .set_load_callback(
            id,
            Some(Arc::new(|_: &BodyMotion, load: &mut BodyLoad| {
                load.wrench[0] = 1e3;
                Ok(())
            })),
        )
        .unwrap();
    sim.inputs().set_load_callback(id, None).unwrap();
    sim.initialize(0.0).unwrap();
    let (mut plain, twin) = body(&[]);
    plain.initialize(0.0).unwrap();
    for _ in 0..10 {
        sim.step(0.01).unwrap();
        plain.step(0.01).unwrap();
        assert_eq!(readings(&sim, id), readings(&plain, twin));
    }
}
