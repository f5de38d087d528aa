//! Rods of files: the entities that each attachment becomes, and their physics against closed
//! forms.

use crate::moordyn::{Folder, load};
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::PI;

/// Rods of every kind, with lines at their ends.
pub const RODS: &str = "\
--- LINE TYPES ---
TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)
rope 0.05 3.0 1e7 -0.8 0 1.2 1.0 0.1 0.0
cable 0.05 3.0 1e7 -0.8 1e3 1.2 1.0 0.1 0.0
--- ROD TYPES ---
TypeName Diam Mass/m Cd Ca CdEnd CaEnd
(-) (m) (kg/m) (-) (-) (-) (-)
tube 0.5 100 0.8 1.0 0.7 0.6
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(-) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Free 10 20 -5 0 0 90 1000 -2 500|600|700 0 0 0
--- RODS ---
ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs RodOutputs
(-) (-) (-) (m) (m) (m) (m) (m) (m) (-) (-)
1 tube Free          0 0 -5   3 0 -1   4 -
2 tube Fixed         5 0 -9   5 0 -8   2 -
3 tube Pinned        0 9 -5   0 9 -1   4 p
4 tube Coupled       1 0 -2   0 0 -2   1 -
5 tube CoupledPinned 0 0 -2   0 1 -2   1 -
6 tube Body1         1 0 0    1 0 3    3 -
7 tube Body1Pinned   2 0 0    2 0 -3   3
8 tube Anchor        7 8 -9   7 8 -8   0 -
9 tube Free          6 0 -9   6 0 -8   0 -
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 0 0 -50 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 R1A 50 10 -
2 rope Rod3B R6B 50 10 -
3 rope r8a R9B 50 10 -
4 rope R9A 1 50 10 -
--- OPTIONS ---
60 WtrDpth
1000 rho
10 g
--- need this line ---
";

