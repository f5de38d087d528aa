//! Steps of segments whose slow spring follows the curves of Syrope, and their energy; a state has
//! x, the strain at which the rope would be at rest, and the largest tension.

use super::syrope::Curves;
use super::viscoelastic::{Dual, Pairs, Reached, theta};

/// Change of the slow strain up to which curves count as straight: means would lose too many digits
/// by the division.
const SHORT: f64 = 1e-8;

/// Change of a strain of order one at which its iteration ends.
const CLOSE: f64 = 1e-14;

/// Most iterations for a strain, of which half would do by bisection.
const ITERATIONS: u32 = 100;

/// A segment with curves, where its slow spring is.
#[derive(Clone, Copy)]
struct At {
    /// x.
    x: Dual,
    /// T.
    tension: Dual,
    /// The slow strain.
    z: Dual,
}

impl Pairs<'_> {
    /// E and the strain s at which the linear dynamic spring begins: T + E (y - y(T)) = E (y - s).
    fn fast_spring(&self, tension: Dual) -> [Dual; 2] {
        let (alpha, beta) = (Dual::of(self.law.stiffness), Dual::of(self.law.slope));
        let tension = tension.positive();
        let e = alpha + beta * tension;
        [e, self.stretch(tension) - tension / e]
    }

    /// The strain of the dynamic spring at a tension: ln(1 + beta T/alpha)/beta.
    fn stretch(&self, tension: Dual) -> Dual {
        let (alpha, beta) = (self.law.stiffness, self.law.slope);
        let stretch = match tension.0 > 0.0 && beta > 0.0 {
            true => (beta / alpha * tension.0).ln_1p() / beta,
            false => tension.0 / alpha,
        };
        Dual(stretch, tension.1 / (alpha + beta * tension.0.max(0.0)))
    }

    fn at(&self, curves: &Curves, x: Dual, largest: f64) -> At {
        let (tension, slope) = curves.tension(x.0, largest);
        let tension = Dual(tension, slope * x.1);
        At { x, tension, z: x - self.stretch(tension) }
    }

    /// The integral of T over the slow strain: that over x, less that of T/(alpha + beta T) over T.
    fn slow_work(&self, curves: &Curves, [from, to]: [&At; 2], largest: f64) -> f64 {
        let (alpha, beta) = (self.law.stiffness, self.law.slope);
        let [a, b] = [from, to].map(|at| at.tension.0.max(0.0));
        let (d, e) = (b - a, alpha + beta * a);
        let u = beta * d / e;
        let curved = match u.abs() > 1e-3 {
            true => alpha / (beta * beta) * (u - u.ln_1p()),
            false => alpha * (d / e).powi(2) * (0.5 - u * (1.0 / 3.0 - u * (0.25 - 0.2 * u))),
        };
        let [below, above] = [from, to].map(|at| at.tension.0.min(0.0));
        let fast = a * d / e + curved + 0.5 * (above - below) * (above + below) / alpha;
        curves.work(from.x.0, to.x.0, largest) - fast
    }

    /// T at x.
    pub(super) fn curve_tension(&self, curves: &Curves, x: Dual, largest: f64) -> Dual {
        self.at(curves, x, largest).tension
    }

    /// The slow strain at x.
    pub(super) fn curve_slow_strain(&self, curves: &Curves, x: f64, largest: f64) -> f64 {
        self.at(curves, Dual::of(x), largest).z.0
    }

    /// x at a slow strain.
    pub(super) fn at_slow_strain(&self, curves: &Curves, z: f64, largest: f64) -> f64 {
        root(z, |x| self.at(curves, x, largest).z - Dual::of(z)).0
    }

    /// Elastic energy per unstretched length: that which the working curve gives back, and that of
    /// the dynamic spring.
    pub(super) fn curve_energy(&self, curves: &Curves, [x, largest]: [f64; 2], strain: f64) -> f64 {
        let at = self.at(curves, Dual::of(x), largest);
        let [e, s] = self.fast_spring(at.tension);
        let start = self.at(curves, Dual::of(curves.start(largest)), largest);
        0.5 * e.0 * (strain - at.z.0 - s.0).max(0.0).powi(2) + self.slow_work(curves, [&start, &at], largest)
    }

    /// H where the slow spring is at x, at a rate of the strain, and dH by this rate.
    pub(super) fn curve_now(&self, curves: &Curves, (x, largest): (Dual, f64), strain: f64, rate: f64) -> (Dual, f64) {
        let at = self.at(curves, x, largest);
        let [e, s] = self.fast_spring(at.tension);
        self.tension_now(at.tension, e * (Dual(strain, 1.0) - at.z - s).positive(), rate)
    }

    /// At rest, where T and the dynamic spring have the same tension.
    pub(super) fn curve_settled(&self, curves: &Curves, strain: f64, largest: f64) -> Reached {
        let start = curves.start(largest);
        let x = if strain > start { Dual(strain, 1.0) } else { Dual::of(start) };
        let tension = self.at(curves, x, largest).tension;
        let taut = Dual::of(f64::from(u8::from(strain > start)));
        Reached { slow: x, tension, taut, crosses: false }
    }

    /// The step of length h from x and a strain to another strain:
    ///
    /// ```text
    /// Tm + B_s/h dz = Dm + B_d/h dy,   dz + dy = dstrain,
    /// ```
    ///
    /// with the means Tm and Dm of the tensions that both springs run through, weighed with 2 - 2
    /// theta, and those at the end, with 2 theta - 1. The left side rises with the slow strain, the
    /// right side falls: there is one solution. The dynamic spring is linear, as it is at the
    /// tension at the start, then at the mean of start and end.
    pub(super) fn curve_step(&self, curves: &Curves, [x, from, largest]: [f64; 3], to: f64, h: f64) -> Reached {
        let start = self.at(curves, Dual::of(x), largest);
        let slope = curves.tension(x, largest).1;
        let [e, _] = self.fast_spring(start.tension);
        // dT/dz by dz = dx - dT/E.
        let rate = (e.0 + slope / (1.0 - slope / e.0)) / (self.slow + self.law.damping);
        let step = CurveStep { pairs: self, curves, start, from, largest, h, theta: theta(h * rate) };
        let reached = step.solve(x, start.tension, to);
        if self.law.slope == 0.0 {
            return reached;
        }
        let end = self.at(curves, reached.slow, largest).tension;
        step.solve(reached.slow.0, Dual::of(0.5) * (start.tension + end), to)
    }
}

