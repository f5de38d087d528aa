//! Line search of Newton's iteration, for models whose forces may change their branch within an
//! increment dx: lines, elements with kinks, load callbacks.
//!
//! Along the increments a monotone residual r does the work g(a) = r(x + a dx) . dx, which rises
//! with a from g(0) < 0 to zero at the best a. Where Newton's method is quadratic g(1) is next to
//! zero and the full increment stands, at the cost of two scalar products. Where g(1) is as large
//! as -g(0), and the largest force has not been halved, the increment led onto another branch: a
//! zero of g is then enclosed and found by regula falsi (the Illinois variant: Dowell, Jarratt
//! 1971, BIT 11, 168), by evaluations without a matrix.
//!
//! Forces that turn are not quite monotone. So the search also ends where the largest force has
//! fallen by half the part a; and late in an iteration, which may go to and fro between two
//! branches with g next to zero on both, increments that raise the largest force are halved until
//! it falls. Where they enclose a zero of g, that is found instead: a step of the force, such as
//! friction by tanh(v/v_s), lets the largest force fall a little wherever an increment ends beside
//! it, and only within it do tangents lead on.

use super::stop;
use super::sums::{larger_or_nan, sum};
use crate::system::{System, Workspace};

/// Longest increment of a node, in unstretched lengths of its segments.
const LONGEST: f64 = 2.0;

/// The full increment stands where g(1) is below this part of -g(0).
const STANDS: f64 = 0.9;

/// An increment found by the search stands where g is at most this part of that at the start.
const ENOUGH: f64 = 0.5;

/// The largest force has fallen enough where it is below 1 - a times this part.
const FALLS: f64 = 0.5;

/// Iterations after which an increment is not to raise the largest force.
const PATIENCE: u32 = 5;

/// Most evaluations of one search, which enclose a step of a force to 1e-12 of the increment, and
/// the part of the enclosing interval that each takes off at least.
const MOST: u32 = 40;
const INSIDE: f64 = 0.05;

/// Increments below this part of the tolerance are not searched: their g is rounding.
const TOLERANCE: f64 = 1e-2;

/// The last increments of an iteration, and where they started.
#[derive(Debug, Clone, Default)]
pub struct Search {
    /// Of all unknowns, multipliers included.
    increments: Vec<f64>,
    /// Whether increments of the step are searched.
    is_on: bool,
    /// The largest force where the increments started; infinite before the first ones.
    force: f64,
    /// g(0).
    work: f64,
}

/// Where a search is: a, and the ends of the interval that encloses the zero, each with its g.
#[derive(Debug, Clone, Copy)]
pub struct Line {
    at: f64,
    low: [f64; 2],
    high: [f64; 2],
    /// Whether the last place became the upper end.
    was_high: Option<bool>,
    /// Whether the largest force is to fall.
    is_late: bool,
    /// Whether only a small g ends the search.
    is_to_be_found: bool,
    tries: u32,
}

impl Search {
    /// Room for the unknowns of a system.
    pub fn new(system: &System) -> Search {
        Search { increments: vec![0.0; system.dofs() + system.multipliers()], ..Search::default() }
    }

    /// Before the first iteration of a step; `is_on`: whether its increments are searched.
    pub fn begin(&mut self, is_on: bool) {
        (self.is_on, self.force) = (is_on, f64::INFINITY);
    }

    /// Whether increments are searched.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// The part of the force out of balance that the last increments left, if it is `force` now.
    pub fn left(&self, force: f64) -> f64 {
        force / self.force
    }

    /// Cuts the increments in a solution to what segments of lines can follow, all by the same
    /// part, and remembers them. Those that are no numbers, or too large to be squared, stay: cut
    /// to nothing they would look like the end of the iteration. `force`: the largest one out of
    /// balance at their start, where the residual was evaluated.
    #[inline(always)]
    pub fn start(&mut self, system: &System, force: f64, workspace: &mut Workspace) {
        self.force = force;
        if !self.is_on {
            return;
        }
        let Workspace { solution, residual, .. } = workspace;
        let increments = system.layout().chained_in(solution);
        let excess = system
            .lines()
            .lengths()
            .map(|(nodes, length, segments)| stop::longest(&increments[nodes]) * segments as f64 / (LONGEST * length));
        let excess = excess.fold(1.0, larger_or_nan);
        if excess > 1.0 && excess.is_finite() {
            solution.iter_mut().for_each(|x| *x /= excess);
        }
        self.increments.copy_from_slice(solution);
        self.work = self.work_of(system, residual);
    }

