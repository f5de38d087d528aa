//! Lie-group generalized-alpha for index-3 equations of motion; newmark and hht with other parameters.
//!
//! Source: Bruls, Cardona, Arnold (2012), Mechanism and Machine Theory 48, algorithm 1, with increments resolved in
//! the inertial frame; newmark: alpha_m = alpha_f = 0; hht (Hilber, Hughes, Taylor 1977, Earthquake Eng. Struct. Dyn.
//! 5): alpha_m = 0, alpha_f = -alpha, gamma = 1/2 - alpha, beta = (1 - alpha)^2/4; scaling of Bottasso, Dopico,
//! Trainelli (2008); the start of `start.rs`, the damping of `constraint_filter.rs`. Second order in positions, velocities and
//! multipliers; spectral radius at infinite frequency rho_inf; unconditionally stable on linear systems without
//! constraints, usable on constrained ones at every rho_inf.

use super::newton::{self, Measure};
use super::start::{Start, Started};
use super::{Memory, Point, Problem, Report, Restart, Scheme, constraint_filter, start};
use crate::model::{NoConvergencePolicy, Settings};
use crate::spatial::{Vec6, lower, rotation, upper};
use crate::system::{Asking, BodyState, Coefficients, Failure, Level, Motion, Workspace};

/// Parameters of the family.
#[derive(Debug, Clone, Copy)]
pub struct Parameters {
    /// alpha_m.
    pub alpha_m: f64,
    /// alpha_f.
    pub alpha_f: f64,
    /// gamma.
    pub gamma: f64,
    /// beta.
    pub beta: f64,
}

impl Parameters {
    /// Of a scheme of the family under its options.
    pub fn of(scheme: Scheme, settings: &Settings) -> Parameters {
        match scheme {
            Scheme::Newmark => {
                let [gamma, beta] = settings.newmark();
                Parameters { alpha_m: 0.0, alpha_f: 0.0, gamma, beta }
            }
            Scheme::Hht => {
                let alpha = settings.hht_alpha();
                let beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
                Parameters { alpha_m: 0.0, alpha_f: -alpha, gamma: 0.5 - alpha, beta }
            }
            _ => Parameters::optimal(settings.rho_inf()),
        }
    }

    /// From the spectral radius at infinite frequency (Chung, Hulbert 1993).
    fn optimal(rho_inf: f64) -> Parameters {
        let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
        let alpha_f = rho_inf / (rho_inf + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Parameters { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5) }
    }

    /// a(n+1) of `(1 - alpha_m) a(n+1) + alpha_m a(n) = (1 - alpha_f) vdot(n+1) + alpha_f vdot(n)`.
    #[inline(always)]
    pub fn algorithmic(&self, vdot: &Vec6, last_vdot: &Vec6, last_a: &Vec6) -> Vec6 {
        (vdot * (1.0 - self.alpha_f) + last_vdot * self.alpha_f - last_a * self.alpha_m) / (1.0 - self.alpha_m)
    }

    /// gamma' and beta': how velocities and accelerations follow the increments of a step of length h.
    pub fn rates(&self, h: f64) -> [f64; 2] {
        [self.gamma / (h * self.beta), (1.0 - self.alpha_m) / (h * h * self.beta * (1.0 - self.alpha_f))]
    }
}

