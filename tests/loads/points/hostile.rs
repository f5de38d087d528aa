//! Unusual combinations of points and springs, and those that are refused.

use crate::common::*;
use crate::points::models::*;
use pintle::{EntityKind, Error, Frame, GROUND, JointKind, Phase, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Error>, words: &[&str]) {
    let said = result.expect_err("a refusal").to_string();
    words.iter().for_each(|word| assert!(said.contains(word), "\"{word}\" in \"{said}\""));
}

#[test]
fn a_point_has_one_support_and_a_motion_only_where_it_is_prescribed() {
    let mut sim = system("generalized-alpha");
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_name(EntityKind::Body, body, "hull").unwrap();
    let free = point(&mut sim, 1.0, [1.0, 0.0, 0.0]);
    let (still, on, hand) =
        (fixed(&mut sim, [0.0; 3]), attached(&mut sim, body, [0.1; 3]), moved(&mut sim, 1.0, [2.0, 0.0, 0.0]));
    for (id, what) in [(still, "fixed"), (on, "attached to body 0 \"hull\""), (hand, "prescribed")] {
        refused(sim.build().fix_point(id), &[what]);
        refused(sim.build().attach_point(id, body, &[0.0; 3]), &[what]);
    }
    for id in [still, on] {
        refused(sim.build().set_point_prescribed(id, true), &["already"]);
        refused(sim.build().set_point_prescribed(id, false), &["already"]);
        refused(sim.build().set_point_velocity(id, &[0.0; 3]), &["no velocity"]);
    }
    for id in [free, still, on] {
        refused(sim.inputs().set_point_motion(id, &[0.0; 3], &[0.0; 3], &[0.0; 3]), &["not prescribed"]);
    }
    refused(sim.build().attach_point(free, 7, &[0.0; 3]), &["body", "7"]);
    refused(sim.build().attach_point(free, GROUND, &[0.0; 3]), &["body", "-1"]);
    refused(sim.elements().add_point_spring(free, free, 1.0, 0.0, 1.0, false), &["point_b", "two ends"]);
    refused(sim.elements().add_point_spring(free, GROUND, 1.0, 0.0, 1.0, false), &["point_b", "-1"]);
    // Refused calls have changed nothing: each is possible afterwards.
    sim.build().set_point_prescribed(free, true).unwrap();
    sim.inputs().set_point_motion(free, &[1.0, 0.0, 0.0], &[0.0; 3], &[0.0; 3]).unwrap();
    sim.build().set_point_prescribed(free, false).unwrap();
    sim.initialize(0.0).unwrap();
    for id in [free, on] {
        refused(sim.points().reaction(id), &["no reaction"]);
    }
    refused(sim.build().fix_point(free), &["BUILDING"]);
    refused(sim.inputs().set_point_motion(free, &[0.0; 3], &[0.0; 3], &[0.0; 3]), &["not prescribed"]);
    assert_eq!(state(&sim, free)[2], [0.0, 0.0, -G], "free again");
}

#[test]
fn a_point_springs_to_a_point_of_the_same_body_and_to_its_own_place() {
    // Inner forces of one body: it falls as if there were none.
    for scheme in ["generalized-alpha", "rk4", "lab2", "beuler4"] {
        let mut sim = system(scheme);
        let body = sim.build().add_rigid_body(1.0, &[0.1, 0.0, 0.0], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let ends = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]].map(|at| attached(&mut sim, body, at));
        let inner = spring(&mut sim, ends[0], ends[1], 1e3, 10.0, 1.0);
        let none = spring(&mut sim, ends[1], ends[2], 1e3, 10.0, 0.0);
        let held = [fixed(&mut sim, [5.0, 0.0, 0.0]), fixed(&mut sim, [5.0, 1.0, 0.0])];
        let outer = spring(&mut sim, held[0], held[1], 7.0, 1.0, 0.5);
        sim.initialize(0.0).unwrap();
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        assert_close(
            scheme,
            &sim.outputs().body_acceleration(body, Frame::Inertial).unwrap(),
            &[0.0, 0.0, -G, 0.0, 0.0, 0.0],
            1e-9,
        );
        assert_close("inner", &[sim.outputs().spring_force(inner).unwrap().1], &[1e3 * (2f64.sqrt() - 1.0)], 1e-8);
        assert_eq!(sim.outputs().spring_force(none).unwrap(), (0.0, 0.0));
        assert_close("outer", &[sim.outputs().spring_force(outer).unwrap().1], &[3.5], 1e-12);
        assert_close("held", &sim.points().reaction(held[0]).unwrap(), &[0.0, -3.5, 0.0], 1e-12);
    }
}

