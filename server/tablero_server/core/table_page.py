"""What is told of a table to whoever has its code, before they come in.

Law: it is what they would see by coming in to watch, but for the position. A wrong code counts as one that
somebody guessed.
"""

from __future__ import annotations

from tablero_protocol.messages import ShowTable

from .ids import read_code
from .outline import Outline
from .refusal import Message, Refusal
from .room import Room
from .rooms import Rooms


def table_page(rooms: Rooms, message: ShowTable) -> Message:
    """The answer. A Refusal where the code leads nowhere."""
    room = _room(rooms, message.code)
    page: Message = {"type": "tablePage", "re": message.id, **Outline.of(room).told()}
    if room.private:
        page["private"] = True
    if room.play is None or room.play.position.outcome is None:
        return page
    page["outcome"] = room.play.position.outcome.to_json()
    page["here"] = [seat for seat, player in enumerate(room.seats) if player in room.members]
    code = _newest(rooms, room).code
    return page if code == room.code else {**page, "next": code}


def _room(rooms: Rooms, code: str) -> Room:
    """The table with this code, also one that closed a moment ago."""
    id = rooms.with_code(code)
    if id is None:
        closed = rooms.closed.with_code(read_code(code))
        if closed is None:
            raise Refusal("wrongCode")
        return rooms.closed.room(closed)
    views = rooms.views(id)
    if views is None:
        raise rooms.no_such(id)
    return views.room


def _newest(rooms: Rooms, room: Room) -> Room:
    """Of all rematches that followed, the last one that is open."""
    while room.next is not None and (views := rooms.views(room.next)) is not None:
        room = views.room
    return room
