//! Free points: closed forms, orders of convergence, conserved quantities, and that they move as
//! the centre of a body does.

use crate::common::*;
use crate::points::models::*;
use pintle::{Frame, GROUND, Simulation};

/// Schemes of first order, and those whose few substeps leave part of an error of first order.
fn first_order(scheme: &str) -> bool {
    ["euler", "leuler"].contains(&scheme) || scheme.ends_with('4') && !["rk4", "ab4", "lab4"].contains(&scheme)
}

#[test]
fn a_thrown_point_moves_on_a_parabola_with_every_scheme() {
    for scheme in schemes() {
        let mut sim = system(&scheme);
        let (x0, v0) = ([1.0, -2.0, 3.0], [4.0, 0.5, 6.0]);
        let (thrown, dropped) = (point(&mut sim, 0.7, x0), point(&mut sim, 3.0, [0.0; 3]));
        sim.build().set_point_velocity(thrown, &v0).unwrap();
        sim.initialize(0.0).unwrap();
        let h = 0.02;
        (0..50).for_each(|_| sim.step(h).unwrap());
        let t = sim.time().unwrap();
        let fall = [0.0, 0.0, -0.5 * G * t * t];
        // Constant acceleration: exact from second order on, to rounding of 50 sums; g t h/2 off
        // with Euler, either way.
        let error = if first_order(&scheme) { 0.5 * G * t * h * 1.0001 } else { 1e-12 * 20.0 };
        let [x, v, a] = state(&sim, thrown);
        assert_close(&format!("{scheme}, thrown"), &x, &add(add(x0, scale(t, v0)), fall), error);
        assert_close(&format!("{scheme}, velocity"), &v, &add(v0, [0.0, 0.0, -G * t]), 1e-11);
        assert_close(&format!("{scheme}, acceleration"), &a, &[0.0, 0.0, -G], 1e-11);
        assert_close(&format!("{scheme}, dropped"), &state(&sim, dropped)[0], &fall, error);
    }
}

