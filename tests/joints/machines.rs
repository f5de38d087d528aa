//! Friction, brakes and stops on coordinates of joints against solutions in closed form.

use pintle::{Frame, GROUND, Id, JointKind, JointMachines, Simulation, advance_to};

const G: f64 = 9.81;

/// Laws of stops.
const SPRING: i32 = 0;
const IMPULSE: i32 = 1;
const RESTITUTION: i32 = 2;

/// A mass on a PRISMATIC joint along x, under a gravity along x and across.
fn slider(mass: f64, v: f64, gravity: [f64; 3]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&gravity).unwrap();
    let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &IDENTITY).unwrap();
    sim.build().set_body_velocity(body, &[v, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let joint =
        sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
    (sim, joint)
}

const IDENTITY: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

fn place(sim: &Simulation, joint: Id) -> f64 {
    sim.outputs().joint_coordinate(joint).unwrap()[0]
}

fn rate(sim: &Simulation, joint: Id) -> f64 {
    sim.outputs().joint_coordinate(joint).unwrap()[1]
}

#[test]
fn a_block_on_a_slope_is_held_to_the_bit() {
    // tan(angle) = 0.5 below mu = 0.6.
    let (m, slope) = (2.0, 0.5f64.atan());
    let (mut sim, joint) = slider(m, 0.0, [G * slope.sin(), 0.0, -G * slope.cos()]);
    let limit = 0.6 * m * G * slope.cos();
    sim.build().set_joint_friction((joint, false), [limit, limit, 0.0, 0.0, 1e-6]).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..20_000 {
        sim.step(0.05).unwrap();
    }
    // Rounding of the balance over the stiffness: 1e-15 * 9 N / 1e7 N/m = 1e-21 m.
    assert!(place(&sim, joint).abs() < 1e-20, "{}", place(&sim, joint));
}

#[test]
fn a_braked_block_stops_where_its_energy_is_spent() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let (m, mu, v) = (2.0, 0.3, 1.0);
        let (mut sim, joint) = slider(m, v, [0.0, 0.0, -G]);
        sim.settings().set_scheme(scheme).unwrap();
        sim.build().set_joint_friction((joint, false), [mu * m * G, mu * m * G, 0.0, 0.0, 1e-6]).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..40 {
            sim.step(0.05).unwrap();
        }
        let expected = v * v / (2.0 * mu * G);
        assert!((place(&sim, joint) - expected).abs() < 1e-12, "{scheme} {}", place(&sim, joint) - expected);
        assert_eq!(sim.outputs().statistic("events").unwrap(), 1.0);
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
    }
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form_and_rests() {
    let (e, drop) = (0.8, 1.0);
    for h in [0.01, 0.04] {
        let (mut sim, joint) = slider(1.0, 0.0, [-G, 0.0, 0.0]);
        sim.build().set_joint_offset(joint, drop).unwrap();
        sim.build().set_joint_stop((joint, false), [0.0, f64::INFINITY], IMPULSE, [1e6, 0.0, e]).unwrap();
        sim.initialize(0.0).unwrap();
        let mut hits = Vec::new();
        while sim.time().unwrap() < 5.0 {
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap();
            hits.extend(events.iter().filter(|event| event.impulse > 0.0).map(|event| event.time));
        }
        let v0 = (2.0 * G * drop).sqrt();
        let mut expected = v0 / G;
        for (k, hit) in hits.iter().take(12).enumerate() {
            assert!((hit - expected).abs() < 1e-12, "{h} {k}: {}", hit - expected);
            expected += 2.0 * v0 * e.powi(k as i32 + 1) / G;
        }
        assert!(hits.len() > 12);
        assert!(rate(&sim, joint).abs() < 1e-12, "{}", rate(&sim, joint));
        assert!(place(&sim, joint).abs() < 2.0 * G / 1e6);
    }
}

