//! Lines whose stiffness changes during a run, and forces on nodes by their causes.

use crate::common::*;
use crate::models::*;
use crate::mooring::{Mooring, N, Placed};
use crate::reference::{Material, Sea};
use pintle::Simulation;
use pintle::elements::line::NODE_LOADS;

const ROPE: Material = Material { d: 0.02, w: 1e-4, ea: 1e5, ba: 0.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const G: f64 = 9.81;
const MASS: f64 = 50.0;

/// A mass that hangs at rest on one segment of a metre.
fn hanging(scheme: &str, at: V3) -> Simulation {
    let mut sim = system(scheme, &Sea { g: G, ..Sea::NONE });
    let hook = fixed(&mut sim, at);
    let mass = free(&mut sim, MASS, add(at, [0.0, 0.0, -1.0 - MASS * G / ROPE.ea]));
    line(&mut sim, &ROPE, [hook, mass], 1.0, 1);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(50, 1e-10).unwrap();
    sim
}

/// With half more stiffness the mass swings about a rest at two thirds of the strain: half a period
/// later it is higher by two thirds of it. The energy jumps by half the change of EA times the
/// square of the strain, and stays.
#[test]
fn a_stiffer_line_swings_about_its_new_rest() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        for at in [[0.0; 3], [1e6, 0.0, 0.0]] {
            let mut sim = hanging(scheme, at);
            sim.settings().set_option("rho_inf", 1.0).unwrap();
            let energy = |sim: &Simulation| {
                let energy = sim.outputs().energy().unwrap();
                energy.0 + energy.1
            };
            let (start, before) = (sim.points().position(1).unwrap()[2], energy(&sim));
            // Half of the line hangs and moves with the mass.
            let mass = MASS + 0.5 * ROPE.w;
            let strain = mass * G / ROPE.ea;
            sim.inputs().set_line_stiffness(0, 1.5 * ROPE.ea).unwrap();
            assert_eq!(sim.lines().stiffness(0), Ok(1.5 * ROPE.ea));
            let jump = energy(&sim) - before;
            let expected = 0.25 * ROPE.ea * strain * strain;
            // The rest is found to 1e-10.
            assert!((jump / expected - 1.0).abs() < 1e-10, "{jump} {expected}");
            let half = std::f64::consts::PI / (1.5 * ROPE.ea / mass).sqrt();
            for h in [0.5, 1.0, 1.5, 1.0].into_iter().cycle().take(200) {
                sim.step(h * half / 200.0).unwrap();
            }
            // Steps of implicit schemes are late by (w h)^3/12 each: at the top by 8.9e-5, which
            // moves it by a quarter of the square, 2.0e-9. They conserve the energy of a linear
            // spring; rk4 loses (w h)^6/72 of the swing's in a step, together less than 5e-11 of
            // the jump.
            let risen = sim.points().position(1).unwrap()[2] - start;
            assert!((1.5 * risen / strain - 1.0).abs() < 2.1e-9, "{scheme}: {risen} {strain}");
            let lost = energy(&sim) - before - jump;
            assert!(lost.abs() < 5e-11 * jump, "{scheme}: {lost:e} of {jump:e}");
        }
    }
}

/// Frequencies are those of the present stiffness; a saved state has it, a rejected trial keeps it.
#[test]
fn the_stiffness_belongs_to_the_state() {
    let frequency = |sim: &Simulation| {
        let (modes, _) = sim.analysis().modes().unwrap();
        modes.iter().map(|mode| mode.frequency).fold(0.0, f64::max)
    };
    for scheme in ["generalized-alpha", "rk4", "ab3"] {
        let mut sim = hanging(scheme, [0.0; 3]);
        let before = frequency(&sim);
        let untouched = sim.save().unwrap();
        sim.inputs().set_line_stiffness(0, 3.0 * ROPE.ea).unwrap();
        assert!((frequency(&sim) / before - 3.0f64.sqrt()).abs() < 1e-3, "{scheme}");
        (0..5).for_each(|_| sim.step(1e-3).unwrap());
        let bytes = sim.save().unwrap().to_bytes();
        let mut fresh = hanging(scheme, [0.0; 3]);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(fresh.lines().stiffness(0), Ok(3.0 * ROPE.ea));
        sim.advance(5e-3).unwrap();
        sim.advance(2e-3).unwrap();
        sim.reject().unwrap();
        for one in [&mut sim, &mut fresh] {
            (0..5).for_each(|_| one.step(1e-3).unwrap());
        }
        assert!(sim.save().unwrap().to_bytes() == fresh.save().unwrap().to_bytes(), "{scheme}");
        fresh.restore(&untouched).unwrap();
        assert_eq!((fresh.lines().stiffness(0), frequency(&fresh)), (Ok(ROPE.ea), before));
    }
}

