//! Where the entries of a matrix and of its factors stand, for the block elimination: made once from the first assembly and
//! shared by all copies of a matrix.
//!
//! Entries of a block: A (node, by columns), B1 (one column of the node per constraint), B2 (one row over the node per
//! constraint), C (by columns). Then for each neighbour, where the node itself is coupled, E (by columns of the neighbour)
//! and G (by its rows), and where there are constraints, F (by rows) and H (by columns):
//!
//! ```text
//! [ A  B1  E ]
//! [ B2 C   F ]
//! [ G  H   . ]
//! ```
//!
//! Factors stand in two parts, what substitution forward reads and what it reads on the way back: other numbers in between would come
//! from memory with those that are wanted.
//!
//! Where two bodies are coupled by their rotations alone and no elimination adds to that, E and G are their blocks of 3 x 3,
//! and stand behind F and H: what follows from zeros is neither kept nor computed.

use crate::prefetch;

/// How many blocks before they are needed factors are asked for, on the way forward and on the way back. More were slower on chains of
/// 10,000 bodies and on trees of 8191.
const FORWARD: usize = 3;
const BACKWARD: usize = 6;

/// Numbers of the own factors of a block of `joined` for the way forward: two signs, and Z', W, D, Att, V by columns. They stand right
/// before those of its neighbours.
pub const OWN: usize = 2 + 5 * 9;

/// How many it leaves out before them: the general way needs more room.
pub const SKIPPED: u32 = (6 * 6 + 6 * 3 + 3 * 3 - OWN) as u32;

/// Fewer factors than this are near anyway: half a megabyte.
const MANY: usize = 1 << 16;

/// One call of an assembly: R x C entries at (row, column).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Call {
    /// First row.
    pub row: u32,
    /// First column.
    pub column: u32,
    /// R.
    pub rows: u8,
    /// C.
    pub columns: u8,
}

/// Where the entries of a call stand.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The first one.
    pub offset: u32,
    /// From one row to the next.
    pub by_row: u8,
    /// From one column to the next.
    pub by_column: u8,
    /// Whether no call before has written there.
    pub first: bool,
}

/// A neighbour of a block.
#[derive(Debug, Clone, Copy)]
pub struct Tie {
    /// Its first unknown.
    pub start: u32,
    /// Its number of unknowns.
    pub len: u8,
    /// Whether it is coupled with the node of the block.
    pub node: bool,
    /// Whether it is a node whose rotations are coupled with those of the node of the block, and nothing else of both (`node` is
    /// false then).
    pub turns: bool,
    /// Where what elimination adds stands: of E and G, of F and H; `NONE` where it adds nothing.
    pub added: [u32; 2],
    /// E, G, F, H.
    pub values: u32,
    /// Factors of rows (constraints, then the node where it is coupled), for the way forward.
    pub factors: u32,
    /// Those of columns, for the way back.
    pub back: u32,
    /// The same of a block that is inverted as a whole: all rows, all columns. Apart: no memory is touched that is not
    /// needed.
    pub whole: u32,
    /// Its number among nodes and constraints.
    pub atom: u32,
}

/// What the elimination of a block changes: entries of two of its neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    /// The first entry, among those that are added.
    pub offset: u32,
    /// Whether they stand by rows.
    pub by_rows: bool,
}

/// Most neighbours of a block of three unknowns that the kernels of `triples` are made for: two on each side of a node in bending.
pub const MOST_OF_TRIPLE: usize = 4;

/// A block.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// First unknown of its node, and its number of unknowns, maybe 0.
    pub node: (u32, u8),
    /// First unknown of its constraints, and their number, maybe 0.
    pub constraints: (u32, u8),
    /// A, B1, B2, C.
    pub values: u32,
    /// Factors of the block itself: `A^-1`, B2 and the inverse of the constraints, for the way forward.
    pub factors: u32,
    /// `A^-1 B1`, for the way back.
    pub back: u32,
    /// The inverse of all of it, where it is inverted as a whole.
    pub whole: u32,
    /// Where what elimination adds stands: of A, of B1 and B2, of C; `NONE` where it adds nothing. Behind that of A and of C stand, for
    /// each row, sizes of the terms that were added to its diagonal entry.
    pub added: [u32; 3],
    /// First neighbour, and end.
    pub ties: (u32, u32),
    /// First of the changes, one for each pair of neighbours.
    pub changes: u32,
    /// Whether the kernels of `triples` serve it.
    pub triple: bool,
    /// Whether it may be one of those of `joined`, by its sizes and couplings, and as nothing is added to C, which no call of an assembly
    /// writes: there is room for that.
    pub joins: bool,
    /// Whether its mass counts among those that differ: not where no constraint has to do with its node.
    pub counted: bool,
}

