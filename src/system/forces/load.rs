//! Loads of the host: held wrenches on bodies and markers, and load callbacks.

use crate::linear::Assemble;
use crate::model::{BodyLoad, BodyLoadFn, BodyMotion, Frame, Load};
use crate::spatial::{Mat6, Vec3, Vec6, add_block, join, lower, skew, skew_skew, upper, wrench_at_reference};
use crate::system::assembly::Assembly;
use crate::system::reference::PointForce;

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

/// What a callback knows a body by.
pub struct Known<'a> {
    /// Its number.
    pub id: i32,
    /// Its reference point, body axes.
    pub reference: &'a Vec3,
    /// Where positions are measured from, in the host's coordinates.
    pub origin: &'a Vec3,
}

/// Adds the load of a callback at the present trial motion. Errors: its nonzero return; None: numbers not finite.
pub fn assemble_callback<A: Assemble>(
    assembly: &mut Assembly<A>,
    body: usize,
    known: &Known,
    time: f64,
    callback: &BodyLoadFn,
) -> Result<(), Option<i32>> {
    assembly.add_force_at(body, known.reference, |m| {
        let x = m.x + known.origin;
        let motion = BodyMotion {
            time,
            body: known.id,
            pose: [x.x, x.y, x.z, m.q.w, m.q.i, m.q.j, m.q.k],
            velocity: join(&m.v, &m.omega).into(),
            acceleration: join(&m.vdot, &m.omegadot).into(),
        };
        let mut load = BodyLoad { wrench: [0.0; 6], stiffness: [0.0; 36], damping: [0.0; 36] };
        callback(&motion, &mut load).map_err(Some)?;
        let finite = |a: &[f64]| a.iter().all(|x| x.is_finite());
        if !(finite(&load.wrench) && finite(&load.stiffness) && finite(&load.damping)) {
            return Err(None);
        }
        Ok(PointForce {
            residual: -Vec6::from_column_slice(&load.wrench),
            mass: Mat6::zeros(),
            damping: Mat6::from_column_slice(&load.damping),
            stiffness: Mat6::from_column_slice(&load.stiffness),
        })
    })
}
