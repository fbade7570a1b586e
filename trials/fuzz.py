"""Fuzzing: millions of frames for the decoder, and thousands through the sockets of a real server.

`python -m trials.fuzz [--frames N] [--socket-frames N] [--seed S]` draws damaged recordings, bombs and noise
from tests/harness/corpus.py, half of them msgpack, half JSON. Each frame must give a message or
ProtocolError. 99.9 of 100 frames must take less than a millisecond of CPU. A frame may allocate at most 128
KiB (each 5,000th is traced). On the sockets there must be no traceback, however often the sender is
disconnected.
"""

from __future__ import annotations

import asyncio
import sys
import time
from argparse import ArgumentParser
from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from tablero_protocol.codec import CODECS, Codec, ProtocolError
from tests.harness.corpus import frames, peak_memory
from tests.harness.fuzzing import send_damaged
from tests.harness.raw import Raw
from tests.harness.serving import Serving
from trials.overload import a_deployed_server, complaints

MOST_SECONDS = 0.001
MOST_BYTES = 128 * 1_024
TRACED = 5_000
_SLOTS = 100_001


@dataclass
class Fuzzed:
    counted: Counter[str] = field(default_factory=Counter)
    """The number of frames that became messages, and of refusals by code."""
    microseconds: array[int] = field(default_factory=lambda: array("Q", bytes(8 * _SLOTS)))
    """The number of frames by duration."""
    largest: int = 0
    """The most bytes allocated for one frame."""
    broken: list[str] = field(default_factory=list)
    """Frames that raised an unexpected error."""

    def quantile(self, share: float) -> float:
        """The longest time in seconds that this share of the frames took."""
        left = share * sum(self.microseconds)
        for slot, many in enumerate(self.microseconds):
            left -= many
            if left <= 0:
                return (slot + 1) / 1e6
        raise AssertionError("nothing was measured")


def fuzz(codec: Codec, many: int, seed: int, found: Fuzzed) -> None:
    """Decodes that many frames. Both codecs add to the same findings."""
    decode, clock = codec.decode_client, time.thread_time_ns
    for number, frame in enumerate(islice(frames(codec, Random(seed)), many)):
        begun = clock()
        try:
            decode(frame)
            outcome = "messages"
        except ProtocolError as refused:
            outcome = refused.code.value
        except Exception as error:
            outcome = "broken"
            found.broken.append(f"{type(error).__name__} for {frame!r:.300}")
        found.microseconds[min((clock() - begun) // 1_000, _SLOTS - 1)] += 1
        found.counted[outcome] += 1
        if number % TRACED == 0 and outcome != "broken":
            found.largest = max(found.largest, peak_memory(codec, frame))


async def fuzz_sockets(serving: Serving, many: int, seed: int) -> tuple[int, int]:
    """Sends frames through sockets. Returns the numbers of frames and of connections."""
    sent = connections = 0
    drawn = [(codec, frames(codec, Random(seed))) for codec in CODECS.values()]
    while sent < many:
        codec, generated = drawn[connections % len(drawn)]
        reader, writer = await asyncio.open_connection("127.0.0.1", serving.port)
        sent += await send_damaged(Raw(reader, writer), codec, generated)
        connections += 1
        writer.close()
    return sent, connections


def verdict(found: Fuzzed) -> list[str]:
    wrong = found.broken[:20]
    if found.quantile(0.999) > MOST_SECONDS:
        wrong.append(f"p99.9 is {found.quantile(0.999) * 1e3:.2f} ms")
    if found.largest > MOST_BYTES:
        wrong.append(f"{found.largest / 1_024:.0f} KiB were allocated for one frame")
    return wrong


def main(typed: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=1_000_000)
    parser.add_argument("--socket-frames", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(typed)
    begun, found = time.perf_counter(), Fuzzed()
    for codec in CODECS.values():
        fuzz(codec, chosen.frames // len(CODECS), chosen.seed, found)
    told = ", ".join(f"{many} {what}" for what, many in found.counted.most_common())
    print(f"{sum(found.counted.values())} frames in {time.perf_counter() - begun:.0f} s: {told}")
    print(
        f"p50 {found.quantile(0.5) * 1e6:.0f} µs, p99.9 {found.quantile(0.999) * 1e6:.0f} µs,"
        f" slowest {found.quantile(1) * 1e6:.0f} µs; at most {found.largest / 1_024:.0f} KiB for one frame"
    )
    wrong = verdict(found)
    if chosen.socket_frames:
        with a_deployed_server() as serving:
            sent, connections = asyncio.run(fuzz_sockets(serving, chosen.socket_frames, chosen.seed))
            serving.wait_until_open()
            wrong += complaints(serving)
        print(f"{sent} frames over {connections} connections of a real server")
    print("\n".join(wrong) or "all as promised")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
