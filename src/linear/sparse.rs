//! Sparse LU with partial pivoting (faer), for more unknowns than the dense path serves.
//!
//! The first assembly records the sequence of entries; it is turned into a compressed pattern with, for each entry of
//! the sequence, its place. Later assemblies follow the places without a search.

use super::{Assemble, Singular};
use faer::Par;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::PartialPivLuParams;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::lu::{LuRef, LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMat};
use faer::{Conj, Spec};

/// A sparse square matrix with its factors.
#[derive(Clone)]
pub struct Sparse {
    n: usize,
    /// Entries of the first assembly, until the pattern is known.
    recorded: Vec<(usize, usize, f64)>,
    analysed: Option<Analysed>,
}

/// What follows from the pattern.
struct Analysed {
    pattern: SymbolicSparseColMat<usize>,
    values: Vec<f64>,
    /// Place in `values` of each entry of the assembly sequence.
    places: Vec<u32>,
    cursor: usize,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    memory: MemBuffer,
}

impl Clone for Analysed {
    fn clone(&self) -> Analysed {
        Analysed {
            pattern: self.pattern.clone(),
            values: self.values.clone(),
            places: self.places.clone(),
            cursor: self.cursor,
            symbolic: self.symbolic.clone(),
            numeric: self.numeric.clone(),
            memory: scratch(&self.symbolic),
        }
    }
}

/// Working memory of factorisation and solution.
fn scratch(symbolic: &SymbolicLu<usize>) -> MemBuffer {
    let parameters = Spec::<PartialPivLuParams, f64>::default();
    MemBuffer::new(
        symbolic
            .factorize_numeric_lu_scratch::<f64>(Par::Seq, parameters)
            .or(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq)),
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

    /// Factorises what was assembled; the first call analyses the pattern.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        let unknown = Singular { column: None };
        if self.analysed.is_none() {
            self.analysed = Some(analyse(self.n, &self.recorded).ok_or(unknown)?);
            self.recorded = Vec::new();
        }
        let a = self.analysed.as_mut().ok_or(unknown)?;
        // faer's pivot search takes finite numbers for granted.
        if !a.values.iter().all(|x| x.is_finite()) {
            return Err(unknown);
        }
        a.symbolic
            .factorize_numeric_lu(
                &mut a.numeric,
                SparseColMatRef::new(a.pattern.as_ref(), &a.values),
                Par::Seq,
                MemStack::new(&mut a.memory),
                Spec::default(),
            )
            .map(|_| ())
            .map_err(|_| unknown)?;
        // faer divides by a zero pivot; the solution of any right-hand side shows it.
        let mut probe = std::mem::take(&mut a.values);
        let (start, _) = probe.split_at_mut(self.n);
        start.fill(1.0);
        solve(a, start);
        let finite = start.iter().all(|x| x.is_finite());
        a.values = probe;
        if finite { Ok(()) } else { Err(unknown) }
    }

    /// Solves in place.
    pub fn solve(&mut self, b: &mut [f64]) {
        if let Some(a) = &mut self.analysed {
            solve(a, b);
        }
    }
}

fn solve(a: &mut Analysed, b: &mut [f64]) {
    let n = b.len();
    LuRef::new_unchecked(&a.symbolic, &a.numeric).solve_in_place_with_conj(
        Conj::No,
        faer::MatMut::from_column_major_slice_mut(b, n, 1),
        Par::Seq,
        MemStack::new(&mut a.memory),
    );
}

/// Pattern, places and symbolic factorisation from the recorded entries; None when memory is short.
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
    let parameters = LuSymbolicParams {
        supernodal_flop_ratio_threshold: SupernodalThreshold::FORCE_SIMPLICIAL,
        ..Default::default()
    };
    let symbolic = factorize_symbolic_lu(pattern.as_ref(), parameters).ok()?;
    let memory = scratch(&symbolic);
    Some(Analysed { pattern, values, places, cursor: 0, symbolic, numeric: NumericLu::new(), memory })
}
