//! The effect of each word of a file.

use crate::moordyn::{Folder, V1, V2, load};
use pintle::model::{Syrope, WorkingCurve};
use pintle::{EntityKind, Frame, Id, Phase, Simulation};

fn environment(sim: &Simulation) -> Vec<f64> {
    let keys = ["water_density", "depth", "seabed_stiffness", "seabed_damping", "seabed_friction"];
    keys.map(|key| sim.given().environment_value(key).unwrap()).to_vec()
}

/// Type, points, length and segments of each line.
fn lines(sim: &Simulation) -> Vec<(usize, [usize; 2], f64, usize)> {
    let line = |line: Id| {
        let line = sim.description().line_info(line).unwrap();
        (line.line_type, line.points, line.length, line.segments)
    };
    (0..sim.description().count(EntityKind::Line)).map(line).collect()
}

/// The numbers of a line type in the order of `pintle_add_line_type`.
fn line_type(sim: &Simulation, id: Id) -> [f64; 9] {
    let t = sim.description().line_type_info(id).unwrap();
    [t.diameter, t.mass_per_length, t.ea, t.ba, t.ei, t.cdn, t.can, t.cdt, t.cat]
}

#[test]
fn version_2_says_all_of_it() {
    let sim = load(V2).unwrap();
    assert_eq!(sim.phase(), Phase::Building);
    assert_eq!(environment(&sim), [1020.0, 50.0, 1e6, 2e4, 0.5]);
    assert_eq!(sim.description().gravity(), [0.0, 0.0, -9.81]);
    assert_eq!(line_type(&sim, 0), [0.1, 150.0, 7.5e8, -0.8, 0.0, 2.0, 0.8, 0.4, 0.25]);
    assert_eq!(line_type(&sim, 1), [0.12, 30.0, 4e7, 2.5e5, 1.2e4, 1.2, 1.0, 0.1, 0.0]);
    assert_eq!(sim.description().find(EntityKind::LineType, "cable").unwrap(), 1);
    assert_eq!(
        lines(&sim),
        [(0, [0, 2], 230.0, 20), (1, [2, 1], 200.0, 30), (0, [5, 4], 60.0, 10)],
        "numbered from 0 in the order of the file"
    );

    let point = |id| sim.description().point_info(id).unwrap();
    assert!(point(0).fixed && point(3).prescribed);
    assert_eq!(point(0).position, [400.0, 0.0, -50.0]);
    assert_eq!((point(1).body, point(4).body, point(5).body), (Some(0), Some(1), Some(2)));
    assert_eq!(point(1).position, [1.0, 2.0, -3.0]);
    let float = point(2);
    assert_eq!((float.mass, float.volume, float.fixed, float.prescribed, float.body), (800.0, 0.5, false, false, None));
    assert_eq!(sim.description().point_drag(2).unwrap(), (1.5, 0.7));

    assert_eq!([0, 1, 2].map(|body| sim.description().body_prescribed(body).unwrap()), [true, false, true]);
    // turned by 90 degrees about z
    let half = 0.5f64.sqrt();
    let pose = sim.outputs().body_pose(0).unwrap();
    for (got, expected) in pose.into_iter().zip([10.0, 20.0, -5.0, half, 0.0, 0.0, half]) {
        assert!((got - expected).abs() < 1e-15, "{pose:?}");
    }
    // the place of the point on it, turned: (1, 2, -3) -> (-2, 1, -3)
    let fairlead = sim.points().position(1).unwrap();
    for (got, expected) in fairlead.into_iter().zip([8.0, 21.0, -8.0]) {
        assert!((got - expected).abs() < 1e-14, "{fairlead:?}");
    }
}

#[test]
fn angles_turn_about_x_then_the_new_y_then_the_new_z() {
    let sim = load(V2).unwrap();
    let [_, _, _, w, x, y, z] = sim.outputs().body_pose(1).unwrap();
    // R = Rx(10) Ry(20) Rz(30), written out
    let [(sa, ca), (sb, cb), (sc, cc)] = [10f64, 20.0, 30.0].map(|angle| angle.to_radians().sin_cos());
    let expected = [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ];
    let got = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    for (got, expected) in got.as_flattened().iter().zip(expected.as_flattened()) {
        assert!((got - expected).abs() < 1e-15, "{got:?} {expected:?}");
    }
}

