//! Outputs that a file asks for by MoorDyn's names.

use super::lexer::Row;
use super::lines::Line;
use crate::error::Result;
use crate::model::{self, Object, Quantity};

/// An output.
#[derive(Debug)]
pub(crate) struct Output {
    /// Where it stands.
    pub row: Row,
    /// Which word of the row it is.
    pub column: usize,
    /// What it is of.
    pub object: Object,
    /// What it tells.
    pub quantity: Quantity,
}

impl Output {
    /// Its name as the file has it.
    pub fn name(&self) -> &str {
        &self.row.words()[self.column]
    }

    /// What is kept of it.
    pub fn named(&self) -> model::Output {
        model::Output { name: self.name().to_owned(), object: self.object, quantity: self.quantity }
    }
}

/// How many of each there are.
pub(super) struct Counts<'l> {
    pub bodies: usize,
    pub points: usize,
    pub lines: &'l [Line],
}

/// Reads all of them, up to the word END. A dash before a remark ends a row.
pub(super) fn read(rows: &[Row], counts: &Counts) -> Result<Vec<Output>> {
    let mut outputs: Vec<Output> = Vec::new();
    for row in rows {
        if row.words()[0].eq_ignore_ascii_case("END") {
            break;
        }
        for (column, word) in row.words().iter().enumerate() {
            if column > 0 && word.starts_with('-') {
                break;
            }
            let (object, quantity) = output(row, column, &word.to_uppercase(), counts)?;
            if outputs.iter().any(|other| other.name().eq_ignore_ascii_case(word)) {
                return Err(row.refuse(column, "an output of this name is there already"));
            }
            outputs.push(Output { row: row.clone(), column, object, quantity });
        }
    }
    Ok(outputs)
}

fn output(row: &Row, column: usize, word: &str, counts: &Counts) -> Result<(Object, Quantity)> {
    let (letters, rest) = split(word, |c| c.is_ascii_alphabetic());
    let (digits, rest) = split(rest, |c| c.is_ascii_digit());
    let find = |kind: &str, count: usize| match digits.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
        _ => Err(row.refuse(column, format!("no such {kind}: the file has {count}"))),
    };
    let line = || find("line", counts.lines.len());
    let last = |line: usize| usize::try_from(counts.lines[line].segments).unwrap_or(0);
    let refused = || row.refuse(column, "no output of this name is known");
    let (object, rest) = match letters {
        "FAIRTEN" if rest.is_empty() => {
            let line = line()?;
            return Ok((Object::Node(line, last(line)), Quantity::Tension));
        }
        "ANCHTEN" if rest.is_empty() => return Ok((Object::Node(line()?, 0), Quantity::Tension)),
        "L" | "LINE" => {
            let line = line()?;
            match rest.strip_prefix('N') {
                // Of the line as a whole, its end A speaks, but for tensions.
                None if rest == "TENB" => return Ok((Object::Node(line, last(line)), Quantity::Tension)),
                None if rest == "TENA" => return Ok((Object::Node(line, 0), Quantity::Tension)),
                None => (Object::Node(line, 0), rest),
                Some(named) => {
                    let (node, quantity) = split(named, |c| c.is_ascii_digit());
                    match node.parse::<usize>() {
                        Ok(node) if node <= last(line) => (Object::Node(line, node), quantity),
                        Err(_) if named.starts_with('A') => (Object::Node(line, 0), &named[1..]),
                        Err(_) if named.starts_with('B') => (Object::Node(line, last(line)), &named[1..]),
                        _ => return Err(row.refuse(column, format!("no such node: the line has 0 to {}", last(line)))),
                    }
                }
            }
        }
        "P" | "POINT" | "C" | "CON" => (Object::Point(find("point", counts.points)?), rest),
        "B" | "BODY" => (Object::Body(find("body", counts.bodies)?), rest),
        "R" | "ROD" => return Err(row.unsupported(column, "rods are not supported")),
        _ => return Err(refused()),
    };
    let quantity = quantity(rest).ok_or_else(refused)?;
    let of_bodies =
        matches!(quantity, Quantity::Angle(_) | Quantity::AngularVelocity(_) | Quantity::AngularAcceleration(_));
    if of_bodies && !matches!(object, Object::Body(_)) {
        return Err(row.refuse(column, "only bodies turn"));
    }
    Ok((object, quantity))
}

/// The beginning of a word as far as its characters are of a kind, and the rest.
fn split(word: &str, is: impl Fn(char) -> bool) -> (&str, &str) {
    word.split_at(word.find(|c| !is(c)).unwrap_or(word.len()))
}

fn quantity(word: &str) -> Option<Quantity> {
    if matches!(word, "T" | "TEN") {
        return Some(Quantity::Tension);
    }
    let axis = "XYZ".find(word.chars().last()?)?;
    match &word[..word.len() - 1] {
        "P" => Some(Quantity::Position(axis)),
        "V" => Some(Quantity::Velocity(axis)),
        "A" => Some(Quantity::Acceleration(axis)),
        "F" => Some(Quantity::Force(axis)),
        "R" => Some(Quantity::Angle(axis)),
        "RV" => Some(Quantity::AngularVelocity(axis)),
        "RA" => Some(Quantity::AngularAcceleration(axis)),
        _ => None,
    }
}
