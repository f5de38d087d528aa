//! Components of irregular seas, from a spectrum of the elevation, a heading and a spreading.
//!
//! All components have the same energy: each has the frequency that halves the energy of its band.
//! So the peak is resolved well, and the sea does not repeat itself. Phases, and headings in
//! short-crested seas, are drawn with a seed; every component has one heading, so that the sea is
//! the same everywhere (Jefferys 1987, Applied Ocean Research 9, 220).

use super::{Wave, check_count};
use crate::elements::check_not_negative;
use crate::elements::line::check_positive;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use std::f64::consts::{PI, TAU};

/// Number of places of the tables of formulas.
const ROWS: usize = 2000;

/// The range of frequencies of a JONSWAP spectrum, in peak frequencies; above are 1e-4 of the
/// energy.
const RANGE: [f64; 2] = [0.4, 10.0];

/// A spectral density of the elevation over angular frequency.
#[derive(Debug, Clone, Copy)]
pub enum Spectrum<'a> {
    /// JONSWAP; with peak factor 1, Pierson-Moskowitz.
    Jonswap {
        /// Significant wave height: four times the standard deviation of the elevation.
        height: f64,
        /// Peak period.
        period: f64,
        /// Peak enhancement factor gamma, at least 1.
        peak_factor: f64,
    },
    /// Densities at rising frequencies, linear between them and zero outside.
    Table {
        /// Angular frequencies.
        frequencies: &'a [f64],
        /// Densities there.
        densities: &'a [f64],
    },
}

/// How the components of a sea are drawn from its spectrum.
#[derive(Debug, Clone, Copy)]
pub struct Sea {
    /// Mean heading.
    pub heading: f64,
    /// Exponent s of the spreading cos^2s((b - heading)/2); 0: all waves travel along the heading.
    pub spreading: f64,
    /// Seed of phases and headings.
    pub seed: i32,
    /// Number of components.
    pub components: usize,
}

/// A density that is linear between its places, with its integral up to each of them.
struct Distribution {
    x: Vec<f64>,
    density: Vec<f64>,
    integral: Vec<f64>,
}

impl Distribution {
    fn new(x: Vec<f64>, density: Vec<f64>) -> Distribution {
        let mut integral = vec![0.0; x.len()];
        for k in 1..x.len() {
            integral[k] = integral[k - 1] + 0.5 * (density[k] + density[k - 1]) * (x[k] - x[k - 1]);
        }
        Distribution { x, density, integral }
    }

    /// Of a formula, at places that are equally spaced before they are mapped.
    fn of(density: impl Fn(f64) -> f64, [from, to]: [f64; 2], map: impl Fn(f64) -> f64) -> Distribution {
        let place = |k: usize| map(from + (to - from) * k as f64 / (ROWS - 1) as f64);
        let x: Vec<f64> = (0..ROWS).map(place).collect();
        let density = x.iter().map(|x| density(*x)).collect();
        Distribution::new(x, density)
    }

    fn total(&self) -> f64 {
        self.integral.last().copied().unwrap_or(0.0)
    }

    /// The place up to which the integral is a share of the whole, 0 to 1.
    fn quantile(&self, share: f64) -> f64 {
        let wanted = share * self.total();
        let end = self.integral.partition_point(|integral| *integral < wanted).clamp(1, self.x.len() - 1);
        let (from, to) = (self.density[end - 1], self.density[end]);
        let (width, rest) = (self.x[end] - self.x[end - 1], wanted - self.integral[end - 1]);
        // The root of from s + (to - from) s^2/(2 width) = rest.
        let square = from * from + 2.0 * (to - from) / width * rest;
        let slope = from + square.max(0.0).sqrt();
        let step = if slope > 0.0 { 2.0 * rest / slope } else { 0.0 };
        self.x[end - 1] + step.max(0.0).min(width)
    }
}

