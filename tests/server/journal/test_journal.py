"""The journal in memory keeps what a database will."""

from __future__ import annotations

import pytest

from tablero_server.core.effects import Effects
from tablero_server.core.entry import Cause, Entry
from tablero_server.core.room.room import Room
from tablero_server.journal.journal import MemoryJournal, NotWritten
from tests.harness.desk import Desk


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
