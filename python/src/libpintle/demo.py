"""Four runs as pages that play them: python -m libpintle.demo [directory] [--no-browser]

A floating spar on three lines in waves, one of which is let go; a crane that slews and hoists; a four-bar linkage that passes its
singular positions; a heavy top beside its energy. Without a directory the pages go to a new one among the temporary files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import webbrowser
from math import cos, pi, sin
from pathlib import Path
from typing import Callable, Sequence

from ._run import Run
from ._system import System


def moored_platform() -> Run:
    """A spar in waves of 6 m; its upwind line is let go at the hull after 150 s."""
    system = System()
    system.environment(gravity=9.81, water_density=1025, depth=200)
    system.waves(height=6, period=12, seed=1, ramp=30)
    # Ballasted to float upright with a draught of 90 m, less the pull of the lines.
    hull = system.body(1025 * pi / 4 * 10**2 * 90 - 3 * 25e3, [5e9, 5e9, 1e8], name="hull", com=[0, 0, -65])
    hull.cylinder([0, 0, -90], [0, 0, 20], 10, cd=0.8, cd_end=1.0, ca_end=1.0)
    chain = system.line_type(0.0766, 113.35, 753.6e6, cdn=2, can=0.8, cdt=0.25)
    lines = {}
    for name, b in {"north": pi / 3, "west": pi, "south": 5 * pi / 3}.items():
        anchor, fairlead = [850 * cos(b), 850 * sin(b), -200], [5 * cos(b), 5 * sin(b), -70]
        lines[name] = system.line(chain, anchor, (hull, fairlead), 880, name=name)
    lines["west"].fail("b", time=150)
    return system.run(400, 0.1, channels="hull.pos.x,hull.pos.z,hull.pitch,*.tension_b")


def crane() -> Run:
    """A quarter turn from 2 s to 26 s; from 20 s to 35 s a winch hauls in 12 m of rope with a load of 5 t."""
    system = System()
    system.environment(gravity=9.81)
    system.options(rho_inf=0.8)
    tower = system.body(40e3, [1.2e6, 2.4e6, 1.6e6], name="crane", com=[2, 0, 25])
    tower.shape("box", size=[1.6, 1.6, 31], frame=[0, 0, 15.5, 1, 0, 0, 0], colour="#e0a526")
    tower.shape("box", size=[28, 1.2, 1.2], frame=[7, 0, 30.6, 1, 0, 0, 0], colour="#e0a526")
    load = system.body(5e3, [2e3, 2e3, 2e3], name="load", position=[20, 0, 8.98024]).shape("box", size=[2, 2, 2], colour="#4a8fc4")
    slew = system.revolute("ground", tower, point=[0, 0, 0], axis=[0, 0, 1], name="slew").drive()
    wire = system.line_type(0.03, 3.6, 5e7, ba=-0.5)
    rope = system.line(wire, (tower, [20, 0, 30]), (load, [0, 0, 1]), 20, 6, name="rope")

    def operate(system: System, time: float) -> None:
        slew.move(*ramp(time, 2, 26, pi / 2))
        hauled, rate, _ = ramp(time, 20, 35, 12)
        system.set_line_length(rope, 20 - hauled, -rate)

    return system.run(40, 0.02, inputs=operate, channels="load.pos.?,rope.tension_a,slew.reaction.mz")


def ramp(time: float, start: float, end: float, rise: float) -> tuple[float, float, float]:
    """From 0 at start to rise at end: value, rate and acceleration of a polynomial of degree 5."""
    length = end - start
    x = min(max((time - start) / length, 0.0), 1.0)
    rate = rise / length * 30 * x**2 * (1 - x) ** 2
    return rise * x**3 * (10 - 15 * x + 6 * x**2), rate, rise / length**2 * 60 * x * (1 - x) * (1 - 2 * x)


def four_bar() -> Run:
    """Three bars of 1 m and 1 kg on two bearings 1 m apart (IFToMM benchmark A02). Where all bars are in line, the linkage has two
    degrees of freedom instead of one: it passes there, and its energy stays."""
    system = System()
    system.environment(gravity=[0, -9.81, 0])
    inertia = [1e-4, 1 / 12, 1 / 12]
    bars = []
    # Bars along their x axes; both cranks stand upright and move to the right with 1 m/s at their ends.
    for name, position, angle, velocity, omega in (
        ("left", [0, 0.5, 0], 90, [0.5, 0, 0], [0, 0, -1]),
        ("coupler", [0.5, 1, 0], 0, [1, 0, 0], [0, 0, 0]),
        ("right", [1, 0.5, 0], 90, [0.5, 0, 0], [0, 0, -1]),
    ):
        bar = system.body(1.0, inertia, name=name, position=position, euler_deg=[0, 0, angle], velocity=velocity, omega=omega)
        bars.append(bar.shape("capsule", end_a=[-0.5, 0, 0], end_b=[0.5, 0, 0], diameter=0.06))
    left, coupler, right = bars
    for a, b, point in (("ground", left, [0, 0, 0]), (left, coupler, [0, 1, 0]), (coupler, right, [1, 1, 0]), ("ground", right, [1, 0, 0])):
        system.revolute(a, b, point=point, axis=[0, 0, 1])
    return system.run(10, 0.005, channels="coupler.pos.x,coupler.pos.y,energy.*")


def heavy_top() -> Run:
    """A disc that spins about its axis with 150 rad/s, held at one point (Geradin and Cardona)."""
    system = System()
    system.environment(gravity=9.81)
    system.options(rho_inf=1.0)
    # The axis is horizontal at first; the reference point is the centre of mass, 1 m from the joint.
    top = system.body(15.0, [0.234375, 0.46875, 0.234375], name="top", position=[0, 1, 0], velocity=[4.61538, 0, 0], omega=[0, 150, -4.61538])
    top.shape("cylinder", end_a=[0, -0.03, 0], end_b=[0, 0.03, 0], diameter=0.5)
    top.shape("cylinder", end_a=[0, -1, 0], end_b=[0, 0, 0], diameter=0.025)
    top.shape("box", size=[0.05, 0.07, 0.2], frame=[0, 0, 0.14, 1, 0, 0, 0], colour="#c9614a")
    system.spherical("ground", top, point=[0, 0, 0])
    return system.run(2, 0.001, channels="top.pos.?,energy.*")


RUNS: dict[str, Callable[[], Run]] = {
    "moored_platform": moored_platform,
    "crane": crane,
    "four_bar": four_bar,
    "heavy_top": heavy_top,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Makes the pages, prints their names and opens them. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m libpintle.demo", description="Writes four pages that play runs, and opens them.")
    parser.add_argument("directory", nargs="?", type=Path, help="where the pages go; default: a new temporary directory")
    parser.add_argument("--no-browser", action="store_true", help="only prints the names of the pages")
    given = parser.parse_args(arguments)
    directory = Path(tempfile.mkdtemp(prefix="pintle-demo-")) if given.directory is None else given.directory
    directory.mkdir(parents=True, exist_ok=True)
    for name, make in RUNS.items():
        page = directory.absolute() / f"{name}.html"
        make().to_html(page, title=name.replace("_", " "))
        print(page, flush=True)
        if not given.no_browser:
            webbrowser.open(page.as_uri())
    return 0


if __name__ == "__main__":
    sys.exit(main())
