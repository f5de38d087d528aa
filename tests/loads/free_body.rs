//! One free body: exact tops, conserved quantities, constant loads, reference points off the centre
//! of mass, gravity.

use crate::common::*;
use pintle::{Frame, Id, Simulation};

fn options(sim: &mut Simulation, options: &[(&str, f64)]) {
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
}

const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];

// ---- torque-free symmetric top -------------------------------------------------------------------------------------

const TOP: V3 = [1.0, 1.0, 0.5];
const TOP_OMEGA: V3 = [0.5, 0.5, 1.0];

fn symmetric_top(rho: f64) -> (Simulation, Id) {
    spinning(rho, TOP, TOP_OMEGA)
}

fn spinning(rho: f64, inertia: V3, omega: V3) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    options(&mut sim, &[("rho_inf", rho), TIGHT[0], TIGHT[1]]);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &six(&diag(inertia)), &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &join([0.3, -0.2, 0.1], omega)).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

/// R(t) = exp(t H / J1) exp(t (1 - J3/J1) w3 z): precession about the angular momentum and spin
/// about the axis.
fn top_orientation(t: f64) -> Quat {
    let h = [TOP[0] * TOP_OMEGA[0], TOP[1] * TOP_OMEGA[1], TOP[2] * TOP_OMEGA[2]];
    let spin = (1.0 - TOP[2] / TOP[0]) * TOP_OMEGA[2];
    quat_mul(quat_exp(scale(t / TOP[0], h)), quat_exp([0.0, 0.0, spin * t]))
}

/// Largest error of q over 5 s, and the largest component of it at 5 s.
fn top_errors(rho: f64, dt: f64) -> (f64, f64) {
    let (mut sim, body) = symmetric_top(rho);
    let (mut worst, mut end) = (0.0f64, 0.0);
    for n in 1..=(5.0 / dt).round() as usize {
        sim.step(dt).unwrap();
        let p = sim.outputs().body_pose(body).unwrap();
        let t = n as f64 * dt;
        let (q, exact) = (turn(&p), top_orientation(t));
        worst = worst.max(quat_error(q, exact));
        let sign = if q.iter().zip(exact).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        end = q.iter().zip(exact).fold(0.0, |e: f64, (a, b)| e.max((sign * a - b).abs()));
        // nothing couples the centre of mass: exact up to rounding
        assert_close("straight path", &place(&p), &[0.3 * t, -0.2 * t, 0.1 * t], 1e-12);
    }
    (worst, end)
}

#[test]
fn symmetric_top_follows_the_exact_solution() {
    let (worst, end) = top_errors(1.0, 0.01);
    println!("rho 1, dt 0.01: error of q at 5 s {end:.3e} (component), largest norm on the way {worst:.3e}");
    assert!(end < 3e-5, "{end:e}"); // the bound that is asked for
    for rho in [0.5, 0.8, 1.0] {
        let table = [0.02, 0.01, 5e-3, 2.5e-3].map(|dt| (dt, top_errors(rho, dt).0)).to_vec();
        assert_order(&format!("symmetric top, rho {rho}"), &table, 2.0, 0.1);
    }
}

