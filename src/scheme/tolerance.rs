//! Internal steps by tolerance (option `step_tolerance`): their lengths follow from an estimate of
//! the error of each.
//!
//! The estimate is the difference of the increments from those of Hermite's quadrature of the
//! velocities, which is of order 4 and costs nothing (Zienkiewicz and Xie 1991, Earthquake Eng.
//! Struct. Dyn. 20, compare another free formula; this one has no parameters of a scheme):
//!
//! ```text
//! e_x   = x+ - x - h/2 (v + v+) - h^2/12 (vdot - vdot+),
//! e_psi = psi    - h/2 (omega + omega+) - h^2/12 (omegadot - omegadot+ + omega+ x omega),
//! ```
//!
//! psi in inertial axes, exp(psi) the rotation of the step. The largest over all free nodes counts,
//! in lengths of the model and in rad: numbers of a part of the model do not depend on the size of
//! the rest, nor on the place of the origin. The next length follows from this error and the last
//! one (controller of Gustafsson, Hairer and Wanner, Solving Ordinary Differential Equations II,
//! 1996, sect. IV.2). It belongs to the state, so that a run goes on bit by bit from a restored
//! one.

use super::host_step::{HostStep, is_curable};
use super::name::RungeKutta;
use super::step::start::three;
use super::{Memory, Pace, Point, Report, Restart, Scheme, Workplace};
use crate::spatial::Vec3;
use crate::system::{Failure, System};

/// What the next length is of the one that would err by just the tolerance.
const SAFETY: f64 = 0.9;

/// Least and largest factor of lengths from step to step. A step longer than twice the last starts
/// the scheme anew.
const FACTORS: [f64; 2] = [0.3, 2.0];

/// Longer steps by less than this are not worth a change.
const WORTHWHILE: f64 = 1.15;

/// Least factor behind a step that erred too much, and the one behind a step that failed.
const LEAST_CUT: f64 = 0.2;
const CUT_OF_FAILURES: f64 = 0.25;

/// The last error counts as this, in tolerances, where it was smaller by luck.
const LEAST_ERROR: f64 = 0.01;

/// The shortest internal step, as part of the host's.
const SHORTEST: f64 = 1e-12;

/// The largest error of a step.
#[derive(Debug, Clone, Copy, Default)]
struct StepError {
    /// In tolerances.
    size: f64,
    /// The first unknown of its node.
    unknown: usize,
}

impl StepError {
    /// Of a step of a length, behind which there is no shorter or further one.
    fn failure(self, length: f64) -> Failure {
        Failure::StepError { size: self.size, unknown: self.unknown, length }
    }
}

impl Scheme {
    /// Whether the errors of its steps are estimated.
    pub fn estimates_errors(self) -> bool {
        self.is_newton() || matches!(self, Scheme::RungeKutta(_))
    }

    /// The power of the step in the estimate.
    fn error_power(self) -> f64 {
        match self {
            Scheme::RungeKutta(RungeKutta::Euler) => 2.0,
            Scheme::RungeKutta(RungeKutta::Rk3) => 4.0,
            Scheme::RungeKutta(RungeKutta::Rk4) => 5.0,
            _ => 3.0,
        }
    }

    /// Estimate of the error of a step of length h, in tolerances.
    fn step_error(
        self,
        system: &System,
        [from, to]: [&Point; 2],
        h: f64,
        tolerance: f64,
        memory: &mut Memory,
    ) -> StepError {
        let Memory { dq, start, stages, .. } = memory;
        let layout = system.layout();
        layout.difference(&from.state.q, &to.state.q, dq);
        let [v, vdot] = match self {
            Scheme::RungeKutta(_) => [&stages.start.u, &stages.start.v],
            // The scheme started anew.
            _ if to.history.age == 1 => [&start.v, &start.vdot],
            _ => [&from.state.v, &from.state.vdot],
        };
        let ends = [dq, v, vdot, &to.state.v, &to.state.vdot];
        let error = |k: usize| {
            let [moved, v, vdot, v_end, vdot_end] = ends.map(|numbers| three(numbers, k));
            moved - (v + v_end) * (0.5 * h) - (vdot - vdot_end) * (h * h / 12.0)
        };
        let turned = |k: usize| error(k) - three(&to.state.v, k).cross(&three(v, k)) * (h * h / 12.0);
        let mut largest = StepError::default();
        system.nodes().for_each_free(|range| {
            let (unknown, turns) = (range.start, range.len() == 6);
            let size = size(system, error(unknown), turns.then(|| turned(unknown + 3)));
            if size / tolerance > largest.size {
                largest = StepError { size: size / tolerance, unknown };
            }
        });
        largest
    }
}

