//! Time schemes: each advances a state over one internal step and knows only what `system` offers.
//!
//! A new scheme is one file with a `step` function, one variant of [`Scheme`] and its name in
//! `name.rs`. `step/` has generalized-alpha with its family (newmark, hht, momentum-alpha, and
//! option `linear`) as in the paper; `control` iterates it and has the parts that are not in the
//! paper, `stop` its convergence test. `host_step` cuts the host's step into internal ones,
//! `events` ends them where friction and stops switch. `explicit/` has the schemes of first-order
//! form. A step starts from a `point`; `stability` has the longest stable steps, `suggestion` the
//! step that Ashes calculates.
//!
//! What may not live here: bodies, joints and forces by themselves (a scheme calls `system`),
//! phases, inputs of the host, and matrices that `system` and `linear` do not offer.

mod control;
mod events;
mod explicit;
mod host_step;
mod name;
mod point;
mod search;
pub mod stability;
mod step;
mod stop;
mod suggestion;
mod sums;
mod tolerance;

pub use explicit::local_time_step::{Entities, multiple, smooth};
pub use explicit::numbers::Numbers;
pub use host_step::{EventCounts, FailedStep, HostStep, Made, Workplace};
pub use name::{NAMES, Scheme};
pub use point::{Alpha, Filtered, History, Kinks, Linear, Marks, Multistep, Pace, Past, Point, Restart, Shape};
pub use suggestion::suggested_time_step;

use crate::linear::{Kkt, Rhs4, RhsEntry};
use crate::model::{Callbacks, Hydrodynamics, Loads, Settings, Water};
use crate::reserve;
use crate::spatial::Mat3;
use crate::system::{
    Crossings, EnergyForm, Environment, Failure, Progress, State, System, Turning, Workspace, sample_means,
};
use explicit::runge_kutta::Tableau;
use explicit::{adams_bashforth, local_time_step, runge_kutta, semi_implicit, stage};
use step::{Parameters, half_turn, linear, momentum, start};

impl Scheme {
    /// Change of velocities and accelerations per change of the increments in the iteration of a
    /// step of length h; None for schemes that do not iterate on increments.
    pub fn rates_per_increment(self, settings: &Settings, h: f64) -> Option<[f64; 2]> {
        self.is_newton().then(|| Parameters::of(self, settings).rates(h))
    }

    /// Derivatives of angular rates with respect to increments at the end of a step of length h
    /// between two points, with the tangent operators of its increments; empty where the two
    /// numbers above suffice.
    pub fn turnings(
        self,
        settings: &Settings,
        (system, h): (&System, f64),
        [from, to]: [&Point; 2],
        tangents: &[Mat3],
    ) -> Vec<Turning> {
        match self {
            Scheme::MomentumAlpha => {
                momentum::turnings(&Parameters::of(self, settings), (system, h), from, to, tangents)
            }
            _ => Vec::new(),
        }
    }

    /// Numbers of a step of length h for elements in energy form; None where steps take none so.
    pub fn energy_form(self, settings: &Settings, system: &System, h: f64) -> Option<EnergyForm> {
        let takes = self.is_newton() && settings.energy_form() && system.elements().forms().are_any();
        takes.then(|| Parameters::of(self, settings).energy_form(h))
    }

    /// Whether the scheme is stable on constraints with these options: newmark is not for every
    /// beta and gamma.
    pub fn holds_constraints(self, settings: &Settings) -> bool {
        self != Scheme::Newmark || step::filter::dies_out(&Parameters::of(self, settings))
    }

    /// The shape of its history.
    pub fn shape(self, settings: &Settings) -> Shape {
        match self {
            _ if self.is_newton() && settings.linear() => Shape::Linear,
            _ if self.is_newton() => Shape::Alpha,
            Scheme::SemiImplicit(name::Implicit::Wilson, _) => Shape::Wilson,
            Scheme::AdamsBashforth(_) | Scheme::LocalAdamsBashforth(_) => Shape::Multistep,
            _ => Shape::Nothing,
        }
    }

