"""RFC 6455 by the byte: the server's answer to each kind of frame, right or wrong, with the close code.

The answer `helloFirst` shows that the server received a whole message. If the server does not end a
conversation, the client ends it with 1000 after the expected answer.
"""

from __future__ import annotations

import asyncio
import logging
from typing import NamedTuple

import pytest

from tests.harness.raw import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, Raw, a_raw, close, frame
from tests.harness.tiers import FULL
from tests.harness.wire import a_server, a_wire

HI = b'{"type":"ping","id":"p"}'
WHOLE = frame(TEXT, HI)
FIRST, REST = frame(TEXT, HI[:9], fin=False), frame(CONTINUATION, HI[9:])


def padded(size: int) -> bytes:
    return HI.ljust(size)


class Case(NamedTuple):
    sent: bytes
    said: list[str]


BYE = "close 1000"
CASES = {
    # Messages
    "a text": Case(WHOLE, ["helloFirst", BYE]),
    "two texts in one packet": Case(WHOLE * 2, ["helloFirst", "helloFirst", BYE]),
    "an empty text": Case(frame(TEXT), ["badFrame", BYE]),
    "binary where the subprotocol is text": Case(frame(BINARY, HI), ["badFrame", BYE]),
    "a mask of zeros": Case(frame(TEXT, HI, mask=bytes(4)), ["helloFirst", BYE]),
    "a length of 126 bytes": Case(frame(TEXT, padded(126)), ["helloFirst", BYE]),
    "a length written longer than needed": Case(frame(TEXT, HI, longer=1), ["helloFirst", BYE]),
    "a length written much longer than needed": Case(frame(TEXT, HI, longer=2), ["helloFirst", BYE]),
    "the largest message": Case(frame(TEXT, padded(4096)), ["helloFirst", BYE]),
    # Fragments
    "a text in two fragments": Case(FIRST + REST, ["helloFirst", BYE]),
    "a text in fragments of one byte": Case(
        frame(TEXT, HI[:1], fin=False)
        + b"".join(frame(CONTINUATION, HI[at : at + 1], fin=False) for at in range(1, len(HI)))
        + frame(CONTINUATION),
        ["helloFirst", BYE],
    ),
    "empty fragments around a text": Case(
        frame(TEXT, fin=False) + frame(CONTINUATION, HI, fin=False) + frame(CONTINUATION),
        ["helloFirst", BYE],
    ),
    "a character cut in two by fragments": Case(
        frame(TEXT, b'"\xc3', fin=False) + frame(CONTINUATION, b'\xa9"'), ["badFrame", BYE]
    ),
    "a ping between two fragments": Case(FIRST + frame(PING, b"in") + REST, ["pong in", "helloFirst", BYE]),
    "a pong between two fragments": Case(FIRST + frame(PONG, b"in") + REST, ["helloFirst", BYE]),
    "a continuation of nothing": Case(REST, ["close 1002"]),
    "an unfinished continuation of nothing": Case(frame(CONTINUATION, b"x", fin=False), ["close 1002"]),
    "an empty continuation of nothing": Case(frame(CONTINUATION), ["close 1002"]),
    "a new text within a fragmented one": Case(FIRST + WHOLE, ["close 1002"]),
    "a new fragmented text within one": Case(FIRST + FIRST, ["close 1002"]),
    "a binary within a fragmented text": Case(FIRST + frame(BINARY, HI), ["close 1002"]),
    "a new text within one that is still empty": Case(frame(TEXT, fin=False) + WHOLE, ["close 1002"]),
    # Masks
    "a frame without a mask": Case(frame(TEXT, HI, mask=None), ["close 1002"]),
    "a ping without a mask": Case(frame(PING, b"x", mask=None), ["close 1002"]),
    "a close without a mask": Case(frame(CLOSE, mask=None), ["close 1002"]),
    # Reserved bits and codes
    **{f"reserved bit {bit}": Case(frame(TEXT, HI, rsv=bit), ["close 1002"]) for bit in (1, 2, 4, 7)},
    "a reserved bit on a ping": Case(frame(PING, rsv=2), ["close 1002"]),
    "a reserved bit on a continuation": Case(FIRST + frame(CONTINUATION, HI[9:], rsv=4), ["close 1002"]),
    **{f"opcode {code}": Case(frame(code, b"x"), ["close 1002"]) for code in (3, 4, 5, 6, 7)},
    **{f"control opcode {code}": Case(frame(code, b"x"), ["close 1002"]) for code in (11, 12, 13, 14, 15)},
    # Invalid text
    "half a character": Case(frame(TEXT, b"\xc3"), ["close 1007"]),
    "a surrogate": Case(frame(TEXT, b"\xed\xa0\x80"), ["close 1007"]),
    "a byte too many for one character": Case(frame(TEXT, b"\xc0\xaf"), ["close 1007"]),
    "beyond the last code point": Case(frame(TEXT, b"\xf4\x90\x80\x80"), ["close 1007"]),
    "bad text in fragments": Case(
        frame(TEXT, b"\xff", fin=False) + frame(CONTINUATION, b"x"), ["close 1007"]
    ),
    # Control frames
    "an empty ping": Case(frame(PING), ["pong", BYE]),
    "a ping with text": Case(frame(PING, b"are you there"), ["pong are you there", BYE]),
    "a ping of 125 bytes": Case(frame(PING, b"x" * 125), ["pong " + "x" * 125, BYE]),
    "a ping with bytes of every kind": Case(frame(PING, b"\x00\xff\xfe"), ["pong \x00ÿþ", BYE]),
    "three pings": Case(
        frame(PING, b"1") + frame(PING, b"2") + frame(PING, b"3"), ["pong 1", "pong 2", "pong 3", BYE]
    ),
    "a pong that nobody asked for": Case(frame(PONG, b"hm"), [BYE]),
    "a ping of 126 bytes": Case(frame(PING, b"x" * 126), ["close 1002"]),
    "a pong of 126 bytes": Case(frame(PONG, b"x" * 126), ["close 1002"]),
    "a fragmented ping": Case(frame(PING, b"x", fin=False), ["close 1002"]),
    "a fragmented close": Case(frame(CLOSE, b"\x03\xe8", fin=False), ["close 1002"]),
    # Too large
    "one byte too many": Case(frame(TEXT, padded(4097)), ["close 1009"]),
    "too many bytes in fragments": Case(
        frame(TEXT, padded(4000), fin=False) + frame(CONTINUATION, b" " * 97), ["close 1009"]
    ),
    "a declared length of 64 KiB": Case(frame(TEXT, b"", declared=65_536), ["close 1009"]),
    "a declared length of 2^62": Case(frame(TEXT, b"", declared=2**62), ["close 1009"]),
    "a declared length of 2^63": Case(frame(TEXT, b"", declared=2**63), ["close 1009"]),
    "a declared length of 2^64 - 1": Case(frame(BINARY, b"", declared=2**64 - 1), ["close 1009"]),
    "a huge continuation": Case(FIRST + frame(CONTINUATION, b"", declared=2**40), ["close 1009"]),
    # Closing
    "a close without a code": Case(frame(CLOSE), ["close"]),
    **{
        f"close with {code}": Case(close(code), [f"close {code}"])
        for code in (1000, 1001, 1003, 1007, 1009, 1011, 3000, 3999, 4000, 4999)
    },
    "a close with a reason": Case(close(1000, "adiós".encode()), [BYE]),
    "a close with the longest reason": Case(close(1000, b"x" * 123), [BYE]),
    "a close with too long a reason": Case(close(1000, b"x" * 124), ["close 1002"]),
    "a close with a reason that is no text": Case(close(1000, b"\xff\xfe"), ["close 1007"]),
    "a close with half a code": Case(frame(CLOSE, b"\x03"), ["close 1002"]),
    **{
        f"close with {code}, which is not for sending": Case(close(code), ["close 1002"])
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65_535)
    },
    "two closes": Case(close(1000) * 2, [BYE]),
    "a message after a close": Case(close(1000) + WHOLE, [BYE]),
    "nonsense after a close": Case(close(1000) + b"\xff" * 64, [BYE]),
    "a message after a mistake": Case(frame(3) + WHOLE, ["close 1002"]),
}

