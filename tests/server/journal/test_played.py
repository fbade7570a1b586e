"""The table of what was played in memory answers as one in a database does."""

from __future__ import annotations

import sqlite3

import pytest

from tablero_server.core.entry import Saved
from tablero_server.journal.played import PlayedInMemory
from tablero_server.journal.questions import Question
from tests.harness.databases import PLACINGS
from tests.harness.journal_entries import came_out

NOTHING = Saved([], [], [], [], {})


def test_what_is_added_is_read_and_loaded() -> None:
    played = PlayedInMemory()
    assert played.into(NOTHING) is NOTHING
    played.add([])
    played.rerate([])
    assert played.into(NOTHING) is NOTHING, "no table is made for nothing"
    both = came_out("a", 0, "ann0"), came_out("a", 1, "rob0", rival="ann0", games=1)
    played.add(both)
    assert played.read(Question(f"{PLACINGS} LIMIT {{0}}", (1,))) == [tuple(map(int_of, both[0]))]
    assert sorted(played.into(NOTHING).rated) == sorted(both)


def int_of(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def test_no_seat_comes_out_of_a_game_twice() -> None:
    played = PlayedInMemory()
    played.add([came_out("a", 0)])
    with pytest.raises(sqlite3.IntegrityError):
        played.add([came_out("a", 0, games=9)])
