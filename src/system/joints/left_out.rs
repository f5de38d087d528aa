//! Constraints that are not solved for because they follow from others: what they hold, in words, and whether the
//! accelerations satisfy them too, as those of constraints that contradict each other cannot.

use super::{Drives, JointElement, acceleration};
use crate::spatial::{lower, upper};
use crate::system::motion::Motion;
use crate::system::{State, System};

/// What rounding leaves of accelerations, relative to those that loads and reactions would give: the unit of rounding and
/// some digits for the elimination. What contradicts by less comes apart by less than 1e-9 m in a second.
const ROUNDING: f64 = 1e-10;

impl JointElement {
    /// What each row holds, in words; axes are those of frame a unless they are inertial.
    fn row_names(&self) -> impl Iterator<Item = &'static str> {
        let held = self.kind.facts().constraints.iter().flat_map(|constraint| constraint.names());
        let angle = self.has_angle();
        let [driven, slide_driven] = self.driven;
        let coordinate = driven.then_some(if angle { "driven angle" } else { "driven displacement" });
        held.copied().chain(coordinate).chain(slide_driven.then_some("driven displacement"))
    }

    /// Largest residual of `B vdot + gamma` among the constraints left out, angles taken as arcs of radius `length`.
    fn torn(&self, [a, b]: [&Motion; 2], drives: &Drives, length: f64) -> f64 {
        let (mut largest, mut first) = (0.0f64, 0);
        for primitive in &self.primitives {
            let gamma = primitive.velocity_terms(a, b);
            let scale = if primitive.is_length() { 1.0 } else { length };
            primitive.for_each_row(a, b, |k, _, row| {
                if self.indices[first + k].is_none() {
                    let residual = acceleration(&row, a, b) + gamma[k] - self.imposed(first + k, drives, 2);
                    largest = largest.max(scale * residual.abs());
                }
            });
            first += primitive.rows();
        }
        largest
    }
}

impl System {
    /// The redundant constraints of a joint in words, and how many it has in all.
    pub fn redundant_of(&self, joint: usize) -> (Vec<&'static str>, usize) {
        let element = &self.joints[joint];
        let names = element.row_names().zip(&element.indices);
        (names.filter(|(_, index)| index.is_none()).map(|(name, _)| name).collect(), element.rows())
    }

    /// The first joint with a redundant constraint that the accelerations violate, and by how much.
    ///
    /// Two things leave a residual where nothing contradicts: frames that agree within `part` only, in proportion to what
    /// moves, and rounding, in proportion to what loads and reactions would do to the masses if they did not balance. At
    /// rest under its weight a mechanism has accelerations that are rounding themselves: they say nothing.
    pub fn torn_joint(&self, state: &State, part: f64) -> Option<(usize, f64)> {
        let limit = self.torn_limit(state, part);
        let torn = self.joints.iter().zip(&state.drives).map(|(joint, drives)| {
            let [a, b] = self.end_motions(joint.ends, state);
            joint.torn([&a, &b], drives, self.scales.length)
        });
        torn.enumerate().find(|(_, torn)| *torn > limit)
    }

    /// What a residual of accelerations must exceed to be a contradiction.
    pub fn torn_limit(&self, state: &State, part: f64) -> f64 {
        part * self.kinematic_size(state) + ROUNDING * self.load_size(state)
    }

    /// Largest acceleration of a body or a drive, or velocity term of one; angles as arcs of the model's length.
    fn kinematic_size(&self, state: &State) -> f64 {
        let length = self.scales.length;
        let bodies = state.motions().map(|body| {
            let turning = lower(&body.vdot).norm().max(lower(&body.v).norm_squared());
            upper(&body.vdot).norm().max(turning * length)
        });
        // All may be at rest but for a drive that others hold.
        let drives = self.joints.iter().zip(&state.drives).map(|(joint, [drive, slide])| {
            let scale = if joint.has_angle() { length } else { 1.0 };
            (scale * drive[2].abs()).max(slide[2].abs())
        });
        bodies.chain(drives).fold(0.0, f64::max)
    }

    /// Largest acceleration that gravity, or a multiplier on the masses that its constraint moves, would give.
    fn load_size(&self, state: &State) -> f64 {
        let reactions = state.lambda.iter().enumerate().map(|(k, lambda)| match self.constraint_scale(k) {
            (_, 0.0) => 0.0,
            (true, mass) => lambda.abs() / mass,
            (false, inertia) => lambda.abs() / inertia * self.scales.length,
        });
        reactions.fold(self.gravity.norm(), f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Joint, JointKind};
    use crate::spatial::{Pose, Vec3, Vec6};

    #[test]
    fn each_name_is_the_direction_of_its_constraint() {
        for kind in JointKind::ALL {
            let driven = [kind.can_be_driven(), kind.has_free_slide()];
            let away = Pose { position: Vec3::new(0.0, 2.0, 0.0), ..Pose::identity() };
            let frame_b = if kind == JointKind::Distance { away } else { Pose::identity() };
            let mut joint = Joint::new(kind, None, Some(0), Pose::identity(), frame_b);
            (joint.distance, joint.pitch) = (2.0, 1.0);
            [joint.driven, joint.slide_driven] = driven;
            let element = JointElement::new(&joint, 1);
            let names: Vec<_> = element.row_names().collect();
            assert_eq!(names.len(), element.rows(), "{kind:?}");
            let ground = Motion::ground();
            element.for_each_row([&ground, &ground], |k, _, row, _| {
                let along = |what: &str| "xyz".find(names[k].trim_start_matches(what).trim_start_matches("inertial "));
                let direction = match names[k] {
                    name if name.starts_with("translation") => along("translation along "),
                    name if name.starts_with("rotation") => along("rotation about ").map(|axis| 3 + axis),
                    "driven displacement" => Some(2),
                    "driven angle" => Some(5),
                    _ => None,
                };
                let Some(direction) = direction else {
                    assert!(matches!(kind, JointKind::Distance | JointKind::Screw), "{kind:?}: {}", names[k]);
                    return;
                };
                let expected = Vec6::from_fn(|i, _| if i == direction { row.b[i].signum() } else { 0.0 });
                assert!((row.b - expected).norm() < 1e-15, "{kind:?}: {} is {}", names[k], row.b);
            });
        }
    }
}
