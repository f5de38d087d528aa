//! Channels: outputs by name, of the trial if one is pending, else of the accepted state.

use std::ffi::c_char;

use super::boundary::{
    on, outputs, pintle_system, room, scalar_output, text, text_output, with_system, with_system_mut,
};
use crate::Memory;

/// Adds channels under the names that OpenFAST's module ElastoDyn has for the motion of a floating
/// platform, for a body: PtfmSurge, PtfmSway, PtfmHeave (m): its reference point in I; PtfmRoll,
/// PtfmPitch, PtfmYaw (deg): yaw about z, then pitch about the new y, then roll about the new x, as
/// in pintle_quat_to_euler_zyx, but yaw is within half a turn of zero only at the start and counted
/// over turns from there; PtfmTVxi, yi, zi (m/s), PtfmTAxi ... (m/s^2): velocity and
/// acceleration of that point in I; PtfmRVxi ... (deg/s), PtfmRAxi ... (deg/s^2): angular ones in
/// I.
///
/// They equal ElastoDyn's if the origin of I, the reference point and the body axes are placed as
/// there: zero at the undisplaced platform (x downwind, z upward from the mean water level). A body
/// that is added elsewhere starts with that offset, as ElastoDyn's initial PtfmSurge does.
/// ElastoDyn's angles are small ones about the axes of I; these agree with them to first order, are
/// exact for large yaw, and are those that HydroDyn and SubDyn extract from an orientation.
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND for no such channels.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_openfast_platform(sys: *mut pintle_system, body: i32) -> i32 {
    with_system_mut(on("pintle_set_openfast_platform", "body", body), sys, |system| {
        system.settings().set_openfast_platform(body)
    })
}

/// Adds a channel under the name that MoorDyn's section OUTPUTS has for it, in small or capital
/// letters. Names number entities from 1: `Body1` is body 0. Of bodies, points and nodes of lines:
/// `Body2PX` (or `B2PX`), `Point3VZ` (`P3VZ`, `Con3VZ`), `Line2N4AX` (`L2N4AX`; node 0 is end A;
/// `L2NAPX` and `L2NBPX` of the ends): position (P), velocity (V), acceleration (A) along X, Y or
/// Z. Of bodies: `Body2RX`, `Body2RVX`, `Body2RAX`: angles about x, the new y and the new z,
/// angular velocity and acceleration, in degrees. Of lines: `FairTen1` (`Line1TenB`) and `AnchTen1`
/// (`Line1TenA`): size of the net force of end B and A on its point; `L2N4Ten` (`L2N4T`): the mean
/// tension of the segments at an inner node, at ends as before; `L2N0FX`: net force of an end. Of
/// points: `Point3FX`, `Point3Ten`: net force of all ends of lines there.
///
/// - `sys`: the system.
/// - `name`: of the channel.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (unknown name, an entity that does not
/// exist, a channel that exists already), UNSUPPORTED (rods, net forces and moments of bodies,
/// forces of inner nodes).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_add_moordyn_channel(sys: *mut pintle_system, name: *const c_char) -> i32 {
    with_system_mut("pintle_add_moordyn_channel", sys, |system| {
        system.settings().add_moordyn_channel(text("name", name)?)
    })
}

/// The number of channels.
///
/// - `sys`: the system.
/// - `n`: receives the number.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_channel_count(sys: *const pintle_system, n: *mut i32) -> i32 {
    with_system("pintle_channel_count", sys, |system| {
        let n = scalar_output("n", n)?;
        let _room = room(Memory::of(system).channel_table())?;
        n.write(system.channels().count()?)
    })
}

