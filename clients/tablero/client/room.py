"""One table as seen by a member: events to subscribe to, and the member's commands.

The first subscriber of an event subscribes on the wire, and the last one to leave unsubscribes.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal, Protocol, TypeVar

from pydantic.alias_generators import to_camel

from tablero_games import Seat
from tablero_protocol.messages import (
    RATED_CLOCK,
    Answered,
    Away,
    Back,
    Began,
    EventName,
    Freed,
    History,
    Joined,
    Left,
    Member,
    NextPlayer,
    Offered,
    OfferKind,
    OptionsSet,
    PastTurn,
    Player,
    Preparing,
    Rated,
    Said,
    ServerMessage,
    Swapped,
    Table,
    Unprepared,
)
from tablero_protocol.phrases import Phrase

from ..bot import Bot, Failure, Thought, Turn, attempt
from ..errors import Disconnected, Refused
from ..event import Event
from .room_progress import MemberEvent, RoomProgress, Setup

log = logging.getLogger(__name__)

T = TypeVar("T")


def clock_terms(clock: Mapping[str, int]) -> dict[str, int]:
    """Convert a clock to its form on the wire."""
    return {to_camel(name): value for name, value in clock.items()}


def clock_or_usual(clock: Mapping[str, int] | None, *, rated: bool) -> dict[str, int] | None:
    """Convert a clock to its form on the wire; a rated game without one gets the usual clock."""
    if clock is None and rated:
        return RATED_CLOCK.model_dump(exclude_none=True, by_alias=True)
    return None if clock is None else clock_terms(clock)


def clocks_at(turn: NextPlayer, server_now: int) -> list[int] | None:
    """The milliseconds that each seat has left now.

    The clocks of the seats to move have run since the turn, except before a first move or in a pause.
    """
    if turn.clocks is None:
        return None
    spent = (
        0
        if turn.at is None or turn.first_move is not None or turn.paused is not None
        else max(0, server_now - turn.at)
    )
    return [max(0, left - spent) if seat in turn.seats else left for seat, left in enumerate(turn.clocks)]


def first_move_left(turn: NextPlayer, server_now: int) -> int | None:
    """The milliseconds left for a first move; None if the game waits for none."""
    if turn.first_move is None:
        return None
    spent = 0 if turn.at is None or turn.paused is not None else max(0, server_now - turn.at)
    return max(0, turn.first_move - spent)


class Line(Protocol):
    """The part of the client that a room needs."""

    async def ask(self, type: str, **fields: Any) -> ServerMessage: ...

    def subscribe(self, room: str, event: EventName) -> None: ...

    def unsubscribe(self, room: str, event: EventName) -> None: ...

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> None: ...

    def aside(self, thought: Callable[[], Thought], done: Callable[[Thought], None]) -> None: ...


class Room:
    """A room that this client is in. Only the client makes rooms."""

    def __init__(self, line: Line, progress: RoomProgress, previous: Room | None = None) -> None:
        self._line = line
        self._progress = progress
        self.id = progress.room
        self.game = progress.table.game
        self.turns = progress.latest
        """The newest turn of each of our seats. While we watch, the key is None."""
        self.previous = previous
        """The room before this rematch, if any."""
        self.next_player: Event[NextPlayer] = self._event("nextPlayer", current=progress.current_turns)
        self.chat: Event[Said] = self._event("chat")
        self.members: Event[MemberEvent] = self._event("members")
        """Members who come, go, lose the connection or return."""
        self.offers: Event[Offered | Answered] = self._event("offers")
        self.setup: Event[Setup] = Event(start=line.start)
        """Events before the game: seats and options change, or preparing the game ends or fails."""
        self.rematch: Event[Room] = Event(start=line.start)
        """A rematch was agreed on. The value is the next room, which the client has joined."""
        self.caught_up: Event[None] = Event(start=line.start)
        """All events missed without a connection have been told."""
        self.closed: Event[str] = Event(start=line.start)
        """The client has left this room. The value is the reason."""

    def _event(self, name: EventName, current: Callable[[], Iterable[T]] = tuple) -> Event[T]:
        return Event(
            first=partial(self._line.subscribe, self.id, name),
            last=partial(self._line.unsubscribe, self.id, name),
            current=current,
            start=self._line.start,
        )

    # State of the room

    @property
    def code(self) -> str | None:
        """The code with which others can join."""
        return self._progress.code

    @property
    def table(self) -> Table:
        """The table's seats and options; kept up to date while `members` has a subscriber."""
        return self._progress.table

    @property
    def options(self) -> dict[str, Any]:
        return self.table.options

    @property
    def seats(self) -> list[Seat]:
        """Our seats; empty while we watch."""
        return self._progress.seats

    @property
    def away(self) -> list[Member]:
        """The members without a connection. `away` says until when the others wait. Kept up to date as
        `table` is.

        In a correspondence game no one is away: its players come and go.
        """
        clock = self.table.clock
        if self.table.state == "playing" and clock is not None and clock.days is not None:
            return []
        return [
            member
            for member in self.table.members
            if member.away is not None and self.waits_for(member.player)
        ]

    def waits_for(self, player: Player) -> bool:
        """Whether the others wait for this player. They don't wait for a player who only watches."""
        return player.id == self.table.owner or player.id in [each.id for each in self.table.seats if each]

    # A member's commands. They raise Refused.

    async def play(self, move: str, seat: Seat | None = None, ply: int | None = None) -> ServerMessage:
        """Play `move` on `seat`, by default for the ply of the seat's newest turn."""
        seat = self._seat(seat)
        if ply is None:
            ply = self._ply(seat)
        return await self._line.ask("playTurn", room=self.id, seat=seat, ply=ply, move=move)

    async def say(self, text: str) -> ServerMessage:
        return await self._line.ask("say", room=self.id, text=text)

    async def say_phrase(self, phrase: Phrase) -> ServerMessage:
        """Say a phrase of the fixed list, which clients translate. Some hosts allow no other text."""
        return await self._line.ask("say", room=self.id, phrase=phrase)

    async def history(self) -> list[PastTurn]:
        """All past turns that we may see, including those before we joined."""
        turns: list[PastTurn] = []
        after: int | None = 0
        while after is not None:
            page = await self._line.ask("showHistory", room=self.id, after=after)
            assert isinstance(page, History)
            turns += page.turns
            after = page.more
        return turns

    async def resign(self, seat: Seat | None = None) -> ServerMessage:
        return await self._line.ask("resign", room=self.id, seat=self._seat(seat))

    async def claim(self, what: Literal["win", "draw"] = "win", seat: Seat | None = None) -> ServerMessage:
        """End a game as a win or a draw because the other side stays away. Refused while it may
        still return.
        """
        return await self._line.ask("claim", room=self.id, seat=self._seat(seat), what=what)

    async def offer(self, what: OfferKind, seat: Seat | None = None) -> ServerMessage:
        """Make an offer to the others. Any offer except a rematch ends when the position changes."""
        return await self._line.ask("offer", room=self.id, seat=self._seat(seat), what=what)

    async def add_time(self, seat: Seat | None = None) -> ServerMessage:
        """Give every rival 15 more seconds on the clock."""
        return await self._line.ask("addTime", room=self.id, seat=self._seat(seat))

    async def answer(self, offer: str, yes: bool, seat: Seat | None = None) -> ServerMessage:
        return await self._line.ask("answer", room=self.id, seat=self._seat(seat), offer=offer, yes=yes)

    async def set_options(
        self,
        *,
        clock: Mapping[str, int] | Literal["none"] | None = None,
        watchers: bool | None = None,
        **options: Any,
    ) -> ServerMessage:
        """Change the table before the game begins; only its owner may. Options not named keep their values.

        If an option of the game is named, the game's other options return to their defaults. A `clock` is as
        in `create_room`, or "none".
        """
        fields: dict[str, Any] = {}
        if options:
            fields["options"] = {to_camel(name): value for name, value in options.items()}
        if clock is not None:
            fields["clock"] = None if clock == "none" else clock_terms(clock)
        if watchers is not None:
            fields["watchers"] = watchers
        return await self._line.ask("setOptions", room=self.id, **fields)

    async def free_seat(self, seat: Seat) -> ServerMessage:
        """Free a seat before the game begins; only the owner may."""
        return await self._line.ask("freeSeat", room=self.id, seat=seat)

    async def swap_seats(self, one: Seat, other: Seat) -> ServerMessage:
        return await self._line.ask("swapSeats", room=self.id, seats=[one, other])

    async def take_seat(self, seat: Seat | None = None) -> ServerMessage:
        """Move our seat to this device from another of our devices."""
        return await self._line.ask("takeSeat", room=self.id, seat=self._seat(seat))

    async def begin(self) -> ServerMessage:
        """Begin the game without the empty seats; only the owner may."""
        return await self._line.ask("begin", room=self.id)

    async def leave(self) -> ServerMessage:
        return await self._line.ask("leave", room=self.id)

    def _seat(self, seat: Seat | None) -> Seat:
        if seat is not None:
            return seat
        if len(self.seats) == 1:
            return self.seats[0]
        raise ValueError("You're watching." if not self.seats else f"Say which seat: {self.seats}.")

    def _ply(self, seat: Seat) -> int:
        if seat not in self.turns:
            raise ValueError("Subscribe to next_player, or say the ply.")
        return self.turns[seat].ply

    # The interface for bots (see bot.Table)

    def think(self, bot: Bot, turn: Turn, done: Callable[[Thought], None]) -> None:
        self._line.aside(partial(attempt, bot.choose, turn), done)

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._line.start(self._drop_token(seat, ply, move, done))

    async def _drop_token(
        self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]
    ) -> None:
        try:
            await self.play(move, seat, ply)
        except Refused as refused:
            done(refused)
        except Disconnected:
            pass  # the game is over, or the seat is lost
        else:
            done(None)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        if failure is not None:
            trace = f"\n{failure.trace}" if failure.trace else ""
            log.error("Seat %s of room %s resigns: %s%s", seat, self.id, failure.sentence, trace)
            self._line.start(self._say_if_it_may(failure.said))
        self._line.start(self._resign_if_it_may(seat))

    async def _say_if_it_may(self, text: str) -> None:
        with suppress(Refused, Disconnected):
            await self.say(text)

    async def _resign_if_it_may(self, seat: Seat) -> None:
        with suppress(Refused, Disconnected):
            await self.resign(seat)

    # Methods for the client

    def tell(self, message: ServerMessage) -> None:
        """Pass an event of this room to its subscribers."""
        match message:
            case NextPlayer():
                self.next_player.emit(message)
            case Said():
                self.chat.emit(message)
            case Joined() | Left() | Away() | Back() | Rated():
                self.members.emit(message)
            case Offered() | Answered():
                self.offers.emit(message)
            case Preparing() | Unprepared() | OptionsSet() | Freed() | Swapped() | Began():
                self.setup.emit(message)
            case _:
                log.debug("Nobody can listen to %s", message)

    def close(self, why: str) -> None:
        """Emit the last event, then remove all subscribers."""
        self.closed.emit(why)
        for event in vars(self).values():
            if isinstance(event, Event):
                event.unsubscribe_all()


class TableInRoom:
    """The room as the table of a bot (see bot.Table). A subclass may change some methods."""

    def __init__(self, room: Room) -> None:
        self._room = room

    @property
    def game(self) -> str:
        return self._room.game

    @property
    def options(self) -> Mapping[str, Any]:
        return self._room.options

    @property
    def next_player(self) -> Event[NextPlayer]:
        return self._room.next_player

    def drop_token(self, seat: Seat, ply: int, move: str, done: Callable[[Refused | None], None]) -> None:
        self._room.drop_token(seat, ply, move, done)

    def give_up(self, seat: Seat, failure: Failure | None) -> None:
        self._room.give_up(seat, failure)
