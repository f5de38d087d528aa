//! Joints that break: by the host, and where their reaction reaches their strength.

use crate::common::mechanisms::system;
use crate::common::random::Random;
use crate::common::*;
use pintle::model::LineType;
use pintle::{
    Error, Frame, GROUND, Id, JointKind, JointMachines, Phase, Simulation, advance_to, break_joint, set_joint_strength,
};

const G: f64 = 9.81;
const NEWTON: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];

fn bob(sim: &Simulation, body: Id) -> [V3; 3] {
    let pose = sim.outputs().body_pose(body).unwrap();
    let (v, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
    [place(&pose), v, w]
}

fn times(sim: &Simulation) -> Vec<(f64, usize)> {
    let events = JointMachines::of(sim).events().unwrap();
    events.iter().filter(|event| event.change as i32 == 5).map(|event| (event.time, event.joint().unwrap().0)).collect()
}

/// Length, mass and inertia about the centre of mass of a pendulum, and its angle at the start.
const ARM: f64 = 1.3;
const MASS: f64 = 2.0;
const INERTIA: f64 = 0.15;
const START: f64 = 1.5;

/// Inertia about the pivot.
const ABOUT_PIVOT: f64 = INERTIA + MASS * ARM * ARM;

/// A pendulum that starts at rest; lengths in units of 1/`unit`, its pivot `far` along x.
fn pendulum(scheme: &str, far: f64, unit: f64) -> (Simulation, Id, Id) {
    let mut sim = system([0.0, 0.0, -G * unit]);
    sim.settings().set_scheme(scheme).unwrap();
    let at = [far * unit + ARM * unit * START.sin(), 0.0, -ARM * unit * START.cos()];
    let turned = quat_exp([0.0, -START, 0.0]);
    let j = INERTIA * unit * unit;
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose(at, turned)).unwrap();
    let axis = [0.0, 1.0, 0.0];
    let joint =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[far * unit, 0.0, 0.0], Some(&axis)).unwrap();
    (sim, body, joint)
}

/// Square of the rate at an angle, by the energy.
fn rate_squared(angle: f64) -> f64 {
    2.0 * MASS * G * ARM * (angle.cos() - START.cos()) / ABOUT_PIVOT
}

/// Norm of the reaction there: m g (3 cos - 2 cos of the start) for a bob without inertia.
fn tension(angle: f64) -> f64 {
    let along = MASS * G * angle.cos() + MASS * ARM * rate_squared(angle);
    let across = MASS * G * angle.sin() * (1.0 - MASS * ARM * ARM / ABOUT_PIVOT);
    along.hypot(across)
}

/// When the pendulum is at an angle on its way down, by Simpson's rule: with angle = start - span
/// u^2 the integrand is smooth.
fn time_at(angle: f64) -> f64 {
    let span = START - angle;
    let integrand = |u: f64| {
        let angle = START - span * u * u;
        let half = 0.5 * (START - angle);
        let drop = 2.0 * (0.5 * (START + angle)).sin() * half.sin();
        let rate = (2.0 * MASS * G * ARM * drop / ABOUT_PIVOT).sqrt();
        if u == 0.0 {
            // sqrt(c span) u, with c = d(rate^2)/d(angle).
            2.0 * span / (2.0 * MASS * G * ARM * START.sin() * span / ABOUT_PIVOT).sqrt()
        } else {
            2.0 * span * u / rate
        }
    };
    let n = 400;
    let h = 1.0 / f64::from(n);
    let weight = |k: i32| if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    (0..=n).map(|k| weight(k) * integrand(f64::from(k) * h)).sum::<f64>() * h / 3.0
}

/// The angle of the break, its time, and where the bob is at a later time.
fn exact(strength: f64, end: f64) -> (f64, V3) {
    let (mut low, mut high) = (0.0, START);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if tension(middle) > strength { low = middle } else { high = middle }
    }
    let angle = 0.5 * (low + high);
    let (t, rate) = (time_at(angle), -rate_squared(angle).sqrt());
    let s = end - t;
    let [sin, cos] = [angle.sin(), angle.cos()];
    (t, [ARM * (sin + rate * cos * s), 0.0, ARM * (-cos + rate * sin * s) - 0.5 * G * s * s])
}

const STRENGTH: f64 = 35.0;
const END: f64 = 1.2;

/// The time of the break and the place of the bob at the end, in m.
fn swing(scheme: &str, h: f64, far: f64, unit: f64) -> (f64, V3) {
    let (mut sim, body, joint) = pendulum(scheme, far, unit);
    set_joint_strength(&mut sim, joint, STRENGTH * unit, f64::INFINITY).unwrap();
    sim.initialize(0.0).unwrap();
    let mut broke = Vec::new();
    for _ in 0..(END / h).round() as usize {
        sim.step(h).unwrap();
        broke.extend(times(&sim));
    }
    assert_eq!(broke.len(), 1, "{scheme}");
    assert_eq!(broke[0].1, joint as usize);
    let [x, ..] = bob(&sim, body);
    (broke[0].0, sub(scale(1.0 / unit, x), [far, 0.0, 0.0]))
}

