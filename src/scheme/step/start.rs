//! Consistent start of the generalized-alpha scheme, at the initial time and after every
//! discontinuity.
//!
//! A start knows q, v and vdot, but no a. Its first step is that of Newmark with the a that the
//! scheme has on smooth motion ([`Parameters::first_step`]), which keeps the second order where
//! every other step is a first one.
//!
//! Accelerations of stiff forces that begin to act would throw bodies by h^2 (1/2 - beta) vdot0.
//! The step takes damped ones in the place of vdot0: `Kinetics::damped_accelerations` with
//! [`Parameters::damping_at_start`]. The host reads vdot0.
//!
//! The multipliers of an index-3 formulation are then still first order through a transient, which
//! perturbed velocities cure (Arnold, Bruls, Cardona 2015, Numerische Mathematik 129, sect. 4):
//!
//! ```text
//! v0 += h^2 (C_q vddot0 - 1/12 omega0 x omegadot0),   C_q = 1/6 - (alpha_m - alpha_f)/2 - beta,
//! ```
//!
//! the last term in rotations only, for increments resolved in the inertial frame. C_q is the same
//! of the scheme and of its first step. Only the part normal to the constraints makes the
//! transient, and only that is applied: the motion along the constraints, and all of a free body's,
//! keeps the velocity that the host gave. The normal part of vddot0 follows from geometry alone:
//! with C(s) = B vdot0 + gamma along the motion at constant (damped) acceleration vdot0 (prescribed
//! bodies: along their own), `B vddot0 = -dC/ds`.
//!
//! A step of another length than the last does not start anew: a - vdot, which is (alpha_m -
//! alpha_f) h vddot up to O(h^2), follows the length of the step here; the part of v normal to the
//! constraints, which is h^2 C_q vddot, in `control`, where the first iteration matrix is the
//! metric.

use super::parameters::Parameters;
use crate::scheme::point::SETTLED;
use crate::scheme::{Alpha, Memory, Point, Problem, Restart};
use crate::spatial::{Vec3, Vec6, lower, upper};
use crate::system::{Environment, Failure, Motion, State, Workspace};

/// Values at the start of a step that no point holds ([`Start::given`]).
#[derive(Debug, Clone)]
pub struct Start {
    /// v.
    pub v: Vec<f64>,
    /// vdot.
    pub vdot: Vec<f64>,
    /// a.
    pub a: Vec<f64>,
    /// Angular momenta that v has lost by rounding: `Alpha::unrounded`.
    pub unrounded: Vec<[f64; 3]>,
}

/// The start of a step, borrowed from the point or from [`Start`]: a step as long as the last one
/// copies nothing.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// v.
    pub v: &'a [f64],
    /// vdot.
    pub vdot: &'a [f64],
    /// a.
    pub a: &'a [f64],
    /// Multipliers that the iteration starts from.
    pub lambda: &'a [f64],
    /// Angular momenta that v has lost by rounding.
    pub unrounded: &'a [[f64; 3]],
}

impl Start {
    /// Allocates for a number of degrees of freedom and of bodies.
    pub fn new(dofs: usize, bodies: usize) -> Start {
        let zeros = || vec![0.0; dofs];
        Start { v: zeros(), vdot: zeros(), a: zeros(), unrounded: vec![[0.0; 3]; bodies] }
    }

    /// The start of a step from a point; `lambda` are the multipliers of a start anew.
    #[inline(always)]
    pub fn given<'a>(&'a self, started: Started, from: &'a Point, lambda: &'a [f64]) -> Given<'a> {
        let Point { state, history, .. } = from;
        match (started, history.alpha()) {
            (Started::On(1.0), Some(Alpha { a, filtered, unrounded, .. })) => {
                let [v, vdot] = filtered.of(state);
                Given { v, vdot, a, lambda: &state.lambda, unrounded }
            }
            (Started::On(_), _) => self.own(&state.lambda),
            (Started::Anew(_), _) => self.own(lambda),
        }
    }

    fn own<'a>(&'a self, lambda: &'a [f64]) -> Given<'a> {
        Given { v: &self.v, vdot: &self.vdot, a: &self.a, lambda, unrounded: &self.unrounded }
    }

    /// Sets the start to that of a state, with a = vdot and nothing lost by rounding.
    fn take(&mut self, state: &State) {
        self.v.clone_from(&state.v);
        self.vdot.clone_from(&state.vdot);
        self.a.clone_from(&state.vdot);
        self.unrounded.fill([0.0; 3]);
    }
}

/// Three numbers of a node in a flat vector.
#[inline(always)]
pub fn three(numbers: &[f64], first: usize) -> Vec3 {
    Vec3::new(numbers[first], numbers[first + 1], numbers[first + 2])
}

