//! Lines.

use super::heads::{self, Column};
use super::lexer::Row;
use super::line_types::LineType;
use super::sections::Table;
use crate::error::Result;

/// The attachment of an end of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attachment {
    /// A point.
    Point(usize),
    /// A rod, 0 for its end A or 1 for its end B.
    Rod(usize, usize),
}

/// A line.
#[derive(Debug)]
pub(crate) struct Line {
    /// Its row.
    pub row: Row,
    /// Its type.
    pub line_type: usize,
    /// The attachments of its ends A (anchor) and B (fairlead).
    pub ends: [Attachment; 2],
    /// Unstretched length, m.
    pub length: f64,
    /// Number of segments.
    pub segments: i32,
    /// The order of columns.
    columns: Columns,
}

impl Line {
    /// The column of an argument of the function that adds a line.
    pub fn column(&self, argument: Option<&str>) -> usize {
        match argument {
            Some("point_a") => self.columns.points,
            Some("point_b") => self.columns.points + 1,
            Some("length") => self.columns.length,
            Some("segments") => self.columns.length + 1,
            _ => 1,
        }
    }
}

/// The order of columns, which differs between the versions.
#[derive(Debug, Clone, Copy)]
struct Columns {
    points: usize,
    length: usize,
    heads: &'static [Column],
}

const V1: Columns = Columns { points: 4, length: 2, heads: heads::LINES_V1 };
const V2: Columns = Columns { points: 2, length: 4, heads: heads::LINES_V2 };

/// The column of output files that MoorDyn writes for the line; it is the last one, and may be
/// missing.
const FILES: usize = 6;

/// Reads all lines, between so many points and rods.
pub(super) fn read(
    table: Option<&Table>,
    types: &[LineType],
    parts: [usize; 2],
    notes: &mut Vec<String>,
) -> Result<Vec<Line>> {
    let Some((table, first)) = table.and_then(|table| Some((table, table.rows.first()?))) else {
        return Ok(Vec::new());
    };
    let columns = columns(table, first, parts, notes)?;
    let mut lines = Vec::with_capacity(table.rows.len());
    for (index, row) in table.rows.iter().enumerate() {
        lines.push(line(index, row, &columns, types, parts)?);
        heads::note_files(row, FILES, notes);
    }
    Ok(lines)
}

/// The order of columns. The names determine it, unless no row fits this order and all rows fit the
/// other one: MoorDyn ignores names, and not all files have the right ones.
fn columns(table: &Table, first: &Row, parts: [usize; 2], notes: &mut Vec<String>) -> Result<Columns> {
    let is_length = |column| ["UNSTR", "LEN"].iter().any(|start| table.name(column).starts_with(start));
    let fits = |columns: &Columns| {
        table.rows.iter().all(|row| {
            let is_end = |column| end(row, column, parts).is_ok();
            let is_count = row.integer(columns.length + 1, "NumSegs").is_ok();
            is_end(columns.points) && is_end(columns.points + 1) && is_count
        })
    };
    let (named, other) = match (is_length(V1.length), is_length(V2.length)) {
        (true, false) => (V1, V2),
        (false, true) => (V2, V1),
        _ => match (fits(&V1), fits(&V2)) {
            (true, false) => (V1, V2),
            (false, true) => (V2, V1),
            _ => {
                let detail =
                    "the names of the columns must tell where the lengths are: UnstrLen in column 3 (version 1) or 5";
                return Err(first.refuse(0, detail));
            }
        },
    };
    if !fits(&named) && fits(&other) {
        let place = first.place(other.length);
        notes.push(format!("{place}: taken for the length, and so on in each row, against the names of the columns"));
        return Ok(other);
    }
    heads::note(table, named.heads, notes);
    Ok(named)
}

fn line(index: usize, row: &Row, columns: &Columns, types: &[LineType], parts: [usize; 2]) -> Result<Line> {
    row.check_id(index + 1)?;
    let name = row.word(1, "the line type")?;
    let line_type = types
        .iter()
        .position(|line_type| line_type.name == name)
        .ok_or_else(|| row.refuse(1, "no line type of this name is in the file"))?;
    let line = Line {
        row: row.clone(),
        line_type,
        ends: [end(row, columns.points, parts)?, end(row, columns.points + 1, parts)?],
        length: row.number(columns.length, "UnstrLen")?,
        segments: row.integer(columns.length + 1, "NumSegs")?,
        columns: *columns,
    };
    row.check_end(FILES + 1)?;
    Ok(line)
}

/// The attachment of an end: `3`, `P3`, `Point3`, `C3`, `Con3`; `R2A`, `Rod2B`.
pub(super) fn end(row: &Row, column: usize, [points, rods]: [usize; 2]) -> Result<Attachment> {
    let word = row.word(column, "the attachment")?.to_uppercase();
    let rest = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = |digits: &str, count: usize, kind: &str| match digits.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
        _ => Err(row.refuse(column, format!("no such {kind}: the file has {count}"))),
    };
    match &word[..word.len() - rest.len()] {
        "" | "P" | "POINT" | "C" | "CON" => Ok(Attachment::Point(number(rest, points, "point")?)),
        "R" | "ROD" => {
            let end = ["A", "B"].into_iter().position(|end| rest.ends_with(end));
            let end = end.ok_or_else(|| row.refuse(column, "expected an end of a rod, such as R1A or R1B"))?;
            Ok(Attachment::Rod(number(&rest[..rest.len() - 1], rods, "rod")?, end))
        }
        _ => Err(row.refuse(column, "expected the number of a point, or an end of a rod")),
    }
}
