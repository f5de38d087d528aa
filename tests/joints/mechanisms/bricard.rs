//! Bricard's mechanism: six links in a ring of six revolute joints, each axis perpendicular to both
//! links, five of them moving. Counting gives no freedom, and it has one: one constraint is
//! redundant in every position, another one each time.
//!
//! IFToMM benchmark A04: slender rods of 1 m and 1 kg on edges of a cube, gravity 9.81 m/s^2 along
//! -y, from rest. Closed form: turning angles alternate, theta and phi, with cos(theta/2)
//! cos(phi/2) = 1/2 (Chen, You, Tarnai 2005, for twists of 90 degrees); sin((theta + phi)/4) =
//! cos(tau)/sqrt 2, sin((theta - phi)/4) = sin(tau)/sqrt 2 runs through all of it.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const START: [f64; 2] = [0.0, 0.0];

/// theta, phi; both pi/2 at tau = 0, where the rods lie on a cube.
fn angles(tau: Jet) -> [Jet; 2] {
    let quarter = |x: Jet| (x * std::f64::consts::FRAC_1_SQRT_2).asin() * 2.0;
    let (a, b) = (quarter(tau.cos()), quarter(tau.sin()));
    [a + b, a - b]
}

/// Rods from joint to joint: the fixed one comes down the z axis to the origin; then each turns on.
fn chain(tau: Jet) -> (Vec<Placement>, Vector) {
    let angles = angles(tau);
    let mut end = fixed([0.0; 3]);
    let mut link = fixed([0.0, 0.0, -1.0]);
    // joint axes: y, z, x, y, z, x at tau = 0, each the former turned about the link between by 90
    // degrees, to and fro
    let mut axis = fixed([0.0, -1.0, 0.0]);
    let mut rods = Vec::new();
    for k in 0..5 {
        link = link.turned(axis, angles[k % 2]);
        let side = axis.cross(link);
        rods.push(Placement { center: end + link * 0.5, axes: [link, axis, side * -1.0] });
        end = end + link;
        axis = if k % 2 == 0 { side } else { side * -1.0 };
    }
    (rods, end)
}

fn mechanism() -> Mechanism {
    let kinematics = |q: &[Jet]| Configuration { bodies: chain(q[0]).0, forces: Vec::new(), potential: 0.0 };
    let inertia = vec![(1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]); 5];
    Mechanism { gravity: [0.0, -9.81, 0.0], inertia, kinematics: Box::new(kinematics) }
}

fn build(rho_inf: f64) -> (Simulation, Vec<Id>) {
    let mut sim = tight(rho_inf);
    let ids = mechanism().add_to(&mut sim, &START);
    let (rods, _) = chain(constant(0.0));
    let link = |k: usize| if k == 0 { [0.0, 0.0, -1.0] } else { rods[k - 1].axes[0].value() };
    for k in 0..6 {
        let (a, b) = (if k == 0 { GROUND } else { ids[k - 1] }, if k == 5 { GROUND } else { ids[k] });
        let foot = if k == 0 { [0.0; 3] } else { rods[k - 1].point([0.5, 0.0, 0.0]).value() };
        let axis = cross(link(k), link((k + 1) % 6));
        sim.build().add_joint_at(JointKind::Revolute, a, b, &foot, Some(&axis)).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

#[test]
fn closed_form_closes_the_loop() {
    for n in 0..60 {
        let (rods, end) = chain(Jet { x: 0.1 * n as f64, dx: 1.0, ddx: 0.3 });
        // the last rod ends on top of the fixed one, its joint axis square to both
        assert!(distance(end.value(), [0.0, 0.0, 1.0]) < 1e-13, "{n}: {:?}", end.value());
        assert!(norm(end.rate()) < 1e-12 && norm(end.acceleration()) < 1e-11);
        let last = rods[4].axes[2].value();
        assert!((last[2]).abs() < 1e-13 && (last[0].abs() - 1.0).abs() < 1e-13, "{n}: axis {last:?}");
    }
}

#[test]
fn bricard_moves_with_one_freedom_at_second_order() {
    let mechanism = mechanism();
    let (sim, _) = build(0.8);
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 1.0);
    assert_eq!(sim.outputs().statistic("mobility").unwrap(), 1.0);
    let ends = |sim: &Simulation, exact: &Configuration, worst: &mut Worst| {
        let (first, last) = (
            sim.outputs().joint_reaction(0, Frame::Inertial).unwrap(),
            sim.outputs().joint_reaction(5, Frame::Inertial).unwrap(),
        );
        let got = sub(halves(first).0, halves(last).0); // the ground is body b of the last joint
        worst.note_force(got, (0..5).map(|b| mechanism.wrench(b, exact).0).fold([0.0; 3], add));
    };
    // Twice through phi = 0. The third time steps of 2e-3 end 4e-4 rad from there, and multipliers
    // have rounding over the square of that.
    let comparison =
        Comparison { mechanism: &mechanism, start: &START, fine: 5e-4, substeps: 4, end: 1.6, length: 1.0 };
    comparison.assert_second_order("Bricard", || build(0.8), ends);
}

#[test]
fn bricard_keeps_energy_and_symmetry_for_ten_seconds() {
    let (mut sim, _) = build(0.9);
    let total = |sim: &Simulation| sim.outputs().energy().map(|(k, p)| k + p).unwrap();
    let start = total(&sim);
    let (mut energy, mut gap, mut most) = (0.0f64, 0.0f64, 0.0f64);
    for n in 1..=10_000 {
        sim.step(1e-3).unwrap_or_else(|e| panic!("step {n}: {e}"));
        let (kinetic, _) = sim.outputs().energy().unwrap();
        most = most.max(kinetic);
        energy = energy.max((total(&sim) - start).abs());
        gap = gap.max(sim.outputs().constraint_violation().unwrap().0);
        // turning angles alternate: joints 0, 2, 4 and 1, 3, 5 (each positive for more of the first
        // turn)
        let q: Vec<f64> = (0..6).map(|k| sim.outputs().joint_coordinate(k).unwrap()[0]).collect();
        for k in 0..4 {
            assert!((q[k] - q[k + 2]).abs() < 1e-9, "step {n}: {q:?}");
        }
        let (theta, phi) = (q[0] + std::f64::consts::FRAC_PI_2, q[1] + std::f64::consts::FRAC_PI_2);
        assert!(((0.5 * theta).cos() * (0.5 * phi).cos() - 0.5).abs() < 1e-10, "step {n}: {theta} {phi}");
    }
    println!("Bricard: energy off by {energy:e} of {most}, gap {gap:e}");
    // joints turn at up to 10 rad/s: (w h)^2 = 1e-4 of the kinetic energy that comes and goes
    assert!(energy < 1e-4 * most, "{energy:e} of {most}");
    // at phi = 0 the 29 constraints that are kept tell one direction at second order only, which
    // the one left out sees: rounding of 1e-16 over the distance from there, 1e-6 rad and more at
    // the ends of steps
    assert!(gap < 1e-10, "{gap:e}");
}
