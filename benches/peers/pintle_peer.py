"""pintle, through the C ABI of its release library; step_loop.c is the host's loop."""

import ctypes
import os
import pathlib
import subprocess
import time

import problems

HERE = pathlib.Path(__file__).parent
LIBRARY = ctypes.CDLL(os.environ["PEERS_PINTLE"])
LIBRARY.pintle_version.restype = ctypes.c_char_p
LIBRARY.pintle_status_name.restype = ctypes.c_char_p

NAME = "pintle"
VERSION = LIBRARY.pintle_version().decode()
METHODS = ["generalized-alpha", "newmark", "rk4", "ab5"]
TOLERANCE = 1e-10
KINDS = {problems.SPHERICAL: 1, problems.REVOLUTE: 2}  # PINTLE_JOINT_ of pintle.h


def build():
    """Compiles the loop."""
    library = pathlib.Path(os.environ["PEERS_CACHE"]) / "libstep_loop.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", HERE / "step_loop.c", "-o", library], check=True)
    loop = ctypes.CDLL(str(library)).step_loop
    loop.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64]
    return loop


LOOP = build()
STEP = ctypes.cast(LIBRARY.pintle_step, ctypes.c_void_p)


def can(problem, method):
    return problem.name == "heavy top" or method in ("generalized-alpha", "rk4")


def tune(problem, method, step):
    return f"scheme {method}, tolerances {TOLERANCE:g}" if method in ("generalized-alpha", "newmark") else f"scheme {method}"


def doubles(values):
    values = list(values)
    return (ctypes.c_double * len(values))(*values)


class System:
    """A pintle_system, destroyed at the end of the block."""

    def __enter__(self):
        self.handle = ctypes.c_void_p()
        self.call("create", ctypes.byref(self.handle), system=False)
        return self

    def __exit__(self, *_):
        LIBRARY.pintle_destroy(ctypes.byref(self.handle))

    def call(self, name, *arguments, system=True):
        status = getattr(LIBRARY, "pintle_" + name)(*((self.handle,) if system else ()), *arguments)
        if status != 0:
            raise RuntimeError(f"pintle_{name}: {LIBRARY.pintle_status_name(status).decode()}")

    def statistic(self, key):
        value = ctypes.c_double()
        self.call("get_statistic", key.encode(), ctypes.byref(value))
        return value.value

    def build(self, problem, method):
        self.call("set_gravity", doubles([0.0, 0.0, -problems.GRAVITY]))
        made = ctypes.c_int32()
        for i, body in enumerate(problem.bodies):
            pose = doubles([*body.position, *problems.quaternion(body.rotation)])
            inertia = doubles([*body.inertia, 0.0, 0.0, 0.0])
            self.call("add_rigid_body", ctypes.c_double(body.mass), doubles([0.0] * 3), inertia, pose, ctypes.byref(made))
            self.call("set_body_velocity", made, doubles([*body.velocity, *body.omega]))
            axis = doubles(problems.turned(body.rotation, body.axis)) if body.joint == problems.REVOLUTE else None
            self.call("add_joint_at", KINDS[body.joint], body.parent, i, doubles(body.point), axis, ctypes.byref(made))
        self.call("set_scheme", method.encode())
        options = {"abs_tolerance": TOLERANCE, "rel_tolerance": TOLERANCE} if method in ("generalized-alpha", "newmark") else {}
        if method == "generalized-alpha":
            options["rho_inf"] = 0.9
        for key, value in options.items():
            self.call("set_option", key.encode(), ctypes.c_double(value))
        self.call("initialize", ctypes.c_double(0.0))


def run(problem, method, step, steps):
    """One run from the start."""
    with System() as system:
        system.build(problem, method)
        begin = time.process_time()
        status = LOOP(STEP, system.handle, step, steps)
        cpu = time.process_time() - begin
        if status != 0:
            return {"cpu": cpu, "converged": False, "iterations": None, "positions": []}
        poses = (ctypes.c_double * (7 * len(problem.bodies)))()
        system.call("get_body_poses", len(problem.bodies), poses)
        iterative = method in ("generalized-alpha", "newmark")
        return {
            "cpu": cpu,
            "converged": True,
            "iterations": system.statistic("iterations") / steps if iterative else None,
            "positions": [list(poses[7 * i : 7 * i + 3]) for i in range(len(problem.bodies))],
        }
