//! Shapes at rest by descent: slower than the search of `statics`, and it arrives where that one
//! goes to and fro.
//!
//! Without bending and current a line rests where its potential is least, and that potential is
//! convex: every step along which the forces do work, ended before they turn against it, comes
//! nearer, from wherever it starts. The steps are Newton's,
//!
//! ```text
//! (K + mu I) dr = F,
//! ```
//!
//! with as much mu as makes the matrix positive definite. So forces do work along every step, and
//! of shapes that bend the search comes to stable ones: a saddle repels it. Steps that stretch
//! slack segments end where the forces have just turned, which the next matrix then knows as
//! stretched. A current has no potential, but at large mu the steps are those of a line without
//! mass in a viscous fluid, which comes to rest where lines do.
//!
//! A line that bends may fold up instead of coming to rest, for its slack segments do not push:
//! bending shortens one of them until it has no length and no direction, where bending forces end
//! without having been balanced. That is no shape.

use super::statics::{FALL, FIRST, RISE, Settled, Statics};
use super::{Around, Chain};
use std::ops::Range;

/// Least mu over EA/l while forces are large: below what a weak current makes of stiffness against
/// turning.
const LEAST: f64 = 1e-12;

/// Part of the work of forces at the start of a step up to which they may have turned against it at
/// its end.
const TURNED: f64 = 0.1;

/// Most evaluations, of lines without and with bending stiffness, and most parts of one step that
/// are tried. Searches that succeed take up to 5,000, in a current on the bed, and up to 1,000.
const MOST_EVALUATIONS: [u32; 2] = [10_000, 3_000];
const MOST_TRIES: u32 = 20;

/// A line that bends has folded up where a segment is shorter than this part of its unstretched
/// length.
const FOLDED: f64 = 1e-3;

impl Statics {
    /// From the positions in `x`, of which those of ends that are `held` stay, to a shape at rest;
    /// None where it finds none.
    pub(super) fn descend(&mut self, chain: &Chain, length: f64, held: [bool; 2], around: &Around) -> Option<Settled> {
        let n = chain.segments;
        let free = usize::from(held[0])..n + 1 - usize::from(held[1]);
        let l = length / n as f64;
        let stiffness = chain.axial.stretching() / l;
        let enough = self.enough(chain, length, around);
        let (_, mut force) = self.evaluate(chain, length, around, free.clone());
        let mut mu = FIRST;
        let (mut iterations, mut evaluations) = (0, 0);
        while evaluations < MOST_EVALUATIONS[usize::from(chain.bends())] {
            if force <= enough {
                return Some(Settled { iterations, force, noise: enough });
            }
            (iterations, evaluations) = (iterations + 1, evaluations + 1);
            let Some(longest) = self.newton(free.clone(), mu * stiffness, true) else {
                mu *= RISE;
                continue;
            };
            let (turned, tries);
            (force, turned, tries) = self.follow((0.5 * l / longest).min(1.0), chain, length, around, free.clone());
            evaluations += tries;
            if chain.bends() && self.x.windows(2).any(|x| (x[1] - x[0]).norm() < FOLDED * l) {
                return None;
            }
            if !turned {
                // As forces vanish so does the least of mu, under which a node without stiffness
                // goes less than a segment.
                mu = (mu * FALL).max((force / (stiffness * l)).min(LEAST));
            }
        }
        None
    }

    /// Goes up to a part of the step, to where forces do hardly any work if they turn against it
    /// before: returns the largest force there, whether they turned, and how many more evaluations
    /// than one it took.
    fn follow(
        &mut self,
        most: f64,
        chain: &Chain,
        length: f64,
        around: &Around,
        free: Range<usize>,
    ) -> (f64, bool, u32) {
        self.before.copy_from_slice(&self.x);
        // A part of the step where forces follow it, and their work there; another where they have
        // turned.
        let mut follows = (0.0, self.work(free.clone()));
        let little = TURNED * follows.1;
        let mut turned = None;
        let mut part = most;
        let (mut force, mut more) = (f64::INFINITY, 0);
        for tries in 0..MOST_TRIES {
            more = tries;
            for (x, (before, step)) in
                self.x[free.clone()].iter_mut().zip(self.before[free.clone()].iter().zip(&self.step))
            {
                *x = before + step * part;
            }
            (_, force) = self.evaluate(chain, length, around, free.clone());
            let work = self.work(free.clone());
            if work < -little || work.is_nan() {
                turned = Some((part, work));
            } else if turned.is_none() || work <= little {
                break;
            } else {
                follows = (part, work);
            }
            part = turned.map_or(part, |turned| between(follows, turned));
        }
        (force, turned.is_some(), more)
    }

    /// Work of the forces along the step.
    fn work(&self, free: Range<usize>) -> f64 {
        self.evaluation.residual[free].iter().zip(&self.step).map(|(r, step)| -r.dot(step)).sum()
    }
}

/// The part of a step at which forces do no work any more, by a secant that leaves out a tenth at
/// both ends.
fn between(follows: (f64, f64), turned: (f64, f64)) -> f64 {
    let zero = follows.1 / (follows.1 - turned.1);
    follows.0 + (turned.0 - follows.0) * if zero.is_nan() { 0.1 } else { zero.clamp(0.1, 0.9) }
}
