//! Points, which version 1 calls nodes or connections.

use super::heads;
use super::lexer::{Row, number};
use super::sections::Table;
use crate::error::Result;

/// The support of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PointKind {
    /// None: Free, Connect.
    Free,
    /// It does not move: Fixed, Fix, Anchor.
    Fixed,
    /// The host moves it: Coupled, Vessel, Fairlead.
    Coupled,
    /// It is attached to a body: Body1.
    Attached(usize),
}

/// A point.
#[derive(Debug)]
pub(crate) struct Point {
    /// Its row.
    pub row: Row,
    /// Its support.
    pub kind: PointKind,
    /// Its position, m; on a body in the axes of that.
    pub position: [f64; 3],
    /// Mass, kg.
    pub mass: f64,
    /// Displaced volume, m^3.
    pub volume: f64,
    /// Steady force, N.
    pub force: [f64; 3],
    /// Drag coefficient times area, m^2.
    pub drag: f64,
    /// Added mass coefficient.
    pub added_mass: f64,
    /// The column of the drag coefficient.
    pub drag_column: usize,
}

/// How many numbers follow the attachment, with forces and without.
const WITH_FORCES: usize = 10;
const WITHOUT_FORCES: usize = 7;

/// Reads all points.
pub(super) fn read(table: Option<&Table>, bodies: usize, notes: &mut Vec<String>) -> Result<Vec<Point>> {
    let Some(table) = table else { return Ok(Vec::new()) };
    heads::note(table, if table.has("FX") { heads::POINTS_WITH_FORCES } else { heads::POINTS }, notes);
    let mut points = Vec::with_capacity(table.rows.len());
    let mut is_told = false;
    for (index, row) in table.rows.iter().enumerate() {
        // Version 1 has forces, version 2 need not. As in MoorDyn the length of the row decides,
        // whatever the names.
        let numbers = row.words().iter().skip(2).take_while(|word| number(word).is_some()).count();
        let with_forces = numbers >= WITH_FORCES || table.has("FX") && numbers != WITHOUT_FORCES;
        if with_forces != table.has("FX") && !is_told {
            is_told = true;
            let what = if with_forces { "with" } else { "without" };
            let place = row.place(0);
            notes.push(format!(
                "{place}: read {what} forces by the length of the row, against the names of the columns"
            ));
        }
        let point = point(index, row, with_forces, bodies)?;
        let unit = table.units.as_ref().and_then(|units| units.words().get(7));
        let in_kilonewton = unit.is_some_and(|unit| unit.to_lowercase().contains("kn"));
        if with_forces && in_kilonewton && point.force != [0.0; 3] {
            notes.push(format!(
                "{}: forces on points are read as N, as MoorDyn does, whatever their unit",
                row.place(7)
            ));
        }
        points.push(point);
    }
    Ok(points)
}

fn point(index: usize, row: &Row, with_forces: bool, bodies: usize) -> Result<Point> {
    row.check_id(index + 1)?;
    let kind = kind(row, bodies)?;
    let position = row.vector(2, ["X", "Y", "Z"])?;
    let (mass, volume) = (row.number(5, "Mass")?, row.number(6, "Volume")?);
    let (force, drag_column) = if with_forces { (row.vector(7, ["FX", "FY", "FZ"])?, 10) } else { ([0.0; 3], 7) };
    let (drag, added_mass) = (row.number(drag_column, "CdA")?, row.number(drag_column + 1, "Ca")?);
    row.check_end(drag_column + 2)?;
    Ok(Point { row: row.clone(), kind, position, mass, volume, force, drag, added_mass, drag_column })
}

fn kind(row: &Row, bodies: usize) -> Result<PointKind> {
    let word = row.word(1, "the attachment")?.to_uppercase();
    if let Some(number) = word.strip_prefix("BODY") {
        return match number.parse::<usize>() {
            Ok(body) if (1..=bodies).contains(&body) => Ok(PointKind::Attached(body - 1)),
            _ => Err(row.refuse(1, format!("no such body: the file has {bodies}"))),
        };
    }
    match &word[..] {
        "FREE" | "CONNECT" | "CON" | "POINT" => Ok(PointKind::Free),
        "FIXED" | "FIX" | "ANCHOR" => Ok(PointKind::Fixed),
        "COUPLED" | "VESSEL" | "VES" | "CPLD" | "FAIRLEAD" => Ok(PointKind::Coupled),
        _ if word.starts_with("TURBINE") => Err(row.unsupported(1, "turbines of FAST.Farm are not supported")),
        _ if word.starts_with('R') => {
            Err(row.unsupported(1, "points on rods are not supported: lines end at R1A, R1B"))
        }
        _ => Err(row.refuse(1, "expected Fixed (Fix, Anchor), Free (Connect), Coupled (Vessel, Fairlead) or Body1")),
    }
}
