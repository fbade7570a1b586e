"""Messages to each session of a room's members.

Law: only this module turns entries into messages, and only `Play.shown_to` decides what a seat may see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tablero_games.record.commitment import commitment, opening
from tablero_protocol.messages import EventName
from tablero_protocol.state_hash import EVERY, state_hash

from ..effects import Effects
from ..entry import Entry, Kind
from ..people.session import Session
from ..refusal import Message
from ..room.clock import Clock
from ..room.replay import replay
from ..room.room import Room

RESEATS: frozenset[Kind] = frozenset({"freed", "swapped", "began"})
"""The kinds of entries after which viewers may hold other seats."""
EVENT_OF: dict[Kind, EventName | None] = {
    "created": None,
    "joined": "members",
    "left": "members",
    "preparing": None,
    "unprepared": None,
    "optionsSet": None,
    "freed": None,
    "swapped": None,
    "began": None,
    "started": "nextPlayer",
    "turn": "nextPlayer",
    "withdrew": "nextPlayer",
    "tookBack": "nextPlayer",
    "drawn": "nextPlayer",
    "aborted": "nextPlayer",
    "paused": "nextPlayer",
    "continued": "nextPlayer",
    "addedTime": "nextPlayer",
    "said": "chat",
    "offered": "offers",
    "answered": "offers",
    "rematch": None,
    "revived": "nextPlayer",
    "restored": None,
    "closed": None,
}
"""The subscription that a viewer needs to be sent each kind of entry."""
TOLD_TO_ALL: frozenset[Kind] = frozenset(
    {"rematch", "preparing", "unprepared", "optionsSet", "freed", "swapped", "began"}
)
"""The kinds of entries that every member is sent."""


@dataclass(slots=True, eq=False)
class Viewer:
    """One session in one room: its seats, and the events it subscribed to."""

    session: Session
    since: int
    """The number of the room's last entry when the viewer came."""
    seats: set[int] = field(default_factory=set)
    events: set[str] = field(default_factory=set)
    legal_moves: bool = False

    @property
    def player(self) -> str:
        return self.session.account.id


