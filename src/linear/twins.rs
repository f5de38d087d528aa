//! Chains of blocks of three unknowns, two at a time: nodes of lines between what moors them, one chain in each lane of the
//! processor's registers. A chain by itself waits for its own last result in every block; two do not wait for each other.
//!
//! A chain begins at a block with one neighbour and goes on through blocks with one more each. One that ends in nothing, between
//! two nodes that do not move, is folded in the middle: it is two chains then, eliminated from both ends (Babuska 1972, SIAM J.
//! Numer. Anal. 9, 53). Numbers of both chains stand side by side in the factors. What the kernels do is what `triples` does.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::order::{Atom, Members, NONE, Neighbour};
use super::plan::{Block, Plan};
use super::significance::{CANCELLED, CONDITION};
use wide::f64x2 as Two;

/// Least length of chains that are worth it.
const SHORT: usize = 4;

/// Factors of a block: its inverse, its neighbour's rows, its columns.
const FACTORS: usize = 27;

/// Blocks in order, the chains that make pairs first: of each pair as many of the one chain, then of the other. Returns the order
/// and the length of each pair; folded chains have other neighbours then.
pub fn arrange(
    sequence: Vec<u32>,
    neighbours: &mut [Vec<Neighbour>],
    atoms: &[Atom],
    blocks: &[Members],
) -> (Vec<u32>, Vec<u32>) {
    let of = |neighbour: &Neighbour| atoms[neighbour.atom as usize].block as usize;
    let mut feeders = vec![0u32; blocks.len()];
    neighbours.iter().flatten().for_each(|neighbour| feeders[of(neighbour)] += 1);
    let is_slim = |block: usize, neighbours: &[Vec<Neighbour>]| {
        let Members { node, constraints } = blocks[block];
        let around = &neighbours[block];
        let is_triple = |neighbour: &Neighbour| neighbour.node && atoms[neighbour.atom as usize].len == 3;
        constraints == NONE && atoms[node as usize].len == 3 && around.len() < 2 && around.iter().all(is_triple)
    };
    let (mut chains, mut sequence) = (Vec::new(), sequence);
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
        // Where they stand one after the other, which is what a depth-first order makes of them.
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
    ordered.extend(sequence.into_iter().filter(|block| !is_placed[*block as usize]));
    (ordered, counts)
}

/// Three numbers of each chain, and matrices by columns.
type Triple = [Two; 3];
type Matrix = [Triple; 3];

/// 3 x 3 numbers from each of two places.
#[inline(always)]
fn fetch(values: &[f64], places: [usize; 2]) -> Matrix {
    let [a, b] = places.map(|place| &values[place..place + 9]);
    std::array::from_fn(|j| std::array::from_fn(|i| Two::new([a[3 * j + i], b[3 * j + i]])))
}

/// 3 x 3 numbers that stand side by side.
#[inline(always)]
fn read(factors: &[f64; 18]) -> Matrix {
    std::array::from_fn(|j| std::array::from_fn(|i| Two::new([factors[6 * j + 2 * i], factors[6 * j + 2 * i + 1]])))
}

#[inline(always)]
fn write(factors: &mut [f64; 18], matrix: &Matrix) {
    for j in 0..3 {
        for i in 0..3 {
            factors[6 * j + 2 * i..6 * j + 2 * i + 2].copy_from_slice(&matrix[j][i].to_array());
        }
    }
}

/// The inverse by cofactors, not finite where there is none.
#[inline(always)]
fn inverse([p, q, r]: &Matrix) -> Matrix {
    let cross =
        |x: &Triple, y: &Triple| [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
    let rows = [cross(q, r), cross(r, p), cross(p, q)];
    let factor = Two::ONE / (p[0] * rows[0][0] + p[1] * rows[0][1] + p[2] * rows[0][2]);
    std::array::from_fn(|j| std::array::from_fn(|i| rows[i][j] * factor))
}

/// Which lanes need no pivoting, as in `small::condition`.
#[inline(always)]
fn is_good(a: &Matrix, inverse: &Matrix) -> Two {
    let mut good = Two::splat(f64::from_bits(u64::MAX));
    for i in 0..3 {
        let (mut sum, mut size) = (Two::ZERO, Two::ZERO);
        for j in 0..3 {
            let term = a[i][j] * inverse[j][i];
            sum += term;
            size += term.abs();
        }
        good &= size.simd_le(Two::splat(CONDITION));
        good &= (sum - Two::ONE).abs().simd_le(size * Two::splat(1e-12));
    }
    good
}

#[inline(always)]
fn times(a: &Matrix, x: &Triple) -> Triple {
    std::array::from_fn(|i| a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2])
}

/// `A^T x`.
#[inline(always)]
fn transposed_times(a: &Matrix, x: &Triple) -> Triple {
    std::array::from_fn(|i| a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2])
}

