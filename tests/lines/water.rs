//! Lines in water that moves as a fluid callback says.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::{FluidFn, FluidMotion};
use pintle::{Id, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const N: usize = 4;

/// Velocity, acceleration and displacement of water that moves everywhere alike.
fn swell(t: f64) -> [V3; 3] {
    let ((s, c), (s2, c2)) = (t.sin_cos(), (2.0 * t).sin_cos());
    [[0.5 * s, 0.3 * s2, 0.0], [0.5 * c, 0.6 * c2, 0.0], [0.5 * (1.0 - c), 0.15 * (1.0 - c2), 0.0]]
}

fn function(asked: Arc<AtomicUsize>) -> FluidFn {
    Arc::new(move |t: f64, places: &[[f64; 3]], motion: &mut FluidMotion| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert_eq!(places.len(), motion.velocities.len());
        let [v, a, _] = swell(t);
        motion.velocities.fill(v);
        motion.accelerations.fill(a);
        Ok(())
    })
}

/// A neutrally buoyant line between free points without mass and volume.
fn adrift(scheme: &str, implicit: bool) -> (Simulation, Id, Arc<AtomicUsize>) {
    let sea = Sea { rho: 1025.0, ..Sea::NONE };
    let mut of = Material { d: 0.3, w: 0.0, ea: 2e5, ba: 300.0, ei: 0.0, cdn: 1.2, can: 0.9, cdt: 0.2, cat: 0.3 };
    of.w = sea.rho * of.area();
    let mut sim = system(scheme, &sea);
    sim.settings().set_option("max_time_step", 1.0).unwrap();
    let ends = [free(&mut sim, 0.0, [0.0, 0.0, -100.0]), free(&mut sim, 0.0, [6.0, 8.0, -100.0])];
    let id = line(&mut sim, &of, ends, 10.0, N);
    let asked = Arc::new(AtomicUsize::new(0));
    sim.settings().set_fluid_callback(Some(function(asked.clone())), implicit).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, id, asked)
}

/// (m + rho V Ca) a = rho V (1 + Ca) a_f with m = rho V, without velocity relative to the water:
/// the line moves with it, whatever its shape.
#[test]
fn a_line_as_heavy_as_water_goes_with_it() {
    for (scheme, implicit, order, sizes) in [
        ("generalized-alpha", false, 2.0, [200, 400, 800]),
        ("generalized-alpha", true, 2.0, [200, 400, 800]),
        ("rk4", false, 4.0, [200, 400, 800]),
    ] {
        let mut table = Vec::new();
        for steps in sizes {
            let (mut sim, id, _) = adrift(scheme, implicit);
            let begun = nodes(&sim, id, N);
            (0..steps).for_each(|_| sim.step(2.0 / steps as f64).unwrap());
            let [v, _, x] = swell(2.0);
            let expected: Vec<V3> = begun.iter().map(|r| add(*r, x)).collect();
            let error = apart(&nodes(&sim, id, N), &expected);
            table.push((2.0 / steps as f64, error));
            assert!(apart(&speeds(&sim, id, N), &[v; N + 1]) < 1e-3);
            assert!(tensions(&sim, id, N).iter().all(|t| t.abs() < 1e-3), "nothing strains it");
        }
        println!("{scheme} {implicit}: {table:?} {:?}", orders(&table));
        // Runge-Kutta reaches rounding.
        assert!(table[2].1 < 1e-10 || orders(&table).iter().all(|p| *p > order - 0.2), "{scheme}: {table:?}");
        assert!(table[2].1 < 1e-4);
    }
}

#[test]
fn the_host_is_asked_once_per_step_or_at_every_iterate() {
    let asked = |implicit: bool| {
        let (mut sim, _, asked) = adrift("generalized-alpha", implicit);
        // The first step begins with accelerations under what the host says then.
        sim.step(0.01).unwrap();
        let (before, iterations) = (asked.load(Ordering::Relaxed), sim.outputs().statistic("iterations").unwrap());
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        let iterations = sim.outputs().statistic("iterations").unwrap() - iterations;
        (asked.load(Ordering::Relaxed) - before, iterations as usize)
    };
    let (once, _) = asked(false);
    assert_eq!(once, 10);
    let (often, iterations) = asked(true);
    assert!(often >= iterations && often <= iterations + 10, "{often} times in {iterations} iterations");
}

