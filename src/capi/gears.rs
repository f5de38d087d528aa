//! Gears: constraints between the coordinates of two joints.

use super::boundary::{on, optional_output, pintle_system, scalar_output, with_system, with_system_mut};

/// Adds a gear between two joints: q_b - q_b0 = ratio (q_a - q_a0), q their coordinates
/// (pintle_get_joint_coordinate: angle or displacement, in either place) and q0 the coordinates at
/// the poses that bodies were added with. Wheels that turn against each other have a negative
/// ratio; a rack (PRISMATIC) follows its pinion (REVOLUTE) with the pitch radius. A joint may be in
/// several gears, and be driven. If the first motion of a driven joint or a prescribed body is away
/// from these poses, also by whole turns, the other joint must have the coordinate that follows
/// from the gear, or is moved there by option "assemble", and its turns are counted accordingly.
/// Angles count over any number of turns; the slower one of two, or the driven one where one alone
/// is driven, must turn by less than half a turn in one internal step, by its rate at the start of
/// the step (else NO_CONVERGENCE), unless the other turns a whole number of times as fast.
///
/// - `sys`: the system.
/// - `joint_a`, `joint_b`: ids of two different joints that have a coordinate.
/// - `ratio`: rate of b over rate of a, not zero.
/// - `gear`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without a
/// coordinate, the same joint twice, ratio 0). A gear that follows from joints and gears before it
/// is left out, as such constraints of joints are (pintle_get_redundant_constraints); one that
/// contradicts them is found by pintle_initialize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_gear(
    sys: *mut pintle_system,
    joint_a: i32,
    joint_b: i32,
    ratio: f64,
    gear: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_gear", "joint_a", joint_a), sys, |system| {
        let gear = scalar_output("gear", gear)?;
        gear.write(system.elements().add_gear(joint_a, joint_b, ratio)?)
    })
}

/// Joints and ratio of a gear.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `joint_a`: receives the id of the first joint; may be NULL.
/// - `joint_b`: receives the id of the second joint; may be NULL.
/// - `ratio`: receives rate of b over rate of a; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_gear_info(
    sys: *const pintle_system,
    gear: i32,
    joint_a: *mut i32,
    joint_b: *mut i32,
    ratio: *mut f64,
) -> i32 {
    with_system(on("pintle_get_gear_info", "gear", gear), sys, |system| {
        let (joint_a, joint_b, ratio) = (optional_output(joint_a), optional_output(joint_b), optional_output(ratio));
        let (a, b, present_ratio) = system.description().gear_info(gear)?;
        joint_a.write(a)?;
        joint_b.write(b)?;
        ratio.write(present_ratio)
    })
}

/// The load that a gear transmits: its generalized force on the coordinate of its second joint, on
/// body b of that joint (the opposite acts on its body a): a torque on an angle, a force on a
/// displacement. The force on the coordinate of its first joint is minus ratio times that. Zero for
/// a gear that follows from joints and gears before it: those carry the load.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `torque`: receives it.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_gear_load(sys: *const pintle_system, gear: i32, torque: *mut f64) -> i32 {
    with_system(on("pintle_get_gear_load", "gear", gear), sys, |system| {
        let torque = scalar_output("torque", torque)?;
        torque.write(system.outputs().gear_load(gear)?)
    })
}
