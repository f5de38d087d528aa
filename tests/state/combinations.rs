//! One mechanism with all kinds of motions and loads, in combinations that other tests do not have:
//! a prescribed carrier, a CYLINDRICAL joint with offset whose angle and slide are driven, a
//! pendulum in a fluid, a tension-only rope and a bushing; with steps of changing length, far away,
//! turned, in other units, about other reference points, and restored in a trial.

use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Frame, GROUND, JointKind, Simulation};
use std::sync::Arc;

/// How the same mechanism is described.
#[derive(Clone, Copy, Debug)]
struct World {
    /// Unit of length, in units of 1 m: 1000 for mm.
    unit: f64,
    /// Where the origin of the mechanism lies (m).
    shift: V3,
    /// How it is turned.
    turn: Quat,
    /// Where the reference points lie from the centres of mass (m).
    arm: V3,
}

const PLAIN: World = World { unit: 1.0, shift: [0.0; 3], turn: UNROTATED, arm: [0.0; 3] };

impl World {
    fn point(&self, x: V3) -> V3 {
        scale(self.unit, add(self.shift, rotate(self.turn, x)))
    }
    fn vector(&self, x: V3) -> V3 {
        scale(self.unit, rotate(self.turn, x))
    }
    fn axis(&self, x: V3) -> V3 {
        rotate(self.turn, x)
    }
    fn back(&self, x: V3) -> V3 {
        sub(unrotate(self.turn, scale(1.0 / self.unit, x)), unrotate(self.turn, self.shift))
    }
    /// Pose of the reference point of a body whose centre of mass is at x.
    fn pose(&self, x: V3, q: Quat) -> [f64; 7] {
        let q = quat_mul(self.turn, q);
        pose(add(self.point(x), scale(self.unit, rotate(q, self.arm))), q)
    }
    fn com(&self) -> V3 {
        scale(-self.unit, self.arm)
    }
}

/// The model of the fluid about the pendulum: coefficients, or a callback without matrices.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fluid {
    None,
    Callback,
    Exact,
}

/// Position, velocity, acceleration of c (1 - cos w t).
fn wave(c: f64, w: f64, t: f64) -> [f64; 3] {
    let (sin, cos) = (w * t).sin_cos();
    [c * (1.0 - cos), c * w * sin, c * w * w * cos]
}

struct Rig {
    sim: Simulation,
    world: World,
}

impl Rig {
    fn new(world: World, scheme: &str, options: &[(&str, f64)], fluid: Fluid) -> Rig {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        for (key, value) in options {
            sim.settings().set_option(key, *value).unwrap();
        }
        let u = world.unit;
        sim.settings().set_gravity(&world.vector([0.0, 0.0, -9.81])).unwrap();
        let j = |a: f64, b: f64, c: f64| [a, b, c, 0.01, -0.02, 0.015].map(|x| x * u * u);
        let com = world.com();
        let place = [[0.0; 3], [0.6, 0.0, 0.3], [1.4, 0.2, -0.1], [0.5, 2.0, 0.0]];
        let q = [UNROTATED, unit([0.9, 0.2, -0.1, 0.3]), unit([0.7, -0.3, 0.2, 0.1]), unit([0.8, 0.1, 0.1, 0.4])];
        let mass = [1.0, 1.5, 2.0, 1.2];
        for k in 0..4 {
            let i = j(0.3 + 0.1 * k as f64, 0.4, 0.5);
            sim.build().add_rigid_body(mass[k], &com, &i, &world.pose(place[k], q[k])).unwrap();
        }
        sim.build().set_body_prescribed(0, true).unwrap();
        let rod = sim
            .build()
            .add_joint_at(
                JointKind::Cylindrical,
                0,
                1,
                &world.point([0.3, 0.0, 0.1]),
                Some(&world.axis([0.6, 0.0, 0.8])),
            )
            .unwrap();
        sim.build().set_joint_offset(rod, 0.7).unwrap();
        sim.build().set_joint_driven(rod, true).unwrap();
        sim.build().set_joint_slide_driven(rod, true).unwrap();
        sim.build().add_joint_at(JointKind::Spherical, 1, 2, &world.point([1.0, 0.0, 0.1]), None).unwrap();
        let on = |body: usize, x: V3| add(com, scale(u, unrotate(q[body], x)));
        sim.elements()
            .add_spring(2, &on(2, [0.1, 0.0, 0.1]), 3, &on(3, [0.1, -0.1, 0.0]), 40.0, 1.0, 1.5 * u, true)
            .unwrap();
        let frame = |body: usize, x: V3| pose(on(body, x), conjugate(q[body]));
        let mut k = [0.0; 36];
        let mut c = [0.0; 36];
        for i in 0..6 {
            k[7 * i] = if i < 3 { 30.0 } else { 8.0 * u * u };
            c[7 * i] = if i < 3 { 0.5 } else { 0.2 * u * u };
        }
        let anchor = pose(world.point([0.5, 2.0, 0.4]), world.turn);
        sim.elements().add_bushing(GROUND, 3, &anchor, &frame(3, [0.0, 0.0, 0.4]), &k, &c).unwrap();
        sim.build().add_marker(3, &pose(com, UNROTATED)).unwrap();
        let mut rig = Rig { sim, world };
        match fluid {
            Fluid::None => {}
            Fluid::Callback => rig.callback(),
            Fluid::Exact => rig.coefficients(),
        }
        rig.give(0.0);
        rig
    }

