//! Files in the folder of the input file: tables of stiffness or damping, waves, the seabed on a
//! grid.

use super::lexer::{Line, Row, lines, number};
use crate::elements::waves::Wave;
use crate::error::{Error, Result};
use std::f64::consts::FRAC_PI_2;
use std::path::Path;

/// Most lines of text before the numbers.
const MOST_HEADERS: usize = 3;

/// The largest number of frequencies to which a spectrum is interpolated.
const MOST_MULTIPLES: f64 = 1e6;

/// Multiples of a difference of frequencies are those of a file to this part of the difference.
const ROUNDING: f64 = 1e-9;

/// The rows of a file.
pub(super) fn rows_of_words(path: &Path, bytes: &[u8]) -> impl Iterator<Item = Row> {
    lines(path, bytes).into_iter().map(|line| match line {
        Line::Header(_, row) | Line::Words(row) => row,
    })
}

/// The rows of a file of numbers, after its title, names and units. Errors: no rows, or text
/// between them.
pub(super) fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Row>> {
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

/// Components of waves: rows of angular frequency, real and imaginary part of a complex amplitude
/// A, and a heading, 0 if left out. The elevation of a row is `|A| sin(w t - k l + arg A)`, as
/// MoorDyn-C sums it; rows of frequency 0 are no waves. Errors: as [`rows`]; other columns.
pub(crate) fn components(path: &Path, bytes: &[u8]) -> Result<Vec<Wave>> {
    let mut waves = Vec::new();
    for row in rows(path, bytes)? {
        let [frequency, real, imaginary, heading] = component(&row)?;
        let phase = FRAC_PI_2 - imaginary.atan2(real);
        if frequency != 0.0 {
            waves.push(Wave { amplitude: real.hypot(imaginary), frequency, heading, phase });
        }
    }
    Ok(waves)
}

/// Components of waves from a spectrum at rising frequencies, the first of them 0, with rows as
/// those of [`components`]. As MoorDyn-C reads it: amplitudes A and headings are interpolated to
/// multiples of the smallest difference of frequencies, and the elevation of each but 0 is the real
/// part of `A exp(i (w t - k l))`. Errors: as [`rows`]; other columns; frequencies that do not
/// begin at 0 or do not rise; too many multiples.
pub(crate) fn spectrum(path: &Path, bytes: &[u8]) -> Result<Vec<Wave>> {
    let rows = rows(path, bytes)?;
    let given = rows.iter().map(component).collect::<Result<Vec<[f64; 4]>>>()?;
    if given[0][0] != 0.0 {
        return Err(rows[0].refuse(0, "the first frequency must be 0"));
    }
    let mut spacing = f64::INFINITY;
    for (k, pair) in given.windows(2).enumerate() {
        let difference = pair[1][0] - pair[0][0];
        if difference <= 0.0 {
            return Err(rows[k + 1].refuse(0, "frequencies must rise"));
        }
        spacing = spacing.min(difference);
    }
    let last = given.len() - 1;
    // Multiples miss the frequencies of the file by rounding.
    let multiples = given[last][0] / spacing + ROUNDING;
    if multiples > MOST_MULTIPLES {
        let detail = format!("more than {MOST_MULTIPLES} multiples of the smallest difference of frequencies");
        return Err(rows[last].refuse(0, detail));
    }
    let mut waves = Vec::new();
    let mut from = 0;
    for k in 1..=multiples as usize {
        let frequency = spacing * k as f64;
        while from + 2 < given.len() && given[from + 1][0] < frequency {
            from += 1;
        }
        let (low, high) = (given[from], given[from + 1]);
        let part = ((frequency - low[0]) / (high[0] - low[0])).clamp(0.0, 1.0);
        // Next to a frequency of the file its neighbours have no part.
        let part = if (part - part.round()).abs() < ROUNDING { part.round() } else { part };
        let [real, imaginary, heading] = [1, 2, 3].map(|i| (1.0 - part) * low[i] + part * high[i]);
        let amplitude = real.hypot(imaginary);
        if amplitude > 0.0 {
            waves.push(Wave { amplitude, frequency, heading, phase: -imaginary.atan2(real) });
        }
    }
    Ok(waves)
}

/// A row of frequency, real and imaginary part of an amplitude, and heading, 0 if left out. Errors:
/// other columns.
fn component(row: &Row) -> Result<[f64; 4]> {
    let [frequency, real, imaginary] = row.vector(0, ["the frequency", "the real part", "the imaginary part"])?;
    let heading = if row.words().len() > 3 { row.number(3, "the heading")? } else { 0.0 };
    row.check_end(4)?;
    Ok([frequency, real, imaginary, heading])
}

/// Depths of the seabed on a grid, row by row: x, y, depth. Errors: as [`grid`].
pub(crate) fn seafloor(path: &Path, bytes: &[u8]) -> Result<Vec<[f64; 3]>> {
    grid::<2, 3>(path, bytes, ["x", "y", "z"])
}

/// Depths of the seabed on a grid as OpenFAST's module has them, row by row: x, y, depth. The file
/// has a line of text, the names and numbers of columns and of rows, x of the columns, and rows of
/// y and depths. Errors: other numbers of columns or rows; a word that is no number.
pub(crate) fn depth_table(path: &Path, bytes: &[u8]) -> Result<Vec<[f64; 3]>> {
    let rows: Vec<Row> = rows_of_words(path, bytes).filter(|row| row.line() > 1).collect();
    let [columns, lines, head, rows @ ..] = &rows[..] else {
        let detail = format!("\"{}\": the file ends before x of the columns", path.display());
        return Err(Error::Format { argument: "path", detail });
    };
    let check = |row: &Row, count: usize, what: &str| match row.number(1, what)? {
        expected if expected == count as f64 => Ok(()),
        _ => Err(row.refuse(1, format!("{what}: the table has {count}"))),
    };
    let count = head.words().len();
    check(columns, count, "the number of columns")?;
    check(lines, rows.len(), "the number of rows")?;
    let mut points = Vec::new();
    for row in rows {
        let y = row.number(0, "y")?;
        for column in 0..count {
            points.push([head.number(column, "x")?, y, row.number(column + 1, "the depth")?]);
        }
        row.check_end(count + 1)?;
    }
    Ok(points)
}

/// Coordinates and values at the nodes of a grid with D axes, the first of them fastest; column 2
/// is z, and becomes the depth. The file has the numbers of nodes along the axes, a row of
/// coordinates in any order for each axis, and rows of the coordinates and values of each node in
/// any order. Errors: as [`rows`]; another number of words; a node that is not of the grid, or is
/// missing.
pub(super) fn grid<const D: usize, const W: usize>(
    path: &Path,
    bytes: &[u8],
    names: [&str; W],
) -> Result<Vec<[f64; W]>> {
    let rows = rows(path, bytes)?;
    let end = |detail: String| rows[rows.len() - 1].refuse(0, format!("the file ends here{detail}"));
    let head = |k: usize| rows.get(k).ok_or_else(|| end(": expected a grid".into()));
    let number = |row: &Row, column: usize, k: usize| {
        let x = row.number(column, names[k])?;
        // Without the sign of zero.
        Ok(if k == 2 { 0.0 - x } else { x })
    };
    let mut axes = [(); D].map(|()| Vec::new());
    for (k, axis) in axes.iter_mut().enumerate() {
        let (name, count, row) = (names[k], head(0)?.number(k, "the number of nodes")?, head(k + 1)?);
        *axis = (0..row.words().len()).map(|column| number(row, column, k)).collect::<Result<Vec<f64>>>()?;
        if axis.len() as f64 != count {
            return Err(row.refuse(0, format!("{} coordinates {name}, expected {count}", axis.len())));
        }
        axis.sort_by(f64::total_cmp);
    }
    let full = axes.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let given = &rows[D + 1..];
    if given.len() < full {
        return Err(end(format!(": {} nodes, but the grid has {full}", given.len())));
    }
    let mut found = vec![None; full];
    for row in given {
        let mut values = [0.0; W];
        for (k, value) in values.iter_mut().enumerate() {
            *value = number(row, k, k)?;
        }
        row.check_end(W)?;
        let (mut node, mut stride) = (0, 1);
        for (axis, x) in axes.iter().zip(values) {
            let place = axis.iter().position(|node| *node == x);
            node += stride * place.ok_or_else(|| row.refuse(0, "this place is not on the grid"))?;
            stride *= axis.len();
        }
        found[node] = Some(values);
    }
    let node = |(k, values): (usize, &Option<[f64; W]>)| {
        let mut rest = k;
        let place = axes.iter().zip(names).map(|(axis, name)| {
            let x = axis[rest % axis.len()];
            rest /= axis.len();
            format!("{name} = {}", if name == "z" { 0.0 - x } else { x })
        });
        values.ok_or_else(|| end(format!(" without the node {}", place.collect::<Vec<String>>().join(", "))))
    };
    found.iter().enumerate().map(node).collect()
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
