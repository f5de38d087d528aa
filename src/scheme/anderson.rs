//! Anderson's acceleration of the fixed-point iteration of backward Euler (Walker, Ni 2011, algorithm AA).
//!
//! With g = evaluated - F: `F+ = F + g - sum_j gamma_j (DF_j + Dg_j)`, gamma minimising `|g - sum_j gamma_j Dg_j|` over the
//! last differences of F and g, at most 4 of them.

use super::stage::Rate;
use nalgebra::{Matrix4, Vector4};

/// Most differences kept.
const DEPTH: usize = 4;

/// Lists of rates in use: F, evaluated, the last F and g, and DF and Dg.
pub const LISTS: usize = 4 + 2 * DEPTH;

/// Directions below this part of the largest are rounding.
const INDEPENDENT: f64 = 1e-12;

/// The norm in which differences are measured: accelerations, and velocities over the time they act for.
pub struct Norm {
    /// Length that angles are multiplied with.
    pub length: f64,
    /// Time that rates act for.
    pub span: f64,
}

impl Norm {
    fn dot(&self, a: &[Rate], b: &[Rate]) -> f64 {
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
    let (of_last, of_g) = differences.split_at_mut(DEPTH);
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
    let known = m.min(depth);
    let mut gram = Matrix4::zeros();
    let mut right = Vector4::zeros();
    for i in 0..known {
        right[i] = norm.dot(&of_g[i], g_before);
        for j in 0..known {
            gram[(i, j)] = norm.dot(&of_g[i], &of_g[j]);
        }
    }
    let svd = gram.svd(true, true);
    let gamma = svd.solve(&right, INDEPENDENT * svd.singular_values.max()).unwrap_or_else(|_| Vector4::zeros());
    for (body, (last, new)) in last.iter_mut().zip(evaluated).enumerate() {
        *last = *new;
        for j in 0..known {
            last.add(-gamma[j], &of_last[j][body]);
            last.add(-gamma[j], &of_g[j][body]);
        }
    }
}

fn difference(a: &Rate, b: &Rate) -> Rate {
    let mut difference = *a;
    difference.add(-1.0, b);
    difference
}
