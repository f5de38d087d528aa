//! Blades of BeamDyn: stations lie where the key points say, with the axes and the stiffness of the
//! file.

use super::{folder, outcome, pintle, printed};
use pintle::{Beams, Id, Simulation};
use std::path::Path;

/// Diagonal of a section in BeamDyn's order x, y, z: shear, shear, pull; bending, bending, torsion.
pub const STIFFNESS: [f64; 6] = [4e9, 5e9, 6e9, 2e8, 3e8, 1e8];
pub const MASS: [f64; 6] = [300.0, 300.0, 300.0, 20.0, 30.0, 50.0];

/// Writes a blade with key points x, y, z, twist, and its sections, the same everywhere, but that
/// shear along x and pull are coupled.
pub fn write(folder: &Path, points: &[[f64; 4]], etas: &[f64], damp_type: &str) {
    let n = points.len();
    let mut primary = format!(
        "--------- BEAMDYN with OpenFAST INPUT FILE ---\na blade of a test\n---- SIMULATION CONTROL ----\nTrue QuasiStaticInit - x\n\
         ---- GEOMETRY PARAMETER ----\n   1 member_total - members\n   {n} kp_total - points\n  1  {n} - of the member\n\
         kp_xr kp_yr kp_zr initial_twist\n(m) (m) (m) (deg)\n"
    );
    points.iter().for_each(|[x, y, z, twist]| primary += &format!("  {x:?} {y:?} {z:?} {twist:?}\n"));
    primary += "---- MESH PARAMETER ----\n 5 order_elem - x\n---- MATERIAL PARAMETER ----\n\"sections.dat\" BldFile - its sections\n";
    std::fs::write(folder.join("blade.dat"), primary).unwrap();
    let mut sections = format!(
        " ------- BEAMDYN V1.00.* INDIVIDUAL BLADE INPUT FILE ---\n a test\n --- BLADE PARAMETERS ---\n{} station_total - x\n{damp_type} \
         damp_type - x\n --- DAMPING COEFFICIENT ---\n mu1 mu2 mu3 mu4 mu5 mu6\n (s) (s) (s) (s) (s) (s)\n 1E-3 2e-3 3.0D-3 4e-3 5e-3 \
         6e-3\n --- DISTRIBUTED PROPERTIES---\n",
        etas.len()
    );
    for eta in etas {
        sections += &format!(" {eta:?}\n");
        for (diagonal, coupled) in [(STIFFNESS, 1e8), (MASS, 0.0)] {
            for (row, own) in diagonal.iter().enumerate() {
                let entry = |column: usize| match (row, column) {
                    (0, 2) | (2, 0) => coupled,
                    _ if row == column => *own,
                    _ => 0.0,
                };
                (0..6).for_each(|column| sections += &format!(" {:.16E}", entry(column)));
                sections += "\n";
            }
            sections += "\n";
        }
    }
    std::fs::write(folder.join("sections.dat"), sections).unwrap();
}

fn converted(folder: &Path) -> (Simulation, Id) {
    printed(&mut pintle(folder, &["convert", "blade.dat", "blade.toml", "--elements", "8"]));
    (Simulation::load_model(&folder.join("blade.toml")).unwrap(), 0)
}

