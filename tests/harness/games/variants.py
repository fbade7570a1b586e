"""Names in a game's test module that tests of all games use.

VARIANTS      dicts of arguments of `Game.start` to try, such as `seats`; by default the game's `tables`
PLAYTHROUGH   the arguments for the golden playthrough, if the default game would be too long to read
twin          for a game with hidden information: another position that a seat cannot distinguish from this
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

from tablero_games import GAMES, Game, Position, Seat
from tablero_games.position import Json

Variant = dict[str, Json]


def tests_of(game: Game) -> ModuleType:
    """The test module for the module that defines the game; an example game is in a test module itself."""
    if type(game).__module__.startswith("tests."):
        return import_module(type(game).__module__)
    folder, _, rules = type(game).__module__.removeprefix("tablero_games").rpartition(".")
    return import_module(f"tests.games{folder}.test_{rules}")


def variants(game: Game) -> list[Variant]:
    return getattr(tests_of(game), "VARIANTS", [dict(options) for options in game.tables])


def playthrough(game: Game) -> Variant:
    return getattr(tests_of(game), "PLAYTHROUGH", {})


def twin_of(game: Game) -> Callable[[Position, Seat], Position | None]:
    """The game's `twin(position, seat)`, which differs only in what `seat` may not know; None if nothing is
    hidden.
    """
    twin: Callable[[Position, Seat], Position | None] = tests_of(game).twin
    return twin


def named(game: Game, variant: Variant) -> str:
    return " ".join([game.name, *(f"{option}={value}" for option, value in variant.items())])


CASES = [(game, variant) for game in GAMES.values() for variant in variants(game)]
NAMES = [named(game, variant) for game, variant in CASES]
