//! Stops at the ends of the range of a coordinate: their laws.
//!
//! `elements::machine` has the formulas, and the modes of what closes and rests.

use super::check_not_negative;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;

/// Bisections that find x of the restitution: doubles have 53 bits.
const BISECTIONS: usize = 60;

/// The largest p.
const MOST_EXPONENT: f64 = 3.0;

/// The law of a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopLaw {
    /// 0: spring and damper that do not pull.
    Spring,
    /// 1: restitution by a jump of velocities.
    Impulse,
    /// 2: a spring with damping that gives the restitution.
    Restitution,
}

impl StopLaw {
    /// All, in the order of their numbers in the C API.
    pub const ALL: [StopLaw; 3] = [StopLaw::Spring, StopLaw::Impulse, StopLaw::Restitution];

    /// From its number in the C API.
    pub fn from_number(law: i32) -> Result<StopLaw> {
        let found = usize::try_from(law).ok().and_then(|law| StopLaw::ALL.get(law).copied());
        let unknown =
            || Error::bad_value("law", format!("{law}, expected PINTLE_STOP_SPRING, _IMPULSE or _RESTITUTION"));
        found.ok_or_else(unknown)
    }

    /// Its name in model files.
    pub const fn name(self) -> &'static str {
        match self {
            StopLaw::Spring => "spring",
            StopLaw::Impulse => "impulse",
            StopLaw::Restitution => "restitution",
        }
    }
}

/// Stops at both ends of the range of a coordinate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stop {
    /// Lower and upper; infinite where there is none.
    pub bounds: [f64; 2],
    /// The law of both.
    pub law: StopLaw,
    /// k.
    pub stiffness: f64,
    /// c, of law spring.
    pub damping: f64,
    /// e, of the other laws.
    pub restitution: f64,
    /// p, of law restitution; 1 for the others.
    pub exponent: f64,
}

impl Stop {
    /// None.
    pub const NONE: Stop = Stop {
        bounds: [f64::NEG_INFINITY, f64::INFINITY],
        law: StopLaw::Spring,
        stiffness: 0.0,
        damping: 0.0,
        restitution: 0.0,
        exponent: 1.0,
    };

    /// From bounds, the number of a law, and stiffness, damping and restitution, as hosts set them.
    /// Errors: as [`Stop::check`]; an unknown law.
    pub fn new(bounds: [f64; 2], law: i32, [stiffness, damping, restitution]: [f64; 3]) -> Result<Stop> {
        let stop = Stop { bounds, law: StopLaw::from_number(law)?, stiffness, damping, restitution, exponent: 1.0 };
        stop.check()?;
        Ok(stop)
    }

    /// The same numbers.
    pub fn numbers(stop: Option<Stop>) -> ([f64; 2], i32, [f64; 3]) {
        let Stop { bounds, law, stiffness, damping, restitution, .. } = stop.unwrap_or(Stop::NONE);
        (bounds, law as i32, [stiffness, damping, restitution])
    }

    /// 1 for the lower, -1 for the upper stop: the direction of its force.
    pub fn sign(which: usize) -> f64 {
        if which == 0 { 1.0 } else { -1.0 }
    }

    /// Indentation -g of a stop, and its rate.
    pub fn indentation(&self, which: usize, [q, qdot]: [f64; 2]) -> [f64; 2] {
        let sign = Stop::sign(which);
        [sign * (self.bounds[which] - q), -sign * qdot]
    }

    /// F of a closed stop, and its derivatives by indentation and rate. `level`: chi of law
    /// restitution, the level of law impulse; `rest`: the stiffness of what rests.
    pub fn force(&self, [delta, rate]: [f64; 2], [level, rest]: [f64; 2]) -> [f64; 3] {
        let k = self.stiffness;
        match self.law {
            StopLaw::Spring => [k * delta + self.damping * rate, k, self.damping],
            StopLaw::Impulse => [rest * (delta + level), rest, 0.0],
            // It does not pull what leaves faster than it would by itself.
            StopLaw::Restitution if level * rate < -1.0 => [0.0; 3],
            StopLaw::Restitution => {
                let ([elastic, slope], damped) = (self.elastic(delta), 1.0 + level * rate);
                [elastic * damped, slope * damped, elastic * level]
            }
        }
    }

