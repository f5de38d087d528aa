//! What is saved, written and copied of points; memory; time.

use crate::heap;
use crate::points::models::*;
use pintle::{EntityKind, Error, Simulation};
use std::path::{Path, PathBuf};

const HERE: Placed = Placed::HERE;

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("points-{}-{name}", std::process::id()))
}

#[test]
fn a_restored_model_goes_on_to_the_bit_with_every_scheme() {
    for scheme in schemes() {
        for pending in [false, true] {
            let mut run = mixed(&scheme, HERE).begin(HERE);
            run.run(HERE, [0.01, 0.008, 0.012, 0.01, 0.01, 0.01]);
            if pending {
                run.sim.advance(0.01).unwrap();
            }
            let bytes = run.sim.save().unwrap().to_bytes();
            let mut fresh = mixed(&scheme, HERE).begin(HERE);
            fresh.sim.restore(&fresh.sim.deserialize(&bytes).unwrap()).unwrap();
            let mut clone = Mixed { sim: run.sim.clone(), ..run };
            assert_eq!(fresh.sim.save().unwrap().to_bytes(), bytes, "{scheme}");
            for one in [&mut run, &mut fresh, &mut clone] {
                if pending {
                    one.sim.accept().unwrap();
                }
                one.run(HERE, [0.01, 0.012, 0.01]);
            }
            assert_eq!(run.bits(), fresh.bits(), "{scheme}, restored, pending {pending}");
            assert_eq!(run.bits(), clone.bits(), "{scheme}, a clone, pending {pending}");
        }
    }
}

#[test]
fn a_state_of_other_points_is_refused() {
    let state = mixed("rk4", HERE).begin(HERE).sim.save().unwrap().to_bytes();
    let changes: [fn(&mut Mixed); 4] = [
        |m| assert_eq!(m.sim.build().add_point(1.0, 0.0, &[9.0, 0.0, 0.0]).unwrap(), 6),
        |m| m.sim.build().set_point_velocity(m.chain[0], &[1.0, 0.0, 0.0]).unwrap(),
        |m| m.sim.build().fix_point(m.chain[0]).unwrap(),
        |m| assert_eq!(m.sim.elements().add_point_spring(m.chain[0], m.chain[2], 1.0, 0.0, 1.0, false).unwrap(), 5),
    ];
    for (k, change) in changes.iter().enumerate() {
        let mut other = mixed("rk4", HERE);
        change(&mut other);
        let other = other.begin(HERE);
        // Initial velocities are part of the description, as those of bodies are.
        assert!(matches!(other.sim.deserialize(&state), Err(Error::Fingerprint { .. })), "change {k}");
    }
}

#[test]
fn a_state_of_version_0_1_is_refused_as_another_format() {
    let run = mixed("rk4", HERE).begin(HERE);
    let mut bytes = run.sim.save().unwrap().to_bytes();
    // The format number stands after the 8 bytes of the magic; version 0.1 wrote 2.
    assert_eq!(bytes[8..12], 28u32.to_le_bytes());
    bytes[8..12].copy_from_slice(&2u32.to_le_bytes());
    let error = run.sim.deserialize(&bytes).expect_err("a refusal");
    assert!(matches!(error, Error::Format { .. }));
    assert!(error.to_string().contains("format 2 of a pintle state, of an older version"), "{error}");
}

