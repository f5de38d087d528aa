//! Linear algebra of the iteration matrix: entries in, solutions out; knows blocks and patterns, no physics.
//!
//! Tiny systems are dense, larger ones go to faer's sparse LU with the symbolic analysis done once.

mod dense;
mod sparse;

pub use dense::Dense;
pub use sparse::Sparse;

/// Largest number of unknowns that the dense factorisation serves: between 63 and 90 unknowns (7 and 10 jointed bodies)
/// both take the same time (benches/linear.rs).
const DENSE_LIMIT: usize = 80;

/// Why a matrix could not be factorised: the column in which no pivot was found, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Singular {
    /// Column of the failing pivot.
    pub column: Option<usize>,
}

/// Takes the entries of a matrix. A matrix of one pattern is assembled by the same sequence of calls every time.
pub trait Assemble {
    /// Adds an RxC block given by columns, its first entry at (row, column).
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]);
}

/// A square matrix with its factors and pattern.
#[derive(Clone)]
pub enum Matrix {
    /// Dense LU.
    Dense(Dense),
    /// faer's sparse LU.
    Sparse(Box<Sparse>),
}

impl Matrix {
    /// For `n` unknowns; a sparse matrix learns its pattern from the first assembly.
    pub fn new(n: usize) -> Matrix {
        if n <= DENSE_LIMIT { Matrix::Dense(Dense::new(n)) } else { Matrix::Sparse(Box::new(Sparse::new(n))) }
    }

    /// A dense one, whatever the number of unknowns: for analyses that read its entries.
    pub fn dense(n: usize) -> Matrix {
        Matrix::Dense(Dense::new(n))
    }

    /// Learns its pattern anew from the next assembly: the sequence of calls has changed.
    pub fn forget_pattern(&mut self) {
        if let Matrix::Sparse(m) = self {
            m.forget_pattern();
        }
    }

    /// Factorises what was assembled.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        match self {
            Matrix::Dense(m) => m.factorize(),
            Matrix::Sparse(m) => m.factorize(),
        }
    }

    /// Replaces `b` by the solution of `A x = b`; needs a factorised matrix.
    pub fn solve(&mut self, b: &mut [f64]) {
        match self {
            Matrix::Dense(m) => m.solve(b),
            Matrix::Sparse(m) => m.solve(b),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deterministic numbers in (-1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn check(n: usize) {
        let mut seed = n as u64;
        let mut m = Matrix::new(n);
        for _ in 0..3 {
            // A saddle point: a banded block, and constraints with zeros on their diagonal, so that pivoting is needed.
            let constraints = n / 3;
            let dofs = n - constraints;
            let mut entries = Vec::new();
            for i in 0..dofs {
                entries.extend((0..dofs).filter(|j| i.abs_diff(*j) < 3).map(|j| (i, j, noise(&mut seed))));
                entries.push((i, i, 6.0));
            }
            for k in 0..constraints {
                for (column, size) in [(k, 1.0), (k + 1, 0.3)] {
                    entries.push((dofs + k, column, size + 0.1 * noise(&mut seed)));
                    entries.push((column, dofs + k, size + 0.1 * noise(&mut seed)));
                }
            }
            let mut assemble = || match &mut m {
                Matrix::Dense(d) => {
                    d.clear();
                    entries.iter().for_each(|(i, j, x)| d.add(*i, *j, &[[*x]]));
                }
                Matrix::Sparse(s) => {
                    s.clear();
                    entries.iter().for_each(|(i, j, x)| s.add(*i, *j, &[[*x]]));
                }
            };
            assemble();
            let x: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let mut b = vec![0.0; n];
            entries.iter().for_each(|(i, j, a)| b[*i] += a * x[*j]);
            let norm = b.iter().fold(0.0, |a: f64, x| a.max(x.abs()));
            m.factorize().unwrap();
            let mut solution = b.clone();
            m.solve(&mut solution);
            // The residual of LU with pivoting is of rounding size whatever the condition: n^1.5 eps |A| |x|.
            let size = solution.iter().fold(norm, |a: f64, x| a.max(x.abs()));
            entries.iter().for_each(|(i, j, a)| b[*i] -= a * solution[*j]);
            assert!(b.iter().all(|r| r.abs() < 1e-15 * (n as f64).powf(1.5) * size), "n = {n}: {b:?}");
        }
    }

    #[test]
    fn both_factorisations_solve_saddle_point_systems() {
        [1, 6, 9, 10, 11, 12, 18, 80, 81, 150].into_iter().for_each(check);
    }

    #[test]
    fn singular_matrices_are_reported_not_passed() {
        for n in [6, 9, 10, 100] {
            let mut m = Matrix::new(n);
            for fill in [true, false] {
                let value = |i: usize, j: usize| if i == j && (i != 4 || fill) { 1.0 } else { 0.0 };
                match &mut m {
                    Matrix::Dense(d) => {
                        d.clear();
                        (0..n).for_each(|i| d.add(i, i, &[[value(i, i)]]));
                    }
                    Matrix::Sparse(s) => {
                        s.clear();
                        (0..n).for_each(|i| s.add(i, i, &[[value(i, i)]]));
                    }
                }
                assert_eq!(m.factorize().is_ok(), fill, "n = {n}");
            }
        }
    }
}
