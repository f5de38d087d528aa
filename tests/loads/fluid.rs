//! Damping, drag and added mass: closed forms, both frames, and Kirchhoff's equations of a body in
//! ideal fluid.

use crate::common::*;
use pintle::{Frame, Id, Simulation};

pub const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];

pub const MASS: f64 = 2.0;
pub const COM: V3 = [0.1, -0.05, 0.15];
pub const INERTIA: V3 = [0.5, 0.6, 0.8];
pub const VELOCITY: [f64; 6] = [1.0, -0.4, 0.6, 0.8, -1.1, 0.7];

pub fn start() -> [f64; 7] {
    pose([0.3, 0.2, 0.1], unit([0.7, 0.4, -0.3, 0.5]))
}

/// A full symmetric positive definite matrix of a fluid's size, coupling every direction with every
/// other.
fn coupled(scale: f64) -> M6 {
    let d = [1.0, 1.4, 0.8, 0.5, 0.7, 0.6];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| scale * if i == j { d[i] } else { [0.06, -0.04, 0.05, -0.08, 0.03][(i + j) % 5] })
    })
}

fn unsymmetric(scale: f64) -> M6 {
    let mut c = coupled(scale);
    c[0][4] += 0.3 * scale;
    c[5][1] -= 0.2 * scale;
    c
}

/// A free body at `start` with `VELOCITY`.
pub fn free_body(options: &[(&str, f64)], mass: f64, com: V3, inertia: V3) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let body = sim.build().add_rigid_body(mass, &com, &six(&diag(inertia)), &start()).unwrap();
    sim.build().set_body_velocity(body, &VELOCITY).unwrap();
    (sim, body)
}

/// Order of convergence of the motion of a free body against a reference rate, 2 s at up to 2
/// rad/s. RK4 at 1.25e-3: (2.5e-3)^4/120 = 3e-13.
fn assert_follows(claim: &str, rate: impl Fn(f64, &[f64], &mut [f64]) + Copy, prepare: impl Fn(&mut Simulation, Id)) {
    let exact = rk4_samples(rate, &body_state(&start(), &VELOCITY), 2.5e-3, 800, 2);
    for rho in [0.6, 1.0] {
        let table = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)].map(|(dt, stride)| {
            let (mut sim, body) = free_body(&[("rho_inf", rho), TIGHT[0], TIGHT[1]], MASS, COM, INERTIA);
            prepare(&mut sim, body);
            sim.initialize(0.0).unwrap();
            let mut dy = [0.0; BODY];
            rate(0.0, &exact[0], &mut dy);
            let (a, alpha) = halves(sim.outputs().body_acceleration(body, Frame::Body).unwrap());
            // inertial acceleration in body axes: v' + w x v
            let expected = add(linear(&dy), cross(angular(&exact[0]), linear(&exact[0])));
            assert_close(
                &format!("{claim}: initial acceleration"),
                &join(a, alpha),
                &join(expected, angular(&dy)),
                1e-11,
            );
            let mut worst = 0.0f64;
            for n in 1..=800 / stride {
                sim.step(dt).unwrap();
                let y = &exact[n * stride];
                let p = sim.outputs().body_pose(body).unwrap();
                worst = worst.max(distance(place(&p), position(y))).max(quat_error(turn(&p), orientation(y)));
            }
            (dt, worst)
        });
        assert_order(&format!("{claim}, rho {rho}"), &table, 2.0, 0.1);
    }
}

fn negative(x: [f64; 6]) -> [f64; 6] {
    x.map(|x| -x)
}

/// Velocity in body axes, and turned to the inertial frame.
fn velocities(y: &[f64]) -> ([f64; 6], [f64; 6]) {
    let q = orientation(y);
    (join(linear(y), angular(y)), join(rotate(q, linear(y)), rotate(q, angular(y))))
}

fn into_body(y: &[f64], wrench: [f64; 6]) -> [f64; 6] {
    let (f, m) = halves(wrench);
    join(unrotate(orientation(y), f), unrotate(orientation(y), m))
}

