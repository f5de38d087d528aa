//! A model with everything that carries state, under every scheme, and all that a host reads of it,
//! bit by bit.

use crate::common::*;
use pintle::simulation::SCHEME_NAMES;
use pintle::{Frame, GROUND, JointKind, Simulation};

pub const DT: f64 = 4e-3;

/// Every name, with 4 substeps, and with one if that uses other code.
pub fn schemes() -> Vec<String> {
    let one = ["midpoint1", "wilson1", "beuler1"].map(str::to_owned);
    SCHEME_NAMES.iter().map(|name| name.replace('N', "4")).chain(one).collect()
}

/// A pendulum of two bodies, the second driven, a free body on springs, a prescribed one; `spin` is
/// the initial angular velocity of the pendulum. In phase BUILDING, without gravity: the forces of
/// joints come from the spin alone.
pub fn described(scheme: &str, spin: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("input_order", 1.0).unwrap();
    let j = [0.4, 0.5, 0.6, 0.02, 0.01, -0.03];
    let omega = [0.0, spin, 0.3 * spin];
    let one = sim.build().add_rigid_body(2.0, &[0.0, 0.1, 0.0], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_velocity(one, &join(cross(omega, [1.0, 0.0, 0.0]), omega)).unwrap();
    let two =
        sim.build().add_rigid_body(1.5, &[0.0; 3], &j, &pose([2.0, 0.0, 0.0], unit([0.8, 0.1, 0.2, 0.3]))).unwrap();
    sim.build().set_body_velocity(two, &join(cross(omega, [2.0, 0.0, 0.0]), omega)).unwrap();
    let free = sim.build().add_rigid_body(0.8, &[0.0; 3], &j, &pose([0.0, 3.0, 0.0], UNROTATED)).unwrap();
    let moved = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([3.0, 3.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_prescribed(moved, true).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, GROUND, one, &[0.0; 3], None).unwrap();
    let hinge =
        sim.build().add_joint_at(JointKind::Revolute, one, two, &[1.5, 0.0, 0.0], Some(&[0.0, 0.6, 0.8])).unwrap();
    sim.build().set_joint_driven(hinge, true).unwrap();
    sim.elements().add_spring(two, &[0.1, 0.2, 0.0], free, &[0.0, 0.1, 0.1], 20.0, 0.3, 2.0, true).unwrap();
    sim.elements().add_spring(free, &[0.1, 0.0, 0.0], moved, &[0.0; 3], 500.0, 1.0, 2.9, false).unwrap();
    sim.build().add_marker(one, &pose([0.2, 0.3, 0.0], UNROTATED)).unwrap();
    sim
}

/// The inputs for a time: loads on bodies, marker and coordinates, imposed motions.
pub fn give(sim: &mut Simulation, t: f64) {
    sim.inputs()
        .set_body_load(2, Frame::Inertial, &[(30.0 * t).sin(), 0.0, 2.0 * (9.0 * t).cos(), 0.1, 0.0, 0.2 * t])
        .unwrap();
    sim.inputs().set_marker_load(0, Frame::Body, &[0.0, 0.5 * (15.0 * t).cos(), 0.0, 0.0, 0.3, 0.0]).unwrap();
    let (s, c) = (2.0 * t).sin_cos();
    sim.inputs().set_joint_motion(1, 0.2 * (1.0 - c), 0.4 * s, 0.8 * c).unwrap();
    let (s, c) = (3.0 * t).sin_cos();
    let motion = [[0.1 * s, 0.0, 0.0], [0.3 * c, 0.0, 0.0], [-0.9 * s, 0.0, 0.0]];
    let at = pose(add([3.0, 3.0, 0.0], motion[0]), UNROTATED);
    sim.inputs().set_body_motion(3, &at, &join(motion[1], [0.0; 3]), &join(motion[2], [0.0; 3])).unwrap();
}

/// All outputs, bit by bit.
pub fn bits(sim: &Simulation) -> Vec<u64> {
    let mut all = vec![sim.time().unwrap()];
    for body in 0..4 {
        all.extend(sim.outputs().body_pose(body).unwrap());
        all.extend(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        all.extend(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
    }
    for joint in 0..2 {
        all.extend(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
    }
    all.extend(sim.outputs().joint_coordinate(1).unwrap());
    all.extend(sim.outputs().body_reaction(3, Frame::Inertial).unwrap());
    all.iter().map(|x| x.to_bits()).collect()
}
