//! Anderson's acceleration of the fixed-point iteration of backward Euler (Walker, Ni 2011,
//! algorithm AA).
//!
//! With g = evaluated - F: `F+ = F + g - sum_j gamma_j (DF_j + Dg_j)`, gamma minimising
//! `|g - sum_j gamma_j Dg_j|` over the last differences of F and g, at most 4 of them.

use super::numbers::Numbers;
use crate::system::Layout;
use nalgebra::{Matrix4, Vector4};

/// Most differences kept.
const DEPTH: usize = 4;

/// Number of lists of rates: F, evaluated, the last F and g, DF, Dg, and orthonormal directions of
/// Dg.
pub const LISTS: usize = 4 + 3 * DEPTH;

/// A difference is rounding if less than this part of it is independent of the newer ones.
const INDEPENDENT: f64 = 1e-12;

/// The norm of differences: accelerations, and velocities divided by a time.
pub struct Norm {
    /// Length by which angles are multiplied.
    pub length: f64,
    /// The time.
    pub span: f64,
    /// Indices of the numbers.
    pub layout: Layout,
}

impl Norm {
    /// Scalar product of two lists of rates.
    pub fn dot(&self, a: &Numbers, b: &Numbers) -> f64 {
        let (turn, rate) = (self.length * self.length, 1.0 / (self.span * self.span));
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let product = |a: &[f64], b: &[f64]| {
            let ((bodies, points), (others, other_points)) = (self.layout.split(a), self.layout.split(b));
            let pairs = bodies.iter().zip(others);
            let of_bodies = pairs.map(|(a, b)| dot(&a[..3], &b[..3]) + turn * dot(&a[3..], &b[3..]));
            of_bodies.sum::<f64>() + dot(points.as_flattened(), other_points.as_flattened())
        };
        product(&a.v, &b.v) + rate * product(&a.u, &b.u)
    }
}

/// Replaces `last` by the next iterate after substep `m` of `substeps`; `lists` has the memory
/// between calls.
pub fn accelerate(
    last: &mut Numbers,
    evaluated: &Numbers,
    lists: &mut [Numbers],
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
        of_g[slot].copy_from(evaluated);
        of_g[slot].add(-1.0, last);
        of_g[slot].add(-1.0, g_before);
        of_last[slot].copy_from(last);
        of_last[slot].add(-1.0, last_before);
    }
    last_before.copy_from(last);
    g_before.copy_from(evaluated);
    g_before.add(-1.0, last);
    // Least squares by Gram-Schmidt (twice), the newest difference first: normal equations would
    // square the condition.
    let (mut r, mut slots, mut known) = (Matrix4::zeros(), [0; DEPTH], 0);
    for slot in (0..m.min(depth)).map(|back| (m - 1 - back) % depth) {
        let (done, rest) = directions.split_at_mut(known);
        let direction = &mut rest[0];
        direction.copy_from(&of_g[slot]);
        let size = norm.dot(direction, direction).sqrt();
        for (j, q) in (0..2).flat_map(|_| done.iter().enumerate()) {
            let along = norm.dot(q, direction);
            r[(j, known)] += along;
            direction.add(-along, q);
        }
        let left = norm.dot(direction, direction).sqrt();
        if left > INDEPENDENT * size {
            direction.scale(1.0 / left);
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
    last.copy_from(evaluated);
    for (gamma, slot) in gamma.iter().zip(&slots[..known]) {
        last.add(-gamma, &of_last[*slot]);
        last.add(-gamma, &of_g[*slot]);
    }
}
