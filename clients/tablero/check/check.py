"""Check one bot from its name to its last move: a class, a bundled level, or an engine."""

from __future__ import annotations

import time
from multiprocessing.connection import Connection

from tablero.bot import GRACE_SECONDS, Bot, Budget
from tablero.bots.workers import CONTEXT
from tablero.brains import ENGINE, PlaysNothing, UnknownBrain, find_brain
from tablero.engine.bridge import engine_class, level_of
from tablero.processes import Ended
from tablero.processes.apart import Apart
from tablero_games import GAMES

from .findings import Finding, Report
from .playing import PlayCheck
from .tables import tables
from .talking import Patience, Talk

_LOAD_SECONDS = 60.0
"""Seconds that a bot's file may take to load."""
_ENTRIES = 5
"""Number of times that a bot sits down in the middle of a game, at each table."""


def check_apart(spec: str, seconds: float) -> Report:
    report, doing = Report(spec), ""
    patience = _LOAD_SECONDS
    apart = Apart(CONTEXT, work, spec, seconds)
    try:
        while (told := apart.hear(patience)) is not None:
            match told:
                case Finding() as finding:
                    report.note(finding)
                case (doing, limit):
                    patience = limit + 2 * GRACE_SECONDS
                case "done":
                    return report
        where = doing or "While it was loaded"
        report.fail("time", f"{where}: nothing else could run for {patience:g} s. Think less, or say more.")
    except Ended as ended:
        how = f"it ended its process, with exit code {ended.code}."
        if doing:
            report.fail("crash", f"{doing}: {how} Raise an error.")
        else:
            report.fail("found", f"It cannot be imported: {how}")
    finally:
        apart.end()
    return report


# Called in the process


def work(pipe: Connection, spec: str, seconds: float) -> None:
    report = Report(spec, pipe.send)
    if brain := _find(spec, report):
        until = time.monotonic() + seconds
        playing = PlayCheck(report, until, lambda what, limit: pipe.send((what, limit)))
        playing.play(brain, list(tables(brain.game)), _ENTRIES)
        playing.sum_up()
    pipe.send("done")


def _find(spec: str, report: Report) -> type[Bot] | None:
    try:
        brain = find_brain(spec)
    except PlaysNothing as nothing:
        report.fail("game", f'{nothing} Write game = "{next(iter(GAMES))}", or another.')
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


SECONDS = 30.0
"""Default number of seconds to play."""
_MOVETIME = 100
"""Milliseconds that an engine gets for a move."""


def check(spec: str, seconds: float = SECONDS, patience: Patience | None = None) -> Report:
    """Check the bot called `spec`, as `find_brain` names it."""
    if engine := ENGINE.fullmatch(spec):
        return _check_engine(engine["command"], engine["game"], seconds, patience or Patience())
    return check_apart(spec, seconds)


def _check_engine(command: str, game: str | None, seconds: float, patience: Patience) -> Report:
    report = Report(command)
    identity = Talk(command, report, patience).run(game)
    if identity is None or report.exit_code:
        return report  # its games would only repeat the finding
    playing = PlayCheck(report, time.monotonic() + seconds)
    for name in [game] if game else identity.known_games:
        level = level_of(identity, name, command)
        kind = engine_class(command, name, level)
        brain = type("Quick", (kind,), {"level": level, "budget": Budget(movetime=_MOVETIME)})
        playing.play(brain, list(tables(name)), entries=0)
    playing.sum_up()
    return report
