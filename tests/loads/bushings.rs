//! Bushings: six-dof small motions, unsymmetric stiffness, large turns, action and reaction between
//! free bodies.

use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};

const MASS: f64 = 3.0;
const COM: V3 = [0.1, -0.2, 0.15];
const INERTIA: V3 = [0.5, 0.7, 0.9];
/// Origin of frame b in body axes.
const SEAT: V3 = [0.2, 0.1, -0.3];

fn transpose(m: &M6) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

fn product(a: &M6, b: &M6) -> M6 {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
}

/// blockdiag(R, R).
fn turned(q: Quat) -> M6 {
    let r = dcm(q);
    std::array::from_fn(|i| std::array::from_fn(|j| if i / 3 == j / 3 { r[i % 3][j % 3] } else { 0.0 }))
}

/// Stiffness or damping of the bushing seen at the body's reference point in inertial axes, at the
/// assembled state: displacement of the seat is u + theta x r = u - ~r theta, and the wrench moves
/// back by the transpose.
fn at_reference(k: &M6, frame: Quat, r: V3) -> M6 {
    let t = turned(frame);
    let in_space = product(&product(&t, k), &transpose(&t));
    let s = skew(r);
    let shift: M6 = std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let arm = if i < 3 && j >= 3 { -s[i][j - 3] } else { 0.0 };
            arm + if i == j { 1.0 } else { 0.0 }
        })
    });
    product(&product(&transpose(&shift), &in_space), &shift)
}

fn symmetric() -> M6 {
    // diagonally dominant, so positive definite
    let mut k = [[0.0; 6]; 6];
    let d = [60.0, 80.0, 100.0, 20.0, 25.0, 30.0];
    for i in 0..6 {
        for j in 0..6 {
            k[i][j] = if i == j { d[i] } else { [3.0, -2.0, 1.5, -1.0, 2.5][(i + j) % 5] };
        }
    }
    k
}

/// Worst error relative to the largest displacement, for a bushing between ground and a body at its
/// assembled place.
fn small_motion_error(k: &M6, c: &M6, dt: f64, ground_is_a: bool) -> f64 {
    let amplitude = 1e-6; // nonlinear terms are 1e-6 of the linear ones
    let q = unit([0.7, 0.3, -0.5, 0.4]);
    let frame = unit([0.2, 0.8, 0.3, -0.4]); // both bushing frames, in inertial axes
    let x = [1.0, -2.0, 0.5];
    let mut sim = Simulation::new();
    sim.settings().set_option("rho_inf", 0.9).unwrap();
    // increments are of the order of the amplitude: the absolute tolerance must lie far below it
    sim.settings().set_option("abs_tolerance", 1e-13).unwrap();
    let body = sim.build().add_rigid_body(MASS, &COM, &six(&diag(INERTIA)), &pose(x, q)).unwrap();
    let velocity = [1.0, -0.5, 0.8, 2.0, 1.5, -1.0].map(|v| v * amplitude);
    sim.build().set_body_velocity(body, &velocity).unwrap();
    let in_ground = pose(add(x, rotate(q, SEAT)), frame);
    let in_body = pose(SEAT, quat_mul(conjugate(q), frame));
    if ground_is_a {
        sim.elements().add_bushing(GROUND, body, &in_ground, &in_body, &columns(k), &columns(c)).unwrap();
    } else {
        // displacement and wrench both change sign, to first order nothing else does
        sim.elements().add_bushing(body, GROUND, &in_body, &in_ground, &columns(k), &columns(c)).unwrap();
    }
    sim.initialize(0.0).unwrap();
    // M u'' + C u' + K u = 0 in inertial axes about the reference point
    let r = rotate(q, SEAT);
    let mass = product(&product(&turned(q), &mass_matrix(MASS, COM, diag(INERTIA))), &transpose(&turned(q)));
    let (stiffness, damping) = (at_reference(k, frame, r), at_reference(c, frame, r));
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let (u, v): ([f64; 6], [f64; 6]) = (std::array::from_fn(|i| y[i]), std::array::from_fn(|i| y[6 + i]));
        let (ku, cv) = (mul6(&stiffness, &u), mul6(&damping, &v));
        dy[..6].copy_from_slice(&v);
        let right = (0..6).map(|i| -ku[i] - cv[i]).collect();
        dy[6..].copy_from_slice(&solve(mass.iter().map(|r| r.to_vec()).collect(), right));
    };
    let mut y0 = vec![0.0; 6];
    y0.extend(velocity);
    let steps = (3.0 / dt).round() as usize;
    let exact = rk4_samples(rate, &y0, dt, steps, (dt / 1e-3).round() as usize);
    let (mut worst, mut largest) = (0.0f64, 0.0f64);
    for y in &exact[1..] {
        sim.step(dt).unwrap();
        let d = sim.outputs().body_displacement(body).unwrap();
        let got = join(place(&d), rotation_vector(turn(&d)));
        for i in 0..6 {
            worst = worst.max((got[i] - y[i]).abs());
            largest = largest.max(y[i].abs());
        }
    }
    worst / largest
}

