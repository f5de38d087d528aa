//! The whole C API as one table: for hosts that load the library at run time and look up a single symbol.
//!
//! Members are named as the functions, without `pintle_`. New members are appended: an older host gets the part that it
//! knows. `scripts/generate` writes this file from `generator/hand_written/api_table.rs` and the entries.

use std::ffi::{c_char, c_void};

use super::boundary::{HANDLES, table_output, without_system};
// generated: uses
use crate::Error;

/// All functions of this header but pintle_get_api, named without "pintle_": `api.step(sys, dt)` is pintle_step.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)] // each member is the function of that name
pub struct pintle_api {
    /// sizeof(pintle_api) of the library: at least what the host asked for.
    pub size: i64,
    /// PINTLE_ABI of the library.
    pub abi: i32,
    /// 0.
    pub reserved: i32,
// generated: members
}

/// The table that pintle_get_api returns.
static TABLE: pintle_api = pintle_api {
    size: size_of::<pintle_api>() as i64,
    abi: library::PINTLE_ABI,
    reserved: 0,
// generated: values
};

/// Returns the whole table, so that a host that loads the library at run time looks up one symbol only.
///
/// - `abi_version`: PINTLE_ABI of the header that the host was compiled with.
/// - `size`: sizeof(pintle_api) there. Functions that were added to the library later are not filled in.
/// - `out`: receives the table.
///
/// Errors: ABI_MISMATCH (other ABI, or the library is older than the header), BAD_SIZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_api(abi_version: i32, size: i64, out: *mut pintle_api) -> i32 {
    without_system("pintle_get_api", || {
        if abi_version != library::PINTLE_ABI {
            let (given, own) = (abi_version.into(), library::PINTLE_ABI.into());
            return Err(Error::AbiMismatch { argument: "abi_version", given, own });
        }
        table_output(out, size, &TABLE)
    })
}
