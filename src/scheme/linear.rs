//! Linear analysis (option `linear`): M, C, K and B frozen at the initial state, one solve per step.
//!
//! As in Ashes: the equations of motion are those of small deviations d = (u, theta) from the initial state (q0, v0),
//!
//! ```text
//! r(q0, v0, t) + M vdot + C (v - v0) + K d + B^T lambda = 0,     Phi(q0, t) + B d = 0,
//! ```
//!
//! with the loads, drives and imposed motions of the time t acting on the initial configuration, and K the tangent
//! there, stiffness of the loads and of the initial multipliers included. The formulas of generalized-alpha, newmark or
//! hht, of their order and stability, then end in one solution with a matrix that is factorised once per length of step.
//! Source: Ashes user manual, "Time domain simulation".

use super::generalized_alpha::Parameters;
use super::{Memory, Point, Problem, Report, Restart, newton, start};
use crate::linear::{Assemble, Blocks, Matrix};
use crate::model::{Hydrodynamics, Loads};
use crate::spatial::{BodyState, Mat6, Vec6, join, lower, rotation, upper};
use crate::system::{Coefficients, Failure, Level, Row, System, Workspace};

/// The frozen model.
#[derive(Clone)]
pub struct Frozen {
    /// M, C, K as blocks (row body, column body, block).
    mass: Vec<Block>,
    damping: Vec<Block>,
    stiffness: Vec<Block>,
    /// B: constraint, ends, row.
    rows: Vec<(usize, [usize; 2], Row)>,
    matrix: Matrix,
    /// Coefficients that the matrix is factorised with.
    factorized: Option<[f64; 3]>,
    /// Deviations of positions.
    deviations: Vec<Vec6>,
    /// Coefficients of the fluid that are in the matrices.
    hydrodynamics: Vec<Hydrodynamics>,
    /// No multipliers.
    none: Vec<f64>,
}

type Block = (usize, usize, Mat6);

impl Frozen {
    /// At the initial state, under the initial loads.
    fn new(problem: &Problem, memory: &mut Memory) -> Result<Frozen, Failure> {
        let (system, initial) = (problem.system, problem.initial);
        let environment = crate::system::Environment {
            time: initial.time,
            loads: problem.initial_loads,
            hydrodynamics: problem.hydrodynamics,
            callbacks: problem.callbacks,
            coordinates: &initial.coordinates,
        };
        let mut bodies = initial.bodies.clone();
        for (body, state) in bodies.iter_mut().enumerate().filter(|(body, _)| system.is_free(*body)) {
            *state = BodyState { vdot: Vec6::zeros(), ..initial.bodies[body] };
        }
        let [mass, damping, stiffness] =
            system.tangent_blocks(&environment, &bodies, &initial.lambda, &mut memory.workspace)?;
        let mut rows = Vec::new();
        system.move_to(&bodies, &mut memory.workspace);
        system.for_each_rate(&memory.workspace.motions, problem.initial_loads, |k, ends, row, _, _| {
            rows.push((k, ends, *row));
        });
        Ok(Frozen {
            mass: blocks(&mass),
            damping: blocks(&damping),
            stiffness: blocks(&stiffness),
            rows,
            matrix: Matrix::new(std::iter::repeat_n(6, system.bodies()), system.multipliers()),
            factorized: None,
            deviations: vec![Vec6::zeros(); system.bodies()],
            hydrodynamics: problem.hydrodynamics.to_vec(),
            none: vec![0.0; system.multipliers()],
        })
    }

    /// Factorises `[c_m M + c_g C + c_k K, B^T; B, 0]` unless that is done; returns the number of factorisations.
    fn factorize(&mut self, system: &System, c: Coefficients) -> Result<u32, Failure> {
        let wanted = [c.mass, c.damping, c.stiffness];
        if self.factorized == Some(wanted) {
            return Ok(0);
        }
        self.factorized = None;
        self.matrix.clear();
        enter(system, [&self.mass, &self.damping, &self.stiffness], wanted, &self.rows, &mut self.matrix);
        self.matrix.factorize().map_err(|singular| Failure::Singular { unknown: singular.column })?;
        self.factorized = Some(wanted);
        Ok(1)
    }

