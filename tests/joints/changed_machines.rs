//! Friction and stops that the host changes during a run, against closed forms; and starts at
//! stops.

use crate::common::*;
use pintle::{GROUND, Id, JointKind, JointMachines, Simulation, set_joint_friction_load};

const SCHEMES: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];
const G: f64 = 9.81;
const M: f64 = 2.0;
const SPRING: i32 = 0;
const IMPULSE: i32 = 1;
const RESTITUTION: i32 = 2;

/// A mass on a slide along x at a place with a speed, under a gravity along x.
fn slider(scheme: &str, far: f64, [x, v]: [f64; 2], g: f64) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[g, 0.0, 0.0]).unwrap();
    let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(M, &[0.0; 3], &inertia, &pose([far + x, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_velocity(body, &[v, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let along = quat_exp([0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let (frame_a, frame_b) = (pose([far, 0.0, 0.0], along), pose([0.0; 3], along));
    let joint = sim.build().add_joint(JointKind::Prismatic, GROUND, body, &frame_a, &frame_b).unwrap();
    (sim, joint)
}

fn motion(sim: &Simulation, joint: Id) -> [f64; 2] {
    let [q, rate, _] = sim.outputs().joint_coordinate(joint).unwrap();
    [q, rate]
}

fn set_stop(sim: &mut Simulation, joint: Id, lower: f64, law: i32, numbers: [f64; 3]) {
    sim.build().set_joint_stop((joint, false), [lower, f64::INFINITY], law, numbers).unwrap();
}

#[test]
fn friction_changes_between_steps_of_any_length() {
    for scheme in SCHEMES {
        for far in [0.0, 1e6] {
            let (mut sim, joint) = slider(scheme, far, [0.0, 3.0], 0.0);
            sim.build().set_joint_friction((joint, false), [2.0, 2.5, 0.0, 0.0, 1e-6]).unwrap();
            sim.initialize(0.0).unwrap();
            let (mut x, mut v) = (0.0, 3.0);
            for (k, force) in [2.0, 6.0, 0.0, 1.0].into_iter().enumerate() {
                if k > 0 {
                    sim.build().set_joint_friction((joint, false), [force, force, 0.0, 0.0, 1e-6]).unwrap();
                }
                for h in [0.05, 0.013, 0.1, 0.02] {
                    sim.step(h).unwrap();
                    let a = -force / M;
                    (x, v) = (x + v * h + 0.5 * a * h * h, v + a * h);
                }
                // Constant accelerations are exact; positions far away are rounded to 1e-10 m.
                let rounding = if far == 0.0 { 1e-13 } else { 2e-8 };
                let [q, rate] = motion(&sim, joint);
                assert!((q - x).abs() < rounding && (rate - v).abs() < rounding, "{scheme} {k}: {q} {x} {rate} {v}");
            }
            // Held, then let go by a limit below the load.
            sim.build().set_joint_friction((joint, false), [50.0, 60.0, 0.0, 0.0, 1e-6]).unwrap();
            (0..40).for_each(|_| sim.step(0.02).unwrap());
            assert_eq!(JointMachines::of(&sim).output(joint, false).unwrap().mode, 1, "{scheme}");
            let [at, _] = motion(&sim, joint);
            sim.inputs().set_joint_load(joint, 5.0).unwrap();
            (0..10).for_each(|_| sim.step(0.02).unwrap());
            let moved = motion(&sim, joint)[0] - at;
            // 5 N of 60 N move the spring of what sticks by 1/12 of its slip; it rings about that.
            assert!(moved.abs() < 2.0 * 1e-6, "{scheme}: {moved}");
            sim.build().set_joint_friction((joint, false), [1.0, 2.0, 0.0, 0.0, 1e-6]).unwrap();
            (0..10).for_each(|_| sim.step(0.02).unwrap());
            let moved = motion(&sim, joint)[0] - at;
            assert!((moved - 0.5 * 4.0 / M * 0.04).abs() < 5e-6, "{scheme}: {moved}");
        }
    }
}

/// A ball that bounces on a floor which the host lowers and raises: times of hits are those of
/// throws.
#[test]
fn stops_move_between_steps() {
    for scheme in SCHEMES {
        for h in [0.003, 0.04] {
            let (mut sim, joint) = slider(scheme, 0.0, [1.0, 0.0], -G);
            set_stop(&mut sim, joint, 0.0, IMPULSE, [1e6, 0.0, 0.8]);
            sim.initialize(0.0).unwrap();
            let (mut x, mut v, mut floor) = (1.0, 0.0f64, 0.0);
            for k in 0..(3.0 / h) as usize {
                if k % 25 == 24 {
                    floor = if floor == 0.0 { -0.5 } else { 0.0 };
                    if x < floor {
                        floor = -0.5;
                    }
                    set_stop(&mut sim, joint, floor, IMPULSE, [1e6, 0.0, 0.8]);
                }
                sim.step(h).unwrap();
                let mut left = h;
                // The time to the floor: the larger root of x + v t - g t^2/2 = floor.
                loop {
                    let falls = (v + (v * v + 2.0 * G * (x - floor)).max(0.0).sqrt()) / G;
                    if falls > left {
                        break;
                    }
                    (x, v, left) = (floor, -0.8 * (v - G * falls), left - falls);
                }
                (x, v) = (x + v * left - 0.5 * G * left * left, v - G * left);
                let [q, rate] = motion(&sim, joint);
                // Hits are located to 1e-11 m, and every hit adds that.
                assert!((q - x).abs() < 1e-8 && (rate - v).abs() < 1e-8, "{scheme} {h} {k}: {q} {x} {rate} {v}");
            }
            assert!(sim.outputs().statistic("events").unwrap() >= 4.0, "{scheme}");
        }
    }
}

/// What the host pushes a stop into is pressed in: it leaves a spring as an oscillator, is hit by
/// law impulse if it moves on, and rests on it where it is.
#[test]
fn a_stop_may_be_set_inside_of_what_it_stops() {
    for scheme in SCHEMES {
        let (mut sim, joint) = slider(scheme, 0.0, [0.0, 0.0], 0.0);
        set_stop(&mut sim, joint, -1.0, SPRING, [800.0, 0.0, 0.0]);
        sim.initialize(0.0).unwrap();
        sim.step(0.001).unwrap();
        set_stop(&mut sim, joint, 0.1, SPRING, [800.0, 0.0, 0.0]);
        // w = 20 rad/s: it leaves after a quarter of the period with w 0.1.
        (0..200).for_each(|_| sim.step(0.001).unwrap());
        let [_, rate] = motion(&sim, joint);
        // Second order: (w h)^2/12 and the scheme's dissipation.
        assert!((rate - 2.0).abs() < 2e-4, "{scheme}: {rate}");

        let (mut sim, joint) = slider(scheme, 0.0, [0.0, -1.0], 0.0);
        set_stop(&mut sim, joint, -5.0, IMPULSE, [1e6, 0.0, 0.5]);
        sim.initialize(0.0).unwrap();
        sim.step(0.01).unwrap();
        set_stop(&mut sim, joint, 0.1, IMPULSE, [1e6, 0.0, 0.5]);
        sim.step(0.01).unwrap();
        let [q, rate] = motion(&sim, joint);
        assert!((rate - 0.5).abs() < 1e-12 && (q + 0.01 - 0.005).abs() < 1e-12, "{scheme}: {q} {rate}");

        let (mut sim, joint) = slider(scheme, 0.0, [0.0, 0.0], -G);
        set_stop(&mut sim, joint, 0.0, IMPULSE, [1e6, 0.0, 0.5]);
        sim.initialize(0.0).unwrap();
        sim.step(0.01).unwrap();
        set_stop(&mut sim, joint, 0.1, IMPULSE, [1e6, 0.0, 0.5]);
        (0..200).for_each(|_| sim.step(0.01).unwrap());
        let [q, rate] = motion(&sim, joint);
        assert!(q.abs() < 2e-6 && rate.abs() < 1e-9, "{scheme}: {q} {rate}");
    }
}

/// A start at a stop with a speed into it is a hit.
#[test]
fn what_starts_at_a_stop_and_moves_into_it_bounces() {
    for scheme in SCHEMES {
        for (x, law) in [(0.0, IMPULSE), (-0.02, IMPULSE), (0.0, RESTITUTION)] {
            let (mut sim, joint) = slider(scheme, 0.0, [x, -1.0], 0.0);
            set_stop(&mut sim, joint, 0.0, law, [1e5, 0.0, 0.5]);
            sim.initialize(0.0).unwrap();
            (0..20).for_each(|_| sim.step(0.01).unwrap());
            let [_, rate] = motion(&sim, joint);
            // Law restitution is resolved by twenty steps.
            let error = if law == IMPULSE { 1e-12 } else { 5e-3 };
            assert!((rate - 0.5).abs() < error, "{scheme} {x} {law}: {rate}");
        }
    }
}

#[test]
fn changed_stops_and_friction_belong_to_the_state() {
    let build = || {
        let (mut sim, joint) = slider("generalized-alpha", 0.0, [0.5, 0.0], -G);
        set_stop(&mut sim, joint, 0.0, RESTITUTION, [1e5, 0.0, 0.7]);
        sim.build().set_joint_friction((joint, false), [0.5, 0.6, 0.1, 0.02, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, joint)
    };
    let change = |sim: &mut Simulation, joint: Id| {
        set_stop(sim, joint, -0.1, IMPULSE, [1e5, 0.0, 0.6]);
        sim.build().set_joint_friction((joint, false), [1.0, 1.1, 0.0, 0.0, 1e-5]).unwrap();
        let load = pintle::FrictionLoad { axial: 0.0, radial: 0.1, bending: 0.2, static_ratio: 1.5 };
        set_joint_friction_load(sim, (joint, false), load).unwrap();
    };
    let run = |sim: &mut Simulation, joint: Id| {
        let mut all = Vec::new();
        for _ in 0..60 {
            sim.step(0.01).unwrap();
            all.push(motion(sim, joint));
        }
        all
    };
    // Changed in the air, and while it is pressed in.
    for steps in [10, 32] {
        let (mut sim, joint) = build();
        (0..steps).for_each(|_| sim.step(0.01).unwrap());
        let early = sim.save().unwrap();
        change(&mut sim, joint);
        let saved = sim.save().unwrap();
        let mut bytes = vec![0; saved.serialized_len()];
        saved.serialize_into(&mut bytes).unwrap();
        let described = |sim: &Simulation| {
            let machines = JointMachines::of(sim);
            (machines.stop(joint, false).unwrap(), machines.friction(joint, false).unwrap())
        };
        let with = described(&sim);
        let expected = run(&mut sim, joint);
        let (mut fresh, _) = build();
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(described(&fresh), with);
        assert_eq!(run(&mut fresh, joint), expected, "{steps}");
        // Equal values change nothing, to the bit.
        fresh.restore(&saved).unwrap();
        change(&mut fresh, joint);
        assert_eq!(run(&mut fresh, joint), expected, "{steps}");
        // And back.
        fresh.restore(&early).unwrap();
        let (mut unchanged, _) = build();
        unchanged.restore(&early).unwrap();
        assert_eq!(run(&mut fresh, joint), run(&mut unchanged, joint), "{steps}");
    }
}

#[test]
fn only_what_is_described_changes_and_only_between_steps() {
    let (mut sim, joint) = slider("generalized-alpha", 0.0, [0.5, 0.0], -G);
    let mut described = sim.clone();
    sim.initialize(0.0).unwrap();
    let text = sim.build().set_joint_friction((joint, false), [1.0, 1.0, 0.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(text.contains("joint 0 has no friction, brake or stop"), "{text}");
    described.inputs().set_joint_brake(joint, false, 0.0).unwrap();
    described.initialize(0.0).unwrap();
    described.build().set_joint_friction((joint, false), [1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    described.advance(0.01).unwrap();
    let text = described.build().set_joint_friction((joint, false), [2.0, 2.0, 0.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(text.contains("BUILDING or READY"), "{text}");
    described.accept().unwrap();
    let text = described.build().set_joint_friction((joint, false), [2.0, 1.0, 0.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(text.contains("holding: 1 is below kinetic = 2"), "{text}");
    assert_eq!(JointMachines::of(&described).friction(joint, false).unwrap()[0], 1.0);
}
