//! A floating platform: three springs, buoyancy and wave-like loads given for the end of each step.

use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};
use std::f64::consts::TAU;
use std::sync::OnceLock;

const MASS: f64 = 1.419625e7;
const INERTIA: V3 = [1.2898e10, 1.2851e10, 1.4189e10];
const REFERENCE: V3 = [0.0, 0.0, -7.53];
const G: f64 = 9.8124;
const STIFFNESS: f64 = 48.9e3;
const REST: f64 = 55.432;
const FAIRLEADS: [V3; 3] = [[-40.87, 0.0, -14.0], [20.43, -35.39, -14.0], [20.43, 35.39, -14.0]];
const ANCHORS: [V3; 3] = [[-105.47, 0.0, -58.4], [52.73, -91.34, -58.4], [52.73, 91.34, -58.4]];
const S: f64 = 1907514.4912628897;
const END: f64 = 10.01;
/// Independent solution at 10.01 s, to its printed digits.
const PRINTED: V3 = [-0.000301454149, 2.1671437349, 2.0676041751];

fn loads(t: f64) -> [f64; 6] {
    let buoyancy = S + G * MASS;
    let wave = |period: f64| (TAU * t / period).sin();
    [0.0, 1e6 * wave(20.0), buoyancy + 0.5 * S * wave(20.0), 5e5 * wave(15.0), 1e6 * wave(30.0), 2e7 * wave(60.0)]
}

fn rate(t: f64, y: &[f64], dy: &mut [f64]) {
    let q = orientation(y);
    let (mut force, mut moment) = halves(loads(t));
    force[2] -= MASS * G;
    for (fairlead, anchor) in FAIRLEADS.iter().zip(ANCHORS) {
        let arm = rotate(q, sub(*fairlead, REFERENCE));
        let line = sub(anchor, add(position(y), arm));
        let length = norm(line);
        let pull = scale(STIFFNESS * (length - REST) / length, line);
        force = add(force, pull);
        moment = add(moment, cross(arm, pull));
    }
    let mass = mass_matrix(MASS, [0.0; 3], diag(INERTIA));
    kirchhoff_rate(&mass, y, join(unrotate(q, force), unrotate(q, moment)), dy);
}

/// States every 0.01 s up to 60 s; RK4 at 2.5e-3 with rates below 1 rad/s: 60 * (2.5e-3)^4 / 120 =
/// 2e-11.
fn exact() -> &'static Vec<Vec<f64>> {
    static TABLE: OnceLock<Vec<Vec<f64>>> = OnceLock::new();
    TABLE.get_or_init(|| rk4_samples(rate, &body_state(&pose(REFERENCE, UNROTATED), &[0.0; 6]), 0.01, 6000, 4))
}

fn platform(options: &[(&str, f64)]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &six(&diag(INERTIA)), &pose(REFERENCE, UNROTATED)).unwrap();
    for (fairlead, anchor) in FAIRLEADS.iter().zip(ANCHORS) {
        sim.elements()
            .add_spring(body, &sub(*fairlead, REFERENCE), GROUND, &anchor, STIFFNESS, 0.0, REST, false)
            .unwrap();
    }
    (sim, body)
}

const RHO_1: (&str, f64) = ("rho_inf", 1.0);

#[test]
fn reference_meets_the_independent_solution() {
    let u = sub(position(&exact()[1001]), REFERENCE);
    // printed to 1e-10 (y, z) and 1e-12 (x)
    assert_close("u(10.01 s)", &u, &PRINTED, 2e-10);
}

