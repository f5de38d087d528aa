//! Rolling and spinning resistance of contacts against solutions in closed form, for homogeneous
//! balls of mass 1: J = 2/5 R^2.

use crate::contacts::add_ball;
use pintle::{ContactLaw, Contacts, Frame, GROUND, Id, JointMachines, Simulation, set_contact_resistance};

const G: f64 = 9.81;
const R: f64 = 0.1;

/// Law impulse without restitution, and a coefficient of friction.
fn rough(mu: f64) -> ContactLaw {
    ContactLaw {
        law: 1,
        stiffness: 1e6,
        exponent: 1.0,
        damping: 0.0,
        restitution: 0.0,
        kinetic: mu,
        holding: mu,
        slip: 0.0,
    }
}

/// A ball of radius R that touches a plane through a point, with x of the plane turned about y from
/// the level; the velocity is along the axes of the plane.
struct Plane {
    /// Of the plane, downhill.
    angle: f64,
    /// A point of it.
    at: [f64; 3],
    /// Unit of length, in metres.
    unit: f64,
    mu: f64,
    arms: [f64; 2],
}

impl Plane {
    /// Level, at the origin.
    fn level(mu: f64, arms: [f64; 2]) -> Plane {
        Plane { angle: 0.0, at: [0.0; 3], unit: 1.0, mu, arms }
    }

    /// Axes of the plane to those of the model.
    fn turn(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (s, c) = self.angle.sin_cos();
        [x * c + z * s, y, z * c - x * s]
    }

    /// The system before it is initialized; velocities in metres.
    fn ball(&self, v: [f64; 3], omega: [f64; 3]) -> Simulation {
        let mut sim = Simulation::new();
        let [unit, r] = [self.unit, R / self.unit];
        sim.settings().set_gravity(&[0.0, 0.0, -G / unit]).unwrap();
        let up = self.turn([0.0, 0.0, r]);
        let place = [0, 1, 2].map(|k| self.at[k] / unit + up[k]);
        let (v, omega) = (self.turn(v), self.turn(omega));
        let velocity = std::array::from_fn(|k| if k < 3 { v[k] / unit } else { omega[k - 3] });
        let ball = add_ball(&mut sim, r, place, velocity);
        let at = self.at.map(|x| x / unit);
        let frame = [at[0], at[1], at[2], (0.5 * self.angle).cos(), 0.0, (0.5 * self.angle).sin(), 0.0];
        let contact = sim.elements().add_contact_plane(GROUND, &frame, ball, &[0.0; 3], r).unwrap();
        sim.elements().set_contact_law(contact, rough(self.mu)).unwrap();
        set_contact_resistance(&mut sim, contact, self.arms.map(|arm| arm / unit)).unwrap();
        sim
    }

    /// A ball that rolls with a speed in a direction of the plane.
    fn rolling(&self, speed: f64, heading: f64) -> Simulation {
        let (s, c) = heading.sin_cos();
        self.ball([speed * c, speed * s, 0.0], [-speed / R * s, speed / R * c, 0.0])
    }

    /// How far it has come along x and y of the plane, in metres.
    fn moved(&self, sim: &Simulation) -> [f64; 2] {
        let [x, y, z, ..] = sim.outputs().body_pose(0).unwrap();
        let (s, c) = self.angle.sin_cos();
        let [x, y, z] = [x * self.unit - self.at[0], y * self.unit - self.at[1], z * self.unit - self.at[2]];
        [x * c - z * s, y]
    }
}

fn steps(sim: &mut Simulation, count: usize, h: f64) {
    for _ in 0..count {
        sim.step(h).unwrap();
    }
}

fn velocity(sim: &Simulation, body: Id) -> [f64; 6] {
    sim.outputs().body_velocity(body, Frame::Inertial).unwrap()
}

fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

