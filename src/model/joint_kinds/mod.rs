//! The kinds of joints as data: constraints, coordinate, slide. There is no computation here.
//!
//! A new kind is a file with its [`Kind`], and its line in the list below; its number in the C API
//! is its index there, and `capi::status` has the constant. `system::joints` has the equations of
//! the constraints: a kind that needs another constraint than those of [`Constraint`] adds it in
//! both places.

mod cylindrical;
mod distance;
mod fixed;
mod planar;
mod point_on_line;
mod point_on_plane;
mod prismatic;
mod revolute;
mod rolling;
mod screw;
mod spherical;
mod universal;

use crate::error::{Error, Result};

/// The coordinate of a joint; zero at coincident joint frames, unless the joint has an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinate {
    /// Rotation of b about z of a (rad), counted over any number of turns.
    Angle,
    /// Displacement of the origin of b along z of a.
    Displacement,
}

/// Makes the enum of the kinds, and the method that returns their facts.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $file:ident),* $(,)?) => {
        /// The kind of a joint, named after the motion of b relative to a.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum JointKind {
            $($(#[$doc])* $kind),*
        }

        impl JointKind {
            /// Every kind, in the order of the C API's numbers.
            pub const ALL: [JointKind; [$(stringify!($kind)),*].len()] = [$(JointKind::$kind),*];

            /// Its facts.
            pub fn facts(self) -> &'static Kind {
                match self {
                    $(JointKind::$kind => &$file::KIND),*
                }
            }
        }
    };
}
kinds! {
    /// No free motion.
    Fixed = fixed,
    /// All rotations; origins coincide.
    Spherical = spherical,
    /// Rotation about the common z axis.
    Revolute = revolute,
    /// Displacement along the common z axis.
    Prismatic = prismatic,
    /// Rotation about and displacement along the common z axis.
    Cylindrical = cylindrical,
    /// Rotations about x of frame a and y of frame b, which stay perpendicular; origins coincide.
    Universal = universal,
    /// Origin of b in the xy plane of a, z axes parallel.
    Planar = planar,
    /// Cylindrical, with rotation and displacement tied by the pitch.
    Screw = screw,
    /// Everything except the distance of the origins.
    Distance = distance,
    /// Origin of b on the z axis of a; all rotations.
    PointOnLine = point_on_line,
    /// Origin of b in the xy plane of a; all rotations.
    PointOnPlane = point_on_plane,
    /// A disc about the origin of b, normal to its z axis, rolls without slip on the xy plane of a.
    Rolling = rolling,
}

/// The facts of a kind of joint.
#[derive(Debug)]
pub struct Kind {
    /// For messages and, in small letters, for model files.
    pub name: &'static str,
    /// Its constraints, in the order of its multipliers.
    pub constraints: &'static [Constraint],
    /// The axes that must be aligned, because the equations have other solutions, too.
    pub aligned: Aligned,
    /// Whether its description has an axis.
    pub has_axis: bool,
    /// Its coordinate, if it has one.
    pub coordinate: Option<Coordinate>,
    /// Whether its coordinate may be imposed.
    pub can_be_driven: bool,
    /// Whether b may slide along z of a.
    pub slide: Slide,
    /// A number in its description beside the frames.
    pub parameter: Option<Parameter>,
}

impl Kind {
    /// A kind without name, constraints, axis, coordinate, slide and parameter.
    const NONE: Kind = Kind {
        name: "",
        constraints: &[],
        aligned: Aligned::Nothing,
        has_axis: false,
        coordinate: None,
        can_be_driven: false,
        slide: Slide::Held,
        parameter: None,
    };
}

/// An axis of a joint frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// x.
    X,
    /// y.
    Y,
    /// z: the axis of a joint that has one.
    Z,
}

