"""One WebSocket after its handshake: when it is read, when it is written to, and how it ends.

Law: no room ever waits for a socket, and no socket for another. What a peer does not read waits in a bounded
outbox. A peer that sends much, or asks for what takes long, is read a little in a turn of the event loop, and
then waits in the backlog with all others of its kind.

The event loop calls back; there is no task and no future, which keeps a connection small and a message cheap.
What the bytes mean is in `framing`.
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
"""A transport that holds less than this takes a frame without a wait."""
_REST, _AHEAD_SECONDS = 10, 0.02
"""A sender rests this many times as long as its messages took; beyond that lead the backlog reads it,"""
_MUCH_BYTES, _SECONDS_AFTER_MUCH = 4_096, 0.1
"""and so is a peer that was sent a frame of this size within this time."""
_RIGHT_AFTER_SECONDS = 0.00005
"""Two reads at most this far apart count as one: the second is timed from the end of the first."""
_SHORT_SECONDS = 0.001
"""A read that takes no longer is charged by the clock: to ask for processor time is a system call."""
_PONG_SECONDS = 10.0
"""The time a pong is waited for before another ping."""
_CONTROL_FRAME_SECONDS = 0.005
"""The pause for each frame but one in a turn that ends no message: no rate limit counts those."""


class Pinged(NamedTuple):
    """A ping that many connections may share."""

    payload: bytes
    """Random bytes, so that a peer can't answer before the ping."""
    at: float
    """The time in seconds, by the event loop."""


class Outbox:
    """Bytes that wait to be written to one peer: bounded, so that a slow reader harms only itself."""

    def __init__(self, most_messages: int, most_bytes: int) -> None:
        self._most_messages = most_messages
        self._most_bytes = most_bytes
        self.frames: list[bytes] = []  # a deque would take ten times the memory while it is empty
        self.size = 0

    def put(self, frame: bytes) -> bool:
        """False when it is full; the frame is then not in it."""
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
        """A whole message has come, on a connection that is open. Raises nothing."""

    def caught_up(self, connection: Connection) -> None:
        """The connection was `behind`, and has now read all that waited for it."""

    def pong_received(self, connection: Connection, ms: int | None) -> None:
        """A pong has come, `ms` after its ping, if it answers one."""

    def gone(self, connection: Connection) -> None:
        """The last that is ever heard of it."""


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
        """The address by which it is limited, if it is."""
        self.codec = codec
        self.bad_frames = 0
        self.says_hello = False
        """Whether it has said so, and is not refused."""
        self.welcomed = False
        self.last_heard = 0
        """The tick at which it last sent something."""
        self.is_silent = False
        """Whether that is some seconds ago."""
        self.behind: Behind | None = None
        """The messages left out because it reads slowly."""
        self.open = True
        """Whether neither side has closed."""
        self.closing: Close | None = None
        """The reason for our close, if we closed."""
        self.deadline: asyncio.TimerHandle | None = None
        """The timer for hello; cancelled with the connection, so that it does not keep it in memory."""
        self._cut_off: asyncio.TimerHandle | None = None
        """The timer that aborts a peer that does not read its close."""
        self._listener = listener
        self._outbox = outbox
        self._backlog = backlog
        self._framing = Framing()
        self._held = False
        """Whether what is unread waits for its time."""
        self._finished = False
        """Whether we have hung up."""
        self._pinged: Pinged | None = None
        """The last ping, until it is answered."""
        self.reads_slowly = False
        """Whether the peer reads too slowly to be written to."""
        self._rests_until = 0.0
        """The time before which what it sends waits in the backlog."""

    def begin(self, transport: asyncio.Transport) -> None:
        """Takes over `transport`."""
        self._transport = transport
        transport.set_protocol(self)
        # Pauses us at once if HTTP has left more than that; no later call would.
        transport.set_write_buffer_limits(high=_FLOWING_BYTES)

    # Writing

    def send(self, frame: bytes) -> None:
        """Writes or queues what `framed` made; a peer that does not read is closed and may resume."""
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
        """Messages that were not read yet, and their bytes."""
        return len(self._outbox.frames), self._outbox.size

    def ping(self, ping: Pinged) -> None:
        """Asks for a pong, unless one is still to come that was asked for a moment ago."""
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
        """Sends the close code after the queued messages, and disconnects soon anyway."""
        if self.open:
            self.open = False
            self.closing = why
            if not self._outbox.frames:
                self._say_goodbye()
            self._hang_up_soon()
            if self.reads_slowly:  # a peer that does not read may still close
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
        """Writes the parser's answers: pongs, and its close."""
        answers = full.data_to_send()
        if answers and not (self._finished or self._transport.is_closing()):
            self._transport.write(b"".join(answers))
            if not answers[-1]:
                self._finish()
        if self.open and full.state is not State.OPEN:
            self.open = False
            self._hang_up_soon()

    def _finish(self) -> None:
        """Ends our side; the peer may still finish, for a short time."""
        if not (self._finished or self._transport.is_closing()):
            self._finished = True
            end_writing(self._transport)

    def _hang_up_soon(self) -> None:
        # Also for a peer that neither reads nor answers a close.
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
                    self._held = True  # what else comes until then is rarely worth a call to pause reading
                    self._backlog.add(self._let_go)
                else:
                    self._read()

    def pause_reading_for(self, seconds: float = 0) -> None:
        """Reads nothing for `seconds`, or for this turn; what is sent stays with its sender."""
        if not self._held and not self._transport.is_closing():
            self._held = True
            self._transport.pause_reading()
            if seconds:  # many may have been told to wait at the same time
                asyncio.get_running_loop().call_later(seconds, self._backlog.add, self._let_go)
            else:
                self._backlog.add(self._let_go)

    def rest(self, seconds: float) -> None:
        """Reads it with the backlog for at least `seconds`."""
        self._rests_until = max(self._rests_until, perf_counter() + seconds + _AHEAD_SECONDS)

    def eof_received(self) -> None:
        """The transport closes by itself."""

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        for timer in (self.deadline, self._cut_off):
            if timer is not None:
                timer.cancel()  # asyncio's transports break when they are aborted after their end
        if self._framing.full is not None:
            self._framing.full.end()
        self._listener.gone(self)

    def _read(self) -> None:
        """Passes on the messages in a turn's worth of what has come."""
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
        self._rests_until = max(self._rests_until, ended) + _REST * took
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
