//! The calculated time step of Ashes (user manual, "Time domain simulation").

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;

/// Wind speed in m/s, tip speed ratio, and the angle (degrees) that a rotor may turn in one step.
const WIND_SPEED: f64 = 11.4;
const TIP_SPEED_RATIO: f64 = 6.0;
const ANGLE: f64 = 2.0;

/// The step of a model without rotor.
const WITHOUT_ROTOR: f64 = 0.03;

/// A step, in s, for a rotor of a radius in m: `2 pi r/(TSR V) 2/360`, in which the rotor turns by
/// 2 degrees at 11.4 m/s and tip speed ratio 6, cut to one significant digit. 0.03 s for radius 0.
/// Errors: not finite, negative.
pub fn suggested_time_step(radius: f64) -> Result<f64> {
    check_finite("radius", &[radius])?;
    if radius < 0.0 {
        return Err(Error::bad_value("radius", format!("{} is negative", Number(radius))));
    }
    if radius == 0.0 {
        return Ok(WITHOUT_ROTOR);
    }
    let step = radius * (std::f64::consts::TAU / (TIP_SPEED_RATIO * WIND_SPEED) * ANGLE / 360.0);
    let exponent = step.log10().floor() as i32;
    // A product that is an exact digit up to rounding counts as that digit.
    let digit = |unit: f64| (step / unit * (1.0 + 1e-12)).floor();
    let cut = match exponent < 0 {
        true if exponent >= -300 => digit(1.0 / 10f64.powi(-exponent)) / 10f64.powi(-exponent),
        true => step,
        false => digit(10f64.powi(exponent)) * 10f64.powi(exponent),
    };
    Ok(cut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_manual_and_of_the_formula() {
        // NREL 5-MW (manual); 0.0321/62.941 s per metre, so that 1 km gives 0.5102 s and 10 km
        // 5.102 s
        for (radius, step) in
            [(62.941, 0.03), (0.0, 0.03), (1000.0, 0.5), (10_000.0, 5.0), (1.0, 0.0005), (100_000.0, 50.0)]
        {
            assert_eq!(suggested_time_step(radius), Ok(step), "{radius}");
        }
        // an exact digit is not lost to rounding
        let radius = 0.04 / (std::f64::consts::TAU / (6.0 * 11.4) * 2.0 / 360.0);
        assert_eq!(suggested_time_step(radius), Ok(0.04));
    }

    #[test]
    fn radii_that_are_none_are_refused() {
        for radius in [-1.0, f64::NAN, f64::INFINITY, -f64::MIN_POSITIVE] {
            assert!(suggested_time_step(radius).is_err(), "{radius}");
        }
    }
}
