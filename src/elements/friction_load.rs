//! Friction that grows with the reaction of its joint.

use super::check_not_negative;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Vec3, Vec6, lower, upper};

/// Friction by the reaction of a joint: with F and M the force and moment on b at the origin of its
/// joint frame, and z the axis of the joint, it is `axial max(0, F_z)`, or `-axial max(0, -F_z)`
/// for a negative one, `+ radial |F_xy| + bending |M_xy|`. For an angle the first two are lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionLoad {
    /// Of the force along the axis.
    pub axial: f64,
    /// Of the force across it.
    pub radial: f64,
    /// Of the moment across it.
    pub bending: f64,
    /// What holds over what slips, at least 1.
    pub static_ratio: f64,
}

/// Errors: what holds over what slips is not finite, or below 1.
pub fn check_static_ratio(static_ratio: f64) -> Result<()> {
    check_finite("static_ratio", &[static_ratio])?;
    if static_ratio < 1.0 {
        return Err(Error::bad_value("static_ratio", format!("{} is below 1", Number(static_ratio))));
    }
    Ok(())
}

impl FrictionLoad {
    /// None.
    pub const NONE: FrictionLoad = FrictionLoad { axial: 0.0, radial: 0.0, bending: 0.0, static_ratio: 1.0 };

    /// Whether there is any.
    pub fn is_any(&self) -> bool {
        [self.axial, self.radial, self.bending] != [0.0; 3]
    }

    /// Errors: a number out of its range, by the name of its argument.
    pub fn check(&self) -> Result<()> {
        let FrictionLoad { axial, radial, bending, static_ratio } = *self;
        check_finite("axial", &[axial])?;
        check_not_negative("radial", radial)?;
        check_not_negative("bending", bending)?;
        check_static_ratio(static_ratio)
    }

    /// The friction that a wrench on b adds while it slips.
    pub fn of(&self, wrench: &Vec6, axis: &Vec3) -> f64 {
        let ([force, moment], FrictionLoad { axial, radial, bending, .. }) = ([upper(wrench), lower(wrench)], *self);
        let along = force.dot(axis);
        let across = |x: &Vec3| (x - axis * x.dot(axis)).norm();
        (axial * along).max(0.0) + radial * across(&force) + bending * across(&moment)
    }
}