#[test]
fn a_stiffness_that_a_line_cannot_have_is_refused() {
    let mut sim = Mooring::new("generalized-alpha", Placed::HERE).sim;
    let kind = line_type(&mut sim, &ROPE);
    sim.elements().set_line_type_table(kind, "ea", &[0.0, 0.1], &[0.0, 1e4]).unwrap();
    let ends = [fixed(&mut sim, [0.0; 3]), fixed(&mut sim, [1.0, 0.0, 0.0])];
    let table = sim.elements().add_line(kind, ends[0], ends[1], 1.0, 2).unwrap();
    assert!(sim.inputs().set_line_stiffness(0, 1e6).unwrap_err().to_string().contains("call pintle_initialize first"));
    assert_eq!((sim.lines().stiffness(0), sim.lines().stiffness(table)), (Ok(2e6), Ok(0.0)));
    sim.initialize(0.0).unwrap();
    assert_eq!((sim.lines().stiffness(0), sim.lines().stiffness(table)), (Ok(2e6), Ok(0.0)));
    for (line, ea, words) in [
        (table, 1e6, format!("line {table} has a table in place of a stiffness")),
        (0, 0.0, "0 is not above 0".to_owned()),
        (0, f64::NAN, "not finite".to_owned()),
        (9, 1.0, "9".to_owned()),
    ] {
        let error = sim.inputs().set_line_stiffness(line, ea).unwrap_err().to_string();
        assert!(error.contains(&words), "{error}");
    }
    let mut out = [[0.0; 3]; N + 1];
    let error = sim.lines().node_loads(0, "lift", &mut out).unwrap_err().to_string();
    assert!(error.contains("\"lift\" is unknown; known: net, tension"), "{error}");
    sim.lines().node_loads(0, "net", &mut out[1..]).unwrap_err();
}

/// Causes add up to the net force, whose ends are what the line does to its points; weight and
/// buoyancy are those of the whole line.
#[test]
fn forces_of_nodes_add_up() {
    let mut run = Mooring::new("generalized-alpha", Placed::HERE).begin();
    run.run([0.05, 0.1, 0.02]);
    for line in run.lines {
        let of = |what: &str| {
            let mut out = [[0.0; 3]; N + 1];
            run.sim.lines().node_loads(line, what, &mut out).unwrap();
            out
        };
        let net = of("net");
        let scale = net.iter().chain(&of("tension")).fold(0.0f64, |most, f| most.max(norm(*f)));
        for (node, net) in net.iter().enumerate() {
            let parts = NODE_LOADS[1..].iter().fold([0.0; 3], |sum, what| add(sum, of(what)[node]));
            assert!(distance(parts, *net) < 1e-12 * scale, "{node}: {parts:?} {net:?}");
        }
        for (end, force) in [0, N].into_iter().zip(end_forces(&run.sim, line)) {
            assert!(distance(net[end], force) < 1e-9 * scale, "{:?} {force:?}", net[end]);
        }
        let sum = |what: &str| of(what).iter().fold([0.0; 3], |sum, f| add(sum, *f));
        let length = run.sim.lines().length(line).unwrap().0;
        let expected = [-40.0 * 9.81 * length, 1025.0 * 9.81 * 0.0036 * std::f64::consts::PI * length];
        for (what, expected) in ["weight", "buoyancy"].into_iter().zip(expected) {
            assert!((sum(what)[2] / expected - 1.0).abs() < 1e-12, "{what}: {:?} {expected}", sum(what));
        }
        // Forces of a pair are opposite.
        assert!(norm(sum("tension")) < 1e-12 * scale && norm(sum("bending")) < 1e-12 * scale);
        assert!(of("drag").iter().any(|f| norm(*f) > 1e-3 * scale) || line == run.lines[2]);
    }
}

/// A straight line at rest across a current has the drag rho d L Cdn U^2/2.
#[test]
fn drag_of_nodes_is_morisons() {
    let mut sim = system("generalized-alpha", &Sea { g: 0.0, current: [0.0, 0.7, 0.0], ..Sea::water(50.0) });
    let ends = [fixed(&mut sim, [0.0, 0.0, -20.0]), fixed(&mut sim, [10.0, 0.0, -20.0])];
    let of = Material { w: 5.0, cdn: 1.3, cdt: 0.2, ..ROPE };
    let id = line(&mut sim, &of, ends, 9.99, 5);
    sim.initialize(0.0).unwrap();
    let mut out = [[0.0; 3]; 6];
    sim.lines().node_loads(id, "drag", &mut out).unwrap();
    for (node, force) in out.into_iter().enumerate() {
        let length = if node % 5 == 0 { 0.999 } else { 1.998 };
        let expected = [0.0, 0.5 * 1025.0 * 0.02 * length * 1.3 * 0.49, 0.0];
        assert!(distance(force, expected) < 1e-12 * norm(expected), "{node}: {force:?} {expected:?}");
    }
}
