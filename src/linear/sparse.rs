//! Sparse LU with partial pivoting (faer), for more unknowns than the dense path serves.
//!
//! The first assembly records the sequence of entries; it is turned into a compressed pattern with, for each entry of
//! the sequence, its place. Later assemblies follow the places without a search.

use super::{Assemble, ROUNDING, Singular};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::sparse::linalg::lu::simplicial::{
    SimplicialLu, factorize_simplicial_numeric_lu, factorize_simplicial_numeric_lu_scratch, solve_in_place_scratch,
};
use faer::sparse::linalg::{LuError, amd, colamd};
use faer::sparse::{FaerError, SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, MatMut, Par};

/// A pivot below this part of the largest entry of its column of U may be what rounding left of it.
const SUSPECT: f64 = 1e-8;

/// A sparse square matrix with its factors.
#[derive(Clone)]
pub struct Sparse {
    n: usize,
    /// Entries of the first assembly, until the pattern is known.
    recorded: Vec<(usize, usize, f64)>,
    analysed: Option<Analysed>,
}

/// What follows from the pattern. Only faer's simplicial factorisation is used: the supernodal one brings 3 MB of
/// dense kernels, which blocks of six unknowns do not need.
struct Analysed {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    /// Place in `values` of each entry of the assembly sequence.
    places: Vec<u32>,
    cursor: usize,
    columns: Permutation,
    rows: Permutation,
    factors: SimplicialLu<usize, f64>,
    /// Sums of the sizes of the terms of pivots that are looked at closely; below zero for the others.
    terms: Vec<f64>,
    /// COLAMD's order, where that of the bodies is used.
    naming: Option<Permutation>,
    /// Whether the last factorisation was refused memory: other pivots may make more fill than all before.
    refused: bool,
    memory: MemBuffer,
}

/// A permutation and its inverse.
#[derive(Clone)]
struct Permutation {
    forward: Vec<usize>,
    inverse: Vec<usize>,
}

impl Permutation {
    fn new(n: usize) -> Permutation {
        Permutation { forward: vec![0; n], inverse: vec![0; n] }
    }

    fn as_ref(&self) -> PermRef<'_, usize> {
        PermRef::new_checked(&self.forward, &self.inverse, self.forward.len())
    }
}

impl Clone for Analysed {
    fn clone(&self) -> Analysed {
        Analysed {
            pattern: self.pattern.clone(),
            values: self.values.clone(),
            places: self.places.clone(),
            cursor: self.cursor,
            columns: self.columns.clone(),
            rows: self.rows.clone(),
            factors: self.factors.clone(),
            terms: self.terms.clone(),
            naming: self.naming.clone(),
            refused: self.refused,
            memory: scratch(self.columns.forward.len()),
        }
    }
}

/// Working memory of factorisation and solution.
fn scratch(n: usize) -> MemBuffer {
    MemBuffer::new(
        factorize_simplicial_numeric_lu_scratch::<usize, f64>(n, n).or(solve_in_place_scratch::<usize, f64>(
            n,
            1,
            Par::Seq,
        )),
    )
}

impl Assemble for Sparse {
    #[inline(always)]
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

    /// Factorises what was assembled; the first call analyses the pattern and chooses an order.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        let unknown = Singular { column: None };
        self.analyse().ok_or(unknown)?;
        let a = self.analysed.as_mut().ok_or(unknown)?;
        a.factorize().map_err(|singular| a.named(singular))
    }

    /// Pattern and order from the first assembly, unless that is done; None when memory is short.
    fn analyse(&mut self) -> Option<()> {
        if self.analysed.is_none() {
            let mut a = analyse(self.n, &self.recorded)?;
            self.recorded = Vec::new();
            a.choose_order();
            self.analysed = Some(a);
        }
        Some(())
    }

    /// Operations of one factorisation, counted on typical numbers of the pattern; None where that is singular by itself.
    pub fn operations(&mut self) -> Option<f64> {
        self.analyse()?;
        let a = self.analysed.as_mut()?;
        let values = std::mem::replace(&mut a.values, typical_values(&a.pattern));
        let regular = a.factorize().is_ok();
        a.values = values;
        regular.then(|| a.operations())
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
        a.pattern.row_idx().iter().zip(&a.values).find(|(_, x)| !x.is_finite()).map(|(row, _)| *row)
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        if let Some(a) = &mut self.analysed {
            let right = MatMut::from_column_major_slice_mut(b, self.n, 1);
            let memory = MemStack::new(&mut a.memory);
            a.factors.solve_in_place_with_conj(a.rows.as_ref(), a.columns.as_ref(), Conj::No, right, Par::Seq, memory);
        }
    }
}

