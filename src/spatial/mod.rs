//! Algebra of positions, rotations and 6x6 inertias: pure functions on small fixed-size values.
//!
//! Rotations act actively, body to inertial; increments act from the left, `R' = exp(~psi) R`, so
//! that a variation `delta theta` of a rotation is resolved in the inertial frame:
//! `delta R = ~(delta theta) R`.
//!
//! What may not live here: anything with a state of its own, or that depends on a model, a force or
//! a scheme.

pub mod axes;
pub mod body_state;
pub mod convert;
mod frame;
pub mod inertia;
#[cfg(test)]
pub mod noise;
pub mod pose;
pub mod rotation;

pub use body_state::BodyState;
pub use frame::Frame;
pub use inertia::RigidInertia;
pub use pose::Pose;

/// Vector of three components.
pub type Vec3 = nalgebra::Vector3<f64>;
/// 3x3 matrix.
pub type Mat3 = nalgebra::Matrix3<f64>;
/// Linear part, then angular part (a wrench, a twist, an acceleration).
pub type Vec6 = nalgebra::Vector6<f64>;
/// 6x6 matrix on (translation, rotation).
pub type Mat6 = nalgebra::Matrix6<f64>;
/// Unit quaternion, active, body to inertial.
pub type Quat = nalgebra::UnitQuaternion<f64>;

/// The linear (upper) half of a 6-vector.
#[inline(always)]
pub fn upper(a: &Vec6) -> Vec3 {
    Vec3::new(a[0], a[1], a[2])
}

/// The angular (lower) half of a 6-vector.
#[inline(always)]
pub fn lower(a: &Vec6) -> Vec3 {
    Vec3::new(a[3], a[4], a[5])
}

/// The 6-vector with these halves.
#[inline(always)]
pub fn join(linear: &Vec3, angular: &Vec3) -> Vec6 {
    Vec6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}

/// `~a`, the matrix of the cross product: `~a b = a x b`.
#[inline(always)]
pub fn skew(a: &Vec3) -> Mat3 {
    Mat3::new(0.0, -a.z, a.y, a.z, 0.0, -a.x, -a.y, a.x, 0.0)
}

/// `~a ~b = b a^T - (a . b) I`.
#[inline(always)]
pub fn skew_skew(a: &Vec3, b: &Vec3) -> Mat3 {
    let dot = a.dot(b);
    Mat3::new(
        b.x * a.x - dot,
        b.x * a.y,
        b.x * a.z,
        b.y * a.x,
        b.y * a.y - dot,
        b.y * a.z,
        b.z * a.x,
        b.z * a.y,
        b.z * a.z - dot,
    )
}

/// `A ~b`, column by column (a third of the generic product's work).
#[inline(always)]
pub fn mul_skew(a: &Mat3, b: &Vec3) -> Mat3 {
    let (c0, c1, c2) = (a.column(0), a.column(1), a.column(2));
    Mat3::from_columns(&[c1 * b.z - c2 * b.y, c2 * b.x - c0 * b.z, c0 * b.y - c1 * b.x])
}

/// `~a B`, column by column.
#[inline(always)]
pub fn skew_mul(a: &Vec3, b: &Mat3) -> Mat3 {
    let cross = |j: usize| a.cross(&Vec3::new(b[(0, j)], b[(1, j)], b[(2, j)]));
    Mat3::from_columns(&[cross(0), cross(1), cross(2)])
}

/// One of the four 3x3 blocks of a 6x6 matrix; rows and columns counted in blocks.
#[inline(always)]
pub fn block(a: &Mat6, row: usize, column: usize) -> Mat3 {
    let entries = |j: usize| [0, 1, 2].map(|i| a.data.0[3 * column + j][3 * row + i]);
    Mat3::from_array_storage(nalgebra::ArrayStorage([entries(0), entries(1), entries(2)]))
}

/// Adds `b` to one of the four 3x3 blocks of `a`.
#[inline(always)]
pub fn add_block(a: &mut Mat6, row: usize, column: usize, b: &Mat3) {
    for j in 0..3 {
        for i in 0..3 {
            a[(3 * row + i, 3 * column + j)] += b[(i, j)];
        }
    }
}

/// `diag(R, R) A diag(R, R)^T`: a body-fixed 6x6 matrix in inertial axes.
pub fn rotate(r: &Mat3, a: &Mat6) -> Mat6 {
    let mut out = Mat6::zeros();
    for i in 0..2 {
        for j in 0..2 {
            add_block(&mut out, i, j, &(r * block(a, i, j) * r.transpose()));
        }
    }
    out
}

/// `A B`, column by column: the generic product calls a kernel for large matrices.
pub fn product(a: &Mat6, b: &Mat6) -> Mat6 {
    let mut out = [[0.0; 6]; 6];
    for (out, b) in out.iter_mut().zip(&b.data.0) {
        for (a, b) in a.data.0.iter().zip(b) {
            out.iter_mut().zip(a).for_each(|(sum, a)| *sum += a * b);
        }
    }
    Mat6::from_array_storage(nalgebra::ArrayStorage(out))
}

/// `A diag(~w, ~w)`, both 3-column halves.
pub fn mul_skew6(a: &Mat6, w0: &Vec3, w1: &Vec3) -> nalgebra::Matrix6x3<f64> {
    let mut out = nalgebra::Matrix6x3::zeros();
    for i in 0..2 {
        let part = mul_skew(&block(a, i, 0), w0) + mul_skew(&block(a, i, 1), w1);
        out.fixed_view_mut::<3, 3>(3 * i, 0).copy_from(&part);
    }
    out
}

/// A wrench about a point, moved to the reference point: moment + arm x force, `arm` from reference
/// to point.
#[inline(always)]
pub fn wrench_at_reference(wrench: &Vec6, arm: &Vec3) -> Vec6 {
    let force = upper(wrench);
    join(&force, &(lower(wrench) + arm.cross(&force)))
}

/// `A diag(I, T)`: a matrix whose last three columns are multiplied by that of a rotation's change.
#[inline(always)]
pub fn times_tangent(a: &Mat6, tangent: &Mat3) -> Mat6 {
    let mut out = *a;
    let right = a.fixed_columns::<3>(3) * tangent;
    out.fixed_columns_mut::<3>(3).copy_from(&right);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skew_products_equal_the_generic_ones() {
        let (a, b) = (Vec3::new(0.3, -1.2, 2.0), Vec3::new(-0.7, 0.4, 1.1));
        let m = Mat3::new(1.0, 2.0, 3.0, -4.0, 5.0, 6.0, 7.0, -8.0, 9.5);
        assert!((skew(&a) * b - a.cross(&b)).norm() < 1e-15);
        assert!((skew_skew(&a, &b) - skew(&a) * skew(&b)).norm() < 1e-14);
        assert!((mul_skew(&m, &a) - m * skew(&a)).norm() < 1e-13);
        assert!((skew_mul(&a, &m) - skew(&a) * m).norm() < 1e-13);
    }
}
