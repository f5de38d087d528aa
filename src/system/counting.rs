//! Coordinates of joints as a state carries them, and how their angles are counted over turns.
//!
//! Poses determine an angle up to whole turns. The turns are counted: an angle is the one nearest
//! to its predicted value. The prediction is the angle at the start of the step; for joints that
//! turn far in a step the increments are added, or the mean of the rates at start and end times the
//! step, whose error is of third order in the step. So no turn is lost where a wheel makes several
//! turns in one step, or speeds up in it.

use super::gears::GearElement;
use super::joints::JointElement;
use super::joints::scalar::{Angle, wrap};
use super::machines::ClutchElement;
use super::retract::quaternion;
use super::views::JointCoordinates;
use super::{Motion, State, System};
use crate::model::Loads;
use crate::spatial::{Quat, Vec3, rotation};
use std::borrow::Borrow;

/// Rotation (rad) up to which an angle is nearest to that at the start of the step: well below half
/// a turn.
const SHORT: f64 = 1.5;

/// Joints with an angle that is not driven: a drive turns by less than half a turn in a step.
#[derive(Clone, Default)]
pub struct CountedJoints {
    all: Vec<u32>,
    /// Those whose angle causes forces, by springs, gears or clutches.
    acting: Vec<u32>,
    /// Angles of all joints, also driven ones, in one array: each step reads them all, and joints
    /// are far apart in memory.
    angles: Vec<FollowedAngle>,
    /// Joints with a displacement.
    others: Vec<u32>,
}

/// A joint angle whose turns are counted.
#[derive(Clone)]
struct FollowedAngle {
    joint: u32,
    ends: [u32; 2],
    angle: Angle,
    /// The coordinate where the joint frames agree.
    offset: f64,
}

impl FollowedAngle {
    fn of((k, joint): (usize, &JointElement)) -> Option<FollowedAngle> {
        let (angle, offset) = joint.angle()?;
        Some(FollowedAngle { joint: k as u32, ends: joint.ends().map(|end| end as u32), angle, offset })
    }
}

/// Rotation of free bodies since a state.
#[derive(Clone, Copy)]
pub enum Turned<'a> {
    /// By increments (u, psi) of all nodes: rotation vectors.
    Increments(&'a [f64]),
    /// Length of the step, and the velocities at its end.
    Rates(f64, &'a [f64]),
}

/// The joint that turns slowest in the train of the first of some gears, among those whose turns
/// are not known; known ones count as still.
fn slowest_wheel(gears: &[&GearElement], known: &[bool]) -> Option<usize> {
    let open = |gear: &GearElement| gear.joints().enumerate().filter(|(_, joint)| !known[*joint]).collect::<Vec<_>>();
    let mut speeds = vec![(open(gears.first()?).first()?.1, 1.0f64)];
    let mut next = 0;
    while let Some((joint, speed)) = speeds.get(next).copied() {
        next += 1;
        for gear in gears {
            let parts = open(gear);
            let Some((own, _)) = parts.iter().find(|(_, own)| *own == joint) else { continue };
            for (part, other) in &parts {
                if speeds.iter().all(|(met, _)| met != other) {
                    speeds.push((*other, speed * gear.speed(*part, *own)));
                }
            }
        }
    }
    speeds.iter().min_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|(joint, _)| *joint)
}

impl System {
    /// Finds the joints whose angles are counted; joints and gears must have been added.
    pub(super) fn find_counted_joints(&mut self) {
        let angles = self.joints.iter().enumerate().filter_map(|(k, joint)| Some((k, joint.free_angle()?)));
        let angles: Vec<(usize, bool)> = angles.collect();
        let mut is_geared = vec![false; self.joints.len()];
        let of_clutches = self.clutches.iter().flat_map(ClutchElement::joints);
        self.gears.iter().flat_map(GearElement::joints).chain(of_clutches).for_each(|joint| is_geared[joint] = true);
        let acting = angles.iter().filter(|(joint, is_sprung)| *is_sprung || is_geared[*joint]);
        let others = |(k, joint): (usize, &JointElement)| joint.has_displacement().then_some(k as u32);
        self.counted = CountedJoints {
            angles: self.joints.iter().enumerate().filter_map(FollowedAngle::of).collect(),
            others: self.joints.iter().enumerate().filter_map(others).collect(),
            acting: acting.map(|(joint, _)| *joint as u32).collect(),
            all: angles.iter().map(|(joint, _)| *joint as u32).collect(),
        };
    }
}

