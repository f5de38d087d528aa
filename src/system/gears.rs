//! Gears: `Phi = sum of c_i (q_i - q_i0) = 0` for the coordinates of two or more joints, with c = 1
//! for the last of them.
//!
//! A gear is one constraint on up to two bodies per joint. Its gradient is the sum of rows, each
//! over the two bodies of one joint (its *parts*: `c_i dq_i`), so that users of constraints receive
//! these rows one after the other, and add them. The multiplier is minus the generalized force of
//! the gear on the last coordinate.
//!
//! Angles may have any number of turns, but those of one of them are not counted: of the fastest,
//! or of one that is not driven. Its number of turns is that which makes Phi smallest. So a wheel
//! may turn by any angle in a step if its slow partners turn by less than half a turn.

use super::assembly::{Assembly, Level, Row};
use super::joints::scalar::{Scalar, wrap};
use super::joints::{JointElement, Rates, acceleration, or_rest, rate};
use super::views::Gears;
use super::{Motion, State, System};
use crate::elements::Tangents;
use crate::linear::Assemble;
use crate::linear::graph::cycles;
use crate::linear::rank::{SparseRow, dependent_rows};
use crate::model::Gear;
use crate::spatial::{Mat6, Vec6};
use std::borrow::Borrow;
use std::f64::consts::TAU;

/// Part of a row's norm above which the row is independent, as for joints.
const INDEPENDENT: f64 = 1e-8;

/// A joint of a gear.
#[derive(Debug, Clone)]
struct GearPart {
    joint: usize,
    /// Its coefficient over that of the last joint.
    rate: f64,
    /// q_i0 less the offset of the joint: angles within half a turn, and the whole turns of screws.
    origin: f64,
    turns: f64,
}

/// A gear in the assembled model.
#[derive(Debug, Clone)]
pub struct GearElement {
    parts: Vec<GearPart>,
    /// Whether Phi is a length, that is, the last coordinate is a displacement.
    is_length: bool,
    /// The part whose turns follow from those of the others; None if none is an angle.
    follower: Option<usize>,
    /// Index among the independent constraints; None for a redundant gear.
    index: Option<usize>,
}

impl GearElement {
    /// From the description, at the initial motions of all bodies and the ground. Without parts if
    /// one of its joints is broken: then it couples nothing.
    pub fn new(gear: &Gear, joints: &[JointElement], motions: &[Motion]) -> GearElement {
        let part = |(joint, rate): (&usize, f64)| {
            let element = &joints[*joint];
            let ends = element.ends().map(|end| &motions[end]);
            let origin = element.coordinate_scalar(ends).map_or(0.0, |q| q.value);
            let turns = element.screwed(ends).map_or(0.0, |near| element.turns(origin, near));
            GearPart { joint: *joint, rate, origin, turns }
        };
        let mut parts: Vec<GearPart> = gear.joints.iter().zip(gear.rates()).map(part).collect();
        if parts.iter().any(|part| !joints[part.joint].has_coordinate(0)) {
            parts.clear();
        }
        // The turns of a driven joint are known; of the others, the one with the smallest
        // coefficient is the fastest.
        let order = |part: &usize| (joints[parts[*part].joint].is_driven(), parts[*part].rate.abs());
        let angles = (0..parts.len()).rev().filter(|part| joints[parts[*part].joint].has_angle());
        let follower = angles.min_by(|a, b| {
            let ((driven_a, a), (driven_b, b)) = (order(a), order(b));
            driven_a.cmp(&driven_b).then(a.total_cmp(&b))
        });
        let is_length = parts.last().is_some_and(|last| !joints[last.joint].has_angle());
        GearElement { parts, is_length, follower, index: None }
    }

    /// Its index among the independent constraints; None for a redundant gear.
    pub fn number(&self) -> Option<usize> {
        self.index
    }

