//! Discs that roll without slip (ROLLING): straight lines, slopes, circles and wobble against
//! closed forms and integration with fine steps, carts whose wheels share an axle, planes that
//! move, analyses, saved states, and bad input.

use crate::common::mechanisms::*;
use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation, joint_radius, set_joint_radius};

const MASS: f64 = 2.0;
const RADIUS: f64 = 0.5;
const G: f64 = 9.81;
/// Of a thin disc: about a diameter, about the axis.
const ACROSS: f64 = 0.25 * MASS * RADIUS * RADIUS;
const AXIAL: f64 = 2.0 * ACROSS;
const DISC: Solid = Solid { mass: MASS, com: [0.0; 3], inertia: [ACROSS, ACROSS, AXIAL] };
const Z: V3 = [0.0, 0.0, 1.0];

/// The lowest point of a disc from its centre, from its orientation.
fn lowest(q: Quat) -> V3 {
    let z = rotate(q, Z);
    let d = sub(Z, scale(z[2], z));
    scale(-RADIUS / norm(d), d)
}

/// A disc whose axis leans by `tilt` from the vertical towards x, that turns with omega: it rolls
/// on the xy plane of I, with its centre over the origin.
fn start(tilt: f64, omega: V3) -> ([f64; 7], [f64; 6]) {
    let q = quat_exp([0.0, tilt, 0.0]);
    let rho = lowest(q);
    (pose([0.0, 0.0, -rho[2]], q), join(cross(rho, omega), omega))
}

/// One disc on the plane of the ground.
fn disc(scheme: &str, options: &[(&str, f64)], tilt: f64, omega: V3) -> Simulation {
    let mut sim = system([0.0, 0.0, -G]);
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let (at, moving) = start(tilt, omega);
    let body = DISC.add(&mut sim, &at, &moving);
    roll(&mut sim, GROUND, &ORIGIN, body, RADIUS);
    sim.initialize(0.0).unwrap();
    sim
}

/// Adds a joint of a disc about the origin and z of a body, on the plane of `frame`.
fn roll(sim: &mut Simulation, on: Id, frame: &[f64; 7], body: Id, radius: f64) -> Id {
    let joint = sim.build().add_joint(JointKind::Rolling, on, body, frame, &ORIGIN).unwrap();
    set_joint_radius(sim, joint, radius).unwrap();
    joint
}

/// Centre and orientation, velocities, reaction.
fn sample(sim: &Simulation) -> ([f64; 7], [f64; 6], [f64; 6]) {
    let out = sim.outputs();
    let wrench = out.joint_reaction(0, Frame::Inertial).unwrap();
    (out.body_pose(0).unwrap(), out.body_velocity(0, Frame::Inertial).unwrap(), wrench)
}

/// Height of the lowest point, and the slip there. The vertical velocity there is that of a
/// constraint on positions, which steps leave off by their order.
fn violations(sim: &Simulation) -> [f64; 2] {
    let (at, moving, _) = sample(sim);
    let (v, omega) = halves(moving);
    let rho = lowest(turn(&at));
    let [x, y, _] = add(v, cross(omega, rho));
    [at[2] + rho[2], x.hypot(y)]
}

/// Differences of position, rotation and force from those of another sample.
fn off(sim: &Simulation, at: &[f64; 7], force: V3) -> [f64; 3] {
    let (own, _, wrench) = sample(sim);
    let place_off = distance(place(&own), place(at));
    [place_off, quat_error(turn(&own), turn(at)), distance(halves(wrench).0, force)]
}

