//! Gears: accelerations with reflected inertia, racks, planets, chains of wheels, many turns; gear
//! loads; energy; every scheme; redundant and inconsistent gears; inputs, files and saved states.

use crate::common::*;
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

const Z: V3 = [0.0, 0.0, 1.0];
const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)];

pub fn system() -> Simulation {
    let mut sim = Simulation::new();
    for (key, value) in TIGHT {
        sim.settings().set_option(key, value).unwrap();
    }
    sim
}

/// A wheel of inertia `j` about z, mass 1, that turns about z at x in the plane, in the ground.
pub fn wheel(sim: &mut Simulation, j: f64, x: f64, speed: f64) -> Id {
    let at = pose([x, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.6 * j, 0.6 * j, j, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], scale(speed, Z))).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[x, 0.0, 0.0], Some(&Z)).unwrap()
}

/// Two wheels with a gear between them, that turns at `speed`.
fn two_wheels(j: [f64; 2], ratio: f64, speed: f64) -> (Simulation, [Id; 2], Id) {
    let mut sim = system();
    let joints = [wheel(&mut sim, j[0], 0.0, speed), wheel(&mut sim, j[1], 3.0, ratio * speed)];
    let gear = sim.elements().add_gear(joints[0], joints[1], ratio).unwrap();
    (sim, joints, gear)
}

#[test]
fn a_second_wheel_adds_its_inertia_times_the_ratio_squared() {
    for ratio in [2.0, -0.5, 1e-3, -40.0] {
        let (mut sim, [a, b], gear) = two_wheels([0.3, 0.2], ratio, 0.0);
        sim.inputs().set_joint_load(a, 1.5).unwrap();
        sim.initialize(0.0).unwrap();
        let qdd = 1.5 / (0.3 + ratio * ratio * 0.2);
        for _ in 0..3 {
            // Constant acceleration: every scheme of second order is exact, to rounding of
            // accelerations.
            assert_close("qdd_a", &[sim.outputs().joint_coordinate(a).unwrap()[2]], &[qdd], 1e-9 * qdd);
            assert_close(
                "qdd_b",
                &[sim.outputs().joint_coordinate(b).unwrap()[2]],
                &[ratio * qdd],
                1e-9 * qdd * ratio.abs(),
            );
            let load = 0.2 * ratio * qdd;
            assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[load], 1e-9 * load.abs());
            sim.step(0.01).unwrap();
        }
        let t = sim.time().unwrap();
        assert_close("q_a", &[sim.outputs().joint_coordinate(a).unwrap()[0]], &[0.5 * qdd * t * t], 1e-9 * qdd * t * t);
    }
}

#[test]
fn a_rack_adds_its_mass_times_the_radius_squared() {
    let (radius, j, m, force) = (0.25, 0.4, 3.0, 2.0);
    for rack_first in [false, true] {
        let mut sim = system();
        let pinion = wheel(&mut sim, j, 0.0, 0.0);
        let body = sim.build().add_rigid_body(m, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let rack =
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
        let gear = match rack_first {
            false => sim.elements().add_gear(pinion, rack, radius),
            true => sim.elements().add_gear(rack, pinion, 1.0 / radius),
        }
        .unwrap();
        sim.inputs().set_joint_load(rack, force).unwrap();
        sim.initialize(0.0).unwrap();
        (0..10).for_each(|_| sim.step(0.02).unwrap());
        let sdd = force / (m + j / (radius * radius));
        assert_close("rack", &[sim.outputs().joint_coordinate(rack).unwrap()[2]], &[sdd], 1e-9);
        let [phi, _, phidd] = sim.outputs().joint_coordinate(pinion).unwrap();
        assert_close("pinion", &[phi, phidd], &[0.5 * sdd * 0.04 / radius, sdd / radius], 1e-9);
        // The gear's load on the second coordinate: it accelerates the pinion, or slows down the
        // rack.
        let load = if rack_first { j * sdd / radius } else { m * sdd - force };
        assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[load], 1e-9);
    }
}