    /// The residual of the linear equations at (d, v, vdot, lambda), loads of a time, into `workspace.residual`.
    fn residual(
        &self,
        problem: &Problem,
        from: &Point,
        (time, loads): (f64, &Loads),
        (bodies, lambda): (&[BodyState], &[f64]),
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let (system, initial) = (problem.system, problem.initial);
        for (body, motion) in workspace.motions.iter_mut().enumerate().take(system.bodies()) {
            *motion = crate::system::Motion::of(&match &loads.motions[body] {
                Some(imposed) => *imposed,
                None => BodyState { vdot: Vec6::zeros(), ..initial.bodies[body] },
            });
        }
        let none = Coefficients { mass: 1.0, damping: 0.0, stiffness: 0.0 };
        system.assemble(&problem.environment(from, time, loads), Level::Position, none, &self.none, workspace)?;
        let mut add = |row: usize, x: Vec6| {
            for (sum, x) in workspace.residual[6 * row..6 * row + 6].iter_mut().zip(x.iter()) {
                *sum += x;
            }
        };
        self.mass.iter().for_each(|(row, column, m)| add(*row, m * bodies[*column].vdot));
        self.damping.iter().for_each(|(row, column, c)| add(*row, c * (bodies[*column].v - initial.bodies[*column].v)));
        self.stiffness.iter().for_each(|(row, column, k)| add(*row, k * self.deviations[*column]));
        let still = Vec6::zeros();
        for (k, ends, row) in &self.rows {
            let free = |end: &usize| *end < system.bodies() && system.is_free(*end);
            for (end, gradient) in ends.iter().zip([&row.a, &row.b]).filter(|(end, _)| free(end)) {
                add(*end, gradient * lambda[*k]);
            }
        }
        for (k, ends, row) in &self.rows {
            let free =
                |end: usize| if end < system.bodies() && system.is_free(end) { &self.deviations[end] } else { &still };
            workspace.residual[system.dofs() + k] += row.times(ends.map(free));
        }
        Ok(())
    }

    /// Takes a part of the violations of `B v + nu = 0` from the velocities in `memory.bodies`, with the matrix factorised
    /// last, with a factor `scale`, as metric.
    fn take_violations(
        &mut self,
        problem: &Problem,
        part: f64,
        scale: f64,
        memory: &mut Memory,
    ) -> Result<(), Failure> {
        let Memory { workspace, bodies, .. } = memory;
        let (system, still) = (problem.system, Vec6::zeros());
        for (body, motion) in workspace.motions.iter_mut().enumerate().take(system.bodies()) {
            let place = if system.is_free(body) { &problem.initial.bodies[body] } else { &bodies[body] };
            *motion = crate::system::Motion::of(place);
        }
        workspace.residual.fill(0.0);
        let Workspace { motions, residual, .. } = &mut *workspace;
        system.for_each_rate(motions, problem.loads_start, |k, ends, row, nu, _| {
            residual[system.dofs() + k] =
                part * (nu + row.times(ends.map(|end| bodies.get(end).map_or(&still, |b| &b.v))));
        });
        solve(system, scale, self, workspace)?;
        for (body, x) in bodies.iter_mut().zip(workspace.solution.as_chunks::<6>().0) {
            body.v += Vec6::from(*x);
        }
        Ok(())
    }
}

/// The 6x6 blocks of a matrix that are not zero.
fn blocks(matrix: &Blocks) -> Vec<Block> {
    matrix.iter().map(|(row, column, block)| (row, column, Mat6::from_column_slice(block.as_flattened()))).collect()
}

