//! Newton's iteration ends where residuals are rounding errors of the equations: chains of a
//! thousand links need hardly more iterations than short ones, at the same accuracy; light bodies
//! beside heavy ones are solved as accurately as alone.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const G: f64 = 9.81;
const Y: V3 = [0.0, 1.0, 0.0];
const TIGHT: f64 = 1e-10;

fn empty(gravity: V3) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&gravity).unwrap();
    for tolerance in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(tolerance, TIGHT).unwrap();
    }
    sim
}

fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

fn iterations(sim: &Simulation) -> f64 {
    sim.outputs().statistic("iterations").unwrap()
}

/// How a chain is described: unit of length (1000: mm), orientation, place (m).
#[derive(Clone, Copy, Debug)]
struct World {
    unit: f64,
    turn: Quat,
    place: V3,
}

const PLAIN: World = World { unit: 1.0, turn: UNROTATED, place: [0.0; 3] };

const MASS: f64 = 1.0;
const LINK: f64 = 0.5;

/// Links that hang in an arc, or straight down (`bend` 0), from the ground.
fn chain(world: World, links: usize, kind: JointKind, bend: f64) -> Simulation {
    let vector = |x: V3| scale(world.unit, rotate(world.turn, x));
    let point = |x: V3| add(vector(x), scale(world.unit, world.place));
    let mut sim = empty(vector([0.0, 0.0, -G]));
    let (mut end, across) = ([0.0; 3], MASS * LINK * LINK / 12.0 * world.unit * world.unit);
    for k in 0..links {
        let angle = bend * (1.0 - k as f64 / links as f64);
        let along = [angle.sin(), 0.0, -angle.cos()];
        let at = pose(point(add(end, scale(0.5 * LINK, along))), quat_mul(world.turn, quat_exp(scale(-angle, Y))));
        let inertia = [across, across, 0.1 * across, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &at).unwrap();
        let axis = rotate(world.turn, Y);
        let axis = (kind == JointKind::Revolute).then_some(&axis);
        sim.build().add_joint_at(kind, body - 1, body, &point(end), axis).unwrap();
        end = add(end, scale(LINK, along));
    }
    sim.initialize(0.0).unwrap();
    sim
}

/// Steps of 1 ms, 10 % up and down.
fn step_length(n: usize) -> f64 {
    1e-3 * (1.0 + 0.1 * (n as f64).sin())
}

const WORLDS: [World; 3] = [
    PLAIN,
    World { unit: 1e3, turn: [0.5, 0.5, -0.5, 0.5], place: [0.0; 3] },
    World { unit: 1e-3, turn: [0.1, 0.7, 0.7, -0.1], place: [1e6, -2e5, 3e5] },
];

#[test]
fn long_chains_take_hardly_more_iterations_than_short_ones() {
    for world in WORLDS {
        let world = World { turn: unit(world.turn), ..world };
        let counts = [10, 1000].map(|links| {
            let mut sim = chain(world, links, JointKind::Spherical, 1.2);
            (0..3).for_each(|_| sim.step(1e-3).unwrap());
            let before = iterations(&sim);
            (0..40).for_each(|_| sim.step(1e-3).unwrap());
            iterations(&sim) - before
        });
        // Two per step, and one more in half of them at most: a third increment in every step would
        // be rounding only.
        assert!(counts[0] <= 84.0 && counts[1] <= 100.0, "{world:?}: {counts:?}");
    }
}

