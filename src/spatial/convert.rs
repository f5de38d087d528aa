//! Rotation conversions of the C API (`capi/rotation.rs`), on plain arrays: quaternion `w x y z`,
//! direction cosine matrix column-major and body to inertial, rotation vector, z-y-x Euler angles
//! as (roll, pitch, yaw).

use super::pose::{check_finite, unit_quaternion};
use super::{Mat3, Pose, Quat, Vec3, rotation};
use crate::error::{Error, Result};

/// How far `R^T R` may be from the identity before a matrix is refused as a rotation.
const ORTHOGONAL_TOLERANCE: f64 = 1e-6;

fn to_array(q: &Quat) -> [f64; 4] {
    [q.w, q.i, q.j, q.k]
}

/// The matrix R(q), column-major: `dcm[i + 3 j]`. Errors: not finite, not of unit norm.
pub fn quat_to_dcm(q: &[f64; 4]) -> Result<[f64; 9]> {
    let m = rotation::matrix(&unit_quaternion("q", q)?);
    Ok(std::array::from_fn(|k| m[k]))
}

/// The quaternion (w >= 0) of a rotation matrix. Errors: not finite, not orthogonal within 1e-6, a
/// reflection.
pub fn quat_from_dcm(dcm: &[f64; 9]) -> Result<[f64; 4]> {
    check_finite("dcm", dcm)?;
    let m = Mat3::from_column_slice(dcm);
    let deviation = (m.transpose() * m - Mat3::identity()).amax();
    // Written so that entries whose squares overflow are refused, too.
    if !(m.amax() < 2.0 && deviation <= ORTHOGONAL_TOLERANCE) {
        return Err(Error::bad_value("dcm", format!("not orthogonal: R^T R differs from I by {deviation:.3e}")));
    }
    if m.determinant() < 0.0 {
        return Err(Error::bad_value("dcm", "a reflection: its determinant is -1"));
    }
    Ok(to_array(&from_matrix(&m)))
}

/// The unit quaternion (w >= 0) of an orthogonal matrix. Shepperd (1978): divide by the largest
/// component.
pub fn from_matrix(m: &Mat3) -> Quat {
    let trace = m.trace();
    let candidates = [trace, m[(0, 0)], m[(1, 1)], m[(2, 2)]];
    let largest = (0..4).max_by(|a, b| candidates[*a].total_cmp(&candidates[*b])).unwrap_or(0);
    let d = |i: usize, j: usize| m[(i, j)] - m[(j, i)];
    let s = |i: usize, j: usize| m[(i, j)] + m[(j, i)];
    let q = match largest {
        0 => [1.0 + trace, d(2, 1), d(0, 2), d(1, 0)],
        1 => [d(2, 1), 1.0 + 2.0 * m[(0, 0)] - trace, s(0, 1), s(0, 2)],
        2 => [d(0, 2), s(0, 1), 1.0 + 2.0 * m[(1, 1)] - trace, s(1, 2)],
        _ => [d(1, 0), s(0, 2), s(1, 2), 1.0 + 2.0 * m[(2, 2)] - trace],
    };
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let scale = if q[0] < 0.0 { -1.0 / norm } else { 1.0 / norm };
    Quat::new_unchecked(nalgebra::Quaternion::new(q[0] * scale, q[1] * scale, q[2] * scale, q[3] * scale))
}

/// The rotation vector (axis times angle, angle in [0, pi]). Errors: not finite, not of unit norm.
pub fn quat_to_rotvec(q: &[f64; 4]) -> Result<[f64; 3]> {
    let phi = rotation::log(&unit_quaternion("q", q)?);
    Ok([phi.x, phi.y, phi.z])
}

/// The quaternion of a rotation vector (rad). Errors: not finite.
pub fn quat_from_rotvec(rotvec: &[f64; 3]) -> Result<[f64; 4]> {
    check_finite("rotvec", rotvec)?;
    Ok(to_array(&rotation::exp(&Vec3::from_column_slice(rotvec))))
}

