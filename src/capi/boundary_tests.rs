//! The boundary as a host meets it: handles, messages, buffers, callbacks that misbehave.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use super::api_table::{pintle_api, pintle_get_api};
use super::boundary::{pintle_state, pintle_system};
use super::status::*;
use super::{
    elements::*, inputs::*, library::*, life_cycle::*, model::*, names::*, outputs::*, rotation::*, settings::*,
    state::*, stepping::*,
};

const POSE: [f64; 7] = [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0];

fn create() -> *mut pintle_system {
    let mut sys = null_mut();
    assert_eq!(unsafe { pintle_create(&mut sys) }, PINTLE_OK);
    sys
}

/// A system in phase READY with one body.
fn one_body() -> *mut pintle_system {
    let sys = create();
    let (inertia, mut body) = ([1.0, 1.0, 1.0, 0.0, 0.0, 0.0], -1);
    unsafe {
        let added = pintle_add_rigid_body(sys, 1.0, [0.0; 3].as_ptr(), inertia.as_ptr(), POSE.as_ptr(), &mut body);
        assert_eq!((added, body), (PINTLE_OK, 0));
        assert_eq!(pintle_initialize(sys, 0.0), PINTLE_OK);
    }
    sys
}

fn destroy(mut sys: *mut pintle_system) {
    assert_eq!(unsafe { pintle_destroy(&mut sys) }, PINTLE_OK);
    assert!(sys.is_null());
}

fn message(sys: *const pintle_system) -> String {
    let mut buffer: [c_char; 2048] = [0; 2048];
    assert_eq!(unsafe { pintle_error_message(sys, 2048, buffer.as_mut_ptr(), null_mut()) }, PINTLE_OK);
    unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_str().expect("UTF-8").to_owned()
}

