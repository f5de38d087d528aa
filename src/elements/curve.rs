//! Tension over length from a table, by monotone interpolation.
//!
//! Cubic Hermite polynomials with slopes m_i between the points, straight lines with the slopes of
//! the ends beyond them: the first derivative, which Newton's iteration needs, is continuous
//! everywhere. With the secants d_i of the intervals the slopes are those of parabolas through
//! three neighbouring points, reduced where alpha = m_i/d_i and beta = m_{i+1}/d_i are outside the
//! circle alpha^2 + beta^2 = 9: then the cubic is monotone (Fritsch, Carlson 1980, SIAM J. Numer.
//! Anal. 17, 238, sect. 4). A dip between the points would be a negative stiffness that the table
//! does not have. For the same reason the forces of the table must not decrease.

use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;

/// Lengths that differ by less than this part of them have no secant: the difference of their
/// tensions has lost half of its digits.
pub const SHORT: f64 = 1e-8;

/// A table and its interpolation.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    lengths: Vec<f64>,
    forces: Vec<f64>,
    /// Slope at each point.
    slopes: Vec<f64>,
    /// Integral from the first point to each.
    energies: Vec<f64>,
    /// The greatest length without tension; the first one of the table if there is none.
    free_length: f64,
    /// Integral from the first point to the free length.
    free_energy: f64,
    /// Largest slope of all.
    steepest: f64,
}

/// Tension, its slope and its integral at one length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    /// Tension.
    pub force: f64,
    /// Its derivative by the length.
    pub slope: f64,
    /// Its integral from the greatest length without tension.
    pub energy: f64,
}

impl Curve {
    /// From the points of a table. Errors: lengths and forces of different number, fewer than two;
    /// not finite; a length that is negative or not above the one before; a force below the one
    /// before.
    pub fn new(lengths: Vec<f64>, forces: Vec<f64>) -> Result<Curve> {
        if let Some(first) = lengths.first().filter(|first| first.is_finite() && **first < 0.0) {
            return Err(Error::bad_value("lengths", format!("lengths[0] = {} is negative", Number(*first))));
        }
        Curve::through(["lengths", "forces"], lengths, forces)
    }

