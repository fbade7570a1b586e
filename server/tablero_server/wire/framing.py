"""Converts between bytes and whole messages by RFC 6455, without sockets or clocks.

Nearly every frame is a pong, or a whole message in one masked frame. These are read here without a parser
object. From the first other frame on, `websockets` (its protocol without I/O) reads all frames.
"""

from __future__ import annotations

import logging
from struct import Struct

from websockets.frames import CloseCode, Opcode, apply_mask  # type: ignore[attr-defined]
from websockets.frames import Frame as WebSocketFrame
from websockets.protocol import SERVER
from websockets.protocol import Protocol as WebSocket

from tablero_protocol.codec import MAX_CLIENT_FRAME, Frame

BYTES_A_TURN = 8_192
"""The bytes read from one peer before others get their turn. A frame of the largest size is shorter."""
_FULL_BYTES_A_TURN = 1_024
"""The bytes read in a turn by FullParser, which needs more time for each frame."""
_TEXT, _BINARY, _PING, _PONG = 0x81, 0x82, 0x89, 0x8A
_CONTROL_BYTES = 125
_MASKED, _LENGTH_16, _LENGTH_64 = 0x80, 126, 127
_HEADER, _HEADER_16, _HEADER_64 = Struct("!BB").pack, Struct("!BBH").pack, Struct("!BBQ").pack
_QUIET = logging.getLogger("tablero.websocket")
_QUIET.setLevel(logging.ERROR)  # one line for each closed connection is not worth reading


class PongBytes(bytes):
    """The payload of a pong."""


class Framing:
    """The unread bytes of one peer."""

    __slots__ = ("_unheard", "full", "more", "unread")

    def __init__(self) -> None:
        self.unread = b""
        self._unheard: list[Frame] = []
        self.full: FullParser | None = None
        """The full parser; None until the first frame that it must read."""
        self.more = False
        """Whether bytes are left that can be read in the next turn."""

    def messages(self) -> list[Frame]:
        """The messages in one turn's share of bytes, up to the first frame that needs the full parser."""
        if self._unheard:
            messages, self._unheard = self._unheard, []
            self.more = bool(self.unread)
            return messages
        if self.full is not None:
            return self._read_fully(self.full)
        unread = self.unread
        size = len(unread) - 6
        if 0 <= size < _LENGTH_16 and unread[0] == _BINARY and unread[1] == _MASKED + size:
            self.unread, self.more = b"", False  # one short message and nothing else: the usual case
            return [apply_mask(unread[6:], unread[2:6])]
        data, rest = unread[:BYTES_A_TURN], unread[BYTES_A_TURN:]
        messages = []
        at, end, unfit = 0, len(data), False
        while at < end and self.full is None:
            opcode, start = data[at], at + 6
            size = data[at + 1] - _MASKED if at + 1 < end else 0
            if size == _LENGTH_16:
                start += 2
                size = data[at + 2] << 8 | data[at + 3] if start <= end else 0
            elif size == _LENGTH_64:
                size = -1
            most = _CONTROL_BYTES if opcode == _PONG else MAX_CLIENT_FRAME
            if (opcode != _BINARY and opcode != _TEXT and opcode != _PONG) or not 0 <= size <= most:
                self.use_full_parser()
                break
            stop = start + size
            if stop > end:
                break
            payload = apply_mask(data[start:stop], data[start - 4 : start])
            if opcode == _BINARY:
                messages.append(payload)
            elif opcode == _PONG:
                messages.append(PongBytes(payload))
            else:
                try:
                    messages.append(payload.decode())
                except UnicodeDecodeError as error:
                    if messages:  # these are delivered before the connection fails
                        unfit = True
                        break
                    self.use_full_parser().fail_text(error)
            at = stop
        self.unread = data[at:] + rest
        self.more = unfit or bool(rest) or self.full is not None
        return self._read_fully(self.full) if self.full is not None and not messages else messages

    def take_back(self, messages: list[Frame]) -> None:
        """Puts back the last of the messages from `messages`; they come first in the next turn."""
        self._unheard = messages
        self.more = True

    def _read_fully(self, full: FullParser) -> list[Frame]:
        chunk, self.unread = self.unread[:_FULL_BYTES_A_TURN], self.unread[_FULL_BYTES_A_TURN:]
        full.receive_data(chunk)
        full.events_received()
        messages, full.messages = full.messages, []
        self.more = bool(self.unread)
        return messages

    def use_full_parser(self) -> FullParser:
        if self.full is None:
            self.full = FullParser()
        return self.full


class FullParser(WebSocket):
    """The parser of `websockets`, which also joins frames into whole messages and checks that text
    is valid.
    """

    def __init__(self) -> None:
        super().__init__(SERVER, max_size=MAX_CLIENT_FRAME, logger=_QUIET)
        self._parts = bytearray()
        self._is_text = False
        self._odd = 0
        self.messages: list[Frame] = []
        """The unread messages."""

    def recv_frame(self, frame: WebSocketFrame) -> None:
        super().recv_frame(frame)
        self._odd += not frame.fin or frame.opcode is Opcode.PING
        if frame.opcode is Opcode.PONG:
            self.messages.append(PongBytes(frame.data))
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._parts, self._is_text = bytearray(), frame.opcode is Opcode.TEXT
        elif frame.opcode is not Opcode.CONT:
            return
        self._parts += frame.data
        if frame.fin:
            # Invalid text raises UnicodeDecodeError, which ends the connection with the right code.
            self.messages.append(self._parts.decode() if self._is_text else bytes(self._parts))

    def control_frames(self) -> int:
        """The number of pings, and of frames that don't end a message, since the last call."""
        odd, self._odd = self._odd, 0
        return odd

    def end(self) -> None:
        """Stops reading, and breaks the reference cycles that its generator and an error's traceback make."""
        self.parser.close()
        self.parser_exc = None

    def fail_text(self, error: UnicodeDecodeError) -> None:
        """Fails as if the parser itself had found the invalid text."""
        self.fail(CloseCode.INVALID_DATA, f"{error.reason} at position {error.start}")


def ping_frame(payload: bytes) -> bytes:
    return _HEADER(_PING, len(payload)) + payload


def framed(frame: Frame) -> bytes:
    """The frame as an unfragmented, uncompressed WebSocket message of a server (RFC 6455, 5.2)."""
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
