"""Runs the examples, which check their own results: an exit status other than zero fails."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from libpintle import demo


PROGRAMS = [
    ("heavy_top.py",),
    ("platform_controller.py",),
    ("moored_platform.py",),
    ("oc4_decay.py", "heave", "pitch"),
    ("animated_platform.py", "platform.svg"),
    ("reactions.py",),
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one[0])
def test_an_example_runs(program, tmp_path):
    name, *arguments = program
    result = subprocess.run(
        [sys.executable, ROOT / "python/examples" / name, *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.count("\n") >= 1


def test_the_demo_writes_four_pages(tmp_path):
    command = [sys.executable, "-m", "libpintle.demo", str(tmp_path / "pages"), "--no-browser"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    names = ["moored_platform", "crane", "four_bar", "heavy_top"]
    assert result.stdout.split() == [str(tmp_path / "pages" / f"{name}.html") for name in names]
    for page in result.stdout.split():
        text = Path(page).read_text()
        assert len(text) < 1_000_000 and '"failure": ""' in text


def test_the_four_bar_of_the_demo_passes_its_singular_positions():
    run = demo.four_bar()
    # All bars are in line where the coupler is as high as the bearings: it passes there from above and from below.
    height = run["coupler.pos.y"]
    assert height.min() < -0.99 and height.max() > 0.99
    energy = run["energy.kinetic"] + run["energy.potential"]
    # Of second order in the step: 4e-4 of the largest kinetic energy at 5 ms.
    assert abs(energy - energy[0]).max() < 1e-3 * run["energy.kinetic"].max()


def test_the_platform_of_the_demo_drifts_when_its_line_is_let_go():
    run = demo.moored_platform()
    surge = run["hull.pos.x"]
    assert abs(surge[run.time < 150]).max() < 15 and surge[-1] > 50
    assert abs(run["west.tension_b"][-1]) < 1e3 < run["north.tension_b"][-1]


def test_the_crane_of_the_demo_brings_its_load_to_the_side_and_up():
    run = demo.crane()
    # A quarter turn, and 12 m up from 9 m; the load still swings by a few centimetres.
    assert [run[f"load.pos.{axis}"][-1] for axis in "xyz"] == pytest.approx([0, 20, 21], abs=0.3)
