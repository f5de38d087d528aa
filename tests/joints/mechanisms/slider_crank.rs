//! Spatial slider-crank: revolute, spherical, universal and prismatic joint, 3 bodies, one freedom,
//! nothing redundant.
//!
//! Geometry and masses of the IFToMM benchmark "spatial rigid slider-crank mechanism" (Haug 1989,
//! sect. 12.4), with the centre of mass of the crank in its middle, and a universal joint (pin on
//! the slider along y) instead of the benchmark's pair.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const A: V3 = [0.0, 0.1, 0.12];
const CRANK: f64 = 0.08;
const ROD: f64 = 0.3;
const SPEED: f64 = 6.0;
const X: V3 = [1.0, 0.0, 0.0];

fn mechanism() -> Mechanism {
    let kinematics = |q: &[Jet]| {
        let (s, c) = (q[0].sin(), q[0].cos());
        let zero = constant(0.0);
        let u = Vector([zero, -s, c]);
        let b = fixed(A) + u * CRANK;
        let reach = (constant(ROD * ROD) - b.0[1] * b.0[1] - b.0[2] * b.0[2]).sqrt();
        let slider = Vector([b.0[0] + reach, zero, zero]);
        let e = (slider - b) * (1.0 / ROD);
        let pin = e.cross(fixed([0.0, 1.0, 0.0])).unit();
        let bodies = vec![
            Placement { center: fixed(A) + u * (0.5 * CRANK), axes: [fixed(X), Vector([zero, c, s]), u] },
            Placement { center: b + e * (0.5 * ROD), axes: [e, pin, e.cross(pin)] },
            Placement { center: slider, axes: unturned() },
        ];
        Configuration { bodies, forces: Vec::new(), potential: 0.0 }
    };
    let inertia = vec![(0.12, [1e-4, 1e-4, 1e-5]), (0.5, [4e-4, 4e-3, 4e-3]), (2.0, [1e-4; 3])];
    Mechanism { gravity: [0.0, 0.0, -9.81], inertia, kinematics: Box::new(kinematics) }
}

/// Joints: 0 revolute of the crank, 1 spherical, 2 universal (slider on rod), 3 prismatic of the
/// slider.
fn build(drive: Option<[f64; 3]>, rho_inf: f64) -> (Simulation, Vec<Id>) {
    let mechanism = mechanism();
    let mut sim = tight(rho_inf);
    let rate = drive.map_or(SPEED, |d| d[1]);
    let ids = mechanism.add_to(&mut sim, &[0.0, rate]);
    let quarter = quat_exp([0.0, 0.0, std::f64::consts::FRAC_PI_2]); // x of the slider's frame is the pin, along y
    sim.build().add_joint_at(JointKind::Revolute, GROUND, ids[0], &A, Some(&X)).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, ids[0], ids[1], &add(A, [0.0, 0.0, CRANK]), None).unwrap();
    let (on_slider, on_rod) = (pose([0.0; 3], quarter), pose([0.5 * ROD, 0.0, 0.0], UNROTATED));
    sim.build().add_joint(JointKind::Universal, ids[2], ids[1], &on_slider, &on_rod).unwrap();
    sim.build().add_joint_at(JointKind::Prismatic, GROUND, ids[2], &[0.0; 3], Some(&X)).unwrap();
    if let Some([q, qd, qdd]) = drive {
        sim.build().set_joint_driven(0, true).unwrap();
        sim.inputs().set_joint_motion(0, q, qd, qdd).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

/// Several turns at uneven speed.
fn drive(t: f64) -> [f64; 3] {
    let (s, c) = (5.0 * t).sin_cos();
    [SPEED * t + 0.4 * s, SPEED + 2.0 * c, -10.0 * s]
}

#[test]
fn driven_slider_crank_is_where_geometry_puts_it() {
    let mechanism = mechanism();
    let mut tables = [(); 2].map(|()| Vec::new());
    for dt in [8e-3f64, 4e-3, 2e-3, 1e-3] {
        let (mut sim, ids) = build(Some(drive(0.0)), 0.8);
        assert_eq!(sim.outputs().statistic("mobility").unwrap(), 0.0);
        assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 0.0);
        let mut worst = Worst::default();
        for n in 1..=(2.4 / dt).round() as usize {
            let [q, qd, qdd] = drive(n as f64 * dt);
            sim.inputs().set_joint_motion(0, q, qd, qdd).unwrap();
            sim.step(dt).unwrap();
            let exact = mechanism.at(&[q], &[qd], &[qdd]);
            worst.note(&sim, &ids, &exact, ROD);
            let (_, moment) = halves(sim.outputs().joint_reaction(0, Frame::Inertial).unwrap());
            let needed = mechanism.drives(&[q], &[qd], &[qdd])[0];
            worst.note_force([moment[0], 0.0, 0.0], [needed, 0.0, 0.0]);
            let crank = sim.outputs().joint_coordinate(0).unwrap();
            assert!((crank[0] - q).abs() < 1e-9, "angle {} of {q} over more than two turns", crank[0]);
        }
        // no freedom is left: positions are exact up to what Newton leaves, here 1e-10 of the
        // lengths and below
        assert!(worst.position < 1e-10, "positions {:e}", worst.position);
        tables[0].push((dt, worst.rate));
        tables[1].push((dt, worst.force));
    }
    assert_order("driven slider-crank, rates", &tables[0], 2.0, 0.1);
    assert_order("driven slider-crank, torque of the drive", &tables[1], 2.0, 0.1);
}

