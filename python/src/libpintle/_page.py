"""The page of a run, the same as that of `pintle view`: page.html beside this file, with the run in it."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

import numpy as np

from ._patterns import choose, matches

if TYPE_CHECKING:
    from ._arguments import Array
    from ._run import Run

#: Most channels of one unit if none is chosen.
MOST_OF_UNIT = 8

#: Channels of the charts if none is chosen, as far as they change: of bodies, then of the rest.
USUAL_OF_BODIES = ("pos.?", "roll", "pitch", "yaw")
USUAL = ("*.angle", "*.displacement", "*.tension", "*.tension_?")

#: A channel is constant if it changes by less than this part of the largest value of its unit; of angles, if it changes by less
#: than this.
CONSTANT = 1e-6


def moving(run: Run, columns: Sequence[int], among: Sequence[int], most_of_unit: int | None = None) -> list[int]:
    """Those columns of a run that change, beside the size of others of their unit, and at most so many of each unit."""
    if len(run) == 0 or not columns:
        return []
    least, most = run.values.min(axis=0), run.values.max(axis=0)
    scale: dict[str, float] = {}
    for k in among:
        unit = run.units[k]
        scale[unit] = max(scale.get(unit, 1.0 if unit == "rad" else 0.0), float(most[k]), -float(least[k]))
    kept: list[int] = []
    for k in columns:
        of_unit = sum(run.units[other] == run.units[k] for other in kept)
        if most[k] - least[k] > CONSTANT * scale[run.units[k]] and (most_of_unit is None or of_unit < most_of_unit):
            kept.append(k)
    return kept


def usual(run: Run) -> list[int]:
    """The columns of the charts if none is chosen."""
    if run.chosen:
        return list(range(len(run.names)))
    # Bodies and markers have roll, bodies first. Of a beam the last node stands for all.
    rolls = [name[: -len("roll")] for name in run.names if name.endswith(".roll")]
    if run._film is not None:
        rolls = [name for body, name in enumerate(rolls[: run._film.bodies]) if body not in run._film.inner]
    rolls = rolls[:MOST_OF_UNIT]
    patterns = [body + channel for body in rolls for channel in USUAL_OF_BODIES] or ["*.pos.?"]
    wanted = [*patterns, *USUAL]
    found = [pattern for pattern in wanted if any(matches(pattern, name) for name in run.names)]
    columns = choose(run.names, found, "to_html")
    return moving(run, columns, columns, MOST_OF_UNIT)


def text(run: Run, title: str, channels: str | Sequence[str] | None) -> str:
    """The page."""
    film = run._film
    if film is None:
        raise ValueError("to_html: the run has no frames: System.run was called with frames=0")
    columns = usual(run) if channels is None else choose(run.names, channels, "to_html")
    rows = np.array(film.rows)
    times: Array = run.time[rows]
    keys, frames = film.encoded(times, run.values[rows][:, columns])
    thinned = ""
    if film.interval > 1:
        taken, asked = (round(float(run.time[n] - run.time[0]), 6) for n in (min(film.interval, len(run) - 1), 1))
        thinned = f"Thinned to a frame every {taken:g} s in place of {asked:g} s, because a page of this model has at most {film.most} frames"
    scene = {key: value for key, value in film.scene().items() if key != "springs"}
    description = {
        "title": title,
        "scheme": film.scheme,
        "thinned": thinned,
        "failure": run.failure,
        **scene,
        **keys,
        "channels": [{"name": run.names[k], "unit": run.units[k]} for k in columns],
    }
    # `<` is escaped, so that no text can end the script element around it.
    encoded = json.dumps(description, allow_nan=False).replace("<", "\\u003c")
    page = (Path(__file__).parent / "page.html").read_text(encoding="utf-8")
    made = []
    for mark, value in (("{{title}}", html.escape(title)), ("{{run}}", encoded), ("{{frames}}", frames)):
        # What is put in may have marks itself, so that only the rest of the page is searched.
        before, _, page = page.partition(mark)
        made += [before, value]
    return "".join([*made, page])
