//! Lines at rest in whole models: the shapes that runs start from, and equilibria of lines, points
//! and bodies.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::LineType;
use pintle::{Error, Frame, GROUND, Id, Simulation};

const G: f64 = 9.80665;

fn sea(depth: f64) -> Simulation {
    let mut sim = system("generalized-alpha", &Sea { g: G, ..Sea::water(depth) });
    host_tolerances(&mut sim);
    sim
}

/// Lines with a part of the critical damping of a segment (BA below 0).
const OC3_LINE: Material = Material { ba: -0.8, ..OC3 };
const OC4_LINE: Material = Material { ba: -1.0, ..OC4 };

/// A platform as published, on three lines at 120 degrees.
struct Platform {
    mass: f64,
    com: [f64; 3],
    /// Hydrostatic stiffness in heave and in roll and pitch, without weight; and the yaw stiffness
    /// besides the lines.
    heave: f64,
    tilt: f64,
    yaw: f64,
    line: Material,
    length: f64,
    depth: f64,
    fairlead: [f64; 2],
    anchor: f64,
}

fn oc4() -> Platform {
    Platform {
        mass: 14072718.0,
        com: [-0.00667959728967431, 0.0, -9.888979401653133],
        heave: 3836000.0,
        tilt: -377600000.0,
        yaw: 0.0,
        line: OC4_LINE,
        length: 835.5,
        depth: 200.0,
        fairlead: [40.868, -14.0],
        anchor: 837.6,
    }
}

fn oc3() -> Platform {
    Platform {
        mass: 8066048.0,
        com: [-0.011653559, 0.0, -78.00066],
        heave: 332941.0,
        tilt: -4999180000.0,
        yaw: 98340000.0,
        line: OC3_LINE,
        length: 902.2,
        depth: 320.0,
        fairlead: [5.2, -70.0],
        anchor: 853.87,
    }
}

impl Platform {
    /// Initialized with its reference point at `at`, under a load there beside the buoyancy that
    /// carries the body at z = 0.
    fn moored(&self, at: [f64; 3], shift: [f64; 2], segments: i32, load: [f64; 6]) -> (Simulation, Id, Vec<Id>) {
        let mut s = sea(self.depth);
        let j = [6.8e9, 6.8e9, 1.2e10, 0.0, 0.0, 0.0];
        let place = [at[0] + shift[0], at[1] + shift[1], at[2]];
        let body = s.build().add_rigid_body(self.mass, &self.com, &j, &pose(place, UNROTATED)).unwrap();
        let water = diagonal([0.0, 0.0, self.heave, self.tilt, self.tilt, self.yaw]);
        let place = pose([shift[0], shift[1], 0.0], UNROTATED);
        s.elements().add_bushing(GROUND, body, &place, &ORIGIN, &water, &[0.0; 36]).unwrap();
        let kind = line_type(&mut s, &self.line);
        let lines = (0..3).map(|k| {
            let (sin, cos) = (f64::from(k) * 120f64.to_radians()).sin_cos();
            let anchor = fixed(&mut s, [self.anchor * cos + shift[0], self.anchor * sin + shift[1], -self.depth]);
            let [radius, z] = self.fairlead;
            let fairlead = s.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            s.build().attach_point(fairlead, body, &[radius * cos, radius * sin, z]).unwrap();
            s.elements().add_line(kind, anchor, fairlead, self.length, segments).unwrap()
        });
        let lines: Vec<_> = lines.collect();
        let mut held = load;
        held[2] += self.mass * G;
        s.inputs().set_body_load(body, Frame::Inertial, &held).unwrap();
        s.initialize(0.0).unwrap();
        (s, body, lines)
    }
}

/// Where a body is, and its turn from the identity (small).
fn displacement(s: &Simulation, body: Id, shift: [f64; 2]) -> [f64; 6] {
    let p = s.outputs().body_pose(body).unwrap();
    [p[0] - shift[0], p[1] - shift[1], p[2], 2.0 * p[4], 2.0 * p[5], 2.0 * p[6]]
}

