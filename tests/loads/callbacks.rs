//! Load callbacks inside the iteration: a step converges to the same result without the callback's
//! matrices as with them.

use crate::common::*;
use pintle::{BodyLoad, BodyMotion, CoupledLoad, CoupledMotion, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const MASS: f64 = 2.0;
const INERTIA: V3 = [0.5, 0.6, 0.8];
const IMPLICIT: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];

/// The motions on which the load depends.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Position,
    Velocity,
    /// Added mass as a part of that of the body.
    Acceleration(f64),
    All,
}

/// A symmetric positive definite matrix with every entry, of the size of the body's inertia.
fn full() -> M6 {
    let d = [MASS, MASS, MASS, 0.5, 0.6, 0.8];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let cosine = if i == j { 1.0 } else { 0.12 * ((3 * i.min(j) + 5 * i.max(j)) as f64).cos() };
            cosine * f64::sqrt(d[i] * d[j])
        })
    })
}

/// Wrench, and -dw/d(position), -dw/dvelocity, -dw/dacceleration.
fn load(kind: Kind, pose: &[f64; 7], v: &[f64; 6], a: &[f64; 6]) -> ([f64; 6], [M6; 3]) {
    let mut w = [0.0; 6];
    let mut matrices = [[[0.0; 6]; 6]; 3];
    let x = place(pose);
    // A spring to the origin that stiffens, always: the body oscillates with 3 rad/s.
    let (k, cubic) = (18.0, if matches!(kind, Kind::Position | Kind::All) { 25.0 } else { 0.0 });
    for i in 0..3 {
        w[i] -= (k + cubic * dot(x, x)) * x[i];
        for j in 0..3 {
            matrices[0][i][j] = if i == j { k + cubic * dot(x, x) } else { 0.0 } + 2.0 * cubic * x[i] * x[j];
        }
    }
    if matches!(kind, Kind::Velocity | Kind::All) {
        let (c, speed) = (full(), norm(halves(*v).0));
        let damping = mul6(&c, v);
        for i in 0..6 {
            w[i] -= 0.8 * damping[i] + if i < 3 { 1.5 * speed * v[i] } else { 0.0 };
            for j in 0..6 {
                let drag = match i < 3 && j < 3 {
                    true => 1.5 * (if i == j { speed } else { 0.0 } + v[i] * v[j] / speed.max(1e-12)),
                    false => 0.0,
                };
                matrices[1][i][j] = 0.8 * c[i][j] + drag;
            }
        }
    }
    let ratio = match kind {
        Kind::Acceleration(ratio) => ratio,
        Kind::All => 3.0,
        _ => 0.0,
    };
    let added = mul6(&full(), a);
    for i in 0..6 {
        w[i] -= ratio * added[i];
        matrices[2][i] = full()[i].map(|x| ratio * x);
    }
    (w, matrices)
}

fn body(scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let at = pose([0.3, -0.5, 0.4], unit([0.7, 0.4, -0.3, 0.5]));
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &six(&diag(INERTIA)), &at).unwrap();
    sim.build().set_body_velocity(body, &[1.0, -0.4, 0.6, 0.8, -1.1, 0.7]).unwrap();
    (sim, body)
}

/// The interface and the matrices of the callback.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given {
    /// As coupled callback of one body, with all matrices.
    Exact,
    /// The same without.
    Bare,
    /// As load callback of a body, which has no matrix for accelerations, without any.
    OfBody,
}

fn give(sim: &mut Simulation, id: Id, kind: Kind, given: Given, calls: Arc<AtomicU64>) {
    if given == Given::OfBody {
        let callback = move |m: &BodyMotion, out: &mut BodyLoad| {
            calls.fetch_add(1, Ordering::Relaxed);
            out.wrench = load(kind, &m.pose, &m.velocity, &m.acceleration).0;
            Ok(())
        };
        return sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
    }
    let callback = move |m: &CoupledMotion, out: &mut CoupledLoad| {
        calls.fetch_add(1, Ordering::Relaxed);
        let (w, matrices) = load(kind, &m.poses[0], &m.velocities[0], &m.accelerations[0]);
        out.wrenches[0] = w;
        if given == Given::Exact {
            out.stiffness.copy_from_slice(&columns(&matrices[0]));
            out.damping.copy_from_slice(&columns(&matrices[1]));
            out.mass.copy_from_slice(&columns(&matrices[2]));
        }
        Ok(())
    };
    sim.inputs().set_coupled_load_callback(&[id], Some(Arc::new(callback))).unwrap();
}

