//! Blocks of three unknowns without constraints, all neighbours of three too: nodes of lines and chains of points. Their
//! elimination is Thomas' algorithm by blocks (Golub, Van Loan, Matrix Computations, 2013, section 4.5.1): what the kernels of
//! other blocks do, in one pass, without a way through memory between its parts.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::inverse::inverse;
use super::order::NONE;
use super::plan::{Block, Change, MOST_OF_TRIPLE as MOST, Tie};
use super::significance::{CANCELLED, CONDITION, drop_negligible};
use super::small::{Columns, condition, fetch, fetch_sum, times};

const IDENTITY: Columns<3, 3> = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Factors of a block, and what it changes of its neighbours; false, with nothing changed, where it needs pivoting.
#[inline(always)]
pub fn eliminate(
    block: &Block,
    ties: &[Tie],
    changes: &[Change],
    values: &[f64],
    added: &mut [f64],
    factors: &mut [f64],
) -> bool {
    match ties.len() {
        0 => eliminate_with::<0>(block, ties, changes, values, added, factors),
        1 => eliminate_with::<1>(block, ties, changes, values, added, factors),
        2 => eliminate_with::<2>(block, ties, changes, values, added, factors),
        3 => eliminate_with::<3>(block, ties, changes, values, added, factors),
        _ => eliminate_with::<MOST>(block, ties, changes, values, added, factors),
    }
}

#[inline(always)]
fn eliminate_with<const T: usize>(
    block: &Block,
    ties: &[Tie],
    changes: &[Change],
    values: &[f64],
    added: &mut [f64],
    factors: &mut [f64],
) -> bool {
    let a: Columns<3, 3> = fetch_sum(values, block.values as usize, added, block.added[0], 0);
    if T == 0 && a == IDENTITY && block.added[0] == NONE {
        // What does not move: the ends of lines, fixed points.
        write(factors, block.factors as usize, &a);
        return true;
    }
    let node = inverse(&a);
    let mut good = condition(&a, &node) <= CONDITION;
    if block.added[0] != NONE {
        let sizes = &added[block.added[0] as usize + 9..][..3];
        for i in 0..3 {
            good &= a[i][i].abs() > CANCELLED * sizes[i];
        }
    }
    if !good {
        return false;
    }
    if block.added[0] != NONE {
        forget::<12>(added, block.added[0]);
    }
    write(factors, block.factors as usize, &node);
    // By unknown of this block: G^T, A^-1 E.
    let (mut rows, mut columns) = ([[[0.0; 3]; 3]; T], [[[0.0; 3]; 3]; T]);
    for (k, tie) in ties.iter().enumerate().take(T) {
        let first = tie.values as usize;
        let mut e: Columns<3, 3> = fetch_sum(values, first, added, tie.added[0], 0);
        let mut g: Columns<3, 3> = fetch_sum(values, first + 9, added, tie.added[0], 9);
        if tie.added[0] != NONE {
            drop_negligible(&mut e);
            drop_negligible(&mut g);
            forget::<18>(added, tie.added[0]);
        }
        for j in 0..3 {
            let x = times(&node, &e[j]);
            for i in 0..3 {
                columns[k][i][j] = x[i];
                rows[k][i][j] = g[j][i];
            }
        }
        write(factors, tie.factors as usize, &rows[k]);
        write(factors, tie.factors as usize + 9, &columns[k]);
    }
    for r in 0..T {
        for c in 0..T {
            let to = &changes[T * r + c];
            let (outer, inner) = if to.by_rows { (&rows[r], &columns[c]) } else { (&columns[c], &rows[r]) };
            let into = &mut added[to.offset as usize..to.offset as usize + 9];
            for o in 0..3 {
                for i in 0..3 {
                    into[3 * o + i] -=
                        outer[0][o] * inner[0][i] + outer[1][o] * inner[1][i] + outer[2][o] * inner[2][i];
                }
            }
        }
        // Behind what is added to the neighbour's own entries.
        let sizes = &mut added[changes[(T + 1) * r].offset as usize + 9..][..3];
        for i in 0..3 {
            let size = |k: usize| (rows[r][k][i] * columns[r][k][i]).abs();
            sizes[i] += size(0) + size(1) + size(2);
        }
    }
    true
}

#[inline(always)]
fn write(into: &mut [f64], first: usize, columns: &Columns<3, 3>) {
    into[first..first + 9].copy_from_slice(columns.as_flattened());
}

/// What was added is used now: sets it to zero.
#[inline(always)]
fn forget<const N: usize>(added: &mut [f64], place: u32) {
    added[place as usize..place as usize + N].fill(0.0);
}

/// `y = A^-1 r`, and what it leaves of the neighbours' right-hand sides.
#[inline(always)]
pub fn forward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [f64]) {
    let node: Columns<3, 3> = fetch(factors, block.factors as usize);
    let y = times(&node, &read(b, block.node.0));
    b[block.node.0 as usize..block.node.0 as usize + 3].copy_from_slice(&y);
    for tie in ties {
        let rows: Columns<3, 3> = fetch(factors, tie.factors as usize);
        let taken = times(&rows, &y);
        let into = &mut b[tie.start as usize..tie.start as usize + 3];
        for i in 0..3 {
            into[i] -= taken[i];
        }
    }
}

/// `x = y - A^-1 E x_b`.
#[inline(always)]
pub fn backward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [f64]) {
    let mut x = read(b, block.node.0);
    for tie in ties {
        let columns: Columns<3, 3> = fetch(factors, tie.factors as usize + 9);
        let other = read(b, tie.start);
        for i in 0..3 {
            x[i] -= columns[i][0] * other[0] + columns[i][1] * other[1] + columns[i][2] * other[2];
        }
    }
    b[block.node.0 as usize..block.node.0 as usize + 3].copy_from_slice(&x);
}

#[inline(always)]
fn read(b: &[f64], first: u32) -> [f64; 3] {
    let first = first as usize;
    [b[first], b[first + 1], b[first + 2]]
}
