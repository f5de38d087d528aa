//! Linear analysis (option `linear`): M, C, K and B frozen at the initial state, one solve per
//! step.
//!
//! As in Ashes: the equations of motion are those of small deviations d = (u, theta) from the
//! initial state (q0, v0),
//!
//! ```text
//! r(q0, v0, lambda0, t) + M vdot + C (v - v0) + K d + B^T (lambda - lambda0) = 0,     Phi(q0, t) + B d = 0,
//! ```
//!
//! with the loads, drives and imposed motions of the time t acting on the initial configuration,
//! under the initial multipliers lambda0, and K the tangent there, stiffness of the loads and of
//! lambda0 included. The formulas of generalized-alpha, newmark or hht, of their order and
//! stability, then end in one solution with a matrix that is factorised once per length of step.
//! Source: Ashes user manual, "Time domain simulation".

use super::parameters::{Parameters, StepCoefficients};
use super::{filter, start};
use crate::linear::{Assemble, Blocks, Kkt, Rhs4, RhsEntry};
use crate::model::{Hydrodynamics, Loads, Water};
use crate::scheme::{Memory, Point, Problem, Report, Restart, stop};
use crate::spatial::Vec6;
use crate::system::{
    Coefficients, DAMPED_ITERATES, Environment, Failure, Layout, Level, Motion, Row, State, System, Turned, Workspace,
};

/// The frozen model.
#[derive(Clone)]
pub struct Frozen {
    /// M, C, K.
    mass: Blocks,
    damping: Blocks,
    stiffness: Blocks,
    /// B: constraint, ends, row.
    rows: Vec<(usize, [usize; 2], Row)>,
    /// The iteration matrix, factorised once per length of step.
    pub matrix: Kkt,
    /// Coefficients that the matrix is factorised with.
    factorized: Option<[f64; 3]>,
    /// The state about which the model is frozen, its free nodes without acceleration.
    reference: State,
    /// Deviations of positions.
    deviations: Vec<f64>,
    /// Scratch: vectors that are multiplied by M, C or K.
    work: Vec<f64>,
    /// Coefficients of the fluid that the matrices contain.
    hydrodynamics: Vec<Hydrodynamics>,
    /// Water that the matrices contain.
    water: Water,
}

impl Frozen {
    /// Linearises at the initial state under the initial loads.
    fn new(problem: &Problem, memory: &mut Memory) -> Result<Frozen, Failure> {
        let (system, initial) = (problem.system, problem.initial);
        let environment = Environment {
            time: initial.time,
            loads: problem.initial_loads,
            hydrodynamics: problem.hydrodynamics,
            water: problem.water,
            callbacks: problem.callbacks,
            progress: problem.progress,
            form: None,
        };
        let mut reference = initial.clone();
        system.nodes().for_each_free(|range| reference.vdot[range].fill(0.0));
        // The water of the initial time, although later times may have been evaluated since: a
        // clone freezes the model anew.
        system.elements().take_own(initial, &mut memory.workspace);
        let [mass, damping, stiffness] =
            system.kinetics().tangent_blocks(&environment, &reference, &initial.lambda, &mut memory.workspace)?;
        let mut rows = Vec::new();
        system.move_to(&reference, &mut memory.workspace);
        system.constraints().for_each_rate(&memory.workspace.motions, problem.initial_loads, |k, ends, row, _, _| {
            rows.push((k, ends, *row));
        });
        Ok(Frozen {
            mass,
            damping,
            stiffness,
            rows,
            matrix: Kkt::new(system.layout().widths(), system.multipliers()),
            factorized: None,
            reference,
            deviations: vec![0.0; system.dofs()],
            work: vec![0.0; system.dofs()],
            hydrodynamics: problem.hydrodynamics.to_vec(),
            water: problem.water.clone(),
        })
    }

    /// Factorises `[c_m M + c_g C + c_k K, B^T; B, 0]` unless these factors are there; returns the
    /// number of factorisations.
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

