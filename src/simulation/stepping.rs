//! Host steps: advance, accept, reject; cut into internal steps where the settings ask for it.

use super::statistics::Statistics;
use super::{Inputs, Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{BodyLoadFn, NoConvergencePolicy};
use crate::scheme::{Problem, Rate};
use crate::system::Failure;

/// How often an internal step may be halved (option `on_no_convergence` = 2).
const MOST_CUTS: u32 = 10;

/// Most internal steps of one host step: beyond it time would hardly move.
const MOST_SUBSTEPS: f64 = 1e9;

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
    /// Errors: dt not positive or not finite; `Unsupported` (parameters of newmark that cannot hold constraints);
    /// `NoConvergence`, `Singular`, `Unstable`, `Callback`,
    /// `RedundantConstraints` (one that was left out is missed): then no trial is pending.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "stepping needs an initialized model (phase READY or TRIAL)")?;
        if !dt.is_finite() {
            return Err(Error::NotFinite { argument: "dt", index: None, value: dt });
        }
        if dt <= 0.0 {
            return Err(Error::bad_value("dt", format!("{dt} is not positive")));
        }
        // The run stays where it is, so that a panic on the way leaves the accepted state in place.
        let longest = self.plan_internal_steps(dt);
        let Some(run) = &mut self.run else {
            return Err(Error::BadPhase { phase: self.phase, detail: "stepping needs an initialized model" });
        };
        let (scheme, settings) = (self.inputs.scheme, &self.inputs.settings);
        if run.system.multipliers() > 0 && !scheme.holds_constraints(settings) {
            let [gamma, beta] = settings.newmark();
            let detail = format!(
                "newmark_gamma = {gamma} with newmark_beta = {beta} lets the multipliers of constraints grow; beta = (gamma + \
                 1/2)^2/4 does not"
            );
            return Err(Error::Unsupported { argument: "scheme", detail });
        }
        let parts = count_parts(dt, run.accepted.state.time, longest)?;
        if scheme.is_multistep() {
            // The points change places from step to step: room in all of them, so that only the first step allocates.
            for point in [&mut run.accepted, &mut run.trial, &mut run.current, &mut run.next] {
                point.history.rates.resize(point.state.bodies.len(), [Rate::ZERO; 4]);
            }
        }
        let ticks = if self.inputs.scheme.is_local() { parts as usize } else { 1 };
        if self.inputs.scheme.is_local() {
            run.plan_entities(&self.model, self.inputs.settings.cfl(), dt, ticks);
        }
        let mut integration = Integration {
            inputs: &self.inputs,
            callbacks: &self.callbacks,
            statistics: &mut self.statistics,
            run,
            dt,
            ticks,
        };
        let outcome = integration.whole(parts);
        self.statistics.rejected_steps += u64::from(self.phase == Phase::Trial);
        match outcome {
            Ok(()) => {
                std::mem::swap(&mut run.trial, &mut run.current);
                self.phase = Phase::Trial;
                Ok(())
            }
            Err(FailedStep { time, step, failure }) => {
                let error = self.explain(failure, &self.readable()?.system, time, step);
                self.statistics.rejected_steps += 1;
                self.phase = Phase::Ready;
                Err(error)
            }
        }
    }

    /// Makes the trial the accepted state. TRIAL -> READY.
    pub fn accept(&mut self) -> Result<()> {
        self.require(&[Phase::Trial], "there is no trial to accept (phase TRIAL)")?;
        if let Some(run) = &mut self.run {
            std::mem::swap(&mut run.accepted, &mut run.trial);
        }
        self.inputs.accepted_loads.copy_from(&self.inputs.loads);
        self.inputs.loads_jump = false;
        self.statistics.steps += 1;
        self.phase = Phase::Ready;
        Ok(())
    }

    /// Throws the trial away. TRIAL -> READY. Inputs stay as they are.
    pub fn reject(&mut self) -> Result<()> {
        self.require(&[Phase::Trial], "there is no trial to reject (phase TRIAL)")?;
        self.statistics.rejected_steps += 1;
        self.phase = Phase::Ready;
        Ok(())
    }

    /// Time of the trial if one is pending, else of the accepted state. Phase READY, TRIAL, FAILED.
    pub fn time(&self) -> Result<f64> {
        Ok(self.point()?.state.time)
    }
}

