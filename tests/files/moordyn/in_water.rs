//! Bodies and points on bodies of files in currents and waves; external loads.

use crate::moordyn::rods::RODS;
use crate::moordyn::{Folder, V2, load};
use pintle::{BodiesInWater, EntityKind, Frame, Simulation};

const FILE: &str = "\
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(-) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Free 0 0 -19 10 -20 30 1025 0 800 1 3 0.5
2 Coupled 5 0 -19 0 0 90 0 0 0 0 0 0
--- POINTS ---
ID Type X Y Z Mass Volume CdA Ca
(-) (-) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Body2 2 0 -1 0 0 0.4 0
2 Free 50 0 -10 100 0 0 0
--- OPTIONS ---
60 WtrDpth
1025 rho
--- need this line ---
";

fn in_current(text: &str) -> Simulation {
    let text = text.replace("1025 rho", "1025 rho\n1 Currents");
    let folder = Folder::new().with("lines.txt", text).with("current_profile.txt", "-60 0.6 0.8 0\n0 0.6 0.8 0\n");
    let mut sim = folder.load().unwrap();
    sim.settings().set_option("abs_tolerance", 1e-10).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// A body of the density of water takes the speed of the current, U t/(t + T) with T = (m + rho V
/// Ca)/(rho CdA U/2), however it is turned: drag is by the speed, as in MoorDyn.
#[test]
fn a_body_with_drag_is_carried_along() {
    let mut sim = in_current(FILE);
    assert_eq!(BodiesInWater::of(&sim).part(0).unwrap().map(|part| part.volume), Some(1.0));
    assert!(BodiesInWater::of(&sim).part(1).unwrap().is_none());
    (0..200).for_each(|_| sim.step(0.01).unwrap());
    let period = 1025.0 * 1.5 / (0.5 * 1025.0 * 3.0);
    let v = sim.outputs().body_velocity(0, Frame::Inertial).unwrap();
    for (v, u) in v.into_iter().zip([0.6, 0.8, 0.0]) {
        // (h/T)^2/12 of the step.
        assert!((v - u * 2.0 / (2.0 + period)).abs() < 1e-5, "{v} {u}");
    }
}

/// A coupled body that holds a point with drag in a current feels rho CdA/2 U^2 there: turned by 90
/// degrees, the point is at (0, 2, -1) from its reference point.
#[test]
fn drag_of_points_on_bodies_acts_there() {
    let sim = in_current(FILE);
    let reaction = sim.outputs().body_reaction(1, Frame::Inertial).unwrap();
    let size = 0.5 * 1025.0 * 0.4;
    let ([fx, fy], [y, z]) = ([0.6 * size, 0.8 * size], [2.0, -1.0]);
    let expected = [fx, fy, 0.0, -z * fy, z * fx, -y * fx];
    assert!(reaction.iter().zip(expected).all(|(r, f)| (r + f).abs() < 1e-9 * size), "{reaction:?} {expected:?}");
}

fn with_loads(text: &str, rows: &str) -> String {
    let section = format!(
        "--- EXTERNAL LOADS ---\nID Object Fext Blin Bquad CSys\n(#) (-) (N) (N-s/m) (N-s^2/m^2) (-)\n{rows}\n"
    );
    text.replacen("--- OPTIONS", &format!("{section}--- OPTIONS"), 1)
}

fn diagonal(matrix: &[f64; 36]) -> [f64; 6] {
    std::array::from_fn(|k| matrix[7 * k])
}

/// Forces become loads on markers and points, damping coefficients of the body; rows on one body
/// add up.
#[test]
fn external_loads_become_loads_and_coefficients() {
    let text = FILE.replace("800 1 3 0.5", "800 1 0 0.5");
    let rows = "1 Body1 10|20|30 5|6|7 1|2|3 L\n2 Body1 -1|-2|-3 4 0 G\n3 P2 3|0|-2 0 0 -\n4 Point2 1|1|1 0 0 G\n5 body2 0 2 0 G";
    let sim = load(with_loads(&text, rows)).unwrap();
    let description = sim.description();
    let marker = |name: &str| description.find(EntityKind::Marker, name).unwrap();
    for (name, frame, force) in
        [("external load 1", Frame::Body, [10.0, 20.0, 30.0]), ("external load 2", Frame::Inertial, [-1.0, -2.0, -3.0])]
    {
        let (body, at) = description.marker_info(marker(name)).unwrap();
        assert_eq!((body, &at[..3], sim.given().marker_load_frame(marker(name)).unwrap()), (0, &[0.0; 3][..], frame));
        assert_eq!(sim.given().marker_load(marker(name), frame).unwrap()[..3], force);
    }
    let (linear, frame) = description.linear_damping(0).unwrap();
    assert_eq!((diagonal(&linear), frame), ([9.0, 10.0, 11.0, 0.0, 0.0, 0.0], Frame::Body));
    let (quadratic, frame) = description.quadratic_drag(0).unwrap();
    assert_eq!((diagonal(&quadratic), frame), ([1.0, 2.0, 3.0, 0.0, 0.0, 0.0], Frame::Body));
    assert_eq!(diagonal(&description.linear_damping(1).unwrap().0), [2.0, 2.0, 2.0, 0.0, 0.0, 0.0]);
    assert_eq!(sim.given().point_load(1).unwrap(), [4.0, 1.0, -1.0]);
    assert!(BodiesInWater::of(&sim).part(0).unwrap().is_none());
    assert!(
        sim.outputs().warning().unwrap().contains("line 17, \"G\": not needed"),
        "{}",
        sim.outputs().warning().unwrap()
    );
}

/// Damping of a rod takes the power of b v^2 at all places along it; a free rod has it itself, one
/// on a body the body.
#[test]
fn damping_of_rods_is_even_along_them() {
    let rows = "1 R1 5|6|7 30|12 0 -\n2 Rod6 0 40|8 0 -\n3 Rod2 1|2|3 9 0 -";
    let sim = load(with_loads(RODS, rows)).unwrap();
    let description = sim.description();
    let body = description.find(EntityKind::Body, "rod 1").unwrap();
    // Body of rod, length, the end A in its axes; its z axis is along the rod.
    for (body, length, from, [across, along]) in
        [(body, 5.0, [0.0; 3], [30.0, 12.0]), (0, 3.0, [1.0, 0.0, 0.0], [40.0, 8.0])]
    {
        let (matrix, frame) = description.linear_damping(body).unwrap();
        assert_eq!(frame, Frame::Body);
        let twist = [0.3, -0.7, 0.5, 0.2, 0.9, -0.4];
        let [v, w] = [&twist[..3], &twist[3..]];
        let n = 2000;
        let power = |k: usize| {
            let r = [from[0], from[1], from[2] + length * (k as f64 + 0.5) / f64::from(n)];
            let at =
                [v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2], v[2] + w[0] * r[1] - w[1] * r[0]];
            (across * (at[0] * at[0] + at[1] * at[1]) + along * at[2] * at[2]) / f64::from(n)
        };
        let sum: f64 = (0..n as usize).map(power).sum();
        let of_matrix: f64 = (0..36).map(|k| twist[k % 6] * matrix[k] * twist[k / 6]).sum();
        // The rule of midpoints with 2000 of them.
        assert!((of_matrix / sum - 1.0).abs() < 1e-6, "{of_matrix} {sum}");
    }
    let end = description.find(EntityKind::Point, "rod 1 end A").unwrap();
    assert_eq!(sim.given().point_load(end).unwrap(), [5.0, 6.0, 7.0]);
}

