//! Bushings with tables and preloads: free play, bump stops, mounts that carry a weight.

use crate::common::energy::{G, KEEPING, gains, system};
use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};
use std::f64::consts::PI;

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.5;

/// A body at a place, turned by q, on a bushing between frames that agree there.
fn mounted(sim: &mut Simulation, at: V3, q: Quat, stiffness: [f64; 6]) -> (Id, Id) {
    let inertia = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose(at, q)).unwrap();
    let (k, c) = (diagonal(stiffness), [0.0; 36]);
    let seat = pose([0.0; 3], UNROTATED);
    let bushing = sim.elements().add_bushing(GROUND, body, &pose(at, q), &seat, &k, &c).unwrap();
    (body, bushing)
}

/// No force within +-gap, `k` beyond. The corners are rounded over `corner`.
fn free_play(gap: f64, k: f64, corner: f64) -> [Vec<f64>; 2] {
    let far = 1.0 + gap;
    let x = vec![-far, -gap - corner, -gap, gap, gap + corner, far];
    let f = x.iter().map(|x| k * (x.abs() - gap).max(0.0) * x.signum()).collect();
    [x, f]
}

/// The period of a mass m, or inertia, that swings with the amplitude `a` in free play: two halves
/// of a sine at its ends, and four times the gap at the speed w (a - gap).
#[test]
fn period_in_free_play_is_that_of_its_pieces() {
    let (gap, k, a) = (0.1, 80.0, 0.4);
    for axis in 0..6 {
        let mut sim = system("rk4", &[]);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let (m, stiffness) = (if axis < 3 { MASS } else { INERTIA }, [20.0; 6]);
        let (body, bushing) = mounted(&mut sim, [1.0, 2.0, 3.0], unit([0.7, 0.3, -0.5, 0.4]), stiffness);
        let [x, f] = free_play(gap, k, 1e-4);
        pintle::set_bushing_table(&mut sim, bushing, axis, &x, &f).unwrap();
        let w = (k / m).sqrt();
        // From the middle of the gap.
        let along =
            rotate(unit([0.7, 0.3, -0.5, 0.4]), std::array::from_fn(|i| f64::from(u8::from(i == axis as usize % 3))));
        let speed = scale(w * (a - gap), along);
        let velocity = if axis < 3 { join(speed, [0.0; 3]) } else { join([0.0; 3], speed) };
        sim.build().set_body_velocity(body, &velocity).unwrap();
        sim.initialize(0.0).unwrap();
        let period = 2.0 * PI / w + 4.0 * gap / (w * (a - gap));
        let (steps, rounds) = (4000, 5);
        for _ in 0..rounds * steps {
            sim.step(period / f64::from(steps)).unwrap();
        }
        // A rounded corner takes from the force k corner at most, over the length of the corner:
        // of the time, a part corner/a. Steps that cross a corner err by h^2 of the change of the
        // acceleration, k corner/m.
        let deflection = deflection(&sim, bushing);
        let bound = 5.0 * 4.0 * (1e-4 / a) * w * (a - gap) * period + 1e-6;
        for (k, x) in deflection.iter().enumerate() {
            assert!(x.abs() < if k == axis as usize { bound } else { 1e-9 }, "axis {axis}: {deflection:?}, {bound}");
        }
    }
}

/// The deflection that a bushing reports.
fn deflection(sim: &Simulation, bushing: Id) -> [f64; 6] {
    outputs(sim, bushing)[..6].try_into().unwrap()
}

fn outputs(sim: &Simulation, bushing: Id) -> Vec<f64> {
    let mut all = Vec::new();
    let each = &mut |_: &str, _, x| all.push(x);
    sim.outputs().element_outputs(pintle::EntityKind::Bushing, bushing, each).unwrap();
    all
}

/// The weight, or the moment, that lets the mass fall onto a bump stop, the stiffness of which
/// jumps from none to 1e6, and the way to there: 1 m at 4.4 m/s, or 0.3 rad at 1.5 rad/s, so that no
/// step turns it by half a turn.
const FALLS: [(i32, f64, f64); 2] = [(2, MASS * G, 1.0), (5, 2.0, 0.3)];

