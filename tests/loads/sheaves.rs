//! Tendons over sheaves: tackles, Atwood's machine, a pendulum that wraps, slack and taut, momentum,
//! order, what is refused.

use crate::common::energy::{G, KEEPING, gains, system};
use crate::common::*;
use crate::tendons::check_elsewhere;
use pintle::{Frame, GROUND, Id, JointKind, Simulation, Tendons, set_tendon_sheave};
use std::f64::consts::PI;

const INERTIA: [f64; 6] = [2.0, 3.0, 4.0, 0.1, -0.2, 0.05];

/// The schemes with an energy form that dissipate, and their parameters.
const DISSIPATING: [(&str, &[(&str, f64)]); 4] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
];

fn body(sim: &mut Simulation, mass: f64, x: V3) -> Id {
    let inertia = INERTIA.map(|x| x * mass);
    sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose(x, UNROTATED)).unwrap()
}

fn height(sim: &Simulation, body: Id) -> f64 {
    sim.outputs().body_pose(body).unwrap()[2]
}

/// A load that slides along the vertical at x = 0, with a sheave on it, on a rope from (-left, 0) to
/// (right, 0), and the direction that it runs in: down on the left.
fn tackle(
    sim: &mut Simulation,
    mass: f64,
    z: f64,
    radius: f64,
    [left, right]: [f64; 2],
    [ea, c, l]: [f64; 3],
) -> (Id, Id) {
    let load = body(sim, mass, [0.0, 0.0, z]);
    sim.build().add_joint_at(JointKind::Prismatic, GROUND, load, &[0.0, 0.0, z], Some(&[0.0, 0.0, 1.0])).unwrap();
    let points = [[-left, 0.0, 0.0], [0.0; 3], [right, 0.0, 0.0]];
    let tendon = sim.elements().add_tendon(&[GROUND, load, GROUND], &points, ea, c, l).unwrap();
    set_tendon_sheave(sim, tendon, 1, radius, &[0.0, -2.0, 0.0], PI).unwrap();
    (load, tendon)
}

#[test]
fn a_block_on_parallel_ropes_hangs_on_twice_the_tension() {
    let (mass, ea, r, l) = (50.0, 2e5, 0.3, 20.0);
    let mut sim = system("generalized-alpha", &[]);
    let (load, tendon) = tackle(&mut sim, mass, -9.5, r, [r, r], [ea, 0.0, l]);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-10).unwrap();
    let tension = 0.5 * mass * G;
    // L = l (1 + T/EA) = 2 |z| + pi r.
    let expected = l * (1.0 + tension / ea);
    let (length, found) = Tendons::of(&sim).force(tendon).unwrap();
    assert_close("tension", &[found], &[tension], 1e-7 * tension);
    assert_close("length", &[length, PI * r - 2.0 * height(&sim, load)], &[expected; 2], 1e-9 * expected);
    assert_close("wrap", &[Tendons::of(&sim).wrap(tendon, 1).unwrap()], &[PI], 1e-14);
    assert_eq!(Tendons::of(&sim).wrap(tendon, 0), Ok(0.0));
    let w = 2.0 * (ea / (l * mass)).sqrt();
    let (modes, _) = sim.analysis().modes().unwrap();
    assert_close("frequency", &[modes[0].frequency * std::f64::consts::TAU], &[w], 1e-9 * w);
    let start = height(&sim, load);
    (0..200).for_each(|_| sim.step(0.05).unwrap());
    assert_close("at rest", &[height(&sim, load)], &[start], 1e-9);
    sim.settings().set_scheme("rk4").unwrap();
    let stable = sim.outputs().statistic("stable_step").unwrap();
    assert_close("stable step", &[stable], &[8f64.sqrt() / w], 0.1 / w);
}

