"""The look of a board in a terminal, in the sixteen colours of all terminals.

Law: every meaning of a colour also has a sign.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from tablero_protocol.text import without_controls

from ..playing.board_lines import Line
from ..table_view.canvas import Stretch

_ROLES: Final[Mapping[str, str]] = {
    "label": "2",
    "grid": "2",
    "empty": "2",
    "covered": "2",
    "wall": "1",
    "edge": "1",
    "bracket": "1",
    "seat0": "1;33",
    "disc0": "1;33",
    "seat1": "1;36",
    "disc1": "1;36",
    "seat2": "1;32",
    "seat3": "1;35",
    "flag": "1;31",
    "mine": "1;31",
    "exploded": "1;7;31",
    "number1": "36",
    "number2": "32",
    "number3": "31",
    "number4": "35",
    "number5": "33",
    "number6": "1;36",
    "number7": "1",
    "number8": "1",
}
_LOOK: Final = re.compile(r"\x1b\[[\d;]*m")
_MARKS: Final[Mapping[str, str]] = {"last": "4", "win": "7"}


def may_colour(environment: Mapping[str, str]) -> bool:
    """Whether colours are allowed."""
    return not environment.get("NO_COLOR")


def rows_of(lines: Sequence[str], columns: int) -> int:
    """The number of rows of these lines in a terminal of this width. Colour codes don't count."""
    return sum(max(1, -(-len(_LOOK.sub("", line)) // columns)) for line in lines)


def coloured(lines: Sequence[Line]) -> str:
    """The lines with escape sequences. Escape sequences in the text are not passed on."""
    return "\n".join("".join(map(_stretch, _without_end(line))) for line in lines)


def _without_end(line: Line) -> Line:
    """Strip the blanks at the end of a line."""
    line = list(line)
    while line and not line[-1].text.rstrip():
        line.pop()
    return line


def _stretch(stretch: Stretch) -> str:
    text = without_controls(stretch.text)
    look = ";".join(code for code in (_ROLES.get(stretch.role, ""), _MARKS.get(stretch.mark, "")) if code)
    return f"\x1b[{look}m{text}\x1b[m" if look and text.strip() else text