#[test]
fn platform_meets_the_independent_solution_at_10_01_s() {
    let (mut sim, body) = platform(&[RHO_1]);
    sim.inputs().set_body_load(body, Frame::Inertial, &loads(0.0)).unwrap();
    sim.initialize(0.0).unwrap();
    for n in 1..=1001 {
        sim.inputs().set_body_load(body, Frame::Inertial, &loads(n as f64 * 0.01)).unwrap();
        sim.step(0.01).unwrap();
    }
    assert!((sim.time().unwrap() - END).abs() < 1e-11);
    let u = place(&sim.outputs().body_displacement(body).unwrap());
    println!("u - reference: {:?}", sub(u, PRINTED));
    // The trapezoidal rule turns a load of frequency w into one of relative error (w h)^2/12, twice
    // integrated: (0.314 * 0.01)^2 / 12 * 2.2 m = 1.8e-6 m, and as much again for the springs' own
    // frequency: 5e-6 for every component.
    assert_close("u(10.01 s)", &u, &PRINTED, 5e-6);
    let q = turn(&sim.outputs().body_pose(body).unwrap());
    // rotations are below 0.02 rad: the same relative error gives 2e-8 rad
    let angle = angle_between(q, orientation(&exact()[1001]));
    assert!(angle < 5e-8, "rotation off by {angle:e} rad");
}

/// Largest errors of displacement and rotation over 60 s, host steps of `stride` * 0.01 s.
fn error(options: &[(&str, f64)], stride: usize, give: impl Fn(&mut Simulation, Id, [f64; 6])) -> (f64, f64) {
    let (mut sim, body) = platform(options);
    give(&mut sim, body, loads(0.0));
    sim.initialize(0.0).unwrap();
    let mut worst = (0.0f64, 0.0f64);
    for n in 1..=6000 / stride {
        let t = (n * stride) as f64 * 0.01;
        give(&mut sim, body, loads(t));
        sim.step(stride as f64 * 0.01).unwrap();
        let y = &exact()[n * stride];
        let p = sim.outputs().body_pose(body).unwrap();
        worst.0 = worst.0.max(distance(place(&p), position(y)));
        worst.1 = worst.1.max(angle_between(turn(&p), orientation(y)));
    }
    worst
}

fn on_body(sim: &mut Simulation, body: Id, wrench: [f64; 6]) {
    sim.inputs().set_body_load(body, Frame::Inertial, &wrench).unwrap();
}