#[test]
fn linear_damping_acts_in_its_frame() {
    let mass = mass_matrix(MASS, COM, diag(INERTIA));
    let c = unsymmetric(0.8);
    let body = |_t: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, negative(mul6(&c, &velocities(y).0)), dy);
    assert_follows("damping in body axes", body, |sim, id| {
        sim.settings().set_linear_damping(id, &columns(&c), Frame::Body).unwrap();
    });
    let inertial = |_t: f64, y: &[f64], dy: &mut [f64]| {
        kirchhoff_rate(&mass, y, into_body(y, negative(mul6(&c, &velocities(y).1))), dy);
    };
    assert_follows("damping in the inertial frame", inertial, |sim, id| {
        sim.settings().set_linear_damping(id, &columns(&c), Frame::Inertial).unwrap();
    });
}

#[test]
fn quadratic_drag_acts_in_its_frame() {
    let mass = mass_matrix(MASS, COM, diag(INERTIA));
    let d = unsymmetric(0.6);
    let drag = |v: [f64; 6]| negative(mul6(&d, &v.map(|v| v * v.abs())));
    // v |v| has a kink in its second derivative at v = 0, which costs less than the order seen here
    let body = |_t: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, drag(velocities(y).0), dy);
    assert_follows("drag in body axes", body, |sim, id| {
        sim.settings().set_quadratic_drag(id, &columns(&d), Frame::Body).unwrap();
    });
    let inertial =
        |_t: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&mass, y, into_body(y, drag(velocities(y).1)), dy);
    assert_follows("drag in the inertial frame", inertial, |sim, id| {
        sim.settings().set_quadratic_drag(id, &columns(&d), Frame::Inertial).unwrap();
    });
}

#[test]
fn linear_damping_decays_exponentially() {
    // six decoupled decays v = v0 e^(-c t / m); the rotation about one axis only, so that nothing
    // else acts
    for frame in [Frame::Inertial, Frame::Body] {
        let run = |dt: f64| {
            let mut sim = Simulation::new();
            sim.settings().set_option("rho_inf", 0.8).unwrap();
            let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
            sim.build().set_body_velocity(body, &[0.0, 0.0, 3.0, 0.0, 0.0, 2.0]).unwrap();
            sim.settings().set_linear_damping(body, &diagonal([1.0, 1.0, 1.6, 1.0, 1.0, 0.7]), frame).unwrap();
            sim.initialize(0.0).unwrap();
            let mut worst = 0.0f64;
            for n in 1..=(2.0 / dt).round() as usize {
                sim.step(dt).unwrap();
                let t = n as f64 * dt;
                let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
                worst = worst.max((v[2] - 3.0 * (-0.8 * t).exp()).abs()).max((v[5] - 2.0 * (-1.4 * t).exp()).abs());
                assert_close("the rest stays at rest", &[v[0], v[1], v[3], v[4]], &[0.0; 4], 1e-13);
            }
            (dt, worst)
        };
        let table = [0.04, 0.02, 0.01, 5e-3].map(run);
        assert_order(&format!("{frame:?} damping"), &table, 2.0, 0.1);
        // second order with a constant of the size of one: (c h/m)^2 v0
        assert!(table[3].1 < 3.0 * (1.4f64 * 5e-3).powi(2), "{table:?}");
    }
}

