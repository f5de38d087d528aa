//! Linear waves: sums of long-crested components in water of constant depth (Airy's theory).
//!
//! A component of amplitude a, frequency w, heading b and phase p has the elevation
//!
//! ```text
//! a cos(k (x cos b + y sin b) - w t + p),   w^2 = g k tanh(k h),
//! ```
//!
//! and velocities of a w cosh(k (z + h))/sinh(k h) along its heading and sinh in place of cosh
//! upwards. Between the seabed and the elevated surface, depths are stretched linearly to those
//! between the seabed and the mean water level (Wheeler 1970, Journal of Petroleum Technology 22,
//! 359). The acceleration is the derivative by time at a fixed place and stretched depth.

mod phasor;
mod record;
mod spectrum;

pub use record::record;
pub use spectrum::{Sea, Spectrum};

use super::line::Fluid;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use phasor::{Four, circle, power};
use std::f64::consts::{LOG2_E, TAU};

/// The largest number of components.
pub const MOST_WAVES: usize = 10_000;

/// Components whose velocity at a depth is below exp(-16) = 1e-7 of that at the surface are left
/// out there.
const DEEPEST: f64 = 16.0;

/// Above this k h, the water is infinitely deep: exp(-2 k h) is below half a unit of rounding.
const DEEP: f64 = 18.5;

/// A component.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wave {
    /// Amplitude of the elevation.
    pub amplitude: f64,
    /// Angular frequency.
    pub frequency: f64,
    /// Angle from the x axis to the direction of travel, about z.
    pub heading: f64,
    /// Phase.
    pub phase: f64,
}

impl Wave {
    /// Amplitude, frequency, heading, phase.
    pub fn numbers(&self) -> [f64; 4] {
        let Wave { amplitude, frequency, heading, phase } = *self;
        [amplitude, frequency, heading, phase]
    }
}

/// Four components, in order of their wavenumbers; those that do not exist have amplitude zero.
/// They are read for every place, and are kept small.
#[derive(Debug, Clone, Copy)]
struct Lanes {
    /// The lowest of their wavenumbers.
    lowest: f64,
    /// Whether the water is deep for all of them.
    deep: bool,
    amplitude: Four,
    /// Directions of travel.
    heading: [Four; 2],
    /// Turns of the phase per length along the direction of travel, per time, and at the start.
    wavenumber: Four,
    frequency: Four,
    phase: Four,
    /// a w/(1 - exp(-2 k h)).
    speed: Four,
    /// The same times exp(-2 k h), zero in deep water.
    mirrored: Four,
}

/// Waves in water of a depth, under a gravity.
#[derive(Debug, Clone)]
pub struct Waves {
    components: Vec<Wave>,
    gravity: f64,
    /// 0: infinite.
    depth: f64,
    lanes: Vec<Lanes>,
    /// The direction in which all of them travel; None if there are several.
    direction: Option<[f64; 2]>,
}

impl PartialEq for Waves {
    fn eq(&self, other: &Waves) -> bool {
        let of = |waves: &Waves| [waves.gravity, waves.depth];
        std::ptr::eq(self, other) || of(self) == of(other) && self.components == other.components
    }
}

/// Cosines and sines of components at a place: memory of [`Waves::motion`].
pub type Phasors = Vec<[Four; 2]>;

impl Waves {
    /// Of components that [`check`] has passed. A gravity of 0 or less stands for one that is not
    /// known yet: then nothing moves.
    pub fn new(components: Vec<Wave>, gravity: f64, depth: f64) -> Waves {
        let known = if gravity > 0.0 { &components[..] } else { &[] };
        let mut sorted: Vec<(f64, &Wave)> =
            known.iter().map(|wave| (wavenumber(wave.frequency, gravity, depth), wave)).collect();
        sorted.sort_by(|(k, _), (other, _)| k.total_cmp(other));
        let lanes = sorted.chunks(4).map(|four| Lanes::new(four, depth)).collect();
        let common = known.first().map(|wave| wave.heading).filter(|b| known.iter().all(|wave| wave.heading == *b));
        let direction = common.map(|heading| [heading.cos(), heading.sin()]);
        Waves { components, gravity, depth, lanes, direction }
    }

