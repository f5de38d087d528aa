//! A step that failed leaves no trace where a body with a load callback carries a line; and whether
//! steps fail does not depend on units.

use crate::common::*;
use crate::models::*;
use crate::reference::Material;
use pintle::model::LineType;
use pintle::{Frame, Id, Simulation};
use std::sync::Arc;

const ROPE: Material =
    Material { d: 0.05, w: 2.0, ea: 2000.0, ba: -0.5, ei: 0.0, cdn: 1.1, can: 1.0, cdt: 0.1, cat: 0.0 };

/// A body on a line, in a fluid whose load comes from a callback.
fn carried(scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.1, 0.2, 0.3], UNROTATED)).unwrap();
    let anchor = fixed(&mut sim, [5.0, 0.0, -1.0]);
    let fairlead = free(&mut sim, 0.0, [0.0; 3]);
    sim.build().attach_point(fairlead, body, &[0.2, 0.0, 0.0]).unwrap();
    line(&mut sim, &ROPE, [anchor, fairlead], 6.3, 5);
    let load = |m: &pintle::BodyMotion, out: &mut pintle::BodyLoad| {
        for k in 0..3 {
            out.wrench[k] = -20.0 * m.pose[k] - 0.8 * m.acceleration[k] - 0.5 * m.velocity[k];
        }
        Ok(())
    };
    sim.inputs().set_load_callback(body, Some(Arc::new(load))).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

#[test]
fn a_step_that_failed_leaves_no_trace_in_the_next() {
    let mut failed = 0;
    for scheme in schemes() {
        let [(mut here, body), (mut there, _)] = [0; 2].map(|_| carried(&scheme));
        for n in 0..3 {
            for long in [20.0, 1e3, 1e9] {
                match there.advance(long) {
                    Ok(()) => there.reject().unwrap(),
                    Err(_) => failed += 1,
                }
            }
            for sim in [&mut here, &mut there] {
                sim.step(0.004).unwrap_or_else(|e| panic!("{scheme}, step {n}: {e}"));
            }
            let [a, b] = [&here, &there].map(|sim| sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
            assert_eq!(a.map(f64::to_bits), b.map(f64::to_bits), "{scheme}, step {n}");
        }
    }
    assert!(failed > 30, "{failed} steps failed");
}

/// A body of some 3 m on a soft seat, turning, with a chain; lengths times `unit`. Returns the
/// iterations of each step, and the final places.
fn moored(unit: f64) -> (Vec<f64>, Vec<V3>) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81 * unit]).unwrap();
    sim.settings().set_environment("depth", 50.0 * unit).unwrap();
    for (key, value) in [("seabed_stiffness", 3e6), ("seabed_damping", 3e5)] {
        sim.settings().set_environment(key, value / (unit * unit)).unwrap();
    }
    sim.settings().set_environment("seabed_smoothing", 0.1 * unit).unwrap();
    let moments = [1e6 * unit * unit, 1e6 * unit * unit, 1e6 * unit * unit, 0.0, 0.0, 0.0];
    let place = pose([150.0 * unit, 0.0, -5.0 * unit], UNROTATED);
    let body = sim.build().add_rigid_body(1e5, &[0.0; 3], &moments, &place).unwrap();
    sim.build().set_body_velocity(body, &[unit, 0.5 * unit, 0.0, 0.0, 0.0, 0.1]).unwrap();
    let diagonal = |d: [f64; 6]| {
        let mut all = [0.0; 36];
        (0..6).for_each(|k| all[7 * k] = d[k]);
        all
    };
    let turning = unit * unit;
    let stiffness = diagonal([1e4, 1e4, 1e6, 1e6 * turning, 1e6 * turning, 1e6 * turning]);
    let damping = diagonal([1e4, 1e4, 1e4, 1e5 * turning, 1e5 * turning, 1e5 * turning]);
    sim.elements().add_bushing(pintle::GROUND, body, &place, &ORIGIN, &stiffness, &damping).unwrap();
    let anchor = fixed(&mut sim, [0.0, 0.0, -50.0 * unit]);
    let fairlead = free(&mut sim, 0.0, [0.0; 3]);
    sim.build().attach_point(fairlead, body, &[unit, 0.5 * unit, -0.5 * unit]).unwrap();
    let chain = Material { d: 0.09 * unit, w: 77.7 / unit, ea: 4e8 * unit, ba: -0.8, ..OC3 };
    let id = line(&mut sim, &chain, [anchor, fairlead], 172.26 * unit, 10);
    sim.initialize(0.0).unwrap();
    let iterations = (0..30)
        .map(|_| {
            sim.step(0.1).unwrap();
            sim.outputs().statistic("last_iterations").unwrap()
        })
        .collect();
    (iterations, nodes(&sim, id, 10).into_iter().map(|x| scale(1.0 / unit, x)).collect())
}

