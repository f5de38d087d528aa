//! Option "linear" = 1 with motions that are imposed: on bodies that carry others by loaded joints,
//! and on coordinates.

use crate::common::mechanisms::{compose, localize};
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

/// The support of the body.
#[derive(Debug, Clone, Copy)]
enum Held {
    /// A joint to a prescribed body.
    By(JointKind),
    /// A driven hinge on the ground.
    Driven,
    /// A spring to a prescribed body.
    Spring,
}

const PLACE: V3 = [0.5, 0.2, 0.3];
const TURNED: Quat = [0.6, 0.0, 0.8, 0.0];
const SEAT: V3 = [0.3, -0.2, 0.4];
const STEPS: usize = 40;
const H: f64 = 0.02;

/// s(t), its rate and its second rate: from rest, smoothly.
fn motion(t: f64, size: f64) -> [f64; 3] {
    let w = 3.0;
    let (s, c) = (w * t).sin_cos();
    [size * (1.0 - c), size * w * s, size * w * w * c]
}

/// Pose, velocity and acceleration of the carrier: along a line and about an axis.
fn carried(t: f64, size: f64) -> ([f64; 7], [f64; 6], [f64; 6]) {
    let [s, v, a] = motion(t, size);
    let (along, about) = ([0.6, -0.8, 0.5], [0.5, 0.7, -0.4]);
    (
        pose(scale(s, along), quat_exp(scale(s, about))),
        join(scale(v, along), scale(v, about)),
        join(scale(a, along), scale(a, about)),
    )
}

/// A loaded body on a soft bushing, with this support, beside a prescribed carrier, which is
/// body 0.
fn model(scheme: &str, held: Held, linear: f64, at: &[f64; 7]) -> (Simulation, [Id; 2]) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let options = [("linear", linear), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12), ("max_iterations", 30.0)];
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    let (j, rest) = ([0.4, 0.5, 0.6, 0.0, 0.0, 0.0], pose([0.0; 3], UNROTATED));
    let carrier = sim.build().add_rigid_body(5.0, &[0.0; 3], &j, &rest).unwrap();
    sim.build().set_body_prescribed(carrier, true).unwrap();
    let body = sim.build().add_rigid_body(2.0, &[0.1, 0.05, -0.1], &j, at).unwrap();
    let joint = pose([0.2, 0.1, 0.5], unit([0.8, 0.3, -0.4, 0.2]));
    let mut on_body = localize(&pose(PLACE, TURNED), &joint);
    match held {
        Held::By(kind) => {
            if matches!(kind, JointKind::Distance) {
                on_body[0] += 0.7;
            }
            sim.build().add_joint(kind, carrier, body, &joint, &on_body).unwrap();
        }
        Held::Driven => {
            let hinge = sim.build().add_joint(JointKind::Revolute, GROUND, body, &joint, &on_body).unwrap();
            sim.build().set_joint_driven(hinge, true).unwrap();
        }
        Held::Spring => {
            let (a, b) = (place(&joint), [-0.5, -0.4, 0.6]);
            sim.elements().add_spring(carrier, &a, body, &b, 60.0, 0.5, 0.2, false).unwrap();
        }
    }
    let (stiffness, damping) = (diagonal([30.0, 40.0, 50.0, 8.0, 9.0, 7.0]), diagonal([0.6, 0.8, 1.0, 0.2, 0.2, 0.2]));
    let seat = compose(&pose(PLACE, TURNED), &pose(SEAT, UNROTATED));
    sim.elements().add_bushing(GROUND, body, &seat, &pose(SEAT, UNROTATED), &stiffness, &damping).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[30.0, -20.0, 25.0, 4.0, -3.0, 5.0]).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, [carrier, body])
}

/// Displacements and velocities of the body, relative to equilibrium, after the carrier or the
/// drive has moved by about `size`.
fn moved(scheme: &str, held: Held, linear: f64, size: f64) -> [f64; 12] {
    let (mut sim, [_, body]) = model("generalized-alpha", held, 0.0, &pose(PLACE, TURNED));
    sim.solve_equilibrium(200, 1e-13).unwrap();
    let balanced = sim.outputs().body_pose(body).unwrap();
    let (mut sim, [carrier, body]) = model(scheme, held, linear, &balanced);
    for n in 1..=STEPS {
        let t = n as f64 * H;
        if let Held::Driven = held {
            let [s, v, a] = motion(t, size);
            sim.inputs().set_joint_motion(0, s, v, a).unwrap();
        } else {
            let (at, v, a) = carried(t, size);
            sim.inputs().set_body_motion(carrier, &at, &v, &a).unwrap();
        }
        sim.step(H).unwrap();
    }
    let now = sim.outputs().body_pose(body).unwrap();
    let turned = rotation_vector(quat_mul(turn(&now), conjugate(turn(&balanced))));
    let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
    let d = join(sub(place(&now), place(&balanced)), turned);
    std::array::from_fn(|i| if i < 6 { d[i] } else { v[i - 6] })
}

