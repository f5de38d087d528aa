//! Stiffness that jumps within a step: ropes that tighten, floors, at any step. No energy comes out
//! of it, and what the scheme carries of such elements belongs to the state.

use crate::common::energy::{G, KEEPING, energy, gains, system};
use crate::common::*;
use pintle::{GROUND, Id, JointKind, Simulation};

/// The schemes with such a form, and their parameters.
const DISSIPATING: [(&str, &[(&str, f64)]); 6] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("generalized-alpha", &[("rho_inf", 0.3)]),
    ("generalized-alpha", &[("rho_inf", 0.95)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
    ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
];
/// A weight that falls by half a metre onto a rope with w h and a damping ratio given, beside the
/// hook by `aside`.
fn weight(sim: &mut Simulation, h: f64, wh: f64, zeta: f64, aside: f64, at: V3) -> Id {
    let (mass, w) = (100.0, wh / h);
    let hook = sim.build().add_point(0.0, 0.0, &at).unwrap();
    sim.build().fix_point(hook).unwrap();
    let weight = sim.build().add_point(mass, 0.0, &add(at, [aside, 0.0, -0.5])).unwrap();
    sim.elements().add_point_spring(hook, weight, mass * w * w, 2.0 * zeta * mass * w, 1.0, true).unwrap();
    weight
}

/// A ball that falls by a metre onto a floor of stiffness `k`, a table that pushes below 1 m.
fn ball(sim: &mut Simulation, k: f64) -> Id {
    let ball = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([0.0, 0.0, 2.0], UNROTATED))
        .unwrap();
    let floor = sim.elements().add_spring(GROUND, &[0.0; 3], ball, &[0.0; 3], 0.0, 0.0, 1.0, false).unwrap();
    sim.elements().set_spring_table(floor, &[0.0, 0.999, 1.0, 3.0], &[-k, -k * 1e-3, 0.0, 0.0]).unwrap();
    ball
}

/// Ten masses on ten ropes of 1 m, held level, let go: each falls by at most 10 m.
fn chain(sim: &mut Simulation, at: V3) -> Vec<Id> {
    let mut last = sim.build().add_point(0.0, 0.0, &at).unwrap();
    sim.build().fix_point(last).unwrap();
    let mut masses = Vec::new();
    for k in 1..=10 {
        let mass = sim.build().add_point(1.0, 0.0, &add(at, [f64::from(k), 0.0, 0.0])).unwrap();
        sim.elements().add_point_spring(last, mass, 1e6, 0.0, 1.0, true).unwrap();
        masses.push(mass);
        last = mass;
    }
    masses
}

const CHAIN_FALL: f64 = 10.0 * G * 5.0;

/// What the scheme may have of energy beyond the state's at a start: `h^2 delta^2/8 a0.M a0` with
/// a0 = g, delta <= 1 (docs/theory.md), over m g of the fall, 5 m on average.
fn started(h: f64) -> f64 {
    h * h * G / 8.0 / 5.0
}

#[test]
fn bouncing_weights_gain_nothing_at_any_step() {
    for (scheme, options) in DISSIPATING {
        for wh in [0.1, 0.3, 1.0, 3.0, 5.0, 10.0, 50.0] {
            for zeta in [0.0, 0.05] {
                for h in [1e-4, 1e-2, 0.1] {
                    let case = format!("{scheme} {options:?} w h {wh} zeta {zeta} h {h}");
                    let mut sim = system(scheme, options);
                    weight(&mut sim, h, wh, zeta, 0.0, [0.0; 3]);
                    let steps = if h < 1e-3 { 6000 } else { 800 };
                    sim.initialize(0.0).unwrap();
                    let [largest, _] = gains(&mut sim, h, steps, 100.0 * G * 0.5, &case);
                    assert!(largest < 1e-9, "{case}: {largest:e}");
                }
            }
        }
    }
}

