//! Adams-Bashforth methods in which every entity takes steps of its own: leuler, lab2, lab3, lab4,
//! lab5.
//!
//! A host step is cut into P ticks; entity i takes steps of n_i ticks, n_i a divisor of P. When an
//! entity is evaluated, the others are at their continuous extensions,
//! `y(t + s h) = y + h sum_j b_j(s) f(n-j)`, of the same order, so that the order of the method is
//! kept; with equal steps it is that method (multirate linear multistep methods: Gear, Wells 1984,
//! BIT 24). It is stable where each entity is stable with its own steps, and these do not excite
//! the modes of its neighbours (`simulation/stable_step.rs`). Each entity is projected onto its own
//! constraints at its own times. The first (order - 1) longest steps after a start consist of
//! Runge-Kutta steps of one tick of the whole model.

use super::adams_bashforth::{Method, push, weights};
use super::numbers::Numbers;
use super::runge_kutta::{self, Tableau};
use super::stage;
use crate::linear::Kkt;
use crate::model::fingerprint::{FNV_OFFSET, fnv1a};
use crate::model::{Callbacks, Loads, Model};
use crate::scheme::{Memory, Point, Problem, Report};
use crate::system::{Entity, Failure, State, System, split};

/// The entities of a model with their steps; made by the first step of such a scheme.
#[derive(Clone)]
pub struct Entities {
    members: Vec<Member>,
    /// The entity of each node; None if its motion is imposed.
    of_node: Vec<Option<usize>>,
    /// States at both ends of a tick of the start.
    points: [Point; 2],
    /// Loads at both ends of a tick.
    loads: [Loads; 2],
    /// The latest rates of each node, and where the node was then.
    latest: Numbers,
    arrived: State,
    /// y on the continuous extension of the last steps.
    moved: Numbers,
    /// Whether the whole model takes single ticks, as at the start.
    together: bool,
}

/// An entity, the length of its steps in ticks, and the tick of its last evaluation.
#[derive(Clone)]
struct Member {
    entity: Entity,
    multiple: usize,
    tick: usize,
}

impl Entities {
    /// The matrices that their evaluations factorise.
    pub fn matrices(&mut self) -> impl Iterator<Item = &mut Kkt> {
        self.members.iter_mut().map(|member| member.entity.matrix())
    }

    /// For a model at a point.
    pub fn new(model: &Model, callbacks: &Callbacks, system: &System, point: &Point, loads: &Loads) -> Entities {
        let members: Vec<Member> = split(model, callbacks)
            .into_iter()
            .map(|part| Member { entity: Entity::new(part, system, callbacks), multiple: 1, tick: 0 })
            .collect();
        let layout = system.layout();
        let mut of_node = vec![None; layout.nodes()];
        for (k, member) in members.iter().enumerate() {
            member.entity.part.own().for_each(|node| of_node[node] = Some(k));
        }
        let zeros = Numbers::zeros(layout);
        Entities {
            members,
            of_node,
            points: [point.clone(), point.clone()],
            loads: [loads.clone(), loads.clone()],
            latest: zeros.clone(),
            arrived: point.state.clone(),
            moved: zeros,
            together: true,
        }
    }

    /// Length in ticks of the last steps of the nodes, the longer of both: for messages of failed
    /// steps.
    pub fn ticks_of(&self, nodes: [usize; 2]) -> usize {
        let own = nodes.iter().filter_map(|node| self.of_node.get(*node).copied().flatten());
        if self.together { 1 } else { own.map(|k| self.members[k].multiple).max().unwrap_or(1) }
    }

    /// Sets the lengths of steps in ticks, one per entity in the order of `split`.
    pub fn set_multiples(&mut self, multiples: impl Iterator<Item = usize>) {
        self.members.iter_mut().zip(multiples).for_each(|(member, multiple)| member.multiple = multiple);
    }

    /// Inserts the latest rates before the past ones. Those of nodes with imposed motion are not
    /// used and stay zero.
    fn remember(&self, past: &mut [Numbers; 4]) {
        let layout = self.points[0].state.layout;
        let moving = (0..layout.nodes()).filter(|node| self.of_node[*node].is_some());
        moving.for_each(|node| push((layout, node), &self.latest, past));
    }

