//! Every joint kind: constraints, freedoms and reactions; both ways of adding it, both roles of a
//! body, several axes; constraints, wrenches and equilibrium are computed here. Exact motions are
//! in `motions.rs`.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

const GRAVITY: V3 = [0.5, 1.0, -9.81];
const STEP: f64 = 2.5e-3;
/// Forces of order 50, found for increments that are off by Newton's 1e-10 squared.
const BALANCED: f64 = 1e-10;
const PITCH: f64 = -0.35;
/// Of the rolling disc, and of its axis against the normal of its plane.
const RADIUS: f64 = 0.4;
const TILT: f64 = 1.2;
const ONE: Solid = Solid { mass: 2.0, com: [0.1, -0.05, 0.08], inertia: [0.25, 0.3, 0.4] };
const TWO: Solid = Solid { mass: 1.5, com: [-0.06, 0.12, 0.05], inertia: [0.2, 0.15, 0.3] };
const POSE_ONE: [f64; 7] = [0.2, -0.3, 0.5, 0.8, 0.0, 0.6, 0.0];
const POSE_TWO: [f64; 7] = [0.6, 0.4, 0.1, 0.5, -0.5, 0.5, 0.5];
const POINT: V3 = [0.45, 0.1, 0.25];
/// Held over the run, inertial axes for ONE, body axes for TWO: tens of rad/s^2.
const LOAD_ONE: [f64; 6] = [6.0, -4.0, 9.0, 1.5, -2.0, 1.0];
const LOAD_TWO: [f64; 6] = [-3.0, 7.0, 14.0, -2.0, 1.2, 1.8];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ends {
    TwoBodies,
    GroundFirst,
    GroundLast,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Frames,
    At,
}

/// The pose of frame b in frame a at the start: on the free motions of the kind, not at their zero.
fn start(kind: JointKind) -> [f64; 7] {
    let about = |a: V3| quat_exp(a);
    match kind {
        JointKind::Fixed => ORIGIN,
        JointKind::Spherical => pose([0.0; 3], about([0.4, -0.7, 0.3])),
        JointKind::Revolute => pose([0.0; 3], about([0.0, 0.0, 0.5])),
        JointKind::Prismatic => pose([0.0, 0.0, 0.3], UNROTATED),
        JointKind::Cylindrical => pose([0.0, 0.0, -0.2], about([0.0, 0.0, 0.5])),
        JointKind::Universal => pose([0.0; 3], quat_mul(about([0.3, 0.0, 0.0]), about([0.0, -0.4, 0.0]))),
        JointKind::Planar => pose([0.2, -0.1, 0.0], about([0.0, 0.0, -0.6])),
        JointKind::Screw => pose([0.0, 0.0, PITCH * 0.5 / std::f64::consts::TAU], about([0.0, 0.0, 0.5])),
        JointKind::Distance => pose([0.3, -0.4, 0.5], about([0.2, 0.1, -0.5])),
        JointKind::PointOnLine => pose([0.0, 0.0, -0.3], about([0.4, -0.7, 0.3])),
        JointKind::PointOnPlane => pose([0.2, -0.1, 0.0], about([0.4, -0.7, 0.3])),
        JointKind::Rolling => pose([0.2, -0.1, RADIUS * TILT.sin()], about([TILT * 0.6, -TILT * 0.8, 0.0])),
    }
}

/// The lowest point of the rolling disc from its centre, axes a.
fn lowest(q: Quat) -> V3 {
    let z = rotate(q, Z);
    let d = sub(Z, scale(z[2], z));
    scale(-RADIUS / norm(d), d)
}

/// Number of equations of a kind.
fn equations(kind: JointKind) -> usize {
    match kind {
        JointKind::Fixed => 6,
        JointKind::Revolute | JointKind::Prismatic | JointKind::Screw => 5,
        JointKind::Cylindrical | JointKind::Universal => 4,
        JointKind::Spherical | JointKind::Planar | JointKind::Rolling => 3,
        JointKind::PointOnLine => 2,
        JointKind::Distance | JointKind::PointOnPlane => 1,
    }
}

const X: V3 = [1.0, 0.0, 0.0];
const Y: V3 = [0.0, 1.0, 0.0];
const Z: V3 = [0.0, 0.0, 1.0];