/// A constraint between the two frames of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// The origins coincide (3 equations).
    Coincident,
    /// An axis of a is perpendicular to an axis of b.
    Perpendicular(Axis, Axis),
    /// The origin of b stays in the plane through the origin of a that is normal to this axis of a.
    InPlane(Axis),
    /// The origins keep their distance.
    Distance,
    /// The displacement along z follows the rotation about z by the pitch.
    Screw,
    /// A disc of b touches the plane of a and does not slip there (3 equations).
    Rolling,
}

impl Constraint {
    /// Names of the constrained directions of its equations; axes are those of frame a unless they
    /// are inertial.
    pub fn names(self) -> &'static [&'static str] {
        const TRANSLATIONS: [[&str; 1]; 3] =
            [["translation along x"], ["translation along y"], ["translation along z"]];
        const ROTATIONS: [[&str; 1]; 3] = [["rotation about x"], ["rotation about y"], ["rotation about z"]];
        match self {
            Constraint::Coincident => {
                &["translation along inertial x", "translation along inertial y", "translation along inertial z"]
            }
            // Rotation about the third axis.
            Constraint::Perpendicular(a, b) => &ROTATIONS[(6 - a as usize - b as usize) % 3],
            Constraint::InPlane(axis) => &TRANSLATIONS[axis as usize],
            Constraint::Distance => &["distance of the origins"],
            Constraint::Screw => &["advance of the screw"],
            Constraint::Rolling => &["slip along the heading", "slip across the heading", "height of the disc"],
        }
    }
}

/// The axes of the joint frames that are aligned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aligned {
    /// Nothing.
    Nothing,
    /// The z axes.
    Z,
    /// x of a is perpendicular to y of b.
    Cross,
    /// All axes.
    Frames,
}

/// Displacement of b along z of a.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slide {
    /// It is fixed.
    Held,
    /// It is the coordinate, or proportional to it.
    Tied,
    /// It is independent of the coordinate.
    Free,
}

/// A number in the description of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameter {
    /// The distance of the origins, taken from the initial poses.
    Distance,
    /// The displacement per turn, which the host sets.
    Pitch,
    /// The radius of the disc, which the host sets.
    Radius,
}

impl JointKind {
    /// From the C API's number. Errors: an unknown number.
    pub fn from_code(code: i32) -> Result<JointKind> {
        usize::try_from(code)
            .ok()
            .and_then(|code| JointKind::ALL.get(code).copied())
            .ok_or_else(|| Error::bad_value("kind", format!("{code} is not a joint kind")))
    }

    /// From its name in any case; the error lists the known ones.
    pub fn from_name(name: &str) -> Result<JointKind> {
        JointKind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let known = JointKind::ALL.map(|kind| kind.name().to_ascii_lowercase()).join(", ");
            Error::bad_value("kind", format!("\"{name}\" is unknown; known: {known}"))
        })
    }

    /// Name, for messages and, in small letters, for model files.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Whether its description has an axis.
    pub fn has_axis(self) -> bool {
        self.facts().has_axis
    }

    /// Its coordinate, if it has one.
    pub fn coordinate(self) -> Option<Coordinate> {
        self.facts().coordinate
    }

    /// Whether its coordinate may be driven.
    pub fn can_be_driven(self) -> bool {
        self.facts().can_be_driven
    }

    /// Whether it has a displacement along z that is independent of its coordinate.
    pub fn has_free_slide(self) -> bool {
        self.facts().slide == Slide::Free
    }

    /// Whether b may slide along z of a at all.
    pub fn has_slide(self) -> bool {
        self.facts().slide != Slide::Held
    }

    /// Whether the host must set its pitch.
    pub fn has_pitch(self) -> bool {
        self.facts().parameter == Some(Parameter::Pitch)
    }

    /// Whether it is a disc that rolls, whose radius the host must set.
    pub fn rolls(self) -> bool {
        self.facts().parameter == Some(Parameter::Radius)
    }

    /// Whether it keeps the initial distance of its origins.
    pub fn keeps_distance(self) -> bool {
        self.facts().parameter == Some(Parameter::Distance)
    }
}
