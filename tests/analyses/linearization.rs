//! Linearisation and modes against finite differences of the accelerations, hand-made matrices and
//! textbook formulas.

use crate::common::*;
use nalgebra::{DMatrix, DVector, Matrix6};
use pintle::{EntityKind, Error, Frame, GROUND, JointKind, LinearModel, Simulation};
use std::f64::consts::TAU;

const G: f64 = 9.81;

fn kg(mass: f64, radius: f64) -> [f64; 6] {
    let j = mass * radius * radius;
    [j, j, j, 0.0, 0.0, 0.0]
}

fn coordinates(system: &Simulation) -> (Vec<[f64; 7]>, Vec<[f64; 6]>) {
    let n = system.description().count(EntityKind::Body) as usize;
    let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
    system.outputs().body_poses(&mut poses).unwrap();
    system.outputs().body_velocities(&mut velocities).unwrap();
    (poses, velocities)
}

fn jacobian(system: &Simulation) -> DMatrix<f64> {
    let dofs = 6 * system.description().count(EntityKind::Body) as usize;
    let b = system.analysis().constraint_jacobian().unwrap();
    DMatrix::from_column_slice(b.len() / dofs, dofs, &b)
}

/// The state displaced by x = (xi, eta), brought onto the constraints by moving only the dependent
/// coordinates: what the states of a linearisation mean, by Newton's method on the public
/// interface.
struct Chart {
    system: Simulation,
    coordinates: Vec<usize>,
    poses: Vec<[f64; 7]>,
    velocities: Vec<[f64; 6]>,
}

impl Chart {
    fn new(system: &Simulation, linear: &LinearModel) -> Chart {
        let (poses, velocities) = coordinates(system);
        Chart { system: system.clone(), coordinates: linear.coordinates.clone(), poses, velocities }
    }

    fn moved(&self, increments: &DVector<f64>) -> Vec<[f64; 7]> {
        let six = |k: usize| -> [f64; 6] { std::array::from_fn(|i| increments[6 * k + i]) };
        let at = |(k, pose): (usize, &[f64; 7])| {
            let (u, theta) = halves(six(k));
            pose_of(add(place(pose), u), quat_mul(quat_exp(theta), turn(pose)))
        };
        self.poses.iter().enumerate().map(at).collect()
    }

    /// Poses and velocities at x. `gap` gives the constraints' residuals at poses.
    fn at(&self, x: &[f64], gap: &dyn Fn(&[[f64; 7]]) -> Vec<f64>) -> (Vec<[f64; 7]>, Vec<[f64; 6]>) {
        let (dofs, f) = (6 * self.poses.len(), self.coordinates.len());
        let dependent: Vec<usize> = (0..dofs).filter(|i| !self.coordinates.contains(i)).collect();
        let side = |i: usize, s: f64| {
            let mut increments = DVector::zeros(dofs);
            increments[i] = s;
            DVector::from_vec(gap(&self.moved(&increments)))
        };
        let columns: Vec<_> = dependent.iter().map(|i| (side(*i, 1e-6) - side(*i, -1e-6)) / 2e-6).collect();
        let part = if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) };
        let mut increments = DVector::zeros(dofs);
        self.coordinates.iter().enumerate().for_each(|(k, i)| increments[*i] = x[k]);
        for _ in 0..if dependent.is_empty() { 0 } else { 12 } {
            let phi = DVector::from_vec(gap(&self.moved(&increments)));
            let d = part.clone().svd(true, true).solve(&-phi, 1e-12).unwrap();
            dependent.iter().zip(d.iter()).for_each(|(i, d)| increments[*i] += d);
        }
        let poses = self.moved(&increments);
        // Velocities: the independent ones changed by eta, the others such that the gaps do not
        // open.
        let mut v = DVector::from_vec(self.velocities.concat());
        self.coordinates.iter().enumerate().for_each(|(k, i)| v[*i] += x[f + k]);
        let mut there = self.system.clone();
        // a state at rest is admissible wherever the joints fit
        there.inputs().set_coordinates(&poses, &vec![[0.0; 6]; poses.len()]).unwrap();
        let b = jacobian(&there);
        if dependent.is_empty() {
            return (poses, v.as_slice().chunks(6).map(|six| six.try_into().unwrap()).collect());
        }
        let d = b.select_columns(&dependent).svd(true, true).solve(&-(&b * &v), 1e-12).unwrap();
        dependent.iter().zip(d.iter()).for_each(|(i, d)| v[*i] += d);
        (poses, v.as_slice().chunks(6).map(|six| six.try_into().unwrap()).collect())
    }
}

