//! Systems from files run: a mooring line hangs as a catenary, both versions of a file give the
//! same bits, and a body on moorings floats where it should.

use crate::moordyn::{Folder, load};
use pintle::Simulation;
use pintle::model::LineType;

/// A line from an anchor on the bed to a fairlead that the host moves, in either version.
fn catenary(version: u32, segments: usize) -> String {
    let (types, points, lines) = match version {
        1 => (
            "LINE DICTIONARY ---\nLineType Diam MassDen EA BA/-zeta Can Cat Cdn Cdt\n(-) (m) (kg/m) (N) (-) (-) (-) (-) (-)\n\
             main 0.09 77.7066 384.243E6 -0.8 1.0 0.0 1.6 0.1",
            "NODE PROPERTIES ---\nNode Type X Y Z M V FX FY FZ CdA CA\n(-) (-) (m) (m) (m) (kg) (m^3) (N) (N) (N) (m^2) (-)\n\
             1 Fix 853.87 0 -320.0 0 0 0 0 0 0 0\n2 Vessel 5.2 0 -70.0 0 0 0 0 0 0 0",
            format!(
                "UnstrLen NumSegs NodeAnch NodeFair Outputs\n(-) (-) (m) (-) (-) (-) (-)\n1 main 902.2 {segments} 1 2 -"
            ),
        ),
        _ => (
            "LINE TYPES ---\nTypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\n(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)\n\
             main 0.09 77.7066 384.243E6 -0.8 0 1.6 1.0 0.1 0.0",
            "POINTS ---\nID Type X Y Z Mass Volume CdA Ca\n(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)\n\
             1 Fixed 853.87 0 -320.0 0 0 0 0\n2 Coupled 5.2 0 -70.0 0 0 0 0",
            format!(
                "AttachA AttachB UnstrLen NumSegs Outputs\n(-) (-) (-) (-) (m) (-) (-)\n1 main 1 2 902.2 {segments} -"
            ),
        ),
    };
    format!(
        "--- {types}\n--- {points}\n--- LINE PROPERTIES ---\nLine LineType {lines}\n--- OPTIONS ---\n320 WtrDpth\n1025 rho\n\
         --- OUTPUTS ---\nFairTen1\nAnchTen1\n--- need this line ---\n"
    )
}

/// Horizontal force and upward force that an elastic catenary partly on the bed takes at its upper
/// end, by bisection over the horizontal one.
fn forces(span: f64, height: f64, length: f64, weight: f64, ea: f64) -> [f64; 2] {
    // From the height: weight (V) of what hangs.
    let vertical = |h: f64| {
        let rise = |v: f64| h / weight * ((1.0 + (v / h).powi(2)).sqrt() - 1.0) + v * v / (2.0 * ea * weight);
        bisection(|v| rise(v) - height, 0.0, weight * length)
    };
    let reach = |h: f64| {
        let v = vertical(h);
        length - v / weight + h / weight * (v / h).asinh() + h * length / ea
    };
    let h = bisection(|h| reach(h) - span, 1.0, 1e7);
    [h, vertical(h)]
}

/// The zero of a rising function.
fn bisection(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        *(if f(middle) < 0.0 { &mut low } else { &mut high }) = middle;
    }
    0.5 * (low + high)
}

#[test]
fn a_line_of_a_file_hangs_as_a_catenary() {
    let weight = (77.7066 - 1025.0 * std::f64::consts::PI / 4.0 * 0.09 * 0.09) * 9.80665;
    let [h, v] = forces(853.87 - 5.2, 250.0, 902.2, weight, 384.243e6);
    let tension = h.hypot(v);
    let mut errors = Vec::new();
    for segments in [20, 80] {
        let mut sim = load(catenary(2, segments)).unwrap();
        sim.initialize(0.0).unwrap();
        let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
        sim.channels().values(&mut values).unwrap();
        let [fair, anchor] = values[values.len() - 2..] else { unreachable!() };
        errors.push((fair / tension - 1.0).abs());
        // nothing rubs on the bed: the horizontal force is that everywhere; of the anchor's half
        // segment the bed carries the weight
        assert!((anchor / h - 1.0).abs() < 0.01, "{anchor} {h}");
        let force = sim.lines().end_force(0, 1).unwrap();
        assert!(force[0] > 0.0 && force[2] < 0.0, "towards the anchor and down: {force:?}");
    }
    // the end force of lumped masses converges by about the square of the length of segments, less
    // where a node touches down
    assert!(errors[0] < 3e-3 && errors[1] < 0.25 * errors[0], "{errors:?} of {tension}");
}

#[test]
fn both_versions_give_the_same_bits() {
    let run = |version| {
        let mut sim = load(catenary(version, 20)).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 1..=20 {
            let t = 0.1 * f64::from(n);
            sim.inputs()
                .set_point_motion(1, &[5.2 + 0.5 * t * t, 0.0, -70.0], &[t, 0.0, 0.0], &[1.0, 0.0, 0.0])
                .unwrap();
            sim.step(0.1).unwrap();
        }
        let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
        sim.channels().values(&mut values).unwrap();
        values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(2));
}

