//! Rotations of the scheme `momentum-alpha`: generalized-alpha on the angular momentum, with a
//! rotation of fourth order.
//!
//! Translations go as in `generalized_alpha`. Of a rotation the velocity variable is p = J omega, J
//! = R J* R^T, its rate pdot = J omegadot + omega x p, its algorithmic rate A. With alpha = -J^-1
//! (omega x p), the acceleration of a body that turns freely, y = J^-1 A, and n the start of the
//! step:
//!
//! ```text
//! (1 - alpha_m) A + alpha_m A(n) = (1 - alpha_f) pdot + alpha_f pdot(n),     p = p(n) + h ((1 - gamma) A(n) + gamma A),
//! psi = h/2 (omega(n) + omega) + h^2 (beta - gamma/2) (y - y(n)) + h^2/12 (omega x omega(n) + alpha(n) - alpha).
//! ```
//!
//! Newton's unknown is psi, from which R = exp(~psi) R(n) and J; the third line then gives y, by
//! Newton's method on three equations that are nearly linear, and the others omega and omegadot, at
//! which the system is evaluated as ever. Derivation: docs/theory.md. Histories keep accelerations,
//! y + alpha in the place of A, so that they mean the same in all schemes.

use super::parameters::Parameters;
use super::start::{Given, three};
use super::turn::{Step, Turn};
use crate::scheme::{Alpha, Point, Restart};
use crate::spatial::{Mat3, Vec3, rotation};
use crate::system::{Motion, State, System, Turning, Workspace};
use std::f64::consts::PI;

/// The rotations of all bodies in a step of `momentum-alpha`; empty in other schemes.
#[derive(Debug, Clone, Default)]
pub struct Turns(Vec<Turn>);

impl Turns {
    /// True if the scheme is not `momentum-alpha`.
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Prepares a step; allocates in the first step only.
    pub fn prepare(&mut self, p: &Parameters, system: &System, workspace: &mut Workspace) {
        if !p.on_momentum {
            self.0.clear();
            workspace.turnings.clear();
        } else if self.0.len() != system.layout().bodies() {
            self.0 = (0..system.layout().bodies()).map(|body| Turn::new(system.nodes().inertia(body))).collect();
            workspace.turnings = vec![Turning::PLAIN; system.layout().bodies()];
        }
    }

