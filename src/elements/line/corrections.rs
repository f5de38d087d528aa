//! What a sweep adds to single nodes: the seabed under them, the slope of a current, the surface
//! that cuts their segments, derivatives by the directions of tangents, and the columns of the
//! ends.

use super::algebra::{add_column, add_dyad, add_to_diagonal, dyad, times};
use super::lanes::Two;
use super::pair::{Pair, Wetted};
use super::seabed::{Contacts, Push, Seabed};
use super::sweep::{MASSES, Sweep, TANGENTS, ZERO};
use super::water::{current, wet};
use super::{EndColumns, Evaluation, Over};
use crate::spatial::{Mat3, Vec3};
use std::ops::Range;

impl Sweep<'_> {
    /// Adds to the tangents of two nodes what the water gives them in rare cases.
    #[inline(never)]
    pub(super) fn correct(&self, all: bool, nodes: Range<usize>, found: &Wetted, out: &mut Evaluation) {
        for (lane, node) in nodes.enumerate() {
            let wetted = found.wetted.to_array()[lane];
            if wetted > 0.0 {
                self.shear(node, lane, found, out);
                let per_length = found.all.lane(lane) * (self.factors.stiffness * self.l / wetted);
                self.surface(node, &per_length, out);
                if all {
                    self.turn(node, lane, found, out);
                }
            }
        }
    }

    /// C times how the current changes upwards.
    fn shear(&self, node: usize, lane: usize, found: &Wetted, out: &mut Evaluation) {
        let depth = -(self.motions.x[node].z + self.around.origin.z);
        let (_, Some(slope)) = current(self.around.water, depth) else { return };
        let number = |two: Two| two.to_array()[lane];
        let (q, up) = (found.q.lane(lane), found.up.lane(lane));
        let across = slope - q * q.dot(&slope);
        let turned = up * (number(found.k1_over_speed()) * up.dot(&slope));
        let axial = number(found.k2 * found.sq.abs());
        let change = across * number(found.k1 * found.speed) + turned + q * (2.0 * axial * q.dot(&slope));
        add_column(&mut out.diagonal[node], 2, &(change * self.factors.stiffness));
    }

    /// How the wet length of a node changes with the heights of its neighbours, where the surface
    /// cuts its segments.
    fn surface(&self, i: usize, per_length: &Vec3, out: &mut Evaluation) {
        let slopes = |from: usize| wet([self.depth(from), self.depth(from + 1)], self.chain.surfacing).slopes;
        // Depths fall as heights rise.
        if let Some(slopes) = i.checked_sub(1).and_then(slopes) {
            add_column(&mut out.lower[i - 1], 2, &(per_length * -slopes[1][0]));
            add_column(&mut out.diagonal[i], 2, &(per_length * -slopes[1][1]));
        }
        if let Some(slopes) = Some(i).filter(|i| *i < self.chain.segments()).and_then(slopes) {
            add_column(&mut out.diagonal[i], 2, &(per_length * -slopes[0][0]));
            add_column(&mut out.upper[i], 2, &(per_length * -slopes[0][1]));
        }
    }

    /// Derivatives by the direction of the tangent q.
    fn turn(&self, i: usize, lane: usize, found: &Wetted, out: &mut Evaluation) {
        let number = |two: Two| two.to_array()[lane];
        let (q, up, u) = (found.q.lane(lane), found.up.lane(lane), found.u.lane(lane));
        let (sq, speed, over) = (number(found.sq), number(found.speed), number(found.over));
        let (k1, k2, along) = (number(found.k1), number(found.k2), number(found.along));
        let fluid = self.around.fluid.map_or(Vec3::zeros(), |fluid| Vec3::from(fluid[i].acceleration));
        let relative = self.motions.a[i] - fluid;
        let mut by_q = dyad(&q, &(relative * along));
        add_to_diagonal(&mut by_q, along * q.dot(&relative));
        let mut around_q = dyad(&q, &u);
        add_to_diagonal(&mut around_q, sq);
        if speed > 0.0 {
            let mut magnitude = dyad(&up, &(up / speed));
            add_to_diagonal(&mut magnitude, speed);
            by_q += times(&magnitude, &around_q) * k1;
        }
        add_dyad(&mut by_q, &q, &(u * (-2.0 * k2 * sq.abs())));
        add_to_diagonal(&mut by_q, -k2 * sq.abs() * sq);
        let mut projector = dyad(&q, &(q * -over));
        add_to_diagonal(&mut projector, over);
        let by_chord: Mat3 = times(&by_q, &projector) * self.factors.stiffness;
        if i < self.chain.segments() {
            out.upper[i] += by_chord;
        } else {
            out.diagonal[i] += by_chord;
        }
        if i > 0 {
            out.lower[i - 1] -= by_chord;
        } else {
            out.diagonal[i] -= by_chord;
        }
    }

    /// What the carriers of ends want to know of a pair that has one.
    #[inline(never)]
    pub(super) fn end<const WANTED: u8>(&self, pair: &Pair, out: &mut Evaluation) {
        for (lane, node) in pair.nodes.clone().enumerate() {
            if node != 0 && node != self.chain.segments() {
                continue;
            }
            let end = usize::from(node > 0);
            out.end_forces[end] = -pair.forces.lane(lane);
            if WANTED < MASSES {
                continue;
            }
            let found = &pair.found;
            let number = |two: Two| two.to_array()[lane];
            let q = found.q.lane(lane);
            let EndColumns { mass, damping, rates, .. } = &mut out.ends[end];
            rates[0] = pair.rates.lane(lane);
            *mass = ZERO;
            add_to_diagonal(mass, number(pair.mass + found.across));
            add_dyad(mass, &q, &(q * number(found.along)));
            damping[0] = ZERO;
            if WANTED >= TANGENTS {
                let (drag, axial) = (number(found.k1 * found.speed), number(found.k2 * found.sq.abs()));
                let up = found.up.lane(lane);
                add_to_diagonal(&mut damping[0], drag);
                add_dyad(&mut damping[0], &q, &(q * (2.0 * axial - drag)));
                add_dyad(&mut damping[0], &up, &(up * number(found.k1_over_speed())));
                let area = number(pair.own) * self.chain.diameter;
                damping[0][(2, 2)] += number(pair.contacts.damping) * area;
            }
        }
    }

    /// Friction of two nodes on the bed, which belong to `own` of line.
    #[inline(never)]
    pub(super) fn hold(
        &self,
        with_tangents: bool,
        nodes: Range<usize>,
        own: Two,
        contacts: &Contacts,
        out: &mut Evaluation,
    ) {
        let Some(bed) = &self.seabed else { return };
        let ck = self.factors.stiffness;
        for (lane, i) in nodes.enumerate() {
            let contact = contacts.lane(lane);
            // What pulls does not rub.
            if contact.pressure <= 0.0 {
                continue;
            }
            let area = own.to_array()[lane] * self.chain.diameter;
            let (x, v) = (&self.motions.x[i], &self.motions.v[i]);
            let push = bed.friction((x, v), &self.around.sticks[i], &bed.ground(x), &contact, area);
            out.residual[i] -= push.force;
            if i == 0 || i == self.chain.segments() {
                out.end_forces[usize::from(i > 0)] += push.force;
            }
            if with_tangents {
                self.add_push(i, &push, ck, out);
            }
        }
    }

    /// Adds the tangents of a force of the bed on a node; K by a factor.
    fn add_push(&self, i: usize, push: &Push, factor: f64, out: &mut Evaluation) {
        let rates = push.damping * self.factors.damping;
        out.diagonal[i] += push.stiffness * factor + rates;
        if i == 0 || i == self.chain.segments() {
            let end = &mut out.ends[usize::from(i > 0)];
            end.damping[0] += push.damping;
            end.rates[0] += rates;
        }
    }

    /// The forces of a bed with slopes on two nodes, which belong to `own` of line; None off the
    /// bed.
    #[inline(never)]
    pub(super) fn slopes(&self, bed: &Seabed, nodes: [usize; 2], own: Two, over: Option<&Over>) -> [Option<Push>; 2] {
        let own = own.to_array();
        [0, 1].map(|lane| {
            let (area, x) = (own[lane] * self.chain.diameter, &self.motions.x[nodes[lane]]);
            if let Some(over) = over {
                return bed.push_over(&over.x[nodes[lane]], x, over.form.h, area);
            }
            let (ground, v) = (bed.ground(x), &self.motions.v[nodes[lane]]);
            let contact = bed.contact(ground.penetration, ground.rate(v));
            (ground.penetration > 0.0).then(|| ground.push(&contact, area, v))
        })
    }

    /// The contacts of two nodes by their laws on a bed with slopes.
    #[inline(never)]
    pub(super) fn slope_contacts(&self, bed: &Seabed, nodes: [usize; 2]) -> Contacts {
        let of = nodes.map(|node| {
            let ground = bed.ground(&self.motions.x[node]);
            [ground.penetration, ground.rate(&self.motions.v[node])]
        });
        let [penetrations, rates] = [0, 1].map(|k| Two::new([of[0][k], of[1][k]]));
        bed.contacts(penetrations, rates)
    }

    /// Adds the tangents of these forces, of which the end of a step has a share.
    #[inline(never)]
    pub(super) fn add_slopes(&self, pushes: &[Option<Push>; 2], nodes: Range<usize>, share: f64, out: &mut Evaluation) {
        for (push, i) in pushes.iter().zip(nodes) {
            if let Some(push) = push {
                self.add_push(i, push, self.factors.stiffness * share, out);
            }
        }
    }
}
