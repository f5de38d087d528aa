//! Friction, brakes and stops on coordinates of joints.

use super::arguments::flag;
use super::boundary::{on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut};
use crate::{FrictionLoad, JointMachines, Memory, set_joint_friction_load};

/// Sets stops at both ends of the range of a joint's coordinate, in place of those before. A step
/// ends where a stop closes or opens, and the scheme starts anew there.
///
/// With delta the indentation, the force is stiffness delta + damping d delta/dt until it is zero
/// (PINTLE_STOP_SPRING); stiffness delta (1 + chi d delta/dt) with the chi that gives the
/// restitution at the speed of closing (PINTLE_STOP_RESTITUTION); or velocities jump, with Newton's
/// restitution, and stiffness carries what rests, or more than it where a force would move that by
/// more than 1e-6 model lengths or rad (PINTLE_STOP_IMPULSE). Nothing bounces below option
/// "rest_speed". Only generalized-alpha, momentum-alpha, newmark and hht locate such events.
///
/// In READY the stops act from the accepted time on: what is beyond them is pressed in, and hits
/// PINTLE_STOP_IMPULSE if it moves on.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `lower`, `upper`: bounds of the coordinate; -INFINITY and INFINITY for none.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: force / length, or moment / angle, > 0.
/// - `damping`: force / velocity, or moment / angular velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (lower above upper; a
/// law, a stiffness or a restitution out of range; a joint without coordinate, in READY one without
/// friction, brake and stop), OUT_OF_MEMORY. pintle_initialize and steps refuse schemes that do not
/// locate events (UNSUPPORTED).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_stop(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    lower: f64,
    upper: f64,
    law: i32,
    stiffness: f64,
    damping: f64,
    restitution: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_stop", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let _room = room(Memory::of(system).change())?;
        system.build().set_joint_stop(of, [lower, upper], law, [stiffness, damping, restitution])
    })
}

/// The stops of a joint, as set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `lower`, `upper`, `law`, `stiffness`, `damping`, `restitution`: receive the values of
///   pintle_set_joint_stop; infinite bounds and zeros unless set; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_stop(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    lower: *mut f64,
    upper: *mut f64,
    law: *mut i32,
    stiffness: *mut f64,
    damping: *mut f64,
    restitution: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_stop", "joint", joint), sys, |system| {
        let (bounds, number, numbers) = JointMachines::of(system).stop(joint, flag("slide", slide)?)?;
        for (pointer, value) in [lower, upper].into_iter().zip(bounds) {
            optional_output(pointer).write(value)?;
        }
        optional_output(law).write(number)?;
        for (pointer, value) in [stiffness, damping, restitution].into_iter().zip(numbers) {
            optional_output(pointer).write(value)?;
        }
        Ok::<_, crate::Error>(())
    })
}

/// Sets dry friction and drag on a joint's coordinate, in place of those before. While the joint
/// slips, kinetic + viscous |qd| + quadratic qd^2 acts against its rate qd. It sticks where qd
/// comes to zero and a force up to holding balances the others; it holds without creeping, by a
/// spring that begins with just that force. Steps end where it sticks and slips, as with stops. In
/// READY it acts from the accepted time on.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `kinetic`: force, or moment, while it slips, >= 0.
/// - `holding`: largest force, or moment, while it sticks, >= kinetic.
/// - `viscous`: force / velocity, or moment / angular velocity, >= 0.
/// - `quadratic`: force / velocity^2, or moment / angular velocity^2, >= 0.
/// - `slip`: displacement while it sticks with the largest force, >= 0; 0 is 1e-6 of the model's
///   length, or rad.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; holding
/// below kinetic; a joint without coordinate, in READY one without friction, brake and stop),
/// OUT_OF_MEMORY. pintle_initialize and steps refuse schemes that do not locate events
/// (UNSUPPORTED). On a driven coordinate friction adds to the reaction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_friction(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    kinetic: f64,
    holding: f64,
    viscous: f64,
    quadratic: f64,
    slip: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_friction", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let _room = room(Memory::of(system).change())?;
        system.build().set_joint_friction(of, [kinetic, holding, viscous, quadratic, slip])
    })
}

/// The friction of a joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `kinetic`, `holding`, `viscous`, `quadratic`, `slip`: receive the values of
///   pintle_set_joint_friction; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_friction(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    kinetic: *mut f64,
    holding: *mut f64,
    viscous: *mut f64,
    quadratic: *mut f64,
    slip: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_friction", "joint", joint), sys, |system| {
        let numbers = JointMachines::of(system).friction(joint, flag("slide", slide)?)?;
        for (pointer, value) in [kinetic, holding, viscous, quadratic, slip].into_iter().zip(numbers) {
            optional_output(pointer).write(value)?;
        }
        Ok::<_, crate::Error>(())
    })
}

