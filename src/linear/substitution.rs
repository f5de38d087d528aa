//! Solutions with the factors of blocks: forward through the order of elimination, and back.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::plan::{Block, Plan, Tie};
use super::right_hand_sides::{Rhs4, RhsEntry};
use super::small::{column, dot, dot_of, first, put, times_these};
use std::ops::Range;

/// Forward through blocks of these sizes.
#[inline(always)]
pub fn forward_by<const W: usize, const M: usize>(
    plan: &Plan,
    range: Range<usize>,
    factors: &[f64],
    b: &mut [impl RhsEntry],
) {
    for block in &plan.blocks[range] {
        forward::<W, M, _>(block, plan.ties_of(block), factors, b);
    }
}

/// Back through them.
#[inline(always)]
pub fn backward_by<const W: usize, const M: usize>(
    plan: &Plan,
    range: Range<usize>,
    factors: &[f64],
    b: &mut [impl RhsEntry],
) {
    for block in plan.blocks[range].iter().rev() {
        backward::<W, M, _>(block, plan.ties_of(block), factors, b);
    }
}

/// `y = A^-1 r_x`, `l = S^-1 (r_l - B2 y)`, and what they leave of the neighbours' right-hand sides.
#[inline(always)]
fn forward<const W: usize, const M: usize, T: RhsEntry>(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
    let own = block.factors as usize;
    let own = &factors[own..own + W * W + W * M + M * M];
    let (node, rest) = own.split_at(W * W);
    let (left, schur) = rest.split_at(W * M);
    let at = |start: u32| start as usize;
    let mut y = [T::ZERO; W];
    if W > 0 {
        let x = &mut b[at(block.node.0)..];
        let right: [T; W] = first(x);
        y = times_these(node, &right);
        put(x, &y);
    }
    let mut l = [T::ZERO; M];
    if M > 0 {
        let x = &mut b[at(block.constraints.0)..];
        l = first(x);
        for k in 0..M {
            let row: &[f64; W] = column(left, k);
            l[k] = l[k].minus(dot(row, &y));
        }
        l = times_these(schur, &l);
        put(x, &l);
    }
    for tie in ties {
        let len = usize::from(tie.len);
        let rows = &factors[at(tie.factors)..at(tie.factors) + tie.rows(W, M) * len];
        let into = &mut b[at(tie.start)..at(tie.start) + len];
        // Nearly all are bodies: a comparison that is foreseen, in place of a table.
        if len == 6 {
            leave::<W, M, 6, T>(tie, rows, &y, &l, into);
            continue;
        }
        match len {
            5 => leave::<W, M, 5, T>(tie, rows, &y, &l, into),
            3 => leave::<W, M, 3, T>(tie, rows, &y, &l, into),
            2 => leave::<W, M, 2, T>(tie, rows, &y, &l, into),
            _ => leave_any(rows, &y, &l, into),
        }
    }
}

/// Takes from a neighbour's right-hand side what rows leave of it.
#[inline(always)]
fn leave<const W: usize, const M: usize, const L: usize, T: RhsEntry>(
    tie: &Tie,
    rows: &[f64],
    y: &[T; W],
    l: &[T; M],
    into: &mut [T],
) {
    let (rows, _) = rows.as_chunks::<L>();
    let mut sum: [T; L] = first(into);
    for k in 0..M {
        for i in 0..L {
            sum[i] = sum[i].minus(l[k].times(rows[k][i]));
        }
    }
    if tie.node {
        for k in 0..W {
            for i in 0..L {
                sum[i] = sum[i].minus(y[k].times(rows[M + k][i]));
            }
        }
    }
    put(into, &sum);
}

/// The same, however many unknowns the neighbour has.
#[inline(always)]
fn leave_any<T: RhsEntry>(rows: &[f64], y: &[T], l: &[T], into: &mut [T]) {
    for (row, x) in rows.chunks_exact(into.len()).zip(l.iter().chain(y)) {
        into.iter_mut().zip(row).for_each(|(into, factor)| *into = into.minus(x.times(*factor)));
    }
}

