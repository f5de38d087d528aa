//! Runs: the numbers of the library, bit by bit; states; threads; initialization; steps that fail.

use crate::unit::{DISCARD, ERROR, Folder, OK, Unit, example};
use pintle::{Frame, Simulation};
use pintle_fmi::fmi2;
use std::ptr::null_mut;

/// Steps of changing length.
const STEPS: [f64; 6] = [1e-3, 2e-3, 1e-3, 5e-4, 3e-3, 1e-3];

/// A force that changes from step to step.
fn force(n: usize) -> f64 {
    if n.is_multiple_of(3) { 40.0 * (0.3 * n as f64).sin() } else { -7.0 }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}

/// `steps` steps of an instance from `time` on with forces on the top, and the outputs of each.
fn run(unit: &Unit, mut time: f64, steps: std::ops::Range<usize>) -> Vec<Vec<u64>> {
    let mut outputs = Vec::new();
    for n in steps {
        let dt = STEPS[n % STEPS.len()];
        unit.set("body.top.load.fx", force(n));
        unit.step(time, dt);
        time += dt;
        outputs.push(bits(&unit.outputs()));
    }
    outputs
}

#[test]
fn an_fmu_gives_the_numbers_of_the_library_bit_by_bit() {
    let folder = example("heavy_top");
    let mut own = Simulation::load_model(&folder.model()).unwrap();
    own.initialize(0.0).unwrap();
    let mut values = vec![0.0; own.channels().count().unwrap() as usize];
    let mut expected = Vec::new();
    for n in 0..60 {
        own.inputs().set_body_load(0, Frame::Inertial, &[force(n), 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        own.step(STEPS[n % STEPS.len()]).unwrap();
        own.channels().values(&mut values).unwrap();
        expected.push(bits(&values));
    }
    for version in [2, 3] {
        assert_eq!(run(&Unit::started(version, &folder), 0.0, 0..60), expected, "FMI {version}");
    }
}

#[test]
fn every_scheme_of_the_library_runs() {
    let folder = example("oscillator");
    for name in pintle::simulation::SCHEME_NAMES {
        // One member of each family of schemes with sub-steps.
        let scheme = &name.replace('N', "5");
        let mut own = Simulation::load_model(&folder.model()).unwrap();
        own.settings().set_scheme(scheme).unwrap();
        own.initialize(0.0).unwrap();
        let unit = Unit::new(2, &folder);
        let (reference, text) = (unit.find("settings.scheme"), std::ffi::CString::new(scheme.as_str()).unwrap());
        assert_eq!(unsafe { fmi2::fmi2SetString(unit.handle, &reference, 1, &text.as_ptr()) }, OK, "{}", unit.said());
        unit.start();
        for n in 0..5 {
            own.step(0.01).unwrap();
            unit.step(0.01 * f64::from(n), 0.01);
        }
        assert_eq!(unit.get("body.mass.pos.x").to_bits(), own.outputs().body_pose(0).unwrap()[0].to_bits(), "{scheme}");
    }
}

#[test]
fn a_state_that_is_set_goes_on_bit_by_bit_here_and_in_a_fresh_instance() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::started(version, &folder);
        run(&unit, 0.0, 0..7);
        let time = unit.get("body.top.pos.x").mul_add(0.0, unit.outputs()[0]);
        let state = unit.save(null_mut());
        let expected = run(&unit, time, 7..30);
        // Saves over the same state, and restores it.
        let other = unit.save(null_mut());
        assert_eq!(unit.restore(state), OK);
        assert_eq!(unit.save(other), other);
        assert_eq!(unit.bytes(other), unit.bytes(state));
        assert_eq!(run(&unit, time, 7..30), expected, "FMI {version}");
        // Through bytes, into an instance that never ran, and into one that did.
        let bytes = unit.bytes(state);
        let (fresh, used) = (Unit::new(version, &folder), Unit::started(version, &folder));
        run(&used, 0.0, 0..3);
        for target in [&fresh, &used] {
            let (status, state) = target.state_of(&bytes);
            assert_eq!((status, target.restore(state)), (OK, OK), "{}", target.said());
            assert_eq!(target.bytes(state), bytes);
            assert_eq!(run(target, time, 7..30), expected, "FMI {version}");
            target.drop_state(state);
        }
        for state in [state, other] {
            unit.drop_state(state);
        }
    }
}

