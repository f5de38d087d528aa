//! Syrope: the curves that the slow spring of a polyester rope follows.
//!
//! A rope whose mean tension T is the largest that it has had follows its original curve x(T),
//! strain over tension. Below the largest tension it follows a working curve, from that point of
//! the original curve to a permanent strain without tension (Falkenberg, Yang, Aahjem 2018,
//! OMAE2018-77944; formulas of MoorDyn 2.7). The dynamic spring has at T the stiffness alpha + beta
//! T and the strain ln(1 + beta T/alpha)/beta, so that the slow strain is
//!
//! ```text
//! z = x(T) - ln(1 + beta T/alpha)/beta.
//! ```
//!
//! A state has x, where the rope would be at rest, and the largest tension. A step knows the
//! working curve of its start, and the original one beyond it; its end decides whether the largest
//! tension grows.

use super::table::{Slope, Table, at, integral};
use crate::error::{Error, Result};
use crate::number::Number;

/// Shape of the working curve: tension, as part of the largest, over the part xi of the strain
/// between no tension and the largest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkingCurve {
    /// xi; the permanent strain is the part k1 of that at the largest tension.
    Linear,
    /// The same with the stiffness k1.
    Stiffness,
    /// xi (k2 xi + 1 - k2).
    Quadratic,
    /// (exp(k2 xi) - 1)/(exp(k2) - 1).
    Exponential,
}

/// What a type with the Syrope model has beside its original curve and its dynamic stiffness.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Syrope {
    /// Shape.
    pub curve: WorkingCurve,
    /// Permanent strain as part of that at the largest tension, or stiffness.
    pub k1: f64,
    /// Shape of curves that are not straight.
    pub k2: f64,
}

/// The curves of a type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Curves<'a> {
    /// The original curve.
    original: &'a Table,
    law: Syrope,
}

/// A working curve: the strain without tension, and from there to the largest one.
struct Working {
    start: f64,
    length: f64,
    largest: f64,
}

/// The part of the last tension of a table up to which a rope counts as new.
const NEW: f64 = 1e-12;

/// Points of a working curve at which its slope is compared.
const POINTS: u32 = 32;

/// What rounding may change of energies that are compared.
const ROUNDING: f64 = 1e-9;

impl WorkingCurve {
    /// Names, as files and the C API have them.
    pub const NAMES: [(&str, WorkingCurve); 4] = [
        ("linear", WorkingCurve::Linear),
        ("stiffness", WorkingCurve::Stiffness),
        ("quadratic", WorkingCurve::Quadratic),
        ("exponential", WorkingCurve::Exponential),
    ];

    /// By its name. Errors: unknown.
    pub fn from_name(name: &str) -> Result<WorkingCurve> {
        let known = WorkingCurve::NAMES.iter().find(|(known, _)| *known == name);
        known.map(|(_, curve)| *curve).ok_or_else(|| {
            let names = WorkingCurve::NAMES.map(|(name, _)| name).join(", ");
            Error::bad_value("curve", format!("\"{name}\" is unknown; known: {names}"))
        })
    }

    /// By its number. Errors: there are 0 to 3.
    pub fn from_number(number: i32) -> Result<WorkingCurve> {
        let known = usize::try_from(number).ok().and_then(|number| WorkingCurve::NAMES.get(number));
        known
            .map(|(_, curve)| *curve)
            .ok_or_else(|| Error::bad_value("curve", format!("{number} is no kind of working curve: there are 0 to 3")))
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        WorkingCurve::NAMES.iter().find(|(_, curve)| *curve == self).map_or("", |(name, _)| name)
    }
}

impl Syrope {
    /// The tension over xi, and its slope; straight below 0.
    fn shape(&self, xi: f64) -> Slope {
        let (k, x) = (self.k2, xi.max(0.0));
        let (value, slope) = match self.curve {
            WorkingCurve::Linear | WorkingCurve::Stiffness => (x, 1.0),
            WorkingCurve::Quadratic => (x * (k * x + 1.0 - k), 2.0 * k * x + 1.0 - k),
            WorkingCurve::Exponential => ((k * x).exp_m1() / k.exp_m1(), k * (k * x).exp() / k.exp_m1()),
        };
        if xi >= 0.0 { (value, slope) } else { (slope * xi, slope) }
    }

    /// The integral of the tension between two xi.
    fn integral(&self, from: f64, to: f64) -> f64 {
        let (k, [a, b]) = (self.k2, [from.max(0.0), to.max(0.0)]);
        let (d, [below, above]) = (b - a, [from.min(0.0), to.min(0.0)]);
        let above_zero = match self.curve {
            WorkingCurve::Linear | WorkingCurve::Stiffness => 0.5 * d * (a + b),
            WorkingCurve::Quadratic => d * (k / 3.0 * (a * a + a * b + b * b) + 0.5 * (1.0 - k) * (a + b)),
            WorkingCurve::Exponential => ((k * a).exp() * (k * d).exp_m1() / k - d) / k.exp_m1(),
        };
        above_zero + 0.5 * self.shape(0.0).1 * (above - below) * (above + below)
    }

