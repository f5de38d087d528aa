//! Symbolic work of the block elimination: the assignment of constraints to nodes, and the order of
//! elimination.
//!
//! A block is a node with the constraints that tie it to its parent, the next node on the path to
//! the ground. A spanning tree that grows from the ground determines the parents; constraints that
//! are not in the tree close loops and are blocks of their own. Blocks may be eliminated in any
//! order without becoming singular: the constraints of eliminated nodes, ordered from the ground,
//! have gradients of block triangular form with full rank on the diagonal. Only a constraint that
//! closes a loop has to wait for the nodes of the loop. The order is greedy: next comes the block
//! with the lowest cost (minimum degree, with operations in place of degrees), so that trees are
//! eliminated from the leaves and lines from an end.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// No index.
pub const NONE: u32 = u32::MAX;

/// Most constraints of one block.
pub const MOST: usize = 6;

/// Most pairs of neighbours per block, on average: each takes memory. Beyond that the graph is
/// close to full.
const MOST_PAIRS: usize = 768;

/// Number of operations of kernels in the time of the overhead of a pair of neighbours (6 ns
/// against 0.14 ns per operation, measured on models like those of benches/linear.rs).
const PER_PAIR: f64 = 43.0;

/// The unknowns of a node, or of consecutive constraints on the same nodes.
#[derive(Debug, Clone, Copy)]
pub struct Atom {
    /// Index of its first unknown.
    pub start: u32,
    /// Number of unknowns.
    pub len: u8,
    /// The block that it belongs to.
    pub block: u32,
}

/// A set of unknowns that is eliminated at once: a node, constraints, or both.
#[derive(Debug, Clone, Copy)]
pub struct Members {
    /// The node's atom, or `NONE`.
    pub node: u32,
    /// The constraints' atom, or `NONE`.
    pub constraints: u32,
}

/// A block that is not eliminated yet, and its coupling with the one that is.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    /// Atom of a block that is eliminated later.
    pub atom: u32,
    /// Whether the node itself is coupled, not only its constraints.
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
    /// Couplings of each block when it is eliminated, by number of the block.
    pub neighbours: Vec<Vec<Neighbour>>,
}

/// Operations to eliminate a block of a node of `w` unknowns and `m` constraints that is coupled
/// with `b` unknowns, of which `x` are coupled with the node itself.
fn operations(w: usize, m: usize, b: usize, x: usize) -> f64 {
    let [w, m, b, x] = [w, m, b, x].map(|n| n as f64);
    let inverses = 2.0 * (w * w * w + m * m * m);
    let own = 2.0 * w * m * (w + m);
    inverses + own + x * (2.0 * w * w + 4.0 * w * m) + 2.0 * m * m * b + 2.0 * (m * b * b + w * x * x)
}

/// Consecutive constraints on the same nodes.
struct Group {
    first: usize,
    len: usize,
    /// First of its nodes in the list of ties, and their number.
    nodes: (usize, usize),
}

impl Group {
    /// Its nodes, in increasing order, each with one of the constraints.
    fn ties<'a>(&self, ties: &'a [(u32, u32)]) -> &'a [(u32, u32)] {
        &ties[self.nodes.0..self.nodes.0 + self.nodes.1]
    }
}

/// Groups of constraints from sorted pairs (constraint, node).
fn groups(constraints: usize, ties: &[(u32, u32)]) -> Vec<Group> {
    let mut found: Vec<Group> = Vec::new();
    let mut first = 0;
    for constraint in 0..constraints {
        let count = ties[first..].iter().take_while(|(k, _)| *k as usize == constraint).count();
        let own = &ties[first..first + count];
        let same = |group: &Group| {
            let nodes = group.ties(ties).iter().map(|(_, node)| node);
            group.len < MOST && nodes.eq(own.iter().map(|(_, node)| node))
        };
        match found.last_mut().filter(|group| same(group)) {
            Some(group) => group.len += 1,
            None => found.push(Group { first: constraint, len: 1, nodes: (first, count) }),
        }
        first += count;
    }
    found
}

