//! Format of numbers in messages: as C's `%g`, with the shortest digits that identify the number.

use std::fmt;

/// A number in a message: `0.002`, `1.5e-09`, `1e+300`.
#[derive(Debug, Clone, Copy)]
pub struct Number(pub f64);

/// A measured number in a message, with four digits: `4e-06`, `0.1235`.
#[derive(Debug, Clone, Copy)]
pub struct Rounded(pub f64);

/// Decimal exponents of the numbers that are written without one.
const PLAIN: std::ops::Range<i32> = -4..16;

impl fmt::Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        // The mantissa has the shortest digits that give the number back.
        let scientific = format!("{x:e}");
        match scientific.split_once('e').map(|(mantissa, exponent)| (mantissa, exponent.parse::<i32>())) {
            Some((mantissa, Ok(exponent))) if !PLAIN.contains(&exponent) => {
                let sign = if exponent < 0 { '-' } else { '+' };
                write!(out, "{mantissa}e{sign}{:02}", exponent.abs())
            }
            // Zero, NaN and infinity among them.
            _ => write!(out, "{x}"),
        }
    }
}

impl fmt::Display for Rounded {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = format!("{:.3e}", self.0).parse().unwrap_or(self.0);
        Number(rounded).fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_percent_g_writes_them() {
        for (x, text) in [
            (1.5e-9, "1.5e-09"),
            (0.002, "0.002"),
            (1e300, "1e+300"),
            (-1e-300, "-1e-300"),
            (5e-324, "5e-324"),
            (1e-5, "1e-05"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (0.0, "0"),
            (-0.0, "-0"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(Number(x).to_string(), text);
        }
        for (x, text) in [(4.0001e-6, "4e-06"), (0.123456, "0.1235"), (2.0, "2"), (1.4204e-15, "1.42e-15")] {
            assert_eq!(Rounded(x).to_string(), text);
        }
    }
}
