//! Tendons: ropes through several points, and their winches.

use super::arguments::input;
use super::boundary::{
    ids, inputs, on, optional_output, pintle_system, room, scalar_output, with_system, with_system_mut,
};
use crate::{Memory, Tendons, set_tendon_friction, set_tendon_sheave};

/// Adds a tendon: a massless rope through the eyes `points[0]` to `points[n-1]`, in which it slides
/// without friction, such as a hoist, a block and tackle, a towing line over a fairlead or a cable
/// of a robot. It is tied to the first and the last one. With L the sum of the distances from eye
/// to eye and l the unstretched length, its one tension is
///
/// T = stiffness_ea (L - l)/l + damping (dL/dt - L/l dl/dt)
///
/// where L > l, and 0 where it is slack. It never pushes, and its damper carries no more than its
/// stiffness does, as that of a tension-only spring. Eyes that are in one place have no direction
/// between them, and exert no force on each other. Free masses are bodies. pintle_set_tendon_sheave
/// puts sheaves in the place of eyes.
///
/// - `sys`: the system.
/// - `n`: number of points, 2 to 8.
/// - `bodies`: `[n]` ids, in the order of the rope, some of them perhaps PINTLE_GROUND or the same,
///   not all of them.
/// - `points`: `[n][3]`, in the axes of each body (ground: in I).
/// - `stiffness_ea`: force per strain, > 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: unstretched length, > 0 (pintle_set_tendon_length).
/// - `tendon`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_SIZE (n), BAD_ID, NOT_FINITE, BAD_VALUE (all on one
/// body; numbers that are not positive), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_tendon(
    sys: *mut pintle_system,
    n: i32,
    bodies: *const i32,
    points: *const f64,
    stiffness_ea: f64,
    damping: f64,
    rest_length: f64,
    tendon: *mut i32,
) -> i32 {
    with_system_mut("pintle_add_tendon", sys, |system| {
        let tendon = scalar_output("tendon", tendon)?;
        let points = inputs::<3>("points", (n, n, "bodies"), points)?;
        let bodies = ids(("n", n), "bodies", bodies)?;
        tendon.write(system.elements().add_tendon(&bodies, points, stiffness_ea, damping, rest_length)?)
    })
}

/// A tendon as it was added.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `n`: receives the number of points (pintle_get_tendon_point); may be NULL.
/// - `stiffness_ea`, `damping`, `rest_length`: receive what pintle_add_tendon was given; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_info(
    sys: *const pintle_system,
    tendon: i32,
    n: *mut i32,
    stiffness_ea: *mut f64,
    damping: *mut f64,
    rest_length: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_info", "tendon", tendon), sys, |system| {
        let (count, numbers) = Tendons::of(system).info(tendon)?;
        optional_output(n).write(count as i32)?;
        let outputs = [stiffness_ea, damping, rest_length];
        outputs.into_iter().zip(numbers).try_for_each(|(output, number)| optional_output(output).write(number))
    })
}

/// A point of a tendon.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `body`: receives the id of its body, or PINTLE_GROUND; may be NULL.
/// - `position[3]`: receives its place in the axes of the body (ground: in I); may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
/// cbindgen:ptrs-as-arrays=[[position;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_point(
    sys: *const pintle_system,
    tendon: i32,
    point: i32,
    body: *mut i32,
    position: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_point", "tendon", tendon), sys, |system| {
        let (its_body, place) = Tendons::of(system).point(tendon, point)?;
        optional_output(body).write(its_body)?;
        optional_output(position.cast()).write(place)
    })
}

