//! Anderson's acceleration of the fixed-point iteration of backward Euler (Walker, Ni 2011, algorithm AA).
//!
//! With g = evaluated - F: `F+ = F + g - sum_j gamma_j (DF_j + Dg_j)`, gamma minimising `|g - sum_j gamma_j Dg_j|` over the
//! last differences of F and g, at most 4 of them.

use super::stage::Rate;
use nalgebra::{Matrix4, Vector4};

/// Most differences kept.
const DEPTH: usize = 4;

/// Lists of rates in use: F, evaluated, the last F and g, DF, Dg, and orthonormal directions of Dg.
pub const LISTS: usize = 4 + 3 * DEPTH;

/// A difference of which less than this part is left beside the newer ones is rounding.
const INDEPENDENT: f64 = 1e-12;

/// The norm in which differences are measured: accelerations, and velocities over the time they act for.
pub struct Norm {
    /// Length that angles are multiplied with.
    pub length: f64,
    /// Time that rates act for.
    pub span: f64,
}

impl Norm {
    /// Scalar product of two lists of rates.
    pub fn dot(&self, a: &[Rate], b: &[Rate]) -> f64 {
        let (turn, rate) = (self.length * self.length, 1.0 / (self.span * self.span));
        a.iter().zip(b).fold(0.0, |sum, (a, b)| {
            let accelerations = a.v.fixed_rows::<3>(0).dot(&b.v.fixed_rows::<3>(0))
                + turn * a.v.fixed_rows::<3>(3).dot(&b.v.fixed_rows::<3>(3));
            sum + accelerations + rate * (a.x.dot(&b.x) + 4.0 * turn * a.q.dot(&b.q))
        })
    }
}

/// Replaces `last` by the next iterate after substep `m` of `substeps`; `lists` keeps what the next call needs.
pub fn accelerate(
    last: &mut [Rate],
    evaluated: &[Rate],
    lists: &mut [Vec<Rate>],
    m: usize,
    substeps: usize,
    norm: &Norm,
) {
    let depth = DEPTH.min(substeps);
    let (before, differences) = lists.split_at_mut(2);
    let [last_before, g_before] = before else { return };
    let (of_last, others) = differences.split_at_mut(DEPTH);
    let (of_g, directions) = others.split_at_mut(DEPTH);
    if m > 0 {
        let slot = (m - 1) % depth;
        for (body, (last, new)) in last.iter().zip(evaluated).enumerate() {
            let g = difference(new, last);
            of_last[slot][body] = difference(last, &last_before[body]);
            of_g[slot][body] = difference(&g, &g_before[body]);
        }
    }
    for (body, (last, new)) in last.iter().zip(evaluated).enumerate() {
        last_before[body] = *last;
        g_before[body] = difference(new, last);
    }
    // Least squares by Gram-Schmidt (twice), the newest difference first: normal equations would square its condition.
    let (mut r, mut slots, mut known) = (Matrix4::zeros(), [0; DEPTH], 0);
    for slot in (0..m.min(depth)).map(|back| (m - 1 - back) % depth) {
        let (done, rest) = directions.split_at_mut(known);
        let direction = &mut rest[0];
        direction.clone_from(&of_g[slot]);
        let size = norm.dot(direction, direction).sqrt();
        for (j, q) in (0..2).flat_map(|_| done.iter().enumerate()) {
            let along = norm.dot(q, direction);
            r[(j, known)] += along;
            direction.iter_mut().zip(q).for_each(|(direction, q)| direction.add(-along, q));
        }
        let left = norm.dot(direction, direction).sqrt();
        if left > INDEPENDENT * size {
            direction.iter_mut().for_each(|direction| *direction = direction.times(1.0 / left));
            (r[(known, known)], slots[known]) = (left, slot);
            known += 1;
        } else {
            r.column_mut(known).fill(0.0);
        }
    }
    let mut gamma = Vector4::zeros();
    for i in (0..known).rev() {
        let sum: f64 = (i + 1..known).map(|j| r[(i, j)] * gamma[j]).sum();
        gamma[i] = (norm.dot(&directions[i], g_before) - sum) / r[(i, i)];
    }
    for (body, (last, new)) in last.iter_mut().zip(evaluated).enumerate() {
        *last = *new;
        for (gamma, slot) in gamma.iter().zip(&slots[..known]) {
            last.add(-gamma, &of_last[*slot][body]);
            last.add(-gamma, &of_g[*slot][body]);
        }
    }
}

fn difference(a: &Rate, b: &Rate) -> Rate {
    let mut difference = *a;
    difference.add(-1.0, b);
    difference
}
