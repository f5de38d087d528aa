//! Cylinders in water: closed forms of heave, pitch, pendulums, floating attitudes, drag in a
//! current, forces of waves; conservation, invariance, order of convergence.

use crate::common::*;
use pintle::model::{FluidFn, FluidMotion};
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

mod seabed;

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

/// A rod of constant mass per length along its own z axis, end A at its reference point.
#[derive(Clone, Copy)]
struct Rod {
    length: f64,
    diameter: f64,
    /// Mass per length.
    mass: f64,
    segments: i32,
    coefficients: [f64; 4],
}

impl Rod {
    fn area(&self) -> f64 {
        0.25 * PI * self.diameter * self.diameter
    }

    /// Adds it as a body with a cylinder.
    fn add(&self, sim: &mut Simulation, place: V3, turn: Quat) -> Id {
        let (m, r) = (self.mass * self.length, 0.5 * self.diameter);
        let across = m * (r * r / 4.0 + self.length * self.length / 12.0);
        let inertia = six(&diag([across, across, 0.5 * m * r * r]));
        let body = sim.build().add_rigid_body(m, &[0.0, 0.0, 0.5 * self.length], &inertia, &pose(place, turn)).unwrap();
        let ends = [&[0.0; 3], &[0.0, 0.0, self.length]];
        sim.elements().add_cylinder(body, ends, self.diameter, self.segments, self.coefficients).unwrap();
        body
    }
}

fn sea() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_environment("water_density", RHO).unwrap();
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    sim
}

/// Turned by an angle about y from upright: end B towards +x.
fn tilt(angle: f64) -> Quat {
    [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0]
}

/// A hinge about y of a body to the ground.
fn hinge(sim: &mut Simulation, body: Id, place: V3) {
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &place, Some(&[0.0, 1.0, 0.0])).unwrap();
}

/// Angle of the axis of a body from the vertical.
fn angle(sim: &Simulation, body: Id) -> f64 {
    let axis = rotate(turn(&sim.outputs().body_pose(body).unwrap()), [0.0, 0.0, 1.0]);
    axis[0].atan2(axis[2])
}

/// T of heave of an upright rod with one wet end: `2 pi sqrt((w L + rho CaEnd 2/3 pi R^3)/(rho g
/// A))`. The motion is harmonic; trapezoidal steps of h lengthen the period by (w h)^2/12 = 7e-6 of
/// it.
#[test]
fn an_upright_rod_heaves_in_the_period_of_the_closed_form() {
    let (length, diameter): (f64, f64) = (20.0, 1.0);
    let area = 0.25 * PI * diameter * diameter;
    let rod = Rod { length, diameter, mass: 0.6 * RHO * area, segments: 7, coefficients: [0.0, 1.0, 0.0, 0.6] };
    let added = RHO * 0.6 * 2.0 / 3.0 * PI * 0.125;
    let period = TAU * ((rod.mass * length + added) / (RHO * G * area)).sqrt();
    assert!((period - 7.0080864).abs() < 1e-7, "{period}");
    let mut sim = sea();
    let body = rod.add(&mut sim, [0.0, 0.0, -12.0 + 0.5], UNROTATED);
    sim.initialize(0.0).unwrap();
    let h = period / 700.0;
    for _ in 0..700 {
        sim.step(h).unwrap();
    }
    let pose = sim.outputs().body_pose(body).unwrap();
    // The phase error 2 pi (w h)^2/12 = 4e-5 changes the position by its square.
    assert!((pose[2] + 11.5).abs() < 1e-6, "{pose:?}");
}