/// Sun, one planet, carrier, a ring that is held. Lagrange's equation for the carrier's angle c,
/// with q_planet = -(r_r/r_p) c and q_sun = (r_r/r_s) c against the carrier (Willis).
#[test]
fn a_planetary_gear_turns_and_speeds_up_as_willis_says() {
    let (r_s, r_p) = (0.3, 0.2);
    let (r_r, arm) = (r_s + 2.0 * r_p, r_s + r_p);
    let [j_c, j_s, j_p, m_p, torque] = [0.5, 0.1, 0.05, 0.8, 1.2];
    let mut sim = system();
    let inertia = |j: f64| [j, j, j, 0.0, 0.0, 0.0];
    let carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia(j_c), &ORIGIN).unwrap();
    let sun = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia(j_s), &ORIGIN).unwrap();
    let planet = sim.build().add_rigid_body(m_p, &[0.0; 3], &inertia(j_p), &pose([arm, 0.0, 0.0], UNROTATED)).unwrap();
    let of_carrier = sim.build().add_joint_at(JointKind::Revolute, GROUND, carrier, &[0.0; 3], Some(&Z)).unwrap();
    let of_sun = sim.build().add_joint_at(JointKind::Revolute, carrier, sun, &[0.0; 3], Some(&Z)).unwrap();
    let of_planet = sim.build().add_joint_at(JointKind::Revolute, carrier, planet, &[arm, 0.0, 0.0], Some(&Z)).unwrap();
    sim.elements().add_gear(of_sun, of_planet, -r_s / r_p).unwrap();
    sim.elements().add_gear(of_carrier, of_planet, -r_r / r_p).unwrap();
    sim.inputs().set_joint_load(of_sun, torque).unwrap();
    sim.initialize(0.0).unwrap();
    let (to_sun, to_planet) = (r_r / r_s, -r_r / r_p);
    let inertia = j_c + m_p * arm * arm + j_p * (1.0 + to_planet).powi(2) + j_s * (1.0 + to_sun).powi(2);
    let cdd = torque * to_sun / inertia;
    assert_close("at rest", &[sim.outputs().joint_coordinate(of_carrier).unwrap()[2]], &[cdd], 1e-12);
    let h = 0.005;
    (0..400).for_each(|_| sim.step(h).unwrap());
    let t = 400.0 * h;
    let [c, cd, _] = sim.outputs().joint_coordinate(of_carrier).unwrap();
    // The planet's centre moves on a circle: its error is (h omega)^2 of the motion.
    assert_close("carrier", &[c, cd], &[0.5 * cdd * t * t, cdd * t], 2.0 * (h * cdd * t).powi(2));
    let [s, ..] = sim.outputs().joint_coordinate(of_sun).unwrap();
    let [p, ..] = sim.outputs().joint_coordinate(of_planet).unwrap();
    assert_close("ratios", &[s, p], &[to_sun * c, to_planet * c], 1e-9);
    let sun_turn = sim.outputs().body_velocity(sun, Frame::Inertial).unwrap()[5];
    assert_close("Willis", &[sun_turn], &[(1.0 + r_r / r_s) * cd], 1e-8);
}

#[test]
fn a_thousand_turns_do_not_drift() {
    for ratio in [2.5, -0.4, 1.0] {
        let speed = 5.0 * TAU;
        let (mut sim, [a, b], _) = two_wheels([0.3, 0.2], ratio, speed);
        sim.initialize(0.0).unwrap();
        let h = 0.01;
        (0..20_000).for_each(|_| sim.step(h).unwrap());
        let [q_a, qd_a, _] = sim.outputs().joint_coordinate(a).unwrap();
        let [q_b, ..] = sim.outputs().joint_coordinate(b).unwrap();
        // Rounding of 6283 rad is 1e-12, and 20,000 steps that each round add up at random.
        assert_close("ratio", &[q_b], &[ratio * q_a], 1e-10 * ratio.abs().max(1.0));
        assert_close("turns", &[q_a / TAU, qd_a], &[1000.0, speed], 1e-7);
    }
}

/// A pendulum that turns a wheel: (J_p + ratio^2 J_w) qdd = -m g l sin q.
struct Clock {
    sim: Simulation,
    pendulum: Id,
    gear: Id,
}

const CLOCK: [f64; 5] = [0.2, 0.7, 0.05, 3.0, 9.81];
const START: f64 = 1.2;