    /// Whether a type with this original curve, and the dynamic stiffness `alpha + beta T`, may
    /// have it. Errors: numbers out of their range; a curve that begins under tension or is level
    /// somewhere; curves stiffer than the dynamic spring, or working curves that give back more
    /// energy than the original one took.
    pub(super) fn check(&self, original: &Table, alpha: f64, beta: f64) -> Result<()> {
        let Syrope { curve, k1, k2 } = *self;
        let refuse =
            |name: &'static str, value: f64, why: &str| Err(Error::bad_value(name, format!("{} {why}", Number(value))));
        match curve {
            WorkingCurve::Stiffness if !(k1 > 0.0 && k1.is_finite()) => {
                return refuse("k1", k1, "is not above 0: it is a stiffness");
            }
            WorkingCurve::Stiffness => {}
            _ if !(0.0..1.0).contains(&k1) => return refuse("k1", k1, "is not from 0 to below 1"),
            WorkingCurve::Quadratic if !(k2 > 0.0 && k2 <= 1.0) => {
                return refuse("k2", k2, "is not above 0 and at most 1");
            }
            WorkingCurve::Exponential if !(1e-3..100.0).contains(&k2) => {
                return refuse("k2", k2, "is not from 0.001 to below 100");
            }
            _ => {}
        }
        let (x, y) = (&original.x, &original.y);
        if y[0] != 0.0 {
            return refuse("type", y[0], "is the first tension of its table, and an original curve begins at 0");
        }
        let curves = Curves { original, law: *self };
        for k in 1..x.len() {
            if y[k] <= y[k - 1] {
                return refuse("type", y[k], "is a tension of its table that is no more than the one before");
            }
            let slope = (y[k] - y[k - 1]) / (x[k] - x[k - 1]);
            let working = curves.working(y[k]);
            if working.start < x[0] - ROUNDING * working.length {
                let why = "is so small that lines without tension would be shorter than before";
                return refuse("k1", k1, why);
            }
            let is_stiffer = |tension: f64, slope: f64| slope >= alpha + beta * tension;
            let at = |point: u32| {
                let (part, slope) = self.shape(f64::from(point) / f64::from(POINTS));
                (part * y[k], slope * y[k] / working.length)
            };
            if is_stiffer(y[k - 1], slope) || (0..=POINTS).map(at).any(|(tension, slope)| is_stiffer(tension, slope)) {
                let why = "is not more than the stiffness of the curves at every tension up to";
                return refuse("ea_dynamic", alpha, &format!("{why} {}", Number(y[k])));
            }
            if self.integral(0.0, 1.0) * y[k] * working.length > (1.0 + ROUNDING) * integral(original, x[0], x[k]) {
                let why = "is the tension from which working curves give back more energy than was taken to it";
                return refuse("curve", y[k], why);
            }
        }
        Ok(())
    }
}

impl<'a> Curves<'a> {
    /// Of a type.
    pub(super) fn new(original: &'a Table, law: Syrope) -> Curves<'a> {
        Curves { original, law }
    }

    /// Whether the largest tension is so small that working curves have no length.
    fn is_new(&self, largest: f64) -> bool {
        largest <= NEW * self.original.y[self.original.y.len() - 1]
    }

    /// The strain without tension, on the working curve below a largest tension.
    pub(super) fn start(&self, largest: f64) -> f64 {
        self.working(largest).start
    }

    /// The working curve below a largest tension.
    fn working(&self, largest: f64) -> Working {
        let Table { x, y } = self.original;
        let last = y.len() - 1;
        let k = y.partition_point(|tension| *tension <= largest).clamp(1, last);
        let by_tension = (x[k] - x[k - 1]) / (y[k] - y[k - 1]);
        let end = x[k - 1] + by_tension * (largest - y[k - 1]);
        let length = match self.law.curve {
            WorkingCurve::Stiffness => largest / self.law.k1,
            _ => (1.0 - self.law.k1) * (end - x[0]),
        };
        Working { start: end - length, length, largest }
    }

    /// Tension at a strain: on the working curve of a largest tension, or beyond it on the original
    /// curve.
    pub(super) fn tension(&self, x: f64, largest: f64) -> Slope {
        let working = self.working(largest);
        let end = working.start + working.length;
        if x >= end {
            return at(self.original, x);
        }
        if self.is_new(largest) {
            // As of a rope that has had little tension.
            let (_, slope) = self.law.shape(0.0);
            let stiffness = match self.law.curve {
                WorkingCurve::Stiffness => self.law.k1,
                _ => at(self.original, self.original.x[0]).1 / (1.0 - self.law.k1),
            };
            return (slope * stiffness * (x - end), slope * stiffness);
        }
        let (part, slope) = self.law.shape((x - working.start) / working.length);
        (working.largest * part, working.largest / working.length * slope)
    }

    /// Integral of the tension between two strains.
    pub(super) fn work(&self, from: f64, to: f64, largest: f64) -> f64 {
        let Working { start, length, .. } = self.working(largest);
        let end = start + length;
        let [a, b] = [from, to].map(|x| x.min(end));
        let below = if self.is_new(largest) {
            let [from, to] = [a, b].map(|x| if x < end { self.tension(x, largest).0 } else { 0.0 });
            0.5 * (b - a) * (from + to)
        } else {
            largest * length * self.law.integral((a - start) / length, (b - start) / length)
        };
        below + if from.max(to) > end { integral(self.original, from.max(end), to.max(end)) } else { 0.0 }
    }
}

/// Of all kinds of curves.
#[cfg(test)]
pub(super) const CURVES: [Syrope; 4] = [
    Syrope { curve: WorkingCurve::Linear, k1: 0.3, k2: 0.0 },
    Syrope { curve: WorkingCurve::Stiffness, k1: 3e5, k2: 0.0 },
    Syrope { curve: WorkingCurve::Quadratic, k1: 0.25, k2: 1.0 },
    Syrope { curve: WorkingCurve::Exponential, k1: 0.2, k2: 1.5 },
];