fn enter<A: Assemble>(
    system: &System,
    parts: [&[Block]; 3],
    coefficients: [f64; 3],
    rows: &[(usize, [usize; 2], Row)],
    matrix: &mut A,
) {
    for (part, c) in parts.into_iter().zip(coefficients) {
        for (row, column, block) in part {
            matrix.add(6 * row, 6 * column, &(block * c).data.0);
        }
    }
    for body in (0..system.bodies()).filter(|body| !system.is_free(*body)) {
        matrix.add(6 * body, 6 * body, &Mat6::identity().data.0);
    }
    for (k, ends, row) in rows {
        for (end, gradient) in ends.iter().zip([&row.a, &row.b]) {
            if *end < system.bodies() && system.is_free(*end) {
                let equation = system.dofs() + k;
                matrix.add(6 * end, equation, &gradient.data.0);
                matrix.add(equation, 6 * end, &gradient.data.0[0].map(|x| [x]));
            }
        }
    }
}

/// One step.
pub fn step(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut frozen = match memory.frozen.take() {
        Some(frozen) if frozen.hydrodynamics == problem.hydrodynamics => frozen,
        _ => Box::new(Frozen::new(problem, memory)?),
    };
    let outcome = through(p, problem, from, to, memory, &mut frozen);
    memory.frozen = Some(frozen);
    outcome
}

