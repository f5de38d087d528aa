//! Frames from directions: unit vectors, axes about one of them, a frame from two.

use super::convert::from_matrix;
use super::pose::check_finite;
use super::{Mat3, Pose, Vec3};
use crate::error::{Error, Result};

/// Sine of the least angle between two directions that define a frame.
const PARALLEL: f64 = 1e-6;

/// The unit vector of a direction. Errors: not finite, of length zero.
pub fn direction(argument: &'static str, given: &[f64; 3]) -> Result<Vec3> {
    check_finite(argument, given)?;
    let given = Vec3::from_column_slice(given);
    // Scaled first, so that the norm neither overflows nor vanishes.
    let largest = given.amax();
    if largest == 0.0 {
        return Err(Error::bad_value(argument, "has no direction: all components are zero"));
    }
    Ok((given / largest).normalize())
}

/// The frame (position, quaternion w x y z) at an origin with a z axis and, from `x`, the x axis
/// perpendicular to it; any x axis if there is none. Errors: not finite; an axis of length zero; x
/// parallel to z within 1e-6.
pub fn frame_from_axes(origin: &[f64; 3], z: &[f64; 3], x: Option<&[f64; 3]>) -> Result<[f64; 7]> {
    check_finite("origin", origin)?;
    let z = direction("z", z)?;
    let axes = match x {
        None => axes_about(&z),
        Some(x) => {
            let given = direction("x", x)?;
            let y = z.cross(&given);
            if y.norm() < PARALLEL {
                return Err(Error::bad_value("x", "is parallel to z: it says no direction across it"));
            }
            let y = y.normalize();
            Mat3::from_columns(&[y.cross(&z), y, z])
        }
    };
    Ok(Pose { position: Vec3::from_column_slice(origin), rotation: from_matrix(&axes) }.to_array())
}

/// Right-handed axes with the given z axis; deterministic and continuous almost everywhere. Duff et
/// al. (2017), "Building an orthonormal basis, revisited".
pub fn axes_about(z: &Vec3) -> Mat3 {
    let sign = 1.0f64.copysign(z.z);
    let a = -1.0 / (sign + z.z);
    let b = z.x * z.y * a;
    let x = Vec3::new(1.0 + sign * z.x * z.x * a, sign * b, -sign * z.x);
    let y = Vec3::new(b, sign + z.y * z.y * a, -z.y);
    Mat3::from_columns(&[x, y, *z])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_a_rotation_about_every_axis() {
        for z in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.6, -0.8, 0.0], [0.48, 0.6, -0.64]] {
            let z = Vec3::from(z);
            let m = axes_about(&z);
            assert!((m.transpose() * m - Mat3::identity()).amax() < 1e-15);
            assert!((m.determinant() - 1.0).abs() < 1e-15 && (m.column(2) - z).norm() == 0.0);
        }
    }

    #[test]
    fn frames_have_the_axes_they_were_made_from() {
        let z = [0.0, 3.0, 4.0];
        let axis = |frame: &[f64; 7], k: usize| {
            let pose = Pose::from_array("frame", frame).unwrap();
            Vec3::from(pose.matrix().column(k))
        };
        // x without its component along z: (1, 2, 0) - 1.2 (0, 0.6, 0.8) = (1, 1.28, -0.96)
        let frame = frame_from_axes(&[7.0, 8.0, 9.0], &z, Some(&[1e200, 2e200, 0.0])).unwrap();
        assert_eq!(frame[..3], [7.0, 8.0, 9.0]);
        assert!((axis(&frame, 2) - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
        assert!((axis(&frame, 0) - Vec3::new(1.0, 1.28, -0.96).normalize()).norm() < 1e-15);
        let any = frame_from_axes(&[0.0; 3], &z, None).unwrap();
        assert!((axis(&any, 2) - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
    }

    #[test]
    fn axes_that_say_no_frame_are_refused() {
        let refused = |z: [f64; 3], x: [f64; 3]| frame_from_axes(&[0.0; 3], &z, Some(&x)).unwrap_err().to_string();
        assert!(refused([0.0; 3], [1.0, 0.0, 0.0]).contains("z: has no direction"));
        assert!(refused([1.0, 0.0, 0.0], [0.0; 3]).contains("x: has no direction"));
        assert!(refused([1.0, 2.0, 0.0], [-2.0, -4.0, 1e-9]).contains("parallel"));
        assert!(refused([1.0, f64::NAN, 0.0], [1.0, 0.0, 0.0]).contains("finite"));
    }
}