/// Highest frequency of M^-1 K in body axes at the assembled state, by power iteration.
fn highest_frequency(k: &M6) -> f64 {
    let frame = quat_mul(conjugate(unit([0.7, 0.3, -0.5, 0.4])), unit([0.2, 0.8, 0.3, -0.4]));
    let (stiffness, mass) = (at_reference(k, frame, SEAT), mass_matrix(MASS, COM, diag(INERTIA)));
    let (mut x, mut growth) = (vec![1.0, -0.6, 0.3, 0.8, -0.2, 0.5], 0.0);
    for _ in 0..500 {
        let kx = mul6(&stiffness, &std::array::from_fn(|i| x[i]));
        x = solve(mass.iter().map(|r| r.to_vec()).collect(), kx.to_vec());
        growth = x.iter().map(|c| c * c).sum::<f64>().sqrt();
        x.iter_mut().for_each(|c| *c /= growth);
    }
    growth.sqrt()
}

const DTS: [f64; 4] = [0.02, 0.01, 5e-3, 2e-3];

#[test]
fn bushing_has_the_six_frequencies_of_its_matrices() {
    // six modes excited together over several periods: any wrong entry of K or M would be an error
    // that does not converge
    let table = DTS.map(|dt| (dt, small_motion_error(&symmetric(), &[[0.0; 6]; 6], dt, true)));
    assert_order("six-dof bushing", &table, 2.0, 0.1);
    // every mode lags by |kappa| (w h)^2 w t at most, and starts with an O((w h)^2) error of its
    // own
    let (w, h) = (highest_frequency(&symmetric()), DTS[3]);
    let bound = (frequency_error(0.9).abs() * w * 3.0 + 1.0) * (w * h).powi(2);
    assert!(table[3].1 < bound, "highest frequency {w} rad/s, bound {bound:e}, {table:?}");
    let table = DTS.map(|dt| (dt, small_motion_error(&symmetric(), &[[0.0; 6]; 6], dt, false)));
    assert_order("six-dof bushing, ground as b", &table, 2.0, 0.1);
}

#[test]
fn bushing_damping_is_that_of_its_matrix() {
    let c = symmetric().map(|row| row.map(|x| 0.02 * x));
    let table = DTS.map(|dt| (dt, small_motion_error(&symmetric(), &c, dt, true)));
    assert_order("damped bushing", &table, 2.0, 0.1);
}

#[test]
fn unsymmetric_stiffness_and_damping_are_taken_as_given() {
    let (mut k, mut c) = (symmetric(), symmetric().map(|row| row.map(|x| 0.02 * x)));
    k[0][4] += 15.0;
    k[4][0] -= 5.0;
    k[3][5] += 6.0;
    c[1][3] += 0.4;
    let table = DTS.map(|dt| (dt, small_motion_error(&k, &c, dt, true)));
    assert_order("unsymmetric bushing", &table, 2.0, 0.1);
}

