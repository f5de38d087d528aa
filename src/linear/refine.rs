//! Fallbacks of block elimination: iterative refinement of its solutions
//! (Skeel 1980, Math. Comp. 35, 817), where neighbours differ so much in mass that elimination
//! within supernodes loses digits; a factorisation that pivots among all rows, where supernodes
//! have no significant pivots.

use super::pattern::Pattern;
use super::{Assemble, BlockLu, Dense, Singular, Sparse};

/// Largest number of unknowns for which dense LU is the factorisation that pivots among all rows:
/// between 63 and 90 unknowns (7 and 10 jointed bodies) it takes the time of the sparse one
/// (benches/linear.rs).
const DENSE_LIMIT: usize = 80;

/// Bytes that refinement takes at most per unknown, beside the list of entries.
const UNKNOWN: usize = 64;

/// Bytes that pivoting among all rows takes at most per entry. Measured on chains and meshes: a
/// third of that.
pub const GENERAL: usize = 384;

/// Largest residual that is taken, in terms of the largest sum of the sizes of what a row adds up:
/// some roundings.
const ACCURATE: f64 = 1e-14;

/// Largest ratio of two successive residuals for which refinement goes on: pivoting among all rows
/// takes the time of more than ten corrections.
const CONTRACTION: f64 = 0.3;

/// Most corrections: as many as a residual of 1e-4 needs at that ratio.
const MOST: usize = 20;

// ---- Memory ----------------------------------------------------------------------------------------------------------

/// Runs some work after so many bytes of memory were promised; false, with nothing done, where they
/// are refused.
pub type WithRoom = fn(usize, &mut dyn FnMut()) -> bool;

/// How a matrix gets memory in the middle of a step, for which none was promised.
#[derive(Clone, Copy, Default)]
pub struct Room {
    /// None: allocate directly, without reserving first.
    pub with_room: Option<WithRoom>,
    /// Bytes that were refused since this was set.
    pub missing: Option<usize>,
}

impl Room {
    /// Does some work that takes so many bytes; false, with nothing done, where they are refused.
    fn run(&mut self, bytes: usize, work: &mut dyn FnMut()) -> bool {
        let done = match self.with_room {
            Some(with_room) => with_room(bytes, work),
            None => {
                work();
                true
            }
        };
        if !done {
            self.missing = Some(bytes);
        }
        done
    }
}

// ---- Block elimination and its fallbacks -----------------------------------------------------------------------------

/// Block elimination, and the factorisations that replace it where it finds no pivot.
#[derive(Clone)]
pub struct Refined {
    /// Entries, and factors where elimination succeeds.
    pub blocks: BlockLu,
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

impl Refined {
    /// With the first assembly entered.
    pub fn new(blocks: BlockLu) -> Refined {
        Refined { blocks, general: None, took_over: false, refinement: None }
    }

    /// Factorises `n` unknowns.
    pub fn factorize(&mut self, n: usize, room: &mut Room) -> Result<(), Singular> {
        self.took_over = !self.blocks.factorize();
        if self.took_over {
            return self.take_over(n, room);
        }
        if self.blocks.is_delicate() && self.refinement.is_none() {
            let make = &mut || self.refinement = Some(Refinement::new(n, self.blocks.pattern()));
            if !room.run(self.blocks.pattern().memory_of_entries() + UNKNOWN * n, make) {
                return Err(Singular { column: None });
            }
        }
        Ok(())
    }

    /// Factorises the same entries with pivoting among all rows. The first time that takes memory,
    /// later where the factors grow.
    fn take_over(&mut self, n: usize, room: &mut Room) -> Result<(), Singular> {
        let numbers = if n <= DENSE_LIMIT { n * n } else { 0 };
        let bytes = GENERAL * self.blocks.values().len()
            + self.blocks.pattern().memory_of_entries()
            + UNKNOWN * n
            + numbers * size_of::<f64>();
        let mut done = Err(Singular { column: None });
        match self.general.is_some() {
            true => done = self.factorize_all_rows(n),
            false => drop(room.run(bytes, &mut || done = self.factorize_all_rows(n))),
        }
        if let Some(General::Sparse(matrix)) = &self.general
            && matrix.was_refused()
        {
            // The next attempt allocates all of it again.
            (self.general, room.missing) = (None, Some(bytes));
        }
        done
    }

    fn factorize_all_rows(&mut self, n: usize) -> Result<(), Singular> {
        let entries = &self.refinement.get_or_insert_with(|| Refinement::new(n, self.blocks.pattern())).entries;
        let general = self.general.get_or_insert_with(|| match n {
            0..=DENSE_LIMIT => General::Dense(Dense::new(n)),
            _ => General::Sparse(Box::new(Sparse::new(n))),
        });
        let values = self.blocks.values();
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
    pub fn solve(&mut self, b: &mut [f64], room: &mut Room) {
        if !self.took_over {
            let refinement = self.refinement.as_mut().filter(|_| self.blocks.is_delicate());
            let Some(refinement) = refinement else { return self.blocks.solve(b) };
            if refinement.solve(&self.blocks, b) {
                return;
            }
            // Pivoting among all rows does better, unless nothing can be done.
            self.took_over = self.take_over(b.len(), room).is_ok();
            if room.missing.is_some() {
                // An inaccurate vector must not be returned as a solution.
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

// ---- Iterative refinement --------------------------------------------------------------------------------------------

/// Entries of a matrix and memory of residuals.
#[derive(Clone)]
struct Refinement {
    /// Row, column, place among the values; in rising order of the rows.
    entries: Vec<(u32, u32, u32)>,
    /// The right-hand side of the last solution.
    right: Vec<f64>,
    correction: Vec<f64>,
}

impl Refinement {
    /// For n unknowns.
    fn new(n: usize, pattern: &Pattern) -> Refinement {
        Refinement { entries: pattern.entries(), right: vec![0.0; n], correction: vec![0.0; n] }
    }

    /// Solves in place; false where the residual stays above what rounding explains.
    fn solve(&mut self, blocks: &BlockLu, b: &mut [f64]) -> bool {
        self.right.copy_from_slice(b);
        blocks.solve(b);
        let mut last = self.residual(blocks, b);
        for _ in 0..MOST {
            if last <= ACCURATE {
                return true;
            }
            blocks.solve(&mut self.correction);
            b.iter_mut().zip(&self.correction).for_each(|(x, correction)| *x += correction);
            let now = self.residual(blocks, b);
            // Also true for NaN.
            if !(now <= CONTRACTION * last || now <= ACCURATE) {
                return false;
            }
            last = now;
        }
        last <= ACCURATE
    }

    /// Writes `b - A x` into `correction` and returns its largest entry, relative to the largest
    /// sum of the sizes of the terms of a row.
    fn residual(&mut self, blocks: &BlockLu, x: &[f64]) -> f64 {
        let values = blocks.values();
        let (mut largest, mut largest_size) = (0.0f64, 0.0f64);
        // NaN counts as larger than any number.
        let larger = |a: f64, x: f64| if x.abs() <= a { a } else { x.abs() };
        let mut entries = self.entries.iter().peekable();
        for ((row, rest), right) in (0..).zip(&mut self.correction).zip(&self.right) {
            let (mut sum, mut size) = (*right, right.abs());
            while let Some((_, column, place)) = entries.next_if(|entry| entry.0 == row) {
                let term = values[*place as usize] * x[*column as usize];
                sum -= term;
                size += term.abs();
            }
            *rest = sum;
            (largest, largest_size) = (larger(largest, sum), larger(largest_size, size));
        }
        if largest == 0.0 { 0.0 } else { largest / largest_size }
    }
}
