//! Nodes of lines: chains of nodes of three unknowns, eliminated two chains at a time, one in each lane of the processor's registers.
//! A chain by itself waits for its own last result at every node; two do not wait for each other.
//!
//! The elimination along a chain is Thomas' algorithm by blocks (Golub, Van Loan, Matrix Computations, 2013, section 4.5.1). A chain that ends
//! in nothing, between two nodes that do not move, is folded in the middle: it is two chains then, eliminated from both ends
//! (Babuska 1972, SIAM J. Numer. Anal. 9, 53).
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::factor::{CANCELLED, CONDITION};
use super::order::{Members, NONE, Neighbour, Order};
use super::pattern::Pattern;
use super::small::{ROUNDING, ROUNDING_OF_LARGEST, inverse_3};
use wide::f64x2 as Two;

// ---- Which chains there are ------------------------------------------------------------------------------------------

/// Least length of chains that are worth it.
const SHORT: usize = 4;

/// Puts the chains that make pairs first in an order: of each pair as many nodes of the one chain, then of the other. Returns
/// the length of each pair; folded chains have other neighbours then.
///
/// A chain begins at a node with one neighbour and goes on through nodes with one more each.
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
    ordered.extend(sequence.iter().filter(|block| !is_placed[**block as usize]));
    *sequence = ordered;
    counts
}

// ---- Two chains at a time --------------------------------------------------------------------------------------------

/// Three numbers of each chain, and matrices by columns (or by rows, where that is said).
type Triple = [Two; 3];
type Matrix = [Triple; 3];

/// Numbers of a matrix of both chains.
const MATRIX: usize = 18;

/// 3 x 3 numbers from each of two places.
#[inline(always)]
fn fetch(values: &[f64], places: [usize; 2]) -> Matrix {
    let [a, b] = places.map(|place| &values[place..place + 9]);
    std::array::from_fn(|j| std::array::from_fn(|i| Two::new([a[3 * j + i], b[3 * j + i]])))
}

/// 3 x 3 numbers of both chains that stand side by side.
#[inline(always)]
fn read(factors: &[f64; MATRIX]) -> Matrix {
    std::array::from_fn(|j| std::array::from_fn(|i| Two::new([factors[6 * j + 2 * i], factors[6 * j + 2 * i + 1]])))
}

#[inline(always)]
fn write(factors: &mut [f64; MATRIX], matrix: &Matrix) {
    for j in 0..3 {
        for i in 0..3 {
            factors[6 * j + 2 * i..6 * j + 2 * i + 2].copy_from_slice(&matrix[j][i].to_array());
        }
    }
}

/// Which lanes need no pivoting, as in `small::condition`.
#[inline(always)]
fn is_good(a: &Matrix, inverse: &Matrix) -> Two {
    let (mut sums, mut sizes) = ([Two::ZERO; 3], [Two::ZERO; 3]);
    for i in 0..3 {
        for j in 0..3 {
            let term = a[i][j] * inverse[j][i];
            sums[i] += term;
            sizes[i] += term.abs();
        }
    }
    let of_largest = sizes[0].max(sizes[1]).max(sizes[2]) * Two::splat(ROUNDING_OF_LARGEST);
    let mut good = Two::splat(f64::from_bits(u64::MAX));
    for i in 0..3 {
        good &= sizes[i].simd_le(Two::splat(CONDITION));
        good &= (sums[i] - Two::ONE).abs().simd_le(sizes[i] * Two::splat(ROUNDING) + of_largest);
    }
    good
}

/// `A x`, A by columns; `A^T x`, A by rows.
#[inline(always)]
fn times(a: &Matrix, x: &Triple) -> Triple {
    std::array::from_fn(|i| a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2])
}

/// `A x`, A by rows.
#[inline(always)]
fn rows_times(a: &Matrix, x: &Triple) -> Triple {
    std::array::from_fn(|i| a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2])
}

/// What the factors of both chains are made of, in the two parts that all factors have: for each pair of nodes `A^-1` and G, and Z.
#[inline(always)]
fn parts_of(pattern: &Pattern, first: usize, count: usize) -> [std::ops::Range<usize>; 2] {
    let supernode = &pattern.supernodes[first];
    let forward = supernode.inverse as usize;
    let back = pattern.neighbours[supernode.neighbours.0 as usize].columns as usize;
    [forward..forward + 2 * MATRIX * count, back..back + MATRIX * count]
}