    /// Added mass of twice the body's mass about the reference point, and damping.
    fn matrices(&self) -> [M6; 2] {
        let u = self.world.unit;
        let mut a = [[0.0; 6]; 6];
        let mut c = [[0.0; 6]; 6];
        for i in 0..6 {
            a[i][i] = if i < 3 { 4.0 } else { 1.0 * u * u };
            c[i][i] = if i < 3 { 0.8 } else { 0.3 * u * u };
        }
        (a[0][4], a[4][0]) = (0.3 * u, 0.3 * u);
        (a, c).into()
    }

    fn callback(&mut self) {
        let [a, c] = self.matrices();
        let load = move |m: &BodyMotion, out: &mut BodyLoad| {
            let (wa, wc) = (mul6(&a, &m.acceleration), mul6(&c, &m.velocity));
            for i in 0..6 {
                out.wrench[i] = -wa[i] - wc[i];
            }
            Ok(())
        };
        self.sim.inputs().set_load_callback(2, Some(Arc::new(load))).unwrap();
    }

    fn coefficients(&mut self) {
        let [a, c] = self.matrices();
        self.sim.settings().set_added_mass(2, &columns(&a), Frame::Inertial).unwrap();
        self.sim.settings().set_linear_damping(2, &columns(&c), Frame::Inertial).unwrap();
    }

    /// Imposed motions and loads for time t; rates are zero at 0.
    fn give(&mut self, t: f64) {
        let w = self.world;
        let [x, v, a] = wave(0.3, 1.7, t).map(|c| scale(c, [0.9, 0.5, -0.3]));
        let [angle, om, al] = wave(0.4, 1.3, t);
        let q = quat_exp([0.0, 0.0, angle]);
        let (om, al) = ([0.0, 0.0, om], [0.0, 0.0, al]);
        // of the reference point
        let r = rotate(q, w.arm);
        let v = add(v, cross(om, r));
        let a = add(a, add(cross(al, r), cross(om, cross(om, r))));
        let p = w.pose(x, q);
        self.sim
            .inputs()
            .set_body_motion(0, &p, &join(w.vector(v), w.axis(om)), &join(w.vector(a), w.axis(al)))
            .unwrap();
        let [q, qd, qdd] = wave(2.0, 1.1, t);
        self.sim.inputs().set_joint_motion(0, 0.7 + q, qd, qdd).unwrap();
        let [s, sd, sdd] = wave(0.2 * w.unit, 2.3, t);
        self.sim.inputs().set_joint_slide_motion(0, s, sd, sdd).unwrap();
        let f = w.vector([1.0, 0.5, 2.0]);
        self.sim.inputs().set_marker_load(0, Frame::Inertial, &join(f, [0.0; 3])).unwrap();
    }

    /// Positions of the centres of mass, velocities, orientation in the plain world; reactions.
    fn state(&self) -> Vec<f64> {
        let mut out = Vec::new();
        let w = self.world;
        for b in 1..4 {
            let p = self.sim.outputs().body_pose(b).unwrap();
            let q = [p[3], p[4], p[5], p[6]];
            let arm = rotate(q, scale(w.unit, w.arm));
            out.extend(w.back(sub(place(&p), arm)));
            out.extend(rotation_vector(quat_mul(conjugate(w.turn), q)));
            let (v, om) = halves(self.sim.outputs().body_velocity(b, Frame::Inertial).unwrap());
            out.extend(scale(1.0 / w.unit, unrotate(w.turn, sub(v, cross(om, arm)))));
            out.extend(unrotate(w.turn, om));
        }
        for j in 0..2 {
            let (f, m) = halves(self.sim.outputs().joint_reaction(j, Frame::Inertial).unwrap());
            out.extend(scale(1.0 / w.unit, unrotate(w.turn, f)));
            out.extend(scale(1.0 / w.unit / w.unit, unrotate(w.turn, m)));
        }
        out
    }
}

