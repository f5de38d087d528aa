//! Bands of 3x3 blocks, one or two beside the diagonal: the matrix of a single chain of nodes.
//!
//! Rows are eliminated one after the other, `x_i = y_i - U_i x_{i+1} - V_i x_{i+2}`, without
//! pivoting between blocks and with pivoting inside: stable where the matrix is positive definite,
//! such as a stiffness plus some inertia.

use super::{ROUNDING, Singular};
use nalgebra::{Matrix3, Vector3};

/// The blocks of n rows.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Blocks (i, i), n of them.
    pub diagonal: &'a [Matrix3<f64>],
    /// Blocks (i, i + 1), n - 1 of them.
    pub upper: &'a [Matrix3<f64>],
    /// Blocks (i + 1, i).
    pub lower: &'a [Matrix3<f64>],
    /// Blocks (i, i + 2), n - 2 of them, or none.
    pub upper_two: &'a [Matrix3<f64>],
    /// Blocks (i + 2, i), likewise.
    pub lower_two: &'a [Matrix3<f64>],
}

/// Memory of a solution.
#[derive(Debug, Clone, Default)]
pub struct Band {
    /// U of the rows.
    first: Vec<Matrix3<f64>>,
    /// V of the rows.
    second: Vec<Matrix3<f64>>,
}

impl Band {
    /// For n rows.
    pub fn new(n: usize) -> Band {
        Band { first: vec![Matrix3::zeros(); n], second: vec![Matrix3::zeros(); n] }
    }

    /// Solves `(A + shift I) x = b` in place. Error: no pivot in a row, reported as its column.
    pub fn solve(&mut self, rows: &Rows, shift: f64, x: &mut [Vector3<f64>]) -> Result<(), Singular> {
        self.eliminate::<false>(rows, shift, x)
    }

    /// The same, if the pivot blocks are positive definite; they are so if A + shift I is, and for
    /// symmetric matrices only then. Error also: a block is not, reported as its first column.
    pub fn solve_definite(&mut self, rows: &Rows, shift: f64, x: &mut [Vector3<f64>]) -> Result<(), Singular> {
        self.eliminate::<true>(rows, shift, x)
    }

    fn eliminate<const DEFINITE: bool>(
        &mut self,
        rows: &Rows,
        shift: f64,
        x: &mut [Vector3<f64>],
    ) -> Result<(), Singular> {
        let n = x.len();
        let two = !rows.upper_two.is_empty();
        for i in 0..n {
            let mut pivot = rows.diagonal[i];
            for k in 0..3 {
                pivot[(k, k)] += shift;
            }
            let least = ROUNDING * pivot.amax();
            let mut next = if i + 1 < n { rows.upper[i] } else { Matrix3::zeros() };
            if i > 0 {
                let mut before = rows.lower[i - 1];
                if two && i > 1 {
                    let far = rows.lower_two[i - 2];
                    before -= far * self.first[i - 2];
                    pivot -= far * self.second[i - 2];
                    x[i] -= far * x[i - 2];
                }
                pivot -= before * self.first[i - 1];
                x[i] -= before * x[i - 1];
                if two {
                    next -= before * self.second[i - 1];
                }
            }
            if DEFINITE && !is_definite(&pivot, least) {
                return Err(Singular { column: Some(3 * i) });
            }
            let pivot = Pivot::new(pivot, least).map_err(|k| Singular { column: Some(3 * i + k) })?;
            x[i] = pivot.solve(&x[i]);
            let over = |block: &Matrix3<f64>| {
                let [a, b, c] = [0, 1, 2].map(|k| pivot.solve(&block.column(k).into_owned()));
                Matrix3::from_columns(&[a, b, c])
            };
            self.first[i] = if i + 1 < n { over(&next) } else { Matrix3::zeros() };
            self.second[i] = if two && i + 2 < n { over(&rows.upper_two[i]) } else { Matrix3::zeros() };
        }
        for i in (0..n.saturating_sub(1)).rev() {
            let next = x[i + 1];
            x[i] -= self.first[i] * next;
            if two && i + 2 < n {
                let next = x[i + 2];
                x[i] -= self.second[i] * next;
            }
        }
        Ok(())
    }
}

