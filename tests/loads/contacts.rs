//! Contacts of spheres with planes and spheres against solutions in closed form.

use pintle::{ContactLaw, Contacts, GROUND, Id, JointMachines, Simulation};

const G: f64 = 9.81;

/// Laws of the normal force.
const SPRING: i32 = 0;
const IMPULSE: i32 = 1;
const RESTITUTION: i32 = 2;

/// No force, to be completed.
const LAW: ContactLaw = ContactLaw {
    law: IMPULSE,
    stiffness: 1e6,
    exponent: 1.0,
    damping: 0.0,
    restitution: 0.0,
    kinetic: 0.0,
    holding: 0.0,
    slip: 0.0,
};

/// The level ground, z up.
const LEVEL: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Friction of one coefficient.
fn rough(mu: f64) -> ContactLaw {
    ContactLaw { kinetic: mu, holding: mu, ..LAW }
}

/// A homogeneous ball of mass 1 at a place, with velocity and angular velocity.
pub fn add_ball(sim: &mut Simulation, radius: f64, [x, y, z]: [f64; 3], velocity: [f64; 6]) -> Id {
    let j = 0.4 * radius * radius;
    let pose = [x, y, z, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose).unwrap();
    sim.build().set_body_velocity(body, &velocity).unwrap();
    body
}

/// A system with gravity, and a ball over a plane on the ground.
fn ball_over(frame: &[f64; 7], radius: f64, place: [f64; 3], velocity: [f64; 6], law: ContactLaw) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let ball = add_ball(&mut sim, radius, place, velocity);
    let contact = sim.elements().add_contact_plane(GROUND, frame, ball, &[0.0; 3], radius).unwrap();
    sim.elements().set_contact_law(contact, law).unwrap();
    sim
}

fn steps(sim: &mut Simulation, count: usize, h: f64) {
    for _ in 0..count {
        sim.step(h).unwrap();
    }
}

fn pose(sim: &Simulation, body: Id) -> [f64; 7] {
    sim.outputs().body_pose(body).unwrap()
}

fn velocity(sim: &Simulation, body: Id) -> [f64; 6] {
    sim.outputs().body_velocity(body, pintle::Frame::Inertial).unwrap()
}

fn mode(sim: &Simulation, contact: Id) -> i32 {
    Contacts::of(sim).forces(contact).unwrap().mode
}

fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

/// A plane whose normal is turned from z by an angle about y: x of the plane points downhill.
fn slope(angle: f64) -> [f64; 7] {
    [0.0, 0.0, 0.0, (0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0]
}

#[test]
fn a_ball_bounces_at_the_times_of_the_closed_form_and_rests() {
    let (e, radius, drop) = (0.8, 0.1, 1.0);
    for (h, far) in [(0.01, 0.0), (0.04, 0.0), (0.01, 1e6)] {
        let frame = [far, -far, far, 1.0, 0.0, 0.0, 0.0];
        let place = [far, -far, far + radius + drop];
        let mut sim = ball_over(&frame, radius, place, [0.0; 6], ContactLaw { restitution: e, ..LAW });
        sim.initialize(0.0).unwrap();
        let mut hits = Vec::new();
        while sim.time().unwrap() < 5.0 {
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap();
            hits.extend(events.iter().filter(|event| event.impulse > 0.0).map(|event| event.time));
        }
        let v = (2.0 * G * drop).sqrt();
        let mut time = v / G;
        for (k, hit) in hits.iter().take(12).enumerate() {
            // Free fall is exact; far away, places have 53 bits of 1e6 m: 1.2e-10 m at 4.4 m/s,
            // more at later bounces, which are slower by 0.8^12 = 0.07.
            let tolerance = if far == 0.0 { 1e-11 } else { 1e-8 };
            assert!((hit - time).abs() < tolerance, "hit {k} at {hit}, expected {time}");
            time += 2.0 * v * e.powi(k as i32 + 1) / G;
        }
        assert!(hits.len() > 12);
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
        // It rests: its spring begins with the weight.
        assert!(velocity(&sim, 0).iter().all(|v| v.abs() < 1e-12), "{:?}", velocity(&sim, 0));
        let forces = Contacts::of(&sim).forces(0).unwrap();
        assert!((forces.normal - G).abs() < 1e-9 * G, "{}", forces.normal);
    }
}

#[test]
fn an_elastic_floor_gives_back_the_energy_of_the_fall() {
    for stiffness in [1e4, 1e6, 1e8] {
        let law = ContactLaw { law: SPRING, stiffness, ..LAW };
        let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 1.1], [0.0; 6], law);
        sim.initialize(0.0).unwrap();
        let before = energy(&sim);
        steps(&mut sim, 300, 0.01);
        let change = energy(&sim) / before - 1.0;
        // rho_inf 0.8 with 20 steps in half a wave (w h = 0.157) damps by (1 - rho_inf)/(1 +
        // rho_inf) (w h)^3/4 = 1e-4 per step in energy: 0.2 % of a bounce; 7 bounces, of which each
        // lasts 20 steps and the cycle's kinetic part counts half.
        assert!(change < 1e-6 && change > -0.02, "{stiffness}: {change}");
    }
}