#[test]
fn a_long_chain_balances_link_by_link() {
    for kind in [JointKind::Spherical, JointKind::Revolute] {
        for world in WORLDS {
            let world = World { turn: unit(world.turn), ..world };
            let links = 1000;
            let mut sim = chain(world, links, kind, 1.2);
            (0..60).for_each(|n| sim.step(step_length(n)).unwrap());
            let force = |joint: usize| {
                let reaction = sim.outputs().joint_reaction(joint as Id, Frame::Inertial).unwrap();
                scale(1.0 / world.unit, halves(reaction).0)
            };
            let gravity = scale(G, rotate(world.turn, [0.0, 0.0, -1.0]));
            for k in 0..links {
                let a = scale(
                    1.0 / world.unit,
                    halves(sim.outputs().body_acceleration(k as Id, Frame::Inertial).unwrap()).0,
                );
                let below = if k + 1 < links { force(k + 1) } else { [0.0; 3] };
                let own = force(k);
                let missing = sub(sub(scale(MASS, sub(a, gravity)), own), scale(-1.0, below));
                // What counts as rounding, 1024 units of it, of the terms of this link.
                let terms = MASS * (norm(a) + G) + norm(own) + norm(below);
                let limit = 1024.0 * f64::EPSILON * terms;
                assert!(norm(missing) <= limit, "{kind:?} {world:?}, link {k}: {:e} of {limit:e}", norm(missing));
            }
        }
    }
}

/// A light pendulum with large amplitude, on a pendulum of 1 kg and 1 m or on a fixed point.
fn light_pendulum(mass: f64, on_heavy: bool, rho: f64) -> (Simulation, Id, Id) {
    let mut sim = empty([0.0, 0.0, -G]);
    sim.settings().set_option("rho_inf", rho).unwrap();
    // The filter's corrections depend on when the matrix was made, by a part of the error of such
    // long steps.
    sim.settings().set_option("constraint_damping", 0.0).unwrap();
    let carrier = if on_heavy {
        let inertia = [1.0, 1.0, 0.3, 0.0, 0.0, 0.0];
        let heavy = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0, 0.0, -0.5], UNROTATED)).unwrap();
        sim.build().add_joint_at(JointKind::Spherical, GROUND, heavy, &[0.0; 3], None).unwrap();
        heavy
    } else {
        GROUND
    };
    let (angle, end) = (1.2_f64, [0.0, 0.0, -1.0]);
    let at = pose(add(end, scale(0.5, [angle.sin(), 0.0, -angle.cos()])), quat_exp(scale(-angle, Y)));
    let inertia = [0.09, 0.09, 0.01, 0.0, 0.0, 0.0].map(|j| j * mass);
    let light = sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &at).unwrap();
    let hinge = sim.build().add_joint_at(JointKind::Revolute, carrier, light, &end, Some(&Y)).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, light, hinge)
}

#[test]
fn light_bodies_on_heavy_ones_are_iterated_as_by_themselves() {
    for mass in [1e-16, 1e-9] {
        for rho in [0.0, 0.8] {
            // Steps of up to half a radian, which take three iterations and more.
            let h = 0.1;
            let (mut alone, body, hinge) = light_pendulum(mass, false, rho);
            let (mut carried, other, other_hinge) = light_pendulum(mass, true, rho);
            let mut swung: f64 = 0.0;
            for n in 0..40 {
                alone.step(h).unwrap();
                carried.step(h).unwrap();
                let [a, b] = [(&alone, body), (&carried, other)].map(|(sim, id)| sim.outputs().body_pose(id).unwrap());
                let [u, v] = [(&alone, body), (&carried, other)]
                    .map(|(sim, id)| halves(sim.outputs().body_acceleration(id, Frame::Inertial).unwrap()));
                swung = swung.max(norm(u.0));
                // The carrier moves by the ratio of the masses; the error of an iteration is a
                // tenth of the tolerance, h^2/4 of that in accelerations, and adds up.
                let limit = (n + 1) as f64 * (TIGHT + 10.0 * mass);
                let apart = distance(place(&a), place(&b)) + angle_between(turn(&a), turn(&b));
                assert!(apart < limit, "{mass} {rho}, step {n}: {apart:e} apart, {limit:e}");
                let apart = distance(u.0, v.0) + distance(u.1, v.1);
                assert!(apart < 4.0 * limit / (h * h), "{mass} {rho}, step {n}: accelerations {apart:e} apart");
            }
            assert!(swung > 0.5 * G && iterations(&alone) > 120.0, "it swings: {swung}, {}", iterations(&alone));
            let [mine, carried] = [(&alone, hinge), (&carried, other_hinge)]
                .map(|(sim, id)| halves(sim.outputs().joint_reaction(id, Frame::Inertial).unwrap()).0);
            let limit = mass * 4.0 * 40.0 * (TIGHT + 10.0 * mass) / (h * h);
            assert!(distance(mine, carried) < limit, "{mass} {rho}: {mine:?} {carried:?}");
        }
    }
}

