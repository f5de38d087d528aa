//! Explicit Runge-Kutta methods: euler, heun, rk2, rk3, rk4, and one of order 5 that starts
//! multistep schemes.
//!
//! `k_s = f(t + c_s h, y + h sum_j a_sj k_j)`, `y+ = y + h sum_s b_s k_s` (Hairer, Norsett, Wanner,
//! Solving Ordinary Differential Equations I, 1993, sect. II.1). Order on every model, constraints
//! and rotations included: 1, 2, 2, 3, 4. Stable on undamped oscillators for w h up to 0, 0, 0,
//! sqrt(3), 2 sqrt(2).

use super::stage::{self, Stages};
use crate::scheme::name::RungeKutta;
use crate::scheme::{Memory, Point, Problem, Report};
use crate::system::Failure;

/// Coefficients of a method.
pub struct Tableau {
    /// Rows of a below the diagonal: one per stage after the first.
    a: &'static [&'static [f64]],
    /// Weights b.
    b: &'static [f64],
}

const EULER: Tableau = Tableau { a: &[], b: &[1.0] };
const HEUN: Tableau = Tableau { a: &[&[1.0]], b: &[0.5, 0.5] };
const MIDPOINT: Tableau = Tableau { a: &[&[0.5]], b: &[0.0, 1.0] };
const KUTTA: Tableau = Tableau { a: &[&[0.5], &[-1.0, 2.0]], b: &[1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0] };
const CLASSICAL: Tableau =
    Tableau { a: &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]], b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0] };
/// Butcher (1964), six stages.
const FIFTH: Tableau = Tableau {
    a: &[
        &[0.25],
        &[0.125, 0.125],
        &[0.0, -0.5, 1.0],
        &[3.0 / 16.0, 0.0, 0.0, 9.0 / 16.0],
        &[-3.0 / 7.0, 2.0 / 7.0, 12.0 / 7.0, -12.0 / 7.0, 8.0 / 7.0],
    ],
    b: &[7.0 / 90.0, 0.0, 32.0 / 90.0, 12.0 / 90.0, 32.0 / 90.0, 7.0 / 90.0],
};

impl Tableau {
    /// The coefficients of a named method.
    pub fn of(method: RungeKutta) -> &'static Tableau {
        match method {
            RungeKutta::Euler => &EULER,
            RungeKutta::Heun => &HEUN,
            RungeKutta::Rk2 => &MIDPOINT,
            RungeKutta::Rk3 => &KUTTA,
            RungeKutta::Rk4 => &CLASSICAL,
        }
    }

    /// The coefficients of a method of order 1 to 5.
    pub fn of_order(order: usize) -> &'static Tableau {
        [&EULER, &MIDPOINT, &KUTTA, &CLASSICAL, &FIFTH][order.clamp(1, 5) - 1]
    }

    /// Coefficients of the stability polynomial R(z) = sum_k p_k z^k: p_0 = 1, p_k = b^T A^(k-1) 1.
    pub fn polynomial(&self) -> Vec<f64> {
        let stages = self.b.len();
        let mut power = vec![1.0; stages];
        let mut p = vec![1.0];
        for _ in 0..stages {
            p.push(self.b.iter().zip(&power).map(|(b, x)| b * x).sum());
            let next =
                |s: usize| s.checked_sub(1).map_or(0.0, |row| self.a[row].iter().zip(&power).map(|(a, x)| a * x).sum());
            power = (0..stages).map(next).collect();
        }
        p
    }
}

/// One step.
pub fn step(
    tableau: &Tableau,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let mut report = Report::default();
    memory.stages.resize(tableau.b.len(), from.state.layout);
    stage::start(problem, from, memory, &mut report)?;
    advance(tableau, problem, from, to, memory, &mut report)?;
    to.history.age = 1;
    Ok(report)
}

/// The stages and the end of a step whose first rates are in `stages.start`.
pub fn advance(
    tableau: &Tableau,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let h = problem.step;
    let Stages { rates, start, .. } = &mut memory.stages;
    rates[0].copy_from(start);
    for (row, a) in tableau.a.iter().enumerate() {
        move_by(h, a, from, &mut memory.stages);
        stage::evaluate(problem, from, a.iter().sum(), memory, report, row + 1)?;
    }
    move_by(h, tableau.b, from, &mut memory.stages);
    stage::finish_at(problem, from, to, memory, report, !tableau.a.is_empty())
}

/// Writes `y + h sum_j weight_j k_j` to the y of the stages.
fn move_by(h: f64, weights: &[f64], from: &Point, Stages { y, rates, .. }: &mut Stages) {
    let term = |k: usize| (h * weights[k], &rates[k]);
    if weights.len() == 4 && !weights.contains(&0.0) {
        // The end of rk4, in one pass.
        return y.set_moved_by(&from.state, [0, 1, 2, 3].map(term));
    }
    let mut terms = (0..weights.len()).filter(|k| weights[*k] != 0.0).map(term);
    match terms.next() {
        Some(first) => y.set_moved_by(&from.state, [first]),
        None => y.begin(&from.state),
    }
    terms.for_each(|(c, rates)| y.add(c, rates));
}
