"""Ways of writing a move that games share."""

from __future__ import annotations

import re

_DIRECTION = re.compile(r"([hv])[\s-]*([a-z]\d{1,2})|([a-z]\d{1,2})[\s-]+([hv])", re.ASCII)


def direction_last(line: str) -> str:
    """A place and its direction, h or v, written in one word: "h e3" and "e3 h" are e3h."""
    found = _DIRECTION.fullmatch(line)
    return f"{found[2] or found[3]}{found[1] or found[4]}" if found else line
