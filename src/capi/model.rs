//! The model. Bodies, joints, force elements, markers, names, and the fluid's matrices.

use std::ffi::c_char;

use super::boundary::{
    between, flag, input, on, optional_input, optional_output, pintle_system, scalar_output, text, with_system,
    with_system_mut,
};
use crate::{EntityKind, Frame, JointKind};

/// Sets the acceleration of gravity; 0 0 0 unless set.
///
/// - `sys`: the system.
/// - `gravity[3]`: in I, length / time^2.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[gravity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_gravity(sys: *mut pintle_system, gravity: *const f64) -> i32 {
    with_system_mut("pintle_set_gravity", sys, |system| {
        let gravity = input::<3>("gravity", gravity)?;
        system.set_gravity(&gravity)
    })
}

/// Adds a body with any 6x6 mass matrix.
///
/// - `sys`: the system.
/// - `mass[36]`: column-major, in body axes, about the reference point: `[m I, m~eta^T; m~eta, J]`; symmetric, positive
///   semi-definite.
/// - `pose[7]`: initial and reference pose.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass unsymmetric or not positive semi-definite; quaternion
/// not of unit norm within 1e-6).
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
        body.write(system.add_body(&mass, &pose)?)
    })
}

/// Adds a rigid body from mass, centre of mass and inertia.
///
/// A point mass (inertia zero) may be joined so that its rotation is held: FIXED to a body with inertia, PRISMATIC, driven.
/// A body without mass may be driven in every direction, such as a trolley that is driven along a rail and carries a
/// pendulum: its drive then takes what hangs on it. Where nothing resists an acceleration that the joints leave free,
/// pintle_initialize returns PINTLE_ERR_SINGULAR and says which body lacks what.
///
/// - `sys`: the system.
/// - `mass`: mass.
/// - `com[3]`: centre of mass from the reference point, in body axes.
/// - `inertia[6]`: xx yy zz xy xz yz (entries of the inertia tensor) about the centre of mass, in body axes.
/// - `pose[7]`: initial and reference pose of the reference point.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass negative, inertia not positive semi-definite or against
/// the triangle inequality; quaternion not of unit norm).
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
        body.write(system.add_rigid_body(mass, &com, &inertia, &pose)?)
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
        system.set_body_velocity(body, &velocity)
    })
}

/// Sets the initial velocity of a body in axes of choice; zero unless set. Replaces that of pintle_set_body_velocity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, those of the body at its initial pose.
/// - `velocity[6]`: of the reference point, then angular.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame), NOT_FINITE.
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
        system.set_body_velocity_in(body, Frame::from_code(frame)?, &velocity)
    })
}

/// Sets the initial acceleration of a body, used only with option "initial_acceleration" = 1 (for comparison with codes
/// that start so); otherwise pintle_initialize computes it.
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
        system.set_body_acceleration(body, &acceleration)
    })
}

/// Adds a joint between two bodies, or a body and ground, from a frame on each side. The free axis is the frames' z axis;
/// motions are those of b relative to a.
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the joint frame in the axes of each body (ground: in I).
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (kind; a body joined to itself; quaternion not of unit
/// norm; origins of a DISTANCE joint that coincide). Frames that do not fit together are found by pintle_initialize.
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
        joint.write(system.add_joint(JointKind::from_code(kind)?, body_a, body_b, &frame_a, &frame_b)?)
    })
}

