//! The relaxed iteration of the semi-implicit schemes: on the spring of MoorDyn's page, and errors
//! when it fails.
//!
//! The page ("Time Schemes", spring example): w = 2 pi, one backward Euler step from r0 with v = 0,
//! stable where
//! |r(dt)| <= r0 after the last of M substeps. It iterates the acceleration, r = r0 + dt^2/2 r''; the library iterates the
//! derivative of (r, v), r = r0 + dt (v + dt r''), v = v + dt r''. Both iterations are written down
//! here.

use crate::amplification::weight;
use crate::common::{ORIGIN, UNROTATED, diagonal, pose};
use crate::divergence::factors;
use crate::models::*;
use pintle::{Error, GROUND, Simulation};
use std::f64::consts::TAU;

const GRID: f64 = 0.005;

/// r(dt)/r0 by the page: acceleration in units of w^2 r0, z = (w dt)^2/2.
fn page(code: bool, substeps: usize, wh: f64) -> f64 {
    let z = 0.5 * wh * wh;
    let mut a = -1.0;
    for m in 0..substeps {
        let evaluated = -(1.0 + z * a);
        let f = if m + 1 == substeps { 1.0 } else { weight(code, [0.9, 0.0], m, substeps) };
        a = (1.0 - f) * a + f * evaluated;
    }
    1.0 + z * a
}

/// r(dt)/r0 by the derivative of (r, v/w).
fn derivative(code: bool, substeps: usize, wh: f64) -> f64 {
    let mut f = [0.0, -1.0];
    for m in 0..substeps {
        let y = [1.0 + wh * f[0], wh * f[1]];
        let evaluated = [y[1], -y[0]];
        let weight = if m + 1 == substeps { 1.0 } else { weight(code, [0.9, 0.0], m, substeps) };
        f = [0, 1].map(|k| (1.0 - weight) * f[k] + weight * evaluated[k]);
    }
    1.0 + wh * f[0]
}

/// Whether the step multiplies the motion by more than 1.
fn grows(code: bool, substeps: usize, wh: f64) -> bool {
    let [_, step] = factors("beuler", code, substeps, C(0.0, wh));
    step.size() > 1.0
}

/// The largest w dt on the grid up to which all steps are stable.
fn limit(mut stable: impl FnMut(f64) -> bool) -> f64 {
    let first = (1..4000).find(|k| !stable(f64::from(*k) * GRID)).unwrap_or(4000);
    f64::from(first - 1) * GRID
}

fn spring(scheme: &str, options: &[(&str, f64)]) -> Simulation {
    let all = [&[("abs_tolerance", 0.0), ("rel_tolerance", 0.0)], options].concat();
    oscillator(Along::X, TAU, 0.0, [1.0, 0.0], scheme, &all)
}

#[test]
fn beuler_on_the_spring_is_stable_where_the_iteration_says() {
    println!(
        "largest stable w dt  (page's acceleration form: page, code)  (library's derivative form: page, code)  not growing: page, code"
    );
    let mut better = [0; 2];
    for substeps in 1..=40 {
        let mut row = [0.0; 6];
        for code in [false, true] {
            let options = [("relaxation", f64::from(u8::from(code)))];
            let at = usize::from(code);
            row[at] = limit(|wh| page(code, substeps, wh).abs() <= 1.0);
            row[2 + at] = limit(|wh| derivative(code, substeps, wh).abs() <= 1.0);
            row[4 + at] = limit(|wh| !grows(code, substeps, wh));
            // the library: once every step is accepted, once growing ones are refused
            let mut sim = spring(&format!("beuler{substeps}"), &[options[0], ("on_no_convergence", 1.0)]);
            let within = limit(|wh| {
                sim.advance(wh / TAU).unwrap();
                let x = motion(&sim, Along::X)[0];
                sim.reject().unwrap();
                let exact = derivative(code, substeps, wh);
                // rounding of the largest iterate: each substep multiplies what is left by w dt at
                // most
                assert!((x - exact).abs() < 1e-12 * exact.abs().max(1.0), "{substeps} {wh}: {x} {exact}");
                x.abs() <= 1.0
            });
            let mut sim = spring(&format!("beuler{substeps}"), &options);
            let not_growing = limit(|wh| match sim.advance(wh / TAU) {
                Ok(()) => sim.reject().is_ok(),
                Err(Error::Diverged { .. }) => false,
                Err(other) => panic!("{other}"),
            });
            // a step of the grid where the two sides round differently
            assert!((within - row[2 + at]).abs() < 1.5 * GRID, "{substeps} {code}: {within} {}", row[2 + at]);
            assert!((not_growing - row[4 + at]).abs() < 1.5 * GRID, "{substeps} {code}: {not_growing} {}", row[4 + at]);
        }
        for at in 0..2 {
            let [page, code] = [row[2 * at], row[2 * at + 1]];
            better[at] += i32::from(code > page) - i32::from(page > code);
        }
        println!(
            "M {substeps:2}: {:6.3} {:6.3}   {:6.3} {:6.3}   {:6.3} {:6.3}",
            row[0], row[1], row[2], row[3], row[4], row[5]
        );
    }
    println!("code better less page better: acceleration form {}, derivative form {}", better[0], better[1]);
    // one substep is no relaxation: |1 - z (1 - z)| <= 1 for z <= 1 on the page, |1 - (w dt)^2| <=
    // 1 here: w dt = sqrt 2
    for code in [false, true] {
        assert!((limit(|wh| page(code, 1, wh).abs() <= 1.0) - 2f64.sqrt()).abs() < GRID);
        assert!((limit(|wh| derivative(code, 1, wh).abs() <= 1.0) - 2f64.sqrt()).abs() < GRID);
    }
}

