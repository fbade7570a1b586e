"""Events of a session for the application, in the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tablero_protocol.messages import ServerMessage, Welcome

from .room_progress import RoomProgress


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server has accepted us. `again` means after a reconnect."""

    welcome: Welcome
    again: bool


@dataclass(frozen=True, slots=True)
class RoomOpened:
    """The client is in a room. `after` is the room before a rematch."""

    progress: RoomProgress
    after: str | None = None


@dataclass(frozen=True, slots=True)
class RoomClosed:
    room: str
    why: str


@dataclass(frozen=True, slots=True)
class CaughtUp:
    """All missed events of a room have been told."""

    room: str


@dataclass(frozen=True, slots=True)
class Received:
    """A message for the application: an event of a room or the lobby, an invitation."""

    message: ServerMessage


@dataclass(frozen=True, slots=True)
class Settled:
    """The answer to a command."""

    id: str
    answer: ServerMessage


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session ended for good. The `abandoned` commands get no answer."""

    code: str
    sentence: str
    abandoned: list[str]
    reason: str = ""
    """The reason of a refusal. Its sentence is made from the reason and `fields`."""
    fields: dict[str, Any] = field(default_factory=dict)


SessionEvent = Welcomed | RoomOpened | RoomClosed | CaughtUp | Received | Settled | SessionEnded
