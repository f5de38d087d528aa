//! Implicit formulas solved by a given number of relaxed substeps: beulerN, midpointN, andersonN,
//! acaN, wilsonN.
//!
//! Sources: MoorDyn, "Time Schemes"; Wilson's theta: Wilson, Farhoomand, Bathe (1973), Earthquake
//! Eng. Struct. Dyn. 1; Anderson's acceleration: Walker, Ni (2011), SIAM J. Numer. Anal. 49.
//!
//! ```text
//! beuler, midpoint, anderson:  F = f(t + k h, y + k h F),  y+ = y + h F,  k = 1, 1/2, 1
//! aca:     A = vdot(t + h, x + h v + h^2/4 (a + A), v + h/2 (a + A))
//! wilson:  A = vdot(t + H, x + H v + H^2/6 (2 a + A), v + H/2 (a + A)),  H = theta h,  a+ = a + (A - a)/theta,
//!          x+ = x + h v + h^2/6 (2 a + a+),  v+ = v + h/2 (a + a+)
//! ```
//!
//! (rotations of the last two by the exponential, increments inertial). Order 1, 2, 1, 2, 2 with
//! any number of substeps N: all iterations start within O(h) of their solution. They stop early
//! when they have converged. The iteration contracts for k w h < 1 without relaxation, and for k w
//! h < sqrt((1 + R)/(1 - R)) with it; beyond that it diverges, which is an error here (see
//! `growth`).

use super::numbers::Numbers;
use super::stage::{self, Stages};
use super::{anderson, growth, relaxation};
use crate::model::NoConvergencePolicy;
use crate::scheme::name::Implicit;
use crate::scheme::stop::farthest;
use crate::scheme::{Memory, Past, Point, Problem, Report, Restart};
use crate::system::{Failure, Growing, State};

/// Part of the tolerance at which substeps stop early: such errors are negligible against that of
/// the scheme.
const STOP: f64 = 1e-4;

/// Largest ratio of the last change to the first at which the step counts as stable without further
/// tests: with few substeps and with eight or more.
const DOUBTFUL: [f64; 2] = [0.3, 0.1];

/// Weights of both accelerations in the increment of aca, times h^2.
const ACA: [f64; 2] = [0.25; 2];

/// Wilson's theta.
const THETA: f64 = 1.37;

/// One step of a formula with a number of substeps.
pub fn step(
    formula: Implicit,
    substeps: u32,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut report = Report::default();
    memory.stages.resize(anderson::LISTS, from.state.layout);
    stage::start(problem, from, memory, &mut report)?;
    let scheme = (formula, substeps);
    let mut iteration = match formula {
        Implicit::BackwardEuler | Implicit::Midpoint | Implicit::Anderson => {
            rates(scheme, problem, from, memory, &mut report)?
        }
        Implicit::AverageAcceleration | Implicit::Wilson => accelerations(scheme, problem, from, memory, &mut report)?,
    };
    // Poses do not show how far an angle has grown.
    let astray = stage::turns_astray(problem, from, &memory.stages.y);
    stage::finish_at(problem, from, to, memory, &mut report, false)?;
    if formula != Implicit::Wilson {
        left_at_end(formula, problem, from, to, memory);
        iteration.weigh(problem, &memory.stages.changes)?;
    }
    let by_rates = !matches!(formula, Implicit::AverageAcceleration | Implicit::Wilson);
    let most = if by_rates { DOUBTFUL[usize::from(substeps >= 8)] } else { 1.0 };
    if iteration.left() > most && formula != Implicit::Wilson {
        // The end of the step fulfils the constraints. If an imposed rate has jumped, that changed
        // the velocities by as much as the jump, which is not divergence: test the change by one
        // more substep instead.
        substep_more(formula, problem, from, memory, &mut report)?;
        iteration.weigh(problem, &memory.stages.changes)?;
    }
    let grew = astray
        || iteration.left() > most
            && (!by_rates || growth::confirmed(scheme, problem, from, &iteration.norm(problem), memory, &mut report)?);
    iteration.conclude(problem, grew, &mut report)?;
    if let Past::Wilson(a) = &mut to.history.past {
        // a+ of the formula, not of the equations: with it the recursion is stable.
        average(&memory.start.a, &memory.stages.rates[0].v, THETA, a);
    }
    to.history.age = 1;
    Ok(report)
}

