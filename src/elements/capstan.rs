//! Friction of a rope at eyes and on sheaves (Euler 1762, Eytelwein 1808).
//!
//! Points with friction cut a tendon into runs of lengths L_j, each with unstretched rope l_j and
//! one tension T_j = EA x_j, x_j = (L_j/l_j - 1) or 0 where it is slack. Where the rope turns by
//! the angle w, it holds while the tensions of both sides differ by at most the factor exp(mu w);
//! else rope slips towards the larger tension, just so much that they differ by this factor. In a
//! rope without mass this is no motion in time but a condition on l at given L, solved from the l
//! of the last step.
//!
//! A sheave that turns carries rope from one run to the other. Where it moves the length d past the
//! middle of the wrap, at which runs are divided, with D the rope that goes into the next run and
//! x the mean of the strains of both at the end of the step,
//!
//! ```text
//! D = d/(1 + x) + s,   |ln(T_(k+1)/T_k)| <= mu w,   s (T_(k+1) - T_k) >= 0,   s = 0 below the limit.
//! ```
//!
//! No energy comes of that at any step. Phi = sum EA (L_j - l_j)^2/(2 l_j) is convex in L and l,
//! with dPhi/dL = T and dPhi/dl = -chi, chi = T + T^2/(2 EA), so that tensions at the end do at
//! most the work that Phi loses, but for D (chi_(k+1) - chi_k) - d (T_(k+1) - T_k) at each point,
//! which it dissipates. That is (1 + x) s (T_(k+1) - T_k): nothing where rope holds.

use super::MOST_NODES;

/// Most sweeps over the points with friction; those of one point are exact.
const SWEEPS: usize = 400;

/// Sweeps before the first Newton step of all points at once; one and a half times as many before
/// each further one, because sweeps find which points slip.
const SWEEPS_BEFORE: usize = 4;

/// Own variables of each point: the unstretched rope from there to the last point, the mark on the
/// sheave, and the energy that it has dissipated.
pub const OWN: usize = 3;

/// Rounding of what goes over, as part of the rope on both sides.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Part of a diagonal below which a pivot is zero.
const SINGULAR: f64 = 1e-12;

/// Largest exponent of a limit, whose square is a number.
const MOST_EXPONENT: f64 = 300.0;

/// One number per run, or per point after each run but the last.
pub type PerRun = [f64; MOST_NODES];

/// What a point does.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Grip {
    Holds,
    /// Slips into the next run.
    Onwards,
    /// Slips back.
    Back,
}

/// The runs of a tendon after slipping.
#[derive(Debug, Clone, Copy)]
pub struct Runs {
    ea: f64,
    count: usize,
    /// L.
    lengths: PerRun,
    /// l.
    pub rope: PerRun,
    /// d.
    carried: PerRun,
    /// exp(mu w).
    pub limits: PerRun,
    /// D.
    pub moved: PerRun,
    grips: [Grip; MOST_NODES],
    /// Whether x may be negative.
    pushes: bool,
}

/// The condition of a point on D: what is left of it, and its derivatives.
#[derive(Clone, Copy, Default)]
struct Condition {
    left: f64,
    /// By D of the point before, of its own, and of the next one.
    bands: [f64; 3],
    /// By L of both sides.
    lengths: [f64; 2],
    /// By d.
    carried: f64,
    /// By the logarithm of the limit.
    limit: f64,
}

impl Condition {
    /// Adds a weight times the tension of a side, with its slopes by length and rope.
    fn add(&mut self, side: usize, slopes: [f64; 2], weight: f64) {
        let [by_length, by_rope] = slopes.map(|slope| slope * weight);
        self.lengths[side] += by_length;
        // A run gains D of the point before it, and loses that of the point behind it.
        self.bands[side] += by_rope;
        self.bands[side + 1] -= by_rope;
    }
}

impl Runs {
    /// Slips from unstretched lengths at the start of a step. `lengths` are those to places of
    /// division that move with the sheaves, `carried` is how far these have come past the middles
    /// of the wraps, and `exponents` are mu w.
    pub fn slide(ea: f64, lengths: &[f64], rope: &PerRun, carried: &PerRun, exponents: &PerRun) -> Runs {
        let mut own = Runs::held(ea, lengths, rope);
        own.pushes = false;
        for k in 0..own.count - 1 {
            own.lengths[k] -= carried[k];
            own.lengths[k + 1] += carried[k];
            own.limits[k] = exponents[k].min(MOST_EXPONENT).exp();
        }
        own.carried = *carried;
        let mut next = SWEEPS_BEFORE;
        for sweep in 1..=SWEEPS {
            let mut still = true;
            for k in 0..own.count - 1 {
                still &= !own.balance(k);
            }
            if still {
                break;
            }
            if sweep == next {
                own.correct();
                next += next / 2;
            }
        }
        own
    }

