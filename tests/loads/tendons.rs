//! Tendons: blocks and tackles, Atwood's machine, winches, slack and taut, momentum, order.

use crate::common::energy::{G, KEEPING, gains, system};
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation, Tendons};

const INERTIA: [f64; 6] = [2.0, 3.0, 4.0, 0.1, -0.2, 0.05];

/// The schemes with an energy form that dissipate, and their parameters.
const DISSIPATING: [(&str, &[(&str, f64)]); 5] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("generalized-alpha", &[("rho_inf", 0.95)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
];

fn body(sim: &mut Simulation, mass: f64, x: V3) -> Id {
    let inertia = INERTIA.map(|x| x * mass);
    sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose(x, UNROTATED)).unwrap()
}

/// A mass that slides along the vertical below the ground's origin, with a tendon of so many parts
/// between both, of stiffness EA and unstretched length l.
fn tackle(sim: &mut Simulation, parts: usize, mass: f64, z: f64, [ea, damping, l]: [f64; 3]) -> (Id, Id) {
    let load = body(sim, mass, [0.0, 0.0, z]);
    sim.build().add_joint_at(JointKind::Prismatic, GROUND, load, &[0.0, 0.0, z], Some(&[0.0, 0.0, 1.0])).unwrap();
    let bodies: Vec<Id> = (0..=parts).map(|k| if k % 2 == 0 { GROUND } else { load }).collect();
    let tendon = sim.elements().add_tendon(&bodies, &vec![[0.0; 3]; parts + 1], ea, damping, l).unwrap();
    (load, tendon)
}

fn height(sim: &Simulation, body: Id) -> f64 {
    sim.outputs().body_pose(body).unwrap()[2]
}

#[test]
fn a_tackle_of_k_parts_carries_k_times_its_tension_and_has_k_squared_times_the_stiffness() {
    for parts in 1..=7 {
        let (mass, ea, k) = (50.0, 2e5, parts as f64);
        let mut sim = system("generalized-alpha", &[]);
        let (load, tendon) = tackle(&mut sim, parts, mass, -10.0, [ea, 0.0, 10.0 * k]);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-10).unwrap();
        let tension = mass * G / k;
        let (length, found) = Tendons::of(&sim).force(tendon).unwrap();
        assert_close("tension", &[found], &[tension], 1e-7 * tension);
        // L = l (1 + T/EA) = k |z|.
        let expected = 10.0 * k * (1.0 + tension / ea);
        assert_close("length", &[length, -k * height(&sim, load)], &[expected; 2], 1e-9 * expected);
        // w^2 = k^2 EA/(l m).
        let w = k * (ea / (10.0 * k * mass)).sqrt();
        let (modes, _) = sim.analysis().modes().unwrap();
        assert_eq!(modes.len(), 1);
        assert_close("frequency", &[modes[0].frequency * std::f64::consts::TAU], &[w], 1e-9 * w);
        // At rest it stays.
        let start = height(&sim, load);
        (0..100).for_each(|_| sim.step(0.05).unwrap());
        assert_close("at rest", &[height(&sim, load)], &[start], 1e-9);
        // The stable step of the central difference method is 2/w.
        sim.settings().set_scheme("rk4").unwrap();
        let stable = sim.outputs().statistic("stable_step").unwrap();
        assert_close("stable step", &[stable], &[8f64.sqrt() / w], 0.01 / w);
        (0..200).for_each(|_| sim.step(0.5 * stable).unwrap());
        assert_close("at rest, rk4", &[height(&sim, load)], &[start], 1e-7);
    }
}

