//! Bending stiffness: a moment at each inner node from the angle between its segments.
//!
//! Energy of a node: `E = (4 EI/l) (1 - cos(theta/2))`, with `c = cos theta = t1 . t2`. In terms of
//! c nothing is divided by the sine of a small angle, so that a straight line is no special case.
//! Forces on three nodes, derivatives between all of them: the band has width 2.
//!
//! A clamped end has the energy `E = (2 EI/l) (1 - b . t)` of the angle between the axis b of its
//! carrier and the first segment t: half a segment bends. To second order in the angle this is the
//! energy of an inner node, and it has no singularity where the segment is folded back.

use super::algebra::{add_to_diagonal, dyad, times};
use super::chain::{Chain, NO_LENGTH};
use super::{Clamp, EndColumns, Evaluation, Motions};
use crate::spatial::{Mat3, Vec3, skew, skew_skew};

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

    /// E over EI/l: `4 (1 - cos(theta/2))`, with `cos(theta/2)^2 = (1 + c)/2`, without the
    /// cancellation of small angles.
    fn energy(&self) -> f64 {
        (self.t[1] - self.t[0]).norm_squared() / (1.0 + (0.5 * self.open).sqrt())
    }

    /// Minus the forces on the nodes before and after it, at a stiffness k in the place of EI/l.
    fn residuals(&self, k: f64) -> [Vec3; 2] {
        let first = k * self.first();
        [self.a[0] * -first, self.a[1] * first]
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
    pub(super) fn bend(&self, l: f64, motions: &Motions, stiffness: Option<f64>, out: &mut Evaluation) {
        let (n, x) = (self.segments, motions.x);
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
        for (end, axis) in motions.axes.iter().enumerate() {
            out.ends[end].clamp = axis.and_then(|axis| self.clamp(end, &axis, l, x, stiffness, out));
        }
    }

    /// The node of an end, its neighbour, and the segment between them.
    pub fn end(&self, end: usize) -> (usize, usize, usize) {
        let last = self.segments;
        [(0, 1, 0), (last, last - 1, last - 1)][end]
    }

    /// Adds the forces of a clamp on the end and its neighbour, and their derivatives by positions.
    fn clamp(
        &self,
        end: usize,
        axis: &Vec3,
        l: f64,
        x: &[Vec3],
        stiffness: Option<f64>,
        out: &mut Evaluation,
    ) -> Option<Clamp> {
        let (node, neighbour, between) = self.end(end);
        let chord = x[neighbour] - x[node];
        let s = chord.norm();
        if s <= NO_LENGTH * l {
            return None;
        }
        let (t, k) = (chord / s, 2.0 * self.bending / l);
        let cosine = axis.dot(&t);
        // The derivative of the cosine by the chord.
        let a = (axis - t * cosine) / s;
        let force = a * -k;
        out.residual[neighbour] += force;
        out.residual[node] -= force;
        out.end_forces[end] += force;
        let moment = axis.cross(&t) * -k;
        let (mut by_rotation, mut moment_by_rotation) = (Mat3::zeros(), Mat3::zeros());
        if let Some(factor) = stiffness.filter(|factor| *factor != 0.0) {
            let k = k * factor;
            let mut projector = dyad(&t, &(t / -s));
            add_to_diagonal(&mut projector, 1.0 / s);
            let h = (dyad(&a, &t) + dyad(&t, &a) + projector * cosine) * (k / s);
            out.diagonal[node] += h;
            out.diagonal[neighbour] += h;
            out.upper[between] -= h;
            out.lower[between] -= h;
            // With one segment the neighbour is the other end.
            let ends = if self.segments == 1 { 0..2 } else { end..end + 1 };
            for columns in &mut out.ends[ends] {
                columns.stiffness[0] += h;
                columns.stiffness[1] -= h;
            }
            by_rotation = times(&projector, &skew(axis)) * k;
            moment_by_rotation = skew_skew(&t, axis) * -k;
        }
        Some(Clamp { moment, by_rotation, moment_by_rotation })
    }

    /// The moment of a clamped end on its carrier, by the axis of the clamp and the chord from the
    /// end to its neighbour.
    pub fn clamp_moment(&self, l: f64, axis: &Vec3, chord: &Vec3) -> Vec3 {
        let s = chord.norm();
        if s <= NO_LENGTH * l { Vec3::zeros() } else { axis.cross(chord) * (2.0 * self.bending / l / s) }
    }

    /// Energy of bending, clamped ends included.
    pub(super) fn bending_energy(&self, l: f64, x: impl Fn(usize) -> Vec3, axes: [Option<Vec3>; 2]) -> f64 {
        let hinges = (1..self.segments).filter_map(|i| Hinge::new(&(x(i) - x(i - 1)), &(x(i + 1) - x(i)), l));
        let each = hinges.map(|hinge| hinge.energy());
        let n = self.segments;
        let chords = [x(1) - x(0), x(n - 1) - x(n)];
        let clamps = axes.iter().zip(&chords).filter_map(|(axis, chord)| {
            // 1 - cosine, without the cancellation of small angles.
            let across = |axis: &Vec3, s: f64| 0.5 * (axis - chord / s).norm_squared();
            Some(chord.norm()).filter(|s| *s > NO_LENGTH * l).and_then(|s| axis.map(|axis| across(&axis, s)))
        });
        self.bending / l * (each.sum::<f64>() + 2.0 * clamps.sum::<f64>())
    }
}