#[test]
fn a_pendulum_breaks_off_at_the_strength_and_flies_on_with_second_order() {
    let (t, place) = exact(STRENGTH, END);
    for scheme in NEWTON {
        let steps = [0.02, 0.01, 0.005, 0.0025, 0.00125];
        let found = steps.map(|h| swing(scheme, h, 0.0, 1.0));
        let errors = found.map(|(at, x)| ((at - t).abs(), distance(x, place)));
        // The step that ends at the break is of any length, and so is its part of the error.
        for first in 0..2 {
            let ratios = [errors[first].0 / errors[first + 3].0, errors[first].1 / errors[first + 3].1];
            assert!(ratios.iter().all(|ratio| (40.0..100.0).contains(ratio)), "{scheme} {ratios:?}: {errors:?}");
        }
        assert!(errors[2].0 < 2e-4 && errors[2].1 < 1e-3, "{scheme}: {errors:?}");
    }
}

#[test]
fn units_and_distance_do_not_matter() {
    for scheme in ["generalized-alpha", "momentum-alpha"] {
        let (t, place) = swing(scheme, 0.01, 0.0, 1.0);
        for unit in [1000.0, 0.001] {
            let (at, x) = swing(scheme, 0.01, 0.0, unit);
            assert!((at - t).abs() < 1e-8 && distance(x, place) < 1e-7, "{scheme} {unit}: {at} {t} {x:?} {place:?}");
        }
        // Positions are rounded to 1e-10 m there.
        let (at, x) = swing(scheme, 0.01, 1e6, 1.0);
        assert!((at - t).abs() < 1e-6 && distance(x, place) < 1e-6, "{scheme}: {at} {t} {x:?} {place:?}");
    }
}

#[test]
fn the_flight_is_a_parabola_with_the_velocities_of_the_break() {
    for scheme in NEWTON {
        let [(mut sim, body, joint), (mut whole, ..)] = [STRENGTH, 1e9].map(|strength| {
            let (mut sim, body, joint) = pendulum(scheme, 0.0, 1.0);
            set_joint_strength(&mut sim, joint, strength, f64::INFINITY).unwrap();
            sim.initialize(0.0).unwrap();
            (sim, body, joint)
        });
        let mut reached = 0.0;
        while times(&sim).is_empty() {
            reached = advance_to(&mut sim, reached + 0.01, true).unwrap();
            // The same internal step goes to the same place without the break.
            advance_to(&mut whole, reached, false).unwrap();
            let [kept, lost] = [&sim, &whole].map(|sim| bob(sim, body).concat());
            // The length of the last step is rounded.
            assert_close(&format!("{scheme} {reached}"), &lost, &kept, 1e-12);
            whole.accept().unwrap();
            assert!(reached < 1.0);
            sim.accept().unwrap();
        }
        assert!(JointMachines::of(&sim).is_broken(joint).unwrap());
        let wrench = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        assert_eq!(wrench, [0.0; 6]);
        let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
        assert_close("free fall", &a, &[0.0, 0.0, -G, 0.0, 0.0, 0.0], 1e-12);
        let [x, v, w] = bob(&sim, body);
        let steps = 50;
        for _ in 0..steps {
            sim.step(0.01).unwrap();
        }
        let t = 0.01 * f64::from(steps);
        let [place, rate, spin] = bob(&sim, body);
        // Acceleration is constant: the schemes are exact.
        let expected = add(add(x, scale(t, v)), [0.0, 0.0, -0.5 * G * t * t]);
        assert_close("place", &place, &expected, 1e-11);
        assert_close("rate", &rate, &add(v, [0.0, 0.0, -G * t]), 1e-11);
        assert_close("spin", &spin, &w, 1e-12);
        assert_eq!(times(&sim), []);
    }
}

/// A load that grows by an input.
#[test]
fn dead_weight_breaks_a_joint_when_it_is_heavy_enough() {
    for (scheme, kind) in
        NEWTON.into_iter().flat_map(|scheme| [(scheme, JointKind::Fixed), (scheme, JointKind::Spherical)])
    {
        let mut sim = system([0.0, 0.0, -G]);
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("input_order", 1.0).unwrap();
        let j = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(3.0, &[0.0; 3], &j, &pose([0.0, 0.0, -0.5], UNROTATED)).unwrap();
        let joint = sim.build().add_joint_at(kind, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        set_joint_strength(&mut sim, joint, 100.0, f64::INFINITY).unwrap();
        sim.initialize(0.0).unwrap();
        let mut t = 0.0;
        while times(&sim).is_empty() {
            t += 0.1;
            assert!(t < 3.0);
            sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, -50.0 * t, 0.0, 0.0, 0.0]).unwrap();
            sim.step(0.1).unwrap();
        }
        // 3 g + 50 t = 100.
        let expected = (100.0 - 3.0 * G) / 50.0;
        assert!((times(&sim)[0].0 - expected).abs() < 1e-8, "{scheme}: {:?} {expected}", times(&sim));
        // It falls with the acceleration g + 50 t/3 from then on.
        let [_, v, _] = bob(&sim, body);
        let velocity = |t: f64| G * t + 50.0 * t * t / 6.0;
        assert!((v[2] + velocity(t) - velocity(expected)).abs() < 1e-7, "{scheme}: {v:?}");
    }
}

