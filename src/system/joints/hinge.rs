//! Joints that keep a point of both bodies together, and axes perpendicular: all that turn about one point.

use super::{Coincident, JointElement, Perpendicular, Primitive, consecutive};
use crate::spatial::Vec3;
use crate::system::assembly::Level;
use crate::system::motion::Motion;

/// FIXED, REVOLUTE, UNIVERSAL, SPHERICAL without drives and redundant constraints.
#[derive(Debug, Clone)]
pub struct Hinge {
    /// The common point.
    pub point: Coincident,
    /// Pairs of axes; of zeros where there are fewer than three. The first two have their axis on body b in common.
    pub axes: [Perpendicular; 3],
    /// How many pairs there are: 3, 2, 1, 0 in the order of the kinds above.
    pub pairs: usize,
    /// The first of the three multipliers that keep the point together.
    pub first: usize,
    /// The multiplier of each pair.
    pub multipliers: [usize; 3],
}

impl Hinge {
    /// What all constraints state at motions of both bodies, into the places of their multipliers.
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
    /// The joint as one that turns about a point; None where it is none, or constraints of it are left out.
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