/// Adds a joint from one point and one axis in I, at the initial poses: it is assembled by construction.
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point[3]`: origin of both joint frames, in I.
/// - `axis[3]`: their z axis, in I, of any length but zero; may be NULL for FIXED and SPHERICAL. Where x and y of the
///   frames matter (UNIVERSAL), pintle_add_joint says them.
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NULL_ARGUMENT (axis needed), NOT_FINITE, BAD_VALUE (kind, axis of length
/// zero, a body joined to itself; DISTANCE, which lies between two points).
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
        joint.write(system.add_joint_at(JointKind::from_code(kind)?, body_a, body_b, &point, axis.as_ref())?)
    })
}

/// Says whether the motion of a body is imposed by the host (pintle_set_body_motion) instead of following from loads;
/// pintle_get_body_reaction tells what that takes. Unless a motion is set, the body keeps its initial one.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `prescribed`: 1 or 0; with 0 a motion that was set is forgotten.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (prescribed).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_prescribed(sys: *mut pintle_system, body: i32, prescribed: i32) -> i32 {
    with_system_mut(on("pintle_set_body_prescribed", "body", body), sys, |system| {
        system.set_body_prescribed(body, flag("prescribed", prescribed)?)
    })
}

/// Says whether the coordinate of a joint is imposed by the host (pintle_set_joint_motion). Unless a motion is set, the
/// joint stays where it is at the start.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, PRISMATIC or CYLINDRICAL joint (the angle; its slide: pintle_set_joint_slide_driven).
/// - `driven`: 1 or 0; with 0 a motion that was set is forgotten.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (driven; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_driven(sys: *mut pintle_system, joint: i32, driven: i32) -> i32 {
    with_system_mut(on("pintle_set_joint_driven", "joint", joint), sys, |system| {
        system.set_joint_driven(joint, flag("driven", driven)?)
    })
}

/// Sets a spring with a damper on the coordinate q of a joint, in place of the one before: the generalized force
/// -stiffness (q - rest) - damping qd acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, PRISMATIC, CYLINDRICAL or SCREW joint (the angle, but for PRISMATIC).
/// - `stiffness`: moment / angle, or force / length, >= 0.
/// - `damping`: moment / angular velocity, or force / velocity, >= 0.
/// - `rest`: q without force; angles count over any number of turns.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_spring(
    sys: *mut pintle_system,
    joint: i32,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_spring", "joint", joint), sys, |system| {
        system.set_joint_spring(joint, stiffness, damping, rest)
    })
}

/// Sets the coordinate that a joint has where its frames agree, in place of zero: coordinates, rest positions of springs, loads
/// and drives count from there. Frames of pintle_add_joint_at agree at the initial poses.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, PRISMATIC, CYLINDRICAL or SCREW joint (the angle, but for PRISMATIC).
/// - `q0`: angle, over any number of turns, or displacement.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_offset(sys: *mut pintle_system, joint: i32, q0: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_offset", "joint", joint), sys, |system| system.set_joint_offset(joint, q0))
}

/// Says whether the slide of a CYLINDRICAL joint is imposed by the host (pintle_set_joint_slide_motion). Unless a motion is
/// set, it stays where it is at the start. With a driven angle too the joint holds both, like a driven screw.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `driven`: 1 or 0; with 0 a motion that was set is forgotten.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (driven; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_driven(sys: *mut pintle_system, joint: i32, driven: i32) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_driven", "joint", joint), sys, |system| {
        system.set_joint_slide_driven(joint, flag("driven", driven)?)
    })
}

/// Sets a spring with a damper on the slide s of a CYLINDRICAL joint, in place of the one before: the force
/// -stiffness (s - rest) - damping sd along z of a acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest`: s without force.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_slide_spring(
    sys: *mut pintle_system,
    joint: i32,
    stiffness: f64,
    damping: f64,
    rest: f64,
) -> i32 {
    with_system_mut(on("pintle_set_joint_slide_spring", "joint", joint), sys, |system| {
        system.set_joint_slide_spring(joint, stiffness, damping, rest)
    })
}

/// Sets the pitch of a SCREW joint, which it needs.
///
/// - `sys`: the system.
/// - `joint`: id of a SCREW joint.
/// - `pitch`: displacement of b along z of a per turn about it, length; negative for a left-hand screw, not zero.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (zero; another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_joint_pitch(sys: *mut pintle_system, joint: i32, pitch: f64) -> i32 {
    with_system_mut(on("pintle_set_joint_pitch", "joint", joint), sys, |system| system.set_joint_pitch(joint, pitch))
}

