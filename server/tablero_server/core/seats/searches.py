"""The queue of rooms whose game must be searched for.

Law: the searches run elsewhere. One person has one search at a time, and so has one address while others
wait. When a search begins, other rooms of its address move to the end of the queue, and those of its person
to the very end.
"""

from __future__ import annotations

from itertools import count
from typing import NamedTuple


class Opener(NamedTuple):
    """The player who opened a room, and the player's address."""

    person: str
    address: str


class Searches:
    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, Opener] = {}
        """The opener of each waiting room, in queue order."""
        self._running: dict[int, tuple[str, Opener]] = {}
        """The room and opener of each running search, even if the room no longer needs it."""
        self._wanted: dict[str, int] = {}
        """The ticket that each room waits for."""
        self._tickets = count(1)

    def __len__(self) -> int:
        return len(self._waiting) + len(self._wanted)

    def of(self, person: str) -> int:
        """The number of this person's rooms that wait for the result of a search."""
        waiting = sum(each.person == person for each in self._waiting.values())
        return waiting + sum(self._running[ticket][1].person == person for ticket in self._wanted.values())

    def begin(self, room: str, person: str, address: str) -> None:
        self._waiting[room] = Opener(person, address)

    def forget(self, room: str) -> None:
        """Cancels a room's search. If the search is already running, its result will be ignored."""
        self._waiting.pop(room, None)
        self._wanted.pop(room, None)

    def next(self) -> tuple[int, str] | None:
        """A ticket and the next room to search for; None if no search may start now."""
        if not self._waiting or len(self._running) >= self._at_once:
            return None
        if (room := self._next_room()) is None:
            return None
        opener, ticket = self._waiting.pop(room), next(self._tickets)
        for owner in (opener.address, opener.person):
            for other in [each for each, waits in self._waiting.items() if owner in waits]:
                self._waiting[other] = self._waiting.pop(other)
        self._running[ticket] = room, opener
        self._wanted[room] = ticket
        return ticket, room

    @property
    def someone_waits(self) -> bool:
        """Whether a waiting room could be searched for if a process were free."""
        return self._next_room() is not None

    def _next_room(self) -> str | None:
        """The first waiting room of a person without a running search, if possible at an address
        without one.
        """
        busy = {each for _, opener in self._running.values() for each in opener}
        free = [room for room, opener in self._waiting.items() if opener.person not in busy]
        elsewhere = [room for room in free if self._waiting[room].address not in busy]
        return next(iter(elsewhere or free), None)

    def end(self, ticket: int) -> str | None:
        """Removes a search that has ended. Returns the room that waits for it, or None."""
        room, _ = self._running.pop(ticket)
        if self._wanted.get(room) != ticket:
            return None
        del self._wanted[room]
        return room
