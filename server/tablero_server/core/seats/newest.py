"""What somebody is shown who reads too slowly to be told everything: the newest, of what it only watches."""

from __future__ import annotations

from collections.abc import Iterable

from ..effects import Effects
from ..people.session import Session
from .rooms import Rooms


class Newest:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    def is_enough(self, session: Session | None, room: str) -> bool:
        """Whether this session sees a room as somebody who has no seat there."""
        views = self._rooms.open.get(room)
        if session is None or views is None or session.id not in views.viewers:
            return False
        return session.account.id not in views.room.seats

    def show(self, session: Session | None, rooms: Iterable[str], lines: Iterable[str]) -> Effects:
        """Rooms, and lines of the lobby, as they are now."""
        effects = Effects()
        if session is None:
            return effects
        for room in sorted(session.rooms.intersection(rooms)):
            views = self._rooms.open[room]
            effects.send(session.peer, views.snapshot(views.viewers[session.id], None))
        if session.id in self._rooms.lobby.watchers:
            for changed in self._rooms.lobby.again(lines):
                effects.send(session.peer, changed)
        return effects
