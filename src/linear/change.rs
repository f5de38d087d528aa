//! What the elimination of a block changes of its neighbours.

use super::block::Way;
use super::joined::COLUMNS;
use super::order::NONE;
use super::plan::{Block, Change, Tie};
use super::processor::Work;

/// The block whose elimination changes its neighbours. What was added to itself is used then, and set to zero.
pub struct Spreading<'a> {
    /// It, what it is coupled with, and where its changes go.
    pub block: &'a Block,
    pub ties: &'a [Tie],
    pub changes: &'a [Change],
    /// How it was eliminated.
    pub way: Way,
    pub added: &'a mut [f64],
    pub factors: &'a [f64],
    /// Where `joined` has left columns.
    pub columns: &'a [f64],
}

impl Work for Spreading<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Spreading { block, ties, changes, way, added, factors, columns } = self;
        change(block, ties, changes, way, added, factors, columns);
        forget(block, ties, added);
    }
}

/// Takes `[G H] [A B1; B2 C]^-1 [E; F]` from the entries of the neighbours.
#[inline(always)]
fn change(
    block: &Block,
    ties: &[Tie],
    changes: &[Change],
    way: Way,
    added: &mut [f64],
    factors: &[f64],
    columns: &[f64],
) {
    let (w, m) = (usize::from(block.node.1), usize::from(block.constraints.1));
    let whole = way == Way::Whole;
    let mut changes = changes.iter();
    for row in ties {
        for (number, column) in ties.iter().enumerate() {
            let Some(to) = changes.next() else { return };
            // Rows of the node come after those of the constraints, and are zero where one is not coupled with the node.
            let has_node = match way {
                Way::Parts => row.node && column.node,
                // Columns are those of solutions for the whole block.
                Way::Joined => row.node,
                Way::Whole => true,
            };
            let count = if has_node { w + m } else { m };
            let part = |tie: &Tie, second: usize| {
                let len = usize::from(tie.len);
                let first = match (whole, second) {
                    (true, _) => tie.whole as usize + second * (w + m) * len,
                    (false, 0) => tie.factors as usize,
                    (false, _) => tie.back as usize,
                };
                &factors[first..first + count * len]
            };
            let left = part(row, 0);
            let right = match way {
                Way::Joined => &columns[number * COLUMNS..][..count * usize::from(column.len)],
                _ => part(column, 1),
            };
            let into = &mut added[to.offset as usize..];
            let (outer, inner) = if to.by_rows { (left, right) } else { (right, left) };
            let (o, i) = if to.by_rows { (row.len, column.len) } else { (column.len, row.len) };
            match (o, i) {
                (6, 6) => subtract::<6, 6>(outer, inner, into),
                (5, 5) => subtract::<5, 5>(outer, inner, into),
                (5, 6) => subtract::<5, 6>(outer, inner, into),
                (6, 5) => subtract::<6, 5>(outer, inner, into),
                (3, 3) => subtract::<3, 3>(outer, inner, into),
                (3, 6) => subtract::<3, 6>(outer, inner, into),
                (6, 3) => subtract::<6, 3>(outer, inner, into),
                (1, 1) => subtract::<1, 1>(outer, inner, into),
                (1, 6) => subtract::<1, 6>(outer, inner, into),
                (6, 1) => subtract::<6, 1>(outer, inner, into),
                (2, 2) => subtract::<2, 2>(outer, inner, into),
                (2, 5) => subtract::<2, 5>(outer, inner, into),
                (5, 2) => subtract::<5, 2>(outer, inner, into),
                (2, 6) => subtract::<2, 6>(outer, inner, into),
                (6, 2) => subtract::<6, 2>(outer, inner, into),
                _ => subtract_any(o.into(), i.into(), outer, inner, into),
            }
            let turned = !whole && (row.turns || column.turns);
            if turned {
                change_turns(m, row, column, to.by_rows, factors, into);
            }
            if row.start == column.start {
                let len = usize::from(row.len);
                let sizes = &mut into[len * len..][..len];
                match len {
                    6 => add_sizes::<6>(left, right, sizes),
                    5 => add_sizes::<5>(left, right, sizes),
                    3 => add_sizes::<3>(left, right, sizes),
                    2 => add_sizes::<2>(left, right, sizes),
                    1 => add_sizes::<1>(left, right, sizes),
                    _ => add_sizes_any(left, right, sizes),
                }
                if turned {
                    // Rows of A^-1 E for translations of the block come before those for rotations.
                    let [g, z] = row.turns_of_factors(m);
                    add_sizes::<3>(&factors[g..g + 9], &factors[z + 9..z + 18], &mut sizes[3..]);
                }
            }
        }
    }
}