/// A moment, by a load off the axis; a load that jumps; a strength below what is there at the
/// start.
#[test]
fn moments_and_loads_that_jump_break_at_the_start_of_their_step() {
    let hung = |strength: [f64; 2]| {
        let mut sim = system([0.0, 0.0, -G]);
        let j = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(3.0, &[0.0; 3], &j, &pose([0.4, 0.0, 0.0], UNROTATED)).unwrap();
        let joint = sim.build().add_joint_at(JointKind::Fixed, GROUND, body, &[0.0; 3], None).unwrap();
        set_joint_strength(&mut sim, joint, strength[0], strength[1]).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, body, joint)
    };
    let weight = 3.0 * G;
    for (strength, breaks) in [
        ([0.999 * weight, f64::INFINITY], true),
        ([1.001 * weight, f64::INFINITY], false),
        ([f64::INFINITY, 0.999 * 0.4 * weight], true),
        ([f64::INFINITY, 1.001 * 0.4 * weight], false),
        ([0.0, f64::INFINITY], true),
        ([f64::INFINITY, 0.0], true),
    ] {
        let (mut sim, body, _) = hung(strength);
        sim.step(0.1).unwrap();
        assert_eq!(times(&sim), if breaks { vec![(0.0, 0)] } else { vec![] }, "{strength:?}");
        let fall = if breaks { 0.5 * G * 0.01 } else { 0.0 };
        assert_close("fall", &bob(&sim, body)[0], &[0.4, 0.0, -fall], 1e-12);
    }
    // Held loads act from the start of their step on.
    let (mut sim, body, _) = hung([2.0 * weight, f64::INFINITY]);
    sim.step(0.1).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, -2.0 * weight, 0.0, 0.0, 0.0]).unwrap();
    let reached = advance_to(&mut sim, 0.2, true).unwrap();
    // A step that broke a joint at its start goes on.
    assert_eq!(reached, 0.2);
    assert!((times(&sim)[0].0 - 0.1).abs() < 1e-6, "{:?}", times(&sim));
    // Three times the acceleration of gravity.
    assert_close("fall", &bob(&sim, body)[0], &[0.4, 0.0, -1.5 * G * 0.01], 1e-6);
}

/// A bar of three bodies that turns without loads: breaks move neither energy nor momentum.
#[test]
fn momentum_and_energy_do_not_jump() {
    for scheme in NEWTON.into_iter().chain(["rk4", "ab4", "heun", "euler"]) {
        let mut sim = system([0.0; 3]);
        sim.settings().set_scheme(scheme).unwrap();
        let w = [0.3, -0.2, 2.0];
        let mut bodies = Vec::new();
        for k in 0..3 {
            let at = [f64::from(k), 0.2 * f64::from(k * k), 0.0];
            let j = [0.3, 0.3, 0.3, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(1.0 + f64::from(k), &[0.0; 3], &j, &pose(at, UNROTATED)).unwrap();
            sim.build().set_body_velocity(body, &join(add([0.1, 0.0, 0.3], cross(w, at)), w)).unwrap();
            bodies.push(body);
        }
        let joint = |sim: &mut Simulation, k: usize, kind| {
            let at = [k as f64 + 0.5, 0.1, 0.1];
            sim.build().add_joint_at(kind, bodies[k], bodies[k + 1], &at, Some(&[0.0, 0.0, 1.0])).unwrap()
        };
        let joints = [joint(&mut sim, 0, JointKind::Fixed), joint(&mut sim, 1, JointKind::Revolute)];
        sim.initialize(0.0).unwrap();
        (0..20).for_each(|_| sim.step(0.01).unwrap());
        let numbers = |sim: &Simulation| {
            let mut all = sim.outputs().momentum(&[0.0; 3]).unwrap().to_vec();
            all.push(sim.outputs().energy().unwrap().0);
            all
        };
        let before = numbers(&sim);
        let rates: Vec<_> = bodies.iter().map(|body| bob(&sim, *body)).collect();
        for joint in joints {
            break_joint(&mut sim, joint).unwrap();
        }
        assert_eq!(numbers(&sim), before, "{scheme}");
        (0..30).for_each(|_| sim.step(0.01).unwrap());
        // Bodies of equal moments of inertia fly straight and spin evenly.
        assert_close(scheme, &numbers(&sim), &before, 1e-11);
        for (body, [x, v, w]) in bodies.iter().zip(rates) {
            let [place, rate, spin] = bob(&sim, *body);
            assert_close(scheme, &place, &add(x, scale(0.3, v)), 1e-11);
            assert_close(scheme, &[rate, spin].concat(), &[v, w].concat(), 1e-11);
        }
    }
}

/// A four-bar linkage of revolute joints, with three redundant constraints, or without one of its
/// joints, from given poses and velocities.
fn four_bar(
    scheme: &str,
    states: Option<&[[V3; 3]]>,
    poses: Option<&[[f64; 7]]>,
    without: Option<usize>,
) -> (Simulation, Vec<Id>) {
    let mut sim = system([0.0, -G, 0.0]);
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("assemble", 1.0).unwrap();
    let corners = [[0.0, 0.0, 0.0], [0.3, 1.0, 0.0], [2.0, 1.4, 0.0], [2.2, 0.0, 0.0]];
    let mut bodies = Vec::new();
    for k in 0..3 {
        let middle = scale(0.5, add(corners[k], corners[k + 1]));
        let at = poses.map_or(pose(middle, UNROTATED), |poses| poses[k]);
        let j = [0.1, 0.2, 0.25, 0.01, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0 + 0.3 * k as f64, &[0.0; 3], &j, &at).unwrap();
        if let Some(states) = states {
            sim.build().set_body_velocity(body, &join(states[k][1], states[k][2])).unwrap();
        }
        bodies.push(body);
    }
    let middles: Vec<V3> = (0..3).map(|k| scale(0.5, add(corners[k], corners[k + 1]))).collect();
    let ends = [(GROUND, bodies[0]), (bodies[0], bodies[1]), (bodies[1], bodies[2]), (bodies[2], GROUND)];
    for (k, (a, b)) in ends.into_iter().enumerate() {
        let frame = |id: Id| {
            let origin = if id == GROUND { [0.0; 3] } else { middles[id as usize] };
            pose(sub(corners[k], origin), UNROTATED)
        };
        if without != Some(k) {
            sim.build().add_joint(JointKind::Revolute, a, b, &frame(a), &frame(b)).unwrap();
        }
    }
    sim.initialize(0.0).unwrap();
    (sim, bodies)
}

#[test]
fn a_loop_that_breaks_is_an_open_chain() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        for which in 0..4 {
            let (mut sim, bodies) = four_bar(scheme, None, None, None);
            (0..40).for_each(|_| sim.step(0.005).unwrap());
            let states: Vec<_> = bodies.iter().map(|body| bob(&sim, *body)).collect();
            let poses: Vec<_> = bodies.iter().map(|body| sim.outputs().body_pose(*body).unwrap()).collect();
            break_joint(&mut sim, which as Id).unwrap();
            let (mut open, _) = four_bar(scheme, Some(&states), Some(&poses), Some(which));
            for _ in 0..60 {
                sim.step(0.005).unwrap();
                open.step(0.005).unwrap();
            }
            for body in &bodies {
                // The velocities of a step open joints by 5e-7 m/s, which the open chain projects.
                let [a, b] = [&sim, &open].map(|sim| bob(sim, *body).concat());
                assert_close(&format!("{scheme}, joint {which}"), &a, &b, 2e-5);
            }
            let others = (0..4).filter(|k| *k != which);
            for (k, other) in others.enumerate() {
                let [a, b] = [(&sim, other as Id), (&open, k as Id)]
                    .map(|(sim, joint)| sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
                assert_close(&format!("{scheme}: reaction {other} without {which}"), &a, &b, 1e-3);
            }
        }
    }
}