fn pose_of(x: V3, q: Quat) -> [f64; 7] {
    pose(x, unit(q))
}

/// xdot of the states at x: rates of displacement and rotation away from the motion through the
/// state, and accelerations.
fn rates(chart: &Chart, x: &[f64], gap: &dyn Fn(&[[f64; 7]]) -> Vec<f64>) -> Vec<f64> {
    let (poses, velocities) = chart.at(x, gap);
    let accelerations = chart.system.analysis().eval_accelerations(&poses, &velocities).unwrap();
    let increment = |(from, to): &(Vec<[f64; 7]>, Vec<[f64; 7]>), i: usize| {
        let (from, to) = (&from[i / 6], &to[i / 6]);
        let psi = rotation_vector(quat_mul(turn(to), conjugate(turn(from))));
        if i % 6 < 3 { to[i % 6] - from[i % 6] } else { psi[i % 6 - 3] }
    };
    // the rate of the increments by moving both on with their velocities, to both sides
    let h = 1e-5;
    let shifted = |poses: &[[f64; 7]], velocities: &[[f64; 6]], s: f64| -> Vec<[f64; 7]> {
        let go = |(pose, v): (&[f64; 7], &[f64; 6])| {
            let (v, omega) = halves(*v);
            pose_of(add(place(pose), scale(s, v)), quat_mul(quat_exp(scale(s, omega)), turn(pose)))
        };
        poses.iter().zip(velocities).map(go).collect()
    };
    let both = |s: f64| (shifted(&chart.poses, &chart.velocities, s), shifted(&poses, &velocities, s));
    let (plus, minus) = (both(h), both(-h));
    let first = chart.coordinates.iter().map(|i| (increment(&plus, *i) - increment(&minus, *i)) / (2.0 * h));
    let second = chart.coordinates.iter().map(|i| accelerations[i / 6][i % 6]);
    first.chain(second).collect()
}

/// A against central differences of the rates.
fn check_state_matrix(name: &str, system: &Simulation, gap: &dyn Fn(&[[f64; 7]]) -> Vec<f64>, tolerance: f64) {
    let linear = system.analysis().linearize(&[], &[], &[]).unwrap();
    let chart = Chart::new(system, &linear);
    let n = linear.states;
    let size = linear.a.iter().fold(1.0f64, |a, x| a.max(x.abs()));
    let h = 1e-4;
    let mut worst = 0.0f64;
    for j in 0..n {
        let at = |s: f64| {
            let mut x = vec![0.0; n];
            x[j] = s;
            rates(&chart, &x, gap)
        };
        let (plus, minus) = (at(h), at(-h));
        for i in 0..n {
            let difference = (plus[i] - minus[i]) / (2.0 * h);
            let error = (linear.a[i + n * j] - difference).abs() / size;
            worst = worst.max(error);
            assert!(error < tolerance, "{name}: A[{i},{j}] = {}, differences give {difference}", linear.a[i + n * j]);
        }
    }
    println!("{name}: {n} states, worst {worst:.1e} of {size:.1e}");
}

/// Axis of an orthonormal frame in inertial axes.
fn axis(pose: &[f64; 7], local: V3) -> V3 {
    rotate(turn(pose), local)
}