fn clock(shift: V3) -> Clock {
    let [j, l, j_w, ratio, g] = CLOCK;
    let mut sim = system();
    sim.settings().set_gravity(&[g, 0.0, 0.0]).unwrap();
    let at = pose(shift, quat_exp(scale(START, Z)));
    let body = sim.build().add_rigid_body(1.0, &[l, 0.0, 0.0], &[j, j, j, 0.0, 0.0, 0.0], &at).unwrap();
    let z = z_frame(shift);
    let pendulum = sim.build().add_joint(JointKind::Revolute, GROUND, body, &z, &ORIGIN).unwrap();
    let place = add(shift, [0.0, 2.0, 0.0]);
    let other =
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[j_w, j_w, j_w, 0.0, 0.0, 0.0], &pose(place, UNROTATED)).unwrap();
    let wheel = sim.build().add_joint_at(JointKind::Revolute, GROUND, other, &place, Some(&Z)).unwrap();
    let gear = sim.elements().add_gear(pendulum, wheel, ratio).unwrap();
    Clock { sim, pendulum, gear }
}

pub fn z_frame(at: V3) -> [f64; 7] {
    pose(at, UNROTATED)
}

/// Angle and rate of the clock at a time, by Runge-Kutta.
fn clock_at(t: f64) -> [f64; 2] {
    let [j, l, j_w, ratio, g] = CLOCK;
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        (dy[0], dy[1]) = (y[1], -g * l * y[0].sin() / (j + l * l + ratio * ratio * j_w));
    };
    let y = rk4_samples(rate, &[START, 0.0], t, 1, 20_000).pop().unwrap();
    [y[0], y[1]]
}

#[test]
fn motion_energy_and_load_converge_at_second_order() {
    let [_, _, j_w, ratio, g] = CLOCK;
    let end = 1.5;
    let [q, qd] = clock_at(end);
    let [j, l, ..] = CLOCK;
    for rho in [0.0, 0.8, 1.0] {
        let (mut motion, mut energy, mut load) = (Vec::new(), Vec::new(), Vec::new());
        // The loads at 30 times, for at any one of them errors may pass through zero.
        let loads: Vec<f64> = (1..=30)
            .map(|k| -g * l * clock_at(end * f64::from(k) / 30.0)[0].sin() / (j + l * l + ratio * ratio * j_w))
            .map(|qdd| j_w * ratio * qdd)
            .collect();
        for steps in [60, 120, 240, 480] {
            let Clock { mut sim, pendulum, gear } = clock([0.0; 3]);
            sim.settings().set_option("rho_inf", rho).unwrap();
            sim.initialize(0.0).unwrap();
            let sum = |sim: &Simulation| {
                let (kinetic, potential) = sim.outputs().energy().unwrap();
                kinetic + potential
            };
            let before = sum(&sim);
            let h = end / f64::from(steps);
            let (mut off, mut gained) = (0.0f64, 0.0f64);
            for expected in &loads {
                (0..steps / 30).for_each(|_| sim.step(h).unwrap());
                off = off.hypot(sim.outputs().gear_load(gear).unwrap() - expected);
                gained = gained.max((sum(&sim) - before).abs());
            }
            let found = sim.outputs().joint_coordinate(pendulum).unwrap();
            motion.push((h, (found[0] - q).hypot(found[1] - qd)));
            energy.push((h, gained));
            load.push((h, off));
        }
        assert_order(&format!("motion, rho {rho}"), &motion, 2.0, 0.15);
        assert_order(&format!("load, rho {rho}"), &load, 2.0, 0.25);
        // Energy falls at least as fast.
        assert!(orders(&energy).iter().all(|order| *order > 1.7), "rho {rho}: {energy:?}");
    }
}

#[test]
fn steps_of_changing_length_keep_second_order() {
    let end = 1.5;
    let [q, qd] = clock_at(end);
    let mut table = Vec::new();
    for steps in [60, 120, 240, 480] {
        let Clock { mut sim, pendulum, .. } = clock([0.0; 3]);
        sim.settings().set_option("rho_inf", 0.8).unwrap();
        sim.initialize(0.0).unwrap();
        let h = end / f64::from(steps);
        // Pairs of a longer and a shorter step end where equal ones do.
        (0..steps).for_each(|k| sim.step(if k % 2 == 0 { 1.2 * h } else { 0.8 * h }).unwrap());
        let found = sim.outputs().joint_coordinate(pendulum).unwrap();
        table.push((h, (found[0] - q).hypot(found[1] - qd)));
    }
    assert_order("changing steps", &table, 2.0, 0.2);
}

