//! Motions on joints against exact solutions and against Runge-Kutta 4 in minimal coordinates, of
//! second order.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

/// Axes on which every exact motion is tried.
fn axes() -> [V3; 3] {
    let general = rotate(quat_exp([0.3, 0.2, 0.0]), [0.36, -0.48, 0.8]);
    [[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], general]
}

/// Two unit vectors that make a right-handed frame with n.
fn across(n: V3) -> (V3, V3) {
    let q = z_to(n);
    (rotate(q, [1.0, 0.0, 0.0]), rotate(q, [0.0, 1.0, 0.0]))
}

/// One body on the ground: the joint, and the sign that makes b relative to a of body relative to
/// ground.
fn mounted(sim: &mut Simulation, kind: JointKind, body: Id, point: V3, axis: V3, body_is_b: bool) -> (Id, f64) {
    let (a, b) = if body_is_b { (GROUND, body) } else { (body, GROUND) };
    (sim.build().add_joint_at(kind, a, b, &point, Some(&axis)).unwrap(), if body_is_b { 1.0 } else { -1.0 })
}

// ---- exact motions: constant accelerations along and about fixed axes ----------------------------------------------------------

const BLOCK: Solid = Solid { mass: 2.0, com: [0.0; 3], inertia: [0.3, 0.3, 0.3] };

/// A block that slides along and turns about an axis with the accelerations claimed, starting with
/// rates of its own. Constant accelerations are exact in the scheme: what is left is rounding,
/// 1e-16 over h^2 in the acceleration.
fn assert_helix(claim: &str, mut sim: Simulation, body: Id, axis: V3, slide: [f64; 2], spin: [f64; 2]) {
    for n in 1..=100 {
        sim.step(0.02).unwrap();
        let t = 0.02 * n as f64;
        let at = |[rate, second]: [f64; 2]| rate * t + 0.5 * second * t * t;
        let p = sim.outputs().body_pose(body).unwrap();
        assert_close(claim, &place(&p), &scale(at(slide), axis), 1e-9);
        assert!(quat_error(turn(&p), quat_exp(scale(at(spin), axis))) < 1e-9, "{claim}: turned at {t}");
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let expected = join(scale(slide[0] + slide[1] * t, axis), scale(spin[0] + spin[1] * t, axis));
        assert_close(claim, &v, &expected, 1e-8);
        let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
        assert_close(claim, &a, &join(scale(slide[1], axis), scale(spin[1], axis)), 1e-6);
    }
}

#[test]
fn block_slides_down_an_incline_with_g_sin() {
    for body_is_b in [true, false] {
        for axis in axes() {
            let g = [0.7, -2.0, -9.0];
            let mut sim = system(g);
            let body = BLOCK.add(&mut sim, &ORIGIN, &join(scale(0.4, axis), [0.0; 3]));
            let (joint, _) = mounted(&mut sim, JointKind::Prismatic, body, [0.1, 0.2, 0.3], axis, body_is_b);
            // turning about any axis is held
            sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, 0.0, 1.0, -2.0, 0.5]).unwrap();
            sim.initialize(0.0).unwrap();
            assert_eq!(sim.outputs().statistic("constraints").unwrap(), 5.0, "{joint}");
            assert_helix("incline", sim, body, axis, [0.4, dot(g, axis)], [0.0, 0.0]);
        }
    }
}

#[test]
fn cylindrical_falls_along_and_spins_about_its_axis() {
    for body_is_b in [true, false] {
        for axis in axes() {
            let g = [0.7, -2.0, -9.0];
            let torque = [0.4, -0.3, 0.6];
            let mut sim = system(g);
            let body = BLOCK.add(&mut sim, &ORIGIN, &join(scale(0.4, axis), scale(-1.5, axis)));
            mounted(&mut sim, JointKind::Cylindrical, body, [0.0; 3], axis, body_is_b);
            sim.inputs().set_body_load(body, Frame::Inertial, &join([0.0; 3], torque)).unwrap();
            sim.initialize(0.0).unwrap();
            assert_helix("sleeve", sim, body, axis, [0.4, dot(g, axis)], [-1.5, dot(torque, axis) / 0.3]);
        }
    }
}

