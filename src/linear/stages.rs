//! Elimination of blocks while the matrix is still being assembled.
//!
//! In large models entries that are assembled have left the processor's caches before elimination reads them, which costs more
//! time than their arithmetic. So an assembly makes pauses, and in each of them what is complete is eliminated, in the order that it would
//! have anyway. Entries are of no use afterwards: they leave their place to those of later blocks, and the few places stay in
//! the nearest cache. Where the order of an assembly is not that of the elimination, many blocks would wait for others; then
//! entries keep places of their own, and pauses are passed over.

use super::order::NONE;
use super::plan::Plan;
use std::collections::BTreeMap;

/// Part of the places of their own that entries may take at most where they leave them to others.
const WORTH: usize = 4;

/// What is eliminated when.
pub struct Stages {
    /// Of each pause the number of calls before it, and of blocks that are eliminated by its end.
    pub ends: Vec<[u32; 2]>,
    /// What has to be zero for the next block in the place of one that is eliminated, and is not any more: the block, the first
    /// entry and the end; in order of the blocks.
    pub cleared: Vec<[u32; 3]>,
}

/// Lets blocks that are complete in a pause leave their places to others, where that pays. `pauses`: numbers of calls before
/// each; `owners`: of each call the block that it adds to; `written`: which values calls write.
pub fn share_places(plan: &mut Plan, pauses: &[u32], owners: &[u32], written: &[bool]) {
    let count = plan.blocks.len();
    let mut behind = vec![0; count];
    owners.iter().zip(1..).for_each(|(block, call)| behind[*block as usize] = call);
    let mut done = 0;
    let ends: Vec<[u32; 2]> = pauses
        .iter()
        .map(|calls| {
            done += behind[done..].iter().take_while(|last| *last <= calls).count();
            [*calls, done as u32]
        })
        .collect();
    let Some((places, values)) = places(plan, &ends, owners, written) else { return };

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
    plan.stages = Some(Stages { ends, cleared });
}

/// Where the values of each block stand, and how many there are; None where it does not pay.
fn places(plan: &Plan, ends: &[[u32; 2]], owners: &[u32], written: &[bool]) -> Option<(Vec<u32>, usize)> {
    let count = plan.blocks.len();
    let mut is_zero: Vec<bool> = written.iter().map(|written| !written).collect();
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
    for [calls_before, blocks_before] in ends.iter().copied().chain([[owners.len() as u32, count as u32]]) {
        let of_calls = owners[calls..calls_before as usize].iter().map(|block| *block as usize);
        let eliminated = done..blocks_before as usize;
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
        (calls, done) = (calls_before as usize, blocks_before as usize);
    }
    (values as usize * WORTH <= plan.values).then_some((places, values as usize))
}