#[test]
fn an_elastic_floor_keeps_the_energy() {
    for k in [1e4, 1e6, 1e8] {
        let (mut sim, joint) = slider(1.0, 0.0, [-G, 0.0, 0.0]);
        sim.build().set_joint_offset(joint, 1.0).unwrap();
        sim.build().set_joint_stop((joint, false), [0.0, f64::INFINITY], SPRING, [k, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..300 {
            sim.step(0.01).unwrap();
        }
        let (q, v) = (place(&sim, joint), rate(&sim, joint));
        let energy = (0.5 * v * v + G * q + 0.5 * k * (-q).max(0.0).powi(2)) / G;
        assert!((energy - 1.0).abs() < 2e-3, "{k}: {energy}");
    }
}

#[test]
fn a_stop_with_restitution_returns_that_part_of_the_speed() {
    for e in [0.95, 0.5, 0.2] {
        let (mut sim, joint) = slider(1.0, -1.0, [0.0; 3]);
        sim.build().set_joint_offset(joint, 0.1).unwrap();
        sim.build().set_joint_stop((joint, false), [0.0, f64::INFINITY], RESTITUTION, [1e5, 0.0, e]).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..30 {
            sim.step(0.01).unwrap();
        }
        // 20 steps in a half-wave: 0.8012 was measured of 0.8.
        assert!((rate(&sim, joint) - e).abs() < 5e-3, "{e}: {}", rate(&sim, joint));
    }
}

/// A mass on a belt of speed u, held by a spring: the period of stick-slip, without damping.
#[test]
fn stick_slip_has_the_period_of_the_closed_form() {
    // In the frame of the belt: the anchor of the spring moves with -u. Here the belt is a body
    // that is driven, and the block slides on it.
    let (m, k, u, fs, fk) = (1.0, 100.0f64, 0.1, 1.5, 1.0);
    let w = (k / m).sqrt();
    let x = (fs - fk) * w / (k * u);
    let expected = 2.0 * (fs - fk) / (k * u) + 2.0 / w * (std::f64::consts::PI - x.atan());
    let mut errors = Vec::new();
    for h in [0.02, 0.01, 0.005] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
        let belt = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &IDENTITY).unwrap();
        let block = sim.build().add_rigid_body(m, &[0.0; 3], &inertia, &IDENTITY).unwrap();
        let axis = Some(&[1.0, 0.0, 0.0]);
        let drive = sim.build().add_joint_at(JointKind::Prismatic, GROUND, belt, &[0.0; 3], axis).unwrap();
        let on_belt = sim.build().add_joint_at(JointKind::Prismatic, belt, block, &[0.0; 3], axis).unwrap();
        sim.build().set_joint_driven(drive, true).unwrap();
        for body in [belt, block] {
            sim.build().set_body_velocity(body, &[u, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        }
        sim.inputs().set_joint_motion(drive, 0.0, u, 0.0).unwrap();
        sim.elements().add_spring(GROUND, &[-1.0, 0.0, 0.0], block, &[0.0; 3], k, 0.0, 1.0, false).unwrap();
        sim.build().set_joint_friction((on_belt, false), [fk, fs, 0.0, 0.0, 1e-7]).unwrap();
        sim.initialize(0.0).unwrap();
        let mut sticks = Vec::new();
        let mut t: f64 = 0.0;
        while t < 10.0 {
            t += h;
            sim.inputs().set_joint_motion(drive, u * t, u, 0.0).unwrap();
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap();
            sticks.extend(events.iter().filter(|event| event.change.name() == "sticks").map(|event| event.time));
        }
        let count = sticks.len() - 2;
        let period = (sticks[count] - sticks[1]) / (count - 1) as f64;
        errors.push((period - expected).abs());
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
    }
    // The motion while slipping: (w h)^2/12 of its time, and rho_inf 0.8. What holds the block
    // rings with dF/dt/(k slip w) = 3e-4 s.
    println!("{errors:?}");
    assert!(errors[0] < 4e-3 && errors[1] < 1.2e-3 && errors[2] < 6e-4, "{errors:?}");
}

/// A bar on a REVOLUTE joint about y that falls from the level to a stop at the vertical.
fn pendulum(law: i32, e: f64, shift: f64) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let at = [shift + 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.2, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
    let axis = Some(&[0.0, 1.0, 0.0]);
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[shift, 0.0, 0.0], axis).unwrap();
    // A turn about y takes x to -z: the bar falls towards q = 0.
    sim.build().set_joint_offset(joint, -std::f64::consts::FRAC_PI_2).unwrap();
    sim.build().set_joint_stop((joint, false), [f64::NEG_INFINITY, 0.0], law, [1e6, 0.0, e]).unwrap();
    (sim, joint)
}

/// The complete elliptic integral of the first kind of a modulus, by the arithmetic-geometric mean.
fn elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0f64, (1.0 - k * k).sqrt());
    for _ in 0..10 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[test]
