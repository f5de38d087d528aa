//! Directional derivatives against finite differences of steps, each made from the same saved
//! state.

use crate::unit::{ERROR, Folder, OK, Unit, example};
use std::ptr::null_mut;

/// Derivatives of outputs with respect to a variable, by central differences of the last step.
/// `dt`: its length.
fn differences(unit: &Unit, start: *mut std::ffi::c_void, time: f64, dt: f64, known: &str, size: f64) -> Vec<f64> {
    let value = unit.get(known);
    let beside = |by: f64| {
        assert_eq!(unit.restore(start), OK);
        unit.set(known, value + by);
        unit.step(time, dt);
        unit.outputs()
    };
    let (ahead, behind) = (beside(size), beside(-size));
    assert_eq!(unit.restore(start), OK);
    unit.set(known, value);
    unit.step(time, dt);
    ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * size)).collect()
}

fn names(unit: &Unit, wanted: impl Fn(&str) -> bool) -> Vec<(u32, String)> {
    let outputs = unit.model.outputs.iter().enumerate();
    outputs.filter(|(_, output)| wanted(&output.name)).map(|(k, output)| (k as u32, output.name.clone())).collect()
}

/// Sets tolerances so tight that Newton's iteration converges to rounding.
fn tight(unit: &Unit) {
    unit.set("settings.abs_tolerance", 1e-14);
    unit.set("settings.rel_tolerance", 1e-12);
    unit.set("settings.on_no_convergence", 1.0);
}

/// The step of a linear model is linear in its loads: the derivative by compliance and the
/// difference of two steps differ by rounding alone, which differences over 1 N of displacements of
/// 1 m bring to 1e-16 / (dt^2 / m) of the derivative.
#[test]
fn they_are_exact_after_a_step() {
    let folder = example("oscillator");
    for version in [2, 3] {
        let unit = Unit::new(version, &folder);
        tight(&unit);
        unit.start();
        unit.step(0.0, 0.01);
        let start = unit.save(null_mut());
        unit.step(0.01, 0.02);
        let unknowns = names(&unit, |name| ["pos.x", "vel.x", "acc.x"].iter().any(|end| name.ends_with(end)));
        let references: Vec<u32> = unknowns.iter().map(|(k, _)| *k).collect();
        let expected = differences(&unit, start, 0.01, 0.02, "body.mass.load.fx", 100.0);
        let found = unit.derivative(&references, unit.find("body.mass.load.fx"));
        for ((k, name), found) in unknowns.iter().zip(&found) {
            let expected = expected[*k as usize];
            assert!(*found != 0.0 && (found - expected).abs() <= 1e-11 * expected.abs(), "{name}: {found} {expected}");
        }
        unit.drop_state(start);
    }
}

/// A chain of joints with everything that derivatives are known for: markers, a load in body axes,
/// a slide.
const CHAIN: &str = r#"
pintle_model = 1
gravity = [0, 0, -9.81]
[[body]]
name = "arm"
mass = 3
inertia = [0.3, 0.2, 0.25, 0.01, 0, 0]
pose = [0.5, 0, 0, 1, 0, 0, 0]
load = { frame = "body", wrench = [0, 0, 10, 0, 0, 0] }
[[body]]
name = "hand"
mass = 1
inertia = [0.02, 0.03, 0.04, 0, 0, 0]
pose = [1.2, 0, 0, 1, 0, 0, 0]
velocity = [0, 0, 0, 0, 0, 0]
[[joint]]
name = "shoulder"
kind = "spherical"
body_a = "ground"
body_b = "arm"
point = [0, 0, 0]
[[joint]]
name = "elbow"
kind = "cylindrical"
body_a = "arm"
body_b = "hand"
point = [1, 0, 0]
axis = [0, 1, 0]
[[spring]]
name = "band"
body_a = "ground"
point_a = [0, 0, 1]
body_b = "hand"
point_b = [0.2, 0, 0]
stiffness = 50
rest_length = 0.5
[[marker]]
name = "tip"
body = "hand"
frame = [0.3, 0, 0.1, 0.8, 0.6, 0, 0]
"#;

/// The FMU computes derivatives by compliance where possible and by differences elsewhere; both are
/// compared with differences computed here. Those of 1e-2 of a load of 10 N have truncation errors
/// of 1e-6 at most in steps of 10 ms, and rounding of 1e-14 / 1e-2.
#[test]
fn they_agree_with_differences_of_steps() {
    for damping in [0.0, 1.0] {
        check_all(damping);
    }
}