/// Each joint of the linkage with a strength between the forces of two steps, the first above all
/// before.
#[test]
fn a_loop_breaks_by_its_strength() {
    let whole = || four_bar("generalized-alpha", None, None, None).0;
    let mut tried = 0;
    for joint in 0..4 {
        let mut sim = whole();
        let mut forces = Vec::new();
        for _ in 0..200 {
            sim.step(0.005).unwrap();
            let wrench = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            forces.push(norm([wrench[0], wrench[1], wrench[2]]));
        }
        let before = |k: usize| forces[..k].iter().copied().fold(0.0, f64::max);
        let Some(rise) = (10..200).find(|k| forces[*k] > 1.01 * before(*k)) else { continue };
        let strength = 0.5 * (before(rise) + forces[rise]);
        let mut sim = whole();
        set_joint_strength(&mut sim, joint, strength, f64::INFINITY).unwrap();
        let mut broke = Vec::new();
        for _ in 0..=rise {
            sim.step(0.005).unwrap();
            broke.extend(times(&sim));
        }
        let [(t, found)] = broke[..] else { panic!("joint {joint}: {broke:?}") };
        assert!(found == joint as usize && t > 0.005 * rise as f64 && t < 0.005 * (rise + 1) as f64, "{t} {rise}");
        assert_eq!(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap(), [0.0; 6]);
        let (position, velocity) = sim.outputs().constraint_violation().unwrap();
        assert!(position < 1e-9 && velocity < 1e-4, "{position} {velocity}");
        tried += 1;
    }
    assert!(tried > 0);
}

/// Two pendulums, one after the other, with friction on the second joint, which breaks off in a
/// step.
fn double(scheme: &str) -> (Simulation, [Id; 2]) {
    let mut sim = system([0.0, 0.0, -G]);
    sim.settings().set_scheme(scheme).unwrap();
    let j = [0.2, 0.2, 0.2, 0.0, 0.0, 0.0];
    let a = sim.build().add_rigid_body(2.0, &[0.0; 3], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let b = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([2.0, 0.0, 0.0], UNROTATED)).unwrap();
    let y = [0.0, 1.0, 0.0];
    let first = sim.build().add_joint_at(JointKind::Revolute, GROUND, a, &[0.0; 3], Some(&y)).unwrap();
    let second = sim.build().add_joint_at(JointKind::Revolute, a, b, &[1.4, 0.0, 0.0], Some(&y)).unwrap();
    sim.build().set_joint_friction((second, false), [0.5, 0.8, 0.0, 0.0, 0.0]).unwrap();
    sim.build().set_joint_spring(first, 3.0, 0.1, 0.0).unwrap();
    set_joint_strength(&mut sim, second, 25.0, f64::INFINITY).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, [first, second])
}

fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

