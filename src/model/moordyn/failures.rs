//! Failures: ends of lines that break off together.

use super::lexer::Row;
use super::lines::{Line, end};
use super::sections::Table;
use crate::error::Result;

/// Ends of lines at one point or rod end that break off together, and stay together.
#[derive(Debug)]
pub(crate) struct Failure {
    /// Its row.
    pub row: Row,
    /// Lines, and which end of each.
    pub ends: Vec<(usize, usize)>,
    /// Time, s; 0 for none.
    pub time: f64,
    /// Tension, N; 0 for none.
    pub tension: f64,
}

/// The first column of lines.
pub(crate) const LINES: usize = 2;

/// Reads all failures, of these lines between so many points and rods. Rows without time and
/// tension are left out.
pub(super) fn read(
    table: Option<&Table>,
    lines: &[Line],
    parts: [usize; 2],
    notes: &mut Vec<String>,
) -> Result<Vec<Failure>> {
    let rows = table.map_or(&[][..], |table| &table.rows).iter().enumerate();
    let mut failures = Vec::new();
    for (index, row) in rows {
        row.check_id(index + 1)?;
        let at = end(row, 1, parts)?;
        // Commas between the lines make each of them a word.
        let last = row.words().len().max(LINES + 3) - 2;
        let (time, tension) = (row.number(last, "FailTime")?, row.number(last + 1, "FailTen")?);
        let mut ends = Vec::new();
        for column in LINES..last {
            let number = row.integer(column, "Lines")?;
            let line = usize::try_from(number - 1).ok().and_then(|line| Some((line, lines.get(line)?)));
            let (line, found) =
                line.ok_or_else(|| row.refuse(column, format!("no such line: the file has {}", lines.len())))?;
            let end = found.ends.iter().position(|own| *own == at);
            ends.push((line, end.ok_or_else(|| row.refuse(column, "no end of this line is there"))?));
        }
        if time == 0.0 && tension == 0.0 {
            notes.push(format!("{}: a failure without time and tension does not happen", row.place(0)));
            continue;
        }
        failures.push(Failure { row: row.clone(), ends, time, tension });
    }
    Ok(failures)
}
