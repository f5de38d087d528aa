//! Joint coordinates: value over many turns, rate and acceleration; springs, dampers and loads on
//! them; momentum and energy of joints with loads on them.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::TAU;

const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)];
const ONE: Solid = Solid { mass: 2.0, com: [0.1, -0.05, 0.08], inertia: [0.25, 0.3, 0.4] };
const TWO: Solid = Solid { mass: 1.5, com: [-0.06, 0.12, 0.05], inertia: [0.2, 0.15, 0.3] };
const POSE_ONE: [f64; 7] = [0.2, -0.3, 0.5, 0.8, 0.0, 0.6, 0.0];
const POSE_TWO: [f64; 7] = [0.6, 0.4, 0.1, 0.5, -0.5, 0.5, 0.5];
const PITCH: f64 = 0.4;
const RADIUS: f64 = 0.4;
const WITH_COORDINATE: [JointKind; 5] =
    [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Screw, JointKind::PointOnLine];

fn system(gravity: V3, rho: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&gravity).unwrap();
    for (key, value) in TIGHT {
        sim.settings().set_option(key, value).unwrap();
    }
    sim.settings().set_option("rho_inf", rho).unwrap();
    sim
}

/// Two free bodies, moving together and turning, joined at coordinate q; the joint and both frames.
struct Pair {
    sim: Simulation,
    joint: Id,
    frames: [[f64; 7]; 2],
}

/// The pose of frame b in frame a at coordinate q.
fn at_coordinate(kind: JointKind, q: f64) -> [f64; 7] {
    let turned = quat_exp([0.0, 0.0, q]);
    match kind {
        JointKind::Revolute => pose([0.0; 3], turned),
        JointKind::Prismatic | JointKind::PointOnLine => pose([0.0, 0.0, q], UNROTATED),
        JointKind::Cylindrical => pose([0.0, 0.0, 0.3], turned),
        JointKind::Screw => pose([0.0, 0.0, PITCH * q / TAU], turned),
        JointKind::Universal => pose([0.0; 3], quat_mul(quat_exp([q, 0.0, 0.0]), quat_exp([0.0, -0.4, 0.0]))),
        JointKind::Planar | JointKind::PointOnPlane => pose([0.2, q, 0.0], turned),
        JointKind::Distance => pose([0.3, -0.4, 0.5], turned),
        JointKind::Rolling => pose([0.2, 0.1, RADIUS * 1.2f64.sin()], quat_mul(turned, quat_exp([0.0, 1.2, 0.0]))),
        _ => ORIGIN,
    }
}

fn pair(kind: JointKind, q: f64, rho: f64, spring: Option<[f64; 3]>) -> Pair {
    let mut sim = system([0.0; 3], rho);
    let omega = [0.8, -0.5, 1.1];
    let moving = |at: &[f64; 7]| join(add([0.3, -0.2, 0.4], cross(omega, place(at))), omega);
    let one = ONE.add(&mut sim, &POSE_ONE, &moving(&POSE_ONE));
    let two = TWO.add(&mut sim, &POSE_TWO, &moving(&POSE_TWO));
    let frame_a = pose([0.45, 0.1, 0.25], z_to([0.36, -0.48, 0.8]));
    let frame_b = compose(&frame_a, &at_coordinate(kind, q));
    let frames = [localize(&POSE_ONE, &frame_a), localize(&POSE_TWO, &frame_b)];
    let joint = sim.build().add_joint(kind, one, two, &frames[0], &frames[1]).unwrap();
    if kind == JointKind::Screw {
        sim.build().set_joint_pitch(joint, PITCH).unwrap();
    }
    if kind == JointKind::Rolling {
        pintle::set_joint_radius(&mut sim, joint, RADIUS).unwrap();
    }
    if let Some([stiffness, damping, rest]) = spring {
        sim.build().set_joint_spring(joint, stiffness, damping, rest).unwrap();
    }
    Pair { sim, joint, frames }
}

