"""The command `tablero arena`: it turns the options into a contest, plays it, and reports the result."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from tablero.bot import Budget
from tablero.errors import Disconnected, InsecureServer, Refused

from .match import record_of
from .plan import Contest, WrongContest, find_brains
from .processes import ProcessLost, play_all
from .report import to_html, to_json, to_text
from .result import Result
from .statistics import Sprt


@dataclass(frozen=True, kw_only=True)
class ArenaOptions:
    """The typed command-line options."""

    specs: list[str]
    games: int
    seed: int
    opening_plies: str = "0"
    options: tuple[str, ...] = ()
    by_clock: bool = False
    movetime: int = Budget.movetime
    nodes: int = Budget.nodes
    sprt: tuple[float, float] | None = None
    concurrency: int = 1
    as_json: bool = False
    html: Path | None = None
    records: Path | None = None
    server: str | None = None
    insecure: bool = False


def arena(options: ArenaOptions) -> int:
    """Play the contest, print its report, and return the exit code."""
    logging.getLogger("tablero").addHandler(logging.NullHandler())
    try:
        return _arena(options)
    except (WrongContest, ProcessLost, Disconnected, InsecureServer, Refused) as why:
        print(why, file=sys.stderr)
    except OSError as error:
        print(f"Cannot write {error.filename}: {error.strerror}.", file=sys.stderr)
    return 2


def _arena(options: ArenaOptions) -> int:
    result = Result(contest_of(options), _sprt(options))
    play = _player(options, result.contest)
    for folder in filter(None, (options.records, options.html and options.html.parent)):
        folder.mkdir(parents=True, exist_ok=True)
    began = perf_counter()
    play(result)
    seconds = round(perf_counter() - began, 3)
    records = _keep(result, options.records) if options.records else {}
    if options.html:
        options.html.write_text(to_html(result, seconds, records), encoding="utf-8")
    told = to_json(result, seconds, records) if options.as_json else to_text(result, seconds, records)
    print(json.dumps(told) if options.as_json else told)
    return 1 if result.failed or result.verdict == "rejected" else 0


def contest_of(options: ArenaOptions) -> Contest:
    """The contest that the options describe. Raises WrongContest."""
    brains = find_brains(options.specs)
    return Contest(
        game=brains[0].game,
        specs=tuple(options.specs),
        games=options.games,
        seed=options.seed,
        opening_plies=_plies(options.opening_plies),
        options=dict(map(_option, options.options)),
        repeatable=not options.by_clock,
        budget=Budget(options.movetime, options.nodes),
    )


def _player(options: ArenaOptions, contest: Contest) -> Callable[[Result], None]:
    if options.server is None:
        return lambda result: play_all(result, options.concurrency)
    from .online import check, play_online

    server = options.server
    check(contest, keeps_records=options.records is not None)
    return lambda result: play_online(result, server, options.concurrency, insecure=options.insecure)


def _sprt(options: ArenaOptions) -> Sprt | None:
    if options.sprt is None:
        return None
    if len(options.specs) != 2:
        raise WrongContest("--sprt compares two bots.")
    try:
        return Sprt(*options.sprt)
    except ValueError as wrong:
        raise WrongContest(str(wrong)) from None


def _plies(text: str) -> tuple[int, int]:
    """Minimum and maximum of the plies in a text such as "4" or "2-4"."""
    low, _, high = text.partition("-")
    if not (low.isdecimal() and (high or low).isdecimal()) or int(low) > int(high or low):
        raise WrongContest(f"--opening-plies is a number, or two like 2-4; not {text!r:.40}.")
    return int(low), int(high or low)


def _option(text: str) -> tuple[str, Any]:
    """Name and value in a text such as "size=5" or "mode=race"."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise WrongContest(f"--option is NAME=VALUE, as in size=5; not {text!r:.40}.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _keep(result: Result, folder: Path) -> dict[int, str]:
    """Write a record of each game, and return the names of the files by game number."""
    kept = {}
    contest = result.contest
    for task, match in zip(result.tasks, result.matches, strict=True):
        file = folder / f"{task.number:05}.jsonl"
        file.write_bytes(record_of(match, contest.game, result.names(task), contest.options).encode())
        kept[task.number] = str(file)
    return kept
