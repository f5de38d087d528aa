//! What the channels of an entity are named after: one label per entity, no two alike.
//!
//! It is the entity's name, or `body3` where it has none. Entities of different kinds may have the same name: the first in
//! the order of kinds keeps it, the others stand as `joint:yaw`. What looks like one of these without being one steps aside,
//! too: a name that starts as `joint:` or `#` gets its kind before it, and body 3, without a name, is `#body3` where
//! something else is named `body3`. So a label starts with `#`, or with a kind and a colon, only where this file put it
//! there, and is unique: kind and index, kind and name, or a name that no earlier kind has.

use crate::model::{EntityKind, Model};

/// The label of an entity.
pub(super) fn label(model: &Model, kind: EntityKind, index: usize) -> String {
    match model.names.of(kind, index) {
        Some(name) if is_free(model, kind, name) => name.to_owned(),
        Some(name) => format!("{}:{name}", kind.name()),
        None => {
            let default = format!("{}{index}", kind.name());
            let taken = EntityKind::ALL.into_iter().any(|other| model.names.find(other, &default).is_some());
            if taken { format!("#{default}") } else { default }
        }
    }
}

/// Whether a name can stand for an entity of a kind as it is.
fn is_free(model: &Model, kind: EntityKind, name: &str) -> bool {
    let qualified = |other: EntityKind| name.strip_prefix(other.name()).is_some_and(|rest| rest.starts_with(':'));
    let mut earlier = EntityKind::ALL.into_iter().take_while(|other| *other != kind);
    !name.starts_with('#')
        && !EntityKind::ALL.into_iter().any(qualified)
        && !earlier.any(|other| model.names.find(other, name).is_some())
}