#[test]
fn saved_states_mend_and_break_joints_bit_by_bit() {
    for scheme in ["generalized-alpha", "momentum-alpha"] {
        let h = 0.01;
        let (mut sim, [_, second]) = double(scheme);
        let fresh = || double(scheme).0;
        let mut before = sim.save().unwrap();
        let mut steps = 0;
        while times(&sim).is_empty() {
            before = sim.save().unwrap();
            sim.step(h).unwrap();
            steps += 1;
            assert!(steps < 200, "{scheme}");
        }
        let after = bits(&sim);
        (0..20).for_each(|_| sim.step(h).unwrap());
        let end = bits(&sim);
        let run = |sim: &mut Simulation, steps: usize| (0..steps).for_each(|_| sim.step(h).unwrap());
        // From before and from after the break, in fresh objects and in this one.
        for mut other in [fresh(), sim.clone()] {
            other.restore(&other.deserialize(&before.to_bytes()).unwrap()).unwrap();
            assert!(!JointMachines::of(&other).is_broken(second).unwrap());
            assert_eq!(other.outputs().joint_coordinate(second).unwrap().len(), 3);
            run(&mut other, 1);
            assert!(bits(&other) == after, "{scheme}");
            run(&mut other, 20);
            assert!(bits(&other) == end, "{scheme}");
            other.restore(&before).unwrap();
            other.restore(&other.deserialize(&after).unwrap()).unwrap();
            assert!(JointMachines::of(&other).is_broken(second).unwrap());
            run(&mut other, 20);
            assert!(bits(&other) == end, "{scheme}");
        }
        // With the trial pending in which it breaks.
        let mut trial = fresh();
        trial.restore(&before).unwrap();
        trial.advance(h).unwrap();
        assert!(JointMachines::of(&trial).is_broken(second).unwrap());
        let pending = bits(&trial);
        for mut other in [fresh(), sim.clone(), trial.clone()] {
            other.restore(&other.deserialize(&pending).unwrap()).unwrap();
            assert_eq!(other.phase(), Phase::Trial);
            assert!(JointMachines::of(&other).is_broken(second).unwrap());
            assert!(bits(&other) == pending, "{scheme}");
            let mut rejected = other.clone();
            other.accept().unwrap();
            assert!(bits(&other) == after, "{scheme}");
            run(&mut other, 20);
            assert!(bits(&other) == end, "{scheme}");
            // A rejected trial leaves nothing.
            rejected.reject().unwrap();
            assert!(bits(&rejected) == before.to_bytes(), "{scheme}");
            assert!(!JointMachines::of(&rejected).is_broken(second).unwrap());
            run(&mut rejected, 21);
            assert!(bits(&rejected) == end, "{scheme}");
        }
        // Tries of other lengths, with and without the break, leave nothing either.
        for dt in [h, 1e-6, 3.0 * h, h] {
            trial.advance(dt).unwrap();
        }
        trial.accept().unwrap();
        run(&mut trial, 20);
        assert!(bits(&trial) == end, "{scheme}");
    }
}

/// Saved into memory of an older state, also with a trial pending in which a joint broke.
#[test]
fn a_state_is_saved_into_again() {
    let (mut sim, [_, second]) = double("generalized-alpha");
    let mut state = sim.save().unwrap();
    while !JointMachines::of(&sim).is_broken(second).unwrap() {
        if sim.phase() == Phase::Trial {
            sim.accept().unwrap();
        }
        sim.save_into(&mut state).unwrap();
        assert!(state == sim.save().unwrap());
        sim.advance(0.01).unwrap();
    }
    sim.save_into(&mut state).unwrap();
    assert!(state == sim.save().unwrap());
    sim.accept().unwrap();
    sim.save_into(&mut state).unwrap();
    assert!(state == sim.save().unwrap());
}

