//! What `warning` tells of held loads: once, of schemes that lose order by them, and of loads that vary.

use pintle::{Frame, Simulation};

fn body(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    let pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// Takes steps under a force along x.
fn run(sim: &mut Simulation, steps: usize, force: impl Fn(f64) -> f64) {
    for _ in 0..steps {
        let next = sim.time().unwrap() + 0.1;
        sim.inputs().set_body_load(0, Frame::Inertial, &[force(next), 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.step(0.1).unwrap();
    }
}

#[test]
fn held_loads_that_vary_are_told_where_they_lower_the_order() {
    for scheme in ["rk3", "rk4", "ab2", "ab3", "ab4", "ab5", "lab2", "lab5"] {
        let mut sim = body(scheme);
        run(&mut sim, 2, f64::cos);
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}: two changes are no variation yet");
        run(&mut sim, 2, f64::cos);
        let told = sim.outputs().warning().unwrap();
        assert!(told.contains("\"input_order\" = 0") && told.contains(scheme), "{scheme}: {told}");
        run(&mut sim, 20, f64::cos);
        assert_eq!(sim.outputs().warning().unwrap(), told, "{scheme}: said once");
        // the cure, and schemes that lose nothing
        sim.settings().set_option("input_order", 1.0).unwrap();
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}");
    }
}

#[test]
fn what_the_warning_says_is_so() {
    // m x'' = cos t from rest: x = 1 - cos t. Held at the value of each step's end the force is h/2 ahead: its error halves with
    // h; let linearly, quarters.
    let error = |order: f64, steps: usize| {
        let mut sim = body("rk4");
        sim.settings().set_option("input_order", order).unwrap();
        let h = 2.0 / steps as f64;
        for n in 1..=steps {
            sim.inputs().set_body_load(0, Frame::Inertial, &[(n as f64 * h).cos(), 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            if n == 1 {
                // the load at the start, which a host cannot give before: a step that short has no part in the error
                sim.inputs().set_body_load(0, Frame::Inertial, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
                sim.step(1e-12).unwrap();
                sim.inputs().set_body_load(0, Frame::Inertial, &[h.cos(), 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            }
            sim.step(h).unwrap();
        }
        (sim.outputs().body_pose(0).unwrap()[0] - (1.0 - 2f64.cos())).abs()
    };
    for (order, expected) in [(0.0, 1.0), (1.0, 2.0)] {
        let measured = (error(order, 100) / error(order, 200)).log2();
        assert!((measured - expected).abs() < 0.05, "input_order {order}: order {measured}");
    }
}

#[test]
fn nothing_is_told_where_nothing_is_lost() {
    // schemes of second order at most without history: what they lose is told in docs/schemes.md
    for scheme in
        ["generalized-alpha", "newmark", "hht", "euler", "heun", "rk2", "beuler3", "midpoint3", "aca3", "wilson3"]
    {
        let mut sim = body(scheme);
        run(&mut sim, 10, f64::cos);
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}");
    }
    // a load that is constant, one that changes now and then, and one that goes linearly
    let mut sim = body("ab4");
    run(&mut sim, 10, |_| 1.0);
    for value in [2.0, 3.0, 4.0, 5.0] {
        run(&mut sim, 3, |_| value);
    }
    assert_eq!(sim.outputs().warning().unwrap(), "");
    sim.settings().set_option("input_order", 1.0).unwrap();
    run(&mut sim, 10, f64::cos);
    assert_eq!(sim.outputs().warning().unwrap(), "");
}
