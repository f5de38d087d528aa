//! Loads on joints as inputs of linearisation, against the accelerations that such loads cause and
//! against the equivalent wrenches.

use crate::common::*;
use pintle::simulation::LinearInputs;
use pintle::{Error, Frame, GROUND, Id, JointKind, LinearModel, Simulation};

/// Three bodies in motion: on a revolute joint, on a sleeve that turns and slides, on a slider; a
/// marker on each.
struct Arm {
    sim: Simulation,
    bodies: [Id; 3],
    markers: [Id; 3],
    joints: [Id; 3],
    frames: [[[f64; 7]; 2]; 3],
}

const SLEEVE: usize = 1;

fn arm(far: f64, unit: f64) -> Arm {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 2.0 * unit, -9.0 * unit]).unwrap();
    let inertia = [0.9, 1.1, 1.3, 0.1, -0.15, 0.05].map(|x| x * unit * unit);
    let com = [0.2, -0.1, 0.3].map(|x| x * unit);
    let (mut bodies, mut markers, mut joints) = ([0; 3], [0; 3], [0; 3]);
    let axes = [[0.1, 0.2, 1.0], [1.0, 0.3, -0.2], [0.3, 1.0, 0.1]];
    let kinds = [JointKind::Revolute, JointKind::Cylindrical, JointKind::Prismatic];
    let mut last = GROUND;
    for k in 0..3 {
        let x = [far + unit * k as f64, 0.1 * unit, -0.2 * unit];
        bodies[k] = sim.build().add_rigid_body(1.4, &com, &inertia, &pose(x, quat_exp([0.3, -0.5, 0.2]))).unwrap();
        let point = [far + unit * (k as f64 - 0.5), 0.0, 0.0];
        joints[k] = sim.build().add_joint_at(kinds[k], last, bodies[k], &point, Some(&axes[k])).unwrap();
        markers[k] = sim.build().add_marker(bodies[k], &pose([0.3 * unit, 0.1 * unit, 0.2 * unit], UNROTATED)).unwrap();
        last = bodies[k];
    }
    sim.build().set_joint_spring(joints[0], 5.0 * unit * unit, 0.1 * unit * unit, 0.4).unwrap();
    sim.inputs().set_joint_load(joints[2], 3.0 * unit).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..20 {
        sim.step(0.01).unwrap();
    }
    let frames = joints.map(|joint| sim.description().joint_info(joint).unwrap().frames);
    Arm { sim, bodies, markers, joints, frames }
}

fn column(matrix: &[f64], rows: usize, k: usize) -> &[f64] {
    &matrix[rows * k..rows * (k + 1)]
}

fn inputs<'a>(arm: &'a Arm, sleeve: &'a [Id]) -> LinearInputs<'a> {
    LinearInputs { bodies: &arm.bodies, markers: &arm.markers, joints: &arm.joints, slides: sleeve }
}

/// Accelerations of the states, and motions of the markers, that loads cause at the present state.
fn answer(sim: &Simulation, linear: &LinearModel, n: usize) -> Vec<f64> {
    let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
    sim.outputs().body_poses(&mut poses).unwrap();
    sim.outputs().body_velocities(&mut velocities).unwrap();
    let accelerations = sim.analysis().eval_accelerations(&poses, &velocities).unwrap();
    linear.coordinates.iter().map(|i| accelerations[i / 6][i % 6]).collect()
}

#[test]
fn columns_of_joints_are_the_accelerations_that_unit_loads_cause() {
    for (far, unit, limit) in [(0.0, 1.0, 1e-11), (0.0, 1e3, 1e-11), (1e6, 1.0, 1e-9)] {
        let arm = arm(far, unit);
        let sleeve = [arm.joints[SLEEVE]];
        let linear = arm.sim.analysis().linearize_inputs(&inputs(&arm, &sleeve), &arm.markers).unwrap();
        let f = linear.states / 2;
        assert_eq!(f, 4, "the arm turns, turns and slides, and slides");
        assert_eq!(linear.b.len(), linear.states * (36 + 3 + 1));
        let set = |sim: &mut Simulation, which: usize, load: f64| match which {
            3 => sim.inputs().set_joint_slide_load(sleeve[0], load).unwrap(),
            2 => sim.inputs().set_joint_load(arm.joints[2], 3.0 * unit + load).unwrap(),
            _ => sim.inputs().set_joint_load(arm.joints[which], load).unwrap(),
        };
        for which in 0..4 {
            // Accelerations are linear in the loads: a large one leaves the rounding of the others
            // behind.
            let load = 1e3 * unit;
            let mut sim = arm.sim.clone();
            let mut at = |load: f64| {
                set(&mut sim, which, load);
                answer(&sim, &linear, 3)
            };
            let (plus, minus) = (at(load), at(-load));
            let b = column(&linear.b, linear.states, 36 + which);
            let size = b.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            assert!(size > 0.0 && b[..f].iter().all(|x| *x == 0.0), "loads do not move positions at once");
            for k in 0..f {
                let difference = (plus[k] - minus[k]) / (2.0 * load);
                // Entries are angles and lengths: each is measured against the accelerations that
                // the load makes. (those of both loads together, gravity's among them).
                let scale = (plus[k].abs() + minus[k].abs()) / load;
                assert!((b[f + k] - difference).abs() < limit * scale, "{which}, {k}: {} {difference}", b[f + k]);
            }
        }
    }
}

