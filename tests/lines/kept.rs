//! Saved states, files, clones and trial steps of lines with friction, winches and released ends;
//! memory.

use crate::heap;
use crate::models::*;
use crate::mooring::{Mooring, Placed};
use crate::reference::Sea;
use std::path::Path;

const HERE: Placed = Placed::HERE;

/// After some steps the third line is released from its weight.
fn under_way(scheme: &str, released: bool) -> Mooring {
    let mut run = Mooring::new(scheme, HERE).begin();
    run.run([0.01, 0.008, 0.012, 0.01]);
    if released {
        run.sim.inputs().release_line(run.lines[2], 1).unwrap();
    }
    run.run([0.01, 0.012]);
    run
}

fn runs() -> impl Iterator<Item = String> {
    // Schemes with local steps have their own tests; one member stands for each relaxed family.
    schemes().filter(|name| !name.starts_with('l'))
}

#[test]
fn a_restored_line_goes_on_to_the_bit_with_every_scheme() {
    for scheme in runs() {
        for (pending, released) in [(false, false), (true, false), (true, true)] {
            let mut run = under_way(&scheme, released);
            if pending {
                run.give(run.sim.time().unwrap() + 0.01);
                run.sim.advance(0.01).unwrap();
            }
            let bytes = run.sim.save().unwrap().to_bytes();
            let mut fresh = Mooring::new(&scheme, HERE).begin();
            fresh.sim.restore(&fresh.sim.deserialize(&bytes).unwrap()).unwrap();
            assert_eq!(fresh.sim.save().unwrap().to_bytes(), bytes, "{scheme}");
            let mut clone = Mooring { sim: run.sim.clone(), ..run };
            assert_eq!(run.bits(), fresh.bits(), "{scheme}, at once");
            for one in [&mut run, &mut fresh, &mut clone] {
                if pending {
                    one.sim.accept().unwrap();
                }
                one.run([0.01, 0.012, 0.01]);
            }
            assert_eq!(run.bits(), fresh.bits(), "{scheme}, restored, pending {pending}, released {released}");
            assert_eq!(run.bits(), clone.bits(), "{scheme}, a clone, pending {pending}, released {released}");
        }
    }
}

#[test]
fn a_checkpoint_has_lines() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lines-{}.checkpoint", std::process::id()));
    for released in [false, true] {
        let mut run = under_way("generalized-alpha", released);
        run.sim.write_checkpoint(&path).unwrap();
        let mut fresh = Mooring::new("generalized-alpha", HERE).begin();
        fresh.sim.read_checkpoint(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(run.bits(), fresh.bits());
        [&mut run, &mut fresh].into_iter().for_each(|one| one.run([0.01, 0.02]));
        assert_eq!(run.bits(), fresh.bits(), "released {released}");
    }
}

#[test]
fn a_trial_that_is_rejected_leaves_no_trace() {
    for scheme in ["generalized-alpha", "rk4", "ab3", "midpoint4"] {
        for released in [false, true] {
            let mut straight = under_way(scheme, released);
            let mut tried = under_way(scheme, released);
            for k in 0..6 {
                let h = 0.01;
                let t = tried.sim.time().unwrap();
                for longer in [3.0, 1.5, 0.5] {
                    tried.give(t + longer * h);
                    tried.sim.advance(longer * h).unwrap();
                    tried.sim.reject().unwrap();
                }
                tried.give(t + h);
                tried.sim.advance(h).unwrap();
                // Again, as a strongly coupled host does.
                tried.sim.advance(h).unwrap();
                tried.sim.accept().unwrap();
                straight.run([h]);
                assert_eq!(tried.bits(), straight.bits(), "{scheme}, step {k}, released {released}");
            }
        }
    }
}

#[test]
fn steps_with_lines_take_no_memory() {
    for scheme in runs() {
        let mut run = Mooring::new(&scheme, HERE).begin();
        run.run([0.01; 3]);
        let mut saved = run.sim.save().unwrap();
        let (mut places, mut pulls) = ([[0.0; 3]; crate::mooring::N + 1], [0.0; crate::mooring::N]);
        run.sim.points().reaction(run.driven).unwrap();
        let calls = heap::traffic(|| {
            run.run([0.01, 0.008, 0.012]);
            run.sim.lines().positions(run.lines[0], &mut places).unwrap();
            run.sim.lines().velocities(run.lines[0], &mut places).unwrap();
            run.sim.lines().tensions(run.lines[0], &mut pulls).unwrap();
            run.sim.lines().end_force(run.lines[0], 1).unwrap();
            run.sim.points().reaction(run.driven).unwrap();
            run.sim.save_into(&mut saved).unwrap();
            run.sim.restore(&saved).unwrap();
        });
        assert_eq!(calls, 0, "{scheme}");
    }
}

#[test]
fn memory_grows_in_proportion_to_the_segments() {
    let size = |n: usize| {
        let mut sim = system("generalized-alpha", &Sea::water(OC3_DEPTH));
        sim.settings().set_option("abs_tolerance", 1e-8).unwrap();
        let ends = [fixed(&mut sim, OC3_ANCHOR), fixed(&mut sim, OC3_FAIRLEAD)];
        line(&mut sim, &OC3, ends, OC3_LENGTH, n);
        let begun = heap::peak(|| sim.initialize(0.0).unwrap()).0 as f64;
        let stepped = heap::peak(|| sim.step(0.1).unwrap()).0 as f64;
        let kept = sim.save().unwrap().to_bytes().len() as f64;
        [begun, stepped, kept]
    };
    let (small, large) = (size(200), size(800));
    for (k, (small, large)) in small.into_iter().zip(large).enumerate() {
        assert!(large <= 4.6 * small + 4096.0, "{k}: {small} bytes for 200 segments, {large} for 800");
    }
}
