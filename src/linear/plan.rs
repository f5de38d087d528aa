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
