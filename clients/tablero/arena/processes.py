"""Games played in separate processes, so that no brain can hold up or bring down the arena.

Law: a process writes down each turn before it goes on. A brain that never returns is killed with its process.
Its game is known up to the last turn.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from dataclasses import replace
from math import inf
from multiprocessing.connection import Connection, wait
from time import monotonic, perf_counter, process_time
from typing import Any, NamedTuple

from tablero.bot import Bot, Failure
from tablero.processes import Ended
from tablero.processes.apart import Apart, messages
from tablero_games import GAMES, Position, Seat
from tablero_games.position import Reason
from tablero_games.record.file import RecordedTurn

from .local import Watch, patience, play_match
from .match import Match
from .plan import Contest, Task, find_brains
from .result import Result

_PROCESSES = multiprocessing.get_context("spawn")
_LOOK = 0.05
"""Seconds between two checks of the running thoughts."""
_PAGE = 1 << 20
"""Bytes for the turns of one game: enough for local.MOST_TURNS."""
_BEAT, _SEAT, _LENGTH = range(3)
_NOBODY = -1
_IDLE_LOOKS = 4
"""Number of idle checks in a row after which a process counts as waiting for something other than the
processor.
"""


class ProcessLost(Exception):
    """A process ended, and no brain was thinking."""


class SharedLog(Watch):
    """The log of a process, in memory shared with the arena."""

    def __init__(self) -> None:
        self._text: Any = _PROCESSES.RawArray("c", _PAGE)
        self._numbers: Any = _PROCESSES.RawArray("q", [0, _NOBODY, 0])

    # Called in the process

    def open(self) -> None:
        """Begin a new game."""
        self._numbers[_LENGTH] = 0

    def now(self) -> float:
        return perf_counter()

    def worked(self) -> float:
        return process_time()

    def thinks(self, seat: Seat | None) -> None:
        self._numbers[_BEAT] += 1
        self._numbers[_SEAT] = _NOBODY if seat is None else seat

    def turned(self, turn: RecordedTurn, failure: Failure | None) -> None:
        why = (failure.kind, failure.sentence[:500]) if failure else ("", "")
        told = (str(turn.seat), turn.move or "", turn.withdrew or "", *why)
        line = "\t".join(" ".join(each.split()) for each in told).encode() + b"\n"
        length = self._numbers[_LENGTH]
        if length + len(line) <= _PAGE:
            self._text[length : length + len(line)] = line
            self._numbers[_LENGTH] = length + len(line)

    # Called in the arena

    @property
    def beat(self) -> int:
        """A number that changes with each thought."""
        beat: int = self._numbers[_BEAT]
        return beat

    @property
    def seat(self) -> Seat | None:
        """The seat that is thinking; None if no seat is."""
        seat: int = self._numbers[_SEAT]
        return None if seat == _NOBODY else seat

    def read(self) -> Iterator[tuple[RecordedTurn, Failure | None]]:
        """The turns of the game, and their failures. Call this once the process is dead."""
        for line in self._text.raw[: self._numbers[_LENGTH]].decode().split("\n")[:-1]:
            seat, move, withdrew, kind, sentence = line.split("\t")
            turn = {"seat": int(seat), "move": move or None, "withdrew": withdrew or None, "at": 0}
            yield RecordedTurn.model_validate(turn), Failure(kind, sentence) if kind else None


def work(pipe: Connection, contest: Contest, log: SharedLog) -> None:
    """Play each task that arrives through `pipe`."""
    brains = find_brains(contest.specs)
    for task in messages(pipe):
        log.open()
        match = play_task(contest, task, brains, log)
        pipe.send(replace(match, brains=()))  # a class loaded from a file can't be pickled


def play_task(contest: Contest, task: Task, brains: list[type[Bot]], watch: Watch) -> Match:
    return play_match(
        contest.game,
        [brains[each] for each in task.seats],
        task.seed,
        task.opening,
        repeatable=contest.repeatable,
        budget=contest.budget,
        watch=watch,
        **contest.options,
    )


def played(position: Position, turn: RecordedTurn) -> Position:
    assert turn.seat is not None
    if turn.withdrew is not None:
        return position.withdraw(turn.seat, turn.withdrew)
    return position.play(turn.seat, turn.move or "")


class Processor(NamedTuple):
    """The processor time that a process has used."""

    is_wanted: bool
    seconds: float


def processor(pid: int) -> Processor:
    """The processor time from /proc. Without /proc, the process counts as always working."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            fields = stat.read().rpartition(b")")[2].split()
        return Processor(fields[0] == b"R", (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
    except (OSError, ValueError, IndexError):
        return Processor(False, inf)


class GameProcess:
    """One process, as seen by the arena."""

    def __init__(self, contest: Contest, brains: list[type[Bot]]) -> None:
        self._contest = contest
        self._brains = brains
        self._log = SharedLog()
        self._apart = Apart(_PROCESSES, work, contest, self._log)
        self.pipe = self._apart.pipe
        self.task: Task | None = None
        self._beat = 0
        self._since = 0.0
        self._worked = 0.0
        """The processor time of the process when the thought began."""
        self._idle_looks = 0

    def give(self, task: Task) -> None:
        self.task = task
        self._take_time()
        self._apart.say(task)

    def look(self) -> Match | None:
        """The match of the current task if it is over, else None. Raises ProcessLost."""
        assert self.task is not None
        try:
            match: Match | None = self._apart.hear()
        except Ended as ended:
            return self._broken_off_by(ended, self.task)
        if match is not None:
            return replace(match, brains=self._by_seat(self.task))
        if self._log.beat != self._beat:
            self._take_time()
        elif (seat := self._log.seat) is not None:
            limit = patience(self._by_seat(self.task)[seat], self._contest.repeatable)
            if monotonic() - self._since > limit + _LOOK and not self._is_only_slow(limit):
                self.end()
                return self._broken_off(self.task, seat, Failure.late(limit))
        return None

    @property
    def is_alive(self) -> bool:
        return self._apart.is_alive

    def end(self) -> None:
        self._apart.end()

    def _take_time(self) -> None:
        """Note the time at which a thought begins."""
        self._beat, self._since = self._log.beat, monotonic()
        self._worked, self._idle_looks = processor(self._apart.pid).seconds, 0

    def _is_only_slow(self, limit: float) -> bool:
        """Whether the process still needs the processor, but has had less processor time than its limit."""
        if not self._contest.repeatable:
            return False
        used = processor(self._apart.pid)
        self._idle_looks = 0 if used.is_wanted else self._idle_looks + 1
        return self._idle_looks < _IDLE_LOOKS and used.seconds - self._worked < limit

    def _broken_off_by(self, ended: Ended, task: Task) -> Match:
        """The game of a process that ended. The brain that was thinking is at fault."""
        seat = self._log.seat
        if seat is None:
            raise ProcessLost(f"A process of the arena ended with exit code {ended.code}.")
        return self._broken_off(task, seat, Failure.death(ended.code))

    def _by_seat(self, task: Task) -> tuple[type[Bot], ...]:
        return tuple(self._brains[each] for each in task.seats)

    def _broken_off(self, task: Task, seat: Seat, failure: Failure) -> Match:
        """The unfinished game as a match that `seat` has lost. The other seats stop too."""
        position = GAMES[self._contest.game].start(len(task.seats), task.seed, **self._contest.options)
        turns, failures = [], {seat: failure}
        for turn, failed in self._log.read():
            turns.append(turn)
            position = played(position, turn)
            if failed is not None and turn.seat is not None:
                failures[turn.seat] = failed
        for each in [seat, *sorted(position.to_move - {seat})]:
            if position.outcome is None:
                why: Reason = "gone" if each != seat else "time" if failure.kind == "timeout" else "resign"
                turns.append(RecordedTurn(seat=each, withdrew=why, at=0))
                position = played(position, turns[-1])
        assert position.outcome is not None
        brains = self._by_seat(task)
        thoughts = tuple(() for _ in brains)
        return Match(task.seed, brains, task.opening, tuple(turns), position.outcome, failures, thoughts)


def play_all(result: Result, concurrency: int) -> None:
    """Play the contest of `result`, several games at once. Raises ProcessLost."""
    contest = result.contest
    brains = find_brains(contest.specs)
    tasks = contest.tasks()
    busy: list[GameProcess] = []
    try:
        for task in tasks:
            busy.append(GameProcess(contest, brains))
            busy[-1].give(task)
            if len(busy) >= concurrency:
                break
        while busy and not result.decided:
            wait([process.pipe for process in busy], timeout=_LOOK)
            for at, process in reversed(list(enumerate(busy))):
                done, match = process.task, process.look()
                if done is None or match is None:
                    continue
                result.add(done, match)
                following = next(tasks, None)
                if following is None:
                    busy.pop(at).end()
                    continue
                if not process.is_alive:
                    busy[at] = GameProcess(contest, brains)
                busy[at].give(following)
    finally:
        for process in busy:
            process.end()