#[test]
fn external_loads_that_cannot_be_taken_are_named() {
    for (text, rows, word, says) in [
        (FILE, "1 Body9 0 0 0 G", "Body9", "no such body: the file has 2"),
        (FILE, "1 Line1 0 0 0 G", "Line1", "expected a body, a point or a rod"),
        (FILE, "1 Body1 5 0 0 G", "5", "Fext: expected 0 or 3 numbers"),
        (FILE, "1 Body1 0 1|2 0 G", "1|2", "Blin: expected 1 or 3 numbers"),
        (FILE, "1 Body1 0 0 -1 G", "-1", "Bquad: expected 0 or more"),
        (FILE, "1 Body1 0 0 0 -", "-", "CSys: expected G or L"),
        (FILE, "1 Body1 0 0 0", "1", "CSys is missing"),
        (FILE, "2 Body1 0 0 0 G", "2", "expected the number 1"),
        (FILE, "1 Body1 0 0 1 L", "1", "drag in water (CdA)"),
        (FILE, "1 P2 0 1 0 -", "1", "damping of points"),
        (FILE, "1 P2 0 0 1 -", "1", "damping of points"),
        (FILE, "1 Body2 0 1|2|3 0 G\n2 Body2 0 1|2|3 0 L", "1|2|3", "in the axes of the body and in global ones"),
        (FILE, "1 Body2 0 0 1 G\n2 Body2 0 0 1 L", "1", "in its axes and in global ones"),
        (RODS, "1 R1 0 0 1 -", "1", "quadratic damping of rods"),
        (RODS, "1 R1 0 1|2|3 0 -", "1|2|3", "expected 1 or 2 numbers"),
        (RODS, "1 R9 0 1 0 -", "1", "rods without length"),
        (RODS, "1 R77 0 1 0 -", "R77", "no such rod: the file has 9"),
    ] {
        let error = load(with_loads(text, rows)).err().unwrap_or_else(|| panic!("{rows}")).to_string();
        assert!(error.contains(&format!("\"{word}\": ")) && error.contains(says), "{rows}: {error}");
    }
    load(with_loads(V2, "1 Body2 0 3 0 L")).unwrap();
}
