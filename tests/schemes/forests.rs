//! Trees of rigid bodies on joints that turn about a point: explicit schemes use the
//! articulated-body elimination, link by link, and must agree with implicit schemes on the same
//! model and with their own solution by the full matrix, wherever the model is, in any units, at
//! rest and in motion, under loads that jump and motions that the host imposes.

use crate::common::mechanisms::localize;
use crate::common::*;
use pintle::{BodyLoad, BodyMotion, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

/// The host's step (s), and how many make half a second.
const H: f64 = 0.025;
const STEPS: usize = 20;

const BODIES: Id = 8;
const CARRIER: Id = 0;
const LOOSE: Id = 5;

/// Rounding error of lengths of 1 m: each evaluation of bodies that hang on each other rounds once
/// for each pair of them. In half a second of falling from lengths of half a metre, differences
/// grow by e^(t sqrt(g/l)) = 10.
const ROUNDING: f64 = 10.0 * 100.0 * f64::EPSILON * (BODIES * BODIES) as f64;

/// Where a model stands, how it is turned, and its unit of length in metres' stead (1e3:
/// millimetres).
#[derive(Clone, Copy)]
struct World {
    shift: V3,
    turn: Quat,
    unit: f64,
}

const HERE: World = World { shift: [0.0; 3], turn: UNROTATED, unit: 1.0 };

impl World {
    fn vector(&self, x: V3) -> V3 {
        scale(self.unit, rotate(self.turn, x))
    }

    fn pose(&self, x: V3, q: Quat) -> [f64; 7] {
        pose(add(self.shift, self.vector(x)), quat_mul(self.turn, q))
    }

    /// A force, then a moment.
    fn wrench(&self, force: V3, moment: V3) -> [f64; 6] {
        join(self.vector(force), scale(self.unit, self.vector(moment)))
    }

    fn add_body(&self, sim: &mut Simulation, x: V3) -> Id {
        let inertia = [0.02, 0.03, 0.04, 0.004, -0.002, 0.001].map(|j| j * self.unit * self.unit);
        let com = scale(self.unit, [0.0, 0.0625, 0.0]);
        sim.build().add_rigid_body(1.0 + 0.25 * x[1], &com, &inertia, &self.pose(x, UNROTATED)).unwrap()
    }

    fn hang(&self, sim: &mut Simulation, kind: JointKind, ends: [Id; 2], x: V3, q: Quat) {
        let frame = self.pose(x, q);
        let [a, b] = ends.map(|body| match body {
            GROUND => frame,
            _ => localize(&sim.outputs().body_pose(body).unwrap(), &frame),
        });
        sim.build().add_joint(kind, ends[0], ends[1], &a, &b).unwrap();
    }
}

/// The axis of a hinge along y.
fn along_y() -> Quat {
    quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0])
}

/// Two trees, one on a prescribed body, with all kinds of joints and both roles of bodies; and a
/// free body. Coordinates are multiples of 1/16 m, so that they are the same numbers far away.
fn forest(world: World, scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&world.vector([0.0, 0.0, -9.81])).unwrap();
    sim.settings().set_option("rel_tolerance", 1e-11).unwrap();
    sim.settings().set_option("abs_tolerance", 1e-11).unwrap();
    let places = [
        [0.0, 0.0, 0.0],
        [0.5, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.5, 0.5, 0.0],
        [1.5, 0.0, 0.25],
        [0.0, 2.0, 0.0],
        [0.0, -1.0, 0.5],
        [0.0, -1.5, 0.5],
    ];
    places.into_iter().for_each(|x| assert!(world.add_body(&mut sim, x) < BODIES));
    sim.build().set_body_prescribed(CARRIER, true).unwrap();
    let spin = world.vector([0.5, 2.0, -1.0]).map(|x| x / world.unit);
    sim.build().set_body_velocity(LOOSE, &join([0.0; 3], spin)).unwrap();
    let skew = quat_exp([0.3, -0.8, 0.5]);
    for (kind, ends, x, q) in [
        (JointKind::Spherical, [6, 7], [0.0, -1.25, 0.5], UNROTATED),
        (JointKind::Revolute, [CARRIER, 1], [0.25, 0.0, 0.0], along_y()),
        (JointKind::Fixed, [4, 2], [1.25, 0.0, 0.125], UNROTATED),
        (JointKind::Universal, [1, 2], [0.75, 0.0, 0.0], skew),
        (JointKind::Spherical, [3, 1], [0.5, 0.25, 0.0], UNROTATED),
        (JointKind::Revolute, [6, GROUND], [0.0, -0.75, 0.5], skew),
    ] {
        world.hang(&mut sim, kind, ends, x, q);
    }
    give(&mut sim, world, 0.0);
    sim
}