fn through(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    frozen: &mut Frozen,
) -> Result<Report, Failure> {
    let (system, h, initial) = (problem.system, problem.step, problem.initial);
    let mass = system.scales().mass;
    let mut report = Report { iterations: 1, converged: true, ..Report::default() };
    let [gamma_prime, beta_prime] = p.rates(h);
    memory.bodies.clone_from(&from.state.bodies);
    memory.lambda.clone_from(&from.state.lambda);
    if from.history.is_linear {
        frozen.deviations.clone_from(&from.history.deviations);
    } else {
        for ((deviation, body), initial) in frozen.deviations.iter_mut().zip(&from.state.bodies).zip(&initial.bodies) {
            *deviation = join(&(body.x - initial.x), &rotation::log(&(body.q * initial.q.inverse())));
        }
    }
    for (body, imposed) in memory.bodies.iter_mut().zip(&problem.loads_start.motions) {
        *body = imposed.unwrap_or(*body);
    }
    let stretch = from.history.stretch(h);
    let anew = stretch.is_none();
    let jumps = matches!(from.history.restart, Restart::Jump | Restart::Unfit);
    let given = from.history.step == 0.0 && problem.settings.given_initial_accelerations() && !jumps;
    if anew && !given {
        let only_mass = Coefficients { mass: 1.0 / mass, damping: 0.0, stiffness: 0.0 };
        report.factorizations += frozen.factorize(system, only_mass)?;
        if from.history.step != 0.0 || jumps {
            frozen.take_violations(problem, 1.0, 1.0 / mass, memory)?;
        }
        if from.history.restart == Restart::Jump {
            start::refuse_kick(&from.state.bodies, &memory.bodies, h)?;
        }
        // Accelerations of the linear equations at the start.
        let free = |body: &usize| system.is_free(*body);
        (0..system.bodies()).filter(free).for_each(|body| memory.bodies[body].vdot = Vec6::zeros());
        memory.lambda.fill(0.0);
        let at = (from.state.time, problem.loads_start);
        frozen.residual(problem, from, at, (&memory.bodies, &memory.lambda), &mut memory.workspace)?;
        // B vdot: the second rates of drives and of imposed motions.
        let (workspace, still) = (&mut memory.workspace, Vec6::zeros());
        let Workspace { motions, residual, .. } = &mut *workspace;
        for motion in
            motions.iter_mut().enumerate().filter(|(body, _)| *body < system.bodies() && system.is_free(*body))
        {
            (motion.1.v, motion.1.omega) = Default::default();
        }
        system.for_each_rate(motions, problem.loads_start, |k, ends, row, _, gamma| {
            let imposed =
                ends.map(|end| memory.bodies.get(end).filter(|_| !system.is_free(end)).map_or(&still, |b| &b.vdot));
            residual[system.dofs() + k] = gamma + row.times(imposed);
        });
        solve(system, 1.0 / mass, frozen, &mut memory.workspace)?;
        for (body, x) in memory.bodies.iter_mut().zip(memory.workspace.solution.as_chunks::<6>().0) {
            body.vdot += Vec6::from(*x);
        }
        memory.lambda.copy_from_slice(&memory.workspace.solution[system.dofs()..]);
        report.evaluate(system.bodies());
    }

    // D_L, D_R and the mass of the model as in generalized_alpha.
    let scale = p.beta * h * h / mass;
    let c = Coefficients { mass: scale * beta_prime, damping: scale * gamma_prime, stiffness: scale };
    report.factorizations += frozen.factorize(system, c)?;
    if let Some(stretch) = stretch.filter(|stretch| *stretch != 1.0) {
        // As in `start` and `generalized_alpha`: a - vdot follows the length of the step, violations of v its square.
        frozen.take_violations(problem, 1.0 - stretch * stretch, scale, memory)?;
    }
    to.state.set_time_after(&from.state, h);
    to.state.lambda.clone_from(&memory.lambda);
    for (body, next) in to.state.bodies.iter_mut().enumerate() {
        let last = &memory.bodies[body];
        memory.start[body].vdot = last.vdot;
        memory.start[body].a = match stretch {
            None => last.vdot,
            Some(1.0) => from.history.a[body],
            Some(stretch) => last.vdot + (from.history.a[body] - last.vdot) * stretch,
        };
        if let Some(imposed) = &problem.loads_end.motions[body] {
            *next = *imposed;
            continue;
        }
        let start_a = memory.start[body].a;
        let a = p.algorithmic(&last.vdot, &last.vdot, &start_a);
        next.vdot = last.vdot;
        next.v = last.v + (start_a * (1.0 - p.gamma) + a * p.gamma) * h;
        frozen.deviations[body] += last.v * h + (start_a * (0.5 - p.beta) + a * p.beta) * (h * h);
    }
    let at = (to.state.time, problem.loads_end);
    frozen.residual(problem, from, at, (&to.state.bodies, &to.state.lambda), &mut memory.workspace)?;
    report.residual = newton::residual_norm(system, &memory.workspace);
    report.evaluate(system.bodies());
    report.factorizations -= 1;
    solve(system, scale, frozen, &mut memory.workspace)?;
    let (changes, multipliers) = memory.workspace.solution.split_at(system.dofs());
    for (lambda, d) in to.state.lambda.iter_mut().zip(multipliers) {
        *lambda += d;
    }
    for (body, (next, dx)) in to.state.bodies.iter_mut().zip(changes.as_chunks::<6>().0).enumerate() {
        if system.is_free(body) {
            let dx = Vec6::from(*dx);
            frozen.deviations[body] += dx;
            next.v += dx * gamma_prime;
            next.vdot += dx * beta_prime;
            next.x = initial.bodies[body].x + upper(&frozen.deviations[body]);
            next.q = rotation::compose(&rotation::exp(&lower(&frozen.deviations[body])), &initial.bodies[body].q);
        }
        to.history.a[body] = p.algorithmic(&next.vdot, &memory.start[body].vdot, &memory.start[body].a);
    }
    to.history.deviations.clone_from(&frozen.deviations);
    to.history.is_linear = true;
    to.history.step = h;
    to.history.restart = Restart::No;
    to.history.age = 1;
    to.state.coordinates.clone_from(&from.state.coordinates);
    system.follow_joints(&mut to.state, problem.loads_end);
    let environment = problem.environment(from, to.state.time, problem.loads_end);
    system.reactions(&environment, &mut to.state, &mut memory.workspace)?;
    Ok(report)
}

/// The solution of `S (x, y) = -residual` for a matrix factorised with a factor `scale`.
fn solve(system: &System, scale: f64, frozen: &mut Frozen, workspace: &mut Workspace) -> Result<(), Failure> {
    workspace.take_residual(scale);
    frozen.matrix.solve(&mut workspace.solution);
    workspace.solution[system.dofs()..].iter_mut().for_each(|y| *y /= scale);
    match workspace.solution.iter().position(|x| !x.is_finite()) {
        Some(unknown) => Err(Failure::NotFinite { unknown, iterations: 1 }),
        None => Ok(()),
    }
}
