"""The overhead of Python: the same calls in loops of C and of Python, in one process, on the same library.

    python overhead.py

Needs gcc. The C loop is compiled here and is handed the library's own functions. Also: time of the import, numpy included.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cffi
import numpy as np

import libpintle as pintle
from libpintle._library import ffi as library_ffi
from libpintle._library import lib as library

LOOP = """
#define _POSIX_C_SOURCE 199309L
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
double steps(void *f, void *s, double dt, int n)
{ int (*step)(void *, double) = (int (*)(void *, double))f; double t = now(); while (n--) if (step(s, dt)) return -1; return now() - t; }
double poses(void *f, void *s, double dt, int n)
{ int (*pose)(void *, int, double *) = (int (*)(void *, int, double *))f; double x[7], t = now(); (void)dt;
  while (n--) if (pose(s, 0, x)) return -1; return now() - t; }
"""


def compiled(directory):
    """The C loops."""
    source = Path(directory) / "loop.c"
    source.write_text(LOOP)
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(source), "-o", f"{directory}/loop.so"], check=True)
    ffi = cffi.FFI()
    ffi.cdef("double steps(void *, void *, double, int); double poses(void *, void *, double, int);")
    return ffi, ffi.dlopen(f"{directory}/loop.so")


def body():
    """A free body: the cheapest step there is."""
    system = pintle.System()
    system.add_rigid_body(1.0, [0, 0, 0], [0.1, 0.2, 0.3, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0])
    system.set_body_velocity(0, [0, 0, 0, 0.1, 1.0, 0.1])
    system.initialize(0.0)
    return system


def main(n=200, repeats=2000):
    """Least times of many short repetitions, C and Python in turns, because other programs on the machine only add time."""
    with tempfile.TemporaryDirectory() as directory:
        ffi, loops = compiled(directory)
        c_system, system = body(), body()
        out = np.empty(7)

        def in_c(loop, name):
            function = library_ffi.cast("void *", getattr(library, name))
            address, handle = int(library_ffi.cast("intptr_t", function)), int(library_ffi.cast("intptr_t", c_system._handle))
            return loop(ffi.cast("void *", address), ffi.cast("void *", handle), 1e-3, n) / n

        def in_python(call, *arguments, **keywords):
            start = time.perf_counter()
            for _ in range(n):
                call(*arguments, **keywords)
            return (time.perf_counter() - start) / n

        rows = {
            "step": (lambda: in_c(loops.steps, "pintle_step"), lambda: in_python(system.step, 1e-3)),
            "get_body_pose": (lambda: in_c(loops.poses, "pintle_get_body_pose"), lambda: in_python(system.get_body_pose, 0)),
            "get_body_pose, out=": (
                lambda: in_c(loops.poses, "pintle_get_body_pose"),
                lambda: in_python(system.get_body_pose, 0, out=out),
            ),
        }
        print("microseconds per call         C   Python   difference")
        for name, (c, python) in rows.items():
            best = np.min([(c(), python()) for _ in range(repeats)], axis=0) * 1e6
            print(f"{name:22s} {best[0]:8.3f} {best[1]:8.3f} {best[1] - best[0]:12.3f}")

    # Processor time: that of the clock tells what else the machine does.
    code = "import time; t = time.process_time(); import {0}; print(time.process_time() - t)"
    for module in ("numpy", "libpintle"):
        times = [float(subprocess.check_output([sys.executable, "-c", code.format(module)])) for _ in range(10)]
        print(f"import {module}: {1e3 * min(times):.0f} ms of processor time (least of 10)")


if __name__ == "__main__":
    main()
