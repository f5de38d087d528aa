//! The matrix of nodes and constraints, `[S B^T; B T^T 0]` (Karush, Kuhn, Tucker): the interface of
//! this module.
//!
//! Tiny matrices are dense. The others record their graph in the first assembly, and are eliminated
//! block by block; graphs in which blocks would cause more fill-in (nets, frames with many loops)
//! use the sparse LU. Where a block has no significant pivot by itself, a factorisation that pivots
//! among all rows takes the same entries, dense or sparse by the number of unknowns: only these
//! decide whether a matrix is singular, in the same way on all paths. The choice depends on the
//! graph and the numbers of one assembly only, not on earlier ones: a restored model has the same
//! rounding errors.

use super::pattern::{Call, Pattern, WIDEST};
use super::refine::{GENERAL, Refined, Room, WithRoom};
use super::right_hand_sides::Rhs4;
use super::{Assemble, BlockLu, Blocks, Dense, Singular, Sparse};
use std::sync::Arc;

/// Largest number of unknowns of a dense matrix: one body and its joint. It is allocated before the
/// first assembly.
const TINY: usize = 12;

/// Operations per unknown up to which blocks are used without comparison: those of chains and trees
/// are below 200.
const SPARING: f64 = 1500.0;

/// Number of operations of blocks in the time of one of the sparse LU, which has an indirect access
/// for each: 0.14 ns against 0.5 to 1.7 ns, measured on bands and nets of 36 to 900 bodies, like
/// those of benches/linear.rs. Blocks are faster on nets of up to some 500.
const PER_SPARSE_OPERATION: f64 = 6.0;

/// A square matrix with its factors: nodes of 1 to 6 unknowns, then one unknown per constraint.
#[derive(Clone)]
pub struct Kkt {
    widths: Vec<u8>,
    constraints: usize,
    path: Path,
    /// Reservation of memory in the middle of a step, and the amount that was refused.
    room: Room,
}

#[derive(Clone)]
enum Path {
    /// The first assembly.
    Learning(Learning),
    Dense(Dense),
    Blocks(Box<Refined>),
    Sparse(Box<Sparse>),
}

#[derive(Clone, Default)]
struct Learning {
    calls: Vec<Call>,
    values: Vec<f64>,
}

impl Assemble for Kkt {
    #[inline(always)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        match &mut self.path {
            Path::Blocks(blocks) => blocks.blocks.add(row, column, block),
            Path::Dense(matrix) => matrix.add(row, column, block),
            Path::Sparse(matrix) => matrix.add(row, column, block),
            Path::Learning(learning) => learning.add(row, column, block),
        }
    }

    #[inline(always)]
    fn add_chain<'a>(&mut self, first: usize, count: usize, blocks: impl Fn(usize) -> [&'a [[f64; 3]; 3]; 3]) {
        match &mut self.path {
            Path::Blocks(matrix) => matrix.blocks.add_chain(first, count, blocks),
            Path::Dense(matrix) => matrix.add_chain(first, count, blocks),
            Path::Sparse(matrix) => matrix.add_chain(first, count, blocks),
            Path::Learning(learning) => learning.add_chain(first, count, blocks),
        }
    }
}

impl Assemble for Learning {
    #[inline(never)]
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        let (row, column) = (row as u32, column as u32);
        self.calls.push(Call { row, column, rows: R as u8, columns: C as u8 });
        self.values.extend_from_slice(block.as_flattened());
    }
}

impl Learning {
    /// Every call with its block, by columns.
    fn blocks(&self) -> impl Iterator<Item = (&Call, &[f64])> {
        let mut rest = &self.values[..];
        self.calls.iter().map(move |call| {
            let (own, after) = rest.split_at(usize::from(call.rows) * usize::from(call.columns));
            rest = after;
            (call, own)
        })
    }

    /// Repeats the first assembly, into blocks.
    fn replay(&self, into: &mut BlockLu) {
        into.clear();
        self.blocks().for_each(|(_, block)| into.enter(block));
    }