#[test]
fn what_points_on_a_body_weigh_is_part_of_it() {
    let sim = load(V2).unwrap();
    let at = |m: &[f64; 36], i: usize, j: usize| m[i + 6 * j];
    let mass = sim.description().body_mass(1).unwrap();
    assert_eq!(at(&mass, 0, 0), 4050.0);
    // moments of mass: 4000 (0.1, 0.2, 0.3) + 50 (1, 0, 0)
    let moment = [at(&mass, 5, 1), at(&mass, 3, 2), at(&mass, 4, 0)];
    for (got, expected) in moment.into_iter().zip([450.0, 800.0, 1200.0]) {
        assert!((got - expected).abs() < 1e-9, "{moment:?}");
    }
    // Steiner: about x 1000 + 4000 (0.2^2 + 0.3^2); about y 2000 + 4000 (0.1^2 + 0.3^2) + 50; about
    // z alike
    let about = [at(&mass, 3, 3), at(&mass, 4, 4), at(&mass, 5, 5)];
    for (got, expected) in about.into_iter().zip([1520.0, 2450.0, 3250.0]) {
        assert!((got - expected).abs() < 1e-9, "{about:?}");
    }

    // water of the body's volume and of the point's
    let (added, frame) = sim.description().added_mass(1).unwrap();
    assert_eq!(frame, Frame::Body);
    let of_point = 1020.0 * 0.2 * 0.9;
    let expected = [1785.0 + of_point, 2142.0 + of_point, 2499.0 + of_point, 0.0, of_point, of_point];
    for (k, expected) in expected.into_iter().enumerate() {
        assert!((at(&added, k, k) - expected).abs() < 1e-9, "{k}: {} {expected}", at(&added, k, k));
    }
    let (drag, frame) = sim.description().quadratic_drag(1).unwrap();
    assert_eq!(frame, Frame::Body);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|k| at(&drag, k, k)), [1020.0, 1020.0, 1020.0, 1530.0, 1530.0, 1530.0]);

    // buoyancy where the weight is, and at the point
    let (body, frame) = sim.description().marker_info(0).unwrap();
    assert_eq!((body, &frame[..3]), (1, &[0.1, 0.2, 0.3][..]));
    assert_eq!(sim.given().marker_load(0, Frame::Inertial).unwrap(), [0.0, 0.0, 1020.0 * 9.81 * 3.5, 0.0, 0.0, 0.0]);
    assert_eq!(sim.given().point_load(4).unwrap(), [0.0, 0.0, 1020.0 * 9.81 * 0.2]);
    assert_eq!(sim.description().point_info(4).unwrap().mass, 0.0, "not twice");
}

#[test]
fn version_1_says_the_same_in_another_order() {
    let sim = load(V1).unwrap();
    assert_eq!(line_type(&sim, 0), [0.09, 77.7, 3.8e8, -0.8, 0.0, 1.6, 1.0, 0.1, 0.2]);
    assert_eq!(lines(&sim), [(0, [0, 1], 480.0, 12), (0, [1, 2], 422.2, 8)]);
    // defaults are those of MoorDyn
    assert_eq!(environment(&sim), [1025.0, 320.0, 3e6, 3e5, 0.0]);
    assert_eq!(sim.description().gravity(), [0.0, 0.0, -9.80665]);
    let point = |id| sim.description().point_info(id).unwrap();
    assert!(point(0).fixed && point(2).prescribed && !point(1).fixed && !point(1).prescribed);
    assert_eq!((point(1).mass, point(1).volume, sim.description().point_drag(1).unwrap()), (900.0, 0.3, (2.0, 1.0)));
    assert_eq!(sim.given().point_load(1).unwrap(), [10.0, 20.0, 30.0]);
}

#[test]
fn what_is_not_needed_is_told_with_its_place() {
    let warning = load(V2).unwrap().outputs().warning().unwrap();
    for (line, word) in [(27, "pt"), (30, "dtM"), (37, "tScheme"), (38, "dtIC")] {
        let place = format!("lines.txt\" line {line}, \"{word}\": not needed");
        assert!(warning.contains(&place), "{place} in {warning}");
    }
    assert_eq!(warning.lines().count(), 4, "{warning}");
    let warning = load(V1).unwrap().outputs().warning().unwrap();
    for word in ["p", "dtM", "ICDfac", "ICthresh", "ICTmax"] {
        assert!(warning.contains(&format!("\"{word}\": not needed")), "{word} in {warning}");
    }
    assert_eq!(warning.lines().count(), 5, "{warning}");
}

