//! How far joints turn in a step.
//!
//! Poses tell an angle up to whole turns. The others are counted: an angle is the one nearest to where the joint is expected, which
//! is where it was at the start of the step, and for joints that turn far in a step, further by the mean of their rates at
//! start and end. That is off by the third power of the step, so that turns are not lost where a wheel makes several in one
//! step, or speeds up in it.

use super::{State, System};
use crate::spatial::{Quat, Vec3, rotation};
use nalgebra::Quaternion;

/// Turns (rad) up to which an angle is nearest to that at the start of the step: well below half a turn.
const SHORT: f64 = 1.5;

/// Joints that can lose turns.
#[derive(Clone, Default)]
pub struct TurningJoints {
    /// Those with an angle that is not driven: what is imposed counts by itself.
    all: Vec<u32>,
    /// Those of them whose turns act on bodies, by springs or gears.
    acting: Vec<u32>,
}

impl System {
    /// Finds them, once joints and gears are there.
    pub(super) fn find_turning_joints(&mut self) {
        let turns = |k: &usize| self.joints[*k].has_angle() && !self.joints[*k].is_driven();
        let acts = |k: &usize| self.joints[*k].has_spring() || self.gears.iter().any(|gear| gear.has_joint(*k));
        let all: Vec<usize> = (0..self.joints.len()).filter(turns).collect();
        self.turning = TurningJoints {
            acting: all.iter().copied().filter(acts).map(|k| k as u32).collect(),
            all: all.into_iter().map(|k| k as u32).collect(),
        };
    }

    /// Where the angles of all joints are expected at `to`, a time `h` after `from`: into the coordinates of `to`, to be counted from.
    pub fn expect_turns(&self, from: &State, h: f64, to: &mut State) {
        let State { q, v, coordinates, .. } = to;
        self.expect(&self.turning.all, from, h, (q, v), coordinates);
    }

    /// The same of the joints whose turns act on bodies, into `coordinates`.
    #[inline]
    pub fn expect_acting_turns(&self, from: &State, h: f64, to: (&[f64], &[f64]), coordinates: &mut [f64]) {
        if !self.turning.acting.is_empty() {
            self.expect(&self.turning.acting, from, h, to, coordinates);
        }
    }

    fn expect(&self, joints: &[u32], from: &State, h: f64, (q, v): (&[f64], &[f64]), coordinates: &mut [f64]) {
        let layout = self.layout;
        let (places, rates) = ([&from.q, q].map(|q| layout.split_places(q).0), [&from.v, v].map(|v| layout.split(v).0));
        for k in joints.iter().map(|k| *k as usize) {
            coordinates[k] = from.coordinates[k] + self.expected_turn(k, h, places, rates);
        }
    }

    /// How far a joint is expected to turn, by places and velocities of all bodies at start and end; 0 where that is not far.
    #[inline(always)]
    fn expected_turn(&self, joint: usize, h: f64, places: [&[[f64; 7]]; 2], rates: [&[[f64; 6]]; 2]) -> f64 {
        let joint = &self.joints[joint];
        let rotation = |body: usize, time: usize| {
            places[time].get(body).map_or(Quat::identity(), |place| {
                let [.., i, j, k, w] = *place;
                Quat::new_unchecked(Quaternion::new(w, i, j, k))
            })
        };
        let turned = |body: usize| match rates[0].get(body).zip(rates[1].get(body)) {
            None => Vec3::zeros(),
            Some(([.., x, y, z], [.., u, v, w])) if self.free[body] => Vec3::new(x + u, y + v, z + w) * (0.5 * h),
            // What a host says of the rates of imposed motions may not fit the poses, which say enough: they turn by less than half a
            // turn.
            Some(_) => rotation::log(&(rotation(body, 1) * rotation(body, 0).inverse())),
        };
        let [a, b] = joint.ends;
        let relative = turned(b) - turned(a);
        if relative.norm_squared() < SHORT * SHORT {
            return 0.0;
        }
        let axis = [0, 1].map(|time| rotation(a, time) * joint.axis());
        0.5 * (axis[0] + axis[1]).dot(&relative)
    }
}
