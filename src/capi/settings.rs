//! The scheme and its options.

use std::ffi::c_char;

use super::boundary::{pintle_system, room, scalar_output, text, text_output, with_system, with_system_mut};
use crate::Memory;

/// Chooses the time integration scheme; "generalized-alpha" unless set. Names (docs/schemes.md has
/// their orders, limits and costs):
///
/// - "generalized-alpha", "momentum-alpha", "newmark", "hht": implicit, second order, Newton's
///   iteration. "momentum-alpha" is "generalized-alpha" on angular momentum, for bodies that spin
///   or tumble: a step must turn no body by more than half a turn.
/// - "euler", "heun", "rk2", "rk3", "rk4", "ab2" to "ab5": explicit; constraints are kept by
///   projection.
/// - "leuler", "lab2" to "lab5": the same with local steps: every set of bodies tied by joints
///   takes steps of its own; in models with lines or gears all sets take the shortest.
/// - "beulerN", "midpointN", "andersonN", "acaN", "wilsonN": semi-implicit, N relaxed substeps, N =
///   1 to 1000.
///
/// A change in phase READY starts the scheme's history anew.
///
/// - `sys`: the system.
/// - `name`: text.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, OUT_OF_MEMORY, BAD_UTF8, BAD_VALUE (unknown, or N
/// missing or outside its range; the message lists the known ones), UNSUPPORTED (option "linear" is
/// 1 and the scheme none of the first four).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_scheme(sys: *mut pintle_system, name: *const c_char) -> i32 {
    with_system_mut("pintle_set_scheme", sys, |system| {
        let name = text("name", name)?;
        let _room = room(Memory::of(system).choice(Some(name), None))?;
        system.settings().set_scheme(name)
    })
}

/// The name of the scheme.
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_scheme(
    sys: *const pintle_system,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system("pintle_get_scheme", sys, |system| {
        let output = text_output(cap, buf, len)?;
        output.write(&system.given().scheme())
    })
}

/// Sets an option. Keys and defaults:
///
/// - "rho_inf" 0.8: spectral radius at infinite frequency, 0 (damps most) to 1 (no numerical
///   damping).
/// - "abs_tolerance" 1e-8, "rel_tolerance" 1e-6: of the weighted norm of increments, or of a
///   thousand times the next increments that their rate of contraction predicts. In models with
///   lines the test for bodies is on these predicted increments themselves, and that for a node of
///   a line is 3 "abs_tolerance" of its line's length, at most 3e-8.
/// - "max_iterations" 20: of Newton's method in one internal step; as many again where lines, or
///   bodies and points at tension-only springs, were not in balance after the last. In models with
///   lines one iteration is hardly ever enough.
/// - "max_time_step" infinity: longer host steps are cut into equal internal ones; where it is
///   infinite, explicit schemes cut them at "cfl" times statistic "stable_step". With local steps
///   it is the longest tick: slow entities take several.
/// - "max_substeps" 10000: most internal steps of one host step, those of halved ones included; a
///   step that asks for more fails with BAD_VALUE.
/// - "input_order" 0: inputs are held over the step; 1: they are interpolated linearly from the
///   last accepted value (loads that were never given before act from the initial time on, if no
///   step was made yet).
/// - "assemble" 0: pintle_initialize refuses initial states that violate joints; 1: it projects
///   them.
/// - "on_no_convergence" 0: the step fails; 1: it is accepted and counted; 2: it is cut in halves,
///   up to 10 times. Where there are lines, springs that only pull or springs with tables, and
///   where bodies on bushings or beams turn by more than 0.01 rad in the step, the first four
///   schemes cut a step in halves up to 4 times before it fails with 0, and with 1 where it fails
///   for other reasons; the message has the time and the length of the part that failed.
/// - "convergence" 0: weighted norm of increments; 1: energy norm with "energy_tolerance" 1e-3,
///   beside the test of lines.
/// - "initial_acceleration" 0: computed; 1: as given by pintle_set_body_acceleration, and the start
///   is not perturbed (docs/theory.md).
/// - "newmark_gamma" 0.5 (0.5 to 1), "newmark_beta" 0.25 (above 0, to 1): of scheme "newmark".
/// - "hht_alpha" -0.1 (-1/3 to 0): of scheme "hht".
/// - "relaxation" 1: of semi-implicit schemes, as in MoorDyn's code; 0: as on its page.
/// - "relaxation_c0", "relaxation_c1" -1: the constants C0 and C1 of that relaxation, 0 to 1; -1:
///   the scheme's own.
/// - "cfl" 0.5 (above 0, to 1): part of the stable step that explicit schemes take.
/// - "integrate_about" 0: bodies are integrated about their centres of mass; 1: about their
///   reference points. All inputs and outputs are about the reference points in both cases. Changes
///   in phase BUILDING only. Where "linear" is 1 at pintle_initialize, equations are about the
///   reference points too.
/// - "linear" 0; 1: M, C and K frozen at the initial state, one solve per step
///   ("generalized-alpha", "momentum-alpha", "newmark", "hht"). Load callbacks are called at the
///   initial poses and velocities, without accelerations; their dependence on the motion enters
///   only by their matrices at the initial time.
/// - "constraint_damping" 1: the first four schemes damp oscillations normal to joints that
///   alternate from step to step; 0: the published algorithms, in which these may grow on curved
///   constraints if "rho_inf" is near 1.
/// - "line_tension_change" 0: most that the tension of a segment of a line may change in one
///   internal step before that is cut in halves, for lines that snap; 0: no limit.
/// - "energy_form" 1: the first four schemes take lines with the seabed, springs that only pull,
///   and springs with tables, by the work that they do over a step, so that jumps of their
///   stiffness add no energy; 0: by their forces at the ends of steps.
/// - "max_events" 200: most events of friction and stops that are located in one step of the host;
///   others change modes at the ends of internal steps. "rest_speed" 1e-4: model lengths, or rad,
///   per time, below which nothing bounces.
/// - "rotating_modes" 0; 1: where a body turns, pintle_get_modes finds the steady turning of the
///   whole model about the axis and at the rate of the first one that does, and returns the modes
///   about it in axes that turn along, as for a Campbell diagram.
/// - "step_tolerance" 0; above 0: internal steps have the lengths at which each errs by about this
///   much at most, in model lengths and rad (docs/schemes.md, "Steps by tolerance"); for the first
///   four schemes, "euler", "heun", "rk2", "rk3", "rk4", without "linear".
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: the new value.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, OUT_OF_MEMORY, BAD_UTF8, BAD_VALUE (key unknown: the
/// message lists the known ones; value outside its range), NOT_FINITE, UNSUPPORTED ("linear" = 1
/// with another scheme).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_option(sys: *mut pintle_system, key: *const c_char, value: f64) -> i32 {
    with_system_mut("pintle_set_option", sys, |system| {
        let key = text("key", key)?;
        let _room = room(Memory::of(system).choice(None, Some((key, value))))?;
        system.settings().set_option(key, value)
    })
}

/// The value of an option.
///
/// - `sys`: the system.
/// - `key`: as for pintle_set_option.
/// - `value`: receives the value.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_option(sys: *const pintle_system, key: *const c_char, value: *mut f64) -> i32 {
    with_system("pintle_get_option", sys, |system| {
        let key = text("key", key)?;
        let value = scalar_output("value", value)?;
        value.write(system.given().option(key)?)
    })
}
