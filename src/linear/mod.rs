//! Linear algebra of the iteration matrix: entries in, solutions out; knows blocks and graphs, no
//! physics.
//!
//! [`Kkt`] is what the rest of the library sees: nodes, then constraints. It is assembled,
//! factorised, and solves:
//!
//! ```ignore
//! let mut kkt = Kkt::new([6, 6], 3);                 // two bodies, and the three constraints of a joint
//! kkt.clear();
//! kkt.add(0, 0, &mass_of_the_first);                 // 6 x 6, by columns
//! kkt.add(0, 12, &gradients);                        // 6 x 3
//! kkt.add(12, 0, &transposed_gradients);             // 3 x 6
//! kkt.add(12, 12, &[[-1e-9]]);                       // a compliant row: Phi - 1e-9 lambda = 0
//! kkt.factorize()?;                                  // the first time it learns the graph from the sequence of calls
//! kkt.solve(&mut b);
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `matrix` | [`Kkt`]: which factorisation a matrix takes |
//! | `order` | the order of elimination: minimum degree, constraints with their nodes |
//! | `pattern` | symbolic factorisation: supernodes, their neighbours, the place of every entry |
//! | `factor`, `pivoted` | supernodal LU: pivot blocks, Schur complements; blocks that need pivoting |
//! | `solve`, `right_hand_sides` | forward and backward substitution, several right-hand sides at once |
//! | `chain`, `pairs` | nodes of lines, two chains at a time; which chains there are |
//! | `refine` | iterative refinement, and pivoting among all rows where blocks fail |
//! | `dense`, `sparse` | LU of tiny matrices; sparse LU, in an order from `minimum_degree` |
//! | `small` | small matrices of fixed size, their inverses and conditions |
//! | `band` | one chain of 3 x 3 blocks by itself |
//! | `blocks` | a matrix of blocks that is multiplied |
//! | `graph`, `rank` | closed loops of a graph, and their rows that depend on others |
//!
//! The elimination follows Duff, Erisman, Reid, Direct Methods for Sparse Matrices (2017), chapters
//! 11 and 12.
//!
//! What may not live here: bodies, joints, time steps, units. The room imports no other; the
//! meaning of unknowns is known to callers only.

pub mod band;
mod blocks;
mod chain;
mod dense;
mod factor;
pub mod graph;
mod matrix;
mod minimum_degree;
mod order;
mod pairs;
mod pattern;
mod pivoted;
pub mod rank;
mod refine;
mod right_hand_sides;
mod small;
mod solve;
mod sparse;

#[cfg(test)]
mod matrix_tests;
#[cfg(test)]
mod series_tests;
#[cfg(test)]
mod singular_tests;

pub use blocks::Blocks;
pub use dense::Dense;
pub use factor::{BlockLu, SPREAD};
pub use matrix::Kkt;
pub use right_hand_sides::{Rhs4, RhsEntry};
pub use small::{inverse_3, times, update};
pub use sparse::Sparse;

/// A pivot below this part of the sum of the sizes of its terms is what rounding left of nothing.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Why a matrix could not be factorised: the column in which no pivot was found, if it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Singular {
    /// Column of the failing pivot.
    pub column: Option<usize>,
}

/// Takes the entries of a matrix. A matrix of one pattern is assembled by the same sequence of
/// calls every time.
pub trait Assemble {
    /// Whether entries go anywhere.
    const TAKES: bool = true;

    /// Adds an RxC block given by columns, its first entry at (row, column).
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]);

    /// Adds a chain of `count` nodes of three unknowns from `first` on: for each its block on the
    /// diagonal, and between it and the next one the block above the diagonal and that below; in
    /// this order, node by node.
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
