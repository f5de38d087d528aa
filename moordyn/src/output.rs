//! Output files in MoorDyn's format: `lines.out` with the channels of section OUTPUTS, and
//! `lines_Rod1.out`, `lines_Line1.out` with quantities of all nodes or segments of a rod or line.
//! Two lines of names and units, then a row for the start and for each step, or for each multiple
//! of `dtOut`.

use crate::log::{Log, WARNING};
use crate::mooring::Mooring;
use crate::status::{Failure, Outcome, Status};
use pintle::Id;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The quantities of a part's own file: letter, names of components, unit, whether of segments. The
/// first two are those of rods.
const LETTERS: [(char, [&str; 3], &str, bool); 5] = [
    ('p', ["px", "py", "pz"], "(m)", false),
    ('v', ["vx", "vy", "vz"], "(m/s)", false),
    ('t', ["Te", "", ""], "(N)", true),
    ('s', ["St", "", ""], "(-)", true),
    ('d', ["dSt", "", ""], "(-/s)", true),
];

/// A column of the main file.
enum Column {
    /// A channel.
    Channel(usize),
    /// A component of the force and moment on a body; 6 is the size of the force.
    Body(usize, usize),
    /// The same of a rod.
    Rod(usize, usize),
}

/// The column of an output that is no channel, such as `Body2MX`.
fn force_column(name: &str, mooring: &Mooring) -> Option<Column> {
    let name = name.to_uppercase();
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (kind, rest) = name.split_at(digits);
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, quantity) = rest.split_at(end);
    let component = ["FX", "FY", "FZ", "MX", "MY", "MZ", "TEN"].iter().position(|known| *known == quantity)?;
    let part = number.parse::<usize>().ok()?.checked_sub(1)?;
    match kind {
        "BODY" | "B" if part < mooring.bodies() => Some(Column::Body(part, component)),
        "ROD" | "R" if part < mooring.rods.len() => Some(Column::Rod(part, component)),
        _ => None,
    }
}

/// The number of quantities of rods.
const OF_RODS: usize = 2;

/// The file of a rod or a line.
struct PartFile {
    is_rod: bool,
    part: usize,
    /// Places in [`LETTERS`].
    letters: Vec<usize>,
    path: PathBuf,
    file: BufWriter<File>,
}

/// The files of a system.
pub struct Output {
    main: Option<(PathBuf, BufWriter<File>)>,
    parts: Vec<PartFile>,
    /// The columns of the main file; the values of all channels, and of these columns.
    columns: Vec<Column>,
    values: Vec<f64>,
    row: Vec<f64>,
    /// The time between rows, 0: a row for each step; the number of the next row.
    interval: f64,
    next: f64,
}

fn refused(path: &Path) -> impl Fn(io::Error) -> Failure + '_ {
    |error| Failure::new(Status::InvalidOutputFile, format!("cannot write \"{}\": {error}", path.display()))
}

fn create(path: &Path) -> Outcome<BufWriter<File>> {
    File::create(path).map(BufWriter::new).map_err(refused(path))
}