/// The name of a channel. There is a fixed list of them from pintle_initialize on. Before, each
/// call makes the list of the model so far; channels of entities that are added later are inserted
/// between these. No two have the same name. `hull` stands for the name of an entity, or for
/// `body3` and the like where it has none; x for x, y and z:
///
/// - system: `time`, `energy.kinetic`, `energy.potential`
/// - body, of its reference point in I, and marker, of its origin in I: `hull.pos.x`, `hull.quat.w`
///   (w, x, y, z), `hull.roll`, `hull.pitch`, `hull.yaw` as in pintle_quat_to_euler_zyx,
///   `hull.vel.x`, `hull.omega.x`, `hull.acc.x`, `hull.alpha.x`
/// - prescribed body: `hull.reaction.fx` (fx, fy, fz, mx, my, mz) as in pintle_get_body_reaction,
///   in I
/// - joint with an angle: `yaw.angle`, `yaw.rate`, `yaw.acc`; with a displacement:
///   `rail.displacement`, `rail.rate`, `rail.acc`; both as in pintle_get_joint_coordinate; and the
///   `yaw.load` of pintle_set_joint_load at the time of the state
/// - joint that slides: `rail.slide`, `rail.slide_rate`, `rail.slide_acc` as in
///   pintle_get_joint_slide; CYLINDRICAL also the `rail.slide_load` of pintle_set_joint_slide_load
/// - every joint: `yaw.reaction.fx` (fx, fy, fz, mx, my, mz) as in pintle_get_joint_reaction: on
///   body b at its joint frame, in I
/// - spring: `line.length`, `line.tension`; bushing: `seat.deflection.x`, `seat.deflection.rx`,
///   `seat.wrench.fx`, `seat.wrench.mx`; cylinder: `leg.submerged`, `leg.buoyancy`, `leg.drag.fx`,
///   `leg.inertia.fx`; element of a beam: `root.section_a.fx`, `root.section_b.mz`;
///   contact: `fender.gap`, `fender.normal`, `fender.tangential.x`
/// - point: `buoy.pos.x`, `buoy.vel.x`, `buoy.acc.x`, `buoy.reaction.fx`; gear:
///   `first_gear.gear_load`
/// - mooring line: `chain.length`, `chain.length_rate`, `chain.tension_a`, `chain.force_a.x`, and
///   b; then of each segment and node, from end A on: `chain.tension.0`, `chain.node0.x`
/// - the platform of pintle_set_openfast_platform: `PtfmSurge`, `PtfmSway`, `PtfmHeave`,
///   `PtfmRoll`, `PtfmPitch`, `PtfmYaw`, `PtfmTVxi`, `PtfmRVxi`, `PtfmTAxi`, `PtfmRAxi`
/// - those of pintle_add_moordyn_channel, under the given names
///
/// Of entities of different kinds with the same name, the first in the order body, joint, spring,
/// bushing, cylinder, marker, point, gear, line keeps it; another gets its kind before it, as in
/// `joint:yaw.angle`, and so does a name that starts with `#` or with a kind and a colon: the body
/// `#1` has `body:#1.pos.x`. Names of entities are not changed and may contain blanks, commas and
/// dots: programs that write them to a file must quote them.
///
/// - `sys`: the system.
/// - `i`: which one, from 0.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), BAD_VALUE (i), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_channel_name(
    sys: *const pintle_system,
    i: i32,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system("pintle_channel_name", sys, |system| {
        let output = text_output(cap, buf, len)?;
        let _room = room(Memory::of(system).channel_table())?;
        output.write(&system.channels().name(i)?)
    })
}

/// The unit of a channel: the symbol of its SI unit ("m", "rad", "N m", "-" for a number), which
/// means the host's unit of that dimension, because units are any consistent set. Only channels
/// under names of OpenFAST and MoorDyn have "deg".
///
/// - `sys`: the system.
/// - `i`: which one, from 0.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), BAD_VALUE (i), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_channel_unit(
    sys: *const pintle_system,
    i: i32,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    with_system("pintle_channel_unit", sys, |system| {
        let output = text_output(cap, buf, len)?;
        let _room = room(Memory::of(system).channel_table())?;
        output.write(system.channels().unit(i)?)
    })
}

/// The values of all channels in one call, equal to the results of the functions of outputs.
///
/// - `sys`: the system.
/// - `n`: the number of channels.
/// - `values`: receives `[n]`, in the order of the names.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_channels(sys: *const pintle_system, n: i32, values: *mut f64) -> i32 {
    with_system("pintle_get_channels", sys, |system| {
        let values = outputs::<1>("values", (n, system.channels().count()?, "channels"), values)?;
        let _room = room(Memory::of(system).channels())?;
        system.channels().values(values.as_flattened_mut())
    })
}

/// The body whose motion has channels under OpenFAST's names (pintle_set_openfast_platform).
///
/// - `sys`: the system.
/// - `body`: receives the id, PINTLE_GROUND for none.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: none beyond those of every function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_openfast_platform(sys: *const pintle_system, body: *mut i32) -> i32 {
    with_system("pintle_get_openfast_platform", sys, |system| {
        let body = scalar_output("body", body)?;
        body.write(system.given().openfast_platform())
    })
}
