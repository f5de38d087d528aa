//! Lie-group generalized-alpha for index-3 equations of motion; newmark and hht with other
//! parameters.
//!
//! Source: Bruls, Cardona, Arnold (2012), Mechanism and Machine Theory 48, Table 1, with increments
//! resolved in the inertial frame; newmark: alpha_m = alpha_f = 0; hht (Hilber, Hughes, Taylor
//! 1977, Earthquake Eng. Struct. Dyn. 5): alpha_m = 0, alpha_f = -alpha, gamma = 1/2 - alpha, beta
//! = (1 - alpha)^2/4; scaling of Bottasso, Dopico, Trainelli (2008). Second order in positions,
//! velocities and multipliers; spectral radius at infinite frequency rho_inf; unconditionally
//! stable on linear systems without constraints, usable on constrained ones at every rho_inf.
//!
//! The verbs of Table 1 are the methods of [`Step`], in the order of the table:
//!
//! ```text
//! predict                                   q, v, vdot, a, lambda from the start of the step, eq. (11)
//! repeat until the test of `stop` holds:
//!     retract                               q(n+1) = exp(h dq) o q(n)
//!     assemble                              the residual r, and where it is renewed the matrix S_t
//!     factorise, solve                      S_t (dx, dlambda) = -r
//!     correct                               h dq += dx, v += gamma' dx, vdot += beta' dx, lambda += dlambda
//! conclude, filter                          a(n+1); what alternates normal to the constraints is damped
//! ```
//!
//! `control` calls them, and does what is not in the paper.

use super::energy;
use super::filter;
use super::parameters::{Parameters, StepCoefficients};
use super::predictor::{SMOOTH, Trend};
use super::start::{self, Started};
use crate::linear::update;
use crate::scheme::{Memory, Point, Problem, Restart};
use crate::system::{Asking, Environment, Failure, Level, Motion, State, Turned};

/// One step; n is its start (`from`), n+1 its end (`to`).
pub struct Step<'a> {
    /// The parameters of the scheme, or of its first step after a start.
    pub p: Parameters,
    /// beta', gamma' and the scale of the matrix.
    pub c: StepCoefficients,
    /// The model, its loads, and the length of the step.
    pub problem: &'a Problem<'a>,
    /// Loads and environment at the end of the step, with the coefficients of elements in energy
    /// form where there are some.
    pub environment: Environment<'a>,
    /// How the step started.
    pub started: Started,
    /// n.
    pub from: &'a Point,
    /// n+1: the iterate, which becomes the end of the step.
    pub to: &'a mut Point,
    /// Increments h dq, residual, matrix, solution.
    pub memory: &'a mut Memory,
}

