//! Analyses of a state: equilibrium, coordinates, matrices, linearisation, modes, load compliance.

use std::ffi::c_char;

use super::boundary::{array_output, ids, inputs, length, on, output, outputs, pintle_system, scalar_output};
use super::boundary::{room, size, text_output, with_system, with_system_mut, without_system};
use crate::spatial::convert;
use crate::{EntityKind, Memory, Simulation, Work};

/// Moves the accepted state to a static equilibrium under the present loads at constant time, by
/// Newton's method with line search, and with artificial inertia where needed. Velocities become
/// zero, multipliers and accelerations those of the equilibrium; imposed motions stop at their
/// accepted positions, until others are given. The next step starts anew. Bodies without stiffness
/// and without force keep their positions. A state in equilibrium is kept, whether stable or not.
/// Lines have their shapes at rest, under the current, without friction and fluid callback; their
/// stick points are then at their nodes. Where lines have bending stiffness and no equilibrium is
/// found from the accepted state, one without bending stiffness is, and then the stiffness grows to
/// the whole. The search ends with NO_CONVERGENCE after `max_iterations`, or if a body or point has
/// moved by a million lengths of the model. That length is the longest arm from a body to one of
/// its joints, or to a force element (of its two ends the shorter), the largest distance of a
/// DISTANCE joint, or the size of a body by its moments of inertia, whichever is longest; in models
/// of points alone the distance between them.
///
/// - `sys`: the system.
/// - `max_iterations`: most Newton steps, > 0. Where lines have bending stiffness it bounds each of
///   up to three searches; while that stiffness grows there are at most a thousand more steps.
/// - `tolerance`: largest residual force that counts as zero, relative to the largest of weights,
///   initial reactions and the first residual force; between 0 and 1, such as 1e-9.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_VALUE, NOT_FINITE, NO_CONVERGENCE (the message names the
/// body or point that keeps moving, or the line without a shape at rest, and its node, and the part
/// of the bending stiffness up to which there is an equilibrium), SINGULAR, CALLBACK, UNSTABLE,
/// STOPPED, UNSUPPORTED (stops or contacts that close and open in turn); then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_solve_equilibrium(sys: *mut pintle_system, max_iterations: i32, tolerance: f64) -> i32 {
    with_system_mut("pintle_solve_equilibrium", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        system.solve_equilibrium(max_iterations, tolerance).map(|_| ())
    })
}

/// The coordinates of all bodies, as arguments of pintle_set_coordinates and
/// pintle_eval_accelerations. Velocities of a run by generalized-alpha, newmark or hht violate the
/// joints by the error of the scheme; pintle_set_coordinates accepts them with option "assemble" =
/// 1.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: receives `[n][7]`, x y z in I, then qw qx qy qz.
/// - `velocities`: receives `[n][6]`, linear, then angular, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_coordinates(
    sys: *const pintle_system,
    n: i32,
    poses: *mut f64,
    velocities: *mut f64,
) -> i32 {
    with_system("pintle_get_coordinates", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Copy))?;
        let count = (n, system.description().count(EntityKind::Body), "bodies");
        let poses = array_output("poses", length("n", count)? * 7, poses)?;
        let velocities = array_output("velocities", length("n", count)? * 6, velocities)?;
        let (mut x, mut v) = (vec![[0.0; 7]; n as usize], vec![[0.0; 6]; n as usize]);
        system.outputs().body_poses(&mut x)?;
        system.outputs().body_velocities(&mut v)?;
        poses.write(x.as_flattened())?;
        velocities.write(v.as_flattened())
    })
}

