"""The packed rooms that somebody wants: one is unpacked after the other, a few entries at a time.

Law: nobody else waits for more than a few entries. Rooms that their own players want come before those that
others want to watch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import NamedTuple

from tablero_protocol.messages import ClientMessage

from ..effects import PeerId
from ..entry import Damaged
from ..people.session import Session
from ..room.room import Room
from .packed_rooms import PackedRooms

_ENTRIES_AT_ONCE = 16
"""About half a millisecond."""


class AtRest(Exception):
    """This room has to be unpacked before a command can be carried out; nothing has changed so far."""

    def __init__(self, room: str) -> None:
        self.room = room


class Waiting(NamedTuple):
    """A command that goes on when its room is loaded."""

    peer: PeerId
    session: Session
    message: ClientMessage


class Unpacking:
    def __init__(
        self,
        packed: PackedRooms,
        load: Callable[[Room], object],
        damaged: dict[str, str],
    ) -> None:
        self._packed = packed
        self._load = load
        self._damaged = damaged
        """Rooms that are set aside."""
        self.wanted: dict[str, list[Waiting]] = {}
        """By room, in the order in which they were asked for."""
        self._by_players: dict[str, None] = {}
        self._begun = ""
        """The room that is being unpacked, if any."""
        self._steps: Iterator[Room] = iter(())

    def want(self, room: str, waiting: Waiting | None = None) -> None:
        """`waiting` asks for it, if it is not wanted for its flag alone."""
        asked = self.wanted.setdefault(room, [])
        if waiting is not None:
            asked.append(waiting)
            if room in waiting.session.account.rooms:
                self._by_players[room] = None

    def go_on(self) -> tuple[str, list[Waiting]] | None:
        """Unpacks a few entries of the room whose turn it is; once it is loaded, its id and who waited."""
        id = self._begun or next(iter(self._by_players or self.wanted))
        if id in self._packed:  # else the host has had it loaded meanwhile
            if not self._begun:
                self._begun, self._steps = id, self._packed.folding(id)
            if not self._take(id, islice(self._steps, _ENTRIES_AT_ONCE)):
                return None
        self._begun = ""
        self._by_players.pop(id, None)
        return id, self.wanted.pop(id)

    def at_once(self, id: str) -> None:
        """Unpacks a whole room."""
        self._take(id, self._packed.folding(id))

    def _take(self, id: str, steps: Iterator[Room]) -> bool:
        """Whether the room is loaded after these steps, or set aside."""
        try:
            *_, room = steps
        except Damaged as damage:
            self._packed.remove(id)
            self._damaged[id] = str(damage)
            return True
        if len(room.log) < self._packed.size(id):
            return False
        self._packed.remove(id)
        self._load(room)
        return True
