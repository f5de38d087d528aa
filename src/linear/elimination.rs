//! Block elimination: LU by blocks in the order of a [`Plan`], with kernels of fixed sizes.
//!
//! A block has its node with matrix A and its constraints with `[A B1; B2 C]`. It is eliminated by `A^-1` and the inverse of
//! `S = C - B2 A^-1 B1`, without pivoting, where both are well conditioned; else all of it is inverted by LU with partial
//! pivoting (a body that gets its inertia through its constraints). Where that has no significant pivot either, the
//! elimination gives up, and the caller takes a factorisation that pivots among all rows: only that says what is singular.
//! So the answer never depends on how a model is cut into blocks. Both off-diagonal sides are kept.
//! Duff, Erisman, Reid, Direct Methods for Sparse Matrices (2017), chapters 11 and 12.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::Assemble;
use super::change::Spreading;
use super::couple::{Inverses, couple};
use super::order::NONE;
use super::pivoted;
use super::plan::{Block, Change, Plan, Tie};
use super::processor::{self, Work};
use super::several::Four;
use super::significance::{CANCELLED, CONDITION};
use super::small::{Columns, condition, copy_each, fetch_sum, inverse, product, store, transposed};
use super::substitution::{backward_by, backward_four, forward_by, forward_four, has_twin};
use super::triples;
use super::twins;
use std::ops::Range;
use std::sync::Arc;

/// What [`CONDITION`] is of a block on which others hang: what it carries acts along the constraints, by as much as it is heavier than the
/// node itself (10,000 times at the end of a chain of 10,000 bodies), and its rounding acts there too. Measured on such
/// chains, six digits of sixteen are lost in the worst right-hand side, two and a half in those of steps; pivoting keeps
/// half a digit of that, at seven times the cost.
const CARRYING: f64 = 1e6;

/// Ratio of the largest to the smallest of the nodes' masses (or of their moments of inertia) from which solutions are
/// checked: as many digits as it has may be lost in the constraints of a light node that holds heavy ones.
pub const SPREAD: f64 = 1e4;

/// Least and largest sums of diagonal entries of nodes: translations, rotations.
#[derive(Clone, Copy)]
struct Spread([[f64; 2]; 2]);

impl Spread {
    const NONE: Spread = Spread([[f64::INFINITY, 0.0]; 2]);

    #[inline(always)]
    fn count(&mut self, k: usize, size: f64) {
        let [least, largest] = &mut self.0[k];
        *least = least.min(size);
        *largest = largest.max(size);
    }

    fn is_large(&self) -> bool {
        self.0.iter().any(|[least, largest]| *largest > SPREAD * least)
    }
}

/// A matrix with its factors.
#[derive(Clone)]
pub struct Elimination {
    plan: Arc<Plan>,
    values: Vec<f64>,
    /// What eliminations have added to values that are not used yet; zero between factorisations.
    added: Vec<f64>,
    factors: Vec<f64>,
    /// By unknown: sizes of the terms that were added to its diagonal entry.
    terms: Vec<f64>,
    /// By block: whether it is inverted as a whole.
    whole: Vec<bool>,
    /// By pair of chains: whether they were eliminated together.
    paired: Vec<bool>,
    /// Whether the last factorisation may have lost digits.
    delicate: bool,
    /// Whether there are blocks for the kernels of `triples`, which solve one right-hand side.
    has_triples: bool,
    /// Whether it can solve with the last factors.
    takes_four: bool,
    cursor: usize,
    progress: Progress,
}

/// How far a factorisation has come.
#[derive(Clone, Copy)]
struct Progress {
    /// Blocks that are eliminated.
    blocks: usize,
    /// Pauses of the assembly, and lists of entries cleared after them.
    pauses: usize,
    cleared: usize,
    /// Whether a block had no significant pivot by itself: the elimination has ended there.
    failed: bool,
    spread: Spread,
}

