"""The shared library beside this file, and what calls into it need of cffi."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._abi import ffi as _ffi  # made by hatch_build.py from pintle.h when the wheel is built
from ._constants import ABI

#: What Linux calls the instructions that x86-64-v3 has beyond x86-64-v2; "abm" has LZCNT.
V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}


def choose(directory: Path, cpuinfo: Path = Path("/proc/cpuinfo")) -> Path:
    """The library for this processor: the build for x86-64-v3 where both are there. The loader chooses only among names
    without a path."""
    second = directory / "glibc-hwcaps/x86-64-v3/libpintle.so"
    try:
        with cpuinfo.open() as lines:
            flags = next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), [])
    except OSError:
        flags = []
    return second if V3.issubset(flags) and second.exists() else directory / "libpintle.so"


ffi: Any = _ffi
lib: Any = ffi.dlopen(str(choose(Path(__file__).parent)))
if lib.pintle_abi_version() != ABI:
    raise ImportError(f"libpintle: libpintle.so has ABI {lib.pintle_abi_version()}, this package wants {ABI}")

NULL = ffi.NULL
new = ffi.new
from_buffer = ffi.from_buffer
INT = ffi.typeof("int32_t *")
INTS = ffi.typeof("int32_t[]")
DOUBLE = ffi.typeof("double *")
DOUBLES = ffi.typeof("double[]")
CHARS = ffi.typeof("char[]")


def version() -> str:
    """The version of the library, as "MAJOR.MINOR.PATCH"."""
    return str(ffi.string(lib.pintle_version()).decode())


def abi_version() -> int:
    """The ABI of the library: the package is not imported where it is not its own."""
    return int(lib.pintle_abi_version())
