"""The news for a player: one stream of values for all screens.

Messages of the server are news without change. Values that this client adds are defined here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tablero.client.room import Room
from tablero.client.room_progress import MemberEvent, Setup
from tablero_protocol.messages import (
    Announcement,
    Answered,
    Best,
    Declined,
    Invited,
    NextPlayer,
    Offered,
    Said,
)


@dataclass(frozen=True)
class Entered:
    """The person is at this table now, and was at `before`."""

    room: Room
    before: Room | None

    @property
    def is_rematch(self) -> bool:
        return self.before is not None and self.room.previous is self.before


@dataclass(frozen=True)
class Gone:
    """We are no longer at this table."""

    room: Room
    why: str


@dataclass(frozen=True)
class Elsewhere:
    """The person is at another table, too; it waits until the current table is left."""

    room: Room


@dataclass(frozen=True)
class OfferExpired:
    """An offer can't be accepted any more because the next turn came."""

    offered: Offered


@dataclass(frozen=True)
class UpToDate:
    """After a reconnect, all events of the current table are known."""


@dataclass(frozen=True)
class ConnectionBack:
    pass


@dataclass(frozen=True)
class ConnectionLost:
    wait: float | None
    """Seconds until the next attempt; None if there is none."""


@dataclass(frozen=True)
class Postponed:
    """An order was given without a connection. It is sent after the reconnect."""


@dataclass(frozen=True)
class Told:
    """A sentence about an event. `is_note` means that it concerns only this person."""

    line: str
    is_note: bool = False


AtTable: TypeAlias = NextPlayer | MemberEvent | Said | Offered | Answered | Setup | UpToDate
"""An event at the current table."""
News: TypeAlias = (
    Entered
    | Gone
    | Elsewhere
    | AtTable
    | OfferExpired
    | Best
    | Invited
    | Declined
    | Announcement
    | ConnectionBack
    | ConnectionLost
    | Postponed
    | Told
)