/// One step. Lines follow algorithm 1; n is the start, n+1 the end of the step.
pub fn step(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let (system, settings, h) = (problem.system, problem.settings, problem.step);
    let [gamma_prime, beta_prime] = p.rates(h);
    // D_L and D_R, with the mass of the model in them: all blocks of the scaled matrix are of order one.
    let scale = p.beta * h * h / system.scales().mass;
    let coefficients = Coefficients { mass: scale * beta_prime, damping: scale * gamma_prime, stiffness: scale };

    let started = start::prepare(problem, p, from, memory)?;
    let (stretch, factorizations) = match started {
        Started::On(stretch) => (stretch, 0),
        Started::Anew(factorizations) => (1.0, factorizations),
    };
    let mut report = Report { factorizations, ..Report::default() };
    to.state.set_time_after(&from.state, h);
    to.state.lambda.clone_from(&memory.lambda);

    // Predictor: vdot(n+1) = vdot(n) instead of 0, closer to the solution at no cost.
    for (body, (((next, last), start), increment)) in
        to.state.bodies.iter_mut().zip(&from.state.bodies).zip(&memory.start).zip(&mut memory.increments).enumerate()
    {
        if let Some(imposed) = &problem.loads_end.motions[body] {
            (*next, *increment) = (*imposed, Vec6::zeros());
            memory.workspace.motions[body] = Motion::of(imposed);
            continue;
        }
        let a = p.algorithmic(&start.vdot, &start.vdot, &start.a);
        next.x = last.x;
        next.q = last.q;
        next.vdot = start.vdot;
        next.v = start.v + (start.a * (1.0 - p.gamma) + a * p.gamma) * h;
        *increment = start.v * h + (start.a * (0.5 - p.beta) + a * p.beta) * (h * h);
    }

    let environment = problem.environment(from, to.state.time, problem.loads_end);
    let mut measure = Measure::new(problem, p, from);
    let asks = problem.callbacks.any();
    let most = |memory: &Memory| settings.max_iterations().saturating_add(memory.workspace.lessons());
    loop {
        report.iterations += 1;
        place(problem, from, to, memory);
        let workspace = &mut memory.workspace;
        let asking = Asking::Iterating { first: report.iterations == 1 };
        system.assemble_as(asking, &environment, Level::Position, coefficients, &to.state.lambda, workspace)?;
        newton::solve(system, scale, report.iterations, workspace)?;
        report.factorizations += 1;
        correct(problem, [gamma_prime, beta_prime], to, memory);

        let Memory { workspace, increments, start, .. } = &mut *memory;
        measure.update(system, workspace, increments, &to.state.lambda, report.iterations)?;
        report.energies = Some(newton::energies(system, workspace));
        let stretched = stretch != 1.0 && report.iterations == 1 && system.multipliers() > 0;
        if stretched {
            stretch_velocities(p, problem, stretch, from, to, (start, workspace));
        }
        if measure.converged && !stretched && asks {
            place(problem, from, to, memory);
            let is_last = report.iterations >= most(memory);
            let at = (report.iterations, is_last);
            measure.settle(system, &environment, coefficients, at, &mut memory.workspace)?;
            if measure.converged {
                correct(problem, [gamma_prime, beta_prime], to, memory);
            }
        }
        report.error = measure.error;
        // The iteration that follows sees what that changed in the forces.
        if measure.converged && !stretched {
            report.converged = true;
            break;
        }
        if report.iterations >= most(memory) {
            if settings.on_no_convergence() == NoConvergencePolicy::Accept {
                break;
            }
            let unknown = measure.largest_residual(system, &memory.workspace);
            let Report { iterations, error, energies, .. } = report;
            return Err(Failure::NoConvergence { iterations, error, unknown, energies });
        }
    }
    report.evaluations = u64::from(report.factorizations);
    report.body_evaluations = report.evaluations * system.bodies() as u64;
    report.residual = newton::residual_norm(system, &memory.workspace);

    for (body, (((next, last), increment), (start, a))) in to
        .state
        .bodies
        .iter_mut()
        .zip(&from.state.bodies)
        .zip(&memory.increments)
        .zip(memory.start.iter().zip(&mut to.history.a))
        .enumerate()
    {
        if system.is_free(body) {
            finish(next, last, increment);
        }
        *a = p.algorithmic(&next.vdot, &start.vdot, &start.a);
    }
    to.history.step = h;
    to.history.restart = Restart::No;
    to.history.age = if matches!(started, Started::Anew(_)) { 1 } else { (from.history.age + 1).min(3) };
    to.state.coordinates.clone_from(&from.state.coordinates);
    if system.multipliers() > 0 {
        constraint_filter::apply(problem, &from.history, stretch, to, memory, scale * beta_prime);
    }
    system.follow_joints(&mut to.state, problem.loads_end);
    // Of the accelerations and multipliers as they are now, so that they balance those of the joints.
    system.reactions(&environment, &mut to.state, &mut memory.workspace)?;
    Ok(report)
}

/// q(n+1) = exp(h dq) o q(n): the iterate as motions of the workspace.
fn place(problem: &Problem, from: &Point, to: &mut Point, memory: &mut Memory) {
    for (body, (((motion, next), last), increment)) in memory
        .workspace
        .motions
        .iter_mut()
        .zip(&mut to.state.bodies)
        .zip(&from.state.bodies)
        .zip(&memory.increments)
        .enumerate()
    {
        if !problem.system.is_free(body) {
            continue;
        }
        let (rotation, tangent) = rotation::exp_with_tangent(&lower(increment));
        next.x = last.x + upper(increment);
        next.q = rotation::compose(&rotation, &last.q);
        *motion = Motion { tangent, ..Motion::of(next) };
    }
}

/// dx, dlambda: the solution in the workspace enters the iterate.
fn correct(problem: &Problem, [gamma_prime, beta_prime]: [f64; 2], to: &mut Point, memory: &mut Memory) {
    let solution = &memory.workspace.solution;
    for ((next, increment), dx) in
        to.state.bodies.iter_mut().zip(&mut memory.increments).zip(solution.as_chunks::<6>().0)
    {
        let dx = Vec6::from(*dx);
        *increment += dx;
        next.v += dx * gamma_prime;
        next.vdot += dx * beta_prime;
    }
    for (lambda, d) in to.state.lambda.iter_mut().zip(&solution[problem.system.dofs()..]) {
        *lambda += d;
    }
}

/// Brings what the start's velocities have normal to the constraints, h^2 C_q vddot of the last step, to the length of this
/// one, `stretch` times that, in `start` and at the end of the step. The matrix factorised last serves as metric.
/// Increments stay as they are, so that velocities, accelerations and multipliers at the end of the step answer.
fn stretch_velocities(
    p: &Parameters,
    problem: &Problem,
    stretch: f64,
    from: &Point,
    to: &mut Point,
    (start, workspace): (&mut [Start], &mut Workspace),
) {
    let h = problem.step;
    let [gamma_prime, beta_prime] = p.rates(h);
    let dofs = problem.system.dofs();
    for (c, [violation, ..]) in workspace.solution[dofs..].iter_mut().zip(&from.history.violations) {
        *c = (stretch * stretch - 1.0) * violation[0];
    }
    workspace.solve_constraints();
    for (body, (next, start)) in to.state.bodies.iter_mut().zip(start).enumerate() {
        let change = workspace.change(body);
        start.v += change;
        next.v += change * (1.0 - gamma_prime * h);
        next.vdot -= change * (beta_prime * h);
    }
    for (lambda, y) in to.state.lambda.iter_mut().zip(&workspace.solution[dofs..]) {
        // M comes with the factor beta h^2/m beta'.
        *lambda -= y * (problem.system.scales().mass / (p.beta * h));
    }
}

/// Position and orientation after the last increment.
#[inline(always)]
fn finish(next: &mut BodyState, last: &BodyState, increment: &Vec6) {
    next.x = last.x + upper(increment);
    next.q = rotation::compose(&rotation::exp(&lower(increment)), &last.q);
}
