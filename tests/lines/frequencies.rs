//! Frequencies of lines against those of loaded strings and rods, and of the continua that these
//! approach.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::Simulation;
use std::f64::consts::{PI, TAU};

/// A straight line along x between fixed ends, strained, without gravity.
fn taut(of: &Material, sea: &Sea, strain: f64, length: f64, n: usize) -> Simulation {
    let mut sim = system("generalized-alpha", &Sea { g: 0.0, ..*sea });
    let z = -100.0;
    let ends = [fixed(&mut sim, [0.0, 0.0, z]), fixed(&mut sim, [length * (1.0 + strain), 0.0, z])];
    line(&mut sim, of, ends, length, n);
    sim.initialize(0.0).unwrap();
    sim
}

/// Angular frequencies, rising.
fn frequencies(sim: &Simulation) -> Vec<f64> {
    let (modes, _) = sim.analysis().modes().unwrap();
    let mut all: Vec<f64> = modes.iter().map(|mode| TAU * mode.frequency).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// Along and across, of the chain of masses: sin of j pi/(2 N) in the place of j pi/(2 N).
fn of_chain(of: &Material, sea: &Sea, strain: f64, length: f64, n: usize, j: usize) -> [f64; 2] {
    let l = length / n as f64;
    let s = l * (1.0 + strain);
    let x = (j as f64 * PI / (2.0 * n as f64)).sin();
    let carried = sea.rho * of.area();
    let tension = of.ea * strain;
    let along = 4.0 * of.ea / l * x * x / (l * (of.w + carried * of.cat));
    // A change of angle is the second difference of what is across, over s; EI/l of it is the
    // moment.
    let across = (4.0 * tension / s * x * x + 16.0 * of.ei / (l * s * s) * x.powi(4)) / (l * (of.w + carried * of.can));
    [along.sqrt(), across.sqrt()]
}

const ROPE: Material = Material { d: 0.2, w: 30.0, ea: 6e5, ba: 0.0, ei: 0.0, cdn: 1.2, can: 0.9, cdt: 0.2, cat: 0.4 };

#[test]
fn a_taut_line_has_all_the_frequencies_of_a_chain_of_masses() {
    for (what, of, sea, strain) in [
        ("in the air", ROPE, Sea::NONE, 0.02),
        ("in water", ROPE, Sea { rho: 1025.0, ..Sea::NONE }, 0.02),
        ("bends", Material { ei: 2e4, ..ROPE }, Sea::NONE, 0.01),
        ("hardly strained", Material { ei: 2e4, ..ROPE }, Sea { rho: 1025.0, ..Sea::NONE }, 1e-5),
    ] {
        let (length, n) = (50.0, 12);
        let found = frequencies(&taut(&of, &sea, strain, length, n));
        let mut expected: Vec<f64> = (1..n)
            .flat_map(|j| {
                let [along, across] = of_chain(&of, &sea, strain, length, n, j);
                [along, across, across]
            })
            .collect();
        expected.sort_by(f64::total_cmp);
        assert_eq!(found.len(), expected.len(), "{what}: three of each inner node");
        for (a, b) in found.iter().zip(&expected) {
            // Squares of frequencies to 1e-12 of the largest, whose square is 1e4 to 1e6 times that
            // of the smallest.
            assert!((a / b - 1.0).abs() < 1e-7, "{what}: {a} for {b}\n{found:?}\n{expected:?}");
        }
    }
}

/// Name, material, sea, strain, which of the two of a chain, and angular frequencies of the
/// continuum.
type Kind<'a> = (&'a str, Material, Sea, f64, usize, &'a dyn Fn(usize) -> f64);

#[test]
fn frequencies_along_and_across_approach_those_of_rod_string_and_beam_with_second_order() {
    let (length, sizes) = (50.0, [8, 16, 32]);
    let carried = 1025.0 * ROPE.area();
    let wet = Sea { rho: 1025.0, ..Sea::NONE };
    let beam = Material { ei: 2e4, ..ROPE };
    let wave = |j: usize| j as f64 * PI / length;
    // Taut by EA strain, with a mass w per unstretched length on 1 + strain times as much; a beam
    // is hardly taut at all.
    let (strain, slight) = (0.01, 1e-7);
    let rod = |j: usize| wave(j) * (ROPE.ea / (ROPE.w + carried * ROPE.cat)).sqrt();
    let string = |j: usize| wave(j) * (ROPE.ea * strain / (1.0 + strain) / (ROPE.w + carried * ROPE.can)).sqrt();
    let bent = |j: usize| ((wave(j).powi(4) * beam.ei + wave(j).powi(2) * beam.ea * slight) / beam.w).sqrt();
    let kinds: [Kind; 3] = [
        ("rod", ROPE, wet, strain, 0, &rod),
        ("string", ROPE, wet, strain, 1, &string),
        ("beam", beam, Sea::NONE, slight, 1, &bent),
    ];
    for (what, of, sea, strain, kind, exact) in kinds {
        let found: Vec<_> = sizes.iter().map(|n| (*n, frequencies(&taut(&of, &sea, strain, length, *n)))).collect();
        for j in 1..=3 {
            let error = |(n, all): &(usize, Vec<f64>)| {
                // The frequency nearest to that of the chain: the test above has shown them to be
                // the same.
                let wanted = of_chain(&of, &sea, strain, length, *n, j)[kind];
                let nearest = all.iter().min_by(|a, b| (*a - wanted).abs().total_cmp(&(*b - wanted).abs())).unwrap();
                (1.0 / *n as f64, (nearest / exact(j) - 1.0).abs())
            };
            let table: Vec<_> = found.iter().map(error).collect();
            assert_order(&format!("{what} {j}"), &table, 2.0, 0.15);
        }
    }
}

/// w = j_k/2 sqrt(g/L), j_k the zeros of the Bessel function J0 (Lamb, Hydrodynamics; Bernoulli
/// 1733).
#[test]
fn a_hanging_chain_swings_at_the_zeros_of_bessels_function() {
    let zeros = [2.404_825_557_695_773, 5.520_078_110_286_311, 8.653_727_912_911_013];
    let (length, g) = (20.0, 9.81);
    let of = Material { ea: 1e9, ..ROPE };
    let mut errors = vec![Vec::new(); 3];
    for n in [16, 32, 64] {
        let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
        // Strained by w g L/EA: 6e-6 at the top.
        let ends = [fixed(&mut sim, [0.0; 3]), free(&mut sim, 0.0, [0.0, 0.0, -length])];
        line(&mut sim, &of, ends, length, n);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-9).unwrap();
        let found = frequencies(&sim);
        for (k, zero) in zeros.into_iter().enumerate() {
            let exact = 0.5 * zero * (g / length).sqrt();
            let pair = [found[2 * k], found[2 * k + 1]];
            assert!((pair[0] / pair[1] - 1.0).abs() < 1e-5, "both ways across: {pair:?}");
            errors[k].push((1.0 / n as f64, (pair[0] / exact - 1.0).abs()));
        }
    }
    for (k, errors) in errors.iter().enumerate() {
        assert_order(&format!("zero {k}"), errors, 2.0, 0.2);
    }
}
