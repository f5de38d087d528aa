//! Sizes of the reactions of a joint, relative to which the rounding of its bodies' equations is
//! measured.

use super::{Drives, JointElement, MOST_ROWS, Primitive};
use crate::spatial::{Vec3, lower, upper};
use crate::system::motion::Motion;

impl JointElement {
    /// Indices of its independent constraints.
    pub fn constraints(&self) -> impl Iterator<Item = usize> {
        self.indices.iter().flatten().map(|index| index.get())
    }

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
        if self.is_plain {
            return self.plain_sizes(arms, lambda);
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
                // Gradients of axes have norms of at most 1.
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

    /// The same without looking at the primitives ([`is_plain`]).
    #[inline(always)]
    fn plain_sizes(&self, arms: &[f64; 2], lambda: &[f64]) -> [[f64; 2]; 2] {
        let multiplier = |k: usize| self.indices[k].map_or(0.0, |index| lambda[index.get()]);
        let force = Vec3::from_fn(|k, _| multiplier(k)).norm();
        arms.map(|arm| [force, (3..MOST_ROWS).fold(force * arm, |moment, k| moment + multiplier(k).abs())])
    }
}

/// Whether the multipliers alone give the sizes of reactions: for joints of coincident points,
/// followed by perpendicular axes.
pub(super) fn is_plain(primitives: &[Primitive]) -> bool {
    let is_turn = |primitive: &Primitive| matches!(primitive, Primitive::Perpendicular(_));
    matches!(primitives, [Primitive::Coincident(_), turns @ ..] if turns.iter().all(is_turn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Joint, JointKind};
    use crate::spatial::noise::Noise;
    use crate::spatial::{Pose, rotation};
    use crate::system::joints::Index;

    /// With and without looking at every primitive.
    #[test]
    fn sizes_by_multipliers_alone_are_those_by_primitives() {
        use JointKind::*;
        let mut noise = Noise(5);
        let mut pose = || Pose { position: noise.vec3(), rotation: rotation::exp(&noise.vec3()) };
        let lambda = [3.0, -0.2, 7.5, -1.5, 0.25, 40.0];
        for kind in [Spherical, Revolute, Universal, Fixed] {
            let joint = Joint::new(kind, None, Some(0), pose(), pose());
            let [mut joint] = JointElement::all(&[joint], 1).try_into().unwrap();
            assert!(joint.is_plain, "{kind:?}");
            // All rows, and all but one, which is redundant.
            for left_out in [None, Some(1), Some(joint.rows() - 1)] {
                for row in 0..joint.rows() {
                    joint.indices[row] = (Some(row) != left_out).then(|| Index::new(row));
                }
                let slow = JointElement { is_plain: false, ..joint.clone() };
                let (ends, arms) = ([&Motion::ground(), &Motion::ground()], [0.3, 2.0]);
                let [fast, slow] = [&joint, &slow].map(|joint| joint.reaction_sizes(ends, &arms, &lambda));
                assert_eq!(fast, slow, "{kind:?} without {left_out:?}");
                assert!(fast[1][1] > 0.0);
            }
        }
        let joint = Joint::new(Prismatic, None, Some(0), pose(), pose());
        assert!(!JointElement::all(&[joint], 1)[0].is_plain);
    }
}