impl Analysed {
    /// Takes the order of the bodies in place of COLAMD's where it makes less than half of the fill, as on trees. (On chains both
    /// make about the same, and COLAMD's takes two thirds of the time.) The choice is made on numbers that follow from the pattern alone, so that it is the same for every object
    /// of a model, whatever the state of its first assembly.
    fn choose_order(&mut self) {
        let Some(bodies) = bodies_first(&self.pattern) else { return };
        let numbers = typical_values(&self.pattern);
        let values = std::mem::replace(&mut self.values, numbers);
        let colamd = std::mem::replace(&mut self.columns, bodies);
        // A pattern that is singular by itself leaves COLAMD's.
        let fill = self.factorize().is_ok().then(|| self.fill());
        let other = std::mem::replace(&mut self.columns, colamd);
        if fill.is_some_and(|fill| self.factorize().is_err() || self.fill() > 2 * fill) {
            self.naming = Some(std::mem::replace(&mut self.columns, other));
        }
        self.values = values;
    }

    /// The column without pivot as COLAMD's order finds it: which one of a singular matrix is told depends on the order.
    fn named(&mut self, singular: Singular) -> Singular {
        let Some(colamd) = self.naming.take_if(|_| !self.refused) else { return singular };
        let own = std::mem::replace(&mut self.columns, colamd);
        let named = self.factorize().err().unwrap_or(singular);
        self.naming = Some(std::mem::replace(&mut self.columns, own));
        named
    }

    /// Factorises the values.
    fn factorize(&mut self) -> Result<(), Singular> {
        let unknown = Singular { column: None };
        self.refused = false;
        if !self.values.iter().all(|x| x.is_finite()) {
            return Err(unknown);
        }
        let Permutation { forward, inverse } = &mut self.rows;
        let memory = MemStack::new(&mut self.memory);
        let matrix = SparseColMatRef::new(self.pattern.as_ref(), &self.values);
        let columns = self.columns.as_ref();
        let done = factorize_simplicial_numeric_lu(forward, inverse, &mut self.factors, matrix, columns, memory);
        self.refused = matches!(done, Err(LuError::Generic(FaerError::OutOfMemory)));
        done.map_err(|_| unknown)?;
        match self.column_without_pivot() {
            Some(column) => Err(Singular { column: Some(column) }),
            None => Ok(()),
        }
    }

    /// Entries of both factors.
    fn fill(&self) -> usize {
        self.factors.l_factor_unsorted().compute_nnz() + self.factors.u_factor_unsorted().compute_nnz()
    }

    /// Products of the last factorisation: each column of L goes into as many columns as U has entries in its row.
    fn operations(&self) -> f64 {
        let (l, u) = (self.factors.l_factor_unsorted(), self.factors.u_factor_unsorted());
        let mut rows = vec![0.0; self.terms.len()];
        for column in 0..rows.len() {
            u.row_idx_of_col_raw(column).iter().for_each(|row| rows[*row] += 1.0);
        }
        rows.iter().enumerate().map(|(k, row)| 2.0 * row * l.val_of_col(k).len() as f64).sum()
    }

    /// A column whose pivot is zero, not finite, or no more than rounding of the terms that it is the sum of,
    /// `a_jj = sum_k l_jk u_kj`: faer goes on past such.
    fn column_without_pivot(&mut self) -> Option<usize> {
        let (l, u) = (self.factors.l_factor_unsorted(), self.factors.u_factor_unsorted());
        let n = self.terms.len();
        let mut suspects = 0;
        for j in 0..n {
            // The pivot is the last entry of each column of U.
            let column = u.val_of_col(j);
            let pivot = column.last().map_or(0.0, |x| x.abs());
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Some(self.columns.forward[j]);
            }
            let largest = column.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            let suspect = pivot <= SUSPECT * largest;
            self.terms[j] = if suspect { pivot } else { -1.0 };
            suspects += usize::from(suspect);
        }
        if suspects == 0 {
            return None;
        }
        for k in 0..n {
            for (j, l) in l.row_idx_of_col_raw(k).iter().zip(l.val_of_col(k)).filter(|(j, _)| **j > k) {
                if self.terms[*j] >= 0.0 {
                    let place = u.row_idx_of_col_raw(*j).iter().position(|row| *row == k);
                    self.terms[*j] += place.map_or(0.0, |place| (l * u.val_of_col(*j)[place]).abs());
                }
            }
        }
        let pivot = |j: usize| u.val_of_col(j).last().map_or(0.0, |x| x.abs());
        (0..n).find(|j| pivot(*j) <= ROUNDING * self.terms[*j]).map(|j| self.columns.forward[j])
    }
}

