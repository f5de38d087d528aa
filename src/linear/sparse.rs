//! Sparse LU with partial pivoting, for more unknowns than the dense LU is used for.
//!
//! The first assembly records the sequence of entries, which becomes a compressed pattern with an
//! index for each entry of the sequence. Later assemblies use these indices without a search.
//!
//! The factorisation is left-looking, in time proportional to its operations: Gilbert, Peierls
//! (1988), Sparse partial pivoting in time proportional to arithmetic operations, SIAM J. Sci.
//! Stat. Comput. 9, 862-874.

use super::minimum_degree::minimum_degree;
use super::{Assemble, ROUNDING, Singular};
use std::collections::TryReserveError;

/// A pivot below this part of the sum of the absolute values of its terms is rounding. The terms
/// also carry the rounding of earlier steps, in an order that depends on the graph: hence eight
/// times the threshold of the dense factorisations.
const CANCELLED: f64 = 8.0 * ROUNDING;

/// No index.
const NONE: u32 = u32::MAX;

/// A pivot below this part of the largest entry of its column of U may be rounding.
const SUSPECT: f64 = 1e-8;

/// A sparse square matrix with its factors.
#[derive(Clone)]
pub struct Sparse {
    n: usize,
    /// Entries of the first assembly, until the pattern is known.
    recorded: Vec<(usize, usize, f64)>,
    analysed: Option<Analysed>,
}

/// Results of the analysis of the pattern.
#[derive(Clone)]
struct Analysed {
    pattern: Pattern,
    values: Vec<f64>,
    /// Place in `values` of each entry of the assembly sequence.
    places: Vec<u32>,
    cursor: usize,
    /// The order of the columns.
    columns: Vec<usize>,
    factors: Factors,
    /// True if the last factorisation was refused memory: other pivots may make more fill than all
    /// before.
    refused: bool,
}

/// The entries of a square matrix: for each column its rows, in increasing order.
#[derive(Clone)]
struct Pattern {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Pattern {
    fn n(&self) -> usize {
        self.starts.len() - 1
    }

    fn column(&self, column: usize) -> &[u32] {
        &self.rows[self.starts[column]..self.starts[column + 1]]
    }
}

/// `P A Q = L U` with a unit diagonal of L. Step k eliminates column k of the order by a pivot row
/// that it chooses.
#[derive(Clone)]
struct Factors {
    /// Rows, by their number in A, and values of each column of L below the diagonal.
    lower: Columns,
    /// Steps and values of each column of U above the diagonal.
    upper: Columns,
    pivots: Vec<f64>,
    /// The pivot row of each step, and the step of each row, `NONE` before its own.
    row_of: Vec<u32>,
    step_of: Vec<u32>,
    /// The column under elimination, by rows; zero between two steps.
    work: Vec<f64>,
    /// The step whose search has found a row last.
    found: Vec<u32>,
    /// Rows with an entry in the column: earlier steps, each after all those that it depends on,
    /// and rows without a pivot.
    steps: Vec<u32>,
    candidates: Vec<u32>,
    /// Stack of the depth-first search: steps, and the next entry of L of each.
    way: Vec<(u32, usize)>,
    solution: Vec<f64>,
}

/// Sparse columns, one after the other.
#[derive(Clone)]
struct Columns {
    starts: Vec<usize>,
    entries: Vec<(u32, f64)>,
}

impl Columns {
    fn new(n: usize) -> Columns {
        Columns { starts: Vec::with_capacity(n + 1), entries: Vec::new() }
    }

    fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.entries.clear();
    }

    fn column(&self, k: usize) -> &[(u32, f64)] {
        &self.entries[self.starts[k]..self.starts[k + 1]]
    }
}

/// Why a factorisation ended.
enum Stop {
    NoPivot(usize),
    NoMemory,
}

impl From<TryReserveError> for Stop {
    fn from(_: TryReserveError) -> Stop {
        Stop::NoMemory
    }
}

impl Factors {
    fn new(n: usize) -> Factors {
        Factors {
            lower: Columns::new(n),
            upper: Columns::new(n),
            pivots: Vec::with_capacity(n),
            row_of: Vec::with_capacity(n),
            step_of: vec![NONE; n],
            work: vec![0.0; n],
            found: vec![NONE; n],
            steps: Vec::with_capacity(n),
            candidates: Vec::with_capacity(n),
            way: Vec::with_capacity(n),
            solution: vec![0.0; n],
        }
    }

