//! Loads of the host: held wrenches on bodies and markers.

use crate::linear::Assemble;
use crate::model::{Frame, Load};
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
