"""A view of Minesweeper as text: the board, as far as it is known, and the progress of all seats.

The two letters of a column beyond z are drawn one below the other, so that every cell takes two characters:

    2 | # # F |
    1 | . 1 1 |
        a b c
"""

from __future__ import annotations

from itertools import zip_longest

from ..position import Style, View, Wording
from .grid import column_name

_MARKS: dict[Style, dict[str, str]] = {
    "ascii": {"#": "#", "F": "F", "*": "*", "X": "X", "0": "."},
    "unicode": {"#": "░", "F": "⚑", "*": "✸", "X": "✗", "0": "⋅"},
    "emoji": {"#": "⬜️", "F": "🚩", "*": "💣", "X": "💥", "0": "🌿"},
}
_EMOJIS = ("0️⃣", "1️⃣", "2️⃣", "3️⃣", "4️⃣", "5️⃣", "6️⃣", "7️⃣", "8️⃣")


def show_map(view: View, style: Style, say: Wording) -> str:
    """The field if the view has it, otherwise the board, with the highest row first and the
    progress below.
    """
    rows = reveal_all_cells(view)
    board = _framed(rows, view["width"], style) if rows else []
    return "\n".join([*board, *_progress(view, say)])


def reveal_all_cells(view: View) -> list[str]:
    """The rows to draw, lowest first, with everything that the view contains. A mine that was dug is "X"."""
    cells: list[str] = view["cells"] or []
    field: list[str] = view.get("field") or cells
    if cells in ([], field):
        return field
    return [
        "".join("X" if was == "*" else content for was, content in zip(board, row, strict=True))
        for board, row in zip(cells, field, strict=True)
    ]


def number_to_emoji(number: int) -> str:
    """The keycap of a number from 0 to 8. Raises ValueError for any other number."""
    if not 0 <= number <= 8:
        raise ValueError(f"A cell touches 0 to 8 mines, not {number}.")
    return _EMOJIS[number]


def _framed(rows: list[str], width: int, style: Style) -> list[str]:
    label = len(str(len(rows)))
    left, right = ("|", "|") if style == "ascii" else ("⎢", "⎥")
    between = "" if style == "emoji" else " "  # an emoji is already two columns wide
    lines = [
        f"{y + 1:>{label}} {left} {between.join(_mark(content, style) for content in rows[y])} {right}"
        for y in reversed(range(len(rows)))
    ]
    letters = zip_longest(*(column_name(x) for x in range(width)), fillvalue=" ")
    return lines + [" " * (label + 3) + " ".join(line).rstrip() for line in letters]


def _mark(content: str, style: Style) -> str:
    if style == "emoji" and content in "12345678":
        return number_to_emoji(int(content))
    return _MARKS[style].get(content, content)


def progress(view: View, say: Wording) -> str:
    """The number of open safe cells and of flags."""
    if not (cells := view["cells"]):
        return say("mines: {mines}", mines=view["mines"])
    board = "".join(cells)
    return say(
        "mines: {mines}, flags: {flags}, open: {open} of {safe}",
        mines=view["mines"],
        flags=board.count("F"),
        open=sum(map(str.isdigit, board)),
        safe=view["width"] * view["height"] - view["mines"],
    )


def _progress(view: View, say: Wording) -> list[str]:
    """The lines about progress; with several players, one line for each seat."""
    lines = [progress(view, say)]
    if view["mode"] != "solo":
        by_seat = [
            f"{player['opened']} ({say(player['out'])})" if player["out"] else str(player["opened"])
            for player in view["players"]
        ]
        lines.append(
            say("opened by seats 0 to {last}: {opened}", last=len(by_seat) - 1, opened=", ".join(by_seat))
        )
    return lines