/// Factors of a pair of chains, `count` blocks from `first` on and as many behind, and what their ends change of their
/// neighbours; false, with nothing changed but factors, where a block needs pivoting.
pub fn eliminate(
    plan: &Plan,
    first: usize,
    count: usize,
    values: &[f64],
    added: &mut [f64],
    factors: &mut [f64],
    terms: &mut [f64],
) -> bool {
    let chains = [&plan.blocks[first..first + count], &plan.blocks[first + count..first + 2 * count]];
    let (own, _) = factors[factors_of(chains[0])].as_chunks_mut::<18>();
    let mut change: Matrix = [[Two::ZERO; 3]; 3];
    let mut sizes: Triple = [Two::ZERO; 3];
    let mut good = Two::splat(f64::from_bits(u64::MAX));
    for (k, own) in own.chunks_exact_mut(3).enumerate() {
        let blocks = [&chains[0][k], &chains[1][k]];
        let mut a = fetch(values, blocks.map(|block| block.values as usize));
        for j in 0..3 {
            for i in 0..3 {
                a[j][i] -= change[j][i];
            }
        }
        let node = inverse(&a);
        good &= is_good(&a, &node);
        for i in 0..3 {
            good &= a[i][i].abs().simd_ge(sizes[i] * Two::splat(CANCELLED));
        }
        let ties = blocks.map(|block| plan.ties[block.ties.0 as usize].values as usize);
        let (e, g) = (fetch(values, ties), fetch(values, ties.map(|tie| tie + 9)));
        let columns: Matrix = std::array::from_fn(|j| times(&node, &e[j]));
        sizes = [Two::ZERO; 3];
        for j in 0..3 {
            for i in 0..3 {
                let parts: Triple = std::array::from_fn(|k| g[i][k] * columns[j][k]);
                change[j][i] = parts[0] + parts[1] + parts[2];
                if i == j {
                    sizes[i] = parts[0].abs() + parts[1].abs() + parts[2].abs();
                }
            }
        }
        write(&mut own[0], &node);
        write(&mut own[1], &g);
        write(&mut own[2], &columns);
    }
    if !good.all() {
        return false;
    }
    for (lane, chain) in chains.into_iter().enumerate() {
        let block = &chain[count - 1];
        let to = &plan.changes[block.changes as usize];
        let start = plan.ties[block.ties.0 as usize].start as usize;
        for j in 0..3 {
            for i in 0..3 {
                let into = if to.by_rows { 3 * i + j } else { 3 * j + i };
                added[to.offset as usize + into] -= change[j][i].to_array()[lane];
            }
            terms[start + j] += sizes[j].to_array()[lane];
        }
    }
    true
}

/// Where the factors of a pair stand: those of its blocks follow each other.
#[inline(always)]
fn factors_of(chain: &[Block]) -> std::ops::Range<usize> {
    let start = chain[0].factors as usize;
    start..start + 2 * FACTORS * chain.len()
}

/// The first unknowns of a block in each chain.
#[inline(always)]
fn starts(blocks: &[Block], k: usize, count: usize) -> [usize; 2] {
    [blocks[k].node.0 as usize, blocks[count + k].node.0 as usize]
}

#[inline(always)]
fn take(b: &[f64], [first, second]: [usize; 2]) -> Triple {
    let (x, y) = (&b[first..first + 3], &b[second..second + 3]);
    std::array::from_fn(|i| Two::new([x[i], y[i]]))
}

#[inline(always)]
fn put(b: &mut [f64], places: [usize; 2], x: &Triple) {
    for (lane, place) in places.into_iter().enumerate() {
        for (into, x) in b[place..place + 3].iter_mut().zip(x) {
            *into = x.to_array()[lane];
        }
    }
}

/// `y = A^-1 r` along both chains, and what they leave of the right-hand sides of their last neighbours.
pub fn forward(plan: &Plan, first: usize, count: usize, factors: &[f64], b: &mut [f64]) {
    let blocks = &plan.blocks[first..first + 2 * count];
    let (own, _) = factors[factors_of(&blocks[..count])].as_chunks::<18>();
    let mut taken: Triple = [Two::ZERO; 3];
    for (k, own) in own.chunks_exact(3).enumerate() {
        let places = starts(blocks, k, count);
        let right = take(b, places);
        let y = times(&read(&own[0]), &std::array::from_fn(|i| right[i] - taken[i]));
        put(b, places, &y);
        // Rows of the neighbour.
        taken = transposed_times(&read(&own[1]), &y);
    }
    for (lane, last) in [count - 1, 2 * count - 1].into_iter().enumerate() {
        let start = plan.ties[blocks[last].ties.0 as usize].start as usize;
        b[start..start + 3].iter_mut().zip(&taken).for_each(|(b, taken)| *b -= taken.to_array()[lane]);
    }
}

/// `x = y - A^-1 E x_b`, from the ends of both chains to their beginnings.
pub fn backward(plan: &Plan, first: usize, count: usize, factors: &[f64], b: &mut [f64]) {
    let blocks = &plan.blocks[first..first + 2 * count];
    let (own, _) = factors[factors_of(&blocks[..count])].as_chunks::<18>();
    let mut x = take(b, [count - 1, 2 * count - 1].map(|k| plan.ties[blocks[k].ties.0 as usize].start as usize));
    for (k, own) in own.chunks_exact(3).enumerate().rev() {
        let places = starts(blocks, k, count);
        let (y, given) = (take(b, places), times(&read(&own[2]), &x));
        x = std::array::from_fn(|i| y[i] - given[i]);
        put(b, places, &x);
    }
}
