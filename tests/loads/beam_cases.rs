//! Beams against published values: elastica, the Princeton beam, Lee's frame; and ten thousand
//! turns.

use crate::beams::{Straight, at, deflection, spin_up, still};
use crate::common::*;
use pintle::simulation::Beams;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

/// Tip of an inextensible cantilever of length 1 along x with P/EI = k across it: theta'' = -k cos
/// theta, theta(0) = 0, theta'(1) = 0, by shooting with Runge and Kutta's method of order 4 (1000
/// steps: 1e-11).
fn elastica(k: f64) -> [f64; 3] {
    let shoot = |slope: f64| {
        let mut rate = |_: f64, y: &[f64], dy: &mut [f64]| {
            let (sin, cos) = y[0].sin_cos();
            dy.copy_from_slice(&[y[1], -k * cos, cos, sin]);
        };
        let mut y = [0.0, slope, 0.0, 0.0];
        (0..1000).for_each(|n| rk4_step(&mut rate, 1e-3 * f64::from(n), 1e-3, &mut y));
        y
    };
    // The slope at the tip rises with that at the root.
    let (mut low, mut high) = (0.0, k);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        *if shoot(middle)[1] > 0.0 { &mut high } else { &mut low } = middle;
    }
    let [theta, _, x, y] = shoot(low);
    [x, y, theta]
}

/// The elastica with P L^2/EI = 10 (Mattiasson 1981, Int. J. Numer. Methods Engrg. 17: 1 - x =
/// 0.55500, y = 0.81061, tip angle 1.43029), at the fourth order in the elements.
#[test]
fn the_elastica_is_met_at_fourth_order() {
    let exact = elastica(10.0);
    assert_close("Mattiasson", &exact, &[1.0 - 0.55500, 0.81061, 1.43029], 6e-6);
    let tip = |elements: i32| {
        let beam = Straight {
            length: 1.0,
            stiffness: [1e8, 1e8, 1e8, 1.0, 1.0, 1.0],
            mass: [1.0, 0.1, 0.1, 0.1],
            damping: 0.0,
            lumped: false,
        };
        let mut sim = still();
        let nodes = beam.add(&mut sim, elements, Some(GROUND));
        let tip = *nodes.last().unwrap();
        sim.initialize(0.0).unwrap();
        // In parts: the axial stiffness is 1e8 times that against bending.
        for load in [1.0, 2.0, 4.0, 7.0, 10.0] {
            sim.inputs().set_body_load(tip, Frame::Inertial, &[0.0, load, 0.0, 0.0, 0.0, 0.0]).unwrap();
            sim.solve_equilibrium(500, 1e-9).unwrap();
        }
        at(&sim, tip)
    };
    // Stretching and shear are 1e-7 of the length.
    let table =
        [6, 12, 24].map(|elements| (1.0 / f64::from(elements), distance(tip(elements), [exact[0], exact[1], 0.0])));
    assert!(table[1].1 < 1e-5, "{table:?}");
    assert_order("elastica", &table, 4.0, 1.0);
}

/// The Princeton beam (Dowell, Traybar 1975) under a force at 45 degrees: values of Legendre
/// spectral elements, converged to six digits in metres.
#[test]
fn the_princeton_beam_deflects_as_spectral_elements_do() {
    let stiffness = [2.842e6, 0.6401e6, 0.9039e6, 3.103, 36.28, 2.429];
    let stations = [0.0, 0.508].map(|s| (s, pose([s, 0.0, 0.0], UNROTATED)));
    for (load, flap, edge) in [(4.448, 0.056050, 0.003965), (8.896, 0.109032, 0.008889), (13.345, 0.156576, 0.015342)] {
        let part = load * 0.5f64.sqrt();
        let found = deflection(&stations, &diagonal(stiffness), 8, [0.0, part, part]);
        // Rounding of the published digits, and 1e-6 of 8 elements.
        assert!((found[1] - flap).abs() < 1.5e-6 && (found[2] - edge).abs() < 1.5e-6, "{load}: {found:?}");
    }
}

