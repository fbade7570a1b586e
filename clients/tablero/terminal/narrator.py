"""Tells what happens, one line for each event, and remembers what was last asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tablero.client import Client
from tablero.event import Event
from tablero.room import Room
from tablero_games.position import Style
from tablero_protocol import messages
from tablero_protocol.messages import Answered, Invited, Joined, Left, NextPlayer, Offered, Said
from tablero_protocol.text import clean

from . import sentences

Print = Callable[[str], None]


@dataclass(frozen=True)
class Manner:
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

    def __init__(self, client: Client, say: Print, note: Print, manner: Manner) -> None:
        self.manner = manner
        self.note = note
        self.room: Room | None = None
        """The table in hand."""
        self.question: Invited | Offered | None = None
        """What yes or no would answer."""
        self.changed: Event[Room | None] = Event()
        """Something is different at the table in hand, or it is another."""
        self._client = client
        self._print = say
        self._shown_seq = -1
        self._apart = False
        """There is no connection, and that was said."""
        client.connected.subscribe(self._connected)
        client.disconnected.subscribe(self._disconnected)
        client.invited.subscribe(self._invited)
        client.declined.subscribe(self._declined)
        client.room_opened.subscribe(self._room_opened)

    def say(self, line: str) -> None:
        if not self.manner.quiet:
            self._print(line)

    # The line, and invitations

    def _connected(self, _: object) -> None:
        self._apart = False
        self.note("Connected again.")

    def _disconnected(self, wait: float | None) -> None:
        if wait is not None:
            what = "Still no connection" if self._apart else "Connection lost"
            self.note(f"{what}; trying again in {wait:.1f} s.")
            self._apart = True
        elif self._client.ended is not None:
            self.note(clean(self._client.ended.sentence))

    def _invited(self, invited: Invited) -> None:
        self.question = invited
        who, game = sentences.named(invited.by), clean(invited.game)
        self.say(f"{who} invites you to {game}, seat {invited.seat}. Type yes or no.")

    def _declined(self, declined: messages.Declined) -> None:
        why = {"declined": "says no", "expired": "did not come", "gone": "is gone"}[declined.reason]
        self.say(f"{sentences.named(declined.player)} {why}; seat {declined.seat} is free.")

    # Coming to a table, and leaving it

    def _room_opened(self, room: Room) -> None:
        if room.previous is not None and room.previous is self.room:
            self._client.command("leave", lambda _: None, room=room.previous.id)
            self.say("The rematch begins; the seats have changed.")
        elif self.room is not None and self.room.table.state != "finished":
            self.say(f"You are also at table {clean(room.id)}; leave this one to go there.")
            return
        self._enter(room)

    def _enter(self, room: Room) -> None:
        self.room, self.question, self._shown_seq = room, None, -1
        self.say(sentences.arrival(room))
        room.closed.subscribe(lambda why: self._room_closed(room, why))
        room.members.subscribe(self._somebody_moved)
        room.chat.subscribe(self._said)
        room.offers.subscribe(self._offered)
        room.next_player.subscribe(self._next_player)
        self.changed.emit(room)

    def _room_closed(self, room: Room, why: str) -> None:
        if room is self.room:
            self.room = self.question = None
            told = "" if why == "left" else f" ({clean(why)})"
            self.say(f"You left table {clean(room.id)}{told}.")
            if other := next(iter(self._client.rooms.values()), None):
                self._enter(other)
            self.changed.emit(self.room)

    # At the table

    def _next_player(self, event: NextPlayer) -> None:
        room = self.room
        if room is None or event.room != room.id or event.seq <= self._shown_seq:
            return  # one comes for each seat held: the first says it all
        self._shown_seq = event.seq
        if self.manner.boards:
            self.say(sentences.board(room, event, self.manner.style))
        self.say(sentences.turn_line(room, event))
        self.changed.emit(room)

    def _somebody_moved(self, event: Joined | Left) -> None:
        if self._is_here(event.room) and event.player.id != self._client.player.id:
            self.say(sentences.member_line(event))

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