/// Position and orientation, velocity, acceleration at 1 s; iterations and evaluations of the
/// callback per step.
fn run(scheme: &str, kind: Kind, given: Given, dt: f64, options: &[(&str, f64)]) -> ([[f64; 7]; 3], [f64; 2]) {
    let (mut sim, id) = body(scheme);
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let calls = Arc::new(AtomicU64::new(0));
    give(&mut sim, id, kind, given, calls.clone());
    sim.initialize(0.0).unwrap();
    let steps = (1.0 / dt).round() as usize;
    sim.step(dt).unwrap();
    calls.store(0, Ordering::Relaxed);
    let before = sim.outputs().statistic("iterations").unwrap();
    for n in 1..steps {
        sim.step(dt).unwrap_or_else(|e| panic!("{scheme} {kind:?} {given:?} {dt} step {n}: {e}"));
    }
    let rows = |six: [f64; 6]| std::array::from_fn(|k| if k < 6 { six[k] } else { 0.0 });
    let velocity = rows(sim.outputs().body_velocity(id, Frame::Inertial).unwrap());
    let acceleration = rows(sim.outputs().body_acceleration(id, Frame::Inertial).unwrap());
    let per_step = |count: f64| count / (steps - 1) as f64;
    let iterations = per_step(sim.outputs().statistic("iterations").unwrap() - before);
    let cost = [iterations, per_step(calls.load(Ordering::Relaxed) as f64)];
    ([sim.outputs().body_pose(id).unwrap(), velocity, acceleration], cost)
}

fn errors(found: &[[f64; 7]; 3], exact: &[[f64; 7]; 3]) -> [f64; 3] {
    std::array::from_fn(|k| (0..7).fold(0.0f64, |worst, i| worst.max((found[k][i] - exact[k][i]).abs())))
}

/// Order 2 in position, velocity and acceleration, and at most 1.5 times the error with exact
/// matrices: so from 40 to 640 steps per second, where the error of the scheme is down to 1e-6.
/// Exact to 1e-11: rk4 with 2000 steps.
#[test]
fn without_matrices_a_step_is_as_good_as_with_them() {
    let kinds = [Kind::Position, Kind::Velocity, Kind::Acceleration(0.5), Kind::Acceleration(20.0), Kind::All];
    for kind in kinds {
        let exact = run("rk4", kind, Given::Exact, 5e-4, &[]).0;
        for scheme in IMPLICIT {
            let mut tables = [[[(0.0, 0.0); 5]; 3]; 3];
            for (n, dt) in [0.025, 0.0125, 0.00625, 0.003125, 0.0015625].into_iter().enumerate() {
                for (g, given) in [Given::Exact, Given::Bare, Given::OfBody].into_iter().enumerate() {
                    let (found, cost) = run(scheme, kind, given, dt, &[]);
                    let found = errors(&found, &exact);
                    println!("{scheme} {kind:?} {given:?} {dt}: {found:?}, iterations, calls {cost:.2?}");
                    (0..3).for_each(|k| tables[g][k][n] = (dt, found[k]));
                }
                (0..3).for_each(|k| {
                    let [with, bare, of_body] = [0, 1, 2].map(|g: usize| tables[g][k][n].1);
                    assert!(bare <= 1.5 * with, "{scheme} {kind:?} {dt} quantity {k}: {bare:e} for {with:e}");
                    assert!(of_body <= 1.5 * with, "{scheme} {kind:?} {dt} quantity {k}: {of_body:e} for {with:e}");
                });
            }
            for (g, table) in tables.iter().enumerate() {
                for (k, quantity) in ["pose", "velocity", "acceleration"].iter().enumerate() {
                    assert_order(&format!("{scheme} {kind:?} {g} {quantity}"), &table[k], 2.0, 0.15);
                }
            }
        }
    }
}

