"""Executes the notebooks in python/notebooks, which check their own results: a cell that raises fails."""

import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("nbclient", reason="nbclient is not installed: notebooks are not executed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed: notebooks are not executed")
pytest.importorskip("matplotlib", reason="matplotlib is not installed: notebooks are not executed")

#: In a process of its own, because libraries of Jupyter give warnings, which are errors in these tests.
EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], as_version=4)
NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": sys.argv[2]}}).execute()
nbformat.write(notebook, sys.argv[3])
"""


@pytest.mark.parametrize("name", ["pendulum", "moored_platform", "beams"])
def test_a_notebook_runs_and_shows_a_page(name, tmp_path):
    file, executed = ROOT / f"python/notebooks/{name}.ipynb", tmp_path / "executed.ipynb"
    command = [sys.executable, "-c", EXECUTE, str(file), str(file.parent), str(executed)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-3000:]
    assert "<iframe srcdoc=" in executed.read_text() and "image/png" in executed.read_text()
    # Outputs are not kept in the repository.
    assert file.stat().st_size < 10_000 and '"image/png"' not in file.read_text()


def test_all_notebooks_are_executed():
    names = sorted(file.stem for file in (ROOT / "python/notebooks").glob("*.ipynb"))
    assert names == ["beams", "moored_platform", "pendulum"]
