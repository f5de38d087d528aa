//! Dense LU with partial pivoting for tiny systems, without allocation, which reports the column
//! without a pivot (Golub, Van Loan, Matrix Computations, 2013, algorithm 3.4.1). nalgebra's LU
//! allocates.

use super::right_hand_sides::RhsEntry;
use super::{Assemble, ROUNDING, Singular};

/// A pivot below this part of its column's largest original entry may be rounding.
const SUSPECT: f64 = 1e-8;

/// A dense square matrix, column-major, replaced by its factors.
#[derive(Clone)]
pub struct Dense {
    n: usize,
    entries: Vec<f64>,
    /// The row that was exchanged with each one, in turn.
    pivots: Vec<usize>,
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
}

impl Dense {
    /// A zero matrix.
    pub fn new(n: usize) -> Dense {
        Dense { n, entries: vec![0.0; n * n], pivots: vec![0; n] }
    }

    /// Sets every entry to zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// All entries by columns, before the factorisation.
    pub fn entries(&self) -> &[f64] {
        &self.entries
    }

    /// Replaces the matrix by its factors.
    pub fn factorize(&mut self) -> Result<(), Singular> {
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
            // The pivot is kept inverted for the solution.
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

    /// Solves one right-hand side, or several at once, in place.
    pub fn solve<T: RhsEntry>(&self, b: &mut [T]) {
        let n = self.n;
        for k in 0..n {
            b.swap(k, self.pivots[k]);
        }
        for k in 0..n {
            let factor = b[k];
            for (x, l) in b[k + 1..].iter_mut().zip(&self.entries[n * k + k + 1..]) {
                *x = x.minus(factor.times(*l));
            }
        }
        for k in (0..n).rev() {
            b[k] = b[k].times(self.entries[n * k + k]);
            let factor = b[k];
            for (x, u) in b[..k].iter_mut().zip(&self.entries[n * k..]) {
                *x = x.minus(factor.times(*u));
            }
        }
    }
}

/// A row from k on whose entry in column k is more than rounding of its terms,
/// `a_ik = sum_j l_ij u_jk`, with the rows of U known so far; `largest` if it qualifies. None if
/// the column has no pivot. The test does not depend on units of rows and columns, so that it
/// distinguishes singular matrices from badly scaled ones.
#[cold]
fn significant_row(n: usize, entries: &[f64], k: usize, largest: usize) -> Option<usize> {
    let column = &entries[n * k..n * (k + 1)];
    let part = |i: usize| {
        let terms: f64 = (0..k).map(|j| (entries[n * j + i] * column[j]).abs()).sum();
        column[i].abs() / (terms + column[i].abs())
    };
    // NaN where the column is empty, or contains NaN.
    if part(largest) > ROUNDING || part(largest).is_nan() {
        return part(largest).is_finite().then_some(largest);
    }
    (k..n).find(|i| part(*i) > ROUNDING)
}
