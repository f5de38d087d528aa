//! Supernodal LU: the values of a [`Pattern`], and their elimination in its order.
//!
//! A pivot block is inverted without pivoting where that loses few digits. Otherwise a node and its
//! constraints are inverted as a whole, with pivoting among their rows (`pivoted`). If that has no
//! significant pivot either, the elimination stops, and the caller uses a factorisation that pivots
//! among all rows, which alone decides whether a matrix is singular. So the answer never depends on
//! the division of a model into supernodes. Off-diagonal blocks of both triangles are stored.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::Assemble;
use super::chain;
use super::order::NONE;
use super::pattern::{Neighbour, Pattern, Supernode, Update};
use super::pivoted;
use super::right_hand_sides::RhsEntry;
use super::small::{CANCELLED, CONDITION, Columns, condition, inverse, with_size};
use super::solve;
use std::ops::Range;
use std::sync::Arc;

/// The bound [`CONDITION`] for a block to which eliminations have added: the mass that a node
/// carries acts along its constraints and may be much larger than that of the node (10,000 times at
/// the end of a chain of 10,000 bodies), and so is its rounding. Constraints that close loops carry
/// as much in one direction and little in others. Measured on such chains, six digits of sixteen
/// are lost for the worst right-hand side, two and a half for those of steps; pivoting would save
/// half a digit of these at seven times the cost.
const CARRYING: f64 = 1e6;

/// Couplings below this are set to zero: those with a closing constraint of a long chain decrease
/// from node to node and would become subnormal numbers, with which processors are a hundred times
/// slower. Products of two couplings are still normal numbers.
const NEGLIGIBLE: f64 = 1e-150;

/// Ratio of the largest to the smallest of the nodes' masses (or of their moments of inertia) above
/// which solutions are checked: the constraints of a light node that holds heavy ones may lose as
/// many digits.
pub const SPREAD: f64 = 1e4;

/// A matrix with its factors.
#[derive(Clone)]
pub struct BlockLu {
    pattern: Arc<Pattern>,
    values: Vec<f64>,
    /// Sums of Schur complements that are not used yet; zero between factorisations.
    added: Vec<f64>,
    factors: Vec<f64>,
    /// By supernode: whether it was eliminated as a whole, with its constraints.
    whole: Vec<bool>,
    /// By pair of chains: whether they were eliminated together.
    paired: Vec<bool>,
    /// Whether the last factorisation may have lost digits.
    delicate: bool,
    /// The number of the next call.
    cursor: usize,
}

impl Assemble for BlockLu {
    #[inline(always)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        let place = self.pattern.places[self.cursor];
        #[cfg(debug_assertions)]
        {
            let call = self.pattern.calls[self.cursor];
            let same = call.row as usize == row && call.column as usize == column;
            assert!(same && usize::from(call.rows) == R && usize::from(call.columns) == C, "another sequence of calls");
        }
        let _ = (row, column);
        self.cursor += 1;
        let (by_row, by_column) = (usize::from(place.by_row), usize::from(place.by_column));
        let offset = place.offset as usize;
        // Columns of the block are contiguous, or its rows are.
        if (R == 1 || by_row == 1) && (C == 1 || by_column == R) {
            let into = &mut self.values[offset..offset + R * C];
            match place.first {
                true => into.copy_from_slice(block.as_flattened()),
                false => into.iter_mut().zip(block.as_flattened()).for_each(|(into, x)| *into += x),
            }
        } else if by_column == 1 && by_row == C {
            let (into, _) = self.values[offset..offset + R * C].as_chunks_mut::<C>();
            for (i, row) in into.iter_mut().enumerate() {
                for (x, column) in row.iter_mut().zip(block) {
                    *x = if place.first { column[i] } else { *x + column[i] };
                }
            }
        } else {
            let into = &mut self.values[offset..];
            for (j, column) in block.iter().enumerate() {
                for (i, x) in column.iter().enumerate() {
                    let entry = &mut into[i * by_row + j * by_column];
                    *entry = if place.first { *x } else { *entry + x };
                }
            }
        }
    }
}

