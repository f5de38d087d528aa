//! Updates of the effective mass of a load callback during an iteration, by Broyden's method with
//! projected updates.
//!
//! Within one step displacements and velocities follow from accelerations (all change with the
//! increments of the iteration), so that one matrix A, an effective mass, describes how a wrench
//! changes: `w = w0 - A (vdot - vdot0)`. Where the callback's own matrices do not explain the
//! changes, A is corrected by rank-one updates from the changes s of the accelerations between two
//! evaluations, which preserve earlier updates (Gay, Schnabel 1978, in: Nonlinear Programming 3,
//! 245),
//!
//! ```text
//! A += m p^T/(p^T s),   m = -(w - w0) - A s,   p: the part of s orthogonal to earlier directions.
//! ```
//!
//! With n bodies the matrix of a load linear in the accelerations is found after 6n changes,
//! whatever its size. Directions are compared with rotations times the model's length, so that
//! units do not matter. The updates are discarded when an iteration ends.

use crate::spatial::{Mat6, Vec6};

/// If the callback's matrices explain all but this part of a change of the wrench, there is no
/// update: the matrices shrink the error tenfold per iteration, and exact matrices keep it
/// quadratic, which an update would not.
const EXPLAINED: f64 = 0.1;

/// Part of the wrench below which a mismatch may be rounding.
const ROUNDING: f64 = 1e-11;

/// Part of the accelerations below which a change may be rounding (also of a callback in single
/// precision). A change that recurs is not rounding: an iteration that converges slowly along an
/// unknown direction repeats its step and mismatch. Rounding may alternate between two states,
/// however, so that wrenches in single precision never update by such changes.
const STILL: f64 = 1e-7;

/// Relative difference of a step, and of its mismatch, from the last ones up to which they count as
/// the same.
const ALIKE: f64 = 0.05;

/// Sine of the angle to the known directions below which a change has no new direction.
const NEW: f64 = 0.01;

/// Memory for one callback; vectors have six numbers per body.
#[derive(Clone)]
pub struct Secant {
    /// Accelerations and wrenches of the last evaluation.
    pub vdot: Vec<Vec6>,
    pub wrenches: Vec<Vec6>,
    /// Whether there was one in this iteration.
    pub known: bool,
    /// The updates of A: one block per pair of bodies, by columns.
    pub learnt: Vec<Mat6>,
    /// Whether there are updates.
    pub has_learnt: bool,
    /// Known directions, scaled and orthonormal; the first `count` are in use.
    directions: Vec<Vec6>,
    count: usize,
    /// Number of updates in this iteration.
    pub lessons: u32,
    /// s scaled, and its part p orthogonal to the known directions.
    scaled: Vec<Vec6>,
    across: Vec<Vec6>,
    /// The last step that may have been rounding, and its mismatch, since the last update.
    small: [Vec<Vec6>; 2],
    has_small: bool,
}

impl Secant {
    /// For a set of so many bodies.
    pub fn new(bodies: usize) -> Secant {
        let zeros = |n: usize| vec![Vec6::zeros(); n];
        Secant {
            vdot: zeros(bodies),
            wrenches: zeros(bodies),
            known: false,
            learnt: vec![Mat6::zeros(); bodies * bodies],
            has_learnt: false,
            directions: zeros(6 * bodies * bodies),
            count: 0,
            lessons: 0,
            scaled: zeros(bodies),
            across: zeros(bodies),
            small: [zeros(bodies), zeros(bodies)],
            has_small: false,
        }
    }

    /// Discards all updates: a new iteration begins.
    pub fn forget(&mut self) {
        self.known = false;
        self.has_small = false;
        self.count = 0;
        self.lessons = 0;
        if self.has_learnt {
            self.learnt.fill(Mat6::zeros());
            self.has_learnt = false;
        }
    }

