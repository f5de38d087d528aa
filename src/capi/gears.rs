//! Gears: constraints between the coordinates of two joints.

use super::boundary::{ids, inputs, on, optional_output, pintle_system, scalar_output, with_system, with_system_mut};
use crate::Error;

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

/// Adds a gear between the coordinates of two or more joints: the sum of c_i (q_i - q_i0) is 0, q
/// and q0 as for pintle_add_gear, which is the one of two joints with coefficients -ratio and 1. A
/// differential has the coefficients 1, 1, -2 for its two shafts and its cage; a planetary gear,
/// with joints between its frame and sun, ring and carrier, has z_sun, z_ring, -(z_sun + z_ring)
/// (Willis 1841); a tackle the numbers of its falls for PRISMATIC joints. It is a gear in all else:
/// kind "gear", with pintle_get_gear_load, and loads of c_i/c_n times that on coordinate i.
///
/// Angles count over any number of turns; all but one of them must turn by less than half a turn in
/// one internal step, by their rates at the start of the step (else NO_CONVERGENCE), unless the one
/// turns a whole number of times as fast: that with the smallest coefficient, of those that are not
/// driven.
///
/// - `sys`: the system.
/// - `n`: number of joints, 2 or more.
/// - `joints`: `[n]` ids of different joints that have a coordinate.
/// - `coefficients`: `[n]`, not zero; only their ratios matter.
/// - `gear`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_SIZE (fewer than two joints), BAD_ID, NOT_FINITE,
/// BAD_VALUE (a joint without a coordinate, a joint twice, a coefficient of 0), OUT_OF_MEMORY.
/// Gears that follow from others are left out as for pintle_add_gear.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_coupling(
    sys: *mut pintle_system,
    n: i32,
    joints: *const i32,
    coefficients: *const f64,
    gear: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_coupling", sys, |system| {
        let gear = scalar_output("gear", gear)?;
        let coefficients = inputs::<1>("coefficients", (n, n, "joints"), coefficients)?.as_flattened();
        gear.write(system.elements().add_coupling(&ids(("n", n), "joints", joints)?, coefficients)?)
    })
}

/// A part of a gear: one of its joints, and the coefficient of its coordinate.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `part`: number of the part, from 0.
/// - `n`: receives the number of parts; may be NULL.
/// - `joint`: receives the id of the joint; may be NULL.
/// - `coefficient`: receives the coefficient as set; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such part).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_coupling(
    sys: *const pintle_system,
    gear: i32,
    part: i32,
    n: *mut i32,
    joint: *mut i32,
    coefficient: *mut f64,
) -> i32 {
    with_system(on("pintle_get_coupling", "gear", gear), sys, |system| {
        let (n, joint, coefficient) = (optional_output(n), optional_output(joint), optional_output(coefficient));
        let found = system.description().gear(gear)?;
        let count = found.joints.len();
        let outside = || Error::bad_value("part", format!("{part}: gear {gear} has the parts 0 to {}", count - 1));
        let k = usize::try_from(part).ok().filter(|k| *k < count).ok_or_else(outside)?;
        n.write(count as i32)?;
        joint.write(found.joints[k] as i32)?;
        coefficient.write(found.coefficients[k])
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
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a gear of more than two
/// joints: pintle_get_coupling).
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
        let found = system.description().gear(gear)?;
        let several = || format!("{gear} couples {} joints: it has no ratio", found.joints.len());
        let ([a, b], present_ratio) = found.two().ok_or_else(|| Error::bad_value("gear", several()))?;
        joint_a.write(a as i32)?;
        joint_b.write(b as i32)?;
        ratio.write(present_ratio)
    })
}

/// The load that a gear transmits: its generalized force on the coordinate of its last joint, on
/// body b of that joint (the opposite acts on its body a): a torque on an angle, a force on a
/// displacement. The force on the coordinate of the first of two joints is minus ratio times that.
/// Zero for a gear that follows from joints and gears before it: those carry the load.
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