/// Amplitude 0.1 rad under water, with an added mass that turns with the rod: exact at one segment.
/// `T = 4 sqrt(J/k) K(sin(theta0/2))`.
#[test]
fn a_pendulum_under_water_swings_in_the_period_of_the_closed_form() {
    let rod = Rod { length: 8.0, diameter: 0.5, mass: 400.0, segments: 1, coefficients: [0.0, 1.0, 0.0, 0.0] };
    let (l, r, area) = (rod.length, 0.25, rod.area());
    let j = rod.mass * l * (l * l / 3.0 + r * r / 4.0) + RHO * area * l * l * l / 3.0;
    let k = (rod.mass - RHO * area) * G * l * l / 2.0;
    let theta0: f64 = 0.1;
    // K by the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0, (0.5 * theta0).cos());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let period = 4.0 * (j / k).sqrt() * PI / (2.0 * a);
    assert!((period - 8.0664453).abs() < 2e-7, "{period}");
    let mut sim = sea();
    let start = tilt(PI - theta0);
    let body = rod.add(&mut sim, [0.0, 0.0, -20.0], start);
    hinge(&mut sim, body, [0.0, 0.0, -20.0]);
    sim.initialize(0.0).unwrap();
    // A quarter of the period: it passes the vertical; the error of its time is h^2 w^2/12 of it,
    // 4e-7 of 2 s, times the speed 0.08 rad/s.
    let h = 0.25 * period / 1000.0;
    for _ in 0..1000 {
        sim.step(h).unwrap();
    }
    let left = PI - angle(&sim, body).abs();
    assert!(left.abs() < 3e-7, "{left}");
}

/// A rod hinged at a depth D floats at an angle: exact `U_c + w g L^2/2 = 0` at z_A = -D.
#[test]
fn hinged_rods_float_at_the_exact_angles() {
    for (length, diameter, s, depth, degrees) in
        [(10.0, 0.5, 0.5, 5.0, 44.97313), (10.0, 0.5, 0.7, 6.0, 44.16200), (10.0, 2.0, 0.5, 5.0, 44.56811f64)]
    {
        let area = 0.25 * PI * diameter * diameter;
        let rod = Rod { length, diameter, mass: s * RHO * area, segments: 4, coefficients: [0.0; 4] };
        let mut sim = sea();
        let start = tilt(0.6);
        let body = rod.add(&mut sim, [0.0, 0.0, -depth], start);
        hinge(&mut sim, body, [0.0, 0.0, -depth]);
        sim.initialize(0.0).unwrap();
        let steps = sim.solve_equilibrium(60, 1e-11).unwrap();
        let found = angle(&sim, body).to_degrees();
        assert!((found - degrees).abs() < 1e-5 && steps < 20, "{found} {degrees} in {steps}");
    }
}

/// The spar of the field: added mass, ballast; 6x6 of the free body, whose spin nothing resists.
fn spar(sim: &mut Simulation, place: V3, turn: Quat) -> Id {
    let (d, l, w, ballast): (f64, f64, f64, f64) = (3.0, 20.0, 2000.0, 61434.173);
    let rod = w * l * (d * d / 16.0 + l * l / 12.0 + (0.5 * l) * (0.5 * l));
    let m = w * l + ballast;
    let centre = (w * l * 0.5 * l + ballast * 2.0) / m;
    let about_a = rod + ballast * 4.0 + 4e5;
    let across = about_a - m * centre * centre;
    let inertia = six(&diag([across, across, 0.5 * w * l * d * d / 4.0 + 2e4]));
    let body = sim.build().add_rigid_body(m, &[0.0, 0.0, centre], &inertia, &pose(place, turn)).unwrap();
    sim.elements().add_cylinder(body, [&[0.0; 3], &[0.0, 0.0, l]], d, 10, [0.0, 1.0, 0.0, 0.6]).unwrap();
    body
}

