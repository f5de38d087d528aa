//! Adams-Bashforth methods of order 2 to 5: ab2, ab3, ab4, ab5.
//!
//! `y+ = y + h sum_j b_j f(n-j)`: one evaluation per step (Hairer, Norsett, Wanner, Solving
//! Ordinary Differential Equations I, 1993, sect. III.1). Started, and restarted after every change
//! of step or discontinuity, by Runge-Kutta steps of the same order. Stable on undamped oscillators
//! for w h up to 0, 0.72, 0.43, 0.

use super::numbers::Numbers;
use super::runge_kutta::{self, Tableau};
use super::stage::{self, Stages};
use crate::scheme::point::TOGETHER;
use crate::scheme::{Memory, Point, Problem, Report};
use crate::system::{Failure, Layout};

/// `b_j(s)`: the weights with which `y(t + s h) = y + h sum_j b_j(s) f(n-j)`, the integral from 0
/// to s of the polynomial through the last `order` rates; s = 1 gives the method.
pub fn weights(order: usize, s: f64) -> [f64; 5] {
    let mut b = [0.0; 5];
    for (j, weight) in b.iter_mut().enumerate().take(order) {
        // Lagrange's polynomial of node -j over the nodes 0, -1, ..., its coefficients by powers of
        // the argument
        let mut polynomial = [1.0, 0.0, 0.0, 0.0, 0.0];
        let mut divisor = 1.0;
        for (degree, i) in (0..order).filter(|i| *i != j).enumerate() {
            for k in (0..=degree + 1).rev() {
                let raised = if k > 0 { polynomial[k - 1] } else { 0.0 };
                polynomial[k] = raised + polynomial[k] * i as f64;
            }
            divisor *= i as f64 - j as f64;
        }
        let integral = (0..order).rev().fold(0.0, |sum, k| sum * s + polynomial[k] / (k + 1) as f64);
        *weight = integral * s / divisor;
    }
    b
}

/// One step of the method of an order.
pub fn step(
    order: usize,
    problem: &Problem,
    from: &Point,
    to: &mut Point,
    memory: &mut Memory,
) -> Result<Report, Failure> {
    let h = problem.step;
    let known = from.history.known_rates(h, TOGETHER);
    let mut report = Report::default();
    memory.stages.resize(6, from.state.layout);
    stage::start(problem, from, memory, &mut report)?;
    let past = from.history.multistep().filter(|_| known + 1 >= order);
    let Some(past) = past.map(|past| &past.rates) else {
        runge_kutta::advance(Tableau::of_order(order), problem, from, to, memory, &mut report)?;
        remember(known, from, to, memory);
        return Ok(report);
    };
    let b = weights(order, 1.0);
    let Stages { y, start, .. } = &mut memory.stages;
    y.set_moved(&from.state, h * b[0], start);
    b[1..order].iter().zip(past).for_each(|(b, rates)| y.add(h * b, rates));
    y.enter(&mut to.state);
    stage::finish(problem, from, to, memory, &mut report, (problem.step, false))?;
    remember(known, from, to, memory);
    Ok(report)
}

/// Stores the rates at this step's start and those before it.
fn remember(known: usize, from: &Point, to: &mut Point, memory: &Memory) {
    to.history.age = (known as u32 + 1).min(4);
    let Some(own) = to.history.multistep_mut() else { return };
    own.pattern = TOGETHER;
    own.rates[0].copy_from(&memory.stages.start);
    if let Some(past) = from.history.multistep() {
        own.rates[1..].iter_mut().zip(&past.rates).for_each(|(own, past)| own.copy_from(past));
    }
}

/// `y + h sum_j b_j f(n-j)` of one node, whose latest rates are separate from the older ones;
/// written to `moved`.
pub fn extrapolate(
    (layout, node): (Layout, usize),
    h: f64,
    b: &[f64],
    (y, latest, past): (&Numbers, &Numbers, &[Numbers; 4]),
    moved: &mut Numbers,
) {
    for i in layout.positions(node) {
        moved.q[i] = y.q[i] + h * (b[0] * latest.q[i] + b[1..].iter().zip(past).map(|(b, p)| b * p.q[i]).sum::<f64>());
    }
    for i in layout.velocities(node) {
        moved.v[i] = y.v[i] + h * (b[0] * latest.v[i] + b[1..].iter().zip(past).map(|(b, p)| b * p.v[i]).sum::<f64>());
    }
}

/// Inserts the latest rates of one node before its past ones.
pub fn push((layout, node): (Layout, usize), latest: &Numbers, past: &mut [Numbers; 4]) {
    for k in (0..4).rev() {
        let (newer, older) = past.split_at_mut(k);
        let from = newer.last().unwrap_or(latest);
        layout.positions(node).for_each(|i| older[0].q[i] = from.q[i]);
        layout.velocities(node).for_each(|i| older[0].v[i] = from.v[i]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_the_published_ones() {
        let published: [&[f64]; 5] = [
            &[1.0],
            &[1.5, -0.5],
            &[23.0 / 12.0, -16.0 / 12.0, 5.0 / 12.0],
            &[55.0 / 24.0, -59.0 / 24.0, 37.0 / 24.0, -9.0 / 24.0],
            &[1901.0 / 720.0, -2774.0 / 720.0, 2616.0 / 720.0, -1274.0 / 720.0, 251.0 / 720.0],
        ];
        for (order, published) in (1..).zip(published) {
            let b = weights(order, 1.0);
            for (b, published) in b.iter().zip(published) {
                // five products and a division, each right to half a unit
                assert!((b - published).abs() <= 8.0 * f64::EPSILON * published.abs(), "{order}: {b} {published}");
            }
            assert!(b[published.len()..].iter().all(|b| *b == 0.0));
        }
    }

    #[test]
    fn weights_integrate_polynomials_below_the_order_exactly() {
        for order in 1..=5 {
            for s in [0.0, 0.25, 0.7, 1.0] {
                let b = weights(order, s);
                for power in 0..order as i32 {
                    let sum: f64 = (0..order).map(|j| b[j] * (-(j as f64)).powi(power)).sum();
                    let exact = f64::powi(s, power + 1) / f64::from(power + 1);
                    assert!((sum - exact).abs() < 1e-12, "{order} {s} {power}: {sum} {exact}");
                }
            }
        }
    }
}