    /// The residual of the linear equations at deviations d and v, vdot, lambda, under loads of a
    /// time, into `workspace.residual`.
    fn residual(
        &mut self,
        problem: &Problem,
        (time, loads): (f64, &Loads),
        [v, vdot, lambda]: [&[f64]; 3],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let (system, layout) = (problem.system, self.reference.layout);
        system.move_to(&self.reference, workspace);
        system.callbacks().ask_fluid(&problem.environment(time, loads), workspace)?;
        loads.imposed().for_each(|(node, imposed)| workspace.motions[node] = Motion::of(imposed));
        system.lines().carry_ends(workspace);
        let none = Coefficients { mass: 1.0, damping: 0.0, stiffness: 0.0 };
        // K contains the stiffness of the initial multipliers for deviations of free nodes. The
        // rotation of the same multipliers' forces by imposed motions enters here, where B belongs
        // to the imposed motions at this time.
        let initial = &self.reference.lambda;
        system.assemble(&problem.environment(time, loads), Level::Position, none, initial, workspace)?;
        let residual = &mut workspace.residual;
        self.mass.multiply_add(vdot, residual);
        self.work.iter_mut().zip(v.iter().zip(&self.reference.v)).for_each(|(d, (v, v0))| *d = v - v0);
        self.damping.multiply_add(&self.work, residual);
        self.stiffness.multiply_add(&self.deviations, residual);
        let free = |end: usize| end < layout.carriers() && system.nodes().is_free(end);
        for (k, ends, row) in &self.rows {
            let change = lambda[*k] - self.reference.lambda[*k];
            for (end, gradient) in ends.iter().zip([&row.a, &row.b]).filter(|(end, _)| free(**end)) {
                let rows = &mut residual[layout.velocities(*end)];
                rows.iter_mut().zip(gradient.iter()).for_each(|(sum, b)| *sum += b * change);
            }
            let moved = ends.map(|end| if free(end) { six(layout, &self.deviations, end) } else { Vec6::zeros() });
            residual[layout.multiplier(*k)] += row.times(moved[0].as_ref(), moved[1].as_ref());
        }
        Ok(())
    }