impl Progress {
    const NONE: Progress = Progress { blocks: 0, pauses: 0, cleared: 0, failed: false, spread: Spread::NONE };
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
        match ($block.node.1, $block.constraints.1) {
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
        let unknowns = plan.blocks.iter().map(|block| usize::from(block.node.1 + block.constraints.1)).sum();
        Elimination {
            values: vec![0.0; plan.values],
            added: vec![0.0; plan.added],
            factors: vec![0.0; plan.factors],
            terms: vec![0.0; unknowns],
            whole: vec![false; plan.blocks.len()],
            paired: vec![false; plan.twins.len()],
            delicate: false,
            has_triples: plan.blocks.iter().any(|block| block.triple),
            takes_four: false,
            cursor: 0,
            progress: Progress::NONE,
            plan,
        }
    }

    /// Starts a new assembly.
    pub fn clear(&mut self) {
        if self.plan.stages.is_some() && self.progress.blocks < self.whole.len() {
            // An assembly was given up on the way.
            self.values.fill(0.0);
            self.added.fill(0.0);
            self.terms.fill(0.0);
        }
        for (first, end) in &self.plan.cleared {
            self.values[*first as usize..*end as usize].fill(0.0);
        }
        self.cursor = 0;
        self.restart();
    }

    fn restart(&mut self) {
        self.progress = Progress::NONE;
        self.delicate = false;
    }

    /// Bytes that it takes, roughly.
    pub fn memory(&self) -> usize {
        let numbers = self.values.len() + self.added.len() + self.factors.len() + self.terms.len();
        numbers * size_of::<f64>() + self.plan.memory()
    }

    /// Whether entries leave their places to others during the assembly.
    pub fn is_staged(&self) -> bool {
        self.plan.stages.is_some()
    }

    /// Eliminates what is complete in a pause of the assembly.
    pub fn pause(&mut self) {
        let Some(stages) = &self.plan.stages else { return };
        let pause = self.progress.pauses;
        match stages.pauses.get(pause) {
            Some(calls) if *calls as usize == self.cursor => {
                let end = stages.ends[pause] as usize;
                self.progress.pauses += 1;
                self.eliminate_to(end);
            }
            // Another sequence of calls.
            _ => self.progress.failed = true,
        }
    }