#[test]
fn the_law_of_restitution_gives_it_for_every_exponent() {
    for (exponent, stiffness) in [(1.0, 1e5), (1.5, 1e7), (2.5, 1e10)] {
        for e in [0.5, 0.9] {
            let law = ContactLaw { law: RESTITUTION, stiffness, exponent, restitution: e, ..LAW };
            let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 1.1], [0.0; 6], law);
            sim.initialize(0.0).unwrap();
            steps(&mut sim, 60, 0.01);
            // The speed of the rise, from its energy above the floor.
            let [z, v] = [pose(&sim, 0)[2] - 0.1, velocity(&sim, 0)[2]];
            assert_eq!(mode(&sim, 0), 0);
            let measured = ((v * v + 2.0 * G * z) / (2.0 * G)).sqrt();
            // A contact in 20 steps: the scheme's period error (w h)^2/12 = 2e-3.
            assert!((measured - e).abs() < 5e-3, "exponent {exponent}, e {e}: {measured}");
        }
    }
}

/// A plate on three feet on a slope, with a velocity downhill.
fn plate(angle: f64, speed: f64, law: ContactLaw) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let frame = slope(angle);
    let (s, c) = angle.sin_cos();
    let height = 0.2;
    let pose = [height * s, 0.0, height * c, frame[3], 0.0, frame[5], 0.0];
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.1, 0.2, 0.25, 0.0, 0.0, 0.0], &pose).unwrap();
    sim.build().set_body_velocity(body, &[speed * c, 0.0, -speed * s, 0.0, 0.0, 0.0]).unwrap();
    for foot in [[0.5, 0.4, -height], [0.5, -0.4, -height], [-0.5, 0.0, -height]] {
        let contact = sim.elements().add_contact_plane(GROUND, &frame, body, &foot, 0.0).unwrap();
        sim.elements().set_contact_law(contact, law).unwrap();
    }
    sim
}

/// How far it has gone downhill.
fn downhill(sim: &Simulation, angle: f64) -> f64 {
    let [x, _, z, ..] = pose(sim, 0);
    let start = 0.2;
    (x - start * angle.sin()) * angle.cos() - (z - start * angle.cos()) * angle.sin()
}

#[test]
fn a_plate_on_a_slope_is_held_on_three_feet() {
    // tan(angle) = 0.5 below mu = 0.6.
    let angle = 0.5f64.atan();
    let mut sim = plate(angle, 0.0, rough(0.6));
    sim.initialize(0.0).unwrap();
    steps(&mut sim, 1, 0.05);
    let first = downhill(&sim, angle);
    steps(&mut sim, 20_000, 0.05);
    assert!((0..3).all(|contact| mode(&sim, contact) == 2));
    // It holds within rounding of its place, 0.2 m, and does not creep.
    let last = downhill(&sim, angle);
    assert!(last.abs() < 1e-12 && (last - first).abs() < 1e-13, "{first} {last}");
}

