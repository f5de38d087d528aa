//! Constraints of a joint that are left out because they follow from others: their names, and their
//! residuals in accelerations.

use super::{Drives, JointElement, acceleration};
use crate::system::motion::Motion;

impl JointElement {
    /// The name of each row; axes are those of frame a unless they are inertial.
    pub fn row_names(&self) -> impl Iterator<Item = &'static str> {
        let held = self.kind.facts().constraints.iter().flat_map(|constraint| constraint.names());
        let angle = self.has_angle();
        let [driven, slide_driven] = self.driven;
        let coordinate = driven.then_some(if angle { "driven angle" } else { "driven displacement" });
        held.copied().chain(coordinate).chain(slide_driven.then_some("driven displacement"))
    }

    /// Largest residual of `B vdot + gamma` among the constraints left out, angles taken as arcs of
    /// radius `length`.
    pub fn torn(&self, [a, b]: [&Motion; 2], drives: &Drives, length: f64) -> f64 {
        let (mut largest, mut first) = (0.0f64, 0);
        for primitive in self.primitives.iter() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Joint, JointKind};
    use crate::spatial::{Pose, Vec3, Vec6};

    #[test]
    fn each_name_is_the_direction_of_its_constraint() {
        // The equations of a rolling disc act at its lowest point, not at the origins.
        for kind in JointKind::ALL.into_iter().filter(|kind| !kind.rolls()) {
            let driven = [kind.can_be_driven(), kind.has_free_slide()];
            let away = Pose { position: Vec3::new(0.0, 2.0, 0.0), ..Pose::identity() };
            let frame_b = if kind == JointKind::Distance { away } else { Pose::identity() };
            let mut joint = Joint::new(kind, None, Some(0), Pose::identity(), frame_b);
            (joint.distance, joint.pitch) = (2.0, 1.0);
            [joint.driven, joint.slide_driven] = driven;
            let element = JointElement::all(&[joint], 1)[0].clone();
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
