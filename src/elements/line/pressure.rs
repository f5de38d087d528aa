//! Internal pressure: the force of what fills a line on its wall.
//!
//! A line full of something at rest or in steady flow takes the weight of its contents, and
//! `-d(p A t)/ds` per length (the balance of momentum of the contents). Each segment therefore has
//! the energy `-p A s` of its length s: it pushes both nodes apart with p A, so that its effective
//! tension is `T - p A`. With the pressures of both of its nodes, p is their mean.

use super::chain::Chain;
use super::lanes::Two;
use crate::spatial::Vec3;

impl Chain {
    /// The pressures of all nodes; none where a line has been given none.
    pub fn pressures(&self) -> &[f64] {
        &self.pressure
    }

    /// The same, mutable.
    pub fn pressures_mut(&mut self) -> &mut [f64] {
        &mut self.pressure
    }

    /// p A of a segment; 0 beyond end B, and without pressure.
    #[inline(always)]
    pub(super) fn thrust(&self, j: usize) -> f64 {
        match self.pressure.get(j..j + 2) {
            Some([a, b]) => 0.5 * (a + b) * self.area,
            _ => 0.0,
        }
    }

    /// The same of segments j and j + 1.
    #[inline(always)]
    pub(super) fn thrusts(&self, j: usize) -> Two {
        if self.pressure.is_empty() { Two::ZERO } else { Two::new([self.thrust(j), self.thrust(j + 1)]) }
    }

    /// Energy of pressure, zero where no segment is stretched.
    pub(super) fn pressure_energy(&self, l: f64, x: impl Fn(usize) -> Vec3) -> f64 {
        if self.pressure.is_empty() {
            return 0.0;
        }
        (0..self.segments).map(|j| -self.thrust(j) * ((x(j + 1) - x(j)).norm() - l)).sum()
    }
}
