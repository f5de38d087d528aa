//! A right-hand side that goes forward while blocks are eliminated, so that factors are read where they have just been written.
//!
//! Substitution forward reads most of the factors. After an elimination these have left the processor's caches in large models. Where
//! one solution is sure to be asked for, with a right-hand side that the assembly itself finds, each stage of the elimination
//! passes what it has factors for, with the same operations in the same order as afterwards: the bits are the same.

use super::lists::update;
use super::plan::{Along, Call, Plan};

/// Blocks that are eliminated before substitution passes them, where all entries are there: factors of so many stay in the nearest
/// caches.
pub const BLOCKS: usize = 16;

/// What a right-hand side is made of, one that goes along and one that is entered as a whole: `-residual`, with the first rows scaled.
#[derive(Clone, Copy)]
pub struct Carried<'a> {
    /// The residual, complete as far as entries of the matrix are.
    pub residual: &'a [f64],
    /// Factor of the rows of nodes.
    pub scale: f64,
    /// Number of these.
    pub dofs: usize,
}

impl Carried<'_> {
    /// Enters the right-hand side of some rows.
    #[inline(always)]
    pub fn enter(&self, first: usize, end: usize, right: &mut [f64]) {
        let middle = self.dofs.max(first).min(end);
        let factor = -self.scale;
        update([&mut right[first..middle]], [&self.residual[first..middle]], |_, [r]| [factor * r]);
        update([&mut right[middle..end]], [&self.residual[middle..end]], |_, [r]| [-r]);
    }
}

/// How far a right-hand side has come.
#[derive(Clone, Copy)]
pub struct Progress {
    /// Stages that it has passed.
    pub stages: usize,
    /// Ranges of rows that were entered.
    pub rows: usize,
    /// Blocks that it has passed.
    pub blocks: usize,
}

impl Progress {
    /// Nowhere.
    pub const NONE: Progress = Progress { stages: 0, rows: 0, blocks: 0 };
}

/// How a right-hand side follows the stages of a plan: a row is complete with the last call that has to do with its node or constraint.
pub fn follow(plan: &Plan, pauses: &[u32], ends: &[u32]) -> Along {
    let unknowns: usize = plan.blocks.iter().map(|block| usize::from(block.node.1 + block.constraints.1)).sum();
    let mut last = vec![0; unknowns];
    for (k, Call { row, column, rows, columns }) in (1..).zip(&plan.calls) {
        for (first, count) in [(*row, *rows), (*column, *columns)] {
            last[first as usize..][..usize::from(count)].fill(k);
        }
    }
    let stage_of = |first: u32, count: u8| {
        let last = last[first as usize..][..usize::from(count)].iter().max();
        last.map_or(0, |last| pauses.partition_point(|calls| calls < last))
    };
    // Nodes and constraints of all blocks are all unknowns.
    let atoms = plan.blocks.iter().flat_map(|block| [block.node, block.constraints]).filter(|atom| atom.1 > 0);
    let mut rows: Vec<(usize, u32, u32)> =
        atoms.map(|(first, count)| (stage_of(first, count), first, first + u32::from(count))).collect();
    rows.sort_unstable();
    rows.dedup_by(|next, before| {
        let joins = next.0 == before.0 && next.1 == before.2;
        before.2 = if joins { next.2 } else { before.2 };
        joins
    });
    let stages = 0..=pauses.len();
    let rows_ends = stages.clone().map(|stage| rows.partition_point(|(own, ..)| *own <= stage) as u32).collect();
    let mut passed = 0;
    let blocks = stages.map(|stage| {
        let eliminated = ends.get(stage).map_or(plan.blocks.len(), |end| *end as usize);
        let is_ready =
            |block: &&super::plan::Block| plan.ties_of(block).iter().all(|tie| stage_of(tie.start, tie.len) <= stage);
        passed += plan.blocks[passed..eliminated].iter().take_while(is_ready).count();
        passed as u32
    });
    Along { blocks: blocks.collect(), rows_ends, rows: rows.into_iter().map(|(_, first, end)| (first, end)).collect() }
}