#[test]
fn a_ball_that_falls_straight_on_a_soft_floor_rolls_when_it_is_pushed() {
    for (law, exponent, stiffness) in [(SPRING, 1.0, 1e5), (RESTITUTION, 1.0, 1e5), (RESTITUTION, 1.5, 1e7)] {
        let mu = 0.5;
        let law = ContactLaw { law, stiffness, exponent, damping: 400.0, restitution: 0.2, ..rough(mu) };
        let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 0.2], [0.0; 6], law);
        sim.settings().set_option("input_order", 0.0).unwrap();
        sim.initialize(0.0).unwrap();
        steps(&mut sim, 300, 0.01);
        sim.inputs().set_body_load(0, pintle::Frame::Inertial, &[0.3 * G, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.inputs().mark_discontinuity().unwrap();
        steps(&mut sim, 300, 0.01);
        let (forces, [x, ..]) = (Contacts::of(&sim).forces(0).unwrap(), pose(&sim, 0));
        // It closed without a force, and what sticks there is as soft as the floor: it slips by
        // some indentations, 1e-4 m, of the 9.5 m that it rolls with 5/7 of the acceleration in 3
        // s.
        let rolls = 0.5 * 5.0 / 7.0 * 0.3 * G * 9.0;
        assert_eq!(forces.mode, 2, "{law:?}");
        assert!((forces.tangential[0] + 2.0 / 7.0 * 0.3 * G).abs() < 1e-3 * G, "{law:?}: {:?}", forces.tangential);
        assert!((x / rolls - 1.0).abs() < 1e-3, "{law:?}: {x} {rolls}");
    }
}

/// More corners than hold it, all with friction: it slides to rest where its energy is spent, and a
/// push below the limit does not move it.
#[test]
fn a_box_on_four_corners_slides_to_rest_and_is_pushed_in_vain() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let (mass, mu, speed, half) = (2.0, 0.5, 2.0, 0.3);
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        let at = [0.0, 0.0, half, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &[0.12, 0.12, 0.12, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().set_body_velocity(body, &[speed, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        for (x, y) in [(half, half), (half, -half), (-half, half), (-half, -half)] {
            let contact = sim.elements().add_contact_plane(GROUND, &LEVEL, body, &[x, y, -half], 0.0).unwrap();
            sim.elements().set_contact_law(contact, rough(mu)).unwrap();
        }
        sim.initialize(0.0).unwrap();
        steps(&mut sim, 40, 0.02);
        let rest = pose(&sim, 0)[0];
        // Constant deceleration is exact.
        assert!((rest - speed * speed / (2.0 * mu * G)).abs() < 1e-9, "{scheme}: {rest}");
        let push = [0.9 * mu * mass * G, 0.0, 0.0, 0.0, 0.0, 0.0];
        sim.inputs().set_body_load(body, pintle::Frame::Inertial, &push).unwrap();
        sim.inputs().mark_discontinuity().unwrap();
        steps(&mut sim, 1000, 0.02);
        let moved = pose(&sim, 0)[0] - rest;
        // Its springs begin in balance.
        assert!(moved.abs() < 1e-12, "{scheme}: {moved}");
    }
}

#[test]
fn a_plate_slides_to_rest_where_its_energy_is_spent() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let (mu, angle, speed) = (0.6, 0.3f64.atan(), 1.0);
        let mut sim = plate(angle, speed, rough(mu));
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        steps(&mut sim, 40, 0.05);
        let deceleration = G * (mu * angle.cos() - angle.sin());
        let expected = speed * speed / (2.0 * deceleration);
        // Constant acceleration is exact; the feet's springs begin in balance.
        assert!((downhill(&sim, angle) - expected).abs() < 1e-9, "{scheme} {}", downhill(&sim, angle) - expected);
        assert!((0..3).all(|contact| mode(&sim, contact) == 2), "{scheme}");
    }
}

