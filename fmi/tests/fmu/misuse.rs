//! Wrong calls: a status, a message that names what is wrong, and an instance that goes on.

use crate::unit::{ERROR, Folder, OK, Unit, example};
use pintle_fmi::{fmi2, fmi3};
use std::ptr::{null, null_mut};

#[test]
fn what_is_no_instance_is_refused() {
    let mut garbage = [0u64; 16];
    for handle in [null_mut(), garbage.as_mut_ptr().cast()] {
        unsafe {
            assert_eq!(fmi2::fmi2DoStep(handle, 0.0, 0.1, 0), ERROR);
            assert_eq!(fmi3::fmi3Terminate(handle), ERROR);
            fmi2::fmi2FreeInstance(handle);
        }
    }
}

#[test]
fn models_that_do_not_fit_are_refused_at_instantiation() {
    let folder = example("heavy_top");
    let token = Unit::new(2, &folder).model.token.clone();
    for version in [2, 3] {
        assert!(Unit::try_new(version, &folder, &token, false).is_ok());
        let said = Unit::try_new(version, &folder, "{wrong}", false).err().unwrap();
        assert!(said.contains("{wrong}") && said.contains(&token), "{said}");
        let said = Unit::try_new(version, &Folder::new(), "", false).err().unwrap();
        assert!(said.contains("model.toml"), "{said}");
        let said = Unit::try_new(version, &Folder::with("pintle_model = 1\nnonsense = 3\n"), "", false).err().unwrap();
        assert!(said.contains("nonsense") && said.contains("model.toml"), "{said}");
    }
    // Another comment is another model: the description was made of the first.
    let text = std::fs::read_to_string(folder.model()).unwrap();
    let changed = Folder::with(&text.replace("mass = 15", "mass = 16"));
    assert!(Unit::try_new(2, &changed, &token, false).is_err());
    unsafe {
        assert!(fmi2::fmi2Instantiate(c"a".as_ptr(), 0, c"".as_ptr(), c"/".as_ptr(), null(), 0, 0).is_null());
        assert!(fmi2::fmi2Instantiate(null(), 1, null(), null(), null(), 0, 0).is_null());
        let handle = fmi3::fmi3InstantiateCoSimulation(
            c"a".as_ptr(),
            null(),
            null(),
            0,
            0,
            1,
            0,
            null(),
            0,
            null_mut(),
            None,
            null(),
        );
        assert!(handle.is_null());
    }
}

#[test]
fn wrong_values_and_references_are_named_and_change_nothing() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::started(version, &folder);
        unit.set("body.top.load.fx", 2.0);
        let cases: [(u32, &[f64], &str); 5] = [
            (unit.find("body.top.load.fx"), &[f64::NAN], "body.top.load.fx = NaN"),
            (unit.find("body.top.pos.x"), &[0.0], "body.top.pos.x is not an input or a parameter"),
            (unit.find("settings.rho_inf"), &[0.5], "settings.rho_inf is not to be changed after initialization"),
            (0x1fff_ffff, &[0.5], "value reference"),
            (unit.find("settings.scheme"), &[0.5], "settings.scheme is not a real variable"),
        ];
        for (reference, values, text) in cases {
            assert_eq!(unit.set_reference(reference, values), ERROR);
            assert!(unit.said().contains(text), "{}", unit.said());
        }
        assert_eq!(unit.get("body.top.load.fx"), 2.0);
        for (time, dt) in [(0.5, 0.1), (0.0, 0.0), (0.0, -0.1), (0.0, f64::NAN), (f64::NAN, 0.1), (0.0, f64::INFINITY)]
        {
            assert_eq!(unit.try_step(time, dt).0, ERROR, "{time} {dt}");
        }
        unit.step(0.0, 1e-3);
    }
    // Arrays are 3.0's, and whole.
    let (two, three) = (Unit::started(2, &folder), Unit::started(3, &folder));
    assert_eq!(two.try_set("body.top.wrench", &[0.0; 6]), ERROR);
    assert_eq!(three.try_set("body.top.wrench", &[0.0; 5]), ERROR);
    assert_eq!(three.try_set("body.top.wrench", &[0.0; 7]), ERROR);
}

