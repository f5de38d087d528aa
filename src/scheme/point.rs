//! A state with the history of the scheme: all that a step starts from, and all of it that a snapshot must keep.

use super::constraint_filter;
use super::stage::Rate;
use crate::spatial::Vec6;
use crate::system::State;

/// What a scheme carries from step to step beside the state.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Length of the last step; 0 before the first.
    pub step: f64,
    /// Why the next step must start anew.
    pub restart: Restart,
    /// Algorithmic accelerations a, one per body.
    pub a: Vec<Vec6>,
    /// Steps since the scheme started anew, as far as it counts them.
    pub age: u32,
    /// What the last two steps left unsatisfied of the constraints' rates, one per constraint.
    pub violations: Vec<constraint_filter::Violations>,
    /// Multistep schemes: rates at the starts of the last steps, the latest first, one list per body; else empty.
    pub rates: Vec<PastRates>,
    /// Local steps: stands for the lengths, in ticks, of the steps between these.
    pub pattern: u64,
    /// Linear analysis: deviations (u, theta) from the initial state, one per body. Rotations beyond half a turn cannot be
    /// told from poses.
    pub deviations: Vec<Vec6>,
    /// Whether these belong to the state.
    pub is_linear: bool,
}

/// Most by which a step may be longer than the last and go on from it. Oscillators with steps of alternating lengths, 1 and
/// this, do not grow at any frequency and rho_inf; with 3 they do. A host's rounding of a factor 2 does not matter.
const MOST_STRETCH: f64 = 2.0 * (1.0 + 1e-6);

/// Rates of a body at the starts of its last steps, the latest first.
pub type PastRates = [Rate; 4];

impl History {
    fn copy_from(&mut self, other: &History) {
        self.step = other.step;
        self.restart = other.restart;
        self.a.clone_from(&other.a);
        self.age = other.age;
        self.violations.clone_from(&other.violations);
        self.rates.clone_from(&other.rates);
        self.pattern = other.pattern;
        self.deviations.clone_from(&other.deviations);
        self.is_linear = other.is_linear;
    }

    /// Whether a step of length `h` continues the last ones.
    pub fn continues(&self, h: f64) -> bool {
        // Hosts compute steps as differences of times, with rounding that grows over long runs.
        self.restart == Restart::No && (self.step - h).abs() <= 1e-6 * h
    }

    /// What a step of length `h` of the generalized-alpha family that goes on from the last ones is in units of theirs;
    /// None where it must start anew. What the last step left of order h is carried over in proportion, and that would
    /// feed errors where steps alternate between lengths further apart than [`MOST_STRETCH`].
    pub fn stretch(&self, h: f64) -> Option<f64> {
        match h / self.step {
            _ if self.continues(h) => Some(1.0),
            ratio if self.restart == Restart::No && ratio <= MOST_STRETCH => Some(ratio),
            _ => None,
        }
    }

    /// How many past rates of every body a step of length `h` of a multistep scheme may use, as far as it counts them.
    pub fn past(&self, h: f64, bodies: usize) -> usize {
        if self.continues(h) && self.rates.len() == bodies { self.age as usize } else { 0 }
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
    /// An imposed motion jumps to another rate, and the velocities of the bodies with it. Never at an accepted state.
    Jump,
    /// The rates of an imposed motion do not fit its positions: no derivative of it is known. Never at an accepted state.
    Unfit,
}

/// A state with the history of the scheme.
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
            rates: Vec::new(),
            pattern: 0,
            deviations: vec![Vec6::zeros(); state.bodies.len()],
            is_linear: false,
        };
        Point { state, history }
    }

    /// Copies; without allocation from the second time on.
    pub fn copy_from(&mut self, other: &Point) {
        self.state.copy_from(&other.state);
        self.history.copy_from(&other.history);
    }
}
