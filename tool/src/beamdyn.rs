//! Blades of BeamDyn: its primary input file, with the blade file that it names, as a beam.
//!
//! Formats: OpenFAST documentation, BeamDyn, input files. The reference line is a natural cubic
//! spline over z through the key points of each member. Axis 1 of a section is the tangent,
//! BeamDyn's z; axes 2 and 3 are its x (flap) and y (edge): x without a component along y of the
//! root, then both turned about the tangent by the twist, which BeamDyn counts the other way round.
//! Stations are parts of the length of the reference line.

use crate::failure::{Failure, Outcome};
use pintle::simulation::files;
use pintle::spatial::Vec3;
use pintle::spatial::convert::quat_from_dcm;
use pintle::{EntityKind, GROUND, Simulation};
use std::io::Read;
use std::path::Path;

/// Most key points, and stations.
const MOST: usize = 100_000;

/// Where BeamDyn has the entry that our matrices have at a place: its axes are x, y, z.
const ORDER: [usize; 6] = [2, 0, 1, 5, 3, 4];

/// Gauss' points and weights of order 10 on (0, 1), for the length of the line.
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_095],
    [0.230_765_344_947_158, 0.239_314_335_249_683],
    [0.5, 0.284_444_444_444_444],
    [0.769_234_655_052_842, 0.239_314_335_249_683],
    [0.953_089_922_969_332, 0.118_463_442_528_095],
];

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
    let line = Line::of(&file)?;
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

    let mut system = Simulation::new();
    let beam = system.elements().add_beam(&damping).map_err(|error| blade.refuse(error))?;
    let mut numbers = blade.numbers_after("DISTRIBUTED PROPERTIES")?.into_iter();
    let mut next = || numbers.next().ok_or_else(|| blade.refuse(format!("ends before station {count}")));
    for station in 0..count {
        let eta = next()?;
        if !(0.0..=1.0).contains(&eta) {
            return Err(blade.refuse(format!("station {station} at {eta} is not in 0 to 1")));
        }
        let mut matrices = [[0.0; 36]; 2];
        for matrix in &mut matrices {
            let mut rows = [0.0; 36];
            for entry in &mut rows {
                *entry = next()?;
            }
            *matrix = std::array::from_fn(|k| rows[6 * ORDER[k % 6] + ORDER[k / 6]]);
        }
        let s = eta * line.length;
        let pose = line.pose(s).map_err(|error| file.refuse(error))?;
        let added = system.elements().add_beam_station(beam, s, &pose, &matrices[0], &matrices[1]);
        added.map_err(|error| blade.refuse(format!("station {station}: {error}")))?;
    }
    let described = system
        .elements()
        .attach_beam(beam, 0, GROUND)
        .and_then(|_| system.elements().mesh_beam(beam, elements))
        .and_then(|_| system.build().set_name(EntityKind::Beam, beam, "blade"));
    described.map_err(|error| blade.refuse(error))?;
    Ok(system)
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

/// Between two key points: z, and of x, y and twist the values and second derivatives there.
struct Piece {
    z: [f64; 2],
    values: [[f64; 2]; 3],
    bends: [[f64; 2]; 3],
    /// Length of the line up to its start.
    before: f64,
}

/// The reference line.
struct Line {
    pieces: Vec<Piece>,
    length: f64,
}

impl Line {
    fn of(file: &File) -> Outcome<Line> {
        let count = file.count("kp_total")?;
        let members: usize =
            file.value("member_total")?.parse().map_err(|_| file.refuse("member_total is no number"))?;
        let first = file.line_of("kp_total")? + 1;
        let table = first + members.min(MOST) + 2;
        let rows: Vec<[f64; 4]> = (0..count).map(|k| file.row(table + k)).collect::<Outcome<_>>()?;
        if let Some(k) = (1..count).find(|k| rows[*k][2] <= rows[k - 1][2]) {
            return Err(file.refuse(format!("key point {} is not beyond the one before along z", k + 1)));
        }
        let (mut line, mut start) = (Line { pieces: Vec::new(), length: 0.0 }, 0);
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

    /// Adds the natural cubic spline through some points.
    fn add_member(&mut self, rows: &[[f64; 4]]) {
        let z: Vec<f64> = rows.iter().map(|row| row[2]).collect();
        let columns = [0, 1, 3].map(|k| rows.iter().map(|row| row[k]).collect::<Vec<f64>>());
        let bends = columns.each_ref().map(|values| second_derivatives(&z, values));
        for k in 0..rows.len() - 1 {
            let piece = Piece {
                z: [z[k], z[k + 1]],
                values: columns.each_ref().map(|values| [values[k], values[k + 1]]),
                bends: bends.each_ref().map(|bends| [bends[k], bends[k + 1]]),
                before: self.length,
            };
            self.length += piece.length_to(z[k + 1]);
            self.pieces.push(piece);
        }
    }

    /// Place and axes at a length along the line. Errors: numbers too large for a rotation.
    fn pose(&self, s: f64) -> pintle::Result<[f64; 7]> {
        let piece = &self.pieces[self.pieces.partition_point(|piece| piece.before <= s).saturating_sub(1)];
        let [mut low, mut high] = piece.z;
        // Bisections: doubles have 53 bits.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if piece.before + piece.length_to(middle) < s { low = middle } else { high = middle }
        }
        let [[x, dx], [y, dy], [twist, _]] = [0, 1, 2].map(|k| piece.at(k, high));
        let tangent = Vec3::new(dx, dy, 1.0).normalize();
        let flap = Vec3::new(tangent.z, 0.0, -tangent.x).normalize();
        let edge = tangent.cross(&flap);
        let (sin, cos) = (-twist.to_radians()).sin_cos();
        let axes = [tangent, flap * cos + edge * sin, edge * cos - flap * sin];
        let [w, i, j, k] = quat_from_dcm(&std::array::from_fn(|entry| axes[entry / 3][entry % 3]))?;
        Ok([x, y, high, w, i, j, k])
    }
}

impl Piece {
    /// Value and slope of x, y or twist at a place.
    fn at(&self, which: usize, z: f64) -> [f64; 2] {
        let ([z0, z1], [f0, f1], [m0, m1]) = (self.z, self.values[which], self.bends[which]);
        let h = z1 - z0;
        let (a, b) = ((z1 - z) / h, (z - z0) / h);
        let value = a * f0 + b * f1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0);
        let slope = (f1 - f0) / h + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * (h / 6.0);
        [value, slope]
    }

    /// Length of the line from the start to a place.
    fn length_to(&self, z: f64) -> f64 {
        let rise = z - self.z[0];
        let speed = |x: f64| {
            let [dx, dy] = [0, 1].map(|which| self.at(which, self.z[0] + rise * x)[1]);
            (1.0 + dx * dx + dy * dy).sqrt()
        };
        rise * GAUSS.iter().map(|[x, weight]| weight * speed(*x)).sum::<f64>()
    }
}

/// Second derivatives of the natural cubic spline, by elimination of its tridiagonal system.
fn second_derivatives(z: &[f64], f: &[f64]) -> Vec<f64> {
    let n = z.len();
    let (mut upper, mut bends) = (vec![0.0; n], vec![0.0; n]);
    for k in 1..n - 1 {
        let [h0, h1] = [z[k] - z[k - 1], z[k + 1] - z[k]];
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        let right = 6.0 * ((f[k + 1] - f[k]) / h1 - (f[k] - f[k - 1]) / h0);
        bends[k] = (right - h0 * bends[k - 1]) / pivot;
    }
    for k in (1..n - 1).rev() {
        bends[k] -= upper[k] * bends[k + 1];
    }
    bends
}