/// Rates of (x, q, omega) of the free rolling disc: balance of moments about the centre with the
/// force m (a - g), a = d(rho x omega)/dt.
fn rates(y: &[f64], dy: &mut [f64]) {
    let (q, w) = (unit([y[3], y[4], y[5], y[6]]), [y[7], y[8], y[9]]);
    let (j, rho) = (|a: V3| rotate(q, mul3(&diag(DISC.inertia), unrotate(q, a))), lowest(q));
    // d rho/dt as the axis turns
    let z = rotate(q, Z);
    let dz = cross(w, z);
    let d = sub(Z, scale(z[2], z));
    let dd = scale(-1.0, add(scale(dz[2], z), scale(z[2], dz)));
    let n = scale(1.0 / norm(d), d);
    let drho = scale(-RADIUS / norm(d), sub(dd, scale(dot(n, dd), n)));
    // J dw - m rho x (rho x dw) = m rho x (drho x w - g) - w x J w
    let gravity = [0.0, 0.0, -G];
    let right = sub(scale(MASS, cross(rho, sub(cross(drho, w), gravity))), cross(w, j(w)));
    let columns = [0, 1, 2].map(|k| {
        let mut e = [0.0; 3];
        e[k] = 1.0;
        sub(j(e), scale(MASS, cross(rho, cross(rho, e))))
    });
    let matrix = (0..3).map(|i| columns.iter().map(|column| column[i]).collect()).collect();
    let dw = solve(matrix, right.to_vec());
    let turned = quat_mul([0.0, w[0], w[1], w[2]], q);
    dy[..3].copy_from_slice(&cross(rho, w));
    (0..4).for_each(|k| dy[3 + k] = 0.5 * turned[k]);
    dy[7..].copy_from_slice(&dw);
}

/// Pose and force of the plane after a time, by the method of Runge and Kutta with steps so short
/// that its error is 1e-12.
fn exact(tilt: f64, omega: V3, time: f64) -> ([f64; 7], V3) {
    let (at, _) = start(tilt, omega);
    let mut y = at.to_vec();
    let q = turn(&at);
    y[3..7].copy_from_slice(&q);
    y.extend(omega);
    let end = rk4_samples(|_, y, dy| rates(y, dy), &y, time, 1, 20_000).pop().unwrap();
    let mut dy = [0.0; 10];
    let acceleration = |y: &[f64]| {
        // a = d(rho x omega)/dt by a difference, error 1e-9
        let v = |s: f64| {
            let mut moved = y.to_vec();
            let mut dy = [0.0; 10];
            rates(y, &mut dy);
            moved.iter_mut().zip(dy).for_each(|(x, d)| *x += s * d);
            cross(lowest(unit([moved[3], moved[4], moved[5], moved[6]])), [moved[7], moved[8], moved[9]])
        };
        scale(0.5e5, sub(v(1e-5), v(-1e-5)))
    };
    rates(&end, &mut dy);
    let force = scale(MASS, add(acceleration(&end), [0.0, 0.0, G]));
    (pose([end[0], end[1], end[2]], unit([end[3], end[4], end[5], end[6]])), force)
}

/// A disc that turns and spins: its axis leans between 42 and 70 degrees from the vertical.
const WOBBLE: (f64, V3) = (1.2, [-6.0, 1.0, -5.0]);

/// The spin of a disc that goes round steadily at a rate, and the distance of its centre from the
/// centre of its path: balance of moments about the horizontal diameter.
fn steady(tilt: f64, rate: f64) -> (V3, f64) {
    let (s, c) = tilt.sin_cos();
    let inertia = (AXIAL + MASS * RADIUS * RADIUS) * rate * s;
    let spin = (ACROSS * rate * rate * s * c - MASS * RADIUS * G * c) / inertia;
    // omega = spin along the axis, -rate sin(tilt) along the steepest diameter
    let omega = add(scale(spin, [s, 0.0, c]), scale(-rate * s, [c, 0.0, -s]));
    (omega, -RADIUS * spin / rate)
}

#[test]
fn an_upright_wheel_rolls_straight_on() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4", "ab3", "midpoint3"] {
        // about y, with its axis along -x or y: v = omega r
        let (q, speed) = (quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]), 3.0);
        let mut sim = system([0.0, 0.0, -G]);
        sim.settings().set_scheme(scheme).unwrap();
        let omega = [0.0, speed / RADIUS, 0.0];
        let body = DISC.add(&mut sim, &pose([0.0, 0.0, RADIUS], q), &join([speed, 0.0, 0.0], omega));
        roll(&mut sim, GROUND, &ORIGIN, body, RADIUS);
        sim.initialize(0.0).unwrap();
        for _ in 0..200 {
            sim.step(0.01).unwrap();
        }
        let turned = quat_mul(quat_exp(scale(2.0, omega)), q);
        // Rotations about a fixed axis are exact in the implicit schemes; rk4 and ab3 err by
        // (omega h)^4 and (omega h)^3.
        let tolerance = if scheme == "ab3" { 1e-4 } else { 1e-6 };
        let expected = pose([speed * 2.0, 0.0, RADIUS], turned);
        let [x, turn, force] = off(&sim, &expected, [0.0, 0.0, MASS * G]);
        assert!(x < 1e-9 && turn < tolerance && force < 1e-7, "{scheme}: {x:e} {turn:e} {force:e}");
        let [height, slip] = violations(&sim);
        assert!(height.abs() < 1e-12 && slip < 1e-9, "{scheme}: {height:e} {slip:e}");
    }
}