#[test]
fn quadratic_drag_slows_as_one_over_time() {
    // m v' = -d v |v|: v = v0 / (1 + d v0 t / m), in both directions
    for v0 in [3.0, -3.0f64] {
        let (m, d) = (2.0, 0.9);
        let run = |dt: f64| {
            let mut sim = Simulation::new();
            let body = sim.build().add_rigid_body(m, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
            sim.build().set_body_velocity(body, &[v0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
            sim.settings().set_quadratic_drag(body, &diagonal([d, 0.1, 0.1, 0.1, 0.1, 0.1]), Frame::Inertial).unwrap();
            sim.initialize(0.0).unwrap();
            let mut worst = 0.0f64;
            for n in 1..=(2.0 / dt).round() as usize {
                sim.step(dt).unwrap();
                let exact = v0 / (1.0 + d * v0.abs() * n as f64 * dt / m);
                worst = worst.max((sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0] - exact).abs());
            }
            (dt, worst)
        };
        assert_order("quadratic drag", &[0.02, 0.01, 5e-3, 2.5e-3].map(run), 2.0, 0.1);
    }
}

#[test]
fn falling_body_reaches_its_terminal_velocity() {
    // v = v_t tanh(g t / v_t), v_t = sqrt(m g / d)
    let (m, d, g) = (2.0, 0.9, 9.81f64);
    let terminal = (m * g / d).sqrt();
    let run = |dt: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -g]).unwrap();
        let body = sim.build().add_rigid_body(m, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
        sim.settings().set_quadratic_drag(body, &diagonal([0.1, 0.1, d, 0.1, 0.1, 0.1]), Frame::Inertial).unwrap();
        sim.initialize(0.0).unwrap();
        let mut worst = 0.0f64;
        for n in 1..=(10.0 / dt).round() as usize {
            sim.step(dt).unwrap();
            let exact = -terminal * (g * n as f64 * dt / terminal).tanh();
            worst = worst.max((sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[2] - exact).abs());
        }
        // after 10 s, 21 time constants, nothing is left of any error: a fixed point of the scheme
        // is an equilibrium of forces
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[2];
        assert!((v + terminal).abs() < 1e-8, "{v} instead of {}", -terminal);
        (dt, worst)
    };
    assert_order("terminal velocity", &[0.02, 0.01, 5e-3, 2.5e-3].map(run), 2.0, 0.1);
}

// ---- added mass -------------------------------------------------------------------------------------------------------

#[test]
fn inertial_added_mass_divides_the_force() {
    // constant force on m + a per direction, from rest, no rotation: exact
    let a = [0.7, 1.9, 0.0];
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.settings().set_added_mass(body, &diagonal([a[0], a[1], a[2], 0.1, 0.2, 0.3]), Frame::Inertial).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[3.0, -4.0, 5.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..100 {
        sim.step(0.01).unwrap();
    }
    let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
    assert_close("v(1 s)", &v, &[3.0 / 2.7, -4.0 / 3.9, 5.0 / 2.0, 0.0, 0.0, 0.0], 1e-12);
}

#[test]
fn inertial_added_mass_is_constant_in_space_while_the_body_turns() {
    // rigid-body rates with -A v' on the right, A constant in I: (M + T^T A T) V' = rigid
    // gyroscopic terms - T^T A T (w x v; 0)
    let mass = mass_matrix(MASS, COM, diag(INERTIA));
    let a = coupled(1.5);
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let q = orientation(y);
        let r = dcm(q);
        let in_body: M6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (bi, bj) = (i / 3 * 3, j / 3 * 3);
                (0..3)
                    .flat_map(|k| (0..3).map(move |l| (k, l)))
                    .map(|(k, l)| r[k][i % 3] * a[bi + k][bj + l] * r[l][j % 3])
                    .sum()
            })
        });
        let (v, w) = (linear(y), angular(y));
        let (p, l) = halves(mul6(&mass, &join(v, w)));
        let gyro = join(cross(w, p), add(cross(w, l), cross(v, p)));
        let transport = mul6(&in_body, &join(cross(w, v), [0.0; 3]));
        let total: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| mass[i][j] + in_body[i][j]).collect()).collect();
        kinematics(y, dy);
        dy[7..].copy_from_slice(&solve(total, (0..6).map(|i| -gyro[i] - transport[i]).collect()));
    };
    assert_follows("inertial added mass", rate, |sim, id| {
        sim.settings().set_added_mass(id, &columns(&a), Frame::Inertial).unwrap();
    });
}

#[test]
fn body_added_mass_follows_kirchhoff() {
    let a = coupled(1.5);
    let rigid = mass_matrix(MASS, COM, diag(INERTIA));
    let total: M6 = std::array::from_fn(|i| std::array::from_fn(|j| rigid[i][j] + a[i][j]));
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| kirchhoff_rate(&total, y, [0.0; 6], dy);
    assert_follows("Kirchhoff", rate, |sim, id| {
        sim.settings().set_added_mass(id, &columns(&a), Frame::Body).unwrap();
    });
}

