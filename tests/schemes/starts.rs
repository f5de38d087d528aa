//! Starts of the implicit schemes: second order where every other step is a first one, because the
//! host marks discontinuities or steps grow by more than a factor 2; and forces far stiffer than
//! the step resolves.
//!
//! References: the same models by momentum-alpha at rho_inf 1 with short equal steps, whose own
//! error is that of the smallest step here times (their ratio)^2; for dampers and springs the
//! formulas of one mass.

use crate::common::*;
use pintle::elements::line::LineType;
use pintle::{BodyLoad, BodyLoadFn, BodyMotion, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

type Scheme = (&'static str, &'static str, f64);

const SCHEMES: [Scheme; 11] = [
    ("generalized-alpha", "rho_inf", 0.0),
    ("generalized-alpha", "rho_inf", 0.3),
    ("generalized-alpha", "rho_inf", 0.8),
    ("generalized-alpha", "rho_inf", 1.0),
    ("momentum-alpha", "rho_inf", 0.0),
    ("momentum-alpha", "rho_inf", 0.3),
    ("momentum-alpha", "rho_inf", 0.8),
    ("momentum-alpha", "rho_inf", 1.0),
    ("hht", "hht_alpha", -0.3),
    ("hht", "hht_alpha", -0.1),
    ("newmark", "newmark_gamma", 0.5),
];

fn system(scheme: Scheme) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme.0).unwrap();
    for (key, value) in [(scheme.1, scheme.2), ("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)] {
        sim.settings().set_option(key, value).unwrap();
    }
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim
}

/// How the steps of a pair follow each other.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// The first so many times as long as the second.
    Ratio(f64),
    /// Equal, with a mark before every other one.
    Marked,
}

/// Runs over `end` by pairs of steps, twice `h` long together.
fn run(sim: &mut Simulation, steps: Steps, h: f64, end: f64) {
    for _ in 0..(0.5 * end / h).round() as usize {
        let ratio = match steps {
            Steps::Ratio(ratio) => ratio,
            Steps::Marked => {
                sim.inputs().mark_discontinuity().unwrap();
                1.0
            }
        };
        sim.step(2.0 * h * ratio / (1.0 + ratio)).unwrap();
        sim.step(2.0 * h / (1.0 + ratio)).unwrap();
    }
}

/// A model, with its positions, velocities and a reaction in a list each.
type Model = fn(Scheme) -> Simulation;
type Read = fn(&Simulation) -> [Vec<f64>; 3];

/// Two rods on hinges about unlike axes, with a spring and a damper between them.
fn double_pendulum(scheme: Scheme) -> Simulation {
    pendulum_in(system(scheme))
}

