"""The parts of a model that a page shows: shapes, cylinders, boxes of the same inertia, joints, beams, lines, springs, points, water."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._calls import quat_from_dcm, quat_to_dcm
from ._constants import GROUND, JointKind
from ._errors import PintleError
from ._shapes import parts as shapes

if TYPE_CHECKING:
    from ._arguments import Array
    from ._system import System

#: Most components of waves on a page: with more of them, a browser on a phone falls behind.
MOST_WAVES = 100

#: Least and largest half axis of a section of a beam that is drawn, as parts of the length of the beam.
HALF_AXES = 0.003, 0.05

#: Joints without an axis of their own.
NO_AXIS = (JointKind.FIXED, JointKind.SPHERICAL, JointKind.DISTANCE)


def describe(system: System) -> dict[str, Any]:
    """What the page reads, but the frames. Besides, under "springs", the ends of each spring: a point, or a body and a place."""
    bodies = [system.get_name("body", body) for body in range(system.count("body"))]
    joints = [(system.get_name("joint", one), system.get_joint_info(one)) for one in range(system.count("joint"))]
    springs = _springs(system)
    parts = shapes(system, bodies, system._folder) + _cylinders(system)
    shaped = {part["body"] for part in parts}
    places = _places(system, [info for _, info in joints], springs)
    beams = [beam for beam in (_beam(system, k) for k in range(system.count("beam"))) if beam["nodes"]]
    nodes = {node["body"] for beam in beams for node in beam["nodes"]}
    for body, name in enumerate(bodies):
        # A node without mass of its own looks as its beam does.
        if body not in shaped and not (body in nodes and is_bare(system, body)):
            parts += _box(system, body, name, places[body])
    for name, info in joints:
        has_axis = info.kind not in NO_AXIS
        parts.append(_part("joint", info.body_b, name, frame=info.frame_b.tolist(), hasAxis=has_axis))
    strands = [
        {"name": system.get_name("line", line), "segments": system.get_line_info(line).segments}
        for line in range(system.count("line"))
    ]
    strands += [{"name": system.get_name("spring", k), "segments": 1} for k in range(len(springs))]
    strands += [{"name": system.get_name("point", k), "segments": 0} for k in free_points(system)]
    gravity, depth = system.get_gravity(), system.get_environment("depth")
    size = float(np.linalg.norm(gravity))
    return {
        "up": (-gravity / size).tolist() if size > 0 else [0.0, 0.0, 1.0],
        "hasWater": system.get_environment("water_density") > 0,
        "waves": _waves(system, size),
        "depth": depth if depth > 0 else None,
        "bodies": bodies,
        "parts": parts,
        "beams": beams,
        "strands": strands,
        "springs": springs,
    }


def free_points(system: System) -> list[int]:
    """The points that are not on bodies."""
    return [point for point in range(system.count("point")) if system.get_point_info(point).body == GROUND]


def _part(kind: str, body: int, name: str, **keys: Any) -> dict[str, Any]:
    return {"kind": kind, "body": body, "name": name, "colour": None, **keys}


def _cylinders(system: System) -> list[dict[str, Any]]:
    parts = []
    for cylinder in range(system.count("cylinder")):
        info, name = system.get_cylinder_info(cylinder), system.get_name("cylinder", cylinder)
        ends = {"a": info.end_a.tolist(), "b": info.end_b.tolist()}
        parts.append(_part("cylinder", info.body, name, **ends, diameter=info.diameter))
    return parts


def _box(system: System, body: int, name: str, places: list[list[float]]) -> list[dict[str, Any]]:
    """The homogeneous box of the same mass and inertia, and rods from its centre of mass to places on it."""
    matrix = system.get_body_mass(body)
    mass, centre, size, axes = matrix[0, 0], np.zeros(3), np.zeros(3), np.eye(3)
    if mass > 0:
        centre = np.array([matrix[5, 1], matrix[3, 2], matrix[4, 0]]) / mass
        cross = np.array([[0, -centre[2], centre[1]], [centre[2], 0, -centre[0]], [-centre[1], centre[0], 0]])
        inertia = matrix[3:, 3:] + mass * cross @ cross
        moments, axes = np.linalg.eigh((inertia + inertia.T) / 2)
        if np.linalg.det(axes) < 0:
            axes[:, 2] = -axes[:, 2]
        # Ix = m (ly^2 + lz^2)/12, so that lx^2 = 6 (Iy + Iz - Ix)/m, below 0 by rounding only.
        size = np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / mass, 0))
    frame = [*centre.tolist(), *quat_from_dcm(axes).tolist()]
    rods = [_part("rod", body, name, a=centre.tolist(), b=place) for place in places if place != centre.tolist()]
    return [_part("box", body, name, frame=frame, size=size.tolist()), *rods]


def is_bare(system: System, body: int) -> bool:
    """Whether a body that is a node of a beam has no mass of its own."""
    return body != GROUND and float(system.get_body_mass(body)[0, 0]) == 0.0


def inner_nodes(system: System) -> set[int]:
    """The bodies without mass of their own that are nodes of beams, but for the last node of each."""
    nodes = {
        system.beam_body(beam, node) for beam in range(system.count("beam")) for node in range(system.get_beam_info(beam).n_elements)
    }
    return {body for body in nodes if is_bare(system, body)}


def _beam(system: System, beam: int) -> dict[str, Any]:
    """A beam: for each node its body, the axes of its section in those of the body, and half of the extent of the section."""
    info, name = system.get_beam_info(beam), system.get_name("beam", beam)
    if info.n_elements == 0:
        return {"name": name, "nodes": []}
    stations = [system.get_beam_station(beam, k) for k in range(info.n_stations)]
    lengths = [one.s for one in stations]
    places = np.linspace(lengths[0], lengths[-1], info.n_elements + 1)
    bodies = [system.beam_body(beam, k) for k in range(info.n_elements + 1)]
    # A body that mesh_beam made is where the section is: it tells whether elements have equal lengths.
    made = [is_bare(system, body) for body in bodies]
    even = all(_is_near(system, beam, s, body) for s, body, own in zip(places, bodies, made) if own)
    least, most = (part * (lengths[-1] - lengths[0]) for part in HALF_AXES)
    nodes = []
    for k, (body, s) in enumerate(zip(bodies, places)):
        if not even and not made[k] and k not in (0, info.n_elements):
            continue  # The library does not tell where on the beam it is.
        frame = [0.0, 0, 0, 1, 0, 0, 0] if made[k] else _section(system, beam, s, body)
        ea, ei2, ei3 = (np.interp(s, lengths, [one.stiffness[axis, axis] for one in stations]) for axis in (0, 4, 5))
        # Those of the homogeneous ellipse with the ratios of EI to EA: EI3 = EA a^2 / 4 for the half axis a along axis 2.
        half_axes = np.clip(2 * np.sqrt(np.array([ei3, ei2]) / ea), least, most)
        nodes.append({"body": body, "frame": frame, "halfAxes": half_axes.tolist()})
    return {"name": name, "nodes": nodes}


def _section(system: System, beam: int, s: float, body: int) -> list[float]:
    """The pose of the section at an arc length in the axes of a body."""
    pose = system.get_beam_motion(beam, s).pose
    if body == GROUND:
        return [float(x) for x in pose]
    carrier = system.get_body_pose(body)
    turn = quat_to_dcm(carrier[3:]).T
    return [*(turn @ (pose[:3] - carrier[:3])).tolist(), *quat_from_dcm(turn @ quat_to_dcm(pose[3:])).tolist()]


def _is_near(system: System, beam: int, s: float, body: int) -> bool:
    """Whether a body is where the section at an arc length is."""
    try:
        place = system.get_beam_motion(beam, s).pose[:3]
    except PintleError:
        return False
    return bool(np.abs(place - system.get_body_pose(body)[:3]).max() < 1e-9 * (1 + np.abs(place).max()))


def _springs(system: System) -> list[list[tuple[int, list[float] | None]]]:
    """For each spring both ends: a point and None, or a body and a place in its axes."""
    springs = []
    for spring in range(system.count("spring")):
        info, points = system.get_spring_info(spring), system.get_spring_points(spring)
        given = [(points.point_a, info.body_a, info.point_a), (points.point_b, info.body_b, info.point_b)]
        springs.append([(point, None) if point >= 0 else (body, place.tolist()) for point, body, place in given])
    return springs


def _places(system: System, joints: list[Any], springs: list[Any]) -> dict[int, list[list[float]]]:
    """For each body the places at which joints, springs and points hold it."""
    places: dict[int, list[list[float]]] = {body: [] for body in range(GROUND, system.count("body"))}
    for info in joints:
        places[info.body_a].append(info.frame_a[:3].tolist())
        places[info.body_b].append(info.frame_b[:3].tolist())
    for ends in springs:
        for body, place in ends:
            if place is not None:
                places[body].append(place)
    for point in range(system.count("point")):
        point_info = system.get_point_info(point)
        places[point_info.body].append(point_info.position.tolist())
    return places


def _waves(system: System, gravity: float) -> dict[str, Any] | None:
    waves = np.array(system.get_waves())
    largest: Array = waves[:, np.argsort(-waves[0], kind="stable")[:MOST_WAVES]]
    if gravity == 0 or largest.size == 0 or largest[0, 0] == 0:
        return None
    return {"components": largest.T.tolist(), "gravity": gravity, "ramp": system.get_environment("wave_ramp")}