#[test]
fn torsion_bushing_is_linear_in_the_angle_of_large_turns() {
    // about one axis the rotation vector is the angle itself, so J theta'' = -k theta exactly:
    // frequency of small and of large turns agree, up to the frequency error of the scheme
    let (j, k) = (0.5, 12.5); // w = 5
    let w = 5.0;
    let h = 0.05 / w;
    let q0 = quat_exp([0.0, 0.0, 2.5]);
    let mut sim = Simulation::new();
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.6, 0.6, j, 0.0, 0.0, 0.0], &pose([0.0; 3], q0)).unwrap();
    let stiffness = diagonal([100.0, 100.0, 100.0, 20.0, 20.0, k]);
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &stiffness, &[0.0; 36]).unwrap();
    sim.initialize(0.0).unwrap();
    let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert_close("initial acceleration", &a, &[0.0, 0.0, 0.0, 0.0, 0.0, -k * 2.5 / j], 1e-10);
    let kappa = frequency_error(1.0);
    for n in 1..=2000 {
        sim.step(h).unwrap();
        let p = sim.outputs().body_pose(body).unwrap();
        let theta = 2.0 * p[6].atan2(p[3]);
        let theta = (theta + std::f64::consts::PI).rem_euclid(std::f64::consts::TAU) - std::f64::consts::PI;
        let phase = w * (1.0 + kappa * (w * h).powi(2)) * n as f64 * h;
        // left over: (w h)^4 * 100 rad * 2.5 = 1.6e-3, and the start's v0 correction, amplitude (w
        // h)^2 = 2.5e-3 * 2.5 at most
        assert!((theta - 2.5 * phase.cos()).abs() < 8e-3, "step {n}: {theta} instead of {}", 2.5 * phase.cos());
    }
}

// ---- between two free bodies --------------------------------------------------------------------------------------------

const BODIES: [(f64, V3); 2] = [(1.5, [0.3, 0.4, 0.35]), (0.9, [0.2, 0.15, 0.25])];
const FRAME_A: (V3, Quat) = ([0.4, 0.1, -0.1], [0.8, 0.0, 0.6, 0.0]);
const FRAME_B: (V3, Quat) = ([-0.3, 0.2, 0.0], [0.6, 0.8, 0.0, 0.0]);
const K_SHIFT: V3 = [20.0, 35.0, 28.0];
const K_TURN: f64 = 6.0;
const C_SHIFT: f64 = 0.5;

fn starts() -> [([f64; 7], [f64; 6]); 2] {
    [
        (pose([0.0; 3], unit([0.9, 0.2, -0.3, 0.1])), [0.1, 0.2, -0.3, 0.6, -0.4, 0.8]),
        (pose([0.9, 0.3, 0.4], unit([0.7, -0.2, 0.4, 0.5])), [-0.2, 0.1, 0.4, -0.5, 0.9, 0.1]),
    ]
}

/// Wrenches on both bodies about their reference points, inertial: force -K d - C d' in frame a at
/// the origin of frame b, moment -k (rotation vector of b against a); on a the opposite, at the
/// same point.
fn bushing_wrenches(y: &[f64], damping: f64) -> [[f64; 6]; 2] {
    let (a, b) = y.split_at(BODY);
    let (qa, qb) = (orientation(a), orientation(b));
    let frame = quat_mul(qa, FRAME_A.1);
    let (xa, xb) = (add(position(a), rotate(qa, FRAME_A.0)), add(position(b), rotate(qb, FRAME_B.0)));
    let va = add(rotate(qa, linear(a)), cross(rotate(qa, angular(a)), sub(xb, position(a))));
    let vb = rotate(qb, add(linear(b), cross(angular(b), FRAME_B.0)));
    let d = unrotate(frame, sub(xb, xa));
    let rate = unrotate(frame, sub(vb, va)); // of d: the motion of b's point seen from the turning frame a
    let turn = rotation_vector(quat_mul(conjugate(frame), quat_mul(qb, FRAME_B.1)));
    let force = rotate(frame, std::array::from_fn(|i| -K_SHIFT[i] * d[i] - damping * rate[i]));
    let moment = rotate(frame, scale(-K_TURN, turn));
    [
        join(scale(-1.0, force), scale(-1.0, add(moment, cross(sub(xb, position(a)), force)))),
        join(force, add(moment, cross(sub(xb, position(b)), force))),
    ]
}

