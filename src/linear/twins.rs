//! Pairs of chains of blocks of three unknowns (`pairs`), one chain in each lane of the processor's registers: a chain by itself waits
//! for its own last result in every block, two do not wait for each other. Numbers of both stand side by side in the
//! factors. What the kernels do is what `triples` does.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::plan::{Block, Plan};
use super::significance::{CANCELLED, CONDITION};
use super::small::{ROUNDING, ROUNDING_OF_LARGEST};
use wide::f64x2 as Two;

/// Factors of a block: its inverse, its neighbour's rows, its columns.
const FACTORS: usize = 27;

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
        for j in 0..3 {
            for i in 0..3 {
                let into = if to.by_rows { 3 * i + j } else { 3 * j + i };
                added[to.offset as usize + into] -= change[j][i].to_array()[lane];
            }
            added[to.offset as usize + 9 + j] += sizes[j].to_array()[lane];
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
