//! Every function of the C ABI refuses every kind of bad argument: with the right status, with a
//! message that names the function, the argument, the entity and the value, and without changing
//! anything.
//!
//! The tests are generated from `abi::table`, which has the kind of each parameter; a test compares
//! the table with include/pintle.h, so that no function can be forgotten. `faults` has the bad
//! values for each kind, and exceptions for single functions.

mod faults;

use crate::functions::header::{Declared, declared};
use crate::functions::table::{CANNOT_FAIL, Function, Role, functions};
use crate::functions::world::{DRIVEN, Value, World, bytes_of_system, fresh_path, message, ok, phase, step};
use crate::functions::{subject, subjects};
use faults::{Fault, accepted, fault, faults, special_cases, written};
use pintle::capi::boundary::pintle_system;
use pintle::capi::status::*;
use pintle::capi::{
    fluid::*, inputs::*, library::*, life_cycle::*, model::*, names::*, settings::*, state::*, stepping::*,
};
use std::ffi::{CStr, c_void};
use std::ptr::{null, null_mut};

const PHASES: [i32; 3] = [PINTLE_PHASE_BUILDING, PINTLE_PHASE_READY, PINTLE_PHASE_TRIAL];
#[test]
fn the_table_has_every_function_and_parameter_of_the_header() {
    let table = functions();
    let ours = table.iter().map(|f| (f.name.to_owned(), f.parameters.iter().map(|(p, _)| p.to_string()).collect()));
    let theirs = declared().into_iter().filter(|d| CANNOT_FAIL.iter().all(|(name, _)| d.name != *name));
    let theirs = theirs.map(|d| (d.name, d.parameters));
    let (ours, theirs): (Vec<(String, Vec<String>)>, Vec<_>) = (ours.collect(), theirs.collect());
    for (own, declared) in ours.iter().zip(&theirs) {
        assert_eq!(own, declared, "the table (left), the header (right)");
    }
    assert_eq!(ours.len(), theirs.len());
    assert_eq!(declared().len(), theirs.len() + CANNOT_FAIL.len());

    let world = World::new(PINTLE_PHASE_READY);
    for function in &table {
        for (name, role) in &function.parameters {
            let tested =
                !faults(name, role, &world).is_empty() || matches!(role, Role::Seed | Role::Any(_) | Role::Optional(_));
            assert!(tested, "nothing bad is tried for `{name}` of {}", function.name);
        }
    }
}

#[test]
fn good_arguments_are_accepted_in_every_phase_that_the_header_names() {
    // Nothing has switched in these models.
    let subjects = subjects().into_iter().filter(|(function, _)| !function.name.starts_with("pintle_get_event"));
    for (function, declared) in &subjects.collect::<Vec<_>>() {
        for phase in reachable(declared) {
            let mut variants = vec![Vec::new()];
            for (name, role) in &function.parameters {
                variants.extend(accepted(role).into_iter().map(|value| vec![(*name, value)]));
            }
            for variant in variants {
                // A fresh system, as the call may end or fail it.
                let mut world = World::new(phase);
                let values = function.arguments(&world, &variant);
                let (status, _) = world.call(function, &values);
                assert_eq!(status, PINTLE_OK, "{}{values:?}: {}", function.name, message(null()));
            }
        }
    }
}

#[test]
fn one_bad_argument_is_refused_and_changes_nothing() {
    for (function, declared) in &subjects() {
        for phase in reachable(declared) {
            let mut check = Check::new(function, declared, phase);
            for (name, role) in &function.parameters {
                for fault in faults(name, role, &check.world) {
                    check.refuses(&[(name, fault.value.clone())], &fault);
                }
            }
            check.goes_on();
        }
    }
}

#[test]
fn what_only_one_function_refuses_changes_nothing_either() {
    for (name, arguments, status, argument, says) in special_cases() {
        let (function, declared) = subject(name);
        let value = arguments.last().map_or(Value::Null, |(_, value)| value.clone());
        let mut fault = fault(value, status, argument, says);
        if let Value::Real(x) = fault.value {
            fault.says.push(written(x));
        }
        for phase in reachable(&declared) {
            let mut check = Check::new(&function, &declared, phase);
            check.refuses(&arguments, &fault);
            check.goes_on();
        }
    }
}

#[test]
fn wrong_phases_are_refused_and_change_nothing() {
    for (function, declared) in &subjects() {
        let allowed = declared.phases().unwrap_or(PHASES.into());
        let owns_system = function.parameters.iter().any(|(name, _)| *name == "sys");
        assert_eq!(owns_system, declared.phases().is_some(), "{} says its phases", function.name);
        for phase in PHASES.into_iter().filter(|phase| !allowed.contains(phase)) {
            let name = ["BUILDING", "READY", "TRIAL"][phase as usize];
            let mut check = Check::new(function, declared, phase);
            let blamed = fault(Value::Null, PINTLE_ERR_BAD_PHASE, "not allowed in phase", name);
            check.refuses(&[], &blamed);
            check.goes_on();
        }
    }
}