    /// k delta^p, and its derivative.
    pub fn elastic(&self, delta: f64) -> [f64; 2] {
        let (k, p) = (self.stiffness, self.exponent);
        match p {
            1.0 => [k * delta, k],
            // Nothing pulls.
            _ if delta <= 0.0 => [0.0; 2],
            _ => [k * delta.powf(p), k * p * delta.powf(p - 1.0)],
        }
    }

    /// Time of a contact that closes at a rate, with 1/mass: half a wave of the spring, and from
    /// energies about three times the indentation over the rate where p is not 1.
    pub fn contact_time(&self, inverse_mass: f64, rate: f64) -> f64 {
        let (k, p) = (self.stiffness * inverse_mass, self.exponent);
        if p == 1.0 {
            return std::f64::consts::PI / k.sqrt();
        }
        3.0 * ((p + 1.0) * rate * rate / (2.0 * k)).powf(1.0 / (p + 1.0)) / rate
    }

    /// Errors: a number out of its range, by the name of its argument.
    pub fn check(&self) -> Result<()> {
        let &Stop { bounds, law, stiffness, damping, restitution, exponent } = self;
        for (argument, bound) in ["lower", "upper"].into_iter().zip(bounds) {
            if bound.is_nan() {
                return Err(Error::NotFinite { argument, index: None, value: bound });
            }
        }
        if bounds[0] > bounds[1] {
            let [lower, upper] = bounds.map(Number);
            return Err(Error::bad_value("lower", format!("{lower} is above upper = {upper}")));
        }
        check_not_negative("stiffness", stiffness)?;
        if stiffness == 0.0 {
            return Err(Error::bad_value("stiffness", format!("{} holds nothing", Number(stiffness))));
        }
        check_not_negative("damping", damping)?;
        check_finite("restitution", &[restitution])?;
        let least = if law == StopLaw::Restitution { f64::MIN_POSITIVE } else { 0.0 };
        if !(least..=1.0).contains(&restitution) {
            let range = if law == StopLaw::Restitution { "above 0, to 1" } else { "0 to 1" };
            return Err(Error::bad_value("restitution", format!("{} is not in {range}", Number(restitution))));
        }
        check_finite("exponent", &[exponent])?;
        let most = if law == StopLaw::Restitution { MOST_EXPONENT } else { 1.0 };
        if !(1.0..=most).contains(&exponent) {
            let detail = format!("{} is not in 1 to {}, with law {}", Number(exponent), Number(most), law.name());
            return Err(Error::bad_value("exponent", detail));
        }
        Ok(())
    }

    /// chi v0 for the restitution.
    pub fn damping_ratio(&self) -> f64 {
        let e = self.restitution;
        if e >= 1.0 {
            return 0.0;
        }
        // Positive up to the root, then negative up to 1/e.
        let left = |x: f64| (x - x.ln_1p()) + (e * x + (-e * x).ln_1p());
        let (mut low, mut high) = (0.0, 1.0 / e);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            // Zero near x = 0, below the root, where both terms round to the same.
            if left(middle) >= 0.0 { low = middle } else { high = middle }
        }
        0.5 * (low + high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_damping_ratio_satisfies_its_equation() {
        let stop = |restitution| Stop {
            bounds: [0.0, 1.0],
            law: StopLaw::Restitution,
            stiffness: 1.0,
            damping: 0.0,
            restitution,
            exponent: 1.0,
        };
        for (e, x) in [(0.95, 0.078_927), (0.8, 0.373_146), (0.5, 1.432_751), (0.2, 4.919_167)] {
            // Six digits are given.
            assert!((stop(e).damping_ratio() - x).abs() < 1e-6, "{e}");
        }
        assert_eq!(stop(1.0).damping_ratio(), 0.0);
    }
}
