//! Viscoelastic segments: a spring with a dashpot in parallel, in series with another such pair.
//!
//! The slow part z of the strain is that of the static pair, y = strain - z that of the dynamic
//! pair; both carry the tension
//!
//! ```text
//! H = T(z) + B_s zdot = E max(y, 0) + B_d ydot,
//! ```
//!
//! with T such that both springs together have the static stiffness EA, and E = alpha + beta T
//! (Hall, Duong, Lozon 2023, IOWTC2023-119524, eq. 2 and 14). A rope does not push: its dynamic
//! spring is slack below y = 0, while z recovers.
//!
//! Over a step of length h both pairs have the same mean tension, with theta = 1/(1 - e^-x) - 1/x
//! of x = h (E + T')/(B_s + B_d): T at z0 + theta (z1 - z0), and the dynamic spring the mean of the
//! tensions that it runs through, weighted likewise. So z is exact where the strain changes at a
//! constant rate, whatever h is, and of second order else; with beta = 0 no step gains energy.

use super::syrope::Curves;
use std::ops::{Add, Div, Mul, Sub};

/// What a viscoelastic type has beside EA and BA: EA is its static stiffness, BA the damping B_s of
/// the static pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viscoelastic {
    /// alpha: dynamic stiffness without tension.
    pub stiffness: f64,
    /// beta: how much stiffer per mean tension.
    pub slope: f64,
    /// B_d: damping of the dynamic pair.
    pub damping: f64,
}

/// Slow parts of the strains of segments, as a state has them, and the time since.
#[derive(Debug, Clone, Copy)]
pub struct Slow<'a> {
    /// Slow strain (with curves of Syrope: the strain at which it would be at rest), strain and
    /// largest tension, one per segment; none: those of rope that had no tension.
    pub strains: &'a [[f64; 3]],
    /// Time since then; infinite at rest.
    pub since: f64,
}

impl Slow<'_> {
    /// At rest, where the static stiffness holds.
    pub const AT_REST: Slow<'static> = Slow { strains: &[], since: f64::INFINITY };

    /// Of a segment.
    #[inline]
    pub(super) fn of(&self, segment: usize) -> [f64; 3] {
        self.strains.get(segment).copied().unwrap_or([0.0, -1.0, 0.0])
    }
}

/// The static pair and what [`Viscoelastic`] adds, of segments of one length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairs<'a> {
    /// EA.
    ea: f64,
    /// B_s.
    pub(super) slow: f64,
    pub(super) law: Viscoelastic,
    /// Of the slow spring, in place of EA.
    curves: Option<Curves<'a>>,
}

/// A slow strain, or the strain at rest on curves, and the largest tension before.
pub(super) type Own = (Dual, f64);

/// A number and its derivative by the strain at the end of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Dual(pub(super) f64, pub(super) f64);

/// The springs about a slow strain: linear there.
#[derive(Clone, Copy)]
struct Springs {
    /// E.
    dynamic: Dual,
    /// The slow strain, T and T' there.
    at: Dual,
    tension: Dual,
    slope: Dual,
}

/// A segment at the end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// The slow strain there, or the strain at rest on curves.
    pub(super) slow: Dual,
    /// The mean tension of the step.
    pub(super) tension: Dual,
    /// Secant of the dynamic spring over the step, as part of E.
    pub(super) taut: Dual,
    /// Whether the dynamic spring was slack at one end alone.
    pub(super) crosses: bool,
}

impl Viscoelastic {
    /// Of a type that is not viscoelastic.
    pub const NONE: Viscoelastic = Viscoelastic { stiffness: 0.0, slope: 0.0, damping: 0.0 };

    /// Its numbers, in the order of the C API.
    pub fn numbers(&self) -> [f64; 3] {
        [self.stiffness, self.slope, self.damping]
    }

    /// E at the tension at which ropes break: the static one of a strain of a tenth, or the last of
    /// a table.
    pub(super) fn stiffest(&self, tension: f64) -> f64 {
        self.stiffness + self.slope * tension
    }

    /// E at a slow strain, by `z/E_s = 1/EA - 1/E` and `E = alpha + beta E_s z` of the static
    /// spring E_s.
    fn dynamic(&self, ea: f64, z: Dual) -> Dual {
        let Viscoelastic { stiffness: alpha, slope: beta, .. } = *self;
        if beta == 0.0 || z.0 <= 0.0 {
            return Dual::of(alpha);
        }
        let sum = Dual::of(alpha + ea) + z * Dual::of(beta * ea);
        (sum + (sum * sum - Dual::of(4.0 * alpha * ea)).sqrt()) * Dual::of(0.5)
    }
}