    /// Runs that hold everywhere and push, too, with linear laws.
    pub fn held(ea: f64, lengths: &[f64], rope: &PerRun) -> Runs {
        let (zeros, grips) = ([0.0; MOST_NODES], [Grip::Holds; MOST_NODES]);
        let mut own = Runs {
            ea,
            count: lengths.len(),
            lengths: zeros,
            rope: *rope,
            carried: zeros,
            limits: [1.0; MOST_NODES],
            moved: zeros,
            grips,
            pushes: true,
        };
        own.lengths[..lengths.len()].copy_from_slice(lengths);
        own
    }

    fn strain(&self, j: usize) -> f64 {
        let strain = self.lengths[j] / self.rope[j] - 1.0;
        match self.pushes {
            // NaN, which ends an iteration, where no rope is left.
            _ if self.rope[j] <= 0.0 => f64::NAN,
            true => strain,
            false => strain.max(0.0),
        }
    }

    /// That of the runs on both sides of a point.
    fn mean_strain(&self, k: usize) -> f64 {
        0.5 * (self.strain(k) + self.strain(k + 1))
    }

    /// T_j.
    pub fn tension(&self, j: usize) -> f64 {
        self.ea * self.strain(j)
    }

    /// The unstretched length of the run `high` where its tension is the limit times that of the
    /// run `low`, with so much rope in both.
    fn at_limit(&self, k: usize, low: usize, high: usize, both: f64) -> f64 {
        let (a, b, limit) = (self.lengths[low], self.lengths[high], self.limits[k]);
        if a + b <= both {
            // Slack: at the end of its tension.
            return b;
        }
        // a/(1 + x) + b/(1 + limit x) = both, x the smaller strain.
        let (square, linear, constant) = (both * limit, both * (1.0 + limit) - limit * a - b, both - a - b);
        let root = (linear * linear - 4.0 * square * constant).sqrt();
        let x = if linear > 0.0 { -2.0 * constant / (linear + root) } else { (root - linear) / (2.0 * square) };
        b / (1.0 + limit * x)
    }

    /// Lets as little rope slip at one point as its limits need, with all else held. Returns
    /// whether this has changed.
    fn balance(&mut self, k: usize) -> bool {
        let (both, last) = (self.rope[k] + self.rope[k + 1], self.moved[k]);
        let held = [self.rope[k] + last, self.rope[k + 1] - last];
        // Not more than the run has.
        let rope = 0.9 * held[usize::from(self.carried[k] < 0.0)].max(0.0);
        let kept = (self.carried[k] / (1.0 + self.mean_strain(k))).max(-rope).min(rope);
        let least = self.at_limit(k, k, k + 1, both) - held[1];
        let most = held[0] - self.at_limit(k, k + 1, k, both);
        let within = ROUNDING * both;
        let (moved, grip) = match () {
            () if kept < least - within => (least, Grip::Onwards),
            () if kept > most.max(least) + within => (most.max(least), Grip::Back),
            () => (kept, Grip::Holds),
        };
        let is_other = grip != self.grips[k];
        (self.moved[k], self.grips[k]) = (moved, grip);
        (self.rope[k], self.rope[k + 1]) = (held[0] - moved, held[1] + moved);
        is_other || (moved - last).abs() > within
    }

    /// Derivatives of T_j by L_j and l_j.
    fn slopes(&self, j: usize) -> [f64; 2] {
        if self.pushes || self.strain(j) > 0.0 { self.taut_slopes(j) } else { [0.0; 2] }
    }

    fn taut_slopes(&self, j: usize) -> [f64; 2] {
        let by_length = self.ea / self.rope[j];
        [by_length, -by_length * self.lengths[j] / self.rope[j]]
    }

    /// Where a point slips: the sides of the smaller and the larger tension.
    fn sides(&self, k: usize) -> Option<[usize; 2]> {
        let sides = match self.grips[k] {
            Grip::Holds => return None,
            Grip::Onwards => [k, k + 1],
            Grip::Back => [k + 1, k],
        };
        Some(sides)
    }

    fn condition(&self, k: usize) -> Condition {
        let mut own = Condition::default();
        let Some([low, high]) = self.sides(k) else {
            own.bands[1] = 1.0 + self.mean_strain(k);
            (own.left, own.carried) = (self.moved[k] * own.bands[1] - self.carried[k], -1.0);
            let weight = 0.5 * self.moved[k] / self.ea;
            [k, k + 1].into_iter().for_each(|j| own.add(j - k, self.slopes(j), weight));
            return own;
        };
        // Where both sides are slack, the run of the larger tension is at the end of it.
        own.left = self.ea * (self.lengths[high] / self.rope[high] - 1.0) - self.limits[k] * self.tension(low);
        own.limit = -self.limits[k] * self.tension(low);
        own.add(high - k, self.taut_slopes(high), 1.0);
        own.add(low - k, self.slopes(low), -self.limits[k]);
        own
    }