/// The inputs for time t: the carrier's motion, a moment, and a force that jumps after a quarter of
/// a second.
fn give(sim: &mut Simulation, world: World, t: f64) {
    let (s, c) = (3.0 * t).sin_cos();
    let along = |x: f64| join(world.vector([x, 0.0, 0.0]), [0.0; 3]);
    let at = world.pose([0.2 * (1.0 - c), 0.0, 0.0], UNROTATED);
    sim.inputs().set_body_motion(CARRIER, &at, &along(0.6 * s), &along(1.8 * c)).unwrap();
    let force = if t > 0.2501 { [0.0, 4.0, 8.0] } else { [0.0; 3] };
    sim.inputs().set_body_load(3, Frame::Inertial, &world.wrench(force, [0.0; 3])).unwrap();
    let moment = [0.1 * c, 0.0, 0.05];
    sim.inputs().set_body_load(7, Frame::Inertial, &world.wrench([0.0; 3], moment)).unwrap();
}

/// Runs for half a second in steps of the host, of one length or of two in turn, each in `parts`
/// parts at least.
fn run(sim: &mut Simulation, world: World, changing: bool, parts: usize) {
    if sim.phase() == pintle::Phase::Building {
        sim.settings().set_option("max_time_step", 1.0001 * H / parts as f64).unwrap();
        sim.initialize(0.0).unwrap();
    }
    let mut t = 0.0;
    for n in 0..STEPS {
        let dt = if changing { H * [1.5, 0.5][n % 2] } else { H };
        t += dt;
        give(sim, world, t);
        // Held loads jump from step to step of the host: implicit schemes need to be told.
        sim.inputs().mark_discontinuity().unwrap();
        sim.step(dt).unwrap();
    }
}

