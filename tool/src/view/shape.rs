//! `[[shape]]` tables of a model file: how bodies look. The library ignores them.

use super::solid::{Part, Solid};
use super::stl;
use crate::failure::{Failure, Outcome};
use crate::model;
use pintle::error::did_you_mean;
use pintle::simulation::files::leaves_folder;
use pintle::spatial::Pose;
use pintle::{EntityKind, GROUND, Id, Simulation};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Keys of all kinds.
const COMMON: [&str; 4] = ["name", "body", "kind", "colour"];

/// Kinds, with their other keys.
const KINDS: [(&str, &[&str]); 5] = [
    ("box", &["size", "frame"]),
    ("cylinder", &["end_a", "end_b", "diameter"]),
    ("capsule", &["end_a", "end_b", "diameter"]),
    ("sphere", &["position", "diameter"]),
    ("stl", &["file", "scale", "frame"]),
];

const NO_TURN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// The shapes of a model file that the library has read. Errors name file, line, table and key: an
/// unknown kind or key, a missing key, a value of another type or out of range; no such body.
pub fn shapes(model: &model::Arguments, system: &Simulation) -> Outcome<Vec<Part>> {
    let Some(text) = model.text()? else { return Ok(Vec::new()) };
    let path = &*model.model;
    let root = DeTable::parse(&text).map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let Some(value) = root.get_ref().get("shape") else { return Ok(Vec::new()) };
    let file = Table { path, text: &text, name: String::new(), offset: value.span().start, entries: root.get_ref() };
    let wrong = || file.refuse("shape", "expected tables, each under its own [[shape]]".into());
    let list = value.get_ref().as_array().ok_or_else(wrong)?;
    let read = list.iter().enumerate().map(|(k, one)| {
        let entries = one.get_ref().as_table().ok_or_else(wrong)?;
        let name = format!(", shape {k}");
        Table { path, text: &text, name, offset: one.span().start, entries }.part(system)
    });
    read.collect()
}

/// A table of the file.
struct Table<'d> {
    path: &'d Path,
    text: &'d str,
    /// Its name in messages.
    name: String,
    /// Its first byte in the text.
    offset: usize,
    entries: &'d DeTable<'d>,
}

