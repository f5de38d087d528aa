//! Viscoelastic types of lines.

use super::boundary::{inputs, on, optional_output, outputs, pintle_system, with_system, with_system_mut};
use crate::model::Viscoelastic;

/// Makes a type of lines viscoelastic, as synthetic ropes are. EA and BA of the type become a static
/// spring with a dashpot, in series with a dynamic spring with another dashpot: slow changes of the
/// tension find the stiffness EA, which both springs have together, fast ones find that of the dynamic
/// spring, `ea_dynamic` + `ea_slope` times the mean tension. In between, the static pair creeps with the
/// time (ba + ba_dynamic)/(sum of the stiffnesses of both springs). A line begins at rest, where EA
/// holds; linearisation and modes have the dynamic stiffness, equilibrium the static one.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines with numbers EA and BA, BA not 0 (below 0: a part of the critical
///   damping of EA).
/// - `ea_dynamic`: dynamic stiffness without tension, more than EA; 0: the type is not viscoelastic.
/// - `ea_slope`: how much stiffer per tension, not negative.
/// - `ba_dynamic`: damping of the dynamic spring, force per strain rate, not negative.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not more than EA; negative; a
/// type with a table, or without damping).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_type_viscoelastic(
    sys: *mut pintle_system,
    r#type: i32,
    ea_dynamic: f64,
    ea_slope: f64,
    ba_dynamic: f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_type_viscoelastic", "type", r#type), sys, |system| {
        let law = Viscoelastic { stiffness: ea_dynamic, slope: ea_slope, damping: ba_dynamic };
        system.elements().set_line_type_viscoelastic(r#type, law)
    })
}

/// The dynamic stiffness of a type of lines (pintle_set_line_type_viscoelastic); zeros of a type that
/// is not viscoelastic.
///
/// - `sys`: the system.
/// - `type`: id.
/// - `ea_dynamic`, `ea_slope`, `ba_dynamic`: receive the numbers that were given; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_type_viscoelastic(
    sys: *const pintle_system,
    r#type: i32,
    ea_dynamic: *mut f64,
    ea_slope: *mut f64,
    ba_dynamic: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_type_viscoelastic", "type", r#type), sys, |system| {
        let places = [ea_dynamic, ea_slope, ba_dynamic].map(optional_output);
        let law = system.description().line_type_info(r#type)?.viscoelastic.unwrap_or(Viscoelastic::NONE);
        places.into_iter().zip(law.numbers()).try_for_each(|(place, value)| place.write(value))
    })
}

/// Sets the slow strains of a viscoelastic line at the present time: how far its segments have crept,
/// which is what a saved state has of the loads before. A line begins at rest, and so it does after
/// pintle_solve_equilibrium. The tension jumps with it, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type is viscoelastic (pintle_set_line_type_viscoelastic).
/// - `n`: number of segments.
/// - `strains`: `[n]`, of the slow springs, from end A to end B.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (another line).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_slow_strains(
    sys: *mut pintle_system,
    line: i32,
    n: i32,
    strains: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_slow_strains", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32, "segments of the line");
        system.inputs().set_line_slow_strains(line, inputs::<1>("strains", rows, strains)?.as_flattened())
    })
}

/// The slow strains of a viscoelastic line (pintle_set_line_slow_strains).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: number of segments.
/// - `strains`: receives `[n]`, from end A to end B; zeros of a line that is not viscoelastic.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_slow_strains(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    strains: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_slow_strains", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32, "segments of the line");
        system.lines().slow_strains(line, outputs::<1>("strains", rows, strains)?.as_flattened_mut())
    })
}