/// Roll, pitch, yaw (rad) with `R = Rz(yaw) Ry(pitch) Rx(roll)`; at pitch +-90 degrees roll is 0 by
/// convention. Errors: not finite, not of unit norm.
pub fn quat_to_euler_zyx(q: &[f64; 4]) -> Result<[f64; 3]> {
    Ok(euler_zyx(&rotation::matrix(&unit_quaternion("q", q)?)))
}

/// Roll, pitch, yaw (rad) of a rotation `R = Rz(yaw) Ry(pitch) Rx(roll)`; roll 0 where roll and yaw
/// are not unique.
pub fn euler_zyx(m: &Mat3) -> [f64; 3] {
    // |cos(pitch)|, free of the cancellation of 1 - sin^2.
    let cosine = m[(0, 0)].hypot(m[(1, 0)]);
    let pitch = (-m[(2, 0)]).atan2(cosine);
    if cosine > 1e-12 {
        [m[(2, 1)].atan2(m[(2, 2)]), pitch, m[(1, 0)].atan2(m[(0, 0)])]
    } else {
        [0.0, pitch, (-m[(0, 1)]).atan2(m[(1, 1)])]
    }
}

/// The quaternion of roll, pitch, yaw (rad), `R = Rz(yaw) Ry(pitch) Rx(roll)`. Errors: not finite.
pub fn quat_from_euler_zyx(angles: &[f64; 3]) -> Result<[f64; 4]> {
    check_finite("angles", angles)?;
    let about = |axis: Vec3, angle: f64| rotation::exp(&(axis * angle));
    let q = about(Vec3::z(), angles[2]) * about(Vec3::y(), angles[1]) * about(Vec3::x(), angles[0]);
    Ok(to_array(&q))
}

/// Poses moved by increments (u, theta) in I: x + u, exp(theta) R. Errors: not finite, not of unit
/// norm.
pub fn retract(poses: &[[f64; 7]], increments: &[[f64; 6]]) -> Result<Vec<[f64; 7]>> {
    check_finite("poses", poses.as_flattened())?;
    check_finite("increments", increments.as_flattened())?;
    let moved = |(row, (pose, increment)): (usize, (&[f64; 7], &[f64; 6]))| {
        let pose = Pose::of_many("poses", pose, || format!("row {row}"))?;
        let [u, theta] = [0, 3].map(|first| Vec3::from_column_slice(&increment[first..first + 3]));
        let rotation = rotation::compose(&rotation::exp(&theta), &pose.rotation);
        finite("moved", Pose { position: pose.position + u, rotation }.to_array())
    };
    poses.iter().zip(increments).enumerate().map(moved).collect()
}

/// A result, if it is finite.
fn finite<const N: usize>(output: &'static str, numbers: [f64; N]) -> Result<[f64; N]> {
    if numbers.iter().all(|x| x.is_finite()) { Ok(numbers) } else { Err(Error::Overflow { output }) }
}

