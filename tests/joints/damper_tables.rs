//! Dampers with tables of forces over rates on coordinates of joints.

use crate::common::*;
use pintle::{GROUND, Id, JointKind, JointMachines, Simulation};

const SCHEMES: [&str; 6] = ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4", "ab3"];

/// A body on a joint of a kind along or about x.
fn on_joint(kind: JointKind, scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let body = sim
        .build()
        .add_rigid_body(2.0, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    let joint = sim.build().add_joint_at(kind, GROUND, body, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
    (sim, joint)
}

/// A power take-off: forces of a generator that saturates, on the side of positive rates.
const TABLE: [[f64; 2]; 4] = [[0.5, 4.0], [1.0, 9.0], [2.0, 11.0], [4.0, 11.5]];

fn add(sim: &mut Simulation, joint: Id, slide: bool, points: &[[f64; 2]]) {
    for [rate, force] in points {
        sim.build().add_joint_damper_point((joint, slide), *rate, *force).unwrap();
    }
}

/// Under a constant load the rate comes to where the damper has just that force: a point of the
/// table, or its mirror.
#[test]
fn a_load_comes_to_the_rate_of_its_force() {
    for scheme in SCHEMES {
        for (kind, slide) in
            [(JointKind::Prismatic, false), (JointKind::Revolute, false), (JointKind::Cylindrical, true)]
        {
            // Beyond the last point the force stays: it has no rate of its own.
            let inner = TABLE.into_iter().take(3);
            for [rate, force] in inner.clone().chain(inner.map(|[rate, force]| [-rate, -force])) {
                let (mut sim, joint) = on_joint(kind, scheme);
                // In any order.
                add(&mut sim, joint, slide, &[TABLE[2], TABLE[0], TABLE[3], TABLE[1]]);
                match slide {
                    true => sim.inputs().set_joint_slide_load(joint, force).unwrap(),
                    false => sim.inputs().set_joint_load(joint, force).unwrap(),
                }
                sim.initialize(0.0).unwrap();
                // The slopes at these points are above 0.3 N s/m: the time of decay is below 2
                // kg/0.3 = 7 s, of which 300 s are 40.
                (0..1000).for_each(|_| sim.step(0.1).unwrap());
                (0..200).for_each(|_| sim.step(1.0).unwrap_or_else(|e| panic!("{scheme} {kind:?}: {e}")));
                let reached = match slide {
                    true => sim.outputs().joint_slide(joint).unwrap()[1],
                    false => sim.outputs().joint_coordinate(joint).unwrap()[1],
                };
                let resists = JointMachines::of(&sim).damper_force(joint, slide).unwrap();
                assert!((resists + force).abs() < 1e-6 * force.abs(), "{scheme} {kind:?} {force}: {resists}");
                assert!((reached - rate).abs() < 1e-7 * rate.abs(), "{scheme} {kind:?} {force}: {reached} for {rate}");
            }
        }
    }
}

#[test]
fn a_straight_table_is_the_damper_of_a_spring() {
    for scheme in SCHEMES {
        let run = |table: bool| {
            let (mut sim, joint) = on_joint(JointKind::Revolute, scheme);
            sim.build().set_joint_spring(joint, 20.0, if table { 0.0 } else { 0.7 }, 0.4).unwrap();
            if table {
                add(&mut sim, joint, false, &[[1.0, 0.7], [-2.0, -1.4], [3.0, 2.1]]);
            }
            sim.initialize(0.0).unwrap();
            (0..100).for_each(|_| sim.step(0.01).unwrap());
            sim.outputs().joint_coordinate(joint).unwrap()
        };
        let (of_spring, of_table) = (run(false), run(true));
        // Slopes of a straight table are rounded by some units.
        (0..2)
            .for_each(|k| assert!((of_table[k] - of_spring[k]).abs() < 1e-12, "{scheme}: {of_table:?} {of_spring:?}"));
    }
}

/// However steep it is, and whatever step is taken, it takes energy: the damper of a hydraulic
/// cylinder whose relief valve opens.
#[test]
fn a_steep_table_takes_energy_at_steps_that_do_not_resolve_it() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        for h in [1e-4, 1e-2, 1.0] {
            let (mut sim, joint) = on_joint(JointKind::Prismatic, scheme);
            add(&mut sim, joint, false, &[[1e-3, 1e5], [10.0, 1.1e5]]);
            sim.build().set_body_velocity(0, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            sim.initialize(0.0).unwrap();
            let mut energy = 9.0;
            for _ in 0..50 {
                sim.step(h).unwrap_or_else(|e| panic!("{scheme} {h}: {e}"));
                let [_, v, _] = sim.outputs().joint_coordinate(joint).unwrap();
                // Newton's tolerance leaves 1e-8 of the speed in each step; within the steep part,
                // below 1e-3 m/s, schemes ring.
                assert!(v * v <= energy * (1.0 + 1e-6) || v.abs() < 1e-3, "{scheme} {h}: {v} after {}", energy.sqrt());
                energy = v * v;
            }
            assert!(energy < 1e-6, "{scheme} {h}: {} m/s are left", energy.sqrt());
        }
    }
}

#[test]
fn points_come_back_in_order() {
    let (mut sim, joint) = on_joint(JointKind::Cylindrical, "generalized-alpha");
    add(&mut sim, joint, true, &[[1.0, 2.0], [-1.0, -3.0], [0.5, 2.0]]);
    assert_eq!(JointMachines::of(&sim).damper(joint, true).unwrap(), [[-1.0, -3.0], [0.5, 2.0], [1.0, 2.0]]);
    assert!(JointMachines::of(&sim).damper(joint, false).unwrap().is_empty());
    for (rate, force, part) in
        [(0.7, 2.1, "is not in 2 to 2"), (-0.5, 0.1, "is not in -3 to 0"), (0.5, 2.0, "has a force")]
    {
        let text = sim.build().add_joint_damper_point((joint, true), rate, force).unwrap_err().to_string();
        assert!(text.contains(part), "{text}");
    }
}