    /// Factorises the matrix with its columns in this order.
    fn factorize(&mut self, pattern: &Pattern, values: &[f64], order: &[usize]) -> Result<(), Stop> {
        self.lower.clear();
        self.upper.clear();
        self.pivots.clear();
        self.row_of.clear();
        self.step_of.fill(NONE);
        self.found.fill(NONE);
        self.work.fill(0.0);
        for (step, column) in order.iter().copied().enumerate() {
            self.reach(step as u32, pattern.column(column));
            self.upper.entries.try_reserve(self.steps.len())?;
            self.lower.entries.try_reserve(self.candidates.len())?;

            // Solve with the columns of L so far.
            let own = pattern.starts[column]..pattern.starts[column + 1];
            for (row, x) in pattern.rows[own.clone()].iter().zip(&values[own]) {
                self.work[*row as usize] = *x;
            }
            for k in self.steps.iter().rev() {
                let x = std::mem::take(&mut self.work[self.row_of[*k as usize] as usize]);
                self.upper.entries.push((*k, x));
                for (row, l) in self.lower.column(*k as usize) {
                    self.work[*row as usize] -= l * x;
                }
            }
            self.upper.starts.push(self.upper.entries.len());

            // Partial pivoting.
            let size = |row: u32| self.work[row as usize].abs();
            let row = self.candidates.iter().copied().reduce(|a, b| if size(b) > size(a) { b } else { a });
            let row = row.filter(|row| self.is_significant(step, *row)).ok_or(Stop::NoPivot(column))?;
            let pivot = std::mem::take(&mut self.work[row as usize]);
            self.pivots.push(pivot);
            self.row_of.push(row);
            self.step_of[row as usize] = step as u32;
            for other in self.candidates.iter().copied().filter(|other| *other != row) {
                self.lower.entries.push((other, std::mem::take(&mut self.work[other as usize]) / pivot));
            }
            self.lower.starts.push(self.lower.entries.len());
        }
        Ok(())
    }

    /// Finds the rows that have an entry in a column after the earlier steps: those of the matrix,
    /// and those that can be reached from them through columns of L, by a depth-first search.
    fn reach(&mut self, step: u32, rows: &[u32]) {
        self.steps.clear();
        self.candidates.clear();
        for row in rows.iter().copied() {
            self.visit(step, row);
            while let Some((k, next)) = self.way.last_mut() {
                match self.lower.entries[..self.lower.starts[*k as usize + 1]].get(*next) {
                    Some((row, _)) => {
                        *next += 1;
                        let row = *row;
                        self.visit(step, row);
                    }
                    None => {
                        self.steps.push(*k);
                        self.way.pop();
                    }
                }
            }
        }
    }

    /// Visits a row, unless it was found before.
    fn visit(&mut self, step: u32, row: u32) {
        if std::mem::replace(&mut self.found[row as usize], step) == step {
            return;
        }
        match self.step_of[row as usize] {
            NONE => self.candidates.push(row),
            k => self.way.push((k, self.lower.starts[k as usize])),
        }
    }

    /// False if a pivot is zero, not finite, or no more than rounding of its terms,
    /// `a_jj = sum_k l_jk u_kj`.
    fn is_significant(&self, step: usize, row: u32) -> bool {
        let pivot = self.work[row as usize].abs();
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let column = self.upper.column(step);
        if column.iter().all(|(_, x)| pivot > SUSPECT * x.abs()) {
            return true;
        }
        let l = |k: u32| self.lower.column(k as usize).iter().find(|(other, _)| *other == row).map_or(0.0, |(_, l)| *l);
        let terms: f64 = column.iter().map(|(k, x)| (l(*k) * x).abs()).sum();
        pivot > CANCELLED * (pivot + terms)
    }

    /// Solves in place.
    fn solve(&mut self, order: &[usize], b: &mut [f64]) {
        for (step, row) in self.row_of.iter().enumerate() {
            let x = b[*row as usize];
            self.solution[step] = x;
            self.lower.column(step).iter().for_each(|(row, l)| b[*row as usize] -= l * x);
        }
        for (step, column) in order.iter().enumerate().rev() {
            let x = self.solution[step] / self.pivots[step];
            b[*column] = x;
            self.upper.column(step).iter().for_each(|(k, u)| self.solution[*k as usize] -= u * x);
        }
    }

    /// Multiplications of the last factorisation: each column of L is used for as many columns as U
    /// has entries in its row.
    fn operations(&self) -> f64 {
        let mut rows = vec![1.0; self.pivots.len()];
        self.upper.entries.iter().for_each(|(k, _)| rows[*k as usize] += 1.0);
        let columns = self.lower.starts.windows(2).map(|ends| (ends[1] - ends[0] + 1) as f64);
        rows.iter().zip(columns).map(|(row, column)| 2.0 * row * column).sum()
    }
}

impl Assemble for Sparse {
    // Not inlined: the assembly calls it in some hundred places, and the call takes less time than
    // the indirect accesses.
    #[inline(never)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        match &mut self.analysed {
            Some(a) => {
                let places = &a.places[a.cursor..a.cursor + R * C];
                for (place, x) in places.iter().zip(block.as_flattened()) {
                    a.values[*place as usize] += x;
                }
                a.cursor += R * C;
            }
            None => {
                for (j, source) in block.iter().enumerate() {
                    for (i, x) in source.iter().enumerate() {
                        self.recorded.push((row + i, column + j, *x));
                    }
                }
            }
        }
    }
}