    /// g of a residual.
    fn work_of(&self, system: &System, residual: &[f64]) -> f64 {
        let dofs = system.dofs();
        sum(&residual[..dofs], &self.increments[..dofs], |r, dx| r * dx)
    }

    /// Begins a search where the last increments led too far: `force` is the largest force at their
    /// end, where the residual was evaluated. `tolerance`: of increments, as part of the model's
    /// length or an angle; `iterations`: so many with this one.
    #[inline(always)]
    pub fn leads_too_far(
        &self,
        system: &System,
        (tolerance, iterations): (f64, u32),
        force: f64,
        workspace: &Workspace,
    ) -> Option<Line> {
        let is_late = iterations > PATIENCE && force > self.force;
        // An iteration that learns from load callbacks has other increments every time.
        let learns = workspace.lessons() > 0 && iterations <= PATIENCE + workspace.lessons();
        if !self.is_on || learns || self.has_fallen(1.0, force) || !(self.work < 0.0 || is_late) {
            return None;
        }
        let work = self.work_of(system, &workspace.residual);
        let encloses = self.work < 0.0 && work > 0.0;
        let layout = system.layout();
        let lengths = [1.0, system.scales().length];
        let is_long =
            |(k, dx): (usize, &f64)| dx.abs() > TOLERANCE * tolerance * lengths[usize::from(!layout.is_rotation(k))];
        let stands = (work <= -STANDS * self.work && !is_late)
            || !self.increments[..system.dofs()].iter().enumerate().any(is_long);
        (!stands).then_some(Line {
            at: 1.0,
            low: [0.0, self.work],
            high: [1.0, work],
            was_high: None,
            is_late: is_late && !encloses,
            is_to_be_found: is_late && encloses,
            tries: 0,
        })
    }

    /// Whether the largest force has fallen enough at a place.
    fn has_fallen(&self, at: f64, force: f64) -> bool {
        force <= (1.0 - FALLS * at) * self.force
    }

    /// Leaves in `workspace.solution` the change that leads to the next place of a search.
    pub fn go_on(&self, line: &mut Line, workspace: &mut Workspace) {
        let Line { at, low: [low, of_low], high: [high, of_high], .. } = *line;
        let (secant, margin) = ((low * of_high - high * of_low) / (of_high - of_low), INSIDE * (high - low));
        let next = match secant > low + margin && secant < high - margin {
            _ if line.is_late => 0.5 * at,
            true => secant,
            false => 0.5 * (low + high),
        };
        workspace.solution.iter_mut().zip(&self.increments).for_each(|(x, dx)| *x = (next - at) * dx);
        (line.at, line.tries) = (next, line.tries + 1);
    }

    /// Judges the place that a search is at, where the largest force is `force`: true if the search
    /// ends there.
    pub fn ends(&self, line: &mut Line, system: &System, force: f64, workspace: &Workspace) -> bool {
        let work = self.work_of(system, &workspace.residual);
        let is_small = work.abs() <= ENOUGH * self.work.abs() && !line.is_late;
        let has_fallen = self.has_fallen(line.at, force) && !line.is_to_be_found;
        if is_small || has_fallen || line.tries >= MOST {
            return true;
        }
        // The end that stays a second time counts half: else one end would stay for ever.
        let is_high = work > 0.0;
        let halves = if line.was_high == Some(is_high) { 0.5 } else { 1.0 };
        if is_high {
            line.high = [line.at, work];
            line.low[1] *= halves;
        } else {
            line.low = [line.at, work];
            line.high[1] *= halves;
        }
        line.was_high = Some(is_high);
        false
    }
}
