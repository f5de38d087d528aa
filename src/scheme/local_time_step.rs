//! Adams-Bashforth methods in which every entity takes steps of its own: leuler, lab2, lab3, lab4, lab5.
//!
//! A host step is cut into P ticks; entity i takes steps of n_i ticks, n_i a divisor of P. Where an entity is
//! evaluated, the others stand on their continuous extension, `y(t + s h) = y + h sum_j b_j(s) f(n-j)`, of the same
//! order, so that the order of the method is kept; with equal steps it is that method (multirate linear multistep
//! methods: Gear, Wells 1984, BIT 24). Stable where each entity is with its own steps, and does not excite the modes
//! of its neighbours with them (`simulation/stable_step.rs`). Each entity is projected onto its own constraints at
//! its own times. The start, (order - 1) of the longest steps, is made by Runge-Kutta steps of one tick of the whole
//! model.

use super::adams_bashforth::{extrapolated, push, weights};
use super::runge_kutta::{self, Tableau};
use super::stage::{self, Numbers, Rate};
use super::{Memory, Point, Problem, Report};
use crate::model::fingerprint::{FNV_OFFSET, fnv1a};
use crate::model::{Callbacks, Loads, Model};
use crate::spatial::BodyState;
use crate::system::{Entity, Failure, System, split};

/// The entities of a model with their steps; made by the first step of such a scheme.
#[derive(Clone)]
pub struct Entities {
    members: Vec<Member>,
    /// Which of them a body belongs to; none where its motion is imposed.
    of_body: Vec<Option<usize>>,
    /// States between which the start goes.
    points: [Point; 2],
    /// Loads at both ends of a tick.
    loads: [Loads; 2],
    /// The latest rate of each body, and y where it belongs.
    latest: Vec<(Rate, Numbers)>,
}

/// An entity, the length of its steps in ticks, and the tick of its last evaluation.
#[derive(Clone)]
struct Member {
    entity: Entity,
    multiple: usize,
    tick: usize,
}

impl Entities {
    /// For a model at a point.
    pub fn new(model: &Model, callbacks: &Callbacks, system: &System, point: &Point, loads: &Loads) -> Entities {
        let members: Vec<Member> = split(model, callbacks)
            .into_iter()
            .map(|part| Member { entity: Entity::new(part, system, callbacks), multiple: 1, tick: 0 })
            .collect();
        let mut of_body = vec![None; system.bodies()];
        for (k, member) in members.iter().enumerate() {
            let part = &member.entity.part;
            part.bodies[..part.own].iter().for_each(|body| of_body[*body] = Some(k));
        }
        Entities {
            members,
            of_body,
            points: [point.clone(), point.clone()],
            loads: [loads.clone(), loads.clone()],
            latest: point.state.bodies.iter().map(|body| (Rate::ZERO, Numbers::of(body))).collect(),
        }
    }

    /// Takes the lengths of steps in ticks, one per entity in the order of `split`.
    pub fn set_multiples(&mut self, multiples: impl Iterator<Item = usize>) {
        self.members.iter_mut().zip(multiples).for_each(|(member, multiple)| member.multiple = multiple);
    }

    /// A number that stands for the lengths of all steps, in ticks, and for the number of ticks.
    fn pattern(&self, ticks: usize) -> u64 {
        let lengths = self.members.iter().map(|member| member.multiple).chain([ticks]);
        lengths.fold(FNV_OFFSET, |hash, length| fnv1a(&(length as u64).to_le_bytes(), hash))
    }
}

/// The longest step in ticks, of those that divide `ticks`, that does not exceed `most`.
pub fn multiple(ticks: usize, most: f64) -> usize {
    let most = most.clamp(1.0, ticks as f64) as usize;
    (1..=most).rev().find(|n| ticks.is_multiple_of(*n)).unwrap_or(1)
}

/// The least number of ticks from `least` on that leaves room for longer steps: a multiple of the largest power of two
/// that makes it no more than a quarter larger.
pub fn smooth(least: usize) -> usize {
    let unit = if least < 4 { 1 } else { 1 << (least / 4).ilog2() };
    least.next_multiple_of(unit)
}

