//! Mass of bodies, springs and gravity that the host changes during a run.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

/// Name, order.
const SCHEMES: [(&str, i32); 7] =
    [("generalized-alpha", 2), ("momentum-alpha", 2), ("newmark", 2), ("hht", 2), ("heun", 2), ("rk4", 4), ("ab3", 3)];

const MASS: f64 = 2.0;
const NO_OFFSET: [f64; 3] = [0.0; 3];
const ROUND: [f64; 6] = [0.5, 0.5, 0.5, 0.0, 0.0, 0.0];

/// What an oscillator has: mass, stiffness, rest length, gravity along its axis.
type Numbers = [f64; 4];

/// A mass on a slide along x from a spring to the ground 3 m behind the origin; 0.5 m from there.
fn oscillator(scheme: &str, far: f64, [m, k, rest, g]: Numbers) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[g, 0.0, 0.0]).unwrap();
    let body = sim.build().add_rigid_body(m, &NO_OFFSET, &ROUND, &pose([far + 0.5, 0.0, 0.0], UNROTATED)).unwrap();
    let along = quat_exp([0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let (frame_a, frame_b) = (pose([far, 0.0, 0.0], along), pose([0.0; 3], along));
    sim.build().add_joint(JointKind::Prismatic, GROUND, body, &frame_a, &frame_b).unwrap();
    sim.elements().add_spring(GROUND, &[far - 3.0, 0.0, 0.0], body, &NO_OFFSET, k, 0.0, rest, false).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

fn set(sim: &mut Simulation, body: Id, [m, k, rest, g]: Numbers) {
    sim.build().set_body_mass(body, m, &NO_OFFSET, &ROUND).unwrap();
    sim.build().set_spring(0, [k, 0.0, rest]).unwrap();
    sim.settings().set_gravity(&[g, 0.0, 0.0]).unwrap();
}

fn motion(sim: &Simulation) -> [f64; 2] {
    let [q, qdot, _] = sim.outputs().joint_coordinate(0).unwrap();
    [q, qdot]
}

/// Place and rate after a time.
fn exact([m, k, rest, g]: Numbers, [q, v]: [f64; 2], t: f64) -> [f64; 2] {
    let (w, middle) = ((k / m).sqrt(), rest - 3.0 + m * g / k);
    let ((sin, cos), x) = ((w * t).sin_cos(), q - middle);
    [middle + x * cos + v / w * sin, v * cos - x * w * sin]
}

/// Before, and with one of the numbers changed, and all of them.
const BEFORE: Numbers = [MASS, 18.0, 3.1, 1.5];
const AFTER: [(&str, Numbers); 4] = [
    ("mass", [0.72, 18.0, 3.1, 1.5]),
    ("spring", [MASS, 50.0, 2.8, 1.5]),
    ("gravity", [MASS, 18.0, 3.1, -4.0]),
    ("all", [1.5, 37.5, 2.9, -4.0]),
];

/// Error at 2 s, with the change at 1 s; with steps of h, or of 4h/3 and 2h/3 in turn.
fn error(scheme: &str, steps: usize, after: Numbers, is_even: bool) -> f64 {
    let (mut sim, body) = oscillator(scheme, 0.0, BEFORE);
    let h = 1.0 / steps as f64;
    let lengths = if is_even { [h; 2] } else { [4.0 * h / 3.0, 2.0 * h / 3.0] };
    (0..steps).for_each(|n| sim.step(lengths[n % 2]).unwrap());
    let reached = motion(&sim);
    set(&mut sim, body, after);
    assert_eq!(motion(&sim), reached, "{scheme}: place and rate stay");
    (0..steps).for_each(|n| sim.step(lengths[n % 2]).unwrap());
    let expected = exact(after, exact(BEFORE, [0.5, 0.0], 1.0), 1.0);
    let reached = motion(&sim);
    (reached[0] - expected[0]).hypot((reached[1] - expected[1]) / 5.0)
}

#[test]
fn changes_act_from_the_accepted_time_on_and_keep_the_order() {
    for (scheme, order) in SCHEMES {
        // Multistep schemes start anew where the step changes.
        for is_even in [true, false].into_iter().filter(|is_even| *is_even || scheme != "ab3") {
            for (what, after) in AFTER {
                let [coarse, fine] = [120, 240].map(|steps| error(scheme, steps, after, is_even));
                let case = format!("{scheme} {what} {is_even}: {coarse} {fine}");
                // 5 rad/s at 8 ms, or 11 ms: as of springs on joints, with 1 m of motion.
                assert!(coarse < 4.0 * (0.05f64).powi(order), "{case}");
                let found = (coarse / fine).log2();
                assert!((found - f64::from(order)).abs() < 0.4, "{case}: order {found}");
            }
        }
    }
}

/// At rest a change of weight and spring in balance leaves everything at rest, also far away.
#[test]
fn what_stays_in_balance_stays_at_rest() {
    for (scheme, _) in SCHEMES {
        for far in [0.0, 1e6] {
            // 3.5 m of spring: k (3.5 - rest) = m g.
            let (mut sim, body) = oscillator(scheme, far, [2.0, 18.0, 2.5, 9.0]);
            (0..5).for_each(|_| sim.step(0.01).unwrap());
            set(&mut sim, body, [4.0, 32.0, 3.0, 4.0]);
            (0..50).for_each(|_| sim.step(0.01).unwrap());
            let [q, v] = motion(&sim);
            // Rounding of places at 1e6 m is 1e-10 m, times frequency for rates.
            let noise = 1e-12 + 1e-15 * far;
            assert!((q - 0.5).abs() < noise && v.abs() < 10.0 * noise, "{scheme} {far}: {q} {v}");
        }
    }
}

/// A thrown body that drops ballast beside its centre of mass: the motion of every point of it is
/// continuous, its new centre flies on along a parabola, and its angular momentum about that stays.
#[test]
fn ballast_that_is_dropped_takes_its_momentum_with_it() {
    let g = [0.0, 0.0, -9.81];
    for (scheme, order) in SCHEMES {
        let error = |steps: usize| {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_gravity(&g).unwrap();
            let inertia = [0.5, 0.7, 0.9, 0.02, 0.01, -0.03];
            let body = sim.build().add_rigid_body(3.0, &[0.1, 0.0, 0.2], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
            sim.build().set_body_velocity(body, &[1.0, 2.0, 3.0, 0.4, -1.1, 2.0]).unwrap();
            sim.initialize(0.0).unwrap();
            let h = 0.5 / steps as f64;
            (0..steps).for_each(|_| sim.step(h).unwrap());
            let at = |sim: &Simulation| {
                let outputs = sim.outputs();
                (outputs.body_pose(body).unwrap(), outputs.body_velocity(body, Frame::Inertial).unwrap())
            };
            let (place, rate) = at(&sim);
            let (mass, com) = (2.0, [-0.05, 0.3, 0.0]);
            sim.build().set_body_mass(body, mass, &com, &[0.3, 0.2, 0.4, 0.0, 0.01, 0.0]).unwrap();
            assert_eq!(at(&sim), (place, rate), "{scheme}: pose and velocity stay");
            let quat: Quat = place[3..].try_into().unwrap();
            let arm = rotate(quat, com);
            let [v, omega]: [V3; 2] = [&rate[..3], &rate[3..]].map(|part| part.try_into().unwrap());
            let (centre, speed) = (add(place[..3].try_into().unwrap(), arm), add(v, cross(omega, arm)));
            let momentum = sim.outputs().momentum(&centre).unwrap();
            for k in 0..3 {
                // Rounding of sums of some ten terms of size 10.
                assert!((momentum[k] - mass * speed[k]).abs() < 1e-13, "{scheme}: {momentum:?}");
            }
            (0..steps).for_each(|_| sim.step(h).unwrap());
            let t = 0.5;
            let expected = add(add(centre, scale(t, speed)), scale(0.5 * t * t, g));
            let later = at(&sim).0;
            let reached = add(later[..3].try_into().unwrap(), rotate(later[3..].try_into().unwrap(), com));
            let spin = sim.outputs().momentum(&reached).unwrap();
            let off = norm(sub(reached, expected));
            let spin = norm(std::array::from_fn(|k| spin[3 + k] - momentum[3 + k]));
            off + spin
        };
        let [coarse, fine] = [100, 200].map(error);
        // 2.3 rad/s at 5 ms: h^p w^p over a second with lengths of 0.3 m.
        assert!(coarse < 2.0 * (0.0115f64).powi(order) + 1e-12, "{scheme}: {coarse}");
        let found = (coarse / fine).log2();
        assert!(coarse < 1e-11 || (found - f64::from(order)).abs() < 0.6, "{scheme}: order {found} of {coarse} {fine}");
    }
}

/// Two bars that swing, the second of which the host loads, and a spring between them.
fn bars(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND;
    for n in 0..2 {
        let at = pose([0.5 + f64::from(n), 0.0, 0.0], UNROTATED);
        let bar = sim.build().add_rigid_body(1.0, &NO_OFFSET, &[0.01, 0.08, 0.08, 0.0, 0.0, 0.0], &at).unwrap();
        let point = [f64::from(n), 0.0, 0.0];
        sim.build().add_joint_at(JointKind::Revolute, last, bar, &point, Some(&[0.0, 1.0, 0.0])).unwrap();
        last = bar;
    }
    sim.elements().add_spring(GROUND, &[1.0, 0.0, 1.0], last, &NO_OFFSET, 5.0, 0.1, 0.5, true).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

fn load(sim: &mut Simulation) {
    sim.build().set_body_mass(1, 2.5, &[0.1, 0.0, 0.05], &[0.02, 0.1, 0.1, 0.0, 0.0, 0.0]).unwrap();
    sim.build().set_spring(0, [9.0, 0.2, 0.4]).unwrap();
    sim.settings().set_gravity(&[1.0, 0.0, -9.0]).unwrap();
}

type Found = (f64, [f64; 7], [f64; 6], [f64; 36], [f64; 3], f64);

fn after(sim: &mut Simulation) -> Found {
    (0..40).for_each(|_| sim.step(0.01).unwrap());
    let (outputs, description) = (sim.outputs(), sim.description());
    let reaction = outputs.joint_reaction(0, Frame::Inertial).unwrap();
    let stiffness = description.spring_info(0).unwrap().stiffness;
    let (mass, gravity) = (description.body_mass(1).unwrap(), description.gravity());
    (sim.time().unwrap(), outputs.body_pose(1).unwrap(), reaction, mass, gravity, stiffness)
}

#[test]
fn changes_belong_to_the_state() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "lab3"] {
        let mut sim = bars(scheme);
        (0..20).for_each(|_| sim.step(0.01).unwrap());
        let early = sim.save().unwrap();
        load(&mut sim);
        let late = sim.save().unwrap();
        let mut clone = sim.clone();
        let expected = after(&mut sim);
        assert_eq!((expected.3[0], expected.4, expected.5), (2.5, [1.0, 0.0, -9.0], 9.0));
        assert_eq!(after(&mut clone), expected, "{scheme}: a clone");
        let mut fresh = bars(scheme);
        fresh.restore(&fresh.deserialize(&late.to_bytes()).unwrap()).unwrap();
        assert_eq!(after(&mut fresh), expected, "{scheme}: from bytes in a fresh object");
        // Back to before the change, in an object that has changed, and forth again.
        fresh.restore(&early).unwrap();
        let mut unchanged = bars(scheme);
        unchanged.restore(&early).unwrap();
        let back = after(&mut fresh);
        assert_eq!((back.3[0], back.4, back.5), (1.0, [0.0, 0.0, -9.81], 5.0), "{scheme}");
        assert_eq!(after(&mut unchanged), back, "{scheme}: an early state");
        fresh.restore(&late).unwrap();
        assert_eq!(after(&mut fresh), expected, "{scheme}: back and forth");
        // A trial is made with the changes, and rejecting it does not undo them.
        fresh.restore(&late).unwrap();
        fresh.advance(0.1).unwrap();
        fresh.reject().unwrap();
        assert_eq!(after(&mut fresh), expected, "{scheme}: after a rejected trial");
    }
}

/// The model that was changed moves as one that was described so, from the same place and rate.
#[test]
fn a_changed_model_moves_as_one_described_so() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4"] {
        let mut changed = bars(scheme);
        load(&mut changed);
        let mut described = {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_gravity(&[1.0, 0.0, -9.0]).unwrap();
            let at = |n: usize| pose([0.5 + n as f64, 0.0, 0.0], UNROTATED);
            let light = [0.01, 0.08, 0.08, 0.0, 0.0, 0.0];
            let heavy = [0.02, 0.1, 0.1, 0.0, 0.0, 0.0];
            sim.build().add_rigid_body(1.0, &NO_OFFSET, &light, &at(0)).unwrap();
            sim.build().add_rigid_body(2.5, &[0.1, 0.0, 0.05], &heavy, &at(1)).unwrap();
            for n in 0..2 {
                let y = [0.0, 1.0, 0.0];
                sim.build().add_joint_at(JointKind::Revolute, n - 1, n, &[f64::from(n), 0.0, 0.0], Some(&y)).unwrap();
            }
            sim.elements().add_spring(GROUND, &[1.0, 0.0, 1.0], 1, &NO_OFFSET, 9.0, 0.2, 0.4, true).unwrap();
            sim.initialize(0.0).unwrap();
            sim
        };
        let (a, b) = (after(&mut changed), after(&mut described));
        let differ = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        // About another point second-order schemes differ by their error, 6 rad/s at 10 ms.
        let bound = if scheme == "rk4" { 1e-4 } else { 2e-2 };
        assert!(differ(&a.1, &b.1) < bound && differ(&a.2, &b.2) < 50.0 * bound, "{scheme}: {a:?} {b:?}");
    }
}