impl Pair {
    /// Coordinate near `near`, rate and acceleration, computed from the poses and motions of the
    /// bodies.
    fn own(&self, kind: JointKind, near: f64) -> [f64; 3] {
        let (a, b) = (End::of(&self.sim, 0, &self.frames[0]), End::of(&self.sim, 1, &self.frames[1]));
        if matches!(kind, JointKind::Prismatic | JointKind::PointOnLine) {
            return slide(&a, &b);
        }
        let [rate, second] = spin(&a, &b);
        [unwrapped(angle_about_z(a.to(&b).1), near), rate, second]
    }
}

#[test]
fn coordinates_are_those_of_the_motion_of_both_bodies() {
    for kind in WITH_COORDINATE {
        for q in [0.0, 0.7, -2.9] {
            let mut pair = pair(kind, q, 0.8, None);
            pair.sim.inputs().set_body_load(0, Frame::Inertial, &[6.0, -4.0, 9.0, 1.5, -2.0, 1.0]).unwrap();
            pair.sim.inputs().set_body_load(1, Frame::Body, &[-3.0, 7.0, 14.0, -2.0, 1.2, 1.8]).unwrap();
            pair.sim.inputs().set_joint_load(pair.joint, 1.5).unwrap();
            pair.sim.initialize(0.0).unwrap();
            let mut near = q;
            for n in 0..=200 {
                let got = pair.sim.outputs().joint_coordinate(pair.joint).unwrap();
                let own = pair.own(kind, near);
                let claim = format!("{kind:?} from {q}, step {n}");
                // the same poses and rates; axes agree to 1e-12, times rates and accelerations of
                // up to 100
                assert_close(&claim, &got[..2], &own[..2], 1e-10);
                // accelerations meet the constraints to what the damping of parasitic modes leaves,
                // 1e-8 here
                assert_close(&claim, &got[2..], &own[2..], 1e-6);
                near = own[0];
                pair.sim.step(5e-3).unwrap();
            }
            assert!((near - q).abs() > 0.1, "{kind:?} moved from {q} to {near}");
        }
    }
}

#[test]
fn kinds_without_a_coordinate_say_so() {
    for kind in JointKind::ALL.into_iter().filter(|kind| kind.coordinate().is_none()) {
        let mut pair = pair(kind, 0.0, 0.8, None);
        let refused = |r: pintle::Result<()>| matches!(r, Err(Error::BadValue { .. }));
        assert!(refused(pair.sim.build().set_joint_spring(pair.joint, 1.0, 0.0, 0.0)), "{kind:?}");
        assert!(refused(pair.sim.inputs().set_joint_load(pair.joint, 1.0)), "{kind:?}");
        assert!(refused(pair.sim.build().set_joint_driven(pair.joint, true)), "{kind:?}");
        assert!(refused(pair.sim.build().set_joint_pitch(pair.joint, 1.0)), "{kind:?}");
        pair.sim.initialize(0.0).unwrap();
        assert!(refused(pair.sim.outputs().joint_coordinate(pair.joint).map(|_| ())), "{kind:?}");
    }
    let mut pair = pair(JointKind::Screw, 0.0, 0.8, None);
    let refused = pair.sim.build().set_joint_driven(pair.joint, true);
    assert!(matches!(refused, Err(Error::BadValue { .. })), "SCREW cannot be driven: {refused:?}");
}

// ---- one body on the ground: J about the axis 0.3, mass 2 --------------------------------------------------------------------------

const WHEEL: Solid = Solid { mass: 2.0, com: [0.0; 3], inertia: [0.2, 0.25, 0.3] };

/// Mass of the coordinate: J, m, J, J + m (p/2 pi)^2, m.
fn inertia(kind: JointKind) -> f64 {
    match kind {
        JointKind::Prismatic | JointKind::PointOnLine => 2.0,
        JointKind::Screw => 0.3 + 2.0 * (PITCH / TAU).powi(2),
        _ => 0.3,
    }
}

