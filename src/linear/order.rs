//! Symbolic work of the block elimination: which constraints go with which node, and in which order blocks are eliminated.
//!
//! A block is a node with the constraints that tie it to the node next to it on the way to the ground. A spanning tree that
//! grows from the ground makes that choice; constraints that it leaves out close loops and are blocks of their own. Blocks
//! may be eliminated in any order as far as regularity goes: the constraints of eliminated nodes, ordered from the ground,
//! have gradients of block triangular form with full rank on the diagonal. Only what closes a loop has to wait for the
//! nodes on that loop, up to where both ways meet. The order is the greedy one: next comes the block that costs least
//! (minimum degree, with operations in place of degrees), so that trees go from the leaves and lines from an end.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};

/// No index.
pub const NONE: u32 = u32::MAX;

/// Most constraints of one block.
pub const MOST: usize = 6;

/// Most pairs of neighbours per block, on average: each takes memory of its own. Beyond that the graph is close to full.
const MOST_PAIRS: usize = 256;

/// The unknowns of a node, or constraints in a row that tie the same nodes.
#[derive(Debug, Clone, Copy)]
pub struct Atom {
    /// Index of its first unknown.
    pub start: u32,
    /// Number of unknowns.
    pub len: u8,
    /// The block that it belongs to.
    pub block: u32,
}

/// What is eliminated at once: a node, constraints, or both.
#[derive(Debug, Clone, Copy)]
pub struct Members {
    /// The node's atom, or `NONE`.
    pub node: u32,
    /// The constraints' atom, or `NONE`.
    pub constraints: u32,
}

/// A block that is left, and how the one that is eliminated couples with it.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    /// Atom of a block that is eliminated later.
    pub atom: u32,
    /// Whether the node itself is coupled, not its constraints alone.
    pub node: bool,
}

/// Blocks in the order of their elimination.
pub struct Order {
    /// Nodes first, then constraints.
    pub atoms: Vec<Atom>,
    /// By number of the block.
    pub blocks: Vec<Members>,
    /// Blocks in order.
    pub sequence: Vec<u32>,
    /// What each block is coupled with when it is eliminated, by number of the block.
    pub neighbours: Vec<Vec<Neighbour>>,
}

/// Operations of eliminating a block of a node of `w` unknowns, `m` constraints, and `b` unknowns coupled, `x` of them with the
/// node itself.
fn operations(w: usize, m: usize, b: usize, x: usize) -> f64 {
    let [w, m, b, x] = [w, m, b, x].map(|n| n as f64);
    let inverses = 2.0 * (w * w * w + m * m * m);
    let own = 2.0 * w * m * (w + m);
    inverses + own + x * (2.0 * w * w + 4.0 * w * m) + 2.0 * m * m * b + 2.0 * (m * b * b + w * x * x)
}

/// Constraints in a row with the same nodes, each node's list sorted.
struct Group {
    first: usize,
    len: usize,
    nodes: Vec<u32>,
}

/// Groups of constraints from sorted pairs (constraint, node).
fn groups(constraints: usize, ties: &[(u32, u32)]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut rest = ties;
    for constraint in 0..constraints {
        let count = rest.iter().take_while(|(k, _)| *k as usize == constraint).count();
        let (own, after) = rest.split_at(count);
        rest = after;
        let same = |group: &Group| group.nodes.iter().eq(own.iter().map(|(_, node)| node)) && group.len < MOST;
        match found.last_mut().filter(|group| same(group)) {
            Some(group) => group.len += 1,
            None => {
                let nodes = own.iter().map(|(_, node)| *node).collect();
                found.push(Group { first: constraint, len: 1, nodes });
            }
        }
    }
    found
}

/// A spanning forest that grows from the ground: of each node the one before it, its distance, and its group.
struct Forest {
    above: Vec<u32>,
    depth: Vec<u32>,
    group: Vec<u32>,
}

