//! The pictures of docs/theory.md: frames of a body, every joint kind, markers and force elements.

#[path = "drawing.rs"]
mod drawing;

use drawing::{AXES, Axes, Point, Sheet, along, turned};

/// File name in docs/pictures, and text.
pub fn all() -> [(&'static str, String); 3] {
    [("frames.svg", frames()), ("joints.svg", joints()), ("forces.svg", forces())]
}

/// A body seen as a smooth shape about a point of the sheet.
fn body(sheet: &mut Sheet, centre: Point, [width, height]: [f64; 2]) {
    let outline: Vec<Point> = (0..60)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(k) / 60.0;
            let dent = 1.0 + 0.07 * (3.0 * angle + 0.6).sin();
            // In the plane of the sheet: y and z, with the slope of y taken back.
            let across = width * angle.cos() * dent;
            along(along(centre, AXES[1], across / 0.90), AXES[2], height * angle.sin() * dent + 0.20 * across / 0.90)
        })
        .collect();
    sheet.area("body", &outline);
}

fn frames() -> String {
    let mut sheet = Sheet::new(630, 300, "Frames: inertial, of a body, of a marker");
    sheet.origin = [90.0, 235.0];
    let ground = [0.0; 3];
    let reference = [30.0, 270.0, 130.0];
    let centre = along(along(reference, AXES[1], 78.0), AXES[2], 42.0);
    let marker = along(along(reference, AXES[1], 118.0), AXES[2], -34.0);
    let axes = turned(&turned(&AXES, 0, 14.0), 2, 28.0);
    body(&mut sheet, along(along(reference, AXES[1], 70.0), AXES[2], 12.0), [150.0, 88.0]);
    sheet.frame("i", ground, &AXES, 62.0, "");
    sheet.label("title", ground, [-30.0, -12.0], "I");
    sheet.arrow("vector", ground, reference);
    sheet.label("vector", [15.0, 135.0, 65.0], [-18.0, -10.0], "x");
    sheet.frame("b", reference, &axes, 52.0, "B");
    sheet.label("small", reference, [-104.0, -6.0], "reference point");
    sheet.arrow("vector", reference, centre);
    sheet.label("vector", centre, [-44.0, 12.0], "η");
    sheet.dot("ink", centre, 6.0);
    sheet.dot("vector", centre, 2.6);
    sheet.label("small", centre, [-12.0, -13.0], "centre of mass");
    sheet.dashed("vector", reference, marker);
    sheet.label("vector", marker, [-38.0, -10.0], "s");
    sheet.frame("a", marker, &turned(&axes, 2, 40.0), 34.0, "");
    sheet.label("small", marker, [40.0, 16.0], "frame of a marker or a joint,");
    sheet.label("small", marker, [40.0, 29.0], "given in B");
    sheet.text("small", [24.0, 24.0], "R turns the axes of I into those of B: a vector with");
    sheet.text("small", [24.0, 38.0], "components p in B has the components R p in I.");
    sheet.finish()
}

/// A cell for each kind; in each frame a (of body a), frame b (of body b), and what is free.
fn joints() -> String {
    type Draw = fn(&mut Sheet);
    const CELL: [f64; 2] = [248.0, 226.0];
    let kinds: [(&str, &str, Draw); 12] = [
        ("FIXED", "nothing is free", fixed),
        ("SPHERICAL", "all rotations", spherical),
        ("REVOLUTE", "θ about the common z", revolute),
        ("PRISMATIC", "h along the common z", prismatic),
        ("CYLINDRICAL", "θ about and h along the common z", cylindrical),
        ("UNIVERSAL", "about x of a and y of b, perpendicular", universal),
        ("PLANAR", "in the xy plane of a, and about z", planar),
        ("SCREW", "h = p θ / 2π along and about z", screw),
        ("DISTANCE", "all but the distance L", distance),
        ("POINT_ON_LINE", "h along z of a, all rotations", point_on_line),
        ("POINT_ON_PLANE", "in the xy plane of a, all rotations", point_on_plane),
        ("ROLLING", "rotations about the point where they touch", rolling),
    ];
    let mut sheet =
        Sheet::new(3 * CELL[0] as u32, 4 * CELL[1] as u32, "Joints: frames a and b, and the motions that are free");
    for (k, (name, free, draw)) in kinds.into_iter().enumerate() {
        let [left, top] = [(k % 3) as f64 * CELL[0], (k / 3) as f64 * CELL[1]];
        sheet.text("title", [left + 16.0, top + 22.0], name);
        sheet.text("small", [left + 16.0, top + 37.0], free);
        sheet.origin = [left + 112.0, top + 158.0];
        draw(&mut sheet);
    }
    sheet.finish()
}