#[test]
fn a_leaning_disc_goes_round_in_a_circle() {
    let (tilt, rate, time) = (1.1, 1.7, 1.5);
    let (omega, reach) = steady(tilt, rate);
    let table = [0.01, 0.005, 0.0025].map(|h: f64| {
        let mut sim = disc("generalized-alpha", &[], tilt, omega);
        for _ in 0..(time / h).round() as usize {
            sim.step(h).unwrap();
        }
        let (s, c) = (rate * time).sin_cos();
        let (at, _, wrench) = sample(&sim);
        // The centre of the path is at (-reach, 0).
        let centre = [reach * (c - 1.0), reach * s, start(tilt, omega).0[2]];
        let force = [-MASS * rate * rate * reach * c, -MASS * rate * rate * reach * s, MASS * G];
        let axis = rotate(quat_exp([0.0, 0.0, rate * time]), [tilt.sin(), 0.0, tilt.cos()]);
        let error = distance(place(&at), centre) + distance(rotate(turn(&at), Z), axis);
        assert!(distance(halves(wrench).0, force) < 3e3 * h * h * error.max(1e-2), "{:?} {force:?}", halves(wrench).0);
        (h, error)
    });
    assert_order("steady circle", &table, 2.0, 0.05);
}

#[test]
fn every_scheme_wobbles_with_second_order() {
    let (tilt, omega) = WOBBLE;
    let time = 0.8;
    let (at, force) = exact(tilt, omega, time);
    let cases: [(&str, &[(&str, f64)]); 6] = [
        ("generalized-alpha", &[]),
        ("generalized-alpha", &[("rho_inf", 1.0)]),
        ("generalized-alpha", &[("rho_inf", 0.2)]),
        ("momentum-alpha", &[]),
        ("newmark", &[("newmark_gamma", 0.5)]),
        ("hht", &[]),
    ];
    for (scheme, options) in cases {
        let runs = [8e-3, 4e-3, 2e-3].map(|h: f64| {
            let mut sim = disc(scheme, options, tilt, omega);
            for _ in 0..(time / h).round() as usize {
                sim.step(h).unwrap();
                let [height, slip] = violations(&sim);
                assert!(height.abs() < 1e-10 && slip < 1e-8, "{scheme} {options:?}: {height:e} {slip:e}");
            }
            (h, off(&sim, &at, force))
        });
        for (k, what) in ["place", "rotation", "force"].iter().enumerate() {
            let table = runs.map(|(h, off)| (h, off[k]));
            assert_order(&format!("{what} by {scheme} {options:?}"), &table, 2.0, 0.2);
        }
    }
}

#[test]
fn explicit_schemes_have_their_orders() {
    let (tilt, omega) = WOBBLE;
    let (at, force) = exact(tilt, omega, 0.8);
    for (scheme, order) in [("rk2", 2.0), ("rk4", 4.0), ("ab3", 3.0)] {
        let table = [8e-3, 4e-3, 2e-3].map(|h: f64| {
            let mut sim = disc(scheme, &[], tilt, omega);
            for _ in 0..(0.8 / h).round() as usize {
                sim.step(h).unwrap();
            }
            let [place, turn, _] = off(&sim, &at, force);
            (h, place + turn)
        });
        assert_order(scheme, &table, order, 0.3);
    }
}

#[test]
fn changing_steps_keep_the_order() {
    let (tilt, omega) = WOBBLE;
    let (at, force) = exact(tilt, omega, 0.81);
    for rho in [0.8, 1.0] {
        let runs = [9e-3, 4.5e-3, 2.25e-3].map(|h: f64| {
            let mut sim = disc("generalized-alpha", &[("rho_inf", rho)], tilt, omega);
            for k in 0..(2.0 * 0.81 / h).round() as usize {
                sim.step([2.0 / 3.0, 1.0 / 3.0][k % 2] * h).unwrap();
            }
            (h, off(&sim, &at, force))
        });
        // Forces end with a short step.
        for (k, margin) in [0.25, 0.25, 0.5].into_iter().enumerate() {
            assert_order(&format!("rho_inf {rho}, part {k}"), &runs.map(|(h, off)| (h, off[k])), 2.0, margin);
        }
    }
}

