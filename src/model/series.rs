//! A number over time: a table of times and values, its interpolation, and its two derivatives.
//!
//! Between two rows the value is linear, or the cubic Hermite polynomial of the slopes m_k at the
//! rows. `Cubic` chooses slopes with which the second derivative is continuous: a tridiagonal
//! system (de Boor 1978, A Practical Guide to Splines, ch. IV). `Monotone` chooses harmonic means
//! of the secants, and zero where these differ in sign, so that values do not overshoot those of
//! the table (Fritsch, Butland 1984, SIAM J. Sci. Stat. Comput. 5, 300). The slopes at both ends
//! are zero, or those of the polynomial through the four rows there.

use crate::error::{Error, Result};
use crate::number::Number;
use std::sync::Arc;

/// What is between the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// Straight lines.
    Linear,
    /// A cubic spline with a continuous second derivative.
    Cubic,
    /// A cubic spline with a continuous first derivative, without overshoot.
    Monotone,
}

impl Interpolation {
    /// All of them.
    pub const ALL: [Interpolation; 3] = [Interpolation::Linear, Interpolation::Cubic, Interpolation::Monotone];

    /// Its name in model files.
    pub fn name(self) -> &'static str {
        ["linear", "cubic", "monotone"][self as usize]
    }
}

/// A table with its interpolation.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Rising.
    pub times: Arc<[f64]>,
    /// One per time.
    pub values: Vec<f64>,
    /// What is between them.
    pub interpolation: Interpolation,
    /// Whether the value rests before the first and after the last time, with zero slopes there.
    pub rests: bool,
    /// One per time, unless linear.
    slopes: Vec<f64>,
}

impl Series {
    /// Errors: no rows; columns of different length; not finite; times that do not rise.
    pub fn new(times: Arc<[f64]>, values: Vec<f64>, interpolation: Interpolation, rests: bool) -> Result<Series> {
        if times.is_empty() || values.len() != times.len() {
            let expected = if times.is_empty() { "1 or more".into() } else { format!("{}, one per time", times.len()) };
            return Err(Error::BadSize { argument: "values", given: values.len() as i64, expected });
        }
        for (argument, numbers) in [("times", &*times), ("values", &*values)] {
            if let Some(index) = numbers.iter().position(|x| !x.is_finite()) {
                return Err(Error::NotFinite { argument, index: Some(index), value: numbers[index] });
            }
        }
        if let Some(k) = times.windows(2).position(|pair| pair[1] <= pair[0]) {
            let [this, former] = [k + 1, k].map(|k| format!("times[{k}] = {}", Number(times[k])));
            return Err(Error::bad_value("times", format!("{this} is not after {former}: they must rise")));
        }
        let slopes = match interpolation {
            Interpolation::Linear => Vec::new(),
            _ => slopes(&times, &values, interpolation, rests),
        };
        if let Some(k) = slopes.iter().position(|slope| !slope.is_finite()) {
            let detail = format!("the slope at values[{k}] = {} is too large for a double", Number(values[k]));
            return Err(Error::bad_value("values", detail));
        }
        Ok(Series { times, values, interpolation, rests, slopes })
    }

    /// The first and the last time.
    pub fn range(&self) -> [f64; 2] {
        [self.times[0], self.times[self.times.len() - 1]]
    }

