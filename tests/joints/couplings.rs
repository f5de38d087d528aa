//! Gears of three and more joints: differentials, planetary gears, tackles, coupled pendulums;
//! turns, redundancy, files and saved states.

use crate::common::*;
use crate::gears::{system, wheel, z_frame};
use pintle::{EntityKind, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

fn coordinates(sim: &Simulation, joints: &[Id], k: usize) -> Vec<f64> {
    joints.iter().map(|joint| sim.outputs().joint_coordinate(*joint).unwrap()[k]).collect()
}

/// Wheels of these inertias, coupled with these coefficients, that turn at these speeds.
fn wheels(inertias: &[f64], coefficients: &[f64], speeds: &[f64]) -> (Simulation, Vec<Id>, Id) {
    let mut sim = system();
    let places = (0..).map(f64::from);
    let joints = inertias.iter().zip(speeds).zip(places).map(|((j, speed), x)| wheel(&mut sim, *j, x, *speed));
    let joints: Vec<Id> = joints.collect();
    let gear = sim.elements().add_coupling(&joints, coefficients).unwrap();
    (sim, joints, gear)
}

/// Accelerations a_i = (T_i - c_i mu)/J_i, where mu makes the sum of c_i a_i zero.
fn accelerations(inertias: &[f64], coefficients: &[f64], torques: &[f64]) -> (Vec<f64>, f64) {
    let sum = |of: &dyn Fn(usize) -> f64| (0..inertias.len()).map(of).sum::<f64>();
    let mu = sum(&|i| coefficients[i] * torques[i] / inertias[i]) / sum(&|i| coefficients[i].powi(2) / inertias[i]);
    ((0..inertias.len()).map(|i| (torques[i] - coefficients[i] * mu) / inertias[i]).collect(), mu)
}

/// Shafts and cage of a differential, and trains of four; loads of c_i/c_n times that of the gear.
#[test]
fn coupled_wheels_accelerate_as_their_inertias_say() {
    let cases: [(&[f64], &[f64], &[f64]); 3] = [
        (&[0.3, 0.2, 0.7], &[1.0, 1.0, -2.0], &[0.4, -1.0, 2.0]),
        (&[0.3, 0.2, 0.7], &[5.0, -0.1, 300.0], &[0.4, -1.0, 2.0]),
        (&[0.3, 0.2, 0.7, 0.05], &[1.0, -2.5, 3.0, -0.5], &[0.0, -1.0, 2.0, 0.1]),
    ];
    for (inertias, coefficients, torques) in cases {
        let (mut sim, joints, gear) = wheels(inertias, coefficients, &vec![0.0; inertias.len()]);
        joints.iter().zip(torques).for_each(|(joint, torque)| sim.inputs().set_joint_load(*joint, *torque).unwrap());
        sim.initialize(0.0).unwrap();
        let (right, mu) = accelerations(inertias, coefficients, torques);
        assert_close("start", &coordinates(&sim, &joints, 2), &right, 1e-12);
        (0..50).for_each(|_| sim.step(0.02).unwrap());
        let angles: Vec<f64> = right.iter().map(|a| 0.5 * a).collect();
        assert_close("angles", &coordinates(&sim, &joints, 0), &angles, 1e-9);
        // The gear acts with -c_i mu on coordinate i.
        let load = -coefficients[coefficients.len() - 1] * mu;
        assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[load], 1e-9 * load.abs());
    }
}

/// Joints of sun, ring and carrier with the frame and z_sun, z_ring, -(z_sun + z_ring): with the
/// ring held by a drive, the carrier turns z_sun/(z_sun + z_ring) times as fast as the sun
/// (Willis).
#[test]
fn a_planetary_gear_of_three_joints_fulfils_willis() {
    let (sun, ring) = (20.0, 64.0);
    let (mut sim, joints, _) = wheels(&[0.1, 0.4, 0.3], &[sun, ring, -(sun + ring)], &[0.0; 3]);
    sim.build().set_joint_driven(joints[1], true).unwrap();
    sim.inputs().set_joint_motion(joints[1], 0.0, 0.0, 0.0).unwrap();
    sim.inputs().set_joint_load(joints[0], 1.2).unwrap();
    sim.initialize(0.0).unwrap();
    let ratio = sun / (sun + ring);
    let acceleration = 1.2 / (0.1 + ratio * ratio * 0.3);
    (0..600).for_each(|_| sim.step(0.02).unwrap());
    let angle = 0.5 * acceleration * 144.0;
    assert!(angle > 100.0 * TAU);
    assert_close("angles", &coordinates(&sim, &joints, 0), &[angle, 0.0, ratio * angle], 1e-9 * angle);
    // All three turn, by themselves.
    let (mut sim, joints, _) = wheels(&[0.1, 0.4, 0.3], &[sun, ring, -(sun + ring)], &[84.0, 42.0, 52.0]);
    sim.initialize(0.0).unwrap();
    (0..10_000).for_each(|_| sim.step(0.005).unwrap());
    // Rounding of 4200 rad is 1e-12, and 10,000 steps that each round add up at random.
    assert_close("turns", &coordinates(&sim, &joints, 0), &[4200.0, 2100.0, 2600.0], 1e-7);
    let [sun_angle, ring_angle, carrier] = coordinates(&sim, &joints, 0)[..] else { panic!("three joints") };
    assert_close("relation", &[(sun * sun_angle + ring * ring_angle) / (sun + ring)], &[carrier], 1e-9);
    let (position, _) = sim.outputs().constraint_violation().unwrap();
    assert!(position < 1e-11, "{position}");
}

