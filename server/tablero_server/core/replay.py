"""A room as it was, found from the nearest of its marks.

Law: a room of the past only tells; of its log it has what came after its mark. However long the whole log
is, at most MARK_EVERY entries are applied to come to any of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from .entry import Damaged, Entry
from .room import MARK_EVERY, Room


def fold(log: list[Entry]) -> Room:
    """The room that a durable log makes. Raises Damaged, whatever stands in the way."""
    try:
        *_, room = Room.fold(log)
    except Exception as error:  # the rules find a damaged entry in as many ways as there are
        raise Damaged(f"its log cannot be played again: {type(error).__name__}: {error}") from error
    return room


def replay(room: Room, seq: int) -> Iterator[Room]:
    """`room` as it was after entry `seq`, and after each one since."""
    marks = seq // MARK_EVERY
    past = room.marks[marks - 1].copy() if marks else Room(room.id)
    for number in range(marks * MARK_EVERY, room.head + 1):
        past.apply(room.log[number])
        if number >= seq:
            yield past
