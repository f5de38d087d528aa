//! Elimination of blocks while the matrix is still being assembled.
//!
//! In large models entries that are assembled have left the processor's caches before elimination reads them, which costs more
//! time than their arithmetic. So an assembly makes pauses, and in each of them what is complete is eliminated, in an order that follows
//! the assembly and fills no more than the usual one. Entries are of no use afterwards: they leave their place to those of later blocks, and the few places stay in
//! the nearest cache. Where the order of an assembly is not that of the elimination, many blocks would wait for others; then
//! entries keep places of their own, and pauses are passed over.

use super::along;
use super::order::{NONE, Order};
use super::plan::{Along, Call, Plan, Stages};
use std::collections::BTreeMap;

/// Part of the places of their own that entries may take at most where they leave them to others.
const WORTH: usize = 4;

/// Where an assembly pauses.
#[derive(Clone, Copy)]
pub struct Pauses<'a> {
    /// Numbers of calls before each pause.
    pub calls: &'a [u32],
    /// Whether all entries are to be kept all the same, and nothing is eliminated on the way: in the same order, so that the results
    /// have the same bits.
    pub keeps: bool,
}

/// The order of an elimination that follows an assembly: a block comes when it is complete, and all that change it have come. `atom_of`
/// is of each unknown.
pub fn follow(order: &Order, atom_of: &[u32], calls: &[Call], pauses: &[u32]) -> Vec<u32> {
    let count = order.blocks.len();
    let mut position = vec![0; count];
    order.sequence.iter().enumerate().for_each(|(k, block)| position[*block as usize] = k);
    let block_of = |atom: u32| order.atoms[atom as usize].block as usize;
    let mut behind = vec![0; count];
    for (k, call) in (1..).zip(calls) {
        let blocks = [call.row, call.column].map(|unknown| block_of(atom_of[unknown as usize]));
        let first = if position[blocks[0]] <= position[blocks[1]] { blocks[0] } else { blocks[1] };
        behind[first] = k;
    }
    // The first of those that a block changes waits for it, and the others for that one.
    let next_of = |around: &Vec<_>| {
        around.iter().map(|other: &super::order::Neighbour| block_of(other.atom)).min_by_key(|k| position[*k])
    };
    let next: Vec<Option<usize>> = order.neighbours.iter().map(next_of).collect();
    let mut waits_for = vec![0u32; count];
    next.iter().flatten().for_each(|next| waits_for[*next] += 1);
    let mut completions: Vec<(usize, usize, u32)> = (0..count)
        .map(|block| (pauses.partition_point(|calls| *calls < behind[block]), position[block], block as u32))
        .collect();
    completions.sort_unstable();
    let (mut sequence, mut complete) = (Vec::with_capacity(count), vec![false; count]);
    for (.., block) in completions {
        complete[block as usize] = true;
        let mut open = Some(block as usize);
        while let Some(block) = open.filter(|block| complete[*block] && waits_for[*block] == 0) {
            sequence.push(block as u32);
            open = next[block];
            open.iter().for_each(|next| waits_for[*next] -= 1);
        }
    }
    sequence
}

/// Lets blocks that are complete in a pause leave their places to others; false, with nothing done, where that does not pay. `owners`:
/// of each call the block that it adds to.
pub fn share_places(plan: &mut Plan, pauses: Pauses, owners: &[u32]) -> bool {
    let mut behind = vec![0; plan.blocks.len()];
    owners.iter().zip(1..).for_each(|(block, call)| behind[*block as usize] = call);
    let mut done = 0;
    let end = |calls: &u32| {
        done += behind[done..].iter().take_while(|last| *last <= calls).count();
        done as u32
    };
    let ends: Vec<u32> = pauses.calls.iter().map(end).collect();
    let stages = Stages { ends, pauses: pauses.calls.to_vec(), cleared: Vec::new(), along: Along::default() };
    let Some((places, values)) = places(plan, &stages, owners) else { return false };
    if pauses.keeps {
        return true;
    }
    let own = |k: usize| plan.blocks[k].values;
    let mut cleared = Vec::new();
    for (first, end) in &plan.cleared {
        // Ranges of neighbouring blocks may be one.
        let mut from = *first;
        while from < *end {
            let k = plan.blocks.partition_point(|block| block.values <= from) - 1;
            let to = plan.blocks.get(k + 1).map_or(*end, |next| next.values.min(*end));
            cleared.push([k as u32, from - own(k) + places[k], to - own(k) + places[k]]);
            from = to;
        }
    }
    for (place, block) in plan.places.iter_mut().zip(owners) {
        let k = *block as usize;
        place.offset = place.offset - plan.blocks[k].values + places[k];
    }
    for (block, place) in plan.blocks.iter_mut().zip(&places) {
        for tie in &mut plan.ties[block.ties.0 as usize..block.ties.1 as usize] {
            tie.values = tie.values - block.values + place;
        }
        block.values = *place;
    }
    plan.cleared.clear();
    plan.values = values;
    let along = along::follow(plan, &stages.pauses, &stages.ends);
    plan.stages = Some(Stages { cleared, along, ..stages });
    true
}

/// Where the values of each block stand, and how many there are; None where it does not pay.
fn places(plan: &Plan, stages: &Stages, owners: &[u32]) -> Option<(Vec<u32>, usize)> {
    let count = plan.blocks.len();
    let mut is_zero = vec![true; plan.values];
    plan.written().for_each(|(.., entry)| is_zero[entry as usize] = false);
    plan.cleared.iter().for_each(|(first, end)| is_zero[*first as usize..*end as usize].fill(true));
    // The number of values of a block, and where those begin and end which have to be zero before the first call. Only blocks
    // that are alike in this follow each other in one place: what is never written stays zero there.
    let pattern = |k: usize| {
        let end = plan.blocks.get(k + 1).map_or(plan.values, |next| next.values as usize);
        let values = &is_zero[plan.blocks[k].values as usize..end];
        let changes = (1..values.len()).filter(|i| values[*i] != values[i - 1]).map(|i| i as u32);
        let begins_with = values.first().map_or(0, |first| u32::from(*first));
        [values.len() as u32, begins_with].into_iter().chain(changes).collect::<Vec<u32>>()
    };
    let mut places = vec![NONE; count];
    let mut unused: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
    let (mut calls, mut done, mut values) = (0, 0, 0);
    let pauses = stages.pauses.iter().zip(&stages.ends).map(|(calls, blocks)| [*calls as usize, *blocks as usize]);
    for [calls_before, blocks_before] in pauses.chain([[owners.len(), count]]) {
        let of_calls = owners[calls..calls_before].iter().map(|block| *block as usize);
        let eliminated = done..blocks_before;
        for k in of_calls.chain(eliminated.clone()) {
            if places[k] == NONE {
                let pattern = pattern(k);
                places[k] = unused.get_mut(&pattern).and_then(Vec::pop).unwrap_or(values);
                if places[k] == values {
                    values += pattern[0];
                }
            }
        }
        for k in eliminated {
            unused.entry(pattern(k)).or_default().push(places[k]);
        }
        (calls, done) = (calls_before, blocks_before);
    }
    (values as usize * WORTH <= plan.values).then_some((places, values as usize))
}