/// Constraint residuals of origin d and orientation q of frame b in axes a; `angle` is the angle so
/// far.
fn held(kind: JointKind, d: V3, q: Quat, angle: f64, length: f64) -> Vec<f64> {
    let (xb, yb, zb) = (rotate(q, X), rotate(q, Y), rotate(q, Z));
    match kind {
        JointKind::Fixed => [d.to_vec(), rotation_vector(q).to_vec()].concat(),
        JointKind::Spherical => d.to_vec(),
        JointKind::Revolute => vec![d[0], d[1], d[2], zb[0], zb[1]],
        JointKind::Prismatic => vec![d[0], d[1], zb[0], zb[1], xb[1]],
        JointKind::Cylindrical => vec![d[0], d[1], zb[0], zb[1]],
        JointKind::Universal => vec![d[0], d[1], d[2], yb[0]],
        JointKind::Planar => vec![d[2], zb[0], zb[1]],
        JointKind::Screw => vec![d[0], d[1], d[2] - PITCH * angle / std::f64::consts::TAU, zb[0], zb[1]],
        JointKind::Distance => vec![norm(d) - length],
        JointKind::PointOnLine => vec![d[0], d[1]],
        JointKind::PointOnPlane => vec![d[2]],
        // Its slips are no positions.
        JointKind::Rolling => vec![d[2] + lowest(q)[2]],
    }
}

/// The free coordinates; each must move.
fn free(kind: JointKind, d: V3, q: Quat, angle: f64) -> Vec<f64> {
    match kind {
        JointKind::Fixed => vec![],
        JointKind::Spherical => rotation_vector(q).to_vec(),
        JointKind::Revolute | JointKind::Screw => vec![angle],
        JointKind::Prismatic => vec![d[2]],
        JointKind::Cylindrical => vec![d[2], angle],
        JointKind::Universal => {
            let (yb, xb) = (rotate(q, Y), rotate(q, X));
            vec![yb[2].atan2(yb[1]), -dot(cross(X, yb), xb)] // about x of a, about y of b
        }
        JointKind::Planar => vec![d[0], d[1], angle],
        JointKind::Distance => [d.to_vec(), rotation_vector(q).to_vec()].concat(),
        JointKind::PointOnLine => [vec![d[2]], rotation_vector(q).to_vec()].concat(),
        JointKind::PointOnPlane | JointKind::Rolling => [vec![d[0], d[1]], rotation_vector(q).to_vec()].concat(),
    }
}

/// Components of the joint's wrench on b (at the origin of b, axes a) along the free motions: zero
/// for a frictionless joint, by virtual power.
fn workless(kind: JointKind, d: V3, q: Quat, force: V3, moment: V3) -> Vec<f64> {
    match kind {
        JointKind::Fixed => vec![],
        JointKind::Spherical => moment.to_vec(),
        JointKind::Revolute => vec![moment[2]],
        JointKind::Prismatic => vec![force[2]],
        JointKind::Cylindrical => vec![force[2], moment[2]],
        JointKind::Universal => vec![moment[0], dot(moment, rotate(q, Y))],
        JointKind::Planar => vec![force[0], force[1], moment[2]],
        JointKind::Screw => vec![force[2] * PITCH / std::f64::consts::TAU + moment[2]],
        JointKind::Distance => [cross(force, scale(1.0 / norm(d), d)).to_vec(), moment.to_vec()].concat(),
        JointKind::PointOnLine => [vec![force[2]], moment.to_vec()].concat(),
        JointKind::PointOnPlane => [vec![force[0], force[1]], moment.to_vec()].concat(),
        JointKind::Rolling => sub(moment, cross(lowest(q), force)).to_vec(),
    }
}

struct Case {
    sim: Simulation,
    joint: Id,
    /// Body and frame of a, of b.
    ends: [(Id, [f64; 7]); 2],
    /// Solids in the model: id, solid.
    solids: Vec<(Id, Solid)>,
}