#[test]
fn a_state_of_another_model_is_refused() {
    let (function, declared) = subject("pintle_state_restore");
    for phase in [PINTLE_PHASE_READY, PINTLE_PHASE_TRIAL] {
        let mut check = Check::new(&function, &declared, phase);
        let other = World::new(PINTLE_PHASE_BUILDING);
        unsafe {
            ok(pintle_set_gravity(other.sys, [0.0, 0.0, -1.0].as_ptr()));
            ok(pintle_initialize(other.sys, 0.0));
            ok(pintle_state_save(other.sys, &mut check.world.state));
        }
        check.portrait = check.world.portrait();
        check.refuses(&[], &fault(Value::Null, PINTLE_ERR_FINGERPRINT, "state", "another model"));
        check.goes_on();
    }
}

#[test]
fn models_that_cannot_start_are_refused_and_can_be_mended() {
    let identity = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let (zero, mut id) = ([0.0; 6], -1);
    let (initialize, declared) = subject("pintle_initialize");
    let new = || Check::new(&initialize, &declared, PINTLE_PHASE_BUILDING);

    // Body 2 is at x = 4; the joint holds it at the origin.
    let mut check = new();
    let frame = identity.as_ptr();
    ok(unsafe { pintle_add_joint(check.world.sys, PINTLE_JOINT_SPHERICAL, -1, 2, frame, frame, &mut id) });
    check.portrait = check.world.portrait();
    let mut unassembled = fault(Value::Null, PINTLE_ERR_INCONSISTENT_STATE, "inconsistent state", "joint 5 ");
    unassembled.says.extend(["gap 4,".to_owned(), "bodies -1 and 2".to_owned()]);
    check.refuses(&[], &unassembled);
    unsafe {
        ok(pintle_set_option(check.world.sys, c"assemble".as_ptr(), 1.0));
        ok(pintle_initialize(check.world.sys, 0.0));
    }
    step(check.world.sys);

    // Body 0 is on a revolute joint about y and cannot turn about x.
    let mut check = new();
    ok(unsafe { pintle_set_body_velocity(check.world.sys, 0, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0].as_ptr()) });
    check.portrait = check.world.portrait();
    check.refuses(&[], &fault(Value::Null, PINTLE_ERR_INCONSISTENT_STATE, "inconsistent state", "joint 0 "));
    unsafe {
        ok(pintle_set_body_velocity(check.world.sys, 0, zero.as_ptr()));
        ok(pintle_initialize(check.world.sys, 0.0));
    }
    step(check.world.sys);

    // A driven joint whose drive begins at another angle than that of its frames.
    let mut check = new();
    ok(unsafe { pintle_set_joint_motion(check.world.sys, DRIVEN, 0.25, 0.0, 0.0) });
    check.portrait = check.world.portrait();
    check.refuses(&[], &fault(Value::Null, PINTLE_ERR_INCONSISTENT_STATE, "inconsistent state", "joint 2 "));
    unsafe {
        ok(pintle_set_joint_motion(check.world.sys, DRIVEN, 0.0, 0.0, 0.0));
        ok(pintle_initialize(check.world.sys, 0.0));
    }
    step(check.world.sys);

    // Two joints hold the body at different places, so that no assembly exists.
    let mut check = new();
    for x in [4.0, 4.5] {
        let place = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let place = place.as_ptr();
        ok(unsafe { pintle_add_joint(check.world.sys, PINTLE_JOINT_FIXED, -1, 2, place, frame, &mut id) });
    }
    ok(unsafe { pintle_set_option(check.world.sys, c"assemble".as_ptr(), 1.0) });
    check.portrait = check.world.portrait();
    let says = "joint 6 (FIXED, bodies -1 and 2) is not assembled: gap 0.5,";
    check.refuses(&[], &fault(Value::Null, PINTLE_ERR_REDUNDANT_CONSTRAINTS, "redundant constraints", says));

    // A screw without a pitch.
    let mut check = new();
    let here = [4.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let axis = [0.0, 1.0, 0.0];
    ok(unsafe {
        pintle_add_joint_at(check.world.sys, PINTLE_JOINT_SCREW, -1, 2, here.as_ptr(), axis.as_ptr(), &mut id)
    });
    check.portrait = check.world.portrait();
    check.refuses(&[], &fault(Value::Null, PINTLE_ERR_BAD_VALUE, "pitch", "joint 5 (SCREW, bodies -1 and 2)"));
    unsafe {
        ok(pintle_set_joint_pitch(check.world.sys, id, 1.0));
        ok(pintle_set_body_velocity(check.world.sys, 2, zero.as_ptr()));
        ok(pintle_initialize(check.world.sys, 0.0));
    }
    step(check.world.sys);

    // A free body without mass has no acceleration.
    let mut check = new();
    ok(unsafe { pintle_add_rigid_body(check.world.sys, 0.0, zero.as_ptr(), zero.as_ptr(), frame, &mut id) });
    check.portrait = check.world.portrait();
    check.refuses(&[], &fault(Value::Null, PINTLE_ERR_SINGULAR, "singular matrix at time 0.5", "body 7"));
    let light: [f64; 36] = std::array::from_fn(|k| if k % 7 == 0 { 0.5 } else { 0.0 });
    unsafe {
        ok(pintle_set_added_mass(check.world.sys, 7, light.as_ptr(), 0));
        ok(pintle_initialize(check.world.sys, 0.0));
    }
    step(check.world.sys);
}

