//! Joints that break.

use super::boundary::{on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut};
use crate::simulation::JointMachines;
use crate::{Memory, break_joint, set_joint_strength};

/// Sets the strength of a joint: it breaks where the norm of the force, or of the moment, of its
/// reaction (pintle_get_joint_reaction) reaches it. The internal step is made again so that it ends
/// there, as at an event of friction (PINTLE_EVENT_BREAKS of pintle_get_event), and the bodies go
/// on with their velocities. What a broken joint is says pintle_break_joint. Works with
/// generalized-alpha, momentum-alpha, newmark and hht, as friction does.
///
/// In a loop with constraints that follow from others the reaction is the one of least norm. A step
/// in which a joint breaks allocates memory.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `force`: >= 0; INFINITY: none breaks it, which is the default.
/// - `moment`: >= 0; INFINITY as for `force`.
///
/// In READY the strength holds from the accepted time on, where the scheme starts anew, and belongs
/// to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE (NaN), BAD_VALUE (negative),
/// OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_strength(
    sys: *mut pintle_system,
    joint: i32,
    force: f64,
    moment: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_strength", "joint", joint), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        set_joint_strength(system, joint, force, moment)
    })
}

/// The strength of a joint (pintle_set_joint_strength).
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `force`, `moment`: receive it, INFINITY for none; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_strength(
    sys: *const pintle_system,
    joint: i32,
    force: *mut f64,
    moment: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_strength", "joint", joint), sys, |system| {
        let [of_force, of_moment] = JointMachines::of(system).strength(joint)?;
        optional_output(force).write(of_force)?;
        optional_output(moment).write(of_moment)
    })
}

/// Breaks a joint at the accepted time, for the rest of the run: the bodies go on with their
/// velocities, and the scheme starts anew. Accelerations and the reactions of other joints are
/// those before it until the next step.
///
/// A broken joint has no reaction and no coordinate. Springs, dampers, friction, stops, drives and
/// loads on it, and gears with it, act no more; setting them is BAD_VALUE. It stays in lists, and
/// its channels are 0. That it is broken belongs to the state: one that was saved before mends it.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that is not broken.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a broken joint), SINGULAR (it leaves a body
/// without inertia), CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_break_joint(sys: *mut pintle_system, joint: i32) -> i32 {
    with_system_mut(on("pintle_break_joint", "joint", joint), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        break_joint(system, joint)
    })
}

/// Whether a joint is broken: in the trial if one is pending, else in the accepted state.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `broken`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_broken(sys: *const pintle_system, joint: i32, broken: *mut i32) -> i32 {
    with_system(on("pintle_get_joint_broken", "joint", joint), sys, |system| {
        let broken = scalar_output("broken", broken)?;
        broken.write(i32::from(JointMachines::of(system).is_broken(joint)?))
    })
}
