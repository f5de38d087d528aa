//! The parts of a step that are not in Table 1 of generalized-alpha: which iterations get a new
//! matrix, steps of changing length, and ends with forces out of balance.
//!
//! - **Matrices.** An iteration keeps the factors of an earlier one where that converges as fast
//!   ([`Stop::wants_matrix`]), and where lines and load callbacks have not changed their tangents
//!   much.
//! - **Changes of length.** In a step of another length than the last, the offset of the start's
//!   velocities normal to the constraints is scaled ([`Control::stretch`]). Its effect on the
//!   forces needs one more iteration.
//! - **Search** ([`super::search`]). A segment that falls slack, or touches the bed, changes its
//!   stiffness by orders of magnitude within a step. An increment of more than two of its lengths
//!   is meaningless and is shortened. An increment that leads onto another branch of the tangent,
//!   from which the iteration might return for ever, is searched for a place where the forces do no
//!   work along it.
//! - **Settling.** Load callbacks are called at the converged iterate, because the test of
//!   increments alone would accept accelerations that are off by tolerance/(beta h^2).
//! - **Balance at the end** ([`Control::is_borne_out`]). A segment or a rope is taut or slack, on
//!   the bed or above it, and each of these branches has a tangent of its own. Increments are
//!   computed with the tangents of the iterate's branches, and the last ones may lead to others.
//!   The test of increments cannot detect that; the forces at the end of the step do. The iteration
//!   then continues, for at most as many iterations as before.

use super::search::Line;
use super::step::Parameters;
use super::step::generalized_alpha::{Step, half_turn};
use super::stop::{self, Stop};
use super::{Memory, Point, Problem, Report};
use crate::model::NoConvergencePolicy;
use crate::system::Failure;

/// Where increments leave more than this part of the largest force, stiff axes turned further than
/// the factors know.
const BENDS: f64 = 1e-3;

/// One step, from its start n (`from`) to its end n+1 (`to`).
pub fn step(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    iterate(p, problem, from, to, memory).map_err(|failure| match failure {
        // If there are rotations beyond half a turn, these are the reason.
        Failure::NoConvergence { .. } | Failure::NotFinite { .. } | Failure::Singular { .. } => {
            half_turn(problem, memory).unwrap_or(failure)
        }
        _ => failure,
    })
}

/// Predicts, iterates by Newton's method, and completes the end of the step.
fn iterate(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut control = Control::new(Step::begin(p, problem, from, to, memory)?);
    control.begin_search();
    control.step.predict();
    loop {
        control.begin_iteration();
        control.step.retract(control.renews);
        control.assemble()?;
        control.search()?;
        control.factorise()?;
        control.solve();
        control.step.correct();
        control.test()?;
        // Ends, because every pass counts as an iteration (`may_iterate`).
        if control.is_done()? && (control.conclude()? || control.resume()?) {
            return Ok(control.report);
        }
    }
}

/// A step in progress, and the state of its iteration.
struct Control<'a> {
    step: Step<'a>,
    /// The convergence test.
    stop: Stop<'a>,
    /// Statistics for the host; it counts iterations and factorisations.
    report: Report,
    /// Whether there are factors for another iteration: made in this step, and not before a
    /// retreat.
    has_factors: bool,
    /// Whether the iteration gets a new matrix.
    renews: bool,
    /// The largest residual force at the iterate, where increments are searched; else 0.
    force: f64,
    /// Whether [`Control::stretch`] changed the start.
    was_stretched: bool,
    /// Number of iterations until the first end with forces out of balance.
    before: u32,
}

