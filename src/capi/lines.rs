//! Mooring lines: types, lines between points, winches, failure, and their outputs.

use std::ffi::c_char;

use super::boundary::{
    inputs, length, on, optional_output, output, outputs, pintle_system, room, scalar_output, text, with_system,
    with_system_mut, write_columns,
};
use crate::Memory;
use crate::model::{EntityKind, LineType};

/// Adds a type of lines, with their material properties.
///
/// - `sys`: the system.
/// - `diameter`: volume-equivalent, above 0.
/// - `mass_per_length`: of unstretched length, in air, above 0.
/// - `ea`: axial stiffness, force per strain, >= 0; 0 where pintle_set_line_type_table gives a
///   table in its place.
/// - `ba`: axial damping, force per strain rate; below 0: minus the part of a segment's critical
///   damping.
/// - `ei`: bending stiffness, >= 0.
/// - `cdn`, `can`: transverse coefficients of drag and added mass, >= 0.
/// - `cdt`, `cat`: axial coefficients, >= 0; drag is referred to the circumference.
/// - `type`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative; 0 for diameter or mass),
/// OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_line_type(
    sys: *mut pintle_system,
    diameter: f64,
    mass_per_length: f64,
    ea: f64,
    ba: f64,
    ei: f64,
    cdn: f64,
    can: f64,
    cdt: f64,
    cat: f64,
    r#type: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_line_type", sys, |system| {
        let id = scalar_output("type", r#type)?;
        let numbers = LineType { diameter, mass_per_length, ea, ba, ei, ..LineType::default() };
        let given = LineType { cdn, can, cdt, cat, ..numbers };
        id.write(system.elements().add_line_type(given)?)
    })
}

/// Replaces a number of a type of lines, or a former table, by a table: linear between its points,
/// and extrapolated linearly beyond the ends, not below zero. A segment that is not stretched has
/// no elastic tension.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `what`: "ea": tensions over strains; "ba": damping forces over strain rates, with the sign of
///   the rate.
/// - `n`: number of points, 2 or more.
/// - `x`: `[n]`, strains or strain rates, rising, not negative.
/// - `y`: `[n]`, forces there, not falling, not negative; 0 at x = 0, or where the first piece goes
///   on to it.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (what; x that does not rise; y that falls, is negative, or leaves a force at x = 0),
/// OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_type_table(
    sys: *mut pintle_system,
    r#type: i32,
    what: *const c_char,
    n: i32,
    x: *const f64,
    y: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_type_table", "type", r#type), sys, |system| {
        let _room = room(Memory::spring_table(length("n", (n, n, "points"))?))?;
        let what = text("what", what)?;
        let x = inputs::<1>("x", (n, n, "points"), x)?.as_flattened();
        let y = inputs::<1>("y", (n, n, "points"), y)?.as_flattened();
        system.elements().set_line_type_table(r#type, what, x, y)
    })
}

/// A table of a type of lines, as given to pintle_set_line_type_table. Call it with `cap` = 0 to
/// learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `what`: "ea" or "ba".
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `x`: receives strains or strain rates, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `y`: receives forces there, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 for a type without such a table.
///
/// Phases: all. Errors: BAD_ID, BAD_UTF8, BAD_VALUE (what), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL
/// (0 < cap < n; nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_type_table(
    sys: *const pintle_system,
    r#type: i32,
    what: *const c_char,
    cap: i32,
    x: *mut f64,
    y: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system(on("pintle_get_line_type_table", "type", r#type), sys, |system| {
        let table = system.description().line_type_table(r#type, text("what", what)?);
        write_columns(table, cap, [("x", x), ("y", y)], n)
    })
}

/// A type of lines as it was described.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `diameter`, `mass_per_length`, `ea`, `ba`, `ei`, `cdn`, `can`, `cdt`, `cat`: receive what
///   pintle_add_line_type was given; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_type_info(
    sys: *const pintle_system,
    r#type: i32,
    diameter: *mut f64,
    mass_per_length: *mut f64,
    ea: *mut f64,
    ba: *mut f64,
    ei: *mut f64,
    cdn: *mut f64,
    can: *mut f64,
    cdt: *mut f64,
    cat: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_type_info", "type", r#type), sys, |system| {
        let places = [diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat].map(optional_output);
        let info = system.description().line_type_info(r#type)?;
        let LineType { diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat, .. } = *info;
        let values = [diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat];
        places.into_iter().zip(values).try_for_each(|(place, value)| place.write(value))
    })
}

