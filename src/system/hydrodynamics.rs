//! Added mass, linear damping and quadratic drag of one body, about its reference point.
//!
//! Added mass given in the inertial frame is a constant matrix on the acceleration. Given in body axes it follows
//! Kirchhoff's equations (Lamb, Hydrodynamics, art. 124): with P, L = A (v, omega) the impulse of the fluid,
//!
//! ```text
//! -wrench = A (vdot - omega x v, omegadot) + (omega x P, omega x L + v x P).
//! ```

use super::assembly::Assembly;
use super::motion::Motion;
use super::reference::PointForce;
use crate::linear::Assemble;
use crate::model::{Frame, FrameMatrix, Hydrodynamics};
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, mul_skew6, rotate, skew, skew_mul, upper};

/// Adds the forces of the fluid on one body, whose reference point is at `reference` (body axes).
#[inline(always)]
pub fn assemble<A: Assemble>(assembly: &mut Assembly<A>, body: usize, h: &Hydrodynamics, reference: &Vec3) {
    let tangents = assembly.wants_tangents();
    let mut add = |force: &dyn Fn(&Motion) -> PointForce| {
        let Ok(()) = assembly.add_force_at::<std::convert::Infallible>(body, reference, |motion| Ok(force(motion)));
    };
    if let Some(a) = &h.added_mass {
        add(&|motion| added_mass(motion, a, tangents));
    }
    if let Some(c) = &h.linear_damping {
        add(&|motion| velocity_force(motion, c, |x| x, |_| 1.0, tangents));
    }
    if let Some(d) = &h.quadratic_drag {
        add(&|motion| velocity_force(motion, d, |x| x * x.abs(), |x| 2.0 * x.abs(), tangents));
    }
}

/// The matrix in inertial axes at the present orientation.
fn inertial(m: &FrameMatrix, r: &Mat3) -> Mat6 {
    match m.frame {
        Frame::Inertial => m.matrix,
        Frame::Body => rotate(r, &m.matrix),
    }
}

/// Kinetic energy of the fluid that an added mass stands for: 1/2 v^T A v.
pub fn kinetic_energy(a: &FrameMatrix, r: &Mat3, v: &Vec6) -> f64 {
    0.5 * v.dot(&(inertial(a, r) * v))
}

fn added_mass(motion: &Motion, added: &FrameMatrix, tangents: bool) -> PointForce {
    let a = inertial(added, &motion.r);
    let mut force = PointForce { mass: a, ..PointForce::zero() };
    if added.frame == Frame::Inertial {
        force.residual = a * join(&motion.vdot, &motion.omegadot);
        return force;
    }
    let (v, omega) = (motion.v, motion.omega);
    let relative = motion.vdot - omega.cross(&v);
    let inertia = a * join(&relative, &motion.omegadot);
    let impulse = a * join(&v, &omega);
    let (p, l) = (upper(&impulse), lower(&impulse));
    force.residual = inertia + join(&omega.cross(&p), &(omega.cross(&l) + v.cross(&p)));
    if !tangents {
        return force;
    }

    // d/dv and d/domega
    let (a11, a12, a21, a22) = (block(&a, 0, 0), block(&a, 0, 1), block(&a, 1, 0), block(&a, 1, 1));
    let damping = &mut force.damping;
    let (sv, so) = (skew(&v), skew(&omega));
    add_block(damping, 0, 0, &(skew_mul(&omega, &a11) - a11 * so));
    add_block(damping, 1, 0, &(skew_mul(&omega, &a21) + skew_mul(&v, &a11) - skew(&p) - a21 * so));
    add_block(damping, 0, 1, &(skew_mul(&omega, &a12) - skew(&p) + a11 * sv));
    add_block(damping, 1, 1, &(skew_mul(&omega, &a22) - skew(&l) + skew_mul(&v, &a12) + a21 * sv));

    // d/dtheta: delta A = ~theta A - A ~theta, blockwise
    let turned = |w0, w1, f: &Vec6| {
        let mut d = mul_skew6(&a, w0, w1);
        let own = [skew(&upper(f)), skew(&lower(f))];
        for (i, s) in own.iter().enumerate() {
            let part = d.fixed_view::<3, 3>(3 * i, 0) - s;
            d.fixed_view_mut::<3, 3>(3 * i, 0).copy_from(&part);
        }
        (d.fixed_view::<3, 3>(0, 0).into_owned(), d.fixed_view::<3, 3>(3, 0).into_owned())
    };
    let (f, m) = turned(&relative, &motion.omegadot, &inertia);
    let (dp, dl) = turned(&v, &omega, &impulse);
    add_block(&mut force.stiffness, 0, 1, &(f + skew_mul(&omega, &dp)));
    add_block(&mut force.stiffness, 1, 1, &(m + skew_mul(&omega, &dl) + skew_mul(&v, &dp)));
    force
}

/// Wrench `-C phi(v)` with phi acting on each component in the axes of C.
fn velocity_force(
    motion: &Motion,
    c: &FrameMatrix,
    phi: impl Fn(f64) -> f64,
    slope: impl Fn(f64) -> f64,
    tangents: bool,
) -> PointForce {
    let in_body = c.frame == Frame::Body;
    let local = |a: &crate::spatial::Vec3| if in_body { motion.r.tr_mul(a) } else { *a };
    let v = join(&local(&motion.v), &local(&motion.omega));
    let minus_force = c.matrix * v.map(&phi);
    let mut tangent = c.matrix;
    for j in 0..6 {
        let s = slope(v[j]);
        tangent.column_mut(j).iter_mut().for_each(|x| *x *= s);
    }
    let outward = |a: &Vec6| if in_body { join(&(motion.r * upper(a)), &(motion.r * lower(a))) } else { *a };
    let residual = outward(&minus_force);
    let mut force = PointForce { residual, ..PointForce::zero() };
    if !tangents {
        return force;
    }
    if !in_body {
        force.damping = tangent;
        return force;
    }
    force.damping = rotate(&motion.r, &tangent);
    let turned = mul_skew6(&force.damping, &motion.v, &motion.omega);
    add_block(&mut force.stiffness, 0, 1, &(turned.fixed_view::<3, 3>(0, 0) - skew(&upper(&residual))));
    add_block(&mut force.stiffness, 1, 1, &(turned.fixed_view::<3, 3>(3, 0) - skew(&lower(&residual))));
    force
}
