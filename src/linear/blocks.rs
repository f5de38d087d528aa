//! A sparse matrix of 6x6 blocks that is multiplied, not factorised: the tangents of a model at one state.

use super::Assemble;
use std::collections::BTreeMap;

/// The 6x6 blocks of the first `nodes` rows and columns of nodes; what is assembled beyond them is left out.
#[derive(Clone)]
pub struct Blocks {
    nodes: usize,
    /// By row and column of nodes; entries by columns.
    entries: BTreeMap<(usize, usize), [[f64; 6]; 6]>,
}

impl Assemble for Blocks {
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        if row >= 6 * self.nodes || column >= 6 * self.nodes {
            return;
        }
        let into = self.entries.entry((row / 6, column / 6)).or_insert([[0.0; 6]; 6]);
        for (into, from) in into[column % 6..].iter_mut().zip(block) {
            into[row % 6..].iter_mut().zip(from).for_each(|(into, x)| *into += x);
        }
    }
}

impl Blocks {
    /// A zero matrix.
    pub fn new(nodes: usize) -> Blocks {
        Blocks { nodes, entries: BTreeMap::new() }
    }

    /// Blocks that are not zero, by rows: row, column, entries by columns.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &[[f64; 6]; 6])> {
        let all = self.entries.iter().map(|((row, column), block)| (*row, *column, block));
        all.filter(|(.., block)| block.as_flattened().iter().any(|x| *x != 0.0))
    }

    /// Leaves out rows and columns of all other nodes.
    pub fn retain_nodes(&mut self, keep: impl Fn(usize) -> bool) {
        self.entries.retain(|(row, column), _| keep(*row) && keep(*column));
    }

    /// `y = A x`.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        for ((row, column), block) in &self.entries {
            for (from, factor) in block.iter().zip(&x[6 * column..6 * column + 6]) {
                y[6 * row..6 * row + 6].iter_mut().zip(from).for_each(|(y, a)| *y += a * factor);
            }
        }
    }

    /// Adds to a diagonal entry.
    pub fn add_diagonal(&mut self, i: usize, x: f64) {
        self.add(i, i, &[[x]]);
    }

    /// The symmetric part, and the sizes of the other part as (row, column, |a - a^T|/2).
    pub fn split_symmetric(&self) -> (Blocks, Vec<(usize, usize, f64)>) {
        let mut symmetric = Blocks::new(self.nodes);
        let mut skew = Vec::new();
        let zero = [[0.0; 6]; 6];
        for ((row, column), block) in &self.entries {
            let mirrored = self.entries.get(&(*column, *row)).unwrap_or(&zero);
            for j in 0..6 {
                for i in 0..6 {
                    let (a, b) = (block[j][i], mirrored[i][j]);
                    let (r, c) = (6 * row + i, 6 * column + j);
                    symmetric.add(r, c, &[[0.5 * (a + b)]]);
                    if !self.entries.contains_key(&(*column, *row)) {
                        symmetric.add(c, r, &[[0.5 * (a + b)]]);
                        skew.push((c, r, 0.5 * (a - b).abs()));
                    }
                    if a != b {
                        skew.push((r, c, 0.5 * (a - b).abs()));
                    }
                }
            }
        }
        (symmetric, skew)
    }
}