#[test]
fn explicit_steps_follow_the_mass() {
    let (mut sim, body) = oscillator("rk4", 0.0, BEFORE);
    let stable = |sim: &Simulation| sim.outputs().statistic("stable_step").unwrap();
    let before = stable(&sim);
    sim.build().set_body_mass(body, MASS / 100.0, &NO_OFFSET, &ROUND).unwrap();
    assert!((before / stable(&sim) / 10.0 - 1.0).abs() < 0.01, "{before} {}", stable(&sim));
}

/// A body under another one: the joint carries its new weight at once.
#[test]
fn reactions_are_those_of_the_new_mass() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "rk4"] {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_gravity(&[0.0, 0.0, -10.0]).unwrap();
        let body = sim.build().add_rigid_body(2.0, &NO_OFFSET, &ROUND, &pose([0.0; 3], UNROTATED)).unwrap();
        sim.build().add_joint_at(JointKind::Fixed, GROUND, body, &NO_OFFSET, Some(&[0.0, 0.0, 1.0])).unwrap();
        sim.initialize(0.0).unwrap();
        sim.step(0.01).unwrap();
        sim.build().set_body_mass(body, 5.0, &[0.2, 0.0, 0.0], &ROUND).unwrap();
        sim.step(0.01).unwrap();
        let reaction = sim.outputs().joint_reaction(0, Frame::Inertial).unwrap();
        // Weight, and its moment about the joint: r x (0, 0, 50) with r = (0.2, 0, 0) is -10 about
        // y.
        let expected = [0.0, 0.0, 50.0, 0.0, -10.0, 0.0];
        let off = reaction.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(off < 1e-9, "{scheme}: {reaction:?}");
    }
}

