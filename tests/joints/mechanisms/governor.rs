//! Flyball governor: a spinning shaft, two rods hinged to its top, a base that slides on it, a
//! spring with damper from the middle of each rod to the base.
//!
//! Data of benchmark A05 (mbsbenchmark, as public codes quote it): rods and shaft of 1 m, 0.01 x
//! 0.01 m, 3000 kg/m^3; base a cube of 0.1 m; rest length 0.5 m; 2 pi rad/s. Springs are a thousand
//! times softer and dampers ten thousand times (800 N/m, 4 Ns/m): as published their motions are
//! too small to test. The shaft is free instead of driven, so that spin and rods exchange momentum.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::{FRAC_PI_3, TAU};

const STIFFNESS: f64 = 800.0;
const DAMPING: f64 = 4.0;
const REST: f64 = 0.5;
const TOP: f64 = 1.0;
const SIDE: f64 = 0.05;
const Z: V3 = [0.0, 0.0, 1.0];
/// Spin, angles of both rods from the downward vertical, height of the base. The rods differ, so
/// that nothing cancels.
const START: [f64; 8] = [0.0, FRAC_PI_3, FRAC_PI_3 - 0.2, 0.5, TAU, 0.0, 0.5, 0.0];

fn mechanism(damping: f64) -> Mechanism {
    let kinematics = move |q: &[Jet]| {
        let axes = unturned().map(|u| u.turned(fixed(Z), q[0]));
        let shaft = Placement { center: fixed([0.0, 0.0, 0.5]), axes };
        let rod = |side: f64, angle: Jet| {
            let down = axes[0] * angle.sin() * side - axes[2] * angle.cos();
            let center = shaft.point([side * SIDE, 0.0, TOP - 0.5]) + down * 0.5;
            Placement { center, axes: [down, axes[1], down.cross(axes[1])] }
        };
        let (one, two) = (rod(1.0, q[1]), rod(-1.0, q[2]));
        let base = Placement { center: Vector([constant(0.0), constant(0.0), q[3]]), axes };
        let lengths = [(one, SIDE), (two, -SIDE)].map(|(rod, x)| (rod.center - base.point([x, 0.0, 0.0])).norm());
        let forces = lengths.map(|l| (l, -STIFFNESS * (l.x - REST) - damping * l.dx)).to_vec();
        let potential = lengths.iter().map(|l| 0.5 * STIFFNESS * (l.x - REST) * (l.x - REST)).sum();
        Configuration { bodies: vec![shaft, one, two, base], forces, potential }
    };
    let (rod, base) = (0.3, 3.0);
    let (across, about) = (rod / 12.0, rod * 1e-4 / 6.0);
    let slender = [about, across, across];
    let inertia = vec![(rod, [across, across, about]), (rod, slender), (rod, slender), (base, [base * 1e-2 / 6.0; 3])];
    Mechanism { gravity: [0.0, 0.0, -9.81], inertia, kinematics: Box::new(kinematics) }
}

fn build(damping: f64, rho_inf: f64) -> (Simulation, Vec<Id>) {
    let mut sim = tight(rho_inf);
    let ids = mechanism(damping).add_to(&mut sim, &START);
    let y = [0.0, 1.0, 0.0];
    sim.build().add_joint_at(JointKind::Revolute, GROUND, ids[0], &[0.0; 3], Some(&Z)).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, ids[0], ids[1], &[SIDE, 0.0, TOP], Some(&y)).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, ids[0], ids[2], &[-SIDE, 0.0, TOP], Some(&y)).unwrap();
    sim.build().add_joint_at(JointKind::Prismatic, ids[0], ids[3], &[0.0, 0.0, 0.5], Some(&Z)).unwrap();
    for (rod, x) in [(ids[1], SIDE), (ids[2], -SIDE)] {
        sim.elements().add_spring(rod, &[0.0; 3], ids[3], &[x, 0.0, 0.0], STIFFNESS, damping, REST, false).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

#[test]
fn governor_converges_at_second_order() {
    let mechanism = mechanism(DAMPING);
    let foot = |sim: &Simulation, exact: &Configuration, worst: &mut Worst| {
        let got = halves(sim.outputs().joint_reaction(0, Frame::Inertial).unwrap()).0;
        worst.note_force(got, (0..4).map(|b| mechanism.wrench(b, exact).0).fold([0.0; 3], add));
    };
    let build = || build(DAMPING, 0.8);
    assert_eq!(build().0.outputs().statistic("mobility").unwrap(), 4.0);
    assert_eq!(build().0.outputs().statistic("redundant_constraints").unwrap(), 0.0);
    let comparison =
        Comparison { mechanism: &mechanism, start: &START, fine: 2.5e-4, substeps: 2, end: 1.0, length: 1.0 };
    comparison.assert_second_order("governor", build, foot);
}

#[test]
fn governor_keeps_its_spin_and_without_dampers_its_energy() {
    let (mut sim, _) = build(0.0, 1.0);
    let spin = |sim: &Simulation| sim.outputs().momentum(&[0.0; 3]).unwrap()[5];
    let total = |sim: &Simulation| sim.outputs().energy().map(|(k, p)| k + p).unwrap();
    let (l0, e0, k0) = (spin(&sim), total(&sim), sim.outputs().energy().unwrap().0);
    let mut worst = [0.0f64; 2];
    for _ in 0..20_000 {
        sim.step(5e-4).unwrap();
        worst[0] = worst[0].max((spin(&sim) - l0).abs() / l0);
        worst[1] = worst[1].max((total(&sim) - e0).abs() / k0);
    }
    println!("governor: spin {:e}, energy {:e}", worst[0], worst[1]);
    // springs and rods oscillate at up to 60 rad/s: (w h)^2 = 9e-4; spin changes with the rods at
    // 20 rad/s: 1e-4
    assert!(worst[0] < 1e-4, "spin {:e}", worst[0]);
    assert!(worst[1] < 9e-4, "energy {:e}", worst[1]);
}
