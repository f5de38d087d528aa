//! Analyses of what a host can load: compliance of bodies and joints, linearisation with loads on
//! joints as inputs.

use super::analysis::{columns, squares, states};
use super::boundary::{array_output, ids, length, pintle_system, room, with_system};
use crate::{LinearInputs, Memory, Work};

/// As pintle_get_load_compliance, for the reference points of bodies in place of markers:
/// derivatives of their motions at the end of a step with respect to loads there
/// (pintle_set_body_load).
///
/// - `sys`: the system.
/// - `n`: how many bodies, k.
/// - `bodies`: `[n]` ids.
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `m`: size of `out`: 3 x 6k x 6k.
/// - `out`: receives `[m]`: three 6k x 6k matrices, each column-major: d(acceleration),
///   d(velocity), d(displacement and rotation vector) of the reference points (rows) over the
///   wrenches (columns: force, moment about the reference point), all in I. Rows and columns of
///   prescribed bodies are zero.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt), SINGULAR,
/// CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration matrix: all but generalized-alpha,
/// momentum-alpha, newmark, hht, and these with "linear" = 1), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_compliance(
    sys: *const pintle_system,
    n: i32,
    bodies: *const i32,
    dt: f64,
    m: i32,
    out: *mut f64,
) -> i32 {
    with_system("pintle_get_body_compliance", sys, |system| {
        let length = length("m", (m, squares(("n", n), 108)?, "numbers: 3 x 6k x 6k"))?;
        let _room = room(Memory::of(system).working(Work::Solutions { columns: columns([n, 0, 0]) / 3 }))?;
        let bodies = ids(("n", n), "bodies", bodies)?;
        let out = array_output("out", length, out)?;
        out.write(&system.analysis().body_compliance(&bodies, dt)?.concat())
    })
}

/// As pintle_get_load_compliance, for the coordinates of joints in place of markers: derivatives of
/// these at the end of a step with respect to generalized forces on them (pintle_set_joint_load),
/// for a host that computes the torque of a generator, a brake or an actuator with the motion.
/// Those of a driven coordinate are zero.
///
/// - `sys`: the system.
/// - `n`: how many joints, k.
/// - `joints`: `[n]` ids of joints that have a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `m`: size of `out`: 3 x k x k.
/// - `out`: receives `[m]`: three k x k matrices, each column-major: d(qdd), d(qd), d(q) of the
///   coordinates (rows) over the generalized forces (columns).
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt; a joint
/// without coordinate), SINGULAR, CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration
/// matrix, as for pintle_get_load_compliance), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_compliance(
    sys: *const pintle_system,
    n: i32,
    joints: *const i32,
    dt: f64,
    m: i32,
    out: *mut f64,
) -> i32 {
    with_system("pintle_get_joint_compliance", sys, |system| {
        let length = length("m", (m, squares(("n", n), 3)?, "numbers: 3 x k x k"))?;
        let _room = room(Memory::of(system).working(Work::Solutions { columns: columns([n, 0, 0]) / 3 }))?;
        let joints = ids(("n", n), "joints", joints)?;
        let out = array_output("out", length, out)?;
        out.write(&system.analysis().joint_compliance(&joints, dt)?.concat())
    })
}

/// pintle_linearize with loads on joints among the inputs: first the wrenches on bodies, then those
/// on markers, then the generalized forces on coordinates of joints, then the forces on slides. A
/// coordinate that is driven does not answer to a load on it: its columns are zero but for
/// rounding.
///
/// - `sys`: the system.
/// - `n_bodies`: how many bodies carry inputs.
/// - `bodies`: `[n_bodies]` ids of bodies whose loads (about the reference point) are inputs, 6
///   each.
/// - `n_loads`: how many markers carry inputs.
/// - `load_markers`: `[n_loads]` ids of markers whose loads are the inputs after these, 6 each.
/// - `n_joints`: how many joints carry inputs on their coordinates.
/// - `joints`: `[n_joints]` ids of joints that have a coordinate, whose loads
///   (pintle_set_joint_load) are the inputs after these, one each.
/// - `n_slides`: how many joints carry inputs on their slides.
/// - `slides`: `[n_slides]` ids of CYLINDRICAL joints, whose loads on the slide
///   (pintle_set_joint_slide_load) are the last inputs, one each.
/// - `n_sensors`: how many markers give outputs.
/// - `sensor_markers`: `[n_sensors]` ids of markers whose motions are outputs, 18 each:
///   displacement and rotation vector, velocity, acceleration.
/// - `n_states`: 2 x mobility (statistic "mobility").
/// - `a`: receives `[n_states][n_states]`, like the others column-major, each `[column][row]`.
/// - `b`: receives `[6*(n_bodies+n_loads)+n_joints+n_slides][n_states]`.
/// - `c`: receives `[n_states][18*n_sensors]`.
/// - `d`: receives `[6*(n_bodies+n_loads)+n_joints+n_slides][18*n_sensors]`.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, BAD_VALUE (a joint without coordinate
/// or slide), SINGULAR, CALLBACK, STOPPED, NO_CONVERGENCE (a load callback that depends on
/// accelerations), UNSUPPORTED (a disc that rolls), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_linearize_inputs(
    sys: *const pintle_system,
    n_bodies: i32,
    bodies: *const i32,
    n_loads: i32,
    load_markers: *const i32,
    n_joints: i32,
    joints: *const i32,
    n_slides: i32,
    slides: *const i32,
    n_sensors: i32,
    sensor_markers: *const i32,
    n_states: i32,
    a: *mut f64,
    b: *mut f64,
    c: *mut f64,
    d: *mut f64,
) -> i32 {
    with_system("pintle_linearize_inputs", sys, |system| {
        let counts = columns([n_bodies, n_loads, n_sensors]).saturating_add(columns([n_joints, n_slides, 0]));
        let _room = room(Memory::of(system).working(Work::Matrices { columns: counts }))?;
        let bodies = ids(("n_bodies", n_bodies), "bodies", bodies)?;
        let markers = ids(("n_loads", n_loads), "load_markers", load_markers)?;
        let joints = ids(("n_joints", n_joints), "joints", joints)?;
        let slides = ids(("n_slides", n_slides), "slides", slides)?;
        let sensors = ids(("n_sensors", n_sensors), "sensor_markers", sensor_markers)?;
        let states = length("n_states", (n_states, states(system)?, "states"))?;
        let inputs = 6 * (bodies.len() + markers.len()) + joints.len() + slides.len();
        let rows = 18 * sensors.len();
        let (a, b) = (array_output("a", states * states, a)?, array_output("b", states * inputs, b)?);
        let (c, d) = (array_output("c", rows * states, c)?, array_output("d", rows * inputs, d)?);
        let inputs = LinearInputs { bodies: &bodies, markers: &markers, joints: &joints, slides: &slides };
        let linear = system.analysis().linearize_inputs(&inputs, &sensors)?;
        a.write(&linear.a)?;
        b.write(&linear.b)?;
        c.write(&linear.c)?;
        d.write(&linear.d)
    })
}
