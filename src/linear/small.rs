//! Small matrices of fixed size, by columns: products, inverses without pivoting, and a measure of
//! their loss of digits; and element-wise operations on several lists.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::right_hand_sides::RhsEntry;
use std::ops::{Add, Div, Mul, Sub};

/// An R x C matrix by columns.
pub type Columns<const R: usize, const C: usize> = [[f64; R]; C];

/// Largest condition of a pivot block that is inverted without pivoting: it costs three digits of
/// sixteen at most.
pub const CONDITION: f64 = 1e3;

/// A pivot below this part of the sum of its terms is left to the factorisation that pivots among
/// all rows.
pub const CANCELLED: f64 = 1e-8;

/// Calls a function with the number of unknowns of a supernode as a constant.
macro_rules! with_size {
    ($len:expr, $n:ident => $body:expr) => {
        match $len {
            1 => {
                const $n: usize = 1;
                $body
            }
            2 => {
                const $n: usize = 2;
                $body
            }
            3 => {
                const $n: usize = 3;
                $body
            }
            4 => {
                const $n: usize = 4;
                $body
            }
            5 => {
                const $n: usize = 5;
                $body
            }
            _ => {
                const $n: usize = 6;
                $body
            }
        }
    };
}
pub(super) use with_size;

/// `A B`.
#[inline(always)]
pub fn product<const R: usize, const K: usize, const C: usize>(a: &Columns<R, K>, b: &Columns<K, C>) -> Columns<R, C> {
    let mut out = [[0.0; R]; C];
    for j in 0..C {
        out[j] = times(a, &b[j]);
    }
    out
}

/// `A x`.
#[inline(always)]
pub fn times<const R: usize, const C: usize, T: RhsEntry>(a: &Columns<R, C>, x: &[T; C]) -> [T; R] {
    let mut out = [T::ZERO; R];
    for j in 0..C {
        for i in 0..R {
            out[i] = out[i].plus(x[j].times(a[j][i]));
        }
    }
    out
}

/// The inverse of a matrix of up to 6 rows, by blocks of 3; not finite or inaccurate if a leading
/// block is singular, which [`condition`] detects.
#[inline(always)]
pub fn inverse<const N: usize>(a: &Columns<N, N>) -> Columns<N, N> {
    match N {
        0 => [[0.0; N]; N],
        1 => resized(&[[1.0 / a[0][0]]]),
        2 => resized(&inverse_2(&resized(a))),
        3 => resized(&inverse_3(1.0, &resized(a))),
        4 => by_blocks::<N, 1>(a, |s| [[1.0 / s[0][0]]]),
        5 => by_blocks::<N, 2>(a, inverse_2),
        _ => by_blocks::<N, 3>(a, |s| inverse_3(1.0, s)),
    }
}

/// The same matrix where the sizes are in fact equal.
#[inline(always)]
fn resized<const N: usize, const K: usize>(a: &Columns<N, N>) -> Columns<K, K> {
    let mut out = [[0.0; K]; K];
    for j in 0..N.min(K) {
        for i in 0..N.min(K) {
            out[j][i] = a[j][i];
        }
    }
    out
}

#[inline(always)]
fn inverse_2(a: &Columns<2, 2>) -> Columns<2, 2> {
    let factor = 1.0 / (a[0][0] * a[1][1] - a[1][0] * a[0][1]);
    [[a[1][1] * factor, -a[0][1] * factor], [-a[1][0] * factor, a[0][0] * factor]]
}

