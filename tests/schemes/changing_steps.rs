//! Steps whose length changes from one to the next: the order of positions, velocities and
//! reactions is kept, and no error grows.
//!
//! References: the damped oscillator by its formula, the pendulum by its equation in the angle, the
//! heavy top by Euler's equations in body axes, both with Runge-Kutta 4 at steps far shorter than
//! those of the library.

use crate::common::models::heavy_top;
use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const G: f64 = 9.81;
/// Of the pendulum: mass 1, length 1, moment of inertia about its centre.
const INERTIA: f64 = 0.1;
const J_O: f64 = INERTIA + 1.0;

/// The pattern of step lengths.
#[derive(Clone, Copy, Debug)]
enum Steps {
    /// 1 % longer and shorter in turn.
    Alternating,
    /// Up to 20 % longer or shorter.
    Random,
}

/// `count` step lengths whose sum is `end`.
fn lengths(steps: Steps, end: f64, count: usize) -> Vec<f64> {
    let mut random = Random(7);
    let relative: Vec<f64> = (0..count)
        .map(|n| match steps {
            Steps::Alternating => 1.0 + if n % 2 == 0 { 0.01 } else { -0.01 },
            Steps::Random => 1.0 + 0.2 * random.signed(),
        })
        .collect();
    let sum: f64 = relative.iter().sum();
    relative.iter().map(|x| x * end / sum).collect()
}

/// A scheme and its option: rho_inf, or hht_alpha.
type Scheme = (&'static str, &'static str, f64);

const SCHEMES: [Scheme; 10] = [
    ("momentum-alpha", "rho_inf", 0.3),
    ("momentum-alpha", "rho_inf", 1.0),
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
    set(&mut sim, scheme);
    sim
}

/// Sets a scheme with tight tolerances.
fn set(sim: &mut Simulation, scheme: Scheme) {
    sim.settings().set_scheme(scheme.0).unwrap();
    for (key, value) in [(scheme.1, scheme.2), ("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)] {
        sim.settings().set_option(key, value).unwrap();
    }
}

const J: [f64; 6] = [INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0];

/// Released horizontally at x = 1; phi from there, positive downwards.
fn pendulum(scheme: Scheme, kind: JointKind) -> (Simulation, Id, Id) {
    let mut sim = system(scheme);
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &J, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let axis = if kind == JointKind::Revolute { Some(&[0.0, 1.0, 0.0]) } else { None };
    let joint = sim.build().add_joint_at(kind, GROUND, body, &[0.0; 3], axis).unwrap();
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
        // 20 steps of Runge-Kutta each: (w h/20)^4/100 = 1e-10 at w h = 0.2, far below the errors
        // here
        (0..20).for_each(|k| rk4_step(&mut rate, k as f64, h / 20.0, &mut y));
        sim.step(h).unwrap();
        let (s, c) = y[0].sin_cos();
        let p = sim.outputs().body_pose(body).unwrap();
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let r = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        let second = G / J_O * c;
        let force = [-second * s - y[1] * y[1] * c, 0.0, G - second * c + y[1] * y[1] * s];
        let error = [distance(place(&p), [c, 0.0, -s]), (v[4] - y[1]).abs(), distance([r[0], r[1], r[2]], force)];
        (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
    }
    worst
}

/// Orders between the first and the last of the errors at doubled numbers of steps.
fn mean_orders(errors: &[[f64; 3]]) -> [f64; 3] {
    let doublings = (errors.len() - 1) as f64;
    std::array::from_fn(|k| (errors[0][k] / errors[errors.len() - 1][k]).log2() / doublings)
}

/// Second order in positions and velocities, at least 1.7 in reactions: a scheme that takes a =
/// vdot at each step has 0.95 and 0.75.
#[track_caller]
fn assert_second_order(claim: &str, errors: &[[f64; 3]]) {
    let [q, v, r] = mean_orders(errors);
    println!("{claim}: orders {q:.2} {v:.2} {r:.2}");
    assert!(q > 1.85 && v > 1.85 && r > 1.7, "{claim}: orders {q:.2} {v:.2} {r:.2}; {errors:?}");
}

#[test]
fn pendulum_is_of_second_order_with_its_reaction() {
    for kind in [JointKind::Revolute, JointKind::Spherical] {
        for steps in [Steps::Alternating, Steps::Random] {
            for scheme in SCHEMES {
                let errors = [100, 200, 400, 800].map(|count| pendulum_errors(scheme, kind, steps, count));
                assert_second_order(&format!("pendulum {scheme:?} {kind:?} {steps:?}"), &errors);
            }
        }
    }
}

const W: f64 = 3.0;
const ZETA: f64 = 0.1;

fn oscillator(scheme: Scheme, w: f64) -> (Simulation, Id) {
    let mut sim = system(scheme);
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([1.0, 0.0, 0.0], UNROTATED))
        .unwrap();
    let (k, c) = (diagonal([w * w, 1.0, 1.0, 1.0, 1.0, 1.0]), diagonal([2.0 * ZETA * w, 0.0, 0.0, 0.0, 0.0, 0.0]));
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &k, &c).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

