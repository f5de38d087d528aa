//! Implicit formulas solved by a given number of relaxed substeps: beulerN, midpointN, andersonN, acaN, wilsonN.
//!
//! Sources: MoorDyn, "Time Schemes"; Wilson's theta: Wilson, Farhoomand, Bathe (1973), Earthquake Eng. Struct. Dyn. 1;
//! Anderson's acceleration: Walker, Ni (2011), SIAM J. Numer. Anal. 49.
//!
//! ```text
//! beuler, midpoint, anderson:  F = f(t + k h, y + k h F),  y+ = y + h F,  k = 1, 1/2, 1
//! aca:     A = vdot(t + h, x + h v + h^2/4 (a + A), v + h/2 (a + A))
//! wilson:  A = vdot(t + H, x + H v + H^2/6 (2 a + A), v + H/2 (a + A)),  H = theta h,  a+ = a + (A - a)/theta,
//!          x+ = x + h v + h^2/6 (2 a + a+),  v+ = v + h/2 (a + a+)
//! ```
//!
//! (rotations of the last two by the exponential, increments inertial). Order 1, 2, 1, 2, 2 with any number of
//! substeps N: all iterations start within O(h) of their solution. They stop early once nothing is left to converge.
//! The plain iteration contracts for k w h < 1, relaxed by R for less than sqrt((1 + R)/(1 - R)): beyond it grows,
//! which is an error here (`growth` says when).

use super::name::Implicit;
use super::stage::{self, Numbers, Rate};
use super::{Memory, Point, Problem, Report, Restart, anderson, growth, relaxation};
use crate::model::NoConvergencePolicy;
use crate::spatial::{BodyState, Vec6, lower, rotation, upper};
use crate::system::Failure;

/// Part of the tolerance at which substeps stop early: what is left then does not show in the error of the scheme.
const STOP: f64 = 1e-4;

/// Part of the first change that the last one may be without doubt that the step is stable: with few substeps and with
/// eight or more.
const DOUBTFUL: [f64; 2] = [0.3, 0.1];

/// Wilson's theta.
const THETA: f64 = 1.37;

/// One step of a formula in so many substeps.
pub fn step(
    formula: Implicit,
    substeps: u32,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut report = Report::default();
    memory.stages.resize(anderson::LISTS, from);
    stage::start(problem, from, memory, &mut report)?;
    let scheme = (formula, substeps);
    let mut iteration = match formula {
        Implicit::BackwardEuler | Implicit::Midpoint | Implicit::Anderson => {
            rates(scheme, problem, from, to, memory, &mut report)?
        }
        Implicit::AverageAcceleration | Implicit::Wilson => {
            accelerations(scheme, problem, from, to, memory, &mut report)?
        }
    };
    stage::finish(problem, from, to, memory, &mut report)?;
    if formula != Implicit::Wilson {
        iteration.weigh(problem, left_at_end(formula, problem, from, to, memory))?;
    }
    let grew = match formula {
        Implicit::AverageAcceleration | Implicit::Wilson => iteration.left() > 1.0,
        _ => {
            iteration.left() > DOUBTFUL[usize::from(substeps >= 8)]
                && growth::confirmed(scheme, problem, from, &iteration.norm(), memory, &mut report)?
        }
    };
    iteration.conclude(problem, grew, &mut report)?;
    if formula == Implicit::Wilson {
        // a+ of the formula, not of the equations: the recursion is stable with it.
        let Memory { stages, start, .. } = memory;
        for ((a, start), rate) in to.history.a.iter_mut().zip(start.iter()).zip(&stages.rates[0]) {
            *a = start.a + (rate.v - start.a) / THETA;
        }
    }
    to.history.age = 1;
    to.history.rates.clear();
    Ok(report)
}

/// What the last substep left: the rates at the end of the step are one more evaluation of beuler, anderson and aca, and
/// with those at the start, halved, one of midpoint (of a linear system; O(h^2) off else).
fn left_at_end<'a>(
    formula: Implicit,
    problem: &'a Problem,
    from: &'a Point,
    to: &'a Point,
    memory: &'a Memory,
) -> impl Iterator<Item = Change> + 'a {
    let stages = &memory.stages;
    let bodies = stages.rates[0].iter().zip(&stages.start).zip(to.state.bodies.iter().zip(&from.state.bodies));
    bodies.map(move |((last, first), (end, start))| {
        let y = Numbers { v: end.v, ..Numbers::of(start).moved(problem.step, last) };
        let mut found = Rate::at(&y, &end.vdot);
        if formula == Implicit::Midpoint {
            found = found.times(0.5);
            found.add(0.5, first);
        }
        let moving = motion(&found, start);
        let of_rates = formula != Implicit::AverageAcceleration;
        Change {
            motion: if of_rates { moving - motion(last, start) } else { Vec6::zeros() },
            acceleration: found.v - last.v,
            increment: moving * problem.step,
        }
    })
}

