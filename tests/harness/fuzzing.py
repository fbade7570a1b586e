"""Damaged frames through a real socket, until the server hangs up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from itertools import islice

from tablero_protocol.codec import Codec, Frame
from tests.harness.raw import BINARY, TEXT, Raw, close, frame, request

A_ROUND = 20
"""The number of frames for one connection; most end earlier, because eight unreadable frames close the
connection.
"""


async def send_damaged(raw: Raw, codec: Codec, generated: Iterator[Frame]) -> int:
    """Says hello, sends a round of frames, and reads all answers. Returns the number of sent frames."""
    await raw.send(request(Sec_WebSocket_Protocol=codec.subprotocol))
    assert await raw.status() == 101
    hello = {"type": "hello", "id": "h", "protocol": 1, "client": "fuzz"}
    listening = asyncio.create_task(raw.reader.read(-1))
    frames = list(islice(generated, A_ROUND))
    sent = 0
    for each in [codec.encode(hello), *frames]:
        if listening.done():
            break
        await raw.send(on_the_wire(each))
        sent += 1
    await raw.send(close(1000))
    async with asyncio.timeout(40):
        await asyncio.wait([listening])
    assert listening.exception() is None or isinstance(listening.exception(), ConnectionError)
    return sent


def on_the_wire(each: Frame) -> bytes:
    """The frame as bytes. Half a surrogate pair stays as it is, because the server must notice it."""
    if isinstance(each, bytes):
        return frame(BINARY, each)
    return frame(TEXT, each.encode("utf-8", "surrogatepass"))
