//! Outputs, of the trial if one is pending, else of the accepted state; poses and velocities also
//! as described.

use std::ffi::c_char;

use super::boundary::{input, on, optional_output, output, outputs, pintle_system, room, text_output, with_system};
use crate::{EntityKind, Frame, Memory, Work};

/// The pose of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `pose[7]`: receives x y z of the reference point in I, then qw qx qy qz.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID.
/// cbindgen:ptrs-as-arrays=[[pose;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_pose(sys: *const pintle_system, body: i32, pose: *mut f64) -> i32 {
    with_system(on("pintle_get_body_pose", "body", body), sys, |system| {
        let pose = output::<7>("pose", pose)?;
        match system.outputs().plain_body_pose(body) {
            Some(numbers) => pose.write(numbers),
            None => pose.write(system.outputs().body_pose(body)?),
        }
    })
}

/// The displacement of a body from its reference pose (the one that it was added with).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `displacement[7]`: receives u in I, then the quaternion of the rotation away from the
///   reference.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
/// cbindgen:ptrs-as-arrays=[[displacement;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_displacement(
    sys: *const pintle_system,
    body: i32,
    displacement: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_displacement", "body", body), sys, |system| {
        let displacement = output::<7>("displacement", displacement)?;
        displacement.write(system.outputs().body_displacement(body)?)
    })
}

/// The velocity of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `velocity[6]`: receives that of the reference point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (frame), UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_velocity(
    sys: *const pintle_system,
    body: i32,
    frame: i32,
    velocity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_velocity", "body", body), sys, |system| {
        let velocity = output::<6>("velocity", velocity)?;
        let frame = Frame::from_code(frame)?;
        match system.outputs().plain_body_velocity(body).filter(|_| frame == Frame::Inertial) {
            Some(numbers) => velocity.write(numbers),
            None => velocity.write(system.outputs().body_velocity(body, frame)?),
        }
    })
}

/// The acceleration of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `acceleration[6]`: receives that of the reference point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_acceleration(
    sys: *const pintle_system,
    body: i32,
    frame: i32,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_acceleration", "body", body), sys, |system| {
        let acceleration = output::<6>("acceleration", acceleration)?;
        acceleration.write(system.outputs().body_acceleration(body, Frame::from_code(frame)?)?)
    })
}

/// The poses of all bodies.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: receives `[n][7]`, each as for pintle_get_body_pose.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_poses(sys: *const pintle_system, n: i32, poses: *mut f64) -> i32 {
    with_system("pintle_get_body_poses", sys, |system| {
        let poses = outputs::<7>("poses", (n, system.description().count(EntityKind::Body), "bodies"), poses)?;
        system.outputs().body_poses(poses)
    })
}

/// The velocities of all bodies, in I.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `velocities`: receives `[n][6]`, each of the reference point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_velocities(sys: *const pintle_system, n: i32, velocities: *mut f64) -> i32 {
    with_system("pintle_get_body_velocities", sys, |system| {
        let velocities =
            outputs::<6>("velocities", (n, system.description().count(EntityKind::Body), "bodies"), velocities)?;
        system.outputs().body_velocities(velocities)
    })
}

/// The accelerations of all bodies, in I.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `accelerations`: receives `[n][6]`, each of the reference point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_accelerations(
    sys: *const pintle_system,
    n: i32,
    accelerations: *mut f64,
) -> i32 {
    with_system("pintle_get_body_accelerations", sys, |system| {
        let accelerations =
            outputs::<6>("accelerations", (n, system.description().count(EntityKind::Body), "bodies"), accelerations)?;
        system.outputs().body_accelerations(accelerations)
    })
}

/// The pose of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `pose[7]`: receives x y z of the marker in I, then qw qx qy qz of its axes.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE
/// (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[pose;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_pose(sys: *const pintle_system, marker: i32, pose: *mut f64) -> i32 {
    with_system(on("pintle_get_marker_pose", "marker", marker), sys, |system| {
        let pose = output::<7>("pose", pose)?;
        pose.write(system.outputs().marker_pose(marker)?)
    })
}

/// The velocity of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   the result.
/// - `velocity[6]`: receives that of the marker's point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (frame), UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_velocity(
    sys: *const pintle_system,
    marker: i32,
    frame: i32,
    velocity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_marker_velocity", "marker", marker), sys, |system| {
        let velocity = output::<6>("velocity", velocity)?;
        velocity.write(system.outputs().marker_velocity(marker, Frame::from_code(frame)?)?)
    })
}

