//! Names of entities: unique within a kind, optional.

use super::EntityKind;
use crate::error::{Error, Result};
use std::collections::BTreeMap;

/// Longest name, in bytes.
const LONGEST: usize = 255;

/// Most letters of a word from a file that messages repeat.
const REPEATED: usize = 80;

/// A word from a file as messages repeat it: its begin where it is long, without NUL, at which C's
/// text would end.
pub fn shortened(word: &str) -> String {
    let cut = word.char_indices().nth(REPEATED);
    let begin = word[..cut.map_or(word.len(), |(at, _)| at)].replace('\0', "\\0");
    if cut.is_some() { begin + "..." } else { begin }
}

/// The names of all kinds, with fast access by index and by name.
#[derive(Debug, Clone, Default)]
pub struct Names {
    kinds: [Kind; EntityKind::ALL.len()],
}

/// The names of one kind.
#[derive(Debug, Clone, Default)]
struct Kind {
    by_index: BTreeMap<usize, String>,
    by_name: BTreeMap<String, usize>,
}

impl Names {
    /// Names an entity, replacing its former name. Errors: empty, longer than 255 bytes, with a
    /// NUL, at which the C API's text ends; taken by another entity.
    pub fn set(&mut self, kind: EntityKind, index: usize, name: &str) -> Result<()> {
        if name.is_empty() || name.len() > LONGEST {
            return Err(Error::bad_value("name", format!("has {} bytes, expected 1 to {LONGEST}", name.len())));
        }
        if let Some(at) = name.find('\0') {
            return Err(Error::bad_value("name", format!("has a NUL as byte {at}, where C's text would end")));
        }
        match self.find(kind, name) {
            Some(taken) if taken != index => {
                Err(Error::bad_value("name", format!("\"{name}\" is the name of {} {taken}", kind.name())))
            }
            _ => {
                let names = &mut self.kinds[kind as usize];
                if let Some(former) = names.by_index.insert(index, name.to_owned()) {
                    names.by_name.remove(&former);
                }
                names.by_name.insert(name.to_owned(), index);
                Ok(())
            }
        }
    }

    /// The entity with a name.
    pub fn find(&self, kind: EntityKind, name: &str) -> Option<usize> {
        self.kinds[kind as usize].by_name.get(name).copied()
    }

    /// All names of a kind.
    pub fn all(&self, kind: EntityKind) -> impl Iterator<Item = &str> {
        self.kinds[kind as usize].by_index.values().map(String::as_str)
    }

    /// The name of an entity.
    pub fn of(&self, kind: EntityKind, index: usize) -> Option<&str> {
        self.kinds[kind as usize].by_index.get(&index).map(String::as_str)
    }
}