/// The force and moment of the lines about the reference point, from what the host reads.
fn pull(s: &Simulation, lines: &[Id], body: Id, segments: usize) -> [f64; 6] {
    let origin = s.outputs().body_pose(body).unwrap();
    let mut sum = [0.0; 6];
    for line in lines {
        let mut x = vec![[0.0; 3]; segments + 1];
        s.lines().positions(*line, &mut x).unwrap();
        let f = s.lines().end_force(*line, 1).unwrap();
        let r: [f64; 3] = std::array::from_fn(|k| x[segments][k] - origin[k]);
        let m = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
        (0..3).for_each(|k| (sum[k], sum[k + 3]) = (sum[k] + f[k], sum[k + 3] + m[k]));
    }
    sum
}

#[test]
fn moored_platforms_come_to_rest_from_afar() {
    for (name, platform, segments) in [("oc4", oc4(), 20), ("oc3", oc3(), 20), ("oc4", oc4(), 80)] {
        let mut rest = None;
        for at in [[0.0; 3], [8.0, -5.0, 3.0], [-25.0, 10.0, -4.0]] {
            let (mut s, body, lines) = platform.moored(at, [0.0; 2], segments, [0.0; 6]);
            let steps = s.solve_equilibrium(200, 1e-9).unwrap();
            let x = displacement(&s, body, [0.0; 2]);
            println!("{name} {segments} from {at:?}: {steps} steps to {x:?}");
            let [.., heave] = [0.0, x[2]];
            let sum = pull(&s, &lines, body, segments as usize);
            // Heave: what the lines pull down the water plane carries, to 1e-9 of the weight.
            let weight = platform.mass * G;
            assert!((sum[2] - platform.heave * heave).abs() < 2e-9 * weight, "{sum:?} {heave}");
            assert!(sum[0].abs() < 2e-9 * weight && sum[1].abs() < 2e-9 * weight, "{sum:?}");
            assert_eq!(s.outputs().body_velocity(body, Frame::Inertial).unwrap(), [0.0; 6]);
            // The same equilibrium from every start: forces of 0.14 N over stiffnesses of 4e4 N/m.
            let found = *rest.get_or_insert(x);
            assert_close("place", &x, &found, 1e-5);
            // And it stays there: what a step moves it is what the tolerance leaves, 1e-8 m/s^2.
            for _ in 0..5 {
                s.step(0.1).unwrap();
            }
            assert_close("stays", &displacement(&s, body, [0.0; 2]), &x, 1e-6);
        }
    }
}

/// Small loads give the stiffnesses of the published matrices (surge and pitch coupled, yaw).
#[test]
fn stiffness_of_the_moorings_is_the_published_one() {
    // Mooring stiffness: surge, surge-pitch, pitch, yaw.
    for (platform, weight, [k11, k15, k51, k55, k66]) in [
        (oc4(), 1364740666.63, [70.8e3, -108e3, -107e3, 87.3e6, 117e6]),
        (oc3(), 6169922822.99, [41180.0, -2821e3, -2816e3, 311.1e6, 11.56e6]),
    ] {
        // Buoyancy that carries the lines too, so that the platform floats where the matrices are
        // of.
        let (s, body, lines) = platform.moored([0.0; 3], [0.0; 2], 100, [0.0; 6]);
        let lift = -pull(&s, &lines, body, 100)[2];
        let solve = |mut load: [f64; 6]| {
            load[2] += lift;
            let (mut s, body, _) = platform.moored([0.0; 3], [0.0; 2], 100, load);
            s.solve_equilibrium(200, 1e-11).unwrap();
            displacement(&s, body, [0.0; 2])
        };
        let difference = |k: usize, force: f64| {
            let mut load = [0.0; 6];
            load[k] = force;
            let plus = solve(load);
            load[k] = -force;
            let minus = solve(load);
            let difference: [f64; 6] = std::array::from_fn(|k| 0.5 * (plus[k] - minus[k]) / force);
            difference
        };
        let k55 = k55 + platform.tilt + weight;
        let determinant = k11 * k55 - k15 * k51;
        let (surge, yaw) = (difference(0, 1e4), difference(5, 1e6));
        println!(
            "lift {lift}, surge {:e} {:e}, yaw {:e}",
            surge[0] * determinant / k55,
            surge[4],
            yaw[5] * (k66 + platform.yaw)
        );
        // The published numbers are given to 3 digits, and are finite differences of another
        // program's statics of lines.
        assert!((surge[0] * determinant / k55 - 1.0).abs() < 0.02, "{surge:?}");
        assert!((yaw[5] * (k66 + platform.yaw) - 1.0).abs() < 0.02, "{yaw:?}");
    }
}

