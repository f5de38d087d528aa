//! Lengths of lines and tendons, which winches change over a step.

/// The unstretched length of a line or a tendon, as winches change it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineLength {
    /// Length of the whole.
    pub length: f64,
    /// Its rate.
    pub rate: f64,
    /// Whether the host has given it; else it is the described length.
    pub given: bool,
}

/// The shortest length that a winch may give, as part of its described length.
pub const SHORTEST: f64 = 0.01;

impl LineLength {
    /// As described, at rest.
    pub fn described(length: f64) -> LineLength {
        LineLength { length, rate: 0.0, given: false }
    }

    /// The length at a fraction of a step of `duration`: the cubic with the lengths and rates at
    /// both ends.
    pub fn between(from: &LineLength, to: &LineLength, fraction: f64, duration: f64) -> LineLength {
        let (s, gone) = (fraction, to.length - from.length);
        let (a, b) = (duration * from.rate - gone, gone - duration * to.rate);
        let length = from.length + s * gone + s * (1.0 - s) * ((1.0 - s) * a + s * b);
        let slope = gone + (1.0 - 2.0 * s) * ((1.0 - s) * a + s * b) + s * (1.0 - s) * (b - a);
        LineLength { length, rate: slope / duration, given: to.given }
    }

    /// The least length in that step.
    pub fn least(from: &LineLength, to: &LineLength, duration: f64) -> f64 {
        let gone = to.length - from.length;
        let (a, b) = (duration * from.rate - gone, gone - duration * to.rate);
        // Where the rate is zero: c s^2 - 2 d s + e = 0.
        let (c, d, e) = (3.0 * (a - b), 2.0 * a - b, gone + a);
        let root = (d * d - c * e).max(0.0).sqrt();
        let turns = [(d + root) / c, (d - root) / c, e / (2.0 * d)].into_iter().filter(|s| *s > 0.0 && *s < 1.0);
        turns.map(|s| LineLength::between(from, to, s, duration).length).fold(from.length.min(to.length), f64::min)
    }
}