/// A wheel on z of the ground at coordinate q0 with rate v0; a screw's frames are shifted so that
/// both agree.
fn wheel(kind: JointKind, q0: f64, v0: f64, rho: f64, body_is_b: bool) -> (Simulation, Id) {
    let mut sim = system([0.0; 3], rho);
    let start = at_coordinate(kind, q0);
    let along = |c: f64| match kind {
        JointKind::Prismatic | JointKind::PointOnLine => [0.0, 0.0, c, 0.0, 0.0, 0.0],
        JointKind::Screw => [0.0, 0.0, c * PITCH / TAU, 0.0, 0.0, c],
        _ => [0.0, 0.0, 0.0, 0.0, 0.0, c],
    };
    // b relative to a: with the wheel as a it moves the other way
    let (at, rate) = if body_is_b { (start, v0) } else { (localize(&start, &ORIGIN), -v0) };
    let body = WHEEL.add(&mut sim, &at, &along(rate));
    let (a, b) = if body_is_b { (GROUND, body) } else { (body, GROUND) };
    let joint = sim.build().add_joint(kind, a, b, &ORIGIN, &ORIGIN).unwrap();
    if kind == JointKind::Screw {
        sim.build().set_joint_pitch(joint, PITCH).unwrap();
    }
    (sim, joint)
}

#[test]
fn angles_count_twenty_turns_either_way() {
    for kind in [JointKind::Revolute, JointKind::Cylindrical, JointKind::Screw] {
        for body_is_b in [true, false] {
            for turns in [20.0, -20.0] {
                // 20 turns in 10 s, 20 more to a stop, back through zero to 40 on the other side;
                // up to 0.32 turns a step
                let (mut sim, joint) = wheel(kind, 0.5, 0.0, 0.8, body_is_b);
                let torque = |t: f64| turns * TAU * 0.02 * inertia(kind) * if t <= 10.0 { 1.0 } else { -1.0 };
                sim.inputs().set_joint_load(joint, torque(0.0)).unwrap();
                sim.initialize(0.0).unwrap();
                let (mut least, mut most) = (0.0f64, 0.0f64);
                for n in 1..=1000 {
                    let t = 0.04 * n as f64;
                    sim.inputs().set_joint_load(joint, torque(t)).unwrap();
                    if n == 251 {
                        sim.inputs().mark_discontinuity().unwrap();
                    }
                    sim.step(0.04).unwrap();
                    let s = t - 10.0;
                    let a = turns * TAU * 0.02;
                    let exact = if s <= 0.0 {
                        [0.5 + 0.5 * a * t * t, a * t]
                    } else {
                        [0.5 + 50.0 * a + 10.0 * a * s - 0.5 * a * s * s, a * (10.0 - s)]
                    };
                    let got = sim.outputs().joint_coordinate(joint).unwrap();
                    // constant accelerations are exact: rounding of 1000 steps and Newton's 1e-11
                    let claim = format!("{kind:?}, body is b: {body_is_b}, t = {t}");
                    assert_close(&claim, &got[..2], &exact, 1e-7);
                    (least, most) = (least.min(got[0] / TAU), most.max(got[0] / TAU));
                }
                assert!(least < -39.9 && most > 39.9, "{least} to {most} turns");
            }
        }
    }
}

