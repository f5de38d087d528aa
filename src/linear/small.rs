//! Small matrices of fixed size, by columns: read and written, products, and inverses without pivoting, with a measure of what that cost.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::several::Number;
use super::threes;

/// An R x C matrix by columns.
pub type Columns<const R: usize, const C: usize> = [[f64; R]; C];

/// Copies N numbers, at most six, one by one: what was just written in pieces of some sizes, and is read in pieces of other sizes,
/// has to wait until it has arrived in memory.
macro_rules! copy_each {
    ($into:expr, $from:expr, $n:ident) => {
        copy_each!(@ $into, $from, $n, 0 1 2 3 4 5)
    };
    (@ $into:expr, $from:expr, $n:ident, $($i:literal)*) => {
        $(if $i < $n {
            $into[$i] = $from[$i];
        })*
    };
}
pub(super) use copy_each;

/// The first N numbers, at most six.
#[inline(always)]
pub fn first<const N: usize, T: Number>(from: &[T]) -> [T; N] {
    let (from, mut out) = (&from[..N], [T::ZERO; N]);
    copy_each!(out, from, N);
    out
}

/// Writes N numbers, at most six.
#[inline(always)]
pub fn put<const N: usize, T: Number>(into: &mut [T], from: &[T; N]) {
    let into = &mut into[..N];
    copy_each!(into, from, N);
}

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
pub fn times<const R: usize, const C: usize, T: Number>(a: &Columns<R, C>, x: &[T; C]) -> [T; R] {
    let mut out = [T::ZERO; R];
    for j in 0..C {
        for i in 0..R {
            out[i] = out[i].plus(x[j].times(a[j][i]));
        }
    }
    out
}

/// `A x`, the columns of A where they stand: numbers that are read once are not copied before.
#[inline(always)]
pub fn times_these<const R: usize, const C: usize, T: Number>(columns: &[f64], x: &[T; C]) -> [T; R] {
    let (columns, mut out) = (&columns[..R * C], [T::ZERO; R]);
    for j in 0..C {
        let column: &[f64; R] = column(columns, j);
        for i in 0..R {
            out[i] = out[i].plus(x[j].times(column[i]));
        }
    }
    out
}

/// The column j of R entries.
#[inline(always)]
pub fn column<const R: usize>(columns: &[f64], j: usize) -> &[f64; R] {
    columns[R * j..R * j + R].try_into().expect("R entries")
}

/// `A^T`.
#[inline(always)]
pub fn transposed<const R: usize, const C: usize>(a: &Columns<R, C>) -> Columns<C, R> {
    let mut out = [[0.0; C]; R];
    for j in 0..C {
        for i in 0..R {
            out[i][j] = a[j][i];
        }
    }
    out
}

/// `x . y`.
#[inline(always)]
pub fn dot<const N: usize, T: Number>(x: &[f64; N], y: &[T; N]) -> T {
    let (mut even, mut odd) = (T::ZERO, T::ZERO);
    for i in 0..N / 2 {
        even = even.plus(y[2 * i].times(x[2 * i]));
        odd = odd.plus(y[2 * i + 1].times(x[2 * i + 1]));
    }
    let sum = even.plus(odd);
    if N % 2 == 1 { sum.plus(y[N - 1].times(x[N - 1])) } else { sum }
}

/// The same in the same order, of as many numbers as there are.
#[inline(always)]
pub fn dot_of<T: Number>(x: &[f64], y: &[T]) -> T {
    let (mut even, mut odd) = (T::ZERO, T::ZERO);
    let ((pairs, rest), (pairs_of_y, rest_of_y)) = (x.as_chunks::<2>(), y.as_chunks::<2>());
    for (x, y) in pairs.iter().zip(pairs_of_y) {
        even = even.plus(y[0].times(x[0]));
        odd = odd.plus(y[1].times(x[1]));
    }
    let sum = even.plus(odd);
    rest.iter().zip(rest_of_y).fold(sum, |sum, (x, y)| sum.plus(y.times(*x)))
}

/// No place.
const NONE: u32 = u32::MAX;

/// R x C entries by columns.
#[inline(always)]
pub fn fetch<const R: usize, const C: usize>(values: &[f64], first: usize) -> Columns<R, C> {
    fetch_sum(values, first, &[], NONE, 0)
}

/// R x C entries by columns, with what was added to them: from `skip` entries behind `place`, unless that is none.
#[inline(always)]
pub fn fetch_sum<const R: usize, const C: usize>(
    values: &[f64],
    first: usize,
    added: &[f64],
    place: u32,
    skip: usize,
) -> Columns<R, C> {
    let mut out = [[0.0; R]; C];
    let values = &values[first..first + R * C];
    for j in 0..C {
        for i in 0..R {
            out[j][i] = values[R * j + i];
        }
    }
    if place != NONE {
        let added = &added[place as usize + skip..place as usize + skip + R * C];
        for j in 0..C {
            for i in 0..R {
                out[j][i] += added[R * j + i];
            }
        }
    }
    out
}

