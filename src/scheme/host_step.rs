//! A step of the host, made of internal steps: the loads at their ends, what is looked for between
//! them, and cuts. An internal step that fails, or in which the tension of a line jumps, is made
//! again as two halves. Where friction or stops may switch, or steps follow a tolerance, `events`
//! makes the parts.

use super::{Marks, Memory, Point, Problem, Report, Restart, Scheme, start};
use crate::linear::update;
use crate::model::{EntityKind, Loads, NoConvergencePolicy, Settings};
use crate::system::{Failure, MachineEvent, Sharing, System, Workspace};

/// How often an internal step may be halved (option `on_no_convergence` = 2).
const MOST_CUTS: u32 = 10;

/// The same in a model with lines, ropes or springs with tables, or bushings and beams that turn,
/// for any value of the option, because elements that snap, and stiff axes that ring while they
/// turn, need shorter steps now and then.
const MOST_CUTS_OF_JUMPS: u32 = 4;

/// Angle (rad) by which a body on bushings or beams turns at least in a step that may be cut for
/// that.
const TURNS: f64 = 1e-2;

/// Failures of lines this near to an end of an internal step, as a fraction of the host's step,
/// happen there.
const ROUNDING: f64 = 1e-9;

/// How much more than the tolerance allows a rolling disc may slip that follows from others.
const SLIPS: f64 = 10.0;

/// Most events that are listed.
const MOST_LISTED: usize = 1000;

/// Memory of the steps of a run. Nothing in it outlives a step but what follows from the model, the
/// inputs and the state at `initialize`, so that a run goes on bit by bit with a new one.
pub struct Workplace {
    /// Where the internal steps have come to.
    pub current: Box<Point>,
    /// The end of the internal step under way; exchanged with `current` when that is done.
    pub next: Box<Point>,
    /// Loads at the start of the host's step, with what the host said of that time.
    pub base_loads: Loads,
    /// Loads at the start and end of an internal step.
    pub(super) step_loads: [Loads; 2],
    /// Events of friction and stops in the last step of the host; further ones are only counted.
    pub events: Vec<MachineEvent>,
    /// Reactions of loops, where joints may break.
    pub(super) sharing: Sharing,
    /// Memory of the scheme.
    pub memory: Memory,
    /// The kind of step that has been made in this memory: the next one of it allocates nothing.
    pub prepared: Option<(Scheme, bool)>,
}

impl Workplace {
    /// For the steps of a run that is at some point.
    pub fn new(system: &System, at: &Point, workspace: Workspace) -> Box<Workplace> {
        Box::new(Workplace {
            current: Box::new(at.clone()),
            next: Box::new(at.clone()),
            base_loads: at.loads.clone(),
            step_loads: [at.loads.clone(), at.loads.clone()],
            events: Vec::with_capacity(if system.machines().are_any() { MOST_LISTED } else { 0 }),
            sharing: system.joints().sharing(),
            memory: Memory::new(system, &at.state, &at.loads, workspace),
            prepared: None,
        })
    }
}

/// A failed internal step.
pub struct FailedStep {
    /// Its end.
    pub time: f64,
    /// Its length.
    pub step: f64,
    /// Why it failed.
    pub failure: Failure,
}

/// What happened in a step of the host.
#[derive(Debug, Clone, Copy, Default)]
pub struct EventCounts {
    /// Events.
    pub events: u64,
    /// Steps that were made again to locate them.
    pub tries: u64,
    /// Events that were not located: at the end of an internal step, or left out.
    pub unlocated: u64,
    /// Where the last one of these was.
    pub last_unlocated: Option<(EntityKind, usize)>,
    /// Events whose forces or impulses had not settled after the last sweep over all machines.
    pub unsettled: u64,
}

impl EventCounts {
    /// Counts an event of an entity that was not located.
    pub(super) fn miss(&mut self, entity: Option<(EntityKind, usize)>) {
        self.unlocated += 1;
        self.last_unlocated = entity;
    }
}

/// What choosing internal steps by their errors has cost.
#[derive(Debug, Clone, Copy, Default)]
pub struct Choices {
    /// Steps made again because they erred too much, or failed.
    pub rejected: u64,
    /// The error of the last step, in tolerances.
    pub last_error: f64,
}