fn a_pendulum_on_a_rigid_stop_hits_it_at_the_times_of_elliptic_integrals() {
    let e = 0.7;
    // Moment of inertia over moment of gravity.
    let unit = (2.2 / (2.0 * G)).sqrt();
    let mut modulus = std::f64::consts::FRAC_PI_4.sin();
    let mut expected = unit * elliptic(modulus);
    for _ in 1..9 {
        modulus *= e;
        expected += 2.0 * unit * elliptic(modulus);
    }
    let error = |h: f64| {
        let (mut sim, _) = pendulum(IMPULSE, e, 0.0);
        sim.initialize(0.0).unwrap();
        let mut hits = Vec::new();
        while hits.len() < 9 {
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap();
            hits.extend(events.iter().filter(|event| event.impulse < 0.0).map(|event| event.time));
        }
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
        (hits[8] - expected).abs()
    };
    let table = [0.02, 0.01, 0.005].map(|h| (h, error(h)));
    println!("{table:?}");
    crate::common::assert_order("the ninth hit", &table, 2.0, 0.35);
}

#[test]
fn a_far_model_hits_its_stop_at_the_same_time() {
    let hit = |shift: f64| {
        let (mut sim, _) = pendulum(IMPULSE, 0.7, shift);
        sim.initialize(0.0).unwrap();
        loop {
            sim.step(0.01).unwrap();
            if let [event, ..] = JointMachines::of(&sim).events().unwrap() {
                return event.time;
            }
        }
    };
    // Places are rounded to 1e-10 m there, and the bar hits with 4 rad/s.
    assert!((hit(1e6) - hit(0.0)).abs() < 1e-9, "{}", hit(1e6) - hit(0.0));
}

#[test]
fn a_yaw_brake_holds_moments_below_its_capacity_and_turns_above() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let inertia = [3.0, 3.0, 5.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &IDENTITY).unwrap();
    let axis = Some(&[0.0, 0.0, 1.0]);
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], axis).unwrap();
    sim.inputs().set_joint_brake(joint, false, 10.0).unwrap();
    sim.initialize(0.0).unwrap();
    for k in 0..400 {
        sim.inputs().set_joint_load(joint, 9.0 * (0.05 * f64::from(k)).sin()).unwrap();
        sim.step(0.05).unwrap();
    }
    // The slip distance is 1e-6 rad.
    assert!(place(&sim, joint).abs() < 1.1e-6, "{}", place(&sim, joint));
    assert_eq!(JointMachines::of(&sim).output(joint, false).unwrap().mode, 1);
    // Opened it turns by the moment alone, and closed again it stops with that of the brake.
    let before = place(&sim, joint);
    sim.inputs().set_joint_load(joint, 5.0).unwrap();
    sim.inputs().set_joint_brake(joint, false, 0.0).unwrap();
    sim.settings().set_option("input_order", 0.0).unwrap();
    sim.inputs().mark_discontinuity().unwrap();
    for _ in 0..20 {
        sim.step(0.05).unwrap();
    }
    // 5 N m on 5 kg m^2 for 1 s, from the rate of the spring that held: below 1e-4 rad/s.
    assert!((place(&sim, joint) - before - 0.5).abs() < 2e-4, "{}", place(&sim, joint) - before);
    sim.inputs().set_joint_load(joint, 0.0).unwrap();
    sim.inputs().set_joint_brake(joint, false, 10.0).unwrap();
    sim.inputs().mark_discontinuity().unwrap();
    for _ in 0..40 {
        sim.step(0.05).unwrap();
    }
    // 1 rad/s stops within 1/(2 * 10/5) rad.
    assert!((place(&sim, joint) - before - 0.75).abs() < 4e-4, "{}", place(&sim, joint) - before);
    assert!(rate(&sim, joint).abs() < 1e-9, "{}", rate(&sim, joint));
}

