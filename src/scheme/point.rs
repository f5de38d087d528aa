//! A point of a run: all that a step starts from. What was tried and accepted travels as one: the
//! state, the loads that act at its time, what the host said of that time, and the history of the
//! scheme.

use super::explicit::numbers::Numbers;
use crate::model::Loads;
use crate::system::{Layout, Memory, State};

/// What a scheme carries from step to step beside the state.
#[derive(Debug, Clone, PartialEq)]
pub struct History {
    /// Length of the last step; 0 before the first.
    pub step: f64,
    /// Why the next step must start anew.
    pub restart: Restart,
    /// Steps since the scheme started anew, as far as it counts them.
    pub age: u32,
    /// Lengths of internal steps that follow a tolerance.
    pub pace: Pace,
    /// What the family of schemes carries.
    pub past: Past,
}

/// What the choice of internal steps carries from one to the next.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Pace {
    /// Length of the next step; 0 if none is known.
    pub next: f64,
    /// Error of the last step, in tolerances.
    pub error: f64,
}

/// What families of schemes carry.
#[derive(Debug, Clone, PartialEq)]
pub enum Past {
    /// Nothing: Runge-Kutta, beuler, midpoint, anderson, aca.
    Nothing,
    /// generalized-alpha, momentum-alpha, newmark, hht.
    Alpha(Alpha),
    /// The same on a frozen model.
    Linear(Linear),
    /// wilson: accelerations of the formula.
    Wilson(Vec<f64>),
    /// Adams-Bashforth, with local steps too.
    Multistep(Multistep),
}

/// What generalized-alpha carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Alpha {
    /// Algorithmic accelerations a.
    pub a: Vec<f64>,
    /// v and vdot that the next step starts from.
    pub filtered: Filtered,
    /// Filtered accelerations, and multipliers as they were found, one step before the state's.
    pub vdot: Vec<f64>,
    /// See above.
    pub lambda: Vec<f64>,
    /// What the last two steps left unsatisfied of the constraints' rates, one per constraint.
    pub violations: Vec<Violations>,
    /// What the angular velocities of the state lack of angular momenta by rounding, one per body
    /// (`momentum-alpha`; else 0).
    pub unrounded: Vec<[f64; 3]>,
    /// Of elements in energy form.
    pub kinks: Kinks,
}

/// Steps after a kink for which histories do not grow with the step: what they lack of the law is
/// no derivative there.
pub const SETTLED: u32 = 6;

/// What generalized-alpha carries of elements in energy form.
#[derive(Debug, Clone, PartialEq)]
pub struct Kinks {
    /// f and A, per unknown that they act on.
    pub force: Vec<f64>,
    /// See above.
    pub algorithmic: Vec<f64>,
    /// Numerical dissipation of these elements.
    pub memories: Vec<Memory>,
    /// What a of bodies on which elements without kinks act is in axes that turn with them, less
    /// the inertial a (`step/half_turn`).
    pub turned: Vec<[f64; 3]>,
    /// Steps since the stiffness of one of them jumped, up to [`SETTLED`].
    pub since: u32,
}

/// Violations of the rates of one constraint by v, a and vdot: each after the last step and the one
/// before.
pub type Violations = [[f64; 2]; 3];

/// v and vdot of the state without the part that alternates normal to the constraints
/// (`step/filter`), and with the scheme's own forces of elements in energy form (`step/energy`).
/// The state has others, which balance its forces. Empty without constraints and such elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Filtered {
    /// v.
    pub v: Vec<f64>,
    /// vdot.
    pub vdot: Vec<f64>,
}

/// What linear analysis carries.
#[derive(Debug, Clone, PartialEq)]
pub struct Linear {
    /// Algorithmic accelerations a.
    pub a: Vec<f64>,
    /// As [`Alpha::filtered`].
    pub filtered: Filtered,
    /// Deviations (u, theta) from the initial state: rotations beyond half a turn cannot be told
    /// from poses.
    pub deviations: Vec<f64>,
    /// As [`Alpha::violations`].
    pub violations: Vec<Violations>,
    /// Whether these belong to the state.
    pub is_known: bool,
}

/// What multistep methods carry.
#[derive(Debug, Clone, PartialEq)]
pub struct Multistep {
    /// Rates at the starts of the last steps, the latest first.
    pub rates: [Numbers; 4],
    /// At what spacing: [`TOGETHER`], or what stands for the lengths, in ticks, of the local steps
    /// between these.
    pub pattern: u64,
}

