//! The memory that a call reserves at its start is enough for it.

use crate::heap::{peak, with_refusal};
use crate::out_of_memory::models::{chain, coupled, mesh, moored, net};
use pintle::model::LineType;
use pintle::{EntityKind, Frame, JointKind, Memory, Simulation, Work};

/// Models of one size.
fn models(n: usize) -> [(&'static str, Simulation); 7] {
    [
        ("open chain", chain(n, JointKind::Revolute, false)),
        ("closed chain", chain(n, JointKind::Spherical, true)),
        ("fixed chain", chain(n, JointKind::Fixed, true)),
        ("mesh of springs", mesh(n)),
        ("net of points", net(n)),
        ("body on two lines", moored(n)),
        ("chain with a coupled load", coupled(n)),
    ]
}

/// Fails unless the promise covers what `action` takes.
fn covered(what: &str, promised: usize, action: impl FnOnce()) {
    let (taken, ()) = peak(action);
    assert!(taken <= promised, "{what}: takes {taken} bytes, promised were {promised}");
}

#[test]
fn promised_memory_covers_what_calls_take() {
    for n in [1, 10, 40, 160] {
        for (name, model) in models(n) {
            if model.description().count(EntityKind::Callback) > 0 && n > 40 {
                continue; // dense: minutes
            }
            let what = |call: &str| format!("{name} of {n}: {call}");
            let bound = Memory::of(&model).working(Work::Model);
            let mut sim = model.clone();
            covered(&what("initialize"), bound, || sim.initialize(0.0).unwrap());
            for scheme in ["generalized-alpha", "newmark", "rk4", "ab5", "lab4", "anderson6", "wilson5"] {
                let mut sim = sim.clone();
                sim.settings().set_scheme(scheme).unwrap();
                assert_eq!(Memory::of(&sim).working(Work::Step), bound, "{name}: nothing is prepared");
                covered(&what(scheme), bound, || sim.step(1e-5).unwrap());
                assert_eq!(Memory::of(&sim).working(Work::Step), 0, "{name}: {scheme} is prepared");
            }
            let mut linear = sim.clone();
            linear.settings().set_option("linear", 1.0).unwrap();
            covered(&what("linear"), bound, || linear.step(1e-5).unwrap());
            covered(&what("clone"), Memory::of(&sim).working(Work::Clone), || drop(sim.clone()));
            let mut copy = sim.clone();
            assert_eq!(Memory::of(&copy).working(Work::Step), bound, "{name}: a clone has no memory of steps");
            covered(&what("a clone's step"), bound, || copy.step(1e-5).unwrap());
            let copy = Memory::of(&sim).working(Work::Copy);
            covered(&what("save"), copy, || drop(sim.save().unwrap()));
            let snapshot = sim.save().unwrap();
            covered(&what("restore"), copy, || sim.restore(&snapshot).unwrap());
            // The state of a run with another start, restored into a clone: it allocates another
            // system.
            let mut pushed = model.clone();
            pushed.inputs().set_body_load(0, Frame::Inertial, &[1e9, 0.0, 0.0, 0.0, 1e9, 0.0]).unwrap();
            pushed.initialize(0.0).unwrap();
            let (foreign, mut clone) = (pushed.save().unwrap(), sim.clone());
            covered(&what("restore another start"), copy, || clone.restore(&foreign).unwrap());
            let bytes = snapshot.to_bytes();
            covered(&what("to_bytes"), bound, || drop(snapshot.to_bytes()));
            covered(&what("deserialize"), bound, || drop(sim.deserialize(&bytes).unwrap()));
            covered(&what("solve_equilibrium"), bound, || drop(sim.clone().solve_equilibrium(2, 0.5)));
            covered(&what("set_gravity"), bound, || sim.clone().settings().set_gravity(&[0.1, 0.2, -9.0]).unwrap());
            covered(&what("redundant_constraints"), bound, || drop(sim.analysis().redundant_constraints().unwrap()));
            let mut channels = vec![0.0; sim.channels().count().unwrap() as usize];
            let bound_of_channels = Memory::of(&sim).channels();
            covered(&what("channels"), bound_of_channels, || sim.channels().values(&mut channels).unwrap());
            assert_eq!(Memory::of(&sim).channels(), 0, "{name}: what the reactions need is there");
            let bodies = sim.description().count(EntityKind::Body) as usize;
            let poses = vec![[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]; bodies];
            let velocities = vec![[0.0; 6]; bodies];
            covered(&what("eval_accelerations"), bound, || {
                drop(sim.analysis().eval_accelerations(&poses, &velocities))
            });
            if n <= 40 {
                let dense = |columns| Memory::of(&sim).working(Work::Matrices { columns });
                covered(&what("linearize"), dense(36), || drop(sim.analysis().linearize(&[0], &[], &[0]).unwrap()));
                let modes = Memory::of(&sim).working(Work::Modes);
                covered(&what("modes"), modes, || drop(sim.analysis().modes().unwrap()));
                covered(&what("mass_matrix"), dense(0), || drop(sim.analysis().mass_matrix().unwrap()));
                covered(&what("constraint_jacobian"), dense(0), || drop(sim.analysis().constraint_jacobian().unwrap()));
                covered(&what("state_name"), dense(0), || drop(sim.analysis().state_name(0)));
                let solutions = Memory::of(&sim).working(Work::Solutions { columns: 6 });
                covered(&what("load_compliance"), solutions, || {
                    drop(sim.analysis().load_compliance(&[0], 1e-3).unwrap())
                });
                covered(&what("body_compliance"), solutions, || {
                    drop(sim.analysis().body_compliance(&[0], 1e-3).unwrap())
                });
            }
        }
    }
}

#[test]
fn promised_memory_covers_model_files() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory of a model.toml");
    for n in [1, 40, 160] {
        for (name, model) in models(n) {
            covered(&format!("{name} of {n}: save"), Memory::of(&model).working(Work::Description), || {
                model.save_model(&path).unwrap();
            });
            let bound = Memory::model_file(&path);
            covered(&format!("{name} of {n}: load"), bound, || drop(Simulation::load_model(&path).unwrap()));
        }
    }
}

