//! Channels under the names that MoorDyn gives them: `FairTen1`, `L2N4PX`, `Point3VZ`, `Body2RX`.
//! They number entities from 1.

use super::names::shortened;
use super::{EntityKind, Model};
use crate::error::{Error, Result};

/// The object of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Object {
    /// A body.
    Body(usize),
    /// A point.
    Point(usize),
    /// A node of a line: the line, the node from 0 (end A) to N (end B).
    Node(usize, usize),
}

/// The quantity of a channel; of vectors a component, 0 to 2, in inertial axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// `PX`: position.
    Position(usize),
    /// `VX`: velocity.
    Velocity(usize),
    /// `AX`: acceleration.
    Acceleration(usize),
    /// `FX`: force of an end of a line on its point, of all lines on a point.
    Force(usize),
    /// `T`, `TEN`: size of that force; within a line the mean tension of both segments.
    Tension,
    /// `RX`: angle of a body about x, the new y, or the new z, in degrees.
    Angle(usize),
    /// `RVX`: angular velocity of a body, in degrees per second.
    AngularVelocity(usize),
    /// `RAX`: angular acceleration of a body, in degrees per second squared.
    AngularAcceleration(usize),
}

/// A channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Its name, as it was given.
    pub name: String,
    /// Its object.
    pub object: Object,
    /// Its quantity.
    pub quantity: Quantity,
}

impl Output {
    /// Parses a name, in upper or lower case. Errors: `BadValue`: not understood, or of an entity
    /// that does not exist; `Unsupported`: MoorDyn has it, this library does not.
    pub fn parse(model: &Model, name: &str) -> Result<Output> {
        let word = name.to_uppercase();
        let (object, quantity) = Parser { model, name }.parse(&word)?;
        Ok(Output { name: name.to_owned(), object, quantity })
    }

    /// The symbol of its unit.
    pub fn unit(&self) -> &'static str {
        match self.quantity {
            Quantity::Position(_) => "m",
            Quantity::Velocity(_) => "m/s",
            Quantity::Acceleration(_) => "m/s^2",
            Quantity::Force(_) | Quantity::Tension => "N",
            Quantity::Angle(_) => "deg",
            Quantity::AngularVelocity(_) => "deg/s",
            Quantity::AngularAcceleration(_) => "deg/s^2",
        }
    }
}

struct Parser<'m> {
    model: &'m Model,
    name: &'m str,
}

