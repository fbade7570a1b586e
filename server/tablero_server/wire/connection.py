"""A WebSocket after its handshake: when it is read, when it is written to, and how it ends.

Law: no room waits for a socket, and no socket waits for another. Messages that a peer does not read wait in a
bounded outbox. A peer that sends much, or sends slow commands, is read a little in each turn of the event
loop. Then it waits in the backlog with other peers of this kind. The event loop calls back, without a task or
a future, so that a connection is small and a message cheap. The meaning of the bytes is in `framing`.
"""

from __future__ import annotations

import asyncio
from time import perf_counter, thread_time
from typing import NamedTuple, Protocol

from websockets.protocol import State

from tablero_protocol.codec import Codec, Frame
from tablero_protocol.codes import WHY_CLOSED, Close

from .backlog import SECONDS_A_TURN, Backlog
from .behind import Behind
from .endings import end_writing
from .framing import Framing, FullParser, PongBytes, ping_frame

_CLOSING_SECONDS = 2.0
_FLOWING_BYTES = 16_384
"""A transport that holds less than this can take a frame at once."""
_REST, _AHEAD_SECONDS = 10, 0.02
"""After each read, a sender rests this many times as long as the read took. A sender whose rest lasts longer
than this lead is read by the backlog.
"""
_MUCH_BYTES, _SECONDS_AFTER_MUCH = 4_096, 0.1
"""A peer that was sent a frame of this size within this time is also read by the backlog."""
_RIGHT_AFTER_SECONDS = 0.00005
"""Two reads with at most this gap count as one: the time of the second starts at the end of the first."""
_SHORT_SECONDS = 0.001
"""A shorter read is charged by the clock, because reading the processor time needs a system call."""
_PONG_SECONDS = 10.0
"""The time to wait for a pong before another ping is sent."""
_CONTROL_FRAME_SECONDS = 0.005
"""The pause for each control frame after the first in one turn, because rate limits don't count
these frames.
"""


class Pinged(NamedTuple):
    """A ping that many connections may share."""

    payload: bytes
    """Random bytes, so that a peer can't answer before the ping."""
    at: float
    """The time in seconds, by the event loop."""


class Outbox:
    """Bytes that wait to be written to one peer. The outbox is bounded, so that a slow reader harms only
    itself.
    """

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self.frames: list[bytes] = []  # an empty deque would take ten times the memory
        self.size = 0

    def put(self, frame: bytes) -> bool:
        """Adds a frame. Returns False, and adds nothing, if the outbox is full."""
        if len(self.frames) >= self._most_messages or self.size + len(frame) > self._most_bytes:
            return False
        self.frames.append(frame)
        self.size += len(frame)
        return True

    def take(self) -> bytes | None:
        if not self.frames:
            return None
        frame = self.frames.pop(0)
        self.size -= len(frame)
        return frame

    def clear(self) -> None:
        self.frames.clear()
        self.size = 0


class Listener(Protocol):
    def message_received(self, connection: Connection, frame: Frame) -> None:
        """Called for each whole message on an open connection. Must not raise."""

    def caught_up(self, connection: Connection) -> None:
        """Called when a connection with left-out messages has read everything that waited for it."""

    def pong_received(self, connection: Connection, ms: int | None) -> None:
        """Called for each pong. `ms` is the time since its ping, or None if it answers no ping."""

    def gone(self, connection: Connection) -> None:
        """Called once, last of all."""