#[test]
fn a_step_of_too_many_parts_is_refused() {
    for name in ["pintle_step", "pintle_advance"] {
        let (function, declared) = subject(name);
        let mut check = Check::new(&function, &declared, PINTLE_PHASE_READY);
        ok(unsafe { pintle_set_option(check.world.sys, c"max_time_step".as_ptr(), 1e-3) });
        check.portrait = check.world.portrait();
        let long = Value::Real(1e7);
        check.refuses(&[("dt", long.clone())], &fault(long, PINTLE_ERR_BAD_VALUE, "dt", "10000000 asks for"));
        step(check.world.sys);
    }
}

/// A load callback that returns an error.
unsafe extern "C" fn give_up(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const f64,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    -7
}

#[test]
fn a_failed_advance_leaves_the_accepted_state_and_no_trial() {
    let (world, twin) = (World::new(PINTLE_PHASE_TRIAL), World::new(PINTLE_PHASE_TRIAL));
    unsafe {
        ok(pintle_set_load_callback(world.sys, 2, Some(give_up), null_mut()));
        assert_eq!(pintle_advance(world.sys, 0.01), PINTLE_ERR_CALLBACK);
        let said = message(world.sys);
        assert!(said.starts_with("pintle_advance: load callback of body 2 at time 0.02: returned -7"), "{said}");
        assert_eq!(pintle_accept(world.sys), PINTLE_ERR_BAD_PHASE);
        ok(pintle_set_load_callback(world.sys, 2, None, null_mut()));
        ok(pintle_reject(twin.sys));
    }
    for _ in 0..2 {
        assert_eq!(phase(world.sys), PINTLE_PHASE_READY);
        assert!(bytes_of_system(world.sys) == bytes_of_system(twin.sys));
        step(world.sys);
        step(twin.sys);
    }
}

#[test]
fn buffers_that_are_too_small_get_what_the_header_promises() {
    let world = World::new(PINTLE_PHASE_READY);
    let before = world.portrait();
    let (mut text, mut len) = ([1_u8; 40], -1);
    let (mut bytes, mut length) = ([1_u8; 64], -1);
    unsafe {
        let status = pintle_get_scheme(world.sys, 5, text.as_mut_ptr().cast(), &mut len);
        assert_eq!((status, &text[..6], len), (PINTLE_ERR_BUFFER_TOO_SMALL, b"gene\0\x01".as_slice(), 17));
        assert_eq!(message(world.sys), "pintle_get_scheme: cap = 5 is too small: 18 needed");
        // Asking for a message that does not fit leaves it in place.
        let status = pintle_error_message(world.sys, 7, text.as_mut_ptr().cast(), &mut len);
        assert_eq!((status, &text[..8], len), (PINTLE_ERR_BUFFER_TOO_SMALL, b"pintle\0\x01".as_slice(), 50));
        assert_eq!(message(world.sys), "pintle_get_scheme: cap = 5 is too small: 18 needed");

        let status = pintle_state_serialize(world.state, 64, bytes.as_mut_ptr(), &mut length);
        assert_eq!((status, bytes, length), (PINTLE_ERR_BUFFER_TOO_SMALL, [1; 64], world.bytes.len() as i64));
        let whole = world.bytes.len();
        assert_eq!(message(null()), format!("pintle_state_serialize: cap = 64 is too small: {whole} needed"));
    }
    assert!(world.portrait() == before);
}

#[test]
fn checkpoints_that_cannot_be_written_leave_nothing_behind() {
    let world = World::new(PINTLE_PHASE_READY);
    let folder = fresh_path();
    std::fs::create_dir_all(format!("{folder}/taken")).expect("the target directory is writable");
    let path = format!("{folder}/taken\0");
    assert_eq!(unsafe { pintle_write_checkpoint(world.sys, path.as_ptr().cast()) }, PINTLE_ERR_IO);
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["taken"]);
    std::fs::remove_dir_all(&folder).expect("own folder");
}

