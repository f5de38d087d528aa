//! The OC3 Hywind spar as one rigid body on a bushing: natural frequencies against its matrices and
//! the published ones.
//!
//! Data: Jonkman, Definition of the Floating System for Phase IV of OC3 (NREL/TP-500-47535).
//! Stiffness = hydrostatics without weight + weight + mooring + extra yaw spring, so gravity is not
//! switched on a second time.

use crate::common::models::oc3::*;
use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};
use std::f64::consts::TAU;

/// Hydrostatics + weight + mooring + extra yaw stiffness; unsymmetric (mooring 2821 against 2816
/// kN, weight roll-yaw).
fn stiffness() -> M6 {
    let mut k = [[0.0; 6]; 6];
    k[0][0] = 41180.0;
    k[1][1] = 41180.0;
    k[2][2] = 332941.0 + 11940.0;
    k[3][3] = -4999180000.0 + 6169922822.987334 + 311100000.0;
    k[4][4] = k[3][3];
    k[5][5] = 11560000.0 + 98340000.0;
    k[0][4] = -2821000.0;
    k[4][0] = -2816000.0;
    k[1][3] = 2821000.0;
    k[3][1] = 2816000.0;
    k[3][5] = -921825.9729012027;
    k
}

fn total_mass() -> M6 {
    let (m, a) = (inertia(), added_mass());
    std::array::from_fn(|i| std::array::from_fn(|j| m[i][j] + a[i][j]))
}

/// The spar at rest at a small displacement (surge sway heave, rotation vector).
fn spar(displacement: [f64; 6], damping: &[f64; 36], frame: Frame) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    let (x, turn) = halves(displacement);
    let body = sim.build().add_body(&columns(&inertia()), &pose(x, quat_exp(turn))).unwrap();
    sim.settings().set_added_mass(body, &columns(&added_mass()), frame).unwrap();
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &columns(&stiffness()), damping).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

/// Mean frequency (Hz) from the zero crossings of one displacement, times by linear interpolation.
fn frequency(sim: &mut Simulation, body: Id, component: usize, dt: f64, cycles: usize) -> f64 {
    let read = |sim: &Simulation| {
        let p = sim.outputs().body_pose(body).unwrap();
        join(place(&p), rotation_vector(turn(&p)))[component]
    };
    let (mut crossings, mut old, mut n) = (Vec::new(), read(sim), 0);
    while crossings.len() < 2 * cycles + 1 {
        sim.step(dt).unwrap();
        n += 1;
        let new = read(sim);
        if old * new < 0.0 {
            crossings.push((n as f64 - new / (new - old)) * dt);
        }
        old = new;
        assert!(n < 1_000_000, "no oscillation");
    }
    cycles as f64 / (crossings[2 * cycles] - crossings[0])
}

/// Frequencies (rad/s) and shapes (surge, pitch) of [m] x'' + [k] x = 0 for two coupled dofs:
/// lambda from det(K - lambda M) = 0, slow mode first.
fn surge_pitch() -> [(f64, [f64; 2]); 2] {
    let (m, k) = (total_mass(), stiffness());
    let (a, b, c, d) = (m[0][0], m[0][4], m[4][0], m[4][4]);
    let (e, f, g, h) = (k[0][0], k[0][4], k[4][0], k[4][4]);
    let second = a * d - b * c;
    let first = -(e * d + a * h - f * c - b * g);
    let zeroth = e * h - f * g;
    let root = (first * first - 4.0 * second * zeroth).sqrt();
    // heave couples to pitch through the rotor's overhang (c in M_struct, 1e-3 of the diagonal):
    // left out, effect 1e-6
    [-1.0, 1.0].map(|sign| {
        let lambda = (-first + sign * root) / (2.0 * second);
        // (K - lambda M) x = 0, first row
        (lambda.sqrt(), [-(f - lambda * b), e - lambda * a])
    })
}

/// Relative error of a frequency measured at step `dt`: the scheme's |kappa| (w h)^2, and linear
/// interpolation of a sine (error of the crossing at most (w h)^2/15.6 of a radian, over many
/// cycles).
fn measuring_error(w: f64, dt: f64, cycles: usize) -> f64 {
    (w * dt).powi(2) * (frequency_error(1.0).abs() + 2.0 / 15.6 / (TAU * cycles as f64))
}