fn common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// One host step of the method of an order.
pub fn step(
    order: usize,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    // Out of the memory while stages use the rest of it.
    let Some(mut entities) = memory.entities.take() else { return Err(Failure::Singular { unknown: None }) };
    let (n, pattern) = (from.state.bodies.len(), entities.pattern(problem.ticks));
    // Rates at another spacing are of no use.
    let known = if from.history.pattern == pattern { from.history.past(problem.step, n) } else { 0 };
    to.history.pattern = pattern;
    if known > 0 {
        to.history.rates.clone_from(&from.history.rates);
    } else {
        to.history.rates.clear();
        to.history.rates.resize(n, [Rate::ZERO; 4]);
    }
    let delta = problem.step / problem.ticks as f64;
    let report = Report::default();
    let past = &mut to.history.rates;
    let mut run = Run {
        order,
        problem,
        delta,
        start: [from.state.time, from.state.time_rest],
        past,
        memory,
        entities: &mut entities,
        report,
    };
    let outcome = run.whole(from, known, &mut to.state.bodies);
    let mut report = run.report;
    let outcome = outcome.and_then(|age| {
        to.history.age = age as u32;
        // Angles are counted on from where they have turned to in the ticks.
        let base = &mut entities.points[0];
        (base.state.time, base.state.time_rest) = (from.state.time, from.state.time_rest);
        stage::finish(problem, base, to, memory, &mut report)
    });
    memory.entities = Some(entities);
    outcome.map(|()| report)
}

/// A host step under way.
struct Run<'a> {
    order: usize,
    problem: &'a Problem<'a>,
    /// Length of a tick.
    delta: f64,
    /// Time of tick 0, and what rounding took from it.
    start: [f64; 2],
    /// Rates before the latest, one list per body.
    past: &'a mut [super::PastRates],
    memory: &'a mut Memory,
    entities: &'a mut Entities,
    report: Report,
}