/// Water that the function moves steadily is a current.
#[test]
fn a_steady_function_is_a_current() {
    let run = |by_function: bool| {
        let flow = [0.7, -0.4, 0.1];
        let sea = Sea { rho: 1025.0, current: if by_function { [0.0; 3] } else { flow }, ..Sea::NONE };
        let of = Material { d: 0.2, w: 60.0, ea: 2e6, ba: 3e3, ei: 500.0, cdn: 1.2, can: 0.9, cdt: 0.2, cat: 0.3 };
        let mut sim = system("generalized-alpha", &sea);
        let ends = [fixed(&mut sim, [0.0, 0.0, -100.0]), free(&mut sim, 50.0, [6.0, 6.0, -103.0])];
        sim.build().set_point_drag(ends[1], 0.4, 0.5).unwrap();
        let id = line(&mut sim, &of, ends, 10.0, N);
        if by_function {
            let function: FluidFn = Arc::new(move |_: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
                motion.velocities.fill(flow);
                Ok(())
            });
            sim.settings().set_fluid_callback(Some(function), true).unwrap();
        }
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.02).unwrap());
        (nodes(&sim, id, N), tensions(&sim, id, N))
    };
    let [(x, t), (y, u)] = [false, true].map(run);
    assert!(apart(&x, &y) < 1e-9, "{:e}", apart(&x, &y));
    assert_close("tensions", &t, &u, 1e-3);
}

/// A taut upright line across water whose velocity u(z) and acceleration a(z) the function gives.
fn across(n: usize, by_function: impl Fn(f64) -> [f64; 2] + Send + Sync + 'static) -> (Simulation, Id) {
    let sea = Sea { rho: 1025.0, ..Sea::NONE };
    let mut of = Material { d: 0.1, w: 0.0, ea: 1e9, ba: 1e6, ei: 0.0, cdn: 1.3, can: 0.8, cdt: 0.0, cat: 0.0 };
    of.w = sea.rho * of.area();
    let mut sim = system("generalized-alpha", &sea);
    sim.settings().set_option("rho_inf", 0.0).unwrap();
    let ends = [fixed(&mut sim, [3.0, 1.0, -60.0]), fixed(&mut sim, [3.0, 1.0, -40.0])];
    let id = line(&mut sim, &of, ends, 20.0 / 1.001, n);
    let function: FluidFn = Arc::new(move |_: f64, places: &[[f64; 3]], motion: &mut FluidMotion| {
        for ((place, v), a) in places.iter().zip(&mut *motion.velocities).zip(&mut *motion.accelerations) {
            let [velocity, acceleration] = by_function(place[2]);
            (*v, *a) = ([velocity, 0.0, 0.0], [0.0, acceleration, 0.0]);
        }
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(function), true).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, id)
}