/// Lengths of `n` steps that vary about `h` by up to a part `spread` of it.
fn steps(n: usize, h: f64, spread: f64) -> Vec<f64> {
    let mut x = 12345u64;
    (0..n)
        .map(|_| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            h * (1.0 + spread * (2.0 * ((x >> 11) as f64 / (1u64 << 53) as f64) - 1.0))
        })
        .collect()
}

/// State after steps of these lengths.
fn run(world: World, scheme: &str, options: &[(&str, f64)], fluid: Fluid, hs: &[f64]) -> Result<Vec<f64>, String> {
    let mut rig = Rig::new(world, scheme, options, fluid);
    rig.sim.initialize(0.0).map_err(|e| e.to_string())?;
    let mut t = 0.0;
    for h in hs {
        t += h;
        rig.give(t);
        rig.sim.step(*h).map_err(|e| e.to_string())?;
    }
    Ok(rig.state())
}

/// Largest differences of positions, velocities and reactions.
fn split(a: &[f64], b: &[f64]) -> [f64; 3] {
    let d = |r: std::ops::Range<usize>| a[r.clone()].iter().zip(&b[r]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let motion = 36;
    let mut p = 0.0f64;
    let mut v = 0.0f64;
    for k in 0..3 {
        p = p.max(d(12 * k..12 * k + 6));
        v = v.max(d(12 * k + 6..12 * k + 12));
    }
    [p, v, d(motion..a.len())]
}

const ALL: World = World { shift: [1e6, 2e5, -3e5], turn: [0.6, 0.3, -0.5, 0.4], unit: 1000.0, arm: [3.7, 0.2, 1.0] };

fn all_at_once() -> World {
    World { turn: unit(ALL.turn), ..ALL }
}

#[test]
fn the_motion_does_not_know_how_the_mechanism_is_described() {
    let far = World { shift: [1e6, -1e6, 1e6], ..PLAIN };
    let turned = World { turn: unit(ALL.turn), ..PLAIN };
    let [mm, km] = [1e3, 1e-3].map(|unit| World { unit, ..PLAIN });
    let beside = World { arm: [3.7, -1.0, 0.5], ..PLAIN };
    let tight = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)];
    let lengths = steps(60, 0.005, 0.2);
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4", "ab4", "lab3", "heun", "aca5"] {
        for fluid in [Fluid::None, Fluid::Exact, Fluid::Callback] {
            let plain = run(PLAIN, scheme, &tight, fluid, &lengths).unwrap();
            // The fluid's matrices are about the reference point, in inertial axes, and would
            // differ.
            let others = [far, mm, km, turned, beside, all_at_once()];
            for world in &others[..if fluid == Fluid::None { 6 } else { 3 }] {
                let found = run(*world, scheme, &tight, fluid, &lengths).unwrap();
                let [x, v, force] = split(&found, &plain);
                // Positions given at 1e6 m are rounded to 1e-10 m: over a step in velocities, times
                // m/(beta h^2) in reactions, where m is 5 kg and h 4 ms at least. A callback's
                // loads are settled to 1e-6 or better.
                let settled = if fluid == Fluid::Callback { 1e-6 } else { 0.0 };
                let limits = [1e-9 + settled, 1e-7 + settled, 1e-3];
                assert!(
                    x < limits[0] && v < limits[1] && force < limits[2],
                    "{scheme} {fluid:?} {world:?}: {x:e} {v:e} {force:e}"
                );
            }
        }
    }
}

#[test]
fn a_callback_without_matrices_is_as_good_as_coefficients_under_random_steps() {
    // Against Runge-Kutta steps of 0.25 ms with coefficients: errors of order (0.01/0.25)^2 less.
    let fine = run(PLAIN, "rk4", &[], Fluid::Exact, &[2.5e-4; 2000]).unwrap();
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4", "ab4", "heun", "lab3"] {
        for spread in [0.0, 0.2] {
            let errors = [Fluid::Exact, Fluid::Callback].map(|fluid| {
                let mut lengths = steps(50, 0.01, spread);
                let sum: f64 = lengths.iter().sum();
                lengths.iter_mut().for_each(|h| *h *= 0.5 / sum);
                split(&run(PLAIN, scheme, &[], fluid, &lengths).unwrap(), &fine)
            });
            for (exact, callback) in errors[0].iter().zip(errors[1]) {
                assert!(callback < 1.5 * exact + 1e-8, "{scheme} {spread}: {errors:?}");
                assert!(callback < 0.02, "{scheme} {spread}: {errors:?}");
            }
        }
    }
}

