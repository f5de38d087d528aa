//! Water that the host's function moves.

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

/// A line as heavy as the water that it displaces, between free points that are nothing.
fn adrift(scheme: &str, implicit: bool) -> (Simulation, Id, Arc<AtomicUsize>) {
    let sea = Sea { rho: 1025.0, ..Sea::NONE };
    let mut of = Material { d: 0.3, w: 0.0, ea: 2e5, ba: 300.0, ei: 0.0, cdn: 1.2, can: 0.9, cdt: 0.2, cat: 0.3 };
    of.w = sea.rho * of.area();
    let mut sim = system(scheme, &sea);
    sim.set_option("max_time_step", 1.0).unwrap();
    let ends = [free(&mut sim, 0.0, [0.0, 0.0, -100.0]), free(&mut sim, 0.0, [6.0, 8.0, -100.0])];
    let id = line(&mut sim, &of, ends, 10.0, N);
    let asked = Arc::new(AtomicUsize::new(0));
    sim.set_fluid_callback(Some(function(asked.clone())), implicit).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, id, asked)
}

/// (m + rho V Ca) a = rho V (1 + Ca) a_f with m = rho V, without speed through the water: it goes with it, whatever its shape.
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
        let (before, iterations) = (asked.load(Ordering::Relaxed), sim.statistic("iterations").unwrap());
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        let iterations = sim.statistic("iterations").unwrap() - iterations;
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
        sim.set_point_drag(ends[1], 0.4, 0.5).unwrap();
        let id = line(&mut sim, &of, ends, 10.0, N);
        if by_function {
            let function: FluidFn = Arc::new(move |_: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
                motion.velocities.fill(flow);
                Ok(())
            });
            sim.set_fluid_callback(Some(function), true).unwrap();
        }
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.02).unwrap());
        (nodes(&sim, id, N), tensions(&sim, id, N))
    };
    let [(x, t), (y, u)] = [false, true].map(run);
    assert!(apart(&x, &y) < 1e-9, "{:e}", apart(&x, &y));
    assert_close("tensions", &t, &u, 1e-3);
}