/// Largest errors of position, velocity and acceleration of x'' + 2 zeta w x' + w^2 x = 0, x = 1
/// and x' = 0 at first.
fn oscillator_errors(scheme: Scheme, steps: Steps, count: usize) -> [f64; 3] {
    let (mut sim, body) = oscillator(scheme, W);
    let damped = W * (1.0 - ZETA * ZETA).sqrt();
    let (mut t, mut worst) = (0.0, [0.0f64; 3]);
    for h in lengths(steps, 3.0, count) {
        sim.step(h).unwrap();
        t += h;
        let (s, c) = (damped * t).sin_cos();
        let decay = (-ZETA * W * t).exp();
        let x = decay * (c + ZETA * W / damped * s);
        let v = -decay * W * W / damped * s;
        let exact = [x, v, -2.0 * ZETA * W * v - W * W * x];
        let got = [
            sim.outputs().body_pose(body).unwrap()[0],
            sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0],
            sim.outputs().body_acceleration(body, Frame::Inertial).unwrap()[0],
        ];
        (0..3).for_each(|k| worst[k] = worst[k].max((got[k] - exact[k]).abs()));
    }
    worst
}

#[test]
fn oscillator_is_of_second_order() {
    for steps in [Steps::Alternating, Steps::Random] {
        for scheme in SCHEMES {
            let errors = [200, 400, 800].map(|count| oscillator_errors(scheme, steps, count));
            assert_second_order(&format!("oscillator {scheme:?} {steps:?}"), &errors);
        }
    }
}

/// The heavy top over 0.2 s: errors of place, velocity of the centre and reaction (of 500 N).
fn top_errors(scheme: Scheme, steps: Steps, count: usize) -> [f64; 3] {
    let (mut sim, body, joint) = heavy_top::top();
    set(&mut sim, scheme);
    sim.initialize(0.0).unwrap();
    let mut y = heavy_top::START.to_vec();
    let mut worst = [0.0f64; 3];
    for h in lengths(steps, 0.2, count) {
        // 20 steps of Runge-Kutta of at most 0.008 rad: (0.008)^4/120 = 3e-11 of the turning
        (0..20).for_each(|k| rk4_step(&mut heavy_top::rate, k as f64, h / 20.0, &mut y));
        sim.step(h).unwrap();
        let (q, w) = heavy_top::attitude(&y);
        let got = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0;
        let v = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()).0;
        let error = [
            distance(place(&sim.outputs().body_pose(body).unwrap()), rotate(q, heavy_top::COM)),
            distance(v, rotate(q, cross(w, heavy_top::COM))),
            distance(got, heavy_top::reaction(&y)),
        ];
        (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
    }
    worst
}

#[test]
fn heavy_top_is_of_second_order_with_its_reaction() {
    for steps in [Steps::Alternating, Steps::Random] {
        for scheme in SCHEMES {
            let errors = [400, 800, 1600].map(|count| top_errors(scheme, steps, count));
            assert_second_order(&format!("heavy top {scheme:?} {steps:?}"), &errors);
        }
    }
}