    /// Its joints.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().map(|part| part.joint)
    }

    /// The coordinate q_i0 of a part.
    pub fn start(&self, part: usize, joints: &[JointElement]) -> f64 {
        let GearPart { joint, origin, turns, .. } = self.parts[part];
        joints[joint].after_turns(origin, turns)
    }

    /// Speed of a part when another one moves with speed 1, and the rest holds still.
    pub fn speed(&self, part: usize, when: usize) -> f64 {
        -self.parts[when].rate / self.parts[part].rate
    }

    /// Rounding error of Phi, for angles with rounding `relative` and displacements with rounding
    /// `place`.
    pub fn rounding(&self, joints: &[JointElement], relative: f64, place: f64) -> f64 {
        let of = |part: &GearPart| part.rate.abs() * if joints[part.joint].has_angle() { relative } else { place };
        self.parts.iter().map(of).sum()
    }

    /// Phi; `near`: recent coordinates of all joints.
    ///
    /// Whole turns are subtracted as integers, so that Phi is as exact after a million turns as at
    /// first.
    fn misfit<M: Borrow<Motion>>(
        &self,
        joints: &[JointElement],
        motions: impl Fn([usize; 2]) -> [M; 2],
        near: &[f64],
    ) -> f64 {
        let value = |part: &GearPart| {
            let joint = &joints[part.joint];
            let [a, b] = motions(joint.ends());
            joint.coordinate_scalar([a.borrow(), b.borrow()]).map_or(0.0, |q| q.value)
        };
        let Some(follower) = self.follower else {
            return self.parts.iter().map(|part| part.rate * (value(part) - part.origin)).sum();
        };
        let own = &self.parts[follower];
        let mut angle = value(own) - own.origin;
        for (_, part) in self.parts.iter().enumerate().filter(|(k, _)| *k != follower) {
            let (value, rate) = (value(part), part.rate / own.rate);
            let turns = joints[part.joint].turns(value, near[part.joint]) - part.turns;
            angle += rate * (value - part.origin) + TAU * part_of_turn(rate, turns);
        }
        own.rate * wrap(angle)
    }

    /// Adds the constraint, its forces and the geometric stiffness.
    pub fn assemble<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        joints: &[JointElement],
        lambda: &[f64],
        near: &[f64],
    ) {
        let Some(index) = self.index else { return };
        let (motions, level) = (assembly.motions, assembly.level);
        for (k, part) in self.parts.iter().enumerate() {
            let joint = &joints[part.joint];
            let [a, b] = joint.ends().map(|end| &motions[end]);
            let Some(scalar) = joint.coordinate_scalar([a, b]).map(|q| q.times(part.rate)) else { return };
            let residual = match level {
                Level::Position if k == 0 => self.misfit(joints, |ends| ends.map(|end| &motions[end]), near),
                Level::Position => 0.0,
                Level::Velocity => rate(&scalar.row, a, b),
                Level::Acceleration => acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b),
            };
            assembly.add_constraint(Some(index), joint.ends(), &scalar.row, residual, lambda);
            let stiffness = scalar.second.map(|row| row.map(|block| block * lambda[index]));
            assembly.add_pair(joint.ends(), &Tangents { stiffness, damping: [[Mat6::zeros(); 2]; 2] }, false);
        }
    }
}

/// `rate n` less the nearest integer, exactly (n an integer).
fn part_of_turn(rate: f64, n: f64) -> f64 {
    let product = rate * n;
    (product - product.round()) + rate.mul_add(n, -product)
}

/// The violation of a gear.
#[derive(Debug, Clone, Copy)]
pub struct GearGap {
    /// Phi.
    pub value: f64,
    /// Its rate.
    pub rate: f64,
    /// Whether it is a length.
    pub is_length: bool,
}