impl Run<'_> {
    /// All ticks, to `end`. Takes and returns how many ticks the history holds, as far as they count.
    fn whole(&mut self, from: &Point, known: usize, end: &mut [BodyState]) -> Result<usize, Failure> {
        let ticks = self.problem.ticks;
        let multiples = || self.entities.members.iter().map(|member| member.multiple);
        let longest = multiples().max().unwrap_or(1);
        // To a tick at which all steps end.
        let needed = ((self.order - 1) * longest).next_multiple_of(multiples().fold(1, common_multiple));
        let known = known.min(needed);
        let started = (needed - known).min(ticks);

        self.memory.stages.resize(6, from);
        self.entities.points[0].copy_motion_from(from);
        for tick in 0..started {
            self.start_tick(tick)?;
        }
        if started < ticks {
            self.multirate(started, end)?;
        } else {
            end.copy_from_slice(&self.entities.points[0].state.bodies);
        }
        for (past, (latest, _)) in self.past.iter_mut().zip(&self.entities.latest) {
            *past = push(latest, Some(past));
        }
        Ok((known + ticks).min(needed))
    }

    /// One tick of the whole model by Runge-Kutta, in `entities.points[0]`.
    fn start_tick(&mut self, tick: usize) -> Result<(), Failure> {
        let (problem, memory) = (self.problem, &mut *self.memory);
        let Entities { points: [current, next], loads, members, latest, of_body } = &mut *self.entities;
        let held = !problem.settings.linear_inputs();
        for (loads, tick) in loads.iter_mut().zip([tick, tick + 1]) {
            let fraction = tick as f64 / problem.ticks as f64;
            loads.at(problem.loads_start, problem.loads_end, fraction, problem.step, held);
        }
        let part = Problem { loads_start: &loads[0], loads_end: &loads[1], step: self.delta, ..*problem };
        stage::start(&part, current, memory, &mut self.report)?;
        for (body, member) in of_body.iter().enumerate() {
            if member.is_some_and(|k| tick.is_multiple_of(members[k].multiple)) {
                if tick > 0 {
                    self.past[body] = push(&latest[body].0, Some(&self.past[body]));
                }
                latest[body].0 = memory.stages.start[body];
            }
        }
        runge_kutta::advance(Tableau::of_order(self.order), &part, current, next, memory, &mut self.report)?;
        std::mem::swap(current, next);
        Ok(())
    }

    /// The ticks from `first` on, every entity at its own times, to `end`.
    fn multirate(&mut self, first: usize, end: &mut [BodyState]) -> Result<(), Failure> {
        let (problem, ticks) = (self.problem, self.problem.ticks);
        // All entities meet here. After ticks of Runge-Kutta their rates stand in the state; at the start of the step loads
        // may have jumped.
        if first == 0 {
            stage::start(problem, &self.entities.points[0], self.memory, &mut self.report)?;
        }
        let Entities { members, latest, points: [current, _], .. } = &mut *self.entities;
        for (body, (rate, y)) in latest.iter_mut().enumerate() {
            let state = &current.state.bodies[body];
            *y = Numbers::of(state);
            if first > 0 {
                self.past[body] = push(rate, Some(&self.past[body]));
            }
            *rate = if first > 0 { Rate::at(y, &state.vdot) } else { self.memory.stages.start[body] };
        }
        for member in members {
            member.tick = first;
            member.entity.begin(problem.hydrodynamics, problem.callbacks, &current.state.coordinates);
        }
        for tick in first + 1..ticks {
            problem.progress.count(self.time(tick), 1)?;
            let is_due = |member: &Member| tick.is_multiple_of(member.multiple);
            if !self.entities.members.iter().any(is_due) {
                continue;
            }
            stage::loads_at(problem, tick as f64 / ticks as f64, self.memory);
            // All arrive before any is evaluated.
            for act in [Run::land, Run::evaluate] {
                for k in 0..self.entities.members.len() {
                    if is_due(&self.entities.members[k]) {
                        act(self, k, tick)?;
                    }
                }
            }
        }
        for (body, next) in end.iter_mut().enumerate() {
            *next = self.extension(body, ticks).state(&self.entities.latest[body].0.v);
        }
        let Entities { members, points: [current, _], .. } = &mut *self.entities;
        members.iter_mut().for_each(|member| member.entity.end(&mut current.state.coordinates));
        Ok(())
    }

    /// Time of a tick.
    fn time(&self, tick: usize) -> f64 {
        self.start[0] + (self.start[1] + tick as f64 * self.delta)
    }

    /// State of a free body at a tick: on the continuous extension of its last step.
    fn extension(&self, body: usize, tick: usize) -> Numbers {
        let (rate, y) = &self.entities.latest[body];
        let member = self.entities.of_body[body].map(|k| &self.entities.members[k]);
        let Some(member) = member.filter(|member| member.tick != tick) else { return *y };
        let b = weights(self.order, (tick - member.tick) as f64 / member.multiple as f64);
        y.moved(self.delta * member.multiple as f64, &extrapolated(&b[..self.order], rate, &self.past[body]))
    }

    /// Ends the step of entity k at a tick: its bodies arrive, on its constraints (which know no neighbours but bodies with
    /// imposed motion).
    fn land(&mut self, k: usize, tick: usize) -> Result<(), Failure> {
        let own = self.entities.members[k].entity.part.own;
        for local in 0..own {
            let body = self.entities.members[k].entity.part.bodies[local];
            let arrived = self.extension(body, tick).state(&self.entities.latest[body].0.v);
            self.entities.members[k].entity.state.bodies[local] = arrived;
        }
        let time = self.time(tick);
        let Entities { members, latest, .. } = &mut *self.entities;
        let Member { entity, tick: last, .. } = &mut members[k];
        entity.see(&self.memory.loads);
        self.report.factorizations += entity.project(time, stage::project)?;
        *last = tick;
        for (body, state) in entity.part.bodies[..own].iter().zip(&entity.state.bodies) {
            latest[*body].1 = Numbers::of(state);
        }
        Ok(())
    }

    /// Rates of entity k where it arrived, the others on their extensions.
    fn evaluate(&mut self, k: usize, tick: usize) -> Result<(), Failure> {
        let (own, touched) =
            (self.entities.members[k].entity.part.own, self.entities.members[k].entity.part.bodies.len());
        for local in own..touched {
            let body = self.entities.members[k].entity.part.bodies[local];
            let moving = self.extension(body, tick).state(&self.entities.latest[body].0.v);
            self.entities.members[k].entity.state.bodies[local] = moving;
        }
        let time = self.time(tick);
        self.problem.progress.count(time, own)?;
        let Entities { members, latest, .. } = &mut *self.entities;
        let entity = &mut members[k].entity;
        entity.see(&self.memory.loads);
        entity.accelerations(time)?;
        self.report.evaluate(own);
        for (body, state) in entity.part.bodies[..own].iter().zip(&entity.state.bodies) {
            let (rate, y) = &mut latest[*body];
            self.past[*body] = push(rate, Some(&self.past[*body]));
            *rate = Rate::at(y, &state.vdot);
        }
        Ok(())
    }
}
