"""Where everything is kept that must survive. The core never reads it while it runs, but at the start.

Law: what one command caused is durable as a whole or not at all, and `append` returns only when it is.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol
from weakref import finalize

from ..core.effects import Effects
from ..core.entry import (
    EndedToken,
    Entry,
    Forgotten,
    Kept,
    Lifted,
    Placing,
    Rerated,
    Sanction,
    Saved,
    SavedMute,
    SavedPlayer,
    SavedToken,
)
from ..core.limits.limits import CLOSED_ROOMS
from . import migrations
from .questions import Question
from .rows import Row, placing_row, placings_from, rerated_row, rivals_from
from .statements import NEWEST_RATED, RATED_RIVALS, STATEMENTS


class PlayedInMemory:
    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None

    def add(self, placings: Sequence[Placing]) -> None:
        if placings:
            statement = STATEMENTS["place"].for_sqlite(len(placings))
            self._table().execute(statement, list(chain.from_iterable(map(placing_row, placings))))

    def rerate(self, placings: Sequence[Placing]) -> None:
        rows = list(map(rerated_row, placings))
        steps = (("unrate", [row[:2] for row in rows]), ("rerate", rows)) if rows else ()
        for name, each in steps:
            self._table().executemany(STATEMENTS[name].for_sqlite(1), each)

    def read(self, question: Question) -> list[Row]:
        return self._table().execute(question.for_sqlite(), question.given).fetchall()

    def into(self, saved: Saved) -> Saved:
        """`saved` with the ratings."""
        if self._connection is None:
            return saved
        rated, rivals = self._connection.execute(NEWEST_RATED), self._connection.execute(RATED_RIVALS)
        return saved._replace(rated=placings_from(rated), rivals=rivals_from(rivals))

    def _table(self) -> sqlite3.Connection:
        """Made when it is first needed."""
        if self._connection is None:
            # Whichever thread collects what is left of it closes it.
            self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            finalize(self, self._connection.close)
            self._connection.executescript(migrations.upgrade("sqlite"))
        return self._connection


class NotWritten(Exception):
    """Some of it is not durable and never will be: it has to be forgotten. The text says why."""

    def __init__(self, why: str, failed: frozenset[int], *, refused: bool = False) -> None:
        super().__init__(why)
        self.failed = failed
        """Which of the effects, by their index. All the others are durable."""
        self.refused = refused
        """Whether the journal is well, and they alone are to blame."""


class NotRead(Exception):
    """The journal does not answer just now. The text says why."""


class Journal(Protocol):
    async def append(self, effects: Sequence[Effects]) -> None:
        """Makes what is in `effects` durable, in order, in one commit where it can.

        Raises NotWritten. What opens a room by a (player, id) that has opened one is marked as `repeats`.
        """

    async def load(self, closed_within_ms: int = 0) -> Saved:
        """With rooms that closed less than so long before the last one to close."""
        ...

    async def log(self, room: str) -> list[Entry]:
        """All of a room's entries, also when it is closed; none if there is no such room. Raises Damaged."""
        ...

    async def read(self, question: Question) -> list[Row]:
        """What was played, as it is durable. Raises NotRead."""
        ...

    async def check(self) -> None:
        """Raises NotWritten if nothing can be written now, JournalBroken if another server has it.

        What was well a moment ago may be believed.
        """

    async def close(self) -> None: ...


class KeptInMemory:
    """All that is kept beside the logs."""

    def __init__(self) -> None:
        self.players: dict[str, SavedPlayer] = {}
        self.tokens: dict[bytes, SavedToken] = {}
        self.sanctions: dict[str, Sanction] = {}
        self.mutes: dict[tuple[str, str], SavedMute] = {}
        self.played = PlayedInMemory()

    def add(self, kept: Sequence[Kept]) -> None:
        self.played.add([each for each in kept if isinstance(each, Placing)])
        self.played.rerate([each.placing for each in kept if isinstance(each, Rerated)])
        for each in kept:
            match each:
                case SavedPlayer():
                    self.players[each.id] = each
                case Forgotten():
                    self.players.pop(each.player, None)
                    self.mutes = {pair: mute for pair, mute in self.mutes.items() if each.player not in pair}
                case SavedToken():
                    self.tokens[each.hash] = each
                case EndedToken():
                    self.tokens.pop(each.hash, None)
                case SavedMute():
                    self.mutes[each.player, each.muted] = each
                case Sanction():
                    self.sanctions[each.id] = each
                case Lifted():
                    self.sanctions.pop(each.sanction.id, None)

    def saved(self, logs: Iterable[list[Entry]], closed_within_ms: int) -> Saved:
        """With copies of the logs."""
        saved = saved_from(self.players.values(), self.tokens.values(), logs, closed_within_ms)
        mutes = tuple(mute for mute in self.mutes.values() if mute.what != "none")
        return self.played.into(saved._replace(sanctions=tuple(self.sanctions.values()), mutes=mutes))


class MemoryJournal:
    """As durable as the process: for tests, and for whoever asks for no database."""

    def __init__(self) -> None:
        self._logs: defaultdict[str, list[Entry]] = defaultdict(list)
        self._openings: set[tuple[str, str]] = set()
        """By which player's command, of which id, each room was opened."""
        self.kept = KeptInMemory()

    async def append(self, effects: Sequence[Effects]) -> None:
        failed: set[int] = set()
        never: set[str] = set()
        """Rooms that were not to be opened."""
        for index, each in enumerate(effects):
            if each.entries and each.entries[0].seq == 0:
                self._open(each, never)
            if never and not never.isdisjoint(entry.room for entry in each.entries):
                failed.add(index)
                continue
            for entry in each.entries:
                self._logs[entry.room].append(entry)
            self.kept.add(each.kept)
        if failed:
            raise NotWritten("a command was carried out before", frozenset(failed), refused=True)

    async def load(self, closed_within_ms: int = 0) -> Saved:
        return self.kept.saved(self._logs.values(), closed_within_ms)

    async def log(self, room: str) -> list[Entry]:
        return list(self._logs.get(room, ()))

    async def read(self, question: Question) -> list[Row]:
        return self.kept.played.read(question)

    async def check(self) -> None:
        pass

    async def close(self) -> None:
        pass

    def _open(self, effects: Effects, never: set[str]) -> None:
        """Adds to `never` what somebody opens by a command that has opened a room before."""
        opening = openings(effects.entries)
        if self._openings.isdisjoint(opening):
            self._openings |= opening
        else:
            effects.repeats = True
            never.add(effects.entries[0].room)


def openings(entries: Iterable[Entry]) -> set[tuple[str, str]]:
    """The commands, by player and id, that open rooms among `entries`."""
    return {entry.cause[:2] for entry in entries if entry.seq == 1 and entry.cause is not None}


def saved_from(
    players: Iterable[SavedPlayer],
    tokens: Iterable[SavedToken],
    logs: Iterable[list[Entry]],
    closed_within_ms: int,
) -> Saved:
    """What `load` gives, of all there is; the logs are copies."""
    copies = [list(log) for log in logs]
    closed = sorted((log for log in copies if log[-1].kind == "closed"), key=lambda log: log[-1].at)
    since = closed[-1][-1].at - closed_within_ms if closed else 0
    lately = [log for log in closed[-CLOSED_ROOMS:] if log[-1].at > since]
    open_logs = [log for log in copies if log[-1].kind != "closed"]
    return Saved(list(players), list(tokens), open_logs, lately, {})
