//! Inputs read back: what is set for the end of the coming step (in phase BUILDING: for the initial
//! time). Every function works in all phases; only what is said of a time of the run needs one.

use super::boundary::{on, optional_output, output, outputs, pintle_system, scalar_output, with_system};
use crate::{EntityKind, Frame};

/// The load that is set on a body: the input, not the load at the state of the outputs.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result. In the axes in
///   which the load was given it is returned unchanged; in the others it is transformed with the
///   body's present rotation (of the trial if one is pending; in BUILDING as described).
/// - `wrench[6]`: receives force, moment about the reference point; 0 unless set.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (frame), UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_load(
    sys: *const pintle_system,
    body: i32,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_load", "body", body), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        wrench.write(system.given().body_load(body, Frame::from_code(frame)?)?)
    })
}

/// The loads on all bodies that are set, each as for pintle_get_body_load.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the results.
/// - `n`: the number of bodies.
/// - `wrenches`: receives `[n][6]`, force and moment about the reference point of each body.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (n), BAD_VALUE (frame), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_loads(
    sys: *const pintle_system,
    frame: i32,
    n: i32,
    wrenches: *mut f64,
) -> i32 {
    with_system("pintle_get_body_loads", sys, |system| {
        let wrenches = outputs::<6>("wrenches", (n, system.description().count(EntityKind::Body), "bodies"), wrenches)?;
        system.given().body_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// The load that is set at a marker: the input, not the load at the state of the outputs.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result. In the axes in
///   which the load was given it is returned unchanged; in the others it is transformed with the
///   present rotation of the marker's body (of the trial if one is pending; in BUILDING as
///   described).
/// - `wrench[6]`: receives force, moment about the marker; 0 unless set.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (frame), UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_load(
    sys: *const pintle_system,
    marker: i32,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_marker_load", "marker", marker), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        wrench.write(system.given().marker_load(marker, Frame::from_code(frame)?)?)
    })
}

/// The loads at all markers that are set, each as for pintle_get_marker_load.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the results.
/// - `n`: the number of markers.
/// - `wrenches`: receives `[n][6]`, force and moment about each marker.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (n), BAD_VALUE (frame), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_loads(
    sys: *const pintle_system,
    frame: i32,
    n: i32,
    wrenches: *mut f64,
) -> i32 {
    with_system("pintle_get_marker_loads", sys, |system| {
        let wrenches =
            outputs::<6>("wrenches", (n, system.description().count(EntityKind::Marker), "markers"), wrenches)?;
        system.given().marker_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// The generalized force that is set on the coordinate of a joint; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `generalized_force`: receives moment about z, or force along it (of a displacement), on b.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_load(
    sys: *const pintle_system,
    joint: i32,
    generalized_force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_load", "joint", joint), sys, |system| {
        let force = scalar_output("generalized_force", generalized_force)?;
        force.write(system.given().joint_load(joint)?)
    })
}

/// The force that is set on the slide of a CYLINDRICAL joint; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `force`: receives the force along z, on b.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_slide_load(sys: *const pintle_system, joint: i32, force: *mut f64) -> i32 {
    with_system(on("pintle_get_joint_slide_load", "joint", joint), sys, |system| {
        let force = scalar_output("force", force)?;
        force.write(system.given().joint_slide_load(joint)?)
    })
}

/// The motion that is set on the coordinate of a driven joint; if none was set, that of
/// pintle_initialize: at rest at the initial coordinate.
///
/// - `sys`: the system.
/// - `joint`: id of a driven joint.
/// - `q`, `qd`, `qdd`: receive coordinate, rate and acceleration; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint that is not driven;
/// in BUILDING also one whose motion was not set).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_motion_input(
    sys: *const pintle_system,
    joint: i32,
    q: *mut f64,
    qd: *mut f64,
    qdd: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_motion_input", "joint", joint), sys, |system| {
        let (q, qd, qdd) = (optional_output(q), optional_output(qd), optional_output(qdd));
        let [coordinate, rate, acceleration] = system.given().joint_motion(joint)?;
        q.write(coordinate)?;
        qd.write(rate)?;
        qdd.write(acceleration)
    })
}

