//! Lines at the steps of hosts: iterations, long steps, water that changes, other models' states.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Error, Id, Simulation};

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

/// The line of OC3 with a fairlead in waves.
fn driven(scheme: &str, n: usize) -> (Simulation, Id, Id) {
    let mut sim = system(scheme, &Sea::water(OC3_DEPTH));
    // The library's own tolerances.
    host_tolerances(&mut sim);
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
        let (mut sim, _, fairlead) = driven("generalized-alpha", n);
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

/// Lines couple the bodies at their ends: with local steps all take the step of the fastest, and
/// the result is that of the scheme without local steps, bit for bit.
#[test]
fn local_steps_are_one_step_where_lines_tie() {
    for (local, plain) in [("leuler", "euler"), ("lab3", "ab3"), ("lab5", "ab5")] {
        let run = |scheme: &str| {
            let (mut sim, id, fairlead) = driven(scheme, 5);
            (0..20).for_each(|_| follow(&mut sim, fairlead, 0.1));
            (tensions(&sim, id, 5), sim.outputs().statistic("substeps").unwrap())
        };
        let (found, expected) = (run(local), run(plain));
        assert!(expected.1 > 20.0, "{plain} took {} steps", expected.1);
        assert_eq!(found, expected, "{local} beside {plain}");
    }
}

#[test]
fn long_steps_give_the_tension_of_short_ones() {
    for n in [20, 100] {
        let run = |h: f64| {
            let (mut sim, id, fairlead) = driven("generalized-alpha", n);
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
        // 0.5 % of the largest at 0.1 s, a fifth of it at 0.025 s (waves of segments, of 0.13 s for
        // 20, are stepped over in the first).
        for (h, limit) in [(0.1, 5e-3), (0.025, 3e-3)] {
            let history = run(h);
            assert_eq!(history.len(), fine.len());
            let error = history.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / most;
            println!("N {n}, h {h}: {:.3} % of {:.0} kN", 1e2 * error, 1e-3 * most);
            assert!(error < limit, "N {n}, h {h}: {error:e}");
        }
    }
}

/// A platform of 14000 t on three lines, let go 8 m aside, in steps of half a second.
#[test]
fn a_moored_platform_decays_alike_in_steps_of_half_a_second() {
    let run = |h: f64| {
        let (mut sim, body, _) = platform([8.0, 3.0, 0.0]);
        host_tolerances(&mut sim);
        sim.initialize(0.0).unwrap();
        (0..(60.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        let mean = sim.outputs().statistic("iterations").unwrap() / sim.outputs().statistic("substeps").unwrap();
        println!("h {h}: {:?}, {mean:.2} iterations", place(&sim.outputs().body_pose(body).unwrap()));
        (place(&sim.outputs().body_pose(body).unwrap()), mean)
    };
    let ((fine, _), (coarse, mean)) = (run(0.05), run(0.5));
    // Surge of 90 s by generalized-alpha: frequency error of (w h)^2, and the start's transients of
    // lines of 1e5 kg.
    assert!(distance(fine, coarse) < 0.1, "{fine:?} {coarse:?}");
    assert!(mean < 6.0, "{mean} iterations");
}

/// A fairlead that moves so fast that the line falls slack and snaps: steps of a tenth of a second
/// get through, and with option `line_tension_change` they come nearer to what short steps say.
#[test]
fn snaps_are_passed_and_resolved_where_that_is_wanted() {
    let snap = |h: f64, most: f64| {
        let (mut s, id, fairlead) = driven("generalized-alpha", 20);
        s.settings().set_option("line_tension_change", most).unwrap();
        let mut largest = [0.0f64; 2];
        let every = (0.1 / h).round() as usize;
        for k in 1..=(40.0 / h) as usize {
            let t = k as f64 * h;
            let (w, size) = (std::f64::consts::TAU / 6.0, 6.0);
            let ([f, fd, fdd], (sin, cos)) = (ramp(t), (w * t).sin_cos());
            let along = size * f * sin;
            let rate = size * (fd * sin + f * w * cos);
            let second = size * (fdd * sin + 2.0 * fd * w * cos - f * w * w * sin);
            let [x, v, a] = [along, rate, second].map(|m| [-0.6 * m, 0.0, 0.8 * m]);
            s.inputs().set_point_motion(fairlead, &add(OC3_FAIRLEAD, x), &v, &a).unwrap();
            s.step(h).unwrap();
            if k % every == 0 {
                let last = tensions(&s, id, 20)[19];
                largest = [largest[0].max(last), largest[1].max(-last)];
            }
        }
        (
            largest,
            s.outputs().statistic("substeps").unwrap(),
            s.outputs().statistic("rejected_steps").unwrap(),
            s.outputs().statistic("iterations").unwrap(),
        )
    };
    let [(coarse, _, failed, iterations), (cut, parts, ..), (fine, ..)] =
        [(0.1, 0.0), (0.1, 2e5), (0.0025, 0.0)].map(|(h, most)| snap(h, most));
    // The tension rises to three times that at rest, and the damper pushes where the line is slack.
    assert!(fine[0] > 2.7e6 && fine[1] > 4e4, "{fine:?}");
    assert!(iterations / 400.0 < 3.5 && failed <= 4.0, "{iterations} iterations, {failed} cuts");
    let off = |run: [f64; 2]| (run[0] - fine[0]).abs() / fine[0];
    assert!(off(cut) < 0.5 * off(coarse) && off(coarse) < 0.08, "{coarse:?} {cut:?} {fine:?}");
    assert!(parts < 1000.0, "{parts} internal steps in place of 400");
}

/// A body with a fairlead off its centre, a buoy between two lines, an anchor, friction; springs in
/// place of the water.
fn moored_body() -> Simulation {
    let mut s = system("generalized-alpha", &Sea::water(OC3_DEPTH));
    for (key, value) in [("seabed_friction", 0.5), ("friction_slip", 0.02)] {
        s.settings().set_environment(key, value).unwrap();
    }
    host_tolerances(&mut s);
    let at = pose([0.0, 0.0, -10.0], UNROTATED);
    let body = s.build().add_rigid_body(2e6, &[0.0; 3], &[2e8, 2e8, 3e8, 0.0, 0.0, 0.0], &at).unwrap();
    for (x, y) in [(-20.0, 0.0), (20.0, 20.0), (20.0, -20.0)] {
        s.elements().add_spring(body, &[x, y, 0.0], pintle::GROUND, &[x, y, 50.0], 3e5, 2e4, 40.0, false).unwrap();
    }
    let fairlead = free(&mut s, 0.0, [0.0; 3]);
    s.build().attach_point(fairlead, body, &[5.0, 1.0, -3.0]).unwrap();
    let buoy = s.build().add_point(500.0, 1.0, &[200.0, 20.0, -150.0]).unwrap();
    s.build().set_point_drag(buoy, 2.0, 0.5).unwrap();
    let anchor = fixed(&mut s, [600.0, 0.0, -OC3_DEPTH]);
    line(&mut s, &OC3.damped(0.8, 250.0 / 8.0), [fairlead, buoy], 250.0, 8);
    line(&mut s, &OC3.damped(0.8, 460.0 / 12.0), [anchor, buoy], 460.0, 12);
    s
}

#[test]
fn bodies_points_and_lines_move_together_and_come_to_the_equilibrium() {
    let mut s = moored_body();
    s.initialize(0.0).unwrap();
    let mut other = moored_body();
    other.initialize(0.0).unwrap();
    let steps = other.solve_equilibrium(100, 1e-8).unwrap();
    assert!(steps < 40, "{steps}");
    let places = |s: &Simulation| [s.points().position(1).unwrap(), place(&s.outputs().body_pose(0).unwrap())];
    let found = places(&other);
    for _ in 0..50 {
        other.step(0.2).unwrap();
    }
    // The tolerance leaves 1e-8 of the weight of 2e6 kg, 0.2 N; a line with a tension of 1e5 N over
    // 250 m gives way by that over 400 N/m, 5e-4 m.
    for (before, after) in found.into_iter().zip(places(&other)) {
        assert!(distance(before, after) < 1e-3, "{before:?} {after:?}");
    }
    // From another start the run reaches it, except that friction of the bed holds lines to the
    // side.
    for _ in 0..3000 {
        s.step(0.1).unwrap();
    }
    for (rest, moving) in found.into_iter().zip(places(&s)) {
        assert!(distance(rest, moving) < 2.5, "{rest:?} {moving:?}");
    }
    let iterations = s.outputs().statistic("iterations").unwrap() / 3000.0;
    assert!(iterations < 2.5 && s.outputs().statistic("rejected_steps").unwrap() == 0.0, "{iterations}");
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

/// The water density changes during a run: the weight in water follows, and a restored state has
/// its density.
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
