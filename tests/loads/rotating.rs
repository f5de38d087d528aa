//! Modes of rotors in axes that turn with them: a published cantilever, and what does not turn.

use crate::beams::{Straight, still};
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

/// Thin and hardly extensible: shear, rotational inertia and stretching change frequencies by less
/// than 2e-5.
const THIN: Straight = Straight {
    length: 10.0,
    stiffness: [1e10, 1e8, 1e8, 1e4, 1.4e4, 1.4e4],
    mass: [1.2, 3e-4, 1.5e-4, 1.5e-4],
    damping: 0.0,
    lumped: false,
};

/// The beam along x from the axis z on, which turns at a rate; its tip. `far`: where the axis is.
fn turning(elements: i32, rate: f64, far: f64) -> (Simulation, Id) {
    let mut sim = still();
    let place = [far, 0.0, 0.0];
    let hub =
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(place, UNROTATED)).unwrap();
    sim.build().set_body_velocity(hub, &[0.0, 0.0, 0.0, 0.0, 0.0, rate]).unwrap();
    let hinge = sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &place, Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(hinge, true).unwrap();
    sim.inputs().set_joint_motion(hinge, 0.0, rate, 0.0).unwrap();
    let Straight { length, stiffness, mass, damping, .. } = THIN;
    let ends = [&place, &[far + length, 0.0, 0.0]];
    let beam = sim.elements().add_uniform_beam(ends, &[0.0, 1.0, 0.0], &stiffness, &mass, &[damping; 6]).unwrap();
    sim.elements().attach_beam(beam, 0, hub).unwrap();
    sim.elements().mesh_beam(beam, elements).unwrap();
    for node in 1..=elements {
        let body = pintle::Beams::of(&sim).body(beam, node).unwrap();
        let radius = length * f64::from(node) / f64::from(elements);
        sim.build().set_body_velocity(body, &[0.0, rate * radius, 0.0, 0.0, 0.0, rate]).unwrap();
    }
    let tip = pintle::Beams::of(&sim).body(beam, elements).unwrap();
    sim.settings().set_option("rotating_modes", 1.0).unwrap();
    (sim, tip)
}

/// Frequencies over (EI/(m L^4))^1/2 of bending out of the plane of rotation and in it, slowest
/// first.
fn frequencies(sim: &Simulation, tip: Id) -> [Vec<f64>; 2] {
    let [_, _, _, _, ei, _] = THIN.stiffness;
    let unit = (ei / THIN.mass[0]).sqrt() / THIN.length.powi(2);
    let mut found = [Vec::new(), Vec::new()];
    for mode in sim.analysis().modes().unwrap().0 {
        let shape = &mode.shape[tip as usize];
        let size = |k: usize| shape[k].hypot(shape[k + 6]);
        let (lag, flap) = (size(1), size(2));
        if flap.max(lag) > 0.1 {
            found[usize::from(lag > flap)].push(TAU * mode.frequency / unit);
        }
    }
    found
}

/// Flap frequencies of Wright, Smith, Thresher and Wang (1982, J. Appl. Mech. 49); those in the
/// plane of rotation are (flap^2 - rate^2)^1/2. With 8 elements within 1e-4, and the error falls
/// with the fourth power of their length.
#[test]
fn a_rotating_cantilever_has_the_published_frequencies() {
    let unit = (THIN.stiffness[4] / THIN.mass[0]).sqrt() / THIN.length.powi(2);
    for (rate, published) in [(1.0, 3.6816), (4.0, 5.5850), (12.0, 13.1702)] {
        let (mut sim, tip) = turning(8, rate * unit, 0.0);
        sim.initialize(0.0).unwrap();
        let before = sim.save().unwrap();
        let [flap, lag] = frequencies(&sim, tip);
        assert!((flap[0] / published - 1.0).abs() < 1e-4, "{rate}: {flap:?}");
        // The square of the rate is lost: its part of the error is that of flap by (flap/lag)^2,
        // below 6 at 12.
        let in_plane = (published * published - rate * rate).sqrt();
        assert!((lag[0] / in_plane - 1.0).abs() < 6e-4, "{rate}: {lag:?}");
        // The state is as it was.
        assert_eq!(before.to_bytes(), sim.save().unwrap().to_bytes());
    }
    let error = |elements: i32| {
        let (mut sim, tip) = turning(elements, 12.0 * unit, 0.0);
        sim.initialize(0.0).unwrap();
        (1.0 / f64::from(elements), (frequencies(&sim, tip)[0][0] - 13.1702).abs())
    };
    // The published value has six digits: 5 % of the last error.
    assert_order("rotating cantilever", &[2, 4, 8].map(error), 4.0, 1.0);
}

/// Far from the origin too, and at any angle: the state is that of a step.
#[test]
fn modes_of_a_rotor_do_not_depend_on_where_it_is() {
    let unit = (THIN.stiffness[4] / THIN.mass[0]).sqrt() / THIN.length.powi(2);
    let of = |far: f64| {
        let (mut sim, tip) = turning(4, 4.0 * unit, far);
        sim.initialize(0.0).unwrap();
        frequencies(&sim, tip)[0][0]
    };
    // Places of 1e6 m have digits of 1e-10 m, 1e-11 of the length.
    assert!((of(1e6) / of(0.0) - 1.0).abs() < 1e-6);
    // After 10 steps the blade rings about its steady shape, to which the modes belong all the
    // same.
    let mut sim = turning(4, 4.0 * unit, 0.0).0;
    sim.initialize(0.0).unwrap();
    let all =
        |sim: &Simulation| sim.analysis().modes().unwrap().0.iter().map(|mode| mode.frequency).collect::<Vec<_>>();
    let start = all(&sim);
    for n in 1..=10 {
        let angle = 4.0 * unit * 0.002 * f64::from(n);
        sim.inputs().set_joint_motion(0, angle, 4.0 * unit, 0.0).unwrap();
        sim.step(0.002).unwrap();
    }
    // Eigenvalues of A are found to rounding of the largest, 1e6 times the slowest ones.
    for (a, b) in start.iter().zip(all(&sim)) {
        assert!((a - b).abs() < 1e-6 * start.last().unwrap() && (a / b - 1.0).abs() < 1e-5, "{a} {b}");
    }
}

/// Gravity, a load that keeps its direction and a support on the ground do not turn with a rotor.
#[test]
fn what_does_not_turn_along_is_refused() {
    let refused = |sim: &mut Simulation| {
        sim.initialize(0.0).unwrap();
        let told = sim.analysis().modes().map(|_| ()).unwrap_err().to_string();
        assert!(told.contains("do not turn with the model") && told.contains("rotating_modes"), "{told}");
        sim.settings().set_option("rotating_modes", 0.0).unwrap();
        sim.analysis().modes().unwrap();
    };
    let (mut sim, _) = turning(2, 3.0, 0.0);
    sim.settings().set_gravity(&[0.0, -9.81, 0.0]).unwrap();
    refused(&mut sim);
    let (mut sim, tip) = turning(2, 3.0, 0.0);
    sim.inputs().set_body_load(tip, Frame::Inertial, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    refused(&mut sim);
    // A load that turns along is allowed.
    let (mut sim, tip) = turning(2, 3.0, 0.0);
    sim.inputs().set_body_load(tip, Frame::Body, &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim.analysis().modes().unwrap();
}