/// Takes `G A^-1 E` where a neighbour is coupled by rotations alone, with the block's own; the other one may be coupled as a whole.
#[inline(always)]
fn change_turns(m: usize, row: &Tie, column: &Tie, by_rows: bool, factors: &[f64], into: &mut [f64]) {
    if row.turns && column.turns {
        let ([g, _], [_, z]) = (row.turns_of_factors(m), column.turns_of_factors(m));
        let (g, z) = (&factors[g..g + 9], &factors[z + 9..z + 18]);
        let (outer, inner) = if by_rows { (g, z) } else { (z, g) };
        for o in 0..3 {
            let into = &mut into[6 * (3 + o) + 3..][..3];
            for i in 0..3 {
                into[i] -= outer[o] * inner[i] + outer[3 + o] * inner[3 + i] + outer[6 + o] * inner[6 + i];
            }
        }
    } else if row.node || column.node {
        change_some_turns(m, row, column, by_rows, factors, into);
    }
}

/// Where the rotations of a body are coupled with those of the block, and the other neighbour with all of it.
#[inline(never)]
fn change_some_turns(m: usize, row: &Tie, column: &Tie, by_rows: bool, factors: &[f64], into: &mut [f64]) {
    let (rows, columns) = (usize::from(row.len), usize::from(column.len));
    // Entries for the unknown k of the block's node, and the unknown of the neighbour that the first is of.
    let part = |tie: &Tie, second: usize, k: usize| {
        let len = usize::from(tie.len);
        let (first, count, from) = match (tie.turns, second) {
            (true, 0) => (tie.turns_of_factors(m)[0] + 3 * (k - 3), 3, 3),
            (true, _) => (tie.turns_of_factors(m)[1] + 3 * k, 3, 3),
            (false, _) => ([tie.factors, tie.back][second] as usize + (m + k) * len, len, 0),
        };
        (&factors[first..first + count], from)
    };
    // G has rows for rotations of the block alone, A^-1 E for all of it.
    for k in if row.turns { 3..6 } else { 0..6 } {
        let ((g, i), (z, j)) = (part(row, 0, k), part(column, 1, k));
        for (i, g) in (i..).zip(g) {
            for (j, z) in (j..).zip(z) {
                into[if by_rows { columns * i + j } else { rows * j + i }] -= g * z;
            }
        }
    }
}

/// `into -= sum_k outer_k inner_k^T`, I entries of `inner` beside each other.
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

fn subtract_any(o: usize, i: usize, outer: &[f64], inner: &[f64], into: &mut [f64]) {
    for (outer, inner) in outer.chunks_exact(o).zip(inner.chunks_exact(i)) {
        for (x, into) in outer.iter().zip(into.chunks_exact_mut(i)) {
            into.iter_mut().zip(inner).for_each(|(into, y)| *into -= x * y);
        }
    }
}

/// `sizes += sum_k |left_k right_k|`, by entries.
#[inline(always)]
fn add_sizes<const L: usize>(left: &[f64], right: &[f64], sizes: &mut [f64]) {
    let mut sum = [0.0; L];
    sum.copy_from_slice(sizes);
    for (left, right) in left.as_chunks::<L>().0.iter().zip(right.as_chunks::<L>().0) {
        for i in 0..L {
            sum[i] += (left[i] * right[i]).abs();
        }
    }
    sizes.copy_from_slice(&sum);
}

fn add_sizes_any(left: &[f64], right: &[f64], sizes: &mut [f64]) {
    for (left, right) in left.chunks_exact(sizes.len()).zip(right.chunks_exact(sizes.len())) {
        for ((sum, x), y) in sizes.iter_mut().zip(left).zip(right) {
            *sum += (x * y).abs();
        }
    }
}

/// Sets to zero what was added to a block, which is eliminated now.
#[inline(always)]
fn forget(block: &Block, ties: &[Tie], added: &mut [f64]) {
    let (w, m) = (usize::from(block.node.1), usize::from(block.constraints.1));
    let mut clear = |place: u32, len: usize| {
        if place != NONE {
            added[place as usize..place as usize + len].fill(0.0);
        }
    };
    // With sizes of terms.
    for (place, len) in block.added.into_iter().zip([w * w + w, 2 * w * m, m * m + m]) {
        clear(place, len);
    }
    for tie in ties {
        let len = usize::from(tie.len);
        clear(tie.added[0], 2 * w * len);
        clear(tie.added[1], 2 * m * len);
    }
}