/// Two bodies with random inertia, pose and motion; `joint` between ground and first, and between
/// both.
fn tumbling(noise: &mut Random, joints: &[(JointKind, V3, Option<V3>)]) -> Simulation {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[1.0, -2.0, -9.0]).unwrap();
    system.settings().set_option("assemble", 1.0).unwrap();
    let mut bodies = [0; 2];
    for body in &mut bodies {
        let q = quat_exp(noise.many());
        *body = system
            .build()
            .add_rigid_body(1.4, &noise.many(), &[0.9, 1.1, 1.3, 0.1, -0.15, 0.05], &pose(noise.many(), q))
            .unwrap();
        system.build().set_body_velocity(*body, &noise.many()).unwrap();
    }
    let ends = [(GROUND, bodies[0]), (bodies[0], bodies[1])];
    for ((kind, point, axis), (a, b)) in joints.iter().zip(ends) {
        system.build().add_joint_at(*kind, a, b, point, axis.as_ref()).unwrap();
    }
    system
        .elements()
        .add_spring(bodies[0], &[0.3, 0.1, 0.2], bodies[1], &[-0.2, 0.4, 0.1], 30.0, 2.0, 0.5, false)
        .unwrap();
    system
        .elements()
        .add_bushing(GROUND, bodies[1], &ORIGIN, &ORIGIN, &diagonal([20.0; 6]), &diagonal([1.5; 6]))
        .unwrap();
    system.inputs().set_body_load(bodies[1], Frame::Body, &noise.many()).unwrap();
    system.initialize(0.0).unwrap();
    system
}

/// Gaps of a joint placed at the poses of `start`, by its definition: coinciding points, axis
/// directions, distances.
fn gap_of(
    kind: JointKind,
    point: V3,
    z: Option<V3>,
    a: usize,
    b: usize,
    start: &[[f64; 7]],
    now: &[[f64; 7]],
) -> Vec<f64> {
    let ground = ORIGIN;
    let pick = |all: &[[f64; 7]], k: usize| if k == usize::MAX { ground } else { all[k] };
    let (a0, b0, a1, b1) = (pick(start, a), pick(start, b), pick(now, a), pick(now, b));
    let local = |p: &[f64; 7], v: V3| unrotate(turn(p), v);
    let point_on = |p0: &[f64; 7], p1: &[f64; 7]| add(place(p1), axis(p1, local(p0, sub(point, place(p0)))));
    let carried = |p0: &[f64; 7], p1: &[f64; 7], v: V3| axis(p1, local(p0, v));
    let d = sub(point_on(&b0, &b1), point_on(&a0, &a1));
    let z = z.unwrap_or([0.0, 0.0, 1.0]);
    let z = scale(1.0 / norm(z), z);
    let other = if z[0].abs() < 0.8 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = cross(other, z);
    let x = scale(1.0 / norm(x), x);
    let y = cross(z, x);
    let [xa, ya, za] = [x, y, z].map(|v| carried(&a0, &a1, v));
    let (yb, zb) = (carried(&b0, &b1, y), carried(&b0, &b1, z));
    let parallel = [dot(xa, zb), dot(ya, zb)];
    match kind {
        JointKind::Spherical => d.to_vec(),
        JointKind::Revolute => [d.as_slice(), &parallel].concat(),
        JointKind::Prismatic => [parallel.as_slice(), &[dot(xa, yb), dot(xa, d), dot(ya, d)]].concat(),
        JointKind::Cylindrical => [parallel.as_slice(), &[dot(xa, d), dot(ya, d)]].concat(),
        JointKind::Planar => [parallel.as_slice(), &[dot(za, d)]].concat(),
        _ => unreachable!("kinds of this test"),
    }
}

