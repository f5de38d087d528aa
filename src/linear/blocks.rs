//! A sparse matrix of blocks of nodes that is multiplied, not factorised: the tangents of a model
//! at one state.

use super::Assemble;
use std::collections::BTreeMap;

/// The blocks of the rows and columns of nodes; entries of constraints are dropped.
#[derive(Clone)]
pub struct Blocks {
    /// First row of each node, and the number of rows.
    starts: Vec<usize>,
    /// By row and column of nodes; entries by columns, up to the widths of the nodes.
    entries: BTreeMap<(usize, usize), [[f64; 6]; 6]>,
}

impl Blocks {
    /// A zero matrix over nodes of some widths.
    pub fn new(widths: impl Iterator<Item = usize>) -> Blocks {
        let mut starts = vec![0];
        widths.for_each(|width| starts.push(starts[starts.len() - 1] + width));
        Blocks { starts, entries: BTreeMap::new() }
    }

    /// Adds a block of so many rows, given by columns, its first entry at (row, column).
    pub fn add(&mut self, row: usize, column: usize, rows: usize, block: &[f64]) {
        let (Some((i, row)), Some((j, column))) = (self.place(row), self.place(column)) else { return };
        let into = self.entries.entry((i, j)).or_insert([[0.0; 6]; 6]);
        for (into, from) in into[column..].iter_mut().zip(block.chunks_exact(rows)) {
            into[row..].iter_mut().zip(from).for_each(|(into, x)| *into += x);
        }
    }

    /// The node of a row, and the index of the row in it.
    fn place(&self, row: usize) -> Option<(usize, usize)> {
        let node = self.starts.partition_point(|start| *start <= row) - 1;
        (node + 1 < self.starts.len()).then(|| (node, row - self.starts[node]))
    }

    fn width(&self, node: usize) -> usize {
        self.starts[node + 1] - self.starts[node]
    }

    /// Blocks that are not zero, by rows: row, column, entries by columns.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize, &[[f64; 6]; 6])> {
        let all = self.entries.iter().map(|((row, column), block)| (*row, *column, block));
        all.filter(|(.., block)| block.as_flattened().iter().any(|x| *x != 0.0))
    }

    /// Removes rows and columns of all other nodes.
    pub fn retain_nodes(&mut self, keep: impl Fn(usize) -> bool) {
        self.entries.retain(|(row, column), _| keep(*row) && keep(*column));
    }

    /// `y = A x`.
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) {
        y.fill(0.0);
        self.multiply_add(x, y);
    }

    /// `y += A x`; both may be longer.
    pub fn multiply_add(&self, x: &[f64], y: &mut [f64]) {
        for ((row, column), block) in &self.entries {
            let y = &mut y[self.starts[*row]..self.starts[row + 1]];
            for (from, factor) in block.iter().zip(&x[self.starts[*column]..self.starts[column + 1]]) {
                y.iter_mut().zip(from).for_each(|(y, a)| *y += a * factor);
            }
        }
    }

    /// Adds `factor A` to another matrix.
    pub fn enter(&self, factor: f64, matrix: &mut impl Assemble) {
        for (row, column, block) in self.iter() {
            let (i, j) = (self.starts[row], self.starts[column]);
            let block = block.map(|column| column.map(|x| factor * x));
            let short = |column: &[f64; 6]| [column[0], column[1], column[2]];
            match (self.width(row), self.width(column)) {
                (6, 6) => matrix.add(i, j, &block),
                (6, _) => matrix.add(i, j, &[block[0], block[1], block[2]]),
                (_, 6) => matrix.add(i, j, &block.each_ref().map(short)),
                _ => matrix.add(i, j, &[&block[0], &block[1], &block[2]].map(short)),
            }
        }
    }

    /// Adds to a diagonal entry.
    pub fn add_diagonal(&mut self, i: usize, x: f64) {
        self.add(i, i, 1, &[x]);
    }

    /// The symmetric part, and the sizes of the other part as (row, column, |a - a^T|/2).
    pub fn split_symmetric(&self) -> (Blocks, Vec<(usize, usize, f64)>) {
        let mut symmetric = Blocks { starts: self.starts.clone(), entries: BTreeMap::new() };
        let mut skew = Vec::new();
        let zero = [[0.0; 6]; 6];
        for ((row, column), block) in &self.entries {
            let mirrored = self.entries.get(&(*column, *row)).unwrap_or(&zero);
            for j in 0..self.width(*column) {
                for i in 0..self.width(*row) {
                    let (a, b) = (block[j][i], mirrored[i][j]);
                    let (r, c) = (self.starts[*row] + i, self.starts[*column] + j);
                    symmetric.add(r, c, 1, &[0.5 * (a + b)]);
                    if !self.entries.contains_key(&(*column, *row)) {
                        symmetric.add(c, r, 1, &[0.5 * (a + b)]);
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
