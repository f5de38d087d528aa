"""The problems that all codes compute, as plain numbers: rigid bodies hung on one another by joints, without loops.

A problem is a name and a list of bodies. Every body has a mass, principal inertias about its centre of mass (which is also
where its reference point is), a pose at the start, velocities, and one joint towards its parent: kind, point in the inertial
frame at the start, axis in the axes of the body. Lengths in m, masses in kg, angles in rad; gravity acts along -z.
"""

import math
from dataclasses import dataclass

GRAVITY = 9.81
GROUND = -1
SPHERICAL, REVOLUTE = "spherical", "revolute"


@dataclass
class Body:
    """One body and the joint that holds it."""

    parent: int
    joint: str
    axis: tuple  # of a revolute joint, in the axes of the body
    point: tuple  # of the joint, in the inertial frame at the start
    mass: float
    inertia: tuple  # principal, about the centre of mass, in the axes of the body
    position: tuple  # of the centre of mass
    rotation: list  # rows of the rotation matrix: body axes to inertial axes
    velocity: tuple = (0.0, 0.0, 0.0)  # of the centre of mass, inertial axes
    omega: tuple = (0.0, 0.0, 0.0)  # body axes


@dataclass
class Problem:
    """Bodies, and how long the runs are: whose difference is timed, and the one that is compared with the reference."""

    name: str
    family: str  # the rows of the table that belong together
    bodies: list
    step: float  # s
    window: tuple  # numbers of steps of the shorter and the longer run
    repeats: int  # runs of a measurement, of which the fastest counts
    compare: int  # steps until the comparison
    limit: str = ""  # the argument of benches/limit.cpp, where that can compute it


def multiply(a, b):
    """The product of two 3 x 3 matrices."""
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def turned(rotation, vector):
    """The vector in inertial axes."""
    return tuple(sum(rotation[i][k] * vector[k] for k in range(3)) for i in range(3))


def turned_back(rotation, vector):
    """The vector in body axes."""
    return tuple(sum(rotation[k][i] * vector[k] for k in range(3)) for i in range(3))


def plus(a, b):
    return tuple(x + y for x, y in zip(a, b))


def minus(a, b):
    return tuple(x - y for x, y in zip(a, b))


def exponential(psi):
    """The rotation matrix of a rotation vector (Rodrigues)."""
    square = sum(x * x for x in psi)
    angle = math.sqrt(square)
    first = math.sin(angle) / angle if angle > 1e-8 else 1.0
    second = (1.0 - math.cos(angle)) / square if angle > 1e-8 else 0.5
    x, y, z = psi
    skew = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    twice = multiply(skew, skew)
    return [[(i == j) + first * skew[i][j] + second * twice[i][j] for j in range(3)] for i in range(3)]


def quaternion(rotation):
    """The unit quaternion (w, x, y, z) of a rotation matrix; no rotation here is close to half a turn from the largest
    component's point of view, because the largest is the one that is divided by (Shepperd)."""
    r = rotation
    trace = r[0][0] + r[1][1] + r[2][2]
    squares = [1.0 + trace] + [1.0 - trace + 2.0 * r[i][i] for i in range(3)]
    largest = max(range(4), key=lambda i: squares[i])
    root = math.sqrt(squares[largest])
    if largest == 0:
        q = (root * root, r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1])
    elif largest == 1:
        q = (r[2][1] - r[1][2], root * root, r[1][0] + r[0][1], r[0][2] + r[2][0])
    elif largest == 2:
        q = (r[0][2] - r[2][0], r[1][0] + r[0][1], root * root, r[2][1] + r[1][2])
    else:
        q = (r[1][0] - r[0][1], r[0][2] + r[2][0], r[2][1] + r[1][2], root * root)
    return tuple(x / (2.0 * root) for x in q)


def heavy_top():
    """The heavy top of Bruls and Cardona: spins with 150 rad/s about its axis y and swings about the origin."""
    return [
        Body(
            parent=GROUND,
            joint=SPHERICAL,
            axis=(0.0, 1.0, 0.0),
            point=(0.0, 0.0, 0.0),
            mass=15.0,
            inertia=(0.234375, 0.46875, 0.234375),
            position=(0.0, 1.0, 0.0),
            rotation=[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            velocity=(4.61538, 0.0, 0.0),
            omega=(0.0, 150.0, -4.61538),
        )
    ]


BAR = dict(mass=1.0, inertia=(0.004, 0.021, 0.022))
HALF = (0.25, 0.0, 0.0)


def bars(parents, joint, rotation_of):
    """Bars of half a metre along x, each held at the far end of its parent (of the ground at the origin), at rest.
    `rotation_of(i, parent's rotation)` is the rotation of bar i and its joint's axis."""
    bodies = []
    for i, parent in enumerate(parents):
        if parent == GROUND:
            point, before = (0.0, 0.0, 0.0), exponential((0.0, 0.0, 0.0))
        else:
            before = bodies[parent].rotation
            point = plus(bodies[parent].position, turned(before, HALF))
        rotation, axis = rotation_of(i, before)
        position = plus(point, turned(rotation, HALF))
        bodies.append(Body(parent, joint, axis, point, position=position, rotation=rotation, **BAR))
    return bodies


def spherical_chain(count):
    """A wound chain that starts to fall: the one of benches/limit.cpp."""

    def rotation_of(i, _):
        return exponential((0.0, 0.2 * math.cos(1.7 * i), 0.3 * math.sin(i))), (0.0, 0.0, 1.0)

    return bars([i - 1 for i in range(count)], SPHERICAL, rotation_of)


def revolute_chain(count):
    """The same bars on hinges about y and z in turn, each a little open."""

    def rotation_of(i, before):
        axis = ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0))[i % 2]
        angle = 0.3 * math.sin(i + 1.0)
        return multiply(before, exponential(tuple(angle * x for x in axis))), axis

    return bars([i - 1 for i in range(count)], REVOLUTE, rotation_of)


def binary_tree(count, joint=SPHERICAL):
    """Two bars hang on the end of every bar, opened by 0.8 rad about y and twisted."""

    def rotation_of(i, before):
        side = 0.4 if i % 2 else -0.4
        if joint == REVOLUTE:
            return multiply(before, exponential((0.0, side + 0.1 * math.sin(i), 0.0))), (0.0, 1.0, 0.0)
        return multiply(before, exponential((0.2 * math.cos(1.7 * i), side, 0.1 * math.sin(i)))), (0.0, 0.0, 1.0)

    return bars([(i + 1) // 2 - 1 for i in range(count)], joint, rotation_of)


def problems():
    """All problems, in the order of the table."""
    made = [Problem("heavy top", "heavy top", heavy_top(), 1e-3, (100, 2100), 20, 200, "top")]
    lengths = {10: ((20, 420), 10, 100), 100: ((20, 120), 5, 100), 1000: ((5, 25), 3, 20)}
    for joint, family in ((SPHERICAL, spherical_chain), (REVOLUTE, revolute_chain)):
        for count, (window, repeats, compare) in lengths.items():
            limit = str(count) if joint == SPHERICAL else ""
            name = f"chain of {joint} joints, {count}"
            made.append(
                Problem(name, f"chain, {joint}", family(count), 1e-3, window, repeats, compare, limit)
            )
    for joint in (SPHERICAL, REVOLUTE):
        for count, window, repeats, compare in ((127, (20, 120), 5, 100), (1023, (5, 25), 3, 20)):
            bodies = binary_tree(count, joint)
            name = f"binary tree of {joint} joints, {count}"
            made.append(Problem(name, f"tree, {joint}", bodies, 1e-3, window, repeats, compare))
    return made
