//! Blocks that are eliminated as a whole, by LU with partial pivoting: those whose node alone is singular, or nearly so.
//!
//! Factors of the block stand where those of other blocks do: the inverse D^-1 of the block by columns; of each neighbour the rows
//! `[G H]` and the columns `D^-1 [E; F]`, unknowns of the constraints before those of the node.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::order::NONE;
use super::plan::{Block, Tie};

/// Most unknowns of a block.
const MOST: usize = 12;

/// A pivot below this part of the terms that it is the sum of is left to the factorisation of all rows.
const CANCELLED: f64 = 1e-8;

/// Entry with what was added.
struct Entries<'a> {
    values: &'a [f64],
    added: &'a [f64],
}

impl Entries<'_> {
    /// The entry k of a part, with what was added to it.
    fn at(&self, first: usize, place: u32, k: usize) -> f64 {
        self.values[first + k] + self.of_added(place, k)
    }

    /// The number k of what was added to a part.
    fn of_added(&self, place: u32, k: usize) -> f64 {
        if place != NONE { self.added[place as usize + k] } else { 0.0 }
    }
}

fn sizes(block: &Block) -> (usize, usize) {
    (block.node.1.into(), block.constraints.1.into())
}

/// The unknowns of a block, those of the constraints first.
fn unknowns(block: &Block) -> impl Iterator<Item = usize> + use<> {
    let range = |(start, len): (u32, u8)| start as usize..start as usize + usize::from(len);
    range(block.constraints).chain(range(block.node))
}

/// Factors of a block; false where it has no significant pivot by itself.
#[cold]
pub fn eliminate(block: &Block, ties: &[Tie], values: &[f64], added: &[f64], factors: &mut [f64]) -> bool {
    let entries = Entries { values, added };
    let (w, m) = sizes(block);
    let n = w + m;
    let first = block.values as usize;
    // By rows, the constraints first; beside it what becomes the inverse.
    let mut rows = [[0.0; 2 * MOST]; MOST];
    for i in 0..w {
        for j in 0..w {
            rows[m + i][m + j] = entries.at(first, block.added[0], w * j + i);
        }
        for k in 0..m {
            rows[m + i][k] = entries.at(first + w * w, block.added[1], w * k + i);
            rows[k][m + i] = entries.at(first + w * w, block.added[1], w * (m + k) + i);
        }
    }
    for i in 0..m {
        for j in 0..m {
            rows[i][j] = entries.at(first + w * w + 2 * w * m, block.added[2], m * j + i);
        }
    }
    // Sizes of the terms of each entry: what the diagonal is the sum of so far.
    let mut sizes = [[0.0f64; MOST]; MOST];
    for i in 0..n {
        for j in 0..n {
            sizes[i][j] = rows[i][j].abs();
        }
        let (place, behind) = if i < m { (block.added[2], m * m + i) } else { (block.added[0], w * w + i - m) };
        sizes[i][i] = sizes[i][i].max(entries.of_added(place, behind));
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
    let own = &mut factors[block.whole as usize..block.whole as usize + n * n];
    for j in 0..n {
        for i in 0..n {
            own[n * j + i] = rows[i][n + j];
        }
    }
    for tie in ties {
        let len = usize::from(tie.len);
        let first = tie.values as usize;
        let beyond = first + if tie.node { 2 * w * len } else { 0 };
        let (left, right) = factors[tie.whole as usize..tie.whole as usize + 2 * n * len].split_at_mut(n * len);
        for j in 0..len {
            let mut column = [0.0; MOST];
            for k in 0..m {
                column[k] = entries.at(beyond, tie.added[1], len * k + j);
                left[len * k + j] = entries.at(beyond, tie.added[1], len * (m + k) + j);
            }
            for i in 0..w {
                let of = |second: usize| match tie.node {
                    true => entries.at(first, tie.added[0], w * (second * len + j) + i),
                    false => 0.0,
                };
                column[m + i] = of(0);
                left[len * (m + i) + j] = of(1);
            }
            for i in 0..n {
                right[len * i + j] = (0..n).map(|k| rows[i][n + k] * column[k]).sum();
            }
        }
    }
    true
}

/// As the kernel of the same name of other blocks.
#[cold]
pub fn forward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [f64]) {
    let (w, m) = sizes(block);
    let n = w + m;
    let own = &factors[block.whole as usize..block.whole as usize + n * n];
    let (mut right, mut x) = ([0.0; MOST], [0.0; MOST]);
    unknowns(block).zip(&mut right).for_each(|(unknown, right)| *right = b[unknown]);
    for j in 0..n {
        for i in 0..n {
            x[i] += own[n * j + i] * right[j];
        }
    }
    unknowns(block).zip(&x).for_each(|(unknown, x)| b[unknown] = *x);
    for tie in ties {
        let len = usize::from(tie.len);
        let rows = &factors[tie.whole as usize..tie.whole as usize + n * len];
        let into = &mut b[tie.start as usize..tie.start as usize + len];
        for (row, x) in rows.chunks_exact(len).zip(&x) {
            into.iter_mut().zip(row).for_each(|(into, factor)| *into -= factor * x);
        }
    }
}

/// As the kernel of the same name of other blocks.
#[cold]
pub fn backward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [f64]) {
    let (w, m) = sizes(block);
    let n = w + m;
    for tie in ties {
        let len = usize::from(tie.len);
        let first = tie.whole as usize + n * len;
        for (unknown, column) in unknowns(block).zip(factors[first..first + n * len].chunks_exact(len)) {
            let start = tie.start as usize;
            let taken: f64 = column.iter().zip(&b[start..start + len]).map(|(factor, x)| factor * x).sum();
            b[unknown] -= taken;
        }
    }
}
