//! Points: masses without rotation, places fixed in space or on a body, and springs between them.

use super::boundary::{
    flag, input, on, optional_output, output, outputs, pintle_system, room, scalar_output, with_system, with_system_mut,
};
use crate::{Memory, Work};

use crate::model::{EntityKind, GROUND};

/// Adds a point: a mass without rotation, free to move until it is fixed, attached or prescribed.
///
/// - `sys`: the system.
/// - `mass`: >= 0; not zero for a point that stays free.
/// - `volume`: >= 0; its buoyancy counts once there is a fluid.
/// - `position[3]`: initial position in I.
/// - `point`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[position;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_point(
    sys: *mut pintle_system,
    mass: f64,
    volume: f64,
    position: *const f64,
    point: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_point", sys, |system| {
        let position = input::<3>("position", position)?;
        let point = scalar_output("point", point)?;
        point.write(system.build().add_point(mass, volume, &position)?)
    })
}

/// Fixes a point at its position; an initial velocity is removed.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (fixed, attached or prescribed already).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_fix_point(sys: *mut pintle_system, point: i32) -> i32 {
    with_system_mut(on("pintle_fix_point", "point", point), sys, |system| system.build().fix_point(point))
}

/// Attaches a point to a body, with which it moves; springs on it, and its load, act on the body
/// there, as do its drag and added mass (pintle_set_point_drag). Mass and buoyancy of an attached
/// point are ignored: the body has its own; an initial velocity is removed.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
/// - `body`: id.
/// - `position[3]`: where on the body, in body axes.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (fixed, attached or
/// prescribed already).
/// cbindgen:ptrs-as-arrays=[[position;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_attach_point(
    sys: *mut pintle_system,
    point: i32,
    body: i32,
    position: *const f64,
) -> i32 {
    with_system_mut(on("pintle_attach_point", "point", point), sys, |system| {
        let position = input::<3>("position", position)?;
        system.build().attach_point(point, body, &position)
    })
}

/// Says whether the host imposes the motion of a point (pintle_set_point_motion), which is held
/// like that of a prescribed body; with 0 a motion that was set is removed.
///
/// - `sys`: the system.
/// - `point`: id of a point that is neither fixed nor attached.
/// - `prescribed`: 1 or 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (prescribed; a fixed or attached point).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_prescribed(sys: *mut pintle_system, point: i32, prescribed: i32) -> i32 {
    with_system_mut(on("pintle_set_point_prescribed", "point", point), sys, |system| {
        system.build().set_point_prescribed(point, flag("prescribed", prescribed)?)
    })
}

/// Sets the initial velocity of a point.
///
/// - `sys`: the system.
/// - `point`: id of a point that is neither fixed nor attached.
/// - `velocity[3]`: in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a fixed or attached point).
/// cbindgen:ptrs-as-arrays=[[velocity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_velocity(sys: *mut pintle_system, point: i32, velocity: *const f64) -> i32 {
    with_system_mut(on("pintle_set_point_velocity", "point", point), sys, |system| {
        let velocity = input::<3>("velocity", velocity)?;
        system.build().set_point_velocity(point, &velocity)
    })
}

/// Moves a free point at constant time, as pintle_set_coordinates moves bodies: accelerations
/// follow from the present loads, and the next step starts anew. Nodes of its lines move in
/// proportion; a line whose end moves by more than half a segment gets a new shape at rest.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
/// - `position[3]`, `velocity[3]`: in I.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a point that is not free),
/// SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations; a line
/// without a shape at rest), UNSTABLE (numbers too large for a double), STOPPED; then nothing is
/// changed.
/// cbindgen:ptrs-as-arrays=[[position;3], [velocity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_coordinates(
    sys: *mut pintle_system,
    point: i32,
    position: *const f64,
    velocity: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_point_coordinates", "point", point), sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let (position, velocity) = (input::<3>("position", position)?, input::<3>("velocity", velocity)?);
        system.inputs().set_point_coordinates(point, &position, &velocity)
    })
}

