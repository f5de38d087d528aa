//! What `warning` tells of held loads: once, of schemes that lose order by them, and of loads that
//! vary; and of imposed positions without rates.

use pintle::{Frame, GROUND, Id, JointKind, Simulation};

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
    // m x'' = cos t from rest: x = 1 - cos t. Held at the value of each step's end the force is h/2
    // ahead: its error halves with h; let linearly, quarters.
    let error = |order: f64, steps: usize| {
        let mut sim = body("rk4");
        sim.settings().set_option("input_order", order).unwrap();
        let h = 2.0 / steps as f64;
        for n in 1..=steps {
            sim.inputs().set_body_load(0, Frame::Inertial, &[(n as f64 * h).cos(), 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            if n == 1 {
                // the load at the start, which a host cannot give before: a step that short has no
                // part in the error
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

/// A pendulum of 1 m whose support the host swings by 0.1 m, x = 0.1 sin 3t, with its rates or
/// without; and the joint, driven.
fn swung(scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    let at = |z: f64| [0.0, 0.0, z, 1.0, 0.0, 0.0, 0.0];
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let support = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at(0.0)).unwrap();
    let bob = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0], &at(-1.0)).unwrap();
    sim.build().set_body_prescribed(support, true).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, support, bob, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("max_time_step", 0.01).unwrap();
    (sim, support)
}

fn swing(sim: &mut Simulation, support: Id, steps: usize, with_rates: bool) {
    for _ in 0..steps {
        let t = sim.time().unwrap() + 0.01;
        let [x, v, a] = [0.1 * (3.0 * t).sin(), 0.3 * (3.0 * t).cos(), -0.9 * (3.0 * t).sin()];
        let [v, a] = if with_rates { [v, a] } else { [0.0; 2] };
        let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let along = |x: f64| [x, 0.0, 0.0, 0.0, 0.0, 0.0];
        sim.inputs().set_body_motion(support, &pose, &along(v), &along(a)).unwrap();
        sim.step(0.01).unwrap();
    }
}

#[test]
fn positions_without_rates_are_told_where_the_scheme_needs_the_rates() {
    for scheme in ["euler", "heun", "rk4", "ab4", "lab4", "beuler5", "wilson3"] {
        let (mut sim, support) = swung(scheme);
        sim.initialize(0.0).unwrap();
        swing(&mut sim, support, 2, false);
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}: two steps may go from rest to rest");
        swing(&mut sim, support, 2, false);
        let told = sim.outputs().warning().unwrap();
        assert!(told.contains("rates") && told.contains(scheme) && told.lines().count() == 1, "{scheme}: {told}");
        sim.settings().set_scheme("generalized-alpha").unwrap();
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}");
        // With rates nothing is said.
        let (mut sim, support) = swung(scheme);
        sim.initialize(0.0).unwrap();
        swing(&mut sim, support, 10, true);
        assert_eq!(sim.outputs().warning().unwrap(), "", "{scheme}");
    }
}

#[test]
fn driven_joints_without_rates_are_told_too() {
    let mut sim = Simulation::new();
    let pose = [0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0];
    let arm = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, arm, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.settings().set_scheme("rk4").unwrap();
    sim.initialize(0.0).unwrap();
    for n in 1..=4 {
        sim.inputs().set_joint_motion(joint, 0.01 * f64::from(n), 0.0, 0.0).unwrap();
        sim.step(0.01).unwrap();
    }
    assert!(sim.outputs().warning().unwrap().contains("imposed positions"));
}

#[test]
fn what_is_said_of_missing_rates_is_so() {
    // Positions alone are enough for generalized-alpha: the swing is that with rates to the error
    // of its own steps, of second order, (3 h)^2/12 = 1e-4 of it per radian. rk4 takes the support
    // for standing still at every instant.
    let angles = |scheme: &str, with_rates: bool| -> Vec<f64> {
        let (mut sim, support) = swung(scheme);
        sim.initialize(0.0).unwrap();
        let angle = |_| {
            swing(&mut sim, support, 1, with_rates);
            let [x, _, z, ..] = sim.outputs().body_pose(support + 1).unwrap();
            (x - sim.outputs().body_pose(support).unwrap()[0]).atan2(-z)
        };
        (0..300).map(angle).collect()
    };
    let right = angles("rk4", true);
    let largest = right.iter().fold(0.0, |most: f64, angle| most.max(angle.abs()));
    let error = |scheme| {
        let pairs = angles(scheme, false).into_iter().zip(&right);
        pairs.map(|(angle, right)| (angle - right).abs()).fold(0.0, f64::max) / largest
    };
    assert!(error("generalized-alpha") < 1e-3);
    assert!(error("rk4") > 0.01);
}
