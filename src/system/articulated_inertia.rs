//! Articulated inertias, which map motions of one point to forces: transformed to other points, and
//! released along free axes.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::motion::Motion;
use crate::spatial::{RigidInertia, Vec3};

/// A pivot below this part of the numbers that it is the difference of counts as zero.
const CANCELLED: f64 = 1e-8;

/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
pub type Symmetric = [f64; 6];
/// A matrix by rows.
pub type Rows = [Vec3; 3];

/// Index of row i, column j of a symmetric matrix.
const PLACE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// `A x`.
#[inline(always)]
pub fn times(a: &Symmetric, x: &Vec3) -> Vec3 {
    Vec3::new(
        a[0] * x[0] + a[1] * x[1] + a[2] * x[2],
        a[1] * x[0] + a[3] * x[1] + a[4] * x[2],
        a[2] * x[0] + a[4] * x[1] + a[5] * x[2],
    )
}

/// `B x`.
#[inline(always)]
pub fn rows_times(b: &Rows, x: &Vec3) -> Vec3 {
    Vec3::new(b[0].dot(x), b[1].dot(x), b[2].dot(x))
}

/// `B^T x`.
#[inline(always)]
pub fn columns_times(b: &Rows, x: &Vec3) -> Vec3 {
    b[0] * x[0] + b[1] * x[1] + b[2] * x[2]
}

/// `L D L^T` of a symmetric matrix: l10, l20, l21, then the inverses of D.
#[derive(Debug, Clone, Copy, Default)]
pub struct Factors([f64; 6]);

impl Factors {
    /// None if there is no pivot.
    #[inline(always)]
    pub fn of(a: &Symmetric) -> Option<Factors> {
        let [xx, xy, xz, yy, yz, zz] = *a;
        let i0 = 1.0 / xx;
        let (l10, l20) = (xy * i0, xz * i0);
        let d1 = yy - l10 * xy;
        let i1 = 1.0 / d1;
        let left = yz - l20 * xy;
        let l21 = left * i1;
        let d2 = zz - l20 * xz - l21 * left;
        // Also false for NaN.
        let good = xx > CANCELLED * (xx + yy + zz) && d1 > CANCELLED * yy && d2 > CANCELLED * zz;
        good.then_some(Factors([l10, l20, l21, i0, i1, 1.0 / d2]))
    }

    /// `A^-1 x`.
    #[inline(always)]
    pub fn solve(&self, x: &Vec3) -> Vec3 {
        let [l10, l20, l21, i0, i1, i2] = self.0;
        let y = x[1] - l10 * x[0];
        let z = (x[2] - l20 * x[0] - l21 * y) * i2;
        let y = y * i1 - l21 * z;
        Vec3::new(x[0] * i0 - l10 * y - l20 * z, y, z)
    }
}

/// `[a b^T; b d]` on (v, omega).
#[derive(Debug, Clone, Copy, Default)]
pub struct Inertia {
    /// By rows and columns.
    pub a: Symmetric,
    /// See above.
    pub b: Rows,
    /// See above.
    pub d: Symmetric,
}

impl Inertia {
    /// The inertia of a body, times c, about its point at `arm`.
    #[inline(always)]
    pub fn of(body: &RigidInertia, motion: &Motion, c: f64, arm: &Vec3) -> Inertia {
        let m = c * body.mass;
        let r = &motion.r;
        let turned = r * body.inertia;
        let entry = |i: usize, j: usize| {
            c * (turned[(i, 0)] * r[(j, 0)] + turned[(i, 1)] * r[(j, 1)] + turned[(i, 2)] * r[(j, 2)])
        };
        let mut first_moment = -arm * m;
        let mut half = -arm * (0.5 * m);
        if body.eta != Vec3::zeros() {
            let moment = r * body.eta * m;
            first_moment += moment;
            half += moment;
        }
        // With s the first moment about the reference point, ~arm ~s + ~s ~arm - m ~arm ~arm is
        // added to d. With q = s - m arm/2, that is q arm^T + arm q^T - 2 (q . arm) I.
        let twice = 2.0 * half.dot(arm);
        let added = |i: usize, j: usize| half[i] * arm[j] + arm[i] * half[j];
        let d = [
            entry(0, 0) + (added(0, 0) - twice),
            entry(0, 1) + added(0, 1),
            entry(0, 2) + added(0, 2),
            entry(1, 1) + (added(1, 1) - twice),
            entry(1, 2) + added(1, 2),
            entry(2, 2) + (added(2, 2) - twice),
        ];
        let [x, y, z] = first_moment.into();
        let b = [Vec3::new(0.0, -z, y), Vec3::new(z, 0.0, -x), Vec3::new(-y, x, 0.0)];
        Inertia { a: [m, 0.0, 0.0, m, 0.0, m], b, d }
    }

