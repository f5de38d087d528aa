//! Linear algebra of the iteration matrix: entries in, solutions out; knows blocks and graphs, no physics.
//!
//! [`Kkt`] is what the rest of the library sees. Behind it: `dense` LU; block elimination with its symbolic work in `order` (which block
//! when) and `plan` (what stands where, made by `planner`), its kernels in `block`, `couple`, `change`, `substitution`, `triples` and
//! `twins` (nodes of lines), small matrices in `small` and `inverse`, blocks that need pivoting in `pivoted`; `blockwise` is what takes
//! over where blocks fail, with digits that bad scaling costs won back in `refinement`; faer's `sparse` LU. `lists` does the same arithmetic
//! on all numbers of some lists, `right_hand_sides` four at once, `asking` asks for memory. `graph` finds closed loops, `rank` the
//! rows of them that depend on others, `blocks` multiplies, `band` solves a chain by itself.
//!
//! What may not live here: bodies, joints, time steps, units. It imports nothing of ours; what an unknown is, its callers know.

mod asking;
pub mod band;
mod block;
mod blocks;
mod blockwise;
mod change;
mod couple;
mod dense;
mod elimination;
pub mod graph;
mod inverse;
mod kkt;
mod lists;
mod order;
mod pairs;
mod pivoted;
mod plan;
mod planner;
pub mod rank;
mod refinement;
mod right_hand_sides;
mod significance;
mod small;
mod sparse;
mod substitution;
mod triples;
mod twins;

#[cfg(test)]
mod kkt_tests;
#[cfg(test)]
mod singular_tests;

pub use block::SPREAD;
pub use blocks::Blocks;
pub use dense::Dense;
pub use elimination::Elimination;
pub use kkt::Kkt;
pub use lists::update;
pub use right_hand_sides::{Rhs4, RhsEntry};
pub use small::times;
pub use sparse::Sparse;

/// A pivot below this part of the sum of the sizes of its terms is what rounding left of nothing.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Why a matrix could not be factorised: the column in which no pivot was found, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Singular {
    /// Column of the failing pivot.
    pub column: Option<usize>,
}

/// Takes the entries of a matrix. A matrix of one pattern is assembled by the same sequence of calls every time.
pub trait Assemble {
    /// Whether entries go anywhere.
    const TAKES: bool = true;

    /// Adds an RxC block given by columns, its first entry at (row, column).
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]);

    /// Adds a chain of `count` nodes of three unknowns from `first` on: for each its block on the diagonal, and between it and the
    /// next one the block above the diagonal and that below; in this order, node by node.
    #[inline(always)]
    fn add_chain<'a>(&mut self, first: usize, count: usize, blocks: impl Fn(usize) -> [&'a [[f64; 3]; 3]; 3]) {
        for k in 0..count {
            let at = first + 3 * k;
            let [own, above, below] = blocks(k);
            self.add(at, at, own);
            self.add(at, at + 3, above);
            self.add(at + 3, at, below);
        }
    }
}

/// Takes nothing: for evaluations of a residual alone.
pub struct NoMatrix;

impl Assemble for NoMatrix {
    const TAKES: bool = false;

    #[inline(always)]
    fn add<const R: usize, const C: usize>(&mut self, _: usize, _: usize, _: &[[f64; R]; C]) {}
}
