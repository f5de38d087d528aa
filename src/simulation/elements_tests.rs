//! Own variables, events and coupled masses of elements, on the one that only tests have.

use super::Simulation;
use crate::elements::{Attachment, End, Trio};
use crate::model::EntityKind;
use crate::scheme::NAMES;
use crate::spatial::Vec3;

/// Three free masses of 1, 2 and 3 kg under no gravity, joined by an element with `memory` and
/// `mass`.
fn three_points(memory: f64, mass: f64) -> Simulation {
    let mut system = Simulation::new();
    let places = [[0.0, 0.0, 0.0], [1.0, 0.3, 0.0], [1.5, -0.4, 0.8]];
    let velocities = [[0.2, 0.5, -0.1], [-0.4, 0.1, 0.3], [0.6, -0.3, 0.2]];
    for (k, (place, velocity)) in places.iter().zip(&velocities).enumerate() {
        let point = system.build().add_point(1.0 + k as f64, 0.0, place).unwrap();
        system.build().set_point_velocity(point, velocity).unwrap();
    }
    let nodes = [0, 1, 2].map(|point| Attachment { to: End::Point(point), at: Vec3::zeros() });
    let trio = Trio { nodes, stiffness: 30.0, damping: 0.0, rest_length: 2.2, memory, mass };
    system.add_element(trio).unwrap();
    system
}

/// The stretch of the element, and its own variable.
fn outputs(system: &Simulation) -> [f64; 2] {
    let mut found = Vec::new();
    let mut take = |_, _, value| found.push(value);
    system.outputs().element_outputs(EntityKind::Trio, 0, &mut take).unwrap();
    found.try_into().unwrap()
}

/// After every internal step z is `z + (s - z)(1 - exp(-h/tau))`, s the stretch there, whatever the
/// scheme.
#[test]
fn every_scheme_advances_own_variables_at_the_end_of_each_internal_step() {
    let (h, tau) = (0.01, 0.3);
    for name in NAMES.map(|name| name.replace('N', "5")) {
        let mut system = three_points(tau, 0.0);
        system.settings().set_scheme(&name).unwrap();
        system.initialize(0.0).unwrap();
        let [mut stretch, mut z] = outputs(&system);
        assert_eq!(stretch, z, "{name}: it starts at rest");
        for _ in 0..20 {
            system.settings().set_option("max_time_step", h / 2.0).unwrap();
            system.step(h / 2.0).unwrap();
            let advanced;
            [stretch, advanced] = outputs(&system);
            z += (stretch - z) * (1.0 - f64::exp(-0.5 * h / tau));
            assert!((z - advanced).abs() < 1e-14, "{name}: {advanced} for {z}");
        }
        assert!((stretch - z).abs() > 1e-3, "{name}: nothing moved");
    }
}

#[test]
fn own_variables_go_with_saved_states_clones_bytes_and_rejected_steps() {
    for name in NAMES.map(|name| name.replace('N', "5")) {
        let mut system = three_points(0.3, 0.5);
        system.settings().set_scheme(&name).unwrap();
        system.initialize(0.0).unwrap();
        let go = |system: &mut Simulation| {
            (0..10).for_each(|_| system.step(0.01).unwrap());
            outputs(system).map(f64::to_bits)
        };
        go(&mut system);
        let (saved, here) = (system.save().unwrap(), outputs(&system));
        let bytes = saved.to_bytes();
        system.advance(0.02).unwrap();
        assert_ne!(outputs(&system), here, "{name}");
        system.reject().unwrap();
        assert_eq!(outputs(&system), here, "{name}: rejected");
        let mut clone = system.clone();
        let there = go(&mut system);
        assert_eq!(go(&mut clone), there, "{name}: clone");
        system.restore(&saved).unwrap();
        assert_eq!(go(&mut system), there, "{name}: restored");
        let read = clone.deserialize(&bytes).unwrap();
        clone.restore(&read).unwrap();
        assert_eq!(go(&mut clone), there, "{name}: bytes");
    }
}

/// The mass couples the accelerations of two nodes: its forces on them are opposite.
/// Sums of momenta change by rounding alone, about their own centre too; energy by the error of the
/// scheme, h^2, without memory.
#[test]
fn a_mass_that_couples_two_nodes_conserves_momentum() {
    for name in ["generalized-alpha", "rk4"] {
        let errors = [0.01, 0.005].map(|h: f64| {
            let mut system = three_points(f64::INFINITY, 4.0);
            system.settings().set_scheme(name).unwrap();
            system.settings().set_option("rho_inf", 1.0).unwrap();
            system.initialize(0.0).unwrap();
            let momentum = |system: &Simulation| system.outputs().momentum(&[0.0; 3]).unwrap();
            let energy = |system: &Simulation| system.outputs().energy().map(|(a, b)| a + b).unwrap();
            let (first, start) = (momentum(&system), energy(&system));
            // The mass of the element has its share: 4/2 (v0 + v1).
            let expected = 0.2 - 0.8 + 1.8 + 2.0 * (0.2 - 0.4);
            assert!((first[0] - expected).abs() < 1e-14, "{first:?}");
            (0..(1.0 / h) as usize).for_each(|_| system.step(h).unwrap());
            let last = momentum(&system);
            for k in 0..3 {
                assert!((last[k] - first[k]).abs() < 1e-11, "{name}: {last:?} from {first:?}");
            }
            let turned = (3..6).map(|k| (last[k] - first[k]).abs()).fold(0.0, f64::max);
            (turned, (energy(&system) - start).abs())
        });
        let [(_, coarse), (turned, fine)] = errors;
        assert!(coarse < 1e-3 && (fine < 0.3 * coarse || fine < 1e-8), "{name}: {errors:?}");
        assert!(turned < 1e-4, "{name}: {errors:?}");
    }
}

/// The step in which the stretch changes its sign is followed by one that starts anew, as after a
/// mark of the host.
#[test]
fn elements_are_asked_for_events_after_each_internal_step() {
    let mut system = three_points(f64::INFINITY, 0.0);
    system.initialize(0.0).unwrap();
    let [mut before, _] = outputs(&system);
    let mut events = 0;
    for _ in 0..300 {
        system.step(0.01).unwrap();
        let [after, _] = outputs(&system);
        let restarts = system.run.as_ref().unwrap().accepted.history.restart != crate::scheme::Restart::No;
        assert_eq!(restarts, before * after < 0.0);
        events += usize::from(restarts);
        before = after;
    }
    assert!(events > 1, "{events}");
}
