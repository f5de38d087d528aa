//! Bodies held twice: 12 constraints of which 6 follow from the others. The motion is that of one
//! joint, and reactions are those of least norm, which share the load.

use crate::common::*;
use crate::mechanisms::kane::tight;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const MASS: f64 = 3.0;
const INERTIA: [f64; 6] = [0.2, 0.3, 0.4, 0.0, 0.0, 0.0];
const GRAVITY: V3 = [0.0, 0.0, -9.81];

/// A body at the origin, FIXED to the ground at two points, under its weight and a further wrench.
fn held(points: [V3; 2], wrench: [f64; 6]) -> Simulation {
    let mut sim = tight(0.8);
    sim.settings().set_gravity(&GRAVITY).unwrap();
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &INERTIA, &ORIGIN).unwrap();
    for point in &points {
        sim.build().add_joint_at(JointKind::Fixed, GROUND, body, point, None).unwrap();
    }
    sim.inputs().set_body_load(body, Frame::Inertial, &wrench).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// Wrenches w of least norm with A w = b: w = A^T (A A^T)^-1 b, for A = [I 0 I 0; ~p1 I ~p2 I].
fn least_norm(points: [V3; 2], b: [f64; 6]) -> [[f64; 6]; 2] {
    let mut a = vec![vec![0.0; 12]; 6];
    for (k, point) in points.iter().enumerate() {
        let s = skew(*point);
        for i in 0..3 {
            a[i][6 * k + i] = 1.0;
            a[3 + i][6 * k + 3 + i] = 1.0;
            for j in 0..3 {
                a[3 + i][6 * k + j] = s[i][j];
            }
        }
    }
    let gram = |i: usize, j: usize| (0..12).map(|k| a[i][k] * a[j][k]).sum::<f64>();
    let x = solve((0..6).map(|i| (0..6).map(|j| gram(i, j)).collect()).collect(), b.to_vec());
    [0, 1].map(|joint| std::array::from_fn(|c| (0..6).map(|i| a[i][6 * joint + c] * x[i]).sum()))
}

#[test]
fn two_fixed_joints_share_the_load_by_least_norm() {
    let weight = [0.0, 0.0, MASS * 9.81, 0.0, 0.0, 0.0];
    let odd = [4.0, -7.0, 11.0, 2.0, 3.0, -5.0];
    for (points, wrench) in [
        ([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]], [0.0; 6]),
        ([[0.5, 0.0, 0.0], [-0.2, 0.3, 0.4]], [0.0; 6]),
        ([[0.7, -0.1, 0.2], [0.1, 0.9, -0.4]], odd),
    ] {
        let mut sim = held(points, wrench);
        assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 6.0);
        assert_eq!(sim.outputs().statistic("constraints").unwrap(), 6.0);
        assert_eq!(sim.outputs().statistic("mobility").unwrap(), 0.0);
        let exact = least_norm(points, std::array::from_fn(|i| weight[i] - wrench[i]));
        for step in 0..3 {
            for (joint, exact) in exact.iter().enumerate() {
                // statics: Newton leaves rounding over beta h^2 at most, 1e-16 x 3 kg / (0.3 x
                // 1e-4) = 1e-11
                let got = sim.outputs().joint_reaction(joint as Id, Frame::Inertial).unwrap();
                assert_close(&format!("joint {joint} after {step} steps"), &got, exact, 1e-9);
            }
            sim.step(1e-2).unwrap();
        }
    }
    // what symmetry says of the first case, without any algebra
    let sim = held([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]], [0.0; 6]);
    for joint in 0..2 {
        let half = [0.0, 0.0, 0.5 * MASS * 9.81, 0.0, 0.0, 0.0];
        assert_close("half the weight", &sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap(), &half, 1e-9);
    }
}

/// A pendulum of two bodies that `times` FIXED joints hold together.
fn welded(times: usize) -> (Simulation, [Id; 2]) {
    let mut sim = tight(0.8);
    sim.settings().set_gravity(&GRAVITY).unwrap();
    let one = sim.build().add_rigid_body(MASS, &[0.0; 3], &INERTIA, &pose([0.5, 0.0, 0.0], UNROTATED)).unwrap();
    let two = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([1.2, 0.1, 0.3], UNROTATED)).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, GROUND, one, &[0.0; 3], None).unwrap();
    for point in &[[0.8, 0.0, 0.1], [0.9, 0.2, 0.0], [1.0, -0.3, 0.2]][..times] {
        sim.build().add_joint_at(JointKind::Fixed, one, two, point, None).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, [one, two])
}

#[test]
fn a_swinging_body_welded_three_times_moves_as_if_welded_once() {
    let (mut once, mut thrice) = (welded(1), welded(3));
    assert_eq!(thrice.0.outputs().statistic("redundant_constraints").unwrap(), 12.0);
    assert_eq!(thrice.0.outputs().statistic("mobility").unwrap(), 3.0);
    let p = [0.8, 0.0, 0.1];
    let arms = [[0.0; 3], sub([0.9, 0.2, 0.0], p), sub([1.0, -0.3, 0.2], p)];
    for n in 0..1000 {
        once.0.step(2e-3).unwrap();
        thrice.0.step(2e-3).unwrap();
        for (a, b) in once.1.iter().zip(&thrice.1) {
            // the same equations: what Newton leaves, 1e-10 and quadratically less
            let (x, y) = (once.0.outputs().body_pose(*a).unwrap(), thrice.0.outputs().body_pose(*b).unwrap());
            assert_close(&format!("pose, step {n}"), &y, &x, 1e-10);
        }
        // the three wrenches together are the one, about its point
        let (force, moment) = halves(once.0.outputs().joint_reaction(1, Frame::Inertial).unwrap());
        let q = turn(&once.0.outputs().body_pose(once.1[1]).unwrap());
        let (mut sum, mut about) = ([0.0; 3], [0.0; 3]);
        for (k, arm) in arms.iter().enumerate() {
            let (f, m) = halves(thrice.0.outputs().joint_reaction(1 + k as Id, Frame::Inertial).unwrap());
            sum = add(sum, f);
            about = add(about, add(m, cross(rotate(q, *arm), f)));
            assert!(norm(f) < norm(force) + 1e-6, "step {n}: joint {k} carries {} of {}", norm(f), norm(force));
        }
        // multipliers carry rounding over beta h^2: 1e-16 x 3 / (0.3 x 4e-6) = 3e-10, and Newton's
        // remainder
        assert_close(&format!("force, step {n}"), &sum, &force, 1e-6);
        assert_close(&format!("moment, step {n}"), &about, &moment, 1e-6);
    }
}
