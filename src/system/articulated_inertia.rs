//! Inertias of articulated bodies, as forces over motions of one point: moved to others, and given free along axes.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::motion::Motion;
use crate::spatial::{RigidInertia, Vec3};

/// A pivot below this part of what it is left of counts as none.
const CANCELLED: f64 = 1e-8;

/// A vector.
pub type Three = [f64; 3];
/// A symmetric matrix: xx, xy, xz, yy, yz, zz.
pub type Symmetric = [f64; 6];
/// A matrix by rows.
pub type Rows = [Three; 3];

/// Where row i, column j of a symmetric matrix stands.
const PLACE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

/// `x . y`.
#[inline(always)]
pub fn dot(x: &Three, y: &Three) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// `x x y`.
#[inline(always)]
pub fn cross(x: &Three, y: &Three) -> Three {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// `x + c y`.
#[inline(always)]
pub fn add(x: &Three, c: f64, y: &Three) -> Three {
    [x[0] + c * y[0], x[1] + c * y[1], x[2] + c * y[2]]
}

/// `A x`.
#[inline(always)]
pub fn times(a: &Symmetric, x: &Three) -> Three {
    [
        a[0] * x[0] + a[1] * x[1] + a[2] * x[2],
        a[1] * x[0] + a[3] * x[1] + a[4] * x[2],
        a[2] * x[0] + a[4] * x[1] + a[5] * x[2],
    ]
}

/// `B x`.
#[inline(always)]
pub fn rows_times(b: &Rows, x: &Three) -> Three {
    [dot(&b[0], x), dot(&b[1], x), dot(&b[2], x)]
}

/// `B^T x`.
#[inline(always)]
pub fn columns_times(b: &Rows, x: &Three) -> Three {
    std::array::from_fn(|j| b[0][j] * x[0] + b[1][j] * x[1] + b[2][j] * x[2])
}

/// `L D L^T` of a symmetric matrix: l10, l20, l21, then the inverses of D.
#[derive(Debug, Clone, Copy, Default)]
pub struct Factors([f64; 6]);

impl Factors {
    /// None where a pivot is none.
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
        // Also false for what is no number.
        let good = xx > CANCELLED * (xx + yy + zz) && d1 > CANCELLED * yy && d2 > CANCELLED * zz;
        good.then_some(Factors([l10, l20, l21, i0, i1, 1.0 / d2]))
    }

    /// `A^-1 x`.
    #[inline(always)]
    pub fn solve(&self, x: &Three) -> Three {
        let [l10, l20, l21, i0, i1, i2] = self.0;
        let y = x[1] - l10 * x[0];
        let z = (x[2] - l20 * x[0] - l21 * y) * i2;
        let y = y * i1 - l21 * z;
        [x[0] * i0 - l10 * y - l20 * z, y, z]
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
    /// That of a body, times c.
    #[inline(always)]
    pub fn of(body: &RigidInertia, motion: &Motion, c: f64) -> Inertia {
        let m = c * body.mass;
        let r = &motion.r;
        let turned = r * body.inertia;
        let entry = |i: usize, j: usize| {
            c * (turned[(i, 0)] * r[(j, 0)] + turned[(i, 1)] * r[(j, 1)] + turned[(i, 2)] * r[(j, 2)])
        };
        let d = [entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)];
        let mut b = [[0.0; 3]; 3];
        if body.eta != Vec3::zeros() {
            let [x, y, z] = (r * body.eta * m).into();
            b = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        }
        Inertia { a: [m, 0.0, 0.0, m, 0.0, m], b, d }
    }

    /// The same on (v, omega) of another point, from which v here follows as `v + c x omega`: `b' = b - ~c a`,
    /// `d' = d - ~c b^T + b' ~c`.
    #[inline(always)]
    pub fn moved(&self, c: &Three) -> Inertia {
        let Inertia { a, b, d } = self;
        let entry = |i: usize, j: usize| a[PLACE[i][j]];
        let moved: Rows = std::array::from_fn(|i| {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            std::array::from_fn(|j| b[i][j] - (c[k] * entry(l, j) - c[l] * entry(k, j)))
        });
        let turned = |i: usize, j: usize| {
            let [(k, l), (m, n)] = [i, j].map(|i| ((i + 1) % 3, (i + 2) % 3));
            d[PLACE[i][j]] - (c[k] * b[j][l] - c[l] * b[j][k]) + (moved[i][m] * c[n] - moved[i][n] * c[m])
        };
        let d = [turned(0, 0), turned(0, 1), turned(0, 2), turned(1, 1), turned(1, 2), turned(2, 2)];
        Inertia { a: *a, b: moved, d }
    }

    /// The same of one that resists v alone.
    #[inline(always)]
    pub fn of_translations(a: &Symmetric, c: &Three) -> Inertia {
        let entry = |i: usize, j: usize| a[PLACE[i][j]];
        let b: Rows = std::array::from_fn(|i| {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            std::array::from_fn(|j| c[l] * entry(k, j) - c[k] * entry(l, j))
        });
        let turned = |i: usize, j: usize| {
            let (m, n) = ((j + 1) % 3, (j + 2) % 3);
            b[i][m] * c[n] - b[i][n] * c[m]
        };
        let d = [turned(0, 0), turned(0, 1), turned(0, 2), turned(1, 1), turned(1, 2), turned(2, 2)];
        Inertia { a: *a, b, d }
    }

    /// Adds another one on the same point.
    #[inline(always)]
    pub fn add(&mut self, other: &Inertia) {
        let sum = |x: &mut [f64], y: &[f64]| x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
        sum(&mut self.a, &other.a);
        sum(self.b.as_flattened_mut(), other.b.as_flattened());
        sum(&mut self.d, &other.d);
    }

    /// Takes away what resists rotations about `axis`; None where that is nothing, of `before`.
    #[inline(always)]
    pub fn release(&mut self, axis: &Three, before: f64) -> Option<Axis> {
        let (linear, angular) = (columns_times(&self.b, axis), times(&self.d, axis));
        let pivot = dot(axis, &angular);
        let significant = pivot > CANCELLED * before;
        let inverse = 1.0 / pivot;
        let (v, w) = (linear.map(|x| x * inverse), angular.map(|x| x * inverse));
        for i in 0..3 {
            for j in i..3 {
                self.a[PLACE[i][j]] -= linear[i] * v[j];
                self.d[PLACE[i][j]] -= angular[i] * w[j];
            }
            for j in 0..3 {
                self.b[i][j] -= angular[i] * v[j];
            }
        }
        significant.then_some(Axis { axis: *axis, linear: v, angular: w, inverse })
    }
}

