//! Bending stiffness: a moment at each inner node from the angle between its segments.
//!
//! Energy of a node: `E = (4 EI/l) (1 - cos(theta/2))`, with `c = cos theta = t1 . t2`. In terms of
//! c nothing is divided by the sine of a small angle, so that a straight line is no special case.
//! Forces on three nodes, derivatives between all of them: the band has width 2.
//!
//! A clamped end has the energy `E = (2 EI/l) (1 - b . t)` of the angle between the axis b of its
//! carrier and the first segment t: half a segment bends. To second order in the angle this is the
//! energy of an inner node, and it has no singularity where the segment is folded back.

use super::algebra::{dyad, projector, times};
use super::chain::{Chain, NO_LENGTH};
use super::{Clamp, Damped, EndColumns, Evaluation, Motions, Over};
use crate::elements::energy_form::{EnergyForm, Memory};
use crate::spatial::{Mat3, Vec3, skew, skew_skew};

/// `1 + c` below which a line counts as folded: there the moment is bounded, but not its
/// derivative.
const FOLDED: f64 = 1e-8;

/// Two segments at a node.
pub(super) struct Hinge {
    /// cos theta, and 1 + cos theta, kept away from zero.
    pub(super) cosine: f64,
    pub(super) open: f64,
    /// Unit vectors, and inverse lengths.
    pub(super) t: [Vec3; 2],
    pub(super) inverse: [f64; 2],
    /// Derivatives of the cosine by the chords of the segments.
    pub(super) a: [Vec3; 2],
}

/// Derivatives of the energy of a hinge by both chords, by the laws or over a step.
pub(super) struct Bent {
    pub(super) by_chord: [Vec3; 2],
    /// With a factor, the second ones: of `by_chord[i]` by the chord j.
    pub(super) second: Option<[[Mat3; 2]; 2]>,
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

    /// E over EI/l: `4 (1 - cos(theta/2))`, with `cos(theta/2)^2 = (1 + c)/2`, without the
    /// cancellation of small angles.
    fn energy(&self) -> f64 {
        (self.t[1] - self.t[0]).norm_squared() / (1.0 + (0.5 * self.open).sqrt())
    }

    /// By the law, at a stiffness k in the place of EI/l; `factor`: that of second derivatives.
    fn by_law(&self, k: f64, factor: Option<f64>) -> Bent {
        let first = k * self.first();
        let second = factor.filter(|factor| *factor != 0.0);
        let second = second.map(|factor| self.second_derivatives().map(|row| row.map(|h| h * (k * factor))));
        Bent { by_chord: self.a.map(|a| a * first), second }
    }

    /// Derivatives of the energy by the law, with their change by changes of both chords times d.
    fn damped(&self, k: f64, d: f64, change: Option<[Vec3; 2]>) -> [Vec3; 2] {
        let Bent { by_chord, second } = self.by_law(k, change.map(|_| d));
        match (second, change) {
            (Some(h), Some(u)) => [0, 1].map(|i| by_chord[i] + h[i][0] * u[0] + h[i][1] * u[1]),
            _ => by_chord,
        }
    }

