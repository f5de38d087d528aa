//! Create, clone, destroy, and the phase of a system.

use super::boundary::{self, pintle_system, room, scalar_output, with_system, with_system_mut, without_system};
use crate::{Memory, Simulation, Work};

/// Makes an empty system in phase BUILDING. The caller owns it and frees it with pintle_destroy.
///
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_create(out: *mut *mut pintle_system) -> i32 {
    without_system("pintle_create", || {
        let out = scalar_output("out", out)?;
        out.write(boundary::new_handle(Simulation::new())?)
    })
}

/// Makes a copy, independent of the original: model, settings, accepted and trial state, inputs,
/// statistics. Load and progress callbacks are copied as function and user pointer, so both systems
/// call the same functions with the same pointers. From pintle_initialize on the copies share
/// constant data, so that a clone takes as long as pintle_state_save; its first step allocates the
/// memory of its steps. Clones may be used from different threads at the same time, and be
/// destroyed in any order.
///
/// - `sys`: the system to copy.
/// - `out`: receives the handle, which the caller owns; what was there is overwritten.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_clone(sys: *const pintle_system, out: *mut *mut pintle_system) -> i32 {
    with_system("pintle_clone", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Clone))?;
        let out = scalar_output("out", out)?;
        out.write(boundary::new_handle(system.given().duplicate()?)?)
    })
}

/// Frees a system and sets `*sys` to NULL. Nothing happens if it is NULL already.
///
/// - `sys`: the address of the handle.
///
/// Phases: all, but not inside a call on the same system (a load callback). Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_destroy(sys: *mut *mut pintle_system) -> i32 {
    boundary::destroy("pintle_destroy", "sys", sys)
}

/// The phase of a system.
///
/// - `sys`: the system.
/// - `phase`: receives one of the PINTLE_PHASE_ numbers.
///
/// Phases: all.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_phase(sys: *const pintle_system, phase: *mut i32) -> i32 {
    with_system("pintle_phase", sys, |system| {
        let phase = scalar_output("phase", phase)?;
        phase.write(system.phase() as i32)
    })
}

/// Ends the description of the model, BUILDING to READY: checks the model as a whole, checks that
/// joints are assembled and velocities admissible (with option "assemble" = 1 it projects instead),
/// finds redundant constraints (they are handled, counted in the statistics, and named by
/// pintle_get_redundant_constraints), and computes accelerations and reactions at the initial time.
///
/// - `sys`: the system.
/// - `t0`: initial time.
///
/// Phases: BUILDING; after a failure still BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE,
/// INCONSISTENT_STATE (the message names the joint and the gap), REDUNDANT_CONSTRAINTS (constraints
/// or imposed motions contradict each other: the message names the joint and what others fix
/// already), SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations),
/// UNSTABLE (numbers too large for a double), STOPPED (by the progress callback).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_initialize(sys: *mut pintle_system, t0: f64) -> i32 {
    with_system_mut("pintle_initialize", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        system.initialize(t0)
    })
}