impl<'a> Control<'a> {
    #[inline(always)]
    fn new(step: Step<'a>) -> Control<'a> {
        Control {
            stop: Stop::new(step.problem, &step.p, step.from),
            report: Report { factorizations: step.started.factorizations(), ..Report::default() },
            step,
            has_factors: false,
            renews: false,
            force: 0.0,
            was_stretched: false,
            before: 0,
        }
    }

    /// Counts an iteration, and decides whether it gets a new matrix.
    #[inline(always)]
    fn begin_iteration(&mut self) {
        self.report.iterations += 1;
        self.renews = !self.has_factors || self.stop.wants_matrix(self.report.iterations);
    }

    /// Assembles the residual at the iterate, and the matrix if the iteration gets a new one.
    #[inline(always)]
    fn assemble(&mut self) -> Result<(), Failure> {
        let problem = self.step.problem;
        let (system, is_first) = (problem.system, self.report.iterations == 1);
        if is_first || problem.callbacks.fluid.as_ref().is_some_and(|callback| callback.implicit) {
            self.step.ask_fluid()?;
        }
        if !self.renews {
            self.step.assemble_residual()?;
            // Updates of load callbacks use the difference of two evaluations.
            let tolerance = self.stop.tolerance_of_callbacks();
            let callbacks_keep = !system.callbacks().need_matrix(tolerance, &self.step.memory.workspace);
            self.force = self.largest_force();
            let left = self.step.memory.search.left(self.force);
            let bends = self.turns() && left > BENDS;
            if callbacks_keep && self.stop.lines_keep(left) && !bends {
                return Ok(());
            }
            self.renews = true;
            self.step.retract_again(true);
            system.callbacks().stay(&mut self.step.memory.workspace);
        }
        self.step.assemble(is_first)?;
        self.force = self.largest_force();
        Ok(())
    }

    /// Before the first iteration, and where the iteration goes on behind an end that was out of
    /// balance.
    fn begin_search(&mut self) {
        let Problem { system, callbacks, .. } = *self.step.problem;
        let may_jump =
            system.lines().count() > 0 || system.elements().have_ropes() || system.elements().forms().may_jump();
        let bends = callbacks.any() || system.joints().have_tables() || system.machines().any_rub();
        self.step.memory.search.begin(may_jump || bends);
    }

    /// Whether the step takes elements in energy form whose axes turn.
    #[inline(always)]
    fn turns(&self) -> bool {
        self.step.environment.form.is_some() && self.step.problem.system.elements().forms().may_turn()
    }

    /// The largest force out of balance as evaluated last, where increments are searched or stiff
    /// axes turn; else 0.
    #[inline(always)]
    fn largest_force(&self) -> f64 {
        match self.step.memory.search.is_on() || self.turns() {
            true => stop::residual_norm(self.step.problem.system, &self.step.memory.workspace),
            false => 0.0,
        }
    }

    /// Goes back along the last increments where they led too far; the iteration has a matrix of
    /// its own then.
    #[inline(always)]
    fn search(&mut self) -> Result<(), Failure> {
        let Problem { system, settings, .. } = *self.step.problem;
        let Memory { workspace, search, .. } = &*self.step.memory;
        match search.leads_too_far(system, (settings.abs_tolerance(), self.report.iterations), self.force, workspace) {
            None => Ok(()),
            Some(line) => self.search_along(line),
        }
    }

    #[cold]
    fn search_along(&mut self, mut line: Line) -> Result<(), Failure> {
        let Problem { system, callbacks, .. } = *self.step.problem;
        let tells_water = callbacks.fluid.as_ref().is_some_and(|callback| callback.implicit);
        loop {
            let Memory { workspace, search, .. } = &mut *self.step.memory;
            search.go_on(&mut line, workspace);
            self.step.correct();
            self.step.retract_again(false);
            if tells_water {
                self.step.ask_fluid()?;
            }
            self.step.assemble_residual()?;
            self.force = self.largest_force();
            let Memory { workspace, search, .. } = &*self.step.memory;
            // Bounded: a search ends after some tries.
            if search.ends(&mut line, system, self.force, workspace) {
                break;
            }
        }
        self.renews = true;
        self.step.retract_again(true);
        system.callbacks().stay(&mut self.step.memory.workspace);
        self.step.assemble(false)
    }

    /// Factorises the matrix, if the iteration has a new one.
    #[inline(always)]
    fn factorise(&mut self) -> Result<(), Failure> {
        if self.renews {
            self.step.factorise(self.report.iterations)?;
            self.report.factorizations += 1;
            self.has_factors = true;
        }
        Ok(())
    }

    /// Solves for the increments, and shortens them to what segments of lines can follow.
    #[inline(always)]
    fn solve(&mut self) {
        self.step.solve();
        let Memory { workspace, search, .. } = &mut *self.step.memory;
        search.start(self.step.problem.system, self.force, workspace);
    }

    /// Tests the iteration for convergence and updates the report. Errors: increments that are not
    /// finite.
    #[inline(always)]
    fn test(&mut self) -> Result<(), Failure> {
        let (problem, iterations) = (self.step.problem, self.report.iterations);
        let Memory { workspace, dq, .. } = &mut *self.step.memory;
        self.stop.update(problem.system, workspace, dq, &self.step.to.state, iterations)?;
        if self.stop.converged || iterations >= problem.settings.max_iterations() {
            self.report.energies = Some(stop::energies(problem.system, workspace));
        }
        // If this changes the start, the forces need another iteration.
        let stretched = self.stretch();
        self.was_stretched |= stretched;
        self.report.converged = self.stop.converged && !stretched;
        if self.report.converged && problem.callbacks.any() {
            self.report.converged = self.settle()?;
        }
        self.report.error = self.stop.error;
        Ok(())
    }

    /// In the first iteration of a step of another length than the last: scales the offset of the
    /// start's velocities normal to the constraints, h^2 C_q vddot of the last step, to the length
    /// of this one, in `memory.start`. The last factorised matrix is the metric. At constant
    /// increments, velocities, accelerations and multipliers at the end of the step change
    /// accordingly. Returns true if the start changed.
    #[inline(always)]
    fn stretch(&mut self) -> bool {
        let is_of_another_length = self.step.started.stretch() != 1.0;
        is_of_another_length
            && self.report.iterations == 1
            && self.step.problem.system.multipliers() > 0
            && self.stretch_start()
    }

    /// The same, for a step of another length.
    fn stretch_start(&mut self) -> bool {
        let Step { p, c, problem, started, from, .. } = self.step;
        let (system, stretch) = (problem.system, started.stretch());
        let Some(last) = from.history.alpha() else { return false };
        let state = &mut self.step.to.state;
        let Memory { workspace, start, lambda, turns, .. } = &mut *self.step.memory;
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
            // The matrix contains M times beta h^2/m beta'.
            *lambda -= y * (system.scales().mass / (p.beta * c.h));
        }
        turns.begin(&p, system, problem.step, &from.state, start.given(started, from, lambda));
        true
    }