#[test]
fn munk_moment_turns_a_body_moving_obliquely() {
    // an ellipsoid-like body at rest in rotation, moving with (u, 0, w): moment -v x (A v), (a_z -
    // a_x) u w about y
    let (a, j) = ([0.4, 1.1, 1.8], [0.5, 0.6, 0.7]);
    let v = [2.0, 0.0, 1.0];
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &six(&diag(j)), &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &join(v, [0.0; 3])).unwrap();
    sim.settings().set_added_mass(body, &diagonal([a[0], a[1], a[2], 0.1, 0.2, 0.3]), Frame::Body).unwrap();
    sim.initialize(0.0).unwrap();
    let got = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    // v x p = (2,0,1) x (2 (1.4), 0, 1 (2.8)): y component z p_x - x p_z = 2.8 - 5.6 = -2.8, so the
    // moment on the body is +2.8
    let moment = (a[2] - a[0]) * v[0] * v[2];
    assert_close("Munk", &got, &[0.0, 0.0, 0.0, 0.0, moment / (j[1] + 0.2), 0.0], 1e-12);
}

#[test]
fn ellipsoid_in_ideal_fluid_conserves_impulse_and_energy() {
    let a = coupled(1.5);
    let rigid = mass_matrix(MASS, COM, diag(INERTIA));
    let total: M6 = std::array::from_fn(|i| std::array::from_fn(|j| rigid[i][j] + a[i][j]));
    let run = |dt: f64| {
        let (mut sim, body) = free_body(&[("rho_inf", 1.0), TIGHT[0], TIGHT[1]], MASS, COM, INERTIA);
        sim.settings().set_added_mass(body, &columns(&a), Frame::Body).unwrap();
        sim.initialize(0.0).unwrap();
        let of = |sim: &Simulation| {
            let y = body_state(
                &sim.outputs().body_pose(body).unwrap(),
                &sim.outputs().body_velocity(body, Frame::Inertial).unwrap(),
            );
            (momenta(&total, &y), kinetic(&total, &y))
        };
        let ((p0, l0), e0) = of(&sim);
        let mut worst = [0.0f64; 3];
        for _ in 0..(5.0 / dt).round() as usize {
            sim.step(dt).unwrap();
            let ((p, l), e) = of(&sim);
            worst[0] = worst[0].max(distance(p, p0) / norm(p0));
            worst[1] = worst[1].max(distance(l, l0) / norm(l0));
            worst[2] = worst[2].max((e - e0).abs() / e0);
        }
        (dt, worst)
    };
    let runs = [0.02, 0.01, 5e-3].map(run);
    for (k, name) in ["linear impulse", "angular impulse", "energy"].into_iter().enumerate() {
        let table = runs.map(|(h, e)| (h, e[k]));
        assert_order(name, &table, 2.0, 0.15);
        // rates up to 2 rad/s over 5 s: a relative deviation of at most (w h)^2 per radian turned,
        // 10 rad
        assert!(table[2].1 < 10.0 * (2.0f64 * 5e-3).powi(2), "{name}: {table:?}");
    }
}

#[test]
fn fluid_terms_may_change_between_steps() {
    // READY phase: from the change on the body decays with the new coefficient; v(t) = v0 exp(-(c1
    // t1 + c2 t2)/m)
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.5, 0.5, 0.5, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &[3.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.settings().set_linear_damping(body, &diagonal([1.0; 6]), Frame::Inertial).unwrap();
    sim.initialize(0.0).unwrap();
    for n in 0..2000 {
        if n == 1000 {
            sim.settings().set_linear_damping(body, &diagonal([2.0; 6]), Frame::Inertial).unwrap();
        }
        sim.step(1e-3).unwrap();
    }
    let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
    // the jump may cost the scheme half a step of the difference, c h/(2 m) v = 2.5e-4 * 1.8, and
    // (c h/m)^2 otherwise
    assert!((v - 3.0 * (-1.5f64).exp()).abs() < 5e-4, "{v} instead of {}", 3.0 * (-1.5f64).exp());
}
