"""What hatchling asks while it builds the wheel: adds libpintle.so, the declarations for cffi and the page of runs, and names the
platform.

The library is the file that the environment variable PINTLE_LIBRARY names (scripts/wheel sets it); PINTLE_LIBRARY_V3 names the
same for processors of x86-64-v3, or nothing. The tag follows from the first: its machine, and the newest version of glibc's symbols
that it asks for.
"""

import os
import re
import sys
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent

#: e_machine of ELF files.
MACHINES = {62: "x86_64", 183: "aarch64"}


def platform(library: bytes) -> str:
    """The tag of the platforms that can load an ELF library: manylinux_2_17_x86_64."""
    if library[:4] != b"\x7fELF" or library[4] != 2:
        raise ValueError("PINTLE_LIBRARY is no 64-bit ELF library")
    machine = MACHINES.get(int.from_bytes(library[18:20], "little"))
    if machine is None:
        raise ValueError("PINTLE_LIBRARY is for a machine that has no tag here")
    versions = [(int(major), int(minor)) for major, minor in re.findall(rb"GLIBC_(\d+)\.(\d+)", library)]
    # 2.17 is the oldest that the scheme of tags knows of.
    major, minor = max([*versions, (2, 17)])
    return f"manylinux_{major}_{minor}_{machine}"


class Hook(BuildHookInterface):
    """Puts into the wheel what is not in the source tree."""

    def initialize(self, version: str, build_data: dict) -> None:
        """Before the wheel is written."""
        if self.target_name != "wheel":
            return
        named = os.environ.get("PINTLE_LIBRARY")
        if not named:
            raise ValueError("PINTLE_LIBRARY must name libpintle.so: run scripts/wheel")
        library = Path(named)
        if version == "editable":
            raise ValueError("libpintle has no editable installation: run scripts/wheel")

        # The declarations, compiled by cffi to a module that needs no parser.
        import cffi

        sys.path.insert(0, str(HERE))
        import header

        builder = cffi.FFI()
        builder.cdef(header.declarations((HERE.parent / "include/pintle.h").read_text()))
        builder.set_source("libpintle._abi", None)
        self._abi = Path(self.directory) / "_abi.py"
        self._abi.parent.mkdir(parents=True, exist_ok=True)
        builder.emit_python_code(str(self._abi))

        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform(library.read_bytes())}"
        build_data["force_include"][str(library)] = "libpintle/libpintle.so"
        if second := os.environ.get("PINTLE_LIBRARY_V3"):
            build_data["force_include"][second] = "libpintle/glibc-hwcaps/x86-64-v3/libpintle.so"
        build_data["force_include"][str(self._abi)] = "libpintle/_abi.py"
        # What Run.to_html fills; it has the licence of three.js at its head.
        build_data["force_include"][str(HERE.parent / "tool/view/page.html")] = "libpintle/page.html"

    def finalize(self, version: str, build_data: dict, artifact_path: str) -> None:
        """After it."""
        if self.target_name == "wheel":
            self._abi.unlink()
