//! Labels of entities in the names of channels: one per entity, all different.
//!
//! The label is the entity's name, or `body3` without one. Entities of different kinds may have the
//! same name: the first in the order of kinds keeps it, the others have `joint:yaw`. Names that
//! look like such a label are changed, too: a name that starts with `joint:` or `#` gets its kind
//! before it, and body 3, without a name, is `#body3` if another entity is named `body3`. So a
//! label starts with `#`, or with a kind and a colon, only if this file has added it, and is
//! unique: kind and index, kind and name, or a name that no earlier kind has.

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

/// Whether a name can be the label of an entity of a kind unchanged.
fn is_free(model: &Model, kind: EntityKind, name: &str) -> bool {
    let qualified = |other: EntityKind| name.strip_prefix(other.name()).is_some_and(|rest| rest.starts_with(':'));
    let mut earlier = EntityKind::ALL.into_iter().take_while(|other| *other != kind);
    !name.starts_with('#')
        && !EntityKind::ALL.into_iter().any(qualified)
        && !earlier.any(|other| model.names.find(other, name).is_some())
}
