//! Lines at the steps of hosts: iterations, long steps, water that changes, other models' states.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Error, Frame, Id, Simulation};

fn ramp(t: f64) -> [f64; 3] {
    let x = (t / 10.0).min(1.0);
    if x < 1.0 {
        [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / 10.0, (6.0 - 12.0 * x) / 100.0]
    } else {
        [1.0, 0.0, 0.0]
    }
}

/// Surge, sway and heave of a fairlead, faded in over 10 s.
fn swaying(t: f64) -> [V3; 3] {
    let [f, fd, fdd] = ramp(t);
    let mut out = [OC3_FAIRLEAD, [0.0; 3], [0.0; 3]];
    for (k, (a, period)) in [(2.0, 10.0), (0.5, 13.0), (1.0, 9.0)].into_iter().enumerate() {
        let w = std::f64::consts::TAU / period;
        let (s, c) = (w * t).sin_cos();
        out[0][k] += a * f * s;
        out[1][k] += a * (fd * s + f * w * c);
        out[2][k] += a * (fdd * s + 2.0 * fd * w * c - f * w * w * s);
    }
    out
}

fn driven(n: usize) -> (Simulation, Id, Id) {
    let mut sim = system("generalized-alpha", &Sea::water(OC3_DEPTH));
    // The library's own tolerances.
    sim.settings().set_option("abs_tolerance", 1e-8).unwrap();
    sim.settings().set_option("rel_tolerance", 1e-6).unwrap();
    sim.settings().set_option("rho_inf", 0.3).unwrap();
    let of = OC3.damped(0.8, OC3_LENGTH / n as f64);
    let ends = [fixed(&mut sim, OC3_ANCHOR), moved(&mut sim, OC3_FAIRLEAD)];
    let id = line(&mut sim, &of, ends, OC3_LENGTH, n);
    let [x, v, a] = swaying(0.0);
    sim.inputs().set_point_motion(ends[1], &x, &v, &a).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, id, ends[1])
}

fn follow(sim: &mut Simulation, fairlead: Id, h: f64) {
    let [x, v, a] = swaying(sim.time().unwrap() + h);
    sim.inputs().set_point_motion(fairlead, &x, &v, &a).unwrap();
    sim.step(h).unwrap();
}

#[test]
fn a_fairlead_in_waves_takes_two_iterations_a_step() {
    for n in [20, 100, 500] {
        let (mut sim, _, fairlead) = driven(n);
        let mut worst = 0.0f64;
        for _ in 0..400 {
            follow(&mut sim, fairlead, 0.1);
            worst = worst.max(sim.outputs().statistic("last_iterations").unwrap());
        }
        let steps = sim.outputs().statistic("substeps").unwrap();
        let mean = sim.outputs().statistic("iterations").unwrap() / steps;
        println!("N {n}: {mean:.2} iterations, at worst {worst}, {steps} steps");
        assert_eq!(steps, 400.0, "no step is cut");
        assert_eq!(sim.outputs().statistic("not_converged_steps").unwrap(), 0.0);
        assert!(mean <= 2.5, "N {n}: {mean} iterations");
    }
}

#[test]
fn long_steps_give_the_tension_of_short_ones() {
    let n = 20;
    let run = |h: f64| {
        let (mut sim, id, fairlead) = driven(n);
        let mut history = Vec::new();
        for k in 1..=(30.0 / h).round() as usize {
            follow(&mut sim, fairlead, h);
            if (k as f64 * h / 0.1).fract().abs() < 1e-6 || ((k as f64 * h / 0.1).fract() - 1.0).abs() < 1e-6 {
                history.push(tensions(&sim, id, n)[n - 1]);
            }
        }
        history
    };
    let fine = run(0.0025);
    let most = fine.iter().copied().fold(0.0, f64::max);
    // 0.5 % of the largest at 0.1 s, a fifth of it at 0.025 s (the segments' waves of 0.13 s are stepped over in the first).
    for (h, limit) in [(0.1, 5e-3), (0.025, 3e-3)] {
        let history = run(h);
        assert_eq!(history.len(), fine.len());
        let error = history.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most;
        println!("h {h}: {:.3} % of {:.0} kN", 1e2 * error, 1e-3 * most);
        assert!(error < limit, "h {h}: {error:e}");
    }
}

