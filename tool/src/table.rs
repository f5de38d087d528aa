//! Load tables: columns of time and inputs by name, which are set at every step, interpolated
//! linearly between the rows.

use crate::failure::{Failure, Outcome};
use pintle::error::did_you_mean;
use pintle::{EntityKind, InputChoice, InputList, Simulation};
use std::collections::BTreeMap;
use std::path::Path;

/// A table that was read.
pub struct LoadTable {
    /// Its name in messages.
    name: String,
    times: Vec<f64>,
    /// Row by row.
    values: Vec<f64>,
    /// All columns.
    all: InputChoice,
    /// Columns that can be set in phase BUILDING; lengths of lines cannot.
    first: InputChoice,
    first_columns: Vec<usize>,
    /// Columns of lengths with the ids of their lines.
    lengths: Vec<(usize, i32)>,
    /// The row before the last time.
    row: usize,
    /// Values at one time.
    now: Vec<f64>,
}

impl LoadTable {
    /// Reads a table for a model: in the first line `time` and names of inputs, each with its unit
    /// in brackets or without, then numbers. Lines that start with `#` are skipped. Errors, with
    /// line and column: no such input, another unit, a column twice; a cell that is not a finite
    /// number, or missing; times that do not increase; a motion with missing parts.
    pub fn read(path: &Path, system: &Simulation) -> Outcome<LoadTable> {
        let name = path.display().to_string();
        let refused = |line: usize, what: String| Failure::Input(format!("{name}:{line}: {what}"));
        let bytes = std::fs::read(path).map_err(|error| Failure::Input(format!("{name}: {error}")))?;
        let text = str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            refused(line, "not text in UTF-8".into())
        })?;
        // Some programs write a byte order mark.
        let lines = text.trim_start_matches('\u{feff}').lines().enumerate().map(|(k, line)| (k + 1, line.trim()));
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let (title_line, first_line) = lines.next().unwrap_or((1, ""));
        let titles = cells(first_line);
        let list = system.given().input_list();
        let inputs = columns(&titles, &list).map_err(|what| refused(title_line, what))?;
        complete_groups(&inputs, &list).map_err(|what| refused(title_line, what))?;

        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (line, text) in lines {
            let width = text.split(',').count();
            if width != titles.len() {
                return Err(refused(line, format!("{width} columns where the first line has {}", titles.len())));
            }
            for (column, (cell, title)) in text.split(',').map(str::trim).zip(&titles).enumerate() {
                let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
                let Some(number) = number else {
                    let what =
                        if cell.is_empty() { "is empty".into() } else { format!("\"{cell}\" is no finite number") };
                    return Err(refused(line, format!("column {} ({title}): {what}", column + 1)));
                };
                if column > 0 {
                    values.push(number);
                } else if let Some(last) = times.last().filter(|last| number <= **last) {
                    let what = format!("column 1 (time): {number:?} comes after {last:?}: times must rise");
                    return Err(refused(line, what));
                } else {
                    times.push(number);
                }
            }
        }
        if times.is_empty() {
            return Err(Failure::Input(format!("{name}: no rows below the titles")));
        }
        let choose = |inputs: &[usize]| list.choose(inputs).map_err(|error| refused(title_line, error.to_string()));
        let lengths = inputs.iter().enumerate().filter_map(|(column, input)| match list.entity(*input) {
            Ok((EntityKind::Line, id)) if list.suffix(*input) == Ok("length") => Some((column, id)),
            _ => None,
        });
        let of_line = |input: &usize| list.entity(*input).is_ok_and(|(kind, _)| kind == EntityKind::Line);
        let first_columns: Vec<usize> = (0..inputs.len()).filter(|column| !of_line(&inputs[*column])).collect();
        let first = choose(&first_columns.iter().map(|column| inputs[*column]).collect::<Vec<_>>())?;
        let (all, lengths) = (choose(&inputs)?, lengths.collect());
        Ok(LoadTable { name, times, values, all, first, first_columns, lengths, row: 0, now: vec![0.0; inputs.len()] })
    }

    /// Errors: the table does not cover the run.
    pub fn covers(&self, start: f64, end: f64) -> Outcome {
        let [first, last] = [self.times[0], self.times[self.times.len() - 1]];
        // Rounding of the sum of steps.
        let rounding = 1e-12 * (end.abs() + start.abs());
        if start >= first - rounding && end <= last + rounding {
            return Ok(());
        }
        let what = format!("times from {first:?} to {last:?} do not reach over the run from {start:?} to {end:?}");
        Err(Failure::Input(format!("{}: {what}", self.name)))
    }

    /// Sets the values at the start of a run, phase BUILDING. Errors: of the library; a line that
    /// is described with another length.
    pub fn begin(&mut self, system: &mut Simulation, time: f64) -> Outcome {
        self.look_up(time);
        for (column, line) in &self.lengths {
            let (described, given) =
                (system.lines().length(*line).map_or(f64::NAN, |(length, _)| length), self.now[*column]);
            if described != given {
                let what = format!(
                    "line {line} is {described:?} m long in the model, and {given:?} m at the start of the table"
                );
                return Err(Failure::Input(format!("{}: {what}", self.name)));
            }
        }
        let values: Vec<f64> = self.first_columns.iter().map(|column| self.now[*column]).collect();
        system.inputs().set_chosen_inputs(&self.first, &values).map_err(|error| self.refused(time, &error))
    }

    /// Sets the values for the end of the coming step, which is at `time`. Errors: of the library.
    pub fn set(&mut self, system: &mut Simulation, time: f64) -> Outcome {
        self.look_up(time);
        system.inputs().set_chosen_inputs(&self.all, &self.now).map_err(|error| self.refused(time, &error))
    }

    fn refused(&self, time: f64, error: &pintle::Error) -> Failure {
        Failure::Input(format!("{}: at time {time:?}: {error}", self.name))
    }

    /// Writes the values at a time to `now`; times must increase.
    fn look_up(&mut self, time: f64) {
        let width = self.now.len();
        while self.row + 2 < self.times.len() && self.times[self.row + 1] <= time {
            self.row += 1;
        }
        let row = |k: usize| &self.values[k * width..(k + 1) * width];
        let Some(next) = self.times.get(self.row + 1) else {
            self.now.copy_from_slice(row(self.row));
            return;
        };
        let from = self.times[self.row];
        let fraction = ((time - from) / (next - from)).clamp(0.0, 1.0);
        for (now, (a, b)) in self.now.iter_mut().zip(row(self.row).iter().zip(row(self.row + 1))) {
            *now = match fraction {
                0.0 => *a,
                1.0 => *b,
                _ => a + (b - a) * fraction,
            };
        }
    }
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
fn columns(titles: &[String], list: &InputList) -> Result<Vec<usize>, String> {
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
            (None, (name, unit)) => {
                let near = || {
                    let names: Vec<&str> = (0..list.len()).filter_map(|input| list.name(input).ok()).collect();
                    did_you_mean(name, &mut names.iter().copied())
                };
                let unknown =
                    || refused(format!("no input has this name: `pintle check --inputs` lists them{}", near()));
                (list.find(name).ok_or_else(unknown)?, unit)
            }
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

/// Errors: a motion or length with missing parts. Position, velocity and acceleration must be
/// consistent, and a missing one would be constant.
fn complete_groups(inputs: &[usize], list: &InputList) -> Result<(), String> {
    let group = |input: usize| {
        let suffix = list.suffix(input).unwrap_or_default();
        let part = suffix.split('.').next().unwrap_or_default();
        let part = if part.starts_with("length") { "length" } else { part };
        let (kind, id) = list.entity(input).ok()?;
        (!part.contains("load")).then_some((kind as usize, id, part))
    };
    let mut present: BTreeMap<_, usize> = BTreeMap::new();
    for group in inputs.iter().filter_map(|input| group(*input)) {
        *present.entry(group).or_default() += 1;
    }
    if present.is_empty() {
        return Ok(());
    }
    for input in (0..list.len()).filter(|input| !inputs.contains(input)) {
        if group(input).is_some_and(|group| present.contains_key(&group)) {
            let name = list.name(input).unwrap_or_default();
            return Err(format!("no column {name}: a motion needs all of its position, velocity and acceleration"));
        }
    }
    Ok(())
}
