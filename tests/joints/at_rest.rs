//! A model at rest stays at rest, and its supports carry its weight: for every kind of support, at
//! any position and orientation, in any unit of length, and with steps of changing length.

use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

const G: f64 = 9.81;

/// How a model is described: unit of length (1000: mm), orientation, place (m), reference points
/// off the centres of mass.
#[derive(Clone, Copy, Debug)]
struct World {
    unit: f64,
    turn: Quat,
    place: V3,
    arm: V3,
}

impl World {
    fn vector(&self, x: V3) -> V3 {
        scale(self.unit, rotate(self.turn, x))
    }

    fn point(&self, x: V3) -> V3 {
        add(self.vector(x), scale(self.unit, self.place))
    }

    fn body(&self, sim: &mut Simulation, mass: f64, x: V3) -> Id {
        let inertia = [2.0, 1.0, 1.5, 0.1, 0.0, 0.05].map(|j| j * self.unit * self.unit);
        let at = pose(add(self.point(x), self.vector(self.arm)), self.turn);
        sim.build().add_rigid_body(mass, &scale(-self.unit, self.arm), &inertia, &at).unwrap()
    }

    fn joint(&self, sim: &mut Simulation, kind: JointKind, [a, b]: [Id; 2], x: V3, axis: V3) -> Id {
        let axis = rotate(self.turn, axis);
        let axis = (kind != JointKind::Fixed).then_some(&axis);
        sim.build().add_joint_at(kind, a, b, &self.point(x), axis).unwrap()
    }
}

#[derive(Clone, Copy, Debug)]
enum Thing {
    Door,
    Platform,
    FourBar,
    /// On a driven CYLINDRICAL joint that stands still, in a fluid of twice its mass that a
    /// callback without matrices stands for.
    HeldInFluid,
}

/// Its supports and its mass.
fn add_thing(thing: Thing, world: &World, sim: &mut Simulation) -> (Vec<Id>, f64) {
    const Y: V3 = [0.0, 1.0, 0.0];
    const Z: V3 = [0.0, 0.0, 1.0];
    match thing {
        Thing::Door => {
            let door = world.body(sim, 20.0, [0.4, 0.0, 1.0]);
            let hinges = [0.3, 1.7].map(|z| world.joint(sim, JointKind::Revolute, [GROUND, door], [0.0, 0.0, z], Z));
            (hinges.into(), 20.0)
        }
        Thing::Platform => {
            let body = world.body(sim, 50.0, [0.2, 0.1, 0.3]);
            let supports = [[-1.0, 0.3, 0.0], [1.5, 0.0, 0.1]];
            (supports.map(|x| world.joint(sim, JointKind::Fixed, [GROUND, body], x, Z)).into(), 50.0)
        }
        Thing::FourBar => {
            let left = world.body(sim, 1.0, [-1.0, 0.0, -0.5]);
            let coupler = world.body(sim, 2.0, [0.0, 0.0, -1.0]);
            let right = world.body(sim, 1.0, [1.0, 0.0, -0.5]);
            let mut hinge = |ends, x| world.joint(sim, JointKind::Revolute, ends, x, Y);
            let first = hinge([GROUND, left], [-1.0, 0.0, 0.0]);
            hinge([left, coupler], [-1.0, 0.0, -1.0]);
            hinge([coupler, right], [1.0, 0.0, -1.0]);
            (vec![first, hinge([GROUND, right], [1.0, 0.0, 0.0])], 4.0)
        }
        Thing::HeldInFluid => {
            let body = world.body(sim, 3.0, [0.5, 0.2, 0.0]);
            let joint = world.joint(sim, JointKind::Cylindrical, [GROUND, body], [0.0; 3], [0.0, 0.6, 0.8]);
            sim.build().set_joint_driven(joint, true).unwrap();
            sim.build().set_joint_slide_driven(joint, true).unwrap();
            let load = |m: &BodyMotion, out: &mut BodyLoad| {
                (0..3).for_each(|k| out.wrench[k] = -6.0 * m.acceleration[k]);
                Ok(())
            };
            sim.inputs().set_load_callback(body, Some(Arc::new(load))).unwrap();
            (vec![joint], 3.0)
        }
    }
}

