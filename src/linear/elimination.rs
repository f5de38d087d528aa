//! Block elimination: LU by blocks in the order of a [`Plan`], with kernels of fixed sizes.
//!
//! A block has its node with matrix A and its constraints with `[A B1; B2 C]`. It is eliminated by `A^-1` and the inverse of
//! `S = C - B2 A^-1 B1`, without pivoting, where both are well conditioned; else all of it is inverted by LU with partial
//! pivoting (a body that gets its inertia through its constraints). Where that has no significant pivot either, the
//! elimination gives up, and the caller takes a factorisation that pivots among all rows: only that says what is singular.
//! So the answer never depends on how a model is cut into blocks. Both off-diagonal sides are kept.
//! Duff, Erisman, Reid, Direct Methods for Sparse Matrices (2017), chapters 11 and 12.

use super::Assemble;
use super::block::{Spread, Way, eliminate};
use super::change::change;
use super::pivoted;
use super::plan::{Plan, Tie};
use super::right_hand_sides::Rhs4;
use super::small::copy_each;
use super::substitution::{backward_by, backward_four, forward_by, forward_four};
use super::triples;
use super::twins;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

/// A matrix with its factors.
#[derive(Clone)]
pub struct Elimination {
    plan: Arc<Plan>,
    values: Vec<f64>,
    /// What eliminations have added to values that are not used yet; zero between factorisations.
    added: Vec<f64>,
    factors: Vec<f64>,
    /// How each block was eliminated.
    ways: Vec<Way>,
    /// By pair of chains: whether they were eliminated together.
    paired: Vec<bool>,
    /// Whether the last factorisation may have lost digits.
    delicate: bool,
    /// Whether there are blocks for the kernels of `triples`, which solve one right-hand side.
    has_triples: bool,
    /// Whether it can solve with the last factors.
    takes_four: bool,
    cursor: usize,
    spread: Spread,
}

impl Assemble for Elimination {
    #[inline(always)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        let place = self.plan.places[self.cursor];
        #[cfg(debug_assertions)]
        {
            let call = self.plan.calls[self.cursor];
            let same = call.row as usize == row && call.column as usize == column;
            assert!(same && usize::from(call.rows) == R && usize::from(call.columns) == C, "another sequence of calls");
        }
        let _ = (row, column);
        self.cursor += 1;
        let (by_row, by_column) = (usize::from(place.by_row), usize::from(place.by_column));
        let offset = place.offset as usize;
        // Entries that follow each other in both.
        if (R == 1 || by_row == 1) && (C == 1 || by_column == R) {
            let into = &mut self.values[offset..offset + R * C];
            if place.first {
                copy_columns(into, block);
            } else {
                into.iter_mut().zip(block.as_flattened()).for_each(|(into, x)| *into += x);
            }
            return;
        }
        // The same with rows in place of columns.
        if by_column == 1 && by_row == C {
            let (into, _) = self.values[offset..offset + R * C].as_chunks_mut::<C>();
            for (i, row) in into.iter_mut().enumerate() {
                for (x, column) in row.iter_mut().zip(block) {
                    *x = if place.first { column[i] } else { *x + column[i] };
                }
            }
            return;
        }
        let into = &mut self.values[offset..];
        for (j, column) in block.iter().enumerate() {
            for (i, x) in column.iter().enumerate() {
                let entry = &mut into[i * by_row + j * by_column];
                *entry = if place.first { *x } else { *entry + x };
            }
        }
    }
}

/// Copies a block of up to six rows and columns.
#[inline(always)]
fn copy_columns<const R: usize, const C: usize>(into: &mut [f64], block: &[[f64; R]; C]) {
    let (into, _) = into.as_chunks_mut::<R>();
    macro_rules! copy {
        ($($column:literal)*) => {
            $(if $column < C {
                copy_each!(into[$column], block[$column], R);
            })*
        };
    }
    copy!(0 1 2 3 4 5);
}

