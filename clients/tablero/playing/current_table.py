"""The current table: entering and leaving it, and its open questions.

Law: a table is left only when the next one is there. Only news of the current table is told, even if the
table before it still has news.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from functools import partial
from typing import TypeAlias

from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import Seat
from tablero_protocol.messages import Answered, Invited, Left, NextPlayer, Offered

from .news import (
    AtTable,
    ConnectionBack,
    ConnectionLost,
    Elsewhere,
    Entered,
    Gone,
    News,
    OfferExpired,
    Postponed,
    UpToDate,
)
from .words import UsageError

Question: TypeAlias = Invited | Offered | Callable[[], Awaitable[object]]
"""The question that yes or no answers. If it is a function, yes calls it."""

NO_TABLE = sentence("You're not at a table. Create, join or watch one first.")
NOT_BEGUN = sentence("The game hasn't begun. Every seat must be taken.")
BEGINS = sentence("The game begins in a moment.")


class CurrentTable:
    def __init__(self, client: Client) -> None:
        self.room: Room | None = None
        self.question: Question | None = None
        self.news: Event[News] = Event()
        """The news for this person, for every screen. The table has handled them already."""
        self._client = client
        self._unanswered: dict[str, Offered] = {}
        self._own_question: Question | None = None
        for event in (client.declined, client.announced, client.best):
            event.subscribe(self.news.emit)
        client.connected.subscribe(lambda _: self.news.emit(ConnectionBack()))
        client.disconnected.subscribe(lambda wait: self.news.emit(ConnectionLost(wait)))
        client.postponed.subscribe(lambda _: self.news.emit(Postponed()))
        client.invited.subscribe(self._invited)
        client.room_opened.subscribe(self.go_to)

    @property
    def may_go(self) -> bool:
        """Whether this table can be left for another one, because no game of ours is running here."""
        return self.room is None or self.room.table.state == "finished" or not self.room.seats

    @property
    def own_turn(self) -> NextPlayer | None:
        """The newest turn, if it is ours."""
        turn = self.latest
        return turn if turn is not None and turn.seat in turn.seats else None

    @property
    def latest(self) -> NextPlayer | None:
        """The newest turn, if the game has begun. Of several seats of ours, the turn of the seat to move."""
        turns = self.room.turns.values() if self.room is not None else ()
        return max(turns, key=lambda turn: (turn.seq, turn.seat in turn.seats), default=None)

    @property
    def is_playing(self) -> bool:
        """Whether we are playing a game here."""
        return self.room is not None and bool(self.room.seats) and self.room.table.state == "playing"

    # Values for orders. They raise UsageError if there is no value.

    def here(self) -> Room:
        if self.room is None:
            raise UsageError(translate(NO_TABLE))
        return self.room

    def seat(self) -> Seat:
        """Our seat to move, or any seat of ours."""
        room = self.here()
        if not room.seats:
            raise UsageError(translate("You're watching."))
        turn = self.latest
        if turn is None or turn.seat is None or turn.seat not in turn.seats:
            return room.seats[0]
        return turn.seat

    def position(self) -> NextPlayer:
        turn = self.latest
        if turn is None:
            raise UsageError(translate(NOT_BEGUN if None in self.here().table.seats else BEGINS))
        return turn

    # Entering and leaving

    def go_to(self, room: Room) -> None:
        """Enter `room` if the current table may be left. Then leave the current table."""
        entered = Entered(room, self.room)
        if room is self.room:
            return
        if not entered.is_rematch and not self.may_go:
            self.news.emit(Elsewhere(room))
            return
        self._enter(entered)
        if entered.before is not None:
            self._client.start(self._leave(entered.before))

    async def _leave(self, room: Room) -> None:
        with suppress(Refused):  # the room has closed
            await room.leave()

    def _enter(self, entered: Entered) -> None:
        room = entered.room
        self._take_in_hand(room)
        self.news.emit(entered)
        hear = partial(self._hear, room)
        for event in (room.members, room.chat, room.offers, room.setup, room.next_player):
            event.subscribe(hear)
        room.caught_up.subscribe(lambda _: hear(UpToDate()))
        room.closed.subscribe(partial(self._closed, room))

    def _take_in_hand(self, room: Room | None) -> None:
        """Make this the current table. Open questions end, except invitations."""
        self.room = room
        self._unanswered.clear()
        if not isinstance(self.question, Invited) or (room is not None and room.id == self.question.room):
            self.question = None

    def _closed(self, room: Room, why: str) -> None:
        if room is not self.room or self._client.ended is not None:
            return
        self._take_in_hand(None)
        self.news.emit(Gone(room, why))
        if other := next(iter(self._client.rooms.values()), None):
            self._enter(Entered(other, None))

    def _hear(self, room: Room, happened: AtTable) -> None:
        """Handle an event of this table: first its effect on open questions, then the news."""
        if room is not self.room:
            return
        expired: Collection[Offered] = ()
        match happened:
            case Offered():
                if happened.what != "rematch":
                    self._unanswered[happened.offer] = happened
                if room.seats and happened.seat not in room.seats:
                    self.question = happened
            case Answered():
                self._unanswered.pop(happened.offer, None)
            case NextPlayer() | Left():  # a new turn came, or a player who was asked has left
                if isinstance(happened, NextPlayer) or happened.player in room.table.seats:
                    expired, self._unanswered = self._unanswered.values(), {}
                    if isinstance(self.question, Offered):
                        self.question = None
        if not isinstance(happened, NextPlayer) or happened.outcome is None:
            for offered in expired:
                self.news.emit(OfferExpired(offered))
        self.news.emit(happened)

    # Questions

    def ask(self, deed: Callable[[], Awaitable[object]]) -> None:
        """Ask whether to give up a game. Only the very next line can answer."""
        self.question = self._own_question = deed

    def forget_own_question(self, line: str) -> None:
        """Forget the question about giving up: a later yes means something else."""
        if (
            line.strip().lower() not in ("yes", "y")
            and self.question is not None
            and self.question is self._own_question
        ):
            self.question = None

    def _invited(self, invited: Invited) -> None:
        self.question = invited
        self.news.emit(invited)