#[test]
fn separators_comments_and_codes_do_not_matter() {
    let expected = described(V2);
    let commas = |line: &str| match line.starts_with("---") || line.contains("A mooring") {
        true => line.to_owned(),
        false => line.split_whitespace().collect::<Vec<_>>().join(" , "),
    };
    let tabs = V2.replace("  ", "\t");
    let by_commas = V2.lines().map(commas).collect::<Vec<_>>().join("\n");
    let windows = V2.replace('\n', "\r\n");
    let marked = format!("\u{feff}{V2}");
    let commented = V2.replace("200       30       pt", "200   30   pt   # the upper one");
    let remarked = V2.replace("800    0.5     1.5    0.7", "800 0.5 1.5 0.7 ! the float").replace(
        "2     Body1       1.0     2.0     -3.0    0      0       0      0",
        "2 Body1 1.0 2.0 -3.0 0 0 0 0 fairlead of it",
    );
    let spaced = V2.replace("3     Free", "\n   # nothing\n\n3     Free");
    let lower = V2.replace("Coupled", "coupled").replace("Free ", "FREE ").replace("kBot", "KBOT");
    let fortran = V2.replace("7.5e8", "7.5D8").replace("1.2e4", "1.2d+4");
    for text in [tabs, by_commas, windows, marked, commented, remarked, spaced, lower, fortran] {
        assert_eq!(described(&text), expected, "{text}");
    }
    // signs of other codes in comments and units
    let mut latin = V2.as_bytes().to_vec();
    let at = V2.find("(m^3)").unwrap();
    latin[at + 2] = 0xb3;
    assert_eq!(described(&latin), expected);
}

/// The system that a text describes, as TOML.
fn described(text: impl AsRef<[u8]>) -> String {
    toml(&load(text).unwrap())
}

fn toml(sim: &Simulation) -> String {
    let folder = Folder::new();
    let path = folder.0.join("model.toml");
    sim.save_model(&path).unwrap();
    std::fs::read_to_string(&path).unwrap()
}

#[test]
fn what_was_read_goes_round_as_toml() {
    for text in [V1, V2] {
        let written = described(text);
        let folder = Folder::new().with("model.toml", &written);
        let again = Simulation::load_model(&folder.0.join("model.toml")).unwrap();
        assert_eq!(toml(&again), written);
        for word in ["[[line]]", "[[line_type]]", "[[point]]"] {
            assert!(written.contains(word), "{word} in {written}");
        }
    }
}

#[test]
fn tables_stand_in_files_beside() {
    let text = V2.replace("7.5e8      -0.8", "rope.dat   damping.dat");
    let folder = Folder::new()
        .with("lines.txt", text)
        .with("rope.dat", "---- rope ----\nStrain Tension\n(-) (N)\n0.0 0.0\n0.01 1e6\n0.03 5e6\n")
        .with("damping.dat", "Rate, Force\n0, 0\n1.0, 2e5\n");
    let sim = folder.load().unwrap();
    assert_eq!(sim.description().line_type_table(0, "ea").unwrap(), [&[0.0, 0.01, 0.03][..], &[0.0, 1e6, 5e6]]);
    assert_eq!(sim.description().line_type_table(0, "ba").unwrap(), [&[0.0, 1.0][..], &[0.0, 2e5]]);
    assert_eq!(sim.description().line_type_table(1, "ea").unwrap(), [&[][..]; 2]);
}

#[test]
fn viscoelastic_types_have_two_stiffnesses_and_two_dampings() {
    let numbers = |ea: &str, ba: &str| {
        let sim = load(V2.replacen("7.5e8      -0.8", &format!("{ea} {ba}"), 1)).unwrap();
        let info = sim.description().line_type_info(0).unwrap();
        (info.ea, info.ba, info.viscoelastic.map(|law| law.numbers()))
    };
    assert_eq!(numbers("7.5e8|8.5e8", "4e9|1e7"), (7.5e8, 4e9, Some([8.5e8, 0.0, 1e7])));
    assert_eq!(numbers("7.5e8|8.5e8|0.4", "4e9"), (7.5e8, 4e9, Some([8.5e8, 0.4, 0.0])));
    assert_eq!(numbers("7.5e8", "-0.8"), (7.5e8, -0.8, None));
}

