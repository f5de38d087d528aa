//! Common parts of the schemes of first-order form: rates of (q, v) at a stage, and the end of a
//! step.
//!
//! `y = (q, v)` with `y' = f(t, y)`: xdot = v, qdot = 1/2 (0, omega) q, vdot from the index-1
//! equations `[M B^T; B 0] (vdot, lambda) = (f - g, -gamma)`. Quaternions are integrated as four
//! numbers, so that the schemes keep their classical orders; forces are evaluated at the normalised
//! quaternion. After each step positions and velocities are projected onto the constraints in the
//! mass metric, which keeps the order (Hairer, Lubich, Wanner, Geometric Numerical Integration,
//! 2006, sect. IV.4), and accelerations are evaluated there: for the host, and for the first stage
//! of the next step.

use super::numbers::Numbers;
use crate::scheme::{Memory, Point, Problem, Report, Restart};
use crate::system::{Environment, Failure, Growing, Layout, State, System, Turned, Workspace, are_finite};

/// Memory of the stages, allocated by the first step of a scheme.
#[derive(Clone, Default)]
pub struct Stages {
    /// y at the stage.
    pub y: Numbers,
    /// Rates of the stages.
    pub rates: Vec<Numbers>,
    /// Rates at the start of the step.
    pub start: Numbers,
    /// The change by a substep: velocities, accelerations; increments of the whole step.
    pub changes: [Vec<f64>; 3],
}

impl Stages {
    /// Allocates memory for a number of stages.
    pub fn resize(&mut self, stages: usize, layout: Layout) {
        if self.y.v.len() != layout.dofs() || self.y.q.len() != layout.places() {
            *self = Stages { y: Numbers::zeros(layout), start: Numbers::zeros(layout), ..Stages::default() };
            self.changes = [0, 1, 2].map(|_| vec![0.0; layout.dofs()]);
        }
        if self.rates.len() < stages {
            self.rates.resize(stages, Numbers::zeros(layout));
        }
    }
}

/// Loads at a fraction of the step, written to `memory.loads`; beyond its end they are
/// extrapolated.
pub fn loads_at(problem: &Problem, fraction: f64, memory: &mut Memory) {
    let held = !problem.settings.linear_inputs();
    let loads = &mut memory.loads;
    loads.at(problem.loads_start, problem.loads_end, fraction.min(1.0), problem.step, held);
    if held {
        loads.copy_forces_from(problem.loads_end);
    }
    if fraction > 1.0 {
        loads.extrapolate(problem.loads_start, problem.loads_end, fraction, problem.step, held);
    }
}

/// Accelerations at `memory.state`, whose imposed motions are set here, written to it.
pub fn accelerations(problem: &Problem, from: &Point, fraction: f64, memory: &mut Memory) -> Result<(), Failure> {
    let later = fraction * problem.step;
    let time = from.state.time_after(later);
    let expect = |state: &mut State| {
        let State { q, v, coordinates, .. } = state;
        problem.system.coordinates().expect_acting_angles(&from.state, Turned::Rates(later, v), q, coordinates);
    };
    if !(problem.settings.linear_inputs() || problem.system.loading().imposes_motions()) {
        // The loads of the end act during the whole step.
        let environment = problem.environment(time, problem.loads_end);
        expect(&mut memory.state);
        return problem.system.kinetics().accelerations(&environment, &mut memory.state, &mut memory.workspace);
    }
    loads_at(problem, fraction, memory);
    let Memory { workspace, state, loads, .. } = memory;
    state.impose(loads);
    expect(state);
    problem.system.coordinates().count_from_drives(loads, &mut state.coordinates);
    problem.system.kinetics().accelerations(&problem.environment(time, loads), state, workspace)
}

/// Rates at the start of the step, written to `stages.start`. Those of the last step's end, unless
/// something changed.
pub fn start(problem: &Problem, from: &Point, memory: &mut Memory, report: &mut Report) -> Result<(), Failure> {
    let held = !problem.settings.linear_inputs();
    // The data of a load callback may have changed since: those of a controller, for instance.
    let asks = problem.callbacks.any();
    let known =
        from.history.restart == Restart::No && !asks && (!held || problem.loads_start.same_forces(problem.loads_end));
    memory.state.copy_motion_from(&from.state);
    if !known {
        accelerations(problem, from, 0.0, memory)?;
        report.evaluate(problem.system.layout().bodies());
    }
    let Memory { stages, state, .. } = memory;
    stages.y.take(state);
    stages.start.set_rates(state.layout, &stages.y, &state.vdot);
    Ok(())
}

