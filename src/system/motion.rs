//! State of a system, and the motion of one body as elements see it.

use super::layout::Layout;
use super::lines::LineForces;
use crate::elements::{Site, Tie};
use crate::model::{Drive, Loads};
use crate::spatial::{Mat3, Pose, Quat, Vec3, Vec6, lower, rotation, upper};
use nalgebra::Quaternion;

pub use crate::spatial::BodyState;

/// The motion at which elements are evaluated: a body's state with its rotation as a matrix, and
/// the tangent operator of the present increment. The ground is a motion at rest. Fields that are
/// read together are adjacent, because large models wait for each cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Motion {
    /// Orientation as a quaternion.
    pub q: Quat,
    /// Velocity of the integrated point, about which forces of elements act.
    pub v: Vec3,
    /// Position of that point.
    pub x: Vec3,
    /// Acceleration of that point.
    pub vdot: Vec3,
    /// Angular acceleration.
    pub omegadot: Vec3,
    /// Angular velocity.
    pub omega: Vec3,
    /// Orientation as a matrix.
    pub r: Mat3,
    /// T^T: `delta theta = T^T delta psi`.
    pub tangent: Mat3,
}

impl Motion {
    /// The ground.
    pub fn ground() -> Motion {
        Motion::of(&BodyState { x: Vec3::zeros(), q: Quat::identity(), v: Vec6::zeros(), vdot: Vec6::zeros() })
    }

    /// The motion at a state, with the identity as tangent operator.
    pub fn of(state: &BodyState) -> Motion {
        Motion {
            x: state.x,
            q: state.q,
            r: rotation::matrix(&state.q),
            v: upper(&state.v),
            omega: lower(&state.v),
            vdot: upper(&state.vdot),
            omegadot: lower(&state.vdot),
            tangent: Mat3::identity(),
        }
    }

    /// Sets the motion from the numbers of a body in a state; the tangent operator is unchanged.
    #[inline(always)]
    pub fn take(&mut self, place: &[f64; 7], v: &[f64; 6], vdot: &[f64; 6]) {
        self.x = Vec3::new(place[0], place[1], place[2]);
        self.q = Quat::new_unchecked(Quaternion::new(place[6], place[3], place[4], place[5]));
        self.r = rotation::matrix(&self.q);
        (self.v, self.omega) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        (self.vdot, self.omegadot) = (Vec3::new(vdot[0], vdot[1], vdot[2]), Vec3::new(vdot[3], vdot[4], vdot[5]));
    }

    /// A vector given in body axes, in inertial axes.
    #[inline(always)]
    pub fn arm(&self, local: &Vec3) -> Vec3 {
        self.r * local
    }

    /// The motion of the point at `arm` (inertial axes) of the same body.
    pub fn at(&self, arm: &Vec3) -> Motion {
        let (x, v, vdot) = (self.x + arm, self.velocity_at(arm), self.acceleration_at(arm));
        Motion { x, v, vdot, ..*self }
    }

    /// Velocity of the point at `arm` (inertial axes).
    #[inline(always)]
    pub fn velocity_at(&self, arm: &Vec3) -> Vec3 {
        self.v + self.omega.cross(arm)
    }

    /// Acceleration of that point.
    #[inline(always)]
    pub fn acceleration_at(&self, arm: &Vec3) -> Vec3 {
        self.vdot + self.omegadot.cross(arm) + self.omega.cross(&self.omega.cross(arm))
    }
}

/// The motion of a place, from that of its node.
#[inline(always)]
pub fn site(motion: &Motion, tie: &Tie) -> Site {
    let Motion { q, r, omega, omegadot, .. } = *motion;
    let arm = motion.arm(&tie.at);
    let (v, a) = (motion.velocity_at(&arm), motion.acceleration_at(&arm));
    Site { x: motion.x + arm, v, a, arm, q, r, omega, omegadot }
}

/// State of a whole system at one time, as the host can read it. Flat vectors; `Layout` has the
/// indices of a node.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// The nodes.
    pub layout: Layout,
    /// Time.
    pub time: f64,
    /// Rounding error of the time: the sum of both is the sum of all steps. Without it a time of
    /// 1e9 s would drift by half a rounding unit (6e-8 s) per step.
    pub time_rest: f64,
    /// Positions of all nodes, rotations as unit quaternions.
    pub q: Vec<f64>,
    /// Velocities (xdot, omega).
    pub v: Vec<f64>,
    /// Accelerations.
    pub vdot: Vec<f64>,
    /// One multiplier per independent constraint: `-B^T lambda` acts on the nodes.
    pub lambda: Vec<f64>,
    /// Coordinate of each joint, angles counted over turns (0 for joints without one).
    pub coordinates: Vec<f64>,
    /// Imposed values of each joint's coordinate and slide (0 where nothing is imposed).
    pub drives: Vec<[Drive; 2]>,
    /// Wrench that must be applied to each node with imposed motion, inertial axes (0 for the
    /// others).
    pub reactions: Vec<f64>,
    /// Own variables of elements and lines; [`Layout`] has their indices.
    pub z: Vec<f64>,
    /// Forces of lines.
    pub lines: LineForces,
    /// Yaw of the body with OpenFAST's channels (rad), counted over turns by each step; 0 without
    /// one.
    pub yaw: f64,
}

