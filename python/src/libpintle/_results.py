"""Results that consist of several arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._arguments import Array


class Linearization(NamedTuple):
    """xdot = a x + b u, y = c x + d u, each [row, column]."""

    a: Array
    b: Array
    c: Array
    d: Array


class Modes(NamedTuple):
    """Natural modes, slowest first."""

    #: Undamped natural frequencies |s|/(2 pi), in Hz if time is in s, shape (n,).
    frequencies: Array
    #: -Re s/|s|, shape (n,).
    damping_ratios: Array
    #: Displacement and rotation of each body in I, complex, shape (n, bodies, 6).
    shapes: NDArray[np.complex128]
    #: The largest velocity and the largest acceleration: both are 0 at an equilibrium, and only then are these its modes.
    motion: Array


class Compliance(NamedTuple):
    """Derivatives of motions at the end of a step (rows) with respect to loads there (columns)."""

    acceleration: Array
    velocity: Array
    displacement: Array


class Waves(NamedTuple):
    """Components of linear waves: one number of each for every component."""

    amplitudes: Array
    frequencies: Array
    headings: Array
    phases: Array


class WaterMotion(NamedTuple):
    """The motion of the water at n places: shapes (n, 3), (n, 3), (n,)."""

    velocities: Array
    accelerations: Array
    elevations: Array


class Table(NamedTuple):
    """Points of a curve; empty where there is none."""

    x: Array
    y: Array
