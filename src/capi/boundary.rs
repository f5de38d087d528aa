//! The boundary to C: `unsafe` code lives here, in `host` (the host's functions), `floating_point` (one register) and
//! `reserve` (the heap), and nowhere else.
//!
//! Three things live here. **Handles**: what a `pintle_system *` points to, and how it is told from other pointers.
//! **The barrier**: every entry runs inside [`with_system`], [`with_system_mut`] or [`without_system`], where a panic is
//! caught and an error becomes status and message. **Arguments**: `input`, `output` and their kin turn pointers into
//! values that are checked for NULL and copied at once, so that buffers of the caller may overlap.
//!
//! The safety argument is the same throughout: the functions are private to `capi`, their callers are `unsafe extern
//! "C"` entries, and whoever calls an entry vouches for its pointers (the head of `pintle.h` says how): NULL, or valid
//! for the documented number of elements until the call returns. No reference outlives the call.

use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::floating_point::DefaultEnvironment;
use super::last_error::{self, Call, Failure};
use super::reserve::{self, Promise};
use super::status::PINTLE_OK;
use crate::{Error, Result, Simulation, Snapshot};

pub(super) use super::last_error::{between, on};

// ---- Handles ---------------------------------------------------------------------------------------------------------

/// A multibody system: model, settings, accepted and trial state. Made by pintle_create, freed by pintle_destroy.
pub struct pintle_system {
    _opaque: [u8; 0],
}

/// A copy of everything that a step depends on. Made by pintle_state_save, freed by pintle_state_destroy.
pub struct pintle_state {
    _opaque: [u8; 0],
}

