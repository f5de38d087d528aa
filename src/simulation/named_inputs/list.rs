//! The list of inputs of a model: their names and units; and selections from it, which are set and
//! read together.
//!
//! A name is kind, label and suffix: `body.hull.load.fx`. The label is the name of the entity, or
//! its id without one. A name that consists of digits, or that starts with `#`, has `#` before it;
//! so no two inputs have the same name.

use super::columns::{self, What};
use crate::error::{Error, Result, did_you_mean};
use crate::model::{EntityKind, Id, Model};

/// The inputs of a model by name: all numbers that the host may set for the end of the coming step.
/// See [`Given::input_list`](crate::simulation::Given::input_list).
#[derive(Debug, Clone)]
pub struct InputList {
    groups: Vec<Group>,
    entries: Vec<Entry>,
}

/// The group of one setter and one entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::simulation) struct Group {
    pub what: What,
    pub kind: EntityKind,
    pub id: Id,
}

/// One number of a group.
#[derive(Debug, Clone)]
struct Entry {
    name: String,
    suffix: &'static str,
    unit: &'static str,
    group: usize,
    component: usize,
}

/// Selected inputs, in the order of their values; see [`InputList::choose`].
#[derive(Debug, Clone)]
pub struct InputChoice {
    /// Their names.
    pub(super) names: Vec<String>,
    pub(super) picks: Vec<Pick>,
}

/// Selected numbers of one group.
#[derive(Debug, Clone)]
pub(super) struct Pick {
    pub group: Group,
    /// Index in the group, and index among the values.
    pub components: Vec<(usize, usize)>,
    /// Whether these are all of the group.
    pub whole: bool,
}

/// The label of an entity in the names of its inputs.
fn label(model: &Model, kind: EntityKind, index: usize) -> String {
    match model.names.of(kind, index) {
        None => index.to_string(),
        Some(name) if name.starts_with('#') || name.bytes().all(|byte| byte.is_ascii_digit()) => format!("#{name}"),
        Some(name) => name.to_owned(),
    }
}

impl InputList {
    /// Of a model.
    pub(super) fn new(model: &Model) -> InputList {
        let (mut groups, mut entries) = (Vec::new(), Vec::new());
        for kind in columns::KINDS {
            for index in 0..model.count(kind) {
                let label = label(model, kind, index);
                for (what, columns) in columns::groups(model, kind, index) {
                    entries.extend(columns.iter().enumerate().map(|(component, (suffix, unit))| Entry {
                        name: format!("{}.{label}.{suffix}", kind.name()),
                        suffix,
                        unit,
                        group: groups.len(),
                        component,
                    }));
                    groups.push(Group { what, kind, id: index as Id });
                }
            }
        }
        InputList { groups, entries }
    }

    /// Number of inputs.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn entry(&self, input: usize) -> Result<&Entry> {
        self.entries.get(input).ok_or_else(|| {
            Error::bad_value("input", format!("{input} is not one of the {} inputs", self.entries.len()))
        })
    }

    /// The name of an input. No two are alike. Errors: no such input.
    pub fn name(&self, input: usize) -> Result<&str> {
        Ok(&self.entry(input)?.name)
    }

    /// The unit of an input, as the SI symbol of its dimension. Errors: no such input.
    pub fn unit(&self, input: usize) -> Result<&'static str> {
        Ok(self.entry(input)?.unit)
    }

    /// The entity of an input. Errors: no such input.
    pub fn entity(&self, input: usize) -> Result<(EntityKind, Id)> {
        let Group { kind, id, .. } = self.groups[self.entry(input)?.group];
        Ok((kind, id))
    }

    /// The suffix of its name: `load.fx`. Errors: no such input.
    pub fn suffix(&self, input: usize) -> Result<&'static str> {
        Ok(self.entry(input)?.suffix)
    }

    /// The group of an input, and its place there. Errors: no such input.
    pub(in crate::simulation) fn place(&self, input: usize) -> Result<(Group, usize)> {
        let entry = self.entry(input)?;
        Ok((self.groups[entry.group], entry.component))
    }

    /// The names of the inputs of a group, in their order.
    pub(in crate::simulation) fn names_of(&self, group: Group) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(move |entry| self.groups[entry.group] == group);
        entries.map(|entry| entry.name.as_str())
    }

    /// The input with a name. Errors: there is none, in words.
    pub(in crate::simulation) fn require(&self, name: &str) -> std::result::Result<usize, String> {
        let near = || did_you_mean(name, &mut self.entries.iter().map(|entry| entry.name.as_str()));
        self.find(name).ok_or_else(|| format!("no input has this name: `pintle check --inputs` lists them{}", near()))
    }

    /// The input with a name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.name == name)
    }

    /// Some of the inputs, to be set and read at once: value k belongs to `inputs[k]`. Errors: no
    /// such input; one twice.
    pub fn choose(&self, inputs: &[usize]) -> Result<InputChoice> {
        let mut order =
            (0..inputs.len()).map(|place| self.entry(inputs[place]).map(|_| place)).collect::<Result<Vec<_>>>()?;
        order.sort_unstable_by_key(|place| inputs[*place]);
        let mut picks: Vec<Pick> = Vec::new();
        let (mut group, mut last) = (None, None);
        for place in order {
            let entry = self.entry(inputs[place])?;
            if last.replace(inputs[place]) == Some(inputs[place]) {
                return Err(Error::bad_value("inputs", format!("\"{}\" is chosen twice", entry.name)));
            }
            if group != Some(entry.group) {
                group = Some(entry.group);
                picks.push(Pick { group: self.groups[entry.group], components: Vec::new(), whole: false });
            }
            if let Some(pick) = picks.last_mut() {
                pick.components.push((entry.component, place));
                // Entries of a group are contiguous; the next one belongs to another group, or does
                // not exist.
                let first = inputs[place] - entry.component;
                let width = self.entries[first..].iter().take_while(|other| other.group == entry.group).count();
                pick.whole = pick.components.len() == width;
            }
        }
        Ok(InputChoice { names: inputs.iter().map(|input| self.entries[*input].name.clone()).collect(), picks })
    }
}

impl InputChoice {
    /// Number of selected inputs.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether none is selected.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