fn case(kind: JointKind, form: Form, ends: Ends, axis: V3) -> Case {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&GRAVITY).unwrap();
    for (key, value) in [("rho_inf", 0.8), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)] {
        sim.settings().set_option(key, value).unwrap();
    }
    // two bodies start in one rigid motion, which every joint allows
    let (drift, omega) =
        if ends == Ends::TwoBodies { ([0.3, -0.2, 0.4], [1.2, -0.7, 0.9]) } else { ([0.0; 3], [0.0; 3]) };
    let moving = |at: &[f64; 7]| join(add(drift, cross(omega, place(at))), omega);
    let mut solids = Vec::new();
    if ends == Ends::TwoBodies {
        solids.push((ONE.add(&mut sim, &POSE_ONE, &moving(&POSE_ONE)), ONE));
    }
    let two = TWO.add(&mut sim, &POSE_TWO, &moving(&POSE_TWO));
    solids.push((two, TWO));
    let (a, b) = match ends {
        Ends::TwoBodies => (0, two),
        Ends::GroundFirst => (GROUND, two),
        Ends::GroundLast => (two, GROUND),
    };
    let frame_a = pose(POINT, z_to(axis));
    let frame_b = if form == Form::Frames { compose(&frame_a, &start(kind)) } else { frame_a };
    let local = |body: Id, frame: &[f64; 7]| match body {
        GROUND => *frame,
        body if body == two => localize(&POSE_TWO, frame),
        _ => localize(&POSE_ONE, frame),
    };
    let (local_a, local_b) = (local(a, &frame_a), local(b, &frame_b));
    let joint = match form {
        Form::Frames => sim.build().add_joint(kind, a, b, &local_a, &local_b).unwrap(),
        Form::At => {
            let scaled = scale(2.5, axis); // of any length
            let axis = (!matches!(kind, JointKind::Fixed | JointKind::Spherical)).then_some(&scaled);
            sim.build().add_joint_at(kind, a, b, &POINT, axis).unwrap()
        }
    };
    if kind == JointKind::Screw {
        sim.build().set_joint_pitch(joint, PITCH).unwrap();
    }
    if kind == JointKind::Rolling {
        pintle::set_joint_radius(&mut sim, joint, RADIUS).unwrap();
    }
    if ends == Ends::TwoBodies {
        sim.inputs().set_body_load(0, Frame::Inertial, &LOAD_ONE).unwrap();
    }
    sim.inputs().set_body_load(two, Frame::Body, &LOAD_TWO).unwrap();
    sim.initialize(0.0).unwrap();
    Case { sim, joint, ends: [(a, local_a), (b, local_b)], solids }
}

/// Joint frames and the wrench on b at one time.
struct Sample {
    a: End,
    b: End,
    wrench: [f64; 6],
}

impl Case {
    fn sample(&self) -> Sample {
        let end = |k: usize| End::of(&self.sim, self.ends[k].0, &self.ends[k].1);
        Sample { a: end(0), b: end(1), wrench: self.sim.outputs().joint_reaction(self.joint, Frame::Inertial).unwrap() }
    }

    /// For every body: weight, load and the joint's wrench, all about the origin of I, less what
    /// its acceleration takes; the largest component.
    fn imbalance(&self, sample: &Sample) -> f64 {
        let on_b = about_origin(sample.b.x, sample.wrench);
        let mut worst = 0.0f64;
        for (id, solid) in &self.solids {
            let at = self.sim.outputs().body_pose(*id).unwrap();
            let (f, m) = halves(LOAD_TWO);
            let in_body = join(rotate(turn(&at), f), rotate(turn(&at), m));
            let load = about_origin(place(&at), if solid.mass == TWO.mass { in_body } else { LOAD_ONE });
            let sign = if *id == self.ends[1].0 { 1.0 } else { -1.0 };
            let takes = solid.takes(&self.sim, *id, GRAVITY);
            worst = (0..6).map(|i| (load[i] + sign * on_b[i] - takes[i]).abs()).fold(worst, f64::max);
        }
        worst
    }
}

/// The angle about z by which x of the joint frames stands off x of ours, for a UNIVERSAL joint
/// given by point and axis, which leaves x open: the root of x^T R y = 0, x = (c, s, 0), y = (-s,
/// c, 0), that holds in every sample.
fn universal_x(samples: &[Sample]) -> f64 {
    let r = |k: &Sample| dcm(k.a.to(&k.b).1);
    let m = r(samples.last().unwrap());
    // R12 c^2 + (R22 - R11) c s - R21 s^2 = 0
    let (p, q, t) = (m[0][1], m[1][1] - m[0][0], -m[1][0]);
    let root = (q * q - 4.0 * p * t).sqrt();
    let misfit = |angle: &f64| {
        let (s, c) = angle.sin_cos();
        samples
            .iter()
            .map(|k| {
                let m = r(k);
                (m[0][1] * c * c + (m[1][1] - m[0][0]) * c * s - m[1][0] * s * s).abs()
            })
            .fold(0.0, f64::max)
    };
    let candidates = [(-q + root).atan2(2.0 * t), (-q - root).atan2(2.0 * t)];
    *candidates.iter().min_by(|a, b| misfit(a).total_cmp(&misfit(b))).unwrap()
}