/// A handle type: what stands behind the opaque pointer.
pub(super) trait Handle {
    /// What the handle holds.
    type Value;
    /// What messages call it.
    const NAME: &'static str;
    /// What live handles of this type start with.
    const MAGIC: u64;
    /// A panic passed through this value.
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

/// What stands in the place of the magic number once a handle is destroyed.
const DEAD: u64 = 0;

/// What a handle points to. The text of the last error lies apart from the value, so that a call that is refused
/// because the value is in use can still say so.
struct Shell<T> {
    magic: u64,
    busy: AtomicBool,
    message: Mutex<String>,
    value: UnsafeCell<T>,
}

/// A new handle that the caller owns.
pub(super) fn new_handle<H: Handle>(value: H::Value) -> Result<*mut H> {
    let layout = std::alloc::Layout::new::<Shell<H::Value>>();
    // SAFETY: the layout is not of size zero; the memory is written before anyone sees it, and `destroy` frees it as
    // the Box that it then is. (Box::new would abort where there is no memory.)
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
    // SAFETY: live handles come from `new_handle`. For other pointers this is the best that can be done: memory that
    // is readable and aligned is recognised by its first number. Volatile, because a freed shell is not to be reasoned
    // about.
    unsafe {
        if !shell.is_aligned() || (&raw const (*shell).magic).read_volatile() != H::MAGIC {
            return Err(Error::BadHandle { argument, expected: H::NAME });
        }
        Ok(&*shell)
    }
}

/// The exclusive use of a shell's value: taken by `enter`, given back on drop.
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
        // SAFETY: whoever set `busy` is the only one to reach the value, until drop clears it.
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

/// Runs `body` with the value of a handle. A second entry while it runs is refused, whoever tries.
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

/// Frees what `*handle` points to and sets it to NULL; NULL inside is fine.
pub(super) fn destroy<H: Handle>(function: &'static str, argument: &'static str, handle: *mut *mut H) -> i32 {
    // SAFETY: NULL, or the caller's variable.
    let inside = if handle.is_null() { std::ptr::null_mut() } else { unsafe { handle.read_unaligned() } };
    barrier(function.into(), inside, || {
        let slot = scalar_output(argument, handle)?;
        if !inside.is_null() {
            // The value stays entered: nobody gets in any more.
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

// ---- The barrier -----------------------------------------------------------------------------------------------------

/// Runs an entry that reads a system.
#[inline]
pub(super) fn with_system<E: Into<Failure>>(
    call: impl Into<Call>,
    sys: *const pintle_system,
    body: impl FnOnce(&Simulation) -> std::result::Result<(), E>,
) -> i32 {
    barrier(call.into(), sys, || visit("sys", sys, |simulation| body(simulation)))
}

/// Runs an entry that changes a system.
#[inline]
pub(super) fn with_system_mut<E: Into<Failure>>(
    call: impl Into<Call>,
    sys: *mut pintle_system,
    body: impl FnOnce(&mut Simulation) -> std::result::Result<(), E>,
) -> i32 {
    barrier(call.into(), sys, || visit("sys", sys, body))
}

/// Runs an entry that has no system.
#[inline]
pub(super) fn without_system<E: Into<Failure>>(
    call: impl Into<Call>,
    body: impl FnOnce() -> std::result::Result<(), E>,
) -> i32 {
    barrier(call.into(), std::ptr::null::<pintle_system>(), || body().map_err(Into::into))
}

/// Makes sure of the memory that a call needs in proportion to its model or its arguments, as long as the guard lives.
/// Errors: there is none.
#[inline]
pub(super) fn room(bytes: usize) -> Result<Option<Promise>> {
    if bytes == 0 { Ok(None) } else { reserve::promise(bytes) }
}

/// The panic barrier: nothing unwinds into C, nothing is printed; a failure is kept as message and becomes a status.
#[inline]
fn barrier<H: Handle>(call: Call, handle: *const H, body: impl FnOnce() -> std::result::Result<(), Failure>) -> i32 {
    let _environment = DefaultEnvironment::enter();
    let prepared = || {
        let _small = reserve::ready()?;
        body()
    };
    match caught(prepared) {
        Ok(()) => PINTLE_OK,
        Err(failure) => refuse(call, handle, failure),
    }
}

/// Runs `body`; a panic becomes an error. Unwind safety: `visit` marks a system that a panic passed through as failed.
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
    let message = call.message(&failure);
    last_error::store(&message);
    if let Ok(shell) = shell("", handle) {
        *shell.message.lock().unwrap_or_else(PoisonError::into_inner) = message;
    }
    failure.status()
}

/// `pintle_error_message`: works at any time, also while the system is in use, and stores nothing itself.
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

// ---- Arguments in ----------------------------------------------------------------------------------------------------

/// `argument[N]`, copied.
#[inline]
pub(super) fn input<const N: usize>(argument: &'static str, pointer: *const f64) -> Result<[f64; N]> {
    optional_input(pointer).ok_or(Error::NullArgument { argument })
}

/// `argument[N]`, copied, where NULL means none.
#[inline]
pub(super) fn optional_input<const N: usize>(pointer: *const f64) -> Option<[f64; N]> {
    // SAFETY: not NULL, so the caller vouches for N doubles.
    (!pointer.is_null()).then(|| unsafe { pointer.cast::<[f64; N]>().read_unaligned() })
}

/// `argument[n][N]`, where `n` must be the number of `things`.
#[inline]
pub(super) fn inputs<'a, const N: usize>(
    argument: &'static str,
    (n, count, things): (i32, i32, &'static str),
    pointer: *const f64,
) -> Result<&'a [[f64; N]]> {
    let length = row_count(argument, (n, count, things), pointer)?;
    // SAFETY: not NULL and aligned (just checked, or empty), and the caller vouches for n rows.
    Ok(if length == 0 { &[] } else { unsafe { std::slice::from_raw_parts(pointer.cast(), length) } })
}

/// `argument[n]`, copied.
pub(super) fn ids((name, n): (&'static str, i32), argument: &'static str, pointer: *const i32) -> Result<Vec<i32>> {
    let length = size(name, n.into())?;
    if length == 0 {
        return Ok(Vec::new());
    }
    if pointer.is_null() {
        return Err(Error::NullArgument { argument });
    }
    // SAFETY: not NULL, so the caller vouches for n numbers; read one by one, whatever their alignment.
    Ok((0..length).map(|k| unsafe { pointer.add(k).read_unaligned() }).collect())
}

/// Checks a number of rows or entries, and gives it as a length.
pub(super) fn length(argument: &'static str, (given, count, things): (i32, i32, &'static str)) -> Result<usize> {
    let expected = || format!("{count} (the number of {things})");
    let length = if given == count { usize::try_from(given).ok() } else { None };
    length.ok_or_else(|| Error::BadSize { argument, given: given.into(), expected: expected() })
}

/// Checks what `inputs` and `outputs` have in common.
#[inline]
fn row_count(
    argument: &'static str,
    (n, count, things): (i32, i32, &'static str),
    pointer: *const f64,
) -> Result<usize> {
    if n > 0 && pointer.is_null() {
        return Err(Error::NullArgument { argument });
    }
    if n != count || n < 0 {
        let expected = format!("{count} (the number of {things})");
        return Err(Error::BadSize { argument: "n", given: n.into(), expected });
    }
    if !pointer.is_aligned() {
        return Err(Error::BadValue { argument, detail: "not aligned as an array of double".into() });
    }
    Ok(n as usize)
}

/// Longest text that is taken: names, keys and paths are shorter, and copies of it are small things.
const LONGEST_TEXT: usize = 8191;

/// NUL-terminated UTF-8.
pub(super) fn text<'a>(argument: &'static str, pointer: *const c_char) -> Result<&'a str> {
    if pointer.is_null() {
        return Err(Error::NullArgument { argument });
    }
    // SAFETY: not NULL, so the caller vouches for a NUL at the end.
    let text = unsafe { CStr::from_ptr(pointer) };
    let length = text.count_bytes();
    if length > LONGEST_TEXT {
        let expected = format!("at most {LONGEST_TEXT} bytes");
        return Err(Error::BadSize { argument, given: length as i64, expected });
    }
    text.to_str().map_err(|error| Error::BadUtf8 { argument, valid_up_to: error.valid_up_to() })
}

/// `bytes[len]`.
pub(super) fn bytes<'a>(argument: &'static str, len: i64, pointer: *const u8) -> Result<&'a [u8]> {
    let length = size("len", len)?;
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() {
        return Err(Error::NullArgument { argument });
    }
    // SAFETY: not NULL, so the caller vouches for `len` bytes.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// A size in bytes.
fn size(argument: &'static str, given: i64) -> Result<usize> {
    let wrong = || Error::BadSize { argument, given, expected: "0 or more".into() };
    // No object is larger than isize::MAX, and slices rely on that.
    isize::try_from(given).ok().and_then(|size| usize::try_from(size).ok()).ok_or_else(wrong)
}

/// 0 or 1.
pub(super) fn flag(argument: &'static str, given: i32) -> Result<bool> {
    match given {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(Error::BadValue { argument, detail: format!("{given} is neither 0 nor 1") }),
    }
}

// ---- Arguments out ---------------------------------------------------------------------------------------------------

/// A place for one result; nothing is written before the result is there.
#[must_use]
pub(super) struct Output<T>(*mut T);

impl<T> Output<T> {
    #[inline]
    pub(super) fn write(self, value: T) -> Result<()> {
        // SAFETY: not NULL (checked where this was made), so the caller vouches for one T.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }
}

/// A place for one number or handle.
#[inline]
pub(super) fn scalar_output<T>(argument: &'static str, pointer: *mut T) -> Result<Output<T>> {
    if pointer.is_null() { Err(Error::NullArgument { argument }) } else { Ok(Output(pointer)) }
}

/// A place for one of several results, where NULL says that it is not wanted.
#[must_use]
pub(super) struct OptionalOutput<T>(Option<Output<T>>);

impl<T> OptionalOutput<T> {
    #[inline]
    pub(super) fn write(self, value: T) -> Result<()> {
        self.0.map_or(Ok(()), |output| output.write(value))
    }
}

/// A place for one of several numbers; NULL if it is not wanted.
#[inline]
pub(super) fn optional_output<T>(pointer: *mut T) -> OptionalOutput<T> {
    OptionalOutput((!pointer.is_null()).then_some(Output(pointer)))
}

/// A place for `argument[N]`.
#[inline]
pub(super) fn output<const N: usize>(argument: &'static str, pointer: *mut f64) -> Result<Output<[f64; N]>> {
    scalar_output(argument, pointer.cast())
}

/// The caller's `argument[n][N]`, where `n` must be the number of `things`.
#[inline]
pub(super) fn outputs<'a, const N: usize>(
    argument: &'static str,
    rows: (i32, i32, &'static str),
    pointer: *mut f64,
) -> Result<&'a mut [[f64; N]]> {
    let length = row_count(argument, rows, pointer)?;
    // SAFETY: not NULL and aligned (just checked, or empty), and the caller vouches for n rows. It is the only array
    // argument of its function.
    Ok(if length == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(pointer.cast(), length) } })
}

