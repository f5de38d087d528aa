//! Springs with tables of forces over coordinates of joints; backlash among them.

use crate::common::energy::{KEEPING, energy, gains};
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, JointMachines, Simulation};

const X: V3 = [1.0, 0.0, 0.0];

const DISSIPATING: [(&str, &[(&str, f64)]); 7] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("generalized-alpha", &[("rho_inf", 0.3)]),
    ("generalized-alpha", &[]),
    ("generalized-alpha", &[("rho_inf", 0.95)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
];

/// The coordinates along and about x: of PRISMATIC, of REVOLUTE, and the slide of CYLINDRICAL.
const PLACES: [(JointKind, bool); 3] =
    [(JointKind::Prismatic, false), (JointKind::Revolute, false), (JointKind::Cylindrical, true)];

fn system(scheme: &str, options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    sim
}

/// A body of mass and inertia `m` on a joint along or about x with another one or the ground.
fn on_joint(sim: &mut Simulation, kind: JointKind, other: Id, m: f64, at: V3) -> (Id, Id) {
    let inertia = [m, m, m, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(m, &[0.0; 3], &inertia, &pose(at, UNROTATED)).unwrap();
    (body, sim.build().add_joint_at(kind, other, body, &at, Some(&X)).unwrap())
}

/// A gap of b to both sides, then the stiffness k: rounded over a thousandth of the gap.
fn backlash(b: f64, k: f64) -> [[f64; 2]; 6] {
    let e = 1e-3 * b;
    [[-b - 2.0 * e, -2.0 * k * e], [-b - e, -k * e], [-b, 0.0], [b, 0.0], [b + e, k * e], [b + 2.0 * e, 2.0 * k * e]]
}

fn set(sim: &mut Simulation, joint: Id, slide: bool, points: &[[f64; 2]]) {
    for [q, force] in points {
        sim.build().add_joint_spring_point((joint, slide), *q, *force).unwrap();
    }
}

fn coordinate(sim: &Simulation, joint: Id, slide: bool) -> [f64; 2] {
    let [q, rate, _] = match slide {
        true => sim.outputs().joint_slide(joint).unwrap(),
        false => sim.outputs().joint_coordinate(joint).unwrap(),
    };
    [q, rate]
}

/// Along or about x at a rate.
fn velocity(kind: JointKind, rate: f64) -> [f64; 6] {
    match kind {
        JointKind::Revolute => join([0.0; 3], scale(rate, X)),
        _ => join(scale(rate, X), [0.0; 3]),
    }
}

/// Bodies one behind the other, each with backlash of 0.1 on its joint with the last one. The last
/// one moves at a rate of 1. With a spin all move together besides, and the first joint is free.
fn chain(sim: &mut Simulation, place: (JointKind, bool), n: usize, k: f64, spin: f64, at: V3) -> Vec<Id> {
    chain_with(sim, place, n, (0.1, k), spin, at)
}

fn chain_with(
    sim: &mut Simulation,
    (kind, slide): (JointKind, bool),
    n: usize,
    (b, k): (f64, f64),
    spin: f64,
    at: V3,
) -> Vec<Id> {
    let (mut last, mut joints) = (GROUND, Vec::new());
    for index in 0..n {
        let place = add(at, scale(index as f64, X));
        let (body, joint) = on_joint(sim, kind, last, 1.0 + index as f64, place);
        if index > 0 || spin == 0.0 {
            set(sim, joint, slide, &backlash(b, k));
        }
        let rate = spin + if index + 1 == n { 1.0 } else { 0.0 };
        sim.build().set_body_velocity(body, &velocity(kind, rate)).unwrap();
        (last, joints) = (body, [joints, vec![joint]].concat());
    }
    joints
}

#[test]
fn backlash_gains_nothing_at_any_step() {
    let mut worst = 0.0f64;
    for (scheme, options) in DISSIPATING {
        for place in PLACES {
            // On the ground, between two bodies that move together as well, in a chain of three.
            for (n, spin) in [(1, 0.0), (2, 3.0), (3, 0.0)] {
                for wh in [0.1, 1.0, 5.0, 50.0] {
                    for h in [1e-4f64, 0.1] {
                        let case = format!("{scheme} {options:?} {place:?} {n} w h {wh} h {h}");
                        let mut sim = system(scheme, options);
                        // A gap that is crossed in one to ten steps.
                        let (b, k) = ((10.0 * h).min(0.1), (wh / h) * (wh / h));
                        chain_with(&mut sim, place, n, (b, k), spin, [0.0; 3]);
                        sim.initialize(0.0).unwrap();
                        let [largest, _] = gains(&mut sim, h, 100, 0.5 * n as f64, &case);
                        assert!(largest < 1e-9, "{case}: {largest:e}");
                        worst = worst.max(largest);
                    }
                }
            }
        }
    }
    println!("largest gain {worst:e}");
}

#[test]
fn nothing_is_gained_or_lost_without_dissipation() {
    let mut worst = 0.0f64;
    for (scheme, options) in KEEPING {
        for place in PLACES {
            for (n, spin) in [(1, 0.0), (2, 3.0), (3, 0.0)] {
                for (wh, h) in [(0.3, 0.01), (1.0, 0.1), (10.0, 0.01), (1.0, 1e-3)] {
                    let case = format!("{scheme} {options:?} {place:?} {n} w h {wh} h {h}");
                    let mut sim = system(scheme, options);
                    // Iterations end at 1e-6 of the increments by default, whose error the spring
                    // turns into energy.
                    for (key, tight) in [("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)] {
                        sim.settings().set_option(key, tight).unwrap();
                    }
                    chain(&mut sim, place, n, (wh / h) * (wh / h), spin, [0.0; 3]);
                    sim.initialize(0.0).unwrap();
                    let [largest, last] = gains(&mut sim, h, 300, 0.5 * n as f64, &case);
                    assert!(largest < 1e-9 && last.abs() < 1e-9, "{case}: {largest:e} {last:e}");
                    worst = worst.max(largest).max(last.abs());
                }
            }
        }
    }
    println!("largest change {worst:e}");
}

/// What the form is for: forces at the ends of steps make energy of backlash.
#[test]
fn without_the_form_backlash_gains_energy() {
    for place in PLACES {
        let mut sim = system("generalized-alpha", &[("energy_form", 0.0)]);
        chain(&mut sim, place, 1, 1e6, 0.0, [0.0; 3]);
        sim.initialize(0.0).unwrap();
        let [largest, _] = gains(&mut sim, 0.01, 300, 0.5, "without");
        assert!(largest > 1.0, "{place:?}: {largest}");
    }
}

/// A table that bends smoothly, t = 20 q + 30 q^3 at 201 points.
fn hardening() -> Vec<[f64; 2]> {
    (-100..=100).map(|k| f64::from(k) * 0.02).map(|q| [q, 20.0 * q + 30.0 * q * q * q]).collect()
}

#[test]
fn forms_are_of_second_order_on_smooth_tables() {
    for (kind, slide) in PLACES {
        let run = |scheme: &str, options: &[(&str, f64)], h: f64, ratio: f64| {
            let mut sim = system(scheme, options);
            let (body, joint) = on_joint(&mut sim, kind, GROUND, 2.0, [0.0; 3]);
            set(&mut sim, joint, slide, &hardening());
            sim.build().set_body_velocity(body, &velocity(kind, 2.0)).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..(0.5 / h).round() as usize {
                sim.step(2.0 * h * ratio / (1.0 + ratio)).unwrap();
                sim.step(2.0 * h / (1.0 + ratio)).unwrap();
            }
            coordinate(&sim, joint, slide)
        };
        // Of fourth order: below 1e-11.
        let exact = run("rk4", &[], 5e-4, 1.0);
        for (scheme, options) in DISSIPATING.into_iter().chain(KEEPING) {
            // Newmark with gamma above 1/2 is of first order.
            if options.first().is_some_and(|(key, _)| *key == "newmark_gamma") {
                continue;
            }
            for ratio in [1.0, 3.0] {
                let errors = [0.01, 0.005, 0.0025].map(|h| (h, run(scheme, options, h, ratio)));
                for (k, what) in ["coordinate", "rate"].iter().enumerate() {
                    let table = errors.map(|(h, found)| (h, (found[k] - exact[k]).abs()));
                    assert_order(&format!("{scheme} {options:?} {kind:?} {ratio} {what}"), &table, 2.0, 0.3);
                }
            }
        }
    }
}

/// Inside a straight piece the form is the linear spring, for every scheme; it starts in balance,
/// since a start damps forces out of balance of kinks in another way.
#[test]
fn inside_a_straight_piece_a_table_is_the_linear_spring() {
    for (scheme, options) in DISSIPATING.into_iter().chain(KEEPING).chain([("rk4", &[][..]), ("ab3", &[])]) {
        for (kind, slide) in PLACES {
            let run = |is_table: bool| {
                let mut sim = system(scheme, options);
                if scheme != "rk4" && scheme != "ab3" {
                    for (key, tight) in [("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)] {
                        sim.settings().set_option(key, tight).unwrap();
                    }
                }
                let (body, joint) = on_joint(&mut sim, kind, GROUND, 2.0, [0.0; 3]);
                match (is_table, slide) {
                    (true, _) => {
                        let straight = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|q| [q, 18.0 * q]);
                        set(&mut sim, joint, slide, &[&[[-2.0, -90.0]], &straight[..], &[[2.0, 90.0]]].concat());
                    }
                    (false, true) => sim.build().set_joint_slide_spring(joint, 18.0, 0.0, 0.0).unwrap(),
                    (false, false) => sim.build().set_joint_spring(joint, 18.0, 0.0, 0.0).unwrap(),
                }
                sim.build().set_body_velocity(body, &velocity(kind, 1.2)).unwrap();
                sim.initialize(0.0).unwrap();
                let mut seen = Vec::new();
                for n in 0..150 {
                    sim.step(if n > 100 && n % 2 == 0 { 0.02 } else { 0.03 }).unwrap();
                    seen.extend(coordinate(&sim, joint, slide));
                    seen.push(JointMachines::of(&sim).spring_force(joint, slide).unwrap());
                    seen.push(energy(&sim));
                }
                seen
            };
            // It swings to 0.4, within -0.5 to 0.5, where slopes are rounded by some units.
            assert_close(&format!("{scheme} {options:?} {kind:?}"), &run(true), &run(false), 1e-12);
        }
    }
}

#[test]
fn a_load_has_its_place_its_frequency_and_its_energy() {
    for (kind, slide) in PLACES {
        // A point of the table: exactly 20 q + 30 q^3.
        let (q, mass) = (0.8f64, 2.0);
        let force = 20.0 * q + 30.0 * q * q * q;
        let mut sim = system("generalized-alpha", &[]);
        let (_, joint) = on_joint(&mut sim, kind, GROUND, mass, [0.0; 3]);
        set(&mut sim, joint, slide, &hardening());
        match slide {
            true => sim.inputs().set_joint_slide_load(joint, force).unwrap(),
            false => sim.inputs().set_joint_load(joint, force).unwrap(),
        }
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-12).unwrap();
        let [found, _] = coordinate(&sim, joint, slide);
        assert!((found - q).abs() < 1e-11, "{kind:?}: {found}");
        let own = JointMachines::of(&sim).spring_force(joint, slide).unwrap();
        assert!((own + force).abs() < 1e-9, "{kind:?}: {own} for {force}");
        // The integral of cubics through points 0.02 apart: 30 q^3 is met by a cubic but for its
        // slopes at the points, which parabolas give to 30 * 0.02^2.
        let (_, potential) = sim.outputs().energy().unwrap();
        let expected = 10.0 * q * q + 7.5 * q.powi(4);
        assert!((potential - expected).abs() < 1e-4, "{kind:?}: {potential} for {expected}");
        let slope = 20.0 + 90.0 * q * q;
        let (modes, _) = sim.analysis().modes().unwrap();
        let expected = (slope / mass).sqrt() / std::f64::consts::TAU;
        let found = modes.iter().map(|mode| mode.frequency).fold(0.0, f64::max);
        // The slope is that of parabolas: 30 * 0.02^2 = 0.012 of 77.6 too large.
        assert!((found - expected).abs() < 2e-4 * expected, "{kind:?}: {found} for {expected}");
        // It stays where it is.
        (0..100).for_each(|_| sim.step(0.05).unwrap());
        assert!((coordinate(&sim, joint, slide)[0] - q).abs() < 1e-11);
    }
}

/// A motor turns a pinion, which turns a wheel through a gear; a load sits on the wheel's shaft
/// with backlash 2 b: it waits until the wheel has turned by b, is hit, leaves with twice the
/// wheel's rate after half a period, crosses the gap in 2 b/W, and comes to rest again: T = 2
/// (pi/w + 2 b/W).
#[test]
fn a_gear_with_backlash_rattles_with_its_closed_form() {
    let (rate, b, k, inertia, ratio) = (0.7, 0.05, 4e3, 2.5f64, -0.4);
    let w = (k / inertia).sqrt();
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let mut sim = system(scheme, &[]);
        let (_, motor) = on_joint(&mut sim, JointKind::Revolute, GROUND, 0.3, [0.0, 1.0, 0.0]);
        let (wheel, bearing) = on_joint(&mut sim, JointKind::Revolute, GROUND, 1.0, [0.0; 3]);
        let (load, joint) = on_joint(&mut sim, JointKind::Revolute, wheel, inertia, [1.0, 0.0, 0.0]);
        set(&mut sim, joint, false, &backlash(b, k));
        sim.elements().add_gear(motor, bearing, ratio).unwrap();
        sim.build().set_joint_driven(motor, true).unwrap();
        sim.build().set_body_velocity(wheel, &velocity(JointKind::Revolute, rate)).unwrap();
        sim.build().set_body_velocity(wheel - 1, &velocity(JointKind::Revolute, rate / ratio)).unwrap();
        sim.inputs().set_joint_motion(motor, 0.0, rate / ratio, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        let (h, half) = (5e-4, std::f64::consts::PI / w + 2.0 * b / rate);
        let steps = ((2.0 * half + b / rate) / h) as usize;
        for n in 1..=steps {
            let t = h * n as f64;
            sim.inputs().set_joint_motion(motor, rate / ratio * t, rate / ratio, 0.0).unwrap();
            sim.step(h).unwrap_or_else(|e| panic!("{scheme}, step {n}: {e}"));
            let turned = sim.outputs().body_velocity(load, Frame::Inertial).unwrap()[3];
            let since = t - b / rate;
            // Contact lasts pi/w, the flights 2 b/W; the load is slow, is hit, is fast, is hit.
            let expected = match since {
                since if since < 0.0 => 0.0,
                since if since < std::f64::consts::PI / w => rate * (1.0 - (w * since).cos()),
                since if since < half => 2.0 * rate,
                since if since < half + std::f64::consts::PI / w => rate * (1.0 + (w * (since - half)).cos()),
                _ => 0.0,
            };
            // Order 2 with w h = 0.02, and the dissipation of rho_inf 0.8 over half a period; the
            // corner of 5e-5 rad is passed in 7e-5 s, by which hits begin later.
            assert!((turned - expected).abs() < 8e-3 * rate, "{scheme} at {t}: {turned} for {expected}");
            // A load that waits does not move.
            assert!(since > 0.0 || turned.abs() < 1e-15, "{scheme} at {t}: {turned}");
        }
    }
}

/// Two bodies that tumble on a hinge, and a slider on a turning arm: what the joints' own
/// constraints leave of the energy is no more with backlash than without.
#[test]
fn tumbling_bodies_with_backlash_gain_no_more_than_without() {
    for (kind, slide) in PLACES {
        for (scheme, options) in DISSIPATING {
            let run = |k: f64| {
                let mut sim = system(scheme, options);
                let at = pose([0.0; 3], UNROTATED);
                let first = sim.build().add_rigid_body(2.0, &[0.0; 3], &[1.0, 2.0, 2.5, 0.0, 0.0, 0.0], &at).unwrap();
                let (second, joint) = on_joint(&mut sim, kind, first, 1.0, [0.5, 0.2, 0.0]);
                set(&mut sim, joint, slide, &backlash(0.05, k));
                sim.build().set_body_velocity(first, &[0.0, 0.0, 0.0, 0.3, 0.5, 1.0]).unwrap();
                sim.build().set_body_velocity(second, &add_rates(velocity(kind, 1.0))).unwrap();
                sim.initialize(0.0).unwrap();
                let put_in = energy(&sim);
                gains(&mut sim, 0.01, 500, put_in, &format!("{scheme} {options:?} {kind:?} {k}"))
            };
            let ([without, _], [with, _]) = (run(0.0), run(1e4));
            println!("{scheme} {options:?} {kind:?}: {without:e} without, {with:e} with");
            assert!(with < without.max(1e-9) + 1e-3, "{scheme} {options:?} {kind:?}: {with:e}, {without:e}");
        }
    }
}

/// The velocity at (0.5, 0.2, 0) of what turns by (0.3, 0.5, 1) about the origin, and another one.
fn add_rates(own: [f64; 6]) -> [f64; 6] {
    let with = [-0.2, 0.5, -0.19, 0.3, 0.5, 1.0];
    std::array::from_fn(|k| own[k] + with[k])
}

#[test]
fn restored_cloned_and_rejected_runs_go_on_alike_in_the_middle_of_a_hit() {
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4"] {
        for place in PLACES {
            let begin = || {
                let mut sim = system(scheme, &[]);
                let joints = chain(&mut sim, place, 3, 900.0, 0.0, [0.0; 3]);
                sim.initialize(0.0).unwrap();
                (sim, joints)
            };
            let follow = |sim: &mut Simulation, joints: &[Id]| {
                let mut seen = Vec::new();
                for n in 0..40 {
                    sim.step(if n % 3 == 2 { 0.005 } else { 0.01 }).unwrap();
                    seen.extend(joints.iter().flat_map(|joint| coordinate(sim, *joint, place.1)));
                    seen.push(energy(sim));
                }
                seen
            };
            let (mut sim, joints) = begin();
            // The gap takes 10 steps, and a hit of w = 30/s/sqrt(3) 18.
            (0..14).for_each(|_| sim.step(0.01).unwrap());
            let force = JointMachines::of(&sim).spring_force(joints[2], place.1).unwrap();
            assert!(force < -1.0, "{scheme} {place:?}: no hit, {force}");
            let bytes = sim.save().unwrap().to_bytes();
            let mut copy = sim.clone();
            let expected = follow(&mut sim, &joints);
            let (mut fresh, _) = begin();
            let state = fresh.deserialize(&bytes).unwrap();
            fresh.restore(&state).unwrap();
            assert_eq!(follow(&mut fresh, &joints), expected, "{scheme} {place:?}: from bytes");
            for h in [0.01, 0.02, 0.003] {
                copy.advance(h).unwrap();
                copy.reject().unwrap();
            }
            assert_eq!(follow(&mut copy, &joints), expected, "{scheme} {place:?}: cloned, and after trials");
        }
    }
}

#[test]
fn far_from_the_origin_and_at_rest() {
    for place in PLACES {
        let run = |at: V3| {
            let mut sim = system("generalized-alpha", &[]);
            let joints = chain(&mut sim, place, 2, 900.0, 0.0, at);
            sim.initialize(0.0).unwrap();
            let mut seen = Vec::new();
            for _ in 0..60 {
                sim.step(0.01).unwrap();
                seen.extend(joints.iter().flat_map(|joint| coordinate(&sim, *joint, place.1)));
            }
            seen
        };
        // Positions are measured from the model's origin: the model is the same but for rounding of
        // where bodies are, 1e-10.
        assert_close(&format!("{place:?}"), &run([1e6, -1e6, 1e6]), &run([0.0; 3]), 1e-7);
        let mut sim = system("generalized-alpha", &[]);
        let (_, joint) = on_joint(&mut sim, place.0, GROUND, 1.0, [0.0; 3]);
        set(&mut sim, joint, place.1, &backlash(0.1, 1e8));
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.1).unwrap());
        assert_eq!(coordinate(&sim, joint, place.1), [0.0; 2], "{place:?}");
    }
}