#[test]
fn anderson_solves_a_linear_oscillator_in_as_many_substeps_as_it_has_coordinates() {
    // Two unknowns: after two differences the iterate is the solution (Walker, Ni 2011, theorem 2.2
    // with GMRES). Until then it grows by w h a substep, three times, and the last evaluation
    // carries the rounding of that by w h again: 4 evaluations of some 64 roundings, times (1 + w
    // h)^4. Measured with a least-squares solution of our own: 4e-15, 7e-12, 7e-9 at w h 3,
    // 20, 100.
    for substeps in [4, 6] {
        for wh in [0.5, 3.0, 20.0, 100.0] {
            let mut sim = spring(&format!("anderson{substeps}"), &[]);
            sim.step(wh / TAU).unwrap();
            let [y, v, _] = motion(&sim, Along::X);
            let off = (C(y, -v / TAU) - C(1.0, 0.0) / C(1.0, -wh)).size();
            println!("anderson{substeps}, w h {wh}: off by {off:.1e}");
            assert!(off < 256.0 * f64::EPSILON * (1.0 + wh).powi(4), "anderson{substeps}, w h {wh}: off by {off:e}");
        }
    }
}

const GROWING: [&str; 5] = ["beuler8", "midpoint8", "aca8", "wilson8", "anderson2"];

#[test]
fn a_growing_iteration_is_an_error_and_leaves_the_state() {
    for scheme in GROWING {
        let mut sim = spring(scheme, &[]);
        let before = motion(&sim, Along::X);
        match sim.step(60.0 / TAU) {
            Err(Error::Diverged { iterations, step, .. }) => {
                assert!(iterations >= 2 && (step * TAU - 60.0).abs() < 1e-12, "{scheme}");
            }
            other => panic!("{scheme}: {other:?}"),
        }
        assert_eq!((before, sim.time().unwrap()), (motion(&sim, Along::X), 0.0), "{scheme}");
        for (key, value) in [("steps", 0.0), ("substeps", 0.0), ("rejected_steps", 1.0), ("not_converged_steps", 0.0)] {
            assert_eq!(sim.outputs().statistic(key).unwrap(), value, "{scheme}: {key}");
        }
        // and the run continues with a shorter step
        sim.step(0.1 / TAU).unwrap();
    }
}

#[test]
fn a_single_substep_that_grows_is_told_too() {
    // the next evaluation changes k w h as much as the first, k = 1, 1/2, 1; (w h)^2/4 with aca,
    // (theta w h)^2/6 with wilson
    for (scheme, limit) in
        [("beuler1", 1.0), ("midpoint1", 2.0), ("anderson1", 1.0), ("aca1", 2.0), ("wilson1", 6f64.sqrt() / 1.37)]
    {
        for (wh, grows) in [(0.99 * limit, false), (1.01 * limit, true), (20.0, true)] {
            let mut sim = spring(scheme, &[]);
            match sim.step(wh / TAU) {
                Ok(()) => assert!(!grows, "{scheme} {wh}"),
                Err(Error::Diverged { iterations: 1, .. }) => assert!(grows, "{scheme} {wh}"),
                Err(other) => panic!("{scheme} {wh}: {other}"),
            }
        }
    }
}

#[test]
fn anderson_ends_however_large_its_numbers_get() {
    let mut sim = Simulation::new();
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([1.0; 3], UNROTATED))
        .unwrap();
    let k = diagonal([1.0, 0.36, 0.09, 1.0, 1.0, 1.0]);
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &k, &[0.0; 36]).unwrap();
    sim.settings().set_scheme("anderson5").unwrap();
    sim.settings().set_option("on_no_convergence", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    let failed = (0..5000).find_map(|_| sim.step(3.0).err());
    assert!(matches!(failed, None | Some(Error::Unstable { .. })), "{failed:?}");
}