#[test]
fn a_state_keeps_what_was_set_and_not_yet_stepped_with() {
    let folder = example("heavy_top");
    let unit = Unit::started(2, &folder);
    unit.step(0.0, 1e-3);
    unit.set("body.top.load.fz", 300.0);
    let state = unit.save(null_mut());
    unit.step(1e-3, 1e-3);
    let expected = bits(&unit.outputs());
    unit.set("body.top.load.fz", -1.0);
    assert_eq!(unit.restore(state), OK);
    assert_eq!(unit.get("body.top.load.fz"), 300.0);
    unit.step(1e-3, 1e-3);
    assert_eq!(bits(&unit.outputs()), expected);
    unit.drop_state(state);
}

#[test]
fn instances_on_threads_do_not_see_each_other() {
    let folder = example("heavy_top");
    let alone = run(&Unit::started(3, &folder), 0.0, 0..200);
    let folder = &folder;
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|k| scope.spawn(move || run(&Unit::started(2 + k % 2, folder), 0.0, 0..200))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(all.iter().all(|outputs| *outputs == alone));
}

/// A body of 2 kg on which only the importer's load acts.
const FREE: &str = "pintle_model = 1\n[[body]]\nname = \"free body\"\nmass = 2\ninertia = [1, 2, 3, 0, 0, 0]\n\
                    pose = [1, 2, 3, 1, 0, 0, 0]\n";

