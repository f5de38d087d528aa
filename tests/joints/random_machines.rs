//! Random chains with friction, brakes, locks, stops and joints that break: no step fails or gains
//! energy, and a run that is restored in the middle goes on to the bit.

use crate::common::random::Random;
use pintle::{
    Clutches, EntityKind, FrictionLoad, GROUND, Id, JointKind, JointMachines, Simulation, add_clutch,
    set_clutch_capacity, set_joint_friction_load, set_joint_strength,
};

const G: f64 = 9.81;

/// What a random mechanism did.
struct Ran {
    /// The most by which the energy grew over its least value before.
    gain: f64,
    events: f64,
    places: Vec<[u64; 7]>,
}

/// A chain of one to four bodies on random joints with random friction, brakes and stops, and
/// perhaps clutches between neighbours.
fn random(seed: u64, clutches: bool) -> (Simulation, Vec<Id>, Random) {
    let mut dice = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let (count, mut joints, mut last) = (dice.below(4) + 1, Vec::new(), GROUND);
    for k in 0..count {
        let x = k as f64;
        let at = [x + 0.5, 0.3 * dice.signed(), 0.3 * dice.signed(), 1.0, 0.0, 0.0, 0.0];
        let [mass, inertia] = [0.5 + 2.0 * (0.5 + 0.5 * dice.signed()), 0.05 + 0.2 * (0.5 + 0.5 * dice.signed())];
        let body =
            sim.build().add_rigid_body(mass, &[0.0; 3], &[inertia, inertia, inertia, 0.0, 0.0, 0.0], &at).unwrap();
        let axis = [dice.signed(), dice.signed(), dice.signed() + 0.01];
        let kind = [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical][dice.below(3)];
        let joint = sim.build().add_joint_at(kind, last, body, &[x, 0.0, 0.0], Some(&axis)).unwrap();
        for slide in [false, true] {
            if slide && kind != JointKind::Cylindrical {
                continue;
            }
            if dice.below(4) > 0 {
                let kinetic = 10.0 * (0.5 + 0.5 * dice.signed());
                let holding = kinetic * (1.0 + 0.5 * (0.5 + 0.5 * dice.signed()));
                let numbers =
                    [kinetic, holding, 0.5 * (0.5 + 0.5 * dice.signed()), 0.1 * (0.5 + 0.5 * dice.signed()), 1e-6];
                sim.build().set_joint_friction((joint, slide), numbers).unwrap();
            }
            sim.inputs().set_joint_brake(joint, slide, 0.0).unwrap();
            // What slides without an end falls far.
            let bounds = [-0.2 - (0.5 + 0.5 * dice.signed()), 0.2 + (0.5 + 0.5 * dice.signed())];
            let numbers = [
                10f64.powf(3.0 + 4.0 * (0.5 + 0.5 * dice.signed())),
                10.0 * (0.5 + 0.5 * dice.signed()),
                0.05 + 0.9 * (0.5 + 0.5 * dice.signed()),
            ];
            sim.build().set_joint_stop((joint, slide), bounds, dice.below(3) as i32, numbers).unwrap();
        }
        if dice.below(4) == 0 {
            let radial = 0.05 * (0.5 + 0.5 * dice.signed());
            let load = FrictionLoad { axial: 0.0, radial, bending: 0.5 * radial, static_ratio: 1.2 };
            set_joint_friction_load(&mut sim, (joint, false), load).unwrap();
        }
        if dice.below(6) == 0 {
            set_joint_strength(&mut sim, joint, 60.0 + 100.0 * dice.signed().abs(), f64::INFINITY).unwrap();
        }
        joints.push(joint);
        last = body;
    }
    for pair in joints.windows(2).filter(|_| clutches) {
        let of = [pair[0], pair[1]].map(|joint| (joint, false));
        let numbers = [2.0 * dice.signed() + 0.01, 1.0 + 0.5 * (0.5 + 0.5 * dice.signed()), 1e-6];
        add_clutch(&mut sim, of, numbers, capacities(&mut dice)).unwrap();
    }
    (sim, joints, dice)
}

/// Capacities of a clutch that is open, slips, drives one way or locks.
fn capacities(dice: &mut Random) -> [f64; 2] {
    [0, 1].map(|_| [0.0, 3.0, 20.0 * (0.5 + 0.5 * dice.signed()), f64::INFINITY][dice.below(4)])
}

