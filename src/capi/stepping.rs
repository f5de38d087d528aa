//! Stepping.

use std::ffi::{c_char, c_void};

use super::arguments::flag;
use super::boundary::{
    optional_output, pintle_system, room, scalar_output, text, text_output, with_system, with_system_mut,
};
use super::host::{ProgressFunction, host_progress};
use crate::{Memory, Work, advance_to};

/// Asks the host whether a long call is to go on; NULL is none. The header's spelling stands in
/// `cbindgen.toml`, beside that of the other callbacks.
pub type pintle_progress_fn = Option<ProgressFunction>;

/// Advances by one step and accepts it. After a failure the accepted state is as before.
///
/// - `sys`: the system.
/// - `dt`: time step, > 0.
///
/// Phases: READY. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (dt: not positive, below the rounding of
/// the time, or more internal steps than option "max_substeps" allows), NO_CONVERGENCE, SINGULAR,
/// CALLBACK, UNSTABLE (numbers that are not finite, joints that the step tears open or turns over),
/// STOPPED (by the progress callback), REDUNDANT_CONSTRAINTS (a loop that started in a singular
/// position came apart), UNSUPPORTED (newmark_gamma and newmark_beta that cannot hold constraints).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_step(sys: *mut pintle_system, dt: f64) -> i32 {
    with_system_mut("pintle_step", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Step))?;
        system.step(dt)
    })
}

/// Makes a trial step from the ACCEPTED state, to phase TRIAL. Repeat it with corrected inputs as
/// often as needed, then accept or reject. Inputs that are set while a trial is pending belong to
/// the next step: to the one after the trial if that is accepted, to the next trial if the host
/// advances again.
///
/// - `sys`: the system.
/// - `dt`: time step, > 0.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (dt, as in pintle_step),
/// NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE, REDUNDANT_CONSTRAINTS, UNSUPPORTED; then the
/// accepted state is unchanged, and no trial is pending. STOPPED (by the progress callback): then a
/// trial that was pending before still is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_advance(sys: *mut pintle_system, dt: f64) -> i32 {
    with_system_mut("pintle_advance", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Step))?;
        system.advance(dt)
    })
}

/// Makes a trial step from the ACCEPTED state to a time, as pintle_advance does, or to the first
/// event of friction or a stop before that time: there the loads are those of that time (option
/// "input_order" 1), or those of the step. What happened is told by pintle_get_event.
///
/// - `sys`: the system.
/// - `t`: time, after the accepted one.
/// - `stop_at_events`: 1 if the first event after the accepted time ends the step, 0 if t does.
/// - `reached`: receives the time of the trial; may be NULL.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (t not after the accepted time,
/// or as for dt in pintle_step), NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE,
/// REDUNDANT_CONSTRAINTS, UNSUPPORTED; then the accepted state is unchanged, and no trial is
/// pending. STOPPED (by the progress callback): then a trial that was pending before still is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_advance_to(
    sys: *mut pintle_system,
    t: f64,
    stop_at_events: i32,
    reached: *mut f64,
) -> i32 {
    with_system_mut("pintle_advance_to", sys, |system| {
        let stop_at_events = flag("stop_at_events", stop_at_events)?;
        let _room = room(Memory::of(system).working(Work::Step))?;
        optional_output(reached).write(advance_to(system, t, stop_at_events)?)
    })
}

/// Makes the trial the accepted state, TRIAL to READY, with the loads that it was computed with:
/// those that were set since are for the end of the next step.
///
/// - `sys`: the system.
///
/// Phases: TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_accept(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_accept", sys, |system| system.accept())
}

/// Discards the trial, TRIAL to READY; the accepted state is unchanged.
///
/// - `sys`: the system.
///
/// Phases: TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_reject(sys: *mut pintle_system) -> i32 {
    with_system_mut("pintle_reject", sys, |system| system.reject())
}

/// The time of the trial if one is pending, else of the accepted state.
///
/// - `sys`: the system.
/// - `time`: receives the time.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_time(sys: *const pintle_system, time: *mut f64) -> i32 {
    with_system("pintle_time", sys, |system| {
        let time = scalar_output("time", time)?;
        time.write(system.time()?)
    })
}

