"""Minesweeper in lines of text: how far a board is, and how far the rivals are."""

from __future__ import annotations

from collections.abc import Callable

from tablero.catalogue.speech import sentence, translate
from tablero_games import Seat
from tablero_games.minesweeper.drawing import progress as progress_in
from tablero_games.position import View

_FRAME = 6
"""Columns beside the cells of a drawing in emoji, each of which takes two."""


def progress(view: View) -> str:
    return progress_in(view, translate)


def side(view: View, seat: Seat) -> str | None:
    """The number of cells a seat has opened, and why it is out; None in solo games."""
    if view["mode"] == "solo":
        return None
    player = view["players"][seat]
    out = f" ({translate(player['out'])})" if player["out"] else ""
    return f"{player['opened']}{out}"


def unseen(view: View, seat: Seat, who: str, why_ended: Callable[[str], str]) -> str:
    """The progress of a player whose moves are hidden."""
    safe, player = view["width"] * view["height"] - view["mines"], view["players"][seat]
    opened = player["opened"]
    if player["out"]:
        out = sentence("{who} is out ({reason}) with {opened} of {safe} cells open.")
        return translate(out, who=who, reason=why_ended(player["out"]), opened=opened, safe=safe)
    return translate("{who} has opened {opened} of {safe} cells.", who=who, opened=opened, safe=safe)


def emoji_columns(view: View) -> int:
    columns: int = 2 * view["width"] + _FRAME
    return columns