/// Lee's frame: two legs of 120 cm, E 7.2e6 N/cm^2, A 6 cm^2, I 2 cm^4, nu 0.3, hinged at both
/// ends, with a force down on the upper leg 24 cm from the corner. Its limit load is 18,552 N (Lee,
/// Manuel, Rossow 1968; Simo, Vu-Quoc 1986): the frame holds 0.2 % less, and snaps through under
/// 0.2 % more.
#[test]
fn lees_frame_snaps_through_at_its_limit_load() {
    let (e, area, second) = (7.2e6, 6.0, 2.0);
    let (ea, ga, ei) = (e * area, e * area / 2.6, e * second);
    let mut sim = still();
    let (stiffness, mass) = (diagonal([ea, ga, ga, ei, ei, ei]), diagonal([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    let corner = [0.0, 120.0, 0.0];
    let mut legs = Vec::new();
    for (from, to, axes, elements) in
        [(ORIGIN, corner, quat_exp([0.0, 0.0, 0.25 * TAU]), 10), (corner, [120.0, 120.0, 0.0], UNROTATED, 10)]
    {
        let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
        for (s, x) in [(0.0, from), (120.0, to)] {
            sim.elements().add_beam_station(beam, s, &pose(x, axes), &stiffness, &mass).unwrap();
        }
        if let Some(last) = legs.last() {
            let end = Beams::of(&sim).body(*last, 10).unwrap();
            sim.elements().attach_beam(beam, 0, end).unwrap();
        }
        sim.elements().mesh_beam(beam, elements).unwrap();
        legs.push(beam);
    }
    let body = |sim: &Simulation, leg: usize, node: i32| Beams::of(sim).body(legs[leg], node).unwrap();
    let loaded = body(&sim, 1, 2);
    for (foot, x) in [(body(&sim, 0, 0), ORIGIN), (body(&sim, 1, 10), [120.0, 120.0, 0.0])] {
        sim.build().add_joint_at(JointKind::Revolute, GROUND, foot, &x, Some(&[0.0, 0.0, 1.0])).unwrap();
    }
    sim.initialize(0.0).unwrap();
    let mut sinks = |load: f64| {
        sim.inputs().set_body_load(loaded, Frame::Inertial, &[0.0, -load, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.solve_equilibrium(2000, 1e-9).unwrap();
        120.0 - at(&sim, loaded)[1]
    };
    let below: Vec<f64> = [6e3, 12e3, 15e3, 17e3, 18e3, 18.3e3, 18.45e3, 0.998 * 18552.0].map(&mut sinks).into();
    assert!(below.is_sorted() && below[7] < 49.0, "{below:?}");
    let beyond = sinks(1.002 * 18552.0);
    assert!(beyond > 80.0, "{below:?} {beyond}");
}

const ORIGIN: V3 = [0.0; 3];

/// A blade that turns steadily keeps its strains over ten thousand turns: only the relative pose of
/// both ends of an element enters, and no history.
#[test]
fn strains_of_a_turning_blade_do_not_drift() {
    let (rate, h) = (6.0, 0.05);
    let blade = Straight {
        length: 10.0,
        stiffness: [2.8e7, 1e7, 1e7, 1.4e6, 1.4e6, 1.4e6],
        mass: [1.2, 6e-4, 6e-4, 6e-4],
        damping: 0.0,
        lumped: true,
    };
    let mut sim = still();
    let hub: Id =
        sim.build().add_rigid_body(1.0, &ORIGIN, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(ORIGIN, UNROTATED)).unwrap();
    let root = sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &ORIGIN, Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(root, true).unwrap();
    sim.inputs().set_joint_motion(root, 0.0, 0.0, 0.0).unwrap();
    blade.add(&mut sim, 1, Some(hub));
    sim.initialize(0.0).unwrap();
    let mut strains = Vec::new();
    let turns = |turns: f64| (turns * TAU / (rate * h)).round() as usize;
    for k in 1..=turns(10_000.0) {
        let [q, v, a] = spin_up(k as f64 * h);
        sim.inputs().set_joint_motion(root, q, v, a).unwrap();
        sim.step(h).unwrap();
        if [turns(500.0), turns(10_000.0)].contains(&k) {
            strains.push(Beams::of(&sim).strains(0, 4.0).unwrap());
        }
    }
    let tension = 1.2 * rate * rate * (100.0 - 16.0) / 2.0 / 2.8e7;
    assert!((strains[1][0] / tension - 1.0).abs() < 0.02, "{strains:?} {tension}");
    // The angle of 6e4 rad is rounded to 7e-12 rad, and increments end at 1e-8 of the length, of
    // which quadratic convergence leaves less than 1e-10 of it.
    assert_close("strains", &strains[0], &strains[1], 1e-9);
}
