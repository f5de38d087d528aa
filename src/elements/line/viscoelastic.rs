//! Viscoelastic segments: a spring with a dashpot in parallel, in series with another such pair.
//!
//! The slow part z of the strain is that of the static pair, y = strain - z that of the dynamic pair; both carry the
//! tension
//!
//! ```text
//! H = T(z) + B_s zdot = E max(y, 0) + B_d ydot,
//! ```
//!
//! with T such that both springs together have the static stiffness EA, and E = alpha + beta T (Hall,
//! Duong, Lozon 2023, IOWTC2023-119524, eq. 2 and 14). A rope does not push: its dynamic spring is slack
//! below y = 0, while z recovers.
//!
//! Over a step of length h both pairs have the same mean tension, with theta = 1/(1 - e^-x) - 1/x of
//! x = h (E + T')/(B_s + B_d): T at z0 + theta (z1 - z0), and the dynamic spring the mean of the tensions
//! that it runs through, weighted likewise. So z is exact where the strain changes at a constant rate,
//! whatever h is, and of second order else; with beta = 0 no step gains energy.

use std::ops::{Add, Div, Mul, Sub};

/// What a viscoelastic type has beside EA and BA: EA is its static stiffness, BA the damping B_s of the static pair.
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
    /// The slow part and the strain, one per segment; empty at rest.
    pub strains: &'a [[f64; 2]],
    /// Time since then; infinite at rest.
    pub since: f64,
}

impl Slow<'_> {
    /// At rest, where the static stiffness holds.
    pub const AT_REST: Slow<'static> = Slow { strains: &[], since: f64::INFINITY };

    /// Of a segment.
    #[inline]
    pub(super) fn of(&self, segment: usize) -> [f64; 2] {
        self.strains.get(segment).copied().unwrap_or([0.0, -1.0])
    }
}

/// The static pair and what [`Viscoelastic`] adds, of segments of one length.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pairs {
    /// EA.
    ea: f64,
    /// B_s.
    slow: f64,
    law: Viscoelastic,
}

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
    /// The slow strain there.
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

    /// E at the static tension of a strain of a tenth, at which ropes break.
    pub(super) fn stiffest(&self, ea: f64) -> f64 {
        self.stiffness + self.slope * 0.1 * ea
    }

    /// E at a slow strain, by `z/E_s = 1/EA - 1/E` and `E = alpha + beta E_s z` of the static spring E_s.
    fn dynamic(&self, ea: f64, z: Dual) -> Dual {
        let Viscoelastic { stiffness: alpha, slope: beta, .. } = *self;
        if beta == 0.0 || z.0 <= 0.0 {
            return Dual::of(alpha);
        }
        let sum = Dual::of(alpha + ea) + z * Dual::of(beta * ea);
        (sum + (sum * sum - Dual::of(4.0 * alpha * ea)).sqrt()) * Dual::of(0.5)
    }
}

impl Pairs {
    /// Of a type, with B_s as a segment has it.
    pub(super) fn new(law: Viscoelastic, ea: f64, slow: f64) -> Pairs {
        Pairs { ea, slow, law }
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
    pub(super) fn now(&self, z: Dual, strain: f64, rate: f64) -> (Dual, f64) {
        let Pairs { slow, law: Viscoelastic { damping: fast, .. }, .. } = *self;
        let [dynamic, tension] = self.springs(z);
        let part = Dual::of(slow / (slow + fast));
        let pull = dynamic * (Dual(strain, 1.0) - z).positive();
        let by_rate = part.0 * fast;
        (tension + part * (pull - tension) + Dual::of(by_rate * rate), by_rate)
    }

    /// At rest.
    fn settled(&self, strain: f64) -> Reached {
        let taut = f64::from(u8::from(strain > 0.0));
        let tension = Dual(self.ea * strain, self.ea) * Dual::of(taut);
        let dynamic = Dual::of(self.law.stiffness) + Dual::of(self.law.slope) * tension;
        let slow = tension / Dual::of(self.ea) - tension / dynamic;
        Reached { slow, tension, taut: Dual::of(taut), crosses: false }
    }

    /// The slow strain of a segment at a strain, at the time of `slow` or later.
    pub(super) fn slow(&self, slow: &Slow, segment: usize, strain: f64) -> Dual {
        let [z, from] = slow.of(segment);
        if slow.since > 0.0 { self.step(z, [from, strain], slow.since).slow } else { Dual::of(z) }
    }

    /// The step of length h from a slow strain z and a strain to another strain.
    pub(super) fn step(&self, z: f64, [from, to]: [f64; 2], h: f64) -> Reached {
        if !h.is_finite() {
            return self.settled(to);
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

    /// The step with springs that are linear: `(a + c) dy + D(y1) = T(z0) + a dstrain`, a = theta T' + B_s/h, c = B_d/h, and D the
    /// tension of the dynamic spring.
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
    pub(super) fn energy(&self, z: f64, strain: f64) -> f64 {
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
fn theta(x: f64) -> f64 {
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
    fn positive(self) -> Dual {
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