#[test]
fn rolling_does_no_work() {
    let (tilt, omega) = WOBBLE;
    let energy = |sim: &Simulation| {
        let (at, moving, _) = sample(sim);
        let (v, w) = halves(moving);
        let w = unrotate(turn(&at), w);
        0.5 * MASS * dot(v, v) + 0.5 * dot(w, mul3(&diag(DISC.inertia), w)) + MASS * G * at[2]
    };
    let table = [0.01, 0.005, 0.0025].map(|h: f64| {
        let mut sim = disc("generalized-alpha", &[("rho_inf", 1.0)], tilt, omega);
        let begin = energy(&sim);
        let mut worst = 0.0f64;
        for _ in 0..(5.0 / h).round() as usize {
            sim.step(h).unwrap();
            worst = worst.max((energy(&sim) / begin - 1.0).abs());
        }
        (h, worst)
    });
    assert_order("energy", &table, 2.0, 0.3);
}

#[test]
fn a_wheel_rolls_down_a_slope() {
    let slope = 0.3f64;
    // z of the plane leans; the wheel turns about y
    let frame = pose([0.1, -0.2, 0.4], quat_exp([0.0, slope, 0.0]));
    let along = rotate(turn(&frame), [1.0, 0.0, 0.0]);
    let normal = rotate(turn(&frame), Z);
    let q = quat_mul(turn(&frame), quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]));
    let centre = add(place(&frame), scale(RADIUS, normal));
    let mut sim = system([0.0, 0.0, -G]);
    let body = DISC.add(&mut sim, &pose(centre, q), &[0.0; 6]);
    roll(&mut sim, GROUND, &frame, body, RADIUS);
    sim.initialize(0.0).unwrap();
    let acceleration = G * slope.sin() / (1.0 + AXIAL / (MASS * RADIUS * RADIUS));
    for k in 1..=100 {
        sim.step(0.01).unwrap();
        let t = 0.01 * f64::from(k);
        let (at, _, wrench) = sample(&sim);
        let gone = scale(0.5 * acceleration * t * t, along);
        // Constant accelerations are integrated without error.
        assert_close("place", &place(&at), &add(centre, gone), 1e-9);
        let friction = -AXIAL / (RADIUS * RADIUS) * acceleration;
        let force = add(scale(MASS * G * slope.cos(), normal), scale(friction, along));
        let (f, m) = halves(wrench);
        assert_close("force", &f, &force, 1e-7);
        // about the centre, where the force of the plane acts below
        assert_close("moment", &m, &cross(scale(-RADIUS, normal), force), 1e-7);
    }
    // The ground has the opposite wrench, about the origin of its frame.
    let on_a = sim.outputs().joint_reaction_on_a(0, Frame::Inertial).unwrap();
    let (at, _, wrench) = sample(&sim);
    let sum = [about_origin(place(&frame), on_a), about_origin(place(&at), wrench)];
    assert_close("action", &sum[0], &sum[1].map(|x| -x), 1e-9);
}

#[test]
fn rolling_does_not_depend_on_place_direction_and_units() {
    let (tilt, omega) = WOBBLE;
    let run = |frame: &[f64; 7], unit: f64| {
        let mut sim = system(scale(unit, rotate(turn(frame), [0.0, 0.0, -G])));
        let (at, moving) = start(tilt, omega);
        let (v, w) = halves(moving);
        let at = pose(scale(unit, place(&at)), turn(&at));
        let moving = join(scale(unit, rotate(turn(frame), v)), rotate(turn(frame), w));
        let disc = Solid { inertia: scale(unit * unit, DISC.inertia), ..DISC };
        let body = disc.add(&mut sim, &compose(frame, &at), &moving);
        roll(&mut sim, GROUND, frame, body, unit * RADIUS);
        sim.initialize(0.0).unwrap();
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        let (at, _, wrench) = sample(&sim);
        let at = localize(frame, &at);
        let force = scale(1.0 / unit, unrotate(turn(frame), halves(wrench).0));
        (pose(scale(1.0 / unit, place(&at)), turn(&at)), force)
    };
    let (at, force) = run(&ORIGIN, 1.0);
    let turned = quat_exp([0.7, -1.1, 0.4]);
    // At 1e6 m positions are rounded by 1e-10, which steps of 10 ms make 1e-6 of accelerations.
    for (frame, unit, tolerance) in [
        (pose([1.0, -2.0, 3.0], turned), 1.0, 1e-8),
        (ORIGIN, 1e3, 1e-8),
        (ORIGIN, 1e-3, 1e-8),
        (pose([1e6, -1e6, 1e6], turned), 1.0, 1e-6),
    ] {
        let (there, other) = run(&frame, unit);
        let off = [distance(place(&at), place(&there)), quat_error(turn(&at), turn(&there)), distance(force, other)];
        assert!(off[0] < tolerance && off[1] < tolerance && off[2] < 1e3 * tolerance, "{frame:?} {unit}: {off:?}");
    }
}

