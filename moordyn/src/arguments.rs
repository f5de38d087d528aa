//! Arguments of a host: texts, arrays, destinations of results.
//!
//! Safety: the caller of an entry vouches for its pointers: NULL, or valid for the number of
//! elements that MoorDyn's functions define until the call returns. NULL and unaligned pointers are
//! refused.

use crate::status::{Failure, Outcome};
use std::ffi::{CStr, c_char};

/// A text. Errors: NULL; not UTF-8.
pub fn text<'a>(argument: &str, pointer: *const c_char) -> Outcome<&'a str> {
    if pointer.is_null() {
        return Err(Failure::value(format!("{argument} is NULL")));
    }
    // SAFETY: not NULL, so a NUL-terminated text, as the caller guarantees.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|_| Failure::value(format!("{argument} is not UTF-8")))
}

fn check<T>(argument: &str, pointer: *const T, count: usize) -> Outcome<()> {
    if pointer.is_null() {
        return Err(Failure::value(format!("{argument} is NULL")));
    }
    let fits = count.checked_mul(size_of::<T>()).is_some_and(|bytes| bytes <= isize::MAX as usize);
    if !pointer.is_aligned() || !fits {
        return Err(Failure::value(format!("{argument} is not an array of {count}")));
    }
    Ok(())
}

/// An array for reading. Errors: NULL, unless it is empty.
pub fn array<'a, T>(argument: &str, pointer: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check(argument, pointer, count)?;
    // SAFETY: aligned, not NULL, of a size that a slice may have, and with so many elements, as the
    // caller guarantees.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array for writing. Errors: NULL, unless it is empty.
pub fn output<'a, T>(argument: &str, pointer: *mut T, count: usize) -> Outcome<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(argument, pointer, count)?;
    // SAFETY: as above, and exclusive during the call.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Writes a value. Errors: NULL.
pub fn write<T>(argument: &str, pointer: *mut T, value: T) -> Outcome<()> {
    output(argument, pointer, 1)?[0] = value;
    Ok(())
}

/// Writes a value, unless the pointer is NULL.
pub fn write_if<T>(argument: &str, pointer: *mut T, value: T) -> Outcome<()> {
    if pointer.is_null() { Ok(()) } else { write(argument, pointer, value) }
}
