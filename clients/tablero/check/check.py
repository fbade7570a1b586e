"""Checks one bot from its name to its last move: a class, a bundled level, or an engine."""

from __future__ import annotations

import time

from tablero.bot import Budget
from tablero.brains import ENGINE
from tablero.engine.bridge import engine_class, level_of

from .apart import check_apart
from .findings import Report
from .playing import PlayCheck
from .tables import tables
from .talking import Patience, Talk

SECONDS = 30.0
"""How long to play, unless you say more."""
_MOVETIME = 100
"""Milliseconds that an engine gets for a move."""


def check(spec: str, seconds: float = SECONDS, patience: Patience | None = None) -> Report:
    """What is right and wrong with the bot called `spec`, as `find_brain` names it."""
    if engine := ENGINE.fullmatch(spec):
        return _check_engine(engine["command"], engine["game"], seconds, patience or Patience())
    return check_apart(spec, seconds)


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
