//! Symbolic factorisation: the supernodes, their order of elimination, their couplings, and the
//! index of every entry of the matrix and of its factors. Computed once from the first assembly,
//! and shared by all clones of a matrix.
//!
//! A supernode is a node, or consecutive constraints on the same nodes. With the pivot block A of a
//! supernode, and the blocks E to its right and G below it that couple it with its neighbours,
//! elimination leaves the Schur complement `S - G A^-1 E` between all its neighbours (Duff,
//! Erisman, Reid, Direct Methods for Sparse Matrices, 2017, chapters 11 and 12):
//!
//! ```text
//! [ A  E ]
//! [ G  S ]
//! ```
//!
//! A is stored by columns; E by rows and G by columns, so that the entries of the neighbour are
//! contiguous. Factors have two parts: forward substitution reads `A^-1` and G, backward
//! substitution `Z = A^-1 E`.

use super::order::{Members, NONE, Order, order};
use super::pairs::pair_chains;

/// First index, and the one after the last.
type Range = (u32, u32);

/// Most unknowns of a supernode.
pub const WIDEST: usize = 6;

/// Most entries of the couplings of a supernode with one neighbour: E and G of two widest ones.
const LARGEST: usize = 2 * WIDEST * WIDEST;

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

/// Indices of the entries of a call.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// The first one.
    pub offset: u32,
    /// Distance from one row to the next.
    pub by_row: u8,
    /// Distance from one column to the next.
    pub by_column: u8,
    /// Whether this is the first call that writes there.
    pub first: bool,
}

/// A supernode.
#[derive(Debug, Clone, Copy)]
pub struct Supernode {
    /// Its first unknown.
    pub start: u32,
    /// Its number of unknowns.
    pub len: u8,
    /// Index of A among the values.
    pub values: u32,
    /// Index of the sum of Schur complements for A: by columns, followed by the sum of the absolute
    /// values of the terms of each diagonal entry; `NONE` if there are none.
    pub added: u32,
    /// Index of `A^-1` among the factors, by columns.
    pub inverse: u32,
    /// First neighbour, and the index after the last.
    pub neighbours: (u32, u32),
    /// First of the updates, one for each pair of neighbours.
    pub updates: u32,
    /// Whether the next supernode has the constraints that tie this node to its parent: the two are
    /// eliminated as a whole if the pivot of one of them alone is not good enough.
    pub has_constraints: bool,
    /// Whether eliminations add to its pivot block, or to that of the node whose constraints it
    /// has.
    pub carries: bool,
    /// Whether it is a node; otherwise it is constraints.
    pub is_node: bool,
    /// Whether constraints act on the node.
    pub is_tied: bool,
    /// Index of the inverse of the whole. It is apart from other factors, because this memory is
    /// rarely used.
    pub whole: u32,
}

/// A supernode that is eliminated later, and its coupling with this one.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    /// Its first unknown.
    pub start: u32,
    /// Its number of unknowns.
    pub len: u8,
    /// Its number: nodes first, then constraints.
    pub atom: u32,
    /// Index of E and G among the values.
    pub values: u32,
    /// Index of the sum of Schur complements for E and G; `NONE` if there are none.
    pub added: u32,
    /// Index of G among the factors.
    pub rows: u32,
    /// Index of Z among the factors.
    pub columns: u32,
    /// Index of rows and columns of an elimination as a whole.
    pub whole: u32,
}

/// Destination of the Schur complement of two neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Update {
    /// The first entry, among the sums of Schur complements; `NONE` for a node's own constraints,
    /// whose pivot block receives it directly.
    pub offset: u32,
    /// Whether it is stored by rows.
    pub by_rows: bool,
}