fn check_all(damping: f64) {
    let folder = Folder::with(CHAIN);
    let unit = Unit::new(3, &folder);
    tight(&unit);
    unit.set("settings.constraint_damping", damping);
    unit.start();
    let dt = 0.01;
    for n in 0..20 {
        unit.set("joint.elbow.load", 0.3);
        unit.step(dt * f64::from(n), dt);
    }
    let start = unit.save(null_mut());
    let time = unit.outputs()[0];
    unit.step(time, dt);
    let all = names(&unit, |name| name != "time");
    let references: Vec<u32> = all.iter().map(|(k, _)| *k).collect();
    let knowns = [
        "body.arm.load.fz",
        "body.hand.load.mx",
        "marker.tip.load.fy",
        "marker.tip.load.mz",
        "joint.elbow.load",
        "joint.elbow.slide_load",
    ];
    let mut off = Vec::new();
    for known in knowns {
        let expected = differences(&unit, start, time, dt, known, 1e-2);
        // Derivatives along all at once are computed by differences, single ones by compliance
        // where possible.
        let at_once = unit.derivative(&references, unit.find(known));
        for (((k, name), at_once), expected) in all.iter().zip(&at_once).zip(&expected[1..]) {
            let (alone, limit) = (unit.derivative(&[*k], unit.find(known))[0], 1e-7 + 1e-6 * expected.abs());
            for found in [alone, *at_once] {
                if (found - expected).abs() > limit || found.is_nan() {
                    off.push(format!("d {name} / d {known}: {found}, {expected}"));
                }
            }
        }
    }
    assert!(off.is_empty(), "constraint_damping {damping}: {off:#?}");
    unit.drop_state(start);
}

#[test]
fn a_direction_is_the_sum_of_its_parts() {
    let folder = Folder::with(CHAIN);
    let unit = Unit::started(3, &folder);
    unit.step(0.0, 0.01);
    unit.step(0.01, 0.01);
    let unknowns = names(&unit, |name| name.starts_with("marker.tip.pos"));
    let references: Vec<u32> = unknowns.iter().map(|(k, _)| *k).collect();
    let knowns = ["body.arm.load.fx", "body.hand.load.fz"].map(|name| unit.find(name));
    let parts = knowns.map(|known| unit.derivative(&references, known));
    let (status, whole) = unit.try_derivative(&references, &knowns, &[2.0, -3.0]);
    assert_eq!(status, OK);
    for (k, whole) in whole.iter().enumerate() {
        let sum = 2.0 * parts[0][k] - 3.0 * parts[1][k];
        assert!((whole - sum).abs() <= 1e-12 * (parts[0][k].abs() + parts[1][k].abs()), "{}", unknowns[k].1);
    }
    // An array is its elements.
    let wrench = unit.find("body.arm.wrench");
    let (status, array) = unit.try_derivative(&references, &[wrench], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    // The load of the arm is in body axes, and so is what is added to it.
    assert_eq!((status, &array), (OK, &parts[0]));
}

#[test]
fn before_the_first_step_they_are_those_of_the_start() {
    let folder = Folder::with(CHAIN);
    let unit = Unit::new(2, &folder);
    assert_eq!(unit.enter(0.0), OK);
    let value = |load: f64| {
        unit.set("body.hand.load.fz", load);
        unit.get("body.hand.acc.z")
    };
    // Accelerations are linear in the loads: the limit is rounding over the difference.
    let expected = (value(10.0) - value(0.0)) / 10.0;
    let found = unit.derivative(&[unit.find("body.hand.acc.z")], unit.find("body.hand.load.fz"))[0];
    assert!((found - expected).abs() < 1e-9 * expected.abs(), "{found} {expected}");
    // Derivatives with respect to parameters: twice the angular velocity, four times the
    // centripetal force.
    unit.set("settings.assemble", 1.0);
    let unknown = unit.find("body.arm.omega.z");
    let found = unit.derivative(&[unknown], unit.find("body.arm.initial.omega.z"))[0];
    assert!(found > 0.0 && found <= 1.0, "{found}");
}

#[test]
fn what_is_no_derivative_is_refused() {
    let folder = Folder::with(CHAIN);
    let unit = Unit::new(3, &folder);
    let (output, input) = (unit.find("body.arm.pos.x"), unit.find("body.arm.load.fx"));
    assert_eq!(unit.try_derivative(&[output], &[input], &[1.0]).0, ERROR, "mode Instantiated");
    unit.start();
    for (unknown, known, seed) in [
        (input, input, &[1.0][..]),
        (output, output, &[1.0]),
        (output, unit.find("settings.rho_inf"), &[1.0]),
        (output, 0xffff_ffff, &[1.0]),
        (output, input, &[]),
        (output, input, &[1.0, 2.0]),
        (output, input, &[f64::NAN]),
    ] {
        assert_eq!(unit.try_derivative(&[unknown], &[known], seed).0, ERROR, "{unknown} {known} {seed:?}");
    }
    assert_eq!(unit.try_derivative(&[output], &[input], &[0.0]), (OK, vec![0.0]));
}