/// Whether all numbers are finite.
#[inline(always)]
pub fn are_finite(numbers: &[f64]) -> bool {
    all_finite(&[numbers])
}

/// Whether all numbers of some lists are finite: only finite numbers give zero when multiplied by
/// zero. One sum without branches, in independent SIMD lanes, and one function for all lists.
#[inline(never)]
fn all_finite(lists: &[&[f64]]) -> bool {
    let mut lanes = [0.0; 4];
    let mut add = |part: &[f64; 4]| lanes.iter_mut().zip(part).for_each(|(lane, x)| *lane += x * 0.0);
    for numbers in lists {
        match numbers.last_chunk() {
            // The last chunk may overlap the one before.
            Some(last) => numbers.as_chunks().0.iter().chain([last]).for_each(&mut add),
            None => numbers.iter().for_each(|x| add(&[*x, 0.0, 0.0, 0.0])),
        }
    }
    lanes == [0.0; 4]
}

impl State {
    /// At rest at the origin.
    pub fn new(layout: Layout, multipliers: usize, joints: usize) -> State {
        let mut state = State {
            layout,
            time: 0.0,
            time_rest: 0.0,
            q: vec![0.0; layout.places()],
            v: vec![0.0; layout.dofs()],
            vdot: vec![0.0; layout.dofs()],
            lambda: vec![0.0; multipliers],
            coordinates: vec![0.0; joints],
            drives: vec![[[0.0; 3]; 2]; joints],
            reactions: vec![0.0; layout.dofs()],
            z: vec![0.0; layout.own().count()],
            lines: LineForces::default(),
            yaw: 0.0,
        };
        layout.split_places_mut(&mut state.q).0.iter_mut().for_each(|place| place[6] = 1.0);
        state
    }

    /// Whether the number of own variables is that of the layout.
    pub fn has_own_variables(&self) -> bool {
        [0, self.layout.own().fluid()].contains(&self.z.len().wrapping_sub(self.layout.own().count()))
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.layout.bodies()
    }

    /// Motion of a body, or of a point as a body that does not turn.
    #[inline(always)]
    pub fn body(&self, node: usize) -> BodyState {
        let q = &self.q[self.layout.positions(node)];
        let (v, vdot) = (&self.v[self.layout.velocities(node)], &self.vdot[self.layout.velocities(node)]);
        let x = Vec3::new(q[0], q[1], q[2]);
        if let [_, _, _, i, j, k, w] = *q {
            let q = Quat::new_unchecked(Quaternion::new(w, i, j, k));
            return BodyState { x, q, v: Vec6::from_column_slice(v), vdot: Vec6::from_column_slice(vdot) };
        }
        let linear = |v: &[f64]| Vec6::new(v[0], v[1], v[2], 0.0, 0.0, 0.0);
        BodyState { x, q: Quat::identity(), v: linear(v), vdot: linear(vdot) }
    }

    /// Sets the motion of a body, or of a point, which ignores rotations.
    #[inline(always)]
    pub fn set_body(&mut self, node: usize, body: &BodyState) {
        let BodyState { x, q, v, vdot } = body;
        let places = &mut self.q[self.layout.positions(node)];
        places[..3].copy_from_slice(x.as_slice());
        if places.len() > 3 {
            places[3..].copy_from_slice(q.coords.as_slice());
        }
        let range = self.layout.velocities(node);
        let width = range.len();
        self.v[range.clone()].copy_from_slice(&v.as_slice()[..width]);
        self.vdot[range].copy_from_slice(&vdot.as_slice()[..width]);
    }

