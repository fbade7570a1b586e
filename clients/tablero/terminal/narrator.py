"""Tells what happens, one line for each event, and remembers what was last asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablero.client.client import Client
from tablero.client.room import Room
from tablero.event import Event
from tablero_games.position import Style
from tablero_protocol import messages
from tablero_protocol.messages import Answered, Invited, Joined, Left, NextPlayer, Offered, Said
from tablero_protocol.text import clean

from . import sentences

Print = Callable[[str], None]

_GONE_FROM = {
    "left": "You left table {}.",
    "gone": "You were away for too long: you are no longer at table {}.",
}

LONG_WAIT = 2.0
"""Seconds to the next attempt from which on it is worth saying that there is still no connection."""


@dataclass(frozen=True)
class Display:
    """How a terminal client shows and takes things."""

    boards: bool = True
    """Draw the board after every turn."""
    style: Style = "unicode"
    moves_wait: bool = False
    """A move typed ahead waits for its turn, as in a pipe; else the server judges it at once."""
    quiet: bool = False
    """Say nothing of events, because somebody reads the messages themselves."""


class Narrator:
    """What a player hears. `say` prints events, `note` what concerns this program."""

    def __init__(self, client: Client, say: Print, note: Print, display: Display) -> None:
        self.display = display
        self.note = note
        self.room: Room | None = None
        """The table in hand."""
        self.question: Invited | Offered | Callable[[], None] | None = None
        """What yes or no would answer; something of this program's own is called by a yes."""
        self.changed: Event[Room | None] = Event()
        """Something is different at the table in hand, or it is another."""
        self._client = client
        self._print = say
        self._shown: NextPlayer | None = None
        """The newest turn that was told of the table in hand."""
        self._returned = False
        """We were away a moment ago: a turn that we know may come once more."""
        self._apart = 0
        """How much was said of there being no connection: nothing, that it broke, that it stays away."""
        client.connected.subscribe(self._connected)
        client.disconnected.subscribe(self._disconnected)
        client.invited.subscribe(self._invited)
        client.declined.subscribe(self._declined)
        client.room_opened.subscribe(self.go_to)

    def say(self, line: str) -> None:
        if not self.display.quiet:
            self._print(line)

    # The line, and invitations

    def _connected(self, _: object) -> None:
        self._apart = 0
        self._returned = True
        self.note("Connected again.")

    def _disconnected(self, wait: float | None) -> None:
        if wait is None:
            if self._client.ended is not None:
                self.note(clean(self._client.ended.sentence))
        elif self._apart == 0:
            self._apart = 1
            self.note("Connection lost; coming back by itself.")
        elif self._apart == 1 and wait >= LONG_WAIT:
            self._apart = 2
            self.note("Still no connection; trying again every few seconds.")

    def _invited(self, invited: Invited) -> None:
        self.question = invited
        who, game = sentences.named(invited.by), clean(invited.game)
        here = self.may_go or (self.room is not None and self.room.id == invited.room)
        how = "Type yes or no." if here else "Type no; or leave this table, and then type yes."
        self.say(f"{who} invites you to {game}, seat {invited.seat}. {how}")

    def _declined(self, declined: messages.Declined) -> None:
        why = {"declined": "says no", "expired": "did not come", "gone": "is gone"}[declined.reason]
        self.say(f"{sentences.named(declined.player)} {why}; seat {declined.seat} is free.")

    # Coming to a table, and leaving it

    @property
    def may_go(self) -> bool:
        """Whether nothing of ours is under way at the table in hand, so that it can be left for another."""
        return self.room is None or self.room.table.state == "finished" or not self.room.seats

    def go_to(self, room: Room) -> None:
        """Takes this table in hand. Only now that we are there is the one before left."""
        before = self.room
        if room is before:
            return
        if before is not None and room.previous is before:
            self.say("The rematch begins; the seats have changed.")
        elif not self.may_go:
            self.say(f"You are also at table {clean(room.id)}; you go there when you leave this one.")
            return
        self._enter(room)
        if before is not None:
            self._client.command("leave", lambda _: None, room=before.id)

    def _enter(self, room: Room) -> None:
        self._take_in_hand(room)
        self.say(sentences.arrival(room))
        room.closed.subscribe(lambda why: self._room_closed(room, why))
        room.members.subscribe(self._somebody_moved)
        room.chat.subscribe(self._said)
        room.offers.subscribe(self._offered)
        room.next_player.subscribe(self._next_player)
        self.changed.emit(room)

    def _take_in_hand(self, room: Room | None) -> None:
        """Of what was asked, only an invitation is still good elsewhere."""
        self.room, self._shown = room, None
        if not isinstance(self.question, Invited) or (room is not None and room.id == self.question.room):
            self.question = None

    def _room_closed(self, room: Room, why: str) -> None:
        if room is self.room and self._client.ended is None:
            self._take_in_hand(None)
            table = clean(room.id)
            self.say(_GONE_FROM.get(why, "You are no longer at table {}: {}").format(table, clean(why)))
            if other := next(iter(self._client.rooms.values()), None):
                self._enter(other)
            self.changed.emit(self.room)

    # At the table

    def _next_player(self, event: NextPlayer) -> None:
        room, shown = self.room, self._shown
        if room is None or event.room != room.id or (shown is not None and event.seq <= shown.seq):
            return  # one comes for each seat held: the first says it all
        self._shown = event
        self._forget_offer()
        if self.display.boards:
            self.say(sentences.board(room, event, self.display.style))
        known = self._returned and shown is not None and (event.ply, event.last) == (shown.ply, shown.last)
        self._returned = False
        self.say(sentences.turn_line(room, event, known=known and event.outcome is None))
        self.changed.emit(room)

    def _forget_offer(self) -> None:
        """With a turn, or without one of those who were asked, what was offered is off the table."""
        if isinstance(self.question, Offered):
            self.question = None

    def _somebody_moved(self, event: Joined | Left) -> None:
        room = self.room
        if room is None or event.room != room.id:
            return
        if isinstance(event, Left) and event.player in room.table.seats:
            self._forget_offer()
        if event.player.id != self._client.player.id:
            self.say(sentences.member_line(event))
        elif isinstance(event, Joined) and event.seat is not None:
            self.say(f"You sit down on seat {event.seat}.")

    def _said(self, event: Said) -> None:
        if self._is_here(event.room):
            self.say(f"{sentences.named(event.player)}: {clean(event.text)}")

    def _is_here(self, room: str) -> bool:
        """Whether this is the table in hand; the one before a rematch is still heard for a moment."""
        return self.room is not None and self.room.id == room

    def _offered(self, event: Offered | Answered) -> None:
        room = self.room
        if room is not None and event.room == room.id:
            self.say(sentences.offer_line(room, event))
            if isinstance(event, Offered) and room.seats and event.seat not in room.seats:
                self.question = event
