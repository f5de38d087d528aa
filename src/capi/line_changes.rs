//! Lines that change during a run: ends that break off, and stiffness; and forces on their nodes.

use std::ffi::c_char;

use super::boundary::{
    ids, inputs, length, on, optional_output, outputs, pintle_system, room, scalar_output, text, with_system,
    with_system_mut,
};
use crate::{Memory, Work};

/// Lets ends of lines break off together, as when the point breaks that they are tied to: at a
/// time, or when the tension of one of their end segments is above a limit, whichever comes first.
/// Ends break off when an internal step ends, which it does at `time`; the scheme starts anew then,
/// as after pintle_mark_discontinuity. A time that is not after the initial one acts in the first
/// step. Each end is free afterwards (pintle_release_line); or the ends stay together on `point`,
/// which waits at rest until then, moves to the first of them, and is a free point from then on, of
/// its mass, volume and drag.
///
/// - `sys`: the system.
/// - `n`: number of ends, 1 or more, all at one point.
/// - `lines`: `[n]` ids.
/// - `ends`: `[n]`: 0 is end A, 1 is end B.
/// - `time`: >= 0; 0: at no time.
/// - `tension`: >= 0; 0: at no tension.
/// - `point`: id of a free point that carries nothing, of any position and mass; -1 for none.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_SIZE (n below 0), BAD_VALUE (no
/// ends; another end; ends at several points; an end with a failure; a negative number; both 0; a
/// point that is not free).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_failure(
    sys: *mut pintle_system,
    n: i32,
    lines: *const i32,
    ends: *const i32,
    time: f64,
    tension: f64,
    point: i32,
) -> i32 {
    with_system_mut("pintle_set_line_failure", sys, |system| {
        let lists = 64 * length("n", (n, n, "ends"))?;
        let _room = room(lists)?;
        let (lines, ends) = (ids(("n", n), "lines", lines)?, ids(("n", n), "ends", ends)?);
        system.elements().set_line_failure(&lines, &ends, time, tension, point)
    })
}

/// The failure of an end of a line (pintle_set_line_failure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `time`, `tension`: receive them, 0 for none; may be NULL.
/// - `point`: receives the id of its point, -1 for none; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_failure(
    sys: *const pintle_system,
    line: i32,
    end: i32,
    time: *mut f64,
    tension: *mut f64,
    point: *mut i32,
) -> i32 {
    with_system(on("pintle_get_line_failure", "line", line), sys, |system| {
        let (time, tension, point) = (optional_output(time), optional_output(tension), optional_output(point));
        let failure = system.lines().failure(line, end)?;
        time.write(failure.map_or(0.0, |failure| failure.time))?;
        tension.write(failure.map_or(0.0, |failure| failure.tension))?;
        point.write(failure.and_then(|failure| failure.point).map_or(-1, |point| point as i32))
    })
}

/// Releases an end of a line, as when it breaks there: from the present time on the end is not
/// tied, and moves freely with its present velocity. The scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end; it is released already).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_release_line(sys: *mut pintle_system, line: i32, end: i32) -> i32 {
    with_system_mut(on("pintle_release_line", "line", line), sys, |system| system.inputs().release_line(line, end))
}

/// Whether the ends of a line were released (pintle_release_line, pintle_set_line_failure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end_a`, `end_b`: receive 1 for an end that has left its point, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_released(
    sys: *const pintle_system,
    line: i32,
    end_a: *mut i32,
    end_b: *mut i32,
) -> i32 {
    with_system(on("pintle_get_line_released", "line", line), sys, |system| {
        let ends = [optional_output(end_a), optional_output(end_b)];
        let released = system.lines().released(line)?;
        ends.into_iter().zip(released).try_for_each(|(end, released)| end.write(i32::from(released)))
    })
}

/// Sets the axial stiffness of a line from the present time on, as of polyester, which is stiffer
/// the faster it is loaded. The tension jumps with it, and the scheme starts anew, as after
/// pintle_mark_discontinuity. A damping that is a part of the critical one follows the stiffness.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has no table of tensions and is not viscoelastic.
/// - `ea`: force per strain, above 0.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not above 0; a table;
/// a viscoelastic line).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_stiffness(sys: *mut pintle_system, line: i32, ea: f64) -> i32 {
    with_system_mut(on("pintle_set_line_stiffness", "line", line), sys, |system| {
        system.inputs().set_line_stiffness(line, ea)
    })
}