const LENGTH: f64 = 50.0;

/// The angle of the coordinate, from x of a to x of b.
fn theta(sheet: &mut Sheet, centre: Point, radius: f64, angle: f64) {
    sheet.arc("free", centre, [AXES[0], AXES[1]], radius, [0.0, angle]);
    let half = (0.5 * angle).to_radians();
    let at = along(along(centre, AXES[0], radius * half.cos()), AXES[1], radius * half.sin());
    sheet.label("free", at, [-4.0, 14.0], "θ");
}

fn fixed(sheet: &mut Sheet) {
    sheet.block("part", [0.0, -30.0, 0.0], &AXES, [16.0, 30.0, 12.0]);
    sheet.block("body", [0.0, 30.0, 0.0], &AXES, [16.0, 30.0, 12.0]);
    sheet.frame("a", [0.0; 3], &AXES, LENGTH + 14.0, "a");
    for (axis, (name, shift)) in AXES.iter().zip([("= x_b", 15.0), ("= y_b", 27.0), ("= z_b", 13.0)]) {
        sheet.arrow("b", [0.0; 3], along([0.0; 3], *axis, LENGTH - 18.0));
        sheet.label("b", along([0.0; 3], *axis, LENGTH + 14.0), [shift, 4.0], name);
    }
}

fn spherical(sheet: &mut Sheet) {
    sheet.block("part", [0.0, 0.0, -40.0], &AXES, [16.0, 16.0, 9.0]);
    sheet.dot("body", [0.0, 0.0, -10.0], 24.0);
    sheet.dot("part", [0.0; 3], 17.0);
    let b = turned(&turned(&turned(&AXES, 0, -24.0), 1, 16.0), 2, 34.0);
    sheet.frame("a", [0.0; 3], &AXES, LENGTH, "a");
    sheet.frame("b", [0.0; 3], &b, LENGTH + 8.0, "b");
    sheet.arc("free", [0.0; 3], [AXES[0], AXES[1]], 36.0, [2.0, 30.0]);
    sheet.arc("free", [0.0; 3], [AXES[2], AXES[1]], 44.0, [2.0, 22.0]);
    sheet.arc("free", [0.0; 3], [AXES[1], AXES[2]], 40.0, [-22.0, 0.0]);
}

fn revolute(sheet: &mut Sheet) {
    sheet.cylinder("part", [0.0, 0.0, -44.0], -4.0, 15.0);
    sheet.cylinder("body", [0.0, 0.0, -4.0], 22.0, 15.0);
    sheet.frame("a", [0.0; 3], &AXES, LENGTH + 10.0, "a");
    let b = turned(&AXES, 2, 38.0);
    for k in 0..2 {
        sheet.arrow("b", [0.0; 3], along([0.0; 3], b[k], LENGTH + 10.0));
        sheet.label("b", along([0.0; 3], b[k], LENGTH + 18.0), [0.0, 6.0], ["x_b", "y_b"][k]);
    }
    sheet.label("b", [0.0, 0.0, LENGTH], [16.0, -14.0], "= z_b");
    theta(sheet, [0.0; 3], 38.0, 38.0);
}