    /// Changes of D with which the conditions change by `right`.
    fn solve(&self, conditions: &[Condition; MOST_NODES], mut right: PerRun) -> PerRun {
        let points = self.count - 1;
        // Diagonals dominate, but for slack runs into which rope slips from both sides: any part of it
        // does.
        let mut above = [0.0; MOST_NODES];
        for k in 0..points {
            let [before, own, after] = conditions[k].bands;
            let (last, last_above) = if k > 0 { (right[k - 1], above[k - 1]) } else { (0.0, 0.0) };
            let pivot = own - before * last_above;
            let inverse = if pivot.abs() > SINGULAR * own.abs() { 1.0 / pivot } else { 0.0 };
            above[k] = after * inverse;
            right[k] = (right[k] - before * last) * inverse;
        }
        for k in (1..points).rev() {
            right[k - 1] -= above[k - 1] * right[k];
        }
        right
    }

    fn conditions(&self) -> [Condition; MOST_NODES] {
        std::array::from_fn(|k| if k + 1 < self.count { self.condition(k) } else { Condition::default() })
    }

    /// A Newton step of all points at once.
    fn correct(&mut self) {
        let conditions = self.conditions();
        let step = self.solve(&conditions, conditions.map(|condition| -condition.left));
        let change = |j: usize| if j > 0 { step[j - 1] } else { 0.0 } - if j + 1 < self.count { step[j] } else { 0.0 };
        let rope: PerRun = std::array::from_fn(|j| if j < self.count { self.rope[j] + change(j) } else { 0.0 });
        if rope[..self.count].iter().all(|rope| *rope > 0.0) {
            self.rope = rope;
            (0..self.count - 1).for_each(|k| self.moved[k] += step[k]);
        }
    }

    /// Energy of all runs.
    pub fn energy(&self) -> f64 {
        (0..self.count).map(|j| 0.5 * self.tension(j) * (self.lengths[j] - self.rope[j])).sum()
    }

    /// What a point dissipates.
    pub fn loss(&self, k: usize) -> f64 {
        let slip = self.moved[k] * (1.0 + self.mean_strain(k)) - self.carried[k];
        let loss = slip * (self.tension(k + 1) - self.tension(k));
        if self.grips[k] == Grip::Holds { 0.0 } else { loss }
    }