#[test]
fn a_thrown_ball_slips_then_rolls_at_five_sevenths_of_its_speed() {
    let (mu, radius, v, h) = (0.2, 0.1, 2.0, 0.02);
    for heading in [0.0f64, 0.7] {
        let (s, c) = heading.sin_cos();
        let start = [v * c, v * s, 0.0, 0.0, 0.0, 0.0];
        let mut sim = ball_over(&LEVEL, radius, [0.0, 0.0, radius], start, rough(mu));
        sim.initialize(0.0).unwrap();
        let mut sticks = None;
        for _ in 0..500 {
            sim.step(h).unwrap();
            let events = JointMachines::of(&sim).events().unwrap();
            sticks = sticks.or(events.first().map(|event| event.time));
        }
        let time = 2.0 * v / (7.0 * mu * G);
        let distance = 12.0 * v * v / (49.0 * mu * G) + 5.0 / 7.0 * v * (10.0 - time);
        assert!((sticks.unwrap() - time).abs() < 1e-9, "{sticks:?} {time}");
        let [x, y, z, ..] = pose(&sim, 0);
        let along = x * c + y * s;
        assert!((along - distance).abs() < 1e-7, "{along} {distance}");
        assert!((y * c - x * s).abs() < 1e-9 && (z - radius).abs() < 1e-6);
        assert_eq!(mode(&sim, 0), 2);
    }
}

/// The speed does not shake the normal force: no scheme starts with a part of omega x v.
#[test]
fn a_ball_that_rolls_fast_presses_with_its_weight_from_the_start() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 0.1], [5.0, 0.0, 0.0, 0.0, 50.0, 0.0], rough(0.3));
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        for h in [0.01, 0.01, 0.001, 0.02] {
            sim.step(h).unwrap();
            let normal = Contacts::of(&sim).forces(0).unwrap().normal;
            assert!((normal - G).abs() < 1e-9 * G, "{scheme}: {normal}");
        }
    }
}

#[test]
fn a_ball_rolls_down_a_slope_with_five_sevenths_of_the_acceleration() {
    let (angle, radius) = (0.3f64, 0.1);
    let (s, c) = angle.sin_cos();
    let mut sim = ball_over(&slope(angle), radius, [radius * s, 0.0, radius * c], [0.0; 6], rough(0.3));
    sim.initialize(0.0).unwrap();
    steps(&mut sim, 100, 0.02);
    let [x, _, z, ..] = pose(&sim, 0);
    let along = (x - radius * s) * c - (z - radius * c) * s;
    let expected = 0.5 * 5.0 / 7.0 * G * s * 4.0;
    assert!((along / expected - 1.0).abs() < 1e-6, "{along} {expected}");
    assert_eq!(mode(&sim, 0), 2);
}

