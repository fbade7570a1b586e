"""Messages that are not sent to a slow reader, which gets the newest state once it has read the rest.

Law: a message is left out only if a newer one replaces it: events of watched rooms, and lines of the lobby.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..core.refusal import Message

_WITHOUT_SEQ = {"away", "back", "declined", "rated"}


@dataclass(slots=True)
class Behind:
    rooms: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    """The ids of rooms and players whose lines of the lobby were left out."""

    def leave_out(self, message: Message) -> None:
        if message["type"] == "lobbyChanged":
            self.lines.update(line["room"] for line in message["rooms"])
            self.lines.update(line["id"] for line in message["players"])
            self.lines.update(message["gone"])
        else:
            self.rooms.add(message["room"])


def is_event_of(message: Message) -> str | None:
    """The room of an event, or None for other messages, such as answers and messages with the table."""
    if "re" in message or "table" in message:
        return None
    room: str | None = message.get("room")
    return room if "seq" in message or message["type"] in _WITHOUT_SEQ else None