#[test]
fn equilibria_do_not_depend_on_where_the_origin_is() {
    let rest = |shift: [f64; 2]| {
        let (mut s, body, lines) = oc4().moored([5.0, 3.0, 0.0], shift, 20, [2e5, 0.0, 0.0, 0.0, 0.0, 1e7]);
        let steps = s.solve_equilibrium(200, 1e-9).unwrap();
        println!("{steps} steps");
        let mut tensions = vec![0.0; 20];
        s.lines().tensions(lines[0], &mut tensions).unwrap();
        (displacement(&s, body, shift), tensions)
    };
    let (here, there) = (rest([0.0; 2]), rest([1e6, -1e6]));
    // Positions of 1e6 m are known to 1e-10 m, the tolerance to 1e-5 m.
    assert_close("place", &there.0, &here.0, 1e-5);
    for (a, b) in here.1.iter().zip(&there.1) {
        assert!((a - b).abs() < 1e-5 * a, "{a} {b}");
    }
}

/// A line of two halves, tied together by a point without mass, is the line.
#[test]
fn a_point_without_mass_in_mid_line_changes_nothing() {
    let ends = [[0.0, 0.0, -200.0], [500.0, 300.0, -20.0]];
    let length = 640.0;
    let mut whole = sea(200.0);
    let points = ends.map(|at| fixed(&mut whole, at));
    let kind = line_type(&mut whole, &OC4_LINE);
    let line = whole.elements().add_line(kind, points[0], points[1], length, 40).unwrap();
    whole.initialize(0.0).unwrap();
    whole.solve_equilibrium(100, 1e-10).unwrap();
    let mut expected = vec![[0.0; 3]; 41];
    whole.lines().positions(line, &mut expected).unwrap();

    for start in [[250.0, 150.0, -120.0], [300.0, 100.0, -60.0], [240.0, 160.0, -200.0]] {
        let mut halves = sea(200.0);
        let points = ends.map(|at| fixed(&mut halves, at));
        let kind = line_type(&mut halves, &OC4_LINE);
        let middle = halves.build().add_point(0.0, 0.0, &start).unwrap();
        let first = halves.elements().add_line(kind, points[0], middle, 0.5 * length, 20).unwrap();
        let second = halves.elements().add_line(kind, middle, points[1], 0.5 * length, 20).unwrap();
        halves.initialize(0.0).unwrap();
        let steps = halves.solve_equilibrium(300, 1e-10).unwrap();
        println!("from {start:?}: {steps} steps");
        for (line, nodes) in [(first, 0..21), (second, 20..41)] {
            let mut found = vec![[0.0; 3]; 21];
            halves.lines().positions(line, &mut found).unwrap();
            for (found, expected) in found.iter().zip(&expected[nodes]) {
                // Forces to 1e-10 of 1e5 N over stiffnesses of 1e3 N/m across.
                assert_close("node", found, expected, 1e-6);
            }
        }
    }
}

