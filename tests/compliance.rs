//! The interface Jacobian against repeated steps with changed loads, and what it is for: a fluid heavier than the body.

mod common;

use common::*;
use nalgebra::{DMatrix, DVector};
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

/// A body on a bushing, or two bodies on joints, in motion; with markers.
fn moving(jointed: bool) -> (Simulation, Vec<Id>) {
    let mut system = Simulation::new();
    system.set_gravity(&[0.5, -1.0, -9.0]).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        system.set_option(key, 1e-12).unwrap();
    }
    let at = |x: V3| pose(x, quat_exp([0.3, -0.5, 0.2]));
    let inertia = [0.9, 1.1, 1.3, 0.1, -0.15, 0.05];
    let first = system.add_rigid_body(1.4, &[0.1, -0.2, 0.3], &inertia, &at([0.5, 0.1, -0.2])).unwrap();
    let stiffness = diagonal([900.0, 800.0, 700.0, 500.0, 400.0, 300.0]);
    let damping = diagonal([4.0; 6]);
    let mut markers = vec![system.add_marker(first, &pose([0.3, 0.2, -0.1], UNROTATED)).unwrap()];
    if jointed {
        let second = system.add_rigid_body(0.8, &[0.0, 0.2, 0.1], &inertia, &at([1.0, 0.4, 0.3])).unwrap();
        system.add_joint_at(JointKind::Spherical, GROUND, first, &[0.0; 3], None).unwrap();
        system.add_joint_at(JointKind::Revolute, first, second, &[0.7, 0.2, 0.1], Some(&[0.3, 0.9, 0.1])).unwrap();
        system.add_bushing(first, second, &ORIGIN, &ORIGIN, &stiffness, &damping).unwrap();
        markers.push(system.add_marker(second, &pose([-0.2, 0.1, 0.4], UNROTATED)).unwrap());
    } else {
        system.add_bushing(GROUND, first, &ORIGIN, &ORIGIN, &stiffness, &damping).unwrap();
        system.set_body_velocity(first, &[0.3, 0.2, -0.5, 1.0, -0.7, 0.4]).unwrap();
    }
    system.initialize(0.0).unwrap();
    (system, markers)
}

/// Acceleration, velocity, pose of a marker at the end of a tried step.
fn motion(system: &Simulation, marker: Id) -> ([f64; 6], [f64; 6], [f64; 7]) {
    (
        system.marker_acceleration(marker, Frame::Inertial).unwrap(),
        system.marker_velocity(marker, Frame::Inertial).unwrap(),
        system.marker_pose(marker).unwrap(),
    )
}

#[test]
fn compliance_is_the_derivative_of_a_tried_step() {
    let dt = 0.01;
    for jointed in [false, true] {
        let (mut system, markers) = moving(jointed);
        for _ in 0..20 {
            system.step(dt).unwrap();
        }
        system.advance(dt).unwrap();
        let found = system.load_compliance(&markers, dt).unwrap();
        let size = 6 * markers.len();
        let mut worst = [0.0f64; 3];
        for column in 0..size {
            // In 1 N the motion is linear to (1 N dt^2/m)^2 = 1e-8.
            let mut at = |force: f64| {
                let mut wrench = [0.0; 6];
                wrench[column % 6] = force;
                system.set_marker_load(markers[column / 6], Frame::Inertial, &wrench).unwrap();
                system.advance(dt).unwrap();
                let all: Vec<_> = markers.iter().map(|marker| motion(&system, *marker)).collect();
                system.set_marker_load(markers[column / 6], Frame::Inertial, &[0.0; 6]).unwrap();
                all
            };
            let (plus, minus) = (at(1.0), at(-1.0));
            for (row, (p, m)) in plus.iter().zip(&minus).enumerate() {
                let turned = rotation_vector(quat_mul(turn(&p.2), conjugate(turn(&m.2))));
                let moved = join(sub(place(&p.2), place(&m.2)), turned);
                for i in 0..6 {
                    let differences = [p.0[i] - m.0[i], p.1[i] - m.1[i], moved[i]].map(|d| 0.5 * d);
                    for (k, difference) in differences.into_iter().enumerate() {
                        let entry = found[k][6 * row + i + size * column];
                        let scale = found[k].iter().fold(0.0f64, |a, x| a.max(x.abs()));
                        worst[k] = worst[k].max((entry - difference).abs() / scale);
                    }
                }
            }
        }
        println!("jointed {jointed}: off by {worst:?} of the largest entry");
        // Without joints exact but for rounding of 1e-16 over motions of 1e-5. With joints the damping of what
        // alternates normal to the constraints (constraint_filter.rs) moves v and a by O(turn per step), here up to 1e-2.
        let limit = if jointed { 2e-2 } else { 1e-7 };
        assert!(worst.iter().all(|w| *w < limit), "{worst:?}");
    }
}

