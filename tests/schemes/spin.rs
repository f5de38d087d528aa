//! Bodies that turn far in a step: at a constant rate every scheme is exact, turns are counted as
//! they are made, and a turn of more than half a turn about an axis that moves is refused.

use crate::common::*;
use crate::problems::SCHEMES;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

const Z: V3 = [0.0, 0.0, 1.0];

/// A wheel of inertia `j` about an axis through `at`, on a bearing in the ground, that turns at
/// `speed`.
fn wheel(sim: &mut Simulation, at: V3, axis: V3, j: f64, speed: f64) -> (Id, Id) {
    let inertia = [0.6 * j, 0.6 * j, j, 0.0, 0.0, 0.0];
    // Its own z is the axis.
    let turned = turn_onto(axis);
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &pose(at, turned)).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], scale(speed, axis))).unwrap();
    (body, sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &at, Some(&axis)).unwrap())
}

/// The rotation that turns z onto a unit vector other than -z: w = 1 + z . axis, v = z x axis.
fn turn_onto(axis: V3) -> Quat {
    let v = cross(Z, axis);
    unit([1.0 + axis[2], v[0], v[1], v[2]])
}

#[test]
fn a_wheel_at_a_constant_rate_turns_by_exactly_that() {
    // 200 steps of 0.01, 1, 2 and 9 rad. The angle is counted from poses: each is a product of
    // rotations, rounded to a few units, which add up over the steps; one unit of the sum is 2e-16
    // of it.
    let axis = scale(1.0 / 3.0, [1.0, 2.0, 2.0]);
    for (scheme, _) in SCHEMES {
        for theta in [0.01, 1.0, 2.0, 9.0] {
            // momentum-alpha refuses turns of more than half a turn; fixed-point iterations amplify
            // rounding by such turns.
            let iterates =
                scheme.ends_with(|c: char| c.is_ascii_digit()) && !scheme.contains("ab") && !scheme.starts_with("rk");
            if theta > 3.0 && (scheme == "momentum-alpha" || iterates) {
                continue;
            }
            let mut sim = Simulation::new();
            let (body, joint) = wheel(&mut sim, [0.3, -0.2, 0.1], axis, 0.4, theta / 0.01);
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_option("max_time_step", 0.01).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..200 {
                sim.step(0.01).unwrap();
            }
            let angle = sim.outputs().joint_coordinate(joint).unwrap()[0];
            let limit = 200.0 * 16.0 * f64::EPSILON * (1.0 + theta);
            assert!((angle - 200.0 * theta).abs() < limit, "{scheme} at {theta} rad per step: {angle}");
            let speed = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
            let spin = halves(speed).1;
            assert!(distance(spin, scale(theta / 0.01, axis)) < limit / 0.01, "{scheme} at {theta}: {spin:?}");
        }
    }
}

#[test]
fn gears_keep_whole_turns_with_their_wheels() {
    for (scheme, _) in SCHEMES {
        let mut sim = Simulation::new();
        let (_, slow) = wheel(&mut sim, [0.0; 3], Z, 0.4, 100.0);
        let (_, fast) = wheel(&mut sim, [3.0, 0.0, 0.0], Z, 0.2, -250.0);
        sim.elements().add_gear(slow, fast, -2.5).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", 0.01).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        let [a, b] = [slow, fast].map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[0]);
        assert!((a - 100.0).abs() < 1e-9 && (b + 250.0).abs() < 1e-9, "{scheme}: {a} {b}");
    }
}

#[test]
fn a_far_turn_about_a_moving_axis_is_refused() {
    // A free body with three moments of inertia that tumbles by 4 rad per step.
    for scheme in ["euler", "heun", "rk4", "ab4", "lab4", "beuler5", "midpoint5", "anderson5", "aca5", "wilson5"] {
        let mut sim = Simulation::new();
        let body =
            sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.6, 2.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED));
        sim.build().set_body_velocity(body.unwrap(), &[0.0, 0.0, 0.0, 1.0, 400.0, 2.0]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("max_time_step", 0.01).unwrap();
        sim.initialize(0.0).unwrap();
        let failure = (0..50).find_map(|_| sim.step(0.01).err());
        assert!(
            failure.is_some_and(|failure| matches!(failure, Error::TooFar { .. } | Error::Unstable { .. })),
            "{scheme}"
        );
        assert_eq!(sim.phase(), pintle::simulation::Phase::Ready, "{scheme}");
    }
}