#[test]
fn a_long_chain_at_rest_stays_there_in_two_iterations() {
    for world in WORLDS {
        let world = World { turn: unit(world.turn), ..world };
        let links = 1000;
        let mut sim = chain(world, links, JointKind::Spherical, 0.0);
        let start = place(&sim.outputs().body_pose(links as Id - 1).unwrap());
        let before = iterations(&sim);
        (0..100).for_each(|n| sim.step(step_length(n)).unwrap());
        let iterations = iterations(&sim) - before;
        assert!(iterations <= 200.0, "{world:?}: {iterations}");
        let moved = distance(start, place(&sim.outputs().body_pose(links as Id - 1).unwrap())) / world.unit;
        // Joint points that the host gives far away round by 1e-10 m, which is how far a chain of
        // them is off.
        let limit = if world.place == [0.0; 3] { 1e-10 } else { 1e-8 };
        assert!(moved < limit, "{world:?}: {moved:e}");
    }
}

#[test]
fn a_long_chain_goes_on_bit_by_bit_in_a_fresh_object() {
    let mut sim = chain(PLAIN, 300, JointKind::Spherical, 1.2);
    (0..10).for_each(|n| sim.step(step_length(n)).unwrap());
    let mut other = chain(PLAIN, 300, JointKind::Spherical, 1.2);
    other.restore(&other.deserialize(&bits(&sim)).unwrap()).unwrap();
    for n in 10..30 {
        sim.step(step_length(n)).unwrap();
        other.step(step_length(n)).unwrap();
    }
    assert!(bits(&sim) == bits(&other));
}

/// A small body that spins in the end of a taut bar, held at its centre: its spin is that of a free
/// body, and independent of the tension and the length of the bar.
#[test]
fn a_swivel_in_a_taut_bar_spins_as_by_itself() {
    for (length, pull, size) in [(1e3, 1e4, 1e-8), (1e4, 1e6, 1e-6), (1e2, 1e3, 1e-8)] {
        let [held, free] = [true, false].map(|is_held| {
            let mut sim = Simulation::new();
            let mut carrier = GROUND;
            if is_held {
                let across = length * length / 12.0;
                let at = pose([0.5 * length, 0.0, 0.0], UNROTATED);
                let inertia = [0.01 * across, across, across, 0.0, 0.0, 0.0];
                carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at).unwrap();
                sim.build().add_joint_at(JointKind::Spherical, GROUND, carrier, &[0.0; 3], None).unwrap();
            }
            let end = [length, 0.0, 0.0];
            let inertia = [size, 0.7 * size, 0.4 * size, 0.0, 0.0, 0.0];
            let swivel = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose(end, UNROTATED)).unwrap();
            sim.build().set_body_velocity(swivel, &[0.0, 0.0, 0.0, 100.0, 60.0, 30.0]).unwrap();
            if is_held {
                sim.build().add_joint_at(JointKind::Spherical, carrier, swivel, &end, None).unwrap();
                sim.inputs().set_body_load(swivel, Frame::Inertial, &[pull, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            }
            sim.initialize(0.0).unwrap();
            (0..60).for_each(|_| sim.step(5e-3).unwrap());
            halves(sim.outputs().body_velocity(swivel, Frame::Inertial).unwrap()).1
        });
        // A thousandth of the tolerance, 1e-6 of half a radian, is left in a step; rates are off by
        // 2/h of that, and it adds up.
        let limit = 60.0 * 1e-3 * 1e-6 * 0.5 * 2.0 / 5e-3;
        assert!(distance(held, free) < limit, "{length} {pull} {size}: {:e} of {limit:e}", distance(held, free));
    }
}