/// A step of a segment with curves.
struct CurveStep<'a> {
    pairs: &'a Pairs<'a>,
    curves: &'a Curves<'a>,
    start: At,
    from: f64,
    largest: f64,
    h: f64,
    theta: f64,
}

impl CurveStep<'_> {
    /// From a first x, with the dynamic spring as it is at a tension.
    fn solve(&self, first: f64, mean: Dual, to: f64) -> Reached {
        let spring = self.pairs.fast_spring(mean);
        let frozen = spring.map(|number| Dual::of(number.0));
        let (x, slope) = root(first, |x| self.balance(x, Dual::of(to), &frozen).0);
        // dx/dto by the implicit function theorem.
        let by_end = self.balance(Dual::of(x), Dual(to, 1.0), &spring).0.1;
        let x = Dual(x, -by_end / slope);
        let (_, tension, taut, crosses) = self.balance(x, Dual(to, 1.0), &spring);
        Reached { slow: x, tension, taut, crosses }
    }

    /// The left side less the right one where x is reached, the left side, and the secant of the
    /// dynamic spring.
    fn balance(&self, x: Dual, to: Dual, [e, s]: &[Dual; 2]) -> (Dual, Dual, Dual, bool) {
        let CurveStep { pairs, start, from, h, theta, .. } = self;
        let [end, mean] = [2.0 * theta - 1.0, 2.0 - 2.0 * theta].map(Dual::of);
        let reached = self.pairs.at(self.curves, x, self.largest);
        let dz = reached.z - start.z;
        let path = match dz.0.abs() <= SHORT {
            true => Dual::of(0.5) * (start.tension + reached.tension),
            false => {
                let mean = pairs.slow_work(self.curves, [start, &reached], self.largest) / dz.0;
                Dual(mean, (reached.tension.0 - mean) / dz.0 * dz.1)
            }
        };
        let left = end * reached.tension + mean * path + Dual::of(pairs.slow / h) * dz;
        let dy = to - Dual::of(*from) - dz;
        let y0 = Dual::of(from - start.z.0) - *s;
        let y1 = y0 + dy;
        let stretched = [y0, y1].map(Dual::positive);
        let crosses = (y0.0 > 0.0) != (y1.0 > 0.0);
        let (path, taut) = match crosses {
            false => (Dual::of(0.5) * (stretched[0] + stretched[1]), Dual::of(f64::from(u8::from(y0.0 > 0.0)))),
            true => {
                let taut = (stretched[1] - stretched[0]) / dy;
                (Dual::of(0.5) * (stretched[0] + stretched[1]) * taut, taut)
            }
        };
        let right = *e * (end * stretched[1] + mean * path) + Dual::of(pairs.law.damping / h) * dy;
        (left - right, left, taut, crosses)
    }
}

/// Where a rising function is zero, from a first guess, and its slope there: Newton's iteration,
/// and bisection where it would leave what is known.
fn root(first: f64, function: impl Fn(Dual) -> Dual) -> (f64, f64) {
    let (mut x, mut slope) = (first, 1.0);
    let [mut low, mut high] = [f64::NEG_INFINITY, f64::INFINITY];
    for _ in 0..ITERATIONS {
        let found = function(Dual(x, 1.0));
        slope = found.1;
        if found.0 < 0.0 {
            low = x
        } else {
            high = x
        }
        let mut next = x - found.0 / found.1;
        if !(next > low && next < high) && low.is_finite() && high.is_finite() {
            next = 0.5 * (low + high);
        }
        let change = (next - x).abs();
        x = next;
        if change.is_nan() || change <= CLOSE * (1.0 + x.abs()) {
            break;
        }
    }
    (x, slope)
}
