//! Loads of the host along beams, and loads and strains of their sections.

use super::boundary::{
    flag, input, on, optional_output, output, pintle_system, room, scalar_output, with_system, with_system_mut,
};
use crate::{Beams, Frame, Memory};

/// Adds a place to a beam at which the host gives loads (pintle_set_beam_load): a force and a
/// moment there, or per length. Loads per length are linear from each place of this kind to the
/// next one, and zero before the first and behind the last. Nodes get what does the same work on
/// the motion of the place (pintle_get_beam_load_motion).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam; for loads per length above that
///   of the place of this kind before.
/// - `offset[3]`: from the axis to the place, in the axes of the section.
/// - `distributed`: 1 if the load is per length, else 0.
/// - `place`: receives the number of the place: 0 and up on each beam.
///
/// Phases: BUILDING, after the beam has its elements. Errors: BAD_PHASE, BAD_ID, NOT_FINITE,
/// BAD_VALUE (s; distributed; a beam without elements), OUT_OF_MEMORY.
/// cbindgen:ptrs-as-arrays=[[offset;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_beam_load(
    sys: *mut pintle_system,
    beam: i32,
    s: f64,
    offset: *const f64,
    distributed: i32,
    place: *mut i32,
) -> i32 {
    with_system_mut(on("pintle_add_beam_load", "beam", beam), sys, |system| {
        let offset = input::<3>("offset", offset)?;
        let place = scalar_output("place", place)?;
        let elements = Beams::of(system).get(beam).map_or(0, |beam| beam.elements());
        let _room = room(Memory::beam(1, elements))?;
        place.write(system.elements().add_beam_load(beam, s, &offset, flag("distributed", distributed)?)?)
    })
}

/// Sets the load at a place of a beam. It replaces the former one and acts until it is set again;
/// in phase BUILDING it is the value at the initial time, later the value at the end of the coming
/// step (option "input_order", as for loads of bodies).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `frame`: PINTLE_FRAME_INERTIAL, or PINTLE_FRAME_BODY for the axes of the section, with which
///   the load turns.
/// - `wrench[6]`: force, then moment about the place; per length if the place is distributed.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (place, frame).
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_beam_load(
    sys: *mut pintle_system,
    beam: i32,
    place: i32,
    frame: i32,
    wrench: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_beam_load", "beam", beam), sys, |system| {
        let wrench = input::<6>("wrench", wrench)?;
        system.inputs().set_beam_load(beam, place, Frame::from_code(frame)?, &wrench)
    })
}

/// How many places a beam has at which loads act.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `count`: receives the number of its places.
///
/// Phases: all. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_beam_load_count(sys: *const pintle_system, beam: i32, count: *mut i32) -> i32 {
    with_system(on("pintle_beam_load_count", "beam", beam), sys, |system| {
        let count = scalar_output("count", count)?;
        count.write(Beams::of(system).get(beam)?.loads.len() as i32)
    })
}

/// A place of a beam at which loads act, and the load that is set there, as it was given.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `s`: receives its arc length; may be NULL.
/// - `offset[3]`: receives its offset from the axis; may be NULL.
/// - `distributed`: receives 1 if its load is per length, else 0; may be NULL.
/// - `frame`: receives the axes of the load; may be NULL.
/// - `wrench[6]`: receives the load; may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (place).
/// cbindgen:ptrs-as-arrays=[[offset;3], [wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_load(
    sys: *const pintle_system,
    beam: i32,
    place: i32,
    s: *mut f64,
    offset: *mut f64,
    distributed: *mut i32,
    frame: *mut i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_load", "beam", beam), sys, |system| {
        let (s, offset) = (optional_output(s), optional_output(offset.cast::<[f64; 3]>()));
        let (distributed, frame) = (optional_output(distributed), optional_output(frame));
        let wrench = optional_output(wrench.cast::<[f64; 6]>());
        let (place, load) = Beams::of(system).load(beam, place)?;
        s.write(place.s)?;
        offset.write(place.offset.into())?;
        distributed.write(i32::from(place.distributed))?;
        frame.write(load.frame as i32)?;
        wrench.write(load.wrench.into())
    })
}

/// The motion of a place of a beam at which loads act. The load does the work of its force on the
/// velocity and of its moment on the angular velocity that are returned here.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `pose[7]`: receives the place in I, and the orientation of the axes of the section; may be
///   NULL.
/// - `velocity[6]`: receives the velocity and the angular velocity in I; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (place), UNSTABLE (numbers
/// too large for a double).
/// cbindgen:ptrs-as-arrays=[[pose;7], [velocity;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_load_motion(
    sys: *const pintle_system,
    beam: i32,
    place: i32,
    pose: *mut f64,
    velocity: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_load_motion", "beam", beam), sys, |system| {
        let (pose, velocity) = (optional_output(pose.cast()), optional_output(velocity.cast()));
        let (place, rate) = Beams::of(system).load_motion(beam, place)?;
        pose.write(place)?;
        velocity.write(rate)
    })
}

/// Force and moment of a section of a beam about its place, anywhere along the beam: what the part
/// behind it does on the part before it, just before a load at that arc length. Loads and inertia
/// between the ends of the element and the section are included; at a root on the ground it is the
/// reaction, to rounding.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `frame`: PINTLE_FRAME_INERTIAL, or PINTLE_FRAME_BODY for the axes of the section.
/// - `wrench[6]`: receives force, then moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s, frame),
/// UNSTABLE (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[wrench;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_section_load(
    sys: *const pintle_system,
    beam: i32,
    s: f64,
    frame: i32,
    wrench: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_section_load", "beam", beam), sys, |system| {
        let wrench = output::<6>("wrench", wrench)?;
        wrench.write(Beams::of(system).section_load(beam, s, Frame::from_code(frame)?)?)
    })
}

/// The strains of a section of a beam, anywhere along it: those of the force and the moment of
/// pintle_get_beam_section_load less what damping has of them.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `strains[6]`: receives extension, shear along axes 2 and 3, and per length twist and bending
///   about axes 2 and 3 of the section.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s), UNSTABLE
/// (numbers too large for a double).
/// cbindgen:ptrs-as-arrays=[[strains;6]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_beam_strains(
    sys: *const pintle_system,
    beam: i32,
    s: f64,
    strains: *mut f64,
) -> i32 {
    with_system(on("pintle_get_beam_strains", "beam", beam), sys, |system| {
        let strains = output::<6>("strains", strains)?;
        strains.write(Beams::of(system).strains(beam, s)?)
    })
}