/// Two masses on a rope over an eye. With the stretch at which T = 2 g m1 m2/(m1 + m2) it stays so:
/// the heavy one falls with (m1 - m2)/(m1 + m2) g whatever the stiffness.
#[test]
fn atwoods_machine_accelerates_as_its_masses_say() {
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4"] {
        for ea in [1e4, 1e7] {
            let (m, l, y) = ([7.0, 4.0], 20.0, 8.0);
            let tension = 2.0 * G * m[0] * m[1] / (m[0] + m[1]);
            let mut sim = system(scheme, &[]);
            let a = body(&mut sim, m[0], [0.0, 0.0, -y]);
            let b = body(&mut sim, m[1], [0.0, 0.0, y - l * (1.0 + tension / ea)]);
            let tendon = sim.elements().add_tendon(&[a, GROUND, b], &[[0.0; 3]; 3], ea, 10.0, l).unwrap();
            sim.initialize(0.0).unwrap();
            let acceleration = (m[0] - m[1]) / (m[0] + m[1]) * G;
            let h = if ea > 1e6 && scheme == "rk4" { 5e-4 } else { 0.01 };
            let steps = (1.0 / h) as usize;
            (0..steps).for_each(|_| sim.step(h).unwrap());
            let t = steps as f64 * h;
            let fallen = 0.5 * acceleration * t * t;
            let claim = format!("{scheme} EA {ea:e}");
            // Positions are as good as the convergence test of the iteration.
            assert_close(&claim, &[height(&sim, a)], &[-y - fallen], 1e-6);
            let (_, found) = Tendons::of(&sim).force(tendon).unwrap();
            assert_close(&claim, &[found], &[tension], 1e-8 * ea.max(1e5) + 1e-6 * tension);
        }
    }
}

/// A load under a block of two parts that are apart, and a free eye on it off its centre, which
/// turns.
fn crane(sim: &mut Simulation, ea: f64, l: f64, at: V3, turned: Quat, unit: f64) -> (Id, Id) {
    let place = |x: V3| add(at, rotate(turned, scale(unit, x)));
    let inertia = INERTIA.map(|x| x * 100.0 * unit * unit * 0.1);
    let start = pose(place([0.3, 0.2, -2.0]), turned);
    let load = sim.build().add_rigid_body(100.0, &[0.0; 3], &inertia, &start).unwrap();
    let points =
        [place([-0.5, 0.0, 0.0]), scale(unit, [-0.2, 0.1, 0.3]), scale(unit, [0.3, -0.1, 0.2]), place([0.7, 0.1, 0.3])];
    let tendon = sim.elements().add_tendon(&[GROUND, load, load, GROUND], &points, ea, 0.0, l * unit).unwrap();
    (load, tendon)
}

#[test]
fn what_falls_into_a_slack_tendon_gains_nothing_at_any_step() {
    for (scheme, options) in DISSIPATING {
        for wh in [0.1, 1.0, 3.0, 10.0] {
            for h in [1e-4, 1e-2, 0.1] {
                for damping in [0.0, 0.05] {
                    let case = format!("{scheme} {options:?} w h {wh} h {h} damping {damping}");
                    let mut sim = system(scheme, options);
                    // w^2 = 4 EA/(l m); falls by 0.5 m.
                    let (mass, l, w) = (100.0, 5.0, wh / h);
                    let ea = 0.25 * w * w * mass * l;
                    tackle(&mut sim, 2, mass, -2.0, [ea, damping * mass * w, l]);
                    sim.initialize(0.0).unwrap();
                    let steps = if h < 1e-3 { 6000 } else { 400 };
                    let [largest, _] = gains(&mut sim, h, steps, mass * G * 0.5, &case);
                    assert!(largest < 1e-9, "{case}: {largest:e}");
                }
            }
        }
        for h in [1e-4, 1e-3, 1e-2] {
            let case = format!("{scheme} {options:?} crane h {h}");
            let mut sim = system(scheme, options);
            crane(&mut sim, 1e6, 5.0, [0.0; 3], UNROTATED, 1.0);
            sim.initialize(0.0).unwrap();
            let [largest, _] = gains(&mut sim, h, if h < 1e-3 { 6000 } else { 800 }, 100.0 * G, &case);
            assert!(largest < 1e-9, "{case}: {largest:e}");
        }
    }
    for (scheme, options) in KEEPING {
        let case = format!("{scheme} {options:?}");
        let mut sim = system(scheme, options);
        tackle(&mut sim, 2, 100.0, -2.0, [1e5, 0.0, 5.0]);
        sim.initialize(0.0).unwrap();
        let [largest, last] = gains(&mut sim, 0.01, 800, 100.0 * G * 0.5, &case);
        assert!(largest < 1e-6 && last.abs() < 1e-6, "{case}: {largest:e} {last:e}");
    }
}

