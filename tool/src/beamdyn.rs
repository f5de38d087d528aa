//! Blades of BeamDyn: its primary input file, with the blade file that it names, as a beam.
//!
//! Formats: OpenFAST documentation, BeamDyn, input files. The reference line goes through the key
//! points of each member.

use crate::blade::{Blade, Line, MOST, ORDER, is_part};
use crate::failure::{Failure, Outcome};
use pintle::Simulation;
use pintle::simulation::files;
use std::io::Read;
use std::path::Path;

/// Longest first line that is looked at.
const HEAD: u64 = 1000;

/// Whether a file is a primary input file of BeamDyn: its first line says so. Nothing is read of a
/// pipe, which can be read only once.
pub fn is_primary(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = std::fs::metadata(path).is_ok_and(|found| found.is_file());
    let file = if is_file { std::fs::File::open(path).ok() } else { None };
    // What cannot be read is told by the reader of the whole.
    let _ = file.map(|file| file.take(HEAD).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head).to_uppercase();
    let head = text.lines().next().unwrap_or_default();
    head.contains("BEAMDYN") && head.contains("INPUT FILE") && !head.contains("DRIVER") && !head.contains("BLADE")
}

/// The blade, clamped to the ground at its root, of so many elements, in the axes of its root.
/// `trusted`: the blade file may lie outside of the folder of this one.
pub fn load(path: &Path, elements: i32, trusted: bool) -> Outcome<Simulation> {
    let text = read(path)?;
    let file = File::new(path, &text);
    let line = line_of(&file)?;
    let name = file.value("BldFile")?.trim_matches(['"', '\'']).to_owned();
    let own = Path::new(&name);
    if !trusted && files::leaves_folder(own) {
        let detail = format!("BldFile \"{name}\" is outside of the folder of this file: --trusted reads it");
        return Err(file.refuse(detail));
    }
    let blade_path = path.parent().unwrap_or(Path::new(".")).join(own);
    let blade_text = read(&blade_path)?;
    let blade = File::new(&blade_path, &blade_text);
    let count = blade.count("station_total")?;
    let damping = blade.damping()?;

    let mut built = Blade::new(line, &damping).map_err(|error| blade.refuse(error))?;
    let mut numbers = blade.numbers_after("DISTRIBUTED PROPERTIES")?.into_iter();
    let mut next = || numbers.next().ok_or_else(|| blade.refuse(format!("ends before station {count}")));
    for station in 0..count {
        let eta = next()?;
        if !is_part(eta) {
            return Err(blade.refuse(format!("station {station} at {eta} is not in 0 to 1")));
        }
        let mut matrices = [[0.0; 36]; 2];
        for entry in matrices.as_flattened_mut() {
            *entry = next()?;
        }
        let added = built.add(eta, matrices.each_ref());
        added.map_err(|error| blade.refuse(format!("station {station}: {error}")))?;
    }
    built.mesh(elements).map_err(|error| blade.refuse(error))
}

fn read(path: &Path) -> Outcome<String> {
    let bytes = files::read(path).map_err(Failure::input)?;
    String::from_utf8(bytes).map_err(|error| Failure::Input(format!("\"{}\": {error}", path.display())))
}

/// An input file: values before their names, tables behind their heads.
struct File<'a> {
    path: &'a Path,
    lines: Vec<&'a str>,
}

impl<'a> File<'a> {
    fn new(path: &'a Path, text: &'a str) -> File<'a> {
        File { path, lines: text.lines().collect() }
    }

    fn line(&self, index: usize) -> &'a str {
        self.lines.get(index).copied().unwrap_or_default()
    }

    fn refuse(&self, detail: impl std::fmt::Display) -> Failure {
        Failure::Input(format!("\"{}\": {detail}", self.path.display()))
    }

    /// The index of the line whose second word is a name.
    fn line_of(&self, name: &str) -> Outcome<usize> {
        let is_it = |line: &&str| line.split_whitespace().nth(1).is_some_and(|word| word == name);
        self.lines.iter().position(is_it).ok_or_else(|| self.refuse(format!("no line gives {name}")))
    }

    fn value(&self, name: &str) -> Outcome<&str> {
        Ok(self.line(self.line_of(name)?).split_whitespace().next().unwrap_or_default())
    }

    fn count(&self, name: &str) -> Outcome<usize> {
        let value = self.value(name)?;
        let count = value.parse().ok().filter(|count| (2..=MOST).contains(count));
        count.ok_or_else(|| self.refuse(format!("{name} = {value}, expected 2 to {MOST}")))
    }

    /// The first `N` numbers of a line. Errors: there are fewer.
    fn row<const N: usize>(&self, index: usize) -> Outcome<[f64; N]> {
        let numbers: Vec<f64> = self.line(index).split_whitespace().map_while(number).take(N).collect();
        numbers.try_into().map_err(|_| self.refuse(format!("line {}: expected {N} numbers", index + 1)))
    }

    /// All numbers behind the line that has some words, to the first word that is none.
    fn numbers_after(&self, words: &str) -> Outcome<Vec<f64>> {
        let mut lines = self.lines.iter();
        if !lines.any(|line| line.to_uppercase().contains(words)) {
            return Err(self.refuse(format!("no line has the words {words}")));
        }
        Ok(lines.flat_map(|line| line.split_whitespace()).map_while(number).collect())
    }

    /// Damping per stiffness, in the order of our axes.
    fn damping(&self) -> Outcome<[f64; 6]> {
        match self.value("damp_type")? {
            "0" => return Ok([0.0; 6]),
            "1" => {}
            other => {
                return Err(
                    self.refuse(format!("damp_type {other} is not read: 0 is none, 1 in proportion to stiffness"))
                );
            }
        }
        let head = self.lines.iter().position(|line| line.split_whitespace().next() == Some("mu1"));
        let mu: [f64; 6] = self.row(head.ok_or_else(|| self.refuse("no line begins with mu1"))? + 2)?;
        Ok(ORDER.map(|k| mu[k]))
    }
}

/// A number, also with Fortran's exponent D.
fn number(word: &str) -> Option<f64> {
    let number = word.parse().or_else(|_| word.replace(['d', 'D'], "e").parse());
    number.ok().filter(|x: &f64| x.is_finite())
}

/// The reference line of the key points of a file.
fn line_of(file: &File) -> Outcome<Line> {
    let count = file.count("kp_total")?;
    let members: usize = file.value("member_total")?.parse().map_err(|_| file.refuse("member_total is no number"))?;
    let first = file.line_of("kp_total")? + 1;
    let table = first + members.min(MOST) + 2;
    let rows: Vec<[f64; 4]> = (0..count).map(|k| file.row(table + k)).collect::<Outcome<_>>()?;
    if let Some(k) = (1..count).find(|k| rows[*k][2] <= rows[k - 1][2]) {
        return Err(file.refuse(format!("key point {} is not beyond the one before along z", k + 1)));
    }
    let (mut line, mut start) = (Line::default(), 0);
    for member in 0..members {
        let [_, points] = file.row(first + member)?;
        let end = start + (points as usize).saturating_sub(1);
        if points < 2.0 || end >= count {
            return Err(file.refuse(format!("member {} of {points} key points is not among {count}", member + 1)));
        }
        line.add_member(&rows[start..=end]);
        start = end;
    }
    match start + 1 == count {
        true => Ok(line),
        false => Err(file.refuse(format!("the members have {} of {count} key points", start + 1))),
    }
}