/// The fastest wheel may turn by any angle in a step, the others by half a turn, unless the fastest
/// turns a whole number of times as fast as they do.
#[test]
fn turns_of_three_wheels_that_would_be_lost_are_refused() {
    let run = |coefficients: [f64; 3], speeds: [f64; 3], h: f64| {
        let (mut sim, joints, _) = wheels(&[0.1, 0.4, 0.3], &coefficients, &speeds);
        sim.initialize(0.0).unwrap();
        (0..20).try_for_each(|_| sim.step(h)).map(|()| coordinates(&sim, &joints, 0))
    };
    let error = run([20.0, 64.0, -84.0], [84.0, 42.0, 52.0], 0.1).unwrap_err();
    assert!(error.to_string().contains("in one step, more than half a turn"), "{error}");
    let angles = run([20.0, 64.0, -84.0], [84.0, 4.0, 1936.0 / 84.0], 0.1).unwrap();
    assert_close("one fast", &angles, &[168.0, 8.0, 2.0 * 1936.0 / 84.0], 1e-8);
    // One shaft of a differential turns twice as fast as the cage, less once the other shaft.
    let angles = run([1.0, 1.0, -2.0], [84.0, 20.0, 52.0], 0.1).unwrap();
    assert_close("whole", &angles, &[168.0, 40.0, 104.0], 1e-8);
}

const LENGTHS: [f64; 3] = [0.7, 0.5, 0.9];
const STARTS: [f64; 3] = [1.2, -0.4, 0.6];
const INERTIA: f64 = 0.2;
const GRAVITY: f64 = 9.81;

