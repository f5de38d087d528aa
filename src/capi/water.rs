//! Water and seabed around lines, points and cylinders: their numbers, currents, the host's waves.

use std::ffi::{c_char, c_void};

use super::boundary::{
    array_output, flag, inputs, length, optional_output, pintle_system, room, scalar_output, text, with_system,
    with_system_mut,
};
use super::host::{FluidFunction, host_fluid};
use crate::{Bed, CurrentGrids, Error, Memory};

/// The motion of the water, as the host knows it; NULL is none. The header's spelling stands in
/// `cbindgen.toml`, as that of `pintle_load_fn`.
pub type pintle_fluid_fn = Option<FluidFunction>;

/// Sets a number of the water, which acts on lines, points and cylinders, or of the seabed, which
/// acts on lines and, without friction, on cylinders. z points upwards, and z = 0 of I is the mean
/// water level. Keys and defaults:
///
/// - "water_density" 0: density of the water; 0: there is none.
/// - "depth" 0: depth of the seabed below z = 0; 0: there is none, unless pintle_set_seabed_grid
///   says otherwise.
/// - "seabed_stiffness" 3e6: force per area of a line (diameter times length) and penetration.
/// - "seabed_damping" 3e5: force per area and speed; spring and damper together do not pull, unless
///   "seabed_adhesion" is set.
/// - "seabed_smoothing" 0.1: penetration over which both increase to their full values; for each
///   line at most its diameter.
/// - "seabed_friction" 0: coefficient of friction.
/// - "friction_slip" 0.02: distance from its stick point at which a node slips.
/// - "seabed_adhesion" 0: part of the damper's pull that acts on a node that leaves the seabed, 0
///   to 1; 1: all of it, as in MoorDyn.
/// - "wave_ramp" 0: time from time zero over which waves grow from nothing to full height, as 3
///   s^2 - 2 s^3 with s = time/ramp; 0: they have always been there.
///
/// Set in READY, it acts from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity. Before the first step lines get new shapes at rest, as if it had been
/// set in BUILDING, unless the state is no longer that of pintle_initialize.
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: the new value, >= 0; of "seabed_smoothing" and "friction_slip" above 0, of
///   "seabed_adhesion" at most 1.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (key unknown: the message lists
/// the known ones; value outside its range; in READY settings of a seabed without depth, which
/// pintle_initialize refuses, too; before the first step a point below the seabed), NOT_FINITE,
/// NO_CONVERGENCE (a line without a shape at rest), SINGULAR, CALLBACK, UNSTABLE; then nothing is
/// changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_environment(sys: *mut pintle_system, key: *const c_char, value: f64) -> i32 {
    with_system_mut("pintle_set_environment", sys, |system| {
        let key = text("key", key)?;
        let _room = room(Memory::of(system).water())?;
        system.settings().set_environment(key, value)
    })
}

/// A number of the water or the seabed.
///
/// - `sys`: the system.
/// - `key`: as for pintle_set_environment.
/// - `value`: receives the value.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_environment(sys: *const pintle_system, key: *const c_char, value: *mut f64) -> i32 {
    with_system("pintle_get_environment", sys, |system| {
        let key = text("key", key)?;
        let value = scalar_output("value", value)?;
        value.write(system.given().environment_value(key)?)
    })
}

/// Sets the steady current, in place of the one before: velocities at depths, linear in between,
/// constant above and below; pintle_set_current_grid adds one that changes in time. Like
/// pintle_set_environment it acts from the start if set before the first step, later from the
/// accepted time on.
///
/// - `sys`: the system.
/// - `n`: number of depths; 0: no current.
/// - `depths`: `[n]`, below z = 0, rising.
/// - `velocities`: `[n][3]`, in I.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (depths that
/// do not rise), OUT_OF_MEMORY; before the first step those of pintle_set_environment there:
/// NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_current(
    sys: *mut pintle_system,
    n: i32,
    depths: *const f64,
    velocities: *const f64,
) -> i32 {
    with_system_mut("pintle_set_current", sys, |system| {
        let rows = Memory::spring_table(length("n", (n, n, "depths"))?);
        let _room = room(rows.saturating_add(Memory::of(system).water()))?;
        let depths = inputs::<1>("depths", (n, n, "depths"), depths)?.as_flattened();
        let velocities = inputs::<3>("velocities", (n, n, "depths"), velocities)?;
        system.settings().set_current(depths, velocities)
    })
}