    /// Free bodies, with the first of their unknowns of rotation.
    fn free<'a>(&'a mut self, system: &'a System) -> impl Iterator<Item = (usize, usize, &'a mut Turn)> {
        let turns = self.0.iter_mut().enumerate().filter(|(body, _)| system.nodes().is_free(*body));
        turns.map(|(body, turn)| (body, system.layout().unknown(body) + 3, turn))
    }

    /// Sets the start of the step.
    #[inline(always)]
    pub fn begin(&mut self, p: &Parameters, system: &System, h: f64, q: &State, start: Given) {
        if self.0.is_empty() {
            return;
        }
        let c = Step::new(p, h);
        for (body, k, turn) in self.free(system) {
            let [v, vdot, a] = [start.v, start.vdot, start.a].map(|numbers| three(numbers, k));
            let unrounded = Vec3::from(start.unrounded[body]);
            turn.begin(p, &c, &rotation::matrix(&q.pose(body).rotation), [&v, &vdot, &a, &unrounded]);
        }
    }

    /// Predicts psi from the predicted omega in `state`, and y from the algorithmic accelerations
    /// predicted with it.
    #[inline(always)]
    pub fn predict(
        &mut self,
        p: &Parameters,
        problem: (&System, f64),
        from: &State,
        start: Given,
        state: &State,
        dq: &mut [f64],
    ) {
        if self.0.is_empty() {
            return;
        }
        let c = Step::new(p, problem.1);
        for (body, k, turn) in self.free(problem.0) {
            let [omega, vdot] = [&state.v, &state.vdot].map(|numbers| three(numbers, k));
            let [start_vdot, start_a] = [start.vdot, start.a].map(|numbers| three(numbers, k));
            let a = Vec3::from_fn(|i, _| p.algorithmic_of(vdot[i], start_vdot[i], start_a[i]));
            let psi = turn.predict(&c, &rotation::matrix(&from.pose(body).rotation), [&omega, &start_vdot, &a]);
            dq[k..k + 3].copy_from_slice(psi.as_slice());
        }
    }

    /// Rates of the bodies after rotation by the increments, for the motions of the workspace;
    /// written there and to `state`. With `renews` (the iteration has a new matrix) also the
    /// derivatives of the rates by the increments.
    #[inline(always)]
    pub fn follow(
        &mut self,
        p: &Parameters,
        (system, h): (&System, f64),
        (dq, renews): (&[f64], bool),
        state: &mut State,
        workspace: &mut Workspace,
    ) {
        if self.0.is_empty() {
            return;
        }
        let c = Step::new(p, h);
        for (body, k, turn) in self.free(system) {
            let (motion, turning) = (&mut workspace.motions[body], &mut workspace.turnings[body]);
            turn.follow(&c, &three(dq, k), renews, motion, turning);
            state.v[k..k + 3].copy_from_slice(motion.omega.as_slice());
            state.vdot[k..k + 3].copy_from_slice(motion.omegadot.as_slice());
        }
        system.lines().carry_ends(workspace);
    }

    /// Changes y and A by the solution in the workspace, the changes of the increments.
    #[inline(always)]
    pub fn correct(&mut self, system: &System, workspace: &Workspace) {
        for (_, k, turn) in self.free(system) {
            turn.correct(&three(&workspace.solution, k));
        }
    }

    /// The rates at the end of the step, for the orientations in `state`; the algorithmic
    /// accelerations there, and the angular momenta that the angular velocities lose by rounding.
    #[inline(always)]
    pub fn conclude(&mut self, p: &Parameters, (system, h): (&System, f64), state: &mut State, own: &mut Alpha) {
        if self.0.is_empty() {
            // The point may hold values of an earlier step of `momentum-alpha`.
            own.unrounded.fill([0.0; 3]);
            return;
        }
        let c = Step::new(p, h);
        for (body, k, turn) in self.free(system) {
            let r = rotation::matrix(&state.pose(body).rotation);
            let [omega, omegadot, algorithmic, unrounded] = turn.conclude(&c, &r);
            state.v[k..k + 3].copy_from_slice(omega.as_slice());
            state.vdot[k..k + 3].copy_from_slice(omegadot.as_slice());
            own.a[k..k + 3].copy_from_slice(algorithmic.as_slice());
            own.unrounded[body] = unrounded.into();
        }
    }

    /// [`Turn::jerk`] of a body; None in other schemes.
    pub fn jerk(&self, body: usize, motion: &Motion) -> Option<Vec3> {
        self.0.get(body).map(|turn| turn.jerk(motion))
    }

    /// The first body that turns by more than half a turn in the step, by its increments or by its
    /// velocity at the start, and the angle.
    pub fn over_half_a_turn(&mut self, system: &System, h: f64, dq: &[f64]) -> Option<(usize, f64)> {
        let turned = |(body, k, turn): (usize, usize, &mut Turn)| (body, three(dq, k).norm(), h * turn.omega.norm());
        let far = self
            .free(system)
            .map(turned)
            .find(|(_, turned, omega)| *turned > PI || (!turned.is_finite() && *omega > PI));
        far.map(|(body, turned, omega)| (body, if turned.is_finite() { turned } else { omega }))
    }
}

/// Derivatives of the rates of rotation by the increments at the end of a step from one point to
/// another, whose tangent operators are given: for `compliance`.
pub fn turnings(
    p: &Parameters,
    (system, h): (&System, f64),
    from: &Point,
    to: &Point,
    tangents: &[Mat3],
) -> Vec<Turning> {
    let c = Step::new(p, h);
    let own = from.history.alpha().filter(|_| from.history.restart == Restart::No);
    let state = &from.state;
    let [v, vdot] = own.map_or([&state.v[..], &state.vdot[..]], |alpha| alpha.filtered.of(state));
    let start = [v, vdot, own.map_or(&state.vdot[..], |alpha| &alpha.a)];
    let of_body = |(body, tangent): (usize, &Mat3)| {
        if !system.nodes().is_free(body) {
            return Turning::PLAIN;
        }
        let k = system.layout().unknown(body) + 3;
        let [omega, omegadot, a] = start.map(|numbers| three(numbers, k));
        let mut turn = Turn::new(system.nodes().inertia(body));
        turn.begin(p, &c, &Motion::of(&state.body(body)).r, [&omega, &omegadot, &a, &Vec3::zeros()]);
        turn.turning_at(&c, &Motion { tangent: *tangent, ..Motion::of(&to.state.body(body)) })
    };
    tangents.iter().enumerate().map(of_body).collect()
}
