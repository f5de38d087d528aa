//! The OC3 Hywind spar on its three mooring lines, body and lines solved together: free decays
//! against the published frequencies.
//!
//! Data: Jonkman, Definition of the Floating System for Phase IV of OC3 (NREL/TP-500-47535). A
//! bushing has the hydrostatics without the part of the weight, which gravity gives, and the
//! additional yaw stiffness; the additional linear damping is set on the body.

use crate::common::models::oc3;
use crate::common::*;
use crate::models::*;
use crate::reference::Material;
use pintle::{Frame, GROUND, Id, Simulation};
use std::f64::consts::TAU;

const BUOYANCY: f64 = 80_708_100.0;
const SEGMENTS: i32 = 20;

/// The spar under buoyancy, with lines of 20 segments from 320 m to fairleads 70 m below the water.
fn spar() -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.80665]).unwrap();
    sim.settings().set_environment("water_density", 1025.0).unwrap();
    sim.settings().set_environment("depth", 320.0).unwrap();
    sim.settings().set_option("rho_inf", 0.9).unwrap();
    let body = sim.build().add_body(&columns(&oc3::inertia()), &ORIGIN).unwrap();
    sim.settings().set_added_mass(body, &columns(&oc3::added_mass()), Frame::Inertial).unwrap();
    sim.settings().set_linear_damping(body, &oc3::additional_damping(), Frame::Inertial).unwrap();
    let hydrostatics = diagonal([0.0, 0.0, 332941.0, -4999180000.0, -4999180000.0, 98340000.0]);
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &hydrostatics, &[0.0; 36]).unwrap();
    let chain = line_type(&mut sim, &Material { ba: -0.8, ..OC3 });
    for k in 0..3 {
        let (s, c) = (TAU * f64::from(k) / 3.0).sin_cos();
        let anchor = fixed(&mut sim, [853.87 * c, 853.87 * s, -320.0]);
        let place = [5.2 * c, 5.2 * s, -70.0];
        let fairlead = free(&mut sim, 0.0, place);
        sim.build().attach_point(fairlead, body, &place).unwrap();
        sim.elements().add_line(chain, anchor, fairlead, 902.2, SEGMENTS).unwrap();
    }
    pull(&mut sim, body, [0.0; 6]);
    sim.initialize(0.0).unwrap();
    (sim, body)
}

/// Sets the load: buoyancy and the static load of the decay test.
fn pull(sim: &mut Simulation, body: Id, mut wrench: [f64; 6]) {
    wrench[2] += BUOYANCY;
    sim.inputs().set_body_load(body, Frame::Inertial, &wrench).unwrap();
}

/// Displacement and rotation vector.
fn motion(sim: &Simulation, body: Id) -> [f64; 6] {
    let pose = sim.outputs().body_pose(body).unwrap();
    join(place(&pose), rotation_vector(turn(&pose)))
}

/// Period of one component after the static load is removed, by downward crossings of the
/// equilibrium.
fn period(wrench: [f64; 6], component: usize, dt: f64) -> f64 {
    let (mut sim, body) = spar();
    sim.solve_equilibrium(200, 1e-9).unwrap();
    let rest = motion(&sim, body)[component];
    pull(&mut sim, body, wrench);
    sim.solve_equilibrium(200, 1e-9).unwrap();
    let mut old = motion(&sim, body)[component] - rest;
    assert!(old > 0.0, "pulled to {old}");
    pull(&mut sim, body, [0.0; 6]);
    sim.inputs().mark_discontinuity().unwrap();
    let (mut passages, mut n) = (Vec::new(), 0);
    while passages.len() < 4 {
        sim.step(dt).unwrap();
        let new = motion(&sim, body)[component] - rest;
        if old > 0.0 && new <= 0.0 {
            passages.push(dt * (f64::from(n) + old / (old - new)));
        }
        (old, n) = (new, n + 1);
        assert!(n < 10_000, "no oscillation");
    }
    (passages[3] - passages[0]) / 3.0
}

/// Forces at rest: the elastic catenary's 911.09 kN at each fairlead, less 0.13 % for 20 segments,
/// and the spar hangs as published: buoyancy - weight - 1607 kN of the lines leaves 0.2 kN over a
/// stiffness of 345 kN/m.
#[test]
fn spar_and_lines_are_in_balance_where_published() {
    let (mut sim, body) = spar();
    sim.solve_equilibrium(200, 1e-9).unwrap();
    for line in 0..3 {
        let [x, y, z] = sim.lines().end_force(line, 1).unwrap();
        let force = x.hypot(y).hypot(z);
        assert!((force / 911.09e3 - 1.0).abs() < 3e-3, "line {line}: {force}");
    }
    // 0.1 % of 1607 kN are 5 mm.
    let heave = motion(&sim, body)[2];
    assert!(heave.abs() < 0.02, "{heave}");
}

/// Published (Jonkman and Matha 2011): 0.008, 0.032, 0.034 Hz, three decimals; yaw 0.121 Hz for a
/// turbine with flexible blades and tower, 0.1197 Hz with this inertia. Lines are stiffer when
/// pulled, so amplitudes are small; a pull at the depth of the fairleads moves the spar without
/// turning it. The scheme makes (w h)^2/12 of a period: 5e-4 in yaw at 0.1 s.
#[test]
fn free_decays_have_the_published_periods() {
    let surge = [41e3, 0.0, 0.0, 0.0, -70.0 * 41e3, 0.0];
    for (name, wrench, component, expected, published, half_digit) in [
        ("surge", surge, 0, 125.0, 0.008, 5e-4),
        ("heave", [0.0, 0.0, 2e5, 0.0, 0.0, 0.0], 2, 31.2, 0.032, 5e-4),
        ("pitch", [0.0, 0.0, 0.0, 0.0, 1.3e7, 0.0], 4, 29.8, 0.034, 5e-4),
        ("yaw", [0.0, 0.0, 0.0, 0.0, 0.0, 2e6], 5, 8.36, 0.121, 2.5e-3),
    ] {
        let found = period(wrench, component, 0.1);
        println!("{name}: {found:.2} s, expected {expected} s, published {published} Hz");
        assert!((found / expected - 1.0).abs() < 0.015, "{name}: {found} s");
        assert!((1.0 / found - published).abs() < half_digit, "{name}: {} Hz", 1.0 / found);
    }
}
