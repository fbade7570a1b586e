"""Every game by name: ours, and those of installed packages (entry point group `tablero.games`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points

from .connect_four import ConnectFour
from .dots_and_boxes import DotsAndBoxes
from .minesweeper.rules import Minesweeper
from .position import BrokenGame, Game
from .quoridor.rules import Quoridor
from .tic_tac_toe import TicTacToe

GROUP = "tablero.games"
_NAME = re.compile(r"[a-z]+(-[a-z]+)*")
_GAMES: list[Game] = [
    TicTacToe(),
    ConnectFour(),
    DotsAndBoxes(),
    Quoridor(),
    Minesweeper(),
]


def with_installed(games: Iterable[Game], installed: Iterable[EntryPoint]) -> dict[str, Game]:
    """`games` and those of installed packages, sorted by name. Raises BrokenGame."""
    found = {game.name: game for game in games}
    for entry in sorted(installed, key=lambda each: (each.name, each.value)):
        game = _loaded(entry)
        if game.name in found:
            raise BrokenGame(f"{_told(entry)}: there is a game called {game.name!r} already.")
        found[game.name] = game
    return found


def _loaded(entry: EntryPoint) -> Game:
    try:
        kind = entry.load()
        if not (isinstance(kind, type) and issubclass(kind, Game)):
            raise TypeError("it is no subclass of tablero_games.Game")
        game = kind()
        facts = (game.name, game.title, game.example_moves)
    except Exception as error:
        raise BrokenGame(f"{_told(entry)}: {type(error).__name__}: {error}.") from error
    if not _NAME.fullmatch(facts[0]):
        raise BrokenGame(f"{_told(entry)}: its name {facts[0]!r:.40} is not made of a-z and '-'.")
    return game


def _told(entry: EntryPoint) -> str:
    package = f" of package {entry.dist.name}" if entry.dist else ""
    return f"Cannot load game {entry.name!r}{package} ({entry.value})"


GAMES: dict[str, Game] = with_installed(_GAMES, entry_points(group=GROUP))