/// The acceleration of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   the result.
/// - `acceleration[6]`: receives that of the marker's point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_acceleration(
    sys: *const pintle_system,
    marker: i32,
    frame: i32,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_marker_acceleration", "marker", marker), sys, |system| {
        let acceleration = output::<6>("acceleration", acceleration)?;
        acceleration.write(system.outputs().marker_acceleration(marker, Frame::from_code(frame)?)?)
    })
}

/// The poses of all markers.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `poses`: receives `[n][7]`, each as for pintle_get_marker_pose.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_poses(sys: *const pintle_system, n: i32, poses: *mut f64) -> i32 {
    with_system("pintle_get_marker_poses", sys, |system| {
        let poses = outputs::<7>("poses", (n, system.description().count(EntityKind::Marker), "markers"), poses)?;
        system.outputs().marker_poses(poses)
    })
}

/// The velocities of all markers, in I.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `velocities`: receives `[n][6]`, each of the marker's point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_velocities(sys: *const pintle_system, n: i32, velocities: *mut f64) -> i32 {
    with_system("pintle_get_marker_velocities", sys, |system| {
        let velocities =
            outputs::<6>("velocities", (n, system.description().count(EntityKind::Marker), "markers"), velocities)?;
        system.outputs().marker_velocities(velocities)
    })
}

/// The accelerations of all markers, in I.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `accelerations`: receives `[n][6]`, each of the marker's point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_accelerations(
    sys: *const pintle_system,
    n: i32,
    accelerations: *mut f64,
) -> i32 {
    with_system("pintle_get_marker_accelerations", sys, |system| {
        let accelerations = outputs::<6>(
            "accelerations",
            (n, system.description().count(EntityKind::Marker), "markers"),
            accelerations,
        )?;
        system.outputs().marker_accelerations(accelerations)
    })
}

/// The coordinate of a joint, b against a, zero at coincident joint frames unless
/// pintle_set_joint_offset was called.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, CYLINDRICAL or SCREW joint (angle about z, counted over any number
///   of turns), or of a PRISMATIC or POINT_ON_LINE one (displacement along z).
/// - `q`, `qd`, `qdd`: receive coordinate, rate and acceleration; each may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate),
/// UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_coordinate(
    sys: *const pintle_system,
    joint: i32,
    q: *mut f64,
    qd: *mut f64,
    qdd: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_coordinate", "joint", joint), sys, |system| {
        let (q, qd, qdd) = (optional_output(q), optional_output(qd), optional_output(qdd));
        let [coordinate, rate, acceleration] = system.outputs().joint_coordinate(joint)?;
        q.write(coordinate)?;
        qd.write(rate)?;
        qdd.write(acceleration)
    })
}

/// The displacement of the origin of b along z of a in a joint that slides; zero at coincident
/// joint frames.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL, PRISMATIC, SCREW or POINT_ON_LINE joint. (Of PRISMATIC and
///   POINT_ON_LINE it is the coordinate without its offset.)
/// - `s`, `sd`, `sdd`: receive displacement, rate and acceleration; each may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint that does not
/// slide), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_slide(
    sys: *const pintle_system,
    joint: i32,
    s: *mut f64,
    sd: *mut f64,
    sdd: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_slide", "joint", joint), sys, |system| {
        let (s, sd, sdd) = (optional_output(s), optional_output(sd), optional_output(sdd));
        let [displacement, rate, acceleration] = system.outputs().joint_slide(joint)?;
        s.write(displacement)?;
        sd.write(rate)?;
        sdd.write(acceleration)
    })
}

/// The reaction in a joint: the wrench of its constraints, a drive's included, of body a on body b
/// at the origin of b's joint frame. Springs, dampers and loads on its coordinate are not part of
/// it.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of body b): the axes of the result.
/// - `wrench[6]`: receives force, moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_reaction(
    sys: *const pintle_system,
    joint: i32,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_reaction", "joint", joint), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        let _room = room(Memory::of(system).reaction(joint))?;
        wrench.write(system.outputs().joint_reaction(joint, Frame::from_code(frame)?)?)
    })
}

/// The reaction in a joint on its other side: the wrench of body b on body a at the origin of a's
/// joint frame. It balances that of pintle_get_joint_reaction; the moments differ by the force
/// times the distance of the two origins.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of body a; the ground's are
///   inertial): the axes of the result.
/// - `wrench[6]`: receives force, moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_reaction_on_a(
    sys: *const pintle_system,
    joint: i32,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_reaction_on_a", "joint", joint), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        let _room = room(Memory::of(system).reaction(joint))?;
        wrench.write(system.outputs().joint_reaction_on_a(joint, Frame::from_code(frame)?)?)
    })
}