/// Frame b on the z axis of frame a, above it.
fn above(sheet: &mut Sheet, angle: f64) {
    let up = [0.0, 0.0, 60.0];
    sheet.frame("a", [0.0, 0.0, -30.0], &AXES, LENGTH - 12.0, "a");
    sheet.frame("b", up, &turned(&AXES, 2, angle), LENGTH - 14.0, "b");
    sheet.arrow("free", [36.0, -14.0, -16.0], [36.0, -14.0, 74.0]);
    sheet.label("free", [36.0, -14.0, 30.0], [-14.0, 4.0], "h");
}

fn prismatic(sheet: &mut Sheet) {
    sheet.block("part", [0.0, 0.0, 0.0], &AXES, [9.0, 9.0, 56.0]);
    sheet.block("body", [0.0, 0.0, 60.0], &AXES, [16.0, 16.0, 12.0]);
    above(sheet, 0.0);
}

fn cylindrical(sheet: &mut Sheet) {
    sheet.cylinder("part", [0.0, 0.0, -56.0], 54.0, 8.0);
    sheet.cylinder("body", [0.0, 0.0, 48.0], 70.0, 16.0);
    above(sheet, 38.0);
    sheet.dashed("a", [0.0, 0.0, 60.0], [LENGTH - 10.0, 0.0, 60.0]);
    theta(sheet, [0.0, 0.0, 60.0], 26.0, 38.0);
}

fn universal(sheet: &mut Sheet) {
    sheet.block("part", [0.0, 0.0, -44.0], &AXES, [26.0, 8.0, 6.0]);
    let b = turned(&AXES, 0, 20.0);
    sheet.line("ink", &[[-26.0, 0.0, -40.0], [-26.0, 0.0, 0.0], [26.0, 0.0, 0.0], [26.0, 0.0, -40.0]]);
    let [left, right] = [along([0.0; 3], b[1], -26.0), along([0.0; 3], b[1], 26.0)];
    sheet.line("ink", &[along(left, b[2], 34.0), left, right, along(right, b[2], 34.0)]);
    sheet.block("body", along([0.0; 3], b[2], 40.0), &b, [8.0, 26.0, 6.0]);
    sheet.arrow("a", [0.0; 3], along([0.0; 3], AXES[0], LENGTH + 22.0));
    sheet.label("a", along([0.0; 3], AXES[0], LENGTH + 30.0), [-6.0, 6.0], "x_a");
    sheet.arrow("b", [0.0; 3], along([0.0; 3], b[1], LENGTH + 18.0));
    sheet.label("b", along([0.0; 3], b[1], LENGTH + 24.0), [0.0, 5.0], "y_b");
    sheet.arc("free", along([0.0; 3], AXES[0], LENGTH), [AXES[1], AXES[2]], 12.0, [-80.0, 170.0]);
    sheet.arc("free", along([0.0; 3], b[1], LENGTH - 4.0), [b[2], b[0]], 12.0, [-80.0, 170.0]);
}

fn planar(sheet: &mut Sheet) {
    sheet.area("part", &[[-40.0, -62.0, 0.0], [48.0, -62.0, 0.0], [48.0, 88.0, 0.0], [-40.0, 88.0, 0.0]]);
    let at = [4.0, 42.0, 0.0];
    sheet.cylinder("body", [at[0], at[1], 0.0], 10.0, 14.0);
    sheet.frame("a", [0.0, -34.0, 0.0], &AXES, LENGTH - 8.0, "a");
    sheet.frame("b", at, &turned(&AXES, 2, 30.0), LENGTH - 14.0, "b");
    sheet.arrow("free", [-24.0, 8.0, 0.0], [-24.0, 64.0, 0.0]);
    sheet.arrow("free", [-28.0, -16.0, 0.0], [18.0, -16.0, 0.0]);
    sheet.arc("free", at, [AXES[0], AXES[1]], 26.0, [-40.0, 26.0]);
}

