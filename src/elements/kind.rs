//! Kinds of entities, which have ids, names and a count. Force elements are those of the list.

use crate::error::{Error, Result};

macro_rules! declare_kinds {
    ($($(#[$doc:meta])* $Kind:ident, $list:ident, $name:literal, $nodes:literal;)*) => {
        /// Kinds of entities that can be named, found and counted.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum EntityKind {
            /// Rigid bodies.
            Body,
            /// Joints.
            Joint,
            $($(#[$doc])* $Kind,)*
            /// Markers.
            Marker,
            /// Coupled load callbacks.
            Callback,
            /// Points.
            Point,
            /// Gears between two joints.
            Gear,
            /// Mooring lines.
            Line,
            /// Types of mooring lines.
            LineType,
            /// Beams of several elements.
            Beam,
            /// Clutches between two joints.
            Clutch,
        }

        impl EntityKind {
            /// Every kind, in the order of declaration.
            pub const ALL: [EntityKind; 10 + EntityKind::FORCES.len()] = [
                EntityKind::Body,
                EntityKind::Joint,
                $(EntityKind::$Kind,)*
                EntityKind::Marker,
                EntityKind::Callback,
                EntityKind::Point,
                EntityKind::Gear,
                EntityKind::Line,
                EntityKind::LineType,
                EntityKind::Beam,
                EntityKind::Clutch,
            ];

            /// Kinds of force elements, in the order of the list.
            pub const FORCES: [EntityKind; [$($name),*].len()] = [$(EntityKind::$Kind),*];

            /// Its name in the C API.
            pub fn name(self) -> &'static str {
                match self {
                    EntityKind::Body => "body",
                    EntityKind::Joint => "joint",
                    $(EntityKind::$Kind => $name,)*
                    EntityKind::Marker => "marker",
                    EntityKind::Callback => "callback",
                    EntityKind::Point => "point",
                    EntityKind::Gear => "gear",
                    EntityKind::Line => "line",
                    EntityKind::LineType => "line_type",
                    EntityKind::Beam => "beam",
                    EntityKind::Clutch => "clutch",
                }
            }
        }
    };
}

list_of_elements!(declare_kinds);

impl EntityKind {
    /// From that name; the error lists the known ones.
    pub fn from_name(name: &str) -> Result<EntityKind> {
        EntityKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
            let known = EntityKind::ALL.map(EntityKind::name).join(", ");
            Error::bad_value("kind", format!("\"{name}\" is unknown; known: {known}"))
        })
    }
}