/// Files of a working curve and of the original curve, and the largest tensions before the start.
#[test]
fn syrope_types_have_curves_in_files() {
    let initial = "---- SYROPE IC ----\nLines Tmax0 Tmean0\n(-) (N) (N)\n1,2 2e6 1e6\n---------------------- OPTIONS";
    let text = V2.replacen("7.5e8      -0.8", "SYROPE:rope.dat|6e8|20 4e9|1e7", 1);
    let text = text.replace("---------------------- OPTIONS", initial);
    let kinds = [
        ("LINEAR", "0.25", WorkingCurve::Linear, 0.25),
        ("Linear", "5e8", WorkingCurve::Stiffness, 5e8),
        ("QUADRATIC", "0.25", WorkingCurve::Quadratic, 0.25),
        ("EXP", "0.25", WorkingCurve::Exponential, 0.25),
    ];
    let folder = |words: &str, original: &str| {
        let original = format!("Strain Tension\n(-) (N)\n{original}\n0.02 5e6\n");
        Folder::new().with("lines.txt", &text).with("rope.dat", words).with("curve.dat", original)
    };
    for (kind, k1, curve, expected) in kinds {
        let words = format!("curve.dat OWC the original curve\n{kind} WCType\n{k1} k1\n0.75 k2 second\n");
        let sim = folder(&words, "0 0\n0.01 2e6").load().unwrap();
        let info = sim.description().line_type_info(0).unwrap();
        assert_eq!(info.viscoelastic.map(|law| law.numbers()), Some([6e8, 20.0, 1e7]));
        assert_eq!(info.syrope, Some(Syrope { curve, k1: expected, k2: 0.75 }));
        assert_eq!(sim.description().line_type_table(0, "ea").unwrap(), [&[0.0, 0.01, 0.02][..], &[0.0, 2e6, 5e6]]);
        let segments = sim.description().line_info(0).unwrap().segments;
        let mut largest = vec![0.0; segments];
        sim.lines().largest_tensions(0, &mut largest).unwrap();
        assert_eq!(largest, vec![2e6; segments]);
        let warning = sim.outputs().warning().unwrap();
        assert!(warning.contains("\"1e6\": not needed, lines begin at rest"), "{warning}");
        assert!(warning.contains("\"2\": not needed, the type of this line has no Syrope model"), "{warning}");
    }
    for (words, original, says) in [
        ("curve.dat OWC\nCUBIC WCType\n", "0 0", "line 2, \"CUBIC\": WCType: expected LINEAR, QUADRATIC or EXP"),
        ("curve.dat OWC\n1 k3\n", "0 0", "line 2, \"k3\": expected OWC, WCType, k1 or k2"),
        ("curve.dat OWC\nEXP WCType\n0.2 k1\n", "0 0", "expected values named OWC, WCType, k1 and k2"),
        ("none.dat OWC\nEXP WCType\n0.2 k1\n1 k2\n", "0 0", "line 1, \"none.dat\""),
        ("../a/curve.dat OWC\nEXP WCType\n0.2 k1\n1 k2\n", "0 0", "is outside the folder of this file"),
        ("curve.dat OWC\nEXP WCType\n1.2 k1\n1 k2\n", "0 0", "1.2 is not from 0 to below 1"),
        ("curve.dat OWC\nEXP WCType\n0.2 k1\n1 k2\n", "0.01 4.99e6", "would be left at x = 0"),
    ] {
        let why = folder(words, original).load().err().unwrap().to_string();
        assert!(why.contains(says), "{why}\n{says}");
    }
}

#[test]
fn of_two_names_of_an_option_the_later_counts() {
    let sim = load(V2.replace("1.0           dtIC", "5 rho")).unwrap();
    assert_eq!(sim.given().environment_value("water_density"), Ok(5.0));
    assert!(sim.outputs().warning().unwrap().contains("\"rho\" counts, as the later one, not "));
}

#[test]
fn a_steady_current_stands_in_a_file_beside() {
    let text = V2.replace("RK4           tScheme", "1 Currents steady");
    let profile =
        "--- currents ---\nof the water\nz (m), ux (m/s), uy (m/s), uz (m/s)\n-50 0.1 0 0\n-10 0.4 0.2 0\n0 1 0 0\n";
    let folder = Folder::new().with("lines.txt", text).with("current_profile.txt", profile);
    let sim = folder.load().unwrap();
    let expected = [(0.0, [1.0, 0.0, 0.0]), (10.0, [0.4, 0.2, 0.0]), (50.0, [0.1, 0.0, 0.0])];
    assert_eq!(sim.given().current(), expected);
    assert_eq!(sim.given().current()[0].0.to_bits(), 0, "no negative zero");
}

/// Heights in any order; y and z may be left out. Lines 1 to 4 and 6 are not read, whatever they
/// have.
#[test]
fn a_current_over_time_stands_in_a_file_beside() {
    let text = V2.replace("2|3       0.5", "0         0.5").replace("RK4           tScheme", "2 Currents");
    let file = "---- currents ----\nof the water\n2\n3\n 0 -20.5\n1 2 3\n0 1 2\n5.5 1 2 3 4\n7 1 2 3 4 5 6\n";
    let sim = Folder::new().with("lines.txt", text).with("current_profile_dynamic.txt", file).load().unwrap();
    let expected = [
        [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 20.5, 0.0, 2.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 5.5, 1.0, 3.0, 0.0],
        [0.0, 0.0, 20.5, 5.5, 2.0, 4.0, 0.0],
        [0.0, 0.0, 0.0, 7.0, 1.0, 3.0, 5.0],
        [0.0, 0.0, 20.5, 7.0, 2.0, 4.0, 6.0],
    ];
    let found = pintle::CurrentGrids::of(&sim).points();
    assert_eq!(found, expected);
    assert_eq!(found[0][2].to_bits(), 0, "no negative zero");
}

