//! Dense LU with partial pivoting for tiny systems.
//!
//! One code for every size, without allocation, that says which column has no pivot: nalgebra's static LU is as fast
//! where the size is known when compiling (9 unknowns: both 0.23 us, benches/linear.rs), allocates where it is not, and
//! faer's dense kernels add 3 MB. Golub, Van Loan, Matrix Computations (2013), algorithm 3.4.1.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::lanes::run_in_lanes;
use super::lone::{self, Lone};
use super::processor::{self, Work};
use super::several::{Four, Number};
use super::{Assemble, ROUNDING, Singular};
use wide::f64x2;

/// A pivot below this part of its column's largest original entry may be what rounding left of it.
const SUSPECT: f64 = 1e-8;

/// Does the same for each of N columns, at most 12, forward or back, its number known when compiling: no loop has a length that
/// is counted.
macro_rules! for_each_column {
    ($k:ident, $n:ident, $body:block) => {
        for_each_column!(@ $k, $n, $body, 0 1 2 3 4 5 6 7 8 9 10 11)
    };
    (back $k:ident, $n:ident, $body:block) => {
        for_each_column!(@ $k, $n, $body, 11 10 9 8 7 6 5 4 3 2 1 0)
    };
    (@ $k:ident, $n:ident, $body:block, $($number:literal)*) => {
        $(if $number < $n {
            const $k: usize = $number;
            $body
        })*
    };
}

/// A dense square matrix, column-major, replaced by its factors.
#[derive(Clone)]
pub struct Dense {
    n: usize,
    entries: Vec<f64>,
    /// Where the number of unknowns is one of those known when compiling, the row that became each one; else the row that was
    /// exchanged with each one, in turn.
    pivots: Vec<usize>,
    /// The factors that stand in the place of both where the matrix is that of one body on a spherical joint.
    lone: Box<Lone>,
    is_lone: bool,
}

impl Assemble for Dense {
    #[inline(always)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        for (j, source) in block.iter().enumerate() {
            let start = row + self.n * (column + j);
            for (entry, x) in self.entries[start..start + R].iter_mut().zip(source) {
                *entry += x;
            }
        }
    }

    #[inline(always)]
    fn add_split(&mut self, at: usize, moves: f64, turns: &[[f64; 3]; 3]) {
        for j in at..at + 3 {
            self.entries[j + self.n * j] += moves;
        }
        self.add(at + 3, at + 3, turns);
    }
}

