//! Events of friction, stops, contacts, clutches and joints that break.

use super::boundary::{optional_output, pintle_system, scalar_output, with_system};
use crate::{GROUND, JointMachines};

/// The number of events of friction, stops, contacts and clutches, and of joints that broke, in the
/// last step or trial, of which at most 1000 are kept.
///
/// - `sys`: the system.
/// - `n`: receives the number; 0 before the first step.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_event_count(sys: *const pintle_system, n: *mut i32) -> i32 {
    with_system("pintle_event_count", sys, |system| {
        let output = scalar_output("n", n)?;
        output.write(JointMachines::of(system).events()?.len() as i32)
    })
}

/// An event of friction, a stop, a contact or a clutch, or of a joint that broke, in the last step
/// or trial, in the order of their times.
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `time`: receives when; may be NULL.
/// - `change`: receives what happened: PINTLE_EVENT_CLOSES, PINTLE_EVENT_OPENS, PINTLE_EVENT_HITS,
///   PINTLE_EVENT_STICKS, PINTLE_EVENT_SLIPS or PINTLE_EVENT_BREAKS; may be NULL.
/// - `joint`: receives the id of the joint, -1 for an event of a contact
///   (pintle_get_event_contact) or a clutch (pintle_get_event_clutch); may be NULL.
/// - `slide`: receives 1 if it happened on the slide of a CYLINDRICAL joint, else 0; may be NULL.
/// - `impulse`: receives the impulse on the coordinate (force time, or moment time), or along the
///   normal of a contact, of PINTLE_EVENT_HITS, else 0; may be NULL.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_event(
    sys: *const pintle_system,
    i: i32,
    time: *mut f64,
    change: *mut i32,
    joint: *mut i32,
    slide: *mut i32,
    impulse: *mut f64,
) -> i32 {
    with_system("pintle_get_event", sys, |system| {
        let event = JointMachines::of(system).event(i)?;
        optional_output(time).write(event.time)?;
        optional_output(change).write(event.change as i32)?;
        let (on_joint, which) = event.joint().map_or((GROUND, 0), |(joint, which)| (joint as i32, which as i32));
        optional_output(joint).write(on_joint)?;
        optional_output(slide).write(which)?;
        optional_output(impulse).write(event.impulse)
    })
}