/// A spanning forest that grows from the ground: of each node its parent, and its group. Groups of
/// many constraints come first (Prim 1957, Bell System Tech. J. 36, 1389), nearer ones before
/// others: so loops are closed by few constraints, which are carried along the loop, and not by
/// directions in which the loop does not move, whose pivots would vanish at its end.
struct Forest {
    above: Vec<u32>,
    group: Vec<u32>,
}

fn span(widths: &[u8], groups: &[Group], ties: &[(u32, u32)]) -> Forest {
    let n = widths.len();
    // Groups at each node, one node after the other.
    let mut first = vec![0u32; n + 1];
    let pairs = || groups.iter().enumerate().filter(|(_, group)| group.nodes.1 == 2);
    pairs().flat_map(|(_, group)| group.ties(ties)).for_each(|(_, node)| first[*node as usize + 1] += 1);
    (0..n).for_each(|node| first[node + 1] += first[node]);
    let (mut next, mut incident) = (first.clone(), vec![0u32; first[n] as usize]);
    for (k, group) in pairs() {
        for (_, node) in group.ties(ties) {
            incident[next[*node as usize] as usize] = k as u32;
            next[*node as usize] += 1;
        }
    }
    let mut forest = Forest { above: vec![NONE; n], group: vec![NONE; n] };
    let mut reached = vec![false; n];
    // Groups with one end that is reached, by their number of constraints: group, node at that end
    // or the ground.
    let mut queues: [VecDeque<(u32, u32)>; MOST + 1] = std::array::from_fn(|_| VecDeque::new());
    for (k, group) in groups.iter().enumerate().filter(|(_, group)| group.nodes.1 == 1) {
        queues[group.len].push_back((k as u32, NONE));
    }
    // First the trees on the ground, then the free ones.
    for root in std::iter::once(None).chain((0..n).map(Some)) {
        let mut arrived = root.filter(|root| !reached[*root]);
        if root.is_some() && arrived.is_none() {
            continue;
        }
        loop {
            if let Some(node) = arrived.take() {
                reached[node] = true;
                for k in &incident[first[node] as usize..first[node + 1] as usize] {
                    queues[groups[*k as usize].len].push_back((*k, node as u32));
                }
            }
            let Some((k, node)) = queues.iter_mut().rev().find_map(VecDeque::pop_front) else { break };
            let group = &groups[k as usize];
            let ends = group.ties(ties);
            let other = if ends[0].1 == node { ends[ends.len() - 1].1 } else { ends[0].1 } as usize;
            if !reached[other] && group.len <= widths[other] as usize {
                (forest.above[other], forest.group[other]) = (node, k);
                arrived = Some(other);
            }
        }
    }
    forest
}

/// A closing constraint waits for the nodes on the paths from its ends to the ground, up to their
/// common ancestor: until the first remaining nodes on these paths are the same. The ground, and
/// the root of free trees, is the node after the last.
#[derive(Clone)]
struct Waiting {
    /// For a remaining node itself, for others a node further on towards the ground.
    next: Vec<u32>,
    above: Vec<u32>,
    /// For each remaining node, the closing blocks with an end on whose path it is the first.
    at: Vec<Vec<u32>>,
    /// Nodes of each closing block, and whether they wait.
    ends: Vec<(Vec<u32>, bool)>,
}

impl Waiting {
    fn new(above: Vec<u32>) -> Waiting {
        let n = above.len();
        Waiting { next: (0..=n as u32).collect(), above, at: vec![Vec::new(); n + 1], ends: Vec::new() }
    }