#[test]
fn what_is_at_rest_stays_at_rest_and_is_carried() {
    let turns = [UNROTATED, unit([0.6, 0.3, -0.5, 0.4]), unit([0.1, 0.9, 0.3, -0.2])];
    let places = [[0.0; 3], [1e6, -2e5, 3e5]];
    let arms = [[0.0; 3], [3.7, -1.0, 0.5]];
    let schemes = [
        ("generalized-alpha", 0.0),
        ("generalized-alpha", 0.8),
        ("generalized-alpha", 1.0),
        ("momentum-alpha", 0.8),
        ("rk4", 0.8),
        ("lab3", 0.8),
        ("anderson4", 0.8),
    ];
    let mut random = Random(1);
    for index in 0..3 * turns.len() * places.len() * arms.len() {
        let world = World {
            unit: [1.0, 1e3, 1e-3][index % 3],
            turn: turns[index / 3 % 3],
            place: places[index / 9 % 2],
            arm: arms[index / 18],
        };
        for (scheme, rho) in schemes {
            for thing in [Thing::Door, Thing::Platform, Thing::FourBar, Thing::HeldInFluid] {
                let case = format!("{thing:?} {scheme} {rho} {world:?}");
                let mut sim = Simulation::new();
                sim.settings().set_scheme(scheme).unwrap();
                sim.settings().set_option("rho_inf", rho).unwrap();
                let gravity = world.vector([0.0, 0.0, -G]);
                sim.settings().set_gravity(&gravity).unwrap();
                let (supports, mass) = add_thing(thing, &world, &mut sim);
                sim.initialize(0.0).unwrap_or_else(|error| panic!("{case}: {error}"));
                let start = place(&sim.outputs().body_pose(0).unwrap());
                for n in 0..60 {
                    let h = 0.01 * (1.0 + 0.2 * random.signed());
                    sim.step(h).unwrap_or_else(|error| panic!("{case}, step {n}: {error}"));
                    let (v, omega) = halves(sim.outputs().body_velocity(0, Frame::Inertial).unwrap());
                    let carried = supports.iter().fold([0.0; 3], |sum, joint| {
                        add(sum, halves(sim.outputs().joint_reaction(*joint, Frame::Inertial).unwrap()).0)
                    });
                    // Rounding: of joint points where the host gives them far away, 1e-10 m, over a
                    // step in velocities and over h^2 in accelerations.
                    let far = if world.place == [0.0; 3] { 1.0 } else { 1e4 };
                    assert!(norm(v) / world.unit + norm(omega) < 1e-10 * far, "{case}, step {n}: {v:?} {omega:?}");
                    let weight = scale(mass, gravity);
                    let missing = norm(add(carried, weight)) / norm(weight);
                    assert!(missing < 1e-8 * far, "{case}, step {n}: {missing:e} of the weight");
                }
                let moved = distance(start, place(&sim.outputs().body_pose(0).unwrap())) / world.unit;
                assert!(moved < 1e-9, "{case}: {moved:e}");
            }
        }
    }
}

#[test]
fn a_floating_body_is_at_rest_in_single_precision_too() {
    // Weight and buoyancy balance; what the callback rounds to single precision is all that is left
    // of accelerations.
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "rk4", "ab4", "lab3", "anderson4"] {
        for added in [0.0, 0.5, 2.0] {
            for mass in [7.5e4, 1.234567e5, 3.3e3] {
                let mut sim = Simulation::new();
                sim.settings().set_scheme(scheme).unwrap();
                sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
                let inertia = [mass, mass, mass, 0.0, 0.0, 0.0];
                let body = sim.build().add_rigid_body(mass, &[0.1, 0.0, -0.5], &inertia, &ORIGIN).unwrap();
                let load = move |m: &BodyMotion, out: &mut BodyLoad| {
                    let stiffness = [1.0, 1.0, 5.0, 3.0, 3.0, 1.0].map(|k| k * mass);
                    for k in 0..6 {
                        let angle = if k < 3 { m.pose[k] } else { 2.0 * m.pose[k + 1] };
                        let buoyancy = [0.0, 0.0, 1.0, 0.0, -0.1, 0.0][k] * mass * G;
                        let wrench = buoyancy - stiffness[k] * angle - mass * added * m.acceleration[k];
                        out.wrench[k] = f64::from((wrench - 0.3 * mass * m.velocity[k]) as f32);
                    }
                    Ok(())
                };
                sim.inputs().set_load_callback(body, Some(Arc::new(load))).unwrap();
                let case = format!("{scheme}, added mass {added}, {mass} kg");
                sim.initialize(0.0).unwrap_or_else(|error| panic!("{case}: {error}"));
                for n in 0..300 {
                    sim.step(0.02).unwrap_or_else(|error| panic!("{case}, step {n}: {error}"));
                }
                // Half a unit of single precision of the weight, 6e-8 G, over the softest stiffness
                // per mass, 1/s^2 (rotations 3 over m r^2).
                let x = place(&sim.outputs().body_pose(body).unwrap());
                assert!(norm(x) < 3e-6, "{case}: {x:?}");
            }
        }
    }
}

/// A host computes the velocity at a turning point as a sine, with rounding. Where nothing else
/// moves that is no mistake, but a millionth of what gravity gives a body along its length is one.
#[test]
fn velocities_of_rounding_size_are_taken_for_rest() {
    let start = |velocity: f64, gravity: f64, acceleration: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -gravity]).unwrap();
        let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let platform = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
        let bob = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0, 0.0, -1.0], UNROTATED)).unwrap();
        sim.build().add_joint_at(JointKind::Spherical, platform, bob, &[0.0; 3], None).unwrap();
        sim.build().set_body_prescribed(platform, true).unwrap();
        let [v, a] = [velocity, acceleration].map(|x| [x, 0.0, 0.0, 0.0, 0.0, 0.0]);
        sim.inputs().set_body_motion(platform, &pose([0.0; 3], UNROTATED), &v, &a).unwrap();
        sim.initialize(0.0)
    };
    let rounding = -std::f64::consts::PI.sin();
    for (gravity, acceleration) in [(G, 0.0), (0.0, 1.0), (G, 1.0)] {
        for velocity in [0.0, rounding, 1e-13, -1e-300] {
            start(velocity, gravity, acceleration).unwrap();
        }
        assert!(start(1e-6, gravity, acceleration).is_err());
    }
}