/// Writes `a + (A - a)/theta` to `end`.
fn average(start: &[f64], found: &[f64], theta: f64, end: &mut [f64]) {
    end.iter_mut().zip(start.iter().zip(found)).for_each(|(end, (a, found))| *end = a + (found - a) / theta);
}

/// The error after the last substep, written to `stages.changes`: the rates at the end of the step
/// are one more evaluation of beuler, anderson and aca; the mean of them and those at the start is
/// one of midpoint (on a linear system; otherwise up to O(h^2)).
fn left_at_end(formula: Implicit, problem: &Problem, from: &Point, to: &Point, memory: &mut Memory) {
    let Stages { y, rates, start, changes } = &mut memory.stages;
    let [last, found, ..] = &mut rates[..] else { return };
    y.set_moved(&from.state, problem.step, last);
    y.v.clone_from(&to.state.v);
    found.set_rates(from.state.layout, y, &to.state.vdot);
    if formula == Implicit::Midpoint {
        found.scale(0.5);
        found.add(0.5, start);
    }
    let [motion, acceleration, increment] = changes;
    increment.copy_from_slice(&found.u);
    acceleration.iter_mut().zip(found.v.iter().zip(&last.v)).for_each(|(change, (found, last))| *change = found - last);
    motion.fill(0.0);
    if formula != Implicit::AverageAcceleration {
        motion.iter_mut().zip(found.u.iter().zip(&last.u)).for_each(|(motion, (found, last))| *motion = found - last);
    }
    increment.iter_mut().for_each(|moving| *moving *= problem.step);
}

/// The change by one more substep of the formula, written to `stages.changes`.
fn substep_more(
    formula: Implicit,
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    if formula == Implicit::AverageAcceleration {
        return evaluate_ahead(1.0, ACA, problem, from, memory, report);
    }
    evaluate_rates(formula.ahead(), problem, from, memory, report)
}

/// Rates at k h for F of `stages.rates[0]`, written to `stages.rates[1]`; their change is written
/// to `stages.changes`.
fn evaluate_rates(
    k: f64,
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let Stages { y, rates, .. } = &mut memory.stages;
    y.set_moved(&from.state, k * problem.step, &rates[0]);
    stage::evaluate(problem, from, k, memory, report, 1)?;
    changes_of_rates(problem.step, &mut memory.stages);
    Ok(())
}

/// What an evaluation changes of the rates F, and the increments that it makes of the step, into
/// `changes`.
fn changes_of_rates(h: f64, Stages { rates, changes, .. }: &mut Stages) {
    let [last, evaluated, ..] = &mut rates[..] else { return };
    let [motion, acceleration, increment] = changes;
    let difference = |change: &mut [f64], new: &[f64], last: &[f64]| {
        change.iter_mut().zip(new.iter().zip(last)).for_each(|(change, (new, last))| *change = new - last);
    };
    difference(motion, &evaluated.u, &last.u);
    difference(acceleration, &evaluated.v, &last.v);
    increment.iter_mut().zip(&evaluated.u).for_each(|(moving, rate)| *moving = rate * h);
}

