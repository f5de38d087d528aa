//! The memory of a call grows in proportion to the model: bytes allocated at N and at 4 N bodies.
//! Dense matrices would grow by a factor of 16. (Times: benches/growth.rs.)

use crate::common::models::structures::{NAMES, build};
use crate::heap::bytes;
use pintle::{Frame, Simulation};

/// Asserts that an action on a model of N and of 4 N bodies asks for at most 6 times as much.
/// Vectors that double leave a factor of 2 open on a few of them; a matrix of N x N numbers makes
/// 16 of all.
fn grows_linearly(claim: &str, prepare: impl Fn(usize) -> Simulation, act: impl Fn(&mut Simulation)) {
    let sizes = [60, 240].map(|n| {
        let mut sim = prepare(n);
        bytes(|| act(&mut sim)).0
    });
    println!("{claim}: {sizes:?} bytes, {:.1} times", sizes[1] as f64 / sizes[0] as f64);
    assert!(sizes[1] <= 6 * sizes[0] + 1024, "{claim}: {sizes:?} bytes");
}

fn ready(name: &str, bodies: usize, stiff: bool, scheme: &str, linear: f64) -> Simulation {
    let mut sim = build(name, bodies, stiff);
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("linear", linear).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

#[test]
fn counter_sees_an_allocation() {
    assert_eq!(bytes(|| std::hint::black_box(vec![1u8; 100])).0, 100);
}

#[test]
fn gravity_before_the_first_step_takes_memory_in_proportion_to_the_model() {
    for name in NAMES {
        let prepare = |n| ready(name, n, false, "generalized-alpha", 0.0);
        grows_linearly(&format!("gravity, {name}"), prepare, |sim| {
            sim.settings().set_gravity(&[0.1, 0.2, -9.0]).unwrap()
        });
    }
}

#[test]
fn initialize_takes_memory_in_proportion_to_the_model() {
    for name in NAMES {
        let claim = format!("initialize, {name}");
        grows_linearly(&claim, |n| build(name, n, false), |sim| sim.initialize(0.0).unwrap());
    }
}

#[test]
fn first_steps_take_memory_in_proportion_to_the_model() {
    for name in NAMES {
        for (scheme, stiff, linear) in [
            ("generalized-alpha", false, 0.0),
            ("generalized-alpha", true, 1.0),
            ("momentum-alpha", true, 0.0),
            ("rk4", false, 0.0),
            ("rk4", true, 0.0),
            ("lab2", true, 0.0),
        ] {
            let claim = format!("first step of {scheme}, linear {linear}, stiff: {stiff}, {name}");
            grows_linearly(&claim, |n| ready(name, n, stiff, scheme, linear), |sim| sim.step(1e-4).unwrap());
        }
    }
}

#[test]
fn reactions_take_memory_in_proportion_to_the_model() {
    for name in NAMES {
        let all = |sim: &mut Simulation| {
            let joints = sim.description().count(pintle::EntityKind::Joint);
            (0..joints).for_each(|joint| drop(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap().to_vec()));
        };
        grows_linearly(&format!("all reactions, {name}"), |n| ready(name, n, false, "generalized-alpha", 0.0), all);
    }
}

#[test]
fn after_the_first_reaction_no_reaction_takes_memory() {
    for name in ["four-bars", "closed chain"] {
        let mut sim = ready(name, 60, false, "generalized-alpha", 0.0);
        let joints = sim.description().count(pintle::EntityKind::Joint);
        let all = |sim: &mut Simulation| {
            bytes(|| (0..joints).for_each(|joint| _ = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap())).0
        };
        assert!(all(&mut sim) > 0, "{name}: what is kept has to be made");
        for _ in 0..3 {
            sim.step(1e-3).unwrap();
            assert_eq!(all(&mut sim), 0, "{name}");
        }
    }
}

#[test]
fn channels_take_memory_in_proportion_to_the_model_and_none_after_the_first_time() {
    for name in NAMES {
        let read = |sim: &Simulation| {
            let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
            bytes(|| sim.channels().values(&mut values).unwrap()).0
        };
        let prepare = |n| ready(name, n, true, "generalized-alpha", 0.0);
        let first = |sim: &mut Simulation| {
            let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
            sim.channels().values(&mut values).unwrap();
        };
        grows_linearly(&format!("channels, {name}"), prepare, first);
        let mut sim = prepare(60);
        read(&sim);
        for _ in 0..3 {
            sim.step(1e-3).unwrap();
            assert_eq!(read(&sim), 0, "{name}");
        }
    }
}

#[test]
fn where_nothing_is_stiff_an_explicit_scheme_looks_for_no_roots() {
    for name in NAMES {
        let sim = ready(name, 240, false, "rk4", 0.0);
        let (taken, limit) = bytes(|| sim.outputs().statistic("stable_step").unwrap());
        assert_eq!(limit, f64::INFINITY, "{name}");
        // The data of entities, without a matrix: below 6 kB per body.
        assert!(taken < 240 * 6000, "{name}: {taken} bytes");
    }
}

/// n equal masses in a row, hung on equal springs between neighbours and the ground, tied by
/// prismatic joints to move along x only (all in one entity through the first of them): w_max^2 = 2
/// k/m (1 + cos(pi/(n + 1))).
#[test]
fn stable_step_of_a_large_entity_is_that_of_its_fastest_mode() {
    let (n, k, m) = (60, 300.0, 2.0);
    for ratio in [0.0, 1e-3] {
        let mut sim = Simulation::new();
        let rail = sim
            .build()
            .add_rigid_body(1e9, &[0.0; 3], &[1e9, 1e9, 1e9, 0.0, 0.0, 0.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
            .unwrap();
        let mut before = None;
        for i in 0..n {
            let x = i as f64 + 1.0;
            let id = sim
                .build()
                .add_rigid_body(m, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &[x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
                .unwrap();
            sim.build()
                .add_joint_at(pintle::JointKind::Prismatic, rail, id, &[x, 0.0, 0.0], Some(&[1.0, 0.0, 0.0]))
                .unwrap();
            sim.elements()
                .add_spring(before.unwrap_or(rail), &[0.0; 3], id, &[0.0; 3], k, ratio * k, 1.0, false)
                .unwrap();
            before = Some(id);
        }
        sim.elements()
            .add_spring(before.unwrap(), &[0.0; 3], rail, &[n as f64 + 1.0, 0.0, 0.0], k, ratio * k, 1.0, false)
            .unwrap();
        sim.initialize(0.0).unwrap();
        let w = (2.0 * k / m * (1.0 + (std::f64::consts::PI / (n as f64 + 1.0)).cos())).sqrt();
        // rk4 on the imaginary axis: 2 sqrt 2. There the slopes of |R(z)|^2 are 3.78 along the real
        // axis and 5.03 along the imaginary one: a damping ratio zeta, here up to 0.012, raises the
        // limit by 0.75 zeta of itself. The estimate is never longer, and shorter by half of the
        // margin of 2 % in w^2 and of what Lanczos' residual adds.
        sim.settings().set_scheme("rk4").unwrap();
        let part = sim.outputs().statistic("stable_step").unwrap() * w / 8f64.sqrt();
        println!("damping over stiffness {ratio}: {part}");
        let exact = 1.0 + 0.75 * (0.5 * ratio * w);
        assert!((0.97..=1.0).contains(&(part / exact)), "{ratio}: {part} of {exact}");
        // euler: damping ratios below 0.05 count as that, 2 zeta/w.
        sim.settings().set_scheme("euler").unwrap();
        let part = sim.outputs().statistic("stable_step").unwrap() * w / 0.1;
        println!("euler: {part}");
        assert!((0.97..=1.0).contains(&part), "{ratio}: {part}");
    }
}