    /// Whether entities take steps of their own. In a model with lines, which couple entities, with
    /// gears, whose turns are counted together, or in water that moves, whose motion is found at
    /// all points at once, all entities take the step of the fastest.
    pub fn has_local_steps(self, [lines, gears]: [usize; 2], callbacks: &Callbacks, water: &Water) -> bool {
        let moves = callbacks.fluid.is_some() || water.moves();
        matches!(self, Scheme::LocalAdamsBashforth(_)) && lines == 0 && gears == 0 && !moves
    }

    /// Advances `from` by `problem.step` into `to`, and writes every number of it, because `to` may
    /// contain an earlier trial. On failure the contents of `to` are undefined.
    #[inline(always)]
    pub fn step(
        self,
        problem: &Problem,
        from: &Point,
        to: &mut Point,
        memory: &mut Memory,
    ) -> std::result::Result<Report, Failure> {
        to.history.take_shape(self.shape(problem.settings), problem.system.layout(), problem.system.multipliers());
        // Only the first step of a kind has reserved memory: matrices that need more now must
        // reserve it.
        memory.matrices().for_each(|matrix| matrix.ask_for_room(reserve::with_room));
        let outcome = match self {
            Scheme::GeneralizedAlpha | Scheme::MomentumAlpha | Scheme::Newmark | Scheme::Hht => {
                let parameters = Parameters::of(self, problem.settings);
                match problem.settings.linear() {
                    true => linear::step(&parameters, problem, from, to, memory),
                    false => control::step(&parameters, problem, from, to, memory),
                }
            }
            Scheme::RungeKutta(method) => runge_kutta::step(Tableau::of(method), problem, from, to, memory),
            Scheme::AdamsBashforth(order) => adams_bashforth::step(order, problem, from, to, memory),
            Scheme::LocalAdamsBashforth(order) => {
                let Problem { system, callbacks, water, .. } = *problem;
                match self.has_local_steps([system.lines().count(), system.gears().count()], callbacks, water) {
                    true => local_time_step::step(order, problem, from, to, memory),
                    false => adams_bashforth::step(order, problem, from, to, memory),
                }
            }
            Scheme::SemiImplicit(formula, substeps) => {
                semi_implicit::step(formula, substeps, problem, from, to, memory)
            }
        };
        let in_form =
            !problem.settings.linear() && self.energy_form(problem.settings, problem.system, problem.step).is_some();
        let outcome = outcome.map(|report| {
            if !in_form {
                sample_means(problem.system, &from.state, &mut to.state);
            }
            let around = (problem.water, &problem.loads_end.lines[..]);
            if problem.system.elements().conclude(&from.state, &mut to.state, around, problem.step).is_some() {
                // Accelerations may have jumped: the next step starts anew.
                to.history.restart = Restart::Discontinuity;
            }
            let crossings = if in_form { memory.workspace.energy.crossings } else { Crossings::default() };
            Report { crossings, ..report }
        });
        // If memory was refused, that is the cause of any failure.
        let refused = memory.matrices().fold(None, |found, matrix| matrix.refused_room().or(found));
        refused.map_or(outcome, |bytes| Err(Failure::OutOfMemory { bytes }))
    }
}

/// One internal step, as its inputs.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// Options.
    pub settings: &'a Settings,
    /// Coefficients of the fluid, one per body; bodies after the end of the list have none.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Water and seabed around lines and points.
    pub water: &'a Water,
    /// Load callbacks.
    pub callbacks: &'a Callbacks,
    /// The host's progress callback.
    pub progress: &'a Progress,
    /// Loads at the start of the step.
    pub loads_start: &'a Loads,
    /// Loads at its end.
    pub loads_end: &'a Loads,
    /// Length h.
    pub step: f64,
    /// Local time stepping: number of ticks of the step.
    pub ticks: usize,
    /// The state at `initialize`, about which option `linear` linearises.
    pub initial: &'a State,
    /// The loads at `initialize`.
    pub initial_loads: &'a Loads,
}