/// Makes given coordinates the accepted state at constant time; accelerations and multipliers
/// follow from the present loads, and the next step starts anew. Entries of prescribed bodies are
/// not used: they keep their motion, and so do points, except attached ones, which move with their
/// bodies. Nodes of lines move in proportion to the ends; a line with an end that moves by more
/// than half a segment gets a new shape at rest between its ends.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: `[n][7]`, x y z in I, then qw qx qy qz of unit norm.
/// - `velocities`: `[n][6]`, linear, then angular, in I.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (quaternion),
/// INCONSISTENT_STATE (names the joint that is violated; with option "assemble" = 1 the coordinates
/// are projected instead), REDUNDANT_CONSTRAINTS (joints contradict each other), SINGULAR,
/// CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations; a line without a shape
/// at rest), UNSTABLE (numbers too large for a double), STOPPED; then nothing is changed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_coordinates(
    sys: *mut pintle_system,
    n: i32,
    poses: *const f64,
    velocities: *const f64,
) -> i32 {
    with_system_mut("pintle_set_coordinates", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let count = (n, system.description().count(EntityKind::Body), "bodies");
        let poses = inputs::<7>("poses", count, poses)?.to_vec();
        let velocities = inputs::<6>("velocities", count, velocities)?.to_vec();
        system.inputs().set_coordinates(&poses, &velocities)
    })
}

/// The accelerations that bodies would have at given coordinates, under the present loads, at the
/// present time: `M vdot = f - g - B^T lambda`, `B vdot = -gamma`. Changes nothing. Prescribed
/// bodies and points keep their motion.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: `[n][7]`, x y z in I, then qw qx qy qz of unit norm.
/// - `velocities`: `[n][6]`, linear, then angular, in I.
/// - `accelerations`: receives `[n][6]`, linear, then angular, in I.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (quaternion),
/// SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations), UNSTABLE
/// (numbers too large for a double), STOPPED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_eval_accelerations(
    sys: *const pintle_system,
    n: i32,
    poses: *const f64,
    velocities: *const f64,
    accelerations: *mut f64,
) -> i32 {
    with_system("pintle_eval_accelerations", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let count = (n, system.description().count(EntityKind::Body), "bodies");
        let poses = inputs::<7>("poses", count, poses)?.to_vec();
        let velocities = inputs::<6>("velocities", count, velocities)?.to_vec();
        let accelerations = outputs::<6>("accelerations", count, accelerations)?;
        accelerations.copy_from_slice(&system.analysis().eval_accelerations(&poses, &velocities)?);
        Ok::<_, crate::Error>(())
    })
}

/// Moves poses by increments: x + u, exp(theta) R, rotation vectors in I.
///
/// - `n`: how many.
/// - `poses`: `[n][7]`, x y z, then qw qx qy qz of unit norm.
/// - `increments`: `[n][6]`, u, then theta (rad), in I.
/// - `moved`: receives `[n][7]`; may be `poses`.
///
/// Errors: BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (quaternion), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_retract(n: i32, poses: *const f64, increments: *const f64, moved: *mut f64) -> i32 {
    without_system("pintle_retract", || {
        let _room = room(rows(n))?;
        let poses = inputs::<7>("poses", (n, n, "poses"), poses)?.to_vec();
        let increments = inputs::<6>("increments", (n, n, "poses"), increments)?.to_vec();
        let moved = array_output("moved", poses.len() * 7, moved)?;
        moved.write(convert::retract(&poses, &increments)?.as_flattened())
    })
}

/// The increments between poses, so that pintle_retract moves the first to the second; |theta| <=
/// pi.
///
/// - `n`: how many.
/// - `from`, `to`: `[n][7]`, x y z, then qw qx qy qz of unit norm.
/// - `increments`: receives `[n][6]`, u, then theta (rad), in I.
///
/// Errors: BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (quaternion), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_difference(n: i32, from: *const f64, to: *const f64, increments: *mut f64) -> i32 {
    without_system("pintle_difference", || {
        let _room = room(rows(n))?;
        let from = inputs::<7>("from", (n, n, "poses"), from)?.to_vec();
        let to = inputs::<7>("to", (n, n, "poses"), to)?.to_vec();
        let increments = array_output("increments", from.len() * 6, increments)?;
        increments.write(convert::difference(&from, &to)?.as_flattened())
    })
}