    /// Subtracts a fraction of the violations of `B v + nu = 0` from the velocities in
    /// `memory.state`, in the metric of the matrix factorised last, with a factor `scale`.
    fn take_violations(
        &mut self,
        problem: &Problem,
        part: f64,
        scale: f64,
        memory: &mut Memory,
    ) -> Result<(), Failure> {
        let Memory { workspace, state, .. } = memory;
        let (system, layout) = (problem.system, state.layout);
        system.move_to(&self.reference, workspace);
        let imposed = system.nodes().imposed().filter(|node| *node < layout.carriers());
        imposed.for_each(|node| workspace.motions[node] = Motion::of(&state.body(node)));
        workspace.residual.fill(0.0);
        let Workspace { motions, residual, .. } = &mut *workspace;
        system.constraints().for_each_rate(motions, problem.loads_start, |k, ends, row, nu, _| {
            let v = ends.map(|end| six(layout, &state.v, end));
            residual[layout.multiplier(k)] += part * (nu + row.times(v[0].as_ref(), v[1].as_ref()));
        });
        solve(system, scale, self, workspace)?;
        state.v.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);
        Ok(())
    }

    /// What v, a and vdot leave of the constraints' rates, `each(k, [B v + nu, B a + gamma, B
    /// vdot + gamma])`, where motions are imposed as in a state.
    fn violations(
        &self,
        (problem, loads): (&Problem, &Loads),
        state: &State,
        a: &Vec<f64>,
        workspace: &mut Workspace,
        mut each: impl FnMut(usize, [f64; 3]),
    ) {
        let (system, carriers) = (problem.system, state.layout.carriers());
        system.move_to(&self.reference, workspace);
        for (node, motion) in workspace.motions.iter_mut().take(carriers).enumerate() {
            match system.nodes().is_free(node) {
                true => (motion.v, motion.omega) = Default::default(),
                false => *motion = Motion::of(&state.body(node)),
            }
        }
        let rates = [&state.v, a, &state.vdot];
        system.constraints().violations(&workspace.motions, loads, rates, |first, left| {
            (first..).zip(left).for_each(|(k, left)| each(k, *left));
        });
    }

    /// Perturbs the velocities that a step starts anew from by what `start` does, so that
    /// multipliers begin with the order that they go on with: by the part of vddot normal to the
    /// constraints, which is what the imposed motions change over the step, `B vddot = -(C(h) -
    /// C(0))/h`, C = B vdot + gamma. `ahead` is scratch. `p`: of the first step.
    fn perturb(&mut self, p: &Parameters, problem: &Problem, ahead: &mut State, memory: &mut Memory) {
        let (system, h) = (problem.system, problem.step);
        if !system.loading().imposes_motions() || system.multipliers() == 0 {
            return;
        }
        let Memory { workspace, changes, state, .. } = memory;
        ahead.copy_motion_from(state);
        ahead.impose(problem.loads_end);
        let dofs = system.dofs();
        let normal = &mut changes[dofs..];
        normal.fill(Rhs4::ZERO);
        for (state, loads, sign) in [(&*state, problem.loads_start, 1.0), (&*ahead, problem.loads_end, -1.0)] {
            let vdot = &state.vdot;
            self.violations((problem, loads), state, vdot, workspace, |k, [.., c]| normal[k].0[0] += sign * c / h);
        }
        self.matrix.solve_four(changes, &mut workspace.solution);
        let c_q = 1.0 / 6.0 - p.beta;
        system.nodes().for_each_free(|range| range.for_each(|i| state.v[i] += h * h * c_q * changes[i].0[0]));
        changes[..dofs].fill(Rhs4::ZERO);
    }

    /// Subtracts alternating components normal to the constraints from the start of the next step,
    /// as `filter` does: at rho_inf = 1 rounding would add up.
    fn damp(&mut self, problem: &Problem, stretch: f64, from: &Point, to: &mut Point, memory: &mut Memory) {
        let (system, dofs) = (problem.system, problem.system.dofs());
        let part = filter::damped(to.history.age, problem.settings);
        let Point { state, history, .. } = to;
        let Some(own) = history.linear_mut() else { return };
        own.filtered.take(state);
        let Some(last) = from.history.linear() else { return };
        if system.multipliers() == 0 {
            return;
        }
        let Memory { workspace, changes, .. } = memory;
        let (normal, kept) = (&mut changes[dofs..], &mut own.violations);
        self.violations((problem, problem.loads_end), state, &own.a, workspace, |k, now| {
            (normal[k], kept[k]) = filter::alternating(part, stretch, now, &last.violations[k]);
        });
        if part == 0.0 {
            return;
        }
        self.matrix.solve_four(changes, &mut workspace.solution);
        system.nodes().for_each_free(|range| {
            for i in range {
                let [of_v, of_a, of_vdot, _] = changes[i].0;
                own.filtered.v[i] += of_v;
                own.a[i] += of_a;
                own.filtered.vdot[i] += of_vdot;
            }
        });
        changes[..dofs].fill(Rhs4::ZERO);
    }

    /// Where the step starts: accelerations and multipliers of the linear equations, damped as
    /// `start` does, into `memory.state`. `p`: of the first step.
    fn restart(
        &mut self,
        p: &Parameters,
        problem: &Problem,
        from: &Point,
        jumps: bool,
        memory: &mut Memory,
    ) -> Result<u32, Failure> {
        let (system, mass) = (problem.system, problem.system.scales().mass);
        let only_mass = Coefficients { mass: 1.0 / mass, damping: 0.0, stiffness: 0.0 };
        let mut factorizations = self.factorize(system, only_mass)?;
        if from.history.step != 0.0 || jumps {
            self.take_violations(problem, 1.0, 1.0 / mass, memory)?;
        }
        if from.history.restart == Restart::Jump {
            start::refuse_kick(&from.state, &memory.state, problem.step)?;
        }
        let state = &mut memory.state;
        system.nodes().for_each_free(|range| state.vdot[range].fill(0.0));
        state.lambda.fill(0.0);
        factorizations += match self.factorize(system, p.damping_at_start(problem)) {
            // Negative stiffness may make the matrix singular: then nothing is damped.
            Err(Failure::Singular { .. }) => self.factorize(system, only_mass)?,
            found => found?,
        };
        for iterate in 0..DAMPED_ITERATES {
            self.approach(problem, from.state.time, iterate == 0, memory)?;
        }
        Ok(factorizations)
    }

    /// One iteration for the accelerations at the start, with the present factors.
    fn approach(&mut self, problem: &Problem, time: f64, is_first: bool, memory: &mut Memory) -> Result<(), Failure> {
        let (system, mass) = (problem.system, problem.system.scales().mass);
        let Memory { workspace, state, .. } = memory;
        let at = (time, problem.loads_start);
        self.residual(problem, at, [&state.v, &state.vdot, &state.lambda], workspace)?;
        // B vdot: the second rates of drives and of imposed motions, which the first iterate has.
        let layout = state.layout;
        let Workspace { motions, residual, .. } = &mut *workspace;
        for (_, motion) in
            motions.iter_mut().take(layout.carriers()).enumerate().filter(|(node, _)| system.nodes().is_free(*node))
        {
            (motion.v, motion.omega) = Default::default();
        }
        residual[layout.dofs()..].fill(0.0);
        let part = if is_first { 1.0 } else { 0.0 };
        system.constraints().for_each_rate(motions, problem.loads_start, |k, ends, row, _, gamma| {
            let imposed = |end: usize| end < layout.carriers() && !system.nodes().is_free(end);
            let vdot = ends.map(|end| if imposed(end) { six(layout, &state.vdot, end) } else { Vec6::zeros() });
            residual[layout.multiplier(k)] += part * (gamma + row.times(vdot[0].as_ref(), vdot[1].as_ref()));
        });
        solve(system, 1.0 / mass, self, workspace)?;
        let (x, y) = workspace.solution.split_at(layout.dofs());
        state.vdot.iter_mut().zip(x).for_each(|(vdot, x)| *vdot += x);
        state.lambda.iter_mut().zip(y).for_each(|(lambda, y)| *lambda += y);
        Ok(())
    }
}

