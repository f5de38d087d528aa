//! Internal pressure of lines in closed form: strings, beams and columns of contents.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::Simulation;
use std::f64::consts::{PI, TAU};

/// A hose.
const HOSE: Material = Material { d: 0.2, w: 30.0, ea: 1e6, ba: 0.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const LENGTH: f64 = 10.0;
const N: usize = 8;

fn area(of: &Material) -> f64 {
    0.25 * PI * of.d * of.d
}

/// A straight hose between fixed ends.
fn between(of: &Material, direction: V3, at: V3, span: f64, pressure: &[f64]) -> Simulation {
    let mut sim = system("generalized-alpha", &Sea { g: 0.0, ..Sea::NONE });
    let ends = [at, add(at, scale(span, direction))].map(|at| fixed(&mut sim, at));
    line(&mut sim, of, ends, LENGTH, N);
    sim.inputs().set_line_pressure(0, pressure).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// Transverse modes of a chain of masses m = w l with the effective tension T and joints of EI/l: m
/// w^2 = 4 (T/s) sin^2 + 16 (EI/l^3) sin^4 of k pi/(2N), each twice; s is the length of a segment,
/// l that without strain.
#[test]
fn pressure_softens_strings_and_beams_as_their_effective_tension_says() {
    let up = rotate(quat_exp([0.3, 1.1, -0.7]), [1.0, 0.0, 0.0]);
    for (ei, span, thrust, at) in [
        (0.0, 1.02 * LENGTH, 0.7 * 2e4, [0.0; 3]),
        (0.0, 1.02 * LENGTH, -2e4, [0.0; 3]),
        // Half of Euler's load.
        (2e4, 1.002 * LENGTH, 2e3 + 0.5 * PI * PI * 2e4 / (LENGTH * LENGTH), [0.0; 3]),
        // Places are rounded to 1e-10 there, strains to 1e-10.
        (2e4, 1.002 * LENGTH, 2e3 + 0.5 * PI * PI * 2e4 / (LENGTH * LENGTH), [1e6, -1e6, 2e6]),
    ] {
        let of = Material { ei, ..HOSE };
        let sim = between(&of, up, at, span, &[thrust / area(&of)]);
        let (modes, motion) = sim.analysis().modes().unwrap();
        let rounding = 1e-9 * (1.0 + at[0].abs() / 1e3);
        assert!(motion[0] == 0.0 && motion[1] < 1e6 * rounding, "{motion:?}");
        let (l, s) = (LENGTH / N as f64, span / N as f64);
        let tension = of.ea * (s / l - 1.0) - thrust;
        let square = |k: usize| {
            let sine = (k as f64 * PI / (2 * N) as f64).sin();
            let bends = 16.0 * ei / (l * s * s) * sine.powi(4);
            (4.0 * tension / s * sine * sine + bends) / (of.w * l)
        };
        let mut expected: Vec<f64> = (1..N).flat_map(|k| [square(k).sqrt(); 2]).collect();
        // Those along it have EA alone.
        expected.extend((1..N).map(|k| {
            let sine = (k as f64 * PI / (2 * N) as f64).sin();
            2.0 / l * (of.ea / of.w).sqrt() * sine
        }));
        expected.sort_by(f64::total_cmp);
        let mut found: Vec<f64> = modes.iter().map(|mode| TAU * mode.frequency).collect();
        found.sort_by(f64::total_cmp);
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let error = (found * found - expected * expected).abs();
            assert!(error < rounding * of.ea / (of.w * l * l), "EI {ei}, p A {thrust}: {found} {expected}");
        }
        let ends = end_forces(&sim, 0);
        let pull = scale(tension, up);
        let largest = thrust.abs().max(tension.abs());
        assert!(distance(ends[0], pull) < 1e3 * rounding * largest, "{:?} {pull:?}", ends[0]);
        assert!(distance(ends[1], scale(-1.0, pull)) < 1e3 * rounding * largest, "{:?} {pull:?}", ends[1]);
    }
}

/// A closed hose that hangs full of a fluid at rest: the bottom carries the contents, and so does
/// the wall all the way up, whose tension is the weight of the contents and of the wall below.
#[test]
fn a_hanging_hose_carries_its_contents_at_its_end() {
    for unit in [1.0, 1e3, 1e-3] {
        let g = 9.81 * unit;
        // Half of the mass is the contents. Forces are kg and units of length.
        let of = Material { d: 0.2 * unit, w: 30.0 / unit, ea: 1e6 * unit, ..HOSE };
        let length = LENGTH * unit;
        let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
        let top = fixed(&mut sim, [0.0; 3]);
        let bottom = free(&mut sim, 0.0, [0.0, 0.0, -length]);
        line(&mut sim, &of, [top, bottom], length, N);
        let l = length / N as f64;
        let contents = 15.0 / unit * g;
        let pressure: Vec<f64> = (0..=N).map(|node| contents * l * node as f64 / area(&of)).collect();
        sim.inputs().set_line_pressure(0, &pressure).unwrap();
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(50, 1e-12).unwrap();
        let mut tensions = [0.0; N];
        sim.lines().tensions(0, &mut tensions).unwrap();
        for (j, tension) in tensions.into_iter().enumerate() {
            // Of the wall and of the contents below the middle of a segment, and the mean pressure
            // there.
            let below = length - (j as f64 + 0.5) * l;
            let expected = contents * below + contents * below + contents * (length - below);
            assert!((tension / expected - 1.0).abs() < 1e-9, "segment {j}: {tension} {expected}");
        }
        let weight = end_forces(&sim, 0)[0];
        assert_close("weight", &weight, &[0.0, 0.0, -of.w * length * g], 1e-9 * of.w * length * g);
    }
}

/// A hose of one segment with a mass at its free end, in which the pressure rises at once, swings
/// about the strain p A/EA, and keeps its energy: to the order of each scheme.
fn swinging(scheme: &str) -> Simulation {
    let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
    let ends = [fixed(&mut sim, [0.0; 3]), free(&mut sim, 100.0, [LENGTH, 0.0, 0.0])];
    line(&mut sim, &HOSE, ends, LENGTH, 1);
    sim.inputs().set_line_pressure(0, &[0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn a_jump_of_pressure_starts_a_swing_of_the_second_order() {
    let mass = 100.0 + 0.5 * HOSE.w * LENGTH;
    let frequency = (HOSE.ea / LENGTH / mass).sqrt();
    let strain = 0.01;
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4"] {
        let error = |n: i32| {
            let mut sim = swinging(scheme);
            sim.inputs().set_line_pressure(0, &[strain * HOSE.ea / area(&HOSE)]).unwrap();
            // A time at which the swing is neither at rest nor at its middle.
            let end = 4.0 / frequency;
            for k in 0..n {
                // Steps of two lengths.
                let h = end / n as f64 * if k % 2 == 0 { 1.5 } else { 0.5 };
                sim.step(h).unwrap();
            }
            let moved = sim.points().position(1).unwrap()[0] - LENGTH;
            moved - strain * LENGTH * (1.0 - 4.0f64.cos())
        };
        let [coarse, fine] = [200, 400].map(error);
        let order = (coarse / fine).log2();
        let expected = if scheme == "rk4" { 4.0 } else { 2.0 };
        // The next term of the error is less by the phase of a step, 0.02, times some five.
        assert!((order - expected).abs() < 0.15, "{scheme}: {order}, {coarse:e} {fine:e}");
        assert!(fine.abs() < 1e-4 * strain * LENGTH, "{scheme}: {fine:e}");
    }
}

/// The pressure belongs to the state: what is restored has it, a rejected trial and a copy too.
#[test]
fn the_pressure_is_restored_with_the_state() {
    for scheme in ["generalized-alpha", "rk4", "ab3"] {
        let mut sim = swinging(scheme);
        let untouched = sim.save().unwrap();
        sim.inputs().set_line_pressure(0, &[1e5, 3e5]).unwrap();
        (0..5).for_each(|_| sim.step(1e-3).unwrap());
        let bytes = sim.save().unwrap().to_bytes();
        let mut fresh = swinging(scheme);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        let mut copy = sim.clone();
        let of = |sim: &Simulation| {
            let mut nodes = [[0.0]; 2];
            sim.lines().pressure(0, &mut nodes).unwrap();
            nodes
        };
        assert_eq!([of(&fresh), of(&copy)], [[[1e5], [3e5]]; 2]);
        sim.advance(5e-3).unwrap();
        sim.reject().unwrap();
        for one in [&mut sim, &mut fresh, &mut copy] {
            (0..5).for_each(|_| one.step(1e-3).unwrap());
        }
        let [own, restored, copied] = [&sim, &fresh, &copy].map(|one| one.save().unwrap().to_bytes());
        assert!(own == restored && own == copied, "{scheme}");
        fresh.restore(&untouched).unwrap();
        assert_eq!(of(&fresh), [[0.0]; 2]);
    }
}

/// A hose of one segment under pressure between two masses that spin about their middle at 0.3 rad
/// per step, with the steady length, where EA (s/l - 1) - p A = m W^2 s/2: no scheme gains energy
/// in 3000 steps, and without numerical dissipation none is lost, nor does the length change.
#[test]
fn a_hose_under_pressure_spins_without_gaining_energy() {
    let (masses, rate, thrust) = (50.0, 3.0, 3e4);
    let m = masses + 0.5 * HOSE.w * LENGTH;
    let span = (HOSE.ea + thrust) / (HOSE.ea / LENGTH - 0.5 * m * rate * rate);
    for (scheme, rho) in [
        ("generalized-alpha", 0.0),
        ("generalized-alpha", 0.8),
        ("generalized-alpha", 1.0),
        ("momentum-alpha", 0.8),
        ("hht", 0.8),
        ("newmark", 0.8),
    ] {
        let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
        sim.settings().set_option("rho_inf", rho).unwrap();
        let ends = [-0.5, 0.5].map(|side| {
            let end = free(&mut sim, masses, [side * span, 0.0, 0.0]);
            sim.build().set_point_velocity(end, &[0.0, side * span * rate, 0.0]).unwrap();
            end
        });
        line(&mut sim, &HOSE, ends, LENGTH, 1);
        sim.inputs().set_line_pressure(0, &[thrust / area(&HOSE)]).unwrap();
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| {
            let (kinetic, potential) = sim.outputs().energy().unwrap();
            kinetic + potential
        };
        let (start, turning) = (energy(&sim), 2.0 * 0.5 * m * (0.5 * span * rate).powi(2));
        for _ in 0..3000 {
            sim.step(0.1).unwrap();
            // Rounding of positions, 1e-15 of the length, times EA.
            let gained = energy(&sim) - start;
            assert!(gained < 1e-10 * turning, "{scheme} {rho}: {gained} of {turning}");
            if rho == 1.0 || scheme == "newmark" {
                let [a, b] = ends.map(|end| sim.points().position(end).unwrap());
                let off = distance(a, b) / span - 1.0;
                assert!(gained.abs() < 1e-10 * turning && off.abs() < 1e-11, "{scheme} {rho}: {gained} {off}");
            }
        }
    }
}

#[test]
fn the_force_of_pressure_is_one_of_the_causes() {
    let thrust = 300.0;
    let sim = between(&HOSE, [1.0, 0.0, 0.0], [0.0; 3], 1.01 * LENGTH, &[thrust / area(&HOSE)]);
    let mut out = [[0.0; 3]; N + 1];
    sim.lines().node_loads(0, "pressure", &mut out).unwrap();
    for (node, force) in out.into_iter().enumerate() {
        let expected = [
            if node == 0 {
                -thrust
            } else if node == N {
                thrust
            } else {
                0.0
            },
            0.0,
            0.0,
        ];
        assert!(distance(force, expected) < 1e-12 * thrust, "{node}: {force:?}");
    }
}

#[test]
fn a_pressure_that_a_line_cannot_have_is_refused() {
    let mut sim = system("generalized-alpha", &Sea::NONE);
    let ends = [fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [LENGTH, 0.0, 0.0])];
    let [full, empty] = [0, 1].map(|_| line(&mut sim, &HOSE, ends, LENGTH, 2));
    sim.inputs().set_line_pressure(full, &[0.0]).unwrap();
    let refused = |sim: &mut Simulation, line, pressure: &[f64], words: &str| {
        let error = sim.inputs().set_line_pressure(line, pressure).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    for _ in 0..2 {
        refused(&mut sim, full, &[], "expected 1 or 3 (the number of nodes of the line)");
        refused(&mut sim, full, &[1.0, 2.0], "expected 1 or 3");
        refused(&mut sim, full, &[1.0, f64::NAN, 2.0], "pressure[1]");
        refused(&mut sim, 7, &[1.0], "7");
        if sim.phase() == pintle::Phase::Building {
            sim.initialize(0.0).unwrap();
        }
    }
    refused(&mut sim, empty, &[1.0], "was given no internal pressure before pintle_initialize");
    sim.advance(0.1).unwrap();
    refused(&mut sim, full, &[1.0], "between steps");
    let mut nodes = [[1.0]; 3];
    sim.lines().pressure(empty, &mut nodes).unwrap();
    assert_eq!(nodes, [[0.0]; 3]);
    sim.lines().pressure(full, &mut nodes[1..]).unwrap_err();
}