fn screw(sheet: &mut Sheet) {
    sheet.cylinder("part", [0.0, 0.0, -56.0], 54.0, 9.0);
    for turn in 0..9 {
        let low = -52.0 + 11.0 * f64::from(turn);
        let edge = |angle: f64, z: f64| {
            let (s, c) = f64::to_radians(angle).sin_cos();
            [9.0 * c, 9.0 * s, z]
        };
        sheet.line("ink", &[edge(-55.4, low), edge(0.0, low + 3.0), edge(60.0, low + 6.0), edge(124.6, low + 9.0)]);
    }
    sheet.cylinder("body", [0.0, 0.0, 48.0], 70.0, 17.0);
    above(sheet, 38.0);
    sheet.dashed("a", [0.0, 0.0, 60.0], [LENGTH - 10.0, 0.0, 60.0]);
    theta(sheet, [0.0, 0.0, 60.0], 26.0, 38.0);
}

fn distance(sheet: &mut Sheet) {
    let (a, b) = ([0.0, -58.0, -14.0], [0.0, 56.0, 34.0]);
    sheet.line("ink", &[a, b]);
    sheet.label("free", [0.0, 0.0, 10.0], [-2.0, -10.0], "L");
    sheet.frame("a", a, &AXES, LENGTH - 16.0, "a");
    sheet.frame("b", b, &turned(&turned(&AXES, 0, 30.0), 2, 40.0), LENGTH - 16.0, "b");
}

fn point_on_line(sheet: &mut Sheet) {
    sheet.cylinder("part", [0.0, 0.0, -56.0], 96.0, 4.0);
    sheet.dot("body", [0.0, 0.0, 60.0], 14.0);
    sheet.frame("a", [0.0, 0.0, -30.0], &AXES, LENGTH - 12.0, "a");
    sheet.frame("b", [0.0, 0.0, 60.0], &turned(&turned(&AXES, 0, -30.0), 2, 34.0), LENGTH - 14.0, "b");
    sheet.arrow("free", [36.0, -14.0, -16.0], [36.0, -14.0, 74.0]);
    sheet.label("free", [36.0, -14.0, 30.0], [-14.0, 4.0], "h");
}

fn point_on_plane(sheet: &mut Sheet) {
    sheet.area("part", &[[-40.0, -62.0, 0.0], [48.0, -62.0, 0.0], [48.0, 88.0, 0.0], [-40.0, 88.0, 0.0]]);
    let at = [4.0, 42.0, 0.0];
    sheet.dot("body", at, 12.0);
    sheet.frame("a", [0.0, -34.0, 0.0], &AXES, LENGTH - 8.0, "a");
    sheet.frame("b", at, &turned(&turned(&AXES, 0, -30.0), 2, 34.0), LENGTH - 14.0, "b");
    sheet.arrow("free", [-24.0, 8.0, 0.0], [-24.0, 64.0, 0.0]);
    sheet.arrow("free", [-28.0, -16.0, 0.0], [18.0, -16.0, 0.0]);
}

fn rolling(sheet: &mut Sheet) {
    sheet.area("part", &[[-40.0, -62.0, 0.0], [48.0, -62.0, 0.0], [48.0, 88.0, 0.0], [-40.0, 88.0, 0.0]]);
    let (at, radius) = ([4.0, 42.0, 40.0], 40.0);
    let rim = |k: i32| {
        let (s, c) = (f64::from(k) * std::f64::consts::TAU / 48.0).sin_cos();
        [at[0], at[1] + radius * s, at[2] + radius * c]
    };
    sheet.area("body", &(0..48).map(rim).collect::<Vec<_>>());
    sheet.frame("a", [0.0, -34.0, 0.0], &AXES, LENGTH - 8.0, "a");
    sheet.frame("b", at, &turned(&AXES, 1, 90.0), LENGTH - 14.0, "b");
    sheet.arrow("free", [-24.0, 8.0, 0.0], [-24.0, 64.0, 0.0]);
}

