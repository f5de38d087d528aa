//! Results do not depend on the order in which a host adds bodies and joints, although evaluations
//! process both in groups, and a body's sums are complete after its last joint.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

const BODIES: usize = 70;
const STEPS: usize = 100;
const H: f64 = 2e-3;
const Y: V3 = [0.0, 1.0, 0.0];

/// Loads and elements besides the joints.
#[derive(Debug, Clone, Copy, PartialEq)]
enum With {
    Nothing,
    LoadsOfBodies,
    LoadOfMarker,
    Gear,
    Spring,
    Callback,
    Drag,
}

const ALL: [With; 7] =
    [With::Nothing, With::LoadsOfBodies, With::LoadOfMarker, With::Gear, With::Spring, With::Callback, With::Drag];

/// What body k hangs on: a chain of 30, then branches.
fn parent(k: usize) -> Option<usize> {
    if k < 30 { k.checked_sub(1) } else { Some((k - 30) / 2 + 5) }
}

/// Where body k begins: bodies are rods of length 1 along x, branches side by side.
fn start(k: usize) -> V3 {
    let Some(parent) = parent(k) else { return [0.0; 3] };
    let [x, y, z] = start(parent);
    [x + 1.0, y + if k < 30 { 0.0 } else { 0.1 * (k % 2) as f64 + 0.1 }, z]
}

fn empty() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for tolerance in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(tolerance, 1e-12).unwrap();
    }
    sim
}

/// A rod of length 1 along x that begins at a point.
fn add_rod(sim: &mut Simulation, [x, y, z]: V3) -> Id {
    let at = pose([x + 0.5, y, z], UNROTATED);
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.02, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap()
}

/// Positions of all bodies, in their natural order, where body `order[i]` is the one that is added
/// as number i, and joints are added backwards where `turned`.
fn run(order: &[usize], turned: bool, with: With) -> Vec<f64> {
    let mut sim = empty();
    let mut ids: Vec<Id> = vec![GROUND; BODIES];
    for k in order {
        ids[*k] = add_rod(&mut sim, start(*k));
    }
    let mut joints = vec![GROUND; BODIES];
    for i in 0..BODIES {
        let k = if turned { BODIES - 1 - i } else { i };
        let on = parent(k).map_or(GROUND, |parent| ids[parent]);
        let kind = if k % 3 == 0 { JointKind::Revolute } else { JointKind::Spherical };
        let axis = (k % 3 == 0).then_some(&Y);
        joints[k] = sim.build().add_joint_at(kind, on, ids[k], &start(k), axis).unwrap();
    }
    match with {
        With::Gear => _ = sim.elements().add_gear(joints[3], joints[60], -1.5).unwrap(),
        With::Spring => {
            let ends = [[0.5, 0.0, 0.0], [0.0, 0.0, 0.2]];
            _ = sim.elements().add_spring(ids[12], &ends[0], ids[55], &ends[1], 300.0, 4.0, 2.0, false).unwrap();
        }
        With::LoadOfMarker => {
            let marker = sim.build().add_marker(ids[41], &pose([0.5, 0.0, 0.0], UNROTATED)).unwrap();
            sim.inputs().set_marker_load(marker, Frame::Body, &[1.0, 20.0, 3.0, 0.1, 0.2, 0.3]).unwrap();
        }
        _ => (),
    }
    sim.initialize(0.0).unwrap();
    for step in 0..STEPS {
        match (with, step) {
            (With::LoadsOfBodies, 10) => {
                for k in [7, 33, 69] {
                    sim.inputs().set_body_load(ids[k], Frame::Body, &[0.0, 10.0, 5.0, 0.5, 0.0, 0.2]).unwrap();
                }
            }
            // Some of the bodies, in the middle of the run.
            (With::Drag, 10) => {
                let drag = diagonal([1.0, 2.0, 2.0, 0.01, 0.1, 0.1]);
                for k in [20, 64] {
                    sim.settings().set_quadratic_drag(ids[k], &drag, Frame::Body).unwrap();
                }
                sim.settings().set_added_mass(ids[20], &diagonal([0.5; 6]), Frame::Body).unwrap();
            }
            (With::Callback, 10 | 50) => {
                let pull = |_: &pintle::BodyMotion, load: &mut pintle::BodyLoad| {
                    load.wrench = [0.0, 15.0, 0.0, 0.0, 0.0, 0.0];
                    Ok(())
                };
                let callback = (step == 10).then(|| Arc::new(pull) as _);
                sim.inputs().set_load_callback(ids[25], callback).unwrap();
            }
            _ => (),
        }
        sim.step(H).unwrap();
    }
    ids.iter().flat_map(|id| sim.outputs().body_pose(*id).unwrap()[..3].to_vec()).collect()
}