#[test]
fn screw_falls_with_its_turning_inertia_and_climbs_under_torque() {
    // s = p theta/(2 pi): (m + J (2 pi/p)^2) s'' = m g.n + T.n 2 pi/p; pitch > 0 right-hand, < 0
    // left-hand
    for body_is_b in [true, false] {
        for pitch in [0.5, -0.5, 3.0] {
            for axis in axes() {
                for (g, torque) in
                    [([0.7, -2.0, -9.0], [0.0; 3]), ([0.0; 3], [0.4, -0.3, 0.6]), ([0.7, -2.0, -9.0], [0.4, -0.3, 0.6])]
                {
                    let ratio = TAU / pitch;
                    let second = (2.0 * dot(g, axis) + ratio * dot(torque, axis)) / (2.0 + 0.3 * ratio * ratio);
                    if torque == [0.0; 3] {
                        // the form of textbooks: a = g/(1 + J (2 pi/p)^2/m)
                        let textbook = dot(g, axis) / (1.0 + 0.3 * ratio * ratio / 2.0);
                        assert_close("textbook", &[second], &[textbook], 1e-14);
                    }
                    let mut sim = system(g);
                    let start = join(scale(0.1, axis), scale(0.1 * ratio, axis));
                    let body = BLOCK.add(&mut sim, &ORIGIN, &start);
                    let (joint, _) = mounted(&mut sim, JointKind::Screw, body, [0.0; 3], axis, body_is_b);
                    sim.build().set_joint_pitch(joint, pitch).unwrap();
                    sim.inputs().set_body_load(body, Frame::Inertial, &join([0.0; 3], torque)).unwrap();
                    sim.initialize(0.0).unwrap();
                    let claim = format!("screw, pitch {pitch}, body is b: {body_is_b}");
                    assert_helix(&claim, sim, body, axis, [0.1, second], [0.1 * ratio, ratio * second]);
                }
            }
        }
    }
}

// ---- second order against Runge-Kutta 4 ------------------------------------------------------------------------------------------

/// Runs at four step sizes against samples `interval` apart; `measure` gives the error at one of
/// them.
fn converges(
    claim: &str,
    build: impl Fn() -> Simulation,
    samples: &[Vec<f64>],
    interval: f64,
    inputs: impl Fn(&mut Simulation, f64),
    measure: impl Fn(&Simulation, &[f64]) -> f64,
) {
    let table = [8, 4, 2, 1].map(|stride| {
        let (mut sim, h) = (build(), interval * stride as f64);
        let mut worst = 0.0f64;
        for n in 1..=(samples.len() - 1) / stride {
            inputs(&mut sim, h * n as f64);
            sim.step(h).unwrap();
            worst = worst.max(measure(&sim, &samples[n * stride]));
        }
        (h, worst)
    });
    assert_order(claim, &table, 2.0, 0.1);
}

#[test]
fn eccentric_screw_is_a_travelling_pendulum() {
    // axis y, weight across it, com at r: (J + m r^2 + m (p/2 pi)^2) theta'' = -m g r sin theta,
    // theta from straight down; on a CYLINDRICAL joint the slide is free: s'' = F/m, and the
    // slide's inertia does not turn
    let (m, r, j, g, pitch) = (2.0, 0.4, 0.1, 9.81, -1.2);
    let n = [0.0, 1.0, 0.0];
    for (kind, lead) in [(JointKind::Screw, pitch / TAU), (JointKind::Cylindrical, 0.0)] {
        for body_is_b in [true, false] {
            let (theta0, rate0, force) = (2.0, 1.0, 1.5);
            let inertia = j + m * r * r + m * lead * lead;
            // the axial force works on the screw as well: F p/2 pi
            let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
                dy.copy_from_slice(&[y[1], (force * lead - m * g * r * y[0].sin()) / inertia]);
            };
            let exact = rk4_samples(rate, &[theta0, rate0], 2.5e-3, 800, 4);
            let build = || {
                let mut sim = system([0.0, 0.0, -g]);
                // body axes: com straight down at theta = 0
                let q = quat_exp(scale(theta0, n));
                let v = join(scale(lead * rate0, n), scale(rate0, n));
                let body = Solid { mass: m, com: [0.0, 0.0, -r], inertia: [0.2, j, 0.15] }.add(
                    &mut sim,
                    &pose([0.0; 3], q),
                    &v,
                );
                let (joint, _) = mounted(&mut sim, kind, body, [0.0, 0.3, 0.0], n, body_is_b);
                if kind == JointKind::Screw {
                    sim.build().set_joint_pitch(joint, pitch).unwrap();
                }
                sim.inputs().set_body_load(body, Frame::Inertial, &join(scale(force, n), [0.0; 3])).unwrap();
                sim.initialize(0.0).unwrap();
                sim
            };
            let measure = |sim: &Simulation, y: &[f64]| {
                let p = sim.outputs().body_pose(0).unwrap();
                let t = sim.time().unwrap();
                let s = if kind == JointKind::Screw { lead * (y[0] - theta0) } else { 0.5 * force / m * t * t };
                distance(place(&p), scale(s, n)).max(quat_error(turn(&p), quat_exp(scale(y[0], n))))
            };
            converges(
                &format!("eccentric {kind:?}, body is b: {body_is_b}"),
                build,
                &exact,
                2.5e-3,
                |_, _| (),
                measure,
            );
        }
    }
}

