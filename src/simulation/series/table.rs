//! Tables of inputs in files of their own, as CSV: in the first line `time` and names of inputs,
//! each with its unit in brackets or without, then rows of numbers.

use super::Column;
use crate::error::{Error, Result};
use crate::model::Interpolation;
use crate::simulation::{InputList, Simulation, files};
use std::path::Path;
use std::sync::Arc;

/// Lets inputs follow the columns of a table, from its first to its last time, which are returned:
/// loads, and all numbers of a motion, by straight lines; positions alone by cubic splines. Phase
/// BUILDING.
///
/// Errors: `Io`; `Format`, with line and column: no such input, another unit, a column twice; a
/// cell that is no finite number, or missing; times that do not rise; a motion with missing parts.
pub fn follow_table(simulation: &mut Simulation, path: &Path) -> Result<[f64; 2]> {
    simulation.require_building()?;
    let list = simulation.given().input_list();
    let columns = columns(path, &list, None, false)?;
    let range = columns.first().and_then(|column| Some([*column.times.first()?, *column.times.last()?]));
    let refused = |cause| match cause {
        Error::BadValue { detail, .. } => refusal(path, "", &detail),
        cause => cause,
    };
    simulation.follow(&list, columns).map_err(refused)?;
    Ok(range.unwrap_or_default())
}

fn refusal(path: &Path, place: &str, what: &str) -> Error {
    Error::Format { argument: "path", detail: format!("{}{place}: {what}", path.display()) }
}

/// The columns of a table.
pub(in crate::simulation) fn columns(
    path: &Path,
    list: &InputList,
    interpolation: Option<Interpolation>,
    rests: bool,
) -> Result<Vec<Column>> {
    let refused = |line: usize, what: String| refusal(path, &format!(":{line}"), &what);
    let bytes = files::read(path)?;
    let text = str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        refused(line, "not text in UTF-8".into())
    })?;
    // Some programs write a byte order mark.
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
    let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let (title_line, first_line) = lines.next().unwrap_or((1, ""));
    let titles = cells(first_line);
    let inputs = inputs(&titles, list).map_err(|what| refused(title_line, what))?;
    let (mut times, mut values) = (Vec::new(), vec![Vec::new(); inputs.len()]);
    for (line, text) in lines {
        let width = text.split(',').count();
        if width != titles.len() {
            return Err(refused(line, format!("{width} columns where the first line has {}", titles.len())));
        }
        for (column, (cell, title)) in text.split(',').map(str::trim).zip(&titles).enumerate() {
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            let Some(number) = number else {
                let what = if cell.is_empty() { "is empty".into() } else { format!("\"{cell}\" is no finite number") };
                return Err(refused(line, format!("column {} ({title}): {what}", column + 1)));
            };
            if column > 0 {
                values[column - 1].push(number);
            } else if let Some(last) = times.last().filter(|last| number <= **last) {
                let what = format!("column 1 (time): {number:?} comes after {last:?}: times must rise");
                return Err(refused(line, what));
            } else {
                times.push(number);
            }
        }
    }
    if times.is_empty() {
        return Err(refusal(path, "", "no rows below the titles"));
    }
    let times: Arc<[f64]> = times.into();
    let column = |(input, values)| Column { input, times: times.clone(), values, interpolation, rests };
    Ok(inputs.into_iter().zip(values).map(column).collect())
}

/// The cells of a line of titles. A cell in quotes may contain commas; a doubled quote stands for
/// one.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let Some(cell) = cells.last_mut() else { break };
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted || cell.trim().is_empty() => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            letter => cell.push(letter),
        }
    }
    cells.into_iter().map(|cell| cell.trim().to_owned()).collect()
}

/// The input of each column except the first, which is time. Errors: wrong titles.
fn inputs(titles: &[String], list: &InputList) -> std::result::Result<Vec<usize>, String> {
    let (time, unit) = parts(titles.first().map_or("", String::as_str));
    if time != "time" || unit.is_some_and(|unit| unit != "s") {
        return Err("column 1: expected \"time\" or \"time [s]\"".into());
    }
    let mut inputs = Vec::new();
    for (column, title) in titles.iter().enumerate().skip(1) {
        let refused = |what: String| format!("column {} ({title}): {what}", column + 1);
        // A name may itself end in brackets.
        let (input, unit) = match (list.find(title), parts(title)) {
            (Some(input), _) => (input, None),
            (None, (name, unit)) => (list.require(name).map_err(refused)?, unit),
        };
        let own = list.unit(input).unwrap_or_default();
        if let Some(unit) = unit.filter(|unit| *unit != own) {
            return Err(refused(format!("the unit is {own}, not {unit}")));
        }
        if inputs.contains(&input) {
            return Err(refused("stands in the table twice".into()));
        }
        inputs.push(input);
    }
    if inputs.is_empty() {
        return Err("no inputs beside the time".into());
    }
    Ok(inputs)
}

/// Name and unit of a title.
fn parts(title: &str) -> (&str, Option<&str>) {
    match title.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, unit)) => (name.trim_end(), Some(unit)),
        None => (title, None),
    }
}
