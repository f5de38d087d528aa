//! Finds the chains of nodes that `chain` eliminates two at a time: nodes of mooring lines.
//!
//! A chain begins at a node with one neighbour and continues through nodes with one more each. A
//! chain between two nodes with imposed motion, which ends without a neighbour, is folded in the
//! middle: it becomes two chains that are eliminated from both ends (Babuska 1972, SIAM J. Numer.
//! Anal. 9, 53).

use super::order::{Members, NONE, Neighbour, Order};

/// Least length of chains for which pairs are faster.
const SHORT: usize = 4;

/// Moves the chains that form pairs to the beginning of an order: of each pair the nodes of the
/// first chain, then as many of the second. Returns the length of each pair; folded chains have
/// other neighbours afterwards.
pub fn pair_chains(order: &mut Order) -> Vec<u32> {
    let Order { atoms, blocks, sequence, neighbours } = order;
    let of = |neighbour: &Neighbour| atoms[neighbour.atom as usize].block as usize;
    let mut feeders = vec![0u32; blocks.len()];
    neighbours.iter().flatten().for_each(|neighbour| feeders[of(neighbour)] += 1);
    let is_slim = |block: usize, neighbours: &[Vec<Neighbour>]| {
        let Members { node, constraints } = blocks[block];
        let around = &neighbours[block];
        let is_triple = |neighbour: &Neighbour| neighbour.node && atoms[neighbour.atom as usize].len == 3;
        constraints == NONE && atoms[node as usize].len == 3 && around.len() < 2 && around.iter().all(is_triple)
    };
    let mut chains = Vec::new();
    let mut place = vec![0; sequence.len()];
    sequence.iter().enumerate().for_each(|(k, block)| place[*block as usize] = k);
    for start in 0..blocks.len() {
        if feeders[start] > 0 || neighbours[start].is_empty() || !is_slim(start, neighbours) {
            continue;
        }
        let mut chain = vec![start as u32];
        let mut ends = false;
        while let Some(next) = neighbours[chain[chain.len() - 1] as usize].first().map(of) {
            if feeders[next] != 1 || !is_slim(next, neighbours) {
                break;
            }
            chain.push(next as u32);
            ends = neighbours[next].is_empty();
        }
        if !ends {
            chains.push(chain);
            continue;
        }
        // Only chains whose nodes are consecutive, as a depth-first order makes them.
        let first = place[start];
        if chain.len() <= 2 * SHORT || sequence.get(first..first + chain.len()) != Some(&chain[..]) {
            continue;
        }
        let middle = chain.len() / 2;
        for k in middle + 1..chain.len() {
            let atom = blocks[chain[k - 1] as usize].node;
            neighbours[chain[k] as usize] = vec![Neighbour { atom, node: true }];
        }
        neighbours[chain[middle] as usize] = Vec::new();
        let (left, right) = chain.split_at(middle);
        let right: Vec<u32> = right.iter().rev().copied().collect();
        let folded = left.iter().chain(&right).copied();
        sequence.splice(first..first + chain.len(), folded.collect::<Vec<_>>());
        chains.push(left.to_vec());
        chains.push(right[..right.len() - 1].to_vec());
    }
    chains.retain(|chain| chain.len() >= SHORT);
    chains.sort_by_key(|chain| std::cmp::Reverse(chain.len()));
    let (mut ordered, mut counts) = (Vec::with_capacity(sequence.len()), Vec::new());
    let mut is_placed = vec![false; blocks.len()];
    for pair in chains.chunks_exact(2) {
        let count = pair[1].len();
        for block in pair.iter().flat_map(|chain| &chain[..count]) {
            ordered.push(*block);
            is_placed[*block as usize] = true;
        }
        counts.push(count as u32);
    }
    ordered.extend(sequence.iter().filter(|block| !is_placed[**block as usize]));
    *sequence = ordered;
    counts
}