/// The same for columns of `len` entries, at most L.
#[inline(always)]
pub fn fetch_sum_of<const L: usize, const C: usize>(
    values: &[f64],
    first: usize,
    added: &[f64],
    place: u32,
    skip: usize,
    len: usize,
) -> Columns<L, C> {
    if len == L {
        return fetch_sum(values, first, added, place, skip);
    }
    let mut out = [[0.0; L]; C];
    for (j, column) in out.iter_mut().enumerate() {
        for (i, x) in column.iter_mut().enumerate().take(len) {
            let entry = len * j + i;
            let more = if place != NONE { added[place as usize + skip + entry] } else { 0.0 };
            *x = values[first + entry] + more;
        }
    }
    out
}

/// Writes columns of `len` entries.
#[inline(always)]
pub fn store<const L: usize, const C: usize>(into: &mut [f64], columns: &Columns<L, C>, len: usize) {
    if len == L {
        into[..L * C].copy_from_slice(columns.as_flattened());
        return;
    }
    for (into, column) in into.chunks_exact_mut(len).zip(columns) {
        into.copy_from_slice(&column[..len]);
    }
}

/// The inverse of a matrix of up to 6 rows, by blocks of 3; not finite or far off where a leading block is singular, which
/// [`condition`] tells.
#[inline(always)]
pub fn inverse<const N: usize>(a: &Columns<N, N>) -> Columns<N, N> {
    match N {
        0 => [[0.0; N]; N],
        1 => resized(&[[1.0 / a[0][0]]]),
        2 => resized(&inverse_2(&resized(a))),
        3 => resized(&inverse_3(&resized(a))),
        4 => by_blocks::<N, 1>(a, |s| [[1.0 / s[0][0]]]),
        5 => by_blocks::<N, 2>(a, inverse_2),
        _ => resized(&threes::inverse_6(&resized(a))),
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

/// By cofactors.
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

/// `[A B; C D]` with A of 3 rows and D of R = N - 3: by `A^-1` and the inverse of `D - C A^-1 B`.
#[inline(always)]
fn by_blocks<const N: usize, const R: usize>(
    m: &Columns<N, N>,
    inverse_of: impl Fn(&Columns<R, R>) -> Columns<R, R>,
) -> Columns<N, N> {
    let (mut a, mut b, mut c, mut d) = ([[0.0; 3]; 3], [[0.0; 3]; R], [[0.0; R]; 3], [[0.0; R]; R]);
    for j in 0..3 {
        a[j] = first(&m[j]);
        c[j] = first(&m[j][3..]);
    }
    for j in 0..R {
        b[j] = first(&m[3 + j]);
        d[j] = first(&m[3 + j][3..]);
    }
    let a = inverse_3(&a);
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
        put(&mut out[3 + j][3..], &d[j]);
    }
    out
}

/// What rounding leaves of an entry of `A A^-1` at most: parts of the sizes of the terms that it sums up, and of the largest such sum
/// of all. An inverse by cofactors has some units of rounding of the latter in every entry; at the largest condition that is
/// taken, 1e6, the bound is 1e-8, two digits less than such a condition may cost.
pub const ROUNDING: f64 = 1e-12;
pub const ROUNDING_OF_LARGEST: f64 = 1e-14;

/// How much the product `A A^-1` cancels: the largest sum of the sizes of the terms of an entry on its diagonal, infinite
/// where that entry is not one to within rounding: of its own sum, and of the largest, which enters all others where the inverse is
/// found by cofactors. It does not depend on units of rows and columns (the terms are the relative gains of Bristol 1966,
/// IEEE Trans. Autom. Control 11, 133), and bounds how much relative errors of entries are enlarged.
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
        // Also false for what is not a number.
        right &= (sums[i] - 1.0).abs() <= ROUNDING * sizes[i] + ROUNDING_OF_LARGEST * largest;
    }
    if right { largest } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>() {
        // Masses, first moments and moments of inertia of a body in millimetres: badly scaled, well conditioned.
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

    /// The hinge at the top of a long chain: soft along the chain, stiff across it, and a third direction that neither touches. Found
    /// by cofactors, the inverse in that one has the rounding of the others.
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
        // Of rank 1, to the last bit and up to rounding.
        for third in [1.0 / 3.0, 0.25] {
            let a: Columns<3, 3> =
                std::array::from_fn(|j| std::array::from_fn(|i| (i + 1) as f64 * third * (j + 2) as f64));
            assert!(condition(&a, &inverse(&a)) > 1e12);
        }
        assert!(condition(&[[0.0]], &inverse(&[[0.0]])).is_infinite());
        assert!(condition(&[[f64::NAN; 2]; 2], &inverse(&[[f64::NAN; 2]; 2])).is_infinite());
    }
}
