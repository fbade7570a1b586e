"""The journal in memory keeps what a database will."""

from __future__ import annotations

from tablero_server.effects import Effects
from tablero_server.journal import MemoryJournal
from tablero_server.room import Room

from .desk import Desk


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