    /// The same where numbers in the place of lengths may be negative, as rates are; with the names
    /// of both arguments.
    pub fn through(names: [&'static str; 2], lengths: Vec<f64>, forces: Vec<f64>) -> Result<Curve> {
        let n = lengths.len();
        if n < 2 {
            return Err(Error::BadSize { argument: "n", given: n as i64, expected: "at least 2 points".into() });
        }
        if forces.len() != n {
            let expected = format!("{n}, one per length");
            return Err(Error::BadSize { argument: names[1], given: forces.len() as i64, expected });
        }
        check_finite(names[0], &lengths)?;
        check_finite(names[1], &forces)?;
        let entry = |name: &str, values: &[f64], k: usize| format!("{name}[{k}] = {}", Number(values[k]));
        for k in 1..n {
            if lengths[k] <= lengths[k - 1] {
                let (this, former) = (entry(names[0], &lengths, k), entry(names[0], &lengths, k - 1));
                return Err(Error::bad_value(names[0], format!("{this} is not more than {former}: they must rise")));
            }
            if forces[k] < forces[k - 1] {
                let (this, former) = (entry(names[1], &forces, k), entry(names[1], &forces, k - 1));
                let detail = format!("{this} is less than {former}: a force that falls is no stable spring");
                return Err(Error::bad_value(names[1], detail));
            }
        }
        let slopes = slopes(&lengths, &forces);
        if let Some(k) = slopes.iter().position(|slope| !slope.is_finite()) {
            let detail = format!("the slope at {} is too large for a double", entry(names[1], &forces, k));
            return Err(Error::bad_value(names[1], detail));
        }
        let mut energies = vec![0.0; n];
        let mut curve =
            Curve { lengths, forces, slopes, energies: Vec::new(), free_length: 0.0, free_energy: 0.0, steepest: 0.0 };
        for k in 1..n {
            energies[k] = energies[k - 1] + curve.piece(k - 1, curve.lengths[k]).energy;
        }
        curve.energies = energies;
        curve.steepest = (0..n - 1).map(|k| curve.steepest_of(k)).fold(0.0, f64::max);
        curve.free_length = curve.last_without_tension();
        curve.free_energy = curve.value_from_first(curve.free_length).energy;
        Ok(curve)
    }

    /// Bytes of a table with a number of points.
    pub fn memory(points: usize) -> usize {
        // Lengths, forces, slopes, energies.
        points.saturating_mul(4 * size_of::<f64>())
    }

    /// Lengths and forces of the table.
    pub fn points(&self) -> [&[f64]; 2] {
        [&self.lengths, &self.forces]
    }

    /// The greatest length without tension; the first one of the table if there is none.
    pub fn free_length(&self) -> f64 {
        self.free_length
    }

    /// The largest slope.
    pub fn steepest(&self) -> f64 {
        self.steepest
    }

    /// Whether it is one straight line, to rounding.
    pub fn is_straight(&self) -> bool {
        let is_same = |slope: f64| (slope - self.steepest).abs() <= SHORT * self.steepest;
        let steps = self.lengths.windows(2).zip(self.forces.windows(2));
        self.slopes.iter().all(|slope| is_same(*slope))
            && steps.into_iter().all(|(x, f)| is_same((f[1] - f[0]) / (x[1] - x[0])))
    }

    /// At a length.
    #[inline]
    pub fn at(&self, length: f64) -> Value {
        let value = self.value_from_first(length);
        Value { energy: value.energy - self.free_energy, ..value }
    }

    /// The mean of the tension between two lengths, and its derivative by the second.
    pub fn mean(&self, from: f64, to: f64) -> [f64; 2] {
        let (low, high) = (from.min(to), from.max(to));
        let first = self.lengths.partition_point(|point| *point <= low);
        let inside = &self.lengths[first..self.lengths.partition_point(|point| *point < high).max(first)];
        let middle = 0.5 * (from + to);
        // Gauss' two places: exact for the cubic of one piece.
        let places = |low: f64, high: f64| [-0.5, 0.5].map(|x| 0.5 * (low + high) + (high - low) * (x / 3.0f64.sqrt()));
        if inside.is_empty() {
            let values = places(from, to).map(|length| self.at(length));
            let weight = 0.5 / 3.0f64.sqrt();
            let mean = 0.5 * (values[0].force + values[1].force);
            return [mean, 0.5 * ((0.5 - weight) * values[0].slope + (0.5 + weight) * values[1].slope)];
        }
        let (mut sum, mut here) = (0.0, low);
        for next in inside.iter().copied().chain([high]) {
            sum += (next - here) * places(here, next).map(|length| 0.5 * self.at(length).force).iter().sum::<f64>();
            here = next;
        }
        let mean = sum / (high - low);
        // Of lengths that are nearly equal the difference of tensions is rounding.
        let slope = match high - low > SHORT * high {
            true => ((self.at(to).force - mean) / (to - from)).clamp(0.0, self.steepest),
            false => 0.5 * self.at(middle).slope,
        };
        [mean, slope]
    }

    /// The same with the integral from the first point.
    fn value_from_first(&self, length: f64) -> Value {
        // The interval that begins at the last point not beyond `length`.
        let after = self.lengths.partition_point(|point| *point <= length);
        match after {
            0 => self.line(0, length),
            after if after == self.lengths.len() => self.line(after - 1, length),
            after => {
                let value = self.piece(after - 1, length);
                Value { energy: self.energies[after - 1] + value.energy, ..value }
            }
        }
    }

    /// The straight line through an end point.
    fn line(&self, k: usize, length: f64) -> Value {
        let (x, slope) = (length - self.lengths[k], self.slopes[k]);
        let rise = slope * x;
        Value { force: self.forces[k] + rise, slope, energy: self.energies[k] + x * (self.forces[k] + 0.5 * rise) }
    }

    /// The cubic from point k to the next, and its integral from point k.
    fn piece(&self, k: usize, length: f64) -> Value {
        let h = self.lengths[k + 1] - self.lengths[k];
        let [b, c] = self.coefficients(k);
        let (f, m) = (self.forces[k], self.slopes[k]);
        let x = length - self.lengths[k];
        let s = x / h;
        // f + x (m + s (b + s c)): b and c are slopes.
        Value {
            force: f + x * (m + s * (b + s * c)),
            slope: m + s * (2.0 * b + s * 3.0 * c),
            energy: x * (f + x * (m / 2.0 + s * (b / 3.0 + s * c / 4.0))),
        }
    }

    /// b and c of `f + x (m + s (b + s c))`, s from 0 to 1.
    fn coefficients(&self, k: usize) -> [f64; 2] {
        let secant = (self.forces[k + 1] - self.forces[k]) / (self.lengths[k + 1] - self.lengths[k]);
        let (here, there) = (self.slopes[k], self.slopes[k + 1]);
        // As differences, which vanish on a straight line up to rounding.
        let (rise, fall) = (secant - here, there - secant);
        [2.0 * rise - fall, fall - rise]
    }

    /// The largest slope between point k and the next: at one of them, or where its derivative is
    /// zero.
    fn steepest_of(&self, k: usize) -> f64 {
        let [b, c] = self.coefficients(k);
        let s = (-b / (3.0 * c)).clamp(0.0, 1.0);
        let inside = self.slopes[k] + s * (2.0 * b + s * 3.0 * c);
        // NaN if the slope does not change.
        [self.slopes[k], self.slopes[k + 1], inside].into_iter().fold(0.0, f64::max)
    }

    /// The greatest length without tension, by bisection; on the straight lines by their slopes.
    fn last_without_tension(&self) -> f64 {
        let last = self.lengths.len() - 1;
        let zero_of_line = |k: usize| match self.slopes[k] > 0.0 {
            true => self.lengths[k] - self.forces[k] / self.slopes[k],
            false => self.lengths[k],
        };
        if self.forces[0] > 0.0 {
            return zero_of_line(0);
        }
        if self.forces[last] <= 0.0 {
            return zero_of_line(last);
        }
        let k = self.forces.partition_point(|force| *force <= 0.0) - 1;
        let (mut without, mut with) = (self.lengths[k], self.lengths[k + 1]);
        loop {
            let middle = without + (with - without) / 2.0;
            if middle <= without || middle >= with {
                return without;
            }
            if self.piece(k, middle).force <= 0.0 { without = middle } else { with = middle }
        }
    }
}

/// Slopes that make the interpolation monotone.
fn slopes(lengths: &[f64], forces: &[f64]) -> Vec<f64> {
    let n = lengths.len();
    let step = |k: usize| lengths[k + 1] - lengths[k];
    let secant = |k: usize| (forces[k + 1] - forces[k]) / step(k);
    // The parabola through point k and its neighbours; at an end through the nearest three, if it
    // increases there.
    let inner = |k: usize| {
        let weight = step(k) / (step(k - 1) + step(k));
        secant(k) + (secant(k - 1) - secant(k)) * weight
    };
    let outer = |near: usize, far: usize| {
        let weight = step(near) / (step(near) + step(far));
        (secant(near) + (secant(near) - secant(far)) * weight).max(0.0)
    };
    let mut slopes: Vec<f64> = (0..n)
        .map(|k| match k {
            _ if n == 2 => secant(0),
            0 => outer(0, 1),
            k if k == n - 1 => outer(n - 2, n - 3),
            k => inner(k),
        })
        .collect();
    for k in 0..n - 1 {
        let secant = secant(k);
        if secant == 0.0 {
            (slopes[k], slopes[k + 1]) = (0.0, 0.0);
            continue;
        }
        let size = (slopes[k] / secant).hypot(slopes[k + 1] / secant);
        if size > 3.0 {
            slopes[k] *= 3.0 / size;
            slopes[k + 1] *= 3.0 / size;
        }
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Flat, gentle and steep parts with uneven lengths, where three-point slopes alone would
    /// overshoot.
    fn uneven() -> Curve {
        let lengths = vec![0.5, 1.0, 1.1, 2.0, 4.0, 4.5, 7.0];
        Curve::new(lengths, vec![-3.0, -3.0, 0.5, 0.6, 9.0, 9.0, 9.25]).unwrap()
    }

    /// Lengths from below to beyond the table.
    fn samples() -> impl Iterator<Item = f64> {
        (0..=8000).map(|k| k as f64 * 1e-3)
    }

    #[test]
    fn goes_through_its_points_and_never_falls() {
        let curve = uneven();
        let [lengths, forces] = curve.points();
        for (length, force) in lengths.iter().zip(forces) {
            assert_eq!(curve.at(*length).force, *force);
        }
        let values: Vec<Value> = samples().map(|length| curve.at(length)).collect();
        // Rounding of forces up to 9.
        assert!(values.windows(2).all(|pair| pair[1].force >= pair[0].force - 1e-14));
        assert!(values.iter().all(|value| value.slope >= -1e-14 && value.slope <= curve.steepest() * (1.0 + 1e-14)));
        // It is reached: slopes of neighbouring samples differ by |T''| 1e-3, with |T''| below 6 *
        // steepest / shortest interval.
        let largest = values.iter().map(|value| value.slope).fold(0.0, f64::max);
        assert!(largest > curve.steepest() * (1.0 - 6.0 * 1e-3 / 0.1), "{largest} {}", curve.steepest());
    }

    #[test]
    fn slope_is_the_derivative_and_energy_the_integral_everywhere() {
        let (curve, h) = (uneven(), 1e-6);
        for length in samples().map(|length| length + 0.5e-3) {
            let [before, here, after] = [-h, 0.0, h].map(|x| curve.at(length + x));
            // Central differences: h^2/6 T''' and rounding 1e-15 * 9 / h; T''' below 12 * 40 /
            // 0.1^2.
            let slope = (after.force - before.force) / (2.0 * h);
            assert!((slope - here.slope).abs() < 1e-7, "at {length}: {slope} {}", here.slope);
            let force = (after.energy - before.energy) / (2.0 * h);
            assert!((force - here.force).abs() < 1e-7, "at {length}: {force} {}", here.force);
        }
    }

    #[test]
    fn mean_is_the_secant_of_the_energy_and_its_slope_the_derivative() {
        let curve = uneven();
        let lengths = [0.2, 0.6, 1.02, 1.05, 1.1, 1.7, 3.0, 4.2, 4.6, 7.5];
        for from in lengths {
            for to in lengths.into_iter().filter(|to| *to != from) {
                let [mean, slope] = curve.mean(from, to);
                // Energies up to 60, over 0.03 and more.
                let secant = (curve.at(to).energy - curve.at(from).energy) / (to - from);
                assert!((mean - secant).abs() < 1e-12, "{from} {to}: {mean} {secant}");
                // Central differences: H'' h, where a piece begins at `to`; H'' below 12 * 40 /
                // 0.1^2.
                let h = 1e-8;
                let difference = (curve.mean(from, to + h)[0] - curve.mean(from, to - h)[0]) / (2.0 * h);
                assert!((slope - difference).abs() < 1e-3 + 1e-13 / h, "{from} {to}: {slope} {difference}");
            }
            let [mean, slope] = curve.mean(from, from);
            assert!((mean - curve.at(from).force).abs() < 1e-13 && (slope - 0.5 * curve.at(from).slope).abs() < 1e-12);
        }
    }

    #[test]
    fn slope_has_no_jump_at_the_points() {
        let curve = uneven();
        for length in curve.points()[0] {
            let (below, above) = (curve.at(length * (1.0 - 1e-12)), curve.at(length * (1.0 + 1e-12)));
            // T'' * 1e-11.
            assert!((above.slope - below.slope).abs() < 1e-7, "at {length}: {} {}", below.slope, above.slope);
        }
    }

    #[test]
    fn energy_counts_from_the_length_without_tension() {
        let curve = uneven();
        let free = curve.free_length();
        assert!(curve.at(free).force <= 0.0 && curve.at(free * (1.0 + 1e-15)).force > 0.0);
        assert_eq!(curve.at(free).energy, 0.0);
        // All forces positive, all negative, all zero: on the straight lines, or nowhere.
        let free = |forces: [f64; 2]| Curve::new(vec![2.0, 3.0], forces.into()).unwrap().free_length();
        assert_eq!(
            [free([1.0, 3.0]), free([-4.0, -1.0]), free([5.0, 5.0]), free([0.0, 0.0])],
            [1.5, 10.0 / 3.0, 2.0, 3.0]
        );
    }

    #[test]
    fn a_straight_table_is_a_straight_line_to_rounding() {
        let (stiffness, rest) = (7.3, 1.9);
        let lengths = vec![0.1, 0.7, 2.2, 2.3, 9.0];
        let forces = lengths.iter().map(|length| stiffness * (length - rest)).collect();
        let curve = Curve::new(lengths, forces).unwrap();
        assert!((curve.steepest() - stiffness).abs() < 1e-14 * 10.0 * stiffness, "{}", curve.steepest());
        for length in samples() {
            let (value, extension) = (curve.at(length), length - rest);
            // Forces up to 50, energies up to 180; secants over 0.1 lose two digits.
            assert!((value.force - stiffness * extension).abs() < 1e-13, "{length}");
            assert!((value.slope - stiffness).abs() < 1e-13, "{length}");
            assert!((value.energy - 0.5 * stiffness * extension * extension).abs() < 1e-12, "{length}");
        }
    }

    #[test]
    fn refusals_name_the_point() {
        let refusal =
            |lengths: &[f64], forces: &[f64]| Curve::new(lengths.into(), forces.into()).unwrap_err().to_string();
        for (lengths, forces, says) in [
            (&[1.0][..], &[1.0][..], "n = 1, expected at least 2"),
            (&[1.0, 2.0], &[1.0], "forces = 1, expected 2"),
            (&[1.0, 2.0, 2.0], &[1.0, 2.0, 3.0], "lengths[2] = 2 is not more than lengths[1] = 2"),
            (&[1.0, 3.0, 2.0], &[1.0, 2.0, 3.0], "lengths[2] = 2 is not more than lengths[1] = 3"),
            (&[-0.5, 2.0], &[1.0, 2.0], "lengths[0] = -0.5 is negative"),
            (&[0.5, 2.0, 3.0], &[1.0, 0.75, 3.0], "forces[1] = 0.75 is less than forces[0] = 1"),
            (&[0.5, f64::NAN], &[1.0, 2.0], "lengths[1] = NaN is not finite"),
            (&[0.5, 1.0], &[1.0, f64::INFINITY], "forces[1] = inf is not finite"),
            (&[0.0, 5e-324], &[0.0, 1e300], "slope at forces[0] = 0 is too large"),
        ] {
            let found = refusal(lengths, forces);
            assert!(found.contains(says), "{found}");
        }
    }
}