/// Two masses on both sides of a sheave on a body that is free to turn: it stays, since the rope
/// slides.
#[test]
fn atwoods_machine_over_a_sheave() {
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4"] {
        let (m, l, y, r, ea) = ([7.0, 4.0], 20.0, 8.0, 0.5, 1e5);
        let tension = 2.0 * G * m[0] * m[1] / (m[0] + m[1]);
        let mut sim = system(scheme, &[]);
        let wheel = body(&mut sim, 3.0, [0.0; 3]);
        let hinge =
            sim.build().add_joint_at(JointKind::Revolute, GROUND, wheel, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
        let a = body(&mut sim, m[0], [-r, 0.0, -y]);
        let b = body(&mut sim, m[1], [r, 0.0, y + PI * r - l * (1.0 + tension / ea)]);
        let tendon = sim.elements().add_tendon(&[a, wheel, b], &[[0.0; 3]; 3], ea, 10.0, l).unwrap();
        // Up on the left, over the top to the right: about +y.
        set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
        sim.initialize(0.0).unwrap();
        let (h, steps) = if scheme == "rk4" { (2e-3, 500) } else { (0.01, 100) };
        (0..steps).for_each(|_| sim.step(h).unwrap());
        let fallen = 0.5 * (m[0] - m[1]) / (m[0] + m[1]) * G;
        assert_close(scheme, &[height(&sim, a)], &[-y - fallen], 1e-6);
        let (_, found) = Tendons::of(&sim).force(tendon).unwrap();
        assert_close(scheme, &[found], &[tension], 0.01 + 1e-6 * tension);
        assert_close(scheme, &sim.outputs().joint_coordinate(hinge).unwrap(), &[0.0; 3], 1e-9);
    }
}

#[test]
fn what_falls_into_a_slack_rope_over_a_sheave_gains_nothing_at_any_step() {
    for (scheme, options) in DISSIPATING {
        for wh in [0.1, 1.0, 3.0, 10.0] {
            for h in [1e-4, 1e-2, 0.1] {
                for damping in [0.0, 0.05] {
                    let case = format!("{scheme} {options:?} w h {wh} h {h} damping {damping}");
                    let mut sim = system(scheme, options);
                    // w^2 = 4 EA/(l m) for parallel ropes; falls by about 0.5 m.
                    let (mass, l, w) = (100.0, 5.6, wh / h);
                    let ea = 0.25 * w * w * mass * l;
                    tackle(&mut sim, mass, -2.0, 0.2, [0.5, 0.7], [ea, damping * mass * w, l]);
                    sim.initialize(0.0).unwrap();
                    let steps = if h < 1e-3 { 6000 } else { 400 };
                    let [largest, _] = gains(&mut sim, h, steps, mass * G * 0.5, &case);
                    assert!(largest < 1e-9, "{case}: {largest:e}");
                }
            }
        }
    }
    for (scheme, options) in KEEPING {
        let case = format!("{scheme} {options:?}");
        let mut sim = system(scheme, options);
        tackle(&mut sim, 100.0, -2.0, 0.2, [0.5, 0.7], [1e5, 0.0, 5.6]);
        sim.initialize(0.0).unwrap();
        let [largest, last] = gains(&mut sim, 0.01, 800, 100.0 * G * 0.5, &case);
        assert!(largest < 1e-6 && last.abs() < 1e-6, "{case}: {largest:e} {last:e}");
    }
}

/// A block with two sheaves on a rope from two places above, which swings and turns.
fn block(sim: &mut Simulation, ea: f64, l: f64, at: V3, turned: Quat, unit: f64) -> (Id, Id) {
    let place = |x: V3| add(at, rotate(turned, scale(unit, x)));
    let inertia = INERTIA.map(|x| x * 100.0 * unit * unit * 0.1);
    let start = pose(place([0.3, 0.2, -2.0]), turned);
    let load = sim.build().add_rigid_body(100.0, &[0.0; 3], &inertia, &start).unwrap();
    let points =
        [place([-0.5, 0.0, 0.0]), scale(unit, [-0.2, 0.1, 0.3]), scale(unit, [0.3, -0.1, 0.2]), place([0.7, 0.1, 0.3])];
    let tendon = sim.elements().add_tendon(&[GROUND, load, load, GROUND], &points, ea, 0.0, l * unit).unwrap();
    for (point, axis) in [(1, [0.1, -1.0, 0.0]), (2, [-0.1, -1.0, 0.1])] {
        set_tendon_sheave(sim, tendon, point, 0.06 * unit, &axis, 0.5 * PI).unwrap();
    }
    (load, tendon)
}