impl<'a> Step<'a> {
    /// Finds the start of the step and prepares the memory.
    #[inline(always)]
    pub fn begin(
        p: &Parameters,
        problem: &'a Problem<'a>,
        from: &'a Point,
        to: &'a mut Point,
        memory: &'a mut Memory,
    ) -> Result<Step<'a>, Failure> {
        memory.turns.prepare(p, problem.system, &mut memory.workspace);
        let started = start::prepare(problem, p, from, memory)?;
        let p = if started.is_first() { p.first_step() } else { *p };
        to.state.set_time_after(&from.state, problem.step);
        let c = p.coefficients(problem.step, problem.system.scales().mass);
        let form = energy::begin(&p, problem, started, from, memory);
        let environment = Environment { form, ..problem.environment(to.state.time, problem.loads_end) };
        Ok(Step { p, c, problem, environment, started, from, to, memory })
    }

    /// The predictor, eq. (11a-c), with accelerations and multipliers extrapolated linearly from
    /// the last two steps in place of vdot(n+1) = 0: closer to the solution at no cost.
    #[inline(always)]
    pub fn predict(&mut self) {
        self.take_over();
        let Step { p, problem, started, from, .. } = *self;
        let Memory { start, lambda, dq, turns, half_turns, .. } = &mut *self.memory;
        let (system, h, state) = (problem.system, problem.step, &mut self.to.state);
        let start = start.given(started, from, lambda);
        let trend = Trend::of(system, started, from, start);
        let lambda = [start.lambda, trend.lambda];
        update([&mut state.lambda], lambda, |_, [start, last]| [trend.ahead(start, last)]);
        let predicted = |[v, vdot_start, a_start]: [f64; 3], vdot: f64| {
            let a = p.algorithmic_of(vdot, vdot_start, a_start);
            let change = a_start * (0.5 - p.beta) + a * p.beta;
            [h * v + h * h * change, v + h * (a_start * (1.0 - p.gamma) + a * p.gamma), vdot]
        };
        update(
            [dq, &mut state.v, &mut state.vdot],
            [start.v, start.vdot, start.a, trend.vdot],
            |_, [v, vdot, a, last_vdot]| predicted([v, vdot, a], trend.ahead(vdot, last_vdot)),
        );
        let forms = system.elements().forms();
        if self.environment.form.is_some() && forms.may_turn() && !started.is_anew() {
            for first in forms.turning() {
                let Some(vdot) = trend.turned(start, first, [h, from.history.step]) else { continue };
                for (k, vdot) in (first..).zip(&vdot) {
                    let numbers = predicted([start.v[k], start.vdot[k], start.a[k]], *vdot);
                    [dq[k], state.v[k], state.vdot[k]] = numbers;
                }
            }
        }
        turns.begin(&p, system, h, &from.state, start);
        turns.predict(&p, (system, h), &from.state, start, state, dq);
        if self.environment.form.is_some() {
            half_turns.begin(&p, problem, (started, from), start, dq);
        }
        self.impose();
    }

    /// Copies the parts of the iterate that equal those at the start of the step.
    #[inline(always)]
    fn take_over(&mut self) {
        let Step { problem, from, .. } = *self;
        let (state, workspace) = (&mut self.to.state, &mut self.memory.workspace);
        if !problem.system.nodes().all_free() {
            // In other models `retract` sets all positions.
            state.q.clone_from(&from.state.q);
        }
        state.coordinates.clone_from(&from.state.coordinates);
        workspace.coordinates.copy_from_slice(&from.state.coordinates);
        problem.system.coordinates().count_from_drives(problem.loads_end, &mut workspace.coordinates);
        problem.system.elements().take_own(&from.state, workspace);
        state.z.clone_from(&from.state.z);
    }

    /// Nodes with imposed motions are at the end of their motion from the first iterate on, and
    /// have no increments.
    #[inline(always)]
    fn impose(&mut self) {
        let Problem { system, loads_end, .. } = *self.problem;
        if !system.loading().imposes_motions() {
            return;
        }
        let (state, Memory { dq, workspace, .. }) = (&mut self.to.state, &mut *self.memory);
        state.impose(loads_end);
        let carriers = state.layout.carriers();
        for node in system.nodes().imposed() {
            dq[state.layout.velocities(node)].fill(0.0);
            if let Some(motion) = workspace.motions[..carriers].get_mut(node) {
                *motion = Motion::of(&state.body(node));
            }
        }
    }

    /// q(n+1) = exp(h dq) o q(n), and the motions of all nodes there; `renews`: the coming
    /// evaluation has a matrix.
    #[inline(always)]
    pub fn retract(&mut self, renews: bool) {
        let Step { p, problem, from, .. } = *self;
        let (system, state) = (problem.system, &mut self.to.state);
        let Memory { workspace, dq, turns, .. } = &mut *self.memory;
        // Load callbacks that are evaluated ahead need the tangents of rotations, too.
        system.retract_to(&from.state.q, dq, renews || problem.callbacks.any(), state, workspace);
        turns.follow(&p, (system, problem.step), (dq, renews), state, workspace);
        let turned = Turned::Increments(dq);
        system.coordinates().expect_acting_angles(&from.state, turned, &state.q, &mut workspace.coordinates);
    }

    /// The same for rare calls: a function of its own, which keeps the code small.
    #[inline(never)]
    pub fn retract_again(&mut self, renews: bool) {
        self.retract(renews);
    }

    /// Evaluates the fluid callback at the iterate, for all evaluations there.
    #[inline(always)]
    pub fn ask_fluid(&mut self) -> Result<(), Failure> {
        self.problem.system.callbacks().ask_fluid(&self.environment, &mut self.memory.workspace)
    }

    /// The residual r at the iterate and the matrix S_t, both scaled; `first`: this is the first
    /// iteration.
    #[inline(always)]
    pub fn assemble(&mut self, first: bool) -> Result<(), Failure> {
        let (asking, tangent, lambda) = (Asking::Iterating { first }, self.c.tangent(), &self.to.state.lambda);
        let (system, workspace) = (self.problem.system, &mut self.memory.workspace);
        system.assemble_as(asking, &self.environment, Level::Position, tangent, lambda, workspace)
    }

    /// The residual r alone, in an iteration that keeps the matrix of an earlier one.
    #[inline(always)]
    pub fn assemble_residual(&mut self) -> Result<(), Failure> {
        let (asking, tangent, lambda) = (Asking::Iterating { first: false }, self.c.tangent(), &self.to.state.lambda);
        let (system, workspace) = (self.problem.system, &mut self.memory.workspace);
        system.assemble_residual_as(asking, &self.environment, Level::Position, tangent, lambda, workspace)
    }

    /// Factorises the assembled matrix. Errors: a singular matrix; the message names `iteration`.
    #[inline(always)]
    pub fn factorise(&mut self, iteration: u32) -> Result<(), Failure> {
        self.memory.workspace.factorize(iteration)
    }

    /// S_t (dx, dlambda) = -r, in scaled form `D_L S_t D_R (dx, dlambda) = -D_L r`; writes (dx,
    /// dlambda) to `workspace.solution`.
    #[inline(always)]
    pub fn solve(&mut self) {
        let (dofs, scale, workspace) = (self.problem.system.dofs(), self.c.scale, &mut self.memory.workspace);
        workspace.take_residual(scale);
        workspace.matrix.solve(&mut workspace.solution);
        let unscaled = 1.0 / scale;
        update([&mut workspace.solution[dofs..]], [], |[x], []| [x * unscaled]);
    }

    /// h dq += dx, v += gamma' dx, vdot += beta' dx, lambda += dlambda.
    #[inline(always)]
    pub fn correct(&mut self) {
        let (c, memory) = (&self.c, &mut *self.memory);
        memory.turns.correct(self.problem.system, &memory.workspace);
        let State { v, vdot, lambda, .. } = &mut self.to.state;
        let (dx, dlambda) = memory.workspace.solution.split_at(memory.dq.len());
        update([&mut memory.dq, v, vdot], [dx], |[dq, v, vdot], [dx]| {
            [dq + dx, v + c.gamma_prime * dx, vdot + c.beta_prime * dx]
        });
        update([lambda], [dlambda], |[lambda], [dlambda]| [lambda + dlambda]);
    }

    /// The end of the step: positions, a(n+1) and the history of the next step, the filter of
    /// constraints, joints and reactions.
    #[inline(always)]
    pub fn conclude(&mut self) {
        self.place();
        self.keep_history();
        self.filter();
        self.follow_joints();
    }

    /// q(n+1) from the last increments, and where `moves_at_once` holds the motions of all nodes.
    #[inline(always)]
    fn place(&mut self) {
        let at_once = self.moves_at_once();
        let (system, q, state) = (self.problem.system, &self.from.state.q, &mut self.to.state);
        let Memory { workspace, dq, .. } = &mut *self.memory;
        match at_once {
            true => system.retract_to(q, dq, false, state, workspace),
            false => system.retract(q, dq, &mut state.q),
        }
    }

    /// True if the rates of the last iterate are those at the end of the step and the model has no
    /// lines: positions and motions are then computed in one pass.
    #[inline(always)]
    fn moves_at_once(&self) -> bool {
        self.memory.turns.are_none() && self.problem.system.lines().count() == 0
    }

    /// a(n+1), and the history that the next step needs.
    #[inline(always)]
    fn keep_history(&mut self) {
        let Step { p, problem, started, from, .. } = *self;
        let Memory { start, lambda, turns, half_turns, .. } = &mut *self.memory;
        let Point { state, history, .. } = &mut *self.to;
        if let Some(alpha) = history.alpha_mut() {
            let start = start.given(started, from, lambda);
            update([&mut alpha.a, &mut alpha.vdot], [&state.vdot, start.vdot, start.a], |_, [vdot, start, start_a]| {
                [p.kept(p.algorithmic_of(vdot, start, start_a), start), start]
            });
            alpha.lambda.copy_from_slice(start.lambda);
            turns.conclude(&p, (problem.system, problem.step), state, alpha);
            if problem.system.multipliers() == 0 {
                // With multipliers the filter does this.
                alpha.filtered.take(state);
            }
            match self.environment.form {
                None => alpha.kinks.clear(),
                Some(_) => half_turns.conclude(&p, problem.system, start, alpha),
            }
        }
        history.step = problem.step;
        history.restart = Restart::No;
        history.age = if started.is_anew() { 1 } else { (from.history.age + 1).min(SMOOTH) };
    }

    /// Damps alternating components normal to the constraints in the start of the next step.
    #[inline(always)]
    fn filter(&mut self) {
        let Step { problem, started, from, .. } = *self;
        if !self.moves_at_once() {
            self.to.state.enter_motions(&mut self.memory.workspace.motions);
        }
        if problem.system.multipliers() > 0 {
            // The next step starts from the state that the filter leaves, whose tied ends of lines
            // follow their carriers.
            problem.system.lines().follow_ends(&mut self.to.state);
            filter::apply(problem, from, started.stretch(), self.to, self.memory);
        }
    }

    /// Coordinates of joints at the end of the step, and the results of the fluid callback.
    #[inline(always)]
    fn follow_joints(&mut self) {
        let (system, state, memory) = (self.problem.system, &mut self.to.state, &*self.memory);
        let State { q, coordinates, .. } = &mut *state;
        system.coordinates().expect_angles(&self.from.state, Turned::Increments(&memory.dq), q, coordinates);
        system.coordinates().follow_at(&memory.workspace.motions, state, self.problem.loads_end);
        system.callbacks().keep_fluid(state, &memory.workspace);
    }

    /// The forces out of balance at the end of the step, with elements in energy form.
    pub fn look_at_end(&mut self) -> Result<(), Failure> {
        self.problem.system.balance().forces_at(&self.environment, &self.to.state, &mut self.memory.workspace)
    }

    /// The failure if the step turns a body on elements in energy form whose axes turn by more than
    /// half a turn: they take the shortest rotation between both ends.
    pub fn half_turn_of_elements(&self) -> Option<Failure> {
        self.environment.form?;
        let turned = self.problem.system.elements().forms().over_half_a_turn(&self.memory.dq);
        turned.map(|(body, turn)| Failure::HalfTurn { body, turn })
    }

    /// Stores the forces of elements in energy form for the next step, and finds accelerations,
    /// multipliers and reactions of their laws; see [`energy::keep`].
    pub fn keep_forces(&mut self) -> Result<bool, Failure> {
        let Step { p, problem, started, from, .. } = *self;
        energy::keep(&p, (problem, started), &self.environment, (from, self.to), self.memory)
    }

    /// Reactions that balance the present accelerations and multipliers.
    #[inline(always)]
    pub fn find_reactions(&mut self) -> Result<(), Failure> {
        let environment = Environment { form: None, ..self.environment };
        self.problem.system.balance().reactions(&environment, &mut self.to.state, &mut self.memory.workspace)
    }
}

/// The failure if the step turns a body of `momentum-alpha` by more than half a turn, where other
/// increments lead to the same orientation.
#[inline(always)]
pub fn half_turn(problem: &Problem, memory: &mut Memory) -> Option<Failure> {
    let Memory { turns, dq, .. } = memory;
    let turned = turns.over_half_a_turn(problem.system, problem.step, dq);
    turned.map(|(body, turn)| Failure::HalfTurn { body, turn })
}
