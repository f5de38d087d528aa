//! Each allocation fails in turn, alone or with all later ones: a call succeeds, or it returns
//! `Error` and has changed nothing.

use crate::alone;
use crate::heap::with_refusal;
use crate::unit::{ERROR, Folder, OK, Unit, example};
use pintle_fmi::{fmi2, fmi3};
use std::ffi::{CString, c_int};
use std::fmt::Write;
use std::ptr::{null, null_mut};

/// Version of the standard; whether all allocations after the first refused one fail too.
const WAYS: [(u32, bool); 2] = [(2, false), (3, true)];

/// A chain of `n` bodies on ball joints; from some 20 on its lists are too large for the fixed part
/// of the reserve.
fn chain(n: usize) -> Folder {
    let mut text = String::from("pintle_model = 1\ngravity = [0, 0, -9.81]\n");
    for k in 0..n {
        let before = if k == 0 { "ground".to_owned() } else { format!("b{}", k - 1) };
        write!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\npose = [{k}.5, 0, 0, 1, 0, 0, 0]\n\
             [[joint]]\nname = \"j{k}\"\nkind = \"spherical\"\nbody_a = \"{before}\"\nbody_b = \"b{k}\"\npoint = [{k}, 0, 0]\n"
        )
        .unwrap();
    }
    Folder::with(&text)
}

/// Calls `attempt` repeatedly with growing numbers of allocations that succeed before the refused
/// one; `attempt` returns how many were refused. Returns the sum.
fn sweep(what: &str, attempt: impl Fn(u32, u64, bool) -> u64) -> u64 {
    let _alone = alone();
    let mut swept = 0;
    for (version, for_good) in WAYS {
        let mut grants = 0;
        while attempt(version, grants, for_good) > 0 {
            swept += 1;
            // Every one of the first allocations is refused once, of later ones fewer and fewer,
            // because calls with many allocations repeat the same ones.
            grants += 1 + grants / 8;
        }
    }
    assert!(swept > 0, "{what} asks for nothing");
    swept
}

/// Sweeps a call on instances that `make` makes ready for it.
fn sweep_call(what: &str, folder: &Folder, make: &dyn Fn(&Unit), call: &dyn Fn(&Unit) -> c_int) {
    let swept = sweep(what, |version, grants, for_good| {
        let unit = Unit::new(version, folder);
        make(&unit);
        let before = seen(&unit);
        let (refused, status) = with_refusal(grants, for_good, || call(&unit));
        assert!(status == OK || status == ERROR, "{what}: {status}, {}", unit.said());
        if status == ERROR {
            assert!(refused > 0 && unit.said().contains("out of memory"), "{what}: {}", unit.said());
            assert!(seen(&unit) == before, "{what}: something changed");
            assert_eq!(call(&unit), OK, "{what}, again with memory: {}", unit.said());
        }
        refused
    });
    println!("{what}: {swept} refusals");
}

/// The whole state of an instance.
fn seen(unit: &Unit) -> Vec<u8> {
    let state = unit.save(null_mut());
    let bytes = unit.bytes(state);
    unit.drop_state(state);
    bytes
}

fn step(unit: &Unit, time: f64) -> c_int {
    unsafe {
        match unit.version {
            2 => fmi2::fmi2DoStep(unit.handle, time, 1e-3, 0),
            _ => {
                let (mut flags, mut reached) = ([0u8; 3], 0.0);
                let [event, end, early] = &mut flags;
                fmi3::fmi3DoStep(unit.handle, time, 1e-3, 0, event, end, early, &mut reached)
            }
        }
    }
}

fn all_outputs(unit: &Unit) -> c_int {
    let n = unit.model.outputs.len();
    let (references, mut values): (Vec<u32>, _) = ((0..n as u32).collect(), vec![0.0; n]);
    unsafe {
        match unit.version {
            2 => fmi2::fmi2GetReal(unit.handle, references.as_ptr(), n, values.as_mut_ptr()),
            _ => fmi3::fmi3GetFloat64(unit.handle, references.as_ptr(), n, values.as_mut_ptr(), n),
        }
    }
}

/// Runs two steps, so that all that is prepared once is there, and derivatives are those of a step.
fn running(unit: &Unit) {
    unit.start();
    unit.set_reference(FIRST_INPUT, &[2.0]);
    unit.step(0.0, 1e-3);
    unit.step(1e-3, 1e-3);
}

/// Value references.
const FIRST_INPUT: u32 = 1 << 28;
const KINETIC_ENERGY: u32 = 1;

