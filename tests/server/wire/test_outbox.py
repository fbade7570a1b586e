"""What waits to be written to one peer."""

from __future__ import annotations

from tablero_server.wire.outbox import Outbox


def test_frames_come_out_in_order() -> None:
    outbox = Outbox(4, 100)
    assert all(outbox.put(frame) for frame in (b"a", b"b", b"c"))
    assert [outbox.take() for _ in range(4)] == [b"a", b"b", b"c", None]


def test_it_is_bounded_by_number() -> None:
    outbox = Outbox(2, 100)
    assert [outbox.put(b"x") for _ in range(3)] == [True, True, False]
    outbox.take()
    assert outbox.put(b"y")
    assert [outbox.take() for _ in range(3)] == [b"x", b"y", None], "the refused one is not in it"


def test_it_is_bounded_by_bytes() -> None:
    outbox = Outbox(9, 10)
    assert outbox.put(b"x" * 6)
    assert not outbox.put(b"x" * 5)
    assert outbox.put(b"x" * 4)
    outbox.take()
    assert outbox.put(b"x" * 6)


def test_cleared_it_is_empty_and_has_room() -> None:
    outbox = Outbox(1, 10)
    outbox.put(b"x" * 10)
    outbox.clear()
    assert outbox.take() is None
    assert outbox.put(b"x" * 10)