#[test]
fn state_matrix_of_moving_mechanisms_equals_differences_of_the_accelerations() {
    let mut noise = Random(7);
    let oblique = Some([0.3, -0.5, 0.8]);
    let cases = [
        [(JointKind::Spherical, [0.1, 0.2, -0.3], None), (JointKind::Revolute, [0.4, -0.1, 0.2], oblique)],
        [
            (JointKind::Revolute, [0.1, 0.2, -0.3], oblique),
            (JointKind::Revolute, [0.4, 0.3, 0.2], Some([0.0, 1.0, 0.2])),
        ],
        [
            (JointKind::Prismatic, [0.1, 0.2, -0.3], oblique),
            (JointKind::Cylindrical, [0.4, 0.3, 0.2], Some([1.0, 0.2, 0.1])),
        ],
        [(JointKind::Planar, [0.1, 0.2, -0.3], oblique), (JointKind::Spherical, [0.4, 0.3, 0.2], None)],
    ];
    for case in cases {
        let system = tumbling(&mut noise, &case);
        let (start, _) = coordinates(&system);
        let gap = |now: &[[f64; 7]]| {
            let first = gap_of(case[0].0, case[0].1, case[0].2, usize::MAX, 0, &start, now);
            let second = gap_of(case[1].0, case[1].1, case[1].2, 0, 1, &start, now);
            [first, second].concat()
        };
        // differences at h = 1e-4: h^2/6 = 2e-9 of third derivatives, at most some ten times the
        // size here
        check_state_matrix(&format!("{case:?}"), &system, &gap, 1e-7);
    }
    let free = tumbling(&mut noise, &[]);
    check_state_matrix("no joints", &free, &|_| Vec::new(), 1e-7);
}

#[test]
fn inputs_and_outputs_are_those_of_markers() {
    let mut noise = Random(3);
    let case = [
        (JointKind::Spherical, [0.1, 0.2, -0.3], None),
        (JointKind::Revolute, [0.4, -0.1, 0.2], Some([0.0, 0.6, 0.8])),
    ];
    let mut system = Simulation::new();
    let mut bodies = [0; 2];
    for body in &mut bodies {
        let at = pose(noise.many(), quat_exp(noise.many()));
        *body = system.build().add_rigid_body(1.4, &noise.many(), &[0.9, 1.1, 1.3, 0.1, -0.15, 0.05], &at).unwrap();
    }
    system.build().add_joint_at(case[0].0, GROUND, bodies[0], &case[0].1, None).unwrap();
    system.build().add_joint_at(case[1].0, bodies[0], bodies[1], &case[1].1, case[1].2.as_ref()).unwrap();
    let marker = system.build().add_marker(bodies[1], &pose([0.2, -0.3, 0.4], UNROTATED)).unwrap();
    system.initialize(0.0).unwrap();
    let linear = system.analysis().linearize(&[bodies[0]], &[marker], &[marker]).unwrap();
    let n = linear.states;
    assert_eq!((linear.b.len(), linear.c.len(), linear.d.len()), (n * 12, 18 * n, 18 * 12));
    // At rest without loads the accelerations are linear in the loads.
    for input in 0..12 {
        let mut loaded = system.clone();
        let mut wrench = [0.0; 6];
        wrench[input % 6] = 1.0;
        if input < 6 {
            loaded.inputs().set_body_load(bodies[0], Frame::Inertial, &wrench).unwrap();
        } else {
            loaded.inputs().set_marker_load(marker, Frame::Inertial, &wrench).unwrap();
        }
        let (poses, velocities) = coordinates(&loaded);
        let accelerations = loaded.analysis().eval_accelerations(&poses, &velocities).unwrap();
        for (k, i) in linear.coordinates.iter().enumerate() {
            let b = linear.b[n / 2 + k + n * input];
            assert!((b - accelerations[i / 6][i % 6]).abs() < 1e-12, "{b}");
            assert_eq!(linear.b[k + n * input], 0.0);
        }
        loaded.inputs().set_coordinates(&poses, &velocities).unwrap();
        let there = loaded.outputs().marker_acceleration(marker, Frame::Inertial).unwrap();
        assert_close("D", &linear.d[18 * input + 12..18 * input + 18], &there, 1e-12);
        assert_eq!(linear.d[18 * input..18 * input + 12], [0.0; 12]);
    }
    // C of displacements and velocities is the motion of the marker for that of the coordinates.
    let f = n / 2;
    for j in 0..f {
        let basis = |body: usize| -> [f64; 6] { std::array::from_fn(|i| linear.basis[6 * body + i + 12 * j]) };
        let (u, theta) = halves(basis(1));
        let arm = rotate(turn(&system.outputs().body_pose(bodies[1]).unwrap()), [0.2, -0.3, 0.4]);
        let expected = join(add(u, cross(theta, arm)), theta);
        assert_close("C displacement", &linear.c[18 * j..18 * j + 6], &expected, 1e-13);
        assert_close("C velocity", &linear.c[18 * (f + j) + 6..18 * (f + j) + 12], &expected, 1e-13);
    }
}

