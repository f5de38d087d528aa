//! Bodies without rotational inertia or without mass: they are accepted if joints or drives
//! constrain the directions without inertia, and are refused with advice otherwise.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

const G: f64 = 9.81;
const STILL: [f64; 6] = [0.0; 6];

fn empty() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim
}

fn body(sim: &mut Simulation, mass: f64, inertia: f64, at: V3) -> Id {
    let j = [inertia, inertia, inertia, 0.0, 0.0, 0.0];
    sim.build().add_rigid_body(mass, &[0.0; 3], &j, &pose(at, UNROTATED)).unwrap()
}

#[test]
fn point_mass_on_a_slider_falls_freely() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let mut sim = empty();
        sim.settings().set_scheme(scheme).unwrap();
        let bead = body(&mut sim, 3.0, 0.0, [1.0, 2.0, 0.0]);
        sim.build().add_joint_at(JointKind::Prismatic, GROUND, bead, &[1.0, 2.0, 0.0], Some(&[0.0, 0.6, 0.8])).unwrap();
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        // along the wire: g 0.8 t^2/2, exact at constant acceleration but for rounding
        let fallen = 0.5 * G * 0.8;
        let expected = add([1.0, 2.0, 0.0], scale(-fallen, [0.0, 0.6, 0.8]));
        assert_close(scheme, &place(&sim.outputs().body_pose(bead).unwrap()), &expected, 1e-10);
    }
}

#[test]
fn point_mass_fixed_to_a_body_adds_its_inertia() {
    // A pendulum of a body at the pivot and a point mass 0.7 m away: J thetadotdot = -m g 0.7 at
    // the horizontal start.
    let (m, j, l) = (3.0, 0.4, 0.7);
    let mut sim = empty();
    let hub = body(&mut sim, 1.0, j, [0.0; 3]);
    let bob = body(&mut sim, m, 0.0, [l, 0.0, 0.0]);
    sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.build().add_joint_at(JointKind::Fixed, hub, bob, &[l, 0.0, 0.0], None).unwrap();
    sim.initialize(0.0).unwrap();
    let angular = sim.outputs().body_acceleration(bob, Frame::Inertial).unwrap()[4];
    assert_close("acceleration", &[angular], &[m * G * l / (j + m * l * l)], 1e-11);
    let energy = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
    let before = energy(&sim);
    (0..1000).for_each(|_| sim.step(1e-3).unwrap());
    // Second order: (w h)^2 of 20 J at 4 rad/s.
    assert!((energy(&sim) - before).abs() < 1e-3, "{before} became {}", energy(&sim));
}

#[test]
fn massless_trolley_on_a_drive_carries_a_pendulum() {
    // The trolley moves as s(t), whether it has mass or not: so does the pendulum on it.
    let run = |mass: f64, inertia: f64| {
        let mut sim = empty();
        let trolley = body(&mut sim, mass, inertia, [0.0; 3]);
        let bob = body(&mut sim, 2.0, 0.05, [0.0, 0.0, -0.8]);
        let rail =
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, trolley, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
        sim.build().set_joint_driven(rail, true).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, trolley, bob, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 1..=400 {
            let t = 5e-3 * n as f64;
            sim.inputs().set_joint_motion(rail, 0.1 * t * t * t, 0.3 * t * t, 0.6 * t).unwrap();
            sim.step(5e-3).unwrap();
        }
        sim.outputs().body_pose(bob).unwrap()
    };
    assert_close("bob", &run(0.0, 0.0), &run(5.0, 0.3), 1e-7);
}

#[test]
fn what_nothing_holds_is_refused_with_advice() {
    let refused = |describe: fn(&mut Simulation)| {
        let mut sim = empty();
        describe(&mut sim);
        match sim.initialize(0.0) {
            Err(error @ Error::Singular { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        }
    };
    let no_inertia = "body 0 has no inertia about an axis about which its joints let it turn";
    let free = refused(|sim| {
        body(sim, 3.0, 0.0, [0.0; 3]);
    });
    assert!(free.contains(no_inertia) && free.contains("give it inertia"), "{free}");
    let on_a_ball = refused(|sim| {
        let bob = body(sim, 3.0, 0.0, [0.0; 3]);
        sim.build().add_joint_at(JointKind::Spherical, GROUND, bob, &[0.0; 3], None).unwrap();
    });
    assert!(on_a_ball.contains(no_inertia), "{on_a_ball}");
    let no_mass = refused(|sim| {
        let frame = body(sim, 0.0, 0.0, [0.0; 3]);
        sim.build().add_joint_at(JointKind::Revolute, GROUND, frame, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    });
    assert!(no_mass.contains("body 0 has no mass") && no_mass.contains("impose its motion"), "{no_mass}");
    // With inertia from the fluid it works.
    let mut sim = empty();
    let bob = body(&mut sim, 3.0, 0.0, [0.0; 3]);
    sim.settings().set_added_mass(bob, &diagonal([0.0, 0.0, 0.0, 0.1, 0.1, 0.1]), Frame::Body).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().body_velocity(bob, Frame::Inertial).unwrap(), STILL);
}
