//! Modes of matrices on which eigenvalue iterations have failed.

use crate::common::*;
use pintle::{Frame, GROUND, Simulation};
use std::f64::consts::TAU;

/// Matrices on which the shifts of the QR algorithm are periodic, because their roots are mirror
/// images of each other.
#[test]
fn undamped_motions_on_unsymmetric_stiffness_have_modes_and_stable_steps() {
    let mut circular = 0;
    for k in 0..600 {
        let mut random = Random(k + 1);
        let mut whole = |from: f64, to: f64| (from + (to - from) * 0.5 * (1.0 + random.signed())).floor();
        // Heave, roll, pitch; a moment about y by roll, its opposite about x by pitch.
        let [heave, roll, pitch, across] =
            [(10.0, 40.0), (10.0, 40.0), (10.0, 40.0), (1.0, 21.0)].map(|(a, b)| whole(a, b));
        let mut stiffness = diagonal([0.0, 0.0, heave, roll, pitch, 0.0]);
        (stiffness[3 + 6 * 4], stiffness[4 + 6 * 3]) = (across, -across);
        let mut sim = Simulation::new();
        sim.settings().set_scheme("rk4").unwrap();
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.25, 1.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &stiffness, &[0.0; 36]).unwrap();
        sim.initialize(0.0).unwrap();
        // s^2 = -k of heave; those of roll and pitch from the trace and determinant of J^-1 K.
        let [a, b] = [roll, pitch / 1.25];
        let determinant = (roll * pitch + across * across) / 1.25;
        let half = 0.5 * (a + b);
        let square = half * half - determinant;
        let root = if square < 0.0 { determinant.sqrt() } else { half + square.sqrt() };
        circular += usize::from(square < 0.0);
        let (modes, _) = sim.analysis().modes().unwrap();
        let fastest = modes.iter().map(|mode| mode.frequency * TAU).fold(0.0, f64::max);
        assert_close("fastest", &[fastest], &[root.max(heave).sqrt()], 1e-6 * fastest);
        // On the imaginary axis rk4 is stable up to 2.83; a root beside it allows less or, damped,
        // as much.
        let step = sim.outputs().statistic("stable_step").unwrap();
        assert!(step * heave.sqrt() < 2.829 && step * fastest > 0.3, "{k}: {step}, {fastest}");
    }
    assert!(circular > 100, "{circular}");
    // A constant force makes triple zero roots beside the others.
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[1.0, 0.0, -0.5], &[1.0, 1.25, 1.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[5.0, -4.0, -2.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    assert!(!sim.analysis().modes().unwrap().0.is_empty());
}