impl Spectrum<'_> {
    /// The components of a sea. Errors: a value outside its range; a table whose frequencies do not
    /// rise from above 0, with a negative density or without energy; too many components.
    pub fn components(self, sea: &Sea) -> Result<Vec<Wave>> {
        let Sea { heading, spreading, seed, components } = *sea;
        check_finite("heading", &[heading])?;
        check_not_negative("spreading", spreading)?;
        check_count("components", components)?;
        if components == 0 {
            return Err(Error::bad_value("components", "0: a sea has at least one component"));
        }
        let (distribution, variance) = self.distribution()?;
        let amplitude = (2.0 * variance / components as f64).sqrt();
        check_finite("height", &[amplitude])?;
        let density = |b: f64| (0.5 * b).cos().powi(2).powf(spreading);
        let spread = (spreading > 0.0).then(|| Distribution::of(density, [-PI, PI], |b| b));
        let mut random = Random(u64::from(seed as u32));
        let wave = |k: usize| Wave {
            amplitude,
            frequency: distribution.quantile((k as f64 + 0.5) / components as f64),
            phase: TAU * random.next(),
            heading: heading + spread.as_ref().map_or(0.0, |spread| spread.quantile(random.next())),
        };
        Ok((0..components).map(wave).collect())
    }

    /// The density, and the variance of the elevation.
    fn distribution(self) -> Result<(Distribution, f64)> {
        match self {
            Spectrum::Jonswap { height, period, peak_factor } => {
                check_positive("height", height)?;
                check_positive("period", period)?;
                check_finite("peak_factor", &[peak_factor])?;
                if peak_factor < 1.0 {
                    let detail = format!("{} is below 1, the Pierson-Moskowitz spectrum", Number(peak_factor));
                    return Err(Error::bad_value("peak_factor", detail));
                }
                let peak = TAU / period;
                // Places are dense where the frequencies are low, as the peak is.
                let range = RANGE.map(|x| (x * peak).ln());
                let distribution = Distribution::of(|w| jonswap(w / peak, peak_factor), range, f64::exp);
                Ok((distribution, height * height / 16.0))
            }
            Spectrum::Table { frequencies, densities } => {
                check_finite("frequencies", frequencies)?;
                check_finite("densities", densities)?;
                if frequencies.len() < 2 {
                    let expected = "at least 2 rows".into();
                    return Err(Error::BadSize { argument: "rows", given: frequencies.len() as i64, expected });
                }
                for (k, density) in densities.iter().enumerate() {
                    let before = if k == 0 { 0.0 } else { frequencies[k - 1] };
                    if frequencies[k] <= before {
                        let (this, before) = (Number(frequencies[k]), Number(before));
                        let detail = format!("frequencies[{k}] = {this} is not more than {before}: they must rise");
                        return Err(Error::bad_value("frequencies", detail));
                    }
                    if *density < 0.0 {
                        let detail = format!("densities[{k}] = {} is negative", Number(*density));
                        return Err(Error::bad_value("densities", detail));
                    }
                }
                let distribution = Distribution::new(frequencies.to_vec(), densities.to_vec());
                let variance = distribution.total();
                if variance > 0.0 && variance.is_finite() {
                    return Ok((distribution, variance));
                }
                let detail = format!("the spectrum has a variance of {}: no waves", Number(variance));
                Err(Error::bad_value("densities", detail))
            }
        }
    }
}

/// The JONSWAP spectrum (Hasselmann et al. 1973) at a frequency in peak frequencies, without its
/// factor.
fn jonswap(x: f64, peak_factor: f64) -> f64 {
    let width = if x <= 1.0 { 0.07 } else { 0.09 };
    let enhancement = (-0.5 * ((x - 1.0) / width).powi(2)).exp();
    x.powi(-5) * (-1.25 * x.powi(-4)).exp() * peak_factor.powf(enhancement)
}