/// beuler, midpoint, anderson: iterates F in `stages.rates[0]`.
fn rates(
    (formula, substeps): (Implicit, u32),
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<Iteration, Failure> {
    let (k, h) = (formula.ahead(), problem.step);
    let Stages { rates, start, .. } = &mut memory.stages;
    rates[0].copy_from(start);
    let mut iteration = Iteration::new(problem, from, substeps, k * h);
    loop {
        let m = iteration.done;
        evaluate_rates(k, problem, from, memory, report)?;
        let done = iteration.judge(problem, &memory.stages.changes)?;
        let [last, evaluated, others @ ..] = &mut memory.stages.rates[..] else { unreachable!("sized by resize") };
        if done {
            last.copy_from(evaluated);
            break;
        }
        if formula == Implicit::Anderson {
            let norm = iteration.norm(problem);
            anderson::accelerate(last, evaluated, others, m as usize, substeps as usize, &norm);
        } else {
            let f = relaxation::weight(problem.settings, formula, m, substeps);
            last.scale(1.0 - f);
            last.add(f, evaluated);
        }
    }
    let Stages { y, rates, .. } = &mut memory.stages;
    y.set_moved(&from.state, h, &rates[0]);
    Ok(iteration)
}

/// aca, wilson: iterates A in `stages.rates[0]`.
fn accelerations(
    (formula, substeps): (Implicit, u32),
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<Iteration, Failure> {
    // increment = s v + s^2 (c0 a + c1 A), velocity = v + s/2 (a + A)
    let (theta, c) = match formula {
        Implicit::Wilson => (THETA, [1.0 / 3.0, 1.0 / 6.0]),
        _ => (1.0, ACA),
    };
    let h = problem.step;
    let Memory { stages: Stages { rates, start: first, .. }, start, .. } = &mut *memory;
    start.a.clone_from(match &from.history.past {
        Past::Wilson(a) if from.history.restart == Restart::No => a,
        _ => &first.v,
    });
    rates[0].copy_from(first);
    let mut iteration = Iteration::new(problem, from, substeps, 0.5 * theta * h);
    loop {
        let m = iteration.done;
        evaluate_ahead(theta, c, problem, from, memory, report)?;
        let done = iteration.judge(problem, &memory.stages.changes)?;
        let f = if done { 1.0 } else { relaxation::weight(problem.settings, formula, m, substeps) };
        for (last, new) in memory.stages.rates[0].v.iter_mut().zip(&memory.state.vdot) {
            *last = if done { *new } else { *last * (1.0 - f) + new * f };
        }
        if done {
            break;
        }
    }
    if formula == Implicit::Wilson {
        // The formula is not evaluated at the end of the step. Substeps without relaxation contract
        // by equal factors; a single one needs one more evaluation.
        if substeps > 1 {
            iteration.go_on_alike();
        } else if iteration.error > 1.0 {
            evaluate_ahead(theta, c, problem, from, memory, report)?;
            iteration.weigh(problem, &memory.stages.changes)?;
        }
    }
    let Memory { stages: Stages { y, rates, changes: [_, end, _], .. }, start, .. } = memory;
    average(&start.a, &rates[0].v, theta, end);
    move_by(y, &from.state, h, c, [&start.a, end]);
    Ok(iteration)
}

/// Accelerations at theta h for A of `stages.rates[0]`, written to `memory.state`; their change is
/// written to `stages.changes`.
fn evaluate_ahead(
    theta: f64,
    c: [f64; 2],
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let Memory { stages: Stages { y, rates, .. }, start, state, .. } = &mut *memory;
    move_by(y, &from.state, theta * problem.step, c, [&start.a, &rates[0].v]);
    y.enter(problem.system, &from.state, state);
    state.vdot.copy_from_slice(&rates[0].v);
    stage::accelerations(problem, from, theta, memory)?;
    report.evaluate(problem.system.layout().bodies());
    let Memory { stages: Stages { rates, changes, .. }, state, .. } = memory;
    let [motion, acceleration, increment] = changes;
    motion.fill(0.0);
    for (i, change) in acceleration.iter_mut().enumerate() {
        *change = state.vdot[i] - rates[0].v[i];
        increment[i] = state.v[i] * problem.step;
    }
    Ok(())
}

/// y at s after the start of the step: increment `s v + s^2 (c0 a + c1 A)`, velocity `v + s/2 (a +
/// A)`.
fn move_by(y: &mut Numbers, from: &State, s: f64, c: [f64; 2], [a, end]: [&[f64]; 2]) {
    for (i, (u, v)) in y.u.iter_mut().zip(&mut y.v).enumerate() {
        *u = from.v[i] * s + (a[i] * c[0] + end[i] * c[1]) * (s * s);
        *v = from.v[i] + (a[i] + end[i]) * (0.5 * s);
    }
}

/// The course of an iteration: number of substeps, convergence, divergence.
struct Iteration {
    substeps: u32,
    done: u32,
    /// k h, the factor of rates.
    span: f64,
    length: f64,
    /// Absolute part of the tolerances of positions and of angles.
    floor: [f64; 2],
    /// Size of the first change, as an acceleration; of the last but one and of the last.
    first: Option<f64>,
    sizes: [f64; 2],
    /// Weighted norm of the last change: 1 at the tolerance.
    error: f64,
    /// Largest change of an acceleration, and its unknown.
    largest: (f64, usize),
}

impl Iteration {
    fn new(problem: &Problem, from: &Point, substeps: u32, span: f64) -> Iteration {
        let (settings, length) = (problem.settings, problem.system.scales().length);
        let far = farthest(&from.state);
        let noise = 16.0 * f64::EPSILON;
        let floor = [settings.abs_tolerance() * length + noise * (far + length), settings.abs_tolerance() + noise];
        Iteration {
            substeps,
            done: 0,
            span,
            length,
            floor,
            first: None,
            sizes: [0.0; 2],
            error: 0.0,
            largest: (0.0, 0),
        }
    }

    /// Factors that make linear and angular parts of accelerations, and of velocities divided by
    /// the span, comparable.
    fn norm(&self, problem: &Problem) -> anderson::Norm {
        anderson::Norm { length: self.length, span: self.span, layout: problem.system.layout() }
    }

    /// Records the change by one substep; true if it was the last. Errors: numbers that are not
    /// finite.
    fn judge(&mut self, problem: &Problem, changes: &[Vec<f64>; 3]) -> Result<bool, Failure> {
        self.done += 1;
        self.weigh(problem, changes)?;
        Ok(self.error <= STOP || self.done == self.substeps)
    }

    /// Computes sizes of a change, of velocities, accelerations and increments of the whole step,
    /// and stores the first.
    fn weigh(&mut self, problem: &Problem, changes: &[Vec<f64>; 3]) -> Result<(), Failure> {
        let (h, relative, system) = (problem.step, problem.settings.rel_tolerance(), problem.system);
        let [motion, acceleration, increment] = changes;
        let (mut size, mut weighted, mut count) = (0.0, 0.0, 0);
        self.largest = (0.0, 0);
        system.nodes().for_each_free(|range| {
            for (k, i) in range.enumerate() {
                let (unit, floor) = if k < 3 { (1.0, self.floor[0]) } else { (self.length, self.floor[1]) };
                let (rate, acceleration) = (motion[i], acceleration[i]);
                let w = floor + relative * increment[i].abs();
                size += (unit * acceleration).powi(2) + (unit * rate / self.span).powi(2);
                weighted += (self.span * rate / w).powi(2) + (h * self.span * acceleration / w).powi(2);
                let larger = (unit * acceleration).abs();
                // NaN counts as the largest.
                if larger > self.largest.0 || larger.is_nan() {
                    self.largest = (larger, i);
                }
                count += 1;
            }
        });
        self.first = self.first.or(Some(size.sqrt()));
        self.sizes = [self.sizes[1], size.sqrt()];
        self.error = (weighted / f64::from(count.max(1))).sqrt();
        if !self.error.is_finite() {
            return Err(Failure::NotFinite { unknown: self.largest.1, iterations: self.done });
        }
        Ok(())
    }

    /// Assumes that the ratio of the next change to the last is that of the last two.
    fn go_on_alike(&mut self) {
        if self.done > 1 && self.sizes[0] > 0.0 {
            self.sizes[1] *= self.sizes[1] / self.sizes[0];
        }
    }

    /// The ratio of the last change to the first; 0 if it is below the tolerance.
    fn left(&self) -> f64 {
        match self.first {
            Some(first) if self.error > 1.0 => self.sizes[1] / first,
            _ => 0.0,
        }
    }

    /// Writes the course to the report. Errors: divergence, unless that is accepted.
    fn conclude(&self, problem: &Problem, grew: bool, report: &mut Report) -> Result<(), Failure> {
        report.iterations = self.done;
        report.error = self.error;
        report.residual = self.largest.0 * problem.system.scales().mass;
        if grew && problem.settings.on_no_convergence() != NoConvergencePolicy::Accept {
            let growing = Growing::Substeps;
            return Err(Failure::Diverged { growing, iterations: self.done, unknown: self.largest.1 });
        }
        report.converged = !grew;
        Ok(())
    }
}
