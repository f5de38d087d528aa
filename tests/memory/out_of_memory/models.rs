//! The models of these tests: as Rust simulations of any size, and as C hosts build them.

use crate::common::*;
use pintle::capi::boundary::pintle_system;
use pintle::capi::{elements, fluid, inputs, life_cycle, model, names, settings};
use pintle::model::LineType;
use pintle::{CoupledLoad, CoupledMotion, GROUND, JointKind, Simulation};
use std::sync::Arc;

/// Bodies in a row with joints of a kind, both ends on the ground where `closed`.
pub fn chain(n: usize, kind: JointKind, closed: bool) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND;
    let axis = [0.0, 1.0, 0.0];
    for k in 0..n {
        let at = pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint_at(kind, last, body, &[k as f64, 0.0, 0.0], Some(&axis)).unwrap();
        last = body;
    }
    if closed {
        sim.build().add_joint_at(JointKind::Spherical, last, GROUND, &[n as f64, 0.0, 0.0], None).unwrap();
    }
    sim.build().add_marker(last, &ORIGIN).unwrap();
    sim
}

/// Bodies in a row, each tied by springs to the three before it.
pub fn mesh(n: usize) -> Simulation {
    let mut sim = Simulation::new();
    for k in 0..n {
        let at = pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
        for neighbour in (0..body).rev().take(3) {
            sim.elements()
                .add_spring(body, &[0.0, 0.1, 0.0], neighbour, &[0.0, 0.0, 0.1], 10.0, 0.1, 1.0, false)
                .unwrap();
        }
    }
    sim.build().add_marker(0, &ORIGIN).unwrap();
    sim
}

/// A net of free points, two in a column, between springs; some of them on bodies, some fixed.
pub fn net(n: usize) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for k in 0..n {
        let x = (k / 2) as f64;
        let point = sim.build().add_point(0.1, 0.0, &[x, 0.0, -((k % 2) as f64)]).unwrap();
        if k % 16 == 0 {
            let at = pose([x, 0.0, 0.5], UNROTATED);
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
            sim.build().attach_point(point, body, &[0.0, 0.0, -0.5]).unwrap();
        }
        if k % 16 == 5 {
            sim.build().fix_point(point).unwrap();
        }
        for other in (0..point).rev().take(3) {
            sim.elements().add_point_spring(point, other, 100.0, 0.5, 1.0, true).unwrap();
        }
    }
    sim.build().add_marker(0, &ORIGIN).unwrap();
    sim
}