/// A weight on two lines that weigh nothing in water: a triangle of elastic cords.
#[test]
fn a_clump_weight_hangs_on_a_triangle() {
    let mut s = sea(500.0);
    let neutral = LineType {
        mass_per_length: 1025.0 * 0.25 * std::f64::consts::PI * 0.1 * 0.1,
        diameter: 0.1,
        ea: 1e7,
        ..LineType::default()
    };
    let kind = s.elements().add_line_type(neutral).unwrap();
    let ends = [[-80.0, 0.0, -50.0], [80.0, 0.0, -50.0]].map(|at| fixed(&mut s, at));
    let clump = s.build().add_point(5000.0, 2.0, &[10.0, 4.0, -120.0]).unwrap();
    for end in ends {
        s.elements().add_line(kind, end, clump, 100.0, 10).unwrap();
    }
    s.initialize(0.0).unwrap();
    let steps = s.solve_equilibrium(200, 1e-11).unwrap();
    let x = s.points().position(clump).unwrap();
    // Depth below the ends: 2 EA (s/L - 1) z/s = (m - rho V) g.
    let weight = (5000.0 - 2050.0) * G;
    let mut z = 60.0f64;
    for _ in 0..100 {
        let s = z.hypot(80.0);
        let (pull, slope) = (2.0 * 1e7 * (s / 100.0 - 1.0) * z / s, 2.0 * 1e7 * (1.0 / 100.0 - 6400.0 / (s * s * s)));
        z -= (pull - weight) / slope;
    }
    println!("{steps} steps: {x:?}, {z}");
    assert_close("clump", &x, &[0.0, 0.0, -50.0 - z], 1e-6);
}

/// Runs start at rest: nothing moves where nothing but lines is there.
#[test]
fn initialized_lines_are_at_rest() {
    let mut s = sea(200.0);
    let kind = line_type(&mut s, &OC4_LINE);
    let ends = [[0.0, 0.0, -200.0], [796.0, 0.0, -14.0]].map(|at| fixed(&mut s, at));
    let line = s.elements().add_line(kind, ends[0], ends[1], 835.5, 20).unwrap();
    s.initialize(0.0).unwrap();
    let (mut before, mut after) = (vec![[0.0; 3]; 21], vec![[0.0; 3]; 21]);
    s.lines().positions(line, &mut before).unwrap();
    for _ in 0..20 {
        s.step(0.1).unwrap();
    }
    s.lines().positions(line, &mut after).unwrap();
    for (before, after) in before.iter().zip(&after) {
        // 1e-9 of the weight is 1e-8 m/s^2, in 2 s.
        assert_close("node", after, before, 1e-7);
    }
}

/// A point that nothing holds has no equilibrium, and the error names it.
#[test]
fn lines_that_nothing_holds_have_no_equilibrium() {
    let mut s = sea(0.0);
    let kind = line_type(&mut s, &OC4_LINE);
    let ends = [[0.0, 0.0, -50.0], [80.0, 0.0, -50.0]].map(|at| s.build().add_point(10.0, 0.0, &at).unwrap());
    s.elements().add_line(kind, ends[0], ends[1], 100.0, 10).unwrap();
    s.initialize(0.0).unwrap();
    let why = s.solve_equilibrium(100, 1e-9).unwrap_err();
    println!("{why}");
    assert!(matches!(&why, Error::NoEquilibrium { entity, .. } if entity.starts_with("point ")), "{why}");
    // The state stays what it was.
    assert_eq!(s.points().position(ends[0]).unwrap(), [0.0, 0.0, -50.0]);
}