/// The motion that is set on the driven slide of a joint, as pintle_get_joint_motion_input.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint whose slide is driven.
/// - `s`, `sd`, `sdd`: receive displacement, rate and acceleration; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a slide that is not driven;
/// in BUILDING also one whose motion was not set).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_slide_motion_input(
    sys: *const pintle_system,
    joint: i32,
    s: *mut f64,
    sd: *mut f64,
    sdd: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_slide_motion_input", "joint", joint), sys, |system| {
        let (s, sd, sdd) = (optional_output(s), optional_output(sd), optional_output(sdd));
        let [displacement, rate, acceleration] = system.given().joint_slide_motion(joint)?;
        s.write(displacement)?;
        sd.write(rate)?;
        sdd.write(acceleration)
    })
}

/// The motion that is set for a prescribed body; if none was set, the described one. In a run
/// positions are stored relative to the middle of the model, if it is far from zero (by 100 lengths
/// of the model), and are then returned with rounding.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `pose[7]`: receives x y z in I, then qw qx qy qz; may be NULL.
/// - `velocity[6]`, `acceleration[6]`: receive linear, then angular, in I; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a body that is not
/// prescribed), UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[pose;7], [velocity;6], [acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_motion_input(
    sys: *const pintle_system,
    body: i32,
    pose: *mut f64,
    velocity: *mut f64,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_motion_input", "body", body), sys, |system| {
        let (pose, velocity) = (optional_output(pose.cast()), optional_output(velocity.cast()));
        let acceleration = optional_output(acceleration.cast());
        let (place, rates, second) = system.given().body_motion(body)?;
        pose.write(place)?;
        velocity.write(rates)?;
        acceleration.write(second)
    })
}

/// Whether a body has a load callback of its own (pintle_set_load_callback).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `is_set`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_load_callback(sys: *const pintle_system, body: i32, is_set: *mut i32) -> i32 {
    with_system(on("pintle_get_load_callback", "body", body), sys, |system| {
        let is_set = scalar_output("is_set", is_set)?;
        is_set.write(system.given().has_load_callback(body)?.into())
    })
}

/// The number of bodies of a coupled load callback, and whether it is still set.
///
/// - `sys`: the system.
/// - `callback`: id.
/// - `n_bodies`: receives their number; may be NULL.
/// - `is_set`: receives 1, or 0 once it was removed; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_coupled_load_callback(
    sys: *const pintle_system,
    callback: i32,
    n_bodies: *mut i32,
    is_set: *mut i32,
) -> i32 {
    with_system(on("pintle_get_coupled_load_callback", "callback", callback), sys, |system| {
        let (n_bodies, is_set) = (optional_output(n_bodies), optional_output(is_set));
        let (count, is_there) = system.given().coupled_load_callback(callback)?;
        n_bodies.write(count)?;
        is_set.write(is_there.into())
    })
}

/// One of the bodies of a coupled load callback, in the order in which they were given last.
///
/// - `sys`: the system.
/// - `callback`: id.
/// - `k`: index from 0, below the number of its bodies.
/// - `body`: receives the id.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (k).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_coupled_load_body(
    sys: *const pintle_system,
    callback: i32,
    k: i32,
    body: *mut i32,
) -> i32 {
    with_system(on("pintle_get_coupled_load_body", "callback", callback), sys, |system| {
        let body = scalar_output("body", body)?;
        body.write(system.given().coupled_load_body(callback, k)?)
    })
}

/// Whether a discontinuity is marked at the present time (pintle_mark_discontinuity), so that the
/// step from there starts the scheme anew.
///
/// - `sys`: the system.
/// - `is_marked`: receives 1 or 0. While a trial is pending it refers to the trial's time, not the
///   accepted one; a new trial has no mark.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_discontinuity(sys: *const pintle_system, is_marked: *mut i32) -> i32 {
    with_system("pintle_get_discontinuity", sys, |system| {
        let is_marked = scalar_output("is_marked", is_marked)?;
        is_marked.write(system.given().discontinuity()?.into())
    })
}

/// Whether a progress callback is set (pintle_set_progress_callback).
///
/// - `sys`: the system.
/// - `is_set`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_progress_callback(sys: *const pintle_system, is_set: *mut i32) -> i32 {
    with_system("pintle_get_progress_callback", sys, |system| {
        let is_set = scalar_output("is_set", is_set)?;
        is_set.write(system.given().has_progress_callback().into())
    })
}
