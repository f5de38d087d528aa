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
use crate::spatial::{Vec3, rotation};
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
    let Stages { y, start, .. } = &mut memory.stages;
    let layout = from.state.layout;
    let (method, b) = (Method::new(order), weights(order, 1.0));
    for node in 0..layout.nodes() {
        method.extrapolate((layout, node), (h, &b), &from.state.v, (start, past), y);
    }
    stage::finish_at(problem, from, to, memory, &mut report, false)?;
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

/// The method of an order, with the weights that lead back to its past places.
#[derive(Clone, Copy)]
pub struct Method {
    order: usize,
    back: [[f64; 5]; 5],
}

impl Method {
    /// Of an order, 1 to 5.
    pub fn new(order: usize) -> Method {
        Method { order, back: std::array::from_fn(|j| weights(order, -(j as f64))) }
    }

    /// y of one node at a fraction `s` of a step of length h: `h sum_j b_j(s) f(n-j)` from a place
    /// with the velocities `v`, `latest` the rates there, `past` those before. Rates of rotations
    /// are angular velocities, each at its own place; the method adds them as rates of the rotation
    /// vector from the place where the step starts ([`Method::pull_back`]).
    pub fn extrapolate(
        &self,
        (layout, node): (Layout, usize),
        (h, b): (f64, &[f64; 5]),
        v: &[f64],
        (latest, past): (&Numbers, &[Numbers; 4]),
        y: &mut Numbers,
    ) {
        let range = layout.velocities(node);
        let older = || b[1..self.order].iter().zip(past);
        for i in range.clone() {
            y.u[i] = h * older().fold(b[0] * latest.u[i], |sum, (b, rates)| sum + b * rates.u[i]);
            y.v[i] = v[i] + h * older().fold(b[0] * latest.v[i], |sum, (b, rates)| sum + b * rates.v[i]);
        }
        if self.order > 2 && range.len() > 3 {
            let k = range.start + 3;
            let omega = |Numbers { u, .. }: &Numbers| Vec3::new(u[k], u[k + 1], u[k + 2]);
            let omega = std::array::from_fn(|j| omega(if j == 0 { latest } else { &past[j - 1] }));
            y.u[k..k + 3].copy_from_slice(combine(h, b, &self.pull_back(h, omega)).as_slice());
        }
    }

    /// Rates of the rotation vector psi from the present place, at the present and at past places h
    /// apart, by the angular velocities there: `psidot = T^-T(psi) omega` (multistep methods on Lie
    /// groups: Faltinsen, Marthinsen, Munthe-Kaas 2001, Appl. Numer. Math. 39). The past psi are
    /// integrals of the polynomial through the rates; each pass of this fixed-point iteration
    /// raises the order by one, from 2.
    fn pull_back(&self, h: f64, omega: [Vec3; 5]) -> [Vec3; 5] {
        let mut rates = omega;
        for _ in 2..self.order {
            let last = rates;
            for j in 1..self.order {
                rates[j] = rotation::vector_rate(&combine(h, &self.back[j], &last), &omega[j]);
            }
        }
        rates
    }
}

/// `h sum_j b_j rate_j`.
fn combine(h: f64, b: &[f64; 5], rates: &[Vec3; 5]) -> Vec3 {
    b.iter().zip(rates).fold(Vec3::zeros(), |sum, (b, rate)| sum + rate * *b) * h
}

/// Inserts the latest rates of one node before its past ones.
pub fn push((layout, node): (Layout, usize), latest: &Numbers, past: &mut [Numbers; 4]) {
    for k in (0..4).rev() {
        let (newer, older) = past.split_at_mut(k);
        let from = newer.last().unwrap_or(latest);
        for i in layout.velocities(node) {
            (older[0].u[i], older[0].v[i]) = (from.u[i], from.v[i]);
        }
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