    /// Value, first and second derivative at a time; None outside of the table, unless it rests
    /// there.
    pub fn at(&self, time: f64) -> Option<[f64; 3]> {
        let (x, y, [first, last]) = (&self.times, &self.values, self.range());
        // The sum of many steps ends beside the last row by its rounding.
        let rounding = 1e-12 * (first.abs() + last.abs());
        let is_inside = time >= first - rounding && time <= last + rounding;
        if !self.rests && !is_inside {
            return None;
        }
        if x.len() == 1 || (self.rests && !(first..=last).contains(&time)) {
            return Some([if time < first { y[0] } else { y[y.len() - 1] }, 0.0, 0.0]);
        }
        let k = x.partition_point(|row| *row <= time).clamp(1, x.len() - 1) - 1;
        let (h, from) = (x[k + 1] - x[k], (time - x[k]).clamp(0.0, x[k + 1] - x[k]));
        let secant = (y[k + 1] - y[k]) / h;
        // A row has its own value, without rounding.
        let value = |between: f64| if from == h { y[k + 1] } else { between };
        if self.slopes.is_empty() {
            return Some([value(y[k] + (y[k + 1] - y[k]) * (from / h)), secant, 0.0]);
        }
        let [a, b] = [self.slopes[k], self.slopes[k + 1]];
        let [c, d] = [(3.0 * secant - 2.0 * a - b) / h, (a + b - 2.0 * secant) / (h * h)];
        let between = y[k] + from * (a + from * (c + from * d));
        Some([value(between), a + from * (2.0 * c + 3.0 * from * d), 2.0 * c + 6.0 * from * d])
    }
}

/// The slopes at the rows.
fn slopes(x: &[f64], y: &[f64], interpolation: Interpolation, rests: bool) -> Vec<f64> {
    let last = x.len() - 1;
    let mut slopes = vec![0.0; x.len()];
    if last == 0 {
        return slopes;
    }
    let secant = |k: usize| (y[k + 1] - y[k]) / (x[k + 1] - x[k]);
    if !rests {
        let rows = 4.min(x.len());
        slopes[0] = end_slope(&x[..rows], &y[..rows]);
        let backwards = |numbers: &[f64]| numbers.iter().rev().take(rows).copied().collect::<Vec<f64>>();
        slopes[last] = end_slope(&backwards(x), &backwards(y));
    }
    if interpolation == Interpolation::Monotone {
        for (end, beside) in [(0, secant(0)), (last, secant(last - 1))] {
            // Three times the secant keeps a cubic monotone.
            slopes[end] = beside.signum() * (slopes[end] * beside.signum()).clamp(0.0, 3.0 * beside.abs());
        }
        for k in 1..last {
            let ([before, after], [h, next]) = ([secant(k - 1), secant(k)], [x[k] - x[k - 1], x[k + 1] - x[k]]);
            if before * after > 0.0 {
                let weight = (h + 2.0 * next) / (3.0 * (h + next));
                slopes[k] = before * after / (weight * after + (1.0 - weight) * before);
            }
        }
        return slopes;
    }
    // Rows h_k m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_{k-1} m_{k+1}, eliminated from the first on.
    let (mut upper, mut right) = (vec![0.0; x.len()], slopes.clone());
    for k in 1..last {
        let [h, next] = [x[k] - x[k - 1], x[k + 1] - x[k]];
        let pivot = 2.0 * (h + next) - next * upper[k - 1];
        upper[k] = h / pivot;
        right[k] = (3.0 * (next * secant(k - 1) + h * secant(k)) - next * right[k - 1]) / pivot;
    }
    for k in (1..last).rev() {
        slopes[k] = right[k] - upper[k] * slopes[k + 1];
    }
    slopes
}