#[test]
fn handles_are_told_from_other_pointers() {
    let mut sys = create();
    let mut phase = -1;
    let mut other = [0_u64; 64];
    unsafe {
        assert_eq!(pintle_phase(null(), &mut phase), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(pintle_phase(other.as_ptr().cast(), &mut phase), PINTLE_ERR_BAD_HANDLE);
        assert_eq!(message(null()), "pintle_phase: sys is not a live pintle_system");
        assert_eq!(pintle_phase(sys.byte_add(1), &mut phase), PINTLE_ERR_BAD_HANDLE);
        let mut wrong_kind: *mut pintle_state = sys.cast();
        assert_eq!(pintle_state_destroy(&mut wrong_kind), PINTLE_ERR_BAD_HANDLE);
        assert!(!wrong_kind.is_null(), "a failed call leaves the handle");
        let mut no_system: *mut pintle_system = other.as_mut_ptr().cast();
        assert_eq!(pintle_destroy(&mut no_system), PINTLE_ERR_BAD_HANDLE);
        assert!(!no_system.is_null());
        assert_eq!(pintle_destroy(null_mut()), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(phase, -1, "nothing was written");

        assert_eq!(pintle_destroy(&mut sys), PINTLE_OK);
        assert!(sys.is_null());
        assert_eq!(pintle_destroy(&mut sys), PINTLE_OK, "NULL inside is fine");
        assert_eq!(pintle_create(null_mut()), PINTLE_ERR_NULL_ARGUMENT);
    }
}

#[test]
fn messages_are_kept_per_system_and_per_thread() {
    let (a, b) = (one_body(), one_body());
    let mut wrench = [0.0; 6];
    wrench[2] = f64::NAN;
    unsafe {
        assert_eq!(pintle_set_body_load(a, 0, 0, wrench.as_ptr()), PINTLE_ERR_NOT_FINITE);
        assert_eq!(message(a), "pintle_set_body_load: wrench[2] = NaN is not finite (body 0)");
        assert_eq!(message(b), "");
        assert_eq!(pintle_set_body_load(b, 0, 0, null()), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(message(b), "pintle_set_body_load: wrench is NULL (body 0)");
        assert_eq!(message(null()), message(b), "the thread's last failure, whatever handle it had");
        assert!(message(a).contains("wrench[2]"), "the other system keeps its own");

        let q = [2.0, 0.0, 0.0, 0.0];
        assert_eq!(pintle_quat_to_dcm(q.as_ptr(), [0.0; 9].as_mut_ptr()), PINTLE_ERR_BAD_VALUE);
        assert!(message(null()).starts_with("pintle_quat_to_dcm: q"), "{}", message(null()));
        std::thread::spawn(|| assert_eq!(message(null()), "")).join().expect("another thread has no failure");
    }
    destroy(a);
    destroy(b);
}

#[test]
fn text_that_does_not_fit_is_cut_and_its_length_told() {
    let sys = create();
    let (mut buffer, mut len): ([c_char; 32], i32) = ([1; 32], -1);
    let scheme = "generalized-alpha";
    unsafe {
        assert_eq!(pintle_get_scheme(sys, 18, buffer.as_mut_ptr(), &mut len), PINTLE_OK);
        assert_eq!((CStr::from_ptr(buffer.as_ptr()).to_str(), len), (Ok(scheme), 17));

        assert_eq!(pintle_get_scheme(sys, 17, buffer.as_mut_ptr(), null_mut()), PINTLE_ERR_BUFFER_TOO_SMALL);
        assert_eq!(CStr::from_ptr(buffer.as_ptr()).to_str(), Ok(&scheme[..16]));
        let told = message(sys);
        assert_eq!(told, "pintle_get_scheme: cap = 17 is too small: 18 needed");

        len = -1;
        assert_eq!(pintle_get_scheme(sys, 0, null_mut(), &mut len), PINTLE_ERR_BUFFER_TOO_SMALL);
        assert_eq!(len, 17);
        assert_eq!(pintle_get_scheme(sys, -1, buffer.as_mut_ptr(), &mut len), PINTLE_ERR_BAD_SIZE);
        assert_eq!(pintle_get_scheme(sys, 4, null_mut(), &mut len), PINTLE_ERR_NULL_ARGUMENT);

        let before = message(sys);
        assert_eq!(pintle_error_message(sys, 1, buffer.as_mut_ptr(), &mut len), PINTLE_ERR_BUFFER_TOO_SMALL);
        assert_eq!((buffer[0], len), (0, before.len() as i32));
        assert_eq!(message(sys), before, "asking for the message does not change it");
    }
    destroy(sys);
}

#[test]
fn text_must_be_utf8_and_flags_0_or_1() {
    let sys = create();
    let (zero, mut id) = ([0.0; 3].as_ptr(), -1);
    unsafe {
        assert_eq!(pintle_set_scheme(sys, c"ab\xff".as_ptr()), PINTLE_ERR_BAD_UTF8);
        assert_eq!(message(sys), "pintle_set_scheme: name is not UTF-8 (first bad byte at 2)");
        assert_eq!(pintle_set_scheme(sys, null()), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(pintle_count(sys, c"screws".as_ptr(), &mut id), PINTLE_ERR_BAD_VALUE);
        let spring = pintle_add_spring(sys, -1, zero, -1, zero, 1.0, 0.0, 1.0, 2, &mut id);
        assert_eq!((spring, id), (PINTLE_ERR_BAD_VALUE, -1));
    }
    destroy(sys);
}

#[test]
fn batches_must_have_the_model_s_size() {
    let sys = one_body();
    let mut poses = [[f64::NAN; 7]; 2];
    let out = poses.as_mut_ptr().cast::<f64>();
    unsafe {
        assert_eq!(pintle_get_body_poses(sys, 2, out), PINTLE_ERR_BAD_SIZE);
        assert_eq!(message(sys), "pintle_get_body_poses: n = 2, expected 1 (the number of bodies)");
        assert_eq!(pintle_get_body_poses(sys, -1, out), PINTLE_ERR_BAD_SIZE);
        assert_eq!(pintle_get_body_poses(sys, 1, null_mut()), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(pintle_get_body_poses(sys, 1, out.byte_add(4)), PINTLE_ERR_BAD_VALUE);
        assert!(poses.as_flattened().iter().all(|x| x.is_nan()), "nothing was written");
        assert_eq!(pintle_get_body_poses(sys, 1, out), PINTLE_OK);
        assert_eq!(poses[0], POSE);
        assert_eq!(pintle_get_marker_poses(sys, 0, null_mut()), PINTLE_OK, "none of nothing");
        assert_eq!(pintle_set_marker_loads(sys, 0, 0, null()), PINTLE_OK);
        assert_eq!(pintle_set_body_loads(sys, 2, 1, [0.0; 6].as_ptr()), PINTLE_ERR_BAD_VALUE, "frame");
    }
    destroy(sys);
}

#[test]
fn overlapping_arrays_are_harmless() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let mut shared = [half, 0.0, 0.0, half, 9.0, 9.0, 9.0, 9.0, 9.0];
    let (q, mut apart) = ([half, 0.0, 0.0, half], [0.0; 9]);
    unsafe {
        assert_eq!(pintle_quat_to_dcm(q.as_ptr(), apart.as_mut_ptr()), PINTLE_OK);
        let array = shared.as_mut_ptr();
        assert_eq!(pintle_quat_to_dcm(array, array), PINTLE_OK);
    }
    assert_eq!(shared, apart);
}

#[test]
fn states_go_through_bytes() {
    let sys = one_body();
    let (mut state, mut copy): (*mut pintle_state, *mut pintle_state) = (null_mut(), null_mut());
    let mut len = -1;
    unsafe {
        assert_eq!(pintle_state_save(sys, &mut state), PINTLE_OK);
        let first = state;
        assert_eq!(pintle_state_save(sys, &mut state), PINTLE_OK);
        assert_eq!(state, first, "reused");

        assert_eq!(pintle_state_serialize(state, 0, null_mut(), &mut len), PINTLE_OK);
        let mut bytes = vec![0_u8; len as usize];
        assert_eq!(pintle_state_serialize(state, len - 1, bytes.as_mut_ptr(), &mut len), PINTLE_ERR_BUFFER_TOO_SMALL);
        assert_eq!(len as usize, bytes.len());
        assert!(bytes.iter().all(|byte| *byte == 0));
        assert_eq!(pintle_state_serialize(state, len, null_mut(), &mut len), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(pintle_state_serialize(state, -1, bytes.as_mut_ptr(), &mut len), PINTLE_ERR_BAD_SIZE);
        assert_eq!(pintle_state_serialize(state, len, bytes.as_mut_ptr(), &mut len), PINTLE_OK);

        assert_eq!(pintle_state_deserialize(sys, len - 1, bytes.as_ptr(), &mut copy), PINTLE_ERR_FORMAT);
        assert_eq!(pintle_state_deserialize(sys, 0, null(), &mut copy), PINTLE_ERR_FORMAT);
        assert_eq!(pintle_state_deserialize(sys, -1, bytes.as_ptr(), &mut copy), PINTLE_ERR_BAD_SIZE);
        assert_eq!(pintle_state_deserialize(sys, len, null(), &mut copy), PINTLE_ERR_NULL_ARGUMENT);
        assert!(copy.is_null());
        assert_eq!(pintle_state_deserialize(sys, len, bytes.as_ptr(), &mut copy), PINTLE_OK);
        assert_eq!(pintle_state_restore(sys, copy), PINTLE_OK);
        assert_eq!(pintle_state_restore(sys, null()), PINTLE_ERR_NULL_ARGUMENT);
        assert_eq!(pintle_state_restore(sys, sys.cast()), PINTLE_ERR_BAD_HANDLE);
        assert_eq!(pintle_state_destroy(&mut copy), PINTLE_OK);
        assert_eq!(pintle_state_destroy(&mut state), PINTLE_OK);
        assert!(state.is_null());
    }
    destroy(sys);
}

/// Makes forbidden calls on its own system from inside a step; then returns a load, or fails.
unsafe extern "C" fn meddle(
    user: *mut c_void,
    _time: f64,
    body: i32,
    pose: *const f64,
    _velocity: *const f64,
    _acceleration: *const f64,
    wrench: *mut f64,
    stiffness36: *mut f64,
    damping36: *mut f64,
) -> i32 {
    let mut sys: *mut pintle_system = user.cast();
    let mut phase = -1;
    unsafe {
        assert_eq!((body, *pose), (0, POSE[0]));
        assert!((0..36).all(|k| *stiffness36.add(k) == 0.0 && *damping36.add(k) == 0.0 && *wrench.add(k % 6) == 0.0));
        assert_eq!(pintle_step(sys, 0.1), PINTLE_ERR_BAD_PHASE);
        assert!(message(sys).starts_with("pintle_step: sys is in use"), "{}", message(sys));
        assert_eq!(pintle_phase(sys, &mut phase), PINTLE_ERR_BAD_PHASE);
        assert_eq!(pintle_destroy(&mut sys), PINTLE_ERR_BAD_PHASE);
        assert!(!sys.is_null());
        *wrench = 0.0;
    }
    7
}

/// The arguments of a progress callback, the status of a call that it makes, and its answer.
struct Watch {
    sys: *mut pintle_system,
    asked: Cell<u32>,
    last: Cell<[f64; 2]>,
    inside: Cell<i32>,
    answer: Cell<i32>,
}

unsafe extern "C" fn watch(user: *mut c_void, time: f64, fraction: f64) -> i32 {
    let watch = unsafe { &*user.cast::<Watch>() };
    watch.asked.set(watch.asked.get() + 1);
    watch.last.set([time, fraction]);
    watch.inside.set(unsafe { pintle_accept(watch.sys) });
    watch.answer.get()
}

#[test]
fn a_progress_callback_stops_a_step_and_may_not_turn_to_its_own_system() {
    let sys = one_body();
    let host = Watch {
        sys,
        asked: Cell::new(0),
        last: Cell::new([0.0; 2]),
        inside: Cell::new(PINTLE_OK),
        answer: Cell::new(0),
    };
    unsafe {
        assert_eq!(pintle_set_option(sys, c"max_time_step".as_ptr(), 1e-3), PINTLE_OK);
        let user = (&raw const host).cast_mut().cast();
        assert_eq!(pintle_set_progress_callback(sys, Some(watch), user), PINTLE_OK);
        assert_eq!(pintle_step(sys, 1.0), PINTLE_OK);
        let [time, fraction] = host.last.get();
        assert!(host.asked.get() > 10 && fraction > 0.9 && time == fraction, "{time} {fraction}");
        assert_eq!(host.inside.get(), PINTLE_ERR_BAD_PHASE);
        host.answer.set(-7);
        assert_eq!(pintle_step(sys, 1.0), PINTLE_ERR_STOPPED);
        assert!(message(sys).ends_with("the progress callback returned -7"), "{}", message(sys));
        let (mut phase, mut time) = (-1, 0.0);
        assert_eq!((pintle_phase(sys, &mut phase), phase), (PINTLE_OK, PINTLE_PHASE_READY));
        assert_eq!((pintle_time(sys, &mut time), time), (PINTLE_OK, 1.0));
        assert_eq!(pintle_set_progress_callback(sys, None, null_mut()), PINTLE_OK, "NULL removes it");
        assert_eq!(pintle_step(sys, 1.0), PINTLE_OK);
    }
    destroy(sys);
}

#[test]
fn a_callback_that_turns_to_its_own_system_is_refused() {
    let sys = one_body();
    let mut pose = [0.0; 7];
    unsafe {
        assert_eq!(pintle_set_load_callback(sys, 0, Some(meddle), sys.cast()), PINTLE_OK);
        assert_eq!(pintle_step(sys, 0.1), PINTLE_ERR_CALLBACK);
        assert!(message(sys).starts_with("pintle_step: ") && message(sys).contains('7'), "{}", message(sys));
        assert_eq!(pintle_set_load_callback(sys, 0, None, null_mut()), PINTLE_OK, "NULL removes it");
        assert_eq!(pintle_get_body_pose(sys, 0, pose.as_mut_ptr()), PINTLE_OK);
        assert_eq!(pose, POSE, "a failed step leaves the accepted state");
        assert_eq!(pintle_step(sys, 0.1), PINTLE_OK);
    }
    destroy(sys);
}

#[test]
fn the_table_is_filled_up_to_the_host_s_size() {
    let own = size_of::<pintle_api>() as i64;
    let mut table = MaybeUninit::<pintle_api>::zeroed();
    let out = table.as_mut_ptr();
    unsafe {
        assert_eq!(pintle_get_api(PINTLE_ABI + 1, own, out), PINTLE_ERR_ABI_MISMATCH);
        assert_eq!(pintle_get_api(PINTLE_ABI, own + 8, out), PINTLE_ERR_ABI_MISMATCH);
        for size in [0, -8, 12] {
            assert_eq!(pintle_get_api(PINTLE_ABI, size, out), PINTLE_ERR_BAD_SIZE, "size {size}");
        }
        assert_eq!(pintle_get_api(PINTLE_ABI, own, null_mut()), PINTLE_ERR_NULL_ARGUMENT);

        // An older host knows the head and the first function only.
        assert_eq!(pintle_get_api(PINTLE_ABI, 24, out), PINTLE_OK);
        let words = out.cast::<u64>();
        assert!(*words.add(2) != 0 && *words.add(3) == 0);

        assert_eq!(pintle_get_api(PINTLE_ABI, own, out), PINTLE_OK);
        let table = table.assume_init();
        assert_eq!((table.size, table.abi), (own, PINTLE_ABI));
        assert_eq!(CStr::from_ptr((table.version)()).to_str(), Ok(env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn every_status_has_a_name_and_a_severity() {
    let name = |status| unsafe { CStr::from_ptr(pintle_status_name(status)) }.to_str().expect("ASCII");
    assert_eq!((name(PINTLE_OK), name(PINTLE_ERR_BAD_ID)), ("PINTLE_OK", "PINTLE_ERR_BAD_ID"));
    assert_eq!(
        (name(-1), name(299), name(i32::MAX)),
        ("PINTLE_ERR_UNKNOWN", "PINTLE_ERR_UNKNOWN", "PINTLE_ERR_UNKNOWN")
    );
    assert_eq!(
        (pintle_status_severity(PINTLE_OK), pintle_status_severity(300), pintle_status_severity(9999)),
        (0, 4, 4)
    );
}
