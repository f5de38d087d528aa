//! A panic inside the library does not reach the host: the call returns a status and a message,
//! nothing is printed, other systems are unaffected, and a restored system continues as if there
//! had been no panic.
//!
//! `cargo test --features test-panic --test abi panic_injection::`: the feature adds
//! `pintle_test_panic` to the library.
#![cfg(feature = "test-panic")]

use crate::functions::world::{World, bytes_of_system, message, ok, phase, step};
use crate::functions::{subject, subjects};
use pintle::capi::boundary::pintle_system;
use pintle::capi::status::*;
use pintle::capi::{inputs::*, life_cycle::*, names::*, outputs::*, state::*, stepping::*};
use pintle::{Phase, Simulation};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Output};
use std::ptr::{null, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

#[allow(improper_ctypes)] // a handle: nobody looks inside
unsafe extern "C" {
    fn pintle_test_panic(sys: *mut pintle_system) -> i32;
}

/// A system in phase FAILED, which was in `before`.
fn failed(before: i32) -> World {
    let world = World::new(before);
    assert_eq!(unsafe { pintle_test_panic(world.sys) }, PINTLE_ERR_PANIC);
    assert_eq!(phase(world.sys), PINTLE_PHASE_FAILED);
    world
}

#[test]
fn a_panic_becomes_a_status_and_a_message() {
    let world = failed(PINTLE_PHASE_READY);
    let said = message(world.sys);
    assert!(said.starts_with("pintle_test_panic: internal error"), "{said}");
    assert!(said.contains("injected by the test") && said.contains("test_panic.rs:"), "{said}");
    assert_eq!(message(null()), said);

    assert_eq!(unsafe { pintle_test_panic(null_mut()) }, PINTLE_ERR_NULL_ARGUMENT);
    assert_eq!(message(world.sys), said, "no system, no change of another one's message");
}

#[test]
fn a_failed_system_does_what_the_header_says_and_refuses_the_rest() {
    for (function, declared) in subjects() {
        let Some(allowed) = declared.phases() else { continue };
        let mut world = failed(PINTLE_PHASE_TRIAL);
        let values = function.arguments(&world, &[]);
        let (status, untouched) = world.call(&function, &values);
        if allowed.contains(&PINTLE_PHASE_FAILED) {
            assert_eq!(status, PINTLE_OK, "{}: {}", function.name, message(null()));
            continue;
        }
        assert_eq!(status, PINTLE_ERR_BAD_PHASE, "{}: {}", function.name, message(null()));
        let said = message(world.sys);
        assert!(said.starts_with(&format!("{}: not allowed in phase FAILED: ", function.name)), "{said}");
        assert!(untouched && phase(world.sys) == PINTLE_PHASE_FAILED, "{}", function.name);
        ok(unsafe { pintle_state_restore(world.sys, world.state) });
        assert!(bytes_of_system(world.sys) == world.bytes, "{} changed the state", function.name);
    }
}

#[test]
fn getters_of_a_failed_system_give_the_accepted_state() {
    let (mut world, mut twin) = (failed(PINTLE_PHASE_TRIAL), World::new(PINTLE_PHASE_TRIAL));
    ok(unsafe { pintle_reject(twin.sys) });
    let mut compared = 0;
    for (function, declared) in subjects() {
        let getter = function.name.starts_with("pintle_get_") || function.name == "pintle_time";
        let allowed = declared.phases().unwrap_or_default();
        if getter && allowed.contains(&PINTLE_PHASE_FAILED) {
            let [ours, theirs] = [&mut world, &mut twin].map(|world| {
                let values = function.arguments(world, &[]);
                let (status, [_, mut after]) = world.results(&function, &values);
                ok(status);
                after.pop(); // the handles
                after
            });
            assert_eq!(ours, theirs, "{}", function.name);
            compared += 1;
        }
    }
    assert!(compared >= 19, "only {compared} getters");
}

#[test]
fn a_restored_system_goes_on_bit_by_bit_and_others_never_noticed() {
    for before in [PINTLE_PHASE_READY, PINTLE_PHASE_TRIAL] {
        let (world, bystander, twin) = (World::new(before), World::new(before), World::new(before));
        // Inputs are part of what comes back.
        ok(unsafe { pintle_set_body_load(world.sys, 2, 0, [7.0; 6].as_ptr()) });
        assert_eq!(unsafe { pintle_test_panic(world.sys) }, PINTLE_ERR_PANIC);
        assert_eq!(phase(bystander.sys), before);
        assert_eq!(message(bystander.sys), "");
        assert!(bystander.portrait() == twin.portrait());

        ok(unsafe { pintle_state_restore(world.sys, world.state) });
        assert_eq!(phase(world.sys), PINTLE_PHASE_READY);
        for other in [&bystander, &twin] {
            ok(unsafe { pintle_state_restore(other.sys, other.state) });
        }
        for _ in 0..5 {
            [&world, &bystander, &twin].iter().for_each(|world| step(world.sys));
            let expected = bytes_of_system(twin.sys);
            assert!(bytes_of_system(world.sys) == expected && bytes_of_system(bystander.sys) == expected);
        }
    }
}

#[test]
fn a_checkpoint_restores_a_failed_system_too() {
    let mut world = failed(PINTLE_PHASE_READY);
    let (read, _) = subject("pintle_read_checkpoint");
    let values = read.arguments(&world, &[]);
    ok(world.call(&read, &values).0);
    assert_eq!(phase(world.sys), PINTLE_PHASE_READY);
    assert!(bytes_of_system(world.sys) == world.bytes);
    step(world.sys);
}

#[test]
fn a_system_that_failed_while_described_has_no_state_to_go_back_to() {
    let mut world = failed(PINTLE_PHASE_BUILDING);
    let mut pose = [f64::NAN; 7];
    unsafe {
        assert_eq!(pintle_get_body_pose(world.sys, 0, pose.as_mut_ptr()), PINTLE_ERR_BAD_PHASE);
        assert_eq!(pintle_state_restore(world.sys, world.state), PINTLE_ERR_BAD_PHASE);
        assert_eq!(pintle_initialize(world.sys, 0.0), PINTLE_ERR_BAD_PHASE);
        assert_eq!(phase(world.sys), PINTLE_PHASE_FAILED);
        ok(pintle_destroy(&mut world.sys));
    }
    assert!(world.sys.is_null() && pose.iter().all(|x| x.is_nan()));
}

#[test]
fn a_panic_on_another_thread_is_that_thread_s_own() {
    let own = message_of_this_thread("mine");
    let said = std::thread::spawn(|| {
        assert_eq!(message(null()), "");
        let world = failed(PINTLE_PHASE_READY);
        ok(unsafe { pintle_state_restore(world.sys, world.state) });
        step(world.sys);
        message(null())
    });
    assert!(said.join().expect("nothing unwinds out of the library").contains("injected by the test"));
    assert_eq!(message(null()), own);
}

/// A refusal on this thread.
fn message_of_this_thread(kind: &str) -> String {
    let world = World::new(PINTLE_PHASE_READY);
    let kind = std::ffi::CString::new(kind).expect("no NUL inside");
    assert_eq!(unsafe { pintle_count(world.sys, kind.as_ptr(), &mut 0) }, PINTLE_ERR_BAD_VALUE);
    message(null())
}

/// The feature's function panics before it does anything; here the panic comes in the middle of an
/// iteration.
#[test]
fn a_panic_in_the_middle_of_a_step_leaves_the_accepted_state() {
    let system = || {
        let mut system = Simulation::new();
        system.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        let pose = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = system.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose).unwrap();
        system.build().add_joint_at(pintle::JointKind::Spherical, pintle::GROUND, body, &[0.0; 3], None).unwrap();
        system.initialize(0.0).unwrap();
        system.step(0.01).unwrap();
        system
    };
    let (mut hit, mut twin) = (system(), system());
    let saved = hit.save().unwrap();
    let calls = AtomicU32::new(0);
    let burst: pintle::BodyLoadFn = Arc::new(move |_, _| {
        assert!(calls.fetch_add(1, Ordering::Relaxed) < 1, "a bug");
        Ok(())
    });
    hit.inputs().set_load_callback(0, Some(burst)).unwrap();
    assert!(catch_unwind(AssertUnwindSafe(|| hit.step(0.1))).is_err());
    // As the boundary does when it catches a panic.
    hit.mark_failed();
    assert_eq!(hit.outputs().body_pose(0), twin.outputs().body_pose(0));
    hit.restore(&saved).unwrap();
    assert_eq!(hit.phase(), Phase::Ready);
    hit.inputs().set_load_callback(0, None).unwrap();
    for _ in 0..5 {
        hit.step(0.01).unwrap();
        twin.step(0.01).unwrap();
        assert!(hit.save().unwrap().to_bytes() == twin.save().unwrap().to_bytes());
    }
}

