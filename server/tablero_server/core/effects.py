"""What the core wants done, in order, by those who do I/O: keep these entries, then send these messages.

Law: no message leaves before every entry gathered up to then is durable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tablero_protocol.codes import Close

from .entry import Entry, GameResult, SavedPlayer
from .refusal import Message

if TYPE_CHECKING:
    from .pairing import StandingSeek
    from .room import Room
    from .views import Viewer

PeerId = int


@dataclass(frozen=True, slots=True)
class Search:
    """A search to run elsewhere, by `Game.prepare`; what it finds goes to `Hub.found` with the ticket."""

    ticket: int
    game: str
    seed: int
    options: Message


class Effects:
    # What is rare is of the class until there is something: most effects are made with two lists alone.
    players: tuple[SavedPlayer, ...] = ()
    """Those that are new or changed."""
    renamed: tuple[str, str] | None = None
    """The id of a player who gets a new name, and the old one."""
    forgotten: tuple[str, ...] = ()
    """The ids of players that are gone for good."""
    results: tuple[GameResult, ...] = ()
    closes: tuple[tuple[PeerId, Close], ...] = ()
    searches: tuple[Search, ...] = ()
    left: tuple[tuple[str, Viewer], ...] = ()
    """Whoever sees a room no longer because of it, by the room's id."""
    paired: tuple[StandingSeek, ...] = ()
    """The seeks that have ended because of it."""
    closed: tuple[Room, ...] = ()
    """The rooms that it closes."""
    repeats: bool = False
    """Found by the journal: its command was carried out before, too long ago for the core to know."""
    too_fast = False
    """Whether somebody was told to slow down."""
    refused_about: str | None = None
    """The room of which a refusal in it speaks, though the message itself does not say so."""

    def __init__(
        self,
        entries: list[Entry] | None = None,
        messages: list[tuple[PeerId, Message]] | None = None,
        **rare: Any,
    ) -> None:
        self.entries: list[Entry] = [] if entries is None else entries
        self.messages: list[tuple[PeerId, Message]] = [] if messages is None else messages
        """A message for several peers is the same object, so that it is encoded once."""
        if rare:
            vars(self).update(rare)

    @property
    def must_last(self) -> bool:
        """Whether there is anything in it to make durable."""
        return bool(self.entries or self.players or self.forgotten)

    def send(self, peer: PeerId | None, message: Message) -> None:
        """A peer that is away gets nothing now; it resumes later."""
        if peer is not None:
            self.messages.append((peer, message))

    def refuse(self, peer: PeerId, refusal: Message, room: str | None) -> None:
        """Says no to something that was asked of `room`, if of any."""
        self.send(peer, refusal)
        if room is not None:
            self.refused_about = room

    def close(self, peer: PeerId, why: Close) -> None:
        self.closes += ((peer, why),)
