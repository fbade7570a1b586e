"""What a client knows of a game beside its rules: its board, how its moves are typed, and so on.

Law: all of it is optional. A game has it as `CLIENT_GAME` in the module here that is named like the game; one
without a module is shown by the drawing of its rules, and its moves are typed as the rules write them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from tablero_games import GAMES
from tablero_games.position import View

if TYPE_CHECKING:
    from ..table_view.board import Board


@dataclass(frozen=True)
class ClientGame:
    board: type[Board] | None = None
    """None: the drawing of the rules."""
    read_move: Callable[[str, View | None], str] | None = None
    """The move that is meant by a line in small letters and single spaces; None: what was typed."""


NOTHING_KNOWN = ClientGame()


def client_game(game: str) -> ClientGame:
    """What is known of a game by this name, which may be any word that a server sends."""
    found: ClientGame = getattr(own_module(__name__, game), "CLIENT_GAME", NOTHING_KNOWN)
    return found


def own_module(package: str, game: str) -> ModuleType | None:
    """The module of a game in a package that has one for some games."""
    return _module(package, game) if game in GAMES else None


@cache
def _module(package: str, game: str) -> ModuleType | None:
    name = f"{package}.{game.replace('-', '_')}"
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        if missing.name != name:
            raise
        return None
