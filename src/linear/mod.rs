//! Linear algebra of the iteration matrix: entries in, solutions out; knows blocks and patterns, no physics.
//!
//! Tiny systems are dense, larger ones go to faer's sparse LU with the symbolic analysis done once. `graph` finds closed
//! loops, `rank` the rows of them that depend on others, `blocks` multiplies.
//!
//! What may not live here: bodies, joints, time steps, units. It imports nothing of ours; what an unknown is, its callers know.

mod blocks;
mod dense;
pub mod graph;
pub mod rank;
mod sparse;

pub use blocks::Blocks;
pub use dense::Dense;
pub use sparse::Sparse;

/// Largest number of unknowns that the dense factorisation serves: between 63 and 90 unknowns (7 and 10 jointed bodies)
/// both take the same time (benches/linear.rs).
const DENSE_LIMIT: usize = 80;

/// A pivot below this part of the sum of the sizes of its terms is what rounding left of nothing.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

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

    /// Masses of bodies in units of the largest, that of the last one without one about an axis that is none of the axes;
    /// constraints of neighbours, the last one maybe given twice; factors of rows and columns.
    fn saddle_point(bodies: usize, fault: &str, unit: f64) -> (usize, Vec<(usize, usize, f64)>) {
        let mut seed = bodies as u64;
        let (n, m) = (3 * bodies, bodies - 1 + usize::from(fault == "constraint twice"));
        let mut entries = Vec::new();
        for body in 0..bodies {
            let mass = if body % 3 == 1 { unit } else { 1.0 };
            let axis = [0.48, 0.6, 0.64];
            for i in 0..3 {
                for j in 0..3 {
                    let whole = if i == j { 1.0 } else { 0.0 };
                    let without = fault == "no inertia about an axis" && body + 1 == bodies;
                    entries.push((
                        3 * body + i,
                        3 * body + j,
                        mass * (whole - if without { axis[i] * axis[j] } else { 0.0 }),
                    ));
                }
            }
        }
        for k in 0..m {
            // The faulty body has no constraint.
            let (a, b) = (k.min(bodies - 2), (k.min(bodies - 2) + 1).min(bodies - 2));
            for body in if a == b { vec![a] } else { vec![a, b] } {
                for i in 0..3 {
                    let x = if k < bodies - 1 { noise(&mut seed) } else { 0.0 };
                    let twice = |(row, column, x): &(usize, usize, f64)| {
                        (*row == n + k - 1 && *column == 3 * body + i).then_some(3.0 * x)
                    };
                    let x = if k < bodies - 1 { x } else { entries.iter().find_map(twice).unwrap_or(0.0) };
                    entries.push((n + k, 3 * body + i, x));
                    entries.push((3 * body + i, n + k, x));
                }
            }
        }
        (n + m, entries)
    }

    #[test]
    fn singular_is_told_alike_at_every_size_and_scale() {
        for bodies in [3, 10, 25, 60, 250] {
            for unit in [1.0, 1e-12, 1e12] {
                for fault in ["none", "no inertia about an axis", "constraint twice"] {
                    let (n, entries) = saddle_point(bodies, fault, unit);
                    let mut dense = Dense::new(n);
                    entries.iter().for_each(|(i, j, x)| dense.add(*i, *j, &[[*x]]));
                    let mut sparse = Sparse::new(n);
                    entries.iter().for_each(|(i, j, x)| sparse.add(*i, *j, &[[*x]]));
                    for (path, found) in [("dense", dense.factorize()), ("sparse", sparse.factorize())] {
                        let claim = format!("{path}, {bodies} bodies, unit {unit:e}, fault: {fault}");
                        assert_eq!(found.is_ok(), fault == "none", "{claim}: {found:?}");
                        let column = found.err().map(|singular| singular.column.unwrap());
                        let of_fault = |column: usize| match fault {
                            "constraint twice" => column >= 3 * bodies || column / 3 + 1 < bodies,
                            _ => column / 3 + 1 == bodies,
                        };
                        assert!(column.is_none_or(of_fault), "{claim}: column {column:?}");
                    }
                }
            }
        }
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
