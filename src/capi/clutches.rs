//! Clutches and freewheels between coordinates of joints.

use super::arguments::flag;
use super::boundary::{on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut};
use crate::{Clutches, GROUND, Memory, add_clutch, set_clutch_capacity, set_clutch_stop};

/// Adds a clutch between two coordinates of joints: dry friction on the slip s = q_b - ratio q_a, q
/// their coordinates (pintle_get_joint_coordinate) or slides. It transmits a torque, or a force, T
/// to q_b and -ratio T to q_a. While s grows, T = -capacity_back; while it falls, T =
/// capacity_forth; where it comes to rest, the clutch holds up to static_ratio times these, without
/// creeping. Capacities of 0 open it. INFINITY locks: both capacities make a dog clutch, which
/// closes by an impulse (pintle_get_event); capacities 0 and INFINITY make a freewheel, which
/// drives b and lets it overrun, INFINITY and 0 one that holds it back. A step ends where the
/// clutch holds and slips, and the scheme starts anew there.
///
/// - `sys`: the system.
/// - `joint_a`, `joint_b`: ids of joints that have a coordinate; they may be driven.
/// - `slide_a`, `slide_b`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `ratio`: rate of b over rate of a without slip, not zero.
/// - `capacity_back`: largest torque, or force, against q_b while it slips, >= 0; INFINITY locks.
/// - `capacity_forth`: the same along q_b.
/// - `static_ratio`: capacity while it holds over that, >= 1.
/// - `slip`: displacement of s while it holds with its largest torque, >= 0; 0 is 1e-6 rad, or of
///   the model's length if q_b is a displacement. What is locked has a stiff spring in its place.
/// - `clutch`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate,
/// the same coordinate twice, a number out of range), OUT_OF_MEMORY. pintle_initialize and steps
/// refuse schemes that do not locate events (UNSUPPORTED). A clutch on a broken joint does nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_clutch(
    sys: *mut pintle_system,
    joint_a: i32,
    slide_a: i32,
    joint_b: i32,
    slide_b: i32,
    ratio: f64,
    capacity_back: f64,
    capacity_forth: f64,
    static_ratio: f64,
    slip: f64,
    clutch: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_clutch", "joint_a", joint_a), sys, |system| {
        let of = [(joint_a, flag("slide_a", slide_a)?), (joint_b, flag("slide_b", slide_b)?)];
        let clutch = scalar_output("clutch", clutch)?;
        clutch.write(add_clutch(system, of, [ratio, static_ratio, slip], [capacity_back, capacity_forth])?)
    })
}

/// Sets the capacities of a clutch, from the accepted time on.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `capacity_back`, `capacity_forth`: as for pintle_add_clutch.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_clutch_capacity(
    sys: *mut pintle_system,
    clutch: i32,
    capacity_back: f64,
    capacity_forth: f64,
) -> i32 {
    with_system_mut(on("pintle_set_clutch_capacity", "clutch", clutch), sys, |system| {
        set_clutch_capacity(system, clutch, [capacity_back, capacity_forth])
    })
}

/// The capacities of a clutch, as set.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `capacity_back`, `capacity_forth`: receive the values of pintle_set_clutch_capacity; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_clutch_capacity(
    sys: *const pintle_system,
    clutch: i32,
    capacity_back: *mut f64,
    capacity_forth: *mut f64,
) -> i32 {
    with_system(on("pintle_get_clutch_capacity", "clutch", clutch), sys, |system| {
        let [back, forth] = Clutches::of(system).capacity(clutch)?;
        optional_output(capacity_back).write(back)?;
        optional_output(capacity_forth).write(forth)
    })
}

