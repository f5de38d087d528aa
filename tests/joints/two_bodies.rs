//! Two bodies and their joints: conservation, double pendulum, FIXED as one body, roles of a, b and
//! ground, redundancy.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

fn system(gravity: V3, options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&gravity).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim
}

const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];
const GRAVITY: V3 = [0.0, 0.0, -9.81];

// ---- two free bodies on a hinge 1 m off both ---------------------------------------------------------------------------

const M1: f64 = 2.0;
const M2: f64 = 1.0;
const J1: V3 = [0.4, 0.5, 0.7];
const J2: V3 = [0.2, 0.35, 0.3];
/// The hinge seen from each centre of mass, body axes (both frames start parallel to the inertial
/// one).
const D1: V3 = [1.0, 0.0, 0.0];
const D2: V3 = [-1.0, 0.0, 0.0];
const HINGE: V3 = [0.0, 0.6, 0.8];
const OMEGA1: V3 = [0.3, -0.5, 0.8];
const RELATIVE: f64 = 0.7; // turning of 2 relative to 1 about the hinge (rad/s)
const DRIFT: V3 = [0.2, 0.1, -0.3];

fn hinged(dt_options: &[(&str, f64)]) -> (Simulation, [Id; 2], Id) {
    let mut sim = system([0.0; 3], dt_options);
    let omega2 = add(OMEGA1, scale(RELATIVE, HINGE));
    let one = sim.build().add_rigid_body(M1, &[0.0; 3], &six(&diag(J1)), &pose(scale(-1.0, D1), UNROTATED)).unwrap();
    let two = sim.build().add_rigid_body(M2, &[0.0; 3], &six(&diag(J2)), &pose(scale(-1.0, D2), UNROTATED)).unwrap();
    sim.build().set_body_velocity(one, &join(sub(DRIFT, cross(OMEGA1, D1)), OMEGA1)).unwrap();
    sim.build().set_body_velocity(two, &join(sub(DRIFT, cross(omega2, D2)), omega2)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, one, two, &[0.0; 3], Some(&HINGE)).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, [one, two], joint)
}

/// Momentum (6, about the origin) and kinetic energy from poses and velocities, by our own
/// formulas.
fn invariants(sim: &Simulation, bodies: [Id; 2]) -> ([f64; 6], f64) {
    let (mut total, mut energy) = ([0.0; 6], 0.0);
    for (id, m, j) in [(bodies[0], M1, J1), (bodies[1], M2, J2)] {
        let y = body_state(
            &sim.outputs().body_pose(id).unwrap(),
            &sim.outputs().body_velocity(id, Frame::Inertial).unwrap(),
        );
        let mass = mass_matrix(m, [0.0; 3], diag(j));
        let (p, l) = momenta(&mass, &y);
        for (t, x) in total.iter_mut().zip(join(p, l)) {
            *t += x;
        }
        energy += kinetic(&mass, &y);
    }
    (total, energy)
}