/// A buoy of 3.5 m^3 that its line holds down.
const BUOY: &str = "\
--- LINE TYPES ---
TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)
rope 0.05 2.0126 1e7 -0.8 0 1.2 1.0 0.1 0.0
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(-) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Free 0 0 -19 0 0 0 1000 0.5 800 3.5 3 0.5
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 0 0 -50 0 0 0 0
2 Body1 0 0 -1 30 0.01 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(-) (-) (-) (-) (m) (-) (-)
1 rope 1 2 30 10 -
--- OPTIONS ---
60 WtrDpth
1025 rho
9.81 g
--- need this line ---
";

#[test]
fn a_buoy_pulls_at_its_line_with_its_buoyancy() {
    let mut sim = load(BUOY).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-10).unwrap();
    let lift = 9.81 * (1025.0 * 3.51 - 1030.0);
    let force = sim.lines().end_force(0, 1).unwrap();
    assert!((force[2] + lift).abs() < 1e-6 * lift && force[0].abs() < 1e-6 * lift, "{force:?} {lift}");
    // the rope weighs next to nothing in water: its stretch is that of one force
    let length = 30.0 * (1.0 + lift / 1e7);
    let z = sim.outputs().body_pose(0).unwrap()[2];
    assert!((z - (length - 49.0)).abs() < 1e-4, "{z} {length}");
}

