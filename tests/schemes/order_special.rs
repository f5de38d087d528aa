//! Orders where forces depend on velocities, where masses are added, where the host moves things,
//! and where loads vary.

use crate::common::*;
use crate::problems::*;
use pintle::{Frame, GROUND, JointKind, Simulation};
use std::sync::Arc;

fn all() -> Vec<Claimed> {
    SCHEMES.map(|(scheme, order)| (scheme, &[][..], order)).to_vec()
}

fn sum(a: &M6, b: &M6) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + b[i][j]))
}

fn symmetric(size: f64) -> M6 {
    let d = [1.0, 1.4, 0.8, 0.5, 0.7, 0.6];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| size * if i == j { d[i] } else { [0.06, -0.04, 0.05, -0.08, 0.03][(i + j) % 5] })
    })
}

fn body_mass() -> M6 {
    mass_matrix(BODY_MASS, BODY_COM, diag(BODY_INERTIA))
}

// ---- fluid --------------------------------------------------------------------------------------------------------------

fn linear_damping() -> M6 {
    full([4.0, 5.0, 3.0, 1.5, 1.2, 1.8], 1.0)
}

/// -C v - D |v| v with rows of the reference body's own velocity, body axes.
fn drag(y: &[f64]) -> [f64; 6] {
    let v = join(linear(y), angular(y));
    let (c, d) = (mul6(&linear_damping(), &v), mul6(&symmetric(3.0), &v.map(|v| v * v.abs())));
    std::array::from_fn(|k| -c[k] - d[k])
}

/// Velocity at the start, body axes: all components far from zero.
const OWN: [f64; 6] = [1.5, -1.3, 1.4, 0.9, -0.8, 1.0];

fn wet_start() -> [f64; BODY] {
    let (v, w) = halves(OWN);
    let q = turn(&body_start());
    body_state(&body_start(), &join(rotate(q, v), rotate(q, w)))
}

fn with_drag(added: Frame) -> Simulation {
    let (mut sim, body) = free_model();
    sim.build().set_body_velocity(body, &ends_at(&wet_start()).1).unwrap();
    sim.settings().set_linear_damping(body, &columns(&linear_damping()), Frame::Body).unwrap();
    sim.settings().set_quadratic_drag(body, &columns(&symmetric(3.0)), Frame::Body).unwrap();
    sim.settings().set_added_mass(body, &columns(&symmetric(1.5)), added).unwrap();
    sim
}

fn fluid(name: &'static str, build: fn() -> Simulation, rate: impl FnMut(f64, &[f64], &mut [f64])) -> Problem {
    let end = 0.5;
    let exact = ends_at(&last(rate, &wet_start(), end));
    // the end lies before any component changes sign, where |v| v has no second derivative
    Problem { name, end, build, inputs: no_inputs, exact, units: [1.0, 3.0], fewest: [300, 30, 20, 20, 28] }
}

#[test]
fn orders_with_drag_and_added_mass_in_body_axes() {
    let mass = sum(&body_mass(), &symmetric(1.5));
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, drag(y), dy);
    // no component of the velocity changes sign before the end
    let samples = rk4_samples(rate, &wet_start(), 0.01, 50, 20);
    assert!((7..13).all(|k| samples.iter().all(|y| y[k] * samples[0][k] > 0.0)), "{:?}", samples.last());
    assert_orders(&fluid("drag, added mass in body axes", || with_drag(Frame::Body), rate), &all());
}

