//! The model. Bodies, joints, markers.

use super::boundary::{between, flag, input, on, optional_input, pintle_system, room, scalar_output, with_system_mut};
use crate::{Frame, JointKind, Memory, set_joint_radius};

/// Sets the acceleration of gravity; 0 0 0 unless set. Before the first step of a run, while the
/// accepted state is at the initial time, accelerations, multipliers and all else that depends on
/// gravity are computed again, as if it had been set before pintle_initialize; positions,
/// velocities and inputs are unchanged. A state of the run that was saved before then belongs to
/// another model (FINGERPRINT). Later it acts from the accepted time on, and the scheme starts
/// anew; the change belongs to the state.
///
/// - `sys`: the system.
/// - `gravity[3]`: in I, length / time^2.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, NOT_FINITE; in a run also BAD_VALUE (with waves, not
/// along -z); before its first step also SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that
/// depends on accelerations), REDUNDANT_CONSTRAINTS (joints contradict each other),
/// INCONSISTENT_STATE, UNSTABLE (numbers too large for a double), STOPPED; then nothing is changed.
/// cbindgen:ptrs-as-arrays=[[gravity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_gravity(sys: *mut pintle_system, gravity: *const f64) -> i32 {
    with_system_mut("pintle_set_gravity", sys, |system| {
        let gravity = input::<3>("gravity", gravity)?;
        let _room = room(Memory::of(system).change())?;
        system.settings().set_gravity(&gravity)
    })
}

/// Adds a body with any 6x6 mass matrix.
///
/// - `sys`: the system.
/// - `mass[36]`: column-major, in body axes, about the reference point: `[m I, m~eta^T; m~eta, J]`;
///   symmetric, positive semi-definite.
/// - `pose[7]`: initial and reference pose.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass unsymmetric or not positive
/// semi-definite; quaternion not of unit norm within 1e-6).
/// cbindgen:ptrs-as-arrays=[[mass;36], [pose;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_body(
    sys: *mut pintle_system,
    mass: *const f64,
    pose: *const f64,
    body: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_body", sys, |system| {
        let (mass, pose) = (input::<36>("mass", mass)?, input::<7>("pose", pose)?);
        let body = scalar_output("body", body)?;
        body.write(system.build().add_body(&mass, &pose)?)
    })
}

/// Adds a rigid body from mass, centre of mass and inertia.
///
/// A point mass (inertia zero) may be joined so that its rotation is held: FIXED to a body with
/// inertia, PRISMATIC, driven. A body without mass may be driven in every direction, such as a
/// trolley that is driven along a rail and carries a pendulum: its drive then carries the pendulum.
/// Where there is no inertia in a direction that the joints leave free, pintle_initialize returns
/// PINTLE_ERR_SINGULAR, and the message names the body.
///
/// - `sys`: the system.
/// - `mass`: mass.
/// - `com[3]`: centre of mass from the reference point, in body axes.
/// - `inertia[6]`: xx yy zz xy xz yz (entries of the inertia tensor) about the centre of mass, in
///   body axes.
/// - `pose[7]`: initial and reference pose of the reference point.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass negative, inertia not positive
/// semi-definite or against the triangle inequality; quaternion not of unit norm).
/// cbindgen:ptrs-as-arrays=[[com;3], [inertia;6], [pose;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_rigid_body(
    sys: *mut pintle_system,
    mass: f64,
    com: *const f64,
    inertia: *const f64,
    pose: *const f64,
    body: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_rigid_body", sys, |system| {
        let (com, inertia) = (input::<3>("com", com)?, input::<6>("inertia", inertia)?);
        let pose = input::<7>("pose", pose)?;
        let body = scalar_output("body", body)?;
        body.write(system.build().add_rigid_body(mass, &com, &inertia, &pose)?)
    })
}

/// Sets mass, centre of mass and inertia of a body, in place of the former ones: ballast, fuel,
/// cargo.
///
/// In READY they act from the accepted time on, and the scheme starts anew; the change belongs to
/// the state. Velocities stay: what comes has the velocity that the body has at its place, and what
/// goes takes its momentum with it. Another momentum is a load, or a velocity set by
/// pintle_set_coordinates. Coefficients of the fluid and elements stay. Equal values change
/// nothing.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `mass`: mass.
/// - `com[3]`: centre of mass from the reference point, in body axes.
/// - `inertia[6]`: xx yy zz xy xz yz (entries of the inertia tensor) about the centre of mass, in
///   body axes.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (as of
/// pintle_add_rigid_body; with the added mass of the body not positive semi-definite).
/// cbindgen:ptrs-as-arrays=[[com;3], [inertia;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_mass(
    sys: *mut pintle_system,
    body: i32,
    mass: f64,
    com: *const f64,
    inertia: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_mass", "body", body), sys, |system| {
        let (com, inertia) = (input::<3>("com", com)?, input::<6>("inertia", inertia)?);
        let _room = room(Memory::of(system).change())?;
        system.build().set_body_mass(body, mass, &com, &inertia)
    })
}