    /// Updates A from a change s of the accelerations to `vdot` with mismatch m = -(w - w0) - A s
    /// of the wrenches, which are now w and have changed by `change`. `from_small`: small changes
    /// that recur count. `length`: the model's.
    #[allow(clippy::too_many_arguments)]
    pub fn learn(
        &mut self,
        from_small: bool,
        s: &[Vec6],
        vdot: &[Vec6],
        mismatch: &[Vec6],
        change: f64,
        wrenches: &[Vec6],
        length: f64,
    ) {
        let wrench_size = |w: &[Vec6]| size(w, 1.0 / length);
        let unexplained = wrench_size(mismatch);
        let travel = size(s, length);
        if (unexplained <= EXPLAINED * change && !self.has_learnt)
            || unexplained <= ROUNDING * wrench_size(wrenches)
            || !(unexplained.is_finite() && travel.is_finite())
        {
            return;
        }
        if travel <= STILL * size(vdot, length) && !(from_small && self.comes_again(s, mismatch, length)) {
            return;
        }
        self.has_small = false;
        let n = s.len();
        for (scaled, s) in self.scaled.iter_mut().zip(s) {
            *scaled = weighted(s, length) / travel;
        }
        self.across.copy_from_slice(&self.scaled);
        // Twice, which is enough for orthogonality to rounding.
        for _ in 0..2 {
            for known in self.directions[..self.count * n].chunks_exact(n) {
                let along: f64 = known.iter().zip(&self.across).map(|(a, b)| a.dot(b)).sum();
                self.across.iter_mut().zip(known).for_each(|(x, known)| *x -= known * along);
            }
        }
        let mut sine = size(&self.across, 1.0);
        if sine <= NEW || self.count == 6 * n {
            // Broyden's own update, because the known action along s has changed.
            self.across.copy_from_slice(&self.scaled);
            (self.count, sine) = (0, 1.0);
        }
        self.across.iter_mut().for_each(|x| *x /= sine);
        self.directions[self.count * n..(self.count + 1) * n].copy_from_slice(&self.across);
        self.count += 1;
        // p^T s: both scaled to unit length, this is the sine.
        for (j, across) in self.across.iter().enumerate() {
            let row = weighted(across, length) / (sine * travel);
            for (i, mismatch) in mismatch.iter().enumerate() {
                self.learnt[i + n * j] += mismatch * row.transpose();
            }
        }
        self.has_learnt = true;
        self.lessons += 1;
    }

    /// Whether a small step and its mismatch are multiples of the last ones, which they replace.
    fn comes_again(&mut self, s: &[Vec6], mismatch: &[Vec6], length: f64) -> bool {
        let [last_s, last_mismatch] = &mut self.small;
        let squared = size(last_s, length).powi(2);
        let along: f64 =
            s.iter().zip(&*last_s).map(|(a, b)| weighted(a, length).dot(&weighted(b, length))).sum::<f64>() / squared;
        let is_alike = |now: &[Vec6], last: &[Vec6], length: f64| {
            let off = now.iter().zip(last).map(|(now, last)| weighted(&(now - last * along), length).norm_squared());
            off.sum::<f64>().sqrt() <= ALIKE * size(now, length)
        };
        let again = self.has_small && is_alike(s, last_s, length) && is_alike(mismatch, last_mismatch, 1.0 / length);
        last_s.copy_from_slice(s);
        last_mismatch.copy_from_slice(mismatch);
        self.has_small = true;
        again
    }
}

/// Rotations times `length`.
fn weighted(x: &Vec6, length: f64) -> Vec6 {
    Vec6::new(x[0], x[1], x[2], length * x[3], length * x[4], length * x[5])
}

/// Euclidean norm, rotations times `length`.
pub fn size(x: &[Vec6], length: f64) -> f64 {
    x.iter().map(|x| weighted(x, length).norm_squared()).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::noise::Noise;

    /// A full matrix over two bodies is found after 12 changes in general directions, to rounding.
    #[test]
    fn a_linear_load_is_known_after_as_many_changes_as_it_has_unknowns() {
        let mut noise = Noise(7);
        let truth: Vec<Mat6> = (0..4).map(|_| noise.mat6()).collect();
        let times = |a: &[Mat6], s: &[Vec6]| [0, 1].map(|i| a[i] * s[0] + a[i + 2] * s[1]);
        let mut secant = Secant::new(2);
        for _ in 0..12 {
            let s = [0, 1].map(|_| noise.vec6());
            let (wanted, known) = (times(&truth, &s), times(&secant.learnt, &s));
            let mismatch = [wanted[0] - known[0], wanted[1] - known[1]];
            secant.learn(true, &s, &s, &mismatch, 0.0, &wanted, 3.0);
        }
        for (learnt, truth) in secant.learnt.iter().zip(&truth) {
            // Directions within NEW of the known ones magnify rounding by 100 each.
            assert!((learnt - truth).amax() < 1e-9, "{learnt} {truth}");
        }
    }
}