/// Adds a gear between two joints: q_b - q_b0 = ratio (q_a - q_a0), q their coordinates (pintle_get_joint_coordinate: angle or
/// displacement, in either place) and q0 the coordinates at the initial poses. Wheels that turn against each other have a
/// negative ratio; a rack (PRISMATIC) follows its pinion (REVOLUTE) with the pitch radius. A joint may be in several gears, and
/// be driven. Angles count over any number of turns; the slower one of two must turn by less than half a turn in one internal
/// step, unless the faster turns a whole number of times as fast.
///
/// - `sys`: the system.
/// - `joint_a`, `joint_b`: ids of two different joints that have a coordinate (REVOLUTE, PRISMATIC, CYLINDRICAL, SCREW).
/// - `ratio`: rate of b over rate of a, not zero.
/// - `gear`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without a coordinate, the same joint twice,
/// ratio 0). A gear that follows from joints and gears before it is left out, as such constraints of joints are
/// (pintle_get_redundant_constraints); one that contradicts them is found by pintle_initialize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_gear(
    sys: *mut pintle_system,
    joint_a: i32,
    joint_b: i32,
    ratio: f64,
    gear: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_gear", "joint_a", joint_a), sys, |system| {
        let gear = scalar_output("gear", gear)?;
        gear.write(system.add_gear(joint_a, joint_b, ratio)?)
    })
}

/// Joints and ratio of a gear.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `joint_a`: receives the id of the first joint; may be NULL.
/// - `joint_b`: receives the id of the second joint; may be NULL.
/// - `ratio`: receives rate of b over rate of a; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_gear_info(
    sys: *const pintle_system,
    gear: i32,
    joint_a: *mut i32,
    joint_b: *mut i32,
    ratio: *mut f64,
) -> i32 {
    with_system(on("pintle_get_gear_info", "gear", gear), sys, |system| {
        let (joint_a, joint_b, ratio) = (optional_output(joint_a), optional_output(joint_b), optional_output(ratio));
        system.require_sound()?;
        let (a, b, present_ratio) = system.gear_info(gear)?;
        joint_a.write(a)?;
        joint_b.write(b)?;
        ratio.write(present_ratio)
    })
}

/// Adds a spring with a damper between two points; tension is stiffness times elongation plus damping times its rate.
/// With tension_only it is zero while slack, and the damper's part is at most the spring's, so that the tension of a line that
/// tightens at speed starts from zero (docs/theory.md).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point_a[3]`, `point_b[3]`: ends in the axes of each body (ground: in I).
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
/// - `tension_only`: 1 if it only pulls, like a rope; 0 if it also pushes.
/// - `spring`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
/// cbindgen:ptrs-as-arrays=[[point_a;3], [point_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_spring(
    sys: *mut pintle_system,
    body_a: i32,
    point_a: *const f64,
    body_b: i32,
    point_b: *const f64,
    stiffness: f64,
    damping: f64,
    rest_length: f64,
    tension_only: i32,
    spring: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_spring", body_a, body_b), sys, |system| {
        let (a, b) = (input::<3>("point_a", point_a)?, input::<3>("point_b", point_b)?);
        let spring = scalar_output("spring", spring)?;
        let tension_only = flag("tension_only", tension_only)?;
        spring.write(system.add_spring(body_a, &a, body_b, &b, stiffness, damping, rest_length, tension_only)?)
    })
}

/// Adds a bushing: a linear 6x6 spring and damper between two frames. The wrench of a on b, in frame a, is
/// -K (displacement, rotation vector) - C (rates).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the frame in the axes of each body (ground: in I).
/// - `stiffness[36]`, `damping[36]`: K and C, column-major; K may be unsymmetric (hydrostatics).
/// - `bushing`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [frame_b;7], [stiffness;36], [damping;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_bushing(
    sys: *mut pintle_system,
    body_a: i32,
    body_b: i32,
    frame_a: *const f64,
    frame_b: *const f64,
    stiffness: *const f64,
    damping: *const f64,
    bushing: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_bushing", body_a, body_b), sys, |system| {
        let (frame_a, frame_b) = (input::<7>("frame_a", frame_a)?, input::<7>("frame_b", frame_b)?);
        let (stiffness, damping) = (input::<36>("stiffness", stiffness)?, input::<36>("damping", damping)?);
        let bushing = scalar_output("bushing", bushing)?;
        bushing.write(system.add_bushing(body_a, body_b, &frame_a, &frame_b, &stiffness, &damping)?)
    })
}

/// Adds a marker: a point with axes on a body, for loads and sensors.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame[7]`: pose of the marker in body axes.
/// - `marker`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (quaternion not of unit norm).
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
        marker.write(system.add_marker(body, &frame)?)
    })
}