/// Rates of body 1 (13), hinge angle and hinge rate: unknowns a1, alpha1, s'', force F and moment M
/// of 2 on 1, M perpendicular to the hinge n; omega2 = omega1 + s' n, so alpha2 = alpha1 + s'' n +
/// s' omega1 x n; a2 from the common point.
fn hinge_rate(y: &[f64], dy: &mut [f64]) -> [f64; 6] {
    let q1 = orientation(y);
    let q2 = quat_mul(q1, quat_exp(scale(y[13], HINGE)));
    let w1 = rotate(q1, angular(y));
    let n = rotate(q1, HINGE);
    let w2 = add(w1, scale(y[14], n));
    let (r1, r2) = (rotate(q1, D1), rotate(q2, D2));
    let tensor = |q: Quat, j: V3| to_body(conjugate(q), &diag(j));
    let (i1, i2) = (tensor(q1, J1), tensor(q2, J2));
    let corner = scale(y[14], cross(w1, n)); // alpha2 without its unknown parts
    let mut a = vec![vec![0.0; 13]; 13];
    let mut b = vec![0.0; 13];
    let (s1, s2) = (skew(r1), skew(r2));
    let (g1, g2) = (cross(w1, mul3(&i1, w1)), cross(w2, mul3(&i2, w2)));
    // a2 = a1 - ~r1 alpha1 + w1 x (w1 x r1) + ~r2 alpha2 - w2 x (w2 x r2)
    let known = add(sub(cross(w1, cross(w1, r1)), cross(w2, cross(w2, r2))), mul3(&s2, corner));
    let hinge_arm = mul3(&s2, n);
    let (inertia_n, inertia_corner) = (mul3(&i2, n), mul3(&i2, corner));
    for i in 0..3 {
        a[i][i] = M1;
        a[i][7 + i] = -1.0; // M1 a1 = F
        a[3 + i][10 + i] = -1.0; // I1 alpha1 - r1 x F - M = -g1
        a[6 + i][i] = M2;
        a[6 + i][7 + i] = 1.0; // M2 a2 + F = 0
        a[9 + i][10 + i] = 1.0; // I2 alpha2 + r2 x F + M = -g2
        for j in 0..3 {
            a[3 + i][3 + j] = i1[i][j];
            a[3 + i][7 + j] -= s1[i][j];
            a[6 + i][3 + j] = M2 * (s2[i][j] - s1[i][j]);
            a[9 + i][3 + j] = i2[i][j];
            a[9 + i][7 + j] += s2[i][j];
        }
        a[6 + i][6] = M2 * hinge_arm[i];
        a[9 + i][6] = inertia_n[i];
        b[3 + i] = -g1[i];
        b[6 + i] = -M2 * known[i];
        b[9 + i] = -g2[i] - inertia_corner[i];
        a[12][10 + i] = n[i];
    }
    let x = solve(a, b);
    kinematics(&y[..13], &mut dy[..13]);
    let acceleration = unrotate(q1, [x[0], x[1], x[2]]);
    dy[7..10].copy_from_slice(&sub(acceleration, cross(angular(y), linear(y))));
    dy[10..13].copy_from_slice(&unrotate(q1, [x[3], x[4], x[5]]));
    dy[13] = y[14];
    dy[14] = x[6];
    // of 1 on 2
    [-x[7], -x[8], -x[9], -x[10], -x[11], -x[12]]
}

fn hinge_samples(interval: f64, intervals: usize, substeps: usize) -> Vec<Vec<f64>> {
    let start = body_state(&pose(scale(-1.0, D1), UNROTATED), &join(sub(DRIFT, cross(OMEGA1, D1)), OMEGA1));
    let mut y0 = start.to_vec();
    y0.extend([0.0, RELATIVE]);
    rk4_samples(|_t, y, dy| _ = hinge_rate(y, dy), &y0, interval, intervals, substeps)
}

#[test]
fn reference_of_the_hinge_conserves_momentum_and_energy() {
    // both follow only if every term of `hinge_rate` is right; RK4 at 5e-3 with rates of 2 rad/s:
    // (0.01)^4 * 5 / 120 = 4e-10
    let sums = |y: &[f64]| {
        let q1 = orientation(y);
        let q2 = quat_mul(q1, quat_exp(scale(y[13], HINGE)));
        let v1 = rotate(q1, linear(y));
        let w1 = rotate(q1, angular(y));
        let w2 = add(w1, scale(y[14], rotate(q1, HINGE)));
        let x2 = sub(add(position(y), rotate(q1, D1)), rotate(q2, D2));
        let v2 = sub(add(v1, cross(w1, rotate(q1, D1))), cross(w2, rotate(q2, D2)));
        let two = body_state(&pose(x2, q2), &join(v2, w2));
        let (m1, m2) = (mass_matrix(M1, [0.0; 3], diag(J1)), mass_matrix(M2, [0.0; 3], diag(J2)));
        let ((p1, l1), (p2, l2)) = (momenta(&m1, y), momenta(&m2, &two));
        let energy = kinetic(&m1, y) + kinetic(&m2, &two);
        [add(p1, p2).to_vec(), add(l1, l2).to_vec(), vec![energy]].concat()
    };
    let samples = hinge_samples(0.05, 100, 10);
    for y in &samples {
        assert_close("invariants of the reference", &sums(y), &sums(&samples[0]), 5e-9);
    }
}