fn find(sim: &Simulation, kind: EntityKind, name: &str) -> Id {
    sim.description().find(kind, name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn close(got: &[f64], expected: &[f64], name: &str) {
    for (a, b) in got.iter().zip(expected) {
        assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{name}: {got:?} {expected:?}");
    }
}

#[test]
fn each_attachment_is_a_body_a_joint_or_a_cylinder() {
    let sim = load(RODS).unwrap();
    let (told, body) = (sim.description(), |name| find(&sim, EntityKind::Body, name));
    // The file's own bodies and points come first.
    let bodies = ["rod 1", "rod 3", "rod 4", "rod 5 support", "rod 5", "rod 7"].map(body);
    assert_eq!(bodies, [1, 2, 3, 4, 5, 6]);
    assert_eq!(bodies.map(|id| told.body_prescribed(id).unwrap()), [false, false, true, true, false, false]);
    assert_eq!(told.count(EntityKind::Body), 7);
    let cylinders =
        (1..=7).map(|k| sim.given().cylinder_info(find(&sim, EntityKind::Cylinder, &format!("rod {k}"))).unwrap());
    let on: Vec<Id> = cylinders.map(|cylinder| cylinder.body).collect();
    assert_eq!(on, [1, GROUND, 2, 3, 5, 0, 6]);
    assert_eq!(told.count(EntityKind::Cylinder), 7);
    for (name, ends) in [("rod 3", [GROUND, 2]), ("rod 5", [4, 5]), ("rod 7", [0, 6])] {
        let joint = told.joint_info(find(&sim, EntityKind::Joint, name)).unwrap();
        assert_eq!((joint.kind, joint.bodies), (JointKind::Spherical, ends));
    }
    // Places of the ends, of rods on body 1 in its axes, which are turned by 90 degrees about z.
    for (rod, a, b) in [
        (1, [0.0, 0.0, -5.0], [3.0, 0.0, -1.0]),
        (2, [5.0, 0.0, -9.0], [5.0, 0.0, -8.0]),
        (4, [1.0, 0.0, -2.0], [0.0, 0.0, -2.0]),
        (5, [0.0, 0.0, -2.0], [0.0, 1.0, -2.0]),
        (6, [10.0, 21.0, -5.0], [10.0, 21.0, -2.0]),
        (7, [10.0, 22.0, -5.0], [10.0, 22.0, -8.0]),
    ] {
        for (end, expected) in [("A", a), ("B", b)] {
            let point = find(&sim, EntityKind::Point, &format!("rod {rod} end {end}"));
            close(&sim.points().position(point).unwrap(), &expected, &format!("rod {rod} {end}"));
        }
    }
    // Without segments both ends are one point.
    let [fixed, free] = ["rod 8 end A", "rod 9 end A"].map(|name| find(&sim, EntityKind::Point, name));
    assert!(told.point_info(fixed).unwrap().fixed && !told.point_info(free).unwrap().fixed);
    assert_eq!(told.point_info(free).unwrap().body, None);
    let line = |id| told.line_info(id).unwrap().points.map(|point| told.name(EntityKind::Point, point as Id).unwrap());
    assert_eq!(line(0)[1], "rod 1 end A");
    assert_eq!(line(1), ["rod 3 end B", "rod 6 end B"]);
    assert_eq!(line(2), ["rod 8 end A", "rod 9 end A"]);
    assert_eq!(line(3)[0], "rod 9 end A");
    let warning = sim.outputs().warning().unwrap();
    assert!(warning.contains("line 19, \"p\": not needed"), "{warning}");
}

#[test]
fn a_rod_has_the_inertia_of_a_solid_cylinder() {
    let sim = load(RODS).unwrap();
    let (mass, radius) = (500.0, 0.25f64);
    let m = sim.description().body_mass(1).unwrap();
    let at = |i: usize, j: usize| m[i + 6 * j];
    let across = mass * (radius * radius / 4.0 + 25.0 / 3.0);
    close(
        &[at(0, 0), at(3, 3), at(4, 4), at(5, 5), at(4, 0)],
        &[mass, across, across, mass * radius * radius / 2.0, mass * 2.5],
        "about end A",
    );
    let cylinder = sim.given().cylinder_info(find(&sim, EntityKind::Cylinder, "rod 1")).unwrap();
    assert_eq!((cylinder.diameter, cylinder.segments), (0.5, 4));
    assert_eq!(cylinder.coefficients, [0.8, 1.0, 0.7, 0.6]);
}

#[test]
fn a_rod_on_a_body_adds_its_mass_and_inertia() {
    let sim = load(RODS).unwrap();
    let m = sim.description().body_mass(0).unwrap();
    let at = |i: usize, j: usize| m[i + 6 * j];
    // Rod 6 has 300 kg, upright at x = 1 from z = 0 to 3; the body 1000 kg at z = -2.
    let (rod, radius) = (300.0, 0.25f64);
    let across = rod * (radius * radius / 4.0 + 9.0 / 3.0);
    let along = rod * radius * radius / 2.0;
    close(
        &[at(0, 0), at(4, 0), at(5, 1), at(3, 3), at(4, 4), at(5, 5)],
        &[1300.0, -2000.0 + 450.0, rod, 4500.0 + across, 4600.0 + across + rod, 700.0 + along + rod],
        "about the reference point",
    );
}

/// A file of one rod in water, no lines.
fn one(diameter: f64, mass: f64, rod: &str) -> String {
    format!(
        "--- ROD DICTIONARY ---\nTypeName Diam Mass/m Cd Ca CdEnd CaEnd\n(-) (m) (kg/m) (-) (-) (-) (-)\n\
         tube {diameter} {mass} 0 1.0 0 0.6\n\
         --- ROD LIST ---\nID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs RodOutputs\n\
         (-) (-) (-) (m) (m) (m) (m) (m) (m) (-) (-)\n1 tube {rod} -\n--- OPTIONS ---\n1025 rho\n--- END ---\n"
    )
}

#[test]
fn a_free_upright_rod_heaves_in_the_period_of_the_closed_form() {
    let (diameter, length, density, gravity): (f64, f64, f64, f64) = (1.0, 20.0, 1025.0, 9.80665);
    let area = PI * diameter * diameter / 4.0;
    let w = 0.6 * density * area;
    let mut sim = load(one(diameter, w, "Free 0 0 -12.1 0 0 7.9 10")).unwrap();
    sim.initialize(0.0).unwrap();
    let z = |sim: &Simulation| sim.outputs().body_pose(0).unwrap()[2] + 12.0;
    let moved = w * length + density * 0.6 * (2.0 / 3.0) * PI * (0.5 * diameter).powi(3);
    let period = 2.0 * PI * (moved / (density * gravity * area)).sqrt();
    assert!((period - 7.0080864).abs() < 1e-6, "{period}");
    let steps = 1000;
    for _ in 0..steps {
        sim.step(period / f64::from(steps)).unwrap();
    }
    assert!((z(&sim) + 0.1).abs() < 1e-5, "after a period {}", z(&sim));
    for _ in 0..steps / 2 {
        sim.step(period / f64::from(steps)).unwrap();
    }
    assert!((z(&sim) - 0.1).abs() < 1e-5, "after half a period more {}", z(&sim));
}

#[test]
fn a_pinned_rod_floats_at_the_angle_of_the_closed_form() {
    for (length, diameter, s, depth, expected) in
        [(10.0, 0.5, 0.5, 5.0, 44.97313), (10.0, 0.5, 0.7, 6.0, 44.16200), (10.0, 2.0, 0.5, 5.0, 44.56811)]
    {
        let w = s * 1025.0 * PI * diameter * diameter / 4.0;
        let tilt = 40f64.to_radians();
        let [x, z]: [f64; 2] = [length * tilt.sin(), length * tilt.cos() - depth];
        let mut sim = load(one(diameter, w, &format!("Pinned 0 0 {} {x} 0 {z} 10", -depth))).unwrap();
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-10).unwrap();
        let [a, b] = ["A", "B"]
            .map(|end| sim.points().position(find(&sim, EntityKind::Point, &format!("rod 1 end {end}"))).unwrap());
        let angle = ((b[2] - a[2]) / length).acos().to_degrees();
        assert!((angle - expected).abs() < 1e-4, "{angle} {expected}");
    }
}

/// The case of MoorDyn's own test of added mass.
#[test]
fn a_level_rod_rises_with_the_acceleration_of_the_closed_form() {
    let mut sim = load(one(0.5, 100.0, "free 0 -1 -10 0 1.0 -10 4")).unwrap();
    sim.initialize(0.0).unwrap();
    let displaced = 1025.0 * PI * 0.0625;
    let acceleration = 9.80665 * (displaced - 100.0) / (displaced + 100.0);
    for n in 1..=20 {
        sim.step(0.1).unwrap();
        let expected = -10.0 + 0.5 * acceleration * (0.1 * f64::from(n)).powi(2);
        for end in ["A", "B"] {
            let z = sim.points().position(find(&sim, EntityKind::Point, &format!("rod 1 end {end}"))).unwrap()[2];
            assert!((z - expected).abs() < 1e-8, "{n} {end}: {z} {expected}");
        }
    }
}

/// The host moves end A of a rod that hangs in air from it.
#[test]
fn a_coupled_pinned_rod_hangs_from_the_place_of_the_host() {
    let mut sim = load(one(0.5, 100.0, "VesPin 0 0 10 0 0 6 4")).unwrap();
    let support = find(&sim, EntityKind::Body, "rod 1 support");
    let mut place = [0.0, 0.0, 10.0, 1.0, 0.0, 0.0, 0.0];
    sim.inputs().set_body_motion(support, &place, &[0.0; 6], &[0.0; 6]).unwrap();
    sim.initialize(0.0).unwrap();
    let reaction = sim.outputs().body_reaction(support, Frame::Inertial).unwrap();
    close(&reaction, &[0.0, 0.0, 400.0 * 9.80665, 0.0, 0.0, 0.0], "weight");
    place[0] = 1e-3;
    sim.inputs().set_body_motion(support, &place, &[0.2, 0.0, 0.0, 0.0, 0.0, 0.0], &[0.0; 6]).unwrap();
    sim.step(0.01).unwrap();
    let [a, b] = ["A", "B"].map(|end| find(&sim, EntityKind::Point, &format!("rod 1 end {end}")));
    let [a, b] = [a, b].map(|point| sim.points().position(point).unwrap());
    assert!((a[0] - 1e-3).abs() < 1e-9 && b[0] < 5e-4, "end A is moved, end B lags: {a:?} {b:?}");
}

#[test]
fn lines_pull_at_the_ends_of_rods() {
    // A buoyant rod that a line holds by its end A, upright.
    let lines = "--- POINTS ---\nID Type X Y Z Mass Volume CdA Ca\n(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)\n\
        1 Fixed 0 0 -50 0 0 0 0\n--- LINES ---\nID LineType AttachA AttachB UnstrLen NumSegs Outputs\n\
        (-) (-) (-) (-) (m) (-) (-)\n1 rope 1 R1A 30 10 -\n";
    let one = one(0.5, 100.0, "Free 0 0 -19 0 0 -15 10");
    let types = RODS.split("--- ROD").next().unwrap();
    let mut sim = load(format!("{types}{lines}{one}")).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-10).unwrap();
    let lift = 9.80665 * 4.0 * (1025.0 * PI * 0.0625 - 100.0);
    let force = sim.lines().end_force(0, 1).unwrap();
    assert!((force[2] + lift).abs() < 1e-6 * lift && force[0].abs() < 1e-6 * lift, "{force:?} {lift}");
    for _ in 0..5 {
        sim.step(0.05).unwrap();
    }
}