#[test]
fn the_order_of_bodies_and_joints_does_not_matter() {
    let natural: Vec<usize> = (0..BODIES).collect();
    let backwards: Vec<usize> = natural.iter().rev().copied().collect();
    // 27 has no divisor in common with 70.
    let scattered: Vec<usize> = natural.iter().map(|k| (27 * k + 11) % BODIES).collect();
    // Rounding of positions of up to 30 m, enlarged by gamma/(beta h) = 2/h as it enters
    // velocities, in every step alike.
    let rounding = 30.0 * f64::EPSILON * 2.0 / H;
    let limit = rounding * STEPS as f64 * (STEPS as f64 * H);
    let mut last = Vec::new();
    for with in ALL {
        let expected = run(&natural, false, with);
        // The drag changes the motion.
        let change = expected.iter().zip(&last).map(|(x, y): (&f64, &f64)| (x - y).abs()).fold(0.0, f64::max);
        assert!(last.is_empty() || change > 1e6 * limit, "{with:?}: {change}");
        for (order, turned) in [(&natural, true), (&backwards, false), (&scattered, true)] {
            let got = run(order, turned, with);
            assert_close(&format!("{with:?}"), &got, &expected, limit);
        }
        last = expected;
    }
}

/// Bodies of a large tree, more than are evaluated as one branch.
const LARGE: usize = 4095;
const STEPS_OF_LARGE: usize = 20;

/// Where body k of a binary tree begins: bodies are rods of length 1, branches on both sides of
/// each other.
fn large_start(k: usize) -> V3 {
    if k == 0 {
        return [0.0; 3];
    }
    let [x, y, z] = large_start((k - 1) / 2);
    [x + 1.0, y + if k.is_multiple_of(2) { 0.1 } else { -0.1 }, z]
}

/// Positions of all bodies of that tree in their natural order; `number` says which body is added
/// as number i.
fn run_large(kind: JointKind, number: impl Fn(usize) -> usize) -> Vec<f64> {
    let mut sim = empty();
    let mut ids: Vec<Id> = vec![GROUND; LARGE];
    for k in (0..LARGE).map(&number) {
        ids[k] = add_rod(&mut sim, large_start(k));
    }
    for k in (0..LARGE).map(&number) {
        let on = if k == 0 { GROUND } else { ids[(k - 1) / 2] };
        let axis = (kind == JointKind::Revolute).then_some(&Y);
        sim.build().add_joint_at(kind, on, ids[k], &large_start(k), axis).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (0..STEPS_OF_LARGE).for_each(|_| sim.step(H).unwrap());
    ids.iter().flat_map(|id| sim.outputs().body_pose(*id).unwrap()[..3].to_vec()).collect()
}

/// Trees of so many bodies are evaluated branch by branch.
#[test]
fn the_order_of_bodies_of_a_large_tree_does_not_matter() {
    // As above, with positions of up to 12 m.
    let limit = 12.0 * f64::EPSILON * 2.0 / H * STEPS_OF_LARGE as f64 * (STEPS_OF_LARGE as f64 * H);
    for kind in [JointKind::Spherical, JointKind::Revolute] {
        let expected = run_large(kind, |k| k);
        let fallen = -expected.iter().skip(2).step_by(3).copied().fold(0.0, f64::min);
        assert!(fallen > 1e6 * limit, "{fallen}");
        assert_close("backwards", &run_large(kind, |k| LARGE - 1 - k), &expected, limit);
        // 1024 has no divisor in common with 4095.
        assert_close("scattered", &run_large(kind, |k| (1024 * k + 11) % LARGE), &expected, limit);
    }
}

/// A chain of 40 hinges with springs, stiff ones first, in its equilibrium; `markers` that nothing
/// acts on.
fn hanging(markers: i32) -> (u32, Vec<f64>) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for k in 0..40 {
        let at = pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.02, 0.1, 0.1, 0.0, 0.0, 0.0], &at).unwrap();
        let joint =
            sim.build().add_joint_at(JointKind::Revolute, body - 1, body, &[k as f64, 0.0, 0.0], Some(&Y)).unwrap();
        sim.build().set_joint_spring(joint, if k < 10 { 1e6 } else { 3e3 }, 0.0, 0.0).unwrap();
    }
    for marker in 0..markers {
        sim.build().add_marker(marker, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    }
    sim.initialize(0.0).unwrap();
    let steps = sim.solve_equilibrium(200, 1e-9).unwrap();
    (steps, (0..40).flat_map(|body| sim.outputs().body_pose(body).unwrap()).collect())
}

/// Statics starts from the stiffness and mass of all bodies, in whichever order evaluations process
/// them.
#[test]
fn an_equilibrium_does_not_know_of_markers_without_loads() {
    let (steps, poses) = hanging(0);
    assert!(steps > 2, "{steps}");
    assert_eq!((steps, poses), hanging(1));
}