class Connection(asyncio.Protocol):
    __slots__ = (
        "_backlog",
        "_cut_off",
        "_finished",
        "_framing",
        "_held",
        "_listener",
        "_outbox",
        "_pinged",
        "_rests_until",
        "_transport",
        "address",
        "bad_frames",
        "behind",
        "caller",
        "closing",
        "codec",
        "deadline",
        "is_silent",
        "last_heard",
        "open",
        "peer",
        "reads_slowly",
        "says_hello",
        "welcomed",
    )

    def __init__(
        self,
        peer: int,
        address: str,
        caller: str | None,
        codec: Codec,
        listener: Listener,
        outbox: Outbox,
        backlog: Backlog,
    ) -> None:
        self.peer = peer
        self.address = address
        self.caller = caller
        """The address by which the connection is limited, or None."""
        self.codec = codec
        self.bad_frames = 0
        self.says_hello = False
        """Whether the peer has sent a hello that was not refused."""
        self.welcomed = False
        self.last_heard = 0
        """The tick in which the peer last sent something."""
        self.is_silent = False
        """Whether the peer has been silent for some seconds."""
        self.behind: Behind | None = None
        """The messages that were left out because the peer reads slowly."""
        self.open = True
        """False once either side has sent a close."""
        self.closing: Close | None = None
        """The reason why this side closed the connection, or None."""
        self.deadline: asyncio.TimerHandle | None = None
        """The timer for hello. It is cancelled with the connection, because it would keep it in memory."""
        self._cut_off: asyncio.TimerHandle | None = None
        """The timer that aborts a connection whose peer does not read the close."""
        self._listener = listener
        self._outbox = outbox
        self._backlog = backlog
        self._framing = Framing()
        self._held = False
        """Whether unread bytes wait for the backlog."""
        self._finished = False
        """Whether this side has stopped writing."""
        self._pinged: Pinged | None = None
        """The last unanswered ping."""
        self.reads_slowly = False
        """Whether the peer reads too slowly to be sent more."""
        self._rests_until = 0.0
        """Until this time, new bytes wait in the backlog."""

    def begin(self, transport: asyncio.Transport) -> None:
        """Takes over `transport`."""
        self._transport = transport
        transport.set_protocol(self)
        # This pauses the connection at once if HTTP left more bytes than that; no later call would.
        transport.set_write_buffer_limits(high=_FLOWING_BYTES)

    # Writing

    def send(self, frame: bytes) -> None:
        """Sends or queues a frame made by `framed`. A peer whose outbox is full is disconnected, and may
        resume.
        """
        if not self.open:
            return
        if len(frame) > _MUCH_BYTES:
            self.rest(_SECONDS_AFTER_MUCH)
        if not self.reads_slowly:
            if not self._transport.is_closing():
                self._transport.write(frame)
        elif not self._outbox.put(frame):
            self._outbox.clear()
            self.close(Close.TOO_SLOW)

    def waiting(self) -> tuple[int, int]:
        """The number of unread messages, and their bytes."""
        return len(self._outbox.frames), self._outbox.size

    def ping(self, ping: Pinged) -> None:
        """Sends a ping, unless a recent ping is still unanswered."""
        waits = self._pinged is not None and ping.at - self._pinged.at < _PONG_SECONDS
        if self.open and not (waits or self.reads_slowly or self._transport.is_closing()):
            self._pinged = ping
            self._transport.write(ping_frame(ping.payload))

    def _ponged(self, pong: PongBytes) -> None:
        ms = None
        if (ping := self._pinged) is not None and ping.payload == pong:
            self._pinged = None
            ms = round((asyncio.get_running_loop().time() - ping.at) * 1000)
        self._listener.pong_received(self, ms)

    def close(self, why: Close) -> None:
        """Sends the close code after the queued messages. Soon after, the connection is cut in any case."""
        if self.open:
            self.open = False
            self.closing = why
            if not self._outbox.frames:
                self._say_goodbye()
            self._hang_up_soon()
            if self.reads_slowly:  # a peer that does not read may still send its close
                asyncio.get_running_loop().call_soon(self._read_on)

    def abort(self) -> None:
        """Disconnects without a close code."""
        self.open = False
        self._transport.abort()

    def pause_writing(self) -> None:
        """Stops reading from a peer that does not read: answers would only pile up."""
        self.reads_slowly = True
        if self.open:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        self.reads_slowly = False
        while not self.reads_slowly and (frame := self._outbox.take()) is not None:
            self._transport.write(frame)
        if not self.reads_slowly:
            if self.closing is not None:
                self._say_goodbye()
            elif self.behind is not None and self.open:
                self._listener.caught_up(self)
            self._read_on()

    def _say_goodbye(self) -> None:
        assert self.closing is not None
        full = self._framing.use_full_parser()
        if full.state is State.OPEN:
            full.send_close(self.closing, WHY_CLOSED[self.closing][:120])
            self._write_out(full)
            self._finish()

    def _write_out(self, full: FullParser) -> None:
        """Writes the parser's answers: pongs, and its close frame."""
        answers = full.data_to_send()
        if answers and not (self._finished or self._transport.is_closing()):
            self._transport.write(b"".join(answers))
            if not answers[-1]:
                self._finish()
        if self.open and full.state is not State.OPEN:
            self.open = False
            self._hang_up_soon()

    def _finish(self) -> None:
        """Ends this side; the peer may still send for a short time."""
        if not (self._finished or self._transport.is_closing()):
            self._finished = True
            end_writing(self._transport)

    def _hang_up_soon(self) -> None:
        # This also ends a peer that neither reads nor answers a close.
        self._cut_off = asyncio.get_running_loop().call_later(_CLOSING_SECONDS, self._transport.abort)

    # Reading

    def data_received(self, data: bytes) -> None:
        if self.open:  # after a close by either side, nothing is read
            self._framing.unread += data
            if self._held:
                if not self._transport.is_closing():
                    self._transport.pause_reading()
            elif not self.reads_slowly:
                if perf_counter() + _AHEAD_SECONDS < self._rests_until:
                    # pausing the transport is rarely worth a call for the few bytes until then
                    self._held = True
                    self._backlog.add(self._let_go)
                else:
                    self._read()

    def pause_reading_for(self, seconds: float = 0) -> None:
        """Reads nothing for `seconds`, or only for this turn. Unread bytes stay with their sender."""
        if not self._held and not self._transport.is_closing():
            self._held = True
            self._transport.pause_reading()
            if seconds:  # many peers may have been paused at the same time
                asyncio.get_running_loop().call_later(seconds, self._backlog.add, self._let_go)
            else:
                self._backlog.add(self._let_go)

    def rest(self, seconds: float) -> None:
        """Lets the backlog read this connection for at least `seconds`."""
        self._rests_until = max(self._rests_until, perf_counter() + seconds + _AHEAD_SECONDS)

    def eof_received(self) -> None:
        """Does nothing: the transport closes itself."""

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        for timer in (self.deadline, self._cut_off):
            if timer is not None:
                timer.cancel()  # asyncio's transports raise an error if they are aborted after their end
        if self._framing.full is not None:
            self._framing.full.end()
        self._listener.gone(self)

    def _read(self) -> None:
        """Passes on the messages in one turn's share of the received bytes."""
        framing, backlog, began = self._framing, self._backlog, perf_counter()
        if began >= backlog.read_at + _RIGHT_AFTER_SECONDS:
            backlog.used = thread_time()
        messages, pongs = framing.messages(), 0
        count, until = len(messages), began + SECONDS_A_TURN
        for number, message in enumerate(messages, 1):
            if message.__class__ is PongBytes:
                pongs += 1
                self._ponged(message)
            else:
                self._listener.message_received(self, message)
            if number < count and (self._held or not self.open or perf_counter() > until):
                framing.take_back(messages[number:])
                break
        backlog.read_at = ended = perf_counter()
        took, before = ended - began, backlog.used
        if took > _SHORT_SECONDS:  # other work of this machine must not count
            took = min(took, thread_time() - before)
        backlog.used = before + took
        rests_until = self._rests_until
        self._rests_until = (rests_until if rests_until > ended else ended) + _REST * took
        if framing.full is not None:
            self._write_out(framing.full)
            pongs += framing.full.control_frames()
        if pongs > 1:
            self.pause_reading_for(pongs * _CONTROL_FRAME_SECONDS)
        if framing.more and self.open:
            self.pause_reading_for()

    def _let_go(self) -> None:
        self._held = False
        self._read_on()

    def _read_on(self) -> None:
        if self._held or self._transport.is_closing() or (self.reads_slowly and self.open):
            return
        if self.open:
            self._read()
        if not self._held:
            self._transport.resume_reading()
