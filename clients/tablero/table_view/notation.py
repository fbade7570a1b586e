"""Moves as people write them, read as the game writes them.

Law: what this does not know is passed on as it was typed; the server is the judge.
"""

from __future__ import annotations

import re

from tablero_games.position import View

from ..games import client_game

_DIRECTION = re.compile(r"([hv])[\s-]*([a-z]\d{1,2})|([a-z]\d{1,2})[\s-]+([hv])", re.ASCII)


def read_move(game: str, text: str, view: View | None = None) -> str:
    """The move that is meant; `view` is the position in which it is typed, if one is known."""
    read = client_game(game).read_move
    return text.strip() if read is None else read(" ".join(text.lower().split()), view)


def direction_last(line: str) -> str:
    """A place and its direction, h or v, written in one word: "h e3" and "e3 h" are e3h."""
    found = _DIRECTION.fullmatch(line)
    return f"{found[2] or found[3]}{found[1] or found[4]}" if found else line
