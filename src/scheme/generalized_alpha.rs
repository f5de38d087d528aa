//! Lie-group generalized-alpha for index-3 equations of motion; newmark and hht with other parameters.
//!
//! Source: Bruls, Cardona, Arnold (2012), Mechanism and Machine Theory 48, Table 1, with increments resolved in
//! the inertial frame; newmark: alpha_m = alpha_f = 0; hht (Hilber, Hughes, Taylor 1977, Earthquake Eng. Struct. Dyn.
//! 5): alpha_m = 0, alpha_f = -alpha, gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; scaling of Bottasso, Dopico,
//! Trainelli (2008); the start of `start.rs`, the damping of `constraint_filter.rs`. Second order in positions, velocities and
//! multipliers; spectral radius at infinite frequency rho_inf; unconditionally stable on linear systems without
//! constraints, usable on constrained ones at every rho_inf.

use super::lanes::update;
use super::lines;
use super::newton::{self, Measure};
use super::parameters::{Parameters, StepCoefficients};
use super::start::Started;
use super::sums::{lane_sums, sum};
use super::{Memory, Point, Problem, Report, Restart, constraint_filter, start};
use crate::model::NoConvergencePolicy;
use crate::system::{Asking, Environment, Failure, Level, State, System, Turned, Workspace};

/// One step; n is its start (`from`), n+1 its end (`to`).
pub fn step(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let outcome = iterate(p, problem, from, to, memory);
    let fails = |failure: &Failure| {
        matches!(failure, Failure::NoConvergence { .. } | Failure::NotFinite { .. } | Failure::Singular { .. })
    };
    if outcome.as_ref().is_err_and(fails) {
        refuse_half_turns(problem, memory)?;
    }
    outcome
}

/// Lines follow Table 1.
fn iterate(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let (system, c) = (problem.system, p.coefficients(problem.step, problem.system.scales().mass));
    memory.turns.prepare(p, system, &mut memory.workspace);
    let started = start::prepare(problem, p, from, memory)?;
    let mut report = Report { factorizations: started.factorizations(), ..Report::default() };
    predict(p, problem, started, from, to, memory);
    let environment = problem.environment(to.state.time, problem.loads_end);
    let mut measure = Measure::new(problem, p, from);
    let has_lines = system.lines().count() > 0;
    memory.search.begin();
    let (mut has_factors, mut is_fresh, mut was_stretched, mut before) = (false, false, false, 0);
    loop {
        while !report.converged {
            report.iterations += 1;
            let at = (report.iterations, has_factors);
            let (renews, force) = evaluate(p, &c, problem, &environment, &measure, at, from, to, memory)?;
            is_fresh = renews;
            let Memory { workspace, search, .. } = &mut *memory;
            if has_lines && search.retreats(force, report.iterations, workspace) {
                has_factors = false;
                correct(&c, system, to, memory);
            } else {
                if renews {
                    workspace.factorize(report.iterations)?;
                    report.factorizations += 1;
                    has_factors = true;
                }
                newton::solve(system, c.scale, workspace);
                if has_lines {
                    lines::limit(system, &mut workspace.solution);
                    search.remember(&workspace.solution);
                }
                correct(&c, system, to, memory);

                let Memory { workspace, dq, .. } = &mut *memory;
                measure.update(system, workspace, dq, &to.state.lambda, report.iterations)?;
                if measure.converged || report.iterations >= problem.settings.max_iterations() {
                    report.energies = Some(newton::energies(system, workspace));
                }
                let stretched = stretch_velocities(p, &c, problem, started, &report, from, to, memory);
                was_stretched |= stretched;
                report.converged = measure.converged && !stretched;
                if report.converged && problem.callbacks.any() {
                    report.converged = settle(p, &c, problem, &environment, &mut measure, &report, from, to, memory)?;
                }
            }
            report.error = measure.error;
            // Neither does the iteration behind which velocities have followed the length of the step.
            let most = most_iterations(problem, memory).saturating_add(u32::from(was_stretched));
            if !report.converged && report.iterations - before >= most {
                // There are none yet where the last iteration only went back.
                report.energies.get_or_insert_with(|| newton::energies(system, &memory.workspace));
                if problem.settings.on_no_convergence() == NoConvergencePolicy::Accept {
                    break;
                }
                let unknown = measure.largest_residual(system, &memory.workspace);
                let Report { iterations, error, energies, .. } = report;
                return Err(Failure::NoConvergence { iterations, error, unknown, energies });
            }
        }
        refuse_half_turns(problem, memory)?;
        report.evaluations = u64::from(started.factorizations() + report.iterations);
        report.body_evaluations = report.evaluations * system.layout().bodies() as u64;
        report.residual = newton::residual_norm(system, &memory.workspace);

        system.retract(&from.state.q, &memory.dq, &mut to.state.q);
        conclude(p, started, problem, from, to, memory);
        to.state.enter_motions(&mut memory.workspace.motions);
        if system.multipliers() > 0 {
            // The next step starts from what it leaves: with tied ends where their carriers took them, as in the state.
            system.lines().follow_ends(&mut to.state);
            constraint_filter::apply(problem, from, started.stretch(), to, memory);
        }
        let State { q, coordinates, .. } = &mut to.state;
        system.coordinates().expect_angles(&from.state, Turned::Increments(&memory.dq), q, coordinates);
        system.coordinates().follow_at(&memory.workspace.motions, &mut to.state, problem.loads_end);
        system.callbacks().keep_fluid(&mut to.state, &memory.workspace);
        // The next evaluation forgets what was learnt of load callbacks, without which an iteration would have to begin again.
        let has_learnt = memory.workspace.lessons() > 0;
        // Of the accelerations and multipliers as they are now, so that they balance those of the joints.
        system.balance().reactions(&environment, &mut to.state, &mut memory.workspace)?;
        if !(has_lines || system.elements().have_ropes()) || !report.converged || has_learnt {
            return Ok(report);
        }
        if !system.balance().has_reactions() {
            system.balance().forces_at(&environment, &to.state, &mut memory.workspace)?;
        }
        if stands(&environment, system, &measure, is_fresh, memory) {
            return Ok(report);
        }
        // The last increments led to other branches than those that they were computed on.
        memory.search.begin();
        to.state.lines.copy_history_from(&from.state.lines);
        (report.converged, has_factors) = (false, false);
        // It may take as many iterations again, once: broken promises could follow each other for ever.
        if before == 0 {
            before = report.iterations;
        }
    }
}