fn span(widths: &[u8], groups: &[Group]) -> Forest {
    let n = widths.len();
    let mut incident: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut forest = Forest { above: vec![NONE; n], depth: vec![NONE; n], group: vec![NONE; n] };
    let mut queue = VecDeque::new();
    for (k, group) in groups.iter().enumerate() {
        match group.nodes[..] {
            [node] if forest.depth[node as usize] == NONE && group.len <= widths[node as usize] as usize => {
                (forest.depth[node as usize], forest.group[node as usize]) = (0, k as u32);
                queue.push_back(node);
            }
            [a, b] => {
                incident[a as usize].push(k as u32);
                incident[b as usize].push(k as u32);
            }
            _ => (),
        }
    }
    // First all that hangs on the ground, then what hangs on nothing.
    for root in std::iter::once(None).chain((0..n).map(Some)) {
        if let Some(root) = root.filter(|root| forest.depth[*root] == NONE) {
            forest.depth[root] = 0;
            queue.push_back(root as u32);
        }
        while let Some(node) = queue.pop_front() {
            for k in &incident[node as usize] {
                let group = &groups[*k as usize];
                let other = if group.nodes[0] == node { group.nodes[1] } else { group.nodes[0] } as usize;
                if forest.depth[other] == NONE && group.len <= widths[other] as usize {
                    forest.above[other] = node;
                    forest.depth[other] = forest.depth[node as usize] + 1;
                    forest.group[other] = *k;
                    queue.push_back(other as u32);
                }
            }
        }
    }
    forest
}

impl Forest {
    /// Calls `each` for the nodes on the ways between some nodes, without the one where all meet; false after `most`.
    fn for_each_between(&self, nodes: &[u32], most: usize, mut each: impl FnMut(u32)) -> bool {
        let mut ends = nodes.to_vec();
        for _ in 0..most {
            ends.sort_unstable_by_key(|node| (if *node == NONE { 0 } else { self.depth[*node as usize] + 1 }, *node));
            ends.dedup();
            let Some(deepest) = ends.pop().filter(|node| *node != NONE && !(ends.is_empty() && nodes.len() > 1)) else {
                return true;
            };
            each(deepest);
            ends.push(self.above[deepest as usize]);
        }
        false
    }
}

/// Blocks that are left while the order is made.
struct Left {
    /// Coupled atoms of each block, and whether its node is coupled.
    coupled: Vec<BTreeMap<u32, bool>>,
    /// Unknowns coupled with the block, and with its node.
    columns: Vec<[usize; 2]>,
}

impl Left {
    fn couple(&mut self, block: u32, atom: u32, len: usize, node: bool) {
        let columns = &mut self.columns[block as usize];
        match self.coupled[block as usize].entry(atom) {
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(node);
                columns[0] += len;
                columns[1] += if node { len } else { 0 };
            }
            std::collections::btree_map::Entry::Occupied(mut entry) => {
                if node && !entry.get() {
                    entry.insert(true);
                    columns[1] += len;
                }
            }
        }
    }

    fn part(&mut self, block: u32, atom: u32, len: usize) {
        if let Some(node) = self.coupled[block as usize].remove(&atom) {
            let columns = &mut self.columns[block as usize];
            columns[0] -= len;
            columns[1] -= if node { len } else { 0 };
        }
    }
}