/// Sets the motion of a prescribed point at the END of the coming step (in BUILDING: at the start,
/// where it replaces the initial position and velocity). In between the motion is the quintic
/// polynomial with these values at both ends, as for pintle_set_body_motion, and jumps of the
/// velocity are treated as there.
///
/// - `sys`: the system.
/// - `point`: id of a prescribed point.
/// - `position[3]`, `velocity[3]`, `acceleration[3]`: in I; they should fit together.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a point that
/// is not prescribed; a position whose distance from the origin of the model overflows).
/// cbindgen:ptrs-as-arrays=[[position;3], [velocity;3], [acceleration;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_motion(
    sys: *mut pintle_system,
    point: i32,
    position: *const f64,
    velocity: *const f64,
    acceleration: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_point_motion", "point", point), sys, |system| {
        let (position, velocity) = (input::<3>("position", position)?, input::<3>("velocity", velocity)?);
        let acceleration = input::<3>("acceleration", acceleration)?;
        system.inputs().set_point_motion(point, &position, &velocity, &acceleration)
    })
}

/// Sets the force on a point, in place of the one before: at the initial time in BUILDING, later at
/// the END of the coming step. On an attached point it acts on the body there.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `force[3]`: in I.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[force;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_point_load(sys: *mut pintle_system, point: i32, force: *const f64) -> i32 {
    with_system_mut(on("pintle_set_point_load", "point", point), sys, |system| {
        let force = input::<3>("force", force)?;
        system.inputs().set_point_load(point, &force)
    })
}

/// The force on a point that is set (pintle_set_point_load).
///
/// - `sys`: the system.
/// - `point`: id.
/// - `force[3]`: receives it, in I.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[force;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_load(sys: *const pintle_system, point: i32, force: *mut f64) -> i32 {
    with_system(on("pintle_get_point_load", "point", point), sys, |system| {
        let force = output::<3>("force", force)?;
        force.write(system.given().point_load(point)?)
    })
}

/// Adds a spring with a damper between two points: as pintle_add_spring, and with an id among those
/// springs.
///
/// - `sys`: the system.
/// - `point_a`, `point_b`: ids of different points.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
/// - `tension_only`: 1 if it only pulls, like a rope; 0 if it also pushes.
/// - `spring`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_point_spring(
    sys: *mut pintle_system,
    point_a: i32,
    point_b: i32,
    stiffness: f64,
    damping: f64,
    rest_length: f64,
    tension_only: i32,
    spring: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_point_spring", "point", point_a), sys, |system| {
        let spring = scalar_output("spring", spring)?;
        let tension_only = flag("tension_only", tension_only)?;
        spring.write(system.elements().add_point_spring(
            point_a,
            point_b,
            stiffness,
            damping,
            rest_length,
            tension_only,
        )?)
    })
}

/// The position of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `position[3]`: receives it, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID, UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[position;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_position(sys: *const pintle_system, point: i32, position: *mut f64) -> i32 {
    with_system(on("pintle_get_point_position", "point", point), sys, |system| {
        let position = output::<3>("position", position)?;
        position.write(system.points().position(point)?)
    })
}

/// The velocity of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `velocity[3]`: receives it, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID, UNSTABLE (numbers too
/// large for a double).
/// cbindgen:ptrs-as-arrays=[[velocity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_velocity(sys: *const pintle_system, point: i32, velocity: *mut f64) -> i32 {
    with_system(on("pintle_get_point_velocity", "point", point), sys, |system| {
        let velocity = output::<3>("velocity", velocity)?;
        velocity.write(system.points().velocity(point)?)
    })
}

/// The acceleration of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `acceleration[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
/// cbindgen:ptrs-as-arrays=[[acceleration;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_acceleration(
    sys: *const pintle_system,
    point: i32,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_point_acceleration", "point", point), sys, |system| {
        let acceleration = output::<3>("acceleration", acceleration)?;
        acceleration.write(system.points().acceleration(point)?)
    })
}

/// The positions of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `positions`: receives `[n][3]`, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_SIZE (n), UNSTABLE (numbers
/// too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_positions(sys: *const pintle_system, n: i32, positions: *mut f64) -> i32 {
    with_system("pintle_get_point_positions", sys, |system| {
        let positions =
            outputs::<3>("positions", (n, system.description().count(EntityKind::Point), "points"), positions)?;
        system.points().positions(positions)
    })
}

/// The velocities of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `velocities`: receives `[n][3]`, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_SIZE (n), UNSTABLE (numbers
/// too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_velocities(sys: *const pintle_system, n: i32, velocities: *mut f64) -> i32 {
    with_system("pintle_get_point_velocities", sys, |system| {
        let velocities =
            outputs::<3>("velocities", (n, system.description().count(EntityKind::Point), "points"), velocities)?;
        system.points().velocities(velocities)
    })
}