#[test]
fn orders_with_drag_and_added_mass_in_inertial_axes() {
    // in body axes: M V' + gyroscopic terms + A_b (V' + (w x v, 0)) = wrench, A_b = R^T A R at the
    // present orientation; the inertial acceleration in body axes is (v' + w x v, w')
    let mass = body_mass();
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        let r = dcm(orientation(y));
        let turned = |i: usize, j: usize| if i / 3 == j / 3 { r[i % 3][j % 3] } else { 0.0 };
        let a = symmetric(1.5);
        let added: M6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                (0..6)
                    .flat_map(|k| (0..6).map(move |l| (k, l)))
                    .map(|(k, l)| turned(k, i) * a[k][l] * turned(l, j))
                    .sum()
            })
        });
        let (v, w) = (linear(y), angular(y));
        let (p, l) = halves(mul6(&mass, &join(v, w)));
        let bias = mul6(&added, &join(cross(w, v), [0.0; 3]));
        let gyro = join(cross(w, p), add(cross(w, l), cross(v, p)));
        let wrench = drag(y);
        let right = (0..6).map(|k| wrench[k] - gyro[k] - bias[k]).collect();
        kinematics(y, dy);
        dy[7..13].copy_from_slice(&solve(sum(&mass, &added).iter().map(|r| r.to_vec()).collect(), right));
    };
    let samples = rk4_samples(rate, &wet_start(), 0.01, 50, 20);
    assert!((7..13).all(|k| samples.iter().all(|y| y[k] * samples[0][k] > 0.0)), "{:?}", samples.last());
    assert_orders(&fluid("drag, added mass in inertial axes", || with_drag(Frame::Inertial), rate), &all());
}

// ---- load callback ------------------------------------------------------------------------------------------------------

/// A force that depends on time, place, velocity and angular velocity, inertial.
fn wind(t: f64, x: V3, v: V3, w: V3) -> [f64; 6] {
    let field = [0.7, -1.1, 0.9];
    let force = add(add(scale(4.0, cross(field, v)), scale(-0.8 * norm(v), v)), scale(-9.0, x));
    let moment = add(scale(-0.9, w), scale(0.8, cross(field, w)));
    join(add(force, [6.0 * (5.0 * t).sin(), 0.0, 3.0 * (4.0 * t).cos()]), add(moment, [0.0, (3.0 * t).cos(), 0.0]))
}

#[test]
fn orders_with_a_callback_of_velocity_and_time() {
    let end = 1.1;
    let mass = body_mass();
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        let q = orientation(y);
        let (f, m) = halves(wind(t, position(y), rotate(q, linear(y)), rotate(q, angular(y))));
        kirchhoff_rate(&mass, y, join(unrotate(q, f), unrotate(q, m)), dy);
    };
    let problem = Problem {
        name: "callback",
        end,
        build: || {
            let (mut sim, body) = free_model();
            let load = |motion: &pintle::BodyMotion, load: &mut pintle::BodyLoad| {
                let (v, w) = halves(motion.velocity);
                load.wrench = wind(motion.time, place(&motion.pose), v, w);
                Ok(())
            };
            sim.inputs().set_load_callback(body, Some(Arc::new(load))).unwrap();
            sim
        },
        inputs: no_inputs,
        exact: ends_at(&last(rate, &body_state(&body_start(), &BODY_VELOCITY), end)),
        units: [1.0, 4.0],
        fewest: [1000, 100, 60, 50, 100],
    };
    assert_orders(&problem, &all());
}

// ---- what the host moves ------------------------------------------------------------------------------------------------

/// Angle of the driven arm, its rate and second rate.
fn drive(t: f64) -> [f64; 3] {
    let (s, c) = (3.0 * t).sin_cos();
    [0.6 * s + 0.4 * t * t, 1.8 * c + 0.8 * t, -5.4 * s + 0.8]
}

const Y: V3 = [0.0, 1.0, 0.0];
const ARM: V3 = [0.5, 0.0, 0.0];
const HANGING: V3 = [0.0, 0.0, -0.4];
/// Mass and inertia of the pendulum.
const HUNG: [f64; 2] = [2.0, 0.2];

fn pivot(t: f64) -> [V3; 3] {
    let [angle, rate, second] = drive(t);
    let r = rotate(quat_exp(scale(angle, Y)), ARM);
    let w = scale(rate, Y);
    [r, cross(w, r), add(cross(scale(second, Y), r), cross(w, cross(w, r)))]
}