/// Order of a matrix with nodes of `widths`, then `constraints`, from sorted pairs (constraint, node), and pairs of different
/// nodes that are coupled. None where it would take more than `limit` operations, or nearly all are coupled with all.
pub fn order(
    widths: &[u8],
    constraints: usize,
    ties: &[(u32, u32)],
    pairs: &[(u32, u32)],
    limit: f64,
) -> Option<Order> {
    let n = widths.len();
    let groups = groups(constraints, ties);
    let forest = span(widths, &groups);
    let mut atoms = Vec::with_capacity(n + groups.len());
    let mut start = 0;
    for (node, width) in widths.iter().enumerate() {
        atoms.push(Atom { start, len: *width, block: node as u32 });
        start += u32::from(*width);
    }
    let mut blocks: Vec<Members> = (0..n as u32).map(|node| Members { node, constraints: NONE }).collect();
    for group in &groups {
        atoms.push(Atom { start: start + group.first as u32, len: group.len as u8, block: NONE });
    }
    for (node, group) in forest.group.iter().enumerate().filter(|(_, group)| **group != NONE) {
        blocks[node].constraints = n as u32 + group;
        atoms[n + *group as usize].block = node as u32;
    }
    let mut waiting = vec![0u32; n];
    let mut waited_for: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut most = 64 * (n + groups.len());
    for (k, group) in groups.iter().enumerate() {
        if atoms[n + k].block == NONE {
            let block = blocks.len() as u32;
            atoms[n + k].block = block;
            blocks.push(Members { node: NONE, constraints: (n + k) as u32 });
            let mut count = 0;
            let walked = forest.for_each_between(&group.nodes, most, |node| {
                waited_for[node as usize].push(block);
                count += 1;
            });
            if !walked {
                return None;
            }
            most -= count as usize;
            waiting.push(count);
        }
    }

    let mut left = Left { coupled: vec![BTreeMap::new(); blocks.len()], columns: vec![[0; 2]; blocks.len()] };
    let mut join = |a: u32, b: u32| {
        for (a, b) in [(a, b), (b, a)] {
            let (block, other) = (atoms[a as usize].block, atoms[b as usize]);
            if block != other.block {
                left.couple(block, b, other.len.into(), (a as usize) < n);
            }
        }
    };
    pairs.iter().for_each(|(a, b)| join(*a, *b));
    for (k, group) in groups.iter().enumerate() {
        group.nodes.iter().for_each(|node| join(*node, (n + k) as u32));
    }

    let len = |atom: u32| if atom == NONE { 0 } else { usize::from(atoms[atom as usize].len) };
    let cost = |left: &Left, block: u32| {
        let Members { node, constraints } = blocks[block as usize];
        let [b, x] = left.columns[block as usize];
        operations(len(node), len(constraints), b, x) as u64
    };
    let mut heap: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
    (0..blocks.len() as u32)
        .filter(|block| waiting[*block as usize] == 0)
        .for_each(|block| heap.push(Reverse((cost(&left, block), block))));
    let mut done = vec![false; blocks.len()];
    let mut sequence = Vec::with_capacity(blocks.len());
    let mut neighbours: Vec<Vec<Neighbour>> = vec![Vec::new(); blocks.len()];
    let (mut total, mut pairs_left) = (0.0, MOST_PAIRS * blocks.len());
    while let Some(Reverse((price, block))) = heap.pop() {
        if done[block as usize] || price != cost(&left, block) {
            continue;
        }
        done[block as usize] = true;
        sequence.push(block);
        total += price as f64;
        let own = blocks[block as usize];
        let around: Vec<Neighbour> = std::mem::take(&mut left.coupled[block as usize])
            .into_iter()
            .map(|(atom, node)| Neighbour { atom, node })
            .collect();
        pairs_left = pairs_left.checked_sub(around.len() * around.len())?;
        if total > limit {
            return None;
        }
        let mut owners: Vec<u32> = around.iter().map(|neighbour| atoms[neighbour.atom as usize].block).collect();
        owners.sort_unstable();
        owners.dedup();
        for owner in owners {
            [own.node, own.constraints].into_iter().filter(|atom| *atom != NONE).for_each(|atom| {
                left.part(owner, atom, len(atom));
            });
            let node = blocks[owner as usize].node;
            let node = around.iter().any(|neighbour| neighbour.atom == node);
            for neighbour in around.iter().filter(|neighbour| atoms[neighbour.atom as usize].block != owner) {
                left.couple(owner, neighbour.atom, len(neighbour.atom), node);
            }
            if waiting[owner as usize] == 0 {
                heap.push(Reverse((cost(&left, owner), owner)));
            }
        }
        neighbours[block as usize] = around;
        if own.node != NONE {
            for closing in &waited_for[own.node as usize] {
                waiting[*closing as usize] -= 1;
                if waiting[*closing as usize] == 0 {
                    heap.push(Reverse((cost(&left, *closing), *closing)));
                }
            }
        }
    }
    (sequence.len() == blocks.len()).then_some(())?;
    let sequence = depth_first(&sequence, &neighbours, &atoms);
    Some(Order { atoms, blocks, sequence, neighbours })
}

/// The same elimination in an order in which a block follows soon on those that change it: depth first in the tree in which
/// a block hangs on the first of its neighbours that is eliminated after it.
fn depth_first(sequence: &[u32], neighbours: &[Vec<Neighbour>], atoms: &[Atom]) -> Vec<u32> {
    let mut place = vec![0; sequence.len()];
    sequence.iter().enumerate().for_each(|(k, block)| place[*block as usize] = k as u32);
    let mut below: Vec<Vec<u32>> = vec![Vec::new(); sequence.len()];
    let mut open = Vec::new();
    for block in sequence {
        let around = neighbours[*block as usize].iter().map(|neighbour| atoms[neighbour.atom as usize].block);
        match around.min_by_key(|other| place[*other as usize]) {
            Some(next) => below[next as usize].push(*block),
            None => open.push(*block),
        }
    }
    // From the end: a block before all that hangs on it.
    let mut order = Vec::with_capacity(sequence.len());
    while let Some(block) = open.pop() {
        order.push(block);
        open.append(&mut below[block as usize]);
    }
    order.reverse();
    order
}
