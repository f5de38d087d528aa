//! Coupled load callbacks without matrices, so that the quasi-Newton iteration has to learn as many
//! directions as the model has degrees of freedom: it converges for any tolerance, to the motion
//! with the matrices given.

use crate::common::*;
use pintle::{CoupledLoad, CoupledLoadFn, CoupledMotion, Frame, Id, JointKind, Simulation};
use std::sync::Arc;

/// A full symmetric positive definite matrix with entries of the order of `size`.
fn definite(random: &mut Random, n: usize, size: f64) -> Vec<Vec<f64>> {
    let b: Vec<Vec<f64>> = (0..n).map(|_| (0..n).map(|_| random.signed()).collect()).collect();
    let entry = |i: usize, j: usize| 3.0 * size / n as f64 * (0..n).map(|k| b[i][k] * b[j][k]).sum::<f64>();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// w = -A vdot - C v - K (places off those of the start).
fn load(random: &mut Random, bodies: usize, added: f64, with_matrices: bool) -> CoupledLoadFn {
    let n = 6 * bodies;
    let [a, c, mut k] = [added, 2.0, 30.0].map(|size| definite(random, n, size));
    // Rotations are not charged.
    for (i, row) in k.iter_mut().enumerate() {
        row.iter_mut().enumerate().filter(|(j, _)| i % 6 > 2 || j % 6 > 2).for_each(|(_, entry)| *entry = 0.0);
    }
    Arc::new(move |m: &CoupledMotion, out: &mut CoupledLoad| {
        let x = |i: usize| if i.is_multiple_of(6) { m.poses[i / 6][0] - (i / 6) as f64 } else { m.poses[i / 6][i % 6] };
        let x: Vec<f64> = (0..n).map(|i| if i % 6 < 3 { x(i) } else { 0.0 }).collect();
        let (v, vdot) = (m.velocities.as_flattened(), m.accelerations.as_flattened());
        for (i, w) in out.wrenches.as_flattened_mut().iter_mut().enumerate() {
            *w -= (0..n).map(|j| a[i][j] * vdot[j] + c[i][j] * v[j] + k[i][j] * x[j]).sum::<f64>();
        }
        if with_matrices {
            for (matrix, source) in [(&mut *out.stiffness, &k), (&mut *out.damping, &c), (&mut *out.mass, &a)] {
                matrix.iter_mut().enumerate().for_each(|(at, entry)| *entry = source[at % n][at / n]);
            }
        }
        Ok(())
    })
}

/// A row of bodies of mass 1, free or on hinges, that swings under gravity in a fluid.
fn row(bodies: usize, hinges: bool, tolerance: f64) -> (Simulation, Vec<Id>) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    // The filter of constraints has the matrices in its metric, and so have velocities where steps
    // change their length: with hinges neither. A start damps by the matrices that it knows: the
    // accelerations are given, as zero.
    let options = [
        ("initial_acceleration", 1.0),
        ("rel_tolerance", tolerance),
        ("abs_tolerance", 1e-2 * tolerance),
        ("max_iterations", 20.0),
        ("constraint_damping", 0.0),
    ];
    for (key, value) in options {
        sim.settings().set_option(key, value).unwrap();
    }
    let ids: Vec<Id> = (0..bodies)
        .map(|k| {
            let (com, inertia) = ([0.05, -0.02, 0.03 * k as f64], [1.0, 1.2, 0.8, 0.0, 0.0, 0.0]);
            sim.build().add_rigid_body(1.0, &com, &inertia, &pose([k as f64, 0.0, 0.0], UNROTATED)).unwrap()
        })
        .collect();
    for (k, pair) in ids.windows(2).enumerate().filter(|_| hinges) {
        let (at, axis) = ([k as f64 + 0.5, 0.0, 0.0], [0.1, 1.0, 0.2]);
        sim.build().add_joint_at(JointKind::Revolute, pair[0], pair[1], &at, Some(&axis)).unwrap();
    }
    (sim, ids)
}

/// Largest difference of accelerations along two runs, and the largest acceleration.
fn differ(seed: u64, bodies: usize, hinges: bool, added: f64, tolerance: f64) -> [f64; 2] {
    let [mut with, mut without] = [true, false].map(|with_matrices| {
        let (mut sim, ids) = row(bodies, hinges, tolerance);
        sim.inputs()
            .set_coupled_load_callback(&ids, Some(load(&mut Random(seed), bodies, added, with_matrices)))
            .unwrap();
        sim.initialize(0.0).unwrap();
        sim
    });
    let (mut off, mut largest) = (0.0_f64, 0.0_f64);
    for n in 0..40 {
        let h = if n % 3 == 0 && !hinges { 0.007 } else { 0.01 };
        for sim in [&mut with, &mut without] {
            sim.step(h).unwrap_or_else(|e| panic!("{bodies} bodies, added {added}, {tolerance:e}, step {n}: {e}"));
        }
        for body in 0..bodies as i32 {
            let [a, b] = [&with, &without].map(|sim| sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
            for (a, b) in a.into_iter().zip(b) {
                (off, largest) = (off.max((a - b).abs()), largest.max(a.abs()));
            }
        }
    }
    [off, largest]
}

/// Wrenches agree to a hundredth of the tolerance (1e-13 at least) in both runs. They are what
/// masses of 1 take beside their weight, so that accelerations are off by that part of both; what
/// each of 40 steps leaves adds up in velocities by less. The last increments of a step, of the
/// tolerance at most in displacements of 5 cm (a step at 5 m/s) and a hundredth of it in the 4 m of
/// the model, are 1/(beta h^2) times as large in accelerations. Those of the start are known to
/// 1e-7 at least, where changes may be rounding of a callback in single precision.
#[test]
fn the_motion_is_that_with_the_matrices_at_every_tolerance() {
    for (seed, hinges) in (1..=6).flat_map(|seed| [(seed, false), (seed, true)]) {
        for added in [0.3, 1.0, 5.0] {
            for tolerance in [1e-6, 1e-8, 1e-10, 1e-12] {
                let [off, largest] = differ(seed, 1 + seed as usize % 4, hinges, added, tolerance);
                assert!(largest > 1.0, "it moves");
                let wrenches = 40.0 * (largest + 9.81) * (0.01 * tolerance + 1e-12);
                let increments = tolerance * (0.05 + 0.04);
                let limit = 1e-7 * largest + 2.0 * (wrenches + increments / (0.25 * 0.007 * 0.007));
                assert!(
                    off <= limit,
                    "seed {seed}, hinges {hinges}, added {added}, {tolerance:e}: {off:e} > {limit:e}"
                );
            }
        }
    }
}