#[test]
fn heave_has_the_frequency_of_its_matrices_and_the_published_one() {
    let w = (stiffness()[2][2] / total_mass()[2][2]).sqrt();
    let dt = 0.2;
    for frame in [Frame::Inertial, Frame::Body] {
        let (mut sim, body) = spar([0.0, 0.0, 0.01, 0.0, 0.0, 0.0], &[0.0; 36], frame);
        let hz = frequency(&mut sim, body, 2, dt, 10);
        // coupling to pitch: (94000/8288930)*(94000/1e11) of the frequency, 1e-8
        let tolerance = 2.0 * measuring_error(w, dt, 10) + 1e-6;
        assert!((hz * TAU / w - 1.0).abs() < tolerance, "{hz} Hz, expected {} within {tolerance:e}", w / TAU);
        // published 0.032 Hz, three decimals; OpenFAST 0.0312 with drag: within 5 %
        assert!((hz - 0.032).abs() < 5e-4, "{hz} Hz");
        assert!((hz / 0.0312 - 1.0).abs() < 0.05);
    }
}

#[test]
fn damped_heave_decays_with_the_published_damping() {
    let (m, k, b) = (total_mass()[2][2], stiffness()[2][2], 1.3e5);
    let (decay, dt) = (b / (2.0 * m), 0.2);
    let w = (k / m - decay * decay).sqrt();
    let (mut sim, body) = spar([0.0, 0.0, 0.01, 0.0, 0.0, 0.0], &additional_damping(), Frame::Inertial);
    let (mut worst, mut t) = (0.0f64, 0.0);
    for _ in 0..1500 {
        sim.step(dt).unwrap();
        t += dt;
        let z = sim.outputs().body_pose(body).unwrap()[2] / 0.01;
        worst = worst.max((z - (-decay * t).exp() * ((w * t).cos() + decay / w * (w * t).sin())).abs());
    }
    // phase error (w h)^2/12 * w t at most where the decay e^(-d t) still leaves amplitude: w/(e
    // d); start (w h)^2
    let bound = (w * dt).powi(2) * (w / (12.0 * std::f64::consts::E * decay) + 1.0);
    assert!(worst < bound, "{worst:e}, bound {bound:e}");
}

#[test]
fn surge_and_pitch_modes_have_the_frequencies_of_the_matrices_and_the_published_ones() {
    let dt = 0.1;
    let published = [(0.008, 5e-4, 0.00807), (0.034, 5e-4, 0.03294)];
    for (mode, ((w, shape), (hz_published, rounding, openfast))) in surge_pitch().into_iter().zip(published).enumerate()
    {
        // pitch of 1e-4 rad in the mode's shape: nonlinear terms are 1e-8 of the linear ones,
        // coupling to the other dofs 1e-3
        let factor = 1e-4 / shape[1];
        let (mut sim, body) =
            spar([shape[0] * factor, 0.0, 0.0, 0.0, shape[1] * factor, 0.0], &[0.0; 36], Frame::Inertial);
        let hz = frequency(&mut sim, body, 4, dt, 5);
        println!("mode {mode}: {hz:.5} Hz, matrices {:.5}, published {hz_published}, OpenFAST {openfast}", w / TAU);
        // heave is coupled by 94000 kg m (rotor overhang): (c^2/(m_z J_p)) ~ 1e-8 relative in
        // frequency; other dofs alike
        let tolerance = 2.0 * measuring_error(w, dt, 5) + 1e-5;
        assert!((hz * TAU / w - 1.0).abs() < tolerance, "{hz} Hz, expected {} within {tolerance:e}", w / TAU);
        // published with three decimals: half a digit; the forum's values carry drag and the
        // flexible tower: 5 %
        assert!((hz - hz_published).abs() < rounding, "mode {mode}: {hz} against {hz_published}");
        assert!((hz / openfast - 1.0).abs() < 0.05, "mode {mode}: {hz} against OpenFAST {openfast}");
    }
}

#[test]
fn yaw_has_the_frequency_of_its_matrices() {
    // yaw couples to sway and roll by the overhang: (c^2/(m J_z)) = 94000^2/(8e6 * 1.9e8) = 6e-6
    // and d^2/(J_r J_z) = 4e-6
    let w = (stiffness()[5][5] / total_mass()[5][5]).sqrt();
    let dt = 0.05;
    let (mut sim, body) = spar([0.0, 0.0, 0.0, 0.0, 0.0, 1e-4], &[0.0; 36], Frame::Inertial);
    let hz = frequency(&mut sim, body, 5, dt, 10);
    let tolerance = 2.0 * measuring_error(w, dt, 10) + 2e-5;
    assert!((hz * TAU / w - 1.0).abs() < tolerance, "{hz} Hz, expected {} within {tolerance:e}", w / TAU);
    // published 0.121 Hz (three decimals) for the flexible turbine; this lumped yaw inertia gives
    // 0.1197: 2 %
    assert!((hz / 0.121 - 1.0).abs() < 0.02, "{hz}");
}