/// Whether the symmetric part of a block is positive definite up to rounding `least`, by
/// elimination with diagonal pivoting, because leading minors cancel when stiffnesses differ by
/// orders of magnitude.
fn is_definite(m: &Matrix3<f64>, least: f64) -> bool {
    let mut s = (m + m.transpose()) * 0.5;
    for k in 0..3 {
        let best = (k..3).fold(k, |best, i| if s[(i, i)] > s[(best, best)] { i } else { best });
        s.swap_rows(k, best);
        s.swap_columns(k, best);
        let pivot = s[(k, k)];
        if pivot.is_nan() || pivot < -least {
            return false;
        }
        for i in k + 1..3 {
            for j in k + 1..3 {
                s[(i, j)] -= s[(i, k)] * s[(k, j)] / pivot.max(least);
            }
        }
    }
    true
}

/// LU of a 3x3 block with row exchanges, because a determinant cancels when stiffnesses differ by
/// orders of magnitude.
struct Pivot {
    /// L below the diagonal, U above, the inverses of the pivots on it.
    triangles: Matrix3<f64>,
    /// The original indices of the first, second and third row.
    order: [usize; 3],
}

impl Pivot {
    /// Error: the column in which no pivot is above `least`.
    fn new(mut m: Matrix3<f64>, least: f64) -> Result<Pivot, usize> {
        let mut order = [0, 1, 2];
        for k in 0..3 {
            let mut best = k;
            for row in k + 1..3 {
                if m[(row, k)].abs() > m[(best, k)].abs() {
                    best = row;
                }
            }
            let size = m[(best, k)].abs();
            if !(size > least && size.is_finite()) {
                return Err(k);
            }
            if best != k {
                m.swap_rows(k, best);
                order.swap(k, best);
            }
            let inverse = 1.0 / m[(k, k)];
            m[(k, k)] = inverse;
            for row in k + 1..3 {
                let factor = m[(row, k)] * inverse;
                m[(row, k)] = factor;
                for column in k + 1..3 {
                    m[(row, column)] -= factor * m[(k, column)];
                }
            }
        }
        Ok(Pivot { triangles: m, order })
    }