#[test]
fn hinged_free_bodies_keep_momentum_and_energy() {
    // Asked: relative 1e-6 (angular momentum) and 1e-4 (energy) over 10 s at dt 1e-3, rho_inf 0.9.
    // The scheme's error is (w h)^2 = (2e-3)^2 = 4e-6 with w up to 2 rad/s, times a factor below
    // 1/4 as in |kappa|.
    let (mut sim, bodies, _) = hinged(&[("rho_inf", 0.9)]);
    let (p0, e0) = invariants(&sim, bodies);
    let own = sim.outputs().momentum(&[0.0; 3]).unwrap();
    assert_close("reported momentum", &own, &p0, 1e-12);
    assert_close("reported energy", &[sim.outputs().energy().unwrap().0], &[e0], 1e-12);
    let (linear0, angular0) = halves(p0);
    let mut worst = [0.0f64; 3];
    for _ in 0..10_000 {
        sim.step(1e-3).unwrap();
        let (p, e) = invariants(&sim, bodies);
        let (linear, angular) = halves(p);
        worst[0] = worst[0].max(distance(linear, linear0) / norm(linear0));
        worst[1] = worst[1].max(distance(angular, angular0) / norm(angular0));
        worst[2] = worst[2].max((e - e0).abs() / e0);
        let gap = sim.outputs().constraint_violation().unwrap().0;
        assert!(gap < 1e-11, "joint gap {gap:e}");
    }
    println!("linear momentum {:e}, angular momentum {:e}, energy {:e}", worst[0], worst[1], worst[2]);
    // linear momentum: the joint's forces are equal and opposite in every solve; 1e4 steps of
    // rounding
    assert!(worst[0] < 1e-11, "linear momentum {:e}", worst[0]);
    assert!(worst[1] < 1e-6, "angular momentum {:e}", worst[1]);
    assert!(worst[2] < 1e-4, "energy {:e}", worst[2]);
}

#[test]
fn hinged_free_bodies_converge_at_second_order() {
    let interval = 2.5e-3;
    let exact = hinge_samples(interval, 1200, 2);
    let mut tables = vec![Vec::new(); 3];
    for (dt, stride) in [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)] {
        let (mut sim, bodies, joint) = hinged(&[("rho_inf", 0.9), TIGHT[0], TIGHT[1]]);
        let mut worst = [0.0f64; 3];
        for n in 1..=1200 / stride {
            sim.step(dt).unwrap();
            let y = &exact[n * stride];
            let q1 = orientation(y);
            let q2 = quat_mul(q1, quat_exp(scale(y[13], HINGE)));
            let x2 = sub(add(position(y), rotate(q1, D1)), rotate(q2, D2));
            let (p1, p2) = (sim.outputs().body_pose(bodies[0]).unwrap(), sim.outputs().body_pose(bodies[1]).unwrap());
            worst[0] = worst[0].max(distance(place(&p1), position(y))).max(distance(place(&p2), x2));
            worst[1] = worst[1].max(quat_error(turn(&p1), q1)).max(quat_error(turn(&p2), q2));
            let wrench = hinge_rate(y, &mut [0.0; 15]);
            let got = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            worst[2] = (0..6).map(|i| (got[i] - wrench[i]).abs()).fold(worst[2], f64::max);
        }
        for (table, error) in tables.iter_mut().zip(worst) {
            table.push((dt, error));
        }
    }
    assert_order("hinge, positions", &tables[0], 2.0, 0.1);
    assert_order("hinge, rotations", &tables[1], 2.0, 0.1);
    assert_order("hinge, reaction force and moment", &tables[2], 2.0, 0.1);
}

#[test]
fn exchanging_a_and_b_reverses_the_reaction_only() {
    let (mut ab, bodies, joint) = hinged(&[TIGHT[0], TIGHT[1]]);
    let mut ba = system([0.0; 3], &TIGHT);
    let omega2 = add(OMEGA1, scale(RELATIVE, HINGE));
    let one = ba.build().add_rigid_body(M1, &[0.0; 3], &six(&diag(J1)), &pose(scale(-1.0, D1), UNROTATED)).unwrap();
    let two = ba.build().add_rigid_body(M2, &[0.0; 3], &six(&diag(J2)), &pose(scale(-1.0, D2), UNROTATED)).unwrap();
    ba.build().set_body_velocity(one, &join(sub(DRIFT, cross(OMEGA1, D1)), OMEGA1)).unwrap();
    ba.build().set_body_velocity(two, &join(sub(DRIFT, cross(omega2, D2)), omega2)).unwrap();
    let reversed = ba.build().add_joint_at(JointKind::Revolute, two, one, &[0.0; 3], Some(&HINGE)).unwrap();
    ba.initialize(0.0).unwrap();
    for _ in 0..200 {
        ab.step(5e-3).unwrap();
        ba.step(5e-3).unwrap();
        // the same discrete equations; Newton stops at 1e-10, its quadratic update leaves less; the
        // multiplier carries eps/(beta h^2)
        for (x, y) in bodies.iter().zip([one, two]) {
            assert_close("pose", &ba.outputs().body_pose(y).unwrap(), &ab.outputs().body_pose(*x).unwrap(), 1e-9);
        }
        let action = ab.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        let reaction = ba.outputs().joint_reaction(reversed, Frame::Inertial).unwrap();
        assert_close("action = reaction", &reaction.map(|x| -x), &action, 1e-7);
    }
}