#[test]
fn pendulum_swings_at_its_frequency_and_is_named() {
    let (mass, arm, radius) = (2.0, 0.8, 0.3);
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body =
        system.build().add_rigid_body(mass, &[0.0; 3], &kg(mass, radius), &pose([0.0, 0.0, -arm], UNROTATED)).unwrap();
    system.build().set_name(EntityKind::Body, body, "bob").unwrap();
    let joint =
        system.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    let inertia = mass * (arm * arm + radius * radius);
    let damping = 0.1 * 2.0 * (mass * G * arm * inertia).sqrt();
    system.build().set_joint_spring(joint, 0.0, damping, 0.0).unwrap();
    system.initialize(0.0).unwrap();
    let (modes, motion) = system.analysis().modes().unwrap();
    assert_eq!((modes.len(), motion[0]), (1, 0.0));
    assert!(motion[1] < 1e-14);
    assert!((modes[0].frequency / ((mass * G * arm / inertia).sqrt() / TAU) - 1.0).abs() < 1e-12);
    assert!((modes[0].damping_ratio - 0.1).abs() < 1e-12);
    // the angle 1 moves the bob by the arm
    let shape = modes[0].shape[0];
    assert_close("shape", &shape, &[-arm, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-12);
    assert_eq!(system.analysis().state_name(0).unwrap(), "body 0 \"bob\": rotation y");
    assert_eq!(system.analysis().state_name(1).unwrap(), "body 0 \"bob\": angular velocity y");
    assert!(matches!(system.analysis().state_name(2), Err(Error::BadValue { .. })));
}

#[test]
fn overdamped_oscillator_has_two_real_roots() {
    let mut system = Simulation::new();
    let body = system.build().add_rigid_body(1.0, &[0.0; 3], &kg(1.0, 0.1), &ORIGIN).unwrap();
    let joint =
        system.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
    system.build().set_joint_spring(joint, 2.0, 3.0, 0.0).unwrap();
    system.initialize(0.0).unwrap();
    // s^2 + 3 s + 2 = (s + 1)(s + 2)
    let (modes, _) = system.analysis().modes().unwrap();
    let found: Vec<[f64; 2]> = modes.iter().map(|m| [m.frequency * TAU, m.damping_ratio]).collect();
    assert_close("roots", found.as_flattened(), &[1.0, 1.0, 2.0, 1.0], 1e-13);
}

/// Stiffness 6x6 of a platform as a hydrostatic code gives it, unsymmetric parts included, and
/// masses.
fn platform_matrices() -> (Matrix6<f64>, Matrix6<f64>, RigidMatrices) {
    let (mass, com, radius) = (1.2e7, [0.0, 0.0, -8.0], 20.0);
    let j = mass * radius * radius;
    let rigid = mass_matrix(mass, com, diag([j, j, 1.3 * j]));
    let mut added = [[0.0; 6]; 6];
    for (i, a) in [8e6, 9e6, 1.5e7, 4e9, 5e9, 2e9].into_iter().enumerate() {
        added[i][i] = a;
    }
    (added[0][4], added[4][0]) = (-5e7, -5e7);
    (added[1][3], added[3][1]) = (5e7, 5e7);
    let mut k = [[0.0; 6]; 6];
    for (i, x) in [7e4, 8e4, 1e6, 9e8, 1.1e9, 1e8].into_iter().enumerate() {
        k[i][i] = x;
    }
    (k[0][4], k[4][0]) = (-4e5, -2e5);
    (k[2][4], k[4][2]) = (3e5, 3e5);
    let to = |m: &M6| Matrix6::from_fn(|i, j| m[i][j]);
    (to(&rigid) + to(&added), to(&k), RigidMatrices { mass, com, inertia: [j, j, 1.3 * j, 0.0, 0.0, 0.0], added, k })
}

struct RigidMatrices {
    mass: f64,
    com: V3,
    inertia: [f64; 6],
    added: M6,
    k: M6,
}

#[test]
fn spring_mounted_platform_has_the_frequencies_of_its_six_by_six_problem() {
    let (m, k, given) = platform_matrices();
    let mut system = Simulation::new();
    let body = system.build().add_rigid_body(given.mass, &given.com, &given.inertia, &ORIGIN).unwrap();
    system.settings().set_added_mass(body, &columns(&given.added), Frame::Inertial).unwrap();
    system.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &columns(&given.k), &[0.0; 36]).unwrap();
    system.initialize(0.0).unwrap();
    let squares = (m.try_inverse().unwrap() * k).complex_eigenvalues();
    let mut expected: Vec<f64> = squares.iter().map(|s| s.re.sqrt() / TAU).collect();
    assert!(squares.iter().all(|s| s.im == 0.0 && s.re > 0.0), "the example is stable");
    expected.sort_by(f64::total_cmp);
    let (modes, motion) = system.analysis().modes().unwrap();
    assert_eq!(motion, [0.0; 2]);
    let found: Vec<f64> = modes.iter().map(|mode| mode.frequency).collect();
    println!("{found:?} Hz");
    assert_eq!(found.len(), 6);
    for (f, e) in found.iter().zip(&expected) {
        assert!((f / e - 1.0).abs() < 1e-10, "{found:?} against {expected:?}");
    }
    // Shapes: (K - omega^2 M) shape = 0.
    for mode in &modes {
        assert!(mode.damping_ratio.abs() < 1e-9);
        let shape = nalgebra::Vector6::from_column_slice(&mode.shape[0][..6]);
        let omega = TAU * mode.frequency;
        let (elastic, inertial) = (k * shape, m * shape * (omega * omega));
        assert!((elastic - inertial).amax() < 1e-8 * elastic.amax(), "{mode:?}");
    }
    // M as the platform has it
    let own = Matrix6::from_column_slice(&system.analysis().mass_matrix().unwrap());
    assert!((own - m).amax() < 1e-14 * m.amax());
    // away from it the modes are there, and the state says that it is no equilibrium
    let mut poses = [ORIGIN];
    poses[0][2] = 1.0;
    system.inputs().set_coordinates(&poses, &[[0.0; 6]]).unwrap();
    let (modes, motion) = system.analysis().modes().unwrap();
    assert_eq!(modes.len(), 6);
    assert!(motion[0] == 0.0 && motion[1] > 1e-3, "{motion:?}");
    // A quaternion that is none is told with the body that it is of.
    poses[0][3] = 0.5;
    let why = system.inputs().set_coordinates(&poses, &[[0.0; 6]]).unwrap_err().to_string();
    assert!(why.contains("body 0") && why.contains("quaternion (0.5, "), "{why}");
}