/// The mass matrix in I, added mass and the mass of coupled load callbacks included: 6 x 6 blocks
/// of the bodies in the order of their ids, then 3 x 3 blocks of the points, then of the nodes of
/// lines. Rows and columns of bodies and points that are prescribed, and of points that are fixed
/// or attached to a body, are zero, and so are those of ends of lines that are tied.
///
/// - `sys`: the system.
/// - `n`: 6 times the number of bodies and 3 times the number of points and nodes of lines
///   (statistic "dofs").
/// - `mass`: receives `[n][n]`, column-major.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), CALLBACK, UNSTABLE (numbers too large for
/// a double), STOPPED.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_mass_matrix(sys: *const pintle_system, n: i32, mass: *mut f64) -> i32 {
    with_system("pintle_get_mass_matrix", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Matrices { columns: 0 }))?;
        let rows = length("n", (n, dofs(system), "dofs"))?;
        let mass = array_output("mass", rows * rows, mass)?;
        mass.write(&system.analysis().mass_matrix()?)
    })
}

/// The constraint Jacobian B: `B v` are the rates of the independent constraints for the velocities
/// v of all bodies (linear, then angular, in I) and then of all points, whose columns are zero.
///
/// - `sys`: the system.
/// - `m`: the number of independent constraints (statistic "constraints").
/// - `n`: 6 times the number of bodies and 3 times the number of points and nodes of lines
///   (statistic "dofs").
/// - `jacobian`: receives `[n][m]`, column-major.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (m, n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_constraint_jacobian(
    sys: *const pintle_system,
    m: i32,
    n: i32,
    jacobian: *mut f64,
) -> i32 {
    with_system("pintle_get_constraint_jacobian", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Matrices { columns: 0 }))?;
        let rows = length("m", (m, system.outputs().statistic("constraints")? as i32, "independent constraints"))?;
        let columns = length("n", (n, dofs(system), "dofs"))?;
        let jacobian = array_output("jacobian", rows * columns, jacobian)?;
        jacobian.write(&system.analysis().constraint_jacobian()?)
    })
}

/// Linearises about the present state, constraints eliminated: xdot = A x + B u, y = C x + D u for
/// deviations x, u, y from the motion through it. With f = mobility, the first f states are
/// independent displacements of bodies and points (translations, or rotation vectors, in I), the
/// others the changes of the same components of the velocities; pintle_get_state_name says which.
/// Inputs are wrenches in I, outputs motions of markers in I. The matrices are exact at moving
/// states too; eigenvalues of A are natural modes where it stays the same (an equilibrium, a steady
/// spin).
///
/// - `sys`: the system.
/// - `n_bodies`: how many bodies carry inputs.
/// - `bodies`: `[n_bodies]` ids of bodies whose loads (about the reference point) are inputs, 6
///   each.
/// - `n_loads`: how many markers carry inputs.
/// - `load_markers`: `[n_loads]` ids of markers whose loads are the inputs after these, 6 each.
/// - `n_sensors`: how many markers give outputs.
/// - `sensor_markers`: `[n_sensors]` ids of markers whose motions are outputs, 18 each:
///   displacement and rotation vector, velocity, acceleration.
/// - `n_states`: 2 x mobility (statistic "mobility").
/// - `a`: receives `[n_states][n_states]`, like the others column-major, each `[column][row]`.
/// - `b`: receives `[6*(n_bodies+n_loads)][n_states]`.
/// - `c`: receives `[n_states][18*n_sensors]`.
/// - `d`: receives `[6*(n_bodies+n_loads)][18*n_sensors]`.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, SINGULAR, CALLBACK, STOPPED,
/// NO_CONVERGENCE (a load callback that depends on accelerations), UNSUPPORTED (a disc that rolls),
/// UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_linearize(
    sys: *const pintle_system,
    n_bodies: i32,
    bodies: *const i32,
    n_loads: i32,
    load_markers: *const i32,
    n_sensors: i32,
    sensor_markers: *const i32,
    n_states: i32,
    a: *mut f64,
    b: *mut f64,
    c: *mut f64,
    d: *mut f64,
) -> i32 {
    with_system("pintle_linearize", sys, |system| {
        let _room =
            room(Memory::of(system).working(Work::Matrices { columns: columns([n_bodies, n_loads, n_sensors]) }))?;
        let bodies = ids(("n_bodies", n_bodies), "bodies", bodies)?;
        let loads = ids(("n_loads", n_loads), "load_markers", load_markers)?;
        let sensors = ids(("n_sensors", n_sensors), "sensor_markers", sensor_markers)?;
        let states = length("n_states", (n_states, states(system)?, "states"))?;
        let (inputs, rows) = (6 * (bodies.len() + loads.len()), 18 * sensors.len());
        let (a, b) = (array_output("a", states * states, a)?, array_output("b", states * inputs, b)?);
        let (c, d) = (array_output("c", rows * states, c)?, array_output("d", rows * inputs, d)?);
        let linear = system.analysis().linearize(&bodies, &loads, &sensors)?;
        a.write(&linear.a)?;
        b.write(&linear.b)?;
        c.write(&linear.c)?;
        d.write(&linear.d)
    })
}