/// What a fluid with added mass A does to a body: wrench = -A vdot, known to the host alone.
fn added() -> [f64; 36] {
    // twice the mass and twice the inertia of the body below
    diagonal([2.8, 2.8, 2.8, 1.8, 2.2, 2.6])
}

fn fluid(acceleration: &[f64; 6]) -> [f64; 6] {
    let a = added();
    std::array::from_fn(|i| -a[7 * i] * acceleration[i])
}

/// With the fluid in the library, or in a host that knows what it does at the start.
fn floating(initial: Option<[f64; 6]>) -> (Simulation, Id, Id) {
    let mut system = Simulation::new();
    system.set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        system.set_option(key, 1e-11).unwrap();
    }
    let body = system.add_rigid_body(1.4, &[0.0; 3], &[0.9, 1.1, 1.3, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    system.add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([30.0; 6]), &diagonal([0.5; 6])).unwrap();
    system.set_body_velocity(body, &[0.2, 0.0, 0.5, 0.3, -0.4, 0.2]).unwrap();
    let marker = system.add_marker(body, &ORIGIN).unwrap();
    match initial {
        None => system.set_added_mass(body, &added(), Frame::Inertial).unwrap(),
        Some(wrench) => system.set_marker_load(marker, Frame::Inertial, &wrench).unwrap(),
    }
    system.initialize(0.0).unwrap();
    (system, body, marker)
}

#[test]
fn fluid_twice_as_heavy_diverges_plainly_and_converges_in_three_exchanges_with_the_compliance() {
    let dt = 0.02;
    let (mut reference, ..) = floating(None);
    let initial = fluid(&reference.body_acceleration(0, Frame::Inertial).unwrap());
    let (mut system, body, marker) = floating(Some(initial));

    let mut plain_errors = Vec::new();
    let mut most = 0;
    for step in 0..100 {
        let mut wrench = fluid(&system.body_acceleration(body, Frame::Inertial).unwrap());
        if step == 50 {
            // Plain exchange: the loads of the last motion for the next.
            let mut plain = wrench;
            for _ in 0..6 {
                system.set_marker_load(marker, Frame::Inertial, &plain).unwrap();
                system.advance(dt).unwrap();
                let next = fluid(&system.marker_acceleration(marker, Frame::Inertial).unwrap());
                plain_errors.push((0..6).map(|i| (next[i] - plain[i]).abs()).fold(0.0, f64::max));
                plain = next;
            }
        }
        let mut exchanges = 0;
        loop {
            system.set_marker_load(marker, Frame::Inertial, &wrench).unwrap();
            system.advance(dt).unwrap();
            exchanges += 1;
            let answer = fluid(&system.marker_acceleration(marker, Frame::Inertial).unwrap());
            let gap = DVector::from_fn(6, |i, _| answer[i] - wrench[i]);
            if gap.amax() < 1e-9 * 30.0 {
                break;
            }
            assert!(exchanges < 10, "no convergence: {gap}");
            // Newton on W - fluid(W) = 0: (I + A da/dW) dW = gap
            let [acceleration, ..] = system.load_compliance(&[marker], dt).unwrap();
            let a = DMatrix::from_column_slice(6, 6, &added());
            let matrix = DMatrix::identity(6, 6) + a * DMatrix::from_column_slice(6, 6, &acceleration);
            let change = matrix.lu().solve(&gap).unwrap();
            (0..6).for_each(|i| wrench[i] += change[i]);
        }
        most = most.max(exchanges);
        system.accept().unwrap();
        reference.step(dt).unwrap();
    }
    println!("plain gaps {plain_errors:?}; at most {most} exchanges with the compliance");
    let growth: Vec<f64> = plain_errors.windows(2).map(|w| w[1] / w[0]).collect();
    assert!(growth.iter().all(|g| *g > 1.5), "added mass over body mass is 2: the plain gap grows so: {growth:?}");
    assert!(most <= 3, "{most}");
    // The host's fluid and the library's added mass are the same physics. (1e-9 relative, over 100 steps)
    let (own, whole) = (system.body_pose(body).unwrap(), reference.body_pose(body).unwrap());
    assert_close("pose", &own, &whole, 1e-6);
}

#[test]
fn arguments_are_checked() {
    let (mut system, markers) = moving(false);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(system.load_compliance(&markers, dt).is_err(), "{dt}");
    }
    assert!(matches!(system.load_compliance(&[7], 0.1), Err(Error::BadId { .. })));
    system.set_option("max_time_step", 0.05).unwrap();
    assert!(matches!(system.load_compliance(&markers, 0.1), Err(Error::BadValue { .. })));
    assert!(matches!(Simulation::new().load_compliance(&[], 0.1), Err(Error::BadPhase { .. })));
}
