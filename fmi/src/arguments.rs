//! Arguments of an importer: texts, arrays, destinations of results. All reads and writes of its
//! memory are here and in `boundary`.
//!
//! Safety: the caller of an entry vouches for its pointers, as the standard requires: NULL, or
//! valid for the given number of elements until the call returns. NULL and unaligned pointers are
//! refused.

use crate::failure::Failure;
use crate::instance::Outcome;
use std::ffi::{CStr, c_char};

/// A text. Errors: NULL; not UTF-8.
pub fn text<'a>(argument: &str, pointer: *const c_char) -> Outcome<&'a str> {
    if pointer.is_null() {
        return Err(Failure::error(format!("{argument} is NULL")));
    }
    // SAFETY: not NULL, so a NUL-terminated text, as the caller guarantees.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|_| Failure::error(format!("{argument} is not UTF-8")))
}

/// A text that may be missing.
pub fn optional_text<'a>(argument: &str, pointer: *const c_char) -> Outcome<&'a str> {
    if pointer.is_null() { Ok("") } else { text(argument, pointer) }
}

fn check<T>(argument: &str, pointer: *const T, count: usize) -> Outcome<()> {
    if pointer.is_null() {
        return Err(Failure::error(format!("{argument} is NULL")));
    }
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize);
    if !pointer.is_aligned() || !fits {
        return Err(Failure::error(format!("{argument} is not an array of {count}")));
    }
    Ok(())
}

/// An array for reading.
pub fn array<'a, T>(argument: &str, pointer: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check(argument, pointer, count)?;
    // SAFETY: aligned, not NULL, of a size that a slice may have, and with so many elements, as the
    // caller guarantees.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array for writing.
pub fn output<'a, T>(argument: &str, pointer: *mut T, count: usize) -> Outcome<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(argument, pointer, count)?;
    // SAFETY: as above, and exclusive during the call.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// A variable for writing.
pub fn scalar<'a, T>(argument: &str, pointer: *mut T) -> Outcome<&'a mut T> {
    Ok(&mut output(argument, pointer, 1)?[0])
}

/// Writes a variable, unless the pointer is NULL.
pub fn write_if<T>(argument: &str, pointer: *mut T, value: T) -> Outcome<()> {
    if !pointer.is_null() {
        *scalar(argument, pointer)? = value;
    }
    Ok(())
}
