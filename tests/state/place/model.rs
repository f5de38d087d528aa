//! A model with every kind of element, described in the coordinates, the units and about the
//! reference points asked for, and its outputs in base coordinates.

use crate::common::mechanisms::{compose, localize};
use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

/// How a model of the base coordinates (m, centres of mass) is described.
#[derive(Clone, Copy)]
pub struct World {
    /// Turns the whole model, gravity included.
    pub turn: Quat,
    /// Moves it, in the world's unit of length.
    pub shift: V3,
    /// Units of length in a metre.
    pub unit: f64,
    /// How far reference points lie beside the centres of mass, m.
    pub offset: f64,
    /// Positions are multiples of it, so that they are the same numbers at another place (0: as
    /// they come).
    pub grid: f64,
    /// Whether forces act that are constant matrices in inertial axes, and drag: they cannot be
    /// told about another point.
    pub of_points: bool,
}

pub const BASE: World = World { turn: UNROTATED, shift: [0.0; 3], unit: 1.0, offset: 0.0, grid: 0.0, of_points: false };

impl World {
    /// A vector of lengths, velocities, accelerations, forces.
    pub fn vector(&self, a: V3) -> V3 {
        scale(self.unit, rotate(self.turn, a))
    }

    pub fn point(&self, a: V3) -> V3 {
        let x = self.vector(a);
        let x = if self.grid > 0.0 { x.map(|x| (x / self.grid).round() * self.grid) } else { x };
        add(x, self.shift)
    }

    /// Motion of a reference point from that of a centre of mass.
    fn motion(&self, com: &Com, eta: V3) -> ([f64; 7], [f64; 6], [f64; 6]) {
        let arm = rotate(com.q, scale(-1.0, eta));
        let rate = cross(com.w, arm);
        let a = add(com.a, cross(com.w, rate));
        let q = unit(quat_mul(self.turn, com.q));
        let spin = rotate(self.turn, com.w);
        let velocity = join(self.vector(add(com.v, rate)), spin);
        (pose(self.point(add(com.x, arm)), q), velocity, join(self.vector(a), [0.0; 3]))
    }

    /// A frame on a body, told from its centre of mass.
    fn frame(&self, frame: &[f64; 7], eta: V3) -> [f64; 7] {
        pose(scale(self.unit, add(place(frame), eta)), turn(frame))
    }

    /// A frame fixed to the ground.
    fn ground(&self, frame: &[f64; 7]) -> [f64; 7] {
        pose(self.point(place(frame)), unit(quat_mul(self.turn, turn(frame))))
    }

    /// A wrench about the centre of mass in body axes, about the reference point.
    fn load(&self, f: V3, m: V3, eta: V3) -> [f64; 6] {
        join(scale(self.unit, f), scale(self.unit * self.unit, add(m, cross(eta, f))))
    }

    /// A matrix of wrench over motion about the centre of mass, in body axes: about the reference
    /// point T A T^T. `of`: the factors of linear and angular motion.
    fn matrix(&self, a: &M6, eta: V3, of: [f64; 2]) -> [f64; 36] {
        let s = skew(eta);
        let t: M6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i < 3, j < 3) {
                (false, true) => s[i - 3][j],
                _ => f64::from(u8::from(i == j)),
            })
        });
        let force = [self.unit, self.unit * self.unit];
        let full: M6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let sum: f64 = (0..36).map(|k| t[i][k / 6] * a[k / 6][k % 6] * t[j][k % 6]).sum();
                sum * force[i / 3] / of[j / 3]
            })
        });
        columns(&full)
    }
}

/// Motion of a centre of mass at constant angular velocity.
struct Com {
    x: V3,
    q: Quat,
    v: V3,
    w: V3,
    a: V3,
}

const GRAVITY: V3 = [0.5, -1.0, -9.5];
const MASSES: [f64; 4] = [5.0, 2.0, 1.5, 1.0];
const INERTIAS: [V3; 4] = [[0.5, 0.6, 0.7], [0.2, 0.3, 0.35], [0.1, 0.15, 0.12], [0.08, 0.1, 0.12]];
/// Directions in which reference points lie, body axes.
const ETAS: [V3; 4] = [[0.3, -0.5, 0.8], [-0.6, 0.6, 0.5], [0.1, 0.9, -0.4], [0.8, 0.2, 0.6]];

fn eta(world: &World, body: usize) -> V3 {
    scale(world.offset, ETAS[body])
}

/// The prescribed body: swings and turns.
fn imposed(t: f64) -> Com {
    let (amplitude, rate, spin) = ([0.2, 0.1, -0.1], 3.0, [0.4, -0.3, 0.8]);
    Com {
        x: add([0.2, -0.3, 1.0], scale((rate * t).sin(), amplitude)),
        q: quat_mul(quat_exp(scale(t, spin)), quat_exp([0.2, 0.1, -0.3])),
        v: scale(rate * (rate * t).cos(), amplitude),
        w: spin,
        a: scale(-rate * rate * (rate * t).sin(), amplitude),
    }
}

