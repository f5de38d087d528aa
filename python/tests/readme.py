"""Runs the Python of README.md, docs/python.md and python/README.md in a process with the installed wheel only: code that users copy must work."""

import re
import sys
import tempfile
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = re.compile(r"to_dataframe|matplotlib")


def main() -> None:
    blocks = 0
    os.chdir(tempfile.mkdtemp())
    for page in ("README.md", "docs/python.md", "python/README.md"):
        # The blocks of a page follow each other, as its reader runs them.
        names: dict = {"__name__": "readme"}
        for code in re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL):
            if not OPTIONAL.search(code):
                exec(compile(code, page, "exec"), names)
                blocks += 1
    sys.exit(0 if blocks >= 5 else f"only {blocks} blocks of Python found")


main()
