//! State of a system and the motion of one body as the elements see it.

use crate::model::Drive;
use crate::spatial::{Mat3, Quat, Vec3, Vec6, lower, rotation, upper};

pub use crate::spatial::BodyState;

/// The motion that elements evaluate: a body's state with its rotation as a matrix, and the tangent operator of the
/// present increment. The ground is one of these, at rest.
#[derive(Debug, Clone, Copy)]
pub struct Motion {
    /// Position of the point that is integrated: where forces of elements are about.
    pub x: Vec3,
    /// Orientation as a quaternion.
    pub q: Quat,
    /// Orientation as a matrix.
    pub r: Mat3,
    /// Velocity of that point.
    pub v: Vec3,
    /// Angular velocity.
    pub omega: Vec3,
    /// Acceleration of that point.
    pub vdot: Vec3,
    /// Angular acceleration.
    pub omegadot: Vec3,
    /// T^T: `delta theta = T^T delta psi`.
    pub tangent: Mat3,
}

impl Motion {
    /// The ground.
    pub fn ground() -> Motion {
        Motion::of(&BodyState { x: Vec3::zeros(), q: Quat::identity(), v: Vec6::zeros(), vdot: Vec6::zeros() })
    }

    /// Of a state, with the identity as tangent operator.
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

    /// A vector of body axes in inertial axes.
    #[inline(always)]
    pub fn arm(&self, local: &Vec3) -> Vec3 {
        self.r * local
    }

    /// The motion of the point at `arm` (inertial axes) of the same body.
    pub fn at(&self, arm: &Vec3) -> Motion {
        let (x, v, vdot) = (self.x + arm, self.velocity_at(arm), self.acceleration_at(arm));
        Motion { x, v, vdot, ..*self }
    }

    /// Velocity of the point at `arm` (inertial axes) from there.
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

/// State of a whole system at one time: what the host can read.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// Time.
    pub time: f64,
    /// What rounding took from the time: the sum of both is the sum of all steps. Without it a label of 1e9 s would drift by
    /// half a rounding unit (6e-8 s) per step.
    pub time_rest: f64,
    /// One per body.
    pub bodies: Vec<BodyState>,
    /// One multiplier per independent constraint: `-B^T lambda` acts on the bodies.
    pub lambda: Vec<f64>,
    /// Coordinate of each joint, angles counted over turns (0 where a joint has none).
    pub coordinates: Vec<f64>,
    /// What is imposed on each joint's coordinate and slide (0 where nothing is).
    pub drives: Vec<[Drive; 2]>,
    /// What must be applied to each prescribed body, inertial axes (0 for the others).
    pub reactions: Vec<Vec6>,
}

impl State {
    /// The unknown (a body's first, or a multiplier) of a number that is not finite, if there is one.
    pub fn not_finite(&self) -> Option<usize> {
        // x * 0 is zero for all others: one sum, without branches, while all is well.
        let sum = |numbers: &[f64]| numbers.iter().fold(0.0, |sum, x| sum + x * 0.0);
        let of_body = |body: &BodyState| {
            sum(body.x.as_slice()) + sum(body.q.coords.as_slice()) + sum(body.v.as_slice()) + sum(body.vdot.as_slice())
        };
        let bodies: f64 = self.bodies.iter().map(of_body).sum();
        let reactions: f64 = self.reactions.iter().map(|reaction| sum(reaction.as_slice())).sum();
        if bodies + reactions + sum(&self.lambda) + sum(&self.coordinates) + self.time * 0.0 == 0.0 {
            return None;
        }
        let wrong = |(body, reaction): (&BodyState, &Vec6)| of_body(body) + sum(reaction.as_slice()) != 0.0;
        let body = self.bodies.iter().zip(&self.reactions).position(wrong).map(|body| 6 * body);
        let multiplier = || self.lambda.iter().position(|x| !x.is_finite()).map(|k| 6 * self.bodies.len() + k);
        // A coordinate follows from its bodies.
        body.or_else(multiplier).or(Some(0))
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &State) {
        let State { time, time_rest, bodies, lambda, coordinates, drives, reactions } = other;
        (self.time, self.time_rest) = (*time, *time_rest);
        self.bodies.clone_from(bodies);
        self.lambda.clone_from(lambda);
        self.coordinates.clone_from(coordinates);
        self.drives.clone_from(drives);
        self.reactions.clone_from(reactions);
    }

    /// The time `s` later.
    #[inline(always)]
    pub fn time_after(&self, s: f64) -> f64 {
        self.time + (self.time_rest + s)
    }

    /// Sets the time to `s` after that of another state (the sum of two numbers with its rounding error: Knuth, The Art of
    /// Computer Programming 2, sect. 4.2.2, theorem B).
    #[inline(always)]
    pub fn set_time_after(&mut self, from: &State, s: f64) {
        let (start, step) = (from.time, from.time_rest + s);
        let time = start + step;
        let added = time - start;
        (self.time, self.time_rest) = (time, (start - (time - added)) + (step - added));
    }
}
