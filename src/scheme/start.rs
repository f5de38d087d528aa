//! Consistent start of the generalized-alpha scheme, at the initial time and after every discontinuity.
//!
//! With a0 = vdot0 the multipliers of an index-3 formulation are only first order through a transient. Perturbed start
//! values cure it (Arnold, Bruls, Cardona 2015, Numerische Mathematik 129, sect. 4):
//!
//! ```text
//! a0 = vdot0 + (alpha_m - alpha_f) h vddot0,
//! v0 += h^2 (C_q vddot0 - 1/12 omega0 x omegadot0),   C_q = 1/6 - (alpha_m - alpha_f)/2 - beta,
//! ```
//!
//! the last term in rotations only, for increments resolved in the inertial frame. Only the parts normal to the
//! constraints make the transient, and only they are applied: the motion along the constraints, and all of a free
//! body's, keeps the velocity that the host gave, and stiff modes are not thrown by a vddot0 that the step does not
//! resolve. The normal part of vddot0 follows from geometry alone: with C(s) = B vdot0 + gamma along the motion at
//! constant acceleration vdot0 (prescribed bodies: along their own), `B vddot0 = -dC/ds`.
//!
//! A step of another length than the last does not start anew: a - vdot, which is (alpha_m - alpha_f) h vddot up to O(h^2),
//! follows the length of the step here; the part of v normal to the constraints, which is h^2 C_q vddot, in
//! `generalized_alpha`, whose first iteration matrix is the metric.

use super::generalized_alpha::Parameters;
use super::{Memory, Point, Problem, Restart};
use crate::spatial::{Vec6, join, lower, upper};
use crate::system::{BodyState, Failure, Motion};

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

/// Length of the one-sided differences for dC/ds, as part of the step: short against the motion, long against rounding
/// (1e-16 vdot/(h/8), which then enters with a factor h).
const DIFFERENCE: f64 = 0.125;

/// Most that a body may turn in one step (rad) with the spin that a jump of an imposed motion gives it.
const MOST_KICK: f64 = std::f64::consts::FRAC_PI_2;

/// Most that any body turns (rad), or moves (in lengths of the model), within one such difference.
const MOST_TRAVEL: f64 = 0.05;

/// How a step starts.
#[derive(Debug, Clone, Copy)]
pub enum Started {
    /// It goes on from the last one, so many times as long as that.
    On(f64),
    /// Anew, at the cost of so many factorisations.
    Anew(u32),
}