/// Newton with exact matrices ends with one evaluation more than iterations. What is left out of
/// the matrices costs at most two evaluations per direction of the motion (Broyden's method ends
/// after 2n steps: Gay 1979, SIAM J. Numer. Anal. 16), at any size of the added mass.
#[test]
fn evaluations_per_step_are_few() {
    for dt in [0.025, 0.0015625] {
        let [iterations, calls] = run(IMPLICIT[0], Kind::All, Given::Exact, dt, &[]).1;
        assert!(calls <= iterations + 1.0 + 1e-12, "{iterations} {calls}");
        for ratio in [0.5, 20.0, 1e4] {
            let [bare, calls] = run(IMPLICIT[0], Kind::Acceleration(ratio), Given::Bare, dt, &[]).1;
            println!("{dt} {ratio}: {bare} {calls}");
            assert!(calls <= iterations + 12.0, "{ratio}: {calls} evaluations, {iterations} iterations with matrices");
        }
    }
}

#[test]
fn the_same_holds_for_residual_energies_sub_steps_and_given_initial_accelerations() {
    let exact = run("rk4", Kind::All, Given::Exact, 5e-4, &[]).0;
    for options in [
        &[("convergence", 1.0)][..],
        &[("max_time_step", 2.5e-3)],
        &[("rel_tolerance", 1e-10), ("abs_tolerance", 1e-10)],
        &[("rho_inf", 1.0)],
        &[("rho_inf", 0.0)],
    ] {
        let with = errors(&run(IMPLICIT[0], Kind::All, Given::Exact, 5e-3, options).0, &exact);
        let bare = errors(&run(IMPLICIT[0], Kind::All, Given::Bare, 5e-3, options).0, &exact);
        println!("{options:?}: {with:?} {bare:?}");
        // Residual energies leave an error of their own where matrices are exact: 10^-3 of work.
        (0..3).for_each(|k| assert!(bare[k] <= 1.5 * with[k], "{options:?}: {bare:?} {with:?}"));
    }
}

/// The accelerations that schemes of first-order form integrate: to rounding, at any size of the
/// added mass.
#[test]
fn accelerations_answer_to_an_added_mass_of_any_size() {
    for ratio in [0.1, 0.9, 1.0, 5.0, 1e3] {
        let [exact, bare] = [Given::Exact, Given::OfBody].map(|given| {
            let (mut sim, id) = body("rk4");
            give(&mut sim, id, Kind::Acceleration(ratio), given, Arc::default());
            sim.initialize(0.0).unwrap();
            sim.outputs().body_acceleration(id, Frame::Inertial).unwrap()
        });
        // The iteration ends where it changes nothing above 1e-9, and then by rounding; conditioned
        // as the inertia is.
        assert_close(
            &format!("ratio {ratio}"),
            &bare,
            &exact,
            1e-8 * exact.iter().fold(0.0, |a: f64, b| a.max(b.abs())),
        );
    }
    for scheme in ["rk4", "ab3", "aca5", "midpoint10"] {
        let [exact, bare] = [Given::Exact, Given::Bare].map(|given| run(scheme, Kind::All, given, 5e-3, &[]).0);
        errors(&exact, &bare).iter().for_each(|e| assert!(*e < 1e-7, "{scheme}: {e:e}"));
    }
}

/// A callback in single precision has an error of 6e-8 of its wrench at any motion: the iteration
/// must accept that.
#[test]
fn a_callback_in_single_precision_converges() {
    for scheme in IMPLICIT {
        let [exact, single] = [false, true].map(|single| {
            let (mut sim, id) = body(scheme);
            let callback = move |m: &BodyMotion, out: &mut BodyLoad| {
                let w = load(Kind::All, &m.pose, &m.velocity, &m.acceleration).0;
                out.wrench = if single { w.map(|x| f64::from(x as f32)) } else { w };
                Ok(())
            };
            sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
            sim.initialize(0.0).unwrap();
            (0..200).for_each(|n| sim.step(5e-3).unwrap_or_else(|e| panic!("{scheme} {n}: {e}")));
            sim.outputs().body_pose(id).unwrap()
        });
        // 6e-8 of 20 N on 2 kg, over 1 s: 3e-7
        assert_close(scheme, &single, &exact, 1e-6);
    }
}