// ---- double pendulum ---------------------------------------------------------------------------------------------------

/// theta1, theta2 from the vertical and their rates; lengths to the centres 0.5, 0.3, first link 1
/// m (Lagrange's equations).
fn double_pendulum(y: &[f64], dy: &mut [f64]) {
    let (m1, m2, l1, l2, length, i1, i2, g) = (2.0, 1.5, 0.5, 0.3, 1.0, 0.2, 0.06, 9.81);
    let (s, c) = (y[0] - y[1]).sin_cos();
    let k = m2 * length * l2;
    let a = vec![vec![i1 + m1 * l1 * l1 + m2 * length * length, k * c], vec![k * c, i2 + m2 * l2 * l2]];
    let b = vec![
        -k * s * y[3] * y[3] - (m1 * l1 + m2 * length) * g * y[0].sin(),
        k * s * y[2] * y[2] - m2 * l2 * g * y[1].sin(),
    ];
    let x = solve(a, b);
    dy.copy_from_slice(&[y[2], y[3], x[0], x[1]]);
}

#[test]
fn double_pendulum_follows_lagrange_at_second_order() {
    let start = [1.2, -0.4, 0.5, -1.0];
    let exact = rk4_samples(|_t, y, dy| double_pendulum(y, dy), &start, 1e-3, 1600, 4);
    // turning by -theta about y takes straight down to (sin theta, 0, -cos theta)
    let down = |theta: f64, r: f64| [r * theta.sin(), 0.0, -r * theta.cos()];
    let along = |theta: f64, r: f64, w: f64| [r * w * theta.cos(), 0.0, r * w * theta.sin()];
    for first in [JointKind::Revolute, JointKind::Spherical] {
        let mut table = Vec::new();
        for (dt, stride) in [(8e-3, 8), (4e-3, 4), (2e-3, 2), (1e-3, 1)] {
            let mut sim = system(GRAVITY, &[("rho_inf", 0.8), TIGHT[0], TIGHT[1]]);
            let (q1, q2) = (quat_exp([0.0, -start[0], 0.0]), quat_exp([0.0, -start[1], 0.0]));
            let x1 = down(start[0], 0.5);
            let x2 = add(down(start[0], 1.0), down(start[1], 0.3));
            let one =
                sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.2, 0.2, 0.1, 0.0, 0.0, 0.0], &pose(x1, q1)).unwrap();
            let two =
                sim.build().add_rigid_body(1.5, &[0.0; 3], &[0.06, 0.06, 0.02, 0.0, 0.0, 0.0], &pose(x2, q2)).unwrap();
            let v1 = along(start[0], 0.5, start[2]);
            let v2 = add(along(start[0], 1.0, start[2]), along(start[1], 0.3, start[3]));
            sim.build().set_body_velocity(one, &join(v1, [0.0, -start[2], 0.0])).unwrap();
            sim.build().set_body_velocity(two, &join(v2, [0.0, -start[3], 0.0])).unwrap();
            let y = [0.0, 1.0, 0.0];
            let axis = if first == JointKind::Revolute { Some(&y) } else { None };
            sim.build().add_joint_at(first, GROUND, one, &[0.0; 3], axis).unwrap();
            sim.build().add_joint_at(JointKind::Revolute, one, two, &down(start[0], 1.0), Some(&y)).unwrap();
            sim.initialize(0.0).unwrap();
            let mut worst = 0.0f64;
            for n in 1..=1600 / stride {
                sim.step(dt).unwrap();
                let y = &exact[n * stride];
                let (p1, p2) = (sim.outputs().body_pose(one).unwrap(), sim.outputs().body_pose(two).unwrap());
                worst = worst.max(distance(place(&p1), down(y[0], 0.5)));
                worst = worst.max(distance(place(&p2), add(down(y[0], 1.0), down(y[1], 0.3))));
                worst = worst.max(quat_error(turn(&p2), quat_exp([0.0, -y[1], 0.0])));
            }
            table.push((dt, worst));
        }
        assert_order(&format!("double pendulum on a {first:?} joint"), &table, 2.0, 0.1);
    }
}

// ---- static reactions ------------------------------------------------------------------------------------------------------

