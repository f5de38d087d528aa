//! Static equilibrium: mechanisms and moored bodies come to rest where statics says, or the call
//! names the body that does not.

use crate::common::*;
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Phase, Result, Simulation};
use std::f64::consts::PI;

const G: f64 = 9.81;

fn kg(mass: f64, radius: f64) -> [f64; 6] {
    let j = mass * radius * radius;
    [j, j, j, 0.0, 0.0, 0.0]
}

fn still(system: &Simulation, tolerance: f64) {
    for body in 0..system.description().count(EntityKind::Body) {
        assert_eq!(system.outputs().body_velocity(body, Frame::Inertial).unwrap(), [0.0; 6]);
        let acceleration = system.outputs().body_acceleration(body, Frame::Inertial).unwrap();
        assert!(acceleration.iter().all(|a| a.abs() <= tolerance), "{acceleration:?}");
    }
}

/// A pendulum of length 1 about y, `angle` from hanging.
fn pendulum(angle: f64) -> Result<(Simulation, Id, Id)> {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G])?;
    let at = [-angle.sin(), 0.0, -angle.cos()];
    let body = system.build().add_rigid_body(2.0, &[0.0; 3], &kg(2.0, 0.2), &pose(at, UNROTATED))?;
    system.build().set_name(EntityKind::Body, body, "bob")?;
    let joint = system.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0]))?;
    Ok((system, body, joint))
}

#[test]
fn pendulum_comes_to_hang_from_anywhere() {
    for angle in [0.0, 0.1, 0.5 * PI, 2.0, 0.97 * PI, -0.999 * PI] {
        let (mut system, body, joint) = pendulum(angle).unwrap();
        system.initialize(0.0).unwrap();
        let steps = system.solve_equilibrium(60, 1e-11).unwrap();
        println!("{angle}: {steps} steps");
        // tolerance 1e-11 of the weight is 1e-11 rad away, 2e-10 m/s^2
        assert_close("bob", &place(&system.outputs().body_pose(body).unwrap()), &[0.0, 0.0, -1.0], 2e-11);
        still(&system, 2e-10);
        let [q, qd, _] = system.outputs().joint_coordinate(joint).unwrap();
        assert!((q + angle).abs() < 2e-11 && qd == 0.0, "the angle is counted on: {q} from {angle}");
        let reaction = system.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        assert_close("carries the weight", &reaction, &[0.0, 0.0, 2.0 * G, 0.0, 0.0, 0.0], 1e-9);
    }
}