#[test]
fn loaded_joints_on_moving_supports_pull_as_in_the_equations_that_are_not_linear() {
    use JointKind::*;
    let kinds = [Fixed, Revolute, Prismatic, Cylindrical, Spherical, Universal, Planar, Distance];
    let held: Vec<Held> = kinds.into_iter().map(Held::By).chain([Held::Driven, Held::Spring]).collect();
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        for held in &held {
            let largest = |x: &[f64; 12]| x.iter().fold(0.0f64, |l, x| l.max(x.abs()));
            let off = |size: f64| {
                let [linear, full] = [1.0, 0.0].map(|linear| moved(scheme, *held, linear, size));
                let difference: [f64; 12] = std::array::from_fn(|i| linear[i] - full[i]);
                (largest(&difference), largest(&full))
            };
            let [(first, far), (second, near)] = [1e-2, 1e-3].map(off);
            println!("{scheme} {held:?}: {first:.2e} of {far:.2e}, {second:.2e} of {near:.2e}");
            // What is left out is of second order in the motion: a hundredth at a tenth of it,
            // terms of third order beside.
            assert!(
                second < 0.013 * first && first < 0.05 * far,
                "{scheme} {held:?}: {first:e}, {second:e} of {near:e}"
            );
        }
    }
}

/// A body on a driven hinge, or fixed to a carrier: J qdd is all that turns it, in the first step
/// and in the last one.
#[test]
fn reactions_to_imposed_motions_are_of_second_order() {
    let inertia = 0.25;
    let size = 1e-3;
    for (scheme, option) in
        [("newmark", None), ("hht", None), ("generalized-alpha", Some(1.0)), ("generalized-alpha", None)]
    {
        for [driven, changing] in [[true, false], [false, false], [true, true], [false, true]] {
            let off = |steps: usize| {
                let mut sim = Simulation::new();
                sim.settings().set_scheme(scheme).unwrap();
                sim.settings().set_option("linear", 1.0).unwrap();
                option.into_iter().for_each(|rho| sim.settings().set_option("rho_inf", rho).unwrap());
                let angle =
                    |t: f64| [size * (3.0 * t).sin(), 3.0 * size * (3.0 * t).cos(), -9.0 * size * (3.0 * t).sin()];
                let z = [0.0, 0.0, 1.0];
                let motion = |t: f64| {
                    let [q, qd, qdd] = angle(t);
                    (pose([0.0; 3], quat_exp(scale(q, z))), join([0.0; 3], scale(qd, z)), join([0.0; 3], scale(qdd, z)))
                };
                let j = [0.2, 0.3, inertia, 0.0, 0.0, 0.0];
                let mut add = || sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &ORIGIN).unwrap();
                let bodies = [add(), add()];
                sim.build().set_body_prescribed(bodies[0], true).unwrap();
                sim.build().set_body_velocity(bodies[1], &motion(0.0).1).unwrap();
                let [on, kind] = if driven { [0, 1] } else { [1, 0] };
                let (on, kind) = ([GROUND, bodies[0]][on], [JointKind::Fixed, JointKind::Revolute][kind]);
                let joint = sim.build().add_joint_at(kind, on, bodies[1], &[0.0; 3], Some(&z)).unwrap();
                if driven {
                    sim.build().set_joint_driven(joint, true).unwrap();
                }
                let give = |sim: &mut Simulation, t: f64| {
                    let (at, v, a) = motion(t);
                    sim.inputs().set_body_motion(bodies[0], &at, &v, &a).unwrap();
                    let [q, qd, qdd] = angle(t);
                    if driven {
                        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
                    }
                };
                give(&mut sim, 0.0);
                sim.initialize(0.0).unwrap();
                let h = 2.0 / steps as f64;
                let mut worst = 0.0f64;
                let mut t = 0.0;
                for n in 0..steps {
                    // Steps of one length, and of changing ones.
                    let step = h * if changing { [1.0, 1.7, 0.9, 0.4][n % 4] } else { 1.0 };
                    t += step;
                    give(&mut sim, t);
                    sim.step(step).unwrap();
                    let moment = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()[5];
                    worst = worst.max((moment - inertia * angle(t)[2]).abs());
                }
                (h, worst)
            };
            let table: Vec<(f64, f64)> = [50, 100, 200].map(off).into();
            println!("{scheme} {option:?} driven {driven}, changing steps {changing}: {table:?}");
            assert_order(scheme, &table, 2.0, 0.2);
            // (w h)^2 of the largest moment, for the longest step.
            let h = 0.01 * if changing { 1.7 } else { 1.0 };
            assert!(table[2].1 < (3.0f64 * h).powi(2) * 9.0 * size * inertia, "{table:?}");
        }
    }
}