/// The accelerations of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `accelerations`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_accelerations(
    sys: *const pintle_system,
    n: i32,
    accelerations: *mut f64,
) -> i32 {
    with_system("pintle_get_point_accelerations", sys, |system| {
        let count = (n, system.description().count(EntityKind::Point), "points");
        let accelerations = outputs::<3>("accelerations", count, accelerations)?;
        system.points().accelerations(accelerations)
    })
}

/// The reaction of a fixed or prescribed point: the force that must be applied for its imposed
/// motion, in addition to gravity, springs and its load.
///
/// - `sys`: the system.
/// - `point`: id of a fixed or prescribed point.
/// - `force[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a free or attached point),
/// UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[force;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_reaction(sys: *const pintle_system, point: i32, force: *mut f64) -> i32 {
    with_system(on("pintle_get_point_reaction", "point", point), sys, |system| {
        let force = output::<3>("force", force)?;
        force.write(system.points().reaction(point)?)
    })
}

/// A point as it was described.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `mass`: receives the mass; may be NULL.
/// - `volume`: receives the volume; may be NULL.
/// - `body`: receives the id of the body that it is attached to, PINTLE_GROUND for none; may be
///   NULL.
/// - `position[3]`: receives the initial position in I, of an attached point its place in body
///   axes; may be NULL.
/// - `fixed`: receives 1 for a fixed point, else 0; may be NULL.
/// - `prescribed`: receives 1 for a prescribed point, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[position;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_info(
    sys: *const pintle_system,
    point: i32,
    mass: *mut f64,
    volume: *mut f64,
    body: *mut i32,
    position: *mut f64,
    fixed: *mut i32,
    prescribed: *mut i32,
) -> i32 {
    with_system(on("pintle_get_point_info", "point", point), sys, |system| {
        let (mass, volume, body) = (optional_output(mass), optional_output(volume), optional_output(body));
        let position = optional_output(position.cast());
        let (fixed, prescribed) = (optional_output(fixed), optional_output(prescribed));
        let info = system.description().point_info(point)?;
        mass.write(info.mass)?;
        volume.write(info.volume)?;
        body.write(info.body.unwrap_or(GROUND))?;
        position.write(info.position)?;
        fixed.write(i32::from(info.fixed))?;
        prescribed.write(i32::from(info.prescribed))
    })
}

/// The position and velocity with which a point was described, not the present ones.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `position[3]`: receives the initial position in I, of an attached point its place in body
///   axes; may be NULL.
/// - `velocity[3]`: receives the initial velocity in I (pintle_set_point_velocity), zero unless
///   set, and of fixed and attached points; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[position;3], [velocity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_initial_motion(
    sys: *const pintle_system,
    point: i32,
    position: *mut f64,
    velocity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_point_initial_motion", "point", point), sys, |system| {
        let (position, velocity) = (optional_output(position.cast()), optional_output(velocity.cast()));
        let [place, rate] = system.description().point_initial_motion(point)?;
        position.write(place)?;
        velocity.write(rate)
    })
}

/// The points at the ends of a spring (pintle_add_point_spring).
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `point_a`, `point_b`: receive the ids of the points, -1 for an end on a body or the ground;
///   may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_spring_points(
    sys: *const pintle_system,
    spring: i32,
    point_a: *mut i32,
    point_b: *mut i32,
) -> i32 {
    with_system(on("pintle_get_spring_points", "spring", spring), sys, |system| {
        let (point_a, point_b) = (optional_output(point_a), optional_output(point_b));
        let [a, b] = system.description().spring_points(spring)?;
        point_a.write(a.unwrap_or(GROUND))?;
        point_b.write(b.unwrap_or(GROUND))
    })
}

/// The motion that is set for a prescribed point (pintle_set_point_motion); if none was set, the
/// described one. Far from the origin it is returned with rounding, like that of a body.
///
/// - `sys`: the system.
/// - `point`: id of a prescribed point.
/// - `position[3]`, `velocity[3]`, `acceleration[3]`: receive it, in I; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a point that is not
/// prescribed), UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[position;3], [velocity;3], [acceleration;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_point_motion_input(
    sys: *const pintle_system,
    point: i32,
    position: *mut f64,
    velocity: *mut f64,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_point_motion_input", "point", point), sys, |system| {
        let (position, velocity) = (optional_output(position.cast()), optional_output(velocity.cast()));
        let acceleration = optional_output(acceleration.cast());
        let [x, v, a]: [[f64; 3]; 3] = system.given().point_motion(point)?;
        position.write(x)?;
        velocity.write(v)?;
        acceleration.write(a)
    })
}
