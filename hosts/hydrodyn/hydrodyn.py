"""OpenFAST's HydroDyn and SeaState through their C binding, for one body: the functions that `spar.py` uses.

The library is libhydrodyn_c_binding.so of OpenFAST (CMake target hydrodyn_c_binding; input format of 2026). Numbers cross in single
precision. HydroDyn is one per process, as the binding keeps its data in module variables.
"""

import ctypes
from ctypes import byref, c_char_p, c_double, c_float, c_int

import numpy as np

SIX = c_float * 6
FATAL = 4  # ErrID_Fatal is 4; 1 to 3 are told and do not stop


class HydroDynError(RuntimeError):
    """HydroDyn failed; the text is its ErrMsg."""


class HydroDyn:
    """HydroDyn for one body about its reference point at the still water line; a context manager, which closes HydroDyn."""

    def __init__(self, library, seastate, hydrodyn, gravity, density, depth, dt, end):
        """`seastate`, `hydrodyn`: texts of the input files. Raises OSError where the library cannot be loaded."""
        self._library = ctypes.CDLL(str(library))
        self._level, self._message = c_int(0), ctypes.create_string_buffer(8197)
        self.warnings = []
        files = ["\0".join(text.splitlines()).encode() for text in (seastate, hydrodyn)]
        root = ctypes.create_string_buffer(b"spar".ljust(1025))
        channels = c_int(0)
        names, units = (ctypes.create_string_buffer(20 * 9000) for _ in range(2))
        self._call(
            "Init",
            *[argument for text in files for argument in (c_int(1), c_char_p(text), c_int(len(text)))],
            root,
            *[c_float(value) for value in (gravity, density, depth, 0.0, 0.0, 0.0)],
            c_int(1),
            SIX(),
            c_int(1),
            c_double(0.0),
            c_double(dt),
            c_double(end),
            channels,
            names,
            units,
        )
        self._outputs = (c_float * max(channels.value, 1))()

    def loads(self, time, position, velocity):
        """Loads at a time and motion without the part proportional to the acceleration, and the added-mass matrix of that part.

        `position`: surge, sway, heave, roll, pitch, yaw; `velocity`: linear, angular. Returns wrench (6), matrix (6, 6).
        """
        forces, added_mass = SIX(), (c_float * 36)()
        self._call(
            "CalcOutput_and_AddedMass", c_double(time), c_int(1), SIX(*position), SIX(*velocity), forces, added_mass, self._outputs
        )
        matrix = np.array(added_mass, dtype=float).reshape(6, 6)
        # It is symmetric to single precision only, which is not enough for a mass matrix.
        return np.array(forces, dtype=float), 0.5 * (matrix + matrix.T)

    def update(self, time, dt, position, velocity, acceleration):
        """Advances HydroDyn's own states over a converged step, with the motion at its start."""
        motions = [SIX(*values) for values in (position, velocity, acceleration)]
        self._call("UpdateStates", c_double(time), c_double(time + dt), c_int(1), *motions)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._library.HydroDyn_C_End(byref(self._level), self._message)

    def _call(self, name, *arguments):
        pointers = [argument if isinstance(argument, ctypes.Array) else byref(argument) for argument in arguments]
        getattr(self._library, "HydroDyn_C_" + name)(*pointers, byref(self._level), self._message)
        text = self._message.value.decode(errors="replace").strip()
        if self._level.value >= FATAL:
            raise HydroDynError(f"{name}: {text}")
        if self._level.value > 0:
            self.warnings.append(f"{name}: {text}")