/// Sets what the reaction of a joint adds to its friction, as of a yaw bearing or a sliding
/// bearing: with F and M its force and moment on body b at the origin of frame b, and z the axis of
/// the joint, axial max(0, F_z) + radial |F_xy| + bending |M_xy| is added to kinetic of
/// pintle_set_joint_friction, and static_ratio times that to holding. A negative axial counts force
/// against z, -axial max(0, -F_z). The reaction is that of the same time. What sticks is held by a
/// spring of 1e4 times the mass over the square of a step's time.
///
/// Where friction grows with the reaction that it causes, steps converge as long as it adds less
/// than it is: a joint that jams by its own friction ends in NO_CONVERGENCE.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `axial`: moment / force = length, of an angle; 0 of a displacement.
/// - `radial`: length of an angle, coefficient of friction of a displacement, >= 0.
/// - `bending`: coefficient of an angle, 1 / length of a displacement, >= 0.
/// - `static_ratio`: what holds over what slips, >= 1.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (out of range; a joint
/// without coordinate, in READY one without friction, brake and stop), UNSUPPORTED (in READY and at
/// pintle_initialize: a joint in a loop with redundant constraints, whose reactions are not
/// unique), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_friction_load(
    sys: *mut pintle_system,
    joint: i32,
    slide: i32,
    axial: f64,
    radial: f64,
    bending: f64,
    static_ratio: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_friction_load", "joint", joint), sys, |system| {
        let of = (joint, flag("slide", slide)?);
        let _room = room(Memory::of(system).change())?;
        set_joint_friction_load(system, of, FrictionLoad { axial, radial, bending, static_ratio })
    })
}

/// What the reaction of a joint adds to its friction, as set; zeros and a static_ratio of 1 unless
/// set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `axial`, `radial`, `bending`, `static_ratio`: receive the values of
///   pintle_set_joint_friction_load; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_friction_load(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    axial: *mut f64,
    radial: *mut f64,
    bending: *mut f64,
    static_ratio: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_friction_load", "joint", joint), sys, |system| {
        let load = JointMachines::of(system).friction_load(joint, flag("slide", slide)?)?;
        let numbers = [load.axial, load.radial, load.bending, load.static_ratio];
        let outputs = [axial, radial, bending, static_ratio];
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// Sets the capacity of the brake on a joint: it adds to kinetic and to holding of its friction,
/// from the accepted time on. A joint without friction gets its brake in phase BUILDING, where 0 is
/// enough. INFINITY locks the joint where it is: what moves stops by an impulse, which
/// pintle_get_event tells, and a stiff spring holds it, which a force moves by 1e-6 of its way in a
/// step.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `capacity`: force, or moment, >= 0; 0 is off, INFINITY locks.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a
/// joint without coordinate; in READY and TRIAL one without friction and brake).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_brake(sys: *mut pintle_system, joint: i32, slide: i32, capacity: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_brake", "joint", joint), sys, |system| {
        system.inputs().set_joint_brake(joint, flag("slide", slide)?, capacity)
    })
}

/// The capacity of the brake on a joint, as set; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `capacity`: receives the value of pintle_set_joint_brake.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_brake(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    capacity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_brake", "joint", joint), sys, |system| {
        let output = scalar_output("capacity", capacity)?;
        output.write(JointMachines::of(system).brake(joint, flag("slide", slide)?)?)
    })
}

/// What friction and stops on a joint do at present: of the trial if one is pending, else of the
/// accepted state. All zero for a joint without them.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `mode`: receives 1 where friction holds the joint, 2 where it is at a stop, 4 where it is
///   broken (pintle_break_joint), 0 where it slips or is free; may be NULL.
/// - `friction`: receives force or moment of friction and brake on b; may be NULL.
/// - `stop_force`: receives that of the stops; may be NULL.
/// - `limit`: receives the largest force or moment that friction and brake hold; may be NULL.
/// - `dissipated`: receives the work that friction and brake have taken while slipping, without
///   drag; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_machine(
    sys: *const pintle_system,
    joint: i32,
    slide: i32,
    mode: *mut i32,
    friction: *mut f64,
    stop_force: *mut f64,
    limit: *mut f64,
    dissipated: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_machine", "joint", joint), sys, |system| {
        let found = JointMachines::of(system).output(joint, flag("slide", slide)?)?;
        optional_output(mode).write(found.mode)?;
        let numbers = [found.friction, found.stop, found.limit, found.dissipated];
        for (pointer, value) in [friction, stop_force, limit, dissipated].into_iter().zip(numbers) {
            optional_output(pointer).write(value)?;
        }
        Ok::<_, crate::Error>(())
    })
}