/// A load with which the equations have no solution: the step fails.
#[test]
fn a_load_without_solution_fails_the_step() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4", "ab2"] {
        let (mut sim, id) = body(scheme);
        sim.initialize(0.0).unwrap();
        // The sign of the force is that of the acceleration, and larger than what makes it: no
        // acceleration fits.
        let callback = |m: &BodyMotion, out: &mut BodyLoad| {
            out.wrench[0] = if m.acceleration[0] > 0.0 { -50.0 } else { 50.0 };
            Ok(())
        };
        sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
        let before = sim.outputs().body_pose(id).unwrap();
        let outcome = sim.step(0.01);
        assert!(matches!(outcome, Err(Error::NoConvergence { .. })), "{scheme}: {outcome:?}");
        assert_eq!(sim.outputs().body_pose(id).unwrap(), before);
    }
}

/// A failed step leaves nothing of a load behind: the host restores its inputs, and the run
/// continues as if there had been no such step.
#[test]
fn a_step_that_failed_leaves_nothing_in_a_callback() {
    for scheme in ["euler", "rk2", "rk4", "ab3"] {
        let run = |fails: bool| {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            // Its centre of mass is what moves by the equations; the callback knows the reference
            // point.
            let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
            let id = sim.build().add_rigid_body(1.0, &[0.2, 0.1, 0.0], &inertia, &ORIGIN).unwrap();
            sim.build().set_body_velocity(id, &[0.0, 0.0, 0.1, 0.0, 0.1, 0.0]).unwrap();
            let diagonal = |x: f64| std::array::from_fn(|k| if k % 7 == 0 { x } else { 0.0 });
            let (stiffness, damping) = (diagonal(1e5), diagonal(1e4));
            sim.elements().add_bushing(GROUND, id, &ORIGIN, &ORIGIN, &stiffness, &damping).unwrap();
            // A callback without load, which is finite in any motion.
            let nothing = |_: &BodyMotion, _: &mut BodyLoad| Ok(());
            sim.inputs().set_load_callback(id, Some(Arc::new(nothing))).unwrap();
            sim.initialize(0.0).unwrap();
            if fails {
                let saved = sim.save().unwrap();
                // Far too long for the damper.
                sim.settings().set_option("max_time_step", 0.05).unwrap();
                sim.step(10.0).unwrap_err();
                sim.restore(&saved).unwrap();
            }
            // The damper's rate is 1e5 per second on the smallest inertia.
            sim.settings().set_option("max_time_step", 1e-6).unwrap();
            (0..5).for_each(|_| sim.step(1e-4).unwrap());
            sim.outputs().body_pose(id).unwrap().map(f64::to_bits)
        };
        assert_eq!(run(true), run(false), "{scheme}");
    }
}

/// The quasi-Newton updates for one body do not depend on other bodies or on the units.
#[test]
fn iterations_do_not_grow_with_bodies_and_do_not_depend_on_units_or_place() {
    let run = |bodies: usize, unit: f64, shift: f64| {
        let mut sim = Simulation::new();
        for k in 0..bodies {
            let x = [unit * (0.3 + shift + k as f64), -0.5 * unit, 0.4 * unit];
            let inertia = six(&diag(INERTIA.map(|j| j * unit * unit)));
            let id = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose(x, UNROTATED)).unwrap();
            let v = [1.0, -0.4, 0.6].map(|v| v * unit);
            sim.build().set_body_velocity(id, &join(v, [0.8, -1.1, 0.7])).unwrap();
            let callback = move |m: &BodyMotion, out: &mut BodyLoad| {
                let [mut p, mut v, mut a] = [m.pose, [0.0; 7], [0.0; 7]];
                v[..6].copy_from_slice(&m.velocity);
                a[..6].copy_from_slice(&m.acceleration);
                p[0] -= unit * (shift + k as f64);
                for i in 0..3 {
                    (p[i], v[i], a[i]) = (p[i] / unit, v[i] / unit, a[i] / unit);
                }
                let six = |x: [f64; 7]| std::array::from_fn(|k| x[k]);
                let w = load(Kind::All, &p, &six(v), &six(a)).0;
                out.wrench = std::array::from_fn(|i| w[i] * if i < 3 { unit } else { unit * unit });
                Ok(())
            };
            sim.inputs().set_load_callback(id, Some(Arc::new(callback))).unwrap();
        }
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let p = sim.outputs().body_pose(0).unwrap();
        (
            [p[0] / unit - shift, p[1] / unit, p[2] / unit, p[4], p[5], p[6]],
            sim.outputs().statistic("iterations").unwrap(),
        )
    };
    let (alone, iterations) = run(1, 1.0, 0.0);
    for (bodies, unit, shift, tolerance) in [
        (4, 1.0, 0.0, 1e-6),
        (16, 1.0, 0.0, 1e-6),
        (1, 1e3, 0.0, 1e-6),
        (1, 1e-3, 0.0, 1e-6),
        // positions are rounded to 1.2e-10, stiffness 45 N/m on 2 kg
        (1, 1.0, 1e6, 1e-6),
    ] {
        let (found, its) = run(bodies, unit, shift);
        println!("{bodies} {unit} {shift}: {its} for {iterations}");
        assert_close(&format!("{bodies} bodies, unit {unit}, shift {shift}"), &found, &alone, tolerance);
        assert!(its <= 1.25 * iterations, "{bodies} {unit} {shift}: {its} iterations for {iterations}");
    }
}

