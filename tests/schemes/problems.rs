//! Problems with independent solutions, and the measurement of orders from the errors at the end of
//! runs.
//!
//! Solutions: Runge-Kutta 4 on Newton-Euler or minimal equations, 4e4 steps to the end: with at
//! most 12 rad turned, (3e-4)^4/120 per radian, 1e-15; rounding is larger.

use crate::common::models::heavy_top;
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

/// Steps of the references.
const FINE: usize = 40_000;

/// A model, its inputs, and its exact final state.
pub struct Problem {
    pub name: &'static str,
    pub end: f64,
    /// The model before `initialize`; errors are those of its last body.
    pub build: fn() -> Simulation,
    /// Sets the inputs for a time.
    pub inputs: fn(&mut Simulation, f64),
    /// Pose and velocity at the end, inertial axes.
    pub exact: ([f64; 7], [f64; 6]),
    /// Units of lengths and of rates.
    pub units: [f64; 2],
    /// Fewest steps for orders 1 to 5.
    pub fewest: [usize; 5],
}

/// Errors of position, rotation, velocity, angular velocity in the problem's units.
pub fn errors(problem: &Problem, scheme: &str, options: &[(&str, f64)], steps: usize) -> [f64; 4] {
    let mut sim = (problem.build)();
    sim.settings().set_scheme(scheme).unwrap();
    let tight = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11), ("max_iterations", 60.0), ("max_time_step", 1e9)];
    for (key, value) in tight.iter().chain(options) {
        sim.settings().set_option(key, *value).unwrap();
    }
    (problem.inputs)(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    let h = problem.end / steps as f64;
    for n in 1..=steps {
        (problem.inputs)(&mut sim, n as f64 * h);
        sim.step(h).unwrap_or_else(|e| panic!("{}, {scheme}, {steps} steps, step {n}: {e}", problem.name));
    }
    let body = sim.description().count(pintle::EntityKind::Body) - 1;
    let (p, (v, w)) =
        (sim.outputs().body_pose(body).unwrap(), halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()));
    let (exact_v, exact_w) = halves(problem.exact.1);
    let [length, rate] = problem.units;
    [
        distance(place(&p), place(&problem.exact.0)) / length,
        angle_between(turn(&p), turn(&problem.exact.0)),
        distance(v, exact_v) / (length * rate),
        distance(w, exact_w) / rate,
    ]
}

/// Below this an error is rounding: some 1e3 steps of a few eps.
const ROUNDING: f64 = 2e-12;

/// Describes a wrong order at the finest two of four steps: that of the norm of all errors must be
/// met within 0.1, and no component may have a lower one.
pub fn order_fault(problem: &Problem, scheme: &str, options: &[(&str, f64)], order: usize) -> Option<String> {
    let fewest = problem.fewest[order - 1];
    let runs = [1, 2, 4, 8].map(|k| errors(problem, scheme, options, k * fewest));
    let total = runs.map(|e| e.iter().map(|e| e * e).sum::<f64>().sqrt());
    let orders: Vec<f64> = total.windows(2).map(|e| (e[0] / e[1]).log2()).collect();
    let parts: [f64; 4] = std::array::from_fn(|k| (runs[2][k] / runs[3][k]).log2());
    let shown = total.map(|e| format!("{e:.2e}")).join(" ");
    let claim = format!(
        "{}, {scheme} {options:?}: from {fewest} steps on errors {shown}, orders {orders:.3?}; of x, q, v, omega {parts:.2?}",
        problem.name
    );
    println!("{claim}");
    if !(total[3] > ROUNDING && total[0] < 0.3) {
        return Some(format!("{claim}: out of the range of an order"));
    }
    if (orders[2] - order as f64).abs() > 0.1 {
        return Some(format!("{claim}: {order} expected"));
    }
    let behind = (0..4).any(|k| runs[3][k] > ROUNDING && parts[k] < order as f64 - 0.15);
    behind.then(|| format!("{claim}: a component falls behind {order}"))
}

