//! Components of a record of the elevation: its Fourier series.

use super::{MOST_WAVES, Wave};
use crate::elements::line::check_positive;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use std::f64::consts::TAU;

/// The largest number of samples: with [`MOST_WAVES`] components, some seconds of work.
const MOST_SAMPLES: usize = 200_000;

/// Components whose sum at x = y = 0 passes through the samples of a record, without its mean and
/// without frequencies above `max_frequency` (angular). The record begins at time `start`, has a
/// sample every `step`, and repeats itself.
///
/// Errors: fewer than two samples or too many; a value that is not finite or not above 0; no
/// frequency, or too many, up to `max_frequency`.
pub fn record(start: f64, step: f64, elevations: &[f64], heading: f64, max_frequency: f64) -> Result<Vec<Wave>> {
    let n = elevations.len();
    if !(2..=MOST_SAMPLES).contains(&n) {
        let expected = format!("2 to {MOST_SAMPLES} samples");
        return Err(Error::BadSize { argument: "n", given: n as i64, expected });
    }
    check_finite("start", &[start])?;
    check_positive("step", step)?;
    check_finite("elevations", elevations)?;
    check_finite("heading", &[heading])?;
    check_positive("max_frequency", max_frequency)?;
    let base = TAU / (n as f64 * step);
    check_positive("step", base)?;
    let count = (n / 2).min((max_frequency / base * (1.0 + 1e-12)) as usize);
    if count == 0 || count > MOST_WAVES {
        let (lowest, highest) = (Number(base), Number(base * MOST_WAVES as f64));
        let detail = format!(
            "{} gives {count} components: the record has 1 to {MOST_WAVES} from {lowest} to {highest} rad per time",
            Number(max_frequency)
        );
        return Err(Error::bad_value("max_frequency", detail));
    }
    let circle: Vec<[f64; 2]> = (0..n).map(|k| (TAU * k as f64 / n as f64).sin_cos().into()).collect();
    let wave = |j: usize| {
        let (mut cosine, mut sine, mut at) = (0.0, 0.0, 0);
        for elevation in elevations {
            let [s, c] = circle[at];
            cosine += elevation * c;
            sine += elevation * s;
            at += j;
            if at >= n {
                at -= n;
            }
        }
        // At half the rate of samples, cosine and sine cannot be told apart.
        let weight = if 2 * j == n { 1.0 } else { 2.0 } / n as f64;
        let frequency = base * j as f64;
        let phase = (sine.atan2(cosine) + frequency * start) % TAU;
        Wave { amplitude: weight * cosine.hypot(sine), frequency, heading, phase }
    };
    Ok((1..=count).map(wave).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Phasors, Waves};
    use super::*;

    /// An even and an odd number of samples of anything are met to rounding, n eps; the mean is
    /// left out.
    #[test]
    fn a_record_passes_through_its_samples() {
        for n in [64, 63] {
            let samples: Vec<f64> = (0..n).map(|k| ((k * k) as f64 * 0.37).sin() + 0.2).collect();
            let mean = samples.iter().sum::<f64>() / n as f64;
            let waves = record(5.0, 0.5, &samples, 0.3, 100.0).unwrap();
            assert_eq!(waves.len(), n / 2);
            let waves = Waves::new(waves, 9.81, 0.0);
            let mut phasors = Phasors::new();
            for (k, sample) in samples.iter().enumerate() {
                let found = waves.motion(5.0 + 0.5 * k as f64, 0.0, &[0.0, 0.0, -1.0], &mut phasors).elevation;
                assert!((found + mean - sample).abs() < 1e-11, "{n} {k}: {found} {sample}");
            }
        }
    }

    /// Frequencies above the limit are left out, those below it are the same.
    #[test]
    fn a_record_is_cut_at_the_highest_frequency() {
        let samples: Vec<f64> = (0..100).map(|k| (0.2 * f64::from(k)).sin()).collect();
        let (all, few) =
            (record(0.0, 1.0, &samples, 0.0, 10.0).unwrap(), record(0.0, 1.0, &samples, 0.0, 1.0).unwrap());
        assert!(few.len() == 15 && few[..] == all[..15]);
        assert!(record(0.0, 1.0, &samples, 0.0, 0.01).is_err() && record(0.0, 1.0, &samples[..1], 0.0, 1.0).is_err());
    }
}
