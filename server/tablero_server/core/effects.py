"""What the core wants done, in order, by those who do I/O: keep these entries, then send these messages.

Law: no message leaves before every entry gathered up to then is durable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tablero_protocol.codes import Close
from tablero_protocol.messages import ShowPlayer, ShowRatings, ShowTimes, ShowTonight

from .entry import Entry, Placing, Sanction, SavedMute, SavedPlayer, SavedToken
from .refusal import Message

if TYPE_CHECKING:
    from .meeting.pairing import StandingSeek
    from .meeting.ratings import Career, RatingKey
    from .people.hand_over import OpenHandOver
    from .people.session import Account
    from .people.tokens import Token
    from .room.room import Room
    from .seats.views import Viewer

PeerId = int


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
    players: tuple[SavedPlayer, ...] = ()
    """Those that are new or changed."""
    tokens: tuple[SavedToken, ...] = ()
    """Those that are new or were used."""
    ended: tuple[Token, ...] = ()
    """Those that open nothing any more."""
    handed_over: OpenHandOver | None = None
    """The code by which somebody comes in."""
    renamed: tuple[str, str] | None = None
    """The id of a player who gets a new name, and the old one."""
    forgotten: tuple[str, ...] = ()
    """The ids of players that are gone for good."""
    placings: tuple[Placing, ...] = ()
    """Of the games that it ends."""
    rerated: tuple[Placing, ...] = ()
    """Of games that ended before, whose ratings are others now."""
    sanctions: tuple[Sanction, ...] = ()
    """Those that are new."""
    lifted: tuple[Sanction, ...] = ()
    """Those that hold no longer."""
    mutes: tuple[SavedMute, ...] = ()
    """Those that players have changed."""
    moved: tuple[tuple[RatingKey, Career | None], ...] = ()
    """The ratings that it moves, each with what it was before."""
    closes: tuple[tuple[PeerId, Close], ...] = ()
    searches: tuple[Search, ...] = ()
    asked: tuple[Asked, ...] = ()
    """What is to be looked up and answered."""
    left: tuple[tuple[str, Viewer], ...] = ()
    """Whoever sees a room no longer because of it, by the room's id."""
    paired: tuple[StandingSeek, ...] = ()
    """The seeks that have ended because of it."""
    brought: tuple[Account, ...] = ()
    """Whoever sought, and is at a table because of it."""
    closed: tuple[Room, ...] = ()
    """The rooms that it closes."""
    repeats: bool = False
    """Found by the journal: its command was carried out before, too long ago for the core to know."""
    too_fast = False
    """Whether somebody was told to slow down."""
    taken_back = False
    """Whether it could not be made durable, and so has not happened."""
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
        hosts = self.sanctions or self.lifted or self.rerated
        return bool(self.entries or self.changes_people or hosts or self.mutes)

    @property
    def changes_people(self) -> bool:
        """Whether players or tokens come, change or go."""
        return bool(self.players or self.tokens or self.ended or self.forgotten)

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