/// Factors of a pair of chains, `count` nodes from `first` on and as many behind, and what their ends change of their
/// neighbours; false, with nothing changed but factors, where a node needs pivoting.
pub fn eliminate(
    pattern: &Pattern,
    first: usize,
    count: usize,
    values: &[f64],
    added: &mut [f64],
    factors: &mut [f64],
) -> bool {
    let chains = [0, count].map(|lane| &pattern.supernodes[first + lane..][..count]);
    let [forward, back] = parts_of(pattern, first, count);
    let (before, after) = factors.split_at_mut(back.start);
    let (own, _) = before[forward].as_chunks_mut::<MATRIX>();
    let (columns, _) = after[..back.len()].as_chunks_mut::<MATRIX>();
    // The Schur complement of the last node, and for each row the sum of the sizes of its terms.
    let (mut change, mut sizes): (Matrix, Triple) = ([[Two::ZERO; 3]; 3], [Two::ZERO; 3]);
    let mut good = Two::splat(f64::from_bits(u64::MAX));
    for (k, (own, columns)) in own.chunks_exact_mut(2).zip(columns).enumerate() {
        let nodes = chains.map(|chain| &chain[k]);
        let mut a = fetch(values, nodes.map(|node| node.values as usize));
        for j in 0..3 {
            for i in 0..3 {
                a[j][i] -= change[j][i];
            }
        }
        let node = inverse_3(Two::ONE, &a);
        good &= is_good(&a, &node);
        for i in 0..3 {
            good &= a[i][i].abs().simd_ge(sizes[i] * Two::splat(CANCELLED));
        }
        let coupled = nodes.map(|node| pattern.neighbours[node.neighbours.0 as usize].values as usize);
        // Both so that the entries of the neighbour follow each other.
        let (e, g) = (fetch(values, coupled), fetch(values, coupled.map(|first| first + 9)));
        let z: Matrix = std::array::from_fn(|k| {
            std::array::from_fn(|j| node[0][k] * e[0][j] + node[1][k] * e[1][j] + node[2][k] * e[2][j])
        });
        for j in 0..3 {
            for i in 0..3 {
                let terms: Triple = std::array::from_fn(|k| g[k][i] * z[k][j]);
                change[j][i] = terms[0] + terms[1] + terms[2];
                if i == j {
                    sizes[i] = terms[0].abs() + terms[1].abs() + terms[2].abs();
                }
            }
        }
        write(&mut own[0], &node);
        write(&mut own[1], &g);
        write(columns, &z);
    }
    if !good.all() {
        return false;
    }
    for (lane, chain) in chains.into_iter().enumerate() {
        let to = pattern.updates[chain[count - 1].updates as usize].offset as usize;
        for j in 0..3 {
            for i in 0..3 {
                added[to + 3 * j + i] -= change[j][i].to_array()[lane];
            }
            added[to + 9 + j] += sizes[j].to_array()[lane];
        }
    }
    true
}

/// The first unknowns of the nodes k of both chains.
#[inline(always)]
fn starts(pattern: &Pattern, first: usize, count: usize, k: usize) -> [usize; 2] {
    [first + k, first + count + k].map(|node| pattern.supernodes[node].start as usize)
}

/// The first unknowns of what both chains end at.
#[inline(always)]
fn ends(pattern: &Pattern, first: usize, count: usize) -> [usize; 2] {
    [first + count - 1, first + 2 * count - 1].map(|last| {
        let last = &pattern.supernodes[last];
        pattern.neighbours[last.neighbours.0 as usize].start as usize
    })
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

/// `y = A^-1 b` along both chains, and what they leave of the right-hand sides of their last neighbours.
pub fn forward(pattern: &Pattern, first: usize, count: usize, factors: &[f64], b: &mut [f64]) {
    let [part, _] = parts_of(pattern, first, count);
    let (own, _) = factors[part].as_chunks::<MATRIX>();
    let mut taken: Triple = [Two::ZERO; 3];
    for (k, own) in own.chunks_exact(2).enumerate() {
        let places = starts(pattern, first, count, k);
        let right = take(b, places);
        let y = times(&read(&own[0]), &std::array::from_fn(|i| right[i] - taken[i]));
        put(b, places, &y);
        // G by columns of this node, which are rows of what is taken.
        taken = times(&read(&own[1]), &y);
    }
    for (lane, start) in ends(pattern, first, count).into_iter().enumerate() {
        b[start..start + 3].iter_mut().zip(&taken).for_each(|(b, taken)| *b -= taken.to_array()[lane]);
    }
}

/// `x = y - Z x_b`, from the ends of both chains to their beginnings.
pub fn backward(pattern: &Pattern, first: usize, count: usize, factors: &[f64], b: &mut [f64]) {
    let [_, part] = parts_of(pattern, first, count);
    let (columns, _) = factors[part].as_chunks::<MATRIX>();
    let mut x = take(b, ends(pattern, first, count));
    for (k, columns) in columns.iter().enumerate().rev() {
        let places = starts(pattern, first, count, k);
        let (y, given) = (take(b, places), rows_times(&read(columns), &x));
        x = std::array::from_fn(|i| y[i] - given[i]);
        put(b, places, &x);
    }
}