#[test]
fn a_model_file_has_points_their_names_and_springs() {
    let mut described = mixed("generalized-alpha", HERE);
    described.sim.elements().set_spring_table(2, &[0.3, 0.5, 0.9], &[-2.0, 0.0, 50.0]).unwrap();
    described.give(HERE, 0.0);
    let first = path("first.toml");
    described.sim.save_model(&first).unwrap();
    let loaded = Mixed { sim: Simulation::load_model(&first).unwrap(), ..mixed("generalized-alpha", HERE) };
    let second = path("second.toml");
    loaded.sim.save_model(&second).unwrap();
    let texts = [&first, &second].map(|path| std::fs::read_to_string(path).unwrap());
    assert_eq!(texts[0], texts[1]);
    for word in ["[[point]]", "fairlead", "at_point_a"] {
        assert!(texts[0].contains(word), "{word} in {}", texts[0]);
    }
    for id in 0..described.sim.description().count(EntityKind::Point) {
        assert_eq!(
            described.sim.description().point_info(id).unwrap(),
            loaded.sim.description().point_info(id).unwrap()
        );
        assert_eq!(described.sim.points().position(id).unwrap(), loaded.sim.points().position(id).unwrap());
        assert_eq!(described.sim.points().velocity(id).unwrap(), loaded.sim.points().velocity(id).unwrap());
    }
    for id in 0..described.sim.description().count(EntityKind::Spring) {
        let points = |sim: &Simulation| sim.description().spring_points(id).unwrap();
        assert_eq!(points(&described.sim), points(&loaded.sim));
    }
    assert_eq!(loaded.sim.description().find(EntityKind::Point, "anchor").unwrap(), described.anchor);
    // Loads and motions are the host's, and given anew.
    let [mut described, mut loaded] = [described, loaded].map(|one| one.begin(HERE));
    for one in [&mut described, &mut loaded] {
        one.sim.settings().set_option("abs_tolerance", 1e-13).unwrap();
        one.sim.settings().set_option("rel_tolerance", 1e-13).unwrap();
        one.run(HERE, [0.01; 20]);
    }
    assert_eq!(described.bits(), loaded.bits());
    [first, second].iter().for_each(|path| std::fs::remove_file(path).unwrap());
}

/// A net of n points in a row of squares, hung from its upper corners.
fn net(n: usize) -> Simulation {
    let mut sim = system("generalized-alpha");
    for key in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(key, 1e-8).unwrap();
    }
    for k in 0..n {
        let (column, row) = ((k / 2) as f64, (k % 2) as f64);
        point(&mut sim, 0.1, [column, 0.0, -row]);
    }
    for k in [0, n as i32 - 2] {
        sim.build().fix_point(k).unwrap();
    }
    for k in 0..n as i32 {
        for other in [k + 2, if k % 2 == 0 { k + 1 } else { k + 2 }] {
            if other < n as i32 && (other != k + 2 || k % 2 == 0 || other % 2 == 1) {
                sim.elements().add_point_spring(k, other, 500.0, 0.5, 0.99, false).unwrap();
            }
        }
    }
    sim
}

/// The fewest bytes, or calls to the heap, that something takes; no clocks.
#[test]
fn memory_grows_in_proportion_to_the_points() {
    let size = |n: usize| {
        let mut sim = net(n);
        let begun = heap::peak(|| sim.initialize(0.0).unwrap()).0 as f64;
        let stepped = heap::peak(|| sim.step(1e-3).unwrap()).0 as f64;
        let kept = sim.save().unwrap().to_bytes().len() as f64;
        [begun, stepped, kept]
    };
    let (small, large) = (size(250), size(1000));
    for (k, (small, large)) in small.into_iter().zip(large).enumerate() {
        assert!(large <= 4.6 * small + 4096.0, "{k}: {small} bytes for 250 points, {large} for 1000");
    }
}

#[test]
fn steps_with_points_take_no_memory() {
    for scheme in schemes() {
        let mut run = mixed(&scheme, HERE).begin(HERE);
        run.run(HERE, [0.01; 3]);
        let mut saved = run.sim.save().unwrap();
        run.sim.points().reaction(run.anchor).unwrap();
        let mut all = vec![[0.0; 3]; run.sim.description().count(EntityKind::Point) as usize];
        let calls = heap::traffic(|| {
            run.run(HERE, [0.01, 0.008, 0.012]);
            run.sim.advance(0.01).unwrap();
            run.sim.reject().unwrap();
            run.sim.points().positions(&mut all).unwrap();
            run.sim.points().velocities(&mut all).unwrap();
            run.sim.points().accelerations(&mut all).unwrap();
            run.sim.points().reaction(run.driven).unwrap();
            run.sim.given().point_load(run.chain[2]).unwrap();
            run.sim.save_into(&mut saved).unwrap();
            run.sim.restore(&saved).unwrap();
        });
        assert_eq!(calls, 0, "{scheme}");
    }
}