#[test]
fn bead_on_a_turning_arm_feels_coriolis_and_centrifugal_forces() {
    // arm on a REVOLUTE (y axis, theta from x towards -z... positive about y takes x to -z), bead
    // on it by PRISMATIC: r'' = r theta'^2 + g sin theta, (J + m r^2) theta'' = -2 m r r' theta' +
    // m g r cos theta
    let (m, j, g) = (1.5, 0.6, 9.81);
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let [r, theta, rd, w] = [y[0], y[1], y[2], y[3]];
        let inertia = j + m * r * r;
        dy.copy_from_slice(&[
            rd,
            w,
            r * w * w + g * theta.sin(),
            (-2.0 * m * r * rd * w + m * g * r * theta.cos()) / inertia,
        ]);
    };
    let start = [0.5, -0.6, 0.3, -2.0];
    let exact = rk4_samples(rate, &start, 1e-3, 640, 4);
    let along = |theta: f64| [theta.cos(), 0.0, -theta.sin()];
    let normal = |theta: f64| [-theta.sin(), 0.0, -theta.cos()];
    let y_axis = [0.0, 1.0, 0.0];
    for bead_is_b in [true, false] {
        let build = || {
            let mut sim = system([0.0, 0.0, -g]);
            let (e, f) = (along(start[1]), normal(start[1]));
            let q = quat_exp([0.0, start[1], 0.0]);
            let omega = [0.0, start[3], 0.0];
            // arm: com on the axis; the bead's own inertia about y counts with the arm's
            let arm = Solid { mass: 3.0, com: [0.0; 3], inertia: [0.4, j - 0.1, 0.2] };
            let arm = arm.add(&mut sim, &pose([0.0; 3], q), &join([0.0; 3], omega));
            let v = add(scale(start[2], e), scale(start[0] * start[3], f));
            let bead = Solid { mass: m, com: [0.0; 3], inertia: [0.05, 0.1, 0.07] };
            let bead = bead.add(&mut sim, &pose(scale(start[0], e), q), &join(v, omega));
            sim.build().add_joint_at(JointKind::Revolute, GROUND, arm, &[0.0; 3], Some(&y_axis)).unwrap();
            let (a, b) = if bead_is_b { (arm, bead) } else { (bead, arm) };
            sim.build().add_joint_at(JointKind::Prismatic, a, b, &scale(0.2, e), Some(&e)).unwrap();
            sim.initialize(0.0).unwrap();
            sim
        };
        let measure = |sim: &Simulation, y: &[f64]| {
            let (arm, bead) = (sim.outputs().body_pose(0).unwrap(), sim.outputs().body_pose(1).unwrap());
            distance(place(&bead), scale(y[0], along(y[1]))).max(quat_error(turn(&arm), quat_exp([0.0, y[1], 0.0])))
        };
        converges(&format!("bead, is b: {bead_is_b}"), build, &exact, 1e-3, |_, _| (), measure);
        // the guide's wrench on the bead: force m (r theta'' + 2 r' theta' ...) across it, moment
        // J_bead theta''
        let wrench = |sim: &Simulation, y: &[f64]| {
            let mut dy = [0.0; 4];
            rate(0.0, y, &mut dy);
            let across = m * (y[0] * dy[3] + 2.0 * y[2] * y[3] - g * y[1].cos());
            let force = scale(across, normal(y[1]));
            // the joint's point on b: on the bead where b is the bead, at 0.2 on the arm where it
            // is the arm
            let reaction = sim.outputs().joint_reaction(1, Frame::Inertial).unwrap();
            let sign = if bead_is_b { 1.0 } else { -1.0 };
            let point = scale(if bead_is_b { y[0] - start[0] + 0.2 } else { 0.2 }, along(y[1]));
            let about_bead = cross(sub(scale(y[0], along(y[1])), point), force);
            let moment = add([0.0, 0.1 * dy[3], 0.0], about_bead);
            let expected = join(force, moment);
            (0..6).map(|i| (sign * reaction[i] - expected[i]).abs()).fold(0.0, f64::max)
        };
        converges(&format!("guide's wrench, bead is b: {bead_is_b}"), build, &exact, 1e-3, |_, _| (), wrench);
    }
}

