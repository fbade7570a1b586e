"""The journal in memory keeps what a database will."""

from __future__ import annotations

import sqlite3

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry, Saved
from tablero_server.core.room.room import Room
from tablero_server.journal.journal import MemoryJournal, NotWritten, PlayedInMemory
from tablero_server.journal.questions import Question
from tests.harness.databases import PLACINGS
from tests.harness.desk import Desk
from tests.harness.journal_entries import came_out


async def test_what_was_appended_is_loaded() -> None:
    desk, journal = Desk(), MemoryJournal()
    ann, _, room = desk.pair()
    ann.play(room, "b2")
    log = desk.journal[room]
    await journal.append([Effects(log[:2])])
    await journal.append([Effects(log[2:])])
    [loaded] = (await journal.load()).logs
    assert loaded == log
    *_, folded = Room.fold(loaded)
    assert folded.position == desk.room(room).position


async def test_closed_rooms_are_not_loaded() -> None:
    desk, journal = Desk(), MemoryJournal()
    ann = desk.peer()
    room = ann.create()
    ann.ask("leave", room=room)
    await journal.append([Effects(desk.journal[room])])
    assert (await journal.load()).logs == []
    assert await journal.log(room) == desk.journal[room]
    await journal.close()


async def test_what_was_loaded_is_a_copy() -> None:
    desk, journal = Desk(), MemoryJournal()
    room = desk.peer().create()
    await journal.append([Effects(desk.journal[room])])
    (await journal.load()).logs[0].clear()
    assert (await journal.load()).logs == [desk.journal[room]]


async def test_a_command_that_opened_a_room_opens_no_other() -> None:
    journal = MemoryJournal()
    first, again, other = opening("a", "once"), opening("b", "once"), opening("c", "another")
    said = Effects([Entry("b", 2, "said", 0, None, None, {})])
    await journal.append([first])
    with pytest.raises(NotWritten) as caught:
        await journal.append([again, other, said])
    assert (caught.value.failed, again.repeats, other.repeats) == (frozenset({0, 2}), True, False)
    assert [log[0].room for log in (await journal.load()).logs] == ["a", "c"]


def opening(room: str, id: str) -> Effects:
    created = Entry(room, 0, "created", 0, None, None, {})
    return Effects([created, Entry(room, 1, "joined", 0, Cause("ann", id, 7), 0, {})])


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