/// One mass under a load and two springs: as a point, or as a body on whose centre of mass the
/// springs are.
fn on_springs(scheme: &str, options: &[(&str, f64)], is_point: bool, dts: &[f64]) -> Vec<f64> {
    let mut sim = system(scheme);
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    let (m, at, v) = (2.0, [0.3, 0.4, -0.2], [0.5, -1.0, 0.25]);
    let ends = [([-1.0, 0.0, 0.5], 40.0, 0.9), ([1.5, 0.2, 0.0], 30.0, 1.0)];
    let force = |t: f64| [1.0 + t, -2.0 * t, 3.0];
    let mut out = Vec::new();
    let id = if is_point {
        let id = point(&mut sim, m, at);
        sim.build().set_point_velocity(id, &v).unwrap();
        for (end, k, rest) in ends {
            let end = fixed(&mut sim, end);
            spring(&mut sim, end, id, k, 0.4, rest);
        }
        id
    } else {
        let id =
            sim.build().add_rigid_body(m, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(at, UNROTATED)).unwrap();
        sim.build().set_body_velocity(id, &join(v, [0.0; 3])).unwrap();
        for (end, k, rest) in ends {
            sim.elements().add_spring(GROUND, &end, id, &[0.0; 3], k, 0.4, rest, false).unwrap();
        }
        id
    };
    let give = |sim: &mut Simulation, t: f64| match is_point {
        true => sim.inputs().set_point_load(id, &force(t)).unwrap(),
        false => sim.inputs().set_body_load(id, Frame::Inertial, &join(force(t), [0.0; 3])).unwrap(),
    };
    give(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    for (k, dt) in dts.iter().enumerate() {
        let t = sim.time().unwrap();
        if k % 2 == 0 {
            give(&mut sim, t + dt);
        }
        // A load that is given during a trial is for the step after a rejection.
        sim.advance(*dt).unwrap();
        if k % 3 == 0 {
            give(&mut sim, t + 2.0 * dt);
            sim.reject().unwrap();
            sim.advance(*dt).unwrap();
        }
        sim.accept().unwrap();
        if is_point {
            out.extend(state(&sim, id).concat());
        } else {
            out.extend(place(&sim.outputs().body_pose(id).unwrap()));
            out.extend(&sim.outputs().body_velocity(id, Frame::Inertial).unwrap()[..3]);
            out.extend(&sim.outputs().body_acceleration(id, Frame::Inertial).unwrap()[..3]);
        }
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        out.extend([kinetic, potential]);
        out.extend(&sim.outputs().momentum(&[0.0; 3]).unwrap()[..3]);
    }
    out
}

/// Rounding of some hundred operations, and of a Newton iteration to 1e-13, on numbers up to 100 (k
/// times 1e-14).
const SAME: f64 = 1e-9;

#[test]
fn a_point_moves_as_the_centre_of_a_body_with_every_scheme_and_however_inputs_come() {
    let equal = [0.01; 40];
    let changing: [f64; 40] = std::array::from_fn(|k| 0.01 * [1.0, 0.7, 1.3, 1.1][k % 4]);
    for scheme in schemes() {
        for order in [0.0, 1.0] {
            for dts in [&equal, &changing] {
                // Convergence is measured over bodies and over points alike.
                let options = [("input_order", order), ("max_time_step", 0.006)];
                let [one, other] = [true, false].map(|is_point| on_springs(&scheme, &options, is_point, dts));
                assert_close(&format!("{scheme}, order {order}"), &one, &other, SAME);
            }
        }
    }
    for scheme in ["generalized-alpha", "newmark", "hht"] {
        let [one, other] = [true, false].map(|is_point| on_springs(scheme, &[("linear", 1.0)], is_point, &equal));
        assert_close(&format!("{scheme}, linear"), &one, &other, SAME);
    }
}

/// Displacement and velocity (over w) after a time, against the closed form.
fn off(scheme: &str, options: &[(&str, f64)], steps: impl Iterator<Item = f64>) -> f64 {
    let (w, y0) = (5.0, 0.3);
    let (mut sim, bead) = oscillator(scheme, w, y0);
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    sim.initialize(0.0).unwrap();
    steps.for_each(|h| sim.step(h).unwrap());
    let t = sim.time().unwrap();
    let [x, v, _] = state(&sim, bead);
    assert_eq!([x[1], x[2], v[1], v[2]], [0.0; 4], "along x only");
    (x[0] - y0 * (w * t).cos()).hypot(v[0] / w + y0 * (w * t).sin())
}

#[test]
fn a_mass_between_springs_oscillates_with_the_order_of_the_scheme() {
    let steps = [100, 200, 400, 800];
    for (scheme, order) in [("generalized-alpha", 2.0), ("rk4", 4.0), ("ab3", 3.0), ("lab2", 2.0), ("hht", 2.0)] {
        let table: Vec<_> = steps
            .into_iter()
            .map(|n| (2.0 / n as f64, off(scheme, &[], std::iter::repeat_n(2.0 / n as f64, n))))
            .collect();
        assert_order(scheme, &table, order, 0.15);
    }
    let linear: Vec<_> = steps
        .into_iter()
        .map(|n| (2.0 / n as f64, off("generalized-alpha", &[("linear", 1.0)], std::iter::repeat_n(2.0 / n as f64, n))))
        .collect();
    assert_order("linear", &linear, 2.0, 0.15);
}

#[test]
fn second_order_stays_where_steps_change() {
    for rho in [0.0, 0.8, 1.0] {
        let table: Vec<_> = [100, 200, 400, 800]
            .into_iter()
            .map(|n| {
                let h = 2.0 / n as f64;
                (h, off("generalized-alpha", &[("rho_inf", rho)], (0..n).map(|k| h * [0.8, 1.2][k % 2])))
            })
            .collect();
        assert_order(&format!("rho {rho}"), &table, 2.0, 0.2);
    }
}

#[test]
fn explicit_schemes_know_the_longest_stable_step_of_points() {
    for (scheme, reach) in [("rk4", 2.0 * 2f64.sqrt()), ("rk3", 3f64.sqrt()), ("lab3", 0.7236)] {
        let w = 50.0;
        let (mut sim, bead) = oscillator(scheme, w, 0.1);
        sim.initialize(0.0).unwrap();
        let longest = sim.outputs().statistic("stable_step").unwrap();
        // Limits on the imaginary axis (Hairer, Wanner II, IV.2); the estimate may be on the safe
        // side.
        assert!(longest <= 1.001 * reach / w && longest >= 0.5 * reach / w, "{scheme}: {longest}, {}", reach / w);
        (0..2000).for_each(|_| sim.step(0.99 * longest).unwrap());
        assert!(state(&sim, bead)[0][0].abs() < 0.2, "{scheme} is stable there");
    }
    let (mut sim, _) = oscillator("generalized-alpha", 50.0, 0.1);
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().statistic("stable_step").unwrap(), f64::INFINITY);
}