/// What acts on the coordinate of a broken joint acts no more: spring, damper, load, drive,
/// friction, stop, gear.
#[test]
fn nothing_acts_on_a_broken_joint() {
    let wheel = |sim: &mut Simulation, x: f64| {
        let j = [0.3; 3];
        let inertia = [j[0], j[1], j[2], 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([x, 0.0, 0.0], UNROTATED)).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
        let at = [x, 0.0, 0.0];
        let joint =
            sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &at, Some(&[0.0, 0.0, 1.0])).unwrap();
        (body, joint)
    };
    let mut sim = system([0.0; 3]);
    let (body, joint) = wheel(&mut sim, 0.0);
    let (other, driven) = wheel(&mut sim, 1.0);
    let gear = sim.elements().add_gear(joint, driven, 1.0).unwrap();
    sim.build().set_joint_spring(joint, 5.0, 1.0, 0.3).unwrap();
    sim.build().set_joint_slide_spring(joint, 5.0, 1.0, 0.3).unwrap();
    sim.build().add_joint_damper_point((joint, false), 1.0, 2.0).unwrap();
    sim.build().add_joint_spring_point((joint, false), 0.0, 1.0).unwrap();
    sim.build().add_joint_spring_point((joint, false), 1.0, 3.0).unwrap();
    sim.build().add_joint_spring_point((joint, false), 1.5, 9.0).unwrap();
    sim.build().set_joint_friction((joint, true), [0.5, 0.8, 0.1, 0.0, 0.0]).unwrap();
    sim.build().set_joint_stop((joint, false), [-0.1, 0.4], 1, [1e4, 0.0, 0.5]).unwrap();
    sim.inputs().set_joint_load(joint, 1.0).unwrap();
    sim.inputs().set_joint_slide_load(joint, 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    (0..20).for_each(|_| sim.step(0.01).unwrap());
    assert!(sim.outputs().gear_load(gear).unwrap().abs() > 0.1);
    break_joint(&mut sim, joint).unwrap();
    assert!(matches!(break_joint(&mut sim, joint), Err(Error::BadValue { argument: "joint", .. })));
    let [states, after] = [body, other].map(|body| bob(&sim, body));
    (0..50).for_each(|_| sim.step(0.01).unwrap());
    for (body, [x, v, w]) in [(body, states), (other, after)] {
        let [place, rate, spin] = bob(&sim, body);
        assert_close("place", &place, &add(x, scale(0.5, v)), 1e-11);
        assert_close("rates", &[rate, spin].concat(), &[v, w].concat(), 1e-11);
    }
    assert_eq!(sim.outputs().gear_load(gear).unwrap(), 0.0);
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    assert!(kinetic > 0.1 && potential == 0.0, "{kinetic} {potential}");
    let machines = JointMachines::of(&sim);
    assert_eq!(machines.output(joint, false).unwrap().mode, 4);
    assert_eq!([machines.spring_force(joint, false).unwrap(), machines.damper_force(joint, false).unwrap()], [0.0; 2]);
    let mut channels = vec![f64::NAN; sim.channels().count().unwrap() as usize];
    sim.channels().values(&mut channels).unwrap();
    assert!(channels.iter().all(|x| x.is_finite()));
    let before = bits(&sim);
    let refused = |result: Result<(), Error>| match result {
        Err(Error::BadValue { argument: "joint", detail }) => assert!(detail.contains("joint 0 is broken"), "{detail}"),
        other => panic!("{other:?}"),
    };
    refused(sim.outputs().joint_coordinate(joint).map(|_| ()));
    refused(sim.outputs().joint_slide(joint).map(|_| ()));
    refused(sim.build().set_joint_spring(joint, 1.0, 0.0, 0.0));
    refused(sim.build().set_joint_slide_spring(joint, 1.0, 0.0, 0.0));
    refused(sim.build().set_joint_driven(joint, true));
    refused(sim.build().set_joint_slide_driven(joint, true));
    refused(sim.inputs().set_joint_load(joint, 1.0));
    refused(sim.inputs().set_joint_slide_load(joint, 1.0));
    refused(sim.inputs().set_joint_brake(joint, true, 1.0));
    assert!(bits(&sim) == before);
}

/// A driven joint that breaks leaves its drive, which is there again in an earlier state.
#[test]
fn a_drive_breaks_with_its_joint() {
    let (mut sim, body, joint) = pendulum("generalized-alpha", 0.0, 1.0);
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.inputs().set_joint_motion(joint, 0.0, 0.0, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim.inputs().set_joint_motion(joint, 0.005, 0.5, 0.0).unwrap();
    sim.step(0.01).unwrap();
    let saved = sim.save().unwrap();
    break_joint(&mut sim, joint).unwrap();
    let [x, v, _] = bob(&sim, body);
    (0..10).for_each(|_| sim.step(0.01).unwrap());
    let expected = add(add(x, scale(0.1, v)), [0.0, 0.0, -0.5 * G * 0.01]);
    assert_close("flight", &bob(&sim, body)[0], &expected, 1e-11);
    sim.restore(&saved).unwrap();
    sim.inputs().set_joint_motion(joint, 0.01, 0.5, 0.0).unwrap();
    sim.step(0.01).unwrap();
    assert!((sim.outputs().joint_coordinate(joint).unwrap()[0] - 0.01).abs() < 1e-10);
}

/// Two joints at one instant, and the second by what the first had carried.
#[test]
fn breaks_may_follow_each_other_at_one_time() {
    for strengths in [[20.0, 20.0], [14.0, 40.0], [14.0, 25.0]] {
        let mut sim = system([0.0, 0.0, -G]);
        sim.settings().set_option("input_order", 1.0).unwrap();
        let j = [0.2, 0.2, 0.2, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([0.0, 0.0, -1.0], UNROTATED)).unwrap();
        // Each joint carries half.
        let ends: Vec<Id> = [-1.0, 1.0]
            .map(|x| {
                sim.build()
                    .add_joint(
                        JointKind::Spherical,
                        GROUND,
                        body,
                        &pose([x, 0.0, 0.0], UNROTATED),
                        &pose([x, 0.0, 1.0], UNROTATED),
                    )
                    .unwrap()
            })
            .into();
        for (joint, strength) in ends.iter().zip(strengths) {
            set_joint_strength(&mut sim, *joint, strength, f64::INFINITY).unwrap();
        }
        sim.initialize(0.0).unwrap();
        let (mut t, mut broke) = (0.0, Vec::new());
        while broke.is_empty() {
            t += 0.1;
            assert!(t < 5.0);
            sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, -10.0 * t, 0.0, 0.0, 0.0]).unwrap();
            sim.step(0.1).unwrap();
            broke.extend(times(&sim));
        }
        // Half of the load each: (g + 10 t)/2 at the weaker.
        let first = (2.0 * strengths[0] - G) / 10.0;
        assert!((broke[0].0 - first).abs() < 1e-7, "{strengths:?}: {broke:?}");
        if strengths[0] == strengths[1] {
            assert_eq!(broke.len(), 2, "{broke:?}");
            assert!((broke[1].0 - first).abs() < 1e-7, "{broke:?}");
            let v = bob(&sim, body)[1][2];
            let velocity = |t: f64| G * t + 5.0 * t * t;
            assert!((v + velocity(t) - velocity(first)).abs() < 1e-6, "{v}");
        }
    }
}