impl Block {
    /// Numbers of unknowns of its node and of its constraints.
    #[inline(always)]
    pub fn sizes(&self) -> (u8, u8) {
        (self.node.1, self.constraints.1)
    }
}

/// First and end of each.
pub type Ranges = Vec<(u32, u32)>;

/// All of it.
pub struct Plan {
    /// In order of elimination.
    pub blocks: Vec<Block>,
    /// Lengths of the pairs of chains that it begins with.
    pub twins: Vec<u32>,
    /// Of all blocks.
    pub ties: Vec<Tie>,
    /// Of all blocks.
    pub changes: Vec<Change>,
    /// The calls of an assembly.
    pub calls: Vec<Call>,
    /// One for each call.
    pub places: Vec<Place>,
    /// Entries to set to zero before an assembly: first and end. Others are written before they are added to.
    pub cleared: Ranges,
    /// Number of values.
    pub values: usize,
    /// Number of factors.
    pub factors: usize,
    /// Number of entries that are added and not used yet, at most.
    pub added: usize,
}

impl Plan {
    /// The neighbours of a block.
    #[inline(always)]
    pub fn ties_of(&self, block: &Block) -> &[Tie] {
        &self.ties[block.ties.0 as usize..block.ties.1 as usize]
    }

    /// What its elimination changes, by pairs of neighbours.
    #[inline(always)]
    pub fn changes_of(&self, block: &Block) -> &[Change] {
        let count = (block.ties.1 - block.ties.0) as usize;
        &self.changes[block.changes as usize..block.changes as usize + count * count]
    }

    /// Asks for the factors that are made, or read on the way forward, some blocks after block `k`. Processors that follow a list by
    /// themselves stop at the end of each page: of factors that is every few blocks.
    #[inline(always)]
    pub fn fetch_forward(&self, k: usize, factors: &[f64]) {
        let place = |block: &Block| block.factors + if block.joins { SKIPPED } else { 0 };
        self.fetch(k + FORWARD, place, |block| block.factors, factors);
    }

    /// The same for the way back, which reads less of each block.
    #[inline(always)]
    pub fn fetch_backward(&self, k: usize, factors: &[f64]) {
        self.fetch(k.wrapping_sub(BACKWARD), |block| block.back, |block| block.back, factors);
    }

    /// Asks for the factors of a block, if there is one of that number, from `place` on to where those of the block behind it begin.
    #[inline(always)]
    fn fetch(&self, k: usize, place: impl Fn(&Block) -> u32, begin: impl Fn(&Block) -> u32, factors: &[f64]) {
        if factors.len() < MANY {
            return;
        }
        if let Some([block, behind]) = self.blocks.get(k..k.wrapping_add(2)) {
            let (start, end) = (place(block), begin(behind));
            prefetch::entries(factors, start as usize, end.saturating_sub(start) as usize);
        }
    }

    /// What calls write, in their order: row, column, offset.
    pub fn written(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.calls.iter().zip(&self.places).flat_map(|(call, place)| {
            (0..u32::from(call.columns)).flat_map(move |c| {
                let first = place.offset + c * u32::from(place.by_column);
                (0..u32::from(call.rows))
                    .map(move |r| (call.row + r, call.column + c, first + r * u32::from(place.by_row)))
            })
        })
    }

    /// Bytes that [`Plan::entries`] takes.
    pub fn memory_of_entries(&self) -> usize {
        self.written().count() * size_of::<(u32, u32, u32)>()
    }

    /// The entries that calls write, each once: row, column, offset.
    pub fn entries(&self) -> Vec<(u32, u32, u32)> {
        // Room for all at once: what is asked for before is that.
        let mut entries = Vec::with_capacity(self.written().count());
        entries.extend(self.written());
        entries.sort_unstable();
        entries.dedup();
        entries
    }
}