/// Positions of all bodies in metres, relative to the place of the model.
fn positions(sim: &Simulation, world: World) -> Vec<f64> {
    let of = |body| {
        let x = sub(place(&sim.outputs().body_pose(body).unwrap()), world.shift);
        scale(1.0 / world.unit, unrotate(world.turn, x))
    };
    (0..BODIES).flat_map(of).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

fn ended(scheme: &str, changing: bool, parts: usize) -> Vec<f64> {
    let mut sim = forest(HERE, scheme);
    run(&mut sim, HERE, changing, parts);
    positions(&sim, HERE)
}

#[test]
fn explicit_and_implicit_schemes_meet_at_their_orders_through_a_jump_and_changing_steps() {
    for changing in [false, true] {
        // Its error is 1/256 of that of the finest run below.
        let exact = ended("rk4", changing, 64);
        for (scheme, order, parts) in
            [("rk4", 4.0, [4, 8, 16]), ("heun", 2.0, [32, 64, 128]), ("generalized-alpha", 2.0, [16, 32, 64])]
        {
            let error = |parts: usize| {
                let step = H / parts as f64;
                (step, largest_difference(&ended(scheme, changing, parts), &exact))
            };
            assert_order(&format!("{scheme}, changing {changing}"), &parts.map(error), order, 0.2);
        }
    }
}

/// Half a second link by link, and by the matrix.
fn both_ways(scheme: &str, parts: usize) -> [Simulation; 2] {
    let [mut by_links, mut by_matrix] = [(); 2].map(|()| forest(HERE, scheme));
    // A callback without wrench or matrices: with a callback, the full matrix is used.
    let nothing = |_: &BodyMotion, _: &mut BodyLoad| Ok(());
    by_matrix.inputs().set_load_callback(LOOSE, Some(Arc::new(nothing))).unwrap();
    for sim in [&mut by_links, &mut by_matrix] {
        run(sim, HERE, true, parts);
    }
    [by_links, by_matrix]
}

#[test]
fn links_and_the_matrix_take_the_same_steps() {
    for scheme in ["rk4", "ab4"] {
        let both = both_ways(scheme, 5);
        let [links, matrix] = both.each_ref().map(|sim| positions(sim, HERE));
        let off = largest_difference(&links, &matrix);
        assert!(off < ROUNDING, "{scheme}: off by {off:e}");
        // Both hold the joints together.
        for sim in &both {
            let violation = sim.outputs().constraint_violation().unwrap().0;
            assert!(violation < ROUNDING, "{scheme}: {violation:e}");
        }
    }
    // Here the links take the metric of the projection from the second stage, h^2 away, the matrix
    // that of the end; what they project is the error of a step, h^3: together h^5 in a step, h^4
    // in half a second.
    let differences = [4, 8, 16].map(|parts| {
        let [links, matrix] = both_ways("heun", parts).each_ref().map(|sim| positions(sim, HERE));
        (H / parts as f64, largest_difference(&links, &matrix))
    });
    assert_order("heun, links against the matrix", &differences, 4.0, 0.3);
}

#[test]
fn callbacks_without_matrices_act_like_loads() {
    // A constant force by a callback, which needs the full matrix, and by a held load, which does
    // not.
    let force = [0.0, 3.0, 1.0, 0.0, 0.1, 0.0];
    let [mut asked, mut held] = [(); 2].map(|()| forest(HERE, "rk4"));
    let pull = move |_: &BodyMotion, load: &mut BodyLoad| {
        load.wrench = force;
        Ok(())
    };
    asked.inputs().set_load_callback(4, Some(Arc::new(pull))).unwrap();
    held.inputs().set_body_load(4, Frame::Inertial, &force).unwrap();
    for sim in [&mut asked, &mut held] {
        run(sim, HERE, false, 5);
    }
    let [asked, held] = [&asked, &held].map(|sim| positions(sim, HERE));
    assert!(largest_difference(&asked, &held) < ROUNDING);
    assert!(largest_difference(&held, &ended("rk4", false, 5)) > 0.01, "the force does something");
}

#[test]
fn forests_move_alike_far_away_turned_and_in_other_units() {
    let expected = ended("rk4", true, 5);
    let turn = quat_exp([0.7, -1.9, 0.4]);
    let far = World { shift: [1e6, -2e6, 5e5], ..HERE };
    for (name, world, tolerance) in [
        // Read at 2e6 m, and imposed motions given there: gaps of 2.3e-10 m, over which the carrier
        // jerks along in each step.
        ("far", far, 10.0 * 2e6 * f64::EPSILON),
        ("turned", World { turn, ..HERE }, ROUNDING),
        ("in mm", World { unit: 1e3, ..HERE }, ROUNDING),
        ("in km", World { unit: 1e-3, ..HERE }, ROUNDING),
        ("turned, in mm", World { turn, unit: 1e3, ..HERE }, ROUNDING),
    ] {
        let mut sim = forest(world, "rk4");
        run(&mut sim, world, true, 5);
        let off = largest_difference(&positions(&sim, world), &expected);
        assert!(off < tolerance, "{name}: off by {off:e}, allowed {tolerance:e}");
    }
}

#[test]
fn what_hangs_at_rest_or_balanced_stays_there() {
    // A skew frame, so that nothing is exactly zero.
    let world = World { turn: quat_exp([0.4, 1.1, -0.6]), ..HERE };
    for scheme in ["rk4", "ab4", "heun"] {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_gravity(&world.vector([0.0, 0.0, -9.81])).unwrap();
        let j = [0.02, 0.03, 0.04, 0.0, 0.0, 0.0];
        let mut add_body = |x: V3| sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &world.pose(x, UNROTATED)).unwrap();
        // A row that hangs straight down; a beam on a hinge in its middle, with equal arms.
        let row = [0, 1, 2, 3].map(|k| add_body([0.0, 0.0, -0.5 - f64::from(k)]));
        let beam = [0.0, -1.0, 1.0].map(|x| add_body([x, 3.0, 0.0]));
        let kinds = [JointKind::Revolute, JointKind::Spherical, JointKind::Universal, JointKind::Fixed];
        for (k, kind) in kinds.into_iter().enumerate() {
            let above = if k == 0 { GROUND } else { row[k - 1] };
            world.hang(&mut sim, kind, [above, row[k]], [0.0, 0.0, -(k as f64)], along_y());
        }
        world.hang(&mut sim, JointKind::Revolute, [GROUND, beam[0]], [0.0, 3.0, 0.0], along_y());
        for arm in [beam[1], beam[2]] {
            world.hang(&mut sim, JointKind::Fixed, [beam[0], arm], [0.0, 3.0, 0.0], UNROTATED);
        }
        let all = row.into_iter().chain(beam);
        let start: Vec<[f64; 7]> = all.clone().map(|body| sim.outputs().body_pose(body).unwrap()).collect();
        sim.initialize(0.0).unwrap();
        (0..500).for_each(|_| sim.step(2e-3).unwrap());
        // Rounding errors of the weights accelerate bodies for a second: g t^2/2 of the unit
        // roundoff, for each pair of bodies.
        let tolerance = 0.5 * 9.81 * f64::EPSILON * 49.0;
        for (body, start) in all.zip(&start) {
            let now = sim.outputs().body_pose(body).unwrap();
            let moved = distance(place(&now), place(start));
            assert!(moved < tolerance, "{scheme}: body {body} moved by {moved:e}, allowed {tolerance:e}");
            let turned = angle_between(turn(&now), turn(start));
            // An angle that is read from a cosine near 1 rounds to the root of the unit.
            assert!(turned < 3.0 * f64::EPSILON.sqrt(), "{scheme}: body {body} turned by {turned:e}");
        }
    }
}

