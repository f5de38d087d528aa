//! Cosines, sines and exponentials of four numbers at once, from sums and products alone: builds
//! for different processors compute the same bits, which functions that fuse products and sums
//! where the processor can would not. Errors are below 1e-11.

use std::f64::consts::TAU;
pub(super) use wide::f64x4 as Four;

/// Adding and subtracting 1.5 * 2^52 rounds a number below 2^51 to an integer.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Coefficients of x, x^3, .. x^13 of the sine.
const SINE: [f64; 7] =
    [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];

/// Coefficients of 1, x^2, .. x^12 of the cosine.
const COSINE: [f64; 7] =
    [1.0, -1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0, 1.0 / 40_320.0, -1.0 / 3_628_800.0, 1.0 / 479_001_600.0];

/// Coefficients of 1, x, .. x^10 of the exponential.
const EXPONENTIAL: [f64; 11] = [
    1.0,
    1.0,
    1.0 / 2.0,
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40_320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
];

/// Four terms of a polynomial from a power on, without that power: pairs do not wait for each other as
/// the terms of Horner's rule do (Estrin's scheme).
#[inline(always)]
fn cubic(coefficients: &[f64], from: usize, [x, square]: [Four; 2]) -> Four {
    let term = |k: usize| Four::splat(coefficients.get(from + k).copied().unwrap_or(0.0));
    (term(0) + term(1) * x) + (term(2) + term(3) * x) * square
}

/// Cosines and sines of angles in turns, of at most 2^50 turns: their Taylor series at a quarter of
/// the angle, which is pi/4 at most, and twice the formulas for twice an angle.
#[inline(always)]
pub(super) fn circle(turns: Four) -> [Four; 2] {
    let shift = Four::splat(TO_INTEGER);
    let x = (turns - (turns + shift - shift)) * Four::splat(TAU / 4.0);
    let square = x * x;
    let fourth = square * square;
    let series = |of: &[f64; 7]| cubic(of, 0, [square, fourth]) + cubic(of, 4, [square, fourth]) * (fourth * fourth);
    let (mut c, mut s) = (series(&COSINE), x * series(&SINE));
    for _ in 0..2 {
        let twice = s + s;
        (c, s) = (Four::splat(1.0) - twice * s, twice * c);
    }
    [c, s]
}

/// Exponentials of numbers from -32, below which they count as -32, to 0: the Taylor series of a
/// 64th, squared six times.
#[inline(always)]
pub(super) fn exponential(x: Four) -> Four {
    let x = x.fast_max(Four::splat(-32.0)) * Four::splat(1.0 / 64.0);
    let square = x * x;
    let fourth = square * square;
    let [low, middle, high] = [0, 4, 8].map(|from| cubic(&EXPONENTIAL, from, [x, square]));
    let mut result = low + (middle + high * fourth) * fourth;
    for _ in 0..6 {
        result *= result;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At pi/4 the series of the cosine lacks 4e-13 and that of the sine 2e-14; the formulas for twice
    /// an angle multiply this by 16 at most. The exponential rounds by 64 eps; at -32 its
    /// series lacks 2e-11 of its value, and the sixth square 64 times that.
    #[test]
    fn circles_and_exponentials_agree_with_the_standard_library() {
        for k in -4000..4000i32 {
            let x = 0.01 * f64::from(k) + 0.001_234;
            let [c, s] = circle([x, x + 1000.0, -x, 0.25 * f64::from(k)].into()).map(Four::to_array);
            let angle = TAU * (x - x.round());
            assert!((c[0] - angle.cos()).abs() < 7e-12 && (s[0] - angle.sin()).abs() < 7e-12, "{x}");
            assert!((c[1] - c[0]).abs() < 9e-12 && (s[1] - s[0]).abs() < 9e-12, "{x}");
            assert!(c[2] == c[0] && s[2] == -s[0], "{x}");
            let quarter = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][k.rem_euclid(4) as usize];
            assert!((c[3] - quarter[0]).abs() < 7e-12 && (s[3] - quarter[1]).abs() < 7e-12, "{k}");
            let below = -x.abs().min(32.0);
            let found = exponential([below, 0.01 * below, 0.0, 100.0 * below - 32.0].into()).to_array();
            for (found, right) in found.iter().zip([below.exp(), (0.01 * below).exp(), 1.0, (-32_f64).exp()]) {
                let error: f64 = found - right;
                assert!(error.abs() < 3e-14 && (error / right).abs() < 1.4e-9, "{x}: {found} {right}");
            }
        }
    }
}