fn assert_kind(kind: JointKind) {
    let general = [0.36, -0.48, 0.8];
    let general = rotate(quat_exp([0.3, 0.2, 0.0]), general);
    for form in [Form::Frames, Form::At] {
        if form == Form::At && matches!(kind, JointKind::Distance | JointKind::Rolling) {
            continue; // two frames: see `distance_lies_between_two_points`
        }
        for ends in [Ends::TwoBodies, Ends::GroundFirst, Ends::GroundLast] {
            for axis in [Z, [-1.0, 0.0, 0.0], general] {
                let claim = format!("{kind:?} {form:?} {ends:?} {axis:?}");
                let mut case = case(kind, form, ends, axis);
                assert_eq!(case.sim.outputs().statistic("constraints").unwrap(), equations(kind) as f64, "{claim}");
                let mut samples = vec![case.sample()];
                let mut imbalance = 0.0f64;
                for _ in 0..160 {
                    imbalance = imbalance.max(case.imbalance(samples.last().unwrap()));
                    case.sim.step(STEP).unwrap();
                    samples.push(case.sample());
                }
                assert!(imbalance < BALANCED, "{claim}: forces off by {imbalance:e}");
                if kind == JointKind::Universal && form == Form::At {
                    let own = quat_exp([0.0, 0.0, universal_x(&samples)]);
                    for sample in &mut samples {
                        sample.a.q = quat_mul(sample.a.q, own);
                        sample.b.q = quat_mul(sample.b.q, own);
                    }
                }
                assert_motion(&claim, kind, &samples);
            }
        }
    }
}

/// Asserts that constraints hold, that free coordinates move, and that no load is transmitted along
/// them.
fn assert_motion(claim: &str, kind: JointKind, samples: &[Sample]) {
    let (d0, q0) = samples[0].a.to(&samples[0].b);
    let mut angle = angle_about_z(q0);
    let before = free(kind, d0, q0, angle);
    let mut moved = vec![0.0f64; before.len()];
    for (n, sample) in samples.iter().enumerate() {
        let (d, q) = sample.a.to(&sample.b);
        angle = unwrapped(angle_about_z(q), angle);
        let gaps = held(kind, d, q, angle, norm(d0));
        let slips = if kind == JointKind::Rolling { 2 } else { 0 };
        assert_eq!(gaps.len() + slips, equations(kind), "one number per equation");
        // constraints are closed to Newton's 1e-10 of the increments, quadratically
        assert_close(&format!("{claim}: held, step {n}"), &gaps, &vec![0.0; gaps.len()], 1e-10);
        for ((m, x), y) in moved.iter_mut().zip(free(kind, d, q, angle)).zip(&before) {
            *m = m.max((x - y).abs());
        }
        let (force, moment) = halves(sample.wrench);
        let parts = workless(kind, d, q, unrotate(sample.a.q, force), unrotate(sample.a.q, moment));
        // frames are parallel to 1e-10, wrenches of order 100
        assert_close(&format!("{claim}: transmitted, step {n}"), &parts, &vec![0.0; parts.len()], 1e-7);
        assert!(kind == JointKind::Fixed || !parts.is_empty());
    }
    // accelerations of some units over 0.4 s, 0.08 s^2: tenths, less where the load acts across
    assert!(moved.iter().all(|m| *m > 5e-3), "{claim}: free motions moved by {moved:?}");
}

macro_rules! kinds {
    ($($name:ident $kind:ident),*) => {
        $(#[test]
        fn $name() {
            assert_kind(JointKind::$kind);
        })*
    };
}

kinds!(
    fixed_holds_everything Fixed,
    spherical_holds_points_and_transmits_no_moment Spherical,
    revolute_turns_about_z_only Revolute,
    prismatic_slides_along_z_only Prismatic,
    cylindrical_turns_and_slides Cylindrical,
    universal_keeps_x_of_a_perpendicular_to_y_of_b Universal,
    planar_moves_in_its_plane_only Planar,
    screw_ties_slide_to_turn Screw,
    distance_keeps_its_length_and_is_a_two_force_member Distance,
    point_on_line_slides_and_transmits_no_moment PointOnLine,
    point_on_plane_moves_in_its_plane_and_transmits_no_moment PointOnPlane,
    rolling_stays_on_its_plane_and_transmits_no_moment_where_it_touches Rolling
);

