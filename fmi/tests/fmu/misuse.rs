//! Wrong calls return a status, log a message that names the fault, and leave the instance usable.

use crate::unit::{ERROR, Folder, OK, Unit, example};
use pintle_fmi::{fmi2, fmi3};
use std::ffi::CStr;
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
    // A changed model is refused: the model description was made from the original one.
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
    // Only 3.0 has arrays, and they are passed whole.
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
    // A file by hand is assembled by default.
    assert_eq!(unit.get("settings.assemble"), 1.0);
    unit.set("settings.assemble", 0.0);
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

#[test]
fn values_of_one_call_are_set_all_or_none() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::started(version, &folder);
        let references = ["body.top.load.fx", "body.top.pos.x"].map(|name| unit.find(name));
        let set = |values: &[f64]| unsafe {
            match version {
                2 => fmi2::fmi2SetReal(unit.handle, references.as_ptr(), 2, values.as_ptr()),
                _ => fmi3::fmi3SetFloat64(unit.handle, references.as_ptr(), 2, values.as_ptr(), values.len()),
            }
        };
        // The second variable is an output.
        assert_eq!(set(&[3.0, 4.0]), ERROR);
        assert_eq!(unit.get("body.top.load.fx"), 0.0);
    }
    let unit = Unit::started(3, &folder);
    let references = ["body.top.load.fx", "body.top.load.fy"].map(|name| unit.find(name));
    for values in [&[3.0][..], &[3.0, 4.0, 5.0]] {
        let status =
            unsafe { fmi3::fmi3SetFloat64(unit.handle, references.as_ptr(), 2, values.as_ptr(), values.len()) };
        assert_eq!(status, ERROR);
        assert_eq!(unit.get("body.top.load.fx"), 0.0, "{values:?}");
    }
}

#[test]
fn all_texts_of_a_call_live_until_the_next_one() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::new(version, &folder);
        let references = [unit.find("settings.scheme"); 3];
        let mut texts = [null(); 3];
        let status = unsafe {
            match version {
                2 => fmi2::fmi2GetString(unit.handle, references.as_ptr(), 3, texts.as_mut_ptr()),
                _ => fmi3::fmi3GetString(unit.handle, references.as_ptr(), 3, texts.as_mut_ptr(), 3),
            }
        };
        assert_eq!(status, OK);
        for text in texts {
            assert_eq!(unsafe { CStr::from_ptr(text) }, c"generalized-alpha");
        }
    }
}

/// A state of a model that differs in a number alone has the same variables. The instance goes on
/// where it was.
#[test]
fn states_of_another_model_are_refused_and_leave_the_instance_where_it_was() {
    let folder = example("heavy_top");
    let text = std::fs::read_to_string(folder.model()).unwrap();
    let changed = Folder::with(&text.replace("mass = 15", "mass = 16"));
    for version in [2, 3] {
        let (unit, other) = (Unit::started(version, &folder), Unit::new(version, &changed));
        unit.step(0.0, 1e-3);
        let before = unit.outputs();
        for started in [false, true] {
            if started {
                other.start();
                other.step(0.0, 1e-3);
            }
            let state = other.save(null_mut());
            assert_eq!(unit.restore(state), ERROR);
            assert!(unit.said().contains("another model"), "{}", unit.said());
            assert_eq!(unit.state_of(&other.bytes(state)).0, ERROR);
            other.drop_state(state);
            assert_eq!(unit.outputs(), before);
        }
        unit.step(1e-3, 1e-3);
    }
}

#[test]
fn no_step_passes_the_stop_time() {
    let folder = example("heavy_top");
    for version in [2, 3] {
        let unit = Unit::new(version, &folder);
        let begin = |start: f64, stop: f64| unsafe {
            match version {
                2 => fmi2::fmi2SetupExperiment(unit.handle, 0, 0.0, start, 1, stop),
                _ => fmi3::fmi3EnterInitializationMode(unit.handle, 0, 0.0, start, 1, stop),
            }
        };
        assert_eq!(begin(1.0, 0.5), ERROR);
        assert!(unit.said().contains("stop time 0.5"), "{}", unit.said());
        assert_eq!(begin(1.0, 1.03), OK);
        if version == 2 {
            assert_eq!(unsafe { fmi2::fmi2EnterInitializationMode(unit.handle) }, OK);
        }
        assert_eq!(unit.exit(), OK);
        // The sum of three steps of 10 ms is 1.03 but for rounding.
        unit.step(1.0, 0.01);
        unit.step(1.01, 0.01);
        assert_eq!(unit.try_step(1.02, 0.02).0, ERROR);
        assert!(unit.said().contains("stop time 1.03"), "{}", unit.said());
        unit.step(1.0 + 0.01 + 0.01, 0.01);
        assert_eq!(unit.try_step(1.03, 0.01).0, ERROR);
        assert!((unit.outputs()[0] - 1.03).abs() < 1e-12);
    }
}

/// An importer that rounds upwards and traps divisions by zero and invalid operations: the same
/// bits, and it gets its environment back.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_importers_floating_point_environment_changes_no_bits() {
    use std::arch::asm;
    // Everything masked but invalid operations (bit 7) and divisions by zero (bit 9); rounding
    // upwards (bit 14).
    const TRAPPING: u32 = (0x1f80 & !(1 << 7) & !(1 << 9)) | 1 << 14;
    let read = || {
        let mut value = 0u32;
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack)) };
        value
    };
    let write = |value: u32| unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack)) };
    for (version, name) in [(2, "floating_platform"), (3, "heavy_top")] {
        let folder = example(name);
        let runs = [0x1f80, TRAPPING].map(|environment| {
            let unit = Unit::new(version, &folder);
            let mut outputs = vec![f64::NAN; unit.model.outputs.len()];
            let references: Vec<u32> = (0..outputs.len() as u32).collect();
            write(environment);
            let mut worst = unit.enter(0.0).max(unit.exit());
            for n in 0..20 {
                // Messages with times are compared in the default environment.
                write(0x1f80);
                let time = f64::from(n) * 0.01;
                write(environment);
                worst = worst.max(unit.try_step(time, 0.01).0);
            }
            worst = worst.max(unsafe {
                let (n, values) = (references.len(), outputs.as_mut_ptr());
                match version {
                    2 => fmi2::fmi2GetReal(unit.handle, references.as_ptr(), n, values),
                    _ => fmi3::fmi3GetFloat64(unit.handle, references.as_ptr(), n, values, n),
                }
            });
            let left = read();
            write(0x1f80);
            assert_eq!((worst, left & !0x3f), (OK, environment), "{}", unit.said());
            outputs.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        });
        assert!(runs[0] == runs[1], "{name}: other bits");
    }
}