/// Whether the forces evaluated at the end of a step bear out that its iteration was done; `is_fresh`: the last matrix was that of the
/// last iterate.
fn stands(e: &Environment, system: &System, measure: &Measure, is_fresh: bool, memory: &Memory) -> bool {
    let Memory { workspace, search, .. } = memory;
    (measure.lines_stand() || system.lines().nodes_balance(e, workspace))
        && (measure.others_stand_still() || system.lines().carriers_balance(e, workspace))
        // With the matrix of a taut rope increments are next to nothing where it is slack.
        && (measure.is_rounding() || (is_fresh && measure.others_stand_still()) || system.elements().ropes_balance(workspace))
        && measure.others_stand(search.left(newton::residual_norm(system, workspace)))
}

/// Evaluates the iterate: the residual, and the matrix where the iteration is to have one of its own. Returns whether it has, and
/// the largest force out of balance where there are lines, which alone ask for it.
#[allow(clippy::too_many_arguments)] // the parts of a step
fn evaluate(
    p: &Parameters,
    c: &StepCoefficients,
    problem: &Problem,
    environment: &Environment,
    measure: &Measure,
    (iteration, has_factors): (u32, bool),
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<(bool, f64), Failure> {
    let (system, level, tangent) = (problem.system, Level::Position, c.tangent());
    let force = |workspace: &Workspace| match system.lines().count() {
        0 => 0.0,
        _ => newton::residual_norm(system, workspace),
    };
    // What load callbacks are is learnt from matrices, too.
    let renews = !has_factors || measure.wants_matrix(iteration) || problem.callbacks.any();
    follow(p, problem, renews, from, to, memory);
    if iteration == 1 || problem.callbacks.fluid.as_ref().is_some_and(|callback| callback.implicit) {
        system.callbacks().ask_fluid(environment, &mut memory.workspace)?;
    }
    let Memory { workspace, search, .. } = &mut *memory;
    if !renews {
        system.assemble_residual(environment, level, tangent, &to.state.lambda, workspace)?;
        let force = force(workspace);
        if measure.lines_keep(search.left(force)) {
            return Ok((false, force));
        }
        follow(p, problem, true, from, to, memory);
    }
    let asking = Asking::Iterating { first: iteration == 1 };
    system.assemble_as(asking, environment, level, tangent, &to.state.lambda, &mut memory.workspace)?;
    Ok((true, force(&memory.workspace)))
}

/// Most iterations of a step; those that taught something of load callbacks do not count.
fn most_iterations(problem: &Problem, memory: &Memory) -> u32 {
    problem.settings.max_iterations().saturating_add(memory.workspace.lessons())
}

/// The predictor, eq. (11a-c), with the accelerations and multipliers of the last two steps carried on linearly in place of
/// vdot(n+1) = 0: closer to the solution at no cost.
fn predict(p: &Parameters, problem: &Problem, started: Started, from: &Point, to: &mut Point, memory: &mut Memory) {
    let Memory { start, lambda, dq, workspace, turns, .. } = memory;
    let (h, state) = (problem.step, &mut to.state);
    let start = start.given(started, from, lambda);
    state.set_time_after(&from.state, h);
    if !problem.system.nodes().all_free() {
        // The places of the others follow from the increments.
        state.q.clone_from(&from.state.q);
    }
    state.coordinates.clone_from(&from.state.coordinates);
    workspace.coordinates.copy_from_slice(&from.state.coordinates);
    problem.system.coordinates().count_from_drives(problem.loads_end, &mut workspace.coordinates);
    problem.system.lines().take_history(&from.state, workspace);
    state.lines.copy_history_from(&from.state.lines);
    let carried = match (from.history.alpha(), started) {
        (Some(last), Started::On(stretch))
            if from.history.age >= SMOOTH && is_smooth(problem.system, start.vdot, &last.vdot) =>
        {
            Some((last, stretch))
        }
        _ => None,
    };
    // Without anything to carry on, the last step's are those of this one.
    let (last_vdot, last_lambda, stretch) =
        carried.map_or((start.vdot, start.lambda, 0.0), |(last, stretch)| (&last.vdot, &last.lambda, stretch));
    let ahead = |x: f64, last: f64| x + stretch * (x - last);
    for ((lambda, start), last) in state.lambda.iter_mut().zip(start.lambda).zip(last_lambda) {
        *lambda = ahead(*start, *last);
    }
    update(
        [dq, &mut state.v, &mut state.vdot],
        [start.v, start.vdot, start.a, last_vdot],
        |_, [v, vdot_start, a_start, last_vdot]| {
            let vdot = ahead(vdot_start, last_vdot);
            let a = p.algorithmic_of(vdot, vdot_start, a_start);
            let change = a_start * (0.5 - p.beta) + a * p.beta;
            [h * v + h * h * change, v + h * (a_start * (1.0 - p.gamma) + a * p.gamma), vdot]
        },
    );
    turns.begin(p, problem.system, h, &from.state, start);
    turns.predict(p, (problem.system, h), &from.state, start, state, dq);
    if !problem.system.loading().imposes_motions() {
        return;
    }
    state.impose(problem.loads_end);
    let carriers = state.layout.carriers();
    for node in problem.system.nodes().imposed() {
        dq[state.layout.velocities(node)].fill(0.0);
        if let Some(motion) = workspace.motions[..carriers].get_mut(node) {
            *motion = crate::system::Motion::of(&state.body(node));
        }
    }
}

/// Steps after a start from which accelerations and multipliers are smooth.
const SMOOTH: u32 = 3;

/// Whether accelerations change by less than half of their size from one step to the next. Those of modes that steps do not
/// resolve alternate: carried on, they would start the iteration far from its solution. Angular ones count times the model's length:
/// the answer does not depend on units.
fn is_smooth(system: &System, vdot: &[f64], last: &[f64]) -> bool {
    let (layout, length) = (system.layout(), system.scales().length);
    let ((bodies, points), (last_bodies, last_points)) = (layout.split(vdot), layout.split(last));
    let (bodies, last_bodies) = (bodies.as_flattened(), last_bodies.as_flattened());
    let (points, last_points) = (points.as_flattened(), last_points.as_flattened());
    let total = |lanes: [f64; 6], points: f64| {
        let [x, y, z, alpha, beta, gamma] = lanes;
        (x + y + z) + (alpha + beta + gamma) * (length * length) + points
    };
    let square = |x: f64, _: f64| x * x;
    let size = |bodies, points| total(lane_sums(bodies, bodies, square), sum(points, points, square));
    let difference = |now: f64, last: f64| (now - last) * (now - last);
    let change = total(lane_sums(bodies, last_bodies, difference), sum(points, last_points, difference));
    change <= 0.25 * size(bodies, points).max(size(last_bodies, last_points))
}

/// Moves the iterate to where its increments lead; `renews`: for an iteration with a matrix of its own.
#[inline(always)]
fn follow(p: &Parameters, problem: &Problem, renews: bool, from: &Point, to: &mut Point, memory: &mut Memory) {
    let Memory { workspace, dq, turns, .. } = memory;
    problem.system.retract_to(&from.state.q, dq, &mut to.state, workspace);
    turns.follow(p, (problem.system, problem.step), (dq, renews), &mut to.state, workspace);
    let turned = Turned::Increments(dq);
    problem.system.coordinates().expect_acting_angles(&from.state, turned, &to.state.q, &mut workspace.coordinates);
}

/// Errors: the step turns a body of `momentum-alpha` by more than half a turn, where other increments lead to the same place.
fn refuse_half_turns(problem: &Problem, memory: &mut Memory) -> Result<(), Failure> {
    let Memory { turns, dq, .. } = memory;
    let turned = turns.over_half_a_turn(problem.system, problem.step, dq);
    turned.map_or(Ok(()), |(body, turn)| Err(Failure::HalfTurn { body, turn }))
}

/// dx, dlambda: the solution in the workspace enters the iterate.
#[inline(always)]
fn correct(c: &StepCoefficients, system: &System, to: &mut Point, memory: &mut Memory) {
    memory.turns.correct(system, &memory.workspace);
    let State { v, vdot, lambda, .. } = &mut to.state;
    let (dx, dlambda) = memory.workspace.solution.split_at(memory.dq.len());
    update([&mut memory.dq, v, vdot], [dx], |[dq, v, vdot], [dx]| {
        [dq + dx, v + c.gamma_prime * dx, vdot + c.beta_prime * dx]
    });
    lambda.iter_mut().zip(dlambda).for_each(|(lambda, dlambda)| *lambda += dlambda);
}

/// Asks load callbacks at the iterate that has converged otherwise, and corrects it for what they are off; true where that
/// does not matter any more.
#[allow(clippy::too_many_arguments)] // the parts of a step
fn settle(
    p: &Parameters,
    c: &StepCoefficients,
    problem: &Problem,
    environment: &Environment,
    measure: &mut Measure,
    report: &Report,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<bool, Failure> {
    let is_last = report.iterations >= most_iterations(problem, memory);
    follow(p, problem, false, from, to, memory);
    let workspace = &mut memory.workspace;
    measure.settle(problem.system, environment, c.tangent(), (report.iterations, is_last), workspace)?;
    if measure.converged {
        correct(c, problem.system, to, memory);
    }
    Ok(measure.converged)
}

/// Where the step is `stretch` times as long as the last: brings, in its first iteration, what the start's velocities have
/// normal to the constraints, h^2 C_q vddot of the last step, to the length of this one, in `start` and at the end of the
/// step. The matrix factorised last serves as metric. Increments stay as they are, so that velocities, accelerations and
/// multipliers at the end of the step answer. True where that was done: the iteration that follows sees it in the forces.
#[allow(clippy::too_many_arguments)] // the parts of a step
fn stretch_velocities(
    p: &Parameters,
    c: &StepCoefficients,
    problem: &Problem,
    started: Started,
    report: &Report,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> bool {
    let (system, stretch) = (problem.system, started.stretch());
    let Some(last) = from.history.alpha() else { return false };
    if stretch == 1.0 || report.iterations > 1 || system.multipliers() == 0 {
        return false;
    }
    let Memory { workspace, start, lambda, turns, .. } = memory;
    let dofs = system.dofs();
    for (right, [violation, ..]) in workspace.solution[dofs..].iter_mut().zip(&last.violations) {
        *right = (stretch * stretch - 1.0) * violation[0];
    }
    workspace.solve_constraints();
    workspace.turn_solution();
    for (i, change) in workspace.solution[..dofs].iter().enumerate() {
        start.v[i] += change;
        to.state.v[i] += change * (1.0 - c.gamma_prime * c.h);
        to.state.vdot[i] -= change * (c.beta_prime * c.h);
    }
    for (lambda, y) in to.state.lambda.iter_mut().zip(&workspace.solution[dofs..]) {
        // M comes with the factor beta h^2/m beta'.
        *lambda -= y * (system.scales().mass / (p.beta * c.h));
    }
    turns.begin(p, system, problem.step, &from.state, start.given(started, from, lambda));
    true
}

/// a(n+1), and what the next step is told of this one.
fn conclude(p: &Parameters, started: Started, problem: &Problem, from: &Point, to: &mut Point, memory: &mut Memory) {
    let Point { state, history, .. } = to;
    if let Some(alpha) = history.alpha_mut() {
        let start = memory.start.given(started, from, &memory.lambda);
        update([&mut alpha.a, &mut alpha.vdot], [&state.vdot, start.vdot, start.a], |_, [vdot, start, start_a]| {
            [p.algorithmic_of(vdot, start, start_a), start]
        });
        alpha.lambda.copy_from_slice(start.lambda);
        memory.turns.conclude(p, (problem.system, problem.step), state, alpha);
    }
    history.step = problem.step;
    history.restart = Restart::No;
    history.age = if started.is_anew() { 1 } else { (from.history.age + 1).min(SMOOTH) };
}
