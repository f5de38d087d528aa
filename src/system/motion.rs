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
    /// One per body.
    pub bodies: Vec<BodyState>,
    /// One multiplier per independent constraint: `-B^T lambda` acts on the bodies.
    pub lambda: Vec<f64>,
    /// Coordinate of each joint, angles counted over turns (0 where a joint has none).
    pub coordinates: Vec<f64>,
    /// What is imposed on each joint's coordinate (0 where nothing is).
    pub drives: Vec<Drive>,
    /// What must be applied to each prescribed body, inertial axes (0 for the others).
    pub reactions: Vec<Vec6>,
}

impl State {
    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &State) {
        self.time = other.time;
        self.bodies.clone_from(&other.bodies);
        self.lambda.clone_from(&other.lambda);
        self.coordinates.clone_from(&other.coordinates);
        self.drives.clone_from(&other.drives);
        self.reactions.clone_from(&other.reactions);
    }
}