/// The symbolic factorisation.
pub struct Pattern {
    /// In order of elimination.
    pub supernodes: Vec<Supernode>,
    /// Neighbours of all supernodes.
    pub neighbours: Vec<Neighbour>,
    /// Updates of all supernodes.
    pub updates: Vec<Update>,
    /// Lengths of the pairs of chains at the beginning of the order.
    pub chains: Vec<u32>,
    /// The calls of an assembly.
    pub calls: Vec<Call>,
    /// One for each call.
    pub places: Vec<Place>,
    /// Entries to set to zero before an assembly: first and end. Others are written before they are
    /// added to.
    pub cleared: Vec<(u32, u32)>,
    /// Number of values.
    pub values: usize,
    /// Number of factors.
    pub factors: usize,
    /// Most entries of sums of Schur complements at one time.
    pub added: usize,
}

impl Pattern {
    /// From the graph of the calls of one assembly, for nodes of `widths`, then `constraints`; None
    /// if the elimination would take more than `limit` operations, or if a call spans two nodes.
    pub fn new(widths: &[u8], constraints: usize, calls: &[Call], limit: f64) -> Option<Pattern> {
        let node_of: Vec<u32> =
            widths.iter().zip(0..).flat_map(|(width, node)| (0..*width).map(move |_| node)).collect();
        let dofs = node_of.len();
        u32::try_from(dofs + constraints).ok()?;
        // Constraints with the nodes that they tie; pairs of coupled nodes.
        let (mut ties, mut pairs) = (Vec::new(), Vec::new());
        for call in calls {
            let (row, column) = (call.row as usize, call.column as usize);
            let mut tie = |constraint: usize, count: u8, node: usize| {
                (0..usize::from(count)).for_each(|k| ties.push(((constraint + k - dofs) as u32, node_of[node])));
            };
            match (row < dofs, column < dofs) {
                (true, true) if node_of[row] != node_of[column] => {
                    pairs.push((node_of[row].min(node_of[column]), node_of[row].max(node_of[column])));
                }
                (true, false) => tie(column, call.columns, row),
                (false, true) => tie(row, call.rows, column),
                // Diagonal entries of constraints are not couplings.
                _ => (),
            }
        }
        let (ties, pairs) = (sorted(ties, constraints), sorted(pairs, widths.len()));
        let mut is_tied = vec![false; widths.len()];
        ties.iter().for_each(|(_, node)| is_tied[*node as usize] = true);
        let mut order = order(widths, constraints, &ties, &pairs, limit)?;
        let chains = pair_chains(&mut order);
        let mut layout = Layout::new(&order);
        let (values, factors) = layout.place_all(&is_tied)?;
        let (updates, added) = layout.place_updates()?;
        let (places, cleared) = layout.places(&atoms_of(&order, dofs + constraints), calls, values)?;
        let Layout { supernodes, neighbours, .. } = layout;
        let calls = calls.to_vec();
        Some(Pattern { supernodes, neighbours, updates, chains, calls, places, cleared, values, factors, added })
    }

    /// The neighbours of a supernode.
    #[inline(always)]
    pub fn neighbours_of(&self, supernode: &Supernode) -> &[Neighbour] {
        &self.neighbours[supernode.neighbours.0 as usize..supernode.neighbours.1 as usize]
    }

    /// Destinations of the Schur complements of a supernode, by pairs of neighbours.
    #[inline(always)]
    pub fn updates_of(&self, supernode: &Supernode) -> &[Update] {
        let count = (supernode.neighbours.1 - supernode.neighbours.0) as usize;
        &self.updates[supernode.updates as usize..supernode.updates as usize + count * count]
    }

