//! The Syrope model: files of working curves, and the largest tensions of lines before the start.

use super::curves::rows_of_words;
use super::lexer::Row;
use super::line_types::{Law, LineType};
use super::lines::Line;
use super::sections::Table;
use crate::elements::line::{Syrope, WorkingCurve};
use crate::error::{Error, Result};
use std::path::Path;

/// The largest tension that some lines have had.
#[derive(Debug)]
pub(crate) struct Worn {
    /// Its row.
    pub row: Row,
    /// The lines.
    pub lines: Vec<usize>,
    /// The tension, N.
    pub largest: f64,
}

/// Reads the section of initial conditions. Other lines are left out, with a note.
pub(super) fn read(
    table: Option<&Table>,
    lines: &[Line],
    types: &[LineType],
    notes: &mut Vec<String>,
) -> Result<Vec<Worn>> {
    let mut found = Vec::new();
    for row in table.map_or(&[][..], |table| &table.rows) {
        // Commas between the lines make each of them a word.
        let last = row.words().len().max(3) - 2;
        let (largest, _) = (row.number(last, "Tmax0")?, row.number(last + 1, "Tmean0")?);
        let mut own = Vec::new();
        for column in 0..last {
            let number = row.integer(column, "Lines")?;
            let line = usize::try_from(number - 1).ok().and_then(|line| Some((line, lines.get(line)?)));
            let (line, given) =
                line.ok_or_else(|| row.refuse(column, format!("no such line: the file has {}", lines.len())))?;
            if matches!(types[given.line_type].ea, Law::Curves(_)) {
                own.push(line);
            } else {
                notes.push(format!("{}: not needed, the type of this line has no Syrope model", row.place(column)));
            }
        }
        let place = row.place(last + 1);
        notes
            .push(format!("{place}: not needed, lines begin at rest, with the mean tension that their ends give them"));
        found.push(Worn { row: row.clone(), lines: own, largest });
    }
    Ok(found)
}

/// A file of a working curve: values before their names OWC, the file of the original curve,
/// WCType, k1 and k2. Returns the row of the original curve, too, whose first word is the name of
/// its file. Errors: another word; one that is missing.
pub(crate) fn working_curve(path: &Path, bytes: &[u8]) -> Result<(Row, Syrope)> {
    let (mut original, mut curve, mut numbers) = (None, None, [None; 2]);
    for row in rows_of_words(path, bytes) {
        match row.word(1, "the name of a value")?.to_uppercase().as_str() {
            "OWC" => original = Some(row),
            "WCTYPE" => {
                curve = Some(match row.words()[0].to_uppercase().as_str() {
                    "LINEAR" => WorkingCurve::Linear,
                    "QUADRATIC" => WorkingCurve::Quadratic,
                    "EXP" => WorkingCurve::Exponential,
                    _ => return Err(row.refuse(0, "WCType: expected LINEAR, QUADRATIC or EXP")),
                });
            }
            "K1" => numbers[0] = Some(row.number(0, "k1")?),
            "K2" => numbers[1] = Some(row.number(0, "k2")?),
            _ => return Err(row.refuse(1, "expected OWC, WCType, k1 or k2")),
        }
    }
    let (Some(original), Some(curve), [Some(k1), Some(k2)]) = (original, curve, numbers) else {
        let detail = format!("\"{}\": expected values named OWC, WCType, k1 and k2", path.display());
        return Err(Error::Format { argument: "path", detail });
    };
    // A k1 of one or more is a stiffness.
    let curve = if curve == WorkingCurve::Linear && k1 >= 1.0 { WorkingCurve::Stiffness } else { curve };
    Ok((original, Syrope { curve, k1, k2 }))
}