    /// The same in water of another depth or under another gravity.
    pub fn renewed(&self, gravity: f64, depth: f64) -> Waves {
        Waves::new(self.components.clone(), gravity, depth)
    }

    /// The components as given.
    pub fn components(&self) -> &[Wave] {
        &self.components
    }

    /// Gravity.
    pub fn gravity(&self) -> f64 {
        self.gravity
    }

    /// Depth; 0: infinite.
    pub fn depth(&self) -> f64 {
        self.depth
    }

    /// The motion of the water at a time and place of the host's coordinates. `ramp` is a time over
    /// which the waves grow from nothing at time zero; 0: they have always been there.
    pub fn motion(&self, time: f64, ramp: f64, place: &[f64; 3], phasors: &mut Phasors) -> Fluid {
        phasors.resize(self.lanes.len(), [Four::ZERO; 2]);
        let [growth, rate] = growth(time, ramp);
        let [x, y] = [place[0], place[1]].map(Four::splat);
        let common = self.direction.map(|[c, s]| Four::splat(c * place[0] + s * place[1]));
        let mut sum = Four::ZERO;
        for (lanes, phasor) in self.lanes.iter().zip(&mut *phasors) {
            let [c, s] = lanes.heading;
            let along = common.unwrap_or_else(|| c * x + s * y);
            *phasor = circle(lanes.wavenumber * along + (lanes.phase - lanes.frequency * Four::splat(time)));
            sum += lanes.amplitude * phasor[0];
        }
        let elevation = growth * total(sum);
        let z = self.stretched(place[2], elevation);
        let [vx, vy, vz, ax, ay, az] = match self.direction {
            Some([c, s]) => {
                let [u, w, udot, wdot] = self.sum(z, phasors, |_, motion| motion);
                [c * u, s * u, w, c * udot, s * udot, wdot]
            }
            None => self.sum(z, phasors, |lanes, [u, w, udot, wdot]| {
                let [c, s] = lanes.heading;
                [c * u, s * u, w, c * udot, s * udot, wdot]
            }),
        };
        let (velocity, acceleration) = ([vx, vy, vz], [ax, ay, az].map(|a| TAU * a));
        Fluid {
            velocity: velocity.map(|v| growth * v),
            acceleration: std::array::from_fn(|k| growth * acceleration[k] + rate * velocity[k]),
            elevation,
        }
    }

    /// Sums of what is made of velocities and accelerations over 2 pi, along the headings and
    /// upwards, at a stretched height.
    #[inline(always)]
    fn sum<const N: usize>(
        &self,
        z: f64,
        phasors: &[[Four; 2]],
        terms: impl Fn(&Lanes, [Four; 4]) -> [Four; N],
    ) -> [f64; N] {
        let (mut sums, exponent) = ([Four::ZERO; N], TAU * LOG2_E * z);
        for (lanes, phasor) in self.lanes.iter().zip(phasors) {
            if lanes.lowest * z < -DEEPEST {
                break;
            }
            for (sum, term) in sums.iter_mut().zip(terms(lanes, lanes.motion(exponent, phasor))) {
                *sum += term;
            }
        }
        sums.map(total)
    }

    /// The pressure of the waves over the density, without that of the still water: the sum of
    /// `a g cosh(k (z' + h))/cosh(k h) cos(theta)` at stretched heights z'.
    pub fn pressure(&self, time: f64, ramp: f64, place: &[f64; 3]) -> f64 {
        let (g, h) = (self.gravity, self.depth);
        if g <= 0.0 {
            return 0.0;
        }
        let z = self.stretched(place[2], self.motion(time, ramp, place, &mut Phasors::new()).elevation);
        let of = |wave: &Wave| {
            let k = wavenumber(wave.frequency, g, h);
            let (sin, cos) = wave.heading.sin_cos();
            let theta = k * (place[0] * cos + place[1] * sin) - wave.frequency * time + wave.phase;
            // The waves and their mirror image under the seabed.
            let at = |z: f64| (k * z).exp() + if h == 0.0 { 0.0 } else { (-k * (z + 2.0 * h)).exp() };
            wave.amplitude * g * at(z) / at(0.0) * theta.cos()
        };
        growth(time, ramp)[0] * self.components.iter().map(of).sum::<f64>()
    }