#[test]
fn every_scheme_moves_geared_joints() {
    const SCHEMES: [(&str, f64); 23] = [
        ("momentum-alpha", 2.0),
        ("newmark", 2.0),
        ("hht", 2.0),
        ("euler", 1.0),
        ("leuler", 1.0),
        ("heun", 2.0),
        ("rk2", 2.0),
        ("rk3", 3.0),
        ("rk4", 4.0),
        ("ab2", 2.0),
        ("ab3", 3.0),
        ("ab4", 4.0),
        ("ab5", 5.0),
        ("lab2", 2.0),
        ("lab3", 3.0),
        ("lab4", 4.0),
        ("lab5", 5.0),
        ("beuler5", 1.0),
        ("midpoint5", 2.0),
        ("anderson5", 1.0),
        ("aca1", 2.0),
        ("aca3", 2.0),
        ("wilson3", 2.0),
    ];
    let end = 0.5;
    let [q, qd] = clock_at(end);
    for (scheme, order) in SCHEMES {
        let error = |steps: i32| {
            let Clock { mut sim, pendulum, .. } = clock([0.0; 3]);
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            (0..steps).for_each(|_| sim.step(end / f64::from(steps)).unwrap());
            let found = sim.outputs().joint_coordinate(pendulum).unwrap();
            let (position, _) = sim.outputs().constraint_violation().unwrap();
            assert!(position < 1e-9, "{scheme}: the gear is off by {position}");
            (found[0] - q).hypot(found[1] - qd)
        };
        let table = [(1.0 / 100.0, error(100)), (1.0 / 200.0, error(200)), (1.0 / 400.0, error(400))];
        // At orders of 3 and more the error is near rounding.
        let small = table[2].1 < 1e-9;
        assert!(small || orders(&table)[1] > order - 0.4, "{scheme}: {table:?}, orders {:?}", orders(&table));
    }
}

#[test]
fn a_geared_mechanism_far_away_moves_as_one_near() {
    let run = |shift: V3| {
        let Clock { mut sim, pendulum, gear } = clock(shift);
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let [q, qd, qdd] = sim.outputs().joint_coordinate(pendulum).unwrap();
        [q, qd, qdd, sim.outputs().gear_load(gear).unwrap()]
    };
    // The host's own numbers round at 1e6 m to 1e-10 m, an angle of the same size over a metre.
    assert_close("shifted", &run([1e6, -2e6, 5e5]), &run([0.0; 3]), 1e-8);
}

#[test]
fn loads_in_balance_leave_geared_wheels_at_rest() {
    let ratio = -2.5;
    let (mut sim, [a, b], gear) = two_wheels([0.3, 0.2], ratio, 0.0);
    sim.inputs().set_joint_load(b, 4.0).unwrap();
    sim.inputs().set_joint_load(a, -4.0 * ratio).unwrap();
    sim.initialize(0.0).unwrap();
    (0..100).for_each(|_| sim.step(0.05).unwrap());
    let [q, qd, qdd] = sim.outputs().joint_coordinate(a).unwrap();
    assert_close("rest", &[q, qd, qdd], &[0.0; 3], 1e-13);
    assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[-4.0], 1e-12);
}

#[test]
fn twenty_gears_in_a_row_are_one_inertia() {
    let mut sim = system();
    let (ratio, count) = (-1.1, 21);
    let joints: Vec<Id> = (0..count).map(|k| wheel(&mut sim, 0.1, f64::from(k), 0.0)).collect();
    joints.windows(2).for_each(|pair| _ = sim.elements().add_gear(pair[0], pair[1], ratio).unwrap());
    sim.inputs().set_joint_load(joints[0], 2.0).unwrap();
    sim.initialize(0.0).unwrap();
    let powers = |k: i32| f64::powi(ratio, k);
    let qdd = 2.0 / (0..count).map(|k| 0.1 * powers(k) * powers(k)).sum::<f64>();
    (0..50).for_each(|_| sim.step(0.01).unwrap());
    for (k, joint) in joints.iter().enumerate() {
        let [q, _, second] = sim.outputs().joint_coordinate(*joint).unwrap();
        let expected = qdd * powers(k as i32);
        assert_close("wheel", &[q, second], &[0.5 * expected * 0.25, expected], 1e-9);
    }
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 0.0);
}