impl<'a> Pairs<'a> {
    /// Of a type, with B_s as a segment has it.
    pub(super) fn new(law: Viscoelastic, ea: f64, slow: f64, curves: Option<Curves<'a>>) -> Pairs<'a> {
        Pairs { ea, slow, law, curves }
    }

    /// E and T at a slow strain.
    fn springs(&self, z: Dual) -> [Dual; 2] {
        let (dynamic, ea) = (self.law.dynamic(self.ea, z), Dual::of(self.ea));
        [dynamic, dynamic * ea / (dynamic - ea) * z]
    }

    /// The springs, linear about a slow strain.
    fn linear(&self, z: Dual) -> Springs {
        let [dynamic, tension] = self.springs(z);
        // T' by dz/dT = 1/EA - alpha/E^2, and E' = beta T' alike.
        let ea = Dual::of(self.ea);
        let slope = match z.0 > 0.0 {
            true => Dual::of(1.0) / (Dual::of(1.0) / ea - Dual::of(self.law.stiffness) / (dynamic * dynamic)),
            false => dynamic * ea / (dynamic - ea),
        };
        Springs { dynamic, at: z, tension, slope }
    }

    /// H where the slow strain is z, at a rate of the strain, and dH by this rate.
    pub(super) fn now(&self, own: Own, strain: f64, rate: f64) -> (Dual, f64) {
        if let Some(curves) = &self.curves {
            return self.curve_now(curves, own, strain, rate);
        }
        let (z, _) = own;
        let [dynamic, tension] = self.springs(z);
        self.tension_now(tension, dynamic * (Dual(strain, 1.0) - z).positive(), rate)
    }

    /// The same with the tensions of both springs.
    pub(super) fn tension_now(&self, tension: Dual, pull: Dual, rate: f64) -> (Dual, f64) {
        let Pairs { slow, law: Viscoelastic { damping: fast, .. }, .. } = *self;
        let part = Dual::of(slow / (slow + fast));
        let by_rate = part.0 * fast;
        (tension + part * (pull - tension) + Dual::of(by_rate * rate), by_rate)
    }

    /// At rest.
    fn settled(&self, strain: f64, largest: f64) -> Reached {
        if let Some(curves) = &self.curves {
            return self.curve_settled(curves, strain, largest);
        }
        let taut = f64::from(u8::from(strain > 0.0));
        let tension = Dual(self.ea * strain, self.ea) * Dual::of(taut);
        let dynamic = Dual::of(self.law.stiffness) + Dual::of(self.law.slope) * tension;
        let slow = tension / Dual::of(self.ea) - tension / dynamic;
        Reached { slow, tension, taut: Dual::of(taut), crosses: false }
    }

    /// Slow strain and largest tension of a segment at a strain, at the time of `slow` or later.
    pub(super) fn slow(&self, slow: &Slow, segment: usize, strain: f64) -> Own {
        let own @ [z, _, largest] = slow.of(segment);
        (if slow.since > 0.0 { self.step(own, strain, slow.since).slow } else { Dual::of(z) }, largest)
    }

    /// What a state keeps of a segment at a strain.
    pub(super) fn kept(&self, (slow, largest): Own, strain: f64) -> [f64; 3] {
        let tension = self.curves.map_or(0.0, |curves| self.curve_tension(&curves, slow, largest).0);
        [slow.0, strain, largest.max(tension)]
    }

    /// T of what a state has.
    pub(super) fn slow_tension(&self, [slow, _, largest]: [f64; 3]) -> f64 {
        match &self.curves {
            Some(curves) => self.curve_tension(curves, Dual::of(slow), largest).0,
            None => self.springs(Dual::of(slow))[1].0,
        }
    }

    /// The slow strain that a state has.
    pub(super) fn slow_strain(&self, [slow, _, largest]: [f64; 3]) -> f64 {
        self.curves.map_or(slow, |curves| self.curve_slow_strain(&curves, slow, largest))
    }

    /// What a state is to have for a slow strain and a largest tension.
    pub(super) fn with_slow_strain(&self, z: f64, strain: f64, largest: f64) -> [f64; 3] {
        let slow = self.curves.map_or(z, |curves| self.at_slow_strain(&curves, z, largest));
        self.kept((Dual::of(slow), largest), strain)
    }

    /// The step of length h from what a state has to another strain.
    pub(super) fn step(&self, own: [f64; 3], to: f64, h: f64) -> Reached {
        let [z, from, largest] = own;
        if !h.is_finite() {
            return self.settled(to, largest);
        }
        if let Some(curves) = &self.curves {
            return self.curve_step(curves, own, to, h);
        }
        let springs = self.linear(Dual::of(z));
        let x = h * (springs.dynamic.0 + springs.slope.0) / (self.slow + self.law.damping);
        let theta = theta(x);
        let reached = self.solve(&springs, theta, z, [from, to], h);
        if self.law.slope == 0.0 {
            return reached;
        }
        // Again, with the springs that the middle of the step has: of second order.
        let middle = (Dual::of(z) + reached.slow) * Dual::of(0.5);
        self.solve(&self.linear(middle), theta, z, [from, to], h)
    }

    /// The step with springs that are linear: `(a + c) dy + D(y1) = T(z0) + a dstrain`, a = theta
    /// T' + B_s/h, c = B_d/h, and D the tension of the dynamic spring.
    fn solve(&self, springs: &Springs, theta: f64, z: f64, [from, to]: [f64; 2], h: f64) -> Reached {
        let Springs { dynamic: e, at, tension, slope } = *springs;
        let (weight, z0, y0) = (Dual::of(theta), Dual::of(z), from - z);
        let a = weight * slope + Dual::of(self.slow / h);
        let both = a + Dual::of(self.law.damping / h);
        let change = Dual(to - from, 1.0);
        let start = tension + slope * (z0 - at);
        let right = start + a * change;
        let (start_y, none) = (Dual::of(y0), Dual::of(0.0));
        let square = Dual::of((1.0 - theta) * y0 * y0) * e;
        let (dy, taut) = if y0 > 0.0 {
            let dy = (right - e * start_y) / (both + weight * e);
            if y0 + dy.0 >= 0.0 {
                (dy, Dual::of(1.0))
            } else {
                // D = -(1 - theta) E y0^2/dy.
                let root = (right * right + Dual::of(4.0) * both * square).sqrt();
                let dy = match right.0 > 0.0 {
                    true => Dual::of(-2.0) * square / (right + root),
                    false => (right - root) / (Dual::of(2.0) * both),
                };
                (dy, none - start_y / dy)
            }
        } else {
            let dy = right / both;
            if y0 + dy.0 <= 0.0 {
                (dy, none)
            } else {
                // D = (1 - theta) E y1^2/dy + (2 theta - 1) E y1.
                let (sum, b) = (both + weight * e, right - e * start_y);
                let root = (b * b - Dual::of(4.0) * sum * square).positive().sqrt();
                let dy = (b + root) / (Dual::of(2.0) * sum);
                (dy, (start_y + dy) / dy)
            }
        };
        let dz = change - dy;
        let crosses = (y0 > 0.0) != (y0 + dy.0 > 0.0);
        Reached { slow: z0 + dz, tension: start + a * dz, taut, crosses }
    }

    /// Elastic energy per unstretched length.
    pub(super) fn energy(&self, (Dual(z, _), largest): Own, strain: f64) -> f64 {
        if let Some(curves) = &self.curves {
            return self.curve_energy(curves, [z, largest], strain);
        }
        let [dynamic, tension] = self.springs(Dual::of(z)).map(|spring| spring.0);
        let stretch = (strain - z).max(0.0);
        let Viscoelastic { stiffness: alpha, slope: beta, .. } = self.law;
        // The integral of T dz, z = T/EA - T/(alpha + beta T).
        let (q, t) = (beta * tension / alpha, tension);
        let fast = match q > 1e-3 {
            true => alpha / (beta * beta) * (q.ln_1p() - q / (1.0 + q)),
            false => t * t / alpha * (0.5 - q * (2.0 / 3.0 - 0.75 * q)),
        };
        0.5 * dynamic * stretch * stretch + 0.5 * t * t / self.ea - fast
    }
}

/// theta = 1/(1 - e^-x) - 1/x: 1/2 of small x, 1 of large ones.
pub(super) fn theta(x: f64) -> f64 {
    if x < 1e-2 { 0.5 + x / 12.0 * (1.0 - x * x / 60.0) } else { -1.0 / (-x).exp_m1() - 1.0 / x }
}

impl Dual {
    /// A number that does not depend on the strain at the end.
    pub(super) fn of(x: f64) -> Dual {
        Dual(x, 0.0)
    }

    fn sqrt(self) -> Dual {
        let root = self.0.sqrt();
        Dual(root, if root > 0.0 { 0.5 * self.1 / root } else { 0.0 })
    }

    /// Zero where it is negative.
    pub(super) fn positive(self) -> Dual {
        if self.0 > 0.0 { self } else { Dual::of(0.0) }
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, other: Dual) -> Dual {
        Dual(self.0 + other.0, self.1 + other.1)
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, other: Dual) -> Dual {
        Dual(self.0 - other.0, self.1 - other.1)
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, other: Dual) -> Dual {
        Dual(self.0 * other.0, self.0 * other.1 + self.1 * other.0)
    }
}

impl Div for Dual {
    type Output = Dual;
    fn div(self, other: Dual) -> Dual {
        let quotient = self.0 / other.0;
        Dual(quotient, (self.1 - quotient * other.1) / other.0)
    }
}