/// Pattern, places and COLAMD's fill-reducing order from the recorded entries; None when memory is short.
fn analyse(n: usize, recorded: &[(usize, usize, f64)]) -> Option<Analysed> {
    let mut order: Vec<usize> = (0..recorded.len()).collect();
    order.sort_by_key(|k| (recorded[*k].1, recorded[*k].0));
    let mut column_starts = vec![0; n + 1];
    let mut rows = Vec::new();
    let mut values: Vec<f64> = Vec::new();
    let mut places = vec![0; recorded.len()];
    let mut last = None;
    for k in order {
        let (i, j, x) = recorded[k];
        if last != Some((i, j)) {
            rows.push(i);
            values.push(0.0);
            column_starts[j + 1] += 1;
            last = Some((i, j));
        }
        *values.last_mut()? += x;
        places[k] = u32::try_from(values.len() - 1).ok()?;
    }
    for j in 0..n {
        column_starts[j + 1] += column_starts[j];
    }
    let pattern = SymbolicSparseColMat::new_checked(n, n, column_starts, None, rows);
    let mut columns = Permutation::new(n);
    let mut memory = MemBuffer::try_new(colamd::order_scratch::<usize>(n, n, values.len())).ok()?;
    let control = colamd::Control::default();
    let Permutation { forward, inverse } = &mut columns;
    colamd::order(forward, inverse, pattern.as_ref(), control, MemStack::new(&mut memory)).ok()?;
    let (rows, factors, memory) = (Permutation::new(n), SimplicialLu::new(), scratch(n));
    Some(Analysed {
        pattern,
        values,
        places,
        cursor: 0,
        columns,
        rows,
        factors,
        terms: vec![0.0; n],
        naming: None,
        refused: false,
        memory,
    })
}

/// Numbers such as a saddle point of this pattern has: masses that dominate their rows, constraints of order one.
fn typical_values(pattern: &SymbolicSparseColMat<usize>) -> Vec<f64> {
    let columns = || (0..pattern.ncols()).map(|column| (column, pattern.row_idx_of_col_raw(column)));
    let has_mass: Vec<bool> = columns().map(|(column, rows)| rows.contains(&column)).collect();
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
    columns().flat_map(|(column, rows)| rows.iter().map(move |row| (column, *row))).map(value).collect()
}

/// An order for saddle points, from the graph of the bodies: AMD on that of the unknowns that have an entry on the diagonal,
/// where a constraint ties all unknowns that it acts on; each constraint comes right after the first body it ties. On trees
/// it goes from the leaves to the root, where COLAMD, which does not know the constraints, makes several times the fill. None
/// where there are no constraints, or memory is short.
fn bodies_first(pattern: &SymbolicSparseColMat<usize>) -> Option<Permutation> {
    let n = pattern.ncols();
    let rows = |column: usize| pattern.row_idx_of_col_raw(column);
    let tied: Vec<bool> = (0..n).map(|column| rows(column).contains(&column)).collect();
    let mut unknown_of = vec![usize::MAX; n];
    let unknowns: Vec<usize> = (0..n).filter(|column| tied[*column]).collect();
    unknowns.iter().enumerate().for_each(|(k, column)| unknown_of[*column] = k);
    if unknowns.len() == n {
        return None;
    }
    // Which unknowns a column ties: itself, its rows, and those of its constraints.
    let (mut starts, mut entries) = (vec![0], Vec::new());
    for column in &unknowns {
        let start = entries.len();
        let of_column = |column: usize| rows(column).iter().filter(|row| tied[**row]).map(|row| unknown_of[*row]);
        entries.extend(of_column(*column));
        rows(*column).iter().filter(|row| !tied[**row]).for_each(|constraint| entries.extend(of_column(*constraint)));
        entries[start..].sort_unstable();
        let mut kept = start;
        for k in start..entries.len() {
            if k == start || entries[k] != entries[kept - 1] {
                entries[kept] = entries[k];
                kept += 1;
            }
        }
        entries.truncate(kept);
        starts.push(kept);
    }
    let count = unknowns.len();
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(count, entries.len())).ok()?;
    let graph = SymbolicSparseColMat::new_checked(count, count, starts, None, entries);
    let Permutation { mut forward, mut inverse } = Permutation::new(count);
    let control = amd::Control::default();
    amd::order(&mut forward, &mut inverse, graph.as_ref(), control, MemStack::new(&mut memory)).ok()?;
    // Constraints follow the last unknown of the first body: unknowns of one body come one after the other.
    let mut after: Vec<(usize, usize)> = (0..n)
        .map(|column| {
            if tied[column] {
                return (2 * inverse[unknown_of[column]], column);
            }
            let mut places: Vec<usize> =
                rows(column).iter().filter(|row| tied[**row]).map(|row| inverse[unknown_of[*row]]).collect();
            places.sort_unstable();
            let run = places.windows(2).take_while(|pair| pair[1] == pair[0] + 1).count().min(5);
            (places.get(run).map_or(2 * count, |place| 2 * place + 1), column)
        })
        .collect();
    after.sort_unstable();
    let mut order = Permutation::new(n);
    for (place, (_, column)) in after.into_iter().enumerate() {
        (order.forward[place], order.inverse[column]) = (column, place);
    }
    Some(order)
}
