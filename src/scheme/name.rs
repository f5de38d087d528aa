//! The schemes and the names that hosts select them by.

use crate::error::{Error, Result, did_you_mean};
use std::fmt;

/// A time scheme. Each family is one file with a `step` function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scheme {
    /// Lie-group generalized-alpha, parameters by rho_inf.
    #[default]
    GeneralizedAlpha,
    /// The same on angular momentum.
    MomentumAlpha,
    /// Newmark: the same code with alpha_m = alpha_f = 0.
    Newmark,
    /// Hilber, Hughes, Taylor: the same code with alpha_m = 0.
    Hht,
    /// Explicit Runge-Kutta.
    RungeKutta(RungeKutta),
    /// Adams-Bashforth of order 2 to 5.
    AdamsBashforth(usize),
    /// Adams-Bashforth of order 1 (Euler) to 5, every entity with steps of its own.
    LocalAdamsBashforth(usize),
    /// An implicit formula, iterated by so many relaxed substeps.
    SemiImplicit(Implicit, u32),
}

/// The explicit Runge-Kutta methods that have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RungeKutta {
    /// Euler, order 1.
    Euler,
    /// Heun's trapezoidal predictor-corrector, order 2.
    Heun,
    /// Midpoint, order 2.
    Rk2,
    /// Kutta, order 3.
    Rk3,
    /// Classical, order 4.
    Rk4,
}

/// The formulas of the semi-implicit schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Implicit {
    /// Backward Euler.
    BackwardEuler,
    /// Midpoint.
    Midpoint,
    /// Backward Euler with Anderson's acceleration.
    Anderson,
    /// Average constant acceleration.
    AverageAcceleration,
    /// Wilson's theta.
    Wilson,
}

impl Implicit {
    /// k: the time at which beuler, midpoint and anderson evaluate, in steps.
    pub fn ahead(self) -> f64 {
        if self == Implicit::Midpoint { 0.5 } else { 1.0 }
    }
}

/// Most substeps of a semi-implicit scheme: an iteration that needs more does not converge.
pub const MOST_SUBSTEPS: u32 = 1000;

/// The names, with N for a number of substeps.
#[rustfmt::skip] // a list
pub const NAMES: [&str; PLAIN.len() + NUMBERED.len()] = [
    "generalized-alpha", "momentum-alpha", "newmark", "hht", "euler", "leuler", "heun", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "ab5",
    "lab2", "lab3", "lab4", "lab5", "beulerN", "midpointN", "andersonN", "acaN", "wilsonN",
];

/// The list in the error for an unknown name.
fn known() -> String {
    let (plain, numbered) = NAMES.split_at(PLAIN.len());
    format!("{}, and with a number N of substeps {}", plain.join(", "), numbered.join(", "))
}

/// Schemes without a number of substeps, and their codes in snapshots, which never change.
const PLAIN: [(&str, Scheme, u32); 18] = [
    ("generalized-alpha", Scheme::GeneralizedAlpha, 0),
    ("momentum-alpha", Scheme::MomentumAlpha, 22),
    ("newmark", Scheme::Newmark, 1),
    ("hht", Scheme::Hht, 2),
    ("euler", Scheme::RungeKutta(RungeKutta::Euler), 3),
    ("leuler", Scheme::LocalAdamsBashforth(1), 4),
    ("heun", Scheme::RungeKutta(RungeKutta::Heun), 5),
    ("rk2", Scheme::RungeKutta(RungeKutta::Rk2), 6),
    ("rk3", Scheme::RungeKutta(RungeKutta::Rk3), 7),
    ("rk4", Scheme::RungeKutta(RungeKutta::Rk4), 8),
    ("ab2", Scheme::AdamsBashforth(2), 9),
    ("ab3", Scheme::AdamsBashforth(3), 10),
    ("ab4", Scheme::AdamsBashforth(4), 11),
    ("ab5", Scheme::AdamsBashforth(5), 12),
    ("lab2", Scheme::LocalAdamsBashforth(2), 13),
    ("lab3", Scheme::LocalAdamsBashforth(3), 14),
    ("lab4", Scheme::LocalAdamsBashforth(4), 15),
    ("lab5", Scheme::LocalAdamsBashforth(5), 16),
];

/// Families whose names end in a number of substeps, with their codes.
const NUMBERED: [(&str, Implicit, u32); 5] = [
    ("beuler", Implicit::BackwardEuler, 17),
    ("midpoint", Implicit::Midpoint, 18),
    ("anderson", Implicit::Anderson, 19),
    ("aca", Implicit::AverageAcceleration, 20),
    ("wilson", Implicit::Wilson, 21),
];