#[test]
fn functions_that_cannot_fail_answer_to_any_number() {
    for number in [0, 1, 299, 500, 9999, -1, i32::MAX, i32::MIN] {
        let name = unsafe { CStr::from_ptr(pintle_status_name(number)) }.to_str().expect("ASCII");
        assert!(name == "PINTLE_OK" || name.starts_with("PINTLE_ERR_"), "{number}: {name}");
        assert_eq!(pintle_status_severity(number), if number == 0 { 0 } else { 4 });
    }
    assert!(!pintle_version().is_null() && pintle_abi_version() == PINTLE_ABI);
}

// ---- How a refusal is checked ----------------------------------------------------------------------------------------

/// The phases among BUILDING, READY, TRIAL in which a function works; FAILED is that of
/// tests/abi/panic_injection.rs.
fn reachable(declared: &Declared) -> Vec<i32> {
    let mut phases = declared.phases().unwrap_or(vec![PINTLE_PHASE_READY]);
    phases.retain(|phase| PHASES.contains(phase));
    phases
}

/// A function under test, and the system that it must not change.
struct Check<'a> {
    function: &'a Function,
    declared: &'a Declared,
    world: World,
    portrait: Vec<u64>,
}

impl<'a> Check<'a> {
    fn new(function: &'a Function, declared: &'a Declared, phase: i32) -> Check<'a> {
        let world = World::new(phase);
        let portrait = world.portrait();
        Check { function, declared, world, portrait }
    }

    /// Calls with bad arguments, and checks the status, the message, and that the system looks as
    /// it did; whether it goes on as it would have is checked once after all calls, in `goes_on`.
    fn refuses(&mut self, bad: &[(&str, Value)], fault: &Fault) {
        let Check { function, declared, world, .. } = self;
        let values = function.arguments(world, bad);
        let case = format!("{}({bad:?}) in phase {}", function.name, phase(world.sys));
        // Sets a different message everywhere, so that an old one is not taken for the new one.
        unsafe { pintle_find(world.sys, c"stale".as_ptr(), c"".as_ptr(), &mut 0) };
        let stale = message(null());
        assert!(stale.contains("\"stale\"") && message(world.sys) == stale);

        let (status, untouched) = world.call(function, &values);
        assert_eq!(status, fault.status, "{case}: {}", message(null()));
        let said = message(null());
        let systems_own = message(world.sys);
        assert!(untouched, "{case} wrote to its arguments");
        assert!(self.portrait.starts_with(&world.face()), "{case} changed the system or the state");
        let name = unsafe { CStr::from_ptr(pintle_status_name(status)) }.to_str().expect("ASCII");
        assert!(declared.lists(name), "{case} returns {name}, which its comment does not list");

        if function.name == "pintle_error_message" {
            assert_eq!((said, systems_own), (stale.clone(), stale), "{case} stored a message");
            return;
        }
        let rest = said.strip_prefix(&format!("{}: {}", function.name, fault.argument));
        let whole_word = rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        assert!(whole_word, "{case} blames `{}`, not: {said}", fault.argument);
        for says in &fault.says {
            assert!(said.contains(says.as_str()), "{case} says {says:?}, not: {said}");
        }
        for ((name, role), value) in function.parameters.iter().zip(&values) {
            if let (Role::Id(_) | Role::End(_) | Role::Holder(_), Value::Int(id)) = (role, value) {
                let named = [format!("{name} = {id}"), format!("{name} {id}")].iter().any(|text| said.contains(text));
                assert!(named, "{case} names {name} {id}, not: {said}");
            }
        }
        let mut arguments = function.parameters.iter().zip(&values);
        let had_system =
            arguments.any(|((name, _), v)| *name == "sys" && matches!(v, Value::System | Value::SystemSlot));
        assert_eq!(systems_own, if had_system { said } else { stale }, "{case}: the system's own message");
    }

    /// After all refusals the system continues as if there had been none.
    fn goes_on(self) {
        assert!(self.world.portrait() == self.portrait, "a refused {} changed the system", self.function.name);
        let (sys, twin) = (self.world.sys, World::new(phase(self.world.sys)));
        let end = |sys: *mut pintle_system| {
            match phase(sys) {
                PINTLE_PHASE_BUILDING => ok(unsafe { pintle_initialize(sys, 0.0) }),
                PINTLE_PHASE_TRIAL => ok(unsafe { pintle_accept(sys) }),
                _ => {}
            }
            step(sys);
            bytes_of_system(sys)
        };
        assert!(end(sys) == end(twin.sys), "{} goes on otherwise", self.function.name);
    }
}