impl Output {
    /// Creates the files that an input file asks for. Errors: one cannot be written.
    pub fn new(path: &Path, mooring: &Mooring, log: &mut Log) -> Outcome<Output> {
        let interval = mooring.input.number(&["dtout"], 0.0);
        let mut output = Output {
            main: None,
            parts: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            row: Vec::new(),
            interval,
            next: 0.0,
        };
        if mooring.input.number(&["disableoutput"], 0.0) != 0.0 {
            return Ok(output);
        }
        let channels = mooring.simulation.channels();
        // Those with names of MoorDyn come last, and belong to no entity.
        let count = channels.count()?;
        let mut first = count;
        while first > 0 && !["time", "energy.kinetic", "energy.potential"].contains(&&channels.name(first - 1)?[..]) {
            if channels.entity(first - 1)?.is_some() {
                break;
            }
            first -= 1;
        }
        output.values = vec![0.0; count as usize];
        let known = (first..count).map(|k| channels.name(k)).collect::<pintle::Result<Vec<_>>>()?;
        let (mut names, mut units) = (Vec::new(), Vec::new());
        for name in &mooring.input.outputs {
            let (column, unit) = if let Some(k) = known.iter().position(|known| known == name) {
                let k = first + k as Id;
                (Column::Channel(k as usize), channels.unit(k)?)
            } else if let Some(column) = force_column(name, mooring) {
                let is_moment = matches!(column, Column::Body(_, 3..6) | Column::Rod(_, 3..6));
                (column, if is_moment { "Nm" } else { "N" })
            } else {
                log.tell(WARNING, &format!("output \"{name}\" is not written: it is not available"));
                continue;
            };
            output.columns.push(column);
            names.push(name);
            units.push(unit);
        }
        output.row = vec![0.0; names.len()];
        if !names.is_empty() {
            let path = path.with_extension("out");
            let mut file = create(&path)?;
            let mut head = || {
                write!(file, "{:>10}", "Time")?;
                names.iter().try_for_each(|name| write!(file, "{name:>20}"))?;
                write!(file, "\n{:>10}", "(s)")?;
                units.iter().try_for_each(|unit| write!(file, "{unit:>20}"))?;
                writeln!(file)
            };
            head().map_err(refused(&path))?;
            output.main = Some((path, file));
        }
        for (is_rod, letters) in [true, false].into_iter().zip(&mooring.input.letters) {
            for (part, letters) in letters.iter().enumerate() {
                output.add_part(path, mooring, (is_rod, part, letters), log)?;
            }
        }
        Ok(output)
    }

    fn add_part(
        &mut self,
        path: &Path,
        mooring: &Mooring,
        (is_rod, part, given): (bool, usize, &str),
        log: &mut Log,
    ) -> Outcome<()> {
        let (kind, name, known) =
            if is_rod { ("rod", "Rod", &LETTERS[..OF_RODS]) } else { ("line", "Line", &LETTERS[..]) };
        let number = part + 1;
        let mut letters: Vec<usize> = Vec::new();
        for letter in given.chars() {
            match known.iter().position(|(own, ..)| *own == letter) {
                Some(place) => letters.push(place),
                None => {
                    let known: String = known.iter().map(|(letter, ..)| *letter).collect();
                    let message = format!("{kind} {number}: output \"{letter}\" is not written: available are {known}");
                    log.tell(WARNING, &message);
                }
            }
        }
        if letters.is_empty() {
            return Ok(());
        }
        letters.sort_unstable();
        letters.dedup();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!("{stem}_{name}{number}.out"));
        let mut file = create(&path)?;
        let segments = if is_rod { mooring.rods[part].segments } else { mooring.segments(part)? };
        let mut head = || {
            for is_unit in [false, true] {
                write!(file, "{:>10}", if is_unit { "(s)" } else { "Time" })?;
                for (_, names, unit, of_segments) in letters.iter().map(|place| LETTERS[*place]) {
                    let (kind, range) = if of_segments { ("Seg", 1..=segments) } else { ("Node", 0..=segments) };
                    for (k, name) in range.flat_map(|k| names.map(|name| (k, name))) {
                        match (name, is_unit) {
                            ("", _) => {}
                            (_, true) => write!(file, "{unit:>20}")?,
                            (_, false) => write!(file, "{:>20}", format!("{kind}{k}{name}"))?,
                        }
                    }
                }
                writeln!(file)?;
            }
            Ok(())
        };
        head().map_err(refused(&path))?;
        self.parts.push(PartFile { is_rod, part, letters, path, file });
        Ok(())
    }

    /// Goes on from a time: multiples of the interval after it are due again.
    pub fn rewind(&mut self, time: f64) {
        if self.interval > 0.0 {
            self.next = (time / self.interval * (1.0 + 1e-9)).floor() + 1.0;
        }
    }

    /// Writes a row to each file if one is due. Errors: a file cannot be written.
    pub fn write(&mut self, mooring: &mut Mooring) -> Outcome<()> {
        if self.main.is_none() && self.parts.is_empty() {
            return Ok(());
        }
        let time = mooring.simulation.time()?;
        if self.interval > 0.0 {
            // Hosts sum their steps, with rounding errors.
            if time < self.next * self.interval * (1.0 - 1e-9) - 1e-12 {
                return Ok(());
            }
            self.rewind(time);
        }
        if let Some((path, file)) = &mut self.main {
            mooring.simulation.channels().values(&mut self.values)?;
            for (value, column) in self.row.iter_mut().zip(&self.columns) {
                let (force, component) = match *column {
                    Column::Channel(k) => {
                        *value = self.values[k];
                        continue;
                    }
                    Column::Body(body, component) => (mooring.body_force(body)?, component),
                    Column::Rod(rod, component) => (mooring.rod_force(rod)?, component),
                };
                *value =
                    if component < 6 { force[component] } else { crate::nodes::norm([force[0], force[1], force[2]]) };
            }
            let mut row = || {
                write!(file, "{time:10.4}")?;
                self.row.iter().try_for_each(|value| write_number(file, *value))?;
                writeln!(file)?;
                file.flush()
            };
            row().map_err(refused(path))?;
        }
        self.parts.iter_mut().try_for_each(|part| part.write(mooring, time))
    }
}

