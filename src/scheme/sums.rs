//! Sums and largest values of long lists in several SIMD lanes, because each scalar addition would
//! wait for the last one.

/// Lanes: as many as a body has velocities.
const LANES: usize = 6;

/// The larger of two numbers, the first of which is not NaN; a NaN in the second is ignored.
#[inline(always)]
pub fn larger(x: f64, y: f64) -> f64 {
    if y > x { y } else { x }
}

/// The larger of two sizes; NaN counts as larger than any number.
#[inline(always)]
pub fn larger_or_nan(most: f64, x: f64) -> f64 {
    if x > most || x.is_nan() { x } else { most }
}

/// The largest absolute value in each column of some rows; NaN is ignored.
#[inline(always)]
pub fn largest_at<const W: usize>(rows: &[[f64; W]]) -> [f64; W] {
    let mut lanes = [0.0; W];
    for row in rows {
        lanes.iter_mut().zip(row).for_each(|(lane, x)| *lane = larger(*lane, x.abs()));
    }
    lanes
}

/// The largest absolute value; NaN is ignored.
#[inline(always)]
pub fn largest(x: &[f64]) -> f64 {
    if x.is_empty() {
        return 0.0;
    }
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut lanes = largest_at(chunks);
    lanes.iter_mut().zip(rest).for_each(|(lane, x)| *lane = larger(*lane, x.abs()));
    lanes.into_iter().fold(0.0, larger)
}

/// The sum of `term` over pairs of numbers.
#[inline(always)]
pub fn sum(x: &[f64], y: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let lanes = lane_sums(x, y, term);
    (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]) + (lanes[4] + lanes[5])
}

/// The same for every sixth number separately.
#[inline(always)]
pub fn lane_sums(x: &[f64], y: &[f64], term: impl Fn(f64, f64) -> f64) -> [f64; LANES] {
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    let mut lanes = [0.0; LANES];
    for (x, y) in x.iter().zip(y) {
        lanes.iter_mut().zip(x.iter().zip(y)).for_each(|(lane, (x, y))| *lane += term(*x, *y));
    }
    lanes.iter_mut().zip(x_rest.iter().zip(y_rest)).for_each(|(lane, (x, y))| *lane += term(*x, *y));
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_count_whatever_the_length_of_the_list() {
        for n in 0..=9 {
            let x: Vec<f64> = (1..=n).map(|k| if k % 2 == 0 { f64::from(k) } else { -f64::from(k) }).collect();
            // 1 + 4 + 9 + ...: exact.
            assert_eq!(sum(&x, &x, |x, y| x * y), f64::from(n * (n + 1) * (2 * n + 1) / 6));
            assert_eq!(largest(&x), f64::from(n));
            for k in 0..x.len() {
                let mut other = x.clone();
                other[k] = -20.0;
                assert_eq!(largest(&other), 20.0);
            }
        }
        assert_eq!(largest(&[f64::NAN, 2.0, f64::NAN, -3.0, f64::NAN]), 3.0);
    }
}