/// Sets drag and added mass of a point in water. Those of an attached point act at its place on the
/// body, whose buoyancy, like its mass, is the body's own: the volume of the point only says how
/// much water its added mass has.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `cda`: drag coefficient times area, >= 0.
/// - `ca`: added mass as part of the mass of the water that its volume displaces, >= 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_drag(sys: *mut pintle_system, point: i32, cda: f64, ca: f64) -> i32 {
    with_system_mut(on("pintle_set_point_drag", "point", point), sys, |system| {
        system.build().set_point_drag(point, cda, ca)
    })
}

/// Drag and added mass of a point (pintle_set_point_drag); 0 unless set.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `cda`: receives drag coefficient times area; may be NULL.
/// - `ca`: receives the coefficient of added mass; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_drag(
    sys: *const pintle_system,
    point: i32,
    cda: *mut f64,
    ca: *mut f64,
) -> i32 {
    with_system(on("pintle_get_point_drag", "point", point), sys, |system| {
        let (cda, ca) = (optional_output(cda), optional_output(ca));
        let (present_cda, present_ca) = system.description().point_drag(point)?;
        cda.write(present_cda)?;
        ca.write(present_ca)
    })
}

/// Adds a line between two points: end A at the first, end B at the second. Its nodes 0 (end A) to
/// `segments` (end B) get their positions from pintle_initialize, which computes the shape of each
/// line at rest between its ends; pintle_solve_equilibrium then also moves free points and bodies.
/// A line that is too stiff to have such a shape starts in that of a line without bending stiffness
/// if one of its ends is free; else pintle_initialize refuses it.
/// On an attached point the line acts on the body there.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `point_a`, `point_b`: ids of different points.
/// - `length`: unstretched, above 0.
/// - `segments`: how many, 1 or more.
/// - `line`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (both ends on one point;
/// length or segments not above 0), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_line(
    sys: *mut pintle_system,
    r#type: i32,
    point_a: i32,
    point_b: i32,
    length: f64,
    segments: i32,
    line: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_line", "type", r#type), sys, |system| {
        let line = scalar_output("line", line)?;
        line.write(system.elements().add_line(r#type, point_a, point_b, length, segments)?)
    })
}

/// A line as it was described.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `type`: receives the id of its type; may be NULL.
/// - `point_a`, `point_b`: receive the ids of the points at its ends; may be NULL.
/// - `length`: receives the unstretched length; may be NULL.
/// - `segments`: receives the number of segments; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_info(
    sys: *const pintle_system,
    line: i32,
    r#type: *mut i32,
    point_a: *mut i32,
    point_b: *mut i32,
    length: *mut f64,
    segments: *mut i32,
) -> i32 {
    with_system(on("pintle_get_line_info", "line", line), sys, |system| {
        let (line_type, length) = (optional_output(r#type), optional_output(length));
        let ends = [optional_output(point_a), optional_output(point_b)];
        let segments = optional_output(segments);
        let info = system.description().line_info(line)?;
        line_type.write(info.line_type as i32)?;
        ends.into_iter().zip(info.points).try_for_each(|(end, point)| end.write(point as i32))?;
        length.write(info.length)?;
        segments.write(info.segments as i32)
    })
}

/// Sets the unstretched length of a line and its rate at the END of the coming step, as a winch
/// changes them; in between the length is the cubic with these values at both ends. All segments
/// keep equal lengths. Held until it is set again: with a rate that is not zero, set it for every
/// step. Where the cubic passes below a hundredth of the described length the step fails with
/// NO_CONVERGENCE. Until the step is made, outputs and analyses have the present length;
/// pintle_solve_equilibrium stops the winch there.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: at least a hundredth of the described length.
/// - `rate`: of that length.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (too short).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_length(sys: *mut pintle_system, line: i32, length: f64, rate: f64) -> i32 {
    with_system_mut(on("pintle_set_line_length", "line", line), sys, |system| {
        system.inputs().set_line_length(line, length, rate)
    })
}

/// The unstretched length of a line and its rate.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_length(
    sys: *const pintle_system,
    line: i32,
    length: *mut f64,
    rate: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_length", "line", line), sys, |system| {
        let (length, rate) = (optional_output(length), optional_output(rate));
        let (present_length, present_rate) = system.lines().length(line)?;
        length.write(present_length)?;
        rate.write(present_rate)
    })
}