DEVIATIONS = {
    # Legal but useless: a peer that leaves in the middle of a message gets a close code.
    "a close between two fragments": Case(FIRST + close(1001), ["close 1002"]),
}
"""Cases in which the server is stricter than RFC 6455."""

PIECES = [0, 1, 3] if FULL else [0]


async def conversation(case: Case, piece: int = 0) -> list[str]:
    """The server's answers. The log must contain nothing else, and the server must still work."""
    enough = asyncio.Event()

    async def listen(raw: Raw) -> list[str]:
        said = await raw.hear(len(case.said) - 1)
        enough.set()
        return said + await raw.hear()

    async with a_server() as server, a_raw(server) as raw:
        await raw.upgrade()
        listening = asyncio.create_task(listen(raw))
        await raw.send(case.sent, piece)
        await enough.wait()
        if case.said[-1] == BYE:
            await raw.send(close(1000))
        said = await listening
        async with a_wire(server) as other:
            await other.hello()
    return said


@pytest.mark.parametrize("piece", PIECES)
@pytest.mark.parametrize("case", (CASES | DEVIATIONS).values(), ids=(CASES | DEVIATIONS).keys())
async def test_the_server_answers_each_frame_as_it_should(
    case: Case, piece: int, caplog: pytest.LogCaptureFixture
) -> None:
    assert await conversation(case, piece) == case.said
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []


@pytest.mark.parametrize(
    "name", ["a text", "a text in two fragments", "a ping between two fragments", "one byte too many"]
)
async def test_it_does_not_matter_how_the_bytes_are_cut_into_packets(name: str) -> None:
    assert await conversation(CASES[name], piece=1) == CASES[name].said


def test_the_table_has_enough_cases() -> None:
    assert len(CASES) >= 40