/// Nodes and coordinates in any order.
#[test]
fn a_current_in_space_and_time_stands_in_a_file_beside() {
    let text = V2.replace("2|3       0.5", "0         0.5").replace("RK4           tScheme", "5 Currents");
    let file = "2 1 2 2\n-9 9\n4\n-30 0\n0 15\n";
    let mut rows: Vec<String> = Vec::new();
    for (x, z, t) in (0..8).map(|k| ([-9, 9][k % 2], [-30, 0][k / 2 % 2], [0, 15][k / 4])) {
        rows.insert(0, format!("{x}.0 4 {z} {t} {} {} {}\n", x + t, z, t));
    }
    let sim = Folder::new().with("lines.txt", text).with("current_profile_4d.txt", file.to_owned() + &rows.concat());
    let found = pintle::CurrentGrids::of(&sim.load().unwrap()).points();
    assert_eq!(found.len(), 8);
    for (k, row) in found.into_iter().enumerate() {
        let (x, depth, t) = ([-9.0, 9.0][k % 2], [0.0, 30.0][k / 2 % 2], [0.0, 15.0][k / 4]);
        assert_eq!(row, [x, 4.0, depth, t, x + t, -depth, t], "{k}");
    }
}

/// Nodes stand in any order; without WtrDpth waves have the mean depth.
#[test]
fn a_grid_of_the_seabed_stands_in_a_file_beside() {
    let bed = "2 2\n500 -500\n-400 400\n-500 -400 -60\n500 400 -50\n-500 400 -62\n500 -400 -56\n";
    let text = V2.replace("RK4           tScheme", "bed.txt SeafloorFile");
    let expected = [[-500.0, -400.0, 60.0], [500.0, -400.0, 56.0], [-500.0, 400.0, 62.0], [500.0, 400.0, 50.0]];
    for (text, depth) in [(text.clone(), 50.0), (text.replace("50            WtrDpth       depth\n", ""), 57.0)] {
        let sim = Folder::new().with("lines.txt", text).with("bed.txt", bed).load().unwrap();
        assert_eq!(pintle::simulation::Bed::of(&sim).grid(), expected);
        assert_eq!(sim.given().environment_value("depth").unwrap(), depth);
    }
    // As a table, which OpenFAST's module reads: the depth for waves is that at x = y = 0.
    let table = "--- MoorDyn Bathymetry Input File ---\nnGridX 2\nnGridY 2\n  -500 500\n-400 60 56\n1200 62 50\n";
    let text = V2.replace("50            WtrDpth", "bed.txt       WtrDpth");
    let sim = Folder::new().with("lines.txt", text).with("bed.txt", table).load().unwrap();
    let expected = [[-500.0, -400.0, 60.0], [500.0, -400.0, 56.0], [-500.0, 1200.0, 62.0], [500.0, 1200.0, 50.0]];
    assert_eq!(pintle::simulation::Bed::of(&sim).grid(), expected);
    assert_eq!(sim.given().environment_value("depth").unwrap(), 57.5);
}