#[test]
fn points_on_prescribed_bodies_move_with_them_and_load_them() {
    for scheme in schemes() {
        let mut sim = system(&scheme);
        let j = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let crane = sim.build().add_rigid_body(5.0, &[0.3, 0.0, 0.0], &j, &ORIGIN).unwrap();
        sim.build().set_body_prescribed(crane, true).unwrap();
        let hook = attached(&mut sim, crane, [1.0, 0.0, 0.0]);
        let load = point(&mut sim, 2.0, [1.0, 0.0, -1.0 - 2.0 * G / 400.0]);
        let rope = spring(&mut sim, hook, load, 400.0, 4.0, 1.0);
        sim.inputs().set_point_load(hook, &[0.0, 1.5, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        // Held still and balanced.
        (0..5).for_each(|_| sim.step(0.01).unwrap());
        assert_close(&scheme, &[sim.outputs().spring_force(rope).unwrap().1], &[2.0 * G], 1e-9);
        let up = 7.0 * G;
        let expected = [0.0, -1.5, up, 0.0, -(5.0 * 0.3 * G + 2.0 * G), -1.5];
        assert_close(&scheme, &sim.outputs().body_reaction(crane, Frame::Inertial).unwrap(), &expected, 1e-8);
        // Then turned about z: the hook goes round.
        for n in 1..=20 {
            let angle = 0.01 * f64::from(n);
            let at = pose([0.0; 3], quat_exp([0.0, 0.0, angle]));
            sim.inputs().set_body_motion(crane, &at, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], &[0.0; 6]).unwrap();
            sim.step(0.01).unwrap();
            let [x, v, a] = state(&sim, hook);
            let (s, c) = angle.sin_cos();
            assert_close("hook", &[x, v, a].concat(), &[c, s, 0.0, -s, c, 0.0, -c, -s, 0.0], 1e-12);
        }
    }
}

/// The motion set for a prescribed body takes the place of the pose that it was added with, for
/// what is attached to it, too.
#[test]
fn a_point_is_described_where_the_motion_of_its_body_starts() {
    let mut sim = system("generalized-alpha");
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_body_prescribed(body, true).unwrap();
    let hook = attached(&mut sim, body, [1.0, 0.0, 0.0]);
    let marker = sim.build().add_marker(body, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let start = pose([5.0, 0.0, 0.0], quat_exp([0.0, 0.0, 0.5 * std::f64::consts::PI]));
    sim.inputs().set_body_motion(body, &start, &[2.0, 0.0, 0.0, 0.0, 0.0, 3.0], &[0.0; 6]).unwrap();
    for phase in [Phase::Building, Phase::Ready] {
        assert_eq!(sim.phase(), phase);
        let [x, y, z, ..] = sim.outputs().marker_pose(marker).unwrap();
        let [u, v, w, ..] = sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap();
        let points = [sim.points().position(hook).unwrap(), sim.points().velocity(hook).unwrap()];
        // To rounding of some sums of numbers of this size.
        assert_close("place", &points[0], &[x, y, z], 1e-15 * 5.0);
        assert_close("velocity", &points[1], &[u, v, w], 1e-15 * 5.0);
        assert_close("as derived", &points.concat(), &[5.0, 1.0, 0.0, -1.0, 0.0, 0.0], 1e-14);
        if phase == Phase::Building {
            sim.initialize(0.0).unwrap();
        }
    }
}

#[test]
fn gravity_before_the_first_step_counts_for_points() {
    for scheme in schemes() {
        let run = |late: bool| {
            let mut mixed = mixed(&scheme, Placed::HERE);
            let g = [0.3, 0.0, -5.0];
            mixed.sim.settings().set_gravity(&if late { [0.0; 3] } else { g }).unwrap();
            let mut mixed = mixed.begin(Placed::HERE);
            if late {
                mixed.sim.settings().set_gravity(&g).unwrap();
            }
            assert_close("at once", &[mixed.sim.points().reaction(mixed.driven).unwrap()[0]], &[-0.25 * 0.3], 0.05);
            mixed.run(Placed::HERE, [0.01; 5]);
            mixed.bits()
        };
        assert_eq!(run(false), run(true), "{scheme}");
    }
}

#[test]
fn a_clone_in_trial_and_its_original_step_alike_and_apart() {
    let mut run = mixed("lab2", Placed::HERE).begin(Placed::HERE);
    run.run(Placed::HERE, [0.01; 3]);
    run.sim.advance(0.01).unwrap();
    let mut other = Mixed { sim: run.sim.clone(), ..run };
    assert_eq!(run.bits(), other.bits());
    other.sim.reject().unwrap();
    other.run(Placed::HERE, [0.02; 3]);
    run.sim.accept().unwrap();
    let accepted = run.bits();
    assert_ne!(accepted, other.bits());
    // What the other does is its own.
    other.sim.inputs().set_point_load(other.chain[0], &[100.0, 0.0, 0.0]).unwrap();
    other.sim.step(0.01).unwrap();
    assert_eq!(run.bits(), accepted);
    assert_eq!(run.sim.given().point_load(run.chain[0]).unwrap(), [0.0; 3]);
}

#[test]
fn motions_and_loads_of_a_failed_model_can_be_read_and_not_set() {
    let mut run = mixed("generalized-alpha", Placed::HERE).begin(Placed::HERE);
    run.run(Placed::HERE, [0.01; 3]);
    let before = run.bits();
    let mut values = vec![0.0; run.sim.channels().count().unwrap() as usize];
    run.sim.channels().values(&mut values).unwrap();
    run.sim.advance(0.01).unwrap();
    run.sim.mark_failed();
    assert_eq!(run.sim.phase(), Phase::Failed);
    assert_eq!(run.bits(), before);
    let mut again = values.clone();
    run.sim.channels().values(&mut again).unwrap();
    assert_eq!(again, values);
    assert!(run.sim.inputs().set_point_load(run.chain[0], &[0.0; 3]).is_err());
    assert!(run.sim.inputs().set_point_motion(run.driven, &[0.0; 3], &[0.0; 3], &[0.0; 3]).is_err());
}

/// A gear, a drive, points and steps of their own in one model, against small steps of rk4.
#[test]
fn gears_drives_and_points_go_together_with_every_scheme() {
    let run = |scheme: &str, h: f64| {
        let mut sim = system(scheme);
        let z = Some(&[0.0, 0.0, 1.0]);
        let j = [0.3, 0.3, 0.3, 0.0, 0.0, 0.0];
        let wheels = [0.0, 3.0, 6.0].map(|x| {
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([x, 0.0, 0.0], UNROTATED)).unwrap();
            (body, sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[x, 0.0, 0.0], z).unwrap())
        });
        let gear = sim.elements().add_gear(wheels[1].1, wheels[2].1, -2.0).unwrap();
        sim.build().set_joint_driven(wheels[0].1, true).unwrap();
        let rims = wheels.map(|(body, _)| attached(&mut sim, body, [1.0, 0.0, 0.0]));
        let bob = point(&mut sim, 0.4, [2.5, 0.2, 0.0]);
        for rim in rims {
            spring(&mut sim, rim, bob, 30.0, 0.3, 1.5);
        }
        sim.elements().set_spring_table(2, &[1.0, 2.0, 6.0], &[-10.0, 0.0, 90.0]).unwrap();
        let drive =
            |sim: &mut Simulation, t: f64| sim.inputs().set_joint_motion(wheels[0].1, 0.5 * t * t, t, 1.0).unwrap();
        drive(&mut sim, 0.0);
        sim.initialize(0.0).unwrap();
        for n in 1..=(0.2 / h).round() as i32 {
            drive(&mut sim, h * f64::from(n));
            sim.step(h).unwrap_or_else(|error| panic!("{scheme}: {error}"));
        }
        let [a, b] = [1, 2].map(|k| sim.outputs().joint_coordinate(wheels[k].1).unwrap());
        assert_close(&format!("{scheme}, gear"), &[b[0], b[1]], &[-2.0 * a[0], -2.0 * a[1]], 1e-7);
        let mut found = state(&sim, bob)[..2].concat();
        found.extend([a[0], a[1], sim.outputs().gear_load(gear).unwrap() * 0.01]);
        found
    };
    let reference = run("rk4", 5e-4);
    for scheme in schemes() {
        let [coarse, fine] = [2e-3, 1e-3].map(|h| {
            let found = run(&scheme, h);
            found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        });
        // At least first order; velocities are of 1 m/s, and the fastest motion of 15 rad/s has
        // errors of w^2 h t at most.
        assert!(fine < 15.0 * 15.0 * 1e-3 * 0.2 && (fine < 0.65 * coarse || fine < 1e-9), "{scheme}: {coarse}, {fine}");
    }
}

