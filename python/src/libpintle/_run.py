"""System.run: steps to an end time, recording of channels, a progress bar."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Sequence

from numpy import empty, fromiter, intp

if TYPE_CHECKING:
    from ._arguments import Array
    from ._system import System


class Run:
    """Recorded channels: run["hull.pos.z"] is a column, run.time the times of its rows.

    Attributes:
        names: names of the channels, in the order of the columns.
        units: units of the channels.
        time: time of each row.
        values: the recorded values, of shape (rows, channels).
    """

    def __init__(self, names: Sequence[str], units: Sequence[str], time: Array, values: Array) -> None:
        self.names = tuple(names)
        self.units = tuple(units)
        self.time = time
        self.values = values
        self._column = {name: i for i, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> Array:
        """The column of a channel."""
        column: Array = self.values[:, self._column[name]]
        return column

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"<libpintle.Run, {len(self)} rows of {len(self.names)} channels>"

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame with the time as its index and a column for each channel; attrs["units"] has the units."""
        from pandas import DataFrame, Index  # optional dependency

        frame = DataFrame(self.values, index=Index(self.time, name="time"), columns=list(self.names), copy=True)
        frame.attrs["units"] = dict(zip(self.names, self.units))
        return frame


def run(
    system: System,
    end: float,
    dt: float,
    *,
    channels: Sequence[str] | None,
    every: int,
    inputs: Callable[[System, float], None] | None,
    progress: bool | None,
) -> Run:
    """The implementation of System.run."""
    start = system.time()
    if not 0.0 < float(dt) < float("inf"):
        raise ValueError(f"run: dt is {dt}, not a positive number")
    if not start <= float(end) < float("inf"):
        raise ValueError(f"run: end is {end}, before the present time {start} or no number")
    if every < 1:
        raise ValueError(f"run: every is {every}, not 1 or more")
    all_names = system.channel_names()
    names = all_names if channels is None else tuple(channels)
    place = {name: i for i, name in enumerate(all_names)}
    unknown = [name for name in names if name not in place]
    if unknown:
        raise ValueError(f"run: no channel is called {unknown[0]!r} (System.channel_names lists them)")
    all_units = [system.channel_unit(place[name]) for name in names]
    chosen = None if channels is None else fromiter((place[name] for name in names), intp, len(names))

    # A remainder below 1e-9 of a step is rounding error of the division.
    steps = int((end - start) / dt + 1e-9)
    rest = end - (start + steps * dt)
    if rest > 1e-9 * dt:
        steps += 1
    rows = 1 + (steps + every - 1) // every
    values, times, buffer = empty((rows, len(names))), empty(rows), empty(len(all_names))
    row = 0

    def record() -> None:
        nonlocal row
        system.get_channels(buffer)
        times[row] = system.time()
        values[row] = buffer if chosen is None else buffer[chosen]
        row += 1

    record()
    bar = _bar(progress, steps)
    step, update = system.step, bar.update
    try:
        for n in range(1, steps + 1):
            length = end - system.time() if n == steps and rest > 1e-9 * dt else dt
            if inputs is not None:
                inputs(system, system.time() + length)
            step(length)
            if n % every == 0 or n == steps:
                record()
            update()
    except Exception as error:
        error.run = Run(names, all_units, times[:row].copy(), values[:row].copy())  # type: ignore[attr-defined]
        raise
    finally:
        bar.close()
    return Run(names, all_units, times, values)


class _NoBar:
    def update(self) -> None:
        """Shows nothing."""

    def close(self) -> None:
        """Shows nothing."""


class _PlainBar:
    """Percent on stderr, where tqdm is not installed."""

    def __init__(self, steps: int) -> None:
        self._steps, self._done, self._shown = max(steps, 1), 0, -1

    def update(self) -> None:
        self._done += 1
        percent = 100 * self._done // self._steps
        if percent != self._shown:
            self._shown = percent
            print(f"\r{percent:3d} %", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        print(file=sys.stderr)


def _bar(progress: bool | None, steps: int) -> Any:
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return _NoBar()
    try:
        from tqdm import tqdm
    except ImportError:
        return _PlainBar(steps) if progress else _NoBar()
    return tqdm(total=steps, unit="step", leave=bool(progress))