impl BlockLu {
    /// A zero matrix, ready for its first assembly.
    pub fn new(pattern: Arc<Pattern>) -> BlockLu {
        BlockLu {
            values: vec![0.0; pattern.values],
            added: vec![0.0; pattern.added],
            factors: vec![0.0; pattern.factors],
            whole: vec![false; pattern.supernodes.len()],
            paired: vec![false; pattern.chains.len()],
            delicate: false,
            cursor: 0,
            pattern,
        }
    }

    /// Starts a new assembly.
    pub fn clear(&mut self) {
        for (first, end) in &self.pattern.cleared {
            self.values[*first as usize..*end as usize].fill(0.0);
        }
        self.cursor = 0;
    }

    /// Adds the entries of the next call, by columns.
    pub fn enter(&mut self, entries: &[f64]) {
        let (place, call) = (self.pattern.places[self.cursor], self.pattern.calls[self.cursor]);
        self.cursor += 1;
        for (k, x) in entries.iter().enumerate() {
            let (r, c) = (k % usize::from(call.rows), k / usize::from(call.rows));
            let into = place.offset as usize + r * usize::from(place.by_row) + c * usize::from(place.by_column);
            self.values[into] = if place.first { *x } else { self.values[into] + x };
        }
    }

    /// The symbolic factorisation.
    pub fn pattern(&self) -> &Arc<Pattern> {
        &self.pattern
    }

    /// Entries as they were assembled.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The row of an entry that is not finite, if there is one.
    pub fn not_finite(&self) -> Option<usize> {
        self.pattern.written().find(|(.., k)| !self.values[*k as usize].is_finite()).map(|(row, ..)| row as usize)
    }

    /// Whether supernodes were eliminated as a whole in the last factorisation.
    #[cfg(test)]
    pub fn has_pivoted(&self) -> bool {
        self.whole.contains(&true)
    }

    /// Whether solutions with the last factors should be checked.
    pub fn is_delicate(&self) -> bool {
        self.delicate
    }

    /// Factorises the assembled matrix; false if supernodes have no significant pivots by
    /// themselves.
    pub fn factorize(&mut self) -> bool {
        // Entries that a shorter assembly omits would keep their values of the last one.
        assert_eq!(self.cursor, self.pattern.calls.len(), "an assembly of fewer calls");
        self.delicate = false;
        self.whole.fill(false);
        let mut spread = Spread::NONE;
        let mut start = 0;
        for k in 0..self.paired.len() {
            let BlockLu { pattern, values, added, factors, paired, .. } = self;
            let count = pattern.chains[k] as usize;
            let pair = start..start + 2 * count;
            start = pair.end;
            paired[k] = chain::eliminate(pattern, pair.start, count, values, added, factors);
            if !paired[k] && !self.eliminate_each(pair, &mut spread) {
                return false;
            }
        }
        let rest = start..self.pattern.supernodes.len();
        if !self.eliminate_each(rest, &mut spread) {
            return false;
        }
        self.delicate |= spread.is_large();
        true
    }

    /// Eliminates supernodes one after the other; false if one has no significant pivot by itself.
    #[inline(never)]
    fn eliminate_each(&mut self, mut range: Range<usize>, spread: &mut Spread) -> bool {
        let BlockLu { pattern, values, added, factors, whole, delicate, .. } = self;
        while let Some(k) = range.next() {
            let mut work = Work { pattern, values, added, factors };
            let node = &pattern.supernodes[k];
            let constraints = pattern.supernodes.get(k + 1).filter(|_| node.has_constraints);
            let last = constraints.unwrap_or(node);
            let good = with_size!(node.len, W => work.invert_and_couple::<W>(node))
                && constraints.is_none_or(|own| with_size!(own.len, M => work.invert_constraints::<M>(node, own)));
            if good {
                spread.count_node(node, values);
                work.add_complement(node, Form::Parts);
                if let Some(own) = constraints {
                    work.forget(node);
                    with_size!(own.len, M => work.couple_all::<M>(own));
                    work.add_complement(own, Form::Parts);
                }
            } else {
                (whole[k], *delicate) = (true, true);
                if !pivoted::eliminate(pattern, node, constraints, values, work.added, work.factors) {
                    work.added.fill(0.0);
                    return false;
                }
                if constraints.is_some() {
                    work.forget(node);
                }
                let rows = usize::from(node.len + constraints.map_or(0, |own| own.len));
                work.add_complement(last, Form::Whole(rows));
            }
            work.forget(last);
            if constraints.is_some() {
                range.next();
            }
        }
        true
    }