#[test]
fn calls_out_of_order_are_refused() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::new(version, &folder);
        assert_eq!(unit.try_step(0.0, 1e-3).0, ERROR);
        assert_eq!(unit.exit(), ERROR);
        assert_eq!(unit.enter(f64::NAN), ERROR);
        unit.start();
        assert_eq!(unit.enter(0.0), ERROR);
        assert!(unit.said().contains("mode Step"), "{}", unit.said());
        unit.step(0.0, 1e-3);
    }
}

#[test]
fn a_start_that_does_not_fit_fails_and_another_one_is_taken() {
    let folder = example("heavy_top");
    let unit = Unit::new(2, &folder);
    unit.set("body.top.initial.pos.y", 1.5);
    assert_eq!(unit.enter(0.0), OK);
    assert_eq!(unit.exit(), ERROR);
    assert!(unit.said().contains("tip"), "{}", unit.said());
    unit.set("settings.assemble", 1.0);
    assert_eq!(unit.exit(), OK, "{}", unit.said());
    // The joint holds: the centre of mass is 1 m from the origin.
    let radius = ["x", "y", "z"].map(|axis| unit.get(&format!("body.top.pos.{axis}")).powi(2)).iter().sum::<f64>();
    assert!((radius - 1.0).abs() < 1e-12, "{radius}");
    let odd = Unit::new(2, &folder);
    odd.set("body.top.initial.quat.w", 0.1);
    assert_eq!((odd.enter(0.0), odd.exit()), (OK, ERROR));
    assert!(odd.said().contains("quaternion"), "{}", odd.said());
}

#[test]
fn foreign_and_damaged_states_are_refused() {
    let (top, pendulum) = (example("heavy_top"), example("four_bar"));
    for version in [2, 3] {
        let (unit, other) = (Unit::started(version, &top), Unit::started(version, &pendulum));
        unit.step(0.0, 1e-3);
        let before = unit.outputs();
        let (state, foreign) = (unit.save(null_mut()), other.save(null_mut()));
        let bytes = unit.bytes(state);
        assert_eq!(unit.restore(foreign), ERROR);
        assert_eq!(unit.restore(null_mut()), ERROR);
        assert_eq!(other.state_of(&bytes).0, ERROR);
        for at in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(unit.state_of(&damaged).0, ERROR, "byte {at}");
            assert_eq!(unit.state_of(&bytes[..at]).0, ERROR, "{at} bytes");
        }
        assert_eq!(unit.outputs(), before);
        unit.step(1e-3, 1e-3);
        unit.drop_state(state);
        other.drop_state(foreign);
    }
}

#[test]
fn null_arrays_are_refused() {
    let folder = example("heavy_top");
    let unit = Unit::started(3, &folder);
    let (reference, mut value) = (0u32, [0.0]);
    unsafe {
        assert_eq!(fmi3::fmi3GetFloat64(unit.handle, null(), 1, value.as_mut_ptr(), 1), ERROR);
        assert_eq!(fmi3::fmi3GetFloat64(unit.handle, &reference, 1, null_mut(), 1), ERROR);
        assert_eq!(fmi3::fmi3GetFloat64(unit.handle, &reference, usize::MAX, value.as_mut_ptr(), 1), ERROR);
        assert_eq!(fmi3::fmi3GetFloat64(unit.handle, null(), 0, null_mut(), 0), OK);
        assert_eq!(fmi3::fmi3GetInt32(unit.handle, null(), 0, null_mut(), 0), OK);
        assert_eq!(fmi3::fmi3GetInt32(unit.handle, &reference, 1, null_mut(), 1), ERROR);
        assert_eq!(fmi3::fmi3GetFMUState(unit.handle, null_mut()), ERROR);
        assert_eq!(fmi3::fmi3EnterEventMode(unit.handle), ERROR);
    }
    assert!(unit.said().contains("Event Mode"), "{}", unit.said());
}
