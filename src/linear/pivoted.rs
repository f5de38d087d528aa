//! A node and its constraints eliminated as a whole, by LU with partial pivoting: where the pivot
//! block of one of them alone is singular, or nearly so (a body that gets its inertia through its
//! constraints).
//!
//! Factors of the whole are stored apart: its inverse D^-1 by columns; for each neighbour the rows
//! `[G H]` and the columns `D^-1 [E; F]`, unknowns of the constraints before those of the node.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::order::NONE;
use super::pattern::{Neighbour, Pattern, Supernode, WIDEST};
use super::right_hand_sides::RhsEntry;
use super::small::CANCELLED;

/// Most unknowns of a node and its constraints.
const MOST: usize = 2 * WIDEST;

/// Entries with the sums of Schur complements.
struct Entries<'a> {
    values: &'a [f64],
    added: &'a [f64],
}

impl Entries<'_> {
    /// The entry k of a part.
    fn at(&self, first: u32, place: u32, k: usize) -> f64 {
        self.values[first as usize + k] + self.of_added(place, k)
    }

    /// Element k of the sums of Schur complements for a part.
    fn of_added(&self, place: u32, k: usize) -> f64 {
        if place != NONE { self.added[place as usize + k] } else { 0.0 }
    }

    /// The entries of E and G of a neighbour for the unknowns k of the supernode and j of the
    /// neighbour.
    fn coupling(&self, supernode: &Supernode, neighbour: &Neighbour, k: usize, j: usize) -> [f64; 2] {
        let (width, len) = (usize::from(supernode.len), usize::from(neighbour.len));
        [0, width * len].map(|part| self.at(neighbour.values, neighbour.added, part + len * k + j))
    }
}

/// The parts of a whole in the order of its unknowns: constraints, then the node. One of them may
/// be missing.
fn parts<'a>(node: &'a Supernode, constraints: Option<&'a Supernode>) -> impl Iterator<Item = &'a Supernode> + Clone {
    constraints.into_iter().chain([node])
}

/// The whole that begins with a supernode: its parts, and its last supernode, which has the
/// neighbours of the whole.
fn whole_of(pattern: &Pattern, k: usize) -> (&Supernode, Option<&Supernode>, &Supernode) {
    let node = &pattern.supernodes[k];
    let constraints = node.has_constraints.then(|| &pattern.supernodes[k + 1]);
    (node, constraints, constraints.unwrap_or(node))
}

