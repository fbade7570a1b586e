"""What is told of a table to whoever has its code, before they come in.

Law: it is what they would see by coming in to watch, but for the position. A wrong code counts as one that
somebody guessed.
"""

from __future__ import annotations

from tablero_protocol.messages import ShowTable

from ..ids import read_code
from ..refusal import Message, Refusal
from ..room.outline import Outline
from ..room.room import Room
from .rooms import Rooms


def table_page(rooms: Rooms, message: ShowTable) -> Message:
    """The answer. A Refusal where the code leads nowhere."""
    room = _room(rooms, message.code)
    outline = room if isinstance(room, Outline) else Outline.of(room)
    page: Message = {"type": "tablePage", "re": message.id, **outline.told()}
    if outline.private:
        page["private"] = True
    if isinstance(room, Outline) or room.play is None or room.play.position.outcome is None:
        return page
    page["outcome"] = room.play.position.outcome.to_json()
    page["here"] = [seat for seat, player in enumerate(room.seats) if player in room.members]
    code = _newest_code(rooms, room)
    return page if code == room.code else {**page, "next": code}


def _room(rooms: Rooms, code: str) -> Room | Outline:
    """The table with this code, also one that closed a moment ago; of a packed one what is known of it."""
    id = rooms.with_code(code)
    if id is None:
        closed = rooms.closed.with_code(read_code(code))
        if closed is None:
            raise Refusal("wrongCode")
        return rooms.closed.room(closed)
    return rooms.packed.outline(id) if id in rooms.packed else rooms.open[id].room


def _newest_code(rooms: Rooms, room: Room) -> str | None:
    """The code of the last open one of all rematches that followed."""
    while room.next is not None and (views := rooms.open.get(room.next)) is not None:
        room = views.room
    packed = room.next is not None and room.next in rooms.packed
    return rooms.packed.code(room.next or "") if packed else room.code
