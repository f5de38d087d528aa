//! Makes the plan of a block elimination from the calls of the first assembly: which block couples with which, and what stands where.

use super::order::{MOST, NONE, Order, order};
use super::pairs::arrange;
use super::plan::{Block, Call, Change, MOST_OF_TRIPLE, Place, Plan, Ranges, Tie};

/// Whether a block is one of these: a node of a line or of a chain of points, without constraints, with nodes like it around.
fn is_triple(block: &Block, ties: &[Tie]) -> bool {
    (block.node.1, block.constraints.1) == (3, 0)
        && ties.len() <= MOST_OF_TRIPLE
        && ties.iter().all(|tie| tie.len == 3 && tie.node)
}

/// Most entries of a part: B1 and B2, or E and G, of 6 by 6.
const LARGEST: usize = 72;

/// First of the values of A, of B1 and B2, or of C, and room for what is added to them: behind what is added to A and to C stand
/// sizes, one for each row.
fn part_of_block(block: &Block, part: usize) -> (u32, u32) {
    let (w, m) = (u32::from(block.node.1), u32::from(block.constraints.1));
    let sizes = [w * w, 2 * w * m, m * m];
    (block.values + sizes[..part].iter().sum::<u32>(), sizes[part] + [w, 0, m][part])
}

/// The same of E and G, or of F and H.
fn part_of_tie(block: &Block, tie: &Tie, part: usize) -> (u32, u32) {
    let (w, m, len) = (u32::from(block.node.1), u32::from(block.constraints.1), u32::from(tie.len));
    let sizes = [if tie.node { 2 * w * len } else { 0 }, 2 * m * len];
    (tie.values + sizes[..part].iter().sum::<u32>(), sizes[part])
}

/// Which part of a block an atom is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Node,
    Constraints,
}

/// Finds entries.
struct Map<'a> {
    order: &'a Order,
    /// Of the unknowns.
    atom_of: &'a [u32],
    /// Of the blocks, by number.
    position: Vec<u32>,
    blocks: Vec<Block>,
    ties: Vec<Tie>,
}

/// Where the entries of two atoms stand.
struct Located {
    /// The first one.
    offset: u32,
    /// Whether they stand by rows.
    by_rows: bool,
    /// Position of the block, and the neighbour there.
    position: u32,
    tie: Option<u32>,
}

impl Map<'_> {
    fn part(&self, atom: u32) -> Part {
        let members = self.order.blocks[self.order.atoms[atom as usize].block as usize];
        if members.node == atom { Part::Node } else { Part::Constraints }
    }

    fn locate(&self, row: u32, column: u32) -> Option<Located> {
        let at = |atom: u32| self.position[self.order.atoms[atom as usize].block as usize];
        let position = at(row).min(at(column));
        let block = &self.blocks[position as usize];
        let (w, m) = (u32::from(block.node.1), u32::from(block.constraints.1));
        if at(row) == at(column) {
            let (offset, by_rows) = match (self.part(row), self.part(column)) {
                (Part::Node, Part::Node) => (0, false),
                (Part::Node, Part::Constraints) => (w * w, false),
                (Part::Constraints, Part::Node) => (w * w + w * m, true),
                (Part::Constraints, Part::Constraints) => (w * w + 2 * w * m, false),
            };
            return Some(Located { offset: block.values + offset, by_rows, position, tie: None });
        }
        let (own, other, own_is_row) = if at(row) == position { (row, column, true) } else { (column, row, false) };
        let ties = &self.ties[block.ties.0 as usize..block.ties.1 as usize];
        let found = ties.binary_search_by_key(&other, |tie| tie.atom).ok()?;
        let tie = &ties[found];
        let len = u32::from(tie.len);
        let beyond = if tie.node { 2 * w * len } else { 0 };
        let (offset, by_rows) = match (self.part(own), own_is_row) {
            (Part::Node, _) if !tie.node => return None,
            (Part::Node, true) => (0, false),
            (Part::Node, false) => (w * len, true),
            (Part::Constraints, true) => (beyond, true),
            (Part::Constraints, false) => (beyond + m * len, false),
        };
        let (offset, tie) = (tie.values + offset, Some(block.ties.0 + found as u32));
        Some(Located { offset, by_rows, position, tie })
    }
}

