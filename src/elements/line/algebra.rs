//! Products of small vectors, entry by entry: an evaluation of a line is little else.

use crate::spatial::{Mat3, Vec3};

/// `a b^T`.
#[inline(always)]
pub(super) fn dyad(a: &Vec3, b: &Vec3) -> Mat3 {
    Mat3::new(a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z)
}

/// Adds `a b^T`.
#[inline(always)]
pub(super) fn add_dyad(to: &mut Mat3, a: &Vec3, b: &Vec3) {
    *to += dyad(a, b);
}

/// Adds a multiple of the identity.
#[inline(always)]
pub(super) fn add_to_diagonal(to: &mut Mat3, x: f64) {
    to[(0, 0)] += x;
    to[(1, 1)] += x;
    to[(2, 2)] += x;
}

/// `(I - t t^T)/s`, of a direction and one over a length: the derivative of the direction of a
/// chord by the chord.
#[inline(always)]
pub(super) fn projector(t: &Vec3, inverse: f64) -> Mat3 {
    let mut p = dyad(t, &(t * -inverse));
    add_to_diagonal(&mut p, inverse);
    p
}

/// Adds to a column.
#[inline(always)]
pub(super) fn add_column(to: &mut Mat3, column: usize, x: &Vec3) {
    to[(0, column)] += x.x;
    to[(1, column)] += x.y;
    to[(2, column)] += x.z;
}

/// `A B`, column by column.
#[inline(always)]
pub(super) fn times(a: &Mat3, b: &Mat3) -> Mat3 {
    let column = |j: usize| a.column(0) * b[(0, j)] + a.column(1) * b[(1, j)] + a.column(2) * b[(2, j)];
    Mat3::from_columns(&[column(0), column(1), column(2)])
}
