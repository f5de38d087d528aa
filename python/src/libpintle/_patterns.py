"""Names by patterns, as the command-line tool has them: * stands for any letters, ? for one."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Sequence


def matches(pattern: str, name: str) -> bool:
    """Whether a name matches a pattern. Square brackets stand for themselves."""
    letters = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in pattern)
    return re.fullmatch(letters, name, re.DOTALL) is not None


def choose(names: Sequence[str], patterns: str | Sequence[str], function: str) -> list[int]:
    """The places of names that match one of the patterns, in the order of the patterns, each once; a text may have several patterns
    with commas between them. Raises ValueError for a pattern without a match, TypeError for one that is no text."""
    place = {name: k for k, name in enumerate(names)}
    chosen: dict[int, None] = {}
    for pattern in patterns.split(",") if isinstance(patterns, str) else patterns:
        if not isinstance(pattern, str):
            raise TypeError(f"{function}: channels must be texts, not {type(pattern).__name__}")
        # A name is taken as such before it is a pattern.
        found = [place[pattern]] if pattern in place else [k for k, name in enumerate(names) if matches(pattern, name)]
        if not found:
            near = get_close_matches(pattern, names, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"{function}: no channel is called {pattern!r} (System.channel_names lists them){hint}")
        chosen.update(dict.fromkeys(found))
    return list(chosen)