/// From the graph that the calls of one assembly show; None where it would take more than `limit` operations, or the
/// calls are not of this form.
pub fn plan(widths: &[u8], constraints: usize, calls: &[Call], limit: f64) -> Option<Plan> {
    // The node of each unknown, or its constraint.
    let nodes = widths.iter().enumerate().flat_map(|(node, width)| (0..*width).map(move |_| node as u32));
    let node_of: Vec<u32> = nodes.collect();
    let dofs = node_of.len();
    u32::try_from(dofs + constraints).ok()?;
    let (mut ties, mut pairs) = (Vec::new(), Vec::new());
    for call in calls {
        let (row, column) = (call.row as usize, call.column as usize);
        match (row < dofs, column < dofs) {
            (true, true) if node_of[row] != node_of[column] => {
                pairs.push((node_of[row].min(node_of[column]), node_of[row].max(node_of[column])));
            }
            (true, true) => (),
            (true, false) => {
                (0..usize::from(call.columns)).for_each(|k| ties.push(((column + k - dofs) as u32, node_of[row])));
            }
            (false, true) => {
                (0..usize::from(call.rows)).for_each(|k| ties.push(((row + k - dofs) as u32, node_of[column])));
            }
            (false, false) => return None,
        }
    }
    ties = sorted(ties, constraints);
    pairs = sorted(pairs, widths.len());
    let mut free = vec![true; widths.len()];
    ties.iter().for_each(|(_, node)| free[*node as usize] = false);
    let mut order = order(widths, constraints, &ties, &pairs, limit)?;
    let twins = arrange(&mut order);
    let atom_of = atoms_of(&order, node_of, constraints);
    let plan = Map::new(&order, &atom_of).plan(calls, &free)?;
    Some(Plan { twins, ..plan })
}

/// The atom of each unknown.
fn atoms_of(order: &Order, node_of: Vec<u32>, constraints: usize) -> Vec<u32> {
    let mut atom_of = node_of;
    let dofs = atom_of.len();
    atom_of.resize(dofs + constraints, NONE);
    for (atom, own) in order.atoms.iter().enumerate() {
        (own.start..own.start + u32::from(own.len)).for_each(|unknown| atom_of[unknown as usize] = atom as u32);
    }
    atom_of
}

/// In order, each once; the first of both is below `firsts`.
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

