//! Solutions with the factors of supernodes: forward and backward substitution.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::pattern::{Neighbour, Pattern, Supernode};
use super::pivoted;
use super::right_hand_sides::RhsEntry;
use super::small::with_size;
use std::ops::Range;

/// `y = A^-1 b` of each supernode, and `b - G y` of its neighbours; `whole`: which supernodes were
/// eliminated as a whole.
#[inline(never)]
pub fn forward<T: RhsEntry>(pattern: &Pattern, mut range: Range<usize>, whole: &[bool], factors: &[f64], b: &mut [T]) {
    while let Some(k) = range.next() {
        let supernode = &pattern.supernodes[k];
        if !whole[k] {
            let neighbours = pattern.neighbours_of(supernode);
            with_size!(supernode.len, W => forward_through::<W, T>(supernode, neighbours, factors, b));
        } else if pivoted::forward(pattern, k, factors, b) {
            range.next();
        }
    }
}

/// `x = y - Z x_b` of each supernode, from the last one on.
#[inline(never)]
pub fn backward<T: RhsEntry>(pattern: &Pattern, range: Range<usize>, whole: &[bool], factors: &[f64], b: &mut [T]) {
    for k in range.rev() {
        let supernode = &pattern.supernodes[k];
        if whole[k] {
            pivoted::backward(pattern, k, factors, b);
        } else if k == 0 || !whole[k - 1] || !pattern.supernodes[k - 1].has_constraints {
            let neighbours = pattern.neighbours_of(supernode);
            with_size!(supernode.len, W => backward_through::<W, T>(supernode, neighbours, factors, b));
        }
    }
}

#[inline(always)]
fn forward_through<const W: usize, T: RhsEntry>(
    supernode: &Supernode,
    neighbours: &[Neighbour],
    factors: &[f64],
    b: &mut [T],
) {
    let own: &mut [T; W] = unknowns(b, supernode.start);
    let inverse: &[[f64; W]; W] = matrix(factors, supernode.inverse);
    let mut y = [T::ZERO; W];
    for j in 0..W {
        for i in 0..W {
            y[i] = y[i].plus(own[j].times(inverse[j][i]));
        }
    }
    *own = y;
    for neighbour in neighbours {
        with_size!(neighbour.len, L => {
            let (rows, into): (&[[f64; L]; W], &mut [T; L]) =
                (matrix(factors, neighbour.rows), unknowns(b, neighbour.start));
            let mut sum = *into;
            for k in 0..W {
                for i in 0..L {
                    sum[i] = sum[i].minus(y[k].times(rows[k][i]));
                }
            }
            *into = sum;
        });
    }
}

#[inline(always)]
fn backward_through<const W: usize, T: RhsEntry>(
    supernode: &Supernode,
    neighbours: &[Neighbour],
    factors: &[f64],
    b: &mut [T],
) {
    let mut sum = [T::ZERO; W];
    for neighbour in neighbours {
        with_size!(neighbour.len, L => {
            let columns: &[[f64; L]; W] = matrix(factors, neighbour.columns);
            let x: [T; L] = *unknowns(b, neighbour.start);
            for k in 0..W {
                sum[k] = sum[k].plus(dot(&columns[k], &x));
            }
        });
    }
    let own: &mut [T; W] = unknowns(b, supernode.start);
    for k in 0..W {
        own[k] = own[k].minus(sum[k]);
    }
}

#[inline(always)]
fn unknowns<const N: usize, T>(b: &mut [T], start: u32) -> &mut [T; N] {
    b[start as usize..].first_chunk_mut().expect("unknowns of a supernode")
}

#[inline(always)]
fn matrix<const R: usize, const C: usize>(factors: &[f64], first: u32) -> &[[f64; R]; C] {
    let (columns, _) = factors[first as usize..][..R * C].as_chunks::<R>();
    columns.try_into().expect("C columns of R factors")
}

/// `x . y`, as two independent sums.
#[inline(always)]
fn dot<const N: usize, T: RhsEntry>(x: &[f64; N], y: &[T; N]) -> T {
    let (mut even, mut odd) = (T::ZERO, T::ZERO);
    for i in 0..N / 2 {
        even = even.plus(y[2 * i].times(x[2 * i]));
        odd = odd.plus(y[2 * i + 1].times(x[2 * i + 1]));
    }
    let sum = even.plus(odd);
    if N % 2 == 1 { sum.plus(y[N - 1].times(x[N - 1])) } else { sum }
}