fn bits(sim: &Simulation) -> Vec<u64> {
    let mut all = vec![sim.time().unwrap()];
    for b in 0..4 {
        all.extend(sim.outputs().body_pose(b).unwrap());
        all.extend(sim.outputs().body_velocity(b, Frame::Inertial).unwrap());
        all.extend(sim.outputs().body_acceleration(b, Frame::Inertial).unwrap());
    }
    for j in 0..2 {
        all.extend(sim.outputs().joint_reaction(j, Frame::Inertial).unwrap());
    }
    all.extend(sim.outputs().joint_coordinate(0).unwrap());
    all.extend(sim.outputs().joint_slide(0).unwrap());
    all.extend(sim.outputs().body_reaction(0, Frame::Inertial).unwrap());
    all.extend(<[f64; 2]>::from(sim.outputs().energy().unwrap()));
    all.extend(sim.outputs().momentum(&[0.0; 3]).unwrap());
    all.iter().map(|x| x.to_bits()).collect()
}

/// What the host does while a trial is pending.
#[derive(Clone, Copy, Debug)]
enum InTrial {
    Nothing,
    FollowerLoad,
    Mark,
    AddedMass,
    AnotherAdvance,
    ClearLoads,
}

fn act(rig: &mut Rig, what: InTrial) {
    match what {
        InTrial::Nothing => {}
        InTrial::FollowerLoad => rig.sim.inputs().set_marker_load(0, Frame::Body, &[3.0; 6]).unwrap(),
        InTrial::Mark => rig.sim.inputs().mark_discontinuity().unwrap(),
        InTrial::AddedMass => {
            let inertia = 0.2 * rig.world.unit * rig.world.unit;
            let a = std::array::from_fn(|k| {
                if k % 7 > 0 {
                    0.0
                } else if k < 21 {
                    0.7
                } else {
                    inertia
                }
            });
            rig.sim.settings().set_added_mass(3, &a, Frame::Body).unwrap();
        }
        InTrial::AnotherAdvance => {
            rig.give(0.045);
            rig.sim.advance(0.004).unwrap();
            rig.give(0.05);
        }
        InTrial::ClearLoads => rig.sim.inputs().clear_loads().unwrap(),
    }
}

/// Takes these steps, every other one after a trial with other inputs; returns all outputs.
fn go_on(rig: &mut Rig, mut t: f64, lengths: &[f64]) -> Vec<u64> {
    let mut all = Vec::new();
    for (n, h) in lengths.iter().enumerate() {
        t += h;
        if n % 2 == 1 {
            rig.give(t + 0.003);
            rig.sim.advance(*h).unwrap();
        }
        rig.give(t);
        rig.sim.advance(*h).unwrap();
        rig.sim.accept().unwrap();
        all.extend(bits(&rig.sim));
    }
    all
}

#[test]
fn a_state_restored_with_a_trial_pending_goes_on_bit_for_bit() {
    use InTrial::*;
    let schemes = ["generalized-alpha", "momentum-alpha", "hht", "rk4", "ab4", "lab3", "heun", "anderson4", "wilson3"];
    let world = all_at_once();
    for (scheme, longest) in schemes.iter().flat_map(|scheme| [(scheme, f64::INFINITY), (scheme, 0.0021)]) {
        for what in [Nothing, FollowerLoad, Mark, AddedMass, AnotherAdvance, ClearLoads] {
            let case = format!("{scheme}, internal steps of {longest}, {what:?}");
            let options = [("input_order", 1.0), ("max_time_step", longest), ("on_no_convergence", 2.0)];
            let lengths = steps(14, 0.005, 0.2);
            let mut rig = Rig::new(world, scheme, &options, Fluid::Callback);
            rig.sim.initialize(0.0).unwrap();
            go_on(&mut rig, 0.0, &lengths[..7]);
            let before: f64 = lengths[..7].iter().sum();
            rig.give(before + lengths[7]);
            rig.sim.advance(lengths[7]).unwrap();
            act(&mut rig, what);
            let bytes = rig.sim.save().unwrap().to_bytes();

            // A new system of the same model, with another start.
            let mut fresh = Rig::new(world, scheme, &options, Fluid::Callback);
            fresh.sim.build().set_body_velocity(3, &[300.0, 100.0, 200.0, 1.0, 2.0, 3.0]).unwrap();
            fresh.sim.initialize(1.0).unwrap();
            let state = fresh.sim.deserialize(&bytes).unwrap();
            fresh.sim.restore(&state).unwrap();
            assert!(bits(&fresh.sim) == bits(&rig.sim), "{case}: read");
            for accepted in [true, false] {
                let [own, other] = [&rig, &fresh].map(|rig| {
                    let mut rig = Rig { sim: rig.sim.clone(), world };
                    let t = if accepted {
                        rig.sim.accept().unwrap();
                        before + lengths[7]
                    } else {
                        rig.sim.reject().unwrap();
                        before
                    };
                    go_on(&mut rig, t, &lengths[8..])
                });
                assert!(own == other, "{case}, accepted {accepted}");
            }
        }
    }
}