impl Parser<'_> {
    fn parse(&self, word: &str) -> Result<(Object, Quantity)> {
        let (letters, rest) = split(word, |c| c.is_ascii_alphabetic());
        let (digits, rest) = split(rest, |c| c.is_ascii_digit());
        let (object, rest) = match letters {
            "FAIRTEN" if rest.is_empty() => return Ok((self.end(digits, 1)?, Quantity::Tension)),
            "ANCHTEN" if rest.is_empty() => return Ok((self.end(digits, 0)?, Quantity::Tension)),
            "L" | "LINE" => match rest {
                "TENA" => return Ok((self.end(digits, 0)?, Quantity::Tension)),
                "TENB" => return Ok((self.end(digits, 1)?, Quantity::Tension)),
                _ => self.node(digits, rest)?,
            },
            "P" | "POINT" | "C" | "CON" => (Object::Point(self.index(EntityKind::Point, digits)?), rest),
            "B" | "BODY" => (Object::Body(self.index(EntityKind::Body, digits)?), rest),
            "R" | "ROD" => return self.rod(digits, rest),
            _ => return Err(self.unknown()),
        };
        let quantity = self.quantity(rest)?;
        match (object, quantity) {
            (
                Object::Point(_) | Object::Node(..),
                Quantity::Angle(_) | Quantity::AngularVelocity(_) | Quantity::AngularAcceleration(_),
            ) => Err(self.refuse("only bodies turn")),
            (Object::Body(_), Quantity::Force(_) | Quantity::Tension) => {
                Err(self.unsupported("net forces on bodies are not told: of prescribed ones, the reactions are"))
            }
            (Object::Node(line, node), Quantity::Force(_)) if node != 0 && node != self.last(line) => {
                Err(self.unsupported("forces are told of the ends of lines, tensions of all nodes"))
            }
            told => Ok(told),
        }
    }

    /// `N4PX`, `NAPX`; without a node end A is meant.
    fn node<'w>(&self, digits: &str, rest: &'w str) -> Result<(Object, &'w str)> {
        let line = self.index(EntityKind::Line, digits)?;
        let Some(named) = rest.strip_prefix('N') else { return Ok((Object::Node(line, 0), rest)) };
        let (node, quantity) = split(named, |c| c.is_ascii_digit());
        if node.is_empty() {
            return match named.split_at_checked(1) {
                Some(("A", quantity)) => Ok((Object::Node(line, 0), quantity)),
                Some(("B", quantity)) => Ok((Object::Node(line, self.last(line)), quantity)),
                _ => Err(self.unknown()),
            };
        }
        match node.parse::<usize>() {
            Ok(node) if node <= self.last(line) => Ok((Object::Node(line, node), quantity)),
            _ => Err(self.refuse(&format!("no such node: the line has 0 to {}", self.last(line)))),
        }
    }

    /// `Rod1PX`, `R1NBVX`, `Rod1TenA`: of the points at the ends of a rod, which files of MoorDyn
    /// name; `Rod1RVX`: of the body that it is on.
    fn rod(&self, digits: &str, rest: &str) -> Result<(Object, Quantity)> {
        let number = digits.parse::<usize>().map_err(|_| self.unknown())?;
        let find = |kind, name: &str| self.model.names.find(kind, &format!("rod {number}{name}"));
        // A rod without segments has one point.
        let first = find(EntityKind::Point, " end A").ok_or_else(|| self.refuse("no such rod"))?;
        let last = find(EntityKind::Point, " end B").unwrap_or(first);
        let cylinder = find(EntityKind::Cylinder, "").map(|cylinder| &self.model.elements.cylinders[cylinder]);
        let segments = cylinder.map_or(0, |cylinder| cylinder.segments).to_string();
        let (point, word) = match (rest, rest.strip_prefix('N')) {
            ("TENA", _) => return Ok((Object::Point(first), Quantity::Tension)),
            ("TENB", _) => return Ok((Object::Point(last), Quantity::Tension)),
            ("SUB", _) => return Err(self.unsupported("the channel \"submerged\" of its cylinder tells this")),
            (_, None) => (first, rest),
            (_, Some(named)) => match split(named, |c| c.is_ascii_digit()) {
                ("", word) if word.starts_with('A') => (first, &word[1..]),
                ("", word) if word.starts_with('B') => (last, &word[1..]),
                ("0", word) => (first, word),
                (node, word) if *node == segments => (last, word),
                _ => return Err(self.unsupported("of the nodes of a rod, only its ends are told")),
            },
        };
        match (self.quantity(word)?, cylinder.and_then(|cylinder| cylinder.node[0].to.body())) {
            (of_point @ (Quantity::Position(_) | Quantity::Velocity(_) | Quantity::Acceleration(_)), _) => {
                Ok((Object::Point(point), of_point))
            }
            (turn @ (Quantity::AngularVelocity(_) | Quantity::AngularAcceleration(_)), Some(body)) => {
                Ok((Object::Body(body), turn))
            }
            _ => Err(self.unsupported("angles of rods and net forces on them are not told")),
        }
    }

    fn end(&self, digits: &str, end: usize) -> Result<Object> {
        let line = self.index(EntityKind::Line, digits)?;
        Ok(Object::Node(line, end * self.last(line)))
    }

    fn last(&self, line: usize) -> usize {
        self.model.lines[line].segments
    }

    fn index(&self, kind: EntityKind, digits: &str) -> Result<usize> {
        let count = self.model.count(kind);
        match digits.parse::<usize>() {
            Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
            _ => Err(self.refuse(&format!("no such {}: there are {count}, numbered from 1", kind.name()))),
        }
    }

    fn quantity(&self, word: &str) -> Result<Quantity> {
        if matches!(word, "T" | "TEN") {
            return Ok(Quantity::Tension);
        }
        let axis = word.chars().last().and_then(|last| "XYZ".find(last)).ok_or_else(|| self.unknown())?;
        match &word[..word.len() - 1] {
            "P" => Ok(Quantity::Position(axis)),
            "V" => Ok(Quantity::Velocity(axis)),
            "A" => Ok(Quantity::Acceleration(axis)),
            "F" => Ok(Quantity::Force(axis)),
            "R" => Ok(Quantity::Angle(axis)),
            "RV" => Ok(Quantity::AngularVelocity(axis)),
            "RA" => Ok(Quantity::AngularAcceleration(axis)),
            "M" => Err(self.unsupported("moments are not told")),
            _ => Err(self.unknown()),
        }
    }

    fn refuse(&self, detail: &str) -> Error {
        Error::bad_value("name", format!("\"{}\": {detail}", shortened(self.name)))
    }

    fn unknown(&self) -> Error {
        self.refuse("is no name of MoorDyn's outputs, such as FairTen1, L2N4PX, Point3VZ, Body2RX")
    }

    fn unsupported(&self, detail: &str) -> Error {
        Error::Unsupported { argument: "name", detail: format!("\"{}\": {detail}", shortened(self.name)) }
    }
}

/// The longest prefix of a word whose characters are of a kind, and the rest.
fn split(word: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    word.split_at(word.find(|c| !is(c)).unwrap_or(word.len()))
}