    /// The same inertia on (v, omega) of another point, where v of this point is `v + c x omega`:
    /// `b' = b - ~c a`, `d' = d - ~c b^T + b' ~c`.
    #[inline(always)]
    pub fn moved(&self, c: &Vec3) -> Inertia {
        let Inertia { a, b, d } = self;
        let entry = |i: usize, j: usize| a[PLACE[i][j]];
        let mut moved = *b;
        for i in 0..3 {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                moved[i][j] -= c[k] * entry(l, j) - c[l] * entry(k, j);
            }
        }
        let turned = |i: usize, j: usize| {
            let [(k, l), (m, n)] = [i, j].map(|i| ((i + 1) % 3, (i + 2) % 3));
            d[PLACE[i][j]] - (c[k] * b[j][l] - c[l] * b[j][k]) + (moved[i][m] * c[n] - moved[i][n] * c[m])
        };
        let d = [turned(0, 0), turned(0, 1), turned(0, 2), turned(1, 1), turned(1, 2), turned(2, 2)];
        Inertia { a: *a, b: moved, d }
    }

    /// The same for an inertia that resists v alone.
    #[inline(always)]
    pub fn of_translations(a: &Symmetric, c: &Vec3) -> Inertia {
        Inertia { a: *a, ..Inertia::default() }.moved(c)
    }

    /// Adds another inertia about the same point.
    #[inline(always)]
    pub fn add(&mut self, other: &Inertia) {
        (0..6).for_each(|i| self.a[i] += other.a[i]);
        (0..3).for_each(|i| self.b[i] += other.b[i]);
        (0..6).for_each(|i| self.d[i] += other.d[i]);
    }

    /// Removes the resistance to rotations about `axis`; None if that resistance is zero, relative
    /// to `before`.
    #[inline(always)]
    pub fn released(&self, axis: &Vec3, before: f64) -> Option<(Inertia, Axis)> {
        let Inertia { mut a, mut b, mut d } = *self;
        let (linear, angular) = (columns_times(&b, axis), times(&d, axis));
        let pivot = axis.dot(&angular);
        let significant = pivot > CANCELLED * before;
        let inverse = 1.0 / pivot;
        let (v, w) = (linear * inverse, angular * inverse);
        for i in 0..3 {
            for j in i..3 {
                a[PLACE[i][j]] -= linear[i] * v[j];
                d[PLACE[i][j]] -= angular[i] * w[j];
            }
            b[i] -= v * angular[i];
        }
        significant.then_some((Inertia { a, b, d }, Axis { axis: *axis, linear: v, angular: w, inverse }))
    }
}

/// A free axis n of a joint.
#[derive(Debug, Clone, Copy, Default)]
pub struct Axis {
    /// n.
    pub axis: Vec3,
    /// `A n / (n^T A n)`.
    pub linear: Vec3,
    /// The same of moments.
    pub angular: Vec3,
    /// `1/(n^T A n)`.
    pub inverse: f64,
}

/// `L D L^T` of d, `d^-1 b` and `a - b^T d^-1 b`.
#[inline(always)]
pub fn without_rotations(inertia: &Inertia) -> Option<(Factors, Rows, Symmetric)> {
    let Inertia { a, b, d } = inertia;
    let turning = Factors::of(d)?;
    let mut coupling = Rows::default();
    for j in 0..3 {
        let column = turning.solve(&Vec3::new(b[0][j], b[1][j], b[2][j]));
        (0..3).for_each(|i| coupling[i][j] = column[i]);
    }
    let mut held = *a;
    for i in 0..3 {
        for j in i..3 {
            held[PLACE[i][j]] -= b[0][i] * coupling[0][j] + b[1][i] * coupling[1][j] + b[2][i] * coupling[2][j];
        }
    }
    Some((turning, coupling, held))
}

/// Force and moment, or v and omega.
#[inline(always)]
pub fn halves(x: &[f64; 6]) -> [Vec3; 2] {
    [Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5])]
}

/// Both together.
#[inline(always)]
pub fn join([x, y]: [Vec3; 2]) -> [f64; 6] {
    [x[0], x[1], x[2], y[0], y[1], y[2]]
}

/// `A (v, omega)`.
#[inline(always)]
pub fn held_by(inertia: &Inertia, v: &Vec3, omega: &Vec3) -> [Vec3; 2] {
    let Inertia { a, b, d } = inertia;
    [times(a, v) + columns_times(b, omega), rows_times(b, v) + times(d, omega)]
}
