"""Events of a session for the application, in the order in which they happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tablero_protocol.messages import ServerMessage, Welcome

from .room_progress import RoomProgress


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server knows us. `again`: we had been here before."""

    welcome: Welcome
    again: bool


@dataclass(frozen=True, slots=True)
class RoomOpened:
    """We are in a room. `after` is the room it is a rematch of."""

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
    """This session will not come back by itself; `abandoned` commands have no answer."""

    code: str
    sentence: str
    abandoned: list[str]
    reason: str = ""
    """The reason of a refusal; with its `fields` it makes the sentence."""
    fields: dict[str, Any] = field(default_factory=dict)


SessionEvent = Welcomed | RoomOpened | RoomClosed | CaughtUp | Received | Settled | SessionEnded
