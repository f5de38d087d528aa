//! Springs: the discrete solution itself, frequency error, decay, slack lines, springs between free
//! bodies.

use crate::common::*;
use pintle::{Frame, GROUND, Id, Simulation};

const MASS: f64 = 2.0;
const STIFFNESS: f64 = 50.0; // w = 5 rad/s
const REST: f64 = 1.5;

/// A mass on the x axis, held by a spring to the origin; x0 from the rest length.
fn oscillator(options: &[(&str, f64)], damping: f64, tension_only: bool, x0: f64, v0: f64) -> (Simulation, Id, Id) {
    let mut sim = Simulation::new();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let at = pose([REST + x0, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    let spring =
        sim.elements().add_spring(GROUND, &[0.0; 3], body, &[0.0; 3], STIFFNESS, damping, REST, tension_only).unwrap();
    sim.build().set_body_velocity(body, &[v0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    (sim, body, spring)
}

/// Stretch and its rate.
fn state(sim: &Simulation, body: Id) -> (f64, f64) {
    (sim.outputs().body_pose(body).unwrap()[0] - REST, sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0])
}

#[test]
fn undamped_scheme_with_plain_start_is_the_trapezoidal_rule_on_a_spring() {
    // rho_inf = 1: alpha_m = alpha_f = 1/2, beta = 1/4, gamma = 1/2, so with a0 = v'0 the averages
    // of a and v' agree and x+ = x + h (v + v+)/2, v+ = v + h (v' + v'+)/2: solved here in closed
    // form. Equal up to rounding, also with damping.
    let (h, c) = (0.05, 1.3);
    let (x0, v0) = (0.2, -0.7);
    let options = [("rho_inf", 1.0), ("initial_acceleration", 1.0)];
    let (mut sim, body, _) = oscillator(&options, c, false, x0, v0);
    let acceleration = -(STIFFNESS * x0 + c * v0) / MASS;
    sim.build().set_body_acceleration(body, &[acceleration, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    let (mut x, mut v) = (x0, v0);
    for n in 0..400 {
        // M (v+ - v) = -h/2 (k (x + x+) + c (v + v+)), x+ = x + h/2 (v + v+)
        let left = MASS + 0.5 * h * c + 0.25 * h * h * STIFFNESS;
        let next = ((MASS - 0.5 * h * c - 0.25 * h * h * STIFFNESS) * v - h * STIFFNESS * x) / left;
        x += 0.5 * h * (v + next);
        v = next;
        sim.step(h).unwrap();
        let got = state(&sim, body);
        // rounding of the position 1.5 (3e-16) over 400 steps
        assert_close(&format!("step {n}"), &[got.0, got.1], &[x, v], 1e-12);
    }
}

#[test]
fn frequency_error_is_that_of_generalized_alpha() {
    let w = (STIFFNESS / MASS).sqrt();
    for rho in [0.3, 0.5, 0.8, 0.9, 1.0] {
        let (mut sim, body, _) = oscillator(&[("rho_inf", rho)], 0.0, false, 0.2, 0.0);
        sim.initialize(0.0).unwrap();
        let h = 0.05 / w;
        let steps = 4000; // 200 rad
        for _ in 0..steps {
            sim.step(h).unwrap();
        }
        let (x, v) = state(&sim, body);
        let exact = w * h * steps as f64;
        let phase = (-v / w).atan2(x);
        let tau = std::f64::consts::TAU;
        let lag = (phase - exact + 0.5 * tau).rem_euclid(tau) - 0.5 * tau;
        let kappa = lag / exact / (w * h).powi(2);
        println!("rho {rho}: kappa {kappa:.5}, expected {:.5}", frequency_error(rho));
        // next terms: (w h)^2 = 0.25 % and what start and reading of the phase contribute, (w h)^2
        // rad once, 1/200 of the sum
        assert!((kappa / frequency_error(rho) - 1.0).abs() < 0.04, "rho {rho}: {kappa} != {}", frequency_error(rho));
        // numerical damping is of third order: amplitude within (w h)^3 * 200 rad = 2.5 %; none at
        // rho 1
        let amplitude = (x * x + v * v / (w * w)).sqrt() / 0.2;
        let loss = if rho == 1.0 { (w * h).powi(2) } else { 0.025 };
        assert!((amplitude - 1.0).abs() < loss, "rho {rho}: amplitude {amplitude}");
    }
}

#[test]
fn damped_spring_decays_at_second_order() {
    // x = e^(-d t) (x0 cos(p t) + (v0 + d x0)/p sin(p t)), d = c/2m, p^2 = k/m - d^2
    let (c, x0, v0) = (3.0, 0.2, 0.5);
    let d = c / (2.0 * MASS);
    let p = (STIFFNESS / MASS - d * d).sqrt();
    for rho in [0.5, 0.8, 1.0] {
        let run = |h: f64| {
            let (mut sim, body, spring) = oscillator(&[("rho_inf", rho)], c, false, x0, v0);
            sim.initialize(0.0).unwrap();
            let mut worst = 0.0f64;
            for n in 1..=(2.0 / h).round() as usize {
                sim.step(h).unwrap();
                let t = n as f64 * h;
                let exact = (-d * t).exp() * (x0 * (p * t).cos() + (v0 + d * x0) / p * (p * t).sin());
                let (x, v) = state(&sim, body);
                worst = worst.max((x - exact).abs());
                // tension = k stretch + c rate, of the end of the step
                let (length, tension) = sim.outputs().spring_force(spring).unwrap();
                assert_close("length", &[length], &[REST + x], 1e-13);
                assert_close("tension", &[tension], &[STIFFNESS * x + c * v], 1e-11);
            }
            (h, worst)
        };
        assert_order(&format!("damped spring, rho {rho}"), &[0.02, 0.01, 5e-3, 2.5e-3].map(run), 2.0, 0.1);
    }
}

#[test]
fn stiff_mode_with_initial_velocity_stays_bounded() {
    // w h = 100, set moving at v0: a stable scheme takes the first step with its v0 (x <= h v0) and
    // damps from there. A start that corrects v0 by h^2 v0'' = -(w h)^2 v0 times 1/12 would throw
    // it 800 times as far.
    for rho in [0.0, 0.5, 0.8, 1.0] {
        let h = 100.0 / (STIFFNESS / MASS).sqrt();
        let (mut sim, body, _) = oscillator(&[("rho_inf", rho)], 0.0, false, 0.0, 1e-3);
        sim.initialize(0.0).unwrap();
        let mut largest = 0.0f64;
        for _ in 0..50 {
            sim.step(h).unwrap();
            largest = largest.max(state(&sim, body).0.abs());
        }
        assert!(largest < 2.0 * h * 1e-3, "rho {rho}: thrown to {largest}, h v0 = {}", h * 1e-3);
    }
}

#[test]
fn slack_line_pulls_only_when_taut() {
    let (v0, h) = (1.0, 2e-3);
    let w = (STIFFNESS / MASS).sqrt();
    let (mut sim, body, line) = oscillator(&[("rho_inf", 0.8)], 0.0, true, -0.5, v0);
    sim.initialize(0.0).unwrap();
    let (mut was_taut, mut longest) = (false, 0.0f64);
    while sim.time().unwrap() < 0.5 + std::f64::consts::PI / w + 0.1 {
        sim.step(h).unwrap();
        let (x, v) = state(&sim, body);
        let (length, tension) = sim.outputs().spring_force(line).unwrap();
        assert_close("length", &[length], &[REST + x], 1e-13);
        if x <= 0.0 {
            assert_eq!(tension, 0.0, "slack at stretch {x}");
            if !was_taut {
                assert_close("free flight", &[v], &[v0], 1e-13);
            }
        } else {
            was_taut = true;
            assert_close("tension", &[tension], &[STIFFNESS * x], 1e-11);
        }
        longest = longest.max(x);
    }
    let (x, v) = state(&sim, body);
    assert!(was_taut && x < 0.0, "it came back: {x}");
    // the steps in which it tightens and slackens see a kink: impulse error up to k (v h) h each,
    // i.e. v0 (w h)^2 twice, and the numerical damping of half a period, (w h)^3
    let tolerance = 2.0 * v0 * (w * h).powi(2) + (w * h).powi(3);
    assert_close("bounced speed", &[v], &[-v0], tolerance);
    // the largest stretch is sampled: v0/w (1 - (w h)^2/8), plus the same kink
    assert_close("largest stretch", &[longest], &[v0 / w], (0.125 + 1.0) * v0 / w * (w * h).powi(2));
}

#[test]
fn damped_slack_line_never_pushes() {
    // shortening fast while barely stretched: k x + c v < 0 must not become compression
    let (mut sim, body, line) = oscillator(&[], 40.0, true, 0.05, -2.0);
    sim.initialize(0.0).unwrap();
    for _ in 0..100 {
        sim.step(1e-3).unwrap();
        let (x, v) = state(&sim, body);
        let (_, tension) = sim.outputs().spring_force(line).unwrap();
        assert!(tension >= 0.0, "tension {tension} at stretch {x}, rate {v}");
        if x <= 0.0 {
            assert_eq!(tension, 0.0);
        }
    }
}

#[test]
fn ordinary_spring_also_pushes() {
    let (mut sim, body, spring) = oscillator(&[], 0.0, false, -0.5, 0.0);
    sim.initialize(0.0).unwrap();
    let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert_close("acceleration", &a[..1], &[STIFFNESS * 0.5 / MASS], 1e-12);
    assert_close("tension", &[sim.outputs().spring_force(spring).unwrap().1], &[-STIFFNESS * 0.5], 1e-12);
    // energy: T + k x^2 / 2
    let (t, v) = sim.outputs().energy().unwrap();
    assert_close("energy", &[t, v], &[0.0, 0.5 * STIFFNESS * 0.25], 1e-12);
}

// ---- between two free bodies -----------------------------------------------------------------------------------------

struct Free {
    mass: f64,
    com: V3,
    inertia: V3,
    pose: [f64; 7],
    velocity: [f64; 6],
    point: V3,
}

#[test]
fn spring_between_spinning_bodies_follows_runge_kutta() {
    let bodies = [
        Free {
            mass: 1.2,
            com: [0.1, 0.0, -0.05],
            inertia: [0.2, 0.25, 0.3],
            pose: pose([0.0; 3], unit([0.9, 0.1, 0.3, -0.2])),
            velocity: [0.1, 0.2, -0.1, 0.5, -0.8, 1.0],
            point: [0.3, 0.2, 0.1],
        },
        Free {
            mass: 0.7,
            com: [0.0; 3],
            inertia: [0.1, 0.12, 0.15],
            pose: pose([2.0, 0.5, -0.3], unit([0.4, -0.6, 0.5, 0.2])),
            velocity: [-0.2, 0.0, 0.3, -1.0, 0.4, 0.2],
            point: [-0.2, 0.3, 0.25],
        },
    ];
    let (k, c, rest) = (30.0, 0.8, 1.4);
    let masses: Vec<M6> = bodies.iter().map(|b| mass_matrix(b.mass, b.com, diag(b.inertia))).collect();
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| {
        let (ya, yb) = y.split_at(BODY);
        let end = |y: &[f64], p: V3| {
            let q = orientation(y);
            (add(position(y), rotate(q, p)), rotate(q, add(linear(y), cross(angular(y), p))))
        };
        let ((xa, va), (xb, vb)) = (end(ya, bodies[0].point), end(yb, bodies[1].point));
        let length = distance(xa, xb);
        let along = scale(1.0 / length, sub(xb, xa));
        let tension = k * (length - rest) + c * dot(along, sub(vb, va));
        for (i, (y, sign)) in [(ya, 1.0), (yb, -1.0)].into_iter().enumerate() {
            let f = unrotate(orientation(y), scale(sign * tension, along));
            let dy = &mut dy[i * BODY..(i + 1) * BODY];
            kirchhoff_rate(&masses[i], y, join(f, cross(bodies[i].point, f)), dy);
        }
    };
    let y0 = bodies.iter().flat_map(|b| body_state(&b.pose, &b.velocity)).collect::<Vec<_>>();
    // RK4 at 1.25e-3, rates of 8 rad/s: (0.01)^4/120 * 24 rad = 2e-9
    let exact = rk4_samples(rate, &y0, 2.5e-3, 1200, 2);
    let run = |(dt, stride): (f64, usize)| {
        let mut sim = Simulation::new();
        for (key, value) in [("rho_inf", 0.9), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
            sim.settings().set_option(key, value).unwrap();
        }
        let ids: Vec<Id> = bodies
            .iter()
            .map(|b| {
                let id = sim.build().add_rigid_body(b.mass, &b.com, &six(&diag(b.inertia)), &b.pose).unwrap();
                sim.build().set_body_velocity(id, &b.velocity).unwrap();
                id
            })
            .collect();
        sim.elements().add_spring(ids[0], &bodies[0].point, ids[1], &bodies[1].point, k, c, rest, false).unwrap();
        sim.initialize(0.0).unwrap();
        let linear0 = halves(sim.outputs().momentum(&[0.0; 3]).unwrap()).0;
        let (mut worst, mut drift) = (0.0f64, 0.0f64);
        for n in 1..=1200 / stride {
            sim.step(dt).unwrap();
            for (id, y) in ids.iter().zip(exact[n * stride].chunks(BODY)) {
                let p = sim.outputs().body_pose(*id).unwrap();
                worst = worst.max(distance(place(&p), position(y))).max(quat_error(turn(&p), orientation(y)));
            }
            drift = drift.max(distance(halves(sim.outputs().momentum(&[0.0; 3]).unwrap()).0, linear0));
        }
        (dt, worst, drift)
    };
    let runs = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)].map(run);
    assert_order("bodies on a spring", &runs.map(|(h, e, _)| (h, e)), 2.0, 0.1);
    // the offset centre of mass turns in the first body's equations, so its momentum is exact only
    // to second order as well
    let drifts = runs.map(|(h, _, d)| (h, d));
    assert!(
        drifts[3].1 < drifts[0].1 / 40.0 || drifts[3].1 < 1e-11,
        "linear momentum {drifts:?}: second order gives 1/64"
    );
}
