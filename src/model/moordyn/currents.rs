//! Files of currents in the folder of the input file: a steady profile, a profile that changes in
//! time, a grid in space and time.

use super::curves::{grid, rows};
use super::lexer::{Line, Row, lines};
use crate::error::{Error, Result};
use std::path::Path;

/// The line of a profile that changes in time which has the heights; the next one is not read.
const HEIGHTS: usize = 5;

/// A steady current: increasing depths, from heights z in any order, with velocities, of which y
/// and z may be left out. Errors: as [`rows`]; other columns; a height twice.
pub(crate) fn current(path: &Path, bytes: &[u8]) -> Result<Vec<(f64, [f64; 3])>> {
    let mut profile = Vec::new();
    for row in rows(path, bytes)? {
        let depth = -row.number(0, "z")?;
        let mut velocity = [row.number(1, "ux")?, 0.0, 0.0];
        for (k, name) in [(1, "uy"), (2, "uz")] {
            if row.words().len() > k + 1 {
                velocity[k] = row.number(k + 1, name)?;
            }
        }
        row.check_end(4)?;
        if profile.iter().any(|(other, _)| *other == depth) {
            return Err(row.refuse(0, "this height is there already"));
        }
        // Removes the sign of zero.
        profile.push((depth + 0.0, velocity));
    }
    profile.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(profile)
}

/// A current that changes in time, as nodes of a grid with x = y = 0. Four lines of text; heights z
/// in any order; a line that is not read; rows of a time and, for all heights, ux, then uy, then
/// uz, of which the last or the last two may be left out. Errors: no heights or no rows; a number
/// of words that is none of these; a word that is no number; a height twice; times that do not
/// rise.
pub(crate) fn current_over_time(path: &Path, bytes: &[u8]) -> Result<Vec<[f64; 7]>> {
    let contents = lines(path, bytes).into_iter().map(|line| match line {
        Line::Header(_, row) | Line::Words(row) => row,
    });
    let mut rows = contents.filter(|row| row.line() >= HEIGHTS && row.line() != HEIGHTS + 1);
    let missing = |what: &str| Error::Format { argument: "path", detail: format!("\"{}\": {what}", path.display()) };
    let head = rows.next().ok_or_else(|| missing("the file ends before line 5, which has the heights"))?;
    if head.line() != HEIGHTS {
        return Err(head.refuse(0, "the heights z are missing: they are line 5"));
    }
    let number = |row: &Row, column: usize| row.number(column, "a height, a time or a velocity");
    let count = head.words().len();
    let depths = (0..count).map(|column| Ok(0.0 - number(&head, column)?)).collect::<Result<Vec<f64>>>()?;
    if let Some(column) = (0..count).find(|column| depths[..*column].contains(&depths[*column])) {
        return Err(head.refuse(column, "this height is there already"));
    }
    let mut rising = depths.clone();
    rising.sort_by(f64::total_cmp);
    let order: Vec<usize> = rising.iter().filter_map(|depth| depths.iter().position(|x| x == depth)).collect();
    let (mut points, mut before) = (Vec::new(), f64::NEG_INFINITY);
    for row in rows {
        let words = row.words().len();
        if ![1, 2, 3].iter().any(|components| words == components * count + 1) {
            let detail = format!("{words} words: expected a time and ux, uy, uz at {count} heights");
            return Err(row.refuse(0, detail));
        }
        let time = number(&row, 0)?;
        if time <= before {
            return Err(row.refuse(0, "times must rise"));
        }
        before = time;
        for height in &order {
            let mut point = [0.0, 0.0, depths[*height], time, 0.0, 0.0, 0.0];
            for (component, velocity) in point[4..].iter_mut().enumerate().take((words - 1) / count) {
                *velocity = number(&row, 1 + component * count + height)?;
            }
            points.push(point);
        }
    }
    if points.is_empty() { Err(missing("no rows of times and velocities are in this file")) } else { Ok(points) }
}

/// Nodes of a current on a grid: x, y, depth, time, velocity; the time rises slowest. The file has
/// the numbers of nodes along x, y, z and t, the coordinates along each in any order, and rows of
/// x, y, z, t and velocity of each node in any order. Errors: as [`grid`].
pub(crate) fn current_grid(path: &Path, bytes: &[u8]) -> Result<Vec<[f64; 7]>> {
    grid::<4, 7>(path, bytes, ["x", "y", "z", "t", "ux", "uy", "uz"])
}