    /// Makes the next closing block wait; false where it need not.
    fn wait(&mut self, mut ends: Vec<u32>) -> bool {
        if ends.len() == 1 {
            ends.push(self.above.len() as u32);
        }
        let waits = !ends.is_empty();
        ends.iter().for_each(|node| self.at[*node as usize].push(self.ends.len() as u32));
        self.ends.push((ends, waits));
        waits
    }

    /// The first remaining node on the path to the ground. Shortens the path (Tarjan, van Leeuwen
    /// 1984, J. ACM 31, 245).
    fn left(next: &mut [u32], mut node: u32) -> u32 {
        while next[node as usize] != node {
            next[node as usize] = next[next[node as usize] as usize];
            node = next[node as usize];
        }
        node
    }

    /// Removes a node; `ready` is called for the closing blocks that need not wait any longer.
    fn eliminate(&mut self, node: u32, mut ready: impl FnMut(u32)) {
        let Waiting { next, above, at, ends } = self;
        next[node as usize] = above[node as usize].min(above.len() as u32);
        let mut moved = std::mem::take(&mut at[node as usize]);
        if moved.is_empty() {
            return;
        }
        let to = Waiting::left(next, node);
        let mut kept = std::mem::take(&mut at[to as usize]);
        // Blocks with ends at both are in the shorter list, too.
        if moved.len() > kept.len() {
            std::mem::swap(&mut moved, &mut kept);
        }
        for closing in moved {
            let (ends, waits) = &mut ends[closing as usize];
            if *waits && ends.iter().all(|end| Waiting::left(next, *end) == to) {
                *waits = false;
                ready(closing);
            }
            if *waits {
                kept.push(closing);
            }
        }
        at[to as usize] = kept;
    }
}

/// Remaining blocks while the order is computed.
#[derive(Clone)]
struct Left {
    /// Couplings of each block, in increasing order of the atoms.
    coupled: Vec<Vec<Neighbour>>,
    /// Unknowns coupled with the block, and with its node.
    columns: Vec<[u32; 2]>,
}

impl Left {
    fn couple(&mut self, block: u32, atom: u32, len: u8, node: bool) {
        let [all, of_node] = &mut self.columns[block as usize];
        let coupled = &mut self.coupled[block as usize];
        match coupled.binary_search_by_key(&atom, |neighbour| neighbour.atom) {
            Err(place) => {
                coupled.insert(place, Neighbour { atom, node });
                *all += u32::from(len);
                *of_node += if node { u32::from(len) } else { 0 };
            }
            Ok(place) if node && !coupled[place].node => {
                coupled[place].node = true;
                *of_node += u32::from(len);
            }
            Ok(_) => (),
        }
    }

    fn part(&mut self, block: u32, atom: u32, len: u8) {
        let coupled = &mut self.coupled[block as usize];
        if let Ok(place) = coupled.binary_search_by_key(&atom, |neighbour| neighbour.atom) {
            let node = coupled.remove(place).node;
            let [all, of_node] = &mut self.columns[block as usize];
            *all -= u32::from(len);
            *of_node -= if node { u32::from(len) } else { 0 };
        }
    }
}

/// The order from the leaves is preferred up to this ratio of its operations to those of the
/// cheapest order, because it loses fewer digits.
const DEARER: f64 = 1.1;

/// Order of a matrix with nodes of `widths`, then `constraints`, from sorted pairs (constraint,
/// node), and pairs of different nodes that are coupled. None if the elimination would take more
/// than `limit` operations, or if the graph is close to full.
///
/// A node that is eliminated before its children contributes its mobility under its own constraints
/// to theirs: a small difference of large numbers. Elimination from the leaves only adds inertias.
/// That order is therefore preferred where it costs about as little as the cheapest one; on ladders
/// and nets it would cost many times more.
pub fn order(
    widths: &[u8],
    constraints: usize,
    ties: &[(u32, u32)],
    pairs: &[(u32, u32)],
    limit: f64,
) -> Option<Order> {
    let graph = Graph::new(widths, constraints, ties, pairs);
    let cheapest = graph.eliminate(false, limit)?;
    let hangs = graph.waiting.above.iter().any(|node| *node != NONE);
    let from_leaves = if hangs { graph.eliminate(true, DEARER * cheapest.operations) } else { None };
    let Eliminated { sequence, neighbours, .. } = from_leaves.unwrap_or(cheapest);
    let sequence = depth_first(&sequence, &neighbours, &graph.atoms);
    Some(Order { atoms: graph.atoms, blocks: graph.blocks, sequence, neighbours })
}