#[test]
fn planar_body_follows_a_turning_thrust_in_any_plane() {
    // thrust F fixed in the body, torque T(t): theta'' = T/J, m x'' = F (cos theta, sin theta), in
    // the plane normal to n; the plane takes the weight along n, and what of it lies in the plane
    // accelerates
    let (f, j) = (4.0, 0.3);
    let torque = |t: f64| 1.5 * (3.0 * t).cos();
    for body_is_b in [true, false] {
        for n in axes() {
            let (u, v) = across(n);
            let g = [0.7, -2.0, -9.0];
            let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
                let (s, c) = y[0].sin_cos();
                let thrust = scale(f / 2.0, add(scale(c, u), scale(s, v)));
                let a = add(thrust, sub(g, scale(dot(g, n), n)));
                dy.copy_from_slice(&[y[1], torque(t) / j, y[5], y[6], y[7], a[0], a[1], a[2]]);
            };
            let start = [0.0, 1.0, 0.0, 0.0, 0.0, 0.5 * u[0], 0.5 * u[1], 0.5 * u[2]];
            let exact = rk4_samples(rate, &start, 5e-3, 400, 4);
            let build = || {
                let mut sim = system(g);
                let body = BLOCK.add(&mut sim, &ORIGIN, &join(scale(0.5, u), n));
                mounted(&mut sim, JointKind::Planar, body, scale(0.3, u), n, body_is_b);
                give(&mut sim, (u, n), f, torque(0.0));
                sim.initialize(0.0).unwrap();
                sim
            };
            let measure = |sim: &Simulation, y: &[f64]| {
                let p = sim.outputs().body_pose(0).unwrap();
                distance(place(&p), [y[2], y[3], y[4]]).max(quat_error(turn(&p), quat_exp(scale(y[0], n))))
            };
            let inputs = |sim: &mut Simulation, t: f64| give(sim, (u, n), f, torque(t));
            converges(&format!("thrust, body is b: {body_is_b}, {n:?}"), build, &exact, 5e-3, inputs, measure);
        }
    }
}

/// A follower force along u (body axes are inertial at the start) and a torque about n.
fn give(sim: &mut Simulation, (u, n): (V3, V3), force: f64, torque: f64) {
    sim.inputs().set_body_load(0, Frame::Body, &join(scale(force, u), scale(torque, n))).unwrap();
}