/// The time of the last event, of steps until a time.
fn last_event(sim: &mut Simulation, end: f64, h: f64) -> f64 {
    let mut last = f64::NAN;
    while sim.time().unwrap() < end {
        sim.step(h).unwrap();
        last = JointMachines::of(sim).events().unwrap().last().map_or(last, |event| event.time);
    }
    last
}

/// 7/5 R^2 dw/dt = -rolling g on the spot.
#[test]
fn a_rolling_ball_stops_and_stays() {
    let (speed, rolling) = (1.0, 0.002);
    let deceleration = 5.0 / 7.0 * G * rolling / R;
    let (distance, time) = (speed * speed / (2.0 * deceleration), speed / deceleration);
    let check = |plane: &Plane, heading: f64, scheme: &str, h: f64, tolerance: f64| {
        let mut sim = plane.rolling(speed, heading);
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        let stops = last_event(&mut sim, time + 1.0, h);
        let [x, y] = plane.moved(&sim);
        let (s, c) = heading.sin_cos();
        let errors = [stops - time, x - distance * c, y - distance * s];
        assert!(errors.iter().all(|error| error.abs() < tolerance), "{scheme} {heading} {h}: {errors:?}");
        assert_eq!(Contacts::of(&sim).forces(0).unwrap().resistance_modes[0], 2);
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
        (sim, [x, y])
    };
    // Constant accelerations are exact.
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        check(&Plane::level(0.3, [rolling, 0.0]), 0.7, scheme, 0.05, 1e-8);
    }
    let plane = Plane::level(0.3, [rolling, 0.001]);
    for h in [0.01, 0.2] {
        check(&plane, 0.0, "generalized-alpha", h, 1e-8);
    }
    for unit in [1e-3, 1e3] {
        check(&Plane { unit, ..Plane::level(0.3, [rolling, 0.001]) }, 2.1, "generalized-alpha", 0.05, 1e-8);
    }
    let far = Plane { at: [1e6, -1e6, 1e6], ..Plane::level(0.3, [rolling, 0.001]) };
    check(&far, 0.3, "generalized-alpha", 0.05, 1e-6);
    // It stays.
    let (mut sim, [x, y]) = check(&plane, 0.4, "generalized-alpha", 0.05, 1e-8);
    steps(&mut sim, 20_000, 0.05);
    let [later_x, later_y] = plane.moved(&sim);
    assert!((later_x - x).hypot(later_y - y) < 1e-13, "{} {}", later_x - x, later_y - y);
}

#[test]
fn a_ball_on_a_slope_is_held_or_rolls() {
    let (rolling, limit) = (0.01, 0.1f64);
    for (angle, holds) in [(0.99 * limit.atan(), true), (1.01 * limit.atan(), false), (0.3, false)] {
        let plane = Plane { angle, ..Plane::level(0.6, [rolling, 0.0]) };
        let mut sim = plane.ball([0.0; 3], [0.0; 3]);
        sim.initialize(0.0).unwrap();
        let count = if holds { 20_000 } else { 40 };
        steps(&mut sim, count, 0.05);
        let [x, y] = plane.moved(&sim);
        let t = 0.05 * count as f64;
        let acceleration = if holds { 0.0 } else { 5.0 / 7.0 * G * (angle.sin() - limit * angle.cos()) };
        let expected = 0.5 * acceleration * t * t;
        assert!((x - expected).abs() < 1e-9 && y.abs() < 1e-12, "{angle}: {x} {expected} {y}");
        let forces = Contacts::of(&sim).forces(0).unwrap();
        assert_eq!(forces.resistance_modes, [if holds { 2 } else { 1 }, 0]);
        let moment = G * if holds { R * angle.sin() } else { rolling * angle.cos() };
        // About y of the plane, against rolling downhill.
        assert!((forces.moment.y + moment).abs() < 1e-7 && forces.moment.x.abs() < 1e-9, "{:?}", forces.moment);
    }
}