#[test]
fn refused_changes_leave_everything_as_it_was() {
    let mut sim = bars("generalized-alpha");
    (0..5).for_each(|_| sim.step(0.01).unwrap());
    let mut other = sim.clone();
    sim.advance(0.01).unwrap();
    let phase = |outcome: Result<(), Error>| assert!(matches!(outcome, Err(Error::BadPhase { .. })), "{outcome:?}");
    phase(sim.build().set_body_mass(1, 2.0, &NO_OFFSET, &ROUND));
    phase(sim.build().set_spring(0, [1.0, 0.0, 1.0]));
    phase(sim.settings().set_gravity(&[0.0; 3]));
    sim.reject().unwrap();
    let says = |outcome: Result<(), Error>, what: &str| {
        let text = outcome.unwrap_err().to_string();
        assert!(text.contains(what), "{text}");
    };
    says(sim.build().set_body_mass(1, -2.0, &NO_OFFSET, &ROUND), "-2");
    says(sim.build().set_body_mass(1, 2.0, &NO_OFFSET, &[1.0, 1.0, 3.0, 0.0, 0.0, 0.0]), "inertia");
    says(sim.build().set_body_mass(2, 2.0, &NO_OFFSET, &ROUND), "body");
    says(sim.build().set_spring(0, [1.0, -0.5, 1.0]), "-0.5");
    says(sim.build().set_spring(1, [1.0, 0.5, 1.0]), "spring");
    says(sim.settings().set_gravity(&[0.0, f64::NAN, 0.0]), "gravity");
    assert_eq!(after(&mut sim), after(&mut other));
    // Equal values do not start the scheme anew.
    let mut same = bars("generalized-alpha");
    let mut untouched = same.clone();
    for _ in 0..5 {
        same.step(0.01).unwrap();
        untouched.step(0.01).unwrap();
        same.build().set_spring(0, [5.0, 0.1, 0.5]).unwrap();
        same.build().set_body_mass(0, 1.0, &NO_OFFSET, &[0.01, 0.08, 0.08, 0.0, 0.0, 0.0]).unwrap();
        same.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    }
    assert_eq!(after(&mut same), after(&mut untouched));
}