#[test]
fn points_and_a_body_between_springs_keep_momentum_and_energy() {
    let mut sim = system("rk4");
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let j = [0.3, 0.4, 0.5, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(2.0, &[0.1, 0.2, 0.0], &j, &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &[0.1, -0.2, 0.3, 0.5, 1.0, -0.7]).unwrap();
    let corners = [([1.0, 0.0, 0.2], 0.5), ([-0.5, 0.9, 0.0], 0.8), ([-0.5, -0.9, 0.1], 1.1)];
    let ids = corners.map(|(at, m)| point(&mut sim, m, at));
    for (k, id) in ids.into_iter().enumerate() {
        sim.build().set_point_velocity(id, &[0.2 * k as f64, 0.3, -0.1]).unwrap();
        spring(&mut sim, id, ids[(k + 1) % 3], 30.0, 0.0, 1.5);
        let on_body = attached(&mut sim, body, [0.1 * k as f64, 0.0, 0.3]);
        spring(&mut sim, id, on_body, 20.0, 0.0, 0.8);
    }
    sim.initialize(0.0).unwrap();
    let about = [0.4, -0.3, 0.2];
    let total = |sim: &Simulation| (sim.outputs().energy().unwrap(), sim.outputs().momentum(&about).unwrap());
    // By hand, the body from its own getters: m v of its centre of mass.
    let by_hand = |sim: &Simulation| {
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let at = sim.outputs().body_pose(body).unwrap();
        let c = rotate(turn(&at), [0.1, 0.2, 0.0]);
        let of_body = scale(2.0, add([v[0], v[1], v[2]], cross([v[3], v[4], v[5]], c)));
        ids.iter().zip(corners).fold(of_body, |sum, (id, (_, m))| add(sum, scale(m, state(sim, *id)[1])))
    };
    let ((kinetic, potential), before) = total(&sim);
    for _ in 0..4000 {
        sim.step(5e-4).unwrap();
    }
    let ((k, p), after) = total(&sim);
    assert!((k - kinetic).abs() > 0.1, "energy goes back and forth: {kinetic}, {k}");
    // Fourth order: (w h)^4 = (10 5e-4)^4 of some joules per period; momentum of internal forces to
    // rounding of 4000 sums.
    assert_close("energy", &[k + p], &[kinetic + potential], 1e-8);
    assert_close("linear momentum", &after[..3], &before[..3], 1e-11);
    assert_close("angular momentum", &after[3..], &before[3..], 1e-8);
    assert_close("sum", &after[..3], &by_hand(&sim), 1e-12);
}

/// A float on a spring deep in still water: its added mass has a kinetic energy too, and none is
/// lost.
#[test]
fn a_float_with_added_mass_keeps_its_energy() {
    let (mass, volume, ca, stiffness) = (20.0, 0.05, 0.6, 800.0);
    let mut sim = system("rk4");
    sim.settings().set_environment("water_density", 1000.0).unwrap();
    let anchor = fixed(&mut sim, [0.0, 0.0, -30.0]);
    let float = sim.build().add_point(mass, volume, &[0.3, 0.2, -28.0]).unwrap();
    sim.build().set_point_drag(float, 0.0, ca).unwrap();
    sim.build().set_point_velocity(float, &[0.5, -0.4, 0.6]).unwrap();
    spring(&mut sim, anchor, float, stiffness, 0.0, 1.8);
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| sim.outputs().energy().unwrap();
    let before = energy(&sim);
    let v = state(&sim, float)[1];
    assert_close("kinetic", &[before.0], &[0.5 * (mass + 1000.0 * volume * ca) * dot(v, v)], 1e-12);
    let mut span = 0.0f64;
    for _ in 0..2000 {
        sim.step(2e-3).unwrap();
        span = span.max((energy(&sim).0 - before.0).abs());
    }
    let after = energy(&sim);
    // w^2 = 800/50; fourth order: (w h)^5/144 (Hairer, Wanner II, IV.3) of the energy per step, for
    // 2000 steps: 5e-10 of some 50 J.
    assert!(span > 10.0, "energy goes back and forth");
    assert_close("energy", &[after.0 + after.1], &[before.0 + before.1], 1e-7);
}

/// Bodies and points, each an entity with steps of its own, against one clock for all.
#[test]
fn points_with_steps_of_their_own_converge_beside_bodies() {
    let end = |scheme: &str, h: f64| {
        let mut mixed = mixed(scheme, Placed::HERE).begin(Placed::HERE);
        mixed.run(Placed::HERE, std::iter::repeat_n(h, (0.4 / h).round() as usize));
        mixed.places(Placed::HERE)
    };
    let reference = end("rk4", 1e-3);
    for (scheme, order) in [("leuler", 1.0f64), ("lab2", 2.0), ("ab2", 2.0), ("generalized-alpha", 2.0), ("rk4", 4.0)] {
        let steps = if order == 4.0 { [2e-2, 1e-2, 5e-3] } else { [8e-3, 4e-3, 2e-3] };
        let table: Vec<_> = steps
            .map(|h| {
                let found = end(scheme, h);
                (h, found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
            })
            .into();
        // Loads are held over a step, which is of first order. An entity whose own steps are short
        // already keeps them when the host's are halved, which leaves part of the error where it
        // is.
        let least = if scheme == "leuler" { 0.5 } else { 0.8 };
        assert!(orders(&table).iter().all(|found| *found > least), "{scheme}: {table:?} {:?}", orders(&table));
    }
}
