//! The mean gradient of the length of a tendon over a step, whose work is the change of the length:
//! with X the places and the rotation vectors of the step, S the second differences of places along
//! the rope, and r^2 for rotations,
//!
//! ```text
//! G = (g0 + g1)/2 + a S dX,   a = (L1 - L0 - dX . (g0 + g1)/2)/(dX . S dX)
//! ```
//!
//! (Gonzalez 1996). What is below the rounding of the length is left out of the numerator.

use super::sheave::{Bend, Sheave};
use super::{MOST_NODES, Site};
use crate::spatial::{Mat6, Vec3, Vec6, join, lower, rotation, upper};

/// Over a step.
pub struct Over {
    /// G.
    pub gradient: [Vec6; MOST_NODES],
    /// Its derivatives by motions at the end.
    pub bend: Bend,
}

/// Rounding of a length, as part of its size.
pub const ROUNDING: f64 = 64.0 * f64::EPSILON;

impl Over {
    /// Over a step, with the lengths and their gradients at its start and end, and the derivatives of
    /// the gradient at its end.
    pub fn of(
        sheaves: &[Sheave],
        [from, at]: [&[Site]; 2],
        [start, end]: [(f64, &[Vec6; MOST_NODES]); 2],
        bend: &Bend,
    ) -> Over {
        let ((start, start_gradient), (end, end_gradient)) = (start, end);
        let n = sheaves.len();
        let mut change = [Vec6::zeros(); MOST_NODES];
        let mut by_turn = [Mat6::identity(); MOST_NODES];
        for k in 0..n {
            let psi = rotation::log(&(at[k].q * from[k].q.inverse()));
            change[k] = join(&(at[k].x - from[k].x), &psi);
            by_turn[k].fixed_view_mut::<3, 3>(3, 3).copy_from(&rotation::inverse_tangent(&psi));
        }
        // S: a block times the identity for translations, and one for rotations.
        let weights = |i: usize, j: usize| match i.abs_diff(j) {
            0 => [f64::from(u8::from(i > 0)) + f64::from(u8::from(i + 1 < n)), sheaves[i].radius * sheaves[i].radius],
            1 => [-1.0, 0.0],
            _ => [0.0; 2],
        };
        let weigh = |i: usize, j: usize, x: &Vec6| {
            let [w, turn] = weights(i, j);
            join(&(upper(x) * w), &(lower(x) * turn))
        };
        let near = |i: usize| i.saturating_sub(1)..(i + 2).min(n);
        let along: [Vec6; MOST_NODES] = std::array::from_fn(|i| match i < n {
            true => near(i).map(|j| weigh(i, j, &change[j])).sum(),
            false => Vec6::zeros(),
        });
        let mean: [Vec6; MOST_NODES] = std::array::from_fn(|k| (start_gradient[k] + end_gradient[k]) * 0.5);
        let dot = |a: &[Vec6], b: &[Vec6]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let square = dot(&along, &change);
        let size = at.iter().chain(from).take(2 * n).map(|at| at.x.amax()).fold(start.max(end), f64::max);
        let missing = end - start - dot(&mean, &change);
        let ratio = if missing == 0.0 { f64::INFINITY } else { ROUNDING * size / missing.abs() };
        // 1 where the numerator counts, 0 where it is rounding.
        let kept = 1.0 / (1.0 + ratio.powi(6));
        let (share, slope) = match square > 0.0 {
            true => (missing * kept / square, (kept + 6.0 * kept * (1.0 - kept)) / square),
            false => (0.0, 0.0),
        };
        let gradient = std::array::from_fn(|k| mean[k] + along[k] * share);
        let mut over = Over { gradient, bend: [[Mat6::zeros(); MOST_NODES]; MOST_NODES] };
        for j in 0..n {
            let bent: Vec6 = near(j).map(|i| bend[i][j].tr_mul(&change[i])).sum();
            let by_missing = end_gradient[j] - bent * 0.5 - by_turn[j].tr_mul(&mean[j]);
            let by_share =
                by_missing * slope - by_turn[j].tr_mul(&along[j]) * (2.0 * share / square.max(f64::MIN_POSITIVE));
            for i in 0..n {
                over.bend[i][j] = bend[i][j] * 0.5 + along[i] * by_share.transpose();
                let [w, turn] = weights(i, j).map(|weight| weight * share);
                let weight = Mat6::from_diagonal(&join(&Vec3::repeat(w), &Vec3::repeat(turn)));
                over.bend[i][j] += weight * by_turn[j];
            }
        }
        over
    }
}