#[test]
fn a_particle_that_slides_across_a_slope_turns_downhill_at_half_its_speed() {
    // mu = tan(angle): speed + speed downhill stay constant.
    let angle = 0.4f64;
    let (s, c) = angle.sin_cos();
    let error = |h: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let body = add_ball(&mut sim, 0.1, [0.0; 3], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
        let contact = sim.elements().add_contact_plane(GROUND, &slope(angle), body, &[0.0; 3], 0.0).unwrap();
        sim.elements().set_contact_law(contact, rough(angle.tan())).unwrap();
        sim.initialize(0.0).unwrap();
        steps(&mut sim, (1.0 / h).round() as usize, h);
        let [x, y, z, ..] = velocity(&sim, 0);
        let downhill = x * c - z * s;
        (downhill.hypot(y) + downhill - 1.0, downhill)
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    // In 1 s its heading has turned by 4 m/s2 over 1 m/s: it slides nearly downhill.
    assert!(fine.1 > 0.45, "{}", fine.1);
    assert!(coarse.0.abs() < 5e-3, "{}", coarse.0);
    let order = (coarse.0 / fine.0).log2();
    assert!((1.7..2.3).contains(&order), "order {order}: {} {}", coarse.0, fine.0);
}

#[test]
fn a_ball_on_a_turntable_rolls_in_circles_at_two_sevenths_of_its_rate() {
    let (radius, rate, speed) = (0.1, 3.0, 0.5);
    let error = |h: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let table = add_ball(&mut sim, radius, [0.0; 3], [0.0, 0.0, 0.0, 0.0, 0.0, rate]);
        sim.build().set_body_prescribed(table, true).unwrap();
        // At the centre of the table, where the table is at rest, it rolls.
        let ball = add_ball(&mut sim, radius, [0.0, 0.0, radius], [speed, 0.0, 0.0, 0.0, speed / radius, 0.0]);
        let contact = sim.elements().add_contact_plane(table, &LEVEL, ball, &[0.0; 3], radius).unwrap();
        sim.elements().set_contact_law(contact, rough(0.8)).unwrap();
        sim.initialize(0.0).unwrap();
        let count = (4.0 / h).round() as usize;
        for k in 1..=count {
            let angle = rate * h * k as f64;
            let pose = [0.0, 0.0, 0.0, (0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()];
            sim.inputs().set_body_motion(table, &pose, &[0.0, 0.0, 0.0, 0.0, 0.0, rate], &[0.0; 6]).unwrap();
            sim.step(h).unwrap();
        }
        assert_eq!(mode(&sim, contact), 2);
        let (turn, r) = (2.0 / 7.0 * rate * 4.0, speed / (2.0 / 7.0 * rate));
        let [x, y, ..] = pose(&sim, ball);
        (x - r * turn.sin()).hypot(y - r * (1.0 - turn.cos()))
    };
    let (coarse, fine) = (error(0.02), error(0.01));
    assert!(fine < 2e-3, "{coarse} {fine}");
    let order = (coarse / fine).log2();
    assert!((1.7..2.5).contains(&order), "order {order}: {coarse} {fine}");
}

#[test]
fn a_ball_rolls_to_and_fro_in_a_hollow_sphere() {
    let (inner, radius, lift) = (1.0, 0.2, 0.5f64);
    let length = inner - radius;
    let run = |h: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let place = [length * lift.sin(), 0.0, -length * lift.cos()];
        let ball = add_ball(&mut sim, radius, place, [0.0; 6]);
        let bodies = [GROUND, ball];
        let contact =
            sim.elements().add_contact_spheres(bodies, [&[0.0; 3], &[0.0; 3]], [inner, radius], true).unwrap();
        sim.elements().set_contact_law(contact, rough(0.5)).unwrap();
        sim.initialize(0.0).unwrap();
        let before = energy(&sim);
        steps(&mut sim, (2.0 / h).round() as usize, h);
        assert_eq!(mode(&sim, contact), 2);
        let [x, _, z, ..] = pose(&sim, ball);
        (x.atan2(-z), energy(&sim) - before)
    };
    // theta'' = -5/7 g/(R - r) sin theta.
    let exact = {
        let (mut theta, mut rate, n) = (lift, 0.0, 200_000);
        let h = 2.0 / f64::from(n);
        let acceleration = |theta: f64| -5.0 / 7.0 * G / length * theta.sin();
        for _ in 0..n {
            // Verlet: its error at 1e-5 s is 1e-9.
            rate += 0.5 * h * acceleration(theta);
            theta += h * rate;
            rate += 0.5 * h * acceleration(theta);
        }
        theta
    };
    let (coarse, fine) = (run(0.02), run(0.01));
    let errors = [coarse.0 - exact, fine.0 - exact];
    let order = (errors[0] / errors[1]).log2();
    assert!((1.7..2.4).contains(&order) && errors[1].abs() < 2e-3, "order {order}: {errors:?}");
    assert!(fine.1.abs() < 5e-3, "{}", fine.1);
}

