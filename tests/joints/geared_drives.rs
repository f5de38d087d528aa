//! Drives through gears of large ratio, and drives after many turns: the numbers in the constraint
//! have a larger rounding error than one angle, and steps must converge to that error.

use crate::common::*;
use pintle::{GROUND, Id, JointKind, Simulation};
use std::f64::consts::{PI, TAU};

const Z: V3 = [0.0, 0.0, 1.0];

/// A wheel of inertia `j` about z at x, which turns at a rate, on the ground; its joint.
fn wheel(sim: &mut Simulation, j: f64, x: f64, rate: f64) -> Id {
    let at = pose([x, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.6 * j, 0.6 * j, j, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], scale(rate, Z))).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[x, 0.0, 0.0], Some(&Z)).unwrap()
}

/// Steady turning needs no torque. The coordinates are exact to the rounding of the faster angle,
/// and loads to that over beta h^2, with the inertia that the gear moves.
#[test]
fn a_drive_turns_a_gear_of_any_ratio_at_a_steady_rate() {
    let (h, steps) = (0.01f64, 1500);
    for scheme in ["generalized-alpha", "newmark", "hht"] {
        for ratio in [0.1, 10.0, -50.5, 97.0, 1000.0] {
            for driven in [0, 1] {
                let (mut sim, rate) = (Simulation::new(), 0.5f64);
                let speeds = [rate, rate * ratio];
                if speeds[driven].abs() * h > 1.0 {
                    continue; // a drive turns by less than half a turn in a step
                }
                let joints = [wheel(&mut sim, 2.0, 0.0, speeds[0]), wheel(&mut sim, 3.0, 3.0, speeds[1])];
                let gear = sim.elements().add_gear(joints[0], joints[1], ratio).unwrap();
                sim.build().set_joint_driven(joints[driven], true).unwrap();
                sim.inputs().set_joint_motion(joints[driven], 0.0, speeds[driven], 0.0).unwrap();
                sim.settings().set_scheme(scheme).unwrap();
                sim.initialize(0.0).unwrap();
                let what = format!("{scheme}, ratio {ratio}, joint {driven} driven");
                for k in 1..=steps {
                    // Steps of changing length.
                    let t = h * (f64::from(k) + 0.1 * (f64::from(k)).sin());
                    sim.inputs().set_joint_motion(joints[driven], speeds[driven] * t, speeds[driven], 0.0).unwrap();
                    let dt = t - sim.time().unwrap();
                    sim.step(dt).unwrap_or_else(|error| panic!("{what}, step {k}: {error}"));
                }
                let t = sim.time().unwrap();
                let fast = speeds[0].abs().max(speeds[1].abs()) * t + PI;
                for (joint, speed) in joints.iter().zip(speeds) {
                    let [q, qd, _] = sim.outputs().joint_coordinate(*joint).unwrap();
                    let slowness = (speed / (rate * ratio.abs().max(1.0))).abs();
                    let rounding = 64.0 * f64::EPSILON * (fast * slowness + PI);
                    assert!((q - speed * t).abs() < rounding, "{what}: {q} for {}", speed * t);
                    assert!((qd - speed).abs() < 10.0 * rounding / h, "{what}: {qd} for {speed}");
                }
                let load = sim.outputs().gear_load(gear).unwrap();
                // Noise of Phi over beta h^2, and a tenth shorter steps twice over.
                let noise = 64.0 * f64::EPSILON * (fast + (1.0 + ratio.abs()) * PI) / (0.2 * h * h);
                assert!(load.abs() < 3.0 * noise, "{what}: load {load}, noise {noise}");
            }
        }
    }
}

/// A pendulum on a driven hinge whose coordinate began far out moves as the one that began at zero.
#[test]
fn a_hinge_that_is_driven_far_from_zero_moves_as_one_near_it() {
    let run = |offset: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        let arm = wheel(&mut sim, 1.0, 0.0, 1.0);
        let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
        let bob = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.5, 0.0, -1.0], UNROTATED)).unwrap();
        sim.build().set_body_velocity(bob, &[0.0, 0.5, 0.0, 0.0, 0.0, 1.0]).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, 0, bob, &[0.5, 0.0, 0.0], Some(&[0.0, 1.0, 0.0])).unwrap();
        sim.build().set_joint_offset(arm, offset).unwrap();
        sim.build().set_joint_driven(arm, true).unwrap();
        sim.inputs().set_joint_motion(arm, offset, 1.0, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        for k in 1..=1200 {
            let t = 0.005 * f64::from(k);
            sim.inputs().set_joint_motion(arm, offset + t, 1.0, 0.0).unwrap();
            sim.step(0.005).unwrap_or_else(|error| panic!("offset {offset}, step {k}: {error}"));
        }
        sim.outputs().body_pose(bob).unwrap()
    };
    let near = run(0.0);
    for offset in [1e3 * TAU, 1e5, 1e6] {
        // Drives are known to a unit of rounding of the offset. Second differences of that over h^2
        // are noise of accelerations, of which half a period of the pendulum, some 200 steps, sums
        // up no more than the same number of units.
        assert_close(&format!("offset {offset}"), &run(offset), &near, 400.0 * f64::EPSILON * offset);
    }
}
