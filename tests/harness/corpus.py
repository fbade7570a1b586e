"""Invalid or nearly valid frames: damaged recordings, random pieces, and small frames with large demands.

tests/protocol/test_fuzz.py draws a few with hypothesis, trials/fuzz.py draws millions.
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgpack

from generate.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from tablero_protocol.codec import CODECS, MAX_CLIENT_FRAME, Codec, Frame, ProtocolError

# Parts of frames

WORDS = ["type", "id", "room", "ping", "playTurn", "nextPlayer", "options", "view", "\x00", "é" * 40]
MSGPACK_PIECES = [
    *(bytes([first]) for first in range(256)),
    *(msgpack.packb(word) for word in WORDS),
    b"\xdc\x00\x40",
    b"\xde\x00\x20",
    b"\xda\x00\x30" + b"x" * 48,
    b"\xc7\x00\x01",
    b"\xcb\x7f\xf8" + bytes(6),
    b"\x84\xa4type\xa4ping\xa2id\xa21a",
]
JSON_PIECES = [
    *'{}[]:, \n"\\\t0-.',
    *(f'"{word}"' for word in WORDS),
    *("null", "true", "NaN", "-Infinity", "1e999", "1e-999", "9" * 30, "-0", "0.5"),
    *('"\\ud800"', '"\\u0000"', '\\"', '"\\', "\ud800", "\ufeff", '{"type":"ping","id":"1a","a":'),
]

ODD_VALUES: list[Any] = [
    *(None, True, 0, -1, 2**63 - 1, 2**64 - 1, -(2**63), 1.5, 1e308, "", "x" * 300, "\x00", "\x1b[2J"),
    *([], {}, [[]], {"": {}}, [0] * 65, {str(at): at for at in range(33)}, ["x" * 64] * 20),
]

# Damaged recordings

RECORDED = {
    codec.subprotocol: [codec.encode(example) for example in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES)]
    for codec in CODECS.values()
}


def flip(frame: Any, at: int, other: Any, with_byte: int) -> Any:
    replaced = bytes([with_byte]) if isinstance(frame, bytes) else chr(with_byte)
    return frame[:at] + replaced + frame[at + 1 :]


def truncate(frame: Any, at: int, other: Any, with_byte: int) -> Any:
    return frame[:at]


def splice(frame: Any, at: int, other: Any, with_byte: int) -> Any:
    return frame[:at] + other[at:]


def insert(frame: Any, at: int, other: Any, with_byte: int) -> Any:
    return frame[:at] + other[:with_byte] + frame[at:]


def repeat(frame: Any, at: int, other: Any, with_byte: int) -> Any:
    return frame[:at] + frame[at : at + with_byte] * 3 + frame[at + with_byte :]


DAMAGES: list[Callable[[Any, int, Any, int], Any]] = [flip, truncate, splice, insert, repeat]

# Bombs: small frames with large demands


def filled(piece: Frame, size: int = MAX_CLIENT_FRAME, start: Any = b"") -> Any:
    start = start if isinstance(piece, bytes) else start or ""
    return start + piece * ((size - len(start)) // len(piece))


MSGPACK_BOMBS = {
    "lists of 64 inside each other": b"\xdc\x00\x40",
    "lists of 65,535 inside each other": b"\xdc\xff\xff",
    "lists of 4 billion inside each other": b"\xdd\xff\xff\xff\xff",
    "lists of 15 inside each other": b"\x9f",
    "lists of 1 inside each other": b"\x91",
    "empty lists": b"\x90",
    "maps of 15 inside each other": b"\x8f\xa0",
    "maps of 32 inside each other": b"\xde\x00\x20\xa0",
    "maps of 1 inside each other": b"\x81\xa0",
    "empty maps": b"\x80",
    "empty texts": b"\xa0",
    "nothing but nil": b"\xc0",
    "large numbers": b"\xcf" + b"\xff" * 8,
    "extensions": b"\xc7\x00\x01",
    "long texts that are not there": b"\xda\xff\xff",
    "texts of 32 bits": b"\xdb\xff\xff\xff\xff",
}
MSGPACK_STARTS = {
    "alone": b"",
    "in lists": b"\xdc\x00\x40",
    "in a message": b"\x83\xa4type\xa4ping\xa2id\xa11\xa1x",
}

JSON_BOMBS = {
    "lists inside each other": "[",
    "maps inside each other": '{"":',
    "empty lists": "[],",
    "empty maps": "{},",
    "numbers": "0,",
    "large numbers": "12345678901234567890,",
    "digits": "9",
    "exponents": "9e9",
    "quotes": '"',
    "escaped quotes": '\\"',
    "backslashes": "\\",
    "escapes": "\\u0041",
    "spaces": " ",
    "letters": "x",
    "emoji": "😀",
}
JSON_STARTS = {"alone": "", "in a list": "[", "in a text": '"', "in a message": '{"type":"ping","x":['}

# Decoding


def refusal(decode: Callable[[Frame], Any], frame: Frame) -> ProtocolError | None:
    try:
        decode(frame)
    except ProtocolError as refused:
        return refused
    return None


def peak_memory(codec: Codec, frame: Frame) -> int:
    tracemalloc.start()
    try:
        refusal(codec.decode_client, frame)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Random frames


def frames(codec: Codec, random: Random) -> Iterator[Frame]:
    """Frames without end: mostly damaged recordings, the rest of all other kinds."""
    makers = [_damaged] * 6 + [_odd] * 2 + [_pieces, _noise, _bomb, _twice]
    while True:
        yield random.choice(makers)(codec, random)


def _damaged(codec: Codec, random: Random) -> Frame:
    recorded = RECORDED[codec.subprotocol]
    frame: Any = random.choice(recorded)
    for _ in range(random.randint(0, 3)):
        at = random.randrange(max(1, len(frame)))
        frame = random.choice(DAMAGES)(frame, at, random.choice(recorded), random.randrange(256))
    return frame if isinstance(frame, bytes | str) else bytes(frame)


def _odd(codec: Codec, random: Random) -> Frame:
    example = dict(random.choice(CLIENT_EXAMPLES))
    for _ in range(random.randint(1, 2)):
        name = random.choice([*example, *WORDS])
        example[name] = random.choice(ODD_VALUES)
    return codec.encode(example)


def _pieces(codec: Codec, random: Random) -> Frame:
    if codec.binary:
        return b"".join(random.choices(MSGPACK_PIECES, k=random.randrange(80)))
    return "".join(random.choices(JSON_PIECES, k=random.randrange(80)))


def _noise(codec: Codec, random: Random) -> Frame:
    noise = random.randbytes(random.randrange(200))
    return noise if codec.binary else noise.decode("latin-1")


def _bomb(codec: Codec, random: Random) -> Frame:
    bombs: dict[str, Any] = MSGPACK_BOMBS if codec.binary else JSON_BOMBS
    starts: dict[str, Any] = MSGPACK_STARTS if codec.binary else JSON_STARTS
    bomb, start = random.choice(list(bombs.values())), random.choice(list(starts.values()))
    made: Frame = filled(bomb, random.choice([64, 128, 129, 1_000, MAX_CLIENT_FRAME]), start)
    return made


def _twice(codec: Codec, random: Random) -> Frame:
    """A map with the same key twice."""
    frame = codec.encode(random.choice(CLIENT_EXAMPLES))
    if isinstance(frame, str):
        return f'{frame[:-1]},"id":"2b"}}'
    return bytes([frame[0] + 1]) + frame[1:] + b"\xa2id\xa22b"