    #[inline(always)]
    fn solve(&self, b: &Vector3<f64>) -> Vector3<f64> {
        let Pivot { triangles: t, order } = self;
        let b = order.map(|row| b[row]);
        let y1 = b[1] - t[(1, 0)] * b[0];
        let y2 = b[2] - t[(2, 0)] * b[0] - t[(2, 1)] * y1;
        let z = y2 * t[(2, 2)];
        let y = (y1 - t[(1, 2)] * z) * t[(1, 1)];
        Vector3::new((b[0] - t[(0, 1)] * y - t[(0, 2)] * z) * t[(0, 0)], y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, DVector};

    /// Pseudo-random numbers between -1 and 1 (a linear congruence).
    fn random(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn bands_are_solved_as_dense_matrices_are() {
        let mut seed = 3;
        for two in [false, true] {
            for n in [1, 2, 3, 4, 9, 40] {
                let mut blocks = |count: usize| -> Vec<Matrix3<f64>> {
                    (0..count).map(|_| Matrix3::from_fn(|_, _| random(&mut seed))).collect()
                };
                let far = if two { n.max(2) - 2 } else { 0 };
                let (upper, lower) = (blocks(n - 1), blocks(n - 1));
                let (upper_two, lower_two) = (blocks(far), blocks(far));
                // Off-diagonal sums of rows are at most 12: diagonally dominant with 20.
                let diagonal: Vec<_> = blocks(n).iter().map(|b| b + Matrix3::identity() * 15.0).collect();
                let rows = Rows {
                    diagonal: &diagonal,
                    upper: &upper,
                    lower: &lower,
                    upper_two: &upper_two,
                    lower_two: &lower_two,
                };
                let mut dense = DMatrix::zeros(3 * n, 3 * n);
                let mut put = |row: usize, column: usize, block: &Matrix3<f64>| {
                    dense.view_mut((3 * row, 3 * column), (3, 3)).copy_from(block);
                };
                for i in 0..n {
                    put(i, i, &(diagonal[i] + Matrix3::identity() * 5.0));
                    if i + 1 < n {
                        put(i, i + 1, &upper[i]);
                        put(i + 1, i, &lower[i]);
                    }
                    if two && i + 2 < n {
                        put(i, i + 2, &upper_two[i]);
                        put(i + 2, i, &lower_two[i]);
                    }
                }
                let b = DVector::from_fn(3 * n, |_, _| random(&mut seed));
                let expected = dense.lu().solve(&b).expect("regular");
                let mut x: Vec<_> = (0..n).map(|i| Vector3::new(b[3 * i], b[3 * i + 1], b[3 * i + 2])).collect();
                let mut band = Band::new(n);
                band.solve(&rows, 5.0, &mut x).expect("regular");
                for (i, x) in x.iter().enumerate() {
                    for k in 0..3 {
                        // Diagonal dominance keeps the condition below 10.
                        assert!((x[k] - expected[3 * i + k]).abs() < 1e-14, "two {two}, n {n}, row {i}");
                    }
                }
            }
        }
    }

    #[test]
    fn rows_are_exchanged_inside_blocks() {
        let swapped = Matrix3::new(0.0, 2.0, 0.0, 0.0, 0.0, 4.0, 8.0, 0.0, 0.0);
        let rows = Rows { diagonal: &[swapped], upper: &[], lower: &[], upper_two: &[], lower_two: &[] };
        let mut x = [Vector3::new(2.0, 4.0, 8.0)];
        Band::new(1).solve(&rows, 0.0, &mut x).expect("regular");
        assert_eq!(x[0], Vector3::new(1.0, 1.0, 1.0));
    }

    /// A stiff direction and one with 1e-12 of its stiffness, neither along an axis, as in a slack
    /// segment.
    #[test]
    fn stiff_and_soft_directions_keep_their_digits() {
        let t = Vector3::new(1.0, 2.0, 2.0) / 3.0;
        let soft = 1e-12;
        let block = t * t.transpose() + Matrix3::identity() * soft;
        let rows = Rows { diagonal: &[block], upper: &[], lower: &[], upper_two: &[], lower_two: &[] };
        let across = Vector3::new(2.0, -1.0, 0.0);
        let mut x = [across * soft];
        Band::new(1).solve(&rows, 0.0, &mut x).expect("regular");
        // The entries are rounded to 1e-16 of 1, which is 1e-4 of the soft stiffness.
        assert!((x[0] - across).norm() < 1e-3, "{:?}", x[0]);
    }

    #[test]
    fn no_pivot_is_told_with_its_column() {
        let one = Matrix3::identity();
        let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 1.0));
        let zero = [Matrix3::zeros()];
        let rows = Rows { diagonal: &[one, flat], upper: &zero, lower: &zero, upper_two: &[], lower_two: &[] };
        let mut x = [Vector3::zeros(); 2];
        assert_eq!(Band::new(2).solve(&rows, 0.0, &mut x), Err(Singular { column: Some(4) }));
        assert_eq!(Band::new(2).solve(&rows, 1e-3, &mut x), Ok(()));
    }

    /// Chains of springs: definite while all stiffnesses are positive, not with a negative one,
    /// wherever it is.
    #[test]
    fn definite_matrices_are_told_from_others() {
        let n = 6;
        for pushes in [None, Some(0), Some(3), Some(5)] {
            // Spring k is before node k, along one of three skew directions, with a little
            // transverse stiffness.
            let spring = |k: usize| {
                let t = Vector3::new(1.0, k as f64 - 2.0, 0.5).normalize();
                let stiffness = if pushes == Some(k) { -1.0 } else { 1.0 };
                t * t.transpose() * stiffness + Matrix3::identity() * 1e-6
            };
            let diagonal: Vec<_> =
                (0..n).map(|k| spring(k) + if k + 1 < n { spring(k + 1) } else { Matrix3::zeros() }).collect();
            let beside: Vec<_> = (1..n).map(|k| -spring(k)).collect();
            let rows = Rows { diagonal: &diagonal, upper: &beside, lower: &beside, upper_two: &[], lower_two: &[] };
            let definite = |shift: f64| Band::new(n).solve_definite(&rows, shift, &mut vec![Vector3::zeros(); n]);
            assert_eq!(definite(0.0).is_ok(), pushes.is_none(), "{pushes:?}");
            // No eigenvalue is below -4, which two negative springs at a node can cause.
            assert_eq!(definite(4.1), Ok(()), "{pushes:?}");
        }
    }
}
