"""Callbacks: the C functions that call Python functions with arrays, check their results and keep their exceptions.

There is one C function for each type of callback; its user pointer refers to the Python function. A Python exception must not
pass through C: the callback keeps it and returns a status, the library's call fails, and `_errors.failure` raises it there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Sequence, TypeAlias

from numpy import frombuffer

from ._arguments import REAL, matrix, rows, vector
from ._errors import raised
from ._library import ffi

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from ._arguments import Array

    #: (time, body, pose, velocity, acceleration) -> wrench, or a tuple (wrench, stiffness, damping), or None for no load.
    LoadFunction: TypeAlias = Callable[[float, int, Array, Array, Array], "ArrayLike | tuple[ArrayLike | None, ...] | None"]
    #: (time, bodies, poses, velocities, accelerations) -> wrenches, or (wrenches, stiffness, damping, mass), or None.
    CoupledLoadFunction: TypeAlias = Callable[
        [float, list[int], Array, Array, Array], "ArrayLike | tuple[ArrayLike | None, ...] | None"
    ]
    #: (time, positions) -> (velocities, accelerations, elevations), each of which may be None; or None for still water.
    FluidFunction: TypeAlias = Callable[[float, Array], "Sequence[ArrayLike | None] | None"]
    #: (time, fraction) -> False to stop the call.
    ProgressFunction: TypeAlias = Callable[[float, float], "bool | None"]

_buffer, _from_handle, _move = ffi.buffer, ffi.from_handle, ffi.memmove


def _read(pointer: Any, *shape: int) -> Array:
    """A copy as an array, because the Python function may keep it after the call."""
    size = 1
    for one in shape:
        size *= one
    return frombuffer(_buffer(pointer, 8 * size)[:], REAL).reshape(shape)


def _write(pointer: Any, values: Any) -> None:
    _move(pointer, values, 8 * len(values))


def _parts(result: Any, count: int, function: str) -> tuple[Any, ...]:
    """Splits a result: a tuple has loads and matrices, any other value is the loads."""
    if not isinstance(result, tuple):
        return (result,) + (None,) * (count - 1)
    if len(result) > count:
        raise ValueError(f"{function}: returned a tuple of {len(result)} items, of at most {count} (loads as an array or list)")
    return result + (None,) * (count - len(result))


@ffi.callback("pintle_load_fn", error=1)
def load(user: Any, time: float, body: int, pose: Any, velocity: Any, acceleration: Any, *out: Any) -> int:
    """Calls a LoadFunction."""
    raised.error = None
    try:
        result = _from_handle(user)(time, body, _read(pose, 7), _read(velocity, 6), _read(acceleration, 6))
        if result is None:
            return 0
        if isinstance(result, tuple) and len(result) == 6:
            result = list(result)
        name = "load callback"
        wrench, stiffness, damping = _parts(result, 3, name)
        if wrench is not None:
            _write(out[0], vector(wrench, 6, name, "wrench"))
        if stiffness is not None:
            _write(out[1], matrix(stiffness, 6, name, "stiffness"))
        if damping is not None:
            _write(out[2], matrix(damping, 6, name, "damping"))
        return 0
    except BaseException as error:
        raised.error = error
        return 1


@ffi.callback("pintle_coupled_load_fn", error=1)
def coupled_load(
    user: Any, time: float, n: int, bodies: Any, poses: Any, velocities: Any, accelerations: Any, *out: Any
) -> int:
    """Calls a CoupledLoadFunction."""
    raised.error = None
    try:
        function = _from_handle(user)
        result = function(time, list(bodies[0:n]), _read(poses, n, 7), _read(velocities, n, 6), _read(accelerations, n, 6))
        if result is None:
            return 0
        name = "coupled load callback"
        wrenches, *matrices = _parts(result, 4, name)
        if wrenches is not None:
            values = rows(wrenches, 6, name, "wrenches")
            if len(values) != 6 * n:
                raise ValueError(f"{name}: wrenches has {len(values) // 6} rows, not {n}")
            _write(out[0], values)
        for pointer, values, what in zip(out[1:], matrices, ("stiffness", "damping", "mass")):
            if values is not None:
                _write(pointer, matrix(values, 6 * n, name, what))
        return 0
    except BaseException as error:
        raised.error = error
        return 1


@ffi.callback("pintle_fluid_fn", error=1)
def fluid(user: Any, time: float, n: int, positions: Any, velocities: Any, accelerations: Any, elevations: Any) -> int:
    """Calls a FluidFunction."""
    raised.error = None
    try:
        result = _from_handle(user)(time, _read(positions, n, 3))
        if result is None:
            return 0
        name = "fluid callback"
        if not isinstance(result, (tuple, list)) or len(result) != 3:
            raise ValueError(f"{name}: must return velocities, accelerations and elevations, not {type(result).__name__}")
        for pointer, values, what in zip((velocities, accelerations), result, ("velocities", "accelerations")):
            if values is not None:
                numbers = rows(values, 3, name, what)
                if len(numbers) != 3 * n:
                    raise ValueError(f"{name}: {what} has {len(numbers) // 3} rows, not {n}")
                _write(pointer, numbers)
        if result[2] is not None:
            _write(elevations, vector(result[2], n, name, "elevations"))
        return 0
    except BaseException as error:
        raised.error = error
        return 1


@ffi.callback("pintle_progress_fn", error=1)
def progress(user: Any, time: float, fraction: float) -> int:
    """Calls a ProgressFunction."""
    raised.error = None
    try:
        return 1 if _from_handle(user)(time, fraction) is False else 0
    except BaseException as error:
        raised.error = error
        return 1