#[test]
fn a_gear_that_follows_from_others_is_left_out_and_named() {
    let mut sim = system();
    let joints: Vec<Id> = (0..3).map(|k| wheel(&mut sim, 0.1, f64::from(k), 0.0)).collect();
    let [first, second] =
        [(0, 1, 2.0), (1, 2, -3.0)].map(|(a, b, r)| sim.elements().add_gear(joints[a], joints[b], r).unwrap());
    let closing = sim.elements().add_gear(joints[0], joints[2], -6.0).unwrap();
    let twice = sim.elements().add_gear(joints[1], joints[0], 0.5).unwrap();
    sim.build().set_name(EntityKind::Gear, closing, "closing").unwrap();
    sim.inputs().set_joint_load(joints[0], 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 2.0);
    let said = sim.analysis().redundant_constraints().unwrap();
    assert!(said.contains("gear 2 \"closing\" (joints 0 and 2, ratio -6)") && said.contains("gear 3"), "{said}");
    sim.step(0.01).unwrap();
    let qdd = 1.0 / (0.1 * (1.0 + 4.0 + 36.0));
    let loads = [first, second, closing, twice].map(|gear| sim.outputs().gear_load(gear).unwrap());
    // The first gear transmits the torque for the second and the third wheel.
    let expected = [2.0 * 0.1 * qdd + 3.0 * 0.1 * 6.0 * qdd, -0.1 * 6.0 * qdd, 0.0, 0.0];
    assert_close("loads", &loads, &expected, 1e-10);
}

#[test]
fn a_gear_of_another_ratio_between_the_same_joints_locks_them() {
    let (mut sim, [a, b], _) = two_wheels([0.3, 0.2], 2.0, 0.0);
    sim.elements().add_gear(a, b, 3.0).unwrap();
    sim.inputs().set_joint_load(a, 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    (0..10).for_each(|_| sim.step(0.1).unwrap());
    assert_close("locked", &sim.outputs().joint_coordinate(a).unwrap(), &[0.0; 3], 1e-12);
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 0.0);
}

#[test]
fn a_driven_wheel_drives_the_other() {
    let ratio = -3.0;
    let (mut sim, [a, b], gear) = two_wheels([0.3, 0.2], ratio, 0.0);
    sim.build().set_joint_driven(a, true).unwrap();
    let drive = |t: f64| [(2.0 * t).sin() * 4.0, 8.0 * (2.0 * t).cos(), -16.0 * (2.0 * t).sin()];
    let [q, qd, qdd] = drive(0.0);
    sim.inputs().set_joint_motion(a, q, qd, qdd).unwrap();
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    let (h, steps) = (0.01, 200);
    for k in 1..=steps {
        let [q, qd, qdd] = drive(h * f64::from(k));
        sim.inputs().set_joint_motion(a, q, qd, qdd).unwrap();
        sim.step(h).unwrap();
        assert_close("follows", &[sim.outputs().joint_coordinate(b).unwrap()[0]], &[ratio * q], 1e-9);
    }
    let qdd = drive(h * f64::from(steps))[2];
    // Multipliers of the second order: h^2/12 of the fourth derivative, times a few.
    let load = 0.2 * ratio * qdd;
    assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[load], 5.0 * h * h * 4.0 * load.abs());
}

#[test]
fn two_drives_on_one_gear_must_agree() {
    let driven = |second: f64| {
        let (mut sim, [a, b], _) = two_wheels([0.3, 0.2], 2.0, 0.0);
        for joint in [a, b] {
            sim.build().set_joint_driven(joint, true).unwrap();
        }
        sim.initialize(0.0).unwrap();
        assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 1.0);
        (1..=10).try_for_each(|k| {
            let q = 0.01 * f64::from(k * k);
            let qd = 0.02 * f64::from(k) / 0.1;
            sim.inputs().set_joint_motion(a, q, qd, 2.0)?;
            sim.inputs().set_joint_motion(b, second * q, second * qd, second * 2.0)?;
            sim.step(0.1)
        })
    };
    driven(2.0).unwrap();
    let error = driven(2.1).unwrap_err();
    assert!(matches!(error, Error::RedundantConstraints { .. }), "{error}");
    assert!(error.to_string().contains("gear 0 (joints 0 and 1, ratio 2)"), "{error}");
}

