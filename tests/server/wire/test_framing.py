"""Bytes to messages and back, without a socket: however they are cut, and by whichever parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame as WebSocketFrame
from websockets.frames import Opcode
from websockets.protocol import State

from tablero_protocol.codec import MAX_CLIENT_FRAME, Frame
from tablero_server.wire.framing import BYTES_A_TURN, Framing, framed
from tests.harness.raw import BINARY, CONTINUATION, PING, PONG, TEXT, close, frame


def read(framing: Framing, *pieces: bytes) -> tuple[list[Frame], bytes, bool]:
    """The messages in `pieces`, what the parser answers by itself, and whether it is still open."""
    messages: list[Frame] = []
    answers = b""
    for piece in pieces:
        framing.unread += piece
        framing.more = True
        while framing.more:
            messages += framing.messages()
            if framing.full is not None:
                answers += b"".join(framing.full.data_to_send())
                if framing.full.state is not State.OPEN:
                    return messages, answers, False
    return messages, answers, True


PLAIN = st.one_of(
    st.binary(max_size=300).map(lambda payload: frame(BINARY, payload)),
    st.text(max_size=60).map(lambda text: frame(TEXT, text.encode())),
    st.binary(max_size=125).map(lambda payload: frame(PONG, payload)),
    st.integers(0, MAX_CLIENT_FRAME).map(lambda size: frame(BINARY, b"x" * size)),
)
ODD = st.one_of(
    st.binary(max_size=9).map(lambda payload: frame(PING, payload)),
    st.binary(max_size=200).map(lambda payload: frame(PONG, payload)),
    st.binary(max_size=9).map(lambda b: frame(BINARY, b, fin=False) + frame(CONTINUATION, b)),
    st.integers(MAX_CLIENT_FRAME + 1, 70_000).map(lambda size: frame(BINARY, b"x" * size)),
    st.binary(max_size=9).map(lambda payload: frame(BINARY, payload, mask=None)),
    st.binary(max_size=9).map(lambda payload: frame(TEXT, payload)),
    st.integers(0, 2).map(lambda longer: frame(TEXT, b"hi", longer=longer)),
    st.integers(0, 15).map(lambda opcode: frame(opcode, b"x")),
    st.just(close(1000)),
    st.binary(max_size=20),
)


@given(st.lists(st.one_of(PLAIN, PLAIN, ODD), max_size=8).map(b"".join), st.data())
def test_the_messages_are_those_of_the_full_parser_however_the_bytes_are_cut(
    stream: bytes, data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    pieces = [stream[at:to] for at, to in zip([0, *cuts], [*cuts, len(stream)], strict=True) if to > at]
    full = Framing()
    full.use_full_parser()
    assert read(Framing(), *pieces) == read(full, stream)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 130, 131])
def test_a_message_alone_is_read_at_once(size: int) -> None:
    framing = Framing()
    assert read(framing, frame(BINARY, b"x" * size)) == ([b"x" * size], b"", True)
    assert (framing.unread, framing.more, framing.full) == (b"", False, None)


def test_plain_messages_need_no_full_parser() -> None:
    framing = Framing()
    first, last = frame(BINARY, b"a"), frame(TEXT, b"b" * 4096)
    assert read(framing, first + last[:-1])[0] == [b"a"]
    assert framing.full is None
    assert read(framing, last[-1:] + frame(PING))[0] == ["b" * 4096]
    assert framing.full is not None


@pytest.mark.parametrize("first", [b"", frame(PING)], ids=["plain", "full parser"])
def test_who_stops_early_gets_the_other_messages_later(first: bytes) -> None:
    framing = Framing()
    framing.unread += first + b"".join(frame(BINARY, bytes([number])) for number in range(5))
    early, *others = framing.messages() or framing.messages()
    assert early == b"\x00"
    framing.take_back(others)
    assert framing.more
    assert framing.messages() == [bytes([number]) for number in range(1, 5)]
    assert not framing.more


def test_a_turn_reads_a_bounded_part_and_says_that_there_is_more() -> None:
    framing = Framing()
    framing.unread += frame(BINARY, b"x") * 10_000
    counts = []
    framing.more = True
    while framing.more:
        counts.append(len(framing.messages()))
    assert sum(counts) == 10_000
    assert max(counts) <= BYTES_A_TURN / 7 + 1


def test_the_beginning_of_a_message_waits_for_its_end_and_is_not_more() -> None:
    framing = Framing()
    assert read(framing, frame(BINARY, b"abc")[:-1]) == ([], b"", True)
    assert not framing.more


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536, 200_000])
def test_a_frame_is_written_as_any_client_reads_it(size: int) -> None:
    for kind, message in ((Opcode.BINARY, b"a" * size), (Opcode.TEXT, "a" * size)):
        data = message if isinstance(message, bytes) else message.encode()
        assert framed(message) == WebSocketFrame(kind, data).serialize(mask=False)