/// Sets the function that long calls call from time to time, and which may stop them: steps (of
/// many internal steps, or of large models), pintle_initialize, pintle_solve_equilibrium,
/// pintle_linearize, pintle_get_modes and the like. See pintle_progress_fn. It is called after a
/// fixed amount of work (64 evaluations of one body), so that short calls never call it;
/// computations without evaluations, such as eigenvalues, are not interrupted. A clone of the
/// system calls the same function; it is not part of states.
///
/// - `sys`: the system.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
///
/// Phases: all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_progress_callback(
    sys: *mut pintle_system,
    r#fn: pintle_progress_fn,
    user: *mut c_void,
) -> i32 {
    with_system_mut("pintle_set_progress_callback", sys, |system| {
        system.inputs().set_progress_callback(host_progress(r#fn, user));
        crate::Result::Ok(())
    })
}

/// A number about the model or about the work done since pintle_initialize (restoring a state does
/// not reset it). Keys:
///
/// - "steps" accepted; "substeps": internal steps that succeeded; "rejected_steps": trials
///   rejected, repeated or failed, and internal steps cut in halves; "not_converged_steps":
///   internal steps accepted without convergence.
/// - "iterations" of Newton's method, or substeps of a semi-implicit scheme, in total,
///   "last_iterations" of the last internal step, "factorizations".
/// - "evaluations" of accelerations or of the iteration matrix, of the whole model or (local time
///   stepping) of one entity; "body_evaluations": the same, counted once per body.
/// - "events" of friction and stops, "event_steps": internal steps made again to locate them,
///   "unlocated_events": those taken at the end of an internal step, "unsettled_events": those
///   whose forces or impulses had not settled after the last sweep over all contacts, stops and
///   frictions.
/// - In accepted steps in energy form (option "energy_form") "crossings": segments of lines,
///   springs, tendons and joints whose stiffness jumped, slack or taut, and nodes of lines that
///   came to the seabed or left it; "unresolved_snaps": jumps of a stiffness k between masses m
///   (counted as free) in an internal step h with k h^2 > m, whose peaks of tension are means over
///   the step.
/// - With option "step_tolerance" (else 0) "last_step_error": estimated error of the last internal
///   step, 1 at the tolerance, "suggested_step": length of the next internal step,
///   "rejected_by_error": internal steps made again because they erred too much, or failed.
/// - "last_residual": largest residual force of the last internal step, moments over the model's
///   length; "last_error": its last convergence measure, 1 at the limit; above 1 where only
///   rounding remained.
/// - "last_residual_energy_x", "last_residual_energy_r": residual energies of translations and of
///   rotations, sqrt(sum |r dx|) over residuals and increments, at the last Newton iteration of the
///   last internal step; 0 for schemes without.
/// - "stable_step": the longest stable step of an explicit scheme, estimated from masses, springs,
///   bushings and dampers at the initial poses (load callbacks are called there for their
///   stiffness), of lines at their present length or up to a twentieth less; infinite for the other
///   schemes.
/// - "dofs": 6 per body, 3 per point and node of a line; "constraints": independent ones;
///   "redundant_constraints"; "mobility": dofs less constraints, without the dofs of prescribed
///   bodies and points, fixed and attached points and tied ends of lines.
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: receives the number.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_statistic(sys: *const pintle_system, key: *const c_char, value: *mut f64) -> i32 {
    with_system("pintle_get_statistic", sys, |system| {
        let key = text("key", key)?;
        let _room = room(Memory::of(system).statistic(key))?;
        let value = scalar_output("value", value)?;
        value.write(system.outputs().statistic(key)?)
    })
}

/// Warnings, one per line: entries of the file of pintle_load_moordyn that are ignored; the last
/// step that was accepted without convergence (option "on_no_convergence" = 1), its time,
/// iterations and residual energies, and how many there were; that loads which change in every step
/// are held over each (option "input_order" = 0) by a scheme that is of higher order without
/// ("rk3", "rk4", "ab2" to "ab5", "lab2" to "lab5"); that imposed positions change in every step
/// while their rates stay zero, with a scheme that needs the rates. Empty if there are none.
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_warning(
    sys: *const pintle_system,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system("pintle_get_warning", sys, |system| {
        let output = text_output(cap, buf, len)?;
        output.write(&system.outputs().warning()?)
    })
}
