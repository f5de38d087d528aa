//! Prescribed bodies and drives inside mechanisms: slider-crank against its kinematics and power,
//! sub-steps, bit-identical rollback and restart.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{EntityKind, Frame, GROUND, Id, JointKind, Simulation};

const X: V3 = [1.0, 0.0, 0.0];
const Z: V3 = [0.0, 0.0, 1.0];
const G: f64 = 9.81;

// ---- slider-crank in the xy plane, crank r about z at the origin, rod l, slider along x; weight along -y --------------------------------

const R: f64 = 0.3;
const L: f64 = 0.8;
const ROD: Solid = Solid { mass: 1.2, com: [0.0; 3], inertia: [0.02, 0.07, 0.07] };
const SLIDER: Solid = Solid { mass: 2.0, com: [0.0; 3], inertia: [0.1, 0.1, 0.1] };
const CRANK: Solid = Solid { mass: 3.0, com: [0.0; 3], inertia: [0.2, 0.2, 0.3] };

/// Crank angle: phi0 + w t + second/2 t^2.
fn crank(t: f64) -> [f64; 3] {
    [0.7 + 5.0 * t + 1.5 * t * t, 5.0 + 3.0 * t, 3.0]
}

/// Rod angle and slider place for a crank angle: r sin phi + l sin psi = 0.
fn closed(phi: f64) -> (f64, f64) {
    let psi = (-R / L * phi.sin()).asin();
    (psi, R * phi.cos() + L * psi.cos())
}

/// Kinetic and potential energy at a time, by central differences of the places (1e-5: 1e-10
/// relative, rounding 1e-11).
fn energy(t: f64) -> f64 {
    let e = 1e-5;
    let rate = |f: &dyn Fn(f64) -> f64| (f(t + e) - f(t - e)) / (2.0 * e);
    let phi = |t: f64| crank(t)[0];
    let psi = |t: f64| closed(phi(t)).0;
    let middle_x = |t: f64| R * phi(t).cos() + 0.5 * L * psi(t).cos();
    let middle_y = |t: f64| R * phi(t).sin() + 0.5 * L * psi(t).sin();
    let slider = |t: f64| closed(phi(t)).1;
    let w = crank(t)[1];
    0.5 * CRANK.inertia[2] * w * w
        + 0.5 * SLIDER.mass * rate(&slider).powi(2)
        + 0.5 * ROD.mass * (rate(&middle_x).powi(2) + rate(&middle_y).powi(2))
        + 0.5 * ROD.inertia[2] * rate(&psi).powi(2)
        + ROD.mass * G * middle_y(t)
}

/// The mechanism with its crank prescribed, or driven on a bearing. Bodies: crank, rod, slider; the
/// bearing is joint 0 if any.
fn slider_crank(prescribed: bool) -> Simulation {
    let mut sim = system([0.0, -G, 0.0]);
    let [phi, w, second] = crank(0.0);
    let (psi, s) = closed(phi);
    let psi_rate = -R * phi.cos() * w / (L * psi.cos());
    let pin = [R * phi.cos(), R * phi.sin(), 0.0];
    let spin = |w: f64| [0.0, 0.0, w];
    let pin_speed = cross(spin(w), pin);
    let half = scale(0.5, sub([s, 0.0, 0.0], pin));
    let turned = |angle: f64| quat_exp([0.0, 0.0, angle]);
    let one = CRANK.add(&mut sim, &pose([0.0; 3], turned(phi)), &join([0.0; 3], spin(w)));
    let middle = join(add(pin_speed, cross(spin(psi_rate), half)), spin(psi_rate));
    let rod = ROD.add(&mut sim, &pose(add(pin, half), turned(psi)), &middle);
    let end = add(pin_speed, cross(spin(psi_rate), scale(2.0, half)));
    let slider = SLIDER.add(&mut sim, &pose([s, 0.0, 0.0], UNROTATED), &join(end, [0.0; 3]));
    if prescribed {
        sim.build().set_body_prescribed(one, true).unwrap();
        sim.inputs()
            .set_body_motion(one, &pose([0.0; 3], turned(phi)), &join([0.0; 3], spin(w)), &join([0.0; 3], spin(second)))
            .unwrap();
    } else {
        let ground = pose([0.0; 3], UNROTATED);
        let bearing = sim.build().add_joint(JointKind::Revolute, GROUND, one, &ground, &ground).unwrap();
        sim.build().set_joint_driven(bearing, true).unwrap();
        sim.inputs().set_joint_motion(bearing, phi, w, second).unwrap();
    }
    sim.build().add_joint_at(JointKind::Revolute, one, rod, &pin, Some(&Z)).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, rod, slider, &[s, 0.0, 0.0], Some(&Z)).unwrap();
    sim.build().add_joint_at(JointKind::Prismatic, slider, GROUND, &[0.0; 3], Some(&X)).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn slider_crank_follows_its_kinematics_and_takes_its_power() {
    for prescribed in [true, false] {
        let table = [8e-3, 4e-3, 2e-3, 1e-3].map(|h: f64| {
            let mut sim = slider_crank(prescribed);
            assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 3.0, "a planar loop in space");
            let mut worst = 0.0f64;
            for n in 1..=(1.2 / h).round() as usize {
                let t = h * n as f64;
                let [phi, w, second] = crank(t);
                if prescribed {
                    let turned = pose([0.0; 3], quat_exp([0.0, 0.0, phi]));
                    sim.inputs()
                        .set_body_motion(0, &turned, &[0.0, 0.0, 0.0, 0.0, 0.0, w], &[0.0, 0.0, 0.0, 0.0, 0.0, second])
                        .unwrap();
                } else {
                    sim.inputs().set_joint_motion(0, phi, w, second).unwrap();
                }
                sim.step(h).unwrap();
                let (psi, s) = closed(phi);
                let (rod, slider) = (sim.outputs().body_pose(1).unwrap(), sim.outputs().body_pose(2).unwrap());
                assert_close("slider", &place(&slider), &[s, 0.0, 0.0], 1e-10);
                assert!(quat_error(turn(&rod), quat_exp([0.0, 0.0, psi])) < 1e-10);
                // M w = d(T + V)/dt
                let wrench = if prescribed {
                    sim.outputs().body_reaction(0, Frame::Inertial).unwrap()
                } else {
                    sim.outputs().joint_reaction(0, Frame::Inertial).unwrap()
                };
                let power = (energy(t + 1e-4) - energy(t - 1e-4)) / 2e-4;
                worst = worst.max((wrench[5] - power / w).abs());
            }
            (h, worst)
        });
        assert_order(&format!("slider-crank's torque, prescribed: {prescribed}"), &table, 2.0, 0.15);
    }
}

