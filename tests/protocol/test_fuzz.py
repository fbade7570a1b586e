"""tablero_protocol/codec.py under fire: a message or ProtocolError comes out, in little time and memory."""

from __future__ import annotations

import os
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generate.examples import CLIENT_EXAMPLES, SERVER_EXAMPLES
from tablero_protocol.codec import CODECS, SUBPROTOCOLS, Codec, Frame
from tablero_protocol.codes import Code
from tablero_protocol.scan import FROM_CLIENT, SMALL
from tests.harness.corpus import (
    DAMAGES,
    JSON_BOMBS,
    JSON_PIECES,
    JSON_STARTS,
    MSGPACK_BOMBS,
    MSGPACK_PIECES,
    MSGPACK_STARTS,
    RECORDED,
    WORDS,
    filled,
    frames,
    peak_memory,
    refusal,
)

MSGPACK, JSON = (CODECS[name] for name in SUBPROTOCOLS)
LONGEST_SENTENCE = 200
MOST_MEMORY = 128 * 1024
MOST_SECONDS = 0.05

# FUZZ_EXAMPLES=20000 looks further, and each time elsewhere.
EXAMPLES = os.environ.get("FUZZ_EXAMPLES")
steadily = settings(max_examples=int(EXAMPLES or 200), derandomize=EXAMPLES is None)


def survives(codec: Codec, frame: Frame) -> None:
    """Both directions take the frame, or refuse it as they promise."""
    for decode in (codec.decode_client, codec.decode_server):
        refused = refusal(decode, frame)
        if refused is None:
            message: Any = decode(frame)
            assert decode(codec.encode(message)) == message
        else:
            assert refused.code in (Code.BAD_FRAME, Code.BAD_MESSAGE, Code.UNKNOWN_TYPE)
            assert len(refused.sentence) <= LONGEST_SENTENCE
            assert refused.sentence.isprintable()


# Bytes from nowhere


@steadily
@given(st.binary(max_size=200))
def test_any_bytes(frame: bytes) -> None:
    survives(MSGPACK, frame)


@steadily
@given(st.text(st.characters(), max_size=200))
def test_any_text(frame: str) -> None:
    survives(JSON, frame)


# Frames put together from what could be in one


@steadily
@given(st.lists(st.sampled_from(MSGPACK_PIECES), max_size=80).map(b"".join))
def test_pieces_of_msgpack_in_any_order(frame: bytes) -> None:
    survives(MSGPACK, frame)


@steadily
@given(st.lists(st.sampled_from(JSON_PIECES), max_size=80).map("".join))
def test_pieces_of_json_in_any_order(frame: str) -> None:
    survives(JSON, frame)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=6),
    max_leaves=30,
)


@steadily
@given(values, st.sampled_from([*CLIENT_EXAMPLES, *SERVER_EXAMPLES]), st.data())
def test_a_message_with_any_value_in_one_of_its_fields(value: Any, example: Any, data: st.DataObject) -> None:
    field = data.draw(st.sampled_from(sorted(example)))
    changed = example | {field: value}
    survives(MSGPACK, MSGPACK.encode(changed))
    try:
        frame = JSON.encode(changed)
    except ValueError:  # JSON has no infinity to write
        return
    survives(JSON, frame)


# Recorded frames, damaged


@pytest.mark.parametrize("codec", CODECS.values(), ids=["msgpack", "json"])
@pytest.mark.parametrize("damage", DAMAGES)
@steadily
@given(data=st.data())
def test_a_damaged_frame(codec: Codec, damage: Callable[..., Any], data: st.DataObject) -> None:
    recorded = st.sampled_from(RECORDED[codec.subprotocol])
    frame, other = data.draw(recorded), data.draw(recorded)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(frame) - 1)))
        frame = damage(frame, at, other, data.draw(st.integers(0, 255)))
    survives(codec, frame)


@pytest.mark.parametrize("codec", CODECS.values(), ids=["msgpack", "json"])
def test_a_few_of_those_that_the_long_run_draws(codec: Codec) -> None:
    drawn = frames(codec, Random(1))
    for _ in range(2_000):
        survives(codec, next(drawn))


# Bombs: small frames that ask for much


def seconds(codec: Codec, frame: Frame) -> float:
    """The best of three, so that a busy machine is not taken for a slow codec."""
    took = []
    for _ in range(3):
        before = time.process_time()
        refusal(codec.decode_client, frame)
        took.append(time.process_time() - before)
    return min(took)


@pytest.mark.parametrize("start", MSGPACK_STARTS)
@pytest.mark.parametrize("bomb", MSGPACK_BOMBS)
def test_a_msgpack_bomb_fizzles(bomb: str, start: str) -> None:
    frame = filled(MSGPACK_BOMBS[bomb], start=MSGPACK_STARTS[start])
    assert peak_memory(MSGPACK, frame) <= MOST_MEMORY
    assert seconds(MSGPACK, frame) <= MOST_SECONDS


@pytest.mark.parametrize("start", JSON_STARTS)
@pytest.mark.parametrize("bomb", JSON_BOMBS)
def test_a_json_bomb_fizzles(bomb: str, start: str) -> None:
    frame = filled(JSON_BOMBS[bomb], start=JSON_STARTS[start])
    assert peak_memory(JSON, frame) <= MOST_MEMORY
    assert seconds(JSON, frame) <= MOST_SECONDS


@pytest.mark.parametrize("bomb", MSGPACK_BOMBS)
def test_a_frame_too_small_to_be_scanned_cannot_ask_for_much_either(bomb: str) -> None:
    frame = filled(MSGPACK_BOMBS[bomb], size=SMALL)
    assert peak_memory(MSGPACK, frame) <= MOST_MEMORY


def test_the_largest_message_within_the_limits_stays_small_too() -> None:
    lists: Any = [[{} for _ in range(n)] for n in [63] * 7 + [51]]
    wanted = {"type": "ping", "id": "1", "x": lists, "pad": "x" * 2000, "more": "y" * 500}
    for codec in CODECS.values():
        assert codec.read(codec.encode(wanted), FROM_CLIENT) == wanted
        assert peak_memory(codec, codec.encode(wanted)) <= MOST_MEMORY


def test_the_parser_alone_would_not_withstand_what_the_scan_keeps_from_it() -> None:
    frame = filled(MSGPACK_BOMBS["lists of 64 inside each other"])
    tracemalloc.start()
    with suppress(ValueError):
        msgpack.unpackb(frame, max_array_len=FROM_CLIENT.array)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak > MOST_MEMORY