/// The six components of a vector of velocities at an end of a constraint; zero for the ground.
fn six(layout: Layout, numbers: &[f64], end: usize) -> Vec6 {
    if layout.turns(end) { Vec6::from_column_slice(&numbers[layout.velocities(end)]) } else { Vec6::zeros() }
}

fn enter<A: Assemble>(
    system: &System,
    parts: [&Blocks; 3],
    coefficients: [f64; 3],
    rows: &[(usize, [usize; 2], Row)],
    matrix: &mut A,
) {
    let layout = system.layout();
    parts.into_iter().zip(coefficients).for_each(|(part, c)| part.enter(c, matrix));
    for unknown in system.nodes().imposed().flat_map(|node| layout.velocities(node)) {
        matrix.add(unknown, unknown, &[[1.0]]);
    }
    for (k, ends, row) in rows {
        for (end, gradient) in ends.iter().zip([&row.a, &row.b]) {
            if *end < layout.carriers() && system.nodes().is_free(*end) {
                let (unknown, equation) = (layout.unknown(*end), layout.multiplier(*k));
                matrix.add(unknown, equation, &gradient.data.0);
                matrix.add(equation, unknown, &gradient.data.0[0].map(|x| [x]));
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
        Some(frozen) if frozen.hydrodynamics == problem.hydrodynamics && frozen.water == *problem.water => frozen,
        _ => Box::new(Frozen::new(problem, memory)?),
    };
    let outcome = through(p, problem, from, to, memory, &mut frozen);
    memory.frozen = Some(frozen);
    outcome
}

/// The step with the linearised system: takes the start from the point or makes one, predicts,
/// solves once, and stores the start of the next step.
fn through(
    p: &Parameters,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    frozen: &mut Frozen,
) -> Result<Report, Failure> {
    let (system, h) = (problem.system, problem.step);
    let mut report = Report { iterations: 1, converged: true, ..Report::default() };
    memory.state.copy_motion_from(&from.state);
    memory.state.lambda.clone_from(&from.state.lambda);
    let last = from.history.linear().filter(|last| last.is_known);
    match last {
        Some(last) => frozen.deviations.clone_from(&last.deviations),
        None => system.layout().difference(&problem.initial.q, &from.state.q, &mut frozen.deviations),
    }
    let stretch = last.and_then(|_| from.history.stretch(h));
    if let (Some(_), Some(last)) = (stretch, last) {
        let [v, vdot] = last.filtered.of(&from.state);
        memory.state.v.copy_from_slice(v);
        memory.state.vdot.copy_from_slice(vdot);
    }
    memory.state.impose(problem.loads_start);
    let jumps = matches!(from.history.restart, Restart::Jump | Restart::Unfit);
    let given = from.history.step == 0.0 && problem.settings.given_initial_accelerations() && !jumps;
    let is_first = stretch.is_none() && !given;
    let p = &if is_first { p.first_step() } else { *p };
    if is_first {
        report.factorizations += frozen.restart(p, problem, from, jumps, memory)?;
        report.evaluate(system.layout().bodies());
    }

    let c = p.coefficients(h, system.scales().mass);
    report.factorizations += frozen.factorize(system, c.tangent())?;
    if let Some(stretch) = stretch.filter(|stretch| *stretch != 1.0) {
        // As in `start` and `generalized_alpha`: a - vdot is proportional to the length of the
        // step, and the violations of the constraints by v to its square.
        frozen.take_violations(problem, 1.0 - stretch * stretch, c.scale, memory)?;
    }
    let Memory { state, start, .. } = &mut *memory;
    start.a.clone_from(&state.vdot);
    if let (Some(stretch), Some(last)) = (stretch, last) {
        start
            .a
            .iter_mut()
            .zip(&last.a)
            .for_each(|(a, last)| *a = if stretch == 1.0 { *last } else { *a + (last - *a) * stretch });
    }
    if is_first && from.history.restart != Restart::Unfit {
        frozen.perturb(p, problem, &mut to.state, memory);
    }
    predict(p, problem, from, to, memory, &mut frozen.deviations);
    let at = (to.state.time, problem.loads_end);
    let State { v, vdot, lambda, .. } = &to.state;
    frozen.residual(problem, at, [v, vdot, lambda], &mut memory.workspace)?;
    report.residual = stop::residual_norm(system, &memory.workspace);
    report.evaluate(system.layout().bodies());
    to.state.z.clone_from(&from.state.z);
    system.callbacks().keep_fluid(&mut to.state, &memory.workspace);
    report.factorizations -= 1;
    solve(system, c.scale, frozen, &mut memory.workspace)?;
    correct(&c, system, to, &memory.workspace, &mut frozen.deviations);
    system.retract(&problem.initial.q, &frozen.deviations, &mut to.state.q);

    let Point { state, history, .. } = &mut *to;
    if let Some(own) = history.linear_mut() {
        p.algorithmic(&state.vdot, &memory.state.vdot, &memory.start.a, &mut own.a);
        // The algorithmic acceleration of an imposed motion is its acceleration: it has no error
        // that would lag behind.
        for range in system.nodes().imposed().map(|node| state.layout.velocities(node)) {
            own.a[range.clone()].copy_from_slice(&state.vdot[range]);
        }
        own.deviations.clone_from(&frozen.deviations);
        own.is_known = true;
    }
    history.step = h;
    history.restart = Restart::No;
    history.age = if stretch.is_none() { 1 } else { (from.history.age + 1).min(filter::KNOWN) };
    frozen.damp(problem, stretch.unwrap_or(1.0), from, to, memory);
    let state = &mut to.state;
    state.coordinates.clone_from(&from.state.coordinates);
    system.coordinates().expect_angles(&from.state, Turned::Rates(h, &state.v), &state.q, &mut state.coordinates);
    system.coordinates().follow(state, problem.loads_end);
    let environment = problem.environment(state.time, problem.loads_end);
    system.balance().reactions(&environment, state, &mut memory.workspace)?;
    Ok(report)
}

/// The predictor, with vdot(n+1) = vdot(n), into `to` and the deviations of free nodes; imposed
/// motions are exact.
fn predict(p: &Parameters, problem: &Problem, from: &Point, to: &mut Point, memory: &Memory, deviations: &mut [f64]) {
    let (h, start, state) = (problem.step, &memory.state, &mut to.state);
    state.set_time_after(&from.state, h);
    state.q.clone_from(&from.state.q);
    state.lambda.clone_from(&start.lambda);
    state.vdot.clone_from(&start.vdot);
    state.v.clone_from(&start.v);
    problem.system.nodes().for_each_free(|range| {
        for i in range {
            let start_a = memory.start.a[i];
            let a = p.algorithmic_of(start.vdot[i], start.vdot[i], start_a);
            state.v[i] += h * (start_a * (1.0 - p.gamma) + a * p.gamma);
            deviations[i] += h * start.v[i] + h * h * (start_a * (0.5 - p.beta) + a * p.beta);
        }
    });
    state.impose(problem.loads_end);
}

/// Adds the solution dx, dlambda in the workspace to the iterate and the deviations.
fn correct(c: &StepCoefficients, system: &System, to: &mut Point, workspace: &Workspace, deviations: &mut [f64]) {
    let (dx, dlambda) = workspace.solution.split_at(system.dofs());
    to.state.lambda.iter_mut().zip(dlambda).for_each(|(lambda, d)| *lambda += d);
    system.nodes().for_each_free(|range| {
        for i in range {
            deviations[i] += dx[i];
            to.state.v[i] += dx[i] * c.gamma_prime;
            to.state.vdot[i] += dx[i] * c.beta_prime;
        }
    });
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