// ---- everything at once: prescribed body, driven revolute and prismatic joints, springs of joints, sub-steps ---------------------------------

const DT: f64 = 0.02;

/// The base's pose, velocity, acceleration; the turret's and the slide's coordinate, rate,
/// acceleration.
type Motions = ([f64; 7], [f64; 6], [f64; 6], [f64; 3], [f64; 3]);

fn motions(t: f64) -> Motions {
    let (s, c) = (2.0 * t).sin_cos();
    let axis = [0.6, 0.0, 0.8];
    let at = pose([0.3 * s, 0.2 * t, 0.1 * c], quat_exp(scale(3.0 * t, axis)));
    let velocity = join([0.6 * c, 0.2, -0.2 * s], scale(3.0, axis));
    let acceleration = join([-1.2 * s, 0.0, -0.4 * c], [0.0; 3]);
    (at, velocity, acceleration, [7.0 * t, 7.0, 0.0], [0.2 * s, 0.4 * c, -0.8 * s])
}

/// Prescribed base; on it a driven turret, on that a driven slide, on that a hinged arm with a
/// spring.
fn robot() -> Simulation {
    let mut sim = system([0.0, 0.0, -G]);
    sim.settings().set_option("max_time_step", 0.006).unwrap();
    let (at, velocity, acceleration, turret, slide) = motions(0.0);
    let solid = Solid { mass: 1.5, com: [0.05, 0.02, -0.03], inertia: [0.2, 0.25, 0.3] };
    let rigid = |x: V3| {
        let (v, w) = halves(velocity);
        join(add(v, cross(w, sub(x, place(&at)))), w)
    };
    let places = [place(&at), [0.0, 0.0, 0.4], [0.3, 0.0, 0.6], [0.6, 0.0, 0.6]];
    let ids: Vec<Id> = places.iter().map(|x| solid.add(&mut sim, &pose(*x, turn(&at)), &rigid(*x))).collect();
    sim.build().set_body_prescribed(ids[0], true).unwrap();
    sim.inputs().set_body_motion(ids[0], &at, &velocity, &acceleration).unwrap();
    sim.settings().set_option("assemble", 1.0).unwrap(); // velocities of the drives are projected in
    let joints = [
        sim.build().add_joint_at(JointKind::Revolute, ids[0], ids[1], &places[1], Some(&Z)).unwrap(),
        sim.build().add_joint_at(JointKind::Prismatic, ids[1], ids[2], &places[2], Some(&X)).unwrap(),
        sim.build()
            .add_joint_at(JointKind::Revolute, ids[2], ids[3], &[0.45, 0.0, 0.6], Some(&[0.0, 1.0, 0.0]))
            .unwrap(),
    ];
    for (joint, [q, qd, qdd]) in joints.iter().zip([turret, slide]) {
        sim.build().set_joint_driven(*joint, true).unwrap();
        sim.inputs().set_joint_motion(*joint, q, qd, qdd).unwrap();
    }
    sim.build().set_joint_spring(joints[2], 5.0, 0.1, 7.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

fn give(sim: &mut Simulation, n: usize) {
    give_motions(sim, n);
    sim.inputs().set_joint_load(2, (4.0 * DT * n as f64).sin()).unwrap();
}

fn give_motions(sim: &mut Simulation, n: usize) {
    let t = DT * n as f64;
    let (at, velocity, acceleration, turret, slide) = motions(t);
    sim.inputs().set_body_motion(0, &at, &velocity, &acceleration).unwrap();
    for (joint, [q, qd, qdd]) in [(0, turret), (1, slide)] {
        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
    }
}

fn march(sim: &mut Simulation, steps: std::ops::Range<usize>) {
    for n in steps {
        give(sim, n + 1);
        sim.step(DT).unwrap();
    }
}

fn bits(sim: &Simulation) -> Vec<u64> {
    let mut all = vec![sim.time().unwrap()];
    for body in 0..sim.description().count(EntityKind::Body) {
        all.extend(sim.outputs().body_pose(body).unwrap());
        all.extend(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        all.extend(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
    }
    all.extend(sim.outputs().body_reaction(0, Frame::Inertial).unwrap());
    for joint in 0..sim.description().count(EntityKind::Joint) {
        all.extend(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
        all.extend(sim.outputs().joint_coordinate(joint).unwrap());
    }
    all.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn robot_keeps_its_imposed_motions_and_balances() {
    // the reaction on the base balances weight and inertial forces of all bodies: sums over the
    // whole tree
    let gravity = [0.0, 0.0, -G];
    let solid = Solid { mass: 1.5, com: [0.05, 0.02, -0.03], inertia: [0.2, 0.25, 0.3] };
    for inner in [5e-3, 2.5e-3, 1.25e-3] {
        let mut sim = robot();
        sim.settings().set_option("max_time_step", inner).unwrap();
        let mut worst = 0.0f64;
        for n in 1..=250 {
            give(&mut sim, n);
            sim.step(DT).unwrap();
            let (at, _, _, turret, slide) = motions(DT * n as f64);
            assert_eq!(place(&sim.outputs().body_pose(0).unwrap()), place(&at));
            assert_close("turret", &sim.outputs().joint_coordinate(0).unwrap()[..1], &turret[..1], 1e-12);
            assert_close("slide", &sim.outputs().joint_coordinate(1).unwrap()[..1], &slide[..1], 1e-12);
            let reaction = about_origin(place(&at), sim.outputs().body_reaction(0, Frame::Inertial).unwrap());
            let mut takes = [0.0; 6];
            for body in 0..4 {
                let own = solid.takes(&sim, body, gravity);
                takes.iter_mut().zip(own).for_each(|(t, x)| *t += x);
            }
            worst = (0..6).map(|i| (reaction[i] - takes[i]).abs()).fold(worst, f64::max);
        }
        assert!(sim.outputs().joint_coordinate(0).unwrap()[0] > 5.0 * std::f64::consts::TAU, "turns were counted");
        // forces of 400, found for increments that are off by Newton's 1e-11 squared
        assert!(worst < 1e-9, "internal steps of {inner} s: {worst:e}");
    }
}

#[test]
fn drives_and_prescribed_bodies_restore_bit_identically() {
    let mut sim = robot();
    march(&mut sim, 0..60);
    let (state, at_save) = (sim.save().unwrap(), bits(&sim));
    march(&mut sim, 60..130);
    let last = bits(&sim);
    assert_ne!(last, at_save);
    sim.restore(&state).unwrap();
    assert_eq!(bits(&sim), at_save);
    march(&mut sim, 60..130);
    assert_eq!(bits(&sim), last, "after restore");
    // through bytes, into a newly built system
    let mut other = robot();
    let read = other.deserialize(&state.to_bytes()).unwrap();
    other.restore(&read).unwrap();
    assert_eq!(bits(&other), at_save);
    march(&mut other, 60..130);
    assert_eq!(bits(&other), last, "through bytes");
    // restored inputs count as well: a step without new inputs is the same as after the save
    sim.restore(&state).unwrap();
    sim.step(DT).unwrap();
    let held = bits(&sim);
    other.restore(&read).unwrap();
    other.step(DT).unwrap();
    assert_eq!(bits(&other), held, "held motions");
    let mut clone = robot();
    march(&mut clone, 0..60);
    let mut twin = clone.clone();
    march(&mut twin, 60..130);
    march(&mut clone, 60..130);
    assert_eq!(bits(&twin), last);
    assert_eq!(bits(&clone), last);
}

#[test]
fn corrected_motions_of_trials_leave_no_trace() {
    let mut straight = robot();
    march(&mut straight, 0..100);
    let mut sim = robot();
    for n in 0..100 {
        // a wrong guess, turned 0.6 rad further and shifted, thrown away or overwritten; or one
        // that cannot be followed
        give(&mut sim, n + 5);
        sim.advance(DT).unwrap();
        if n % 2 == 0 {
            sim.reject().unwrap();
        }
        if n % 5 == 0 {
            give(&mut sim, n + 400);
            assert!(sim.advance(DT).is_err(), "8 s in one step");
        }
        give(&mut sim, n + 1);
        sim.advance(DT).unwrap();
        if n % 3 == 0 {
            sim.advance(DT).unwrap();
        }
        if n % 4 == 1 {
            give_motions(&mut sim, n + 2); // the next step's inputs may come before this one is accepted
        }
        sim.accept().unwrap();
    }
    assert_eq!(bits(&sim), bits(&straight));
}
