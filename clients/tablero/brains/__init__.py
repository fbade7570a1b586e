"""The bundled brains by name, "GAME:LEVEL": a new one is one line here, imported when asked for."""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib import import_module
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
    "minesweeper": {
        "pinv-strict": Bundled(
            "minesweeper.pinv:PinvStrict", "as pinv, but resigns rather than guess", "001"
        ),
        "pinv": Bundled("minesweeper.pinv:Pinv", "solves the numbers by pseudo-inverse; may guess", "001"),
        "easy": Bundled("minesweeper.pinv:Easy", "slow, and now and then on a mine: plays as pinv"),
        "normal": Bundled("minesweeper.pinv:Normal", "quicker than easy, and no better: plays as pinv"),
        "exact": Bundled("minesweeper.exact:Exact", "knows the exact odds and takes the best"),
        "hard": Bundled("minesweeper.exact:Hard", "hits a mine only where it must guess: plays as exact"),
        "expert": Bundled("minesweeper.exact:Expert", "as quick as a very good player: plays as exact"),
    },
    "tic-tac-toe": {
        "easy": Bundled("tic_tac_toe:Easy", "any empty cell, with no thought"),
        "normal": Bundled("tic_tac_toe:Normal", "the best cell in 7 of 10 moves, else any", "002"),
        "hard": Bundled("tic_tac_toe:Hard", "always the cell with the highest choice index", "002"),
        "perfect": Bundled("tic_tac_toe:Perfect", "knows how every position ends and never loses"),
        "expert": Bundled("tic_tac_toe:Expert", "cannot be beaten: plays as perfect"),
    },
    "connect-four": {
        "case-value": Bundled(
            "connect_four.levels:CaseValue", "builds lines of its own, and never blocks", "004"
        ),
        "easy": Bundled("connect_four.levels:Easy", "sees only its own lines: plays as case-value"),
        "child": Bundled("connect_four.levels:Child", "fills a favourite column, but wins and blocks", "004"),
        "normal": Bundled("connect_four.levels:Normal", "sees what one move wins or stops: plays as child"),
        "full-text": Bundled(
            "connect_four.levels:FullText", "wins, blocks, and weighs both players' lines", "004"
        ),
        "hard": Bundled("connect_four.levels:Hard", "builds lines and spoils yours: plays as full-text"),
        "lookahead": Bundled("connect_four.levels:Lookahead", "looks four moves ahead", "004"),
        "expert": Bundled("connect_four.levels:Expert", "sees traps four moves ahead: plays as lookahead"),
    },
    "dots-and-boxes": {
        "very-easy": Bundled("dots_and_boxes.levels:TresFacile", "any free edge", "000"),
        "easy": Bundled("dots_and_boxes.levels:Facile", "looks for a box to close every other time"),
        "medium": Bundled(
            "dots_and_boxes.levels:Moyen", "closes the first box it finds, else any edge", "000"
        ),
        "normal": Bundled("dots_and_boxes.levels:Normal", "closes every box that it sees: plays as medium"),
        "hard": Bundled("dots_and_boxes.levels:Difficile", "closes boxes, and offers none if it can", "000"),
        "expert": Bundled("dots_and_boxes.levels:Expert", "counts chains, hands boxes out, solves endgames"),
    },
    "quoridor": {
        "easy": Bundled("quoridor.levels:Easy", "looks two moves ahead", "003"),
        "normal": Bundled("quoridor.levels:Normal", "looks three moves ahead", "003"),
        "hard": Bundled("quoridor.levels:Hard", "looks four moves ahead", "003"),
        "expert": Bundled("quoridor.levels:Expert", "looks five moves ahead", "003"),
    },
}
"""Game to level to where it is; each game also has "random"."""

LEVEL_WORDS = ("easy", "normal", "hard", "expert")
"""The levels that every game has, whatever its documents call theirs."""


ENGINE = re.compile(r"(?:(?P<game>[a-z-]+):)?cmd:(?P<command>.+)", re.DOTALL)
"""How an engine is named."""


class UnknownBrain(LookupError):
    """No brain has this name. The text says which there are."""


class NotInstalled(UnknownBrain):
    """It is bundled, but needs a package that is not installed here."""


class PlaysNothing(UnknownBrain):
    """It is there, but does not say which game it plays."""


def bundled() -> dict[str, dict[str, Bundled]]:
    """Every level of every game, weakest first."""
    return {game: {"random": Bundled("random", "any legal move"), **_BRAINS.get(game, {})} for game in GAMES}


def find_brain(spec: str) -> type[Bot]:
    """The class named by "GAME:LEVEL", "FILE.py:Class" or "cmd:COMMAND". Raises UnknownBrain.

    COMMAND starts an engine (docs/engines.md); "GAME:cmd:COMMAND" says which of its games.
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
    found = _BRAINS.get(first, {}).get(second)
    if found is None:
        known = [f"{game}:{level}" for game, levels in bundled().items() for level in levels]
        close = get_close_matches(spec, known, 1)
        all_of_them = f"there are {', '.join(known)}, and FILE.py:Class, and cmd:COMMAND."
        hint = f"did you mean {close[0]}?" if close else all_of_them
        raise UnknownBrain(f"No brain is called {spec!r:.80}; {hint}")
    place, _, name = found.place.partition(":")
    try:
        module = import_module(f".{place}", __name__)
    except ModuleNotFoundError as missing:
        raise NotInstalled(f"{spec} needs {missing.name}; pip install 'tablero[bots]' brings it.") from None
    brain: type[Bot] = getattr(module, name)
    return brain


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
