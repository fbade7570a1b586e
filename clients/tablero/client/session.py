"""One player's side of the protocol: what to send and when, and which received messages are news.

Law: these are plain functions of events and times. Sockets, tasks, clocks and randomness are passed in. After
any call with `now`, send what `outgoing(now)` returns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from math import inf
from random import Random

from pydantic import ValidationError

from tablero_protocol.codes import Code, may_return, why_closed
from tablero_protocol.messages import (
    SERVER_MESSAGE,
    Away,
    Back,
    Bye,
    EventName,
    Joined,
    Left,
    LobbyChanged,
    NextPlayer,
    Ok,
    Pong,
    Rated,
    Refused,
    Rematch,
    Seq,
    ServerMessage,
    Snapshot,
    Table,
    Welcome,
)
from tablero_protocol.state_hash import state_hash

from .commands import ONLY_ANSWERS, PendingCommands, Wire
from .greeting import Greeting
from .heartbeat import Heartbeat
from .lobby_reading import LobbyReading
from .room_progress import RoomMessage, RoomProgress, Subscriptions
from .session_events import (
    CaughtUp,
    Received,
    RoomClosed,
    RoomOpened,
    SessionEnded,
    SessionEvent,
    Settled,
    Welcomed,
)

PATIENCE = 5.0
"""Seconds without an answer to a ping or a hello after which the connection counts as dead."""


class LineState(Enum):
    APART = "apart"
    GREETING = "greeting"
    OPEN = "open"
    ENDED = "ended"


class Session:
    """The session of one player. Each connection starts with a `hello`; token and session id are stored for
    returning.
    """

    def __init__(self, random: Random, greeting: Greeting, token: str | None = None) -> None:
        self.state = LineState.APART
        self.token = token
        self.rooms: dict[str, RoomProgress] = {}
        self.welcome: Welcome | None = None
        self._greeting = greeting
        self._commands = PendingCommands(random)
        self._subscriptions = Subscriptions(self._commands)
        self._heartbeat = Heartbeat(random)
        self._dead_at = inf
        """The time at which the connection counts as dead, unless a message comes before."""
        self._said: dict[int, Bye] = {}  # the newest bye with a close code
        self._urgent: list[Wire] = []
        """Pings and greetings, which never wait behind commands."""
        self._lobby = LobbyReading(self._commands)
        self._rematch_of: dict[str, str] = {}
        self._sought: dict[str, set[EventName]] = {}
        """The seeks of this session, and the events to subscribe to at the table of each."""
        self._returns: dict[str, str] = {}
        """The room of each pending resume or rejoin, by command id."""
        self._events: list[SessionEvent] = []

    # Called by the shell

    def connected(self, now: float) -> None:
        self.state = LineState.GREETING
        self._greet(now)

    def receive(self, message: ServerMessage, now: float) -> list[SessionEvent]:
        """Handle one message. Return the events for the application, in order."""
        self._events = []
        if self.state is LineState.GREETING:
            self._greeted(message, now)
        elif self.state is LineState.OPEN:
            self._dead_at = inf
            self._heard(message, now)
        return self._events

    def disconnected(self, close_code: int | None, now: float) -> tuple[float | None, list[SessionEvent]]:
        """Handle a lost connection. Return the seconds until the next attempt (None for no attempt)
        and the events.
        """
        self._events = []
        self._dead_at = inf
        plays = any(room.seats and room.table.state == "playing" for room in self.rooms.values())
        wait = self._heartbeat.lost(now, in_a_game=plays)
        self._urgent.clear()
        self._returns.clear()
        self._lobby.disconnected()
        self._commands.forget_own()
        if self.state is not LineState.ENDED and close_code is not None and not may_return(close_code):
            bye = self._said.get(close_code) or Bye(code=close_code, message=why_closed(close_code))
            self._end(f"closed{close_code}", bye.message, bye.reason or "", bye.fields)
        if self.state is LineState.ENDED:
            return None, self._events
        self.state = LineState.APART
        return wait, self._events

    def outgoing(self, now: float) -> list[Wire] | None:
        """The messages to send now, in order; None to drop a dead connection. Call this a few times
        a second.
        """
        if self.state is LineState.OPEN and now >= self._heartbeat.ping_at:
            self._heartbeat.pinged(now)
            self._say_urgently("ping", {}, now)
        if self.state in (LineState.APART, LineState.ENDED) or now >= self._dead_at:
            return None
        wires, self._urgent = self._urgent, []
        if self.state is LineState.OPEN:
            wires.extend(self._commands.due(now))
        return wires

    # Called by the application

    def command(self, type: str, fields: Wire, now: float) -> str:
        """Give the server a command, now or after the reconnect. Return the id of the answer."""
        return self._commands.give(type, fields, now).id

    def subscribe(self, room: str, event: EventName, now: float) -> None:
        if progress := self.rooms.get(room):
            self._subscriptions.want(progress, event, now)

    def unsubscribe(self, room: str, event: EventName, now: float) -> None:
        if progress := self.rooms.get(room):
            self._subscriptions.unwant(progress, event, now)

    def close(self) -> list[SessionEvent]:
        """End the session for good."""
        self._events = []
        if self.state is not LineState.ENDED:
            self._end("closed", "This client is closed.")
        self.rooms.clear()
        return self._events

    # Greeting

    def _greet(self, now: float) -> None:
        session = self.welcome.session if self.welcome is not None and self.token is not None else None
        self._say_urgently("hello", self._greeting.hello(self.token, session), now)

    def _greeted(self, message: ServerMessage, now: float) -> None:
        """Handle the answer to `hello`. Messages before this answer are useless, so they don't end the
        silence.
        """
        if isinstance(message, Bye):
            self._heartbeat.return_after(message.retry_after_ms)
        elif isinstance(message, Refused):
            self._dead_at = inf
            if message.code == Code.BAD_TOKEN and self.token is not None:
                self.token = self.welcome = None
                self._greet(now)
            elif message.reason == "renamesTooOften" and self._greeting.rename:
                self._greeting = replace(self._greeting, rename=False)
                self._greet(now)
            elif message.retry_after_ms is not None:
                self._heartbeat.return_after(message.retry_after_ms)
                self.state = LineState.APART  # even if messages still come
            else:
                self._end(message.code, message.message, message.reason, message.fields)
        elif isinstance(message, Welcome):
            self._welcomed(message, now)

    def _welcomed(self, welcome: Welcome, now: float) -> None:
        self.state = LineState.OPEN
        self._dead_at = inf
        self.token = welcome.token or self.token
        self._greeting = replace(self._greeting, hand_over=None)
        before, self.welcome = self.welcome, welcome
        self._heartbeat.opened(now)
        self._events.append(Welcomed(welcome, before is not None))
        self._commands.reconnected(now)
        held = {held.room for held in welcome.rooms}
        for progress in list(self.rooms.values()):
            if progress.session == welcome.session:
                self._resume(progress, now)
                self._subscriptions.resumed(progress, now)
            elif progress.room not in held and self._commands.leaving(progress.room):
                self._close(progress.room, "left")  # the room was left, only the answer was lost
            else:
                progress.sent.clear()
                self._come_back(progress.room, now, sorted(progress.wanted))
        for room in sorted(held - self.rooms.keys()):
            self._come_back(room, now)
        self._lobby.connected(now)

    # Messages after the greeting

    def _heard(self, message: ServerMessage, now: float) -> None:
        if isinstance(message, Joined) and message.table is not None:
            self._joined(message, message.table, now)
        elif isinstance(message, RoomMessage):
            self._room_event(message, now)
        elif isinstance(message, Snapshot):
            self._snapshot(message)
        elif isinstance(message, Ok):
            if message.room is not None and message.seq is not None:
                self._room_event(Seq(room=message.room, seq=message.seq), now)
        elif isinstance(message, Pong):
            here = self.welcome.session if self.welcome is not None else ""
            for room, progress in list(self.rooms.items()):  # a room without a head was closed meanwhile
                if progress.session == here and message.heads.get(room, progress.seq + 1) > progress.seq:
                    self._mind_gap(progress, now)
        elif isinstance(message, Bye):
            self._said[message.code] = message
            self._heartbeat.return_after(message.retry_after_ms)
        elif isinstance(message, LobbyChanged):
            self._events += self._lobby.changed(message)
        elif not isinstance(message, ONLY_ANSWERS):
            is_news = True
            if isinstance(message, Away | Back) and message.room in self.rooms:
                self.rooms[message.room].hear_presence(message)
            elif isinstance(message, Rated) and message.room in self.rooms:
                is_news = self.rooms[message.room].hear_ratings(message)
            if is_news:
                self._events.append(Received(message))
        self._settle(message, now)

    def _joined(self, message: Joined, table: Table, now: float) -> None:
        """Handle a join: to a room, to one more seat, or to a rematch."""
        progress = self.rooms.get(message.room)
        if message.re is not None and message.re not in self._commands:
            return  # a second answer: we have had the first, and may have left since
        if progress is None:
            progress = self._open(message.room, table, message.seq, message.code)
            self._subscriptions.opened(progress, self._subscribed_on_the_way(message))
        elif progress.epoch != table.epoch:
            progress.go_on_from(table.epoch, message.seq, table)
        elif message.seq >= progress.seq:
            progress.take(table)
            progress.table_seq = message.seq
            if message.re in self._returns:  # this is the current room; a resume brings the missed events
                progress.here_since = message.seq
                progress.behind = progress.behind or message.seq > progress.seq
            elif not progress.behind:
                self._room_event(message, now)
        elif message.re in self._returns:  # the server has fewer events than we had: only a snapshot helps
            progress.behind = True
        assert self.welcome is not None
        progress.session = self.welcome.session
        named = self._subscribed_on_the_way(message)
        if message.re is not None and message.seq < progress.seq:
            named = set()  # a logged answer, perhaps for an earlier session: it subscribes to nothing here
        if message.re is None:
            self._subscriptions.joined(progress, named)
        else:
            self._subscriptions.joined_again(progress, named, now)

    def _subscribed_on_the_way(self, joined: Joined) -> set[EventName]:
        if joined.re is not None:
            return self._commands.subscribed_by(joined.re)
        if joined.seek is not None:
            return self._sought.pop(joined.seek, set())
        before = self.rooms.get(self._rematch_of.get(joined.room, ""))
        return set() if before is None else before.sent  # a rematch keeps the subscriptions

    def _open(self, room: str, table: Table, seq: int, code: str | None) -> RoomProgress:
        assert self.welcome is not None
        progress = RoomProgress(room, table.epoch, seq, table, self.welcome.player.id, code or table.code)
        self.rooms[room] = progress
        self._events.append(RoomOpened(progress, self._rematch_of.get(room)))
        return progress

    def _room_event(self, message: RoomMessage, now: float) -> None:
        progress = self.rooms.get(message.room)
        if progress is None:
            return
        match message:
            case NextPlayer(hash=str(told)) if told != state_hash(message.seats, message.view):
                progress.epoch = "?"  # our state differs from the server's: only a snapshot helps
                self._mind_gap(progress, now)
                return
            case Rematch():
                self._rematch_of[message.next] = message.room
        news = message.seq > max(progress.seq, progress.here_since)
        if progress.hear_event(message):
            self._events.append(Received(message))
        if progress.behind:
            self._mind_gap(progress, now)
        if news and isinstance(message, Left) and message.player.id == progress.player:
            asked = message.re is not None and message.re in self._commands
            if asked or progress.room not in self._returns.values():
                self._close(progress.room, message.reason)
            # Otherwise we may have come back since. The pending command will tell.

    def _snapshot(self, message: Snapshot) -> None:
        progress = self.rooms.get(message.room)
        if progress is None:
            progress = self._open(message.room, message.table, message.seq, message.table.code)
        self._events.extend(Received(turn) for turn in progress.hear_snapshot(message))

    def _close(self, room: str, why: str) -> None:
        self._rematch_of.pop(room, None)
        if self.rooms.pop(room, None) is not None:
            self._events.append(RoomClosed(room, why))

    # Answers

    def _settle(self, message: ServerMessage, now: float) -> None:
        re: str | None = getattr(message, "re", None)
        if re is None:
            return
        if isinstance(message, Refused) and message.missed:
            self._heard_late(message.missed, now)
        command = self._commands.settle(re, message, now)
        if command is None:
            return
        if isinstance(message, Refused) and command.was_done_by(message):
            message = Ok(re=re, room=command.wire["room"])
            self._close(command.wire["room"], "left")
        type = command.wire["type"]
        if type == "seek" and isinstance(message, Ok) and message.seek is not None:
            self._sought[message.seek] = set(command.wire.get("subscribe", ()))
        if type == "unwatchLobby":
            self._lobby.unwatched()
        if type == "watchLobby":
            self._events += self._lobby.answered(command, message, now)
        elif not command.own:
            self._events.append(Settled(re, message))
        elif type == "subscribe":
            self._subscribed(command.wire["room"], command.wire["event"], message, now)
        elif re in self._returns:
            self._returned(self._returns.pop(re), message, now)

    def _subscribed(self, room: str, event: EventName, answer: ServerMessage, now: float) -> None:
        if progress := self.rooms.get(room):
            if isinstance(answer, Refused):
                self._mind_gap(progress, now)  # the resume tells whether we are still there
            else:
                progress.sent.add(event)

    def _heard_late(self, missed: list[Wire], now: float) -> None:
        for raw in missed:
            try:
                message = SERVER_MESSAGE.validate_python(raw, by_alias=True, by_name=False)
            except ValidationError:
                return  # from a newer server: a resume brings the parts that we can read
            self._heard(message, now)

    def _returned(self, room: str, answer: ServerMessage, now: float) -> None:
        if isinstance(answer, Refused):
            self._close(room, answer.message)
        elif progress := self.rooms.get(room):
            behind, progress.behind = progress.behind, False
            if behind and isinstance(answer, Joined):
                self._mind_gap(progress, now)  # the server knows this session there now
                return
            if isinstance(answer, Ok):
                self._events += map(Received, progress.hear_absent(answer.away or {}))
            self._events.append(CaughtUp(room))

    # The session's own commands

    def _resume(self, progress: RoomProgress, now: float) -> None:
        fields = {"room": progress.room, "epoch": progress.epoch, "seq": progress.seq}
        self._returns[self._commands.give("resume", fields, now, own=True).id] = progress.room

    def _come_back(self, room: str, now: float, events: Sequence[EventName] = ()) -> None:
        """Rejoin a room with a new session of a known player: on the same seats, or as a watcher."""
        fields: Wire = {"room": room, "watch": True}
        if events:
            fields["subscribe"] = list(events)  # one command, so that neither part comes without the other
        self._returns[self._commands.give("join", fields, now, own=True).id] = room

    def _mind_gap(self, progress: RoomProgress, now: float) -> None:
        progress.behind = True
        if progress.room not in self._returns.values():
            self._resume(progress, now)

    def _say_urgently(self, type: str, fields: Wire, now: float) -> None:
        command = self._commands.give(type, fields, now, own=True)
        self._commands.settle(command.id, None, now)  # never sent again: silence ends the connection instead
        self._urgent.append(command.wire)
        self._dead_at = min(self._dead_at, now + PATIENCE)

    def _end(self, code: str, sentence: str, reason: str = "", fields: Wire | None = None) -> None:
        self.state = LineState.ENDED
        own = [command.id for command in self._commands.abandon() if not command.own]
        self._events.append(SessionEnded(code, sentence, self._lobby.abandon() + own, reason, fields or {}))