#[test]
fn channels_are_those_of_the_ends_and_of_the_body() {
    const NAMES: [&str; 11] = [
        "Rod3PX", "R3NAPZ", "Rod3NBPX", "R3N0PY", "Rod3N4VX", "Rod3AX", "Rod3TenB", "Rod6PY", "Rod6RVZ", "Rod9PZ",
        "Rod9TenA",
    ];
    let outputs = format!("--- OUTPUTS ---\n{}\nEND\n--- need", NAMES.join("\n"));
    let mut sim = load(RODS.replace("--- need", &outputs)).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
    sim.channels().values(&mut values).unwrap();
    let point = |name| find(&sim, EntityKind::Point, name);
    let [a, b, c, d] = ["rod 3 end A", "rod 3 end B", "rod 6 end A", "rod 9 end A"].map(point);
    let at = |id| sim.points().position(id).unwrap();
    let force = |line, end| sim.lines().end_force(line, end).unwrap();
    let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let ([p, q], r) = ([force(2, 1), force(3, 0)], sim.outputs().body_velocity(0, Frame::Inertial).unwrap());
    let expected = [
        at(a)[0],
        at(a)[2],
        at(b)[0],
        at(a)[1],
        sim.points().velocity(b).unwrap()[0],
        sim.points().acceleration(a).unwrap()[0],
        norm(force(1, 0)),
        at(c)[1],
        r[5].to_degrees(),
        at(d)[2],
        norm([p[0] + q[0], p[1] + q[1], p[2] + q[2]]),
    ];
    close(&values[values.len() - 11..], &expected, "channels");
}