/// Factors of a whole; false if it has no significant pivot by itself.
#[cold]
pub fn eliminate(
    pattern: &Pattern,
    node: &Supernode,
    constraints: Option<&Supernode>,
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
) -> bool {
    let entries = Entries { values, added };
    let last = constraints.unwrap_or(node);
    let m = constraints.map_or(0, |own| usize::from(own.len));
    let n = m + usize::from(node.len);
    // By rows, followed by the columns of the inverse. Sums of the absolute values of the terms of
    // each diagonal entry.
    let mut rows = [[0.0; 2 * MOST]; MOST];
    let mut sizes = [[0.0f64; MOST]; MOST];
    let mut start = 0;
    for part in parts(node, constraints) {
        let len = usize::from(part.len);
        for i in 0..len {
            for j in 0..len {
                rows[start + i][start + j] = entries.at(part.values, part.added, len * j + i);
            }
            sizes[start + i][start + i] = entries.of_added(part.added, len * len + i);
        }
        start += len;
    }
    let coupled = |to: &Supernode| pattern.neighbours_of(node).iter().find(|neighbour| neighbour.start == to.start);
    if let Some((own, neighbour)) = constraints.and_then(|own| Some((own, coupled(own)?))) {
        for i in 0..usize::from(node.len) {
            for k in 0..usize::from(own.len) {
                [rows[m + i][k], rows[k][m + i]] = entries.coupling(node, neighbour, i, k);
            }
        }
    }
    for i in 0..n {
        for j in 0..n {
            sizes[i][j] = sizes[i][j].max(rows[i][j].abs());
        }
        rows[i][n + i] = 1.0;
    }
    for k in 0..n {
        let mut pivot = k;
        for i in k + 1..n {
            if rows[i][k].abs() > rows[pivot][k].abs() {
                pivot = i;
            }
        }
        let significant = rows[pivot][k].abs() > CANCELLED * sizes[pivot][k];
        if !(significant && rows[pivot][k].is_finite()) {
            return false;
        }
        rows.swap(k, pivot);
        sizes.swap(k, pivot);
        let inverse = 1.0 / rows[k][k];
        let (own, own_sizes) = (rows[k], sizes[k]);
        for i in (0..n).filter(|i| *i != k) {
            let factor = rows[i][k] * inverse;
            if factor != 0.0 {
                for j in k..2 * n {
                    rows[i][j] -= factor * own[j];
                }
                for j in k..n {
                    sizes[i][j] = sizes[i][j].max(factor.abs() * own_sizes[j]);
                }
            }
        }
        rows[k][k..2 * n].iter_mut().for_each(|x| *x *= inverse);
    }
    let own = &mut factors[last.whole as usize..][..n * n];
    for j in 0..n {
        for i in 0..n {
            own[n * j + i] = rows[i][n + j];
        }
    }
    for neighbour in pattern.neighbours_of(last) {
        let len = usize::from(neighbour.len);
        let (left, right) = factors[neighbour.whole as usize..][..2 * n * len].split_at_mut(n * len);
        // The node may not be coupled with it.
        let of_node = pattern.neighbours_of(node).binary_search_by_key(&neighbour.atom, |other| other.atom);
        let of_node = of_node.ok().map(|k| &pattern.neighbours_of(node)[k]);
        for j in 0..len {
            let mut column = [0.0; MOST];
            let mut start = 0;
            for part in parts(node, constraints) {
                let coupling = if part.start == last.start { Some(neighbour) } else { of_node };
                for k in 0..usize::from(part.len) {
                    let [e, g] = coupling.map_or([0.0; 2], |coupling| entries.coupling(part, coupling, k, j));
                    (column[start + k], left[len * (start + k) + j]) = (e, g);
                }
                start += usize::from(part.len);
            }
            for i in 0..n {
                right[len * i + j] = (0..n).map(|k| rows[i][n + k] * column[k]).sum();
            }
        }
    }
    true
}

/// The unknowns of a whole, in the order of its factors.
fn unknowns<'a>(node: &'a Supernode, constraints: Option<&'a Supernode>) -> impl Iterator<Item = usize> + Clone + 'a {
    parts(node, constraints).flat_map(|part| part.start as usize..part.start as usize + usize::from(part.len))
}

/// Forward substitution through the whole that begins with a supernode; returns whether it consists
/// of two supernodes.
#[cold]
pub fn forward<T: RhsEntry>(pattern: &Pattern, k: usize, factors: &[f64], b: &mut [T]) -> bool {
    let (node, constraints, last) = whole_of(pattern, k);
    let n = unknowns(node, constraints).count();
    let own = &factors[last.whole as usize..][..n * n];
    let mut x = [T::ZERO; MOST];
    for (unknown, column) in unknowns(node, constraints).zip(own.chunks_exact(n)) {
        let right = b[unknown];
        x.iter_mut().zip(column).for_each(|(x, factor)| *x = x.plus(right.times(*factor)));
    }
    unknowns(node, constraints).zip(&x).for_each(|(unknown, x)| b[unknown] = *x);
    for neighbour in pattern.neighbours_of(last) {
        let len = usize::from(neighbour.len);
        let rows = &factors[neighbour.whole as usize..][..n * len];
        let into = &mut b[neighbour.start as usize..][..len];
        for (row, x) in rows.chunks_exact(len).zip(&x) {
            into.iter_mut().zip(row).for_each(|(into, factor)| *into = into.minus(x.times(*factor)));
        }
    }
    constraints.is_some()
}

/// Backward substitution.
#[cold]
pub fn backward<T: RhsEntry>(pattern: &Pattern, k: usize, factors: &[f64], b: &mut [T]) {
    let (node, constraints, last) = whole_of(pattern, k);
    let n = unknowns(node, constraints).count();
    for neighbour in pattern.neighbours_of(last) {
        let (start, len) = (neighbour.start as usize, usize::from(neighbour.len));
        let columns = factors[neighbour.whole as usize + n * len..][..n * len].chunks_exact(len);
        for (unknown, column) in unknowns(node, constraints).zip(columns) {
            let terms = column.iter().zip(&b[start..start + len]);
            let taken = terms.fold(T::ZERO, |sum, (factor, x)| sum.plus(x.times(*factor)));
            b[unknown] = b[unknown].minus(taken);
        }
    }
}
