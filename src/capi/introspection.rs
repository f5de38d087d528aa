//! The model read back: names, mass properties, joints, force elements, markers, coefficients of
//! the fluid, as the host gave them. Every function works in all phases.

use std::ffi::c_char;

use super::boundary::{on, optional_output, output, pintle_system, scalar_output, text, text_output, with_system};
use crate::{EntityKind, joint_radius};

/// The name of an entity. For one without a name it is kind and id, such as "body 3", which
/// pintle_find does not find.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `id`: id of that kind.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (kind unknown),
/// BAD_ID, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_name(
    sys: *const pintle_system,
    kind: *const c_char,
    id: i32,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system(on("pintle_get_name", "id", id), sys, |system| {
        let kind = text("kind", kind)?;
        let output = text_output(cap, buf, len)?;
        output.write(&system.description().name(EntityKind::from_name(kind)?, id)?)
    })
}

/// The acceleration of gravity.
///
/// - `sys`: the system.
/// - `gravity[3]`: receives it in I, length / time^2.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
/// cbindgen:ptrs-as-arrays=[[gravity;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_gravity(sys: *const pintle_system, gravity: *mut f64) -> i32 {
    with_system("pintle_get_gravity", sys, |system| {
        output::<3>("gravity", gravity)?.write(system.description().gravity())
    })
}

/// The mass matrix of a body. It is computed from mass, centre of mass and inertia, which are
/// stored, so that the matrix given to pintle_add_body is returned up to rounding.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `mass[36]`: receives `[m I, m~eta^T; m~eta, J]`, column-major, in body axes, about the
///   reference point.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[mass;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_mass(sys: *const pintle_system, body: i32, mass: *mut f64) -> i32 {
    with_system(on("pintle_get_body_mass", "body", body), sys, |system| {
        let mass = output::<36>("mass", mass)?;
        mass.write(system.description().body_mass(body)?)
    })
}

/// The pose, velocity and acceleration with which a body was described, not the present ones.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `pose[7]`: receives the initial and reference pose, x y z in I, then qw qx qy qz; may be NULL.
/// - `velocity[6]`: receives the initial velocity, linear, then angular, in I; may be NULL.
/// - `acceleration[6]`: receives the initial acceleration of pintle_set_body_acceleration, linear,
///   then angular, in I; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[pose;7], [velocity;6], [acceleration;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_initial_motion(
    sys: *const pintle_system,
    body: i32,
    pose: *mut f64,
    velocity: *mut f64,
    acceleration: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_initial_motion", "body", body), sys, |system| {
        let (pose, velocity) = (optional_output(pose.cast()), optional_output(velocity.cast()));
        let acceleration = optional_output(acceleration.cast());
        let given = system.description().body_initial_motion(body)?;
        pose.write(given.pose)?;
        velocity.write(given.velocity)?;
        acceleration.write(given.acceleration)
    })
}

/// Whether the motion of a body is imposed (pintle_set_body_prescribed).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `prescribed`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_prescribed(sys: *const pintle_system, body: i32, prescribed: *mut i32) -> i32 {
    with_system(on("pintle_get_body_prescribed", "body", body), sys, |system| {
        let prescribed = scalar_output("prescribed", prescribed)?;
        prescribed.write(system.description().body_prescribed(body)?.into())
    })
}

/// The added mass of a body about its reference point, as set; zero, in frame INERTIAL, unless set.
/// Only its symmetric part is stored.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `a[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[a;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_added_mass(
    sys: *const pintle_system,
    body: i32,
    a: *mut f64,
    frame: *mut i32,
) -> i32 {
    with_system(on("pintle_get_added_mass", "body", body), sys, |system| {
        let matrix = output::<36>("a", a)?;
        let frame = optional_output(frame);
        let (numbers, axes) = system.description().added_mass(body)?;
        matrix.write(numbers)?;
        frame.write(axes as i32)
    })
}

/// The linear damping of a body about its reference point, as set; zero, in frame INERTIAL, unless
/// set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `c[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[c;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_linear_damping(
    sys: *const pintle_system,
    body: i32,
    c: *mut f64,
    frame: *mut i32,
) -> i32 {
    with_system(on("pintle_get_linear_damping", "body", body), sys, |system| {
        let matrix = output::<36>("c", c)?;
        let frame = optional_output(frame);
        let (numbers, axes) = system.description().linear_damping(body)?;
        matrix.write(numbers)?;
        frame.write(axes as i32)
    })
}

/// The quadratic drag of a body about its reference point, as set; zero, in frame INERTIAL, unless
/// set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `d[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[d;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_quadratic_drag(
    sys: *const pintle_system,
    body: i32,
    d: *mut f64,
    frame: *mut i32,
) -> i32 {
    with_system(on("pintle_get_quadratic_drag", "body", body), sys, |system| {
        let matrix = output::<36>("d", d)?;
        let frame = optional_output(frame);
        let (numbers, axes) = system.description().quadratic_drag(body)?;
        matrix.write(numbers)?;
        frame.write(axes as i32)
    })
}