impl Dense {
    /// A zero matrix.
    pub fn new(n: usize) -> Dense {
        Dense { n, entries: vec![0.0; n * n], pivots: vec![0; n], lone: Box::new(Lone::NONE), is_lone: false }
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// All entries by columns, before the factorisation.
    #[cfg(test)]
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Whether the last factors are those of one body on a spherical joint.
    #[cfg(test)]
    pub fn is_lone(&self) -> bool {
        self.is_lone
    }

    /// Replaces the matrix by its factors.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        match self.n {
            6 => processor::run(Factorize::<6, 3>(self)),
            lone::N => {
                let (columns, _) = self.entries.as_chunks();
                let columns = columns.try_into().expect("n columns of n entries");
                self.is_lone = run_in_lanes(lone::Factorize(columns, &mut self.lone));
                if self.is_lone { Ok(()) } else { processor::run(Factorize::<9, 5>(self)) }
            }
            11 => processor::run(Factorize::<11, 6>(self)),
            12 => processor::run(Factorize::<12, 6>(self)),
            _ => self.factorize_any(),
        }
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        match self.n {
            6 => self.solve_fixed::<6, 3>(b),
            lone::N if self.is_lone => {
                run_in_lanes(lone::Solve(&self.lone, b.try_into().expect("n right-hand sides")));
            }
            9 => self.solve_fixed::<9, 5>(b),
            11 => self.solve_fixed::<11, 6>(b),
            12 => self.solve_fixed::<12, 6>(b),
            _ => self.solve_any(b),
        }
    }

    /// Solves four right-hand sides in place; false, with nothing done, for numbers of unknowns that are not known when compiling.
    pub fn solve_four(&self, b: &mut [Four]) -> bool {
        match self.n {
            6 => processor::run(SolveFour::<6>(self, b)),
            lone::N if self.is_lone => {
                run_in_lanes(lone::SolveFour(&self.lone, b.try_into().expect("n right-hand sides")));
            }
            9 => processor::run(SolveFour::<9>(self, b)),
            11 => processor::run(SolveFour::<11>(self, b)),
            12 => processor::run(SolveFour::<12>(self, b)),
            _ => return false,
        }
        true
    }

    /// Solves N unknowns in P pairs.
    fn solve_fixed<const N: usize, const P: usize>(&self, b: &mut [f64]) {
        let (columns, rows) = self.fixed::<N>();
        let b: &mut [f64; N] = b.try_into().expect("n right-hand sides");
        // In the order of the pivots; numbers that are written one by one and read in pairs would have to wait.
        let right = |i: usize| if i < N { b[rows[i]] } else { 0.0 };
        let mut x: [f64x2; P] = std::array::from_fn(|p| f64x2::new([right(2 * p), right(2 * p + 1)]));
        for_each_column!(J, N, {
            let factor = f64x2::splat(x[J / 2].to_array()[J % 2]);
            for p in J.div_ceil(2)..P {
                x[p] -= pair(&columns[J], p, J + 1..N) * factor;
            }
        });
        for_each_column!(back J, N, {
            b[J] = x[J / 2].to_array()[J % 2] * columns[J][J];
            for p in 0..J.div_ceil(2) {
                x[p] -= pair(&columns[J], p, 0..J) * f64x2::splat(b[J]);
            }
        });
    }

    /// Columns, and the rows that became each one, of N unknowns.
    #[inline(always)]
    fn fixed<const N: usize>(&self) -> (&[[f64; N]; N], &[usize; N]) {
        let (columns, _) = self.entries.as_chunks::<N>();
        let columns = columns.try_into().expect("n columns of n entries");
        (columns, self.pivots.as_slice().try_into().expect("n rows"))
    }

    fn factorize_any(&mut self) -> Result<(), Singular> {
        let n = self.n;
        for k in 0..n {
            let column = &self.entries[n * k..n * (k + 1)];
            let largest = column.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            let mut p = (k..n).fold(k, |p, i| if column[i].abs() > column[p].abs() { i } else { p });
            let size = column[p].abs();
            if size <= SUSPECT * largest || size.is_nan() {
                p = significant_row(n, &self.entries, k, p).ok_or(Singular { column: Some(k) })?;
            }
            let pivot = column[p];
            if !pivot.is_finite() {
                return Err(Singular { column: Some(k) });
            }
            self.pivots[k] = p;
            let (left, right) = self.entries.split_at_mut(n * (k + 1));
            if p != k {
                left.chunks_exact_mut(n).chain(right.chunks_exact_mut(n)).for_each(|c| c.swap(k, p));
            }
            let column = &mut left[n * k..];
            let inverse = pivot.recip();
            column[k + 1..].iter_mut().for_each(|x| *x *= inverse);
            column[k] = inverse;
            let multipliers = &left[n * k + k + 1..];
            for other in right.chunks_exact_mut(n) {
                let factor = other[k];
                if factor != 0.0 {
                    for (x, l) in other[k + 1..].iter_mut().zip(multipliers) {
                        *x -= l * factor;
                    }
                }
            }
        }
        Ok(())
    }

    fn solve_any(&self, b: &mut [f64]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for k in 0..n {
            let factor = b[k];
            for (x, l) in b[k + 1..].iter_mut().zip(&self.entries[n * k + k + 1..]) {
                *x -= l * factor;
            }
        }
        for k in (0..n).rev() {
            b[k] *= self.entries[n * k + k];
            let factor = b[k];
            for (x, u) in b[..k].iter_mut().zip(&self.entries[n * k..]) {
                *x -= u * factor;
            }
        }
    }
}

/// The factorisation of a matrix of N unknowns, P pairs of them.
struct Factorize<'a, const N: usize, const P: usize>(&'a mut Dense);

