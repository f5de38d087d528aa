//! Inertia and weight of a rigid body: residual `M vdot + g - weight` and its tangents M, G, K.
//!
//! Source: Kynema-FMB theory, "Rigid bodies"; the formulas there were derived anew and are checked by finite
//! differences. With eta the centre of mass from the reference point and rho the inertia about it, inertial axes:
//!
//! ```text
//! M = [m I, m ~eta^T; m ~eta, rho],   g = [m ~w ~w eta; ~w rho w].
//! ```

use super::assembly::Assembly;
use crate::linear::Assemble;
use crate::spatial::{Mat3, Mat6, RigidInertia, Vec3, add_block, join, mul_skew, skew, skew_mul, skew_skew};

/// Adds the inertia forces and the weight of one body.
#[inline(always)]
pub fn assemble<A: Assemble>(assembly: &mut Assembly<A>, body: usize, inertia: &RigidInertia, gravity: &Vec3) {
    let motion = assembly.motions[body];
    let m = inertia.mass;
    let rho = motion.r * inertia.inertia * motion.r.transpose();
    let (omega, omegadot) = (motion.omega, motion.omegadot);
    // Weight acts like an acceleration of the frame.
    let a = motion.vdot - gravity;
    let momentum = rho * omega;
    let mut force = a * m;
    let mut moment = rho * omegadot + omega.cross(&momentum);
    let mut mass = Mat6::zeros();
    add_block(&mut mass, 0, 0, &(Mat3::identity() * m));
    add_block(&mut mass, 1, 1, &rho);

    let has_offset = inertia.eta != Vec3::zeros();
    let first_moment = if has_offset { motion.r * inertia.eta * m } else { Vec3::zeros() };
    if has_offset {
        force += omegadot.cross(&first_moment) + omega.cross(&omega.cross(&first_moment));
        moment += first_moment.cross(&a);
        let s = skew(&first_moment);
        add_block(&mut mass, 1, 0, &s);
        add_block(&mut mass, 0, 1, &s.transpose());
    }
    assembly.add_residual(body, &join(&force, &moment));
    assembly.add_mass(body, &mass);
    if !assembly.wants_tangents() {
        return;
    }

    // G = d(residual)/dv
    let gyroscopic = skew_mul(&omega, &rho) - skew(&momentum);
    let mut damping = Mat6::zeros();
    add_block(&mut damping, 1, 1, &gyroscopic);
    // K = d(residual)/d(u, theta), rotational columns only
    let mut stiffness = Mat6::zeros();
    let rotational = mul_skew(&rho, &omegadot) - skew(&(rho * omegadot))
        + skew_mul(&omega, &(mul_skew(&rho, &omega) - skew(&momentum)));
    add_block(&mut stiffness, 1, 1, &rotational);
    if has_offset {
        add_block(&mut damping, 0, 1, &-(skew(&omega.cross(&first_moment)) + skew_skew(&omega, &first_moment)));
        let spin = skew(&omegadot) + skew_skew(&omega, &omega);
        add_block(&mut stiffness, 0, 1, &-mul_skew(&spin, &first_moment));
        add_block(&mut stiffness, 1, 1, &skew_skew(&a, &first_moment));
    }
    assembly.add_damping(body, &damping);
    assembly.add_stiffness(body, &stiffness);
}
