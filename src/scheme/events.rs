//! Friction and stops in a step of the host: internal steps that end where one of them switches.
//!
//! A mode does not change inside an internal step. Where an event function falls through zero, the
//! step is made again so that it ends there: its length comes from a cubic through values and rates
//! at both ends, then from bracketed secants (regula falsi, Illinois). At the end the modes change
//! (`system::machines`), and the scheme starts anew, as behind a discontinuity of loads. Where more
//! happens in one step of the host than option `max_events` allows, the rest of it is made with
//! modes that change at the ends of internal steps. Time counts from the start of the internal
//! step. A joint that breaks ends the step here: `simulation` goes on with the system without it.

use super::host_step::{FailedStep, HostStep};
use super::{Problem, Report, Restart};
use crate::system::{Failure, FirstEvent, Hit, Rules};

/// Most repeated steps that locate one event.
const MOST_TRIES: u32 = 40;

/// Least distance of a secant from both ends of its bracket, as part of it.
const MARGIN: f64 = 0.02;

/// Most events at one time of each machine; then the modes stay for this part of the step.
const MOST_AT_ONCE: usize = 8;
const PAUSE: f64 = 1.0 / 16.0;

/// The shortest internal step, as part of the one that is divided: rates of a step are rounded by
/// the rounding of its positions over its length. Events nearer to its ends are taken there.
const SHORTEST: f64 = 1e-6;

/// The end of a part in which something switches.
enum Located {
    /// At the end of `work.next`, after this fraction of the host step.
    Event(f64, Hit, Report),
    /// Nothing up to there: a grazing event of the longer step is none of the shorter one.
    Clear(f64, Report),
    /// At its start.
    AtStart(Hit),
}

