//! Shapes: how bodies look. They have no mass and no forces, and are part of neither fingerprints
//! nor states.

use super::Id;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::Pose;
use crate::spatial::pose::check_finite;

/// A kind of shape.
#[derive(Debug, PartialEq)]
pub struct ShapeKind {
    /// Its name in the C API and in model files.
    pub name: &'static str,
    /// The names of its numbers, and how many each has.
    pub parts: &'static [(&'static str, usize)],
}

const ENDS: &[(&str, usize)] = &[("end_a", 3), ("end_b", 3), ("diameter", 1)];

/// All kinds. Sizes, diameters and scales are above 0; frames are position and unit quaternion.
pub static SHAPE_KINDS: [ShapeKind; 5] = [
    ShapeKind { name: "box", parts: &[("size", 3), ("frame", 7)] },
    ShapeKind { name: "cylinder", parts: ENDS },
    ShapeKind { name: "capsule", parts: ENDS },
    ShapeKind { name: "sphere", parts: &[("position", 3), ("diameter", 1)] },
    ShapeKind { name: "stl", parts: &[("scale", 1), ("frame", 7)] },
];

impl ShapeKind {
    /// The kind of a name. Errors: there is none.
    pub fn from_name(name: &str) -> Result<&'static ShapeKind> {
        let known = || SHAPE_KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ");
        let unknown = || Error::bad_value("kind", format!("\"{name}\" is no kind of shape; known: {}", known()));
        SHAPE_KINDS.iter().find(|kind| kind.name == name).ok_or_else(unknown)
    }

    /// How many numbers it has.
    pub fn count(&self) -> usize {
        self.parts.iter().map(|(_, count)| count).sum()
    }
}

/// A shape of a body or of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// The body in whose axes it is, or the ground.
    pub body: Id,
    /// Its kind.
    pub kind: &'static ShapeKind,
    /// The numbers of its kind, one after the other.
    pub numbers: Vec<f64>,
    /// The STL file, relative to the folder of the model file; empty for other kinds.
    pub file: String,
    /// Empty: the name of the body.
    pub name: String,
    /// As `#rrggbb`; empty: programs that draw choose.
    pub colour: String,
}

impl Shape {
    /// Its numbers by name.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &[f64])> {
        let mut rest = &self.numbers[..];
        self.kind.parts.iter().map(move |(name, count)| {
            let (part, others) = rest.split_at((*count).min(rest.len()));
            rest = others;
            (*name, part)
        })
    }

    /// Checks everything but the body, and normalises the frame. The argument of an error is the
    /// name of the part.
    pub fn checked(mut self) -> Result<Shape> {
        let expected = self.kind.count();
        if self.numbers.len() != expected {
            let (given, expected) = (self.numbers.len() as i64, format!("{expected}, those of a {}", self.kind.name));
            return Err(Error::BadSize { argument: "n", given, expected });
        }
        let mut first = 0;
        for (name, count) in self.kind.parts {
            let part = &mut self.numbers[first..first + count];
            first += count;
            match (*name, &mut *part) {
                ("frame", part) => {
                    let mut frame = [0.0; 7];
                    frame.copy_from_slice(part);
                    part.copy_from_slice(&Pose::from_array(name, &frame)?.to_array());
                }
                ("size" | "diameter" | "scale", part) => {
                    check_finite(name, part)?;
                    if let Some(x) = part.iter().find(|x| **x <= 0.0) {
                        return Err(Error::bad_value(name, format!("{} is not above 0", Number(*x))));
                    }
                }
                _ => check_finite(name, part)?,
            }
        }
        if self.kind.parts == ENDS && self.numbers[..3] == self.numbers[3..6] {
            return Err(Error::bad_value("end_b", "is the same as end_a"));
        }
        if (self.kind.name == "stl") == self.file.is_empty() {
            let detail = if self.file.is_empty() { "is missing" } else { "belongs to shapes of kind \"stl\" only" };
            return Err(Error::bad_value("file", detail));
        }
        let digits = self.colour.strip_prefix('#').filter(|digits| digits.len() == 6);
        if !self.colour.is_empty() && !digits.is_some_and(|digits| digits.bytes().all(|one| one.is_ascii_hexdigit())) {
            let detail = format!("\"{}\" is no colour such as \"#e0a526\"", super::names::shortened(&self.colour));
            return Err(Error::bad_value("colour", detail));
        }
        for (argument, text) in [("name", &self.name), ("file", &self.file)] {
            if let Some(at) = text.find('\0') {
                let detail = format!("has a NUL as byte {at}, where C's text would end");
                return Err(Error::bad_value(argument, detail));
            }
        }
        Ok(self)
    }
}