/// Water that moves differently at every node: the ends of a taut line hold its load by the lever
/// rule, R_A = integral of f(z) (z_B - z)/(z_B - z_A) dz, with f = rho d Cdn u|u|/2 across one axis
/// and rho A (1 + Ca) a across the other. Lumped loads are the trapezoidal rule, whose error
/// follows from Euler's and Maclaurin's formula.
#[test]
fn water_that_moves_differently_along_a_line_loads_its_ends_by_the_lever_rule() {
    let u = |z: f64| 0.5 + 0.03 * (z + 60.0);
    let a = |z: f64| 0.2 - 0.004 * (z + 60.0) * (z + 60.0);
    // Stretched by a thousandth, a unit of its length in space has that much less of line.
    let drag = move |z: f64| 0.5 * 1025.0 * 0.1 * 1.3 * u(z) * u(z) / 1.001;
    let inertia = move |z: f64| 1025.0 * 0.0025 * std::f64::consts::PI * 1.8 * a(z) / 1.001;
    // Gauss with 4 points is exact for polynomials of degree 7.
    let gauss =
        [(0.069_431_844_202_973_71, 0.173_927_422_568_726_93), (0.330_009_478_207_571_87, 0.326_072_577_431_273_07)];
    let integral = |g: &dyn Fn(f64) -> f64| {
        let pair = |(x, w): &(f64, f64)| w * (g(-60.0 + 20.0 * x) + g(-40.0 - 20.0 * x));
        20.0 * gauss.iter().map(pair).sum::<f64>()
    };
    for n in [5, 10, 20] {
        let (mut sim, id) = across(n, move |z| [u(z), a(z)]);
        // Waves across the line die out by drag alone, which falls with their speed.
        (0..30_000).for_each(|_| sim.step(0.5).unwrap());
        let h = 20.0 / n as f64;
        for (end, lever) in [(0, [1.0, 0.0]), (1, [0.0, 1.0])] {
            let found = sim.lines().end_force(id, end).unwrap();
            let share = |z: f64| lever[0] * (-40.0 - z) / 20.0 + lever[1] * (z + 60.0) / 20.0;
            let loads: [&dyn Fn(f64) -> f64; 2] = [&drag, &inertia];
            for (k, load) in loads.into_iter().enumerate() {
                let g = |z: f64| load(z) * share(z);
                // h^2/12 (g'(b) - g'(a)); what follows has the third derivative and h^4/720.
                let slope = |z: f64| (g(z + 1e-3) - g(z - 1e-3)) / 2e-3;
                let expected = integral(&g) + h * h / 12.0 * (slope(-40.0) - slope(-60.0));
                // The line leans by f L/(2 T) = 1e-3, which counts with its square; the fourth
                // order is below 1e-5 of this.
                let error = (found[k] - expected).abs() / expected.abs();
                println!("N = {n}, end {end}, {k}: {} beside {expected}, off {error:.1e}", found[k]);
                assert!(error < 2e-5, "N = {n}, end {end}, {k}: {} is not {expected}", found[k]);
            }
        }
    }
}

/// Water at rest that moves with u from one step to the next: a line that goes with it has, by drag
/// alone, v = u s/(1 + s), s = k u t/m, with the mass m and added mass of a length and k = rho d
/// Cdn/2. What the host says is taken to change over the step before: as if it came h/2 earlier, by
/// which v is off at most by h/2 k u^2/m.
#[test]
fn water_that_starts_at_once_takes_a_line_along() {
    let (u, d, cdn, can) = (2.0, 0.3, 1.2, 0.9);
    for implicit in [false, true] {
        let mut table = Vec::new();
        for h in [0.04f64, 0.02, 0.01] {
            let sea = Sea { rho: 1025.0, ..Sea::NONE };
            let mut of = Material { d, w: 0.0, ea: 2e5, ba: 300.0, ei: 0.0, cdn, can, cdt: 0.0, cat: can };
            of.w = sea.rho * of.area();
            let (m, k) = (of.w * (1.0 + can), 0.5 * sea.rho * d * cdn);
            let mut sim = system("generalized-alpha", &sea);
            let ends = [free(&mut sim, 0.0, [0.0, 0.0, -100.0]), free(&mut sim, 0.0, [0.0, 8.0, -94.0])];
            let id = line(&mut sim, &of, ends, 10.0, N);
            let function: FluidFn = Arc::new(move |t: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
                motion.velocities.fill(if t > 1.0 - 1e-9 { [u, 0.0, 0.0] } else { [0.0; 3] });
                Ok(())
            });
            sim.settings().set_fluid_callback(Some(function), implicit).unwrap();
            sim.initialize(0.0).unwrap();
            let begun = nodes(&sim, id, N);
            let steps = (1.0 / h).round() as usize;
            (0..steps - 1).for_each(|_| sim.step(h).unwrap());
            assert!(apart(&nodes(&sim, id, N), &begun) < 1e-9, "still water holds still");
            (0..steps + 1).for_each(|_| sim.step(h).unwrap());
            let s = k * u / m;
            let expected = u * s / (1.0 + s);
            let found = speeds(&sim, id, N);
            let error = apart(&found, &[[expected, 0.0, 0.0]; N + 1]);
            let bound = 0.5 * h * k * u * u / m;
            println!("{implicit} {h}: off {error:e}, at most {bound:e}");
            assert!(error < bound, "{implicit} {h}: {error} is above {bound}");
            table.push((h, error));
        }
        assert!(orders(&table).iter().all(|p| *p > 0.8), "{implicit}: {table:?}");
    }
}
