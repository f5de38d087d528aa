//! A seabed whose depth is that of a grid: against the level bed, the level bed under turned
//! gravity, closed forms of friction, and the energy that it may not give.

use crate::common::energy::{KEEPING, gains};
use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::simulation::Bed;
use pintle::{Id, Simulation};

const N: usize = 16;
/// A rope on a bed in the air, so that gravity may act in any direction.
const ROPE: Material = Material { d: 0.1, w: 20.0, ea: 1e6, ba: 2e4, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const DEPTH: f64 = 30.0;

/// A grid of 4 by 4 nodes, 200 m wide, around a place.
fn grid(around: [f64; 2], depth: impl Fn(f64, f64) -> f64) -> Vec<[f64; 3]> {
    let ticks = [-100.0, -3.0, 4.0, 100.0];
    ticks.iter().flat_map(|y| ticks.map(|x| [x + around[0], y + around[1], depth(x, *y)])).collect()
}

fn bed(sim: &mut Simulation, keys: &[(&str, f64)]) {
    for (key, value) in keys {
        sim.settings().set_environment(key, *value).unwrap();
    }
}

/// In the air over a soft bed.
fn sea(depth: f64) -> Sea {
    Sea { depth, stiffness: 2e5, damping: 2e4, smoothing: 0.05, ..Sea::NONE }
}

/// Steps of 0.05 s and some of half of that.
fn run(sim: &mut Simulation, time: f64) {
    for k in 0..(time / 0.05).round() as usize {
        if k % 4 == 3 {
            (0..2).for_each(|_| sim.step(0.025).unwrap());
        } else {
            sim.step(0.05).unwrap();
        }
    }
}

#[test]
fn a_grid_of_equal_depths_is_the_level_bed() {
    let moored = |is_grid: bool, friction: f64, x: f64| {
        let mut sim = system("generalized-alpha", &Sea::water(DEPTH));
        bed(&mut sim, &[("seabed_friction", friction)]);
        if is_grid {
            sim.settings().set_seabed_grid(&grid([x, 0.0], |_, _| DEPTH)).unwrap();
            sim.settings().set_environment("depth", 7.0).unwrap();
        }
        let ends = [fixed(&mut sim, [x, 0.0, -DEPTH]), moved(&mut sim, [x + 50.0, 0.0, -5.0])];
        let id = line(&mut sim, &OC3, ends, 64.0, N);
        sim.initialize(0.0).unwrap();
        for k in 1..=60 {
            let t = 0.05 * f64::from(k);
            sim.inputs().set_point_motion(ends[1], &[x + 50.0, 0.6 * t, -5.0], &[0.0, 0.6, 0.0], &[0.0; 3]).unwrap();
            sim.step(0.05).unwrap();
        }
        nodes(&sim, id, N).iter().map(|at| [at[0] - x, at[1], at[2]]).collect::<Vec<V3>>()
    };
    for friction in [0.0, 0.5] {
        let level = moored(false, friction, 0.0);
        // The order of operations differs: rounding, times the stiffness of chain over that of the
        // bed.
        assert!(apart(&level, &moored(true, friction, 0.0)) < 1e-9, "{friction}");
        // Positions 1e6 m away are known to 1e-10 m.
        assert!(apart(&level, &moored(true, friction, 1e6)) < 1e-6, "{friction}");
    }
}

/// A rope that hangs between a point on the bed and one above it, and is let go there. Frames: the
/// bed is level with gravity turned, or is a plane that rises along x by the angle.
fn on_a_plane(angle: f64, is_grid: bool, friction: f64) -> (Simulation, Id) {
    let (sin, cos) = angle.sin_cos();
    let mut sim = system("generalized-alpha", &sea(DEPTH));
    let place = |s: f64, y: f64, n: f64| match is_grid {
        true => [s * cos - n * sin, y, s * sin + n * cos - DEPTH],
        false => [s, y, n - DEPTH],
    };
    bed(&mut sim, &[("seabed_friction", friction)]);
    if is_grid {
        sim.settings().set_seabed_grid(&grid([0.0; 2], |x, _| DEPTH - x * angle.tan())).unwrap();
    } else {
        // Penetration and force along z are 1/cos those along the normal.
        let Sea { g, stiffness, damping, smoothing, .. } = sea(DEPTH);
        sim.settings().set_gravity(&[-g * sin, 0.0, -g * cos]).unwrap();
        let steep = 1.0 / (cos * cos);
        bed(&mut sim, &[("seabed_stiffness", stiffness * steep), ("seabed_damping", damping * steep)]);
        bed(&mut sim, &[("seabed_smoothing", smoothing * cos)]);
    }
    let ends = [fixed(&mut sim, place(-12.0, -6.0, 0.0)), fixed(&mut sim, place(10.0, 5.0, 3.0))];
    let id = line(&mut sim, &ROPE, ends, 32.0, N);
    sim.initialize(0.0).unwrap();
    sim.inputs().release_line(id, 1).unwrap();
    (sim, id)
}

#[test]
fn a_plane_slope_is_a_level_bed_under_turned_gravity() {
    for angle in [0.2, -0.35] {
        for friction in [0.0, 0.3] {
            let [(mut slope, a), (mut level, b)] = [true, false].map(|is_grid| on_a_plane(angle, is_grid, friction));
            let (sin, cos) = angle.sin_cos();
            let turned = |sim: &Simulation, id: Id| -> Vec<V3> {
                let place = |[s, y, z]: V3| {
                    let n = z + DEPTH;
                    [s * cos - n * sin, y, s * sin + n * cos - DEPTH]
                };
                nodes(sim, id, N).into_iter().map(place).collect()
            };
            // Shapes at rest have forces out of balance of 1e-9 of a segment's weight, on segments
            // that the bed alone holds across.
            let start = apart(&nodes(&slope, a, N), &turned(&level, b));
            run(&mut slope, 4.0);
            run(&mut level, 4.0);
            let end = apart(&nodes(&slope, a, N), &turned(&level, b));
            println!("{angle} {friction}: {start:e} {end:e}");
            assert!(start < 1e-6 && end < 1e-5, "{angle} {friction}: {start:e} {end:e}");
        }
    }
}

/// A rope across a plane slope without supports, at some place.
fn across(angle: f64, friction: f64, at: [f64; 2]) -> (Simulation, Id) {
    let mut sim = system("generalized-alpha", &sea(DEPTH));
    bed(&mut sim, &[("seabed_friction", friction)]);
    let depth = |x: f64, _: f64| DEPTH - x * angle.tan();
    sim.settings().set_seabed_grid(&grid(at, depth)).unwrap();
    let ends = [-10.0, 10.0].map(|y| free(&mut sim, 1e-3, [at[0], at[1] + y, -DEPTH]));
    let id = line(&mut sim, &ROPE, ends, 20.2, N);
    sim.initialize(0.0).unwrap();
    (sim, id)
}

/// Below the friction angle it rests, and does not creep; above it, it slides with the acceleration
/// of the closed form.
#[test]
fn a_rope_rests_on_a_slope_below_the_friction_angle_and_slides_above_it() {
    let (friction, g) = (0.4, Sea::NONE.g);
    for at in [[0.0; 2], [1e6, -1e6]] {
        let (mut sim, id) = across(0.9 * f64::atan(friction), friction, at);
        // Long steps of this kind damp how nodes swing about their stick points.
        sim.settings().set_option("rho_inf", 0.0).unwrap();
        (0..500).for_each(|_| sim.step(0.4).unwrap());
        let early = nodes(&sim, id, N);
        (0..400).for_each(|_| sim.step(0.4).unwrap());
        let late = nodes(&sim, id, N);
        // A motion that dies out, on positions known to 1e-10 m far away.
        assert!(apart(&early, &late) < 1e-8, "{:e}", apart(&early, &late));
        let angle = 1.3 * f64::atan(friction);
        let (mut sim, id) = across(angle, friction, at);
        let speed = |sim: &Simulation| speeds(sim, id, N).iter().map(|v| v[0]).sum::<f64>() / (N + 1) as f64;
        run(&mut sim, 4.0);
        let before = speed(&sim);
        run(&mut sim, 2.0);
        let acceleration = -(speed(&sim) - before) / 2.0 / angle.cos();
        let expected = g * (angle.sin() - friction * angle.cos());
        println!("{}", acceleration / expected - 1.0);
        // Ends count with half of their mass; what is left of their swinging.
        assert!((acceleration / expected - 1.0).abs() < 2e-3, "{acceleration} {expected}");
    }
}

/// A rope falls on hills whose slopes jump from cell to cell, and slides down: without dampers the
/// energy form gives no energy, in steps that resolve nothing of it.
#[test]
fn a_bed_with_slopes_gives_no_energy() {
    let undamped = Material { ba: 0.0, ..ROPE };
    for (scheme, options) in KEEPING.into_iter().chain([("generalized-alpha", &[][..])]) {
        for h in [2e-3, 1e-2, 5e-2] {
            let mut sim = system(scheme, &Sea { damping: 0.0, ..sea(DEPTH) });
            options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
            let hills = |x: f64, y: f64| DEPTH + 0.3 * x + if x.abs() > 10.0 { 3.0 } else { 0.15 * y };
            sim.settings().set_seabed_grid(&grid([0.0; 2], hills)).unwrap();
            let ends = [fixed(&mut sim, [-9.0, -1.0, -DEPTH + 8.0]), fixed(&mut sim, [9.0, 2.0, -DEPTH + 8.0])];
            let id = line(&mut sim, &undamped, ends, 20.0, N);
            sim.initialize(0.0).unwrap();
            (0..2).for_each(|end| sim.inputs().release_line(id, end).unwrap());
            let fall = 20.0 * ROPE.w * Sea::NONE.g * 8.0;
            let case = format!("{scheme} {options:?}, {h} s");
            let [gain, end] = gains(&mut sim, h, ((3.0 / h) as usize).min(1500), fall, &case);
            println!("{case}: {gain:e} {end:e}");
            // What the iteration leaves of each step; the first step of a line that breaks loose
            // gains a part of what its tensions give (`energy.rs`).
            let is_kept = !options.is_empty() || scheme == "newmark";
            assert!(gain < if is_kept { 1e-8 } else { 2e-4 }, "{case}: {gain:e}");
            assert!(!is_kept || end.abs() < 1e-8, "{case}: {end:e}");
        }
    }
}

/// A rope that is laid along a valley comes to rest in it, though the slopes jump there.
#[test]
fn a_rope_rests_in_a_valley() {
    let mut sim = system("generalized-alpha", &sea(DEPTH));
    let valley = |y: f64| DEPTH - 0.4 * y.abs();
    let points: Vec<[f64; 3]> =
        [-50.0, 0.0, 50.0].iter().flat_map(|y| [-60.0, 60.0].map(|x| [x, *y, valley(*y)])).collect();
    sim.settings().set_seabed_grid(&points).unwrap();
    let ends = [[-12.0, 0.5], [12.0, -0.3]].map(|[x, y]| fixed(&mut sim, [x, y, -valley(y)]));
    let id = line(&mut sim, &ROPE, ends, 24.3, N);
    sim.initialize(0.0).unwrap();
    let begun = nodes(&sim, id, N);
    run(&mut sim, 5.0);
    assert!(apart(&begun, &nodes(&sim, id, N)) < 1e-6, "{:e}", apart(&begun, &nodes(&sim, id, N)));
    let middle = begun[N / 2];
    // The kink is rounded over a metre on each side, and the bed is 0.2 m higher there.
    assert!(middle[1].abs() < 0.5 && (middle[2] + DEPTH).abs() < 0.4, "{middle:?}");
}

/// The depth at a place is that of the grid there: points below it are refused, others are not.
#[test]
fn points_below_the_grid_are_refused() {
    let mut sim = system("generalized-alpha", &sea(0.0));
    sim.settings().set_seabed_grid(&grid([0.0; 2], |x, _| DEPTH - 0.1 * x)).unwrap();
    let ends = [[50.0, -25.5], [-50.0, -34.0]].map(|[x, z]| fixed(&mut sim, [x, 0.0, z]));
    line(&mut sim, &ROPE, ends, 110.0, N);
    let said = sim.initialize(0.0).expect_err("below the bed").to_string();
    assert!(said.contains("point 0 is at z = -25.5, below the seabed at -25"), "{said}");
    sim.settings().set_seabed_grid(&grid([0.0; 2], |x, _| DEPTH - 0.09 * x)).unwrap();
    sim.initialize(0.0).unwrap();
    // Before the first step it may not rise above one; then the former grid remains.
    let before = Bed::of(&sim).grid();
    sim.settings().set_seabed_grid(&[]).unwrap();
    assert!(Bed::of(&sim).grid().is_empty());
    sim.settings().set_seabed_grid(&before).unwrap();
    let said = sim.settings().set_seabed_grid(&grid([0.0; 2], |x, _| DEPTH - 0.2 * x)).unwrap_err().to_string();
    assert!(said.contains("below the seabed"), "{said}");
    assert_eq!(Bed::of(&sim).grid(), before);
    sim.step(0.1).unwrap();
}

/// A saved state goes on bit by bit in a fresh object, also in one with another grid.
#[test]
fn the_grid_belongs_to_the_state() {
    let (mut sim, _) = on_a_plane(0.2, true, 0.3);
    run(&mut sim, 1.0);
    let saved = sim.save().unwrap().to_bytes();
    let end = |sim: &mut Simulation| {
        run(sim, 0.5);
        sim.save().unwrap().to_bytes()
    };
    let (mut fresh, _) = on_a_plane(0.2, true, 0.3);
    fresh.settings().set_seabed_grid(&grid([0.0; 2], |x, _| DEPTH + 5.0 - 0.1 * x)).unwrap();
    let state = fresh.deserialize(&saved).unwrap();
    fresh.restore(&state).unwrap();
    let mut rejecting = sim.clone();
    rejecting.advance(0.025).unwrap();
    rejecting.reject().unwrap();
    let wanted = end(&mut sim);
    assert!(end(&mut fresh) == wanted && end(&mut rejecting) == wanted);
}