fn free_pair(damping: f64) -> Vec<Vec<f64>> {
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        for (i, w) in bushing_wrenches(y, damping).into_iter().enumerate() {
            let part = i * BODY..(i + 1) * BODY;
            let q = orientation(&y[part.clone()]);
            let (f, m) = halves(w);
            let mass = mass_matrix(BODIES[i].0, [0.0; 3], diag(BODIES[i].1));
            kirchhoff_rate(&mass, &y[part.clone()], join(unrotate(q, f), unrotate(q, m)), &mut dy[part]);
        }
    };
    let y0 = starts().iter().flat_map(|(p, v)| body_state(p, v)).collect::<Vec<_>>();
    // RK4 at 1.25e-3 with rates of 9 rad/s: (0.011)^4/120 * 18 rad = 2e-9
    rk4_samples(rate, &y0, 2.5e-3, 800, 2)
}

struct PairRun {
    motion: f64,
    linear: f64,
    angular: f64,
    energy: f64,
}

/// Both bodies with the bushing between them, at their start.
fn pair(damping: f64) -> (Simulation, Vec<Id>) {
    let mut sim = Simulation::new();
    for (key, value) in [("rho_inf", 0.9), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
        sim.settings().set_option(key, value).unwrap();
    }
    let ids: Vec<Id> = BODIES
        .iter()
        .zip(starts())
        .map(|((m, j), (p, v))| {
            let id = sim.build().add_rigid_body(*m, &[0.0; 3], &six(&diag(*j)), &p).unwrap();
            sim.build().set_body_velocity(id, &v).unwrap();
            id
        })
        .collect();
    let k = diagonal([K_SHIFT[0], K_SHIFT[1], K_SHIFT[2], K_TURN, K_TURN, K_TURN]);
    let c = diagonal([damping, damping, damping, 0.0, 0.0, 0.0]);
    let (frame_a, frame_b) = (pose(FRAME_A.0, FRAME_A.1), pose(FRAME_B.0, FRAME_B.1));
    sim.elements().add_bushing(ids[0], ids[1], &frame_a, &frame_b, &k, &c).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

fn pair_run(exact: &[Vec<f64>], damping: f64, dt: f64, stride: usize) -> PairRun {
    let (mut sim, ids) = pair(damping);
    let (p0, l0) = halves(sim.outputs().momentum(&[0.0; 3]).unwrap());
    let total = |sim: &Simulation| sim.outputs().energy().unwrap().0 + sim.outputs().energy().unwrap().1;
    let e0 = total(&sim);
    let mut worst = PairRun { motion: 0.0, linear: 0.0, angular: 0.0, energy: 0.0 };
    for n in 1..=800 / stride {
        sim.step(dt).unwrap();
        for (id, y) in ids.iter().zip(exact[n * stride].chunks(BODY)) {
            let p = sim.outputs().body_pose(*id).unwrap();
            worst.motion = worst.motion.max(distance(place(&p), position(y))).max(quat_error(turn(&p), orientation(y)));
        }
        let (p, l) = halves(sim.outputs().momentum(&[0.0; 3]).unwrap());
        worst.linear = worst.linear.max(distance(p, p0) / norm(p0));
        worst.angular = worst.angular.max(distance(l, l0) / norm(l0));
        worst.energy = worst.energy.max((total(&sim) - e0).abs() / e0);
    }
    worst
}

const STRIDES: [(f64, usize); 4] = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)];

#[test]
fn bushing_between_free_bodies_obeys_action_and_reaction() {
    let exact = free_pair(0.0);
    let runs = STRIDES.map(|(dt, stride)| (dt, pair_run(&exact, 0.0, dt, stride)));
    let column = |f: fn(&PairRun) -> f64| runs.iter().map(|(h, r)| (*h, f(r))).collect::<Vec<_>>();
    assert_order("free bodies on a bushing", &column(|r| r.motion), 2.0, 0.1);
    // equal and opposite forces in every solve: exact but for rounding and the last Newton residual
    for (dt, r) in &runs {
        assert!(r.linear < 1e-9, "linear momentum changes by {:e} at dt {dt}", r.linear);
    }
    // the angular momentum of free bodies is kept to second order by this scheme; a moment not
    // balanced would stay
    assert_order("angular momentum", &column(|r| r.angular), 2.0, 0.15);
    // isotropic turning stiffness: a potential exists, K d.d/2 + k |phi|^2/2
    assert_order("energy", &column(|r| r.energy), 2.0, 0.15);
}