#[test]
fn instantiation_fails_or_succeeds() {
    for folder in [example("four_bar"), chain(24)] {
        let path = CString::new(folder.0.to_str().unwrap()).unwrap();
        let swept = sweep("instantiation", |version, grants, for_good| {
            let (refused, handle) = with_refusal(grants, for_good, || unsafe {
                match version {
                    2 => fmi2::fmi2Instantiate(c"u".as_ptr(), 1, null(), path.as_ptr(), null(), 0, 0),
                    _ => fmi3::fmi3InstantiateCoSimulation(
                        c"u".as_ptr(),
                        null(),
                        path.as_ptr(),
                        0,
                        0,
                        0,
                        0,
                        null(),
                        0,
                        null_mut(),
                        None,
                        null(),
                    ),
                }
            });
            assert!(refused > 0 || !handle.is_null());
            unsafe { if version == 2 { fmi2::fmi2FreeInstance(handle) } else { fmi3::fmi3FreeInstance(handle) } }
            refused
        });
        println!("instantiation: {swept} refusals");
    }
}

#[test]
fn calls_fail_and_change_nothing_or_succeed() {
    for folder in [example("four_bar"), chain(24)] {
        let entered = |unit: &Unit| {
            assert_eq!(unit.enter(0.0), OK);
            unit.set_reference(FIRST_INPUT, &[2.0]);
        };
        let started = |unit: &Unit| {
            entered(unit);
            assert_eq!(unit.exit(), OK);
        };
        let reset = |unit: &Unit| unsafe {
            if unit.version == 2 { fmi2::fmi2Reset(unit.handle) } else { fmi3::fmi3Reset(unit.handle) }
        };
        let scheme = |unit: &Unit| {
            let (reference, name) = (unit.find("settings.scheme"), c"rk4".as_ptr());
            unsafe {
                match unit.version {
                    2 => fmi2::fmi2SetString(unit.handle, &reference, 1, &name),
                    _ => fmi3::fmi3SetString(unit.handle, &reference, 1, &name, 1),
                }
            }
        };
        let derivative = |unit: &Unit, unknown: u32| {
            let (knowns, seed, mut found) = (FIRST_INPUT, 1.0, 0.0);
            let at = &raw mut found;
            unsafe {
                match unit.version {
                    2 => fmi2::fmi2GetDirectionalDerivative(unit.handle, &unknown, 1, &knowns, 1, &seed, at),
                    _ => fmi3::fmi3GetDirectionalDerivative(unit.handle, &unknown, 1, &knowns, 1, &seed, 1, at, 1),
                }
            }
        };
        let position = |unit: &Unit| derivative(unit, unit.model.carriers[0].first_output as u32);
        sweep_call("start", &folder, &entered, &|unit| unit.exit());
        sweep_call("outputs of the start", &folder, &entered, &all_outputs);
        sweep_call("scheme", &folder, &entered, &scheme);
        sweep_call("reset", &folder, &entered, &reset);
        sweep_call("first step", &folder, &started, &|unit| step(unit, 0.0));
        sweep_call("outputs", &folder, &running, &all_outputs);
        sweep_call("compliance", &folder, &running, &position);
        sweep_call("difference", &folder, &running, &|unit| derivative(unit, KINETIC_ENERGY));
        let with_another_input = |unit: &Unit| {
            running(unit);
            unit.set_reference(FIRST_INPUT + 7, &[1.0]);
        };
        sweep_call("step with another input", &folder, &with_another_input, &|unit| step(unit, 2e-3));
    }
}

#[test]
fn states_are_copied_whole_or_not() {
    for folder in [example("four_bar"), chain(24)] {
        sweep_call("save", &folder, &running, &|unit| {
            let mut state = null_mut();
            let status = unsafe {
                match unit.version {
                    2 => fmi2::fmi2GetFMUstate(unit.handle, &mut state),
                    _ => fmi3::fmi3GetFMUState(unit.handle, &mut state),
                }
            };
            assert_eq!(state.is_null(), status != OK);
            if status == OK {
                unit.drop_state(state);
            }
            status
        });
        let donor = Unit::new(2, &folder);
        running(&donor);
        let foreign = donor.save(null_mut());
        let bytes = donor.bytes(foreign);
        // Restore into an instance before its first step, which creates a simulation.
        sweep_call("restore elsewhere", &folder, &|_| (), &|unit| unit.restore(foreign));
        sweep_call("size", &folder, &running, &|unit| {
            let mut size = 0;
            unsafe {
                match unit.version {
                    2 => fmi2::fmi2SerializedFMUstateSize(unit.handle, foreign, &mut size),
                    _ => fmi3::fmi3SerializedFMUStateSize(unit.handle, foreign, &mut size),
                }
            }
        });
        sweep_call("deserialize", &folder, &|_| (), &|unit| {
            let (status, state) = unit.state_of(&bytes);
            assert_eq!(state.is_null(), status != OK);
            if status == OK {
                unit.drop_state(state);
            }
            status
        });
        donor.drop_state(foreign);
    }
}
