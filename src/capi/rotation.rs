//! Rotations and frames. No handle, any thread. Arrays may overlap.
//!
//! Quaternions are qw qx qy qz, active, body to inertial; matrices are column-major, body to
//! inertial.

use super::boundary::{input, optional_input, output, without_system};
use crate::spatial::{axes, convert};

/// Quaternion to matrix.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `dcm[9]`: receives column-major direction cosines, body to inertial: v_I = R v_B, R_ij at i +
///   3 j.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
/// cbindgen:ptrs-as-arrays=[[q;4], [dcm;9]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_to_dcm(q: *const f64, dcm: *mut f64) -> i32 {
    without_system("pintle_quat_to_dcm", || {
        let (q, out) = (input::<4>("q", q)?, output::<9>("dcm", dcm)?);
        out.write(convert::quat_to_dcm(&q)?)
    })
}

/// Matrix to quaternion.
///
/// - `dcm[9]`: column-major direction cosines, body to inertial: v_I = R v_B, R_ij at i + 3 j.
/// - `q[4]`: receives qw qx qy qz of unit norm, qw >= 0.
///
/// Errors: NOT_FINITE, BAD_VALUE (not orthogonal within 1e-6, or a reflection).
/// cbindgen:ptrs-as-arrays=[[dcm;9], [q;4]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_from_dcm(dcm: *const f64, q: *mut f64) -> i32 {
    without_system("pintle_quat_from_dcm", || {
        let (dcm, out) = (input::<9>("dcm", dcm)?, output::<4>("q", q)?);
        out.write(convert::quat_from_dcm(&dcm)?)
    })
}

/// Quaternion to rotation vector.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `rotvec[3]`: receives axis times angle, angle in 0..pi rad.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
/// cbindgen:ptrs-as-arrays=[[q;4], [rotvec;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_to_rotvec(q: *const f64, rotvec: *mut f64) -> i32 {
    without_system("pintle_quat_to_rotvec", || {
        let (q, out) = (input::<4>("q", q)?, output::<3>("rotvec", rotvec)?);
        out.write(convert::quat_to_rotvec(&q)?)
    })
}

/// Rotation vector to quaternion.
///
/// - `rotvec[3]`: axis times angle, in rad, any angle.
/// - `q[4]`: receives qw qx qy qz of unit norm.
///
/// Errors: NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[rotvec;3], [q;4]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_from_rotvec(rotvec: *const f64, q: *mut f64) -> i32 {
    without_system("pintle_quat_from_rotvec", || {
        let (rotvec, out) = (input::<3>("rotvec", rotvec)?, output::<4>("q", q)?);
        out.write(convert::quat_from_rotvec(&rotvec)?)
    })
}

/// Quaternion to Euler angles: yaw about z, then pitch about the new y, then roll about the new x.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `angles[3]`: receives roll, pitch, yaw in rad; pitch in -pi/2..pi/2, at its ends roll and yaw
///   are not unique.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
/// cbindgen:ptrs-as-arrays=[[q;4], [angles;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_to_euler_zyx(q: *const f64, angles: *mut f64) -> i32 {
    without_system("pintle_quat_to_euler_zyx", || {
        let (q, out) = (input::<4>("q", q)?, output::<3>("angles", angles)?);
        out.write(convert::quat_to_euler_zyx(&q)?)
    })
}

/// Euler angles to quaternion: yaw about z, then pitch about the new y, then roll about the new x.
///
/// - `angles[3]`: roll, pitch, yaw in rad.
/// - `q[4]`: receives qw qx qy qz of unit norm.
///
/// Errors: NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[angles;3], [q;4]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_quat_from_euler_zyx(angles: *const f64, q: *mut f64) -> i32 {
    without_system("pintle_quat_from_euler_zyx", || {
        let (angles, out) = (input::<3>("angles", angles)?, output::<4>("q", q)?);
        out.write(convert::quat_from_euler_zyx(&angles)?)
    })
}

/// A frame from its origin and two of its axes, for pintle_add_joint, pintle_add_bushing and
/// pintle_add_marker.
///
/// - `origin[3]`: position of the frame.
/// - `z[3]`: its z axis, of any length but zero.
/// - `x[3]`: its x axis, of any length but zero; its component along z is removed. It may be NULL:
///   then any x axis is chosen.
/// - `frame[7]`: receives origin, then qw qx qy qz; in the axes in which the arguments are given.
///
/// Errors: NOT_FINITE, BAD_VALUE (z or x of length zero; x parallel to z within 1e-6).
/// cbindgen:ptrs-as-arrays=[[origin;3], [z;3], [x;3], [frame;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_frame_from_axes(
    origin: *const f64,
    z: *const f64,
    x: *const f64,
    frame: *mut f64,
) -> i32 {
    without_system("pintle_frame_from_axes", || {
        let (origin, z, x) = (input::<3>("origin", origin)?, input::<3>("z", z)?, optional_input::<3>(x));
        let frame = output::<7>("frame", frame)?;
        frame.write(axes::frame_from_axes(&origin, &z, x.as_ref())?)
    })
}
