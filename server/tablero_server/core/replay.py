"""A room as it was, found from the nearest of its marks.

Law: a room of the past only tells; of its log it has what came after its mark. However long the whole log
is, at most MARK_EVERY entries are applied to come to any of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from .room import MARK_EVERY, Room


def replay(room: Room, seq: int) -> Iterator[Room]:
    """`room` as it was after entry `seq`, and after each one since."""
    marks = seq // MARK_EVERY
    past = room.marks[marks - 1].copy() if marks else Room(room.id)
    for number in range(marks * MARK_EVERY, room.head + 1):
        past.apply(room.log[number])
        if number >= seq:
            yield past