#[test]
fn equal_frequencies_have_independent_shapes_and_a_free_body_six_rigid_modes() {
    let mut system = Simulation::new();
    let body = system.build().add_rigid_body(2.0, &[0.0; 3], &kg(2.0, 0.5), &ORIGIN).unwrap();
    system.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([8.0; 6]), &[0.0; 36]).unwrap();
    system.build().add_rigid_body(2.0, &[0.1, 0.0, 0.0], &kg(2.0, 0.5), &ORIGIN).unwrap();
    system.initialize(0.0).unwrap();
    let (modes, _) = system.analysis().modes().unwrap();
    let found: Vec<f64> = modes.iter().map(|mode| mode.frequency * TAU).collect();
    // sqrt(8/2) three times, sqrt(8/0.5) three times
    assert_close("frequencies", &found, &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 2.0, 2.0, 2.0, 4.0, 4.0, 4.0], 1e-7);
    let shapes = DMatrix::from_fn(12, 12, |i, k| modes[k].shape[i / 6][i % 6]);
    assert!(shapes.rank(1e-6) == 12, "independent: {shapes}");
}

#[test]
fn double_pendulum_is_that_of_the_textbook() {
    // Two thin rods of length l, mass m, hinges at their ends: M = m l^2 [4/3, 1/2; 1/2, 1/3],
    // K = m g l [3/2, 0; 0, 1/2] in the absolute angles.
    let (m, l) = (1.7, 0.9);
    let j = m * l * l / 12.0;
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let mut last = GROUND;
    for k in 0..2 {
        let top = -(k as f64) * l;
        let inertia = [j, j, 1e-3 * j, 0.0, 0.0, 0.0];
        let body = system
            .build()
            .add_rigid_body(m, &[0.0, 0.0, -0.5 * l], &inertia, &pose([0.0, 0.0, top], UNROTATED))
            .unwrap();
        system.build().add_joint_at(JointKind::Revolute, last, body, &[0.0, 0.0, top], Some(&[0.0, 1.0, 0.0])).unwrap();
        last = body;
    }
    system.initialize(0.0).unwrap();
    let linear = system.analysis().linearize(&[], &[], &[]).unwrap();
    assert_eq!(linear.coordinates, [4, 10], "the absolute angles about y");
    let mass = nalgebra::Matrix2::new(4.0 / 3.0, 0.5, 0.5, 1.0 / 3.0) * (m * l * l);
    let stiffness = nalgebra::Matrix2::new(1.5, 0.0, 0.0, 0.5) * (m * G * l);
    let a21 = -mass.try_inverse().unwrap() * stiffness;
    for i in 0..2 {
        for k in 0..2 {
            assert!((linear.a[2 + i + 4 * k] - a21[(i, k)]).abs() < 1e-11 * a21.amax());
            assert!((linear.a[i + 4 * (2 + k)] - f64::from(u8::from(i == k))).abs() < 1e-14);
            assert!(linear.a[2 + i + 4 * (2 + k)].abs() < 1e-13);
        }
    }
}