/// In steady hoisting the strain is constant, whatever the damper: z = -(1 + e) l/2 with l falling
/// at a constant rate. From rest with a smooth start.
#[test]
fn a_winch_hoists_a_load_at_half_its_rate() {
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        let (mass, ea, l0, v) = (100.0, 1e5, 20.0, 1.0);
        let mut sim = system(scheme, &[]);
        let (load, tendon) = tackle(&mut sim, 2, mass, -10.0, [ea, 2e3, l0]);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-10).unwrap();
        let h = if scheme == "rk4" { 2e-3 } else { 5e-3 };
        // l' = -v (1 - cos(pi t))/2 up to 1 s, then -v.
        let length = |t: f64| {
            let ramp = t.min(1.0);
            let pi = std::f64::consts::PI;
            let gone = 0.5 * v * (ramp - (pi * ramp).sin() / pi) + v * (t - ramp);
            (l0 - gone, if t < 1.0 { -0.5 * v * (1.0 - (pi * t).cos()) } else { -v })
        };
        let steps = (6.0 / h) as usize;
        for n in 1..=steps {
            let (l, rate) = length(n as f64 * h);
            sim.inputs().set_tendon_length(tendon, l, rate).unwrap();
            sim.step(h).unwrap();
        }
        let (l, rate) = Tendons::of(&sim).length(tendon).unwrap();
        assert_eq!((l, rate), length(steps as f64 * h));
        let e = 0.5 * mass * G / ea;
        let claim = format!("{scheme}: place, rate, tension");
        let speed = sim.outputs().body_velocity(load, Frame::Inertial).unwrap()[2];
        let (_, tension) = Tendons::of(&sim).force(tendon).unwrap();
        // Oscillations have decayed by 5 s of their damping, c 4/(2 m) = 40/s.
        assert_close(&claim, &[height(&sim, load), speed], &[-0.5 * (1.0 + e) * l, 0.5 * (1.0 + e) * v], 1e-7);
        assert_close(&claim, &[tension], &[0.5 * mass * G], 1e-3);
    }
}

/// Swings taut, while its winch goes to and fro; where the load is after 1 s.
fn swung(scheme: &str, h: f64) -> Vec<f64> {
    let mut sim = system(scheme, &TIGHT);
    let (load, tendon) = crane(&mut sim, 2e4, 4.0, [0.0; 3], UNROTATED, 1.0);
    sim.initialize(0.0).unwrap();
    for n in 1..=(1.0 / h).round() as usize {
        let t = n as f64 * h;
        let (l, rate) = (4.0 + 0.2 * (3.0 * t).sin().powi(2), 0.6 * (6.0 * t).sin());
        sim.inputs().set_tendon_length(tendon, l, rate).unwrap();
        sim.step(h).unwrap();
    }
    let pose = sim.outputs().body_pose(load).unwrap();
    let velocity = sim.outputs().body_velocity(load, Frame::Inertial).unwrap();
    pose.into_iter().chain(velocity).collect()
}

const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)];

#[test]
fn tendons_with_a_winch_converge_at_second_order() {
    let exact = swung("rk4", 1e-4);
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark"] {
        let error = |h: f64| {
            let found = swung(scheme, h);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let table: Vec<(f64, f64)> = [2e-3, 1e-3, 5e-4].map(|h| (h, error(h))).into();
        assert_order(scheme, &table, 2.0, 0.2);
    }
}