/// `%20.7e` of C: an exponent of two digits with its sign, without allocation.
fn write_number(file: &mut impl Write, value: f64) -> io::Result<()> {
    let mut text = [0u8; 40];
    let mut rest = &mut text[..];
    write!(rest, "{value:.7e}")?;
    let length = 40 - rest.len();
    let text = std::str::from_utf8(&text[..length]).unwrap_or_default();
    let Some((digits, exponent)) = text.split_once('e') else { return write!(file, "{text:>20}") };
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |exponent| ('-', exponent));
    let width = 18 - exponent.len().max(2);
    write!(file, "{digits:>width$}e{sign}{exponent:0>2}")
}

impl PartFile {
    fn write(&mut self, mooring: &mut Mooring, time: f64) -> Outcome<()> {
        let PartFile { is_rod, part, letters, path, file } = self;
        let refused = refused(path);
        write!(file, "{time:10.4}").map_err(&refused)?;
        for place in &*letters {
            match LETTERS[*place].0 {
                letter @ ('p' | 'v') if *is_rod => {
                    for node in 0..=mooring.rods[*part].segments {
                        let values = match letter {
                            'p' => mooring.rod_position(*part, node)?,
                            _ => mooring.rod_velocity(*part, node)?,
                        };
                        values.iter().try_for_each(|value| write_number(file, *value)).map_err(&refused)?;
                    }
                }
                letter @ ('p' | 'v') => {
                    let nodes = if letter == 'p' { mooring.positions(*part)? } else { mooring.velocities(*part)? };
                    nodes.iter().flatten().try_for_each(|value| write_number(file, *value)).map_err(&refused)?;
                }
                't' => {
                    let tensions = mooring.spring_tensions(*part)?;
                    tensions.iter().try_for_each(|value| write_number(file, *value)).map_err(&refused)?;
                }
                letter => {
                    let (length, rate) = mooring.simulation.lines().length(*part as Id)?;
                    for k in 0..mooring.segments(*part)? {
                        let segment = length / mooring.segments(*part)? as f64;
                        let difference =
                            |nodes: &[[f64; 3]]| -> [f64; 3] { std::array::from_fn(|i| nodes[k + 1][i] - nodes[k][i]) };
                        let chord = difference(mooring.positions(*part)?);
                        let apart = difference(mooring.velocities(*part)?);
                        let stretched = crate::nodes::norm(chord);
                        let growth = chord.iter().zip(apart).map(|(e, v)| e * v).sum::<f64>() / stretched;
                        let value = match letter {
                            's' => stretched / segment - 1.0,
                            _ => (growth - stretched * rate / length) / segment,
                        };
                        write_number(file, value).map_err(&refused)?;
                    }
                }
            }
        }
        writeln!(file).and_then(|()| file.flush()).map_err(&refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_printf() {
        for (value, text) in [
            (909799.57, "       9.0979957e+05"),
            (-3.2000130e2, "      -3.2000130e+02"),
            (0.0, "       0.0000000e+00"),
            (1.5e-7, "       1.5000000e-07"),
            (1e123, "      1.0000000e+123"),
        ] {
            let mut found = Vec::new();
            write_number(&mut found, value).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), text);
        }
    }
}