class Views:
    """The viewers of one room. They are not part of its log: sessions come and go, members stay."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.viewers: dict[str, Viewer] = {}
        self.away: dict[str, int] = {}
        """The members that the others wait for, each with the end of the wait; see `absences`."""
        self.was_away: Counter[str] = Counter()
        """The milliseconds that each player was away earlier in the running game."""
        self.rated: Message | None = None
        """The message about ratings that the end of the game changed."""
        self._shown: Message = {}
        self._shown_seq = -1
        self._shared_entry: Entry | None = None
        self._shared_messages: dict[bool, Message] = {}

    def holder(self, seat: int) -> Viewer | None:
        return next((viewer for viewer in self.viewers.values() if seat in viewer.seats), None)

    def line_of(self, seat: int) -> int:
        """The round-trip time to the session that plays this seat; 0 without one."""
        holder = self.holder(seat)
        return 0 if holder is None else holder.session.line_ms

    def free(self, seat: int) -> None:
        """Takes a seat from its session, until another session gets the seat."""
        if (holder := self.holder(seat)) is not None:
            holder.seats.discard(seat)

    def reseat(self, entry: Entry) -> None:
        """Moves viewers to the new seats of their players after the owner changed the seating."""
        if entry.kind == "freed" and entry.seat is not None:
            self.free(entry.seat)
        elif entry.kind == "swapped":
            one, other = entry.body["seats"]
            for viewer in self.viewers.values():
                viewer.seats = {{one: other, other: one}.get(seat, seat) for seat in viewer.seats}
        elif entry.kind == "began":
            for viewer in self.viewers.values():
                viewer.seats = {entry.body["seats"].index(seat) for seat in viewer.seats}

    def messages_for(self, entry: Entry, viewer: Viewer, re: str | None) -> list[Message]:
        """The messages of `entry` for one viewer, with `re` for its author.

        The room must be in the state right after the entry.
        """
        _, _, kind, _, _, seat, _, _ = entry
        event = EVENT_OF[kind]
        if event == "nextPlayer" and event in viewer.events:
            return self.next_player(viewer, re, seat)
        if entry.kind == "joined" and re is not None:
            return [self.joined(viewer, entry.seq, entry.seat, re)]
        # the player leaves with all sessions
        goes = entry.kind == "left" and entry.body["player"]["id"] == viewer.player
        hears = event in viewer.events and not (event == "chat" and self._is_unheard(entry, viewer))
        if entry.kind in TOLD_TO_ALL or hears or goes:
            return [self._fact(entry, re)] if re is not None else [self._shared(entry, bare=False)]
        if re is not None:
            return [{"type": "ok", "re": re, "room": self.room.id, "seq": entry.seq}]
        return [self._shared(entry, bare=True)]

    def next_player(self, viewer: Viewer, re: str | None = None, by: int | None = None) -> list[Message]:
        """The current position, once for each seat of the viewer. The answer `re` is on the message of the
        seat that moved.
        """
        room, seats = self.room, viewer.seats
        if room.play is None:
            return []
        if not seats:
            return [self._shown_to(None) if re is None else {**self._shown_to(None), "re": re}]
        answered = -1 if re is None else by if by in seats else min(seats)
        messages = []
        for seat in sorted(seats) if len(seats) > 1 else seats:
            message = {**self._shown_to(seat), "seat": seat}
            if viewer.legal_moves and seat in message["seats"]:
                message["legalMoves"] = list(room.play.position.legal_moves(seat))
            if seat == answered:
                message["re"] = re
            messages.append(message)
        return messages

    def needs_past(self, entry: Entry, viewer: Viewer, re: str | None = None) -> bool:
        """Whether a message about `entry` must show the room as it was before later entries."""
        if EVENT_OF[entry.kind] == "nextPlayer":
            return "nextPlayer" in viewer.events and entry.seq != self.room.turn_seq
        return entry.kind == "joined" and re is not None and entry.seq != self.room.head

    def told(self, entries: Iterable[Entry], viewer: Viewer) -> list[Message]:
        """The messages about each of `entries` for a viewer, oldest first."""
        messages: list[Message] = []
        replayed: Iterator[tuple[Entry, Room]] | None = None
        for entry in entries:
            then = self
            if self.needs_past(entry, viewer):
                replayed = replayed or replay(self.room, entry.seq)
                then = next(Views(was) for each, was in replayed if each is entry)
            messages += then.messages_for(entry, viewer, None)
        return messages

    def answer(self, entry: Entry, viewer: Viewer, re: str) -> Message:
        """The answer to the author of `entry`, also to a repeated command."""
        then = self
        if self.needs_past(entry, viewer, re):
            _, was = next(replay(self.room, entry.seq))
            then = Views(was)
        return next(each for each in then.messages_for(entry, viewer, re) if each.get("re") == re)

    def snapshot(self, viewer: Viewer, re: str | None) -> Message:
        message: Message = {
            "type": "snapshot",
            "room": self.room.id,
            "epoch": self.room.epoch,
            "seq": self.room.head,
            "table": self.table(),
            "turns": self.next_player(viewer),
        }
        return message if re is None else {**message, "re": re}

    def joined(self, viewer: Viewer, seq: int, seat: int | None, re: str | None) -> Message:
        """The message `joined` for its author: with the table and its join code."""
        room = self.room
        message: Message = {
            "type": "joined",
            "room": room.id,
            "seq": seq,
            "player": room.members[viewer.player],
            "table": self.table(),
        }
        if seat is not None:
            message["seat"] = seat
        if room.code is not None:
            message["code"] = room.code
        if re is not None:
            message["re"] = re
        return message

    def table(self) -> Message:
        room = self.room
        table: Message = {
            "room": room.id,
            "epoch": room.epoch,
            "game": room.game.name,
            "version": room.game.version,
            "options": room.options_json,
            "state": room.state.value,
            "private": room.private,
            "watchers": room.lets_watch,
            "seats": list(room.seated),
            "members": [self._member(player, shown) for player, shown in room.members.items()],
        }
        rare: Message = {"clock": room.clock_terms, "code": room.code, "next": room.next}
        rare |= {"owner": room.owner, "starts": room.starts, "won": room.won}
        for key, value in rare.items():
            if value is not None:
                table[key] = value
        if room.rated:
            table["rated"] = True
        if self.rated is not None:
            table["ratings"] = self.rated["ratings"]
        return table

    def tell(self, event: EventName, message: Message, effects: Effects) -> None:
        """Sends the subscribers of `event` a message that has no entry."""
        for viewer in self.viewers.values():
            if event in viewer.events:
                effects.send(viewer.session.peer, message)

    def tell_players(self, notice: Message, effects: Effects) -> None:
        """Sends an announcement to the viewers who have a seat here."""
        for viewer in self.viewers.values():
            if viewer.seats:
                effects.send(viewer.session.peer, {"type": "announcement", **notice})

    def _is_unheard(self, said: Entry, viewer: Viewer) -> bool:
        return said.body["player"]["id"] in viewer.session.account.muted or self._is_apart(said, viewer)

    def _is_apart(self, said: Entry, viewer: Viewer) -> bool:
        """Whether a chat message was among players and the viewer watches, or the other way round.

        Older logs do not have `seats`; their messages were sent to everybody.
        """
        room, seats = self.room, said.body.get("seats")
        if seats is None or not room.was_playing(said.seq):
            return False
        return bool(seats) != (viewer.player in room.seats)

    def _member(self, player: str, shown: Message) -> Message:
        member: Message = {"player": shown, "seats": self.room.seats_of(player)}
        return member if player not in self.away else {**member, "away": self.away[player]}

    def _shared(self, entry: Entry, *, bare: bool) -> Message:
        """The message of an entry, or only its number if `bare`. Viewers share the object, so that it is
        encoded once.
        """
        if self._shared_entry is not entry:
            self._shared_entry, self._shared_messages = entry, {}
        message = self._shared_messages.get(bare)
        if message is None:
            number = {"type": "seq", "room": self.room.id, "seq": entry.seq}
            message = self._shared_messages[bare] = number if bare else self._fact(entry, None)
        return message

    def _fact(self, entry: Entry, re: str | None) -> Message:
        """The message for an entry, with its body except the prepared game."""
        message: Message = {"type": entry.kind, "room": entry.room, "seq": entry.seq, **entry.body}
        message.pop("prepared", None)
        if entry.seat is not None:
            message["seat"] = entry.seat
        if re is not None:
            message["re"] = re
        return message

    def _shown_to(self, seat: int | None) -> Message:
        """The part of `nextPlayer` for this seat that does not depend on the viewer. All seats share it if
        all see the same.
        """
        room = self.room
        play = room.play
        assert play is not None
        _, counts, is_same_for_all, position, _, _, ply, _, _, _ = play
        if self._shown_seq == room.turn_seq:
            if is_same_for_all:
                return self._shown
        else:
            shared: Message = {"type": "nextPlayer", "room": room.id, "seq": room.turn_seq}
            if is_same_for_all:
                shared |= play.shown_to(None)
            if room.clock is not None:
                shared |= self._clocks_now(room.clock)
            if room.began is not None and (counts != "all" or len(room.seats) == 1):
                shared["began"] = room.began
                if room.milliseconds is not None:
                    shared["milliseconds"] = room.milliseconds
            if room.game.hidden and room.turn_seq == room.start_seq:
                shared["commitment"] = commitment(room.seed, room.options)
            if room.game.hidden and position.outcome is not None:
                shared["opening"] = opening(room.seed)
            self._shown, self._shown_seq = shared, room.turn_seq
        shown = self._shown if is_same_for_all else {**self._shown, **play.shown_to(seat)}
        if room.game.needs_drawing and "drawing" not in shown:
            shown["drawing"] = room.game.draw(shown["view"], "ascii")
        # the hash lets a client check its state
        if ply and not ply % EVERY and "hash" not in shown:
            shown["hash"] = state_hash(shown["seats"], shown["view"])
        return shown

    def _clocks_now(self, clock: Clock) -> Message:
        clocks: Message = {"clocks": list(clock.remaining), "at": clock.since}
        if self.room.paused_until is not None:
            clocks["paused"] = self.room.paused_until
        if clock.lag:
            clocks["lag"] = clock.lag
        if (first_move := clock.first_move()) is not None:
            clocks["firstMove"] = first_move
        return clocks
