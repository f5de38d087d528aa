//! Files in the folder of the input file: tables of stiffness or damping, the steady current, waves.

use super::lexer::{Line, Row, lines, number};
use crate::elements::waves::Wave;
use crate::error::Result;
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// Most lines of text before the numbers.
const MOST_HEADERS: usize = 3;

/// The rows of a file of numbers, after its title, names and units. Errors: no rows, or text
/// between them.
fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Row>> {
    let mut found = Vec::new();
    let mut headers = 0;
    for line in lines(path, bytes) {
        let (row, is_header) = match line {
            Line::Header(_, row) => (row, true),
            Line::Words(row) => {
                let is_text = number(&row.words()[0]).is_none();
                (row, is_text)
            }
        };
        if !is_header {
            found.push(row);
            continue;
        }
        headers += 1;
        if !found.is_empty() || headers > MOST_HEADERS {
            return Err(row.refuse(0, "expected numbers"));
        }
    }
    if found.is_empty() {
        let detail = format!("\"{}\": no numbers are in this file", path.display());
        return Err(crate::error::Error::Format { argument: "path", detail });
    }
    Ok(found)
}

/// A table of two columns, strain and tension or strain rate and force. Errors: as [`rows`];
/// another number of columns.
pub(crate) fn curve(path: &Path, bytes: &[u8]) -> Result<[Vec<f64>; 2]> {
    let mut columns = [Vec::new(), Vec::new()];
    for row in rows(path, bytes)? {
        columns[0].push(row.number(0, "the strain")?);
        columns[1].push(row.number(1, "the force")?);
        row.check_end(2)?;
    }
    Ok(columns)
}

/// A steady current: increasing depths, from heights z in any order, with velocities. Errors: as
/// [`rows`]; other columns; a height twice.
pub(crate) fn current(path: &Path, bytes: &[u8]) -> Result<Vec<(f64, [f64; 3])>> {
    let mut profile = Vec::new();
    for row in rows(path, bytes)? {
        let depth = -row.number(0, "z")?;
        let velocity = row.vector(1, ["ux", "uy", "uz"])?;
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

/// Components of waves: rows of angular frequency, real and imaginary part of a complex amplitude A,
/// and a heading, 0 if left out. The elevation of a row is `|A| sin(w t - k l + arg A)`, as MoorDyn-C
/// sums it; rows of frequency 0 are no waves. Errors: as [`rows`]; other columns.
pub(crate) fn components(path: &Path, bytes: &[u8]) -> Result<Vec<Wave>> {
    let mut waves = Vec::new();
    for row in rows(path, bytes)? {
        let [frequency, real, imaginary] = row.vector(0, ["the frequency", "the real part", "the imaginary part"])?;
        let heading = if row.words().len() > 3 { row.number(3, "the heading")? } else { 0.0 };
        row.check_end(4)?;
        let phase = FRAC_PI_2 - imaginary.atan2(real);
        if frequency != 0.0 {
            waves.push(Wave { amplitude: real.hypot(imaginary), frequency, heading, phase });
        }
    }
    Ok(waves)
}

/// Depths of the seabed on a grid, row by row: x, y, depth. The file has the numbers of columns and of
/// rows, the coordinates x of columns, the coordinates y of rows, and x, y and z of each node in any order.
/// Errors: as [`rows`]; another number of words; a node that is not of the grid, or is missing.
pub(crate) fn seafloor(path: &Path, bytes: &[u8]) -> Result<Vec<[f64; 3]>> {
    let rows = rows(path, bytes)?;
    let head =
        |k: usize| rows.get(k).ok_or_else(|| rows[rows.len() - 1].refuse(0, "the file ends here: expected a grid"));
    let mut axes = [Vec::new(), Vec::new()];
    for (k, (axis, name)) in axes.iter_mut().zip(["x", "y"]).enumerate() {
        let (count, row) = (head(0)?.number(k, "the number of nodes")?, head(k + 1)?);
        *axis = (0..row.words().len()).map(|column| row.number(column, name)).collect::<Result<Vec<f64>>>()?;
        if axis.len() as f64 != count {
            return Err(row.refuse(0, format!("{} coordinates {name}, expected {count}", axis.len())));
        }
    }
    let [xs, ys] = &axes;
    let mut depths = vec![None; xs.len().saturating_mul(ys.len())];
    for row in &rows[3..] {
        let [x, y, z] = row.vector(0, ["x", "y", "z"])?;
        row.check_end(3)?;
        let place = |axis: &[f64], x: f64| axis.iter().position(|node| *node == x);
        let Some((column, line)) = place(xs, x).zip(place(ys, y)) else {
            return Err(row.refuse(0, "this place is not on the grid"));
        };
        // Removes the sign of zero.
        depths[line * xs.len() + column] = Some(-z + 0.0);
    }
    let node = |(k, depth): (usize, &Option<f64>)| {
        let (x, y) = (xs[k % xs.len()], ys[k / xs.len()]);
        let missing =
            || rows[rows.len() - 1].refuse(0, format!("the file ends here without the node x = {x}, y = {y}"));
        depth.map(|depth| [x, y, depth]).ok_or_else(missing)
    };
    depths.iter().enumerate().map(node).collect()
}

/// A record of the elevation at x = y = 0: its first time, its step, and the elevations. Errors: as
/// [`rows`]; other columns; times that are not equally spaced.
pub(crate) fn elevations(path: &Path, bytes: &[u8]) -> Result<([f64; 2], Vec<f64>)> {
    let rows = rows(path, bytes)?;
    let mut times = Vec::new();
    let mut elevations = Vec::new();
    for row in &rows {
        times.push(row.number(0, "the time")?);
        elevations.push(row.number(1, "the elevation")?);
        row.check_end(2)?;
    }
    let (start, last) = (times[0], times.len() - 1);
    let step = (times[last] - start) / last.max(1) as f64;
    let is_off = |k: &usize| (times[*k] - start - step * *k as f64).abs() > 1e-3 * step.abs();
    match (0..times.len()).find(is_off) {
        Some(k) => Err(rows[k].refuse(0, "times must be equally spaced")),
        None => Ok(([start, step], elevations)),
    }
}