#[test]
fn a_growing_iteration_is_accepted_and_counted_where_the_host_says_so() {
    for scheme in GROWING {
        let mut sim = spring(scheme, &[("on_no_convergence", 1.0)]);
        assert_eq!(sim.outputs().warning().unwrap(), "");
        sim.step(60.0 / TAU).unwrap();
        assert_eq!(sim.outputs().statistic("not_converged_steps").unwrap(), 1.0, "{scheme}");
        assert!(sim.outputs().statistic("last_error").unwrap() > 1.0, "{scheme}");
        assert!(
            sim.outputs().warning().unwrap().contains("without convergence"),
            "{scheme}: {}",
            sim.outputs().warning().unwrap()
        );
        sim.step(1e-3 / TAU).unwrap();
        assert_eq!(
            sim.outputs().statistic("not_converged_steps").unwrap(),
            1.0,
            "{scheme}: a good step is not counted"
        );
    }
}

#[test]
fn a_growing_iteration_is_cut_where_the_host_says_so() {
    for scheme in GROWING {
        let mut sim = spring(scheme, &[("on_no_convergence", 2.0)]);
        let h = 60.0 / TAU;
        sim.step(h).unwrap();
        let parts = sim.outputs().statistic("substeps").unwrap();
        let rejected = sim.outputs().statistic("rejected_steps").unwrap();
        // a binary tree of halves: one failure less than there are leaves
        assert!(parts >= 2.0 && rejected == parts - 1.0, "{scheme}: {parts} parts, {rejected} failures");
        assert_eq!((sim.time().unwrap(), sim.outputs().statistic("steps").unwrap()), (h, 1.0));
        if parts.log2().fract() == 0.0 {
            let mut small = spring(scheme, &[("max_time_step", h / parts)]);
            small.step(h).unwrap();
            let (cut, small) = (motion(&sim, Along::X), motion(&small, Along::X));
            // the same steps but for the rounding of their lengths
            let size = small[0].hypot(small[1] / TAU);
            assert!((cut[0] - small[0]).abs() < 1e-10 * (1.0 + size), "{scheme}: {cut:?} {small:?}");
        }
    }
}

#[test]
fn substeps_evaluations_and_the_measure_are_counted() {
    for (scheme, substeps) in
        [("beuler7", 7.0), ("midpoint3", 3.0), ("anderson6", 6.0), ("aca5", 5.0), ("wilson2", 2.0)]
    {
        let mut sim = spring(scheme, &[]);
        sim.step(0.01).unwrap();
        let before = ["iterations", "evaluations", "body_evaluations", "substeps"]
            .map(|key| sim.outputs().statistic(key).unwrap());
        for _ in 0..10 {
            sim.step(0.01).unwrap();
        }
        let after = ["iterations", "evaluations", "body_evaluations", "substeps"]
            .map(|key| sim.outputs().statistic(key).unwrap());
        let done: Vec<f64> = after.iter().zip(before).map(|(a, b)| a - b).collect();
        if scheme == "anderson6" {
            // it may be exact before its last substep, and stop
            assert!(done[0] >= 30.0 && done[1] == done[0] + 10.0, "{done:?}");
            continue;
        }
        // every substep one evaluation, and one at the end of the step, which begins the next
        assert_eq!(done, [10.0 * substeps, 10.0 * (substeps + 1.0), 10.0 * (substeps + 1.0), 10.0], "{scheme}");
        assert_eq!(sim.outputs().statistic("last_iterations").unwrap(), substeps, "{scheme}");
    }
    // With tolerances substeps stop once the last change is far below them. R = 0.9 (1 - 1/900) =
    // 0.899 per substep; a tolerance wider by 1e4 saves ln(1e4)/-ln(0.899) = 86.5 of them; what is
    // left turns between r and v meanwhile, by 0.1 k w h = 0.003 a substep, 0.3 in all, so that one
    // tolerance meets up to 1.4 times as much of it: ln(1.4)/0.106 = 3 substeps.
    let substeps = [1e-6, 1e-2].map(|tolerance| {
        let options = [("abs_tolerance", 0.0), ("rel_tolerance", tolerance)];
        let mut sim = oscillator(Along::X, TAU, 0.0, [1.0, 0.0], "midpoint900", &options);
        sim.step(0.01).unwrap();
        assert!(sim.outputs().statistic("last_error").unwrap() < 1.0);
        sim.outputs().statistic("last_iterations").unwrap()
    });
    assert!((substeps[0] - substeps[1] - 86.5).abs() < 3.5, "{substeps:?}");
}

