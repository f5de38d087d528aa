//! Steps whose length changes from one to the next: the order stays, in positions, velocities and reactions, and nothing grows.
//!
//! References: the damped oscillator by its formula, the pendulum by its equation in the angle, the heavy top by Euler's
//! equations in body axes, both with Runge-Kutta 4 at steps far shorter than those of the library.

mod common;

use common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const G: f64 = 9.81;
/// Of the pendulum: mass 1, length 1, moment of inertia about its centre.
const INERTIA: f64 = 0.1;
const J_O: f64 = INERTIA + 1.0;

/// Numbers in [-1, 1), the same in every run (Knuth's 64-bit linear congruence).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// How the steps vary.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// 1 % longer and shorter in turn.
    Alternating,
    /// Up to 20 % longer or shorter.
    Random,
}

/// So many step lengths that add up to `end`.
fn lengths(steps: Steps, end: f64, count: usize) -> Vec<f64> {
    let mut random = Random(7);
    let relative: Vec<f64> = (0..count)
        .map(|n| match steps {
            Steps::Alternating => 1.0 + if n % 2 == 0 { 0.01 } else { -0.01 },
            Steps::Random => 1.0 + 0.2 * random.next(),
        })
        .collect();
    let sum: f64 = relative.iter().sum();
    relative.iter().map(|x| x * end / sum).collect()
}

/// A scheme and its option: rho_inf, or hht_alpha.
type Scheme = (&'static str, &'static str, f64);

const SCHEMES: [Scheme; 8] = [
    ("generalized-alpha", "rho_inf", 0.0),
    ("generalized-alpha", "rho_inf", 0.3),
    ("generalized-alpha", "rho_inf", 0.8),
    ("generalized-alpha", "rho_inf", 1.0),
    ("hht", "hht_alpha", -0.3),
    ("hht", "hht_alpha", -0.1),
    ("hht", "hht_alpha", 0.0),
    ("newmark", "newmark_gamma", 0.5),
];

fn system(scheme: Scheme) -> Simulation {
    let mut sim = Simulation::new();
    sim.set_scheme(scheme.0).unwrap();
    for (key, value) in [(scheme.1, scheme.2), ("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)] {
        sim.set_option(key, value).unwrap();
    }
    sim
}

const J: [f64; 6] = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];

/// Released horizontally at x = 1; phi from there, positive downwards.
fn pendulum(scheme: Scheme, kind: JointKind) -> (Simulation, Id, Id) {
    let mut sim = system(scheme);
    sim.set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body = sim.add_rigid_body(1.0, &[0.0; 3], &J, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let axis = if kind == JointKind::Revolute { Some(&[0.0, 1.0, 0.0]) } else { None };
    let joint = sim.add_joint_at(kind, GROUND, body, &[0.0; 3], axis).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body, joint)
}

/// Largest errors of position, velocity and reaction (of 30 N) over a run of 2 s.
fn pendulum_errors(scheme: Scheme, kind: JointKind, steps: Steps, count: usize) -> [f64; 3] {
    let (mut sim, body, joint) = pendulum(scheme, kind);
    let mut y = vec![0.0, 0.0];
    let mut rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = G / J_O * y[0].cos();
    };
    let mut worst = [0.0f64; 3];
    for h in lengths(steps, 2.0, count) {
        // 20 steps of Runge-Kutta each: (w h/20)^4/100 = 1e-10 at w h = 0.2, far below the errors here
        (0..20).for_each(|k| rk4_step(&mut rate, k as f64, h / 20.0, &mut y));
        sim.step(h).unwrap();
        let (s, c) = y[0].sin_cos();
        let p = sim.body_pose(body).unwrap();
        let v = sim.body_velocity(body, Frame::Inertial).unwrap();
        let r = sim.joint_reaction(joint, Frame::Inertial).unwrap();
        let second = G / J_O * c;
        let force = [-second * s - y[1] * y[1] * c, 0.0, G - second * c + y[1] * y[1] * s];
        let error = [distance(place(&p), [c, 0.0, -s]), (v[4] - y[1]).abs(), distance([r[0], r[1], r[2]], force)];
        (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
    }
    worst
}

/// Orders between the first and the last of the errors at doubled numbers of steps.
fn least_orders(errors: &[[f64; 3]]) -> [f64; 3] {
    let doublings = (errors.len() - 1) as f64;
    std::array::from_fn(|k| (errors[0][k] / errors[errors.len() - 1][k]).log2() / doublings)
}

#[test]
fn pendulum_is_of_second_order_with_its_reaction() {
    for kind in [JointKind::Revolute, JointKind::Spherical] {
        for steps in [Steps::Alternating, Steps::Random] {
            for scheme in SCHEMES {
                let errors = [100, 200, 400, 800].map(|count| pendulum_errors(scheme, kind, steps, count));
                let [q, v, r] = least_orders(&errors);
                println!("{scheme:?} {kind:?} {steps:?} {q:.2} {v:.2} {r:.2} {:?}", errors[3]);
            }
        }
    }
}
