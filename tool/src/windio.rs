//! Blades of WindIO: `components.blade.elastic_properties_mb.six_x_six` of a turbine's YAML file, as
//! a beam.
//!
//! Format: windIO documentation, blade. Tables have values over `grid`, parts of the length of the
//! reference axis, linear between its points; matrices are the upper triangles of BeamDyn's, row
//! after row, in the same axes, and the twist is counted as BeamDyn's is.

use crate::blade::{Blade, Line, MOST, is_part};
use crate::failure::{Failure, Outcome};
use pintle::Simulation;
use pintle::simulation::files;
use serde::Deserialize;
use std::path::Path;

/// Numbers of the upper triangle of a matrix.
const TRIANGLE: usize = 21;

#[derive(Deserialize)]
struct Turbine {
    components: Components,
}

#[derive(Deserialize)]
struct Components {
    blade: Parts,
}

#[derive(Deserialize)]
struct Parts {
    elastic_properties_mb: Elastic,
}

#[derive(Deserialize)]
struct Elastic {
    six_x_six: Sections,
}

#[derive(Deserialize)]
struct Sections {
    reference_axis: Axis,
    twist: Table<f64>,
    stiff_matrix: Table<Vec<f64>>,
    inertia_matrix: Table<Vec<f64>>,
}

#[derive(Deserialize)]
struct Axis {
    x: Table<f64>,
    y: Table<f64>,
    z: Table<f64>,
}

/// Values over parts of the length.
#[derive(Deserialize)]
struct Table<T> {
    grid: Vec<f64>,
    values: Vec<T>,
}

/// Whether a file is one of WindIO, by its name.
pub fn is_turbine(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("yaml") || end.eq_ignore_ascii_case("yml"))
}

/// The blade, clamped to the ground at its root, of so many elements, in the axes of its root;
/// without damping, of which the file says nothing.
pub fn load(path: &Path, elements: i32) -> Outcome<Simulation> {
    let refuse = |detail: String| Failure::Input(format!("\"{}\": {detail}", path.display()));
    let bytes = files::read(path).map_err(Failure::input)?;
    let turbine: Turbine = serde_yaml_ng::from_slice(&bytes).map_err(|error| refuse(error.to_string()))?;
    let Sections { reference_axis: Axis { x, y, z }, twist, stiff_matrix, inertia_matrix } =
        &turbine.components.blade.elastic_properties_mb.six_x_six;
    let axis = [("reference_axis.x", x), ("reference_axis.y", y), ("reference_axis.z", z), ("twist", twist)];
    axis.into_iter().try_for_each(|(name, table)| table.check(name, |value| value.is_finite())).map_err(refuse)?;
    for (name, table) in [("stiff_matrix", stiff_matrix), ("inertia_matrix", inertia_matrix)] {
        table.check(name, |value| value.len() == TRIANGLE && value.iter().all(|x| x.is_finite())).map_err(refuse)?;
    }

    let points = union(&[&x.grid, &y.grid, &z.grid, &twist.grid]);
    let rows: Vec<[f64; 4]> =
        points.iter().map(|eta| [x.at(*eta), y.at(*eta), z.at(*eta), twist.at(*eta).to_degrees()]).collect();
    if let Some(k) = (1..rows.len()).find(|k| rows[*k][2] <= rows[k - 1][2]) {
        return Err(refuse(format!("reference_axis.z does not rise up to {}", points[k])));
    }
    let mut line = Line::default();
    line.add_member(&rows);
    let mut blade = Blade::new(line, &[0.0; 6]).map_err(Failure::input)?;
    for eta in union(&[&stiff_matrix.grid, &inertia_matrix.grid]) {
        let matrices = [stiff_matrix, inertia_matrix].map(|table| full(&table.at(eta)));
        let added = blade.add(eta, matrices.each_ref());
        added.map_err(|error| refuse(format!("section at {eta}: {error}")))?;
    }
    blade.mesh(elements).map_err(|error| refuse(error.to_string()))
}

/// All places of some grids, in rising order.
fn union(grids: &[&Vec<f64>]) -> Vec<f64> {
    let mut all: Vec<f64> = grids.iter().copied().flatten().copied().collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// A symmetric matrix from its upper triangle.
fn full(triangle: &[f64; TRIANGLE]) -> [f64; 36] {
    std::array::from_fn(|k| {
        let [row, column] = [(k / 6).min(k % 6), (k / 6).max(k % 6)];
        triangle[row * (11 - row) / 2 + column]
    })
}

impl<T> Table<T> {
    /// Errors: too few or too many points, grids that do not rise from 0 to 1, values that are
    /// wrong.
    fn check(&self, name: &str, is_right: impl Fn(&T) -> bool) -> Result<(), String> {
        let Table { grid, values } = self;
        if grid.len() != values.len() || !(2..=MOST).contains(&grid.len()) {
            return Err(format!(
                "{name} has {} places and {} values, expected 2 to {MOST} of both",
                grid.len(),
                values.len()
            ));
        }
        if grid[0] != 0.0 || grid[grid.len() - 1] != 1.0 {
            return Err(format!("{name}.grid does not go from 0 to 1"));
        }
        if let Some(k) = (1..grid.len()).find(|k| !is_part(grid[*k]) || grid[*k] <= grid[k - 1]) {
            return Err(format!("{name}.grid[{k}] = {} is not more than the one before", grid[k]));
        }
        match values.iter().position(|value| !is_right(value)) {
            Some(k) => Err(format!("{name}.values[{k}] is not finite, or has not {TRIANGLE} numbers")),
            None => Ok(()),
        }
    }

    /// The values before and behind a place, and how far it is between them.
    fn around(&self, eta: f64) -> ([&T; 2], f64) {
        let k = self.grid.partition_point(|place| *place <= eta).clamp(1, self.grid.len() - 1);
        let [low, high] = [self.grid[k - 1], self.grid[k]];
        ([&self.values[k - 1], &self.values[k]], (eta - low) / (high - low))
    }
}

impl Table<f64> {
    fn at(&self, eta: f64) -> f64 {
        let ([before, behind], part) = self.around(eta);
        mean([*before, *behind], part)
    }
}

impl Table<Vec<f64>> {
    fn at(&self, eta: f64) -> [f64; TRIANGLE] {
        let ([before, behind], part) = self.around(eta);
        std::array::from_fn(|k| mean([before[k], behind[k]], part))
    }
}

/// Between two numbers; each of them at its end, and wherever they are equal.
fn mean([a, b]: [f64; 2], part: f64) -> f64 {
    if part == 1.0 { b } else { a + part * (b - a) }
}
