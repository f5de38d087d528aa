//! Inputs. They hold until changed, and are the values at the END of the coming step.

use std::ffi::c_void;

use super::boundary::{ids, input, inputs, on, pintle_system, room, scalar_output, with_system_mut};
use super::host::{CoupledLoadFunction, LoadFunction, host_coupled_load, host_load};
use crate::{EntityKind, Error, Frame, Memory, Work};

/// A load that depends on the motion; NULL is none. The header's spelling, with array sizes, stands
/// in `cbindgen.toml`: cbindgen cannot print arrays in function pointers.
pub type pintle_load_fn = Option<LoadFunction>;

/// Loads on a set of bodies that depend on the motion of all of them; NULL is none. The header's
/// spelling stands in `cbindgen.toml`, as that of `pintle_load_fn`.
pub type pintle_coupled_load_fn = Option<CoupledLoadFunction>;

/// Sets all loads on bodies, markers, beams, joints and points to zero; load callbacks and imposed
/// motions stay.
///
/// - `sys`: the system.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_clear_loads(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_clear_loads", sys, |system| system.inputs().clear_loads())
}

/// Sets the load on a body, replacing the former one.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of wrench (body axes turn with
///   the body).
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
        system.inputs().set_body_load(body, Frame::from_code(frame)?, &wrench)
    })
}

/// Sets the loads on all bodies, replacing the former ones.
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
        let wrenches = inputs::<6>("wrenches", (n, system.description().count(EntityKind::Body), "bodies"), wrenches)?;
        system.inputs().set_body_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// Sets the load at a marker, replacing the former one.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   wrench.
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
        system.inputs().set_marker_load(marker, Frame::from_code(frame)?, &wrench)
    })
}

/// Sets the loads at all markers, replacing the former ones.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of each marker's body): the axes of
///   the wrenches.
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
        let wrenches =
            inputs::<6>("wrenches", (n, system.description().count(EntityKind::Marker), "markers"), wrenches)?;
        system.inputs().set_marker_loads(Frame::from_code(frame)?, wrenches)
    })
}

/// Sets the load on the coordinate of a joint, in place of the one before: it acts on b, and the
/// opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `generalized_force`: moment about z, of a displacement force along z, of the joint frame of a.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint
/// without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_load(sys: *mut pintle_system, joint: i32, generalized_force: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_load", "joint", joint), sys, |system| {
        system.inputs().set_joint_load(joint, generalized_force)
    })
}

/// Sets the motion of a driven joint at the END of the coming step (in BUILDING: at the start). In
/// between, and in the internal steps of option "max_time_step", the motion is the quintic
/// polynomial with these values at both ends. An angle may change by at most half a turn per
/// internal step; more is NO_CONVERGENCE from pintle_advance.
///
/// A motion that runs from the start is given in BUILDING too, so that joint and bodies start with
/// its rate; or it begins with a ramp. A rate that is first given at the end of a step, or that
/// ends there, is a jump: with generalized-alpha, momentum-alpha, newmark and hht the joint then
/// has its new rate from the start of that step on, and bodies get its impulse, whether
/// pintle_mark_discontinuity was called or not; a jump that would turn a body by more than a
/// quarter turn in an internal step is NO_CONVERGENCE. A jump is recognised by rates that fit the
/// coordinates; if rates are left at zero, these schemes use the coordinates alone, while other
/// schemes follow the rates as given.
///
/// - `sys`: the system.
/// - `joint`: id of a driven joint.
/// - `q`: coordinate: angle of b against a, over any number of turns, or displacement.
/// - `qd`, `qdd`: its rate and acceleration; they should be those of q.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint that
/// is not driven).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_motion(
    sys: *mut pintle_system,
    joint: i32,
    q: f64,
    qd: f64,
    qdd: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_motion", "joint", joint), sys, |system| {
        system.inputs().set_joint_motion(joint, q, qd, qdd)
    })
}

/// Sets the force on the slide of a CYLINDRICAL joint, in place of the one before: it acts on b,
/// and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `force`: along z of the joint frame of a.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (another kind
/// of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_load(sys: *mut pintle_system, joint: i32, force: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_load", "joint", joint), sys, |system| {
        system.inputs().set_joint_slide_load(joint, force)
    })
}

/// Sets the motion of a driven slide at the END of the coming step (in BUILDING: at the start). In
/// between it is the quintic polynomial with these values at both ends, as for
/// pintle_set_joint_motion.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint whose slide is driven.
/// - `s`: displacement of b along z of a.
/// - `sd`, `sdd`: its rate and acceleration; they should be those of s.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a slide that
/// is not driven).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_motion(
    sys: *mut pintle_system,
    joint: i32,
    s: f64,
    sd: f64,
    sdd: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_motion", "joint", joint), sys, |system| {
        system.inputs().set_joint_slide_motion(joint, s, sd, sdd)
    })
}