impl System {
    /// Makes the elements of the gears at the initial motions, and numbers those that are
    /// independent, after all constraints of joints.
    pub(super) fn add_gears(&mut self, gears: &[Gear], motions: &[Motion]) {
        let element = |gear: &Gear| GearElement::new(gear, &self.joints, motions);
        self.gears = gears.iter().map(element).collect();
        for (gear, dependent) in self.dependent_gears(motions).into_iter().enumerate() {
            if dependent || self.gears[gear].parts.is_empty() {
                self.redundant += usize::from(dependent);
                continue;
            }
            self.gears[gear].index = Some(self.owners.len());
            self.owners.push(self.joints.len() + gear);
            self.lengths.push(self.gears[gear].is_length);
            let row = self.gear_row(gear, motions);
            let compliance: f64 = row.iter().map(|(body, b)| self.compliance(*body, &motions[*body], b)).sum();
            self.effective_masses.push(if compliance > 0.0 { 1.0 / compliance } else { 0.0 });
        }
    }

    /// The same gears, with the numbering of a system of the same model.
    pub(super) fn take_gears(&mut self, numbered: &System) {
        self.gears = numbered.gears.clone();
    }

    /// Nodes of a gear's joints.
    fn gear_ends(&self, gear: &GearElement) -> impl Iterator<Item = usize> {
        gear.joints().flat_map(|joint| self.joints[joint].ends())
    }

    /// Calls `each(ends, scalar, motions)` for all parts of a gear, with the gradients and second
    /// derivatives of their terms of Phi; `motions` are those of two ends.
    fn for_each_part<M: Borrow<Motion>>(
        &self,
        gear: &GearElement,
        motions: impl Fn([usize; 2]) -> [M; 2],
        mut each: impl FnMut([usize; 2], &Scalar, [&Motion; 2]),
    ) {
        for part in &gear.parts {
            let joint = &self.joints[part.joint];
            let [a, b] = motions(joint.ends());
            let ends = [a.borrow(), b.borrow()];
            if let Some(scalar) = joint.coordinate_scalar(ends) {
                each(joint.ends(), &scalar.times(part.rate), ends);
            }
        }
    }

    /// Gradient of a gear's Phi, one entry per free body.
    fn gear_row(&self, gear: usize, motions: &[Motion]) -> Vec<(usize, Vec6)> {
        let mut row: Vec<(usize, Vec6)> = Vec::new();
        self.for_each_part(
            &self.gears[gear],
            |ends| ends.map(|end| &motions[end]),
            |ends, scalar, _| {
                for (body, gradient) in ends.into_iter().zip([&scalar.row.a, &scalar.row.b]) {
                    if body >= self.bodies() || !self.free[body] {
                        continue;
                    }
                    match row.iter_mut().find(|(known, _)| *known == body) {
                        Some((_, sum)) => *sum += gradient,
                        None => row.push((body, *gradient)),
                    }
                }
            },
        );
        row
    }

