//! Contacts of spheres with planes and spheres.

use super::boundary::{
    between, flag, input, on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut,
};
use crate::{ContactLaw, Contacts, GROUND, Memory, set_contact_resistance};

/// Adds a contact between a sphere on body b and the half-space below a plane on body a, such as a
/// floor, a fender or a bed. The gap is the height of the sphere over the plane. A new contact has
/// no law: it measures the gap, and exerts no force (pintle_set_contact_law).
///
/// - `sys`: the system.
/// - `body_a`: id of the body with the plane, or PINTLE_GROUND.
/// - `frame_a[7]`: a frame in the axes of body a (ground: in I), whose plane of x and y it is; z
///   points out of the half-space.
/// - `body_b`: id of the body with the sphere, or PINTLE_GROUND.
/// - `centre_b[3]`: centre of the sphere in the axes of body b (ground: in I).
/// - `radius_b`: length, >= 0; 0 is a point.
/// - `contact`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_QUATERNION, BAD_VALUE,
/// OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [centre_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_contact_plane(
    sys: *mut pintle_system,
    body_a: i32,
    frame_a: *const f64,
    body_b: i32,
    centre_b: *const f64,
    radius_b: f64,
    contact: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_contact_plane", body_a, body_b), sys, |system| {
        let (frame, centre) = (input::<7>("frame_a", frame_a)?, input::<3>("centre_b", centre_b)?);
        let contact = scalar_output("contact", contact)?;
        contact.write(system.elements().add_contact_plane(body_a, &frame, body_b, &centre, radius_b)?)
    })
}

/// Adds a contact between a sphere on body b and one on body a, or the inside of a hollow sphere on
/// body a, such as the clearance of a bearing. The gap is the distance of both surfaces. A new
/// contact has no law: it measures the gap, and exerts no force (pintle_set_contact_law).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `centre_a[3]`, `centre_b[3]`: centres in the axes of each body (ground: in I).
/// - `radius_a`, `radius_b`: lengths, >= 0.
/// - `inside`: 1 if b is inside of the sphere on a, whose radius is then the larger one; else 0.
/// - `contact`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[centre_a;3], [centre_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_contact_spheres(
    sys: *mut pintle_system,
    body_a: i32,
    centre_a: *const f64,
    radius_a: f64,
    body_b: i32,
    centre_b: *const f64,
    radius_b: f64,
    inside: i32,
    contact: *mut i32,
) -> i32 {
    with_system_mut(between("pintle_add_contact_spheres", body_a, body_b), sys, |system| {
        let (a, b) = (input::<3>("centre_a", centre_a)?, input::<3>("centre_b", centre_b)?);
        let (inside, contact) = (flag("inside", inside)?, scalar_output("contact", contact)?);
        let (bodies, radii) = ([body_a, body_b], [radius_a, radius_b]);
        contact.write(system.elements().add_contact_spheres(bodies, [&a, &b], radii, inside)?)
    })
}

/// Sets the law of a contact, in place of the former one. A step ends where the contact closes,
/// opens, sticks or slips, and the scheme starts anew there.
///
/// The normal force follows the laws of stops (pintle_set_joint_stop) over the indentation delta
/// = -gap: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE, or PINTLE_STOP_RESTITUTION, whose force is
/// stiffness delta^exponent (1 + chi d delta/dt); exponent 1.5 is that of elastic spheres (Hertz).
/// Coulomb friction acts in the tangent plane, in any direction: kinetic times the normal force
/// against what slips; what has come to rest sticks, and rolls, up to holding times the normal
/// force, without creeping. Impulses have friction, too. Only generalized-alpha, momentum-alpha,
/// newmark and hht locate such events. In READY the law of a contact that was described with one
/// changes from the accepted time on.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: force / length^exponent, > 0.
/// - `exponent`: 1 to 3 with PINTLE_STOP_RESTITUTION; 1 with the other laws.
/// - `damping`: force / velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
/// - `kinetic`: coefficient of friction while it slips, >= 0.
/// - `holding`: coefficient of friction up to which it sticks, >= kinetic; 0 for no friction.
/// - `slip`: displacement while it sticks with the largest force, >= 0; 0 is 1e-6 of the model's
///   length.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
/// pintle_initialize and steps refuse schemes that do not locate events (UNSUPPORTED).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_contact_law(
    sys: *mut pintle_system,
    contact: i32,
    law: i32,
    stiffness: f64,
    exponent: f64,
    damping: f64,
    restitution: f64,
    kinetic: f64,
    holding: f64,
    slip: f64,
) -> i32 {
    with_system_mut(on("pintle_set_contact_law", "contact", contact), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        let law = ContactLaw { law, stiffness, exponent, damping, restitution, kinetic, holding, slip };
        system.elements().set_contact_law(contact, law)
    })
}

