"""One WebSocket once its handshake is over: whole messages in, frames out, and never anybody waiting.

Law: no room ever waits for a socket, and no socket for another. What a peer does not read waits in a bounded
outbox; whoever sends much is read a little in each turn of the event loop.

There is no task and no future here, but callbacks of the event loop: that makes a connection small and a
message cheap. `websockets` knows RFC 6455 (in its protocol without I/O); nearly all frames are whole and
masked data, though, and those are read here without it.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from struct import Struct
from typing import Protocol

from websockets.frames import CloseCode, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.frames import Frame as WebSocketFrame
from websockets.protocol import SERVER, State
from websockets.protocol import Protocol as WebSocket

from tablero_protocol.codec import MAX_CLIENT_FRAME, Codec
from tablero_protocol.codes import WHY_CLOSED, Close

from .outbox import Frame, Outbox

_CLOSING_SECONDS = 2.0
_FLOWING_BYTES = 16_384
"""A transport that holds less than this takes a frame without making anybody wait."""
_BYTES_A_TURN = 8_192
"""What is read of one peer before the others have their turn; a frame of the largest size is less."""
_ODD_BYTES_A_TURN = 1_024
"""The same of frames that need all rules, for each costs more than a whole message."""
_ODD_FRAME_SECONDS = 0.005
"""For so long for each that ends no message, but one a turn, nothing is heard: nothing else limits those."""
_TEXT, _BINARY = 0x81, 0x82
_MASKED, _LENGTH_16, _LENGTH_64 = 0x80, 126, 127
_HEADER, _HEADER_16, _HEADER_64 = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
_QUIET = logging.getLogger("tablero.websocket")
_QUIET.setLevel(logging.ERROR)  # a line for each connection that closes is not worth reading


class Listener(Protocol):
    def message_received(self, connection: Connection, frame: Frame) -> None:
        """A whole message has come, on a connection that is open. Raises nothing."""

    def gone(self, connection: Connection) -> None:
        """The last that is ever heard of it."""


class Connection(asyncio.Protocol):
    __slots__ = (
        "_cut_off",
        "_finished",
        "_held",
        "_listener",
        "_outbox",
        "_paused",
        "_rules",
        "_transport",
        "_unread",
        "address",
        "bad_frames",
        "caller",
        "closing",
        "codec",
        "deadline",
        "last_heard",
        "open",
        "peer",
    )

    def __init__(
        self, peer: int, address: str, caller: str | None, codec: Codec, listener: Listener, outbox: Outbox
    ) -> None:
        self.peer = peer
        self.address = address
        self.caller = caller
        """The address by which it is limited, if it is."""
        self.codec = codec
        self.bad_frames = 0
        self.last_heard = 0
        """The tick at which it last sent something."""
        self.open = True
        """Until either side says goodbye."""
        self.closing: Close | None = None
        """Why we said goodbye, if it was us."""
        self.deadline: asyncio.TimerHandle | None = None
        """When it must have said hello; ends with the connection, lest it be kept until then."""
        self._cut_off: asyncio.TimerHandle | None = None
        """When we hang up on a peer that does not take its goodbye."""
        self._listener = listener
        self._outbox = outbox
        self._unread = b""
        self._held = False
        """Whether what is unread waits for its time."""
        self._finished = False
        """Whether we have hung up."""
        self._paused = False
        """Whether the peer reads too slowly to be written to."""
        self._rules: FullParser | None = None
        """From the first frame on that is anything but whole and masked data."""

    def begin(self, transport: asyncio.Transport) -> None:
        """From now on what comes on `transport` is for us."""
        self._transport = transport
        transport.set_protocol(self)
        # Pauses us at once if HTTP has left more than that; nobody would tell us later.
        transport.set_write_buffer_limits(high=_FLOWING_BYTES)

    # Writing

    def send(self, frame: Frame) -> None:
        """Writes or queues a frame; a peer that does not read is closed and may resume."""
        if not self.open:
            return
        if not self._paused:
            if not self._transport.is_closing():
                self._transport.write(framed(frame))
        elif not self._outbox.put(frame):
            self._outbox.clear()
            self.close(Close.TOO_SLOW)

    def close(self, why: Close) -> None:
        """Says why once what is queued has been written, and hangs up soon anyway."""
        if self.open:
            self.open = False
            self.closing = why
            if not self._outbox.frames:
                self._say_goodbye()
            self._hang_up_soon()
            if self._paused:  # whoever does not read may still say goodbye
                asyncio.get_running_loop().call_soon(self._read_on)

    def abort(self) -> None:
        """Hangs up without a word."""
        self.open = False
        self._transport.abort()

    def pause_writing(self) -> None:
        """Whoever does not read is not read either: answers would only pile up."""
        self._paused = True
        if self.open:
            self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._paused = False
        while not self._paused and (frame := self._outbox.take()) is not None:
            self._transport.write(framed(frame))
        if not self._paused:
            if self.closing is not None:
                self._say_goodbye()
            self._read_on()

    def _say_goodbye(self) -> None:
        assert self.closing is not None
        rules = self._with_all_rules()
        if rules.state is State.OPEN:
            rules.send_close(self.closing, WHY_CLOSED[self.closing][:120])
            self._write_out(rules)
            self._finish()

    def _write_out(self, rules: FullParser) -> None:
        """What the rules say to answer."""
        answers = rules.data_to_send()
        if answers and not (self._finished or self._transport.is_closing()):
            self._transport.write(b"".join(answers))
            if not answers[-1]:
                self._finish()
        if self.open and rules.state is not State.OPEN:
            self.open = False
            self._hang_up_soon()

    def _finish(self) -> None:
        """Nothing more comes from us; the peer may still finish, but nobody waits for long."""
        if not (self._finished or self._transport.is_closing()):
            self._finished = True
            with suppress(OSError):  # asyncio's raises if the peer has reset just now; we hear of that anyway
                self._transport.write_eof()

    def _hang_up_soon(self) -> None:
        # Also for a peer that neither reads nor answers a close.
        self._cut_off = asyncio.get_running_loop().call_later(_CLOSING_SECONDS, self._transport.abort)

    # Reading

    def data_received(self, data: bytes) -> None:
        if self.open:  # behind a goodbye, whoever's it was, nothing is worth reading
            self._unread += data
            if not (self._held or self._paused):
                self._read()

    def pause_reading_for(self, seconds: float = 0) -> None:
        """Hears nothing more for so long, or this turn; what is sent meanwhile waits with its sender."""
        if not self._held and not self._transport.is_closing():
            self._held = True
            self._transport.pause_reading()
            loop = asyncio.get_running_loop()
            if seconds:
                loop.call_later(seconds, self._let_go)
            else:
                loop.call_soon(self._let_go)

    def eof_received(self) -> None:
        """The transport closes by itself."""

    def connection_lost(self, error: Exception | None) -> None:
        self.open = False
        for timer in (self.deadline, self._cut_off):
            if timer is not None:
                timer.cancel()  # asyncio's transports break when they are aborted after their end
        self._listener.gone(self)

    def _read(self) -> None:
        """A turn's worth of what has come."""
        data, rest = self._unread[:_BYTES_A_TURN], self._unread[_BYTES_A_TURN:]
        more = bool(rest)
        if self._rules is None:
            data = self._read_plain(data)
        if self._rules is not None and self.open and not self._held:
            data = self._read_by_all_rules(self._rules, data)
            more = bool(data or rest or self._rules.messages)
        self._unread = data + rest  # the beginning of a frame, what was held, or has its turn later
        if more and self.open:
            self.pause_reading_for()

    def _let_go(self) -> None:
        self._held = False
        self._read_on()

    def _read_on(self) -> None:
        if self._held or self._transport.is_closing() or (self._paused and self.open):
            return
        if self.open:
            self._read()
        if not self._held:
            self._transport.resume_reading()

    def _read_plain(self, data: bytes) -> bytes:
        """Hears every whole message in `data`; what is left is the beginning of one, or needs all rules."""
        at, end = 0, len(data)
        while at < end and self._rules is None and not self._held:
            opcode, start = data[at], at + 6
            size = data[at + 1] - _MASKED if at + 1 < end else 0
            if size == _LENGTH_16:
                start += 2
                size = data[at + 2] << 8 | data[at + 3] if start <= end else 0
            elif size == _LENGTH_64:
                size = -1
            if (opcode != _BINARY and opcode != _TEXT) or not 0 <= size <= MAX_CLIENT_FRAME:
                self._with_all_rules()
                break
            stop = start + size
            if stop > end:
                break
            at = stop
            payload = apply_mask(data[start:stop], data[start - 4 : start])
            if opcode == _TEXT:
                self._hear_text(payload)
            elif self.open:
                self._listener.message_received(self, payload)
        return data[at:]

    def _read_by_all_rules(self, rules: FullParser, data: bytes) -> bytes:
        """Hears what is in the beginning of `data`, or what was held of it before; the rest is for later."""
        if not rules.messages:
            rules.receive_data(data[:_ODD_BYTES_A_TURN])
            rules.events_received()
            data = data[_ODD_BYTES_A_TURN:]
        while rules.messages and not self._held:
            self._hear(rules.messages.pop(0))
        self._write_out(rules)
        if (odd := rules.control_frames()) > 1:
            self.pause_reading_for(odd * _ODD_FRAME_SECONDS)
        return data

    def _hear(self, message: Frame) -> None:
        if self.open:
            self._listener.message_received(self, message)

    def _hear_text(self, payload: bytes) -> None:
        try:
            text = payload.decode()
        except UnicodeDecodeError as error:
            rules = self._with_all_rules()
            rules.fail_text(error)
            self._write_out(rules)
        else:
            self._hear(text)

    def _with_all_rules(self) -> FullParser:
        if self._rules is None:
            self._rules = FullParser()
        return self._rules