    /// Which gears follow from the joints and the gears before them.
    ///
    /// A gear couples all bodies of its joints. Edges between all of them put a gear and all that
    /// it depends on into one biconnected component of the graph.
    fn dependent_gears(&self, motions: &[Motion]) -> Vec<bool> {
        let mut dependent = vec![false; self.gears.len()];
        if self.gears.is_empty() {
            return dependent;
        }
        let ground = self.layout.carriers();
        let fixed = |end: usize| if end < ground && self.free[end] { end } else { ground };
        let mut edges: Vec<[usize; 2]> = self.joints.iter().map(|joint| joint.ends().map(fixed)).collect();
        // The gear of each edge that is not of a joint.
        let mut gear_of = Vec::new();
        for gear in 0..self.gears.len() {
            let mut nodes = self.gear_ends(&self.gears[gear]).map(fixed).collect::<Vec<_>>();
            nodes.sort_unstable();
            nodes.dedup();
            let round = nodes.iter().zip(nodes.iter().cycle().skip(1)).map(|(a, b)| [*a, *b]);
            edges.extend(round);
            gear_of.resize(edges.len() - self.joints.len(), gear);
        }
        let mut local = vec![usize::MAX; ground];
        for component in cycles(ground + 1, &edges) {
            let (joints, others) = component.split_at(component.partition_point(|edge| *edge < self.joints.len()));
            let mut gears: Vec<usize> = others.iter().map(|edge| gear_of[edge - self.joints.len()]).collect();
            gears.dedup();
            if gears.is_empty() {
                continue;
            }
            let mut bodies = Vec::new();
            for end in component.iter().flat_map(|edge| edges[*edge]).filter(|end| *end < ground) {
                if local[end] == usize::MAX {
                    local[end] = bodies.len();
                    bodies.push(end);
                }
            }
            let mut rows: Vec<SparseRow> = Vec::new();
            for joint in joints.iter().map(|joint| &self.joints[*joint]) {
                joint.for_each_row(joint.ends().map(|end| &motions[end]), |k, _, row, _| {
                    if joint.indices[k].is_some() {
                        rows.push(self.sparse_row(joint.ends().map(fixed), [&row.a, &row.b], &local));
                    }
                });
            }
            let of_joints = rows.len();
            rows.extend(gears.iter().map(|gear| {
                let row = self.gear_row(*gear, motions);
                row.iter().flat_map(|(body, b)| self.sparse_row([*body, ground], [b, b], &local)).collect()
            }));
            let found = dependent_rows(bodies.len(), &rows, INDEPENDENT);
            gears.iter().zip(&found[of_joints..]).for_each(|(gear, found)| dependent[*gear] = *found);
            bodies.iter().for_each(|body| local[*body] = usize::MAX);
        }
        dependent
    }

    /// Calls `each(k, ends, row, gamma)` for each part of every independent gear k.
    #[inline(always)]
    pub(super) fn for_each_gear_rate(&self, motions: &[Motion], mut each: impl FnMut(usize, [usize; 2], &Row, f64)) {
        for gear in &self.gears {
            let Some(index) = gear.index else { continue };
            self.for_each_part(
                gear,
                |ends| ends.map(|end| &motions[end]),
                |ends, scalar, [a, b]| {
                    each(index, ends, &scalar.row, scalar.velocity_term(a, b));
                },
            );
        }
    }

    /// Violations of the independent gears by vectors like velocities, as
    /// `JointElement::violations`; `of_ends` returns those of two bodies.
    #[inline(always)]
    pub(super) fn gear_violations<'x>(
        &self,
        motions: &[Motion],
        of_ends: impl Fn([usize; 2]) -> [Rates<'x>; 2],
        mut each: impl FnMut(usize, &[[f64; 3]]),
    ) {
        for gear in &self.gears {
            let Some(index) = gear.index else { continue };
            let mut left = [0.0; 3];
            self.for_each_part(
                gear,
                |ends| ends.map(|end| &motions[end]),
                |ends, scalar, [a, b]| {
                    let gamma = scalar.velocity_term(a, b);
                    for (j, (sum, [a, b])) in left.iter_mut().zip(or_rest(of_ends(ends))).enumerate() {
                        *sum += scalar.row.times(a, b) + if j == 0 { 0.0 } else { gamma };
                    }
                },
            );
            each(index, &[left]);
        }
    }

    /// Calls `each(k, d(B v), d(B vdot + gamma))` for every independent gear k, the changes with a
    /// variation of position and velocity of `body`, as `JointElement::for_each_change`.
    pub(super) fn for_each_gear_change(
        &self,
        motions: &[Motion],
        body: usize,
        position: &Vec6,
        velocity: &Vec6,
        mut each: impl FnMut(usize, f64, f64),
    ) {
        for gear in &self.gears {
            let Some(index) = gear.index else { continue };
            for part in &gear.parts {
                let joint = &self.joints[part.joint];
                let Some(varied) = joint.ends().iter().position(|end| *end == body) else { continue };
                let ends = joint.ends().map(|end| &motions[end]);
                if let Some([rate, second]) = joint.coordinate_change(ends, varied, position, velocity) {
                    each(index, part.rate * rate, part.rate * second);
                }
            }
        }
    }