/// How far a step of the host has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Made {
    /// To its end, 1, or to the event that ends it.
    To(f64),
    /// To where ends of lines broke off, after which the system must follow `work.current` before
    /// the rest of the step is made.
    Broken(f64),
    /// To where a joint broke: the rest of the step is made by a system without it.
    Without(f64, usize),
}

/// A host's step under way.
pub struct HostStep<'a> {
    /// The step as a whole: its length, the loads at the accepted time and at its end.
    pub(super) problem: Problem<'a>,
    pub(super) scheme: Scheme,
    pub(super) accepted: &'a Point,
    /// What the host said of the accepted time.
    marks: Marks,
    pub(super) work: &'a mut Workplace,
    /// Called after each internal step, with its end and its length.
    count: &'a mut dyn FnMut(&Report, f64, f64),
    /// True if the step starts from the accepted point unchanged, which then is not copied.
    plain: bool,
    /// How many more internal steps may come from halving others, or from their errors.
    pub spare: f64,
    /// How many internal steps were halved.
    pub halved: u64,
    /// Internal steps chosen by their errors.
    pub choices: Choices,
    /// Events of friction and stops.
    pub events: EventCounts,
    /// Whether the first of them ends the step.
    pub stops_at_events: bool,
    /// Whether this call goes on from the break of a joint.
    pub follows_break: bool,
    /// The fraction of the step at which an event ended it.
    pub(super) stopped: Option<f64>,
    /// The joint that broke there.
    pub(super) broken: Option<usize>,
}

impl<'a> HostStep<'a> {
    /// A step from the accepted point. `spare`: how many internal steps may come from halving
    /// others.
    pub fn new(
        problem: Problem<'a>,
        scheme: Scheme,
        (accepted, marks): (&'a Point, Marks),
        work: &'a mut Workplace,
        spare: f64,
        count: &'a mut dyn FnMut(&Report, f64, f64),
    ) -> HostStep<'a> {
        let turns = problem.settings.linear_inputs() && problem.loads_start.changes_axes(problem.loads_end);
        let plain = marks == Marks::NONE
            && accepted.history.step != 0.0
            && !problem.system.loading().imposes_motions()
            && !problem.system.machines().are_any()
            && problem.settings.step_tolerance() == 0.0
            && !turns;
        HostStep {
            problem,
            scheme,
            accepted,
            marks,
            work,
            count,
            plain,
            spare,
            halved: 0,
            choices: Choices::default(),
            events: EventCounts::default(),
            stops_at_events: false,
            follows_break: false,
            stopped: None,
            broken: None,
        }
    }

    /// Integrates from the accepted state by `dt` into `work.current`. `done` is the fraction of
    /// the step that an earlier call has made.
    pub fn make(&mut self, parts: f64, done: f64) -> Result<Made, FailedStep> {
        let Problem { system, step: dt, ticks, .. } = self.problem;
        let accepted = self.accepted;
        if done == 0.0 {
            self.work.events.clear();
        }
        if !self.plain && done == 0.0 {
            self.begin(parts)?;
        }
        if system.machines().are_any() || self.follows_break {
            self.begin_events(done)?;
        }
        if self.follows_break && self.stops_at_events && done > f64::MIN_POSITIVE {
            return self.end_at(done);
        }
        // Local time stepping makes the parts itself.
        let parts = parts / ticks as f64;
        let count = parts as u64;
        for part in 0..count {
            let fraction = |k: u64| if k == count { 1.0 } else { k as f64 / parts };
            let (from, to) = (fraction(part).max(done), fraction(part + 1));
            if from >= to {
                continue;
            }
            // A part ends at the time of a failure.
            let start = accepted.state.time;
            let failure = system
                .lines()
                .next_failure(if from == 0.0 { &accepted.state } else { &self.work.current.state }, start + from * dt);
            let end = failure.map(|time| (time - start) / dt).filter(|at| at - from > ROUNDING && to - at > ROUNDING);
            let to = end.unwrap_or(to);
            self.part(from, to, 0)?;
            if let Some(at) = self.stopped {
                return self.broken.map_or_else(|| self.end_at(at), |joint| Ok(Made::Without(at, joint)));
            }
            let current = &mut self.work.current;
            if system.lines().fail(&mut current.state, ROUNDING * dt) {
                current.history.restart = current.history.restart.max(Restart::Discontinuity);
                if to < 1.0 {
                    return Ok(Made::Broken(to));
                }
            }
        }
        self.end_at(1.0)
    }

