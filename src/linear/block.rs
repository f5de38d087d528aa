//! Elimination of one block that needs no pivoting: its inverses, and the factors of its neighbours.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::couple::{Inverses, couple};
use super::inverse::inverse;
use super::order::NONE;
use super::plan::{Block, Tie};
use super::significance::{CANCELLED, CONDITION};
use super::small::{Columns, condition, fetch_sum, product, store, transposed};

/// What [`CONDITION`] is of a block on which others hang: what it carries acts along the constraints, by as much as it is heavier than the
/// node itself (10,000 times at the end of a chain of 10,000 bodies), and its rounding acts there too. Measured on such
/// chains, six digits of sixteen are lost in the worst right-hand side, two and a half in those of steps; pivoting keeps
/// half a digit of that, at seven times the cost.
pub const CARRYING: f64 = 1e6;

/// Ratio of the largest to the smallest of the nodes' masses (or of their moments of inertia) from which solutions are
/// checked: as many digits as it has may be lost in the constraints of a light node that holds heavy ones.
pub const SPREAD: f64 = 1e4;

/// How a block is eliminated, and its factors are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// By the inverses of its node and of what that leaves of its constraints.
    Parts,
    /// As `pivoted` does it.
    Whole,
}

/// Least and largest sums of diagonal entries of nodes: translations, rotations.
#[derive(Clone, Copy)]
pub struct Spread([[f64; 2]; 2]);

impl Spread {
    /// Of no nodes.
    pub const NONE: Spread = Spread([[f64::INFINITY, 0.0]; 2]);

    #[inline(always)]
    fn count(&mut self, k: usize, size: f64) {
        let [least, largest] = &mut self.0[k];
        *least = least.min(size);
        *largest = largest.max(size);
    }

    /// Counts the node of a block by its own entries, without what hangs on it: that grows along every long chain. Nodes of lines, which no
    /// constraint holds, do not count: they are far lighter than what they moor.
    #[inline(always)]
    pub fn count_node<const W: usize>(&mut self, block: &Block, node: &[f64]) {
        let mass = |from: usize| (from..from + 3).map(|i| node[W * i + i].abs()).sum();
        if W >= 3 && block.counted {
            self.count(0, mass(0));
        }
        if W == 6 {
            self.count(1, mass(3));
        }
    }

    /// Whether they differ so much that solutions are checked.
    pub fn is_large(&self) -> bool {
        self.0.iter().any(|[least, largest]| *largest > SPREAD * least)
    }
}

/// Factors of a block of sizes W and M; false where it needs pivoting.
#[inline(always)]
pub fn eliminate<const W: usize, const M: usize>(
    block: &Block,
    ties: &[Tie],
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
    spread: &mut Spread,
) -> bool {
    let first = block.values as usize;
    let a: Columns<W, W> = fetch_sum(values, first, added, block.added[0], 0);
    let b1: Columns<W, M> = fetch_sum(values, first + W * W, added, block.added[1], 0);
    let left: Columns<W, M> = fetch_sum(values, first + W * W + W * M, added, block.added[1], W * M);
    let mut s: Columns<M, M> = fetch_sum(values, first + W * W + 2 * W * M, added, block.added[2], 0);

    let node = inverse(&a);
    let most = if block.added[0] != NONE { CARRYING } else { CONDITION };
    let mut good = condition(&a, &node) <= most;
    if block.added[0] != NONE {
        let terms = &added[block.added[0] as usize + W * W..][..W];
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
        if block.added[2] != NONE {
            let terms = &added[block.added[2] as usize + M * M..][..M];
            for k in 0..M {
                sizes[k] += terms[k];
            }
        }
        for k in 0..M {
            good &= s[k][k].abs() > CANCELLED * sizes[k];
        }
    }
    if !good {
        return false;
    }
    spread.count_node::<W>(block, &values[first..first + W * W]);
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
