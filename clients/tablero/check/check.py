"""Checks one bot from its name to its last move: a class, a bundled level, or an engine."""

from __future__ import annotations

import time

from tablero.bot import Bot, Budget
from tablero.brains import ENGINE, PlaysNothing, UnknownBrain, find_brain
from tablero.engine.bridge import engine_class, level_of
from tablero_games import GAMES

from .findings import Report
from .playing import PlayCheck
from .tables import tables
from .talking import Patience, Talk

SECONDS = 30.0
"""How long to play, unless you say more."""
_MOVETIME = 100
"""Milliseconds that an engine gets for a move."""
_ENTRIES = 5
"""At each table, how many times a bot sits down in the middle of a game."""


def check(spec: str, seconds: float = SECONDS, patience: Patience | None = None) -> Report:
    """What is right and wrong with the bot called `spec`, as `find_brain` names it."""
    if engine := ENGINE.fullmatch(spec):
        return _check_engine(engine["command"], engine["game"], seconds, patience or Patience())
    report = Report(spec)
    if brain := _find(spec, report):
        playing = PlayCheck(report, time.monotonic() + seconds)
        playing.play(brain, list(tables(brain.game)), _ENTRIES)
        playing.sum_up()
    return report


def _find(spec: str, report: Report) -> type[Bot] | None:
    try:
        brain = find_brain(spec)
    except PlaysNothing as nothing:
        report.fail("game", f'{nothing} Write game = "connect-four", or another.')
        return None
    except UnknownBrain as unknown:
        report.fail("found", str(unknown))
        return None
    except (Exception, SystemExit) as error:
        advice = 'Can `python FILE.py` be run? Start games only under `if __name__ == "__main__":`.'
        report.fail("found", f"It cannot be imported: {type(error).__name__}: {error}. {advice}")
        return None
    report.ok("found", f"It is {brain.game}:{brain.level}.")
    if brain.game not in GAMES:
        report.fail("game", f"There is no game {brain.game!r:.40}: there are {', '.join(GAMES)}.")
        return None
    report.ok("game", f"It plays {brain.game}.")
    return brain


def _check_engine(command: str, game: str | None, seconds: float, patience: Patience) -> Report:
    report = Report(command)
    identity = Talk(command, report, patience).run(game)
    if identity is None or report.exit_code:
        return report  # its games would only say the same again
    playing = PlayCheck(report, time.monotonic() + seconds)
    for name in [game] if game else identity.known_games:
        level = level_of(identity, name, command)
        kind = engine_class(command, name, level)
        brain = type("Quick", (kind,), {"level": level, "budget": Budget(movetime=_MOVETIME)})
        playing.play(brain, list(tables(name)), entries=0)
    playing.sum_up()
    return report
