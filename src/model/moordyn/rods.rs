//! Rods of version 2, and their types.

use super::heads;
use super::lexer::Row;
use super::sections::Table;
use crate::error::Result;

/// A rod type.
#[derive(Debug)]
pub(crate) struct RodType {
    /// Its row.
    pub row: Row,
    /// Diameter, m.
    pub diameter: f64,
    /// Mass per length, kg/m.
    pub mass: f64,
    /// Coefficients of drag and added mass across the axis, then along it at the ends.
    pub coefficients: [f64; 4],
}

/// The support of a rod.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RodKind {
    /// None.
    Free,
    /// It does not move.
    Fixed,
    /// It turns about its end A, which does not move.
    Pinned,
    /// The host moves it.
    Coupled,
    /// It turns about its end A, which the host moves.
    CoupledPinned,
    /// It is part of a body.
    Attached(usize),
    /// It turns about its end A, which is on a body.
    AttachedPinned(usize),
}

/// A rod.
#[derive(Debug)]
pub(crate) struct Rod {
    /// Its row.
    pub row: Row,
    /// Its type.
    pub rod_type: usize,
    /// Its support.
    pub kind: RodKind,
    /// Its ends A and B, m; on a body in the axes of that.
    pub ends: [[f64; 3]; 2],
    /// Number of segments; 0: both ends are at A.
    pub segments: i32,
}

impl RodType {
    /// The column of an argument of the function that adds a cylinder.
    pub fn column(argument: Option<&str>) -> Option<usize> {
        let columns = ["", "diameter", "mass", "cd", "ca", "cd_end", "ca_end"];
        columns.iter().position(|name| argument == Some(name))
    }
}

impl Rod {
    /// The column of the support.
    pub const SUPPORT: usize = 2;
    /// The column of the number of segments.
    pub const SEGMENTS: usize = 9;
}

/// The column of output files that MoorDyn writes for the rod; it is the last one, and may be
/// missing.
const FILES: usize = 10;

/// Reads all rod types and rods.
pub(super) fn read(
    types: Option<&Table>,
    rods: Option<&Table>,
    bodies: usize,
    notes: &mut Vec<String>,
) -> Result<(Vec<RodType>, Vec<Rod>)> {
    let Some(rods) = rods.filter(|table| !table.rows.is_empty()) else {
        if let Some(row) = types.and_then(|table| table.rows.first()) {
            notes.push(format!("{}: not needed, no rod is of a type", row.place(0)));
        }
        return Ok((Vec::new(), Vec::new()));
    };
    let (mut read_types, mut names) = (Vec::new(), Vec::new());
    if let Some(table) = types {
        heads::note(table, heads::ROD_TYPES, notes);
        for row in &table.rows {
            let name = row.word(0, "the name")?;
            if name.is_empty() || names.contains(&name) {
                return Err(row.refuse(0, "a rod type needs a name of its own"));
            }
            names.push(name);
            read_types.push(rod_type(row)?);
        }
    }
    heads::note(rods, heads::RODS, notes);
    let mut read_rods = Vec::with_capacity(rods.rows.len());
    for (index, row) in rods.rows.iter().enumerate() {
        read_rods.push(rod(index, row, &names, bodies)?);
        heads::note_files(row, FILES, notes);
    }
    Ok((read_types, read_rods))
}

fn rod_type(row: &Row) -> Result<RodType> {
    let [cd, ca] = [row.number(3, "Cd")?, row.number(4, "Ca")?];
    let coefficients = [cd, ca, row.number(5, "CdEnd")?, row.number(6, "CaEnd")?];
    let (diameter, mass) = (row.number(1, "Diam")?, row.number(2, "Mass/m")?);
    if mass < 0.0 {
        return Err(row.refuse(2, "Mass/m: expected 0 or more"));
    }
    row.check_end(heads::ROD_TYPES.len())?;
    Ok(RodType { row: row.clone(), diameter, mass, coefficients })
}

fn rod(index: usize, row: &Row, types: &[&str], bodies: usize) -> Result<Rod> {
    row.check_id(index + 1)?;
    let name = row.word(1, "the rod type")?;
    let rod_type = types.iter().position(|known| *known == name);
    let rod = Rod {
        row: row.clone(),
        rod_type: rod_type.ok_or_else(|| row.refuse(1, "no rod type of this name is in the file"))?,
        kind: kind(row, bodies)?,
        ends: [row.vector(3, ["Xa", "Ya", "Za"])?, row.vector(6, ["Xb", "Yb", "Zb"])?],
        segments: row.integer(Rod::SEGMENTS, "NumSegs")?,
    };
    if rod.segments > 0 && rod.ends[0] == rod.ends[1] {
        return Err(row.refuse(6, "ends A and B are at the same place: a rod without length has 0 segments"));
    }
    row.check_end(FILES + 1)?;
    Ok(rod)
}

fn kind(row: &Row, bodies: usize) -> Result<RodKind> {
    let word = row.word(Rod::SUPPORT, "the attachment")?.to_uppercase();
    if let Some(rest) = word.strip_prefix("BODY") {
        let digits = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_pinned = match &rest[digits.len()..] {
            "" => false,
            "PIN" | "PINNED" => true,
            _ => return Err(row.refuse(Rod::SUPPORT, "expected Body1 or Body1Pinned")),
        };
        return match digits.parse::<usize>() {
            Ok(body) if !(1..=bodies).contains(&body) => {
                Err(row.refuse(Rod::SUPPORT, format!("no such body: the file has {bodies}")))
            }
            Ok(body) if is_pinned => Ok(RodKind::AttachedPinned(body - 1)),
            Ok(body) => Ok(RodKind::Attached(body - 1)),
            Err(_) => Err(row.refuse(Rod::SUPPORT, "expected the number of a body")),
        };
    }
    match &word[..] {
        "FREE" | "POINT" | "CON" | "CONNECT" => Ok(RodKind::Free),
        "FIXED" | "FIX" | "ANCHOR" => Ok(RodKind::Fixed),
        "PINNED" | "PIN" => Ok(RodKind::Pinned),
        "COUPLED" | "VESSEL" | "VES" | "CPLD" => Ok(RodKind::Coupled),
        "COUPLEDPINNED" | "VESSELPINNED" | "VESPIN" | "CPLDPIN" => Ok(RodKind::CoupledPinned),
        _ if word.starts_with("TURBINE") => {
            Err(row.unsupported(Rod::SUPPORT, "turbines of FAST.Farm are not supported"))
        }
        _ => Err(row.refuse(
            Rod::SUPPORT,
            "expected Free, Fixed, Pinned, Coupled (Vessel), CoupledPinned (VesselPinned), Body1 or Body1Pinned",
        )),
    }
}
