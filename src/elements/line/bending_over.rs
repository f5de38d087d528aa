//! Energy form of bending (`elements::energy_form`, docs/theory.md): forces of the angle between
//! two segments over a step of generalized-alpha.
//!
//! With bars for the means of both ends of the step, the cosine `c = e1 . e2/sigma` and
//! `sigma = s1 s2`, the discrete gradient of E is its secant by c times
//!
//! ```text
//! (e2bar - cbar (s2bar/s1bar) e1bar)/sigmabar on e1, and with 1 and 2 exchanged on e2:
//! their products with the changes of both chords add up to the change of c.
//! ```
//!
//! Both turn with the chords, so that angular momentum is kept. The axis b of a clamp is a second
//! chord of length 1, which a rotation of its carrier by the Cayley vector k moves by `k x bbar`.
//! Numerical dissipation is that of the change of the angle as a vector,
//! `d = t2(n) x t2(n+1) - t1(n) x t1(n+1)`, without its part along the line at the start: its
//! memory y is turned with the line after each step.

use super::algebra::{add_to_diagonal, dyad, projector};
use super::bending::{Bent, Held, Hinge};
use super::chain::NO_LENGTH;
use super::evaluation::ClampOver;
use crate::elements::energy_form::{EnergyForm, Memory};
use crate::spatial::{Mat3, Vec3, skew, skew_mul, skew_skew};

/// Squared length of the sum of two directions below which it is none.
const OPPOSITE: f64 = 1e-8;

/// Change of an angle over a step, and what numerical dissipation makes of it.
struct Dissipation {
    /// Removes what is along the line at the start.
    across: Mat3,
    /// The moment, and its derivative by the change.
    moment: Vec3,
    slope: f64,
}

impl Dissipation {
    /// Of a stiffness k, from directions of two segments at the start and at the end of a step. The
    /// memory holds |y|^2, as y has the root of k as a factor.
    fn of(
        k: f64,
        form: &EnergyForm,
        from: &[Vec3; 2],
        to: &[Vec3; 2],
        memory: &[Memory; 3],
        next: &mut [Memory; 3],
    ) -> Option<Dissipation> {
        *next = Default::default();
        let y = Vec3::new(memory[0].y, memory[1].y, memory[2].y);
        let [start, end] = [from, to].map(|t| t[0] + t[1]);
        let squares = [start.norm_squared(), end.norm_squared()];
        if squares[0] < OPPOSITE || squares[1] < OPPOSITE {
            return None;
        }
        let [start, end] = [start / squares[0].sqrt(), end / squares[1].sqrt()];
        let mut across = -dyad(&start, &start);
        add_to_diagonal(&mut across, 1.0);
        let change = across * (from[1].cross(&to[1]) - from[0].cross(&to[0]));
        let root = k.sqrt();
        let reached = change * (form.drive * root) - y * form.decay;
        let slope = k * (form.dissipation * form.drive + 0.5 * form.backward);
        let moment = (reached - y) * (form.dissipation * root) + change * (0.5 * form.backward * k);
        // The smallest rotation from one direction to the other.
        let (axis, open) = (start.cross(&end), 1.0 + start.dot(&end));
        let turned = axis.cross(&reached);
        if open >= OPPOSITE {
            let carried = reached + turned + axis.cross(&turned) / open;
            next.iter_mut().zip(&carried).for_each(|(memory, y)| memory.y = *y);
        }
        Some(Dissipation { across, moment, slope })
    }
}

impl Hinge {
    /// At a stiffness k in the place of EI/l, from the hinge at the start of a step to this one,
    /// with the memory of numerical dissipation and where to put it at the end. `factor` is that
    /// of second derivatives, which are those by the chords at the end.
    #[inline(never)]
    pub(super) fn over(
        &self,
        (k, form): (f64, &EnergyForm),
        from: &Hinge,
        (memory, reached): (&[Memory; 3], &mut [Memory; 3]),
        factor: Option<f64>,
    ) -> Bent {
        let length = |hinge: &Hinge, i: usize| 1.0 / hinge.inverse[i];
        let before = [length(from, 0), length(from, 1)];
        let now = [length(self, 0), length(self, 1)];
        let chord = [0, 1].map(|i| (from.t[i] * before[i] + self.t[i] * now[i]) * 0.5);
        let s = [0, 1].map(|i| 0.5 * (before[i] + now[i]));
        let sigma = 0.5 * (before[0] * before[1] + now[0] * now[1]);
        let cosine = 0.5 * (from.cosine + self.cosine);
        let ratio = [s[1] / s[0], s[0] / s[1]];
        let by_chord = [0, 1].map(|i| (chord[1 - i] - chord[i] * (cosine * ratio[i])) / sigma);
        // The secant of E over EI/l, -4 cos(theta/2), by the cosine of theta.
        let half = [from, self].map(|hinge| (0.5 * hinge.open).sqrt());
        let secant = -2.0 / (half[0] + half[1]);

        let lost = Dissipation::of(k, form, &from.t, &self.t, memory, reached);
        let sign = [-1.0, 1.0];
        // Work of a moment m on the change of a direction: (m x ebar) . de/(s(n) s(n+1)).
        let pull = |i: usize, lost: &Dissipation| lost.moment.cross(&chord[i]) * (sign[i] / (before[i] * now[i]));
        let force = |i: usize| {
            let of_moment = lost.as_ref().map_or(Vec3::zeros(), |lost| pull(i, lost));
            by_chord[i] * (k * secant) + of_moment
        };

        let second = factor.filter(|factor| *factor != 0.0).map(|factor| {
            let slope = secant * secant / (8.0 * half[1]);
            let second = |i: usize, j: usize| {
                let unit = &self.t[j];
                let of_sigma = unit * (0.5 * now[1 - j] / sigma);
                let of_ratio = unit * if i == j { -0.5 * ratio[i] / s[i] } else { 0.5 / s[i] };
                let of_cosine = &self.a[j];
                let along = of_cosine * (0.5 * ratio[i]) + of_ratio * cosine;
                let mut by_place = -dyad(&chord[i], &along);
                add_to_diagonal(&mut by_place, if i == j { -0.5 * cosine * ratio[i] } else { 0.5 });
                let mut h =
                    (by_place * (secant / sigma) + dyad(&by_chord[i], &(of_cosine * slope - of_sigma * secant))) * k;
                if let Some(lost) = &lost {
                    let turning = lost.across
                        * skew_mul(&from.t[j], &projector(&self.t[j], self.inverse[j]))
                        * (sign[j] * lost.slope);
                    h -= skew_mul(&chord[i], &turning) * (sign[i] / (before[i] * now[i]));
                    if i == j {
                        let half = 0.5 * sign[i] / (before[i] * now[i]);
                        h += skew(&lost.moment) * half - dyad(&pull(i, lost), &(unit * self.inverse[i]));
                    }
                }
                h * factor
            };
            [[second(0, 0), second(0, 1)], [second(1, 0), second(1, 1)]]
        });
        Bent { by_chord: [force(0), force(1)], second }
    }
}

