"""Film: the states that System.run keeps for the page of a run, and their encoding, which is that of `pintle view`."""

from __future__ import annotations

import zlib
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty

from ._scene import describe, free_points, inner_nodes

if TYPE_CHECKING:
    from ._arguments import Array
    from ._system import System

#: Most numbers in all frames, so that pages of large models can be opened.
MOST_NUMBERS = 4_000_000

#: Part of all tensions that may be above the range of the colours, and below it, so that the shock of a slack line does not leave the
#: rest one colour.
OUTSIDE = 0.002

#: The least number of frames: the first one and the last one.
FEWEST = 2


class Film:
    """Frames of a run: every row that is recorded, then every second, fourth, ... of them, so that no more than `most` are kept.

    The model is described when a page is made, from a copy of the system.
    """

    def __init__(self, system: System, most: int, dt: float) -> None:
        self.scheme = f"{system.get_scheme()}, steps of {dt:g} s"
        self._copy: System | None = system.clone()
        self._scene: dict[str, Any] | None = None
        self.bodies, self.points, self.springs = (system.count(kind) for kind in ("body", "point", "spring"))
        self.lines = [system.get_line_info(line).segments for line in range(system.count("line"))]
        self.free = free_points(system)
        self.inner = inner_nodes(system)
        segments = sum(self.lines)
        # Poses, nodes of lines, points, tensions of lines and of springs.
        sizes = [7 * self.bodies, 3 * (segments + len(self.lines)), 3 * self.points, segments, self.springs]
        self.at = np.cumsum([0, *sizes]).tolist()
        self.most = max(min(MOST_NUMBERS // (1 + self.at[-1]), most), FEWEST)
        self.interval = 1
        self.rows: list[int] = []
        self.frames: list[Array] = []

    def add(self, system: System, row: int) -> None:
        """Keeps the present state, which is that of a row, unless it is thinned out."""
        if row % self.interval == 0:
            # One less than the limit, because the last state is kept in any case.
            if len(self.frames) >= self.most - 1:
                del self.frames[1::2], self.rows[1::2]
                self.interval *= 2
                if row % self.interval:
                    return
            self._keep(system, row)

    def finish(self, system: System, row: int) -> None:
        """Keeps the last state, which is that of a row."""
        if self.rows[-1] != row:
            self._keep(system, row)

    def _keep(self, system: System, row: int) -> None:
        frame = empty(self.at[-1])
        poses, nodes, points, tensions, springs = (frame[a:b] for a, b in zip(self.at, self.at[1:]))
        if self.bodies:
            system.get_body_poses(out=poses.reshape(-1, 7))
        node = segment = 0
        for line, count in enumerate(self.lines):
            system.get_line_positions(line, out=nodes[node : node + 3 * count + 3].reshape(-1, 3))
            system.get_line_tensions(line, out=tensions[segment : segment + count])
            node, segment = node + 3 * count + 3, segment + count
        if self.points:
            system.get_point_positions(out=points.reshape(-1, 3))
        for spring in range(self.springs):
            springs[spring] = system.get_spring_force(spring).tension
        self.rows.append(row)
        self.frames.append(frame)

    def scene(self) -> dict[str, Any]:
        """What the page reads, but the frames."""
        if self._scene is None:
            assert self._copy is not None
            self._scene = describe(self._copy)
            self._copy = None
        return self._scene

    def __getstate__(self) -> dict[str, Any]:
        """A run can be pickled, its system cannot."""
        self.scene()
        return self.__dict__

    def encoded(self, times: Array, channels: Array) -> tuple[dict[str, Any], str]:
        """What the page must know to decode the frames, and the frames: of times and channels, of shape (n,), float32; nodes
        of lines in 16 bits of their range, tensions in 8 bits. A column is one number over all frames. Columns are stored as
        differences from frame to frame, of floats those of their bits, the low bytes of all numbers first."""
        table = np.array(self.frames)
        poses, lines, points, tensions, springs = (table[:, a:b] for a, b in zip(self.at, self.at[1:]))
        ends = [self._spring_end(end, poses, points) for one in self.scene()["springs"] for end in one]
        free = [points[:, 3 * point : 3 * point + 3] for point in self.free]
        nodes = np.concatenate([lines, *ends, *free], axis=1)
        tension = np.concatenate([tensions, springs], axis=1)
        axes = [_range(nodes[:, axis::3]) for axis in range(3)]
        # Springs that push would leave lines a small part of the colours.
        ordered = np.sort(tensions if tensions.size else springs, axis=None)
        outside = int(OUTSIDE * ordered.size)
        colours = _range(ordered[outside : ordered.size - outside])
        exact = np.concatenate([times[:, None] - times[0], poses, channels], axis=1).astype("<f4").view("<u4")
        places = np.stack(
            [_rounded(nodes[:, k], axes[k % 3], 65535) for k in range(nodes.shape[1])] or [empty(len(table))], axis=1
        )[:, : nodes.shape[1]]
        tables = [(exact, 4), (places, 2), (_rounded(tension, colours, 255), 1)]
        data = zlib.compress(b"".join(_planes(table, width) for table, width in tables), 9)
        keys = {"start": float(times[0]), "frames": len(table), "nodeRanges": axes, "tensionRange": colours}
        return keys, b64encode(data).decode()

    def _spring_end(self, end: tuple[int, list[float] | None], poses: Array, points: Array) -> Array:
        """The places of an end of a spring in all frames, of shape (n, 3)."""
        which, place = end
        if place is None:
            return points[:, 3 * which : 3 * which + 3]
        if which < 0:
            return np.tile(place, (len(poses), 1))
        pose = poses[:, 7 * which : 7 * which + 7]
        w, q = pose[:, 3:4], pose[:, 4:]
        # R(q) p = p + 2 w (q x p) + 2 q x (q x p)
        turned = np.cross(q, place)
        moved: Array = pose[:, :3] + place + 2 * (w * turned + np.cross(q, turned))
        return moved


def _range(values: Array) -> list[float]:
    return [float(values.min()), float(values.max())] if values.size else [0.0, 0.0]


def _rounded(values: Array, ends: list[float], parts: int) -> Any:
    """Values in parts of a range, 0 to `parts`; those outside of the range are moved to its ends."""
    least, most = ends
    scale = parts / (most - least) if most > least else 0.0
    return np.clip(np.round((values - least) * scale), 0, parts).astype("<u4")


def _planes(table: Any, width: int) -> bytes:
    """The lowest bytes of all numbers, column by column, then the second bytes, up to the width."""
    columns = np.ascontiguousarray(table.astype("<u4").T)
    changes = columns.copy()
    changes[:, 1:] -= columns[:, :-1]
    data: bytes = changes.reshape(-1, 1).view("u1").T[:width].tobytes()
    return data
