//! Random balls that fall into a groove of two planes, bounce, slide, roll and hit each other: no
//! step fails or gains energy, and a run that is restored in the middle goes on to the bit.

use crate::common::random::Random;
use pintle::{ContactLaw, GROUND, Id, Simulation, set_contact_resistance};

const G: f64 = 9.81;

/// A number from 0 to 1.
fn part(dice: &mut Random) -> f64 {
    0.5 + 0.5 * dice.signed()
}

/// A random law, with or without friction.
fn law(dice: &mut Random) -> ContactLaw {
    let law = dice.below(3) as i32;
    let kinetic = [0.0, 0.1, 0.3, 0.8][dice.below(4)];
    ContactLaw {
        law,
        stiffness: 10f64.powf(4.0 + 3.0 * part(dice)),
        exponent: if law == 2 { [1.0, 1.5][dice.below(2)] } else { 1.0 },
        damping: 10.0 * part(dice),
        restitution: 0.05 + 0.85 * part(dice),
        kinetic,
        holding: kinetic * (1.0 + 0.5 * part(dice)),
        slip: 0.0,
    }
}

/// Random arms of rolling and spinning resistance, or none.
fn arms(dice: &mut Random) -> [f64; 2] {
    [(); 2].map(|()| [0.0, 0.0, 0.001, 0.02][dice.below(4)])
}

/// One or two balls over one or two planes.
fn groove(seed: u64) -> (Simulation, Vec<Id>, Random) {
    let mut dice = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let planes: Vec<[f64; 7]> = (0..=dice.below(2))
        .map(|k| {
            let tilt: f64 = [0.3 * dice.signed(), 0.3 + 0.5 * part(&mut dice)][k];
            [0.0, 0.0, 0.0, (0.5 * tilt).cos(), (0.5 * tilt).sin(), 0.0, 0.0]
        })
        .collect();
    let mut bodies: Vec<Id> = Vec::new();
    for k in 0..=dice.below(2) {
        let pose = [0.05 * dice.signed(), 0.05 * dice.signed(), 0.7 + 0.6 * k as f64, 1.0, 0.0, 0.0, 0.0];
        let (mass, radius) = (0.5 + 2.0 * part(&mut dice), 0.1 + 0.1 * part(&mut dice));
        let j = 0.4 * mass * radius * radius;
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose).unwrap();
        let velocity: [f64; 6] = std::array::from_fn(|k| if k < 3 { dice.signed() } else { 5.0 * dice.signed() });
        sim.build().set_body_velocity(body, &velocity).unwrap();
        for plane in &planes {
            let contact = sim.elements().add_contact_plane(GROUND, plane, body, &[0.0; 3], radius).unwrap();
            sim.elements().set_contact_law(contact, law(&mut dice)).unwrap();
            set_contact_resistance(&mut sim, contact, arms(&mut dice)).unwrap();
        }
        for other in &bodies {
            let bodies = [*other, body];
            let contact = sim.elements().add_contact_spheres(bodies, [&[0.0; 3], &[0.0; 3]], [0.1; 2], false).unwrap();
            sim.elements().set_contact_law(contact, law(&mut dice)).unwrap();
            set_contact_resistance(&mut sim, contact, arms(&mut dice)).unwrap();
        }
        bodies.push(body);
    }
    (sim, bodies, dice)
}

/// The most by which the energy grew over its least value before, and where the balls are at the
/// end.
fn run(seed: u64, restored: bool) -> (f64, Vec<[u64; 7]>) {
    let (mut sim, bodies, mut dice) = groove(seed);
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        kinetic + potential
    };
    let h = [0.001, 0.003, 0.01][dice.below(3)];
    let (mut least, mut gain) = (energy(&sim), 0.0f64);
    for k in 0..(2.0 / h) as usize {
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
            let mut fresh = groove(seed).0;
            fresh.initialize(0.0).unwrap();
            fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
            sim = fresh;
        }
    }
    (gain, bodies.iter().map(|body| sim.outputs().body_pose(*body).unwrap().map(f64::to_bits)).collect())
}

#[test]
fn no_step_of_random_balls_fails_or_gains_energy() {
    for seed in 1..=25 {
        let (gain, _) = run(seed, false);
        // Of at most 60 J; a spring that is resolved by 20 steps of half a wave errs by (w h)^2/12
        // = 2e-3 of what it stores while it is pressed in, and returns that.
        assert!(gain < 0.05, "{seed}: {gain}");
    }
}

#[test]
fn random_balls_restored_in_the_middle_go_on_to_the_bit() {
    for seed in 1..=8 {
        assert_eq!(run(seed, false).1, run(seed, true).1, "{seed}");
    }
}