#[test]
fn oscillators_on_joints_follow_the_damped_solution_at_second_order() {
    // q = r + e^(-d t) (u cos(p t) + (v0 + d u)/p sin(p t)), u = q0 - r, d = c/2M, p^2 = k/M - d^2
    for kind in WITH_COORDINATE {
        for body_is_b in [true, false] {
            for (k, c, rest) in [(40.0, 0.0, 0.3), (40.0, 0.6, -0.2)] {
                let (q0, v0, mass) = (0.8, -1.5, inertia(kind));
                let d = c / (2.0 * mass);
                let p = (k / mass - d * d).sqrt();
                let u = q0 - rest;
                let table = [0.01, 5e-3, 2.5e-3, 1.25e-3].map(|h: f64| {
                    let (mut sim, joint) = wheel(kind, q0, v0, 0.8, body_is_b);
                    sim.build().set_joint_spring(joint, k, c, rest).unwrap();
                    sim.initialize(0.0).unwrap();
                    let mut worst = 0.0f64;
                    for n in 1..=(1.0 / h).round() as usize {
                        sim.step(h).unwrap();
                        let t = n as f64 * h;
                        let exact = rest + (-d * t).exp() * (u * (p * t).cos() + (v0 + d * u) / p * (p * t).sin());
                        let got = sim.outputs().joint_coordinate(joint).unwrap();
                        worst = worst.max((got[0] - exact).abs());
                        // the equation of motion at the step's end
                        let force = -k * (got[0] - rest) - c * got[1];
                        assert_close("M q'' = -k (q - r) - c q'", &[mass * got[2]], &[force], 1e-6);
                    }
                    (h, worst)
                });
                assert_order(&format!("{kind:?}, c {c}, body is b: {body_is_b}"), &table, 2.0, 0.1);
            }
        }
    }
}

#[test]
fn spring_winds_over_several_turns() {
    // rest at 3 turns: q = 6 pi (1 - cos(w t)), up to 6 turns and back, on both sides of every half
    // turn
    for kind in [JointKind::Revolute, JointKind::Cylindrical, JointKind::Screw] {
        for (rest, body_is_b) in [(3.0 * TAU, true), (-3.0 * TAU, false)] {
            let (k, mass) = (0.6, inertia(kind));
            let w = (k / mass).sqrt();
            let table = [0.04, 0.02, 0.01, 5e-3].map(|h: f64| {
                let (mut sim, joint) = wheel(kind, 0.0, 0.0, 0.8, body_is_b);
                sim.build().set_joint_spring(joint, k, 0.0, rest).unwrap();
                sim.initialize(0.0).unwrap();
                let start = sim.outputs().energy().unwrap();
                assert_close("energy wound up", &[start.0, start.1], &[0.0, 0.5 * k * rest * rest], 1e-9);
                let (mut worst, mut farthest) = (0.0f64, 0.0f64);
                for n in 1..=(5.0 / h).round() as usize {
                    sim.step(h).unwrap();
                    let q = sim.outputs().joint_coordinate(joint).unwrap()[0];
                    worst = worst.max((q - rest * (1.0 - (w * n as f64 * h).cos())).abs());
                    farthest = farthest.max(q.abs());
                }
                assert!(farthest > 5.9 * TAU, "{farthest}");
                (h, worst)
            });
            assert_order(&format!("{kind:?} wound to {rest}"), &table, 2.0, 0.1);
        }
    }
}

#[test]
fn energy_includes_the_springs_of_joints() {
    // T + k (q - r)^2/2 by our own formulas at every step; without damping it is kept (rho_inf 1
    // damps nothing)
    for kind in WITH_COORDINATE {
        let (k, rest) = (25.0, 0.4);
        let mut pair = pair(kind, -0.5, 1.0, Some([k, 0.0, rest]));
        pair.sim.initialize(0.0).unwrap();
        let mut near = -0.5;
        let mut first = None;
        for n in 0..=200 {
            let (kinetic, potential) = pair.sim.outputs().energy().unwrap();
            near = pair.own(kind, near)[0];
            assert_close("spring", &[potential], &[0.5 * k * (near - rest).powi(2)], 1e-9);
            assert_close("motion", &[kinetic], &[own_kinetic(&pair.sim)], 1e-10);
            let total: f64 = kinetic + potential;
            let start = *first.get_or_insert(total);
            // a trapezoidal rule keeps k q^2/2 + M v^2/2 on straight coordinates; turning bodies to
            // (w h)^2/12 with w = (k/M)^(1/2) < 20 rad/s (M > 0.08): 3e-3 of the total
            assert!((total / start - 1.0).abs() < 3e-3, "{kind:?}, step {n}: {total} of {start}");
            pair.sim.step(5e-3 / 2.0).unwrap();
        }
    }
}