#[test]
fn sleeping_top_nutates_and_precesses_at_the_roots_of_its_quadratic() {
    // An upright symmetric top, spin w: A th'' -+ i C w th' - m g l th = 0, roots s = i W with A
    // W^2 - C w W + m g l = 0 (Goldstein, Classical Mechanics, sect. 5.7): two real W above w^2 = 4
    // A m g l/C^2.
    let (m, l, radius) = (1.5, 0.4, 0.3);
    let (about, spin_inertia) = (m * radius * radius, 2.0 * m * radius * radius);
    let across = about + m * l * l;
    let w = 1.5 * (4.0 * across * m * G * l).sqrt() / spin_inertia;
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body = system
        .build()
        .add_rigid_body(m, &[0.0, 0.0, l], &[about, about, spin_inertia, 0.0, 0.0, 0.0], &ORIGIN)
        .unwrap();
    system.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, w]).unwrap();
    system.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    system.initialize(0.0).unwrap();
    let root = ((spin_inertia * w).powi(2) - 4.0 * across * m * G * l).sqrt();
    let fast = (spin_inertia * w + root) / (2.0 * across);
    let slow = (spin_inertia * w - root) / (2.0 * across);
    // About the vertical the top turns freely.
    let (modes, motion) = system.analysis().modes().unwrap();
    let found: Vec<f64> = modes.iter().map(|mode| mode.frequency * TAU).collect();
    println!("spin {w}: {found:?}, expected 0 {slow} {fast}");
    assert!(motion[0] > 0.0, "the state moves, and says so: {motion:?}");
    assert_eq!(found.len(), 3);
    assert_close("roots", &found, &[0.0, slow, fast], 1e-9 * fast);
    check_state_matrix("top", &system, &|now| place(&now[0]).to_vec(), 1e-7);
}
