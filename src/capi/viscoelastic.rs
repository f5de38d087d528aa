//! Viscoelastic types of lines, those of the Syrope model among them.

use super::boundary::{inputs, on, optional_output, outputs, pintle_system, room, with_system, with_system_mut};
use crate::model::{Syrope, Viscoelastic, WorkingCurve};

/// Makes a type of lines viscoelastic, as synthetic ropes are. EA and BA of the type become a
/// static spring with a dashpot, in series with a dynamic spring with another dashpot: slow changes
/// of the tension find the stiffness EA, which both springs have together, fast ones find that of
/// the dynamic spring, `ea_dynamic` + `ea_slope` times the mean tension. In between, the static
/// pair creeps with the time (ba + ba_dynamic)/(sum of the stiffnesses of both springs). A line
/// begins at rest, where EA holds; linearisation and modes have the dynamic stiffness, equilibrium
/// the static one.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines with numbers EA and BA, BA not 0 (below 0: a part of the
///   critical damping of EA).
/// - `ea_dynamic`: dynamic stiffness without tension, more than EA; 0: the type is not
///   viscoelastic.
/// - `ea_slope`: how much stiffer per tension, not negative.
/// - `ba_dynamic`: damping of the dynamic spring, force per strain rate, not negative.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not more than EA; negative;
/// a type with a table, or without damping).
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

/// The dynamic stiffness of a type of lines (pintle_set_line_type_viscoelastic,
/// pintle_set_line_type_syrope); zeros of a type that is not viscoelastic.
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

/// Gives a type of lines the Syrope model of polyester ropes: a viscoelastic type
/// (pintle_set_line_type_viscoelastic) whose slow spring has curves in place of EA. A rope that has
/// its largest mean tension follows the original curve, the table of the type. Below the largest
/// tension it follows a working curve, from that point of the original curve to a permanent strain
/// without tension: 0, linear, with the permanent strain k1 times that at the largest tension; 1,
/// linear, with the stiffness k1; with xi from 0 to 1 along the strain, 2, quadratic, the part xi
/// (k2 xi + 1 - k2), or 3, exponential, (exp(k2 xi) - 1)/(exp(k2) - 1), of the largest tension,
/// both with k1 as of 0. The dynamic stiffness at a mean tension is `ea_dynamic` + `ea_slope` times
/// this tension. A line begins at rest, as new or as pintle_set_line_largest_tensions says.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines with a table of tensions that begins at 0 and rises
///   (pintle_set_line_type_table), and a number BA, not 0.
/// - `curve`: kind of the working curve, 0 to 3.
/// - `k1`: from 0 to below 1; of kind 1 above 0.
/// - `k2`: of kind 2 above 0, at most 1; of kind 3 from 0.001 to below 100; of others it does not
///   matter.
/// - `ea_dynamic`: dynamic stiffness without tension; with `ea_slope` more than the stiffness of
///   all curves, at every tension of the table.
/// - `ea_slope`: how much stiffer per tension, not negative.
/// - `ba_dynamic`: damping of the dynamic spring, force per strain rate, not negative.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (another kind; out of range;
/// a type without a table or with one that does not fit, or without damping; curves stiffer than
/// the dynamic spring, or that give back more energy than the original curve takes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_type_syrope(
    sys: *mut pintle_system,
    r#type: i32,
    curve: i32,
    k1: f64,
    k2: f64,
    ea_dynamic: f64,
    ea_slope: f64,
    ba_dynamic: f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_type_syrope", "type", r#type), sys, |system| {
        let law = Viscoelastic { stiffness: ea_dynamic, slope: ea_slope, damping: ba_dynamic };
        let curves = Syrope { curve: WorkingCurve::from_number(curve)?, k1, k2 };
        system.elements().set_line_type_syrope(r#type, law, curves)
    })
}

/// The working curve of a type of lines (pintle_set_line_type_syrope); its original curve is in
/// pintle_get_line_type_table, its dynamic stiffness in pintle_get_line_type_viscoelastic.
///
/// - `sys`: the system.
/// - `type`: id.
/// - `curve`: receives the kind, -1 of a type without; may be NULL.
/// - `k1`, `k2`: receive the numbers that were given, 0 of a type without; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_type_syrope(
    sys: *const pintle_system,
    r#type: i32,
    curve: *mut i32,
    k1: *mut f64,
    k2: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_type_syrope", "type", r#type), sys, |system| {
        let (curve, k1, k2) = (optional_output(curve), optional_output(k1), optional_output(k2));
        let curves = system.description().line_type_info(r#type)?.syrope;
        curve.write(curves.map_or(-1, |curves| curves.curve as i32))?;
        k1.write(curves.map_or(0.0, |curves| curves.k1))?;
        k2.write(curves.map_or(0.0, |curves| curves.k2))
    })
}

/// Sets the largest mean tensions that the segments of a line have had, which choose the working
/// curve (pintle_set_line_type_syrope). Without them a line begins as new.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has the Syrope model.
/// - `n`: 1, for one tension in the whole line, or the number of segments.
/// - `tensions`: `[n]`, from end A to end B, not negative.
///
/// In READY they hold from the present time on, with the slow strains that segments have; the
/// tension jumps, and the scheme starts anew, as after pintle_mark_discontinuity. A segment whose
/// slow strain is on the original curve beyond has the tension there as its largest.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (negative; another line), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_line_largest_tensions(
    sys: *mut pintle_system,
    line: i32,
    n: i32,
    tensions: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_line_largest_tensions", "line", line), sys, |system| {
        let tensions = inputs::<1>("tensions", (n, n, "segments"), tensions)?;
        let _room = room(size_of_val(tensions).saturating_mul(4))?;
        system.inputs().set_line_largest_tensions(line, tensions.as_flattened())
    })
}

/// The largest mean tensions that the segments of a line have had
/// (pintle_set_line_largest_tensions).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: number of segments.
/// - `tensions`: receives `[n]`, from end A to end B; zeros of a line without the Syrope model.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_line_largest_tensions(
    sys: *const pintle_system,
    line: i32,
    n: i32,
    tensions: *mut f64,
) -> i32 {
    with_system(on("pintle_get_line_largest_tensions", "line", line), sys, |system| {
        let rows = (n, system.description().line_info(line)?.segments as i32, "segments of the line");
        system.lines().largest_tensions(line, outputs::<1>("tensions", rows, tensions)?.as_flattened_mut())
    })
}

/// Sets the slow strains of a viscoelastic line at the present time: how far its segments have
/// crept, which is what a saved state has of the loads before. A line begins at rest, and so it
/// does after pintle_solve_equilibrium. The tension jumps with it, and the scheme starts anew, as
/// after pintle_mark_discontinuity.
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
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
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