    /// Solves in place: one right-hand side, or several at once. Not several where chains were
    /// eliminated in pairs.
    fn substitute<T: RhsEntry>(&self, b: &mut [T]) {
        let BlockLu { pattern, factors, whole, .. } = self;
        let start = 2 * pattern.chains.iter().sum::<u32>() as usize;
        let rest = start..pattern.supernodes.len();
        solve::forward(pattern, rest.clone(), whole, factors, b);
        solve::backward(pattern, rest, whole, factors, b);
    }

    /// Solves in place.
    pub fn solve(&self, b: &mut [f64]) {
        let BlockLu { pattern, factors, paired, whole, .. } = self;
        let pairs = || pattern.chains.iter().map(|count| *count as usize).zip(paired);
        let mut start = 0;
        for (count, paired) in pairs() {
            let end = start + 2 * count;
            match *paired {
                true => chain::forward(pattern, start, count, factors, b),
                false => solve::forward(pattern, start..end, whole, factors, b),
            }
            start = end;
        }
        self.substitute(b);
        for (count, paired) in pairs().rev() {
            let end = start;
            start -= 2 * count;
            match *paired {
                true => chain::backward(pattern, start, count, factors, b),
                false => solve::backward(pattern, start..end, whole, factors, b),
            }
        }
    }

    /// Solves several right-hand sides in place: factors are read once. False, with nothing done,
    /// where chains go in pairs.
    pub fn solve_several(&self, b: &mut [impl RhsEntry]) -> bool {
        let can = self.paired.is_empty();
        if can {
            self.substitute(b);
        }
        can
    }
}

/// How a supernode was eliminated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By the inverse of its pivot block.
    Parts,
    /// As a whole by `pivoted`, with this number of rows.
    Whole(usize),
}

/// The arrays of an elimination.
struct Work<'a> {
    pattern: &'a Pattern,
    values: &'a [f64],
    added: &'a mut [f64],
    factors: &'a mut [f64],
}

