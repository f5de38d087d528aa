//! Joints that keep a point of both bodies together, and axes perpendicular: all that turn about one point.

use super::{JointElement, Primitive, consecutive};
use crate::spatial::Vec3;

/// FIXED, REVOLUTE, UNIVERSAL, SPHERICAL without drives and redundant constraints.
#[derive(Debug, Clone)]
pub struct Hinge {
    /// The common point on bodies a and b, body axes.
    pub points: [Vec3; 2],
    /// Pairs of axes, u on a and w on b, body axes; zero where there are fewer than three.
    pub axes: [[Vec3; 2]; 3],
    /// How many pairs there are: 3, 2, 1, 0 in the order of the kinds above.
    pub pairs: usize,
    /// The first of the three multipliers that keep the point together.
    pub first: usize,
    /// The multiplier of each pair.
    pub multipliers: [usize; 3],
}

impl JointElement {
    /// The joint as one that turns about a point; None where it is none, or constraints of it are left out.
    pub fn hinge(&self) -> Option<Hinge> {
        let [Primitive::Coincident(point), rest @ ..] = &self.primitives[..] else { return None };
        if rest.len() > 3 {
            return None;
        }
        let first = consecutive(&self.indices[..3])?;
        let mut hinge = Hinge {
            points: [point.a, point.b],
            axes: [[Vec3::zeros(); 2]; 3],
            pairs: rest.len(),
            first,
            multipliers: [0; 3],
        };
        for (k, primitive) in rest.iter().enumerate() {
            let Primitive::Perpendicular(pair) = primitive else { return None };
            hinge.axes[k] = [pair.a, pair.b];
            hinge.multipliers[k] = self.indices[3 + k]?;
        }
        Some(hinge)
    }
}
