//! What the schemes of first-order form share: the evaluation of rates of (u, v) at a stage, the
//! end of a step.
//!
//! `y = (u, v)` with `y' = f(t, y)`, u the increments of positions since the start of the step
//! (`numbers`): xdot = v, psidot = T^-T(psi) omega, vdot from the index-1 equations `[M B^T; B 0]
//! (vdot, lambda) = (f - g, -gamma)`. After each step positions and velocities are projected onto
//! the constraints in the mass metric, which keeps the order (Hairer, Lubich, Wanner, Geometric
//! Numerical Integration, 2006, sect. IV.4), and accelerations are evaluated there: those that the
//! host reads, and the first stage of the next step.

use super::numbers::Numbers;
use crate::model::Loads;
use crate::scheme::{Memory, Point, Problem, Report, Restart};
use crate::spatial::{Vec3, rotation};
use crate::system::{Environment, Failure, Growing, Layout, State, System, Turned, Workspace, are_finite};
use std::f64::consts::PI;

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
        if self.y.v.len() != layout.dofs() {
            *self = Stages { y: Numbers::zeros(layout), start: Numbers::zeros(layout), ..Stages::default() };
            self.changes = [0, 1, 2].map(|_| vec![0.0; layout.dofs()]);
        }
        if self.rates.len() < stages {
            self.rates.resize(stages, Numbers::zeros(layout));
        }
    }
}

/// What acts at a fraction of the step, into `loads`; beyond its end as extrapolated from there.
pub fn loads_at(problem: &Problem, fraction: f64, loads: &mut Loads) {
    let held = !problem.settings.linear_inputs();
    loads.at(problem.loads_start, problem.loads_end, fraction.min(1.0), problem.step, held);
    if held {
        loads.copy_forces_from(problem.loads_end);
    }
    if fraction > 1.0 {
        loads.extrapolate(problem.loads_start, problem.loads_end, fraction, problem.step, held);
    }
}

/// Accelerations at `memory.state`, to which `stages.y` leads, into it. Imposed motions are entered
/// here.
pub fn accelerations(problem: &Problem, from: &Point, fraction: f64, memory: &mut Memory) -> Result<(), Failure> {
    let later = fraction * problem.step;
    let time = from.state.time_after(later);
    let turned = Turned::Increments(&memory.stages.y.u);
    let expect = |State { q, coordinates, .. }: &mut State| {
        problem.system.coordinates().expect_acting_angles(&from.state, turned, q, coordinates);
    };
    if !(problem.settings.linear_inputs() || problem.system.loading().imposes_motions()) {
        // The loads of the end act during the whole step.
        let environment = problem.environment(time, problem.loads_end);
        expect(&mut memory.state);
        return problem.system.kinetics().accelerations(&environment, &mut memory.state, &mut memory.workspace);
    }
    let Memory { workspace, state, loads, .. } = memory;
    loads_at(problem, fraction, loads);
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
    memory.stages.y.begin(&from.state);
    if !known {
        accelerations(problem, from, 0.0, memory)?;
        report.evaluate(problem.system.layout().bodies());
    }
    let Memory { stages, state, .. } = memory;
    // Imposed velocities may have jumped.
    stages.y.begin(state);
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
    stages.y.enter(problem.system, &from.state, state);
    accelerations(problem, from, fraction, memory)?;
    report.evaluate(problem.system.layout().bodies());
    let Memory { stages, state, .. } = memory;
    let Stages { y, rates, .. } = stages;
    for node in problem.system.nodes().imposed() {
        let range = state.layout.velocities(node);
        y.u[range.clone()].fill(0.0);
        y.v[range.clone()].copy_from_slice(&state.v[range]);
    }
    rates[into].set_rates(state.layout, y, &state.vdot);
    Ok(())
}

/// True if a free body turns in the step by more than half a turn beyond what its rate at the start
/// makes of it.
pub fn turns_astray(problem: &Problem, from: &Point, y: &Numbers) -> bool {
    let layout = from.state.layout;
    let mut bodies = layout.split(&y.u).0.iter().zip(layout.split(&from.state.v).0).enumerate();
    bodies.any(|(body, (u, v))| {
        let beyond = Vec3::from_fn(|k, _| u[k + 3] - v[k + 3] * problem.step);
        problem.system.nodes().is_free(body) && beyond.norm() > PI
    })
}

/// Ends a step at `stages.y`, as [`finish`] does. Errors: a body turned by more than half a
/// turn, and not about a fixed axis.
pub fn finish_at(
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
    is_near: bool,
) -> Result<(), Failure> {
    let (y, layout) = (&memory.stages.y, from.state.layout);
    for (body, (u, v)) in layout.split(&y.u).0.iter().zip(layout.split(&y.v).0).enumerate() {
        let [psi, omega] = [u, v].map(|numbers| Vec3::new(numbers[3], numbers[4], numbers[5]));
        let turn = psi.norm();
        if turn > PI && problem.system.nodes().is_free(body) && !rotation::has_fixed_axis(&psi, &omega) {
            return Err(Failure::HalfTurn { body, turn });
        }
    }
    y.enter(problem.system, &from.state, &mut to.state);
    finish(problem, from, to, memory, report, (true, is_near))
}

/// Ends a step whose free nodes stand in `to.state`: projection, accelerations and multipliers,
/// joints, reactions, history. Non-finite numbers, also those that a projection cannot bring back,
/// are instability.
///
/// `moved`: bodies turned by the increments in `stages.y` since the coordinates of `from`; else
/// these belong to the end. `is_near`: accelerations were evaluated near the end of the step, and
/// their factors are there.
pub fn finish(
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
    (moved, is_near): (bool, bool),
) -> Result<(), Failure> {
    let Memory { workspace, stages, .. } = &mut *memory;
    let system = problem.system;
    to.state.set_time_after(&from.state, problem.step);
    to.state.coordinates.clone_from(&from.state.coordinates);
    to.state.z.clone_from(&from.state.z);
    let environment = problem.environment(to.state.time, problem.loads_end);
    to.state.impose(problem.loads_end);
    if moved {
        let State { q, coordinates, .. } = &mut to.state;
        system.coordinates().expect_angles(&from.state, Turned::Increments(&stages.y.u), q, coordinates);
    }
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
    let iterations = system.kinetics().project_positions(environment, false, state, workspace).map_err(diverged)?;
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