/// Three pendulums with q_1 + q_2 = 2 q_3 but for a constant.
fn pendulums(shift: V3) -> (Simulation, Vec<Id>, Id) {
    let mut sim = system();
    sim.settings().set_gravity(&[GRAVITY, 0.0, 0.0]).unwrap();
    let joint = |(length, start): (&f64, &f64)| {
        let (at, j) = (pose(shift, quat_exp([0.0, 0.0, *start])), INERTIA);
        let body = sim.build().add_rigid_body(1.0, &[*length, 0.0, 0.0], &[j, j, j, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint(JointKind::Revolute, GROUND, body, &z_frame(shift), &ORIGIN).unwrap()
    };
    let joints: Vec<Id> = LENGTHS.iter().zip(&STARTS).map(joint).collect();
    let gear = sim.elements().add_coupling(&joints, &[0.5, 0.5, -1.0]).unwrap();
    (sim, joints, gear)
}

/// Angles and rates of the first two pendulums, their accelerations and that of the third, by
/// Lagrange's equations: J_i q_i'' + J_3/4 (q_1'' + q_2'') = -g l_i sin q_i - g l_3/2 sin q_3.
fn seconds(q: [f64; 2]) -> [f64; 3] {
    let third = STARTS[2] + 0.5 * (q[0] - STARTS[0] + q[1] - STARTS[1]);
    let [j_1, j_2, j_3] = LENGTHS.map(|l| INERTIA + l * l);
    let torque = |i: usize| -GRAVITY * (LENGTHS[i] * q[i].sin() + 0.5 * LENGTHS[2] * third.sin());
    let (f, side) = ([torque(0), torque(1)], 0.25 * j_3);
    let determinant = (j_1 + side) * (j_2 + side) - side * side;
    let a = [((j_2 + side) * f[0] - side * f[1]) / determinant, ((j_1 + side) * f[1] - side * f[0]) / determinant];
    [a[0], a[1], 0.5 * (a[0] + a[1])]
}

/// Angles of the first two pendulums, the rates, and the load of the gear on the third.
fn pendulums_at(t: f64) -> [f64; 5] {
    let mut y = [STARTS[0], STARTS[1], 0.0, 0.0];
    let steps = 4000;
    for _ in 0..steps {
        let mut rate = |_: f64, y: &[f64], rate: &mut [f64]| {
            let [a, b, _] = seconds([y[0], y[1]]);
            rate.copy_from_slice(&[y[2], y[3], a, b]);
        };
        rk4_step(&mut rate, 0.0, t / f64::from(steps), &mut y);
    }
    let third = STARTS[2] + 0.5 * (y[0] - STARTS[0] + y[1] - STARTS[1]);
    let a = seconds([y[0], y[1]])[2];
    [y[0], y[1], y[2], y[3], (INERTIA + LENGTHS[2].powi(2)) * a + GRAVITY * LENGTHS[2] * third.sin()]
}

fn found(sim: &Simulation, joints: &[Id], gear: Id) -> [f64; 5] {
    let (q, qd) = (coordinates(sim, joints, 0), coordinates(sim, joints, 1));
    [q[0], q[1], qd[0], qd[1], sim.outputs().gear_load(gear).unwrap()]
}

#[test]
fn coupled_pendulums_converge_with_every_kind_of_scheme() {
    let end = 1.5;
    let right = pendulums_at(end);
    for (scheme, order, loads) in
        [("generalized-alpha", 2.0, 5), ("momentum-alpha", 2.0, 4), ("hht", 2.0, 4), ("rk4", 4.0, 5), ("ab3", 3.0, 5)]
    {
        let error = |steps: u32| {
            let (mut sim, joints, gear) = pendulums([0.0; 3]);
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            let h = end / f64::from(steps);
            // Pairs of a longer and a shorter step, where the scheme's order does not depend on
            // equal ones.
            let change = if scheme == "ab3" { 0.0 } else { 0.2 };
            (0..steps)
                .for_each(|k| sim.step(if k % 2 == 0 { (1.0 + change) * h } else { (1.0 - change) * h }).unwrap());
            let found = found(&sim, &joints, gear);
            (h, found[..loads].iter().zip(&right).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt())
        };
        let table = [error(120), error(240), error(480)];
        assert!(orders(&table).iter().all(|found| *found > order - 0.3), "{scheme}: {table:?} {:?}", orders(&table));
    }
}

/// Energy at rho_inf 1 errs with the square of the step and does not drift; far away the same.
#[test]
fn coupled_pendulums_keep_their_energy_and_do_not_care_where_they_are() {
    let run = |shift: V3| {
        let (mut sim, joints, gear) = pendulums(shift);
        sim.settings().set_option("rho_inf", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| {
            let (kinetic, potential) = sim.outputs().energy().unwrap();
            kinetic + potential
        };
        let (start, mut off) = (energy(&sim), [0.0f64; 2]);
        for k in 0..4000 {
            sim.step(0.005).unwrap();
            let part = &mut off[k / 2000];
            *part = part.max((energy(&sim) - start).abs());
        }
        (found(&sim, &joints, gear), off)
    };
    let (near, off) = run([0.0; 3]);
    // (w h)^2/12 with w below 8 rad/s of what swings, g times the sum of lengths at most.
    assert!(off[0] < 0.04_f64.powi(2) / 12.0 * GRAVITY * 2.1 && off[1] < 1.5 * off[0], "{off:?}");
    // The host's own numbers round at 1e6 m to 1e-10 m; 20 s of a double pendulum's kind of motion
    // let that grow.
    let (far, _) = run([1e6, -2e6, 5e5]);
    assert_close("shifted", &far, &near, 1e-5);
}

/// Weights on PRISMATIC joints along gravity: a block with two falls, whose load moves half as far
/// as the sum of the ends of its rope.
#[test]
fn a_tackle_balances_its_weights_and_falls_as_their_masses_say() {
    for (masses, balanced) in [([2.0, 2.0, 4.0], true), ([1.0, 2.0, 5.0], false)] {
        let mut sim = system();
        sim.settings().set_gravity(&[0.0, 0.0, -GRAVITY]).unwrap();
        let joint = |(mass, x): (f64, f64)| {
            let at = pose([x, 0.0, 0.0], UNROTATED);
            let body = sim.build().add_rigid_body(mass, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
            let z = Some(&[0.0, 0.0, 1.0]);
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[x, 0.0, 0.0], z).unwrap()
        };
        let joints: Vec<Id> = masses.into_iter().zip([0.0, 1.0, 2.0]).map(joint).collect();
        let gear = sim.elements().add_coupling(&joints, &[1.0, 1.0, 2.0]).unwrap();
        sim.initialize(0.0).unwrap();
        (0..40).for_each(|_| sim.step(0.025).unwrap());
        let weights = masses.map(|mass| -GRAVITY * mass);
        let (right, mu) = accelerations(&masses, &[1.0, 1.0, 2.0], &weights);
        assert_eq!(balanced, right[0].abs() < 1e-12);
        let places: Vec<f64> = right.iter().map(|a| 0.5 * a).collect();
        assert_close("places", &coordinates(&sim, &joints, 0), &places, 1e-11);
        assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[-2.0 * mu], 1e-9);
    }
}

/// Coefficients whose ratio is exact give the bits of the gear with it.
#[test]
fn a_gear_of_two_joints_has_the_bits_of_its_ratio() {
    let run = |coupled: bool| {
        let mut sim = system();
        let joints = [wheel(&mut sim, 0.3, 0.0, 2.0), wheel(&mut sim, 0.2, 3.0, -5.0)];
        match coupled {
            true => sim.elements().add_coupling(&joints, &[10.0, 4.0]).unwrap(),
            false => sim.elements().add_gear(joints[0], joints[1], -2.5).unwrap(),
        };
        assert_eq!(sim.description().gear(0).unwrap().two(), Some(([0, 1], -2.5)));
        sim.inputs().set_joint_load(joints[0], 0.7).unwrap();
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.05).unwrap());
        [coordinates(&sim, &joints, 0), coordinates(&sim, &joints, 1), vec![sim.outputs().gear_load(0).unwrap()]]
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn couplings_that_follow_from_others_are_left_out_and_named() {
    let (mut sim, joints, gear) = wheels(&[0.3, 0.2, 0.7], &[1.0, 1.0, -2.0], &[0.0; 3]);
    sim.elements().add_gear(joints[0], joints[2], 1.0).unwrap();
    let closing = sim.elements().add_gear(joints[1], joints[2], 1.0).unwrap();
    let twice = sim.elements().add_coupling(&[joints[2], joints[1], joints[0]], &[4.0, -2.0, -2.0]).unwrap();
    sim.build().set_name(EntityKind::Gear, twice, "twice").unwrap();
    sim.inputs().set_joint_load(joints[0], 1.2).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 2.0);
    let said = sim.analysis().redundant_constraints().unwrap();
    assert!(said.contains("gear 3 \"twice\" (joints 2, 1, 0, coefficients 4, -2, -2)"), "{said}");
    (0..10).for_each(|_| sim.step(0.01).unwrap());
    // All three are one wheel.
    assert_close("together", &coordinates(&sim, &joints, 2), &[1.0; 3], 1e-11);
    let loads = [gear, closing, twice].map(|gear| sim.outputs().gear_load(gear).unwrap());
    // On the second wheel acts only the first gear, with c_2/c_3 = -1/2 of its load.
    assert_close("loads", &loads, &[-0.4, 0.0, 0.0], 1e-11);
}

#[test]
fn couplings_go_on_bit_by_bit_from_files_and_saved_states() {
    let mut sim = pendulums([0.0; 3]).0;
    sim.build().set_name(EntityKind::Joint, 1, "middle").unwrap();
    let path = std::env::temp_dir().join(format!("pintle-couplings-{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let mut loaded = Simulation::load_model(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let gear = loaded.description().gear(0).unwrap();
    assert_eq!((&gear.joints[..], &gear.coefficients[..]), (&[0, 1, 2][..], &[0.5, 0.5, -1.0][..]));
    for sim in [&mut sim, &mut loaded] {
        sim.initialize(0.0).unwrap();
        (0..30).for_each(|_| sim.step(0.01).unwrap());
    }
    let bytes = sim.save().unwrap().to_bytes();
    assert_eq!(bytes, loaded.save().unwrap().to_bytes());
    let mut fresh = pendulums([0.0; 3]).0;
    fresh.initialize(0.0).unwrap();
    let snapshot = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&snapshot).unwrap();
    (0..40).for_each(|_| fresh.step(0.01).unwrap());
    (0..40).for_each(|_| sim.step(0.01).unwrap());
    assert_eq!(fresh.save().unwrap().to_bytes(), sim.save().unwrap().to_bytes());
}

/// Poses that are set anew: the cage, then one shaft keep their turns, and the other shaft has
/// those that follow, 4 rad, which is more than half a turn away from where it was.
#[test]
fn wheels_of_a_differential_that_are_put_elsewhere_stay_on_its_turns() {
    let (mut sim, joints, _) = wheels(&[0.3, 0.2, 0.7], &[1.0, 1.0, -2.0], &[0.0; 3]);
    sim.initialize(0.0).unwrap();
    let put = |sim: &mut Simulation, q: [f64; 3], speeds: [f64; 3]| {
        let poses = [0, 1, 2].map(|k| pose([f64::from(k), 0.0, 0.0], quat_exp([0.0, 0.0, q[k as usize]])));
        let rates = speeds.map(|speed| [0.0, 0.0, 0.0, 0.0, 0.0, speed]);
        sim.inputs().set_coordinates(&poses, &rates).unwrap();
    };
    put(&mut sim, [2.0, 4.0, 3.0], [30.0, 10.0, 20.0]);
    assert_close("put", &coordinates(&sim, &joints, 0), &[2.0, 4.0, 3.0], 1e-12);
    (0..100).for_each(|_| sim.step(0.02).unwrap());
    let turned = coordinates(&sim, &joints, 0);
    assert_close("turned", &turned, &[62.0, 24.0, 43.0], 1e-9);
    let [a, b, c] = turned[..] else { panic!("three wheels") };
    put(&mut sim, [a, b, c], [0.0; 3]);
    assert_close("kept", &coordinates(&sim, &joints, 0), &turned, 1e-12 * 60.0);
}

/// Pendulums and slides with random coefficients, also in two gears that share joints: each step
/// keeps the gears, or says which joint turns too far, or that it does not converge.
#[test]
fn steps_of_random_couplings_keep_them_or_say_why_not() {
    let mut done = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut sim = system();
        sim.settings().set_gravity(&[GRAVITY, 0.0, 0.0]).unwrap();
        let joint = |k: i32| {
            let (l, place) = (0.5 + 0.5 * random.signed(), pose([0.0, 0.0, f64::from(k)], UNROTATED));
            let body =
                sim.build().add_rigid_body(1.0, &[l, 0.0, 0.0], &[0.2, 0.2, 0.2, 0.0, 0.0, 0.0], &place).unwrap();
            let kind = [JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic][random.below(3)];
            sim.build().add_joint(kind, GROUND, body, &place, &ORIGIN).unwrap()
        };
        let joints: Vec<Id> = (0..6).map(joint).collect();
        for part in [&joints[..4], &joints[2..]] {
            let coefficients: Vec<f64> = part.iter().map(|_| 3.0 * random.signed()).collect();
            sim.elements().add_coupling(part, &coefficients).unwrap();
        }
        sim.initialize(0.0).unwrap();
        for _ in 0..200 {
            let outcome = sim.step(10.0_f64.powf(2.0 * random.signed() - 2.0));
            let said = outcome.as_ref().map_err(|error| error.to_string());
            if let Err(said) = said {
                assert!(said.contains("more than half a turn") || said.contains("converge"), "{seed}: {said}");
                break;
            }
            let (position, velocity) = sim.outputs().constraint_violation().unwrap();
            assert!(position < 1e-8 && velocity < 1e-6, "{seed}: {position} {velocity}");
            done += 1;
        }
    }
    assert!(done > 3000, "{done}");
}

#[test]
fn couplings_without_meaning_are_refused() {
    let mut sim = system();
    let [a, b, c] = [0.0, 1.0, 2.0].map(|x| wheel(&mut sim, 0.1, x, 0.0));
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let ball = sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    let cases: [(&[Id], &[f64], &str); 9] = [
        (&[], &[], "2 or more joints"),
        (&[a], &[1.0], "2 or more joints"),
        (&[a, b, c], &[1.0, 2.0], "one per joint"),
        (&[a, ball, c], &[1.0, 2.0, 3.0], "is SPHERICAL: it has no coordinate"),
        (&[a, b, a], &[1.0, 2.0, 3.0], "joint 0 is there twice"),
        (&[a, b, c], &[1.0, 0.0, 3.0], "coefficients[1] = 0: joint 1 is not coupled"),
        (&[a, b, c], &[1.0, f64::NAN, 3.0], "not finite"),
        (&[a, b, c], &[1.0, 1e-300, 1e300], "beyond the range of numbers"),
        (&[a, b, 9], &[1.0, 1.0, 1.0], "joints"),
    ];
    for (joints, coefficients, says) in cases {
        let error = sim.elements().add_coupling(joints, coefficients).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(sim.description().count(EntityKind::Gear), 0);
    let gear = sim.elements().add_coupling(&[a, b, c], &[1.0, 1.0, -2.0]).unwrap();
    assert!(sim.description().gear(gear).unwrap().two().is_none() && sim.description().gear(7).is_err());
}