/// A block between two stops on a slope with friction, drawn by a load that changes.
fn shaken(law: i32) -> (Simulation, Id) {
    let (mut sim, joint) = slider(2.0, 1.0, [3.0, 0.0, -G]);
    sim.build().set_joint_friction((joint, false), [4.0, 5.0, 0.1, 0.05, 1e-6]).unwrap();
    sim.build().set_joint_stop((joint, false), [-0.2, 0.3], law, [1e5, 20.0, 0.6]).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, joint)
}

fn shake(sim: &mut Simulation, joint: Id, k: usize) {
    sim.inputs().set_joint_load(joint, 25.0 * (0.13 * k as f64).sin()).unwrap();
    sim.inputs().set_joint_brake(joint, false, if k % 50 < 20 { 30.0 } else { 0.0 }).unwrap();
    sim.step(0.01).unwrap();
}

#[test]
fn a_run_restored_in_any_mode_goes_on_to_the_bit() {
    for law in [SPRING, IMPULSE, RESTITUTION] {
        let (mut sim, joint) = shaken(law);
        let mut modes = std::collections::BTreeSet::new();
        for k in 0..300 {
            if k % 7 == 0 {
                let (mut fresh, _) = shaken(law);
                let saved = sim.save().unwrap();
                let mut bytes = vec![0; saved.serialized_len()];
                saved.serialize_into(&mut bytes).unwrap();
                let snapshot = fresh.deserialize(&bytes).unwrap();
                fresh.restore(&snapshot).unwrap();
                let mut own = sim.clone();
                for l in k..k + 5 {
                    shake(&mut own, joint, l);
                    shake(&mut fresh, joint, l);
                }
                assert_eq!(place(&own, joint).to_bits(), place(&fresh, joint).to_bits(), "{law} {k}");
                assert_eq!(rate(&own, joint).to_bits(), rate(&fresh, joint).to_bits(), "{law} {k}");
            }
            shake(&mut sim, joint, k);
            modes.insert(JointMachines::of(&sim).output(joint, false).unwrap().mode);
            assert!(place(&sim, joint).abs() < 0.31);
        }
        assert!(modes.contains(&0) && modes.contains(&1), "{modes:?}");
        assert!(sim.outputs().statistic("events").unwrap() > 10.0);
    }
}

#[test]
fn a_trial_that_hits_is_rejected_and_leaves_nothing() {
    let (mut sim, joint) = pendulum(IMPULSE, 0.7, 0.0);
    sim.initialize(0.0).unwrap();
    let mut other = sim.clone();
    for _ in 0..200 {
        sim.advance(0.02).unwrap();
        sim.reject().unwrap();
        sim.step(0.01).unwrap();
        other.step(0.01).unwrap();
    }
    assert_eq!(place(&sim, joint).to_bits(), place(&other, joint).to_bits());
    assert_eq!(rate(&sim, joint).to_bits(), rate(&other, joint).to_bits());
}

