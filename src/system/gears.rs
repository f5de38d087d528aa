//! Gears: `Phi = (q_b - q_b0) - ratio (q_a - q_a0) = 0` for the coordinates of two joints.
//!
//! A gear is one constraint on up to four bodies. Its gradient is the sum of two rows, each over
//! the two bodies of one joint (its *parts*: `-ratio dq_a` and `dq_b`), so that users of
//! constraints receive these two rows one after the other, and add them. The multiplier is minus
//! the generalized force of the gear on q_b.
//!
//! Angles may have any number of turns, but only the slower of the two is counted, or a driven one:
//! the number of turns of the other is that which makes Phi smallest. So a wheel may turn by any
//! angle in a step if its slow partner turns by less than half a turn.

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
use std::f64::consts::TAU;

/// Part of a row's norm above which the row is independent, as for joints.
const INDEPENDENT: f64 = 1e-8;

/// A gear in the assembled model.
#[derive(Debug, Clone)]
pub struct GearElement {
    joints: [usize; 2],
    ratio: f64,
    /// q_a0, q_b0 less the offsets of the joints: angles within half a turn, and the whole turns of
    /// screws.
    origins: [f64; 2],
    turns: [f64; 2],
    /// Whether Phi is a length, that is, coordinate b is a displacement.
    is_length: bool,
    /// The part whose turns follow from those of the other; None if neither is an angle.
    follower: Option<usize>,
    /// Index among the independent constraints; None for a redundant gear.
    index: Option<usize>,
}

impl GearElement {
    /// From the description, at the initial motions of all bodies and the ground.
    pub fn new(gear: &Gear, joints: &[JointElement], motions: &[Motion]) -> GearElement {
        let angle = gear.joints.map(|joint| joints[joint].has_angle());
        let origin = |part: usize| {
            let joint = &joints[gear.joints[part]];
            joint.coordinate_scalar(joint.ends().map(|end| &motions[end])).map_or(0.0, |q| q.value)
        };
        let origins = [origin(0), origin(1)];
        let turns = [0, 1].map(|part| {
            let joint = &joints[gear.joints[part]];
            let screwed = joint.screwed(joint.ends().map(|end| &motions[end]));
            screwed.map_or(0.0, |near| joint.turns(origins[part], near))
        });
        // The turns of a driven joint are known.
        let driven = gear.joints.map(|joint| joints[joint].is_driven());
        let follower = match angle {
            [true, true] if driven[0] != driven[1] => Some(usize::from(driven[0])),
            [true, true] => Some(usize::from(gear.ratio.abs() >= 1.0)),
            [false, true] => Some(1),
            [true, false] => Some(0),
            [false, false] => None,
        };
        GearElement {
            joints: gear.joints,
            ratio: gear.ratio,
            origins,
            turns,
            is_length: !angle[1],
            follower,
            index: None,
        }
    }

    /// Its index among the independent constraints; None for a redundant gear.
    pub fn number(&self) -> Option<usize> {
        self.index
    }

    /// Its joints.
    pub fn joints(&self) -> [usize; 2] {
        self.joints
    }

    /// The coordinates q_a0 and q_b0.
    pub fn starts(&self, joints: &[JointElement]) -> [f64; 2] {
        [0, 1].map(|part| joints[self.joints[part]].after_turns(self.origins[part], self.turns[part]))
    }

    /// Speed of the other part when one moves with speed 1.
    pub fn speed_of_other(&self, part: usize) -> f64 {
        [self.ratio, 1.0 / self.ratio][part]
    }

    /// Rounding error of Phi, for angles with rounding `relative` and displacements with rounding
    /// `place`.
    pub fn rounding(&self, joints: &[JointElement], relative: f64, place: f64) -> f64 {
        let [a, b] = self.joints.map(|joint| if joints[joint].has_angle() { relative } else { place });
        self.ratio.abs() * a + b
    }