#[test]
fn joint_wrenches_balance_at_any_length_of_step() {
    for kind in [JointKind::Distance, JointKind::Prismatic, JointKind::Universal] {
        for h in [0.05, 0.02, 5e-3_f64] {
            let mut case = case(kind, Form::Frames, Ends::TwoBodies, X);
            for n in 0..(0.4 / h).round() as usize {
                case.sim.step(h).unwrap();
                let off = case.imbalance(&case.sample());
                assert!(off < BALANCED, "{kind:?}, steps of {h} s, step {n}: {off:e}");
            }
        }
    }
}

#[test]
fn both_sides_of_a_joint_balance_about_any_point() {
    for kind in JointKind::ALL {
        for ends in [Ends::TwoBodies, Ends::GroundFirst, Ends::GroundLast] {
            let mut case = case(kind, Form::Frames, ends, [0.6, -0.64, 0.48]);
            for _ in 0..40 {
                case.sim.step(STEP).unwrap();
            }
            let sample = case.sample();
            let on_a = case.sim.outputs().joint_reaction_on_a(case.joint, Frame::Inertial).unwrap();
            let sum = [about_origin(sample.a.x, on_a), about_origin(sample.b.x, sample.wrench)];
            let sum: Vec<f64> = (0..6).map(|i| sum[0][i] + sum[1][i]).collect();
            // both from the same multipliers and gradients: what is left is rounding of terms of
            // order 100 N, 1 m, and the gap of the joint, 1e-12 m
            assert_close(&format!("{kind:?} {ends:?}"), &sum, &[0.0; 6], 1e-9);
            assert!(norm(halves(on_a).0) > 0.1, "{kind:?} {ends:?} carries something: {on_a:?}");
            // in the axes of body a
            let q = match case.ends[0].0 {
                GROUND => UNROTATED,
                body => turn(&case.sim.outputs().body_pose(body).unwrap()),
            };
            let (force, moment) = halves(case.sim.outputs().joint_reaction_on_a(case.joint, Frame::Body).unwrap());
            assert_close(&format!("{kind:?} body axes"), &join(rotate(q, force), rotate(q, moment)), &on_a, 1e-12);
        }
    }
}

#[test]
fn distance_lies_between_two_points() {
    let mut sim = Simulation::new();
    let two = TWO.add(&mut sim, &POSE_TWO, &[0.0; 6]);
    // a point and an axis are no two points
    let refused = sim.build().add_joint_at(JointKind::Distance, GROUND, two, &POINT, Some(&Z));
    assert!(matches!(refused, Err(Error::BadValue { .. })), "{refused:?}");
    let frame = localize(&POSE_TWO, &ORIGIN);
    let refused = sim.build().add_joint(JointKind::Distance, GROUND, two, &ORIGIN, &frame);
    assert!(matches!(refused, Err(Error::BadValue { .. })), "no length: {refused:?}");
    assert_eq!(sim.description().count(pintle::EntityKind::Joint), 0, "refused joints are not there");
}

// ---- statics by hand -----------------------------------------------------------------------------------------------------