/// Trials, states and clones continue bit for bit, because the quasi-Newton updates are dropped
/// after each step.
#[test]
fn repeated_and_restored_steps_are_the_same_bits() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "ab4"] {
        for given in [Given::Exact, Given::Bare, Given::OfBody] {
            let make = || {
                let (mut sim, id) = body(scheme);
                give(&mut sim, id, Kind::All, given, Arc::default());
                sim.initialize(0.0).unwrap();
                sim
            };
            let bits = |sim: &Simulation| {
                let mut all = sim.outputs().body_pose(0).unwrap().to_vec();
                all.extend(sim.outputs().body_velocity(0, Frame::Inertial).unwrap());
                all.extend(sim.outputs().body_acceleration(0, Frame::Inertial).unwrap());
                all.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            };
            let mut sim = make();
            (0..7).for_each(|_| sim.step(0.01).unwrap());
            let saved = sim.save().unwrap();
            let mut copy = sim.clone();
            let mut fresh = make();
            fresh.restore(&saved).unwrap();
            for _ in 0..5 {
                sim.advance(0.03).unwrap();
                sim.advance(0.01).unwrap();
                sim.accept().unwrap();
                copy.step(0.01).unwrap();
                fresh.step(0.01).unwrap();
                assert_eq!(bits(&sim), bits(&copy), "{scheme} {given:?}: clone");
                assert_eq!(bits(&sim), bits(&fresh), "{scheme} {given:?}: restored");
            }
        }
    }
}

/// Without gravity: one callback pulls at a body that joints hold completely, another acts on a
/// body at rest. All accelerations are rounding errors, and the only scale in the model is the
/// load.
#[test]
fn bodies_at_rest_without_gravity_are_no_matter_of_convergence() {
    let at = pose([0.4, -1.2, 0.7], unit([0.8, 0.36, 0.48, 0.0]));
    let wrench = [3.0, 1.5, -2.0, 0.3, 1.0, -0.4];
    for scheme in ["generalized-alpha", "newmark", "rk4", "midpoint5"] {
        for by_callback in [true, false] {
            for depends in [0.0, 1.0] {
                let mut sim = Simulation::new();
                sim.settings().set_scheme(scheme).unwrap();
                let held = sim.build().add_rigid_body(MASS, &[0.1, 0.2, 0.0], &six(&diag(INERTIA)), &at).unwrap();
                let beside = [3.0, 0.0, 0.0];
                let free = sim
                    .build()
                    .add_rigid_body(MASS, &[0.0; 3], &six(&diag(INERTIA)), &pose(beside, UNROTATED))
                    .unwrap();
                let axis = [0.3, 0.5, -0.8];
                sim.build().add_joint_at(JointKind::Revolute, GROUND, held, &[0.1, -1.5, 0.3], Some(&axis)).unwrap();
                let [anchor, eye] = [[1.1, 0.2, -0.4], [0.6, 0.9, 0.3]].map(|x| pose(x, UNROTATED));
                sim.build().add_joint(JointKind::Distance, GROUND, held, &anchor, &eye).unwrap();
                let pull = move |m: &BodyMotion, out: &mut BodyLoad| {
                    let is_held = m.pose[0] < 2.0;
                    // Of what it says of accelerations nothing is there.
                    out.wrench =
                        std::array::from_fn(|k| if is_held { wrench[k] } else { 0.0 } - depends * m.acceleration[k]);
                    Ok(())
                };
                sim.inputs().set_load_callback(free, Some(Arc::new(pull))).unwrap();
                if by_callback {
                    sim.inputs().set_load_callback(held, Some(Arc::new(pull))).unwrap();
                } else {
                    sim.inputs().set_body_load(held, Frame::Inertial, &wrench).unwrap();
                }
                sim.initialize(0.0).unwrap();
                for _ in 0..20 {
                    sim.step(0.01).unwrap();
                }
                for body in [held, free] {
                    let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
                    // Positions are rounded to 2e-16, and accelerations by the formulas of
                    // Newmark's family to that over h^2/4.
                    assert_close(scheme, &a, &[0.0; 6], 1e-9);
                }
                let moved = place(&sim.outputs().body_displacement(held).unwrap());
                assert_close(scheme, &moved, &[0.0; 3], 1e-13);
            }
        }
    }
}