#[test]
fn velocities_that_a_gear_does_not_admit_are_refused_or_shared_by_inertia() {
    let build = || {
        let mut sim = system();
        let joints = [wheel(&mut sim, 0.3, 0.0, 2.0), wheel(&mut sim, 0.2, 3.0, 0.0)];
        sim.elements().add_gear(joints[0], joints[1], 2.0).unwrap();
        (sim, joints)
    };
    let (mut sim, _) = build();
    let error = sim.initialize(0.0).unwrap_err();
    assert!(matches!(error, Error::InconsistentState { .. }) && error.to_string().contains("gear 0"), "{error}");
    let (mut sim, [a, b]) = build();
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    let speed = 0.3 * 2.0 / (0.3 + 4.0 * 0.2);
    let rates = [a, b].map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[1]);
    assert_close("meshed", &rates, &[speed, 2.0 * speed], 1e-12);
}

#[test]
fn turns_that_would_be_lost_are_refused() {
    let run = |ratio: f64, h: f64| {
        let (mut sim, [a, b], _) = two_wheels([0.3, 0.2], ratio, 10.0);
        sim.inputs().set_joint_load(a, 0.1).unwrap();
        sim.initialize(0.0).unwrap();
        (0..20)
            .try_for_each(|_| sim.step(h))
            .map(|()| [a, b].map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[1]))
    };
    let error = run(1.5, 0.4).unwrap_err();
    assert!(error.to_string().contains("would turn by 4 rad in one step"), "{error}");
    // No turns are lost if the ratio is an integer, or if only the faster wheel turns far.
    for (ratio, h) in [(2.0, 0.4), (-1.0, 0.4), (20.5, 0.3), (0.04, 10.0)] {
        let [qd_a, qd_b] = run(ratio, h).unwrap();
        let expected = 10.0 + 0.1 / (0.3 + ratio * ratio * 0.2) * 20.0 * h;
        assert_close(&format!("ratio {ratio}"), &[qd_a, qd_b / ratio], &[expected; 2], 1e-8 * expected);
    }
}

#[test]
fn a_spring_on_one_wheel_and_the_gear_make_one_mode() {
    let (k, ratio) = (12.0, 1.7);
    let (mut sim, [a, _], _) = two_wheels([0.3, 0.2], ratio, 0.0);
    sim.build().set_joint_spring(a, k, 0.0, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let (modes, _) = sim.analysis().modes().unwrap();
    let expected = (k / (0.3 + ratio * ratio * 0.2)).sqrt() / TAU;
    assert_eq!(modes.len(), 1);
    assert_close("frequency", &[modes[0].frequency], &[expected], 1e-10);
}

#[test]
fn weights_on_geared_wheels_find_their_equilibrium() {
    // Pendulums of moments w_a, w_b about their axes, hanging along x; a torque T on the first: w_a
    // sin q + ratio w_b sin(ratio q) = T.
    let mut sim = system();
    sim.settings().set_gravity(&[9.81, 0.0, 0.0]).unwrap();
    let joints = [0.0, 3.0].map(|y| {
        let at = pose([0.0, y, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.4, 0.0, 0.0], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0, y, 0.0], Some(&Z)).unwrap()
    });
    sim.elements().add_gear(joints[0], joints[1], 0.5).unwrap();
    sim.inputs().set_joint_load(joints[0], 2.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(100, 1e-12).unwrap();
    let w = 9.81 * 0.4;
    let [q, ..] = sim.outputs().joint_coordinate(joints[0]).unwrap();
    assert_close("torque", &[w * q.sin() + 0.5 * w * (0.5 * q).sin()], &[2.0], 1e-9);
}

#[test]
fn the_model_linearised_at_the_start_keeps_its_gear() {
    let (mut sim, [a, b], gear) = two_wheels([0.3, 0.2], -2.0, 0.0);
    sim.settings().set_option("linear", 1.0).unwrap();
    sim.inputs().set_joint_load(a, 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    (0..10).for_each(|_| sim.step(0.01).unwrap());
    let qdd = 1.0 / (0.3 + 4.0 * 0.2);
    let [q_a, _, qdd_a] = sim.outputs().joint_coordinate(a).unwrap();
    let [q_b, _, qdd_b] = sim.outputs().joint_coordinate(b).unwrap();
    assert_close("accelerations", &[qdd_a, qdd_b], &[qdd, -2.0 * qdd], 1e-9);
    // Small rotations add as vectors: to their third power.
    assert_close("positions", &[q_a, q_b], &[0.005 * qdd, -0.01 * qdd], 1e-6);
    assert_close("load", &[sim.outputs().gear_load(gear).unwrap()], &[-0.4 * qdd], 1e-9);
}

#[test]
fn a_prescribed_shaft_turns_what_is_geared_to_it() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "lab2"] {
        let mut sim = system();
        sim.settings().set_scheme(scheme).unwrap();
        let shaft = wheel(&mut sim, 1.0, 0.0, 2.0);
        let geared = wheel(&mut sim, 0.2, 3.0, 6.0);
        sim.build().set_body_prescribed(0, true).unwrap();
        let motion = |t: f64| (pose([0.0; 3], quat_exp(scale(2.0 * t, Z))), join([0.0; 3], scale(2.0, Z)));
        sim.elements().add_gear(shaft, geared, 3.0).unwrap();
        let (at, velocity) = motion(0.0);
        sim.inputs().set_body_motion(0, &at, &velocity, &[0.0; 6]).unwrap();
        sim.inputs().set_joint_load(geared, 0.7).unwrap();
        sim.initialize(0.0).unwrap();
        for k in 1..=300 {
            let (at, velocity) = motion(0.01 * f64::from(k));
            sim.inputs().set_body_motion(0, &at, &velocity, &[0.0; 6]).unwrap();
            sim.step(0.01).unwrap();
        }
        let [q, qd, qdd] = sim.outputs().joint_coordinate(geared).unwrap();
        assert_close(scheme, &[q, qd, qdd], &[18.0, 6.0, 0.0], 1e-7);
        assert_close(scheme, &[sim.outputs().gear_load(0).unwrap()], &[-0.7], 1e-7);
        // The reaction of the shaft has the torque of the gear.
        assert_close(scheme, &[sim.outputs().body_reaction(0, Frame::Inertial).unwrap()[5]], &[-3.0 * 0.7], 1e-6);
    }
}