/// A block of mass 3 whose reference point is the joint, centre of mass at r; the wrench on it from
/// the ground.
fn resting(kind: JointKind, axis: V3, r: V3, load: [f64; 6], block_is_b: bool) -> ([f64; 6], f64) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -10.0]).unwrap();
    let body = sim.build().add_rigid_body(3.0, &r, &[0.1, 0.2, 0.3, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let (a, b) = if block_is_b { (GROUND, body) } else { (body, GROUND) };
    let joint = sim.build().add_joint_at(kind, a, b, &[0.0; 3], Some(&axis)).unwrap();
    if kind == JointKind::Screw {
        sim.build().set_joint_pitch(joint, 0.2).unwrap();
    }
    sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..20 {
        sim.step(0.01).unwrap();
    }
    let sign = if block_is_b { 1.0 } else { -1.0 };
    let moved = norm(place(&sim.outputs().body_pose(body).unwrap()));
    (sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap().map(|x| sign * x), moved)
}

/// Name, kind, axis, load on the block, wrench of the ground on it.
type Resting = (&'static str, JointKind, V3, [f64; 6], [f64; 6]);

#[test]
fn reactions_at_rest_are_those_of_statics() {
    let r = [0.2, 0.0, 0.4]; // weight 30 at 0.2: moment of the support r x 30 z = (0, -6, 0)
    let cases: [Resting; 6] = [
        // guide along x, nothing pushes along it: carries weight, tipping, and a torque of 2
        // about x
        ("level guide", JointKind::Prismatic, X, [0.0, 0.0, 0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 30.0, -2.0, -6.0, 0.0]),
        // vertical guide: the load holds the weight, the guide the tipping and a side force
        ("upright guide", JointKind::Prismatic, Z, [5.0, 0.0, 30.0, 0.0, 0.0, 0.0], [-5.0, 0.0, 0.0, 0.0, -6.0, 0.0]),
        // shaft along y: what turns about y is held by the load
        ("sleeve", JointKind::Cylindrical, Y, [0.0, 0.0, 0.0, 1.0, -6.0, 0.0], [0.0, 0.0, 30.0, -1.0, 0.0, 0.0]),
        ("table", JointKind::Planar, Z, [0.0; 6], [0.0, 0.0, 30.0, 0.0, -6.0, 0.0]),
        // wall with normal x: the load carries the weight and its moment about the normal, which is
        // zero
        ("wall", JointKind::Planar, X, [7.0, 0.0, 30.0, 0.0, 0.0, 0.0], [-7.0, 0.0, 0.0, 0.0, -6.0, 0.0]),
        // nut on an upright screw, pitch 0.2: a torque of 30 p/2 pi holds 30; the screw gives 30 up
        // and that torque back
        (
            "nut",
            JointKind::Screw,
            Z,
            [0.0, 0.0, 0.0, 0.0, 0.0, 30.0 * 0.2 / std::f64::consts::TAU],
            [0.0, 0.0, 30.0, 0.0, -6.0, -30.0 * 0.2 / std::f64::consts::TAU],
        ),
    ];
    for (name, kind, axis, load, expected) in cases {
        for block_is_b in [true, false] {
            let (wrench, moved) = resting(kind, axis, r, load, block_is_b);
            assert!(moved < 1e-9, "{name} rests: {moved:e}");
            // multipliers carry eps/(beta h^2) of the positions: 1e-16/(0.3e-4) * 3 kg = 1e-11,
            // Newton's tolerance 1e-8 of 30
            assert_close(&format!("{name}, block is b: {block_is_b}"), &wrench, &expected, 1e-6);
        }
    }
}

#[test]
fn universal_joint_transmits_torque_about_the_cross_only() {
    // x of a along x, y of b along y: the cross lies in the xy plane, so M is along z. A block hung
    // by it below its centre of mass would fall over; here it is in balance (com at the joint) and
    // a torque about z meets the joint's.
    for block_is_b in [true, false] {
        let mut sim = Simulation::new();
        let body = sim.build().add_rigid_body(3.0, &[0.0; 3], &[0.1, 0.2, 0.3, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        let (a, b) = if block_is_b { (GROUND, body) } else { (body, GROUND) };
        let joint = sim.build().add_joint(JointKind::Universal, a, b, &ORIGIN, &ORIGIN).unwrap();
        sim.inputs().set_body_load(body, Frame::Inertial, &[1.0, 2.0, -4.0, 0.0, 0.0, 5.0]).unwrap();
        sim.initialize(0.0).unwrap();
        let sign = if block_is_b { 1.0 } else { -1.0 };
        for _ in 0..20 {
            let wrench = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap().map(|x| sign * x);
            assert_close("held torque", &wrench, &[-1.0, -2.0, 4.0, 0.0, 0.0, -5.0], 1e-7);
            sim.step(0.01).unwrap();
        }
        assert_close("at rest", &sim.outputs().body_pose(body).unwrap(), &ORIGIN, 1e-11);
    }
}

#[test]
fn prismatic_gap_along_the_axis_is_no_gap_and_across_is() {
    for (offset, fits) in [([0.0, 0.0, 0.7], true), ([1e-3, 0.0, 0.0], false), ([0.0, -1e-3, 0.2], false)] {
        let mut sim = Simulation::new();
        let two = TWO.add(&mut sim, &pose(offset, UNROTATED), &[0.0; 6]);
        sim.build().add_joint(JointKind::Prismatic, GROUND, two, &ORIGIN, &ORIGIN).unwrap();
        let found = sim.initialize(0.0);
        assert_eq!(found.is_ok(), fits, "{offset:?}: {found:?}");
        assert!(fits || matches!(found, Err(Error::InconsistentState { .. })));
    }
}