    /// The height to which a height is stretched: 0 at the elevated surface and above it, -h at the
    /// seabed and below it.
    fn stretched(&self, z: f64, elevation: f64) -> f64 {
        let h = self.depth;
        if h == 0.0 {
            return (z - elevation).min(0.0);
        }
        // Where an elevation would leave no water, the seabed.
        let thickness = elevation + h;
        if thickness > 0.0 { (h * (z + h) / thickness - h).clamp(-h, 0.0) } else { -h }
    }
}

impl Lanes {
    /// Of at most four components and their wavenumbers.
    fn new(four: &[(f64, &Wave)], depth: f64) -> Lanes {
        let of = |number: &dyn Fn(f64, &Wave) -> f64| {
            Four::new(std::array::from_fn(|i| four.get(i).map_or(0.0, |(k, wave)| number(*k, wave))))
        };
        let bottom = |k: f64| if depth == 0.0 || k * depth > DEEP { 0.0 } else { (-2.0 * k * depth).exp() };
        let speed = |k: f64, wave: &Wave| wave.amplitude * wave.frequency / (1.0 - bottom(k));
        Lanes {
            lowest: four[0].0,
            deep: bottom(four[0].0) == 0.0,
            amplitude: of(&|_, wave| wave.amplitude),
            heading: [of(&|_, wave| wave.heading.cos()), of(&|_, wave| wave.heading.sin())],
            wavenumber: of(&|k, _| k / TAU),
            frequency: of(&|_, wave| wave.frequency / TAU),
            phase: of(&|_, wave| wave.phase / TAU),
            speed: of(&speed),
            mirrored: of(&|k, wave| speed(k, wave) * bottom(k)),
        }
    }

    /// Velocities along the headings and upwards, and the accelerations over 2 pi, at a stretched
    /// height times `2 pi log2(e)`.
    #[inline(always)]
    fn motion(&self, exponent: f64, [cosine, sine]: &[Four; 2]) -> [Four; 4] {
        let decay = power(self.wavenumber * Four::splat(exponent));
        let wave = self.speed * decay;
        let (mut along, mut upwards) = (wave, wave);
        if !self.deep {
            // The mirror image of the waves under the seabed.
            let image = self.mirrored / decay;
            (along, upwards) = (wave + image, wave - image);
        }
        let (along_rate, upwards_rate) = (self.frequency * along, self.frequency * upwards);
        [along * *cosine, upwards * *sine, along_rate * *sine, -(upwards_rate * *cosine)]
    }
}

/// The sum of four numbers, in the same order on all processors.
fn total(sum: Four) -> f64 {
    let [a, b, c, d] = sum.to_array();
    (a + b) + (c + d)
}

/// The factor by which waves have grown, `3 s^2 - 2 s^3` of s = t/ramp, and its derivative by time.
fn growth(time: f64, ramp: f64) -> [f64; 2] {
    let s = if ramp > 0.0 { (time / ramp).clamp(0.0, 1.0) } else { 1.0 };
    if s < 1.0 { [s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / ramp] } else { [1.0, 0.0] }
}

/// The root k of the dispersion relation `w^2 = g k tanh(k h)`; `w^2/g` for h = 0, which stands for
/// infinite depth.
pub fn wavenumber(frequency: f64, gravity: f64, depth: f64) -> f64 {
    let deep = frequency * frequency / gravity;
    let a = deep * depth;
    if depth == 0.0 || a > DEEP {
        return deep;
    }
    // y tanh y = a from Eckart's y, which is at most 5 % off: Newton's method squares the error.
    let mut y = a / a.tanh().sqrt();
    for _ in 0..4 {
        let t = y.tanh();
        y -= (y * t - a) / (t + y * (1.0 - t * t));
    }
    y / depth
}