impl Sparse {
    /// A matrix whose pattern is not known yet.
    pub fn new(n: usize) -> Sparse {
        Sparse { n, recorded: Vec::new(), analysed: None }
    }

    /// Sets every entry to zero and starts a new assembly.
    pub fn clear(&mut self) {
        match &mut self.analysed {
            Some(a) => {
                a.values.fill(0.0);
                a.cursor = 0;
            }
            None => self.recorded.clear(),
        }
    }

    /// Factorises the assembled matrix; the first call analyses the pattern and chooses an order.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        let unknown = Singular { column: None };
        self.analyse().ok_or(unknown)?;
        let a = self.analysed.as_mut().ok_or(unknown)?;
        a.factorize()
    }

    /// Computes pattern and order from the first assembly, unless that is done; None if memory is
    /// short.
    fn analyse(&mut self) -> Option<()> {
        if self.analysed.is_none() {
            self.analysed = Some(analyse(self.n, &self.recorded)?);
            self.recorded = Vec::new();
        }
        Some(())
    }

    /// Operations of one factorisation, counted with typical numbers of the pattern; None if these
    /// are singular.
    pub fn operations(&mut self) -> Option<f64> {
        self.analyse()?;
        let a = self.analysed.as_mut()?;
        let values = std::mem::replace(&mut a.values, typical_values(&a.pattern));
        let regular = a.factorize().is_ok();
        a.values = values;
        regular.then(|| a.factors.operations())
    }

    /// Whether the last factorisation failed because memory was refused.
    pub fn was_refused(&self) -> bool {
        self.analysed.as_ref().is_none_or(|a| a.refused)
    }

    /// Number of entries.
    pub fn entries(&self) -> usize {
        self.analysed.as_ref().map_or(self.recorded.len(), |a| a.values.len())
    }

    /// The row of an entry that is not finite, if there is one.
    pub fn not_finite(&self) -> Option<usize> {
        let Some(a) = &self.analysed else {
            return self.recorded.iter().find(|(.., x)| !x.is_finite()).map(|(row, ..)| *row);
        };
        a.pattern.rows.iter().zip(&a.values).find(|(_, x)| !x.is_finite()).map(|(row, _)| *row as usize)
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        if let Some(a) = &mut self.analysed {
            a.factors.solve(&a.columns, b);
        }
    }
}

impl Analysed {
    /// Factorises the values.
    fn factorize(&mut self) -> Result<(), Singular> {
        self.refused = false;
        if !self.values.iter().all(|x| x.is_finite()) {
            return Err(Singular { column: None });
        }
        self.factors.factorize(&self.pattern, &self.values, &self.columns).map_err(|stop| match stop {
            Stop::NoPivot(column) => Singular { column: Some(column) },
            Stop::NoMemory => {
                self.refused = true;
                Singular { column: None }
            }
        })
    }
}

/// Pattern, places and a fill-reducing order from the recorded entries; None for more entries than
/// indices of 32 bits.
fn analyse(n: usize, recorded: &[(usize, usize, f64)]) -> Option<Analysed> {
    let mut order: Vec<usize> = (0..recorded.len()).collect();
    order.sort_by_key(|k| (recorded[*k].1, recorded[*k].0));
    let mut starts = vec![0; n + 1];
    let mut rows = Vec::new();
    let mut values: Vec<f64> = Vec::new();
    let mut places = vec![0; recorded.len()];
    let mut last = None;
    for k in order {
        let (i, j, x) = recorded[k];
        if last != Some((i, j)) {
            rows.push(i as u32);
            values.push(0.0);
            starts[j + 1] += 1;
            last = Some((i, j));
        }
        *values.last_mut()? += x;
        places[k] = u32::try_from(values.len() - 1).ok()?;
    }
    for j in 0..n {
        starts[j + 1] += starts[j];
    }
    let pattern = Pattern { starts, rows };
    let mut by_rows = vec![Vec::new(); n];
    for column in 0..n {
        pattern.column(column).iter().for_each(|row| by_rows[*row as usize].push(column as u32));
    }
    let columns = minimum_degree(n, by_rows);
    let factors = Factors::new(n);
    Some(Analysed { pattern, values, places, cursor: 0, columns, factors, refused: false })
}

/// Numbers such as a saddle point of this pattern has: masses that dominate their rows, constraints
/// of order one.
fn typical_values(pattern: &Pattern) -> Vec<f64> {
    let has_diagonal = |column: usize| pattern.column(column).binary_search(&(column as u32)).is_ok();
    let has_mass: Vec<bool> = (0..pattern.n()).map(has_diagonal).collect();
    let mut seed = 1u64;
    let mut noise = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let value = |(column, row): (usize, usize)| match has_mass[row] && has_mass[column] {
        true if row == column => 2.0 + 0.1 * noise(),
        true => 0.1 * noise(),
        false => noise(),
    };
    let entries =
        (0..pattern.n()).flat_map(|column| pattern.column(column).iter().map(move |row| (column, *row as usize)));
    entries.map(value).collect()
}
