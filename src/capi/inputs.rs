//! Inputs. They hold until changed, and are the values at the END of the coming step.

use std::ffi::c_void;

use super::boundary::{LoadFunction, host_load, input, inputs, on, pintle_system, with_system_mut};
use crate::{EntityKind, Frame};

/// A load that depends on the motion; NULL is none. The header's spelling, with array sizes, stands in `cbindgen.toml`:
/// cbindgen cannot print arrays in function pointers.
pub type pintle_load_fn = Option<LoadFunction>;

/// Sets all loads on bodies, markers and joints to zero; load callbacks and imposed motions stay.
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
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of wrench.
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
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of each marker's body): the axes of the wrenches.
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

/// Sets the load on the coordinate of a joint, in place of the one before: it acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, PRISMATIC, CYLINDRICAL or SCREW joint.
/// - `generalized_force`: moment about z, for PRISMATIC force along z, of the joint frame of a.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_load(sys: *mut pintle_system, joint: i32, generalized_force: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_load", "joint", joint), sys, |system| {
        system.set_joint_load(joint, generalized_force)
    })
}

/// Sets the motion of a driven joint at the END of the coming step (in BUILDING: at the start). In between, and in the
/// internal steps of option "max_time_step", the motion is the quintic polynomial with these values at both ends. An angle
/// may change by at most half a turn per internal step; more is NO_CONVERGENCE from pintle_advance.
///
/// - `sys`: the system.
/// - `joint`: id of a driven joint.
/// - `q`: coordinate: angle of b against a, over any number of turns, or displacement.
/// - `qd`, `qdd`: its rate and acceleration; they should be those of q.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint that is not driven).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_motion(
    sys: *mut pintle_system,
    joint: i32,
    q: f64,
    qd: f64,
    qdd: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_motion", "joint", joint), sys, |system| {
        system.set_joint_motion(joint, q, qd, qdd)
    })
}

/// Sets the motion of a prescribed body at the END of the coming step (in BUILDING: at the start, where it replaces the
/// initial pose and velocity). In between, and in the internal steps of option "max_time_step", the motion is the quintic
/// polynomial, in position and rotation vector, with these values at both ends; less than half a turn per step.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `pose[7]`, `velocity[6]`, `acceleration[6]`: of the reference point, in I; they should fit together.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a body that is not prescribed;
/// quaternion not of unit norm).
/// cbindgen:ptrs-as-arrays=[[pose;7], [velocity;6], [acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_motion(
    sys: *mut pintle_system,
    body: i32,
    pose: *const f64,
    velocity: *const f64,
    acceleration: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_motion", "body", body), sys, |system| {
        let (pose, velocity) = (input::<7>("pose", pose)?, input::<6>("velocity", velocity)?);
        let acceleration = input::<6>("acceleration", acceleration)?;
        system.set_body_motion(body, &pose, &velocity, &acceleration)
    })
}

/// Sets the function that gives the load on a body inside the iteration, at the trial motion; it adds to the other
/// loads. See pintle_load_fn. Within a step it must be a function of its arguments; between steps it may change, and where it
/// jumps, pintle_mark_discontinuity says so.
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
