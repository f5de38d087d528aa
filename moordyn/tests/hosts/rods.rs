//! Rods: what the host moves, forces and masses in closed form, water that the host gives, files.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;
use std::f64::consts::PI;
use std::ffi::{c_int, c_uint};
use std::ptr::null;

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

/// A type of rods with a diameter of 0.5 m, 400 kg/m, and coefficients Cd, Ca, CdEnd, CaEnd.
fn rods(coefficients: [f64; 4], rows: &str) -> String {
    let [cd, ca, cd_end, ca_end] = coefficients;
    format!("{ROD_TYPES}spar 0.5 400 {cd} {ca} {cd_end} {ca_end}\n{RODS}{rows}\n--- OPTIONS ---\n100 WtrDpth\n")
}

/// The mass of water that a metre of the rod displaces.
fn displaced() -> f64 {
    RHO * 0.25 * PI * 0.5 * 0.5
}

fn rod_force(rod: Handle) -> [f64; 6] {
    vector(|out| unsafe { MoorDyn_GetRodForce(rod, out) })
}

fn rod_node(rod: Handle, i: u32) -> [f64; 3] {
    vector(|out| unsafe { MoorDyn_GetRodNodePos(rod, i, out) })
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Weight less buoyancy at the middle of a level rod under water; the angles of the host turn the
/// direction that the file gives.
#[test]
fn a_coupled_rod_is_moved_and_weighs_on_the_host() {
    let input = rods([0.0; 4], "1 spar Coupled 0 0 -20 8 0 -20 4 -");
    let level = [1.0, 2.0, -30.0, 0.0, 0.0, 0.0];
    let system = System::started(&input, &level);
    let (f, _) = system.step(&level, &[0.0; 6], 0.1);
    let weight = (displaced() - 400.0) * G * 8.0;
    let about_a = [0.0, 0.0, weight, 0.0, -4.0 * weight, 0.0];
    assert!(apart(&f, &about_a) < 1e-9 * weight.abs(), "{f:?} {about_a:?}");
    assert_eq!(rod_force(system.rod(1)), f[..]);

    // Turned by a quarter about z and by 0.3 about the new... x first: R = Rx Ry Rz.
    let (turn, tilt) = (0.5 * PI, 0.3f64);
    let turned = [1.0, 2.0, -30.0, tilt, 0.0, turn];
    system.step(&turned, &[0.0; 6], 0.1);
    // Rz takes x to y, Rx then y to (0, cos, sin).
    let expected = [1.0, 2.0 + 8.0 * tilt.cos(), -30.0 + 8.0 * tilt.sin()];
    let rod = system.rod(1);
    assert!(apart(&rod_node(rod, 4), &expected) < 1e-12, "{:?}", rod_node(rod, 4));
    assert!(apart(&rod_node(rod, 0), &turned[..3]) < 1e-12);
    let middle = [1.0, 2.0 + 4.0 * tilt.cos(), -30.0 + 4.0 * tilt.sin()];
    assert!(apart(&rod_node(rod, 2), &middle) < 1e-12);
}

/// A rod that turns about its end A hangs from it; the host feels a force and no moment. Nodes move
/// with the velocity that the host gives.
#[test]
fn a_pinned_rod_has_three_coupled_numbers() {
    let system = System::started(&rods([0.0; 4], "1 spar VesPin 0 0 -20 0 0 -28 4 -"), &[3.0, 0.0, -20.0]);
    let rest = [3.0, 0.0, -20.0];
    let (f, _) = system.step(&rest, &[0.0; 3], 0.1);
    let weight = (displaced() - 400.0) * G * 8.0;
    // 400 kg/m is more than the water that the rod displaces: it hangs in balance.
    assert!(weight < 0.0 && apart(&f, &[0.0, 0.0, weight]) < 1e-9 * weight.abs(), "{f:?} {weight}");
    let net = rod_force(system.rod(1));
    assert!(apart(&net[..3], &f) == 0.0 && net[3..] == [0.0; 3], "{net:?}");
    assert!(apart(&rod_node(system.rod(1), 4), &[3.0, 0.0, -28.0]) < 1e-12);
    system.step(&rest, &[0.0, 0.0, 0.5], 0.1);
    let velocity = vector::<3>(|out| unsafe { MoorDyn_GetRodNodeVel(system.rod(1), 3, out) });
    assert!(apart(&velocity, &[0.0, 0.0, 0.5]) < 1e-9, "{velocity:?}");
}

/// Bodies come first, then rods, then points.
#[test]
fn degrees_of_freedom_are_those_of_bodies_rods_and_points() {
    let input = format!(
        "{LINE_TYPES}{ROD_TYPES}spar 0.5 400 1 1 1 1\n{BODIES}1 Coupled 0 0 0 0 0 0 1e5 0 1e6 50 0 0\n\
         {RODS}1 spar Body1 5 0 0 5 0 -4 2 -\n2 spar CoupledPinned 0 50 -5 0 50 -9 2 -\n3 spar Coupled 0 90 -5 0 95 -5 2 -\n\
         4 spar Free 0 150 -1 0 150 3 2 -\n5 spar Pinned 0 200 -1 0 200 -5 2 -\n6 spar Fixed 0 250 -5 0 250 -9 2 -\n\
         7 spar Body1Pinned -5 0 0 -5 0 -4 2 -\n{POINTS}1 Coupled 0 300 -10 0 0 0 0\n2 Fixed 0 900 -200 0 0 0 0\n\
         {LINES}1 main 2 1 640 20 -\n--- OPTIONS ---\n200 WtrDpth\n"
    );
    let system = System::new(&input);
    assert_eq!(system.dofs, 6 + 3 + 6 + 3);
    // The body turns by a quarter about z, and takes its rods along.
    let mut x = vec![1.0, 2.0, 0.0, 0.0, 0.0, 0.5 * PI];
    x.extend([0.0, 51.0, -5.0]);
    x.extend([0.0, 91.0, -5.0, 0.0, 0.0, 0.0]);
    x.extend([0.0, 301.0, -10.0]);
    let system = system.start(&x);
    system.step(&x, &[0.0; 18], 0.05);
    let mut counts = [0; 3];
    unsafe {
        assert_eq!(MoorDyn_GetNumberBodies(system.handle, &mut counts[0]), OK);
        assert_eq!(MoorDyn_GetNumberRods(system.handle, &mut counts[1]), OK);
        assert_eq!(MoorDyn_GetNumberPoints(system.handle, &mut counts[2]), OK);
    }
    assert_eq!(counts, [1, 7, 2]);
    let number = |get: unsafe extern "C" fn(Handle, *mut c_int) -> c_int, rod: u32| {
        let mut found = 99;
        assert_eq!(unsafe { get(system.rod(rod), &mut found) }, OK);
        found
    };
    let types: Vec<c_int> = (1..=7).map(|rod| number(MoorDyn_GetRodType, rod)).collect();
    assert_eq!(types, [2, -1, -2, 0, 1, 2, 1]);
    assert_eq!(number(MoorDyn_GetRodID, 5), 5);
    let (mut segments, mut nodes): (c_uint, c_uint) = (0, 0);
    unsafe {
        assert_eq!(MoorDyn_GetRodN(system.rod(4), &mut segments), OK);
        assert_eq!(MoorDyn_GetRodNumberNodes(system.rod(4), &mut nodes), OK);
    }
    assert_eq!((segments, nodes), (2, 3));
    let ends = [[1.0, 7.0, 0.0], [0.0, 51.0, -5.0], [0.0, 91.0, -5.0], [0.0, 250.0, -5.0], [1.0, -3.0, 0.0]];
    for (rod, a) in [1, 2, 3, 6, 7].into_iter().zip(ends) {
        // Within the tolerance of joints in a step.
        assert!(apart(&rod_node(system.rod(rod), 0), &a) < 1e-9, "{rod}");
    }
    assert!(apart(&position(system.point(1)), &[0.0, 301.0, -10.0]) < 1e-12);
    let mut f = [0.0; 6];
    assert_eq!(unsafe { MoorDyn_GetRodNodePos(system.rod(6), 3, f.as_mut_ptr()) }, INVALID_VALUE);
    assert!(last_error().contains("i = 3 is not a node of rod 6: it has 0 to 2"), "{}", last_error());
    assert!(system.rod(8).is_null());
}

/// A level rod that sinks without drag: (m + rho A Ca) a = (m - rho A) g across it, and the mass
/// matrix is that of a uniform rod, along it with half spheres of water at both ends.
#[test]
fn masses_and_forces_of_a_free_rod_are_those_of_the_closed_form() {
    let (ca, ca_end, length) = (0.8, 0.6, 6.0);
    let input = rods([0.0, ca, 0.0, ca_end], "1 spar Free 0 0 -50 6 0 -50 3 -");
    let system = System::started(&input, &[]);
    let mut m = [[0.0; 6]; 6];
    assert_eq!(unsafe { MoorDyn_GetRodM(system.rod(1), m.as_mut_ptr().cast()) }, OK, "{}", last_error());
    let across = (400.0 + displaced() * ca) * length;
    let along = 400.0 * length + 2.0 * ca_end * RHO * 2.0 / 3.0 * PI * 0.25f64.powi(3);
    let spin = 400.0 * length * 0.25 * 0.25 / 2.0;
    // A solid cylinder about its end, and the added mass across the axis at each place.
    let turning = across * length * length / 3.0 + 400.0 * length * 0.25 * 0.25 / 4.0;
    let lever = 0.5 * across * length;
    let expected = [along, across, across, spin, turning, turning];
    for (k, expected) in expected.into_iter().enumerate() {
        assert!((m[k][k] / expected - 1.0).abs() < 1e-12, "{k}: {} {expected}", m[k][k]);
    }
    assert!((m[2][4] / -lever - 1.0).abs() < 1e-12 && (m[1][5] / lever - 1.0).abs() < 1e-12, "{m:?}");
    for (i, row) in m.iter().enumerate() {
        assert!(row.iter().enumerate().all(|(j, entry)| (entry - m[j][i]).abs() < 1e-9), "{m:?}");
    }
    // At the start nothing moves yet: the net force is weight less buoyancy.
    let weight = (displaced() - 400.0) * G * length;
    let expected = [0.0, 0.0, weight, 0.0, -0.5 * length * weight, 0.0];
    let force = rod_force(system.rod(1));
    assert!(apart(&force, &expected) < 1e-9 * weight.abs(), "{force:?} {expected:?}");
    // Constant acceleration: the scheme is exact.
    let (none, h) = (null(), 0.01);
    for _ in 0..100 {
        let (mut t, mut dt) = (0.0, h);
        let status = unsafe { MoorDyn_Step(system.handle, none, none, std::ptr::null_mut(), &mut t, &mut dt) };
        assert_eq!(status, OK, "{}", last_error());
    }
    let fallen = 0.5 * weight / across;
    let z = rod_node(system.rod(1), 2)[2] + 50.0;
    assert!((z / fallen - 1.0).abs() < 1e-9, "{z} {fallen}");
}

/// The force of a pin is no part of the net force: that of a hanging rod is its weight.
#[test]
fn the_force_of_a_pin_is_no_part_of_the_net_force() {
    let system = System::started(&rods([0.0; 4], "1 spar Pinned 0 0 -20 0 0 -28 4 -"), &[]);
    let weight = (displaced() - 400.0) * G * 8.0;
    let force = rod_force(system.rod(1));
    assert!(apart(&force, &[0.0, 0.0, weight, 0.0, 0.0, 0.0]) < 1e-9 * weight.abs(), "{force:?} {weight}");
}

/// Places are nodes of lines, nodes of rods, points, the ground, bodies. A stream across a held rod
/// gives drag rho/2 d Cd L U^2, and one at the other places none.
#[test]
fn the_host_gives_the_motion_of_the_water_at_nodes_of_rods() {
    let mut rows = "1 spar Coupled 0 0 -20 0 0 -28 4 -\n2 spar Fixed 50 0 -20 50 0 -20 0 -\n".to_owned();
    rows += POINTS;
    rows += "1 Fixed 70 0 -100 0 0 0 0";
    let (cd, length, u) = (1.2, 8.0, 1.5);
    let rest = [0.0, 0.0, -20.0, 0.0, 0.0, 0.0];
    let system = System::started(&rods([cd, 0.0, 0.0, 0.0], &rows), &rest);
    let mut n: c_uint = 0;
    assert_eq!(unsafe { MoorDyn_ExternalWaveKinInit(system.handle, &mut n) }, OK);
    assert_eq!(n, 5 + 1 + 1 + 1);
    let places: [f64; 24] = vector(|out| unsafe { MoorDyn_ExternalWaveKinGetCoordinates(system.handle, out) });
    let heights: Vec<f64> = places.as_chunks::<3>().0.iter().map(|place| place[2]).collect();
    assert!(apart(&heights, &[-20.0, -22.0, -24.0, -26.0, -28.0, -20.0, -100.0, 0.0]) < 1e-12, "{heights:?}");
    let force = |wet: std::ops::Range<usize>| {
        let (mut velocities, still) = ([0.0; 24], [0.0; 24]);
        wet.for_each(|k| velocities[3 * k] = u);
        let set = unsafe { MoorDyn_ExternalWaveKinSet(system.handle, velocities.as_ptr(), still.as_ptr(), 0.0) };
        assert_eq!(set, OK);
        system.step(&rest, &[0.0; 6], 0.01).0
    };
    let drag = 0.5 * RHO * 0.5 * cd * length * u * u;
    assert!((force(0..5)[0] / drag - 1.0).abs() < 1e-12);
    assert!(force(5..8)[0].abs() < 1e-9 * drag);
}

#[test]
fn repeated_steps_with_rods_have_the_same_bits_and_files_name_them() {
    let mut input = format!(
        "{LINE_TYPES}{ROD_TYPES}spar 0.5 400 1 1 1 1\n{RODS}1 spar VesPin 0 0 -5 4 0 -7 4 p,v,W\n\
         2 spar Free 20 0 -1 20 0 3 2 -\n{LINES}1 main R1B R2A 40 10 p\n--- OPTIONS ---\n200 WtrDpth\n1 writeLog\n"
    );
    input += "--- OUTPUTS ---\nRod1PZ\nRod2TenA\nEND\n---";
    let start = [0.0, 0.0, -5.0];
    let system = System::started(&input, &start);
    system.step(&start, &[0.1, 0.0, 0.2], 0.1);
    let saved = system.serialized();
    let step = || {
        let found = system.step(&start, &[0.1, 0.0, 0.2], 0.1).0;
        (found, rod_node(system.rod(2), 2), rod_node(system.rod(1), 4))
    };
    let first = step();
    assert_eq!(system.deserialize(&saved), OK);
    assert_eq!(first, step());

    let rows = system.folder.text("lines_Rod1.out");
    let names: Vec<&str> = rows.lines().next().unwrap().split_whitespace().collect();
    assert_eq!((names.len(), names[1], names[15], names[16]), (1 + 30, "Node0px", "Node4pz", "Node0vx"));
    let last: Vec<f64> = rows.lines().last().unwrap().split_whitespace().map(|word| word.parse().unwrap()).collect();
    assert!(apart(&last[13..16], &first.2) < 1e-6, "{last:?} {first:?}");
    let main = system.folder.text("lines.out");
    assert!(main.starts_with("      Time              Rod1PZ            Rod2TenA\n"), "{main}");
    let log = system.folder.text("lines.log");
    assert!(log.contains("rod 1: output \"W\" is not written: available are pv"), "{log}");
    assert_eq!(unsafe { MoorDyn_SaveVTK(system.handle, system.folder.path("all.vtm").as_ptr()) }, OK);
    let all = system.folder.text("all.vtm");
    assert!(all.contains("name=\"rod2\" file=\"all/rod2.vtp\""), "{all}");
    assert!(system.folder.text("all/rod1.vtp").contains("NumberOfPoints=\"5\""));
}

/// A level rod that the host holds, with a line that bends clamped to its end B and a weight at the
/// end of that, in the air: the host carries the moments of all weights about end A.
#[test]
fn moments_of_clamped_lines_act_on_the_host() {
    let (segments, mass_per_length, tip) = (8, 60.0, 0.0);
    let input = format!(
        "--- LINE TYPES ---\nName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx\n(-) (m) (kg/m) (N) (-) (-) (-) (-) (-) (-)\n\
         cable 0.1 {mass_per_length} 1e8 -1 2e5 0 0 0 0\n{ROD_TYPES}spar 0.5 400 0 0 0 0\n{RODS}1 spar Coupled 0 0 20 2 0 20 1 -\n\
         {POINTS}1 Free 8 0 20 {tip} 0 0 0\n{LINES}1 cable R1B 1 6 {segments} -\n--- OPTIONS ---\n100 WtrDpth\n"
    );
    let level = [0.0, 0.0, 20.0, 0.0, 0.0, 0.0];
    let system = System::started(&input, &level);
    let (f, _) = system.step(&level, &[0.0; 6], 0.01);
    let line = system.line(1);
    let node = |i: u32| -> [f64; 3] { vector(|out| unsafe { MoorDyn_GetLineNodePos(line, i, out) }) };
    let l = 6.0 / f64::from(segments);
    let mut expected = [0.0, 0.0, -400.0 * G * 2.0, 0.0, 400.0 * G * 2.0 * 1.0, 0.0];
    for i in 0..=segments as u32 {
        let own = if i == 0 || i == segments as u32 { 0.5 } else { 1.0 };
        let weight = G * (own * l * mass_per_length + if i == segments as u32 { tip } else { 0.0 });
        expected[2] -= weight;
        expected[4] += node(i)[0] * weight;
    }
    // It hangs down by a twentieth of its length, and is at rest to the rounding of EA/l on 20 m.
    assert!(node(segments as u32)[2] < 19.7, "{:?}", node(segments as u32));
    let rounding = 1e8 / l * 20.0 * 8.0 * f64::EPSILON * 8.0;
    assert!(apart(&f, &expected) < 1e-6 * expected[4] + rounding, "{f:?} {expected:?}");
}