#[test]
fn a_free_spar_finds_its_equilibrium_and_has_the_periods_of_the_closed_form() {
    let mut sim = sea();
    let body = spar(&mut sim, [3.0, -2.0, -13.4], quat_mul(tilt(0.15), [0.3f64.cos(), 0.0, 0.0, 0.3f64.sin()]));
    sim.initialize(0.0).unwrap();
    let steps = sim.solve_equilibrium(100, 1e-11).unwrap();
    let pose = sim.outputs().body_pose(body).unwrap();
    let axis = rotate(turn(&pose), [0.0, 0.0, 1.0]);
    let draft = (2000.0 * 20.0 + 61434.173) / (RHO * 0.25 * PI * 9.0);
    assert!(steps < 40 && axis[2] > 1.0 - 1e-12, "{steps} {axis:?}");
    assert!((pose[2] + draft).abs() < 1e-6, "{} {draft}", pose[2]);
    let (modes, _) = sim.analysis().modes().unwrap();
    let periods: Vec<f64> = modes.iter().map(|mode| mode.frequency).filter(|f| *f > 1e-3).map(|f| 1.0 / f).collect();
    let has = |period: f64| periods.iter().filter(|own| (*own / period - 1.0).abs() < 1e-5).count();
    assert_eq!((has(7.666479), has(10.397411)), (1, 2), "{periods:?}");
}

/// Under water and level: `a = (rho A - w) g/(w + rho A Ca)`, upwards, without turning.
#[test]
fn a_level_rod_rises_with_its_added_mass() {
    let rod = Rod { length: 5.0, diameter: 0.4, mass: 100.0, segments: 3, coefficients: [0.0, 0.8, 0.0, 0.5] };
    let mut sim = sea();
    let body = rod.add(&mut sim, [0.0, 0.0, -50.0], tilt(0.5 * PI));
    sim.initialize(0.0).unwrap();
    let displaced = RHO * rod.area();
    let expected = (displaced - rod.mass) * G / (rod.mass + displaced * 0.8);
    let found = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert!((found[2] / expected - 1.0).abs() < 1e-12 && found[4].abs() < 1e-12, "{found:?} {expected}");
    let loads = sim.outputs().cylinder_loads(0).unwrap();
    assert!((loads.buoyancy[2] / (displaced * G * rod.length) - 1.0).abs() < 1e-12);
    assert!((loads.submerged - rod.length).abs() < 1e-12 && loads.drag.norm() == 0.0);
    assert!((loads.inertia[2] + displaced * 0.8 * rod.length * expected).abs() < 1e-9 * loads.buoyancy[2]);
}

/// Heavy, hinged at end A in a current U: `sin/cos^2 = rho d Cd U^2/(2 (w - rho A) g)`.
#[test]
fn a_hanging_rod_leans_in_a_current() {
    let rod = Rod { length: 10.0, diameter: 0.3, mass: 150.0, segments: 5, coefficients: [1.1, 1.0, 0.0, 0.0] };
    let (speed, mut sim) = (0.9, sea());
    sim.settings().set_current(&[0.0], &[[speed, 0.0, 0.0]]).unwrap();
    let start = tilt(PI - 0.1);
    let body = rod.add(&mut sim, [0.0, 0.0, -20.0], start);
    hinge(&mut sim, body, [0.0, 0.0, -20.0]);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(60, 1e-12).unwrap();
    let theta = PI - angle(&sim, body);
    let right = RHO * rod.diameter * 1.1 * speed * speed / (2.0 * (rod.mass - RHO * rod.area()) * G);
    let left = theta.sin() / theta.cos().powi(2);
    assert!((left / right - 1.0).abs() < 1e-8, "{left} {right}");
}

