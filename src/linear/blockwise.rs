//! Block elimination of a matrix, and what takes over where that finds no pivot, or loses digits.

use super::asking::Asking;
use super::refinement::Refinement;
use super::{Assemble, Dense, Elimination, Singular, Sparse};

/// Largest number of unknowns for which dense LU is the factorisation that pivots among all rows: between 63 and 90 unknowns
/// (7 and 10 jointed bodies) it takes the time of the sparse one (benches/linear.rs).
const DENSE_LIMIT: usize = 80;

/// Bytes that the way for delicate solutions takes at most per unknown (it knows its entries).
const UNKNOWN: usize = 64;

/// Bytes that pivoting among all rows takes at most per entry. Measured on chains and meshes: a third of that.
pub const GENERAL: usize = 384;

/// Block elimination, and what takes over where that finds no pivot.
#[derive(Clone)]
pub struct Blockwise {
    /// Entries, and factors where it succeeds.
    pub elimination: Elimination,
    general: Option<General>,
    /// Whether the last factorisation is the general one's.
    pub took_over: bool,
    refinement: Option<Refinement>,
}

/// A matrix that pivots among all rows.
#[derive(Clone)]
enum General {
    Dense(Dense),
    Sparse(Box<Sparse>),
}

impl Blockwise {
    /// With the first assembly entered.
    pub fn new(elimination: Elimination) -> Blockwise {
        Blockwise { elimination, general: None, took_over: false, refinement: None }
    }

    /// Factorises `n` unknowns.
    pub fn factorize(&mut self, n: usize, asking: &mut Asking) -> Result<(), Singular> {
        self.took_over = !self.elimination.factorize();
        if self.took_over {
            return self.take_over(n, asking);
        }
        if self.elimination.is_delicate() && self.refinement.is_none() {
            let make = &mut || self.refinement = Some(Refinement::new(n, self.elimination.plan()));
            if !asking.run(self.elimination.plan().memory_of_entries() + UNKNOWN * n, make) {
                return Err(Singular { column: None });
            }
        }
        Ok(())
    }

    /// Factorises the same entries with pivoting among all rows. The first time that takes memory, later where the factors grow.
    fn take_over(&mut self, n: usize, asking: &mut Asking) -> Result<(), Singular> {
        let numbers = if n <= DENSE_LIMIT { n * n } else { 0 };
        let bytes = GENERAL * self.elimination.values().len()
            + self.elimination.plan().memory_of_entries()
            + UNKNOWN * n
            + numbers * size_of::<f64>();
        let mut done = Err(Singular { column: None });
        match self.general.is_some() {
            true => done = self.factorize_all_rows(n),
            false => drop(asking.run(bytes, &mut || done = self.factorize_all_rows(n))),
        }
        if let Some(General::Sparse(matrix)) = &self.general
            && matrix.was_refused()
        {
            // It is asked for once more, for all of that.
            (self.general, asking.missing) = (None, Some(bytes));
        }
        done
    }

    fn factorize_all_rows(&mut self, n: usize) -> Result<(), Singular> {
        let entries = &self.refinement.get_or_insert_with(|| Refinement::new(n, self.elimination.plan())).entries;
        let general = self.general.get_or_insert_with(|| match n {
            0..=DENSE_LIMIT => General::Dense(Dense::new(n)),
            _ => General::Sparse(Box::new(Sparse::new(n))),
        });
        let values = self.elimination.values();
        let entries = entries.iter().map(|(i, j, k)| (*i as usize, *j as usize, values[*k as usize]));
        match general {
            General::Dense(matrix) => {
                matrix.clear();
                entries.for_each(|(row, column, x)| matrix.add(row, column, &[[x]]));
                matrix.factorize()
            }
            General::Sparse(matrix) => {
                matrix.clear();
                entries.for_each(|(row, column, x)| matrix.add(row, column, &[[x]]));
                matrix.factorize()
            }
        }
    }

    /// Solves in place, with as many digits as there are to be had.
    pub fn solve(&mut self, b: &mut [f64], asking: &mut Asking) {
        if !self.took_over {
            let refinement = self.refinement.as_mut().filter(|_| self.elimination.is_delicate());
            let Some(refinement) = refinement else { return self.elimination.solve(b) };
            if refinement.solve(&self.elimination, b) {
                return;
            }
            // Pivoting among all rows does better, unless nothing can be done.
            self.took_over = self.take_over(b.len(), asking).is_ok();
            if asking.missing.is_some() {
                // What is not accurate must not pass for a solution.
                b.fill(f64::NAN);
            }
            match &self.refinement {
                Some(refinement) if self.took_over => b.copy_from_slice(&refinement.right),
                _ => return,
            }
        }
        match &mut self.general {
            Some(General::Dense(matrix)) => matrix.solve(b),
            Some(General::Sparse(matrix)) => matrix.solve(b),
            None => (),
        }
    }
}
