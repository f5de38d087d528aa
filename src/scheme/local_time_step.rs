//! Adams-Bashforth methods in which every entity takes steps of its own: leuler, lab2, lab3, lab4, lab5.
//!
//! A host step is cut into P ticks; entity i takes steps of n_i ticks, n_i a divisor of P. Where an entity is evaluated,
//! the others stand on their continuous extension, `y(t + s h) = y + h sum_j b_j(s) f(n-j)`, of the same order, so that
//! the order of the method is kept; with equal steps it is that method (multirate linear multistep methods: Gear, Wells
//! 1984, BIT 24). Each entity is projected onto its own constraints at its own times. The start, (order - 1) of the
//! longest steps, is made by Runge-Kutta steps of one tick of the whole model.

use super::adams_bashforth::{extrapolated, push, weights};
use super::runge_kutta::{self, Tableau};
use super::stage::{self, Numbers, Rate};
use super::{Memory, Point, Problem, Report};
use crate::model::{Loads, Model};
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
    pub fn new(model: &Model, system: &System, point: &Point, loads: &Loads) -> Entities {
        let members: Vec<Member> = split(model)
            .into_iter()
            .map(|part| Member { entity: Entity::new(part, system), multiple: 1, tick: 0 })
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

    /// State of a free body at a tick: on the continuous extension of its last step.
    fn extension(&self, order: usize, body: usize, tick: usize, delta: f64, past: &[super::PastRates]) -> Numbers {
        let (rate, y) = &self.latest[body];
        let Some(member) = self.of_body[body].map(|k| &self.members[k]) else { return *y };
        if tick == member.tick {
            return *y;
        }
        let s = (tick - member.tick) as f64 / member.multiple as f64;
        let b = weights(order, s);
        y.moved(delta * member.multiple as f64, &extrapolated(&b[..order], rate, &past[body]))
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
    let outcome = through(order, problem, from, to, memory, &mut entities);
    memory.entities = Some(entities);
    outcome
}

fn through(
    order: usize,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    entities: &mut Entities,
) -> Result<Report, Failure> {
    let (ticks, n) = (problem.ticks, from.state.bodies.len());
    let multiples = || entities.members.iter().map(|member| member.multiple);
    let longest = multiples().max().unwrap_or(1);
    // To a tick at which all steps end.
    let needed = ((order - 1) * longest).next_multiple_of(multiples().fold(1, common_multiple));
    let goes_on = from.history.continues(problem.step) && from.history.rates.len() == n;
    let known = if goes_on { (from.history.age as usize).min(needed) } else { 0 };
    let started = (needed - known).min(ticks);

    let mut report = Report::default();
    memory.stages.resize(6, from);
    match goes_on {
        true => to.history.rates.clone_from(&from.history.rates),
        false => {
            to.history.rates.clear();
            to.history.rates.resize(n, [Rate::ZERO; 4]);
        }
    }
    entities.points[0].copy_from(from);
    entities.members.iter_mut().for_each(|member| member.tick = 0);
    for tick in 0..started {
        start_tick(order, tick, problem, to, memory, entities, &mut report)?;
    }
    if started < ticks {
        multirate(order, started, problem, to, memory, entities, &mut report)?;
    } else {
        to.state.bodies.clone_from(&entities.points[0].state.bodies);
    }
    for (past, (latest, _)) in to.history.rates.iter_mut().zip(&entities.latest) {
        *past = push(latest, Some(past));
    }
    to.history.age = (known + ticks).min(needed) as u32;
    // Counted from here, angles have turned as far as they did in the ticks.
    entities.points[0].state.time = from.state.time;
    stage::finish(problem, &entities.points[0], to, memory, &mut report)?;
    Ok(report)
}

/// One tick of the whole model by Runge-Kutta, in `entities.points[0]`.
fn start_tick(
    order: usize,
    tick: usize,
    problem: &Problem,
    to: &mut Point,
    memory: &mut Memory,
    entities: &mut Entities,
    report: &mut Report,
) -> Result<(), Failure> {
    let Entities { points: [current, next], loads, members, latest, of_body } = entities;
    let fraction = |tick: usize| tick as f64 / problem.ticks as f64;
    let held = !problem.settings.linear_inputs();
    for (loads, tick) in loads.iter_mut().zip([tick, tick + 1]) {
        loads.at(problem.loads_start, problem.loads_end, fraction(tick), problem.step, held);
    }
    let delta = problem.step / problem.ticks as f64;
    let part = Problem { loads_start: &loads[0], loads_end: &loads[1], step: delta, ..*problem };
    stage::start(&part, current, memory, report)?;
    for (body, member) in of_body.iter().enumerate() {
        let due = member.is_some_and(|k| tick.is_multiple_of(members[k].multiple));
        if due {
            if tick > 0 {
                to.history.rates[body] = push(&latest[body].0, Some(&to.history.rates[body]));
            }
            latest[body].0 = memory.stages.start[body];
        }
    }
    runge_kutta::advance(Tableau::of_order(order), &part, current, next, memory, report)?;
    std::mem::swap(current, next);
    Ok(())
}

/// The ticks from `first` on, every entity at its own times; leaves the end in `to.state.bodies`.
fn multirate(
    order: usize,
    first: usize,
    problem: &Problem,
    to: &mut Point,
    memory: &mut Memory,
    entities: &mut Entities,
    report: &mut Report,
) -> Result<(), Failure> {
    let ticks = problem.ticks;
    let delta = problem.step / ticks as f64;
    let time = entities.points[0].state.time - first as f64 * delta;
    // All entities meet here. Rates at the first tick: those of the state, which stand in it unless loads jump there.
    if first == 0 {
        stage::start(problem, &entities.points[0], memory, report)?;
    }
    for (body, (rate, y)) in entities.latest.iter_mut().enumerate() {
        let state = &entities.points[0].state.bodies[body];
        *y = Numbers::of(state);
        if first > 0 {
            to.history.rates[body] = push(rate, Some(&to.history.rates[body]));
        }
        *rate = if first > 0 { Rate::at(y, &state.vdot) } else { memory.stages.start[body] };
    }
    for member in &mut entities.members {
        member.tick = first;
        member.entity.begin(problem.hydrodynamics, problem.callbacks, &entities.points[0].state.coordinates);
    }
    for tick in first + 1..ticks {
        let is_due = |member: &Member| tick.is_multiple_of(member.multiple);
        if !entities.members.iter().any(is_due) {
            continue;
        }
        let now = time + tick as f64 * delta;
        stage::loads_at(problem, tick as f64 / ticks as f64, memory);
        for k in 0..entities.members.len() {
            if is_due(&entities.members[k]) {
                land(k, order, tick, now, delta, memory, &to.history.rates, entities, report)?;
            }
        }
        for k in 0..entities.members.len() {
            if is_due(&entities.members[k]) {
                evaluate(k, order, tick, now, delta, memory, to, entities, report)?;
            }
        }
    }
    for (body, next) in to.state.bodies.iter_mut().enumerate() {
        let vdot = entities.latest[body].0.v;
        *next = entities.extension(order, body, ticks, delta, &to.history.rates).state(&vdot);
    }
    let Entities { members, points, .. } = entities;
    members.iter_mut().for_each(|member| member.entity.end(&mut points[0].state.coordinates));
    Ok(())
}

/// Ends the step of entity k at a tick: its bodies arrive, on its constraints.
#[allow(clippy::too_many_arguments)] // when and where a tick is
fn land(
    k: usize,
    order: usize,
    tick: usize,
    now: f64,
    delta: f64,
    memory: &Memory,
    past: &[super::PastRates],
    entities: &mut Entities,
    report: &mut Report,
) -> Result<(), Failure> {
    let own = entities.members[k].entity.part.own;
    for local in 0..own {
        let body = entities.members[k].entity.part.bodies[local];
        let arrived = entities.extension(order, body, tick, delta, past).state(&entities.latest[body].0.v);
        entities.members[k].entity.state.bodies[local] = arrived;
    }
    let Entities { members, latest, .. } = entities;
    let Member { entity, tick: last, .. } = &mut members[k];
    entity.see(&memory.loads);
    report.factorizations += entity.project(now, stage::project)?;
    *last = tick;
    for (body, state) in entity.part.bodies[..own].iter().zip(&entity.state.bodies) {
        latest[*body].1 = Numbers::of(state);
    }
    Ok(())
}

/// Rates of entity k where it arrived, the others on their extensions.
#[allow(clippy::too_many_arguments)] // when and where a tick is
fn evaluate(
    k: usize,
    order: usize,
    tick: usize,
    now: f64,
    delta: f64,
    memory: &Memory,
    to: &mut Point,
    entities: &mut Entities,
    report: &mut Report,
) -> Result<(), Failure> {
    let (own, touched) = (entities.members[k].entity.part.own, entities.members[k].entity.part.bodies.len());
    for local in own..touched {
        let body = entities.members[k].entity.part.bodies[local];
        let moving = entities.extension(order, body, tick, delta, &to.history.rates);
        entities.members[k].entity.state.bodies[local] = moving.state(&entities.latest[body].0.v);
    }
    let Entities { members, latest, .. } = entities;
    let entity = &mut members[k].entity;
    entity.see(&memory.loads);
    entity.accelerations(now)?;
    report.evaluate(entity.part.own);
    for (body, state) in entity.part.bodies[..entity.part.own].iter().zip(&entity.state.bodies) {
        let (rate, y) = &mut latest[*body];
        to.history.rates[*body] = push(rate, Some(&to.history.rates[*body]));
        *rate = Rate::at(y, &state.vdot);
    }
    Ok(())
}