    /// Ends the step at a fraction of it, where it has come to.
    fn end_at(&mut self, fraction: f64) -> Result<Made, FailedStep> {
        let Problem { system, settings, loads_end, step: dt, .. } = self.problem;
        let reached = &self.work.current.state;
        if let Some(joint) = system.joints().contradicted(reached, !settings.linear()) {
            return self.refuse(Failure::Contradiction { joint });
        }
        // Velocities err by the tolerance of positions over the step.
        let least = SLIPS * settings.abs_tolerance() * system.scales().length / dt;
        if let Some(joint) = system.joints().slipping(reached, least) {
            return self.refuse(Failure::Contradiction { joint });
        }
        if let Some(gear) = system.gears().contradicted(reached) {
            return self.refuse(Failure::GearContradiction { gear });
        }
        let current = &mut self.work.current;
        // The sum of the parts, without their rounding.
        current.state.set_time_after(&self.accepted.state, fraction * dt);
        // Those of an event are of the decision there.
        let loads = if fraction < 1.0 { &self.work.step_loads[0] } else { loads_end };
        match system.nodes().all_free() {
            true => current.loads.copy_but_motions_from(loads),
            false => current.loads.copy_from(loads),
        }
        current.marks = Marks::NONE;
        Ok(Made::To(fraction))
    }

    /// The step as a whole fails.
    fn refuse<T>(&self, failure: Failure) -> Result<T, FailedStep> {
        let step = self.problem.step;
        Err(FailedStep { time: self.accepted.state.time + step, step, failure })
    }

    /// Copies the accepted point, with what the host said of its time; finds imposed motions that
    /// cannot be followed.
    fn begin(&mut self, parts: f64) -> Result<(), FailedStep> {
        let Problem { system, settings, loads_end, step: dt, initial, .. } = self.problem;
        let (accepted, marks, work) = (self.accepted, self.marks, &mut *self.work);
        work.current.copy_motion_from(accepted);
        work.current.history.restart = work.current.history.restart.max(marks.restart);
        work.base_loads.copy_from(&accepted.loads);
        if marks.loads_jump {
            work.base_loads.copy_forces_from(loads_end);
        }
        system.loading().note_motions(&accepted.state, &mut work.base_loads);
        if settings.linear_inputs() {
            // In linear analysis loads act on the initial configuration.
            let at = if settings.linear() { initial } else { &accepted.state };
            system.loading().turn(at, &mut work.base_loads, loads_end);
        }
        for (joint, (from, to)) in accepted.state.drives.iter().zip(&loads_end.joints).enumerate() {
            let turn = to.drive.map_or(0.0, |drive| drive[0] - from[0][0]);
            if system.joints().is_angle(joint) && turn.abs() > std::f64::consts::PI * parts {
                return self.refuse(Failure::Jump { joint, turn });
            }
        }
        if accepted.history.step == 0.0 {
            // A load first given after `initialize` acts from the initial time on.
            work.base_loads.complete_from(loads_end);
        }
        if let Some((line, length)) = system.lines().too_short(&work.base_loads.lines, &loads_end.lines, dt) {
            return self.refuse(Failure::Short { line, length });
        }
        if let Some(leap) = work.base_loads.lost_turn(loads_end, dt) {
            return self.refuse(Failure::Leap(leap));
        }
        if self.scheme.is_newton() {
            self.begin_motions(parts)?;
        }
        Ok(())
    }