/// The pattern of rates of a model that is stepped as a whole.
pub const TOGETHER: u64 = 0;

/// Which of them a scheme carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// See [`Past`].
    Nothing,
    /// See [`Past`].
    Alpha,
    /// See [`Past`].
    Linear,
    /// See [`Past`].
    Wilson,
    /// See [`Past`].
    Multistep,
}

/// Most by which a step may be longer than the last and go on from it. Oscillators with steps of
/// alternating lengths, 1 and this, do not grow at any frequency and rho_inf; with 3 they do. A
/// host's rounding of a factor 2 does not matter.
const MOST_STRETCH: f64 = 2.0 * (1.0 + 1e-6);

impl Filtered {
    fn new(layout: Layout, is_needed: bool) -> Filtered {
        let zeros = || vec![0.0; if is_needed { layout.dofs() } else { 0 }];
        Filtered { v: zeros(), vdot: zeros() }
    }

    /// What a step from a state starts from.
    #[inline(always)]
    pub fn of<'a>(&'a self, state: &'a State) -> [&'a [f64]; 2] {
        if self.v.is_empty() { [&state.v, &state.vdot] } else { [&self.v, &self.vdot] }
    }

    /// Takes a state as it is.
    #[inline(always)]
    pub fn take(&mut self, state: &State) {
        if !self.v.is_empty() {
            self.v.copy_from_slice(&state.v);
            self.vdot.copy_from_slice(&state.vdot);
        }
    }

    fn copy_from(&mut self, Filtered { v, vdot }: &Filtered) {
        self.v.clone_from(v);
        self.vdot.clone_from(vdot);
    }
}

impl Kinks {
    fn new(layout: Layout) -> Kinks {
        let counts = layout.own().kinks;
        let zeros = || vec![0.0; counts.forces];
        Kinks {
            force: zeros(),
            algorithmic: zeros(),
            memories: vec![Memory::default(); counts.memories],
            turned: vec![[0.0; 3]; counts.turning],
            since: SETTLED,
        }
    }

    fn copy_from(&mut self, Kinks { force, algorithmic, memories, turned, since }: &Kinks) {
        self.force.clone_from(force);
        self.algorithmic.clone_from(algorithmic);
        self.memories.clone_from(memories);
        self.turned.clone_from(turned);
        self.since = *since;
    }

    /// Carries nothing: after a step in which such elements are taken as others are.
    pub fn clear(&mut self) {
        self.force.fill(0.0);
        self.algorithmic.fill(0.0);
        self.memories.fill(Memory::default());
        self.turned.fill([0.0; 3]);
        self.since = SETTLED;
    }
}

impl Past {
    /// Of a shape, all zero.
    pub fn new(shape: Shape, layout: Layout, multipliers: usize) -> Past {
        let zeros = || vec![0.0; layout.dofs()];
        match shape {
            Shape::Nothing => Past::Nothing,
            Shape::Alpha => Past::Alpha(Alpha {
                a: zeros(),
                filtered: Filtered::new(layout, multipliers > 0 || layout.own().kinks.memories > 0),
                vdot: zeros(),
                lambda: vec![0.0; multipliers],
                violations: vec![Default::default(); multipliers],
                unrounded: vec![[0.0; 3]; layout.bodies()],
                kinks: Kinks::new(layout),
            }),
            Shape::Linear => Past::Linear(Linear {
                a: zeros(),
                filtered: Filtered::new(layout, multipliers > 0),
                deviations: zeros(),
                violations: vec![Default::default(); multipliers],
                is_known: false,
            }),
            Shape::Wilson => Past::Wilson(zeros()),
            Shape::Multistep => {
                Past::Multistep(Multistep { rates: std::array::from_fn(|_| Numbers::zeros(layout)), pattern: TOGETHER })
            }
        }
    }

    /// Its shape.
    pub fn shape(&self) -> Shape {
        match self {
            Past::Nothing => Shape::Nothing,
            Past::Alpha(_) => Shape::Alpha,
            Past::Linear(_) => Shape::Linear,
            Past::Wilson(_) => Shape::Wilson,
            Past::Multistep(_) => Shape::Multistep,
        }
    }