/// Sets stops at both ends of the range of s = q_b - ratio q_a, in place of those before, as
/// pintle_set_joint_stop does on one joint. Gears with backlash are a clutch of the capacities 0
/// with stops at both ends of their play: their teeth hit each other. In READY they act from the
/// accepted time on.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `lower`, `upper`: bounds of s; -INFINITY and INFINITY for none.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: moment / angle, or force / length, on q_b, > 0.
/// - `damping`: moment / angular velocity, or force / velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (lower above upper; a
/// law, a stiffness or a restitution out of range), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_clutch_stop(
    sys: *mut pintle_system,
    clutch: i32,
    lower: f64,
    upper: f64,
    law: i32,
    stiffness: f64,
    damping: f64,
    restitution: f64,
) -> i32 {
    with_system_mut(on("pintle_set_clutch_stop", "clutch", clutch), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        set_clutch_stop(system, clutch, [lower, upper], law, [stiffness, damping, restitution])
    })
}

/// The stops of a clutch, as set.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `lower`, `upper`, `law`, `stiffness`, `damping`, `restitution`: receive the values of
///   pintle_set_clutch_stop; infinite bounds and zeros unless set; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_clutch_stop(
    sys: *const pintle_system,
    clutch: i32,
    lower: *mut f64,
    upper: *mut f64,
    law: *mut i32,
    stiffness: *mut f64,
    damping: *mut f64,
    restitution: *mut f64,
) -> i32 {
    with_system(on("pintle_get_clutch_stop", "clutch", clutch), sys, |system| {
        let (bounds, number, numbers) = Clutches::of(system).stop(clutch)?;
        optional_output(law).write(number)?;
        let outputs = [lower, upper, stiffness, damping, restitution];
        let numbers = bounds.into_iter().chain(numbers);
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// A clutch as it was added.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `joint_a`, `slide_a`, `joint_b`, `slide_b`, `ratio`, `static_ratio`, `slip`: receive the
///   values of pintle_add_clutch; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_clutch_info(
    sys: *const pintle_system,
    clutch: i32,
    joint_a: *mut i32,
    slide_a: *mut i32,
    joint_b: *mut i32,
    slide_b: *mut i32,
    ratio: *mut f64,
    static_ratio: *mut f64,
    slip: *mut f64,
) -> i32 {
    with_system(on("pintle_get_clutch_info", "clutch", clutch), sys, |system| {
        let info = Clutches::of(system).info(clutch)?;
        let [(a, on_a), (b, on_b)] = info.coordinates;
        let numbers = [a, on_a, b, on_b].map(|number| number as i32);
        for (output, number) in [joint_a, slide_a, joint_b, slide_b].into_iter().zip(numbers) {
            optional_output(output).write(number)?;
        }
        let numbers = [info.ratio, info.static_ratio, info.slip];
        let outputs = [ratio, static_ratio, slip];
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// What a clutch does at present: of the trial if one is pending, else of the accepted state.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `mode`: receives 1 where it holds, 2 where it is at a stop, 0 where it slips or is open, 4
///   where one of its joints is broken; may be NULL.
/// - `torque`: receives T and that of the stops, torque or force on q_b; may be NULL.
/// - `slip_rate`: receives the rate of q_b less ratio times that of q_a; may be NULL.
/// - `limit_back`, `limit_forth`: receive the largest torques that it holds; each may be NULL.
/// - `dissipated`: receives the work that it has taken while slipping; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_clutch(
    sys: *const pintle_system,
    clutch: i32,
    mode: *mut i32,
    torque: *mut f64,
    slip_rate: *mut f64,
    limit_back: *mut f64,
    limit_forth: *mut f64,
    dissipated: *mut f64,
) -> i32 {
    with_system(on("pintle_get_clutch", "clutch", clutch), sys, |system| {
        let found = Clutches::of(system).output(clutch)?;
        optional_output(mode).write(found.mode)?;
        let [back, forth] = found.limits;
        let numbers = [found.torque, found.slip_rate, back, forth, found.dissipated];
        let outputs = [torque, slip_rate, limit_back, limit_forth, dissipated];
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// The clutch at which an event of the last step or trial happened (pintle_get_event).
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `clutch`: receives the id; -1 for an event of a joint or a contact.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_event_clutch(sys: *const pintle_system, i: i32, clutch: *mut i32) -> i32 {
    with_system("pintle_get_event_clutch", sys, |system| {
        let clutch = scalar_output("clutch", clutch)?;
        clutch.write(Clutches::of(system).of_event(i)?.unwrap_or(GROUND))
    })
}
