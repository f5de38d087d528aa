//! Internal pressure: the force of what fills a line on its wall.
//!
//! A line full of something at rest or in steady flow takes the weight of its contents, and
//! `-d(p A t)/ds` per length (the balance of momentum of the contents). Each segment therefore has
//! the energy `-p A s` of its length s: it pushes both nodes apart with p A, so that its effective
//! tension is `T - p A`. With the pressures of both of its nodes, p is their mean.

use super::algebra::{add_to_diagonal, dyad};
use super::chain::{Chain, NO_LENGTH};
use super::{Evaluation, Motions};
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

    /// p A of each segment.
    fn thrusts(&self) -> impl Iterator<Item = f64> {
        self.pressure.windows(2).map(|ends| 0.5 * (ends[0] + ends[1]) * self.area)
    }

    /// Adds what pressure does to residuals and, with the factor of stiffness, to the blocks.
    pub(super) fn press(&self, l: f64, motions: &Motions, stiffness: Option<f64>, out: &mut Evaluation) {
        let x = motions.x;
        for (j, thrust) in self.thrusts().enumerate() {
            let chord = x[j + 1] - x[j];
            let s = chord.norm();
            if s <= NO_LENGTH * l {
                continue;
            }
            let t = chord / s;
            let force = t * thrust;
            out.residual[j] += force;
            out.residual[j + 1] -= force;
            let ends = [(j == 0).then_some(-force), (j + 1 == self.segments).then_some(force)];
            for (sum, force) in out.end_forces.iter_mut().zip(ends) {
                *sum += force.unwrap_or(Vec3::zeros());
            }
            let Some(factor) = stiffness.filter(|factor| *factor != 0.0) else { continue };
            let mut softer = dyad(&t, &t);
            add_to_diagonal(&mut softer, -1.0);
            let softer = softer * (thrust * factor / s);
            out.diagonal[j] += softer;
            out.diagonal[j + 1] += softer;
            out.upper[j] -= softer;
            out.lower[j] -= softer;
            for (columns, force) in out.ends.iter_mut().zip(ends) {
                if force.is_some() {
                    columns.stiffness[0] += softer;
                    columns.stiffness[1] -= softer;
                }
            }
        }
    }

    /// Energy of pressure, zero where no segment is stretched.
    pub(super) fn pressure_energy(&self, l: f64, x: impl Fn(usize) -> Vec3) -> f64 {
        self.thrusts().enumerate().map(|(j, thrust)| -thrust * ((x(j + 1) - x(j)).norm() - l)).sum()
    }
}