#[test]
fn nothing_is_gained_or_lost_without_dissipation() {
    for (scheme, options) in KEEPING {
        for wh in [0.3, 1.0, 3.0, 10.0] {
            let case = format!("{scheme} {options:?} w h {wh}");
            let mut sim = system(scheme, options);
            weight(&mut sim, 0.01, wh, 0.0, 0.2, [0.0; 3]);
            sim.initialize(0.0).unwrap();
            let [largest, last] = gains(&mut sim, 0.01, 800, 100.0 * G * 0.5, &case);
            assert!(largest < 1e-6 && last.abs() < 1e-6, "{case}: {largest:e} {last:e}");
        }
        for k in [1e4, 1e6, 1e8] {
            let case = format!("{scheme} {options:?} floor {k:e}");
            let mut sim = system(scheme, options);
            ball(&mut sim, k);
            sim.initialize(0.0).unwrap();
            let [largest, last] = gains(&mut sim, 0.01, 1000, G, &case);
            assert!(largest < 1e-6 && last.abs() < 1e-6, "{case}: {largest:e} {last:e}");
        }
        let case = format!("{scheme} {options:?} chain");
        let mut sim = system(scheme, options);
        chain(&mut sim, [0.0; 3]);
        sim.initialize(0.0).unwrap();
        let [largest, last] = gains(&mut sim, 0.01, 400, CHAIN_FALL, &case);
        assert!(largest < 1e-6 && last.abs() < 1e-6, "{case}: {largest:e} {last:e}");
    }
}

#[test]
fn balls_on_stiff_floors_gain_nothing_and_still_bounce() {
    for (scheme, options) in DISSIPATING {
        for k in [1e4, 1e6, 1e8] {
            for h in [1e-3, 1e-2, 0.1] {
                let case = format!("{scheme} {options:?} floor {k:e} h {h}");
                let mut sim = system(scheme, options);
                ball(&mut sim, k);
                sim.initialize(0.0).unwrap();
                let [largest, last] = gains(&mut sim, h, (3.0 / h) as usize, G, &case);
                assert!(largest < 1e-9, "{case}: {largest:e}");
                // By default, where steps resolve the contact (w h at most 1), three hits take
                // little.
                assert!(scheme != "momentum-alpha" || h * k.sqrt() > 1.5 || last > -0.1, "{case}: {last:e}");
            }
        }
    }
}

#[test]
fn chains_let_go_level_gain_nothing() {
    for (scheme, options) in DISSIPATING {
        for h in [1e-3, 5e-3, 1e-2, 0.1] {
            let case = format!("{scheme} {options:?} h {h}");
            let mut sim = system(scheme, options);
            chain(&mut sim, [0.0; 3]);
            let steps = ((3.0 / h) as usize).min(1000);
            sim.initialize(0.0).unwrap();
            let [largest, _] = gains(&mut sim, h, steps, CHAIN_FALL, &case);
            assert!(largest < 1e-9 + started(h), "{case}: {largest:e}");
        }
    }
}