/// `l -= P x_b`, `x = y - A^-1 E x_b - A^-1 B1 l`.
#[inline(always)]
fn backward<const W: usize, const M: usize, T: RhsEntry>(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
    let at = |start: u32| start as usize;
    let (mut y, mut l) = ([T::ZERO; W], [T::ZERO; M]);
    for tie in ties {
        let len = usize::from(tie.len);
        let columns = &factors[at(tie.back)..at(tie.back) + tie.rows(W, M) * len];
        let from = &b[at(tie.start)..at(tie.start) + len];
        // Nearly all are bodies: a comparison that is foreseen, in place of a table.
        if len == 6 {
            take::<W, M, 6, T>(tie, columns, from, &mut y, &mut l);
            continue;
        }
        match len {
            5 => take::<W, M, 5, T>(tie, columns, from, &mut y, &mut l),
            3 => take::<W, M, 3, T>(tie, columns, from, &mut y, &mut l),
            2 => take::<W, M, 2, T>(tie, columns, from, &mut y, &mut l),
            _ => take_any(columns, from, &mut y, &mut l),
        }
    }
    if M > 0 {
        let x = &mut b[at(block.constraints.0)..];
        let right: [T; M] = first(x);
        for k in 0..M {
            l[k] = right[k].minus(l[k]);
        }
        put(x, &l);
    }
    if W > 0 {
        let of_constraints: [T; W] = times_these(&factors[at(block.back)..], &l);
        let x = &mut b[at(block.node.0)..];
        let mut right: [T; W] = first(x);
        for i in 0..W {
            right[i] = right[i].minus(y[i].plus(of_constraints[i]));
        }
        put(x, &right);
    }
}

#[inline(always)]
fn take<const W: usize, const M: usize, const L: usize, T: RhsEntry>(
    tie: &Tie,
    columns: &[f64],
    from: &[T],
    y: &mut [T; W],
    l: &mut [T; M],
) {
    let (columns, _) = columns.as_chunks::<L>();
    let x: [T; L] = first(from);
    for k in 0..M {
        l[k] = l[k].plus(dot(&columns[k], &x));
    }
    if tie.node {
        for k in 0..W {
            y[k] = y[k].plus(dot(&columns[M + k], &x));
        }
    }
}

/// The same, however many unknowns the neighbour has.
#[inline(always)]
fn take_any<T: RhsEntry>(columns: &[f64], from: &[T], y: &mut [T], l: &mut [T]) {
    for (column, x) in columns.chunks_exact(from.len()).zip(l.iter_mut().chain(y)) {
        *x = x.plus(dot_of(column, from));
    }
}

/// Largest size of a node, and of its constraints.
const MOST_OF_BLOCK: usize = 6;

/// Rhs4 right-hand sides forward through a block of any sizes, with the bits that each has by itself: for what no kernel is compiled
/// for, what closes loops above all.
#[inline(never)]
pub fn forward_four(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [Rhs4]) {
    let (w, m) = (usize::from(block.node.1), usize::from(block.constraints.1));
    let own = &factors[block.factors as usize..];
    let (mut y, mut l, mut rest) =
        ([Rhs4::ZERO; MOST_OF_BLOCK], [Rhs4::ZERO; MOST_OF_BLOCK], [Rhs4::ZERO; MOST_OF_BLOCK]);
    let x = &mut b[block.node.0 as usize..][..w];
    add_product(own, x, &mut y[..w]);
    x.copy_from_slice(&y[..w]);
    let x = &mut b[block.constraints.0 as usize..][..m];
    for k in 0..m {
        rest[k] = x[k].minus(dot_of(&own[w * w + w * k..][..w], &y[..w]));
    }
    add_product(&own[w * w + w * m..], &rest[..m], &mut l[..m]);
    x.copy_from_slice(&l[..m]);
    for tie in ties {
        let (start, len) = (tie.start as usize, usize::from(tie.len));
        let into = &mut b[start..start + len];
        leave_any(&factors[tie.factors as usize..][..tie.rows(w, m) * len], &y[..w], &l[..m], into);
    }
}

/// Back through such a block.
#[inline(never)]
pub fn backward_four(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [Rhs4]) {
    let (w, m) = (usize::from(block.node.1), usize::from(block.constraints.1));
    let (mut y, mut l) = ([Rhs4::ZERO; MOST_OF_BLOCK], [Rhs4::ZERO; MOST_OF_BLOCK]);
    for tie in ties {
        let (start, len) = (tie.start as usize, usize::from(tie.len));
        let from = &b[start..start + len];
        take_any(&factors[tie.back as usize..][..tie.rows(w, m) * len], from, &mut y[..w], &mut l[..m]);
    }
    for (l, x) in l.iter_mut().zip(&mut b[block.constraints.0 as usize..][..m]) {
        *l = x.minus(*l);
        *x = *l;
    }
    let mut of_constraints = [Rhs4::ZERO; MOST_OF_BLOCK];
    add_product(&factors[block.back as usize..], &l[..m], &mut of_constraints[..w]);
    for ((x, y), given) in b[block.node.0 as usize..][..w].iter_mut().zip(y).zip(of_constraints) {
        *x = x.minus(y.plus(given));
    }
}

/// `into += A x`, A by columns.
#[inline(always)]
fn add_product(a: &[f64], x: &[Rhs4], into: &mut [Rhs4]) {
    for (column, x) in a.chunks_exact(into.len().max(1)).zip(x) {
        into.iter_mut().zip(column).for_each(|(into, a)| *into = into.plus(x.times(*a)));
    }
}