#[test]
fn orders_with_a_driven_joint_and_a_pendulum_on_it() {
    // (J + m r^2) phi'' y = r x m (g - a_pivot), r = R(phi) (0, 0, -l)
    let end = 1.2;
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        let r = rotate(quat_exp(scale(y[0], Y)), HANGING);
        let moment = cross(r, scale(HUNG[0], sub([0.0, 0.0, -9.81], pivot(t)[2])));
        (dy[0], dy[1]) = (y[1], moment[1] / (HUNG[1] + HUNG[0] * dot(HANGING, HANGING)));
    };
    let y = last(rate, &[0.7, -1.0], end);
    let [p, v, _] = pivot(end);
    let problem = Problem {
        name: "driven joint",
        end,
        build: || {
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
            let j = |j: f64| [j, j, j, 0.0, 0.0, 0.0];
            let (at, v) = swung([0.0; 3], ARM, Y, 0.0, drive(0.0)[1], [0.0; 3]);
            let arm = sim.build().add_rigid_body(1.0, &[0.0; 3], &j(0.1), &at).unwrap();
            sim.build().set_body_velocity(arm, &v).unwrap();
            let (at, v) = swung(ARM, HANGING, Y, 0.7, -1.0, pivot(0.0)[1]);
            let hung = sim.build().add_rigid_body(HUNG[0], &[0.0; 3], &j(HUNG[1]), &at).unwrap();
            sim.build().set_body_velocity(hung, &v).unwrap();
            let driven = sim.build().add_joint_at(JointKind::Revolute, GROUND, arm, &[0.0; 3], Some(&Y)).unwrap();
            sim.build().set_joint_driven(driven, true).unwrap();
            sim.build().add_joint_at(JointKind::Revolute, arm, hung, &ARM, Some(&Y)).unwrap();
            sim
        },
        inputs: |sim, t| {
            let [q, qd, qdd] = drive(t);
            sim.inputs().set_joint_motion(0, q, qd, qdd).unwrap();
        },
        exact: swung(p, HANGING, Y, y[0], y[1], v),
        units: [0.4, 5.0],
        fewest: [2000, 120, 100, 80, 120],
    };
    assert_orders(&problem, &all());
}

/// Pose, velocity, acceleration of the prescribed body: it turns about one axis and moves along
/// curves.
fn carrier(t: f64) -> ([f64; 7], [f64; 6], [f64; 6]) {
    let axis = scale(1.0 / norm([0.3, 0.8, -0.5]), [0.3, 0.8, -0.5]);
    let (s, c) = (2.5 * t).sin_cos();
    let q = quat_mul(quat_exp(scale(0.5 * s, axis)), unit([0.9, 0.1, 0.3, -0.2]));
    let x = [0.9 + 0.4 * s, -1.8 + 0.3 * c, 0.3 + 0.2 * t * t];
    let v = [1.0 * c, -0.75 * s, 0.4 * t];
    let a = [-2.5 * s, -1.875 * c, 0.4];
    (pose(x, q), join(v, scale(1.25 * c, axis)), join(a, scale(-3.125 * s, axis)))
}

#[test]
fn orders_with_a_prescribed_body() {
    let end = 1.1;
    let mass = body_mass();
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        let (at, velocity, _) = carrier(t);
        let (v, w) = halves(velocity);
        kirchhoff_rate(&mass, y, bushing_wrench(&Moving { at, v, w }, y), dy);
    };
    let problem = Problem {
        name: "prescribed body",
        end,
        build: || {
            let mut sim = Simulation::new();
            let (at, v, _) = carrier(0.0);
            let moved = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
            sim.build().set_body_velocity(moved, &v).unwrap();
            sim.build().set_body_prescribed(moved, true).unwrap();
            let inertia = six(&diag(BODY_INERTIA));
            let body = sim.build().add_rigid_body(BODY_MASS, &BODY_COM, &inertia, &body_start()).unwrap();
            sim.build().set_body_velocity(body, &BODY_VELOCITY).unwrap();
            hang(&mut sim, moved, &ORIGIN, body);
            sim
        },
        inputs: |sim, t| {
            let (at, v, a) = carrier(t);
            sim.inputs().set_body_motion(0, &at, &v, &a).unwrap();
        },
        exact: ends_at(&last(rate, &body_state(&body_start(), &BODY_VELOCITY), end)),
        units: [1.0, 6.0],
        fewest: [1500, 150, 120, 100, 160],
    };
    assert_orders(&problem, &all());
}