/// The meaning of a state of pintle_linearize at the present state of the system, such as
/// `body 0 "hull": rotation z`.
///
/// - `sys`: the system.
/// - `state`: index from 0.
/// - `cap`, `buf`, `len`: text out, see above.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (state), BAD_SIZE (cap < 0),
/// BUFFER_TOO_SMALL, SINGULAR.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_state_name(
    sys: *const pintle_system,
    state: i32,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system(on("pintle_get_state_name", "state", state), sys, |system| {
        let _room = room(Memory::of(system).working(Work::Matrices { columns: 0 }))?;
        let text = text_output(cap, buf, len)?;
        text.write(&system.analysis().state_name(state)?)
    })
}

/// Natural modes exp(s t) of the present state: eigenvalues of the matrix of pintle_linearize with
/// Im s >= 0, slowest first. A pair of conjugate roots is one mode, a real root is one by itself;
/// each motion without stiffness is one of frequency 0. They are those of an equilibrium only where
/// the system is at rest in one: `motion` says how far from it the state is.
///
/// - `sys`: the system.
/// - `n`: room for modes: 2 x mobility (statistic "mobility").
/// - `count`: receives how many there are.
/// - `frequencies`: receives `[n]` undamped natural frequencies |s|/(2 pi), in Hz if time is in s;
///   0 past `count`.
/// - `damping_ratios`: receives `[n]` ratios -Re s/|s|; 1 for a real root that decays, -1 for one
///   that grows.
/// - `n_bodies`: the number of bodies.
/// - `shapes`: receives `[n][n_bodies][12]`: displacement and rotation of each body in I, real
///   parts, then imaginary parts; the largest component of a mode, those of points included (which
///   are not returned), is 1.
/// - `motion[2]`: receives the largest velocity and the largest acceleration of a body or a point
///   (rotations times the model's length): both 0 at an equilibrium.
///
/// Option "rotating_modes" 1: of a model that turns they are modes about steady turning, in axes
/// that turn along; `motion` is that in these axes, 0.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n, n_bodies), BAD_VALUE (option
/// "rotating_modes" where gravity, loads or supports do not turn with the model), SINGULAR,
/// CALLBACK, NO_CONVERGENCE, STOPPED, UNSUPPORTED (a disc that rolls), UNSTABLE (numbers too large
/// for a double).
/// cbindgen:ptrs-as-arrays=[[motion;2]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_modes(
    sys: *const pintle_system,
    n: i32,
    count: *mut i32,
    frequencies: *mut f64,
    damping_ratios: *mut f64,
    n_bodies: i32,
    shapes: *mut f64,
    motion: *mut f64,
) -> i32 {
    with_system("pintle_get_modes", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Modes))?;
        let room = length("n", (n, states(system)?, "states"))?;
        let bodies = length("n_bodies", (n_bodies, system.description().count(EntityKind::Body), "bodies"))?;
        let (count, motion) = (scalar_output("count", count)?, output::<2>("motion", motion)?);
        let frequencies = array_output("frequencies", room, frequencies)?;
        let ratios = array_output("damping_ratios", room, damping_ratios)?;
        let shapes = array_output("shapes", room * bodies * 12, shapes)?;
        let (modes, present) = system.analysis().modes()?;
        let filled = |of: fn(&crate::Mode) -> f64| {
            let mut all: Vec<f64> = modes.iter().map(of).collect();
            all.resize(room, 0.0);
            all
        };
        frequencies.write(&filled(|mode| mode.frequency))?;
        ratios.write(&filled(|mode| mode.damping_ratio))?;
        let mut all: Vec<f64> = modes.iter().flat_map(|mode| mode.shape.as_flattened()).copied().collect();
        all.resize(room * bodies * 12, 0.0);
        shapes.write(&all)?;
        count.write(modes.len() as i32)?;
        motion.write(present)
    })
}