/// beuler, midpoint, anderson: iterates F in `stages.rates[0]`.
fn rates(
    (formula, substeps): (Implicit, u32),
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<Iteration, Failure> {
    let k = if formula == Implicit::Midpoint { 0.5 } else { 1.0 };
    let h = problem.step;
    memory.stages.rates[0].clone_from(&memory.stages.start);
    let mut iteration = Iteration::new(problem, from, substeps, k * h);
    loop {
        let m = iteration.done;
        let (y, rates) = (&mut memory.stages.y, &memory.stages.rates);
        for ((y, rate), state) in y.iter_mut().zip(&rates[0]).zip(&from.state.bodies) {
            *y = Numbers::of(state).moved(k * h, rate);
        }
        let mut lists = std::mem::take(&mut memory.stages.rates);
        let [last, evaluated, others @ ..] = &mut lists[..] else { unreachable!("sized by resize") };
        let outcome = stage::evaluate(problem, from, k, memory, report, |body, rate| evaluated[body] = rate);
        let done = outcome.and_then(|()| {
            let pairs = last.iter().zip(evaluated.iter()).zip(&from.state.bodies);
            iteration.judge(
                problem,
                pairs.map(|((last, new), state)| {
                    let [last_motion, new_motion] = [last, new].map(|rate| motion(rate, state));
                    Change { motion: new_motion - last_motion, acceleration: new.v - last.v, increment: new_motion * h }
                }),
            )
        });
        if done == Ok(false) {
            if formula == Implicit::Anderson {
                anderson::accelerate(last, evaluated, others, m as usize, substeps as usize, &iteration.norm());
            } else {
                let f = relaxation::weight(problem.settings, formula, m, substeps);
                for (last, evaluated) in last.iter_mut().zip(evaluated.iter()) {
                    *last = last.times(1.0 - f);
                    last.add(f, evaluated);
                }
            }
        } else {
            last.clone_from(evaluated);
        }
        memory.stages.rates = lists;
        if done? {
            break;
        }
    }
    for ((next, state), rate) in to.state.bodies.iter_mut().zip(&from.state.bodies).zip(&memory.stages.rates[0]) {
        *next = Numbers::of(state).moved(h, rate).state(&rate.v);
    }
    Ok(iteration)
}

/// aca, wilson: iterates A in `stages.rates[0]`.
fn accelerations(
    (formula, substeps): (Implicit, u32),
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<Iteration, Failure> {
    // increment = s v + s^2 (c0 a + c1 A), velocity = v + s/2 (a + A)
    let (theta, c) = match formula {
        Implicit::Wilson => (THETA, [1.0 / 3.0, 1.0 / 6.0]),
        _ => (1.0, [0.25, 0.25]),
    };
    let h = problem.step;
    let carried = formula == Implicit::Wilson && from.history.restart == Restart::No;
    for ((start, rate), a) in memory.start.iter_mut().zip(&memory.stages.start).zip(&from.history.a) {
        start.a = if carried { *a } else { rate.v };
    }
    memory.stages.rates[0].clone_from(&memory.stages.start);
    let mut iteration = Iteration::new(problem, from, substeps, 0.5 * theta * h);
    loop {
        let m = iteration.done;
        evaluate_ahead(theta, c, problem, from, memory, report)?;
        let done = iteration.judge(problem, changes(memory, h))?;
        let f = if done { 1.0 } else { relaxation::weight(problem.settings, formula, m, substeps) };
        for (last, new) in memory.stages.rates[0].iter_mut().zip(&memory.bodies) {
            last.v = if done { new.vdot } else { last.v * (1.0 - f) + new.vdot * f };
        }
        if done {
            break;
        }
    }
    if formula == Implicit::Wilson {
        // The end of the step is no place of this formula. Plain substeps shrink alike; a single one needs an evaluation.
        if substeps > 1 {
            iteration.go_on_alike();
        } else if iteration.error > 1.0 {
            evaluate_ahead(theta, c, problem, from, memory, report)?;
            iteration.weigh(problem, changes(memory, h))?;
        }
    }
    for (body, (next, state)) in to.state.bodies.iter_mut().zip(&from.state.bodies).enumerate() {
        let (a, found) = (memory.start[body].a, memory.stages.rates[0][body].v);
        *next = moved(state, h, c, &a, &(a + (found - a) / theta));
    }
    Ok(iteration)
}

/// Accelerations at theta h for A of `stages.rates[0]`, into `memory.bodies`.
fn evaluate_ahead(
    theta: f64,
    c: [f64; 2],
    problem: &Problem,
    from: &Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let bodies = memory.bodies.iter_mut().zip(&from.state.bodies);
    for (body, ((next, state), rate)) in bodies.zip(&memory.stages.rates[0]).enumerate() {
        *next = moved(state, theta * problem.step, c, &memory.start[body].a, &rate.v);
    }
    stage::accelerations(problem, from, theta, memory)?;
    report.evaluate(problem.system.bodies());
    Ok(())
}

/// What that evaluation changes of A.
fn changes(memory: &Memory, h: f64) -> impl Iterator<Item = Change> + '_ {
    memory.stages.rates[0].iter().zip(&memory.bodies).map(move |(last, new)| Change {
        motion: Vec6::zeros(),
        acceleration: new.vdot - last.v,
        increment: new.v * h,
    })
}

/// The state s later: increment `s v + s^2 (c0 a + c1 A)`, velocity `v + s/2 (a + A)`.
fn moved(state: &BodyState, s: f64, c: [f64; 2], a: &Vec6, end: &Vec6) -> BodyState {
    let increment = state.v * s + (a * c[0] + end * c[1]) * (s * s);
    BodyState {
        x: state.x + upper(&increment),
        q: rotation::compose(&rotation::exp(&lower(&increment)), &state.q),
        v: state.v + (a + end) * (0.5 * s),
        vdot: *end,
    }
}

/// Velocity (xdot, omega) that the rates of x and q amount to at a state.
fn motion(rate: &Rate, state: &BodyState) -> Vec6 {
    let spin = rate.q * state.q.quaternion().conjugate() * 2.0;
    Vec6::new(rate.x.x, rate.x.y, rate.x.z, spin.i, spin.j, spin.k)
}

/// What one substep changed of one body's rates, and the increment of the whole step.
struct Change {
    motion: Vec6,
    acceleration: Vec6,
    increment: Vec6,
}

/// The course of an iteration: how far it is, whether it converged, whether it grew.
struct Iteration {
    substeps: u32,
    done: u32,
    /// k h: what rates are multiplied with.
    span: f64,
    length: f64,
    /// Absolute part of the tolerances of positions and of angles.
    floor: [f64; 2],
    /// Size of the first change, as an acceleration; of the last but one and of the last.
    first: Option<f64>,
    sizes: [f64; 2],
    /// Weighted norm of the last change: 1 at the tolerance.
    error: f64,
    /// Largest change of an acceleration, and whose it was.
    largest: (f64, usize),
}

impl Iteration {
    fn new(problem: &Problem, from: &Point, substeps: u32, span: f64) -> Iteration {
        let (settings, length) = (problem.settings, problem.system.scales().length);
        let far = from.state.bodies.iter().fold(0.0f64, |far, body| far.max(body.x.amax()));
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

    /// Factors that make accelerations, and velocities over the span, of linear and angular parts comparable.
    fn norm(&self) -> anderson::Norm {
        anderson::Norm { length: self.length, span: self.span }
    }

    /// Takes what one substep changed; true where it was the last. Errors: numbers that are not finite.
    fn judge(&mut self, problem: &Problem, changes: impl Iterator<Item = Change>) -> Result<bool, Failure> {
        self.done += 1;
        self.weigh(problem, changes)?;
        Ok(self.error <= STOP || self.done == self.substeps)
    }

    /// Sizes of a change; the first one is kept.
    fn weigh(&mut self, problem: &Problem, changes: impl Iterator<Item = Change>) -> Result<(), Failure> {
        let (h, relative) = (problem.step, problem.settings.rel_tolerance());
        let (mut size, mut weighted, mut count) = (0.0, 0.0, 0);
        self.largest = (0.0, 0);
        for (body, change) in changes.enumerate().filter(|(body, _)| problem.system.is_free(*body)) {
            for k in 0..6 {
                let (unit, floor) = if k < 3 { (1.0, self.floor[0]) } else { (self.length, self.floor[1]) };
                let (rate, acceleration) = (change.motion[k], change.acceleration[k]);
                let w = floor + relative * change.increment[k].abs();
                size += (unit * acceleration).powi(2) + (unit * rate / self.span).powi(2);
                weighted += (self.span * rate / w).powi(2) + (h * self.span * acceleration / w).powi(2);
                let larger = (unit * acceleration).abs();
                // A number that is not finite is the largest, too.
                if larger > self.largest.0 || larger.is_nan() {
                    self.largest = (larger, 6 * body + k);
                }
                count += 1;
            }
        }
        self.first = self.first.or(Some(size.sqrt()));
        self.sizes = [self.sizes[1], size.sqrt()];
        self.error = (weighted / f64::from(count.max(1))).sqrt();
        if !self.error.is_finite() {
            return Err(Failure::NotFinite { unknown: self.largest.1, iterations: self.done });
        }
        Ok(())
    }

    /// Takes it that the next change would be to the last as the last to the one before.
    fn go_on_alike(&mut self) {
        if self.done > 1 && self.sizes[0] > 0.0 {
            self.sizes[1] *= self.sizes[1] / self.sizes[0];
        }
    }

    /// The last change over the first one; 0 where it is below the tolerance.
    fn left(&self) -> f64 {
        match self.first {
            Some(first) if self.error > 1.0 => self.sizes[1] / first,
            _ => 0.0,
        }
    }

    /// Enters the course into the report. Errors: it grew, unless that is accepted.
    fn conclude(&self, problem: &Problem, grew: bool, report: &mut Report) -> Result<(), Failure> {
        report.iterations = self.done;
        report.error = self.error;
        report.residual = self.largest.0 * problem.system.scales().mass;
        if grew && problem.settings.on_no_convergence() != NoConvergencePolicy::Accept {
            return Err(Failure::Diverged { iterations: self.done, unknown: self.largest.1 });
        }
        report.converged = !grew;
        Ok(())
    }
}
