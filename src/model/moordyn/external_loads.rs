//! External loads: steady forces on bodies, points and rods, and damping by their own velocities
//! (MoorDyn-F).

use super::heads;
use super::lexer::Row;
use super::sections::Table;
use crate::error::Result;

/// What an external load acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loaded {
    /// A body, at its reference point.
    Body(usize),
    /// A point.
    Point(usize),
    /// A rod: the force at its end A, damping along all of it.
    Rod(usize),
}

/// An external load.
#[derive(Debug)]
pub(crate) struct ExternalLoad {
    /// Its row.
    pub row: Row,
    /// What it acts on.
    pub object: Loaded,
    /// Steady force, N.
    pub force: [f64; 3],
    /// Force per velocity, and per square of a velocity: along three axes, or across and along a
    /// rod.
    pub damping: [[f64; 3]; 2],
    /// Whether these are along the axes of the body.
    pub in_body: bool,
}

impl ExternalLoad {
    /// The columns of object, force, linear and quadratic damping.
    pub const OBJECT: usize = 1;
    pub const FORCE: usize = 2;
    pub const LINEAR: usize = 3;
    pub const QUADRATIC: usize = 4;
    const AXES: usize = 5;
}

/// Reads all external loads on so many bodies, points and rods.
pub(super) fn read(table: Option<&Table>, parts: [usize; 3], notes: &mut Vec<String>) -> Result<Vec<ExternalLoad>> {
    let Some(table) = table else { return Ok(Vec::new()) };
    heads::note(table, heads::EXTERNAL_LOADS, notes);
    table.rows.iter().enumerate().map(|(index, row)| load(index, row, parts, notes)).collect()
}

fn load(index: usize, row: &Row, parts: [usize; 3], notes: &mut Vec<String>) -> Result<ExternalLoad> {
    row.check_id(index + 1)?;
    let object = object(row, parts)?;
    let force = match &row.numbers(ExternalLoad::FORCE, "Fext")?[..] {
        [0.0] => [0.0; 3],
        [x, y, z] => [*x, *y, *z],
        _ => return Err(row.refuse(ExternalLoad::FORCE, "Fext: expected 0 or 3 numbers")),
    };
    let damping = |column: usize, name: &str| {
        let found = match (&row.numbers(column, name)?[..], object) {
            ([all], _) => [*all; 3],
            ([across, along], Loaded::Rod(_)) => [*across, *along, 0.0],
            ([x, y, z], Loaded::Body(_) | Loaded::Point(_)) => [*x, *y, *z],
            (_, Loaded::Rod(_)) => return Err(row.refuse(column, format!("{name} of a rod: expected 1 or 2 numbers"))),
            _ => return Err(row.refuse(column, format!("{name}: expected 1 or 3 numbers"))),
        };
        match found.iter().all(|b| *b >= 0.0) {
            true => Ok(found),
            false => Err(row.refuse(column, format!("{name}: expected 0 or more"))),
        }
    };
    let damping = [damping(ExternalLoad::LINEAR, "Blin")?, damping(ExternalLoad::QUADRATIC, "Bquad")?];
    let axes = row.word(ExternalLoad::AXES, "CSys")?.to_uppercase();
    let in_body = match (&axes[..], object) {
        ("G", Loaded::Body(_)) => false,
        ("L", Loaded::Body(_)) => true,
        (_, Loaded::Body(_)) => return Err(row.refuse(ExternalLoad::AXES, "CSys: expected G or L")),
        ("-", _) => false,
        _ => {
            let place = row.place(ExternalLoad::AXES);
            notes.push(format!("{place}: not needed, loads on points and rods have one choice of axes"));
            false
        }
    };
    row.check_end(heads::EXTERNAL_LOADS.len())?;
    Ok(ExternalLoad { row: row.clone(), object, force, damping, in_body })
}

/// `Body1`, `Point2`, `P2`, `Rod3`, `R3`.
fn object(row: &Row, [bodies, points, rods]: [usize; 3]) -> Result<Loaded> {
    let word = row.word(ExternalLoad::OBJECT, "Object")?.to_uppercase();
    let digits = word.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let number = |count: usize, kind: &str| match digits.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => Ok(number - 1),
        _ => Err(row.refuse(ExternalLoad::OBJECT, format!("no such {kind}: the file has {count}"))),
    };
    match &word[..word.len() - digits.len()] {
        "BODY" => Ok(Loaded::Body(number(bodies, "body")?)),
        "P" | "POINT" => Ok(Loaded::Point(number(points, "point")?)),
        "R" | "ROD" => Ok(Loaded::Rod(number(rods, "rod")?)),
        _ => Err(row.refuse(ExternalLoad::OBJECT, "expected a body, a point or a rod, such as Body1, Point1, Rod1")),
    }
}
