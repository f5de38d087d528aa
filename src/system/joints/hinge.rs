//! Joints that turn about one point: coincident points and perpendicular axes.

use super::{Coincident, JointElement, Perpendicular, Primitive, consecutive};
use crate::spatial::Vec3;
use crate::system::assembly::Level;
use crate::system::motion::Motion;

/// A FIXED, REVOLUTE, UNIVERSAL or SPHERICAL joint without drives and redundant constraints.
#[derive(Debug, Clone)]
pub struct Hinge {
    /// The common point.
    pub point: Coincident,
    /// Pairs of axes, zero after the first `pairs`. The first two share their axis on body b.
    pub axes: [Perpendicular; 3],
    /// How many pairs there are: 3, 2, 1, 0 in the order of the kinds above.
    pub pairs: usize,
    /// The first of the three multipliers of the coincident points.
    pub first: usize,
    /// The multiplier of each pair.
    pub multipliers: [usize; 3],
}

impl Hinge {
    /// Writes the values of all constraints at motions of both bodies to the indices of their
    /// multipliers.
    #[inline(always)]
    pub fn equations(&self, level: Level, [a, b]: [&Motion; 2], into: &mut [f64]) {
        into[self.first..self.first + 3].copy_from_slice(self.point.equations(level, a, b).as_slice());
        let mut common = Vec3::zeros();
        for (k, (axes, index)) in self.axes.iter().zip(self.multipliers).take(self.pairs).enumerate() {
            if k != 1 {
                common = axes.seen_from_a(level, a, b);
            }
            into[index] = axes.a.dot(&common);
        }
    }
}

impl JointElement {
    /// The joint as a hinge; None if it is of another kind or has redundant constraints.
    pub fn hinge(&self) -> Option<Hinge> {
        let [Primitive::Coincident(point), rest @ ..] = &self.primitives[..] else { return None };
        if rest.len() > 3 {
            return None;
        }
        let none = Perpendicular { a: Vec3::zeros(), b: Vec3::zeros() };
        let mut hinge = Hinge {
            point: point.clone(),
            axes: [none.clone(), none.clone(), none],
            pairs: rest.len(),
            first: consecutive(&self.indices[..3])?,
            multipliers: [0; 3],
        };
        for (k, primitive) in rest.iter().enumerate() {
            let Primitive::Perpendicular(pair) = primitive else { return None };
            hinge.axes[k] = pair.clone();
            hinge.multipliers[k] = self.indices[3 + k]?.get();
        }
        let has_common = hinge.pairs < 2 || hinge.axes[0].b == hinge.axes[1].b;
        has_common.then_some(hinge)
    }
}
