"""Converts messages to frames and back, in msgpack and in JSON, with strict limits on incoming frames.

Law: decoding any bytes gives a valid message or raises ProtocolError, in bounded time and memory. An incoming
frame passes its size limit, a scan (scan.py), a parser with caps, and the model (messages.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, NoReturn, TypeAlias, TypeVar, get_args

from msgpack import Packer, unpackb
from pydantic import BaseModel, TypeAdapter, ValidationError

from . import complaint
from .messages import CLIENT_MESSAGE, SERVER_MESSAGE, ClientMessage, Id, ServerMessage
from .reasons import REASONS, sentence_of
from .scan import FROM_CLIENT, FROM_SERVER, SMALL, Bounds, FrameError, scan_json, scan_msgpack

MAX_CLIENT_FRAME = FROM_CLIENT.frame
MAX_SERVER_FRAME = FROM_SERVER.frame

Frame: TypeAlias = bytes | str
Message = TypeVar("Message", ClientMessage, ServerMessage)


class ProtocolError(ValueError):
    """Raised for a frame that is not a message of the protocol. `re` is the id of the command, if it could be
    read.
    """

    def __init__(self, reason: str, fields: dict[str, Any] | None = None, re: str | None = None) -> None:
        self.reason = reason
        self.fields = fields or {}
        self.code = REASONS[reason].code
        self.sentence = sentence_of(reason, self.fields)
        self.re = re
        super().__init__(self.sentence)


@dataclass(frozen=True, slots=True)
class Codec:
    """One subprotocol: how its frames are read and written."""

    subprotocol: str
    binary: bool
    read: Callable[[Frame, Bounds], Any]
    pack: Callable[[Any], Frame]
    """Encodes a map in wire format as a frame."""

    def decode_client(self, frame: Frame) -> ClientMessage:
        raw = self.read(frame, FROM_CLIENT)
        try:
            return _CLIENT.validate(raw, by_alias=True, by_name=False, extra="forbid")
        except ValidationError as error:
            _CLIENT.refuse(raw, error)

    def decode_server(self, frame: Frame) -> ServerMessage:
        return server_message(self.read(frame, FROM_SERVER))

    def encode(self, message: dict[str, Any] | BaseModel) -> Frame:
        return self.pack(message if isinstance(message, dict) else to_wire(message))


def to_wire(message: BaseModel) -> dict[str, Any]:
    """The message as a plain map in camelCase, without fields whose default is None."""
    wire = message.model_dump(by_alias=True, exclude_none=True)
    for name, field in type(message).model_fields.items():
        if field.default is not None and getattr(message, name) is None:
            wire[field.alias or name] = None  # here None has a meaning, as in `createRoom.seat`: only watch
    return wire


# From a raw map to a message


class _Direction(Generic[Message]):
    """All messages of one sender."""

    def __init__(self, adapter: TypeAdapter[Message], union: Any, answer_to: str) -> None:
        self.validate: Callable[..., Message] = adapter.validator.validate_python
        self._fields = {
            model.model_fields["type"].default: [field.alias for field in model.model_fields.values()]
            for model in get_args(union)
        }
        self._answer_to = answer_to

    def refuse(self, raw: Any, error: ValidationError) -> NoReturn:
        if not isinstance(raw, dict):
            raise ProtocolError("notAMap") from None
        re = raw.get(self._answer_to)
        re = re if _ID.isinstance_python(re) else None
        kind = raw.get("type")
        if not isinstance(kind, str):
            wrong = "fieldNoText" if "type" in raw else "fieldMissing"
            raise ProtocolError(wrong, {"field": "type"}, re) from None
        if kind not in self._fields:
            raise ProtocolError(*complaint.unknown_type(kind, list(self._fields)), re) from None
        detail = error.errors(include_url=False, include_input=False)[0]
        raise ProtocolError(*complaint.wrong_field(kind, detail, self._fields[kind]), re) from None


_ID = TypeAdapter(Id).validator
_CLIENT = _Direction(CLIENT_MESSAGE, ClientMessage, answer_to="id")
_SERVER = _Direction(SERVER_MESSAGE, ServerMessage, answer_to="re")


def server_message(raw: Any) -> ServerMessage:
    """Turns a raw map into the message that it contains. An unknown type raises `unknownType`: the server is
    newer, and the client skips the message.
    """
    try:
        return _SERVER.validate(raw, by_alias=True, by_name=False, extra="ignore")
    except ValidationError as error:
        _SERVER.refuse(raw, error)


# From a frame to a raw map


def _read_msgpack(frame: Frame, bounds: Bounds) -> Any:
    if isinstance(frame, str):
        raise ProtocolError("onlyMsgpack")
    try:
        if len(frame) <= SMALL and _STR32 not in frame:
            raw = unpackb(frame)
            # A flat map with as many keys as its first byte says needs no further scan.
            if type(raw) is dict and len(raw) == frame[0] - 0x80:
                for key, value in raw.items():
                    if type(key) is not str or type(value) not in _PLAIN:
                        break
                else:
                    return raw
        scan_msgpack(frame, bounds)
        return unpackb(
            frame,
            max_array_len=bounds.array,
            max_map_len=bounds.map,
            object_pairs_hook=_without_doubles,
        )
    except FrameError as unfit:
        raise ProtocolError(unfit.reason, unfit.fields) from None
    except ValueError:
        raise ProtocolError("notMsgpack") from None


_PLAIN = frozenset({str, int, bool, type(None)})
_STR32 = 0xDB


def _read_json(frame: Frame, bounds: Bounds) -> Any:
    if not isinstance(frame, str):
        raise ProtocolError("onlyJson")
    try:
        # checked before encoding, because there are at least as many bytes as characters
        if len(frame) > bounds.frame:
            raise FrameError("frameTooLong", most=bounds.frame)
        encoded = frame.encode()
        if len(encoded) > SMALL or "[" in frame or frame.count("{") > 1:
            scan_json(encoded, bounds)
        raw = _PARSER.decode(frame)
        if "\\u" in frame:
            _WRITER.encode(raw).encode()  # fails on half a surrogate pair, which is not valid text
        return raw
    except FrameError as unfit:
        raise ProtocolError(unfit.reason, unfit.fields) from None
    except ValueError:
        raise ProtocolError("notJson") from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise FrameError("sameKeyTwice")
    return entries


def _no_constant(name: str) -> NoReturn:
    raise FrameError("noNumber", name=name)


def _whole(digits: str) -> int:
    """Parses an integer. Raises FrameError if it is too large for msgpack."""
    number = int(digits) if len(digits) <= 20 else 2**64
    if not -(2**63) <= number < 2**64:
        raise FrameError("over64Bits")
    return number


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise FrameError("notFinite")
    return number


# One parser of each kind for the whole process, because a call holds the interpreter's lock.
_PACKER = Packer()
_PARSER = json.JSONDecoder(
    object_pairs_hook=_without_doubles, parse_int=_whole, parse_float=_finite, parse_constant=_no_constant
)
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

SUBPROTOCOLS: tuple[str, ...] = ("tablero.v1.msgpack", "tablero.v1.json")
"""The subprotocols. The server prefers the first if a client offers both."""
CODECS: dict[str, Codec] = {
    "tablero.v1.msgpack": Codec("tablero.v1.msgpack", True, _read_msgpack, _PACKER.pack),
    "tablero.v1.json": Codec("tablero.v1.json", False, _read_json, _WRITER.encode),
}