/// Two rods on a hinge that fall by half a metre into two slack ropes at arms, dissipating schemes.
#[test]
fn jointed_rods_that_fall_into_ropes_gain_nothing() {
    for (scheme, options) in [
        ("generalized-alpha", &[("rho_inf", 0.0)][..]),
        ("generalized-alpha", &[("rho_inf", 0.3)]),
        ("hht", &[("hht_alpha", -0.3)]),
    ] {
        for h in [1e-3, 5e-3, 2e-2] {
            let case = format!("{scheme} {options:?} h {h}");
            let mut sim = system(scheme, options);
            let rods = [(0.0, 10.0), (1.0, 5.0)].map(|(x, mass)| {
                let at = pose([x, 0.0, 0.0], UNROTATED);
                sim.build().add_rigid_body(mass, &[0.0; 3], &[0.1, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap()
            });
            sim.build()
                .add_joint_at(JointKind::Revolute, rods[0], rods[1], &[0.5, 0.0, 0.0], Some(&[0.0, 1.0, 0.0]))
                .unwrap();
            for (rod, hook, arm) in [(rods[0], -0.4, -0.5), (rods[1], 1.6, 0.5)] {
                let [hook, arm] = [[hook, 0.0, 1.0], [arm, 0.0, 0.1]];
                sim.elements().add_spring(GROUND, &hook, rod, &arm, 1e6, 0.0, 1.5, true).unwrap();
            }
            sim.initialize(0.0).unwrap();
            let [largest, _] = gains(&mut sim, h, (2.0 / h) as usize, 15.0 * G, &case);
            assert!(largest < 1e-9, "{case}: {largest:e}");
        }
    }
}

/// On one branch, along a straight line, the form is the scheme itself: a rope that stays taut. It
/// starts in balance, k e = m g, since a start damps forces out of balance of each in its own way.
#[test]
fn taut_ropes_move_as_without_the_form() {
    for (scheme, options) in DISSIPATING.into_iter().chain(KEEPING) {
        let run = |form: f64| {
            let mut sim = system(scheme, options);
            sim.settings().set_option("energy_form", form).unwrap();
            for (key, tight) in [("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)] {
                sim.settings().set_option(key, tight).unwrap();
            }
            let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().fix_point(hook).unwrap();
            let weight = sim.build().add_point(1.0, 0.0, &[0.0, 0.0, -1.0 - G / 100.0]).unwrap();
            sim.build().set_point_velocity(weight, &[0.0, 0.0, 0.07]).unwrap();
            sim.elements().add_point_spring(hook, weight, 100.0, 0.0, 1.0, true).unwrap();
            sim.initialize(0.0).unwrap();
            let mut seen = Vec::new();
            for n in 0..200 {
                // Steps of changing length, as equal ones.
                sim.step(if n > 100 && n % 2 == 0 { 0.02 } else { 0.03 }).unwrap();
                seen.extend([sim.points().position(weight).unwrap()[2], sim.points().velocity(weight).unwrap()[2]]);
            }
            seen
        };
        // Rounding of 200 steps.
        assert_close(&format!("{scheme} {options:?}"), &run(1.0), &run(0.0), 1e-13);
    }
}

/// A pendulum on a damped rope that stays taut: the form is of second order, with equal and
/// alternating steps, and with a start at every other step (ratio 0).
#[test]
fn forms_are_of_second_order_on_smooth_motion() {
    let run = |scheme: &str, rho: f64, h: f64, ratio: f64| {
        let mut sim = system(scheme, &[("rho_inf", rho), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)]);
        let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().fix_point(hook).unwrap();
        let weight = sim.build().add_point(1.0, 0.0, &[0.3, 0.0, -1.15]).unwrap();
        sim.elements().add_point_spring(hook, weight, 50.0, 0.4, 1.0, true).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..(0.5 / h).round() as usize {
            let ratio = if ratio > 0.0 {
                ratio
            } else {
                sim.inputs().mark_discontinuity().unwrap();
                1.0
            };
            sim.step(2.0 * h * ratio / (1.0 + ratio)).unwrap();
            sim.step(2.0 * h / (1.0 + ratio)).unwrap();
        }
        let points = sim.points();
        [points.position(weight).unwrap(), points.velocity(weight).unwrap(), points.acceleration(weight).unwrap()]
    };
    let exact = run("generalized-alpha", 1.0, 1e-4, 1.0);
    for (scheme, rho) in
        [("generalized-alpha", 0.0), ("generalized-alpha", 0.8), ("generalized-alpha", 1.0), ("hht", 0.8)]
    {
        for ratio in [0.0, 1.0, 2.0, 3.0, 10.0, 100.0] {
            let errors = [0.01, 0.005, 0.0025].map(|h| (h, run(scheme, rho, h, ratio)));
            for (k, what) in ["position", "velocity", "acceleration"].iter().enumerate() {
                let table = errors.map(|(h, found)| (h, distance(found[k], exact[k])));
                assert_order(&format!("{scheme} {rho} {ratio} {what}"), &table, 2.0, 0.25);
            }
        }
    }
}

/// A chain in the middle of its snaps, after 0.9 s.
fn snapping(scheme: &str, at: V3) -> (Simulation, Vec<Id>) {
    let mut sim = system(scheme, &[]);
    let masses = chain(&mut sim, at);
    sim.initialize(0.0).unwrap();
    (0..90).for_each(|_| sim.step(0.01).unwrap());
    (sim, masses)
}

/// Places, velocities and accelerations of the masses after each of some steps.
fn follow(sim: &mut Simulation, masses: &[Id], steps: usize) -> Vec<f64> {
    let mut seen = Vec::new();
    for n in 0..steps {
        sim.step(if n % 3 == 2 { 0.005 } else { 0.01 }).unwrap();
        for mass in masses {
            let points = sim.points();
            seen.extend(points.position(*mass).unwrap());
            seen.extend(points.velocity(*mass).unwrap());
            seen.extend(points.acceleration(*mass).unwrap());
        }
    }
    seen
}

#[test]
fn restored_cloned_and_rejected_runs_go_on_alike_in_the_middle_of_a_snap() {
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark"] {
        let (mut sim, masses) = snapping(scheme, [0.0; 3]);
        let bytes = sim.save().unwrap().to_bytes();
        let mut copy = sim.clone();
        let expected = follow(&mut sim, &masses, 30);
        let (mut fresh, _) = {
            let mut fresh = system(scheme, &[]);
            let masses = chain(&mut fresh, [0.0; 3]);
            fresh.initialize(0.0).unwrap();
            (fresh, masses)
        };
        let state = fresh.deserialize(&bytes).unwrap();
        fresh.restore(&state).unwrap();
        assert_eq!(follow(&mut fresh, &masses, 30), expected, "{scheme}: from bytes");
        for h in [0.01, 0.02, 0.003] {
            copy.advance(h).unwrap();
            copy.reject().unwrap();
        }
        assert_eq!(follow(&mut copy, &masses, 30), expected, "{scheme}: cloned, and after trials");
    }
}

#[test]
fn chains_gain_nothing_where_steps_change_or_start_anew() {
    for (name, steps) in [("cut and grown", [0.01, 0.00125, 0.0025, 0.005]), ("equal", [0.01; 4])] {
        for marks in [0, 7] {
            let mut sim = system("generalized-alpha", &[]);
            chain(&mut sim, [0.0; 3]);
            sim.initialize(0.0).unwrap();
            let start = energy(&sim);
            for n in 0..600 {
                if marks > 0 && n % marks == marks - 1 {
                    sim.inputs().mark_discontinuity().unwrap();
                }
                sim.step(steps[n % 4]).unwrap_or_else(|e| panic!("{name} {marks}, step {n}: {e}"));
                let gain = (energy(&sim) - start) / CHAIN_FALL;
                // Each start of the scheme may have h^2 delta^2/8 a.M a of its own: marks are set
                // in the middle of snaps.
                assert!(marks > 0 || gain < 1e-9 + started(0.01), "{name} {marks}, step {n}: {gain:e}");
                assert!(gain < 1.0, "{name} {marks}, step {n}: {gain:e}");
            }
        }
    }
}

#[test]
fn momentum_of_free_masses_on_ropes_is_kept() {
    for (scheme, options) in DISSIPATING {
        let mut sim = system(scheme, options);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let masses: Vec<Id> = (0..4)
            .map(|k| sim.build().add_point(1.0 + f64::from(k), 0.0, &[f64::from(k), 0.0, 0.0]).unwrap())
            .collect();
        for (k, pair) in masses.windows(2).enumerate() {
            sim.elements().add_point_spring(pair[0], pair[1], 1e6, 10.0, 1.0, true).unwrap();
            sim.build().set_point_velocity(pair[1], &[0.3, 1.0 - k as f64, 0.5]).unwrap();
        }
        sim.initialize(0.0).unwrap();
        let start = sim.outputs().momentum(&[0.0; 3]).unwrap();
        for n in 0..500 {
            sim.step(0.01).unwrap_or_else(|e| panic!("{scheme}, step {n}: {e}"));
        }
        let end = sim.outputs().momentum(&[0.0; 3]).unwrap();
        // Steps end with 1e-8 of the forces out of balance at most: these cancel, as forces are
        // pairs.
        assert_close(scheme, &end[..3], &start[..3], 1e-9);
    }
}

#[test]
fn ropes_far_from_the_origin_snap_alike() {
    let run = |at: V3| {
        let mut sim = system("generalized-alpha", &[]);
        let weight = weight(&mut sim, 0.01, 1.0, 0.02, 0.1, at);
        sim.initialize(0.0).unwrap();
        let mut seen = Vec::new();
        for _ in 0..100 {
            sim.step(0.01).unwrap();
            seen.extend(sub(sim.points().position(weight).unwrap(), at));
        }
        seen
    };
    // Host's coordinates are rounded to 1e-10 there; bounces magnify that by less than 100 in a
    // second.
    assert_close("1e6 m away", &run([1e6, -1e6, 1e6]), &run([0.0; 3]), 1e-8);
}

/// A hook whose motion is imposed pulls a rope taut on a free load; a mass that no rope is tied to
/// does not notice.
#[test]
fn imposed_motions_pull_ropes_taut_and_do_the_work() {
    for rho in [0.3, 0.8, 1.0] {
        let mut sim = system("generalized-alpha", &[("rho_inf", rho)]);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().set_point_prescribed(hook, true).unwrap();
        let load = sim.build().add_point(10.0, 0.0, &[-0.9, 0.0, 0.0]).unwrap();
        let beside = sim.build().add_point(1.0, 0.0, &[0.0, 5.0, 0.0]).unwrap();
        sim.elements().add_point_spring(hook, load, 1e7, 0.0, 1.0, true).unwrap();
        sim.initialize(0.0).unwrap();
        let (h, speed) = (0.01, 1.0);
        for n in 1..=200 {
            sim.inputs()
                .set_point_motion(hook, &[speed * h * f64::from(n), 0.0, 0.0], &[speed, 0.0, 0.0], &[0.0; 3])
                .unwrap();
            sim.step(h).unwrap();
            // An elastic hit by something much heavier throws the load at twice the speed of the
            // hook at most.
            let v = sim.points().velocity(load).unwrap()[0];
            assert!((-1e-9..=2.0 * speed + 1e-6).contains(&v), "{rho}, step {n}: {v}");
        }
        assert!(sim.points().velocity(load).unwrap()[0] > 0.2, "{rho}: it was not pulled");
        assert_close("beside", &sim.points().position(beside).unwrap(), &[0.0, 5.0, 0.0], 0.0);
    }
}

/// A weight on a rope that is stretched by a hundredth and let go. With delta = gamma - 1/2, what a
/// scheme holds beside its energy is (h^2 delta^2/8) m a^2, of damped accelerations at most delta/2
/// of what the rope stores, and k y^2/4 after the first step, y = delta ds, at most delta^2 of it
/// as ds is at most twice its stretch.
#[test]
fn ropes_let_go_out_of_balance_gain_nothing() {
    for (scheme, options) in DISSIPATING.into_iter().chain(KEEPING) {
        for (wh, h) in [0.3, 1.0, 3.0, 30.0, 1e3].map(|wh| (wh, 1e-2)) {
            let mut sim = system(scheme, options);
            sim.settings().set_gravity(&[0.0; 3]).unwrap();
            let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().fix_point(hook).unwrap();
            let weight = sim.build().add_point(1.0, 0.0, &[0.0, 0.0, -1.01]).unwrap();
            let k = (wh / h) * (wh / h);
            sim.elements().add_point_spring(hook, weight, k, 0.0, 1.0, true).unwrap();
            let delta = match options.first() {
                Some(("rho_inf", rho)) => (1.0 - rho) / (1.0 + rho),
                Some((_, gamma)) => gamma - 0.5,
                // The defaults of `rho_inf` and `hht_alpha`.
                None => [("momentum-alpha", 0.2 / 1.8), ("hht", 0.1), ("newmark", 0.0)]
                    .into_iter()
                    .find_map(|(name, delta)| (name == scheme).then_some(delta))
                    .unwrap(),
            };
            let case = format!("{scheme} {options:?}, w h {wh}");
            sim.initialize(0.0).unwrap();
            let [largest, end] = gains(&mut sim, h, 300, 0.5 * k * 1e-4, &case);
            // Iterations end at 1e-6 of the increments, whose error the spring turns into energy.
            assert!(largest < 0.5 * delta + delta * delta + 1e-4 && end < 1e-4, "{case}: {largest:e} {end:e}");
        }
    }
}
