//! Imposed rates that jump from one step to the next without a mark, with the semi-implicit
//! schemes: a turntable starts from rest, with a pendulum hinged on its rim; a prescribed body
//! starts from rest, with links that hang on it. No step may be refused: the projection onto
//! constraints changes velocities by the jump at the end of the step, which is no growth of the
//! iteration.
//!
//! With phi the pendulum's angle outwards, d the radius of the hinge, w the rate of the table, and
//! inertia I of a ball: `(m L^2 + I) phi'' = m w^2 (d + L sin phi) L cos phi - m g L sin phi`. The
//! jump of w gives no impulse to phi.

use crate::common::{distance, rk4_step};
use pintle::{GROUND, JointKind, Simulation};

const G: f64 = 9.81;
const MASS: f64 = 10.0;
const INERTIA: f64 = 1.0;
const LENGTH: f64 = 0.5;
const RADIUS: f64 = 0.5;

/// The angle of the pendulum 0.5 s after the table got its rate.
fn angle(scheme: &str, rate: f64, h: f64) -> f64 {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let ball = |x: f64, z: f64| ([INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0], [x, 0.0, z, 1.0, 0.0, 0.0, 0.0]);
    let (inertia, pose) = ball(0.0, 0.0);
    let table = sim.build().add_rigid_body(100.0, &[0.0; 3], &inertia, &pose).unwrap();
    let (inertia, pose) = ball(RADIUS, -LENGTH);
    let bob = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose).unwrap();
    let motor =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, table, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(motor, true).unwrap();
    let hinge = [RADIUS, 0.0, 0.0];
    // About -y a positive angle is outwards.
    let hinge = sim.build().add_joint_at(JointKind::Revolute, table, bob, &hinge, Some(&[0.0, -1.0, 0.0])).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..10 {
        sim.step(h).unwrap();
    }
    for n in 1..=(0.5 / h).round() as usize {
        sim.inputs().set_joint_motion(motor, rate * h * n as f64, rate, 0.0).unwrap();
        sim.step(h).unwrap_or_else(|error| panic!("{scheme}, rate {rate}, h {h}, step {n}: {error}"));
    }
    sim.outputs().joint_coordinate(hinge).unwrap()[0]
}

/// The same by Runge-Kutta 4.
fn exact(rate: f64) -> f64 {
    let mut y = vec![0.0, 0.0];
    let mut slope = |_: f64, y: &[f64], dy: &mut [f64]| {
        let (sin, cos) = y[0].sin_cos();
        let outwards = rate * rate * (RADIUS + LENGTH * sin) * cos - G * sin;
        dy[0] = y[1];
        dy[1] = MASS * LENGTH * outwards / (MASS * LENGTH * LENGTH + INERTIA);
    };
    (0..1000).for_each(|_| rk4_step(&mut slope, 0.0, 0.5e-3, &mut y));
    y[0]
}

#[test]
fn semi_implicit_schemes_follow_a_motor_that_is_told_a_rate_from_rest() {
    for family in ["beuler", "midpoint", "anderson", "aca", "wilson"] {
        for scheme in [5, 20].map(|substeps| format!("{family}{substeps}")) {
            for rate in [0.1, 1.0, 5.0] {
                let expected = exact(rate);
                let errors = [0.01, 0.005, 0.0025].map(|h| (angle(&scheme, rate, h) - expected).abs() / expected);
                // Within the step of the jump the rate is not that of the motor: first order, as
                // beuler and anderson are at all.
                let halves = errors.windows(2).all(|pair| pair[1] < 0.6 * pair[0]);
                assert!(halves && errors[2] < 0.02, "{scheme}, rate {rate}: errors {errors:?}");
            }
        }
    }
}

/// The place of the last of three links, 50 ms after the body that they hang on got a velocity
/// along x; `marked`: the host marks the discontinuity.
fn last_link(scheme: &str, rate: f64, h: f64, marked: bool) -> [f64; 3] {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let at = |x: f64| [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let inertia = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];
    let carrier = sim.build().add_rigid_body(100.0, &[0.0; 3], &inertia, &at(0.0)).unwrap();
    sim.build().set_body_prescribed(carrier, true).unwrap();
    for link in 1..=3 {
        let x = f64::from(link);
        let id = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &at(x)).unwrap();
        let hinge = [x - 0.5, 0.0, 0.0];
        sim.build().add_joint_at(JointKind::Revolute, id - 1, id, &hinge, Some(&[0.0, 1.0, 0.0])).unwrap();
    }
    sim.initialize(0.0).unwrap();
    let (before, after) = (10, (0.05 / h).round() as usize);
    for n in 0..before + after {
        if marked && n == before {
            sim.inputs().mark_discontinuity().unwrap();
        }
        let moving = if n < before { 0.0 } else { rate };
        let x = moving * h * (n + 1 - before.min(n + 1)) as f64;
        let velocity = [moving, 0.0, 0.0, 0.0, 0.0, 0.0];
        sim.inputs().set_body_motion(carrier, &at(x), &velocity, &[0.0; 6]).unwrap();
        sim.step(h).unwrap_or_else(|error| panic!("{scheme}, rate {rate}, h {h}, marked {marked}, step {n}: {error}"));
    }
    let [x, y, z, ..] = sim.outputs().body_pose(3).unwrap();
    [x, y, z]
}

#[test]
fn semi_implicit_schemes_follow_a_body_that_is_told_a_velocity_from_rest() {
    for family in ["beuler", "midpoint", "anderson", "aca", "wilson"] {
        for scheme in [5, 20].map(|substeps| format!("{family}{substeps}")) {
            for rate in [0.1, 1.0, 10.0] {
                for h in [0.01, 0.001] {
                    let off = distance(last_link(&scheme, rate, h, false), last_link(&scheme, rate, h, true));
                    // The velocity rises within the step or before it: at most one step of it.
                    assert!(off <= rate * h, "{scheme}, rate {rate}, h {h}: {off:e}");
                }
            }
        }
    }
}