/// Sets the initial velocity of a body; zero unless set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `velocity[6]`: of the reference point, then angular, in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_velocity(sys: *mut pintle_system, body: i32, velocity: *const f64) -> i32 {
    with_system_mut(on("pintle_set_body_velocity", "body", body), sys, |system| {
        let velocity = input::<6>("velocity", velocity)?;
        system.build().set_body_velocity(body, &velocity)
    })
}

/// Sets the initial velocity of a body in axes of choice; zero unless set. Replaces that of
/// pintle_set_body_velocity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, those of the body
///   at its initial pose.
/// - `velocity[6]`: of the reference point, then angular.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame; a velocity that overflows when it
/// is turned into I), NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_velocity_in(
    sys: *mut pintle_system,
    body: i32,
    frame: i32,
    velocity: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_velocity_in", "body", body), sys, |system| {
        let velocity = input::<6>("velocity", velocity)?;
        system.build().set_body_velocity_in(body, Frame::from_code(frame)?, &velocity)
    })
}

/// Sets the initial acceleration of a body, used only with option "initial_acceleration" = 1 (for
/// comparison with codes that start so); otherwise pintle_initialize computes it.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `acceleration[6]`: of the reference point, then angular, in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_acceleration(
    sys: *mut pintle_system,
    body: i32,
    acceleration: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_acceleration", "body", body), sys, |system| {
        let acceleration = input::<6>("acceleration", acceleration)?;
        system.build().set_body_acceleration(body, &acceleration)
    })
}

/// Adds a joint between two bodies, or a body and ground, from a frame on each side. The free axis
/// is the frames' z axis; motions are those of b relative to a. REVOLUTE, PRISMATIC, CYLINDRICAL,
/// SCREW and POINT_ON_LINE have a coordinate (pintle_get_joint_coordinate).
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the joint frame in the axes of each body (ground: in I).
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (kind; a body joined to
/// itself; quaternion not of unit norm; origins of a DISTANCE joint that coincide, or whose
/// distance overflows). Frames that do not fit together are found by pintle_initialize.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [frame_b;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_joint(
    sys: *mut pintle_system,
    kind: i32,
    body_a: i32,
    body_b: i32,
    frame_a: *const f64,
    frame_b: *const f64,
    joint: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_joint", body_a, body_b), sys, |system| {
        let (frame_a, frame_b) = (input::<7>("frame_a", frame_a)?, input::<7>("frame_b", frame_b)?);
        let joint = scalar_output("joint", joint)?;
        joint.write(system.build().add_joint(JointKind::from_code(kind)?, body_a, body_b, &frame_a, &frame_b)?)
    })
}