/// The inverse by cofactors, of one matrix or of several in SIMD lanes; not finite or inaccurate if
/// there is none.
#[inline(always)]
pub fn inverse_3<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>>(
    one: T,
    [p, q, r]: &[[T; 3]; 3],
) -> [[T; 3]; 3] {
    let cross =
        |x: &[T; 3], y: &[T; 3]| [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let rows = [cross(q, r), cross(r, p), cross(p, q)];
    let factor = one / (p[0] * rows[0][0] + p[1] * rows[0][1] + p[2] * rows[0][2]);
    let mut out = [[one; 3]; 3];
    for j in 0..3 {
        for i in 0..3 {
            out[j][i] = rows[i][j] * factor;
        }
    }
    out
}

/// `[A B; C D]` with A of 3 rows and D of R = N - 3: by `A^-1` and the inverse of `D - C A^-1 B`.
#[inline(always)]
fn by_blocks<const N: usize, const R: usize>(
    m: &Columns<N, N>,
    inverse_of: impl Fn(&Columns<R, R>) -> Columns<R, R>,
) -> Columns<N, N> {
    let (mut a, mut b, mut c, mut d) = ([[0.0; 3]; 3], [[0.0; 3]; R], [[0.0; R]; 3], [[0.0; R]; R]);
    for j in 0..3 {
        a[j].copy_from_slice(&m[j][..3]);
        c[j].copy_from_slice(&m[j][3..]);
    }
    for j in 0..R {
        b[j].copy_from_slice(&m[3 + j][..3]);
        d[j].copy_from_slice(&m[3 + j][3..]);
    }
    let a = inverse_3(1.0, &a);
    let left = product(&c, &a);
    let taken = product(&left, &b);
    for j in 0..R {
        for i in 0..R {
            d[j][i] -= taken[j][i];
        }
    }
    let d = inverse_of(&d);
    let right = product(&product(&a, &b), &d);
    let below = product(&d, &left);
    let added = product(&right, &left);
    let mut out = [[0.0; N]; N];
    for j in 0..3 {
        for i in 0..3 {
            out[j][i] = a[j][i] + added[j][i];
        }
        for i in 0..R {
            out[j][3 + i] = -below[j][i];
        }
    }
    for j in 0..R {
        for i in 0..3 {
            out[3 + j][i] = -right[j][i];
        }
        out[3 + j][3..].copy_from_slice(&d[j]);
    }
    out
}

/// Bounds of the rounding of an entry of `A A^-1`: relative to the sum of the absolute values of
/// its own terms, and to the largest such sum. An inverse by cofactors has some units of rounding
/// of the largest sum in every entry; at the largest accepted condition, 1e6, the bound is 1e-8,
/// two digits less than such a condition may lose.
pub const ROUNDING: f64 = 1e-12;
pub const ROUNDING_OF_LARGEST: f64 = 1e-14;

/// The cancellation in the product `A A^-1`: the largest sum of the absolute values of the terms of
/// an entry on its diagonal; infinite if such an entry is not one to within the two bounds above.
/// It does not depend on units of rows and columns (the terms are the relative gains of Bristol
/// 1966, IEEE Trans. Autom. Control 11, 133), and bounds the magnification of relative errors of
/// entries.
#[inline(always)]
pub fn condition<const N: usize>(a: &Columns<N, N>, inverse: &Columns<N, N>) -> f64 {
    let (mut sums, mut sizes) = ([0.0f64; N], [0.0f64; N]);
    for j in 0..N {
        for i in 0..N {
            // The diagonal of A^-1 A, by columns of both.
            let term = a[i][j] * inverse[j][i];
            sums[i] += term;
            sizes[i] += term.abs();
        }
    }
    let largest = sizes.iter().fold(0.0f64, |largest, size| largest.max(*size));
    let mut right = true;
    for i in 0..N {
        // Also false for NaN.
        right &= (sums[i] - 1.0).abs() <= ROUNDING * sizes[i] + ROUNDING_OF_LARGEST * largest;
    }
    if right { largest } else { f64::INFINITY }
}

/// Replaces element k of M lists by the result of `each` for it and element k of K other lists. All
/// lists have the length of the first.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // the same element of several lists
pub fn update<const M: usize, const K: usize>(
    lists: [&mut [f64]; M],
    others: [&[f64]; K],
    each: impl Fn([f64; M], [f64; K]) -> [f64; M],
) {
    let n = lists[0].len();
    let (lists, others) = (lists.map(|list| &mut list[..n]), others.map(|list| &list[..n]));
    for i in 0..n {
        let new = each(std::array::from_fn(|m| lists[m][i]), std::array::from_fn(|k| others[k][i]));
        for m in 0..M {
            lists[m][i] = new[m];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>() {
        // Masses, first moments and moments of inertia of a body in millimetres: badly scaled, well
        // conditioned.
        let unit = |i: usize| if i < N / 2 { 1.0 } else { 1e3 };
        let mut a = [[0.0; N]; N];
        let mut seed = 7u64;
        for (j, column) in a.iter_mut().enumerate() {
            for (i, x) in column.iter_mut().enumerate() {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let noise = (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
                *x = unit(i) * unit(j) * (if i == j { 2.0 } else { 0.0 } + 0.3 * noise);
            }
        }
        let inverse = inverse(&a);
        assert!(condition(&a, &inverse) < 10.0);
        for (j, column) in product(&a, &inverse).iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                let whole = if i == j { 1.0 } else { 0.0 };
                // Rounding of a few terms, each of the size of the product of the units.
                assert!((x - whole).abs() < 1e-14 * unit(i) / unit(j), "{N}: {x} at {i}, {j}");
            }
        }
    }

    #[test]
    fn inverses_of_all_sizes_are_right_in_any_units() {
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
    }

    /// The hinge at the top of a long chain: soft along the chain, stiff across it, and a third
    /// direction that neither touches. Found by cofactors, the inverse in that one has the rounding
    /// of the others.
    #[test]
    fn rounding_along_a_soft_direction_does_not_spoil_the_condition() {
        for ratio in [10.0, 1e3, 1e5] {
            for k in 0..1000 {
                let (sin, cos) = (1.57e-3 * f64::from(k)).sin_cos();
                let (a, d) = (cos * cos + sin * sin / ratio, sin * sin + cos * cos / ratio);
                let b = sin * cos * (1.0 - 1.0 / ratio);
                let matrix = [[a, 0.0, b], [0.0, 3.0, 0.0], [b, 0.0, d]];
                // a d - b^2 is 1/ratio, known to some roundings.
                let gain = (a * d + b * b) * ratio;
                let found = condition(&matrix, &inverse(&matrix));
                assert!((found / gain - 1.0).abs() < 1e-14 * ratio, "{ratio}, {k}: {found} for {gain}");
            }
        }
    }

    #[test]
    fn a_singular_matrix_has_a_condition_beyond_all_bounds() {
        // Matrices of rank 1, exactly and up to rounding.
        for third in [1.0 / 3.0, 0.25] {
            let a: Columns<3, 3> =
                std::array::from_fn(|j| std::array::from_fn(|i| (i + 1) as f64 * third * (j + 2) as f64));
            assert!(condition(&a, &inverse(&a)) > 1e12);
        }
        assert!(condition(&[[0.0]], &inverse(&[[0.0]])).is_infinite());
        assert!(condition(&[[f64::NAN; 2]; 2], &inverse(&[[f64::NAN; 2]; 2])).is_infinite());
    }

    #[test]
    fn every_number_is_updated_once_whatever_the_length() {
        for n in 0..=14 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let (mut y, mut z) = (x.clone(), vec![1.0; x.len()]);
            update([&mut y, &mut z], [&x, &x], |[y, z], [x, w]| [y + 10.0 * x, z - w]);
            for (k, (y, z)) in y.into_iter().zip(z).enumerate() {
                assert_eq!([y, z], [11.0 * k as f64, 1.0 - k as f64]);
            }
        }
    }
}