#[test]
fn every_step_ends_with_its_joints_closed() {
    // Beside the forest a long chain, through which corrections propagate joint by joint.
    let whip = |scheme: &str| {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        for k in 0..100 {
            let (x, above) = (f64::from(k), if k == 0 { GROUND } else { k - 1 });
            HERE.add_body(&mut sim, [x + 0.5, 0.0, 0.0]);
            let kind = if k % 3 == 0 { JointKind::Universal } else { JointKind::Spherical };
            HERE.hang(&mut sim, kind, [above, k], [x, 0.0, 0.0], UNROTATED);
        }
        sim
    };
    for scheme in ["rk4", "rk3", "rk2", "heun", "euler", "ab4"] {
        for (h, steps) in [(1e-4, 20), (1e-3, 200), (4e-3, 100)] {
            for (name, length, mut sim) in [("forest", 2.0, forest(HERE, scheme)), ("whip", 100.0, whip(scheme))] {
                sim.initialize(0.0).unwrap();
                let mut worst = 0.0f64;
                for n in 0..steps {
                    if name == "forest" {
                        give(&mut sim, HERE, h * f64::from(n + 1));
                    }
                    sim.step(h).unwrap();
                    worst = worst.max(sim.outputs().constraint_violation().unwrap().0);
                }
                // Corrections end where they are below 1e-14 of the model's length; positions
                // round.
                let allowed = (1e-14 + 8.0 * f64::EPSILON) * length;
                assert!(worst < allowed, "{scheme}, {name}, steps of {h} s: {worst:e}, allowed {allowed:e}");
            }
        }
    }
}

/// Takes steps from number `steps.start` on, and sets inputs before each.
fn march(sim: &mut Simulation, steps: std::ops::Range<usize>) {
    for n in steps {
        give(sim, HERE, H * (n + 1) as f64);
        sim.step(H).unwrap();
    }
}

fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

#[test]
fn a_fresh_object_goes_on_bit_by_bit() {
    for scheme in ["rk4", "ab4", "heun", "lab3", "aca3"] {
        let begin = |scheme: &str| {
            let mut sim = forest(HERE, scheme);
            sim.settings().set_option("max_time_step", H / 5.0).unwrap();
            sim.initialize(0.0).unwrap();
            sim
        };
        let mut sim = begin(scheme);
        march(&mut sim, 0..7);
        let saved = bits(&sim);
        march(&mut sim, 7..STEPS);
        let mut fresh = begin("rk4");
        fresh.restore(&fresh.deserialize(&saved).unwrap()).unwrap();
        march(&mut fresh, 7..STEPS);
        assert!(bits(&fresh) == bits(&sim), "{scheme}");
    }
}

#[test]
fn inputs_of_a_repeated_trial_are_those_of_the_step() {
    for scheme in ["rk4", "ab4"] {
        let [mut plain, mut tried] = [(); 2].map(|()| {
            let mut sim = forest(HERE, scheme);
            sim.settings().set_option("max_time_step", H / 5.0).unwrap();
            sim.initialize(0.0).unwrap();
            sim
        });
        march(&mut plain, 0..STEPS);
        for n in 0..STEPS {
            // Wrong inputs in phase READY, right ones in TRIAL; every third trial is rejected once.
            give(&mut tried, HERE, H * (n + 4) as f64);
            tried.advance(H).unwrap();
            if n % 3 == 0 {
                tried.reject().unwrap();
            }
            give(&mut tried, HERE, H * (n + 1) as f64);
            tried.advance(H).unwrap();
            tried.accept().unwrap();
        }
        assert!(bits(&tried) == bits(&plain), "{scheme}");
    }
}
