//! A point of a run: all that a step starts from. What was tried and accepted travels as one: the state, the loads that act
//! at its time, what the host said of that time, and the history of the scheme.

use super::constraint_filter;
use super::stage::Rate;
use crate::model::Loads;
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
        let History { step, restart, a, age, violations, rates, pattern, deviations, is_linear } = other;
        (self.step, self.restart, self.age) = (*step, *restart, *age);
        (self.pattern, self.is_linear) = (*pattern, *is_linear);
        self.a.clone_from(a);
        self.violations.clone_from(violations);
        self.rates.clone_from(rates);
        self.deviations.clone_from(deviations);
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

/// Whether, and from what, the next step starts anew; the stronger reason is the larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
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

/// What the host said at the time of a point: it acts on the step that starts there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Marks {
    /// Why that step starts anew, whatever the history says.
    pub restart: Restart,
    /// Loads jump: those of the step's end act from its start on.
    pub loads_jump: bool,
}

impl Marks {
    /// Nothing was said.
    pub const NONE: Marks = Marks { restart: Restart::No, loads_jump: false };

    /// What both say together.
    pub fn and(self, other: Marks) -> Marks {
        Marks { restart: self.restart.max(other.restart), loads_jump: self.loads_jump || other.loads_jump }
    }
}

/// A state with all that a step from it depends on, but for what acts at the step's end.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What the host reads.
    pub state: State,
    /// Loads at its time: those that the step to it ended with.
    pub loads: Loads,
    /// What the host said since it was reached.
    pub marks: Marks,
    /// What only the scheme reads.
    pub history: History,
}

impl Point {
    /// A start: no history.
    pub fn new(state: State, loads: Loads) -> Point {
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
        Point { state, loads, marks: Marks::NONE, history }
    }

    /// Copies; without allocation from the second time on.
    pub fn copy_from(&mut self, other: &Point) {
        let Point { loads, marks, state: _, history: _ } = other;
        self.copy_motion_from(other);
        self.loads.copy_from(loads);
        self.marks = *marks;
    }

    /// Copies state and history, which are what a scheme reads of a point.
    pub fn copy_motion_from(&mut self, other: &Point) {
        self.state.copy_from(&other.state);
        self.history.copy_from(&other.history);
    }
}