/// Length of the one-sided differences for dC/ds, as a fraction of the step: short against the
/// motion, long against rounding (1e-16 vdot/(h/8), which then enters with a factor h).
const DIFFERENCE: f64 = 0.125;

/// Most that a body may turn in one step (rad) with the spin that a jump of an imposed motion gives
/// it.
const MOST_KICK: f64 = std::f64::consts::FRAC_PI_2;

/// Most that any body turns (rad), or moves (in lengths of the model), within one such difference.
const MOST_TRAVEL: f64 = 0.05;

/// How a step starts.
#[derive(Debug, Clone, Copy)]
pub enum Started {
    /// It continues the last step; the number is the ratio of their lengths.
    On(f64),
    /// The scheme starts anew; the number is that of factorisations.
    Anew(u32),
}

impl Started {
    /// Ratio of the length of the step to that of the last one, which it continues; else 1.
    pub fn stretch(self) -> f64 {
        if let Started::On(stretch) = self { stretch } else { 1.0 }
    }

    /// Number of factorisations of the start.
    pub fn factorizations(self) -> u32 {
        if let Started::Anew(factorizations) = self { factorizations } else { 0 }
    }

    /// True if the step is the first one after a start that computed the accelerations, and has no
    /// a(n).
    pub fn is_first(self) -> bool {
        self.factorizations() > 0
    }

    /// True if the scheme started anew.
    pub fn is_anew(self) -> bool {
        matches!(self, Started::Anew(_))
    }
}

/// Factor of differences that a step `stretch` times as long as the last one takes over: `stretch`,
/// but at most 1 soon after a kink, so that nothing grows there.
pub fn growth(from: &Point, stretch: f64) -> f64 {
    match from.history.alpha() {
        Some(alpha) if !alpha.kinks.memories.is_empty() && alpha.kinks.since < SETTLED => stretch.min(1.0),
        _ => stretch,
    }
}