#[test]
fn orders_with_a_spring_at_the_joint() {
    assert_orders(&pendulum_on_a_joint_spring(), &all());
}

// ---- loads of the host --------------------------------------------------------------------------------------------------

fn load(t: f64) -> [f64; 6] {
    let (s, c) = (6.0 * t).sin_cos();
    [20.0 * s, 10.0 * c, 15.0 * s * c, 2.0 * c, -3.0 * s, 1.0 + s]
}

fn loaded() -> Problem {
    let end = 1.1;
    let mass = body_mass();
    let frame = Moving { at: carrier(0.0).0, v: [0.0; 3], w: [0.0; 3] };
    let rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        let q = orientation(y);
        let (f, m) = halves(load(t));
        let wrench = bushing_wrench(&frame, y);
        let own = join(unrotate(q, f), unrotate(q, m));
        kirchhoff_rate(&mass, y, std::array::from_fn(|k| wrench[k] + own[k]), dy);
    };
    Problem {
        name: "varying load",
        end,
        build: || {
            let (mut sim, body) = free_model();
            hang(&mut sim, GROUND, &carrier(0.0).0, body);
            sim
        },
        inputs: |sim, t| sim.inputs().set_body_load(0, Frame::Inertial, &load(t)).unwrap(),
        exact: ends_at(&last(rate, &body_state(&body_start(), &BODY_VELOCITY), end)),
        units: [1.0, 6.0],
        fewest: [1500, 150, 120, 100, 160],
    }
}

const LINEAR: &[(&str, f64)] = &[("input_order", 1.0)];

#[test]
fn orders_with_loads_that_go_linearly_between_host_steps() {
    // The line between two values is h^2/8 F'' off in the middle: stages there see it, so
    // Runge-Kutta methods are of order 2 at most. Multistep methods take the loads at the ends of
    // steps only; their start is p - 1 Runge-Kutta steps, each off by h x h^2: order 3 at most.
    let mut cases = SCHEMES.map(|(scheme, order)| (scheme, LINEAR, order.min(2))).to_vec();
    let multistep = |scheme: &str| ["ab3", "ab4", "ab5"].contains(&scheme.trim_start_matches('l'));
    cases.retain(|(scheme, ..)| !multistep(scheme));
    cases.extend([("ab3", LINEAR, 3), ("lab3", LINEAR, 3)]);
    let problem = Problem { fewest: [1500, 300, 120, 0, 0], ..loaded() };
    assert_orders(&problem, &cases);
    // what ab4 and ab5 lose in two or three steps fades with the damping, the rest is of order 4
    // and 5: 3 at least
    for scheme in ["ab4", "ab5", "lab4", "lab5"] {
        let [coarse, fine] = [300, 600].map(|n| errors(&problem, scheme, LINEAR, n)[0]);
        assert!((coarse / fine).log2() > 2.9, "{scheme}: {coarse:e} {fine:e}");
        let middle = errors(&problem, "rk4", LINEAR, 600)[0];
        assert!(fine < 0.1 * middle, "{scheme}: {fine:e}, rk4 {middle:e}");
    }
}

#[test]
fn orders_with_held_loads() {
    // inputs are held over a step: order 1, except for the Newmark family, which uses them at the
    // end only
    let cases = SCHEMES.map(|(scheme, order)| {
        let newmark = ["generalized-alpha", "momentum-alpha", "newmark", "hht"].contains(&scheme);
        (scheme, &[][..], if newmark { 2 } else { order.min(1) })
    });
    assert_orders(&loaded(), &cases);
}