    /// Finds imposed motions that jump at the accepted state, and how they begin where the scheme
    /// starts anew.
    fn begin_motions(&mut self, parts: f64) -> Result<(), FailedStep> {
        let Problem { system, loads_end, step: dt, .. } = self.problem;
        let work = &mut *self.work;
        let history = &mut work.current.history;
        let anew = history.restart != Restart::No || history.step == 0.0;
        let sizes = [system.scales().length, system.references().origin().norm()];
        let turns = |joint| system.joints().is_angle(joint);
        let beginning = work.base_loads.begin_motions(loads_end, dt, anew, sizes, turns);
        if beginning.jumps || (anew && beginning.is_unfit) {
            history.restart = if beginning.is_unfit { Restart::Unfit } else { Restart::Jump };
        }
        match beginning.farthest {
            Some(leap) if leap.part > parts => self.refuse(Failure::Leap(leap)),
            _ => Ok(()),
        }
    }

    /// Integrates over a part of the host step, given as fractions of it, halving it where allowed
    /// and needed.
    fn part(&mut self, from: f64, to: f64, cuts: u32) -> Result<(), FailedStep> {
        if self.problem.system.machines().are_any() || self.problem.settings.step_tolerance() > 0.0 {
            return self.part_with_events(from, to, cuts);
        }
        match self.attempt(from, to) {
            Ok(report) => {
                let at = if self.plain && from == 0.0 { self.accepted } else { &*self.work.current };
                if self.spare >= 1.0 && tension_jumps(at, &self.work.next, cuts, self.problem.settings) {
                    return self.halves([from, to], cuts);
                }
                let time = at.state.time_after((to - from) * self.problem.step);
                self.keep(&report, time, [from, to]);
                Ok(())
            }
            Err(failure) => self.failed(failure, [from, to], cuts),
        }
    }

    /// True if a tension changed too much in the part that was tried, from the current point.
    pub(super) fn tension_jumps(&self, cuts: u32) -> bool {
        let Workplace { current, next, .. } = &*self.work;
        self.spare >= 1.0 && tension_jumps(current, next, cuts, self.problem.settings)
    }

    /// Goes on from the end of the part that was tried, given as fractions of the host step.
    #[inline(always)]
    pub(super) fn keep(&mut self, report: &Report, time: f64, [from, to]: [f64; 2]) {
        (self.count)(report, time, (to - from) * self.problem.step);
        let Workplace { current, next, .. } = &mut *self.work;
        if from > 0.0 {
            // Mean tensions are those since the start of the host step.
            update([&mut next.state.lines.means], [&current.state.lines.means], |[mean], [before]| {
                [mean + from / to * (before - mean)]
            });
        }
        std::mem::swap(current, next);
    }

    /// Tries a part of the host step, given as fractions of it; its end is in `work.next`.
    #[inline(always)]
    pub(super) fn attempt(&mut self, from: f64, to: f64) -> Result<Report, Failure> {
        let Problem { system, settings, loads_end, step: dt, ticks, .. } = self.problem;
        let work = &mut *self.work;
        let step = (to - from) * dt;
        let base = if self.plain { &self.accepted.loads } else { &work.base_loads };
        let [start, end] = &mut work.step_loads;
        let (start, end) = if [from, to] == [0.0, 1.0] && !system.loading().imposes_motions() {
            (base, loads_end)
        } else {
            let held = !settings.linear_inputs();
            start.at(base, loads_end, from, dt, held);
            end.at(base, loads_end, to, dt, held);
            (&*start, &*end)
        };
        let at = if self.plain && from == 0.0 { self.accepted } else { &*work.current };
        let problem = Problem { loads_start: start, loads_end: end, step, ..self.problem };
        if let Some((joint, turn)) = system.gears().lost_turns(&at.state, step / ticks as f64) {
            return Err(Failure::LostTurns { joint, turn });
        }
        let report = self.scheme.step(&problem, at, &mut work.next, &mut work.memory)?;
        work.next.history.pace = at.history.pace;
        // Whatever is accepted is finite: everything that is read goes back to this.
        if let Some(unknown) = work.next.state.not_finite() {
            return Err(Failure::NotFinite { unknown, iterations: report.iterations });
        }
        let may_open = settings.on_no_convergence() == NoConvergencePolicy::Accept;
        if !settings.linear()
            && let Some(torn) = system.joints().torn_in_step(&at.state, &work.next.state, step, may_open)
        {
            return Err(Failure::Torn(torn));
        }
        if !settings.linear()
            && let Some((joint, by)) = system.joints().overturns(&at.state, &work.next.state)
        {
            return Err(Failure::Overturns { joint, by });
        }
        Ok(report)
    }

