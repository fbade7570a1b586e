"""The client's state in one room: events heard, new and missing ones, and subscriptions.

Law: `seq` never skips. An event beyond the next number is not applied: it makes the room `behind`, and a
resume brings everything from `seq` on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from tablero_games import Seat
from tablero_protocol.messages import (
    Answered,
    Away,
    Back,
    Began,
    EventName,
    Freed,
    Joined,
    Left,
    Member,
    NextPlayer,
    Offered,
    OptionsSet,
    Player,
    Preparing,
    Rated,
    Rematch,
    Said,
    Seq,
    Snapshot,
    Swapped,
    Table,
    Unprepared,
)

from .commands import PendingCommands

Setup = Preparing | Unprepared | OptionsSet | Freed | Swapped | Began
"""Events of a table before its game begins."""
Presence = Away | Back
"""Messages about a member's connection. They are not in the log, so they have no seq."""
MemberEvent = Joined | Left | Presence | Rated
RoomMessage = NextPlayer | Joined | Left | Said | Offered | Answered | Rematch | Seq | Setup
"""Messages that have a place in the order of a room."""


@dataclass(eq=False)
class RoomProgress:
    """One room, as far as this client has heard of it."""

    room: str
    epoch: str
    seq: int
    table: Table
    player: str
    """The id of this client's player."""
    code: str | None = None
    session: str = ""
    """Our newest session that the server knows in this room. Any other session has to join."""
    table_seq: int = 0
    """The newest `seq` that is included in `table`."""
    here_since: int = 0
    """The newest `seq` when we came back. A resume repeats events up to it."""
    wanted: set[EventName] = field(default_factory=set)
    """The events with a subscriber."""
    sent: set[EventName] = field(default_factory=set)
    """The events that the server confirmed to send, with or without subscribers."""
    latest: dict[Seat | None, NextPlayer] = field(default_factory=dict)
    """The newest turn of each of this client's seats. While the client watches, the key is None."""
    behind: bool = False
    """Whether events were missed and asked for."""
    seats: list[Seat] = field(init=False)
    """The seats that this client's player holds."""
    _told: dict[Seat | None, int] = field(default_factory=dict)
    """The seq of the last turn that was told, by seat."""

    def __post_init__(self) -> None:
        self.take(self.table)

    def take(self, table: Table) -> None:
        """Replace the table, and with it the seats."""
        self.table = table
        self.seats = [seat for seat, holder in enumerate(table.seats) if holder and holder.id == self.player]

    def hear_event(self, message: RoomMessage) -> bool:
        """Note an event of the room, and return whether it is news. A gap makes the room `behind`."""
        new = message.seq == self.seq + 1
        if new:
            self.seq = message.seq
        elif message.seq > self.seq:
            self.behind = True
        if isinstance(message, NextPlayer):
            return message.seq <= self.seq and self.hear_turn(message)
        if new and message.seq > self.table_seq:  # otherwise the table already includes the event
            if isinstance(message, Joined | Left):
                self._someone_moved(message)
            elif isinstance(message, Setup):
                self._set_up(message)
        return new and not isinstance(message, Seq)

    def hear_turn(self, turn: NextPlayer) -> bool:
        """Note a turn, and return whether to tell it. Each seat gets its own turn, all with the same seq."""
        known = self.latest.get(turn.seat)
        if known is None or turn.seq >= known.seq:
            self.latest[turn.seat] = turn
            state = "playing" if turn.outcome is None else "finished"
            self.table = self.table.model_copy(update={"state": state, "starts": None})
        if "nextPlayer" not in self.wanted or turn.seq <= self._told.get(turn.seat, -1):
            return False
        self._told[turn.seat] = turn.seq
        return True

    def current_turns(self) -> list[NextPlayer]:
        """The newest turns for a new subscriber, if the server sends turns here."""
        turns = [
            turn for seat, turn in self.latest.items() if "nextPlayer" in self.sent or seat in self._told
        ]
        self._told |= {turn.seat: turn.seq for turn in turns}
        return turns

    def hear_snapshot(self, snapshot: Snapshot) -> list[NextPlayer]:
        """Continue from `snapshot`, and return its turns that are news."""
        self.go_on_from(snapshot.epoch, snapshot.seq, snapshot.table)
        return [turn for turn in snapshot.turns if self.hear_turn(turn)]

    def go_on_from(self, epoch: str, seq: int, table: Table) -> None:
        """Continue from this point and forget older events. For another log, or one that was cut, also forget
        the told turns.
        """
        if epoch != self.epoch or seq < self.seq:
            self._told.clear()
            self.latest.clear()
        self.take(table)
        self.epoch, self.seq, self.table_seq = epoch, seq, seq
        self.behind = False

    def unwant(self, event: EventName) -> None:
        """Stop listening. The next subscriber hears the current turn again."""
        self.wanted.discard(event)
        self.sent.discard(event)
        if event == "nextPlayer":
            self._told.clear()

    def hear_absent(self, away: Mapping[str, int]) -> list[Presence]:
        """Note which members are away and until when. Return the changes."""
        news: list[Presence] = []
        for member in self.table.members:
            until, room = away.get(member.player.id), self.room
            if until is None and member.away is not None:
                news.append(Back(room=room, player=member.player))
            elif until is not None and until != member.away:
                news.append(Away(room=room, player=member.player, seats=member.seats, until=until))
        for message in news:
            self.hear_presence(message)
        return news

    def hear_presence(self, message: Presence) -> None:
        until = message.until if isinstance(message, Away) else None
        members = [
            member.model_copy(update={"away": until}) if member.player.id == message.player.id else member
            for member in self.table.members
        ]
        self.table = self.table.model_copy(update={"members": members})

    def hear_ratings(self, message: Rated) -> bool:
        """Note changed ratings, and return whether they are news: a resume repeats them."""
        is_news = message.ratings != self.table.ratings
        self.table = self.table.model_copy(update={"ratings": message.ratings})
        return is_news

    def _set_up(self, message: Setup) -> None:
        prepares = isinstance(message, Preparing)
        changed: dict[str, Any] = {"state": "preparing" if prepares else "waiting", "starts": None}
        seats = list(self.table.seats)
        match message:
            case Preparing(starts=starts):
                changed["starts"] = starts
            case OptionsSet():
                named = {"options": message.options, "clock": message.clock, "watchers": message.watchers}
                changed |= named
            case Freed():
                seats[message.seat] = None
            case Swapped(seats=[one, other]):
                seats[one], seats[other] = seats[other], seats[one]
                changed |= {"state": self.table.state, "starts": self.table.starts}
            case Began():
                seats = [seats[kept] for kept in message.seats]
        changed |= {"seats": seats, "members": [_at(seats, member) for member in self.table.members]}
        self.take(self.table.model_copy(update=changed))

    def _someone_moved(self, message: Joined | Left) -> None:
        player, seats = message.player, list(self.table.seats)
        members = [member for member in self.table.members if member.player.id != player.id]
        if isinstance(message, Joined):
            if message.seat is not None:
                seats[message.seat] = player
            members.append(_at(seats, Member(player=player, seats=[])))
        elif self.table.state in ("waiting", "preparing"):
            seats = [None if holder and holder.id == player.id else holder for holder in seats]
        state = "waiting" if self.table.state == "preparing" and None in seats else self.table.state
        owner = (message.owner if isinstance(message, Left) else None) or self.table.owner
        starts = self.table.starts if state == "preparing" else None
        changed = {"seats": seats, "members": members, "state": state, "owner": owner, "starts": starts}
        self.take(self.table.model_copy(update=changed))