#[test]
fn distance_joint_makes_a_spherical_pendulum() {
    // theta from straight down, phi about the vertical: theta'' = sin cos phi'^2 - g/L sin, phi'' =
    // -2 theta' phi' cos/sin
    let (g, length) = (9.81, 1.3);
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let (s, c) = y[0].sin_cos();
        dy.copy_from_slice(&[y[2], y[3], s * c * y[3] * y[3] - g / length * s, -2.0 * y[2] * y[3] * c / s]);
    };
    let start = [1.1, 0.3, 0.2, 2.0];
    let exact = rk4_samples(rate, &start, 2.5e-3, 800, 4);
    let point = |y: &[f64]| {
        let ((s, c), (sp, cp)) = (y[0].sin_cos(), y[1].sin_cos());
        [length * s * cp, length * s * sp, -length * c]
    };
    let speed = |y: &[f64]| {
        let ((s, c), (sp, cp)) = (y[0].sin_cos(), y[1].sin_cos());
        let (dt, dp) = (y[2], y[3]);
        [length * (c * cp * dt - s * sp * dp), length * (c * sp * dt + s * cp * dp), length * s * dt]
    };
    for body_is_b in [true, false] {
        let build = || {
            let mut sim = system([0.0, 0.0, -g]);
            // the rod ends at the centre of mass, so the body's spin goes its own way
            let bob = Solid { mass: 2.0, com: [0.1, 0.2, -0.1], inertia: [0.1, 0.2, 0.3] };
            let q = unit([0.8, 0.1, -0.4, 0.3]);
            let arm = rotate(q, bob.com);
            let omega = [0.4, -0.3, 0.5];
            let v = sub(speed(&start), cross(omega, arm));
            let body = bob.add(&mut sim, &pose(sub(point(&start), arm), q), &join(v, omega));
            let frame = pose(bob.com, UNROTATED);
            if body_is_b {
                sim.build().add_joint(JointKind::Distance, GROUND, body, &ORIGIN, &frame).unwrap();
            } else {
                sim.build().add_joint(JointKind::Distance, body, GROUND, &frame, &ORIGIN).unwrap();
            }
            sim.initialize(0.0).unwrap();
            sim
        };
        let com = |sim: &Simulation| End::of(sim, 0, &pose([0.1, 0.2, -0.1], UNROTATED)).x;
        let measure = |sim: &Simulation, y: &[f64]| distance(com(sim), point(y));
        converges(&format!("spherical pendulum, body is b: {body_is_b}"), build, &exact, 2.5e-3, |_, _| (), measure);
        // the rod's pull: m (v^2/L + g cos theta) towards the pivot
        let pull = |sim: &Simulation, y: &[f64]| {
            let v = speed(y);
            let tension = 2.0 * (dot(v, v) / length + g * y[0].cos());
            let expected = scale(-tension / length, point(y));
            let (force, moment) = halves(sim.outputs().joint_reaction(0, Frame::Inertial).unwrap());
            assert!(norm(moment) < 1e-12, "a rod carries no moment");
            distance(if body_is_b { force } else { scale(-1.0, force) }, expected)
        };
        converges(&format!("pull of the rod, body is b: {body_is_b}"), build, &exact, 2.5e-3, |_, _| (), pull);
    }
}

#[test]
fn universal_joint_hangs_a_pendulum_of_two_angles() {
    // R = Rx(alpha) Ry(beta), omega in body axes (alpha' cos beta, beta', alpha' sin beta), com
    // straight below at L; inertias A, B, C about the pivot: d/dt (alpha' (A c^2 + C s^2)) = -m g L
    // sin alpha cos beta, B beta'' = (C - A) alpha'^2 s c - m g L cos alpha sin beta
    let (m, l, g, [ia, ib, ic]) = (2.0, 0.5, 9.81, [0.3, 0.2, 0.4]);
    let (a, b, c) = (ia + m * l * l, ib + m * l * l, ic);
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let ((sa, ca), (sb, cb)) = (y[0].sin_cos(), y[1].sin_cos());
        let inertia = a * cb * cb + c * sb * sb;
        let second = (-2.0 * (c - a) * sb * cb * y[3] * y[2] - m * g * l * sa * cb) / inertia;
        dy.copy_from_slice(&[y[2], y[3], second, ((c - a) * y[2] * y[2] * sb * cb - m * g * l * ca * sb) / b]);
    };
    let start = [0.9, -0.6, 1.0, 2.0];
    let exact = rk4_samples(rate, &start, 2.5e-3, 800, 4);
    let q = |y: &[f64]| quat_mul(quat_exp([y[0], 0.0, 0.0]), quat_exp([0.0, y[1], 0.0]));
    for body_is_b in [true, false] {
        let build = || {
            let mut sim = system([0.0, 0.0, -g]);
            let omega = add([start[2], 0.0, 0.0], rotate(quat_exp([start[0], 0.0, 0.0]), [0.0, start[3], 0.0]));
            let body = Solid { mass: m, com: [0.0, 0.0, -l], inertia: [ia, ib, ic] };
            let body = body.add(&mut sim, &pose([0.0; 3], q(&start)), &join([0.0; 3], omega));
            if body_is_b {
                sim.build().add_joint(JointKind::Universal, GROUND, body, &ORIGIN, &ORIGIN).unwrap();
            } else {
                // the cross seen from the other side: x of the body's frame is its y, y of the
                // ground's is x
                let swapped = pose([0.0; 3], unit([1.0, 0.0, 0.0, 1.0])); // x to y, y to -x
                sim.build().add_joint(JointKind::Universal, body, GROUND, &swapped, &swapped).unwrap();
            }
            sim.initialize(0.0).unwrap();
            sim
        };
        let measure = |sim: &Simulation, y: &[f64]| quat_error(turn(&sim.outputs().body_pose(0).unwrap()), q(y));
        converges(&format!("universal pendulum, body is b: {body_is_b}"), build, &exact, 2.5e-3, |_, _| (), measure);
    }
}