    /// Derivatives of T_j by the given lengths, by d, and by the logarithms of the limits.
    pub fn derivatives(&self) -> [[PerRun; MOST_NODES]; 3] {
        let (conditions, mut found) = (self.conditions(), [[PerRun::default(); MOST_NODES]; 3]);
        for i in 0..self.count {
            let rights: [PerRun; 3] = std::array::from_fn(|kind| {
                std::array::from_fn(|k| match kind {
                    0 if i == k || i == k + 1 => -conditions[k].lengths[i - k],
                    1 if i == k => -conditions[k].carried,
                    2 if i == k => -conditions[k].limit,
                    _ => 0.0,
                })
            });
            for (found, right) in found.iter_mut().zip(rights) {
                let moved = self.solve(&conditions, right);
                for j in 0..self.count {
                    let [_, by_rope] = self.slopes(j);
                    let gained = if j > 0 { moved[j - 1] } else { 0.0 };
                    let lost = if j + 1 < self.count { moved[j] } else { 0.0 };
                    found[j][i] = by_rope * (gained - lost);
                }
            }
            found[0][i][i] += self.slopes(i)[0];
        }
        // Places of division are those of the sheaves, less d.
        let [by_length, by_carried, _] = &mut found;
        for (by_length, by_carried) in by_length.iter().zip(by_carried) {
            (0..self.count - 1).for_each(|k| by_carried[k] += by_length[k + 1] - by_length[k]);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::noise::Noise;

    #[derive(Clone)]
    struct Given {
        lengths: Vec<f64>,
        rope: PerRun,
        carried: PerRun,
        exponents: PerRun,
    }

    impl Given {
        /// `n` runs with strains of up to `strain`, some of which are slack.
        fn random(noise: &mut Noise, n: usize, strain: f64) -> Given {
            let lengths: Vec<f64> = (0..n).map(|_| 2.0 + noise.number()).collect();
            let mut part = || 1.0 + strain * (0.5 + noise.number());
            let rope = std::array::from_fn(|j| lengths.get(j).map_or(0.0, |length| length / part()));
            let carried = std::array::from_fn(|k| if k + 1 < n && k != 1 { 0.02 * noise.number() } else { 0.0 });
            Given { lengths, rope, carried, exponents: std::array::from_fn(|_| 0.4 * noise.number().abs()) }
        }

        fn slide(&self, ea: f64) -> Runs {
            Runs::slide(ea, &self.lengths, &self.rope, &self.carried, &self.exponents)
        }

        /// The work that the tensions do from the lengths that it has at the start, at which places
        /// of division are the middles of the wraps.
        fn work(&self, start: &[f64], runs: &Runs) -> f64 {
            (0..start.len()).map(|j| runs.tension(j) * (start[j] - self.lengths[j])).sum()
        }
    }

    /// No limit is exceeded, rope slips only at limits and towards the larger tension, none is
    /// lost, and tensions do at most the work that the energy gives, less what points dissipate.
    #[test]
    fn rope_slips_at_its_limits_only() {
        let (mut noise, ea, mut slipped) = (Noise(3), 1e3, [0; 3]);
        for n in [2, 3, 5, 8] {
            for strain in [1e-5, 1e-2, 0.5] {
                for _ in 0..2000 {
                    let mut given = Given::random(&mut noise, n, strain);
                    let start = given.lengths.clone();
                    let before = Runs::held(ea, &start, &given.rope);
                    let stored: f64 =
                        (0..n).map(|j| 0.5 * before.tension(j).max(0.0) * (start[j] - given.rope[j])).sum();
                    given.lengths.iter_mut().for_each(|length| *length *= 1.0 + strain * noise.number());
                    let runs = given.slide(ea);
                    let sum = |rope: &PerRun| rope.iter().sum::<f64>();
                    assert!((sum(&runs.rope) - sum(&given.rope)).abs() < 1e-13);
                    let near = 4e-15 * ea;
                    let mut lost = 0.0;
                    for k in 0..n - 1 {
                        let (a, b, limit) = (runs.tension(k), runs.tension(k + 1), given.exponents[k].exp());
                        let near = near * limit * 4.0;
                        assert!(
                            a <= limit * b + near && b <= limit * a + near,
                            "{n} {strain}: {a} {b} {limit} {:e} {:e}",
                            a - limit * b,
                            b - limit * a
                        );
                        let off = match runs.grips[k] {
                            Grip::Holds => 0.0,
                            Grip::Onwards => b - limit * a,
                            Grip::Back => a - limit * b,
                        };
                        assert!(off.abs() < near, "{n} {strain}: {k} {off:e}");
                        slipped[runs.grips[k] as usize] += 1;
                        assert!(runs.loss(k) > -1e-14 * ea * strain, "{:e}", runs.loss(k));
                        lost += runs.loss(k);
                    }
                    let work = given.work(&start, &runs);
                    let gain = runs.energy() + work + lost - stored;
                    assert!(gain < 1e-13 * ea * strain, "{n} {strain}: gain {gain:e}");
                }
            }
        }
        assert!(slipped.iter().all(|count| *count > 9000), "{slipped:?}");
    }

    #[test]
    fn derivatives_of_tensions_are_those_of_differences() {
        let (mut noise, h, mut checked) = (Noise(4), 1e-7, 0);
        for n in [2, 3, 8] {
            for _ in 0..100 {
                let given = Given::random(&mut noise, n, 1e-2);
                let runs = given.slide(1.0);
                let derivatives = runs.derivatives();
                for (kind, i) in (0..3).flat_map(|kind| (0..n).map(move |i| (kind, i))) {
                    let at = |step: f64| {
                        let mut moved = given.clone();
                        match kind {
                            0 => moved.lengths[i] += step,
                            1 => moved.carried[i] += step,
                            _ => moved.exponents[i] += step,
                        }
                        moved.slide(1.0)
                    };
                    if kind > 0 && i + 1 == n {
                        continue;
                    }
                    let (up, down) = (at(h), at(-h));
                    let taut =
                        |runs: &Runs| std::array::from_fn::<bool, MOST_NODES, _>(|j| j < n && runs.strain(j) > 0.0);
                    let turns = |given: f64| (given + h > 0.0) != (given - h > 0.0);
                    let is_kink = [&up, &down].iter().any(|at| at.grips != runs.grips || taut(at) != taut(&runs))
                        || kind == 1 && turns(given.carried[i])
                        || kind == 2 && turns(given.exponents[i]);
                    for j in (0..n).filter(|_| !is_kink) {
                        let slope = (up.tension(j) - down.tension(j)) / (2.0 * h);
                        let found = derivatives[kind][j][i];
                        assert!((slope - found).abs() < 1e-6, "{n}: {kind} {j} {i}: {slope} {found}");
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 10_000, "{checked}");
    }
}