/// A joint as it was added: kind, bodies, frames.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `kind`: receives PINTLE_JOINT_...; may be NULL.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`, `frame_b[7]`: receive the joint frames in the axes of each body (ground: in I);
///   those of pintle_add_joint_at coincide at the initial poses. Each may be NULL.
/// - `driven`: receives 1 if its coordinate is imposed (pintle_set_joint_driven), else 0; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [frame_b;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_info(
    sys: *const pintle_system,
    joint: i32,
    kind: *mut i32,
    body_a: *mut i32,
    body_b: *mut i32,
    frame_a: *mut f64,
    frame_b: *mut f64,
    driven: *mut i32,
) -> i32 {
    with_system(on("pintle_get_joint_info", "joint", joint), sys, |system| {
        let (kind, driven) = (optional_output(kind), optional_output(driven));
        let (body_a, body_b) = (optional_output(body_a), optional_output(body_b));
        let (frame_a, frame_b) = (optional_output(frame_a.cast()), optional_output(frame_b.cast()));
        let info = system.description().joint_info(joint)?;
        kind.write(info.kind as i32)?;
        body_a.write(info.bodies[0])?;
        body_b.write(info.bodies[1])?;
        frame_a.write(info.frames[0])?;
        frame_b.write(info.frames[1])?;
        driven.write(info.driven.into())
    })
}

/// Whether the coordinate of a joint is imposed (pintle_set_joint_driven).
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `driven`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_driven(sys: *const pintle_system, joint: i32, driven: *mut i32) -> i32 {
    with_system(on("pintle_get_joint_driven", "joint", joint), sys, |system| {
        let driven = scalar_output("driven", driven)?;
        driven.write(system.description().joint_info(joint)?.driven.into())
    })
}

/// Whether the slide of a joint is imposed (pintle_set_joint_slide_driven); of kinds other than
/// CYLINDRICAL it is not.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `driven`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_slide_driven(sys: *const pintle_system, joint: i32, driven: *mut i32) -> i32 {
    with_system(on("pintle_get_joint_slide_driven", "joint", joint), sys, |system| {
        let driven = scalar_output("driven", driven)?;
        driven.write(system.description().joint_slide_driven(joint)?.into())
    })
}

/// The spring and damper on the coordinate of a joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `stiffness`, `damping`, `rest`: receive the values of pintle_set_joint_spring; each may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_spring(
    sys: *const pintle_system,
    joint: i32,
    stiffness: *mut f64,
    damping: *mut f64,
    rest: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_spring", "joint", joint), sys, |system| {
        let (stiffness, damping, rest) = (optional_output(stiffness), optional_output(damping), optional_output(rest));
        let [k, c, q] = system.description().joint_spring(joint)?;
        stiffness.write(k)?;
        damping.write(c)?;
        rest.write(q)
    })
}

/// The spring and damper on the slide of a CYLINDRICAL joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `stiffness`, `damping`, `rest`: receive the values of pintle_set_joint_slide_spring; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_slide_spring(
    sys: *const pintle_system,
    joint: i32,
    stiffness: *mut f64,
    damping: *mut f64,
    rest: *mut f64,
) -> i32 {
    with_system(on("pintle_get_joint_slide_spring", "joint", joint), sys, |system| {
        let (stiffness, damping, rest) = (optional_output(stiffness), optional_output(damping), optional_output(rest));
        let [k, c, q] = system.description().joint_slide_spring(joint)?;
        stiffness.write(k)?;
        damping.write(c)?;
        rest.write(q)
    })
}

/// The coordinate of a joint at coincident joint frames (pintle_set_joint_offset); 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `q0`: receives angle or displacement.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_offset(sys: *const pintle_system, joint: i32, q0: *mut f64) -> i32 {
    with_system(on("pintle_get_joint_offset", "joint", joint), sys, |system| {
        let q0 = scalar_output("q0", q0)?;
        q0.write(system.description().joint_offset(joint)?)
    })
}

/// The pitch of a SCREW joint; 0 until it is set.
///
/// - `sys`: the system.
/// - `joint`: id of a SCREW joint.
/// - `pitch`: receives the displacement of b along z of a per turn about it.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_pitch(sys: *const pintle_system, joint: i32, pitch: *mut f64) -> i32 {
    with_system(on("pintle_get_joint_pitch", "joint", joint), sys, |system| {
        let pitch = scalar_output("pitch", pitch)?;
        pitch.write(system.description().joint_pitch(joint)?)
    })
}

/// The radius of the disc of a ROLLING joint; 0 until it is set.
///
/// - `sys`: the system.
/// - `joint`: id of a ROLLING joint.
/// - `radius`: receives the radius, length.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_radius(sys: *const pintle_system, joint: i32, radius: *mut f64) -> i32 {
    with_system(on("pintle_get_joint_radius", "joint", joint), sys, |system| {
        let radius = scalar_output("radius", radius)?;
        radius.write(joint_radius(system, joint)?)
    })
}

/// The distance that a DISTANCE joint keeps between the origins of its frames, from the reference
/// poses; 0 for the other kinds.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `distance`: receives the length.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_joint_distance(sys: *const pintle_system, joint: i32, distance: *mut f64) -> i32 {
    with_system(on("pintle_get_joint_distance", "joint", joint), sys, |system| {
        let distance = scalar_output("distance", distance)?;
        distance.write(system.description().joint_distance(joint)?)
    })
}