#[test]
fn free_slider_crank_converges_at_second_order() {
    let mechanism = mechanism();
    let along_x = |sim: &Simulation, exact: &Configuration, worst: &mut Worst| {
        // the guide carries nothing along x: the slider hangs on the universal joint, the rod and
        // it on the spherical one
        let needed: Vec<f64> = (0..3).map(|b| mechanism.wrench(b, exact).0[0]).collect();
        let of = |joint: Id| sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()[0];
        let got = [of(0), of(1), of(2)];
        worst.note_force(got, [needed[0] + needed[1] + needed[2], needed[1] + needed[2], -needed[2]]);
    };
    let build = || build(None, 0.8);
    assert_eq!(build().0.outputs().statistic("mobility").unwrap(), 1.0);
    let comparison =
        Comparison { mechanism: &mechanism, start: &[0.0, SPEED], fine: 2.5e-4, substeps: 2, end: 1.6, length: ROD };
    comparison.assert_second_order("free slider-crank", build, along_x);
}

#[test]
fn closed_loop_keeps_constraints_and_energy_over_1e5_steps() {
    let (mut sim, _) = build(None, 1.0);
    let total = |sim: &Simulation| sim.outputs().energy().map(|(k, p)| k + p).unwrap();
    let (kinetic, _) = sim.outputs().energy().unwrap();
    let start = total(&sim);
    let (mut gap, mut energy) = ([0.0f64; 2], [0.0f64; 2]);
    for n in 0..100_000 {
        sim.step(1e-3).unwrap();
        if n % 10 == 0 {
            gap[n / 50_000] = gap[n / 50_000].max(sim.outputs().constraint_violation().unwrap().0);
            energy[n / 50_000] = energy[n / 50_000].max((total(&sim) - start).abs());
        }
    }
    println!("gap {gap:?}, energy {energy:?} of {kinetic}");
    // positions of 0.3 m are exact to rounding, at the end as at the start
    assert!(gap[0] < 1e-14 && gap[1] < 1e-14, "{gap:?}");
    // no numerical damping at rho_inf = 1, and nothing gained: links turn and swing at up to 30
    // rad/s, (w h)^2 = 9e-4 of the 0.77 J that come and go, times a factor below 2; in the second
    // half it is what it was in the first
    assert!(energy[0] < 2.0 * 9e-4 * 0.77 && energy[1] < 1.25 * energy[0], "{energy:?} of {kinetic}");
}