/// Whether an undamped oscillator grows in the library over some hundred steps, every step
/// accepted.
fn library_grows(scheme: &str, wh: f64) -> bool {
    let mut sim = spring(scheme, &[("on_no_convergence", 1.0)]);
    let mut largest = [0.0f64; 2];
    for n in 0..1200 {
        if sim.step(wh / TAU).is_err() {
            return true;
        }
        let [x, v, _] = motion(&sim, Along::X);
        let part = &mut largest[n / 600];
        *part = part.max(x.hypot(v / TAU));
    }
    largest[1] > largest[0]
}

#[test]
fn wilson_is_stable_far_beyond_its_plain_iteration() {
    // The iteration of A multiplies what is left by R - f z/6, z = (theta w h)^2, R = 0.9 (1 -
    // 1/N); with no relaxation it contracts for w h < sqrt(6)/1.37 = 1.79 only, which is where
    // MoorDyn's own constants end (1.75 and 1.68).
    for (substeps, documented) in [(2, 1.75), (5, 3.6), (20, 5.9)] {
        let scheme = format!("wilson{substeps}");
        let first = (1..200).map(|k| 0.05 * f64::from(k)).find(|wh| library_grows(&scheme, *wh)).unwrap();
        println!("{scheme}: grows from w h {first:.2} on");
        assert!(
            (first - 0.05 - documented).abs() < 0.11,
            "{scheme}: stable to {}, documented {documented}",
            first - 0.05
        );
    }
    // MoorDyn's weight, 0.985 of the new value from the start, by the options
    let old = |wh: f64| {
        let options = [("relaxation_c0", 0.015), ("relaxation_c1", 0.0), ("on_no_convergence", 1.0)];
        let mut sim = spring("wilson5", &options);
        let sizes = [0; 1200].map(|_| sim.step(wh / TAU).map_or(f64::INFINITY, |()| motion(&sim, Along::X)[0].abs()));
        let largest = |part: &[f64]| part.iter().fold(0.0f64, |l, x| l.max(*x));
        largest(&sizes[600..]) > largest(&sizes[..600])
    };
    assert!(!old(1.7) && old(1.85));
}

#[test]
fn given_constants_of_the_relaxation_are_used() {
    // beuler3 from (1, 0) with C0: R = C0 (1 - 1/3)
    for c0 in [0.0, 0.3, 0.9, 1.0] {
        let mut sim = spring("beuler3", &[("relaxation_c0", c0)]);
        let wh = 0.4;
        sim.step(wh / TAU).unwrap();
        let mut f = [0.0, -1.0];
        for m in 0..3 {
            let evaluated = [wh * f[1], -1.0 - wh * f[0]];
            let part = if m == 2 { 1.0 } else { 1.0 - c0 * (1.0 - 1.0 / 3.0) };
            f = [0, 1].map(|k| (1.0 - part) * f[k] + part * evaluated[k]);
        }
        assert!((motion(&sim, Along::X)[0] - (1.0 + wh * f[0])).abs() < 8.0 * f64::EPSILON, "C0 {c0}");
    }
    // -1 is the scheme's own
    let end = |options: &[(&str, f64)]| {
        let mut sim = spring("aca4", options);
        (0..10).for_each(|_| sim.step(0.05).unwrap());
        motion(&sim, Along::X)
    };
    let own = end(&[]);
    assert_eq!(own, end(&[("relaxation_c0", -1.0), ("relaxation_c1", -1.0)]));
    assert_eq!(own, end(&[("relaxation_c0", 0.9), ("relaxation_c1", 0.15)]));
    assert!(own != end(&[("relaxation_c1", 0.0)]));
    let mut sim = Simulation::new();
    for value in [-0.5, 1.5, f64::NAN] {
        assert!(
            sim.settings().set_option("relaxation_c0", value).is_err()
                && sim.settings().set_option("relaxation_c1", value).is_err()
        );
    }
}

#[test]
fn relaxed_midpoint_changes_the_energy_that_its_formula_keeps() {
    // |R|^2 per step, a period of 2 pi/(w h) steps: what is left of the energy of an undamped oscillator after one period
    for (substeps, wh) in [(3, 0.1), (5, 0.1), (10, 0.1), (20, 0.1), (5, 0.5), (10, 0.5), (20, 0.5), (40, 0.5)] {
        let mut sim = spring(&format!("midpoint{substeps}"), &[]);
        let steps = (TAU / wh).round() as i32;
        (0..steps).for_each(|_| sim.step(wh / TAU).unwrap());
        let [x, v, _] = motion(&sim, Along::X);
        let [_, step] = factors("midpoint", true, substeps, C(0.0, wh));
        let expected = step.size().powi(2 * steps);
        let energy = x * x + v * v / (TAU * TAU);
        println!("midpoint{substeps}, w h {wh}: {:.3} of the energy after a period", energy);
        assert!((energy / expected - 1.0).abs() < 1e-9, "midpoint{substeps} {wh}: {energy} {expected}");
    }
}