    /// Whether an independent gear couples a body.
    pub(super) fn is_geared(&self, body: usize) -> bool {
        self.gears.iter().any(|gear| self.gear_ends(gear).any(|end| end == body))
    }

    /// Indices of the independent constraints of these gears.
    pub(super) fn gear_indices(&self, gears: &[usize]) -> impl Iterator<Item = usize> {
        gears.iter().filter_map(|gear| self.gears[*gear].index)
    }
}

impl Gears<'_> {
    /// The violation of a gear at a state.
    fn gap(self, gear: usize, state: &State) -> GearGap {
        let element = &self.0.gears[gear];
        let motions = |ends| self.0.end_motions(ends, state);
        let value = element.misfit(&self.0.joints, motions, &state.coordinates);
        let mut sum = 0.0;
        self.0.for_each_part(element, motions, |_, scalar, [a, b]| sum += rate(&scalar.row, a, b));
        GearGap { value, rate: sum, is_length: element.is_length }
    }

    /// The violation of each gear at a state.
    pub fn gaps(self, state: &State) -> impl Iterator<Item = GearGap> {
        (0..self.0.gears.len()).map(move |gear| self.gap(gear, state))
    }

    /// The generalized force of a gear on the coordinate of its last joint; zero for a redundant
    /// gear.
    pub fn load(self, gear: usize, state: &State) -> f64 {
        self.0.gears[gear].index.map_or(0.0, |index| -state.lambda[index])
    }

    /// Whether a gear follows from joints and gears before it.
    pub fn is_redundant(self, gear: usize) -> bool {
        let gear = &self.0.gears[gear];
        gear.index.is_none() && !gear.parts.is_empty()
    }

    /// The first redundant gear that no longer follows from the others.
    pub fn contradicted(self, state: &State) -> Option<usize> {
        (0..self.0.gears.len()).filter(|gear| self.is_redundant(*gear)).find(|gear| {
            let gap = self.gap(*gear, state);
            self.0.is_contradicted(gap.value, gap.is_length)
        })
    }

    /// The first redundant gear that the accelerations violate, and by how much, as
    /// `Joints::torn_by_accelerations`.
    pub fn torn_by_accelerations(self, state: &State, part: f64) -> Option<(usize, f64)> {
        let left_out = (0..self.0.gears.len()).filter(|gear| self.is_redundant(*gear));
        let mut torn = left_out.map(|gear| {
            let element = &self.0.gears[gear];
            let mut residual = 0.0;
            let motions = |ends| self.0.end_motions(ends, state);
            self.0.for_each_part(element, motions, |_, scalar, [a, b]| {
                residual += acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b);
            });
            (gear, f64::abs(residual) * if element.is_length { 1.0 } else { self.0.scales.length })
        });
        let limit = if self.0.gears.is_empty() { 0.0 } else { self.0.joints().torn_limit(state, part) };
        torn.find(|(_, torn)| *torn > limit)
    }

    /// Number of gears.
    pub fn count(self) -> usize {
        self.0.gears.len()
    }

    /// The first joint whose turns cannot be counted in a step of length `h`, and its rotation: a
    /// counted one of a gear, if it turns by more than half a turn. Whole turns of the one that is
    /// not counted do not matter.
    pub fn lost_turns(self, state: &State, h: f64) -> Option<(usize, f64)> {
        self.0.gears.iter().find_map(|gear| {
            let follower = gear.follower?;
            let counted = gear.parts.iter().enumerate().filter(|(k, _)| *k != follower);
            counted.map(|(_, part)| part).find_map(|part| {
                let per_turn = part.rate / gear.parts[follower].rate;
                if !self.0.joints[part.joint].has_angle() || per_turn.fract() == 0.0 {
                    return None;
                }
                let turn = h * self.0.joints().coordinate(part.joint, state)?[1];
                (turn.abs() > std::f64::consts::PI).then_some((part.joint, turn))
            })
        })
    }
}
