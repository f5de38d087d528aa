//! Cosines, sines and powers of four numbers at once, from sums and products alone: builds for
//! different processors compute the same bits, which functions that fuse products and sums where
//! the processor can would not. Errors are below 1e-11. The polynomials have the right values at
//! the roots of Chebyshev's polynomials, so that their errors are nearly as small as their degree
//! allows.

pub(super) use wide::f64x4 as Four;

/// Adding and subtracting 1.5 * 2^52 rounds a number below 2^51 to an integer.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// Coefficients of x, x^3, .. x^13 of sin(pi x) from -1/2 to 1/2, to 2e-13.
const SINE: [f64; 7] = [
    3.141_592_653_589_635,
    -5.167_712_779_987_959,
    2.550_164_035_906_745,
    -0.599_264_433_935_728_6,
    0.082_144_794_670_648_54,
    -0.007_364_005_472_115_722,
    4.474_920_849_077_101e-4,
];

/// Coefficients of 1, x^2, .. x^12 of cos(pi x) from -1/2 to 1/2, to 8e-13.
const COSINE: [f64; 7] = [
    0.999_999_999_999_247_9,
    -4.934_802_200_249_85,
    4.058_712_107_537_437_5,
    -1.335_262_315_261_57,
    0.235_325_436_587_711_2,
    -0.025_776_316_427_315_86,
    0.001_839_989_437_269_404_3,
];

/// Coefficients of 1, x, .. x^8 of 2^x from -1/2 to 1/2, to 9e-13.
const POWER: [f64; 9] = [
    1.0,
    0.693_147_180_545_933_5,
    0.240_226_506_958_129_9,
    0.055_504_109_412_059_33,
    0.009_618_129_159_402_558,
    0.001_333_345_056_800_064_5,
    1.540_345_585_245_383_4e-4,
    1.531_007_940_224_932_6e-5,
    1.325_522_487_866_881_7e-6,
];

/// A polynomial by its coefficients, from x and its powers 2 and 4: pairs of terms do not wait for
/// each other as those of Horner's rule do (Estrin's scheme).
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], [x, square, fourth]: [Four; 3]) -> Four {
    let term = |k: usize| Four::splat(coefficients[k]);
    let pair = |k: usize| if k + 1 < N { term(k) + term(k + 1) * x } else { term(k) };
    let four = |k: usize| if k + 2 < N { pair(k) + pair(k + 2) * square } else { pair(k) };
    if N > 8 { four(0) + (four(4) + four(8) * fourth) * fourth } else { four(0) + four(4) * fourth }
}

/// Cosines and sines of angles in turns, of at most 2^50 turns, by those of half the angle.
#[inline(always)]
pub(super) fn circle(turns: Four) -> [Four; 2] {
    let shift = Four::splat(TO_INTEGER);
    let x = turns - (turns + shift - shift);
    let square = x * x;
    let fourth = square * square;
    let powers = [square, fourth, fourth * fourth];
    let (c, s) = (polynomial(&COSINE, powers), x * polynomial(&SINE, powers));
    let twice = s + s;
    [Four::splat(1.0) - twice * s, twice * c]
}

/// Powers of 2 of numbers from -48, below which they count as -48, to 0: the integer part is the
/// exponent of the result, the rest is at most 1/2.
#[inline(always)]
pub(super) fn power(x: Four) -> Four {
    let (shift, x) = (Four::splat(TO_INTEGER), x.fast_max(Four::splat(-48.0)));
    let integer = x + shift;
    let x = x - (integer - shift);
    let square = x * x;
    let rest = polynomial(&POWER, [x, square, square * square]);
    // The last bits of its sum with 1.5 * 2^52 are those of the integer; 1023 is the exponent of 1.
    rest * Four::new(integer.to_array().map(|integer| f64::from_bits((integer.to_bits() + 1023) << 52)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::TAU;

    /// The formulas for twice an angle multiply the errors of the polynomials by 4 at most; that of
    /// the powers is at most 9e-13 of sqrt(1/2).
    #[test]
    fn circles_and_powers_agree_with_the_standard_library() {
        for k in -4000..4000i32 {
            let x = 0.01 * f64::from(k) + 0.001_234;
            let [c, s] = circle([x, x + 1000.0, -x, 0.25 * f64::from(k)].into()).map(Four::to_array);
            let angle = TAU * (x - x.round());
            assert!((c[0] - angle.cos()).abs() < 7e-12 && (s[0] - angle.sin()).abs() < 7e-12, "{x}");
            assert!((c[1] - c[0]).abs() < 9e-12 && (s[1] - s[0]).abs() < 9e-12, "{x}");
            assert!(c[2] == c[0] && s[2] == -s[0], "{x}");
            let quarter = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]][k.rem_euclid(4) as usize];
            assert!((c[3] - quarter[0]).abs() < 7e-12 && (s[3] - quarter[1]).abs() < 7e-12, "{k}");
            let below = -1.5 * x.abs().min(32.0);
            let found = power([below, 0.01 * below, 0.0, 100.0 * below - 48.0].into()).to_array();
            for (found, right) in found.iter().zip([below.exp2(), (0.01 * below).exp2(), 1.0, (-48_f64).exp2()]) {
                let error: f64 = found - right;
                assert!((error / right).abs() < 1.3e-12, "{x}: {found} {right}");
            }
        }
    }
}