    /// A hash of the lengths of all steps, in ticks, and of the number of ticks.
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

/// A number of ticks of at least `least` with many divisors, which allows longer steps: a multiple
/// of the largest power of two that makes it at most a quarter larger.
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
    // Taken out, so that stages can borrow the rest of the memory.
    let Some(mut entities) = memory.entities.take() else { return Err(Failure::Singular { unknown: None }) };
    let pattern = entities.pattern(problem.ticks);
    let known = from.history.known_rates(problem.step, pattern);
    let Point { state: end, history, .. } = &mut *to;
    let Some(own) = history.multistep_mut() else { return Err(Failure::Singular { unknown: None }) };
    own.pattern = pattern;
    match from.history.multistep().filter(|_| known > 0) {
        Some(last) => own.rates.iter_mut().zip(&last.rates).for_each(|(own, last)| own.copy_from(last)),
        // These rates are not read, but saved states must not depend on earlier trials.
        None => own.rates.iter_mut().for_each(Numbers::clear),
    }
    let delta = problem.step / problem.ticks as f64;
    let report = Report::default();
    let past = &mut own.rates;
    let mut run = Run {
        order,
        method: Method::new(order),
        problem,
        delta,
        start: [from.state.time, from.state.time_rest],
        past,
        memory,
        entities: &mut entities,
        report,
    };
    let outcome = run.whole(from, known, end);
    let mut report = run.report;
    let outcome = outcome.and_then(|age| {
        to.history.age = age as u32;
        // Angles are counted from their values after the ticks.
        let base = &mut entities.points[0];
        (base.state.time, base.state.time_rest) = (from.state.time, from.state.time_rest);
        stage::finish(problem, base, to, memory, &mut report, (false, false))
    });
    memory.entities = Some(entities);
    outcome.map(|()| report)
}

/// A host step in progress.
struct Run<'a> {
    order: usize,
    method: Method,
    problem: &'a Problem<'a>,
    /// Length of a tick.
    delta: f64,
    /// Time of tick 0, and its rounding error.
    start: [f64; 2],
    /// Rates before the latest.
    past: &'a mut [Numbers; 4],
    memory: &'a mut Memory,
    entities: &'a mut Entities,
    report: Report,
}