/// All blocks and their couplings before the elimination.
struct Graph {
    atoms: Vec<Atom>,
    blocks: Vec<Members>,
    left: Left,
    waiting: Waiting,
    /// Whether each block may be eliminated now.
    free: Vec<bool>,
}

/// The result of one symbolic elimination.
struct Eliminated {
    sequence: Vec<u32>,
    neighbours: Vec<Vec<Neighbour>>,
    operations: f64,
}

impl Graph {
    fn new(widths: &[u8], constraints: usize, ties: &[(u32, u32)], pairs: &[(u32, u32)]) -> Graph {
        let n = widths.len();
        let groups = groups(constraints, ties);
        let Forest { above, group } = span(widths, &groups, ties);
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
        for (node, group) in group.iter().enumerate().filter(|(_, group)| **group != NONE) {
            blocks[node].constraints = n as u32 + group;
            atoms[n + *group as usize].block = node as u32;
        }
        let mut waiting = Waiting::new(above);
        let mut free = vec![true; n];
        for (k, group) in groups.iter().enumerate() {
            if atoms[n + k].block == NONE {
                atoms[n + k].block = blocks.len() as u32;
                blocks.push(Members { node: NONE, constraints: (n + k) as u32 });
                free.push(!waiting.wait(group.ties(ties).iter().map(|(_, node)| *node).collect()));
            }
        }

        let mut left = Left { coupled: vec![Vec::new(); blocks.len()], columns: vec![[0; 2]; blocks.len()] };
        let mut join = |a: u32, b: u32| {
            for (a, b) in [(a, b), (b, a)] {
                let (block, other) = (atoms[a as usize].block, atoms[b as usize]);
                if block != other.block {
                    left.couple(block, b, other.len, (a as usize) < n);
                }
            }
        };
        pairs.iter().for_each(|(a, b)| join(*a, *b));
        for (k, group) in groups.iter().enumerate() {
            group.ties(ties).iter().for_each(|(_, node)| join(*node, (n + k) as u32));
        }
        Graph { atoms, blocks, left, waiting, free }
    }

    /// Number of unknowns of an atom.
    fn len(&self, atom: u32) -> u8 {
        if atom == NONE { 0 } else { self.atoms[atom as usize].len }
    }

    fn cost(&self, left: &Left, block: u32) -> u64 {
        let Members { node, constraints } = self.blocks[block as usize];
        let [b, x] = left.columns[block as usize].map(|n| n as usize);
        operations(self.len(node).into(), self.len(constraints).into(), b, x) as u64
    }