/// Largest relative deviations of energy and angular momentum from their initial values, in windows
/// of `window` steps.
fn deviations(j: V3, omega: V3, dt: f64, windows: usize, window: usize) -> Vec<(f64, f64)> {
    let (mut sim, body) = spinning(1.0, j, omega);
    let h0 = [j[0] * omega[0], j[1] * omega[1], j[2] * omega[2]];
    let e0 = 0.5 * dot(h0, omega);
    let mut result = Vec::new();
    for _ in 0..windows {
        let mut worst = (0.0f64, 0.0f64);
        for _ in 0..window {
            sim.step(dt).unwrap();
            let q = turn(&sim.outputs().body_pose(body).unwrap());
            let (_, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
            let w_body = unrotate(q, w);
            let h = rotate(q, [j[0] * w_body[0], j[1] * w_body[1], j[2] * w_body[2]]);
            worst.0 = worst.0.max((0.5 * dot(h, w) - e0).abs() / e0);
            worst.1 = worst.1.max(distance(h, h0) / norm(h0));
        }
        result.push(worst);
    }
    result
}

#[test]
fn undamped_scheme_keeps_energy_and_momentum_bounded_at_second_order() {
    // What the scheme promises: at rho_inf = 1 with inertial increments it is the trapezoidal rule,
    // w' averaged over the ends and R advanced by exp(h (w_n + w_n+1)/2). It is symmetric in time,
    // so energy and angular momentum of this (integrable) motion deviate by O(h^2) and do not
    // drift. They are not exact, as they would be in a momentum-based scheme.
    let (j, omega) = ([1.0, 0.7, 0.5], TOP_OMEGA);
    let table: Vec<(f64, (f64, f64))> =
        [0.04, 0.02, 0.01].map(|dt| (dt, deviations(j, omega, dt, 1, (20.0 / dt) as usize)[0])).to_vec();
    assert_order("energy", &table.iter().map(|(h, e)| (*h, e.0)).collect::<Vec<_>>(), 2.0, 0.1);
    assert_order("angular momentum", &table.iter().map(|(h, e)| (*h, e.1)).collect::<Vec<_>>(), 2.0, 0.1);
    // deviations are at most (w h)^2 relative, w = |omega| = 1.22
    assert!(table[2].1.0 < 1.5e-4 && table[2].1.1 < 1.5e-4, "{table:?}");
    // 50 windows of 10 s: the last is as good as the first (quasi-periodic, so windows differ, but
    // by less than 2)
    let windows = deviations(j, omega, 0.01, 50, 1000);
    let (first, last) = (windows[0], windows[49]);
    println!("first window {first:?}, last {last:?}");
    assert!(last.0 < 2.0 * first.0 && last.1 < 2.0 * first.1, "drift: {first:?} -> {last:?}");
}

#[test]
fn undamped_scheme_keeps_the_energy_of_a_symmetric_top_exactly() {
    // Regular precession is a uniform rotation in the discrete motion too: |omega| and its angle to
    // the axis stay. Rounding of 5000 steps, each a few units of 1e-16, leaves 1e-12.
    let [(energy, momentum)] = deviations(TOP, TOP_OMEGA, 0.01, 1, 5000)[..] else { panic!("one window") };
    assert!(energy < 1e-12, "{energy:e}");
    assert!(momentum < 1.5e-4, "{momentum:e}"); // (w h)^2
}

#[test]
fn reported_energy_and_momentum_are_those_of_the_formulas() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.4, -0.3, -9.81]).unwrap();
    let (mass, com, j) = (2.5, [0.3, -0.1, 0.2], diag([0.8, 0.9, 1.1]));
    let q = unit([0.7, 0.1, -0.4, 0.5]);
    let body = sim.build().add_rigid_body(mass, &com, &six(&j), &pose([1.0, 2.0, 3.0], q)).unwrap();
    let velocity = [0.5, -1.0, 0.7, 1.1, -0.6, 0.9];
    sim.build().set_body_velocity(body, &velocity).unwrap();
    sim.initialize(0.0).unwrap();
    let y = body_state(&sim.outputs().body_pose(body).unwrap(), &velocity);
    let m = mass_matrix(mass, com, j);
    let (t, v0) = sim.outputs().energy().unwrap();
    assert_close("kinetic energy", &[t], &[kinetic(&m, &y)], 1e-12);
    let (p, l) = momenta(&m, &y);
    assert_close("momentum about the origin", &sim.outputs().momentum(&[0.0; 3]).unwrap(), &join(p, l), 1e-12);
    let about = [0.2, -3.0, 1.0];
    assert_close("about a point", &sim.outputs().momentum(&about).unwrap(), &join(p, sub(l, cross(about, p))), 1e-12);
    // potential energy is defined up to a constant: its change along a motion is -m g . (change of
    // the centre of mass)
    let com_of = |sim: &Simulation| {
        let p = sim.outputs().body_pose(body).unwrap();
        add(place(&p), rotate(turn(&p), com))
    };
    let c0 = com_of(&sim);
    for _ in 0..50 {
        sim.step(0.01).unwrap();
    }
    let change = sim.outputs().energy().unwrap().1 - v0;
    assert_close("potential", &[change], &[-mass * dot([0.4, -0.3, -9.81], sub(com_of(&sim), c0))], 1e-11);
}

// ---- constant loads ------------------------------------------------------------------------------------------------

const PUSH: [f64; 6] = [5.0, 0.0, 0.0, 0.0, 3.0, 0.0];

fn unit_body(rho: f64) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    options(&mut sim, &[("rho_inf", rho)]);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    (sim, body)
}

fn assert_pushed(claim: &str, sim: &Simulation, body: Id) {
    // constant accelerations: every scheme of second order is exact, 100 steps of rounding remain
    // (100 * 5 * 1e-16)
    assert_close(claim, &sim.outputs().body_velocity(body, Frame::Inertial).unwrap(), &PUSH, 1e-12);
    let p = sim.outputs().body_pose(body).unwrap();
    assert_close(claim, &place(&p), &[2.5, 0.0, 0.0], 1e-12);
    assert!(quat_error(turn(&p), quat_exp([0.0, 1.5, 0.0])) < 1e-12, "{claim}: {p:?}");
}

