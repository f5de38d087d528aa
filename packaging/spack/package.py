"""Spack's recipe of pintle: package.py of a folder `pintle` in a repository of packages (docs/packages.md)."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Pintle(CMakePackage):
    """Rigid bodies, joints, beams and mooring lines behind a C ABI, for programs in C, C++, Fortran and Python that have no
    structural solver of their own."""

    url = "@URL@"

    license("MIT OR Apache-2.0")

    version("@VERSION@", sha256="@SHA256@")

    variant("hwcaps", default=True, when="target=x86_64:", description="Build a second library, for processors of x86-64-v3")
    variant("tool", default=True, description="Build the command-line tool pintle")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("rust@@RUST@:", type="build")

    # Only the build tree would use Fortran: its modules are installed as sources.
    def cmake_args(self):
        return [
            self.define("PINTLE_HWCAPS", self.spec.satisfies("+hwcaps")),
            self.define("CMAKE_Fortran_COMPILER", "NOTFOUND"),
        ]

    @run_after("install", when="+tool")
    def install_tool(self):
        cargo = which("cargo", required=True)
        with working_dir(self.stage.source_path):
            cargo("install", "--locked", "--no-track", "--path", "tool", "--root", self.prefix)