    /// Eliminates blocks up to one, unless one before had no pivot.
    fn eliminate_to(&mut self, end: usize) {
        let blocks = self.progress.blocks;
        if self.progress.failed || blocks == end {
            return;
        }
        if !self.eliminate_each(blocks..end) {
            self.progress.failed = true;
            return;
        }
        let Elimination { plan, values, progress, .. } = self;
        progress.blocks = end;
        let cleared = plan.stages.as_ref().map_or(&[][..], |stages| &stages.cleared[progress.cleared..]);
        for [_, first, end] in cleared.iter().take_while(|[block, ..]| (*block as usize) < end) {
            values[*first as usize..*end as usize].fill(0.0);
            progress.cleared += 1;
        }
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

    /// Number of blocks that needed pivoting.
    #[cfg(test)]
    pub fn pivoted(&self) -> usize {
        self.whole.iter().filter(|whole| **whole).count()
    }

    /// Factorises what was assembled, or what is left of it; false where a block has no significant pivot by itself.
    pub fn factorize(&mut self) -> bool {
        // What a shorter assembly left out would be taken for what stood there last.
        assert_eq!(self.cursor, self.plan.calls.len(), "an assembly of fewer calls");
        if !self.is_staged() {
            self.restart();
        }
        for k in 0..self.paired.len() {
            let Elimination { plan, values, added, factors, terms, whole, paired, progress, .. } = self;
            if progress.failed {
                return false;
            }
            let count = plan.twins[k] as usize;
            let (start, end) = (progress.blocks, progress.blocks + 2 * count);
            paired[k] = twins::eliminate(plan, start, count, values, added, factors, terms);
            if paired[k] {
                whole[start..end].fill(false);
                progress.blocks = end;
            } else {
                self.eliminate_to(end);
            }
        }
        self.eliminate_to(self.whole.len());
        if self.progress.failed {
            return false;
        }
        self.delicate |= self.progress.spread.is_large();
        self.takes_four = !self.has_triples && !self.whole.contains(&true);
        true
    }

    /// Eliminates blocks one after the other; false where one has no significant pivot by itself.
    #[inline(never)]
    fn eliminate_each(&mut self, range: Range<usize>) -> bool {
        let Elimination { plan, values, added, factors, terms, whole, delicate, progress, .. } = self;
        let spread = &mut progress.spread;
        for (block, whole) in plan.blocks[range.clone()].iter().zip(&mut whole[range]) {
            let (ties, changes) = (plan.ties_of(block), plan.changes_of(block));
            if block.triple && triples::eliminate(block, ties, changes, values, added, factors, terms) {
                *whole = false;
                continue;
            }
            *whole = !of_sizes!(block, eliminate(block, ties, values, added, factors, terms, spread));
            *delicate |= *whole;
            if *whole && !pivoted::eliminate(block, ties, values, added, factors, terms) {
                added.fill(0.0);
                terms.fill(0.0);
                return false;
            }
            processor::run(Spreading { block, ties, changes, whole: *whole, added, factors, terms });
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
    pub fn solve_four(&self, b: &mut [Four]) -> bool {
        if !self.takes_four {
            return false;
        }
        let Elimination { plan, factors, .. } = self;
        for block in &plan.blocks {
            let ties = plan.ties_of(block);
            match (block.node.1, block.constraints.1) {
                (6, 0) => forward_by::<6, 0>(block, ties, factors, b),
                (6, 3) => forward_by::<6, 3>(block, ties, factors, b),
                (6, 5) => forward_by::<6, 5>(block, ties, factors, b),
                _ => forward_four(block, ties, factors, b),
            }
        }
        for block in plan.blocks.iter().rev() {
            let ties = plan.ties_of(block);
            match (block.node.1, block.constraints.1) {
                (6, 0) => backward_by::<6, 0>(block, ties, factors, b),
                (6, 3) => backward_by::<6, 3>(block, ties, factors, b),
                (6, 5) => backward_by::<6, 5>(block, ties, factors, b),
                _ => backward_four(block, ties, factors, b),
            }
        }
        true
    }

    #[inline(never)]
    fn forward_each(&self, range: Range<usize>, b: &mut [f64]) {
        let Elimination { plan, factors, whole, .. } = self;
        for (block, whole) in plan.blocks[range.clone()].iter().zip(&whole[range]) {
            let ties = plan.ties_of(block);
            if *whole {
                pivoted::forward(block, ties, factors, b);
            } else if block.triple {
                triples::forward(block, ties, factors, b);
            } else {
                of_sizes!(block, forward_by(block, ties, factors, b));
            }
        }
    }

    #[inline(never)]
    fn backward_each(&self, range: Range<usize>, b: &mut [f64]) {
        let Elimination { plan, factors, whole, .. } = self;
        for (block, whole) in plan.blocks[range.clone()].iter().zip(&whole[range]).rev() {
            let ties = plan.ties_of(block);
            if *whole {
                pivoted::backward(block, ties, factors, b);
            } else if block.triple {
                triples::backward(block, ties, factors, b);
            } else {
                of_sizes!(block, backward_by(block, ties, factors, b));
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

    /// Where E and G of rotations stand among the values, in a block of `m` constraints.
    #[inline(always)]
    pub fn turns(&self, m: usize) -> usize {
        self.values as usize + 2 * m * usize::from(self.len)
    }

    /// Where G of rotations stands among the factors, and `A^-1 E`.
    #[inline(always)]
    pub fn turns_of_factors(&self, m: usize) -> [usize; 2] {
        [self.factors, self.back].map(|place| place as usize + m * usize::from(self.len))
    }
}

impl Plan {
    #[inline(always)]
    fn ties_of(&self, block: &Block) -> &[Tie] {
        &self.ties[block.ties.0 as usize..block.ties.1 as usize]
    }

    #[inline(always)]
    fn changes_of(&self, block: &Block) -> &[Change] {
        let count = (block.ties.1 - block.ties.0) as usize;
        &self.changes[block.changes as usize..block.changes as usize + count * count]
    }
}

/// The factors of a block of sizes W and M, where it needs no pivoting.
struct Eliminate<'a, const W: usize, const M: usize> {
    block: &'a Block,
    ties: &'a [Tie],
    values: &'a [f64],
    added: &'a [f64],
    factors: &'a mut [f64],
    terms: &'a [f64],
    spread: &'a mut Spread,
}

impl<const W: usize, const M: usize> Work for Eliminate<'_, W, M> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Eliminate { block, ties, values, added, factors, terms, spread } = self;
        let first = block.values as usize;
        let a: Columns<W, W> = fetch_sum(values, first, added, block.added[0], 0);
        let b1: Columns<W, M> = fetch_sum(values, first + W * W, added, block.added[1], 0);
        let left: Columns<W, M> = fetch_sum(values, first + W * W + W * M, added, block.added[1], W * M);
        let mut s: Columns<M, M> = fetch_sum(values, first + W * W + 2 * W * M, added, block.added[2], 0);

        let node = inverse(&a);
        let most = if block.added[0] != NONE { CARRYING } else { CONDITION };
        let mut good = condition(&a, &node) <= most;
        if block.added[0] != NONE {
            let terms = &terms[block.node.0 as usize..block.node.0 as usize + W];
            for i in 0..W {
                good &= a[i][i].abs() > CANCELLED * terms[i];
            }
        }
        let right = product(&node, &b1);
        let left_rows = transposed(&left);
        let mut sizes = [0.0; M];
        for k in 0..M {
            sizes[k] = s[k][k].abs();
            for i in 0..W {
                sizes[k] += (left[k][i] * right[k][i]).abs();
            }
            for i in 0..W {
                for l in 0..M {
                    s[k][l] -= left_rows[i][l] * right[k][i];
                }
            }
        }
        let schur = inverse(&s);
        good &= condition(&s, &schur) <= most;
        if M > 0 {
            let terms = &terms[block.constraints.0 as usize..block.constraints.0 as usize + M];
            for k in 0..M {
                good &= s[k][k].abs() > CANCELLED * (sizes[k] + terms[k]);
            }
        }
        if !good {
            return false;
        }
        // Of the nodes themselves, without what hangs on them: that grows along every long chain. Nodes of lines, which no
        // constraint holds, do not count: they are far lighter than what they moor.
        let mass = |from: usize| (from..from + 3).map(|i| values[first + W * i + i].abs()).sum();
        if W >= 3 && block.counted {
            spread.count(0, mass(0));
        }
        if W == 6 {
            spread.count(1, mass(3));
        }
        let own = &mut factors[block.factors as usize..];
        store(own, &node, W);
        store(&mut own[W * W..], &left, W);
        store(&mut own[W * W + W * M..], &schur, M);
        store(&mut factors[block.back as usize..], &right, W);
        let inverses = Inverses { node, right, left, schur };
        for tie in ties {
            // Else all numbers that some kind of neighbour multiplies by are spread over registers, and to memory from there, before the
            // first neighbour is looked at: that took a tenth of an elimination.
            let inverses = std::hint::black_box(&inverses);
            match tie.len {
                6 => couple::<W, M, 6>(inverses, tie, 6, values, added, factors),
                5 => couple::<W, M, 5>(inverses, tie, 5, values, added, factors),
                3 => couple::<W, M, 3>(inverses, tie, 3, values, added, factors),
                2 => couple::<W, M, 2>(inverses, tie, 2, values, added, factors),
                len => couple::<W, M, 6>(inverses, tie, len.into(), values, added, factors),
            }
        }
        true
    }
}

/// Factors of a block that needs no pivoting; false where it does.
#[inline(always)]
fn eliminate<const W: usize, const M: usize>(
    block: &Block,
    ties: &[Tie],
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
    terms: &[f64],
    spread: &mut Spread,
) -> bool {
    let work = Eliminate::<W, M> { block, ties, values, added, factors, terms, spread };
    if const { has_twin(W, M) } { processor::run(work) } else { processor::run_anywhere(work) }
}