/// A spring as it was added.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `point_a[3]`, `point_b[3]`: receive its ends in the axes of each body (ground: in I); each may
///   be NULL.
/// - `stiffness`, `damping`, `rest_length`: receive what pintle_add_spring was given; each may be
///   NULL.
/// - `tension_only`: receives 1 if it only pulls, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[point_a;3], [point_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_spring_info(
    sys: *const pintle_system,
    spring: i32,
    body_a: *mut i32,
    point_a: *mut f64,
    body_b: *mut i32,
    point_b: *mut f64,
    stiffness: *mut f64,
    damping: *mut f64,
    rest_length: *mut f64,
    tension_only: *mut i32,
) -> i32 {
    with_system(on("pintle_get_spring_info", "spring", spring), sys, |system| {
        let (body_a, body_b) = (optional_output(body_a), optional_output(body_b));
        let (point_a, point_b) = (optional_output(point_a.cast()), optional_output(point_b.cast()));
        let (stiffness, damping) = (optional_output(stiffness), optional_output(damping));
        let (rest_length, tension_only) = (optional_output(rest_length), optional_output(tension_only));
        let info = system.description().spring_info(spring)?;
        body_a.write(info.bodies[0])?;
        point_a.write(info.points[0])?;
        body_b.write(info.bodies[1])?;
        point_b.write(info.points[1])?;
        stiffness.write(info.stiffness)?;
        damping.write(info.damping)?;
        rest_length.write(info.rest_length)?;
        tension_only.write(info.tension_only.into())
    })
}

/// A bushing as it was added.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`, `frame_b[7]`: receive its frames in the axes of each body (ground: in I); each
///   may be NULL.
/// - `stiffness[36]`, `damping[36]`: receive K and C, column-major, K without the diagonal
///   entries of components with a table (pintle_get_bushing_table); each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [frame_b;7], [stiffness;36], [damping;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_bushing_info(
    sys: *const pintle_system,
    bushing: i32,
    body_a: *mut i32,
    body_b: *mut i32,
    frame_a: *mut f64,
    frame_b: *mut f64,
    stiffness: *mut f64,
    damping: *mut f64,
) -> i32 {
    with_system(on("pintle_get_bushing_info", "bushing", bushing), sys, |system| {
        let (body_a, body_b) = (optional_output(body_a), optional_output(body_b));
        let (frame_a, frame_b) = (optional_output(frame_a.cast()), optional_output(frame_b.cast()));
        let (stiffness, damping) = (optional_output(stiffness.cast()), optional_output(damping.cast()));
        let info = system.description().bushing_info(bushing)?;
        body_a.write(info.bodies[0])?;
        body_b.write(info.bodies[1])?;
        frame_a.write(info.frames[0])?;
        frame_b.write(info.frames[1])?;
        stiffness.write(info.stiffness)?;
        damping.write(info.damping)
    })
}

/// A cylinder as it was added.
///
/// - `sys`: the system.
/// - `cylinder`: id.
/// - `body`: receives the id, or PINTLE_GROUND; may be NULL.
/// - `end_a[3]`, `end_b[3]`: receive the centres of its ends in body axes (ground: in I); each may
///   be NULL.
/// - `diameter`: receives the diameter; may be NULL.
/// - `segments`: receives the number of segments; may be NULL.
/// - `coefficients[4]`: receives cd, ca, cd_end, ca_end; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[end_a;3], [end_b;3], [coefficients;4]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_cylinder_info(
    sys: *const pintle_system,
    cylinder: i32,
    body: *mut i32,
    end_a: *mut f64,
    end_b: *mut f64,
    diameter: *mut f64,
    segments: *mut i32,
    coefficients: *mut f64,
) -> i32 {
    with_system(on("pintle_get_cylinder_info", "cylinder", cylinder), sys, |system| {
        let (body, end_a, end_b) =
            (optional_output(body), optional_output(end_a.cast()), optional_output(end_b.cast()));
        let (diameter, segments) = (optional_output(diameter), optional_output(segments));
        let coefficients = optional_output(coefficients.cast());
        let info = system.given().cylinder_info(cylinder)?;
        body.write(info.body)?;
        end_a.write(info.ends[0])?;
        end_b.write(info.ends[1])?;
        diameter.write(info.diameter)?;
        segments.write(info.segments)?;
        coefficients.write(info.coefficients)
    })
}

/// A marker as it was added.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `body`: receives the id of its body; may be NULL.
/// - `frame[7]`: receives the pose of the marker in body axes; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[frame;7]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_marker_info(
    sys: *const pintle_system,
    marker: i32,
    body: *mut i32,
    frame: *mut f64,
) -> i32 {
    with_system(on("pintle_get_marker_info", "marker", marker), sys, |system| {
        let (body, frame) = (optional_output(body), optional_output(frame.cast()));
        let (on_body, pose) = system.description().marker_info(marker)?;
        body.write(on_body)?;
        frame.write(pose)
    })
}
