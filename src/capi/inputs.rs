//! Section 7: inputs. They hold until changed, and are the values at the END of the coming step.

use std::ffi::c_void;

use super::boundary::{LoadFunction, host_load, input, inputs, on, pintle_system, with_system_mut};
use crate::{EntityKind, Frame};

/// A load that depends on the motion; NULL is none. The header's spelling, with array sizes, stands in `cbindgen.toml`:
/// cbindgen cannot print arrays in function pointers.
pub type pintle_load_fn = Option<LoadFunction>;

/// Sets all loads on bodies and markers to zero; load callbacks stay.
///
/// - `sys`: the system.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_clear_loads(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_clear_loads", sys, |system| system.clear_loads())
}

/// Sets the load on a body, in place of the one before.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of wrench (body axes turn with the body).
/// - `wrench[6]`: force, moment about the reference point.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame), NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_load(
    sys: *mut pintle_system,
    body: i32,
    frame: i32,
    wrench: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_load", "body", body), sys, |system| {
        let wrench = input::<6>("wrench", wrench)?;
        system.set_body_load(body, Frame::from_code(frame)?, &wrench)
    })
}

/// Sets the loads on all bodies, in place of those before.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the wrenches.
/// - `n`: the number of bodies.
/// - `wrenches`: `[n][6]`, force and moment about the reference point of each body.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_VALUE (frame), NOT_FINITE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_loads(
    sys: *mut pintle_system,
    frame: i32,
    n: i32,
    wrenches: *const f64,
) -> i32 {
    with_system_mut("pintle_set_body_loads", sys, |system| {
        let wrenches = inputs::<6>("wrenches", (n, system.count(EntityKind::Body), "bodies"), wrenches)?;
        system.set_body_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// Sets the load at a marker, in place of the one before.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (the marker's axes): the axes of wrench.
/// - `wrench[6]`: force, moment about the marker.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame), NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_marker_load(
    sys: *mut pintle_system,
    marker: i32,
    frame: i32,
    wrench: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_marker_load", "marker", marker), sys, |system| {
        let wrench = input::<6>("wrench", wrench)?;
        system.set_marker_load(marker, Frame::from_code(frame)?, &wrench)
    })
}

/// Sets the loads at all markers, in place of those before.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (each marker's axes): the axes of the wrenches.
/// - `n`: the number of markers.
/// - `wrenches`: `[n][6]`, force and moment about each marker.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_VALUE (frame), NOT_FINITE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_marker_loads(
    sys: *mut pintle_system,
    frame: i32,
    n: i32,
    wrenches: *const f64,
) -> i32 {
    with_system_mut("pintle_set_marker_loads", sys, |system| {
        let wrenches = inputs::<6>("wrenches", (n, system.count(EntityKind::Marker), "markers"), wrenches)?;
        system.set_marker_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// Sets the function that gives the load on a body inside the iteration, at the trial motion; it adds to the other
/// loads. See pintle_load_fn.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: handed to the function; never followed. It must stay valid until the callback is removed and the system
///   and its clones are destroyed.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_load_callback(
    sys: *mut pintle_system,
    body: i32,
    r#fn: pintle_load_fn,
    user: *mut c_void,
) -> i32 {
    with_system_mut(on("pintle_set_load_callback", "body", body), sys, |system| {
        system.set_load_callback(body, host_load(r#fn, user))
    })
}

/// Says that loads jump at the accepted time, so that the next step starts the scheme's history anew. Without it a jump
/// is smeared over the first steps after it and costs accuracy there.
///
/// - `sys`: the system.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_mark_discontinuity(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_mark_discontinuity", sys, |system| system.mark_discontinuity())
}
