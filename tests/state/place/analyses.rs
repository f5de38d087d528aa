//! States of analyses are displacements of the reference points, whatever points the equations are
//! about.

use crate::common::*;
use crate::place::model::{BASE, Rig, World};
use pintle::{Frame, Simulation};

/// Equations about the centres of mass and about the reference points, in the same state to
/// rounding.
fn both(world: World) -> [Simulation; 2] {
    [0.0, 1.0].map(|about| {
        let mut rig = Rig::new(world, &[("integrate_about", about)], "rk4");
        rig.run(1e-3, 20);
        rig.sim
    })
}

#[track_caller]
fn assert_same(what: &str, a: &[f64], b: &[f64], tolerance: f64) {
    let size = b.iter().fold(1.0f64, |size, x| size.max(x.abs()));
    assert_close(what, a, b, tolerance * size);
}

#[test]
fn matrices_modes_and_accelerations_are_those_of_the_reference_points() {
    for shift in [[0.0; 3], [1e6, -2e6, 3e5]] {
        let grid = 1.0 / 4294967296.0;
        let world = World { shift, grid, offset: 0.5, of_points: true, ..BASE };
        let [centre, reference] = both(world);
        // both states are the same to 1e-11 (order 4); forces of 300 N/m and of 100 rad^2/s^2 make
        // 1e-8 of that
        let tolerance = 1e-8;
        assert_same(
            "mass matrix",
            &centre.analysis().mass_matrix().unwrap(),
            &reference.analysis().mass_matrix().unwrap(),
            tolerance,
        );
        let [a, b] = [&centre, &reference].map(|sim| sim.analysis().constraint_jacobian().unwrap());
        assert_same("jacobian", &a, &b, tolerance);
        let [a, b] = [&centre, &reference].map(|sim| sim.analysis().linearize(&[1, 3], &[0], &[0, 1]).unwrap());
        assert_eq!(a.coordinates, b.coordinates);
        for (what, a, b) in [("basis", &a.basis, &b.basis), ("A", &a.a, &b.a), ("B", &a.b, &b.b)] {
            assert_same(what, a, b, tolerance);
        }
        for (what, a, b) in [("C", &a.c, &b.c), ("D", &a.d, &b.d)] {
            assert_same(what, a, b, tolerance);
        }
        for state in 0..a.states as i32 {
            assert_eq!(centre.analysis().state_name(state).unwrap(), reference.analysis().state_name(state).unwrap());
        }
        let [(a, motion), (b, other)] = [&centre, &reference].map(|sim| sim.analysis().modes().unwrap());
        assert_same("motion", &motion, &other, tolerance);
        let frequencies = |modes: &[pintle::Mode]| modes.iter().map(|mode| mode.frequency).collect::<Vec<_>>();
        // roots that lie together are known to the square root
        assert_same("modes", &frequencies(&a), &frequencies(&b), 1e-5);

        let mut poses = [[0.0; 7]; 4];
        let mut velocities = [[0.0; 6]; 4];
        centre.outputs().body_poses(&mut poses).unwrap();
        centre.outputs().body_velocities(&mut velocities).unwrap();
        let [a, b] = [&centre, &reference].map(|sim| sim.analysis().eval_accelerations(&poses, &velocities).unwrap());
        assert_same("accelerations", a.as_flattened(), b.as_flattened(), tolerance);
        let mut own = [[0.0; 6]; 4];
        centre.outputs().body_accelerations(&mut own).unwrap();
        assert_same("own accelerations", a.as_flattened(), own.as_flattened(), tolerance);
    }
}

#[test]
fn coordinates_that_are_set_are_read_back() {
    for shift in [[0.0; 3], [1e6, -2e6, 3e5]] {
        let world = World { shift, offset: 0.5, of_points: true, ..BASE };
        let [mut centre, reference] = both(world);
        let (mut poses, mut velocities) = ([[0.0; 7]; 4], [[0.0; 6]; 4]);
        reference.outputs().body_poses(&mut poses).unwrap();
        reference.outputs().body_velocities(&mut velocities).unwrap();
        centre.inputs().set_coordinates(&poses, &velocities).unwrap();
        for k in 0..4 {
            let (at, v) =
                (centre.outputs().body_pose(k).unwrap(), centre.outputs().body_velocity(k, Frame::Inertial).unwrap());
            // what the host gives at 1e6 m is known to 1e-10, and so is a gap that is closed
            assert_close("pose", &at, &poses[k as usize], 2e-9);
            assert_close("velocity", &v, &velocities[k as usize], 1e-8);
        }
    }
}

#[test]
fn the_equilibrium_and_the_compliance_do_not_know_the_reference_points() {
    let sims = [0.0, 3.7].map(|offset| {
        let mut rig = Rig::described(World { offset, ..BASE }, &[], "generalized-alpha");
        // added mass is no force at rest, but a callback that reads accelerations is none either
        rig.sim.inputs().set_load_callback(3, None).unwrap();
        rig.sim.initialize(0.0).unwrap();
        rig.sim.solve_equilibrium(500, 1e-11).unwrap();
        rig
    });
    let at = |rig: &Rig| [0, 1].map(|marker| place(&rig.sim.outputs().marker_pose(marker).unwrap()));
    let [a, b] = [at(&sims[0]), at(&sims[1])];
    // 1e-11 of forces of 50 N, on the least stiffness of 5 N/m
    assert_close("equilibrium", a.as_flattened(), b.as_flattened(), 1e-8);
    let [a, b] = [0, 1].map(|k: usize| sims[k].sim.analysis().load_compliance(&[0, 1], 0.01).unwrap());
    for (a, b) in a.iter().zip(&b) {
        assert_same("compliance", a, b, 1e-7);
    }
}
