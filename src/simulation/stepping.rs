//! Host steps: advance, accept, reject; cut into internal steps where the settings ask for it.

use super::statistics::Statistics;
use super::workplace::Workplace;
use super::{Inputs, Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{Callbacks, Loads, NoConvergencePolicy};
use crate::number::Number;
use crate::scheme::{Marks, Point, Problem, Restart, may_be_cut, tension_jumps};
use crate::system::{Failure, Progress, State, System};

/// A failed internal step: when, how long, why.
struct FailedStep {
    time: f64,
    step: f64,
    failure: Failure,
}

impl Simulation {
    /// Advances by `dt` and accepts. Phase READY.
    pub fn step(&mut self, dt: f64) -> Result<()> {
        self.require(
            &[Phase::Ready],
            "a step starts at an accepted state (phase READY): accept or reject the trial first",
        )?;
        self.advance(dt)?;
        self.accept()
    }

    /// Advances from the ACCEPTED state by `dt` into a trial; may be repeated with corrected inputs. Phase READY, TRIAL.
    ///
    /// Errors: dt not positive or not finite, or cut into more internal steps than option `max_substeps` allows;
    /// `Unsupported` (parameters of newmark that cannot hold constraints); `Stopped` (nothing has changed);
    /// `NoConvergence`, `Singular`, `Unstable`, `Callback`,
    /// `RedundantConstraints` (one that was left out is missed): then no trial is pending.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "stepping needs an initialized model (phase READY or TRIAL)")?;
        if !dt.is_finite() {
            return Err(Error::NotFinite { argument: "dt", index: None, value: dt });
        }
        if dt <= 0.0 {
            return Err(Error::bad_value("dt", format!("{} is not positive", Number(dt))));
        }
        let now = self.readable()?.accepted.state.time;
        if !(now + dt).is_finite() {
            let detail = format!("{} takes time {} beyond the largest double", Number(dt), Number(now));
            return Err(Error::bad_value("dt", detail));
        }
        // The run stays where it is, so that a panic on the way leaves the accepted state in place.
        let longest = self.plan_internal_steps(dt);
        let (prepared, is_local) = (self.preparation(), self.has_local_steps());
        let Some(run) = &mut self.run else {
            return Err(Error::BadPhase { phase: self.phase, detail: "stepping needs an initialized model" });
        };
        let (scheme, settings) = (self.inputs.scheme, &self.inputs.settings);
        if run.system.multipliers() > 0 && !scheme.holds_constraints(settings) {
            let [gamma, beta] = settings.newmark();
            let detail = format!(
                "newmark_gamma = {} with newmark_beta = {} lets the multipliers of constraints grow; beta = (gamma + \
                 1/2)^2/4 does not",
                Number(gamma),
                Number(beta)
            );
            return Err(Error::Unsupported { argument: "scheme", detail });
        }
        let parts = count_parts(dt, run.accepted.state.time, longest, &self.inputs)?;
        let work = run.workroom.for_steps(&run.system, &run.accepted);
        // The points change places from step to step: room in all of them, so that only the first step allocates. The accepted
        // one has it since the scheme was chosen.
        let (shape, layout, multipliers) = (scheme.shape(settings), run.system.layout(), run.system.multipliers());
        for point in [&mut run.trial, &mut work.current, &mut work.next] {
            point.history.take_shape(shape, layout, multipliers);
        }
        let ticks = if is_local { parts as usize } else { 1 };
        if is_local {
            run.plan_entities(&self.model, &self.callbacks, self.inputs.settings.cfl(), dt, ticks);
        }
        let repeated = self.phase == Phase::Trial;
        let marks = run.accepted.marks.and(if repeated { run.trial.marks } else { Marks::NONE });
        let t0 = run.accepted.state.time;
        self.progress.begin(Some([t0, t0 + dt]));
        let Run { system, accepted, trial, initial, initial_loads, workroom, .. } = &mut **run;
        let work = workroom.for_steps(system, accepted);
        if !repeated {
            // No trial is pending: in its place is the state before the accepted one, read by the last step and so nearest to the
            // processor of all that may be written over. Steps one after the other go to and fro between two points.
            std::mem::swap(trial, &mut work.next);
        }
        let mut integration = Integration {
            inputs: &self.inputs,
            callbacks: &self.callbacks,
            progress: &self.progress,
            statistics: &mut self.statistics,
            system,
            accepted,
            initial,
            initial_loads,
            work,
            plain: false,
            dt,
            ticks,
            spare: settings.max_substeps() - parts,
        };
        let outcome = integration.whole(parts, marks);
        self.progress.begin(None);
        match outcome {
            Ok(()) => {
                self.statistics.rejected_steps += u64::from(repeated);
                accepted.marks = marks;
                std::mem::swap(trial, &mut work.current);
                // The trial before this one is what the next repetition writes over, for the same reason.
                std::mem::swap(&mut work.current, &mut work.next);
                work.prepared = Some(prepared);
                self.phase = Phase::Trial;
                Ok(())
            }
            Err(FailedStep { time, step, failure }) => {
                // What the host stops leaves everything, a pending trial too.
                if !matches!(failure, Failure::Stopped { .. }) {
                    self.statistics.rejected_steps += 1 + u64::from(repeated);
                    self.drop_trial();
                }
                Err(self.explain(failure, &self.readable()?.system, time, step))
            }
        }
    }

    /// Makes the trial the accepted state. TRIAL -> READY.
    pub fn accept(&mut self) -> Result<()> {
        self.require(&[Phase::Trial], "there is no trial to accept (phase TRIAL)")?;
        self.note_held_loads();
        if let Some(run) = &mut self.run {
            // With the loads that it was computed with, and the marks set since: later inputs are the next step's.
            std::mem::swap(&mut run.accepted, &mut run.trial);
        }
        self.statistics.steps += 1;
        self.phase = Phase::Ready;
        Ok(())
    }

    /// Throws the trial away. TRIAL -> READY. Inputs stay as they are.
    pub fn reject(&mut self) -> Result<()> {
        self.require(&[Phase::Trial], "there is no trial to reject (phase TRIAL)")?;
        self.drop_trial();
        self.statistics.rejected_steps += 1;
        Ok(())
    }

    /// The trial is gone: what was said at its time holds for the next try from the accepted state.
    fn drop_trial(&mut self) {
        if let (Phase::Trial, Some(run)) = (self.phase, &mut self.run) {
            run.accepted.marks = run.accepted.marks.and(run.trial.marks);
        }
        self.phase = Phase::Ready;
    }

    /// Time of the trial if one is pending, else of the accepted state. Phase READY, TRIAL, FAILED.
    pub fn time(&self) -> Result<f64> {
        Ok(self.point()?.state.time)
    }
}

