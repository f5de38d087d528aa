//! The reference points of the host: forces that are given about them act on bodies that are integrated about other points,
//! and states are told about them.
//!
//! With s the arm from the point that is integrated to the reference point (inertial axes, turning with the body), a
//! reference point moves with
//!
//! ```text
//! v + omega x s,     vdot + omegadot x s + omega x (omega x s),
//! ```
//!
//! and a wrench (f, m) about it is (f, m + s x f) about the other. Variations of both give the tangents: those of the motion
//! are the columns, those of the wrench the rows.

use super::assembly::Assembly;
use super::motion::{Motion, State};
use super::views::References;
use crate::linear::Assemble;
use crate::spatial::{
    BodyState, Mat3, Mat6, Pose, Vec3, Vec6, add_block, block, join, lower, mul_skew, rotation, skew, skew_mul,
    skew_skew, upper, wrench_at_reference,
};

/// A force that follows from the motion of a point of a body: minus its wrench about that point, and how this changes.
#[derive(Debug, Clone, Copy)]
pub struct PointForce {
    /// Minus force and moment.
    pub residual: Vec6,
    /// By the acceleration of the point.
    pub mass: Mat6,
    /// By its velocity.
    pub damping: Mat6,
    /// By its position and the rotation.
    pub stiffness: Mat6,
}

impl PointForce {
    /// No force.
    pub fn zero() -> PointForce {
        let none = Mat6::zeros();
        PointForce { residual: Vec6::zeros(), mass: none, damping: none, stiffness: none }
    }

    /// The same force about the point that moves with `motion`; `arm` (inertial axes) leads from there to the point where
    /// the force is given.
    pub fn transferred(&self, motion: &Motion, arm: &Vec3) -> PointForce {
        let [mass, damping, stiffness] =
            columns(motion, arm, &[self.mass, self.damping, self.stiffness]).map(|tangent| rows(arm, &tangent));
        let mut force = PointForce { residual: wrench_at_reference(&self.residual, arm), mass, damping, stiffness };
        // The arm turns: d(s x f) = (theta x s) x f = ~f ~s theta.
        add_block(&mut force.stiffness, 1, 1, &skew_skew(&upper(&self.residual), arm));
        force
    }
}

/// Derivatives by acceleration, velocity and position of the point at `arm` become those by the motion of the point from
/// which the arm leads.
pub fn columns(motion: &Motion, arm: &Vec3, [mass, damping, stiffness]: &[Mat6; 3]) -> [Mat6; 3] {
    let Motion { omega, omegadot, .. } = motion;
    // theta x s enters positions, omega x (theta x s) velocities, omegadot x (theta x s) + omega x (omega x (theta x s))
    // accelerations; domega x s velocities, domega x (omega x s) + omega x (domega x s) accelerations.
    let turn = -skew(arm);
    let velocity_by_turn = -skew_skew(omega, arm);
    let acceleration_by_turn = skew_mul(omega, &velocity_by_turn) - skew_skew(omegadot, arm);
    let acceleration_by_spin = velocity_by_turn - skew(&omega.cross(arm));
    let by = |m: &Mat6, row: usize, arm: &Mat3| block(m, row, 0) * arm;
    let (mut out_mass, mut out_damping, mut out_stiffness) = (*mass, *damping, *stiffness);
    for row in 0..2 {
        add_block(&mut out_mass, row, 1, &-mul_skew(&block(mass, row, 0), arm));
        let by_spin = by(damping, row, &turn) + by(mass, row, &acceleration_by_spin);
        add_block(&mut out_damping, row, 1, &by_spin);
        let by_turn =
            by(stiffness, row, &turn) + by(damping, row, &velocity_by_turn) + by(mass, row, &acceleration_by_turn);
        add_block(&mut out_stiffness, row, 1, &by_turn);
    }
    [out_mass, out_damping, out_stiffness]
}

/// The wrench rows about the point at `arm` become those about the point from which it leads: moment + arm x force.
pub fn rows(arm: &Vec3, tangent: &Mat6) -> Mat6 {
    let mut out = *tangent;
    for column in 0..2 {
        add_block(&mut out, 1, column, &skew_mul(arm, &block(tangent, 0, column)));
    }
    out
}

impl<A: Assemble> Assembly<'_, A> {
    /// Adds the force that `force` says for the motion of the point at `reference` (body axes) of a body.
    #[inline(always)]
    pub fn add_force_at<E>(
        &mut self,
        body: usize,
        reference: &Vec3,
        force: impl FnOnce(&Motion) -> Result<PointForce, E>,
    ) -> Result<(), E> {
        let motion = self.motions[body];
        let force = if *reference == Vec3::zeros() {
            force(&motion)?
        } else {
            let arm = motion.arm(reference);
            force(&motion.at(&arm))?.transferred(&motion, &arm)
        };
        self.add_residual(body, &force.residual);
        self.add_mass(body, &force.mass);
        if self.wants_tangents() {
            self.add_damping(body, &force.damping);
            self.add_stiffness(body, &force.stiffness);
        }
        Ok(())
    }
}

/// A number below this changes a finite one by less than half the last digit of the largest double, and so cannot take it beyond.
const FARTHEST: f64 = 1e290;

impl<'a> References<'a> {
    /// Whether any body moves about another point than its reference point.
    #[inline]
    pub fn has_arms(self) -> bool {
        self.0.has_arms
    }

    /// Where the positions are measured from, in the host's coordinates.
    pub fn origin(self) -> &'a Vec3 {
        &self.0.origin
    }

    /// The state of a body's reference point, measured from the origin.
    pub fn state(self, body: usize, state: &BodyState) -> BodyState {
        state.at(&self.0.references[body])
    }

    /// The arm from the integrated point of a body to its reference point, inertial axes; None where they are the same.
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

    /// Positions of all bodies as they stand in the state, and where they are measured from, where no arm and no overflow
    /// lies between these and the poses that the host sees: then these are finite as states are.
    pub fn plain_places(self, state: &'a State) -> Option<(&'a [[f64; 7]], &'a Vec3)> {
        let is_plain = !self.has_arms() && self.0.origin.amax() < FARTHEST;
        is_plain.then(|| (self.0.layout.split_places(&state.q).0, &self.0.origin))
    }

    /// Velocities, or accelerations, of all bodies out of a flat vector of a state, where they are those of the reference
    /// points.
    pub fn plain_rates(self, rates: &[f64]) -> Option<&[[f64; 6]]> {
        (!self.has_arms()).then(|| self.0.layout.split(rates).0)
    }

    /// The velocity of a body's reference point and its angular velocity, inertial axes: those of `reference_state`.
    #[inline]
    pub fn velocity(self, body: usize, state: &BodyState) -> Vec6 {
        match self.arm_of(body, state) {
            None => state.v,
            Some(arm) => join(&(upper(&state.v) + lower(&state.v).cross(&arm)), &lower(&state.v)),
        }
    }

    /// The state that is integrated, from that of a body's reference point in the host's coordinates.
    pub fn integrated_state(self, body: usize, given: &BodyState) -> BodyState {
        BodyState { x: given.x - self.0.origin, ..*given }.at(&-self.0.references[body])
    }

    /// The arm from the point of a body that is integrated to its reference point, inertial axes.
    pub fn arm(self, body: usize, state: &State) -> Vec3 {
        Motion::of(&state.body(body)).arm(&self.0.references[body])
    }
}