#[test]
fn restored_into_a_fresh_system_of_the_file_it_goes_on_bit_by_bit() {
    let fresh = || -> Simulation {
        let mut sim = load(BUOY).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let mut one = fresh();
    (0..5).for_each(|_| one.step(0.05).unwrap());
    let saved = one.save().unwrap();
    let mut other = fresh();
    other.restore(&saved).unwrap();
    for sim in [&mut one, &mut other] {
        (0..5).for_each(|_| sim.step(0.05).unwrap());
    }
    let bits = |sim: &Simulation| {
        let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
        sim.channels().values(&mut values).unwrap();
        values.into_iter().map(f64::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(&one), bits(&other));
}

/// Two lines from one anchor to points apart break off together, one alone; the row without time
/// and tension does nothing.
#[test]
fn failures_of_a_file_break_lines() {
    let text = catenary(2, 8)
        .replace("2 Coupled 5.2 0 -70.0 0 0 0 0", "2 Coupled 5.2 0 -70.0 0 0 0 0\n3 Coupled 5.2 50 -70.0 0 0 0 0")
        .replace("1 main 1 2 902.2 8 -", "1 main 1 2 902.2 8 -\n2 main 1 3 902.2 8 -\n3 main 1 3 902.2 8 -");
    let failures = "--- FAILURE ---\nID Point Lines FailTime FailTen\n() () (,) (s or 0) (N or 0)\n\
                    1 P1 1,3 0.15 0\n2 3 2 0 1e5\n3 1 2 0 0\n--- OPTIONS ---";
    let mut sim = load(text.replace("--- OPTIONS ---", failures)).unwrap();
    let failed = |sim: &Simulation| [0, 1, 2].map(|line| sim.lines().released(line).unwrap());
    assert!(sim.outputs().warning().unwrap_or_default().contains("a failure without time and tension does not happen"));
    sim.initialize(0.0).unwrap();
    assert_eq!(failed(&sim), [[false; 2]; 3]);
    // The tension of 900 kN is above the limit from the start.
    sim.step(0.1).unwrap();
    assert_eq!(failed(&sim), [[false, false], [false, true], [false, false]]);
    sim.step(0.1).unwrap();
    assert_eq!(failed(&sim), [[true, false], [false, true], [true, false]]);
    let joint = sim.description().find(pintle::EntityKind::Point, "failure 1").unwrap();
    (0..20).for_each(|_| sim.step(0.1).unwrap());
    let at = sim.points().position(joint).unwrap();
    for line in [0, 2] {
        let mut nodes = vec![[0.0; 3]; 9];
        sim.lines().positions(line, &mut nodes).unwrap();
        assert_eq!(nodes[0], at);
    }
    assert!(853.87 - at[0] > 1.0, "they are pulled towards the fairleads: {at:?}");
    for (row, says) in [
        ("1 P1 4 1 0", "\"4\": no such line: the file has 3"),
        ("1 P2 2 1 0", "\"2\": no end of this line is there"),
        ("1 P9 2 1 0", "\"P9\": no such point"),
        ("1 P1 1 1", "FailTen is missing"),
        ("1 P1 1", "FailTime is missing"),
        ("1 P1 1,1 1 0", "has a failure already"),
        ("1 P1 1 -1 0", "-1 is negative"),
    ] {
        let failures =
            format!("--- FAILURE ---\nID Point Lines FailTime FailTen\n() () (,) (s) (N)\n{row}\n--- OPTIONS ---");
        let error = load(text.replace("--- OPTIONS ---", &failures)).err().expect(row).to_string();
        assert!(error.contains(says), "{row}: {error}");
    }
}

/// A file with a current over time, or in space and time, is the model that the API makes, bit by
/// bit.
#[test]
fn currents_of_a_file_are_those_of_the_api() {
    let text = "--- LINE TYPES ---\nTypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\n(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)\n\
        main 0.02 1.5 7.5e6 -0.5 0 2.4 1.0 0.1 0.0\n--- POINTS ---\nID Type X Y Z Mass Volume CdA Ca\n\
        (-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)\n1 Fixed 18 5 -10 0 0 0 0\n2 Free 18 5 -40 9 0.003 0.1 0.5\n\
        --- LINES ---\nID LineType AttachA AttachB UnstrLen NumSegs Outputs\n(-) (-) (-) (-) (m) (-) (-)\n1 main 1 2 30 15 -\n\
        --- OPTIONS ---\n400 WtrDpth\n";
    let dynamic = "a\nb\nc\nd\n-41 -12 0\n\n0 0 0 0\n1.5 0.3 0.7 1.0 0.1 0.2 0.3\n4 0 0.5 0.2 0 0 0\n";
    let spatial = "2 1 2 2\n-40 60\n5\n-41 0\n0.5 3\n\
        -40 5 -41 0.5 0 0 0\n60 5 -41 0.5 0.5 0 0.25\n-40 5 0 0.5 1 0 0\n60 5 0 0.5 1 1 0\n\
        -40 5 -41 3 0 0 0\n60 5 -41 3 0 -0.5 0.25\n-40 5 0 3 1 0 0\n60 5 0 3 2 1 0\n";
    let over_time = [
        (0.0, [[0.0; 2]; 3]),
        (1.5, [[1.0, 0.3], [0.7, 0.2], [0.3, 0.1]]),
        (4.0, [[0.2, 0.0], [0.5, 0.0], [0.0, 0.0]]),
    ];
    let over_time: Vec<[f64; 7]> = over_time
        .into_iter()
        .flat_map(|(t, rows)| [0, 1, 2].map(|k| [0.0, 0.0, [0.0, 12.0, 41.0][k], t, rows[k][0], rows[k][1], 0.0]))
        .collect();
    let in_space = vec![
        [-40.0, 5.0, 0.0, 0.5, 1.0, 0.0, 0.0],
        [60.0, 5.0, 0.0, 0.5, 1.0, 1.0, 0.0],
        [-40.0, 5.0, 41.0, 0.5, 0.0, 0.0, 0.0],
        [60.0, 5.0, 41.0, 0.5, 0.5, 0.0, 0.25],
        [-40.0, 5.0, 0.0, 3.0, 1.0, 0.0, 0.0],
        [60.0, 5.0, 0.0, 3.0, 2.0, 1.0, 0.0],
        [-40.0, 5.0, 41.0, 3.0, 0.0, 0.0, 0.0],
        [60.0, 5.0, 41.0, 3.0, 0.0, -0.5, 0.25],
    ];
    let run = |mut sim: Simulation| {
        sim.initialize(0.0).unwrap();
        let start = sim.points().position(1).unwrap();
        (0..60).for_each(|k| sim.step([0.1, 0.05, 0.025][k % 3]).unwrap());
        let mut nodes = vec![[0.0; 3]; 16];
        sim.lines().positions(0, &mut nodes).unwrap();
        assert!((nodes[15][0] - start[0]).abs() > 0.05, "the current moves it: {nodes:?}");
        nodes.into_iter().flatten().map(f64::to_bits).collect::<Vec<u64>>()
    };
    for (option, name, content, points) in [
        ("2 Currents", "current_profile_dynamic.txt", dynamic, over_time),
        ("5 Currents", "current_profile_4d.txt", spatial, in_space),
    ] {
        let folder = Folder::new().with("lines.txt", format!("{text}{option}\n--- end\n")).with(name, content);
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -9.80665]).unwrap();
        sim.settings().set_environment("water_density", 1025.0).unwrap();
        sim.settings().set_environment("depth", 400.0).unwrap();
        sim.settings().set_current_grid(&points).unwrap();
        let top = sim.build().add_point(0.0, 0.0, &[18.0, 5.0, -10.0]).unwrap();
        sim.build().fix_point(top).unwrap();
        let weight = sim.build().add_point(9.0, 0.003, &[18.0, 5.0, -40.0]).unwrap();
        sim.build().set_point_drag(weight, 0.1, 0.5).unwrap();
        let [diameter, mass_per_length, ea, ba] = [0.02, 1.5, 7.5e6, -0.5];
        let given = LineType { diameter, mass_per_length, ea, ba, cdn: 2.4, can: 1.0, cdt: 0.1, ..LineType::default() };
        let line_type = sim.elements().add_line_type(given).unwrap();
        sim.elements().add_line(line_type, top, weight, 30.0, 15).unwrap();
        assert_eq!(run(folder.load().unwrap()), run(sim), "{option}");
    }
}
