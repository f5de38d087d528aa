//! Free points and nodes of lines where the host puts them in a run.

use crate::common::*;
use crate::models::*;
use crate::mooring::{Mooring, N, Placed};
use crate::reference::{Material, Sea};
use pintle::Simulation;
use std::f64::consts::{PI, TAU};

const ROPE: Material = Material { d: 0.02, w: 2.0, ea: 1e6, ba: 0.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };

/// Positions and velocities of the nodes of a line.
fn nodes<const M: usize>(sim: &Simulation, line: pintle::Id) -> [[V3; M]; 2] {
    let mut both = [[[0.0; 3]; M]; 2];
    let [x, v] = &mut both;
    sim.lines().positions(line, x).unwrap();
    sim.lines().velocities(line, v).unwrap();
    both
}

/// A taut line that is let go from the shape of a mode of its chain of masses swings with it: w^2 =
/// 4 T/(s w l) sin^2(k pi/(2 N)), with s and l the lengths of a segment with and without strain.
#[test]
fn a_plucked_string_swings_with_the_frequency_of_its_chain() {
    const SEGMENTS: usize = 6;
    let (length, strain, amplitude) = (12.0, 0.05, 1e-4);
    for at in [[0.0; 3], [1e6, -2e6, 1e6]] {
        for scheme in ["rk4", "generalized-alpha", "ab4"] {
            let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
            sim.settings().set_option("rho_inf", 1.0).unwrap();
            let span = (1.0 + strain) * length;
            let ends = [fixed(&mut sim, at), fixed(&mut sim, add(at, [span, 0.0, 0.0]))];
            let line = line(&mut sim, &ROPE, ends, length, SEGMENTS);
            sim.initialize(0.0).unwrap();
            let [mut x, mut v] = nodes::<{ SEGMENTS + 1 }>(&sim, line);
            let mode = |node: usize| amplitude * (2.0 * PI * node as f64 / SEGMENTS as f64).sin();
            x.iter_mut().enumerate().for_each(|(node, x)| x[1] += mode(node));
            // Ends that are tied are not moved.
            (x[0], v[SEGMENTS]) = ([7.0; 3], [3.0; 3]);
            sim.inputs().set_line_coordinates(line, &x, &v).unwrap();
            let [placed, still] = nodes::<{ SEGMENTS + 1 }>(&sim, line);
            assert_eq!((placed[0], still[SEGMENTS]), (at, [0.0; 3]));
            let (l, s) = (length / SEGMENTS as f64, span / SEGMENTS as f64);
            let sine = (2.0 * PI / (2 * SEGMENTS) as f64).sin();
            let w = 2.0 * sine * (ROPE.ea * strain / (s * ROPE.w * l)).sqrt();
            // 2000 steps a period: trapezoidal steps are late by (w h)^2/12 of the phase, 6.5e-6
            // rad after five quarters, the others by its square.
            let h = TAU / w / 2000.0;
            for _ in 0..2500 {
                sim.step(h).unwrap();
            }
            // Every node passes its place.
            let [x, v] = nodes::<{ SEGMENTS + 1 }>(&sim, line);
            // Places far away are rounded to 2e-10, a part of 2e-6 of the amplitude, of which some
            // hundred steps add up.
            let rounding = if at[0] == 0.0 { 0.0 } else { 1e-3 };
            for node in 1..SEGMENTS {
                let off = (x[node][1] - at[1]) / amplitude;
                assert!(off.abs() < 1e-5 + rounding, "{scheme} {at:?}, node {node}: {off}");
                let speed = -v[node][1] / (w * amplitude) - mode(node) / amplitude;
                assert!(speed.abs() < 1e-5 + rounding, "{scheme} {at:?}, node {node}: {speed}");
            }
        }
    }
}

/// A run that is put where another one is goes on as that one, as far as a scheme has no memory.
#[test]
fn a_run_goes_on_from_the_places_of_another_one() {
    let mut first = Mooring::new("rk4", Placed::HERE);
    // Where friction holds nodes is not given back.
    first.sim.settings().set_environment("seabed_friction", 0.0).unwrap();
    let mut first = first.begin();
    first.run([0.01; 20]);
    let mut second = first.sim.clone();
    let there = first.lines.map(|line| nodes::<{ N + 1 }>(&first.sim, line));
    let point =
        |sim: &Simulation| [sim.points().position(first.weight).unwrap(), sim.points().velocity(first.weight).unwrap()];
    let [position, velocity] = point(&first.sim);
    // Elsewhere, and back.
    second.inputs().set_point_coordinates(first.weight, &add(position, [0.1, 0.2, -0.3]), &[0.0; 3]).unwrap();
    for line in first.lines {
        let [mut x, v] = nodes::<{ N + 1 }>(&second, line);
        x.iter_mut().for_each(|x| x[2] -= 0.2);
        second.inputs().set_line_coordinates(line, &x, &v).unwrap();
    }
    assert!(distance(point(&second)[0], position) > 0.3);
    second.inputs().set_point_coordinates(first.weight, &position, &velocity).unwrap();
    for (line, [x, v]) in first.lines.into_iter().zip(&there) {
        second.inputs().set_line_coordinates(line, x, v).unwrap();
    }
    assert_eq!(point(&second), point(&first.sim));
    for sim in [&mut first.sim, &mut second] {
        (0..10).for_each(|_| sim.step(0.002).unwrap());
    }
    for line in first.lines {
        let [a, b] = [&first.sim, &second].map(|sim| nodes::<{ N + 1 }>(sim, line));
        for node in 0..=N {
            let apart = distance(a[0][node], b[0][node]);
            assert!(apart < 1e-9, "line {line} node {node}: {apart:e}");
        }
    }
}

#[test]
fn places_that_cannot_be_are_refused() {
    let mut sim = Mooring::new("generalized-alpha", Placed::HERE).sim;
    let far = [[1.0, 2.0, 3.0]; N + 1];
    let error = sim.inputs().set_line_coordinates(0, &far, &far).unwrap_err().to_string();
    assert!(error.contains("call pintle_initialize first"), "{error}");
    sim.initialize(0.0).unwrap();
    let before = sim.save().unwrap().to_bytes();
    let mut bad = far;
    bad[3][1] = f64::NAN;
    for error in [
        sim.inputs().set_line_coordinates(0, &bad, &far),
        sim.inputs().set_line_coordinates(0, &far, &bad),
        sim.inputs().set_line_coordinates(0, &far[1..], &far),
        sim.inputs().set_line_coordinates(9, &far, &far),
        sim.inputs().set_point_coordinates(0, &[f64::INFINITY; 3], &[0.0; 3]),
        // It is on the body.
        sim.inputs().set_point_coordinates(0, &[0.0; 3], &[0.0; 3]),
    ] {
        error.unwrap_err();
        assert!(sim.save().unwrap().to_bytes() == before);
    }
}
