//! Every call returns: an iteration that cannot settle ends within a bounded number of evaluations,
//! with a result or a clear status.

use crate::common::*;
use pintle::model::LineType;
use pintle::{Error, GROUND, Id, JointKind, Simulation};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

const G: f64 = 9.81;

fn system() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim
}

/// Stops calls of a simulation after `most` questions to the progress callback, which is asked
/// after 64 evaluations of a node at the latest.
fn limit_work(sim: &mut Simulation, most: u32) -> Arc<AtomicU32> {
    let asked = Arc::new(AtomicU32::new(0));
    let count = asked.clone();
    let callback = move |_, _| i32::from(count.fetch_add(1, Ordering::Relaxed) >= most);
    sim.inputs().set_progress_callback(Some(Arc::new(callback)));
    asked
}

/// The pose of a cart of 1000 kg on a rail, with a load on a hinge and a spring to the ground,
/// after 5 steps of 0.01 s and 20 of 1e-5 s.
fn cart_on_a_spring(tension_only: bool) -> [f64; 7] {
    let mut sim = system();
    let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    let cart = sim.build().add_rigid_body(1000.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
    let load = sim.build().add_rigid_body(1000.0, &[0.0; 3], &inertia, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().add_joint_at(JointKind::Prismatic, GROUND, cart, &[0.0; 3], Some(&[1.0, 0.0, 0.0])).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, cart, load, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.elements().add_spring(GROUND, &[-1.0, 0.0, 0.0], cart, &[0.0; 3], 1e4, 0.0, 0.5, tension_only).unwrap();
    sim.initialize(0.0).unwrap();
    for h in [0.01; 5].into_iter().chain([1e-5; 20]) {
        limit_work(&mut sim, 100);
        sim.step(h).unwrap();
    }
    sim.outputs().body_pose(cart).unwrap()
}

/// The rope stays taut and equals the spring, up to the tolerance of a step (1e-8 of the model's
/// length).
#[test]
fn a_taut_rope_at_a_cart_moves_it_as_a_spring_does() {
    let [rope, spring] = [true, false].map(cart_on_a_spring);
    assert_close("cart", &rope, &spring, 25.0 * 1e-8);
}

/// A line of one segment between the ground and a body that a FIXED joint holds, and a second body
/// that falls along a rail: what falls goes as far as steps of the trapezoidal kind let it, to
/// rounding, whatever parts the steps are cut into.
#[test]
fn a_line_at_a_body_that_is_held_steps_on() {
    for (h, tension_change) in [(1e-5, 0.0), (2e-3, 0.1)] {
        let mut sim = system();
        let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
        let held = sim.build().add_rigid_body(10.0, &[0.0; 3], &inertia, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
        let rider = sim.build().add_rigid_body(10.0, &[0.0; 3], &inertia, &pose([0.0, 2.0, 0.0], UNROTATED)).unwrap();
        sim.build().add_joint_at(JointKind::Fixed, GROUND, held, &[1.0, 0.0, 0.0], None).unwrap();
        sim.build()
            .add_joint_at(JointKind::Prismatic, GROUND, rider, &[0.0, 2.0, 0.0], Some(&[0.0, 0.0, 1.0]))
            .unwrap();
        let a = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().fix_point(a).unwrap();
        let b = sim.build().add_point(0.0, 0.0, &[1.0, 0.0, 0.0]).unwrap();
        sim.build().attach_point(b, held, &[0.0; 3]).unwrap();
        let kind = LineType { diameter: 0.05, mass_per_length: 5.0, ea: 2e5, ..LineType::default() };
        let kind = sim.elements().add_line_type(kind).unwrap();
        sim.elements().add_line(kind, a, b, 0.99, 1).unwrap();
        sim.settings().set_option("line_tension_change", tension_change).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..20 {
            limit_work(&mut sim, 100);
            sim.step(h).unwrap();
        }
        let t = 20.0 * h;
        let fallen = sim.outputs().body_pose(rider).unwrap()[2];
        assert!((fallen + 0.5 * G * t * t).abs() < 1e-7 * G * t * t + 1e-14, "{h}: {fallen}");
    }
}

/// A random number generator (xorshift): the same numbers everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    /// Between two positive numbers, each decade as likely as another.
    fn decades(&mut self, low: f64, high: f64) -> f64 {
        self.within(low.ln(), high.ln()).exp()
    }

    fn below(&mut self, n: usize) -> usize {
        ((self.next() * n as f64) as usize).min(n - 1)
    }

    fn chance(&mut self, p: f64) -> bool {
        self.next() < p
    }

    /// A place, sometimes on a coarse grid, where singular positions are frequent.
    fn place(&mut self) -> V3 {
        let on_grid = self.chance(0.5);
        [0; 3].map(|_| match on_grid {
            true => self.below(5) as f64 - 2.0,
            false => self.within(-2.0, 2.0),
        })
    }

    fn axis(&mut self) -> V3 {
        match self.below(4) {
            0 => [1.0, 0.0, 0.0],
            1 => [0.0, 1.0, 0.0],
            2 => [0.0, 0.0, 1.0],
            _ => {
                let axis = [0; 3].map(|_| self.within(-1.0, 1.0));
                if norm(axis) > 0.1 { axis } else { [1.0, 1.0, 0.0] }
            }
        }
    }
}

const KINDS: [JointKind; 6] = [
    JointKind::Fixed,
    JointKind::Spherical,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Universal,
];

/// A model of bodies on joints and free, weights, ropes, lines and gears; what the library refuses
/// to build is left out.
fn random_model(random: &mut Random) -> Simulation {
    let mut sim = system();
    if random.chance(0.2) {
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
    }
    let (mut bodies, mut places, mut joints): (Vec<Id>, Vec<V3>, Vec<Id>) = (vec![GROUND], vec![[0.0; 3]], Vec::new());
    for _ in 0..random.below(5) {
        let (mass, at) = (random.decades(0.1, 1e4), random.place());
        let j = mass * random.decades(1e-3, 1.0);
        let inertia = [j, j, j, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose(at, UNROTATED)).unwrap();
        if random.chance(0.3) {
            let velocity = [0; 6].map(|_| random.within(-3.0, 3.0));
            sim.build().set_body_velocity(body, &velocity).unwrap();
        }
        if random.chance(0.8) {
            let other = random.below(bodies.len());
            let kind = KINDS[random.below(KINDS.len())];
            let point = if random.chance(0.5) { at } else { places[other] };
            let axis = random.axis();
            if let Ok(joint) = sim.build().add_joint_at(kind, bodies[other], body, &point, Some(&axis)) {
                joints.push(joint);
            }
        }
        bodies.push(body);
        places.push(at);
    }
    let mut points = Vec::new();
    for _ in 0..random.below(5) {
        let mass = if random.chance(0.7) { random.decades(0.01, 1e3) } else { 0.0 };
        let at = random.place();
        let point = sim.build().add_point(mass, 0.0, &at).unwrap();
        match random.below(3) {
            0 => sim.build().fix_point(point).unwrap(),
            1 if bodies.len() > 1 => {
                let place = random.place();
                sim.build().attach_point(point, bodies[1 + random.below(bodies.len() - 1)], &place).unwrap();
            }
            _ => {}
        }
        points.push(point);
    }
    for _ in 0..random.below(3) {
        let ends = [0; 2].map(|_| random.below(bodies.len()));
        let at = [0; 2].map(|_| random.place());
        let (k, c) = (random.decades(1e2, 1e8), if random.chance(0.5) { 0.0 } else { random.decades(1.0, 1e4) });
        let (rest, pulls) = (random.within(0.0, 3.0), random.chance(0.7));
        let _ = sim.elements().add_spring(bodies[ends[0]], &at[0], bodies[ends[1]], &at[1], k, c, rest, pulls);
    }
    if points.len() > 1 {
        for _ in 0..random.below(4) {
            let ends = [0; 2].map(|_| points[random.below(points.len())]);
            if random.chance(0.5) {
                let (k, rest, pulls) = (random.decades(1e2, 1e8), random.within(0.0, 3.0), random.chance(0.7));
                let _ = sim.elements().add_point_spring(ends[0], ends[1], k, 0.0, rest, pulls);
                continue;
            }
            let kind = LineType {
                diameter: 0.05,
                mass_per_length: random.decades(0.01, 100.0),
                ea: random.decades(1e2, 1e8),
                ba: if random.chance(0.5) { 0.0 } else { -random.within(0.0, 1.0) },
                ei: if random.chance(0.2) { random.decades(1e-2, 1e3) } else { 0.0 },
                ..LineType::default()
            };
            let kind = sim.elements().add_line_type(kind).unwrap();
            let (length, segments) = (random.within(0.1, 5.0), 1 + random.below(6) as i32);
            let _ = sim.elements().add_line(kind, ends[0], ends[1], length, segments);
        }
    }
    if joints.len() > 1 {
        for _ in 0..random.below(2) {
            let pair = [0; 2].map(|_| joints[random.below(joints.len())]);
            let ratio = random.within(-3.0, 3.0);
            let _ = sim.elements().add_gear(pair[0], pair[1], ratio);
        }
    }
    sim
}

/// Processor time of this thread, in seconds: what other processes take does not count.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is there to be written.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

const SCHEMES: [&str; 12] = [
    "generalized-alpha",
    "momentum-alpha",
    "newmark",
    "hht",
    "euler",
    "rk4",
    "ab3",
    "lab3",
    "beuler5",
    "midpoint5",
    "anderson5",
    "wilson5",
];

/// The calls of one random model. Returns an error with the call that took more than a second of
/// processor time, and its time.
fn random_calls(seed: u64) -> Result<(), String> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    (0..8).for_each(|_| _ = random.next());
    let mut sim = random_model(&mut random);
    let scheme = if random.chance(0.6) { SCHEMES[0] } else { SCHEMES[random.below(SCHEMES.len())] };
    sim.settings().set_scheme(scheme).unwrap();
    if random.chance(0.3) {
        sim.settings().set_option("rho_inf", random.next()).unwrap();
    }
    if random.chance(0.2) {
        sim.settings().set_option("line_tension_change", random.decades(0.01, 1e4)).unwrap();
    }
    if random.chance(0.3) {
        sim.settings().set_option("on_no_convergence", random.below(3) as f64).unwrap();
    }
    if random.chance(0.1) {
        sim.settings().set_option("convergence", 1.0).unwrap();
    }
    if random.chance(0.1) {
        _ = sim.settings().set_option("linear", 1.0);
    }
    // Explicit schemes would cut steps of a second into thousands: that is work, not a loop without
    // end.
    sim.settings().set_option("max_substeps", 100.0).unwrap();
    let began = Arc::new(Mutex::new(processor_time()));
    let since = began.clone();
    let callback = move |_, _| i32::from(processor_time() - *since.lock().unwrap() > 1.0);
    sim.inputs().set_progress_callback(Some(Arc::new(callback)));
    let mut call = |what: &str, run: &mut dyn FnMut(&mut Simulation) -> pintle::Result<()>| {
        let start = processor_time();
        *began.lock().unwrap() = start;
        let outcome = run(&mut sim);
        let took = processor_time() - start;
        match outcome {
            Err(Error::Stopped { .. }) => Err(format!("model {seed}, {scheme}: {what} is stopped after {took} s")),
            _ if took > 1.0 => Err(format!("model {seed}, {scheme}: {what} takes {took} s")),
            outcome => Ok(outcome),
        }
    };
    if call("initialize", &mut |sim| sim.initialize(0.0))?.is_err() {
        return Ok(());
    }
    // Each iteration on lines with bending stiffness settles these lines anew, in up to a tenth of
    // a second.
    if random.chance(0.1) {
        _ = call("equilibrium", &mut |sim| sim.solve_equilibrium(10, 1e-6).map(|_| ()))?;
    }
    let mut h = random.decades(1e-7, 1.0);
    for n in 0..30 {
        if random.chance(0.1) {
            h = random.decades(1e-7, 1.0);
        }
        if call(&format!("step {n} of {h} s"), &mut |sim| sim.step(h))?.is_err() {
            h *= 0.1;
        }
        if h < 1e-7 {
            break;
        }
    }
    Ok(())
}

/// Of a million random models those whose searches for an equilibrium, of lines that bend, took
/// longest: no shape at rest is there at many of the poses that a search tries.
#[test]
fn searches_with_lines_without_a_shape_end_within_a_second() {
    for seed in [703_441, 735_559, 985_530] {
        random_calls(seed).unwrap();
    }
}

/// Random models at steps from 1e-7 to 1 s: each call ends within a second of processor time.
/// `PINTLE_RANDOM_MODELS=100000 cargo test --release --test schemes
/// calls_of_random_models -- --nocapture` runs that many (`PINTLE_FIRST_MODEL`: from that number
/// on).
#[test]
fn calls_of_random_models_end_within_a_second() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (first, count) = (number("PINTLE_FIRST_MODEL", 0), number("PINTLE_RANDOM_MODELS", 300));
    let mut failed = Vec::new();
    for seed in first..first + count {
        if let Err(what) = random_calls(seed) {
            println!("{what}");
            failed.push(what);
        }
        if (seed - first + 1).is_multiple_of(10_000) {
            println!("{} models, {} calls failed", seed - first + 1, failed.len());
        }
    }
    assert!(failed.is_empty(), "{} of {count} models: {failed:#?}", failed.len());
}