/// Into how many internal steps `dt` is cut. Errors: too many, or so short that time `t0` stands still.
pub(super) fn count_parts(dt: f64, t0: f64, max_time_step: f64) -> Result<f64> {
    // The last digits of dt / max_time_step are rounding: 0.3 / 0.1 is three steps.
    let parts = (dt / max_time_step * (1.0 - 1e-12)).ceil().max(1.0);
    if parts > MOST_SUBSTEPS {
        return Err(Error::bad_value("dt", format!("{dt} asks for {parts} internal steps")));
    }
    if t0 + dt / parts == t0 {
        return Err(Error::bad_value("dt", format!("{dt} does not move time {t0}: below its rounding")));
    }
    Ok(parts)
}

/// A host step under way.
struct Integration<'a> {
    inputs: &'a Inputs,
    callbacks: &'a [Option<BodyLoadFn>],
    statistics: &'a mut Statistics,
    run: &'a mut Run,
    dt: f64,
    /// Local time stepping: into how many ticks the scheme cuts the host's step.
    ticks: usize,
}

impl Integration<'_> {
    /// Integrates from the accepted state by `dt` into `run.current`.
    fn whole(&mut self, parts: f64) -> std::result::Result<(), FailedStep> {
        let (run, dt) = (&mut *self.run, self.dt);
        let t0 = run.accepted.state.time;
        run.current.copy_from(&run.accepted);
        run.base_loads.copy_from(&self.inputs.accepted_loads);
        if self.inputs.loads_jump {
            run.base_loads.copy_forces_from(&self.inputs.loads);
        }
        run.system.note_motions(&run.accepted.state, &mut run.base_loads);
        for (joint, (from, to)) in run.accepted.state.drives.iter().zip(&self.inputs.loads.joints).enumerate() {
            let turn = to.drive.map_or(0.0, |drive| drive[0] - from[0]);
            if run.system.is_angle(joint) && turn.abs() > std::f64::consts::PI * parts {
                return Err(FailedStep { time: t0 + dt, step: dt, failure: Failure::Jump { joint, turn } });
            }
        }
        if run.accepted.history.step == 0.0 {
            // A load first given after `initialize` acts from the initial time on.
            run.base_loads.complete_from(&self.inputs.loads);
        }
        // Local time stepping makes the parts itself.
        let parts = parts / self.ticks as f64;
        let count = parts as u64;
        for part in 0..count {
            let fraction = |k: u64| if k == count { 1.0 } else { k as f64 / parts };
            self.part(fraction(part), fraction(part + 1), 0)?;
        }
        if let Some(joint) = self.run.system.contradiction(&self.run.current.state) {
            return Err(FailedStep { time: t0 + dt, step: dt, failure: Failure::Contradiction { joint } });
        }
        // The sum of the parts, without their rounding.
        self.run.current.state.time = t0 + dt;
        Ok(())
    }

    /// Integrates over a part of the host step, given as fractions of it, halving it where allowed and needed.
    fn part(&mut self, from: f64, to: f64, cuts: u32) -> std::result::Result<(), FailedStep> {
        let (inputs, run) = (self.inputs, &mut *self.run);
        let policy = inputs.settings.on_no_convergence();
        let step = (to - from) * self.dt;
        let [start, end] = &mut run.step_loads;
        let held = !inputs.settings.linear_inputs();
        start.at(&run.base_loads, &inputs.loads, from, self.dt, held);
        end.at(&run.base_loads, &inputs.loads, to, self.dt, held);
        let problem = Problem {
            system: &run.system,
            settings: &inputs.settings,
            hydrodynamics: &inputs.hydrodynamics,
            callbacks: self.callbacks,
            loads_start: start,
            loads_end: end,
            step,
            ticks: self.ticks,
            initial: &run.initial,
            initial_loads: &run.initial_loads,
        };
        let time = run.current.state.time + step;
        match inputs.scheme.step(&problem, &run.current, &mut run.next, &mut run.memory) {
            Ok(report) => {
                self.statistics.add(&report, self.ticks, time, step);
                std::mem::swap(&mut run.current, &mut run.next);
                Ok(())
            }
            Err(
                Failure::NoConvergence { .. }
                | Failure::Diverged { .. }
                | Failure::Singular { .. }
                | Failure::NotFinite { .. },
            ) if policy == NoConvergencePolicy::Cut && cuts < MOST_CUTS => {
                self.statistics.rejected_steps += 1;
                let middle = 0.5 * (from + to);
                self.part(from, middle, cuts + 1)?;
                self.part(middle, to, cuts + 1)
            }
            Err(failure) => Err(FailedStep { time, step, failure }),
        }
    }
}