/// Pseudorandom numbers (splitmix64: Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    /// The next one, 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sea(components: usize, spreading: f64) -> Sea {
        Sea { heading: 0.5, spreading, seed: 7, components }
    }

    /// Moments of the components against the spectrum's, by integration to 1e-5 in the test: bands
    /// of equal energy have the energy exactly, and the mean frequency to second order in the
    /// bands.
    #[test]
    fn components_have_the_energy_and_mean_frequency_of_the_spectrum() {
        for peak_factor in [1.0, 3.3, 7.0] {
            let jonswap_sea = Spectrum::Jonswap { height: 6.0, period: 12.0, peak_factor };
            let waves = jonswap_sea.components(&sea(1000, 0.0)).unwrap();
            let variance: f64 = waves.iter().map(|wave| 0.5 * wave.amplitude * wave.amplitude).sum();
            assert!((variance / 2.25 - 1.0).abs() < 1e-12);
            let mean = waves.iter().map(|wave| wave.frequency).sum::<f64>() / 1000.0;
            let (mut m0, mut m1) = (0.0, 0.0);
            for k in 0..200_000 {
                let x = 0.4 + 9.6 * (f64::from(k) + 0.5) / 200_000.0;
                m0 += jonswap(x, peak_factor);
                m1 += x * jonswap(x, peak_factor);
            }
            let right = m1 / m0 * TAU / 12.0;
            // The last band, a thousandth of the energy, reaches from 5 to 10 peak frequencies.
            assert!((mean / right - 1.0).abs() < 1e-3, "{peak_factor}: {mean} {right}");
        }
        // m1/m0 of Pierson-Moskowitz: Gamma(3/4) 1.25^(1/4) peak frequencies = 1.2957.
        let waves = Spectrum::Jonswap { height: 2.0, period: TAU, peak_factor: 1.0 }.components(&sea(4000, 0.0));
        let mean = waves.unwrap().iter().map(|wave| wave.frequency).sum::<f64>() / 4000.0;
        assert!((mean - 1.2957).abs() < 2e-3, "{mean}");
    }

    /// The mean of cos(b - heading) of the spreading cos^2s(b/2) is s/(s + 1); of 10,000 draws with
    /// a variance below 1 it errs by 0.01.
    #[test]
    fn headings_spread_as_asked_and_seeds_repeat() {
        let spectrum = Spectrum::Jonswap { height: 6.0, period: 12.0, peak_factor: 3.3 };
        for s in [1.0, 4.0, 25.0] {
            let waves = spectrum.components(&sea(10_000, s)).unwrap();
            let mean = waves.iter().map(|wave| (wave.heading - 0.5).cos()).sum::<f64>() / 10_000.0;
            assert!((mean - s / (s + 1.0)).abs() < 0.03, "{s}: {mean}");
            assert_eq!(waves, spectrum.components(&sea(10_000, s)).unwrap());
            let other = spectrum.components(&Sea { seed: 8, ..sea(10_000, s) }).unwrap();
            assert!(waves[0].phase != other[0].phase && waves[0].frequency == other[0].frequency);
        }
    }

    /// A density that rises linearly from 0.5 to 1.5: the frequency below which a share is, in
    /// closed form.
    #[test]
    fn tables_have_their_energy_between_their_places() {
        let table = Spectrum::Table { frequencies: &[0.5, 1.5], densities: &[0.0, 2.0] };
        let waves = table.components(&sea(10, 0.0)).unwrap();
        for (k, wave) in waves.iter().enumerate() {
            let right = 0.5 + ((k as f64 + 0.5) / 10.0).sqrt();
            assert!((wave.frequency - right).abs() < 1e-12, "{k}");
            assert!((wave.amplitude - 0.2_f64.sqrt()).abs() < 1e-15);
        }
        for bad in [[0.0, 0.0], [-1.0, 2.0]] {
            assert!(Spectrum::Table { frequencies: &[0.5, 1.5], densities: &bad }.components(&sea(3, 0.0)).is_err());
        }
    }
}