#[test]
fn trials_and_saved_states_repeat_to_the_bit() {
    let (tilt, omega) = WOBBLE;
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let mut sim = disc(scheme, &[], tilt, omega);
        let ahead = |sim: &mut Simulation, steps: usize| {
            (0..steps).for_each(|_| sim.step(0.01).unwrap());
            sample(sim)
        };
        ahead(&mut sim, 20);
        let saved = sim.save().unwrap();
        sim.advance(0.02).unwrap();
        sim.reject().unwrap();
        let end = ahead(&mut sim, 20);
        let mut other = disc(scheme, &[], tilt, omega);
        other.restore(&other.deserialize(&saved.to_bytes()).unwrap()).unwrap();
        assert_eq!(ahead(&mut other, 20), end, "{scheme}");
    }
}

/// A cart of two wheels on one axle along y, on an axle body with its centre of mass there.
fn cart(slope: f64, rates: [f64; 2]) -> Simulation {
    let mut sim = system(rotate(quat_exp([0.0, -slope, 0.0]), [0.0, 0.0, -G]));
    let axle = Solid { mass: 3.0, com: [0.0; 3], inertia: [0.2, 0.1, 0.3] };
    let speed = 0.5 * RADIUS * (rates[0] + rates[1]);
    let yaw = RADIUS * (rates[1] - rates[0]) / (2.0 * HALF);
    let moving = |y: f64, spin: f64| join([speed - yaw * y, 0.0, 0.0], [0.0, spin, yaw]);
    let body = axle.add(&mut sim, &pose([0.0, 0.0, RADIUS], UNROTATED), &moving(0.0, 0.0));
    for (y, rate) in [(HALF, rates[0]), (-HALF, rates[1])] {
        let q = quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
        let wheel = DISC.add(&mut sim, &pose([0.0, y, RADIUS], q), &moving(y, rate));
        sim.build().add_joint_at(JointKind::Revolute, body, wheel, &[0.0, y, RADIUS], Some(&[0.0, 1.0, 0.0])).unwrap();
        roll(&mut sim, GROUND, &ORIGIN, wheel, RADIUS);
    }
    sim.initialize(0.0).unwrap();
    // 18 freedoms; two axles and two discs, one of whose slips sideways follows from the other.
    assert_eq!(sim.outputs().statistic("constraints").unwrap(), 15.0);
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 1.0);
    sim
}

const HALF: f64 = 0.4;

#[test]
fn a_cart_rolls_down_a_slope_on_two_wheels() {
    let mut sim = cart(0.2, [0.0; 2]);
    for _ in 0..100 {
        sim.step(0.01).unwrap();
    }
    let mass = 3.0 + 2.0 * MASS;
    let acceleration = mass * G * 0.2f64.sin() / (mass + 2.0 * AXIAL / (RADIUS * RADIUS));
    let at = sim.outputs().body_pose(0).unwrap();
    assert_close("place", &place(&at), &[0.5 * acceleration, 0.0, RADIUS], 1e-9);
}

/// Wheels at different speeds lead it round a circle for ever, over any angle of the heading.
#[test]
fn a_cart_turns_round_and_round() {
    let table = [0.02, 0.01, 0.005].map(|h: f64| {
        let mut sim = cart(0.0, [3.0, 5.0]);
        let (speed, yaw) = (4.0 * RADIUS, RADIUS * 2.0 / (2.0 * HALF));
        for _ in 0..(8.0 / h).round() as usize {
            sim.step(h).unwrap();
        }
        let (s, c) = (8.0 * yaw).sin_cos();
        let at = sim.outputs().body_pose(0).unwrap();
        (h, distance(place(&at), [speed / yaw * s, speed / yaw * (1.0 - c), RADIUS]))
    });
    assert_order("circle of a cart", &table, 2.0, 0.1);
}

