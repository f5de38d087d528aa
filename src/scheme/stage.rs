//! What the schemes of first-order form share: rates of (x, q, v), their evaluation at a stage, the end of a step.
//!
//! `y = (x, q, v)` per body with `y' = f(t, y)`: xdot = v, qdot = 1/2 (0, omega) q, vdot from the index-1 equations
//! `[M B^T; B 0] (vdot, lambda) = (f - g, -gamma)`. Quaternions are integrated as four numbers and normalised, so that the
//! classical orders hold; forces are evaluated at the normalised one. After each step positions and velocities are
//! projected onto the constraints in the mass metric, which keeps the order (Hairer, Lubich, Wanner, Geometric
//! Numerical Integration, 2006, sect. IV.4), and accelerations are evaluated there: those that the host reads, and the
//! first stage of the next step.

use super::{Memory, Point, Problem, Report, Restart};
use crate::spatial::{BodyState, Quat, Vec3, Vec6, lower, upper};
use crate::system::{Environment, Failure, System, Workspace};
use nalgebra::Quaternion;

/// Rate of one body's (x, q, v).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rate {
    /// xdot.
    pub x: Vec3,
    /// qdot, four numbers.
    pub q: Quaternion<f64>,
    /// vdot.
    pub v: Vec6,
}

impl Rate {
    /// None.
    pub const ZERO: Rate = Rate {
        x: Vec3::new(0.0, 0.0, 0.0),
        q: Quaternion::new(0.0, 0.0, 0.0, 0.0),
        v: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// At numbers y, with the acceleration vdot.
    #[inline(always)]
    pub fn at(y: &Numbers, vdot: &Vec6) -> Rate {
        let omega = lower(&y.v);
        let spin = Quaternion::new(0.0, omega.x, omega.y, omega.z);
        Rate { x: upper(&y.v), q: spin * y.q * 0.5, v: *vdot }
    }

    /// `self += c other`.
    #[inline(always)]
    pub fn add(&mut self, c: f64, other: &Rate) {
        self.x += other.x * c;
        self.q += other.q * c;
        self.v += other.v * c;
    }

    /// `c self`.
    #[inline(always)]
    pub fn times(&self, c: f64) -> Rate {
        Rate { x: self.x * c, q: self.q * c, v: self.v * c }
    }
}

/// One body's y = (x, q, v) as numbers: q need not be normalised.
#[derive(Debug, Clone, Copy)]
pub struct Numbers {
    /// Position.
    pub x: Vec3,
    /// Quaternion.
    pub q: Quaternion<f64>,
    /// Velocity.
    pub v: Vec6,
}

impl Numbers {
    /// Of a state.
    pub fn of(body: &BodyState) -> Numbers {
        Numbers { x: body.x, q: *body.q.quaternion(), v: body.v }
    }

    /// `y + c rate`.
    #[inline(always)]
    pub fn moved(&self, c: f64, rate: &Rate) -> Numbers {
        Numbers { x: self.x + rate.x * c, q: self.q + rate.q * c, v: self.v + rate.v * c }
    }