    /// Eliminates one block after the other, always one with the lowest cost; with `from_leaves` a
    /// node comes after all its children. None if the elimination takes more than `limit`
    /// operations.
    fn eliminate(&self, from_leaves: bool, limit: f64) -> Option<Eliminated> {
        let Graph { atoms, blocks, .. } = self;
        let (mut left, mut waiting, mut free) = (self.left.clone(), self.waiting.clone(), self.free.clone());
        let n = waiting.above.len();
        // Number of children of each node that are not eliminated yet.
        let mut hanging = vec![0u32; n + 1];
        if from_leaves {
            waiting.above.iter().for_each(|node| hanging[n.min(*node as usize)] += 1);
            free.iter_mut().zip(&hanging[..n]).for_each(|(free, hanging)| *free = *hanging == 0);
        }
        let mut heap: BinaryHeap<Reverse<(u64, u32)>> = (0..blocks.len() as u32)
            .filter(|block| free[*block as usize])
            .map(|block| Reverse((self.cost(&left, block), block)))
            .collect();
        let mut done = vec![false; blocks.len()];
        let mut sequence = Vec::with_capacity(blocks.len());
        let mut neighbours: Vec<Vec<Neighbour>> = vec![Vec::new(); blocks.len()];
        let (mut total, mut pairs_left) = (0.0, MOST_PAIRS * blocks.len());
        let mut owners: Vec<u32> = Vec::new();
        while let Some(Reverse((price, block))) = heap.pop() {
            if done[block as usize] || price != self.cost(&left, block) {
                continue;
            }
            done[block as usize] = true;
            sequence.push(block);
            let own = blocks[block as usize];
            let around = std::mem::take(&mut left.coupled[block as usize]);
            let pairs = around.len() * around.len();
            pairs_left = pairs_left.checked_sub(pairs)?;
            total += price as f64 + PER_PAIR * pairs as f64;
            if total > limit {
                return None;
            }
            owners.clear();
            owners.extend(around.iter().map(|neighbour| atoms[neighbour.atom as usize].block));
            owners.sort_unstable();
            owners.dedup();
            for owner in &owners {
                [own.node, own.constraints].into_iter().filter(|atom| *atom != NONE).for_each(|atom| {
                    left.part(*owner, atom, self.len(atom));
                });
                let node = blocks[*owner as usize].node;
                let node = around.iter().any(|neighbour| neighbour.atom == node);
                for neighbour in around.iter().filter(|neighbour| atoms[neighbour.atom as usize].block != *owner) {
                    left.couple(*owner, neighbour.atom, self.len(neighbour.atom), node);
                }
                if free[*owner as usize] {
                    heap.push(Reverse((self.cost(&left, *owner), *owner)));
                }
            }
            neighbours[block as usize] = around;
            if own.node != NONE {
                let mut release = |block: u32| {
                    free[block as usize] = true;
                    heap.push(Reverse((self.cost(&left, block), block)));
                };
                let above = waiting.above[own.node as usize];
                if from_leaves && above != NONE {
                    hanging[above as usize] -= 1;
                    if hanging[above as usize] == 0 {
                        release(above);
                    }
                }
                waiting.eliminate(own.node, |closing| release(n as u32 + closing));
            }
        }
        (sequence.len() == blocks.len()).then_some(Eliminated { sequence, neighbours, operations: total })
    }
}

/// The same elimination in an order in which a block follows soon after those that change it, which
/// uses the cache better: depth first in the elimination tree, in which the parent of a block is
/// the first of its neighbours that is eliminated after it.
fn depth_first(sequence: &[u32], neighbours: &[Vec<Neighbour>], atoms: &[Atom]) -> Vec<u32> {
    let mut place = vec![0; sequence.len()];
    sequence.iter().enumerate().for_each(|(k, block)| place[*block as usize] = k as u32);
    // Children of each block as linked lists: the last child, and for each block its previous
    // sibling.
    let (mut last, mut before) = (vec![NONE; sequence.len()], vec![NONE; sequence.len()]);
    let mut open = Vec::new();
    for block in sequence {
        let around = neighbours[*block as usize].iter().map(|neighbour| atoms[neighbour.atom as usize].block);
        match around.min_by_key(|other| place[*other as usize]) {
            Some(next) => before[*block as usize] = std::mem::replace(&mut last[next as usize], *block),
            None => open.push(*block),
        }
    }
    // From the end: a block before all its children.
    let mut order = Vec::with_capacity(sequence.len());
    while let Some(block) = open.pop() {
        order.push(block);
        let mut below = last[block as usize];
        while below != NONE {
            open.push(below);
            below = before[below as usize];
        }
    }
    order.reverse();
    order
}