/// How the motions of markers at the end of a step answer to wrenches there: the interface Jacobian
/// of an implicit coupling, from the iteration matrix of the scheme. Where the added mass of a
/// fluid exceeds the body's, exchanging loads and motions diverges; a host that knows
/// d(motion)/d(load) corrects its loads by Newton's method and needs two or three exchanges.
///
/// In phase TRIAL the derivatives are those of the end of the step tried from the accepted state,
/// whose length `dt` must be; in READY those about the accepted state. They hold for steps that go
/// on: at the first step after a start or a discontinuity loads act on the start values too; where
/// the length of the step changes they are good to a hundredth.
///
/// - `sys`: the system.
/// - `n_markers`: how many markers, k.
/// - `markers`: `[n_markers]` ids.
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `n`: size of `out`: 3 x 6k x 6k.
/// - `out`: receives `[n]`: three 6k x 6k matrices, each column-major: d(acceleration),
///   d(velocity), d(displacement and rotation vector) of the markers (rows) over their wrenches
///   (columns: force, moment about the marker), all in I.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt), SINGULAR,
/// CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration matrix: all but generalized-alpha,
/// momentum-alpha, newmark, hht, and these with "linear" = 1), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_load_compliance(
    sys: *const pintle_system,
    n_markers: i32,
    markers: *const i32,
    dt: f64,
    n: i32,
    out: *mut f64,
) -> i32 {
    with_system("pintle_get_load_compliance", sys, |system| {
        let length = length("n", (n, squares(("n_markers", n_markers), 108)?, "numbers: 3 x 6k x 6k"))?;
        let _room = room(Memory::of(system).working(Work::Solutions { columns: columns([n_markers, 0, 0]) / 3 }))?;
        let markers = ids(("n_markers", n_markers), "markers", markers)?;
        let out = array_output("out", length, out)?;
        out.write(&system.analysis().load_compliance(&markers, dt)?.concat())
    })
}

/// `each` numbers for each pair of `n` entities; saturates, at a size that no array has, on
/// overflow.
pub(super) fn squares((name, n): (&'static str, i32), each: i32) -> crate::Result<i32> {
    size(name, n.into())?;
    Ok(each.saturating_mul(n.saturating_mul(n)))
}

/// Bytes that calls without a system need for `n` rows.
fn rows(n: i32) -> usize {
    usize::try_from(n).unwrap_or(0).saturating_mul(512)
}

/// The largest number of columns for bodies and markers in matrices.
pub(super) fn columns(counts: [i32; 3]) -> usize {
    counts.iter().map(|n| 18 * usize::try_from(*n).unwrap_or(0)).sum()
}

/// 6 per body, 3 per point and node of a line.
fn dofs(system: &Simulation) -> i32 {
    i32::try_from(system.outputs().dofs()).unwrap_or(i32::MAX)
}

/// Number of states: twice the mobility.
pub(super) fn states(system: &Simulation) -> crate::Result<i32> {
    Ok(2 * system.outputs().statistic("mobility")? as i32)
}
