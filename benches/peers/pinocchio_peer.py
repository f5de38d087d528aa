"""Pinocchio: joint coordinates, accelerations by the articulated-body algorithm, in a Runge-Kutta loop in C++ (pinocchio_aba.cpp)."""

import ctypes
import os
import pathlib
import subprocess

import pinocchio
import problems

NAME = "Pinocchio"
VERSION = pinocchio.__version__
METHODS = ["rk4"]
HERE = pathlib.Path(__file__).parent


def build():
    """Compiles the loop against the headers that the packages bring. The list of joints is longer than Boost's default."""
    prefix = next(path for path in pathlib.Path(pinocchio.__file__).parents if path.name == "cmeel.prefix")
    library = pathlib.Path(os.environ["PEERS_CACHE"]) / f"libpinocchio_aba-{VERSION}.so"
    source = HERE / "pinocchio_aba.cpp"
    if not library.exists() or library.stat().st_mtime < source.stat().st_mtime:
        command = ["g++", "-O3", "-march=native", "-w", "-DNDEBUG", "-std=c++17", "-shared", "-fPIC"]
        command += ["-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS"]
        command += ["-isystem", prefix / "include", "-isystem", prefix / "include" / "eigen3", source, "-o", library]
        command += [f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib"]
        subprocess.run(command, check=True)
    return ctypes.CDLL(str(library))


DOUBLES = ctypes.POINTER(ctypes.c_double)
LIBRARY = build()
LIBRARY.peer_create.restype = ctypes.c_void_p
LIBRARY.peer_create.argtypes = [ctypes.c_double]
LIBRARY.peer_add.argtypes = [ctypes.c_void_p, ctypes.c_int] + 3 * [DOUBLES] + [ctypes.c_double] + 3 * [DOUBLES]
LIBRARY.peer_add.restype = None
LIBRARY.peer_finish.argtypes = [ctypes.c_void_p]
LIBRARY.peer_finish.restype = None
LIBRARY.peer_run.argtypes = [ctypes.c_void_p, ctypes.c_double, ctypes.c_long, DOUBLES]
LIBRARY.peer_run.restype = ctypes.c_double
TREES = {}


def can(problem, method):
    """Its data hold tensors of n^3 numbers, n joint velocities: memory for some hundreds."""
    return sum(3 if body.joint == problems.SPHERICAL else 1 for body in problem.bodies) <= 400


def tune(problem, method, step):
    return "Runge-Kutta-Munthe-Kaas loop in C++, -O3 -march=native"


def doubles(values):
    values = list(values)
    return (ctypes.c_double * len(values))(*values)


def tree(problem):
    """The problem with frames in the joints, parallel to the bodies at the start: all coordinates are then zero."""
    if problem.name not in TREES:
        made = LIBRARY.peer_create(problems.GRAVITY)
        for body in problem.bodies:
            if body.parent == problems.GROUND:
                rotation, place = body.rotation, body.point
            else:
                parent = problem.bodies[body.parent]
                transposed = [list(column) for column in zip(*parent.rotation)]
                rotation = problems.multiply(transposed, body.rotation)
                place = problems.turned_back(parent.rotation, problems.minus(body.point, parent.point))
            axis = (0.0, 0.0, 0.0) if body.joint == problems.SPHERICAL else body.axis
            centre = problems.turned_back(body.rotation, problems.minus(body.position, body.point))
            LIBRARY.peer_add(made, body.parent, doubles(x for row in rotation for x in row), doubles(place), doubles(axis),
                             body.mass, doubles(body.inertia), doubles(centre), doubles(body.omega))
        LIBRARY.peer_finish(made)
        TREES[problem.name] = made
    return TREES[problem.name]


def run(problem, method, step, steps):
    """One run from the start."""
    positions = (ctypes.c_double * (3 * len(problem.bodies)))()
    cpu = LIBRARY.peer_run(tree(problem), step, steps, positions)
    return {"cpu": cpu, "converged": True, "iterations": None,
            "positions": [list(positions[3 * i:3 * i + 3]) for i in range(len(problem.bodies))]}