/// The model, and the ids of its parts.
pub struct Rig {
    pub sim: Simulation,
    pub world: World,
    pub bodies: [Id; 4],
    pub joints: Vec<Id>,
    pub markers: Vec<Id>,
}

impl Rig {
    pub fn new(world: World, options: &[(&str, f64)], scheme: &str) -> Rig {
        let mut rig = Rig::described(world, options, scheme);
        rig.sim.initialize(0.0).unwrap();
        rig
    }

    /// In phase BUILDING.
    pub fn described(world: World, options: &[(&str, f64)], scheme: &str) -> Rig {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&world.vector(GRAVITY)).unwrap();
        for (key, value) in [("assemble", 1.0), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)] {
            sim.settings().set_option(key, value).unwrap();
        }
        sim.settings().set_scheme(scheme).unwrap();
        options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
        let still = |x: V3, q: Quat| Com { x, q, v: [0.0; 3], w: [0.0; 3], a: [0.0; 3] };
        let coms = [
            imposed(0.0),
            still([1.1, -0.2, 0.8], quat_exp([0.1, 0.5, 0.2])),
            still([1.9, 0.3, 0.5], quat_exp([-0.4, 0.3, 0.9])),
            Com { v: [0.4, 0.8, -0.3], w: [2.0, -1.0, 1.5], ..still([-0.8, 0.6, 0.2], quat_exp([0.7, -0.2, 0.1])) },
        ];
        let bodies: [Id; 4] = std::array::from_fn(|k| {
            let (pose, velocity, _) = world.motion(&coms[k], eta(&world, k));
            let com = scale(world.unit, eta(&world, k));
            let inertia = six(&diag(scale(world.unit * world.unit, INERTIAS[k])));
            let id = sim.build().add_rigid_body(MASSES[k], &com, &inertia, &pose).unwrap();
            sim.build().set_body_velocity(id, &velocity).unwrap();
            id
        });
        let (first, velocity, acceleration) = world.motion(&imposed(0.0), eta(&world, 0));
        sim.build().set_body_prescribed(0, true).unwrap();
        sim.inputs().set_body_motion(0, &first, &velocity, &acceleration).unwrap();

        // joints by frames from the centres of mass, which agree at the start
        let at = |k: usize| pose(coms[k].x, coms[k].q);
        let on = |k: usize, p: V3| pose(p, quat_exp([0.2, -0.1, 0.4 * k as f64]));
        let between = |a: usize, b: usize, frame: [f64; 7]| {
            let other = localize(&at(b), &compose(&at(a), &frame));
            (world.frame(&frame, eta(&world, a)), world.frame(&other, eta(&world, b)))
        };
        let mut joints = Vec::new();
        let (a, b) = between(0, 1, on(0, [0.5, 0.1, 0.0]));
        joints.push(sim.build().add_joint(JointKind::Revolute, bodies[0], bodies[1], &a, &b).unwrap());
        sim.build()
            .set_joint_spring(joints[0], 20.0 * world.unit * world.unit, 0.5 * world.unit * world.unit, 0.1)
            .unwrap();
        let (a, b) = between(1, 2, on(1, [0.4, 0.2, -0.1]));
        joints.push(sim.build().add_joint(JointKind::Spherical, bodies[1], bodies[2], &a, &b).unwrap());
        let (a, b) =
            (world.ground(&pose([-1.5, 0.2, 0.9], UNROTATED)), world.frame(&on(3, [0.1, 0.2, 0.1]), eta(&world, 3)));
        joints.push(sim.build().add_joint(JointKind::Distance, GROUND, bodies[3], &a, &b).unwrap());

        let local = |k: usize, p: V3| scale(world.unit, add(p, eta(&world, k)));
        let fixed = |p: V3| world.point(p);
        let length = world.unit;
        let spring = |sim: &mut Simulation, (a, pa): (Id, V3), (b, pb): (Id, V3), k, c, rest: f64| {
            sim.elements().add_spring(a, &pa, b, &pb, k, c, rest * length, false).unwrap()
        };
        spring(&mut sim, (GROUND, fixed([2.5, 1.0, 2.0])), (bodies[2], local(2, [0.2, 0.0, 0.1])), 300.0, 3.0, 1.0);
        spring(
            &mut sim,
            (bodies[3], local(3, [0.0, 0.1, -0.1])),
            (bodies[1], local(1, [-0.1, 0.1, 0.2])),
            80.0,
            1.0,
            1.5,
        );
        let stiffness: M6 = diagonal_matrix([150.0, 120.0, 180.0, 12.0, 9.0, 7.0]);
        let damping: M6 = diagonal_matrix([2.0, 1.0, 1.5, 0.1, 0.2, 0.15]);
        let frame = pose([0.1, -0.1, 0.2], quat_exp([0.1, 0.2, 0.0]));
        let ground = world.ground(&compose(&at(2), &frame));
        let own = world.frame(&frame, eta(&world, 2));
        let of = [world.unit, 1.0];
        let [k, c] = [stiffness, damping].map(|m| world.matrix(&m, [0.0; 3], of));
        sim.elements().add_bushing(GROUND, bodies[2], &ground, &own, &k, &c).unwrap();

        let markers = vec![
            sim.build().add_marker(bodies[2], &world.frame(&on(2, [0.2, -0.3, 0.1]), eta(&world, 2))).unwrap(),
            sim.build().add_marker(bodies[3], &world.frame(&on(3, [-0.2, 0.1, 0.3]), eta(&world, 3))).unwrap(),
        ];
        let force = join(world.vector([3.0, -2.0, 1.0]), scale(world.unit, world.vector([0.2, 0.1, -0.3])));
        sim.inputs().set_marker_load(markers[0], Frame::Inertial, &force).unwrap();
        sim.inputs()
            .set_body_load(bodies[1], Frame::Body, &world.load([1.0, 2.0, -1.0], [0.3, -0.2, 0.1], eta(&world, 1)))
            .unwrap();

        let added = coupled(0.4);
        sim.settings().set_added_mass(bodies[2], &world.matrix(&added, eta(&world, 2), of), Frame::Body).unwrap();
        sim.settings()
            .set_linear_damping(bodies[2], &world.matrix(&coupled(0.7), eta(&world, 2), of), Frame::Body)
            .unwrap();
        if world.of_points {
            // about the reference point, wherever it is; equal in all directions, so that a turned
            // world has the same
            let alike = diagonal_matrix([0.6, 0.6, 0.6, 0.05, 0.05, 0.05]);
            sim.settings().set_added_mass(bodies[1], &world.matrix(&alike, [0.0; 3], of), Frame::Inertial).unwrap();
            sim.settings().set_linear_damping(bodies[3], &world.matrix(&alike, [0.0; 3], of), Frame::Inertial).unwrap();
            let drag = diagonal_matrix([0.8, 0.5, 0.3, 0.1, 0.1, 0.1]);
            let of = [world.unit * world.unit, 1.0];
            sim.settings().set_quadratic_drag(bodies[3], &world.matrix(&drag, [0.0; 3], of), Frame::Body).unwrap();
        }
        sim.inputs()
            .set_load_callback(
                bodies[3],
                Some(Arc::new(move |m: &BodyMotion, load: &mut BodyLoad| pull(&world, m, load))),
            )
            .unwrap();
        Rig { sim, world, bodies, joints, markers }
    }

    /// Inputs for the end of a step.
    pub fn impose(&mut self, t: f64) {
        let (pose, velocity, acceleration) = self.world.motion(&imposed(t), eta(&self.world, 0));
        self.sim.inputs().set_body_motion(0, &pose, &velocity, &acceleration).unwrap();
        let w = &self.world;
        let force = join(w.vector([3.0, -2.0 + t, 1.0]), scale(w.unit, w.vector([0.2, 0.1, -0.3])));
        self.sim.inputs().set_marker_load(self.markers[0], Frame::Inertial, &force).unwrap();
    }

    pub fn run(&mut self, h: f64, steps: usize) {
        for n in 1..=steps {
            self.impose(h * n as f64);
            self.sim.step(h).unwrap();
        }
    }

    /// A vector of the world in base coordinates.
    fn back(&self, a: V3) -> V3 {
        scale(1.0 / self.world.unit, unrotate(self.world.turn, a))
    }

    fn back_wrench(&self, w: [f64; 6]) -> [f64; 6] {
        let (f, m) = halves(w);
        join(self.back(f), scale(1.0 / self.world.unit, self.back(m)))
    }

    /// The outputs by name, in base coordinates and of the centres of mass.
    pub fn outputs(&self) -> Vec<(String, Vec<f64>)> {
        let (sim, world) = (&self.sim, &self.world);
        let mut out = Vec::new();
        for (k, id) in self.bodies.iter().enumerate() {
            let p = sim.outputs().body_pose(*id).unwrap();
            let arm = scale(world.unit, rotate(turn(&p), eta(world, k)));
            let (v, w) = halves(sim.outputs().body_velocity(*id, Frame::Inertial).unwrap());
            let (a, alpha) = halves(sim.outputs().body_acceleration(*id, Frame::Inertial).unwrap());
            let x = add(sub(place(&p), world.shift), arm);
            let v = add(v, cross(w, arm));
            let a = add(a, add(cross(alpha, arm), cross(w, cross(w, arm))));
            let spins = |w: V3| unrotate(world.turn, w);
            out.push((format!("position {k}"), self.back(x).to_vec()));
            out.push((
                format!("turn {k}"),
                rotate(quat_mul(conjugate(world.turn), turn(&p)), [0.6, -0.8, 0.3]).to_vec(),
            ));
            out.push((format!("velocity {k}"), join(self.back(v), spins(w)).to_vec()));
            out.push((format!("acceleration {k}"), join(self.back(a), spins(alpha)).to_vec()));
        }
        for joint in &self.joints {
            let wrench = sim.outputs().joint_reaction(*joint, Frame::Inertial).unwrap();
            out.push((format!("reaction {joint}"), self.back_wrench(wrench).to_vec()));
        }
        let (f, m) = halves(sim.outputs().body_reaction(self.bodies[0], Frame::Inertial).unwrap());
        let arm = scale(world.unit, rotate(turn(&sim.outputs().body_pose(self.bodies[0]).unwrap()), eta(world, 0)));
        out.push(("imposed".into(), self.back_wrench(join(f, sub(m, cross(arm, f)))).to_vec()));
        for marker in &self.markers {
            let p = sim.outputs().marker_pose(*marker).unwrap();
            out.push((format!("marker {marker}"), self.back(sub(place(&p), world.shift)).to_vec()));
            let (v, _) = halves(sim.outputs().marker_velocity(*marker, Frame::Inertial).unwrap());
            let (a, _) = halves(sim.outputs().marker_acceleration(*marker, Frame::Inertial).unwrap());
            out.push((format!("marker's motion {marker}"), join(self.back(v), self.back(a)).to_vec()));
        }
        let momentum = sim.outputs().momentum(&world.shift).unwrap();
        out.push(("momentum".into(), self.back_wrench(momentum).to_vec()));
        if !world.of_points {
            out.push(("kinetic energy".into(), vec![sim.outputs().energy().unwrap().0 / (world.unit * world.unit)]));
        }
        out
    }
}