/// Finds the start of the step, which [`Start::given`] returns: fills `memory.start` with values
/// that no point holds, and `memory.lambda` with the first multipliers of the iteration where the
/// scheme starts anew.
pub fn prepare(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<Started, Failure> {
    let (history, start) = (&from.history, &mut memory.start);
    if let (Some(stretch), Some(last)) = (history.stretch(problem.step), history.alpha()) {
        if stretch != 1.0 {
            let [v, vdot] = last.filtered.of(&from.state);
            start.v.copy_from_slice(v);
            start.vdot.copy_from_slice(vdot);
            start.unrounded.clone_from(&last.unrounded);
            let growth = growth(from, stretch);
            for ((a, last), vdot) in start.a.iter_mut().zip(&last.a).zip(&start.vdot) {
                *a = vdot + (last - vdot) * growth;
            }
        }
        return Ok(Started::On(stretch));
    }
    let jumps = matches!(history.restart, Restart::Jump | Restart::Unfit);
    if history.step == 0.0 && problem.settings.given_initial_accelerations() && !jumps {
        memory.lambda.clone_from(&from.state.lambda);
        start.take(&from.state);
        return Ok(Started::Anew(0));
    }
    restart(problem, p, from, memory).map(Started::Anew)
}

fn restart(problem: &Problem, p: &Parameters, from: &Point, memory: &mut Memory) -> Result<u32, Failure> {
    let Memory { workspace, state, lambda, start, dq, .. } = &mut *memory;
    let (system, h) = (problem.system, problem.step);
    let mut factorizations = 1;

    // Load callbacks couple bodies in the matrix. A start does not evaluate them, but the matrix
    // keeps the entries of these couplings: without them the order of elimination would differ, and
    // a clone, whose workspace is new, would continue with other bits.
    system.callbacks().follow(problem.callbacks, workspace);
    // State at the start, free of the perturbation that an earlier start left in the velocities.
    let environment = problem.environment(from.state.time, problem.loads_start);
    state.copy_motion_from(&from.state);
    state.impose(problem.loads_start);
    let jumps = matches!(from.history.restart, Restart::Jump | Restart::Unfit);
    if from.history.step != 0.0 || jumps {
        // After a jump of an imposed motion, this applies the impulse that the jump gives to the
        // bodies through their joints.
        system.kinetics().project_velocities(&environment, state, workspace)?;
        factorizations += 1;
    }
    if from.history.restart == Restart::Jump {
        refuse_kick(&from.state, state, h)?;
    }
    system.kinetics().accelerations(&environment, state, workspace)?;
    if system.kinetics().have_tangents(&environment) {
        factorizations += 1;
        damp(problem, p, &environment, (state, dq), workspace)?;
    }
    lambda.clone_from(&state.lambda);
    start.take(state);
    if system.multipliers() > 0 && from.history.restart != Restart::Unfit {
        perturb(problem, p, memory);
    }
    Ok(factorizations)
}

/// Removes from the accelerations the response of stiff forces and dampers that the step does not
/// resolve; writes the last increments to `last`.
fn damp(
    problem: &Problem,
    p: &Parameters,
    at: &Environment,
    (state, last): (&mut State, &mut [f64]),
    workspace: &mut Workspace,
) -> Result<(), Failure> {
    let kinetics = problem.system.kinetics();
    match kinetics.damped_accelerations(at, p.first_step().damping_at_start(problem), state, workspace) {
        Ok(()) => {
            last.copy_from_slice(&workspace.solution[..last.len()]);
            Ok(())
        }
        // Negative stiffness may make the matrix singular: the accelerations stay as they are.
        Err(Failure::Singular { .. } | Failure::NotFinite { .. }) => {
            last.fill(0.0);
            kinetics.accelerations(at, state, workspace)
        }
        Err(failure) => Err(failure),
    }
}

/// Perturbs the velocities normal to the constraints; the metric is the matrix factorised last,
/// that of the accelerations.
fn perturb(problem: &Problem, p: &Parameters, memory: &mut Memory) {
    let Memory { workspace, state, start, loads, slope, beside, turns, .. } = memory;
    let (system, h) = (problem.system, problem.step);

    // dC/ds = (4 C(s) - C(2 s))/(2 s), as C(0) = 0; and B of the terms of rotations alone.
    let s = difference(state, system.scales().length, h);
    let still = Vec6::zeros();
    slope.fill(0.0);
    for (steps, weight) in [(1.0, 4.0), (2.0, -1.0)] {
        loads.at(problem.loads_start, problem.loads_end, steps * s / h, h, true);
        for (motion, node) in workspace.motions.iter_mut().zip(state.motions()) {
            *motion = Motion::of(&node.extrapolate(steps * s));
        }
        loads.imposed().for_each(|(node, imposed)| workspace.motions[node] = Motion::of(imposed));
        system.constraints().for_each_rate(&workspace.motions, loads, |k, ends, row, _, gamma| {
            let vdot = ends.map(|end| match loads.motions.get(end) {
                Some(Some(imposed)) => imposed.vdot,
                Some(None) => Vec6::from_column_slice(&start.vdot[state.layout.velocities(end)]),
                None => still,
            });
            slope[k] += weight / (2.0 * s) * (row.times(vdot[0].as_ref(), vdot[1].as_ref()) + gamma);
        });
    }
    system.move_to(state, workspace);
    beside.fill(0.0);
    let c_q = 1.0 / 6.0 - p.first_step().beta;
    let turned = |motion: &Motion, body: usize| match turns.jerk(body, motion) {
        // Imposed rotations are exact.
        Some(_) if !system.nodes().is_free(body) => Vec3::zeros(),
        Some(jerk) => jerk * c_q,
        None => motion.omega.cross(&motion.omegadot) / -12.0,
    };
    let motions = &workspace.motions;
    system.constraints().for_each_rate(motions, problem.loads_start, |k, ends, row, _, _| {
        for (end, gradient) in ends.into_iter().zip([&row.a, &row.b]).filter(|(end, _)| state.layout.turns(*end)) {
            beside[k] += lower(gradient).dot(&turned(&motions[end], end));
        }
    });

    for ((c, slope), beside) in workspace.solution[system.dofs()..].iter_mut().zip(slope.iter()).zip(beside.iter()) {
        *c = h * h * (beside - c_q * slope);
    }
    // Slips have no transient: they are imposed on velocities.
    system.constraints().for_each_slip(|k| workspace.solution[system.dofs() + k] = 0.0);
    workspace.solve_constraints();
    start.v.iter_mut().zip(&workspace.solution).for_each(|(v, change)| *v += change);
}

/// Errors: a jump of imposed motions gives a body a spin that turns it further in one step than a
/// step can follow.
pub fn refuse_kick(before: &State, after: &State, h: f64) -> Result<(), Failure> {
    for body in 0..before.bodies() {
        let turn = h * (lower(&after.body(body).v) - lower(&before.body(body).v)).norm();
        if turn > MOST_KICK {
            return Err(Failure::Kick { body, turn });
        }
    }
    Ok(())
}

/// Length s of the differences: a fraction of the step, less where bodies would travel far in it.
fn difference(state: &State, length: f64, h: f64) -> f64 {
    state.motions().fold(DIFFERENCE * h, |s, body| {
        let fastest = (upper(&body.v).norm() / length).max(lower(&body.v).norm());
        let hardest = (upper(&body.vdot).norm() / length).max(lower(&body.vdot).norm());
        s.min(MOST_TRAVEL / fastest).min((2.0 * MOST_TRAVEL / hardest).sqrt())
    })
}
