//! The boundary to C: `unsafe` code is here, in `arguments` (arrays and texts of the caller),
//! `host` (the host's functions), in `crate::floating_point` (one register), in `crate::reserve`
//! (the heap), and nowhere else.
//!
//! This file has two parts. **Handles**: the object of a `pintle_system *`, and how it is
//! distinguished from other pointers. **The barrier**: every entry runs inside `with_system`,
//! `with_system_mut` or `without_system`, where a panic is caught and an error becomes status and
//! message.
//!
//! The safety argument is the same throughout: the functions are private to `capi`, their callers
//! are `unsafe extern "C"` entries, and the caller of an entry vouches for its pointers (see the
//! head of `pintle.h`): NULL, or valid for the documented number of elements until the call
//! returns. No reference outlives the call.

use std::cell::UnsafeCell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::floating_point::DefaultEnvironment;
use super::last_error::{self, Call, Failure};
use super::status::PINTLE_OK;
use crate::reserve;
/// The memory that a call needs in proportion to its model or its arguments.
pub(super) use crate::reserve::room;
use crate::{Error, Result, Simulation, Snapshot};

pub(super) use super::arguments::{
    array_output, bytes, bytes_output, flag, ids, input, inputs, length, optional_input, optional_output, output,
    outputs, scalar_output, size, table_output, text, text_output, write_columns,
};
pub(super) use super::last_error::{about, between, on};

// ---- Handles ---------------------------------------------------------------------------------------------------------

/// A multibody system: model, settings, accepted and trial state. Made by pintle_create, freed by
/// pintle_destroy.
pub struct pintle_system {
    _opaque: [u8; 0],
}

/// A copy of everything that a step depends on. Made by pintle_state_save, freed by
/// pintle_state_destroy.
pub struct pintle_state {
    _opaque: [u8; 0],
}

/// The type of an opaque pointer.
pub(super) trait Handle {
    /// The type of its object.
    type Value;
    /// Its name in messages.
    const NAME: &'static str;
    /// The first number of live handles of this type.
    const MAGIC: u64;
    /// Called after a panic passed through this value.
    fn panicked(value: &mut Self::Value);
}

impl Handle for pintle_system {
    type Value = Simulation;
    const NAME: &'static str = "pintle_system";
    const MAGIC: u64 = u64::from_le_bytes(*b"pin:syst");
    fn panicked(simulation: &mut Simulation) {
        simulation.mark_failed();
    }
}

impl Handle for pintle_state {
    type Value = Snapshot;
    const NAME: &'static str = "pintle_state";
    const MAGIC: u64 = u64::from_le_bytes(*b"pin:stat");
    fn panicked(_: &mut Snapshot) {}
}

/// Replaces the magic number when a handle is destroyed.
const DEAD: u64 = 0;

/// The object of a handle. The text of the last error is outside of the value, so that a call that
/// is refused because the value is in use can store its message.
struct Shell<T> {
    magic: u64,
    busy: AtomicBool,
    message: Mutex<String>,
    value: UnsafeCell<T>,
}

/// A new handle that the caller owns.
pub(super) fn new_handle<H: Handle>(value: H::Value) -> Result<*mut H> {
    let layout = std::alloc::Layout::new::<Shell<H::Value>>();
    // SAFETY: the layout is not of size zero; the memory is written before it is shared, and
    // `destroy` frees it as the Box that it then is. (Box::new would abort if there is no memory.)
    unsafe {
        let shell = std::alloc::alloc(layout).cast::<Shell<H::Value>>();
        if shell.is_null() {
            return Err(Error::OutOfMemory { argument: H::NAME, bytes: layout.size() });
        }
        shell.write(Shell {
            magic: H::MAGIC,
            busy: AtomicBool::new(false),
            message: Mutex::new(String::new()),
            value: UnsafeCell::new(value),
        });
        Ok(shell.cast())
    }
}