fn forces() -> String {
    let mut sheet = Sheet::new(744, 236, "Spring, bushing, marker");
    spring(&mut sheet);
    bushing(&mut sheet);
    marker(&mut sheet);
    sheet.finish()
}

fn title(sheet: &mut Sheet, left: f64, name: &str, lines: [&str; 2]) {
    sheet.text("title", [left + 16.0, 22.0], name);
    sheet.text("small", [left + 16.0, 37.0], lines[0]);
    sheet.text("small", [left + 16.0, 50.0], lines[1]);
}

fn spring(sheet: &mut Sheet) {
    title(sheet, 0.0, "SPRING", ["tension T between two points", "at the distance L"]);
    sheet.origin = [110.0, 150.0];
    let (a, b) = ([0.0, -50.0, -10.0], [0.0, 50.0, 30.0]);
    body(sheet, [0.0, -76.0, -22.0], [36.0, 28.0]);
    body(sheet, [0.0, 84.0, 42.0], [40.0, 28.0]);
    let length = 100.0f64.hypot(40.0);
    let (u, n) = ([0.0, 100.0 / length, 40.0 / length], [0.0, -40.0 / length, 100.0 / length]);
    let mut coil = vec![a, along(a, u, 18.0)];
    coil.extend((0..8).map(|k| along(along(a, u, 22.0 + 8.0 * f64::from(k)), n, if k % 2 == 0 { 8.0 } else { -8.0 })));
    coil.extend([along(a, u, length - 18.0), b]);
    sheet.line("ink", &coil);
    sheet.dot("a", a, 2.8);
    sheet.dot("b", b, 2.8);
    sheet.label("a", a, [-30.0, 14.0], "point a");
    sheet.label("b", b, [8.0, 18.0], "point b");
    sheet.arrow("free", a, along(a, u, 30.0));
    sheet.arrow("free", b, along(b, u, -30.0));
    sheet.label("free", along(a, u, 26.0), [-2.0, 22.0], "T");
    sheet.label("free", along(b, u, -30.0), [-10.0, -12.0], "T");
}

fn bushing(sheet: &mut Sheet) {
    title(
        sheet,
        248.0,
        "BUSHING",
        ["wrench w of the displacement e and the", "rotation from frame a to frame b, in axes a"],
    );
    sheet.origin = [350.0, 160.0];
    let (a, b) = ([0.0, -40.0, 0.0], [0.0, 56.0, 26.0]);
    sheet.block("part", [0.0, -60.0, 0.0], &AXES, [18.0, 20.0, 14.0]);
    let axes: Axes = turned(&turned(&AXES, 0, 12.0), 2, 14.0);
    sheet.block("body", along(b, axes[1], 20.0), &axes, [18.0, 20.0, 14.0]);
    sheet.arrow("vector", a, b);
    sheet.label("vector", [0.0, 8.0, 13.0], [-6.0, -8.0], "e");
    sheet.frame("a", a, &AXES, 44.0, "a");
    sheet.frame("b", b, &axes, 44.0, "b");
}

fn marker(sheet: &mut Sheet) {
    title(sheet, 496.0, "MARKER", ["a frame of a body, where loads are applied", "and motions are read"]);
    sheet.origin = [590.0, 170.0];
    body(sheet, [0.0, 30.0, 10.0], [88.0, 46.0]);
    let (reference, at) = ([0.0, -30.0, 0.0], [0.0, 72.0, 34.0]);
    sheet.frame("b", reference, &AXES, 40.0, "B");
    sheet.dashed("vector", reference, at);
    sheet.label("vector", [0.0, 20.0, 16.0], [0.0, -6.0], "s");
    sheet.frame("a", at, &turned(&AXES, 0, -20.0), 36.0, "");
    let from = along(along(at, AXES[1], -34.0), AXES[2], 52.0);
    sheet.arrow("free", from, at);
    sheet.label("free", from, [-10.0, -6.0], "force f");
    sheet.text("small", [512.0, 229.0], "moment about the origin of B: m + s × f");
}
