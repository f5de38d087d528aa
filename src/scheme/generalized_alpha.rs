//! Lie-group generalized-alpha for index-3 equations of motion; newmark and hht with other parameters.
//!
//! Source: Bruls, Cardona, Arnold (2012), Mechanism and Machine Theory 48, Table 1, with increments resolved in
//! the inertial frame; newmark: alpha_m = alpha_f = 0; hht (Hilber, Hughes, Taylor 1977, Earthquake Eng. Struct. Dyn.
//! 5): alpha_m = 0, alpha_f = -alpha, gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; scaling of Bottasso, Dopico,
//! Trainelli (2008); the start of `start.rs`, the damping of `constraint_filter.rs`. Second order in positions, velocities and
//! multipliers; spectral radius at infinite frequency rho_inf; unconditionally stable on linear systems without
//! constraints, usable on constrained ones at every rho_inf.
//!
//! [`iterate`] is Table 1, a verb a line; the verbs stand below it in its order, as methods of [`Step`].

use super::extrapolation::{SMOOTH, Trend};
use super::newton::{self, Measure};
use super::parameters::{Parameters, StepCoefficients};
use super::start::Started;
use super::{Memory, Point, Problem, Report, Restart, constraint_filter, second_look, start};
use crate::linear::update;
use crate::model::NoConvergencePolicy;
use crate::system::{Asking, Environment, Failure, Level, Motion, State, Turned};

/// One step; n is its start (`from`), n+1 its end (`to`).
pub fn step(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    iterate(p, problem, from, to, memory).map_err(|failure| match failure {
        // Increments beyond half a turn are why an iteration fails, where there are such.
        Failure::NoConvergence { .. } | Failure::NotFinite { .. } | Failure::Singular { .. } => {
            half_turn(problem, memory).unwrap_or(failure)
        }
        _ => failure,
    })
}

/// Table 1: the prediction, Newton's iteration, the end of the step.
fn iterate(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut step = Step::begin(p, problem, from, to, memory)?;
    step.predict();
    loop {
        step.count_iteration();
        step.retract();
        step.assemble()?;
        if step.retreats() {
            step.correct();
        } else {
            step.factorize()?;
            step.solve();
            step.correct();
            step.judge()?;
        }
        if step.is_done()? {
            if step.conclude()? || step.resume()? {
                return Ok(step.report);
            }
        }
    }
}

/// A step that is being made: what its verbs work on.
struct Step<'a> {
    p: &'a Parameters,
    /// beta', gamma' and the scale of the matrix.
    c: StepCoefficients,
    problem: &'a Problem<'a>,
    /// What acts at the end of the step.
    environment: Environment<'a>,
    started: Started,
    /// n.
    from: &'a Point,
    /// n+1: the iterate, which becomes the end of the step.
    to: &'a mut Point,
    /// Increments h dq, residual, matrix, solution.
    memory: &'a mut Memory,
    /// The convergence test.
    measure: Measure<'a>,
    /// What the host is told; it counts iterations and factorisations.
    report: Report,
    /// Whether there are factors that may serve another iteration: of this step, and from before no retreat.
    has_factors: bool,
    /// Whether the iteration has a matrix of its own.
    renews: bool,
    /// The largest force out of balance at the iterate, in models with lines; else 0.
    force: f64,
    /// Whether [`Step::stretch_velocities`] changed the start.
    was_stretched: bool,
    /// Iterations until the first end that did not stand.
    before: u32,
}