/// A model file, and a clone before initialize, have one entry for a line, whatever its number of
/// segments.
#[test]
fn descriptions_of_lines_of_many_segments_are_small() {
    let mut model = Simulation::new();
    let rope = LineType { diameter: 0.1, mass_per_length: 10.0, ea: 1e6, ..LineType::default() };
    let rope = model.elements().add_line_type(rope).unwrap();
    let [a, b] = [0.0, 5.0].map(|z| model.build().add_point(1.0, 0.0, &[0.0, 0.0, z]).unwrap());
    model.elements().add_line(rope, a, b, 6.0, 1_000_000_000).unwrap();
    for work in [Work::Description, Work::Clone] {
        let bound = Memory::of(&model).working(work);
        assert!(bound < 1 << 20, "{work:?}: {bound}");
    }
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("a line of many segments.toml");
    covered("save", Memory::of(&model).working(Work::Description), || model.save_model(&path).unwrap());
    covered("clone", Memory::of(&model).working(Work::Clone), || drop(model.clone()));
}

#[test]
fn a_first_added_mass_is_promised_the_matrix_that_it_needs() {
    let mut sim = chain(40, JointKind::Revolute, false);
    let bound = Memory::of(&sim).working(Work::Model);
    sim.initialize(0.0).unwrap();
    sim.settings().set_scheme("rk4").unwrap();
    (0..2).for_each(|_| sim.step(1e-5).unwrap());
    assert_eq!(Memory::of(&sim).working(Work::Step), 0);
    let a: [f64; 36] = std::array::from_fn(|k| if k % 7 == 0 { 0.1 } else { 0.0 });
    sim.settings().set_added_mass(0, &a, Frame::Body).unwrap();
    assert_eq!(Memory::of(&sim).working(Work::Step), bound);
    covered("the step after it", bound, || sim.step(1e-5).unwrap());
    assert_eq!(Memory::of(&sim).working(Work::Step), 0);
}

/// Other threads run out of memory at the same time, and must not use the memory reserved for this
/// thread's call.
#[test]
fn what_a_call_was_promised_is_for_its_own_thread() {
    // More than the fixed block has, and most of the reserved memory.
    let size = 1 << 20;
    let asks = move || with_refusal(0, true, || Vec::<u8>::new().try_reserve_exact(size).is_ok());
    let _promise = pintle::reserve::promise(size).unwrap();
    let (refused, granted) = std::thread::spawn(asks).join().unwrap();
    assert!(refused > 0 && !granted, "another thread");
    let (refused, granted) = asks();
    assert!(refused > 0 && granted, "the one that makes the call");
}

/// If reservations grew faster than the memory used, models would be refused although there is
/// memory for them.
#[test]
fn promises_grow_as_what_they_are_for() {
    let [small, large] = [160, 640].map(|n| {
        let mut sim = chain(n, JointKind::Revolute, false);
        sim.initialize(0.0).unwrap();
        sim
    });
    let ratio = |work: Work| {
        let [small, large] = [&small, &large].map(|sim| Memory::of(sim).working(work) as f64);
        (large / small, large)
    };
    let (growth, bytes) = ratio(Work::Solutions { columns: 6 });
    assert!(growth < 4.1 && bytes < 100e6, "{growth} {bytes}");
    // Matrices over 3840 velocities take 118 MB each.
    for work in [Work::Matrices { columns: 0 }, Work::Modes] {
        let (growth, bytes) = ratio(work);
        assert!(growth < 16.5 && bytes < 3e9, "{work:?}: {growth} {bytes}");
    }
}