impl Work<'_> {
    /// The pivot block including Schur complements, and for each row the sum of the absolute values
    /// of the terms of its diagonal entry.
    #[inline(always)]
    fn pivot_block<const W: usize>(&self, supernode: &Supernode) -> (Columns<W, W>, [f64; W]) {
        let mut a: Columns<W, W> = fetch(self.values, supernode.values as usize);
        let mut sizes = [0.0; W];
        (0..W).for_each(|i| sizes[i] = a[i][i].abs());
        if supernode.added != NONE {
            let place = supernode.added as usize;
            let more: Columns<W, W> = fetch(self.added, place);
            for j in 0..W {
                for i in 0..W {
                    a[j][i] += more[j][i];
                }
                sizes[j] += self.added[place + W * W + j];
            }
        }
        (a, sizes)
    }

    /// The inverse of a pivot block, stored among the factors; None if it needs pivoting.
    #[inline(always)]
    fn invert<const W: usize>(
        &mut self,
        supernode: &Supernode,
        (a, sizes): &(Columns<W, W>, [f64; W]),
    ) -> Option<Columns<W, W>> {
        let found = inverse(a);
        let mut good = condition(a, &found) <= if supernode.carries { CARRYING } else { CONDITION };
        for i in 0..W {
            good &= a[i][i].abs() > CANCELLED * sizes[i];
        }
        self.factors[supernode.inverse as usize..][..W * W].copy_from_slice(found.as_flattened());
        good.then_some(found)
    }

    /// The inverse of a pivot block, and the factors of its neighbours; false if it needs pivoting.
    #[inline(always)]
    fn invert_and_couple<const W: usize>(&mut self, supernode: &Supernode) -> bool {
        let block = self.pivot_block::<W>(supernode);
        let Some(inverse) = self.invert(supernode, &block) else { return false };
        self.couple_with(supernode, &inverse);
        true
    }

    /// The inverse of the Schur complement of a node at its constraints; false if that needs
    /// pivoting.
    #[inline(always)]
    fn invert_constraints<const M: usize>(&mut self, node: &Supernode, constraints: &Supernode) -> bool {
        let (mut s, mut sizes) = self.pivot_block::<M>(constraints);
        let own = self.pattern.neighbours_of(node).iter().find(|neighbour| neighbour.start == constraints.start);
        let Some(own) = own else { return false };
        let count = usize::from(node.len) * M;
        let rows = &self.factors[own.rows as usize..][..count];
        let columns = &self.factors[own.columns as usize..][..count];
        subtract::<M, M>(columns, rows, s.as_flattened_mut());
        add_sizes::<M>(rows, columns, &mut sizes);
        self.invert(constraints, &(s, sizes)).is_some()
    }

    /// The factors of all neighbours.
    #[inline(always)]
    fn couple_all<const W: usize>(&mut self, supernode: &Supernode) {
        let inverse = fetch(self.factors, supernode.inverse as usize);
        self.couple_with::<W>(supernode, &inverse);
    }

    #[inline(always)]
    fn couple_with<const W: usize>(&mut self, supernode: &Supernode, inverse: &Columns<W, W>) {
        for neighbour in self.pattern.neighbours_of(supernode) {
            with_size!(neighbour.len, L => self.couple::<W, L>(neighbour, inverse));
        }
    }

    /// The factors of one neighbour: G, and `Z = A^-1 E`.
    fn couple<const W: usize, const L: usize>(&mut self, neighbour: &Neighbour, inverse: &Columns<W, W>) {
        let Neighbour { values, added, rows, columns, .. } = *neighbour;
        let mut e: Columns<L, W> = fetch(self.values, values as usize);
        let mut g: Columns<L, W> = fetch(self.values, values as usize + W * L);
        if added != NONE {
            for (x, more) in [(&mut e, added as usize), (&mut g, added as usize + W * L)] {
                let more: Columns<L, W> = fetch(self.added, more);
                for (x, more) in x.as_flattened_mut().iter_mut().zip(more.as_flattened()) {
                    let sum = *x + more;
                    *x = if sum.abs() < NEGLIGIBLE { 0.0 } else { sum };
                }
            }
        }
        let mut z = [[0.0; L]; W];
        for k in 0..W {
            for i in 0..W {
                for j in 0..L {
                    z[k][j] += inverse[i][k] * e[i][j];
                }
            }
        }
        self.factors[rows as usize..][..W * L].copy_from_slice(g.as_flattened());
        self.factors[columns as usize..][..W * L].copy_from_slice(z.as_flattened());
    }

    /// Adds the Schur complement of a supernode, `-G Z`, to the sums of its neighbours.
    fn add_complement(&mut self, supernode: &Supernode, form: Form) {
        let neighbours = self.pattern.neighbours_of(supernode);
        let mut updates = self.pattern.updates_of(supernode).iter();
        let (factors, width) = (&*self.factors, usize::from(supernode.len));
        let parts = |neighbour: &Neighbour| {
            let len = usize::from(neighbour.len);
            let (rows, columns, count) = match form {
                Form::Parts => (neighbour.rows as usize, neighbour.columns as usize, width * len),
                Form::Whole(count) => (neighbour.whole as usize, neighbour.whole as usize + count * len, count * len),
            };
            (&factors[rows..rows + count], &factors[columns..columns + count])
        };
        for row in neighbours {
            let (g, own_z) = parts(row);
            for column in neighbours {
                let Some(Update { offset, by_rows }) = updates.next().filter(|update| update.offset != NONE) else {
                    continue;
                };
                let (_, z) = parts(column);
                let into = &mut self.added[*offset as usize..];
                let (outer, inner) = if *by_rows { (g, z) } else { (z, g) };
                let (o, i) = if *by_rows { (row.len, column.len) } else { (column.len, row.len) };
                with_size!(o, O => with_size!(i, I => subtract::<O, I>(outer, inner, into)));
                if row.start == column.start {
                    let len = usize::from(row.len);
                    with_size!(row.len, L => add_sizes::<L>(g, own_z, &mut into[len * len..len * len + len]));
                }
            }
        }
    }

    /// Clears the sums of a supernode, which has just been eliminated.
    #[inline(always)]
    fn forget(&mut self, supernode: &Supernode) {
        let width = usize::from(supernode.len);
        let mut clear = |place: u32, count: usize| {
            if place != NONE {
                self.added[place as usize..place as usize + count].fill(0.0);
            }
        };
        clear(supernode.added, width * width + width);
        for neighbour in self.pattern.neighbours_of(supernode) {
            clear(neighbour.added, 2 * width * usize::from(neighbour.len));
        }
    }
}

