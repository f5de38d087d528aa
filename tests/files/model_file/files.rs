//! Writing and reading of files: phases in which models are saved, atomic replacement, errors of
//! the operating system.

use crate::model_file::everything::everything;
use crate::model_file::{Scratch, load, saved};
use pintle::{Error, Frame, Phase, Simulation};
use std::path::Path;
use std::sync::Arc;

#[test]
fn every_phase_saves_the_same_description() {
    let mut sim = everything();
    let described = saved(&sim);
    sim.initialize(0.0).unwrap();
    assert_eq!(saved(&sim), described, "READY");
    for n in 1..=3 {
        // Later inputs belong to the run.
        sim.inputs().set_body_load(0, Frame::Body, &[1.0; 6]).unwrap();
        sim.inputs().set_joint_motion(2, 0.01 * f64::from(n), 0.5, 0.0).unwrap();
        sim.advance(0.01).unwrap();
        assert_eq!((sim.phase(), saved(&sim)), (Phase::Trial, described.clone()));
        sim.accept().unwrap();
    }
    // Options and the fluid's coefficients are the present ones.
    sim.settings().set_option("rho_inf", 0.5).unwrap();
    sim.settings().set_linear_damping(1, &[0.5; 36], Frame::Body).unwrap();
    let now = saved(&sim);
    assert!(now.contains("rho_inf = 0.5\n") && now.matches("linear_damping").count() == 2, "{now}");
    assert_eq!(saved(&sim.clone()), now);

    sim.mark_failed();
    assert!(matches!(sim.save_model(Path::new("nowhere")), Err(Error::BadPhase { phase: Phase::Failed, .. })));
}

#[test]
fn a_load_callback_is_left_out_and_the_file_says_so() {
    let mut sim = everything();
    let without = saved(&sim);
    sim.inputs().set_load_callback(1, Some(Arc::new(|_, _| Ok(())))).unwrap();
    let with = saved(&sim);
    let line = "# Its load callback is not part of a model file: set it again.\n";
    assert_eq!(with.replace(line, ""), without);
    assert_eq!(with.matches(line).count(), 1);
    assert_eq!(saved(&load(&with).unwrap()), without);
}

#[test]
fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let folder = crate::common::programs::fresh_directory("model_file/replace");
    let (path, taken) = (folder.join("model.toml"), folder.join("taken"));
    std::fs::write(&path, "x".repeat(1_000_000)).unwrap();
    std::fs::create_dir(&taken).unwrap();
    let sim = everything();
    sim.save_model(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), saved(&sim));
    for (bad, why) in [(taken.as_path(), "it is a directory"), (&folder.join("no/such/folder.toml"), "os error")] {
        let error = sim.save_model(bad).unwrap_err();
        assert!(matches!(&error, Error::Io { argument: "path", .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(&bad.display().to_string()) && said.contains(why), "{said}");
    }
    let mut left: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["model.toml", "taken"], "nothing is left behind");
    for nameless in ["", "/", ".."] {
        let error = sim.save_model(Path::new(nameless)).unwrap_err();
        assert!(matches!(error, Error::BadValue { argument: "path", .. }), "{error}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_what_the_system_says() {
    let gone = Scratch::new();
    for path in [gone.0.as_path(), Path::new(env!("CARGO_TARGET_TMPDIR"))] {
        let error = Simulation::load_model(path).err().expect("there is no such file");
        assert!(matches!(&error, Error::Io { argument: "path", .. }), "{error}");
        let said = error.to_string();
        assert!(said.contains(&format!("cannot read \"{}\"", path.display())) && said.contains("os error"), "{said}");
    }
}