    /// A part once more, in two.
    pub(super) fn halves(&mut self, [from, to]: [f64; 2], cuts: u32) -> Result<(), FailedStep> {
        self.spare -= 1.0;
        self.halved += 1;
        let middle = 0.5 * (from + to);
        self.part(from, middle, cuts + 1)?;
        if self.stopped.is_some() {
            return Ok(());
        }
        self.part(middle, to, cuts + 1)
    }

    /// After a failed part: its halves, where the host wants that and they may help.
    pub(super) fn failed(&mut self, failure: Failure, [from, to]: [f64; 2], cuts: u32) -> Result<(), FailedStep> {
        let Problem { system, settings, step: dt, .. } = self.problem;
        let part = (to - from) * dt;
        let at = if self.plain && from == 0.0 { self.accepted } else { &*self.work.current };
        let needs_shorter = self.scheme.is_newton() && (has_jumps(system) || turns(system, settings, at, part));
        if self.spare >= 1.0 && may_be_cut(&failure, cuts, settings.on_no_convergence(), needs_shorter) {
            return self.halves([from, to], cuts);
        }
        let step = part * self.failed_share(&failure);
        Err(FailedStep { time: at.state.time_after(part), step, failure })
    }

    /// How much of an internal step the one that failed is: with local steps, that of what the
    /// failure names.
    fn failed_share(&self, failure: &Failure) -> f64 {
        let Problem { system, ticks, .. } = self.problem;
        let nodes = match failure {
            Failure::Diverged { unknown, .. } | Failure::NoConvergence { unknown, .. } => {
                system.nodes().of_unknown(*unknown)
            }
            Failure::Torn(torn) => system.nodes().of_joint(torn.joint),
            Failure::Overturns { joint, .. } => system.nodes().of_joint(*joint),
            _ => return 1.0,
        };
        let entities = self.work.memory.entities.as_ref().filter(|_| ticks > 1);
        entities.map_or(1.0, |entities| entities.ticks_of(nodes) as f64 / ticks as f64)
    }
}

/// True if an internal step that was halved `cuts` times before may be halved once more after a
/// failure, and halves may help; `needs_shorter`: whether its elements need shorter steps now and
/// then.
fn may_be_cut(failure: &Failure, cuts: u32, policy: NoConvergencePolicy, needs_shorter: bool) -> bool {
    let most = match policy {
        NoConvergencePolicy::Cut => MOST_CUTS,
        _ if needs_shorter => MOST_CUTS_OF_JUMPS,
        _ => 0,
    };
    is_curable(failure) && cuts < most
}

/// True if shorter steps may help.
pub(super) fn is_curable(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::NoConvergence { .. }
            | Failure::Diverged { .. }
            | Failure::Torn { .. }
            | Failure::Overturns { .. }
            | Failure::Singular { .. }
            | Failure::NotFinite { .. }
            | Failure::Kick { .. }
            | Failure::HalfTurn { .. }
    )
}

/// Whether a model has lines, ropes, springs with tables, friction or stops.
fn has_jumps(system: &System) -> bool {
    system.lines().count() > 0 || system.elements().forms().may_jump() || system.machines().are_any()
}

/// Whether a body on bushings or beams in energy form turns far enough in a step from a point.
fn turns(system: &System, settings: &Settings, from: &Point, step: f64) -> bool {
    let rate = |first: usize| start::three(&from.state.v, first + 3).norm();
    settings.energy_form() && system.elements().forms().turning().any(|first| rate(first) * step > TURNS)
}

/// True if a tension changed over an internal step by more than the host allows, and the step may
/// be halved once more.
fn tension_jumps(from: &Point, to: &Point, cuts: u32, settings: &Settings) -> bool {
    let most = settings.line_tension_change();
    let pairs = from.state.lines.tensions.iter().zip(&to.state.lines.tensions);
    most > 0.0 && cuts < MOST_CUTS && pairs.into_iter().any(|(from, to)| (to - from).abs() > most)
}
