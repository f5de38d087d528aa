//! Time schemes: each advances a state over one internal step and knows only what `system` offers.
//!
//! A new scheme is one file with a `step` function, one variant of [`Scheme`] and its name.

mod generalized_alpha;
mod newton;
mod parasite;
mod start;

use crate::error::{Error, Result};
use crate::model::{BodyLoadFn, Hydrodynamics, Loads, Settings};
use crate::spatial::Vec6;
use crate::system::{BodyState, Environment, Failure, State, System, Workspace};

/// The schemes of this version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Lie-group generalized-alpha.
    #[default]
    GeneralizedAlpha,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: [Scheme; 1] = [Scheme::GeneralizedAlpha];

    /// The name a host selects it by.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::GeneralizedAlpha => "generalized-alpha",
        }
    }

    /// From that name; the error lists the known ones.
    pub fn from_name(name: &str) -> Result<Scheme> {
        Scheme::ALL.into_iter().find(|scheme| scheme.name() == name).ok_or_else(|| {
            let known = Scheme::ALL.map(Scheme::name).join(", ");
            Error::bad_value("name", format!("\"{name}\" is not a scheme; known: {known}"))
        })
    }

    /// How much the iteration of a step of length h changes velocities and accelerations per change of the increments.
    pub fn rates_per_increment(self, settings: &Settings, h: f64) -> [f64; 2] {
        match self {
            Scheme::GeneralizedAlpha => generalized_alpha::Parameters::optimal(settings.rho_inf()).rates(h),
        }
    }

    /// Advances `from` by `problem.step` into `to`; `to` holds anything on failure.
    pub fn step(
        self,
        problem: &Problem,
        from: &Point,
        to: &mut Point,
        memory: &mut Memory,
    ) -> std::result::Result<Report, Failure> {
        match self {
            Scheme::GeneralizedAlpha => generalized_alpha::step(problem, from, to, memory),
        }
    }
}

/// What a scheme carries from step to step beside the state.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Length of the last step; 0 before the first.
    pub step: f64,
    /// Why the next step must start anew.
    pub restart: Restart,
    /// Algorithmic accelerations a, one per body.
    pub a: Vec<Vec6>,
    /// Steps since the scheme started anew, up to 3.
    pub age: u32,
    /// What the last two steps left unsatisfied of the constraints' rates, one per constraint.
    pub violations: Vec<parasite::Violations>,
}

impl History {
    fn copy_from(&mut self, other: &History) {
        self.step = other.step;
        self.restart = other.restart;
        self.a.clone_from(&other.a);
        self.age = other.age;
        self.violations.clone_from(&other.violations);
    }
}

/// Whether, and from what, the next step starts anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Restart {
    /// It goes on.
    No,
    /// The scheme's parameters changed: accelerations are smooth there.
    Parameters,
    /// The accelerations may jump: initial time, or loads that jump.
    Discontinuity,
}

/// A state with the history of the scheme: all that a step starts from.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What the host reads.
    pub state: State,
    /// What only the scheme reads.
    pub history: History,
}

impl Point {
    /// A start: no history.
    pub fn new(state: State) -> Point {
        let history = History {
            step: 0.0,
            restart: Restart::Discontinuity,
            a: vec![Vec6::zeros(); state.bodies.len()],
            age: 0,
            violations: vec![Default::default(); state.lambda.len()],
        };
        Point { state, history }
    }

    /// Copies without allocation.
    pub fn copy_from(&mut self, other: &Point) {
        self.state.copy_from(&other.state);
        self.history.copy_from(&other.history);
    }
}

/// One internal step to be made.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// Options.
    pub settings: &'a Settings,
    /// Coefficients of the fluid.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Load callbacks.
    pub callbacks: &'a [Option<BodyLoadFn>],
    /// Loads at the start of the step.
    pub loads_start: &'a Loads,
    /// Loads at its end.
    pub loads_end: &'a Loads,
    /// Length h.
    pub step: f64,
}

impl<'a> Problem<'a> {
    /// What acts at a time of the step from a point, under given loads.
    fn environment(&self, from: &'a Point, time: f64, loads: &'a Loads) -> Environment<'a> {
        let coordinates = &from.state.coordinates;
        Environment { time, loads, hydrodynamics: self.hydrodynamics, callbacks: self.callbacks, coordinates }
    }
}

/// What one internal step cost and how it ended.
#[derive(Debug, Clone, Copy, Default)]
pub struct Report {
    /// Newton iterations.
    pub iterations: u32,
    /// Factorisations.
    pub factorizations: u32,
    /// Largest residual of the equations of motion at the last evaluation (moments over the model's length).
    pub residual: f64,
    /// The last value of the convergence measure.
    pub error: f64,
    /// False where the step was accepted without convergence.
    pub converged: bool,
}

/// Memory that schemes share; nothing in it outlives a step.
#[derive(Clone)]
pub struct Memory {
    /// Residual, matrix, motions.
    pub workspace: Workspace,
    /// What acts between the ends of the step.
    pub loads: Loads,
    /// State at the start of the step, where the scheme starts anew.
    pub bodies: Vec<BodyState>,
    /// Multipliers that the iteration starts from.
    pub lambda: Vec<f64>,
    /// Where the step starts: v, vdot, a as the scheme takes them.
    pub start: Vec<start::Start>,
    /// Increments h dq of (u, psi).
    pub increments: Vec<Vec6>,
    /// `dC/ds` at the start, one per constraint.
    slope: Vec<f64>,
    /// `B (0, omega0 x omegadot0)` at the start.
    turning: Vec<f64>,
    /// Alternating parts of the violations.
    alternating: Vec<[f64; 3]>,
}

impl Memory {
    /// For a system.
    pub fn new(system: &System, state: &State, loads: &Loads) -> Memory {
        let (n, m) = (system.bodies(), system.multipliers());
        Memory {
            workspace: Workspace::new(n, m),
            loads: loads.clone(),
            bodies: state.bodies.clone(),
            lambda: state.lambda.clone(),
            start: vec![start::Start::default(); n],
            increments: vec![Vec6::zeros(); n],
            slope: vec![0.0; m],
            turning: vec![0.0; m],
            alternating: vec![[0.0; 3]; m],
        }
    }
}