#[test]
fn what_cannot_break_is_refused() {
    let (mut sim, _, joint) = pendulum("rk4", 0.0, 1.0);
    for (force, moment, argument) in
        [(-1.0, 1.0, "force"), (1.0, -1.0, "moment"), (f64::NAN, 1.0, "force"), (1.0, f64::NAN, "moment")]
    {
        let error = set_joint_strength(&mut sim, joint, force, moment).unwrap_err();
        match error {
            Error::BadValue { argument: named, detail } => {
                assert!(named == argument && detail.contains("-1 is no strength of joint 0"), "{detail}");
            }
            Error::NotFinite { argument: named, .. } => assert_eq!(named, argument),
            other => panic!("{other}"),
        }
    }
    assert_eq!(JointMachines::of(&sim).strength(joint).unwrap(), [f64::INFINITY; 2]);
    assert!(matches!(break_joint(&mut sim, joint), Err(Error::BadPhase { .. })));
    set_joint_strength(&mut sim, joint, 5.0, f64::INFINITY).unwrap();
    let error = sim.initialize(0.0).unwrap_err().to_string();
    assert!(error.contains("joint 0 has a strength, which goes with") && error.contains("not with rk4"), "{error}");
    sim.settings().set_scheme("generalized-alpha").unwrap();
    sim.initialize(0.0).unwrap();
    sim.settings().set_scheme("rk4").unwrap();
    assert!(matches!(sim.step(0.01), Err(Error::Unsupported { .. })));
    assert!(matches!(break_joint(&mut sim, 7), Err(Error::BadId { .. })));
    // Without a strength that is left any scheme goes.
    break_joint(&mut sim, joint).unwrap();
    sim.step(0.01).unwrap();
    // A body without inertia is held by its joint.
    let mut sim = system([0.0, 0.0, -G]);
    let rod = sim.build().add_rigid_body(0.0, &[0.0; 3], &[0.0; 6], &ORIGIN).unwrap();
    let j = [0.2, 0.2, 0.2, 0.0, 0.0, 0.0];
    let bob = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let y = [0.0, 1.0, 0.0];
    let pivot = sim.build().add_joint_at(JointKind::Revolute, GROUND, rod, &[0.0; 3], Some(&y)).unwrap();
    let weld = sim.build().add_joint_at(JointKind::Fixed, rod, bob, &[1.0, 0.0, 0.0], None).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    let before = bits(&sim);
    let error = break_joint(&mut sim, weld).unwrap_err();
    assert!(matches!(error, Error::Singular { .. }), "{error}");
    assert!(bits(&sim) == before);
    sim.step(0.01).unwrap();
    // Nor may it break in a step.
    let mut weak = sim.clone();
    set_joint_strength(&mut weak, weld, 1.0, f64::INFINITY).unwrap();
    let before = bits(&weak);
    let error = weak.step(0.01).unwrap_err();
    assert!(matches!(error, Error::Singular { .. }), "{error}");
    assert!(bits(&weak) == before && !JointMachines::of(&weak).is_broken(weld).unwrap());
    assert_eq!(weak.outputs().joint_reaction(weld, Frame::Inertial).unwrap().len(), 6);
    break_joint(&mut sim, pivot).unwrap();
    sim.step(0.01).unwrap();
}

/// Trees of three to five bodies on random joints, some in loops, with random strengths and
/// springs.
fn random(seed: u64) -> (Simulation, usize) {
    let mut dice = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut sim = system([0.0, 0.0, -G]);
    sim.settings().set_scheme(NEWTON[dice.below(4)]).unwrap();
    let count = 3 + dice.below(3);
    let mut places = vec![[0.0; 3]];
    let mut joints = 0;
    for k in 0..count {
        let from = dice.below(k + 1);
        let at = add(places[from], add([0.8, 0.0, 0.0], scale(0.4, dice.many())));
        let j = 0.1 + 0.05 * dice.signed();
        let mass = 1.5 + dice.signed();
        let body =
            sim.build().add_rigid_body(mass, &[0.0; 3], &[j, 1.2 * j, 0.9 * j, 0.0, 0.0, 0.0], &pose(at, UNROTATED));
        let body = body.unwrap();
        let connect = |sim: &mut Simulation, dice: &mut Random, from: usize, kinds: &[JointKind]| {
            let middle = scale(0.5, add(places[from], at));
            let axis = [dice.signed(), dice.signed(), dice.signed() + 0.01];
            let kind = kinds[dice.below(kinds.len())];
            let axis = if kind == JointKind::Spherical { None } else { Some(&axis) };
            let joint = sim.build().add_joint_at(kind, from as Id - 1, body, &middle, axis).unwrap();
            let strengths: [f64; 2] =
                [15.0, 8.0].map(|most| if dice.below(3) == 0 { f64::INFINITY } else { most * (1.1 + dice.signed()) });
            set_joint_strength(sim, joint, strengths[0], strengths[1]).unwrap();
            if kind == JointKind::Revolute && dice.below(2) == 0 {
                sim.build().set_joint_spring(joint, 2.0, 0.1, 0.0).unwrap();
                sim.build().set_joint_friction((joint, false), [0.2, 0.3, 0.0, 0.0, 0.0]).unwrap();
            }
        };
        let kinds = [JointKind::Revolute, JointKind::Spherical, JointKind::Fixed, JointKind::Cylindrical];
        connect(&mut sim, &mut dice, from, &kinds);
        joints += 1;
        if k > 1 && dice.below(2) == 0 {
            // A loop.
            connect(&mut sim, &mut dice, (from + 1) % (k + 1), &[JointKind::Spherical, JointKind::Fixed]);
            joints += 1;
        }
        places.push(at);
    }
    sim.initialize(0.0).unwrap();
    (sim, joints)
}