/// The steady current (pintle_set_current). Call it with `cap` = 0 to learn `n`, then with arrays
/// of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `depths`: receives depths, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `velocities`: receives velocities there, `n` of its `[cap][3]` rows, in I; may be NULL with
///   `cap` = 0.
/// - `n`: receives how many depths there are: 0 without current.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_current(
    sys: *const pintle_system,
    cap: i32,
    depths: *mut f64,
    velocities: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system("pintle_get_current", sys, |system| {
        let room = length("cap", (cap, cap, "depths"))?;
        let current = system.given().current();
        let wanted = if room == 0 { 0 } else { current.len() };
        let (depths, velocities) =
            (array_output("depths", wanted, depths)?, array_output("velocities", 3 * wanted, velocities)?);
        let n = scalar_output("n", n)?;
        if wanted > room {
            return Err(Error::BufferTooSmall { argument: "cap", given: cap.into(), needed: current.len() as i64 });
        }
        let (all_depths, all_velocities): (Vec<f64>, Vec<[f64; 3]>) = current.iter().take(wanted).copied().unzip();
        depths.write(&all_depths)?;
        velocities.write(all_velocities.as_flattened())?;
        n.write(current.len() as i32)
    })
}

/// Sets a current that changes in time, or also in x and y, by velocities at the nodes of a
/// rectangular grid, in place of the grid before. It is added to the steady current
/// (pintle_set_current) and to waves. Velocities are linear along x, y, depth and time, and
/// constant beyond the first and the last node of each: before the first time and after the last
/// one the current is steady. Lines, points and cylinders feel the velocity and its derivative by
/// time as they feel those of waves: implicit schemes find them once per step, at the predicted
/// places of its end, explicit ones at each stage. At a time of the grid above 0 the derivative is
/// the mean of both sides; steps that end at such times keep their order. pintle_solve_equilibrium
/// takes the current of the present time if it is the same at all x and y, else none of the grid.
/// The grid is part of states, checkpoints and model files.
///
/// Set in READY, it acts from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `n`: number of nodes, all x times all y times all depths times all times; 0: no grid.
/// - `points`: `[n][7]`, of each node x, y, depth below z = 0, time, and the velocity, in I. x
///   rises fastest, then y, then the depth; the time rises slowest. An axis may have one node: a
///   profile that changes in time has x = y = 0 in all rows.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (nodes that
/// do not rise, or are not in their place: a node is missing), OUT_OF_MEMORY; before the first step
/// those of pintle_set_environment there: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then
/// nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_current_grid(sys: *mut pintle_system, n: i32, points: *const f64) -> i32 {
    with_system_mut("pintle_set_current_grid", sys, |system| {
        let _room = room(Memory::of(system).current_grid(length("n", (n, n, "points"))?))?;
        let points = inputs::<7>("points", (n, n, "points"), points)?;
        system.settings().set_current_grid(points)
    })
}

/// The nodes of the grid of currents (pintle_set_current_grid). Call it with `cap` = 0 to learn
/// `n`, then with an array of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the array; with 0 only `n` is written.
/// - `points`: receives x, y, depth, time and velocity of nodes, `n` of its `[cap][7]` rows, in I;
///   may be NULL with `cap` = 0.
/// - `n`: receives how many nodes there are: 0 without a grid.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_current_grid(
    sys: *const pintle_system,
    cap: i32,
    points: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system("pintle_get_current_grid", sys, |system| {
        rows_of("points", length("cap", (cap, cap, "points"))?, &CurrentGrids::of(system).points(), points, n)
    })
}

/// Writes the rows of a list, and how many there are; with a room of 0 only the latter.
fn rows_of<const N: usize>(
    name: &'static str,
    room: usize,
    rows: &[[f64; N]],
    array: *mut f64,
    n: *mut i32,
) -> Result<(), Error> {
    let wanted = if room == 0 { 0 } else { rows.len() };
    let array = array_output(name, N * wanted, array)?;
    let n = scalar_output("n", n)?;
    if wanted > room {
        return Err(Error::BufferTooSmall { argument: "cap", given: room as i64, needed: rows.len() as i64 });
    }
    array.write(rows[..wanted].as_flattened())?;
    n.write(rows.len() as i32)
}