fn pendulum_in(mut sim: Simulation) -> Simulation {
    let rods = [0.5, 1.5].map(|x| {
        let body = sim.build().add_rigid_body(
            2.0,
            &[0.0; 3],
            &[0.02, 0.2, 0.2, 0.0, 0.0, 0.0],
            &pose([x, 0.0, 0.0], UNROTATED),
        );
        body.unwrap()
    });
    sim.build().add_joint_at(JointKind::Revolute, GROUND, rods[0], &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    let hinge = (&[1.0, 0.0, 0.0], Some(&[0.0, 0.8, 0.6]));
    sim.build().add_joint_at(JointKind::Revolute, rods[0], rods[1], hinge.0, hinge.1).unwrap();
    sim.elements().add_spring(GROUND, &[0.3, 0.4, -1.5], rods[1], &[0.5, 0.0, 0.0], 20.0, 1.0, 1.2, false).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

fn read_pendulum(sim: &Simulation) -> [Vec<f64>; 3] {
    let outputs = sim.outputs();
    let bodies = |f: &dyn Fn(Id) -> Vec<f64>| (0..2).flat_map(f).collect::<Vec<f64>>();
    let reactions = (0..2).flat_map(|joint| outputs.joint_reaction(joint, Frame::Inertial).unwrap());
    [
        bodies(&|body| outputs.body_pose(body).unwrap().to_vec()),
        bodies(&|body| outputs.body_velocity(body, Frame::Inertial).unwrap().to_vec()),
        reactions.collect(),
    ]
}

/// A free body that tumbles.
fn spinning_body(scheme: Scheme) -> Simulation {
    let mut sim = system(scheme);
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.1, 0.2, 0.0], &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    sim.build().set_body_velocity(body, &[1.0, 0.0, 2.0, 1.5, 2.0, 0.4]).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

fn read_body(sim: &Simulation) -> [Vec<f64>; 3] {
    let outputs = sim.outputs();
    let vectors = [outputs.body_velocity(0, Frame::Inertial), outputs.body_acceleration(0, Frame::Inertial)];
    let [v, vdot] = vectors.map(|x| x.unwrap().to_vec());
    [outputs.body_pose(0).unwrap().to_vec(), v, vdot]
}

/// A weight that swings on a line of three segments, which stays taut.
fn swinging_line(scheme: Scheme) -> Simulation {
    let mut sim = system(scheme);
    let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    sim.build().fix_point(hook).unwrap();
    let weight = sim.build().add_point(5.0, 0.0, &[1.2, 0.0, -1.65]).unwrap();
    let kind = LineType { diameter: 0.02, mass_per_length: 0.5, ea: 2e3, ba: 20.0, ..LineType::default() };
    let kind = sim.elements().add_line_type(kind).unwrap();
    sim.elements().add_line(kind, hook, weight, 2.0, 3).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

fn read_line(sim: &Simulation) -> [Vec<f64>; 3] {
    let points = sim.points();
    let [x, v, vdot] = [points.position(1), points.velocity(1), points.acceleration(1)].map(|x| x.unwrap().to_vec());
    [x, v, vdot]
}

/// The double pendulum by linear analysis, which has no own `momentum-alpha`.
fn linear_pendulum(scheme: Scheme) -> Simulation {
    let mut sim = system(scheme);
    sim.settings().set_option("linear", 1.0).unwrap();
    pendulum_in(sim)
}

/// Errors over 0.64 s fall fourfold with half the step: order 2, up to the next term of the error,
/// which counts for less than a tenth of an order at the steps here. A scheme that takes a(n) =
/// vdot(n) at every other step has order 1; momentum-alpha has order 4 on the free body.
#[test]
fn schemes_that_start_at_every_other_step_are_of_second_order() {
    let models: [(&str, Model, Read, f64); 4] = [
        ("double pendulum", double_pendulum, read_pendulum, 4e-3),
        ("linear analysis", linear_pendulum, read_pendulum, 4e-3),
        ("spinning body", spinning_body, read_body, 8e-3),
        ("swinging line", swinging_line, read_line, 1e-3),
    ];
    for (what, model, read, longest) in models {
        // Without dissipation implicit schemes keep some of the waves that a line starts with.
        let reference = if what == "swinging line" { "rk4" } else { "momentum-alpha" };
        let mut exact = model((reference, "rho_inf", 1.0));
        run(&mut exact, Steps::Ratio(1.0), longest / 64.0, 0.64);
        let exact = read(&exact);
        for scheme in SCHEMES {
            for steps in [Steps::Ratio(1.0), Steps::Marked, Steps::Ratio(3.0), Steps::Ratio(10.0), Steps::Ratio(100.0)]
            {
                let errors = [1.0, 0.5, 0.25].map(|part| {
                    let mut sim = model(scheme);
                    run(&mut sim, steps, part * longest, 0.64);
                    let found = read(&sim);
                    [0, 1, 2].map(|k| found[k].iter().zip(&exact[k]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
                });
                let order = |k: usize| f64::log2(errors[1][k] / errors[2][k]);
                println!("{what} {scheme:?} {steps:?}: {:?}, {:.2?}", errors[2], [order(0), order(1), order(2)]);
                let claim = format!("{what} {scheme:?} {steps:?}: {errors:?}");
                assert!((0..3).all(|k| order(k) > 1.9), "{claim}");
            }
        }
    }
}

/// A body of 1 kg that slides at 2 m/s without gravity.
fn sliding(scheme: Scheme) -> Simulation {
    body_at(scheme, 0.0, SPEED)
}

/// The same at another place and speed.
fn body_at(scheme: Scheme, x: f64, speed: f64) -> Simulation {
    let mut sim = system(scheme);
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([x, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_body_velocity(body, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim
}

const SPEED: f64 = 2.0;

/// A damper of the host, with its matrix or without.
fn damper(c: f64, with_matrix: bool) -> BodyLoadFn {
    Arc::new(move |motion: &BodyMotion, load: &mut BodyLoad| {
        load.wrench[0] = -c * motion.velocity[0];
        load.damping[0] = if with_matrix { c } else { 0.0 };
        Ok(())
    })
}

fn x(sim: &Simulation) -> f64 {
    sim.outputs().body_pose(0).unwrap()[0]
}

/// A damper that stops a body in far less than a step, in a joint from the initial time on, or by a
/// callback from a mark on: with a(0) = vdot(0) = -c v/m the body went h^2 (1/2 - beta) c v/m, 99 m
/// with the stiffest one here. Damped accelerations are at most 3 v/h, and so at first are those at
/// the end of the step, so that the body goes no further than h v (1 + 3/2); behind that a falls by
/// a third per step at least in these schemes but at rho_inf 1, where it keeps to what two steps
/// cancel.
#[test]
fn a_stiff_damper_stops_a_body_within_a_step() {
    let h = 0.01;
    for (c, scheme) in [1e4, 1e6, 1e8].into_iter().flat_map(|c| SCHEMES.map(|scheme| (c, scheme))) {
        let mut jointed = sliding(scheme);
        let slide = (JointKind::Prismatic, Some(&[1.0, 0.0, 0.0]));
        let slide = jointed.build().add_joint_at(slide.0, GROUND, 0, &[0.0; 3], slide.1).unwrap();
        jointed.build().set_joint_spring(slide, 0.0, c, 0.0).unwrap();
        jointed.initialize(0.0).unwrap();
        let called = |with_matrix: bool| {
            let mut sim = sliding(scheme);
            sim.initialize(0.0).unwrap();
            (0..5).for_each(|_| sim.step(h).unwrap());
            sim.inputs().set_load_callback(0, Some(damper(c, with_matrix))).unwrap();
            sim.inputs().mark_discontinuity().unwrap();
            sim
        };
        let mut linear = sliding(scheme);
        linear.settings().set_option("linear", 1.0).unwrap();
        linear.elements().add_bushing(GROUND, 0, &ORIGIN, &ORIGIN, &[0.0; 36], &diagonal([c; 6])).unwrap();
        linear.initialize(0.0).unwrap();
        for (what, mut sim) in [
            ("joint", jointed),
            ("callback", called(true)),
            ("callback without matrix", called(false)),
            ("linear", linear),
        ] {
            let start = x(&sim);
            for step in 0..100 {
                sim.step(h).unwrap();
                let (gone, v) = (x(&sim) - start, sim.outputs().body_velocity(0, Frame::Inertial).unwrap()[0]);
                let claim = format!("{what} {scheme:?}, c {c:e}, step {step}: {gone} m, {v} m/s");
                assert!(gone > 0.0 && gone < 2.5 * h * SPEED, "{claim}");
                // What the damping of the start leaves is of the order of m/(c h).
                assert!(v.abs() < 4.0 * SPEED / (c * h), "{claim}");
            }
            assert!(sim.outputs().statistic("not_converged_steps").unwrap() == 0.0);
        }
    }
}

/// The accelerations that the host reads at a start are those of the forces, as stiff as they are.
#[test]
fn accelerations_at_a_stiff_start_are_told_as_they_are() {
    let mut sim = sliding(SCHEMES[2]);
    sim.inputs().set_load_callback(0, Some(damper(1e6, true))).unwrap();
    sim.initialize(0.0).unwrap();
    let told = sim.outputs().body_acceleration(0, Frame::Inertial).unwrap()[0];
    assert!((told + 1e6 * SPEED).abs() < 1e-12 * 1e6 * SPEED, "{told}");
}

/// A body displaced by 1 mm on a spring that steps of 10 ms do not resolve. With a(0) = vdot(0) its
/// energy rose to 4e10 times that of the spring at rho_inf 0, w h = 8e5. What the scheme holds
/// beside it, (h^2 d^2/8) m a^2 with d = alpha_f - alpha_m, is at most d/2 of it at the damped
/// start, and no energy is more than both.
#[test]
fn a_stiff_spring_out_of_balance_gains_nothing() {
    let (h, displaced) = (0.01, 1e-3);
    for scheme in SCHEMES {
        let d = match scheme.1 {
            "rho_inf" => (1.0 - scheme.2) / (1.0 + scheme.2),
            "hht_alpha" => -scheme.2,
            _ => 0.0,
        };
        for k in [1e3, 1e5, 1e7, 1e9] {
            let mut sim = body_at(scheme, displaced, 0.0);
            let stiffness = diagonal([k, 0.0, 0.0, 0.0, 0.0, 0.0]);
            sim.elements().add_bushing(GROUND, 0, &ORIGIN, &ORIGIN, &stiffness, &[0.0; 36]).unwrap();
            sim.initialize(0.0).unwrap();
            for step in 0..200 {
                sim.step(h).unwrap();
                let v = sim.outputs().body_velocity(0, Frame::Inertial).unwrap()[0];
                let energy = (v * v + k * x(&sim) * x(&sim)) / (k * displaced * displaced);
                // Rounding of 200 steps, 1/(beta (w h)^2) of the positions.
                assert!(energy < 1.0 + 0.5 * d + 1e-6, "{scheme:?}, k {k:e}, step {step}: {energy}");
            }
        }
    }
}

/// A four-bar linkage, whose crank turns at 3 rad/s, gets a stiff damper on its last hinge: the
/// loop stops within a step, and closes.
#[test]
fn a_stiff_damper_stops_a_loop_within_a_step() {
    let (h, rate) = (0.01, 3.0);
    for scheme in SCHEMES {
        let mut sim = system(scheme);
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        // A parallelogram of bars of 1 m: crank, coupler, rocker; each with the rate that it turns
        // at.
        let y = [0.0, 1.0, 0.0];
        let bars = [([0.0, 0.0, 0.5], rate), ([0.5, 0.0, 1.0], 0.0), ([1.0, 0.0, 0.5], rate)].map(|(at, turns)| {
            let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose(at, UNROTATED)).unwrap();
            sim.build().set_body_velocity(body, &[at[2] * rate, 0.0, 0.0, 0.0, turns, 0.0]).unwrap();
            body
        });
        let ends = [(GROUND, bars[0]), (bars[0], bars[1]), (bars[1], bars[2]), (GROUND, bars[2])];
        let places = [[0.0; 3], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]];
        let hinges: Vec<Id> = std::iter::zip(ends, places)
            .map(|((a, b), at)| sim.build().add_joint_at(JointKind::Revolute, a, b, &at, Some(&y)).unwrap())
            .collect();
        sim.build().set_joint_spring(hinges[3], 0.0, 1e7, 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        for step in 0..50 {
            sim.step(h).unwrap();
            let [angle, speed, ..] = sim.outputs().joint_coordinate(hinges[0]).unwrap();
            let claim = format!("{scheme:?}, step {step}: {angle} rad, {speed} rad/s");
            // As a body on a damper; accelerations that turn by so much leave a part of its square.
            let most = 2.5 * h * rate;
            assert!(angle.abs() < most && speed.abs() < rate * most * most, "{claim}");
        }
    }
}

/// A body that a stiff damper ties to a prescribed one follows it within a step where that jumps to
/// a speed.
#[test]
fn a_body_on_a_stiff_damper_follows_a_jump() {
    let h = 0.01;
    for (c, scheme) in [1e4, 1e6, 1e8].into_iter().flat_map(|c| SCHEMES.map(|scheme| (c, scheme))) {
        let mut sim = body_at(scheme, 0.0, 0.0);
        let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let carrier = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
        sim.build().set_body_prescribed(carrier, true).unwrap();
        sim.elements().add_bushing(carrier, 0, &ORIGIN, &ORIGIN, &[0.0; 36], &diagonal([c; 6])).unwrap();
        sim.initialize(0.0).unwrap();
        for step in 0..60i32 {
            let (speed, at) = if step < 5 { (0.0, 0.0) } else { (SPEED, SPEED * h * f64::from(step - 4)) };
            let velocity = [speed, 0.0, 0.0, 0.0, 0.0, 0.0];
            sim.inputs().set_body_motion(carrier, &pose([at, 0.0, 0.0], UNROTATED), &velocity, &[0.0; 6]).unwrap();
            sim.step(h).unwrap();
            let (behind, v) = (at - x(&sim), sim.outputs().body_velocity(0, Frame::Inertial).unwrap()[0]);
            // As a body that the damper stops, seen from the carrier.
            let claim = format!("{scheme:?}, c {c:e}, step {step}: {behind} m, {v} m/s");
            assert!(behind.abs() < 2.5 * h * SPEED && (v - speed).abs() < 4.0 * SPEED / (c * h), "{claim}");
        }
    }
}
