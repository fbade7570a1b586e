"""Watches one client: each message it gets is saved and true, and none is missing.

Law: `seq` grows by one, or jumps to a snapshot, and the log has a matching entry. A command that is settled
for the client is settled in the log.
"""

from __future__ import annotations

from collections.abc import Callable

from tablero.client.room_progress import RoomProgress
from tablero.client.session import Session
from tablero.client.session_events import RoomClosed, SessionEvent
from tablero_protocol.messages import (
    SERVER_MESSAGE,
    Best,
    Joined,
    LobbyChanged,
    LobbyList,
    NextPlayer,
    Ok,
    Pong,
    Refused,
    Seq,
    ServerMessage,
    Snapshot,
    Table,
    Welcome,
)
from tablero_server.core.entry import Entry
from tablero_server.core.seats.views import EVENT_OF, TOLD_TO_ALL
from trials.simulation.book import TURNS
from trials.simulation.ledger import Ledger, Wire
from trials.simulation.world import World, check

LOGGED = {
    *("playTurn", "resign", "claim", "offer", "answer", "say", "createRoom", "leave"),
    *("setOptions", "swapSeats", "begin"),
}
"""Commands that leave an entry whenever they are accepted."""


class Witness:
    def __init__(self, world: World, ledger: Ledger, session: Session) -> None:
        self._world = world
        self._ledger = ledger
        self._session = session
        self._subscribing: dict[str, set[str]] = {}
        """The events to which each unanswered command subscribes."""
        self.seeks: set[str] = set()
        """The open seeks that the server has confirmed since the last pairing."""
        self._sought: set[str] = set()
        """The seeks that ended with the last pairing."""
        self.subscribed: set[tuple[str, str]] = set()
        """The rooms and events to which the server has confirmed a subscription."""

    # Sent messages

    def sends(self, wire: Wire) -> None:
        if wire["type"] == "subscribe":
            self._subscribing.setdefault(wire["id"], {wire["event"]})
        elif "subscribe" in wire:
            # once, however often the command is sent
            self._subscribing.setdefault(wire["id"], set(wire["subscribe"]))

    def unsubscribed(self, room: str, event: str) -> None:
        self.subscribed.discard((room, event))
        for events in self._subscribing.values():
            events.discard(event)

    # Received messages

    def hear(self, message: ServerMessage, take: Callable[[], list[SessionEvent]]) -> list[SessionEvent]:
        """Passes `message` to the session, and checks the resulting events."""
        session, before = self._session, dict[str, tuple[RoomProgress, int]]()
        for room, progress in session.rooms.items():
            before[room] = progress, progress.seq
        known = session.welcome
        self._check_true(message)
        events = take()
        if isinstance(message, Welcome) and (known is None or known.session != message.session):
            self.subscribed.clear()
            for subscribing in self._subscribing.values():
                subscribing.clear()  # a repeat that is answered from the log does not subscribe a new session
        for room, (progress, seq) in before.items():
            if progress.seq != seq and session.rooms.get(room, progress) is progress:
                self._check_step(message, progress, seq)
        for event in events:
            if isinstance(event, RoomClosed):
                self.subscribed = {what for what in self.subscribed if what[0] != event.room}
        answered: str | None = getattr(message, "re", None)
        if answered in self._subscribing and not isinstance(message, Refused):
            where: str = getattr(message, "room")  # noqa: B009
            self.subscribed |= {(where, event) for event in self._subscribing.pop(answered)}
        return events

    def _check_true(self, message: ServerMessage) -> None:
        player = self._session.welcome.player.id if self._session.welcome is not None else ""
        match message:
            case NextPlayer():
                self._ledger.check_turn(message, player)
            case Snapshot():
                check(message.seq <= self._ledger.book(message.room).head, "a snapshot is durable", message)
                for turn in message.turns:
                    self._ledger.check_turn(turn, player)
            case Refused(missed=list() as missed):
                self._world.sometimes("a stale turn was refused with what was missed")
                for raw in missed:
                    self._check_true(SERVER_MESSAGE.validate_python(raw, by_alias=True, by_name=False))
            case Ok(seek=str() as seek):
                self.seeks.add(seek)
            case Joined(seek=str() as seek, table=Table() as table):
                self._ledger.entry(message.room, message.seq)
                self._check_pairing(seek, table)
            case LobbyList() | LobbyChanged():
                if isinstance(message, LobbyList) and message.more is not None:
                    self._world.sometimes("the lobby came in pages")
                for line in message.rooms:
                    self._ledger.book(line.room)
                self._ledger.rated.check_lobby(message)
            case Best():
                if message.room is not None:
                    shown = self._ledger.book(message.room).room
                    check(shown.lets_watch and not shown.private, "what all may watch is public", message)
                    self._world.sometimes("a game was worth watching")
            case Pong():
                for room, head in message.heads.items():
                    self._ledger.entry(room, head)
            case _:
                where, seq = getattr(message, "room", None), getattr(message, "seq", None)
                if where is not None and seq is not None:
                    self._ledger.entry(where, seq)

    def _check_pairing(self, seek: str, table: Table) -> None:
        """Checks that two different players were paired, and that their other seeks ended."""
        self._world.sometimes("two who sought were brought together")
        people = {player.id for player in table.seats if player is not None}
        check(len(people) == 2, "nobody is paired with themselves", table)
        check(seek not in self._sought, "nobody is paired twice", seek, table)
        self._sought |= {*self.seeks, seek}
        self.seeks.clear()

    def _check_step(self, message: ServerMessage, progress: RoomProgress, before: int) -> None:
        """Checks the step of `seq` by `message`."""
        now = progress.seq
        entry = self._ledger.entry(progress.room, now)
        check(
            progress.epoch == self._ledger.books[progress.room].room.epoch, "an epoch is its room's", progress
        )
        if isinstance(message, Snapshot):
            self._world.sometimes("a snapshot came")
            return
        if isinstance(message, Refused):
            return
        mine = None if entry.cause is None else entry.cause.id
        if isinstance(message, Joined) and message.re not in (None, mine):
            self._world.sometimes("somebody came back to a room that it had been told of")
            return  # such a message shows the present table, like a snapshot
        check(now == before + 1, "seq moves by one", progress.room, before, now, message)
        self._check_told(message, progress, entry)

    def _check_told(self, message: ServerMessage, progress: RoomProgress, entry: Entry) -> None:
        if isinstance(message, Seq | Ok):
            event = EVENT_OF[entry.kind]
            mine = entry.cause is not None and entry.cause.id == getattr(message, "re", None)
            if not mine:
                hidden = (progress.room, event) in self.subscribed or entry.kind in TOLD_TO_ALL
                if hidden and self._is_apart(entry):
                    self._world.sometimes("something was said to the other side")
                    return
                if hidden and self._is_muted(entry):
                    self._world.sometimes("somebody muted was not heard")
                    return
                check(not hidden, "no event is hidden from who subscribed to it", message, entry)
            return
        kind = "nextPlayer" if entry.kind in TURNS else entry.kind
        check(message.type == kind, "an event is what the log says", message, entry)
        check(not self._is_apart(entry), "players and watchers are apart while they play", message, entry)
        for name, value in entry.body.items():
            if name in ("text", "offer", "what", "yes", "reason", "options", "code") and kind != "nextPlayer":
                check(getattr(message, name) == value, "an event is what the log says", message, entry)
        if isinstance(message, Joined):
            shown = entry.body["player"]["id"]
            check(message.player.id == shown, "an event is what the log says", message, entry)

    def _is_apart(self, entry: Entry) -> bool:
        """Whether this was said during a game, by a player to players or by a watcher to watchers."""
        assert self._session.welcome is not None
        book = self._ledger.books[entry.room]
        play, seats = book.plays[entry.seq], book.seats[entry.seq]
        if entry.kind != "said" or play is None or play.position.outcome is not None:
            return False
        return (self._session.welcome.player.id in seats) != (entry.body["player"]["id"] in seats)

    def _is_muted(self, entry: Entry) -> bool:
        """Whether this player had muted the author then, or has muted the author since."""
        assert self._session.welcome is not None
        if entry.kind != "said":
            return False
        author, said = entry.body["player"]["id"], self._ledger.books[entry.room].written[entry.seq]
        return self._ledger.mutes.hidden(self._session.welcome.player.id, author, said)

    # Answers

    def settled(self, wire: Wire, answer: ServerMessage) -> None:
        """Checks a final answer: an accepted command is in a log once, a refused one is in no log."""
        assert self._session.welcome is not None
        key = (self._session.welcome.player.id, wire["id"])
        entry = self._ledger.caused.get(key)
        if isinstance(answer, Refused):
            self._world.sometimes(f"refused: {answer.code}")
            gone = entry is not None and self._ledger.books[entry.room].closed
            if entry is not None and wire["type"] in ("join", "createRoom") and answer.code == "idReused":
                gone = self._has_left(key[0], entry.room)
            check(entry is None or gone, "what is refused has not happened", wire, answer, entry)
        elif wire["type"] in LOGGED:
            check(
                entry is not None or self._had_left(key[0], wire),
                "what is acknowledged is durable",
                wire,
                answer,
            )

    def _had_left(self, player: str, wire: Wire) -> bool:
        """Whether a player leaves a room again, so that the command had no effect.

        The same is true for a player whom the server had deleted, and who returned as another player.
        """
        if wire["type"] != "leave":
            return False
        self._world.sometimes("a leave came too late")
        return self._has_left(player, wire["room"]) or not self._was_in(player, wire["room"])

    def _was_in(self, player: str, room: str) -> bool:
        log = self._ledger.books[room].log
        return any(entry.kind == "joined" and entry.body["player"]["id"] == player for entry in log)

    def _has_left(self, player: str, room: str) -> bool:
        log = self._ledger.books[room].log  # the player may be back since, in another session
        return any(entry.kind == "left" and entry.body["player"]["id"] == player for entry in log)