/// Two free bodies that turn about each other, tied twice by one tendon, which is slack now and
/// then.
#[test]
fn momentum_of_bodies_on_a_tendon_is_kept() {
    for (scheme, options) in KEEPING.into_iter().chain(DISSIPATING) {
        let mut sim = system(scheme, options);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let bodies = [body(&mut sim, 3.0, [0.0; 3]), body(&mut sim, 5.0, [2.0, 0.5, 0.0])];
        sim.build().set_body_velocity(bodies[0], &[0.3, -1.0, 0.5, 0.2, 0.4, -0.3]).unwrap();
        let points = [[0.1, 0.2, 0.3], [-0.2, 0.4, 0.1], [0.3, -0.5, 0.2]];
        let [a, b] = bodies;
        sim.elements().add_tendon(&[a, b, a], &points, 3e3, 1.0, 4.2).unwrap();
        sim.initialize(0.0).unwrap();
        let about = [10.0, -3.0, 2.0];
        let start = sim.outputs().momentum(&about).unwrap();
        let (h, mut off) = (2e-3, [0.0f64; 2]);
        for _ in 0..2000 {
            sim.step(h).unwrap();
            let now = sim.outputs().momentum(&about).unwrap();
            let (linear, angular) = halves(std::array::from_fn(|k| now[k] - start[k]));
            off = [off[0].max(norm(linear)), off[1].max(norm(angular))];
        }
        // Rotations are integrated with errors of h^2; momentum-alpha keeps the angular momentum of
        // bodies (docs/schemes.md), up to the test of convergence.
        let angular = if scheme == "momentum-alpha" { 1e-6 } else { 1e-3 };
        assert!(off[0] < 1e-12 && off[1] < angular, "{scheme} {options:?}: {off:?}");
    }
}

/// What `run` finds at a place, turned, in a unit of length is the same everywhere.
pub fn check_elsewhere<const N: usize>(run: impl Fn(V3, Quat, f64) -> [f64; N]) {
    let usual = run([0.0; 3], UNROTATED, 1.0);
    let turned = quat_exp([0.7, -1.1, 0.4]);
    for (claim, at, turned, unit, tolerance) in [
        ("turned", [0.0; 3], turned, 1.0, 1e-6),
        ("far away", [1e6, -2e6, 5e5], UNROTATED, 1.0, 1e-4),
        ("millimetres", [0.0; 3], UNROTATED, 1e3, 1e-6),
        ("kilometres", [0.0; 3], UNROTATED, 1e-3, 1e-6),
    ] {
        assert_close(claim, &run(at, turned, unit), &usual, tolerance);
    }
}

/// Far away, turned with gravity, in millimetres and kilometres: the same motion.
#[test]
fn places_turns_and_units_make_no_difference() {
    let run = |at: V3, turned: Quat, unit: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&rotate(turned, [0.0, 0.0, -G * unit])).unwrap();
        let (load, tendon) = crane(&mut sim, 1e5 * unit, 4.2, at, turned, unit);
        sim.initialize(0.0).unwrap();
        let mut pulls = 0;
        for _ in 0..150 {
            sim.step(0.01).unwrap();
            pulls += usize::from(Tendons::of(&sim).force(tendon).unwrap().1 > 0.0);
        }
        assert!((20..130).contains(&pulls), "taut in {pulls} of 150 steps");
        let found = place(&sim.outputs().body_pose(load).unwrap());
        let (length, tension) = Tendons::of(&sim).force(tendon).unwrap();
        let x = unrotate(turned, scale(1.0 / unit, sub(found, at)));
        [x[0], x[1], x[2], length / unit, tension / unit / 1e4]
    };
    check_elsewhere(run);
}