/// The shell behind a handle. Errors: NULL; not a live handle of this type.
#[inline]
fn shell<'a, H: Handle>(argument: &'static str, handle: *const H) -> Result<&'a Shell<H::Value>> {
    let shell = handle.cast::<Shell<H::Value>>();
    if shell.is_null() {
        return Err(Error::NullArgument { argument });
    }
    // SAFETY: live handles come from `new_handle`. For other pointers this is the best that can be
    // done: memory that is readable and aligned is recognised by its first number. Volatile,
    // because the compiler must not reason about a freed shell.
    unsafe {
        if !shell.is_aligned() || (&raw const (*shell).magic).read_volatile() != H::MAGIC {
            return Err(Error::BadHandle { argument, expected: H::NAME });
        }
        Ok(&*shell)
    }
}

/// The exclusive use of a shell's value: acquired by `enter`, released on drop.
struct Entered<'a, H: Handle> {
    shell: &'a Shell<H::Value>,
    finished: bool,
}

impl<'a, H: Handle> Entered<'a, H> {
    #[inline]
    fn enter(argument: &'static str, handle: *const H) -> std::result::Result<Self, Failure> {
        let shell = shell(argument, handle)?;
        if shell.busy.swap(true, Ordering::Acquire) {
            return Err(Failure::Busy(argument));
        }
        Ok(Entered { shell, finished: false })
    }

    #[inline]
    fn value(&mut self) -> &mut H::Value {
        // SAFETY: `busy` gives exclusive access to the value, until drop clears it.
        unsafe { &mut *self.shell.value.get() }
    }
}

impl<H: Handle> Drop for Entered<'_, H> {
    #[inline]
    fn drop(&mut self) {
        if !self.finished {
            H::panicked(self.value());
        }
        self.shell.busy.store(false, Ordering::Release);
    }
}

/// Runs `body` with the value of a handle. A second entry meanwhile is refused, from any thread.
#[inline]
pub(super) fn visit<H: Handle, E: Into<Failure>>(
    argument: &'static str,
    handle: *const H,
    body: impl FnOnce(&mut H::Value) -> std::result::Result<(), E>,
) -> std::result::Result<(), Failure> {
    let mut entered = Entered::enter(argument, handle)?;
    let outcome = body(entered.value());
    entered.finished = true;
    outcome.map_err(Into::into)
}

/// Frees the object of `*handle` and sets it to NULL; does nothing if it is NULL already.
pub(super) fn destroy<H: Handle>(function: &'static str, argument: &'static str, handle: *mut *mut H) -> i32 {
    // SAFETY: NULL, or the caller's variable.
    let inside = if handle.is_null() { std::ptr::null_mut() } else { unsafe { handle.read_unaligned() } };
    barrier(function, inside, || {
        let slot = scalar_output(argument, handle)?;
        if !inside.is_null() {
            // The value stays entered, so that no other call can enter it.
            std::mem::forget(Entered::enter(argument, inside)?);
            slot.write(std::ptr::null_mut())?;
            let shell = inside.cast::<Shell<H::Value>>();
            // SAFETY: live (just checked), from `new_handle`, and never touched again.
            unsafe {
                (&raw mut (*shell).magic).write_volatile(DEAD);
                drop(Box::from_raw(shell));
            }
        }
        Ok(())
    })
}

/// Writes a snapshot to `*state`: to the existing state, or to a new one.
pub(super) fn fill_state(
    state: *mut *mut pintle_state,
    make: impl FnOnce() -> Result<Snapshot>,
    remake: impl FnOnce(&mut Snapshot) -> Result<()>,
) -> std::result::Result<(), Failure> {
    let slot = scalar_output("state", state)?;
    // SAFETY: not NULL, so the caller vouches for its variable.
    let present = unsafe { state.read_unaligned() };
    if present.is_null() {
        return Ok(slot.write(new_handle(make()?)?)?);
    }
    visit("state", present, remake)
}

// ---- The barrier -----------------------------------------------------------------------------------------------------

/// Runs an entry that reads a system.
#[inline]
pub(super) fn with_system<E: Into<Failure>>(
    call: impl Into<Call>,
    sys: *const pintle_system,
    body: impl FnOnce(&Simulation) -> std::result::Result<(), E>,
) -> i32 {
    with_system_mut(call, sys.cast_mut(), |simulation| body(simulation))
}

