//! Iterative refinement of solutions by block elimination, where neighbours differ so much in mass that elimination within
//! blocks loses digits that pivoting among all rows keeps (Skeel 1980, Math. Comp. 35, 817).

use super::Elimination;
use super::plan::Plan;

/// Largest residual that is taken, in terms of the largest sum of the sizes of what a row adds up: some roundings.
const ACCURATE: f64 = 1e-14;

/// Most corrections: each takes at least two digits where it helps at all.
const MOST: usize = 4;

/// Entries of a matrix and memory of residuals.
#[derive(Clone)]
pub struct Refinement {
    /// Row, column, place among the values.
    pub entries: Vec<(u32, u32, u32)>,
    /// The right-hand side of the last solution.
    pub right: Vec<f64>,
    correction: Vec<f64>,
    sizes: Vec<f64>,
}

impl Refinement {
    /// For n unknowns.
    pub fn new(n: usize, plan: &Plan) -> Refinement {
        let zeros = || vec![0.0; n];
        Refinement { entries: plan.entries(), right: zeros(), correction: zeros(), sizes: zeros() }
    }

    /// Solves in place; false where the residual stays above what rounding explains.
    pub fn solve(&mut self, elimination: &Elimination, b: &mut [f64]) -> bool {
        self.right.copy_from_slice(b);
        elimination.solve(b);
        let mut last = self.residual(elimination, b);
        for _ in 0..MOST {
            if last <= ACCURATE {
                return true;
            }
            elimination.solve(&mut self.correction);
            b.iter_mut().zip(&self.correction).for_each(|(x, correction)| *x += correction);
            let now = self.residual(elimination, b);
            // Also where it is not a number.
            if !(now <= 0.01 * last || now <= ACCURATE) {
                return false;
            }
            last = now;
        }
        last <= ACCURATE
    }

    /// `b - A x` into `correction`; returns its size.
    fn residual(&mut self, elimination: &Elimination, x: &[f64]) -> f64 {
        self.correction.copy_from_slice(&self.right);
        self.sizes.iter_mut().zip(&self.right).for_each(|(size, b)| *size = b.abs());
        let values = elimination.values();
        for (row, column, place) in &self.entries {
            let term = values[*place as usize] * x[*column as usize];
            self.correction[*row as usize] -= term;
            self.sizes[*row as usize] += term.abs();
        }
        let largest = |x: &[f64]| x.iter().fold(0.0f64, |a, x| if x.abs() <= a { a } else { x.abs() });
        let (rest, size) = (largest(&self.correction), largest(&self.sizes));
        if rest == 0.0 { 0.0 } else { rest / size }
    }
}