    /// The same into a sparse matrix, entry by entry.
    fn replay_entries(&self, into: &mut Sparse) {
        for (call, block) in self.blocks() {
            for (c, column) in block.chunks_exact(call.rows.into()).enumerate() {
                for (r, x) in column.iter().enumerate() {
                    into.add(call.row as usize + r, call.column as usize + c, &[[*x]]);
                }
            }
        }
    }
}

impl Kkt {
    /// A matrix for nodes of the given numbers of unknowns and a number of constraints; the first
    /// assembly determines the graph. Panics if a node has no unknowns, or more than 6, because
    /// there are no kernels for these.
    pub fn new(widths: impl IntoIterator<Item = usize>, constraints: usize) -> Kkt {
        let checked = |width| {
            assert!((1..=WIDEST).contains(&width), "a node of {width} unknowns: no kernel has this size");
            width as u8
        };
        let widths: Vec<u8> = widths.into_iter().map(checked).collect();
        let path = Path::Learning(Learning::default());
        let mut kkt = Kkt { widths, constraints, path, room: Room::default() };
        kkt.forget_pattern();
        kkt
    }

    /// From now on the matrix reserves memory by `with_room` before it allocates.
    pub fn ask_for_room(&mut self, with_room: WithRoom) {
        self.room = Room { with_room: Some(with_room), missing: None };
    }

    /// From now on the matrix allocates directly again. Returns the number of bytes that were
    /// refused since: solutions may be NaN, and factorisations may have failed for that reason
    /// alone.
    pub fn refused_room(&mut self) -> Option<usize> {
        std::mem::take(&mut self.room).missing
    }

    /// A dense one, whose entries can be read.
    #[cfg(test)]
    pub fn dense(n: usize) -> Kkt {
        Kkt { path: Path::Dense(Dense::new(n)), ..Kkt::new([], n) }
    }

    /// Entries by columns of a dense one, before the factorisation.
    #[cfg(test)]
    pub fn dense_entries(&self) -> Option<&[f64]> {
        match &self.path {
            Path::Dense(matrix) => Some(matrix.entries()),
            _ => None,
        }
    }

    /// Number of unknowns.
    pub fn unknowns(&self) -> usize {
        self.dofs() + self.constraints
    }

    fn dofs(&self) -> usize {
        self.widths.iter().map(|width| usize::from(*width)).sum()
    }

