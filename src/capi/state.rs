//! State. Rollback in memory, restart from bytes and files.

use std::ffi::c_char;
use std::path::Path;

use crate::{Memory, Work};

use super::boundary::{
    self, bytes_output, fill_state, pintle_state, pintle_system, room, text, visit, with_system, with_system_mut,
    without_system,
};

/// Saves the accepted state, and a pending trial, with everything that a step depends on: motion,
/// inputs, options, the scheme's history, and data from the start of the run. A system of the same
/// model that is restored from it, wherever it started, continues bit for bit as this one does
/// (load callbacks are the host's: they must return the same).
///
/// - `sys`: the system.
/// - `state`: the address of the state's handle. If that is NULL: a new state is made, which the
///   caller owns and frees with pintle_state_destroy. Otherwise that state is overwritten, without
///   allocation if it came from the same model.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_state_save(sys: *const pintle_system, state: *mut *mut pintle_state) -> i32 {
    with_system("pintle_state_save", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Copy))?;
        fill_state(state, || system.save(), |snapshot| system.save_into(snapshot))
    })
}

/// Restores a saved state, and the phase in which it was saved: READY, or TRIAL with its trial. A
/// trial that is pending now is discarded.
///
/// - `sys`: a system with the same model as the one that the state was saved from.
/// - `state`: the state; it is not changed.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, FINGERPRINT (another model).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_state_restore(sys: *mut pintle_system, state: *const pintle_state) -> i32 {
    with_system_mut("pintle_state_restore", sys, |system| {
        visit("state", state, |snapshot| {
            let _room = room(Memory::of(system).restoring(snapshot))?;
            system.restore(snapshot)
        })
    })
}

/// Frees a state and sets `*state` to NULL. Nothing happens if it is NULL already.
///
/// - `state`: the address of the state's handle.
///
/// Errors: BAD_HANDLE, BAD_PHASE (in use by another call).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_state_destroy(state: *mut *mut pintle_state) -> i32 {
    boundary::destroy("pintle_state_destroy", "state", state)
}

/// Writes a state as bytes: versioned and checksummed, the same on every machine of the same byte
/// order.
///
/// - `state`: the state.
/// - `cap`, `bytes[cap]`: the buffer; 0 and NULL to ask for the length only.
/// - `len`: receives the full length.
///
/// Errors: BAD_PHASE (in use by another call), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < full
/// length; only len is written).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_state_serialize(
    state: *const pintle_state,
    cap: i64,
    bytes: *mut u8,
    len: *mut i64,
) -> i32 {
    without_system("pintle_state_serialize", || {
        visit("state", state, |snapshot| {
            bytes_output((cap, bytes, len), snapshot.serialized_len(), |bytes| snapshot.serialize_into(bytes))
        })
    })
}

/// Reads a state from bytes.
///
/// - `sys`: a system with the same model as the one that the state was saved from; it is only read.
/// - `len`, `bytes[len]`: the bytes of pintle_state_serialize.
/// - `state`: the address of the state's handle. If that is NULL: a new state is made, which the
///   caller owns. Otherwise that state is overwritten.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (len < 0), FORMAT (not a state, or
/// damaged), FINGERPRINT (another model), OUT_OF_MEMORY.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_state_deserialize(
    sys: *const pintle_system,
    len: i64,
    bytes: *const u8,
    state: *mut *mut pintle_state,
) -> i32 {
    with_system("pintle_state_deserialize", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let bytes = boundary::bytes("bytes", len, bytes)?;
        fill_state(
            state,
            || system.deserialize(bytes),
            |snapshot| {
                *snapshot = system.deserialize(bytes)?;
                Ok(())
            },
        )
    })
}

/// Writes the state that pintle_state_save saves, including a pending trial, to a file, which is
/// replaced as a whole or not at all, however many threads and processes write it at once and
/// whenever they are killed. It is written in the same folder, under a name ".pintle-*.tmp" that
/// the next writer removes if this one is killed, and then renamed. Symbolic links are followed,
/// permissions kept; anything but a regular file (directory, device, FIFO) is refused.
///
/// - `sys`: the system.
/// - `path`: of the file.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (path names no file), IO.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_write_checkpoint(sys: *const pintle_system, path: *const c_char) -> i32 {
    with_system("pintle_write_checkpoint", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let path = text("path", path)?;
        system.write_checkpoint(Path::new(path))
    })
}

/// Reads a file that pintle_write_checkpoint wrote and restores it as pintle_state_restore does.
///
/// - `sys`: a system with the same model as the one that wrote it.
/// - `path`: of the file.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, IO (no regular file, or the system
/// refuses), FORMAT (not a state, or damaged, or of another version's format), FINGERPRINT (another
/// model).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_read_checkpoint(sys: *mut pintle_system, path: *const c_char) -> i32 {
    with_system_mut("pintle_read_checkpoint", sys, |system| {
        let _room = room(Memory::of(system).working(Work::Model))?;
        let path = text("path", path)?;
        system.read_checkpoint(Path::new(path))
    })
}