/// Into how many internal steps, no longer than `longest`, `dt` is cut. Errors: more than option `max_substeps` allows; so
/// short that time `t0` stands still.
#[inline(always)]
pub(super) fn count_parts(dt: f64, t0: f64, longest: f64, inputs: &Inputs) -> Result<f64> {
    let settings = &inputs.settings;
    // The last digits of dt / longest are rounding: 0.3 / 0.1 is three steps.
    let parts = (dt / longest * (1.0 - 1e-12)).ceil().max(1.0);
    let most = settings.max_substeps();
    if parts > most {
        let limit = if settings.max_time_step().is_finite() {
            "option \"max_time_step\"".to_owned()
        } else {
            format!("what is stable with {} on this model", inputs.scheme)
        };
        let detail = format!(
            "{} asks for {} internal steps of at most {} ({limit}), more than option \"max_substeps\" = {} allows",
            Number(dt),
            Number(parts),
            Number(longest),
            Number(most)
        );
        return Err(Error::bad_value("dt", detail));
    }
    // Internal steps may be shorter than what the time shows: their sum is kept without rounding.
    if t0 + dt == t0 {
        return Err(Error::bad_value(
            "dt",
            format!("{} does not move time {}: below its rounding", Number(dt), Number(t0)),
        ));
    }
    Ok(parts)
}

/// A host step under way.
struct Integration<'a> {
    inputs: &'a Inputs,
    callbacks: &'a Callbacks,
    progress: &'a Progress,
    statistics: &'a mut Statistics,
    system: &'a System,
    accepted: &'a Point,
    initial: &'a State,
    initial_loads: &'a Loads,
    work: &'a mut Workplace,
    /// Whether the step starts from the accepted point as it stands: then nothing of it is copied.
    plain: bool,
    dt: f64,
    /// Local time stepping: into how many ticks the scheme cuts the host's step.
    ticks: usize,
    /// How many more internal steps may come from halving others.
    spare: f64,
}