/// The slope at the first row of the polynomial through all rows (Newton's divided differences).
fn end_slope(x: &[f64], y: &[f64]) -> f64 {
    let (mut differences, mut factor, mut slope) = (y.to_vec(), 1.0, 0.0);
    for order in 1..x.len() {
        for k in (order..x.len()).rev() {
            differences[k] = (differences[k] - differences[k - 1]) / (x[k] - x[k - order]);
        }
        slope += factor * differences[order];
        factor *= x[0] - x[order];
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sin t on 0 .. pi, in unequal intervals that shrink with `rows`.
    fn sine(rows: usize, interpolation: Interpolation, rests: bool) -> Series {
        let place = |k: usize| k as f64 / (rows - 1) as f64;
        let times: Vec<f64> = (0..rows).map(|k| 3.0 * (place(k) + 0.1 * (6.0 * place(k)).sin())).collect();
        let values = times.iter().map(|t| t.sin()).collect();
        Series::new(times.into(), values, interpolation, rests).unwrap()
    }

    fn errors(series: &Series) -> [f64; 3] {
        let [first, last] = series.range();
        (0..=1000).map(|k| first + (last - first) * f64::from(k) / 1000.0).fold([0.0; 3], |most, t| {
            let (found, exact) = (series.at(t).unwrap(), [t.sin(), t.cos(), -t.sin()]);
            std::array::from_fn(|k| f64::max(most[k], (found[k] - exact[k]).abs()))
        })
    }

    /// The complete spline: orders 4, 3 and 2. Halving from 40 intervals on is within 0.3 of them,
    /// because the next terms are smaller by the interval of 0.1.
    #[test]
    fn a_cubic_spline_and_its_rates_converge_at_orders_four_three_two() {
        let [coarse, fine] = [81, 161].map(|rows| errors(&sine(rows, Interpolation::Cubic, false)));
        for (k, order) in [4.0, 3.0, 2.0].into_iter().enumerate() {
            let found = (coarse[k] / fine[k]).log2();
            assert!((found - order).abs() < 0.3, "derivative {k}: order {found}, errors {coarse:?} {fine:?}");
        }
    }

    /// Both derivatives are those of the value: central differences over 1e-4 of an interval differ
    /// by the third derivative times 1e-8 and by rounding, 1e-16 / 1e-5.
    #[test]
    fn rates_are_the_derivatives_of_the_values() {
        for interpolation in Interpolation::ALL {
            for rests in [false, true] {
                let series = sine(9, interpolation, rests);
                let (step, at) = (1e-5, |t: f64| series.at(t).unwrap());
                // Inside the intervals: slopes jump at the rows of straight lines.
                for t in series.times.windows(2).flat_map(|pair| [0.3, 0.7].map(|s| pair[0] + s * (pair[1] - pair[0])))
                {
                    let [before, now, after] = [at(t - step), at(t), at(t + step)];
                    for k in 0..2 {
                        let difference = (after[k] - before[k]) / (2.0 * step);
                        assert!((difference - now[k + 1]).abs() < 1e-7, "{interpolation:?} {t}: {difference} {now:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_cubic_spline_has_a_continuous_second_derivative_and_rests_at_its_ends() {
        let series =
            Series::new([0.0, 1.0, 1.5, 4.0].into(), vec![0.0, 2.0, -1.0, 3.0], Interpolation::Cubic, true).unwrap();
        for t in [1.0, 1.5] {
            let [before, after] = [t - 1e-9, t + 1e-9].map(|t| series.at(t).unwrap());
            // Third derivatives of some 100 times the distance of the places.
            (0..3).for_each(|k| assert!((before[k] - after[k]).abs() < 1e-6, "{t}: {before:?} {after:?}"));
        }
        assert_eq!(series.at(0.0).unwrap()[..2], [0.0, 0.0]);
        assert_eq!(series.at(-7.0), Some([0.0, 0.0, 0.0]));
        assert_eq!(series.at(9.0), Some([3.0, 0.0, 0.0]));
        // A sum of products of slopes and intervals: some roundings of 1.
        assert!(series.at(4.0).unwrap()[1].abs() < 1e-14);
        assert_eq!(series.at(1.5).unwrap()[0], -1.0);
    }

    #[test]
    fn a_monotone_spline_does_not_overshoot_where_a_cubic_one_does() {
        let (times, values) = ([0.0, 1.0, 2.0, 3.0, 4.0], vec![0.0, 0.0, 1.0, 1.0, 1.0]);
        let least = |interpolation| {
            let series = Series::new(times.into(), values.clone(), interpolation, true).unwrap();
            (0..=400).map(|k| series.at(0.01 * f64::from(k)).unwrap()[0]).fold(f64::INFINITY, f64::min)
        };
        assert_eq!(least(Interpolation::Monotone), 0.0);
        assert!(least(Interpolation::Cubic) < -0.01);
    }

    #[test]
    fn a_spline_without_rest_ends_with_its_table() {
        let series = sine(9, Interpolation::Cubic, false);
        let [first, last] = series.range();
        assert!(series.at(first - 1e-6).is_none() && series.at(last + 1e-6).is_none());
        assert_eq!(series.at(last).unwrap()[0], last.sin());
    }
}