#[test]
fn hanging_weights_pull_with_their_weight() {
    let mut sim = system(GRAVITY, &[]);
    let j = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    let upper = sim.build().add_rigid_body(3.0, &[0.0; 3], &j, &pose([0.0, 0.0, -1.0], UNROTATED)).unwrap();
    let lower = sim.build().add_rigid_body(5.0, &[0.0; 3], &j, &pose([0.0, 0.0, -3.0], UNROTATED)).unwrap();
    let top = sim.build().add_joint_at(JointKind::Spherical, GROUND, upper, &[0.0; 3], None).unwrap();
    let middle =
        sim.build().add_joint_at(JointKind::Revolute, upper, lower, &[0.0, 0.0, -2.0], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.initialize(0.0).unwrap();
    for n in 0..100 {
        // of a on b: what is above holds what is below; at rest every number is exact up to
        // rounding over beta h^2
        let claim = format!("step {n}");
        let t = sim.outputs().joint_reaction(top, Frame::Inertial).unwrap();
        assert_close(&claim, &t, &[0.0, 0.0, 8.0 * 9.81, 0.0, 0.0, 0.0], 1e-8);
        let m = sim.outputs().joint_reaction(middle, Frame::Inertial).unwrap();
        assert_close(&claim, &m, &[0.0, 0.0, 5.0 * 9.81, 0.0, 0.0, 0.0], 1e-8);
        sim.step(0.01).unwrap();
    }
    assert_close("at rest", &sim.outputs().body_pose(lower).unwrap(), &pose([0.0, 0.0, -3.0], UNROTATED), 1e-10);
}

#[test]
fn cantilever_reaction_holds_force_and_moment_in_both_roles_and_frames() {
    // a body built into the ground at the origin, centre of mass at r: force m g upwards and moment
    // r x (m g up) at the joint
    let q = unit([0.8, 0.1, 0.5, -0.3]);
    let (mass, r) = (4.0, [0.7, -0.2, 0.4]);
    let force = [0.0, 0.0, mass * 9.81];
    let moment = cross(r, force);
    let frame_b = pose(unrotate(q, scale(-1.0, [0.1, 0.2, 0.3])), UNROTATED); // origin, seen from the reference point
    for ground_is_a in [true, false] {
        let mut sim = system(GRAVITY, &[]);
        let com = unrotate(q, sub(r, [0.1, 0.2, 0.3]));
        let body =
            sim.build().add_rigid_body(mass, &com, &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.1, 0.2, 0.3], q)).unwrap();
        // the joint frame is parallel to the body's axes, hence turned by q in the inertial frame
        let ground = pose([0.0; 3], q);
        let joint = if ground_is_a {
            sim.build().add_joint(JointKind::Fixed, GROUND, body, &ground, &frame_b).unwrap()
        } else {
            sim.build().add_joint(JointKind::Fixed, body, GROUND, &frame_b, &ground).unwrap()
        };
        sim.initialize(0.0).unwrap();
        let sign = if ground_is_a { 1.0 } else { -1.0 };
        for _ in 0..5 {
            let got = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            assert_close("inertial", &got, &join(scale(sign, force), scale(sign, moment)), 1e-8);
            sim.step(0.01).unwrap();
        }
        if ground_is_a {
            let got = sim.outputs().joint_reaction(joint, Frame::Body).unwrap();
            assert_close("body axes of b", &got, &join(unrotate(q, force), unrotate(q, moment)), 1e-8);
        }
    }
}

#[test]
fn ground_as_a_and_ground_as_b_give_the_same_motion() {
    for kind in [JointKind::Spherical, JointKind::Revolute] {
        let run = |ground_is_a: bool| {
            let mut sim = system(GRAVITY, &TIGHT);
            let x = [0.6, 0.3, -0.5];
            let axis = unit([0.0, 0.5, 0.6, 0.2]);
            let axis = [axis[1], axis[2], axis[3]];
            let omega = scale(1.5, axis);
            let body = sim
                .build()
                .add_rigid_body(2.0, &[0.1, 0.0, 0.2], &[0.3, 0.4, 0.5, 0.0, 0.0, 0.0], &pose(x, UNROTATED))
                .unwrap();
            sim.build().set_body_velocity(body, &join(cross(omega, x), omega)).unwrap();
            let (a, b) = if ground_is_a { (GROUND, body) } else { (body, GROUND) };
            let axis = if kind == JointKind::Revolute { Some(&axis) } else { None };
            let joint = sim.build().add_joint_at(kind, a, b, &[0.0; 3], axis).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..200 {
                sim.step(5e-3).unwrap();
            }
            (sim.outputs().body_pose(body).unwrap(), sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap())
        };
        let ((pa, ra), (pb, rb)) = (run(true), run(false));
        assert_close(&format!("{kind:?} pose"), &pa, &pb, 1e-9);
        // the constraint's origin is the same point in both roles, so force and moment just change
        // sign
        assert_close(&format!("{kind:?} reaction"), &ra, &rb.map(|x| -x), 1e-7);
    }
}