impl JointCoordinates<'_> {
    /// Writes the predicted angles of all joints at a state that follows `from` into its
    /// coordinates, from which they are counted.
    #[inline(always)]
    pub fn expect_angles(self, from: &State, turned: Turned, q: &[f64], coordinates: &mut [f64]) {
        if !self.0.counted.all.is_empty() {
            self.expect(&self.0.counted.all, from, turned, q, coordinates);
        }
    }

    /// The same for the joints whose angles cause forces.
    #[inline]
    pub fn expect_acting_angles(self, from: &State, turned: Turned, q: &[f64], coordinates: &mut [f64]) {
        if !self.0.counted.acting.is_empty() {
            self.expect(&self.0.counted.acting, from, turned, q, coordinates);
        }
    }

    /// Coordinates of the joints at poses that do not result from a step, and imposed coordinates,
    /// counted from those of the state `before`. Angles are the nearest to those before, except
    /// that screws turn by their slides, and geared wheels by the gear ratio from the slowest of
    /// them, or from a drive or a screw if the train has one.
    /// them, or from a drive or a screw if the train has one.
    pub fn count_anew(self, before: &State, state: &mut State, loads: &Loads) {
        state.coordinates.copy_from_slice(&before.coordinates);
        self.follow(state, loads);
        for (k, joint) in self.0.joints.iter().enumerate().filter(|(_, joint)| joint.is_screw()) {
            let [from, to] = [before, &*state].map(|state| self.0.end_motions(joint.ends(), state));
            if let [Some(start), Some(end)] = [&from, &to].map(|[a, b]| joint.screwed([a, b])) {
                let near = before.coordinates[k] + (end - start);
                state.coordinates[k] = joint.coordinate_value([&to[0], &to[1]], near);
            }
        }
        self.follow_gears(state, |_, _, joint| before.coordinates[joint], true);
    }

    /// Coordinates at the initial poses. Screws turn by their slides, and geared wheels by the gear
    /// ratio from drives and screws; other angles are within half a turn of zero.
    pub fn count_at_first(self, state: &mut State, loads: &Loads) {
        self.follow(state, loads);
        for (k, joint) in self.0.joints.iter().enumerate().filter(|(_, joint)| joint.is_screw()) {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            if let Some(near) = joint.screwed([&a, &b]) {
                state.coordinates[k] = joint.coordinate_value([&a, &b], near);
            }
        }
        self.follow_gears(state, |gear, part, _| gear.start(part, &self.0.joints), false);
    }

    /// Counts turns of geared wheels from those of drives and screws, which are known. `start`: the
    /// coordinate of a gear's part, a joint, where the gear is fulfilled. `all`: in a train where
    /// too few are known, the slowest wheel keeps its turns, and those of the others follow.
    fn follow_gears(self, state: &mut State, start: impl Fn(&GearElement, usize, usize) -> f64, all: bool) {
        let is_known = |joint: &JointElement| joint.is_screw() || joint.is_driven() || !joint.has_angle();
        let mut known: Vec<bool> = self.0.joints.iter().map(is_known).collect();
        let mut open: Vec<&GearElement> = self.0.gears.iter().collect();
        while !open.is_empty() {
            let left = open.len();
            open.retain(|gear| {
                let mut unknown = gear.joints().enumerate().filter(|(_, joint)| !known[*joint]);
                let Some((part, own)) = unknown.next() else { return false };
                if unknown.next().is_some() {
                    return true;
                }
                let mut near = start(gear, part, own);
                for (k, other) in gear.joints().enumerate().filter(|(k, _)| *k != part) {
                    near += (state.coordinates[other] - start(gear, k, other)) * gear.speed(part, k);
                }
                let joint = &self.0.joints[own];
                let [a, b] = self.0.end_motions(joint.ends(), state);
                state.coordinates[own] = joint.coordinate_value([&a, &b], near);
                known[own] = true;
                false
            });
            if open.len() == left {
                let Some(slowest) = slowest_wheel(&open, &known).filter(|_| all) else { return };
                known[slowest] = true;
            }
        }
    }

    fn expect(self, joints: &[u32], from: &State, turned: Turned, q: &[f64], coordinates: &mut [f64]) {
        let layout = self.0.layout;
        let places = [&from.q, q].map(|q| layout.split_places(q).0);
        match turned {
            Turned::Increments(dq) => {
                let dq = layout.split(dq).0;
                let turn = |body: usize| {
                    let [.., x, y, z] = dq[body];
                    Vec3::new(x, y, z)
                };
                self.expect_by(joints, &from.coordinates, places, turn, coordinates);
            }
            Turned::Rates(h, v) => {
                let rates = [&from.v, v].map(|v| layout.split(v).0);
                let turn = |body: usize| {
                    let ([.., x, y, z], [.., u, v, w]) = (rates[0][body], rates[1][body]);
                    Vec3::new(x + u, y + v, z + w) * (0.5 * h)
                };
                self.expect_by(joints, &from.coordinates, places, turn, coordinates);
            }
        }
    }

    #[inline(always)]
    fn expect_by(
        self,
        joints: &[u32],
        from: &[f64],
        places: [&[[f64; 7]]; 2],
        turn: impl Fn(usize) -> Vec3,
        coordinates: &mut [f64],
    ) {
        let rotation = |body: usize, time: usize| {
            // The ground does not turn.
            places[time].get(body).map_or(Quat::identity(), quaternion)
        };
        let turned = |body: usize| match body < self.0.layout.bodies() {
            // The ground.
            false => Vec3::zeros(),
            true if self.0.free[body] => turn(body),
            // The rates that a host gives for imposed motions may not fit the poses. The poses
            // suffice: imposed motions turn by less than half a turn in a step.
            true => rotation::log(&(rotation(body, 1) * rotation(body, 0).inverse())),
        };
        for k in joints.iter().map(|k| *k as usize) {
            let joint = &self.0.joints[k];
            let [a, b] = joint.ends();
            let relative = turned(b) - turned(a);
            coordinates[k] = from[k];
            if relative.norm_squared() >= SHORT * SHORT {
                let axis = [0, 1].map(|time| rotation(a, time) * joint.axis());
                coordinates[k] += 0.5 * (axis[0] + axis[1]).dot(&relative);
            }
        }
    }

    /// Coordinates of the joints at a state, counted from those in it, and imposed coordinates.
    pub fn follow(self, state: &mut State, loads: &Loads) {
        self.follow_by(state, loads, |ends, state| self.0.end_motions(ends, state));
    }

    /// The same where the positions of a state are those of `motions`.
    #[inline(always)]
    pub fn follow_at(self, motions: &[Motion], state: &mut State, loads: &Loads) {
        let CountedJoints { angles, others, .. } = &self.0.counted;
        if self.0.is_imposed_on || !angles.is_empty() || !others.is_empty() {
            self.follow_some_at(motions, state, loads);
        }
    }

    /// The same, where there is a coordinate to be counted.
    fn follow_some_at(self, motions: &[Motion], state: &mut State, loads: &Loads) {
        self.follow_by(state, loads, |ends, _| ends.map(|end| &motions[end]));
    }

    /// Counts driven angles from their drives, which determine the turn also where an angle changed
    /// by half a turn.
    pub fn count_from_drives(self, loads: &Loads, coordinates: &mut [f64]) {
        if self.0.is_imposed_on {
            let drives =
                self.0.joints.iter().zip(&loads.joints).map(|(joint, load)| load.drive.filter(|_| joint.is_driven()));
            for (near, [q, ..]) in coordinates.iter_mut().zip(drives).filter_map(|(near, drive)| Some((near, drive?))) {
                *near = q;
            }
        }
    }

    #[inline(always)]
    fn follow_by<M: Borrow<Motion>>(
        self,
        state: &mut State,
        loads: &Loads,
        ends: impl Fn([usize; 2], &State) -> [M; 2],
    ) {
        self.count_from_drives(loads, &mut state.coordinates);
        if self.0.is_imposed_on {
            for (k, drives) in state.drives.iter_mut().enumerate() {
                *drives = loads.drives(k);
            }
        }
        for FollowedAngle { joint, ends: of, angle, offset } in &self.0.counted.angles {
            let [a, b] = ends(of.map(|end| end as usize), state);
            let near = &mut state.coordinates[*joint as usize];
            *near += wrap(angle.value(a.borrow(), b.borrow()) + offset - *near);
        }
        for k in self.0.counted.others.iter().map(|k| *k as usize) {
            let joint = &self.0.joints[k];
            let [a, b] = ends(joint.ends(), state);
            state.coordinates[k] = joint.coordinate_value([a.borrow(), b.borrow()], state.coordinates[k]);
        }
    }
}
