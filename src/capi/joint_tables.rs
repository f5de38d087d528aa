//! Springs and dampers with tables on coordinates of joints.

use super::arguments::{flag, inputs, length, text};
use super::boundary::{on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut};
use crate::{Error, JointMachines, JointTable, Memory, set_joint_table};
use std::ffi::c_char;

/// Replaces the table of a spring or a damper on a joint's coordinate. In READY it acts from the
/// accepted time on, and belongs to the state.
///
/// A spring pushes the coordinate back with the force at its value; a damper acts against its rate,
/// and its table goes through 0 at rest. Between their points tables are monotone cubics (Fritsch,
/// Carlson 1980), beyond them straight lines. Forces and rates of a damper are mirrored where all
/// are on one side.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `what`: "spring" or "damper".
/// - `n`: number of points, 2 or more.
/// - `x`: `[n]`, coordinates or rates, rising.
/// - `y`: `[n]`, forces, or moments of angles, at these, not falling; of a damper with the signs of
///   the rates.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (what; x that does not rise; y that falls, or drives what it damps; a joint without coordinate,
/// a broken one, in READY one without such a table), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_table(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    what: *const c_char,
    n: i32,
    x: *const f64,
    y: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_table", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let _room = room(Memory::spring_table(length("n", (n, n, "points"))?))?;
        let _change = room(Memory::of(system).change())?;
        let table = JointTable::of(text("what", what)?)?;
        let x = inputs::<1>("x", (n, n, "points"), x)?.as_flattened();
        let y = inputs::<1>("y", (n, n, "points"), y)?.as_flattened();
        set_joint_table(system, of, table, [x, y])
    })
}

/// Adds a point to the table of a damper on a joint's coordinate, which acts against its rate: a
/// monotone cubic through 0 at rest and the points, in whatever order they come, and straight lines
/// beyond. Where all points are on one side of 0, the other side mirrors them. The damper acts
/// beside the spring, and with every scheme.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `rate`: of the coordinate, not 0.
/// - `force`: force, or moment, against it, of the sign of the rate; it must not fall with the
///   rate.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a rate that is 0 or has a
/// force; a force that falls; a joint without coordinate), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_joint_damper_point(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    rate: f64,
    force: f64,
) -> i32 {
    with_system_mut(on("pintle_add_joint_damper_point", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let points = JointMachines::of(system).damper(joint, of.1)?.len();
        let _room = room(Memory::spring_table(2 * points + 3))?;
        system.build().add_joint_damper_point(of, rate, force)
    })
}

/// The number of points in the table of a damper on a joint; 0 without one.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `n`: receives the number.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_joint_damper_point_count(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    n: *mut i32,
) -> i32 {
    with_system(on("pintle_joint_damper_point_count", "joint", joint), sys, |system| {
        let n = scalar_output("n", n)?;
        n.write(JointMachines::of(system).damper(joint, flag("slide", slide)?)?.len() as i32)
    })
}

/// A point in the table of a damper on a joint.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `point`: 0 to one less than their number, in the order of rates.
/// - `rate`, `force`: receive the values of pintle_add_joint_damper_point; each may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (point; a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_damper_point(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    point: i32,
    rate: *mut f64,
    force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_damper_point", "joint", joint), sys, |system| {
        write_point(JointMachines::of(system).damper(joint, flag("slide", slide)?)?, point, [rate, force])
    })
}

/// Writes a point of a table.
fn write_point(points: &[[f64; 2]], point: i32, outputs: [*mut f64; 2]) -> Result<(), Error> {
    let found = usize::try_from(point).ok().and_then(|index| points.get(index));
    let found = found.ok_or_else(|| Error::bad_value("point", format!("{point} is not one of {}", points.len())))?;
    outputs.into_iter().zip(found).try_for_each(|(output, number)| optional_output(output).write(*number))
}

/// The force of the damper with a table on a joint's coordinate, on body b: of the sign against the
/// rate. Its power, -force times the rate, is what a power take-off absorbs.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `force`: receives the force, or moment; 0 without a table.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_damper_force(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_damper_force", "joint", joint), sys, |system| {
        let force = scalar_output("force", force)?;
        force.write(JointMachines::of(system).damper_force(joint, flag("slide", slide)?)?)
    })
}

/// Adds a point to the table of a spring on a joint's coordinate, which pushes it back: a monotone
/// cubic through the points, in whatever order they come, and straight lines beyond; a single point
/// is a constant force. The spring acts beside that of pintle_set_joint_spring, and with every
/// scheme; its potential energy counts from the greatest coordinate without force. Backlash is a
/// table with a flat middle.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `coordinate`: a value that has no force yet.
/// - `force`: force, or moment, on body a along the coordinate, and against it on body b; it must
///   not fall with the coordinate.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a coordinate that has a
/// force; a force that falls; a joint without coordinate), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_joint_spring_point(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    coordinate: f64,
    force: f64,
) -> i32 {
    with_system_mut(on("pintle_add_joint_spring_point", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let points = JointMachines::of(system).spring(joint, of.1)?.len();
        let _room = room(Memory::spring_table(points + 2))?;
        system.build().add_joint_spring_point(of, coordinate, force)
    })
}

/// The number of points in the table of a spring on a joint; 0 without one.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `n`: receives the number.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_joint_spring_point_count(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    n: *mut i32,
) -> i32 {
    with_system(on("pintle_joint_spring_point_count", "joint", joint), sys, |system| {
        let n = scalar_output("n", n)?;
        n.write(JointMachines::of(system).spring(joint, flag("slide", slide)?)?.len() as i32)
    })
}

/// A point in the table of a spring on a joint.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `point`: 0 to one less than their number, in the order of coordinates.
/// - `coordinate`, `force`: receive the values of pintle_add_joint_spring_point; each may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (point; a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_spring_point(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    point: i32,
    coordinate: *mut f64,
    force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_spring_point", "joint", joint), sys, |system| {
        write_point(JointMachines::of(system).spring(joint, flag("slide", slide)?)?, point, [coordinate, force])
    })
}

/// The force of the springs on a joint's coordinate, on body b: of pintle_add_joint_spring_point
/// and of pintle_set_joint_spring, without the damping of that.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `force`: receives the force, or moment; 0 without springs.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_spring_force(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_spring_force", "joint", joint), sys, |system| {
        let force = scalar_output("force", force)?;
        force.write(JointMachines::of(system).spring_force(joint, flag("slide", slide)?)?)
    })
}