/// An end of a line that passes bending on to another line at the same place.
#[derive(Debug, Clone, Copy)]
pub struct JoinedEnd<'a> {
    /// The line.
    pub chain: &'a Chain,
    /// Which end: 0 is A, 1 is B.
    pub end: usize,
    /// Unstretched length of its segments.
    pub segment: f64,
    /// From the end to its neighbour.
    pub chord: Vec3,
}

/// Two ends that are joined without mass: an inner node between segments that differ, with
/// `2/(l1/EI1 + l2/EI2)` for EI/l. To second order in the angle this is the energy of two clamps with
/// a common axis that is free to turn: the least one over all axes.
#[derive(Debug, Clone, Copy)]
pub struct Joint<'a>(pub [JoinedEnd<'a>; 2]);

impl Joint<'_> {
    fn hinge(&self) -> Option<(Hinge, f64)> {
        let [a, b] = &self.0;
        let flexible = |end: &JoinedEnd| end.segment / end.chain.bending;
        let hinge = Hinge::new(&-a.chord, &b.chord, a.segment.max(b.segment))?;
        Some((hinge, 2.0 / (flexible(a) + flexible(b))))
    }

    /// Energy of the joint.
    pub fn energy(&self) -> f64 {
        self.hinge().map_or(0.0, |(hinge, k)| k * hinge.energy())
    }

    /// The moment of the first end on the second one.
    pub fn moment(&self) -> Vec3 {
        self.hinge().map_or(Vec3::zeros(), |(hinge, k)| hinge.t[0].cross(&hinge.t[1]) * (k * hinge.first()))
    }

    /// Minus the forces on the neighbours of both ends; the opposite ones act on the ends.
    pub fn residuals(&self) -> [Vec3; 2] {
        self.hinge().map_or([Vec3::zeros(); 2], |(hinge, k)| hinge.residuals(k))
    }

    /// Adds its forces and, with the factor of stiffness, their derivatives to the evaluations of
    /// both lines. Returns the derivative of the force on the neighbour of the first end by the
    /// position of that of the second one, which is in neither.
    pub fn bend(&self, stiffness: Option<f64>, out: [&mut Evaluation; 2]) -> Mat3 {
        let Some((hinge, k)) = self.hinge() else { return Mat3::zeros() };
        let residuals = hinge.residuals(k);
        let factor = stiffness.filter(|factor| *factor != 0.0);
        let h = factor.map(|factor| hinge.second_derivatives().map(|row| row.map(|h| h * (k * factor))));
        for (k, (end, out)) in self.0.iter().zip(out).enumerate() {
            let (node, neighbour, between) = end.chain.end(end.end);
            out.residual[neighbour] += residuals[k];
            out.residual[node] -= residuals[k];
            out.end_forces[end.end] += residuals[k];
            let Some(h) = &h else { continue };
            let (own, cross) = (&h[k][k], &h[k][1 - k]);
            out.diagonal[neighbour] += own;
            out.diagonal[node] += own - cross.transpose();
            // In the row of the neighbour, by the position of the end, and the other way round.
            let by_end = cross - own;
            let [by_later, by_earlier] = [&mut out.upper[between], &mut out.lower[between]];
            let (in_row, in_column) = if end.end == 1 { (by_later, by_earlier) } else { (by_earlier, by_later) };
            *in_row += by_end;
            *in_column += by_end.transpose();
            let columns = &mut out.ends[end.end];
            columns.stiffness[0] += own - cross.transpose();
            columns.stiffness[1] += by_end;
        }
        h.map_or(Mat3::zeros(), |h| -h[0][1])
    }
}