    /// Entries that calls write, in their order: row, column, offset.
    pub fn written(&self) -> impl Iterator<Item = (u32, u32, u32)> + '_ {
        self.calls.iter().zip(&self.places).flat_map(|(call, place)| {
            (0..u32::from(call.columns)).flat_map(move |c| {
                let first = place.offset + c * u32::from(place.by_column);
                (0..u32::from(call.rows))
                    .map(move |r| (call.row + r, call.column + c, first + r * u32::from(place.by_row)))
            })
        })
    }

    /// Bytes of the list of [`Pattern::entries`].
    pub fn memory_of_entries(&self) -> usize {
        self.written().count() * size_of::<(u32, u32, u32)>()
    }

    /// The entries that calls write, each once: row, column, offset.
    pub fn entries(&self) -> Vec<(u32, u32, u32)> {
        // Allocate once: the caller has reserved exactly this many bytes.
        let mut entries = Vec::with_capacity(self.written().count());
        entries.extend(self.written());
        entries.sort_unstable();
        entries.dedup();
        entries
    }
}

/// The atom of each unknown.
fn atoms_of(order: &Order, unknowns: usize) -> Vec<u32> {
    let mut atom_of = vec![NONE; unknowns];
    for (atom, own) in order.atoms.iter().enumerate() {
        atom_of[own.start as usize..][..usize::from(own.len)].fill(atom as u32);
    }
    atom_of
}

/// Pairs in order, each once, by counting sort on the first numbers, which are below `firsts`.
fn sorted(mut list: Vec<(u32, u32)>, firsts: usize) -> Vec<(u32, u32)> {
    list.dedup();
    let mut ends = vec![0; firsts + 1];
    list.iter().for_each(|(first, _)| ends[*first as usize + 1] += 1);
    for k in 0..firsts {
        ends[k + 1] += ends[k];
    }
    let mut out = vec![(0, 0); list.len()];
    for pair in list {
        let end: &mut usize = &mut ends[pair.0 as usize];
        out[*end] = pair;
        *end += 1;
    }
    let mut start = 0;
    for end in &ends[..firsts] {
        out[start..*end].sort_unstable();
        start = *end;
    }
    out.dedup();
    out
}

/// A pattern under construction.
struct Layout<'a> {
    order: &'a Order,
    /// Position of each atom in the order of elimination.
    position: Vec<u32>,
    supernodes: Vec<Supernode>,
    neighbours: Vec<Neighbour>,
}

/// Position of the entries of two atoms.
struct Located {
    /// The first one.
    offset: u32,
    /// Whether they are stored by rows.
    by_rows: bool,
    /// Position of the supernode that is eliminated first.
    position: usize,
    /// The other one, as a neighbour of the first; None for the pivot block.
    neighbour: Option<usize>,
}

