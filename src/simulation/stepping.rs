//! Steps of the host: advance (check, plan, run, keep), accept, reject.

use super::{Inputs, Memory, Phase, Run, Simulation, Work};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::reserve::room;
use crate::scheme::{FailedStep, HostStep, Made, Marks, Problem, Report};
use crate::spatial::pose::check_finite;
use crate::system::Failure;

/// How a step of the host is to be made.
struct Plan {
    dt: f64,
    /// Whether it ends at the first event of friction or stops.
    stops_at_events: bool,
    /// Into how many internal steps it is cut.
    parts: f64,
    /// Local time stepping: into how many ticks the scheme cuts it; else 1.
    ticks: usize,
    /// What the host said of the accepted time.
    marks: Marks,
    /// True if a trial is pending, which the step replaces.
    is_repeated: bool,
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

    /// Advances from the ACCEPTED state by `dt` into a trial; may be repeated with corrected
    /// inputs. Phase READY, TRIAL.
    ///
    /// Errors: dt not positive or not finite, or cut into more internal steps than option
    /// `max_substeps` allows; `Unsupported` (parameters of newmark that cannot hold constraints);
    /// `Stopped` (nothing has changed); `NoConvergence`, `Singular`, `Unstable`, `Callback`,
    /// `RedundantConstraints` (one that was left out is missed): then no trial is pending.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        self.advance_by(dt, false)
    }

    fn advance_by(&mut self, dt: f64, stops_at_events: bool) -> Result<()> {
        self.check(dt)?;
        if self.parts() {
            self.reject()?;
        }
        if !self.series.is_empty() {
            self.follow_series("dt", self.readable()?.accepted.state.time_after(dt))?;
        }
        let plan = Plan { stops_at_events, ..self.plan(dt)? };
        let outcome = self.run(&plan)?;
        self.keep(&plan, outcome)
    }

    /// Errors: the phase, the length of the step or the scheme's parameters allow no step.
    // With a frame of its own, as those below: a host's thread may have little stack, of which an
    // evaluation takes most.
    #[inline(never)]
    fn check(&self, dt: f64) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "stepping needs an initialized model (phase READY or TRIAL)")?;
        if !dt.is_finite() {
            return Err(Error::NotFinite { argument: "dt", index: None, value: dt });
        }
        if dt <= 0.0 {
            return Err(Error::bad_value("dt", format!("{} is not positive", Number(dt))));
        }
        let run = self.readable()?;
        if run.system.machines().are_any() {
            self.check_machines()?;
            self.check_friction_loads(&run.system)?;
        }
        self.check_viscoelastic()?;
        let now = run.accepted.state.time;
        if !(now + dt).is_finite() {
            let detail = format!("{} takes time {} beyond the largest double", Number(dt), Number(now));
            return Err(Error::bad_value("dt", detail));
        }
        let settings = &self.inputs.settings;
        if settings.step_tolerance() > 0.0 && (settings.linear() || !self.inputs.scheme.estimates_errors()) {
            let scheme = self.inputs.scheme;
            let of = if settings.linear() { " with option \"linear\"" } else { "" };
            let detail = format!(
                "{scheme}{of} has no estimate of errors, which option \"step_tolerance\" = {} needs: generalized-alpha, \
                 momentum-alpha, newmark, hht, euler, heun, rk2, rk3 and rk4 have",
                Number(settings.step_tolerance())
            );
            return Err(Error::Unsupported { argument: "scheme", detail });
        }
        if run.system.multipliers() > 0 && !self.inputs.scheme.holds_constraints(settings) {
            let [gamma, beta] = settings.newmark();
            let detail = format!(
                "newmark_gamma = {} with newmark_beta = {} lets the multipliers of constraints grow; beta = (gamma + \
                 1/2)^2/4 does not",
                Number(gamma),
                Number(beta)
            );
            return Err(Error::Unsupported { argument: "scheme", detail });
        }
        Ok(())
    }

    /// Cuts a step into internal steps, and makes room for them. Errors: more of them than option
    /// `max_substeps` allows.
    #[inline(never)]
    fn plan(&mut self, dt: f64) -> Result<Plan> {
        let longest = self.plan_internal_steps(dt);
        let (is_local, is_repeated) = (self.has_local_steps(), self.phase == Phase::Trial);
        let Simulation { run, inputs, model, callbacks, phase, .. } = self;
        let Some(run) = run else {
            return Err(Error::BadPhase { phase: *phase, detail: "stepping needs an initialized model" });
        };
        let parts = count_parts(dt, run.accepted.state.time, longest, inputs)?;
        let work = run.workroom.for_steps(&run.system, &run.accepted);
        // Points are exchanged when a step ends: with room in all of them only the first step
        // allocates. The accepted one has had it since the scheme was chosen.
        let shape = inputs.scheme.shape(&inputs.settings);
        for point in [&mut run.trial, &mut work.current, &mut work.next] {
            point.history.take_shape(shape, run.system.layout(), run.system.multipliers());
        }
        let ticks = if is_local { parts as usize } else { 1 };
        if is_local {
            run.plan_entities(model, callbacks, inputs.settings.cfl(), dt, ticks);
        }
        let marks = run.accepted.marks.and(if is_repeated { run.trial.marks } else { Marks::NONE });
        Ok(Plan { dt, stops_at_events: false, parts, ticks, marks, is_repeated })
    }

    /// Makes the internal steps, in the workplace: a panic on the way leaves the accepted state in
    /// place.
    fn run(&mut self, plan: &Plan) -> Result<std::result::Result<f64, FailedStep>> {
        self.follow_own(false);
        let t0 = self.readable()?.accepted.state.time;
        self.progress.begin(Some([t0, t0 + plan.dt]));
        self.statistics.crossings_of_trial = Default::default();
        let mut spare = self.inputs.settings.max_substeps() - plan.parts;
        let (mut done, mut follows_break) = (0.0, false);
        // For what the step allocates where joints break.
        let mut reserved = None;
        let outcome = loop {
            let Simulation { run, inputs, callbacks, progress, statistics, phase, .. } = &mut *self;
            let Some(run) = run else {
                return Err(Error::BadPhase { phase: *phase, detail: "stepping needs an initialized model" });
            };
            let Run { system, accepted, initial, initial_loads, workroom, .. } = &mut **run;
            let work = workroom.for_steps(system, accepted);
            let problem = Problem {
                system,
                settings: &inputs.settings,
                hydrodynamics: inputs.wet(),
                water: &inputs.water,
                callbacks,
                progress,
                loads_start: &accepted.loads,
                loads_end: &inputs.loads,
                step: plan.dt,
                ticks: plan.ticks,
                initial,
                initial_loads,
            };
            let mut count = |report: &Report, time, step| statistics.add(report, plan.ticks, time, step);
            let mut step = HostStep::new(problem, inputs.scheme, (accepted, plan.marks), work, spare, &mut count);
            (step.stops_at_events, step.follows_break) = (plan.stops_at_events, follows_break);
            let outcome = step.make(plan.parts, done);
            let (halved, choices, events) = (step.halved, step.choices, step.events);
            spare = step.spare;
            statistics.rejected_steps += halved + choices.rejected;
            statistics.rejected_by_error += choices.rejected;
            statistics.last_step_error = choices.last_error;
            statistics.add_events(events);
            match outcome {
                // Ends of lines have broken off, and the rest of the step is made without them.
                Ok(Made::Broken(fraction)) => {
                    (done, follows_break) = (fraction, false);
                    system.adjust().follow_lines(&work.current.state);
                }
                // A joint has broken, and the rest is made without it.
                Ok(Made::Without(fraction, joint)) => {
                    (done, follows_break) = (fraction.max(f64::MIN_POSITIVE), true);
                    if reserved.is_none() {
                        match room(Memory::of(self).working(Work::Model)) {
                            Ok(promise) => reserved = Some(promise),
                            Err(error) => {
                                self.drop_trial();
                                return Err(error);
                            }
                        }
                    }
                    self.part_in_step(joint);
                }
                Ok(Made::To(fraction)) => break Ok(fraction),
                Err(failed) => break Err(failed),
            }
        };
        self.progress.begin(None);
        Ok(outcome)
    }

    /// Makes the end of the step, after a fraction of its length, the trial. Errors: it failed, and
    /// no trial is pending; if the host stopped it, nothing has changed.
    #[inline(never)]
    fn keep(&mut self, plan: &Plan, outcome: std::result::Result<f64, FailedStep>) -> Result<()> {
        match outcome {
            Ok(fraction) => {
                let prepared = self.preparation();
                self.statistics.rejected_steps += u64::from(plan.is_repeated);
                if let Some(run) = &mut self.run {
                    run.accepted.marks = plan.marks;
                    let work = run.workroom.for_steps(&run.system, &run.accepted);
                    std::mem::swap(&mut run.trial, &mut work.current);
                    work.prepared = Some(prepared);
                    if let Some(body) = self.model.openfast_platform {
                        run.count_yaw(body, fraction * plan.dt);
                    }
                }
                self.phase = Phase::Trial;
                self.follow_own(true);
                Ok(())
            }
            Err(FailedStep { time, step, failure }) => {
                let run = self.readable()?;
                let motions = run.workroom.steps().map(|work| &work.memory.workspace.motions);
                let turned = motions.and_then(|motions| run.system.elements().overturned(motions));
                let is_stopped = matches!(failure, Failure::Stopped { .. });
                let lost = motions.and_then(|motions| run.system.elements().lost_path(motions));
                let error = self.with_overturned(self.explain(failure, &run.system, time, step), turned);
                let error = self.with_lost_path(error, lost);
                // A pending trial that a step replaced in which a joint broke is gone.
                if is_stopped && !self.parts() {
                    self.follow_own(true);
                } else {
                    self.statistics.rejected_steps += 1 + u64::from(plan.is_repeated);
                    self.drop_trial();
                }
                Err(error)
            }
        }
    }

    /// Makes the trial the accepted state. TRIAL -> READY.
    pub fn accept(&mut self) -> Result<()> {
        self.require(&[Phase::Trial], "there is no trial to accept (phase TRIAL)")?;
        self.note_held_loads();
        self.note_missing_rates();
        if let Some(run) = &mut self.run {
            // With the loads that it was computed with, and the marks set since: later inputs are
            // the next step's.
            std::mem::swap(&mut run.accepted, &mut run.trial);
            if run.whole.take().is_some() {
                run.trial = run.accepted.clone();
            }
        }
        self.statistics.steps += 1;
        self.statistics.crossings.add(std::mem::take(&mut self.statistics.crossings_of_trial));
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
        self.mend();
        self.phase = Phase::Ready;
        self.follow_own(false);
    }

    /// Time of the trial if one is pending, else of the accepted state. Phase READY, TRIAL, FAILED.
    pub fn time(&self) -> Result<f64> {
        Ok(self.point()?.state.time)
    }
}

/// Makes a trial as [`Simulation::advance`] does, to a time, or to the first event of friction or
/// stops before it if `stop_at_events`. Returns the time of the trial. Errors: as for `advance`; a
/// time that is not finite, or not after the accepted one.
pub fn advance_to(simulation: &mut Simulation, t: f64, stop_at_events: bool) -> Result<f64> {
    simulation.require(&[Phase::Ready, Phase::Trial], "stepping needs an initialized model (phase READY or TRIAL)")?;
    check_finite("t", &[t])?;
    let now = simulation.readable()?.accepted.state.time;
    if t <= now {
        let detail = format!("{} is not after the accepted time {}", Number(t), Number(now));
        return Err(Error::bad_value("t", detail));
    }
    simulation.advance_by(t - now, stop_at_events)?;
    simulation.time()
}

/// Into how many internal steps, no longer than `longest`, `dt` is cut. Errors: more than option
/// `max_substeps` allows; so short that time `t0` stands still.
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