/// Runs an entry that changes a system.
#[inline]
pub(super) fn with_system_mut<E: Into<Failure>>(
    call: impl Into<Call>,
    sys: *mut pintle_system,
    body: impl FnOnce(&mut Simulation) -> std::result::Result<(), E>,
) -> i32 {
    let mut body = Some(body);
    let outcome = visit_behind_barrier(sys, &mut |simulation| match body.take() {
        Some(body) => body(simulation).map_err(Into::into),
        None => Ok(()),
    });
    answer(call, sys, outcome)
}

/// Runs an entry that has no system.
#[inline]
pub(super) fn without_system<E: Into<Failure>>(
    call: impl Into<Call>,
    body: impl FnOnce() -> std::result::Result<(), E>,
) -> i32 {
    barrier(call, std::ptr::null::<pintle_system>(), || body().map_err(Into::into))
}

/// Runs the body of an entry and answers with a status.
#[inline]
fn barrier<H: Handle>(
    call: impl Into<Call>,
    handle: *const H,
    body: impl FnOnce() -> std::result::Result<(), Failure>,
) -> i32 {
    answer(call, handle, behind_barrier(body))
}

/// `behind_barrier` with the value of a system. Compiled once: in each entry it would take a
/// kilobyte of the library.
#[inline(never)]
fn visit_behind_barrier(
    sys: *const pintle_system,
    body: &mut dyn FnMut(&mut Simulation) -> std::result::Result<(), Failure>,
) -> std::result::Result<(), Failure> {
    behind_barrier(|| visit("sys", sys, body))
}

/// The panic barrier: nothing unwinds into C, nothing is printed. The body runs in the default
/// floating-point environment, with memory in reserve.
#[inline]
fn behind_barrier(body: impl FnOnce() -> std::result::Result<(), Failure>) -> std::result::Result<(), Failure> {
    let _environment = DefaultEnvironment::enter();
    caught(|| {
        let _small = reserve::ready()?;
        body()
    })
}

/// The status of an outcome; a failure leaves its message with the thread and with `handle`.
#[inline]
fn answer<H: Handle>(call: impl Into<Call>, handle: *const H, outcome: std::result::Result<(), Failure>) -> i32 {
    match outcome {
        Ok(()) => PINTLE_OK,
        Err(failure) => refuse(call.into(), handle, failure),
    }
}

/// Runs `body`; a panic becomes an error. Unwind safety: `visit` marks a system that a panic passed
/// through as failed.
#[inline]
fn caught(body: impl FnOnce() -> std::result::Result<(), Failure>) -> std::result::Result<(), Failure> {
    last_error::silence_panics();
    let before = last_error::set_inside(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    last_error::set_inside(before);
    outcome.unwrap_or_else(|payload| Err(last_error::caught_panic(&*payload).into()))
}

/// Stores the message with the thread, and with the handle if it is one; returns the status.
#[cold]
#[inline(never)]
fn refuse<H: Handle>(call: Call, handle: *const H, failure: Failure) -> i32 {
    let _environment = DefaultEnvironment::enter();
    let message = call.message(&failure);
    last_error::store(&message);
    if let Ok(shell) = shell("", handle) {
        *shell.message.lock().unwrap_or_else(PoisonError::into_inner) = message;
    }
    failure.status()
}

/// `pintle_error_message`: works at any time, also while the system is in use, and stores nothing
/// itself.
pub(super) fn error_message(sys: *const pintle_system, cap: i32, buf: *mut c_char, len: *mut i32) -> i32 {
    let copied = caught(|| {
        let output = text_output(cap, buf, len)?;
        if sys.is_null() {
            return Ok(last_error::read(|message| output.write(message))?);
        }
        let message = shell("sys", sys)?.message.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(output.write(&message)?)
    });
    copied.map_or_else(|failure| failure.status(), |()| PINTLE_OK)
}