#[test]
fn a_host_is_asked_in_long_calls_of_points_alone() {
    for scheme in schemes() {
        let (mut sim, _) = oscillator(&scheme, 5.0, 0.1);
        sim.settings().set_option("max_time_step", 1e-3).unwrap();
        sim.initialize(0.0).unwrap();
        let asked = Arc::new(AtomicU32::new(0));
        let count = asked.clone();
        sim.inputs().set_progress_callback(Some(Arc::new(move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
            0
        })));
        sim.step(1.0).unwrap();
        assert!(asked.load(Ordering::Relaxed) > 10, "{scheme}: asked {} times", asked.load(Ordering::Relaxed));
        sim.inputs().set_progress_callback(Some(Arc::new(|_, _| 7)));
        assert!(matches!(sim.step(1.0), Err(Error::Stopped { .. })), "{scheme}");
    }
}

#[test]
fn points_in_number_without_a_body_are_a_model() {
    let mut sim = system("generalized-alpha");
    let alone = point(&mut sim, 1.0, [0.0; 3]);
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
    let mut none: [[f64; 7]; 0] = [];
    sim.outputs().body_poses(&mut none).unwrap();
    sim.inputs().set_coordinates(&[], &[]).unwrap();
    assert!(sim.analysis().eval_accelerations(&[], &[]).unwrap().is_empty());
    assert!((state(&sim, alone)[2][2] + G).abs() < 1e-12);
    assert_eq!(sim.analysis().modes().unwrap().0.len(), 3);
    // Only points that do not move.
    let mut sim = system("rk4");
    let (a, b) = (fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [0.0, 0.0, 2.0]));
    spring(&mut sim, a, b, 10.0, 0.0, 1.0);
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
    assert_close("tension", &sim.points().reaction(b).unwrap(), &[0.0, 0.0, 10.0], 1e-12);
    sim.solve_equilibrium(10, 1e-8).unwrap();
    assert!(sim.analysis().modes().unwrap().0.is_empty());
}