    /// Motions of all bodies and points.
    pub fn motions(&self) -> impl Iterator<Item = BodyState> + '_ {
        (0..self.layout.carriers()).map(|node| self.body(node))
    }

    /// Copies the motions of all bodies and points to a list; their tangent operators are
    /// unchanged.
    #[inline(never)]
    pub fn enter_motions(&self, motions: &mut [Motion]) {
        self.enter(motions, |_| ());
    }

    /// The same, with the identity as tangent operator of bodies (points do not use theirs).
    #[inline(never)]
    pub fn enter_motions_anew(&self, motions: &mut [Motion]) {
        self.enter(motions, |motion| motion.tangent = Mat3::identity());
    }

    #[inline(always)]
    fn enter(&self, motions: &mut [Motion], of_body: impl Fn(&mut Motion)) {
        let layout = self.layout;
        let ((places, of_points), (v, v_points)) = (layout.split_places(&self.q), layout.split(&self.v));
        let (vdot, vdot_points) = layout.split(&self.vdot);
        let (bodies, points) = motions[..layout.carriers()].split_at_mut(layout.turning());
        for (body, motion) in bodies.iter_mut().enumerate() {
            let (place, v, vdot) = (&places[body], &v[body], &vdot[body]);
            motion.take(place, v, vdot);
            of_body(motion);
        }
        for (((motion, place), v), vdot) in points.iter_mut().zip(of_points).zip(v_points).zip(vdot_points) {
            // Points do not turn.
            (motion.x, motion.v, motion.vdot) = ((*place).into(), (*v).into(), (*vdot).into());
        }
    }

    /// Position and orientation of a node.
    pub fn pose(&self, node: usize) -> Pose {
        self.body(node).pose()
    }

    /// Sets the imposed motions.
    #[inline(always)]
    pub fn impose(&mut self, loads: &Loads) {
        for (node, motion) in loads.imposed() {
            self.set_body(node, motion);
        }
    }

    /// The first unknown, of a node or a multiplier, that is not finite, if there is one.
    pub fn not_finite(&self) -> Option<usize> {
        let lists = [&self.q, &self.v, &self.vdot, &self.reactions, &self.lambda, &self.coordinates, &self.z];
        if all_finite(&lists.map(|list| &list[..])) && self.time.is_finite() {
            return None;
        }
        let wrong = |node: &usize| {
            let rates = [&self.v, &self.vdot, &self.reactions].map(|numbers| &numbers[self.layout.velocities(*node)]);
            !(are_finite(&self.q[self.layout.positions(*node)]) && all_finite(&rates))
        };
        let node = (0..self.layout.nodes()).find(wrong).map(|node| self.layout.unknown(node));
        let multiplier = || self.lambda.iter().position(|x| !x.is_finite()).map(|k| self.layout.multiplier(k));
        // Coordinates follow from bodies, and own variables from nodes: then no unknown is at
        // fault, and the first is named.
        node.or_else(multiplier).or(Some(0))
    }

    /// Copies positions, velocities, accelerations, the coordinates from which joints are counted,
    /// and own variables.
    pub fn copy_motion_from(&mut self, other: &State) {
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
        self.vdot.clone_from(&other.vdot);
        self.coordinates.clone_from(&other.coordinates);
        self.z.clone_from(&other.z);
    }

    /// Takes position and velocity of a node that another state has as node `other_node`.
    pub fn take_node(&mut self, node: usize, other_node: usize, other: &State) {
        self.q[self.layout.positions(node)].copy_from_slice(&other.q[other.layout.positions(other_node)]);
        self.v[self.layout.velocities(node)].copy_from_slice(&other.v[other.layout.velocities(other_node)]);
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &State) {
        let State { layout, time, time_rest, q, v, vdot, lambda, coordinates, drives, reactions, z, lines, yaw } =
            other;
        (self.layout, self.time, self.time_rest, self.yaw) = (*layout, *time, *time_rest, *yaw);
        self.q.clone_from(q);
        self.v.clone_from(v);
        self.vdot.clone_from(vdot);
        self.lambda.clone_from(lambda);
        self.coordinates.clone_from(coordinates);
        self.drives.clone_from(drives);
        self.reactions.clone_from(reactions);
        self.z.clone_from(z);
        self.lines.copy_from(lines);
    }

    /// The time `s` later.
    #[inline(always)]
    pub fn time_after(&self, s: f64) -> f64 {
        self.time + (self.time_rest + s)
    }

    /// Time since another state.
    pub fn time_since(&self, from: &State) -> f64 {
        (self.time - from.time) + (self.time_rest - from.time_rest)
    }

    /// Sets the time to `s` after that of another state (the sum of two numbers with its rounding
    /// error: Knuth, The Art of Computer Programming 2, sect. 4.2.2, theorem B).
    #[inline(always)]
    pub fn set_time_after(&mut self, from: &State, s: f64) {
        let (start, step) = (from.time, from.time_rest + s);
        let time = start + step;
        let added = time - start;
        (self.time, self.time_rest) = (time, (start - (time - added)) + (step - added));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_looked_at_whatever_the_length_of_the_list() {
        for n in 0..=13 {
            let numbers = vec![-f64::MAX; n];
            assert!(are_finite(&numbers));
            for (k, wrong) in (0..n).flat_map(|k| [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(|wrong| (k, wrong)))
            {
                let mut numbers = numbers.clone();
                numbers[k] = wrong;
                assert!(!are_finite(&numbers), "{k} of {n}");
                assert!(!all_finite(&[&[1.0], &numbers, &[2.0; 5]]), "{k} of {n}");
            }
        }
    }
}