/// A line released at one end hangs straight down from the other, stretched by the weight below.
#[test]
fn a_released_end_hangs_down() {
    let mut s = sea(0.0);
    let kind = line_type(&mut s, &OC4_LINE);
    let ends = [[0.0, 0.0, -10.0], [60.0, 0.0, -30.0]].map(|at| fixed(&mut s, at));
    let line = s.elements().add_line(kind, ends[0], ends[1], 80.0, 16).unwrap();
    s.initialize(0.0).unwrap();
    s.inputs().release_line(line, 1).unwrap();
    let steps = s.solve_equilibrium(100, 1e-9).unwrap();
    let mut x = vec![[0.0; 3]; 17];
    s.lines().positions(line, &mut x).unwrap();
    let mut tensions = vec![0.0; 16];
    s.lines().tensions(line, &mut tensions).unwrap();
    let weight = (113.35 - 1025.0 * 0.25 * std::f64::consts::PI * 0.0766 * 0.0766) * G;
    println!("{steps} steps, end at {:?}", x[16]);
    for (k, tension) in tensions.iter().enumerate() {
        // Half a segment's weight is in each node: tension in the middle of a segment is that of
        // what hangs below.
        let below = weight * (80.0 - 5.0 * k as f64 - 2.5);
        assert!((tension / below - 1.0).abs() < 1e-6, "segment {k}: {tension}, {below}");
        assert!(x[k + 1][0].abs() < 1e-5, "node {}: {:?}", k + 1, x[k + 1]);
    }
}

/// In a current the equilibrium of a line is the one to which steps converge.
#[test]
fn current_bends_lines_and_steps_keep_them() {
    let mut s = sea(200.0);
    s.settings().set_current(&[0.0, 200.0], &[[0.4, 1.2, 0.0], [0.0, 0.3, 0.0]]).unwrap();
    let kind = line_type(&mut s, &OC4_LINE);
    let ends = [[0.0, 0.0, -200.0], [300.0, 0.0, -20.0]].map(|at| fixed(&mut s, at));
    let line = s.elements().add_line(kind, ends[0], ends[1], 380.0, 20).unwrap();
    s.initialize(0.0).unwrap();
    s.solve_equilibrium(100, 1e-9).unwrap();
    let (mut before, mut after) = (vec![[0.0; 3]; 21], vec![[0.0; 3]; 21]);
    s.lines().positions(line, &mut before).unwrap();
    println!("{:?}", before[10]);
    assert!(before[10][1] > 0.1, "the current pushes it aside: {:?}", before[10]);
    for _ in 0..20 {
        s.step(0.1).unwrap();
    }
    s.lines().positions(line, &mut after).unwrap();
    for (before, after) in before.iter().zip(&after) {
        assert_close("node", after, before, 1e-6);
    }
}

/// A chain on the bed, let go of at one end, trails down the current from the other, wherever it
/// lay before.
#[test]
fn a_released_line_trails_on_the_bed_down_the_current() {
    let (length, speed) = (66.0, 0.5);
    for segments in [8usize, 16, 20] {
        for angle in [60f64, 120.0, 150.0] {
            let mut s = sea(50.0);
            let way = [angle.to_radians().cos(), angle.to_radians().sin()];
            s.settings().set_current(&[0.0], &[[speed * way[0], speed * way[1], 0.0]]).unwrap();
            let kind = line_type(&mut s, &OC4_LINE);
            let ends = [[0.0, 0.0, -50.0], [60.0, 0.0, -50.0]].map(|at| fixed(&mut s, at));
            let line = s.elements().add_line(kind, ends[0], ends[1], length, segments as i32).unwrap();
            s.initialize(0.0).unwrap();
            s.inputs().release_line(line, 1).unwrap();
            s.solve_equilibrium(100, 1e-9).unwrap_or_else(|why| panic!("{segments} segments, {angle} degrees: {why}"));
            let mut x = vec![[0.0; 3]; segments + 1];
            s.lines().positions(line, &mut x).unwrap();
            // Drag along the line follows the line; what turns it back is that across, k1 (u sin)^2
            // on a node. It balances the rounding of forces, 1e-5 N by EA/l and the coordinates, at
            // sin = sqrt(1e-5/(k1 u^2)), k1 = rho d l Cdn/2 = 260 kg/m and more: 4e-4.
            for (k, x) in x.iter().enumerate() {
                let s = length * k as f64 / segments as f64;
                let error = (x[0] - s * way[0]).hypot(x[1] - s * way[1]);
                assert!(error < 1e-3 * length, "{segments} segments, {angle} degrees, node {k}: {error} m beside");
            }
        }
    }
}

