//! Consistent start of the generalized-alpha scheme, at the initial time and after every discontinuity.
//!
//! With a0 = vdot0 the multipliers of an index-3 formulation are only first order through a transient. Perturbed start
//! values cure it (Arnold, Bruls, Cardona 2015, Numerische Mathematik 129, sect. 4):
//!
//!     a0 = vdot0 + (alpha_m - alpha_f) h vddot0,
//!     v0 += h^2 (C_q vddot0 - 1/12 omega0 x omegadot0),   C_q = 1/6 - (alpha_m - alpha_f)/2 - beta,
//!
//! the second term in rotations only, for increments resolved in the inertial frame. Only the part of the change of v0
//! that is normal to the constraints makes the transient; only that part is applied, so that the motion along the
//! constraints, and all of a free body's, keeps the velocity that the host gave.

use super::generalized_alpha::Parameters;
use super::{Memory, Point, Problem, Restart};
use crate::spatial::{Vec6, lower};
use crate::system::{Failure, System};

/// What the scheme takes for one body at the start of a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Start {
    /// v.
    pub v: Vec6,
    /// vdot.
    pub vdot: Vec6,
    /// a.
    pub a: Vec6,
}

/// Length of the one-sided differences for vddot0, as part of the step: short against the motion, long against rounding
/// (1e-16 vdot/(h/8), which then enters with a factor h).
const DIFFERENCE: f64 = 0.125;

/// Fills `memory.start` for the coming step, and `memory.lambda` with multipliers to start the iteration from.
/// Returns the number of factorisations.
pub fn prepare(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<u32, Failure> {
    let history = &from.history;
    let h = problem.step;
    // Hosts compute steps as differences of times, with rounding that grows over long runs.
    let same_step = (history.step - h).abs() <= 1e-6 * h;
    if history.restart == Restart::No && same_step {
        memory.lambda.clone_from(&from.state.lambda);
        for ((start, body), a) in memory.start.iter_mut().zip(&from.state.bodies).zip(&history.a) {
            *start = Start { v: body.v, vdot: body.vdot, a: *a };
        }
        return Ok(0);
    }
    if history.step == 0.0 && problem.settings.given_initial_accelerations() {
        memory.lambda.clone_from(&from.state.lambda);
        for (start, body) in memory.start.iter_mut().zip(&from.state.bodies) {
            *start = Start { v: body.v, vdot: body.vdot, a: body.vdot };
        }
        return Ok(0);
    }
    restart(problem, p, from, memory)
}

fn restart(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<u32, Failure> {
    let Memory { workspace, loads, bodies, lambda, start, .. } = memory;
    let system = problem.system;
    let (t0, h) = (from.state.time, problem.step);
    let mut factorizations = 3;

    // State at the start, free of the perturbation that an earlier start left in the velocities.
    let environment = problem.environment(t0, problem.loads_start);
    bodies.clone_from(&from.state.bodies);
    if from.history.step != 0.0 {
        system.project_velocities(&environment, bodies, workspace)?;
        factorizations += 1;
    }
    system.accelerations(&environment, bodies, lambda, workspace)?;
    for (start, body) in start.iter_mut().zip(bodies.iter()) {
        *start = Start { v: body.v, vdot: body.vdot, a: Vec6::zeros() };
    }

    // vddot0 = (-3 vdot(0) + 4 vdot(s) - vdot(2 s))/(2 s): the error of the extrapolated velocity, of order s^2,
    // cancels. The multipliers of the start are kept as the iteration's first guess.
    let s = DIFFERENCE * h;
    for (steps, weight) in [(1.0, 4.0), (2.0, -1.0)] {
        loads.interpolate(problem.loads_start, problem.loads_end, steps * DIFFERENCE);
        for ((body, origin), start) in bodies.iter_mut().zip(&from.state.bodies).zip(start.iter()) {
            let at_start = crate::system::BodyState { v: start.v, vdot: start.vdot, ..*origin };
            *body = System::extrapolate(&at_start, steps * s);
        }
        let environment = problem.environment(t0 + steps * s, loads);
        let mut other = std::mem::take(&mut workspace.spare_multipliers);
        let solved = system.accelerations(&environment, bodies, &mut other, workspace);
        workspace.spare_multipliers = other;
        solved?;
        for (start, body) in start.iter_mut().zip(bodies.iter()) {
            start.a += body.vdot * weight;
        }
    }
    let c_q = 1.0 / 6.0 - 0.5 * (p.alpha_m - p.alpha_f) - p.beta;
    for ((start, body), origin) in start.iter_mut().zip(bodies.iter_mut()).zip(&from.state.bodies) {
        let vddot = (start.a - start.vdot * 3.0) / (2.0 * s);
        start.a = start.vdot + vddot * ((p.alpha_m - p.alpha_f) * h);
        let mut change = vddot * c_q;
        let turning = lower(&start.v).cross(&lower(&start.vdot)) / 12.0;
        for k in 0..3 {
            change[3 + k] -= turning[k];
        }
        *body = crate::system::BodyState { v: change * (h * h), vdot: start.vdot, ..*origin };
    }
    if system.multipliers() > 0 {
        let environment = problem.environment(t0, problem.loads_start);
        system.normal_velocities(&environment, bodies, workspace)?;
        factorizations += 1;
        for (start, body) in start.iter_mut().zip(bodies.iter()) {
            start.v += body.v;
        }
    }
    Ok(factorizations)
}
