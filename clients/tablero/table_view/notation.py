"""Ways to write a move that several games share."""

from __future__ import annotations

import re

_DIRECTION = re.compile(r"([hv])[\s-]*([a-z]\d{1,2})|([a-z]\d{1,2})[\s-]+([hv])", re.ASCII)


def direction_last(line: str) -> str:
    """Join a place and its direction, h or v, in one word: "h e3" and "e3 h" become "e3h"."""
    found = _DIRECTION.fullmatch(line)
    return f"{found[2] or found[3]}{found[1] or found[4]}" if found else line