#[test]
fn saved_states_and_model_files_go_on_bit_by_bit() {
    let moved = |sim: &mut Simulation| {
        (0..40).for_each(|_| sim.step(0.01).unwrap());
        sim.save().unwrap().to_bytes()
    };
    let Clock { mut sim, .. } = clock([0.0; 3]);
    sim.build().set_name(EntityKind::Joint, 1, "wheel").unwrap();
    sim.build().set_name(EntityKind::Gear, 0, "clockwork").unwrap();
    let path = std::env::temp_dir().join(format!("pintle-gears-{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let mut loaded = Simulation::load_model(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(loaded.description().find(EntityKind::Gear, "clockwork"), Ok(0));
    assert_eq!(loaded.description().gear(0).unwrap().two(), Some(([0, 1], CLOCK[3])));
    for sim in [&mut sim, &mut loaded] {
        sim.initialize(0.0).unwrap();
        (0..30).for_each(|_| sim.step(0.01).unwrap());
    }
    let bytes = sim.save().unwrap().to_bytes();
    assert_eq!(bytes, loaded.save().unwrap().to_bytes());
    let mut fresh = clock([0.0; 3]).sim;
    fresh.initialize(0.0).unwrap();
    let snapshot = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&snapshot).unwrap();
    assert_eq!(moved(&mut fresh), moved(&mut sim));
    let (mut other, ..) = two_wheels([0.3, 0.2], 2.0, 0.0);
    let (mut another, ..) = two_wheels([0.3, 0.2], 2.5, 0.0);
    other.initialize(0.0).unwrap();
    another.initialize(0.0).unwrap();
    assert!(another.deserialize(&other.save().unwrap().to_bytes()).is_err(), "another ratio is another model");
}

#[test]
fn gears_between_what_has_no_coordinate_are_refused() {
    let mut sim = system();
    let one = wheel(&mut sim, 0.1, 0.0, 0.0);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let ball = sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    let two = wheel(&mut sim, 0.1, 1.0, 0.0);
    for (a, b, ratio, says) in [
        (one, ball, 1.0, "joint 1 is SPHERICAL"),
        (ball, one, 1.0, "joint 1 is SPHERICAL"),
        (one, one, 1.0, "joint_a too"),
        (one, two, 0.0, "no gear"),
        (one, two, f64::NAN, "not finite"),
        (one, 7, 1.0, "joint_b"),
    ] {
        let error = sim.elements().add_gear(a, b, ratio).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
    assert_eq!(sim.description().count(EntityKind::Gear), 0);
    sim.elements().add_gear(one, two, 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert!(matches!(sim.elements().add_gear(one, two, 1.0), Err(Error::BadPhase { .. })));
}