    /// The entries assembled since `clear` in rows and columns of nodes. Only for a matrix that was
    /// never factorised.
    pub fn node_blocks(&self) -> Blocks {
        let mut blocks = Blocks::new(self.widths.iter().map(|width| usize::from(*width)));
        match &self.path {
            Path::Learning(learning) => {
                for (call, block) in learning.blocks() {
                    blocks.add(call.row as usize, call.column as usize, call.rows.into(), block);
                }
            }
            Path::Dense(matrix) => {
                let n = self.unknowns();
                for (k, x) in matrix.entries().iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    blocks.add(k % n, k / n, 1, &[*x]);
                }
            }
            Path::Blocks(_) | Path::Sparse(_) => unreachable!("factors stand in the place of entries"),
        }
        blocks
    }

    /// Determines the graph again from the next assembly, because the sequence of calls has
    /// changed.
    pub fn forget_pattern(&mut self) {
        if let Path::Dense(_) = self.path {
            return;
        }
        let n = self.unknowns();
        self.path = if n <= TINY { Path::Dense(Dense::new(n)) } else { Path::Learning(Learning::default()) };
    }

    /// Sets every entry to zero and starts a new assembly.
    #[inline(always)]
    pub fn clear(&mut self) {
        match &mut self.path {
            Path::Blocks(blocks) => blocks.blocks.clear(),
            Path::Dense(matrix) => matrix.clear(),
            Path::Sparse(matrix) => matrix.clear(),
            Path::Learning(learning) => {
                learning.calls.clear();
                learning.values.clear();
            }
        }
    }

    /// Factorises the assembled matrix; the first time, determines the graph and the method.
    pub fn factorize(&mut self) -> Result<(), Singular> {
        if let Path::Learning(learning) = &mut self.path {
            let learning = std::mem::take(learning);
            self.path = self.choose(learning);
        }
        let n = self.unknowns();
        match &mut self.path {
            Path::Blocks(blocks) => blocks.factorize(n, &mut self.room),
            Path::Dense(matrix) => matrix.factorize(),
            Path::Sparse(matrix) => {
                let done = matrix.factorize();
                if matrix.was_refused() {
                    self.room.missing = Some(GENERAL * matrix.entries());
                }
                done
            }
            Path::Learning(_) => Err(Singular { column: None }),
        }
    }

    /// The row of an entry of the last assembly that is not finite, if there is one; None if
    /// factors have replaced the entries, as in tiny matrices.
    pub fn not_finite(&self) -> Option<Option<usize>> {
        match &self.path {
            Path::Blocks(blocks) => Some(blocks.blocks.not_finite()),
            Path::Sparse(matrix) => Some(matrix.not_finite()),
            Path::Dense(_) | Path::Learning(_) => None,
        }
    }

    /// Replaces `b` by the solution of `A x = b`; needs a factorised matrix.
    pub fn solve(&mut self, b: &mut [f64]) {
        match &mut self.path {
            Path::Blocks(blocks) => blocks.solve(b, &mut self.room),
            Path::Dense(matrix) => matrix.solve(b),
            Path::Sparse(matrix) => matrix.solve(b),
            Path::Learning(_) => (),
        }
    }

    /// Replaces four right-hand sides by their solutions, in less than four times the time; each
    /// has the bits of [`Kkt::solve`]. `one`: memory for one of them.
    pub fn solve_four(&mut self, b: &mut [Rhs4], one: &mut [f64]) {
        let done = match &mut self.path {
            Path::Blocks(blocks) if !blocks.took_over && !blocks.blocks.is_delicate() => blocks.blocks.solve_several(b),
            Path::Dense(matrix) => {
                matrix.solve(b);
                true
            }
            _ => false,
        };
        if done {
            return;
        }
        for lane in 0..4 {
            one.iter_mut().zip(&*b).for_each(|(x, b)| *x = b.0[lane]);
            if one.iter().all(|x| *x == 0.0) {
                continue;
            }
            self.solve(one);
            b.iter_mut().zip(&*one).for_each(|(b, x)| b.0[lane] = *x);
        }
    }

    /// The same with a right-hand side in the constraints only: the other entries are treated as
    /// zero.
    pub fn solve_constraints(&mut self, b: &mut [f64]) {
        let dofs = self.dofs();
        b[..dofs].fill(0.0);
        self.solve(b);
    }

    /// The cheapest method for this graph, with the entries of the first assembly.
    fn choose(&self, learning: Learning) -> Path {
        let n = self.unknowns();
        let by_blocks = |limit: f64| {
            let pattern = Pattern::new(&self.widths, self.constraints, &learning.calls, limit)?;
            let mut blocks = BlockLu::new(Arc::new(pattern));
            learning.replay(&mut blocks);
            Some(Path::Blocks(Box::new(Refined::new(blocks))))
        };
        if let Some(path) = by_blocks(SPARING * n as f64) {
            return path;
        }
        let mut sparse = Sparse::new(n);
        learning.replay_entries(&mut sparse);
        let limit = sparse.operations().map_or(f64::INFINITY, |count| PER_SPARSE_OPERATION * count);
        if let Some(path) = by_blocks(limit) {
            return path;
        }
        // Its recorded calls are those of the assembly, not one per entry: both have the same
        // places.
        Path::Sparse(Box::new(sparse))
    }

    /// Number of pairs of neighbours of all supernodes, a measure of the work.
    #[cfg(test)]
    pub fn couplings(&self) -> usize {
        match &self.path {
            Path::Blocks(blocks) => blocks.blocks.pattern().updates.len(),
            _ => 0,
        }
    }

    /// The method in use.
    #[cfg(test)]
    pub fn path_name(&self) -> &'static str {
        match &self.path {
            Path::Learning(_) => "none yet",
            Path::Dense(_) => "dense",
            Path::Sparse(_) => "sparse",
            Path::Blocks(blocks) if blocks.took_over => "all rows",
            Path::Blocks(blocks) if blocks.blocks.has_pivoted() => "some blocks pivoted",
            Path::Blocks(_) => "blocks",
        }
    }
}