/// Lets a tendon run over a sheave at one of its inner points, in the place of an eye or of a former
/// sheave. The sheave is a circle about the point, in the plane across its axis, and turns with its
/// body; from the first point of the tendon to the last one, the rope runs right-handed about the
/// axis. It leaves the circle as a tangent, as seen along the axis; where it leaves the plane of the
/// sheave, the length is that of the straight part from there, and the arc stays in the plane. The
/// rope slides on the sheave without friction, or turns one without inertia: the body feels no moment
/// about the axis, but for pintle_set_tendon_friction. As in a block, the rope does not lift off:
/// where it would, its wrap is negative.
///
/// The wrap is the angle of the arc. It is counted as the one within half a turn of `wrap`, and must
/// stay within 150 degrees of that: pi for a rope that comes and goes on the same side, more for
/// several turns about a drum. Where it does not stay there, or where a neighbouring point comes
/// within the radius, pintle_initialize gives BAD_VALUE and a step NO_CONVERGENCE or UNSTABLE, with
/// a message that names the point.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 1 to the number of its points - 2.
/// - `radius`: to the centre of the rope, > 0.
/// - `axis[3]`: in the axes of the body (ground: in I), of any length but 0.
/// - `wrap`: an angle (rad), >= 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
/// cbindgen:ptrs-as-arrays=[[axis;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_tendon_sheave(
    sys: *mut pintle_system,
    tendon: i32,
    point: i32,
    radius: f64,
    axis: *const f64,
    wrap: f64,
) -> i32 {
    with_system_mut(on("pintle_set_tendon_sheave", "tendon", tendon), sys, |system| {
        let axis = input::<3>("axis", axis)?;
        set_tendon_sheave(system, tendon, point, radius, &axis, wrap)
    })
}

/// The sheave at a point of a tendon, as given to pintle_set_tendon_sheave.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `radius`: receives the radius, 0 at an eye; may be NULL.
/// - `axis[3]`: receives the axis, zeros at an eye; may be NULL.
/// - `wrap`: receives the angle that was given, 0 at an eye; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
/// cbindgen:ptrs-as-arrays=[[axis;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_sheave(
    sys: *const pintle_system,
    tendon: i32,
    point: i32,
    radius: *mut f64,
    axis: *mut f64,
    wrap: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_sheave", "tendon", tendon), sys, |system| {
        let (its_radius, its_axis, its_wrap) = Tendons::of(system).sheave(tendon, point)?;
        optional_output(radius).write(its_radius)?;
        optional_output(axis.cast()).write(its_axis)?;
        optional_output(wrap).write(its_wrap)
    })
}

/// The angle by which a tendon wraps a sheave at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `wrap`: receives the angle (rad), 0 at an eye.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (no such point), UNSTABLE (the
/// rope has no path).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_wrap(
    sys: *const pintle_system,
    tendon: i32,
    point: i32,
    wrap: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_wrap", "tendon", tendon), sys, |system| {
        let wrap = scalar_output("wrap", wrap)?;
        wrap.write(Tendons::of(system).wrap(tendon, point)?)
    })
}

/// Lets the rope of a tendon rub at one of its inner points, an eye or a sheave (Euler, Eytelwein):
/// where it turns by the angle w, the tensions on both sides differ by at most the factor
/// exp(coefficient w). Below it the rope holds, so that a sheave turns with it and a drum that turns
/// hauls it in; beyond it just so much rope slips that they differ by this factor. Points with
/// friction divide the rope into runs, each with its own unstretched length and tension; at the start
/// all have one tension. A winch (pintle_set_tendon_length) pays out at the first point.
///
/// The rope has no mass, so that slip is a condition on the unstretched lengths at the end of each
/// internal step, and no event. Runs meet in the middle of a wrap. A sheave must turn by less than
/// half a turn per internal step. The first four schemes take tensions at the ends of steps:
/// oscillations along a rope that steps do not resolve are damped, and energy never grows. A tendon
/// with friction has no damper. Linear models and modes take rope as held at all points.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 1 to the number of its points - 2.
/// - `coefficient`: of friction, >= 0; 0: none.
///
/// In READY friction of a point that was described with some changes from the accepted time on, and
/// belongs to the state; it stays above 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_tendon_friction(
    sys: *mut pintle_system,
    tendon: i32,
    point: i32,
    coefficient: f64,
) -> i32 {
    with_system_mut(on("pintle_set_tendon_friction", "tendon", tendon), sys, |system| {
        let _room = room(Memory::of(system).change())?;
        set_tendon_friction(system, tendon, point, coefficient)
    })
}