#[test]
fn equilibria_rest_on_contacts_or_hang_above_them() {
    for law in [SPRING, IMPULSE, RESTITUTION] {
        // On springs that would hold it alone at a height: below the floor, or above.
        for (hangs, start) in [(-0.05, 0.3), (-0.05, 0.05), (0.2, 0.3), (0.2, 0.05)] {
            let law = ContactLaw { law, stiffness: 1e3, restitution: 0.5, ..rough(0.5) };
            let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, start], [0.0; 6], law);
            let k: [f64; 36] = std::array::from_fn(|k| if k % 7 == 0 { 30.0 } else { 0.0 });
            let frame = [0.0, 0.0, hangs + G / 30.0, 1.0, 0.0, 0.0, 0.0];
            sim.elements().add_bushing(GROUND, 0, &frame, &LEVEL, &k, &[0.0; 36]).unwrap();
            sim.initialize(0.0).unwrap();
            sim.solve_equilibrium(100, 1e-12).unwrap();
            let forces = Contacts::of(&sim).forces(0).unwrap();
            // 30 (hangs - z) + 1000 (0.1 - z) = 0 where it is pressed in.
            let expected = if hangs < 0.1 { (30.0 * hangs + 100.0) / 1030.0 } else { hangs };
            assert!((pose(&sim, 0)[2] - expected).abs() < 1e-9, "{law:?}: {} {expected}", pose(&sim, 0)[2]);
            assert_eq!(forces.mode, if hangs < 0.1 { 2 } else { 0 }, "{law:?}");
            assert!((forces.normal - 1e3 * (0.1 - expected).max(0.0)).abs() < 1e-6, "{law:?}: {}", forces.normal);
            // It stays there.
            steps(&mut sim, 20, 0.01);
            assert!((pose(&sim, 0)[2] - expected).abs() < 1e-9, "{law:?}: {} {expected}", pose(&sim, 0)[2]);
        }
    }
}

#[test]
fn colliding_balls_keep_momentum() {
    for mu in [0.0, 0.3, 10.0] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        let a = add_ball(&mut sim, 0.1, [0.0; 3], [0.0; 6]);
        let b = add_ball(&mut sim, 0.2, [-1.0, 0.12, 0.05], [3.0, 0.0, 0.0, 1.0, -2.0, 0.5]);
        let contact = sim.elements().add_contact_spheres([a, b], [&[0.0; 3], &[0.0; 3]], [0.1, 0.2], false).unwrap();
        sim.elements().set_contact_law(contact, ContactLaw { restitution: 0.7, ..rough(mu) }).unwrap();
        sim.initialize(0.0).unwrap();
        let momentum = |sim: &Simulation| sim.outputs().momentum(&[0.0; 3]).unwrap();
        let before = momentum(&sim);
        let energy_before = energy(&sim);
        steps(&mut sim, 50, 0.01);
        let after = momentum(&sim);
        for k in 0..6 {
            assert!((after[k] - before[k]).abs() < 1e-12, "mu {mu}: {before:?} {after:?}");
        }
        // The rate of approach along the line of centres at the hit, 3 cos(angle) with sin(angle) =
        // 0.13/0.3, comes back at 0.7.
        let reach = 0.12f64.hypot(0.05);
        let normal = [(1.0 - (reach / 0.3).powi(2)).sqrt(), -0.12 / 0.3, -0.05 / 0.3];
        let apart: f64 = (0..3).map(|k| (velocity(&sim, a)[k] - velocity(&sim, b)[k]) * normal[k]).sum();
        assert!((apart - 0.7 * 3.0 * normal[0]).abs() < 1e-9, "mu {mu}: {apart}");
        let lost = energy_before - energy(&sim);
        // Equal masses: 1/2 (m/2) (1 - e^2) of the approach's square; friction takes more.
        let along = 0.25 * (1.0 - 0.49) * (3.0 * normal[0]).powi(2);
        if mu == 0.0 {
            assert!((lost - along).abs() < 1e-9, "{lost} {along}");
        } else {
            assert!(lost > along, "mu {mu}: {lost} {along}");
        }
    }
}