fn own_kinetic(sim: &Simulation) -> f64 {
    let solids = [ONE, TWO].iter().enumerate().map(|(id, solid)| {
        let y = body_state(
            &sim.outputs().body_pose(id as Id).unwrap(),
            &sim.outputs().body_velocity(id as Id, Frame::Inertial).unwrap(),
        );
        kinetic(&mass_matrix(solid.mass, solid.com, diag(solid.inertia)), &y)
    });
    solids.sum()
}

/// Momentum of both bodies about the origin, by our own formulas.
fn momentum(sim: &Simulation) -> [f64; 6] {
    let mut total = [0.0; 6];
    for (id, solid) in [ONE, TWO].iter().enumerate() {
        let y = body_state(
            &sim.outputs().body_pose(id as Id).unwrap(),
            &sim.outputs().body_velocity(id as Id, Frame::Inertial).unwrap(),
        );
        let (p, l) = momenta(&mass_matrix(solid.mass, solid.com, diag(solid.inertia)), &y);
        total.iter_mut().zip(join(p, l)).for_each(|(t, x)| *t += x);
    }
    total
}

#[test]
fn joints_springs_and_joint_loads_act_equally_and_oppositely() {
    for kind in JointKind::ALL {
        let coordinate = WITH_COORDINATE.contains(&kind);
        let run = |h: f64| {
            let mut pair = pair(kind, 0.6, 0.9, coordinate.then_some([8.0, 0.4, -0.3]));
            let load = |t: f64| 2.0 * (4.0 * t).cos();
            if coordinate {
                pair.sim.inputs().set_joint_load(pair.joint, load(0.0)).unwrap();
            }
            pair.sim.initialize(0.0).unwrap();
            let start = momentum(&pair.sim);
            let mut worst = 0.0f64;
            for n in 1..=(1.0 / h).round() as usize {
                if coordinate {
                    pair.sim.inputs().set_joint_load(pair.joint, load(n as f64 * h)).unwrap();
                }
                pair.sim.step(h).unwrap();
                let now = momentum(&pair.sim);
                worst = (0..6).map(|i| (now[i] - start[i]).abs()).fold(worst, f64::max);
            }
            (h, worst)
        };
        let table = [0.02, 0.01, 5e-3, 2.5e-3].map(run);
        println!("{kind:?}: momentum off by {table:?}");
        // eccentric bodies turn: the error of momentum is of second order in the step
        let observed = orders(&table);
        assert!(observed.iter().all(|o| *o > 1.9), "{kind:?}: {table:?}, orders {observed:?}");
        assert!(table[3].1 < 1e-4, "{kind:?}: {table:?}");
    }
}

#[test]
fn joint_load_is_conjugate_to_the_coordinate() {
    // its work is the kinetic energy gained: tau (q - q0) for a constant tau, whatever the kind and
    // the bodies' motion
    for kind in WITH_COORDINATE {
        let tau = 3.0;
        let table = [0.02, 0.01, 5e-3, 2.5e-3].map(|h: f64| {
            let mut pair = pair(kind, 0.2, 1.0, None);
            pair.sim.inputs().set_joint_load(pair.joint, tau).unwrap();
            pair.sim.initialize(0.0).unwrap();
            let start = own_kinetic(&pair.sim);
            let mut worst = 0.0f64;
            for _ in 0..(1.0 / h).round() as usize {
                pair.sim.step(h).unwrap();
                let q = pair.sim.outputs().joint_coordinate(pair.joint).unwrap()[0];
                worst = worst.max((own_kinetic(&pair.sim) - start - tau * (q - 0.2)).abs());
            }
            (h, worst)
        });
        let observed = orders(&table);
        println!("{kind:?}: work and energy differ by {table:?}, orders {observed:?}");
        assert!(observed.iter().all(|o| *o > 1.8), "{kind:?}: {table:?}, orders {observed:?}");
        // some tens of joules were spent
        assert!(table[3].1 < 1e-2, "{kind:?}: {table:?}");
    }
}