/// The ball is thrown up a slope, stops, and rolls back, or is held there.
#[test]
fn a_ball_rolls_up_a_slope_and_back() {
    for (rolling, returns) in [(0.01, true), (0.03, false)] {
        let angle = 0.2f64;
        let plane = Plane { angle, ..Plane::level(0.8, [rolling, 0.0]) };
        let mut sim = plane.rolling(-1.0, 0.0);
        sim.initialize(0.0).unwrap();
        let h = 0.05;
        steps(&mut sim, 40, h);
        let part = rolling / R * angle.cos();
        let [up, down] = [angle.sin() + part, angle.sin() - part].map(|part| 5.0 / 7.0 * G * part);
        let left = 40.0 * h - 1.0 / up;
        let expected = -0.5 / up + if returns { 0.5 * down * left * left } else { 0.0 };
        let [x, _] = plane.moved(&sim);
        assert!((x - expected).abs() < 1e-8, "{rolling}: {x} {expected}");
    }
}

/// 2/5 R^2 dw/dt = -spinning g.
#[test]
fn a_spinning_ball_stops_and_stays() {
    let (omega, spinning) = (20.0, 0.003);
    let deceleration = G * spinning / (0.4 * R * R);
    for mu in [0.0, 0.3] {
        for (rate, h) in [(omega, 0.05), (-omega, 0.02)] {
            let plane = Plane::level(mu, [0.001, spinning]);
            let mut sim = plane.ball([0.0; 3], [0.0, 0.0, rate]);
            sim.initialize(0.0).unwrap();
            let stops = last_event(&mut sim, omega / deceleration + 0.5, h);
            assert!((stops - omega / deceleration).abs() < 1e-9, "{mu} {stops}");
            let [.., w, z] = sim.outputs().body_pose(0).map(|pose| [pose[3], pose[6]]).unwrap();
            let angle = 0.5 * rate * omega / deceleration;
            let found = 2.0 * z.atan2(w);
            let turns = ((angle - found) / std::f64::consts::TAU).round() * std::f64::consts::TAU;
            assert!((found + turns - angle).abs() < 1e-8, "{mu}: {found} {angle}");
            let before = sim.outputs().body_pose(0).unwrap();
            steps(&mut sim, 20_000, 0.05);
            let after = sim.outputs().body_pose(0).unwrap();
            assert!((0..7).all(|k| (after[k] - before[k]).abs() < 1e-13), "{before:?} {after:?}");
            assert_eq!(Contacts::of(&sim).forces(0).unwrap().resistance_modes, [2, 2]);
        }
    }
}

/// A ball that is thrown without a spin slips until v = w R, with R w increasing by 5/2 (mu - c) g,
/// c = rolling/R; where c > mu, it slides to rest without a turn.
#[test]
fn a_thrown_ball_turns_only_where_friction_overcomes_resistance() {
    let (mu, v) = (0.2, 2.0);
    for c in [0.05, 0.19, 0.3] {
        let plane = Plane::level(mu, [c * R, 0.002]);
        let mut sim = plane.ball([v, 0.0, 0.0], [0.0; 3]);
        sim.initialize(0.0).unwrap();
        let stops = last_event(&mut sim, 8.0, 0.05);
        let (rolls, end) = if c < mu {
            let slips = v / (3.5 * mu * G - 2.5 * c * G);
            let speed = v - mu * G * slips;
            let deceleration = 5.0 / 7.0 * c * G;
            (
                slips,
                [
                    slips + speed / deceleration,
                    v * slips - 0.5 * mu * G * slips * slips + 0.5 * speed * speed / deceleration,
                ],
            )
        } else {
            (f64::NAN, [v / (mu * G), 0.5 * v * v / (mu * G)])
        };
        let [x, _] = plane.moved(&sim);
        assert!((stops - end[0]).abs() < 1e-8 && (x - end[1]).abs() < 1e-8, "{c}: {stops} {x} {end:?} {rolls}");
        if c > mu {
            let turned = sim.outputs().body_pose(0).unwrap()[5];
            // Its spring turns by a part of 1e-6.
            assert!(turned.abs() < 1e-6, "{turned}");
        }
    }
}

