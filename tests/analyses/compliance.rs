//! The interface Jacobian against repeated steps with changed loads, and its use: coupling with a
//! fluid that is heavier than the body.

use crate::common::*;
use nalgebra::{DMatrix, DVector};
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

/// A body on a bushing, or two bodies on joints, in motion; with markers.
fn moving(jointed: bool) -> (Simulation, Vec<Id>) {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.5, -1.0, -9.0]).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        system.settings().set_option(key, 1e-12).unwrap();
    }
    let at = |x: V3| pose(x, quat_exp([0.3, -0.5, 0.2]));
    let inertia = [0.9, 1.1, 1.3, 0.1, -0.15, 0.05];
    let first = system.build().add_rigid_body(1.4, &[0.1, -0.2, 0.3], &inertia, &at([0.5, 0.1, -0.2])).unwrap();
    let stiffness = diagonal([900.0, 800.0, 700.0, 500.0, 400.0, 300.0]);
    let damping = diagonal([4.0; 6]);
    let mut markers = vec![system.build().add_marker(first, &pose([0.3, 0.2, -0.1], UNROTATED)).unwrap()];
    if jointed {
        let second = system.build().add_rigid_body(0.8, &[0.0, 0.2, 0.1], &inertia, &at([1.0, 0.4, 0.3])).unwrap();
        system.build().add_joint_at(JointKind::Spherical, GROUND, first, &[0.0; 3], None).unwrap();
        system
            .build()
            .add_joint_at(JointKind::Revolute, first, second, &[0.7, 0.2, 0.1], Some(&[0.3, 0.9, 0.1]))
            .unwrap();
        system.elements().add_bushing(first, second, &ORIGIN, &ORIGIN, &stiffness, &damping).unwrap();
        markers.push(system.build().add_marker(second, &pose([-0.2, 0.1, 0.4], UNROTATED)).unwrap());
    } else {
        system.elements().add_bushing(GROUND, first, &ORIGIN, &ORIGIN, &stiffness, &damping).unwrap();
        system.build().set_body_velocity(first, &[0.3, 0.2, -0.5, 1.0, -0.7, 0.4]).unwrap();
    }
    system.initialize(0.0).unwrap();
    (system, markers)
}

/// Acceleration, velocity, pose of a marker at the end of a tried step.
fn motion(system: &Simulation, marker: Id) -> ([f64; 6], [f64; 6], [f64; 7]) {
    (
        system.outputs().marker_acceleration(marker, Frame::Inertial).unwrap(),
        system.outputs().marker_velocity(marker, Frame::Inertial).unwrap(),
        system.outputs().marker_pose(marker).unwrap(),
    )
}

