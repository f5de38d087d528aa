//! The inputs of each entity, by name: suffix and unit of each number, in groups. A group is the
//! argument of one setter, and is set as a whole; `read` and `write` in `mod.rs` call the setter.
//!
//! Units are SI symbols for the dimension, as those of channels. No suffix is the end of another
//! after a dot, so that names of one kind differ even if the labels contain dots.

use crate::model::{Coordinate, EntityKind, Model, Support};

/// Suffix and unit.
pub(super) type Column = (&'static str, &'static str);

/// The most numbers that a group has: those of the motion of a body.
pub(in crate::simulation) const WIDEST: usize = 19;

/// Indices of the quaternion of a body's motion.
pub(in crate::simulation) const QUATERNION: std::ops::Range<usize> = 3..7;

/// The setter of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) enum What {
    BodyLoad,
    BodyMotion,
    JointLoad,
    JointMotion,
    SlideLoad,
    SlideMotion,
    MarkerLoad,
    PointLoad,
    PointMotion,
    LineLength,
    TendonLength,
    Brake,
    SlideBrake,
    ClutchCapacity,
}

impl What {
    /// The kind of what has a length.
    pub(in crate::simulation) fn winch(self) -> EntityKind {
        if self == What::TendonLength { EntityKind::Tendon } else { EntityKind::Line }
    }

    /// Whether it is the length of a line or a tendon, which is an input in a run only.
    pub(in crate::simulation) fn is_length(self) -> bool {
        matches!(self, What::LineLength | What::TendonLength)
    }
}

const WRENCH: [Column; 6] =
    [("load.fx", "N"), ("load.fy", "N"), ("load.fz", "N"), ("load.mx", "N m"), ("load.my", "N m"), ("load.mz", "N m")];

const BODY_MOTION: [Column; WIDEST] = [
    ("motion.pos.x", "m"),
    ("motion.pos.y", "m"),
    ("motion.pos.z", "m"),
    ("motion.quat.w", "-"),
    ("motion.quat.x", "-"),
    ("motion.quat.y", "-"),
    ("motion.quat.z", "-"),
    ("motion.vel.x", "m/s"),
    ("motion.vel.y", "m/s"),
    ("motion.vel.z", "m/s"),
    ("motion.omega.x", "rad/s"),
    ("motion.omega.y", "rad/s"),
    ("motion.omega.z", "rad/s"),
    ("motion.acc.x", "m/s^2"),
    ("motion.acc.y", "m/s^2"),
    ("motion.acc.z", "m/s^2"),
    ("motion.alpha.x", "rad/s^2"),
    ("motion.alpha.y", "rad/s^2"),
    ("motion.alpha.z", "rad/s^2"),
];

const MOMENT: [Column; 1] = [("load", "N m")];
const FORCE: [Column; 1] = [("load", "N")];
const ANGLE: [Column; 3] = [("motion.angle", "rad"), ("motion.rate", "rad/s"), ("motion.acc", "rad/s^2")];
const DISPLACEMENT: [Column; 3] = [("motion.displacement", "m"), ("motion.rate", "m/s"), ("motion.acc", "m/s^2")];
const SLIDE_FORCE: [Column; 1] = [("slide_load", "N")];
const SLIDE: [Column; 3] =
    [("slide_motion.displacement", "m"), ("slide_motion.rate", "m/s"), ("slide_motion.acc", "m/s^2")];

const POINT_FORCE: [Column; 3] = [("load.fx", "N"), ("load.fy", "N"), ("load.fz", "N")];
const POINT_MOTION: [Column; 9] = [
    ("motion.pos.x", "m"),
    ("motion.pos.y", "m"),
    ("motion.pos.z", "m"),
    ("motion.vel.x", "m/s"),
    ("motion.vel.y", "m/s"),
    ("motion.vel.z", "m/s"),
    ("motion.acc.x", "m/s^2"),
    ("motion.acc.y", "m/s^2"),
    ("motion.acc.z", "m/s^2"),
];

const LENGTH: [Column; 2] = [("length", "m"), ("length_rate", "m/s")];

const BRAKE_OF_ANGLE: [Column; 1] = [("brake", "N m")];
const BRAKE: [Column; 1] = [("brake", "N")];
const SLIDE_BRAKE: [Column; 1] = [("slide_brake", "N")];
const CLUTCH_OF_ANGLES: [Column; 2] = [("capacity_back", "N m"), ("capacity_forth", "N m")];
const CLUTCH: [Column; 2] = [("capacity_back", "N"), ("capacity_forth", "N")];

