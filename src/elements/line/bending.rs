//! Bending stiffness: a moment at each inner node from the angle between its segments.
//!
//! Energy of a node: `E = (4 EI/l) (1 - cos(theta/2))`, with `c = cos theta = t1 . t2`. In terms of
//! c nothing is divided by the sine of a small angle, so that a straight line is no special case.
//! Forces on three nodes, derivatives between all of them: the band has width 2.

use super::algebra::{add_to_diagonal, dyad, times};
use super::chain::{Chain, NO_LENGTH};
use super::{EndColumns, Evaluation};
use crate::spatial::{Mat3, Vec3};

/// `1 + c` below which a line counts as folded: there the moment is bounded, but not its
/// derivative.
const FOLDED: f64 = 1e-8;

/// Two segments at a node.
struct Hinge {
    /// cos theta, and 1 + cos theta, kept away from zero.
    cosine: f64,
    open: f64,
    /// Unit vectors, and inverse lengths.
    t: [Vec3; 2],
    inverse: [f64; 2],
    /// Derivatives of the cosine by the chords of the segments.
    a: [Vec3; 2],
}

impl Hinge {
    /// None where a segment has no direction.
    fn new(e1: &Vec3, e2: &Vec3, l: f64) -> Option<Hinge> {
        let (s1, s2) = (e1.norm(), e2.norm());
        if s1 <= NO_LENGTH * l || s2 <= NO_LENGTH * l {
            return None;
        }
        let (t1, t2) = (e1 / s1, e2 / s2);
        let cosine = t1.dot(&t2);
        // Not 1 + c, which has no digits left in a fold.
        let open = (0.5 * (t1 + t2).norm_squared()).max(FOLDED);
        let a = [(t2 - t1 * cosine) / s1, (t1 - t2 * cosine) / s2];
        Some(Hinge { cosine, open, t: [t1, t2], inverse: [1.0 / s1, 1.0 / s2], a })
    }

    /// dE/dc over EI/l.
    fn first(&self) -> f64 {
        -(2.0 / self.open).sqrt()
    }

    /// d2E/dc2 over EI/l.
    fn second(&self) -> f64 {
        std::f64::consts::FRAC_1_SQRT_2 / (self.open * self.open.sqrt())
    }

    /// P over the length of a segment.
    fn projector(&self, k: usize) -> Mat3 {
        let mut p = dyad(&self.t[k], &(self.t[k] * -self.inverse[k]));
        add_to_diagonal(&mut p, self.inverse[k]);
        p
    }

    /// Second derivatives of E over EI/l by the chords.
    fn second_derivatives(&self) -> [[Mat3; 2]; 2] {
        let (p1, p2) = (self.projector(0), self.projector(1));
        let (first, second) = (self.first(), self.second());
        let own = |k: usize, p: &Mat3| {
            let (a, t) = (&self.a[k], &self.t[k]);
            let sum = dyad(a, t) + dyad(t, a) + p * self.cosine;
            dyad(a, a) * second - sum * (first * self.inverse[k])
        };
        let cross = dyad(&self.a[0], &self.a[1]) * second + times(&p1, &p2) * first;
        [[own(0, &p1), cross], [cross.transpose(), own(1, &p2)]]
    }
}

impl Chain {
    /// Adds what bending does to residuals and, with the factor of stiffness, to the blocks, those
    /// two nodes apart included.
    pub(super) fn bend(&self, l: f64, x: &[Vec3], stiffness: Option<f64>, out: &mut Evaluation) {
        let n = self.segments;
        let moment = self.bending / l;
        if stiffness.is_some() {
            out.ends.iter_mut().for_each(|columns| columns.stiffness[2] = Mat3::zeros());
        }
        for (k, (upper, lower)) in out.upper_two.iter_mut().zip(&mut out.lower_two).enumerate() {
            let i = k + 1;
            let (e1, e2) = (x[i] - x[i - 1], x[i + 1] - x[i]);
            if stiffness.is_some() {
                (*upper, *lower) = (Mat3::zeros(), Mat3::zeros());
            }
            let Some(hinge) = Hinge::new(&e1, &e2, l) else { continue };
            let first = moment * hinge.first();
            let forces = [hinge.a[0] * -first, (hinge.a[0] - hinge.a[1]) * first, hinge.a[1] * first];
            for (residual, force) in out.residual[i - 1..=i + 1].iter_mut().zip(&forces) {
                *residual += force;
            }
            if i == 1 {
                out.end_forces[0] -= forces[0];
            }
            if i + 1 == n {
                out.end_forces[1] -= forces[2];
            }
            let Some(factor) = stiffness.filter(|factor| *factor != 0.0) else { continue };
            let [[h11, h12], [h21, h22]] = hinge.second_derivatives().map(|row| row.map(|h| h * (moment * factor)));
            let centre = h11 - h12 - h21 + h22;
            out.diagonal[i - 1] += h11;
            out.diagonal[i] += centre;
            out.diagonal[i + 1] += h22;
            out.upper[i - 1] += h12 - h11;
            out.lower[i - 1] += h21 - h11;
            out.upper[i] += h12 - h22;
            out.lower[i] += h21 - h22;
            *upper = -h12;
            *lower = -h21;
            let add = |columns: &mut EndColumns, own: &Mat3, beside: &Mat3, beyond: &Mat3| {
                columns.stiffness[0] += own;
                columns.stiffness[1] += beside;
                columns.stiffness[2] = *beyond;
            };
            if i == 1 {
                add(&mut out.ends[0], &h11, &(h21 - h11), lower);
            }
            if i + 1 == n {
                add(&mut out.ends[1], &h22, &(h12 - h22), upper);
            }
        }
    }

    /// Energy of bending.
    pub(super) fn bending_energy(&self, l: f64, x: impl Fn(usize) -> Vec3) -> f64 {
        let hinges = (1..self.segments).filter_map(|i| Hinge::new(&(x(i) - x(i - 1)), &(x(i + 1) - x(i)), l));
        // 1 - cos(theta/2), with cos(theta/2)^2 = (1 + c)/2, without the cancellation of small
        // angles.
        let each = hinges.map(|hinge| {
            let across = 0.25 * (hinge.t[1] - hinge.t[0]).norm_squared();
            across / (1.0 + (0.5 * hinge.open).sqrt())
        });
        4.0 * self.bending / l * each.sum::<f64>()
    }
}