#[test]
fn random_mechanisms_break_without_gaining_energy_and_go_on_to_the_bit() {
    let (mut breaks, mut worst) = (0, 0.0f64);
    for seed in 0..200 {
        let (mut sim, joints) = random(seed);
        let h = [0.002, 0.005][seed as usize % 2];
        let energy = |sim: &Simulation| {
            let (kinetic, potential) = sim.outputs().energy().unwrap();
            kinetic + potential
        };
        let (mut least, mut gain) = (energy(&sim), 0.0f64);
        let mut middle = None;
        for step in 0..150 {
            if step == 60 {
                middle = Some(bits(&sim));
            }
            sim.step(h).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
            breaks += times(&sim).len();
            // A joint that breaks takes the energy of its spring along.
            let now = energy(&sim);
            gain = gain.max(now - least);
            least = least.min(now);
        }
        worst = worst.max(gain);
        let end = bits(&sim);
        let mut other = random(seed).0;
        other.restore(&other.deserialize(&middle.unwrap()).unwrap()).unwrap();
        (60..150).for_each(|_| other.step(h).unwrap());
        assert!(bits(&other) == end, "seed {seed}");
        let broken = (0..joints).filter(|joint| JointMachines::of(&sim).is_broken(*joint as Id).unwrap());
        for joint in broken {
            assert_eq!(sim.outputs().joint_reaction(joint as Id, Frame::Inertial).unwrap(), [0.0; 6]);
        }
    }
    println!("{breaks} breaks, {worst} J");
    assert!(breaks > 200, "{breaks}");
    // Of some 50 J, by the errors of steps of 5 ms.
    assert!(worst < 0.1, "{worst}");
}

/// A body on a joint and a line, which breaks off at a time: after the joint, or before it in one
/// step.
#[test]
fn a_joint_breaks_beside_a_line_that_breaks_off() {
    for (fails, strength) in [(0.31, 20.5), (0.105, 25.0)] {
        let build = || {
            let mut sim = system([0.0, 0.0, -G]);
            let j = [0.2, 0.2, 0.2, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &j, &pose([0.0, 0.0, -1.0], UNROTATED)).unwrap();
            let joint = sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
            let anchor = sim.build().add_point(0.0, 0.0, &[3.0, 0.0, -1.0]).unwrap();
            sim.build().fix_point(anchor).unwrap();
            let eye = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().attach_point(eye, body, &[0.0; 3]).unwrap();
            let rope = LineType { diameter: 0.02, mass_per_length: 0.001, ea: 1e4, ba: 50.0, ..LineType::default() };
            let rope = sim.elements().add_line_type(rope).unwrap();
            let line = sim.elements().add_line(rope, anchor, eye, 3.01, 6).unwrap();
            sim.elements().set_line_failure(&[line], &[1], fails, 0.0, -1).unwrap();
            set_joint_strength(&mut sim, joint, strength, f64::INFINITY).unwrap();
            sim.settings().set_option("input_order", 1.0).unwrap();
            sim.initialize(0.0).unwrap();
            (sim, body)
        };
        let run = |sim: &mut Simulation, body: Id, from: i32| {
            let mut broke = Vec::new();
            for k in from..40 {
                let t = 0.02 * f64::from(k + 1);
                let load = [0.0, 0.0, -50.0 * t, 0.0, 0.0, 0.0];
                sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
                sim.step(0.02).unwrap();
                broke.extend(times(sim));
            }
            broke
        };
        let (mut sim, body) = build();
        let start = sim.save().unwrap();
        let broke = run(&mut sim, body, 0);
        assert_eq!(broke.len(), 1, "{broke:?}");
        let end = bits(&sim);
        // Nothing holds the body: it falls with its weight and its load.
        let acceleration = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
        assert_close("fall", &acceleration[..3], &[0.0, 0.0, -G - 25.0 * 0.8], 1e-6);
        sim.restore(&start).unwrap();
        assert_eq!(run(&mut sim, body, 0), broke);
        assert!(bits(&sim) == end);
        let mut fresh = build().0;
        fresh.restore(&fresh.deserialize(&start.to_bytes()).unwrap()).unwrap();
        run(&mut fresh, body, 0);
        assert!(bits(&fresh) == end);
        println!("line at {fails}, joint at {broke:?}");
    }
}