impl<'a> Map<'a> {
    fn new(order: &'a Order, atom_of: &'a [u32]) -> Map<'a> {
        let mut position = vec![0; order.blocks.len()];
        order.sequence.iter().enumerate().for_each(|(k, block)| position[*block as usize] = k as u32);
        Map { order, atom_of, position, blocks: Vec::new(), ties: Vec::new() }
    }

    /// The plan; for `free` see [`Map::lay_out`].
    fn plan(mut self, calls: &[Call], free: &[bool]) -> Option<Plan> {
        let (values, factors) = self.lay_out(free)?;
        let (changes, added) = self.changes()?;
        let (places, cleared) = self.places(calls, values)?;
        let Map { blocks, ties, .. } = self;
        let (calls, twins) = (calls.to_vec(), Vec::new());
        Some(Plan { blocks, twins, ties, changes, calls, places, cleared, values, factors, added })
    }

    /// Gives blocks and neighbours their places, `free` the nodes without constraints; returns the numbers of values and of
    /// factors.
    fn lay_out(&mut self, free: &[bool]) -> Option<(usize, usize)> {
        let (mut values, mut factors, mut back, mut changes) = (0u32, 0u32, 0u32, 0u32);
        for number in &self.order.sequence {
            let members = self.order.blocks[*number as usize];
            let of = |atom: u32| match atom {
                NONE => (0, 0),
                atom => (self.order.atoms[atom as usize].start, self.order.atoms[atom as usize].len),
            };
            let (node, own) = (of(members.node), of(members.constraints));
            let (w, m) = (u32::from(node.1), u32::from(own.1));
            let first = self.ties.len() as u32;
            let block_values = values;
            let [block_factors, block_back] = [factors, back];
            values = values.checked_add((w + m) * (w + m))?;
            factors = factors.checked_add(w * w + w * m + m * m)?;
            back = back.checked_add(w * m)?;
            for neighbour in &self.order.neighbours[*number as usize] {
                let (start, len) = of(neighbour.atom);
                let (atom, node) = (neighbour.atom, neighbour.node && w > 0);
                self.ties.push(Tie { start, len, node, added: [NONE; 2], values, factors, back, whole: NONE, atom });
                let entries = if node { w + m } else { m } * u32::from(len);
                values = values.checked_add(2 * entries)?;
                factors = factors.checked_add(entries)?;
                back = back.checked_add(entries)?;
            }
            let ties = (first, self.ties.len() as u32);
            let (values, whole) = (block_values, NONE);
            let added = [NONE; 3];
            let counted = free.get(members.node as usize).is_none_or(|free| !free);
            let mut block = Block {
                node,
                constraints: own,
                values,
                factors: block_factors,
                back: block_back,
                whole,
                added,
                ties,
                changes,
                triple: false,
                counted,
            };
            block.triple = is_triple(&block, &self.ties[first as usize..]);
            self.blocks.push(block);
            if block.triple {
                // Those are few numbers: they stand side by side.
                back = block_back;
                factors = block_factors + w * w;
                for tie in &mut self.ties[first as usize..] {
                    (tie.factors, tie.back) = (factors, factors + w * w);
                    factors = factors.checked_add(2 * w * w)?;
                }
            }
            changes = changes.checked_add((ties.1 - ties.0).checked_pow(2)?)?;
        }
        let forward = factors;
        factors = factors.checked_add(back)?;
        for block in &mut self.blocks {
            let rows = u32::from(block.node.1 + block.constraints.1);
            (block.back, block.whole) = (forward + block.back, factors);
            factors = factors.checked_add(rows * rows)?;
            for tie in &mut self.ties[block.ties.0 as usize..block.ties.1 as usize] {
                if !block.triple {
                    tie.back += forward;
                }
                tie.whole = factors;
                factors = factors.checked_add(2 * rows * u32::from(tie.len))?;
            }
        }
        Some((values as usize, factors as usize))
    }

    /// What each elimination changes, in order of pairs of neighbours, and how much memory that takes: what is added to a
    /// block is used when it is eliminated, and leaves its place to what is added to later ones.
    fn changes(&mut self) -> Option<(Vec<Change>, usize)> {
        let mut changes = Vec::new();
        // Places that were left, by their size.
        let mut unused: [Vec<u32>; LARGEST + 1] = std::array::from_fn(|_| Vec::new());
        let mut end = 0u32;
        for position in 0..self.blocks.len() {
            let (first, last) = self.blocks[position].ties;
            for row in first..last {
                for column in first..last {
                    let atoms = [row, column].map(|tie| self.ties[tie as usize].atom);
                    let Located { offset, by_rows, position: into, tie, .. } = self.locate(atoms[0], atoms[1])?;
                    let own = |atom: u32| self.position[self.order.atoms[atom as usize].block as usize] == into;
                    let part = |atom: u32| usize::from(self.part(atom) == Part::Constraints);
                    let part = match tie {
                        None => part(atoms[0]) + part(atoms[1]),
                        Some(_) => part(if own(atoms[0]) { atoms[0] } else { atoms[1] }),
                    };
                    let (start, size) = match tie {
                        None => part_of_block(&self.blocks[into as usize], part),
                        Some(tie) => part_of_tie(&self.blocks[into as usize], &self.ties[tie as usize], part),
                    };
                    let added = match tie {
                        None => &mut self.blocks[into as usize].added[part],
                        Some(tie) => &mut self.ties[tie as usize].added[part],
                    };
                    if *added == NONE {
                        *added = unused[size as usize].pop().unwrap_or(end);
                        if *added == end {
                            end = end.checked_add(size)?;
                        }
                    }
                    changes.push(Change { offset: *added + offset - start, by_rows });
                }
            }
            let block = &self.blocks[position];
            let of_block = (0..3).map(|part| (block.added[part], part_of_block(block, part).1));
            let of_ties = self.ties[first as usize..last as usize]
                .iter()
                .flat_map(|tie| [0, 1].map(|part| (tie.added[part], part_of_tie(block, tie, part).1)));
            for (place, size) in of_block.chain(of_ties).filter(|(place, _)| *place != NONE) {
                unused[size as usize].push(place);
            }
        }
        Some((changes, end as usize))
    }

    /// Places of the calls, and what has to be cleared before an assembly.
    fn places(&self, calls: &[Call], values: usize) -> Option<(Vec<Place>, Ranges)> {
        let mut written = vec![false; values];
        let mut cleared = Vec::new();
        let mut places = Vec::with_capacity(calls.len());
        for call in calls {
            let [row, column] = [call.row, call.column].map(|unknown| self.atom_of[unknown as usize]);
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

const _: () = assert!(MOST == 6);
