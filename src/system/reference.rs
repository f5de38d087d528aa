//! The reference points of the host: bodies may be integrated about other points, but hosts set and
//! read states at these.
//!
//! With s the arm from the point that is integrated to the reference point (inertial axes, turning
//! with the body), a reference point moves with
//!
//! ```text
//! v + omega x s,     vdot + omegadot x s + omega x (omega x s),
//! ```

use super::motion::{Motion, State};
use super::views::References;
use crate::spatial::{BodyState, Pose, Vec3, Vec6, join, lower, rotation, upper};

/// A number below this changes a finite one by less than half the last digit of the largest double,
/// so that the sum cannot overflow.
const FARTHEST: f64 = 1e290;

impl<'a> References<'a> {
    /// Whether the integrated point of any body is not its reference point.
    #[inline]
    pub fn has_arms(self) -> bool {
        self.0.has_arms
    }

    /// The origin of positions, in the host's coordinates.
    pub fn origin(self) -> &'a Vec3 {
        &self.0.origin
    }

    /// The state of a body's reference point, measured from the origin.
    pub fn state(self, body: usize, state: &BodyState) -> BodyState {
        state.at(&self.0.references[body])
    }

    /// The arm from the integrated point of a body to its reference point, inertial axes; None if
    /// they are the same.
    #[inline]
    fn arm_of(self, body: usize, state: &BodyState) -> Option<Vec3> {
        let arm = &self.0.references[body];
        if *arm == Vec3::zeros() { None } else { Some(rotation::rotate(&state.q, arm)) }
    }

    /// The pose of a body's reference point in the host's coordinates.
    #[inline]
    pub fn pose(self, body: usize, state: &BodyState) -> Pose {
        let position = self.arm_of(body, state).map_or(state.x, |arm| state.x + arm);
        Pose { position: position + self.0.origin, rotation: state.q }
    }

    /// Positions of all bodies in the state, and their origin, if all arms are zero and no sum can
    /// overflow: then the host's poses are finite because the state is.
    pub fn plain_places(self, state: &'a State) -> Option<(&'a [[f64; 7]], &'a Vec3)> {
        let is_plain = !self.has_arms() && self.0.origin.amax() < FARTHEST;
        is_plain.then(|| (self.0.layout.split_places(&state.q).0, &self.0.origin))
    }

    /// Velocities, or accelerations, of all bodies in a flat vector of a state, if they are those
    /// of the reference points.
    pub fn plain_rates(self, rates: &[f64]) -> Option<&[[f64; 6]]> {
        (!self.has_arms()).then(|| self.0.layout.split(rates).0)
    }

    /// The velocity of a body's reference point and its angular velocity, inertial axes, as in
    /// [`References::state`].
    #[inline]
    pub fn velocity(self, body: usize, state: &BodyState) -> Vec6 {
        match self.arm_of(body, state) {
            None => state.v,
            Some(arm) => join(&(upper(&state.v) + lower(&state.v).cross(&arm)), &lower(&state.v)),
        }
    }

    /// The state of the integrated point, from that of a body's reference point in the host's
    /// coordinates.
    pub fn integrated_state(self, body: usize, given: &BodyState) -> BodyState {
        BodyState { x: given.x - self.0.origin, ..*given }.at(&-self.0.references[body])
    }

    /// The arm from the integrated point of a body to its reference point, inertial axes.
    pub fn arm(self, body: usize, state: &State) -> Vec3 {
        Motion::of(&state.body(body)).arm(&self.0.references[body])
    }
}