/// Two wheels that steer by themselves do not slip sideways while both point ahead; then one of
/// these slips follows from the other, and steering contradicts that.
#[test]
fn wheels_that_leave_a_singular_position_are_told() {
    let mut sim = system([0.0, 0.0, -G]);
    let car = Solid { mass: 10.0, com: [0.0; 3], inertia: [1.0, 2.0, 2.0] };
    let body = car.add(&mut sim, &pose([0.0, 0.0, RADIUS], UNROTATED), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let q = quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    for (x, y, steers) in [(-1.0, HALF, false), (-1.0, -HALF, false), (1.0, HALF, true), (1.0, -HALF, true)] {
        let at = [x, y, RADIUS];
        let moving = [1.0, 0.0, 0.0, 0.0, 1.0 / RADIUS, 0.0];
        let wheel = DISC.add(&mut sim, &pose(at, q), &moving);
        let mut on = body;
        if steers {
            let fork = Solid { mass: 0.5, com: [0.0; 3], inertia: [0.01; 3] };
            on = fork.add(&mut sim, &pose(at, UNROTATED), &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
            sim.build().add_joint_at(JointKind::Revolute, body, on, &at, Some(&Z)).unwrap();
        }
        sim.build().add_joint_at(JointKind::Revolute, on, wheel, &at, Some(&[0.0, 1.0, 0.0])).unwrap();
        roll(&mut sim, GROUND, &ORIGIN, wheel, RADIUS);
        if steers && y > 0.0 {
            sim.inputs().set_body_load(on, Frame::Inertial, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
        }
    }
    sim.initialize(0.0).unwrap();
    let failed = (0..300).find_map(|_| sim.step(0.01).err());
    assert!(
        matches!(&failed, Some(Error::RedundantConstraints { detail }) if detail.contains("ROLLING")),
        "{failed:?}"
    );
}

#[test]
fn a_wheel_follows_a_plane_that_moves() {
    let part = 1.0 / (1.0 + MASS * RADIUS * RADIUS / AXIAL);
    let q = quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    // A plate that a force moves, and one whose motion is imposed.
    for imposed in [false, true] {
        let mut sim = system([0.0, 0.0, -G]);
        let plate = Solid { mass: 5.0, com: [0.0; 3], inertia: [1.0, 1.0, 1.0] };
        let under = plate.add(&mut sim, &ORIGIN, &[0.0; 6]);
        let wheel = DISC.add(&mut sim, &pose([0.0, 0.0, RADIUS], q), &[0.0; 6]);
        roll(&mut sim, under, &ORIGIN, wheel, RADIUS);
        // The wheel takes the force part m A.
        let plate_rate = 3.0;
        if imposed {
            sim.build().set_body_prescribed(under, true).unwrap();
            let rate = [plate_rate, 0.0, 0.0, 0.0, 0.0, 0.0];
            sim.inputs().set_body_motion(under, &ORIGIN, &[0.0; 6], &rate).unwrap();
        } else {
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, under, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
            let force = (5.0 + part * MASS) * plate_rate;
            sim.inputs().set_body_load(under, Frame::Inertial, &[force, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        }
        sim.initialize(0.0).unwrap();
        for k in 1..=50 {
            let t = 0.01 * f64::from(k);
            if imposed {
                let at = pose([0.5 * plate_rate * t * t, 0.0, 0.0], UNROTATED);
                let (v, a) = ([plate_rate * t, 0.0, 0.0, 0.0, 0.0, 0.0], [plate_rate, 0.0, 0.0, 0.0, 0.0, 0.0]);
                sim.inputs().set_body_motion(under, &at, &v, &a).unwrap();
            }
            sim.step(0.01).unwrap();
        }
        let [plate, wheel] = [under, wheel].map(|body| place(&sim.outputs().body_pose(body).unwrap()));
        assert_close("plate", &plate, &[0.5 * plate_rate * 0.25, 0.0, 0.0], 1e-9);
        assert_close("wheel", &wheel, &[0.5 * part * plate_rate * 0.25, 0.0, RADIUS], 1e-9);
        let force = halves(sim.outputs().joint_reaction(0, Frame::Inertial).unwrap()).0;
        assert_close("force", &force, &[MASS * part * plate_rate, 0.0, MASS * G], 1e-7);
    }
}

/// A wheel on a spring along x, from its centre.
fn sprung() -> Simulation {
    let mut sim = system([0.0, 0.0, -G]);
    let q = quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]);
    let body = DISC.add(&mut sim, &pose([0.2, 0.0, RADIUS], q), &[0.0; 6]);
    roll(&mut sim, GROUND, &ORIGIN, body, RADIUS);
    // Held upright on its track.
    sim.build()
        .add_joint(
            JointKind::Planar,
            GROUND,
            body,
            &pose([0.0; 3], quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0])),
            &ORIGIN,
        )
        .unwrap();
    let bushing = diagonal([80.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    sim.elements()
        .add_bushing(
            GROUND,
            body,
            &pose([0.0, 0.0, RADIUS], UNROTATED),
            &pose([0.0; 3], conjugate(q)),
            &bushing,
            &[0.0; 36],
        )
        .unwrap();
    sim
}

#[test]
fn analyses_hold_a_disc_that_does_not_turn() {
    let mut sim = sprung();
    sim.initialize(0.0).unwrap();
    let effective = MASS + AXIAL / (RADIUS * RADIUS);
    // It rolls to the balance of its spring.
    sim.solve_equilibrium(100, 1e-10).unwrap();
    let at = sim.outputs().body_pose(0).unwrap();
    assert_close("balance", &place(&at), &[0.0, 0.0, RADIUS], 1e-9);
    let turned = quat_mul(quat_exp([0.0, -0.2 / RADIUS, 0.0]), quat_exp([-std::f64::consts::FRAC_PI_2, 0.0, 0.0]));
    assert!(quat_error(turn(&at), turned) < 1e-6, "{at:?}");
    let (modes, _) = sim.analysis().modes().unwrap();
    let frequency = (80.0 / effective).sqrt() / std::f64::consts::TAU;
    assert!(modes.iter().any(|mode| (mode.frequency / frequency - 1.0).abs() < 1e-9), "{frequency} {modes:?}");
    // It oscillates at that frequency; a linear model of the motion is refused.
    let load = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(0, Frame::Inertial, &load).unwrap();
    (0..50).for_each(|_| sim.step(0.01).unwrap());
    let refused = sim.analysis().modes().unwrap_err();
    assert!(matches!(&refused, Error::Unsupported { detail, .. } if detail.contains("joint 0")), "{refused}");
    assert!(matches!(sim.analysis().linearize(&[0], &[], &[]), Err(Error::Unsupported { .. })));
}

#[test]
fn option_assemble_moves_a_disc_to_its_plane() {
    let (tilt, omega) = (1.3, [0.0; 3]);
    let mut sim = system([0.0, 0.0, -G]);
    let (at, _) = start(tilt, omega);
    let lifted = pose(add(place(&at), [0.0, 0.0, 0.05]), turn(&at));
    let body = DISC.add(&mut sim, &lifted, &[0.1, 0.0, 0.0, 0.0, 0.0, 0.0]);
    roll(&mut sim, GROUND, &ORIGIN, body, RADIUS);
    let refused = sim.initialize(0.0).unwrap_err();
    assert!(
        matches!(&refused, Error::InconsistentState { detail } if detail.contains("joint 0 (ROLLING")),
        "{refused}"
    );
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    let [height, slip] = violations(&sim);
    assert!(height.abs() < 1e-12 && slip < 1e-12, "{height:e} {slip:e}");
}

#[test]
fn bad_discs_are_refused_with_their_names() {
    let (at, moving) = start(1.2, [0.0; 3]);
    let mut sim = system([0.0, 0.0, -G]);
    let body = DISC.add(&mut sim, &at, &moving);
    let refused = sim.build().add_joint_at(JointKind::Rolling, GROUND, body, &[0.0; 3], Some(&Z)).unwrap_err();
    assert!(refused.to_string().contains("between a plane and a disc"), "{refused}");
    let joint = sim.build().add_joint(JointKind::Rolling, GROUND, body, &ORIGIN, &ORIGIN).unwrap();
    for radius in [0.0, -1.0] {
        let refused = set_joint_radius(&mut sim, joint, radius).unwrap_err();
        assert!(matches!(refused, Error::BadValue { argument: "radius", .. }), "{refused}");
    }
    for radius in [f64::NAN, f64::INFINITY] {
        assert!(matches!(set_joint_radius(&mut sim, joint, radius), Err(Error::NotFinite { .. })));
    }
    let missing = sim.initialize(0.0).unwrap_err();
    assert!(missing.to_string().contains("pintle_set_joint_radius"), "{missing}");
    // 0.6 m in place of 0.5 m: under the plane
    set_joint_radius(&mut sim, joint, 0.6).unwrap();
    let gap = sim.initialize(0.0).unwrap_err();
    assert!(matches!(&gap, Error::InconsistentState { detail } if detail.contains("joint 0 (ROLLING")), "{gap}");
    set_joint_radius(&mut sim, joint, RADIUS).unwrap();
    assert_eq!(joint_radius(&sim, joint), Ok(RADIUS));
    sim.build().set_body_velocity(body, &[0.3, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let slips = sim.initialize(0.0).unwrap_err();
    assert!(matches!(&slips, Error::InconsistentState { detail } if detail.contains("joint 0 (ROLLING")), "{slips}");
    sim.build().set_body_velocity(body, &[0.0; 6]).unwrap();
    sim.initialize(0.0).unwrap();

    let mut flat = system([0.0, 0.0, -G]);
    let body = DISC.add(&mut flat, &ORIGIN, &[0.0; 6]);
    roll(&mut flat, GROUND, &ORIGIN, body, RADIUS);
    let refused = flat.initialize(0.0).unwrap_err();
    assert!(matches!(&refused, Error::InconsistentState { detail } if detail.contains("flat")), "{refused}");
}

/// A disc that does not spin falls over, and its lowest point goes round ever faster: no step ends
/// with it flat.
#[test]
fn a_disc_that_falls_flat_ends_the_run_with_its_name() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let mut sim = disc(scheme, &[], 1.0, [0.0; 3]);
        let failed = (0..500).find_map(|_| sim.step(0.01).err());
        let error = failed.unwrap_or_else(|| panic!("{scheme}: {:?}", sample(&sim))).to_string();
        println!("{scheme}: {error}");
        assert!(error.contains("joint 0 (ROLLING") || error.contains("body 0"), "{scheme}: {error}");
        // The energy is that of the start: no step went through where it lies flat.
        let (at, moving, _) = sample(&sim);
        let (v, w) = halves(moving);
        let w = unrotate(turn(&at), w);
        let energy = 0.5 * MASS * dot(v, v) + 0.5 * dot(w, mul3(&diag(DISC.inertia), w)) + MASS * G * at[2];
        let before = MASS * G * start(1.0, [0.0; 3]).0[2];
        assert!((energy / before - 1.0).abs() < 0.02, "{scheme}: {energy} {before}");
    }
}

#[test]
fn compliance_is_the_derivative_of_a_tried_step() {
    let (tilt, omega) = WOBBLE;
    for scheme in ["generalized-alpha", "momentum-alpha"] {
        let mut sim = disc(scheme, &[], tilt, omega);
        (0..20).for_each(|_| sim.step(0.01).unwrap());
        sim.advance(0.01).unwrap();
        let found = sim.analysis().body_compliance(&[0], 0.01).unwrap();
        for column in 0..6 {
            let mut at = |load: f64| {
                let mut wrench = [0.0; 6];
                wrench[column] = load;
                sim.inputs().set_body_load(0, Frame::Inertial, &wrench).unwrap();
                sim.advance(0.01).unwrap();
                sim.inputs().set_body_load(0, Frame::Inertial, &[0.0; 6]).unwrap();
                let out = sim.outputs();
                [out.body_acceleration(0, Frame::Inertial).unwrap(), out.body_velocity(0, Frame::Inertial).unwrap()]
            };
            // 1e-2 N move it by 1e-2 h^2/m = 1e-7: the third derivative is 1e-14 of the first.
            let (plus, minus) = (at(1e-2), at(-1e-2));
            for (k, (plus, minus)) in plus.iter().zip(&minus).enumerate() {
                let size = found[k].iter().fold(0.0f64, |size, x| size.max(x.abs()));
                for row in 0..6 {
                    let difference = (plus[row] - minus[row]) / 2e-2;
                    let entry = found[k][row + 6 * column];
                    assert!(
                        (entry - difference).abs() < 1e-5 * size,
                        "{scheme} {k} [{row},{column}]: {entry} {difference}"
                    );
                }
            }
        }
    }
}