/// E falls by the work of the moment over the angle, in every step, whatever their lengths.
#[test]
fn the_loss_of_energy_is_the_work_of_the_moment() {
    let (rolling, speed) = (0.004, 1.0);
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let plane = Plane::level(0.3, [rolling, 0.0]);
        let mut sim = plane.rolling(speed, 0.0);
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        let (start, mut last) = (energy(&sim), energy(&sim));
        for k in 0..400 {
            sim.step([0.001, 0.02, 0.005, 0.011][k % 4]).unwrap();
            let (now, [x, _]) = (energy(&sim), plane.moved(&sim));
            // Springs that hold store F^2/(2k), 1e-6 of a radian or a length by the force.
            assert!((now - start + rolling * G * x / R).abs() < 1e-6, "{scheme} {k}");
            assert!(now <= last + 1e-7, "{scheme} {k}: {}", now - last);
            last = now;
        }
        assert!(velocity(&sim, 0).iter().all(|v| v.abs() < 1e-9), "{scheme}: {:?}", velocity(&sim, 0));
    }
}

/// A host pulls a ball with a force at its centre, which jumps: 7/5 a = F - c g.
#[test]
fn a_force_that_jumps_overcomes_the_resistance_or_not() {
    let c = 0.1;
    let plane = Plane::level(0.8, [c * R, 0.0]);
    let mut sim = plane.ball([0.0; 3], [0.0; 3]);
    sim.settings().set_option("input_order", 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let (mut x, mut v, h) = (0.0, 0.0f64, 0.02);
    for (force, count) in [(0.09, 50), (0.3, 50), (0.05, 10), (-0.09, 200), (0.0, 50), (-0.2, 50)] {
        sim.inputs().set_body_load(0, Frame::Inertial, &[force * G, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.inputs().mark_discontinuity().unwrap();
        steps(&mut sim, count, h);
        let mut left = h * count as f64;
        if v != 0.0 {
            let a = 5.0 / 7.0 * G * (force - c * v.signum());
            let time = if a * v < 0.0 { left.min(-v / a) } else { left };
            (x, v, left) = (x + v * time + 0.5 * a * time * time, v + a * time, left - time);
            if left > 0.0 {
                v = 0.0;
            }
        }
        if left > 0.0 && f64::abs(force) > c {
            let a = 5.0 / 7.0 * G * (force - c * f64::signum(force));
            (x, v) = (x + 0.5 * a * left * left, a * left);
        }
        let ([found, _], rate) = (plane.moved(&sim), velocity(&sim, 0)[0]);
        assert!((found - x).abs() < 1e-7 && (rate - v).abs() < 1e-7, "{force}: {found} {x} {rate} {v}");
    }
}

/// The impulse P of a hit turns a ball by at most arm P: with restitution e, P = (1 + e) v.
#[test]
fn a_hit_takes_spin_by_its_impulse() {
    let (e, drop, arm) = (0.5, 0.5, 0.0007);
    for omega in [[0.0, 0.0, 20.0], [12.0, -5.0, 0.0], [0.0, 0.0, 0.3]] {
        let mut sim = Plane::level(0.0, [arm; 2]).ball([0.0; 3], omega);
        sim.elements().set_contact_law(0, ContactLaw { restitution: e, ..rough(0.0) }).unwrap();
        sim.build().set_body_pose(0, &[0.0, 0.0, R + drop, 1.0, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        let v = (2.0 * G * drop).sqrt();
        steps(&mut sim, 1, v / G + 0.1);
        let found = velocity(&sim, 0);
        let size = omega.iter().map(|w| w * w).sum::<f64>().sqrt();
        let part = (1.0 - arm * (1.0 + e) * v / (0.4 * R * R) / size).max(0.0);
        for k in 0..3 {
            assert!((found[3 + k] - part * omega[k]).abs() < 1e-9, "{omega:?}: {found:?} {part}");
        }
    }
}

/// A ball on a fixed one: m g R sin < rolling m g cos on the spot, else 7/5 (A + R) theta'' = g sin
/// theta - c N until it leaves.
#[test]
fn a_ball_on_a_ball_is_held_or_rolls_off() {
    let (below, c) = (1.0, 0.1);
    let length = below + R;
    let run = |lean: f64, h: f64, end: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let place = [length * lean.sin(), 0.0, length * lean.cos()];
        let ball = add_ball(&mut sim, R, place, [0.0; 6]);
        let contact = sim.elements().add_contact_spheres([GROUND, ball], [&[0.0; 3]; 2], [below, R], false).unwrap();
        sim.elements().set_contact_law(contact, rough(0.8)).unwrap();
        set_contact_resistance(&mut sim, contact, [c * R, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        steps(&mut sim, (end / h).round() as usize, h);
        let [x, _, z, ..] = sim.outputs().body_pose(ball).unwrap();
        x.atan2(z)
    };
    let lean = 0.9 * f64::atan(c);
    let held = run(lean, 0.05, 500.0);
    assert!((held - lean).abs() < 1e-12, "{}", held - lean);
    // Runge-Kutta's steps of 0.1 ms are exact to rounding here.
    let (lean, end) = (0.2f64, 0.8f64);
    let rate = |theta: f64, omega: f64| {
        let normal = G * theta.cos() - length * omega * omega;
        5.0 / 7.0 / length * (G * theta.sin() - c * normal)
    };
    let (mut theta, mut omega, step) = (lean, 0.0f64, 1e-4);
    for _ in 0..(end / step).round() as usize {
        let k1 = [omega, rate(theta, omega)];
        let k2 = [omega + 0.5 * step * k1[1], rate(theta + 0.5 * step * k1[0], omega + 0.5 * step * k1[1])];
        let k3 = [omega + 0.5 * step * k2[1], rate(theta + 0.5 * step * k2[0], omega + 0.5 * step * k2[1])];
        let k4 = [omega + step * k3[1], rate(theta + step * k3[0], omega + step * k3[1])];
        theta += step / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]);
        omega += step / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1]);
    }
    let [coarse, fine] = [0.02, 0.01].map(|h| run(lean, h, end) - theta);
    assert!(fine.abs() < 1e-3, "{coarse} {fine}");
    let order = (coarse / fine).log2();
    assert!((1.7..2.4).contains(&order), "order {order}: {coarse} {fine}");
}

/// A ball in a bowl swings ever less, and comes to rest within the angle that holds it.
#[test]
fn a_ball_comes_to_rest_in_a_bowl() {
    let (bowl, c) = (1.0, 0.05);
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let (length, lift) = (bowl - R, 0.6f64);
    let ball = add_ball(&mut sim, R, [length * lift.sin(), 0.0, -length * lift.cos()], [0.0, 0.4, 0.0, 0.0, 0.0, 3.0]);
    let contact = sim.elements().add_contact_spheres([GROUND, ball], [&[0.0; 3]; 2], [bowl, R], true).unwrap();
    sim.elements().set_contact_law(contact, rough(0.8)).unwrap();
    set_contact_resistance(&mut sim, contact, [c * R, 0.001]).unwrap();
    sim.initialize(0.0).unwrap();
    let mut last = energy(&sim);
    for k in 0..3000 {
        sim.step(0.01).unwrap();
        let now = energy(&sim);
        // Of the scheme's second order: it conserves 0.2 J to 1e-5 in a step of 10 ms.
        assert!(now < last + 1e-5, "{k}: {}", now - last);
        last = now;
    }
    let place = sim.outputs().body_pose(ball).unwrap();
    let lean = (place[0].hypot(place[1]) / -place[2]).atan();
    assert!(lean.tan() <= c * (1.0 + 1e-6), "{lean}");
    assert!(velocity(&sim, ball).iter().all(|v| v.abs() < 1e-9), "{:?}", velocity(&sim, ball));
    assert_eq!(Contacts::of(&sim).forces(contact).unwrap().resistance_modes, [2, 2]);
    steps(&mut sim, 2000, 0.05);
    let later = sim.outputs().body_pose(ball).unwrap();
    assert!((0..7).all(|k| (later[k] - place[k]).abs() < 1e-12), "{place:?} {later:?}");
}

/// The impulses of two free balls that hit are opposite, with moments; resistance takes energy.
#[test]
fn colliding_balls_with_resistance_keep_momentum() {
    let mut losses = Vec::new();
    for arm in [0.0, 0.003] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let a = add_ball(&mut sim, 0.1, [0.0; 3], [0.0; 6]);
        let b = add_ball(&mut sim, 0.2, [-1.0, 0.12, 0.05], [3.0, 0.0, 0.0, 9.0, -2.0, 0.5]);
        let contact = sim.elements().add_contact_spheres([a, b], [&[0.0; 3]; 2], [0.1, 0.2], false).unwrap();
        sim.elements().set_contact_law(contact, ContactLaw { restitution: 0.7, ..rough(0.1) }).unwrap();
        set_contact_resistance(&mut sim, contact, [arm; 2]).unwrap();
        sim.initialize(0.0).unwrap();
        let (momentum, before) = (|sim: &Simulation| sim.outputs().momentum(&[0.0; 3]).unwrap(), energy(&sim));
        let start = momentum(&sim);
        steps(&mut sim, 50, 0.01);
        let end = momentum(&sim);
        assert!((0..6).all(|k| (end[k] - start[k]).abs() < 1e-12), "{arm}: {start:?} {end:?}");
        losses.push(before - energy(&sim));
    }
    assert!(losses[1] > losses[0] + 1e-4, "{losses:?}");
}

/// A step repeats to the bit behind a rejected trial and in a fresh object, in every mode.
#[test]
fn a_step_repeats_to_the_bit_in_every_mode() {
    let make = || {
        let mut sim = Plane::level(0.2, [0.004, 0.002]).ball([1.0, 0.3, 0.0], [3.0, 0.0, 9.0]);
        sim.build().set_body_pose(0, &[0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let mut sim = make();
    let mut modes = [[0; 3]; 2];
    for _ in 0..160 {
        let saved = sim.save().unwrap();
        let mut bytes = vec![0; saved.serialized_len()];
        saved.serialize_into(&mut bytes).unwrap();
        let mut other = make();
        other.restore(&other.deserialize(&bytes).unwrap()).unwrap();
        sim.advance(0.05).unwrap();
        sim.reject().unwrap();
        sim.advance(0.013).unwrap();
        sim.reject().unwrap();
        sim.step(0.02).unwrap();
        other.step(0.02).unwrap();
        let all = |sim: &Simulation| (sim.outputs().body_pose(0).unwrap(), velocity(sim, 0));
        assert_eq!(all(&sim), all(&other));
        let found = Contacts::of(&sim).forces(0).unwrap().resistance_modes;
        (0..2).for_each(|k| modes[k][found[k] as usize] += 1);
    }
    assert!(modes.iter().flatten().all(|count| *count > 0), "{modes:?}");
}

#[test]
fn resistance_changes_between_steps() {
    let make = || {
        let mut sim = Plane::level(0.5, [0.002, 0.0]).rolling(2.0, 0.0);
        sim.initialize(0.0).unwrap();
        sim
    };
    let (mut sim, plane) = (make(), Plane::level(0.5, [0.0; 2]));
    let (mut x, mut v) = (0.0, 2.0);
    for rolling in [0.002, 0.0, 0.01, 0.01, 0.005] {
        set_contact_resistance(&mut sim, 0, [rolling, 0.0]).unwrap();
        assert_eq!(Contacts::of(&sim).resistance(0).unwrap(), [rolling, 0.0]);
        for h in [0.05, 0.02, 0.03] {
            sim.step(h).unwrap();
            let a = -5.0 / 7.0 * G * rolling / R;
            (x, v) = (x + v * h + 0.5 * a * h * h, v + a * h);
        }
        let [found, _] = plane.moved(&sim);
        assert!((found - x).abs() < 1e-6 && (velocity(&sim, 0)[0] - v).abs() < 1e-6, "{rolling}: {found} {x}");
    }
    // A change belongs to the state.
    let saved = sim.save().unwrap();
    let mut bytes = vec![0; saved.serialized_len()];
    saved.serialize_into(&mut bytes).unwrap();
    steps(&mut sim, 200, 0.05);
    let mut fresh = make();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    assert_eq!(Contacts::of(&fresh).resistance(0).unwrap(), [0.005, 0.0]);
    steps(&mut fresh, 200, 0.05);
    assert_eq!(plane.moved(&fresh), plane.moved(&sim));
    assert!(velocity(&sim, 0)[0].abs() < 1e-9);
    // What is held rolls when a force comes that less resistance does not hold, and is held again.
    let force = [0.04 * G, 0.0, 0.0, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(0, Frame::Inertial, &force).unwrap();
    steps(&mut sim, 20, 0.05);
    // The springs that hold move by 1e-6 rad, ring, and lose a fifth in each step.
    assert!(velocity(&sim, 0)[0].abs() < 1e-6);
    set_contact_resistance(&mut sim, 0, [0.0, 0.0]).unwrap();
    steps(&mut sim, 20, 0.05);
    assert!((velocity(&sim, 0)[0] - 5.0 / 7.0 * 0.04 * G).abs() < 1e-5, "{:?}", velocity(&sim, 0));
    set_contact_resistance(&mut sim, 0, [0.02, 0.0]).unwrap();
    steps(&mut sim, 60, 0.05);
    assert!(velocity(&sim, 0)[0].abs() < 1e-9);
}

#[test]
fn resistance_is_refused_in_words() {
    let mut sim = Simulation::new();
    let ball = add_ball(&mut sim, R, [0.0, 0.0, R], [0.0; 6]);
    let level = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    for _ in 0..2 {
        sim.elements().add_contact_plane(GROUND, &level, ball, &[0.0; 3], R).unwrap();
    }
    let refused = |sim: &mut Simulation, contact: Id, arms: [f64; 2], part: &str| {
        let text = set_contact_resistance(sim, contact, arms).unwrap_err().to_string();
        assert!(text.contains(part), "{text}");
    };
    refused(&mut sim, 0, [0.1, 0.0], "contact 0 has no law");
    sim.elements().set_contact_law(0, rough(0.0)).unwrap();
    sim.elements().set_contact_law(1, rough(0.3)).unwrap();
    refused(&mut sim, 0, [-0.1, 0.0], "rolling");
    refused(&mut sim, 0, [0.0, -0.1], "spinning");
    refused(&mut sim, 0, [f64::NAN, 0.0], "rolling");
    refused(&mut sim, 0, [0.0, f64::INFINITY], "spinning");
    refused(&mut sim, 7, [0.0, 0.0], "contact");
    assert_eq!(Contacts::of(&sim).resistance(0).unwrap(), [0.0; 2]);
    // Without Coulomb friction, too.
    set_contact_resistance(&mut sim, 0, [0.25, 0.125]).unwrap();
    // A new law keeps it.
    sim.elements().set_contact_law(0, rough(0.1)).unwrap();
    assert_eq!(Contacts::of(&sim).resistance(0).unwrap(), [0.25, 0.125]);
    sim.initialize(0.0).unwrap();
    refused(&mut sim, 1, [0.1, 0.0], "contact 1 has no resistance");
    refused(&mut sim, 0, [-0.1, 0.0], "rolling");
    assert_eq!(Contacts::of(&sim).resistance(0).unwrap(), [0.25, 0.125]);
}