/// A line that both ends let go of falls for ever where there is no bed, and is named with a node.
#[test]
fn a_falling_line_has_no_equilibrium() {
    let mut s = sea(0.0);
    let kind = line_type(&mut s, &OC4_LINE);
    let ends = [[0.0, 0.0, -10.0], [60.0, 0.0, -30.0]].map(|at| fixed(&mut s, at));
    let line = s.elements().add_line(kind, ends[0], ends[1], 80.0, 16).unwrap();
    s.initialize(0.0).unwrap();
    s.inputs().release_line(line, 0).unwrap();
    s.inputs().release_line(line, 1).unwrap();
    let why = s.solve_equilibrium(100, 1e-9).unwrap_err();
    println!("{why}");
    assert!(matches!(&why, Error::NoEquilibrium { entity, .. } if entity.starts_with("line 0 node ")), "{why}");
}

/// A pipe with length to spare that is too stiff to hang: the error tells up to what stiffness it
/// does.
#[test]
fn a_line_that_is_too_stiff_to_hang_is_refused_with_the_limit() {
    let build = |ei: f64| {
        let mut s = sea(0.0);
        let kind = s.elements().add_line_type(LineType {
            diameter: 0.2,
            mass_per_length: 100.0,
            ea: 5e8,
            ei,
            ..LineType::default()
        });
        let ends = [[0.0, 0.0, -30.0], [90.0, 0.0, -10.0]].map(|at| fixed(&mut s, at));
        s.elements().add_line(kind.unwrap(), ends[0], ends[1], 100.0, 20).unwrap();
        s
    };
    let why = build(1e9).initialize(0.0).unwrap_err().to_string();
    println!("{why}");
    let (_, told) = why.split_once("up to a bending stiffness of ").unwrap();
    let limit: f64 = told.split_once(',').unwrap().0.parse().unwrap();
    assert!(why.contains("line 0 node ") && why.contains(", not for 1000000000:"), "{why}");
    let mut s = build(0.9 * limit);
    s.initialize(0.0).unwrap();
    s.step(0.1).unwrap();
}

/// A hose between a ship's rail and a buoy below the water, with a third of it on the surface: it
/// starts at rest, and stays.
#[test]
fn a_floating_hose_starts_at_rest_and_stays() {
    for (above, below, shift) in [(6.0, -20.0, 0.0), (6.0, 4.0, 0.0), (6.0, -20.0, 1e6)] {
        let mut s = sea(200.0);
        let kind = line_type(&mut s, &Material { d: 0.4, w: 60.0, ea: 2e7, ba: -0.5, ..OC4 });
        let ends = [[shift, 0.0, above], [shift + 60.0, 30.0, below]].map(|at| fixed(&mut s, at));
        let line = s.elements().add_line(kind, ends[0], ends[1], 110.0, 25).unwrap();
        s.initialize(0.0).unwrap();
        let places = |s: &Simulation| {
            let mut x = [[0.0; 3]; 26];
            s.lines().positions(line, &mut x).unwrap();
            x
        };
        let before = places(&s);
        assert!(before.iter().filter(|x| x[2].abs() < 0.2).count() >= 5, "{before:?}");
        for h in [0.01; 200].into_iter().chain([0.03, 0.005, 0.02]) {
            s.step(h).unwrap();
        }
        // At rest to 1e-9 of the weight of a segment: accelerations of 1e-8 m/s^2 for 2 s; far away
        // places are rounded to 1e-10 m, and forces with them by EA/l of it, 1e-3 N on 260 kg: 4e-6
        // m/s^2.
        let moved = places(&s).iter().zip(&before).map(|(now, then)| norm(sub(*now, *then))).fold(0.0, f64::max);
        println!("moved {moved:.1e} m");
        assert!(moved < if shift == 0.0 { 1e-7 } else { 2e-5 }, "{moved:e}");
    }
}
