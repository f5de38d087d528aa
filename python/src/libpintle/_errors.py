"""Exceptions for statuses above 0: one class for each hundred."""

from __future__ import annotations

import threading
from typing import Any

from ._constants import Status
from ._library import CHARS, INT, NULL, ffi, lib, new


class PintleError(Exception):
    """A call that failed.

    Attributes:
        status: the number, one of Status or one that only a newer library knows.
        status_name: as in pintle.h, "PINTLE_ERR_BAD_ID".
        message: what the library says: function, argument, entity and value.
    """

    status: int
    status_name: str
    message: str

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.status = status
        self.status_name = status_name(status)
        self.message = message

    def __str__(self) -> str:
        return f"{self.status_name}: {self.message}"


class UsageError(PintleError, ValueError):
    """200 to 299: the caller's mistake, such as an id that is not there, or a call that is not allowed in the present phase."""


class NumericsError(PintleError, ArithmeticError):
    """300 to 399: numerics, such as no convergence; a smaller step may help. Also calls that a callback stopped."""


class ResourceError(PintleError):
    """400 to 499: the operating system refused a file or memory."""


class LibraryError(PintleError):
    """500 and above: a bug of the library, which it has detected itself."""


_CLASSES: dict[int, type[PintleError]] = {2: UsageError, 3: NumericsError, 4: ResourceError}
_CALLBACK_FAILED = (int(Status.CALLBACK), int(Status.STOPPED))


class _Raised(threading.local):
    """The last exception of a callback on this thread: callbacks run on the thread of the call that needs them."""

    error: BaseException | None = None


raised = _Raised()


def status_name(status: int) -> str:
    """The name of a status as in pintle.h; a name that ends with UNKNOWN if no status has the number."""
    return str(ffi.string(lib.pintle_status_name(status)).decode())


def status_severity(status: int) -> int:
    """A status on the scale 0 ok, 1 info, 2 warning, 3 severe, 4 fatal (OpenFAST's ErrID)."""
    return int(lib.pintle_status_severity(status))


def error_message(handle: Any = NULL) -> str:
    """The message of the last failed call on a handle, or without a handle of the last failed call on this thread."""
    needed = new(INT)
    lib.pintle_error_message(handle, 0, NULL, needed)
    text = new(CHARS, needed[0] + 1)
    lib.pintle_error_message(handle, needed[0] + 1, text, NULL)
    return str(ffi.string(text).decode(errors="replace"))


def failure(status: int, handle: Any) -> BaseException:
    """The exception for a failed call: that of a callback if one raised, else a PintleError with status and message."""
    if status in _CALLBACK_FAILED and raised.error is not None:
        error, raised.error = raised.error, None
        return error
    return _CLASSES.get(status // 100, LibraryError)(status, error_message(handle))
