//! Host steps: advance, accept, reject; cut into internal steps where the settings ask for it.

use super::{Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::NoConvergencePolicy;
use crate::scheme::Problem;
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
    /// Errors: dt not positive or not finite; `NoConvergence`, `Singular`, `Unstable`, `Callback`.
    pub fn advance(&mut self, dt: f64) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "stepping needs an initialized model (phase READY or TRIAL)")?;
        if !dt.is_finite() {
            return Err(Error::NotFinite { argument: "dt", index: 0, value: dt });
        }
        if dt <= 0.0 {
            return Err(Error::bad_value("dt", format!("{dt} is not positive")));
        }
        let Some(mut run) = self.run.take() else {
            return Err(Error::BadPhase { phase: self.phase, detail: "stepping needs an initialized model" });
        };
        let outcome = self.integrate(&mut run, dt);
        let explained = outcome.map_err(|error| match error {
            Ok(failed) => self.explain(failed.failure, &run.system, failed.time, failed.step),
            Err(error) => error,
        });
        if explained.is_ok() {
            std::mem::swap(&mut run.trial, &mut run.current);
        }
        self.run = Some(run);
        let failed = explained.is_err();
        if failed || self.phase == Phase::Trial {
            self.statistics.rejected_steps += 1;
        }
        if !failed {
            self.phase = Phase::Trial;
        }
        explained
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

    /// Integrates from the accepted state by `dt` into `run.current`.
    fn integrate(&mut self, run: &mut Run, dt: f64) -> std::result::Result<(), std::result::Result<FailedStep, Error>> {
        // The last digits of dt / max_time_step are rounding: 0.3 / 0.1 is three steps.
        let parts = (dt / self.inputs.settings.max_time_step() * (1.0 - 1e-12)).ceil().max(1.0);
        if parts > MOST_SUBSTEPS {
            return Err(Err(Error::bad_value("dt", format!("{dt} asks for {parts} internal steps"))));
        }
        let t0 = run.accepted.state.time;
        if t0 + dt / parts == t0 {
            return Err(Err(Error::bad_value("dt", format!("{dt} does not move time {t0}: below its rounding"))));
        }
        run.current.copy_from(&run.accepted);
        run.base_loads.copy_from(if self.inputs.loads_jump { &self.inputs.loads } else { &self.inputs.accepted_loads });
        if run.accepted.history.step == 0.0 {
            // A load first given after `initialize` acts from the initial time on.
            run.base_loads.complete_from(&self.inputs.loads);
        }
        let count = parts as u64;
        for part in 0..count {
            let fraction = |k: u64| if k == count { 1.0 } else { k as f64 / parts };
            self.integrate_part(run, dt, fraction(part), fraction(part + 1), 0).map_err(Ok)?;
        }
        // The sum of the parts, without their rounding.
        run.current.state.time = t0 + dt;
        Ok(())
    }

    /// Integrates over a part of the host step, given as fractions of it, halving it where allowed and needed.
    fn integrate_part(
        &mut self,
        run: &mut Run,
        dt: f64,
        from: f64,
        to: f64,
        cuts: u32,
    ) -> std::result::Result<(), FailedStep> {
        let inputs = &self.inputs;
        let policy = inputs.settings.on_no_convergence();
        let step = (to - from) * dt;
        let [start, end] = &mut run.step_loads;
        if inputs.settings.linear_inputs() {
            start.interpolate(&run.base_loads, &inputs.loads, from);
            end.interpolate(&run.base_loads, &inputs.loads, to);
        } else {
            start.copy_from(if from == 0.0 { &run.base_loads } else { &inputs.loads });
            end.copy_from(&inputs.loads);
        }
        let problem = Problem {
            system: &run.system,
            settings: &inputs.settings,
            hydrodynamics: &inputs.hydrodynamics,
            callbacks: &self.callbacks,
            loads_start: start,
            loads_end: end,
            step,
        };
        let time = run.current.state.time + step;
        match inputs.scheme.step(&problem, &run.current, &mut run.next, &mut run.memory) {
            Ok(report) => {
                self.statistics.add(&report);
                std::mem::swap(&mut run.current, &mut run.next);
                Ok(())
            }
            Err(Failure::NoConvergence { .. } | Failure::Singular { .. } | Failure::NotFinite { .. })
                if policy == NoConvergencePolicy::Cut && cuts < MOST_CUTS =>
            {
                self.statistics.rejected_steps += 1;
                let middle = 0.5 * (from + to);
                self.integrate_part(run, dt, from, middle, cuts + 1)?;
                self.integrate_part(run, dt, middle, to, cuts + 1)
            }
            Err(failure) => Err(FailedStep { time, step, failure }),
        }
    }
}