/// The axial stiffness of a line (pintle_add_line_type, pintle_set_line_stiffness).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `ea`: receives it, in force per strain, the static one of a viscoelastic line; 0 where a table
///   says.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_stiffness(sys: *const pintle_system, line: i32, ea: *mut f64) -> i32 {
    with_system(on("pintle_get_line_stiffness", "line", line), sys, |system| {
        let ea = scalar_output("ea", ea)?;
        ea.write(system.lines().stiffness(line)?)
    })
}

/// Moves the nodes of a line at constant time, as to where another program left them. Accelerations
/// follow from the present loads, and the next step starts anew. Friction of the seabed holds the
/// nodes where they are put; a viscoelastic line is at rest there (pintle_set_line_slow_strains).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `positions`, `velocities`: `[n][3]`, in I, from end A to end B. Those of ends that are tied
///   are not used: ends move with their points.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, SINGULAR, CALLBACK,
/// NO_CONVERGENCE (a load callback that depends on accelerations), UNSTABLE (numbers too large for
/// a double), STOPPED; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_coordinates(
    sys: *mut pintle_system,
    line: i32,
    n: i32,
    positions: *const f64,
    velocities: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_coordinates", "line", line), sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        let positions = inputs::<3>("positions", rows, positions)?;
        let velocities = inputs::<3>("velocities", rows, velocities)?;
        system.inputs().set_line_coordinates(line, positions, velocities)
    })
}

/// Sets the internal pressure of a line, such as a riser or a hose. What fills a line pushes it
/// apart: the effective tension of a segment is that of its strain less p A, with the mean p of its
/// nodes and the area A of its diameter, and a bent line bends more. The pressure of the water
/// outside is in the buoyancy. The mass per length must contain the contents. A steady flow of
/// density rho and speed u acts as an additional pressure rho u^2. Where the bore is narrower than
/// the line, multiply the pressure by the ratio of the areas.
///
/// - `sys`: the system.
/// - `line`: id; in READY of a line that was given a pressure in BUILDING, which may be 0.
/// - `n`: 1, for one pressure in the whole line, or the number of nodes, one more than segments.
/// - `pressure`: `[n]`, from end A to end B.
///
/// In READY it holds from the present time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (a line
/// that was given none in BUILDING), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_pressure(
    sys: *mut pintle_system,
    line: i32,
    n: i32,
    pressure: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_pressure", "line", line), sys, |system| {
        let pressure = inputs::<1>("pressure", (n, n, "nodes"), pressure)?;
        let _room = room(size_of_val(pressure))?;
        system.inputs().set_line_pressure(line, pressure.as_flattened())
    })
}

/// The internal pressure at the nodes of a line (pintle_set_line_pressure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `pressure`: receives `[n]`, from end A to end B; zeros for a line without.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_SIZE (n).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_pressure(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    pressure: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_pressure", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        system.lines().pressure(line, outputs::<1>("pressure", rows, pressure)?)
    })
}

/// The forces of one cause on the nodes of a line, from end A to end B, without the inertia of the
/// line and of the water that moves along.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `what`: "tension" (with its damping), "bending", "pressure" (internal), "weight", "buoyancy",
///   "drag", "froude_krylov" (of the acceleration of the water, with its part of the added mass),
///   "seabed" (with friction), or "net", the sum of these.
/// - `n`: the number of nodes, one more than segments.
/// - `out`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_VALUE (what), BAD_SIZE
/// (n), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_node_loads(
    sys: *const pintle_system,
    line: i32,
    what: *const c_char,
    n: i32,
    out: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_node_loads", "line", line), sys, |system| {
        let what = text("what", what)?;
        let rows = (n, system.description().line_info(line)?.segments as i32 + 1, "nodes of the line");
        let out = outputs::<3>("out", rows, out)?;
        let _room = room(Memory::of(system).working(Work::Copy))?;
        system.lines().node_loads(line, what, out)
    })
}