const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)];

/// Swings taut, while its winch goes to and fro; where the load is after 1 s.
fn swung(scheme: &str, h: f64) -> Vec<f64> {
    let mut sim = system(scheme, &TIGHT);
    let (load, tendon) = block(&mut sim, 2e4, 4.0, [0.0; 3], UNROTATED, 1.0);
    sim.initialize(0.0).unwrap();
    for n in 1..=(1.0 / h).round() as usize {
        let t = n as f64 * h;
        sim.inputs().set_tendon_length(tendon, 4.0 + 0.2 * (3.0 * t).sin().powi(2), 0.6 * (6.0 * t).sin()).unwrap();
        sim.step(h).unwrap();
    }
    let pose = sim.outputs().body_pose(load).unwrap();
    let velocity = sim.outputs().body_velocity(load, Frame::Inertial).unwrap();
    pose.into_iter().chain(velocity).collect()
}

#[test]
fn tendons_over_sheaves_converge_at_second_order() {
    let exact = swung("rk4", 2e-4);
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark"] {
        let error = |h: f64| {
            let found = swung(scheme, h);
            found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
        };
        let table: Vec<(f64, f64)> = [4e-3, 2e-3, 1e-3].map(|h| (h, error(h))).into();
        assert_order(scheme, &table, 2.0, 0.2);
    }
}

/// Energy of a block that swings and turns.
#[test]
fn energy_of_a_swinging_block_is_kept() {
    for (scheme, options) in KEEPING {
        let case = format!("{scheme} {options:?}");
        let mut sim = system(scheme, options);
        let (_, tendon) = block(&mut sim, 2e4, 4.0, [0.0; 3], UNROTATED, 1.0);
        sim.initialize(0.0).unwrap();
        let [largest, last] = gains(&mut sim, 5e-3, 200, 100.0 * G, &case);
        assert!(Tendons::of(&sim).force(tendon).is_ok());
        // Rotations about changing axes are of second order.
        assert!(largest < 1e-4 && last.abs() < 1e-4, "{case}: {largest:e} {last:e}");
    }
}

/// Two bodies without supports that pull at each other over a sheave on one of them.
#[test]
fn momentum_of_bodies_on_a_tendon_over_a_sheave_is_kept() {
    for (scheme, options) in KEEPING.into_iter().chain(DISSIPATING) {
        let mut sim = system(scheme, options);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let bodies = [body(&mut sim, 3.0, [0.0; 3]), body(&mut sim, 5.0, [2.0, 0.5, 0.0])];
        sim.build().set_body_velocity(bodies[0], &[0.1, -0.2, 0.1, 0.05, 0.1, -0.1]).unwrap();
        let points = [[0.1, 0.6, 0.3], [-0.2, 0.4, 0.1], [0.3, -0.5, 0.2]];
        let [a, b] = bodies;
        let tendon = sim.elements().add_tendon(&[a, b, a], &points, 100.0, 0.1, 3.8).unwrap();
        // To the right, and back below.
        set_tendon_sheave(&mut sim, tendon, 1, 0.1, &[0.1, 0.1, -1.0], PI).unwrap();
        sim.initialize(0.0).unwrap();
        let about = [10.0, -3.0, 2.0];
        let start = sim.outputs().momentum(&about).unwrap();
        let (mut off, mut pulls) = ([0.0f64; 2], 0);
        for _ in 0..200 {
            sim.step(2e-3).unwrap();
            pulls += usize::from(Tendons::of(&sim).force(tendon).unwrap().1 > 0.0);
            let now = sim.outputs().momentum(&about).unwrap();
            let (linear, angular) = halves(std::array::from_fn(|k| now[k] - start[k]));
            off = [off[0].max(norm(linear)), off[1].max(norm(angular))];
        }
        assert!(pulls > 50 && off[0] < 1e-12 && off[1] < 1e-3, "{scheme} {options:?}: {off:?} {pulls}");
    }
}