/// A place for an array that is written as a whole, so that it may overlap with arguments that were copied.
#[must_use]
pub(super) struct ArrayOutput {
    pointer: *mut f64,
    length: usize,
}

/// A place for `length` numbers, whose count was checked against the caller's.
pub(super) fn array_output(argument: &'static str, length: usize, pointer: *mut f64) -> Result<ArrayOutput> {
    if length > 0 && pointer.is_null() {
        Err(Error::NullArgument { argument })
    } else {
        Ok(ArrayOutput { pointer, length })
    }
}

impl ArrayOutput {
    /// Writes all of it.
    pub(super) fn write(self, values: &[f64]) -> Result<()> {
        debug_assert_eq!(values.len(), self.length);
        let length = values.len().min(self.length);
        // SAFETY: not NULL (or empty), and the caller vouches for `length` numbers; bytes need no alignment.
        unsafe { std::ptr::copy(values.as_ptr().cast::<u8>(), self.pointer.cast::<u8>(), length * size_of::<f64>()) };
        Ok(())
    }
}

/// A place for text: `(cap, buf, len)`.
#[must_use]
pub(super) struct TextOutput {
    capacity: usize,
    buf: *mut c_char,
    len: *mut i32,
}

/// Checks the arguments of a text output. With `cap` = 0, `buf` may be NULL; `len` may always be.
pub(super) fn text_output(cap: i32, buf: *mut c_char, len: *mut i32) -> Result<TextOutput> {
    let capacity = size("cap", cap.into())?;
    if capacity > 0 && buf.is_null() {
        return Err(Error::NullArgument { argument: "buf" });
    }
    Ok(TextOutput { capacity, buf, len })
}

