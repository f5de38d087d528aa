//! Blades of WindIO are those that BeamDyn's files of the same numbers give.

use super::beamdyn::{self, MASS, STIFFNESS};
use super::{folder, outcome, pintle, printed};
use pintle::{Beams, Simulation};
use std::path::Path;

/// Parts of the length of the sections.
const ETAS: [f64; 3] = [0.0, 0.3, 1.0];

/// A curved and twisted line: x, y, z, twist (deg).
fn points() -> Vec<[f64; 4]> {
    let point = |z: f64| [0.02 * z * z, 0.0, z, 14.0 - 1.3 * z];
    [0.0, 1.0, 3.0, 4.5, 8.0, 10.0].map(point).to_vec()
}

/// The upper triangle of the matrix that the test of BeamDyn has.
fn triangle(diagonal: [f64; 6], coupled: f64) -> String {
    let mut numbers = Vec::new();
    for (row, own) in diagonal.into_iter().enumerate() {
        for column in row..6 {
            numbers.push(match (row, column) {
                (0, 2) => coupled,
                _ if row == column => own,
                _ => 0.0,
            });
        }
    }
    format!("{numbers:?}")
}

/// The same blade as a turbine of WindIO. The axis has no y, and masses at both ends alone.
fn write(folder: &Path) {
    let points = points();
    let grid: Vec<f64> = points.iter().map(|[_, _, z, _]| z / 10.0).collect();
    let column = |k: usize| points.iter().map(|point| point[k]).collect::<Vec<f64>>();
    let twist: Vec<f64> = column(3).into_iter().map(f64::to_radians).collect();
    let [stiffness, mass] = [triangle(STIFFNESS, 1e8), triangle(MASS, 0.0)];
    let text = format!(
        "name: a turbine of a test\nassembly: {{rotor_orientation: Upwind}}\ncomponents:\n  hub: {{diameter: 7.94}}\n  blade:\n    \
         outer_shape_bem: {{chord: {{grid: [0.0, 1.0], values: [5.0, 0.5]}}}}\n    elastic_properties_mb:\n      six_x_six:\n        \
         reference_axis:\n          x: {{grid: &places {grid:?}, values: {:?}}}\n          y: {{grid: [0.0, 1.0], values: [0.0, 0.0]}}\n          \
         z: {{grid: *places, values: {:?}}}\n        twist: {{grid: *places, values: {twist:?}}}\n        stiff_matrix:\n          \
         grid: {ETAS:?}\n          values: [{stiffness}, {stiffness}, {stiffness}]\n        inertia_matrix:\n          \
         grid: [0.0, 1.0]\n          values:\n          - {mass}\n          - {mass}\n",
        column(0),
        column(2)
    );
    std::fs::write(folder.join("turbine.yaml"), text).unwrap();
}

#[test]
fn a_blade_is_that_of_beamdyn() {
    let folder = folder("windio_blade");
    beamdyn::write(&folder, &points(), &ETAS, "0");
    write(&folder);
    let [ours, theirs] = ["turbine.yaml", "blade.dat"].map(|input| {
        printed(&mut pintle(&folder, &["convert", input, "model.toml", "--elements", "6"]));
        Simulation::load_model(&folder.join("model.toml")).unwrap()
    });
    let [ours, theirs] = [&ours, &theirs].map(|sim| Beams::of(sim).get(0).unwrap());
    assert_eq!(ours.sections.0.len(), 3);
    for (station, expected) in ours.sections.0.iter().zip(&theirs.sections.0) {
        // Degrees of radians are rounded.
        assert!((station.s - expected.s).abs() < 1e-13, "{} {}", station.s, expected.s);
        let poses = [station.pose, expected.pose].map(|pose| pose.to_array());
        assert!((0..7).all(|k| (poses[0][k] - poses[1][k]).abs() < 1e-13), "{poses:?}");
        assert_eq!((station.stiffness, station.mass), (expected.stiffness, expected.mass));
    }
    assert_eq!(ours.damping, [0.0; 6]);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder("windio_wrong");
    let refused = |from: &str, to: &str, expected: &str| {
        write(&folder);
        let path = folder.join("turbine.yaml");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        std::fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let (code, _, stderr) = outcome(&mut pintle(&folder, &["convert", "turbine.yaml", "model.toml"]));
        assert!(code == 2 && stderr.contains("turbine.yaml") && stderr.contains(expected), "{code}: {stderr}");
        assert!(!folder.join("model.toml").exists());
    };
    refused("six_x_six", "elastic_axis", "missing field `six_x_six`");
    refused("stiff_matrix:", "stiff_matrix: [", "line");
    refused("grid: [0.0, 0.3, 1.0]", "grid: [0.0, 1.0]", "stiff_matrix has 2 places and 3 values");
    refused("grid: [0.0, 0.3, 1.0]", "grid: [0.1, 0.3, 1.0]", "stiff_matrix.grid does not go from 0 to 1");
    refused("grid: [0.0, 0.3, 1.0]", "grid: [0.0, .nan, 1.0]", "stiff_matrix.grid[1] = NaN");
    refused("          - [300.0,", "          - [", "inertia_matrix.values[0] is not finite, or has not 21 numbers");
    refused(
        "values: [0.0, 0.0]}\n          z",
        "values: [0.0, .inf]}\n          z",
        "reference_axis.y.values[1] is not finite",
    );
    refused("8.0, 10.0]}\n        twist", "8.0, 7.0]}\n        twist", "reference_axis.z does not rise up to 1");
    refused("[4000000000.0", "[-4000000000.0", "section at 0");
}

/// Aliases of aliases in what is not read stay unexpanded: they would be some 1e9 numbers.
#[test]
fn what_is_not_read_costs_nothing() {
    let folder = folder("windio_aliases");
    write(&folder);
    let path = folder.join("turbine.yaml");
    let mut text = String::from("a: &a [0, 0, 0, 0, 0, 0, 0, 0]\n");
    for (name, last) in "bcdefghij".chars().zip("abcdefghi".chars()) {
        text += &format!("{name}: &{name} [*{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}, *{last}]\n");
    }
    std::fs::write(&path, text + &std::fs::read_to_string(&path).unwrap()).unwrap();
    printed(&mut pintle(&folder, &["convert", "turbine.yaml", "model.toml"]));
}