/// The reaction of a prescribed body: the wrench about its reference point that must be applied for
/// its imposed motion, in addition to gravity, joints, elements and loads.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `wrench[6]`: receives force and moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame; a body that is not
/// prescribed), UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_reaction(
    sys: *const pintle_system,
    body: i32,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_reaction", "body", body), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        wrench.write(system.outputs().body_reaction(body, Frame::from_code(frame)?)?)
    })
}

/// The state of a spring.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `length`: receives the distance of its ends; may be NULL.
/// - `tension`: receives the force along it, positive where it pulls; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_spring_force(
    sys: *const pintle_system,
    spring: i32,
    length: *mut f64,
    tension: *mut f64,
) -> i32 {
    with_system(on("pintle_get_spring_force", "spring", spring), sys, |system| {
        let (length, tension) = (optional_output(length), optional_output(tension));
        let (present_length, present_tension) = system.outputs().spring_force(spring)?;
        length.write(present_length)?;
        tension.write(present_tension)
    })
}

/// Violation of the joints: largest absolute residual of all constraint equations.
///
/// - `sys`: the system.
/// - `position`: receives that of the constraints; may be NULL.
/// - `velocity`: receives that of their time derivatives; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_constraint_violation(
    sys: *const pintle_system,
    position: *mut f64,
    velocity: *mut f64,
) -> i32 {
    with_system("pintle_get_constraint_violation", sys, |system| {
        let (position, velocity) = (optional_output(position), optional_output(velocity));
        let (of_position, of_velocity) = system.outputs().constraint_violation()?;
        position.write(of_position)?;
        velocity.write(of_velocity)
    })
}

/// Names the constraints that follow from the others, as in closed loops: one line for each joint
/// that has some, for example `joint 3 "closing" (REVOLUTE, bodies 1 and 2): 3 of its 5 constraints
/// follow from the others: translation along inertial z, rotation about y, rotation about x` (axes
/// of frame a unless inertial). Empty text if there are none. They are found once, at the initial
/// poses, and left out: the motion is exact, and reactions are those of least norm. Of a loop,
/// those of joints created later are left out. (The norm adds squares of forces and of moments in
/// the units of the host: the self-stress of redundant joints is not determined, and the chosen one
/// depends on these units.)
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text
/// cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_redundant_constraints(
    sys: *const pintle_system,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system("pintle_get_redundant_constraints", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let output = text_output(cap, buf, len)?;
        output.write(&system.analysis().redundant_constraints()?)
    })
}

/// The mechanical energy: kinetic energy of bodies, points and lines, and of the added mass of
/// bodies and points, 1/2 v^T A v, so that the sum is conserved without dissipation, in still
/// water, below its surface (the added mass of lines, which turns with them, is left out);
/// potential energy of weight and buoyancy, springs, bushings, springs on joints, and of lines
/// and cylinders with the seabed under them. (pintle_get_momentum is without the fluid.)
///
/// - `sys`: the system.
/// - `kinetic`: receives the kinetic energy; may be NULL.
/// - `potential`: receives the potential energy; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_energy(sys: *const pintle_system, kinetic: *mut f64, potential: *mut f64) -> i32 {
    with_system("pintle_get_energy", sys, |system| {
        let (kinetic, potential) = (optional_output(kinetic), optional_output(potential));
        let (kinetic_energy, potential_energy) = system.outputs().energy()?;
        kinetic.write(kinetic_energy)?;
        potential.write(potential_energy)
    })
}

/// The momentum of all bodies, points and lines, without that of the fluid: the added mass is not
/// in it, though its kinetic energy is in pintle_get_energy. (The impulse A v of the fluid is not a
/// momentum in a balance: the pressure far away contributes to it. There is no such contribution to
/// the energy.)
///
/// - `sys`: the system.
/// - `about[3]`: the point of the angular momentum, in I.
/// - `momentum[6]`: receives linear, then angular momentum about that point, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, NOT_FINITE, UNSTABLE (numbers too large for a
/// double).
/// cbindgen:ptrs-as-arrays=[[about;3], [momentum;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_momentum(sys: *const pintle_system, about: *const f64, momentum: *mut f64) -> i32 {
    with_system("pintle_get_momentum", sys, |system| {
        let about = input::<3>("about", about)?;
        let momentum = output::<6>("momentum", momentum)?;
        momentum.write(system.outputs().momentum(&about)?)
    })
}