#[test]
fn the_equilibrium_of_a_pendulum_is_at_its_stop() {
    for law in [SPRING, IMPULSE, RESTITUTION] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[G, 0.0, 0.0]).unwrap();
        let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &IDENTITY).unwrap();
        let axis = Some(&[1.0, 0.0, 0.0]);
        let joint = sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0; 3], axis).unwrap();
        sim.build().set_joint_spring(joint, 10.0, 0.0, 0.0).unwrap();
        sim.build().set_joint_stop((joint, false), [-1.0, 0.5], law, [1e4, 0.0, 0.5]).unwrap();
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-10).unwrap();
        // 10 q + 1e4 (q - 0.5) = m g.
        let expected = (2.0 * G + 5e3) / (10.0 + 1e4);
        assert!((place(&sim, joint) - expected).abs() < 1e-9, "{law} {}", place(&sim, joint) - expected);
        for _ in 0..50 {
            sim.step(0.02).unwrap();
        }
        assert!((place(&sim, joint) - expected).abs() < 1e-9, "{law} {}", place(&sim, joint) - expected);
    }
}

#[test]
fn events_beyond_the_limit_change_modes_at_the_ends_of_steps() {
    let (mut sim, joint) = slider(1.0, 0.0, [-G, 0.0, 0.0]);
    sim.settings().set_option("max_events", 0.0).unwrap();
    sim.build().set_joint_offset(joint, 1.0).unwrap();
    sim.build().set_joint_stop((joint, false), [0.0, f64::INFINITY], IMPULSE, [1e6, 0.0, 0.8]).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..2000 {
        sim.step(0.005).unwrap();
        // Half a step of the fastest fall, and no energy from nowhere.
        assert!(place(&sim, joint) > -0.05 && place(&sim, joint) < 1.05);
    }
    assert_eq!(sim.outputs().statistic("events").unwrap(), 0.0);
    assert!(sim.outputs().statistic("unlocated_events").unwrap() > 5.0);
    let warning = sim.outputs().warning().unwrap();
    assert!(warning.contains("not located, the last one of joint 0, because"), "{warning}");
}

