//! Inertia and weight of a rigid body: residual `M vdot + g - weight` and its tangents M, G, K.
//!
//! Source: Kynema-FMB theory, "Rigid bodies"; the formulas there were derived anew and are checked
//! by finite differences. With eta the centre of mass from the reference point and rho the inertia
//! about it, inertial axes:
//!
//! ```text
//! M = [m I, m ~eta^T; m ~eta, rho],   g = [m ~w ~w eta; ~w rho w].
//! ```

use super::Motion;
use super::assembly::Assembly;
use super::coefficients::Coefficients;
use super::turning::{self, Turning};
use crate::linear::Assemble;
use crate::spatial::{Mat3, RigidInertia, Vec3, join, mul_skew, skew, skew_mul, skew_skew};

/// Sets residual and tangents of one body to inertia forces and weight; other contributions are
/// added later. `c`: of M, G and K.
#[inline(always)]
pub fn assemble<A: Assemble>(
    assembly: &mut Assembly<A>,
    body: usize,
    inertia: &RigidInertia,
    gravity: &Vec3,
    c: Coefficients,
) {
    let motions = assembly.motions;
    let motion = &motions[body];
    let wants_tangents = A::TAKES && (c.stiffness != 0.0 || c.damping != 0.0);
    let m = inertia.mass;
    let (omega, omegadot) = (motion.omega, motion.omegadot);
    // Weight acts like an acceleration of the frame.
    let a = motion.vdot - gravity;
    let turning = turning::of(assembly.turnings, body, &c);
    let (mut moment, rotational, turned) = match turning {
        // J, omega and omegadot are differentiated together with respect to the increments.
        Some(own) if own.is_own => (own.rate, own.rate_by_psi * c.stiffness, Mat3::zeros()),
        _ if !A::TAKES => (moment_alone(motion, &inertia.inertia), Mat3::zeros(), Mat3::zeros()),
        _ => rotation(wants_tangents, motion, &inertia.inertia, turning, c),
    };
    let mut force = a * m;
    if inertia.eta == Vec3::zeros() {
        assembly.set_residual(body, &join(&force, &moment));
        let mass = Mat3::from_diagonal_element(m * c.mass);
        assembly.set_tangents(body, &[[mass, Mat3::zeros()], [Mat3::zeros(), rotational]], &[Mat3::zeros(), turned]);
        return;
    }
    // c_m M + c_g G, G = d(residual)/dv, and K = d(residual)/d(u, theta), whose columns of
    // translations are zero.
    let first_moment = motion.r * inertia.eta * m;
    force += omegadot.cross(&first_moment) + omega.cross(&omega.cross(&first_moment));
    moment += first_moment.cross(&a);
    let s = skew(&first_moment) * c.mass;
    let mut rates = [[Mat3::from_diagonal_element(m * c.mass), s.transpose()], [s, rotational]];
    let mut stiffness = [Mat3::zeros(), turned];
    if wants_tangents {
        let centripetal = (skew(&omega.cross(&first_moment)) + skew_skew(&omega, &first_moment)) * c.damping;
        match turning {
            None => rates[0][1] -= centripetal,
            Some(turning) => {
                rates[0][1] = rates[0][1] * turning.acceleration() - centripetal * turning.velocity();
            }
        }
        let spin = skew(&omegadot) + skew_skew(&omega, &omega);
        stiffness[0] = -mul_skew(&spin, &first_moment);
        stiffness[1] += skew_skew(&a, &first_moment);
    }
    assembly.set_residual(body, &join(&force, &moment));
    assembly.set_tangents(body, &rates, &stiffness);
}

/// `rho omegadot + omega x rho omega`, computed in body axes, in which the inertia is constant.
#[inline(always)]
fn moment_alone(motion: &Motion, inertia: &Mat3) -> Vec3 {
    let (omega, omegadot) = (motion.r.tr_mul(&motion.omega), motion.r.tr_mul(&motion.omegadot));
    motion.r * (inertia * omegadot + omega.cross(&(inertia * omega)))
}

/// `rho omegadot + omega x rho omega`, its derivatives with respect to rates (c_m M + c_g G) and to
/// the rotation.
#[inline(always)]
fn rotation(
    wants_tangents: bool,
    motion: &Motion,
    inertia: &Mat3,
    turning: Option<&Turning>,
    c: Coefficients,
) -> (Vec3, Mat3, Mat3) {
    let rho = motion.r * inertia * motion.r.transpose();
    let (omega, omegadot) = (motion.omega, motion.omegadot);
    let (momentum, pull) = (rho * omega, rho * omegadot);
    let moment = pull + omega.cross(&momentum);
    let own = rho * c.mass;
    if !wants_tangents {
        return (moment, own, Mat3::zeros());
    }
    // `rho ~omega - ~(rho omega)`; rho is symmetric, so that `~omega rho - ~(rho omega)` is minus
    // its transpose.
    let turned_momentum = mul_skew(&rho, &omega) - skew(&momentum);
    let gyroscopic = turned_momentum.transpose() * -c.damping;
    let rates = match turning {
        None => own + gyroscopic,
        Some(turning) => own * turning.acceleration() + gyroscopic * turning.velocity(),
    };
    let turned = mul_skew(&rho, &omegadot) - skew(&pull) + skew_mul(&omega, &turned_momentum);
    (moment, rates, turned)
}