#[test]
fn a_velocity_given_before_a_point_is_fixed_or_attached_goes() {
    let mut sim = system("rk4");
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let [still, on] = [2.0, 3.0].map(|x| point(&mut sim, 1.0, [x, 0.0, 0.0]));
    for id in [still, on] {
        sim.build().set_point_velocity(id, &[1.0, 2.0, 3.0]).unwrap();
    }
    sim.build().fix_point(still).unwrap();
    sim.build().attach_point(on, body, &[1.0, 0.0, 0.0]).unwrap();
    for id in [still, on] {
        assert_eq!(sim.points().velocity(id).unwrap(), [0.0; 3]);
    }
    sim.initialize(0.0).unwrap();
    let energy = sim.outputs().energy().unwrap().0;
    assert_eq!(energy, 0.0);
    for _ in 0..10 {
        sim.step(0.1).unwrap();
    }
    assert_eq!(state(&sim, still), [[2.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
    // A mass that is held is held with its weight.
    assert_close("weight", &sim.points().reaction(still).unwrap(), &[0.0, 0.0, G], 1e-12);
}

/// Wrong use of the motion of a point has the same result as that of a body.
#[test]
fn imposed_motions_that_leap_or_stop_end_as_those_of_bodies() {
    let outcome = |scheme: &str, is_point: bool, velocity: V3, motions: &[(V3, V3)]| {
        let mut sim = system(scheme);
        let x = [0.5, 0.0, 0.0];
        let id = if is_point {
            let id = moved(&mut sim, 1.0, x);
            sim.build().set_point_velocity(id, &velocity).unwrap();
            id
        } else {
            let j = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
            let id = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose(x, UNROTATED)).unwrap();
            sim.build().set_body_velocity(id, &join(velocity, [0.0; 3])).unwrap();
            sim.build().set_body_prescribed(id, true).unwrap();
            id
        };
        sim.initialize(0.0).unwrap();
        let mut told = Vec::new();
        for motion in motions.iter().map(Some).chain([None, None]) {
            if let Some((x, v)) = motion {
                match is_point {
                    true => sim.inputs().set_point_motion(id, x, v, &[0.0; 3]).unwrap(),
                    false => {
                        let six = join(*v, [0.0; 3]);
                        sim.inputs().set_body_motion(id, &pose(*x, UNROTATED), &six, &[0.0; 6]).unwrap();
                    }
                }
            }
            match sim.step(0.1) {
                Ok(()) if is_point => told.push(format!("{:?}", state(&sim, id))),
                Ok(()) => {
                    let first = |six: [f64; 6]| [six[0], six[1], six[2]];
                    let v = first(sim.outputs().body_velocity(id, Frame::Inertial).unwrap());
                    let a = first(sim.outputs().body_acceleration(id, Frame::Inertial).unwrap());
                    told.push(format!("{:?}", [place(&sim.outputs().body_pose(id).unwrap()), v, a]));
                }
                Err(error) => told.push(error.to_string().replace("body 0", "it").replace("point 0", "it")),
            }
        }
        told
    };
    let (still, fast) = ([0.0; 3], [3.0, 0.0, 0.0]);
    for scheme in ["generalized-alpha", "rk4", "ab3", "lab2", "beuler4"] {
        for (velocity, motions) in [
            (still, vec![]),
            (fast, vec![]),
            (still, vec![([1e6, 0.0, 0.0], still)]),
            (still, vec![([0.5, 0.0, 0.0], fast), ([0.8, 0.0, 0.0], fast)]),
            (fast, vec![([0.8, 0.0, 0.0], fast), ([0.8, 0.0, 0.0], still)]),
        ] {
            let [one, other] = [true, false].map(|is_point| outcome(scheme, is_point, velocity, &motions));
            assert_eq!(one, other, "{scheme}, {motions:?}");
        }
    }
}

#[test]
fn numbers_near_the_limits_end_in_a_status_or_in_numbers() {
    for scheme in schemes() {
        for mass in [1e-320, 1e-200, 1e200, 1e308] {
            for reach in [1e-300, 1e150, 1e308] {
                for k in [1e-300, 1e3, 1e308] {
                    let mut sim = system(&scheme);
                    let (a, b) = (fixed(&mut sim, [0.0; 3]), point(&mut sim, mass, [reach, 0.0, 0.0]));
                    let rope = spring(&mut sim, a, b, k, 1.0, 1.0);
                    let run = |sim: &mut Simulation| -> Result<(), Error> {
                        sim.initialize(0.0)?;
                        (0..3).try_for_each(|_| sim.step(0.01))
                    };
                    let outcome = run(&mut sim);
                    if outcome.is_err() {
                        continue;
                    }
                    // Outputs are finite or the call fails.
                    for told in [
                        sim.points().position(b),
                        sim.points().velocity(b),
                        sim.points().acceleration(b),
                        sim.points().reaction(a),
                    ] {
                        assert!(
                            told.is_err() || told.unwrap().iter().all(|x| x.is_finite()),
                            "{scheme} {mass} {reach} {k}"
                        );
                    }
                    if let Ok((length, tension)) = sim.outputs().spring_force(rope) {
                        assert!(length.is_finite() && tension.is_finite());
                    }
                }
            }
        }
    }
}

#[test]
fn clear_loads_clears_those_of_points() {
    let mut sim = system("generalized-alpha");
    let id = point(&mut sim, 2.0, [0.0; 3]);
    sim.inputs().set_point_load(id, &[0.0, 0.0, 2.0 * G]).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
    assert_close("carried", &state(&sim, id)[2], &[0.0; 3], 1e-12);
    sim.inputs().clear_loads().unwrap();
    assert_eq!(sim.given().point_load(id).unwrap(), [0.0; 3]);
    sim.step(0.1).unwrap();
    assert_close("falls", &state(&sim, id)[2], &[0.0, 0.0, -G], 1e-10);
}