/// The law of a contact, as set.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `law`: receives PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION, -1 without
///   a law; may be NULL.
/// - `stiffness`, `exponent`, `damping`, `restitution`, `kinetic`, `holding`, `slip`: receive the
///   values of pintle_set_contact_law; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_contact_law(
    sys: *const pintle_system,
    contact: i32,
    law: *mut i32,
    stiffness: *mut f64,
    exponent: *mut f64,
    damping: *mut f64,
    restitution: *mut f64,
    kinetic: *mut f64,
    holding: *mut f64,
    slip: *mut f64,
) -> i32 {
    with_system(on("pintle_get_contact_law", "contact", contact), sys, |system| {
        let set = Contacts::of(system).law(contact)?;
        optional_output(law).write(set.law)?;
        let numbers = [set.stiffness, set.exponent, set.damping, set.restitution, set.kinetic, set.holding, set.slip];
        let outputs = [stiffness, exponent, damping, restitution, kinetic, holding, slip];
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// Sets the resistance of a contact to the relative angular velocity of its bodies, in place of the
/// former one: dry friction in two directions against what rolls, and against what spins about the
/// normal. What turns has a moment of the arm times the normal force against it; what has come to
/// rest is held up to this moment, without creeping. Impulses have resistance, too. A wheel of
/// radius R with a coefficient of rolling resistance c has rolling = c R. Friction in the tangent
/// plane (pintle_set_contact_law) lets a ball roll; resistance does not need it. In READY the
/// resistance of a contact that was described with one above 0 changes from the accepted time on.
///
/// - `sys`: the system.
/// - `contact`: id of a contact with a law.
/// - `rolling`: arm of rolling resistance, a length, >= 0.
/// - `spinning`: arm of spinning resistance, a length, >= 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_contact_resistance(
    sys: *mut pintle_system,
    contact: i32,
    rolling: f64,
    spinning: f64,
) -> i32 {
    with_system_mut(on("pintle_set_contact_resistance", "contact", contact), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        set_contact_resistance(system, contact, [rolling, spinning])
    })
}

/// The resistance of a contact, as set.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `rolling`, `spinning`: receive the arms of pintle_set_contact_resistance; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_contact_resistance(
    sys: *const pintle_system,
    contact: i32,
    rolling: *mut f64,
    spinning: *mut f64,
) -> i32 {
    with_system(on("pintle_get_contact_resistance", "contact", contact), sys, |system| {
        let [of_rolling, of_spinning] = Contacts::of(system).resistance(contact)?;
        optional_output(rolling).write(of_rolling)?;
        optional_output(spinning).write(of_spinning)
    })
}

