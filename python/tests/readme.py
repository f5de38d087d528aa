"""Runs the Python of README.md, docs/tutorial.md, docs/python.md and python/README.md in a process with the installed wheel only: code that
users copy must work, and print the output that stands behind it on the page."""

import contextlib
import io
import os
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = re.compile(r"to_dataframe|matplotlib")


def differs(expected: str, printed: str) -> bool:
    """Whether the words differ; numbers may by a unit of their last decimal."""
    one, other = expected.split(), printed.split()
    if len(one) != len(other):
        return True
    for a, b in zip(one, other):
        unit = 10.0 ** -len(a.partition(".")[2]) if re.fullmatch(r"-?\d+\.\d+", a) and re.fullmatch(r"-?\d+\.\d+", b) else None
        if a != b and (unit is None or abs(float(a) - float(b)) > 1.01 * unit):
            return True
    return False


def main() -> None:
    blocks = 0
    os.chdir(tempfile.mkdtemp())
    os.symlink(ROOT / "models", "models")
    for page in ("README.md", "docs/tutorial.md", "docs/python.md", "python/README.md"):
        # The blocks of a page follow each other, as its reader runs them.
        names: dict = {"__name__": "readme"}
        text = (ROOT / page).read_text()
        for found in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
            code = found[1]
            if OPTIONAL.search(code):
                continue
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(code, page, "exec"), names)
            blocks += 1
            printed = output.getvalue()
            expected = re.search(r"```text\n(.*?)```", text[found.end() :], re.DOTALL)
            if printed and expected and page in ("README.md", "docs/tutorial.md") and differs(expected[1], printed):
                sys.exit(f"{page} says\n{expected[1]}\nbut this was printed:\n{printed}")
    sys.exit(0 if blocks >= 10 else f"only {blocks} blocks of Python found")


main()