#[test]
fn channels_that_rods_do_not_have_are_refused() {
    let mut sim = load(RODS).unwrap();
    for name in ["Rod10PX", "Rod1", "Rod1NPX", "Rod1PQ"] {
        assert!(sim.settings().add_moordyn_channel(name).is_err(), "{name}");
    }
    for name in ["Rod1N2PX", "Rod1RX", "Rod1FX", "Rod1MX", "Rod1Sub", "Rod2RVX", "Rod1Ten"] {
        let refused = sim.settings().add_moordyn_channel(name);
        assert!(matches!(refused, Err(Error::Unsupported { argument: "name", .. })), "{name}: {refused:?}");
    }
}

#[test]
fn rods_go_round_as_toml() {
    let folder = Folder::new().with("lines.txt", RODS);
    let path = folder.0.join("model.toml");
    folder.load().unwrap().save_model(&path).unwrap();
    let written = std::fs::read_to_string(&path).unwrap();
    Simulation::load_model(&path).unwrap().save_model(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
}

#[test]
fn lines_that_bend_are_clamped_to_rods_and_joined_by_rods_without_length() {
    let sim = load(["1 rope", "2 rope", "3 rope", "4 rope"].iter().fold(RODS.to_owned(), |text, row| {
        assert!(text.contains(row));
        text.replace(row, &row.replace("rope", "cable"))
    }))
    .unwrap();
    let body = |name| find(&sim, EntityKind::Body, name);
    let clamp = |line, end| sim.lines().clamp(line, end).unwrap();
    // Away from the rod: against its axis at end A, which is the z axis of its own body.
    assert_eq!(clamp(0, 1), Some((body("rod 1"), [0.0, 0.0, -1.0])));
    assert_eq!(clamp(1, 0), Some((body("rod 3"), [0.0, 0.0, 1.0])));
    // In the axes of the file's body, and of the ground.
    assert_eq!(clamp(1, 1), Some((0, [0.0, 0.0, 1.0])));
    assert_eq!(clamp(2, 0), Some((GROUND, [0.0, 0.0, -1.0])));
    // A free rod without length.
    assert_eq!((clamp(2, 1), sim.lines().joint(2, 1).unwrap()), (None, Some((3, 0))));
    // Points are hinges.
    assert_eq!((clamp(0, 0), clamp(3, 1), sim.lines().joint(3, 1).unwrap()), (None, None, None));
    // Without bending stiffness rods are hinges, too.
    let limp = load(RODS).unwrap();
    assert!((0..4).all(|line| (0..2).all(|end| limp.lines().clamp(line, end).unwrap().is_none())));
}

/// Changes one place of the text, and expects an error.
fn refused(from: &str, to: &str, line: usize, word: &str, says: &str) -> Error {
    assert!(RODS.contains(from), "{from}");
    let error = load(RODS.replacen(from, to, 1)).err().unwrap_or_else(|| panic!("{from} -> {to}: accepted"));
    let message = error.to_string();
    assert!(message.contains(&format!("lines.txt\" line {line}, \"{word}\": ")), "{from} -> {to}: {message}");
    assert!(message.contains(says), "{from} -> {to}: {message}");
    error
}

#[test]
fn refusals_name_file_line_and_word() {
    let format = |from: &str, to: &str, line, word: &str, says: &str| {
        let error = refused(from, to, line, word, says);
        assert!(matches!(error, Error::Format { .. }), "{error}");
    };
    format("tube 0.5 100 0.8 1.0 0.7 0.6", "tube 0.5 100 0.8 1.0 0.7", 9, "tube", "CaEnd is missing");
    format("tube 0.5 100 0.8 1.0 0.7 0.6", "tube 0.5 100 0.8 1.0 0.7 0.6 3", 9, "3", "the table has 7 columns");
    format("tube 0.5 100", "tube 0.5 heavy", 9, "heavy", "Mass/m: expected a number");
    format("tube 0.5 100", "tube 0.5 -100", 9, "-100", "Mass/m: expected 0 or more");
    format("tube 0.5 100", "tube 1 1 1 1 1 1\ntube 0.5 100", 10, "tube", "a rod type needs a name of its own");
    format("1 tube Free", "2 tube Free", 17, "2", "expected the number 1");
    format("1 tube Free", "1 pole Free", 17, "pole", "no rod type of this name");
    format("1 tube Free", "1 tube Loose", 17, "Loose", "expected Free, Fixed, Pinned");
    format("6 tube Body1 ", "6 tube Body3 ", 22, "Body3", "no such body: the file has 1");
    format("6 tube Body1 ", "6 tube Bodyx ", 22, "Bodyx", "expected Body1 or Body1Pinned");
    format("6 tube Body1 ", "6 tube Body ", 22, "Body", "expected the number of a body");
    format("3 0 -1   4 -", "3 0 -1   4.5 -", 17, "4.5", "NumSegs: expected an integer");
    format("3 0 -1   4 -", "0 0 -5   4 -", 17, "0", "ends A and B are at the same place");
    format("3 0 -1   4 -", "3 0 -1", 17, "1", "NumSegs is missing");
    format("3 0 -1   4 -", "3 0 -1 4 - 5", 17, "5", "the table has 11 columns");
    format("1 R1A", "1 R1", 33, "R1", "expected an end of a rod, such as R1A or R1B");
    format("1 R1A", "1 R12A", 33, "R12A", "no such rod: the file has 9");
    let unsupported = |from: &str, to: &str, line, word: &str, says: &str| {
        let error = refused(from, to, line, word, says);
        assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    };
    let twice = "4 cable R9A 1 50 10 -\n5 cable R9A 1 50 10 -";
    unsupported("4 rope R9A 1 50 10 -", twice, 37, "R9A", "another line with bending stiffness is there");
    unsupported("1 tube Free", "1 tube Turbine1", 17, "Turbine1", "FAST.Farm");
    let in_file = |from: &str, to: &str, line, word: &str, says: &str| {
        let error = refused(from, to, line, word, says);
        assert!(matches!(error, Error::InFile { .. }), "{error}");
    };
    in_file("tube 0.5 100", "tube 0 100", 9, "0", "diameter: 0 is not above 0");
    in_file("tube 0.5 100 0.8", "tube 0.5 100 -0.8", 9, "-0.8", "cd: -0.8 is negative");
    in_file("3 0 -1   4 -", "3 0 -1   -4 -", 17, "-4", "segments: -4 is not from 1 to 1000");
}