/// At x = y = 0 the elevation of components is `|A| sin(w t + arg A)`, and that of a record passes
/// through its samples.
#[test]
fn waves_stand_in_files_beside() {
    let load = |kind: &str, file: &str, content: &str| {
        let text = V2.replace("2|3       0.5", "0         0.5").replace("RK4           tScheme", kind);
        Folder::new().with("lines.txt", text).with(file, content).load().unwrap()
    };
    let elevations = |sim: &mut pintle::Simulation| -> Vec<f64> {
        sim.initialize(0.0).unwrap();
        let mut found = Vec::new();
        for _ in 0..3 {
            found.push(sim.outputs().water_motion(&[[0.0, 0.0, -1.0]]).unwrap()[0].elevation);
            sim.step(0.5).unwrap();
        }
        found
    };
    let rows = "omega re im b\n0 9 9\n0.5 0.03 0.04\n1.5 -0.02 0 0.7\n";
    let mut sim = load("7 WaveKin", "wave_frequencies.txt", rows);
    assert_eq!(sim.given().waves().len(), 2);
    assert_eq!(sim.given().waves()[1].heading, 0.7);
    for (k, found) in elevations(&mut sim).into_iter().enumerate() {
        let t = 0.5 * k as f64;
        let right = 0.05 * (0.5 * t + f64::atan2(0.04, 0.03)).sin() + 0.02 * (1.5 * t + std::f64::consts::PI).sin();
        assert!((found - right).abs() < 1e-11, "{t}: {found} {right}");
    }
    // Interpolated to multiples of 0.5, the smallest difference: half of the amplitude of 1.0 at
    // 1.5.
    let rows = "0 0 0\n0.5 0.03 0.04 0.2\n1.0 0 0.02 0.7\n2.0 0 0 0.7\n";
    let mut sim = load("2 WaveKin", "wave_frequencies.txt", rows);
    let given: Vec<[f64; 3]> = sim.given().waves().iter().map(|w| [w.frequency, w.amplitude, w.heading]).collect();
    let expected = [[0.5, 0.05, 0.2], [1.0, 0.02, 0.7], [1.5, 0.01, 0.7]];
    let off = given.iter().flatten().zip(expected.iter().flatten()).map(|(a, b): (&f64, &f64)| (a - b).abs());
    assert!(given.len() == 3 && off.fold(0.0, f64::max) < 1e-15, "{given:?}");
    for (k, found) in elevations(&mut sim).into_iter().enumerate() {
        let t = 0.5 * k as f64;
        let right = 0.03 * (0.5 * t).cos() - 0.04 * (0.5 * t).sin() - 0.02 * t.sin() - 0.01 * (1.5 * t).sin();
        assert!((found - right).abs() < 1e-11, "{t}: {found} {right}");
    }
    let mut sim = load("3 WaveKin", "wave_elevation.txt", "t eta\n0.0 0.01\n0.5 -0.03\n1.0 0.02\n1.5 0.0\n");
    for (found, right) in elevations(&mut sim).into_iter().zip([0.01, -0.03, 0.02]) {
        assert!((found - right).abs() < 1e-11, "{found} {right}");
    }
}

#[test]
fn a_depth_that_is_not_given_is_that_of_the_lowest_point() {
    let sim = load(V1.replace("320      WtrDpth      - water depth\n", "")).unwrap();
    assert_eq!(sim.given().environment_value("depth").unwrap(), 320.0);
    let warning = sim.outputs().warning().unwrap();
    assert!(warning.contains("line 12, \"-320.00\": the seabed is taken to be here"), "{warning}");
    // none below the surface: no seabed, and nothing to be said of it
    let dry = V1
        .replace("320      WtrDpth      - water depth\n", "")
        .replace("-320.00", "0.0")
        .replace("-150.00", "10")
        .replace("-70.00", "20");
    let sim = load(dry).unwrap();
    assert_eq!(environment(&sim), [1025.0, 0.0, 3e6, 3e5, 0.0]);
    assert!(sim.outputs().warning().unwrap().contains("\"kb\": not needed, there is no seabed"));
}

#[test]
fn aliases_mean_the_same() {
    let expected = described(V2);
    for (one, other) in [
        ("LINE TYPES", "LINE DICTIONARY"),
        ("POINTS", "CONNECTION PROPERTIES"),
        ("POINTS", "POINT LIST"),
        ("LINES --", "LINE PROPERTIES --"),
        ("BODIES", "BODY LIST"),
        ("OPTIONS", "SOLVER OPTIONS"),
        ("WtrDnsty", "rho"),
        ("WtrDnsty", "rhoW"),
        (" g  ", " gravity  "),
        ("kBot", "kb"),
        ("cBot", "cb"),
        ("Fixed       400", "Anchor      400"),
        ("Free        200.0", "Connect     200.0"),
        ("Coupled     -100", "Fairlead    -100"),
        ("Coupled     10 ", "Vessel      10 "),
        ("0.5           FrictionCoefficient", "0.5 MU_KT\n0.5 MU_KA"),
    ] {
        assert!(V2.contains(one), "{one}");
        assert_eq!(described(V2.replacen(one, other, 1)), expected, "{one} {other}");
    }
}

#[test]
fn columns_are_read_by_their_order_and_odd_names_are_told() {
    let odd = V2.replace("Cd     Ca     CdAx    CaAx", "Can    Cat    Cdn     Cdt ");
    let sim = load(odd).unwrap();
    assert_eq!(line_type(&sim, 0), [0.1, 150.0, 7.5e8, -0.8, 0.0, 2.0, 0.8, 0.4, 0.25]);
    let warning = sim.outputs().warning().unwrap();
    assert!(
        warning.contains("line 4, \"Can\": column 7 of LINE TYPES is read as Cd by the order of columns"),
        "{warning}"
    );
    // columns of vortex-induced vibrations are ignored if the lift coefficient Cl is zero
    let still = V2.replace("CaAx\n", "CaAx Cl dF cF\n").replace("0.4     0.25", "0.4 0.25 0 0.08 0.18");
    assert_eq!(described(still), described(V2));
    // these columns, too, are known by their order
    let old = V2.replace("Cd     Ca     CdAx    CaAx", "tbd Can Cat Cdn Cdt").replace("0.4     0.25", "0.4 0.25 0.0");
    assert_eq!(described(&old), described(V2));
    let warning = load(old).unwrap().outputs().warning().unwrap();
    assert!(warning.contains("line 6, \"0.0\": read as Cl by the order of columns"), "{warning}");
}

