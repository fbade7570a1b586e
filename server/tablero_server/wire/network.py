"""The sockets between players and games: accepts, reads, writes, and disconnects silent peers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import count
from typing import Protocol

import structlog

from tablero_protocol.codec import CODECS, SUBPROTOCOLS, Frame, ProtocolError
from tablero_protocol.codes import Close, Code
from tablero_protocol.messages import ClientMessage, Hello

from ..core.effects import PeerId
from ..core.refusal import Message
from ..observer import Histogram
from ..settings import Settings
from .addresses import AddressLimits
from .arrivals import Visitor
from .backlog import Backlog
from .behind import Behind, is_event_of
from .connection import Connection, Outbox, Pinged
from .framing import framed
from .http import Rejection
from .security_log import SecurityLog

log = structlog.get_logger("tablero.network")

_TICK_SECONDS = 0.1
_MEASURED_EVERY = 20
"""The number of ticks between two pings to a player with a clock."""
_QUIET = 100
"""The number of silent ticks after which a peer is pinged."""
_LOST = 52
"""The number of silent ticks after which others are told that a player with a clock is unreachable."""
_MOST_BAD_FRAMES = 8
_SLOW_DOWN_SECONDS = 0.02
"""The pause in reading after a peer was too fast, or sent nonsense, so that a flood waits with its sender."""
_SECONDS_NEW = 0.5
"""The time in which the backlog reads a new peer, because many may come at once, and a hello takes long."""
_FULL = Rejection(503, "The server is full; try again soon.", {"Retry-After": "10"})
_FOREIGN_PAGE = Rejection(403, "This page may not connect; the host can allow it with TABLERO_ORIGINS.")
_WORTH_KNOWING = {Close.FLOODING, Close.BAD_FRAMES, Close.REVOKED, Close.KICKED, Close.BANNED}


class Receipt(Protocol):
    @property
    def too_fast(self) -> bool:
        """Whether the peer was told to slow down."""


class Door(Protocol):
    """The interface of the games to the sockets. Answers come back by `Network.deliver` and
    `Network.close`.
    """

    def arrive(self, peer: PeerId, caller: str | None, address: str | None = None) -> None:
        """Called when a connection has begun."""

    def receive(self, peer: PeerId, message: ClientMessage) -> Receipt: ...

    def misread(self, peer: PeerId, error: ProtocolError, why: Close | None) -> None:
        """Refuses a frame that is not a message. With `why`, the connection is closed."""

    def dropped(self, peer: PeerId) -> None:
        """Called when a connection has ended."""

    def measured(self, peer: PeerId, ms: int) -> None:
        """Notes the round-trip time of a message to the peer."""

    def fell_silent(self, peer: PeerId) -> None:
        """Called when a peer was silent for some seconds, with its connection still open."""

    def heard_again(self, peer: PeerId) -> None: ...

    def plays_by_seconds(self, peer: PeerId) -> bool:
        """Whether a slow or lost line costs this peer thinking time."""

    def only_watches(self, peer: PeerId, room: str) -> bool: ...

    def show_newest(self, peer: PeerId, rooms: Iterable[str], lines: Iterable[str]) -> None:
        """Sends these rooms, and lines of the lobby, in their current state."""

    def tick(self) -> None: ...


class Network:
    door: Door

    def __init__(
        self, settings: Settings, now: Callable[[], int], addresses: AddressLimits, security: SecurityLog
    ) -> None:
        self._settings = settings
        self._now = now
        self.security = security
        self.lag = Histogram()
        """The delay of each tick."""
        self._addresses = addresses
        self._connections: dict[int, Connection] = {}
        self._backlog = Backlog()
        self._news: dict[PeerId, list[bytes]] = {}
        """The lobby's messages for peers that get them later, but before any other message."""
        self._peers = count(1)
        self._ticks = 0
        self.stopping = False
        self._all_gone = asyncio.Event()

    @property
    def connections(self) -> int:
        return len(self._connections)

    def waiting(self) -> tuple[int, int]:
        """The number of unread messages, and their bytes."""
        outboxes = [connection.waiting() for connection in self._connections.values()]
        return sum(messages for messages, _ in outboxes), sum(size for _, size in outboxes)

    def start(self, door: Door) -> None:
        self.door = door
        self.ticking = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """Ends all connections. The caller first sets `stopping` and sends the goodbyes."""
        for connection in list(self._connections.values()):
            connection.close(Close.RESTARTING)  # including peers that have not said hello
        if self._connections:
            await self._all_gone.wait()
        self.ticking.cancel()
        await asyncio.gather(self.ticking, return_exceptions=True)

    def websocket(self, visitor: Visitor) -> Rejection | None:
        """Turns a handshake into a connection, or returns a refusal."""
        refusal = self._why_not(visitor)
        if refusal is not None:
            origin = visitor.request.header("Origin")[:200]
            facts = {"origin": origin} if refusal is _FOREIGN_PAGE else {}
            self.security.note("handshake refused", str(visitor.address), refusal.status, **facts)
            return refusal
        accepted = visitor.request.accept()
        if isinstance(accepted, Rejection):
            return accepted
        codec = CODECS.get(accepted.subprotocol or "")
        outbox = Outbox(self._settings.outbox_messages, self._settings.outbox_bytes)
        connection = Connection(
            next(self._peers),
            str(visitor.address),
            visitor.caller,
            codec or CODECS[SUBPROTOCOLS[0]],
            self,
            outbox,
            self._backlog,
        )
        connection.last_heard = self._ticks
        self._connections[connection.peer] = connection
        self.door.arrive(connection.peer, visitor.caller, str(visitor.address))
        log.debug("connected", peer=connection.peer, subprotocol=accepted.subprotocol)
        first = visitor.connection.hand_over(connection, accepted.response)
        if codec is None:
            connection.close(Close.WRONG_SUBPROTOCOL)
        else:
            connection.deadline = asyncio.get_running_loop().call_later(
                self._settings.hello_seconds, self._expect_hello, connection
            )
            connection.rest(_SECONDS_NEW)
            connection.data_received(first)
        return None

    def _why_not(self, visitor: Visitor) -> Rejection | None:
        if not visitor.has_our_origin(self._settings.allowed_origins):
            return _FOREIGN_PAGE
        if self.stopping or len(self._connections) >= self._settings.connections:
            return _FULL
        if wait := self._addresses.handshake(visitor.caller, self._now()):
            return Rejection(
                429,
                "Too many connections come from your address; try again soon.",
                {"Retry-After": str(wait // 1000 + 1)},
            )
        return None

    def message_received(self, connection: Connection, frame: Frame) -> None:
        connection.last_heard = self._ticks
        if connection.is_silent:
            self._heard_again(connection)
        try:
            message = connection.codec.decode_client(frame)
        except ProtocolError as error:
            self._refuse(connection, error)
            return
        if type(message) is Hello:  # isinstance with a model takes ten times as long
            connection.says_hello = True
        try:
            received = self.door.receive(connection.peer, message)
        except Exception as error:  # a bug of ours costs only this connection, and is logged
            log.error("a message broke something", message=message.type, exc_info=error)
            connection.abort()
            return
        if received.too_fast:
            connection.pause_reading_for(_SLOW_DOWN_SECONDS)

    def pong_received(self, connection: Connection, ms: int | None) -> None:
        connection.last_heard = self._ticks
        if connection.is_silent:
            self._heard_again(connection)
        if ms is not None:
            self.door.measured(connection.peer, ms)

    def _heard_again(self, connection: Connection) -> None:
        connection.is_silent = False
        self.door.heard_again(connection.peer)

    def gone(self, connection: Connection) -> None:
        del self._connections[connection.peer]
        self._addresses.leave(connection.caller)
        self.door.dropped(connection.peer)
        if self.stopping and not self._connections:
            self._all_gone.set()
        log.debug("disconnected", peer=connection.peer, close_code=connection.closing)

    def _refuse(self, connection: Connection, error: ProtocolError) -> None:
        connection.pause_reading_for(_SLOW_DOWN_SECONDS)  # a refusal costs more than many a command
        connection.bad_frames += error.code is Code.BAD_FRAME
        too_many = error.code is Code.BAD_FRAME and connection.bad_frames >= _MOST_BAD_FRAMES
        self.door.misread(connection.peer, error, Close.BAD_FRAMES if too_many else None)

    def deliver(self, messages: Sequence[tuple[PeerId, Message]]) -> None:
        """Sends messages to connected peers. A shared message is encoded and framed once for each codec."""
        frames: dict[tuple[int, str], bytes] = {}
        for peer, message in messages:
            connection = self._connections.get(peer)
            if connection is None or (connection.reads_slowly and self._is_left_out(connection, message)):
                continue
            if not connection.welcomed:
                self._answers_hello(connection, message)
            codec = connection.codec
            encoding = id(message), codec.subprotocol
            frame = frames.get(encoding)
            if frame is None:
                frame = frames[encoding] = framed(codec.pack(message))
            # this message has many receivers, and sending to all at once would delay moves
            if message["type"] == "lobbyChanged":
                if peer not in self._news:
                    self._backlog.add(partial(self._tell_news, peer))
                self._news.setdefault(peer, []).append(frame)
                continue
            if peer in self._news:
                self._tell_news(peer)
            connection.send(frame)

    def _answers_hello(self, connection: Connection, message: Message) -> None:
        if message["type"] == "welcome":
            connection.welcomed = True
        elif message["type"] == "refused" and connection.says_hello:
            self.security.note("hello refused", connection.address, message["code"])
            connection.says_hello = False

    def _tell_news(self, peer: PeerId) -> None:
        news, connection = self._news.pop(peer, ()), self._connections.get(peer)
        for frame in news:
            if connection is not None:
                connection.send(frame)

    def _is_left_out(self, connection: Connection, message: Message) -> bool:
        """Whether this message is left out for a slow reader because a newer one will replace it."""
        room = is_event_of(message)
        watched = room is not None and self.door.only_watches(connection.peer, room)
        if not watched and message["type"] != "lobbyChanged":
            return False
        connection.behind = connection.behind or Behind()
        connection.behind.leave_out(message)
        return True

    def caught_up(self, connection: Connection) -> None:
        assert connection.behind is not None
        behind, connection.behind = connection.behind, None
        self.door.show_newest(connection.peer, behind.rooms, behind.lines)

    def close(self, peer: PeerId, why: Close) -> None:
        if (connection := self._connections.get(peer)) is not None:
            if why in _WORTH_KNOWING and connection.closing is None:
                self.security.note("connection closed", connection.address, why.value)
            connection.close(why)

    async def _tick(self) -> None:
        loop, patience = asyncio.get_running_loop(), round(self._settings.silence_seconds / _TICK_SECONDS)
        while True:
            due = loop.time() + _TICK_SECONDS
            await asyncio.sleep(_TICK_SECONDS)
            self.lag.add(max(0.0, loop.time() - due))
            self._ticks += 1
            self.door.tick()
            self._ping()
            silent_since, lost_since = self._ticks - patience, self._ticks - _LOST
            for connection in self._connections.values():
                if connection.last_heard < silent_since:
                    connection.close(Close.SILENT)
                elif connection.last_heard < lost_since and not connection.is_silent:
                    connection.is_silent = True
                    self.door.fell_silent(connection.peer)

    def _ping(self) -> None:
        """Pings players with a clock and silent peers, some of them in each tick."""
        ping = Pinged(os.urandom(8), asyncio.get_running_loop().time())
        turn, quiet_since = self._ticks % _MEASURED_EVERY, self._ticks - _QUIET
        for connection in self._connections.values():
            if connection.peer % _MEASURED_EVERY == turn and (
                connection.last_heard < quiet_since or self.door.plays_by_seconds(connection.peer)
            ):
                connection.ping(ping)

    def _expect_hello(self, connection: Connection) -> None:
        if connection.peer in self._connections and not connection.says_hello:
            connection.close(Close.HELLO_TIMEOUT)
