"""The table in hand: where one is, how one comes there and goes from it, and what one was asked.

Law: a table is left when the next one is there, and not before. Whoever shows a table hears of the one in
hand alone, also while the one before still has something to say.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from tablero.catalogue.speech import sentence, translate
from tablero.client.client import Client
from tablero.client.room import Room
from tablero.client.room_progress import MemberEvent, Setup
from tablero.errors import Refused
from tablero.event import Event
from tablero_games import Seat
from tablero_protocol.messages import Answered, Invited, Left, NextPlayer, Offered, Said

from .words import UsageError

T = TypeVar("T")
Question: TypeAlias = Invited | Offered | Callable[[], Awaitable[object]]
"""What yes or no answers. What this program itself has asked is called by a yes."""

NO_TABLE = sentence("You are at no table: create, join or watch one first.")
NOT_BEGUN = sentence("The game has not begun: every seat must be taken.")
BEGINS = sentence("The game has not begun: every seat is taken, and it begins in a moment.")


@dataclass(frozen=True)
class Entered:
    """This table is in hand now, where it was `before`."""

    room: Room
    before: Room | None

    @property
    def is_rematch(self) -> bool:
        return self.before is not None and self.room.previous is self.before


@dataclass(frozen=True)
class Gone:
    """We are at this table no more."""

    room: Room
    why: str


class CurrentTable:
    def __init__(self, client: Client) -> None:
        self.room: Room | None = None
        self.question: Question | None = None
        self.entered: Event[Entered] = Event()
        self.gone: Event[Gone] = Event()
        self.elsewhere: Event[Room] = Event()
        """We are at one more table, which waits until this one is left."""
        self.turns: Event[NextPlayer] = Event()
        self.members: Event[MemberEvent] = Event()
        self.chat: Event[Said] = Event()
        self.offers: Event[Offered | Answered] = Event()
        self.expired: Event[Offered] = Event()
        """With the turn that comes next nobody can say yes to this any more."""
        self.setup: Event[Setup] = Event()
        self.caught_up: Event[None] = Event()
        """After a return all is known again that happened here."""
        self.changed: Event[Room | None] = Event()
        """It is another table, or its game has gone on."""
        self._client = client
        self._unanswered: dict[str, Offered] = {}
        self._own_question: Question | None = None
        client.invited.subscribe(self._invited)
        client.room_opened.subscribe(self.go_to)
        self.members.subscribe(self._somebody_moved)
        self.offers.subscribe(self._offered)

    @property
    def may_go(self) -> bool:
        """Whether nothing of ours is under way here, so that it can be left for another table."""
        return self.room is None or self.room.table.state == "finished" or not self.room.seats

    @property
    def own_turn(self) -> NextPlayer | None:
        """The turn of ours that it is now, if it is."""
        turns = self.room.turns.values() if self.room is not None else ()
        newest = max((turn.seq for turn in turns), default=0)
        now = (turn for turn in turns if turn.seq == newest)
        return next((turn for turn in now if turn.seat is not None and turn.seat in turn.seats), None)

    @property
    def latest(self) -> NextPlayer | None:
        """The position as it is, if the game has begun: our own turn if it is one."""
        turns = self.room.turns.values() if self.room is not None else ()
        return self.own_turn or max(turns, key=lambda turn: turn.seq, default=None)

    @property
    def is_playing(self) -> bool:
        """Whether a game of ours goes on here."""
        return self.room is not None and bool(self.room.seats) and self.room.table.state == "playing"

    # What somebody needs who wants to do something here. Raises UsageError where there is nothing.

    def here(self) -> Room:
        if self.room is None:
            raise UsageError(translate(NO_TABLE))
        return self.room

    def seat(self) -> Seat:
        """The seat of ours to play, or one that we hold."""
        room = self.here()
        if not room.seats:
            raise UsageError(translate("You only watch here."))
        turn = self.own_turn
        return room.seats[0] if turn is None or turn.seat is None else turn.seat

    def position(self) -> NextPlayer:
        if self.latest is None:
            raise UsageError(translate(NOT_BEGUN if None in self.here().table.seats else BEGINS))
        return self.latest

    # Coming and going

    def go_to(self, room: Room) -> None:
        """Takes this table in hand, if the one in hand may be left, and leaves that."""
        entered = Entered(room, self.room)
        if room is self.room:
            return
        if not entered.is_rematch and not self.may_go:
            self.elsewhere.emit(room)
            return
        self._enter(entered)
        if entered.before is not None:
            self._client.start(self._leave(entered.before))

    async def _leave(self, room: Room) -> None:
        with suppress(Refused):  # it has closed meanwhile
            await room.leave()

    def _enter(self, entered: Entered) -> None:
        room = entered.room
        self._take_in_hand(room)
        self.entered.emit(entered)
        room.closed.subscribe(lambda why: self._closed(room, why))
        room.members.subscribe(lambda event: self._tell(room, self.members, event))
        room.chat.subscribe(lambda event: self._tell(room, self.chat, event))
        room.offers.subscribe(lambda event: self._tell(room, self.offers, event))
        room.setup.subscribe(lambda event: self._tell(room, self.setup, event))
        room.caught_up.subscribe(lambda event: self._tell(room, self.caught_up, event))
        room.next_player.subscribe(lambda event: self._next_player(room, event))
        self.changed.emit(room)

    def _take_in_hand(self, room: Room | None) -> None:
        """Of what was asked, only an invitation is still good elsewhere."""
        self.room = room
        self._unanswered.clear()
        if not isinstance(self.question, Invited) or (room is not None and room.id == self.question.room):
            self.question = None

    def _closed(self, room: Room, why: str) -> None:
        if room is not self.room or self._client.ended is not None:
            return
        self._take_in_hand(None)
        self.gone.emit(Gone(room, why))
        if other := next(iter(self._client.rooms.values()), None):
            self._enter(Entered(other, None))
        self.changed.emit(self.room)

    def _tell(self, room: Room, event: Event[T], value: T) -> None:
        if room is self.room:
            event.emit(value)

    def _next_player(self, room: Room, turn: NextPlayer) -> None:
        if room is self.room:
            if turn.outcome is not None:
                self._unanswered.clear()
            self._forget_offers()
            self.turns.emit(turn)
            self.changed.emit(room)

    # What was asked

    def ask(self, deed: Callable[[], Awaitable[object]]) -> None:
        """Asks whether to give a game up. Only the very next line answers that."""
        self.question = self._own_question = deed

    def forget_own_question(self, line: str) -> None:
        """A yes that comes later was meant for something else."""
        if (
            line.strip().lower() != "yes"
            and self.question is not None
            and self.question is self._own_question
        ):
            self.question = None

    def _invited(self, invited: Invited) -> None:
        self.question = invited

    def _offered(self, event: Offered | Answered) -> None:
        room = self.room
        if isinstance(event, Answered):
            self._unanswered.pop(event.offer, None)
        elif event.what != "rematch":
            self._unanswered[event.offer] = event
        if isinstance(event, Offered) and room is not None and room.seats and event.seat not in room.seats:
            self.question = event

    def _somebody_moved(self, event: MemberEvent) -> None:
        if isinstance(event, Left) and self.room is not None and event.player in self.room.table.seats:
            self._forget_offers()

    def _forget_offers(self) -> None:
        """With a turn, or without one of those who were asked, what was offered is off the table."""
        unanswered, self._unanswered = self._unanswered, {}
        for offered in unanswered.values():
            self.expired.emit(offered)
        if isinstance(self.question, Offered):
            self.question = None