/// A moment about the axis acts on b, the opposite on a; a force along it through the origin of b's
/// frame on both.
#[test]
fn a_load_on_a_joint_is_the_pair_of_wrenches_that_it_means() {
    let arm = arm(0.0, 1.0);
    let sleeve = [arm.joints[SLEEVE]];
    let linear = arm.sim.analysis().linearize_inputs(&inputs(&arm, &sleeve), &arm.markers).unwrap();
    for which in 0..4 {
        let joint = if which == 3 { SLEEVE } else { which };
        let on = [if joint == 0 { GROUND } else { arm.bodies[joint - 1] }, arm.bodies[joint]];
        let ends = [0, 1].map(|end| mechanisms::End::of(&arm.sim, on[end], &arm.frames[joint][end]));
        let z = ends[0].z();
        let is_force = which > 1;
        // The wrench about the reference point of each body.
        let wrench = |end: usize| {
            let at = arm.sim.outputs().body_pose(on[end]).unwrap();
            let sign = if end == 1 { 1.0 } else { -1.0 };
            let force = scale(if is_force { sign } else { 0.0 }, z);
            let moment = scale(if is_force { 0.0 } else { sign }, z);
            join(force, add(moment, cross(sub(ends[1].x, place(&at)), force)))
        };
        for (matrix, rows) in [(&linear.b, linear.states), (&linear.d, 18 * 3)] {
            let mut expected = vec![0.0; rows];
            for (end, body) in on.into_iter().enumerate().filter(|(_, body)| *body != GROUND) {
                for (k, w) in wrench(end).into_iter().enumerate() {
                    let of_wrench = column(matrix, rows, 6 * body as usize + k);
                    expected.iter_mut().zip(of_wrench).for_each(|(sum, x)| *sum += w * x);
                }
            }
            // Sums of a dozen products of numbers up to 10.
            assert_close("columns", column(matrix, rows, 36 + which), &expected, 1e-12);
        }
    }
}

#[test]
fn the_rest_of_the_matrices_is_that_of_linearize() {
    let arm = arm(0.0, 1.0);
    let sleeve = [arm.joints[SLEEVE]];
    let all = arm.sim.analysis().linearize_inputs(&inputs(&arm, &sleeve), &arm.markers).unwrap();
    let before = arm.sim.analysis().linearize(&arm.bodies, &arm.markers, &arm.markers).unwrap();
    assert_eq!((&all.a, &all.c, &all.coordinates), (&before.a, &before.c, &before.coordinates));
    assert_eq!(all.b[..before.b.len()], before.b);
    assert_eq!(all.d[..before.d.len()], before.d);
}

#[test]
fn a_torque_on_a_fly_wheel_accelerates_it_by_its_inertia() {
    let mut sim = Simulation::new();
    let wheel = sim.build().add_rigid_body(3.0, &[0.0; 3], &[0.5, 0.5, 0.8, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let joint =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, wheel, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_body_velocity(wheel, &[0.0, 0.0, 0.0, 0.0, 0.0, 7.0]).unwrap();
    let marker = sim.build().add_marker(wheel, &pose([0.5, 0.0, 0.0], UNROTATED)).unwrap();
    let driven = sim.build().add_rigid_body(3.0, &[0.0; 3], &[0.5, 0.5, 0.8, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let drive =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, driven, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(drive, true).unwrap();
    sim.initialize(0.0).unwrap();
    let inputs = LinearInputs { joints: &[joint, drive], ..Default::default() };
    let linear = sim.analysis().linearize_inputs(&inputs, &[marker]).unwrap();
    // theta'' = tau/J; the driven one does not answer.
    assert_close("B", &linear.b, &[0.0, 1.0 / 0.8, 0.0, 0.0], 1e-15);
    // The rim: tangential acceleration r tau/J, angular acceleration tau/J.
    let mut expected = [0.0; 36];
    (expected[13], expected[17]) = (0.5 / 0.8, 1.0 / 0.8);
    assert_close("D", &linear.d, &expected, 1e-15);
    assert_eq!(sim.outputs().body_velocity(wheel, Frame::Inertial).unwrap()[5], 7.0);
}

#[test]
fn joints_without_what_is_asked_for_are_refused() {
    let mut arm = arm(0.0, 1.0);
    let on_joints = |joints: &[Id], slides: &[Id]| {
        arm.sim.analysis().linearize_inputs(&LinearInputs { joints, slides, ..Default::default() }, &[])
    };
    assert!(matches!(on_joints(&[3], &[]), Err(Error::BadId { argument: "joints", .. })));
    assert!(matches!(on_joints(&[], &[-1]), Err(Error::BadId { argument: "slides", .. })));
    assert!(matches!(on_joints(&[], &[arm.joints[2]]), Err(Error::BadValue { argument: "slides", .. })));
    assert!(on_joints(&[], &[]).is_ok());
    arm.sim.mark_failed();
    assert!(matches!(arm.sim.analysis().linearize_inputs(&LinearInputs::default(), &[]), Err(Error::BadPhase { .. })));
    let mut ball = Simulation::new();
    let body = ball.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    ball.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    ball.initialize(0.0).unwrap();
    let refused = ball.analysis().linearize_inputs(&LinearInputs { joints: &[0], ..Default::default() }, &[]);
    assert!(matches!(refused, Err(Error::BadValue { argument: "joints", .. })));
}
