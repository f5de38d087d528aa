"""Run.plot: channels over time, a panel for each unit, names at the ends of the curves. Needs matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from ._page import moving, usual
from ._patterns import choose

if TYPE_CHECKING:
    from ._arguments import Array
    from ._run import Run

#: Height of a panel and width of the figure, in inches; distance of names, in parts of the height of a panel.
PANEL, WIDTH, APART = 2.4, 9.0, 0.075


def plot(run: Run, channels: str | Sequence[str] | None) -> Any:
    """The figure."""
    from matplotlib import pyplot  # optional dependency

    if channels is None:
        columns = usual(run)
    else:
        given = choose(run.names, channels, "plot")
        asked = channels.split(",") if isinstance(channels, str) else channels
        # Channels that were asked for by their full names are drawn in any case.
        changing = set(moving(run, given, range(len(run.names)))) | {k for k in given if run.names[k] in asked}
        columns = [k for k in given if k in changing]
    if not columns:
        raise ValueError("plot: none of the channels changes; name those to be drawn in full")
    values = continuous(run.names, columns, run.values)
    units = list(dict.fromkeys(run.units[k] for k in columns))
    figure, panels = pyplot.subplots(
        len(units), 1, sharex=True, squeeze=False, figsize=(WIDTH, 0.6 + PANEL * len(units)), layout="constrained"
    )
    for panel, unit in zip(panels[:, 0], units):
        of_unit = [k for k in columns if run.units[k] == unit]
        curves = [panel.plot(run.time, values[:, k], linewidth=1.4)[0] for k in of_unit]
        panel.set_ylabel(unit)
        panel.grid(alpha=0.3)
        panel.margins(x=0)
        panel.spines[["top", "right"]].set_visible(False)
        low, high = panel.get_ylim()
        heights = [(float(values[-1, k]) - low) / (high - low) for k in of_unit]
        for k, curve, height in zip(of_unit, curves, spread(heights)):
            panel.annotate(
                run.names[k],
                (1.0, height),
                xycoords="axes fraction",
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize="small",
                color=curve.get_color(),
            )
    panels[-1, 0].set_xlabel("time (s)")
    return figure


def continuous(names: Sequence[str], columns: Sequence[int], values: Array) -> Array:
    """The values with angles that are continuous over time. Channels have principal values: roll and yaw jump by a turn at half a
    turn, and all three angles of a body where its pitch passes 90 degrees, since roll, pitch, yaw and roll + pi, pi - pitch, yaw + pi
    are the same attitude; all three are needed to remove these."""
    place, values = {names[k]: k for k in columns}, values.copy()
    for name, k in place.items():
        body, _, angle = name.rpartition(".")
        all_three = [place.get(f"{body}.{other}") for other in ("roll", "pitch", "yaw")]
        if angle == "roll" and None not in all_three:
            for before, now in zip(values, values[1:]):
                roll, pitch, yaw = now[all_three]
                both = np.array([[roll, pitch, yaw], [roll + np.pi, np.pi - pitch, yaw + np.pi]])
                both -= 2 * np.pi * np.round((both - before[all_three]) / (2 * np.pi))
                now[all_three] = min(both, key=lambda angles: float(((angles - before[all_three]) ** 2).sum()))
        elif angle in ("roll", "yaw") and None in all_three:
            values[:, k] = np.unwrap(values[:, k])
    return values


def spread(heights: Sequence[float]) -> list[float]:
    """Heights in the same order, moved so far that neighbours are apart, around the same mean."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    for lower, upper in zip(order, order[1:]):
        placed[upper] = max(placed[upper], placed[lower] + APART)
    shift = sum(heights) / len(heights) - sum(placed) / len(placed)
    return [height + shift for height in placed]
