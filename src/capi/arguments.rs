//! Arguments of the C API: pointers of the caller, converted to values and destinations of results.
//!
//! `input`, `output` and similar functions check for NULL and copy at once, so that buffers of the
//! caller may overlap. Handles and systems are in `boundary`, whose safety argument holds here,
//! too.

use std::ffi::{CStr, c_char};

use super::last_error;
use crate::error::{Error, Result};

// ---- Arguments in ----------------------------------------------------------------------------------------------------

/// `argument[N]`, copied.
#[inline]
pub(super) fn input<const N: usize>(argument: &'static str, pointer: *const f64) -> Result<[f64; N]> {
    // Not `ok_or`, which would construct an error in every setter.
    match optional_input(pointer) {
        Some(numbers) => Ok(numbers),
        None => Err(Error::NullArgument { argument }),
    }
}

/// `argument[N]`, copied; None for NULL.
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
    // SAFETY: not NULL, so the caller vouches for n numbers; read one by one, whatever their
    // alignment.
    Ok((0..length).map(|k| unsafe { pointer.add(k).read_unaligned() }).collect())
}

/// Checks a number of rows or entries, and converts it to a length.
pub(super) fn length(argument: &'static str, (given, count, things): (i32, i32, &'static str)) -> Result<usize> {
    let expected = || expected(count, things);
    let length = if given == count { usize::try_from(given).ok() } else { None };
    length.ok_or_else(|| Error::BadSize { argument, given: given.into(), expected: expected() })
}

/// The expected number, for messages; if the host chooses it, any that is not negative.
fn expected(count: i32, things: &str) -> String {
    if count < 0 { "0 or more".into() } else { format!("{count} (the number of {things})") }
}

/// The common checks of `inputs` and `outputs`.
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
        return Err(Error::BadSize { argument: "n", given: n.into(), expected: expected(count, things) });
    }
    if !pointer.is_aligned() {
        return Err(Error::BadValue { argument, detail: "not aligned as an array of double".into() });
    }
    Ok(n as usize)
}

/// Longest text that is accepted: names, keys and paths are shorter, and their copies are small
/// allocations.
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

/// A size in bytes, or a count.
pub(super) fn size(argument: &'static str, given: i64) -> Result<usize> {
    let wrong = || Error::BadSize { argument, given, expected: "0 or more".into() };
    // Slices rely on sizes of at most isize::MAX.
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

/// The destination of one result; nothing is written before the result exists.
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

/// The destination of one number or handle.
#[inline]
pub(super) fn scalar_output<T>(argument: &'static str, pointer: *mut T) -> Result<Output<T>> {
    if pointer.is_null() { Err(Error::NullArgument { argument }) } else { Ok(Output(pointer)) }
}

/// The destination of one of several results; NULL if it is not wanted.
#[must_use]
pub(super) struct OptionalOutput<T>(Option<Output<T>>);

impl<T> OptionalOutput<T> {
    #[inline]
    pub(super) fn write(self, value: T) -> Result<()> {
        self.0.map_or(Ok(()), |output| output.write(value))
    }
}

/// The destination of one of several numbers; NULL if it is not wanted.
#[inline]
pub(super) fn optional_output<T>(pointer: *mut T) -> OptionalOutput<T> {
    OptionalOutput((!pointer.is_null()).then_some(Output(pointer)))
}

/// The destination of `argument[N]`.
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
    // SAFETY: not NULL and aligned (just checked, or empty), and the caller vouches for n rows. It
    // is the only array argument of its function.
    Ok(if length == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(pointer.cast(), length) } })
}

/// The destination of an array that is written as a whole, so that it may overlap with arguments
/// that were copied.
#[must_use]
pub(super) struct ArrayOutput {
    pointer: *mut f64,
    length: usize,
}

/// The destination of `length` numbers, whose count was checked against the caller's.
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
        // SAFETY: not NULL (or empty), and the caller vouches for `length` numbers; bytes need no
        // alignment.
        unsafe { std::ptr::copy(values.as_ptr().cast::<u8>(), self.pointer.cast::<u8>(), length * size_of::<f64>()) };
        Ok(())
    }
}

/// Writes the columns of a table, if there is room for `cap` points, and their number; with `cap` 0
/// the number alone.
pub(super) fn write_columns(
    table: Result<[&[f64]; 2]>,
    cap: i32,
    columns: [(&'static str, *mut f64); 2],
    n: *mut i32,
) -> Result<()> {
    let (room, table) = (length("cap", (cap, cap, "points"))?, table?);
    let points = table[0].len();
    let wanted = if room == 0 { 0 } else { points };
    let [a, b] = columns.map(|(argument, pointer)| array_output(argument, wanted, pointer));
    let (columns, n) = ([a?, b?], scalar_output("n", n)?);
    if wanted > room {
        return Err(Error::BufferTooSmall { argument: "cap", given: cap.into(), needed: points as i64 });
    }
    columns.into_iter().zip(table).try_for_each(|(column, values)| column.write(&values[..wanted]))?;
    n.write(points as i32)
}

/// The destination of text: `(cap, buf, len)`.
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
    /// Writes as much of the text as fits, cut between characters, and a NUL; the full length goes
    /// to `len`.
    pub(super) fn write(self, text: &str) -> Result<()> {
        let fits = last_error::fitting(text, self.capacity.saturating_sub(1));
        // SAFETY: the caller vouches for `cap` bytes at `buf`, fits < cap; `len` is NULL or the
        // caller's variable.
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

/// Writes `length` bytes, made by `fill`, to `(cap, bytes, len)`. With `cap` = 0 only the length is
/// written.
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

/// Copies the first `size` bytes of a table of function pointers. Errors: the size is not that of
/// an older or equal table.
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
