"""Saved states."""

from __future__ import annotations

from typing import Any, NoReturn

from ._errors import failure
from ._library import NULL, ffi, from_buffer, lib, new

_BYTES = ffi.typeof("uint8_t[]")
_LENGTH = ffi.typeof("int64_t *")
_CELL = ffi.typeof("pintle_state **")


class State:
    """A copy of everything that a step depends on: made by System.state_save, freed by close or when nobody refers to it."""

    __slots__ = ("_cell", "__weakref__")

    def __init__(self) -> None:
        """An empty one, for System.state_save to fill."""
        self._cell: Any = new(_CELL)

    def close(self) -> None:
        """Frees it. A second time does nothing."""
        status = lib.pintle_state_destroy(self._cell)
        if status:
            raise failure(status, NULL)

    def __del__(self) -> None:
        cell = getattr(self, "_cell", None)
        if cell is not None:
            lib.pintle_state_destroy(cell)

    def __enter__(self) -> State:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def serialize(self) -> bytes:
        """The state as bytes, with a version and a checksum. System.state_deserialize reads them.

        Errors: BAD_PHASE (in use by another call); ValueError where it is closed or empty.
        """
        handle = self._handle("serialize")
        length = new(_LENGTH)
        status = lib.pintle_state_serialize(handle, 0, NULL, length)
        if status:
            raise failure(status, NULL)
        data = bytearray(length[0])
        status = lib.pintle_state_serialize(handle, len(data), from_buffer(_BYTES, data), length)
        if status:
            raise failure(status, NULL)
        return bytes(data)

    __bytes__ = serialize

    def __reduce__(self) -> NoReturn:
        raise TypeError("a State is pickled as bytes(state), which System.state_deserialize reads")

    def __repr__(self) -> str:
        return "<libpintle.State>" if self._cell[0] != NULL else "<libpintle.State, empty>"

    def _handle(self, function: str) -> Any:
        if self._cell[0] == NULL:
            raise ValueError(f"{function}: the state is closed or empty")
        return self._cell[0]