/// Along the axis of a rod of any attitude: rho A L a_f, and both ends. Across: (1 + Ca).
#[test]
fn accelerating_water_exerts_froude_krylov_forces_and_those_of_added_mass() {
    let mut sim = sea();
    let (a, turn) = ([0.3, -0.4, 0.2], unit([0.2, 0.5, -0.1, 0.8]));
    let axis = rotate(turn, [0.0, 0.0, 1.0]);
    let ends = [[1.0, 2.0, -40.0], add([1.0, 2.0, -40.0], scale(4.0, axis))];
    sim.elements().add_cylinder(GROUND, [&ends[0], &ends[1]], 0.6, 6, [0.0, 0.7, 0.0, 0.9]).unwrap();
    let asked = ends;
    let water: FluidFn = Arc::new(move |_, places: &[[f64; 3]], motion: &mut FluidMotion| {
        assert_eq!(places.len(), 7);
        assert!(norm(sub(places[0], asked[0])) < 1e-12 && norm(sub(places[6], asked[1])) < 1e-12);
        motion.accelerations.fill(a);
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(water), false).unwrap();
    sim.initialize(0.0).unwrap();
    let displaced = RHO * PI * 0.09 * 4.0;
    let along = axis[0] * a[0] + axis[1] * a[1] + axis[2] * a[2];
    let ends = 2.0 * 0.9 * RHO * 2.0 / 3.0 * PI * 0.027;
    let across = sub(a, scale(along, axis));
    let expected = add(scale(1.7 * displaced, across), scale(along * (displaced + ends), axis));
    let found = sim.outputs().cylinder_loads(0).unwrap().inertia;
    for k in 0..3 {
        assert!((found[k] - expected[k]).abs() < 1e-12 * displaced, "{found:?} {expected:?}");
    }
}

/// A vertical pile in a linear wave of depth h, in the water from z1 to z2:
/// `F = rho A (1 + Ca) w^2 a (sinh k(z2 + h) - sinh k(z1 + h))/(k sinh kh)`. Accelerations are
/// linear between nodes: an error of (k l)^2/12 = 5e-6.
#[test]
fn a_pile_has_the_force_of_a_linear_wave() {
    let (k, depth, amplitude) = (0.08, 30.0, 1.3);
    let omega = (G * k * f64::tanh(k * depth)).sqrt();
    let (z1, z2) = (-25.0, -5.0);
    let mut sim = sea();
    let id = sim.elements().add_cylinder(GROUND, [&[0.0, 0.0, z1], &[0.0, 0.0, z2]], 1.2, 200, [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(id, Ok(0));
    let wave: FluidFn = Arc::new(move |_, places: &[[f64; 3]], motion: &mut FluidMotion| {
        for (place, acceleration) in places.iter().zip(motion.accelerations.iter_mut()) {
            let size = omega * omega * amplitude * (k * (place[2] + depth)).cosh() / (k * depth).sinh();
            *acceleration = [size, 0.0, 0.0];
        }
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(wave), false).unwrap();
    sim.initialize(0.0).unwrap();
    let rise = (k * (z2 + depth)).sinh() - (k * (z1 + depth)).sinh();
    let expected = RHO * PI * 0.36 * 2.0 * omega * omega * amplitude * rise / (k * (k * depth).sinh());
    let found = sim.outputs().cylinder_loads(0).unwrap().inertia[0];
    assert!((found / expected - 1.0).abs() < 6e-6, "{found} {expected}");
}

/// A surface that the host lifts by the same everywhere lifts a floating rod.
#[test]
fn elevations_of_the_host_move_the_surface() {
    let rod = Rod { length: 20.0, diameter: 1.0, mass: 500.0, segments: 5, coefficients: [0.0; 4] };
    let run = |zeta: f64| {
        let mut sim = sea();
        let body = rod.add(&mut sim, [0.0, 0.0, -11.0 + zeta], tilt(0.4));
        let water: FluidFn = Arc::new(move |_, _: &[[f64; 3]], motion: &mut FluidMotion| {
            motion.elevations.fill(zeta);
            Ok(())
        });
        sim.settings().set_fluid_callback(Some(water), true).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..40 {
            sim.step(0.05).unwrap();
        }
        let (_, potential) = sim.outputs().energy().unwrap();
        // The weight is higher in the higher water.
        (sim.outputs().body_pose(body).unwrap(), potential - rod.mass * rod.length * G * zeta)
    };
    let ((low, energy), (high, other)) = (run(0.0), run(0.75));
    assert!((energy / other - 1.0).abs() < 1e-8, "{energy} {other}");
    for k in 0..7 {
        let lift = if k == 2 { 0.75 } else { 0.0 };
        assert!((high[k] - low[k] - lift).abs() < 1e-8, "{low:?} {high:?}");
    }
}

/// A free rod without drag and added mass that tumbles through the surface: buoyancy does no work
/// but for its potential. Errors of steps are of second order.
#[test]
fn buoyancy_conserves_energy() {
    let drift = |h: f64| {
        let rod = Rod { length: 6.0, diameter: 0.8, mass: 200.0, segments: 3, coefficients: [0.0; 4] };
        let mut sim = sea();
        let body = rod.add(&mut sim, [1.0, 2.0, -3.0], unit([0.7, 0.3, 0.6, 0.1]));
        sim.build().set_body_velocity(body, &[0.5, -0.3, 0.4, 0.6, -0.9, 0.4]).unwrap();
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| sim.outputs().energy().map(|(a, b)| a + b).unwrap();
        let (start, mut worst) = (energy(&sim), 0.0f64);
        let scale = rod.mass * rod.length * G * rod.length;
        for _ in 0..(6.0 / h).round() as usize {
            sim.step(h).unwrap();
            worst = worst.max((energy(&sim) - start).abs() / scale);
        }
        worst
    };
    let (coarse, fine) = (drift(0.04), drift(0.01));
    assert!(fine < 1e-3 && coarse > 8.0 * fine, "{coarse} {fine}");
}

/// A rod hinged under water that pierces the surface, with drag and added mass: errors against
/// small steps fall fourfold per halving.
#[test]
fn steps_converge_at_second_order_where_the_surface_moves_along_the_rod() {
    let run = |h: f64| {
        let rod = Rod { length: 10.0, diameter: 0.5, mass: 100.0, segments: 4, coefficients: [1.0, 1.0, 0.0, 0.0] };
        let mut sim = sea();
        sim.settings().set_option("rho_inf", 0.9).unwrap();
        let start = tilt(20f64.to_radians());
        let body = rod.add(&mut sim, [0.0, 0.0, -5.0], start);
        hinge(&mut sim, body, [0.0, 0.0, -5.0]);
        sim.initialize(0.0).unwrap();
        let n = (2.0 / h).round() as usize;
        for _ in 0..n {
            sim.step(h).unwrap();
        }
        let iterations = sim.outputs().statistic("iterations").unwrap() / n as f64;
        (angle(&sim, body), iterations)
    };
    let exact = run(0.003_125).0;
    let errors = [0.1, 0.05, 0.025].map(|h| (run(h).0 - exact).abs());
    println!("{errors:?}, iterations {}", run(0.1).1);
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(orders.iter().all(|order| *order > 1.7 && *order < 2.5), "{orders:?} {errors:?}");
}

/// 1e6 m away, turned about the vertical, in mm: the same motion. Positions there have a rounding
/// of 1e-10 m.
#[test]
fn motions_do_not_depend_on_place_heading_and_units() {
    let run = |offset: f64, heading: f64, unit_length: f64| {
        let u = unit_length;
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G * u]).unwrap();
        sim.settings().set_environment("water_density", RHO / (u * u * u)).unwrap();
        let rod = Rod {
            length: 6.0 * u,
            diameter: 0.8 * u,
            mass: 200.0 / u,
            segments: 3,
            coefficients: [1.0, 0.9, 0.8, 0.7],
        };
        let around = [(0.5 * heading).cos(), 0.0, 0.0, (0.5 * heading).sin()];
        let place = add(rotate(around, [1.0 * u, 2.0 * u, -3.0 * u]), [offset, -2.0 * offset, 0.0]);
        let body = rod.add(&mut sim, place, quat_mul(around, unit([0.7, 0.3, 0.6, 0.1])));
        let current = rotate(around, [0.4 * u, 0.1 * u, 0.0]);
        sim.settings().set_current(&[0.0], &[current]).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..60 {
            sim.step(0.02).unwrap();
        }
        let found = sim.outputs().body_pose(body).unwrap();
        let moved = sub([found[0], found[1], found[2]], [offset, -2.0 * offset, 0.0]);
        let back = rotate(conjugate(around), moved);
        let turned = quat_mul(conjugate(around), turn(&found));
        (scale(1.0 / u, back), rotate(turned, [1.0, 2.0, 3.0]))
    };
    let (place, axes) = run(0.0, 0.0, 1.0);
    for (other, tolerance) in [(run(1e6, 0.0, 1.0), 1e-7), (run(0.0, 2.1, 1.0), 1e-8), (run(0.0, 0.0, 1000.0), 1e-7)] {
        assert!(norm(sub(other.0, place)) < tolerance, "{:?} {place:?}", other.0);
        assert!(norm(sub(other.1, axes)) < tolerance, "{:?} {axes:?}", other.1);
    }
}

/// Falls flat onto the water at steps that do not resolve the entry. Without added mass the total
/// energy does not grow but by errors of the step; with it, the mass of the water that a part gains
/// by entering takes the velocity of the part in Morison's equation: at most the kinetic energy of
/// the added mass at the speed of a fall to where the rod is wholly in the water.
#[test]
fn entry_into_water_adds_no_energy_but_that_of_the_added_mass() {
    for (ca, cd) in [(0.0, 1.0), (1.0, 0.0)] {
        let rod = Rod { length: 6.0, diameter: 0.8, mass: 250.0, segments: 6, coefficients: [cd, ca, 0.0, 0.0] };
        let mut sim = sea();
        sim.settings().set_option("rho_inf", 0.9).unwrap();
        rod.add(&mut sim, [0.0, 0.0, 1.4], tilt(0.5 * PI));
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| sim.outputs().energy().map(|(a, b)| a + b).unwrap();
        let (start, speed2) = (energy(&sim), 2.0 * G * (1.0 + rod.diameter));
        let added = 0.5 * RHO * rod.area() * ca * rod.length * speed2;
        let mut highest = f64::MIN;
        for _ in 0..100 {
            sim.step(0.1).unwrap();
            highest = highest.max(energy(&sim) - start);
        }
        let scale = rod.mass * rod.length * G;
        println!("ca {ca}: {} of the added mass {}", highest / scale, added / scale);
        assert!(highest < added + 0.05 * scale, "ca {ca}: {highest} {added} {scale}");
    }
}

/// States, trial steps and clones repeat bit by bit, with the motion of the water by the host.
#[test]
fn saved_states_and_rejected_steps_repeat_bit_by_bit() {
    let mut sim = sea();
    let body = spar(&mut sim, [0.0, 0.0, -13.0], tilt(0.1));
    let wave: FluidFn = Arc::new(|t, places: &[[f64; 3]], motion: &mut FluidMotion| {
        for (k, place) in places.iter().enumerate() {
            let phase = 0.05 * place[0] - 0.7 * t;
            motion.elevations[k] = 0.5 * phase.cos();
            motion.velocities[k] = [0.4 * phase.cos(), 0.0, 0.0];
            motion.accelerations[k] = [0.28 * phase.sin(), 0.0, 0.0];
        }
        Ok(())
    });
    for implicit in [false, true] {
        sim.settings().set_fluid_callback(Some(wave.clone()), implicit).unwrap();
        if implicit {
            sim.step(0.1).unwrap();
        } else {
            sim.initialize(0.0).unwrap();
        }
        for _ in 0..5 {
            sim.step(0.1).unwrap();
        }
        let saved = sim.save().unwrap();
        let run = |sim: &mut Simulation| {
            for _ in 0..5 {
                sim.advance(0.07).unwrap();
                sim.reject().unwrap();
                sim.step(0.1).unwrap();
            }
            (sim.outputs().body_pose(body).unwrap(), sim.outputs().energy().unwrap())
        };
        let mut other = sim.clone();
        let first = run(&mut sim);
        assert_eq!(run(&mut other), first);
        sim.restore(&saved).unwrap();
        assert_eq!(run(&mut sim), first);
    }
}

/// Every scheme takes a floating spar through two seconds; results agree within their errors.
#[test]
fn every_scheme_takes_cylinders() {
    let run = |scheme: &str, h: f64| {
        let mut sim = sea();
        sim.settings().set_scheme(scheme).unwrap();
        let body = spar(&mut sim, [0.0, 0.0, -13.0], tilt(0.1));
        sim.initialize(0.0).unwrap();
        for _ in 0..(2.0 / h).round() as usize {
            sim.step(h).unwrap();
        }
        sim.outputs().body_pose(body).unwrap()
    };
    let reference = run("generalized-alpha", 0.005);
    for scheme in pintle::simulation::SCHEME_NAMES {
        let found = run(&scheme.replace('N', "4"), 0.02);
        // First order: 0.02 s times an acceleration of 0.5 m/s^2 times 2 s.
        let distance = norm(sub(place(&found), place(&reference)));
        assert!(distance < 0.02, "{scheme}: {distance}");
    }
}

/// The stable step of explicit schemes knows the stiffness of the waterplane: 2/w of heave.
#[test]
fn the_stable_step_has_the_stiffness_of_the_waterplane() {
    let mut sim = sea();
    sim.settings().set_scheme("ab2").unwrap();
    spar(&mut sim, [0.0, 0.0, -14.0], UNROTATED);
    sim.initialize(0.0).unwrap();
    let stable = sim.outputs().statistic("stable_step").unwrap();
    assert!(stable.is_finite() && stable > 0.0, "{stable}");
}

#[test]
fn refusals_name_argument_and_value_and_change_nothing() {
    let mut sim = sea();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED));
    let body = body.unwrap();
    let (a, b) = ([0.0; 3], [0.0, 0.0, 1.0]);
    let mut refused = |body, ends: [&V3; 2], diameter, segments, coefficients, argument: &str, text: &str| {
        let why = sim.elements().add_cylinder(body, ends, diameter, segments, coefficients).unwrap_err();
        let said = why.to_string();
        assert!(said.contains(argument) && said.contains(text), "{said}");
        assert_eq!(sim.description().count(EntityKind::Cylinder), 0);
        why
    };
    let none = [0.0; 4];
    assert!(matches!(refused(7, [&a, &b], 1.0, 1, none, "body", "7"), Error::BadId { .. }));
    refused(body, [&a, &a], 1.0, 1, none, "end_b", "the length from end_a is 0");
    refused(body, [&a, &b], 0.0, 1, none, "diameter", "0 is not above 0");
    refused(body, [&a, &b], -1.5, 1, none, "diameter", "-1.5 is not above 0");
    refused(body, [&a, &b], f64::NAN, 1, none, "diameter", "NaN");
    refused(body, [&a, &[0.0, f64::INFINITY, 0.0]], 1.0, 1, none, "end_b", "inf");
    refused(body, [&a, &b], 1.0, 0, none, "segments", "0 is not from 1 to 1000");
    refused(body, [&a, &b], 1.0, 1001, none, "segments", "1001 is not from 1 to 1000");
    refused(body, [&a, &b], 1.0, 1, [-1.0, 0.0, 0.0, 0.0], "cd", "-1 is negative");
    refused(body, [&a, &b], 1.0, 1, [0.0, -2.0, 0.0, 0.0], "ca", "-2 is negative");
    refused(body, [&a, &b], 1.0, 1, [0.0, 0.0, -3.0, 0.0], "cd_end", "-3 is negative");
    refused(body, [&a, &b], 1.0, 1, [0.0, 0.0, 0.0, f64::NAN], "ca_end", "NaN");
}

/// A step with cylinders and the host's water does not allocate after the first.
#[test]
fn steps_with_cylinders_do_not_allocate() {
    let mut sim = sea();
    spar(&mut sim, [0.0, 0.0, -13.0], tilt(0.1));
    let water: FluidFn = Arc::new(|t, _: &[[f64; 3]], motion: &mut FluidMotion| {
        motion.elevations.fill(0.3 * t.sin());
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(water), true).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..3 {
        sim.step(0.05).unwrap();
    }
    let step = || (0..10).for_each(|_| sim.step(0.05).unwrap());
    assert_eq!(crate::heap::traffic(step), 0);
}
