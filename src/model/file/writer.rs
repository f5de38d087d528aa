//! Writing: values of TOML, numbers in the shortest form that reads back to the same bits.

use crate::spatial::Mat6;
use std::fmt::Write;

/// A number: `1.0`, `1e-7`, `-0.0`, `inf`.
pub fn number(x: f64) -> String {
    format!("{x:?}")
}

/// An array on one line.
pub fn numbers(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", "))
}

/// A matrix: its diagonal where nothing else is in it, else row by row.
pub fn matrix(m: &Mat6) -> String {
    let beside = (0..36).filter(|k| k % 7 != 0);
    if beside.into_iter().all(|k| m[k].to_bits() == 0) {
        return numbers(m.diagonal().as_slice());
    }
    let rows = (0..6).fold(String::new(), |rows, i| {
        rows + "    " + &numbers(&std::array::from_fn::<_, 6, _>(|j| m[(i, j)])) + ",\n"
    });
    format!("[\n{rows}]")
}

/// Text in quotes.
pub fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            // Writing to a string does not fail.
            c if c.is_control() => drop(write!(out, "\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use toml::de::DeValue;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for x in [0.0, -0.0, 1.0, 0.1, 1e-7, 1e22, -5e-324, f64::MAX, f64::MIN_POSITIVE, 1.0 / 3.0, f64::INFINITY] {
            let written = number(x);
            let read = DeValue::parse(&written).unwrap();
            let read: f64 = read.get_ref().as_float().expect(&written).as_str().parse().unwrap();
            assert_eq!(read.to_bits(), x.to_bits(), "{written}");
        }
    }

    #[test]
    fn text_reads_back() {
        for name in ["hull", "a \"b\" \\ c", "tab\tline\nend\r\u{1}\u{7f}\u{85}", "häll ü 水", "'''", "#"] {
            let written = text(name);
            assert_eq!(DeValue::parse(&written).unwrap().get_ref().as_str(), Some(name), "{written}");
        }
    }
}