// ---- What a host process sees ----------------------------------------------------------------------------------------

/// The environment variable that selects the scenario of a child process.
const SCENARIO: &str = "PINTLE_PANIC_SCENARIO";

/// Runs one of the tests below as a process of its own: hooks and standard streams belong to the
/// process.
fn child(scenario: &str) -> Output {
    let program = std::env::current_exe().expect("the test's own path");
    let output = Command::new(program)
        .args(["--exact", &format!("panic_injection::{scenario}"), "--nocapture"])
        .env(SCENARIO, scenario)
        .output();
    let output = output.expect("the test runs itself");
    assert!(output.status.success(), "{scenario}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn is_child(scenario: &str) -> bool {
    std::env::var(SCENARIO).is_ok_and(|asked| asked == scenario)
}

fn printed(output: &Output) -> [String; 2] {
    [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned())
}

#[test]
fn nothing_is_printed() {
    if is_child("nothing_is_printed") {
        drop(failed(PINTLE_PHASE_READY));
        std::thread::spawn(|| drop(failed(PINTLE_PHASE_TRIAL))).join().expect("nothing unwinds out of the library");
        return;
    }
    let [out, err] = printed(&child("nothing_is_printed"));
    assert_eq!(err, "");
    // The rest of stdout is the test harness's own, with the name of this module.
    let out = out.replace("panic_injection::", "");
    assert!(out.contains("1 passed") && !out.contains("panic") && !out.contains("injected"), "{out}");
}

#[test]
fn the_host_s_hook_gets_the_host_s_panics_and_no_others() {
    let scenario = "the_host_s_hook_gets_the_host_s_panics_and_no_others";
    if is_child(scenario) {
        // Installed before the library's first call: the library hands on what is not its own.
        static SEEN: AtomicU32 = AtomicU32::new(0);
        let install = |weight| {
            std::panic::set_hook(Box::new(move |panic| {
                SEEN.fetch_add(weight, Ordering::Relaxed);
                let text = panic.to_string();
                // What is left are failed assertions of this test.
                if !text.contains("the host's") && !text.contains("injected") {
                    eprintln!("{text}");
                }
            }));
        };
        install(1);
        let seen = || SEEN.load(Ordering::Relaxed);
        assert!(catch_unwind(|| panic!("the host's")).is_err());
        assert_eq!(seen(), 1);
        let world = failed(PINTLE_PHASE_READY);
        assert_eq!(seen(), 1, "the hook saw the library's panic");
        assert!(catch_unwind(|| panic!("the host's")).is_err());
        assert!(std::thread::spawn(|| panic!("the host's")).join().is_err());
        assert_eq!(seen(), 3, "the hook still works, on every thread");

        // Installed afterwards: the last hook of a Rust process sees every panic, and decides. It
        // is caught all the same, and the message is not that of an older one.
        install(10);
        ok(unsafe { pintle_state_restore(world.sys, world.state) });
        assert_eq!(unsafe { pintle_test_panic(world.sys) }, PINTLE_ERR_PANIC);
        assert_eq!(seen(), 13);
        assert!(message(world.sys).ends_with(": injected by the test"), "{}", message(world.sys));
        return;
    }
    let [out, err] = printed(&child(scenario));
    assert_eq!(err, "");
    assert!(out.contains("1 passed") && !out.contains("injected"), "{out}");
}

/// The library as a C program has it: with a panic hook of its own, that no Rust host has set.
#[test]
fn a_c_program_prints_what_it_wants_and_nothing_else() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (folder.join("panic_injection.c"), folder.join("panic_injection"));
    std::fs::write(
        &source,
        r#"
#include "pintle.h"
int32_t pintle_test_panic(pintle_system *sys);
int main(void) {
    pintle_system *sys = 0;
    int32_t phase = -1;
    if (pintle_create(&sys) != PINTLE_OK) return 1;
    if (pintle_test_panic(sys) != PINTLE_ERR_PANIC) return 2;
    if (pintle_phase(sys, &phase) != PINTLE_OK || phase != PINTLE_PHASE_FAILED) return 3;
    if (pintle_destroy(&sys) != PINTLE_OK) return 4;
    return 0;
}
"#,
    )
    .expect("the target directory is writable");
    // cargo puts the library beside the test's own program.
    let libraries = std::env::current_exe().expect("the test's own path").with_file_name("");
    let compiled = Command::new("gcc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/include"))
        .arg(&source)
        .arg(libraries.join("libpintle.so"))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("gcc");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // The library's soname is not the name of the file that cargo wrote.
    let (name, own) =
        (format!("libpintle.so.{}", pintle::capi::library::PINTLE_ABI), folder.join("panic_injection_lib"));
    std::fs::create_dir_all(&own).expect("the target directory is writable");
    std::fs::copy(libraries.join("libpintle.so"), own.join(name)).expect("the library is readable");
    let output = Command::new(&program).env("LD_LIBRARY_PATH", &own).output().expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "the line of main that disagreed");
    assert_eq!(printed(&output), ["", ""]);
}