    /// As a state, its quaternion normalised.
    #[inline(always)]
    pub fn state(&self, vdot: &Vec6) -> BodyState {
        BodyState { x: self.x, q: Quat::new_normalize(self.q), v: self.v, vdot: *vdot }
    }
}

/// Memory of the stages: filled by the first step of a scheme.
#[derive(Clone, Default)]
pub struct Stages {
    /// Numbers of the bodies at the stage.
    pub y: Vec<Numbers>,
    /// Rates: one list of bodies per stage.
    pub rates: Vec<Vec<Rate>>,
    /// Rates at the start of the step.
    pub start: Vec<Rate>,
}

impl Stages {
    /// Room for so many stages.
    pub fn resize(&mut self, stages: usize, from: &Point) {
        let n = from.state.bodies.len();
        if self.y.len() != n {
            self.y = from.state.bodies.iter().map(Numbers::of).collect();
        }
        self.start.resize(n, Rate::ZERO);
        if self.rates.len() < stages {
            self.rates.resize(stages, Vec::new());
        }
        self.rates.iter_mut().for_each(|rates| rates.resize(n, Rate::ZERO));
    }
}

/// What acts at a fraction of the step, into `memory.loads`; beyond its end as extrapolated from there.
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

/// Accelerations at `memory.bodies` (free bodies as they stand there, imposed motions entered here), into them and
/// `memory.lambda`.
pub fn accelerations(problem: &Problem, from: &Point, fraction: f64, memory: &mut Memory) -> Result<(), Failure> {
    loads_at(problem, fraction, memory);
    let Memory { workspace, bodies, lambda, loads, .. } = memory;
    for (body, imposed) in bodies.iter_mut().zip(&loads.motions) {
        if let Some(imposed) = imposed {
            *body = *imposed;
        }
    }
    let time = from.state.time_after(fraction * problem.step);
    problem.system.accelerations(&problem.environment(from, time, loads), bodies, lambda, workspace)
}

/// Rates at the start of the step, into `stages.start`. The end of the last step had them, unless something changed.
pub fn start(problem: &Problem, from: &Point, memory: &mut Memory, report: &mut Report) -> Result<(), Failure> {
    let held = !problem.settings.linear_inputs();
    // What a load callback reads may have changed since: a host's controller, for instance.
    let asks = problem.callbacks.any();
    let known =
        from.history.restart == Restart::No && !asks && (!held || problem.loads_start.same_forces(problem.loads_end));
    memory.bodies.clone_from(&from.state.bodies);
    if !known {
        accelerations(problem, from, 0.0, memory)?;
        report.evaluate(problem.system.bodies());
    }
    for (rate, body) in memory.stages.start.iter_mut().zip(&memory.bodies) {
        *rate = Rate::at(&Numbers::of(body), &body.vdot);
    }
    Ok(())
}

/// Rates at `stages.y` and a fraction of the step, through `into`.
pub fn evaluate(
    problem: &Problem,
    from: &Point,
    fraction: f64,
    memory: &mut Memory,
    report: &mut Report,
    mut into: impl FnMut(usize, Rate),
) -> Result<(), Failure> {
    for (body, y) in memory.bodies.iter_mut().zip(&memory.stages.y) {
        *body = y.state(&body.vdot);
    }
    accelerations(problem, from, fraction, memory)?;
    report.evaluate(problem.system.bodies());
    for (body, (y, state)) in memory.stages.y.iter_mut().zip(&memory.bodies).enumerate() {
        if !problem.system.is_free(body) {
            *y = Numbers::of(state);
        }
        into(body, Rate::at(y, &state.vdot));
    }
    Ok(())
}

/// Ends a step whose free bodies stand in `to.state.bodies`: projection, accelerations and multipliers, joints,
/// reactions, history. Non-finite numbers, also those that a projection cannot bring back, are instability.
pub fn finish(
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let (system, workspace) = (problem.system, &mut memory.workspace);
    to.state.set_time_after(&from.state, problem.step);
    let environment = problem.environment(from, to.state.time, problem.loads_end);
    for (body, imposed) in to.state.bodies.iter_mut().zip(&problem.loads_end.motions) {
        if let Some(imposed) = imposed {
            *body = *imposed;
        }
    }
    report.factorizations += project(system, &environment, &mut to.state.bodies, workspace)?;
    system.accelerations(&environment, &mut to.state.bodies, &mut to.state.lambda, workspace)?;
    report.evaluate(system.bodies());
    report.converged = true;

    to.history.step = problem.step;
    to.history.restart = Restart::No;
    for (a, body) in to.history.a.iter_mut().zip(&to.state.bodies) {
        *a = body.vdot;
    }
    to.state.coordinates.clone_from(&from.state.coordinates);
    system.follow_joints(&mut to.state, problem.loads_end);
    system.reactions(&environment, &mut to.state, workspace)
}

/// Brings positions and velocities onto the constraints; returns the number of factorisations.
pub fn project(
    system: &System,
    environment: &Environment,
    bodies: &mut [BodyState],
    workspace: &mut Workspace,
) -> Result<u32, Failure> {
    let finite = |b: &BodyState| b.x.iter().chain(b.q.coords.iter()).chain(b.v.iter()).all(|x| x.is_finite());
    if let Some(body) = bodies.iter().position(|body| !finite(body)) {
        return Err(Failure::NotFinite { unknown: 6 * body, iterations: 0 });
    }
    if system.multipliers() == 0 {
        return Ok(0);
    }
    let iterations = match system.project_positions(environment, bodies, workspace) {
        Err(Failure::NoConvergence { iterations, unknown, .. }) => Err(Failure::Diverged { iterations, unknown }),
        other => other,
    }?;
    system.project_velocities(environment, bodies, workspace)?;
    Ok(iterations + 1)
}