/// The larger one of a translation in model lengths and a rotation in rad.
fn size(system: &System, moved: Vec3, turned: Option<Vec3>) -> f64 {
    (moved.norm() / system.scales().length).max(turned.map_or(0.0, |turned| turned.norm()))
}

/// A length for the first step: accelerations move nothing by more than the tolerance in it.
fn first_length(system: &System, at: &Point, tolerance: f64) -> f64 {
    let mut hardest = 0.0f64;
    system.nodes().for_each_free(|range| {
        let (vdot, k) = (&at.state.vdot, range.start);
        hardest = hardest.max(size(system, three(vdot, k), (range.len() == 6).then(|| three(vdot, k + 3))));
    });
    (2.0 * tolerance / hardest).sqrt()
}

impl HostStep<'_> {
    /// The length of the coming internal step, where `remaining` is left: without option
    /// `step_tolerance` infinite. The last two steps are equally long.
    pub(super) fn pace(&self, remaining: f64) -> f64 {
        let tolerance = self.problem.settings.step_tolerance();
        if tolerance == 0.0 {
            return f64::INFINITY;
        }
        let (at, system) = (&*self.work.current, self.problem.system);
        let known = if at.history.pace.next > 0.0 { at.history.pace.next } else { first_length(system, at, tolerance) };
        // Twice the last one: a longer step would start the scheme anew.
        let most = if at.history.restart == Restart::No { FACTORS[1] * at.history.step } else { f64::INFINITY };
        let length = known.min(most);
        if length < remaining { length.min(0.5 * remaining) } else { remaining }
    }

    /// Tries internal steps from a fraction of the host step, at first to `end`, until one errs by
    /// no more than the tolerance; returns its end. `to`: the end of the part.
    pub(super) fn attempt_within(&mut self, start: f64, end: f64, to: f64) -> Result<(f64, Report), Failure> {
        let tolerance = self.problem.settings.step_tolerance();
        if tolerance == 0.0 {
            return Ok((end, self.attempt(start, end)?));
        }
        let power = self.scheme.error_power();
        let mut end = end;
        // Ends, because every pass but one takes from what is spare.
        loop {
            let length = (end - start) * self.problem.step;
            let (factor, failure) = match self.attempt(start, end) {
                Ok(report) => {
                    let error = self.error(length, tolerance);
                    self.choices.last_error = error.size;
                    if error.size <= 1.0 {
                        self.set_pace(length, error.size, power);
                        self.spare -= if end < to { 1.0 } else { 0.0 };
                        return if self.spare < 0.0 { Err(error.failure(length)) } else { Ok((end, report)) };
                    }
                    let factor = SAFETY * error.size.powf(-1.0 / power);
                    (factor.clamp(LEAST_CUT, SAFETY), error.failure(length))
                }
                Err(failure) if is_curable(&failure) => (CUT_OF_FAILURES, failure),
                Err(failure) => return Err(failure),
            };
            self.choices.rejected += 1;
            self.spare -= 1.0;
            if self.spare < 0.0 || (end - start) * factor < SHORTEST {
                return Err(failure);
            }
            end = start + (end - start) * factor;
            self.work.current.history.pace = Pace { next: length * factor, error: 1.0 };
        }
    }

    fn error(&mut self, length: f64, tolerance: f64) -> StepError {
        let Workplace { current, next, memory, .. } = &mut *self.work;
        self.scheme.step_error(self.problem.system, [current, next], length, tolerance, memory)
    }

    /// Chooses the length of the step behind one that is accepted.
    fn set_pace(&mut self, length: f64, error: f64, power: f64) {
        let last = self.work.current.history.pace;
        let before = if last.error > 0.0 { last.error.max(LEAST_ERROR) } else { 1.0 };
        let factor = match SAFETY * error.powf(-1.0 / power) {
            worth if (1.0..WORTHWHILE).contains(&worth) => 1.0,
            _ => SAFETY * error.powf(-0.7 / power) * before.powf(0.4 / power),
        };
        let factor = factor.clamp(FACTORS[0], FACTORS[1]);
        // A step that ended before its length was used up says little of longer ones.
        let next = if length < last.next * (1.0 - 1e-9) {
            Pace { next: (length * factor).max(last.next), ..last }
        } else {
            Pace { next: length * factor, error }
        };
        self.work.next.history.pace = next;
    }
}