/// Calls a kernel with the sizes of a block's node and constraints.
macro_rules! of_sizes {
    ($block:expr, $call:ident ( $($argument:expr),* )) => {
        match $block.sizes() {
            (6, 0) => $call::<6, 0>($($argument),*),
            (6, 1) => $call::<6, 1>($($argument),*),
            (6, 2) => $call::<6, 2>($($argument),*),
            (6, 3) => $call::<6, 3>($($argument),*),
            (6, 4) => $call::<6, 4>($($argument),*),
            (6, 5) => $call::<6, 5>($($argument),*),
            (6, _) => $call::<6, 6>($($argument),*),
            (3, 0) => $call::<3, 0>($($argument),*),
            (3, 1) => $call::<3, 1>($($argument),*),
            (3, 2) => $call::<3, 2>($($argument),*),
            (3, _) => $call::<3, 3>($($argument),*),
            (_, 1) => $call::<0, 1>($($argument),*),
            (_, 2) => $call::<0, 2>($($argument),*),
            (_, 3) => $call::<0, 3>($($argument),*),
            (_, 4) => $call::<0, 4>($($argument),*),
            (_, 5) => $call::<0, 5>($($argument),*),
            (_, _) => $call::<0, 6>($($argument),*),
        }
    };
}

impl Elimination {
    /// A zero matrix, ready for its first assembly.
    pub fn new(plan: Arc<Plan>) -> Elimination {
        Elimination {
            values: vec![0.0; plan.values],
            added: vec![0.0; plan.added],
            factors: vec![0.0; plan.factors],
            ways: vec![Way::Parts; plan.blocks.len()],
            paired: vec![false; plan.twins.len()],
            delicate: false,
            has_triples: plan.blocks.iter().any(|block| block.triple),
            takes_four: false,
            cursor: 0,
            spread: Spread::NONE,
            plan,
        }
    }

    /// Starts a new assembly.
    pub fn clear(&mut self) {
        for (first, end) in &self.plan.cleared {
            self.values[*first as usize..*end as usize].fill(0.0);
        }
        self.cursor = 0;
    }

    /// Adds the entries of the next call, by columns.
    pub fn enter(&mut self, entries: &[f64]) {
        let (place, call) = (self.plan.places[self.cursor], self.plan.calls[self.cursor]);
        self.cursor += 1;
        for (k, x) in entries.iter().enumerate() {
            let (r, c) = (k % usize::from(call.rows), k / usize::from(call.rows));
            let into = place.offset as usize + r * usize::from(place.by_row) + c * usize::from(place.by_column);
            self.values[into] = if place.first { *x } else { self.values[into] + x };
        }
    }

    /// What follows from the graph.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Entries as they were assembled.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The row of an entry that is not finite, if there is one.
    pub fn not_finite(&self) -> Option<usize> {
        self.plan.written().find(|(.., k)| !self.values[*k as usize].is_finite()).map(|(row, ..)| row as usize)
    }

    /// Number of blocks that were eliminated in one way.
    #[cfg(test)]
    pub fn count(&self, way: Way) -> usize {
        self.ways.iter().filter(|own| **own == way).count()
    }

    /// Factorises what was assembled; false where a block has no significant pivot by itself.
    pub fn factorize(&mut self) -> bool {
        // What a shorter assembly left out would be taken for what stood there last.
        assert_eq!(self.cursor, self.plan.calls.len(), "an assembly of fewer calls");
        (self.delicate, self.spread) = (false, Spread::NONE);
        let mut start = 0;
        for k in 0..self.paired.len() {
            let Elimination { plan, values, added, factors, ways, paired, .. } = self;
            let count = plan.twins[k] as usize;
            let range = start..start + 2 * count;
            start = range.end;
            paired[k] = twins::eliminate(plan, range.start, count, values, added, factors);
            if paired[k] {
                ways[range].fill(Way::Parts);
            } else if !self.eliminate_each(range) {
                return false;
            }
        }
        if !self.eliminate_each(start..self.ways.len()) {
            return false;
        }
        self.delicate |= self.spread.is_large();
        self.takes_four = !self.has_triples && !self.ways.contains(&Way::Whole);
        true
    }

    /// Eliminates blocks one after the other; false where one has no significant pivot by itself.
    #[inline(never)]
    fn eliminate_each(&mut self, range: Range<usize>) -> bool {
        let Elimination { plan, values, added, factors, ways, delicate, spread, .. } = self;
        for (block, way) in plan.blocks[range.clone()].iter().zip(&mut ways[range]) {
            let (ties, changes) = (plan.ties_of(block), plan.changes_of(block));
            *way = Way::Parts;
            if block.triple && triples::eliminate(block, ties, changes, values, added, factors) {
                continue;
            }
            if !of_sizes!(block, eliminate(block, ties, values, added, factors, spread)) {
                (*way, *delicate) = (Way::Whole, true);
                if !pivoted::eliminate(block, ties, values, added, factors) {
                    added.fill(0.0);
                    return false;
                }
            }
            change(block, ties, changes, *way, added, factors);
        }
        true
    }

