//! Products and inverses of 3 x 3 matrices, the three rows of each column side by side in one register: compilers do not do that
//! by themselves.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::several::{Four, Number};
use super::small::Columns;

/// Three columns of three rows, and a fourth one that does not count.
pub type Threes = [Four; 3];

/// Three rows of a column.
#[inline(always)]
pub fn threes(column: &[f64]) -> Four {
    Four([column[0], column[1], column[2], 0.0])
}

/// Without the fourth row.
#[inline(always)]
pub fn short(m: &Threes) -> Columns<3, 3> {
    let column = |Four([x, y, z, _]): Four| [x, y, z];
    [column(m[0]), column(m[1]), column(m[2])]
}

/// Three rows of three columns, from some on. In the fourth place stands the next row, if there is one.
#[inline(always)]
pub fn part<const R: usize, const C: usize>(m: &Columns<R, C>, row: usize, column: usize) -> Threes {
    let of = |column: &[f64; R]| {
        let next = if row + 3 < R { column[row + 3] } else { 0.0 };
        Four([column[row], column[row + 1], column[row + 2], next])
    };
    [of(&m[column]), of(&m[column + 1]), of(&m[column + 2])]
}

/// `factor A`.
#[inline(always)]
pub fn scaled(m: &Threes, factor: f64) -> Threes {
    [m[0].times(factor), m[1].times(factor), m[2].times(factor)]
}

/// `A B`.
#[inline(always)]
pub fn product(a: &Threes, b: &Threes) -> Threes {
    [times(a, b[0]), times(a, b[1]), times(a, b[2])]
}

/// `A x`.
#[inline(always)]
pub fn times(a: &Threes, Four([x, y, z, _]): Four) -> Four {
    a[0].times(x).plus(a[1].times(y)).plus(a[2].times(z))
}

/// `A - B`.
#[inline(always)]
pub fn less(a: &Threes, b: &Threes) -> Threes {
    [a[0].minus(b[0]), a[1].minus(b[1]), a[2].minus(b[2])]
}

/// The inverse by cofactors, not finite or far off where there is none.
#[inline(always)]
pub fn inverse(m: &Threes) -> Threes {
    let [p, q, r] = &inverse_3(&short(m));
    [threes(p), threes(q), threes(r)]
}

/// The same of a matrix of three rows.
#[inline(always)]
pub fn inverse_3(a: &Columns<3, 3>) -> Columns<3, 3> {
    let [p, q, r] = a;
    let cross =
        |x: &[f64; 3], y: &[f64; 3]| [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let rows = [cross(q, r), cross(r, p), cross(p, q)];
    let factor = 1.0 / (p[0] * rows[0][0] + p[1] * rows[0][1] + p[2] * rows[0][2]);
    let mut out = [[0.0; 3]; 3];
    for j in 0..3 {
        for i in 0..3 {
            out[j][i] = rows[i][j] * factor;
        }
    }
    out
}

/// The inverse of `[A B; C D]`, by `A^-1` and the inverse of `D - C A^-1 B`.
#[inline(always)]
pub fn inverse_6(m: &Columns<6, 6>) -> Columns<6, 6> {
    let (a, b, c, d) = (inverse(&part(m, 0, 0)), part(m, 0, 3), part(m, 3, 0), part(m, 3, 3));
    let left = product(&c, &a);
    let d = inverse(&less(&d, &product(&left, &b)));
    let right = product(&product(&a, &b), &d);
    let below = product(&d, &left);
    let added = product(&right, &left);
    let mut out = [[0.0; 6]; 6];
    for j in 0..3 {
        let (Four(above), Four(under)) = (a[j].plus(added[j]), Four::ZERO.minus(below[j]));
        let (Four(beside), Four(last)) = (Four::ZERO.minus(right[j]), d[j]);
        out[j] = [above[0], above[1], above[2], under[0], under[1], under[2]];
        out[3 + j] = [beside[0], beside[1], beside[2], last[0], last[1], last[2]];
    }
    out
}
