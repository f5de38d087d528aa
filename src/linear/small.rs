//! Small matrices of fixed size, by columns: read and written, products, and inverses without pivoting, with a measure of what that cost.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::right_hand_sides::RhsEntry;

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
pub fn first<const N: usize, T: RhsEntry>(from: &[T]) -> [T; N] {
    let (from, mut out) = (&from[..N], [T::ZERO; N]);
    copy_each!(out, from, N);
    out
}

/// Writes N numbers, at most six.
#[inline(always)]
pub fn put<const N: usize, T: RhsEntry>(into: &mut [T], from: &[T; N]) {
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
pub fn times<const R: usize, const C: usize, T: RhsEntry>(a: &Columns<R, C>, x: &[T; C]) -> [T; R] {
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
pub fn times_these<const R: usize, const C: usize, T: RhsEntry>(columns: &[f64], x: &[T; C]) -> [T; R] {
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
pub fn dot<const N: usize, T: RhsEntry>(x: &[f64; N], y: &[T; N]) -> T {
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
pub fn dot_of<T: RhsEntry>(x: &[f64], y: &[T]) -> T {
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