    /// The coordinate of one part, with its gradient and second derivatives scaled for Phi.
    #[inline(always)]
    fn part(&self, part: usize, joint: &JointElement, ends: [&Motion; 2]) -> Option<Scalar> {
        Some(joint.coordinate_scalar(ends)?.times([-self.ratio, 1.0][part]))
    }

    /// Phi; `near`: recent coordinates of all joints.
    ///
    /// Whole turns are subtracted as integers, so that Phi is as exact after a million turns as at
    /// first.
    fn misfit<'m>(&self, joints: &[JointElement], motion: impl Fn(usize) -> [&'m Motion; 2], near: &[f64]) -> f64 {
        let value = |part: usize| joints[self.joints[part]].coordinate_scalar(motion(part)).map_or(0.0, |q| q.value);
        let values = [value(0), value(1)];
        let [a, b] = [values[0] - self.origins[0], values[1] - self.origins[1]];
        let turns =
            |part: usize| joints[self.joints[part]].turns(values[part], near[self.joints[part]]) - self.turns[part];
        match self.follower {
            Some(0) => {
                let rate = 1.0 / self.ratio;
                -self.ratio * wrap(a - rate * b - TAU * part_of_turn(rate, turns(1)))
            }
            Some(_) => wrap(b - self.ratio * a - TAU * part_of_turn(self.ratio, turns(0))),
            None => b - self.ratio * a,
        }
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
        let motion = |part: usize| joints[self.joints[part]].ends().map(|end| &motions[end]);
        for part in 0..2 {
            let joint = &joints[self.joints[part]];
            let [a, b] = motion(part);
            let Some(scalar) = self.part(part, joint, [a, b]) else { return };
            let residual = match level {
                Level::Position if part == 0 => self.misfit(joints, motion, near),
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
            if dependent {
                self.redundant += 1;
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
    fn gear_ends(&self, gear: usize) -> [[usize; 2]; 2] {
        self.gears[gear].joints.map(|joint| self.joints[joint].ends())
    }

    /// Calls `each(part, ends, scalar, motions)` for both parts of a gear.
    fn for_each_part<'m>(
        &self,
        gear: &GearElement,
        motions: &'m [Motion],
        mut each: impl FnMut([usize; 2], &Scalar, [&'m Motion; 2]),
    ) {
        for part in 0..2 {
            let joint = &self.joints[gear.joints[part]];
            let ends = joint.ends().map(|end| &motions[end]);
            if let Some(scalar) = gear.part(part, joint, ends) {
                each(joint.ends(), &scalar, ends);
            }
        }
    }

    /// Gradient of a gear's Phi, one entry per free body.
    fn gear_row(&self, gear: usize, motions: &[Motion]) -> Vec<(usize, Vec6)> {
        let mut row: Vec<(usize, Vec6)> = Vec::new();
        self.for_each_part(&self.gears[gear], motions, |ends, scalar, _| {
            for (body, gradient) in ends.into_iter().zip([&scalar.row.a, &scalar.row.b]) {
                if body >= self.bodies() || !self.free[body] {
                    continue;
                }
                match row.iter_mut().find(|(known, _)| *known == body) {
                    Some((_, sum)) => *sum += gradient,
                    None => row.push((body, *gradient)),
                }
            }
        });
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
            let mut nodes = self.gear_ends(gear).as_flattened().iter().map(|end| fixed(*end)).collect::<Vec<_>>();
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

    /// Calls `each(k, ends, row, gamma)` for both parts of every independent gear k.
    #[inline(always)]
    pub(super) fn for_each_gear_rate(&self, motions: &[Motion], mut each: impl FnMut(usize, [usize; 2], &Row, f64)) {
        for gear in &self.gears {
            let Some(index) = gear.index else { continue };
            self.for_each_part(gear, motions, |ends, scalar, [a, b]| {
                each(index, ends, &scalar.row, scalar.velocity_term(a, b));
            });
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
            self.for_each_part(gear, motions, |ends, scalar, [a, b]| {
                let gamma = scalar.velocity_term(a, b);
                for (j, (sum, [a, b])) in left.iter_mut().zip(or_rest(of_ends(ends))).enumerate() {
                    *sum += scalar.row.times(a, b) + if j == 0 { 0.0 } else { gamma };
                }
            });
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
            for (joint, factor) in gear.joints.iter().zip([-gear.ratio, 1.0]) {
                let joint = &self.joints[*joint];
                let Some(varied) = joint.ends().iter().position(|end| *end == body) else { continue };
                let ends = joint.ends().map(|end| &motions[end]);
                if let Some([rate, second]) = joint.coordinate_change(ends, varied, position, velocity) {
                    each(index, factor * rate, factor * second);
                }
            }
        }
    }

    /// Whether an independent gear couples a body.
    pub(super) fn is_geared(&self, body: usize) -> bool {
        (0..self.gears.len()).any(|gear| self.gear_ends(gear).as_flattened().contains(&body))
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
        let [a, b] = self.part_motions(element, state);
        let ends = [[&a[0], &a[1]], [&b[0], &b[1]]];
        let value = element.misfit(&self.0.joints, |part| ends[part], &state.coordinates);
        let rates = (0..2).filter_map(|part| {
            let row = element.part(part, &self.0.joints[element.joints[part]], ends[part])?.row;
            Some(rate(&row, ends[part][0], ends[part][1]))
        });
        GearGap { value, rate: rates.sum(), is_length: element.is_length }
    }

    fn part_motions(self, gear: &GearElement, state: &State) -> [[Motion; 2]; 2] {
        gear.joints.map(|joint| self.0.end_motions(self.0.joints[joint].ends(), state))
    }

    /// The violation of each gear at a state.
    pub fn gaps(self, state: &State) -> impl Iterator<Item = GearGap> {
        (0..self.0.gears.len()).map(move |gear| self.gap(gear, state))
    }

    /// The generalized force of a gear on the coordinate of its second joint; zero for a redundant
    /// gear.
    pub fn load(self, gear: usize, state: &State) -> f64 {
        self.0.gears[gear].index.map_or(0.0, |index| -state.lambda[index])
    }

    /// Whether a gear follows from joints and gears before it.
    pub fn is_redundant(self, gear: usize) -> bool {
        self.0.gears[gear].index.is_none()
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
            let motions = self.part_motions(element, state);
            let residual: f64 = (0..2)
                .filter_map(|part| {
                    let [a, b] = &motions[part];
                    let scalar = element.part(part, &self.0.joints[element.joints[part]], [a, b])?;
                    Some(acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b))
                })
                .sum();
            (gear, residual.abs() * if element.is_length { 1.0 } else { self.0.scales.length })
        });
        let limit = if self.0.gears.is_empty() { 0.0 } else { self.0.joints().torn_limit(state, part) };
        torn.find(|(_, torn)| *torn > limit)
    }

    /// Number of gears.
    pub fn count(self) -> usize {
        self.0.gears.len()
    }

    /// The first joint whose turns cannot be counted in a step of length `h`, and its rotation: the
    /// counted one of a gear, if it turns by more than half a turn. Whole turns of the other one do
    /// not matter.
    pub fn lost_turns(self, state: &State, h: f64) -> Option<(usize, f64)> {
        self.0.gears.iter().find_map(|gear| {
            let follower = gear.follower?;
            let joint = gear.joints[1 - follower];
            let per_turn = if follower == 1 { gear.ratio } else { 1.0 / gear.ratio };
            if !self.0.joints[joint].has_angle() || per_turn.fract() == 0.0 {
                return None;
            }
            let turn = h * self.0.joints().coordinate(joint, state)?[1];
            (turn.abs() > std::f64::consts::PI).then_some((joint, turn))
        })
    }
}
