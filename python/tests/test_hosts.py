"""The adapters of hosts/ that are written in Python, run as their pages say; skipped where the other program is not installed."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT


def run(script, *arguments):
    """Exit status and output of a script of hosts/."""
    command = [sys.executable, str(ROOT / "hosts" / script), *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return ended.returncode, ended.stdout + ended.stderr


def test_platform_on_moordyns_lines_and_on_own_ones(tmp_path):
    pytest.importorskip("moordyn")
    table = tmp_path / "coupled.csv"
    status, told = run("moordyn/coupled.py", table)
    # The script compares the tensions, within 0.5 % of the largest.
    assert status == 0, told
    rows = table.read_text().splitlines()
    assert rows[0].startswith("time,surge_moordyn") and len(rows) == 122
    assert float(rows[1].split(",")[1]) == 5.0


@pytest.mark.parametrize("mode", ["decay", "waves"])
def test_spar_in_hydrodyn(mode):
    library = os.environ.get("PINTLE_HYDRODYN")
    if library is None:
        pytest.skip("PINTLE_HYDRODYN names no libhydrodyn_c_binding.so")
    # The script compares the period with the formula, and counts exchanges.
    status, told = run("hydrodyn/spar.py", library, mode)
    assert status == 0, told


def test_spar_without_hydrodyn_says_what_is_missing():
    status, told = run("hydrodyn/spar.py", "/nowhere/libhydrodyn_c_binding.so", "decay")
    assert status == 2 and "/nowhere/libhydrodyn_c_binding.so" in told
