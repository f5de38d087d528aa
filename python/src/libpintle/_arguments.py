"""Converts Python arguments to C; errors name the function and the argument. Arrays that are double and contiguous are passed
without a copy."""

from __future__ import annotations

import os
from operator import index
from typing import TYPE_CHECKING, Any, Callable, TypeAlias

import numpy as np
from numpy import ascontiguousarray, ndarray

from ._constants import Status
from ._library import CHARS, DOUBLES, INT, INTS, ffi, from_buffer, new

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array: TypeAlias = NDArray[np.float64]

REAL = np.dtype(np.float64)
_INT32 = np.iinfo(np.int32)
_BUFFER_TOO_SMALL = int(Status.BUFFER_TOO_SMALL)


def numbers(value: ArrayLike, function: str, name: str) -> Array:
    """An array of doubles in native byte order and C order."""
    if type(value) is ndarray and value.dtype is REAL and value.flags.c_contiguous:
        return value
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{function}: {name} is a masked array, of which the mask would be lost")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{function}: {name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{function}: {name} must be real numbers, not {_of(array, value)}")
    return ascontiguousarray(array, REAL)


def _of(array: NDArray[Any], value: object) -> str:
    return f"of dtype {array.dtype}" if array.dtype != object else f"{type(value).__name__}"


def vector(value: ArrayLike, size: int | None, function: str, name: str) -> Any:
    """`size` numbers, or any number of them if it is None, as `double[]`."""
    array = numbers(value, function, name)
    if array.ndim != 1 or (size is not None and array.size != size):
        wanted = "(n,)" if size is None else f"({size},)"
        raise ValueError(f"{function}: {name} has shape {np.shape(value)}, not {wanted}")
    return from_buffer(DOUBLES, array)


def matrix(value: ArrayLike, size: int, function: str, name: str) -> Any:
    """A square matrix, [row, column] in Python, columns one after another in C."""
    array = numbers(value, function, name)
    if array.shape != (size, size):
        raise ValueError(f"{function}: {name} has shape {np.shape(value)}, not ({size}, {size})")
    return from_buffer(DOUBLES, ascontiguousarray(array.T))


def rows(value: ArrayLike, width: int, function: str, name: str) -> Any:
    """Rows of `width` numbers, as `double[]`."""
    array = numbers(value, function, name)
    if array.size == 0 and array.ndim == 1:
        return from_buffer(DOUBLES, array)
    if array.ndim != 2 or array.shape[1] != width:
        raise ValueError(f"{function}: {name} has shape {np.shape(value)}, not (n, {width})")
    return from_buffer(DOUBLES, array)


def same_length(function: str, first: tuple[str, int], *others: tuple[str, int]) -> None:
    """Raises ValueError unless all arrays have as many rows as the first: C is passed one length for all."""
    for name, length in others:
        if length != first[1]:
            raise ValueError(f"{function}: {first[0]} has {first[1]} rows, {name} has {length}")


def ids(value: ArrayLike, function: str, name: str) -> Any:
    """Ids, as `int32_t[]`."""
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{function}: {name} is no array of integers: {error}") from None
    if array.size == 0:
        return new(INTS, 0)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{function}: {name} must be integers, not of dtype {array.dtype}")
    if array.ndim != 1:
        raise ValueError(f"{function}: {name} has shape {array.shape}, not (n,)")
    if array.min() < _INT32.min or array.max() > _INT32.max:
        raise ValueError(f"{function}: {name} has numbers that are no 32-bit integers")
    return new(INTS, array.tolist())


def encoded(value: object, function: str, name: str) -> bytes:
    """Text or a path as UTF-8; cffi appends the NUL."""
    if name == "path" and isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise TypeError(f"{function}: {name} must be text, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{function}: {name} has a NUL character")
    try:
        return value.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{function}: {name} is no Unicode text: {error.reason}") from None


def out_array(out: object, shape: tuple[int, ...], function: str, transposed: bool = False) -> Array:
    """Checks an array of the caller that receives a result, and returns it as C fills it: with `transposed`, by columns."""
    if not isinstance(out, ndarray):
        raise TypeError(f"{function}: out must be a numpy array, not {type(out).__name__}")
    if out.dtype is not REAL and (out.dtype != REAL or not out.dtype.isnative):
        raise TypeError(f"{function}: out must be of dtype float64, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"{function}: out has shape {out.shape}, not {shape}")
    array: Array = out.T if transposed else out
    if not array.flags.c_contiguous:
        order = "in Fortran's order (numpy.empty((n, n), order='F'))" if transposed else "contiguous"
        raise ValueError(f"{function}: out must be {order}")
    if not array.flags.writeable:
        raise ValueError(f"{function}: out is read-only")
    return array


def read_text(ask: Callable[[int, Any, Any], int]) -> tuple[int, str]:
    """Status and text of a call that fills a buffer; repeats the call with a longer one where 128 bytes are not enough."""
    size, needed = 128, new(INT)
    while True:
        buffer = new(CHARS, size)
        status = ask(size, buffer, needed)
        if status != _BUFFER_TOO_SMALL:
            return status, ffi.string(buffer).decode(errors="replace") if status == 0 else ""
        size = needed[0] + 1


def wrong(error: Exception, function: str, handle: Any, *scalars: tuple[str, object, type]) -> Exception:
    """The exception to raise where cffi refused an argument, because its own names neither the function nor the argument."""
    if handle is None:
        return ValueError(f"{function}: the system is closed")
    for name, value, kind in scalars:
        if kind is int:
            try:
                number = index(value)  # type: ignore[arg-type]
            except TypeError:
                return TypeError(f"{function}: {name} must be an integer, not {type(value).__name__}")
            if not _INT32.min <= number <= _INT32.max:
                return ValueError(f"{function}: {name} is {number}, which is no 32-bit integer")
        else:
            try:
                if isinstance(value, (str, bytes)):
                    raise TypeError
                float(value)  # type: ignore[arg-type]
            except (TypeError, ValueError, OverflowError):
                return TypeError(f"{function}: {name} must be a number, not {type(value).__name__}")
    return error