#[test]
fn constant_load_set_before_initialize_is_integrated_exactly() {
    for rho in [0.0, 0.5, 0.8, 1.0] {
        let (mut sim, body) = unit_body(rho);
        sim.inputs().set_body_load(body, Frame::Inertial, &PUSH).unwrap();
        sim.initialize(0.0).unwrap();
        assert_close("a(0)", &sim.outputs().body_acceleration(body, Frame::Inertial).unwrap(), &PUSH, 1e-13);
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        assert_pushed(&format!("rho {rho}"), &sim, body);
    }
}

#[test]
fn constant_load_set_only_after_initialize_is_integrated_exactly() {
    for rho in [0.0, 0.5, 0.8, 1.0] {
        let (mut sim, body) = unit_body(rho);
        sim.initialize(0.0).unwrap();
        sim.inputs().set_body_load(body, Frame::Inertial, &PUSH).unwrap();
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        assert_pushed(&format!("rho {rho}"), &sim, body);
    }
}

#[test]
fn constant_load_that_jumps_at_a_marked_discontinuity_is_integrated_exactly() {
    for rho in [0.0, 0.5, 0.8, 1.0] {
        let (mut sim, body) = unit_body(rho);
        sim.initialize(0.0).unwrap();
        for _ in 0..10 {
            sim.step(0.01).unwrap();
        }
        assert_close("at rest", &sim.outputs().body_velocity(body, Frame::Inertial).unwrap(), &[0.0; 6], 0.0);
        sim.inputs().mark_discontinuity().unwrap();
        sim.inputs().set_body_load(body, Frame::Inertial, &PUSH).unwrap();
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        assert_pushed(&format!("jump, rho {rho}"), &sim, body);
    }
}

#[test]
fn offset_reference_point_gives_the_same_motion_of_the_centre_of_mass() {
    // the same push (through the centre of mass) about a reference point at r from it: moment + r x
    // f changes sign
    let r = [0.4, -0.3, 0.6]; // centre of mass seen from the reference point
    let run = |dt: f64| {
        let mut sim = Simulation::new();
        options(&mut sim, &[TIGHT[0], TIGHT[1]]);
        let body = sim
            .build()
            .add_rigid_body(1.0, &r, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(scale(-1.0, r), UNROTATED))
            .unwrap();
        let mut error = 0.0f64;
        // the arm turns: the wrench about the reference point follows R r, R = exp(1.5 t^2 y),
        // given for the end of each step
        let wrench = |t: f64| {
            let arm = rotate(quat_exp([0.0, 1.5 * t * t, 0.0]), r);
            join([5.0, 0.0, 0.0], add([0.0, 3.0, 0.0], cross(arm, [5.0, 0.0, 0.0])))
        };
        sim.inputs().set_body_load(body, Frame::Inertial, &wrench(0.0)).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 1..=(1.0 / dt).round() as usize {
            let t = n as f64 * dt;
            sim.inputs().set_body_load(body, Frame::Inertial, &wrench(t)).unwrap();
            sim.step(dt).unwrap();
            let p = sim.outputs().body_pose(body).unwrap();
            let com = add(place(&p), rotate(turn(&p), r));
            error = error.max(distance(com, [2.5 * t * t, 0.0, 0.0]));
        }
        (dt, error)
    };
    // The centre of mass is what is integrated: a constant force moves it as exactly as about
    // itself, a host that lets the arm follow the exact angle changes its rotation only. 400 steps
    // of eps 2.5 m.
    for (dt, error) in [0.02, 0.01, 5e-3, 2.5e-3].map(run) {
        assert!(error < 400.0 * 2.5 * f64::EPSILON, "{dt}: {error:e}");
    }
}

// ---- general bodies against Runge-Kutta --------------------------------------------------------------------------------

struct General {
    mass: f64,
    com: V3,
    inertia: M3,
    start: [f64; 7],
    velocity: [f64; 6],
    gravity: V3,
}

impl General {
    fn error(&self, dt: f64, rho: f64, exact: &[Vec<f64>], fine: f64) -> f64 {
        let mut sim = Simulation::new();
        options(&mut sim, &[("rho_inf", rho), TIGHT[0], TIGHT[1]]);
        sim.settings().set_gravity(&self.gravity).unwrap();
        // once through mass, com, inertia and once through the 6x6 matrix: the same body
        let body = if rho < 0.7 {
            sim.build().add_rigid_body(self.mass, &self.com, &six(&self.inertia), &self.start).unwrap()
        } else {
            sim.build().add_body(&columns(&mass_matrix(self.mass, self.com, self.inertia)), &self.start).unwrap()
        };
        sim.build().set_body_velocity(body, &self.velocity).unwrap();
        sim.initialize(0.0).unwrap();
        let stride = (dt / fine).round() as usize;
        let mut worst = 0.0f64;
        for n in 1..=(exact.len() - 1) / stride {
            sim.step(dt).unwrap();
            let y = &exact[n * stride];
            let p = sim.outputs().body_pose(body).unwrap();
            worst = worst.max(distance(place(&p), position(y))).max(quat_error(turn(&p), orientation(y)));
        }
        worst
    }