impl<'a> Step<'a> {
    /// Finds what the step starts from, and makes the memory ready.
    #[inline(always)]
    fn begin(
        p: &'a Parameters,
        problem: &'a Problem<'a>,
        from: &'a Point,
        to: &'a mut Point,
        memory: &'a mut Memory,
    ) -> Result<Step<'a>, Failure> {
        memory.turns.prepare(p, problem.system, &mut memory.workspace);
        let started = start::prepare(problem, p, from, memory)?;
        memory.search.begin();
        to.state.set_time_after(&from.state, problem.step);
        Ok(Step {
            p,
            c: p.coefficients(problem.step, problem.system.scales().mass),
            problem,
            environment: problem.environment(to.state.time, problem.loads_end),
            started,
            from,
            to,
            memory,
            measure: Measure::new(problem, p, from),
            report: Report { factorizations: started.factorizations(), ..Report::default() },
            has_factors: false,
            renews: false,
            force: 0.0,
            was_stretched: false,
            before: 0,
        })
    }

    /// The predictor, eq. (11a-c), with the accelerations and multipliers of the last two steps carried on linearly in place of
    /// vdot(n+1) = 0: closer to the solution at no cost.
    #[inline(always)]
    fn predict(&mut self) {
        self.take_over();
        let Step { p, problem, started, from, .. } = *self;
        let Memory { start, lambda, dq, turns, .. } = &mut *self.memory;
        let (system, h, state) = (problem.system, problem.step, &mut self.to.state);
        let start = start.given(started, from, lambda);
        let trend = Trend::of(system, started, from, start);
        let lambda = [start.lambda, trend.lambda];
        update([&mut state.lambda], lambda, |_, [start, last]| [trend.ahead(start, last)]);
        update(
            [dq, &mut state.v, &mut state.vdot],
            [start.v, start.vdot, start.a, trend.vdot],
            |_, [v, vdot_start, a_start, last_vdot]| {
                let vdot = trend.ahead(vdot_start, last_vdot);
                let a = p.algorithmic_of(vdot, vdot_start, a_start);
                let change = a_start * (0.5 - p.beta) + a * p.beta;
                [h * v + h * h * change, v + h * (a_start * (1.0 - p.gamma) + a * p.gamma), vdot]
            },
        );
        turns.begin(p, system, h, &from.state, start);
        turns.predict(p, (system, h), &from.state, start, state, dq);
        self.impose();
    }

    /// What the iterate takes from the start of the step as it is.
    #[inline(always)]
    fn take_over(&mut self) {
        let Step { problem, from, .. } = *self;
        let (state, workspace) = (&mut self.to.state, &mut self.memory.workspace);
        if !problem.system.nodes().all_free() {
            // Of the others `retract` places what is free.
            state.q.clone_from(&from.state.q);
        }
        state.coordinates.clone_from(&from.state.coordinates);
        workspace.coordinates.copy_from_slice(&from.state.coordinates);
        problem.system.coordinates().count_from_drives(problem.loads_end, &mut workspace.coordinates);
        problem.system.lines().take_history(&from.state, workspace);
        state.lines.copy_history_from(&from.state.lines);
    }

    /// Nodes with imposed motions stand at the end of the step from the start on, and have no increments.
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

    /// Begins an iteration, and decides whether it is to have a matrix of its own: not where the last factors are good enough.
    #[inline(always)]
    fn count_iteration(&mut self) {
        self.report.iterations += 1;
        self.renews = !self.has_factors || self.measure.wants_matrix(self.report.iterations);
    }

    /// q(n+1) = exp(h dq) o q(n), and the motions of all nodes there.
    #[inline(always)]
    fn retract(&mut self) {
        self.retract_for(self.renews);
    }

    /// The same; `renews`: for an evaluation with a matrix.
    #[inline(always)]
    fn retract_for(&mut self, renews: bool) {
        let Step { p, problem, from, .. } = *self;
        let (system, state) = (problem.system, &mut self.to.state);
        let Memory { workspace, dq, turns, .. } = &mut *self.memory;
        // Load callbacks that are asked ahead see how their bodies would turn.
        system.retract_to(&from.state.q, dq, renews || problem.callbacks.any(), state, workspace);
        turns.follow(p, (system, problem.step), (dq, renews), state, workspace);
        let turned = Turned::Increments(dq);
        system.coordinates().expect_acting_angles(&from.state, turned, &state.q, &mut workspace.coordinates);
    }

    /// The residual r at the iterate, and the matrix S_t where the iteration is to have one, both scaled.
    #[inline(always)]
    fn assemble(&mut self) -> Result<(), Failure> {
        let Step { problem, .. } = *self;
        let (system, level, tangent, is_first) =
            (problem.system, Level::Position, self.c.tangent(), self.report.iterations == 1);
        if is_first || problem.callbacks.fluid.as_ref().is_some_and(|callback| callback.implicit) {
            system.callbacks().ask_fluid(&self.environment, &mut self.memory.workspace)?;
        }
        if !self.renews {
            let (lambda, workspace) = (&self.to.state.lambda, &mut self.memory.workspace);
            let asking = Asking::Iterating { first: false };
            system.assemble_residual_as(asking, &self.environment, level, tangent, lambda, workspace)?;
            // What load callbacks answer to motions is learnt from one evaluation to the next.
            let tolerance = self.measure.tolerance_of_callbacks();
            let callbacks_keep = !system.callbacks().need_matrix(tolerance, workspace);
            self.force = self.force_of_lines();
            if callbacks_keep && self.measure.lines_keep(self.memory.search.left(self.force)) {
                return Ok(());
            }
            self.renews = true;
            self.retract();
            system.callbacks().stay(&mut self.memory.workspace);
        }
        let (asking, lambda) = (Asking::Iterating { first: is_first }, &self.to.state.lambda);
        system.assemble_as(asking, &self.environment, level, tangent, lambda, &mut self.memory.workspace)?;
        self.force = self.force_of_lines();
        Ok(())
    }

    /// The largest force out of balance as evaluated last, in models with lines, whose iterations are led by it; else 0.
    #[inline(always)]
    fn force_of_lines(&self) -> f64 {
        match self.problem.system.lines().count() {
            0 => 0.0,
            _ => newton::residual_norm(self.problem.system, &self.memory.workspace),
        }
    }

    /// Whether the iterate goes back by half of its last increments, on which the forces of lines grew; then that is the solution.
    #[inline(always)]
    fn retreats(&mut self) -> bool {
        let Memory { workspace, search, .. } = &mut *self.memory;
        let retreats = search.retreats(self.force, self.report.iterations, workspace);
        // The factors led too far.
        self.has_factors &= !retreats;
        retreats
    }

    /// Factorises the matrix, where the iteration has one of its own.
    #[inline(always)]
    fn factorize(&mut self) -> Result<(), Failure> {
        if self.renews {
            self.memory.workspace.factorize(self.report.iterations)?;
            self.report.factorizations += 1;
            self.has_factors = true;
        }
        Ok(())
    }

    /// S_t (dx, dlambda) = -r. What segments of lines cannot follow is cut.
    #[inline(always)]
    fn solve(&mut self) {
        let (system, Memory { workspace, search, .. }) = (self.problem.system, &mut *self.memory);
        newton::solve(system, self.c.scale, workspace);
        search.limit(system, &mut workspace.solution);
    }

    /// h dq += dx, v += gamma' dx, vdot += beta' dx, lambda += dlambda.
    #[inline(always)]
    fn correct(&mut self) {
        let (c, memory) = (&self.c, &mut *self.memory);
        memory.turns.correct(self.problem.system, &memory.workspace);
        let State { v, vdot, lambda, .. } = &mut self.to.state;
        let (dx, dlambda) = memory.workspace.solution.split_at(memory.dq.len());
        update([&mut memory.dq, v, vdot], [dx], |[dq, v, vdot], [dx]| {
            [dq + dx, v + c.gamma_prime * dx, vdot + c.beta_prime * dx]
        });
        update([lambda], [dlambda], |[lambda], [dlambda]| [lambda + dlambda]);
    }

    /// Whether the iteration has converged, into the report. Errors: increments that are not finite.
    #[inline(always)]
    fn judge(&mut self) -> Result<(), Failure> {
        let (problem, iterations) = (self.problem, self.report.iterations);
        let Memory { workspace, dq, .. } = &mut *self.memory;
        self.measure.update(problem.system, workspace, dq, &self.to.state, iterations)?;
        if self.measure.converged || iterations >= problem.settings.max_iterations() {
            self.report.energies = Some(newton::energies(problem.system, workspace));
        }
        // Where that changes the start, another iteration sees it in the forces.
        let stretched = self.stretch_velocities();
        self.was_stretched |= stretched;
        self.report.converged = self.measure.converged && !stretched;
        if self.report.converged && problem.callbacks.any() {
            self.report.converged = self.settle()?;
        }
        self.report.error = self.measure.error;
        Ok(())
    }

    /// Where the step is `stretch` times as long as the last: brings, in its first iteration, what the start's velocities have
    /// normal to the constraints, h^2 C_q vddot of the last step, to the length of this one, in `start` and at the end of the
    /// step. The matrix factorised last serves as metric. Increments stay as they are, so that velocities, accelerations and
    /// multipliers at the end of the step answer. Returns whether there was something to be brought.
    #[inline(always)]
    fn stretch_velocities(&mut self) -> bool {
        let is_of_another_length = self.started.stretch() != 1.0;
        is_of_another_length && self.report.iterations == 1 && self.problem.system.multipliers() > 0 && self.stretch()
    }

    /// The same, where the step is of another length than the last.
    fn stretch(&mut self) -> bool {
        let Step { p, c, problem, started, from, .. } = *self;
        let (system, stretch) = (problem.system, started.stretch());
        let Some(last) = from.history.alpha() else { return false };
        let state = &mut self.to.state;
        let Memory { workspace, start, lambda, turns, .. } = &mut *self.memory;
        let dofs = system.dofs();
        for (right, [violation, ..]) in workspace.solution[dofs..].iter_mut().zip(&last.violations) {
            *right = (stretch * stretch - 1.0) * violation[0];
        }
        workspace.solve_constraints();
        workspace.turn_solution();
        for (i, change) in workspace.solution[..dofs].iter().enumerate() {
            start.v[i] += change;
            state.v[i] += change * (1.0 - c.gamma_prime * c.h);
            state.vdot[i] -= change * (c.beta_prime * c.h);
        }
        for (lambda, y) in state.lambda.iter_mut().zip(&workspace.solution[dofs..]) {
            // M comes with the factor beta h^2/m beta'.
            *lambda -= y * (system.scales().mass / (p.beta * c.h));
        }
        turns.begin(p, system, problem.step, &from.state, start.given(started, from, lambda));
        true
    }

    /// Asks load callbacks at the iterate that has converged otherwise, and corrects it for what they are off; true where that
    /// does not matter any more.
    fn settle(&mut self) -> Result<bool, Failure> {
        let at = (self.report.iterations, self.report.iterations >= self.most_iterations());
        self.retract_for(false);
        let (system, workspace) = (self.problem.system, &mut self.memory.workspace);
        let is_corrected = self.measure.settle(system, &self.environment, self.c.tangent(), at, workspace)?;
        if is_corrected {
            self.correct();
        }
        // What was learnt since the last matrix counts from here on.
        self.has_factors &= self.measure.converged;
        Ok(self.measure.converged)
    }

    /// Most iterations of a step; those that taught something of load callbacks do not count.
    #[inline(always)]
    fn most_iterations(&self) -> u32 {
        self.problem.settings.max_iterations().saturating_add(self.memory.workspace.lessons())
    }

    /// Whether the iteration ends here: converged, or accepted without that. Errors: it has not converged, and may not go on.
    #[inline(always)]
    fn is_done(&mut self) -> Result<bool, Failure> {
        match self.report.converged {
            true => Ok(true),
            false if self.may_iterate() => Ok(false),
            false => self.give_up(),
        }
    }

    /// True while the step has iterations left.
    #[inline(always)]
    fn may_iterate(&self) -> bool {
        // The first iteration could not end a step whose start it changed: that step has one more.
        let most = self.most_iterations().saturating_add(u32::from(self.was_stretched));
        self.report.iterations - self.before < most
    }

    /// The end of an iteration that has not converged: true if that is accepted. Errors: it is not.
    fn give_up(&mut self) -> Result<bool, Failure> {
        let (problem, workspace) = (self.problem, &self.memory.workspace);
        // An iteration that retreats finds no energies: those of the last residual and of what it went back.
        self.report.energies.get_or_insert_with(|| newton::energies(problem.system, workspace));
        if problem.settings.on_no_convergence() == NoConvergencePolicy::Accept {
            return Ok(true);
        }
        let unknown = self.measure.largest_residual(problem.system, workspace);
        let Report { iterations, error, energies, .. } = self.report;
        Err(Failure::NoConvergence { iterations, error, unknown, energies })
    }

    /// The end of the step. Returns whether it stands: false where its forces, in a model with lines or ropes, show that the iteration
    /// was not done. Errors: bodies turned too far, or an evaluation failed.
    #[inline(always)]
    fn conclude(&mut self) -> Result<bool, Failure> {
        half_turn(self.problem, self.memory).map_or(Ok(()), Err)?;
        let looks_again = second_look::is_needed(self.problem.system);
        // The filter writes over the last increments.
        let still = looks_again && self.stands_still();
        self.report_costs();
        self.place();
        self.keep_history();
        self.filter();
        self.follow_joints();
        // What was learnt of load callbacks is forgotten in the evaluation for reactions: an iteration could not go on from there.
        let may_go_on = self.report.converged && self.memory.workspace.lessons() == 0;
        self.find_reactions()?;
        Ok(!(may_go_on && looks_again) || self.is_borne_out(still)?)
    }

    #[inline(always)]
    fn report_costs(&mut self) {
        let (report, system) = (&mut self.report, self.problem.system);
        report.evaluations = u64::from(self.started.factorizations() + report.iterations);
        report.body_evaluations = report.evaluations * system.layout().bodies() as u64;
        report.residual = newton::residual_norm(system, &self.memory.workspace);
    }

    /// q(n+1), where the last increments lead, and mostly the motions of all nodes there.
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

    /// Whether the rates of the last iterate are those of the end of the step, and no node is a line's: then places and motions come in one pass.
    #[inline(always)]
    fn moves_at_once(&self) -> bool {
        self.memory.turns.are_none() && self.problem.system.lines().count() == 0
    }

    /// a(n+1), and what the next step is told of this one.
    #[inline(always)]
    fn keep_history(&mut self) {
        let Step { p, problem, started, from, .. } = *self;
        let Memory { start, lambda, turns, .. } = &mut *self.memory;
        let Point { state, history, .. } = &mut *self.to;
        if let Some(alpha) = history.alpha_mut() {
            let start = start.given(started, from, lambda);
            update([&mut alpha.a, &mut alpha.vdot], [&state.vdot, start.vdot, start.a], |_, [vdot, start, start_a]| {
                [p.algorithmic_of(vdot, start, start_a), start]
            });
            alpha.lambda.copy_from_slice(start.lambda);
            turns.conclude(p, (problem.system, problem.step), state, alpha);
        }
        history.step = problem.step;
        history.restart = Restart::No;
        history.age = if started.is_anew() { 1 } else { (from.history.age + 1).min(SMOOTH) };
    }

    /// Damps what alternates normal to the constraints, in what the next step starts from.
    #[inline(always)]
    fn filter(&mut self) {
        let Step { problem, started, from, .. } = *self;
        if !self.moves_at_once() {
            self.to.state.enter_motions(&mut self.memory.workspace.motions);
        }
        if problem.system.multipliers() > 0 {
            // The next step starts from what the filter leaves: tied ends of lines stand there as in the state, where their carriers
            // took them.
            problem.system.lines().follow_ends(&mut self.to.state);
            constraint_filter::apply(problem, from, started.stretch(), self.to, self.memory);
        }
    }

    /// Coordinates of joints at the end of the step, and what the fluid callback said of it.
    #[inline(always)]
    fn follow_joints(&mut self) {
        let (system, state, memory) = (self.problem.system, &mut self.to.state, &*self.memory);
        let State { q, coordinates, .. } = &mut *state;
        system.coordinates().expect_angles(&self.from.state, Turned::Increments(&memory.dq), q, coordinates);
        system.coordinates().follow_at(&memory.workspace.motions, state, self.problem.loads_end);
        system.callbacks().keep_fluid(state, &memory.workspace);
    }

    /// Reactions of accelerations and multipliers as they are now, so that these balance those of the joints.
    #[inline(always)]
    fn find_reactions(&mut self) -> Result<(), Failure> {
        self.problem.system.balance().reactions(&self.environment, &mut self.to.state, &mut self.memory.workspace)
    }

    /// True if the last increments of bodies and points were as good as none, or rounding.
    fn stands_still(&self) -> bool {
        let Memory { workspace, dq, .. } = &*self.memory;
        self.measure.others_stand_still(self.problem.system, workspace, dq, &self.to.state.lambda)
    }

    /// See [`second_look`].
    fn is_borne_out(&mut self, still: bool) -> Result<bool, Failure> {
        let (system, state) = (self.problem.system, &self.to.state);
        let iteration = (&self.measure, self.renews, still);
        second_look::bears_out(&self.environment, system, iteration, state, self.memory)
    }

    /// Goes on from an end whose forces are not in balance: the next iteration sees these forces, and has a matrix of its own.
    /// Returns true if the step ends here instead: accepted, because it may have no more iterations. Errors: it is not accepted.
    fn resume(&mut self) -> Result<bool, Failure> {
        self.report.converged = false;
        // The step may take its iterations once more after the first such end; each end could be followed by another one.
        if self.before == 0 {
            self.before = self.report.iterations;
        } else if !self.may_iterate() {
            return self.give_up();
        }
        self.memory.search.begin();
        self.to.state.lines.copy_history_from(&self.from.state.lines);
        self.has_factors = false;
        Ok(false)
    }
}

/// The failure where the step turns a body of `momentum-alpha` by more than half a turn: other increments lead to the same place.
#[inline(always)]
fn half_turn(problem: &Problem, memory: &mut Memory) -> Option<Failure> {
    let Memory { turns, dq, .. } = memory;
    let turned = turns.over_half_a_turn(problem.system, problem.step, dq);
    turned.map(|(body, turn)| Failure::HalfTurn { body, turn })
}
