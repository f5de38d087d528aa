//! Names of entities: unique within a kind, optional.

use super::EntityKind;
use crate::error::{Error, Result};

/// Longest name, in bytes.
const LONGEST: usize = 255;

/// The names that were given, per kind.
#[derive(Debug, Clone, Default)]
pub struct Names {
    entries: Vec<(EntityKind, usize, String)>,
}

impl Names {
    /// Names an entity, replacing its former name. Errors: empty, longer than 255 bytes, taken by another entity.
    pub fn set(&mut self, kind: EntityKind, index: usize, name: &str) -> Result<()> {
        if name.is_empty() || name.len() > LONGEST {
            return Err(Error::bad_value("name", format!("has {} bytes, expected 1 to {LONGEST}", name.len())));
        }
        match self.find(kind, name) {
            Some(taken) if taken != index => {
                Err(Error::bad_value("name", format!("\"{name}\" is the name of {} {taken}", kind.name())))
            }
            _ => {
                self.entries.retain(|(k, i, _)| !(*k == kind && *i == index));
                self.entries.push((kind, index, name.to_owned()));
                Ok(())
            }
        }
    }

    /// The entity with a name.
    pub fn find(&self, kind: EntityKind, name: &str) -> Option<usize> {
        self.entries.iter().find(|(k, _, n)| *k == kind && n == name).map(|(_, i, _)| *i)
    }

    /// The name of an entity.
    pub fn of(&self, kind: EntityKind, index: usize) -> Option<&str> {
        self.entries.iter().find(|(k, i, _)| *k == kind && *i == index).map(|(_, _, n)| n.as_str())
    }
}
