"""The bundled brains by name, "GAME:LEVEL": a new one is one line here, imported when asked for."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import NamedTuple

from tablero.bot import Bot
from tablero_games import GAMES

from .random import random_mover


class Bundled(NamedTuple):
    """One bundled brain."""

    place: str
    """module:class in this package."""
    about: str
    """What it does, in one line."""
    document: str = ""
    """Which of the five documents it comes from, if any: 000 to 004 (docs/documents.md)."""


_BRAINS: dict[str, dict[str, Bundled]] = {
    "tic-tac-toe": {
        "easy": Bundled("tic_tac_toe:Easy", "any empty cell: the choice index with chance 0", "002"),
        "normal": Bundled("tic_tac_toe:Normal", "the ideal cell with probability 0.7, else any", "002"),
        "hard": Bundled("tic_tac_toe:Hard", "always the cell with the highest choice index", "002"),
        "perfect": Bundled("tic_tac_toe:Perfect", "knows how every position ends and never loses"),
    },
}
"""Game to level to where it is; each game also has "random"."""


class UnknownBrain(LookupError):
    """No brain has this name. The text says which there are."""


def bundled() -> dict[str, dict[str, Bundled]]:
    """Every level of every game, weakest first."""
    return {game: {"random": Bundled("random", "any legal move"), **_BRAINS.get(game, {})} for game in GAMES}


def find_brain(spec: str) -> type[Bot]:
    """The class named by "GAME:LEVEL" or "FILE.py:Class". Raises UnknownBrain."""
    first, _, second = spec.rpartition(":")
    if first.endswith(".py"):
        return _from_file(Path(first), second)
    if first in GAMES and second == "random":
        return random_mover(first)
    found = _BRAINS.get(first, {}).get(second)
    if found is None:
        known = [f"{game}:{level}" for game, levels in bundled().items() for level in levels]
        close = get_close_matches(spec, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}, and FILE.py:Class."
        raise UnknownBrain(f"No brain is called {spec!r:.80}; {hint}")
    module, _, name = found.place.partition(":")
    brain: type[Bot] = getattr(import_module(f".{module}", __name__), name)
    return brain


def _from_file(path: Path, name: str) -> type[Bot]:
    if not path.is_file():
        raise UnknownBrain(f"There is no file {path}.")
    spec = spec_from_file_location(f"brain_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.append(str(path.parent))  # it may import its neighbours
    spec.loader.exec_module(module)
    brain = getattr(module, name, None)
    if not (isinstance(brain, type) and issubclass(brain, Bot)):
        bots = [
            key for key, value in vars(module).items() if isinstance(value, type) and issubclass(value, Bot)
        ]
        own = ", ".join(key for key in bots if key != "Bot") or "none"
        raise UnknownBrain(f"{path} has no bot called {name!r}; its bots: {own}.")
    if not hasattr(brain, "game"):
        raise UnknownBrain(f"{name} in {path} does not say which `game` it plays.")
    return brain
