//! Double pendulums: planar with revolute joints, spatial with spherical ones (own data), against
//! Kane's equations in two and six coordinates.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const GRAVITY: V3 = [0.0, -9.81, 0.0];
const INERTIA: [(f64, V3); 2] = [(2.0, [0.05, 0.2, 0.25]), (1.2, [0.02, 0.08, 0.06])];
/// Joints in body axes, from the centres of mass.
const UPPER: [V3; 2] = [[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0]];
const LOWER: V3 = [-0.4, 0.0, 0.0];

/// The first body hangs with `UPPER[0]` on the origin, the second with `LOWER` on the first.
fn chain(axes: [[Vector; 3]; 2]) -> Configuration {
    let hung = |on: Vector, axes: [Vector; 3], joint: V3| {
        let arm = Placement { center: fixed([0.0; 3]), axes }.point(joint);
        Placement { center: on - arm, axes }
    };
    let one = hung(fixed([0.0; 3]), axes[0], UPPER[0]);
    let two = hung(one.point(UPPER[1]), axes[1], LOWER);
    Configuration { bodies: vec![one, two], forces: Vec::new(), potential: 0.0 }
}

/// Absolute angles from the x axis.
fn planar() -> Mechanism {
    let direction = |q: Jet| along(Vector([q.cos(), q.sin(), constant(0.0)]));
    let kinematics = move |q: &[Jet]| chain([direction(q[0]), direction(q[1])]);
    Mechanism { gravity: GRAVITY, inertia: INERTIA.to_vec(), kinematics: Box::new(kinematics) }
}

/// Three angles per body: about z, then the new y, then the new x.
fn spatial() -> Mechanism {
    let axes = |q: &[Jet]| {
        let mut axes = unturned();
        for (k, angle) in [2, 1, 0].into_iter().zip(q) {
            let about = axes[k];
            axes = axes.map(|u| u.turned(about, *angle));
        }
        axes
    };
    let kinematics = move |q: &[Jet]| chain([axes(&q[..3]), axes(&q[3..])]);
    Mechanism { gravity: GRAVITY, inertia: INERTIA.to_vec(), kinematics: Box::new(kinematics) }
}

fn build(mechanism: &Mechanism, start: &[f64], kind: JointKind, rho_inf: f64) -> (Simulation, Vec<Id>) {
    let mut sim = tight(rho_inf);
    let ids = mechanism.add_to(&mut sim, start);
    let between =
        mechanism.at(&start[..start.len() / 2], &start[start.len() / 2..], &vec![0.0; start.len() / 2]).bodies[0]
            .point(UPPER[1])
            .value();
    let z = [0.0, 0.0, 1.0];
    let axis = (kind == JointKind::Revolute).then_some(&z);
    sim.build().add_joint_at(kind, GROUND, ids[0], &[0.0; 3], axis).unwrap();
    sim.build().add_joint_at(kind, ids[0], ids[1], &between, axis).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

/// Both joints: the lower one carries the second body, the upper one both.
fn reactions(mechanism: &Mechanism, sim: &Simulation, exact: &Configuration, worst: &mut Worst) {
    let (one, two) = (mechanism.wrench(0, exact).0, mechanism.wrench(1, exact).0);
    let got = |joint: Id| halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0;
    worst.note_force(got(0), add(one, two));
    worst.note_force(got(1), two);
}

#[test]
fn planar_double_pendulum_converges_at_second_order() {
    let (mechanism, start) = (planar(), [0.3, -1.1, 0.8, -1.5]);
    Comparison { mechanism: &mechanism, start: &start, fine: 5e-4, substeps: 2, end: 1.6, length: 1.0 }
        .assert_second_order(
            "planar double pendulum",
            || build(&mechanism, &start, JointKind::Revolute, 0.8),
            |sim, exact, worst| reactions(&mechanism, sim, exact, worst),
        );
}

#[test]
fn spatial_double_pendulum_converges_at_second_order() {
    let mechanism = spatial();
    // all six angles and rates differ, and no second angle comes near 90 degrees
    let start = [0.4, 0.3, -0.5, -1.0, -0.4, 0.6, 0.7, -0.9, 0.5, -0.6, 1.1, -1.3];
    Comparison { mechanism: &mechanism, start: &start, fine: 1e-3, substeps: 4, end: 1.0, length: 1.0 }
        .assert_second_order(
            "spatial double pendulum",
            || build(&mechanism, &start, JointKind::Spherical, 0.8),
            |sim, exact, worst| reactions(&mechanism, sim, exact, worst),
        );
}

#[test]
fn references_conserve_energy() {
    // follows only if every term of Kane's equations is right; RK4 at 2.5e-4 with rates up to 10
    // rad/s: (2.5e-3)^4 / 120
    for (mechanism, start) in [
        (planar(), vec![0.3, -1.1, 0.8, -1.5]),
        (spatial(), vec![0.4, 0.3, -0.5, -1.0, -0.4, 0.6, 0.7, -0.9, 0.5, -0.6, 1.1, -1.3]),
    ] {
        let samples = mechanism.samples(&start, 1e-2, 100, 40);
        let (e0, e1) = (mechanism.energy(&samples[0]), mechanism.energy(&samples[100]));
        assert!((e1 - e0).abs() < 1e-9 * e0.abs().max(1.0), "{e0} to {e1}");
    }
}

#[test]
fn tree_keeps_constraints_and_energy_over_1e5_steps() {
    let (mechanism, start) = (spatial(), [0.4, 0.3, -0.5, -1.0, -0.4, 0.6, 0.7, -0.9, 0.5, -0.6, 1.1, -1.3]);
    let (mut sim, _) = build(&mechanism, &start, JointKind::Spherical, 1.0);
    let total = |sim: &Simulation| sim.outputs().energy().map(|(k, p)| k + p).unwrap();
    let (start, mut most) = (total(&sim), 0.0f64);
    let (mut gap, mut energy) = ([0.0f64; 2], [0.0f64; 2]);
    for n in 0..100_000 {
        sim.step(1e-3).unwrap();
        most = most.max(sim.outputs().energy().unwrap().0);
        gap[n / 50_000] = gap[n / 50_000].max(sim.outputs().constraint_violation().unwrap().0);
        energy[n / 50_000] = energy[n / 50_000].max((total(&sim) - start).abs());
    }
    println!("gap {gap:?}, energy {energy:?} of {most}");
    // positions of about 1 m are exact to rounding, at the end as at the start
    assert!(gap[0] < 1e-14 && gap[1] < 1e-14, "{gap:?}");
    // no numerical damping at rho_inf = 1: (w h)^2 with w up to 20 rad/s when the second body whips
    // around
    assert!(energy[0].max(energy[1]) < 4e-4 * most && energy[1] < 3.0 * energy[0], "{energy:?} of {most}");
}
