//! Loads of the host: held wrenches on bodies and markers, and load callbacks.

use crate::linear::Assemble;
use crate::model::{BodyLoad, BodyLoadFn, BodyMotion, Frame, Load};
use crate::spatial::{Mat6, Vec3, Vec6, add_block, join, lower, skew, skew_skew, upper, wrench_at_reference};
use crate::system::assembly::Assembly;

/// Adds a held load at `arm` (body axes) from the reference point.
#[inline(always)]
pub fn assemble<A: Assemble>(assembly: &mut Assembly<A>, body: usize, load: &Load, arm: Option<&Vec3>) {
    if load.wrench == Vec6::zeros() {
        return;
    }
    let motion = assembly.motions[body];
    let (force, moment) = match load.frame {
        Frame::Inertial => (upper(&load.wrench), lower(&load.wrench)),
        Frame::Body => (motion.r * upper(&load.wrench), motion.r * lower(&load.wrench)),
    };
    let arm = arm.map_or(Vec3::zeros(), |local| motion.arm(local));
    let wrench = wrench_at_reference(&join(&force, &moment), &arm);
    assembly.add_residual(body, &-wrench);
    // K = -dw/dtheta
    let mut stiffness = Mat6::zeros();
    match load.frame {
        // the arm turns: d(s x f) = ~f ~s dtheta
        Frame::Inertial => add_block(&mut stiffness, 1, 1, &-skew_skew(&force, &arm)),
        // all of it turns: dw = -~w dtheta
        Frame::Body => {
            add_block(&mut stiffness, 0, 1, &skew(&force));
            add_block(&mut stiffness, 1, 1, &skew(&lower(&wrench)));
        }
    }
    assembly.add_stiffness(body, &stiffness);
}

/// Adds the load of a callback, which knows the body by `id`, at the present trial motion. Errors: its nonzero
/// return; None: numbers not finite.
pub fn assemble_callback<A: Assemble>(
    assembly: &mut Assembly<A>,
    body: usize,
    id: i32,
    time: f64,
    callback: &BodyLoadFn,
) -> Result<(), Option<i32>> {
    let m = &assembly.motions[body];
    let motion = BodyMotion {
        time,
        body: id,
        pose: [m.x.x, m.x.y, m.x.z, m.q.w, m.q.i, m.q.j, m.q.k],
        velocity: join(&m.v, &m.omega).into(),
        acceleration: join(&m.vdot, &m.omegadot).into(),
    };
    let mut load = BodyLoad { wrench: [0.0; 6], stiffness: [0.0; 36], damping: [0.0; 36] };
    callback(&motion, &mut load).map_err(Some)?;
    let finite = |a: &[f64]| a.iter().all(|x| x.is_finite());
    if !(finite(&load.wrench) && finite(&load.stiffness) && finite(&load.damping)) {
        return Err(None);
    }
    assembly.add_residual(body, &-Vec6::from_column_slice(&load.wrench));
    assembly.add_damping(body, &Mat6::from_column_slice(&load.damping));
    assembly.add_stiffness(body, &Mat6::from_column_slice(&load.stiffness));
    Ok(())
}