/// The warnings about heads of tables.
fn of_heads(text: impl AsRef<[u8]>) -> Vec<String> {
    let warning = load(text).unwrap().outputs().warning().unwrap();
    let heads = warning.lines().filter(|note| note.contains(": column "));
    heads.map(|note| note.split_once("lines.txt\" ").unwrap().1.to_owned()).collect()
}

#[test]
fn names_of_other_columns_are_told() {
    #[rustfmt::skip] // one line each: text, names, what stands there instead, what is told
    let cases: [(&str, &str, &str, &[&str]); 9] = [
        (V2, "UnstrLen  NumSegs", "NumSegs UnstrLen", &["line 24, \"NumSegs\": column 5 of LINES is read as UnstrLen by the order of columns", "line 24, \"UnstrLen\": column 6 of LINES is read as NumSegs by the order of columns"]),
        (V2, "AttachA  AttachB", "AttachB  AttachA", &["line 24, \"AttachB\": column 3 of LINES is read as AttachA by the order of columns", "line 24, \"AttachA\": column 4 of LINES is read as AttachB by the order of columns"]),
        (V2, "Diam    Mass/m", "Mass/m Diam", &["line 4, \"Mass/m\": column 2 of LINE TYPES is read as Diam by the order of columns", "line 4, \"Diam\": column 3 of LINE TYPES is read as Mass/m by the order of columns"]),
        (V2, "X       Y       Z  ", "Z Y X", &["line 15, \"Z\": column 3 of POINTS is read as X by the order of columns", "line 15, \"X\": column 5 of POINTS is read as Z by the order of columns"]),
        (V2, "CdA*      Ca*", "Ca* CdA*", &["line 9, \"Ca*\": column 13 of BODIES is read as CdA by the order of columns", "line 9, \"CdA*\": column 14 of BODIES is read as Ca by the order of columns"]),
        (V1, "NodeAnch  NodeFair", "NodeFair  NodeAnch", &["line 17, \"NodeFair\": column 5 of LINE PROPERTIES is read as AttachA by the order of columns", "line 17, \"NodeAnch\": column 6 of LINE PROPERTIES is read as AttachB by the order of columns"]),
        (V1, "Can     Cat    Cdn     Cdt", "Can Cdn Cat Cdt", &["line 5, \"Cdn\": column 7 of LINE DICTIONARY is read as CaAx by the order of columns", "line 5, \"Cat\": column 8 of LINE DICTIONARY is read as Cd by the order of columns"]),
        (V1, "M        V ", "V        M ", &["line 10, \"V\": column 6 of NODE PROPERTIES is read as Mass by the order of columns", "line 10, \"M\": column 7 of NODE PROPERTIES is read as Volume by the order of columns"]),
        // an unknown column name does not affect other columns
        (V2, "Diam ", "Size ", &[]),
    ];
    for (text, names, instead, expected) in cases {
        assert!(text.contains(names), "{names}");
        assert_eq!(of_heads(text.replacen(names, instead, 1)), expected, "{instead}");
    }
}

#[test]
fn other_units_are_told() {
    #[rustfmt::skip] // one line each: text, units, what stands there instead, what is told
    let cases: [(&str, &str, &str, &[&str]); 6] = [
        (V2, "(name)     (m)     (kg/m)     (N) ", "(name) (mm) (kg/m) (kN)", &["line 5, \"(mm)\": column 2 of LINE TYPES, Diam, is read in m", "line 5, \"(kN)\": column 4 of LINE TYPES, EA, is read in N"]),
        (V2, "(ID)     (m) ", "(ID) (ft)", &["line 25, \"(ft)\": column 5 of LINES, UnstrLen, is read in m"]),
        (V2, "(deg) (deg) (deg)", "(deg) (rad) (deg)", &["line 10, \"(rad)\": column 7 of BODIES, p0, is read in deg"]),
        (V2, "(N-m^2)", "(kN-m^2)", &["line 5, \"(kN-m^2)\": column 6 of LINE TYPES, EI, is read in N-m^2"]),
        (V2, "(kg)   (m^3)   (m^2)  (-)\n1     Fixed", "[t] [l] [m^2] [%]\n1     Fixed", &["line 16, \"[t]\": column 6 of POINTS, Mass, is read in kg", "line 16, \"[l]\": column 7 of POINTS, Volume, is read in m^3"]),
        (V1, "(kg/m)", "(lb/ft)", &["line 6, \"(lb/ft)\": column 3 of LINE DICTIONARY, Mass/m, is read in kg/m"]),
    ];
    for (text, units, instead, expected) in cases {
        assert!(text.contains(units), "{units}");
        assert_eq!(of_heads(text.replacen(units, instead, 1)), expected, "{instead}");
    }
}

