//! Nodes of lines: chains of nodes of three unknowns, eliminated two chains at a time, one per SIMD
//! lane. Every node of a chain depends on the result of the node before it; two chains are
//! independent.
//!
//! The elimination along a chain is Thomas' algorithm by blocks (Golub, Van Loan, Matrix
//! Computations, 2013, section 4.5.1). `pairs` finds the chains.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::pattern::Pattern;
use super::small::{CANCELLED, CONDITION, ROUNDING, ROUNDING_OF_LARGEST, inverse_3};
use wide::f64x2 as Two;

/// Three numbers of each chain, and matrices by columns (or by rows, where noted).
type Triple = [Two; 3];
type Matrix = [Triple; 3];

/// Numbers of a matrix of both chains.
const MATRIX: usize = 18;

/// Loads 3 x 3 numbers of each chain.
#[inline(always)]
fn fetch(values: &[f64], places: [usize; 2]) -> Matrix {
    let [a, b] = places.map(|place| &values[place..place + 9]);
    std::array::from_fn(|j| std::array::from_fn(|i| Two::new([a[3 * j + i], b[3 * j + i]])))
}

/// Loads 3 x 3 numbers of both chains, interleaved.
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

/// Offsets of the factors of both chains, in the two parts that all factors have: for each pair of
/// nodes `A^-1` and G, and Z.
#[inline(always)]
fn parts_of(pattern: &Pattern, first: usize, count: usize) -> [std::ops::Range<usize>; 2] {
    let supernode = &pattern.supernodes[first];
    let forward = supernode.inverse as usize;
    let back = pattern.neighbours[supernode.neighbours.0 as usize].columns as usize;
    [forward..forward + 2 * MATRIX * count, back..back + MATRIX * count]
}

/// Factorises a pair of chains, `count` nodes from `first` on and as many after these, and computes
/// the Schur complements at the neighbours of their ends; false, with only factors changed, if a
/// node needs pivoting.
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
    // The Schur complement of the last node, and for each row the sum of the absolute values of its
    // terms.
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
        // Both are stored so that the entries of the neighbour are contiguous.
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

/// The first unknowns of the neighbours at the ends of both chains.
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

/// `y = A^-1 b` along both chains, and the update of the right-hand sides of the neighbours at
/// their ends.
pub fn forward(pattern: &Pattern, first: usize, count: usize, factors: &[f64], b: &mut [f64]) {
    let [part, _] = parts_of(pattern, first, count);
    let (own, _) = factors[part].as_chunks::<MATRIX>();
    let mut taken: Triple = [Two::ZERO; 3];
    for (k, own) in own.chunks_exact(2).enumerate() {
        let places = starts(pattern, first, count, k);
        let right = take(b, places);
        let y = times(&read(&own[0]), &std::array::from_fn(|i| right[i] - taken[i]));
        put(b, places, &y);
        // G by columns of this node is read by rows.
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