/// The load callback: a spring, a damper and added mass at the centre of mass, without matrices.
fn pull(world: &World, m: &BodyMotion, load: &mut BodyLoad) -> Result<(), i32> {
    let arm = scale(world.unit, rotate(turn(&m.pose), eta(world, 3)));
    let ((v, w), (a, alpha)) = (halves(m.velocity), halves(m.acceleration));
    let x = sub(add(place(&m.pose), arm), world.shift);
    let rest = world.vector([0.2, 1.2, -0.8]);
    let v = add(v, cross(w, arm));
    let a = add(a, add(cross(alpha, arm), cross(w, cross(w, arm))));
    let f = add(scale(-15.0, sub(x, rest)), add(scale(-0.8, v), scale(-0.02, a)));
    load.wrench = join(f, add(scale(-0.05 * world.unit * world.unit, w), cross(arm, f)));
    Ok(())
}

fn diagonal_matrix(d: [f64; 6]) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] } else { 0.0 }))
}

/// A full symmetric positive definite matrix.
fn coupled(size: f64) -> M6 {
    let d = [1.0, 1.4, 0.8, 0.3, 0.4, 0.35];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| size * if i == j { d[i] } else { [0.06, -0.04, 0.05, -0.08, 0.03][(i + j) % 5] })
    })
}

