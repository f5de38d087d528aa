//! N four-bar windows of equal links: rhombic, so that every turn passes two singular positions
//! where all links are in line and the mechanism could leave its path.
//!
//! IFToMM benchmark A02 (Bayo, Avello 1994): links of 1 m and 1 kg (slender), gravity 9.81 m/s^2
//! along -y, cranks upright at the start, their tops moving at 1 m/s along x.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const START: [f64; 2] = [0.0, 1.0];

/// The angle of the cranks from the upright position towards x; bodies: N + 1 cranks, then N
/// couplers.
fn mechanism(windows: usize) -> Mechanism {
    let kinematics = move |q: &[Jet]| {
        let u = Vector([q[0].sin(), q[0].cos(), constant(0.0)]);
        let foot = |k: usize| fixed([k as f64, 0.0, 0.0]);
        let cranks = (0..=windows).map(|k| Placement { center: foot(k) + u * 0.5, axes: along(u) });
        let couplers =
            (0..windows).map(|k| Placement { center: foot(k) + u + fixed([0.5, 0.0, 0.0]), axes: unturned() });
        Configuration { bodies: cranks.chain(couplers).collect(), forces: Vec::new(), potential: 0.0 }
    };
    let inertia = vec![(1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]); 2 * windows + 1];
    Mechanism { gravity: [0.0, -9.81, 0.0], inertia, kinematics: Box::new(kinematics) }
}

fn build(windows: usize, rho_inf: f64) -> (Simulation, Vec<Id>) {
    build_from(windows, rho_inf, &START)
}

fn build_from(windows: usize, rho_inf: f64, start: &[f64; 2]) -> (Simulation, Vec<Id>) {
    let mut sim = tight(rho_inf);
    let ids = mechanism(windows).add_to(&mut sim, start);
    let (sin, cos) = start[0].sin_cos();
    let z = [0.0, 0.0, 1.0];
    let mut hinge = |a: Id, b: Id, x: usize, y: f64| {
        sim.build().add_joint_at(JointKind::Revolute, a, b, &[x as f64 + y * sin, y * cos, 0.0], Some(&z)).unwrap();
    };
    (0..=windows).for_each(|k| hinge(GROUND, ids[k], k, 0.0));
    for k in 0..windows {
        hinge(ids[k], ids[windows + 1 + k], k, 1.0);
        hinge(ids[k + 1], ids[windows + 1 + k], k + 1, 1.0);
    }
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

/// Force on all feet: what all bodies together need. The single ones are shared by least norm.
fn feet(windows: usize, sim: &Simulation, exact: &Configuration, worst: &mut Worst) {
    let mechanism = mechanism(windows);
    let sum = |forces: &mut dyn Iterator<Item = V3>| forces.fold([0.0; 3], add);
    let got =
        sum(&mut (0..=windows).map(|k| halves(sim.outputs().joint_reaction(k as Id, Frame::Inertial).unwrap()).0));
    worst.note_force(got, sum(&mut (0..exact.bodies.len()).map(|b| mechanism.wrench(b, exact).0)));
}

#[test]
fn each_planar_loop_has_three_redundant_constraints() {
    for windows in [1, 2, 4] {
        let (sim, _) = build(windows, 0.8);
        assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 3.0 * windows as f64);
        assert_eq!(sim.outputs().statistic("mobility").unwrap(), 1.0);
        let constraints = 6.0 * (2 * windows + 1) as f64 - 1.0;
        assert_eq!(sim.outputs().statistic("constraints").unwrap(), constraints);
    }
}

#[test]
fn four_bar_passes_singular_positions_at_second_order() {
    // to 1.6 s: upside down and up again, past both singular positions
    for windows in [1, 2] {
        let mechanism = mechanism(windows);
        let turned = mechanism.samples(&START, 1.6, 1, 2000)[1][0];
        assert!(turned > 1.5 * std::f64::consts::PI, "{turned} rad");
        let claim = format!("{windows} windows");
        let force = |sim: &Simulation, exact: &Configuration, worst: &mut Worst| feet(windows, sim, exact, worst);
        let comparison =
            Comparison { mechanism: &mechanism, start: &START, fine: 5e-4, substeps: 4, end: 1.6, length: 1.0 };
        comparison.assert_second_order(&claim, || build(windows, 0.8), force);
    }
}

#[test]
fn benchmark_a02_keeps_its_energy_for_ten_seconds() {
    let (mut sim, _) = build(2, 0.9);
    let total = |sim: &Simulation| sim.outputs().energy().map(|(k, p)| k + p).unwrap();
    let start = total(&sim);
    let (mut worst, mut gap) = (0.0f64, 0.0f64);
    for n in 1..=10_000 {
        sim.step(1e-3).unwrap_or_else(|e| panic!("step {n}: {e}"));
        worst = worst.max((total(&sim) - start).abs());
        gap = gap.max(sim.outputs().constraint_violation().unwrap().0);
    }
    println!("A02: energy off by {worst:e} of 69 J, gap {gap:e}");
    // cranks turn at up to 7 rad/s: (w h)^2 = 5e-5, of the 69 J that go back and forth
    assert!(worst < 5e-5 * 69.0, "{worst:e}");
    assert!(gap < 1e-12, "{gap:e}");
}

#[test]
fn a_start_in_a_singular_position_is_not_silently_wrong() {
    // All links in line: the loop has four dependent constraints there, and three everywhere else.
    // If the library leaves out four, it must notice when one is needed: either the motion is
    // right, or a step fails and the joints stay closed.
    for offset in [0.0, 1e-9, 1e-6] {
        let start = [std::f64::consts::FRAC_PI_2 - offset, 1.0];
        let (mut sim, ids) = build_from(1, 0.8, &start);
        let mechanism = mechanism(1);
        let samples = mechanism.samples(&start, 1e-3, 2000, 4);
        let failure = (1..=2000).find_map(|n| {
            let outcome = sim.step(1e-3);
            let gap = sim.outputs().constraint_violation().unwrap().0;
            // 1e-4 of the model's length and of the angle, times the steepness of what grows within
            // one step
            assert!(gap < 1e-3, "offset {offset}, step {n}: joints are {gap} apart");
            outcome.err().map(|error| (n, error))
        });
        let Some((n, error)) = failure else {
            let mut worst = Worst::default();
            worst.note(&sim, &ids, &mechanism.free(&samples[2000]), 1.0);
            // second order: (w h)^2 = 5e-5 with w up to 7 rad/s
            assert!(worst.position < 5e-5, "offset {offset}: {worst:?}");
            continue;
        };
        assert!(matches!(error, pintle::Error::RedundantConstraints { .. }), "offset {offset}, step {n}: {error}");
    }
}