    /// Second derivatives of E over EI/l by the chords.
    fn second_derivatives(&self) -> [[Mat3; 2]; 2] {
        let [p1, p2] = [0, 1].map(|k| projector(&self.t[k], self.inverse[k]));
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
    /// two nodes apart included. With `over`, by its energy form.
    pub(super) fn bend(
        &self,
        l: f64,
        motions: &Motions,
        stiffness: Option<f64>,
        over: Option<&Over>,
        out: &mut Evaluation,
    ) {
        let (n, x) = (self.segments, motions.x);
        let moment = self.bending / l;
        // A winch has changed it in the step.
        let mean = over.map_or(moment, |over| 0.5 * (moment + self.bending / over.segment));
        let share = over.map_or(1.0, |over| over.form.share);
        let factor = stiffness.map(|factor| factor * share);
        if stiffness.is_some() {
            out.ends.iter_mut().for_each(|columns| columns.stiffness[2] = Mat3::zeros());
        }
        for (k, (upper, lower)) in out.upper_two.iter_mut().zip(&mut out.lower_two).enumerate() {
            let i = k + 1;
            if stiffness.is_some() {
                (*upper, *lower) = (Mat3::zeros(), Mat3::zeros());
            }
            let bent = self.at_node(i, l, x).and_then(|hinge| match over {
                None => Some(hinge.by_law(moment, factor)),
                Some(over) => self
                    .at_node(i, l, over.x)
                    .map(|from| hinge.over((mean, over.form), &from, (&over.bent[i], &mut out.bent[i]), factor)),
            });
            let Some(Bent { by_chord: [f1, f2], second }) = bent else {
                out.bent[i] = Default::default();
                continue;
            };
            let forces = [-f1, f1 - f2, f2];
            for (node, force) in (i - 1..=i + 1).zip(&forces) {
                out.residual[node] += force * share;
                out.effective[node] -= force;
            }
            if i == 1 {
                out.end_forces[0] -= forces[0] * share;
            }
            if i + 1 == n {
                out.end_forces[1] -= forces[2] * share;
            }
            let Some([[h11, h12], [h21, h22]]) = second else { continue };
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
        for end in 0..2 {
            let (node, neighbour, between) = self.end(end);
            let chord = x[neighbour] - x[node];
            let (k, mean) = (2.0 * moment, 2.0 * mean);
            let mut reached = Default::default();
            let held = motions.axes[end].and_then(|axis| match over {
                None => Held::by_law(k, &axis, &chord, l, factor),
                Some(Over { clamps, x, form, bent, .. }) => {
                    let from = (clamps[end].as_ref()?, x[neighbour] - x[node]);
                    Held::over((mean, form), from, (&axis, &chord), (&bent[node], &mut reached), l, factor)
                }
            });
            out.bent[node] = reached;
            out.ends[end].clamp = held.map(|Held { force, moment, second }| {
                out.add_pair([neighbour, node], end, &force, share);
                let [[h, by_rotation], [by_place, moment_by_rotation]] = second.unwrap_or([[Mat3::zeros(); 2]; 2]);
                if second.is_some() {
                    out.diagonal[node] += h;
                    out.diagonal[neighbour] += h;
                    out.upper[between] -= h;
                    out.lower[between] -= h;
                    // With one segment the neighbour is the other end.
                    let ends = if n == 1 { 0..2 } else { end..end + 1 };
                    for columns in &mut out.ends[ends] {
                        columns.stiffness[0] += h;
                        columns.stiffness[1] -= h;
                    }
                }
                Clamp { effective: -moment, moment: moment * share, by_rotation, by_place, moment_by_rotation }
            });
        }
    }

    /// The segments on both sides of an inner node; None where one has no direction.
    fn at_node(&self, i: usize, l: f64, x: &[Vec3]) -> Option<Hinge> {
        Hinge::new(&(x[i] - x[i - 1]), &(x[i + 1] - x[i]), l)
    }

    /// Adds the forces of bending on all nodes by its law, less those of a change u of the places
    /// weighted with `d` where there is one.
    pub(super) fn bending_by_law(&self, l: f64, x: &[Vec3], damped: Option<&Damped>, forces: &mut [[f64; 3]]) {
        for i in 1..self.segments {
            let Some(hinge) = self.at_node(i, l, x) else { continue };
            let change = damped.map(|damped| [0, 1].map(|k| (damped.change)(i + k) - (damped.change)(i + k - 1)));
            let [f1, f2] = hinge.damped(self.bending / l, damped.map_or(0.0, |damped| damped.d[1]), change);
            for (node, force) in (i - 1..=i + 1).zip([f1, f2 - f1, -f2]) {
                forces[node].iter_mut().zip(&force).for_each(|(sum, force)| *sum += force);
            }
        }
    }

    /// The node of an end, its neighbour, and the segment between them.
    pub fn end(&self, end: usize) -> (usize, usize, usize) {
        let last = self.segments;
        [(0, 1, 0), (last, last - 1, last - 1)][end]
    }

    /// The force of a clamp by its law on the neighbour of an end, whose opposite acts on the end,
    /// and its moment on the carrier, by its axis and the chord between both nodes; less those of
    /// changes of the chord and of the axis, by a rotation, times `d`.
    pub fn clamp_by_law(&self, l: f64, axis: &Vec3, chord: &Vec3, d: f64, change: Option<[Vec3; 2]>) -> [Vec3; 2] {
        let held = Held::by_law(2.0 * self.bending / l, axis, chord, l, change.map(|_| d));
        held.map_or([Vec3::zeros(); 2], |Held { force, moment, second }| match (second, change) {
            (Some([h, g]), Some([u, theta])) => {
                [-(force + h[0] * u + h[1] * theta), -(moment + g[0] * u + g[1] * theta)]
            }
            _ => [-force, -moment],
        })
    }

    /// The moment of a clamped end on its carrier, by the axis of the clamp and the chord from the
    /// end to its neighbour.
    pub fn clamp_moment(&self, l: f64, axis: &Vec3, chord: &Vec3) -> Vec3 {
        self.clamp_by_law(l, axis, chord, 0.0, None)[1]
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

/// Derivatives of the energy of a clamp by the chord from its end to the neighbour, and by the
/// rotation of its axis.
pub(super) struct Held {
    pub(super) force: Vec3,
    pub(super) moment: Vec3,
    /// With a factor, the second ones, in this order.
    pub(super) second: Option<[[Mat3; 2]; 2]>,
}

impl Held {
    /// At a stiffness k in the place of 2 EI/l; None where the segment has no direction.
    fn by_law(k: f64, axis: &Vec3, chord: &Vec3, l: f64, factor: Option<f64>) -> Option<Held> {
        let s = chord.norm();
        if s <= NO_LENGTH * l {
            return None;
        }
        let t = chord / s;
        let cosine = axis.dot(&t);
        // The derivative of the cosine by the chord.
        let a = (axis - t * cosine) / s;
        let second = factor.filter(|factor| *factor != 0.0).map(|factor| {
            let k = k * factor;
            let across = projector(&t, 1.0 / s);
            let h = (dyad(&a, &t) + dyad(&t, &a) + across * cosine) * (k / s);
            let by_rotation = times(&across, &skew(axis)) * k;
            [[h, by_rotation], [by_rotation.transpose(), skew_skew(&t, axis) * -k]]
        });
        Some(Held { force: a * -k, moment: axis.cross(&t) * -k, second })
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
/// `2/(l1/EI1 + l2/EI2)` for EI/l. To second order in the angle this is the energy of two clamps
/// with a common axis that is free to turn: the least one over all axes.
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
        self.damped_residuals(0.0, None)
    }

    /// The same with their change by changes of both chords, from the ends to their neighbours,
    /// times d.
    pub fn damped_residuals(&self, d: f64, change: Option<[Vec3; 2]>) -> [Vec3; 2] {
        let change = change.map(|[a, b]| [-a, b]);
        self.hinge().map_or([Vec3::zeros(); 2], |(hinge, k)| {
            let [f1, f2] = hinge.damped(k, d, change);
            [-f1, f2]
        })
    }

    /// Adds its forces and, with the factor of stiffness, their derivatives to the evaluations of
    /// both lines, which with `over` are those of a step. Returns the derivatives of the force on
    /// the neighbour of each end by the position of that of the other one, which are in neither.
    pub fn bend(&self, stiffness: Option<f64>, over: Option<&JointOver>, out: [&mut Evaluation; 2]) -> [Mat3; 2] {
        let share = over.map_or(1.0, |over| over.form.share);
        let factor = stiffness.map(|factor| factor * share);
        let node = self.0[0].chain.end(self.0[0].end).0;
        let mut reached = Default::default();
        let bent = self.hinge().and_then(|(hinge, k)| match over {
            None => Some(hinge.by_law(k, factor)),
            Some(over) => over.from.hinge().map(|(from, before)| {
                hinge.over((0.5 * (before + k), over.form), &from, (&over.memory, &mut reached), factor)
            }),
        });
        // Lines without bending stiffness, as searches for an equilibrium take them, have none.
        if let Some(bent) = out[0].bent.get_mut(node) {
            *bent = reached;
        }
        let Some(Bent { by_chord: [f1, f2], second: h }) = bent else { return [Mat3::zeros(); 2] };
        let residuals = [-f1, f2];
        for (k, (end, out)) in self.0.iter().zip(out).enumerate() {
            let (node, neighbour, between) = end.chain.end(end.end);
            out.add_pair([neighbour, node], end.end, &residuals[k], share);
            let Some(h) = &h else { continue };
            let own = &h[k][k];
            // In the row of the neighbour, by the position of the end, and the other way round.
            let (by_end, of_end) = (h[k][1 - k] - own, h[1 - k][k] - own);
            out.diagonal[neighbour] += own;
            out.diagonal[node] -= of_end;
            let [by_later, by_earlier] = [&mut out.upper[between], &mut out.lower[between]];
            let (in_row, in_column) = if end.end == 1 { (by_later, by_earlier) } else { (by_earlier, by_later) };
            *in_row += by_end;
            *in_column += of_end;
            let columns = &mut out.ends[end.end];
            columns.stiffness[0] -= of_end;
            columns.stiffness[1] += by_end;
        }
        h.map_or([Mat3::zeros(); 2], |h| [-h[0][1], -h[1][0]])
    }
}

/// A joint over a step.
pub struct JointOver<'a> {
    /// Numbers of the step.
    pub form: &'a EnergyForm,
    /// The joint at the start.
    pub from: Joint<'a>,
    /// Its numerical dissipation there.
    pub memory: [Memory; 3],
}
