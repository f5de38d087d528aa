//! The heavy top of the Lie-group literature (Bruls, Cardona, Arnold 2012), and Euler's equations
//! of it about the fixed point.
//!
//! m 15 kg, J diag(0.234375, 0.46875, 0.234375) about the centre of mass at (0,1,0), spherical
//! joint at the origin, omega (0, 150, -4.61538), gravity -9.81 z.

use crate::common::*;
use pintle::{GROUND, Id, JointKind, Simulation};

pub const MASS: f64 = 15.0;
pub const INERTIA: V3 = [0.234375, 0.46875, 0.234375];
pub const COM: V3 = [0.0, 1.0, 0.0];
pub const OMEGA: V3 = [0.0, 150.0, -4.61538];
pub const GRAVITY: V3 = [0.0, 0.0, -9.81];

/// q (4) and angular velocity in body axes (3) at the start.
pub const START: [f64; 7] = [1.0, 0.0, 0.0, 0.0, OMEGA[0], OMEGA[1], OMEGA[2]];

/// The top before `initialize`: the simulation, the body, the joint. The reference point of the
/// body is its centre of mass.
pub fn top() -> (Simulation, Id, Id) {
    top_about(COM, UNROTATED)
}

/// The top with its reference point at `arm` from the joint (inertial axes), and with turned body
/// axes.
pub fn top_about(arm: V3, axes: Quat) -> (Simulation, Id, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&GRAVITY).unwrap();
    let com = unrotate(axes, sub(COM, arm));
    let inertia = six(&to_body(axes, &diag(INERTIA)));
    let body = sim.build().add_rigid_body(MASS, &com, &inertia, &pose(arm, axes)).unwrap();
    sim.build().set_body_velocity(body, &join(cross(OMEGA, arm), OMEGA)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    (sim, body, joint)
}

/// The angular acceleration in body axes: J_O w' = com x m R^T g - w x J_O w.
pub fn omega_rate(q: Quat, w: V3) -> V3 {
    let j = [INERTIA[0] + MASS, INERTIA[1], INERTIA[2] + MASS];
    let torque = cross(COM, scale(MASS, unrotate(q, GRAVITY)));
    let gyro = cross(w, [j[0] * w[0], j[1] * w[1], j[2] * w[2]]);
    [(torque[0] - gyro[0]) / j[0], (torque[1] - gyro[1]) / j[1], (torque[2] - gyro[2]) / j[2]]
}

/// The rate of (q, angular velocity in body axes).
pub fn rate(_: f64, y: &[f64], dy: &mut [f64]) {
    let (q, w) = ([y[0], y[1], y[2], y[3]], [y[4], y[5], y[6]]);
    dy[..4].copy_from_slice(&quat_mul(q, [0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]]));
    dy[4..].copy_from_slice(&omega_rate(unit(q), w));
}

/// The orientation and the angular velocity in body axes of a state.
pub fn attitude(y: &[f64]) -> (Quat, V3) {
    (unit([y[0], y[1], y[2], y[3]]), [y[4], y[5], y[6]])
}

/// The force of the ground on the top: m (a_com - g).
pub fn reaction(y: &[f64]) -> V3 {
    let (q, w) = attitude(y);
    let a = add(cross(omega_rate(q, w), COM), cross(w, cross(w, COM)));
    scale(MASS, sub(rotate(q, a), GRAVITY))
}