/// Sets the depths of the seabed at the nodes of a rectangular grid, in place of "depth"
/// (pintle_set_environment), which remains the depth of waves. The depth is bilinear within cells,
/// and outside of the grid that of its nearest edge. Kinks at the edges of cells are rounded over a
/// fiftieth of the shorter cell beside them, so that lines come to rest in valleys, too. Lines and
/// cylinders feel the force of the bed along its normal: spring and damper have the penetration and
/// its rate along z, and friction acts along the bed. Like pintle_set_environment it acts from the
/// start if set before the first step, later from the accepted time on.
///
/// - `sys`: the system.
/// - `n`: number of nodes, all columns times all rows of the grid, at least 2; 0: no grid.
/// - `points`: `[n][3]`, of each node x, y and the depth below z = 0, in I, row by row: x rises
///   within a row, y from row to row. Depths below 0 are above the mean water level.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0, n = 1), NOT_FINITE, BAD_VALUE
/// (nodes that do not rise, rows that differ: a node is missing; in READY those of
/// pintle_set_environment), OUT_OF_MEMORY; before the first step those of pintle_set_environment
/// there: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_seabed_grid(sys: *mut pintle_system, n: i32, points: *const f64) -> i32 {
    with_system_mut("pintle_set_seabed_grid", sys, |system| {
        let nodes = Memory::seabed_grid(length("n", (n, n, "points"))?);
        let _room = room(nodes.saturating_add(Memory::of(system).water()))?;
        let points = inputs::<3>("points", (n, n, "points"), points)?;
        system.settings().set_seabed_grid(points)
    })
}

/// The nodes of the grid of the seabed (pintle_set_seabed_grid). Call it with `cap` = 0 to learn
/// `n`, then with an array of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the array; with 0 only `n` is written.
/// - `points`: receives x, y and depth of nodes, `n` of its `[cap][3]` rows, in I; may be NULL with
///   `cap` = 0.
/// - `n`: receives how many nodes there are: 0 without a grid.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_seabed_grid(
    sys: *const pintle_system,
    cap: i32,
    points: *mut f64,
    n: *mut i32,
) -> i32 {
    with_system("pintle_get_seabed_grid", sys, |system| {
        rows_of("points", length("cap", (cap, cap, "points"))?, &Bed::of(system).grid(), points, n)
    })
}

/// Sets the function that computes the motion of the water, at all nodes of all lines, at all
/// points, on the axes of all cylinders and at all bodies in water (pintle_set_body_in_water), in
/// one call; currents and waves are added. Drag, inertia and buoyancy of lines, points and
/// cylinders, drag and inertia of these bodies depend on this motion. See pintle_fluid_fn.
///
/// The nodes come first, those of line 0 from end A to end B, then those of line 1, and so on; then
/// the points by their ids; then of each cylinder by its id, from end A to end B, the ends of its
/// segments, one place more than segments, between which the motion is linear; then the reference
/// points of the bodies in water by their ids. The function is code: not part of states,
/// checkpoints and model files, but copied by pintle_clone as function and user pointer. Its last
/// results are part of states. The scheme starts anew, as after pintle_mark_discontinuity, also
/// where the function is the same: set it once, not in every step.
///
/// - `sys`: the system.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
/// - `implicit`: 1 if it is called at every iterate of a step; 0: once per step, at the predicted
///   positions of its end. Explicit schemes call it at each of their stages; with leuler and lab2
///   to lab5 all entities take the step of the fastest then.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (implicit).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_fluid_callback(
    sys: *mut pintle_system,
    r#fn: pintle_fluid_fn,
    user: *mut c_void,
    implicit: i32,
) -> i32 {
    with_system_mut("pintle_set_fluid_callback", sys, |system| {
        system.settings().set_fluid_callback(host_fluid(r#fn, user), flag("implicit", implicit)?)
    })
}

/// Whether a fluid callback is set, and when it is called.
///
/// - `sys`: the system.
/// - `is_set`: receives 1 if there is one, else 0; may be NULL.
/// - `implicit`: receives 1 if it is called at every iterate, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_fluid_callback(
    sys: *const pintle_system,
    is_set: *mut i32,
    implicit: *mut i32,
) -> i32 {
    with_system("pintle_get_fluid_callback", sys, |system| {
        let (is_set, implicit) = (optional_output(is_set), optional_output(implicit));
        let (is_there, is_implicit) = system.given().fluid_callback();
        is_set.write(i32::from(is_there))?;
        implicit.write(i32::from(is_implicit))
    })
}
