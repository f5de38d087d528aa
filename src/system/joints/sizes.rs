//! Sizes of the reactions of a joint, relative to which the balance of its bodies is measured.

use super::{Drives, JointElement, Primitive};
use crate::spatial::{Vec3, lower, upper};
use crate::system::motion::Motion;

impl JointElement {
    /// Size of the imposed value of an independent constraint; 0 if nothing is imposed.
    pub(in crate::system) fn imposed_size(&self, constraint: usize, drives: &Drives) -> f64 {
        let row = self.indices.iter().position(|index| index.is_some_and(|index| index.get() == constraint));
        match row.and_then(|row| self.drive_of(row)) {
            Some(0) => drives[0][0].abs() + self.rest.offset.abs(),
            Some(which) => drives[which][0].abs(),
            None => 0.0,
        }
    }

    /// Upper bounds of force and moment of the multipliers on each end. `arms`: distances of the
    /// joint frames from the points about which moments are taken.
    pub fn reaction_sizes(&self, [a, b]: [&Motion; 2], arms: &[f64; 2], lambda: &[f64]) -> [[f64; 2]; 2] {
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
                // Gradients of axes have norms of at most 1.
                Primitive::Perpendicular(_) => (0..2).for_each(|end| add(end, 0.0, multiplier(0).abs())),
                _ => primitive.for_each_row(a, b, |k, _, row| {
                    for (end, gradient) in [row.a, row.b].iter().enumerate() {
                        let lambda = multiplier(k).abs();
                        add(end, upper(gradient).norm() * lambda, lower(gradient).norm() * lambda);
                    }
                }),
            }
            first += primitive.rows();
        }
        sizes
    }
}