class FullParser(WebSocket):
    """RFC 6455 as `websockets` knows it; whole messages, and whether text is text, it leaves to its users."""

    def __init__(self) -> None:
        super().__init__(SERVER, max_size=MAX_CLIENT_FRAME, logger=_QUIET)
        self._parts = bytearray()
        self._is_text = False
        self._odd = 0
        self.messages: list[Frame] = []
        """Those that nobody has heard yet."""

    def recv_frame(self, frame: WebSocketFrame) -> None:
        super().recv_frame(frame)
        self._odd += not frame.fin or frame.opcode in (Opcode.PING, Opcode.PONG)
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._parts, self._is_text = bytearray(), frame.opcode is Opcode.TEXT
        elif frame.opcode is not Opcode.CONT:
            return
        self._parts += frame.data
        if frame.fin:
            # What is no text raises UnicodeDecodeError, which ends the connection as it should.
            self.messages.append(self._parts.decode() if self._is_text else bytes(self._parts))

    def control_frames(self) -> int:
        """How many have come since the last time that end no message."""
        odd, self._odd = self._odd, 0
        return odd

    def fail_text(self, error: UnicodeDecodeError) -> None:
        """As if it had read that text itself."""
        self.fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")


def framed(frame: Frame) -> bytes:
    """With the header of a WebSocket message that a server sends whole and uncompressed (RFC 6455, 5.2)."""
    if isinstance(frame, bytes):
        first, payload = _BINARY, frame
    else:
        first, payload = _TEXT, frame.encode()
    size = len(payload)
    if size < 126:
        return _HEADER(first, size) + payload
    if size < 65_536:
        return _HEADER_16(first, 126, size) + payload
    return _HEADER_64(first, 127, size) + payload