/// A body on two lines of so many segments each, in water and over a seabed.
pub fn moored(n: usize) -> Simulation {
    let mut sim = Simulation::new();
    let (length, inertia) = (n as f64, [0.1, 0.2, 0.2, 0.0, 0.0, 0.0]);
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for (key, value) in [("water_density", 1.0), ("depth", 0.4 * length), ("seabed_friction", 0.5)] {
        sim.settings().set_environment(key, value).unwrap();
    }
    let hull = sim.build().add_rigid_body(10.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
    let ea = (0..=20).map(f64::from).collect::<Vec<f64>>();
    let given =
        LineType { diameter: 0.1, mass_per_length: 2.0, ba: -0.5, cdn: 1.0, can: 1.0, ei: 0.1, ..Default::default() };
    let chain = sim.elements().add_line_type(given).unwrap();
    sim.elements().set_line_type_table(chain, "ea", &ea.iter().map(|k| 0.01 * k).collect::<Vec<_>>(), &ea).unwrap();
    for side in [-1.0, 1.0] {
        let anchor = sim.build().add_point(0.0, 0.0, &[0.85 * side * length, 0.0, -0.4 * length]).unwrap();
        let fairlead = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().fix_point(anchor).unwrap();
        sim.build().attach_point(fairlead, hull, &[0.1 * side, 0.0, 0.0]).unwrap();
        sim.elements().add_line(chain, anchor, fairlead, length, n as i32).unwrap();
    }
    sim.build().add_marker(hull, &ORIGIN).unwrap();
    sim
}

/// The chain with a coupled load callback on all its bodies, with full matrices.
pub fn coupled(n: usize) -> Simulation {
    let mut sim = chain(n, JointKind::Revolute, false);
    let bodies: Vec<i32> = (0..n as i32).collect();
    let drag = Arc::new(|motion: &CoupledMotion, load: &mut CoupledLoad| {
        let rows = 6 * motion.bodies.len();
        for i in 0..rows {
            load.damping[i + rows * i] = 0.1;
            load.wrenches[i / 6][i % 6] = -0.1 * motion.velocities[i / 6][i % 6];
        }
        Ok(())
    });
    sim.inputs().set_coupled_load_callback(&bodies, Some(drag)).unwrap();
    sim
}

/// Stops at the first status that is not 0.
macro_rules! first_failure {
    ($($call:expr;)*) => {{
        $(
            #[allow(unused_unsafe)] // some calls are made of others
            let status = unsafe { $call };
            if status != 0 {
                return status;
            }
        )*
        0
    }};
}
pub(crate) use first_failure;

/// A four-bar of revolute joints (redundant constraints) that carries a platform on springs and a
/// bushing, with names, loads and coefficients of the fluid: one call of every kind that builds.
/// Returns the first status that is not 0.
pub fn build(sys: *mut pintle_system) -> i32 {
    let mut id = [0; 12];
    let (inertia, com, y) = ([0.1, 0.2, 0.2, 0.0, 0.0, 0.0], [0.0; 3], [0.0, 1.0, 0.0]);
    let frame = ORIGIN;
    let six = diagonal([3.0; 6]);
    first_failure! {
        model::pintle_set_gravity(sys, [0.0, 0.0, -9.81].as_ptr());
        model::pintle_add_rigid_body(sys, 1.0, com.as_ptr(), inertia.as_ptr(), pose([0.0, 0.0, 0.5], UNROTATED).as_ptr(), &mut id[0]);
        model::pintle_add_rigid_body(sys, 1.0, com.as_ptr(), inertia.as_ptr(), pose([0.5, 0.0, 1.0], UNROTATED).as_ptr(), &mut id[1]);
        model::pintle_add_rigid_body(sys, 1.0, com.as_ptr(), inertia.as_ptr(), pose([1.0, 0.0, 0.5], UNROTATED).as_ptr(), &mut id[2]);
        model::pintle_add_body(sys, six.as_ptr(), pose([0.5, 0.0, 2.0], UNROTATED).as_ptr(), &mut id[3]);
        model::pintle_add_joint_at(sys, 2, -1, 0, [0.0, 0.0, 0.0].as_ptr(), y.as_ptr(), &mut id[4]);
        model::pintle_add_joint_at(sys, 2, 0, 1, [0.0, 0.0, 1.0].as_ptr(), y.as_ptr(), &mut id[5]);
        model::pintle_add_joint_at(sys, 2, 1, 2, [1.0, 0.0, 1.0].as_ptr(), y.as_ptr(), &mut id[6]);
        model::pintle_add_joint_at(sys, 2, 2, -1, [1.0, 0.0, 0.0].as_ptr(), y.as_ptr(), &mut id[7]);
        model::pintle_set_joint_spring(sys, 0, 1.0, 0.1, 0.0);
        elements::pintle_add_spring(sys, 1, com.as_ptr(), 3, com.as_ptr(), 100.0, 1.0, 1.0, 0, &mut id[8]);
        elements::pintle_add_bushing(sys, 1, 3, frame.as_ptr(), frame.as_ptr(), six.as_ptr(), six.as_ptr(), &mut id[9]);
        model::pintle_add_marker(sys, 3, frame.as_ptr(), &mut id[10]);
        names::pintle_set_name(sys, c"body".as_ptr(), 3, c"platform".as_ptr());
        model::pintle_set_body_velocity(sys, 3, [0.0, 0.0, 0.1, 0.0, 0.0, 0.0].as_ptr());
        fluid::pintle_set_added_mass(sys, 3, six.as_ptr(), 0);
        inputs::pintle_set_body_load(sys, 3, 0, [0.0, 0.0, 29.0, 0.0, 0.0, 0.0].as_ptr());
        settings::pintle_set_option(sys, c"rho_inf".as_ptr(), 0.7);
    }
}

/// The same, initialized.
pub fn ready() -> *mut pintle_system {
    let mut sys = std::ptr::null_mut();
    unsafe {
        assert_eq!(life_cycle::pintle_create(&mut sys), 0);
        assert_eq!(build(sys), 0);
        assert_eq!(life_cycle::pintle_initialize(sys, 0.0), 0);
    }
    sys
}