impl<'a> Layout<'a> {
    fn new(order: &'a Order) -> Layout<'a> {
        let mut position = vec![NONE; order.atoms.len()];
        let members = order.sequence.iter().map(|block| order.blocks[*block as usize]);
        let atoms = members.flat_map(|Members { node, constraints }| [node, constraints]);
        for (k, atom) in (0..).zip(atoms.filter(|atom| *atom != NONE)) {
            position[atom as usize] = k;
        }
        Layout { order, position, supernodes: Vec::new(), neighbours: Vec::new() }
    }

    /// Assigns indices to supernodes and neighbours; returns the numbers of values and of factors.
    fn place_all(&mut self, is_tied: &[bool]) -> Option<(usize, usize)> {
        let (mut values, mut forward, mut back, mut updates) = (0u32, 0u32, 0u32, 0u32);
        for block in self.order.sequence.iter().map(|block| *block as usize) {
            let Members { node, constraints } = self.order.blocks[block];
            let around = &self.order.neighbours[block];
            for atom in [node, constraints].into_iter().filter(|atom| *atom != NONE) {
                // After the elimination of its node, constraints are coupled with all neighbours of
                // the node.
                let has_constraints = atom == node && constraints != NONE;
                let own = around.iter().filter(|neighbour| atom == constraints || neighbour.node);
                let mut atoms: Vec<u32> = own.map(|neighbour| neighbour.atom).collect();
                atoms.extend(Some(constraints).filter(|_| has_constraints));
                atoms.sort_unstable();
                let (start, len) = self.unknowns(atom);
                let width = u32::from(len);
                let first = self.neighbours.len() as u32;
                self.supernodes.push(Supernode {
                    start,
                    len,
                    values,
                    added: NONE,
                    inverse: forward,
                    neighbours: (first, first + atoms.len() as u32),
                    updates,
                    has_constraints,
                    carries: false,
                    is_node: atom == node,
                    is_tied: is_tied.get(atom as usize).is_none_or(|tied| *tied),
                    whole: NONE,
                });
                values = values.checked_add(width * width)?;
                forward = forward.checked_add(width * width)?;
                updates = updates.checked_add((atoms.len() as u32).checked_pow(2)?)?;
                for atom in atoms {
                    let (start, len) = self.unknowns(atom);
                    let (rows, columns) = (forward, back);
                    self.neighbours.push(Neighbour {
                        start,
                        len,
                        atom,
                        values,
                        added: NONE,
                        rows,
                        columns,
                        whole: NONE,
                    });
                    let entries = width * u32::from(len);
                    values = values.checked_add(2 * entries)?;
                    forward = forward.checked_add(entries)?;
                    back = back.checked_add(entries)?;
                }
            }
        }
        let mut factors = forward.checked_add(back)?;
        self.neighbours.iter_mut().for_each(|neighbour| neighbour.columns += forward);
        for k in 0..self.supernodes.len() {
            // The whole is stored with the last of its supernodes, which has all neighbours of the
            // whole.
            let Supernode { len, neighbours, has_constraints, .. } = self.supernodes[k];
            if has_constraints {
                continue;
            }
            let before =
                k.checked_sub(1).map(|before| &self.supernodes[before]).filter(|before| before.has_constraints);
            let rows = u32::from(len) + before.map_or(0, |node| u32::from(node.len));
            self.supernodes[k].whole = factors;
            factors = factors.checked_add(rows * rows)?;
            for neighbour in &mut self.neighbours[neighbours.0 as usize..neighbours.1 as usize] {
                neighbour.whole = factors;
                factors = factors.checked_add(2 * rows * u32::from(neighbour.len))?;
            }
        }
        Some((values as usize, factors as usize))
    }

    fn unknowns(&self, atom: u32) -> (u32, u8) {
        let atom = &self.order.atoms[atom as usize];
        (atom.start, atom.len)
    }

    fn locate(&self, row: u32, column: u32) -> Option<Located> {
        let [of_row, of_column] = [row, column].map(|atom| self.position[atom as usize] as usize);
        let position = of_row.min(of_column);
        let supernode = &self.supernodes[position];
        if row == column {
            return Some(Located { offset: supernode.values, by_rows: false, position, neighbour: None });
        }
        let by_rows = of_row == position;
        let (first, end) = (supernode.neighbours.0 as usize, supernode.neighbours.1 as usize);
        let other = if by_rows { column } else { row };
        let found = first + self.neighbours[first..end].binary_search_by_key(&other, |other| other.atom).ok()?;
        let Neighbour { len, values, .. } = self.neighbours[found];
        let offset = values + if by_rows { 0 } else { u32::from(supernode.len) * u32::from(len) };
        Some(Located { offset, by_rows, position, neighbour: Some(found) })
    }

    /// Size of the sums of Schur complements for the pivot block of a supernode.
    fn size_of_pivot(&self, position: usize) -> usize {
        let len = usize::from(self.supernodes[position].len);
        len * len + len
    }

    /// Size of the sums of Schur complements for E and G of a neighbour.
    fn size_of_coupling(&self, position: usize, neighbour: usize) -> usize {
        2 * usize::from(self.supernodes[position].len) * usize::from(self.neighbours[neighbour].len)
    }

    /// Destination of each update, in order of pairs of neighbours, and the memory for them: the
    /// sums for a supernode are used when it is eliminated, and their memory is reused for later
    /// ones.
    fn place_updates(&mut self) -> Option<(Vec<Update>, usize)> {
        let mut updates = Vec::new();
        // Free places, by their size.
        let mut unused: [Vec<u32>; LARGEST + 1] = std::array::from_fn(|_| Vec::new());
        let mut end = 0u32;
        for position in 0..self.supernodes.len() {
            let Supernode { neighbours, has_constraints, added, .. } = self.supernodes[position];
            let (first, last) = (neighbours.0 as usize, neighbours.1 as usize);
            let own = position..position + 1 + usize::from(has_constraints);
            self.supernodes[own].iter_mut().for_each(|supernode| supernode.carries |= added != NONE);
            for (row, column) in (first..last).flat_map(|row| (first..last).map(move |column| (row, column))) {
                let [row, column] = [row, column].map(|neighbour| self.neighbours[neighbour].atom);
                let Located { offset, by_rows, position: into, neighbour } = self.locate(row, column)?;
                if row == column && has_constraints && into == position + 1 {
                    updates.push(Update { offset: NONE, by_rows });
                    continue;
                }
                let size = match neighbour {
                    None => self.size_of_pivot(into),
                    Some(neighbour) => self.size_of_coupling(into, neighbour),
                };
                let (place, start) = match neighbour {
                    None => {
                        let Supernode { added, values, .. } = &mut self.supernodes[into];
                        (added, *values)
                    }
                    Some(neighbour) => {
                        let Neighbour { added, values, .. } = &mut self.neighbours[neighbour];
                        (added, *values)
                    }
                };
                if *place == NONE {
                    *place = unused[size].pop().unwrap_or(end);
                    if *place == end {
                        end = end.checked_add(size as u32)?;
                    }
                }
                updates.push(Update { offset: *place + offset - start, by_rows });
            }
            if added != NONE {
                unused[self.size_of_pivot(position)].push(added);
            }
            for neighbour in first..last {
                if self.neighbours[neighbour].added != NONE {
                    unused[self.size_of_coupling(position, neighbour)].push(self.neighbours[neighbour].added);
                }
            }
        }
        Some((updates, end as usize))
    }

    /// Indices of the calls, and the ranges of values that must be cleared before an assembly.
    fn places(&self, atom_of: &[u32], calls: &[Call], values: usize) -> Option<(Vec<Place>, Vec<Range>)> {
        let mut written = vec![false; values];
        let mut cleared = Vec::new();
        let mut places = Vec::with_capacity(calls.len());
        for call in calls {
            let [row, column] = [call.row, call.column].map(|unknown| atom_of[unknown as usize]);
            let [a, b] = [row, column].map(|atom| self.order.atoms[atom as usize]);
            let (i, j) = (call.row - a.start, call.column - b.start);
            let (rows, columns) = (u32::from(call.rows), u32::from(call.columns));
            if i + rows > a.len.into() || j + columns > b.len.into() {
                return None;
            }
            let Located { offset, by_rows, .. } = self.locate(row, column)?;
            let (by_row, by_column) = if by_rows { (b.len, 1) } else { (1, a.len) };
            let offset = offset + i * u32::from(by_row) + j * u32::from(by_column);
            let all = (0..columns).flat_map(|c| (0..rows).map(move |r| (r, c)));
            let entries = all.map(|(r, c)| (offset + r * u32::from(by_row) + c * u32::from(by_column)) as usize);
            let first = entries.clone().all(|entry| !written[entry]);
            for entry in entries {
                if !first && !written[entry] {
                    cleared.push((entry as u32, entry as u32 + 1));
                }
                written[entry] = true;
            }
            places.push(Place { offset, by_row, by_column, first });
        }
        cleared.sort_unstable();
        cleared.dedup_by(|next, last| {
            let joins = next.0 == last.1;
            last.1 = if joins { next.1 } else { last.1 };
            joins
        });
        Some((places, cleared))
    }
}
