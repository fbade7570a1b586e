"""The table of what was played in memory, for a server without a database: by the statements of one."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import chain
from weakref import finalize

from ..core.entry import Placing, Saved
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
            self._connection.executescript(migrations.upgrade("sqlite", None))
        return self._connection