#[test]
fn places_turns_and_units_make_no_difference_to_sheaves() {
    let run = |at: V3, turned: Quat, unit: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&rotate(turned, [0.0, 0.0, -G * unit])).unwrap();
        let (load, tendon) = block(&mut sim, 2e4 * unit, 4.0, at, turned, unit);
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let found = place(&sim.outputs().body_pose(load).unwrap());
        let (length, tension) = Tendons::of(&sim).force(tendon).unwrap();
        let wraps = [1, 2].map(|point| Tendons::of(&sim).wrap(tendon, point).unwrap());
        let x = unrotate(turned, scale(1.0 / unit, sub(found, at)));
        [x[0], x[1], x[2], length / unit, tension / unit / 1e4, wraps[0], wraps[1]]
    };
    check_elsewhere(run);
}

#[test]
fn runs_over_sheaves_go_on_alike_after_restoring_and_trials() {
    let build = || {
        let mut sim = system("generalized-alpha", &[]);
        let (load, tendon) = block(&mut sim, 2e4, 4.0, [0.0; 3], UNROTATED, 1.0);
        sim.initialize(0.0).unwrap();
        (sim, load, tendon)
    };
    let follow = |sim: &mut Simulation, load: Id, tendon: Id| {
        let mut seen = Vec::new();
        for _ in 0..30 {
            sim.step(0.01).unwrap();
            seen.extend(sim.outputs().body_pose(load).unwrap());
            seen.push(Tendons::of(sim).wrap(tendon, 2).unwrap());
        }
        seen
    };
    let (mut sim, load, tendon) = build();
    (0..37).for_each(|_| sim.step(0.01).unwrap());
    let bytes = sim.save().unwrap().to_bytes();
    let mut copy = sim.clone();
    let expected = follow(&mut sim, load, tendon);
    let (mut fresh, ..) = build();
    let state = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&state).unwrap();
    assert_eq!(follow(&mut fresh, load, tendon), expected, "from bytes");
    for h in [0.01, 0.02, 0.003] {
        copy.advance(h).unwrap();
        copy.reject().unwrap();
    }
    assert_eq!(follow(&mut copy, load, tendon), expected, "after trials");
}

#[test]
fn ropes_without_a_path_are_refused() {
    let error = |radius: f64, wrap: f64| {
        let mut sim = system("generalized-alpha", &[]);
        let (_, tendon) = tackle(&mut sim, 10.0, -2.0, 0.2, [0.5, 0.7], [1e4, 0.0, 4.6]);
        set_tendon_sheave(&mut sim, tendon, 1, radius, &[0.0, -1.0, 0.0], wrap).unwrap();
        sim.initialize(0.0).unwrap_err().to_string()
    };
    let told = error(2.5, PI);
    assert!(told.contains("tendon 0: the rope has no tangent to the sheave at point 1"), "{told}");
    let told = error(0.2, 0.0);
    assert!(told.contains("at point 1 differs by more than 2.6") && told.contains("from the one described"), "{told}");
    // A load that is pulled up between its ropes: the rope's end comes within the radius.
    let mut sim = system("generalized-alpha", &[]);
    sim.settings().set_gravity(&[0.0, 0.0, 50.0]).unwrap();
    let (load, _) = tackle(&mut sim, 10.0, -2.0, 0.6, [0.5, 0.5], [1e4, 0.0, 8.0]);
    sim.initialize(0.0).unwrap();
    let told = (0..100).find_map(|_| sim.step(0.01).err()).unwrap().to_string();
    assert!(told.contains("tendon 0: the rope has no tangent to the sheave at point 1"), "{told}");
    assert!((-0.6..-0.2).contains(&height(&sim, load)), "{}", height(&sim, load));
}