#[test]
fn what_cannot_locate_events_is_refused() {
    let refused = |change: &dyn Fn(&mut Simulation, Id), says: &str| {
        let (mut sim, joint) = slider(1.0, 0.0, [0.0; 3]);
        sim.build().set_joint_friction((joint, false), [1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
        change(&mut sim, joint);
        let message = sim.initialize(0.0).unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
    };
    refused(&|sim, _| sim.settings().set_scheme("rk4").unwrap(), "not with rk4");
    refused(&|sim, _| sim.settings().set_option("linear", 1.0).unwrap(), "not with option \"linear\" = 1");
    let (mut sim, joint) = slider(1.0, 0.0, [0.0; 3]);
    sim.build().set_joint_friction((joint, false), [1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim.settings().set_scheme("rk4").unwrap();
    assert!(sim.step(0.01).unwrap_err().to_string().contains("not with rk4"));
}

#[test]
fn a_chain_of_joints_with_friction_comes_to_rest_without_gaining_energy() {
    let n = 4;
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let mut joints = Vec::new();
    for k in 0..n {
        let at = [0.5 + k as f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
        let to = if k == 0 { GROUND } else { body - 1 };
        let axis = Some(&[0.0, 1.0, 0.0]);
        let joint = sim.build().add_joint_at(JointKind::Revolute, to, body, &[k as f64, 0.0, 0.0], axis).unwrap();
        let limit = 12.0 * (n - k) as f64;
        sim.build().set_joint_friction((joint, false), [limit, 1.2 * limit, 0.5, 0.0, 1e-6]).unwrap();
        sim.build().set_joint_stop((joint, false), [-1.0, 1.0], IMPULSE, [1e6, 0.0, 0.3]).unwrap();
        joints.push(joint);
    }
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        kinetic + potential
    };
    let mut last = energy(&sim);
    for _ in 0..400 {
        sim.step(0.01).unwrap();
        let now = energy(&sim);
        // Second order: a part of the 8 G that the fall turns over.
        assert!(now <= last + 1e-4 * 8.0 * G, "{}", now - last);
        last = now;
    }
    for joint in joints {
        assert!(rate(&sim, joint).abs() < 1e-6, "{}", rate(&sim, joint));
    }
}

#[test]
fn a_lock_stops_a_joint_by_an_impulse_and_opens_again() {
    // A block of 2 kg with 1.5 m/s on a slope.
    let (mut sim, joint) = slider(2.0, 1.5, [3.0, 0.0, -G]);
    sim.inputs().set_joint_brake(joint, false, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..20 {
        sim.step(0.01).unwrap();
    }
    let ([before, fast], h) = ([place(&sim, joint), rate(&sim, joint)], 0.01);
    assert!((fast - 2.1).abs() < 1e-12, "{fast}");
    sim.inputs().set_joint_brake(joint, false, f64::INFINITY).unwrap();
    sim.step(h).unwrap();
    let [event] = JointMachines::of(&sim).events().unwrap() else { panic!("one event") };
    assert_eq!((event.change.name(), event.time), ("hits", 0.2));
    assert!((event.impulse + 2.0 * fast).abs() < 1e-12, "{}", event.impulse);
    for k in 0..500 {
        // Its load jumps by four weights; restored into a fresh object in between.
        sim.inputs().set_joint_load(joint, if k % 100 < 50 { 0.0 } else { 80.0 }).unwrap();
        sim.step(h).unwrap();
        // A force of 80 N moves it by 1e-6 of 40 h^2, twice that if it comes at once.
        assert!((place(&sim, joint) - before).abs() < 2.0 * 1e-6 * 40.0 * h * h, "{k} {}", place(&sim, joint) - before);
        if k % 37 == 0 {
            let (mut fresh, saved) = (slider(2.0, 1.5, [3.0, 0.0, -G]).0, sim.save().unwrap());
            fresh.inputs().set_joint_brake(joint, false, 0.0).unwrap();
            let mut bytes = vec![0; saved.serialized_len()];
            saved.serialize_into(&mut bytes).unwrap();
            fresh.initialize(0.0).unwrap();
            fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
            let mut own = sim.clone();
            for sim in [&mut own, &mut fresh] {
                sim.inputs().set_joint_load(joint, 0.0).unwrap();
                sim.step(h).unwrap();
            }
            assert_eq!(place(&own, joint).to_bits(), place(&fresh, joint).to_bits(), "{k}");
        }
    }
    assert_eq!(JointMachines::of(&sim).output(joint, false).unwrap().mode, 1);
    sim.inputs().set_joint_load(joint, 0.0).unwrap();
    sim.step(h).unwrap();
    sim.inputs().set_joint_brake(joint, false, 0.0).unwrap();
    for _ in 0..100 {
        sim.step(h).unwrap();
    }
    // It slides with 3 m/s^2 for 1 s, from the rate of the spring that held it.
    assert!((place(&sim, joint) - before - 1.5).abs() < 1e-5, "{}", place(&sim, joint) - before);
}

#[test]
fn two_shafts_that_lock_turn_at_the_speed_of_their_momentum() {
    let (j1, w1, j2, w2) = (3.0, 10.0, 2.0, -4.0);
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let axis = Some(&[0.0, 0.0, 1.0]);
    let mut last = GROUND;
    let mut joints = Vec::new();
    for (inertia, rate) in [(j1, w1), (j2, w2)] {
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[2.0, 2.0, inertia, 0.0, 0.0, 0.0], &IDENTITY).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, rate]).unwrap();
        joints.push(sim.build().add_joint_at(JointKind::Revolute, last, body, &[0.0; 3], axis).unwrap());
        last = body;
    }
    sim.inputs().set_joint_brake(joints[1], false, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    sim.inputs().set_joint_brake(joints[1], false, f64::INFINITY).unwrap();
    for _ in 0..100 {
        sim.step(0.01).unwrap();
    }
    let expected = (j1 * w1 + j2 * w2) / (j1 + j2);
    assert!((rate(&sim, joints[0]) - expected).abs() < 1e-12 * w1, "{}", rate(&sim, joints[0]) - expected);
    assert!(rate(&sim, joints[1]).abs() < 1e-12 * w1, "{}", rate(&sim, joints[1]));
}

#[test]
fn a_driven_slide_feels_its_friction_in_the_drive() {
    let (mut sim, joint) = slider(2.0, 0.5, [0.0, 0.0, -G]);
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.build().set_joint_friction((joint, false), [3.0, 4.0, 2.0, 0.0, 1e-6]).unwrap();
    sim.inputs().set_joint_motion(joint, 0.0, 0.5, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    for k in 1..=10 {
        sim.inputs().set_joint_motion(joint, 0.05 * f64::from(k), 0.5, 0.0).unwrap();
        sim.step(0.1).unwrap();
    }
    let output = JointMachines::of(&sim).output(joint, false).unwrap();
    assert!((output.friction + 3.0 + 2.0 * 0.5).abs() < 1e-12, "{output:?}");
    assert!((output.dissipated - 3.0 * 0.5).abs() < 1e-12, "{output:?}");
    // The drive balances it.
    let reaction = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
    assert!((reaction[0] - 4.0).abs() < 1e-9, "{reaction:?}");
}

fn channel(sim: &Simulation, name: &str) -> f64 {
    let channels = sim.channels();
    let count = channels.count().unwrap();
    let mut values = vec![0.0; count as usize];
    channels.values(&mut values).unwrap();
    values[(0..count).position(|k| channels.name(k).unwrap() == name).unwrap()]
}

#[test]
fn an_advance_ends_at_an_event_with_the_state_and_the_loads_of_that_time() {
    for input_order in [0.0, 1.0] {
        let (mut sim, joint) = pendulum(IMPULSE, 0.7, 0.0);
        sim.settings().set_option("input_order", input_order).unwrap();
        sim.initialize(0.0).unwrap();
        let mut whole = sim.clone();
        let mut hits = 0;
        for k in 1..=250 {
            let end = 0.02 * f64::from(k);
            // Loads that grow with time: they act as in one step, whichever part of it is made.
            let load = |t: f64| if input_order == 1.0 { -2.0 * t } else { -2.0 };
            while sim.time().unwrap() < end {
                sim.inputs().set_joint_load(joint, load(end)).unwrap();
                let reached = advance_to(&mut sim, end, true).unwrap();
                assert_eq!(reached, sim.time().unwrap());
                sim.accept().unwrap();
                let events = JointMachines::of(&sim).events().unwrap();
                if reached < end {
                    let last = events.last().unwrap();
                    // Times are rounded.
                    assert!((last.time - reached).abs() <= 4.0 * f64::EPSILON * reached, "{} {reached}", last.time);
                    let given = channel(&sim, "joint0.load");
                    assert!((given - load(if input_order == 1.0 { reached } else { end })).abs() < 1e-12, "{given}");
                    hits += 1;
                }
            }
            assert_eq!(sim.time().unwrap(), end.min(sim.time().unwrap()));
            whole.inputs().set_joint_load(joint, load(end)).unwrap();
            whole.step(0.02).unwrap();
        }
        assert!(hits > 2, "{hits}");
        // The parts of steps are those of the whole ones: hits are at the same times to their
        // tolerance, 1e-11 rad, and what follows is the same motion to what rounding and that make
        // of it.
        let error = (place(&sim, joint) - place(&whole, joint)).abs();
        assert!(error < 1e-8, "{error}");
    }
    let (mut sim, _) = pendulum(IMPULSE, 0.7, 0.0);
    sim.initialize(1.0).unwrap();
    assert_eq!(advance_to(&mut sim, 1.25, true).unwrap(), 1.25);
    sim.reject().unwrap();
    let message = advance_to(&mut sim, 1.0, true).unwrap_err().to_string();
    assert!(message.contains("t: 1 is not after the accepted time 1"), "{message}");
}
