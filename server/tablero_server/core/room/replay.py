"""A room at an earlier time, built from the nearest mark before that time.

Law: a room of the past must not be changed, except a room from `before`. Its log has only the entries after
its mark. However long the whole log is, fewer than MARK_EVERY entries are applied to build it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from operator import itemgetter

from ..entry import Damaged, Entry
from .room import PLIES, Room


def fold(log: list[Entry]) -> Room:
    """The room after all entries of a stored log. Raises Damaged if an entry cannot be applied."""
    *_, room = folding(log)
    return room


def folding(log: Iterable[Entry]) -> Iterator[Room]:
    """Yields the room after each entry of a stored log. Raises Damaged."""
    try:
        yield from Room.fold(log)
    except Exception as error:  # a damaged entry can raise any error in the rules
        raise Damaged(f"its log cannot be played again: {type(error).__name__}: {error}") from error


def replay(room: Room, seq: int) -> Iterator[tuple[Entry, Room]]:
    """Each entry from `seq` on, with the room right after it."""
    near = bisect_right(room.marks, seq + 1, key=itemgetter(0))
    count, mark = room.marks[near - 1] if near else (0, None)
    past = Room(room.id) if mark is None else mark.copy()
    if count > seq:
        yield room.log[seq], past
    for number in range(count, room.head + 1):
        past.apply(room.log[number])
        if number >= seq:
            yield room.log[number], past


def ply_after(room: Room, seq: int) -> int:
    """The number of plies after entry `seq`."""
    near = bisect_right(room.marks, seq + 1, key=itemgetter(0))
    count, ply = (room.marks[near - 1][0], room.marks[near - 1][1].ply) if near else (0, 0)
    return ply + sum(entry.kind in PLIES for entry in room.log[count : seq + 1])


def before(room: Room, seq: int) -> Room:
    """The room before entry `seq`, ready to continue: its log and its marks end there."""
    _, past = next(replay(room, seq - 1))
    past.log = room.log[:seq]
    past.marks = [(count, mark) for count, mark in room.marks if count <= seq]
    return past
