"""Effects: the orders of the core to the I/O: first store these entries, then send these messages.

Law: a message is sent only when all entries gathered before it are durable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

from tablero_protocol.codes import Close
from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from .entry import Entry, Kept
from .refusal import Message

PeerId = int
K = TypeVar("K")
Undo: TypeAlias = Callable[[int], None]
"""A function that undoes a change in memory; its argument is the time."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search to run outside the core, by `Game.prepare`. Its result goes to `Hub.found` with the ticket."""

    ticket: int
    game: str
    seed: int
    options: Message


class Asked(NamedTuple):
    """A question that the core cannot answer because the game is no longer in its memory."""

    peer: PeerId
    player: str
    message: ShowRatings | ShowTimes | ShowPlayer | ShowTonight


class Effects:
    # Rare values are class attributes until they are set: most effects need only the two lists.
    kept: tuple[Kept, ...] = ()
    """Rows to store beside the logs, in order."""
    undo: tuple[Undo, ...] = ()
    """Steps that undo the changes in memory, except changes of logs; the last change comes first."""
    moved: tuple[tuple[str, ...], ...] = ()
    """Changes outside rooms that later effects depend on: keys of ratings, and mutes."""
    closes: tuple[tuple[PeerId, Close], ...] = ()
    searches: tuple[Search, ...] = ()
    asked: tuple[Asked, ...] = ()
    repeats: bool = False
    """Whether the journal found that the command was carried out before, too long ago for the core to
    remember.
    """
    too_fast = False
    """Whether a player was told to slow down."""
    lost = False
    """Whether the effects could not be saved: then they did not happen."""
    refused_about: str | None = None
    """The room that a refusal in `messages` is about, if the refused message does not name the room."""

    def __init__(
        self,
        entries: list[Entry] | None = None,
        messages: list[tuple[PeerId, Message]] | None = None,
        kept: Iterable[Kept] = (),
    ) -> None:
        self.entries: list[Entry] = [] if entries is None else entries
        self.messages: list[tuple[PeerId, Message]] = [] if messages is None else messages
        """A message for several peers is the same object, so that it is encoded once."""
        if kept:
            self.kept = tuple(kept)

    @property
    def must_last(self) -> bool:
        """Whether the effects have anything to save."""
        return bool(self.entries or self.kept)

    def keep(self, *kept: Kept, undo: Undo | None = None) -> None:
        self.kept += kept
        if undo is not None:
            self.undo += (undo,)

    def kept_of(self, kind: type[K]) -> list[K]:
        return [each for each in self.kept if isinstance(each, kind)]

    def send(self, peer: PeerId | None, message: Message) -> None:
        """Sends a message. A peer that is away gets nothing now; it resumes later."""
        if peer is not None:
            self.messages.append((peer, message))

    def refuse(self, peer: PeerId, refusal: Message, room: str | None) -> None:
        """Refuses a command; `room` is the room that the command was about."""
        self.send(peer, refusal)
        if room is not None:
            self.refused_about = room

    def close(self, peer: PeerId, why: Close) -> None:
        self.closes += ((peer, why),)


def is_about(effects: Effects, rooms: set[str]) -> bool:
    """Whether the effects change or show one of `rooms`."""
    if not rooms:
        return False
    if effects.refused_about in rooms or any(entry.room in rooms for entry in effects.entries):
        return True
    return any(not rooms.isdisjoint(_shown_by(message)) for _, message in effects.messages)


def _shown_by(message: Message) -> list[str]:
    """The rooms that a message shows; a refused stale turn has events of its room."""
    return [each["room"] for each in (message, *message.get("missed", ())) if "room" in each]


def hide(message: Message, rooms: set[str], rated: set[str]) -> Message:
    """A message about many rooms, without `rooms` and without the ratings of the players in `rated`."""
    match message.get("type"):
        case "pong":
            heads = {room: head for room, head in message["heads"].items() if room not in rooms}
            return {**message, "heads": heads}
        case "lobby" | "lobbyChanged":
            lines = [line for line in message["rooms"] if line["room"] not in rooms]
            lines = [line for line in lines if rated.isdisjoint(_rated_in(line))]
            seeks = [line for line in message.get("seeks", ()) if rated.isdisjoint(_rated_in(line))]
            return {**message, "rooms": lines, "seeks": seeks}
        case "welcome" | "ownRooms":  # a player still sees their own rooms, but the seat to move may be wrong
            return {**message, "rooms": [_unsure(line, rooms) for line in message["rooms"]]}
    return message


def _rated_in(line: Message) -> set[str]:
    """The players whose ratings are in a line of the lobby."""
    if "rating" in line:
        return {line["player"]["id"]}
    return {seat["id"] for seat in line["seats"] if seat is not None} if "ratings" in line else set()


def _unsure(line: Message, rooms: set[str]) -> Message:
    if line["room"] not in rooms:
        return line
    return {**{key: value for key, value in line.items() if key != "clocks"}, "toMove": []}