#[test]
fn outputs_are_right_in_initialization_mode() {
    let folder = Folder::with(FREE);
    for version in [2, 3] {
        let unit = Unit::new(version, &folder);
        assert_eq!(unit.get("body.'free body'.pos.y"), 2.0);
        assert_eq!(unit.enter(5.0), OK);
        unit.set("body.'free body'.load.fx", 3.0);
        assert_eq!(unit.get("body.'free body'.acc.x"), 1.5);
        unit.set("body.'free body'.initial.omega.z", 0.25);
        unit.set("body.'free body'.initial.pos.x", -4.0);
        // A quarter turn about z, not of unit norm: it is normalised.
        unit.set("body.'free body'.initial.quat.z", 1.0);
        assert_eq!([unit.get("body.'free body'.pos.x"), unit.get("body.'free body'.omega.z")], [-4.0, 0.25]);
        assert!((unit.get("body.'free body'.yaw") - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        assert_eq!(unit.exit(), OK);
        // Uniform acceleration, which the scheme integrates without error but rounding.
        unit.step(5.0, 0.5);
        assert!((unit.get("body.'free body'.pos.x") - (-4.0 + 0.5 * 1.5 * 0.25)).abs() < 1e-14);
        assert_eq!(unit.outputs()[0], 5.5);
    }
}

#[test]
fn arrays_of_three_point_zero_are_the_scalars() {
    let folder = Folder::with(FREE);
    let (whole, parts) = (Unit::started(3, &folder), Unit::started(3, &folder));
    let wrench = [1.0, -2.0, 3.0, 0.5, 0.25, -0.125];
    assert_eq!(whole.try_set("body.'free body'.wrench", &wrench), OK, "{}", whole.said());
    for (name, value) in ["fx", "fy", "fz", "mx", "my", "mz"].iter().zip(wrench) {
        parts.set(&format!("body.'free body'.load.{name}"), value);
    }
    for n in 0..10 {
        whole.step(0.1 * f64::from(n), 0.1);
        parts.step(0.1 * f64::from(n), 0.1);
    }
    assert_eq!(bits(&whole.outputs()), bits(&parts.outputs()));
    let mut pose = [0.0; 7];
    assert_eq!(whole.get_reference(whole.find("body.'free body'.pose"), &mut pose), OK);
    let names = ["pos.x", "pos.y", "pos.z", "quat.w", "quat.x", "quat.y", "quat.z"];
    assert_eq!(pose, names.map(|name| parts.get(&format!("body.'free body'.{name}"))));
    // Both at once add up.
    let sum = Unit::started(3, &folder);
    assert_eq!(sum.try_set("body.'free body'.wrench", &wrench.map(|x| 0.5 * x)), OK);
    for (name, value) in ["fx", "fy", "fz", "mx", "my", "mz"].iter().zip(wrench) {
        sum.set(&format!("body.'free body'.load.{name}"), 0.5 * value);
    }
    for n in 0..10 {
        sum.step(0.1 * f64::from(n), 0.1);
    }
    assert_eq!(bits(&sum.outputs()), bits(&parts.outputs()));
}

#[test]
fn derivatives_of_inputs_make_them_linear_over_the_step() {
    let folder = Folder::with(FREE);
    let mut own = Simulation::load_model(&folder.model()).unwrap();
    own.settings().set_option("input_order", 1.0).unwrap();
    own.settings().set_option("max_time_step", 0.01).unwrap();
    own.initialize(0.0).unwrap();
    let unit = Unit::new(2, &folder);
    unit.set("settings.max_time_step", 0.01);
    unit.start();
    let fx = unit.find("body.'free body'.load.fx");
    let mut load = 0.0;
    for n in 0..8 {
        let rate = if n < 4 { 2.0 } else { -1.0 };
        unit.set("body.'free body'.load.fx", load);
        assert_eq!(unsafe { fmi2::fmi2SetRealInputDerivatives(unit.handle, &fx, 1, &1, &rate) }, OK, "{}", unit.said());
        unit.step(0.1 * f64::from(n), 0.1);
        load += 0.1 * rate;
        own.inputs().set_body_load(0, Frame::Inertial, &[load, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        own.step(0.1).unwrap();
    }
    assert_eq!(unit.get("body.'free body'.pos.x").to_bits(), own.outputs().body_pose(0).unwrap()[0].to_bits());
    // Without a derivative the input is held again: the 0.4 N of before act in the averages of the
    // first internal step alone, with weights below 2; going down linearly they would change the
    // velocity by 0.01 m/s.
    unit.set("body.'free body'.load.fx", 0.0);
    let before = unit.get("body.'free body'.vel.x");
    unit.step(0.8, 0.1);
    assert!((unit.get("body.'free body'.vel.x") - before).abs() < 2.0 * 0.4 * 0.01 / 2.0);
    let (order, rate) = (2, 1.0);
    assert_eq!(unsafe { fmi2::fmi2SetRealInputDerivatives(unit.handle, &fx, 1, &order, &rate) }, ERROR);
}

#[test]
fn a_step_that_fails_is_discarded_and_a_smaller_one_goes_on() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::started(version, &folder);
        unit.step(0.0, 1e-3);
        let before = bits(&unit.outputs());
        // 15 turns in one step: Newton's iteration cannot converge.
        let (status, reached, _) = unit.try_step(1e-3, 0.7);
        assert_eq!((status, reached), (DISCARD, 1e-3), "{}", unit.said());
        assert!(unit.said().contains("convergence") || unit.said().contains("time"), "{}", unit.said());
        assert_eq!(bits(&unit.outputs()), before);
        unit.step(1e-3, 1e-3);
        let alone = Unit::started(version, &folder);
        alone.step(0.0, 1e-3);
        alone.step(1e-3, 1e-3);
        assert_eq!(bits(&unit.outputs()), bits(&alone.outputs()), "FMI {version}");
    }
}

#[test]
fn with_early_return_what_was_reached_of_a_failed_step_is_kept() {
    let folder = example("heavy_top");
    let unit = Unit::try_new(3, &folder, "", true).unwrap();
    unit.start();
    let (status, reached, early) = unit.try_step(0.0, 0.7);
    assert_eq!((status, early), (OK, true), "{}", unit.said());
    assert!(reached > 0.0 && reached < 0.7 && (0.7 / reached).log2().fract() == 0.0, "{reached}");
    assert_eq!(unit.outputs()[0], reached);
    unit.step(reached, 1e-3);
}

#[test]
fn a_reset_instance_is_a_new_one() {
    let folder = example("heavy_top");
    let unit = Unit::new(2, &folder);
    unit.set("settings.rho_inf", 0.3);
    unit.start();
    run(&unit, 0.0, 0..5);
    assert_eq!(unsafe { fmi2::fmi2Terminate(unit.handle) }, OK);
    assert!(unit.get("body.top.pos.z").is_finite());
    assert_eq!(unsafe { fmi2::fmi2Reset(unit.handle) }, OK);
    unit.start();
    assert_eq!(run(&unit, 0.0, 0..9), run(&Unit::started(2, &folder), 0.0, 0..9));
}

#[test]
fn inputs_over_time_act_until_the_importer_sets_them() {
    let folder = example("crane");
    let mut own = Simulation::load_model(&folder.model()).unwrap();
    own.initialize(0.0).unwrap();
    let mut values = vec![0.0; own.channels().count().unwrap() as usize];
    let mut expected = Vec::new();
    for n in 0..12 {
        if n == 6 {
            own.inputs().set_joint_motion(0, 0.002, 0.0, 0.0).unwrap();
        }
        own.step(0.5).unwrap();
        own.channels().values(&mut values).unwrap();
        expected.push(bits(&values));
    }
    for version in [2, 3] {
        let unit = Unit::started(version, &folder);
        for (n, expected) in expected.iter().enumerate() {
            if n == 6 {
                unit.set("joint.slew.motion.angle", 0.002);
            }
            unit.step(0.5 * n as f64, 0.5);
            assert_eq!(&bits(&unit.outputs()), expected, "FMI {version}, step {n}");
        }
    }
}