impl Held {
    /// At a stiffness k in the place of 2 EI/l, from the axis, its rotation and the chord at the
    /// start of a step to axis and chord now; the rest is as for a hinge.
    #[inline(never)]
    pub(super) fn over(
        (k, form): (f64, &EnergyForm),
        (clamp, before): (&ClampOver, Vec3),
        (axis, chord): (&Vec3, &Vec3),
        (memory, reached): (&[Memory; 3], &mut [Memory; 3]),
        l: f64,
        factor: Option<f64>,
    ) -> Option<Held> {
        let (s0, s1) = (before.norm(), chord.norm());
        if s0.min(s1) <= NO_LENGTH * l {
            return None;
        }
        let (unit_before, unit, s) = (before / s0, chord / s1, 0.5 * (s0 + s1));
        let (mean, bar) = ((before + chord) * 0.5, (clamp.axis + axis) * 0.5);
        let cosine = 0.5 * (clamp.axis.dot(&unit_before) + axis.dot(&unit));
        let by_chord = (bar - mean * (cosine / s)) / s;
        let turn = &clamp.turn;

        let lost = Dissipation::of(k, form, &[clamp.axis, unit_before], &[*axis, unit], memory, reached);
        let of_lost = lost.as_ref().map_or(Vec3::zeros(), |lost| lost.moment);
        let per_square = 1.0 / (s0 * s1);
        let force = by_chord * -k + of_lost.cross(&mean) * per_square;
        let across = bar.cross(&of_lost);
        // On the Cayley vector of the carrier.
        let moment = bar.cross(&mean) * (-k / s) + bar.cross(&across);

        let second = factor.filter(|factor| *factor != 0.0).map(|factor| {
            let half = 0.5 / s;
            // The derivatives of the cosine at the end.
            let (a, by_turn) = ((axis - unit * axis.dot(&unit)) / s1, axis.cross(&unit));
            let mut h = (dyad(&mean, &(a + unit * (-cosine / s))) * (half / s) + dyad(&by_chord, &unit) * half) * k;
            add_to_diagonal(&mut h, k * cosine * half / s);
            let mut by_rotation = (skew(axis) + dyad(&mean, &by_turn) / s) * (k * half);
            let mut by_place = (skew(&bar) - dyad(&bar.cross(&mean), &unit) / s) * (-k * half);
            let mut by_both = skew_skew(&mean, axis) * (-k * half);
            if let Some(lost) = &lost {
                let turning = lost.across * lost.slope;
                let [of_place, of_rotation] = [
                    turning * skew_mul(&unit_before, &projector(&unit, 1.0 / s1)),
                    turning * skew_skew(&clamp.axis, axis),
                ];
                let pull = of_lost.cross(&mean);
                h += (skew(&of_lost) * 0.5 - skew_mul(&mean, &of_place) - dyad(&pull, &(unit / s1))) * per_square;
                by_rotation -= skew_mul(&mean, &of_rotation) * per_square;
                let twice = skew_skew(&bar, &bar);
                by_place += twice * of_place;
                let by_axis = skew(&across) + skew_skew(&bar, &of_lost);
                by_both += twice * of_rotation + by_axis * skew(axis) * 0.5;
            }
            by_both = by_both * turn.factor + dyad(&moment, &turn.by_turn);
            [[h * factor, by_rotation * factor], [by_place * (turn.factor * factor), by_both * factor]]
        });
        Some(Held { force, moment: moment * turn.factor, second })
    }
}