/// A body on a driven hinge about z, its centre 0.3 m beside it; angle sin(2 t). Errors of place,
/// velocity and wrench.
fn driven_errors(scheme: Scheme, steps: Steps, count: usize) -> [f64; 3] {
    let mut sim = system(scheme);
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &J, &pose([0.3, 0.0, 0.0], UNROTATED)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.build().set_body_velocity(body, &[0.0, 0.6, 0.0, 0.0, 0.0, 2.0]).unwrap();
    sim.inputs().set_joint_motion(joint, 0.0, 2.0, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let (mut t, mut worst) = (0.0, [0.0f64; 3]);
    for h in lengths(steps, 2.0, count) {
        t += h;
        let [q, qd, qdd] = [(2.0 * t).sin(), 2.0 * (2.0 * t).cos(), -4.0 * (2.0 * t).sin()];
        sim.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
        sim.step(h).unwrap();
        let (s, c) = q.sin_cos();
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let r = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        let force = [2.0 * 0.3 * (-qdd * s - qd * qd * c), 2.0 * 0.3 * (qdd * c - qd * qd * s)];
        let moment = (INERTIA + 2.0 * 0.09) * qdd;
        let error = [
            distance(place(&sim.outputs().body_pose(body).unwrap()), [0.3 * c, 0.3 * s, 0.0]),
            (v[5] - qd).abs(),
            distance([r[0], r[1], r[5]], [force[0], force[1], moment]),
        ];
        (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
    }
    worst
}

#[test]
fn driven_joint_is_of_second_order_with_the_moment_of_its_motor() {
    for steps in [Steps::Alternating, Steps::Random] {
        for scheme in SCHEMES {
            let errors = [100, 200, 400].map(|count| driven_errors(scheme, steps, count));
            let [_, v, r] = mean_orders(&errors);
            println!("driven {scheme:?} {steps:?} {v:.2} {r:.2} {:?}", errors[2]);
            assert!(errors.iter().all(|e| e[0] < 1e-9), "positions are imposed: {errors:?}");
            assert!(v > 1.85 && r > 1.7, "{scheme:?} {steps:?}: orders {v:.2} {r:.2}; {errors:?}");
        }
    }
}

#[test]
fn host_steps_cut_into_parts_of_changing_length_keep_the_order() {
    // 5, 3 and 4 times the longest internal step less a bit are cut into 5, 3, 4 parts of unlike
    // lengths
    let run = |scheme: Scheme, unit: f64| {
        let (mut sim, body, joint) = pendulum(scheme, JointKind::Revolute);
        sim.settings().set_option("max_time_step", unit).unwrap();
        let mut rate = |_: f64, y: &[f64], dy: &mut [f64]| {
            dy[0] = y[1];
            dy[1] = G / J_O * y[0].cos();
        };
        let (mut y, mut t, mut worst) = (vec![0.0, 0.0], 0.0, [0.0f64; 3]);
        for n in 0.. {
            let h = unit * [4.2, 2.9, 3.3][n % 3];
            t += h;
            if t > 2.0 {
                break;
            }
            (0..80).for_each(|k| rk4_step(&mut rate, k as f64, h / 80.0, &mut y));
            sim.step(h).unwrap();
            let (s, c) = y[0].sin_cos();
            let second = G / J_O * c;
            let force = [-second * s - y[1] * y[1] * c, 0.0, G - second * c + y[1] * y[1] * s];
            let r = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            let error = [
                distance(place(&sim.outputs().body_pose(body).unwrap()), [c, 0.0, -s]),
                (sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[4] - y[1]).abs(),
                distance([r[0], r[1], r[2]], force),
            ];
            (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
        }
        worst
    };
    for scheme in SCHEMES {
        let errors = [0.02, 0.01, 0.005].map(|unit| run(scheme, unit));
        assert_second_order(&format!("parts {scheme:?}"), &errors);
    }
}

#[test]
fn nothing_grows_over_20_000_random_steps() {
    for scheme in SCHEMES {
        let (mut sim, body, _) = pendulum(scheme, JointKind::Spherical);
        let (mut stiff, mass) = oscillator(scheme, 1e4);
        let mut random = Random(11);
        // greatest values over the first and over the second half
        let (mut energy, mut amplitude) = ([0.0f64; 2], [0.0f64; 2]);
        for n in 0..20_000 {
            let h = 0.01 * (1.0 + 0.2 * random.signed());
            sim.step(h).unwrap();
            let (v, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
            let now = 0.5 * dot(v, v) + 0.5 * INERTIA * dot(w, w) + G * sim.outputs().body_pose(body).unwrap()[2];
            energy[n / 10_000] = energy[n / 10_000].max(now);
            stiff.step(h).unwrap();
            amplitude[n / 10_000] = amplitude[n / 10_000].max(stiff.outputs().body_pose(mass).unwrap()[0].abs());
        }
        println!("growth {scheme:?} {energy:?} {amplitude:?}");
        // energy starts at 0, of a range of 2 m g L = 20; the scheme's own error of it is (w h)^2
        // of that, 0.03
        assert!(energy[0] < 0.1 && energy[1] < 0.1, "{scheme:?}: energies {energy:?}");
        // The stiff mass starts at 1; it overshoots at first, with equal steps too, by up to 6 at
        // rho_inf 0, then decays.
        assert!(amplitude[0] < 10.0 && amplitude[1] <= 1.01 * amplitude[0], "{scheme:?}: amplitudes {amplitude:?}");
    }
}

#[test]
fn changing_steps_cost_hardly_more() {
    for scheme in SCHEMES {
        let cost = |vary: f64| {
            let (mut sim, ..) = pendulum(scheme, JointKind::Revolute);
            let mut random = Random(3);
            for _ in 0..400 {
                sim.step(0.01 * (1.0 + vary * random.signed())).unwrap();
            }
            ["iterations", "factorizations"].map(|key| sim.outputs().statistic(key).unwrap() / 400.0)
        };
        let (even, uneven) = (cost(0.0), cost(0.2));
        println!("iterations and factorisations per step {scheme:?} {even:?} {uneven:?}");
        // The predictor from the last accelerations is slightly worse, and velocities normal to the
        // joints change with the step length in the first iteration, after its matrix was computed:
        // some steps need one more iteration or a second matrix.
        assert!(uneven[0] < even[0] + 1.0, "{scheme:?}: {even:?} with equal steps, {uneven:?} with changing ones");
        assert!(uneven[1] < even[1] + 1.0, "{scheme:?}: {even:?} with equal steps, {uneven:?} with changing ones");
    }
}

#[test]
fn restored_runs_go_on_bit_for_bit() {
    for scheme in SCHEMES {
        let (mut sim, body, _) = pendulum(scheme, JointKind::Spherical);
        let mut random = Random(5);
        let mut steps = move || 0.02 * (1.0 + 0.2 * random.signed());
        (0..30).for_each(|_| sim.step(steps()).unwrap());
        let saved = sim.save().unwrap();
        let (mut other, ..) = pendulum(scheme, JointKind::Spherical);
        other.restore(&saved).unwrap();
        for _ in 0..30 {
            let h = steps();
            sim.step(h).unwrap();
            other.step(h).unwrap();
            assert_eq!(sim.outputs().body_pose(body).unwrap(), other.outputs().body_pose(body).unwrap());
            assert_eq!(
                sim.outputs().body_velocity(body, Frame::Inertial).unwrap(),
                other.outputs().body_velocity(body, Frame::Inertial).unwrap()
            );
        }
    }
}

/// A force of 5 N along x from 0.5 s on, marked by `mark_discontinuity`: errors from there to 1 s.
fn jump_errors(scheme: Scheme, count: usize) -> [f64; 3] {
    let (mut sim, body, joint) = pendulum(scheme, JointKind::Revolute);
    let h = 0.5 / count as f64;
    let mut rate = |t: f64, y: &[f64], dy: &mut [f64]| {
        dy[0] = y[1];
        dy[1] = (G * y[0].cos() - if t >= 0.0 { 5.0 } else { 0.0 } * y[0].sin()) / J_O;
    };
    let (mut y, mut worst) = (vec![0.0, 0.0], [0.0f64; 3]);
    for n in 0..2 * count {
        let pushed = n >= count;
        if n == count {
            sim.inputs().set_body_load(body, Frame::Inertial, &[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            sim.inputs().mark_discontinuity().unwrap();
        }
        (0..20).for_each(|k| rk4_step(&mut rate, if pushed { k as f64 } else { -9.0 }, h / 20.0, &mut y));
        sim.step(h).unwrap();
        if !pushed {
            continue;
        }
        let (s, c) = y[0].sin_cos();
        let second = (G * c - 5.0 * s) / J_O;
        let force = [-second * s - y[1] * y[1] * c - 5.0, 0.0, G - second * c + y[1] * y[1] * s];
        let r = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        let error = [
            distance(place(&sim.outputs().body_pose(body).unwrap()), [c, 0.0, -s]),
            (sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[4] - y[1]).abs(),
            distance([r[0], r[1], r[2]], force),
        ];
        (0..3).for_each(|k| worst[k] = worst[k].max(error[k]));
    }
    worst
}

#[test]
fn second_order_stays_through_a_jump_of_the_loads() {
    for scheme in SCHEMES {
        let errors = [50, 100, 200, 400].map(|count| jump_errors(scheme, count));
        assert_second_order(&format!("jump of a load {scheme:?}"), &errors);
    }
}

/// Setting the same inputs again in every step does not restart the scheme.
#[test]
fn settings_that_are_so_already_change_nothing() {
    let a = diagonal([1.0, 2.0, 3.0, 0.1, 0.2, 0.3]);
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark", "ab3", "lab3"] {
        let [plain, told] = [false, true].map(|tells| {
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
            let inertia = [0.3, 0.2, 0.4, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(2.0, &[0.5, 0.0, 0.0], &inertia, &ORIGIN).unwrap();
            sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
            let tell = |sim: &mut Simulation| {
                let mut settings = sim.settings();
                settings.set_added_mass(body, &a, Frame::Body).unwrap();
                settings.set_linear_damping(body, &a, Frame::Inertial).unwrap();
                settings.set_quadratic_drag(body, &a, Frame::Body).unwrap();
            };
            tell(&mut sim);
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..50 {
                if tells {
                    tell(&mut sim);
                    sim.settings().set_scheme(scheme).unwrap();
                }
                sim.advance(0.01).unwrap();
                if tells {
                    tell(&mut sim);
                }
                sim.accept().unwrap();
            }
            sim.save().unwrap().to_bytes()
        });
        assert!(plain == told, "{scheme}");
    }
}