/// An axis n that a joint leaves free.
#[derive(Debug, Clone, Copy, Default)]
pub struct Axis {
    /// n.
    pub axis: Three,
    /// `A n / (n^T A n)`.
    pub linear: Three,
    /// The same of moments.
    pub angular: Three,
    /// `1/(n^T A n)`.
    pub inverse: f64,
}

/// `L D L^T` of d, `d^-1 b` and `a - b^T d^-1 b`.
#[inline(always)]
pub fn without_rotations(inertia: &Inertia) -> Option<(Factors, Rows, Symmetric)> {
    let Inertia { a, b, d } = inertia;
    let turning = Factors::of(d)?;
    let mut coupling = [[0.0; 3]; 3];
    for j in 0..3 {
        let column = turning.solve(&[b[0][j], b[1][j], b[2][j]]);
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
pub fn halves(x: &[f64; 6]) -> [Three; 2] {
    [[x[0], x[1], x[2]], [x[3], x[4], x[5]]]
}

/// Both together.
#[inline(always)]
pub fn join([x, y]: [Three; 2]) -> [f64; 6] {
    [x[0], x[1], x[2], y[0], y[1], y[2]]
}

/// `A (v, omega)`.
#[inline(always)]
pub fn held_by(inertia: &Inertia, v: &Three, omega: &Three) -> [Three; 2] {
    let Inertia { a, b, d } = inertia;
    [add(&times(a, v), 1.0, &columns_times(b, omega)), add(&rows_times(b, v), 1.0, &times(d, omega))]
}