#[test]
fn platform_converges_at_second_order() {
    for rho in [0.6, 0.8, 1.0] {
        let options = [("rho_inf", rho), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
        let runs = [16, 8, 4, 2, 1].map(|s| (s as f64 * 0.01, error(&options, s, on_body)));
        assert_order(&format!("platform u, rho {rho}"), &runs.map(|(h, e)| (h, e.0)), 2.0, 0.1);
        assert_order(&format!("platform rotation, rho {rho}"), &runs.map(|(h, e)| (h, e.1)), 2.0, 0.1);
    }
}

#[test]
fn substeps_with_linear_inputs_keep_second_order_in_the_host_step() {
    // Host steps H with loads interpolated linearly inside: the interpolation lacks H^2/12 F'' on
    // average, the same order as a trapezoidal step of H; internal steps of 0.01 add 1/(H/0.01)^2
    // of that, so the ratio is 4 up to 1/16 = 6 % at H = 0.04.
    let options = [RHO_1, ("max_time_step", 0.01), ("input_order", 1.0)];
    let table = [32, 16, 8].map(|s| (s as f64 * 0.01, error(&options, s, on_body).0));
    assert_order("platform with substeps", &table, 2.0, 0.1);
    // relative (0.314 H)^2/12 of a load that alone would move it by its excursion of at most 30 m
    // in 60 s
    for (h, e) in table {
        assert!(e < 30.0 * (0.314 * h).powi(2) / 12.0 * 4.0, "H {h}: {e:e}");
    }
}

fn run(options: &[(&str, f64)], steps: usize, dt: f64, load: impl Fn(usize) -> [f64; 6]) -> [f64; 7] {
    let (mut sim, body) = platform(options);
    on_body(&mut sim, body, load(0));
    sim.initialize(0.0).unwrap();
    for n in 1..=steps {
        on_body(&mut sim, body, load(n));
        sim.step(dt).unwrap();
    }
    sim.outputs().body_pose(body).unwrap()
}

fn ramp(t: f64) -> [f64; 6] {
    let at = loads(0.0);
    [at[0] + 3e4 * t, at[1] + 1e5 * t, at[2] - 2e5 * t, 1e5 * t, -2e5 * t, 1e6 * t]
}

#[test]
fn substeps_with_linear_inputs_are_exact_for_ramps() {
    // 20 host steps of 0.5 s cut into five are 100 steps of 0.1 s with the ramp given at each: the
    // same arithmetic but for the interpolation, one rounding of 1e8 N (1e-8 N on 1e7 kg) per step
    let tight = [RHO_1, ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
    let small = run(&tight, 100, 0.1, |n| ramp(n as f64 * 0.1));
    let options = [tight.as_slice(), &[("max_time_step", 0.1), ("input_order", 1.0)]].concat();
    let cut = run(&options, 20, 0.5, |n| ramp(n as f64 * 0.5));
    assert_close("ramp", &cut, &small, 1e-10);
    // and it matters: held inputs give another motion (half a host step of load: 1e5 * 0.25 N over
    // 1.4e7 kg, 10 s: 0.09 m)
    let options = [tight.as_slice(), &[("max_time_step", 0.1), ("input_order", 0.0)]].concat();
    let held = run(&options, 20, 0.5, |n| ramp(n as f64 * 0.5));
    assert!((held[1] - small[1]).abs() > 0.03, "{held:?} {small:?}");
}

#[test]
fn substeps_with_held_inputs_are_small_steps_with_the_same_load() {
    let tight = [RHO_1, ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
    let small = run(&tight, 100, 0.1, |n| ramp(n.div_ceil(5) as f64 * 0.5));
    // 0.12 does not divide 0.5: five equal parts of 0.1, no remainder
    for longest in [0.1, 0.12, 0.1249] {
        let options = [tight.as_slice(), &[("max_time_step", longest)]].concat();
        let cut = run(&options, 20, 0.5, |n| ramp(n as f64 * 0.5));
        assert_close(&format!("longest step {longest}"), &cut, &small, 1e-10);
    }
}

#[test]
fn load_through_a_marker_at_the_reference_point_is_a_body_load() {
    let (mut by_body, body) = platform(&[]);
    let (mut by_marker, body_m) = platform(&[]);
    let marker = by_marker.build().add_marker(body_m, &ORIGIN).unwrap();
    on_body(&mut by_body, body, loads(0.0));
    by_marker.inputs().set_marker_load(marker, Frame::Inertial, &loads(0.0)).unwrap();
    by_body.initialize(0.0).unwrap();
    by_marker.initialize(0.0).unwrap();
    for n in 1..=500 {
        let load = loads(n as f64 * 0.02);
        by_body.inputs().set_body_loads(Frame::Inertial, &[load]).unwrap();
        by_marker.inputs().set_marker_loads(Frame::Inertial, &[load]).unwrap();
        by_body.step(0.02).unwrap();
        by_marker.step(0.02).unwrap();
    }
    // one summation order more or less: rounding of 10 m over 500 steps
    let (a, b) = (by_body.outputs().body_pose(body).unwrap(), by_marker.outputs().body_pose(body_m).unwrap());
    assert_close("pose", &b, &a, 1e-10);
    assert!(a[1].abs() > 0.1, "it moved: {a:?}");
    // the marker reports the body's motion
    assert_close("marker", &by_marker.outputs().marker_pose(marker).unwrap(), &b, 1e-14);
}

#[test]
fn springs_report_length_and_tension_of_the_formula() {
    let (mut sim, body) = platform(&[RHO_1]);
    on_body(&mut sim, body, loads(0.0));
    sim.initialize(0.0).unwrap();
    for n in 1..=100 {
        on_body(&mut sim, body, loads(n as f64 * 0.1));
        sim.step(0.1).unwrap();
    }
    let p = sim.outputs().body_pose(body).unwrap();
    for (k, (fairlead, anchor)) in FAIRLEADS.iter().zip(ANCHORS).enumerate() {
        let at = add(place(&p), rotate(turn(&p), sub(*fairlead, REFERENCE)));
        let length = distance(at, anchor);
        let (l, t) = sim.outputs().spring_force(k as Id).unwrap();
        assert_close("length", &[l], &[length], 1e-12 * length);
        assert_close("tension", &[t], &[STIFFNESS * (length - REST)], 1e-12 * STIFFNESS * length);
    }
}
