//! Rigid bodies of version 2.

use super::heads;
use super::lexer::Row;
use super::sections::Table;
use crate::error::Result;

/// The support of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    /// None.
    Free,
    /// It does not move.
    Fixed,
    /// The host moves it.
    Coupled,
    /// It turns about its reference point, which the host moves.
    CoupledPinned,
}

/// A body.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// Its row.
    pub row: Row,
    /// Its support.
    pub kind: BodyKind,
    /// Position of its reference point, m.
    pub position: [f64; 3],
    /// Angles about x, the new y, and the new z, degrees.
    pub angles: [f64; 3],
    /// Mass, kg.
    pub mass: f64,
    /// Centre of gravity, and of buoyancy, body axes, m.
    pub centre: [f64; 3],
    /// Moments of inertia about the centre of gravity, kg m^2.
    pub inertia: [f64; 3],
    /// Displaced volume, m^3.
    pub volume: f64,
    /// Drag coefficients times areas: three of translations, three of rotations.
    pub drag: [f64; 6],
    /// Added mass coefficients along the axes.
    pub added_mass: [f64; 3],
}

impl Body {
    /// The column of drag coefficients.
    pub const DRAG: usize = 12;
    /// The column of the volume.
    pub const VOLUME: usize = 11;
    const COLUMNS: usize = 14;

    /// The same without mass, water and drag of its own.
    pub fn bare(&self) -> Body {
        let zero = [0.0; 3];
        Body { mass: 0.0, centre: zero, inertia: zero, volume: 0.0, drag: [0.0; 6], added_mass: zero, ..self.clone() }
    }
}

/// Reads all bodies.
pub(super) fn read(table: Option<&Table>, notes: &mut Vec<String>) -> Result<Vec<Body>> {
    let Some(table) = table else { return Ok(Vec::new()) };
    heads::note(table, heads::BODIES, notes);
    table.rows.iter().enumerate().map(|(index, row)| body(index, row)).collect()
}

fn body(index: usize, row: &Row) -> Result<Body> {
    row.check_id(index + 1)?;
    let body = Body {
        row: row.clone(),
        kind: kind(row)?,
        position: row.vector(2, ["X0", "Y0", "Z0"])?,
        angles: row.vector(5, ["r0", "p0", "y0"])?,
        mass: row.number(8, "Mass")?,
        centre: match &row.numbers(9, "CG")?[..] {
            [z] => [0.0, 0.0, *z],
            [x, y, z] => [*x, *y, *z],
            _ => return Err(row.refuse(9, "CG: expected 1 or 3 numbers")),
        },
        inertia: three(row, 10, "I")?,
        volume: row.number(Body::VOLUME, "Volume")?,
        drag: match &row.numbers(Body::DRAG, "CdA")?[..] {
            [all] => [*all; 6],
            [along, about] => [*along, *along, *along, *about, *about, *about],
            [x, y, z] => [*x, *y, *z, *x, *y, *z],
            [x, y, z, rx, ry, rz] => [*x, *y, *z, *rx, *ry, *rz],
            _ => return Err(row.refuse(Body::DRAG, "CdA: expected 1, 2, 3 or 6 numbers")),
        },
        added_mass: three(row, 13, "Ca")?,
    };
    row.check_end(Body::COLUMNS)?;
    Ok(body)
}

fn kind(row: &Row) -> Result<BodyKind> {
    let word = row.word(1, "the attachment")?.to_uppercase();
    match &word[..] {
        "FREE" => Ok(BodyKind::Free),
        "FIXED" | "FIX" | "ANCHOR" => Ok(BodyKind::Fixed),
        "COUPLED" | "VESSEL" | "VES" | "CPLD" => Ok(BodyKind::Coupled),
        "COUPLEDPINNED" | "VESSELPINNED" | "VESPIN" | "CPLDPIN" => Ok(BodyKind::CoupledPinned),
        _ if word.starts_with("TURBINE") => Err(row.unsupported(1, "turbines of FAST.Farm are not supported")),
        _ => Err(row.refuse(1, "expected Free, Fixed, Coupled (Vessel) or CoupledPinned (VesselPinned)")),
    }
}

fn three(row: &Row, column: usize, name: &str) -> Result<[f64; 3]> {
    match &row.numbers(column, name)?[..] {
        [all] => Ok([*all; 3]),
        [x, y, z] => Ok([*x, *y, *z]),
        _ => Err(row.refuse(column, format!("{name}: expected 1 or 3 numbers"))),
    }
}