/// Asserts that two models have the same outputs: differences relative to the largest entry of each
/// output, and to 1 (m, s, kg).
#[track_caller]
pub fn assert_alike(claim: &str, a: &Rig, b: &Rig, tolerance: f64) {
    let (mut worst, mut what) = (0.0f64, String::new());
    for ((name, a), (_, b)) in a.outputs().iter().zip(&b.outputs()) {
        let size = b.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        for (x, y) in a.iter().zip(b) {
            let off = (x - y).abs() / size;
            if off > worst || off.is_nan() {
                (worst, what) = (off, format!("{name}: {a:?} against {b:?}"));
            }
        }
    }
    println!("{claim}: {worst:.2e}");
    assert!(worst <= tolerance, "{claim}: off by {worst:.3e} > {tolerance:.1e}: {what}");
}

pub const SCHEMES: [&str; 23] = [
    "generalized-alpha",
    "momentum-alpha",
    "newmark",
    "hht",
    "euler",
    "heun",
    "rk2",
    "rk3",
    "rk4",
    "ab2",
    "ab3",
    "ab4",
    "ab5",
    "leuler",
    "lab2",
    "lab3",
    "lab4",
    "lab5",
    "beuler5",
    "midpoint5",
    "anderson5",
    "aca5",
    "wilson5",
];