/// A scheme, its options, the order that it must show.
pub type Claimed = (&'static str, &'static [(&'static str, f64)], usize);

/// Asserts orders of many schemes; the message lists all faults.
#[track_caller]
pub fn assert_orders(problem: &Problem, cases: &[Claimed]) {
    let faults: Vec<String> = cases.iter().filter_map(|(s, options, p)| order_fault(problem, s, options, *p)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every family, with one substep and with several.
pub const SCHEMES: [(&str, usize); 26] = [
    ("generalized-alpha", 2),
    ("momentum-alpha", 2),
    ("newmark", 2),
    ("hht", 2),
    ("euler", 1),
    ("leuler", 1),
    ("heun", 2),
    ("rk2", 2),
    ("rk3", 3),
    ("rk4", 4),
    ("ab2", 2),
    ("ab3", 3),
    ("ab4", 4),
    ("ab5", 5),
    ("lab2", 2),
    ("lab3", 3),
    ("lab4", 4),
    ("lab5", 5),
    ("beuler1", 1),
    ("beuler5", 1),
    ("midpoint1", 2),
    ("midpoint5", 2),
    ("anderson5", 1),
    ("aca1", 2),
    ("aca3", 2),
    ("wilson3", 2),
];

/// The last state of a reference.
pub fn last(rate: impl FnMut(f64, &[f64], &mut [f64]), y0: &[f64], end: f64) -> Vec<f64> {
    rk4_samples(rate, y0, end, 1, FINE).pop().unwrap()
}

/// Pose and inertial velocity of a reference body.
pub fn ends_at(y: &[f64]) -> ([f64; 7], [f64; 6]) {
    let q = orientation(y);
    (pose(position(y), q), join(rotate(q, linear(y)), rotate(q, angular(y))))
}

/// Pose and velocity of a body that turns about a fixed axis through `pivot` by phi from where its
/// centre is at `arm`.
pub fn swung(pivot: V3, arm: V3, axis: V3, phi: f64, rate: f64, pivot_velocity: V3) -> ([f64; 7], [f64; 6]) {
    let q = quat_exp(scale(phi, axis));
    let (r, w) = (rotate(q, arm), scale(rate, axis));
    (pose(add(pivot, r), q), join(add(pivot_velocity, cross(w, r)), w))
}

pub fn no_inputs(_: &mut Simulation, _: f64) {}

// ---- linear oscillator --------------------------------------------------------------------------------------------------

const OMEGA_0: f64 = 6.5;
const ZETA: f64 = 0.1;

pub fn linear_oscillator() -> Problem {
    let end = 1.37;
    let damped = OMEGA_0 * f64::sqrt(1.0 - ZETA * ZETA);
    let (x0, v0): (f64, f64) = (1.0, 2.0);
    let (s, c) = (damped * end).sin_cos();
    let decay = (-ZETA * OMEGA_0 * end).exp();
    let b = (v0 + ZETA * OMEGA_0 * x0) / damped;
    let x = decay * (x0 * c + b * s);
    let v = -ZETA * OMEGA_0 * x + decay * damped * (b * c - x0 * s);
    Problem {
        name: "oscillator",
        end,
        build: || {
            let mut sim = Simulation::new();
            let at = pose([1.0, 0.0, 0.0], UNROTATED);
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
            sim.build().set_body_velocity(body, &[2.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            let only = |k: f64| diagonal([k, 0.0, 0.0, 0.0, 0.0, 0.0]);
            let c = only(2.0 * ZETA * OMEGA_0);
            sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &only(OMEGA_0 * OMEGA_0), &c).unwrap();
            sim
        },
        inputs: no_inputs,
        exact: (pose([x, 0.0, 0.0], UNROTATED), [v, 0.0, 0.0, 0.0, 0.0, 0.0]),
        units: [1.0, OMEGA_0],
        fewest: [1000, 100, 80, 50, 100],
    }
}

// ---- heavy top ----------------------------------------------------------------------------------------------------------

pub fn heavy_top() -> Problem {
    let end = 0.065;
    let (q, w) = heavy_top::attitude(&last(heavy_top::rate, &heavy_top::START, end));
    let com = heavy_top::COM;
    let exact = (pose(rotate(q, com), q), join(rotate(q, cross(w, com)), rotate(q, w)));
    Problem {
        name: "heavy top",
        end,
        build: || heavy_top::top().0,
        inputs: no_inputs,
        exact,
        // with odd methods the angle about the spin axis converges one order faster: lengths must
        // outweigh it
        units: [0.01, 5.0],
        fewest: [4000, 400, 160, 100, 60],
    }
}

// ---- compound pendulum --------------------------------------------------------------------------------------------------

/// Mass 2, inertia 0.3 about every axis, centre at 0.8 below the joint, released at 2.4 rad with
/// 1.1 rad/s: nearly upright. With a spring and a damper at the joint where k or c is not zero.
fn pendulum_rate(k: f64, c: f64) -> impl Fn(f64, &[f64], &mut [f64]) {
    move |_, y, dy| {
        dy[0] = y[1];
        dy[1] = (-2.0 * 9.81 * 0.8 * y[0].sin() - k * (y[0] - 2.0) - c * y[1]) / (0.3 + 2.0 * 0.64);
    }
}

fn pendulum_model(spring: Option<(f64, f64)>) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let (at, v) = swung([0.0; 3], [0.0, 0.0, -0.8], [0.0, 1.0, 0.0], 2.4, 1.1, [0.0; 3]);
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.3, 0.3, 0.3, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().set_body_velocity(body, &v).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    if let Some((k, c)) = spring {
        // the coordinate is zero where the pendulum starts: 2.0 rad lie at -0.4
        sim.build().set_joint_spring(joint, k, c, -0.4).unwrap();
    }
    sim
}

fn pendulum_problem(name: &'static str, end: f64, spring: (f64, f64), build: fn() -> Simulation) -> Problem {
    let y = last(pendulum_rate(spring.0, spring.1), &[2.4, 1.1], end);
    let exact = swung([0.0; 3], [0.0, 0.0, -0.8], [0.0, 1.0, 0.0], y[0], y[1], [0.0; 3]);
    Problem { name, end, build, inputs: no_inputs, exact, units: [0.8, 4.0], fewest: [4000, 200, 200, 120, 200] }
}

pub fn pendulum() -> Problem {
    pendulum_problem("pendulum", 1.4, (0.0, 0.0), || pendulum_model(None))
}

pub fn pendulum_on_a_joint_spring() -> Problem {
    pendulum_problem("joint spring", 1.25, (20.0, 1.5), || pendulum_model(Some((20.0, 1.5))))
}

// ---- platform on a bushing ----------------------------------------------------------------------------------------------

pub const BODY_MASS: f64 = 3.0;
pub const BODY_COM: V3 = [0.1, -0.2, 0.15];
pub const BODY_INERTIA: V3 = [0.5, 0.7, 0.9];
const SEAT: V3 = [0.2, 0.1, -0.3];
pub const BODY_VELOCITY: [f64; 6] = [0.8, -0.5, 0.6, 2.4, 1.9, -2.1];

pub fn body_start() -> [f64; 7] {
    pose([1.0, -2.0, 0.5], unit([0.7, 0.3, -0.5, 0.4]))
}

/// A full matrix, diagonally dominant, unsymmetric.
pub fn full(diagonal: [f64; 6], off: f64) -> M6 {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let beside = [0.6, -0.4, 0.3, -0.2, 0.5][(i + 2 * j) % 5] * off;
            if i == j { diagonal[i] } else { beside }
        })
    })
}

fn stiffness() -> M6 {
    full([60.0, 80.0, 100.0, 20.0, 25.0, 30.0], 5.0)
}

fn damping() -> M6 {
    full([1.5, 2.0, 1.0, 0.5, 0.4, 0.6], 0.2)
}

/// Where the bushing holds, on the ground.
fn anchor() -> [f64; 7] {
    pose([0.9, -1.8, 0.3], unit([0.2, 0.8, 0.3, -0.4]))
}

/// Orientation of the seat in body axes.
fn seat() -> [f64; 7] {
    pose(SEAT, unit([0.9, 0.1, 0.5, 0.2]))
}

/// A frame that moves: pose, velocity of its origin, angular velocity.
pub struct Moving {
    pub at: [f64; 7],
    pub v: V3,
    pub w: V3,
}

/// Wrench of the bushing (docs/theory.md) on a reference body about its reference point, body axes:
/// -K (A^T e, log(A^T B)) - C (A^T (e' - w_a x e), A^T (w_b - w_a)) at the origin of b.
pub fn bushing_wrench(frame: &Moving, y: &[f64]) -> [f64; 6] {
    let (q, a) = (orientation(y), turn(&frame.at));
    let arm = rotate(q, SEAT);
    let e = sub(add(position(y), arm), place(&frame.at));
    let w = rotate(q, angular(y));
    let v = add(rotate(q, linear(y)), cross(w, arm));
    let rate = sub(sub(v, frame.v), cross(frame.w, e));
    let turned = rotation_vector(quat_mul(conjugate(a), quat_mul(q, turn(&seat()))));
    let elastic = mul6(&stiffness(), &join(unrotate(a, e), turned));
    let viscous = mul6(&damping(), &join(unrotate(a, rate), unrotate(a, sub(w, frame.w))));
    let (f, m) = halves(std::array::from_fn(|k| -elastic[k] - viscous[k]));
    let (f, m) = (rotate(a, f), rotate(a, m));
    join(unrotate(q, f), unrotate(q, add(m, cross(arm, f))))
}

/// A body before anything acts on it.
pub fn free_model() -> (Simulation, Id) {
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(BODY_MASS, &BODY_COM, &six(&diag(BODY_INERTIA)), &body_start()).unwrap();
    sim.build().set_body_velocity(body, &BODY_VELOCITY).unwrap();
    (sim, body)
}

/// Hangs a body on another, or on the ground, by the bushing.
pub fn hang(sim: &mut Simulation, from: Id, at: &[f64; 7], body: Id) {
    sim.elements().add_bushing(from, body, at, &seat(), &columns(&stiffness()), &columns(&damping())).unwrap();
}

pub fn platform() -> Problem {
    let end = 1.3;
    let mass = mass_matrix(BODY_MASS, BODY_COM, diag(BODY_INERTIA));
    let frame = Moving { at: anchor(), v: [0.0; 3], w: [0.0; 3] };
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, bushing_wrench(&frame, y), dy);
    let exact = ends_at(&last(rate, &body_state(&body_start(), &BODY_VELOCITY), end));
    // rotations are large: the platform turns by more than 0.5 rad
    assert!(angle_between(turn(&exact.0), turn(&body_start())) > 0.5);
    Problem {
        name: "platform",
        end,
        build: || {
            let (mut sim, body) = free_model();
            hang(&mut sim, GROUND, &anchor(), body);
            sim
        },
        inputs: no_inputs,
        exact,
        units: [1.0, 6.0],
        fewest: [1500, 150, 120, 150, 200],
    }
}