/// A platform of 14000 t on three lines, let go 8 m aside, in steps of half a second.
#[test]
fn a_moored_platform_decays_alike_in_steps_of_half_a_second() {
    let run = |h: f64| {
        let mut sim = system("generalized-alpha", &Sea::water(200.0));
        sim.settings().set_option("abs_tolerance", 1e-8).unwrap();
        sim.settings().set_option("rel_tolerance", 1e-6).unwrap();
        let of = Material { d: 0.0766, w: 113.35, ea: 753.6e6, cdn: 2.0, can: 0.8, cdt: 0.25, ..OC3 };
        let of = of.damped(1.0, 835.5 / 20.0);
        let inertia = [1e10, 1e10, 2e10, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.4e7, &[0.0; 3], &inertia, &pose([8.0, 3.0, 0.0], UNROTATED)).unwrap();
        let kind = line_type(&mut sim, &of);
        for k in 0..3 {
            let (s, c) = (std::f64::consts::TAU * f64::from(k) / 3.0).sin_cos();
            let anchor = fixed(&mut sim, [837.6 * c, 837.6 * s, -200.0]);
            let fairlead = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().attach_point(fairlead, body, &[40.868 * c, 40.868 * s, -14.0]).unwrap();
            sim.elements().add_line(kind, anchor, fairlead, 835.5, 20).unwrap();
        }
        let load = [0.0, 0.0, 1.4e7 * 9.81 + 1.8e6, 0.0, 0.0, 0.0];
        sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
        sim.initialize(0.0).unwrap();
        (0..(60.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        let mean = sim.outputs().statistic("iterations").unwrap() / sim.outputs().statistic("substeps").unwrap();
        println!("h {h}: {:?}, {mean:.2} iterations", place(&sim.outputs().body_pose(body).unwrap()));
        (place(&sim.outputs().body_pose(body).unwrap()), mean)
    };
    let ((fine, _), (coarse, mean)) = (run(0.05), run(0.5));
    // Surge of 90 s by generalized-alpha: frequency error of (w h)^2, and the start's transients of lines of 1e5 kg.
    assert!(distance(fine, coarse) < 0.1, "{fine:?} {coarse:?}");
    assert!(mean < 5.0, "{mean} iterations");
}

#[test]
fn a_state_of_other_lines_is_refused() {
    let build = |change: usize| {
        let mut sim = system("generalized-alpha", &Sea::water(50.0));
        let of = if change == 1 { Material { ea: 2.0 * OC3.ea, ..OC3 } } else { OC3 };
        let ends = [fixed(&mut sim, [0.0, 0.0, -50.0]), fixed(&mut sim, [60.0, 0.0, -10.0])];
        let (length, n) = ([90.0, 90.0, 91.0, 90.0][change], [6, 6, 6, 7][change]);
        let id = line(&mut sim, &of, ends, length, n);
        sim.initialize(0.0).unwrap();
        assert_eq!(id, 0);
        sim
    };
    let state = build(0).save().unwrap().to_bytes();
    build(0).deserialize(&state).unwrap();
    for change in 1..4 {
        assert!(matches!(build(change).deserialize(&state), Err(Error::Fingerprint { .. })), "change {change}");
    }
}

/// Water comes in and goes while time runs: what hangs weighs what it weighs, and a restored state has its water.
#[test]
fn water_that_comes_and_goes_changes_the_weight() {
    let (g, length, n) = (9.81, 40.0, 8);
    let of = Material { d: 0.2, w: 60.0, ea: 5e6, cdn: 3.0, ..OC3 }.damped(1.0, length / n as f64);
    let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
    sim.settings().set_option("rho_inf", 0.5).unwrap();
    let top = fixed(&mut sim, [0.0, 0.0, -100.0]);
    let bottom = free(&mut sim, 0.0, [0.0, 0.0, -140.0]);
    let id = line(&mut sim, &of, [top, bottom], length, n);
    sim.initialize(0.0).unwrap();
    let settle = |sim: &mut Simulation| (0..400).for_each(|_| sim.step(0.05).unwrap());
    let dry = of.w * length * g;
    settle(&mut sim);
    assert_close("dry", &sim.lines().end_force(id, 0).unwrap(), &[0.0, 0.0, -dry], 1e-4 * dry);
    let saved = sim.save().unwrap();
    sim.settings().set_environment("water_density", 1025.0).unwrap();
    settle(&mut sim);
    let wet = (of.w - 1025.0 * of.area()) * length * g;
    assert_close("wet", &sim.lines().end_force(id, 0).unwrap(), &[0.0, 0.0, -wet], 1e-4 * dry);
    sim.restore(&saved).unwrap();
    settle(&mut sim);
    assert_close("dry again", &sim.lines().end_force(id, 0).unwrap(), &[0.0, 0.0, -dry], 1e-4 * dry);
}