impl<'a> Problem<'a> {
    /// Loads and surroundings at a time of the step.
    fn environment(&self, time: f64, loads: &'a Loads) -> Environment<'a> {
        let Problem { hydrodynamics, water, callbacks, progress, .. } = *self;
        Environment { time, loads, hydrodynamics, water, callbacks, progress, form: None }
    }
}

/// Statistics of one internal step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Newton iterations.
    pub iterations: u32,
    /// Factorisations.
    pub factorizations: u32,
    /// Largest residual of the equations of motion in the last evaluation (moments divided by the
    /// model's length).
    pub residual: f64,
    /// The last value of the convergence measure.
    pub error: f64,
    /// False if the step was accepted without convergence.
    pub converged: bool,
    /// Residual energies of translations and rotations in the last iteration of Newton's method;
    /// None for other schemes.
    pub energies: Option<[f64; 2]>,
    /// Evaluations of accelerations, of all bodies or of one entity.
    pub evaluations: u64,
    /// The same, counted once per body.
    pub body_evaluations: u64,
    /// Elements in energy form that changed branch.
    pub crossings: Crossings,
}

impl Report {
    /// Counts one evaluation, and its factorisation.
    fn evaluate(&mut self, bodies: usize) {
        self.evaluations += 1;
        self.body_evaluations += bodies as u64;
        self.factorizations += 1;
    }
}

/// Memory of all schemes; after a step only values that follow from the model and the settings are
/// used again.
#[derive(Clone)]
pub struct Memory {
    /// Residual, matrix, motions.
    pub workspace: Workspace,
    /// Loads between the ends of the step.
    pub loads: Loads,
    /// A state for evaluations: at the start of the step, where the scheme starts anew, or at a
    /// stage.
    pub state: State,
    /// Initial multipliers of the iteration where the scheme starts anew.
    pub lambda: Vec<f64>,
    /// v, vdot, a at the start of the step, where these differ from the point.
    start: start::Start,
    /// The last increments, in models with lines.
    search: search::Search,
    /// Rotations of bodies in the step, for `momentum-alpha`.
    turns: momentum::Turns,
    /// Accelerations that turn with bodies, in elements in energy form.
    half_turns: half_turn::HalfTurns,
    /// Increments h dq of (u, psi).
    dq: Vec<f64>,
    /// `dC/ds` at the start, one per constraint.
    slope: Vec<f64>,
    /// The other perturbation of the velocities at the start.
    beside: Vec<f64>,
    /// Corrections of the filter: right-hand sides, then solutions. Rows of nodes are zero between
    /// uses.
    changes: Vec<Rhs4>,
    /// Stages of the schemes of first-order form.
    stages: stage::Stages,
    /// Entities with their own steps; allocated by the first step of such a scheme.
    pub entities: Option<Box<Entities>>,
    /// The model frozen at its initial state; allocated by the first step with option `linear`.
    pub frozen: Option<Box<linear::Frozen>>,
}

impl Memory {
    /// All matrices that a step may factorise.
    fn matrices(&mut self) -> impl Iterator<Item = &mut Kkt> {
        let Memory { workspace, frozen, entities, .. } = self;
        let of_frozen = frozen.iter_mut().map(|frozen| &mut frozen.matrix);
        let of_entities = entities.iter_mut().flat_map(|entities| entities.matrices());
        std::iter::once(&mut workspace.matrix).chain(of_frozen).chain(of_entities)
    }

    /// Forgets what followed from the inertia of bodies, which has changed.
    pub fn forget_inertias(&mut self) {
        self.turns = momentum::Turns::default();
    }

    /// For a system, with memory of its evaluations.
    pub fn new(system: &System, state: &State, loads: &Loads, workspace: Workspace) -> Memory {
        let m = system.multipliers();
        Memory {
            workspace,
            loads: loads.clone(),
            state: state.clone(),
            lambda: state.lambda.clone(),
            start: start::Start::new(system.dofs(), system.layout().bodies()),
            search: search::Search::new(system),
            turns: momentum::Turns::default(),
            half_turns: half_turn::HalfTurns::default(),
            dq: vec![0.0; system.dofs()],
            slope: vec![0.0; m],
            beside: vec![0.0; m],
            changes: vec![Rhs4::ZERO; if m > 0 { system.dofs() + m } else { 0 }],
            stages: stage::Stages::default(),
            entities: None,
            frozen: None,
        }
    }
}