    /// Copies; without allocation from one shape to itself.
    fn copy_from(&mut self, other: &Past) {
        match (self, other) {
            (Past::Alpha(own), Past::Alpha(Alpha { a, filtered, vdot, lambda, violations, unrounded, kinks })) => {
                own.a.clone_from(a);
                own.filtered.copy_from(filtered);
                own.vdot.clone_from(vdot);
                own.lambda.clone_from(lambda);
                own.violations.clone_from(violations);
                own.unrounded.clone_from(unrounded);
                own.kinks.copy_from(kinks);
            }
            (Past::Linear(own), Past::Linear(Linear { a, filtered, deviations, violations, is_known })) => {
                own.a.clone_from(a);
                own.filtered.copy_from(filtered);
                own.deviations.clone_from(deviations);
                own.violations.clone_from(violations);
                own.is_known = *is_known;
            }
            (Past::Wilson(own), Past::Wilson(a)) => own.clone_from(a),
            (Past::Multistep(own), Past::Multistep(Multistep { rates, pattern })) => {
                own.rates.iter_mut().zip(rates).for_each(|(own, rates)| own.copy_from(rates));
                own.pattern = *pattern;
            }
            (own, other) => *own = other.clone(),
        }
    }
}

impl History {
    fn copy_from(&mut self, other: &History) {
        let History { step, restart, age, pace, past } = other;
        (self.step, self.restart, self.age, self.pace) = (*step, *restart, *age, *pace);
        self.past.copy_from(past);
    }

    /// Makes room for what a scheme carries; what another family left is of no use to it.
    pub fn take_shape(&mut self, shape: Shape, layout: Layout, multipliers: usize) {
        if self.past.shape() != shape {
            self.past = Past::new(shape, layout, multipliers);
            self.restart = self.restart.max(Restart::Parameters);
        }
    }

    /// Whether a step of length `h` continues the last ones.
    pub fn continues(&self, h: f64) -> bool {
        // Hosts compute steps as differences of times, with rounding that grows over long runs.
        self.restart == Restart::No && (self.step - h).abs() <= 1e-6 * h
    }

    /// What a step of length `h` of the generalized-alpha family that goes on from the last ones is
    /// in units of theirs; None where it must start anew. What the last step left of order h is
    /// carried over in proportion, and that would feed errors where steps alternate between lengths
    /// further apart than [`MOST_STRETCH`].
    pub fn stretch(&self, h: f64) -> Option<f64> {
        match h / self.step {
            _ if self.continues(h) => Some(1.0),
            ratio if self.restart == Restart::No && ratio <= MOST_STRETCH => Some(ratio),
            _ => None,
        }
    }

    /// How many past rates a step of length `h` of a multistep scheme may use, as far as it counts
    /// them: those at the spacing that it has itself.
    pub fn known_rates(&self, h: f64, pattern: u64) -> usize {
        let known = self.multistep().filter(|last| last.pattern == pattern && self.continues(h));
        known.map_or(0, |_| self.age as usize)
    }

    /// What generalized-alpha carries.
    pub fn alpha(&self) -> Option<&Alpha> {
        if let Past::Alpha(alpha) = &self.past { Some(alpha) } else { None }
    }

    /// The same to change.
    pub fn alpha_mut(&mut self) -> Option<&mut Alpha> {
        if let Past::Alpha(alpha) = &mut self.past { Some(alpha) } else { None }
    }

    /// What linear analysis carries.
    pub fn linear(&self) -> Option<&Linear> {
        if let Past::Linear(linear) = &self.past { Some(linear) } else { None }
    }

    /// The same to change.
    pub fn linear_mut(&mut self) -> Option<&mut Linear> {
        if let Past::Linear(linear) = &mut self.past { Some(linear) } else { None }
    }

    /// What multistep methods carry.
    pub fn multistep(&self) -> Option<&Multistep> {
        if let Past::Multistep(multistep) = &self.past { Some(multistep) } else { None }
    }

    /// The same to change.
    pub fn multistep_mut(&mut self) -> Option<&mut Multistep> {
        if let Past::Multistep(multistep) = &mut self.past { Some(multistep) } else { None }
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
    /// An imposed motion jumps to another rate, and the velocities of the bodies with it. Never at
    /// an accepted state.
    Jump,
    /// The rates of an imposed motion do not fit its positions: no derivative of it is known. Never
    /// at an accepted state.
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
    /// A start: no history, but room for what a scheme carries.
    pub fn new(state: State, loads: Loads, shape: Shape) -> Point {
        let past = Past::new(shape, state.layout, state.lambda.len());
        let history = History { step: 0.0, restart: Restart::Discontinuity, age: 0, pace: Pace::default(), past };
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
