//! What an importer passes: texts, arrays, places for results. All that reads or writes its memory stands here and in
//! `boundary`.
//!
//! Safety: whoever calls an entry vouches for its pointers, as the standard says: NULL, or valid for the number of elements
//! given until the call returns. NULL and unaligned pointers are refused.

use crate::failure::Failure;
use crate::instance::Outcome;
use std::ffi::{CStr, c_char};

/// A text. Errors: NULL; not UTF-8.
pub fn text<'a>(argument: &str, pointer: *const c_char) -> Outcome<&'a str> {
    if pointer.is_null() {
        return Err(Failure::error(format!("{argument} is NULL")));
    }
    // SAFETY: not NULL, so a text that ends with zero, by the caller's word.
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

/// An array to be read.
pub fn array<'a, T>(argument: &str, pointer: *const T, count: usize) -> Outcome<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    check(argument, pointer, count)?;
    // SAFETY: aligned, not NULL, of a size that a slice may have, and so many elements by the caller's word.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// An array to be filled.
pub fn output<'a, T>(argument: &str, pointer: *mut T, count: usize) -> Outcome<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    check(argument, pointer, count)?;
    // SAFETY: as above, and nobody else's during the call.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// A variable to be written.
pub fn scalar<'a, T>(argument: &str, pointer: *mut T) -> Outcome<&'a mut T> {
    Ok(&mut output(argument, pointer, 1)?[0])
}

/// A variable to be written where there is one.
pub fn write_if<T>(argument: &str, pointer: *mut T, value: T) -> Outcome<()> {
    if !pointer.is_null() {
        *scalar(argument, pointer)? = value;
    }
    Ok(())
}