/// Adds a joint from one point and one axis in I, at the initial poses: it is assembled by
/// construction.
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point[3]`: origin of both joint frames, in I.
/// - `axis[3]`: their z axis, in I, of any length but zero; may be NULL for FIXED and SPHERICAL.
///   Where x and y of the frames matter (UNIVERSAL), use pintle_add_joint.
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NULL_ARGUMENT (axis needed), NOT_FINITE, BAD_VALUE
/// (kind, axis of length zero, a body joined to itself; DISTANCE, which lies between two points).
/// cbindgen:ptrs-as-arrays=[[point;3], [axis;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_joint_at(
    sys: *mut pintle_system,
    kind: i32,
    body_a: i32,
    body_b: i32,
    point: *const f64,
    axis: *const f64,
    joint: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_joint_at", body_a, body_b), sys, |system| {
        let (point, axis) = (input::<3>("point", point)?, optional_input::<3>(axis));
        let joint = scalar_output("joint", joint)?;
        joint.write(system.build().add_joint_at(JointKind::from_code(kind)?, body_a, body_b, &point, axis.as_ref())?)
    })
}

/// Says whether the motion of a body is imposed by the host (pintle_set_body_motion) instead of
/// following from loads; pintle_get_body_reaction returns the wrench that it needs. Motions are
/// held like all inputs: pose and velocity remain those of the start, or of the last motion set, so
/// that a body that moves needs its motion for every step.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `prescribed`: 1 or 0; with 0 a motion that was set is removed.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (prescribed).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_prescribed(sys: *mut pintle_system, body: i32, prescribed: i32) -> i32 {
    with_system_mut(on("pintle_set_body_prescribed", "body", body), sys, |system| {
        system.build().set_body_prescribed(body, flag("prescribed", prescribed)?)
    })
}

/// Says whether the coordinate of a joint is imposed by the host (pintle_set_joint_motion). Unless
/// a motion is set, the joint keeps its initial coordinate.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate, but no SCREW (CYLINDRICAL: the angle; its slide:
///   pintle_set_joint_slide_driven).
/// - `driven`: 1 or 0; with 0 a motion that was set is removed.
///
/// In READY the drive comes or goes at the accepted time, and the scheme starts anew; the change
/// belongs to the state. What is released goes on with its coordinate and rate. A drive that comes
/// keeps the present coordinate unless pintle_set_joint_motion sets the motion for the end of the
/// coming step: what moves otherwise jumps to the rate of the drive, as where a motion jumps.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (driven; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_driven(sys: *mut pintle_system, joint: i32, driven: i32) -> i32 {
    with_system_mut(on("pintle_set_joint_driven", "joint", joint), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        system.build().set_joint_driven(joint, flag("driven", driven)?)
    })
}

/// Sets a spring with a damper on the coordinate q of a joint, in place of the one before: the
/// generalized force -stiffness (q - rest) - damping qd acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `stiffness`: moment / angle, or force / length, >= 0.
/// - `damping`: moment / angular velocity, or force / velocity, >= 0.
/// - `rest`: q without force; angles count over any number of turns.
///
/// In READY it changes the spring that the joint was described with, of any stiffness, from the
/// accepted time on, and the scheme starts anew; the change belongs to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a joint
/// without coordinate; in READY one without spring).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_spring(
    sys: *mut pintle_system,
    joint: i32,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_spring", "joint", joint), sys, |system| {
        system.build().set_joint_spring(joint, stiffness, damping, rest)
    })
}

/// Sets the coordinate of a joint at coincident joint frames, zero unless set: it is the offset of
/// coordinates, rest positions of springs, loads and drives. Frames of pintle_add_joint_at coincide
/// at the initial poses.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `q0`: angle, over any number of turns, or displacement.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_offset(sys: *mut pintle_system, joint: i32, q0: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_offset", "joint", joint), sys, |system| {
        system.build().set_joint_offset(joint, q0)
    })
}

/// Says whether the slide of a CYLINDRICAL joint is imposed by the host
/// (pintle_set_joint_slide_motion). Unless a motion is set, it keeps its initial value. If the
/// angle is driven, too, the joint imposes both, like a driven screw.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `driven`: 1 or 0; with 0 a motion that was set is removed.
///
/// Phases: BUILDING, READY, as of pintle_set_joint_driven. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (driven; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_driven(sys: *mut pintle_system, joint: i32, driven: i32) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_driven", "joint", joint), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        system.build().set_joint_slide_driven(joint, flag("driven", driven)?)
    })
}

/// Sets a spring with a damper on the slide s of a CYLINDRICAL joint, in place of the one before:
/// the force -stiffness (s - rest) - damping sd along z of a acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest`: s without force.
///
/// Phases: BUILDING, READY, as of pintle_set_joint_spring. Errors: BAD_PHASE, BAD_ID, NOT_FINITE,
/// BAD_VALUE (negative; another kind of joint; in READY one without spring).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_spring(
    sys: *mut pintle_system,
    joint: i32,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_spring", "joint", joint), sys, |system| {
        system.build().set_joint_slide_spring(joint, stiffness, damping, rest)
    })
}

/// Sets the pitch of a SCREW joint, which it needs.
///
/// - `sys`: the system.
/// - `joint`: id of a SCREW joint.
/// - `pitch`: displacement of b along z of a per turn about it, length; negative for a left-hand
///   screw, not zero.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (zero; another kind of
/// joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_pitch(sys: *mut pintle_system, joint: i32, pitch: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_pitch", "joint", joint), sys, |system| {
        system.build().set_joint_pitch(joint, pitch)
    })
}

/// Sets the radius of the disc of a ROLLING joint, which it needs.
///
/// The disc has its centre at the origin of frame b and its axis along z of frame b. Its lowest
/// point stays on the xy plane of frame a, on whose side of positive z the centre is, and does not
/// slip there: the joint takes one freedom of position and three of velocity. The reaction is a
/// force at that point; pintle_get_joint_reaction gives its wrench about the origins of both
/// frames. Discs may not lie flat.
///
/// Option `assemble` moves a disc to its plane without slip, and pintle_solve_equilibrium finds a
/// balance that it can roll to. pintle_linearize and pintle_get_modes treat discs at rest, and
/// return UNSUPPORTED while one turns.
///
/// - `sys`: the system.
/// - `joint`: id of a ROLLING joint.
/// - `radius`: of the disc, length, positive.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not positive; another kind
/// of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_radius(sys: *mut pintle_system, joint: i32, radius: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_radius", "joint", joint), sys, |system| {
        set_joint_radius(system, joint, radius)
    })
}

/// Adds a marker: a point with axes on a body, for loads and sensors.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame[7]`: pose of the marker in body axes.
/// - `marker`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (quaternion not of unit
/// norm).
/// cbindgen:ptrs-as-arrays=[[frame;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_marker(
    sys: *mut pintle_system,
    body: i32,
    frame: *const f64,
    marker: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_marker", "body", body), sys, |system| {
        let frame = input::<7>("frame", frame)?;
        let marker = scalar_output("marker", marker)?;
        marker.write(system.build().add_marker(body, &frame)?)
    })
}
