//! Clamped and joined ends of lines.

use super::boundary::{about, input, on, optional_output, output, pintle_system, with_system, with_system_mut};

/// Clamps an end of a line with bending stiffness, as a bend stiffener or a flange does: the line
/// leaves the end along `axis`, and passes a moment on. Without it ends are hinged. The energy of a
/// clamp is 2 EI/l (1 - cos) of the angle between the axis and the end segment, of unstretched
/// length l. An end that breaks off is not clamped any more.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has bending stiffness.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `body`: id of the body that the point of the end is attached to; PINTLE_GROUND for a point
///   that is fixed or prescribed.
/// - `axis[3]`: from the end into the line, of any length, in the axes of the body or in I;
///   replaces that of an earlier call.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (end; a free point, or one
/// that is not on the body; a type without bending stiffness; an axis without direction).
/// cbindgen:ptrs-as-arrays=[[axis;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_clamp_line(
    sys: *mut pintle_system,
    line: i32,
    end: i32,
    body: i32,
    axis: *const f64,
) -> i32 {
    with_system_mut(about("pintle_clamp_line", [("line", line), ("body", body)]), sys, |system| {
        system.elements().clamp_line(line, end, body, &input::<3>("axis", axis)?)
    })
}

/// The clamp of an end of a line (pintle_clamp_line).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `clamped`: receives 1 if it was described as clamped, else 0; may be NULL.
/// - `body`: receives the id of the body, PINTLE_GROUND for none; may be NULL.
/// - `axis[3]`: receives the axis, of length 1, in the axes of the body or in I; zeros without a
///   clamp.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
/// cbindgen:ptrs-as-arrays=[[axis;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_clamp(
    sys: *const pintle_system,
    line: i32,
    end: i32,
    clamped: *mut i32,
    body: *mut i32,
    axis: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_clamp", "line", line), sys, |system| {
        let (clamped, body, axis) = (optional_output(clamped), optional_output(body), output::<3>("axis", axis)?);
        let clamp = system.lines().clamp(line, end)?;
        clamped.write(i32::from(clamp.is_some()))?;
        let (holder, direction) = clamp.unwrap_or((crate::model::GROUND, [0.0; 3]));
        body.write(holder)?;
        axis.write(direction)
    })
}

/// Joins ends of two lines with bending stiffness at one point, as where two cables are spliced, or
/// a bend stiffener begins: bending passes on, as at an inner node. The joint has no mass, and the
/// angle across it the stiffness 2/(l1/EI1 + l2/EI2), from both end segments. Without it each line
/// is hinged at the point. Where an end breaks off, the joint ends.
///
/// - `sys`: the system.
/// - `line_a`, `line_b`: ids of different lines, of two segments or more.
/// - `end_a`, `end_b`: which end of each: 0 is end A, 1 is end B; both are at the same point, of
///   any support.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (an end; one line; different points; a
/// line of one segment, or without bending stiffness; an end that is clamped, or joined),
/// OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_join_lines(
    sys: *mut pintle_system,
    line_a: i32,
    end_a: i32,
    line_b: i32,
    end_b: i32,
) -> i32 {
    with_system_mut("pintle_join_lines", sys, |system| system.elements().join_lines([line_a, line_b], [end_a, end_b]))
}

/// The end that an end of a line is joined to (pintle_join_lines).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `other_line`: receives the id of the other line, -1 for none; may be NULL.
/// - `other_end`: receives which end of it, -1 for none; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_joint(
    sys: *const pintle_system,
    line: i32,
    end: i32,
    other_line: *mut i32,
    other_end: *mut i32,
) -> i32 {
    with_system(on("pintle_get_line_joint", "line", line), sys, |system| {
        let (other_line, other_end) = (optional_output(other_line), optional_output(other_end));
        let (line, end) = system.lines().joint(line, end)?.unwrap_or((-1, -1));
        other_line.write(line)?;
        other_end.write(end)
    })
}

/// The bending moment of a clamped end of a line on what holds it, about the end: what a hang-off
/// is designed for; or of a joined end on the other line. That of its force
/// (pintle_get_line_end_force) about another place is not in it.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `moment[3]`: receives it, in I; zeros at an end that is neither clamped nor joined, or has
///   broken off.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end), UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[moment;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_end_moment(
    sys: *const pintle_system,
    line: i32,
    end: i32,
    moment: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_end_moment", "line", line), sys, |system| {
        let moment = output::<3>("moment", moment)?;
        moment.write(system.lines().end_moment(line, end)?)
    })
}