    fn exact(&self, interval: f64, intervals: usize) -> Vec<Vec<f64>> {
        let m = mass_matrix(self.mass, self.com, self.inertia);
        let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
            let f = scale(self.mass, unrotate(orientation(y), self.gravity));
            kirchhoff_rate(&m, y, join(f, cross(self.com, f)), dy);
        };
        rk4_samples(rate, &body_state(&self.start, &self.velocity), interval, intervals, 2)
    }
}

#[test]
fn asymmetric_body_tumbles_as_runge_kutta_says() {
    // near the unstable middle axis, products of inertia present; RK4 at 1.25e-3: (3 * 1.25e-3)^4 =
    // 2e-10, against 1e-5
    let inertia = to_body(unit([0.9, 0.2, -0.3, 0.1]), &diag([1.0, 2.0, 2.6]));
    let body = General {
        mass: 1.7,
        com: [0.0; 3],
        inertia,
        start: pose([0.1, 0.2, 0.3], unit([0.5, 0.5, -0.1, 0.7])),
        velocity: [0.1, 0.0, -0.2, 0.3, 2.5, 0.4],
        gravity: [0.0; 3],
    };
    let exact = body.exact(2.5e-3, 1600);
    for rho in [0.5, 0.9, 1.0] {
        let table = [0.01, 5e-3, 2.5e-3].map(|dt| (dt, body.error(dt, rho, &exact, 2.5e-3)));
        assert_order(&format!("tumbling body, rho {rho}"), &table, 2.0, 0.1);
    }
}

#[test]
fn body_with_offset_centre_of_mass_falls_on_its_parabola() {
    let body = General {
        mass: 3.0,
        com: [0.5, -0.2, 0.3],
        inertia: diag([0.6, 0.7, 0.8]),
        start: pose([0.0, 0.0, 10.0], unit([0.6, -0.3, 0.2, 0.7])),
        velocity: [1.0, 0.5, 2.0, 1.2, -0.7, 1.9],
        gravity: [0.0, 0.0, -9.81],
    };
    let exact = body.exact(2.5e-3, 800);
    // the reference itself: its centre of mass is on the parabola
    let (q0, c) = (turn(&body.start), body.com);
    let com0 = add(place(&body.start), rotate(q0, c));
    let (v0, w0) = halves(body.velocity);
    let vc = add(v0, cross(w0, rotate(q0, c)));
    let y = &exact[800];
    let com = add(position(y), rotate(orientation(y), c));
    assert_close("reference", &com, &add(add(com0, scale(2.0, vc)), [0.0, 0.0, -2.0 * 9.81]), 1e-9);
    for rho in [0.5, 0.9] {
        let table = [0.01, 5e-3, 2.5e-3].map(|dt| (dt, body.error(dt, rho, &exact, 2.5e-3)));
        assert_order(&format!("falling body, rho {rho}"), &table, 2.0, 0.1);
    }
}

#[test]
fn initial_acceleration_of_a_falling_offset_body_is_exact() {
    let (com, q) = ([0.5, -0.2, 0.3], unit([0.6, -0.3, 0.2, 0.7]));
    let (mass, j) = (3.0, diag([0.6, 0.7, 0.8]));
    let velocity = [1.0, 0.5, 2.0, 1.2, -0.7, 1.9];
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let body = sim.build().add_rigid_body(mass, &com, &six(&j), &pose([0.0; 3], q)).unwrap();
    sim.build().set_body_velocity(body, &velocity).unwrap();
    sim.initialize(0.0).unwrap();
    let (_, w) = halves(velocity);
    let wb = unrotate(q, w);
    // J w' = -w x J w about the centre of mass; the reference point: g - w' x c - w x (w x c)
    let gyro = cross(wb, mul3(&j, wb));
    let wdot = rotate(q, [-gyro[0] / j[0][0], -gyro[1] / j[1][1], -gyro[2] / j[2][2]]);
    let c = rotate(q, com);
    let a = sub(sub([0.0, 0.0, -9.81], cross(wdot, c)), cross(w, cross(w, c)));
    let got = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert_close("acceleration", &got, &join(a, wdot), 1e-12);
    let in_body = sim.outputs().body_acceleration(body, Frame::Body).unwrap();
    assert_close("in body axes", &in_body, &join(unrotate(q, a), unrotate(q, wdot)), 1e-12);
    let v = sim.outputs().body_velocity(body, Frame::Body).unwrap();
    assert_close("velocity in body axes", &v, &join(unrotate(q, [1.0, 0.5, 2.0]), wb), 1e-14);
}
