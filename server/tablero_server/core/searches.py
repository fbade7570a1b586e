"""Rooms whose game is being made: whose turn it is to be searched for.

Law: nothing is searched here. One person has one search at a time, and with every search that begins its
other rooms go behind those of everybody else.
"""

from __future__ import annotations

from itertools import count


class Searches:
    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._waiting: dict[str, str] = {}
        """Room to the person who opened it, in the order of their turns."""
        self._running: dict[int, tuple[str, str]] = {}
        """Ticket to room and person; also of rooms that want it no more."""
        self._wanted: dict[str, int] = {}
        """Room to the ticket that it waits for."""
        self._tickets = count(1)

    def __len__(self) -> int:
        return len(self._waiting) + len(self._wanted)

    def of(self, person: str) -> int:
        """How many rooms of this person wait for theirs."""
        waiting = sum(each == person for each in self._waiting.values())
        return waiting + sum(self._running[ticket][1] == person for ticket in self._wanted.values())

    def begin(self, room: str, person: str) -> None:
        self._waiting[room] = person

    def forget(self, room: str) -> None:
        """It wants none any more; one that runs already goes on in vain."""
        self._waiting.pop(room, None)
        self._wanted.pop(room, None)

    def next(self) -> tuple[int, str] | None:
        """A ticket and the room to search for now, if there is one whose turn it is."""
        if not self._waiting or len(self._running) >= self._at_once:
            return None
        busy = {person for _, person in self._running.values()}
        room = next((room for room, person in self._waiting.items() if person not in busy), None)
        if room is None:
            return None
        person, ticket = self._waiting.pop(room), next(self._tickets)
        for other in [each for each, owner in self._waiting.items() if owner == person]:
            self._waiting[other] = self._waiting.pop(other)
        self._running[ticket] = room, person
        self._wanted[room] = ticket
        return ticket, room

    def end(self, ticket: int) -> str | None:
        """The room that waits for this search, which has ended."""
        room, _ = self._running.pop(ticket)
        if self._wanted.get(room) != ticket:
            return None
        del self._wanted[room]
        return room