/// Explicit schemes take the law, and know its steepest slope.
#[test]
fn explicit_schemes_resolve_the_steepest_slope() {
    for place in PLACES {
        let mut sim = system("rk4", &[]);
        let (k, mass) = (400.0, 1.0f64);
        chain(&mut sim, place, 1, k, 0.0, [0.0; 3]);
        sim.initialize(0.0).unwrap();
        // Cubics with slopes 0 and k have k at most: 3/2 of the secant between slopes 0 and 0, k
        // between 0 and k with secant k: 4 k/3 in between. The limit of rk4 is 2.83.
        let stable = sim.outputs().statistic("stable_step").unwrap();
        let w = (4.0 / 3.0 * k / mass).sqrt();
        assert!((stable - 2.828 / w).abs() < 0.02 / w, "{place:?}: {stable} for {}", 2.828 / w);
        let [largest, last] = gains(&mut sim, 1e-3, 2000, 0.5, "rk4");
        // The corners, which are passed in a tenth of a step, are not resolved: they lose or give
        // h^2 k v^2 of each hit.
        assert!(largest < 1e-3 && last.abs() < 1e-3, "{place:?}: {largest:e} {last:e}");
    }
}

#[test]
fn points_come_back_in_order_and_a_single_one_is_a_constant_force() {
    let mut sim = system("generalized-alpha", &[]);
    let (_, joint) = on_joint(&mut sim, JointKind::Cylindrical, GROUND, 2.0, [0.0; 3]);
    set(&mut sim, joint, true, &[[1.0, 2.0], [-1.0, -3.0], [0.5, 2.0]]);
    assert_eq!(JointMachines::of(&sim).spring(joint, true).unwrap(), [[-1.0, -3.0], [0.5, 2.0], [1.0, 2.0]]);
    assert!(JointMachines::of(&sim).spring(joint, false).unwrap().is_empty());
    for (q, force, part) in [
        (0.7, 2.1, "force: 2.1 at coordinate 0.7 is not in 2 to 2: forces must not fall with the coordinate"),
        (-2.0, -2.9, "is not in -inf to -3"),
        (0.5, 2.0, "coordinate: 0.5 has a force"),
        (f64::NAN, 2.0, "coordinate"),
        (3.0, f64::INFINITY, "force"),
        (0.5f64.next_down(), 1e300, "is not in -3 to 2"),
        (1.0f64.next_up(), f64::MAX, "force: the slope at 1.7976931348623157e+308 is too large for a double"),
    ] {
        let text = sim.build().add_joint_spring_point((joint, true), q, force).unwrap_err().to_string();
        assert!(text.contains(part), "{text}");
        assert_eq!(JointMachines::of(&sim).spring(joint, true).unwrap().len(), 3, "{part}");
    }
    let mut sim = system("generalized-alpha", &[]);
    let (_, joint) = on_joint(&mut sim, JointKind::Prismatic, GROUND, 2.0, [0.0; 3]);
    set(&mut sim, joint, false, &[[0.3, -4.0]]);
    sim.initialize(0.0).unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    // 4 N on 2 kg for 1 s; constant accelerations are exact.
    assert_close("constant force", &coordinate(&sim, joint, false), &[1.0, 2.0], 1e-12);
}