impl HostStep<'_> {
    /// Decides anew what sticks and rests where the step of the host starts anew, or with other
    /// brakes. `done`: the fraction of it that an earlier call has made.
    pub(super) fn begin_events(&mut self, done: f64) -> Result<(), FailedStep> {
        let Problem { system, loads_end, .. } = self.problem;
        let history = &self.work.current.history;
        let anew = history.restart != Restart::No || history.step == 0.0;
        if anew || system.machines().brakes_changed(&self.work.current.state, loads_end) {
            return self.decide(done, None);
        }
        Ok(())
    }

    /// Changes modes at the current point, which is at a fraction of the host step: of what has its
    /// event there, or by the brakes.
    fn decide(&mut self, at: f64, hit: Option<(Hit, f64)>) -> Result<(), FailedStep> {
        let Problem { system, settings, loads_end, step: dt, .. } = self.problem;
        let work = &mut *self.work;
        if let Some(event) = hit.and_then(|(hit, _)| system.machines().breaks(hit, &work.current.state)) {
            work.events.push(event);
            self.broken = event.joint().map(|(joint, _)| joint);
            self.stopped = Some(at);
            return Ok(());
        }
        let [loads, _] = &mut work.step_loads;
        // Held loads act from the start of the step on.
        loads.at(&work.base_loads, loads_end, at.max(f64::MIN_POSITIVE), dt, !settings.linear_inputs());
        let state = &mut work.current.state;
        let environment = self.problem.environment(state.time, loads);
        let events = &mut work.events;
        let mut tell = |event| {
            if events.len() < events.capacity() {
                events.push(event);
            }
        };
        let (machines, workspace) = (system.machines(), &mut work.memory.workspace);
        let rules = Rules { rest_speed: settings.events().1, time: hit.map_or(dt, |(_, time)| time) };
        let done = match hit {
            Some((hit, _)) => machines.switch(&environment, state, (hit, rules), workspace, &mut tell),
            None => machines.follow_brakes(&environment, state, rules, workspace, &mut tell),
        };
        self.events.unsettled += std::mem::take(&mut workspace.unsettled);
        let history = &mut work.current.history;
        history.restart = history.restart.max(Restart::Discontinuity);
        // A step that ended where it began would not come to an end.
        if hit.is_some() && self.stops_at_events && at > 0.0 {
            self.stopped = Some(at);
        }
        done.map_err(|failure| FailedStep { time: work.current.state.time, step: 0.0, failure })
    }

    /// Integrates over a part of the host step, given as fractions of it, from event to event.
    pub(super) fn part_with_events(&mut self, from: f64, to: f64, cuts: u32) -> Result<(), FailedStep> {
        let Problem { system, settings, step: dt, .. } = self.problem;
        let (machines, whole) = (system.machines(), (to - from) * dt);
        let most_at_once = MOST_AT_ONCE * machines.count().max(1);
        let (mut start, mut at_once) = (from, 0);
        while start < to && self.stopped.is_none() {
            let pace = self.pace((to - start) * dt);
            let pause = if at_once < most_at_once { whole } else { PAUSE * whole };
            let longest = machines.longest_step(&self.work.current.state).min(pace).min(pause);
            let shortest = SHORTEST * (to - from).min(pace / dt);
            // An internal step that moves the time: at most 2^53 of them, fewer by the counts
            // below.
            let end = start + (longest / dt).max(shortest);
            let end = if end < to - shortest { end } else { to };
            let (end, report) = match self.attempt_within(start, end, to) {
                Ok(made) => made,
                Err(failure) => return self.failed(failure, [start, to], cuts),
            };
            if self.tension_jumps(cuts) {
                return self.halves([start, to], cuts);
            }
            let [current, next] = [&self.work.current.state, &self.work.next.state];
            let lengths = [(end - start) * dt, whole];
            let Some(first) = machines.first_event([current, next], lengths, &self.work.sharing) else {
                self.go_on(&report, [start, end]);
                (start, at_once) = (end, 0);
                continue;
            };
            let is_exhausted = self.events.events >= u64::from(settings.events().0);
            if at_once >= most_at_once || is_exhausted {
                // The modes stay for a while, or change at the end of the step.
                self.events.miss(machines.entity(first.hit));
                self.go_on(&report, [start, end]);
                (start, at_once) = (end, 0);
                if is_exhausted {
                    self.decide(start, Some((first.hit, whole)))?;
                }
                continue;
            }
            if first.fraction * (end - start) < shortest {
                self.events.events += 1;
                at_once += 1;
                self.decide(start, Some((first.hit, whole)))?;
                continue;
            }
            match self.locate([start, end], shortest, first, whole) {
                Ok(Located::Event(x, hit, report)) => {
                    self.go_on(&report, [start, x]);
                    self.events.events += 1;
                    (start, at_once) = (x, 1);
                    self.decide(start, Some((hit, whole)))?;
                }
                Ok(Located::Clear(x, report)) => {
                    self.go_on(&report, [start, x]);
                    (start, at_once) = (x, 0);
                }
                Ok(Located::AtStart(hit)) => {
                    self.events.events += 1;
                    at_once += 1;
                    self.decide(start, Some((hit, whole)))?;
                }
                Err(failure) => return self.failed(failure, [start, to], cuts),
            }
        }
        Ok(())
    }

    /// Goes on from the end of an internal step between two fractions of the host step.
    fn go_on(&mut self, report: &Report, [from, to]: [f64; 2]) {
        let step = (to - from) * self.problem.step;
        let work = &mut *self.work;
        self.problem.system.machines().advance(&work.current.state, &mut work.next.state, step);
        let time = work.current.state.time_after(step);
        self.keep(report, time, [from, to]);
    }

    /// Repeats a step between two fractions of the host step until it ends on its first event.
    fn locate(
        &mut self,
        [start, end]: [f64; 2],
        shortest: f64,
        first: FirstEvent,
        time: f64,
    ) -> Result<Located, Failure> {
        let (dt, machines) = (self.problem.step, self.problem.system.machines());
        let FirstEvent { mut hit, mut fraction } = first;
        let value_at_end = |step: &Self, hit: Hit| {
            let [from, to] = [&step.work.current.state, &step.work.next.state];
            machines.event_value(hit, [from, to], time, &step.work.sharing)
        };
        let value_at_start = |step: &Self, hit: Hit| {
            let from = &step.work.current.state;
            machines.event_value(hit, [from, from], time, &step.work.sharing)[0]
        };
        // The bracket: fractions of the step, and values of the event function there.
        let mut low = [0.0, value_at_start(self, hit)];
        let mut high = [1.0, value_at_end(self, hit)[0]];
        // The side of the bracket that moved last.
        let mut side = 0;
        let mut tries = 0;
        loop {
            let margin = MARGIN * (high[0] - low[0]);
            let x = (low[0] + fraction * (high[0] - low[0])).clamp(low[0] + margin, high[0] - margin);
            let tried = start + x * (end - start);
            if tried - start < shortest {
                return Ok(Located::AtStart(hit));
            }
            let tried = if end - tried < shortest { end } else { tried };
            let report = self.attempt(start, tried)?;
            self.events.tries += 1;
            tries += 1;
            if tried == end || tries == MOST_TRIES {
                if tries == MOST_TRIES {
                    self.events.miss(machines.entity(hit));
                }
                return Ok(Located::Event(tried, hit, report));
            }
            let [value, tolerance] = value_at_end(self, hit);
            let [from, to] = [&self.work.current.state, &self.work.next.state];
            match machines.first_event([from, to], [x * (end - start) * dt, time], &self.work.sharing) {
                Some(earlier) => {
                    // Something switches before this end.
                    if earlier.hit != hit {
                        hit = earlier.hit;
                        low = [0.0, value_at_start(self, hit)];
                        side = 0;
                    }
                    let [value, tolerance] = value_at_end(self, hit);
                    high = [x, value];
                    if side == 1 {
                        low[1] *= 0.5;
                    }
                    side = 1;
                    if value >= -tolerance {
                        // A dip inside: the cubic finds it.
                        fraction = ((earlier.fraction * x - low[0]) / (high[0] - low[0])).clamp(0.0, 1.0);
                        continue;
                    }
                }
                None if value <= tolerance => return Ok(Located::Event(tried, hit, report)),
                None if high[1] > 0.0 => return Ok(Located::Clear(tried, report)),
                None => {
                    low = [x, value];
                    if side == 2 {
                        high[1] *= 0.5;
                    }
                    side = 2;
                }
            }
            fraction = low[1] / (low[1] - high[1]);
        }
    }
}