#[test]
fn load_set_before_acts_and_the_next_steps_stay_there() {
    let (mut system, body, _) = pendulum(0.2).unwrap();
    system.initialize(3.0).unwrap();
    system.step(0.01).unwrap();
    system.inputs().set_body_load(body, Frame::Inertial, &[2.0 * G, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    system.solve_equilibrium(50, 1e-12).unwrap();
    let half = 0.5f64.sqrt();
    assert_close("45 degrees", &place(&system.outputs().body_pose(body).unwrap()), &[half, 0.0, -half], 1e-11);
    assert_eq!((system.phase(), system.time().unwrap()), (Phase::Ready, 3.01));
    for _ in 0..100 {
        system.step(0.02).unwrap();
    }
    assert_close("stays", &place(&system.outputs().body_pose(body).unwrap()), &[half, 0.0, -half], 1e-9);
}

/// Joints of a chain of `n` links of length 1 and weight w in the xz plane, its ends `span` apart
/// at z = 0: the horizontal force H is the same in all links, and moments about a joint give
/// tan(angle_i) = w (i - (n - 1)/2)/H.
fn catenary(n: usize, span: f64) -> Vec<V3> {
    let slope = |h: f64, i: usize| ((i as f64 - 0.5 * (n as f64 - 1.0)) / h).atan();
    let width = |h: f64| (0..n).map(|i| slope(h, i).cos()).sum::<f64>();
    let (mut low, mut high) = (1e-6, 1e6);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if width(middle) < span { low = middle } else { high = middle }
    }
    let mut joints = vec![[0.0; 3]];
    for i in 0..n {
        let a = slope(low, i);
        joints.push(add(joints[i], [a.cos(), 0.0, a.sin()]));
    }
    joints
}

#[test]
fn chain_hangs_in_a_catenary_from_a_taut_v_and_from_an_arch() {
    let (n, span) = (10, 6.0);
    let expected = catenary(n, span);
    for up in [-1.0, 1.0] {
        let mut system = Simulation::new();
        system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let mut bodies = Vec::new();
        let mut last = GROUND;
        let mut joint = [0.0; 3];
        for i in 0..n {
            // half the span is 3, half the chain 5: depth 4; the arch is not symmetric, so that it
            // is no equilibrium
            let way: V3 = if i < n / 2 { [0.6, 0.0, 0.8 * up] } else { [0.6, 0.0, -0.8 * up] };
            let q = quat_exp([0.0, -way[2].atan2(way[0]), 0.0]);
            let body = system.build().add_rigid_body(1.0, &[0.5, 0.0, 0.0], &kg(1.0, 0.1), &pose(joint, q)).unwrap();
            system.build().add_joint_at(JointKind::Revolute, last, body, &joint, Some(&[0.0, 1.0, 0.0])).unwrap();
            joint = add(joint, way);
            last = body;
            bodies.push(body);
        }
        system
            .build()
            .add_joint_at(JointKind::Revolute, last, GROUND, &[span, 0.0, 0.0], Some(&[0.0, 1.0, 0.0]))
            .unwrap();
        system.initialize(0.0).unwrap();
        let steps = system.solve_equilibrium(300, 1e-10).unwrap();
        println!("up {up}: {steps} steps");
        for (body, expected) in bodies.iter().zip(&expected) {
            // 1e-10 of a link's weight over the chain's stiffness of about one weight per length
            assert_close("joint", &place(&system.outputs().body_pose(*body).unwrap()), expected, 1e-8);
        }
        still(&system, 1e-7);
    }
}

/// A moored platform: weight, buoyancy at a point above, three lines to anchors.
struct Platform {
    fairleads: [V3; 3],
    anchors: [V3; 3],
    stiffness: f64,
    rest: f64,
    mass: f64,
    buoyancy: f64,
    centre: V3,
    wind: V3,
}

const PLATFORM: Platform = Platform {
    fairleads: [[5.0, 0.0, -2.0], [-2.5, 4.330127, -2.0], [-2.5, -4.330127, -2.0]],
    anchors: [[40.0, 0.0, -30.0], [-20.0, 34.641016, -30.0], [-20.0, -34.641016, -30.0]],
    stiffness: 4.0e4,
    rest: 42.0,
    mass: 1.0e5,
    buoyancy: 1.6e6,
    centre: [0.0, 0.0, 1.5],
    wind: [3.0e4, 1.2e4, 0.0],
};

impl Platform {
    /// Force and moment about the reference point at x, q.
    fn wrench(&self, x: V3, q: Quat) -> [f64; 6] {
        let mut force = add([0.0, 0.0, -self.mass * G], self.wind);
        let arm = rotate(q, self.centre);
        let mut moment = cross(arm, [0.0, 0.0, self.buoyancy]);
        force[2] += self.buoyancy;
        for (fairlead, anchor) in self.fairleads.iter().zip(&self.anchors) {
            let arm = rotate(q, *fairlead);
            let e = sub(*anchor, add(x, arm));
            let length = norm(e);
            let pull = scale(self.stiffness * (length - self.rest) / length, e);
            force = add(force, pull);
            moment = add(moment, cross(arm, pull));
        }
        join(force, moment)
    }

    /// Newton's method with differences for a Jacobian.
    fn equilibrium(&self) -> (V3, Quat) {
        let (mut x, mut q) = ([0.0; 3], UNROTATED);
        let moved =
            |x: V3, q: Quat, d: &[f64]| (add(x, [d[0], d[1], d[2]]), unit(quat_mul(quat_exp([d[3], d[4], d[5]]), q)));
        for _ in 0..30 {
            let h = 1e-6;
            let columns: Vec<[f64; 6]> = (0..6)
                .map(|k| {
                    let at = |s: f64| {
                        let mut d = [0.0; 6];
                        d[k] = s;
                        let (x, q) = moved(x, q, &d);
                        self.wrench(x, q)
                    };
                    let (plus, minus) = (at(h), at(-h));
                    std::array::from_fn(|i| (plus[i] - minus[i]) / (2.0 * h))
                })
                .collect();
            let matrix = (0..6).map(|i| columns.iter().map(|c| c[i]).collect()).collect();
            let d = solve(matrix, self.wrench(x, q).iter().map(|f| -f).collect());
            (x, q) = moved(x, q, &d);
        }
        (x, q)
    }

    fn build(&self, at: [f64; 7]) -> (Simulation, Id) {
        let mut system = Simulation::new();
        system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let body = system.build().add_rigid_body(self.mass, &[0.0; 3], &kg(self.mass, 4.0), &at).unwrap();
        let marker = system.build().add_marker(body, &pose(self.centre, UNROTATED)).unwrap();
        for (fairlead, anchor) in self.fairleads.iter().zip(&self.anchors) {
            system.elements().add_spring(body, fairlead, GROUND, anchor, self.stiffness, 0.0, self.rest, true).unwrap();
        }
        let up = [0.0, 0.0, self.buoyancy, 0.0, 0.0, 0.0];
        system.inputs().set_marker_load(marker, Frame::Inertial, &up).unwrap();
        system.inputs().set_body_load(body, Frame::Inertial, &join(self.wind, [0.0; 3])).unwrap();
        (system, body)
    }
}

#[test]
fn platform_on_three_lines_settles_where_newton_of_our_own_does() {
    let (x, q) = PLATFORM.equilibrium();
    let residual = PLATFORM.wrench(x, q);
    assert!(residual.iter().all(|r| r.abs() < 1e-6), "the reference is one: {residual:?}");
    for start in [ORIGIN, pose([4.0, -3.0, 2.0], quat_exp([0.5, -0.4, 0.9]))] {
        let (mut system, body) = PLATFORM.build(start);
        system.initialize(0.0).unwrap();
        let steps = system.solve_equilibrium(100, 1e-12).unwrap();
        println!("{steps} steps");
        let found = system.outputs().body_pose(body).unwrap();
        // 1e-12 of 1.6e6 N over 1e4 N/m
        assert_close("position", &place(&found), &x, 1e-9);
        assert!(angle_between(turn(&found), q) < 1e-9);
        still(&system, 1e-9);
    }
}

#[test]
fn slack_lines_catch_a_falling_body() {
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body =
        system.build().add_rigid_body(10.0, &[0.0; 3], &kg(10.0, 0.3), &pose([0.0, 0.0, 5.0], UNROTATED)).unwrap();
    system.elements().add_spring(body, &[0.0, 0.0, 0.3], GROUND, &[0.0, 0.0, 8.0], 1e5, 0.0, 100.0, true).unwrap();
    system.initialize(0.0).unwrap();
    system.solve_equilibrium(200, 1e-10).unwrap();
    let depth = 8.0 - 0.3 - 100.0 - 10.0 * G / 1e5;
    // the weight to 1e-10 over the stiffness, and rounding of 100 m
    assert_close(
        "hangs",
        &place(&system.outputs().body_pose(body).unwrap()),
        &[0.0, 0.0, depth],
        1e-12 + 1e-13 * 100.0,
    );
}

#[test]
fn what_no_force_moves_stays() {
    // Hung on one spring above its centre of mass: the turn about the vertical has no stiffness.
    let mut system = Simulation::new();
    system.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let start = pose([0.0; 3], quat_mul(quat_exp([0.3, 0.0, 0.0]), quat_exp([0.0, 0.0, 0.7])));
    let body = system.build().add_rigid_body(3.0, &[0.0; 3], &kg(3.0, 0.3), &start).unwrap();
    system.elements().add_spring(body, &[0.0, 0.0, 0.5], GROUND, &[0.0, 0.0, 2.0], 500.0, 0.0, 1.0, false).unwrap();
    system.initialize(0.0).unwrap();
    system.solve_equilibrium(100, 1e-11).unwrap();
    let found = system.outputs().body_pose(body).unwrap();
    assert_close("below", &place(&found), &[0.0, 0.0, 2.0 - 1.0 - 3.0 * G / 500.0 - 0.5], 1e-9);
    let x_axis = rotate(turn(&found), [1.0, 0.0, 0.0]);
    // All happens in the yz plane. Rounding of the weight, 1e-15 of it, over the least inertia,
    // 1e-12 of the stiffness.
    assert!((x_axis[1].atan2(x_axis[0]) - 0.7).abs() < 1e-3, "{x_axis:?}");
}

#[test]
fn imposed_motions_stop_where_they_are() {
    let (mut system, _, joint) = pendulum(0.0).unwrap();
    system.build().set_joint_driven(joint, true).unwrap();
    system.initialize(0.0).unwrap();
    system.inputs().set_joint_motion(joint, 0.1, 1.0, 0.0).unwrap();
    system.step(0.1).unwrap();
    system.solve_equilibrium(20, 1e-10).unwrap();
    let [q, qd, qdd] = system.outputs().joint_coordinate(joint).unwrap();
    assert!((q - 0.1).abs() < 1e-12 && qd == 0.0 && qdd.abs() < 1e-12, "{q} {qd} {qdd}");
    let moment = system.outputs().joint_reaction(joint, Frame::Inertial).unwrap()[4];
    assert!((moment.abs() - 2.0 * G * 0.1f64.sin()).abs() < 1e-9, "the drive holds the bob: {moment}");
}

#[test]
fn a_body_without_equilibrium_is_named_and_nothing_changes() {
    let (mut system, _, _) = pendulum(0.4).unwrap();
    let body = system.build().add_rigid_body(1.0, &[0.0; 3], &kg(1.0, 0.3), &pose([5.0, 0.0, 0.0], UNROTATED)).unwrap();
    system.build().set_name(EntityKind::Body, body, "stray").unwrap();
    system.initialize(0.0).unwrap();
    system.step(0.01).unwrap();
    let mut twin = system.clone();
    for most in [1, 1000] {
        let error = system.solve_equilibrium(most, 1e-8).unwrap_err();
        assert!(matches!(error, Error::NoEquilibrium { .. }), "{error}");
        if most == 1000 {
            assert!(error.to_string().contains("body 1 \"stray\" keeps moving"), "{error}");
        }
    }
    for (max_iterations, tolerance) in [(0, 1e-8), (-3, 1e-8), (10, 0.0), (10, 1.0), (10, -1.0), (10, f64::NAN)] {
        assert!(system.solve_equilibrium(max_iterations, tolerance).is_err());
    }
    system.step(0.01).unwrap();
    twin.step(0.01).unwrap();
    for body in 0..2 {
        assert_eq!(system.outputs().body_pose(body), twin.outputs().body_pose(body));
        assert_eq!(
            system.outputs().body_velocity(body, Frame::Inertial),
            twin.outputs().body_velocity(body, Frame::Inertial)
        );
    }
}

/// A weight of 1 N on a spring, the length of whose model is that of its inertia, 1 m: its
/// equilibrium is 1/k below. The header says that the search ends a million lengths away.
#[test]
fn the_search_ends_a_million_lengths_away() {
    let hung = |stiffness: f64| {
        let mut system = Simulation::new();
        system.settings().set_gravity(&[0.0, 0.0, -1.0]).unwrap();
        let inertia = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0, 0.0, 0.0];
        let body = system.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &ORIGIN).unwrap();
        system.elements().add_spring(GROUND, &[0.0; 3], body, &[0.0; 3], stiffness, 0.0, 0.0, false).unwrap();
        system.initialize(0.0).unwrap();
        system
    };
    let mut near = hung(1.0 / 0.9e6);
    near.solve_equilibrium(1000, 1e-9).unwrap();
    let z = near.outputs().body_pose(0).unwrap()[2];
    assert!((z / -0.9e6 - 1.0).abs() < 1e-8, "{z}");
    match hung(1.0 / 1.1e6).solve_equilibrium(1000, 1e-9) {
        Err(Error::NoEquilibrium { iterations, distance, .. }) => {
            assert!(distance > 1e6 && iterations < 1000, "{distance} after {iterations}")
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_an_accepted_state_can_settle() {
    let (mut system, _, _) = pendulum(0.4).unwrap();
    assert!(matches!(system.solve_equilibrium(10, 1e-8), Err(Error::BadPhase { .. })));
    system.initialize(0.0).unwrap();
    system.advance(0.01).unwrap();
    assert!(matches!(system.solve_equilibrium(10, 1e-8), Err(Error::BadPhase { .. })));
    system.reject().unwrap();
    system.solve_equilibrium(50, 1e-8).unwrap();
}