/// Errors: a component with a number that is not finite, a negative amplitude, a frequency that is
/// not above 0; too many of them.
pub fn check(waves: &[Wave]) -> Result<()> {
    check_count("n", waves.len())?;
    for (k, list) in ["amplitudes", "frequencies", "headings", "phases"].into_iter().enumerate() {
        check_finite(list, &waves.iter().map(|wave| wave.numbers()[k]).collect::<Vec<f64>>())?;
    }
    for (index, Wave { amplitude, frequency, .. }) in waves.iter().enumerate() {
        if *amplitude < 0.0 {
            let detail = format!("amplitudes[{index}] = {} is negative", Number(*amplitude));
            return Err(Error::bad_value("amplitudes", detail));
        }
        if *frequency <= 0.0 {
            let detail = format!("frequencies[{index}] = {} is not above 0", Number(*frequency));
            return Err(Error::bad_value("frequencies", detail));
        }
    }
    Ok(())
}

/// Errors: more components than there may be.
fn check_count(argument: &'static str, n: usize) -> Result<()> {
    if n <= MOST_WAVES {
        return Ok(());
    }
    Err(Error::BadSize { argument, given: n as i64, expected: format!("at most {MOST_WAVES} components") })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `w^2 = g k tanh(k h)` to rounding, from shallow to deep water.
    #[test]
    fn wavenumbers_satisfy_the_dispersion_relation() {
        for step in 0..200 {
            let frequency = 1e-3 * 1.06_f64.powi(step);
            for depth in [0.5, 20.0, 200.0] {
                let k = wavenumber(frequency, 9.81, depth);
                let right = 9.81 * k * (k * depth).tanh();
                assert!((right / (frequency * frequency) - 1.0).abs() < 1e-13, "{frequency} {depth}");
            }
        }
    }

    /// Between a place on the surface and its formula, and by finite differences of the potential
    /// `phi = a g/w cosh(k (z + h))/cosh(k h) sin(theta)` at the stretched height: differences of
    /// second order with a spacing of 1e-4 err by 1e-8 of the value and by rounding, 1e-12.
    #[test]
    fn velocities_are_the_gradient_of_the_potential_at_stretched_heights() {
        let (g, h) = (9.81, 30.0);
        let wave = Wave { amplitude: 0.7, frequency: 0.9, heading: 0.4, phase: 1.3 };
        let waves = Waves::new(vec![wave], g, h);
        let k = wavenumber(0.9, g, h);
        let phase = |t: f64, x: f64, y: f64| k * (x * 0.4_f64.cos() + y * 0.4_f64.sin()) - 0.9 * t + 1.3;
        let potential = |t: f64, x: f64, y: f64, z: f64| {
            0.7 * g / 0.9 * (k * (z + h)).cosh() / (k * h).cosh() * phase(t, x, y).sin()
        };
        let mut phasors = Phasors::new();
        for (t, place) in [(0.3, [1.0, 2.0, -3.0]), (7.0, [-20.0, 5.0, -29.0]), (50.0, [300.0, -80.0, 0.1])] {
            let [x, y, z] = place;
            let found = waves.motion(t, 0.0, &place, &mut phasors);
            let elevation = 0.7 * phase(t, x, y).cos();
            assert!((found.elevation - elevation).abs() < 1e-12);
            let zs = (h * (z + h) / (elevation + h) - h).min(0.0);
            let d = 1e-4;
            let slope = |f: &dyn Fn(f64) -> f64| (f(d) - f(-d)) / (2.0 * d);
            // p = -rho dphi/dt.
            let pressure = -slope(&|e| potential(t + e, x, y, zs));
            assert!((waves.pressure(t, 0.0, &place) - pressure).abs() < 1e-7, "{t}: {pressure}");
            let velocity = |t: f64| {
                [
                    slope(&|e| potential(t, x + e, y, zs)),
                    slope(&|e| potential(t, x, y + e, zs)),
                    slope(&|e| potential(t, x, y, zs + e)),
                ]
            };
            for (i, right) in velocity(t).into_iter().enumerate() {
                assert!((found.velocity[i] - right).abs() < 1e-7, "{t} {i}: {} {right}", found.velocity[i]);
                let right = slope(&|e| velocity(t + e)[i]);
                // Differences of differences: 1e-16/(1e-4)^2.
                assert!((found.acceleration[i] - right).abs() < 3e-7, "{t} {i}: {}", found.acceleration[i]);
            }
        }
    }

    /// Short waves have no pressure at the bed, where their exponentials are beyond the range of
    /// numbers.
    #[test]
    fn short_waves_have_no_pressure_at_the_seabed() {
        let waves = Waves::new(vec![Wave { amplitude: 0.01, frequency: 30.0, heading: 0.0, phase: 0.0 }], 9.81, 30.0);
        assert_eq!(waves.pressure(0.0, 0.0, &[0.0, 0.0, -29.9]), 0.0);
        // On the crest.
        assert!((waves.pressure(0.0, 0.0, &[0.0, 0.0, 0.01]) / (0.01 * 9.81) - 1.0).abs() < 1e-12);
    }

    /// Deep water, given as depth 0 or as a depth of many wavelengths, is the same; what is left
    /// out is below 1e-7 of the motion at the surface.
    #[test]
    fn deep_water_and_pruned_components_agree_with_the_full_sum() {
        let components: Vec<Wave> = (1..60)
            .map(|i| Wave { amplitude: 0.1, frequency: 0.2 + 0.05 * f64::from(i), heading: 0.0, phase: f64::from(i) })
            .collect();
        let [infinite, deep] = [0.0, 2000.0].map(|h| Waves::new(components.clone(), 9.81, h));
        let mut phasors = Phasors::new();
        for z in [-0.5, -30.0, -150.0] {
            let place = [12.0, 0.0, z];
            let [a, b] = [&infinite, &deep].map(|waves| waves.motion(3.0, 0.0, &place, &mut phasors));
            let height = z - a.elevation;
            let right: f64 = components
                .iter()
                .map(|wave| {
                    let k = wave.frequency * wave.frequency / 9.81;
                    let theta = k * 12.0 - wave.frequency * 3.0 + wave.phase;
                    wave.amplitude * wave.frequency * (k * height).exp() * theta.cos()
                })
                .sum();
            let speed: f64 = components.iter().map(|wave| wave.amplitude * wave.frequency).sum();
            assert!((a.velocity[0] - right).abs() < 1.2e-7 * speed, "{z}");
            // The depth stretches heights by eta z/h.
            assert!((b.elevation - a.elevation).abs() < 1e-9);
            assert!((b.velocity[0] - a.velocity[0]).abs() < 1e-3 * speed * z.abs() / 100.0 + 1e-9, "{z}");
        }
    }

    /// The derivative of a growing velocity by time, at a place on the seabed, where nothing is
    /// stretched.
    #[test]
    fn growing_waves_have_the_acceleration_of_their_velocity() {
        let waves = Waves::new(vec![Wave { amplitude: 1.0, frequency: 0.5, heading: 0.0, phase: 0.2 }], 9.81, 20.0);
        let mut phasors = Phasors::new();
        let mut at = |t: f64| waves.motion(t, 10.0, &[3.0, 0.0, -20.0], &mut phasors);
        assert_eq!(at(0.0), Fluid::default());
        let (before, now, after) = (at(4.0 - 1e-4), at(4.0), at(4.0 + 1e-4));
        let slope = (after.velocity[0] - before.velocity[0]) / 2e-4;
        assert!((now.acceleration[0] - slope).abs() < 1e-8, "{} {slope}", now.acceleration[0]);
        assert!(now.velocity[0] != 0.0 && at(11.0).velocity != now.velocity);
    }
}