/// The kinds of entities that have inputs, in the order of the list.
pub(super) const KINDS: [EntityKind; 7] = [
    EntityKind::Body,
    EntityKind::Joint,
    EntityKind::Marker,
    EntityKind::Point,
    EntityKind::Line,
    EntityKind::Tendon,
    EntityKind::Clutch,
];

/// Indices of the rate and the acceleration of a number of a group, if it is a position; a length
/// has a rate only. A quaternion has the angular velocity and acceleration instead.
pub(in crate::simulation) fn derivatives(what: What, component: usize) -> Option<[Option<usize>; 2]> {
    let places = match (what, component) {
        (What::BodyMotion, 0..3) => [Some(component + 7), Some(component + 13)],
        (What::JointMotion | What::SlideMotion, 0) => [Some(1), Some(2)],
        (What::PointMotion, 0..3) => [Some(component + 3), Some(component + 6)],
        (What::LineLength | What::TendonLength, 0) => [Some(1), None],
        _ => return None,
    };
    Some(places)
}

/// The groups of an entity with their numbers, in order.
pub(super) fn groups(
    model: &Model,
    kind: EntityKind,
    index: usize,
) -> impl Iterator<Item = (What, &'static [Column])> + use<> {
    let one = |there: bool, what: What, columns: &'static [Column]| there.then_some((what, columns));
    let groups = match kind {
        EntityKind::Body => [
            one(true, What::BodyLoad, &WRENCH),
            one(model.bodies[index].prescribed, What::BodyMotion, &BODY_MOTION),
            None,
            None,
            None,
            None,
        ],
        EntityKind::Joint => {
            let joint = &model.joints[index];
            let of_coordinate: Option<[&'static [Column]; 3]> =
                joint.kind.coordinate().map(|coordinate| match coordinate {
                    Coordinate::Angle => [&MOMENT[..], &ANGLE[..], &BRAKE_OF_ANGLE[..]],
                    Coordinate::Displacement => [&FORCE[..], &DISPLACEMENT[..], &BRAKE[..]],
                });
            let [rubs, slide_rubs] = joint.machines.map(|machine| machine.friction.is_some());
            [
                of_coordinate.map(|[load, ..]| (What::JointLoad, load)),
                of_coordinate.filter(|_| joint.driven).map(|[_, motion, _]| (What::JointMotion, motion)),
                one(joint.kind.has_free_slide(), What::SlideLoad, &SLIDE_FORCE),
                one(joint.slide_driven, What::SlideMotion, &SLIDE),
                of_coordinate.filter(|_| rubs).map(|[.., brake]| (What::Brake, brake)),
                one(slide_rubs, What::SlideBrake, &SLIDE_BRAKE),
            ]
        }
        EntityKind::Marker => [one(true, What::MarkerLoad, &WRENCH), None, None, None, None, None],
        EntityKind::Point => [
            one(true, What::PointLoad, &POINT_FORCE),
            one(model.points[index].support == Support::Prescribed, What::PointMotion, &POINT_MOTION),
            None,
            None,
            None,
            None,
        ],
        EntityKind::Line => [one(true, What::LineLength, &LENGTH), None, None, None, None, None],
        EntityKind::Tendon => [one(true, What::TendonLength, &LENGTH), None, None, None, None, None],
        EntityKind::Clutch => {
            let [_, (joint, which)] = model.clutches[index].coordinates;
            let is_angle = which == 0 && model.joints[joint].kind.coordinate() == Some(Coordinate::Angle);
            let columns = if is_angle { &CLUTCH_OF_ANGLES } else { &CLUTCH };
            [one(true, What::ClutchCapacity, columns), None, None, None, None, None]
        }
        _ => [None; 6],
    };
    groups.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_suffix_is_the_end_of_another_after_a_dot() {
        let lists: [&[Column]; 14] = [
            &WRENCH,
            &BODY_MOTION,
            &MOMENT,
            &FORCE,
            &ANGLE,
            &DISPLACEMENT,
            &SLIDE_FORCE,
            &SLIDE,
            &POINT_FORCE,
            &POINT_MOTION,
            &LENGTH,
            &BRAKE,
            &SLIDE_BRAKE,
            &CLUTCH,
        ];
        let all: Vec<&str> = lists.concat().into_iter().map(|(suffix, _)| suffix).collect();
        for short in &all {
            assert!(!all.iter().any(|long| long.ends_with(&format!(".{short}"))), "{short}");
        }
    }
}