#[test]
fn runs_restored_into_fresh_objects_and_after_trials_go_on_alike() {
    let build = || {
        let mut sim = system("generalized-alpha", &[]);
        let (load, tendon) = crane(&mut sim, 1e5, 4.2, [0.0; 3], UNROTATED, 1.0);
        sim.initialize(0.0).unwrap();
        (sim, load, tendon)
    };
    let follow = |sim: &mut Simulation, load: Id, tendon: Id| {
        let mut seen = Vec::new();
        for n in 1..=60 {
            let l = 4.2 - 0.01 * f64::from(n);
            sim.inputs().set_tendon_length(tendon, l, -1.0).unwrap();
            sim.step(0.01).unwrap();
            let (length, tension) = Tendons::of(sim).force(tendon).unwrap();
            seen.extend(sim.outputs().body_pose(load).unwrap());
            seen.extend([length, tension]);
        }
        seen
    };
    let (mut sim, load, tendon) = build();
    // In a winch's step that has been made, with another length set for the next one.
    sim.inputs().set_tendon_length(tendon, 4.1, -0.5).unwrap();
    (0..57).for_each(|_| sim.step(0.01).unwrap());
    sim.inputs().set_tendon_length(tendon, 4.0, -0.2).unwrap();
    let bytes = sim.save().unwrap().to_bytes();
    let mut copy = sim.clone();
    let expected = follow(&mut sim, load, tendon);
    let (mut fresh, ..) = build();
    let state = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&state).unwrap();
    assert_eq!(Tendons::of(&fresh).length(tendon), Ok((4.1, -0.5)));
    assert_eq!(Tendons::of(&fresh).length_input(tendon), Ok((4.0, -0.2)));
    assert_eq!(follow(&mut fresh, load, tendon), expected, "from bytes");
    for h in [0.01, 0.02, 0.003] {
        copy.advance(h).unwrap();
        // Belongs to the next try.
        copy.inputs().set_tendon_length(tendon, 4.05, 0.0).unwrap();
        copy.reject().unwrap();
    }
    assert_eq!(follow(&mut copy, load, tendon), expected, "after trials");
}

/// Eyes in one place have no direction between them, and no number is lost.
#[test]
fn eyes_that_meet_exert_no_force_on_each_other() {
    for scheme in ["generalized-alpha", "rk4"] {
        let mut sim = system(scheme, &[]);
        let load = body(&mut sim, 10.0, [0.0, 0.0, -3.0]);
        let zero = [0.0; 3];
        let tendon = sim.elements().add_tendon(&[GROUND, GROUND, load, load], &[zero; 4], 1e4, 5.0, 2.9).unwrap();
        sim.initialize(0.0).unwrap();
        (0..400).for_each(|_| sim.step(5e-3).unwrap());
        let (length, tension) = Tendons::of(&sim).force(tendon).unwrap();
        assert_close(scheme, &[length], &[-height(&sim, load)], 1e-12);
        assert!(tension.is_finite() && length > 2.8, "{scheme}: {tension}");
        // A load in the eye itself, and one that is shot through it.
        let mut sim = system(scheme, &[]);
        sim.settings().set_gravity(&zero).unwrap();
        let ball = body(&mut sim, 10.0, [0.0, 0.0, -0.05]);
        sim.build().set_body_velocity(ball, &[0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
        let tendon = sim.elements().add_tendon(&[GROUND, ball, GROUND], &[zero; 3], 1e2, 0.0, 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        (0..200).for_each(|_| sim.step(0.01).unwrap());
        assert!(Tendons::of(&sim).force(tendon).unwrap().0.is_finite());
    }
}

#[test]
fn winches_refuse_lengths_that_are_too_short() {
    let mut sim = system("generalized-alpha", &[]);
    let (_, tendon) = tackle(&mut sim, 2, 10.0, -2.0, [1e4, 0.0, 4.0]);
    assert!(sim.inputs().set_tendon_length(tendon, 3.0, 0.0).is_err());
    sim.initialize(0.0).unwrap();
    let error = sim.inputs().set_tendon_length(tendon, 0.039, 0.0).unwrap_err().to_string();
    assert!(error.contains("0.039 is less than a hundredth of the 4 that tendon 0"), "{error}");
    // The cubic from 4 with -1000/s to 4 passes below zero.
    sim.inputs().set_tendon_length(tendon, 4.0, 1e4).unwrap();
    let error = sim.step(0.1).unwrap_err().to_string();
    assert!(error.contains("tendon 0") && error.contains("long during the step"), "{error}");
}
