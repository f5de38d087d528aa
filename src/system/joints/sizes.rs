//! How large what the multipliers of a joint do is: against this the rounding of its bodies' equations is measured.

use super::{Drives, JointElement, MOST_ROWS, Primitive};
use crate::spatial::{Vec3, lower, upper};
use crate::system::motion::Motion;

impl JointElement {
    /// Indices of its independent constraints.
    pub fn constraints(&self) -> impl Iterator<Item = usize> {
        self.indices.iter().flatten().map(|index| index.get())
    }

    /// How large the numbers are that an independent constraint compares a coordinate with; 0 where nothing is imposed.
    pub(in crate::system) fn imposed_size(&self, constraint: usize, drives: &Drives) -> f64 {
        let row = self.indices.iter().position(|index| index.is_some_and(|index| index.get() == constraint));
        match row.and_then(|row| self.drive_of(row)) {
            Some(0) => drives[0][0].abs() + self.rest.offset.abs(),
            Some(which) => drives[which][0].abs(),
            None => 0.0,
        }
    }

    /// Force and moment on each end that multipliers make, without regard to signs: upper bounds. `arms`: how far the joint frames
    /// are from the points about which moments count.
    pub fn reaction_sizes(&self, [a, b]: [&Motion; 2], arms: &[f64; 2], lambda: &[f64]) -> [[f64; 2]; 2] {
        if let Some(has_point) = self.is_plain {
            return self.plain_sizes(has_point, arms, lambda);
        }
        let (mut sizes, mut first) = ([[0.0; 2]; 2], 0);
        let mut add = |end: usize, force: f64, moment: f64| {
            sizes[end][0] += force;
            sizes[end][1] += moment;
        };
        for primitive in self.primitives.iter() {
            let multiplier = |k: usize| self.indices[first + k].map_or(0.0, |index| lambda[index.get()]);
            match primitive {
                // The origins of both frames.
                Primitive::Coincident(_) => {
                    let force = Vec3::from_fn(|k, _| multiplier(k)).norm();
                    (0..2).for_each(|end| add(end, force, force * arms[end]));
                }
                // Gradients of angles between axes are no longer than 1.
                Primitive::Perpendicular(_) => (0..2).for_each(|end| add(end, 0.0, multiplier(0).abs())),
                _ => primitive.for_each_row(a, b, |_, _, row| {
                    for (end, gradient) in [row.a, row.b].iter().enumerate() {
                        let lambda = multiplier(0).abs();
                        add(end, upper(gradient).norm() * lambda, lower(gradient).norm() * lambda);
                    }
                }),
            }
            first += primitive.rows();
        }
        sizes
    }

    /// The same where no primitive has to be looked at ([`is_plain`]).
    #[inline(always)]
    fn plain_sizes(&self, has_point: bool, arms: &[f64; 2], lambda: &[f64]) -> [[f64; 2]; 2] {
        let multiplier = |k: usize| self.indices[k].map_or(0.0, |index| lambda[index.get()]);
        let force = if has_point { Vec3::from_fn(|k, _| multiplier(k)).norm() } else { 0.0 };
        let turns = if has_point { 3 } else { 0 }..MOST_ROWS;
        arms.map(|arm| [force, turns.clone().fold(force * arm, |moment, k| moment + multiplier(k).abs())])
    }
}

/// Of joints that keep points together and axes perpendicular alone, whose multipliers say how large reactions are: whether they do the
/// first, and begin with it. Else None.
pub(super) fn is_plain(primitives: &[Primitive]) -> Option<bool> {
    let is_turn = |primitive: &Primitive| matches!(primitive, Primitive::Perpendicular(_));
    match primitives {
        [Primitive::Coincident(_), turns @ ..] if turns.iter().all(is_turn) => Some(true),
        turns => turns.iter().all(is_turn).then_some(false),
    }
}