/// Heads as MoorDyn, OpenFAST and tools that write for them have them.
#[test]
fn usual_heads_are_nothing_to_tell() {
    for text in [V1, V2, include_str!("../../../hosts/moordyn/oc4_lines.txt")] {
        assert_eq!(of_heads(text), [""; 0]);
    }
    for (text, usual, other) in [
        (V1, "MassDenInAir    EA        BA/-zeta", "MassDen EA cIntDamp"),
        (V1, "(Pa-s/-)    (-)     (-)", "(Pa-s) () ()"),
        (V1, "(N)      (N)     (N)    (m^2)  (-)\n", "(kN) (kN) (kN) (m2) ()\n"),
        (V1, "NodeAnch  NodeFair  Flags/Outputs", "NodeAnch NodeFair Outputs CtrlChan"),
        (V1, "Node      Type ", "ID Attachment"),
        (V2, "TypeName ", "LineType "),
        (V2, "Cd     Ca     CdAx    CaAx", "Cdn Can Cdt Cat"),
        (V2, "Cd     Ca     CdAx    CaAx", "Cd_n Ca_n Cd_t Ca_t"),
        (V2, "(N-s/-)     (N-m^2)", "(Pa-s/-) (n-m^2)"),
        (V2, "(N-s/-)     (N-m^2)", "(-) (N-m2)"),
        (V2, "(kg)   (m^3)   (m^2)", "(kg) (m\u{2c6}3) (m\u{b2})"),
        (V2, "Mass   Volume  CdA    Ca\n(#)   (word/ID)", "M V CdA CA\n(-) (-)"),
        (V2, "AttachA  AttachB  UnstrLen  NumSegs  LineOutputs", "NodeA NodeB UnstrLen NumSegs Flags/Outputs"),
        (V2, "CdA*      Ca*", "CdA* Ca"),
    ] {
        assert!(text.contains(usual), "{usual}");
        assert_eq!(of_heads(text.replacen(usual, other, 1)), [""; 0], "{other}");
    }
}

#[test]
fn rows_of_version_2_under_the_names_of_version_1_are_read_as_moordyn_does() {
    let forces = V1.find("1         Fix").unwrap();
    let mixed = V1[..forces].to_owned()
        + "1 Fix 853.87 0 -320.00 0 0 0 0\n2 Connect 400.0 0 -150.00 900 0.3 2 1\n3 Vessel 5.2 0 -70.00 0 0 0 0\n"
        + &V1[V1.find("---------------------- LINE PROP").unwrap()..];
    let mixed = mixed
        .replace("480.0        12        1         2 ", "1 2 480.0 12")
        .replace("422.2        8         2         3 ", "2 3 422.2 8");
    let sim = load(&mixed).unwrap();
    assert_eq!(lines(&sim), lines(&load(V1).unwrap()));
    assert_eq!(
        (sim.description().point_info(1).unwrap().mass, sim.description().point_drag(1).unwrap()),
        (900.0, (2.0, 1.0))
    );
    let warning = sim.outputs().warning().unwrap();
    assert!(warning.contains("line 12, \"1\": read without forces by the length of the row"), "{warning}");
    assert!(warning.contains("line 19, \"480.0\": taken for the length"), "{warning}");
    // and forces where the names have none
    let sim = load(V2.replace("0.5     1.5    0.7", "0.5  10 20 30   1.5    0.7")).unwrap();
    assert_eq!(
        (sim.given().point_load(2).unwrap(), sim.description().point_drag(2).unwrap()),
        ([10.0, 20.0, 30.0], (1.5, 0.7))
    );
    assert!(
        sim.outputs().warning().unwrap().contains("line 19, \"3\": read with forces"),
        "{}",
        sim.outputs().warning().unwrap()
    );
}

/// Bodies with points alone are a system too, of which MoorDyn turns the bodies.
#[test]
fn a_file_without_lines_has_bodies_and_points() {
    let (head, rest) = V2.split_once("---------------------- LINES").unwrap();
    let options = &rest[rest.find("---------------------- OPTIONS").unwrap()..];
    let options = options.split_once("- OUTPUTS -").unwrap().0.trim_end_matches('-');
    let sim = load(format!("{head}{options}")).unwrap();
    let count = |kind| sim.description().count(kind);
    assert_eq!([EntityKind::Body, EntityKind::Point, EntityKind::Line].map(count), [3, 6, 0]);
}