/// The moment of rolling and spinning resistance at present (pintle_set_contact_resistance).
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `rolling_mode`: receives 0 if it is open or has no rolling resistance, 1 if it rolls, 2 if it
///   is held; may be NULL.
/// - `spinning_mode`: receives the same of spinning; may be NULL.
/// - `moment[3]`: receives the moment of both on body b, in I; body a has the opposite; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[moment;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_contact_moment(
    sys: *const pintle_system,
    contact: i32,
    rolling_mode: *mut i32,
    spinning_mode: *mut i32,
    moment: *mut f64,
) -> i32 {
    with_system(on("pintle_get_contact_moment", "contact", contact), sys, |system| {
        let forces = Contacts::of(system).forces(contact)?;
        optional_output(rolling_mode).write(forces.resistance_modes[0])?;
        optional_output(spinning_mode).write(forces.resistance_modes[1])?;
        optional_output(moment.cast()).write(<[f64; 3]>::from(forces.moment))
    })
}

/// A contact as it was added.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `surface`: receives PINTLE_CONTACT_PLANE, PINTLE_CONTACT_SPHERE or PINTLE_CONTACT_HOLLOW: what
///   the sphere on body b touches; may be NULL.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`: receives the frame of the plane, or the centre of the sphere with a unit
///   quaternion, in the axes of body a (ground: in I); may be NULL.
/// - `radius_a`, `radius_b`: receive the radii, radius_a = 0 of a plane; each may be NULL.
/// - `centre_b[3]`: receives the centre in the axes of body b (ground: in I); may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[frame_a;7], [centre_b;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_contact_info(
    sys: *const pintle_system,
    contact: i32,
    surface: *mut i32,
    body_a: *mut i32,
    frame_a: *mut f64,
    radius_a: *mut f64,
    body_b: *mut i32,
    centre_b: *mut f64,
    radius_b: *mut f64,
) -> i32 {
    with_system(on("pintle_get_contact_info", "contact", contact), sys, |system| {
        let info = Contacts::of(system).info(contact)?;
        optional_output(surface).write(info.surface)?;
        optional_output(body_a).write(info.bodies[0])?;
        optional_output(frame_a.cast()).write(info.frame)?;
        optional_output(radius_a).write(info.radii[0])?;
        optional_output(body_b).write(info.bodies[1])?;
        optional_output(centre_b.cast()).write(info.centre)?;
        optional_output(radius_b).write(info.radii[1])
    })
}

/// What a contact does at present.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `mode`: receives 0 if it is open, 1 if it is closed and slips or has no friction, 2 if it is
///   closed and sticks; may be NULL.
/// - `gap`: receives the distance of both surfaces, negative inside; may be NULL.
/// - `normal`: receives the normal force, >= 0; may be NULL.
/// - `tangential[3]`: receives the force of friction on body b, in I; may be NULL.
/// - `point[3]`: receives the point of the sphere on body b that is nearest, in I, where the forces
///   act on both bodies; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
/// cbindgen:ptrs-as-arrays=[[tangential;3], [point;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_contact(
    sys: *const pintle_system,
    contact: i32,
    mode: *mut i32,
    gap: *mut f64,
    normal: *mut f64,
    tangential: *mut f64,
    point: *mut f64,
) -> i32 {
    with_system(on("pintle_get_contact", "contact", contact), sys, |system| {
        let forces = Contacts::of(system).forces(contact)?;
        optional_output(mode).write(forces.mode)?;
        optional_output(gap).write(forces.gap)?;
        optional_output(normal).write(forces.normal)?;
        optional_output(tangential.cast()).write(<[f64; 3]>::from(forces.tangential))?;
        optional_output(point.cast()).write(<[f64; 3]>::from(forces.point))
    })
}

/// The contact at which an event of the last step or trial happened (pintle_get_event).
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `contact`: receives the id; -1 for an event of a joint or a clutch.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_event_contact(sys: *const pintle_system, i: i32, contact: *mut i32) -> i32 {
    with_system("pintle_get_event_contact", sys, |system| {
        let contact = scalar_output("contact", contact)?;
        contact.write(Contacts::of(system).of_event(i)?.unwrap_or(GROUND))
    })
}