/// Fills `memory.start` for the coming step, and `memory.lambda` with multipliers to start the iteration from.
pub fn prepare(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<Started, Failure> {
    let history = &from.history;
    if let Some(stretch) = history.stretch(problem.step) {
        memory.lambda.clone_from(&from.state.lambda);
        for ((start, body), a) in memory.start.iter_mut().zip(&from.state.bodies).zip(&history.a) {
            let a = if stretch == 1.0 { *a } else { body.vdot + (a - body.vdot) * stretch };
            *start = Start { v: body.v, vdot: body.vdot, a };
        }
        return Ok(Started::On(stretch));
    }
    let jumps = matches!(history.restart, Restart::Jump | Restart::Unfit);
    if history.step == 0.0 && problem.settings.given_initial_accelerations() && !jumps {
        memory.lambda.clone_from(&from.state.lambda);
        for (start, body) in memory.start.iter_mut().zip(&from.state.bodies) {
            *start = Start { v: body.v, vdot: body.vdot, a: body.vdot };
        }
        return Ok(Started::Anew(0));
    }
    restart(problem, p, from, memory).map(Started::Anew)
}

fn restart(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<u32, Failure> {
    let Memory { workspace, bodies, lambda, start, loads, .. } = memory;
    let (system, h) = (problem.system, problem.step);
    let mut factorizations = 1;

    // State at the start, free of the perturbation that an earlier start left in the velocities.
    let environment = problem.environment(from, from.state.time, problem.loads_start);
    bodies.clone_from(&from.state.bodies);
    for (body, imposed) in bodies.iter_mut().zip(&problem.loads_start.motions) {
        *body = imposed.unwrap_or(*body);
    }
    let jumps = matches!(from.history.restart, Restart::Jump | Restart::Unfit);
    if from.history.step != 0.0 || jumps {
        // Where an imposed motion jumps, this is the impulse that it gives to the bodies through their joints.
        system.project_velocities(&environment, bodies, workspace)?;
        factorizations += 1;
    }
    if from.history.restart == Restart::Jump {
        refuse_kick(&from.state.bodies, bodies, h)?;
    }
    system.accelerations(&environment, bodies, lambda, workspace)?;
    for (start, body) in start.iter_mut().zip(bodies.iter()) {
        *start = Start { v: body.v, vdot: body.vdot, a: body.vdot };
    }
    if system.multipliers() == 0 || from.history.restart == Restart::Unfit {
        return Ok(factorizations);
    }

    // dC/ds = (4 C(s) - C(2 s))/(2 s), as C(0) = 0; B (0, omega0 x omegadot0).
    let s = difference(bodies, system.scales().length, h);
    let still = Vec6::zeros();
    let (slope, turning) = (&mut memory.slope, &mut memory.turning);
    slope.fill(0.0);
    for (steps, weight) in [(1.0, 4.0), (2.0, -1.0)] {
        loads.at(problem.loads_start, problem.loads_end, steps * s / h, h, true);
        for (motion, body) in workspace.motions.iter_mut().zip(bodies.iter()) {
            *motion = Motion::of(&body.extrapolate(steps * s));
        }
        for (k, motion) in workspace.motions.iter_mut().enumerate() {
            if let Some(Some(imposed)) = loads.motions.get(k) {
                *motion = Motion::of(imposed);
            }
        }
        system.for_each_rate(&workspace.motions, loads, |k, ends, row, _, gamma| {
            let vdot = ends.map(|end| match (loads.motions.get(end), start.get(end)) {
                (Some(Some(imposed)), _) => &imposed.vdot,
                (_, Some(start)) => &start.vdot,
                _ => &still,
            });
            slope[k] += weight / (2.0 * s) * (row.times(vdot) + gamma);
        });
    }
    system.move_to(bodies, workspace);
    turning.fill(0.0);
    system.for_each_rate(&workspace.motions, problem.loads_start, |k, ends, row, _, _| {
        let cross = ends
            .map(|end| bodies.get(end).map_or(still, |b| join(&upper(&still), &lower(&b.v).cross(&lower(&b.vdot)))));
        turning[k] += row.times([&cross[0], &cross[1]]);
    });

    // The matrix [M B^T; B 0] at the start is still factorised.
    let dofs = system.dofs();
    let c_q = 1.0 / 6.0 - 0.5 * (p.alpha_m - p.alpha_f) - p.beta;
    for (c, slope) in workspace.solution[dofs..].iter_mut().zip(slope.iter()) {
        *c = -(p.alpha_m - p.alpha_f) * h * slope;
    }
    workspace.solve_constraints();
    start.iter_mut().enumerate().for_each(|(body, start)| start.a += workspace.change(body));
    for ((c, slope), turning) in workspace.solution[dofs..].iter_mut().zip(slope.iter()).zip(turning.iter()) {
        *c = -h * h * (c_q * slope + turning / 12.0);
    }
    workspace.solve_constraints();
    start.iter_mut().enumerate().for_each(|(body, start)| start.v += workspace.change(body));
    Ok(factorizations)
}

/// Errors: a jump of imposed motions gives a body a spin that turns it further in one step than a step can follow.
pub fn refuse_kick(before: &[BodyState], after: &[BodyState], h: f64) -> Result<(), Failure> {
    for (body, (before, after)) in before.iter().zip(after).enumerate() {
        let turn = h * (lower(&after.v) - lower(&before.v)).norm();
        if turn > MOST_KICK {
            return Err(Failure::Kick { body, turn });
        }
    }
    Ok(())
}

/// Length s of the differences: a part of the step, less where bodies would travel far in it.
fn difference(bodies: &[BodyState], length: f64, h: f64) -> f64 {
    bodies.iter().fold(DIFFERENCE * h, |s, body| {
        let fastest = (upper(&body.v).norm() / length).max(lower(&body.v).norm());
        let hardest = (upper(&body.vdot).norm() / length).max(lower(&body.vdot).norm());
        s.min(MOST_TRAVEL / fastest).min((2.0 * MOST_TRAVEL / hardest).sqrt())
    })
}