/// Rates at `stages.y` and a fraction of the step, written to list `into` of `stages.rates`.
pub fn evaluate(
    problem: &Problem,
    from: &Point,
    fraction: f64,
    memory: &mut Memory,
    report: &mut Report,
    into: usize,
) -> Result<(), Failure> {
    let Memory { stages, state, .. } = &mut *memory;
    stages.y.enter(state);
    accelerations(problem, from, fraction, memory)?;
    report.evaluate(problem.system.layout().bodies());
    let Memory { stages, state, .. } = memory;
    let Stages { y, rates, .. } = stages;
    for node in problem.system.nodes().imposed() {
        y.take_node((state.layout, node), node, state);
    }
    rates[into].set_rates(state.layout, y, &state.vdot);
    Ok(())
}

/// Completes a step whose free nodes are in `to.state`: projection, accelerations and multipliers,
/// joints, reactions, history. Numbers that are not finite, and failed projections, count as
/// instability.
///
/// `uncounted`: time since the coordinates of `from` (0 if these are newer than its positions).
/// `is_near`: accelerations were evaluated near the end of the step, and their factors are there.
pub fn finish(
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
    (uncounted, is_near): (f64, bool),
) -> Result<(), Failure> {
    let (system, workspace) = (problem.system, &mut memory.workspace);
    to.state.set_time_after(&from.state, problem.step);
    to.state.coordinates.clone_from(&from.state.coordinates);
    to.state.z.clone_from(&from.state.z);
    let environment = problem.environment(to.state.time, problem.loads_end);
    to.state.impose(problem.loads_end);
    let State { q, v, coordinates, .. } = &mut to.state;
    system.coordinates().expect_angles(&from.state, Turned::Rates(uncounted, v), q, coordinates);
    if system.multipliers() == 0 || problem.callbacks.any() {
        report.factorizations += project(system, &environment, &mut to.state, workspace)?;
        system.kinetics().accelerations(&environment, &mut to.state, workspace)?;
    } else {
        check_finite(&to.state)?;
        let projected = system.kinetics().project_positions_nearby(&environment, &mut to.state, workspace, is_near);
        report.factorizations += projected.map_err(diverged)?;
        system.kinetics().project_and_accelerate(&environment, &mut to.state, workspace)?;
    }
    report.evaluate(system.layout().bodies());
    report.converged = true;

    to.history.step = problem.step;
    to.history.restart = Restart::No;
    // At the motions of the last accelerations.
    system.coordinates().follow_at(&workspace.motions, &mut to.state, problem.loads_end);
    system.balance().reactions(&environment, &mut to.state, workspace)
}

/// Projects positions and velocities onto the constraints; returns the number of factorisations.
pub fn project(
    system: &System,
    environment: &Environment,
    state: &mut State,
    workspace: &mut Workspace,
) -> Result<u32, Failure> {
    check_finite(state)?;
    if system.multipliers() == 0 {
        return Ok(0);
    }
    let iterations = system.kinetics().project_positions(environment, state, workspace).map_err(diverged)?;
    system.kinetics().project_velocities(environment, state, workspace)?;
    Ok(iterations + 1)
}

/// A projection that does not converge is an instability of the scheme.
fn diverged(failure: Failure) -> Failure {
    match failure {
        Failure::NoConvergence { iterations, unknown, .. } => {
            Failure::Diverged { growing: Growing::Projection, iterations, unknown }
        }
        other => other,
    }
}

/// Errors: positions or velocities that are not finite.
fn check_finite(state: &State) -> Result<(), Failure> {
    if are_finite(&state.q) && are_finite(&state.v) {
        return Ok(());
    }
    let wrong = |node: &usize| {
        !(are_finite(&state.q[state.layout.positions(*node)]) && are_finite(&state.v[state.layout.velocities(*node)]))
    };
    let node = (0..state.layout.nodes()).find(wrong).unwrap_or(0);
    Err(Failure::NotFinite { unknown: state.layout.unknown(node), iterations: 0 })
}