impl Table<'_> {
    fn part(&self, system: &Simulation) -> Outcome<Part> {
        let kind = self.require("kind", "a string", string)?;
        let names = KINDS.map(|(name, _)| name).join(", ");
        let keys = KINDS.iter().find(|(name, _)| *name == kind).map(|(_, keys)| *keys);
        let keys =
            keys.ok_or_else(|| self.refuse("kind", format!("\"{kind}\" is no kind of shape; known: {names}")))?;
        let known = [&COMMON[..], keys].concat();
        let unknown = self.entries.keys().filter(|key| !known.contains(&&**key.get_ref()));
        if let Some(key) = unknown.min_by_key(|key| key.span().start) {
            let near = did_you_mean(key.get_ref(), &mut known.iter().copied());
            return Err(self.refuse(key.get_ref(), format!("is unknown; known: {}{near}", known.join(", "))));
        }
        let (body, colour) = (self.body(system)?, self.colour()?);
        let ends = || Ok([self.require("end_a", "3 numbers", array)?, self.require("end_b", "3 numbers", array)?]);
        let solid = match kind {
            "box" => {
                let size: [f64; 3] = self.require("size", "3 numbers", array)?;
                size.iter().try_for_each(|edge| self.positive("size", *edge))?;
                Solid::Box { frame: self.frame()?, size }
            }
            "cylinder" => Solid::Cylinder { ends: self.apart(ends()?)?, diameter: self.diameter()? },
            "capsule" => Solid::Capsule { ends: self.apart(ends()?)?, diameter: self.diameter()? },
            "sphere" => {
                let position = self.get("position", "3 numbers", array)?.unwrap_or_default();
                Solid::Sphere { position, diameter: self.diameter()? }
            }
            _ => self.mesh()?,
        };
        let name = match (self.get("name", "a string", string)?, body) {
            (Some(name), _) => name.into(),
            (None, GROUND) => "ground".into(),
            (None, body) => system.description().name(EntityKind::Body, body).map_err(Failure::of_run)?,
        };
        Ok(Part { body, name, colour, solid })
    }

    /// The id of the body, which the file gives by name or id, or the ground.
    fn body(&self, system: &Simulation) -> Outcome<Id> {
        let description = system.description();
        match self.entries.get("body").map(|value| value.get_ref()) {
            Some(DeValue::String(name)) if name == "ground" => Ok(GROUND),
            Some(DeValue::String(name)) => description
                .find(EntityKind::Body, name)
                .map_err(|_| self.refuse("body", format!("no body is named \"{name}\""))),
            Some(_) => {
                let id = self.require("body", "the name or the id of a body, or \"ground\"", number)?;
                let count = description.count(EntityKind::Body);
                let found = (0..count).find(|body| f64::from(*body) == id);
                found.ok_or_else(|| self.refuse("body", format!("{id} is not a body: the model has {count}")))
            }
            None => Err(self.refuse("body", "is missing".into())),
        }
    }

    fn colour(&self) -> Outcome<Option<String>> {
        let Some(colour) = self.get("colour", "a string", string)? else { return Ok(None) };
        let digits = colour.strip_prefix('#').filter(|digits| digits.len() == 6);
        if !digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit())) {
            return Err(self.refuse("colour", format!("\"{colour}\" is no colour such as \"#e0a526\"")));
        }
        Ok(Some(colour.to_owned()))
    }

    /// The frame, by default that of the body.
    fn frame(&self) -> Outcome<[f64; 7]> {
        let frame = self.get("frame", "7 numbers", array)?.unwrap_or(NO_TURN);
        let pose = Pose::from_array("frame", &frame).map_err(|error| self.refuse("frame", error.to_string()))?;
        Ok(pose.to_array())
    }

    fn diameter(&self) -> Outcome<f64> {
        let diameter = self.require("diameter", "a number", number)?;
        self.positive("diameter", diameter)?;
        Ok(diameter)
    }

    /// Ends that differ.
    fn apart(&self, ends: [[f64; 3]; 2]) -> Outcome<[[f64; 3]; 2]> {
        if ends[0] == ends[1] { Err(self.refuse("end_b", "is the same as end_a".into())) } else { Ok(ends) }
    }

    /// The triangles of an STL file in the folder of the model file, or in a folder inside of that.
    fn mesh(&self) -> Outcome<Solid> {
        let file = Path::new(self.require("file", "a string", string)?);
        if leaves_folder(file) {
            let detail = format!("\"{}\" is not in the folder of the model", file.display());
            return Err(self.refuse("file", detail));
        }
        let scale = self.get("scale", "a number", number)?.unwrap_or(1.0);
        self.positive("scale", scale)?;
        let path = self.path.parent().unwrap_or(Path::new("")).join(file);
        let detail = |what| format!("\"{}\": {what}", path.display());
        let mut corners = stl::read(&path).map_err(|what| self.refuse("file", detail(what)))?;
        corners.as_flattened_mut().iter_mut().for_each(|x| *x *= scale as f32);
        Ok(Solid::Mesh { frame: self.frame()?, corners })
    }

    fn positive(&self, key: &str, value: f64) -> Outcome {
        if value > 0.0 { Ok(()) } else { Err(self.refuse(key, format!("{value} is not above 0"))) }
    }

    fn get<'v, T>(
        &'v self,
        key: &str,
        expected: &str,
        read: impl Fn(&'v DeValue<'v>) -> Option<T>,
    ) -> Outcome<Option<T>> {
        let Some(value) = self.entries.get(key) else { return Ok(None) };
        let wrong = || self.refuse(key, format!("expected {expected}, found {}", &self.text[value.span()]));
        read(value.get_ref()).map(Some).ok_or_else(wrong)
    }

    fn require<'v, T>(&'v self, key: &str, expected: &str, read: impl Fn(&'v DeValue<'v>) -> Option<T>) -> Outcome<T> {
        self.get(key, expected, read)?.ok_or_else(|| self.refuse(key, "is missing".into()))
    }

    /// A refusal with file, line, table and key; for a missing key the line of the table.
    fn refuse(&self, key: &str, detail: String) -> Failure {
        let at = self.entries.get_key_value(key).map_or(self.offset, |(key, _)| key.span().start);
        let line = 1 + self.text[..at].matches('\n').count();
        Failure::Input(format!("\"{}\" line {line}{}, key \"{key}\": {detail}", self.path.display(), self.name))
    }
}

fn string<'v>(value: &'v DeValue<'v>) -> Option<&'v str> {
    value.as_str()
}

/// A finite number.
fn number(value: &DeValue) -> Option<f64> {
    let number: f64 = match value {
        DeValue::Float(x) => x.as_str().parse().ok()?,
        DeValue::Integer(x) if x.radix() == 10 => x.as_str().parse().ok()?,
        _ => return None,
    };
    number.is_finite().then_some(number)
}

fn array<const N: usize>(value: &DeValue) -> Option<[f64; N]> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(|x| number(x.get_ref())).collect();
    numbers?.try_into().ok()
}