#[inline(always)]
fn fetch<const R: usize, const C: usize>(numbers: &[f64], first: usize) -> Columns<R, C> {
    let (columns, _) = numbers[first..first + R * C].as_chunks::<R>();
    columns.try_into().expect("C columns of R numbers")
}

/// `into -= sum_k outer_k inner_k^T`, with the I entries of `inner` contiguous.
#[inline(always)]
fn subtract<const O: usize, const I: usize>(outer: &[f64], inner: &[f64], into: &mut [f64]) {
    let (into, _) = into[..O * I].as_chunks_mut::<I>();
    let (outer, _) = outer.as_chunks::<O>();
    let (inner, _) = inner.as_chunks::<I>();
    for (o, into) in into.iter_mut().enumerate() {
        let mut sum = *into;
        for (outer, inner) in outer.iter().zip(inner) {
            for i in 0..I {
                sum[i] -= outer[o] * inner[i];
            }
        }
        *into = sum;
    }
}

/// `sizes += sum_k |left_k right_k|`, by entries.
#[inline(always)]
fn add_sizes<const L: usize>(left: &[f64], right: &[f64], sizes: &mut [f64]) {
    let mut sums = [0.0; L];
    for (left, right) in left.as_chunks::<L>().0.iter().zip(right.as_chunks::<L>().0) {
        for i in 0..L {
            sums[i] += (left[i] * right[i]).abs();
        }
    }
    sizes.iter_mut().zip(sums).for_each(|(size, sum)| *size += sum);
}

/// Least and largest sums of diagonal entries of nodes: translations, rotations.
struct Spread([[f64; 2]; 2]);

impl Spread {
    /// For no nodes.
    const NONE: Spread = Spread([[f64::INFINITY, 0.0]; 2]);

    /// Includes a node by its own entries, without Schur complements, which grow along every long
    /// chain. Nodes of lines, on which no constraint acts, do not count: they are far lighter than
    /// the bodies that they moor.
    #[inline(always)]
    fn count_node(&mut self, node: &Supernode, values: &[f64]) {
        let width = usize::from(node.len);
        let mass = |from: usize| -> f64 {
            (from..from + 3).map(|i| values[node.values as usize + (width + 1) * i].abs()).sum()
        };
        let mut count = |k: usize, size: f64| {
            let [least, largest] = &mut self.0[k];
            *least = least.min(size);
            *largest = largest.max(size);
        };
        if node.is_node && width >= 3 && node.is_tied {
            count(0, mass(0));
        }
        if node.is_node && width == 6 {
            count(1, mass(3));
        }
    }

    /// Whether the ratio is so large that solutions are checked.
    fn is_large(&self) -> bool {
        self.0.iter().any(|[least, largest]| *largest > SPREAD * least)
    }
}