/// Sets the motion of a prescribed body at the END of the coming step (in BUILDING: at the start,
/// where it replaces the initial pose and velocity). In between, and in the internal steps of
/// option "max_time_step", the motion is the quintic polynomial, in position and rotation vector,
/// with these values at both ends; less than half a turn per step.
///
/// A motion that runs from the start is given in BUILDING, and bodies that go with it get its
/// velocity there; or it begins with a ramp. Jumps of the velocity are as those of
/// pintle_set_joint_motion: the body has its new velocity from the start of the step on, and bodies
/// joined to it get its impulse.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `pose[7]`, `velocity[6]`, `acceleration[6]`: of the reference point, in I; they should fit
///   together.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a body that is
/// not prescribed; quaternion not of unit norm; a position whose distance from the origin of the
/// model overflows).
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
        system.inputs().set_body_motion(body, &pose, &velocity, &acceleration)
    })
}

/// Sets the function that computes the load on a body inside the iteration, at the trial motion; it
/// adds to the other loads. See pintle_load_fn. Within a step it must be a function of its
/// arguments; between steps it may change; call pintle_mark_discontinuity where it jumps.
///
/// A step ends with OK only if motion and load agree: after the last iteration the function is
/// called once more, and its wrench must agree to option "rel_tolerance" / 100 with the wrench for
/// which the accelerations were computed; else the iteration continues, or the step fails with
/// NO_CONVERGENCE. (Wrenches that are rounded, for example to single precision, count as agreeing
/// if they differ by less than 1e-6 of themselves and come no closer.) So the matrices, exact,
/// rough or left zero, determine the number of evaluations of a step, not its accuracy: derivatives
/// that they lack, also an added mass larger than the body's, are found by a quasi-Newton update
/// from the evaluations within a step, at about one evaluation per direction of motion (option
/// "max_iterations" should be 20 or more). pintle_linearize, pintle_get_modes,
/// pintle_get_load_compliance, option "linear" and estimates of stable steps use the matrices only,
/// which have no derivatives with respect to accelerations: for these an added mass belongs into
/// pintle_set_added_mass or the mass matrix of a pintle_set_coupled_load_callback, which may have
/// one body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
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
        system.inputs().set_load_callback(body, host_load(r#fn, user))
    })
}

/// Sets the function that computes the loads on a set of bodies inside the iteration, at their
/// trial motion, with cross terms between the bodies and a mass matrix; it adds to the other loads.
/// See pintle_coupled_load_fn. The rules of pintle_set_load_callback for the function and for the
/// end of a step apply. The mass matrix belongs to the inertia of the system in every scheme and
/// analysis, pintle_get_mass_matrix included (but not to energies and momenta). Bodies may be
/// prescribed: their wrench is part of pintle_get_body_reaction. Bodies of one callback are one
/// entity for schemes with local steps.
///
/// A set of bodies, in whichever order, has one function: setting another one replaces it and keeps
/// the id. Different sets may overlap. Ids (kind "callback") are dense in the order in which sets
/// first appear, and stay when others are removed: a set whose function was removed keeps its id
/// and counts. Like those of pintle_set_load_callback they are code: not part of states,
/// checkpoints and model files, but copied by pintle_clone as function and user pointer.
///
/// - `sys`: the system.
/// - `n`: the number of bodies of the set, 1 or more.
/// - `bodies`: `[n]`, ids, each once, in the order of the function's arguments.
/// - `fn`: the function; NULL removes the present one of this set.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
/// - `callback`: receives the id; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_ID, BAD_VALUE (a body
/// twice; nothing to remove).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_coupled_load_callback(
    sys: *mut pintle_system,
    n: i32,
    bodies: *const i32,
    r#fn: pintle_coupled_load_fn,
    user: *mut c_void,
    callback: *mut i32,
) -> i32 {
    with_system_mut("pintle_set_coupled_load_callback", sys, |system| {
        let count = system.description().count(EntityKind::Body);
        if n > count {
            let expected = format!("1 to {count} (the number of bodies)");
            return Err(Error::BadSize { argument: "n", given: n.into(), expected });
        }
        // Lists of the set, in the host's order and sorted; and the model, where clones share it,
        // for it counts callbacks.
        let lists = 64 * n.max(0) as usize;
        let _room = room(lists.saturating_add(Memory::of(system).working(Work::Model)))?;
        let bodies = ids(("n", n), "bodies", bodies)?;
        let place = if callback.is_null() { None } else { Some(scalar_output("callback", callback)?) };
        let id = system.inputs().set_coupled_load_callback(&bodies, host_coupled_load(r#fn, user))?;
        place.map_or(Ok(()), |place| place.write(id))
    })
}

/// Marks a jump of the loads at the present time, so that the step from there starts the scheme's
/// history anew, with the loads set for its end acting from its start on. Without it a jump is
/// smeared over the first steps after it and costs accuracy there. In phase TRIAL the present time
/// is that of the trial; if the host then advances again instead of accepting, the mark acts on
/// that step.
///
/// - `sys`: the system.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_mark_discontinuity(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_mark_discontinuity", sys, |system| system.inputs().mark_discontinuity())
}