#[test]
fn damped_bushing_between_free_bodies_follows_runge_kutta() {
    let exact = free_pair(C_SHIFT);
    let table = STRIDES.map(|(dt, stride)| {
        let run = pair_run(&exact, C_SHIFT, dt, stride);
        assert!(run.linear < 1e-9, "linear momentum {:e}", run.linear);
        (dt, run.motion)
    });
    assert_order("damped pair", &table, 2.0, 0.1);
}

/// Deflection and wrench as they follow from poses and velocities, and Newton's law: nothing else
/// acts on the bodies.
#[test]
fn channels_of_a_bushing_are_deflection_and_wrench_on_b_in_frame_a() {
    let (mut sim, ids) = pair(C_SHIFT);
    let count = sim.channels().count().unwrap();
    let named = |sim: &Simulation, suffix: &str| {
        let name = format!("bushing0.{suffix}");
        (0..count).position(|i| sim.channels().name(i).unwrap() == name).unwrap_or_else(|| panic!("no channel {name}"))
    };
    let of = |sim: &Simulation, suffixes: [&str; 3]| {
        let mut values = vec![f64::NAN; count as usize];
        sim.channels().values(&mut values).unwrap();
        suffixes.map(|suffix| values[named(sim, suffix)])
    };
    let units = ["deflection.y", "deflection.ry", "wrench.fy", "wrench.my"]
        .map(|suffix| sim.channels().unit(named(&sim, suffix) as i32).unwrap());
    assert_eq!(units, ["m", "rad", "N", "N m"]);
    for n in 0..20 {
        let [a, b] = [0, 1].map(|k| {
            let (pose, velocity) =
                (sim.outputs().body_pose(ids[k]), sim.outputs().body_velocity(ids[k], Frame::Inertial));
            body_state(&pose.unwrap(), &velocity.unwrap())
        });
        let (qa, qb) = (orientation(&a), orientation(&b));
        let frame = quat_mul(qa, FRAME_A.1);
        let (xa, xb) = (add(position(&a), rotate(qa, FRAME_A.0)), add(position(&b), rotate(qb, FRAME_B.0)));
        let shift = of(&sim, ["deflection.x", "deflection.y", "deflection.z"]);
        let turn = of(&sim, ["deflection.rx", "deflection.ry", "deflection.rz"]);
        let (force, moment) =
            (of(&sim, ["wrench.fx", "wrench.fy", "wrench.fz"]), of(&sim, ["wrench.mx", "wrench.my", "wrench.mz"]));
        // rounding of some operations on numbers of order 1 to 50
        assert_close("deflection", &shift, &unrotate(frame, sub(xb, xa)), 1e-13);
        let expected = rotation_vector(quat_mul(conjugate(frame), quat_mul(qb, FRAME_B.1)));
        assert_close("rotation", &turn, &expected, 1e-13);
        let (force, moment) = (rotate(frame, force), rotate(frame, moment));
        let on_b = join(force, add(moment, cross(sub(xb, position(&b)), force)));
        assert_close("wrench", &on_b, &bushing_wrenches(&[a, b].concat(), C_SHIFT)[1], 1e-11);
        // The reference point is the centre of mass; the step is solved to 1e-10 of forces up
        // to 50.
        let (acceleration, _) = halves(sim.outputs().body_acceleration(ids[1], Frame::Inertial).unwrap());
        assert_close("Newton", &scale(BODIES[1].0, acceleration), &force, 1e-7);
        assert!(n == 0 || norm(force) > 1.0, "something acts: {force:?}");
        sim.step(0.01).unwrap();
    }
}
