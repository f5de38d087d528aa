//! The library: what belongs to it, not to a system. No handle, any thread.

use std::ffi::{CStr, c_char};

use super::boundary::{self, pintle_system, scalar_output, without_system};
use super::status;
use crate::simulation;

/// The ABI that this header describes: compare with pintle_abi_version(). Raised when a program
/// that was compiled before would no longer work.
pub const PINTLE_ABI: i32 = 1;

/// The version as C text.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no NUL inside"),
};

/// The version of the library, as "MAJOR.MINOR.PATCH". Static text; never NULL.
#[unsafe(no_mangle)]
pub extern "C" fn pintle_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The ABI of the library: a host that was compiled with another PINTLE_ABI must not continue.
#[unsafe(no_mangle)]
pub extern "C" fn pintle_abi_version() -> i32 {
    PINTLE_ABI
}

/// The name of a status as in this header, for example "PINTLE_ERR_BAD_ID". Static text; never
/// NULL.
///
/// - `status`: what a function returned; unknown numbers give "PINTLE_ERR_UNKNOWN".
#[unsafe(no_mangle)]
pub extern "C" fn pintle_status_name(status: i32) -> *const c_char {
    status::name(status).as_ptr()
}

/// The message of the last failed call, with function, argument, entity and value. Empty if no call
/// failed yet.
///
/// It may be called at any time, also inside a load callback, and does not change the stored
/// message, even when it fails itself.
///
/// - `sys`: the last failed call on this system; NULL: the calling thread's last failed call,
///   whatever handle it had (cut at 1024 bytes).
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated UTF-8; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (cap <= full length; the text is cut).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_error_message(
    sys: *const pintle_system,
    cap: i32,
    buf: *mut c_char,
    len: *mut i32,
) -> i32 {
    boundary::error_message(sys, cap, buf, len)
}

/// A status on the scale 0 ok, 1 info, 2 warning, 3 severe, 4 fatal (OpenFAST's ErrID): 0 for
/// PINTLE_OK, 4 for every other number, known or not.
///
/// - `status`: what a function returned.
#[unsafe(no_mangle)]
pub extern "C" fn pintle_status_severity(status: i32) -> i32 {
    if status == status::PINTLE_OK { 0 } else { 4 }
}

/// A time step for a model with a rotor, as Ashes calculates it: 2 pi radius/(6 x 11.4 m/s) x
/// 2/360, in which the rotor turns by 2 degrees at 11.4 m/s and tip speed ratio 6, cut to one
/// significant digit. 62.941 m gives 0.03 s.
///
/// - `radius`: of the rotor, m; 0 for a model without rotor, which gives 0.03 s.
/// - `dt`: receives the step, s.
///
/// Errors: NOT_FINITE, BAD_VALUE (radius negative).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_suggest_time_step(radius: f64, dt: *mut f64) -> i32 {
    without_system("pintle_suggest_time_step", || {
        let dt = scalar_output("dt", dt)?;
        dt.write(simulation::suggested_time_step(radius)?)
    })
}