impl<const N: usize, const P: usize> Work for Factorize<'_, N, P> {
    type Output = Result<(), Singular>;

    #[inline(always)]
    fn run(self) -> Result<(), Singular> {
        let Dense { entries, pivots, .. } = self.0;
        let (columns, _) = entries.as_chunks_mut::<N>();
        let columns: &mut [[f64; N]; N] = columns.try_into().expect("n columns of n entries");
        let rows: &mut [usize; N] = pivots.as_mut_slice().try_into().expect("n rows");
        *rows = std::array::from_fn(|k| k);
        let mut threshold = [0.0; N];
        for k in 0..N {
            // What is no number is told at the pivot.
            let largest = (0..P).fold(f64x2::ZERO, |a, p| pair(&columns[k], p, 0..N).abs().fast_max(a));
            let [even, odd] = largest.to_array();
            threshold[k] = SUSPECT * if odd > even { odd } else { even };
        }
        for_each_column!(K, N, {
            rows.swap(K, eliminate_column::<N, K>(columns, threshold[K])?);
        });
        Ok(())
    }
}

/// The solution of N unknowns for four right-hand sides.
struct SolveFour<'a, 'b, const N: usize>(&'a Dense, &'b mut [Four]);

impl<const N: usize> Work for SolveFour<'_, '_, N> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (columns, rows) = self.0.fixed::<N>();
        let b: &mut [Four; N] = self.1.try_into().expect("n right-hand sides");
        let mut x: [Four; N] = std::array::from_fn(|i| b[rows[i]]);
        for_each_column!(J, N, {
            for i in J + 1..N {
                x[i] = x[i].minus(x[J].times(columns[J][i]));
            }
        });
        for_each_column!(back J, N, {
            let solved = x[J].times(columns[J][J]);
            x[J] = solved;
            for (x, entry) in x.iter_mut().zip(&columns[J]).take(J) {
                *x = x.minus(solved.times(*entry));
            }
        });
        *b = x;
    }
}

/// The entries 2 p and 2 p + 1 of a column that are in a range, zero in place of others.
#[inline(always)]
fn pair<const N: usize>(column: &[f64; N], p: usize, range: std::ops::Range<usize>) -> f64x2 {
    let entry = |i: usize| if range.contains(&i) { column[i] } else { 0.0 };
    f64x2::new([entry(2 * p), entry(2 * p + 1)])
}

/// Finds the pivot of column K, exchanges rows, and takes the column's multiples from those after it; returns the row of the pivot.
#[inline(always)]
fn eliminate_column<const N: usize, const K: usize>(
    columns: &mut [[f64; N]; N],
    threshold: f64,
) -> Result<usize, Singular> {
    let (mut p, mut size) = (K, columns[K][K].abs());
    for i in K + 1..N {
        let other = columns[K][i].abs();
        (p, size) = if other > size { (i, other) } else { (p, size) };
    }
    if size <= threshold || size.is_nan() {
        p = significant_row(N, columns.as_flattened(), K, p).ok_or(Singular { column: Some(K) })?;
    }
    let pivot = columns[K][p];
    if !pivot.is_finite() {
        return Err(Singular { column: Some(K) });
    }
    if p != K {
        for column in columns.iter_mut() {
            column.swap(K, p);
        }
    }
    let inverse = pivot.recip();
    let mut multipliers = [0.0; N];
    for i in K + 1..N {
        multipliers[i] = columns[K][i] * inverse;
        columns[K][i] = multipliers[i];
    }
    // The pivot is kept inverted for the solution.
    columns[K][K] = inverse;
    for j in K + 1..N {
        let factor = columns[j][K];
        for i in K + 1..N {
            columns[j][i] -= multipliers[i] * factor;
        }
    }
    Ok(p)
}

/// A row from k on whose entry in column k is more than rounding of the terms that it is the sum of, `a_ik = sum_j l_ij u_jk`
/// over the rows of U known so far and itself; `largest` if it is one. None where the column has no pivot. This does not
/// depend on units of rows and columns, so that it tells singular matrices from badly scaled ones.
#[cold]
fn significant_row(n: usize, entries: &[f64], k: usize, largest: usize) -> Option<usize> {
    let column = &entries[n * k..n * (k + 1)];
    let part = |i: usize| {
        let terms: f64 = (0..k).map(|j| (entries[n * j + i] * column[j]).abs()).sum();
        column[i].abs() / (terms + column[i].abs())
    };
    // Not a number where the column is empty, or holds one that is none.
    if part(largest) > ROUNDING || part(largest).is_nan() {
        return part(largest).is_finite().then_some(largest);
    }
    (k..n).find(|i| part(*i) > ROUNDING)
}