    /// Calls load callbacks at the converged iterate, and corrects it by the error of their
    /// predicted wrenches; true if that error is negligible.
    fn settle(&mut self) -> Result<bool, Failure> {
        let at = (self.report.iterations, self.report.iterations >= self.most_iterations());
        self.step.retract_again(false);
        let Step { problem, c, environment, memory, .. } = &mut self.step;
        let is_corrected = self.stop.settle(problem.system, environment, c.tangent(), at, &mut memory.workspace)?;
        if is_corrected {
            self.step.correct();
        }
        // The next iteration needs the updates since the last matrix.
        self.has_factors &= self.stop.converged;
        Ok(self.stop.converged)
    }

    /// Most iterations of a step; those that updated the matrices of load callbacks do not count.
    #[inline(always)]
    fn most_iterations(&self) -> u32 {
        self.step.problem.settings.max_iterations().saturating_add(self.step.memory.workspace.lessons())
    }

    /// True if the iteration ends here: converged, or accepted without convergence. Errors: not
    /// converged, and no iterations left.
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
        // The first iteration cannot end a step if it changed the start: one more is allowed.
        let most = self.most_iterations().saturating_add(u32::from(self.was_stretched));
        self.report.iterations - self.before < most
    }

    /// Ends an iteration without convergence: true if that is accepted. Errors: it is not.
    fn give_up(&mut self) -> Result<bool, Failure> {
        let (problem, workspace) = (self.step.problem, &self.step.memory.workspace);
        self.report.energies.get_or_insert_with(|| stop::energies(problem.system, workspace));
        if problem.settings.on_no_convergence() == NoConvergencePolicy::Accept {
            return Ok(true);
        }
        let unknown = self.stop.largest_residual(problem.system, workspace);
        let Report { iterations, error, energies, .. } = self.report;
        Err(Failure::NoConvergence { iterations, error, unknown, energies })
    }

    /// Completes the end of the step. Returns false if its forces, in a model with lines or ropes,
    /// are out of balance. Errors: bodies turned too far, or an evaluation failed.
    #[inline(always)]
    fn conclude(&mut self) -> Result<bool, Failure> {
        let system = self.step.problem.system;
        let far = half_turn(self.step.problem, self.step.memory).or_else(|| self.step.half_turn_of_elements());
        far.map_or(Ok(()), Err)?;
        // Only these have branches.
        let has_form = self.step.environment.form.is_some();
        let looks_again = system.lines().count() > 0
            || system.elements().have_ropes()
            || (has_form && system.elements().forms().may_jump());
        // Before the filter overwrites the last increments.
        let still = looks_again && self.stands_still();
        self.report_costs();
        self.step.conclude();
        // The evaluation for reactions discards the updates of load callbacks, without which an
        // iteration could not continue.
        let may_go_on = self.report.converged && self.step.memory.workspace.lessons() == 0;
        if has_form {
            return self.conclude_forms(may_go_on && looks_again, still);
        }
        self.step.find_reactions()?;
        Ok(!(may_go_on && looks_again) || self.is_borne_out(still)?)
    }

    /// The same where elements are in energy form: their forces of the step bear it out, those of
    /// their laws are told.
    fn conclude_forms(&mut self, may_go_on: bool, still: bool) -> Result<bool, Failure> {
        self.step.look_at_end()?;
        if may_go_on && !self.is_borne_out(still)? {
            return Ok(false);
        }
        self.report.factorizations += u32::from(self.step.keep_forces()?);
        Ok(true)
    }

    #[inline(always)]
    fn report_costs(&mut self) {
        let (report, system) = (&mut self.report, self.step.problem.system);
        report.evaluations = u64::from(self.step.started.factorizations() + report.iterations);
        report.body_evaluations = report.evaluations * system.layout().bodies() as u64;
        report.residual = stop::residual_norm(system, &self.step.memory.workspace);
    }

    /// True if the last increments of bodies and points were negligible or rounding.
    fn stands_still(&self) -> bool {
        let Memory { workspace, dq, .. } = &*self.step.memory;
        self.stop.others_stand_still(self.step.problem.system, workspace, dq, &self.step.to.state.lambda)
    }

    /// True if the forces at the end of the step are in balance. `still`: the last increments of
    /// bodies and points were negligible or rounding.
    fn is_borne_out(&mut self, still: bool) -> Result<bool, Failure> {
        let (system, environment, state) = (self.step.problem.system, &self.step.environment, &self.step.to.state);
        let Memory { workspace, search, .. } = &mut *self.step.memory;
        // With reactions, or elements in energy form, these forces have been evaluated.
        if !(environment.form.is_some() || system.balance().has_reactions()) {
            system.balance().forces_at(environment, state, workspace)?;
        }
        if !(self.stop.lines_stand() || system.lines().nodes_balance(environment, workspace)) {
            return Ok(false);
        }
        if !self.stop.others_stand(search.left(stop::residual_norm(system, workspace))) {
            return Ok(false);
        }
        // If a rope is slack now, a matrix from when it was taut gives very small increments for
        // any force. Therefore small increments count only with the matrix of the last iterate.
        let [carriers_stand, ropes_stand] = [still, self.stop.is_rounding() || (self.renews && still)];
        if carriers_stand && ropes_stand {
            return Ok(true);
        }
        system.measure_reactions(&state.lambda, workspace);
        Ok((carriers_stand || system.lines().carriers_balance(environment, workspace))
            && (ropes_stand || system.elements().ropes_balance(environment, workspace)))
    }

    /// Continues after an end with forces out of balance: the next iteration has these forces, and
    /// a new matrix. Returns true if the step ends here instead: accepted, because no iterations
    /// are left. Errors: it is not accepted.
    fn resume(&mut self) -> Result<bool, Failure> {
        self.report.converged = false;
        // After the first such end the step has all its iterations once more, but only once.
        if self.before == 0 {
            self.before = self.report.iterations;
        } else if !self.may_iterate() {
            return self.give_up();
        }
        self.step.to.state.z.clone_from(&self.step.from.state.z);
        self.has_factors = false;
        Ok(false)
    }
}