#[test]
fn a_step_repeats_to_the_bit_in_every_mode() {
    // A ball that falls, slips, rolls: a copy at each step goes on alike.
    let start = [2.0, 0.5, 0.0, 3.0, 0.0, 7.0];
    let law = ContactLaw { restitution: 0.5, ..rough(0.05) };
    let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 0.3], start, law);
    sim.initialize(0.0).unwrap();
    let mut modes = [0; 3];
    for _ in 0..60 {
        let saved = sim.save().unwrap();
        let mut other = ball_over(&LEVEL, 0.1, [0.0, 0.0, 0.3], start, law);
        other.initialize(0.0).unwrap();
        other.restore(&saved).unwrap();
        sim.advance(0.05).unwrap();
        sim.reject().unwrap();
        sim.step(0.05).unwrap();
        other.step(0.05).unwrap();
        assert_eq!(pose(&sim, 0), pose(&other, 0));
        assert_eq!(velocity(&sim, 0), velocity(&other, 0));
        modes[mode(&sim, 0) as usize] += 1;
    }
    assert!(modes.iter().all(|count| *count > 0), "{modes:?}");
}

/// The law of a contact changes between steps: restitution between bounces, friction while it
/// slides, holds and slides again.
#[test]
fn laws_change_between_steps() {
    for h in [0.003, 0.04] {
        let law = |restitution| ContactLaw { restitution, ..LAW };
        let mut sim = ball_over(&LEVEL, 0.1, [0.0, 0.0, 1.1], [0.0; 6], law(0.8));
        sim.initialize(0.0).unwrap();
        let (mut x, mut v, mut e) = (1.0, 0.0f64, 0.8);
        // All bounces would be over after 1.35 s at the earliest.
        for k in 0..(1.1 / h) as usize {
            if k % 10 == 9 {
                e = 1.3 - e;
                sim.elements().set_contact_law(0, law(e)).unwrap();
            }
            sim.step(h).unwrap();
            let mut left = h;
            loop {
                let falls = (v + (v * v + 2.0 * G * x).sqrt()) / G;
                if falls > left {
                    break;
                }
                (x, v, left) = (0.0, -e * (v - G * falls), left - falls);
            }
            (x, v) = (x + v * left - 0.5 * G * left * left, v - G * left);
            // Hits are located to 1e-11 m, each at some m/s.
            let (z, rate) = (pose(&sim, 0)[2] - 0.1, velocity(&sim, 0)[2]);
            assert!((z - x).abs() < 1e-9 && (rate - v).abs() < 1e-9, "{h} {k}: {z} {x} {rate} {v}");
        }
    }
    let particle = || {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let velocity = [3.0 * 0.2f64.cos(), 0.0, -3.0 * 0.2f64.sin(), 0.0, 0.0, 0.0];
        let body = add_ball(&mut sim, 0.1, [0.0; 3], velocity);
        let contact = sim.elements().add_contact_plane(GROUND, &slope(0.2), body, &[0.0; 3], 0.0).unwrap();
        sim.elements().set_contact_law(contact, rough(0.5)).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let mut sim = particle();
    let (mut s, mut v, (sin, cos)) = (0.0, 3.0, 0.2f64.sin_cos());
    let sliding = |sim: &Simulation| {
        let (p, v) = (pose(sim, 0), velocity(sim, 0));
        [p[0] * cos - p[2] * sin, v[0] * cos - v[2] * sin]
    };
    for mu in [0.5, 0.0, 0.9] {
        sim.elements().set_contact_law(0, rough(mu)).unwrap();
        for dt in [0.02, 0.05, 0.01] {
            sim.step(dt).unwrap();
            let a = G * (sin - mu * cos);
            (s, v) = (s + v * dt + 0.5 * a * dt * dt, v + a * dt);
        }
        let [x, rate] = sliding(&sim);
        // It begins on a spring that its weight moves by 1e-6 of a length of 1, and that rests by
        // the impulse of this speed.
        assert!((x - s).abs() < 1e-5 && (rate - v).abs() < 1e-5, "{mu}: {x} {s} {rate} {v}");
    }
    steps(&mut sim, 100, 0.02);
    assert_eq!(mode(&sim, 0), 2);
    let [x, rate] = sliding(&sim);
    assert!(rate.abs() < 1e-9, "{rate}");
    // Below tan 0.2 = 0.203 it slides.
    sim.elements().set_contact_law(0, rough(0.1)).unwrap();
    let saved = sim.save().unwrap();
    let mut bytes = vec![0; saved.serialized_len()];
    saved.serialize_into(&mut bytes).unwrap();
    steps(&mut sim, 50, 0.02);
    let [y, rate] = sliding(&sim);
    let a = G * (sin - 0.1 * cos);
    assert!((rate - a).abs() < 1e-5 && (y - x - 0.5 * a).abs() < 1e-5, "{rate} {a} {}", y - x);
    let mut fresh = particle();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    assert_eq!(Contacts::of(&fresh).law(0).unwrap(), rough(0.1));
    steps(&mut fresh, 50, 0.02);
    assert_eq!(sliding(&fresh), [y, rate]);
    // A contact without a law measures its gap, and has no place for modes.
    let mut sim = Simulation::new();
    let ball = add_ball(&mut sim, 0.1, [0.0, 0.0, 1.0], [0.0; 6]);
    sim.elements().add_contact_plane(GROUND, &LEVEL, ball, &[0.0; 3], 0.1).unwrap();
    sim.initialize(0.0).unwrap();
    let text = sim.elements().set_contact_law(0, LAW).unwrap_err().to_string();
    assert!(text.contains("contact 0 has no law"), "{text}");
}

/// Balls on top of each other carry the weight of what is above, however many there are.
#[test]
fn a_column_carries_its_weight_whatever_its_height() {
    for count in [1, 4, 16, 100] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let balls: Vec<Id> =
            (0..count).map(|k| add_ball(&mut sim, 0.5, [0.0, 0.0, 0.5 + f64::from(k)], [0.0; 6])).collect();
        let mut elements = sim.elements();
        let floor = elements.add_contact_plane(GROUND, &LEVEL, balls[0], &[0.0; 3], 0.5).unwrap();
        elements.set_contact_law(floor, rough(0.3)).unwrap();
        for pair in balls.windows(2) {
            let id = elements.add_contact_spheres([pair[0], pair[1]], [&[0.0; 3]; 2], [0.5; 2], false).unwrap();
            elements.set_contact_law(id, rough(0.3)).unwrap();
        }
        sim.initialize(0.0).unwrap();
        for k in 0..count {
            let carried = f64::from(count - k) * G;
            let found = Contacts::of(&sim).forces(k).unwrap().normal;
            // Rounding of sums over all balls.
            assert!((found - carried).abs() < 1e-13 * f64::from(count) * G, "{k} of {count}: {found} {carried}");
        }
        assert_eq!(sim.outputs().statistic("unsettled_events").unwrap(), 0.0);
        // It begins at rest, and remains there: a column has an unstable balance, in which rounding
        // grows by exp(t sqrt(g/r)), 100 times in a second.
        steps(&mut sim, 20, 0.01);
        let fastest = balls.iter().flat_map(|ball| velocity(&sim, *ball)).fold(0.0f64, |v, w| v.max(w.abs()));
        assert!(fastest < 1e-9, "{count}: {fastest}");
    }
}