impl TextOutput {
    /// Writes what fits, cut between characters, and a NUL; the full length goes to `len`.
    pub(super) fn write(self, text: &str) -> Result<()> {
        let fits = text.floor_char_boundary(self.capacity.saturating_sub(1));
        // SAFETY: the caller vouches for `cap` bytes at `buf`, fits < cap; `len` is NULL or the caller's variable.
        unsafe {
            if self.capacity > 0 {
                std::ptr::copy(text.as_ptr(), self.buf.cast(), fits);
                self.buf.add(fits).write(0);
            }
            if !self.len.is_null() {
                self.len.write_unaligned(i32::try_from(text.len()).unwrap_or(i32::MAX));
            }
        }
        if self.capacity > text.len() {
            return Ok(());
        }
        Err(Error::BufferTooSmall { argument: "cap", given: self.capacity as i64, needed: text.len() as i64 + 1 })
    }
}

/// Writes `length` bytes, made by `fill`, to `(cap, bytes, len)`. With `cap` = 0 only the length is told.
pub(super) fn bytes_output(
    (cap, bytes, len): (i64, *mut u8, *mut i64),
    length: usize,
    fill: impl FnOnce(&mut [u8]) -> Result<()>,
) -> Result<()> {
    let capacity = size("cap", cap)?;
    if capacity > 0 && bytes.is_null() {
        return Err(Error::NullArgument { argument: "bytes" });
    }
    scalar_output("len", len)?.write(length as i64)?;
    if capacity == 0 {
        return Ok(());
    }
    if capacity < length {
        return Err(Error::BufferTooSmall { argument: "cap", given: cap, needed: length as i64 });
    }
    // SAFETY: not NULL, and the caller vouches for `cap` bytes.
    fill(unsafe { std::slice::from_raw_parts_mut(bytes, length) })
}

/// Puts a snapshot where `*state` is: into the state that is there, or into a new one.
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

/// Copies the first `size` bytes of a table of function pointers. Errors: the size is not that of an older or equal table.
pub(super) fn table_output<T: Copy>(out: *mut T, given: i64, table: &T) -> Result<()> {
    let slot = scalar_output("out", out)?;
    let own = size_of::<T>();
    let wanted = size("size", given)?;
    if wanted == 0 || !wanted.is_multiple_of(size_of::<*const ()>()) {
        return Err(Error::BadSize { argument: "size", given, expected: "sizeof(pintle_api)".into() });
    }
    if wanted > own {
        return Err(Error::AbiMismatch { argument: "size", given, own: own as i64 });
    }
    // SAFETY: not NULL, the caller vouches for `size` bytes, and the table has at least as many.
    unsafe { std::ptr::copy_nonoverlapping((&raw const *table).cast::<u8>(), slot.0.cast::<u8>(), wanted) };
    Ok(())
}
