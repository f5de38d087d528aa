//! Products and inverses of 3 x 3 matrices, the three rows of each column side by side in one register: compilers do not do that
//! by themselves.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::lanes::{Lanes, Plain};
use super::several::Four;
use super::small::Columns;

/// Three columns of three rows, and a fourth one that does not count.
pub type Threes<L = Plain> = [<L as Lanes>::Four; 3];

/// Three rows of a column.
#[inline(always)]
pub fn threes<L: Lanes>(lanes: L, rows: &[f64; 3]) -> L::Four {
    lanes.four([rows[0], rows[1], rows[2], 0.0])
}

/// A matrix whose numbers stand in memory.
#[inline(always)]
pub fn read<L: Lanes>(lanes: L, m: &Threes) -> Threes<L> {
    [lanes.four(m[0].0), lanes.four(m[1].0), lanes.four(m[2].0)]
}

/// A matrix that goes to memory.
#[inline(always)]
pub fn written<L: Lanes>(lanes: L, m: &Threes<L>) -> Threes {
    [Four(lanes.numbers(m[0])), Four(lanes.numbers(m[1])), Four(lanes.numbers(m[2]))]
}

/// Three rows of a column as numbers.
#[inline(always)]
pub fn three<L: Lanes>(lanes: L, column: L::Four) -> [f64; 3] {
    let [x, y, z, _] = lanes.numbers(column);
    [x, y, z]
}

/// Six rows of a column, from two of three.
#[inline(always)]
fn six<L: Lanes>(lanes: L, upper: L::Four, lower: L::Four) -> [f64; 6] {
    let ([a, b, c], [d, e, f]) = (three(lanes, upper), three(lanes, lower));
    [a, b, c, d, e, f]
}

/// Without the fourth row.
#[inline(always)]
pub fn short<L: Lanes>(lanes: L, m: &Threes<L>) -> Columns<3, 3> {
    [three(lanes, m[0]), three(lanes, m[1]), three(lanes, m[2])]
}

/// Three rows of three columns, from some on. In the fourth place stands the next row, if there is one.
#[inline(always)]
pub fn part<L: Lanes, const R: usize, const C: usize>(
    lanes: L,
    m: &Columns<R, C>,
    row: usize,
    column: usize,
) -> Threes<L> {
    [rows(lanes, &m[column], row), rows(lanes, &m[column + 1], row), rows(lanes, &m[column + 2], row)]
}

#[inline(always)]
fn rows<L: Lanes, const R: usize>(lanes: L, column: &[f64; R], row: usize) -> L::Four {
    match column[row..].first_chunk() {
        Some(four) => lanes.four(*four),
        None => threes(lanes, &[column[row], column[row + 1], column[row + 2]]),
    }
}

/// The columns of `A^T`.
#[inline(always)]
pub fn transposed<L: Lanes>(lanes: L, m: &Threes<L>) -> Threes<L> {
    let [p, q, r] = short(lanes, m);
    [threes(lanes, &[p[0], q[0], r[0]]), threes(lanes, &[p[1], q[1], r[1]]), threes(lanes, &[p[2], q[2], r[2]])]
}

/// The diagonal.
#[inline(always)]
pub fn diagonal<L: Lanes>(lanes: L, m: &Threes<L>) -> L::Four {
    let [p, q, r] = short(lanes, m);
    threes(lanes, &[p[0], q[1], r[2]])
}

/// `factor A`.
#[inline(always)]
pub fn scaled<L: Lanes>(lanes: L, m: &Threes<L>, factor: f64) -> Threes<L> {
    [lanes.scaled(m[0], factor), lanes.scaled(m[1], factor), lanes.scaled(m[2], factor)]
}

/// `A B`.
#[inline(always)]
pub fn product<L: Lanes>(lanes: L, a: &Threes<L>, b: &Threes<L>) -> Threes<L> {
    [times(lanes, a, b[0]), times(lanes, a, b[1]), times(lanes, a, b[2])]
}

/// `A x`.
#[inline(always)]
pub fn times<L: Lanes>(lanes: L, a: &Threes<L>, x: L::Four) -> L::Four {
    let [x, y, z, _] = lanes.numbers(x);
    lanes.plus(lanes.plus(lanes.scaled(a[0], x), lanes.scaled(a[1], y)), lanes.scaled(a[2], z))
}

/// `A - B`.
#[inline(always)]
pub fn less<L: Lanes>(lanes: L, a: &Threes<L>, b: &Threes<L>) -> Threes<L> {
    [lanes.minus(a[0], b[0]), lanes.minus(a[1], b[1]), lanes.minus(a[2], b[2])]
}

/// The inverse by cofactors, not finite or far off where there is none.
#[inline(always)]
pub fn inverse<L: Lanes>(lanes: L, m: &Threes<L>) -> Threes<L> {
    let [p, q, r] = &inverse_3(&short(lanes, m));
    [threes(lanes, p), threes(lanes, q), threes(lanes, r)]
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
pub fn inverse_6<L: Lanes>(lanes: L, m: &Columns<6, 6>) -> Columns<6, 6> {
    let (a, b) = (inverse(lanes, &part(lanes, m, 0, 0)), part(lanes, m, 0, 3));
    let (c, d) = (part(lanes, m, 3, 0), part(lanes, m, 3, 3));
    let left = product(lanes, &c, &a);
    let d = inverse(lanes, &less(lanes, &d, &product(lanes, &left, &b)));
    let right = product(lanes, &product(lanes, &a, &b), &d);
    let below = product(lanes, &d, &left);
    let added = product(lanes, &right, &left);
    let (zero, mut out) = (lanes.four([0.0; 4]), [[0.0; 6]; 6]);
    for j in 0..3 {
        let (above, under) = (lanes.plus(a[j], added[j]), lanes.minus(zero, below[j]));
        let (beside, last) = (lanes.minus(zero, right[j]), d[j]);
        (out[j], out[3 + j]) = (six(lanes, above, under), six(lanes, beside, last));
    }
    out
}
