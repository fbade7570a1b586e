"""tablero_protocol/codec.py, scan.py and complaint.py: what a frame may be, and what is said of a bad one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

from tablero_protocol.codec import CODECS, MAX_CLIENT_FRAME, SUBPROTOCOLS, Codec, ProtocolError, to_wire
from tablero_protocol.codes import Code
from tablero_protocol.messages import CreateRoom, Ok, Ping, PlayTurn
from tablero_protocol.scan import FROM_CLIENT, FROM_SERVER, SMALL, Bounds, FrameError, scan_msgpack

MSGPACK, JSON = (CODECS[name] for name in SUBPROTOCOLS)
BOTH = pytest.mark.parametrize("codec", [MSGPACK, JSON], ids=["msgpack", "json"])
EITHER_SIDE = pytest.mark.parametrize("bounds", [FROM_CLIENT, FROM_SERVER], ids=["client", "server"])


def refusal(codec: Codec, frame: bytes | str) -> ProtocolError:
    with pytest.raises(ProtocolError) as caught:
        codec.decode_client(frame)
    return caught.value


def refusal_of(codec: Codec, message: Any) -> ProtocolError:
    return refusal(codec, codec.encode(message))


# Frames


def test_the_subprotocols_are_those_of_the_codecs_and_msgpack_comes_first() -> None:
    assert tuple(CODECS) == SUBPROTOCOLS == ("tablero.v1.msgpack", "tablero.v1.json")
    assert [(codec.subprotocol, codec.binary) for codec in CODECS.values()] == [
        ("tablero.v1.msgpack", True),
        ("tablero.v1.json", False),
    ]


@BOTH
def test_a_command_is_read_as_it_was_written(codec: Codec) -> None:
    turn = PlayTurn(id="a1", room="r1", seat=1, ply=7, move="b2")
    assert codec.decode_client(codec.encode(turn)) == turn
    assert isinstance(codec.encode(turn), bytes if codec.binary else str)


def test_a_text_frame_is_refused_on_msgpack_and_a_binary_one_on_json() -> None:
    ping = Ping(id="a1")
    assert refusal(MSGPACK, JSON.encode(ping)).code is Code.BAD_FRAME
    assert refusal(JSON, MSGPACK.encode(ping)).code is Code.BAD_FRAME


def deep(levels: int) -> Any:
    """A map that holds lists inside lists, `levels` containers in all."""
    value: Any = 0
    for _ in range(levels - 1):
        value = [value]
    return {"a": value}


def many(items: int) -> dict[str, Any]:
    """A map of `items` values in all: itself, 24 keys, 24 lists, and what they hold."""
    inside = items - 49
    return {str(n): [0] * (inside // 24 + (n < inside % 24)) for n in range(24)}


def sized(size: int, codec: Codec) -> dict[str, Any]:
    """A map whose frame has exactly `size` bytes."""
    wanted = {str(n): "x" * (size // 8 - 16) for n in range(8)}
    room = size - len(codec.encode(wanted))
    return wanted | {"0": wanted["0"] + "x" * room}


LIMITS: dict[str, Callable[[int, Codec], dict[str, Any]]] = {
    "depth": lambda n, codec: deep(n),
    "items": lambda n, codec: many(n),
    "array": lambda n, codec: {"a": [0] * n},
    "map": lambda n, codec: {"a": {str(k): 0 for k in range(n)}},
    "frame": lambda n, codec: sized(n, codec),
}


@BOTH
@pytest.mark.parametrize("limit", LIMITS)
def test_a_frame_at_a_limit_is_read_and_one_beyond_is_refused(codec: Codec, limit: str) -> None:
    most = getattr(FROM_CLIENT, limit)
    within, beyond = LIMITS[limit](most, codec), LIMITS[limit](most + 1, codec)
    assert codec.read(codec.encode(within), FROM_CLIENT) == within
    assert refusal_of(codec, beyond).code is Code.BAD_FRAME


@BOTH
@pytest.mark.parametrize("limit", ["depth", "array", "map"])
def test_a_client_reads_larger_frames_but_not_endless_ones(codec: Codec, limit: str) -> None:
    most = getattr(FROM_SERVER, limit)
    within, beyond = LIMITS[limit](most, codec), LIMITS[limit](most + 1, codec)
    assert codec.read(codec.encode(within), FROM_SERVER) == within
    with pytest.raises(ProtocolError):
        codec.read(codec.encode(beyond), FROM_SERVER)


def test_the_size_of_a_json_frame_is_counted_in_bytes_and_not_in_characters() -> None:
    frame = JSON.encode({"a": "é" * 1024, "b": "é" * 1017})
    assert isinstance(frame, str)
    assert len(frame) < MAX_CLIENT_FRAME < len(frame.encode())
    assert "longer than 4096 bytes" in refusal(JSON, frame).sentence


def test_a_text_counts_as_it_reads_and_not_as_json_escapes_it() -> None:
    said = {"type": "say", "id": "a1", "room": "r1", "text": "\U0001f600" * 200}
    escaped = json.dumps(said)
    assert len(escaped) > 2_400
    assert JSON.decode_client(escaped) == MSGPACK.decode_client(MSGPACK.encode(said))


@BOTH
def test_a_text_that_is_too_long_is_refused_as_an_answer_to_its_command(codec: Codec) -> None:
    refused = refusal_of(codec, {"type": "say", "id": "a1", "room": "r1", "text": "x" * 4_000})
    assert (refused.code, refused.re) == (Code.BAD_MESSAGE, "a1")


PING = {"type": "ping", "id": "a1"}


def with_value(value: bytes) -> bytes:
    """A msgpack map with one more entry, whose value is these bytes."""
    return b"\x81\xa1a" + value


BAD_MSGPACK = {
    "nothing": b"",
    "no map but a list": b"\x90",
    "no map but nil": b"\xc0",
    "no map but text": b"\xa4ping",
    "a byte that msgpack never uses": with_value(b"\xc1"),
    "cut short": msgpack.packb(PING)[:-1],
    "something after the end": msgpack.packb(PING) + b"\xc0",
    "a key twice": b"\x82\xa1a\x01\xa1a\x02",
    "a key twice further in": with_value(b"\x82\xa1a\x01\xa1a\x02"),
    "a key of bytes": b"\x81\xc4\x01a\x01",
    "a key of no bytes": b"\x81\xc4\x00\x01",
    "a key that is a number": b"\x81\x01\x01",
    "a key that is a list": b"\x81\x90\x01",
    "bytes": with_value(b"\xc4\x01a"),
    "no bytes at all": with_value(b"\xc4\x00"),
    "bytes, 16-bit length": with_value(b"\xc5\x00\x01a"),
    "bytes, 32-bit length": with_value(b"\xc6\x00\x00\x00\x01a"),
    "text, 32-bit length": with_value(b"\xdb\x00\x00\x00\x01a"),
    "list, 32-bit length": with_value(b"\xdd\x00\x00\x00\x01\x01"),
    "map, 32-bit length": with_value(b"\xdf\x00\x00\x00\x01\xa1a\x01"),
    "text that is not UTF-8": with_value(b"\xa1\xff"),
    "half a surrogate pair": with_value(b"\xa3\xed\xa0\x80"),
    "not a number": with_value(b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
    "infinity": with_value(b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"),
    "short infinity": with_value(b"\xca\xff\x80\x00\x00"),
    "an empty extension": with_value(b"\xc7\x00\x01"),
    "an extension": with_value(b"\xd4\x01\x00"),
    "a timestamp": with_value(b"\xd6\xff\x00\x00\x00\x00"),
}

BAD_JSON = {
    "nothing": "",
    "no map but a list": "[]",
    "no map but null": "null",
    "no map but text": '"ping"',
    "no JSON": "ping",
    "cut short": '{"type":"ping","id":"a1"',
    "something after the end": '{"type":"ping","id":"a1"} {}',
    "a byte order mark": '\ufeff{"type":"ping","id":"a1"}',
    "a bracket too many": '{"a":1}}',
    "brackets that do not match": '{"a":[1}]',
    "a key twice": '{"a":1,"a":2}',
    "a key twice further in": '{"a":{"a":1,"a":2}}',
    "a key that is a number": '{"a":{1:1}}',
    "half a surrogate pair": '{"a":"\\ud800"}',
    "half a surrogate pair as a key": '{"\\ud800":1}',
    "half a surrogate pair, not escaped": '{"a":"\ud800"}',
    "a line break in a text": '{"a":"\n"}',
    "not a number": '{"a":NaN}',
    "infinity": '{"a":-Infinity}',
    "a number as large as infinity": '{"a":1e999}',
    "a whole number of more than 64 bits": '{"a":18446744073709551616}',
    "a negative one": '{"a":-9223372036854775809}',
    "a whole number of 4,000 digits": '{"a":' + "9" * 4000 + "}",
}


@EITHER_SIDE
@pytest.mark.parametrize("name", BAD_MSGPACK)
def test_what_no_message_needs_in_msgpack_is_refused(name: str, bounds: Bounds) -> None:
    refused_as_bad_frame(MSGPACK, BAD_MSGPACK[name], bounds)


@EITHER_SIDE
@pytest.mark.parametrize("name", BAD_MSGPACK)
def test_it_is_also_refused_inside_a_longer_frame(name: str, bounds: Bounds) -> None:
    if name in ("nothing", "something after the end", "cut short") or name.startswith("no map"):
        frame = b"\x92" + msgpack.packb("x" * SMALL) + BAD_MSGPACK[name]
    else:
        frame = b"\x82\xa4more" + msgpack.packb("x" * SMALL) + b"\xa4then" + BAD_MSGPACK[name]
    refused_as_bad_frame(MSGPACK, frame, bounds)


@EITHER_SIDE
@pytest.mark.parametrize("name", BAD_JSON)
def test_what_no_message_needs_in_json_is_refused(name: str, bounds: Bounds) -> None:
    refused_as_bad_frame(JSON, BAD_JSON[name], bounds)
    refused_as_bad_frame(JSON, BAD_JSON[name] and BAD_JSON[name] + " " * SMALL, bounds)


@pytest.mark.parametrize(
    "name", ["nothing", "cut short", "something after the end", "bytes", "a byte that msgpack never uses"]
)
def test_the_scan_finds_it_before_the_parser_does(name: str) -> None:
    with pytest.raises(FrameError):
        scan_msgpack(BAD_MSGPACK[name], FROM_CLIENT)


def refused_as_bad_frame(codec: Codec, frame: bytes | str, bounds: Bounds) -> None:
    decode = codec.decode_client if bounds is FROM_CLIENT else codec.decode_server
    with pytest.raises(ProtocolError) as caught:
        decode(frame)
    assert caught.value.code is Code.BAD_FRAME
    assert caught.value.re is None


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63), 2**53 + 1, 0])
@BOTH
def test_whole_numbers_of_64_bits_are_read_exactly(codec: Codec, number: int) -> None:
    assert codec.read(codec.encode({"a": number}), FROM_CLIENT) == {"a": number}


@pytest.mark.parametrize("size", [SMALL, SMALL + 1], ids=["read at once", "scanned first"])
def test_every_kind_of_value_is_read_in_small_frames_and_in_large_ones(size: int) -> None:
    whole = [-1, -200, 70_000, 2**40]
    value: dict[str, Any] = {"s": "é", "n": None, "t": True, "i": whole, "f": [0.5, -1e300], "m": {"k": []}}
    value["pad"] = "x" * (size - len(msgpack.packb(value | {"pad": "x" * 32})) + 32)
    frame = msgpack.packb(value)
    assert len(frame) == size
    assert MSGPACK.read(frame, FROM_CLIENT) == value


# Messages


@BOTH
def test_a_server_message_of_a_type_not_yet_known_can_be_passed_over(codec: Codec) -> None:
    with pytest.raises(ProtocolError) as caught:
        codec.decode_server(codec.encode({"type": "fireworks", "re": "a1", "loud": 1.5}))
    assert (caught.value.code, caught.value.re) == (Code.UNKNOWN_TYPE, "a1")


@BOTH
def test_a_client_passes_over_fields_that_it_does_not_know_however_deep(codec: Codec) -> None:
    line = {"room": "r", "game": "g", "options": {}, "state": "waiting", "seats": [], "watchers": 0}
    old = {"type": "lobby", "rooms": [line | {"clock": {"base": 60}}], "players": []}
    new = {"type": "lobby", "rooms": [line | {"clock": {"base": 60, "delay": 5}}], "players": [], "mood": 1}
    assert codec.decode_server(codec.encode(new)) == codec.decode_server(codec.encode(old))


# Writing


def test_a_field_that_is_none_is_left_out() -> None:
    assert to_wire(Ok(re="a1")) == {"type": "ok", "re": "a1"}


@BOTH
def test_none_is_written_where_it_says_something(codec: Codec) -> None:
    watching = CreateRoom(id="a1", game="g", seat=None)
    assert to_wire(watching)["seat"] is None
    assert codec.decode_client(codec.encode(watching)) == watching


def test_a_map_is_written_as_it_is() -> None:
    view = {"type": "nextPlayer", "view": {"cells": "..."}, "scores": None, "clocks": (1, 2)}
    as_read = json.loads(json.dumps(view))
    assert msgpack.unpackb(MSGPACK.encode(view)) == as_read
    assert json.loads(JSON.encode(view)) == as_read
    assert JSON.encode({"a": [1, "é"]}) == '{"a":[1,"é"]}'


def test_json_writes_no_number_that_it_would_not_read() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        JSON.encode({"a": float("nan")})


@BOTH
def test_what_cannot_be_written_leaves_nothing_behind(codec: Codec) -> None:
    with pytest.raises(TypeError):
        codec.encode({"a": "half written", "b": object()})
    assert codec.decode_client(codec.encode(PING)) == Ping(id="a1")
