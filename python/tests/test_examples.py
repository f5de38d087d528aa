"""Runs the examples, which check their own results: an exit status other than zero fails."""

import subprocess
import sys

import pytest

from conftest import ROOT


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
