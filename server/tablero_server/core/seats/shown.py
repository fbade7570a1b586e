"""Which rooms a message shows, and the same message without some of them."""

from __future__ import annotations

from ..effects import Effects
from ..refusal import Message


def is_about(effects: Effects, rooms: set[str]) -> bool:
    """Whether it changes or shows one of `rooms`."""
    if not rooms:
        return False
    if effects.refused_about in rooms or any(entry.room in rooms for entry in effects.entries):
        return True
    return any(not rooms.isdisjoint(_shown_by(message)) for _, message in effects.messages)


def _shown_by(message: Message) -> list[str]:
    """A stale turn is refused with events of its room."""
    return [each["room"] for each in (message, *message.get("missed", ())) if "room" in each]


def hide(message: Message, rooms: set[str], rated: set[str]) -> Message:
    """A message about many rooms, without those, and without the ratings of these players."""
    match message.get("type"):
        case "pong":
            heads = {room: head for room, head in message["heads"].items() if room not in rooms}
            return {**message, "heads": heads}
        case "lobby" | "lobbyChanged":
            lines = [line for line in message["rooms"] if line["room"] not in rooms]
            lines = [line for line in lines if rated.isdisjoint(_rated_in(line))]
            seeks = [line for line in message.get("seeks", ()) if rated.isdisjoint(_rated_in(line))]
            return {**message, "rooms": lines, "seeks": seeks}
        case "welcome" | "ownRooms":  # they are still one's own, but nobody knows whose turn it is
            return {**message, "rooms": [_unsure(line, rooms) for line in message["rooms"]]}
    return message


def _rated_in(line: Message) -> set[str]:
    """Whose ratings are told in a line of the lobby."""
    if "rating" in line:
        return {line["player"]["id"]}
    return {seat["id"] for seat in line["seats"] if seat is not None} if "ratings" in line else set()


def _unsure(line: Message, rooms: set[str]) -> Message:
    if line["room"] not in rooms:
        return line
    return {**{key: value for key, value in line.items() if key != "clocks"}, "toMove": []}
