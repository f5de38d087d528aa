//! The path of a tendon with friction (`capstan`), which divides it into runs.
//!
//! An eye divides a rope at its place. A sheave divides it at a mark on its rim, which was in the
//! middle of the wrap at the start of the step, so that the lengths of the runs change as the
//! sheave turns: with phi_a and phi_b the angles on the body where the rope arrives and leaves, and
//! m that of the mark, the wrap is phi_b - phi_a, the runs have r (m - phi_a) and r (phi_b - m) of
//! it, and the mark has moved by
//!
//! ```text
//! d = r (m - (phi_a + phi_b)/2)
//! ```
//!
//! past the middle.

use super::capstan::PerRun;
use super::sheave::{Bend, Bent, NoPath, Part, Sheave};
use super::{MOST_NODES, Site};
use crate::spatial::{Mat6, Vec3, Vec6};
use nalgebra::SMatrix;
use std::f64::consts::TAU;

/// Least sine of an angle at an eye that has a gradient.
const LEAST_SINE: f64 = 1e-9;

/// Six numbers for each place, for each run or point between runs.
type Gradients = [[Vec6; MOST_NODES]; MOST_NODES];

/// The runs of a tendon at one time.
pub struct Divided {
    /// Number of runs.
    pub count: usize,
    /// Lengths of the runs, and their gradients.
    pub lengths: PerRun,
    pub gradients: Gradients,
    /// The points between runs.
    pub points: [usize; MOST_NODES],
    /// Angles by which the rope turns there, >= 0, and their gradients if derivatives are wanted.
    pub wraps: PerRun,
    pub turns: Gradients,
    /// d, and its gradients if derivatives are wanted.
    pub carried: PerRun,
    pub carries: Gradients,
    /// Angles on the bodies of the middles of the wraps.
    pub middles: PerRun,
    /// The run of each part between two places, and the derivatives of its gradient.
    bends: [(usize, SMatrix<f64, 12, 12>); MOST_NODES],
}

impl Divided {
    /// Over sheaves at these places. `marks` are the angles of the marks on the bodies; without,
    /// they are in the middles.
    pub fn over(
        sheaves: &[Sheave],
        at: &[Site],
        marks: Option<&PerRun>,
        wants_derivatives: bool,
    ) -> Result<Divided, NoPath> {
        let (zeros, none) = ([0.0; MOST_NODES], [[Vec6::zeros(); MOST_NODES]; MOST_NODES]);
        let mut own = Divided {
            count: 1,
            lengths: zeros,
            gradients: none,
            points: [0; MOST_NODES],
            wraps: zeros,
            turns: none,
            carried: zeros,
            carries: none,
            middles: zeros,
            bends: [(0, SMatrix::zeros()); MOST_NODES],
        };
        let mut last: Option<(Part, Option<Bent>)> = None;
        for k in 0..sheaves.len() - 1 {
            let lost = || NoPath { point: if sheaves[k].radius > 0.0 { k } else { k + 1 }, wrap: None };
            let part = Part::between([sheaves[k].rim(&at[k]), sheaves[k + 1].rim(&at[k + 1])]).ok_or_else(lost)?;
            let bent = if wants_derivatives { Some(part.bend().ok_or_else(lost)?) } else { None };
            let next = (part, bent);
            if let Some(before) = &last {
                own.pass(k, (&sheaves[k], &at[k]), [before, &next], marks)?;
            }
            let run = own.count - 1;
            own.lengths[run] += next.0.s;
            for (i, gradient) in next.0.gradient().into_iter().enumerate() {
                own.gradients[run][k + i] += gradient;
            }
            if let Some(bent) = &next.1 {
                own.bends[k] = (run, bent.gradient);
            }
            last = Some(next);
        }
        Ok(own)
    }

    /// Passes over a point, where a new run may begin.
    fn pass(
        &mut self,
        k: usize,
        (sheave, at): (&Sheave, &Site),
        [(before, before_bent), (after, after_bent)]: [&(Part, Option<Bent>); 2],
        marks: Option<&PerRun>,
    ) -> Result<(), NoPath> {
        let run = self.count - 1;
        let (arrived, left) = (before.contacts[1].e, after.contacts[0].e);
        let (r, wrap) = (sheave.radius, sheave.wrap_between(k, &after.rims[0].n, [&arrived, &left])?);
        if sheave.friction == 0.0 {
            self.lengths[run] += r * wrap;
            return Ok(());
        }
        self.count += 1;
        self.points[run] = k;
        let bends = before_bent.as_ref().zip(after_bent.as_ref());
        if r == 0.0 {
            let sine = before.u.cross(&after.u).norm();
            self.wraps[run] = sine.atan2(before.u.dot(&after.u));
            if let Some((before_bent, after_bent)) = bends.filter(|_| sine > LEAST_SINE) {
                for i in 0..2 {
                    let turn = |bent: &Bent, other: &Vec3| bent.direction.fixed_view::<3, 6>(0, 6 * i).tr_mul(other);
                    self.turns[run][k + i] -= turn(after_bent, &before.u) / sine;
                    self.turns[run][k - 1 + i] -= turn(before_bent, &after.u) / sine;
                }
            }
            return Ok(());
        }
        let middle = sheave.angle(at, &left) - 0.5 * wrap;
        let mark = marks.map_or(middle, |marks| marks[run]);
        let off = (mark - middle) - TAU * ((mark - middle) / TAU).round();
        self.lengths[run] += r * (0.5 * wrap + off);
        self.lengths[run + 1] += r * (0.5 * wrap - off);
        self.wraps[run] = wrap.abs();
        self.carried[run] = r * off;
        self.middles[run] = middle;
        let Some((before_bent, after_bent)) = bends else { return Ok(()) };
        for i in 0..2 {
            let by = |bent: &Bent, end: usize| bent.angles.fixed_view::<1, 6>(end, 6 * i).transpose();
            let (arrives, leaves) = (by(before_bent, 1), by(after_bent, 0));
            self.turns[run][k + i] += leaves * wrap.signum();
            self.turns[run][k - 1 + i] -= arrives * wrap.signum();
            self.carries[run][k + i] -= leaves * (0.5 * r);
            self.carries[run][k - 1 + i] -= arrives * (0.5 * r);
        }
        Ok(())
    }

    /// Derivatives of the sum of the gradients of the runs, each with a weight.
    pub fn bend(&self, weights: &PerRun) -> Bend {
        let mut bend = [[Mat6::zeros(); MOST_NODES]; MOST_NODES];
        for (k, (run, own)) in self.bends.iter().enumerate().take(MOST_NODES - 1) {
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                bend[k + i][k + j] += own.fixed_view::<6, 6>(6 * i, 6 * j) * weights[*run];
            }
        }
        bend
    }
}
