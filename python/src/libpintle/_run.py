"""System.run: steps to an end time, recording of channels and of frames for a page, a progress bar."""

from __future__ import annotations

import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Sequence

from numpy import array, empty, intp

from ._constants import Phase
from ._film import Film
from ._patterns import choose

if TYPE_CHECKING:
    from os import PathLike

    from ._arguments import Array
    from ._system import System


class Run:
    """Recorded channels: run["hull.pos.z"] is a column, run.time the times of its rows.

    Attributes:
        names: names of the channels, in the order of the columns.
        units: units of the channels.
        time: time of each row.
        values: the recorded values, of shape (rows, channels).
        failure: why the run ended early; empty if it did not.
        chosen: whether System.run was told which channels to record.
    """

    def __init__(
        self,
        names: Sequence[str],
        units: Sequence[str],
        time: Array,
        values: Array,
        *,
        failure: str = "",
        chosen: bool = False,
        film: Film | None = None,
    ) -> None:
        self.names = tuple(names)
        self.units = tuple(units)
        self.time = time
        self.values = values
        self.failure = failure
        self.chosen = chosen
        self._film = film
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

    def to_html(
        self, path: str | PathLike[str], *, title: str | None = None, channels: str | Sequence[str] | None = None
    ) -> None:
        """Writes a page that plays the run in a browser, without a network (docs/view.md): the same as that of `pintle view`.

        If the run failed, the page has what there is and says why. A run with channels of its own has those in the charts, else
        positions, angles and tensions that change.

        Args:
            path: the file to write.
            title: what is above the page; None takes the name of the file.
            channels: those of the charts, by name or pattern (* any letters, ? one), as a list or with commas between them.

        Errors: OSError if the file cannot be written, ValueError for a channel that was not recorded, and for a run without
        frames.
        """
        from ._page import text

        file = Path(path)
        made = text(self, file.stem if title is None else title, channels)
        file.write_text(made, encoding="utf-8")

    def plot(self, channels: str | Sequence[str] | None = None) -> Any:
        """Draws channels over time, a panel for each unit, with names at the ends of the curves. Needs matplotlib.

        Args:
            channels: by name or pattern (* any letters, ? one), as a list or with commas between them: "load.*". What does not
                change is left out, unless it is named in full. None: positions, angles and tensions that change.

        Returns:
            the matplotlib.figure.Figure; savefig writes it.

        Errors: ValueError for a channel that was not recorded, or if nothing changes; ImportError without matplotlib.
        """
        from ._plot import plot

        return plot(self, channels)

    def _repr_html_(self) -> str:
        """In a notebook: the page of the run; of a run without frames, its channels."""
        from ._page import text

        if self._film is None or len(self) == 0:
            rows = "".join(f"<tr><td>{escape(name)}<td>{escape(unit)}" for name, unit in zip(self.names, self.units))
            return f"<p>{escape(repr(self))}</p><table><tr><th>channel<th>unit{rows}</table>"
        page = escape(text(self, "run", None), quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="760" style="border:0"></iframe>'


def run(
    system: System,
    end: float,
    dt: float,
    *,
    channels: str | Sequence[str] | None,
    every: int,
    inputs: Callable[[System, float], None] | None,
    progress: bool | None,
    frames: int,
) -> Run:
    """The implementation of System.run."""
    if system.phase() is Phase.BUILDING:
        system.initialize(0.0)
    start = system.time()
    if not 0.0 < float(dt) < float("inf"):
        raise ValueError(f"run: dt is {dt}, not a positive number")
    if not start <= float(end) < float("inf"):
        raise ValueError(f"run: end is {end}, before the present time {start} or no number")
    if every < 1:
        raise ValueError(f"run: every is {every}, not 1 or more")
    if frames < 0:
        raise ValueError(f"run: frames is {frames}, not 0 or more")
    all_names = system.channel_names()
    places = list(range(len(all_names))) if channels is None else choose(all_names, channels, "run")
    names = [all_names[place] for place in places]
    all_units = [system.channel_unit(place) for place in places]
    chosen = None if channels is None else array(places, intp)

    # A remainder below 1e-9 of a step is rounding error of the division.
    steps = int((end - start) / dt + 1e-9)
    rest = end - (start + steps * dt)
    if rest > 1e-9 * dt:
        steps += 1
    rows = 1 + (steps + every - 1) // every
    values, times, buffer = empty((rows, len(names))), empty(rows), empty(len(all_names))
    row = 0
    film = Film(system, frames, dt) if frames else None

    def record() -> None:
        nonlocal row
        system.get_channels(buffer)
        times[row] = system.time()
        values[row] = buffer if chosen is None else buffer[chosen]
        if film is not None:
            film.add(system, row)
        row += 1

    def made(failure: str = "") -> Run:
        # After a failure the system may be ahead of the last row.
        if film is not None and system.time() == times[row - 1]:
            film.finish(system, row - 1)
        rows = slice(row)
        return Run(
            names, all_units, times[rows], values[rows], failure=failure, chosen=chosen is not None, film=film
        )

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
        error.run = made(f"{error} (at t = {times[row - 1]:.6f} s)")  # type: ignore[attr-defined]
        raise
    finally:
        bar.close()
    return made()


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