impl Run<'_> {
    /// Makes all ticks and writes the result to `end`. Takes and returns the number of ticks in the
    /// history that can be used.
    fn whole(&mut self, from: &Point, known: usize, end: &mut State) -> Result<usize, Failure> {
        let ticks = self.problem.ticks;
        let multiples = || self.entities.members.iter().map(|member| member.multiple);
        let longest = multiples().max().unwrap_or(1);
        // Up to a tick at which all steps end.
        let needed = ((self.order - 1) * longest).next_multiple_of(multiples().fold(1, common_multiple));
        let known = known.min(needed);
        let started = (needed - known).min(ticks);

        self.memory.stages.resize(6, from.state.layout);
        self.entities.points[0].copy_motion_from(from);
        self.entities.together = true;
        for tick in 0..started {
            self.start_tick(tick)?;
        }
        if started < ticks {
            self.multirate(started, end)?;
        } else {
            end.copy_motion_from(&self.entities.points[0].state);
        }
        self.entities.remember(self.past);
        Ok((known + ticks).min(needed))
    }

    /// One tick of the whole model by Runge-Kutta, from and to `entities.points[0]`.
    fn start_tick(&mut self, tick: usize) -> Result<(), Failure> {
        let (problem, memory) = (self.problem, &mut *self.memory);
        let Entities { points: [current, next], loads, members, latest, of_node, .. } = &mut *self.entities;
        let held = !problem.settings.linear_inputs();
        for (loads, tick) in loads.iter_mut().zip([tick, tick + 1]) {
            let fraction = tick as f64 / problem.ticks as f64;
            loads.at(problem.loads_start, problem.loads_end, fraction, problem.step, held);
        }
        let part = Problem { loads_start: &loads[0], loads_end: &loads[1], step: self.delta, ..*problem };
        stage::start(&part, current, memory, &mut self.report)?;
        let layout = current.state.layout;
        for (node, member) in of_node.iter().enumerate() {
            if member.is_some_and(|k| tick.is_multiple_of(members[k].multiple)) {
                if tick > 0 {
                    push((layout, node), latest, self.past);
                }
                let start = &memory.stages.start;
                layout.velocities(node).for_each(|i| (latest.u[i], latest.v[i]) = (start.u[i], start.v[i]));
            }
        }
        runge_kutta::advance(Tableau::of_order(self.order), &part, current, next, memory, &mut self.report)?;
        std::mem::swap(current, next);
        Ok(())
    }

    /// Makes the ticks from `first` on, every entity at its own times, and writes the result to
    /// `end`.
    fn multirate(&mut self, first: usize, end: &mut State) -> Result<(), Failure> {
        let (problem, ticks) = (self.problem, self.problem.ticks);
        // All entities end a step here. After Runge-Kutta ticks their rates are in the state; at
        // the start of the step loads may have jumped.
        match first {
            0 => stage::start(problem, &self.entities.points[0], self.memory, &mut self.report)?,
            _ => self.entities.remember(self.past),
        }
        let Entities { members, latest, arrived, points: [current, _], together, moved, .. } = &mut *self.entities;
        *together = false;
        let layout = current.state.layout;
        arrived.copy_motion_from(&current.state);
        match first {
            0 => latest.copy_from(&self.memory.stages.start),
            _ => {
                moved.begin(&current.state);
                latest.set_rates(layout, moved, &current.state.vdot);
            }
        }
        for member in members {
            member.tick = first;
            member.entity.begin(problem.hydrodynamics, problem.water, problem.callbacks, &current.state);
        }
        for tick in first + 1..ticks {
            problem.progress.count(self.time(tick), 1)?;
            let is_due = |member: &Member| tick.is_multiple_of(member.multiple);
            if !self.entities.members.iter().any(is_due) {
                continue;
            }
            stage::loads_at(problem, tick as f64 / ticks as f64, &mut self.memory.loads);
            // All arrive before any is evaluated.
            for act in [Run::land, Run::evaluate] {
                for k in 0..self.entities.members.len() {
                    if is_due(&self.entities.members[k]) {
                        act(self, k, tick)?;
                    }
                }
            }
        }
        stage::loads_at(problem, 1.0, &mut self.memory.loads);
        end.copy_motion_from(&self.entities.points[0].state);
        for k in 0..self.entities.members.len() {
            self.arrive(k, ticks);
            let Entities { members, points: [current, _], .. } = &mut *self.entities;
            let Member { entity, tick: last, .. } = &mut members[k];
            entity.count_angles(self.delta * (ticks - *last) as f64);
            for (local, node) in entity.part.own_places() {
                end.take_node(node, local, &entity.state);
            }
            entity.end(&mut current.state.coordinates);
        }
        Ok(())
    }

    /// Time of a tick.
    fn time(&self, tick: usize) -> f64 {
        self.start[0] + (self.start[1] + tick as f64 * self.delta)
    }

    /// y of a node at a tick on the continuous extension of its last step, written to
    /// `entities.moved`.
    fn extend(&mut self, node: usize, tick: usize) {
        let Entities { members, of_node, latest, arrived, moved, .. } = &mut *self.entities;
        // A node that is there already has moved by nothing.
        let [h, s] = of_node[node].map_or([0.0; 2], |k| {
            let Member { tick: last, multiple, .. } = members[k];
            [self.delta * multiple as f64, (tick - last) as f64 / multiple as f64]
        });
        let b = weights(self.order, s);
        self.method.extrapolate((arrived.layout, node), (h, &b), &arrived.v, (latest, self.past), moved);
    }

    /// Ends the step of entity k at a tick: moves its nodes and projects them onto its constraints
    /// (which involve no neighbours except bodies with imposed motion).
    fn land(&mut self, k: usize, tick: usize) -> Result<(), Failure> {
        self.arrive(k, tick);
        let time = self.time(tick);
        let Entities { members, arrived, .. } = &mut *self.entities;
        let Member { entity, tick: last, .. } = &mut members[k];
        self.report.factorizations += entity.project(time, stage::project)?;
        entity.count_angles(self.delta * (tick - *last) as f64);
        *last = tick;
        for (local, node) in entity.part.own_places() {
            arrived.take_node(node, local, &entity.state);
        }
        Ok(())
    }

    /// Moves the own nodes of entity k to a tick, where the loads are those of the memory.
    fn arrive(&mut self, k: usize, tick: usize) {
        self.entities.members[k].entity.begin_step();
        self.place(k, tick, true);
        self.entities.members[k].entity.see(&self.memory.loads);
    }

    /// Moves the own nodes of entity k, or those that it touches, to their extensions at a tick.
    fn place(&mut self, k: usize, tick: usize, own: bool) {
        for at in 0..self.entities.members[k].entity.part.places.len() {
            let part = &self.entities.members[k].entity.part;
            let (local, node) = part.places[at];
            if part.is_own(local) == own {
                self.extend(node, tick);
                let Entities { members, moved, latest, arrived, .. } = &mut *self.entities;
                let (layout, state) = (arrived.layout, &mut members[k].entity.state);
                moved.enter_node((layout, node), arrived, (state.layout, local), state);
                let range = state.layout.velocities(local);
                state.vdot[range].copy_from_slice(&latest.v[layout.velocities(node)]);
            }
        }
    }

    /// Rates of entity k at the end of its step, with the others at their extensions.
    fn evaluate(&mut self, k: usize, tick: usize) -> Result<(), Failure> {
        self.place(k, tick, false);
        let time = self.time(tick);
        let Entities { members, latest, arrived, .. } = &mut *self.entities;
        let entity = &mut members[k].entity;
        let own = entity.part.own_places().count();
        self.problem.progress.count(time, own)?;
        entity.see(&self.memory.loads);
        entity.accelerations(time)?;
        self.report.evaluate(own);
        let layout = arrived.layout;
        for (local, node) in entity.part.own_places() {
            push((layout, node), latest, self.past);
            let (from, to) = (entity.state.layout.velocities(local), layout.velocities(node));
            latest.u[to.clone()].copy_from_slice(&entity.state.v[from.clone()]);
            latest.v[to].copy_from_slice(&entity.state.vdot[from]);
        }
        Ok(())
    }
}