#[test]
fn stations_of_an_inclined_line_have_its_places_axes_and_sections() {
    let folder = folder("beamdyn_inclined");
    // Along (0.6, 0, 0.8), turned by minus 90 degrees about it: then its x is minus the y of the
    // root, and its y what was x.
    let points = [0.0, 1.0, 4.0, 10.0].map(|z| [0.75 * z, 0.0, z, 90.0]);
    write(&folder, &points, &[0.0, 0.3, 1.0], "1");
    let (sim, beam) = converted(&folder);
    let sections = &Beams::of(&sim).get(beam).unwrap().sections.0;
    for (station, eta) in sections.iter().zip([0.0, 0.3, 1.0]) {
        // Bisections and sums of 12.5 m.
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12 * 12.5;
        assert!(near(station.s, 12.5 * eta), "{} at {eta}", station.s);
        let [x, y, z, w, i, j, k] = station.pose.to_array();
        assert!(near(x, 7.5 * eta) && near(y, 0.0) && near(z, 10.0 * eta), "{x} {y} {z} at {eta}");
        let turned = |v| pintle::spatial::convert::quat_to_dcm(&[w, i, j, k]).map(|dcm| product(&dcm, v)).unwrap();
        for (axis, expected) in [
            ([1.0, 0.0, 0.0], [0.6, 0.0, 0.8]),
            ([0.0, 1.0, 0.0], [0.0, -1.0, 0.0]),
            ([0.0, 0.0, 1.0], [0.8, 0.0, -0.6]),
        ] {
            let found = turned(axis);
            assert!((0..3).all(|k| near(found[k], expected[k])), "{axis:?} is {found:?}, not {expected:?}");
        }
        // Pull, shear along x and y, torsion, bending about x and y.
        for (k, bd) in [2, 0, 1, 5, 3, 4].into_iter().enumerate() {
            assert_eq!(station.stiffness[(k, k)], STIFFNESS[bd]);
            assert_eq!(station.mass[(k, k)], MASS[bd]);
        }
        assert_eq!((station.stiffness[(0, 1)], station.stiffness[(1, 0)]), (1e8, 1e8));
    }
    assert_eq!(Beams::of(&sim).get(beam).unwrap().damping, [3e-3, 1e-3, 2e-3, 6e-3, 4e-3, 5e-3]);
}

/// The product of a matrix, column after column, and a vector.
fn product(matrix: &[f64; 9], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| (0..3).map(|column| matrix[3 * column + row] * v[column]).sum())
}

/// Key points of a parabola x = z^2/40 up to 10 m: the spline is off by the natural ends, h^2/8 of
/// the bend of 1/20 in their last intervals at most, and exact to h^4 inside.
#[test]
fn a_bent_line_is_as_long_as_it_is() {
    let folder = folder("beamdyn_bent");
    let points: Vec<[f64; 4]> = (0..=40).map(|k| 0.25 * f64::from(k)).map(|z| [z * z / 40.0, 0.0, z, 0.0]).collect();
    write(&folder, &points, &[0.0, 0.5, 1.0], "0");
    let (sim, beam) = converted(&folder);
    let beam = Beams::of(&sim).get(beam).unwrap();
    // (z sqrt(1 + (z/20)^2) + 20 asinh(z/20))/2 at 10 m.
    let length = 0.5 * (10.0 * 1.25f64.sqrt() + 20.0 * 0.5f64.asinh());
    let found = beam.sections.0[2].s;
    assert!((found - length).abs() < 0.25f64.powi(2) / 8.0 / 20.0, "{found} for {length}");
    let [x, _, z, ..] = beam.sections.0[1].pose.to_array();
    assert!((x - z * z / 40.0).abs() < 1e-6, "{x} at {z}");
    assert_eq!(beam.damping, [0.0; 6]);
}

#[test]
fn what_is_wrong_is_named() {
    let folder = folder("beamdyn_wrong");
    let points = [0.0, 5.0, 10.0].map(|z| [0.0, 0.0, z, 0.0]);
    let refused = |expected: &str| {
        let (code, _, stderr) = outcome(&mut pintle(&folder, &["convert", "blade.dat", "blade.toml"]));
        assert!(code == 2 && stderr.contains(expected), "{code}: {stderr}");
        assert!(!folder.join("blade.toml").exists());
    };
    let change = |file: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(from), "{from}");
        std::fs::write(folder.join(file), text.replacen(from, to, 1)).unwrap();
    };
    let fresh = || write(&folder, &points, &[0.0, 1.0], "1");
    write(&folder, &points, &[0.0, 1.0], "2");
    refused("damp_type 2 is not read");
    fresh();
    change("blade.dat", "\"sections.dat\"", "\"../sections.dat\"");
    refused("is outside of the folder of this file");
    fresh();
    change("blade.dat", "3 kp_total", "4 kp_total");
    refused("expected 4 numbers");
    fresh();
    change("sections.dat", "2 station_total", "3 station_total");
    refused("ends before station 3");
    fresh();
    change("blade.dat", "0.0 0.0 10.0", "0.0 0.0 4.0");
    refused("key point 3 is not beyond the one before along z");
    fresh();
    std::fs::remove_file(folder.join("sections.dat")).unwrap();
    refused("sections.dat");
}