def _at(seats: list[Player | None], member: Member) -> Member:
    """The member with its current seats."""
    held = [seat for seat, holder in enumerate(seats) if holder and holder.id == member.player.id]
    return member.model_copy(update={"seats": held})


class Subscriptions:
    """The subscriptions of rooms: the events wanted, and those that the server has confirmed.

    For each room and event, only the newest command is sent again. If the server may have forgotten us, all
    wanted events are asked for anew.
    """

    def __init__(self, commands: PendingCommands) -> None:
        self._commands = commands

    def want(self, progress: RoomProgress, event: EventName, now: float) -> None:
        """Subscribe to `event`."""
        progress.wanted.add(event)
        if event not in progress.sent:
            self._ask(progress, event, now)

    def unwant(self, progress: RoomProgress, event: EventName, now: float) -> None:
        """Unsubscribe from `event`."""
        progress.unwant(event)
        self._commands.supersede(progress.room, event)
        self._commands.give("unsubscribe", {"room": progress.room, "event": event}, now, own=True)

    def resumed(self, progress: RoomProgress, now: float) -> None:
        """Subscribe to all wanted events again after a resume, because commands on the old
        connection are lost.
        """
        for event in sorted(progress.wanted):
            self._ask(progress, event, now)

    def opened(self, progress: RoomProgress, named: Collection[EventName]) -> None:
        """Note the events that the join named, except those that older commands may unsubscribe."""
        progress.sent |= set(named) - self._commands.forget_events(progress.room)

    def joined(self, progress: RoomProgress, named: Collection[EventName]) -> None:
        """Note the join: the server sends the events it named, unless they are no longer wanted."""
        progress.sent |= progress.wanted & set(named)

    def joined_again(self, progress: RoomProgress, named: Collection[EventName], now: float) -> None:
        """Subscribe again after a join to a room that we were in: the server may have forgotten this session.

        If another session of ours left the room, all our sessions left.
        """
        progress.sent.intersection_update(named)
        self.joined(progress, named)
        for event in sorted(progress.wanted.difference(named)):
            self._ask(progress, event, now)

    def _ask(self, progress: RoomProgress, event: EventName, now: float) -> None:
        self._commands.supersede(progress.room, event)
        self._commands.give("subscribe", {"room": progress.room, "event": event}, now, own=True)
