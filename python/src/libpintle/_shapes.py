"""Shapes of bodies: how they look on a page. They have no mass and no forces; the library does not know them."""

from __future__ import annotations

import re
from base64 import b64encode
from os import PathLike
from pathlib import Path, PurePath
from typing import Any, Mapping

import numpy as np

from ._arguments import numbers

#: Keys of each kind, beside name and colour; those without a default must be given.
KEYS: dict[str, dict[str, Any]] = {
    "box": {"size": None, "frame": (0, 0, 0, 1, 0, 0, 0)},
    "cylinder": {"end_a": None, "end_b": None, "diameter": None},
    "capsule": {"end_a": None, "end_b": None, "diameter": None},
    "sphere": {"position": (0, 0, 0), "diameter": None},
    "stl": {"file": None, "scale": 1.0, "frame": (0, 0, 0, 1, 0, 0, 0)},
}
LENGTHS = {"size": 3, "frame": 7, "end_a": 3, "end_b": 3, "position": 3}

#: Most triangles that a page carries, and the largest file.
MOST_TRIANGLES = 100_000
LARGEST = 50_000_000


def part(function: str, kind: object, name: str, colour: object, given: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """What the page reads of a shape, without its body. Raises TypeError or ValueError that name function and key."""
    if not isinstance(kind, str) or kind not in KEYS:
        raise ValueError(f"{function}: kind is {kind!r}, not one of {', '.join(KEYS)}")
    known = KEYS[kind]
    for key in given:
        if key not in known:
            raise ValueError(f"{function}: {key} is no key of a {kind}, which has {', '.join(known)}")
    values = {key: given.get(key, default) for key, default in known.items()}
    for key, value in values.items():
        if value is None:
            raise ValueError(f"{function}: {key} of a {kind} is missing")
        if key != "file":
            values[key] = _numbers(function, key, value)
    if colour is not None and not (isinstance(colour, str) and re.fullmatch("#[0-9a-fA-F]{6}", colour)):
        raise ValueError(f"{function}: colour is {colour!r}, not such as '#e0a526'")
    made: dict[str, Any] = {"kind": kind, "name": name, "colour": colour}
    for key, value in values.items():
        made[{"end_a": "a", "end_b": "b"}.get(key, key)] = value
    if made.get("a", 0) == made.get("b", 1):
        raise ValueError(f"{function}: end_b is the same as end_a")
    if kind == "stl":
        corners = read_stl(function, folder / _path(function, made.pop("file"))) * np.float32(made.pop("scale"))
        made.update(kind="mesh", corners=b64encode(corners.astype("<f4").tobytes()).decode())
    return made


def _numbers(function: str, key: str, value: Any) -> Any:
    """A number above 0, or a list of the right length."""
    shape = (LENGTHS[key],) if key in LENGTHS else ()
    array = numbers(value, function, key)
    if np.shape(value) != shape:
        raise ValueError(f"{function}: {key} has shape {np.shape(value)}, not {shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{function}: {key} is not finite")
    if key in ("size", "diameter", "scale") and not (array > 0).all():
        raise ValueError(f"{function}: {key} is {np.asarray(value).tolist()}, not above 0")
    if key == "frame":
        length = float(np.linalg.norm(array[3:]))
        if abs(length - 1) > 1e-2:
            raise ValueError(f"{function}: frame has a quaternion of length {length:g}, not 1")
        array = np.concatenate([array[:3], array[3:] / length])
    return array.tolist() if shape else float(array.reshape(()))


def _path(function: str, file: object) -> Path:
    if not isinstance(file, (str, PathLike)):
        raise TypeError(f"{function}: file must be a path, not {type(file).__name__}")
    return Path(file)


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


def of_file(text: str, folder: Path, find: Any) -> list[dict[str, Any]]:
    """The shapes of a model file that the library has read; `find` gives the id and the name of a body. None where Python has no
    reader of TOML (before 3.11)."""
    try:
        from tomllib import loads
    except ImportError:
        return []
    tables = loads(text).get("shape", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("load_model: shape must be tables, each under its own [[shape]]")
    parts = []
    for k, table in enumerate(tables):
        function = f"load_model: shape {k}"
        given = dict(table)
        body, called = find(given.pop("body", None), function)
        kind, name, colour = given.pop("kind", None), given.pop("name", called), given.pop("colour", None)
        file = PurePath(str(given.get("file", "")))
        if file.is_absolute() or ".." in file.parts:
            raise ValueError(f"{function}: file {file} is not in the folder of the model")
        parts.append({**part(function, kind, name, colour, given, folder), "body": body})
    return parts
