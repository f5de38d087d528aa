"""Shapes of bodies: how they look on a page. They have no mass and no forces."""

from __future__ import annotations

import re
from base64 import b64encode
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._arguments import numbers
from ._constants import GROUND

if TYPE_CHECKING:
    from ._system import System

#: Keys of each kind, beside name and colour; those without a default must be given. Numbers are in the order of the library.
KEYS: dict[str, dict[str, Any]] = {
    "box": {"size": None, "frame": (0, 0, 0, 1, 0, 0, 0)},
    "cylinder": {"end_a": None, "end_b": None, "diameter": None},
    "capsule": {"end_a": None, "end_b": None, "diameter": None},
    "sphere": {"position": (0, 0, 0), "diameter": None},
    "stl": {"file": None, "scale": 1.0, "frame": (0, 0, 0, 1, 0, 0, 0)},
}
SHAPES: dict[str, tuple[int, ...]] = {"size": (3,), "frame": (7,), "end_a": (3,), "end_b": (3,), "position": (3,)}

#: Most triangles that a page carries, and the largest file.
MOST_TRIANGLES = 100_000
LARGEST = 50_000_000


def arguments(function: str, kind: str, given: Mapping[str, Any]) -> tuple[list[float], str]:
    """The numbers and the file of a shape. Raises TypeError or ValueError that name function and key; the library checks values."""
    if not isinstance(kind, str) or kind not in KEYS:
        raise ValueError(f"{function}: kind is {kind!r}, not one of {', '.join(KEYS)}")
    known, values = KEYS[kind], []
    for key in given:
        if key not in known:
            raise ValueError(f"{function}: {key} is no key of a {kind}, which has {', '.join(known)}")
    for key, default in known.items():
        value = given.get(key, default)
        if value is None:
            raise ValueError(f"{function}: {key} of a {kind} is missing")
        if key != "file":
            array, shape = numbers(value, function, key), SHAPES.get(key, ())
            if np.shape(value) != shape:
                raise ValueError(f"{function}: {key} has shape {np.shape(value)}, not {shape}")
            if not np.isfinite(array).all():
                raise ValueError(f"{function}: {key} is not finite")
            values += array.reshape(-1).tolist()
    return values, fspath(given["file"]) if kind == "stl" else ""


def parts(system: System, bodies: list[str], folder: Path) -> list[dict[str, Any]]:
    """What the page reads of the shapes of a system, whose STL files are relative to a folder."""
    found = []
    for k in range(system.shape_count()):
        body, _, values = system.get_shape_info(k)
        kind, file, name, colour = (system.get_shape_text(k, what) for what in ("kind", "file", "name", "colour"))
        name = name or ("ground" if body == GROUND else bodies[body])
        made: dict[str, Any] = {"kind": kind, "body": body, "name": name, "colour": colour or None}
        rest = values.tolist()
        for key in KEYS[kind]:
            if key in SHAPES:
                made[{"end_a": "a", "end_b": "b"}.get(key, key)], rest = rest[: SHAPES[key][0]], rest[SHAPES[key][0] :]
            elif key != "file":
                made[key] = rest.pop(0)
        if kind == "stl":
            corners = read_stl(f"shape {k}", folder / file) * np.float32(made.pop("scale"))
            made.update(kind="mesh", corners=b64encode(corners.astype("<f4").tobytes()).decode())
        found.append(made)
    return found


def read_stl(function: str, path: Path) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The corners of the triangles of an STL file, as text or binary, three by three, of shape (3 n, 3)."""
    try:
        if path.stat().st_size > LARGEST:
            raise ValueError(f"{function}: file {path} is larger than the {LARGEST} bytes that are read")
        data = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{function}: file {path}: {error.strerror}") from None
    count = int.from_bytes(data[80:84], "little")
    if len(data) == 84 + 50 * count and count:
        # For each triangle a normal, three corners and two bytes.
        corners = np.frombuffer(data, "u1", offset=84).reshape(count, 50)[:, 12:48].copy().view("<f4").reshape(-1, 3)
    else:
        words = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", data) if data.split(None, 1)[:1] == [b"solid"] else []
        try:
            corners = np.array(words, dtype="S32").astype("f4").reshape(-1, 3)
        except ValueError:
            corners = np.empty((0, 3), "f4")
        if len(corners) == 0 or len(corners) % 3:
            raise ValueError(f"{function}: file {path} is no STL file with triangles")
    if len(corners) > 3 * MOST_TRIANGLES:
        raise ValueError(f"{function}: file {path} has more than the {MOST_TRIANGLES} triangles that a page carries")
    if not np.isfinite(corners).all():
        raise ValueError(f"{function}: file {path} has coordinates that are not finite")
    return corners