/// The increments (u, theta) from poses to others, |theta| <= pi. Errors: not finite, not of unit
/// norm.
pub fn difference(from: &[[f64; 7]], to: &[[f64; 7]]) -> Result<Vec<[f64; 6]>> {
    check_finite("from", from.as_flattened())?;
    check_finite("to", to.as_flattened())?;
    let between = |(row, (from, to)): (usize, (&[f64; 7], &[f64; 7]))| {
        let pose = |argument, pose| Pose::of_many(argument, pose, || format!("row {row}"));
        let (from, to) = (pose("from", from)?, pose("to", to)?);
        let theta = rotation::log(&(to.rotation * from.rotation.inverse()));
        finite("increments", super::join(&(to.position - from.position), &theta).into())
    };
    from.iter().zip(to).enumerate().map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: &[f64], b: &[f64], tolerance: f64) -> bool {
        a.iter().zip(b).all(|(x, y)| (x - y).abs() <= tolerance)
    }

    #[test]
    fn conversions_invert_each_other() {
        for rotvec in [[0.1, -0.2, 0.3], [3.0, 0.1, 0.2], [0.0, 3.1, 0.0], [0.0, 0.0, -3.1], [1e-8, 0.0, 0.0]] {
            let q = quat_from_rotvec(&rotvec).unwrap();
            assert!(close(&quat_to_rotvec(&q).unwrap(), &rotvec, 1e-14));
            assert!(close(&quat_from_dcm(&quat_to_dcm(&q).unwrap()).unwrap(), &q, 1e-14));
            let angles = quat_to_euler_zyx(&q).unwrap();
            let back = quat_from_euler_zyx(&angles).unwrap();
            let sign = if back[0] * q[0] + back[1] * q[1] + back[2] * q[2] + back[3] * q[3] < 0.0 { -1.0 } else { 1.0 };
            assert!(close(&back.map(|x| x * sign), &q, 1e-14));
        }
    }

    #[test]
    fn difference_inverts_retract() {
        let q = quat_from_rotvec(&[0.4, -0.3, 1.1]).unwrap();
        let poses = [[1.0, -2.0, 3.0, q[0], q[1], q[2], q[3]], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]];
        let increments = [[0.5, 0.25, -1.0, 0.3, -2.0, 1.5], [0.0, 0.0, 0.0, 0.0, 0.0, -3.0]];
        let moved = retract(&poses, &increments).unwrap();
        // the increment acts from the left: in inertial axes
        let turn = quat_from_rotvec(&[0.0, 0.0, -3.0]).unwrap();
        assert!(close(&moved[1][3..], &turn, 1e-15));
        let back = difference(&poses, &moved).unwrap();
        assert!(close(back.as_flattened(), increments.as_flattened(), 1e-14));
        assert!(retract(&poses, &[[f64::NAN; 6]; 2]).is_err() && difference(&poses, &[[2.0; 7]; 2]).is_err());
    }

    #[test]
    fn dcm_takes_body_axes_to_inertial_axes() {
        // 90 degrees about z: the body's x axis points along inertial y; it is the first column.
        let dcm = quat_to_dcm(&[0.5f64.sqrt(), 0.0, 0.0, 0.5f64.sqrt()]).unwrap();
        assert!(close(&dcm, &[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0], 1e-15));
    }

    #[test]
    fn euler_angles_stay_defined_at_gimbal_lock() {
        let q = quat_from_euler_zyx(&[0.3, std::f64::consts::FRAC_PI_2, 0.5]).unwrap();
        let back = quat_from_euler_zyx(&quat_to_euler_zyx(&q).unwrap()).unwrap();
        // Near the singularity angles are defined to sqrt(eps) only; the rotation itself is not
        // worse than that.
        assert!(close(&quat_to_dcm(&back).unwrap(), &quat_to_dcm(&q).unwrap(), 1e-7));
    }

    #[test]
    fn broken_matrices_are_refused() {
        assert!(quat_from_dcm(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0]).is_err());
        assert!(quat_from_dcm(&[1.0, 0.0, 0.0, 0.0, 1.1, 0.0, 0.0, 0.0, 1.0]).is_err());
        assert!(quat_from_dcm(&[f64::NAN; 9]).is_err());
    }

    #[test]
    fn a_quaternion_of_many_is_named_by_its_row() {
        let mut poses = [[1.0, 2.0, 3.0, 0.5, 0.5, 0.5, 0.5]; 3];
        poses[2][3] = 0.6;
        let good = [poses[0]; 3];
        let told = [
            retract(&poses, &[[0.0; 6]; 3]).unwrap_err(),
            difference(&poses, &good).unwrap_err(),
            difference(&good, &poses).unwrap_err(),
        ];
        for (error, argument) in told.iter().zip(["poses", "from", "to"]) {
            let text = error.to_string();
            assert!(text.contains(argument) && text.contains("row 2: quaternion (0.6,"), "{text}");
        }
    }
}