/// The unstretched length of a line and its rate that are set for the end of the coming step
/// (pintle_set_line_length).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_length_input(
    sys: *const pintle_system,
    line: i32,
    length: *mut f64,
    rate: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_length_input", "line", line), sys, |system| {
        let (length, rate) = (optional_output(length), optional_output(rate));
        let (set_length, set_rate) = system.given().line_length(line)?;
        length.write(set_length)?;
        rate.write(set_rate)
    })
}

/// The positions of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `positions`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_positions(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    positions: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_positions", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        system.lines().positions(line, outputs::<3>("positions", rows, positions)?)
    })
}

/// The velocities of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `velocities`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_velocities(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    velocities: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_velocities", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        system.lines().velocities(line, outputs::<3>("velocities", rows, velocities)?)
    })
}

/// The accelerations of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `accelerations`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_accelerations(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    accelerations: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_accelerations", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        system.lines().accelerations(line, outputs::<3>("accelerations", rows, accelerations)?)
    })
}

/// The tensions of the segments of a line, from end A to end B: elastic and damping force, positive
/// where a segment pulls; a slack one may push a little, by its damping. The tension of an end
/// segment is not the force of the end (pintle_get_line_end_force), from which it differs by half a
/// segment's weight and drag.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of segments.
/// - `tensions`: receives `[n]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_tensions(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    tensions: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_tensions", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32, "segments of the line");
        system.lines().tensions(line, outputs::<1>("tensions", rows, tensions)?.as_flattened_mut())
    })
}

/// The net force of an end of a line on its point: tension, weight, drag and seabed of the half
/// segment there, without its inertia. At a released end it is balanced by that inertia.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `force[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end), UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[force;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_end_force(
    sys: *const pintle_system,
    line: i32,
    end: i32,
    force: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_end_force", "line", line), sys, |system| {
        let force = output::<3>("force", force)?;
        force.write(system.lines().end_force(line, end)?)
    })
}

/// The tensions of the end segments of all lines: those of ends A and B of line 0, then of line 1,
/// and so on.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `tensions`: receives `[n][2]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_end_tensions(sys: *const pintle_system, n: i32, tensions: *mut f64) -> i32 {
    with_system("pintle_get_line_end_tensions", sys, |system| {
        let rows = (n, system.description().count(EntityKind::Line), "lines");
        system.lines().end_tensions(outputs::<2>("tensions", rows, tensions)?)
    })
}

/// The mean tensions of the end segments of all lines over the last step of pintle_step or
/// pintle_advance, whatever internal steps it was cut into: those of ends A and B of line 0, then
/// of line 1, and so on. Where a line snaps, tensions at the ends of steps swing about these, which
/// are the impulse over the time: what a coupled host needs. In smooth motion they are those of
/// half a step ago. generalized-alpha, momentum-alpha, newmark and hht (option "energy_form" 1)
/// have the tension that acted, the others the mean of the tensions at both ends of each internal
/// step. Before the first step, and after pintle_solve_equilibrium or pintle_set_coordinates, they
/// are the present tensions.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `tensions`: receives `[n][2]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_mean_tensions(sys: *const pintle_system, n: i32, tensions: *mut f64) -> i32 {
    with_system("pintle_get_line_mean_tensions", sys, |system| {
        let rows = (n, system.description().count(EntityKind::Line), "lines");
        system.lines().mean_tensions(outputs::<2>("tensions", rows, tensions)?)
    })
}

/// The net forces of the ends of all lines on their points (pintle_get_line_end_force): end A of
/// line 0, its end B, end A of line 1, and so on.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `forces`: receives `[n][6]`: force of end A, then of end B, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_end_forces(sys: *const pintle_system, n: i32, forces: *mut f64) -> i32 {
    with_system("pintle_get_line_end_forces", sys, |system| {
        let rows = (n, system.description().count(EntityKind::Line), "lines");
        system.lines().end_forces(outputs::<6>("forces", rows, forces)?)
    })
}