#[test]
fn compliance_is_the_derivative_of_a_tried_step() {
    let dt = 0.01;
    let schemes = ["generalized-alpha", "momentum-alpha"];
    for (scheme, jointed) in schemes.into_iter().flat_map(|scheme| [(scheme, false), (scheme, true)]) {
        let (mut system, markers) = moving(jointed);
        system.settings().set_scheme(scheme).unwrap();
        for _ in 0..20 {
            system.step(dt).unwrap();
        }
        system.advance(dt).unwrap();
        let found = system.analysis().load_compliance(&markers, dt).unwrap();
        let size = 6 * markers.len();
        let mut worst = [0.0f64; 3];
        for column in 0..size {
            // In 1 N the motion is linear to (1 N dt^2/m)^2 = 1e-8.
            let mut at = |force: f64| {
                let mut wrench = [0.0; 6];
                wrench[column % 6] = force;
                system.inputs().set_marker_load(markers[column / 6], Frame::Inertial, &wrench).unwrap();
                system.advance(dt).unwrap();
                let all: Vec<_> = markers.iter().map(|marker| motion(&system, *marker)).collect();
                system.inputs().set_marker_load(markers[column / 6], Frame::Inertial, &[0.0; 6]).unwrap();
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
        println!("{scheme}, jointed {jointed}: off by {worst:?} of the largest entry");
        // Exact but for rounding of 1e-16 over motions of 1e-5, and for gyroscopic terms with the
        // accelerations that the host reads: those of the scheme differ from them, as it takes
        // bushings in energy form, by 1e-4 of stiff forces.
        assert!(worst.iter().all(|w| *w < 1e-6), "{worst:?}");
    }
}

/// The load of a fluid with added mass A on a body: wrench = -A vdot, computed by the host.
fn added() -> [f64; 36] {
    // twice the mass and twice the inertia of the body below
    diagonal([2.8, 2.8, 2.8, 1.8, 2.2, 2.6])
}

fn fluid(acceleration: &[f64; 6]) -> [f64; 6] {
    let a = added();
    std::array::from_fn(|i| -a[7 * i] * acceleration[i])
}

/// The model with the fluid in the library, or in the host, which then gives its load at the start.
fn floating(initial: Option<[f64; 6]>) -> (Simulation, Id, Id) {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        system.settings().set_option(key, 1e-11).unwrap();
    }
    let body = system.build().add_rigid_body(1.4, &[0.0; 3], &[0.9, 1.1, 1.3, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    system.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([30.0; 6]), &diagonal([0.5; 6])).unwrap();
    system.build().set_body_velocity(body, &[0.2, 0.0, 0.5, 0.3, -0.4, 0.2]).unwrap();
    let marker = system.build().add_marker(body, &ORIGIN).unwrap();
    match initial {
        None => system.settings().set_added_mass(body, &added(), Frame::Inertial).unwrap(),
        Some(wrench) => system.inputs().set_marker_load(marker, Frame::Inertial, &wrench).unwrap(),
    }
    system.initialize(0.0).unwrap();
    (system, body, marker)
}

#[test]
fn fluid_twice_as_heavy_diverges_plainly_and_converges_in_three_exchanges_with_the_compliance() {
    let dt = 0.02;
    let (mut reference, ..) = floating(None);
    let initial = fluid(&reference.outputs().body_acceleration(0, Frame::Inertial).unwrap());
    let (mut system, body, marker) = floating(Some(initial));

    let mut plain_errors = Vec::new();
    let mut most = 0;
    for step in 0..100 {
        let mut wrench = fluid(&system.outputs().body_acceleration(body, Frame::Inertial).unwrap());
        if step == 50 {
            // Plain exchange: the loads of the last motion for the next.
            let mut plain = wrench;
            for _ in 0..6 {
                system.inputs().set_marker_load(marker, Frame::Inertial, &plain).unwrap();
                system.advance(dt).unwrap();
                let next = fluid(&system.outputs().marker_acceleration(marker, Frame::Inertial).unwrap());
                plain_errors.push((0..6).map(|i| (next[i] - plain[i]).abs()).fold(0.0, f64::max));
                plain = next;
            }
        }
        let mut exchanges = 0;
        loop {
            system.inputs().set_marker_load(marker, Frame::Inertial, &wrench).unwrap();
            system.advance(dt).unwrap();
            exchanges += 1;
            let answer = fluid(&system.outputs().marker_acceleration(marker, Frame::Inertial).unwrap());
            let gap = DVector::from_fn(6, |i, _| answer[i] - wrench[i]);
            if gap.amax() < 1e-9 * 30.0 {
                break;
            }
            assert!(exchanges < 10, "no convergence: {gap}");
            // Newton on W - fluid(W) = 0: (I + A da/dW) dW = gap
            let [acceleration, ..] = system.analysis().load_compliance(&[marker], dt).unwrap();
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
    // The host's fluid and the library's added mass are the same physics. (1e-9 relative, over 100
    // steps)
    let (own, whole) = (system.outputs().body_pose(body).unwrap(), reference.outputs().body_pose(body).unwrap());
    assert_close("pose", &own, &whole, 1e-6);
}

/// A crane in motion, its joints about all kinds of axes, its bodies about points beside their
/// centres of mass: a column that turns, a sleeve on it that turns and slides, an arm on a screw, a
/// slider. `far` shifts it, `unit` is its length unit.
fn crane(far: f64, unit: f64) -> (Simulation, [Id; 4]) {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.5 * unit, -unit, -9.0 * unit]).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        system.settings().set_option(key, 1e-13).unwrap();
    }
    let inertia = [0.9, 1.1, 1.3, 0.1, -0.15, 0.05].map(|x| x * unit * unit);
    let mut last = GROUND;
    let mut joints = Vec::new();
    for (k, (kind, axis)) in [
        (JointKind::Revolute, [0.1, 0.2, 1.0]),
        (JointKind::Cylindrical, [1.0, 0.3, -0.2]),
        (JointKind::Screw, [0.2, 1.0, 0.4]),
        (JointKind::Prismatic, [1.0, -0.5, 0.3]),
    ]
    .into_iter()
    .enumerate()
    {
        let x = [far + unit * k as f64, 0.1 * unit, -0.2 * unit];
        let com = [0.1, -0.2, 0.3].map(|x| x * unit);
        let body = system.build().add_rigid_body(1.4, &com, &inertia, &pose(x, quat_exp([0.3, -0.5, 0.2]))).unwrap();
        let point = [far + unit * (k as f64 - 0.5), 0.0, 0.0];
        let joint = system.build().add_joint_at(kind, last, body, &point, Some(&axis)).unwrap();
        system.build().set_joint_spring(joint, 20.0 * unit * unit, 0.3 * unit * unit, 0.0).unwrap();
        joints.push(joint);
        last = body;
    }
    system.build().set_joint_pitch(joints[2], 0.7 * unit).unwrap();
    system.initialize(0.0).unwrap();
    for _ in 0..20 {
        system.step(0.01).unwrap();
    }
    (system, joints.try_into().unwrap())
}

#[test]
fn compliance_of_joints_is_the_derivative_of_their_coordinates() {
    let dt = 0.01;
    // In km inertias are 1e6 of masses: the solution that damps alternating components, one solve
    // without refinement, loses digits by that.
    for (far, unit, limit) in [(0.0, 1.0, 1e-8), (0.0, 1e3, 1e-6), (1e6, 1.0, 1e-8)] {
        let (mut system, joints) = crane(far, unit);
        system.advance(dt).unwrap();
        let found = system.analysis().joint_compliance(&joints, dt).unwrap();
        let mut worst = [0.0f64; 3];
        for (column, joint) in joints.iter().enumerate() {
            // A unit load turns by some dt^2/(4 J) = 1e-5: the third derivative is 1e-10 of that.
            // Differences of numbers around 1 lose 1e-16/1e-5; positions that are 1e6 off lose
            // nothing beside, as they are measured from the middle.
            let load = unit * unit;
            let mut at = |force: f64| {
                system.inputs().set_joint_load(*joint, force).unwrap();
                system.advance(dt).unwrap();
                let all: Vec<[f64; 3]> =
                    joints.iter().map(|joint| system.outputs().joint_coordinate(*joint).unwrap()).collect();
                system.inputs().set_joint_load(*joint, 0.0).unwrap();
                all
            };
            let (plus, minus) = (at(load), at(-load));
            for (row, (p, m)) in plus.iter().zip(&minus).enumerate() {
                // Angles per moment, lengths per force: each entry has a unit of its own, that of
                // the diagonal.
                for (k, order) in [2, 1, 0].into_iter().enumerate() {
                    let difference = 0.5 * (p[order] - m[order]) / load;
                    let size = |i: usize| found[k][5 * i].abs();
                    let off = (found[k][row + 4 * column] - difference).abs() / (size(row) * size(column)).sqrt();
                    worst[k] = worst[k].max(off);
                }
            }
        }
        println!("far {far:e}, unit {unit:e}: off by {worst:?}");
        assert!(worst.iter().all(|w| *w < limit), "{worst:?}");
        // In READY it is about the accepted state, for the coming step.
        system.accept().unwrap();
        let ahead = system.analysis().joint_compliance(&joints[..1], dt).unwrap();
        assert!((ahead[0][0] / found[0][0] - 1.0).abs() < 0.1, "{ahead:?}");
    }
}

#[test]
fn compliance_of_bodies_is_that_of_markers_at_their_reference_points() {
    let dt = 0.01;
    for integrate_about in [0.0, 1.0] {
        let mut system = Simulation::new();
        system.settings().set_option("integrate_about", integrate_about).unwrap();
        let inertia = [0.9, 1.1, 1.3, 0.1, -0.15, 0.05];
        let at = |x: V3| pose(x, quat_exp([0.3, -0.5, 0.2]));
        let first = system.build().add_rigid_body(1.4, &[0.1, -0.2, 0.3], &inertia, &at([0.5, 0.1, -0.2])).unwrap();
        let second = system.build().add_rigid_body(0.8, &[3.0, 0.2, 0.1], &inertia, &at([1.0, 0.4, 0.3])).unwrap();
        let held = system.build().add_rigid_body(0.8, &[0.0; 3], &inertia, &at([9.0, 0.4, 0.3])).unwrap();
        system.build().set_body_prescribed(held, true).unwrap();
        system.build().add_joint_at(JointKind::Spherical, GROUND, first, &[0.0; 3], None).unwrap();
        system
            .build()
            .add_joint_at(JointKind::Revolute, first, second, &[0.7, 0.2, 0.1], Some(&[0.3, 0.9, 0.1]))
            .unwrap();
        system
            .elements()
            .add_bushing(second, held, &ORIGIN, &ORIGIN, &diagonal([5.0; 6]), &diagonal([0.1; 6]))
            .unwrap();
        let markers = [first, second].map(|body| system.build().add_marker(body, &ORIGIN).unwrap());
        system.settings().set_gravity(&[0.5, -1.0, -9.0]).unwrap();
        system.initialize(0.0).unwrap();
        for _ in 0..20 {
            system.step(dt).unwrap();
        }
        system.advance(dt).unwrap();
        let of_markers = system.analysis().load_compliance(&markers, dt).unwrap();
        let of_bodies = system.analysis().body_compliance(&[first, second], dt).unwrap();
        for (a, b) in of_markers.iter().zip(&of_bodies) {
            let size = a.iter().fold(0.0f64, |a, x| a.max(x.abs()));
            assert_close("compliance", b, a, 1e-12 * size);
        }
        // A prescribed body does not respond to loads, and its load moves nothing.
        let of_held = system.analysis().body_compliance(&[held, first], dt).unwrap();
        for matrix in &of_held {
            for (k, x) in matrix.iter().enumerate() {
                let imposed = k % 12 < 6 || k / 12 < 6;
                assert!(!imposed || *x == 0.0, "{k}: {x}");
            }
            assert!(matrix.iter().any(|x| *x != 0.0));
        }
    }
}

#[test]
fn a_driven_coordinate_does_not_answer_to_loads() {
    let mut system = Simulation::new();
    let inertia = [0.9, 1.1, 1.3, 0.0, 0.0, 0.0];
    let body = system.build().add_rigid_body(1.4, &[0.0; 3], &inertia, &ORIGIN).unwrap();
    let joint =
        system.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    system.build().set_joint_driven(joint, true).unwrap();
    system.initialize(0.0).unwrap();
    system.step(0.01).unwrap();
    for matrix in system.analysis().joint_compliance(&[joint], 0.01).unwrap() {
        // A free body would have up to 1/J = 0.8.
        assert!(matrix[0].abs() < 1e-15, "{matrix:?}");
    }
}

#[test]
fn arguments_are_checked() {
    let (mut crane, _) = crane(0.0, 1.0);
    assert!(matches!(crane.analysis().body_compliance(&[4], 0.01), Err(Error::BadId { .. })));
    assert!(matches!(crane.analysis().joint_compliance(&[4], 0.01), Err(Error::BadId { .. })));
    assert!(matches!(crane.analysis().joint_compliance(&[0], 0.0), Err(Error::BadValue { .. })));
    crane.settings().set_scheme("rk4").unwrap();
    assert!(matches!(crane.analysis().joint_compliance(&[0], 0.01), Err(Error::Unsupported { .. })));
    let (system, _) = moving(true);
    assert!(
        matches!(system.analysis().joint_compliance(&[0], 0.01), Err(Error::BadValue { .. })),
        "SPHERICAL has no coordinate"
    );
    let (mut system, markers) = moving(false);
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(system.analysis().load_compliance(&markers, dt).is_err(), "{dt}");
    }
    assert!(matches!(system.analysis().load_compliance(&[7], 0.1), Err(Error::BadId { .. })));
    system.settings().set_option("max_time_step", 0.05).unwrap();
    assert!(matches!(system.analysis().load_compliance(&markers, 0.1), Err(Error::BadValue { .. })));
    assert!(matches!(Simulation::new().analysis().load_compliance(&[], 0.1), Err(Error::BadPhase { .. })));
}