impl Integration<'_> {
    /// Integrates from the accepted state by `dt` into `work.current`.
    #[inline(always)]
    fn whole(&mut self, parts: f64, marks: Marks) -> std::result::Result<(), FailedStep> {
        let (accepted, dt) = (self.accepted, self.dt);
        let t0 = accepted.state.time;
        let turns = self.inputs.settings.linear_inputs() && accepted.loads.changes_axes(&self.inputs.loads);
        self.plain =
            marks == Marks::NONE && accepted.history.step != 0.0 && !self.system.loading().imposes_motions() && !turns;
        if !self.plain {
            self.begin(parts, marks)?;
        }
        // Local time stepping makes the parts itself.
        let parts = parts / self.ticks as f64;
        let count = parts as u64;
        for part in 0..count {
            let fraction = |k: u64| if k == count { 1.0 } else { k as f64 / parts };
            self.part(fraction(part), fraction(part + 1), 0)?;
        }
        if let Some(joint) = self.system.joints().contradicted(&self.work.current.state, !self.inputs.settings.linear())
        {
            return Err(FailedStep { time: t0 + dt, step: dt, failure: Failure::Contradiction { joint } });
        }
        if let Some(gear) = self.system.gears().contradicted(&self.work.current.state) {
            return Err(FailedStep { time: t0 + dt, step: dt, failure: Failure::GearContradiction { gear } });
        }
        let current = &mut self.work.current;
        // The sum of the parts, without their rounding.
        current.state.set_time_after(&accepted.state, dt);
        match self.system.nodes().all_free() {
            true => current.loads.follow(&self.inputs.loads, Loads::copy_but_motions_from),
            false => current.loads.follow(&self.inputs.loads, Loads::copy_from),
        }
        current.marks = Marks::NONE;
        Ok(())
    }

    /// Copies what the step starts from, with what the host said of its start; finds imposed motions that cannot be followed.
    fn begin(&mut self, parts: f64, marks: Marks) -> std::result::Result<(), FailedStep> {
        let (system, accepted, work, dt) = (self.system, self.accepted, &mut *self.work, self.dt);
        work.current.copy_motion_from(accepted);
        work.current.history.restart = work.current.history.restart.max(marks.restart);
        work.base_loads.copy_from(&accepted.loads);
        if marks.loads_jump {
            work.base_loads.copy_forces_from(&self.inputs.loads);
        }
        system.loading().note_motions(&accepted.state, &mut work.base_loads);
        if self.inputs.settings.linear_inputs() {
            // In linear analysis loads act on the initial configuration.
            let at = if self.inputs.settings.linear() { self.initial } else { &accepted.state };
            system.loading().turn(at, &mut work.base_loads, &self.inputs.loads);
        }
        for (joint, (from, to)) in accepted.state.drives.iter().zip(&self.inputs.loads.joints).enumerate() {
            let turn = to.drive.map_or(0.0, |drive| drive[0] - from[0][0]);
            if system.joints().is_angle(joint) && turn.abs() > std::f64::consts::PI * parts {
                let time = accepted.state.time + dt;
                return Err(FailedStep { time, step: dt, failure: Failure::Jump { joint, turn } });
            }
        }
        if accepted.history.step == 0.0 {
            // A load first given after `initialize` acts from the initial time on.
            work.base_loads.complete_from(&self.inputs.loads);
        }
        if let Some((line, length)) = system.lines().too_short(&work.base_loads.lines, &self.inputs.loads.lines, dt) {
            let time = accepted.state.time + dt;
            return Err(FailedStep { time, step: dt, failure: Failure::Short { line, length } });
        }
        if let Some(leap) = work.base_loads.lost_turn(&self.inputs.loads, dt) {
            let time = accepted.state.time + dt;
            return Err(FailedStep { time, step: dt, failure: Failure::Leap(leap) });
        }
        if self.inputs.scheme.is_newton() {
            self.begin_motions(parts)?;
        }
        Ok(())
    }

    /// Finds imposed motions that jump at the accepted state, and how they begin where the scheme starts anew.
    fn begin_motions(&mut self, parts: f64) -> std::result::Result<(), FailedStep> {
        let (system, accepted, work, dt) = (self.system, self.accepted, &mut *self.work, self.dt);
        let history = &mut work.current.history;
        let anew = history.restart != Restart::No || history.step == 0.0;
        let sizes = [system.scales().length, system.references().origin().norm()];
        let turns = |joint| system.joints().is_angle(joint);
        let beginning = work.base_loads.begin_motions(&self.inputs.loads, dt, anew, sizes, turns);
        if let Some(leap) = beginning.farthest
            && leap.part > parts
        {
            let time = accepted.state.time + dt;
            return Err(FailedStep { time, step: dt, failure: Failure::Leap(leap) });
        }
        if beginning.jumps || (anew && beginning.is_unfit) {
            history.restart = if beginning.is_unfit { Restart::Unfit } else { Restart::Jump };
        }
        Ok(())
    }

    /// Integrates over a part of the host step, given as fractions of it, halving it where allowed and needed.
    fn part(&mut self, from: f64, to: f64, cuts: u32) -> std::result::Result<(), FailedStep> {
        let (inputs, work) = (self.inputs, &mut *self.work);
        let step = (to - from) * self.dt;
        let base = if self.plain { &*self.accepted.loads } else { &work.base_loads };
        let [start, end] = &mut work.step_loads;
        let (start, end) = if [from, to] == [0.0, 1.0] && !self.system.loading().imposes_motions() {
            (base, &*inputs.loads)
        } else {
            let held = !inputs.settings.linear_inputs();
            start.at(base, &inputs.loads, from, self.dt, held);
            end.at(base, &inputs.loads, to, self.dt, held);
            (&*start, &*end)
        };
        let at = if self.plain && from == 0.0 { self.accepted } else { &*work.current };
        let problem = Problem {
            system: self.system,
            settings: &inputs.settings,
            hydrodynamics: inputs.wet(),
            water: &inputs.water,
            callbacks: self.callbacks,
            progress: self.progress,
            loads_start: start,
            loads_end: end,
            step,
            ticks: self.ticks,
            initial: self.initial,
            initial_loads: self.initial_loads,
        };
        let time = at.state.time_after(step);
        if let Some((joint, turn)) = self.system.gears().lost_turns(&at.state, step / self.ticks as f64) {
            return Err(FailedStep { time, step, failure: Failure::LostTurns { joint, turn } });
        }
        match inputs.scheme.step(&problem, at, &mut work.next, &mut work.memory) {
            Ok(report) => {
                // Whatever is accepted is finite: everything that is read goes back to this.
                if let Some(unknown) = work.next.state.not_finite() {
                    return self.failed(
                        Failure::NotFinite { unknown, iterations: report.iterations },
                        [from, to],
                        cuts,
                    );
                }
                let may_open = inputs.settings.on_no_convergence() == NoConvergencePolicy::Accept;
                if !inputs.settings.linear()
                    && let Some(torn) = self.system.joints().torn_in_step(&at.state, &work.next.state, step, may_open)
                {
                    return self.failed(Failure::Torn(torn), [from, to], cuts);
                }
                if self.spare >= 1.0 && tension_jumps(at, &work.next, cuts, &inputs.settings) {
                    return self.halves([from, to], cuts);
                }
                self.statistics.add(&report, self.ticks, time, step);
                std::mem::swap(&mut work.current, &mut work.next);
                Ok(())
            }
            Err(failure) => self.failed(failure, [from, to], cuts),
        }
    }

    /// A part once more, in two.
    fn halves(&mut self, [from, to]: [f64; 2], cuts: u32) -> std::result::Result<(), FailedStep> {
        self.spare -= 1.0;
        self.statistics.rejected_steps += 1;
        let middle = 0.5 * (from + to);
        self.part(from, middle, cuts + 1)?;
        self.part(middle, to, cuts + 1)
    }

    /// After a failed part: its halves, where the host wants that and they may help.
    fn failed(&mut self, failure: Failure, [from, to]: [f64; 2], cuts: u32) -> std::result::Result<(), FailedStep> {
        let host = (&self.inputs.settings, self.inputs.scheme.is_newton());
        if self.spare >= 1.0 && may_be_cut(&failure, cuts, host, self.system) {
            return self.halves([from, to], cuts);
        }
        let part = (to - from) * self.dt;
        let at = if self.plain && from == 0.0 { self.accepted } else { &*self.work.current };
        let step = part * self.failed_share(&failure);
        Err(FailedStep { time: at.state.time_after(part), step, failure })
    }

    /// How much of an internal step the one that failed is: with local steps, that of what the failure names.
    fn failed_share(&self, failure: &Failure) -> f64 {
        let nodes = match failure {
            Failure::Diverged { unknown, .. } | Failure::NoConvergence { unknown, .. } => {
                self.system.nodes().of_unknown(*unknown)
            }
            Failure::Torn(torn) => self.system.nodes().of_joint(torn.joint),
            _ => return 1.0,
        };
        let entities = self.work.memory.entities.as_ref().filter(|_| self.ticks > 1);
        entities.map_or(1.0, |entities| entities.ticks_of(nodes) as f64 / self.ticks as f64)
    }
}
