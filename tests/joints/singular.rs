//! Errors of singular models name the body, for any number of bodies; badly scaled models that are
//! regular are accepted.

use crate::common::*;
use pintle::{Error, GROUND, Id, JointKind, Simulation};

/// From dense matrices of some unknowns to sparse ones of thousands.
const SIZES: [usize; 6] = [1, 3, 8, 13, 60, 400];

/// A chain of so many regular bodies.
fn chain(bodies: usize) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for k in 0..bodies {
        let x = k as f64;
        let at = pose([x + 0.5, 0.0, 0.0], UNROTATED);
        let id = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.3, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint_at(JointKind::Spherical, id - 1, id, &[x, 0.0, 0.0], None).unwrap();
    }
    sim
}

fn assert_singular(claim: &str, sim: &mut Simulation, body: Id) {
    match sim.initialize(0.0) {
        Err(Error::Singular { detail, .. }) => {
            assert!(detail.contains(&format!("body {body}")), "{claim}: {detail}")
        }
        other => panic!("{claim}: {other:?}"),
    }
}

#[test]
fn a_rod_without_inertia_about_its_axis_is_told_at_every_size() {
    // Turned, so that the inertia that is missing is a rounding error in inertial axes.
    let turned = unit([0.6, 0.3, -0.5, 0.55]);
    for bodies in SIZES {
        for joint in [None, Some(JointKind::Spherical)] {
            let mut sim = chain(bodies);
            let rod = sim
                .build()
                .add_rigid_body(1.0, &[0.0; 3], &[0.7, 0.7, 0.0, 0.0, 0.0, 0.0], &pose([0.0; 3], turned))
                .unwrap();
            if let Some(kind) = joint {
                // The spring is in line with the axis without inertia, and gives no resistance.
                let end = rotate(turned, [0.0, 0.0, 0.9]);
                sim.build().add_joint_at(kind, GROUND, rod, &end, None).unwrap();
            }
            assert_singular(&format!("{bodies} bodies and a rod, joint {joint:?}"), &mut sim, rod);
        }
    }
}

/// Alternately light and heavy bodies, lengths in a unit of so many metres.
fn badly_scaled(bodies: usize, light: f64, heavy: f64, metre: f64, stiff: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81 * metre]).unwrap();
    // At rest: springs without tension.
    let rest = 0.6f64.hypot(1.0) * metre;
    for k in 0..bodies {
        let (m, x) = (if k % 2 == 0 { light } else { heavy }, k as f64 * metre);
        let j = m * metre * metre;
        let at = pose([x + 0.5 * metre, 0.0, 0.0], UNROTATED);
        let id = sim.build().add_rigid_body(m, &[0.0; 3], &[0.1 * j, 0.2 * j, 0.3 * j, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, id - 1, id, &[x, 0.0, 0.0], Some(&[0.3, 1.0, 0.2])).unwrap();
        sim.elements()
            .add_spring(GROUND, &[x, 0.0, metre], id, &[0.1 * metre, 0.0, 0.0], stiff, 0.0, rest, false)
            .unwrap();
    }
    sim
}

#[test]
fn badly_scaled_models_are_not_singular() {
    for bodies in SIZES {
        for (light, heavy) in [(1.0, 1.0), (1e-6, 1e6), (1e-9, 1e3)] {
            for metre in [1e-3, 1.0, 1e3] {
                for stiff in [0.0, 1e3, 1e9] {
                    let mut sim = badly_scaled(bodies, light, heavy, metre, stiff);
                    let claim =
                        format!("{bodies} bodies, {light:e} and {heavy:e}, metre {metre:e}, stiffness {stiff:e}");
                    sim.initialize(0.0).unwrap_or_else(|e| panic!("{claim}: {e}"));
                    if let Err(error @ Error::Singular { .. }) = sim.step(1e-3) {
                        panic!("{claim}: {error}");
                    }
                }
            }
        }
    }
}