fn dropped(scheme: &str, options: &[(&str, f64)], (axis, load, gap): (i32, f64, f64)) -> Simulation {
    let mut sim = system(scheme, options);
    let (_, bushing) = mounted(&mut sim, [0.0; 3], UNROTATED, [0.0; 6]);
    let [x, f] = free_play(gap, 1e6, 1e-3);
    pintle::set_bushing_table(&mut sim, bushing, axis, &x, &f).unwrap();
    if axis == 5 {
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        pintle::set_bushing_preload(&mut sim, bushing, &[0.0, 0.0, 0.0, 0.0, 0.0, -load]).unwrap();
    }
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn stops_that_steps_do_not_resolve_give_no_energy() {
    let dissipating: [(&str, &[(&str, f64)]); 6] = [
        ("generalized-alpha", &[("rho_inf", 0.0)]),
        ("generalized-alpha", &[("rho_inf", 0.3)]),
        ("generalized-alpha", &[]),
        ("generalized-alpha", &[("rho_inf", 0.95)]),
        ("momentum-alpha", &[]),
        ("hht", &[]),
    ];
    for of in FALLS {
        let (axis, load, gap) = of;
        let (fall, m) = (load * gap, if axis == 5 { INERTIA } else { MASS });
        for h in [1e-4, 1e-3, 0.01, 0.03, 0.1] {
            for (scheme, options) in dissipating {
                let case = format!("axis {axis}, {scheme} {options:?}, {h}");
                let mut sim = dropped(scheme, options, of);
                // Of the scheme's own energy at the start: h^2 delta^2/8 m g^2, delta <= 1.
                let own = h * h * load * load / m / 8.0 / fall;
                let [gain, _] = gains(&mut sim, h, ((3.0 / h) as usize).min(3000), fall, &case);
                assert!(gain < 1e-9 + own, "{case}: {gain:e}");
            }
            for (scheme, options) in KEEPING {
                let case = format!("axis {axis}, {scheme} {options:?}, {h}");
                let mut sim = dropped(scheme, options, of);
                let [gain, last] = gains(&mut sim, h, ((3.0 / h) as usize).min(3000), fall, &case);
                assert!(gain < 1e-6 && last.abs() < 1e-6, "{case}: {gain:e}, {last:e}");
            }
        }
    }
}

/// Two free bodies that turn and swing on a bushing between them.
fn pair(scheme: &str, alter: impl Fn(&mut Simulation, Id)) -> (Simulation, [Id; 2], Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let q = unit([0.7, 0.3, -0.5, 0.4]);
    let places = [pose([0.0; 3], UNROTATED), pose([1.0, 0.2, -0.3], q)];
    let bodies = places.map(|place| {
        sim.build().add_rigid_body(MASS, &[0.1, 0.0, -0.1], &[0.5, 0.6, 0.7, 0.0, 0.0, 0.0], &place).unwrap()
    });
    sim.build().set_body_velocity(bodies[0], &[0.3, -0.2, 0.1, 0.5, -0.4, 0.8]).unwrap();
    sim.build().set_body_velocity(bodies[1], &[-0.3, 0.2, 0.4, -0.2, 0.6, 0.3]).unwrap();
    let frames =
        [pose([0.5, 0.1, 0.0], unit([0.9, 0.1, 0.2, -0.1])), pose([-0.4, 0.0, 0.2], unit([0.8, -0.2, 0.3, 0.3]))];
    let k = diagonal([60.0, 80.0, 100.0, 20.0, 25.0, 30.0]);
    let bushing = sim.elements().add_bushing(bodies[0], bodies[1], &frames[0], &frames[1], &k, &[0.0; 36]).unwrap();
    alter(&mut sim, bushing);
    sim.initialize(0.0).unwrap();
    (sim, bodies, bushing)
}

/// Tables that stiffen on all axes.
fn stiffening(sim: &mut Simulation, bushing: Id) {
    let x: Vec<f64> = (-20..=20).map(|k| 0.1 * f64::from(k)).collect();
    for (axis, k) in [60.0, 80.0, 100.0, 20.0, 25.0, 30.0].into_iter().enumerate() {
        let f: Vec<f64> = x.iter().map(|x| k * (x + x.powi(3))).collect();
        pintle::set_bushing_table(sim, bushing, axis as i32, &x, &f).unwrap();
    }
    pintle::set_bushing_preload(sim, bushing, &[1.0, -2.0, 0.5, 0.3, 0.0, -0.4]).unwrap();
}

#[test]
fn straight_tables_are_entries_of_the_matrix() {
    for scheme in ["generalized-alpha", "newmark", "momentum-alpha", "rk4"] {
        let straight = |sim: &mut Simulation, bushing| {
            for (axis, k) in [(0, 60.0), (2, 100.0), (4, 25.0)] {
                pintle::set_bushing_table(sim, bushing, axis, &[-1.0, 0.5, 2.0], &[-k, 0.5 * k, 2.0 * k]).unwrap();
            }
        };
        let (mut a, bodies, _) = pair(scheme, |_, _| ());
        let (mut b, ..) = pair(scheme, straight);
        for n in 0..200 {
            let h = if n % 3 == 0 { 0.01 } else { 0.004 };
            for sim in [&mut a, &mut b] {
                sim.step(h).unwrap();
            }
        }
        for body in bodies {
            let [at, other] = [&a, &b].map(|sim| sim.outputs().body_pose(body).unwrap());
            // Forces of 100 N end a step out of balance by 1e-8 of them at most, and by rounding
            // where Newton's iteration of a linear law is exact.
            assert_close(&format!("{scheme}, body {body}"), &at, &other, 1e-7);
        }
    }
}

#[test]
fn free_bodies_keep_momentum_on_tables() {
    let (mut sim, bodies, _) = pair("generalized-alpha", stiffening);
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    let momentum = |sim: &Simulation| {
        let of = |body: Id| {
            let (pose, v) =
                (sim.outputs().body_pose(body).unwrap(), sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
            let arm = rotate(turn(&pose), [0.1, 0.0, -0.1]);
            let (v, w) = halves(v);
            scale(MASS, add(v, cross(w, arm)))
        };
        add(of(bodies[0]), of(bodies[1]))
    };
    let start = momentum(&sim);
    for _ in 0..500 {
        sim.step(0.01).unwrap();
    }
    // Of 2 kg m/s, to rounding.
    assert!(distance(momentum(&sim), start) < 1e-11, "{:?} {start:?}", momentum(&sim));
}

#[test]
fn errors_fall_with_the_order_of_the_scheme() {
    let run = |scheme: &str, steps: u32| {
        let (mut sim, bodies, _) = pair(scheme, stiffening);
        for n in 0..steps {
            // In turns, steps of 2 to 1.
            sim.step(2.0 / f64::from(steps) * [4.0 / 3.0, 2.0 / 3.0][n as usize % 2]).unwrap();
        }
        place(&sim.outputs().body_pose(bodies[1]).unwrap())
    };
    let exact = run("rk4", 20000);
    // Between points of the table its third derivative jumps, which would show in methods of order 4.
    for (scheme, steps) in [("generalized-alpha", 400), ("newmark", 400), ("momentum-alpha", 400), ("heun", 1600)] {
        let table = [steps, 2 * steps, 4 * steps].map(|n| (1.0 / f64::from(n), distance(run(scheme, n), exact)));
        assert_order(scheme, &table, 2.0, 0.15);
    }
}

/// A weight on a mount whose preload carries it does not move; a change of the preload lets it
/// swing by twice what it changes, (1 - cos w t) dp/k.
#[test]
fn a_preload_carries_a_weight_and_may_change() {
    let (k, change) = (200.0, 5.0);
    for (scheme, order) in [("generalized-alpha", 2), ("newmark", 2), ("hht", 2), ("heun", 2), ("rk4", 4)] {
        let error = |steps: u32| {
            let mut sim = system(scheme, &[]);
            let (body, bushing) = mounted(&mut sim, [3.0, 0.0, 1e3], UNROTATED, [k; 6]);
            pintle::set_bushing_preload(&mut sim, bushing, &[0.0, 0.0, MASS * G, 0.0, 0.0, 0.0]).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..100 {
                sim.step(0.02).unwrap();
            }
            // Places are near 1e3.
            assert!(deflection(&sim, bushing).iter().all(|x| x.abs() < 1e-12), "{scheme}: at rest");
            assert!((outputs(&sim, bushing)[8] - MASS * G).abs() < 1e-9);
            pintle::set_bushing_preload(&mut sim, bushing, &[0.0, 0.0, MASS * G + change, 0.0, 0.0, 0.0]).unwrap();
            assert_eq!(sim.description().bushing_info(bushing).unwrap().preload[2], MASS * G + change);
            let (w, h) = ((k / MASS).sqrt(), 2.0 / f64::from(steps));
            let mut largest = 0.0f64;
            for n in 1..=steps {
                sim.step(h).unwrap();
                let z = sim.outputs().body_pose(body).unwrap()[2] - 1e3;
                largest = largest.max((z - change / k * (1.0 - (w * h * f64::from(n)).cos())).abs());
            }
            largest
        };
        let table = [200, 400, 800].map(|n| (1.0 / f64::from(n), error(n)));
        assert_order(scheme, &table, f64::from(order), 0.2);
    }
}

/// Preloads belong to the state: of saved states, of rejected steps, in a fresh system.
#[test]
fn a_state_has_the_preload_of_its_time() {
    let build = || pair("generalized-alpha", stiffening);
    let (mut sim, bodies, bushing) = build();
    let step = |sim: &mut Simulation, n: usize| (0..n).for_each(|_| sim.step(0.01).unwrap());
    step(&mut sim, 20);
    let early = sim.save().unwrap();
    let changed = [5.0, 0.0, 3.0, 0.0, 1.0, 0.0];
    pintle::set_bushing_preload(&mut sim, bushing, &changed).unwrap();
    step(&mut sim, 20);
    let bytes = sim.save().unwrap().to_bytes();
    sim.advance(0.05).unwrap();
    sim.reject().unwrap();
    step(&mut sim, 30);
    let poses = |sim: &Simulation| bodies.map(|body| sim.outputs().body_pose(body).unwrap());
    let (mut fresh, ..) = build();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    assert_eq!(fresh.description().bushing_info(bushing).unwrap().preload, changed);
    step(&mut fresh, 30);
    assert_eq!(poses(&fresh), poses(&sim));
    fresh.restore(&early).unwrap();
    assert_eq!(fresh.description().bushing_info(bushing).unwrap().preload, [1.0, -2.0, 0.5, 0.3, 0.0, -0.4]);
    // Equal values start nothing anew.
    let (mut same, ..) = build();
    same.restore(&early).unwrap();
    pintle::set_bushing_preload(&mut same, bushing, &[1.0, -2.0, 0.5, 0.3, 0.0, -0.4]).unwrap();
    for sim in [&mut fresh, &mut same] {
        step(sim, 10);
    }
    assert_eq!(poses(&fresh), poses(&same));
}

/// In units of 1 m, 1 mm and 1 km, at 1e6 m, turned.
#[test]
fn laws_are_the_same_in_other_units_and_elsewhere() {
    let run = |unit: f64, at: V3, q: Quat| {
        let mut sim = Simulation::new();
        let inertia = [INERTIA * unit * unit, INERTIA * unit * unit, INERTIA * unit * unit, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose(at, q)).unwrap();
        let turning = 40.0 * unit * unit;
        let k = diagonal([30.0, 40.0, 50.0, turning, turning, turning]);
        let seat = pose([0.0; 3], UNROTATED);
        let bushing = sim.elements().add_bushing(GROUND, body, &pose(at, q), &seat, &k, &[0.0; 36]).unwrap();
        let [x, f] = free_play(0.05, 300.0, 1e-3);
        let scaled = |all: &[f64], by: f64| all.iter().map(|x| x * by).collect::<Vec<_>>();
        pintle::set_bushing_table(&mut sim, bushing, 0, &scaled(&x, unit), &scaled(&f, unit)).unwrap();
        pintle::set_bushing_table(&mut sim, bushing, 4, &x, &scaled(&f, unit * unit)).unwrap();
        pintle::set_bushing_preload(&mut sim, bushing, &[0.0, 2.0 * unit, 0.0, 0.0, 0.0, unit * unit]).unwrap();
        let v = rotate(q, scale(unit, [0.8, 0.1, -0.3]));
        sim.build().set_body_velocity(body, &join(v, rotate(q, [0.0, 0.9, 0.0]))).unwrap();
        sim.initialize(0.0).unwrap();
        (0..150).for_each(|_| sim.step(0.01).unwrap());
        let found = deflection(&sim, bushing);
        std::array::from_fn::<f64, 6, _>(|k| found[k] / if k < 3 { unit } else { 1.0 })
    };
    let plain = run(1.0, [0.0; 3], UNROTATED);
    for (unit, at, q, bound) in [
        (1000.0, [0.0; 3], UNROTATED, 1e-9),
        (1e-3, [0.0; 3], UNROTATED, 1e-9),
        (1.0, [0.0; 3], quat_exp([0.3, -1.0, 0.7]), 1e-7),
        (1.0, [1e6, -1e6, 1e6], UNROTATED, 1e-7),
    ] {
        // Newton's tolerance is 1e-8 of the forces; rounding of places near 1e6 is 1e-10.
        assert_close(&format!("unit {unit}, at {at:?}"), &run(unit, at, q), &plain, bound);
    }
}

/// Files keep tables and preload, and the equilibrium of a mount is where its force is the weight.
#[test]
fn files_and_equilibria_know_tables() {
    let mut sim = system("generalized-alpha", &[]);
    let (body, bushing) = mounted(&mut sim, [0.0; 3], UNROTATED, [1e3; 6]);
    let [x, f] = free_play(0.2, 500.0, 1e-3);
    pintle::set_bushing_table(&mut sim, bushing, 2, &x, &f).unwrap();
    pintle::set_bushing_preload(&mut sim, bushing, &[0.0, 0.0, 0.25 * MASS * G, 0.0, 0.0, 0.0]).unwrap();
    let file = std::env::temp_dir().join(format!("pintle-bushing-tables-{}.toml", std::process::id()));
    sim.save_model(&file).unwrap();
    let mut loaded = Simulation::load_model(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    let said = loaded.description().bushing_info(bushing).unwrap();
    assert_eq!(said.tables[2], [&x[..], &f[..]]);
    assert_eq!(said, sim.description().bushing_info(bushing).unwrap());
    loaded.initialize(0.0).unwrap();
    loaded.solve_equilibrium(100, 1e-10).unwrap();
    let z = loaded.outputs().body_pose(body).unwrap()[2];
    assert!((z + 0.2 + 0.75 * MASS * G / 500.0).abs() < 1e-9, "{z}");
}
