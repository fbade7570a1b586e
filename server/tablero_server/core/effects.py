"""What the core wants done, in order, by those who do I/O: keep these entries, then send these messages.

Law: no message leaves before every entry gathered up to then is durable.
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
"""Takes a change in memory back, at this time."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search to run elsewhere, by `Game.prepare`; what it finds goes to `Hub.found` with the ticket."""

    ticket: int
    game: str
    seed: int
    options: Message


class Asked(NamedTuple):
    """A question that the core cannot answer: what was played is not in its memory."""

    peer: PeerId
    player: str
    message: ShowRatings | ShowTimes | ShowPlayer | ShowTonight


class Effects:
    # What is rare is of the class until there is something: most effects are made with two lists alone.
    kept: tuple[Kept, ...] = ()
    """What is durable beside the logs, in order."""
    undo: tuple[Undo, ...] = ()
    """How to take back what it has changed in memory, but for logs, the last step first."""
    moved: tuple[tuple[str, ...], ...] = ()
    """What it changes beside rooms that later effects build on: keys of ratings, and who hears whom."""
    closes: tuple[tuple[PeerId, Close], ...] = ()
    searches: tuple[Search, ...] = ()
    asked: tuple[Asked, ...] = ()
    """What is to be looked up and answered."""
    repeats: bool = False
    """Found by the journal: its command was carried out before, too long ago for the core to know."""
    too_fast = False
    """Whether somebody was told to slow down."""
    lost = False
    """Whether it could not be made durable, and so has not happened."""
    refused_about: str | None = None
    """The room of which a refusal in it speaks, though the message itself does not say so."""

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
        """Whether there is anything in it to make durable."""
        return bool(self.entries or self.kept)

    def keep(self, *kept: Kept, undo: Undo | None = None) -> None:
        self.kept += kept
        if undo is not None:
            self.undo += (undo,)

    def kept_of(self, kind: type[K]) -> list[K]:
        return [each for each in self.kept if isinstance(each, kind)]

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