fn run(seed: u64, clutches: bool, restored: bool) -> Ran {
    let (mut sim, joints, mut dice) = random(seed, clutches);
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        kinetic + potential
    };
    let h = [0.001, 0.003, 0.01][dice.below(3)];
    let (mut least, mut gain) = (energy(&sim), 0.0f64);
    for k in 0..(2.0 / h) as usize {
        if dice.below(40) == 0 {
            let joint = joints[dice.below(joints.len())];
            let capacity = [0.0, 0.0, 20.0, f64::INFINITY][dice.below(4)];
            let kinetic = 10.0 * dice.signed().abs();
            // A broken joint has neither.
            if !JointMachines::of(&sim).is_broken(joint).unwrap() {
                sim.inputs().set_joint_brake(joint, false, capacity).unwrap();
                if dice.below(3) == 0 {
                    let numbers = [kinetic, 1.2 * kinetic, 0.1, 0.0, 1e-6];
                    sim.build().set_joint_friction((joint, false), numbers).unwrap();
                }
            }
        }
        for clutch in 0..if clutches { joints.len() as Id - 1 } else { 0 } {
            if dice.below(40) == 0 {
                set_clutch_capacity(&mut sim, clutch, capacities(&mut dice)).unwrap();
            }
        }
        if let Err(error) = sim.step(h) {
            panic!("{seed} {k} {h}: {error}");
        }
        let now = energy(&sim);
        gain = gain.max(now - least);
        least = least.min(now);
        if restored && k == (1.0 / h) as usize {
            let saved = sim.save().unwrap();
            let mut bytes = vec![0; saved.serialized_len()];
            saved.serialize_into(&mut bytes).unwrap();
            let mut fresh = random(seed, clutches).0;
            fresh.initialize(0.0).unwrap();
            fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
            for (joint, slide) in joints.iter().flat_map(|joint| [(*joint, false), (*joint, true)]) {
                let is_broken = JointMachines::of(&sim).is_broken(joint).unwrap();
                if let (false, Ok(capacity)) = (is_broken, JointMachines::of(&sim).brake(joint, slide)) {
                    fresh.inputs().set_joint_brake(joint, slide, capacity).unwrap();
                }
            }
            for clutch in 0..sim.description().count(EntityKind::Clutch) {
                let present = Clutches::of(&sim).capacity(clutch).unwrap();
                set_clutch_capacity(&mut fresh, clutch, present).unwrap();
            }
            sim = fresh;
        }
    }
    Ran {
        gain,
        events: sim.outputs().statistic("events").unwrap(),
        places: (0..joints.len() as Id).map(|body| sim.outputs().body_pose(body).unwrap().map(f64::to_bits)).collect(),
    }
}

/// How many chains, unless `PINTLE_RANDOM_MACHINES=1000 cargo test --release --test joints
/// random_machines` tries many.
fn seeds(count: u64) -> std::ops::RangeInclusive<u64> {
    1..=std::env::var("PINTLE_RANDOM_MACHINES").map_or(count, |count| count.parse().unwrap())
}

#[test]
fn no_step_of_random_chains_fails_or_gains_energy() {
    for seed in seeds(40) {
        let Ran { gain, events, .. } = run(seed, false, false);
        // Second order: (w h)^2/12 of the 30 J that falls and turns of w = 5 rad/s exchange, h = 10
        // ms.
        assert!(gain < 6e-3, "{seed}: {gain} after {events} events");
    }
}

#[test]
fn random_runs_restored_in_the_middle_go_on_to_the_bit() {
    for seed in seeds(15) {
        assert_eq!(run(seed, false, false).places, run(seed, false, true).places, "{seed}");
    }
}

#[test]
fn no_step_of_random_chains_with_clutches_fails_or_gains_energy() {
    for seed in seeds(40) {
        let Ran { gain, events, .. } = run(seed, true, false);
        assert!(gain < 6e-3, "{seed}: {gain} after {events} events");
    }
}

#[test]
fn random_runs_with_clutches_restored_in_the_middle_go_on_to_the_bit() {
    for seed in seeds(15) {
        assert_eq!(run(seed, true, false).places, run(seed, true, true).places, "{seed}");
    }
}
