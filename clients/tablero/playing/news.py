"""The news for a player: one stream of values, which every screen matches.

Messages of the server are news as they are. A value that this client adds is defined here.
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
    LobbyChanged,
    LobbyList,
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
    """We are at one more table, which waits until this one is left."""

    room: Room


@dataclass(frozen=True)
class OfferExpired:
    """An offer can no longer be accepted, because the next turn follows."""

    offered: Offered


@dataclass(frozen=True)
class UpToDate:
    """After a reconnect, everything that happened at the table in hand is known again."""


@dataclass(frozen=True)
class ConnectionBack:
    pass


@dataclass(frozen=True)
class ConnectionLost:
    wait: float | None
    """Seconds until the next attempt; None: there is none."""


@dataclass(frozen=True)
class Postponed:
    """An order was given without a connection: it is sent when there is one again."""


@dataclass(frozen=True)
class Told:
    """A sentence about an event; `is_note`: it concerns only this person."""

    line: str
    is_note: bool = False


AtTable: TypeAlias = NextPlayer | MemberEvent | Said | Offered | Answered | Setup | UpToDate
"""Happens at the table in hand."""
News: TypeAlias = (
    Entered
    | Gone
    | Elsewhere
    | AtTable
    | OfferExpired
    | LobbyList
    | LobbyChanged
    | Best
    | Invited
    | Declined
    | Announcement
    | ConnectionBack
    | ConnectionLost
    | Postponed
    | Told
)