/// A rotating body: the decision whether the predictor uses accelerations once depended on a sum of
/// m/s^2 and rad/s^2.
#[test]
fn the_iteration_takes_the_same_way_in_every_unit_of_length() {
    let (iterations, places) = moored(1.0);
    for unit in [1e-3, 1e-1, 1e3] {
        let (other, there) = moored(unit);
        // Rounding decides a step whose last increment is at the tolerance: one iteration more or
        // less, in few steps.
        let differ: Vec<f64> = iterations.iter().zip(&other).map(|(a, b)| (a - b).abs()).filter(|d| *d > 0.0).collect();
        assert!(differ.len() <= 3 && differ.iter().all(|d| *d <= 1.0), "unit {unit}: {iterations:?} and {other:?}");
        // The same iterates but for rounding, which a few steps of a chain that touches down
        // magnify.
        assert!(apart(&places, &there) < 1e-9, "unit {unit}: {:e}", apart(&places, &there));
    }
}

/// A load for which the equations have no solution ends in an error, never in a step that ignores
/// it; the system continues from its last state.
#[test]
fn loads_without_bounds_are_not_overlooked() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        for [convergence, policy] in [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]] {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
            sim.settings().set_option("convergence", convergence).unwrap();
            sim.settings().set_option("on_no_convergence", policy).unwrap();
            let weight = sim.build().add_point(1.0, 0.0, &[0.0; 3]).unwrap();
            let top = sim.build().add_point(1.0, 0.0, &[0.0, 0.0, 10.0]).unwrap();
            sim.build().fix_point(top).unwrap();
            // Without damping the second iteration ends as not finite also where increments are cut
            // to nothing: that would prove little.
            let rope = LineType { diameter: 0.1, mass_per_length: 5.0, ea: 1e4, ba: 10.0, ..LineType::default() };
            let rope = sim.elements().add_line_type(rope).unwrap();
            sim.elements().add_line(rope, top, weight, 10.0, 3).unwrap();
            sim.initialize(0.0).unwrap();
            sim.step(1e-3).unwrap();
            let place = sim.points().position(weight).unwrap();
            for exponent in (20..308).step_by(6) {
                let load = -10f64.powi(exponent);
                sim.inputs().set_point_load(weight, &[0.0, 0.0, load]).unwrap();
                let outcome = sim.advance(1e-3);
                if outcome.is_ok() {
                    // A step of policy 2 that has not converged is accepted, and says so; it moves
                    // all the same.
                    let a = sim.points().acceleration(weight).unwrap()[2];
                    assert!(a < 1e-3 * load, "{scheme} {convergence} {policy}, load {load:e}: {a:e}");
                    sim.reject().unwrap();
                }
                assert_eq!(sim.points().position(weight).unwrap(), place, "{scheme}, load {load:e}");
            }
            sim.inputs().set_point_load(weight, &[0.0; 3]).unwrap();
            sim.step(1e-3).unwrap();
        }
    }
}