/// Weight and buoyancy given as loads: a damped body comes to rest on its mooring without gravity,
/// with every scheme.
#[test]
fn a_body_that_comes_to_rest_without_gravity_goes_on() {
    for scheme in ["generalized-alpha", "rk4", "ab4", "midpoint5", "wilson5"] {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        let body = sim.build().add_rigid_body(MASS, &[0.1, -0.2, 0.15], &six(&diag(INERTIA)), &ORIGIN).unwrap();
        let seat = pose([0.2, 0.05, 0.1], UNROTATED);
        let stiffness = diagonal([20.0, 30.0, 25.0, 10.0, 12.0, 14.0]);
        sim.elements().add_bushing(GROUND, body, &seat, &ORIGIN, &stiffness, &[0.0; 36]).unwrap();
        sim.inputs().set_body_load(body, Frame::Inertial, &[3.0, 1.5, -2.0, 0.3, 0.5, 0.2]).unwrap();
        let damped = |m: &BodyMotion, out: &mut BodyLoad| {
            let c = [16.0, 16.0, 16.0, 6.0, 6.0, 6.0];
            out.wrench = std::array::from_fn(|k| -c[k] * m.velocity[k]);
            (0..6).for_each(|k| out.damping[7 * k] = c[k]);
            Ok(())
        };
        sim.inputs().set_load_callback(body, Some(Arc::new(damped))).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..1500 {
            sim.step(0.02).unwrap();
        }
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        // 30 s at a decay of 2 to 4 a second.
        assert_close(scheme, &v, &[0.0; 6], 1e-10);
    }
}

/// A body of 1 kg slides at 2 m/s and stops by friction of 5.3 N, -F tanh(v/v_s), whether the
/// callback tells its matrix or not: behind v^2/(2 F), and rests there. Within the step of the stop
/// the deceleration ends: that is off by at most F h^2/2.
#[test]
fn friction_far_steeper_than_a_step_brings_a_body_to_rest() {
    let (force, speed) = (5.3, 2.0);
    for scheme in IMPLICIT {
        let cases = [0.01, 0.03, 0.1].into_iter().flat_map(|h| [1e-3, 1e-5, 1e-7].map(|slow| (h, slow)));
        for ((h, slow), tells) in cases.flat_map(|case| [true, false].map(|tells| (case, tells))) {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
            sim.build().set_body_velocity(body, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            let friction = move |motion: &BodyMotion, load: &mut BodyLoad| {
                let part = (motion.velocity[0] / slow).tanh();
                load.wrench[0] = -force * part;
                load.damping[0] = if tells { force * (1.0 - part * part) / slow } else { 0.0 };
                Ok(())
            };
            sim.inputs().set_load_callback(body, Some(Arc::new(friction))).unwrap();
            sim.initialize(0.0).unwrap();
            for step in 0..(1.0 / h) as usize {
                sim.step(h).unwrap_or_else(|error| panic!("{scheme}, h {h}, v_s {slow:e}, step {step}: {error}"));
            }
            let x = sim.outputs().body_pose(body).unwrap()[0];
            let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
            let claim = format!("{scheme}, h {h}, v_s {slow:e}, matrix {tells}: {x} m, {v} m/s");
            assert!((x - speed * speed / (2.0 * force)).abs() < 0.5 * force * h * h + slow, "{claim}");
            assert!(v.abs() < slow, "{claim}");
        }
    }
}
