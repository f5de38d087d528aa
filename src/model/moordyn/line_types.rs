//! Line types.

use super::heads::{self, Column};
use super::lexer::{Row, number};
use super::sections::Table;
use crate::error::Result;

/// A stiffness or a damping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Law {
    /// A number.
    Number(f64),
    /// A file with a table.
    File(String),
    /// A file with the curves of the Syrope model.
    Curves(String),
}

/// A line type.
#[derive(Debug)]
pub(crate) struct LineType {
    /// Its row.
    pub row: Row,
    /// Its name.
    pub name: String,
    /// Volume-equivalent diameter, m.
    pub diameter: f64,
    /// Mass per unstretched length, kg/m.
    pub mass: f64,
    /// Axial stiffness, N.
    pub ea: Law,
    /// Axial damping, N s; below 0: minus the fraction of critical damping.
    pub ba: Law,
    /// Dynamic stiffness, its slope over the mean tension, and its damping, of a viscoelastic type,
    /// with the Syrope model or without.
    pub viscoelastic: Option<[f64; 3]>,
    /// Bending stiffness, N m^2.
    pub ei: f64,
    /// Transverse and axial drag coefficients.
    pub drag: [f64; 2],
    /// Transverse and axial added mass coefficients.
    pub added_mass: [f64; 2],
}

/// The columns of EA and BA, in both versions.
impl LineType {
    /// Column of EA.
    pub const EA: usize = 3;
    /// Column of BA.
    pub const BA: usize = 4;
}

/// Columns whose order differs between the versions.
struct Columns {
    ei: Option<usize>,
    /// Columns of transverse and axial Cd.
    drag: [usize; 2],
    /// Columns of transverse and axial Ca.
    added_mass: [usize; 2],
    heads: &'static [Column],
}

const V1: Columns = Columns { ei: None, drag: [7, 8], added_mass: [5, 6], heads: heads::LINE_TYPES_V1 };
const V2: Columns = Columns { ei: Some(5), drag: [6, 8], added_mass: [7, 9], heads: heads::LINE_TYPES_V2 };

/// Reads all line types.
pub(super) fn read(table: Option<&Table>, notes: &mut Vec<String>) -> Result<Vec<LineType>> {
    let Some(table) = table else { return Ok(Vec::new()) };
    // Version 1 has neither EI nor a tenth column.
    let columns = if table.has("EI") || table.named().len() >= V2.heads.len() { V2 } else { V1 };
    heads::note(table, columns.heads, notes);
    let mut types: Vec<LineType> = Vec::with_capacity(table.rows.len());
    for row in &table.rows {
        let line_type = line_type(row, &columns)?;
        check_vortices(row, table, columns.heads.len(), notes)?;
        if types.iter().any(|other| other.name == line_type.name) {
            return Err(row.refuse(0, "a line type of this name is there already"));
        }
        types.push(line_type);
    }
    Ok(types)
}

fn line_type(row: &Row, columns: &Columns) -> Result<LineType> {
    let pair = |[across, along]: [usize; 2], names: [&str; 2]| -> Result<[f64; 2]> {
        Ok([row.number(across, names[0])?, row.number(along, names[1])?])
    };
    let name = row.word(0, "the name")?;
    if name.is_empty() {
        return Err(row.refuse(0, "a line type needs a name"));
    }
    let (ea, dynamic) = law(row, LineType::EA, "EA", 3)?;
    let (ba, damping) = law(row, LineType::BA, "BA", 2)?;
    if dynamic.is_empty() && !damping.is_empty() {
        return Err(row.refuse(LineType::BA, "BA: a damping of a dynamic stiffness, which EA does not have"));
    }
    let number = |numbers: &[f64], k: usize| numbers.get(k).copied().unwrap_or(0.0);
    let viscoelastic = (!dynamic.is_empty()).then(|| [number(&dynamic, 0), number(&dynamic, 1), number(&damping, 0)]);
    Ok(LineType {
        row: row.clone(),
        name: name.to_owned(),
        diameter: row.number(1, "Diam")?,
        mass: row.number(2, "MassDen")?,
        ea,
        ba,
        viscoelastic,
        ei: match columns.ei {
            None => 0.0,
            Some(column) => match law(row, column, "EI", 1)?.0 {
                Law::Number(ei) => ei,
                _ => return Err(row.unsupported(column, "a table of EI is not supported")),
            },
        },
        drag: pair(columns.drag, ["Cd", "CdAx"])?,
        added_mass: pair(columns.added_mass, ["Ca", "CaAx"])?,
    })
}

/// Optional columns of vortex-induced vibrations: Cl = 0 means none, and then dF and cF are
/// ignored. Like all columns they are known by their order.
fn check_vortices(row: &Row, table: &Table, first: usize, notes: &mut Vec<String>) -> Result<()> {
    let mut column = first;
    for expected in ["Cl", "dF", "cF"] {
        let Some(word) = row.words().get(column) else { break };
        let is_named = table.name(column).eq_ignore_ascii_case(expected);
        if column >= table.named().len() || !is_named && number(word).is_none() {
            break;
        }
        if row.number(column, expected)? != 0.0 && expected == "Cl" {
            return Err(row.unsupported(column, "Cl: vortex-induced vibrations are not supported"));
        }
        if !is_named {
            notes.push(format!("{}: read as {expected} by the order of columns", row.place(column)));
        }
        column += 1;
    }
    row.check_end(column)
}

/// A stiffness or a damping, and the numbers after it between `|`, of which there are at most
/// `most` together.
fn law(row: &Row, column: usize, name: &str, most: usize) -> Result<(Law, Vec<f64>)> {
    let word = row.word(column, name)?;
    if word.to_uppercase().starts_with("SYROPE:") {
        let expected = || row.refuse(column, format!("{name}: expected SYROPE:file|EA_Dc|EA_D_Lm, of EA"));
        let (file, numbers) = word["SYROPE:".len()..].split_once('|').ok_or_else(expected)?;
        let numbers: Option<Vec<f64>> = numbers.split('|').map(number).collect();
        let numbers = numbers.filter(|numbers| name == "EA" && numbers.len() == 2).ok_or_else(expected)?;
        return Ok((Law::Curves(file.to_owned()), numbers));
    }
    if word.contains('|') {
        let numbers: Option<Vec<f64>> = word.split('|').map(number).collect();
        return match numbers.as_deref() {
            None => Err(row.refuse(column, format!("{name}: expected numbers between |"))),
            Some([first, others @ ..]) if others.len() < most => Ok((Law::Number(*first), others.to_vec())),
            Some(_) => Err(row.refuse(column, format!("{name}: expected at most {most} numbers"))),
        };
    }
    match number(word) {
        Some(value) => Ok((Law::Number(value), Vec::new())),
        // A word that starts like a number is a misspelt number.
        None if !word.starts_with(char::is_alphabetic) && !word.starts_with(['.', '/', '\\', '_']) => {
            Err(row.refuse(column, format!("{name}: expected a number or the name of a file")))
        }
        None => Ok((Law::File(word.to_owned()), Vec::new())),
    }
}
