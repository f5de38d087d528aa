//! A pose: position of a reference point and orientation, as the C API's `pose[7]` and as a frame
//! on a body.

use super::{Mat3, Quat, Vec3, rotation};
use crate::error::{Error, Result};
use crate::number::Number;

/// How far a quaternion's norm may be from 1 before it is refused (it is normalised below that).
pub const UNIT_TOLERANCE: f64 = 1e-6;

/// Rounding error of the norm of a quaternion that was normalised, or composed of such.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Position and rotation, active, local to outer: `p_outer = position + R p_local`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Origin of the local frame, in the outer frame.
    pub position: Vec3,
    /// Rotation, local to outer.
    pub rotation: Quat,
}

impl Pose {
    /// The identity.
    pub fn identity() -> Pose {
        Pose { position: Vec3::zeros(), rotation: Quat::identity() }
    }

    /// From `x y z qw qx qy qz`. Errors: not finite; quaternion's norm off 1 by more than
    /// [`UNIT_TOLERANCE`].
    pub fn from_array(argument: &'static str, a: &[f64; 7]) -> Result<Pose> {
        check_finite(argument, a)?;
        let rotation = unit_quaternion(argument, &[a[3], a[4], a[5], a[6]])?;
        Ok(Pose { position: Vec3::new(a[0], a[1], a[2]), rotation })
    }

    /// One of many; the error names its owner.
    pub fn of_many(argument: &'static str, a: &[f64; 7], owner: impl FnOnce() -> String) -> Result<Pose> {
        Pose::from_array(argument, a).map_err(|error| match error {
            Error::BadValue { argument, detail } => Error::bad_value(argument, format!("{}: {detail}", owner())),
            error => error,
        })
    }

    /// As `x y z qw qx qy qz`.
    pub fn to_array(&self) -> [f64; 7] {
        let (x, q) = (&self.position, &self.rotation);
        [x.x, x.y, x.z, q.w, q.i, q.j, q.k]
    }

    /// The rotation as a matrix.
    pub fn matrix(&self) -> Mat3 {
        rotation::matrix(&self.rotation)
    }

    /// The frame `local`, given in this frame, in the outer frame.
    pub fn compose(&self, local: &Pose) -> Pose {
        Pose {
            position: self.position + self.matrix() * local.position,
            rotation: rotation::compose(&self.rotation, &local.rotation),
        }
    }

    /// The outer frame `outer` seen from this frame.
    pub fn localize(&self, outer: &Pose) -> Pose {
        Pose {
            position: self.matrix().transpose() * (outer.position - self.position),
            rotation: rotation::compose(&self.rotation.inverse(), &outer.rotation),
        }
    }
}

/// Errors with the first entry that is NaN or infinite; an array of one entry is a number.
pub fn check_finite(argument: &'static str, a: &[f64]) -> Result<()> {
    match a.iter().position(|x| !x.is_finite()) {
        Some(k) => Err(Error::NotFinite { argument, index: (a.len() > 1).then_some(k), value: a[k] }),
        None => Ok(()),
    }
}

/// A unit quaternion from `w x y z`, normalised. Errors: not finite; norm off 1 by more than
/// [`UNIT_TOLERANCE`].
pub fn unit_quaternion(argument: &'static str, q: &[f64; 4]) -> Result<Quat> {
    check_finite(argument, q)?;
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if (norm - 1.0).abs() > UNIT_TOLERANCE {
        let n = q.map(Number);
        return Err(Error::bad_value(
            argument,
            format!("quaternion ({}, {}, {}, {}) has norm {}, not 1", n[0], n[1], n[2], n[3], Number(norm)),
        ));
    }
    // A unit quaternion is returned unchanged, bit for bit, so that outputs can be inputs again.
    let scale = if (norm - 1.0).abs() <= ROUNDING { 1.0 } else { 1.0 / norm };
    Ok(Quat::new_unchecked(nalgebra::Quaternion::new(q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn localize_inverts_compose() {
        let outer = Pose::from_array("pose", &[1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5]).unwrap();
        let local = Pose::from_array("pose", &[-1.0, 0.5, 0.0, 0.6, 0.0, 0.8, 0.0]).unwrap();
        let back = outer.localize(&outer.compose(&local));
        assert!((back.position - local.position).norm() < 1e-15);
        assert!(rotation::log(&(back.rotation.inverse() * local.rotation)).norm() < 1e-15);
    }

    #[test]
    fn normalising_twice_changes_nothing() {
        for k in 0..10_000 {
            let angle = f64::from(k);
            let q = [angle.sin(), angle.cos(), (1.7 * angle).sin(), (0.3 * angle).cos()];
            let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt() * (1.0 + 1e-7 * angle.sin());
            let once = unit_quaternion("q", &q.map(|x| x / norm)).unwrap();
            for once in [once, rotation::compose(&once, &once)] {
                let twice = unit_quaternion("q", &[once.w, once.i, once.j, once.k]).unwrap();
                assert_eq!(once.coords.as_slice(), twice.coords.as_slice());
            }
        }
    }

    #[test]
    fn non_unit_quaternions_are_refused() {
        assert!(unit_quaternion("q", &[1.0 + 2e-6, 0.0, 0.0, 0.0]).is_err());
        assert!(unit_quaternion("q", &[1.0 - 5e-7, 0.0, 0.0, 0.0]).is_ok());
        assert!(unit_quaternion("q", &[0.0; 4]).is_err());
        assert!(unit_quaternion("q", &[f64::NAN, 0.0, 0.0, 0.0]).is_err());
    }
}
