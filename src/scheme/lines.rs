//! What Newton's iteration does where a model has lines: increments that a segment can follow, a retreat where forces grow,
//! and when it is done.
//!
//! A segment that is slack, or touches the bed, changes its stiffness by orders of magnitude within a step. An increment of more than
//! two of its lengths says nothing: it is cut. One that raises the forces late in the iteration would go back and forth between two
//! branches: half of it is taken back ([`Search`]). The iteration is done where the next increment, judged by the last two, would not
//! matter ([`Done`]). That is a promise, which increments onto another branch break: so `second_look` asks the forces at the end of
//! the step, which are computed for the host anyway, whether it was kept.

use super::Point;
use crate::system::{System, Workspace};

/// Longest increment of a node, in unstretched lengths of its segments.
const LONGEST: f64 = 2.0;

/// Iterations before an increment that raises the forces is halved.
const PATIENCE: u32 = 5;

/// Expected change of a node, as part of the length of its line, at which it is done: far below what hosts read of tensions. Hosts
/// cannot loosen it: a hundred times as much strains one of forty segments by 1e-4.
const DONE: f64 = 3e-8;

/// The same in parts of `abs_tolerance`, by which hosts may ask for less: `DONE` by default.
const TOLERANCES: f64 = 3.0;

/// The same of the last increment, where the iteration promises nothing.
const NOTHING: f64 = 1e-10;

/// Largest ratio of two increments that promises anything.
const CONTRACTING: f64 = 0.5;

/// The larger of two sizes; what is no number is larger than any, whenever it comes.
#[inline(always)]
fn larger(most: f64, x: f64) -> f64 {
    if x > most || x.is_nan() { x } else { most }
}

/// Length of the longest; what is no number stays none. In two lanes, which do not wait for each other.
fn longest(increments: &[[f64; 3]]) -> f64 {
    let square = |d: &[f64; 3]| d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let (pairs, rest) = increments.as_chunks::<2>();
    let mut lanes = [0.0; 2];
    for pair in pairs {
        lanes = [larger(lanes[0], square(&pair[0])), larger(lanes[1], square(&pair[1]))];
    }
    let last = rest.iter().map(square).fold(lanes[0], larger);
    larger(last, lanes[1]).sqrt()
}

/// Whether increments of lines are done.
#[derive(Debug, Clone, Copy)]
pub struct Done {
    previous: f64,
    /// Expected change that is enough.
    enough: f64,
    /// Whether `DONE` was expected in an iteration before.
    was_near: bool,
    /// Whether the increments shrank in the last iteration.
    contracted: bool,
    /// Whether the last increments were rounding: small, and shrink no more.
    pub stalls: bool,
}

impl Done {
    /// Before the first iteration of a step.
    pub fn new(abs_tolerance: f64) -> Done {
        let enough = DONE.min(TOLERANCES * abs_tolerance);
        Done { previous: f64::INFINITY, enough, was_near: false, contracted: false, stalls: false }
    }

    /// Whether increments that are this part of the last ones would be the last.
    pub fn promises(&self, part: f64) -> bool {
        part * part * self.previous <= self.enough
    }

    /// Whether the last increments were as good as none.
    pub fn stand(&self) -> bool {
        self.previous <= NOTHING
    }

    /// The measure of the increments in a solution: 1 or less is enough.
    pub fn measure(&mut self, system: &System, solution: &[f64]) -> f64 {
        let increments = system.layout().chained_in(solution);
        let parts = system.lines().lengths().map(|(nodes, length, _)| longest(&increments[nodes]) / length);
        let last = parts.fold(0.0, larger);
        // Before the first iteration there was nothing to compare with.
        let rate = if self.previous.is_finite() { last / self.previous } else { 1.0 };
        self.previous = last;
        let contracts = rate < CONTRACTING;
        // Rounding of stiff lines may be larger than nothing: increments near the end that do not shrink twice in a row are that.
        let is_rounding = self.was_near && !contracts && !self.contracted;
        let nothing = if is_rounding { DONE } else { NOTHING };
        self.contracted = contracts;
        self.stalls = !contracts && last <= nothing;
        self.was_near |= contracts && rate * last <= DONE;
        if contracts { rate * last / self.enough } else { last / nothing }
    }
}

/// The last increments of an iteration, and the forces that they started from.
#[derive(Debug, Clone, Default)]
pub struct Search {
    increments: Vec<f64>,
    force: f64,
}

impl Search {
    /// Room for the unknowns of a system.
    pub fn new(system: &System) -> Search {
        let unknowns = if system.lines().count() > 0 { system.dofs() + system.multipliers() } else { 0 };
        Search { increments: vec![0.0; unknowns], force: f64::INFINITY }
    }

    /// Before the first iteration of a step.
    pub fn begin(&mut self) {
        self.force = f64::INFINITY;
    }

    /// The part of the force out of balance that the last increments left, if it is `force` now.
    pub fn left(&self, force: f64) -> f64 {
        force / self.force
    }

    /// Whether the iterate evaluated last is to be left, late in an iteration, for one half as far along the last increments:
    /// the largest `force` out of balance has grown on the way. Then `increments` are minus that half.
    pub fn retreats(&mut self, force: f64, iterations: u32, workspace: &mut Workspace) -> bool {
        if self.increments.is_empty() {
            return false;
        }
        if iterations > PATIENCE && force > self.force {
            self.increments.iter_mut().for_each(|x| *x *= 0.5);
            workspace.solution.iter_mut().zip(&self.increments).for_each(|(x, half)| *x = -half);
            return true;
        }
        self.force = force;
        false
    }

    /// Cuts the increments in a solution to what segments can follow, all by the same part, and remembers them. Those that are no
    /// numbers, or too large to be squared, stay: cut to nothing they would look like the end of the iteration.
    #[inline(always)]
    pub fn limit(&mut self, system: &System, solution: &mut [f64]) {
        if !self.increments.is_empty() {
            self.limit_some(system, solution);
        }
    }

    /// The same, where there are lines.
    fn limit_some(&mut self, system: &System, solution: &mut [f64]) {
        let increments = system.layout().chained_in(solution);
        let excess = system
            .lines()
            .lengths()
            .map(|(nodes, length, segments)| longest(&increments[nodes]) * segments as f64 / (LONGEST * length));
        let excess = excess.fold(1.0, larger);
        if excess > 1.0 && excess.is_finite() {
            solution.iter_mut().for_each(|x| *x /= excess);
        }
        self.increments.copy_from_slice(solution);
    }
}

/// Whether a tension changed by more than the host allows over a step.
pub fn tension_jumps(from: &Point, to: &Point, most: f64) -> bool {
    let pairs = from.state.lines.tensions.iter().zip(&to.state.lines.tensions);
    most > 0.0 && pairs.into_iter().any(|(from, to)| (to - from).abs() > most)
}
