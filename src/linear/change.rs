//! What the elimination of a block changes of its neighbours.

use super::block::Way;
use super::order::NONE;
use super::plan::{Block, Change, Tie};

/// Takes `[G H] [A B1; B2 C]^-1 [E; F]` from the entries of the neighbours. What was added to the block itself is used by then, and
/// set to zero.
pub fn change(block: &Block, ties: &[Tie], changes: &[Change], way: Way, added: &mut [f64], factors: &[f64]) {
    let (w, m) = (usize::from(block.node.1), usize::from(block.constraints.1));
    let whole = way == Way::Whole;
    let mut changes = changes.iter();
    for row in ties {
        for column in ties {
            let Some(to) = changes.next() else { return };
            // Rows of the node come after those of the constraints, and are zero where one is not coupled with the node.
            let count = if whole || (row.node && column.node) { w + m } else { m };
            let part = |tie: &Tie, second: usize| {
                let len = usize::from(tie.len);
                let first = match (whole, second) {
                    (true, _) => tie.whole as usize + second * (w + m) * len,
                    (false, 0) => tie.factors as usize,
                    (false, _) => tie.back as usize,
                };
                &factors[first..first + count * len]
            };
            let (left, right) = (part(row, 0), part(column, 1));
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
            }
        }
    }
    forget(block, ties, added);
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
