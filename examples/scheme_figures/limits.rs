//! Stability limits of all schemes: the longest step, times w, at which an oscillator does not
//! grow.

use crate::oscillator::{Oscillator, first_end};
use crate::work_precision::schemes;
use std::error::Error;
use std::f64::consts::TAU;

/// Growth per step that counts as none: 1e-6 is a factor of 2.7 in a million steps.
const NONE: f64 = 1e-6;

/// Prints the table: statistic "stable_step" and what is measured, at damping ratios 0 and 0.5; and
/// how much the amplitude of an undamped oscillator grows per period at the step that the library
/// chooses by itself (option "cfl" 0.5).
pub fn print() -> Result<(), Box<dyn Error>> {
    println!(
        "Longest stable w h: statistic stable_step, measured; growth of an undamped amplitude per period at half the first"
    );
    println!(
        "{:<18}{:>12}{:>12}{:>12}{:>12}{:>14}",
        "scheme", "stable 0", "stable 0.5", "meas. 0", "meas. 0.5", "per period"
    );
    for scheme in &schemes() {
        let of = |damping: f64| Oscillator { scheme, relaxation: 1.0, damping, policy: 1.0 };
        let stable = |damping: f64| of(damping).start(1.0, 0.0, f64::INFINITY)?.outputs().statistic("stable_step");
        let limit = |damping: f64| first_end(|h| Ok(of(damping).growth(h)? <= 1.0 + NONE));
        let chosen = 0.5 * stable(0.0)?;
        let growth = if chosen.is_finite() { of(0.0).growth(chosen)?.powf(TAU / chosen) } else { f64::NAN };
        print!("{scheme:<18}{:>12.4}{:>12.4}", stable(0.0)?, stable(0.5)?);
        println!("{:>12.4}{:>12.4}{growth:>14.4}", limit(0.0)?, limit(0.5)?);
    }
    println!();
    Ok(())
}