/// Factors of the iteration matrix belong to one length of step.
#[test]
fn a_trial_answers_for_its_own_length_of_step() {
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.5, 0.0, 0.0], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    let marker = sim.build().add_marker(body, &ORIGIN).unwrap();
    sim.initialize(1e5).unwrap();
    (0..3).for_each(|_| sim.step(0.01).unwrap());
    sim.advance(0.01).unwrap();
    let analysis = sim.analysis();
    analysis.body_compliance(&[body], 0.01).unwrap();
    for dt in [0.02, 0.005] {
        for refused in [
            analysis.body_compliance(&[body], dt).map(|_| ()),
            analysis.joint_compliance(&[joint], dt).map(|_| ()),
            analysis.load_compliance(&[marker], dt).map(|_| ()),
        ] {
            assert!(matches!(refused, Err(Error::BadValue { argument: "dt", .. })), "{dt}: {refused:?}");
        }
    }
    // For the next step, any length is accepted.
    sim.accept().unwrap();
    sim.analysis().body_compliance(&[body], 0.02).unwrap();
}

/// Where steps are long compared with the periods of springs, the filter of constraints changes the
/// values from which the next step starts, but not the compliance of the trial step.
#[test]
fn compliance_is_exact_where_steps_do_not_resolve_springs() {
    for (scheme, steps) in
        [("generalized-alpha", 3), ("momentum-alpha", 3), ("momentum-alpha", 4), ("momentum-alpha", 9)]
    {
        let (mut system, markers) = moving(true);
        system.settings().set_scheme(scheme).unwrap();
        for (key, value) in [("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12), ("max_iterations", 30.0)] {
            system.settings().set_option(key, value).unwrap();
        }
        let dt = 0.1;
        for _ in 0..steps {
            system.step(dt).unwrap();
        }
        system.advance(dt).unwrap();
        let found = system.analysis().load_compliance(&markers, dt).unwrap();
        let size = 6 * markers.len();
        let mut at = |force: f64| {
            system.inputs().set_marker_load(markers[1], Frame::Inertial, &[force, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            system.advance(dt).unwrap();
            motion(&system, markers[0])
        };
        // Central differences of 0.01 N: the square of (0.01 N dt^2/m).
        let (plus, minus) = (at(0.01), at(-0.01));
        for i in 0..6 {
            for (k, difference) in [plus.0[i] - minus.0[i], plus.1[i] - minus.1[i]].into_iter().enumerate() {
                let scale = found[k].iter().fold(0.0f64, |a, x| a.max(x.abs()));
                let off = (found[k][i + size * 6] - 50.0 * difference).abs() / scale;
                // Joints have the stiffness of the multipliers that the host reads, which differ
                // from those of the scheme as the forces of the springs do: by as much as they are,
                // over lengths of the joints, a thousandth of the springs' stiffness.
                assert!(off < 1e-3, "{scheme} after {steps} steps: {off:e}");
            }
        }
    }
}