impl Scheme {
    /// From its name. Errors: unknown (the message lists the known ones); a number of substeps that
    /// is missing, not a decimal integer, or outside 1..=1000.
    pub fn from_name(name: &str) -> Result<Scheme> {
        if let Some((_, scheme, _)) = PLAIN.iter().find(|(known, ..)| *known == name) {
            return Ok(*scheme);
        }
        let numbered =
            NUMBERED.iter().find_map(|(family, formula, _)| Some((family, formula, name.strip_prefix(family)?)));
        let Some((family, formula, suffix)) = numbered else {
            let near = did_you_mean(name, &mut PLAIN.iter().map(|(plain, ..)| *plain));
            return Err(Error::bad_value("name", format!("\"{name}\" is not a scheme; known: {}{near}", known())));
        };
        let plain = !suffix.is_empty() && suffix.bytes().all(|b| b.is_ascii_digit()) && !suffix.starts_with('0');
        match suffix.parse() {
            Ok(substeps) if plain && substeps <= MOST_SUBSTEPS => Ok(Scheme::SemiImplicit(*formula, substeps)),
            _ => {
                let detail = format!(
                    "\"{name}\" is not a scheme: {family}N takes a number N of substeps from 1 to {MOST_SUBSTEPS}, as in \
                     \"{family}5\"; known: {}",
                    known()
                );
                Err(Error::bad_value("name", detail))
            }
        }
    }

    /// Whether the scheme has a stability limit.
    pub fn is_explicit(self) -> bool {
        matches!(self, Scheme::RungeKutta(_) | Scheme::AdamsBashforth(_) | Scheme::LocalAdamsBashforth(_))
    }

    /// Whether it has rates of past steps.
    pub fn is_multistep(self) -> bool {
        matches!(self, Scheme::AdamsBashforth(_) | Scheme::LocalAdamsBashforth(_))
    }

    /// Whether its order is above two, or it has rates of past steps: held loads reduce its order.
    pub fn is_of_high_order(self) -> bool {
        self.is_multistep() || matches!(self, Scheme::RungeKutta(RungeKutta::Rk3 | RungeKutta::Rk4))
    }

    /// Whether it is a Newmark family member: Newton's iteration on increments.
    pub fn is_newton(self) -> bool {
        matches!(self, Scheme::GeneralizedAlpha | Scheme::MomentumAlpha | Scheme::Newmark | Scheme::Hht)
    }

    /// Its code in snapshots.
    pub fn code(self) -> [u32; 2] {
        match self {
            Scheme::SemiImplicit(formula, substeps) => {
                let code = NUMBERED.iter().find(|(_, known, _)| *known == formula).map_or(0, |(.., code)| *code);
                [code, substeps]
            }
            plain => [PLAIN.iter().find(|(_, known, _)| *known == plain).map_or(0, |(.., code)| *code), 0],
        }
    }

    /// From its code; None for an unknown code.
    pub fn from_code([kind, substeps]: [u32; 2]) -> Option<Scheme> {
        if let Some((_, scheme, _)) = PLAIN.iter().find(|(.., code)| *code == kind) {
            return (substeps == 0).then_some(*scheme);
        }
        let (_, formula, _) = NUMBERED.iter().find(|(.., code)| *code == kind)?;
        (1..=MOST_SUBSTEPS).contains(&substeps).then_some(Scheme::SemiImplicit(*formula, substeps))
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scheme::SemiImplicit(formula, substeps) => {
                let family = NUMBERED.iter().find(|(_, known, _)| known == formula).map_or("", |(family, ..)| family);
                write!(out, "{family}{substeps}")
            }
            plain => out.write_str(PLAIN.iter().find(|(_, known, _)| known == plain).map_or("", |(name, ..)| name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_codes_lead_back_to_their_scheme() {
        let numbered = NUMBERED.iter().flat_map(|(family, ..)| [1, 7, 1000].map(|n| format!("{family}{n}")));
        for name in PLAIN.iter().map(|(name, ..)| name.to_string()).chain(numbered) {
            let scheme = Scheme::from_name(&name).unwrap();
            assert_eq!(scheme.to_string(), name);
            assert_eq!(Scheme::from_code(scheme.code()), Some(scheme), "{name}");
        }
        let listed = NAMES.map(|name| name.strip_suffix('N').unwrap_or(name));
        let all: Vec<&str> = PLAIN.iter().map(|p| p.0).chain(NUMBERED.iter().map(|n| n.0)).collect();
        assert_eq!(listed, all[..], "the list has them all");
        for nothing in [[0, 1], [17, 0], [17, 1001], [22, 1], [23, 0], [u32::MAX, 1]] {
            assert_eq!(Scheme::from_code(nothing), None, "{nothing:?}");
        }
    }
}
