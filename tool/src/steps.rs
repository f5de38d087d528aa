//! The steps of a run, for `run` and `view`: from a start to an end, with inputs from a table, a
//! progress bar, and a check for signals.

use crate::failure::{Failure, Outcome};
use crate::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pintle::Simulation;
use pintle::simulation::follow_table;
use std::io::IsTerminal;
use std::path::Path;

/// A step is the last one if it ends this near to the end of the run, as part of a step.
const ROUNDING: f64 = 1e-9;

/// Start, end and length of the steps of a run. The last step is shorter where the end is not a
/// multiple of the length.
#[derive(Clone, Copy)]
pub struct Steps {
    pub start: f64,
    pub end: f64,
    pub length: f64,
}

impl Steps {
    /// Errors: not finite; a length that is not above 0; an end that is not behind the start; more
    /// steps than a double can count.
    pub fn check(&self) -> Outcome {
        let Steps { start, end, length } = *self;
        for (name, value) in [("--step", length), ("--start", start), ("--end", end)] {
            if !value.is_finite() {
                return Err(Failure::Input(format!("{name} {value}: not finite")));
            }
        }
        positive("--step", length)?;
        if end <= start {
            return Err(Failure::Input(format!("--end {end}: not behind the start at {start}")));
        }
        let count = (end - start) / length;
        if count > 2f64.powi(53) {
            return Err(Failure::Input(format!(
                "--step {length}: {count:e} steps to the end at {end}, more than can be counted"
            )));
        }
        Ok(())
    }

    /// The number of steps of the full length, and the length of the shorter last step or 0.
    fn whole(&self) -> (u64, f64) {
        let Steps { start, end, length } = *self;
        let whole = ((end - start) / length * (1.0 + ROUNDING) + ROUNDING).floor() as u64;
        let rest = end - (start + whole as f64 * length);
        (whole, if rest > 2.0 * ROUNDING * length { rest } else { 0.0 })
    }

    /// The number of steps.
    pub fn count(&self) -> u64 {
        let (whole, rest) = self.whole();
        whole + u64::from(rest > 0.0)
    }

    /// Lets inputs follow the table of `--load-table`. Errors: in the table; it does not cover the
    /// run.
    pub fn follow(&self, table: Option<&Path>, system: &mut Simulation) -> Outcome {
        let Some(path) = table else { return Ok(()) };
        let [first, last] = follow_table(system, path).map_err(Failure::input)?;
        let Steps { start, end, .. } = *self;
        // Rounding of the sum of steps.
        let rounding = 1e-12 * (end.abs() + start.abs());
        if start >= first - rounding && end <= last + rounding {
            return Ok(());
        }
        let what = format!("times from {first:?} to {last:?} do not reach over the run from {start:?} to {end:?}");
        Err(Failure::Input(format!("{}: {what}", path.display())))
    }

    /// Makes all steps, and calls `record` at the start and after each step with the number of
    /// steps made. Errors: of a step, of `record`; a signal.
    pub fn go(
        &self,
        system: &mut Simulation,
        quiet: bool,
        mut record: impl FnMut(&Simulation, u64) -> Outcome,
    ) -> Outcome {
        let ((whole, rest), last) = (self.whole(), self.count());
        let bar = bar(last, quiet);
        record(system, 0)?;
        for n in 1..=last {
            interrupt::check()?;
            system.step(if n > whole { rest } else { self.length }).map_err(Failure::of_run)?;
            record(system, n)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }
}

/// Errors: the value of an argument is not above 0.
pub fn positive(argument: &str, value: f64) -> Outcome {
    if value > 0.0 { Ok(()) } else { Err(Failure::Input(format!("{argument} {value}: not above 0"))) }
}

/// Progress, on a terminal only.
fn bar(steps: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::hidden());
    }
    let bar = ProgressBar::new(steps);
    match ProgressStyle::with_template("{bar:40} {percent}% {elapsed} (left {eta})") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