/// The coefficient of friction at a point of a tendon.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `coefficient`: receives it, 0 without friction.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_friction(
    sys: *const pintle_system,
    tendon: i32,
    point: i32,
    coefficient: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_friction", "tendon", tendon), sys, |system| {
        let coefficient = scalar_output("coefficient", coefficient)?;
        coefficient.write(Tendons::of(system).friction(tendon, point)?)
    })
}

/// What friction does at a point of a tendon at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: one with friction (pintle_set_tendon_friction).
/// - `before`: receives the tension on the side of the first point; may be NULL.
/// - `after`: receives the tension on the side of the last point; may be NULL.
/// - `limit`: receives the largest factor between both, exp(coefficient w), at most exp(300); may be
///   NULL.
/// - `slips`: receives 1 if they differ by this factor, to nine digits, else 0; may be NULL.
/// - `dissipated`: receives the energy that was dissipated there since the start; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (no such point, or none with
/// friction), UNSTABLE (numbers too large for a double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_slip(
    sys: *const pintle_system,
    tendon: i32,
    point: i32,
    before: *mut f64,
    after: *mut f64,
    limit: *mut f64,
    slips: *mut i32,
    dissipated: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_slip", "tendon", tendon), sys, |system| {
        let slip = Tendons::of(system).slip(tendon, point)?;
        optional_output(before).write(slip.tensions[0])?;
        optional_output(after).write(slip.tensions[1])?;
        optional_output(limit).write(slip.limit)?;
        optional_output(slips).write(i32::from(slip.slips))?;
        optional_output(dissipated).write(slip.dissipated)
    })
}

/// Sets the unstretched length of a tendon and its rate at the END of the coming step, as a winch
/// changes them; in between the length is the cubic with these values at both ends. Held until it
/// is set again: with a rate that is not zero, set it for every step. Where the cubic passes below
/// a hundredth of the described length the step fails with NO_CONVERGENCE. Until the step is made,
/// outputs and analyses have the present length; pintle_solve_equilibrium stops the winch there.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: at least a hundredth of rest_length (pintle_add_tendon).
/// - `rate`: of that length.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (too short).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_tendon_length(sys: *mut pintle_system, tendon: i32, length: f64, rate: f64) -> i32 {
    with_system_mut(on("pintle_set_tendon_length", "tendon", tendon), sys, |system| {
        system.inputs().set_tendon_length(tendon, length, rate)
    })
}

/// The unstretched length of a tendon and its rate.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_length(
    sys: *const pintle_system,
    tendon: i32,
    length: *mut f64,
    rate: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_length", "tendon", tendon), sys, |system| {
        let (present_length, present_rate) = Tendons::of(system).length(tendon)?;
        optional_output(length).write(present_length)?;
        optional_output(rate).write(present_rate)
    })
}

/// The unstretched length of a tendon and its rate that are set for the end of the coming step
/// (pintle_set_tendon_length).
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_length_input(
    sys: *const pintle_system,
    tendon: i32,
    length: *mut f64,
    rate: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_length_input", "tendon", tendon), sys, |system| {
        let (set_length, set_rate) = Tendons::of(system).length_input(tendon)?;
        optional_output(length).write(set_length)?;
        optional_output(rate).write(set_rate)
    })
}

/// What a tendon does at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length of its path, from point to point and about its sheaves; may be
///   NULL.
/// - `tension`: receives its tension, 0 where it is slack; that at its first point where there is
///   friction; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_tendon_force(
    sys: *const pintle_system,
    tendon: i32,
    length: *mut f64,
    tension: *mut f64,
) -> i32 {
    with_system(on("pintle_get_tendon_force", "tendon", tendon), sys, |system| {
        let (present_length, present_tension) = Tendons::of(system).force(tendon)?;
        optional_output(length).write(present_length)?;
        optional_output(tension).write(present_tension)
    })
}