    /// Whether solutions with the last factors should be checked.
    pub fn is_delicate(&self) -> bool {
        self.delicate
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let Elimination { plan, factors, paired, .. } = self;
        let pairs = || plan.twins.iter().map(|count| *count as usize).zip(paired);
        let mut start = 0;
        for (count, paired) in pairs() {
            match *paired {
                true => twins::forward(plan, start, count, factors, b),
                false => self.forward_each(start..start + 2 * count, b),
            }
            start += 2 * count;
        }
        self.forward_each(start..plan.blocks.len(), b);
        self.backward_each(start..plan.blocks.len(), b);
        for (count, paired) in pairs().rev() {
            start -= 2 * count;
            match *paired {
                true => twins::backward(plan, start, count, factors, b),
                false => self.backward_each(start..start + 2 * count, b),
            }
        }
    }

    /// Solves four right-hand sides in place: factors are read once. False, with nothing done, where there are nodes of lines or
    /// points like them, or blocks that needed pivoting. Free bodies and bodies on spherical joints and hinges have kernels of their
    /// own: such for all sizes would make the library larger by a twentieth.
    pub fn solve_four(&self, b: &mut [Rhs4]) -> bool {
        if !self.takes_four {
            return false;
        }
        let Elimination { plan, factors, .. } = self;
        for range in self.parts(0..plan.blocks.len()) {
            match plan.blocks[range.start].sizes() {
                (6, 0) => forward_by::<6, 0>(plan, range, factors, b),
                (6, 3) => forward_by::<6, 3>(plan, range, factors, b),
                (6, 5) => forward_by::<6, 5>(plan, range, factors, b),
                _ => plan.blocks[range].iter().for_each(|block| forward_four(block, plan.ties_of(block), factors, b)),
            }
        }
        for range in self.parts_back(0..plan.blocks.len()) {
            match plan.blocks[range.start].sizes() {
                (6, 0) => backward_by::<6, 0>(plan, range, factors, b),
                (6, 3) => backward_by::<6, 3>(plan, range, factors, b),
                (6, 5) => backward_by::<6, 5>(plan, range, factors, b),
                _ => {
                    let blocks = plan.blocks[range].iter().rev();
                    blocks.for_each(|block| backward_four(block, plan.ties_of(block), factors, b));
                }
            }
        }
        true
    }

    /// Parts of a range of blocks, each for one kernel: blocks that are alike.
    fn parts(&self, mut range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        iter::from_fn(move || {
            let start = range.next()?;
            range.start += range.clone().take_while(|k| self.are_alike(start, *k)).count();
            Some(start..range.start)
        })
    }

    /// The same from the last one on.
    fn parts_back(&self, mut range: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
        iter::from_fn(move || {
            let last = range.next_back()?;
            range.end -= range.clone().rev().take_while(|k| self.are_alike(last, *k)).count();
            Some(range.end..last + 1)
        })
    }

    /// Whether one kernel goes through both blocks in one call.
    #[inline(always)]
    fn are_alike(&self, k: usize, l: usize) -> bool {
        let [a, b] = [k, l].map(|k| (&self.plan.blocks[k], self.ways[k]));
        a.1 == b.1 && a.1 != Way::Whole && a.0.sizes() == b.0.sizes() && !a.0.triple && !b.0.triple
    }

    #[inline(never)]
    fn forward_each(&self, range: Range<usize>, b: &mut [f64]) {
        let Elimination { plan, factors, ways, .. } = self;
        for range in self.parts(range) {
            let block = &plan.blocks[range.start];
            let ties = plan.ties_of(block);
            match ways[range.start] {
                Way::Whole => pivoted::forward(block, ties, factors, b),
                Way::Parts if block.triple => triples::forward(block, ties, factors, b),
                Way::Parts => of_sizes!(block, forward_by(plan, range, factors, b)),
            }
        }
    }

    #[inline(never)]
    fn backward_each(&self, range: Range<usize>, b: &mut [f64]) {
        let Elimination { plan, factors, ways, .. } = self;
        for range in self.parts_back(range) {
            let block = &plan.blocks[range.start];
            let ties = plan.ties_of(block);
            match ways[range.start] {
                Way::Whole => pivoted::backward(block, ties, factors, b),
                Way::Parts if block.triple => triples::backward(block, ties, factors, b),
                Way::Parts => of_sizes!(block, backward_by(plan, range, factors, b)),
            }
        }
    }
}

impl Tie {
    /// Number of rows of its factors, and of columns: those of the node where it is coupled.
    #[inline(always)]
    pub fn rows(&self, w: usize, m: usize) -> usize {
        if self.node { w + m } else { m }
    }
}