/// Names an entity; messages and pintle_find use the name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "marker", "gear" or "callback" (coupled load callbacks).
/// - `id`: id of that kind.
/// - `name`: text, unique among its kind; copied.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_ID, BAD_VALUE (kind unknown, name empty or taken).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_name(
    sys: *mut pintle_system,
    kind: *const c_char,
    id: i32,
    name: *const c_char,
) -> i32 {
    with_system_mut(on("pintle_set_name", "id", id), sys, |system| {
        let (kind, name) = (text("kind", kind)?, text("name", name)?);
        system.set_name(EntityKind::from_name(kind)?, id, name)
    })
}

/// The id of the entity with a name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "marker", "gear" or "callback" (coupled load callbacks).
/// - `name`: as given to pintle_set_name.
/// - `id`: receives the id.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (kind or name unknown).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_find(
    sys: *const pintle_system,
    kind: *const c_char,
    name: *const c_char,
    id: *mut i32,
) -> i32 {
    with_system("pintle_find", sys, |system| {
        let (kind, name) = (text("kind", kind)?, text("name", name)?);
        let id = scalar_output("id", id)?;
        system.require_sound()?;
        id.write(system.find(EntityKind::from_name(kind)?, name)?)
    })
}

/// How many entities of a kind the model has.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "marker", "gear" or "callback" (coupled load callbacks).
/// - `count`: receives the number.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (kind unknown).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_count(sys: *const pintle_system, kind: *const c_char, count: *mut i32) -> i32 {
    with_system("pintle_count", sys, |system| {
        let kind = text("kind", kind)?;
        let count = scalar_output("count", count)?;
        system.require_sound()?;
        count.write(system.count(EntityKind::from_name(kind)?))
    })
}

/// Sets the added mass of a body, about its reference point; zero unless set. In frame INERTIAL the wrench is
/// -A (acceleration) with constant A; in frame BODY it follows Kirchhoff's equations with body-fixed A.
/// Set in TRIAL it belongs to the next pintle_advance; accepted there, the trial keeps what it was computed with, and the
/// new value acts from the trial's end on. Either way the scheme starts anew, as after pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `a[36]`: A, column-major; symmetric and positive semi-definite within what single precision leaves: differences, and
///   negative eigenvalues with rotations scaled to translations, of 1e-5 of the largest entry of a 3x3 block. The symmetric
///   part is taken.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame; unsymmetric; not positive
/// semi-definite, by itself or together with the body's own mass matrix).
/// cbindgen:ptrs-as-arrays=[[a;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_added_mass(sys: *mut pintle_system, body: i32, a: *const f64, frame: i32) -> i32 {
    with_system_mut(on("pintle_set_added_mass", "body", body), sys, |system| {
        let a = input::<36>("a", a)?;
        system.set_added_mass(body, &a, Frame::from_code(frame)?)
    })
}

/// Sets the linear damping of a body, about its reference point; zero unless set. The wrench is -C (velocity).
/// Set in TRIAL it belongs to the next pintle_advance; accepted there, the trial keeps what it was computed with, and the
/// new value acts from the trial's end on. Either way the scheme starts anew, as after pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `c[36]`: C, column-major.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, wrench and C.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame).
/// cbindgen:ptrs-as-arrays=[[c;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_linear_damping(
    sys: *mut pintle_system,
    body: i32,
    c: *const f64,
    frame: i32,
) -> i32 {
    with_system_mut(on("pintle_set_linear_damping", "body", body), sys, |system| {
        let c = input::<36>("c", c)?;
        system.set_linear_damping(body, &c, Frame::from_code(frame)?)
    })
}

/// Sets the quadratic drag of a body, about its reference point; zero unless set. The wrench is
/// w_i = -sum_j d_ij v_j |v_j|, v the velocity.
/// Set in TRIAL it belongs to the next pintle_advance; accepted there, the trial keeps what it was computed with, and the
/// new value acts from the trial's end on. Either way the scheme starts anew, as after pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `d[36]`: column-major: d_ij stands at i + 6 j.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, wrench and d.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame).
/// cbindgen:ptrs-as-arrays=[[d;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_quadratic_drag(
    sys: *mut pintle_system,
    body: i32,
    d: *const f64,
    frame: i32,
) -> i32 {
    with_system_mut(on("pintle_set_quadratic_drag", "body", body), sys, |system| {
        let d = input::<36>("d", d)?;
        system.set_quadratic_drag(body, &d, Frame::from_code(frame)?)
    })
}
