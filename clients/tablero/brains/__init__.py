"""The bundled brains by name, "GAME:LEVEL". A new brain needs one line in its game's `LEVELS`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from tablero.bot import Bot
from tablero.games import own_module
from tablero_games import GAMES

from .random import random_mover


class Bundled(NamedTuple):
    """One bundled brain: a line of the table `LEVELS` in its game's module. Each table begins with the
    weakest.
    """

    place: str
    """The class, as module:class in this package."""
    about: str
    """A description in one line."""
    document: str = ""
    """The number of the document that the brain comes from, 000 to 004, or "" (docs/documents.md)."""
    settings: Mapping[str, Any] = MappingProxyType({})
    """Attributes of the class that this level changes: pace, depth, chance and so on."""


LEVEL_WORDS = ("easy", "normal", "hard", "expert")
"""The levels that every game has; its documents may name others."""


ENGINE = re.compile(r"(?:(?P<game>[a-z-]+):)?cmd:(?P<command>.+)", re.DOTALL)
"""The name of an engine: cmd:COMMAND, with or without GAME: before it."""


class UnknownBrain(LookupError):
    """No brain has this name. The text lists the names that exist."""


class NotInstalled(UnknownBrain):
    """The bundled brain needs a package that is not installed."""


class PlaysNothing(UnknownBrain):
    """The brain names no game."""


def bundled() -> dict[str, dict[str, Bundled]]:
    """Every level of every game, weakest first."""
    return {game: {"random": Bundled("random", "any legal move"), **_levels(game)} for game in GAMES}


def _levels(game: str) -> dict[str, Bundled]:
    """The table of levels of a game; empty if the game has no brains."""
    levels: dict[str, Bundled] = getattr(own_module(__name__, game), "LEVELS", {})
    return levels


def find_brain(spec: str) -> type[Bot]:
    """The class named by "GAME:LEVEL", "FILE.py:Class" or "cmd:COMMAND". Raises UnknownBrain.

    COMMAND starts an engine (docs/engines.md); "GAME:cmd:COMMAND" chooses one of the engine's games.
    """
    if engine := ENGINE.fullmatch(spec):
        bridge = import_module("tablero.engine.bridge")
        found_engine: type[Bot] = bridge.engine_brain(engine["command"], engine["game"])
        return found_engine
    first, _, second = spec.rpartition(":")
    if first.endswith(".py"):
        return _from_file(Path(first), second)
    if first in GAMES and second == "random":
        return random_mover(first)
    if spec.endswith(".py"):
        raise UnknownBrain(f"Say which class of the file, too: {spec}:Class.")
    found = _levels(first).get(second) if first in GAMES else None
    if found is None:
        known = [f"{game}:{level}" for game, levels in bundled().items() for level in levels]
        close = get_close_matches(spec, known, 1)
        forms = ". Write GAME:LEVEL (see `tablero bots`), FILE.py:Class or cmd:COMMAND."
        hint = f"; did you mean {close[0]}?" if close else forms
        raise UnknownBrain(f"No brain is called {spec!r:.80}{hint}")
    place, _, name = found.place.partition(":")
    try:
        module = import_module(f".{place}", __name__)
    except ModuleNotFoundError as missing:
        raise NotInstalled(f"{spec} needs {missing.name}; pip install 'tablero[bots]' brings it.") from None
    brain: type[Bot] = getattr(module, name)
    return _at_level(brain, second, tuple(found.settings.items()))  # type: ignore[arg-type]  # a class is hashable


@cache
def _at_level(brain: type[Bot], level: str, settings: tuple[tuple[str, Any], ...]) -> type[Bot]:
    """A subclass of the brain, with the level's name and settings."""
    if brain.level == level and not settings:
        return brain
    return type(brain.__name__, (brain,), {"__module__": brain.__module__, "level": level, **dict(settings)})


def _from_file(path: Path, name: str) -> type[Bot]:
    if not path.is_file():
        raise UnknownBrain(f"There is no file {path}.")
    module = import_module(".own_file", __name__).load(path)
    brain = getattr(module, name, None)
    if not (isinstance(brain, type) and issubclass(brain, Bot)):
        bots = [
            key for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Bot)
        ]
        own = ", ".join(key for key in bots if key != "Bot") or "none"
        raise UnknownBrain(f"{path} has no bot called {name!r}; its bots: {own}.")
    if not hasattr(brain, "game"):
        raise PlaysNothing(f"{name} in {path} does not say which `game` it plays.")
    return brain
